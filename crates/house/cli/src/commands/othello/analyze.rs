//! `ishi othello analyze`: what each move of a game lost, and why.

use std::fmt::Write;

use clap::Args;
use ishi_othello::{Color, Move, Position, Square};
use ishi_othello_play::coach::{GameReview, MoveReview, Phase, PlayerSummary, ReviewParams, review};
use ishi_othello_play::levels::Limits;
use ishi_othello_play::openings::OpeningNames;
use serde::Serialize;

use super::coach::progress::Progress;
use super::coach::{Language, OpeningJson, StudyArgs, WallClock, line, print, print_json, searcher};
use super::coach::{input, picture, words};
use crate::context::{Context, Failure};

const HELP: &str = "\
Examples:
  ishi othello analyze game.sgf
  ishi othello analyze game.ggf --level 18 --lang ja
  ishi othello analyze WTH_2001.wtb --game 17
  ishi othello analyze f5d6c3d3c4f4f6f3e6e7 --json
  ishi othello analyze - < transcript.txt

The game is a file (SGF, GGF, WTHOR, or a transcript), - for standard input, or the moves
themselves. Moves are judged from the last to the first; from --exact empty squares on by
solving. A move that made a draw or a loss of a win is named as a losing move. With Ctrl-C
what was judged by then is shown.";

/// Reviews a game: what each move lost, the losing moves, how each side played.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct AnalyzeArgs {
    /// A file, -, or moves such as f5d6c3
    #[arg(value_name = "GAME")]
    game: String,
    /// Which game of a file with several
    #[arg(long = "game", default_value_t = 1, value_name = "N")]
    number: usize,
    /// Empty squares from which on moves are judged by solving; if not given, what the level has
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=60))]
    exact: Option<u32>,
    #[command(flatten)]
    study: StudyArgs,
}

/// Prints the review of a game.
pub fn run(args: &AnalyzeArgs, context: &Context) -> Result<(), Failure> {
    let game = input::game(&args.game, args.number)?;
    let total = game.moves().iter().filter(|(_, mv)| *mv != Move::Pass).count();
    if total == 0 {
        return Err(Failure::input(format!("{}: the game has no moves", args.game)));
    }
    let review = judge(&game, total, args, context);
    if context.json {
        print_json(&report(&game, &review, args))?;
    } else {
        print(Sheet { game: &game, review: &review, language: args.study.lang }.text())?;
    }
    if review.complete { Ok(()) } else { Err(Failure::Interrupted) }
}

fn judge(game: &Position, total: usize, args: &AnalyzeArgs, context: &Context) -> GameReview {
    let clock = WallClock::start();
    let stop = || context.stopped();
    // The time is for the whole game: each of the two searches of a move gets its share.
    let time = args.study.time.map(|time| time / (2 * total) as u32);
    let limits = Limits { time, clock: &clock, stop: &stop };
    let params = ReviewParams { level: args.study.level, exact: args.exact };
    let mut progress = Progress::new(total as u64, "moves", context);
    let mut heard = |review: &MoveReview, _| {
        progress.step(&format!("{}. {} -{}", review.number, review.square, review.loss));
    };
    let review = review(game, params, &mut searcher(context), limits, &mut heard);
    progress.finish();
    review
}

// --- text ---

struct Sheet<'a> {
    game: &'a Position,
    review: &'a GameReview,
    language: Language,
}

