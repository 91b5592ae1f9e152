//! Game records: `loadsgf` and `printsgf`.

use ishi_sgf::{Collection, OthelloGame};

use super::{Answered, Call, OthelloSession, Refusal};
use ishi_engine::session::files::{split_file, unquoted};

impl OthelloSession {
    /// Shows the first game of a file as it stood before the move of that number, or at its end.
    pub(super) fn loadsgf(&mut self, call: &mut Call<'_, '_>) -> Answered {
        call.args.word("FILE")?;
        let (file, number) = split_file(call.args.rest());
        if number == Some(0) {
            return Err(call.args.error("moves count from 1"));
        }
        self.load(file, number).map_err(|Refusal(reason)| format!("cannot load file {file:?}: {reason}"))?;
        Ok(String::new())
    }

    fn load(&mut self, file: &str, number: Option<usize>) -> Result<(), Refusal> {
        let bytes = self.host.read_file(file)?;
        let reading = ishi_sgf::read(&bytes)?;
        let tree = reading.collection.games.first().ok_or("there is no game in it")?;
        let game = OthelloGame::read(tree)?.replay(number.map(|number| number - 1))?;
        self.replace(game);
        self.clock.restart();
        Ok(())
    }

    /// The game as SGF: in the answer, or into a file.
    pub(super) fn printsgf(&mut self, call: &mut Call<'_, '_>) -> Answered {
        let sgf = Collection::of(OthelloGame::of(&self.game).to_tree()).to_sgf();
        if call.args.peek().is_none() {
            return Ok(sgf);
        }
        let file = unquoted(call.args.rest());
        let written = self.host.write_file(file, sgf.as_bytes());
        written.map_err(|error| format!("cannot write file {file:?}: {error}"))?;
        Ok(String::new())
    }
}
