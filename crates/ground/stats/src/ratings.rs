//! Elo ratings of many players by maximum likelihood (the Bradley-Terry model).
//!
//! Model: the first player of a game expects the score 1 / (1 + exp(-(r_first - r_second + advantage))), with ratings
//! in natural units; a draw counts as half a win and half a loss for each. The maximum is found by Newton's method;
//! the standard errors come from the inverse of the Fisher information. Draws vary less than wins and losses do, so
//! that with many draws the intervals are somewhat too wide, never too narrow.
//!
//! Sources: Bradley and Terry, Biometrika 39, 1952; Ford, American Mathematical Monthly 64, 1957 (when the maximum
//! exists); Hunter, Annals of Statistics 32, 2004 (home advantage); Coulom, BayesElo (virtual draws).

use std::collections::BTreeMap;

use crate::elo::{ELO_PER_NAT, expected_score};
use crate::graph::{PlayerArrows, advantage_is_confounded, connected_groups, smallest_closed_group};
use crate::linear::SymmetricMatrix;
use crate::special::normal_cdf;
use crate::{ConfidenceLevel, Interval, RatingsError, StatsError};

/// A player, by its place in the list of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlayerIndex(pub usize);

/// Games between two players in which `first` moved first (if that matters, see
/// [`RatingsParams::first_move_advantage`]). Several results of the same pair add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PairResult {
    /// The player who moved first.
    pub first: PlayerIndex,
    /// The other player.
    pub second: PlayerIndex,
    /// Games that `first` won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games that `first` lost.
    pub losses: u64,
}

/// Which rating is held fixed: the data tell only differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum RatingAnchor {
    /// The mean of all ratings.
    Mean,
    /// The rating of this player; its standard error is 0.
    Player(PlayerIndex),
}

/// Virtual draws, added to every pair that met; half of them with either player first.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum RatingPrior {
    /// None: plain maximum likelihood, and an error where it is infinite (players with wins only).
    Off,
    /// So many draws for each pair, but only if there is no finite maximum without them.
    IfNeeded(f64),
    /// Adds so many draws to each pair.
    Always(f64),
}

/// How to compute ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RatingsParams {
    /// What is held fixed.
    pub anchor: RatingAnchor,
    /// The Elo value of the anchor.
    pub anchor_elo: f64,
    /// Virtual draws; a number above 0 and at most 1000.
    pub prior: RatingPrior,
    /// Whether to estimate the advantage of the first move along with the ratings.
    pub first_move_advantage: bool,
    /// The level of the intervals.
    pub confidence: ConfidenceLevel,
}

impl Default for RatingsParams {
    /// Mean 0, one virtual draw for each pair if needed, no advantage, 95%.
    fn default() -> Self {
        RatingsParams {
            anchor: RatingAnchor::Mean,
            anchor_elo: 0.0,
            prior: RatingPrior::IfNeeded(1.0),
            first_move_advantage: false,
            confidence: ConfidenceLevel::default(),
        }
    }
}

/// An Elo figure with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EloEstimate {
    /// Elo.
    pub elo: f64,
    /// Standard error, Elo.
    pub std_error: f64,
    /// `elo` plus and minus z standard errors.
    pub interval: Interval,
}

impl EloEstimate {
    fn from_variance(elo: f64, variance: f64, confidence: ConfidenceLevel) -> Self {
        let std_error = variance.max(0.0).sqrt();
        EloEstimate {
            elo,
            std_error,
            interval: Interval::around_centre(elo, confidence.z_score() * std_error),
        }
    }

    /// The likelihood that the figure is truly above 0: superiority, where it is a difference.
    pub fn likelihood_of_superiority(&self) -> f64 {
        if self.std_error == 0.0 { 0.5 } else { normal_cdf(self.elo / self.std_error) }
    }
}