impl Sheet<'_> {
    fn text(&self) -> String {
        let mut text = self.heading();
        text.push_str(&self.table());
        text.push_str(&self.losing_moves());
        for color in Color::ALL {
            text.push_str(&self.summary(&self.review.summary(color)));
        }
        if !self.review.complete {
            let first = self.review.moves.first().map_or(0, |review| review.number);
            let stopped = self.language.choose(
                format!("Stopped: moves before move {first} were not judged.\n"),
                format!("中断: {first}手目より前は調べていません。\n"),
            );
            text.push_str(&stopped);
        }
        text
    }

    /// The opening and the result.
    fn heading(&self) -> String {
        let name = OpeningNames::builtin()
            .title(self.game, self.language)
            .map(|name| format!("{name}\n"))
            .unwrap_or_default();
        let score = self.game.score();
        let state = match self.game.is_over() {
            true => self.language.choose(format!("result {score:+} for Black"), format!("結果 黒{score:+}")),
            false => self.language.choose("not finished".to_string(), "途中まで".to_string()),
        };
        format!("{name}{}, {state}\n\n", picture::count(self.game))
    }

    fn table(&self) -> String {
        let head = self.language.choose("  no  move  Black  loss\n", "  手数 手   黒から  損\n");
        let rows: String = self.review.moves.iter().map(|review| self.row(review)).collect();
        format!("{head}{rows}\n")
    }

    /// `  34. O b2    -6    10  blunder; better h3 +4 (h3g4): gives away the corner a1`
    fn row(&self, review: &MoveReview) -> String {
        let disc = if review.color == Color::Black { 'X' } else { 'O' };
        let value = for_black(review, review.value);
        let mut row = format!("{:4}  {disc} {}  {value:>+5}", review.number, review.square);
        if review.loss > 0 {
            let judgement = words::judgement(review.judgement(), self.language);
            let _ = write!(row, "  {:>4}  {judgement}; {}", review.loss, self.better(review));
        }
        row.push('\n');
        row
    }

    /// The better move with its value, its variation and the reasons.
    fn better(&self, review: &MoveReview) -> String {
        let Move::Play(better) = review.best.mv else { return String::new() };
        let value = for_black(review, review.best.score);
        let word = self.language.choose("better", "最善は");
        let variation = short_line(&review.best.variation);
        let mut text = format!("{word} {better} {value:+} ({variation})");
        for (mv, reasons) in [(review.square, &review.faults), (better, &review.missed)] {
            if !reasons.is_empty() {
                let _ = write!(text, "; {mv}: {}", words::reasons(reasons, 2, self.language));
            }
        }
        text
    }

    fn losing_moves(&self) -> String {
        let lines: String = self.review.losing_moves().map(|review| self.losing_move(review)).collect();
        match lines.is_empty() {
            true => self
                .language
                .choose("No losing moves were found.\n\n", "敗着は見つかりません。\n\n")
                .to_string(),
            false => format!("{}\n{lines}\n", self.language.choose("Losing moves:", "敗着:")),
        }
    }

    fn losing_move(&self, review: &MoveReview) -> String {
        let Some((before, after)) = review.turned else { return String::new() };
        let (number, square) = (review.number, review.square);
        let color = words::color(review.color, self.language);
        let [before, after] = [before, after].map(|outcome| words::outcome(outcome, self.language));
        let (best, value) = (review.best.score, review.value);
        let sure = match review.is_proved() {
            true => self.language.choose("proved", "完全"),
            false => self.language.choose("estimated", "推定"),
        };
        let line = self.language.choose(
            format!("{number}. {color} {square} made a {after} ({value:+}) of a {before} ({best:+}), {sure}"),
            format!("{number}手目 {color}{square}: {before}({best:+})を{after}({value:+})にした({sure})"),
        );
        let word = self.language.choose("better", "最善は");
        format!("  {line}; {word} {}\n", short_line(&review.best.variation))
    }

    /// How a side played, in words.
    fn summary(&self, summary: &PlayerSummary) -> String {
        let color = words::color(summary.color, self.language);
        let Some(mean) = summary.total().mean_loss() else { return String::new() };
        let phases = summary.phases.iter().zip(Phase::ALL).filter_map(|(figures, phase)| {
            let mean = figures.mean_loss()?;
            Some(format!("{} {mean:.1}", words::phase(phase, self.language)))
        });
        let phases = phases.collect::<Vec<String>>().join(self.language.choose(", ", "、"));
        let (best, choices, loss) = (summary.best, summary.total().choices, summary.total().loss);
        let line = self.language.choose(
            format!(
                "{color} lost {loss} discs, {mean:.1} a move ({phases}); best move {best} times of {choices}"
            ),
            format!("{color}: 石損{loss}個、1手平均{mean:.1}個({phases})、最善手{choices}手中{best}手"),
        );
        format!("{line}{}\n", self.worst(summary))
    }

    fn worst(&self, summary: &PlayerSummary) -> String {
        let Some((number, loss)) = summary.worst else { return String::new() };
        let mut played = self.review.moves.iter().filter(|review| review.number == number);
        let Some(square) = played.next().map(|review| review.square) else { return String::new() };
        self.language.choose(
            format!("; worst: {number}. {square}, {loss} discs"),
            format!("、最も損した手 {number}手目{square}({loss}個)"),
        )
    }
}

