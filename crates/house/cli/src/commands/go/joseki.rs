//! `ishi go joseki`: what is played in a corner, and files of joseki turned into one another.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use ishi_go::{Cell, Color};
use ishi_patterns::joseki::book::{Joseki, round_to_two_digits};
use ishi_patterns::joseki::corner::{CornerBoard, CornerMove, CornerPoint, LINES};
use ishi_patterns::joseki::{packed, text};
use serde::Serialize;

use crate::context::{Context, Failure};
use crate::files;

pub(super) const HELP: &str = "\
Examples:
  ishi go joseki                         the first moves in an empty corner
  ishi go joseki C4 E3                   Black C4, White E3: what comes next?
  ishi go joseki D4 F3 - D6              Black played elsewhere (-), White went on
  ishi go joseki b:D4 b:C6 --json        colours may be given
  ishi go joseki D4 C6 --top 50          all moves, not only the most usual
  ishi go joseki --book my.txt --out my.bin      packs joseki; --out my.txt the other way round

Points are those of the lower left corner, A1 to K10. Any corner, mirrored or with its colours \
exchanged, is the same. Counts, wins and years are those of 20,000 games of strong amateurs and \
professionals, or of the book that is given. Packed books, such as the one that ships, round \
them: ~2000 is about 2000. Kinds:
  urgent  nearly everybody answers at once     bad     loses clearly more than half
  hard    many continuations, none usual       trick   good, but not against the best answer
  ignore  the other side had played elsewhere  normal  none of these
docs/patterns.md explains how they are found, and the format of the text.";

/// Options of `ishi go joseki`.
#[derive(Args, Debug)]
pub(super) struct JosekiArgs {
    /// Moves in turn from Black on, as C4, w:C4 or - for a move elsewhere
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,
    /// How many moves to show
    #[arg(long, default_value_t = 12, value_name = "N")]
    top: usize,
    /// Joseki of `ishi go learn-joseki`, text or packed; the shipped ones if not given
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Write the whole book: text if the name ends in .txt, else packed (and rounded)
    #[arg(long, value_name = "FILE", conflicts_with = "moves")]
    out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "out")]
    force: bool,
}

#[derive(Serialize)]
struct JosekiMoveReport {
    color: char,
    point: String,
    count: u32,
    win_rate: f64,
    year: u16,
    kind: &'static str,
    /// Moves known after it.
    continuations: usize,
}

#[derive(Serialize)]
struct JosekiReport {
    /// Counts, wins and years are rounded, as packed books have them.
    rounded: bool,
    known: bool,
    symmetric: bool,
    /// Other positions from which a move leads here.
    parents: usize,
    /// Moves known here; those that are shown follow.
    known_moves: usize,
    moves: Vec<JosekiMoveReport>,
}

/// Shows a position's moves, or writes the book.
pub(super) fn run(args: &JosekiArgs, context: &Context) -> Result<(), Failure> {
    let (book, rounded) = match &args.book {
        Some(path) => read_book(path)?,
        None => (Joseki::shipped(), true),
    };
    if let Some(out) = &args.out {
        files::check_writable(out, args.force)?;
        return files::write_file(out, &encode_book(&book, out), args.force);
    }
    let board = play_corner(&args.moves)?;
    let report = JosekiReport { rounded, ..build_report(&book, &board, args.top) };
    files::print_result(context, &report, || report.to_text(&board))
}

/// The book as the name of its file wants it.
pub(super) fn encode_book(book: &Joseki, out: &Path) -> Vec<u8> {
    if out.extension().is_some_and(|end| end == "txt") {
        text::write_joseki(book).into_bytes()
    } else {
        packed::pack_joseki(book)
    }
}

/// A book, and whether its counts are rounded.
fn read_book(path: &Path) -> Result<(Joseki, bool), Failure> {
    let wrong = |problem: String| Failure::in_file(path, problem);
    let bytes = files::read_file_or_stdin(path)?;
    if packed::is_packed_joseki(&bytes) {
        let book = packed::unpack_joseki(&bytes).map_err(|error| wrong(error.to_string()))?;
        return Ok((book, true));
    }
    let plain = String::from_utf8(bytes).map_err(|_| wrong("neither text nor packed joseki".to_string()))?;
    let book = text::parse_joseki(&plain).map_err(|error| wrong(error.to_string()))?;
    Ok((book, false))
}

