//! The maximum string problem on boards, on boards with points given and on boards that wrap: one question, whichever solver answers.

use std::ops::ControlFlow;

use ishi_words::{CodedError, CodedMessage, ErrorFacts, coded, facts};
use ishi_work::{Observer, Progress};
use thiserror::Error;

use crate::domination::{self, BoardShape, BoardSolution, DominationOptions, DominationStatus};
use crate::frontier::{self, SweepError, Wrap, WrappedError};
use crate::positions::{self, GivenBoard, PositionsError};
use crate::{Board, Cell, verify};

/// What is asked.
#[derive(Clone, Debug)]
pub struct StringsTask {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Joined edges; such a board has no points given.
    pub wrap: Option<Wrap>,
    /// Points that are given, on a board of this size.
    pub given: Option<GivenBoard>,
    /// Threads; the answer does not depend on them.
    pub threads: usize,
    /// Bytes that the states of the solvers and their tables of bounds may take together, about. Without a number they take what the solvers allow.
    pub memory: Option<usize>,
}

impl StringsTask {
    /// A board with all points free.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use ishi_grid::strings::{StringsTask, solve_task};
    /// let task = StringsTask { threads: 2, ..StringsTask::new(9, 7) };
    /// let found = solve_task(&task, &mut |_| ControlFlow::Continue(())).unwrap();
    /// assert_eq!(found.strings, found.bound, "proved");
    /// assert_eq!(found.strings, 63 - found.board.empty_count());
    /// ```
    #[must_use]
    pub fn new(width: usize, height: usize) -> StringsTask {
        StringsTask { width, height, wrap: None, given: None, threads: 1, memory: None }
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct StringsSolution {
    /// The board with the most strings that was found.
    pub board: Board,
    /// Its strings.
    pub strings: usize,
    /// No board has more.
    pub bound: usize,
    /// Most states of a frontier in any sweep.
    pub widest: usize,
    /// States of all frontiers.
    pub states: u64,
    /// Counted again by the checker that shares nothing with the solver; boards without wraps only.
    pub verified: bool,
}

/// Hears of the work, and may stop it. The note says what the sweep is about, with its states.
pub type StringsObserver<'a> = Observer<'a, Progress<String>>;

/// Why nothing was found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StringsError {
    /// The observer wished it.
    #[error("stopped")]
    Stopped,
    /// The given stones leave no board.
    #[error("no board fits what is given: some stone has no liberty")]
    Infeasible,
    /// Too large, or not to be wrapped.
    #[error("{0}")]
    Input(CodedMessage),
    /// Solver and checker do not agree.
    #[error("the solver says {solver} strings, the checker {checker}: please report this as a bug")]
    Wrong {
        /// Strings by the solver.
        solver: usize,
        /// Strings by the checker.
        checker: u64,
    },
}

impl CodedError for StringsError {
    fn facts(&self) -> ErrorFacts {
        match self {
            StringsError::Stopped => facts!["strings-stopped"],
            StringsError::Infeasible => facts!["strings-infeasible"],
            StringsError::Input(what) => what.facts(),
            StringsError::Wrong { solver, checker } => facts!["strings-wrong", solver, checker],
        }
    }
}

/// Solves, and has the board counted again.
///
/// # Errors
/// If it is stopped, if no board fits, or if the board is of no kind that the solvers take.
///
/// ```
/// use std::ops::ControlFlow;
/// use ishi_grid::strings::{StringsTask, solve_task};
/// let found = solve_task(&StringsTask::new(9, 9), &mut |_| ControlFlow::Continue(())).unwrap();
/// assert_eq!((found.strings, found.bound, found.verified), (61, 61, true));
/// ```
pub fn solve_task(
    task: &StringsTask,
    observer: StringsObserver<'_>,
) -> Result<StringsSolution, StringsError> {
    let found = match (task.wrap, &task.given) {
        (Some(wrap), _) => return solve_wrapped_board(task, wrap, observer),
        (None, Some(given)) => solve_given_board(given, task, observer)?,
        (None, None) => solve_free_board(&BoardShape::new(task.width, task.height), task, observer)?,
    };
    verify_solution(found)
}

fn solve_free_board(
    shape: &BoardShape,
    task: &StringsTask,
    observer: StringsObserver<'_>,
) -> Result<StringsSolution, StringsError> {
    let solution = solve_shape(shape, task.threads, task.memory, observer)?;
    let cells = shape.cell_count();
    let (Some(strings), Some(board)) = (solution.string_count(), solution.board) else {
        return Err(StringsError::Infeasible);
    };
    let bound = cells - solution.bound;
    Ok(StringsSolution {
        board,
        strings,
        bound,
        widest: solution.widest,
        states: solution.states,
        verified: false,
    })
}

/// The board needs more memory than it may take.
fn memory_error(memory: usize) -> StringsError {
    StringsError::Input(coded![
        "strings-memory",
        "the board needs more than {megabytes} MB of memory, the most here: it must be smaller",
        megabytes = memory >> 20
    ])
}

fn solve_shape(
    shape: &BoardShape,
    threads: usize,
    memory: Option<usize>,
    observer: StringsObserver<'_>,
) -> Result<BoardSolution, StringsError> {
    let options = DominationOptions { threads, memory, ..DominationOptions::default() };
    let solution = domination::solve_domination(shape, options, &mut |progress| {
        let note = format!("{} states", progress.note.states);
        observer(progress.with_note(note))
    });
    match solution.status {
        DominationStatus::OverMemory => Err(memory_error(memory.unwrap_or_default())),
        DominationStatus::Stopped => Err(StringsError::Stopped),
        _ => Ok(solution),
    }
}

/// Given stones may join into chains, which boards of alternating colours never do. Such a board is optimal all the same
/// if it reaches what is possible with the stones' points free; otherwise the search in any colours decides.
fn solve_given_board(
    given: &GivenBoard,
    task: &StringsTask,
    observer: StringsObserver<'_>,
) -> Result<StringsSolution, StringsError> {
    let (threads, memory) = (task.threads, task.memory);
    let (width, height) = (given.width(), given.height());
    let (mut strict, mut relaxed) = (BoardShape::new(width, height), BoardShape::new(width, height));
    let mut fits = [true; 2];
    for y in 0..height {
        for x in 0..width {
            let point = given.point(x, y);
            match point {
                positions::PointConstraint::Any => {}
                positions::PointConstraint::Empty => {
                    strict.set_given(x, y, domination::CellConstraint::Empty);
                    relaxed.set_given(x, y, domination::CellConstraint::Empty);
                }
                _ => strict.set_given(x, y, domination::CellConstraint::Stone),
            }
            let alternate = Cell::alternating_stone(x, y);
            let empty = point.allows(Cell::Empty);
            // There are two boards of alternating colours: do the given stones agree with one of them?
            fits[0] &= empty || point.allows(alternate);
            fits[1] &= empty || point.allows(other_colour(alternate));
        }
    }
    let bound = solve_shape(&relaxed, threads, memory, observer)?;
    let strings = width * height - bound.bound;
    let alternating =
        if fits[0] || fits[1] { Some(solve_shape(&strict, threads, memory, observer)?) } else { None };
    let found = alternating.and_then(|solution| {
        let board = solution.board.as_ref()?;
        Some(StringsSolution {
            board: if fits[0] { board.clone() } else { swap_colours(board) },
            strings: solution.string_count()?,
            bound: strings,
            widest: solution.widest.max(bound.widest),
            states: solution.states + bound.states,
            verified: false,
        })
    });
    match found {
        // A wider board cannot be searched in any colours: its bound says how much may be missing.
        Some(found) if found.strings == strings || width.min(height) > positions::maximum::WIDEST => {
            Ok(found)
        }
        _ => solve_in_any_colours(given, memory, observer),
    }
}

fn solve_in_any_colours(
    given: &GivenBoard,
    memory: Option<usize>,
    observer: StringsObserver<'_>,
) -> Result<StringsSolution, StringsError> {
    let too_much = |bytes: usize| memory.filter(|&memory| bytes > memory).map(memory_error);
    let (width, cells) = (given.width().min(given.height()), given.width() * given.height());
    // The solver refuses wider ones itself.
    if width <= positions::maximum::WIDEST
        && let Some(error) = too_much(positions::maximum::table_bytes(width, cells))
    {
        return Err(error);
    }
    let mut over = None;
    let found = positions::find_maximum(given, &mut |progress| {
        over = too_much(progress.note.bytes);
        if over.is_some() {
            return ControlFlow::Break(());
        }
        let note = format!("any colours: {} states", progress.note.states);
        observer(progress.with_note(note))
    });
    let found = found.map_err(|error| match error {
        PositionsError::Stopped => over.unwrap_or(StringsError::Stopped),
        error => StringsError::Input(coded![
            "strings-chains-given",
            "the given stones join into chains, so that boards of alternating colours do not decide; and {cause}",
            cause = error
        ]),
    })?;
    let Some(found) = found else {
        return Err(StringsError::Infeasible);
    };
    let (widest, states) = (found.work.widest, found.work.states);
    Ok(StringsSolution {
        board: found.board,
        strings: found.chains,
        bound: found.chains,
        widest,
        states,
        verified: false,
    })
}

fn other_colour(cell: Cell) -> Cell {
    match cell {
        Cell::Black => Cell::White,
        Cell::White => Cell::Black,
        Cell::Empty => Cell::Empty,
    }
}

fn swap_colours(board: &Board) -> Board {
    let mut swapped = Board::new(board.width(), board.height());
    for y in 0..board.height() {
        for x in 0..board.width() {
            swapped.set(x, y, other_colour(board.cell(x, y)));
        }
    }
    swapped
}

fn solve_wrapped_board(
    task: &StringsTask,
    wrap: Wrap,
    observer: StringsObserver<'_>,
) -> Result<StringsSolution, StringsError> {
    let mut stopped = false;
    let (mut widest, mut states) = (0, 0);
    let usual = frontier::SweepOptions::default().most_states;
    // A layer is made out of the one before.
    let bytes = 2 * frontier::wrapped::bytes_of_state(task.width.saturating_mul(task.height));
    let most_states = task.memory.map_or(usual, |memory| usual.min(memory / bytes));
    let options = frontier::SweepOptions { threads: task.threads, most_states };
    let found = frontier::solve_wrapped(task.width, task.height, wrap, options, &mut |progress| {
        widest = widest.max(progress.note.states);
        states += progress.note.states as u64;
        let note = format!("{} empty points: {} states", progress.note.goal, progress.note.states);
        let flow = observer(progress.with_note(note));
        stopped |= flow == ControlFlow::Break(());
        flow
    });
    match found {
        Ok(found) => {
            let (strings, board) = (found.strings, found.board);
            Ok(StringsSolution { board, strings, bound: strings, widest, states, verified: false })
        }
        Err(_) if stopped => Err(StringsError::Stopped),
        Err(WrappedError::Sweep(SweepError::States { .. })) if most_states < usual => {
            Err(memory_error(task.memory.unwrap_or_default()))
        }
        Err(error) => Err(StringsError::Input(coded!["strings-unsolvable", "{cause}", cause = error])),
    }
}

/// The checker counts again.
fn verify_solution(found: StringsSolution) -> Result<StringsSolution, StringsError> {
    let letters: Vec<u8> = found.board.cells().iter().map(|cell| cell.letter() as u8).collect();
    let verdict = verify::verify_board(found.board.width(), found.board.height(), &letters);
    let verdict = verdict
        .map_err(|error| StringsError::Input(coded!["strings-unsolvable", "{cause}", cause = error]))?;
    if verdict.is_legal() && verdict.total_chains() == found.strings as u64 {
        return Ok(StringsSolution { verified: true, ..found });
    }
    Err(StringsError::Wrong { solver: found.strings, checker: verdict.total_chains() })
}

/// Reads points that are given: as many rows as the board has, of `?` (free) `.` (empty) `#` (a stone) `X` (black) `O` (white).
///
/// ```
/// use ishi_grid::positions::PointConstraint;
/// use ishi_grid::strings::read_given;
/// let given = read_given("? X\n. #", 2, 2).unwrap();
/// assert_eq!((given.point(1, 0), given.point(0, 1)), (PointConstraint::Black, PointConstraint::Empty));
/// assert!(read_given("? X", 2, 2).is_err(), "a row is missing");
/// ```
///
/// # Errors
/// Names the row and column that is wrong.
pub fn read_given(text: &str, width: usize, height: usize) -> Result<GivenBoard, StringsError> {
    let mut given = GivenBoard::new(width, height);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    if lines.len() != height {
        return Err(StringsError::Input(coded![
            "strings-rows",
            "rows of points: there must be {height}, and there are {rows}",
            rows = lines.len(),
            height
        ]));
    }
    for (y, line) in lines.iter().enumerate() {
        let letters: Vec<char> = line.chars().filter(|letter| !letter.is_whitespace()).collect();
        if letters.len() != width {
            return Err(StringsError::Input(coded![
                "strings-row",
                "row {row} has {points} points, the board has {width} columns",
                row = y + 1,
                points = letters.len(),
                width
            ]));
        }
        for (x, letter) in letters.into_iter().enumerate() {
            let point = match letter {
                '?' => positions::PointConstraint::Any,
                '.' => positions::PointConstraint::Empty,
                '#' => positions::PointConstraint::Stone,
                'X' | 'x' => positions::PointConstraint::Black,
                'O' | 'o' => positions::PointConstraint::White,
                letter => {
                    return Err(StringsError::Input(coded![
                        "strings-point",
                        "row {row}, column {column}: {letter} is none of ? (free) . (empty) # (a stone) X (black) O (white)",
                        row = y + 1,
                        column = x + 1,
                        letter = format!("{letter:?}")
                    ]));
                }
            };
            given.set_point(x, y, point);
        }
    }
    Ok(given)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(task: &StringsTask) -> Result<StringsSolution, StringsError> {
        solve_task(task, &mut |_| ControlFlow::Continue(()))
    }

    #[test]
    fn every_kind_of_board_is_solved() {
        assert_eq!(found(&StringsTask::new(5, 5)).unwrap().strings, 18);
        let torus = StringsTask { wrap: Some(Wrap::Torus), ..StringsTask::new(4, 4) };
        let on_torus = found(&torus).unwrap();
        assert_eq!((on_torus.strings, on_torus.verified), (12, false));
        let given = read_given("?#?\n#.#\n?#?", 3, 3).unwrap();
        let with_given = found(&StringsTask { given: Some(given), ..StringsTask::new(3, 3) }).unwrap();
        assert_eq!(with_given.board.cell(1, 1), Cell::Empty);
        assert!(with_given.verified && with_given.strings <= with_given.bound);
    }

    #[test]
    fn boards_that_need_more_memory_than_they_may_take_are_refused() {
        let with_given = |text: &str, side| StringsTask {
            given: Some(read_given(text, side, side).unwrap()),
            ..StringsTask::new(side, side)
        };
        let torus = StringsTask { wrap: Some(Wrap::Torus), ..StringsTask::new(5, 5) };
        let alternating = with_given(".?????\n??????\n??????\n??????\n??????\n??????", 6);
        let chained = with_given("XX??\n????\n????\n????", 4);
        let free = StringsTask::new(19, 19);
        for task in [free, torus, alternating, chained.clone()] {
            let whole = found(&task).unwrap();
            let enough = found(&StringsTask { memory: Some(64 << 20), ..task.clone() }).unwrap();
            assert_eq!((enough.strings, enough.states), (whole.strings, whole.states));
            let error = found(&StringsTask { memory: Some(100), ..task }).unwrap_err().to_string();
            assert_eq!(error, "the board needs more than 0 MB of memory, the most here: it must be smaller");
        }
        // What the colours need besides is told before it is taken, and while it grows.
        let given = chained.given.unwrap();
        let any = |memory| solve_in_any_colours(&given, Some(memory), &mut |_| ControlFlow::Continue(()));
        let table = positions::maximum::table_bytes(4, 16);
        assert!(any(table - 1).is_err() && any(table + 16).is_err() && any(table + (64 << 20)).is_ok());
    }

    /// Points that are given all along the edges leave no repetition that would save tables. That is told before any is computed.
    #[test]
    fn a_large_board_whose_bounds_need_too_much_memory_is_refused_at_once() {
        let letter =
            |x: usize, y: usize| if (x * x + 3 * y * y + x * y).is_multiple_of(7) { '.' } else { '?' };
        let rows = (0..120).map(|y| (0..120).map(|x| letter(x, y)).collect::<String>());
        let given = read_given(&rows.collect::<Vec<_>>().join("\n"), 120, 120).unwrap();
        let board = StringsTask { given: Some(given), memory: Some(512 << 20), ..StringsTask::new(120, 120) };
        let mut heard = 0;
        let refused = solve_task(&board, &mut |_| {
            heard += 1;
            // The walks alone are asked about 1605 times; all steps and tables would be many times that.
            if heard > 2_000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let error = refused.unwrap_err().to_string();
        assert_eq!(error, "the board needs more than 512 MB of memory, the most here: it must be smaller");
        // Whether tables repeat themselves is known when they are computed.
        let within = |memory| found(&StringsTask { memory: Some(memory), ..StringsTask::new(30, 30) });
        assert_eq!(within(32 << 20).unwrap_err(), memory_error(32 << 20));
        assert_eq!(within(256 << 20).unwrap().strings, 900 - (32 * 32 / 5 - 4));
    }

    /// A board of one line has no tables, so that its states alone are held against the memory.
    #[test]
    fn states_are_held_against_the_memory() {
        let error = found(&StringsTask { memory: Some(10), ..StringsTask::new(1, 9) }).unwrap_err();
        assert_eq!(error, memory_error(10));
    }

    #[test]
    fn it_can_be_stopped_and_says_what_is_impossible() {
        let stopped = solve_task(&StringsTask::new(12, 12), &mut |_| ControlFlow::Break(()));
        assert_eq!(stopped.unwrap_err(), StringsError::Stopped);
        let full = read_given("##\n##", 2, 2).unwrap();
        let error = found(&StringsTask { given: Some(full), ..StringsTask::new(2, 2) }).unwrap_err();
        assert_eq!(error, StringsError::Infeasible);
        let error = read_given("?!", 2, 1).unwrap_err().to_string();
        assert!(error.starts_with("row 1, column 2: '!' is none of"), "{error}");
        assert!(read_given("???", 2, 1).unwrap_err().to_string().contains("row 1 has 3 points"));
    }
}
