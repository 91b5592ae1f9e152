//! Reference values from SciPy 1.x (`scipy.stats.binomtest` and its `proportion_ci`, `chisquare`,
//! `chi2_contingency`); the mid-p values from `scipy.stats.binom` by their definition.

use ishi_stats::chi_square::{test_goodness_of_fit, test_independence};
use ishi_stats::{ConfidenceLevel, Interval, IntervalMethod, Proportion, TestAlternative, TestMethod};

fn close(ours: f64, reference: f64, what: &str) {
    let allowed = 1e-8 * reference.abs().max(1e-6);
    assert!((ours - reference).abs() <= allowed, "{what}: {ours} is not {reference}");
}

/// Wins, games, p0; exact p two-sided, greater, less; mid-p greater, less.
type TestCase = ((u64, u64, f64), [f64; 5]);

const TESTS: [TestCase; 9] = [
    (
        (682, 925, 0.75),
        [
            0.3824915595748517,
            0.8240891223524226,
            0.19600926705388308,
            0.8140399276492698,
            0.18596007235073034,
        ],
    ),
    ((3, 10, 0.5), [0.34375, 0.9453125, 0.171875, 0.88671875, 0.11328125]),
    ((0, 10, 0.5), [0.001953125, 1.0, 0.0009765625, 0.99951171875, 0.00048828125]),
    ((10, 10, 0.5), [0.001953125, 0.0009765625, 1.0, 0.00048828125, 0.99951171875]),
    (
        (7, 20, 0.3),
        [0.6294979666766769, 0.3919901877990756, 0.7722717974181608, 0.30985919519045757, 0.6901408048095428],
    ),
    (
        (120, 1000, 0.1),
        [
            0.039607719641630554,
            0.021996144965794422,
            0.98274276947338,
            0.019626687746207187,
            0.9803733122537928,
        ],
    ),
    (
        (500300, 1000000, 0.5),
        [0.5491729059131272, 0.2745864529565636, 0.7260799961953723, 0.27425322838059485, 0.7257467716194036],
    ),
    ((1, 3, 0.1), [0.271, 0.271, 0.972, 0.1495, 0.8505]),
    (
        (2000, 100000, 0.0195),
        [
            0.2528221137807945,
            0.12901738734738227,
            0.8756943582389731,
            0.12666151455420327,
            0.8733384854457941,
        ],
    ),
];

#[test]
fn binomial_tests_match_scipy() {
    use TestAlternative::{Greater, Less, TwoSided};
    for ((wins, games, p0), [two_sided, greater, less, mid_greater, mid_less]) in TESTS {
        let p = |method, alternative| {
            Proportion::new(wins, games).unwrap().p_value(method, alternative, p0).unwrap()
        };
        let name = format!("{wins} of {games} at {p0}");
        close(p(TestMethod::Exact, TwoSided), two_sided, &name);
        close(p(TestMethod::Exact, Greater), greater, &name);
        close(p(TestMethod::Exact, Less), less, &name);
        close(p(TestMethod::MidP, Greater), mid_greater, &name);
        close(p(TestMethod::MidP, Less), mid_less, &name);
        close(p(TestMethod::MidP, TwoSided), (2.0 * mid_greater.min(mid_less)).min(1.0), &name);
    }
}

/// `scipy.stats.norm.sf` at (|k - n p0| - correction) / sqrt(n p0 (1 - p0)).
#[test]
fn normal_tests_match_scipy() {
    let wins = Proportion::new(519, 1000).unwrap();
    let p = |method, alternative| wins.p_value(method, alternative, 0.5).unwrap();
    close(p(TestMethod::Normal, TestAlternative::TwoSided), 0.22949314873258364, "two-sided");
    close(p(TestMethod::Normal, TestAlternative::Greater), 0.11474657436629182, "greater");
    close(p(TestMethod::Normal, TestAlternative::Less), 1.0 - 0.11474657436629182, "less");
    close(p(TestMethod::NormalCorrected, TestAlternative::TwoSided), 0.2419837718473351, "corrected");
    close(
        p(TestMethod::NormalCorrected, TestAlternative::Greater),
        0.12099188592366755,
        "corrected, greater",
    );
    let even = Proportion::new(500, 1000).unwrap();
    assert_eq!(even.p_value(TestMethod::NormalCorrected, TestAlternative::TwoSided, 0.5), Ok(1.0));
}

