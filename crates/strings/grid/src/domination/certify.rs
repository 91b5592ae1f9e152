//! A proof of the bound: the prices of the seam, and the states that they leave open with their potentials.

use ishi_certificate::{
    Certificate, CertificateError, ListingStep, ProverError, check_board_size, list_states,
};
use ishi_work::Progress;

use super::potential::{Potentials, TablesHalt};
use super::shape::BoardShape;
use crate::layers::{LayerNote, LayerObserver, LayerStep, ask_within};

/// What a certificate may take.
#[derive(Clone, Copy, Debug)]
pub struct ProofLimits {
    /// States that it lists.
    pub states: usize,
    /// Bytes of the tables from which its prices come. Without a number they take what they need.
    pub memory: Option<usize>,
}

impl ProofLimits {
    /// Limits of so many states, and of what memory they need.
    #[must_use]
    pub fn of_states(states: usize) -> ProofLimits {
        ProofLimits { states, memory: None }
    }
}

/// A certificate that no dominating set of a free board has fewer than `empties` points, within limits.
/// [`ishi_certificate::check_certificate`] needs nothing else, and trusts nothing in it.
///
/// # Errors
/// A smaller set exists, more states or more memory are needed, the board is too large, or the observer stopped it.
pub fn build_certificate(
    shape: &BoardShape,
    empties: usize,
    depth: usize,
    limits: ProofLimits,
    observer: LayerObserver<'_>,
) -> Result<Certificate, ProverError> {
    let (width, height) = (shape.width() as u32, shape.height() as u32);
    // Tables for nothing would take long.
    check_board_size(width, height)?;
    let potentials = ask_within(observer, Potentials::tables_step(shape), |stop| {
        Potentials::compute_within(shape, depth, 1, limits.memory, stop)
    });
    let potentials = potentials.map_err(|halt| match halt {
        TablesHalt::Stopped => ProverError::Certificate(CertificateError::Stopped),
        TablesHalt::OverMemory => {
            ProverError::OverMemory { megabytes: limits.memory.unwrap_or_default() >> 20 }
        }
    })?;
    let (depth, prices) = potentials.depth_and_prices();
    let least = prices.iter().min().copied().unwrap_or(0);
    // Only differences matter: what one band pays more the other pays less.
    let prices =
        if depth == 0 { Vec::new() } else { prices.iter().map(|price| (price - least) as i32).collect() };
    let (empties, depth) = (empties as u64, depth as u32);
    let mut certificate = Certificate { width, height, empties, depth, prices, states: Vec::new() };
    certificate.states = list_states(&certificate, limits.states, &mut |step| observer(layer_step(step)))?;
    Ok(certificate)
}

/// A listing as a sweep tells of itself.
fn layer_step(step: ListingStep) -> LayerStep {
    let ListingStep { done, total, states } = step;
    Progress { done, total, unit: "points", note: LayerNote::with_goal("states of the proof", 0, states) }
}
