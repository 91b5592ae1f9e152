//! Ratings: published fits, an independent maximisation, and the results that have no maximum.

use ishi_rng::Seed;
use ishi_stats::elo::{ELO_PER_NAT, expected_score};
use ishi_stats::{
    PairResult, PlayerIndex, RatingAnchor, RatingPrior, Ratings, RatingsError, RatingsParams, compute_ratings,
};

type Line = (usize, usize, u64, u64, u64);

fn rate(names: &[&str], lines: &[Line], params: &RatingsParams) -> Result<Ratings, RatingsError> {
    let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
    let result = |&(first, second, wins, draws, losses): &Line| PairResult {
        first: PlayerIndex(first),
        second: PlayerIndex(second),
        wins,
        draws,
        losses,
    };
    compute_ratings(&names, &lines.iter().map(result).collect::<Vec<_>>(), params)
}

fn plain(anchor: RatingAnchor) -> RatingsParams {
    RatingsParams { anchor, prior: RatingPrior::Off, ..RatingsParams::default() }
}

fn close(ours: f64, reference: f64, allowed: f64) {
    assert!((ours - reference).abs() < allowed, "{ours} is not {reference}");
}

const JOURNALS: [&str; 4] = ["Biometrika", "Communications in Statistics", "JASA", "JRSS-B"];

/// Citations among four journals of statistics: Stigler, Statistical Science 9, 1994; Agresti, Categorical Data
/// Analysis (2002), section 10.6.
const CITATIONS: [Line; 6] = [
    (0, 1, 730, 0, 33),
    (0, 2, 498, 0, 320),
    (0, 3, 221, 0, 284),
    (1, 2, 68, 0, 813),
    (1, 3, 17, 0, 276),
    (2, 3, 142, 0, 325),
];

/// The coefficients and standard errors that the R package BradleyTerry2 prints for these data (Turner and Firth,
/// Journal of Statistical Software 48, 2012): -2.94907 (0.10255), -0.47957 (0.06059), 0.26895 (0.07083).
#[test]
fn citations_match_the_published_fit() {
    let fitted = rate(&JOURNALS, &CITATIONS, &plain(RatingAnchor::Player(PlayerIndex(0)))).unwrap();
    let published = [(0.0, 0.0), (-2.94907, 0.10255), (-0.47957, 0.06059), (0.26895, 0.07083)];
    for (line, (ability, std_error)) in fitted.players.iter().zip(published) {
        close(line.rating.elo / ELO_PER_NAT, ability, 6e-6);
        close(line.rating.std_error / ELO_PER_NAT, std_error, 6e-6);
    }
    assert_eq!(fitted.virtual_draws, 0.0);
    let ranking: Vec<usize> = fitted.ranking().iter().map(|line| line.player.0).collect();
    assert_eq!(ranking, [3, 0, 2, 1]);
}

/// BFGS of SciPy on the same likelihood; standard errors from the inverse information projected on mean 0.
#[test]
fn the_mean_can_be_the_anchor() {
    let fitted = rate(&JOURNALS, &CITATIONS, &plain(RatingAnchor::Mean)).unwrap();
    let reference = [
        (137.22351545, 7.52727338),
        (-375.0828494, 12.60839285),
        (53.91371357, 7.23378531),
        (183.94562038, 9.21520571),
    ];
    for (line, (elo, std_error)) in fitted.players.iter().zip(reference) {
        close(line.rating.elo, elo, 1e-3);
        close(line.rating.std_error, std_error, 1e-4);
        close(line.rating.interval.width(), 2.0 * 1.959963985 * std_error, 1e-3);
    }
    // Differences do not depend on the anchor.
    let other = rate(&JOURNALS, &CITATIONS, &plain(RatingAnchor::Player(PlayerIndex(2)))).unwrap();
    for (a, b) in [(0, 1), (3, 2), (1, 3)] {
        let ours = fitted.rating_difference(PlayerIndex(a), PlayerIndex(b)).unwrap();
        let theirs = other.rating_difference(PlayerIndex(a), PlayerIndex(b)).unwrap();
        close(ours.elo, theirs.elo, 1e-6);
        close(ours.std_error, theirs.std_error, 1e-6);
        assert_eq!(ours.likelihood_of_superiority() > 0.5, ours.elo > 0.0);
    }
    assert_eq!(fitted.rating_difference(PlayerIndex(0), PlayerIndex(4)), None);
}

