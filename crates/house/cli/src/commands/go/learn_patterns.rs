//! `ishi go learn-patterns`: strengths of moves from records, and how well they foretell the moves of others.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use ishi_arena::stopwatch::process_cpu_time;
use ishi_patterns::evaluate::{Accuracy, evaluate_model};
use ishi_patterns::gradient::GradientParams;
use ishi_patterns::harvest::HarvestParams;
use ishi_patterns::learn::{LearnedPatterns, PatternLearnParams, PatternLearnStage, learn_patterns};
use ishi_patterns::records::RecordedGame;
use ishi_patterns::{MovePredictor, StrengthModel, table};
use ishi_work::Progress;
use serde::Serialize;

use super::foretold::PredictionReport;
use super::games::{read_games, read_some_games};
use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::{number_in, range_above};
use crate::progress::ProgressDisplay;

pub(super) const HELP: &str = "\
Examples:
  ishi go learn-patterns games.txt.gz --games 1000 --out my.bin
  ishi go learn-patterns train.txt.gz --validate valid.txt.gz --out my.bin --threads 2
  ishi go learn-patterns --evaluate-only --validate valid.txt.gz
  ishi go learn-patterns --evaluate-only --validate valid.txt.gz --table my.bin --json

Learns how strong the players of the records hold a move for, by its shape and its tactics: \
first by minorisation-maximisation (Coulom 2007) on some games, then by gradients on all. \
Ctrl-C ends with what is known by then (exit code 130). The result does not depend on \
--threads.

Records have a game a line, columns separated by tabs: id, source, year, size, komi, \
handicap, setup_black (pairs of letters as in SGF, or -), result, black_rank, white_rank, \
first (B or W), moves (pairs of letters, .. is a pass). Lines that begin with # are not \
read. The file may be packed by gzip. `ishi go records` makes it out of SGF. docs/patterns.md explains features and figures.";

/// Options of `ishi go learn-patterns`.
#[derive(Args, Debug)]
pub(super) struct LearnPatternsArgs {
    /// Games (of `ishi go records`) to learn from; - is standard input
    #[arg(value_name = "GAMES", required_unless_present = "evaluate_only")]
    games: Option<PathBuf>,
    /// Learn from the first so many games only
    #[arg(long = "games", value_name = "N", value_parser = number_in::<usize>(1..))]
    games_limit: Option<usize>,
    /// Where the table goes
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// Records whose moves are foretold in the end
    #[arg(long, value_name = "GAMES")]
    validate: Option<PathBuf>,
    /// Foretell the moves of the first so many games only
    #[arg(long = "validate-games", value_name = "N", requires = "validate", value_parser = number_in::<usize>(1..))]
    validate_limit: Option<usize>,
    /// Learn nothing: foretell the moves of --validate by the shipped table, or that of --table
    #[arg(long, requires = "validate", conflicts_with_all = ["games", "out"])]
    evaluate_only: bool,
    /// The table for --evaluate-only
    #[arg(long, value_name = "FILE", requires = "evaluate_only")]
    table: Option<PathBuf>,
    /// A shape is known if it was played so often
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = number_in::<usize>(1..))]
    min_count: usize,
    /// A small shape is known if it was seen so often in one position of a hundred
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = number_in::<usize>(1..))]
    min_seen: usize,
    /// Games for minorisation-maximisation: 5 MB of memory each
    #[arg(long, default_value_t = 300, value_name = "N", value_parser = number_in::<usize>(1..))]
    fit_games: usize,
    /// Rounds of minorisation-maximisation
    #[arg(long, default_value_t = 6, value_name = "N")]
    iterations: usize,
    /// Contests that every feature has won and lost before the first game
    #[arg(long, default_value_t = 3.0, value_name = "NUMBER", value_parser = number_in::<f64>(0.0..=1000.0))]
    prior: f64,
    /// Passes of gradients over all games; 0 keeps what minorisation-maximisation found
    #[arg(long, default_value_t = 1, value_name = "N")]
    passes: usize,
    /// Steps of the gradients at first
    #[arg(long, default_value_t = 0.08, value_name = "RATE", value_parser = number_in::<f32>(range_above(0.0, 10.0)))]
    rate: f32,
}

impl LearnPatternsArgs {
    fn learn_params(&self) -> PatternLearnParams {
        let harvest =
            HarvestParams { min_count: self.min_count, min_seen: self.min_seen, ..HarvestParams::default() };
        PatternLearnParams {
            harvest,
            fit_games: self.fit_games,
            iterations: self.iterations,
            prior: self.prior,
            gradient: GradientParams { rate: self.rate, ..GradientParams::default() },
            passes: self.passes,
        }
    }
}

