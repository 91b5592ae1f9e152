//! `ishi go study --teach`: how good explanations and reviews are, held against a judge.

use std::fmt::Write;

use clap::Args;
use ishi_arena::stopwatch::process_cpu_time;
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
    /// Count also the blunders that two judges see: the program of --judge, and ishi's own search with ten times the visits
    #[arg(long, requires = "teach")]
    two_judges: bool,
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
        None if args.two_judges => {
            Err(Failure::input("--two-judges goes with --judge: give both, or neither"))
        }
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
    let second = args.teach.two_judges.then(|| create_own_judge(args.teach.level, context).1);
    let figures = TeachFigures::new();
    let mut work = TeachWork { games: &games, context, explainer, judge, second, figures };
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
        _ => create_own_judge(args.level, context),
    }
}

/// Ishi's own search with ten times the visits of an explanation, with its name.
fn create_own_judge(level: u32, context: &Context) -> (String, Box<dyn PositionJudge>) {
    let visits = MORE_VISITS * Analyst::visits_of_level(level);
    let analyst = Analyst { visits, ..Analyst::of_level(level) };
    let seed = context.seed.child_seed("judge", 0);
    (format!("ishi's own search with {visits} visits"), Box::new(OwnSearches { analyst, seed }))
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
    /// Says of blunders whether it sees them, too.
    second: Option<Box<dyn PositionJudge>>,
    figures: TeachFigures,
}

