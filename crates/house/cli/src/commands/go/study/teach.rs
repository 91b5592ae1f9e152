//! `ishi go study --teach`: how good explanations and reviews are, held against a judge.

mod kept;

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use ishi_arena::stopwatch::process_cpu_time;
use ishi_go::Position;
use ishi_go_play::analyst::{Analyst, JudgeControl, OwnSearches, PositionJudge};
use ishi_go_play::explain::Explainer;
use ishi_go_play::explain::measure::{self, MeasuredReview, Share, TeachFigures};
use ishi_go_play::explain::review;
use ishi_rng::checksum::fnv_checksum;
use ishi_sheet::{SheetBlock, SheetTable, blocks_to_text};
use ishi_words::format_count;
use ishi_work::Progress;
use serde::Serialize;

use super::places::{StudyGame, StudyPlacesArgs, build_case};
use crate::commands::explain::judging::{JudgeArgs, check_judge, create_own_explainer};
use crate::context::{Context, Failure};
use crate::files;
use crate::progress::{ProgressDisplay, StepDisplay};
use kept::{MeasureStore, MeasuredPlace, MeasuredRun};

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
    /// Keep what is measured in this file after each move and game; if it exists, go on from there
    #[arg(long, value_name = "FILE", requires = "teach")]
    checkpoint: Option<PathBuf>,
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
    if args.checkpoint.as_deref().is_some_and(files::is_standard) {
        return Err(Failure::input("--checkpoint: give a file, as it is written again and again"));
    }
    match args.judge.program_name() {
        Some(_) if !args.teach => Err(Failure::input("--judge goes with --teach: give both, or neither")),
        None if args.two_judges => {
            Err(Failure::input("--two-judges goes with --judge: give both, or neither"))
        }
        _ => Ok(()),
    }
}

/// Measures, and tells what was measured also when it was stopped.
pub(super) fn run(wanted: &StudyPlacesArgs, args: &TeachArgs, context: &Context) -> Result<(), Failure> {
    let games = wanted.read_all_games(context)?;
    let places = draw_places(wanted, &games, context);
    if places.is_empty() && args.reviews == 0 {
        return Err(wanted.nothing_to_study_failure());
    }
    let (name, judge) = create_judge(args, context);
    let run = describe_run(&games, &name, args, context);
    let store = MeasureStore::open(args.checkpoint.as_deref(), run)?;
    let explainer = create_own_explainer(args.level, context);
    let second = args.two_judges.then(|| create_own_judge(args.level, context).1);
    let figures = TeachFigures::new();
    let mut work = TeachWork { games: &games, context, explainer, judge, second, figures, store };
    let measured = work.measure(&places, args.reviews);
    let (level, seed) = (args.level, context.seed.to_string());
    let report = TeachReport { judge: name, level, seed, figures: work.figures };
    // A judge that fails after an hour takes nothing away of what was measured before.
    if measured.is_ok() || !report.is_empty() {
        files::print_result(context, &report, || blocks_to_text(&report.to_blocks()))?;
    }
    if measured? { Ok(()) } else { Err(Failure::Interrupted) }
}

