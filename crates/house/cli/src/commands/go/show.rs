//! `ishi go show`: a position drawn and scored, and all that is known of it, level by level.

mod levels;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use ishi_go::picture::BoardPicture;
use ishi_go::{BoardSize, Color, Move, Point, Position, Scoring, handicap};
use ishi_go_play::tactics::Tactics;
use ishi_knowledge::lookahead::{LookAhead, LookAheadParams, Outlook};
use ishi_knowledge::rules::{self, Suggestion};
use ishi_knowledge::show::{AnalysisLevel, AnalysisView, SUGGESTIONS};
use ishi_knowledge::{Analysis, Keeper, NoOracle, ReadingOracle, Style};
use ishi_words::Language;
use serde::Serialize;

use super::start::GoStartArgs;
use crate::commands::explain::record::SgfRecord;
use crate::context::{Context, Failure};
use crate::files::{self, print_json};
use crate::numbers::{parse_komi, parse_move_count};
use crate::samples::names_sample;

pub(super) const HELP: &str = "\
Examples:
  ishi go show --size 9 E5 C5 E3         black E5, white C5, black E3
  ishi go show --handicap 4 F17          white moves first after a handicap
  ishi go show b:D4 b:Q16 w:pass         colours may be given
  ishi go show --diagram shape.txt --to-move white --dead C3,D4
  printf '.XO.\\nX.XO\\n.XO.\\n....\\n' | ishi go show --diagram - w:B3
  ishi go show sample:lesson --move 15   all levels of what is known after move 15
  ishi go show sample:lesson --level groups,territory
  ishi go show game.sgf --move 57 --svg out.svg       as pictures
  ishi go show --diagram shape.txt --level links --fast
  ishi go show game.sgf --style many-faces            as D. Fotland's program judges

A diagram has a row of . (empty), X (black) and O (white) for each line of the board, with \
or without spaces and coordinates. What this command draws can be read back. An illegal \
move is refused with the rule that it breaks (exit code 3). The score takes all stones as \
alive, except those that --dead names.

Levels: chains, status (what reading says of them), links, eyes, groups, influence, \
territory, strategy, suggestions. A record gets all of them. docs/explain.md says what they \
are. Suggestions are played out, and each has its value for the side to move and its line. \
Doubtful groups are read and judged by playouts; --fast leaves that out.";

/// Options of `ishi go show`.
#[derive(Args, Debug)]
pub(super) struct GoShowArgs {
    /// Moves in turn, as D4, pass, w:D4; or a record (SGF)
    #[arg(value_name = "MOVE|FILE")]
    moves: Vec<String>,
    /// Of a record: the position after so many moves; its end if not given
    #[arg(long = "move", value_name = "N", value_parser = parse_move_count)]
    number: Option<usize>,
    /// Of a record: which game of the file, from 1
    #[arg(long, default_value_t = 1, value_name = "N")]
    game: usize,
    /// What is known, by levels: chains, links, groups, ... or all
    #[arg(long, value_delimiter = ',', value_name = "LEVEL,...")]
    level: Vec<String>,
    /// Draw the levels (or the board, if no level is asked for)
    #[arg(long, value_name = "OUT")]
    svg: Option<PathBuf>,
    /// Replace the file of --svg if it exists
    #[arg(long, requires = "svg")]
    force: bool,
    /// Judge groups by their looks alone
    #[arg(long)]
    fast: bool,
    /// How it is judged: ishi, many-faces, or KEY=VALUE,... as `ishi gtp --help` lists for go-knowledge
    #[arg(long, default_value = "ishi", value_name = "STYLE")]
    style: Style,
    /// Lines of the board, as 9 or 19x7
    #[arg(long, default_value = "19")]
    size: BoardSize,
    #[command(flatten)]
    start: GoStartArgs,
    /// Points for White; if not given, what the rules have
    #[arg(long, value_name = "POINTS", value_parser = parse_komi)]
    komi: Option<f64>,
    /// Handicap stones, on the fixed points
    #[arg(long, conflicts_with = "diagram", value_name = "N")]
    handicap: Option<usize>,
    /// One stone of each dead chain
    #[arg(long, value_delimiter = ',', value_name = "POINT,...")]
    dead: Vec<String>,
}

/// Playouts for each group that is judged, as in explanations.
const GROUP_PLAYOUTS: u64 = 300;
/// Pictures in a row of a sheet.
const COLUMNS: usize = 3;

#[derive(Serialize)]
struct GoShowReport {
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
    prisoners: SideCounts,
    /// Points of each side before komi.
    points: SideCounts,
    score: String,
    legal_moves: usize,
    hash: String,
}

#[derive(Serialize)]
struct SideCounts {
    black: usize,
    white: usize,
}

