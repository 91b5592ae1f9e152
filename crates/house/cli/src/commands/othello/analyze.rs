//! `ishi othello analyze`: what each move of a game lost, and why.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use ishi_othello::{Color, Move, Position, Square};
use ishi_othello_play::coach::{
    GameReview, MoveReview, OthelloPhase, PlayerSummary, ReviewParams, review_game,
};
use ishi_othello_play::levels::LevelLimits;
use ishi_othello_play::openings::OpeningNames;
use ishi_othello_play::search::Searcher;
use ishi_sgf::othello_records::OthelloRecord;
use ishi_web::OthelloReviewToShare;
use ishi_words::format_count;
use serde::Serialize;

use super::coach::{CoachArgs, Language, WallClock, create_searcher, moves_text, print_json, print_text};
use super::coach::{MainReasonJson, input, picture, words};
use crate::context::{Context, Failure};
use crate::files;
use crate::progress::StepDisplay;

const HELP: &str = "\
Examples:
  ishi othello analyze sample:othello --level 8     a sample game
  ishi othello analyze game.ggf --level 18 --lang ja
  ishi othello analyze WTH_2001.wtb --game 17
  ishi othello analyze f5d6c3d3c4f4f6f3e6e7 --json
  ishi othello analyze game.sgf --html out.html     one file to share, with lessons to answer
  ishi othello analyze - < transcript.txt

The game is a file (SGF, GGF, WTHOR, or a transcript), - for standard input, or the moves \
themselves. Moves are judged from the last to the first, with --exact empty squares or fewer \
by solving. A move that loses 2 discs or more is told with its main reason and the line that \
shows it. Each side gets up to three lessons. A move that made a draw or a loss of a win is \
named as a losing move. Ctrl-C shows what was judged by then.";

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
    /// Write one HTML file that works anywhere: board, graph, lessons to be answered on the board, in both languages
    #[arg(long, value_name = "OUT")]
    html: Option<PathBuf>,
    /// Replace the file of --html if it exists
    #[arg(long, requires = "html")]
    force: bool,
    #[command(flatten)]
    study: CoachArgs,
}

/// Prints the review of a game.
pub fn run(args: &AnalyzeArgs, context: &Context) -> Result<(), Failure> {
    files::check_all_writable(&args.html, args.force)?;
    let record = input::read_record(&args.game, args.number)?;
    let game = &record.game;
    let total = game.moves().iter().filter(|(_, mv)| *mv != Move::Pass).count();
    if total == 0 {
        return Err(Failure::input(format!("{}: the game has no moves", args.game)));
    }
    let clock = WallClock::start();
    let stop = || context.is_stop_requested();
    // The time is for the whole game: each of the two searches of a move gets its share.
    let time = args.study.time.map(|time| time / (2 * total) as u32);
    let limits = LevelLimits { time, clock: &clock, stop: &stop };
    let mut searcher = create_searcher(context);
    let review = review_with_progress(game, &mut searcher, limits, args, context);
    // A page that is wanted on standard output stands there alone.
    if !args.html.as_deref().is_some_and(files::is_standard) {
        print_review(game, &review, args, context)?;
    }
    write_shared_page(&record, &review, &mut searcher, limits, args)?;
    if review.complete { Ok(()) } else { Err(Failure::Interrupted) }
}

fn print_review(
    game: &Position,
    review: &GameReview,
    args: &AnalyzeArgs,
    context: &Context,
) -> Result<(), Failure> {
    if context.json {
        return print_json(&build_report(game, review, args));
    }
    print_text(ReviewSheet { game, review, language: args.study.lang }.to_text())
}

fn review_with_progress(
    game: &Position,
    searcher: &mut Searcher,
    limits: LevelLimits<'_>,
    args: &AnalyzeArgs,
    context: &Context,
) -> GameReview {
    let total = game.squares_played().count() as u64;
    let params = ReviewParams { level: args.study.level, exact: args.exact };
    let language = args.study.lang;
    let what = language.choose("moves", "手");
    let mut progress = StepDisplay::in_language(total, what, language, context);
    let mut heard = |review: &MoveReview, _| progress.finish_step(&progress_note(review, language));
    review_game(game, params, searcher, limits, &mut heard)
}

