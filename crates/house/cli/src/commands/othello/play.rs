//! `ishi othello play`: a game against the machine, in the terminal.

use std::fmt::Write as _;
use std::io::{self, BufRead, IsTerminal};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ishi_othello::{Color, Move, Position};
use ishi_othello_play::book::Book;
use ishi_othello_play::coach::hints;
use ishi_othello_play::levels::{Level, LevelPlayer, Limits};
use ishi_othello_play::openings::OpeningNames;

use super::coach::{Language, WallClock, line, print, searcher, sureness};
use super::coach::{picture, words};
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi othello play                      you are Black, level 5
  ishi othello play --level 12 --color white --lang ja
  ishi othello play --save game.txt

At the prompt: a square such as f5 plays there; `hint` values your moves; `undo` takes back
your last move and the answer; `moves` shows the game so far; `quit` ends. A pass is played
for you, and said. The transcript is printed at the end, and kept with --save.";

/// Play against the machine.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct PlayArgs {
    /// How strong the machine is: 1, a beginner, to 20
    #[arg(long, default_value = "5", value_name = "LEVEL")]
    level: Level,
    /// Your colour
    #[arg(long, value_enum, default_value = "black")]
    color: Side,
    /// Use of the opening book
    #[arg(long, value_enum, default_value = "on")]
    book: Switch,
    /// Language
    #[arg(long, default_value = "en", value_name = "en|ja")]
    lang: Language,
    /// Where the transcript goes at the end
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Replace the file of --save if it exists
    #[arg(long)]
    force: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Black,
    White,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Switch {
    On,
    Off,
}

/// What the user said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Play(Move),
    Hint,
    Undo,
    Moves,
    Help,
    Quit,
}

/// Level at which hints are given, unless the opponent is stronger.
const HINT_LEVEL: u8 = 12;

/// Plays a game.
pub fn run(args: &PlayArgs, context: &Context) -> Result<(), Failure> {
    if let Some(path) = args.save.as_ref().filter(|path| path.exists() && !args.force) {
        let name = path.display();
        return Err(Failure::input(format!("{name} exists: give another name, or --force to replace it")));
    }
    let book = (args.book == Switch::On).then(Book::builtin);
    let player = LevelPlayer::new(args.level, context.seed, searcher(context)).with_book(book);
    let human = if args.color == Side::Black { Color::Black } else { Color::White };
    let mut table = Table { game: Position::start(), player, human, language: args.lang, context };
    let played = table.play(&mut io::stdin().lock());
    table.finish()?;
    if let Some(path) = &args.save {
        files::write(path, format!("{}\n", table.transcript()).as_bytes(), args.force)?;
    }
    played
}

struct Table<'a> {
    game: Position,
    player: LevelPlayer,
    human: Color,
    language: Language,
    context: &'a Context,
}

