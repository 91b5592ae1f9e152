//! Game records: `loadsgf` and `printsgf`.

use ishi_go::{Color, Point};
use ishi_sgf::{Collection, GameBuilder, GoGame, ReplayedGame};

use ishi_engine::clock::GameClock;
use ishi_engine::session::files::{load_record, print_record};
use ishi_engine::session::{CommandAnswer, CommandRefusal};

use super::{LoadedRecord, Session, SessionCall};

impl Session {
    /// Shows the first game of a file as it stood before the move of that number, or at its end.
    pub(super) fn loadsgf(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        load_record(&mut call.args, |file, moves| self.load_file(file, moves))
    }

    fn load_file(&mut self, file: &str, moves: Option<usize>) -> Result<(), CommandRefusal> {
        let bytes = self.host.read_file(file)?;
        let reading = ishi_sgf::read_collection(&bytes)?;
        let tree = reading.collection.games.first().ok_or("there is no game in it")?;
        let game = GoGame::read_main_line(tree)?;
        self.show_record(game, moves)?;
        self.clocks.iter_mut().for_each(GameClock::restart);
        Ok(())
    }

    /// Puts the record's position after so many moves (all of them without a number) onto the board. Rules are the
    /// record's if it names some that are known, komi too.
    pub(super) fn show_record(&mut self, game: GoGame, moves: Option<usize>) -> Result<(), CommandRefusal> {
        let rules = game.info.known_rules().unwrap_or(*self.position.rules());
        let ReplayedGame { mut position, moves, .. } = game.replay_position(rules, moves)?;
        if game.info.komi.is_none() {
            position.set_komi(self.position.komi())?;
        }
        let moves_before = moves.saturating_sub(position.moves().len());
        self.replace_position(position);
        self.record = Some(LoadedRecord { game, moves_before });
        Ok(())
    }

    /// The game as SGF: in the answer, or into a file.
    pub(super) fn printsgf(&mut self, call: &mut SessionCall<'_, '_>) -> CommandAnswer {
        print_record(&call.args, &*self.host, self.to_sgf())
    }

    fn to_sgf(&self) -> String {
        let position = &self.position;
        let mut game = GameBuilder::new(position.size());
        game.set_application("ishi", &self.settings.version)
            .set_komi(position.komi())
            .set_rules(&position.rules().to_string());
        if position.handicap() >= 2 {
            game.set_handicap(position.handicap() as u32);
        }
        for color in Color::ALL {
            let stones = position.setup_stones().iter().filter(|stone| stone.0 == color);
            let points: Vec<Point> = stones.map(|stone| stone.1).collect();
            if !points.is_empty() {
                game.add_setup(color, &points);
            }
        }
        for &(color, mv) in position.moves() {
            game.add_move(color, mv);
        }
        Collection::from_game(game.into_tree()).to_sgf()
    }
}
