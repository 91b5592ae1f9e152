//! `ishi go`: the rules at work: counts of legal positions, perft, and positions drawn and scored; strengths of moves.

mod games;
mod joseki;
mod learn_joseki;
mod learn_patterns;
mod learn_shapes;
mod predict;
mod shapes;
mod study;

use std::fmt::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use ishi_go::perft::{self, Counts};
use ishi_go::{BoardSize, Color, Diagram, Move, Point, Position, Rules, Scoring, handicap, legal};
use serde::Serialize;

use crate::context::{Context, Failure};
use crate::files::{self, print_json};

const HELP: &str = "\
Examples:
  ishi go legal 4                        how many positions of a 4x4 board are legal?
  ishi go perft --size 5 --depth 4       how many games of four moves are there on 5x5?
  ishi go show --size 9 E5 C5 E3         the board after three moves
  ishi go show --diagram shape.txt       a picture of a board, read, drawn and scored
  ishi go predict Q16 D4                 what strong players would play next
  ishi go learn-patterns games.txt.gz --out my.bin   where that comes from: records
  ishi go study game.sgf                 what our rules say of a strong player's moves
  ishi go joseki C4 E3                   what is played next in a corner, and with what success
  ishi go learn-joseki games.txt.gz --out my.txt     where that comes from
  ishi go shapes --match game.sgf --move 57          patterns that match, and what they suggest
  ishi go learn-shapes games.txt.gz --out my.txt     where those come from

The rule sets are explained in docs/rules.md.";

const LEGAL_HELP: &str = "\
Examples:
  ishi go legal 4                        4x4: 24318165
  ishi go legal 2 8                      2 columns, 8 rows
  ishi go legal 3 --json

A position is legal if every chain has a liberty. All arrangements are tried, so the board
may have 20 points at most (half a minute). Larger boards: Tromp and Farnebäck,
\"Combinatorics of Go\".";

const PERFT_HELP: &str = "\
Examples:
  ishi go perft                          5x5 to depth 3, Chinese rules
  ishi go perft --size 2 --depth 9 --rules new-zealand
  ishi go perft --diagram shape.txt --depth 4 --json

Counts the legal sequences of moves (passes are moves; nothing follows the end of a game)
by their length, and what their last moves did: how many captured, how many were refused
by which rule.";

const SHOW_HELP: &str = "\
Examples:
  ishi go show --size 9 E5 C5 E3         black E5, white C5, black E3
  ishi go show --handicap 4 F17          white moves first after a handicap
  ishi go show b:D4 b:Q16 w:pass         colours may be given
  ishi go show --diagram shape.txt --to-move white --dead C3,D4
  printf '.XO.\\nX.XO\\n.XO.\\n....\\n' | ishi go show --diagram - w:B3

A diagram has a row of . (empty), X (black) and O (white) for each line of the board, with
or without spaces and coordinates; what this command draws can be read back. An illegal
move is refused with the rule that it breaks (exit code 3). The score takes all stones as
alive but those named by --dead.";

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
    Legal(LegalArgs),
    /// Count move sequences, to test the rules
    Perft(PerftArgs),
    /// Learn strengths of moves from records, and foretell the moves of others
    #[command(after_long_help = learn_patterns::HELP, arg_required_else_help = true)]
    LearnPatterns(Box<learn_patterns::LearnPatternsArgs>),
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
    /// What strong players would play in a position
    #[command(after_long_help = predict::HELP)]
    Predict(predict::PredictArgs),
    /// Hold the moves that rules suggest against those of strong players
    #[command(after_long_help = study::HELP, arg_required_else_help = true)]
    Study(study::StudyArgs),
    /// Draw and score a position
    Show(ShowArgs),
}

#[derive(Args, Debug)]
#[command(after_long_help = LEGAL_HELP)]
struct LegalArgs {
    /// Columns
    width: usize,
    /// Rows; as many as columns if not given
    height: Option<usize>,
}

/// The position that a command starts from.
#[derive(Args, Debug)]
struct StartArgs {
    /// A file with a diagram; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "size")]
    diagram: Option<PathBuf>,
    /// Rules: chinese, japanese, tromp-taylor, aga or new-zealand
    #[arg(long, default_value = "chinese")]
    rules: Rules,
    /// Who moves first
    #[arg(long, value_name = "COLOR")]
    to_move: Option<Color>,
}

