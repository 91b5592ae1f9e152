//! `ishi othello play`: a game against the machine, in the terminal.

use std::fmt::Write as _;
use std::io::{self, BufRead, IsTerminal};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ishi_othello::{BrokenRule, Color, IllegalMove, Move, Position};
use ishi_othello_play::book::Book;
use ishi_othello_play::coach::find_hints;
use ishi_othello_play::levels::{Level, LevelLimits, LevelPlayer};
use ishi_othello_play::openings::OpeningNames;
use ishi_othello_play::rating::Rating;

use super::coach::{
    Language, WallClock, create_searcher, in_brackets, moves_text, print_text, sureness_text,
};
use super::coach::{picture, words};
use crate::context::{Context, Failure};
use crate::files;
use crate::typed::TypedInput;

const HELP: &str = "\
Examples:
  ishi othello play                      you are Black, level 5
  ishi othello play --level 12 --color white --lang ja
  ishi othello play --rating 1200        between the levels: docs/othello.md says what the points mean
  ishi othello play --save game.txt

At the prompt, a square such as f5 plays there. `hint` values your moves, `undo` takes back \
your last move and the answer, `moves` shows the game so far, and `quit` ends. Passes are \
played for you, and told. The transcript is printed at the end, and kept with --save.";

/// Play against the machine.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct PlayArgs {
    /// How strong the machine is: 1, a beginner, to 20
    #[arg(long, default_value = "5", value_name = "LEVEL")]
    level: Level,
    /// How strong the machine is on ishi's own scale, instead of a level; without the book
    #[arg(long, value_name = "POINTS", conflicts_with = "level")]
    rating: Option<Rating>,
    /// Your colour
    #[arg(long, value_enum, default_value = "black")]
    color: HumanSide,
    /// Use of the opening book
    #[arg(long, value_enum, default_value = "on")]
    book: BookSwitch,
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
enum HumanSide {
    Black,
    White,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum BookSwitch {
    On,
    Off,
}

/// What the user said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlayerCommand {
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
    files::check_all_writable(&args.save, args.force)?;
    let book = (args.book == BookSwitch::On).then(Book::builtin);
    let searcher = create_searcher(context);
    let player = match args.rating {
        Some(rating) => LevelPlayer::rated(rating, context.seed, searcher),
        None => LevelPlayer::new(args.level, context.seed, searcher).with_book(book),
    };
    let human = if args.color == HumanSide::Black { Color::Black } else { Color::White };
    let (rating, language) = (args.rating, args.lang);
    let mut table = GameTable { game: Position::start(), player, rating, human, language, context };
    let played = table.play_game(&mut TypedInput::start());
    table.print_result()?;
    if let Some(path) = &args.save {
        files::write_file(path, format!("{}\n", table.transcript()).as_bytes(), args.force)?;
    }
    played
}

struct GameTable<'a> {
    game: Position,
    player: LevelPlayer,
    /// The machine's, if it has one in place of a level.
    rating: Option<Rating>,
    human: Color,
    language: Language,
    context: &'a Context,
}

