//! A published table of 1000-game matches, and which methods give its figures.
//!
//! Won games with p-value and 95% interval: 519 p=0.242 (0.488-0.550), 523 p=0.155 (0.492-0.554), 540 p=0.012
//! (0.509-0.571). At three decimals the p-values single out two methods of four; every interval gives the same ends.

use ishi_stats::{ConfidenceLevel, IntervalMethod, Proportion, TestAlternative, TestMethod};

const TABLE: [(u64, &str, &str); 3] =
    [(519, "0.242", "0.488-0.550"), (523, "0.155", "0.492-0.554"), (540, "0.012", "0.509-0.571")];

fn p_value(wins: u64, method: TestMethod, alternative: TestAlternative) -> String {
    let p = Proportion::new(wins, 1000).unwrap().p_value(method, alternative, 0.5).unwrap();
    format!("{p:.3}")
}

fn interval(wins: u64, method: IntervalMethod) -> String {
    let interval = Proportion::new(wins, 1000).unwrap().rate_interval(method, ConfidenceLevel::default());
    format!("{:.3}-{:.3}", interval.low, interval.high)
}

#[test]
fn exact_and_corrected_two_sided_tests_give_the_published_p_values() {
    for (wins, published, _) in TABLE {
        for method in [TestMethod::Exact, TestMethod::NormalCorrected] {
            assert_eq!(p_value(wins, method, TestAlternative::TwoSided), published, "{wins} {method:?}");
        }
    }
}

#[test]
fn no_other_test_gives_them() {
    for (wins, published, _) in TABLE {
        for method in [TestMethod::MidP, TestMethod::Normal] {
            assert_ne!(p_value(wins, method, TestAlternative::TwoSided), published, "{wins} {method:?}");
        }
        for method in [TestMethod::Exact, TestMethod::MidP, TestMethod::Normal, TestMethod::NormalCorrected] {
            assert_ne!(p_value(wins, method, TestAlternative::Greater), published, "{wins} {method:?}");
        }
    }
}

#[test]
fn every_interval_gives_the_published_ends() {
    use IntervalMethod::{ClopperPearson, Wald, Wilson, WilsonCorrected};
    for (wins, _, published) in TABLE {
        for method in [Wilson, WilsonCorrected, ClopperPearson, Wald] {
            assert_eq!(interval(wins, method), published, "{wins} {method:?}");
        }
    }
}