/// American League 1987, home team first: Agresti, Categorical Data Analysis (2002), table 10.10; teams Baltimore,
/// Boston, Cleveland, Detroit, Milwaukee, New York, Toronto.
#[rustfmt::skip]
const BASEBALL: [Line; 42] = [
    (4, 3, 4, 0, 3), (4, 6, 4, 0, 2), (4, 5, 4, 0, 3), (4, 1, 6, 0, 1), (4, 2, 4, 0, 2), (4, 0, 6, 0, 0),
    (3, 4, 3, 0, 3), (3, 6, 4, 0, 2), (3, 5, 4, 0, 3), (3, 1, 6, 0, 0), (3, 2, 6, 0, 1), (3, 0, 4, 0, 3),
    (6, 4, 2, 0, 5), (6, 3, 4, 0, 3), (6, 5, 2, 0, 4), (6, 1, 4, 0, 3), (6, 2, 4, 0, 2), (6, 0, 6, 0, 0),
    (5, 4, 3, 0, 3), (5, 3, 5, 0, 1), (5, 6, 2, 0, 5), (5, 1, 4, 0, 3), (5, 2, 4, 0, 2), (5, 0, 6, 0, 1),
    (1, 4, 5, 0, 1), (1, 3, 2, 0, 5), (1, 6, 3, 0, 3), (1, 5, 4, 0, 2), (1, 2, 5, 0, 2), (1, 0, 6, 0, 0),
    (2, 4, 2, 0, 5), (2, 3, 3, 0, 3), (2, 6, 3, 0, 4), (2, 5, 4, 0, 3), (2, 1, 4, 0, 2), (2, 0, 2, 0, 4),
    (0, 4, 2, 0, 5), (0, 3, 1, 0, 5), (0, 6, 1, 0, 6), (0, 5, 2, 0, 4), (0, 1, 1, 0, 6), (0, 2, 3, 0, 4),
];

/// With the home advantage as first-move advantage: Agresti gives 0.302 (0.131), and for the teams against Baltimore
/// 1.144, 0.705, 1.475, 1.620, 1.281, 1.327; the digits below are BFGS of SciPy.
#[test]
fn baseball_matches_the_published_home_advantage() {
    let teams = ["Baltimore", "Boston", "Cleveland", "Detroit", "Milwaukee", "New York", "Toronto"];
    let params = RatingsParams { first_move_advantage: true, ..plain(RatingAnchor::Player(PlayerIndex(0))) };
    let fitted = rate(&teams, &BASEBALL, &params).unwrap();
    let advantage = fitted.advantage.unwrap();
    close(advantage.elo / ELO_PER_NAT, 0.30226066, 1e-6);
    close(advantage.std_error / ELO_PER_NAT, 0.13094371, 1e-6);
    let reference = [
        (1.14380265, 0.33784254),
        (0.70469446, 0.33500172),
        (1.47535721, 0.34455221),
        (1.61955499, 0.34736568),
        (1.2813404, 0.34040372),
        (1.3271104, 0.34032257),
    ];
    for (line, (ability, std_error)) in fitted.players[1..].iter().zip(reference) {
        close(line.rating.elo / ELO_PER_NAT, ability, 1e-6);
        close(line.rating.std_error / ELO_PER_NAT, std_error, 1e-6);
    }
}

