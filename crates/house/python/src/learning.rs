//! Players of Othello that learn from games by temporal differences: n-tuple networks.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use ishi_othello::oneply::{LeagueRules, MatchTally};
use ishi_othello_learn::td::{
    Learner, LearningRate, Opponent, OpponentMixture, SharedEvaluator, StepRule, TdParams, UNIT,
    blank_network,
};
use ishi_othello_play::league::LeagueMember;
use ishi_othello_play::ntuple::{NTupleNetwork, NTuplePlayer, NetworkPhases, TupleSet, WhiteView};
use ishi_rng::Seed;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::games::classes::OthelloState;
use crate::interrupt::{lock_attached, lock_detached, run_detached};
use crate::values::{invalid, read_float, read_optional_float};
use crate::whole;

/// Games between two looks at Ctrl-C.
const LOOK: u64 = 200;

/// Players that stay as they are, by their names.
const FIXED_PLAYERS: &str = "standard, random, network or network-against-standard";

/// An n-tuple network for Othello that learns by temporal differences, TD(lambda), from games alone.
///
/// NTupleLearner(patterns="known", *, phases="6", games=1_000_000, opponents=None, lam=0.7, epsilon=0.2, opening=8, rate=2.0, rate_end=None,
///     hold=0.5, coherence=True, network=None, seed=1)
///
/// patterns: sets of tuples joined by +, such as "known", "wide", "line3", "2x4", "snakes6*20" or "a1b1c1". phases: how many phases of the game have weights
/// of their own, 1 to 60, or where all but the first begin, in discs ("18,30,42"). games: of the whole run, over which the rate falls. opponents: shares by name: self (both
/// sides learn), counters (piece counters of random weights), past (earlier versions), standard, random, network, network-against-standard; self alone if not given. lam: how far
/// results reach back, 0 to 1. epsilon: probability of a random move, 0 to 1. opening: random plies at the start, 0 to so many, 50 at most. rate, rate_end: the learning
/// rate at first and at the end, 0 to 1000, a tenth of the first if not given. hold: share of the run before it begins to fall. coherence: the rate of each weight
/// follows from its errors. network: what to_bytes() gave, to begin with; patterns and phases are then its own. ValueError names the parameter that is wrong.
#[pyclass(module = "ishi", frozen)]
pub(crate) struct NTupleLearner {
    learner: Mutex<Learner>,
    /// The learner does not give it back, and a state is of a run with the same one.
    mixture: OpponentMixture,
}

/// # Errors
/// If the value is no share.
fn check_share(name: &str, value: f64) -> PyResult<f64> {
    if (0.0..=1.0).contains(&value) {
        return Ok(value);
    }
    Err(invalid(format!("invalid {name} {value}: it must lie from 0 to 1")))
}

/// # Errors
/// If the value is no learning rate.
fn check_rate(name: &str, value: f64) -> PyResult<f32> {
    if (0.0..=1000.0).contains(&value) {
        return Ok(value as f32);
    }
    Err(invalid(format!("invalid {name} {value}: it must lie from 0 to 1000")))
}

/// # Errors
/// If there is no opponent of the name.
fn find_opponent(name: &str) -> PyResult<Opponent> {
    let fixed = |member: LeagueMember| -> Opponent {
        let evaluator: SharedEvaluator = match member {
            LeagueMember::Counter(counter) => Arc::new(counter),
            LeagueMember::Network(player) => Arc::new(*player),
        };
        Opponent::Fixed(name.to_string(), evaluator)
    };
    let unknown =
        || invalid(format!("invalid opponent {name:?}: it must be self, counters, past, {FIXED_PLAYERS}"));
    match name {
        "self" => Ok(Opponent::Itself),
        "counters" => Ok(Opponent::Counters),
        "past" => Ok(Opponent::Past),
        _ => LeagueMember::from_name(name).map(fixed).ok_or_else(unknown),
    }
}

