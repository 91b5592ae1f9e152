//! Distribution functions: thin names over `statrs`, and what it lacks for large counts.
//!
//! The regularized incomplete beta function is our own: the one of `statrs` 0.19 stops after 140 terms, too few for
//! thousands of games. Source: NIST Digital Library of Mathematical Functions, 8.17.22 (continued fraction), evaluated
//! by the modified Lentz algorithm (Thompson and Barnett, J. Comput. Phys. 64, 1986). Binomial probabilities: Loader,
//! "Fast and accurate computation of binomial probabilities" (2000), as R has them.

use std::f64::consts::{SQRT_2, TAU};

use statrs::function::erf::{erfc, erfc_inv};
use statrs::function::gamma::{gamma_ur, ln_gamma};

/// The standard normal distribution function.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x / SQRT_2)
}

/// The standard normal quantile of `p` in (0, 1).
pub(crate) fn normal_quantile(p: f64) -> f64 {
    -SQRT_2 * erfc_inv(2.0 * p)
}

/// P(X >= x) of chi-square with `degrees` degrees of freedom, `x >= 0`, `degrees >= 1`.
pub(crate) fn chi_square_tail(x: f64, degrees: f64) -> f64 {
    match x {
        x if x <= 0.0 => 1.0,
        // Past the range of a double the tail is 0 (and `gamma_ur` asks for a finite argument).
        x if !x.is_finite() => 0.0,
        x => gamma_ur(degrees / 2.0, x / 2.0),
    }
}

/// The quantile of Student's t that leaves `tail` in (0, 1/2) above it.
pub(crate) fn student_quantile(tail: f64, degrees: f64) -> f64 {
    // P(T > t) = I_x(degrees / 2, 1 / 2) / 2 with x = degrees / (degrees + t^2).
    let x = find_root(|x| beta_regularized(degrees / 2.0, 0.5, x) - 2.0 * tail, 0.0, 1.0);
    (degrees * (1.0 - x) / x).sqrt()
}

/// P(X = k) of the binomial distribution, `k <= n`, `p` in (0, 1).
pub(crate) fn binomial_pmf(n: u64, p: f64, k: u64) -> f64 {
    binomial_density(k as f64, (n - k) as f64, p)
}

/// (a + b)! / (a! b!) p^a (1 - p)^b for real `a, b >= 0`, with all digits for large counts too, where the difference
/// of log-gammas has lost them: Loader's saddle-point form.
fn binomial_density(a: f64, b: f64, p: f64) -> f64 {
    if a == 0.0 {
        return (b * (-p).ln_1p()).exp();
    }
    if b == 0.0 {
        return (a * p.ln()).exp();
    }
    let n = a + b;
    let errors = stirling_error(n) - stirling_error(a) - stirling_error(b);
    let deviances = deviance_term(a, n * p) + deviance_term(b, n * (1.0 - p));
    (errors - deviances).exp() * (n / (TAU * a * b)).sqrt()
}

/// ln n! less Stirling's formula: ln(n!) - (n + 1/2) ln n + n - ln(2 pi) / 2, for `n > 0`.
fn stirling_error(n: f64) -> f64 {
    if n < 16.0 {
        return ln_gamma(n + 1.0) - (n + 0.5) * n.ln() + n - TAU.ln() / 2.0;
    }
    let square = n * n;
    let series = 1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / 1188.0 / square) / square;
    (1.0 / 12.0 - (1.0 / 360.0 - series / square) / square) / n
}