/// One player's line.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PlayerRating {
    /// The player.
    pub player: PlayerIndex,
    /// Its name.
    pub name: String,
    /// The rating; its uncertainty is that of the difference to the anchor.
    pub rating: EloEstimate,
    /// Games played, virtual ones not counted.
    pub games: u64,
    /// Mean score of these games, in [0, 1].
    pub score: f64,
}

/// The ratings of all players.
///
/// ```
/// use ishi_stats::{PairResult, PlayerIndex, RatingsParams, compute_ratings};
/// let names = ["old", "new"].map(String::from);
/// let results = [PairResult { first: PlayerIndex(1), second: PlayerIndex(0), wins: 64, draws: 0, losses: 36 }];
/// let ratings = compute_ratings(&names, &results, &RatingsParams::default()).unwrap();
/// let difference = ratings.rating_difference(PlayerIndex(1), PlayerIndex(0)).unwrap();
/// assert_eq!(difference.elo.round(), 100.0);
/// ```
#[derive(Clone, Debug)]
pub struct Ratings {
    /// The players in the order of their names.
    pub players: Vec<PlayerRating>,
    /// The advantage of the first move in Elo, if it was asked for.
    pub advantage: Option<EloEstimate>,
    /// Virtual draws that were added to each pair: 0 for plain maximum likelihood.
    pub virtual_draws: f64,
    /// Iterations of Newton's method.
    pub iterations: usize,
    /// Covariance in Elo^2, relative to player 0, which is fixed and has no row.
    covariance: SymmetricMatrix,
    confidence: ConfidenceLevel,
}

impl Ratings {
    /// The rating of `a` less that of `b`, with the uncertainty of the difference; `None` if one is not on the list.
    pub fn rating_difference(&self, a: PlayerIndex, b: PlayerIndex) -> Option<EloEstimate> {
        let elo = self.players.get(a.0)?.rating.elo - self.players.get(b.0)?.rating.elo;
        let variance = weighted_variance(&self.covariance, self.players.len(), |player| {
            f64::from(u8::from(player == a.0)) - f64::from(u8::from(player == b.0))
        });
        Some(EloEstimate::from_variance(elo, variance, self.confidence))
    }

    /// The players from the strongest to the weakest.
    pub fn ranking(&self) -> Vec<&PlayerRating> {
        let mut ranking: Vec<&PlayerRating> = self.players.iter().collect();
        ranking.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo));
        ranking
    }
}

/// The variance of the sum of `weight(player)` times rating, the weights adding up to 0.
fn weighted_variance(covariance: &SymmetricMatrix, players: usize, weight: impl Fn(usize) -> f64) -> f64 {
    let mut variance = 0.0;
    for i in 1..players {
        for j in 1..players {
            variance += weight(i) * weight(j) * covariance.get(i - 1, j - 1);
        }
    }
    variance
}

/// Maximum likelihood Elo ratings of the players `names` from `results`.
///
/// # Errors
/// A result or an anchor that names no player or one player twice, fewer than two players, groups of players that
/// never met, a prior out of range; without virtual draws also players who won (or lost) everything, and an advantage
/// of the first move that is infinite. An advantage that cannot be told from the players' differences is always an
/// error, as are counts so far apart that Newton's method does not settle.
pub fn compute_ratings(
    names: &[String],
    results: &[PairResult],
    params: &RatingsParams,
) -> Result<Ratings, RatingsError> {
    check_arguments(names, results, params)?;
    let table = ResultTable::new(names.len(), results);
    table.check_players_connected(names)?;
    let games: Vec<(usize, usize)> = table.lines.keys().copied().collect();
    if params.first_move_advantage && advantage_is_confounded(names.len(), &games) {
        return Err(RatingsError::AdvantageConfounded);
    }
    let (fitted, virtual_draws) = match params.prior {
        RatingPrior::Off => (fit_without_prior(&table, names, params)?, 0.0),
        RatingPrior::Always(draws) => (fit_ratings(&table, params, draws)?, draws),
        RatingPrior::IfNeeded(draws) => match fit_without_prior(&table, names, params) {
            Ok(fitted) => (fitted, 0.0),
            Err(_) => (fit_ratings(&table, params, draws)?, draws),
        },
    };
    Ok(fitted.into_ratings(names, &table, params, virtual_draws))
}