impl Table<'_> {
    /// Until the game is over, the user quits, or the input ends.
    fn play(&mut self, input: &mut impl BufRead) -> Result<(), Failure> {
        let language = self.language;
        while !self.game.is_over() {
            let color = self.game.to_move();
            if self.game.pass_if_forced() {
                let name = words::color(color, language);
                print(language.choose(
                    format!("{name} has no move and passes.\n"),
                    format!("{name}は打てる所がないのでパスです。\n"),
                ))?;
            } else if color == self.human {
                print(picture::board(&self.game))?;
                if !self.ask(input)? {
                    return Ok(());
                }
            } else {
                self.answer()?;
            }
            if self.context.stopped() {
                return Err(Failure::Interrupted);
            }
        }
        Ok(())
    }

    /// The machine's move.
    fn answer(&mut self) -> Result<(), Failure> {
        let stop = || self.context.stopped();
        let clock = WallClock::start();
        let limits = Limits { time: None, clock: &clock, stop: &stop };
        let found = self.player.choose(self.game.board(), limits);
        let before = OpeningNames::builtin().of_game(&self.game);
        self.game.play(found.mv).map_err(Failure::outside)?;
        let opening = OpeningNames::builtin().of_game(&self.game).filter(|&name| before != Some(name));
        let name = opening.map(|opening| format!(" ({})", opening.name(self.language))).unwrap_or_default();
        let level = self.player.level();
        let mv = found.mv;
        print(
            self.language
                .choose(format!("Level {level} plays {mv}{name}.\n"), format!("レベル{level}: {mv}{name}\n")),
        )
    }

    /// Asks until a move is made; false if the user has had enough.
    fn ask(&mut self, input: &mut impl BufRead) -> Result<bool, Failure> {
        loop {
            self.prompt()?;
            let mut text = String::new();
            let read = input.read_line(&mut text);
            if self.context.stopped() {
                return Err(Failure::Interrupted);
            }
            if read.map_err(|error| Failure::outside(format!("cannot read your move: {error}")))? == 0 {
                return Ok(false);
            }
            match understand(&text) {
                Ok(Said::Play(mv)) => match self.game.play(mv) {
                    Ok(()) => return Ok(true),
                    Err(error) => print(format!("{error}\n"))?,
                },
                Ok(Said::Undo) => return self.undo().map(|()| true),
                Ok(Said::Quit) => return Ok(false),
                Ok(Said::Hint) => self.hint()?,
                Ok(Said::Moves) => print(format!("{}\n", self.transcript()))?,
                Ok(Said::Help) => print(HELP_AT_TABLE)?,
                Err(problem) => print(format!("{problem}\n"))?,
            }
        }
    }

    fn prompt(&self) -> Result<(), Failure> {
        let color = words::color(self.human, self.language);
        let ask =
            self.language.choose(format!("{color}, your move: "), format!("{color}番、どこに打ちますか: "));
        let end = if io::stdin().is_terminal() { "" } else { "\n" };
        print(format!("{}  {ask}{end}", picture::count(&self.game)))
    }

    /// Takes back moves until the user is to move again before the last own move.
    fn undo(&mut self) -> Result<(), Failure> {
        let own = self.game.moves().iter().any(|&(color, mv)| color == self.human && mv != Move::Pass);
        if !own {
            return print(
                self.language.choose("There is no move of yours to take back.\n", "戻せる手がありません。\n"),
            );
        }
        while let Some(mv) = self.game.undo() {
            if self.game.to_move() == self.human && mv != Move::Pass {
                break;
            }
        }
        Ok(())
    }

    fn hint(&mut self) -> Result<(), Failure> {
        let board = self.game.board();
        let level = self.player.level().max(Level::new(HINT_LEVEL).unwrap_or(Level::HIGHEST));
        let stop = || self.context.stopped();
        let clock = WallClock::start();
        let limits = Limits { time: None, clock: &clock, stop: &stop };
        let found = hints(board, self.player.searcher(), level.effort_in_discs(board.empties()), limits);
        let mut text = String::new();
        for hint in found {
            let why = words::reasons(&hint.reasons, 2, self.language);
            let sure = sureness(&hint.found, self.language);
            let _ = writeln!(text, "  {} {:>+4}  {sure:7} {why}", hint.square, hint.found.score);
        }
        print(text)
    }

    fn transcript(&self) -> String {
        let squares: Vec<_> = self.game.moves().iter().filter_map(|(_, mv)| mv.square()).collect();
        line(&squares)
    }

    /// The last board, the result, and the transcript.
    fn finish(&self) -> Result<(), Failure> {
        let score = if self.human == Color::Black { self.game.score() } else { -self.game.score() };
        let result = match (self.game.is_over(), score.signum()) {
            (false, _) => self
                .language
                .choose("The game is not finished.".to_string(), "途中で終わりました。".to_string()),
            (_, 1) => self
                .language
                .choose(format!("You win by {score}."), format!("{score}石差であなたの勝ちです。")),
            (_, 0) => self.language.choose("A draw.".to_string(), "引き分けです。".to_string()),
            _ => self
                .language
                .choose(format!("You lose by {}.", -score), format!("{}石差であなたの負けです。", -score)),
        };
        let (board, count) = (picture::board(&self.game), picture::count(&self.game));
        print(format!("{board}{count}  {result}\n{}\n", self.transcript()))
    }
}

const HELP_AT_TABLE: &str = "\
f5     play on f5          hint   value your moves     undo   take your last move back
moves  the game so far     quit   end the game
";

fn understand(text: &str) -> Result<Said, String> {
    let text = text.trim();
    match text.to_lowercase().as_str() {
        "hint" | "h" | "ヒント" => Ok(Said::Hint),
        "undo" | "u" | "待った" => Ok(Said::Undo),
        "moves" | "m" | "棋譜" => Ok(Said::Moves),
        "help" | "?" => Ok(Said::Help),
        "quit" | "q" | "exit" => Ok(Said::Quit),
        _ => text.parse().map(Said::Play).map_err(|_| {
            format!("{text:?} is no move and no command: write f5, hint, undo, moves, help or quit")
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_says() {
        assert_eq!(understand(" F5\n"), Ok(Said::Play("f5".parse().unwrap())));
        assert_eq!(understand("pass"), Ok(Said::Play(Move::Pass)));
        assert_eq!(understand("HINT"), Ok(Said::Hint));
        assert_eq!(understand("待った"), Ok(Said::Undo));
        assert!(understand("i9").unwrap_err().starts_with("\"i9\" is no move and no command"));
    }
}
