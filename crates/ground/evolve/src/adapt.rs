//! F and CR: fixed, or adapted to what succeeds.
//!
//! JADE (Zhang and Sanderson 2009) keeps two means and moves them towards the F (Lehmer mean) and CR (arithmetic mean) of the
//! children that won. SHADE (Tanabe and Fukunaga 2013) keeps a memory of such means, weighs successes by the improvement, and
//! draws the share p of `current-to-pbest` anew for each child. Both are meant for `DE/current-to-pbest/1/bin`, and work
//! with every strategy.

use ishi_rng::Rng;

use crate::draw::{draw_cauchy, draw_normal};
use crate::error::{EvolveError, check_parameter};
#[cfg(feature = "serde")]
use crate::exact;

/// How F and CR are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParameterControl {
    /// The same for all children.
    Fixed {
        /// The differences' factor, above 0 and at most 2.
        f: f64,
        /// The crossover rate, 0 to 1.
        cr: f64,
    },
    /// As in JADE.
    Jade {
        /// How fast the means move, 0 to 1; 0.1 in the paper.
        c: f64,
    },
    /// As in SHADE.
    Shade {
        /// Entries of the memory, 1 to 1000; 100 in the paper (the population's size there).
        memory: usize,
    },
}

/// What is remembered of success. For a fixed control, the one pair of numbers.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SuccessMemory {
    #[cfg_attr(feature = "serde", serde(with = "exact::list"))]
    f: Vec<f64>,
    #[cfg_attr(feature = "serde", serde(with = "exact::list"))]
    cr: Vec<f64>,
    /// The entry that is written next.
    next: usize,
}

/// The numbers of a child.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChildFactors {
    pub(crate) f: f64,
    pub(crate) cr: f64,
    /// The share of the best for `current-to-pbest`.
    pub(crate) p: f64,
}

/// A child that won: its numbers, and by how much it is better.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SuccessfulChild {
    pub(crate) factors: ChildFactors,
    pub(crate) gain: f64,
}

impl ParameterControl {
    pub(crate) fn check_parameters(self) -> Result<(), EvolveError> {
        match self {
            ParameterControl::Fixed { f, cr } => {
                check_parameter("F", f, f > 0.0 && f <= 2.0, "F must be above 0 and at most 2")?;
                check_parameter("CR", cr, (0.0..=1.0).contains(&cr), "CR must be 0 to 1")?;
            }
            ParameterControl::Jade { c } => {
                _ = check_parameter("c", c, (0.0..=1.0).contains(&c), "JADE's c must be 0 to 1")?
            }
            ParameterControl::Shade { memory } => {
                check_parameter(
                    "memory",
                    memory,
                    (1..=1000).contains(&memory),
                    "SHADE's memory must be 1 to 1000",
                )?;
            }
        }
        Ok(())
    }

    /// The memory before anything has succeeded.
    pub(crate) fn initial_memory(self) -> SuccessMemory {
        let entries = |f, cr, n| SuccessMemory { f: vec![f; n], cr: vec![cr; n], next: 0 };
        match self {
            ParameterControl::Fixed { f, cr } => entries(f, cr, 1),
            ParameterControl::Jade { .. } => entries(0.5, 0.5, 1),
            ParameterControl::Shade { memory } => entries(0.5, 0.5, memory),
        }
    }

    pub(crate) fn fits_memory(self, memory: &SuccessMemory) -> bool {
        let len = self.initial_memory().f.len();
        memory.f.len() == len && memory.cr.len() == len && memory.next < len
    }

    /// The numbers of the next child.
    pub(crate) fn draw_factors(
        self,
        memory: &SuccessMemory,
        p_best: f64,
        population: usize,
        rng: &mut Rng,
    ) -> ChildFactors {
        if let ParameterControl::Fixed { f, cr } = self {
            return ChildFactors { f, cr, p: p_best };
        }
        let entry = rng.next_index(memory.f.len());
        let cr = draw_normal(rng, memory.cr[entry], 0.1).clamp(0.0, 1.0);
        let f = loop {
            let f = draw_cauchy(rng, memory.f[entry], 0.1);
            if f > 0.0 {
                break f.min(1.0);
            }
        };
        let least = (2.0 / population as f64).min(p_best);
        let p = match self {
            ParameterControl::Shade { .. } => least + (p_best - least) * rng.next_unit(),
            _ => p_best,
        };
        ChildFactors { f, cr, p }
    }