/// Wins, games; the ends by Wilson, Wilson with correction, Clopper-Pearson, Clopper-Pearson at 99%.
type IntervalCase = ((u64, u64), [(f64, f64); 4]);

const INTERVALS: [IntervalCase; 6] = [
    (
        (682, 925),
        [
            (0.7079959876196205, 0.7646358009714889),
            (0.7074390554781229, 0.7651554240456733),
            (0.707668264079039, 0.7654065582414781),
            (0.6983102216235254, 0.7738015423889122),
        ],
    ),
    (
        (3, 10),
        [
            (0.10779126740630102, 0.6032218525388546),
            (0.08094782420999447, 0.6463292764888312),
            (0.06673951117773447, 0.652452850060008),
            (0.03700722109620741, 0.7351139852871308),
        ],
    ),
    (
        (0, 10),
        [
            (0.0, 0.27753279986288926),
            (0.0, 0.3445372183069226),
            (0.0, 0.30849710781876294),
            (0.0, 0.4112959813475254),
        ],
    ),
    (
        (10, 10),
        [
            (0.7224672001371109, 1.0),
            (0.6554627816930775, 1.0),
            (0.6915028921812371, 1.0),
            (0.5887040186524746, 1.0),
        ],
    ),
    (
        (500300, 1000000),
        [
            (0.49932001891396727, 0.5012799787811661),
            (0.49931951891530046, 0.501280478778657),
            (0.4993195185028297, 0.5012804797594145),
            (0.4990115866129433, 0.501588410531558),
        ],
    ),
    (
        (1, 3),
        [
            (0.06149194472039626, 0.7923403991979523),
            (0.01765279427865346, 0.8746655280897369),
            (0.008403758659612647, 0.9057006759492866),
            (0.0016694521863085243, 0.9585998492839761),
        ],
    ),
];

#[test]
fn intervals_match_scipy() {
    use IntervalMethod::{ClopperPearson, Wilson, WilsonCorrected};
    let (usual, high) = (ConfidenceLevel::default(), ConfidenceLevel::new(0.99).unwrap());
    let methods =
        [(Wilson, usual), (WilsonCorrected, usual), (ClopperPearson, usual), (ClopperPearson, high)];
    for ((wins, games), ends) in INTERVALS {
        for ((method, confidence), (low, end)) in methods.into_iter().zip(ends) {
            let ours: Interval = Proportion::new(wins, games).unwrap().rate_interval(method, confidence);
            let name = format!("{method:?} of {wins} in {games}");
            close(ours.low, low, &name);
            close(ours.high, end, &name);
        }
    }
}

/// 0.519 plus and minus 1.959963985 sqrt(0.519 * 0.481 / 1000), by hand in Python.
#[test]
fn wald_by_hand() {
    let wald =
        Proportion::new(519, 1000).unwrap().rate_interval(IntervalMethod::Wald, ConfidenceLevel::default());
    close(wald.low, 0.4880326310612389, "low");
    close(wald.high, 0.5499673689387612, "high");
}

#[test]
fn chi_square_matches_scipy() {
    let counts = [16, 18, 16, 14, 12, 12];
    let fit = test_goodness_of_fit(&counts, &[1.0; 6]).unwrap();
    close(fit.statistic, 2.0, "even");
    close(fit.p_value, 0.8491450360846096, "even");
    let fit = test_goodness_of_fit(&counts, &[16.0, 16.0, 16.0, 16.0, 16.0, 8.0]).unwrap();
    close(fit.statistic, 3.5, "weighted");
    close(fit.p_value, 0.6233876277495822, "weighted");
    assert_eq!((fit.degrees, fit.smallest_expected), (5, 8.0));
    let test = test_independence(&[vec![762, 327, 468], vec![484, 239, 477]]).unwrap();
    close(test.statistic, 30.070149095754672, "party");
    close(test.p_value, 2.9535891832117595e-07, "party");
    let test = test_independence(&[vec![10, 20], vec![30, 15]]).unwrap();
    close(test.statistic, 8.035714285714285, "2x2");
    close(test.p_value, 0.0045863920802535025, "2x2");
}