/// The maximum without virtual draws.
fn fit_without_prior(
    table: &ResultTable,
    names: &[String],
    params: &RatingsParams,
) -> Result<RatingsFit, RatingsError> {
    table.check_finite_maximum(names)?;
    fit_ratings(table, params, 0.0)
}

/// The maximum with so many virtual draws.
fn fit_ratings(
    table: &ResultTable,
    params: &RatingsParams,
    virtual_draws: f64,
) -> Result<RatingsFit, RatingsError> {
    let advantage = params.first_move_advantage;
    RatingsFit::find_maximum(&table.build_design(advantage, virtual_draws)).ok_or(match advantage {
        true => RatingsError::AdvantageUnbounded,
        false => RatingsError::NotConverged,
    })
}

/// Everything that can be wrong with the arguments themselves.
fn check_arguments(
    names: &[String],
    results: &[PairResult],
    params: &RatingsParams,
) -> Result<(), RatingsError> {
    let players = names.len();
    if players < 2 {
        return Err(RatingsError::TooFewPlayers { players });
    }
    for (number, result) in results.iter().enumerate() {
        for PlayerIndex(index) in [result.first, result.second] {
            if index >= players {
                return Err(RatingsError::UnknownPlayer { result: number, index, players });
            }
        }
        if result.first == result.second {
            let name = names[result.first.0].clone();
            return Err(RatingsError::SelfPlay { result: number, name });
        }
    }
    if let RatingAnchor::Player(PlayerIndex(index)) = params.anchor
        && index >= players
    {
        return Err(RatingsError::UnknownAnchor { index, players });
    }
    if !params.anchor_elo.is_finite() {
        let error = StatsError::new("anchor Elo", params.anchor_elo, "it must be a finite number");
        return Err(error.into());
    }
    if let RatingPrior::IfNeeded(draws) | RatingPrior::Always(draws) = params.prior
        && !(draws > 0.0 && draws <= 1000.0)
    {
        let error = StatsError::new("number of virtual draws", draws, "it must be above 0 and at most 1000");
        return Err(error.into());
    }
    Ok(())
}

/// The results, added up by (first, second).
struct ResultTable {
    players: usize,
    lines: BTreeMap<(usize, usize), PairTotals>,
}

/// Wins of the first player, draws, losses, as numbers.
#[derive(Clone, Copy, Default)]
struct PairTotals {
    wins: f64,
    draws: f64,
    losses: f64,
}

impl PairTotals {
    fn game_count(self) -> f64 {
        self.wins + self.draws + self.losses
    }

    fn first_player_score(self) -> f64 {
        self.wins + self.draws / 2.0
    }
}

impl ResultTable {
    fn new(players: usize, results: &[PairResult]) -> Self {
        let mut lines: BTreeMap<(usize, usize), PairTotals> = BTreeMap::new();
        for result in results.iter().filter(|r| r.wins > 0 || r.draws > 0 || r.losses > 0) {
            let line = lines.entry((result.first.0, result.second.0)).or_default();
            line.wins += result.wins as f64;
            line.draws += result.draws as f64;
            line.losses += result.losses as f64;
        }
        ResultTable { players, lines }
    }

    /// Arrows between players; `arrow` says which ways (first to second, second to first) a line points.
    fn player_arrows(&self, arrow: impl Fn(PairTotals) -> (bool, bool)) -> PlayerArrows {
        let mut arrows = vec![Vec::new(); self.players];
        for (&(first, second), &line) in &self.lines {
            let (forward, backward) = arrow(line);
            if forward {
                arrows[first].push(second);
            }
            if backward {
                arrows[second].push(first);
            }
        }
        arrows
    }