/// Draws as half wins, an advantage, and an anchor that is not 0: BFGS of SciPy.
#[test]
fn draws_and_advantage_match_scipy() {
    let params = RatingsParams {
        first_move_advantage: true,
        anchor_elo: 1500.0,
        ..plain(RatingAnchor::Player(PlayerIndex(0)))
    };
    let lines = [(0, 1, 10, 5, 3), (1, 2, 4, 8, 6), (2, 0, 3, 2, 9), (0, 2, 6, 6, 1)];
    let fitted = rate(&["a", "b", "c"], &lines, &params).unwrap();
    close(fitted.players[0].rating.elo, 1500.0, 1e-12);
    assert_eq!(fitted.players[0].rating.std_error, 0.0);
    close(fitted.players[1].rating.elo, 1500.0 - 164.27827854, 1e-4);
    close(fitted.players[1].rating.std_error, 70.1598841, 1e-4);
    close(fitted.players[2].rating.elo, 1500.0 - 146.39133071, 1e-4);
    let advantage = fitted.advantage.unwrap();
    close(advantage.elo, -16.33665111, 1e-4);
    close(advantage.std_error, 50.85023675, 1e-4);
    assert_eq!(fitted.players[0].games, 45);
    // 12.5 of 18 against b, 10 of 14 and 9 of 13 against c.
    close(fitted.players[0].score, 31.5 / 45.0, 1e-12);
}

#[test]
fn two_players_have_the_elo_of_their_score() {
    let fitted =
        rate(&["a", "b"], &[(0, 1, 50, 10, 40), (1, 0, 30, 10, 60)], &plain(RatingAnchor::Mean)).unwrap();
    let difference = fitted.rating_difference(PlayerIndex(0), PlayerIndex(1)).unwrap();
    close(expected_score(difference.elo), 120.0 / 200.0, 1e-9);
    close(fitted.players[0].score, 0.6, 1e-12);
}

#[test]
fn players_with_wins_only_are_named() {
    let lines = [(0, 1, 5, 0, 5), (2, 0, 4, 0, 0), (2, 1, 3, 0, 0)];
    let names = ["first", "second", "winner"];
    let error = rate(&names, &lines, &plain(RatingAnchor::Mean)).unwrap_err();
    assert_eq!(error, RatingsError::OnlyWins { players: vec!["winner".into()] });
    assert!(error.to_string().starts_with("\"winner\" won every game against the rest"), "{error}");
    let lines = [(0, 1, 5, 0, 5), (0, 2, 4, 0, 0)];
    let error = rate(&["first", "second", "loser"], &lines, &plain(RatingAnchor::Mean)).unwrap_err();
    assert_eq!(error, RatingsError::OnlyLosses { players: vec!["loser".into()] });
}

/// Virtual draws: 10 wins and one draw between two players are a score of 10.5 in 11.
#[test]
fn virtual_draws_make_the_maximum_finite() {
    let fitted = rate(&["a", "b"], &[(0, 1, 10, 0, 0)], &RatingsParams::default()).unwrap();
    assert_eq!(fitted.virtual_draws, 1.0);
    let difference = fitted.rating_difference(PlayerIndex(0), PlayerIndex(1)).unwrap();
    close(expected_score(difference.elo), 10.5 / 11.0, 1e-9);
    assert_eq!(fitted.players[0].games, 10);
    // Whether the pair met with one or both colours, it gets the same draws.
    let both = rate(&["a", "b"], &[(0, 1, 5, 0, 0), (1, 0, 0, 0, 5)], &RatingsParams::default()).unwrap();
    close(both.rating_difference(PlayerIndex(0), PlayerIndex(1)).unwrap().elo, difference.elo, 1e-6);
    // Where the maximum exists, the default adds nothing.
    let plain = rate(&JOURNALS, &CITATIONS, &RatingsParams::default()).unwrap();
    assert_eq!(plain.virtual_draws, 0.0);
}

