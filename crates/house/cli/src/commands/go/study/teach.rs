//! `ishi go study --teach`: how good explanations and reviews are, held against a judge.

use std::fmt::Write;

use clap::Args;
use ishi_go::Position;
use ishi_go_play::analyst::{Analyst, OwnSearches, PositionJudge};
use ishi_go_play::explain::Explainer;
use ishi_go_play::explain::measure::{self, Share, TeachFigures};
use ishi_go_play::explain::review;
use serde::Serialize;

use super::{GoStudyArgs, StudyGame};
use crate::commands::explain::judging::{JudgeArgs, check_judge, create_own_explainer, judge_failure};
use crate::context::{Context, Failure};
use crate::files;

/// Moves that are explained if nothing else is said.
const MOVES: usize = 50;
/// Lessons of each review, as `ishi review` has.
const WISH: review::LessonWish = review::LessonWish { player: None, most: 3 };
/// Times the visits of an explanation, for the judge if there is no other.
const MORE_VISITS: u64 = 10;

/// Options of --teach.
#[derive(Args, Debug)]
pub(super) struct TeachArgs {
    /// Measure explanations and reviews, and hold them against a judge
    #[arg(long, conflicts_with_all = ["claims", "each", "no_each", "missing", "cut"])]
    pub(super) teach: bool,
    /// Games to review whole, with --teach
    #[arg(long, default_value_t = 0, value_name = "N", requires = "teach")]
    reviews: usize,
    /// How much thought explanations get, with --teach: 1 to 10
    #[arg(long, default_value_t = 5, requires = "teach", value_parser = clap::value_parser!(u32).range(1..=10))]
    level: u32,
    #[command(flatten)]
    judge: JudgeArgs,
}

#[derive(Serialize)]
struct TeachReport {
    /// Who judges.
    judge: String,
    level: u32,
    seed: String,
    #[serde(flatten)]
    figures: TeachFigures,
}

/// Options that say nothing without --teach.
pub(super) fn check_options(args: &TeachArgs) -> Result<(), Failure> {
    match args.judge.program_name() {
        Some(_) if !args.teach => Err(Failure::input("--judge goes with --teach: give both, or neither")),
        _ => Ok(()),
    }
}

/// Measures, and tells what was measured also when it was stopped.
pub(super) fn run(args: &GoStudyArgs, context: &Context) -> Result<(), Failure> {
    let games = super::read_all_games(args)?;
    let places = draw_places(args, &games, context);
    if places.is_empty() && args.teach.reviews == 0 {
        return Err(super::nothing_to_study_failure(args));
    }
    let (name, judge) = create_judge(&args.teach, context);
    let explainer = create_own_explainer(args.teach.level, context);
    let mut work = TeachWork { games: &games, context, explainer, judge, figures: TeachFigures::new() };
    let is_done = work.measure_moves(&places)? && work.measure_reviews(args.teach.reviews)?;
    let (level, seed) = (args.teach.level, context.seed.to_string());
    let report = TeachReport { judge: name, level, seed, figures: work.figures };
    if context.json {
        super::super::print_json(&report)?;
    } else {
        files::print_bytes(report.to_text().as_bytes())?;
    }
    if is_done { Ok(()) } else { Err(Failure::Interrupted) }
}

/// The judge with its name.
fn create_judge(args: &TeachArgs, context: &Context) -> (String, Box<dyn PositionJudge>) {
    let visits = MORE_VISITS * Analyst::visits_of_level(args.level);
    match (args.judge.program_name(), args.judge.program_judge(visits, context)) {
        (Some(name), Some(judge)) => (name, judge),
        _ => {
            let analyst = Analyst { visits, ..Analyst::of_level(args.level) };
            let seed = context.seed.child_seed("judge", 0);
            (format!("ishi's own search with {visits} visits"), Box::new(OwnSearches { analyst, seed }))
        }
    }
}

/// Moves to explain, drawn by the seed, in the order of their games.
fn draw_places(args: &GoStudyArgs, games: &[StudyGame], context: &Context) -> Vec<(usize, usize)> {
    let mut drawn = super::places_in_games(args.middle, games);
    context.seed.stream("teach", 0).shuffle(&mut drawn);
    drawn.truncate(args.moves.unwrap_or(MOVES));
    drawn.sort_unstable();
    drawn
}

struct TeachWork<'a> {
    games: &'a [StudyGame],
    context: &'a Context,
    explainer: Explainer,
    judge: Box<dyn PositionJudge>,
    figures: TeachFigures,
}