/// The corner after the moves.
fn play_corner(moves: &[String]) -> Result<CornerBoard, Failure> {
    let mut board = CornerBoard::default();
    let mut color = Color::Black;
    for text in moves {
        let wrong = |problem: &str| Failure::input(format!("{text:?}: {problem}"));
        let (given, point) = match text.split_once(':') {
            Some((name, point)) => (Some(name.parse().map_err(|_| wrong("a colour must be b or w"))?), point),
            None => (None, text.as_str()),
        };
        let mover = given.unwrap_or(color);
        color = !mover;
        if point == "-" {
            continue;
        }
        let point = CornerPoint::parse(point)
            .ok_or_else(|| wrong("it must be a point of the corner, A1 to K10, or - for a move elsewhere"))?;
        if !board.play(CornerMove { color: mover, point }) {
            return Err(Failure::input(format!(
                "{text:?}: illegal there, a stone stands on the point or would have no liberty"
            )));
        }
    }
    Ok(board)
}

fn build_report(book: &Joseki, board: &CornerBoard, top: usize) -> JosekiReport {
    let corner = board.corner();
    let place = book.node_index(corner);
    let moves = book.branches(corner).take(top).map(|(mv, branch)| JosekiMoveReport {
        color: mv.color.letter(),
        point: mv.point.to_string(),
        count: branch.stats.count,
        win_rate: branch.stats.win_rate(),
        year: branch.stats.year,
        kind: branch.kind.name(),
        continuations: book.nodes()[branch.to].branches.len(),
    });
    JosekiReport {
        rounded: false,
        known: place.is_some(),
        symmetric: corner.is_symmetric(),
        parents: place.map_or(0, |place| book.parent_branches(place).len()),
        known_moves: place.map_or(0, |place| book.nodes()[place].branches.len()),
        moves: moves.collect(),
    }
}

impl JosekiReport {
    fn to_text(&self, board: &CornerBoard) -> String {
        let mut text = draw_corner(board);
        // Writing to a string cannot fail.
        match (self.known, self.known_moves == 0) {
            (false, _) => text.push_str("\nThe book does not know this position.\n"),
            (true, true) => text.push_str("\nThe book ends here.\n"),
            (true, false) => {
                let _ = writeln!(text, "\nmove    played    wins  last  kind    then");
                for mv in &self.moves {
                    let JosekiMoveReport { color, point, count, win_rate, year, kind, continuations } = mv;
                    let wins = 100.0 * win_rate;
                    let count = if self.rounded { format_rounded_count(*count) } else { count.to_string() };
                    let _ = writeln!(
                        text,
                        "{color} {point:<4} {count:>7}  {wins:>4.0} %  {year}  {kind:<7} {continuations}"
                    );
                }
            }
        }
        let hidden = self.known_moves - self.moves.len();
        if hidden > 0 {
            let _ = writeln!(text, "{hidden} moves more: --top {}", self.known_moves);
        }
        if self.parents > 1 {
            let _ = writeln!(text, "Other orders of moves lead here too: {} moves in all.", self.parents);
        }
        text
    }
}

/// A count of a packed book: those above 4 are rounded.
fn format_rounded_count(count: u32) -> String {
    if count <= 4 { count.to_string() } else { format!("~{}", round_to_two_digits(count)) }
}

/// The corner's points, from the tenth line down.
fn draw_corner(board: &CornerBoard) -> String {
    let mut text = String::new();
    for row in (0..LINES).rev() {
        let _ = write!(text, "{:>2}", row + 1);
        for column in 0..LINES {
            let point = CornerPoint::new(column, row).expect("in the corner").on_board();
            let stone = match board.board().cell(point) {
                Cell::Black => 'X',
                Cell::White => 'O',
                _ => '.',
            };
            let _ = write!(text, " {stone}");
        }
        text.push('\n');
    }
    text.push_str("   A B C D E F G H J K\n");
    text
}
