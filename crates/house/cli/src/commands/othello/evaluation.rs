//! `ishi othello evaluation`: how the evaluation that ships is learned, and how well it predicts.

pub(crate) mod share;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use ishi_othello::wthor::{WthorDatabase, WthorGame};
use ishi_othello::{Board, Color, Move, Position};
use ishi_othello_play::eval::positions::{self, GameLabel};
use ishi_othello_play::eval::selfplay::{self, SelfPlayParams};
use ishi_othello_play::eval::train::{DesignMatrix, EvalSample, FitParams};
use ishi_othello_play::eval::{Evaluation, PHASES, PLIES_PER_PHASE, count_learned_weights, file};
use ishi_othello_play::search::{SearchParams, Searcher};
use ishi_rng::Seed;
use serde::Serialize;

use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi othello evaluation self-play --records WTH_20*.wtb --games 100000 --out labels.bin
  ishi othello evaluation fit --labels labels.bin --records WTH_*.wtb --until 2018 --out eval.bin
  ishi othello evaluation error --records WTH_2019.wtb WTH_2020.wtb
  ishi othello evaluation error --records WTH_2019.wtb --evaluation eval.bin --json

Self-play continues openings of the records (or random ones) by search to an exactly solved end. The same \
command goes on where it was stopped. The fit is a ridge regression for each phase of three plies. The file \
takes the place of crates/othello/play/data/eval.bin when ishi is built. The error is the mean absolute difference, in discs, \
between what the evaluation says of a position and how the game ended.";

/// Learns the evaluation of positions, and measures it.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct EvaluationArgs {
    #[command(subcommand)]
    command: EvaluationCommand,
}

#[derive(Subcommand, Debug)]
enum EvaluationCommand {
    /// Make labelled positions by self-play
    #[command(after_long_help = HELP)]
    SelfPlay(SelfPlayArgs),
    /// Fit the weights to labelled positions and game records
    #[command(after_long_help = HELP)]
    Fit(EvaluationFitArgs),
    /// Measure the error on game records, ply by ply
    #[command(after_long_help = HELP)]
    Error(EvaluationErrorArgs),
}

#[derive(Args, Debug)]
pub(crate) struct SelfPlayArgs {
    /// Where the positions go; what is there is gone on with
    #[arg(long)]
    out: PathBuf,
    /// Games in all
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Plies of search for a move
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Positions with so many empty squares are solved
    #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u32).range(4..=24))]
    exact: u32,
    /// Game records (WTHOR) whose openings are played; without them, random ones
    #[arg(long, num_args = 1..)]
    records: Vec<PathBuf>,
}

#[derive(Args, Debug)]
struct EvaluationFitArgs {
    /// Where the weights go
    #[arg(long)]
    out: PathBuf,
    /// Positions from `self-play`
    #[arg(long, num_args = 1..)]
    labels: Vec<PathBuf>,
    /// Game records (WTHOR), whose results are labels
    #[arg(long, num_args = 1..)]
    records: Vec<PathBuf>,
    /// The last year of the records to learn from; later ones measure the error
    #[arg(long, default_value_t = 9999)]
    until: u16,
    /// How much a position of the records counts beside one of self-play
    #[arg(long, default_value_t = 0.3)]
    record_weight: f32,
    /// Strength of the ridge: so many imaginary positions hold every weight at 0
    #[arg(long, default_value_t = 30.0)]
    ridge: f32,
    /// Steps of conjugate gradients
    #[arg(long, default_value_t = 12)]
    steps: u32,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
}

#[derive(Args, Debug)]
struct EvaluationErrorArgs {
    /// Game records (WTHOR)
    #[arg(long, num_args = 1.., required = true)]
    records: Vec<PathBuf>,
    /// A file from `fit` instead of the weights that ship
    #[arg(long)]
    evaluation: Option<PathBuf>,
}

/// Does what the subcommand says.
pub fn run(args: &EvaluationArgs, context: &Context) -> Result<(), Failure> {
    match &args.command {
        EvaluationCommand::SelfPlay(args) => run_self_play(args, context),
        EvaluationCommand::Fit(args) => fit_weights(args, context),
        EvaluationCommand::Error(args) => measure_error(args, context),
    }
}

/// A position of a record with the result of its game for the side to move.
struct RecordPosition {
    year: u16,
    board: Board,
    score: i32,
}

