//! Ratings: Elo's formula game after game, as the paper has it, and the maximum of the likelihood over the same games.

use ishi_othello::Wpc;
use ishi_rng::Seed;
use ishi_stats::{Anchor, PairResult, Player, RatingsParams, ratings};

use super::games::{play, score};
use super::options::{LeagueStart, Moving, Options, Order, Rating};
use crate::error::LabError;

/// What a player of rating `own` expects against one of rating `other`.
pub(super) fn expected(own: f64, other: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf((other - own) / 400.0))
}

/// The rating of a candidate after its games: `results[m]` are those against member `m`, seen by the candidate.
pub(super) fn candidate(options: &Options, members: &[f64], results: &[Vec<i8>]) -> f64 {
    match options.rating {
        Rating::Elo => elo(options, members, results),
        Rating::Likelihood => likelihood(options, members, results),
    }
}

fn elo(options: &Options, members: &[f64], results: &[Vec<i8>]) -> f64 {
    let mut own = options.start_rating;
    let mut others = members.to_vec();
    let mut game = |member: usize, result: i8| {
        let change = options.k_factor * (score(result) - expected(own, others[member]));
        own += change;
        if options.moving == Moving::Both {
            others[member] -= change;
        }
    };
    let longest = results.iter().map(Vec::len).max().unwrap_or(0);
    match options.order {
        Order::Interleaved => {
            for round in 0..longest {
                for (member, games) in results.iter().enumerate() {
                    games.get(round).into_iter().for_each(|&result| game(member, result));
                }
            }
        }
        Order::MemberByMember => {
            for (member, games) in results.iter().enumerate() {
                games.iter().for_each(|&result| game(member, result));
            }
        }
    }
    own
}

/// The members' ratings are held fixed; one drawn game against an even player is added, so that the maximum is finite.
/// The expected score rises with the rating: bisection.
fn likelihood(options: &Options, members: &[f64], results: &[Vec<i8>]) -> f64 {
    let scored: f64 = 0.5 + results.iter().flatten().map(|&result| score(result)).sum::<f64>();
    let surplus = |own: f64| {
        let games = members.iter().zip(results);
        let sum: f64 = games.map(|(&other, games)| games.len() as f64 * expected(own, other)).sum();
        sum + expected(own, options.start_rating) - scored
    };
    let (mut low, mut high) = (options.start_rating - 10_000.0, options.start_rating + 10_000.0);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if surplus(middle) < 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The games of two members of a league, seen by the first.
pub(super) struct Pairing {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) results: Vec<i8>,
}

/// Each two play N games.
pub(super) fn round_robin(options: &Options, players: &[Wpc], seed: Seed) -> Vec<Pairing> {
    let mut games = Vec::new();
    for second in 1..players.len() {
        for first in 0..second {
            let seed = seed.child("pairing", games.len() as u64);
            let results = play(options, &players[first], &players[second], seed, options.games);
            games.push(Pairing { first, second, results });
        }
    }
    games
}

/// The members' ratings after a full league.
pub(super) fn league(options: &Options, before: &[f64], games: &[Pairing]) -> Result<Vec<f64>, LabError> {
    match options.rating {
        Rating::Elo => Ok(elo_league(options, before, games)),
        Rating::Likelihood => likelihood_league(options, before.len(), games),
    }
}

/// Round after round, a game for each pair.
fn elo_league(options: &Options, before: &[f64], games: &[Pairing]) -> Vec<f64> {
    let mut all = match options.league_start {
        LeagueStart::Equal => vec![options.start_rating; before.len()],
        LeagueStart::Ratings => before.to_vec(),
    };
    let rounds = games.iter().map(|pairing| pairing.results.len()).max().unwrap_or(0);
    for round in 0..rounds {
        for Pairing { first, second, results } in games {
            let Some(&result) = results.get(round) else { continue };
            let change = options.k_factor * (score(result) - expected(all[*first], all[*second]));
            all[*first] += change;
            all[*second] -= change;
        }
    }
    all
}

fn likelihood_league(options: &Options, members: usize, games: &[Pairing]) -> Result<Vec<f64>, LabError> {
    if members < 2 {
        return Ok(vec![options.start_rating; members]);
    }
    let names: Vec<String> = (0..members).map(|member| member.to_string()).collect();
    let count = |results: &[i8], sign: i8| results.iter().filter(|r| r.signum() == sign).count() as u64;
    let result = |pairing: &Pairing| PairResult {
        first: Player(pairing.first),
        second: Player(pairing.second),
        wins: count(&pairing.results, 1),
        draws: count(&pairing.results, 0),
        losses: count(&pairing.results, -1),
    };
    let results: Vec<PairResult> = games.iter().map(result).collect();
    let anchored =
        RatingsParams { anchor: Anchor::Mean, anchor_elo: options.start_rating, ..RatingsParams::default() };
    let rated = ratings(&names, &results, &anchored)?;
    Ok(rated.players.iter().map(|player| player.rating.elo).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_moves_by_half_of_k_for_an_even_win() {
        let options = Options::default();
        assert_eq!(candidate(&options, &[1500.0], &[vec![5]]), 1516.0);
        assert_eq!(candidate(&options, &[1500.0], &[vec![0]]), 1500.0);
        let both = Options { moving: Moving::Both, ..Options::default() };
        let second = |options: &Options| candidate(options, &[1500.0], &[vec![5, 5]]) - 1516.0;
        assert!(second(&both) < second(&options), "a beaten member is worth less");
    }

    #[test]
    fn the_order_matters_to_elo_and_not_to_the_likelihood() {
        let results = [vec![1; 20], vec![-1; 20]];
        let with = |rating, order| {
            candidate(&Options { rating, order, ..Options::default() }, &[1500.0, 1500.0], &results)
        };
        let member_by_member = with(Rating::Elo, Order::MemberByMember);
        assert!(with(Rating::Elo, Order::Interleaved) > member_by_member + 100.0);
        let orders = [Order::Interleaved, Order::MemberByMember];
        for rating in orders.map(|order| with(Rating::Likelihood, order)) {
            assert!((rating - 1500.0).abs() < 1e-6, "{rating}");
        }
    }

    #[test]
    fn the_likeliest_rating_expects_what_was_scored() {
        let options = Options { rating: Rating::Likelihood, ..Options::default() };
        let mut games = vec![1; 640];
        games.extend([-1; 360]);
        let rating = candidate(&options, &[1600.0], &[games]);
        assert!((rating - 1699.9).abs() < 1.0, "64 per cent are 100 points: {rating}");
        assert!(candidate(&options, &[1500.0], &[vec![1; 50]]).is_finite());
    }

    #[test]
    fn leagues_keep_their_mean() {
        let games: Vec<Pairing> = [(0, 1, 30), (0, 2, 40), (1, 2, 30)]
            .map(|(first, second, wins)| {
                // Spread evenly: Elo's formula weighs the last games most.
                let won = |game: usize| (game + 1) * wins / 50 > game * wins / 50;
                let results = (0..50).map(|game| if won(game) { 1 } else { -1 }).collect();
                Pairing { first, second, results }
            })
            .into();
        for rating in [Rating::Elo, Rating::Likelihood] {
            let options = Options { rating, ..Options::default() };
            let all = league(&options, &[1500.0; 3], &games).unwrap();
            assert!((all.iter().sum::<f64>() - 4500.0).abs() < 1e-6);
            assert!(all[0] > all[1] && all[1] > all[2], "{rating:?} {all:?}");
        }
    }
}
