//! What a solver may take of the memory: its tables of bounds, and the states of its sweeps.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use super::shape::BoardShape;
use crate::layers::LayerStep;

/// Holds compiled steps, tables of both bands and states against the memory that they may take together, before they take it. Threads change nothing: what
/// they ask for is added up.
#[derive(Debug)]
pub(super) struct SolverMemory {
    most: usize,
    taken: AtomicUsize,
    /// Something was refused: then all is.
    is_over: AtomicBool,
}

impl SolverMemory {
    /// A memory of so many bytes, if there is a number.
    pub(super) fn new(most: Option<usize>) -> SolverMemory {
        let most = most.unwrap_or(usize::MAX);
        SolverMemory { most, taken: AtomicUsize::new(0), is_over: AtomicBool::new(false) }
    }

    /// Takes so many bytes, if there is room for them.
    pub(super) fn take(&self, bytes: usize) -> bool {
        self.hold_to_most(self.taken.fetch_add(bytes, Relaxed).saturating_add(bytes))
    }

    /// Is there room for so many bytes?
    pub(super) fn has_room(&self, bytes: usize) -> bool {
        self.hold_to_most(self.taken.load(Relaxed).saturating_add(bytes))
    }

    fn hold_to_most(&self, bytes: usize) -> bool {
        self.is_over.fetch_or(bytes > self.most, Relaxed);
        !self.is_over()
    }

    pub(super) fn give_back(&self, bytes: usize) {
        self.taken.fetch_sub(bytes, Relaxed);
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Relaxed)
    }

    #[cfg(test)]
    pub(super) fn taken(&self) -> usize {
        self.taken.load(Relaxed)
    }
}

/// Bytes of a state: the longest key, and its loss.
const BYTES_OF_STATE: usize = 34;

/// Holds the states of sweeps along antidiagonals against what the tables have left.
pub(super) struct StateMeter {
    memory: Arc<SolverMemory>,
    /// Points that the sweep had done at the last step.
    done: usize,
    /// Was that step the last one of an antidiagonal?
    is_end: bool,
    /// May layers be kept for the board? Large boards with all points free are built by a rule.
    keeps: bool,
    /// States at the ends of antidiagonals, if they may be kept.
    kept: usize,
}

impl StateMeter {
    pub(super) fn new(shape: &BoardShape, memory: Arc<SolverMemory>) -> StateMeter {
        StateMeter { memory, done: 0, is_end: false, keeps: !shape.is_free(), kept: 0 }
    }

    /// Takes note of a step, and says whether there is room for its states. The last one of an antidiagonal is told once more at its end.
    pub(super) fn note_step(&mut self, step: &LayerStep) -> bool {
        let states = step.note.states;
        if step.done < self.done {
            // Another sweep begins.
            self.kept = 0;
        }
        if step.done != self.done {
            self.is_end = false;
        } else if !self.is_end {
            self.is_end = true;
            self.kept += if self.keeps { states } else { 0 };
        }
        self.done = step.done;
        // A layer is made out of the one before.
        self.memory.has_room((self.kept + 2 * states) * BYTES_OF_STATE)
    }
}

#[cfg(test)]
mod tests {
    use ishi_work::Progress;

    use super::super::shape::CellConstraint;
    use super::*;
    use crate::layers::LayerNote;

    /// Are these steps, each with its points and states, refused beside tables that take as much as so many states?
    fn is_over(beside: usize, steps: &[(usize, usize)]) -> bool {
        let mut shape = BoardShape::new(6, 6);
        shape.set_given(0, 0, CellConstraint::Empty);
        let memory = Arc::new(SolverMemory::new(Some(10 * BYTES_OF_STATE)));
        assert!(memory.take(beside * BYTES_OF_STATE));
        let mut meter = StateMeter::new(&shape, Arc::clone(&memory));
        let has_room: Vec<bool> = steps
            .iter()
            .map(|&(done, states)| {
                let note = LayerNote::with_goal("losses", 0, states);
                meter.note_step(&Progress { done, total: 36, unit: "points", note })
            })
            .collect();
        assert_eq!(has_room.contains(&false), memory.is_over());
        memory.is_over()
    }

    #[test]
    fn states_are_counted_as_long_as_they_are_kept() {
        assert!(!is_over(0, &[(1, 5)]) && is_over(0, &[(1, 6)]));
        // What is told twice is the end of an antidiagonal, and is kept.
        assert!(!is_over(0, &[(1, 3), (1, 3), (2, 3)]) && is_over(0, &[(1, 3), (1, 3), (2, 3), (2, 3)]));
        assert!(!is_over(0, &[(1, 3), (1, 3), (2, 3), (1, 3), (1, 3)]), "another sweep has begun");
    }

    #[test]
    fn states_have_what_the_tables_leave() {
        assert!(!is_over(4, &[(1, 3)]) && is_over(4, &[(1, 4)]));
    }
}
