//! What is solved: problems of Go, ends of Othello games, strings on boards, decks.

use ishi_work::StopFlag;
use std::ops::ControlFlow;
use std::path::PathBuf;

use ishi_deck::Problem;
use ishi_deck_documents::pool::{TableFiles, load_pool, read_pool, refuse_sibling_file};
use ishi_deck_documents::request::read_request;
use ishi_deck_documents::solve::{TimedAnswer, solve_problem as solve_deck};
use ishi_deck_documents::{AnswerDocument, PoolFile, SolveRequest};
use ishi_go::{Color, Diagram, Point};
use ishi_go_play::go_mcts::{ProblemParams, ProblemSolution, solve_problem};
use ishi_go_play::problems::area_around_stones;
use ishi_grid::LayerStep;
use ishi_grid::domination::{
    BoardCounts, BoardShape, CountError, DEEPEST, DominationOptions, count_boards, solve_domination,
};
use ishi_grid::frontier::Wrap;
use ishi_grid::strings::{self, StringsError, StringsSolution, StringsTask};
use ishi_grid::{Cell, construct};
use ishi_othello_play::search::{CutConfidence, FoundMove, SearchEffort, SearchParams, SearchTask, Searcher};
use ishi_rng::Seed;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use serde_json::{Value, json};

use crate::games::classes::OthelloState;
use crate::games::othello::action_of_move;
use crate::interrupt::run_detached;
use crate::values::{check_threads, failed, invalid, json_to_python, shaped_array, to_python};
use crate::whole;

/// Goes on until the flag is set.
fn flow(stop: &StopFlag) -> ControlFlow<()> {
    if stop.is_requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Solves a problem of Go: the best move of one part of the board, where all that matters stands near the stones.
///
/// solve_go_problem(diagram, to_move="black", *, playouts=None, seed=1)
///
/// diagram: rows from the top, X black, O white, . empty. to_move: "black" or "white". playouts: of the search where reading does not
/// decide, 30,000 if not given. Gives None if nothing depends on who moves first, else a dictionary: move, proved (by reading), success (0 to 1, the share of
/// what is at stake that it gets), stakes, variation. ValueError says what is wrong with the diagram.
#[pyfunction]
#[pyo3(signature = (diagram, to_move="black", *, playouts=None, seed=1))]
fn solve_go_problem<'py>(
    py: Python<'py>,
    diagram: &str,
    to_move: &str,
    #[pyo3(from_py_with = whole::playouts)] playouts: Option<u64>,
    #[pyo3(from_py_with = whole::seed)] seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let diagram: Diagram = diagram.parse().map_err(invalid)?;
    let color: Color = to_move.parse().map_err(invalid)?;
    let board = diagram.to_board().map_err(invalid)?;
    let stones = |side: Color| -> Vec<Point> {
        diagram.stones.iter().filter(|stone| stone.0 == side).map(|stone| stone.1).collect()
    };
    let area = area_around_stones(diagram.size, &stones(Color::Black), &stones(Color::White));
    let moves: Vec<Point> = area.into_iter().filter(|&point| board.is_legal(color, point)).collect();
    let usual = ProblemParams::default();
    let params = ProblemParams { playouts: playouts.unwrap_or(usual.playouts), ..usual };
    let solution = run_detached(py, |stop| {
        let stop = || stop.is_requested();
        solve_problem(&board, color, &moves, &params, &stop, Seed::new(seed))
    })?;
    json_to_python(py, &solution.map_or(Value::Null, |solution| describe_solution(&solution)))
}

fn describe_solution(solution: &ProblemSolution) -> Value {
    let stakes = solution.stakes.iter().map(
        |stake| json!({ "stone": stake.stone.to_string(), "depends": stake.depends, "weight": stake.weight }),
    );
    json!({
        "move": solution.mv.to_string(),
        "proved": solution.proved,
        "success": solution.success,
        "stakes": stakes.collect::<Vec<Value>>(),
        "variation": solution.variation.iter().map(ToString::to_string).collect::<Vec<String>>(),
    })
}