/// What came out of a move: `49. h7 loses 7 discs`.
fn progress_note(review: &MoveReview, language: Language) -> String {
    let MoveReview { number, square, loss, .. } = review;
    if *loss == 0 {
        return language.choose(format!("{number}. {square}"), format!("{number}手目 {square}"));
    }
    language.choose(
        format!("{number}. {square} loses {}", format_count(*loss, "disc")),
        format!("{number}手目 {square} {loss}石損"),
    )
}

/// Writes the page of `--html`, if one is asked for and the review is complete.
fn write_shared_page(
    record: &OthelloRecord,
    review: &GameReview,
    searcher: &mut Searcher,
    limits: LevelLimits<'_>,
    args: &AnalyzeArgs,
) -> Result<(), Failure> {
    let Some(out) = args.html.as_deref().filter(|_| review.complete) else { return Ok(()) };
    let shared = OthelloReviewToShare { record, review, level: args.study.level };
    let page = shared.render_page(searcher, limits, args.study.lang);
    // Answers of a search that was stopped are none.
    if limits.stop.is_requested() {
        return Err(Failure::Interrupted);
    }
    files::write_page(out, &page, args.force)
}

// --- text ---

struct ReviewSheet<'a> {
    game: &'a Position,
    review: &'a GameReview,
    language: Language,
}

