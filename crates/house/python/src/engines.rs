//! ishi's own players, by the names that `ishi match` and `ishi gtp` take.

use std::sync::{Arc, Mutex};

use ishi_engine::{Choice, Control, Engine, EngineAction, Go, Othello, SearchLimits, SearchReport};
use ishi_go_play::catalog as go_catalog;
use ishi_judge::Network;
use ishi_othello_play::catalog as othello_catalog;
use ishi_rng::Seed;
use ishi_rng::checksum::fnv_checksum;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use serde::{Deserialize, Serialize};

use crate::games::SpielPosition;
use crate::games::classes::{GoState, OthelloState, Reduced};
use crate::games::go::SpielGo;
use crate::games::othello::action_of_move;
use crate::interrupt::{WallClock, lock_attached, lock_detached, run_detached};
use crate::kept::{GO_ENGINE, OTHELLO_ENGINE};
use crate::values::{failed, invalid, parse_seconds, read_optional_float, shaped_array};
use crate::whole;

/// A player of Go.
///
/// GoEngine(spec="go-network", *, seed=1, network=None)
///
/// spec: a name with parameters, as "go-network:visits=200" or "go-mcts:playouts=1000" (`ishi gtp --help` lists them). seed: what is random
/// follows from it. network: weights that train/ has exported, as bytes; ishi's own if not given. ValueError says what is wrong. It can be copied
/// and pickled: the copy begins anew with the same seed, and without what it remembers of a game.
#[pyclass(module = "ishi", frozen)]
pub(crate) struct GoEngine {
    player: Mutex<Box<dyn Engine<Go>>>,
    seed: u64,
    /// As it was given.
    network: Option<Vec<u8>>,
}

/// A player of Othello.
///
/// OthelloEngine(spec="othello:level=10", *, seed=1)
///
/// spec: a name with parameters, as "othello:level=12" or "othello-random" (`ishi gtp --help` lists them). seed: what is random follows from
/// it. ValueError says what is wrong. It can be copied and pickled: the copy begins anew with the same seed, and without what it remembers of a
/// game.
#[pyclass(module = "ishi", frozen)]
pub(crate) struct OthelloEngine {
    player: Mutex<Box<dyn Engine<Othello>>>,
    seed: u64,
}

/// What is kept of a player.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EngineContent {
    spec: String,
    seed: u64,
    /// The checksum of the network that goes with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    network: Option<u64>,
}

/// What pickle calls to make a player of Go again: with its text and its network.
type ReducedGoEngine<'py> = (Bound<'py, PyAny>, (String, Option<Bound<'py, PyBytes>>));

/// Limits as a caller gives them.
fn read_limits(playouts: Option<u64>, seconds: Option<f64>) -> PyResult<SearchLimits> {
    if playouts == Some(0) {
        return Err(invalid("invalid playouts 0: it must be 1 or more"));
    }
    Ok(SearchLimits { playouts, time: parse_seconds(seconds)?, infinite: false })
}

/// Asks a player for a move without Python's lock, until Ctrl-C.
fn ask_player<G: ishi_engine::Game>(
    py: Python<'_>,
    player: &Mutex<Box<dyn Engine<G>>>,
    position: &G::Position,
    color: G::Color,
    limits: SearchLimits,
) -> PyResult<Choice<G>> {
    run_detached(py, |stop| {
        let clock = WallClock::start();
        let stop = || stop.is_requested();
        let mut nobody = |_: &SearchReport<G>| {};
        let control = Control { clock: &clock, stop: &stop, ..Control::with_limits(limits, &mut nobody) };
        let mut control = Control { may_resign: false, ..control };
        let mut player = lock_detached(player);
        player.choose(position, color, &mut control)
    })
}

/// The dictionary of a choice; `action` numbers the moves.
fn describe_choice<'py, G: ishi_engine::Game>(
    py: Python<'py>,
    choice: &Choice<G>,
    action: impl Fn(G::Move) -> i64,
) -> PyResult<Bound<'py, PyDict>> {
    let report = PyDict::new(py);
    let chosen = match choice.action {
        EngineAction::Move(mv) => Some(action(mv)),
        EngineAction::Resign => None,
    };
    report.set_item("action", chosen)?;
    report.set_item("text", choice.action.to_string())?;
    report.set_item("playouts", choice.report.playouts)?;
    report.set_item("win_rate", choice.report.win_rate)?;
    report.set_item("score", choice.report.score)?;
    let moves = PyList::empty(py);
    for found in &choice.report.moves {
        let told = PyDict::new(py);
        told.set_item("action", action(found.mv))?;
        told.set_item("text", found.mv.to_string())?;
        told.set_item("visits", found.visits)?;
        told.set_item("win_rate", found.win_rate)?;
        told.set_item("score", found.score)?;
        told.set_item("prior", found.prior)?;
        told.set_item("variation", found.variation.iter().map(|&mv| action(mv)).collect::<Vec<i64>>())?;
        moves.append(told)?;
    }
    report.set_item("moves", moves)?;
    Ok(report)
}

/// Owners of all points, top row last, as the rows of an observation.
fn owner_rows(state: &SpielGo, report: &SearchReport<Go>) -> Vec<f32> {
    let size = state.settings.size;
    let mut owners = vec![0.0; size.area()];
    for &(point, owner) in &report.ownership {
        owners[point.row() * size.width() + point.column()] = owner;
    }
    owners
}