/// A value of the one who moved, for Black.
fn for_black(review: &MoveReview, value: i32) -> i32 {
    if review.color == Color::Black { value } else { -value }
}

/// The first moves of a variation.
fn short_line(squares: &[Square]) -> String {
    line(&squares[..squares.len().min(6)])
}

// --- JSON ---

#[derive(Serialize)]
struct Report {
    opening: Option<OpeningJson>,
    /// Black's discs minus White's; null if the game is not finished.
    result: Option<i32>,
    level: u8,
    complete: bool,
    moves: Vec<MoveJson>,
    losing_moves: Vec<usize>,
    players: Vec<PlayerJson>,
}

#[derive(Serialize)]
struct MoveJson {
    number: usize,
    color: String,
    #[serde(rename = "move")]
    mv: String,
    /// For the one who moved.
    value: i32,
    loss: i32,
    judgement: &'static str,
    proved: bool,
    forced: bool,
    best: BestJson,
    turned: Option<[&'static str; 2]>,
    faults: Vec<String>,
    missed: Vec<String>,
}

#[derive(Serialize)]
struct BestJson {
    #[serde(rename = "move")]
    mv: String,
    value: i32,
    variation: String,
    depth: u32,
    confidence: u32,
}

#[derive(Serialize)]
struct PlayerJson {
    color: String,
    choices: usize,
    best: usize,
    loss: i32,
    mean_loss: Option<f64>,
    mean_loss_by_phase: [Option<f64>; 3],
    worst_move: Option<usize>,
    losing_moves: Vec<usize>,
}

fn report(game: &Position, review: &GameReview, args: &AnalyzeArgs) -> Report {
    Report {
        opening: OpeningNames::builtin().of_game(game).map(OpeningJson::of),
        result: game.is_over().then(|| game.score()),
        level: args.study.level.number(),
        complete: review.complete,
        moves: review.moves.iter().map(|each| move_json(each, args.study.lang)).collect(),
        losing_moves: review.losing_moves().map(|each| each.number).collect(),
        players: Color::ALL.map(|color| player_json(&review.summary(color))).into(),
    }
}

fn move_json(review: &MoveReview, language: Language) -> MoveJson {
    let words = |reasons: &[_]| reasons.iter().map(|&reason| words::reason(reason, language)).collect();
    MoveJson {
        number: review.number,
        color: review.color.to_string(),
        mv: review.square.to_string(),
        value: review.value,
        loss: review.loss,
        judgement: words::judgement(review.judgement(), Language::English),
        proved: review.is_proved(),
        forced: review.forced,
        best: BestJson {
            mv: review.best.mv.to_string(),
            value: review.best.score,
            variation: line(&review.best.variation),
            depth: review.best.depth,
            confidence: review.best.confidence.percent(),
        },
        turned: review.turned.map(|(a, b)| [a, b].map(|outcome| words::outcome(outcome, Language::English))),
        faults: words(&review.faults),
        missed: words(&review.missed),
    }
}

fn player_json(summary: &PlayerSummary) -> PlayerJson {
    PlayerJson {
        color: summary.color.to_string(),
        choices: summary.total().choices,
        best: summary.best,
        loss: summary.total().loss,
        mean_loss: summary.total().mean_loss(),
        mean_loss_by_phase: summary.phases.map(|phase| phase.mean_loss()),
        worst_move: summary.worst.map(|(number, _)| number),
        losing_moves: summary.losing.clone(),
    }
}
