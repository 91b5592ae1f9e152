//! Ratings: Elo's formula game after game, as the paper has it, and the maximum of the likelihood over the same games.

use ishi_othello::Wpc;
use ishi_rng::Seed;
use ishi_stats::{PairResult, PlayerIndex, RatingAnchor, RatingsParams, compute_ratings};

use super::error::EvolutionError;
use super::games::{play_series, result_score};
use super::options::{GameOrder, LeagueStart, LearningOptions, MovingRatings, RatingMethod};

/// What a player of rating `own` expects against one of rating `other`.
fn expected_score(own: f64, other: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf((other - own) / 400.0))
}

/// The rating of a candidate after its games: `results[m]` are those against member `m`, seen by the candidate.
pub fn rate_candidate(options: &LearningOptions, members: &[f64], results: &[Vec<i8>]) -> f64 {
    match options.rating {
        RatingMethod::Elo => elo_rating(options, members, results),
        RatingMethod::Likelihood => likelihood_rating(options, members, results),
    }
}

fn elo_rating(options: &LearningOptions, members: &[f64], results: &[Vec<i8>]) -> f64 {
    let mut own = options.start_rating;
    let mut others = members.to_vec();
    let mut game = |member: usize, result: i8| {
        let change = options.k_factor * (result_score(result) - expected_score(own, others[member]));
        own += change;
        if options.moving == MovingRatings::Both {
            others[member] -= change;
        }
    };
    let longest = results.iter().map(Vec::len).max().unwrap_or(0);
    match options.order {
        GameOrder::Interleaved => {
            for round in 0..longest {
                for (member, games) in results.iter().enumerate() {
                    games.get(round).into_iter().for_each(|&result| game(member, result));
                }
            }
        }
        GameOrder::MemberByMember => {
            for (member, games) in results.iter().enumerate() {
                games.iter().for_each(|&result| game(member, result));
            }
        }
    }
    own
}

/// The members' ratings are held fixed; one drawn game against an even player is added, so that the maximum is finite.
/// The expected score rises with the rating: bisection.
fn likelihood_rating(options: &LearningOptions, members: &[f64], results: &[Vec<i8>]) -> f64 {
    let scored: f64 = 0.5 + results.iter().flatten().map(|&result| result_score(result)).sum::<f64>();
    let surplus = |own: f64| {
        let games = members.iter().zip(results);
        let sum: f64 = games.map(|(&other, games)| games.len() as f64 * expected_score(own, other)).sum();
        sum + expected_score(own, options.start_rating) - scored
    };
    let (mut low, mut high) = (options.start_rating - 10_000.0, options.start_rating + 10_000.0);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if surplus(middle) < 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The games of two members of a league, seen by the first.
pub(super) struct LeaguePairing {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) results: Vec<i8>,
}

/// Each two play N games.
pub(super) fn play_round_robin(options: &LearningOptions, players: &[Wpc], seed: Seed) -> Vec<LeaguePairing> {
    let mut games = Vec::new();
    for second in 1..players.len() {
        for first in 0..second {
            let seed = seed.child_seed("pairing", games.len() as u64);
            let results = play_series(options, &players[first], &players[second], seed, options.games);
            games.push(LeaguePairing { first, second, results });
        }
    }
    games
}

/// The members' ratings after a full league.
pub(super) fn rate_league(
    options: &LearningOptions,
    before: &[f64],
    games: &[LeaguePairing],
) -> Result<Vec<f64>, EvolutionError> {
    match options.rating {
        RatingMethod::Elo => Ok(rate_league_by_elo(options, before, games)),
        RatingMethod::Likelihood => rate_league_by_likelihood(options, before.len(), games),
    }
}

/// Round after round, a game for each pair.
fn rate_league_by_elo(options: &LearningOptions, before: &[f64], games: &[LeaguePairing]) -> Vec<f64> {
    let mut all = match options.league_start {
        LeagueStart::Equal => vec![options.start_rating; before.len()],
        LeagueStart::Ratings => before.to_vec(),
    };
    let rounds = games.iter().map(|pairing| pairing.results.len()).max().unwrap_or(0);
    for round in 0..rounds {
        for LeaguePairing { first, second, results } in games {
            let Some(&result) = results.get(round) else { continue };
            let change =
                options.k_factor * (result_score(result) - expected_score(all[*first], all[*second]));
            all[*first] += change;
            all[*second] -= change;
        }
    }
    all
}

