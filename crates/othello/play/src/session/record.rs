//! Game records: `loadsgf` and `printsgf`.

use ishi_sgf::{Collection, OthelloGame};

use super::{CommandAnswer, CommandRefusal, OthelloCall, OthelloSession};
use ishi_engine::clock::GameClock;
use ishi_engine::session::files::{load_record, print_record};

impl OthelloSession {
    /// Shows the first game of a file as it stood before the move of that number, or at its end.
    pub(super) fn loadsgf(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        load_record(&mut call.args, |file, moves| self.load_file(file, moves))
    }

    fn load_file(&mut self, file: &str, moves: Option<usize>) -> Result<(), CommandRefusal> {
        let bytes = self.host.read_file(file)?;
        let reading = ishi_sgf::read_collection(&bytes)?;
        let tree = reading.collection.games.first().ok_or("there is no game in it")?;
        let game = OthelloGame::read_main_line(tree)?.replay_moves(moves)?;
        self.replace_game(game);
        self.clocks.iter_mut().for_each(GameClock::restart);
        Ok(())
    }

    /// The game as SGF: in the answer, or into a file.
    pub(super) fn printsgf(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let sgf = Collection::from_game(OthelloGame::from_position(&self.game).to_tree()).to_sgf();
        print_record(&call.args, &*self.host, sgf)
    }
}
