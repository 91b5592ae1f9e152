//! What ishi says of positions and games, as dictionaries: explanations, reviews, hints.

use ishi_work::StopFlag;

use ishi_go::{Color, Move, Point};
use ishi_go_play::explain::listener::Listener;
use ishi_go_play::explain::report::ExplanationReport;
use ishi_go_play::explain::review::{self, LessonWish};
use ishi_go_play::explain::review_report::ReviewReport;
use ishi_go_play::explain::{ExplainParams, Explainer, words};
use ishi_othello_play::coach::words as coach_words;
use ishi_othello_play::coach::{MoveHint, find_hints};
use ishi_othello_play::levels::{Level, LevelLimits};
use ishi_othello_play::search::{SearchParams, Searcher};
use ishi_rng::Seed;
use ishi_words::Language;
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::games::SpielPosition;
use crate::games::classes::{GoState, OthelloState};
use crate::games::go::SpielGo;
use crate::games::othello::action_of_move;
use crate::interrupt::{WallClock, run_detached};
use crate::records::RecordArgument;
use crate::values::{check_threads, failed, invalid, json_to_python, parse_seconds, read_optional_float};
use crate::whole;

/// How much thought, from 1 to 10.
fn check_level(level: u32) -> PyResult<u32> {
    if (1..=10).contains(&level) {
        Ok(level)
    } else {
        Err(invalid(format!("invalid level {level}: it must be a number from 1 to 10")))
    }
}

fn parse_language(lang: &str) -> PyResult<Language> {
    lang.parse().map_err(invalid)
}

fn parse_listener(listener: &str) -> PyResult<Listener> {
    listener.parse().map_err(invalid)
}

/// An explainer for a listener that ends when the flag is set.
fn create_explainer(level: u32, listener: Listener, seed: u64, stop: &StopFlag) -> Explainer {
    let stop = stop.clone();
    let stopped = move || stop.is_requested();
    let params = ExplainParams { listener, ..ExplainParams::of_level(level) };
    Explainer::new(params, Seed::new(seed)).with_stop(stopped)
}

/// The points that are asked about, each of which the side to move may play.
fn read_points(game: &SpielGo, actions: &[i64]) -> PyResult<Vec<Point>> {
    let (position, color) = (&game.position, game.position.to_move());
    let read = |&action: &i64| {
        let mv = game.settings.move_of_action(action).map_err(invalid)?;
        let Move::Play(point) = mv else {
            return Err(invalid("why_not: a pass is no point; give one such as that of D4"));
        };
        position.check_move(color, mv).map_err(|error| {
            invalid(format!("why_not {point}: {color} cannot play there: {}", error.rule))
        })?;
        Ok(point)
    };
    actions.iter().map(read).collect()
}

/// Explains a move of Go: what it does, what else there was, and why not other moves.
///
/// explain_move(state, action=None, *, why_not=(), level=5, seed=1, lang="en", listener="kyu")
///
/// action: the move to explain; the best one if not given. why_not: other actions to ask about. level: how much thought, 1 to 10. lang: "en" or
/// "ja". listener: for whom, "beginner" (short lines, words explained), "kyu" or "dan" (long lines, exact numbers). Gives the dictionary that `ishi explain --json` prints, and `text`, what is said of it. Points are after komi, chances 0 to 1. What is
/// said to be captured, saved, connected or cut was read out. ValueError says which argument is wrong.
#[pyfunction]
#[pyo3(signature = (state, action=None, *, why_not=Vec::new(), level=5, seed=1, lang="en", listener="kyu"))]
#[allow(clippy::too_many_arguments)] // Keywords in Python.
fn explain_move<'py>(
    py: Python<'py>,
    state: &GoState,
    #[pyo3(from_py_with = whole::action)] action: Option<i64>,
    #[pyo3(from_py_with = whole::why_not)] why_not: Vec<i64>,
    #[pyo3(from_py_with = whole::level)] level: u32,
    #[pyo3(from_py_with = whole::seed)] seed: u64,
    lang: &str,
    listener: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let (game, language, level) = (&state.inner, parse_language(lang)?, check_level(level)?);
    let listener = parse_listener(listener)?;
    if let Some(action) = action {
        game.check_action(action).map_err(invalid)?;
    }
    let mv = action.map(|action| game.settings.move_of_action(action)).transpose().map_err(invalid)?;
    let points = read_points(game, &why_not)?;
    let report = run_detached(py, |stop| {
        let mut explainer = create_explainer(level, listener, seed, stop);
        let explanation = explainer.explain_move(&game.position, mv, &points);
        let report = serde_json::to_value(ExplanationReport::from_explanation(&explanation, language));
        report.map(|mut report| {
            report["text"] = Value::from(words::explanation_text(&explanation, language));
            report["seed"] = Value::from(seed);
            report["level"] = Value::from(level);
            report
        })
    })?;
    json_to_python(py, &report.map_err(failed)?)
}