/// All positions with a legal move of these databases.
fn read_positions(paths: &[PathBuf]) -> Result<Vec<RecordPosition>, Failure> {
    let mut seen = Vec::new();
    for game in read_games(paths)? {
        let mut position = Position::start();
        for &square in &game.moves {
            position.pass_if_forced();
            if position.play(Move::Play(square)).is_err() {
                break;
            }
            let black = position.to_move() == Color::Black;
            let score = if black { game.score() } else { -game.score() };
            if position.board().legal_moves() != 0 {
                seen.push(RecordPosition { year: game.year, board: position.board(), score });
            }
        }
    }
    Ok(seen)
}

fn read_games(paths: &[PathBuf]) -> Result<Vec<WthorGame>, Failure> {
    let mut games = Vec::new();
    for path in paths {
        games.extend(parse_games(path, &files::read_unpacked(path)?)?);
    }
    Ok(games)
}

fn parse_games(path: &Path, bytes: &[u8]) -> Result<Vec<WthorGame>, Failure> {
    let database = WthorDatabase::from_bytes(bytes);
    let wrong = |error| Failure::Input(format!("{}: {error}", path.display()));
    Ok(database.map_err(wrong)?.games)
}

fn read_labels(path: &Path) -> Result<Vec<GameLabel>, Failure> {
    let bytes = files::read_file_or_stdin(path)?;
    positions::decode_labels(&bytes).map_err(|error| Failure::in_file(path, error))
}

/// What a subcommand that writes a file made.
#[derive(Serialize)]
struct WrittenFile<'a> {
    file: &'a Path,
    #[serde(skip_serializing_if = "Option::is_none")]
    games: Option<u32>,
}

fn print_written_file(made: &WrittenFile<'_>, context: &Context) -> Result<(), Failure> {
    files::print_result(context, made, || made.to_text())
}

impl WrittenFile<'_> {
    fn to_text(&self) -> String {
        let file = self.file.display();
        match self.games {
            Some(games) => format!("{games} games in {file}\n"),
            None => format!("weights in {file}\n"),
        }
    }
}

fn run_self_play(args: &SelfPlayArgs, context: &Context) -> Result<(), Failure> {
    let openings = read_games(&args.records)?;
    let cannot =
        |error: std::io::Error| Failure::outside(format!("cannot write {}: {error}", args.out.display()));
    // The last game may be there in part: it is played again.
    let mut known = if args.out.exists() { read_labels(&args.out)? } else { Vec::new() };
    let first = known.last().map_or(0, |&(game, _)| game);
    if !known.is_empty() && first >= args.games {
        return Err(Failure::Input(format!(
            "{}: it has {} games already: --games is how many in all",
            args.out.display(),
            first + 1
        )));
    }
    known.retain(|&(game, _)| game < first);
    let mut number = known.len();
    let kept = if number > 0 { positions::file_size(number) } else { 0 };
    let mut out = files::continue_file(&args.out, kept).map_err(cannot)?;
    if kept == 0 {
        out.write_all(positions::MAGIC).map_err(cannot)?;
    }
    let mut searcher = new_searcher();
    for game in first..args.games {
        if context.is_stop_requested() {
            tell!("ishi: stopped after {game} games; the same command goes on from there");
            return Err(Failure::Interrupted);
        }
        let mut bytes = Vec::new();
        for sample in play_game(args, &openings, &mut searcher, context.seed, game) {
            positions::encode_label(number, game, &sample, &mut bytes);
            number += 1;
        }
        out.write_all(&bytes).map_err(cannot)?;
        if !context.quiet && (game + 1) % 1000 == 0 {
            tell!("{} of {} games", game + 1, args.games);
        }
    }
    print_written_file(&WrittenFile { file: &args.out, games: Some(args.games) }, context)
}

/// What plays, on one thread, so that nothing depends on how many there are.
fn new_searcher() -> Searcher {
    Searcher::new(SearchParams { hash_bits: 14, threads: 1 })
}

/// The positions of a game, which follow from its number and the seed alone.
fn play_game(
    args: &SelfPlayArgs,
    openings: &[WthorGame],
    searcher: &mut Searcher,
    seed: Seed,
    game: u32,
) -> Vec<EvalSample> {
    let play = SelfPlayParams { depth: args.depth, exact: args.exact };
    let opening = draw_opening(openings, seed, game);
    selfplay::play_game(&play, opening, searcher, seed, u64::from(game))
}

