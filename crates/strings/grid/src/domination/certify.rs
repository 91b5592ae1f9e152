//! A proof of the bound: the prices of the seam, and the states that they leave open with their potentials.

use ishi_certificate::{Certificate, CertificateError, ListingStep, ProverError, list_states};
use ishi_work::Progress;

use super::potential::Potentials;
use super::shape::BoardShape;
use crate::layers::{LayerNote, LayerObserver, LayerStep, ask_within};

/// A certificate that no dominating set of a free board has fewer than `empties` points, with at most `most` states.
/// [`ishi_certificate::check_certificate`] needs nothing else, and trusts nothing in it.
///
/// # Errors
/// A smaller set exists, more states are needed, the board is too large, or the observer stopped it.
pub fn build_certificate(
    shape: &BoardShape,
    empties: usize,
    depth: usize,
    most: usize,
    observer: LayerObserver<'_>,
) -> Result<Certificate, ProverError> {
    let potentials = ask_within(observer, Potentials::tables_step(shape), |stop| {
        Potentials::compute(shape, depth, 1, stop)
    });
    let potentials = potentials.ok_or(ProverError::Certificate(CertificateError::Stopped))?;
    let (depth, prices) = potentials.depth_and_prices();
    let least = prices.iter().min().copied().unwrap_or(0);
    // Only differences matter: what one band pays more the other pays less.
    let prices =
        if depth == 0 { Vec::new() } else { prices.iter().map(|price| (price - least) as i32).collect() };
    let (width, height) = (shape.width() as u32, shape.height() as u32);
    let (empties, depth) = (empties as u64, depth as u32);
    let mut certificate = Certificate { width, height, empties, depth, prices, states: Vec::new() };
    certificate.states = list_states(&certificate, most, &mut |step| observer(layer_step(step)))?;
    Ok(certificate)
}

/// A listing as a sweep tells of itself.
fn layer_step(step: ListingStep) -> LayerStep {
    let ListingStep { done, total, states } = step;
    Progress { done, total, unit: "points", note: LayerNote::with_goal("states of the proof", 0, states) }
}