#[derive(Args, Debug)]
#[command(after_long_help = PERFT_HELP)]
struct PerftArgs {
    /// Lines of the board, as 5 or 3x4
    #[arg(long, default_value = "5")]
    size: BoardSize,
    /// Moves of the longest sequences
    #[arg(long, default_value_t = 3, value_name = "N")]
    depth: usize,
    #[command(flatten)]
    start: StartArgs,
}

#[derive(Args, Debug)]
#[command(after_long_help = SHOW_HELP)]
struct ShowArgs {
    /// Moves in turn, as D4, pass, w:D4
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
    /// Lines of the board, as 9 or 19x7
    #[arg(long, default_value = "19")]
    size: BoardSize,
    #[command(flatten)]
    start: StartArgs,
    /// Points for White; if not given, what the rules have
    #[arg(long, allow_negative_numbers = true, value_name = "POINTS")]
    komi: Option<f64>,
    /// Handicap stones, on the fixed points
    #[arg(long, conflicts_with = "diagram", value_name = "N")]
    handicap: Option<usize>,
    /// One stone of each dead chain
    #[arg(long, value_delimiter = ',', value_name = "POINT,...")]
    dead: Vec<String>,
}

/// Runs a command about the rules.
pub(crate) fn run(args: &GoArgs, context: &Context) -> Result<(), Failure> {
    match &args.command {
        GoCommand::Legal(args) => count_legal(args, context),
        GoCommand::Perft(args) => count_sequences(args, context),
        GoCommand::Joseki(args) => joseki::run(args, context),
        GoCommand::LearnJoseki(args) => learn_joseki::run(args, context),
        GoCommand::LearnPatterns(args) => learn_patterns::run(args, context),
        GoCommand::Predict(args) => predict::run(args, context),
        GoCommand::LearnShapes(args) => learn_shapes::run(args, context),
        GoCommand::Shapes(args) => shapes::run(args, context),
        GoCommand::Show(args) => show(args, context),
        GoCommand::Study(args) => study::run(args, context),
    }
}

impl StartArgs {
    fn position(&self, size: BoardSize) -> Result<Position, Failure> {
        let first = self.to_move.unwrap_or(Color::Black);
        let Some(path) = &self.diagram else {
            let mut position = Position::new(size, self.rules);
            position.set_to_move(first);
            return Ok(position);
        };
        let bytes = files::read(path)?;
        let wrong = |error: String| Failure::input(format!("{}: {error}", path.display()));
        let text = String::from_utf8(bytes).map_err(|error| wrong(error.to_string()))?;
        let diagram: Diagram =
            text.parse().map_err(|error: ishi_go::DiagramError| wrong(error.to_string()))?;
        diagram.position(self.rules, first).map_err(|error| wrong(error.to_string()))
    }
}

// --- legal ---

#[derive(Serialize)]
struct LegalReport {
    width: usize,
    height: usize,
    legal: u64,
    arrangements: u64,
}

fn count_legal(args: &LegalArgs, context: &Context) -> Result<(), Failure> {
    let (width, height) = (args.width, args.height.unwrap_or(args.width));
    let legal = legal::count_until(width, height, &|| context.stopped()).map_err(Failure::input)?;
    let legal = legal.ok_or(Failure::Interrupted)?;
    let arrangements = 3u64.pow((width * height) as u32);
    if context.json {
        return print_json(&LegalReport { width, height, legal, arrangements });
    }
    let percent = 100.0 * legal as f64 / arrangements as f64;
    let text =
        format!("{width}x{height}: {legal} legal positions of {arrangements} arrangements ({percent:.2}%)\n");
    files::print(text.as_bytes())
}

// --- perft ---

#[derive(Serialize)]
struct PerftReport {
    size: String,
    rules: String,
    depths: Vec<serde_json::Map<String, serde_json::Value>>,
}

fn count_sequences(args: &PerftArgs, context: &Context) -> Result<(), Failure> {
    let position = args.start.position(args.size)?;
    let mut lines = Vec::new();
    if !context.json {
        let names = Counts::default().fields().map(|(name, _)| format!("{name:>17}")).concat();
        let rules = &args.start.rules;
        files::print(format!("{} board, {rules} rules\ndepth{names}\n", position.size()).as_bytes())?;
    }
    for depth in 1..=args.depth {
        // Each depth anew: the last one takes nearly all the time, and the lines appear as they are known.
        let counts =
            perft::count_until(&position, depth, &|| context.stopped()).ok_or(Failure::Interrupted)?;
        let Some(counts) = counts.last() else { break };
        if context.json {
            lines.push(json_line(depth, counts));
        } else {
            let numbers = counts.fields().map(|(_, number)| format!("{number:>17}")).concat();
            files::print(format!("{depth:>5}{numbers}\n").as_bytes())?;
        }
    }
    if context.json {
        let (size, rules) = (position.size().to_string(), args.start.rules.to_string());
        print_json(&PerftReport { size, rules, depths: lines })?;
    }
    Ok(())
}

