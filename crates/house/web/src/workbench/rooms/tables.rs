//! Tables that rooms share among all visitors: they are unpacked once, and ahead of the first visitor who needs them.

use std::time::Duration;

use ishi_patterns::library::PatternIndex;

use super::joseki::shipped_joseki;
use crate::workbench::desk::run_blocking;

/// The first page has so long after the start of a server until its tables are unpacked: they take some tenths of a second of one core.
const FIRST_PAGE: Duration = Duration::from_secs(2);

/// Unpacks all of them, some 25 MB, unless somebody has done so. Gives how many moves of joseki and how many patterns there are.
fn unpack_tables() -> [usize; 2] {
    [shipped_joseki().move_count(), PatternIndex::shipped().library().patterns().len()]
}

/// Unpacks the tables soon after the start. Who needs one earlier unpacks it, as without this.
pub(crate) async fn unpack_soon() {
    tokio::time::sleep(FIRST_PAGE).await;
    // Nobody waits for them, so nobody hears of a failure here.
    let _ = run_blocking(unpack_tables).await;
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn all_tables_are_unpacked_ahead() {
        let sizes = unpack_tables();
        assert!(sizes.iter().all(|&size| size > 1000), "{sizes:?}");
    }

    /// What the room of patterns shows is what explanations use: there is no second copy of some 20 MB.
    #[test]
    fn patterns_are_in_memory_once() {
        assert!(std::ptr::eq(Arc::as_ptr(&PatternIndex::share_shipped()), PatternIndex::shipped()));
    }
}
