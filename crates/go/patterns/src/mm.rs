//! Minorisation-maximisation for the generalised Bradley-Terry model (Coulom 2007, section 2; Hunter, "MM algorithms for
//! generalized Bradley-Terry models", Annals of Statistics 32, 2004).
//!
//! A contest is won by one of several teams; a team's strength is the product of its features' strengths gamma, and wins with
//! probability strength / sum of strengths. One step sets the strengths of one group, of which a team has at most one feature,
//! to `W_i / sum_j (C_ij / E_j)`: W_i wins, C_ij the strength of the other features in the teams with feature i, E_j the whole
//! strength of contest j. As prior every feature has won and lost a number of contests against a strength of 1.

use std::ops::Range;

/// Contests between teams of features. The first team of a contest is the winner.
///
/// Kept by groups: for each the teams that have a feature of it, so that a step reads only what it needs.
#[derive(Clone, Debug)]
pub struct TeamContests {
    groups: Vec<Range<usize>>,
    columns: Vec<GroupColumn>,
    /// The column of each feature.
    column_of: Vec<u16>,
    teams: u32,
    /// Where the teams of each contest end.
    ends: Vec<u32>,
}

/// The teams, ascending, that have a feature of a group, and which.
#[derive(Clone, Debug, Default)]
struct GroupColumn {
    teams: Vec<u32>,
    ids: Vec<u32>,
}

impl GroupColumn {
    /// The entries that belong to these teams.
    fn entries_of(&self, teams: Range<u32>) -> impl Iterator<Item = (u32, u32)> + '_ {
        let start = self.teams.partition_point(|&team| team < teams.start);
        let end = self.teams.partition_point(|&team| team < teams.end);
        self.teams[start..end].iter().copied().zip(self.ids[start..end].iter().copied())
    }
}

impl TeamContests {
    /// No contest. The groups follow each other from feature 0 on; a team has at most one feature of each.
    pub fn new(groups: Vec<Range<usize>>) -> TeamContests {
        let mut column_of = vec![0; groups.last().map_or(0, |group| group.end)];
        for (n, group) in groups.iter().enumerate() {
            column_of[group.clone()].fill(n as u16);
        }
        let columns = vec![GroupColumn::default(); groups.len()];
        TeamContests { groups, columns, column_of, teams: 0, ends: Vec::new() }
    }

    /// Adds a team to the current contest.
    pub fn add_team(&mut self, features: &[u32]) {
        for &id in features {
            let column = &mut self.columns[self.column_of[id as usize] as usize];
            column.teams.push(self.teams);
            column.ids.push(id);
        }
        self.teams += 1;
    }

    /// Ends the current contest.
    pub fn end_contest(&mut self) {
        self.ends.push(self.teams);
    }

    /// Number of contests.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Is there no contest?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Number of teams in all contests.
    pub fn team_count(&self) -> usize {
        self.teams as usize
    }

    fn first_team(&self, contest: usize) -> u32 {
        if contest == 0 { 0 } else { self.ends[contest - 1] }
    }
}

/// Contests are summed in so many parts, whatever the number of threads, so that the sums do not depend on it.
const PARTS: usize = 8;

/// A fit under way.
#[derive(Debug)]
pub struct StrengthFit<'a> {
    contests: &'a TeamContests,
    /// Strengths of the features.
    gammas: Vec<f64>,
    /// Strengths of the teams.
    strengths: Vec<f32>,
    wins: Vec<u32>,
    prior: f64,
}

