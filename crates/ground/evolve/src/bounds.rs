//! What happens to coordinates that leave the box.

use ishi_rng::Rng;

use crate::error::{EvolveError, check_parameter};

/// How a child is kept within the box, coordinate by coordinate.
///
/// ```
/// use ishi_evolve::BoundHandling;
/// use ishi_rng::{Rng, Seed};
/// let mut point = vec![0.5, 1.25, -7.0];
/// BoundHandling::Reflect { low: -1.0, high: 1.0 }.apply_to_point(&mut point, &mut Rng::new(Seed::new(1)));
/// assert_eq!(point, [0.5, 0.75, 1.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BoundHandling {
    /// There is no box.
    None,
    /// To the nearest side.
    Clip {
        /// The least value.
        low: f64,
        /// The greatest value.
        high: f64,
    },
    /// Mirrored at the sides, as often as needed.
    Reflect {
        /// The least value.
        low: f64,
        /// The greatest value.
        high: f64,
    },
    /// Drawn anew from the whole box.
    Resample {
        /// The least value.
        low: f64,
        /// The greatest value.
        high: f64,
    },
}

impl BoundHandling {
    fn box_sides(self) -> Option<(f64, f64)> {
        match self {
            BoundHandling::None => None,
            BoundHandling::Clip { low, high }
            | BoundHandling::Reflect { low, high }
            | BoundHandling::Resample { low, high } => Some((low, high)),
        }
    }

    pub(crate) fn check_sides(self) -> Result<(), EvolveError> {
        let Some((low, high)) = self.box_sides() else { return Ok(()) };
        let ok = low.is_finite() && high.is_finite() && low < high;
        check_parameter(
            "bounds",
            format!("[{low}, {high}]"),
            ok,
            "it must be two finite numbers, the smaller first",
        )
        .map(|_| ())
    }

    /// Moves what is outside.
    pub fn apply_to_point(self, point: &mut [f64], rng: &mut Rng) {
        let Some((low, high)) = self.box_sides() else { return };
        for value in point.iter_mut().filter(|value| !(low..=high).contains(*value)) {
            *value = match self {
                BoundHandling::None => *value,
                BoundHandling::Clip { .. } if value.is_nan() => low,
                BoundHandling::Clip { .. } => value.clamp(low, high),
                BoundHandling::Reflect { .. } => reflect_value(*value, low, high),
                BoundHandling::Resample { .. } => low + (high - low) * rng.next_unit(),
            };
        }
    }
}

/// The place of a ray that is thrown back at both sides.
fn reflect_value(value: f64, low: f64, high: f64) -> f64 {
    let width = high - low;
    let along = (value - low).rem_euclid(2.0 * width);
    let place = if along > width { high - (along - width) } else { low + along };
    // Rounding, and values beyond all measure, end at a side.
    if place.is_nan() { low } else { place.clamp(low, high) }
}

#[cfg(test)]
mod tests {
    use super::{BoundHandling, Rng};
    use ishi_rng::Seed;
    use proptest::prelude::{any, prop, prop_assert, proptest};

    proptest! {
        #[test]
        fn whatever_comes_ends_inside(mut point in prop::collection::vec(any::<f64>(), 1..8), seed: u64) {
            let mut rng = Rng::new(Seed::new(seed));
            let (low, high) = (-1.5, 2.0);
            let boxes = [
                BoundHandling::Clip { low, high }, BoundHandling::Reflect { low, high }, BoundHandling::Resample { low, high },
            ];
            for bounds in boxes {
                let before = point.clone();
                bounds.apply_to_point(&mut point, &mut rng);
                for (old, new) in before.iter().zip(&point) {
                    prop_assert!((low..=high).contains(new), "{old} {new}");
                    prop_assert!(old == new || !(low..=high).contains(old), "what is inside stays");
                }
            }
        }
    }

    #[test]
    fn nothing_is_done_without_a_box() {
        let mut point = [1e300, -3.0];
        BoundHandling::None.apply_to_point(&mut point, &mut Rng::new(Seed::new(1)));
        assert_eq!(point, [1e300, -3.0]);
    }

    #[test]
    fn an_empty_box_is_refused() {
        let error = BoundHandling::Clip { low: 1.0, high: 1.0 }.check_sides().unwrap_err().to_string();
        assert_eq!(error, "invalid bounds [1, 1]: it must be two finite numbers, the smaller first");
    }
}
