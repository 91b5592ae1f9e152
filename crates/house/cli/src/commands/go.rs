//! `ishi go`: the rules at work: counts of legal positions, perft, and positions drawn and scored; strengths of moves.

mod capture_problems;
mod check;
mod exercises;
mod foretold;
mod games;
mod joseki;
pub(crate) mod label;
mod learn_joseki;
mod learn_network;
mod learn_patterns;
pub(crate) mod learn_shapes;
mod positions;
mod predict;
pub(crate) mod problems;
mod records;
mod shapes;
mod show;
mod start;
mod study;

use clap::{Args, Subcommand};
use ishi_go::perft::{self, PerftCounts};
use ishi_go::{BoardSize, legal};

use crate::context::{Context, Failure};
use crate::files::{self, print_json};
use start::GoStartArgs;

const HELP: &str = "\
Examples:
  ishi go legal 4                        how many positions of a 4x4 board are legal?
  ishi go perft --size 5 --depth 4       how many games of four moves are there on 5x5?
  ishi go show --size 9 E5 C5 E3         the board after three moves
  ishi go show --diagram shape.txt       a picture of a board, read, drawn and scored
  ishi go show sample:lesson --move 15   all that is known of a position: chains to suggestions
  ishi go check --games 20               games against itself with all checks on
  ishi go predict Q16 D4                 what strong players would play next
  ishi go records games/ --out games.txt.gz          SGF games as records, to learn from
  ishi go learn-patterns games.txt.gz --out my.bin   where that comes from: records
  ishi go study sample:lesson            what ishi's rules say of a strong player's moves
  ishi go problems sample:problems       problems put to a player, and the share right
  ishi go capture-problems games.txt.gz --out captures.txt   questions of capture, to put to a player
  ishi go joseki C4 E3                   what is played next in a corner, and with what success
  ishi go learn-joseki games.txt.gz --out my.txt     where that comes from
  ishi go label games.txt.gz --judge 'katago analysis ...' --out labels.tsv   what a strong program says
  ishi go positions games.txt.gz --labels labels.tsv --out samples.bin        samples to learn from
  ishi go shapes --match sample:lesson --move 15     patterns that match, and what they suggest
  ishi go learn-shapes games.txt.gz --out my.txt     where those come from

The rule sets are explained in docs/match.md.";

const LEGAL_HELP: &str = "\
Examples:
  ishi go legal 4                        4x4: 24318165
  ishi go legal 2 8                      2 columns, 8 rows
  ishi go legal 3 --json

A position is legal if every chain has a liberty. All arrangements are tried, so the board \
may have 20 points at most (half a minute). Larger boards: Tromp and Farnebäck, \
\"Combinatorics of Go\".";

const PERFT_HELP: &str = "\
Examples:
  ishi go perft                          5x5 to depth 3, Chinese rules
  ishi go perft --size 2 --depth 9 --rules new-zealand
  ishi go perft --diagram shape.txt --depth 4 --json

Counts the legal sequences of moves (passes are moves; nothing follows the end of a game) \
by their length, and what their last moves did: how many captured, how many were refused \
by which rule.";

/// Options of `ishi go`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP, arg_required_else_help = true)]
pub(crate) struct GoArgs {
    #[command(subcommand)]
    command: GoCommand,
}

#[derive(Subcommand, Debug)]
enum GoCommand {
    /// Count the legal positions of a small board
    Legal(GoLegalArgs),
    /// Count move sequences, to test the rules
    Perft(GoPerftArgs),
    /// Learn strengths of moves from records, and foretell the moves of others
    #[command(after_long_help = learn_patterns::HELP, arg_required_else_help = true)]
    LearnPatterns(Box<learn_patterns::LearnPatternsArgs>),
    /// Learn a small network that rates moves, and foretell the moves of others
    #[command(after_long_help = learn_network::HELP, arg_required_else_help = true)]
    LearnNetwork(Box<learn_network::LearnNetworkArgs>),
    /// Draw exercises in life and death from records, for a network to learn from
    #[command(after_long_help = exercises::HELP, arg_required_else_help = true)]
    Exercises(exercises::ExercisesArgs),
    /// Draw questions of capture from records, settled by long search
    #[command(after_long_help = capture_problems::HELP, arg_required_else_help = true)]
    CaptureProblems(capture_problems::CaptureProblemsArgs),
    /// Ask a strong judge (KataGo) about positions of records, for a network to learn from
    #[command(after_long_help = label::HELP, arg_required_else_help = true)]
    Label(Box<label::LabelArgs>),
    /// What is played next in a corner: moves, counts, results
    #[command(after_long_help = joseki::HELP)]
    Joseki(joseki::JosekiArgs),
    /// Count joseki in records, and hold them against other games
    #[command(after_long_help = learn_joseki::HELP, arg_required_else_help = true)]
    LearnJoseki(Box<learn_joseki::LearnJosekiArgs>),
    /// The pattern database: list, match, edit, pack
    #[command(after_long_help = shapes::HELP)]
    Shapes(Box<shapes::ShapesArgs>),
    /// Mine patterns in records, by how often and how well they were played
    #[command(after_long_help = learn_shapes::HELP, arg_required_else_help = true)]
    LearnShapes(Box<learn_shapes::LearnShapesArgs>),
    /// Write positions of records as training samples, with a judge's labels
    #[command(after_long_help = positions::HELP, arg_required_else_help = true)]
    Positions(positions::GoPositionsArgs),
    /// Make SGF games into records, which the commands that learn read
    #[command(after_long_help = records::HELP, arg_required_else_help = true)]
    Records(records::RecordsArgs),
    /// What strong players would play in a position
    #[command(after_long_help = predict::HELP)]
    Predict(predict::PredictArgs),
    /// Hold the moves that rules suggest against those of strong players
    #[command(after_long_help = study::HELP, arg_required_else_help = true)]
    Study(study::GoStudyArgs),
    /// Put problems (life and death, tesuji, reading) to a player, and count the right answers
    #[command(after_long_help = problems::HELP, arg_required_else_help = true)]
    Problems(problems::ProblemsArgs),
    /// Play against itself with all checks on
    #[command(after_long_help = check::HELP)]
    Check(check::GoCheckArgs),
    /// Draw and score a position, and what is known of it
    #[command(after_long_help = show::HELP)]
    Show(Box<show::GoShowArgs>),
}

