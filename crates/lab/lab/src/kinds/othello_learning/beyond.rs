//! Beyond the paper: its future work, and its relatives. All know only the rules of the game.
//!
//! - [`Population`]: the whole group is the population of the differential evolution, and ratings are its fitness.
//! - [`HallOfFame`]: child and parent meet (Takahama and Sakai's pairwise comparison, ICIIBMS 2015), and both meet
//!   champions of earlier generations (Rosin and Belew 1997).
//! - [`Cma`]: CMA-ES; a point's value is its mean score against the means of earlier generations.

use ishi_evolve::cma::CmaState;
use ishi_evolve::coevolve::CoevolutionState;
use ishi_evolve::de::Trials;
use ishi_evolve::{
    CmaEs, CmaParams, Coevolution, CoevolutionParams, Contest, De, DeParams, DeState, Goal, Interrupted,
    Member, Parents,
};
use ishi_othello::Wpc;
use ishi_rng::Seed;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::games::{first_player, mean_score, play, player};
use super::learner::{Fitness, Learned, Learner, Point, Setting, Step, kept, refused, restored};
use super::options::Options;
use super::rating::{self, round_robin};
use crate::error::LabError;

/// Generations between two points of the curves.
const CURVE: u64 = 10;

/// A point of the curves: the mean and the best of these players.
fn point(setting: &Setting, generation: u64, games: u64, points: &[&[f64]]) -> Point {
    let measure = |(place, point): (u64, &&[f64])| {
        setting.against_standard(point, &format!("generation {generation}"), place)
    };
    let scores: Vec<f64> = (0..).zip(points).map(measure).collect();
    let standard = scores.iter().sum::<f64>() / scores.len() as f64;
    let best = scores.iter().copied().reduce(f64::max);
    Point { k: generation, games, success: true, previous: None, standard, best, top: None, rating: None }
}

/// The parameters of differential evolution for these methods.
fn de_params(options: &Options) -> Result<DeParams, LabError> {
    let params = options.de().map_err(LabError::Input)?;
    Ok(DeParams { parents: Parents::Remeasure, ..params })
}

/// The whole group as the population: section 6's plan for later. Members are the individuals, their fitness is their
/// rating. In each generation a league among all members gives their ratings anew; a child of each is rated by N games
/// against every member, as a candidate for a group is; it takes its parent's place if it is rated higher.
pub(super) struct Population {
    setting: Setting,
    de: De,
    games: u64,
}

#[derive(Serialize, Deserialize)]
struct PopulationState {
    de: DeState,
    games: u64,
}

impl Population {
    pub(super) fn new(setting: Setting, checkpoint: Option<&Value>) -> Result<Population, LabError> {
        let params = de_params(&setting.options)?;
        let (de, games) = match checkpoint {
            None => (De::start(params, setting.seed.child("population", 0)), 0),
            Some(value) => {
                let PopulationState { de, games } = restored(value)?;
                (De::resume(params, de), games)
            }
        };
        Ok(Population { de: de.map_err(refused)?, setting, games })
    }

    /// Games of the next generation: each child against each member, and each two members.
    fn next_cost(&self) -> u64 {
        let members = self.setting.options.population as u64;
        let children = self.de.state().generation.map_or(0, |_| members * members);
        (children + members * (members - 1) / 2) * self.setting.options.games
    }

    /// The children's ratings, then the members'.
    fn rate(&self, trials: &Trials) -> Result<Vec<f64>, LabError> {
        let options = &self.setting.options;
        let seed = self.setting.seed.child("games", 0).child("generation", trials.generation);
        let players: Vec<Wpc> = trials.points.iter().map(|point| player(point)).collect();
        // Children come first, then their parents: the group.
        let (children, members) = players.split_at(players.len() - options.population);
        // Before the first league nobody has a rating.
        let known = |value: f64| if value.is_nan() { options.start_rating } else { value };
        let before: Vec<f64> = self.de.state().population.iter().map(|member| known(member.value)).collect();
        let ratings = rating::league(options, &before, &round_robin(options, members, seed))?;
        let mut values = Vec::new();
        for (number, child) in (0..).zip(children) {
            let dice = options.dice(seed.child("children", 0), number, 0);
            let results: Vec<Vec<i8>> = (0..)
                .zip(members)
                .map(|(place, member)| {
                    play(options, child, member, dice.child("member", place), options.games)
                })
                .collect();
            values.push(rating::candidate(options, &ratings, &results));
        }
        values.extend(ratings);
        Ok(values)
    }
}

impl Learner for Population {
    fn step(&mut self) -> Result<Step, LabError> {
        let cost = self.next_cost();
        if self.games + cost > self.setting.budget {
            return Ok(Step::Over);
        }
        let trials = self.de.ask(Goal::Maximize);
        let values = self.rate(&trials)?;
        self.de.tell(trials, &values, Goal::Maximize).map_err(refused)?;
        self.games += cost;
        let state = self.de.state();
        let generation = state.generation.unwrap_or(0);
        if !generation.is_multiple_of(CURVE) {
            return Ok(Step::Quiet);
        }
        let points: Vec<&[f64]> = state.population.iter().map(|m| m.point.as_slice()).collect();
        let mut point = point(&self.setting, generation, self.games, &points);
        if let Some(best) = state.population.iter().max_by(|a, b| a.value.total_cmp(&b.value)) {
            point.rating = Some(best.value);
            point.top = Some(self.setting.against_standard(&best.point, "top", generation));
        }
        Ok(Step::Point(point))
    }

    fn games(&self) -> u64 {
        self.games
    }