impl ReviewSheet<'_> {
    fn to_text(&self) -> String {
        let mut text = self.format_heading();
        text.push_str(&self.format_table());
        text.push_str(&self.format_losing_moves());
        for color in Color::ALL {
            text.push_str(&self.format_summary(&self.review.summarize_player(color)));
        }
        for color in Color::ALL {
            text.push_str(&self.format_lessons(color));
        }
        if !self.review.complete {
            let first = self.review.moves.first().map_or(0, |review| review.number);
            let stopped = self.language.choose(
                format!("Stopped: moves before move {first} were not judged.\n"),
                format!("中断：{first}手目より前は調べていません。\n"),
            );
            text.push_str(&stopped);
        }
        text
    }

    /// The opening and the result.
    fn format_heading(&self) -> String {
        let name = OpeningNames::builtin()
            .title_of_game(self.game, self.language)
            .map(|name| format!("{name}\n"))
            .unwrap_or_default();
        let state = match self.game.is_over() {
            true => format_result(self.game.score(), self.language),
            false => self.language.choose("not finished".to_string(), "途中まで".to_string()),
        };
        let comma = self.language.choose(", ", "、");
        let counts = picture::format_disc_counts(self.game, self.language);
        format!("{name}{counts}{comma}{state}\n\n")
    }

    fn format_table(&self) -> String {
        let head = self.language.choose("  no  move  Black  loss\n", "  手数 手   黒から  損\n");
        let rows: String = self.review.moves.iter().map(|review| self.format_row(review)).collect();
        format!("{head}{rows}\n")
    }

    /// `  34. O b2    -6    10  blunder; better h3 +4 (h3g4): gives away the corner a1`
    fn format_row(&self, review: &MoveReview) -> String {
        let disc = if review.color == Color::Black { 'X' } else { 'O' };
        let value = value_for_black(review, review.value);
        let mut row = format!("{:4}  {disc} {}  {value:>+5}", review.number, review.square);
        if review.loss > 0 {
            let judgement = words::judgement_name(review.judgement(), self.language);
            let end = self.end_of_clause();
            let _ = write!(row, "  {:>4}  {judgement}{end}{}", review.loss, self.format_better_move(review));
        }
        row.push('\n');
        row
    }

    /// The better move with its value, its variation and the reasons.
    fn format_better_move(&self, review: &MoveReview) -> String {
        let Move::Play(better) = review.best.mv else { return String::new() };
        let value = value_for_black(review, review.best.score);
        let variation = format_short_line(&review.best.variation);
        let better = self.language.choose(
            format!("better {better} {value:+} ({variation})"),
            format!("最善は{better} {value:+}（{variation}）"),
        );
        let mut clauses = vec![better];
        if let Some(reason) = &review.reason {
            clauses.push(words::describe_main_reason(reason, review.color, self.language));
        }
        for (mv, facts) in review.facts_beside_reason() {
            let facts = words::describe_reasons(&facts, 2, self.language);
            clauses.push(self.language.choose(format!("{mv}: {facts}"), format!("{mv}：{facts}")));
        }
        clauses.join(self.end_of_clause())
    }

    /// What stands between the clauses of a row.
    fn end_of_clause(&self) -> &'static str {
        self.language.choose("; ", "。")
    }

    fn format_losing_moves(&self) -> String {
        let lines: String =
            self.review.losing_moves().map(|review| self.format_losing_move(review)).collect();
        match lines.is_empty() {
            true => self
                .language
                .choose("No losing moves were found.\n\n", "敗着は見つかりません。\n\n")
                .to_string(),
            false => format!("{}\n{lines}\n", self.language.choose("Losing moves:", "敗着：")),
        }
    }

    fn format_losing_move(&self, review: &MoveReview) -> String {
        let Some((before, after)) = review.turned else { return String::new() };
        let (number, square) = (review.number, review.square);
        let color = words::color_name(review.color, self.language);
        let [before, after] = [before, after].map(|outcome| words::outcome_name(outcome, self.language));
        let (best, value) = (review.best.score, review.value);
        let sure = match review.is_proved() {
            true => self.language.choose("proved", "完全"),
            false => self.language.choose("estimated", "推定"),
        };
        let line = self.language.choose(
            format!("{number}. {color} {square} made a {after} ({value:+}) of a {before} ({best:+}), {sure}"),
            format!(
                "{number}手目 {color}{square}：{before}（{best:+}）を{after}（{value:+}）にした（{sure}）"
            ),
        );
        let better = format_short_line(&review.best.variation);
        self.language.choose(format!("  {line}; better {better}\n"), format!("  {line}。最善は{better}\n"))
    }

    /// How a side played, in words.
    fn format_summary(&self, summary: &PlayerSummary) -> String {
        let color = words::color_name(summary.color, self.language);
        let Some(mean) = summary.total_summary().mean_loss() else { return String::new() };
        let phases = summary.phases.iter().zip(OthelloPhase::ALL).filter_map(|(figures, phase)| {
            let mean = figures.mean_loss()?;
            Some(format!("{} {mean:.1}", words::phase_name(phase, self.language)))
        });
        let phases = phases.collect::<Vec<String>>().join(self.language.choose(", ", "、"));
        let (best, choices, loss) =
            (summary.best, summary.total_summary().choices, summary.total_summary().loss);
        let line = self.language.choose(
            format!(
                "{color} lost {}, {mean:.1} a move ({phases}); best move {best} times of {choices}",
                format_count(loss, "disc")
            ),
            format!("{color}：石損{loss}個、1手平均{mean:.1}個（{phases}）、最善手{choices}手中{best}手"),
        );
        format!("{line}{}\n", self.format_worst_move(summary))
    }

    /// What a side may learn, a line each; nothing if it made no mistakes.
    fn format_lessons(&self, color: Color) -> String {
        let lessons = self.review.list_lessons(color);
        let name = words::color_name(color, self.language);
        let head = self.language.choose(format!("\nLessons for {name}:\n"), format!("\n{name}への教訓：\n"));
        let lines = (1..).zip(&lessons).map(|(number, lesson)| {
            format!("  {number}. {}\n", words::describe_lesson(lesson, self.language))
        });
        if lessons.is_empty() { String::new() } else { head + &lines.collect::<String>() }
    }

    fn format_worst_move(&self, summary: &PlayerSummary) -> String {
        let Some((number, loss)) = summary.worst else { return String::new() };
        let mut played = self.review.moves.iter().filter(|review| review.number == number);
        let Some(square) = played.next().map(|review| review.square) else { return String::new() };
        self.language.choose(
            format!("; worst: {number}. {square}, {}", format_count(loss, "disc")),
            format!("、最も損した手は{number}手目{square}（{loss}個）"),
        )
    }
}

