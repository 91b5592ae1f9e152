//! Leaders: one proof for each that may still lead a better deck.

use super::frame::Frame;
use super::prove as prove_frame;
use super::search::Search;
use crate::problem::Slot;

/// Finds the best deck under any of these leaders.
pub(super) fn prove(leaders: &[Slot], search: &mut Search<'_>) {
    for &leader in leaders {
        if let Some(frame) = Frame::new(search.problem, Some(leader)) {
            search.work.leaders += 1;
            prove_frame(&frame, search);
        }
    }
}