impl SideCounts {
    fn from_fn(number: impl Fn(Color) -> usize) -> SideCounts {
        SideCounts { black: number(Color::Black), white: number(Color::White) }
    }
}

/// Draws a position; with a record or with `--level` all that is known of it.
pub(super) fn run(args: &GoShowArgs, context: &Context) -> Result<(), Failure> {
    let record = record_name(args)?;
    let position = match record {
        Some(path) => position_of_record(path, args, context)?,
        None => play_moves(args)?,
    };
    let levels = chosen_levels(args, record.is_some())?;
    if levels.is_empty() {
        if let Some(out) = &args.svg {
            files::write_picture(out, &draw_board(&position).to_svg(), args.force)?;
        }
        return print_position(&position, args, context);
    }
    let known = read_knowledge(&position, args, &levels, context)?;
    let shown = AnalysisView {
        position: &position,
        analysis: &known.analysis,
        suggestions: &known.suggestions,
        outlooks: &known.outlooks,
        language: Language::English,
    };
    if let Some(out) = &args.svg {
        let pictures: Vec<BoardPicture> = levels.iter().map(|&level| shown.level_picture(level)).collect();
        let svg = match pictures.as_slice() {
            [one] => one.to_svg(),
            several => BoardPicture::sheet_svg(several, COLUMNS.min(several.len())),
        };
        files::write_picture(out, &svg, args.force)?;
        if files::is_standard(out) {
            return Ok(());
        }
    }
    if context.json {
        return print_json(&levels::levels_report(&shown, &levels));
    }
    let told: Vec<String> = levels.iter().map(|&level| shown.level_text(level)).collect();
    files::print_bytes(format!("{position}\n{}", told.join("\n")).as_bytes())
}

/// What is known of a position.
struct PositionKnowledge {
    analysis: Analysis,
    suggestions: Vec<Suggestion>,
    /// Of the suggestions that are listed; nothing where that level is not shown.
    outlooks: Vec<Option<Outlook>>,
}

/// Reads what is known of a position. On the fullest boards that takes seconds, and reading asks nobody whether to stop.
fn read_knowledge(
    position: &Position,
    args: &GoShowArgs,
    levels: &[AnalysisLevel],
    context: &Context,
) -> Result<PositionKnowledge, Failure> {
    let (position, style, fast) = (position.clone(), args.style, args.fast);
    let seed = context.seed.child_seed("tactics", 0);
    let plays_out = levels.contains(&AnalysisLevel::Suggestions);
    context.run_until_stopped(move || {
        let mut keeper = Keeper::with_style(style);
        let analysis = if fast {
            keeper.analyze(&position, &mut NoOracle)
        } else {
            let mut tactics = Tactics::new(seed).with_playouts(GROUP_PLAYOUTS);
            keeper.analyze(&position, &mut tactics)
        };
        let suggestions = rules::suggest_moves(&position, &analysis);
        let outlooks = match plays_out {
            true => play_out_suggestions(&position, keeper, style, &suggestions),
            false => Vec::new(),
        };
        PositionKnowledge { analysis, suggestions, outlooks }
    })
}

/// What is expected of the suggestions that are listed, each played out. What the keeper has read of the position is not read again.
fn play_out_suggestions(
    position: &Position,
    keeper: Keeper,
    style: Style,
    suggestions: &[Suggestion],
) -> Vec<Option<Outlook>> {
    let params = LookAheadParams { style, ..LookAheadParams::default() };
    let mut ahead = LookAhead::new(params, ReadingOracle::default()).with_keeper(keeper);
    let mut position = position.clone();
    let told = suggestions.iter().take(SUGGESTIONS);
    told.map(|suggestion| ahead.play_out(&mut position, suggestion)).collect()
}

/// The record that is named instead of moves, if one is.
fn record_name(args: &GoShowArgs) -> Result<Option<&Path>, Failure> {
    let is_there = |text: &str| names_sample(Path::new(text)) || Path::new(text).exists();
    let is_move = |text: &str| {
        let vertex = text.split_once(':').map_or(text, |(_, vertex)| vertex);
        args.size.parse_move(vertex).is_ok()
    };
    match args.moves.as_slice() {
        [one] if !is_move(one) && looks_like_file(one) && !is_there(one) => Err(Failure::outside(format!(
            "there is no file {one}: name a record (SGF), or moves as D4, w:D4 and pass"
        ))),
        [one] if !is_move(one) && (one == "-" || is_there(one)) => {
            let clash = [
                (args.start.diagram.is_some(), "--diagram"),
                (args.handicap.is_some(), "--handicap"),
                (args.start.to_move.is_some(), "--to-move"),
            ];
            match clash.iter().find(|(given, _)| *given) {
                Some((_, name)) => {
                    Err(Failure::input(format!("{one} is a record: {name} is not for records")))
                }
                None => Ok(Some(Path::new(one))),
            }
        }
        many if many.iter().any(|text| !is_move(text) && looks_like_file(text)) => {
            Err(Failure::input("name one record (SGF) and nothing else, or moves as D4, w:D4 and pass"))
        }
        _ if args.number.is_some() => {
            Err(Failure::input("--move is for records: name a file (SGF) as the only MOVE"))
        }
        _ => Ok(None),
    }
}

