//! The certificate of a lower bound: the prices of the seam, from which everything else follows.

use super::potential::Potentials;
use super::shape::Shape;
use crate::certificate::Certificate;

/// A certificate that no dominating set of a free board has fewer than `empties` points, for a bound that has been proved.
/// `crate::certificate::check` needs nothing else, and trusts nothing in it.
#[must_use]
pub fn certificate(shape: &Shape, empties: usize, depth: usize) -> Certificate {
    let potentials = Potentials::new(shape, depth, 1);
    let (depth, prices) = potentials.prices();
    let least = prices.iter().min().copied().unwrap_or(0);
    // Only differences matter: what one band pays more the other pays less.
    let prices =
        if depth == 0 { Vec::new() } else { prices.iter().map(|price| (price - least) as i32).collect() };
    let (width, height) = (shape.width() as u32, shape.height() as u32);
    Certificate { width, height, empties: empties as u64, depth: depth as u32, prices }
}
