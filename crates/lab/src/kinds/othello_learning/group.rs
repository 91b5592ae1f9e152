//! Group learning (section 5): a population learns to be rated above the members of a group.
//!
//! 1. The group is one random player, rated 1500.
//! 2. A population is made at random; fitness is the rating, from 1500 on, after N games against each member.
//! 3. Differential evolution for Tmax generations; from Tmax / 2 on a rating above 1600 admits that player.
//! 4. After an admission all members play a full league of N games each, which gives their ratings; if there are more than
//!    Gmax, the lowest leaves.
//! 5. Back to 2, Kmax times.

use ishi_evolve::De;
use ishi_othello::Wpc;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::games::{first_player, play, player};
use super::learner::{Fitness, Learner, Point, Population, Setting, Step, kept, refused, restored};
use super::options::Advance;
use super::rating::{self, Pairing};
use crate::error::LabError;

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

impl Group {
    pub(super) fn new(setting: Setting, checkpoint: Option<&Value>) -> Result<Group, LabError> {
        let state = match checkpoint {
            Some(value) => restored(value)?,
            None => {
                let point = first_player(&setting.options, setting.seed);
                let standard = setting.against_standard(&point, "first", 0);
                let first = Rated { point, rating: setting.options.start_rating, standard };
                State {
                    k: 0,
                    populations: 0,
                    members: vec![first],
                    population: Population::default(),
                    games: 0,
                }
            }
        };
        Ok(Group { setting, state })
    }

    /// The population is done with: a point of the curves, and the next one.
    fn conclude(&mut self, de: &De, admitted: Option<Vec<f64>>) -> Result<Point, LabError> {
        let success = admitted.is_some();
        if let Some(point) = admitted {
            let standard = self.setting.against_standard(&point, "admitted", self.state.populations);
            let rating = self.setting.options.start_rating;
            self.state.members.push(Rated { point, rating, standard });
            self.league()?;
        }
        let state = &mut self.state;
        state.population.conclude(de, success, &self.setting.options);
        state.populations += 1;
        state.k += u64::from(success || self.setting.options.advance == Advance::SuccessAndFailure);
        let scores = state.members.iter().map(|member| member.standard);
        let standard = scores.clone().sum::<f64>() / state.members.len() as f64;
        let best = scores.reduce(f64::max);
        Ok(Point { k: state.k, games: state.games, success, previous: None, standard, best })
    }

    /// All against all; the lowest leaves a group that is too large.
    fn league(&mut self) -> Result<(), LabError> {
        let options = &self.setting.options;
        let state = &mut self.state;
        let seed = self.setting.seed.child("league", state.populations);
        let players: Vec<Wpc> = state.members.iter().map(|member| player(&member.point)).collect();
        let mut games = Vec::new();
        for second in 1..players.len() {
            for first in 0..second {
                let seed = seed.child("pairing", games.len() as u64);
                let results = play(options, &players[first], &players[second], seed, options.games);
                games.push(Pairing { first, second, results });
            }
        }
        state.games += games.len() as u64 * options.games;
        let before: Vec<f64> = state.members.iter().map(|member| member.rating).collect();
        let ratings = rating::league(options, &before, &games)?;
        for (member, rating) in state.members.iter_mut().zip(ratings) {
            member.rating = rating;
        }
        if state.members.len() > options.group {
            // Of equal ones the newest leaves.
            let ratings = state.members.iter().map(|member| member.rating).enumerate().rev();
            if let Some((lowest, _)) = ratings.min_by(|a, b| a.1.total_cmp(&b.1)) {
                state.members.remove(lowest);
            }
        }
        Ok(())
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
        let found = |value: f64| generation >= options.success_from() && value > options.admission;
        let admitted = best.filter(|best| found(best.value)).map(|best| best.point.clone());
        if admitted.is_some() || generation >= options.t_max {
            return self.conclude(&de, admitted).map(Step::Point);
        }
        self.state.population.put_back(&de);
        Ok(Step::Quiet)
    }

    fn games(&self) -> u64 {
        self.state.games
    }

    fn checkpoint(&self) -> Result<Value, LabError> {
        kept(&self.state)
    }

    fn members(&self) -> Vec<Vec<f64>> {
        self.state.members.iter().map(|member| member.point.clone()).collect()
    }
}