fn rate_league_by_likelihood(
    options: &LearningOptions,
    members: usize,
    games: &[LeaguePairing],
) -> Result<Vec<f64>, EvolutionError> {
    if members < 2 {
        return Ok(vec![options.start_rating; members]);
    }
    let names: Vec<String> = (0..members).map(|member| member.to_string()).collect();
    let count = |results: &[i8], sign: i8| results.iter().filter(|r| r.signum() == sign).count() as u64;
    let result = |pairing: &LeaguePairing| PairResult {
        first: PlayerIndex(pairing.first),
        second: PlayerIndex(pairing.second),
        wins: count(&pairing.results, 1),
        draws: count(&pairing.results, 0),
        losses: count(&pairing.results, -1),
    };
    let results: Vec<PairResult> = games.iter().map(result).collect();
    let anchored = RatingsParams {
        anchor: RatingAnchor::Mean,
        anchor_elo: options.start_rating,
        ..RatingsParams::default()
    };
    let rated = compute_ratings(&names, &results, &anchored)?;
    Ok(rated.players.iter().map(|player| player.rating.elo).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_moves_by_half_of_k_for_an_even_win() {
        let options = LearningOptions::default();
        assert_eq!(rate_candidate(&options, &[1500.0], &[vec![5]]), 1516.0);
        assert_eq!(rate_candidate(&options, &[1500.0], &[vec![0]]), 1500.0);
        let both = LearningOptions { moving: MovingRatings::Both, ..LearningOptions::default() };
        let second = |options: &LearningOptions| rate_candidate(options, &[1500.0], &[vec![5, 5]]) - 1516.0;
        assert!(second(&both) < second(&options), "a beaten member is worth less");
    }

    #[test]
    fn the_order_matters_to_elo_and_not_to_the_likelihood() {
        let results = [vec![1; 20], vec![-1; 20]];
        let with = |rating, order| {
            rate_candidate(
                &LearningOptions { rating, order, ..LearningOptions::default() },
                &[1500.0, 1500.0],
                &results,
            )
        };
        let member_by_member = with(RatingMethod::Elo, GameOrder::MemberByMember);
        assert!(with(RatingMethod::Elo, GameOrder::Interleaved) > member_by_member + 100.0);
        let orders = [GameOrder::Interleaved, GameOrder::MemberByMember];
        for rating in orders.map(|order| with(RatingMethod::Likelihood, order)) {
            assert!((rating - 1500.0).abs() < 1e-6, "{rating}");
        }
    }

    #[test]
    fn the_likeliest_rating_expects_what_was_scored() {
        let options = LearningOptions { rating: RatingMethod::Likelihood, ..LearningOptions::default() };
        let mut games = vec![1; 640];
        games.extend([-1; 360]);
        let rating = rate_candidate(&options, &[1600.0], &[games]);
        assert!((rating - 1699.9).abs() < 1.0, "64 per cent are 100 points: {rating}");
        assert!(rate_candidate(&options, &[1500.0], &[vec![1; 50]]).is_finite());
    }

    #[test]
    fn leagues_keep_their_mean() {
        let games: Vec<LeaguePairing> = [(0, 1, 30), (0, 2, 40), (1, 2, 30)]
            .map(|(first, second, wins)| {
                // Spread evenly: Elo's formula weighs the last games most.
                let won = |game: usize| (game + 1) * wins / 50 > game * wins / 50;
                let results = (0..50).map(|game| if won(game) { 1 } else { -1 }).collect();
                LeaguePairing { first, second, results }
            })
            .into();
        for rating in [RatingMethod::Elo, RatingMethod::Likelihood] {
            let options = LearningOptions { rating, ..LearningOptions::default() };
            let all = rate_league(&options, &[1500.0; 3], &games).unwrap();
            assert!((all.iter().sum::<f64>() - 4500.0).abs() < 1e-6);
            assert!(all[0] > all[1] && all[1] > all[2], "{rating:?} {all:?}");
        }
    }
}