impl GameTable<'_> {
    /// Until the game is over, the user quits, or the input ends.
    fn play_game(&mut self, input: &mut impl BufRead) -> Result<(), Failure> {
        let language = self.language;
        while !self.game.is_over() {
            let color = self.game.to_move();
            if self.game.pass_if_forced() {
                let name = words::color_name(color, language);
                print_text(language.choose(
                    format!("{name} has no move and passes.\n"),
                    format!("{name}は打てる所がないのでパスです。\n"),
                ))?;
            } else if color == self.human {
                print_text(picture::board_picture(&self.game))?;
                if !self.ask_for_move(input)? {
                    return Ok(());
                }
            } else {
                self.play_machine_move()?;
            }
            self.context.check_stop()?;
        }
        Ok(())
    }

    /// The machine's move.
    fn play_machine_move(&mut self) -> Result<(), Failure> {
        let stop = || self.context.is_stop_requested();
        let clock = WallClock::start();
        let limits = LevelLimits { time: None, clock: &clock, stop: &stop };
        let found = self.player.choose_move(self.game.board(), limits);
        let before = OpeningNames::builtin().title_of_game(&self.game, self.language);
        self.game.play(found.mv).map_err(Failure::outside)?;
        let title = OpeningNames::builtin().title_of_game(&self.game, self.language);
        let name = title.filter(|&name| before != Some(name));
        let name = name.map(|name| in_brackets(name, self.language)).unwrap_or_default();
        let (machine, mv) = (self.machine_name(), found.mv);
        print_text(
            self.language
                .choose(format!("{machine} plays {mv}{name}.\n"), format!("{machine}：{mv}{name}\n")),
        )
    }

    /// The machine by its level or rating.
    fn machine_name(&self) -> String {
        let level = self.player.level();
        match self.rating {
            Some(rating) => self.language.choose(format!("Rating {rating}"), format!("レーティング{rating}")),
            None => self.language.choose(format!("Level {level}"), format!("レベル{level}")),
        }
    }

    /// Asks until a move is made; false if the user has had enough.
    fn ask_for_move(&mut self, input: &mut impl BufRead) -> Result<bool, Failure> {
        loop {
            self.print_prompt()?;
            let mut text = String::new();
            let read = input.read_line(&mut text);
            self.context.check_stop()?;
            if read.map_err(|error| Failure::outside(format!("cannot read your move: {error}")))? == 0 {
                return Ok(false);
            }
            match parse_command(&text, self.language) {
                Ok(PlayerCommand::Play(mv)) => match self.game.play(mv) {
                    Ok(()) => return Ok(true),
                    Err(error) => print_text(describe_illegal_move(error, self.language) + "\n")?,
                },
                Ok(PlayerCommand::Undo) => return self.undo_moves().map(|()| true),
                Ok(PlayerCommand::Quit) => return Ok(false),
                Ok(PlayerCommand::Hint) => self.print_hint()?,
                Ok(PlayerCommand::Moves) => print_text(format!("{}\n", self.transcript()))?,
                Ok(PlayerCommand::Help) => print_text(self.language.choose(HELP_AT_TABLE, HELP_AT_TABLE_JA))?,
                Err(problem) => print_text(format!("{problem}\n"))?,
            }
        }
    }

    fn print_prompt(&self) -> Result<(), Failure> {
        let color = words::color_name(self.human, self.language);
        let ask =
            self.language.choose(format!("{color}, your move: "), format!("{color}番、どこに打ちますか："));
        let end = if io::stdin().is_terminal() { "" } else { "\n" };
        let counts = picture::format_disc_counts(&self.game, self.language);
        print_text(format!("{counts}  {ask}{end}"))
    }

    /// Takes back moves until the user is to move again before the last own move.
    fn undo_moves(&mut self) -> Result<(), Failure> {
        let own = self.game.moves().iter().any(|&(color, mv)| color == self.human && mv != Move::Pass);
        if !own {
            return print_text(
                self.language.choose("There is no move of yours to take back.\n", "戻せる手がありません。\n"),
            );
        }
        while let Some((_, mv)) = self.game.undo() {
            if self.game.to_move() == self.human && mv != Move::Pass {
                break;
            }
        }
        Ok(())
    }

    fn print_hint(&mut self) -> Result<(), Failure> {
        let board = self.game.board();
        let level = self.player.level().max(Level::new(HINT_LEVEL).unwrap_or(Level::HIGHEST));
        let stop = || self.context.is_stop_requested();
        let clock = WallClock::start();
        let limits = LevelLimits { time: None, clock: &clock, stop: &stop };
        let found =
            find_hints(board, self.player.searcher(), level.effort_in_discs(board.empty_count()), limits);
        let mut text = String::new();
        for hint in found {
            let why = words::describe_hint(&hint, self.human, self.language);
            let sure = sureness_text(&hint.found, self.language);
            let _ = writeln!(text, "  {} {:>+4}  {sure:7} {why}", hint.square, hint.found.score);
        }
        print_text(text)
    }

    fn transcript(&self) -> String {
        let squares: Vec<_> = self.game.moves().iter().filter_map(|(_, mv)| mv.square()).collect();
        moves_text(&squares)
    }

    /// The last board, the result, and the transcript.
    fn print_result(&self) -> Result<(), Failure> {
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
        let board = picture::board_picture(&self.game);
        let counts = picture::format_disc_counts(&self.game, self.language);
        print_text(format!("{board}{counts}  {result}\n{}\n", self.transcript()))
    }
}

