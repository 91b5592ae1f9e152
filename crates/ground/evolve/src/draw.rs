//! Random numbers that are not uniform.

use ishi_rng::Rng;

/// Normally distributed (Box and Muller, 1958; the second number is thrown away, so that a draw has no memory).
pub(crate) fn draw_normal(rng: &mut Rng, mean: f64, sd: f64) -> f64 {
    // In (0, 1], so that the logarithm is finite.
    let u = 1.0 - rng.next_unit();
    let angle = std::f64::consts::TAU * rng.next_unit();
    mean + sd * (-2.0 * u.ln()).sqrt() * angle.cos()
}

/// Cauchy distributed, by its inverse.
pub(crate) fn draw_cauchy(rng: &mut Rng, place: f64, scale: f64) -> f64 {
    place + scale * (std::f64::consts::PI * (rng.next_unit() - 0.5)).tan()
}

/// `N` different numbers below `len`, none of them in `taken`.
///
/// The caller sees to it that there are enough.
pub(crate) fn draw_distinct<const N: usize>(rng: &mut Rng, len: usize, taken: &[usize]) -> [usize; N] {
    let mut found = [usize::MAX; N];
    for place in 0..N {
        found[place] = loop {
            let drawn = rng.next_index(len);
            if !taken.contains(&drawn) && !found[..place].contains(&drawn) {
                break drawn;
            }
        };
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use ishi_rng::Seed;

    #[test]
    fn moments_and_quartiles() {
        let mut rng = Rng::new(Seed::new(5));
        let normals: Vec<f64> = (0..40_000).map(|_| draw_normal(&mut rng, 3.0, 2.0)).collect();
        let mean = normals.iter().sum::<f64>() / 40_000.0;
        let variance = normals.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 40_000.0;
        assert!((mean - 3.0).abs() < 0.05 && (variance - 4.0).abs() < 0.15, "{mean} {variance}");
        // A Cauchy distribution has no moments; half of it lies within its scale.
        let within = (0..40_000).filter(|_| (draw_cauchy(&mut rng, 1.0, 0.5) - 1.0).abs() < 0.5).count();
        assert!((19_500..20_500).contains(&within), "{within}");
    }

    #[test]
    fn different_ones_differ() {
        let mut rng = Rng::new(Seed::new(6));
        for _ in 0..1000 {
            let mut all = draw_distinct::<5>(&mut rng, 6, &[2]);
            all.sort_unstable();
            assert_eq!(all, [0, 1, 3, 4, 5]);
        }
    }
}
