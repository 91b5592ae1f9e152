//! Tree search by an evaluator that is written in Python: PUCT over positions in OpenSpiel's terms.

use std::cell::{Cell, RefCell};

use ishi_mcts::{Action, JudgedGame, JudgedLeaf, JudgedMove, JudgedParams, JudgedTree, Worth};
use numpy::{AllowTypeChange, PyArrayLike1, PyArrayLike2, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::games::SpielPosition;
use crate::games::classes::{GoState, OthelloState};
use crate::values::{array_values, explain_dimensions, invalid, read_float32, shaped_array};
use crate::whole;

/// A tree search that an evaluator guides (PUCT, as AlphaZero has it).
///
/// GuidedSearch(evaluator, *, visits=100, batch=8, exploration=1.0, exploration_growth=0.45, first_play_reduction=0.2)
///
/// evaluator: called with observations, float32 [n, planes, rows, columns], and masks of legal actions, bool [n, actions], for n positions at
/// once. It gives a pair: priors [n, actions], 0 or more, of which those of legal actions count in proportion; and values [n], -1 (lost) to 1
/// (won) for the side to move. visits: positions looked at for a search. batch: positions for a call at most. exploration: weight of the
/// prior; it grows with exploration_growth. first_play_reduction: how much worse what was never looked at counts, 0 to 2. ValueError names the
/// parameter that is wrong.
#[pyclass(module = "ishi", frozen)]
pub(crate) struct GuidedSearch {
    evaluator: Py<PyAny>,
    visits: u64,
    params: JudgedParams,
}

/// What the evaluator said of positions.
struct Evaluations {
    /// Actions in a row for each position.
    priors: Vec<f32>,
    values: Vec<f32>,
}

/// A game that is judged by Python.
struct PythonJudge<'a, S> {
    root: S,
    evaluator: &'a Py<PyAny>,
    /// What was raised; the search ends then.
    raised: &'a RefCell<Option<PyErr>>,
    has_ended: &'a Cell<bool>,
}

impl<S: SpielPosition> PythonJudge<'_, S> {
    /// Asks the evaluator about positions that are not over.
    fn ask(&self, positions: &[&S], masks: &[bool]) -> PyResult<Evaluations> {
        let [planes, rows, columns] = self.root.tensor_shape();
        let width = self.root.tensor_len();
        let mut numbers = vec![0.0_f32; width * positions.len()];
        for (position, part) in positions.iter().zip(numbers.chunks_mut(width)) {
            position.write_observation(position.mover(), part);
        }
        let (count, actions) = (positions.len(), self.root.action_count());
        Python::attach(|py| {
            py.check_signals()?;
            let observations = shaped_array(py, numbers, [count, planes, rows, columns])?;
            let masks = shaped_array(py, masks.to_vec(), [count, actions])?;
            let said = self.evaluator.bind(py).call1((observations, masks))?;
            read_evaluations(&said, count, actions)
        })
    }

    fn judge_open_leaves(&self, leaves: &mut [JudgedLeaf<S>], open: &[usize]) -> PyResult<()> {
        let actions = self.root.action_count();
        let positions: Vec<&S> = open.iter().map(|&at| &leaves[at].position).collect();
        let mut masks = vec![false; actions * open.len()];
        for (position, mask) in positions.iter().zip(masks.chunks_mut(actions)) {
            position.mark_legal(mask);
        }
        let said = self.ask(&positions, &masks)?;
        for (n, &at) in open.iter().enumerate() {
            let mask = &masks[n * actions..][..actions];
            let priors = &said.priors[n * actions..][..actions];
            let legal = (0..actions).filter(|&action| mask[action]);
            leaves[at].moves = legal.map(|action| (Action(action as u16), priors[action])).collect();
            leaves[at].worth = Worth { win: (said.values[n] + 1.0) / 2.0, lead: 0.0 };
        }
        Ok(())
    }
}

