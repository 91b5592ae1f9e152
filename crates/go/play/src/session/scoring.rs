//! The end of the game: status of stones and score, as the network or playouts judge them, and reading corrects that.

use ishi_go::{Color, Point};

use super::board::list_points;
use super::{Session, SessionCall};
use crate::judge::{self, FinalStatus};
use ishi_engine::session::CommandAnswer;

impl Session {
    pub(super) fn judge_status(&self) -> FinalStatus {
        judge::judge_final_status(&self.position, self.settings.judge_playouts, self.settings.seed)
    }

    /// The score by the rules with dead stones off the board; who has resigned has lost. Territory beside stones in seki does not count.
    pub(super) fn final_score(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        if let Some(loser) = self.resigned {
            return Ok(format!("{}+Resign", loser.opponent().letter()));
        }
        Ok(self.judge_status().count_score(&self.position)?.to_string())
    }

    /// Chains of this status, one a line. A seki that is not proved is listed as alive.
    pub(super) fn final_status_list(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let wanted = call.args.take_word("alive|dead|seki")?.to_ascii_lowercase();
        call.args.expect_end()?;
        if !["alive", "dead", "seki"].contains(&wanted.as_str()) {
            return Err(call.args.syntax_error(format!("no status {wanted:?}: write alive, dead or seki")));
        }
        let (status, board) = (self.judge_status(), self.position.board());
        let chains = board.chains().filter(|chain| status_word(&status, chain.head()) == wanted);
        let lines: Vec<String> = chains.map(|chain| list_points(board.chain_stones(chain))).collect();
        Ok(lines.join("\n"))
    }

    /// GNU Go's: the status of a stone, or whose territory an empty point is.
    pub(super) fn final_status(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let point = call.args.take_point(self.position.size())?;
        call.args.expect_end()?;
        let status = self.judge_status();
        if self.position.board().color(point).is_some() {
            return Ok(status_word(&status, point).to_string());
        }
        Ok(match status.tally_points(&self.position)?.point_owner(point) {
            Some(Color::Black) => "black_territory",
            Some(Color::White) => "white_territory",
            None => "dame",
        }
        .to_string())
    }

    /// Whose each point will be, row by row from the top, 1 for Black: a `dboard` for GoGui.
    pub(super) fn ishi_ownership(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        let size = self.position.size();
        let means = judge::final_ownership(&self.position, self.settings.judge_playouts, self.settings.seed);
        let mut owner = vec![0.0; Point::INDICES];
        means.into_iter().for_each(|(point, mean)| owner[point.index()] = mean);
        let row = |row: usize| {
            let points = (0..size.width()).map(|column| Point::new(column, row));
            points.map(|point| format!("{:.2}", owner[point.index()])).collect::<Vec<_>>().join(" ")
        };
        Ok((0..size.height()).rev().map(row).collect::<Vec<_>>().join("\n"))
    }
}

/// The word for what becomes of a stone.
fn status_word(status: &FinalStatus, stone: Point) -> &'static str {
    if status.dead.contains(&stone) {
        "dead"
    } else if status.seki.contains(&stone) {
        "seki"
    } else {
        "alive"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stone_has_one_status() {
        let [dead, seki, alive] = [Point::new(0, 0), Point::new(1, 0), Point::new(2, 0)];
        let status = FinalStatus { dead: vec![dead], seki: vec![seki] };
        assert_eq!([dead, seki, alive].map(|stone| status_word(&status, stone)), ["dead", "seki", "alive"]);
    }
}