    fn check_players_connected(&self, names: &[String]) -> Result<(), RatingsError> {
        let groups = connected_groups(&self.player_arrows(|_| (true, true)));
        if groups.len() == 1 {
            return Ok(());
        }
        let groups = groups.iter().map(|group| pick_names(names, group)).collect();
        Err(RatingsError::Disconnected { groups })
    }

    /// Ford's condition for a finite maximum.
    fn check_finite_maximum(&self, names: &[String]) -> Result<(), RatingsError> {
        let first_scored = |line: PairTotals| line.wins + line.draws > 0.0;
        let second_scored = |line: PairTotals| line.losses + line.draws > 0.0;
        let unbeaten =
            smallest_closed_group(&self.player_arrows(|line| (second_scored(line), first_scored(line))));
        let winless =
            smallest_closed_group(&self.player_arrows(|line| (first_scored(line), second_scored(line))));
        // Either exists if the other does; the smaller one is the better explanation.
        match (unbeaten, winless) {
            (Some(group), Some(other)) if other.len() < group.len() => {
                Err(RatingsError::OnlyLosses { players: pick_names(names, &other) })
            }
            (Some(group), _) => Err(RatingsError::OnlyWins { players: pick_names(names, &group) }),
            (None, _) => Ok(()),
        }
    }

    /// The rows of the logistic regression; parameters are the ratings of players 1.. and then the advantage.
    fn build_design(&self, advantage: bool, virtual_draws: f64) -> LogisticDesign {
        let parameters = self.players - 1 + usize::from(advantage);
        let row = |first: usize, second: usize, score: f64, games: f64| {
            let mut entries = Vec::with_capacity(3);
            if first > 0 {
                entries.push((first - 1, 1.0));
            }
            if second > 0 {
                entries.push((second - 1, -1.0));
            }
            if advantage {
                entries.push((parameters - 1, 1.0));
            }
            DesignRow { entries, score, games }
        };
        let mut rows: Vec<DesignRow> = Vec::new();
        for (&(first, second), line) in &self.lines {
            rows.push(row(first, second, line.first_player_score(), line.game_count()));
            let both_ways = self.lines.contains_key(&(second, first));
            if virtual_draws > 0.0 && (first < second || !both_ways) {
                rows.push(row(first, second, virtual_draws / 4.0, virtual_draws / 2.0));
                rows.push(row(second, first, virtual_draws / 4.0, virtual_draws / 2.0));
            }
        }
        LogisticDesign { parameters, rows }
    }

    /// Games and mean score of a player.
    fn player_record(&self, player: usize) -> (f64, f64) {
        let (mut games, mut score) = (0.0, 0.0);
        for (&(first, second), line) in &self.lines {
            if first == player {
                games += line.game_count();
                score += line.first_player_score();
            } else if second == player {
                games += line.game_count();
                score += line.game_count() - line.first_player_score();
            }
        }
        (games, score / games)
    }
}

fn pick_names(names: &[String], group: &[usize]) -> Vec<String> {
    group.iter().map(|&player| names[player].clone()).collect()
}

/// A logistic regression without intercept.
struct LogisticDesign {
    parameters: usize,
    rows: Vec<DesignRow>,
}

/// `score` points in `games` games at the log odds that the entries (parameter, factor) add up to.
struct DesignRow {
    entries: Vec<(usize, f64)>,
    score: f64,
    games: f64,
}

impl DesignRow {
    fn log_odds(&self, at: &[f64]) -> f64 {
        self.entries.iter().map(|&(parameter, factor)| factor * at[parameter]).sum()
    }

    fn log_likelihood(&self, at: &[f64]) -> f64 {
        let x = self.log_odds(at);
        // ln(1 + e^x), without overflow.
        let softplus = x.max(0.0) + (-x.abs()).exp().ln_1p();
        self.score * x - self.games * softplus
    }
}

impl LogisticDesign {
    fn log_likelihood(&self, at: &[f64]) -> f64 {
        self.rows.iter().map(|row| row.log_likelihood(at)).sum()
    }