    fn checkpoint(&self) -> Result<Value, LabError> {
        kept(&PopulationState { de: self.de.state().clone(), games: self.games })
    }

    fn members(&self) -> Vec<Learned> {
        let learned = |m: &Member| Learned { point: m.point.clone(), rating: Some(m.value) };
        self.de.state().population.iter().map(learned).collect()
    }
}

/// Co-evolution with a hall of fame.
pub(super) struct HallOfFame {
    setting: Setting,
    run: Coevolution,
}

impl HallOfFame {
    pub(super) fn new(setting: Setting, checkpoint: Option<&Value>) -> Result<HallOfFame, LabError> {
        let options = &setting.options;
        let params = CoevolutionParams {
            de: de_params(options)?,
            hall: options.group,
            opponents: options.opponents.min(options.group),
            every: options.every,
        };
        let run = match checkpoint {
            None => Coevolution::start(params, setting.seed),
            Some(value) => Coevolution::resume(params, restored::<CoevolutionState>(value)?),
        };
        Ok(HallOfFame { run: run.map_err(refused)?, setting })
    }
}

impl Learner for HallOfFame {
    fn step(&mut self) -> Result<Step, LabError> {
        let options = self.setting.options.clone();
        if self.games() + self.run.next_contests() * options.games > self.setting.budget {
            return Ok(Step::Over);
        }
        let seed = self.setting.seed.child("games", 0);
        let mut arbiter = |contests: &[Contest<'_>]| -> Result<Vec<f64>, Interrupted> {
            let score = |contest: &Contest<'_>| {
                let [own, other] = [contest.player, contest.opponent].map(player);
                let dice = options.dice(seed, contest.number, contest.round);
                mean_score(&options, &own, &other, dice, options.games)
            };
            Ok(contests.iter().map(score).collect())
        };
        self.run.step(&mut arbiter).map_err(refused)?;
        let state = self.run.state();
        let generation = state.de.generation.unwrap_or(0);
        if !generation.is_multiple_of(CURVE) {
            return Ok(Step::Quiet);
        }
        let points: Vec<&[f64]> = state.de.population.iter().map(|m| m.point.as_slice()).collect();
        Ok(Step::Point(point(&self.setting, generation, self.games(), &points)))
    }

    fn games(&self) -> u64 {
        self.run.state().contests * self.setting.options.games
    }

    fn checkpoint(&self) -> Result<Value, LabError> {
        kept(&self.run.state())
    }

    fn members(&self) -> Vec<Learned> {
        let learned = |m: &Member| Learned { point: m.point.clone(), rating: None };
        self.run.state().de.population.iter().map(learned).collect()
    }
}

/// CMA-ES against its own past.
pub(super) struct Cma {
    setting: Setting,
    run: CmaEs,
    pool: Vec<Vec<f64>>,
    games: u64,
}

#[derive(Serialize, Deserialize)]
struct CmaKept {
    run: CmaState,
    /// The opponents, a random player first; bits in hexadecimal.
    pool: Vec<Exact>,
    games: u64,
}

#[derive(Serialize, Deserialize)]
struct Exact(#[serde(with = "ishi_evolve::exact::list")] Vec<f64>);

impl Cma {
    pub(super) fn new(setting: Setting, checkpoint: Option<&Value>) -> Result<Cma, LabError> {
        let (run, pool, games) = match checkpoint {
            Some(value) => {
                let CmaKept { run, pool, games } = restored(value)?;
                (CmaEs::resume(run), pool.into_iter().map(|Exact(point)| point).collect(), games)
            }
            None => {
                let first = first_player(&setting.options, setting.seed);
                let params = CmaParams {
                    mean: vec![0.0; setting.options.weights],
                    sigma: 0.5,
                    population: Some(setting.options.population),
                    seed: setting.seed.child("cma-es", 0).value(),
                };
                (CmaEs::start(params), vec![first], 0)
            }
        };
        Ok(Cma { run: run.map_err(refused)?, pool, games, setting })
    }
}

impl Learner for Cma {
    fn step(&mut self) -> Result<Step, LabError> {
        let options = self.setting.options.clone();
        let cost = (options.population * self.pool.len()) as u64 * options.games;
        if self.games + cost > self.setting.budget {
            return Ok(Step::Over);
        }
        let opponents: Vec<Wpc> = self.pool.iter().map(|point| player(point)).collect();
        let of = |own: &Wpc, seed: Seed| {
            let scores = (0..).zip(&opponents).map(|(number, other)| {
                mean_score(&options, own, other, seed.child("opponent", number), options.games)
            });
            scores.sum::<f64>() / opponents.len() as f64
        };
        let seed = self.setting.seed.child("games", 0);
        self.run.step(&mut Fitness { options: &options, seed, of }).map_err(refused)?;
        self.games += cost;
        let generation = self.run.generation().unwrap_or(0);
        if generation > 0 && generation.is_multiple_of(options.every) {
            self.pool.push(self.run.mean().to_vec());
            if self.pool.len() > options.opponents {
                self.pool.remove(0);
            }
        }
        if !generation.is_multiple_of(CURVE) {
            return Ok(Step::Quiet);
        }
        Ok(Step::Point(point(&self.setting, generation, self.games, &[self.run.mean()])))
    }

    fn games(&self) -> u64 {
        self.games
    }

    fn checkpoint(&self) -> Result<Value, LabError> {
        let pool = self.pool.iter().cloned().map(Exact).collect();
        kept(&CmaKept { run: self.run.state().clone(), pool, games: self.games })
    }

    fn members(&self) -> Vec<Learned> {
        vec![Learned { point: self.run.mean().to_vec(), rating: None }]
    }
}