#[pymethods]
impl GoEngine {
    #[new]
    #[pyo3(signature = (spec="go-network", *, seed=1, network=None))]
    fn new(
        spec: &str,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
        network: Option<Vec<u8>>,
    ) -> PyResult<GoEngine> {
        let weights = network.as_deref().map(Network::from_bytes).transpose().map_err(invalid)?;
        let weights = || weights.map_or_else(Network::shipped, Arc::new);
        let player = go_catalog::create_guided_player(spec, Seed::new(seed), weights).map_err(invalid)?;
        Ok(GoEngine { player: Mutex::new(player), seed, network })
    }

    /// Makes a player again of what pickle keeps: a text, and the network if it had one of its own.
    #[staticmethod]
    fn _deserialize(text: &str, network: Option<Vec<u8>>) -> PyResult<GoEngine> {
        let EngineContent { spec, seed, network: checksum } = GO_ENGINE.open(text).map_err(invalid)?;
        if network.as_deref().map(fnv_checksum) != checksum {
            return Err(invalid("the network must be that of the player"));
        }
        GoEngine::new(&spec, seed, network)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<ReducedGoEngine<'py>> {
        let network = self.network.as_deref();
        let content =
            EngineContent { spec: self.spec(py), seed: self.seed, network: network.map(fnv_checksum) };
        let text = GO_ENGINE.seal(&content).map_err(failed)?;
        let remake = py.get_type::<GoEngine>().getattr("_deserialize")?;
        Ok((remake, (text, network.map(|bytes| PyBytes::new(py, bytes)))))
    }

    /// Chooses for the side to move. playouts: positions or playouts at most; seconds: time at most; else as the player's parameters say. Gives a
    /// dictionary: action and text of the move, playouts, win_rate (0 to 1) and score (points after komi) for the side to move, moves (the best
    /// first), and ownership, float32 [rows, columns], -1 (the opponent's) to 1, None from players that do not tell it. ValueError if the game is
    /// over.
    #[pyo3(signature = (state, *, playouts=None, seconds=None))]
    fn choose<'py>(
        &self,
        py: Python<'py>,
        state: &GoState,
        #[pyo3(from_py_with = whole::playouts)] playouts: Option<u64>,
        #[pyo3(from_py_with = read_optional_float)] seconds: Option<f64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let game = &state.inner;
        if game.is_terminal() {
            return Err(invalid("the game is over: there is nothing to choose"));
        }
        let limits = read_limits(playouts, seconds)?;
        let choice = ask_player(py, &self.player, &game.position, game.position.to_move(), limits)?;
        let report = describe_choice(py, &choice, |mv| game.settings.action_of_move(mv))?;
        let (size, told) = (game.settings.size, !choice.report.ownership.is_empty());
        let owners =
            told.then(|| shaped_array(py, owner_rows(game, &choice.report), [size.height(), size.width()]));
        report.set_item("ownership", owners.transpose()?)?;
        Ok(report)
    }

    /// The player with all its parameters, as it can be written again.
    #[getter]
    fn spec(&self, py: Python<'_>) -> String {
        lock_attached(&self.player, py).spec()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("GoEngine({:?})", self.spec(py))
    }
}

#[pymethods]
impl OthelloEngine {
    #[new]
    #[pyo3(signature = (spec="othello:level=10", *, seed=1))]
    fn new(spec: &str, #[pyo3(from_py_with = whole::seed)] seed: u64) -> PyResult<OthelloEngine> {
        let player = othello_catalog::create_othello_player(spec, Seed::new(seed)).map_err(invalid)?;
        Ok(OthelloEngine { player: Mutex::new(player), seed })
    }

    /// Makes a player again of the text that pickle keeps.
    #[staticmethod]
    fn _deserialize(text: &str) -> PyResult<OthelloEngine> {
        let content: EngineContent = OTHELLO_ENGINE.open(text).map_err(invalid)?;
        OthelloEngine::new(&content.spec, content.seed)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let content = EngineContent { spec: self.spec(py), seed: self.seed, network: None };
        let text = OTHELLO_ENGINE.seal(&content).map_err(failed)?;
        Ok((py.get_type::<OthelloEngine>().getattr("_deserialize")?, (text,)))
    }

    /// Chooses for the side to move. playouts: positions visited at most; seconds: time at most; else as the player's parameters say. Gives a
    /// dictionary: action and text of the move, playouts, win_rate (0 to 1) and score (discs) for the side to move, and moves, the best first.
    /// ValueError if the game is over.
    #[pyo3(signature = (state, *, playouts=None, seconds=None))]
    fn choose<'py>(
        &self,
        py: Python<'py>,
        state: &OthelloState,
        #[pyo3(from_py_with = whole::playouts)] playouts: Option<u64>,
        #[pyo3(from_py_with = read_optional_float)] seconds: Option<f64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let position = &state.inner.position;
        if position.is_over() {
            return Err(invalid("the game is over: there is nothing to choose"));
        }
        let limits = read_limits(playouts, seconds)?;
        let choice = ask_player(py, &self.player, position, position.to_move(), limits)?;
        describe_choice(py, &choice, action_of_move)
    }

    /// The player with all its parameters, as it can be written again.
    #[getter]
    fn spec(&self, py: Python<'_>) -> String {
        lock_attached(&self.player, py).spec()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("OthelloEngine({:?})", self.spec(py))
    }
}

pub(crate) fn add_to_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<GoEngine>()?;
    module.add_class::<OthelloEngine>()
}