/// Vertices have neither folders nor endings.
fn looks_like_file(text: &str) -> bool {
    text.contains(['.', '/', std::path::MAIN_SEPARATOR])
}

fn position_of_record(path: &Path, args: &GoShowArgs, context: &Context) -> Result<Position, Failure> {
    let record = SgfRecord::read_file(path, args.game)?;
    record.print_warnings(context);
    let known = record.moves().len();
    let number = args.number.unwrap_or(known);
    if number > known {
        return Err(Failure::input(format!("there is no move {number}: the record has {known} moves")));
    }
    let mut position = record.position_after(number)?;
    if let Some(komi) = args.komi {
        position.set_komi(komi).map_err(Failure::input)?;
    }
    Ok(position)
}

/// The levels that are asked for; all of a record, if none is named.
fn chosen_levels(args: &GoShowArgs, of_record: bool) -> Result<Vec<AnalysisLevel>, Failure> {
    if args.level.iter().any(|name| name == "all") || (of_record && args.level.is_empty()) {
        return Ok(AnalysisLevel::ALL.to_vec());
    }
    let levels: Result<Vec<AnalysisLevel>, String> = args.level.iter().map(|name| name.parse()).collect();
    levels.map_err(|error| Failure::input(format!("--level: {error}")))
}

/// The board with the last move marked.
fn draw_board(position: &Position) -> BoardPicture {
    use ishi_go::picture::{PictureMark, PictureTone};
    let picture = BoardPicture::from_board(position.board());
    match position.last_move().and_then(|(_, mv)| mv.point()) {
        Some(last) => picture.with_mark(last, PictureMark::Circle, PictureTone::Bad),
        None => picture,
    }
}

fn print_position(position: &Position, args: &GoShowArgs, context: &Context) -> Result<(), Failure> {
    if args.svg.as_deref().is_some_and(files::is_standard) {
        return Ok(());
    }
    let dead: Result<Vec<Point>, _> =
        args.dead.iter().map(|vertex| position.size().parse_point(vertex)).collect();
    let dead = dead.map_err(Failure::input)?;
    let tally = position.tally_points(&dead).map_err(Failure::input)?;
    let score = position.score_with_komi(&tally).to_string();
    let points = SideCounts::from_fn(|color| tally.points(color));
    if context.json {
        return print_json(&build_report(position, points, score));
    }
    let mut text = position.to_string();
    let kind = match position.rules().scoring {
        Scoring::Area => "Area",
        Scoring::Territory => "Territory and prisoners",
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{kind}: black {}, white {}. Score {score}.", points.black, points.white);
    files::print_bytes(text.as_bytes())
}

fn build_report(position: &Position, points: SideCounts, score: String) -> GoShowReport {
    let board = position.board();
    GoShowReport {
        size: position.size().to_string(),
        rules: position.rules().to_string(),
        komi: position.komi(),
        handicap: position.handicap(),
        rows: levels::board_rows(position),
        to_move: position.to_move().to_string(),
        moves: position.moves().iter().map(|(color, mv)| format!("{color} {mv}")).collect(),
        over: position.is_over(),
        ko: board.ko_point().map(|point| point.to_string()),
        prisoners: SideCounts::from_fn(|color| position.prisoners(color)),
        points,
        score,
        legal_moves: position.legal_moves(position.to_move()).len(),
        hash: format!("{:016x}", position.hash()),
    }
}

/// The position of the command line, all moves played.
fn play_moves(args: &GoShowArgs) -> Result<Position, Failure> {
    let mut position = args.start.read_position(args.size)?;
    if let Some(komi) = args.komi {
        position.set_komi(komi).map_err(Failure::input)?;
    }
    if let Some(stones) = args.handicap {
        let points = handicap::fixed_placement(args.size, stones).map_err(Failure::input)?;
        position.place_handicap(&points).map_err(Failure::input)?;
    }
    for text in &args.moves {
        let (color, mv) = parse_move(&position, text)?;
        position.play(color, mv).map_err(Failure::input)?;
    }
    Ok(position)
}

/// Reads `D4` for the side to move, or `w:D4`.
pub(super) fn parse_move(position: &Position, text: &str) -> Result<(Color, Move), Failure> {
    let (color, vertex) = match text.split_once(':') {
        Some((color, vertex)) => (color.parse().map_err(Failure::input)?, vertex),
        None => (position.to_move(), text),
    };
    Ok((color, position.size().parse_move(vertex).map_err(Failure::input)?))
}
