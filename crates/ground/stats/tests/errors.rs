//! Wrong arguments: the message names the argument, quotes it and says what would be right. And no arguments panic.

use ishi_stats::chi_square::{test_goodness_of_fit, test_independence};
use ishi_stats::{
    ConfidenceLevel, GameOutcomes, IntervalMethod, PairResult, PlayerIndex, Proportion, RatingAnchor,
    RatingPrior, RatingsError, RatingsParams, SampleSummary, Sprt, TestAlternative, TestMethod,
    compute_ratings,
};
use proptest::prelude::*;

#[test]
fn messages_say_what_is_right() {
    let half = Proportion::new(1, 2).unwrap();
    let messages = [
        (
            Proportion::new(0, 0).unwrap_err(),
            "invalid number of games 0: it must lie from 1 to 9007199254740992",
        ),
        (Proportion::new(6, 5).unwrap_err(), "invalid number of wins 6: it must lie from 0 to 5"),
        (
            half.p_value(TestMethod::Exact, TestAlternative::Less, 1.0).unwrap_err(),
            "invalid p0 1: it must lie between 0 and 1, as 0.5 does",
        ),
        (
            "many".parse::<ConfidenceLevel>().unwrap_err(),
            "invalid confidence \"many\": write a number such as 0.95",
        ),
        (Sprt::new(5.0, 5.0, 0.05, 0.05).unwrap_err(), "invalid elo1 5: it must be greater than elo0, 5"),
        (
            Sprt::new(f64::NAN, 5.0, 0.05, 0.05).unwrap_err(),
            "invalid elo0 NaN: it must lie from -4000 to 4000",
        ),
        (
            Sprt::new(0.0, 5.0, 0.05, 0.5).unwrap_err(),
            "invalid beta 0.5: it must lie between 0 and 0.5, as 0.05 does",
        ),
        (
            test_goodness_of_fit(&[1], &[1.0]).unwrap_err(),
            "invalid number of categories 1: at least 2 are needed",
        ),
        (
            test_goodness_of_fit(&[1, 2], &[1.0]).unwrap_err(),
            "invalid number of weights 1: there must be one for each of the 2 counts",
        ),
        (
            test_goodness_of_fit(&[1, 2], &[1.0, 0.0]).unwrap_err(),
            "invalid weight 0: weights must be positive, and their sum finite",
        ),
        (
            test_goodness_of_fit(&[0, 0], &[1.0, 1.0]).unwrap_err(),
            "invalid total count 0: at least one count must be above 0",
        ),
        (
            test_independence(&[vec![1, 2]]).unwrap_err(),
            "invalid table 1x2: at least 2 rows and 2 columns are needed",
        ),
        (
            test_independence(&[vec![1, 2], vec![3]]).unwrap_err(),
            "invalid row 2 with 1 columns: it must have 2, as row 1 has",
        ),
        (
            test_independence(&[vec![1, 0], vec![3, 0]]).unwrap_err(),
            "invalid column 2: its counts are all 0; leave it out",
        ),
    ];
    for (error, message) in messages {
        assert_eq!(error.to_string(), message);
    }
}

/// Counts from nothing to very many.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![0_u64..30, 0_u64..3000, Just(1_000_000_u64)]
}

fn probability(p: f64) -> bool {
    (0.0..=1.0).contains(&p)
}

/// A few games between two of four players, rarely of a fifth who does not exist.
fn line() -> impl Strategy<Value = PairResult> {
    let player = || prop_oneof![50 => 0_usize..4, 1 => Just(4_usize)].prop_map(PlayerIndex);
    (player(), player(), 0_u64..4, 0_u64..2, 0_u64..4)
        .prop_map(|(first, second, wins, draws, losses)| PairResult { first, second, wins, draws, losses })
        .prop_filter("nobody plays itself", |result| result.first != result.second)
}