impl TeachWork<'_> {
    /// False if it was stopped.
    fn measure_moves(&mut self, places: &[(usize, usize)]) -> Result<bool, Failure> {
        let bar = self.context.progress_bar(places.len(), "moves");
        let context = self.context;
        let stop = || context.is_stop_requested();
        let clock = || process_cpu_time().as_secs_f64();
        for &(game, number) in places {
            if let Some(case) = super::build_case(&self.games[game], game, number) {
                let judge = &mut *self.judge;
                let explainer = &mut self.explainer;
                let found = measure::measure_move(explainer, judge, &case.position, case.mv, &stop, &clock);
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
        let second = self.second.as_deref_mut().map(|second| second as &mut dyn PositionJudge);
        let measured = measure::measure_review(&found, &positions, &mut *self.judge, second, &stop);
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

/// `17 of 20 (85 %, 64 to 95 %)`: with the interval of 95 % confidence.
fn format_share(share: &Share) -> String {
    let Some((ratio, interval)) = share.ratio().zip(share.interval()) else {
        return format!("{} of {}", share.are, share.of);
    };
    let [ratio, low, high] = [ratio, interval.low, interval.high].map(|part| 100.0 * part);
    format!("{} of {} ({ratio:.0} %, {low:.0} to {high:.0} %)", share.are, share.of)
}

/// A share, and what somebody gets right who knows nothing.
struct ShareRow<'a> {
    name: &'a str,
    share: Share,
    /// What that is, and how much.
    baseline: Option<(&'a str, f64)>,
}

impl ShareRow<'_> {
    /// A line: name, share with interval, baseline.
    fn to_text(&self) -> String {
        let share = format_share(&self.share);
        let baseline = self.baseline.map(|(what, ratio)| format!("; {what}: {:.0} %", 100.0 * ratio));
        format!("{:<48} {share}{}\n", self.name, baseline.unwrap_or_default())
    }
}

impl TeachReport {
    fn to_text(&self) -> String {
        let figures = &self.figures;
        let mut text = format!("judge: {}; level {}, seed {}\n", self.judge, self.level, self.seed);
        text.push_str("shares with intervals of 95 %; then what needs no explanation\n");
        text.extend(self.move_rows().iter().map(ShareRow::to_text));
        let length = format!("{} sentences, {} words", figures.median_sentences, figures.median_words);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:<48} {length}", "median length");
        let seconds = format!(
            "{:.1} s, its first sentence {:.1} s",
            figures.median_seconds, figures.median_first_seconds
        );
        let _ = writeln!(text, "{:<48} {seconds}", "processor time of an explanation, median");
        text.extend(self.judged_rows().iter().map(ShareRow::to_text));
        for (rule, share) in &figures.claims_by_rule {
            let _ = writeln!(text, "  claim {rule:<40} {}", format_share(share));
        }
        let _ = writeln!(
            text,
            "standard errors   right by the judge               of those where it sees 3 points"
        );
        for row in &figures.calibration {
            let (right, clear) = (format_share(&row.right), format_share(&row.of_clear));
            let _ = writeln!(text, "{:>9.1} and more   {right:<32}  {clear}", row.sureness);
        }
        if figures.games > 0 {
            text.push_str(&self.format_reviews());
        }
        text
    }

    /// What explanations have.
    fn move_rows(&self) -> [ShareRow<'_>; 5] {
        let TeachFigures { with_verdict, with_reason, with_carrying_area, empty_lines, first_upheld, .. } =
            self.figures;
        let row = |name, share, baseline| ShareRow { name, share, baseline };
        let told_at_once = self.figures.first_losses.ratio().map(|ratio| ("a loss at first sight", ratio));
        let always = self.figures.explained_losses.majority().map(|ratio| ("always the same", ratio));
        [
            row("moves with a verdict", with_verdict, told_at_once),
            row("moves with a proved reason", with_reason, None),
            row("moves with an area that carries the verdict", with_carrying_area, None),
            row("lines that say no more than moves and names", empty_lines, None),
            row("first looks that the explanation upholds", first_upheld, always),
        ]
    }

    /// What holds, by reading and by the judge.
    fn judged_rows(&self) -> [ShareRow<'_>; 6] {
        let figures = &self.figures;
        let row = |name, share: &Share, baseline| ShareRow { name, share: *share, baseline };
        let of_other = figures.claims_of_other.ratio().map(|ratio| ("said of another move", ratio));
        let same_side = |share: &Share| share.majority().map(|ratio| ("always the same side", ratio));
        let no_gain = figures.gains_small.ratio().map(|ratio| ("always no gain", ratio));
        [
            row("claims that hold when read ten times deeper", &figures.claims, of_other),
            row("lives and deaths that the judge sees, too", &figures.claims_by_owners, None),
            row(
                "definite verdicts that are right by the judge",
                &figures.verdicts_right,
                same_side(&figures.verdicts_other_better),
            ),
            row("told as definite, where the judge sees 3 points", &figures.clear_told, None),
            row("right, of these", &figures.clear_right, same_side(&figures.clear_other_better)),
            row("gains within 2 points of the judge's", &figures.gains_close, no_gain),
        ]
    }

    fn format_reviews(&self) -> String {
        let (games, sum) = (self.figures.games, &self.figures.reviews);
        let row = |name, are: usize, of: usize, what, by_chance: f64| {
            let baseline = (of > 0).then(|| (what, by_chance / of as f64));
            ShareRow { name, share: Share { are, of }, baseline }
        };
        let told = Share { are: sum.moves_told, of: sum.moves }.ratio().unwrap_or_default();
        let blunders = (sum.blunders_found, sum.blunders, told * sum.blunders as f64);
        let agreed = (sum.blunders_agreed_found, sum.blunders_agreed, told * sum.blunders_agreed as f64);
        let chance = &sum.chance;
        let rows = [
            row(
                "blunders of 4 points that the review found",
                blunders.0,
                blunders.1,
                "as many drawn by lot",
                blunders.2,
            ),
            row(
                "the same of blunders that both judges see",
                agreed.0,
                agreed.1,
                "as many drawn by lot",
                agreed.2,
            ),
            row(
                "worst moves whose gain is half real at least",
                sum.worst_real,
                sum.worst,
                "any move of that side",
                chance.worst_real,
            ),
            row(
                "lessons whose side and place lose 2 points",
                sum.lessons_confirmed,
                sum.lessons,
                "as many moves from anywhere",
                chance.lessons_confirmed,
            ),
            row(
                "lessons whose area the judge sees there, too",
                sum.lessons_placed,
                sum.lessons_with_place,
                "a point anywhere",
                chance.lessons_placed,
            ),
        ];
        let plural = if games == 1 { "" } else { "s" };
        let mut text = format!("{games} game{plural} reviewed\n");
        text.extend(rows.iter().map(ShareRow::to_text));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every share has its interval, and beside it what needs no explanation.
    #[test]
    fn shares_are_told_with_an_interval_and_a_baseline() {
        let share = |are, of| Share { are, of };
        let row = ShareRow { name: "lessons", share: share(17, 20), baseline: Some(("by lot", 0.25)) };
        assert_eq!(row.to_text(), format!("{:<48} 17 of 20 (85 %, 64 to 95 %); by lot: 25 %\n", "lessons"));
        assert_eq!(format_share(&share(0, 0)), "0 of 0");
        let mut figures = TeachFigures::new();
        figures.verdicts_right = share(8, 10);
        figures.verdicts_other_better = share(3, 10);
        figures.games = 1;
        figures.reviews.moves = 100;
        figures.reviews.moves_told = 5;
        figures.reviews.blunders = 4;
        figures.reviews.blunders_found = 3;
        figures.reviews.blunders_agreed = 2;
        figures.reviews.blunders_agreed_found = 2;
        figures.empty_lines = share(3, 30);
        (figures.median_seconds, figures.median_first_seconds) = (1.04, 0.21);
        figures.reviews.lessons = 2;
        figures.reviews.lessons_confirmed = 1;
        figures.reviews.chance.lessons_confirmed = 0.2;
        let report = TeachReport { judge: "nobody".into(), level: 5, seed: "1".into(), figures };
        let text = report.to_text();
        for part in [
            "8 of 10 (80 %, 49 to 94 %); always the same side: 70 %",
            "3 of 4 (75 %, 30 to 95 %); as many drawn by lot: 5 %",
            "both judges see        2 of 2 (100 %, 34 to 100 %); as many drawn by lot: 5 %",
            "moves and names      3 of 30 (10 %, 3 to 26 %)",
            "1.0 s, its first sentence 0.2 s",
            "1 of 2 (50 %, 9 to 91 %); as many moves from anywhere: 10 %",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
