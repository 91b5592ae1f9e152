//! Ten weights from the rules alone: a hall of fame, and its neighbourhood, as opponents.

use std::sync::atomic::AtomicBool;

use ishi_evolve::{CmaEs, EvolveError, cma::CmaState};
use ishi_othello::Wpc;
use ishi_rng::Seed;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::Stand;
use super::search::{Against, Search, Shaken, advance, mean_score, numbers, player, standard_score};
use crate::source::{Source, SourceError};

/// Weights under the symmetry.
const WEIGHTS: usize = 10;
/// The first standard deviation of a search from nothing.
const WIDE: f64 = 0.3;
/// Games of a result against the whole hall.
const TRIAL: u64 = 20_000;
/// Generations of a task of the last search.
const PIECE: u64 = 20;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// Independent runs; the best result counts.
    runs: Spanned<u64>,
    /// Rounds of a run: each ends with a new member of the hall.
    rounds: Spanned<u64>,
    /// The search of a round, from the last member, and again from nothing.
    round: Search,
    /// The last search of a run.
    last: Search,
    /// Opponents of a generation of the last search, drawn from the hall.
    opponents: Spanned<usize>,
    /// How much their weights are shaken.
    shaken_by: Spanned<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Step {
    Round { run: u64, round: u64 },
    Last { run: u64, piece: u64 },
    Choice,
}

/// What a step leaves to the next.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    hall: Vec<String>,
    /// The last search, as far as it is.
    cma: Option<CmaState>,
    /// Results of the runs that are over, and the halls that they come from.
    results: Vec<String>,
    halls: Vec<String>,
}

impl Params {
    pub(super) fn check(&self, source: &Source) -> Result<(), SourceError> {
        source.within(&self.runs, 1..=100, "runs are 1 to 100")?;
        source.within(&self.rounds, 1..=1000, "rounds are 1 to 1000")?;
        source.within(&self.opponents, 1..=10_000, "opponents are 1 to 10000")?;
        source.within(
            &self.shaken_by,
            0.0..=1.0,
            "weights, of which the greatest is 1, are shaken by 0 to 1",
        )?;
        self.round.check(source)?;
        self.last.check(source)
    }

    fn pieces(&self) -> u64 {
        self.last.generations().div_ceil(PIECE)
    }

    pub(super) fn steps(&self) -> Vec<(String, Step)> {
        let mut steps = Vec::new();
        for run in 1..=*self.runs.get_ref() {
            for round in 1..=*self.rounds.get_ref() {
                steps.push((format!("rules/{run}/round-{round:02}"), Step::Round { run, round }));
            }
            for piece in 1..=self.pieces() {
                steps.push((format!("rules/{run}/last-{piece:02}"), Step::Last { run, piece }));
            }
        }
        steps.push(("rules/choice".into(), Step::Choice));
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
        match step {
            Step::Round { run, round } => {
                if round == 1 {
                    (state.hall, state.cma) = (vec![Wpc::random().to_string()], None);
                }
                self.round(state, seed.child("run", run).child("round", round), stop)
            }
            Step::Last { run, piece } => {
                let stand = self.last(state, piece, seed.child("run", run).child("last", 0), stop)?;
                if let Some(stand) = stand.as_ref().filter(|_| piece == self.pieces()) {
                    state.results.push(stand.weights.clone());
                    state.halls.append(&mut state.hall);
                }
                Ok(stand)
            }
            Step::Choice => Ok(Some(choice(state, seed.child("choice", 0)))),
        }
    }

    /// A search from the last member of the hall and one from nothing; the better result enters.
    fn round(&self, state: &mut State, seed: Seed, stop: &AtomicBool) -> Result<Option<Stand>, EvolveError> {
        let hall = players(&state.hall);
        let last = hall.last().filter(|last| **last != Wpc::random());
        let narrow = last.map(|last| (numbers(last), *self.round.sigma.get_ref()));
        let mut best: Option<(f64, Wpc)> = None;
        for (number, (mean, sigma)) in narrow.into_iter().chain([(vec![0.0; WEIGHTS], WIDE)]).enumerate() {
            let seed = seed.child("search", number as u64);
            let mut cma = self.round.start(mean, seed)?;
            if sigma != *self.round.sigma.get_ref() {
                let params = ishi_evolve::CmaParams { sigma, ..cma.state().params.clone() };
                cma = CmaEs::start(params)?;
            }
            let mut problem = Against { search: &self.round, opponents: &hall, shaken: None, seed, stop };
            if !advance(&mut cma, &mut problem, self.round.generations())? {
                return Ok(None);
            }
            let wpc = player(cma.mean());
            let score = mean_score(&wpc, &hall, TRIAL, seed.child("trial", 0));
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, wpc));
            }
        }
        Ok(best.map(|(trained, wpc)| {
            state.hall.push(wpc.to_string());
            Stand { weights: wpc.to_string(), trained, standard: standard_score(&wpc, seed) }
        }))
    }

    /// A piece of the last search.
    fn last(
        &self,
        state: &mut State,
        piece: u64,
        seed: Seed,
        stop: &AtomicBool,
    ) -> Result<Option<Stand>, EvolveError> {
        let hall = players(&state.hall);
        let mut cma = match state.cma.take() {
            Some(cma) => CmaEs::resume(cma)?,
            None => self.last.start(hall.last().map_or(vec![0.0; WEIGHTS], numbers), seed)?,
        };
        let shaken = Shaken { count: *self.opponents.get_ref(), by: *self.shaken_by.get_ref() };
        let mut problem = Against { search: &self.last, opponents: &hall, shaken: Some(shaken), seed, stop };
        let done = (piece - 1) * PIECE;
        if !advance(&mut cma, &mut problem, PIECE.min(self.last.generations() - done))? {
            return Ok(None);
        }
        let wpc = player(cma.mean());
        state.cma = Some(cma.state().clone());
        let trained = mean_score(&wpc, &hall, TRIAL, seed.child("trial", piece));
        Ok(Some(Stand { weights: wpc.to_string(), trained, standard: standard_score(&wpc, seed) }))
    }
}

/// The result that does best against the results of the other runs and the members of all halls.
fn choice(state: &State, seed: Seed) -> Stand {
    let (results, halls) = (players(&state.results), players(&state.halls));
    let mut best: Option<(f64, &Wpc)> = None;
    for (number, wpc) in results.iter().enumerate() {
        let others: Vec<Wpc> = results
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != number)
            .map(|(_, other)| other.clone())
            .collect();
        let score = if others.is_empty() {
            mean_score(wpc, &halls, 10 * TRIAL, seed)
        } else {
            (mean_score(wpc, &others, 10 * TRIAL, seed) + mean_score(wpc, &halls, 10 * TRIAL, seed)) / 2.0
        };
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, wpc));
        }
    }
    let (trained, wpc) = best.map_or((0.5, Wpc::random()), |(score, wpc)| (score, wpc.clone()));
    Stand { weights: wpc.to_string(), trained, standard: standard_score(&wpc, seed) }
}

/// Players that were written as text by this program.
fn players(texts: &[String]) -> Vec<Wpc> {
    texts.iter().map(|text| text.parse().unwrap_or(Wpc::random())).collect()
}