/// Reviews a game of Go: what each move lost, the turning points, lessons.
///
/// review_game(record, *, game=1, player=None, lessons=3, level=5, seed=1, lang="en", listener="kyu")
///
/// record: SGF as text or bytes. game: which game of it, from 1. player: whose lessons, "black" or "white"; both if not given. lessons: how many
/// for each at most. level: how much thought, 1 to 10 (50 positions for a search at level 5). listener: for whom, as in explain_move. Gives a dictionary: moves (number, color, vertex, black_lead in points after komi and
/// black_win_rate after it, lost_points, lost_win_rate, lost_margin, better), turning_points, lessons, praise and phases. ValueError says what is wrong.
#[pyfunction]
#[pyo3(signature = (record, *, game=1, player=None, lessons=3, level=5, seed=1, lang="en", listener="kyu"))]
#[allow(clippy::too_many_arguments)] // Keywords in Python.
fn review_game<'py>(
    py: Python<'py>,
    record: RecordArgument,
    #[pyo3(from_py_with = whole::game)] game: usize,
    player: Option<&str>,
    #[pyo3(from_py_with = whole::lessons)] lessons: usize,
    #[pyo3(from_py_with = whole::level)] level: u32,
    #[pyo3(from_py_with = whole::seed)] seed: u64,
    lang: &str,
    listener: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let (language, level) = (parse_language(lang)?, check_level(level)?);
    let listener = parse_listener(listener)?;
    let player: Option<Color> = player.map(str::parse).transpose().map_err(invalid)?;
    let record = record.read_game(game)?;
    let moves: Vec<(Color, Move)> = record.game.moves().map(|played| (played.color, played.mv)).collect();
    let wish = LessonWish { player, most: lessons };
    let review = run_detached(py, |stop| {
        let mut explainer = create_explainer(level, listener, seed, stop);
        let goes_on = |_| !stop.is_requested();
        let found = review::review_game(
            &mut explainer,
            &moves,
            wish,
            |played| record.position_after(played),
            goes_on,
        );
        found.map(|found| found.map(|found| ReviewReport::from_review(&found, language)))
    })?;
    let review = review.map_err(invalid)?.ok_or_else(|| failed("the review was stopped"))?;
    json_to_python(py, &serde_json::to_value(review).map_err(failed)?)
}

/// Values every legal move of Othello, with reasons.
///
/// othello_hints(state, *, level=14, seconds=None, threads=1, lang="en")
///
/// level: how hard to look, 1 to 20. seconds: time at most. threads: more are quicker, and values that are not exact may differ from run to run then.
/// Gives a list, the best move first: action, move, value (discs for the side to move), loss (discs against the best), meaning ("exact" is
/// proved), depth, confidence in per cent, variation (actions), opening, main_reason (why it loses 2 discs or more by
/// this look or by a deeper one, else None), reasons. It is empty where there is no move. ValueError says which argument is wrong.
#[pyfunction]
#[pyo3(signature = (state, *, level=14, seconds=None, threads=1, lang="en"))]
fn othello_hints<'py>(
    py: Python<'py>,
    state: &OthelloState,
    #[pyo3(from_py_with = whole::othello_level)] level: u32,
    #[pyo3(from_py_with = read_optional_float)] seconds: Option<f64>,
    #[pyo3(from_py_with = whole::threads)] threads: usize,
    lang: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let (language, time) = (parse_language(lang)?, parse_seconds(seconds)?);
    let params = SearchParams { hash_bits: 20, threads: check_threads(threads)? };
    let level: Level = level.to_string().parse().map_err(invalid)?;
    let (board, mover) = (state.inner.position.board(), state.inner.position.to_move());
    let hints = run_detached(py, |stop| {
        let clock = WallClock::start();
        let stop = || stop.is_requested();
        let limits = LevelLimits { time, clock: &clock, stop: &stop };
        let mut searcher = Searcher::new(params);
        find_hints(board, &mut searcher, level.effort_in_discs(board.empty_count()), limits)
    })?;
    let told: Vec<Value> = hints.iter().map(|hint| describe_hint(hint, mover, language)).collect();
    json_to_python(py, &Value::from(told))
}

fn describe_hint(hint: &MoveHint, mover: ishi_othello::Color, language: Language) -> Value {
    let main = hint.main.as_ref();
    let reasons = hint.reasons.iter().map(|&reason| coach_words::describe_reason(reason, language));
    json!({
        "action": action_of_move(hint.found.mv),
        "move": hint.square.to_string(),
        "value": hint.found.score,
        "loss": hint.loss,
        "meaning": hint.found.meaning,
        "depth": hint.found.depth,
        "confidence": hint.found.confidence.percent(),
        "variation": hint.found.variation.iter().map(|square| square.index()).collect::<Vec<usize>>(),
        "opening": hint.opening.and_then(|opening| opening.name(language)),
        "main_reason": main.map(|reason| coach_words::describe_main_reason(reason, mover, language)),
        "reasons": reasons.collect::<Vec<String>>(),
    })
}

pub(crate) fn add_to_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(explain_move, module)?)?;
    module.add_function(wrap_pyfunction!(review_game, module)?)?;
    module.add_function(wrap_pyfunction!(othello_hints, module)?)
}
