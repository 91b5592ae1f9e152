//! Ten weights from the rules alone: a hall of fame, and its neighbourhood, as opponents.

use ishi_evolve::{CmaEs, EvolveError, cma::CmaState};
use ishi_lab::source::{SourceError, TomlSource};
use ishi_othello::Wpc;
use ishi_othello_learn::evolution::player_from_point;
use ishi_rng::Seed;
use ishi_work::StopFlag;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::search::{
    CmaSearch, OpponentProblem, ShakenOpponents, advance_generations, mean_score, standard_score,
    weights_as_numbers,
};
use super::standing::SearchStanding;

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
pub(super) struct HallParams {
    /// Independent runs; the best result counts.
    runs: Spanned<u64>,
    /// Rounds of a run: each ends with a new member of the hall.
    rounds: Spanned<u64>,
    /// The search of a round, from the last member, and again from nothing.
    round: CmaSearch,
    /// The last search of a run.
    last: CmaSearch,
    /// Opponents of a generation of the last search, drawn from the hall.
    opponents: Spanned<usize>,
    /// How much their weights are shaken.
    shaken_by: Spanned<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum HallStep {
    Round { run: u64, round: u64 },
    Last { run: u64, piece: u64 },
    Choice,
}

/// What a step leaves to the next.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct HallState {
    hall: Vec<String>,
    /// The last search, as far as it is.
    cma: Option<CmaState>,
    /// Results of the runs that are over, and the halls that they come from.
    results: Vec<String>,
    halls: Vec<String>,
}

impl HallParams {
    pub(super) fn check_ranges(&self, source: &TomlSource) -> Result<(), SourceError> {
        source.check_range(&self.runs, 1..=100, "runs must be 1 to 100")?;
        source.check_range(&self.rounds, 1..=1000, "rounds must be 1 to 1000")?;
        source.check_range(&self.opponents, 1..=10_000, "opponents must be 1 to 10000")?;
        source.check_range(
            &self.shaken_by,
            0.0..=1.0,
            "weights, of which the greatest is 1, must be shaken by 0 to 1",
        )?;
        self.round.check_ranges(source)?;
        self.last.check_ranges(source)
    }

    fn piece_count(&self) -> u64 {
        self.last.generation_count().div_ceil(PIECE)
    }

    pub(super) fn list_steps(&self) -> Vec<(String, HallStep)> {
        let mut steps = Vec::new();
        for run in 1..=*self.runs.get_ref() {
            for round in 1..=*self.rounds.get_ref() {
                steps.push((format!("rules/{run}/round-{round:02}"), HallStep::Round { run, round }));
            }
            for piece in 1..=self.piece_count() {
                steps.push((format!("rules/{run}/last-{piece:02}"), HallStep::Last { run, piece }));
            }
        }
        steps.push(("rules/choice".into(), HallStep::Choice));
        steps
    }

    /// One step; `None` if it was stopped.
    pub(super) fn advance_step(
        &self,
        state: &mut HallState,
        step: HallStep,
        seed: Seed,
        stop: &StopFlag,
    ) -> Result<Option<SearchStanding>, EvolveError> {
        match step {
            HallStep::Round { run, round } => {
                if round == 1 {
                    (state.hall, state.cma) = (vec![Wpc::random().to_string()], None);
                }
                self.play_round(state, seed.child_seed("run", run).child_seed("round", round), stop)
            }
            HallStep::Last { run, piece } => {
                let stand = self.run_last_piece(
                    state,
                    piece,
                    seed.child_seed("run", run).child_seed("last", 0),
                    stop,
                )?;
                if let Some(stand) = stand.as_ref().filter(|_| piece == self.piece_count()) {
                    state.results.push(stand.weights.clone());
                    state.halls.append(&mut state.hall);
                }
                Ok(stand)
            }
            HallStep::Choice => Ok(Some(choose_result(state, seed.child_seed("choice", 0)))),
        }
    }

    /// A search from the last member of the hall and one from nothing; the better result enters.
    fn play_round(
        &self,
        state: &mut HallState,
        seed: Seed,
        stop: &StopFlag,
    ) -> Result<Option<SearchStanding>, EvolveError> {
        let hall = parse_players(&state.hall);
        let last = hall.last().filter(|last| **last != Wpc::random());
        let narrow = last.map(|last| (weights_as_numbers(last), *self.round.sigma.get_ref()));
        let mut best: Option<(f64, Wpc)> = None;
        for (number, (mean, sigma)) in narrow.into_iter().chain([(vec![0.0; WEIGHTS], WIDE)]).enumerate() {
            let seed = seed.child_seed("search", number as u64);
            let mut cma = self.round.start_search(mean, seed)?;
            if sigma != *self.round.sigma.get_ref() {
                let params = ishi_evolve::CmaParams { sigma, ..cma.state().params.clone() };
                cma = CmaEs::start(params)?;
            }
            let mut problem =
                OpponentProblem { search: &self.round, opponents: &hall, shaken: None, seed, stop };
            if !advance_generations(&mut cma, &mut problem, self.round.generation_count())? {
                return Ok(None);
            }
            let wpc = player_from_point(cma.distribution_mean());
            let score = mean_score(&wpc, &hall, TRIAL, seed.child_seed("trial", 0));
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, wpc));
            }
        }
        Ok(best.map(|(trained, wpc)| {
            state.hall.push(wpc.to_string());
            SearchStanding { weights: wpc.to_string(), trained, standard: standard_score(&wpc, seed) }
        }))
    }

    /// A piece of the last search.
    fn run_last_piece(
        &self,
        state: &mut HallState,
        piece: u64,
        seed: Seed,
        stop: &StopFlag,
    ) -> Result<Option<SearchStanding>, EvolveError> {
        let hall = parse_players(&state.hall);
        let mut cma = match state.cma.take() {
            Some(cma) => CmaEs::resume(cma)?,
            None => {
                self.last.start_search(hall.last().map_or(vec![0.0; WEIGHTS], weights_as_numbers), seed)?
            }
        };
        let shaken = ShakenOpponents { count: *self.opponents.get_ref(), by: *self.shaken_by.get_ref() };
        let mut problem =
            OpponentProblem { search: &self.last, opponents: &hall, shaken: Some(shaken), seed, stop };
        let done = (piece - 1) * PIECE;
        if !advance_generations(&mut cma, &mut problem, PIECE.min(self.last.generation_count() - done))? {
            return Ok(None);
        }
        let wpc = player_from_point(cma.distribution_mean());
        state.cma = Some(cma.state().clone());
        let trained = mean_score(&wpc, &hall, TRIAL, seed.child_seed("trial", piece));
        Ok(Some(SearchStanding { weights: wpc.to_string(), trained, standard: standard_score(&wpc, seed) }))
    }
}

/// The result that does best against the results of the other runs and the members of all halls.
fn choose_result(state: &HallState, seed: Seed) -> SearchStanding {
    let (results, halls) = (parse_players(&state.results), parse_players(&state.halls));
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
    SearchStanding { weights: wpc.to_string(), trained, standard: standard_score(&wpc, seed) }
}

/// Players that were written as text by this program.
fn parse_players(texts: &[String]) -> Vec<Wpc> {
    texts.iter().map(|text| text.parse().unwrap_or(Wpc::random())).collect()
}