/// # Errors
/// If an opponent is unknown, or the shares make no mixture.
fn read_mixture(shares: &BTreeMap<String, u32>) -> PyResult<OpponentMixture> {
    let opponents: PyResult<Vec<(Opponent, u32)>> =
        shares.iter().map(|(name, &share)| Ok((find_opponent(name)?, share))).collect();
    OpponentMixture::new(opponents?)
        .ok_or_else(|| invalid("the shares of the opponents add up to nothing, or too much"))
}

/// The network that a run begins with.
fn first_network(patterns: &str, phases: &str, network: Option<&[u8]>) -> PyResult<NTupleNetwork> {
    if let Some(bytes) = network {
        return NTupleNetwork::from_bytes(bytes).map_err(invalid);
    }
    let patterns: TupleSet = patterns.parse().map_err(invalid)?;
    let phases: NetworkPhases = phases.parse().map_err(invalid)?;
    Ok(blank_network(patterns.shape(), phases))
}

/// Do the networks have the same patterns and phases?
fn has_same_form(one: &NTupleNetwork, other: &NTupleNetwork) -> bool {
    one.shape().groups() == other.shape().groups() && one.phases() == other.phases()
}

impl NTupleLearner {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Learner> {
        lock_attached(&self.learner, py)
    }

    /// Learns from some games. False if the run is over, or has so many games already.
    fn learn_some(&self, end: u64) -> bool {
        let mut learner = lock_detached(&self.learner);
        let left = end.saturating_sub(learner.games()).min(LOOK);
        learner.learn_games(left);
        left > 0 && !learner.is_done()
    }
}