/// What is measured, and by whom, for the file of --checkpoint.
fn describe_run(games: &[StudyGame], judge: &str, args: &TeachArgs, context: &Context) -> MeasuredRun {
    let mut text = String::new();
    for StudyGame { start, moves, .. } in games {
        let (size, komi, stones) = (start.size(), start.komi(), start.setup_stones());
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{size:?} {komi} {stones:?} {:?} {moves:?}", start.rules());
    }
    MeasuredRun {
        program: files::describe_program(),
        games: format!("{:016x}", fnv_checksum(text.as_bytes())),
        judge: format!("{judge}{}", args.judge.describe_for_key()),
        two_judges: args.two_judges,
        level: args.level,
        seed: context.seed.to_string(),
    }
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
fn draw_places(wanted: &StudyPlacesArgs, games: &[StudyGame], context: &Context) -> Vec<MeasuredPlace> {
    let mut drawn = wanted.list_all(games);
    context.seed.stream("teach", 0).shuffle(&mut drawn);
    drawn.truncate(wanted.moves.unwrap_or(MOVES));
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
    /// Has what was measured before.
    store: MeasureStore,
}

impl TeachWork<'_> {
    /// Moves, then reviews; false if it was stopped.
    fn measure(&mut self, places: &[MeasuredPlace], reviews: usize) -> Result<bool, Failure> {
        Ok(self.measure_moves(places)? && self.measure_reviews(reviews)?)
    }

    /// False if it was stopped.
    fn measure_moves(&mut self, places: &[MeasuredPlace]) -> Result<bool, Failure> {
        let mut progress = StepDisplay::new(places.len() as u64, "moves", self.context);
        for &place in places {
            if !self.measure_place(place)? {
                return Ok(false);
            }
            progress.finish_step(&note_on_moves(&self.figures));
        }
        Ok(true)
    }

    /// Measures a move that was not measured before; false if it was stopped.
    fn measure_place(&mut self, place: MeasuredPlace) -> Result<bool, Failure> {
        if let Some(known) = self.store.find_move(place) {
            self.figures.add_move(known);
            return Ok(true);
        }
        let (game, number) = place;
        let Some(case) = build_case(&self.games[game], game, number) else { return Ok(true) };
        let context = self.context;
        let stop = || context.is_stop_requested();
        let clock = || process_cpu_time().as_secs_f64();
        let (explainer, judge) = (&mut self.explainer, &mut *self.judge);
        let found = measure::measure_move(explainer, judge, &case.position, case.mv, &stop, &clock);
        let Some(found) = found? else { return Ok(false) };
        self.figures.add_move(&found);
        self.store.keep_move(place, found)?;
        Ok(true)
    }

    /// Reviews so many games, evenly spread; false if it was stopped.
    fn measure_reviews(&mut self, reviews: usize) -> Result<bool, Failure> {
        let all = self.games;
        let numbers = choose_games(all.len(), reviews);
        let rounds = if self.second.is_some() { 3 } else { 2 };
        let games: Vec<&StudyGame> = numbers.iter().map(|&number| &all[number]).collect();
        let mut progress = ReviewProgress::new(&games, rounds, self.context);
        for (number, game) in numbers.into_iter().zip(games) {
            if !self.measure_game(number, game, &mut progress)? {
                return Ok(false);
            }
            progress.finish_game(game.moves.len(), &self.figures);
        }
        Ok(true)
    }

    /// Measures the review of a game that was not measured before; false if it was stopped.
    fn measure_game(
        &mut self,
        number: usize,
        game: &StudyGame,
        progress: &mut ReviewProgress,
    ) -> Result<bool, Failure> {
        if let Some(known) = self.store.find_review(number) {
            self.figures.add_review(known);
            return Ok(true);
        }
        let context = self.context;
        let goes_on = |done: usize| {
            progress.show_game_at(done);
            !context.is_stop_requested()
        };
        let position = |played: usize| game.position_after(played);
        let found = review::review_game(&mut self.explainer, &game.moves, WISH, position, goes_on)?;
        check_judge(&self.explainer)?;
        let Some(found) = found else { return Ok(false) };
        let positions = measure::positions_of_game(&game.moves, position)?;
        let stop = || context.is_stop_requested();
        let mut tell = |judged: usize| progress.show_game_at(game.moves.len() + judged);
        let mut control = JudgeControl { stop: &stop, tell: &mut tell };
        let second = self.second.as_deref_mut().map(|second| second as &mut dyn PositionJudge);
        let measured = measure::measure_review(&found, &positions, &mut *self.judge, second, &mut control);
        let Some(measured) = measured? else { return Ok(false) };
        self.figures.add_review(&measured);
        self.store.keep_review(number, measured)?;
        Ok(true)
    }
}

/// So many of this many games, evenly spread, as numbers from 0.
fn choose_games(games: usize, wanted: usize) -> Vec<usize> {
    let wanted = wanted.min(games);
    (0..wanted).map(|n| n * games / wanted).collect()
}

/// What came out of the moves so far.
fn note_on_moves(figures: &TeachFigures) -> String {
    let Share { are, of } = figures.verdicts_right;
    format!("{are} of {of} verdicts right")
}

/// How far reviews are. A move counts once when it is reviewed, and once more for each judge.
struct ReviewProgress {
    rounds: usize,
    games: usize,
    /// Of the games that are finished.
    done: usize,
    total: usize,
    note: String,
    display: ProgressDisplay,
}

impl ReviewProgress {
    fn new(games: &[&StudyGame], rounds: usize, context: &Context) -> ReviewProgress {
        let total = rounds * games.iter().map(|game| game.moves.len()).sum::<usize>();
        let display =
            ProgressDisplay::bar(context, "{bar:20} {percent} %  {eta} left  {wide_msg}", total as u64);
        let note = format!("0 of {}", format_count(games.len(), "game"));
        ReviewProgress { rounds, games: games.len(), done: 0, total, note, display }
    }

    /// This many moves of the game are reviewed and judged.
    fn show_game_at(&mut self, done: usize) {
        let done = (self.done + done).min(self.total);
        let progress = Progress { done, total: self.total, unit: "moves", note: self.note.as_str() };
        self.display
            .show_progress(progress, |progress| format!("{:.0} %  {}", progress.percent(), progress.note));
    }

    /// The game is done; what all of them have brought is told beside the bar.
    fn finish_game(&mut self, moves: usize, figures: &TeachFigures) {
        self.done += self.rounds * moves;
        self.note = note_on_games(figures, self.games);
        self.show_game_at(0);
    }
}

