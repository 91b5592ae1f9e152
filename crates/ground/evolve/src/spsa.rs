//! SPSA: simultaneous perturbation stochastic approximation.
//!
//! Where values are noisy and dear, as results of games are, two of them a step move all coordinates at once: the point is
//! moved to both sides in a random direction of the box's diagonals, and goes towards the better side. The gains fall as in
//! Spall, IEEE Transactions on Aerospace and Electronic Systems 34(3), 1998: steps with exponent 0.602, perturbations with 0.101.
//!
//! A state is the parameters and the values that were given, so that a run is led again by them alone.

use ishi_rng::Seed;

use crate::error::{EvolveError, check_parameter};

/// How steps shrink.
const STEP_EXPONENT: f64 = 0.602;
/// How perturbations shrink.
const PERTURBATION_EXPONENT: f64 = 0.101;
/// The share of the planned steps that pass before steps shrink in earnest.
const STABLE_SHARE: f64 = 0.1;

/// Where to begin in the unit box, and how far to go. Values are to be maximised.
#[derive(Clone, Debug, PartialEq)]
pub struct SpsaParams {
    /// The first point, each coordinate in [0, 1].
    pub start: Vec<f64>,
    /// The first perturbation of every coordinate, above 0 and at most 0.5.
    pub perturbation: f64,
    /// For each coordinate the least perturbation at which a value can differ, such as half a step of a whole number; 0 to 0.5.
    pub least: Vec<f64>,
    /// How far the first step moves every coordinate for a difference of 1 between the two values, above 0.
    pub step: f64,
    /// Steps that are planned: gains are made for them.
    pub planned: u64,
    /// Directions follow from it and the number of the step.
    pub seed: Seed,
}

/// A run of SPSA.
///
/// ```
/// use ishi_evolve::{Spsa, SpsaParams};
/// use ishi_rng::Seed;
/// let (start, least) = (vec![0.9, 0.9], vec![0.0, 0.0]);
/// let params = SpsaParams { start, perturbation: 0.2, least, step: 0.5, planned: 200, seed: Seed::new(1) };
/// let mut spsa = Spsa::start(params).unwrap();
/// let value = |x: &[f64]| -(x[0] - 0.3).powi(2) - (x[1] - 0.6).powi(2);
/// for _ in 0..200 {
///     let [plus, minus] = spsa.ask_points();
///     spsa.tell_values([value(&plus), value(&minus)]).unwrap();
/// }
/// assert!((spsa.point()[0] - 0.3).abs() < 0.05 && (spsa.point()[1] - 0.6).abs() < 0.05);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    params: SpsaParams,
    point: Vec<f64>,
    steps: u64,
}

impl Spsa {
    /// A new run.
    ///
    /// # Errors
    /// If a parameter is out of its range.
    pub fn start(params: SpsaParams) -> Result<Spsa, EvolveError> {
        let SpsaParams { start, perturbation, least, step, .. } = &params;
        let n = start.len();
        check_parameter("dimensions", n, n > 0, "a point must have one coordinate or more")?;
        let in_box = start.iter().all(|v| (0.0..=1.0).contains(v));
        check_parameter("start", format!("{start:?}"), in_box, "coordinates must lie from 0 to 1")?;
        let fits = least.len() == n && least.iter().all(|v| (0.0..=0.5).contains(v));
        check_parameter(
            "least",
            format!("{least:?}"),
            fits,
            "there must be one from 0 to 0.5 for each coordinate",
        )?;
        let is_small = *perturbation > 0.0 && *perturbation <= 0.5;
        check_parameter("perturbation", *perturbation, is_small, "it must be above 0 and at most 0.5")?;
        check_parameter("step", *step, *step > 0.0 && step.is_finite(), "it must be above 0")?;
        let point = start.clone();
        Ok(Spsa { params, point, steps: 0 })
    }

    /// Where it stands.
    pub fn point(&self) -> &[f64] {
        &self.point
    }

    /// Steps that were made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The two points whose values are wanted next. The point between them is kept so far inside the box that both are in it.
    pub fn ask_points(&self) -> [Vec<f64>; 2] {
        let sides = self.directions();
        let moved = |sign: f64| -> Vec<f64> {
            let place = |(i, &x): (usize, &f64)| {
                let by = self.perturbation_of(i);
                x.clamp(by, 1.0 - by) + sign * sides[i] * by
            };
            self.point.iter().enumerate().map(place).map(|x| x.clamp(0.0, 1.0)).collect()
        };
        [moved(1.0), moved(-1.0)]
    }

    /// Takes the values of the two points, and makes the step.
    ///
    /// # Errors
    /// If a value is no finite number; nothing is changed then.
    pub fn tell_values(&mut self, values: [f64; 2]) -> Result<(), EvolveError> {
        let are_finite = values.iter().all(|value| value.is_finite());
        check_parameter("values", format!("{values:?}"), are_finite, "both must be finite")?;
        let (sides, gain) = (self.directions(), self.step_gain());
        let difference = values[0] - values[1];
        for (i, side) in sides.iter().enumerate() {
            // A gradient is a difference divided by a distance: coordinates with greater perturbations move less.
            let scale = self.params.perturbation / self.perturbation_of(i);
            self.point[i] = (self.point[i] + gain * scale * difference * side).clamp(0.0, 1.0);
        }
        self.steps += 1;
        Ok(())
    }

    /// 1 or -1 for each coordinate, of this step.
    fn directions(&self) -> Vec<f64> {
        let mut rng = self.params.seed.stream("spsa", self.steps);
        self.point.iter().map(|_| if rng.chance(0.5) { 1.0 } else { -1.0 }).collect()
    }

    fn perturbation_of(&self, coordinate: usize) -> f64 {
        let shrunk = self.params.perturbation / (self.steps as f64 + 1.0).powf(PERTURBATION_EXPONENT);
        shrunk.max(self.params.least[coordinate]).min(0.5)
    }

    fn step_gain(&self) -> f64 {
        let stable = STABLE_SHARE * self.params.planned as f64 + 1.0;
        self.params.step * (stable / (stable + self.steps as f64)).powf(STEP_EXPONENT)
    }
}
