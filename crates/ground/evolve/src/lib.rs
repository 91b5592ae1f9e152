//! Learning by evolution: differential evolution and its family. It knows nothing of games.
//!
//! - [`de`]: differential evolution as in Storn and Price, `DE/base/num/cross` ([`strategy`]), with [`bounds`] and with
//!   the adaptation of F and CR by JADE and SHADE ([`adapt`]).
//! - [`cma`]: CMA-ES, through the crate `basin`.
//! - [`spsa`]: simultaneous perturbation, for values that are noisy and dear.
//! - [`coevolve`]: competitive co-evolution with a hall of fame, where the only value is a result against somebody.
//! - [`problem`]: what is optimised; it is asked for whole batches, so that the caller may work in parallel.
//! - [`observe`]: who hears of a run, and when.
//! - [`kept`]: states as text, with version and checksum.
//!
//! Everything is repeatable: a state is data (feature `serde`), holds its generator, and a run that goes on from it gives
//! bit for bit what an uninterrupted one gives on the same machine. (Logarithms and tangents, which only JADE and SHADE
//! draw with, may differ in the last bit from one platform's library to the next.)
//!
//! Sources: Storn and Price, Journal of Global Optimization 11, 1997; Price, Storn and Lampinen, Differential Evolution,
//! Springer 2005; Zhang and Sanderson, IEEE TEC 13(5), 2009 (JADE); Tanabe and Fukunaga, CEC 2013 (SHADE); Hansen, The CMA
//! Evolution Strategy: A Tutorial, arXiv:1604.00772; Spall, IEEE TAES 34(3), 1998 (SPSA); Rosin and Belew, Evolutionary Computation 5(1), 1997 (hall of fame).

pub mod adapt;
pub mod bounds;
pub mod cma;
pub mod coevolve;
pub mod de;
mod draw;
mod error;
#[cfg(feature = "serde")]
pub mod exact;
pub mod kept;
pub mod observe;
pub mod problem;
pub mod spsa;
pub mod strategy;

pub use bounds::BoundHandling;
pub use cma::{CmaEs, CmaGeneration, CmaParams};
pub use coevolve::{Coevolution, CoevolutionParams, Contest};
pub use de::{DeParams, DeState, DifferentialEvolution, ParentValues, PopulationMember};
pub use error::EvolveError;
pub use observe::{EveryNthGeneration, EvolutionObserver, GenerationReport, OnNewBest, RunEnd, RunLimits};
pub use problem::{EvaluationInterrupted, OptimizationGoal, OptimizationProblem, PointBatch};
pub use spsa::{Spsa, SpsaParams};
pub use strategy::{CrossoverKind, DeStrategy, MutationBase};

pub use adapt::ParameterControl;

/// The README's example is run as those of the documentation are.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExample;
