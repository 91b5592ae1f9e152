//! Statistics of results: intervals, tests, Elo, the sequential test, ratings.

use ishi_stats::elo;
use ishi_stats::{
    ConfidenceLevel, GameOutcomes, Interval, IntervalMethod, PairResult, PlayerIndex, Proportion,
    RatingsParams, Sprt, SprtDecision, TestAlternative, TestMethod, compute_ratings,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::values::{invalid, read_float};
use crate::whole;

fn ends(interval: Interval) -> (f64, f64) {
    (interval.low, interval.high)
}

fn read_outcomes(
    wins: Option<u64>,
    draws: u64,
    losses: Option<u64>,
    pairs: Option<[u64; 5]>,
) -> PyResult<GameOutcomes> {
    match (wins, losses, pairs) {
        (Some(wins), Some(losses), None) => Ok(GameOutcomes::from_games(wins, draws, losses)),
        (None, None, Some(pairs)) if draws == 0 => Ok(GameOutcomes::from_pairs(pairs)),
        _ => Err(invalid(
            "give either wins, draws and losses, or pairs: how many brought 0, 1/2, 1, 3/2 and 2 points",
        )),
    }
}

/// The win rate of games without draws, with intervals.
///
/// win_rate(wins, games, *, confidence=0.95)
///
/// Gives a dictionary: rate, and intervals (low, high) within 0 to 1: wilson (to be preferred), wilson_corrected, clopper_pearson (exact), wald.
/// ValueError says what is wrong.
#[pyfunction]
#[pyo3(signature = (wins, games, *, confidence=0.95))]
fn win_rate<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = whole::wins)] wins: u64,
    #[pyo3(from_py_with = whole::games)] games: u64,
    #[pyo3(from_py_with = read_float)] confidence: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let proportion = Proportion::new(wins, games).map_err(invalid)?;
    let confidence = ConfidenceLevel::new(confidence).map_err(invalid)?;
    let told = PyDict::new(py);
    told.set_item("rate", proportion.rate())?;
    let methods = [
        ("wilson", IntervalMethod::Wilson),
        ("wilson_corrected", IntervalMethod::WilsonCorrected),
        ("clopper_pearson", IntervalMethod::ClopperPearson),
        ("wald", IntervalMethod::Wald),
    ];
    for (name, method) in methods {
        told.set_item(name, ends(proportion.rate_interval(method, confidence)))?;
    }
    Ok(told)
}

/// The p-value of the hypothesis that the true win rate is p0.
///
/// binomial_test(wins, games, p0=0.5, *, alternative="two-sided", method="exact")
///
/// alternative: "two-sided", "greater" or "less". method: "exact", "mid-p", "normal" or "normal-corrected". ValueError says what is wrong.
#[pyfunction]
#[pyo3(signature = (wins, games, p0=0.5, *, alternative="two-sided", method="exact"))]
fn binomial_test(
    #[pyo3(from_py_with = whole::wins)] wins: u64,
    #[pyo3(from_py_with = whole::games)] games: u64,
    #[pyo3(from_py_with = read_float)] p0: f64,
    alternative: &str,
    method: &str,
) -> PyResult<f64> {
    let alternative = match alternative {
        "two-sided" => TestAlternative::TwoSided,
        "greater" => TestAlternative::Greater,
        "less" => TestAlternative::Less,
        other => {
            return Err(invalid(format!("invalid alternative {other:?}: write two-sided, greater or less")));
        }
    };
    let method = match method {
        "exact" => TestMethod::Exact,
        "mid-p" => TestMethod::MidP,
        "normal" => TestMethod::Normal,
        "normal-corrected" => TestMethod::NormalCorrected,
        other => {
            let right = "write exact, mid-p, normal or normal-corrected";
            return Err(invalid(format!("invalid method {other:?}: {right}")));
        }
    };
    Proportion::new(wins, games).and_then(|wins| wins.p_value(method, alternative, p0)).map_err(invalid)
}

/// The score of games with draws, or of game pairs, and its Elo difference.
///
/// score(wins, draws, losses, *, pairs=None, confidence=0.95)
///
/// pairs: instead of the three, how many pairs of games brought 0, 1/2, 1, 3/2 and 2 points; only pairs tell the variance right where both games begin with the same opening. Gives a dictionary: games, score (0 to 1), std_error,
/// interval, wald, elo and elo_interval (infinite for wins only), superiority. ValueError says what is wrong.
#[pyfunction]
#[pyo3(signature = (wins=None, draws=0, losses=None, *, pairs=None, confidence=0.95))]
fn score<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = whole::wins)] wins: Option<u64>,
    #[pyo3(from_py_with = whole::draws)] draws: u64,
    #[pyo3(from_py_with = whole::losses)] losses: Option<u64>,
    #[pyo3(from_py_with = whole::pairs)] pairs: Option<[u64; 5]>,
    #[pyo3(from_py_with = read_float)] confidence: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let outcomes = read_outcomes(wins, draws, losses, pairs)?;
    let confidence = ConfidenceLevel::new(confidence).map_err(invalid)?;
    let report = outcomes.score_report(confidence).map_err(invalid)?;
    let told = PyDict::new(py);
    told.set_item("games", report.games)?;
    told.set_item("score", report.score)?;
    told.set_item("std_error", report.std_error)?;
    told.set_item("interval", ends(report.interval))?;
    told.set_item("wald", ends(report.wald))?;
    told.set_item("elo", report.elo)?;
    told.set_item("elo_interval", ends(report.elo_interval))?;
    told.set_item("superiority", report.superiority)?;
    Ok(told)
}

