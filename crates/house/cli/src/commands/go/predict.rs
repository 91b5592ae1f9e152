//! `ishi go predict`: what strong players would play in a position, by the network that judges positions, or by learned strengths of moves.

use std::path::PathBuf;

use clap::Args;
use ishi_go::{BoardSize, Move, Point, Position};
use ishi_judge::{NetworkJudge, network, planes};
use ishi_patterns::{FeatureScratch, MoveNetwork, MovePredictor, NetMemory};
use serde::Serialize;

use super::start::GoStartArgs;
use crate::context::{Context, Failure};
use crate::files;

pub(super) const HELP: &str = "\
Examples:
  ishi go predict                              the first move on an empty board
  ishi go predict Q16 D4 Q4 --top 5            what White plays next
  ishi go predict --diagram shape.txt --to-move white --json
  ishi go predict Q16 --strengths              by learned strengths, without the network
  ishi go predict Q16 --table my.bin           by a table of ishi go learn-patterns

The network of docs/judge.md says how likely strong people play each move. Nothing is searched. Strengths, and boards of \
more than 19 lines, go by the generalised Bradley-Terry model of docs/patterns.md.";

/// Options of `ishi go predict`.
#[derive(Args, Debug)]
pub(super) struct PredictArgs {
    /// Moves in turn, as D4, pass, w:D4
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
    /// Lines of the board, as 9 or 19x7
    #[arg(long, default_value = "19")]
    size: BoardSize,
    #[command(flatten)]
    start: GoStartArgs,
    /// How many moves to show
    #[arg(long, default_value_t = 10, value_name = "N")]
    top: usize,
    /// A table of `ishi go learn-patterns`, and no network; the shipped one if not given
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// By the learned strengths alone, without the network
    #[arg(long)]
    strengths: bool,
}

#[derive(Serialize)]
struct RatedMove {
    point: String,
    probability: f64,
    strength: f32,
}

#[derive(Serialize)]
struct PredictReport {
    size: String,
    to_move: String,
    legal_moves: usize,
    moves: Vec<RatedMove>,
}

/// Rates the moves of a position.
pub(super) fn run(args: &PredictArgs, context: &Context) -> Result<(), Failure> {
    let mut position = args.start.read_position(args.size)?;
    for text in &args.moves {
        let (color, mv) = super::show::parse_move(&position, text)?;
        position.play(color, mv).map_err(Failure::input)?;
    }
    let given = args.table.as_deref().map(|path| {
        let bytes = files::read_file_or_stdin(path)?;
        MovePredictor::from_bytes(&bytes).map_err(|error| Failure::in_file(path, error))
    });
    let given = given.transpose()?;
    let by_strengths = given.is_some() || args.strengths;
    let rated = if by_strengths || !planes::size_fits(position.size()) {
        let network = MoveNetwork::shipped().filter(|_| !by_strengths);
        move_strengths(&position, given.as_ref().unwrap_or(MovePredictor::shipped()), network)
    } else {
        human_policy(&position)?
    };
    let report = build_report(&position, rated, args.top);
    files::print_result(context, &report, || {
        let mut text = format!("{position}move  probability\n");
        for rated in &report.moves {
            text += &format!("{:<4} {:>10.2} %\n", rated.point, 100.0 * rated.probability);
        }
        text
    })
}

/// How likely strong people play each move, a pass apart.
fn human_policy(position: &Position) -> Result<Vec<(Point, f32)>, Failure> {
    let network = network::Network::shipped();
    let verdict = NetworkJudge::new(&network).judge_position(position).map_err(Failure::input)?;
    let point = |(mv, share): (Move, f32)| Some((mv.point()?, share));
    Ok(verdict.people.ranked_moves().into_iter().filter_map(point).collect())
}

/// The strengths of all legal moves.
fn move_strengths(
    position: &Position,
    predictor: &MovePredictor,
    network: Option<&MoveNetwork>,
) -> Vec<(Point, f32)> {
    let context = ishi_patterns::MoveContext::from_position(position);
    let mut rated = Vec::new();
    match network {
        Some(network) => _ = network.rate_moves(&context, predictor, &mut NetMemory::default(), &mut rated),
        None => predictor.rate_moves(&context, &mut FeatureScratch::new(), &mut rated),
    }
    rated
}

fn build_report(position: &Position, mut rated: Vec<(Point, f32)>, top: usize) -> PredictReport {
    let sum: f64 = rated.iter().map(|&(_, strength)| f64::from(strength)).sum();
    rated.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let legal_moves = rated.len();
    let moves = rated.into_iter().take(top).map(|(point, strength)| RatedMove {
        point: point.to_string(),
        probability: f64::from(strength) / sum,
        strength,
    });
    PredictReport {
        size: position.size().to_string(),
        to_move: position.to_move().to_string(),
        legal_moves,
        moves: moves.collect(),
    }
}