/// The result of a finished game; `score` is Black's discs minus White's.
fn format_result(score: i32, language: Language) -> String {
    let japanese = match score {
        0 => "引き分け".to_string(),
        1.. => format!("黒の{score}石勝ち"),
        _ => format!("白の{}石勝ち", -score),
    };
    language.choose(format!("result {score:+} for Black"), japanese)
}

/// A value of the one who moved, for Black.
fn value_for_black(review: &MoveReview, value: i32) -> i32 {
    if review.color == Color::Black { value } else { -value }
}

/// The first moves of a variation.
fn format_short_line(squares: &[Square]) -> String {
    moves_text(&squares[..squares.len().min(6)])
}

// --- JSON ---

fn build_report(game: &Position, review: &GameReview, args: &AnalyzeArgs) -> impl Serialize {
    json_object! {
        opening: OpeningNames::builtin().last_opening(game),
        // Black's discs minus White's; null if the game is not finished.
        result: game.is_over().then(|| game.score()),
        level: args.study.level.number(),
        complete: review.complete,
        moves: review.moves.iter().map(|each| move_json(each, args.study.lang)).collect::<Vec<_>>(),
        losing_moves: review.losing_moves().map(|each| each.number).collect::<Vec<_>>(),
        players: Color::ALL.map(|color| player_json(review, color, args.study.lang)),
    }
}

fn move_json(review: &MoveReview, language: Language) -> impl Serialize {
    let words = |reasons: &[_]| -> Vec<String> {
        reasons.iter().map(|&reason| words::describe_reason(reason, language)).collect()
    };
    json_object! {
        number: review.number,
        color: review.color.to_string(),
        #[serde(rename = "move")]
        mv: review.square.to_string(),
        // For the one who moved.
        value: review.value,
        loss: review.loss,
        judgement: words::judgement_name(review.judgement(), Language::English),
        proved: review.is_proved(),
        forced: review.forced,
        best: json_object! {
            #[serde(rename = "move")]
            mv: review.best.mv.to_string(),
            value: review.best.score,
            variation: moves_text(&review.best.variation),
            depth: review.best.depth,
            confidence: review.best.confidence.percent(),
        },
        turned: review
            .turned
            .map(|(a, b)| [a, b].map(|outcome| words::outcome_name(outcome, Language::English))),
        // Null if the move loses less than 2 discs.
        reason: review.reason.as_ref().map(|reason| MainReasonJson::new(reason, review.color, language)),
        faults: words(&review.faults),
        missed: words(&review.missed),
    }
}

fn player_json(review: &GameReview, color: Color, language: Language) -> impl Serialize {
    let summary = review.summarize_player(color);
    let lessons = review.list_lessons(color).into_iter().map(|lesson| {
        json_object! {
            text: words::describe_lesson(&lesson, language),
            moves: lesson.moves,
            loss: lesson.loss,
        }
    });
    json_object! {
        color: summary.color.to_string(),
        choices: summary.total_summary().choices,
        best: summary.best,
        loss: summary.total_summary().loss,
        mean_loss: summary.total_summary().mean_loss(),
        mean_loss_by_phase: summary.phases.map(|phase| phase.mean_loss()),
        worst_move: summary.worst.map(|(number, _)| number),
        losing_moves: summary.losing,
        // Three at most, the dearest first.
        lessons: lessons.collect::<Vec<_>>(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_name_the_winner_in_japanese() {
        let told = [-6, 0, 64].map(|score| format_result(score, Language::Japanese));
        assert_eq!(told, ["白の6石勝ち", "引き分け", "黒の64石勝ち"]);
        assert_eq!(format_result(-6, Language::English), "result -6 for Black");
    }
}
