//! The end of the game: status of stones and score, as the network or playouts judge them.

use ishi_go::{Color, Point};

use super::board::list_points;
use super::{Session, SessionCall};
use crate::judge;
use ishi_engine::session::CommandAnswer;

impl Session {
    pub(super) fn dead_stones(&self) -> Vec<Point> {
        judge::judge_dead_stones(&self.position, self.settings.judge_playouts, self.settings.seed)
    }

    /// The score by the rules with dead stones off the board; who has resigned has lost.
    pub(super) fn final_score(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        call.args.expect_end()?;
        if let Some(loser) = self.resigned {
            return Ok(format!("{}+Resign", loser.opponent().letter()));
        }
        Ok(self.position.final_score(&self.dead_stones())?.to_string())
    }

    /// Chains of this status, one a line. Neither network nor playouts name seki: such stones are listed as alive.
    pub(super) fn final_status_list(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let status = call.args.take_word("alive|dead|seki")?.to_ascii_lowercase();
        call.args.expect_end()?;
        let wanted: &dyn Fn(bool) -> bool = match status.as_str() {
            "alive" => &|dead| !dead,
            "dead" => &|dead| dead,
            "seki" => &|_| false,
            _ => {
                return Err(call
                    .args
                    .syntax_error(format!("no status {status:?}: write alive, dead or seki")));
            }
        };
        let (dead, board) = (self.dead_stones(), self.position.board());
        let chains = board.chains().filter(|chain| wanted(dead.contains(&chain.head())));
        let lines: Vec<String> = chains.map(|chain| list_points(board.chain_stones(chain))).collect();
        Ok(lines.join("\n"))
    }

    /// GNU Go's: the status of a stone, or whose territory an empty point is.
    pub(super) fn final_status(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        let point = call.args.take_point(self.position.size())?;
        call.args.expect_end()?;
        let dead = self.dead_stones();
        if self.position.board().color(point).is_some() {
            return Ok(if dead.contains(&point) { "dead" } else { "alive" }.to_string());
        }
        Ok(match self.position.tally_points(&dead)?.point_owner(point) {
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
