//! Group learning (section 5): a population learns to be rated above the members of a group.
//!
//! 1. The group is one random player, rated 1500.
//! 2. A population is made at random; fitness is the rating, from 1500 on, after N games against each member.
//! 3. Differential evolution for Tmax generations; from Tmax / 2 on a rating above 1600 admits that player.
//! 4. After an admission all members play a full league of N games each, which gives their ratings; if there are more than
//!    Gmax, the lowest leaves (before the league, if the options say so).
//! 5. Back to 2, Kmax times.

use ishi_evolve::DifferentialEvolution;
use ishi_othello::Wpc;
use serde::{Deserialize, Serialize};

use super::error::EvolutionError;
use super::games::{first_player, play_series, player_from_point};
use super::learner::{
    CurvePoint, EvolutionLearner, FitnessProblem, LearnedPlayer, LearnerState, LearningStep, MethodState,
    RatingSample, RunSetting, SuspendedPopulation,
};
use super::options::LeavingTime;
use super::rating::{self, play_round_robin};

/// Generations between two samples of the rating of the population's best.
const SAMPLED: u64 = 10;

/// A run.
pub(super) struct GroupLearner {
    pub(super) setting: RunSetting,
    pub(super) state: GroupState,
}

/// All that a run needs to go on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct GroupState {
    k: u64,
    populations: u64,
    members: Vec<GroupMember>,
    /// The last score of the best-rated member against the standard player.
    top: f64,
    population: SuspendedPopulation,
    games: u64,
}

/// A member of the group.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct GroupMember {
    #[serde(with = "ishi_evolve::exact::list")]
    point: Vec<f64>,
    #[serde(with = "ishi_evolve::exact")]
    rating: f64,
    /// Its score against the standard player, measured once, when it was admitted.
    standard: f64,
}

impl GroupMember {
    /// Not measured yet.
    fn new(point: Vec<f64>, rating: f64) -> GroupMember {
        GroupMember { point, rating, standard: 0.5 }
    }
}

impl GroupLearner {
    pub(super) fn start(setting: RunSetting) -> GroupLearner {
        let point = first_player(&setting.options, setting.seed);
        let top = setting.score_against_standard(&point, "first", 0);
        let first = GroupMember { standard: top, ..GroupMember::new(point, setting.options.start_rating) };
        let population = SuspendedPopulation::default();
        let state = GroupState { k: 0, populations: 0, members: vec![first], top, population, games: 0 };
        GroupLearner { setting, state }
    }