#[pymethods]
#[allow(clippy::too_many_arguments)] // Keywords in Python.
impl NTupleLearner {
    #[new]
    #[pyo3(signature = (patterns="known", *, phases="6", games=1_000_000, opponents=None, lam=0.7, epsilon=0.2, opening=8, rate=2.0,
        rate_end=None, hold=0.5, coherence=true, network=None, seed=1))]
    fn new(
        patterns: &str,
        phases: &str,
        #[pyo3(from_py_with = whole::games)] games: u64,
        #[pyo3(from_py_with = whole::opponents)] opponents: Option<BTreeMap<String, u32>>,
        #[pyo3(from_py_with = read_float)] lam: f64,
        #[pyo3(from_py_with = read_float)] epsilon: f64,
        #[pyo3(from_py_with = whole::opening)] opening: u32,
        #[pyo3(from_py_with = read_float)] rate: f64,
        #[pyo3(from_py_with = read_optional_float)] rate_end: Option<f64>,
        #[pyo3(from_py_with = read_float)] hold: f64,
        coherence: bool,
        network: Option<Vec<u8>>,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
    ) -> PyResult<NTupleLearner> {
        if games == 0 {
            return Err(invalid("invalid games 0: it must be 1 or more"));
        }
        if opening > 50 {
            return Err(invalid(format!("invalid opening {opening}: it must lie from 0 to 50")));
        }
        let start = check_rate("rate", rate)?;
        let end = check_rate("rate_end", rate_end.unwrap_or(rate / 10.0))?;
        let rate = LearningRate { start, end, hold: check_share("hold", hold)? as f32 };
        let params = TdParams {
            games,
            lambda: check_share("lam", lam)? as f32,
            epsilon: check_share("epsilon", epsilon)?,
            opening,
            rate,
            step: if coherence { StepRule::Coherence } else { StepRule::Plain },
            ..TdParams::default()
        };
        let mixture = match opponents {
            Some(shares) => read_mixture(&shares)?,
            None => OpponentMixture::itself_only(),
        };
        let network = first_network(patterns, phases, network.as_deref())?;
        let learner = Learner::new(network, params, mixture.clone(), Seed::new(seed));
        Ok(NTupleLearner { learner: Mutex::new(learner), mixture })
    }

    /// Learns from so many more games, to the end of the run if not given. Gives the games so far. After Ctrl-C (KeyboardInterrupt) what was learned by
    /// then is kept, and the next call goes on. ValueError if the number is out of range.
    #[pyo3(signature = (games=None))]
    fn learn(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = whole::games)] games: Option<u64>,
    ) -> PyResult<u64> {
        run_detached(py, |stop| {
            let end =
                games.map_or(u64::MAX, |games| lock_detached(&self.learner).games().saturating_add(games));
            while !stop.is_requested() && self.learn_some(end) {}
            lock_detached(&self.learner).games()
        })
    }

    /// Games so far.
    #[getter]
    fn games(&self, py: Python<'_>) -> u64 {
        self.lock(py).games()
    }

    /// Is the run over?
    #[getter]
    fn is_done(&self, py: Python<'_>) -> bool {
        self.lock(py).is_done()
    }

    /// What each legal move is worth: a dictionary from its action to the expected result for the side to move, -1 (lost) to 1 (won). It is empty where
    /// only a pass is legal.
    fn move_values<'py>(&self, py: Python<'py>, state: &OthelloState) -> PyResult<Bound<'py, PyDict>> {
        let learner = self.lock(py);
        let values = PyDict::new(py);
        for (square, after) in state.inner.position.board().children() {
            // A network knows boards after a move, seen by the side that has moved.
            let sum = learner.network().value(after.pass()) as f32;
            values.set_item(square.index(), learner.params().squash.expected_result(sum))?;
        }
        Ok(values)
    }

    /// The share of points in so many games against a player that stays as it is (standard, random, network or network-against-standard): both look one
    /// move ahead, and play a random move with probability 0.1. Colours alternate. ValueError if there is no such player.
    #[pyo3(signature = (opponent="standard", *, games=400, seed=1))]
    fn score(
        &self,
        py: Python<'_>,
        opponent: &str,
        #[pyo3(from_py_with = whole::games)] games: u64,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
    ) -> PyResult<f64> {
        let unknown = || invalid(format!("invalid opponent {opponent:?}: it must be {FIXED_PLAYERS}"));
        let other = LeagueMember::from_name(opponent).ok_or_else(unknown)?;
        if games == 0 {
            return Err(invalid("invalid games 0: it must be 1 or more"));
        }
        let player = NTuplePlayer::new(self.lock(py).network().clone(), WhiteView::Inverted);
        let own = LeagueMember::Network(Box::new(player));
        run_detached(py, |stop| {
            let (rules, mut played, mut results) = (LeagueRules::default(), 0, Vec::new());
            while played < games && !stop.is_requested() {
                let end = games.min(played + LOOK);
                results.extend(own.play_against(&other, &rules, Seed::new(seed), played..end));
                played = end;
            }
            MatchTally::from_results(&results).mean_score()
        })
    }

    /// The network as the bytes of a file (.nt), which `ishi othello league` and the workbench read. step: what a step of its weights is worth, 0 to 1; a step that is not
    /// above 2^-24, that of the learner, keeps all that was learned. ValueError if it is out of range.
    #[pyo3(signature = (*, step=0.002))]
    fn to_bytes<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = read_float)] step: f64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let step = check_share("step", step)?;
        let learner = self.lock(py);
        let network = learner.network();
        // Weights need not fit into smaller steps than their own.
        let bytes = if step > UNIT { network.rounded_to_unit(step).to_bytes() } else { network.to_bytes() };
        Ok(PyBytes::new(py, &bytes))
    }

    /// Where the run stands, as bytes with a version and a checksum; restore() goes on from it, bit for bit.
    fn state<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.lock(py).to_checkpoint())
    }

    /// Goes on from what state() of a learner with the same parameters gave. ValueError if the state is damaged, or of another run. Nothing is
    /// changed then.
    fn restore(&self, py: Python<'_>, state: &[u8]) -> PyResult<()> {
        let mut learner = self.lock(py);
        let (params, seed) = (learner.params().clone(), learner.seed());
        let restored =
            Learner::from_checkpoint(state, params, self.mixture.clone(), seed).map_err(invalid)?;
        // A state names its parameters, and has its network whole.
        if !has_same_form(restored.network(), learner.network()) {
            return Err(invalid("the state is of a network of other patterns or phases"));
        }
        *learner = restored;
        Ok(())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let learner = self.lock(py);
        format!("NTupleLearner(games {} of {})", learner.games(), learner.params().games)
    }
}

pub(crate) fn add_to_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<NTupleLearner>()
}