/// The first 4 to 39 moves of a game of the records, or as many random moves.
fn draw_opening(records: &[WthorGame], seed: Seed, game: u32) -> Board {
    let mut rng = seed.stream("opening", u64::from(game));
    let record = rng.choose(records);
    let length = 4 + rng.next_below(36) as usize;
    let mut position = Position::start();
    for ply in 0..length {
        position.pass_if_forced();
        let mv = match record {
            Some(record) => record.moves.get(ply).map(|&square| Move::Play(square)),
            None => rng.choose(&position.legal_moves()).copied(),
        };
        if mv.is_none_or(|mv| position.play(mv).is_err()) {
            break;
        }
    }
    position.pass_if_forced();
    position.board()
}

fn fit_weights(args: &EvaluationFitArgs, context: &Context) -> Result<(), Failure> {
    if args.out.exists() && !args.force {
        return Err(Failure::Input(format!("{} exists: give another name, or --force", args.out.display())));
    }
    if args.labels.is_empty() && args.records.is_empty() {
        return Err(Failure::Input("nothing to learn from: give --labels, --records or both".to_string()));
    }
    let mut by_ply: Vec<Vec<EvalSample>> = vec![Vec::new(); 61];
    let mut held_out = Vec::new();
    let ply = |board: Board| (60 - board.empty_count().min(60)) as usize;
    for RecordPosition { year, board, score } in read_positions(&args.records)? {
        if year <= args.until {
            by_ply[ply(board)].push(EvalSample { board, score: score as f32, weight: args.record_weight });
        } else {
            held_out.push(RecordPosition { year, board, score });
        }
    }
    for path in &args.labels {
        for (_, sample) in read_labels(path)? {
            by_ply[ply(sample.board)].push(sample);
        }
    }
    let mut learned = Vec::new();
    for phase in 0..PHASES {
        context.check_stop()?;
        let samples = samples_around_phase(&by_ply, phase);
        let design = DesignMatrix::new(&samples);
        let mut weights = vec![0.0; count_learned_weights()];
        design.fit_weights(&FitParams { ridge: args.ridge, steps: args.steps }, &mut weights);
        if !context.quiet && !samples.is_empty() {
            let error = design.mean_error(&weights);
            tell!("phase {phase}: {} positions, mean error {error:.2}", samples.len());
        }
        learned.push(weights);
    }
    files::write_file(&args.out, &file::pack_weights(&learned), true)?;
    if held_out.is_empty() {
        return print_written_file(&WrittenFile { file: &args.out, games: None }, context);
    }
    print_errors(&Evaluation::new(&learned), &held_out, context)
}

/// The positions of a phase, and those two plies before and after it.
fn samples_around_phase(by_ply: &[Vec<EvalSample>], phase: usize) -> Vec<EvalSample> {
    let first = phase * PLIES_PER_PHASE as usize;
    let (from, to) = (first.saturating_sub(2), (first + PLIES_PER_PHASE as usize + 1).min(60));
    by_ply[from..=to].iter().flatten().copied().collect()
}

fn measure_error(args: &EvaluationErrorArgs, context: &Context) -> Result<(), Failure> {
    let evaluation = match &args.evaluation {
        None => Evaluation::shipped(),
        Some(path) => {
            let learned = file::unpack_weights(&files::read_file_or_stdin(path)?)
                .map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?;
            std::sync::Arc::new(Evaluation::new(&learned))
        }
    };
    print_errors(&evaluation, &read_positions(&args.records)?, context)
}

#[derive(Serialize)]
struct PlyErrorLine {
    ply: usize,
    positions: usize,
    mean_error: f64,
}

fn print_errors(evaluation: &Evaluation, seen: &[RecordPosition], context: &Context) -> Result<(), Failure> {
    let mut sums = vec![(0usize, 0f64); 61];
    for RecordPosition { board, score, .. } in seen {
        let sum = &mut sums[(60 - board.empty_count()) as usize];
        let said = evaluation.value_in_discs(*board).clamp(-64.0, 64.0);
        *sum = (sum.0 + 1, sum.1 + f64::from((said - *score as f32).abs()));
    }
    let lines: Vec<PlyErrorLine> = (0..)
        .zip(sums)
        .filter(|(_, (count, _))| *count > 0)
        .map(|(ply, (positions, sum))| PlyErrorLine { ply, positions, mean_error: sum / positions as f64 })
        .collect();
    files::print_result(context, &lines, || format_ply_errors(&lines))
}

fn format_ply_errors(lines: &[PlyErrorLine]) -> String {
    let mut text = "ply  positions  mean error in discs\n".to_string();
    for PlyErrorLine { ply, positions, mean_error } in lines {
        text += &format!("{ply:>3}  {positions:>9}  {mean_error:>6.2}\n");
    }
    text
}
