//! `DE/base/num/cross`: the names of Storn and Price, and what they mean.
//!
//! The mutant is `base + F (x_r1 - x_r2)`, with a second difference where `num` is 2. `current-to-best` moves from the parent
//! towards the best by the same F (Storn and Price's lambda = F). `current-to-pbest` is JADE's: towards one of the best
//! `100 p` per cent, the second of the difference possibly from the archive of beaten parents.

use std::fmt;
use std::str::FromStr;

use ishi_rng::Rng;

use crate::error::EvolveError;

/// What a mutant starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutationBase {
    /// A random member.
    Rand,
    /// The best member.
    Best,
    /// The parent, moved towards the best member.
    CurrentToBest,
    /// The parent, moved towards one of the best members (Zhang and Sanderson 2009).
    CurrentToPBest,
}

/// How parent and mutant make a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrossoverKind {
    /// Every coordinate is the mutant's with probability CR, one of them at least.
    Binomial,
    /// A run of coordinates is the mutant's; it goes on with probability CR.
    Exponential,
}

/// `DE/base/num/cross`.
///
/// ```
/// use ishi_evolve::{MutationBase, DeStrategy};
/// let strategy: DeStrategy = "DE/rand/1/bin".parse().unwrap();
/// assert_eq!(strategy.base, MutationBase::Rand);
/// assert_eq!(strategy.to_string(), "DE/rand/1/bin");
/// let error = "DE/worst/1/bin".parse::<DeStrategy>().unwrap_err().to_string();
/// assert!(error.starts_with("invalid strategy DE/worst/1/bin: write DE/base/num/cross"), "{error}");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeStrategy {
    /// What a mutant starts from.
    pub base: MutationBase,
    /// Are there two differences instead of one?
    pub two_differences: bool,
    /// How the child is made.
    pub crossover: CrossoverKind,
}

impl DeStrategy {
    /// `DE/rand/1/bin`, the usual one.
    pub const RAND_1_BIN: DeStrategy =
        DeStrategy { base: MutationBase::Rand, two_differences: false, crossover: CrossoverKind::Binomial };

    /// All of them.
    ///
    /// ```
    /// use ishi_evolve::DeStrategy;
    /// let all = DeStrategy::all_strategies();
    /// assert!(all.len() == 16 && all.contains(&DeStrategy::RAND_1_BIN));
    /// ```
    pub fn all_strategies() -> Vec<DeStrategy> {
        let mut all = Vec::new();
        for base in [
            MutationBase::Rand,
            MutationBase::Best,
            MutationBase::CurrentToBest,
            MutationBase::CurrentToPBest,
        ] {
            for two_differences in [false, true] {
                for crossover in [CrossoverKind::Binomial, CrossoverKind::Exponential] {
                    all.push(DeStrategy { base, two_differences, crossover });
                }
            }
        }
        all
    }

    /// The smallest population: the parent and all that are drawn are different.
    ///
    /// ```
    /// use ishi_evolve::DeStrategy;
    /// assert_eq!(DeStrategy::RAND_1_BIN.min_population(), 4);
    /// ```
    pub fn min_population(self) -> usize {
        1 + 2 * (1 + usize::from(self.two_differences)) + usize::from(self.base == MutationBase::Rand)
    }
}

impl fmt::Display for DeStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let base = match self.base {
            MutationBase::Rand => "rand",
            MutationBase::Best => "best",
            MutationBase::CurrentToBest => "current-to-best",
            MutationBase::CurrentToPBest => "current-to-pbest",
        };
        let cross = match self.crossover {
            CrossoverKind::Binomial => "bin",
            CrossoverKind::Exponential => "exp",
        };
        f.pad(&format!("DE/{base}/{}/{cross}", 1 + u8::from(self.two_differences)))
    }
}

impl FromStr for DeStrategy {
    type Err = EvolveError;

    fn from_str(text: &str) -> Result<DeStrategy, EvolveError> {
        let found = DeStrategy::all_strategies().into_iter().find(|strategy| strategy.to_string() == text);
        found.ok_or_else(|| {
            let right = "write DE/base/num/cross with base rand, best, current-to-best or current-to-pbest, \
                         num 1 or 2, cross bin or exp, such as DE/rand/1/bin";
            EvolveError::invalid_parameter("strategy", text, right)
        })
    }
}

impl CrossoverKind {
    /// Which coordinates the child has from the mutant; one at least.
    pub(crate) fn draw_mask(self, rng: &mut Rng, dimensions: usize, cr: f64) -> Vec<bool> {
        let sure = rng.next_index(dimensions);
        match self {
            CrossoverKind::Binomial => (0..dimensions).map(|place| rng.chance(cr) || place == sure).collect(),
            CrossoverKind::Exponential => {
                let mut length = 1;
                while length < dimensions && rng.chance(cr) {
                    length += 1;
                }
                (0..dimensions).map(|place| (place + dimensions - sure) % dimensions < length).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CrossoverKind, DeStrategy, Rng};
    use ishi_rng::Seed;
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    #[test]
    fn names_go_there_and_back() {
        let all = DeStrategy::all_strategies();
        assert_eq!(all.len(), 16);
        for strategy in all {
            assert_eq!(strategy.to_string().parse(), Ok(strategy));
        }
        assert_eq!(DeStrategy::RAND_1_BIN.min_population(), 4);
        assert_eq!("DE/best/2/exp".parse::<DeStrategy>().unwrap().min_population(), 5);
    }

    /// The share of coordinates from the mutant: binomial CR (and one more for sure), exponential much less.
    #[test]
    fn masks_have_the_right_lengths() {
        let mut rng = Rng::new(Seed::new(8));
        let mut mean = |crossover: CrossoverKind, cr: f64| {
            let ones = |mask: Vec<bool>| mask.into_iter().filter(|&b| b).count();
            (0..20_000).map(|_| ones(crossover.draw_mask(&mut rng, 10, cr))).sum::<usize>() as f64 / 20_000.0
        };
        assert_eq!(mean(CrossoverKind::Binomial, 0.0), 1.0);
        assert_eq!(mean(CrossoverKind::Exponential, 0.0), 1.0);
        assert_eq!(mean(CrossoverKind::Binomial, 1.0), 10.0);
        assert_eq!(mean(CrossoverKind::Exponential, 1.0), 10.0);
        assert!((mean(CrossoverKind::Binomial, 0.5) - 5.5).abs() < 0.05);
        // 1 + 1/2 + 1/4 + ... up to the ten coordinates.
        assert!((mean(CrossoverKind::Exponential, 0.5) - 1.998).abs() < 0.05);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC*|DE/[a-z-]*/[0-9]/[a-z]*") {
            if let Ok(strategy) = text.parse::<DeStrategy>() {
                prop_assert_eq!(strategy.to_string(), text);
            }
        }

        #[test]
        fn an_exponential_mask_is_one_run(seed: u64, dimensions in 1usize..20, cr in 0.0f64..=1.0) {
            let mask = CrossoverKind::Exponential.draw_mask(&mut Rng::new(Seed::new(seed)), dimensions, cr);
            let starts = (0..dimensions).filter(|&i| mask[i] && !mask[(i + dimensions - 1) % dimensions]).count();
            prop_assert!(starts == 1 || mask.iter().all(|&b| b));
        }
    }
}