    /// Learns of a generation's successes.
    pub(crate) fn update_memory(self, memory: &mut SuccessMemory, successes: &[SuccessfulChild]) {
        if successes.is_empty() {
            return;
        }
        match self {
            ParameterControl::Fixed { .. } => {}
            ParameterControl::Jade { c } => {
                let (f, cr) = weighted_means(successes, |_| 1.0);
                memory.f[0] += c * (f - memory.f[0]);
                memory.cr[0] += c * (cr - memory.cr[0]);
            }
            ParameterControl::Shade { .. } => {
                (memory.f[memory.next], memory.cr[memory.next]) =
                    weighted_means(successes, improvement_weight);
                memory.next = (memory.next + 1) % memory.f.len();
            }
        }
    }
}

/// An improvement that is no usable number (a first success over nothing) counts little, but counts.
fn improvement_weight(success: &SuccessfulChild) -> f64 {
    let gain = success.gain.abs();
    if gain.is_finite() { gain.max(f64::MIN_POSITIVE) } else { 1.0 }
}

/// The Lehmer mean of F and the arithmetic mean of CR, weighted.
fn weighted_means(successes: &[SuccessfulChild], weight: impl Fn(&SuccessfulChild) -> f64) -> (f64, f64) {
    let sum = |value: &dyn Fn(&ChildFactors) -> f64| -> f64 {
        successes.iter().map(|success| weight(success) * value(&success.factors)).sum()
    };
    (sum(&|x| x.f * x.f) / sum(&|x| x.f), sum(&|x| x.cr) / sum(&|_| 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ishi_rng::Seed;

    fn success(f: f64, cr: f64, gain: f64) -> SuccessfulChild {
        SuccessfulChild { factors: ChildFactors { f, cr, p: 0.1 }, gain }
    }

    #[test]
    fn jade_moves_its_means() {
        let control = ParameterControl::Jade { c: 0.1 };
        let mut memory = control.initial_memory();
        control.update_memory(&mut memory, &[success(0.4, 0.2, 1.0), success(0.8, 0.6, 9.0)]);
        // Lehmer mean (0.16 + 0.64) / 1.2 = 2/3, arithmetic mean 0.4.
        assert!((memory.f[0] - (0.5 + 0.1 * (2.0 / 3.0 - 0.5))).abs() < 1e-12);
        assert!((memory.cr[0] - 0.49).abs() < 1e-12);
        control.update_memory(&mut memory, &[]);
        assert!((memory.cr[0] - 0.49).abs() < 1e-12, "nothing is learned from nothing");
    }

    #[test]
    fn shade_writes_one_entry_after_the_other_and_weighs() {
        let control = ParameterControl::Shade { memory: 2 };
        let mut memory = control.initial_memory();
        control.update_memory(&mut memory, &[success(0.4, 0.2, 1.0), success(0.8, 0.6, 3.0)]);
        assert!((memory.cr[0] - 0.5).abs() < 1e-12 && memory.cr[1] == 0.5 && memory.next == 1);
        assert!((memory.f[0] - (0.16 + 3.0 * 0.64) / (0.4 + 2.4)).abs() < 1e-12);
        control.update_memory(&mut memory, &[success(1.0, 0.0, f64::INFINITY)]);
        assert_eq!((memory.f[1], memory.cr[1], memory.next), (1.0, 0.0, 0));
    }

    #[test]
    fn draws_stay_in_their_ranges() {
        let mut rng = Rng::new(Seed::new(2));
        for control in [ParameterControl::Jade { c: 0.1 }, ParameterControl::Shade { memory: 5 }] {
            let memory = control.initial_memory();
            for _ in 0..5000 {
                let ChildFactors { f, cr, p } = control.draw_factors(&memory, 0.2, 20, &mut rng);
                assert!(f > 0.0 && f <= 1.0 && (0.0..=1.0).contains(&cr) && (0.1..=0.2).contains(&p));
            }
        }
    }
}