/// x ln(x / mean) + mean - x, without cancellation where the two are close.
fn deviance_term(x: f64, mean: f64) -> f64 {
    let v = (x - mean) / (x + mean);
    if v.abs() >= 0.1 {
        return x * (x / mean).ln() + mean - x;
    }
    // ln(x / mean) = 2 artanh(v), as a series.
    let mut power = 2.0 * x * v;
    let mut sum = (x - mean) * v;
    for odd in (3..).step_by(2) {
        power *= v * v;
        let next = sum + power / f64::from(odd);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

/// P(X >= k) of the binomial distribution, `p` in [0, 1].
pub(crate) fn binomial_at_least(n: u64, p: f64, k: u64) -> f64 {
    match k {
        0 => 1.0,
        k if k > n => 0.0,
        k => beta_regularized(k as f64, (n - k) as f64 + 1.0, p),
    }
}

/// P(X <= k) of the binomial distribution, `p` in [0, 1].
pub(crate) fn binomial_at_most(n: u64, p: f64, k: u64) -> f64 {
    if k >= n { 1.0 } else { beta_regularized((n - k) as f64, k as f64 + 1.0, 1.0 - p) }
}

/// The regularized incomplete beta function I_x(a, b) for `a, b > 0` and `x` in [0, 1].
pub(crate) fn beta_regularized(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // x^a (1 - x)^b / B(a, b)
    let front = a * (b / (a + b)) * binomial_density(a, b, x);
    // The fraction converges fast below the mean; above it, 1 - I_{1-x}(b, a) is the fast side.
    if x < (a + 1.0) / (a + b + 2.0) {
        (front * beta_fraction(a, b, x) / a).min(1.0)
    } else {
        (1.0 - front * beta_fraction(b, a, 1.0 - x) / b).max(0.0)
    }
}

/// The continued fraction of I_x(a, b), which needs about sqrt(max(a, b)) terms.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let guard = |v: f64| if v.abs() < TINY { TINY } else { v };
    let terms = 200 + 20 * a.max(b).sqrt() as u64;
    let mut c = 1.0;
    let mut d = 1.0 / guard(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for m in 1..=terms {
        let m = m as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / guard(1.0 + even * d);
        c = guard(1.0 + even / c);
        value *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / guard(1.0 + odd * d);
        c = guard(1.0 + odd / c);
        value *= d * c;
        if (d * c - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

/// The place in [low, high] where the increasing function `f` crosses 0, by bisection to the last bit.
pub(crate) fn find_root(f: impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    let (mut low, mut high) = (low, high);
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(ours: f64, reference: f64, relative: f64) {
        assert!((ours - reference).abs() <= relative * reference.abs(), "{ours} is not {reference}");
    }

    /// scipy.special.betainc (SciPy 1.x).
    #[test]
    fn incomplete_beta_matches_scipy() {
        for (a, b, x, value) in [
            (519.0, 482.0, 0.5, 0.12098466808443513),
            (500_300.0, 499_701.0, 0.5, 0.2745864529565636),
            (5e7, 5e7 + 1.0, 0.5, 0.5000398942279406),
            (2.0, 3.0, 0.1, 0.0523),
            (1e6, 10.0, 0.99999, 0.4579178290206094),
            (1e6, 3e6, 0.2501, 0.6779706661699412),
            (0.5, 0.5, 0.3, 0.36901011956554536),
            (3.5, 0.5, 0.9, 0.40708382206558924),
        ] {
            close(beta_regularized(a, b, x), value, 1e-10);
        }
    }

    /// Half of the games won: the two tails are equal, and the middle is 1 / sqrt(pi n / 2) to first order.
    #[test]
    fn tails_of_very_many_games_are_right() {
        for n in [1_u64 << 20, 1 << 33, 1 << 43] {
            let middle = (2.0 / (std::f64::consts::PI * n as f64)).sqrt() * (1.0 - 0.25 / n as f64);
            close(binomial_pmf(n, 0.5, n / 2), middle, 1e-11);
            close(binomial_at_least(n, 0.5, n / 2), 0.5 + middle / 2.0, 1e-9);
            close(binomial_at_most(n, 0.5, n / 2), 0.5 + middle / 2.0, 1e-9);
        }
    }

    /// scipy.stats.norm.ppf, scipy.stats.t.ppf, scipy.stats.chi2.sf.
    #[test]
    fn quantiles_and_tails_match_scipy() {
        for (p, z) in [(0.975, 1.959963984540054), (0.6, 0.2533471031357997), (0.9999999, 5.199337582290661)]
        {
            close(normal_quantile(p), z, 1e-9);
            // statrs gives erfc to about 11 digits.
            close(normal_cdf(z), p, 1e-10);
        }
        for (tail, degrees, t) in [
            (0.025, 1.0, 12.706204736174694),
            (0.025, 7.0, 2.364624251592784),
            (0.005, 30.0, 2.7499956535672254),
            (0.025, 10_000.0, 1.960201239890626),
            (0.1, 2.0, 1.8856180831641272),
        ] {
            close(student_quantile(tail, degrees), t, 1e-9);
        }
        for (x, degrees, p) in [
            (3.841459, 1.0, 0.04999999465319563),
            (30.0, 5.0, 1.4748581038443073e-05),
            (100.0, 3.0, 1.5541594313896026e-21),
            (0.2, 4.0, 0.9953211598395555),
            (1000.0, 900.0, 0.010994608942135844),
        ] {
            close(chi_square_tail(x, degrees), p, 1e-9);
        }
    }

    #[test]
    fn binomial_tails_and_masses_agree() {
        let (n, p) = (37, 0.3);
        let total: f64 = (0..=n).map(|k| binomial_pmf(n, p, k)).sum();
        close(total, 1.0, 1e-12);
        for k in 0..=n {
            let sum: f64 = (k..=n).map(|i| binomial_pmf(n, p, i)).sum();
            close(binomial_at_least(n, p, k), sum, 1e-10);
            close(binomial_at_most(n, p, k) + binomial_at_least(n, p, k + 1), 1.0, 1e-12);
        }
    }
}