    fn gradient(&self, at: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.parameters];
        for row in &self.rows {
            let expected = expected_score(ELO_PER_NAT * row.log_odds(at));
            for &(parameter, factor) in &row.entries {
                gradient[parameter] += factor * (row.score - row.games * expected);
            }
        }
        gradient
    }

    /// The Fisher information: minus the second derivatives.
    fn fisher_information(&self, at: &[f64]) -> SymmetricMatrix {
        let mut information = SymmetricMatrix::zero(self.parameters);
        for row in &self.rows {
            let expected = expected_score(ELO_PER_NAT * row.log_odds(at));
            information.add_outer_product(&row.entries, row.games * expected * (1.0 - expected));
        }
        information
    }
}

/// The maximum of a [`LogisticDesign`], in natural units.
struct RatingsFit {
    at: Vec<f64>,
    covariance: SymmetricMatrix,
    iterations: usize,
}

impl RatingsFit {
    /// Newton's method with halved steps; `None` if it runs away, as it does where the maximum is infinite.
    fn find_maximum(design: &LogisticDesign) -> Option<RatingsFit> {
        const MAX_ITERATIONS: usize = 100;
        const SMALL_STEP: f64 = 1e-9;
        let mut at = vec![0.0; design.parameters];
        for iterations in 1..=MAX_ITERATIONS {
            let factor = design.fisher_information(&at).cholesky_factor()?;
            let step = factor.solve(&design.gradient(&at));
            let length = step.iter().fold(0.0_f64, |longest, x| longest.max(x.abs()));
            if length < SMALL_STEP {
                return Some(RatingsFit { at, covariance: factor.inverse_matrix(), iterations });
            }
            at = RatingsFit::improved_point(design, &at, &step);
        }
        None
    }

    /// The point at the end of the step, or of the first of its halves that does not lower the likelihood.
    fn improved_point(design: &LogisticDesign, at: &[f64], step: &[f64]) -> Vec<f64> {
        let before = design.log_likelihood(at);
        let slack = 1e-12 * before.abs();
        let mut share = 1.0;
        loop {
            let next: Vec<f64> = at.iter().zip(step).map(|(x, d)| x + share * d).collect();
            if share < 1e-6 || design.log_likelihood(&next) >= before - slack {
                return next;
            }
            share /= 2.0;
        }
    }

    fn into_ratings(
        self,
        names: &[String],
        table: &ResultTable,
        params: &RatingsParams,
        virtual_draws: f64,
    ) -> Ratings {
        let n = names.len();
        let confidence = params.confidence;
        let covariance = self.covariance.scaled_by(ELO_PER_NAT * ELO_PER_NAT);
        let raw: Vec<f64> = std::iter::once(0.0).chain(self.at.iter().map(|x| ELO_PER_NAT * x)).collect();
        let zero = match params.anchor {
            RatingAnchor::Mean => raw[..n].iter().sum::<f64>() / n as f64,
            RatingAnchor::Player(PlayerIndex(anchor)) => raw[anchor],
        };
        let held = |other: usize| match params.anchor {
            RatingAnchor::Mean => 1.0 / n as f64,
            RatingAnchor::Player(PlayerIndex(anchor)) => f64::from(u8::from(other == anchor)),
        };
        let players = (0..n).map(|player| {
            let weight = |other: usize| f64::from(u8::from(other == player)) - held(other);
            let elo = raw[player] - zero + params.anchor_elo;
            let (games, score) = table.player_record(player);
            PlayerRating {
                player: PlayerIndex(player),
                name: names[player].clone(),
                rating: EloEstimate::from_variance(
                    elo,
                    weighted_variance(&covariance, n, weight),
                    confidence,
                ),
                games: games as u64,
                score,
            }
        });
        let players = players.collect();
        let advantage = params
            .first_move_advantage
            .then(|| EloEstimate::from_variance(raw[n], covariance.get(n - 1, n - 1), confidence));
        Ratings { players, advantage, virtual_draws, iterations: self.iterations, covariance, confidence }
    }
}