/// Reads what the evaluator gave.
///
/// # Errors
/// If the shapes are others, or a number is none that may be.
fn read_evaluations(said: &Bound<'_, PyAny>, count: usize, actions: usize) -> PyResult<Evaluations> {
    let pair: (Bound<'_, PyAny>, Bound<'_, PyAny>) = said.extract().map_err(|_| {
        PyTypeError::new_err("the evaluator must give a pair: priors [n, actions] and values [n]")
    })?;
    let (priors, values) = &pair;
    let priors = priors.extract::<PyArrayLike2<'_, f32, AllowTypeChange>>().map_err(|error| {
        explain_dimensions(error, priors, 2, "the evaluator must give priors [n, actions]")
    })?;
    let values = values
        .extract::<PyArrayLike1<'_, f32, AllowTypeChange>>()
        .map_err(|error| explain_dimensions(error, values, 1, "the evaluator must give values [n]"))?;
    if priors.shape() != [count, actions] || values.shape() != [count] {
        let (priors, values) = (priors.shape(), values.shape());
        return Err(invalid(format!(
            "the evaluator gave priors {priors:?} and values {values:?}: they must be [{count}, {actions}] and [{count}]"
        )));
    }
    let evaluations = Evaluations { priors: array_values(&priors), values: array_values(&values) };
    if let Some(prior) = evaluations.priors.iter().find(|prior| !(0.0..=f32::MAX).contains(*prior)) {
        return Err(invalid(format!("the evaluator gave the prior {prior}: it must be a number from 0 on")));
    }
    if let Some(value) = evaluations.values.iter().find(|value| !(-1.0..=1.0).contains(*value)) {
        return Err(invalid(format!(
            "the evaluator gave the value {value}: it must be a number from -1 to 1"
        )));
    }
    Ok(evaluations)
}

impl<S: SpielPosition> JudgedGame for PythonJudge<'_, S> {
    type Position = S;

    fn root(&self) -> S {
        self.root.clone()
    }

    fn play(&self, position: &mut S, action: Action) {
        position.apply_action(i64::from(action.0)).expect("actions of the tree are legal");
    }

    fn judge_leaves(&mut self, leaves: &mut [JudgedLeaf<S>]) {
        let is_open = |at: &usize| !leaves[*at].position.is_terminal();
        let open: Vec<usize> = (0..leaves.len()).filter(is_open).collect();
        for leaf in leaves.iter_mut().filter(|leaf| leaf.position.is_terminal()) {
            let won = leaf.position.returns()[leaf.position.mover()];
            leaf.worth = Worth { win: ((won + 1.0) / 2.0) as f32, lead: 0.0 };
        }
        if open.is_empty() {
            return;
        }
        if let Err(error) = self.judge_open_leaves(leaves, &open) {
            self.has_ended.set(true);
            self.raised.borrow_mut().get_or_insert(error);
        }
    }
}

/// What a search has found.
struct Found {
    moves: Vec<JudgedMove>,
    visits: u32,
    win: f64,
}

impl GuidedSearch {
    fn search_position<S: SpielPosition>(&self, root: S) -> PyResult<Found> {
        let (raised, has_ended) = (RefCell::new(None), Cell::new(false));
        let mut judge =
            PythonJudge { root, evaluator: &self.evaluator, raised: &raised, has_ended: &has_ended };
        let mut tree = JudgedTree::new(self.params);
        tree.search(&mut judge, &mut |done| {
            if has_ended.get() { 0 } else { self.visits.saturating_sub(done) }
        });
        match raised.into_inner() {
            Some(error) => Err(error),
            None => Ok(Found { moves: tree.ranked_moves(), visits: tree.visits(), win: tree.win_chance() }),
        }
    }

    fn search_and_describe<'py, S: SpielPosition>(
        &self,
        py: Python<'py>,
        root: S,
    ) -> PyResult<Bound<'py, PyDict>> {
        if root.is_terminal() {
            return Err(invalid("the game is over: there is nothing to search"));
        }
        let (player, texts) = (root.mover(), root.clone());
        let found = py.detach(|| self.search_position(root))?;
        describe_found(py, &found, &texts, player)
    }
}

