//! Group learning (section 5): a population learns to be rated above the members of a group.
//!
//! 1. The group is one random player, rated 1500.
//! 2. A population is made at random; fitness is the rating, from 1500 on, after N games against each member.
//! 3. Differential evolution for Tmax generations; from Tmax / 2 on a rating above 1600 admits that player.
//! 4. After an admission all members play a full league of N games each, which gives their ratings; if there are more than
//!    Gmax, the lowest leaves (before the league, if the options say so).
//! 5. Back to 2, Kmax times.

use ishi_evolve::De;
use ishi_othello::Wpc;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::games::{first_player, play, player};
use super::learner::{
    Fitness, Learned, Learner, Point, Population, Sample, Setting, Step, kept, refused, restored,
};
use super::options::Leaves;
use super::rating::{self, round_robin};
use crate::error::LabError;

/// Generations between two samples of the rating of the population's best.
const SAMPLED: u64 = 10;

/// A run.
pub(super) struct Group {
    setting: Setting,
    state: State,
}

/// All that a run needs to go on.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct State {
    k: u64,
    populations: u64,
    members: Vec<Rated>,
    /// The last score of the best-rated member against the standard player.
    top: f64,
    population: Population,
    games: u64,
}

/// A member of the group.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Rated {
    #[serde(with = "ishi_evolve::exact::list")]
    point: Vec<f64>,
    #[serde(with = "ishi_evolve::exact")]
    rating: f64,
    /// Its score against the standard player, measured once, when it was admitted.
    standard: f64,
}

impl Rated {
    /// Not measured yet.
    fn new(point: Vec<f64>, rating: f64) -> Rated {
        Rated { point, rating, standard: 0.5 }
    }
}

impl Group {
    pub(super) fn new(setting: Setting, checkpoint: Option<&Value>) -> Result<Group, LabError> {
        let state = match checkpoint {
            Some(value) => restored(value)?,
            None => {
                let point = first_player(&setting.options, setting.seed);
                let standard = setting.against_standard(&point, "first", 0);
                let first = Rated { standard, ..Rated::new(point, setting.options.start_rating) };
                State {
                    k: 0,
                    populations: 0,
                    members: vec![first],
                    top: standard,
                    population: Population::default(),
                    games: 0,
                }
            }
        };
        Ok(Group { setting, state })
    }

    /// The population is done with: a point of the curves, and the next one.
    fn conclude(&mut self, de: &De, best: Rated, admitted: bool) -> Result<Point, LabError> {
        let rating = Some(best.rating);
        if admitted {
            self.admit(best)?;
        }
        let state = &mut self.state;
        state.population.conclude(de, admitted, &self.setting.options);
        state.populations += 1;
        state.k += u64::from(self.setting.options.counts(admitted));
        let scores = state.members.iter().map(|member| member.standard);
        let standard = scores.clone().sum::<f64>() / state.members.len() as f64;
        let best = scores.reduce(f64::max);
        let top = Some(state.top);
        Ok(Point {
            k: state.k,
            games: state.games,
            success: admitted,
            previous: None,
            standard,
            best,
            top,
            rating,
        })
    }

    /// A new member, a league among all, and the lowest leaves a group that is too large.
    fn admit(&mut self, mut new: Rated) -> Result<(), LabError> {
        new.standard = self.setting.against_standard(&new.point, "admitted", self.state.populations);
        self.state.members.push(new);
        if self.setting.options.leaves == Leaves::BeforeLeague {
            self.lowest_leaves();
        }
        self.league()?;
        self.lowest_leaves();
        let best = self.state.members.iter().max_by(|a, b| a.rating.total_cmp(&b.rating));
        let point = best.map(|best| best.point.clone()).unwrap_or_default();
        self.state.top = self.setting.against_standard(&point, "top", self.state.populations);
        Ok(())
    }

    /// All against all, which gives everybody's rating.
    fn league(&mut self) -> Result<(), LabError> {
        let options = &self.setting.options;
        let seed = self.setting.seed.child("league", self.state.populations);
        let players: Vec<Wpc> = self.state.members.iter().map(|member| player(&member.point)).collect();
        let games = round_robin(options, &players, seed);
        self.state.games += games.len() as u64 * options.games;
        let before: Vec<f64> = self.state.members.iter().map(|member| member.rating).collect();
        let ratings = rating::league(options, &before, &games)?;
        for (member, rating) in self.state.members.iter_mut().zip(ratings) {
            member.rating = rating;
        }
        Ok(())
    }

    /// Of equal ones the newest leaves.
    fn lowest_leaves(&mut self) {
        let members = &mut self.state.members;
        if members.len() > self.setting.options.group {
            let ratings = members.iter().map(|member| member.rating).enumerate().rev();
            if let Some((lowest, _)) = ratings.min_by(|a, b| a.1.total_cmp(&b.1)) {
                members.remove(lowest);
            }
        }
    }

    /// Games that the next generation costs, and the league that may follow it.
    fn next_cost(&self, de: &De) -> (u64, u64) {
        let (members, games) = (self.state.members.len() as u64, self.setting.options.games);
        (de.next_cost() * members * games, (members + 1) * members / 2 * games)
    }
}

impl Learner for Group {
    fn step(&mut self) -> Result<Step, LabError> {
        let options = self.setting.options.clone();
        let seed = self.setting.seed.child("population", self.state.populations);
        let mut de = self.state.population.take(&options, seed)?;
        let (cost, league) = self.next_cost(&de);
        if self.state.k >= options.k_max || self.state.games + cost + league > self.setting.budget {
            self.state.population.put_back(&de);
            return Ok(Step::Over);
        }
        self.state.games += cost;
        let members: Vec<Wpc> = self.state.members.iter().map(|member| player(&member.point)).collect();
        let ratings: Vec<f64> = self.state.members.iter().map(|member| member.rating).collect();
        let seed = self.setting.seed.child("games", self.state.populations);
        let of = |own: &Wpc, seed: ishi_rng::Seed| {
            let games = (0..).zip(&members);
            let results: Vec<Vec<i8>> = games
                .map(|(number, member)| {
                    play(&options, own, member, seed.child("member", number), options.games)
                })
                .collect();
            rating::candidate(&options, &ratings, &results)
        };
        de.step(&mut Fitness { options: &options, seed, of }).map_err(refused)?;
        let generation = de.state().generation.unwrap_or(0);
        let best = de.state().population.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        let Some(best) = best.map(|best| Rated::new(best.point.clone(), best.value)) else {
            return Ok(Step::Over);
        };
        let rating = best.rating;
        let admitted = generation >= options.success_from() && rating > options.admission;
        if admitted || generation >= options.t_max {
            return self.conclude(&de, best, admitted).map(Step::Point);
        }
        self.state.population.put_back(&de);
        let sampled = generation.is_multiple_of(SAMPLED);
        Ok(if sampled { Step::Rating(Sample { games: self.state.games, rating }) } else { Step::Quiet })
    }

    fn games(&self) -> u64 {
        self.state.games
    }

    fn checkpoint(&self) -> Result<Value, LabError> {
        kept(&self.state)
    }

    fn members(&self) -> Vec<Learned> {
        let learned = |member: &Rated| Learned { point: member.point.clone(), rating: Some(member.rating) };
        self.state.members.iter().map(learned).collect()
    }
}