fn json_line(depth: usize, counts: &Counts) -> serde_json::Map<String, serde_json::Value> {
    let fields = counts.fields().map(|(name, number)| (name.replace('-', "_"), number.into()));
    std::iter::once(("depth".to_string(), depth.into())).chain(fields).collect()
}

// --- show ---

#[derive(Serialize)]
struct ShowReport {
    size: String,
    rules: String,
    komi: f64,
    handicap: usize,
    /// From the top, a character for each point.
    rows: Vec<String>,
    to_move: String,
    moves: Vec<String>,
    over: bool,
    ko: Option<String>,
    prisoners: Sides,
    /// Points of each side before komi.
    points: Sides,
    score: String,
    legal_moves: usize,
    hash: String,
}

#[derive(Serialize)]
struct Sides {
    black: usize,
    white: usize,
}

impl Sides {
    fn of(number: impl Fn(Color) -> usize) -> Sides {
        Sides { black: number(Color::Black), white: number(Color::White) }
    }
}

fn show(args: &ShowArgs, context: &Context) -> Result<(), Failure> {
    let position = played(args)?;
    let dead: Result<Vec<Point>, _> =
        args.dead.iter().map(|vertex| position.size().parse_point(vertex)).collect();
    let dead = dead.map_err(Failure::input)?;
    let tally = position.tally(&dead).map_err(Failure::input)?;
    let score = position.with_komi(&tally).to_string();
    let points = Sides::of(|color| tally.points(color));
    if context.json {
        return print_json(&show_report(&position, points, score));
    }
    let mut text = position.to_string();
    let kind = match position.rules().scoring {
        Scoring::Area => "Area",
        Scoring::Territory => "Territory and prisoners",
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{kind}: black {}, white {}. Score {score}.", points.black, points.white);
    files::print(text.as_bytes())
}

fn show_report(position: &Position, points: Sides, score: String) -> ShowReport {
    let board = position.board();
    ShowReport {
        size: position.size().to_string(),
        rules: position.rules().to_string(),
        komi: position.komi(),
        handicap: position.handicap(),
        rows: rows(position),
        to_move: position.to_move().to_string(),
        moves: position.moves().iter().map(|(color, mv)| format!("{color} {mv}")).collect(),
        over: position.is_over(),
        ko: board.ko().map(|point| point.to_string()),
        prisoners: Sides::of(|color| position.prisoners(color)),
        points,
        score,
        legal_moves: position.legal_moves(position.to_move()).len(),
        hash: format!("{:016x}", position.hash()),
    }
}

fn rows(position: &Position) -> Vec<String> {
    let (size, board) = (position.size(), position.board());
    let symbol = |point: Point| match board.color(point) {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None => '.',
    };
    let row = |row: usize| (0..size.width()).map(|column| symbol(Point::new(column, row))).collect();
    (0..size.height()).rev().map(row).collect()
}

/// The position of the command line, all moves played.
fn played(args: &ShowArgs) -> Result<Position, Failure> {
    let mut position = args.start.position(args.size)?;
    if let Some(komi) = args.komi {
        position.set_komi(komi).map_err(Failure::input)?;
    }
    if let Some(stones) = args.handicap {
        let points = handicap::fixed(args.size, stones).map_err(Failure::input)?;
        position.place_handicap(&points).map_err(Failure::input)?;
    }
    for text in &args.moves {
        let (color, mv) = parse_move(&position, text)?;
        position.play(color, mv).map_err(Failure::input)?;
    }
    Ok(position)
}

/// Reads `D4` for the side to move, or `w:D4`.
fn parse_move(position: &Position, text: &str) -> Result<(Color, Move), Failure> {
    let (color, vertex) = match text.split_once(':') {
        Some((color, vertex)) => (color.parse().map_err(Failure::input)?, vertex),
        None => (position.to_move(), text),
    };
    Ok((color, position.size().parse_move(vertex).map_err(Failure::input)?))
}
