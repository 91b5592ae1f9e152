//! `ishi strings SIZE`: the most strings on a board, with a board and a proof.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use ishi_grid::domination::{self, Options, Shape, Solution, Status};
use ishi_grid::frontier::{self, Wrap};
use ishi_grid::positions::{self, PositionsError};
use ishi_grid::{Board, Cell, verify};
use serde::Serialize;

use super::boards::Format;
use super::size;
use super::work::{Cost, Meter, Watch};
use crate::context::{Context, Failure};
use crate::files;

/// Options of `ishi strings SIZE`.
#[derive(Args, Debug)]
pub struct SolveArgs {
    /// Lines of the board, as 19 or 9x13
    #[arg(value_parser = |text: &str| size::size(text, 1, 10_000))]
    size: (usize, usize),
    /// Points that are given: a text of as many rows of ? (free) . (empty) # (a stone) X (black) O (white)
    #[arg(long, value_name = "FILE", conflicts_with = "wrap")]
    given: Option<PathBuf>,
    /// Join the columns at both ends (cylinder), or the rows as well (torus)
    #[arg(long, value_enum)]
    wrap: Option<WrapName>,
    /// Write the board here: rows of letters, a picture (.svg), or a record (.sgf); - is standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "out")]
    force: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum WrapName {
    Cylinder,
    Torus,
}

/// Boards with longer sides are not printed.
const MOST_PRINTED: usize = 60;

#[derive(Serialize)]
struct Report {
    width: usize,
    height: usize,
    /// `board`, `cylinder` or `torus`.
    surface: &'static str,
    /// Strings of the board found.
    strings: usize,
    /// No board has more.
    bound: usize,
    optimal: bool,
    empty_points: usize,
    /// Most states of a frontier, and states of all frontiers.
    widest_layer_states: usize,
    states: u64,
    /// Counted by the checker that shares nothing with the solver; boards without wraps only.
    verified: bool,
    /// Top row first.
    board: Vec<String>,
    #[serde(flatten)]
    cost: Cost,
}

/// What was found, by whichever solver.
struct Found {
    board: Board,
    strings: usize,
    bound: usize,
    widest: usize,
    states: u64,
}

/// Solves and prints.
pub fn run(args: &SolveArgs, context: &Context) -> Result<(), Failure> {
    let (width, height) = args.size;
    if let Some(out) = &args.out {
        Format::of(out).check(width, height)?;
    }
    let given = args.given.as_deref().map(|path| read_given(path, width, height)).transpose()?;
    let meter = Meter::start();
    let found = match (args.wrap, &given) {
        (Some(wrap), _) => wrapped(width, height, wrap, context)?,
        (None, Some(given)) => with_given(given, context)?,
        (None, None) => on_board(&Shape::new(width, height), context)?,
    };
    let mut verified = false;
    if args.wrap.is_none() {
        check(&found)?;
        verified = true;
    }
    let surface = match args.wrap {
        None => "board",
        Some(WrapName::Cylinder) => "cylinder",
        Some(WrapName::Torus) => "torus",
    };
    let report = Report {
        width,
        height,
        surface,
        strings: found.strings,
        bound: found.bound,
        optimal: found.strings == found.bound,
        empty_points: found.board.empties(),
        widest_layer_states: found.widest,
        states: found.states,
        verified,
        board: rows(&found.board),
        cost: meter.read(context),
    };
    let title = format!("{} strings on {width}x{height}", found.strings);
    let to_stdout = args.out.as_deref().is_some_and(files::is_standard);
    if let Some(out) = &args.out {
        files::write(out, Format::of(out).render(&found.board, &title).as_bytes(), args.force)?;
    }
    if to_stdout {
        return Ok(());
    }
    let text = if context.json {
        serde_json::to_string_pretty(&report).map_err(Failure::outside)? + "\n"
    } else {
        words(&report, &found.board)
    };
    files::print(text.as_bytes())
}

fn rows(board: &Board) -> Vec<String> {
    board.cells().chunks(board.width()).map(|row| row.iter().map(|cell| cell.letter()).collect()).collect()
}

fn on_board(shape: &Shape, context: &Context) -> Result<Found, Failure> {
    let solution = solve(shape, context)?;
    let cells = shape.cells();
    let (Some(strings), Some(board)) = (solution.strings(), solution.board) else {
        return Err(Failure::Negative("no board fits what is given: some stone has no liberty".into()));
    };
    let bound = cells - solution.bound;
    Ok(Found { board, strings, bound, widest: solution.widest, states: solution.states })
}

fn solve(shape: &Shape, context: &Context) -> Result<Solution, Failure> {
    let mut watch = Watch::new(context);
    let options = Options { threads: context.threads, ..Options::default() };
    let solution = domination::solve(shape, options, &mut |progress| {
        watch.see(progress.done, progress.cells, &format!("{} states", progress.states))
    });
    if solution.status == Status::Stopped { Err(Failure::Interrupted) } else { Ok(solution) }
}

/// Given stones may join into chains, which boards of alternating colours never do. Such a board is optimal all the same
/// if it reaches what is possible with the stones' points free; otherwise the search in any colours decides.
fn with_given(given: &positions::Given, context: &Context) -> Result<Found, Failure> {
    let (width, height) = (given.width(), given.height());
    let (mut strict, mut relaxed) = (Shape::new(width, height), Shape::new(width, height));
    let mut fits = [true; 2];
    for y in 0..height {
        for x in 0..width {
            let point = given.point(x, y);
            match point {
                positions::Point::Any => {}
                positions::Point::Empty => {
                    strict.give(x, y, domination::Given::Empty);
                    relaxed.give(x, y, domination::Given::Empty);
                }
                _ => strict.give(x, y, domination::Given::Stone),
            }
            let alternate = Cell::alternate(x, y);
            let empty = point.allows(Cell::Empty);
            fits[0] &= empty || point.allows(alternate);
            fits[1] &= empty || point.allows(other(alternate));
        }
    }
    let bound = solve(&relaxed, context)?;
    let strings = width * height - bound.bound;
    let alternating = if fits[0] || fits[1] { Some(solve(&strict, context)?) } else { None };
    let found = alternating.and_then(|solution| {
        let board = solution.board.as_ref()?;
        Some(Found {
            board: if fits[0] { board.clone() } else { swapped(board) },
            strings: solution.strings()?,
            bound: strings,
            widest: solution.widest.max(bound.widest),
            states: solution.states + bound.states,
        })
    });
    match found {
        Some(found) if found.strings == strings || width.min(height) > positions::maximum::WIDEST => {
            Ok(found)
        }
        _ => in_any_colours(given, context),
    }
}

fn in_any_colours(given: &positions::Given, context: &Context) -> Result<Found, Failure> {
    let mut watch = Watch::new(context);
    let found = positions::maximum(given, &mut |progress| {
        watch.see(progress.done, progress.cells, &format!("any colours: {} states", progress.states))
    });
    let found = found.map_err(|error| match error {
        PositionsError::Stopped => Failure::Interrupted,
        error => Failure::input(format!(
            "the given stones join into chains, so that boards of alternating colours do not decide; and {error}"
        )),
    })?;
    let Some(found) = found else {
        return Err(Failure::Negative("no board fits what is given: some stone has no liberty".into()));
    };
    let (widest, states) = (found.work.widest, found.work.states);
    Ok(Found { board: found.board, strings: found.chains, bound: found.chains, widest, states })
}

fn other(cell: Cell) -> Cell {
    match cell {
        Cell::Black => Cell::White,
        Cell::White => Cell::Black,
        Cell::Empty => Cell::Empty,
    }
}

fn swapped(board: &Board) -> Board {
    let mut swapped = Board::new(board.width(), board.height());
    for y in 0..board.height() {
        for x in 0..board.width() {
            swapped.set(x, y, other(board.cell(x, y)));
        }
    }
    swapped
}

fn wrapped(width: usize, height: usize, wrap: WrapName, context: &Context) -> Result<Found, Failure> {
    let wrap = match wrap {
        WrapName::Cylinder => Wrap::Cylinder,
        WrapName::Torus => Wrap::Torus,
    };
    let mut watch = Watch::new(context);
    let mut stopped = false;
    let (mut widest, mut states) = (0, 0);
    let options = frontier::Options { threads: context.threads, ..frontier::Options::default() };
    let found = frontier::wrapped(width, height, wrap, options, &mut |progress| {
        widest = widest.max(progress.states);
        states += progress.states as u64;
        let note = format!("{} empty points: {} states", progress.size, progress.states);
        let flow = watch.see(progress.step, progress.steps, &note);
        stopped |= flow == ControlFlow::Break(());
        flow
    });
    match found {
        Ok(found) => {
            Ok(Found { board: found.board, strings: found.strings, bound: found.strings, widest, states })
        }
        Err(_) if stopped => Err(Failure::Interrupted),
        Err(error) => Err(Failure::input(error)),
    }
}

/// The checker counts again.
fn check(found: &Found) -> Result<(), Failure> {
    let letters: Vec<u8> = found.board.cells().iter().map(|cell| cell.letter() as u8).collect();
    let verdict =
        verify::verify(found.board.width(), found.board.height(), &letters).map_err(Failure::outside)?;
    if verdict.is_legal() && verdict.total() == found.strings as u64 {
        return Ok(());
    }
    Err(Failure::Outside(format!(
        "the solver says {} strings, the checker {}: please report this as a bug",
        found.strings,
        verdict.total()
    )))
}

fn read_given(path: &Path, width: usize, height: usize) -> Result<positions::Given, Failure> {
    let text = String::from_utf8(files::read(path)?)
        .map_err(|_| Failure::Input(format!("{}: this is no text", path.display())))?;
    let wrong = |what: String| Failure::Input(format!("{}: {what}", path.display()));
    let mut given = positions::Given::new(width, height);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    if lines.len() != height {
        return Err(wrong(format!("{} rows of points, the board has {height}", lines.len())));
    }
    for (y, line) in lines.iter().enumerate() {
        let letters: Vec<char> = line.chars().filter(|letter| !letter.is_whitespace()).collect();
        if letters.len() != width {
            return Err(wrong(format!(
                "row {} has {} points, the board has {width} columns",
                y + 1,
                letters.len()
            )));
        }
        for (x, letter) in letters.into_iter().enumerate() {
            let point = match letter {
                '?' => positions::Point::Any,
                '.' => positions::Point::Empty,
                '#' => positions::Point::Stone,
                'X' | 'x' => positions::Point::Black,
                'O' | 'o' => positions::Point::White,
                letter => {
                    let row = y + 1;
                    return Err(wrong(format!(
                        "row {row}, column {}: {letter:?} is none of ? (free) . (empty) # (a stone) X (black) O (white)",
                        x + 1
                    )));
                }
            };
            given.set(x, y, point);
        }
    }
    Ok(given)
}

fn words(report: &Report, board: &Board) -> String {
    let Report { width, height, strings, bound, .. } = report;
    let surface = if report.surface == "board" { String::new() } else { format!(" {}", report.surface) };
    let mut text = if report.optimal {
        format!("{width}x{height}{surface}: {strings} strings, which is the most possible\n")
    } else {
        format!(
            "{width}x{height}{surface}: {strings} strings found; proved is that no board has more than {bound}\n"
        )
    };
    let (states, widest) = (report.states, report.widest_layer_states);
    text += &format!("{} empty points; {states} states, {widest} in the widest layer\n", report.empty_points);
    if report.verified {
        text += "the board was checked independently: every string has a liberty\n";
    } else {
        text += "no record of Go can hold a board with wraps: the checker does not know them\n";
    }
    if *width.max(height) <= MOST_PRINTED {
        text += &format!("\n{board}\n");
    } else {
        text += "the board is too wide to print: --out board.txt, .svg or .sgf\n";
    }
    text + &report.cost.line()
}