/// The Elo difference at which a score, 0 to 1, is expected; infinite for 0 and 1. ValueError says what is wrong.
#[pyfunction]
fn elo_difference(#[pyo3(from_py_with = read_float)] score: f64) -> PyResult<f64> {
    elo::elo_difference(score).map_err(invalid)
}

/// The score, 0 to 1, that the stronger by so many Elo expects. ValueError if the difference is no number.
#[pyfunction]
fn expected_score(#[pyo3(from_py_with = read_float)] difference: f64) -> PyResult<f64> {
    if difference.is_nan() {
        return Err(invalid(format!("invalid difference {difference}: it must be a number, as 100")));
    }
    Ok(elo::expected_score(difference))
}

/// The sequential test of an Elo difference: may a match stop?
///
/// sprt(wins, draws, losses, *, elo0, elo1, pairs=None, alpha=0.05, beta=0.05)
///
/// elo0, elo1: the differences under H0 and H1, elo1 the greater. pairs: as in score(). alpha, beta: probabilities of accepting H1 when H0 holds, and H0 when H1 holds. Gives a
/// dictionary: llr (the log likelihood ratio), lower, upper, and decision: "continue", "accept_h0" or "accept_h1". ValueError says what is wrong.
#[pyfunction]
#[pyo3(signature = (wins=None, draws=0, losses=None, *, elo0, elo1, pairs=None, alpha=0.05, beta=0.05))]
#[allow(clippy::too_many_arguments)] // Keywords in Python.
fn sprt<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = whole::wins)] wins: Option<u64>,
    #[pyo3(from_py_with = whole::draws)] draws: u64,
    #[pyo3(from_py_with = whole::losses)] losses: Option<u64>,
    #[pyo3(from_py_with = read_float)] elo0: f64,
    #[pyo3(from_py_with = read_float)] elo1: f64,
    #[pyo3(from_py_with = whole::pairs)] pairs: Option<[u64; 5]>,
    #[pyo3(from_py_with = read_float)] alpha: f64,
    #[pyo3(from_py_with = read_float)] beta: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let outcomes = read_outcomes(wins, draws, losses, pairs)?;
    let report = Sprt::new(elo0, elo1, alpha, beta).map_err(invalid)?.sprt_report(&outcomes);
    let decision = match report.decision {
        SprtDecision::Continue => "continue",
        SprtDecision::AcceptH0 => "accept_h0",
        SprtDecision::AcceptH1 => "accept_h1",
    };
    let told = PyDict::new(py);
    told.set_item("llr", report.llr)?;
    told.set_item("lower", report.lower)?;
    told.set_item("upper", report.upper)?;
    told.set_item("decision", decision)?;
    Ok(told)
}

/// Results between two players by name: first, second, wins of the first, draws, losses.
type NamedResult = (String, String, u64, u64, u64);

/// Elo ratings of many players by maximum likelihood; their mean is 0.
///
/// ratings(results, *, confidence=0.95)
///
/// results: tuples (first, second, wins of the first, draws, losses). Gives a list, the strongest first, of dictionaries: name, elo, std_error, interval, games, score.
/// ValueError says what is wrong, such as players who never met.
#[pyfunction]
#[pyo3(signature = (results, *, confidence=0.95))]
fn ratings<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = whole::results)] results: Vec<NamedResult>,
    #[pyo3(from_py_with = read_float)] confidence: f64,
) -> PyResult<Bound<'py, PyList>> {
    let mut names: Vec<String> = Vec::new();
    let mut index_of = |name: String| match names.iter().position(|known| *known == name) {
        Some(at) => PlayerIndex(at),
        None => {
            names.push(name);
            PlayerIndex(names.len() - 1)
        }
    };
    let numbered = results.into_iter().map(|(first, second, wins, draws, losses)| PairResult {
        first: index_of(first),
        second: index_of(second),
        wins,
        draws,
        losses,
    });
    let numbered: Vec<PairResult> = numbered.collect();
    let confidence = ConfidenceLevel::new(confidence).map_err(invalid)?;
    let params = RatingsParams { confidence, ..RatingsParams::default() };
    let mut players = compute_ratings(&names, &numbered, &params).map_err(invalid)?.players;
    players.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
    let list = PyList::empty(py);
    for player in players {
        let told = PyDict::new(py);
        told.set_item("name", player.name)?;
        told.set_item("elo", player.rating.elo)?;
        told.set_item("std_error", player.rating.std_error)?;
        told.set_item("interval", ends(player.rating.interval))?;
        told.set_item("games", player.games)?;
        told.set_item("score", player.score)?;
        list.append(told)?;
    }
    Ok(list)
}

pub(crate) fn add_to_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(win_rate, module)?)?;
    module.add_function(wrap_pyfunction!(binomial_test, module)?)?;
    module.add_function(wrap_pyfunction!(score, module)?)?;
    module.add_function(wrap_pyfunction!(elo_difference, module)?)?;
    module.add_function(wrap_pyfunction!(expected_score, module)?)?;
    module.add_function(wrap_pyfunction!(sprt, module)?)?;
    module.add_function(wrap_pyfunction!(ratings, module)?)
}