#[derive(Args, Debug)]
#[command(after_long_help = LEGAL_HELP)]
struct GoLegalArgs {
    /// Columns
    width: usize,
    /// Rows; as many as columns if not given
    height: Option<usize>,
}

#[derive(Args, Debug)]
#[command(after_long_help = PERFT_HELP)]
struct GoPerftArgs {
    /// Lines of the board, as 5 or 3x4
    #[arg(long, default_value = "5")]
    size: BoardSize,
    /// Moves of the longest sequences
    #[arg(long, default_value_t = 3, value_name = "N")]
    depth: usize,
    #[command(flatten)]
    start: GoStartArgs,
}

/// Runs a command about the rules.
pub(crate) fn run(args: &GoArgs, context: &Context) -> Result<(), Failure> {
    match &args.command {
        GoCommand::Legal(args) => count_legal(args, context),
        GoCommand::Perft(args) => count_sequences(args, context),
        GoCommand::CaptureProblems(args) => capture_problems::run(args, context),
        GoCommand::Check(args) => check::run(args, context),
        GoCommand::Exercises(args) => exercises::run(args, context),
        GoCommand::Joseki(args) => joseki::run(args, context),
        GoCommand::Label(args) => label::run(args, context),
        GoCommand::LearnJoseki(args) => learn_joseki::run(args, context),
        GoCommand::LearnPatterns(args) => learn_patterns::run(args, context),
        GoCommand::LearnNetwork(args) => learn_network::run(args, context),
        GoCommand::Positions(args) => positions::run(args, context),
        GoCommand::Records(args) => records::run(args, context),
        GoCommand::Predict(args) => predict::run(args, context),
        GoCommand::Problems(args) => problems::run(args, context),
        GoCommand::LearnShapes(args) => learn_shapes::run(args, context),
        GoCommand::Shapes(args) => shapes::run(args, context),
        GoCommand::Show(args) => show::run(args, context),
        GoCommand::Study(args) => study::run(args, context),
    }
}

// --- legal ---

fn count_legal(args: &GoLegalArgs, context: &Context) -> Result<(), Failure> {
    let (width, height) = (args.width, args.height.unwrap_or(args.width));
    let legal = legal::count_legal_positions_until(width, height, &|| context.is_stop_requested())
        .map_err(Failure::input)?;
    let legal = legal.ok_or(Failure::Interrupted)?;
    let arrangements = 3u64.pow((width * height) as u32);
    if context.json {
        return print_json(&json_object! { width, height, legal, arrangements });
    }
    let percent = 100.0 * legal as f64 / arrangements as f64;
    let text =
        format!("{width}x{height}: {legal} legal positions of {arrangements} arrangements ({percent:.2}%)\n");
    files::print_bytes(text.as_bytes())
}

// --- perft ---

fn count_sequences(args: &GoPerftArgs, context: &Context) -> Result<(), Failure> {
    let position = args.start.read_position(args.size)?;
    let mut lines = Vec::new();
    if !context.json {
        let names = PerftCounts::default().named_fields().map(|(name, _)| format!("{name:>17}")).concat();
        let rules = &args.start.rules;
        files::print_bytes(format!("{} board, {rules} rules\ndepth{names}\n", position.size()).as_bytes())?;
    }
    for depth in 1..=args.depth {
        // Each depth anew: the last one takes nearly all the time, and the lines appear as they are known.
        let counts = perft::count_move_sequences_until(&position, depth, &|| context.is_stop_requested())
            .ok_or(Failure::Interrupted)?;
        let Some(counts) = counts.last() else { break };
        if context.json {
            lines.push(json_line(depth, counts));
        } else {
            let numbers = counts.named_fields().map(|(_, number)| format!("{number:>17}")).concat();
            files::print_bytes(format!("{depth:>5}{numbers}\n").as_bytes())?;
        }
    }
    if context.json {
        let (size, rules) = (position.size().to_string(), args.start.rules.to_string());
        print_json(&json_object! { size, rules, depths: lines })?;
    }
    Ok(())
}

fn json_line(depth: usize, counts: &PerftCounts) -> serde_json::Map<String, serde_json::Value> {
    let fields = counts.named_fields().map(|(name, number)| (name.replace('-', "_"), number.into()));
    std::iter::once(("depth".to_string(), depth.into())).chain(fields).collect()
}