impl TeachWork<'_> {
    /// False if it was stopped.
    fn measure_moves(&mut self, places: &[(usize, usize)]) -> Result<bool, Failure> {
        let bar = self.context.progress_bar(places.len(), "moves");
        let context = self.context;
        let stop = || context.is_stop_requested();
        for &(game, number) in places {
            if let Some(case) = super::build_case(&self.games[game], game, number) {
                let judge = &mut *self.judge;
                let found = measure::measure_move(&mut self.explainer, judge, &case.position, case.mv, &stop);
                let Some(found) = found.map_err(judge_failure)? else { return Ok(false) };
                self.figures.add_move(&found);
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(true)
    }

    /// Reviews so many games, evenly spread; false if it was stopped.
    fn measure_reviews(&mut self, reviews: usize) -> Result<bool, Failure> {
        let wanted = reviews.min(self.games.len());
        for n in 0..wanted {
            let game = &self.games[n * self.games.len() / wanted];
            if !self.measure_game(game)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn measure_game(&mut self, game: &StudyGame) -> Result<bool, Failure> {
        let context = self.context;
        let bar = context.progress_bar(game.moves.len(), "moves");
        let goes_on = |done: usize| {
            bar.set_position(done as u64);
            !context.is_stop_requested()
        };
        let position = |played: usize| game.position_after(played);
        let found = review::review_game(&mut self.explainer, &game.moves, WISH, position, goes_on)?;
        check_judge(&self.explainer)?;
        let Some(found) = found else { return Ok(false) };
        let positions = measure::positions_of_game(&game.moves, position)?;
        let stop = || context.is_stop_requested();
        let measured = measure::measure_review(&found, &positions, &mut *self.judge, &stop);
        let Some(measured) = measured.map_err(judge_failure)? else { return Ok(false) };
        self.figures.add_review(&measured);
        bar.finish_and_clear();
        Ok(true)
    }
}

impl StudyGame {
    /// The position after so many moves.
    fn position_after(&self, played: usize) -> Result<Position, Failure> {
        let mut position = self.start.clone();
        for &(color, mv) in &self.moves[..played] {
            position.play(color, mv).map_err(|error| Failure::input(format!("{}: {error}", self.file)))?;
        }
        Ok(position)
    }
}

/// `17 of 20 (85 %)`.
fn format_share(share: &Share) -> String {
    let percent = share.ratio().map_or(String::new(), |ratio| format!(" ({:.0} %)", 100.0 * ratio));
    format!("{} of {}{percent}", share.are, share.of)
}

impl TeachReport {
    fn to_text(&self) -> String {
        let figures = &self.figures;
        let mut text = format!("judge: {}; level {}, seed {}\n", self.judge, self.level, self.seed);
        let rows = [
            ("moves with a verdict", format_share(&figures.with_verdict)),
            ("moves with a proved reason", format_share(&figures.with_reason)),
            (
                "median length",
                format!("{} sentences, {} words", figures.median_sentences, figures.median_words),
            ),
            ("claims that hold when read ten times deeper", format_share(&figures.claims)),
            ("definite verdicts that are right by the judge", format_share(&figures.verdicts_right)),
            ("told as definite, where the judge sees 3 points", format_share(&figures.clear_told)),
            ("right, of these", format_share(&figures.clear_right)),
            ("gains within 2 points of the judge's", format_share(&figures.gains_close)),
        ];
        for (name, value) in rows {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:<48} {value}");
        }
        for (rule, share) in &figures.claims_by_rule {
            let _ = writeln!(text, "  claim {rule:<40} {}", format_share(share));
        }
        let _ = writeln!(text, "standard errors   right by the judge    of those where it sees 3 points");
        for row in &figures.calibration {
            let (right, clear) = (format_share(&row.right), format_share(&row.of_clear));
            let _ = writeln!(text, "{:>9.1} and more   {right:<20}  {clear}", row.sureness);
        }
        if figures.games > 0 {
            text.push_str(&self.format_reviews());
        }
        text
    }

    fn format_reviews(&self) -> String {
        let (games, sum) = (self.figures.games, &self.figures.reviews);
        let share = |are, of| format_share(&Share { are, of });
        let rows = [
            ("blunders of 4 points that the review found", share(sum.blunders_found, sum.blunders)),
            ("worst moves whose gain is half real at least", share(sum.worst_real, sum.worst)),
            ("lessons whose side and place lose 2 points", share(sum.lessons_confirmed, sum.lessons)),
        ];
        let plural = if games == 1 { "" } else { "s" };
        let mut text = format!("{games} game{plural} reviewed\n");
        for (name, value) in rows {
            let _ = writeln!(text, "{name:<48} {value}");
        }
        text
    }
}
