//! Game records: `loadsgf` and `printsgf`.

use ishi_sgf::{Collection, OthelloGame};

use super::{CommandAnswer, CommandRefusal, OthelloCall, OthelloSession};
use ishi_engine::clock::GameClock;
use ishi_engine::session::files::{split_file, strip_quotes};

impl OthelloSession {
    /// Shows the first game of a file as it stood before the move of that number, or at its end.
    pub(super) fn loadsgf(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        call.args.take_word("FILE")?;
        let (file, number) = split_file(call.args.rest());
        if number == Some(0) {
            return Err(call.args.syntax_error("moves count from 1"));
        }
        self.load_file(file, number)
            .map_err(|CommandRefusal(reason)| format!("cannot load file {file:?}: {reason}"))?;
        Ok(String::new())
    }

    fn load_file(&mut self, file: &str, number: Option<usize>) -> Result<(), CommandRefusal> {
        let bytes = self.host.read_file(file)?;
        let reading = ishi_sgf::read_collection(&bytes)?;
        let tree = reading.collection.games.first().ok_or("there is no game in it")?;
        let game = OthelloGame::read_main_line(tree)?.replay_moves(number.map(|number| number - 1))?;
        self.replace_game(game);
        self.clocks.iter_mut().for_each(GameClock::restart);
        Ok(())
    }

    /// The game as SGF: in the answer, or into a file.
    pub(super) fn printsgf(&mut self, call: &mut OthelloCall<'_, '_>) -> CommandAnswer {
        let sgf = Collection::from_game(OthelloGame::from_position(&self.game).to_tree()).to_sgf();
        if call.args.peek().is_none() {
            return Ok(sgf);
        }
        let file = strip_quotes(call.args.rest());
        let written = self.host.write_file(file, sgf.as_bytes());
        written.map_err(|error| format!("cannot write file {file:?}: {error}"))?;
        Ok(String::new())
    }
}