    /// The population is done with: a point of the curves, and the next one.
    fn conclude_population(
        &mut self,
        de: &DifferentialEvolution,
        best: GroupMember,
        admitted: bool,
    ) -> Result<CurvePoint, EvolutionError> {
        let rating = Some(best.rating);
        if admitted {
            self.admit_member(best)?;
        }
        let state = &mut self.state;
        state.population.conclude_population(de, admitted, &self.setting.options);
        state.populations += 1;
        state.k += u64::from(self.setting.options.counts_population(admitted));
        let scores = state.members.iter().map(|member| member.standard);
        let standard = scores.clone().sum::<f64>() / state.members.len() as f64;
        let best = scores.reduce(f64::max);
        let top = Some(state.top);
        Ok(CurvePoint {
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
    fn admit_member(&mut self, mut new: GroupMember) -> Result<(), EvolutionError> {
        new.standard = self.setting.score_against_standard(&new.point, "admitted", self.state.populations);
        self.state.members.push(new);
        if self.setting.options.leaves == LeavingTime::BeforeLeague {
            self.remove_lowest();
        }
        self.play_league()?;
        self.remove_lowest();
        let best = self.state.members.iter().max_by(|a, b| a.rating.total_cmp(&b.rating));
        let point = best.map(|best| best.point.clone()).unwrap_or_default();
        self.state.top = self.setting.score_against_standard(&point, "top", self.state.populations);
        Ok(())
    }

    /// All against all, which gives everybody's rating.
    fn play_league(&mut self) -> Result<(), EvolutionError> {
        let options = &self.setting.options;
        let seed = self.setting.seed.child_seed("league", self.state.populations);
        let players: Vec<Wpc> =
            self.state.members.iter().map(|member| player_from_point(&member.point)).collect();
        let games = play_round_robin(options, &players, seed);
        self.state.games += games.len() as u64 * options.games;
        let before: Vec<f64> = self.state.members.iter().map(|member| member.rating).collect();
        let ratings = rating::rate_league(options, &before, &games)?;
        for (member, rating) in self.state.members.iter_mut().zip(ratings) {
            member.rating = rating;
        }
        Ok(())
    }

    /// Removes the lowest; of equal ones the newest leaves.
    fn remove_lowest(&mut self) {
        let members = &mut self.state.members;
        if members.len() > self.setting.options.group {
            let ratings = members.iter().map(|member| member.rating).enumerate().rev();
            if let Some((lowest, _)) = ratings.min_by(|a, b| a.1.total_cmp(&b.1)) {
                members.remove(lowest);
            }
        }
    }

    /// Games that the next generation costs, and the league that may follow it.
    fn next_generation_games(&self, de: &DifferentialEvolution) -> (u64, u64) {
        let (members, games) = (self.state.members.len() as u64, self.setting.options.games);
        (de.next_evaluations() * members * games, (members + 1) * members / 2 * games)
    }
}

impl EvolutionLearner for GroupLearner {
    fn advance_generation(&mut self) -> Result<LearningStep, EvolutionError> {
        let options = self.setting.options.clone();
        let seed = self.setting.seed.child_seed("population", self.state.populations);
        let mut de = self.state.population.resume_or_start(&options, seed)?;
        let (cost, league) = self.next_generation_games(&de);
        if self.state.k >= options.k_max || self.state.games + cost + league > self.setting.budget {
            self.state.population.put_back(&de);
            return Ok(LearningStep::Over);
        }
        self.state.games += cost;
        let members: Vec<Wpc> =
            self.state.members.iter().map(|member| player_from_point(&member.point)).collect();
        let ratings: Vec<f64> = self.state.members.iter().map(|member| member.rating).collect();
        let seed = self.setting.seed.child_seed("games", self.state.populations);
        let of = |own: &Wpc, seed: ishi_rng::Seed| {
            let games = (0..).zip(&members);
            let results: Vec<Vec<i8>> = games
                .map(|(number, member)| {
                    play_series(&options, own, member, seed.child_seed("member", number), options.games)
                })
                .collect();
            rating::rate_candidate(&options, &ratings, &results)
        };
        de.run_generation(&mut FitnessProblem { options: &options, seed, of })?;
        let generation = de.state().generation.unwrap_or(0);
        let best = de.state().population.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        let Some(best) = best.map(|best| GroupMember::new(best.point.clone(), best.value)) else {
            return Ok(LearningStep::Over);
        };
        let rating = best.rating;
        let admitted = generation >= options.success_from() && rating > options.admission;
        if admitted || generation >= options.t_max {
            return self.conclude_population(&de, best, admitted).map(LearningStep::Point);
        }
        self.state.population.put_back(&de);
        let sampled = generation.is_multiple_of(SAMPLED);
        Ok(if sampled {
            LearningStep::Rating(RatingSample { games: self.state.games, rating })
        } else {
            LearningStep::Quiet
        })
    }

    fn games_played(&self) -> u64 {
        self.state.games
    }

    fn state(&self) -> LearnerState {
        LearnerState(MethodState::Group(self.state.clone()))
    }

    fn current_players(&self) -> Vec<LearnedPlayer> {
        let learned = |member: &GroupMember| LearnedPlayer {
            point: member.point.clone(),
            rating: Some(member.rating),
            value: None,
        };
        self.state.members.iter().map(learned).collect()
    }
}
