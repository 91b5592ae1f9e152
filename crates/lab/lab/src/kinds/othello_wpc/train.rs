//! Sixty-four weights against the standard alone.

use std::sync::atomic::AtomicBool;

use ishi_evolve::{CmaEs, EvolveError, cma::CmaState};
use ishi_othello::Wpc;
use ishi_rng::Seed;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::Stand;
use super::search::{Against, Search, advance, mean_score, numbers, player, standard_score};
use crate::source::{Source, SourceError};

const WEIGHTS: usize = 64;
/// Games by which the runs' results are told apart.
const TRIAL: u64 = 100_000;
/// Generations of a task.
const PIECE: u64 = 20;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// Independent runs from zero.
    runs: Spanned<u64>,
    /// The search of a run.
    search: Search,
    /// The search that goes on from the best.
    refine: Search,
}

/// A piece of a run; that after the last is the refinement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Step {
    run: u64,
    piece: u64,
}

/// What a step leaves to the next.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    cma: Option<CmaState>,
    /// The best result of the runs that are over, with its score.
    best: Option<(String, f64)>,
}

impl Params {
    pub(super) fn check(&self, source: &Source) -> Result<(), SourceError> {
        source.within(&self.runs, 1..=100, "runs are 1 to 100")?;
        self.search.check(source)?;
        self.refine.check(source)
    }

    /// The search of a run, from 1; after the last run that of the refinement.
    fn search(&self, run: u64) -> &Search {
        if run > *self.runs.get_ref() { &self.refine } else { &self.search }
    }

    pub(super) fn steps(&self) -> Vec<(String, Step)> {
        let mut steps = Vec::new();
        for run in 1..=*self.runs.get_ref() + 1 {
            let name = if run > *self.runs.get_ref() { "refine".into() } else { run.to_string() };
            for piece in 1..=self.search(run).generations().div_ceil(PIECE) {
                steps.push((format!("standard/{name}/piece-{piece:02}"), Step { run, piece }));
            }
        }
        steps
    }

    /// One step; `None` if it was stopped.
    pub(super) fn advance(
        &self,
        state: &mut State,
        step: Step,
        seed: Seed,
        stop: &AtomicBool,
    ) -> Result<Option<Stand>, EvolveError> {
        let (search, seed) = (self.search(step.run), seed.child("run", step.run));
        let mut cma = match state.cma.take() {
            Some(cma) if step.piece > 1 => CmaEs::resume(cma)?,
            _ => search.start(self.start(state, step.run), seed)?,
        };
        let opponents = [Wpc::standard()];
        let mut problem = Against { search, opponents: &opponents, shaken: None, seed, stop };
        let done = (step.piece - 1) * PIECE;
        if !advance(&mut cma, &mut problem, PIECE.min(search.generations() - done))? {
            return Ok(None);
        }
        let wpc = player(cma.mean());
        let trained = mean_score(&wpc, &opponents, TRIAL, seed.child("trial", 0));
        // The last search may end worse than it began: the best that was seen at the end of a piece counts.
        if state.best.as_ref().is_none_or(|(_, best)| trained > *best) {
            state.best = Some((wpc.to_string(), trained));
        }
        state.cma = Some(cma.state().clone());
        let weights = state.best.as_ref().map_or_else(|| wpc.to_string(), |(weights, _)| weights.clone());
        Ok(Some(Stand { weights, trained, standard: standard_score(&wpc, seed) }))
    }

    /// Zero, or where the refinement begins.
    fn start(&self, state: &State, run: u64) -> Vec<f64> {
        let best = state.best.as_ref().filter(|_| run > *self.runs.get_ref());
        let best = best.and_then(|(weights, _)| weights.parse::<Wpc>().ok());
        best.map_or(vec![0.0; WEIGHTS], |wpc| {
            let weights = numbers(&wpc);
            if weights.len() == WEIGHTS {
                weights
            } else {
                wpc.weights().iter().map(|&w| f64::from(w)).collect()
            }
        })
    }
}