#[test]
fn groups_that_never_met_are_named() {
    let error = rate(&["a", "b", "c", "d"], &[(0, 1, 1, 0, 1), (2, 3, 1, 0, 1)], &RatingsParams::default());
    let message = error.unwrap_err().to_string();
    assert!(message.contains("[\"a\", \"b\"] and [\"c\", \"d\"]"), "{message}");
    let error = rate(&["a", "b", "idle"], &[(0, 1, 1, 0, 1)], &RatingsParams::default()).unwrap_err();
    assert!(matches!(error, RatingsError::Disconnected { .. }), "{error}");
}

#[test]
fn an_advantage_needs_swapped_colours_and_surprises() {
    let params = RatingsParams { first_move_advantage: true, ..plain(RatingAnchor::Mean) };
    let error = rate(&["a", "b"], &[(0, 1, 6, 0, 4)], &params).unwrap_err();
    assert_eq!(error, RatingsError::AdvantageConfounded);
    // The first player always wins: either took points, yet the advantage is infinite.
    let always = [(0, 1, 6, 0, 0), (1, 0, 6, 0, 0)];
    assert_eq!(rate(&["a", "b"], &always, &params).unwrap_err(), RatingsError::AdvantageUnbounded);
    let fitted =
        rate(&["a", "b"], &always, &RatingsParams { prior: RatingPrior::IfNeeded(1.0), ..params }).unwrap();
    assert!(fitted.advantage.unwrap().elo > 300.0);
    close(fitted.rating_difference(PlayerIndex(0), PlayerIndex(1)).unwrap().elo, 0.0, 1e-6);
}

#[test]
fn arguments_are_checked() {
    let default = RatingsParams::default();
    let message =
        |lines: &[Line], params: &RatingsParams| rate(&["a", "b"], lines, params).unwrap_err().to_string();
    assert_eq!(
        message(&[(0, 1, 1, 0, 1), (0, 2, 1, 0, 0)], &default),
        "invalid player 2 in result 1: the list has 2 players, counted from 0"
    );
    assert_eq!(
        message(&[(1, 1, 1, 0, 0)], &default),
        "invalid result 0: \"b\" plays itself; a result needs two players"
    );
    assert_eq!(
        message(&[(0, 1, 1, 0, 1)], &plain(RatingAnchor::Player(PlayerIndex(7)))),
        "invalid anchor 7: the list has 2 players, counted from 0"
    );
    assert_eq!(
        message(&[(0, 1, 1, 0, 1)], &RatingsParams { prior: RatingPrior::Always(-1.0), ..default }),
        "invalid number of virtual draws -1: it must be above 0 and at most 1000"
    );
    assert_eq!(
        rate(&["a"], &[], &default).unwrap_err().to_string(),
        "1 players are too few: ratings need at least two"
    );
}

/// Simulated leagues with known strengths: the 95% intervals of differences hold the truth about 95 times in 100.
#[test]
fn intervals_cover_the_truth() {
    const TRUTH: [f64; 4] = [0.0, 60.0, -80.0, 150.0];
    const LEAGUES: u64 = 300;
    let pairs: Vec<(usize, usize)> = (0..4).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    let truth = |(a, b): (usize, usize)| TRUTH[a] - TRUTH[b];
    let (mut covered, mut total) = (0_u32, 0_u32);
    for league in 0..LEAGUES {
        let mut rng = Seed::new(7).stream("league", league);
        let mut play = |pair: (usize, usize)| {
            let p = expected_score(truth(pair));
            let wins = (0..60).filter(|_| rng.chance(p)).count() as u64;
            (pair.0, pair.1, wins, 0, 60 - wins)
        };
        let lines: Vec<Line> = pairs.iter().map(|&pair| play(pair)).collect();
        let fitted = rate(&["a", "b", "c", "d"], &lines, &RatingsParams::default()).unwrap();
        for &pair in &pairs {
            let difference = fitted.rating_difference(PlayerIndex(pair.0), PlayerIndex(pair.1)).unwrap();
            covered += u32::from(difference.interval.contains(truth(pair)));
            total += 1;
        }
    }
    let share = f64::from(covered) / f64::from(total);
    assert!((0.925..=0.975).contains(&share), "{covered} of {total}");
}
