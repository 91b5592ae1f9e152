//! The sequential test: against a published run, by hand where a coin suffices, and by simulation.

use ishi_rng::{Rng, Seed};
use ishi_stats::elo::expected_score;
use ishi_stats::{GameOutcomes, Sprt, SprtDecision};

fn sprt(elo0: f64, elo1: f64) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05).unwrap()
}

/// A published statistics page of a fishtest-style server (montytest, run 69d3c8dc7c5b3724e29d2712): pairs 13, 37, 50,
/// 25, 3, logistic bounds 0.000 and 2.716; "Logistic (exact) -0.53772", "Logistic (alt2) -0.55961", bounds 2.9444.
/// The page rounds 2.716, hence the tolerance.
#[test]
fn pentanomial_ratio_matches_a_published_run() {
    let (test, outcomes) = (sprt(0.0, 2.716), GameOutcomes::from_pairs([13, 37, 50, 25, 3]));
    assert!(
        (test.log_likelihood_ratio(&outcomes) - -0.53772).abs() < 2e-4,
        "{}",
        test.log_likelihood_ratio(&outcomes)
    );
    let approximate = test.approximate_log_likelihood_ratio(&outcomes);
    assert!((approximate - -0.55961).abs() < 2e-4, "{approximate}");
    let report = test.sprt_report(&outcomes);
    assert_eq!(format!("{:.4} {:.4}", report.lower, report.upper), "-2.9444 2.9444");
    assert_eq!(report.decision, SprtDecision::Continue);
}

/// Wins, draws, losses, bounds, and the ratio.
type TrinomialCase = ((u64, u64, u64), f64, f64, f64);

const TRINOMIAL: [TrinomialCase; 6] = [
    ((60, 20, 40), 0.0, 30.0, 1.538421385426247),
    ((100, 300, 80), -3.0, 3.0, 0.9208708598050634),
    ((5, 0, 3), 0.0, 50.0, 0.20526536022188946),
    ((4, 10, 0), 0.0, 20.0, 0.7827217776090531),
    ((0, 12, 0), 0.0, 10.0, -0.3503576072969381),
    ((0, 3, 9), -50.0, 0.0, -1.6031021551419862),
];

/// The same maximum by scipy.optimize.minimize_scalar over the share of draws, the mean given.
#[test]
fn trinomial_ratio_matches_a_direct_maximisation() {
    for ((wins, draws, losses), elo0, elo1, reference) in TRINOMIAL {
        let llr = sprt(elo0, elo1).log_likelihood_ratio(&GameOutcomes::from_games(wins, draws, losses));
        assert!((llr - reference).abs() < 1e-5, "{wins} {draws} {losses}: {llr} is not {reference}");
    }
}

/// Wald's test of a coin: wins ln(p1 / p0) + losses ln((1 - p1) / (1 - p0)).
#[test]
fn without_draws_it_is_walds_test() {
    let (p0, p1) = (expected_score(-10.0), expected_score(25.0));
    for (wins, losses) in [(0_u32, 0_u32), (7, 0), (0, 7), (60, 40), (480, 520)] {
        let coin = f64::from(wins) * (p1 / p0).ln() + f64::from(losses) * ((1.0 - p1) / (1.0 - p0)).ln();
        let llr =
            sprt(-10.0, 25.0).log_likelihood_ratio(&GameOutcomes::from_games(wins.into(), 0, losses.into()));
        assert!((llr - coin).abs() < 1e-9, "{wins} {losses}: {llr} is not {coin}");
    }
}

/// Pairs of equal games hold half the evidence that the same number of independent games would.
#[test]
fn pairs_count_the_variance_of_pairs() {
    let games = sprt(0.0, 10.0).approximate_log_likelihood_ratio(&GameOutcomes::from_games(60, 0, 40));
    let pairs =
        sprt(0.0, 10.0).approximate_log_likelihood_ratio(&GameOutcomes::from_pairs([20, 0, 0, 0, 30]));
    assert!((games / pairs - 2.0).abs() < 1e-9, "{games} {pairs}");
}

/// Plays until the test decides, one game or pair at a time; `play` returns the index of the outcome.
fn simulate(test: &Sprt, pairs: bool, rng: &mut Rng, play: impl Fn(&mut Rng) -> usize) -> SprtDecision {
    let mut counts = [0_u64; 5];
    loop {
        counts[play(rng)] += 1;
        let outcomes = if pairs {
            GameOutcomes::from_pairs(counts)
        } else {
            GameOutcomes::from_games(counts[2], counts[1], counts[0])
        };
        let decision = test.sprt_report(&outcomes).decision;
        if decision != SprtDecision::Continue {
            return decision;
        }
    }
}

/// A game with a fifth of draws: 0 lost, 1 drawn, 2 won.
fn game(rng: &mut Rng, score: f64) -> usize {
    if rng.chance(0.2) { 1 } else { 2 * usize::from(rng.chance((score - 0.1) / 0.8)) }
}

/// The share of 500 matches at `elo` that the test decides wrongly.
fn wrong(elo: f64, pairs: bool, wrong_decision: SprtDecision) -> f64 {
    const MATCHES: u64 = 500;
    let test = sprt(-25.0, 25.0);
    let score = expected_score(elo);
    let seed = Seed::new(20_260_101).child_seed(if pairs { "pairs" } else { "games" }, 0);
    let errors = (0..MATCHES).filter(|&number| {
        let play = |rng: &mut Rng| {
            let first = game(rng, score);
            if pairs { first + game(rng, score) } else { first }
        };
        simulate(&test, pairs, &mut seed.stream("match", number), play) == wrong_decision
    });
    errors.count() as f64 / MATCHES as f64
}

/// alpha = beta = 0.05; the standard error of 500 matches is 0.01. Overshooting the bounds makes errors a bit rarer.
#[test]
fn error_rates_are_as_promised() {
    for pairs in [false, true] {
        let alpha = wrong(-25.0, pairs, SprtDecision::AcceptH1);
        let beta = wrong(25.0, pairs, SprtDecision::AcceptH0);
        assert!((0.02..=0.07).contains(&alpha), "alpha {alpha} (pairs: {pairs})");
        assert!((0.02..=0.07).contains(&beta), "beta {beta} (pairs: {pairs})");
    }
}
