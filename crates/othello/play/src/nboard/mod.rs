//! A player of Othello for NBoard and other programs that speak its protocol, version 2.
//!
//! The GUI keeps the game and sends it (`set game`, `move`); the player answers `go` with a move, `hint` with values and
//! `analyze` with those of a whole game, and tells what it looks at meanwhile. A `ping` ends what runs and is answered
//! with `pong`, before which nothing about the old position may be missing and after which nothing may come. Lines
//! that are not understood are ignored. As pure as the searches: bytes and time come from outside.
//!
//! Source: C. Welty, "NBoard Protocol" (instructions/Protocol.htm of NTest, version 2), whose example sessions the tests
//! replay; where it leaves something open, his own client decides (`ResponseParser` and `ParsedEngine` of NBoard).
//! Squares are numbered as everywhere here, a1 at the top left, and passes are written `PA`.

mod analyze;
mod command;
mod game;
mod think;
mod wire;

use std::io::{self, Write};

use ishi_gtp::{CommandInput, ServeEnd};
use ishi_work::StopFlag;

pub use command::{NBoardLine, NBoardMove, is_ping};
pub use game::NBoardGameError;

use super::book::Book;
use super::depth::{analysis_efforts, effort_of_depth};
use super::levels::LevelPlayer;
use super::search::SearchEffort;
use command::unreadable_move;
use game::NBoardGame;
use ishi_engine::Clock;
use wire::GuiWriter;

/// Plies of the middle game until `set depth` says how many.
const DEFAULT_DEPTH: u32 = 12;

/// How the player plays.
pub struct NBoardSettings {
    /// What it calls itself: one word.
    pub name: String,
    /// Does its level say how hard it looks, and not `set depth`?
    pub fixed_level: bool,
    /// The opening book, if it uses one.
    pub book: Option<&'static Book>,
}

impl Default for NBoardSettings {
    /// `ishi`, as deep as it is told, with the built-in book.
    fn default() -> NBoardSettings {
        NBoardSettings { name: "ishi".to_string(), fixed_level: false, book: Some(Book::builtin()) }
    }
}

/// The player and the game that it was told of.
///
/// ```
/// use ishi_engine::StoppedClock;
/// use ishi_othello_play::levels::{Level, LevelPlayer};
/// use ishi_othello_play::nboard::{NBoard, NBoardSettings, is_ping};
/// use ishi_othello_play::search::{SearchParams, Searcher};
/// use ishi_gtp::Inbox;
/// use ishi_rng::Seed;
///
/// let searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
/// let player = LevelPlayer::new(Level::HIGHEST, Seed::new(1), searcher);
/// let mut nboard = NBoard::new(player, Box::new(StoppedClock), NBoardSettings::default());
/// let mut inbox = Inbox::with_interrupt(is_ping);
/// inbox.push_bytes(b"nboard 2\nset depth 3\nwhat is this\nping 1\nquit\n");
/// let mut output = Vec::new();
/// nboard.serve_lines(&mut inbox, &mut output).unwrap();
/// assert_eq!(String::from_utf8(output).unwrap(), "set myname ishi\nset myname ishi3\npong 1\n");
/// ```
pub struct NBoard {
    player: LevelPlayer,
    clock: Box<dyn Clock + Send + Sync>,
    settings: NBoardSettings,
    game: NBoardGame,
    depth: u32,
    /// What a draw of the book is worth for Black, in hundredths of a disc.
    contempt: i32,
}

/// A line in work: where answers go, and what stops the thinking.
struct LineContext<'a, 'b> {
    wire: &'a mut GuiWriter<'b>,
    input: &'a dyn CommandInput,
}

impl NBoard {
    /// A player at the start of a game.
    pub fn new(player: LevelPlayer, clock: Box<dyn Clock + Send + Sync>, settings: NBoardSettings) -> NBoard {
        NBoard { player, clock, settings, game: NBoardGame::default(), depth: DEFAULT_DEPTH, contempt: 0 }
    }