/// Solves a position of Othello to its end: the exact score with best play. 20 empty squares take about a second, each more about
/// two to three times as long.
///
/// solve_othello(state, *, threads=1)
///
/// Gives a dictionary: score (discs for the side to move, empty squares to the winner), action and move of a best move (64 and "pass" where there is
/// no other), variation (actions), nodes. Threads change the time, not the score. ValueError if the number of threads is out of range.
#[pyfunction]
#[pyo3(signature = (state, *, threads=1))]
fn solve_othello<'py>(
    py: Python<'py>,
    state: &OthelloState,
    #[pyo3(from_py_with = whole::threads)] threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let board = state.inner.position.board();
    let params = SearchParams { hash_bits: 20, threads: check_threads(threads)? };
    let found = run_detached(py, |stop| {
        let effort = SearchEffort { depth: 60, exact: 60, win_loss: 60, confidence: CutConfidence::Full };
        let stop = || stop.is_requested();
        let mut silent = |_: &FoundMove| {};
        let mut task = SearchTask { stop: &stop, ..SearchTask::new(effort, &mut silent) };
        Searcher::new(params).search_board(board, &mut task)
    })?;
    let told = json!({
        "score": found.score,
        "action": action_of_move(found.mv),
        "move": found.mv.to_string(),
        "variation": found.variation.iter().map(|square| square.index()).collect::<Vec<usize>>(),
        "nodes": found.nodes,
    });
    json_to_python(py, &told)
}

/// The most chains that a board can hold, every one with a liberty (the maximum string problem), with a board and a proof.
///
/// solve_strings(width, height=None, *, wrap=None, given=None, threads=1)
///
/// width, height: lines; a square board without height. wrap: "cylinder" joins the columns at both ends, "torus" the rows as well. given: points
/// that are given, rows of ? (free) . (empty) # (a stone) X (black) O (white). Gives a dictionary: strings, bound (no board has more), optimal,
/// verified (counted by an independent checker; boards without wraps), states, and board, int8 [height, width], 0 empty, 1 black, 2 white, the
/// top row first. ValueError says what is wrong, or that no board fits what is given.
#[pyfunction]
#[pyo3(signature = (width, height=None, *, wrap=None, given=None, threads=1))]
fn solve_strings<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = whole::width)] width: usize,
    #[pyo3(from_py_with = whole::height)] height: Option<usize>,
    wrap: Option<&str>,
    given: Option<&str>,
    #[pyo3(from_py_with = whole::threads)] threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let height = height.unwrap_or(width);
    check_lines(width, height, 10_000)?;
    let wrap = wrap.map(parse_wrap).transpose()?;
    if wrap.is_some() && given.is_some() {
        return Err(invalid("wrap and given together: give one of them"));
    }
    let given = given.map(|text| strings::read_given(text, width, height)).transpose().map_err(invalid)?;
    let task =
        StringsTask { wrap, given, threads: check_threads(threads)?, ..StringsTask::new(width, height) };
    let found = run_detached(py, |stop| strings::solve_task(&task, &mut |_| flow(stop)))?;
    let found = found.map_err(|error| match error {
        StringsError::Wrong { .. } => failed(error),
        error => invalid(error),
    })?;
    describe_strings(py, &found)
}

fn describe_strings<'py>(py: Python<'py>, found: &StringsSolution) -> PyResult<Bound<'py, PyDict>> {
    let board = &found.board;
    let number = |cell: &Cell| match cell {
        Cell::Empty => 0_i8,
        Cell::Black => 1,
        Cell::White => 2,
    };
    let cells: Vec<i8> = board.cells().iter().map(number).collect();
    let told = PyDict::new(py);
    told.set_item("strings", found.strings)?;
    told.set_item("bound", found.bound)?;
    told.set_item("optimal", found.strings == found.bound)?;
    told.set_item("verified", found.verified)?;
    told.set_item("states", found.states)?;
    told.set_item("board", shaped_array(py, cells, [board.height(), board.width()])?)?;
    Ok(told)
}

fn check_lines(width: usize, height: usize, most: usize) -> PyResult<()> {
    if (1..=most).contains(&width) && (1..=most).contains(&height) {
        return Ok(());
    }
    Err(invalid(format!("invalid size {width}x{height}: a board must have 1 to {most} lines each way here")))
}

fn parse_wrap(text: &str) -> PyResult<Wrap> {
    match text {
        "cylinder" => Ok(Wrap::Cylinder),
        "torus" => Ok(Wrap::Torus),
        _ => Err(invalid(format!("invalid wrap {text:?}: write cylinder or torus"))),
    }
}