const HELP_AT_TABLE: &str = "\
f5     play on f5          hint   value your moves     undo   take your last move back
moves  the game so far     quit   end the game
";

const HELP_AT_TABLE_JA: &str = "\
f5     f5に打つ
hint   打てる手の評価を見る（「ヒント」でも同じ）
undo   自分の手を1手戻す（「待った」でも同じ）
moves  ここまでの棋譜を見る（「棋譜」でも同じ）
quit   対局を終わる
";

/// Why a move cannot be played.
fn describe_illegal_move(error: IllegalMove, language: Language) -> String {
    let name = |color: Color| words::color_name(color, Language::Japanese);
    let IllegalMove { color, mv, rule } = error;
    let japanese = match rule {
        BrokenRule::Occupied => format!("{mv}には石があります。点の付いたマスに打ってください。"),
        BrokenRule::TurnsNothing => format!("{mv}では石を返せません。点の付いたマスに打ってください。"),
        BrokenRule::MustPlay(square) => format!("{}はパスできません。{square}などに打てます。", name(color)),
        BrokenRule::GameOver => "終局しています。".to_string(),
        BrokenRule::OtherTurn => format!("{}番です。", name(!color)),
    };
    language.choose(error.to_string(), japanese)
}

fn parse_command(text: &str, language: Language) -> Result<PlayerCommand, String> {
    let text = text.trim();
    match text.to_lowercase().as_str() {
        "hint" | "h" | "ヒント" => Ok(PlayerCommand::Hint),
        "undo" | "u" | "待った" => Ok(PlayerCommand::Undo),
        "moves" | "m" | "棋譜" => Ok(PlayerCommand::Moves),
        "help" | "?" => Ok(PlayerCommand::Help),
        "quit" | "q" | "exit" => Ok(PlayerCommand::Quit),
        _ => text.parse().map(PlayerCommand::Play).map_err(|_| {
            language.choose(
                format!("{text:?} is no move and no command: write f5, hint, undo, moves, help or quit"),
                format!(
                    "「{text}」は分かりません。f5のようなマスか、hint、undo、moves、help、quitのどれかを入力してください。"
                ),
            )
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_says() {
        let parse = |text| parse_command(text, Language::English);
        assert_eq!(parse(" F5\n"), Ok(PlayerCommand::Play("f5".parse().unwrap())));
        assert_eq!(parse("pass"), Ok(PlayerCommand::Play(Move::Pass)));
        assert_eq!(parse("HINT"), Ok(PlayerCommand::Hint));
        assert_eq!(parse("待った"), Ok(PlayerCommand::Undo));
        assert!(parse("i9").unwrap_err().starts_with("\"i9\" is no move and no command"));
        assert!(parse_command("i9", Language::Japanese).unwrap_err().starts_with("「i9」は分かりません。"));
    }

    #[test]
    fn what_cannot_be_played_is_told_in_both_languages() {
        let mut game = Position::start();
        let mut told =
            |mv: &str, language| describe_illegal_move(game.play(mv.parse().unwrap()).unwrap_err(), language);
        assert_eq!(told("a1", Language::English), "black may not play a1: it turns no disc");
        assert_eq!(told("a1", Language::Japanese), "a1では石を返せません。点の付いたマスに打ってください。");
        assert_eq!(told("d4", Language::Japanese), "d4には石があります。点の付いたマスに打ってください。");
        assert!(told("pass", Language::Japanese).starts_with("黒はパスできません。"));
    }
}