/// What came out of the games so far.
fn note_on_games(figures: &TeachFigures, games: usize) -> String {
    let reviewed = format!("{} of {}", figures.games, format_count(games, "game"));
    let MeasuredReview { blunders_found, blunders, lessons_confirmed, lessons, .. } = figures.reviews;
    let blunders = format!("{blunders_found} of {blunders} blunders found");
    format!("{reviewed}: {blunders}, {lessons_confirmed} of {lessons} lessons confirmed")
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
    /// The name; and the share with its interval, and the baseline.
    fn to_cells(&self) -> [String; 2] {
        let share = format_share(&self.share);
        let baseline = self.baseline.map(|(what, ratio)| format!("; {what}: {:.0} %", 100.0 * ratio));
        [self.name.to_string(), share + &baseline.unwrap_or_default()]
    }
}

/// Names and shares below each other.
fn share_table(rows: impl IntoIterator<Item = [String; 2]>) -> SheetBlock {
    let mut table = SheetTable::new(["", ""]).with_text_widths(&[48]);
    rows.into_iter().for_each(|row| table.add_row(row));
    SheetBlock::Table(table)
}

impl TeachReport {
    /// Was nothing measured?
    fn is_empty(&self) -> bool {
        self.figures.moves == 0 && self.figures.games == 0
    }

    /// Who judges, all shares, how sure comparisons are, and what reviews find.
    fn to_blocks(&self) -> Vec<SheetBlock> {
        let judge = format!("judge: {}; level {}, seed {}", self.judge, self.level, self.seed);
        let mut rows: Vec<[String; 2]> = self.move_rows().iter().map(ShareRow::to_cells).collect();
        rows.extend(self.cost_rows());
        rows.extend(self.judged_rows().iter().map(ShareRow::to_cells));
        let of_rules = self.figures.claims_by_rule.iter();
        rows.extend(of_rules.map(|(rule, share)| [format!("  claim {rule}"), format_share(share)]));
        let mut blocks = vec![
            SheetBlock::Text(judge),
            SheetBlock::Text("shares with intervals of 95 %; then what needs no explanation".to_string()),
            share_table(rows),
            SheetBlock::Table(self.calibration_table()),
        ];
        if self.figures.games > 0 {
            blocks.extend(self.review_blocks());
        }
        blocks
    }

    /// How long explanations are, and what they cost.
    fn cost_rows(&self) -> [[String; 2]; 2] {
        let TeachFigures { median_sentences, median_words, median_seconds, median_first_seconds, .. } =
            &self.figures;
        [
            ["median length".to_string(), format!("{median_sentences} sentences, {median_words} words")],
            [
                "processor time of an explanation, median".to_string(),
                format!("{median_seconds:.1} s, its first sentence {median_first_seconds:.1} s"),
            ],
        ]
    }

    /// How often comparisons hold that are so sure.
    fn calibration_table(&self) -> SheetTable {
        let columns = ["standard errors", "right by the judge", "of those where it sees 3 points"];
        let mut table = SheetTable::new(columns).with_text_widths(&[18, 32]).with_text_gaps(&[3, 2]);
        for row in &self.figures.calibration {
            let sureness = format!("{:>9.1} and more", row.sureness);
            table.add_row([sureness, format_share(&row.right), format_share(&row.of_clear)]);
        }
        table
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

    fn review_blocks(&self) -> [SheetBlock; 2] {
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
        let heading = SheetBlock::Text(format!("{} reviewed", format_count(games, "game")));
        [heading, share_table(rows.iter().map(ShareRow::to_cells))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reviews_are_of_games_evenly_spread_and_tell_what_came_out() {
        assert_eq!(choose_games(6, 3), [0, 2, 4]);
        assert_eq!((choose_games(6, 0).len(), choose_games(6, 9).len()), (0, 6));
        let mut figures = TeachFigures::new();
        let (blunders, blunders_found, lessons, lessons_confirmed) = (12, 7, 5, 4);
        let found = MeasuredReview {
            blunders,
            blunders_found,
            lessons,
            lessons_confirmed,
            ..MeasuredReview::default()
        };
        figures.add_review(&found);
        let told = "1 of 3 games: 7 of 12 blunders found, 4 of 5 lessons confirmed";
        assert_eq!(note_on_games(&figures, 3), told);
    }

    /// Every share has its interval, and beside it what needs no explanation.
    #[test]
    fn shares_are_told_with_an_interval_and_a_baseline() {
        let share = |are, of| Share { are, of };
        let row = ShareRow { name: "lessons", share: share(17, 20), baseline: Some(("by lot", 0.25)) };
        let line = format!("{:<48} 17 of 20 (85 %, 64 to 95 %); by lot: 25 %\n", "lessons");
        assert_eq!(share_table([row.to_cells()]).to_text(), line);
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
        let text = blocks_to_text(&report.to_blocks());
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