/// How many boards there are with the most strings, with one less, and so on; stones white on even points and black on odd ones.
///
/// count_strings(width, height=None, *, numbers=1, threads=1)
///
/// numbers: how many numbers of strings to count. Gives a list of pairs, number of strings and exact number of boards (an int of any size).
/// ValueError says what is wrong.
#[pyfunction]
#[pyo3(signature = (width, height=None, *, numbers=1, threads=1))]
fn count_strings<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = whole::width)] width: usize,
    #[pyo3(from_py_with = whole::height)] height: Option<usize>,
    #[pyo3(from_py_with = whole::numbers)] numbers: usize,
    #[pyo3(from_py_with = whole::threads)] threads: usize,
) -> PyResult<Bound<'py, PyList>> {
    let height = height.unwrap_or(width);
    check_lines(width, height, 127)?;
    if !(1..=128).contains(&numbers) {
        return Err(invalid(format!("invalid numbers {numbers}: it must be 1 to 128")));
    }
    let shape = BoardShape::new(width, height);
    let options = DominationOptions { threads: check_threads(threads)?, ..DominationOptions::default() };
    let counts =
        run_detached(py, |stop| count_by_strings(&shape, numbers, options, stop))?.map_err(invalid)?;
    let whole = py.import("builtins")?.getattr("int")?;
    let rows = PyList::empty(py);
    for (less, boards) in counts.boards.iter().enumerate() {
        rows.append((shape.cell_count() - counts.empties - less, whole.call1((boards.to_string(),))?))?;
    }
    Ok(rows)
}

/// Up to so many lines tables of the usual depth are enough.
const FEW_STATES: usize = 24;

fn count_by_strings(
    shape: &BoardShape,
    numbers: usize,
    options: DominationOptions,
    stop: &StopFlag,
) -> Result<BoardCounts, CountError> {
    let mut observer = |_: LayerStep| flow(stop);
    let empties = match construct::construct_empties(shape.width(), shape.height()) {
        Some(built) => built.empty_count(),
        None => solve_domination(shape, options, &mut observer).empties.ok_or(CountError::Stopped)?,
    };
    let numbers = numbers.min(shape.cell_count() - empties + 1);
    // As the command line: deeper tables take longer, and save more than that where there are many states.
    let depth = if shape.width().min(shape.height()) > FEW_STATES { DEEPEST } else { options.depth };
    let options = DominationOptions { depth, ..options };
    count_boards(shape, empties, numbers, options, &mut observer)
}

/// The best deck of a pool within limits, with a proof or a gap.
///
/// build_deck(pool, request=None, *, seed=1)
///
/// pool: a document as a dictionary, as JSON or TOML text, or a path (pathlib.Path) of a .json, .toml or .csv file. request: what is wanted, as a dictionary or
/// text; sixteen pieces if not given. docs/decks.md says what may stand in them. Gives the dictionary that `ishi deck build --json` prints: status ("optimal" is proved),
/// deck (names), value, bound, gap, costs, reasons (why there is no deck). ValueError names the document, line and field that is wrong.
#[pyfunction]
#[pyo3(signature = (pool, request=None, *, seed=1))]
fn build_deck<'py>(
    py: Python<'py>,
    pool: &Bound<'py, PyAny>,
    request: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = whole::seed)] seed: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let pool = read_pool_argument(pool)?;
    let mut wish = match request {
        None => SolveRequest::default_for_pool(&pool),
        Some(request) => {
            let text = document_text(request)?;
            read_request("request", text.as_bytes(), &pool, &refuse_sibling_file).map_err(invalid)?
        }
    };
    let method = wish.settings.method.unwrap_or_default();
    wish.settings.method = Some(method);
    let problem = Problem::new(pool.pool.clone(), &wish.request).map_err(invalid)?;
    let timed: TimedAnswer =
        run_detached(py, |stop| solve_deck(&problem, &wish.settings, Seed::new(seed), &mut |_| flow(stop)))?;
    to_python(py, &AnswerDocument::from_timed_answer(&problem, &timed, method))
}

fn read_pool_argument(pool: &Bound<'_, PyAny>) -> PyResult<PoolFile> {
    if pool.hasattr("__fspath__")? {
        return load_pool(&pool.extract::<PathBuf>()?, &TableFiles::default()).map_err(invalid);
    }
    let text = document_text(pool)?;
    read_pool("pool", text.as_bytes(), &refuse_sibling_file, &TableFiles::default()).map_err(invalid)
}

/// A document as text: a dictionary as JSON.
fn document_text(document: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = document.cast::<PyString>() {
        return text.extract();
    }
    if document.cast::<PyDict>().is_err() {
        return Err(PyTypeError::new_err("a document must be a dictionary or a text"));
    }
    document.py().import("json")?.getattr("dumps")?.call1((document,))?.extract()
}

pub(crate) fn add_to_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(solve_go_problem, module)?)?;
    module.add_function(wrap_pyfunction!(solve_othello, module)?)?;
    module.add_function(wrap_pyfunction!(solve_strings, module)?)?;
    module.add_function(wrap_pyfunction!(count_strings, module)?)?;
    module.add_function(wrap_pyfunction!(build_deck, module)?)
}
