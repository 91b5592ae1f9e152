//! Sixty-four weights against the standard alone.

use ishi_evolve::{CmaEs, EvolveError, cma::CmaState};
use ishi_lab::source::{SourceError, TomlSource};
use ishi_othello::Wpc;
use ishi_othello_learn::evolution::player_from_point;
use ishi_rng::Seed;
use ishi_work::StopFlag;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::search::{
    CmaSearch, OpponentProblem, advance_generations, mean_score, standard_score, weights_as_numbers,
};
use super::standing::SearchStanding;

const WEIGHTS: usize = 64;
/// Games by which the runs' results are told apart.
const TRIAL: u64 = 100_000;
/// Generations of a task.
const PIECE: u64 = 20;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TrainParams {
    /// Independent runs from zero.
    runs: Spanned<u64>,
    /// The search of a run.
    search: CmaSearch,
    /// The search that goes on from the best.
    refine: CmaSearch,
}

/// A piece of a run; that after the last is the refinement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct TrainStep {
    run: u64,
    piece: u64,
}

/// What a step leaves to the next.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct TrainState {
    cma: Option<CmaState>,
    /// The best result of the runs that are over, with its score.
    best: Option<(String, f64)>,
}

impl TrainParams {
    pub(super) fn check_ranges(&self, source: &TomlSource) -> Result<(), SourceError> {
        source.check_range(&self.runs, 1..=100, "runs must be 1 to 100")?;
        self.search.check_ranges(source)?;
        self.refine.check_ranges(source)
    }

    /// The search of a run, from 1; after the last run that of the refinement.
    fn search_of_run(&self, run: u64) -> &CmaSearch {
        if run > *self.runs.get_ref() { &self.refine } else { &self.search }
    }

    pub(super) fn list_steps(&self) -> Vec<(String, TrainStep)> {
        let mut steps = Vec::new();
        for run in 1..=*self.runs.get_ref() + 1 {
            let name = if run > *self.runs.get_ref() { "refine".into() } else { run.to_string() };
            for piece in 1..=self.search_of_run(run).generation_count().div_ceil(PIECE) {
                steps.push((format!("standard/{name}/piece-{piece:02}"), TrainStep { run, piece }));
            }
        }
        steps
    }

    /// One step; `None` if it was stopped.
    pub(super) fn advance_step(
        &self,
        state: &mut TrainState,
        step: TrainStep,
        seed: Seed,
        stop: &StopFlag,
    ) -> Result<Option<SearchStanding>, EvolveError> {
        let (search, seed) = (self.search_of_run(step.run), seed.child_seed("run", step.run));
        let mut cma = match state.cma.take() {
            Some(cma) if step.piece > 1 => CmaEs::resume(cma)?,
            _ => search.start_search(self.start_weights(state, step.run), seed)?,
        };
        let opponents = [Wpc::standard()];
        let mut problem = OpponentProblem { search, opponents: &opponents, shaken: None, seed, stop };
        let done = (step.piece - 1) * PIECE;
        if !advance_generations(&mut cma, &mut problem, PIECE.min(search.generation_count() - done))? {
            return Ok(None);
        }
        let wpc = player_from_point(cma.distribution_mean());
        let trained = mean_score(&wpc, &opponents, TRIAL, seed.child_seed("trial", 0));
        // The last search may end worse than it began: the best that was seen at the end of a piece counts.
        if state.best.as_ref().is_none_or(|(_, best)| trained > *best) {
            state.best = Some((wpc.to_string(), trained));
        }
        state.cma = Some(cma.state().clone());
        let weights = state.best.as_ref().map_or_else(|| wpc.to_string(), |(weights, _)| weights.clone());
        Ok(Some(SearchStanding { weights, trained, standard: standard_score(&wpc, seed) }))
    }

    /// Zero, or where the refinement begins.
    fn start_weights(&self, state: &TrainState, run: u64) -> Vec<f64> {
        let best = state.best.as_ref().filter(|_| run > *self.runs.get_ref());
        let best = best.and_then(|(weights, _)| weights.parse::<Wpc>().ok());
        best.map_or(vec![0.0; WEIGHTS], |wpc| {
            let weights = weights_as_numbers(&wpc);
            if weights.len() == WEIGHTS {
                weights
            } else {
                wpc.weights().iter().map(|&w| f64::from(w)).collect()
            }
        })
    }
}