/// The dictionary of a search's result.
fn describe_found<'py, S: SpielPosition>(
    py: Python<'py>,
    found: &Found,
    root: &S,
    player: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let all: u32 = found.moves.iter().map(|mv| mv.visits).sum();
    let mut policy = vec![0.0_f64; root.action_count()];
    let moves = PyList::empty(py);
    for mv in &found.moves {
        policy[usize::from(mv.action.0)] = f64::from(mv.visits) / f64::from(all.max(1));
        let told = PyDict::new(py);
        let action = i64::from(mv.action.0);
        told.set_item("action", action)?;
        told.set_item("text", root.action_text(player, action).map_err(invalid)?)?;
        told.set_item("visits", mv.visits)?;
        told.set_item("prior", mv.prior)?;
        told.set_item("value", (mv.visits > 0).then_some(2.0 * mv.win - 1.0))?;
        told.set_item("variation", mv.variation.iter().map(|action| action.0).collect::<Vec<u16>>())?;
        moves.append(told)?;
    }
    let report = PyDict::new(py);
    report.set_item("action", found.moves.first().map(|mv| mv.action.0))?;
    report.set_item("value", 2.0 * found.win - 1.0)?;
    report.set_item("visits", found.visits)?;
    let actions = policy.len();
    report.set_item("policy", shaped_array(py, policy, [actions])?)?;
    report.set_item("moves", moves)?;
    Ok(report)
}

#[pymethods]
impl GuidedSearch {
    #[new]
    #[pyo3(signature = (evaluator, *, visits=100, batch=8, exploration=1.0, exploration_growth=0.45, first_play_reduction=0.2))]
    fn new(
        evaluator: Bound<'_, PyAny>,
        #[pyo3(from_py_with = whole::visits)] visits: u64,
        #[pyo3(from_py_with = whole::batch)] batch: usize,
        #[pyo3(from_py_with = read_float32)] exploration: f32,
        #[pyo3(from_py_with = read_float32)] exploration_growth: f32,
        #[pyo3(from_py_with = read_float32)] first_play_reduction: f32,
    ) -> PyResult<GuidedSearch> {
        if !evaluator.is_callable() {
            return Err(PyTypeError::new_err(
                "the evaluator must be callable: evaluator(observations, masks)",
            ));
        }
        if visits == 0 {
            return Err(invalid("visits = 0: it must be 1 or more"));
        }
        let params = JudgedParams {
            exploration,
            exploration_growth,
            first_play_reduction,
            batch,
            // Evaluators say who wins, not by how much.
            lead_share: 0.0,
            width: usize::MAX,
            ..JudgedParams::default()
        };
        params.check().map_err(invalid)?;
        Ok(GuidedSearch { evaluator: evaluator.unbind(), visits, params })
    }

    /// Searches a position (GoState or OthelloState) from an empty tree, and gives a dictionary: action, the best one; value, -1 to 1 for the side
    /// to move; visits; policy, float64 [actions], the shares of visits; moves, the best first, each with action, text, visits, prior, value (None
    /// without visits) and variation. What the evaluator raises is raised here. ValueError if the game is over, or if the evaluator gave arrays of
    /// other shapes, or numbers out of range.
    fn search<'py>(&self, py: Python<'py>, state: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        if let Ok(go) = state.cast::<GoState>() {
            let root = go.borrow().inner.clone();
            return self.search_and_describe(py, root);
        }
        let othello = state
            .cast::<OthelloState>()
            .map_err(|_| PyTypeError::new_err("the state must be a GoState or an OthelloState"))?;
        let root = othello.borrow().inner.clone();
        self.search_and_describe(py, root)
    }
}

pub(crate) fn add_to_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<GuidedSearch>()
}