proptest! {
    #[test]
    fn proportions_keep_their_promises(wins in count(), losses in count(), p0 in 0.001_f64..0.999, level in 0.5_f64..0.999) {
        prop_assume!(wins + losses > 0);
        let proportion = Proportion::new(wins, wins + losses).unwrap();
        let confidence = ConfidenceLevel::new(level).unwrap();
        use IntervalMethod::{ClopperPearson, Wald, Wilson, WilsonCorrected};
        for method in [Wilson, WilsonCorrected, ClopperPearson, Wald] {
            let interval = proportion.rate_interval(method, confidence);
            prop_assert!(probability(interval.low) && probability(interval.high), "{method:?} {interval:?}");
            prop_assert!(interval.low <= proportion.rate() + 1e-12, "{method:?} {interval:?}");
            prop_assert!(interval.high >= proportion.rate() - 1e-12, "{method:?} {interval:?}");
        }
        for method in [TestMethod::Exact, TestMethod::MidP, TestMethod::Normal, TestMethod::NormalCorrected] {
            for alternative in [TestAlternative::TwoSided, TestAlternative::Greater, TestAlternative::Less] {
                let p = proportion.p_value(method, alternative, p0).unwrap();
                prop_assert!(probability(p), "{method:?} {alternative:?} {p}");
            }
        }
    }

    /// The exact interval is the set of rates that the exact one-sided tests do not reject.
    #[test]
    fn clopper_pearson_inverts_the_exact_test(wins in 1_u64..200, losses in 1_u64..200) {
        let proportion = Proportion::new(wins, wins + losses).unwrap();
        let interval = proportion.rate_interval(IntervalMethod::ClopperPearson, ConfidenceLevel::default());
        let low = proportion.p_value(TestMethod::Exact, TestAlternative::Greater, interval.low).unwrap();
        let high = proportion.p_value(TestMethod::Exact, TestAlternative::Less, interval.high).unwrap();
        prop_assert!((low - 0.025).abs() < 1e-9 && (high - 0.025).abs() < 1e-9, "{low} {high}");
    }

    /// The two-sided exact p-value, by adding up all outcomes that are not likelier (small games only).
    #[test]
    fn exact_two_sided_is_the_sum_of_small_probabilities(wins in 0_u64..25, losses in 0_u64..25, p0 in 0.02_f64..0.98) {
        prop_assume!(wins + losses > 0);
        let n = wins + losses;
        let mut masses = vec![(1.0 - p0).powi(n as i32)];
        for k in 1..=n {
            let last = masses[k as usize - 1];
            masses.push(last * (n - k + 1) as f64 / k as f64 * p0 / (1.0 - p0));
        }
        let limit = masses[wins as usize] * (1.0 + 1e-7);
        let sum: f64 = masses.iter().filter(|&&mass| mass <= limit).sum();
        let ours = Proportion::new(wins, n).unwrap().p_value(TestMethod::Exact, TestAlternative::TwoSided, p0).unwrap();
        prop_assert!((ours - sum).abs() < 1e-9, "{ours} {sum}");
    }

    #[test]
    fn outcomes_keep_their_promises(counts in prop::array::uniform5(count()), pairs: bool, level in 0.5_f64..0.999) {
        let outcomes = if pairs { GameOutcomes::from_pairs(counts) } else { GameOutcomes::from_games(counts[0], counts[1], counts[2]) };
        let sprt = Sprt::new(-2.0, 7.0, 0.05, 0.1).unwrap();
        prop_assert!(sprt.log_likelihood_ratio(&outcomes).is_finite() && sprt.approximate_log_likelihood_ratio(&outcomes).is_finite());
        if let Ok(report) = outcomes.score_report(ConfidenceLevel::new(level).unwrap()) {
            prop_assert!(probability(report.superiority) && probability(report.score));
            for interval in [report.wald, report.interval] {
                prop_assert!(probability(interval.low) && probability(interval.high), "{report:?}");
                prop_assert!(interval.low <= report.score + 1e-9 && report.score <= interval.high + 1e-9, "{report:?}");
            }
            prop_assert!(!report.elo.is_nan() && report.elo_interval.low <= report.elo_interval.high);
        }
    }

    #[test]
    fn summaries_do_not_depend_on_the_order(mut sample in prop::collection::vec(-1e6_f64..1e6, 1..40)) {
        let forward = SampleSummary::from_sample(&sample).unwrap();
        sample.reverse();
        prop_assert_eq!(&forward, &SampleSummary::from_sample(&sample).unwrap());
        prop_assert!(forward.min() <= forward.median() && forward.median() <= forward.max());
    }

    /// Whatever the results: ratings or an error, never a panic. With virtual draws there always is a maximum; without
    /// them Ford's condition must tell exactly whether there is one.
    #[test]
    fn ratings_never_panic(games in prop::collection::vec(line(), 3..14), advantage: bool, always: bool) {
        let names = ["a", "b", "c", "d"].map(String::from);
        let prior = if always { RatingPrior::Always(0.5) } else { RatingPrior::Off };
        let anchor = RatingAnchor::Player(PlayerIndex(2));
        let params = RatingsParams { anchor, prior, first_move_advantage: advantage, ..RatingsParams::default() };
        match compute_ratings(&names, &games, &params) {
            Ok(ratings) => {
                for line in &ratings.players {
                    prop_assert!(line.rating.elo.is_finite() && line.rating.std_error.is_finite());
                }
                prop_assert_eq!(ratings.players[2].rating.elo, 0.0);
            }
            Err(error) => {
                use RatingsError::{AdvantageUnbounded, NotConverged, OnlyLosses, OnlyWins};
                prop_assert!(error != NotConverged);
                let infinite = matches!(error, OnlyWins { .. } | OnlyLosses { .. } | AdvantageUnbounded);
                prop_assert!(!(infinite && always), "{error}");
                prop_assert!(advantage || error != AdvantageUnbounded);
            }
        }
    }
}
