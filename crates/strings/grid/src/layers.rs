//! What the sweeps of this crate tell: all of them go over a board layer by layer, and keep the states of one layer.

use std::cell::RefCell;

use ishi_work::{Observer, Progress, Stop};

/// What a sweep says besides how far it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayerNote {
    /// Name of the pass that runs.
    pub pass: &'static str,
    /// What this pass tries: a size of sets, or a loss; 0 where it tries nothing.
    pub goal: u32,
    /// States of the present layer, or so many that are listed.
    pub states: usize,
    /// Bytes of tables and layers, as allocated; 0 where they are not counted.
    pub bytes: usize,
}

/// How far a sweep is, in points or vertices.
pub type LayerStep = Progress<LayerNote>;

/// Told after every step or layer, and within long ones the step before once more; may stop the sweep.
pub type LayerObserver<'a> = Observer<'a, LayerStep>;

/// After so many states of a layer the observer is asked whether to go on. Tests have small layers.
pub(crate) const STATES_A_LOOK: usize = if cfg!(test) { 64 } else { 1 << 16 };

/// Does work within a step: where it asks whether to stop, the observer hears this step and answers.
pub(crate) fn ask_within<T>(
    observe: LayerObserver<'_>,
    step: LayerStep,
    work: impl FnOnce(&dyn Stop) -> T,
) -> T {
    let observe = RefCell::new(observe);
    work(&|| (*observe.borrow_mut())(step).is_break())
}

impl LayerNote {
    /// A layer of a pass that tries nothing, with its memory.
    pub(crate) fn with_bytes(pass: &'static str, states: usize, bytes: usize) -> LayerNote {
        LayerNote { pass, goal: 0, states, bytes }
    }

    /// A layer of a pass that tries a size or a loss.
    pub(crate) fn with_goal(pass: &'static str, goal: u32, states: usize) -> LayerNote {
        LayerNote { pass, goal, states, bytes: 0 }
    }
}