impl<'a> StrengthFit<'a> {
    /// Begins with strengths of 1. `prior` is the number of virtual contests that each feature has won against a strength of 1,
    /// and the number that it has lost.
    pub fn new(contests: &'a TeamContests, prior: f64) -> StrengthFit<'a> {
        let features = contests.column_of.len();
        let mut wins = vec![0; features];
        for column in &contests.columns {
            let mut contest = 0;
            for (&team, &id) in column.teams.iter().zip(&column.ids) {
                while contests.ends[contest] <= team {
                    contest += 1;
                }
                wins[id as usize] += u32::from(contests.first_team(contest) == team);
            }
        }
        StrengthFit {
            contests,
            gammas: vec![1.0; features],
            strengths: vec![1.0; contests.team_count()],
            wins,
            prior,
        }
    }

    /// Strengths of the features.
    pub fn gammas(&self) -> &[f64] {
        &self.gammas
    }

    /// The mean logarithm of the winners' probabilities.
    pub fn log_likelihood(&self) -> f64 {
        let log = |contest| {
            (f64::from(self.strengths[self.contests.first_team(contest) as usize])
                / self.total_strength(contest))
            .ln()
        };
        (0..self.contests.len()).map(log).sum::<f64>() / self.contests.len().max(1) as f64
    }

    /// The sum of the strengths of a contest's teams.
    fn total_strength(&self, contest: usize) -> f64 {
        let teams = self.contests.first_team(contest) as usize..self.contests.ends[contest] as usize;
        self.strengths[teams].iter().map(|&strength| f64::from(strength)).sum()
    }

    /// The logarithm of the posterior but for a constant: what each [`StrengthFit::update_group`] increases.
    pub fn log_posterior(&self) -> f64 {
        let prior = |gamma: &f64| self.prior * (gamma.ln() - 2.0 * (1.0 + gamma).ln());
        self.log_likelihood() * self.contests.len() as f64 + self.gammas.iter().map(prior).sum::<f64>()
    }

    /// Number of groups.
    pub fn group_count(&self) -> usize {
        self.contests.groups.len()
    }

    /// Sets the strengths of one group.
    pub fn update_group(&mut self, group: usize, threads: usize) {
        let range = self.contests.groups[group].clone();
        let sums = self.sum_win_chances(group, threads);
        let mut ratios = vec![1.0; range.len()];
        for (i, sum) in sums.into_iter().enumerate() {
            let id = range.start + i;
            let old = self.gammas[id];
            let won = f64::from(self.wins[id]) + self.prior;
            let lost = sum / old + 2.0 * self.prior / (1.0 + old);
            if won > 0.0 && lost > 0.0 {
                self.gammas[id] = (won / lost).clamp(1e-6, 1e6);
            }
            ratios[i] = (self.gammas[id] / old) as f32;
        }
        self.scale_strengths(group, &ratios, threads);
    }

    /// By feature of the group: the sum over contests of the probability that a team with this feature wins.
    fn sum_win_chances(&self, group: usize, threads: usize) -> Vec<f64> {
        let contests = self.contests.len();
        let share = contests.div_ceil(PARTS).max(1);
        let starts: Vec<usize> = (0..contests).step_by(share).collect();
        let mut sums = vec![0.0; self.contests.groups[group].len()];
        for some in starts.chunks(threads.max(1)) {
            let found: Vec<Vec<f64>> = std::thread::scope(|scope| {
                let work = |&start: &usize| {
                    scope.spawn(move || self.sum_part(group, start..(start + share).min(contests)))
                };
                let handles: Vec<_> = some.iter().map(work).collect();
                handles.into_iter().map(|handle| handle.join().unwrap_or_default()).collect()
            });
            for part in found {
                for (sum, part) in sums.iter_mut().zip(part) {
                    *sum += part;
                }
            }
        }
        sums
    }

    fn sum_part(&self, group: usize, part: Range<usize>) -> Vec<f64> {
        let range = &self.contests.groups[group];
        let mut sums = vec![0.0; range.len()];
        let mut contest = part.start;
        let mut whole = self.total_strength(contest);
        let teams = self.contests.first_team(part.start)..self.contests.ends[part.end - 1];
        for (team, id) in self.contests.columns[group].entries_of(teams) {
            while self.contests.ends[contest] <= team {
                contest += 1;
                whole = self.total_strength(contest);
            }
            sums[id as usize - range.start] += f64::from(self.strengths[team as usize]) / whole;
        }
        sums
    }

    /// Brings the strengths of the teams up to date.
    fn scale_strengths(&mut self, group: usize, ratios: &[f32], threads: usize) {
        let share = self.strengths.len().div_ceil(threads.max(1)).max(1);
        let (column, start) = (&self.contests.columns[group], self.contests.groups[group].start);
        std::thread::scope(|scope| {
            for (n, strengths) in self.strengths.chunks_mut(share).enumerate() {
                scope.spawn(move || {
                    let first = n * share;
                    for (team, id) in column.entries_of(first as u32..(first + strengths.len()) as u32) {
                        strengths[team as usize - first] *= ratios[id as usize - start];
                    }
                });
            }
        });
    }
}