/// Learns, writes and measures.
pub(super) fn run(args: &LearnPatternsArgs, context: &Context) -> Result<(), Failure> {
    let mut report = LearnPatternsReport::default();
    // What cannot be read is said before the long work.
    let limit = args.validate_limit.unwrap_or(usize::MAX);
    let valid = args.validate.as_deref().map(|path| read_games(path, limit)).transpose()?;
    if let (Some(path), Some([])) = (&args.validate, valid.as_deref()) {
        return Err(Failure::in_file(path, "there are no games to foretell"));
    }
    let (model, complete) = match &args.games {
        Some(path) => {
            let learned = learn_model(path, args, context, &mut report)?;
            (learned.model, learned.complete)
        }
        None => (read_model(args.table.as_deref())?, true),
    };
    if let Some(valid) = valid.filter(|_| complete) {
        report.accuracy = Some(measure_accuracy(&model, &valid, context)?);
    }
    report.shapes = model.keys.len();
    files::print_result_beside(args.out.as_deref(), context, &report, || report.to_text())?;
    if complete { Ok(()) } else { Err(Failure::Interrupted) }
}

fn learn_model(
    path: &Path,
    args: &LearnPatternsArgs,
    context: &Context,
    report: &mut LearnPatternsReport,
) -> Result<LearnedPatterns, Failure> {
    files::check_all_writable(&args.out, args.force)?;
    let games = read_some_games(path, args.games_limit)?;
    report.games = games.len();
    let mut watch = FittingDisplay::new(games.len(), context);
    let params = args.learn_params();
    let found =
        learn_patterns(&games, &params, context.threads, &mut |stage| watch.show_stage(stage), &|| {
            context.is_stop_requested()
        });
    drop(watch);
    let learned = found.ok_or(Failure::Interrupted)?;
    if let Some(out) = &args.out {
        let bytes = table::pack_models(&learned.model, &learned.playouts);
        report.bytes = Some(bytes.len());
        files::write_file(out, &bytes, args.force)?;
    }
    Ok(learned)
}

/// The model of a file, or the shipped one.
fn read_model(path: Option<&Path>) -> Result<StrengthModel, Failure> {
    let Some(path) = path else { return Ok(MovePredictor::shipped().model().clone()) };
    let bytes = files::read_file_or_stdin(path)?;
    table::unpack_models(&bytes).map(|(model, _)| model).map_err(|error| Failure::in_file(path, error))
}

/// Games that are measured between looks at Ctrl-C and the progress.
const CHUNK: usize = 20;

fn measure_accuracy(
    model: &StrengthModel,
    games: &[RecordedGame],
    context: &Context,
) -> Result<PredictionReport, Failure> {
    let (mut sum, before) = (Accuracy::default(), process_cpu_time());
    let mut watch = FittingDisplay::new(games.len(), context);
    for (n, chunk) in games.chunks(CHUNK).enumerate() {
        sum.add_counts(&evaluate_model(model, chunk, context.threads, &|| context.is_stop_requested()));
        context.check_stop()?;
        watch.show_games_done(n * CHUNK + chunk.len(), "foretelling");
    }
    drop(watch);
    let cpu = process_cpu_time() - before;
    Ok(PredictionReport::from_accuracy(&sum, games.len(), cpu))
}

// --- what came out ---

#[derive(Default, Serialize)]
struct LearnPatternsReport {
    /// Games learned from.
    games: usize,
    /// Shapes that are known.
    shapes: usize,
    /// Size of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy: Option<PredictionReport>,
}

impl LearnPatternsReport {
    fn to_text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        if self.games > 0 {
            let _ = writeln!(text, "Learned from {} games.", self.games);
        }
        let _ = writeln!(text, "{} shapes are known.", self.shapes);
        if let Some(bytes) = self.bytes {
            let _ = writeln!(text, "The table has {bytes} bytes.");
        }
        if let Some(found) = &self.accuracy {
            found.write_lines(&mut text);
        }
        text
    }
}

// --- progress ---

/// What is seen of the fitting of so many games.
struct FittingDisplay {
    games: usize,
    display: ProgressDisplay,
}

impl FittingDisplay {
    fn new(games: usize, context: &Context) -> FittingDisplay {
        let template = "{bar:30} {pos}/{len} games  {elapsed}  {msg}";
        FittingDisplay { games, display: ProgressDisplay::bar(context, template, games as u64) }
    }

    fn show_stage(&mut self, stage: PatternLearnStage) {
        match stage {
            PatternLearnStage::Gathering { games } => self.show_games_done(games, "gathering shapes"),
            PatternLearnStage::Shapes { count } => self.show_message(&format!("{count} shapes are known")),
            PatternLearnStage::Fitting { playouts, iteration, log_likelihood } => {
                let what = if playouts { "fitting for playouts" } else { "fitting" };
                self.show_message(&format!("{what}, round {iteration}: log-likelihood {log_likelihood:.4}"));
            }
            PatternLearnStage::Polishing { pass, games, log_likelihood } => {
                self.show_games_done(
                    games,
                    &format!("polishing, pass {}: log-likelihood {log_likelihood:.3}", pass + 1),
                );
            }
        }
    }

    /// What is told once.
    fn show_message(&self, text: &str) {
        match self.display.as_bar() {
            Some(bar) => bar.set_message(text.to_string()),
            None => self.display.print_line(text),
        }
    }

    /// Shows that so many games are done.
    fn show_games_done(&mut self, games: usize, text: &str) {
        let progress = Progress::new(games, self.games, "games").with_note(text);
        self.display.show_progress(progress, |progress| format!("{progress}, {}", progress.note));
    }
}