    /// Answers lines until `quit` or the end of input, whose interrupts are [`is_ping`]'s.
    ///
    /// # Errors
    /// If reading or writing failed; a GUI that closes its end of the pipe is such a failure.
    pub fn serve_lines(
        &mut self,
        input: &mut dyn CommandInput,
        output: &mut dyn Write,
    ) -> io::Result<ServeEnd> {
        let mut wire = GuiWriter::new(output);
        while let Some(line) = input.next_line()? {
            let Some(line) = NBoardLine::parse(&line) else {
                tell_unreadable_move(&line, &mut wire);
                wire.take_failure()?;
                continue;
            };
            if line == NBoardLine::Quit {
                return Ok(ServeEnd::Quit);
            }
            self.answer_line(line, &mut LineContext { wire: &mut wire, input: &*input });
            wire.take_failure()?;
        }
        Ok(ServeEnd::EndOfInput)
    }

    fn answer_line(&mut self, line: NBoardLine, turn: &mut LineContext<'_, '_>) {
        match line {
            NBoardLine::Version(_) => self.tell_name(turn, ""),
            NBoardLine::Depth(depth) => self.set_depth(depth, turn),
            NBoardLine::Game(text) => self.set_game(&text, turn),
            NBoardLine::Contempt(contempt) => self.contempt = contempt,
            NBoardLine::Move(played) => self.play_move(played, turn),
            NBoardLine::Hint(count) => {
                self.with_busy_status(turn, |nboard, turn| nboard.answer_hint(count, turn))
            }
            NBoardLine::Go => self.with_busy_status(turn, NBoard::answer_go),
            NBoardLine::Analyze => self.with_busy_status(turn, NBoard::analyze_game),
            NBoardLine::Ping(number) => turn.wire.write_line(&format!("pong {number}")),
            // The book is built in and does not grow; the GUI waits for the word.
            NBoardLine::Learn => turn.wire.write_line("learned"),
            NBoardLine::Quit => {}
        }
    }

    fn tell_name(&self, turn: &mut LineContext<'_, '_>, suffix: &str) {
        turn.wire.write_line(&format!("set myname {}{suffix}", self.settings.name));
    }

    /// The name tells how deep it looks, as NTest's and Edax's do.
    fn set_depth(&mut self, depth: u32, turn: &mut LineContext<'_, '_>) {
        self.depth = depth.clamp(1, 60);
        if !self.settings.fixed_level {
            let depth = self.depth;
            self.tell_name(turn, &depth.to_string());
        }
    }

    fn set_game(&mut self, text: &str, turn: &mut LineContext<'_, '_>) {
        match NBoardGame::from_ggf(text) {
            Ok(game) => self.game = game,
            Err(error) => turn.wire.write_line(&format!("status {error}")),
        }
    }

    fn play_move(&mut self, played: NBoardMove, turn: &mut LineContext<'_, '_>) {
        if let Err(error) = self.game.play_move(played) {
            turn.wire.write_line(&format!("status move ignored: {error}"));
        }
    }

    /// The status line says what is going on, and nothing when it is over.
    fn with_busy_status(
        &mut self,
        turn: &mut LineContext<'_, '_>,
        work: impl FnOnce(&mut NBoard, &mut LineContext<'_, '_>),
    ) {
        let name = &self.settings.name;
        turn.wire.write_line(&format!("status {name} is thinking"));
        work(self, turn);
        turn.wire.write_line("status");
    }

    /// How hard to look at the position with so many empty squares, if values are to be compared.
    fn effort_at(&self, empties: u32) -> SearchEffort {
        if self.settings.fixed_level {
            self.player.level().effort_in_discs(empties)
        } else {
            effort_of_depth(self.depth, empties)
        }
    }

    /// The looks of a hint, easy ones first. Where the GUI asks for all plies, the last one is a proof.
    fn hint_efforts(&self, empties: u32) -> Vec<SearchEffort> {
        if !self.settings.fixed_level {
            return analysis_efforts(self.depth, empties);
        }
        let deepest = self.effort_at(empties);
        let before = (1..deepest.depth).map(|depth| effort_of_depth(depth, empties));
        before.chain([deepest]).collect()
    }
}

/// Should the thinking end? Asked from any thread.
fn should_stop(input: &dyn CommandInput, hung_up: &StopFlag) -> bool {
    hung_up.is_requested() || input.is_interrupted()
}

/// A move that cannot be read leaves the board as it was, which whoever plays on must know.
fn tell_unreadable_move(line: &[u8], wire: &mut GuiWriter<'_>) {
    if let Some(text) = unreadable_move(line) {
        wire.write_line(&format!(
            "status move ignored: {text:?} must be a square such as F5, or PA for a pass"
        ));
    }
}
