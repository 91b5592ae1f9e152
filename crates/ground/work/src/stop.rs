//! How work is told to stop.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Asked by work now and then: stop now? Every closure that gives a `bool` answers.
///
/// ```
/// use ishi_work::Stop;
/// fn count_up(most: u32, stop: &dyn Stop) -> u32 {
///     (0..most).take_while(|_| !stop.is_requested()).count() as u32
/// }
/// assert_eq!((count_up(7, &|| false), count_up(7, &|| true)), (7, 0));
/// ```
pub trait Stop {
    /// Shall the work end as soon as it can?
    fn is_requested(&self) -> bool;
}

impl<F: Fn() -> bool> Stop for F {
    fn is_requested(&self) -> bool {
        self()
    }
}

/// A flag that tells work to stop. Clones share it, and who has raised it cannot lower it.
///
/// ```
/// use ishi_work::StopFlag;
/// let flag = StopFlag::default();
/// let seen_by_the_work = flag.clone();
/// assert!(!seen_by_the_work.is_requested());
/// // The first to ask hears that nobody did before.
/// assert!(flag.request() && !flag.request());
/// assert!(seen_by_the_work.is_requested());
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A new flag, which is raised from the start if there is a reason.
    ///
    /// ```
    /// use ishi_work::StopFlag;
    /// assert!(StopFlag::raised_if(true).is_requested() && !StopFlag::raised_if(false).is_requested());
    /// ```
    pub fn raised_if(is_raised: bool) -> StopFlag {
        StopFlag(Arc::new(AtomicBool::new(is_raised)))
    }

    /// Asks the work to stop. Gives whether this was the first time.
    pub fn request(&self) -> bool {
        !self.0.swap(true, Ordering::Relaxed)
    }

    /// Has somebody asked?
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// `Break` once somebody has asked: the answer of an observer that does nothing else.
    pub fn to_flow(&self) -> ControlFlow<()> {
        continue_unless(self.is_requested())
    }

    /// Has anybody else a clone of it, who may look at it or raise it?
    pub fn is_held_elsewhere(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// The atomic behind it, for what knows nothing else, such as handlers of signals.
    pub fn as_atomic(&self) -> &Arc<AtomicBool> {
        &self.0
    }

    /// Is it the same flag, and not only in the same state?
    pub fn is_shared_with(&self, other: &StopFlag) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Stop for StopFlag {
    fn is_requested(&self) -> bool {
        StopFlag::is_requested(self)
    }
}

/// What an observer answers: `Break` if the work is to stop.
pub fn continue_unless(stop: bool) -> ControlFlow<()> {
    if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_shared_by_clones_only() {
        let (flag, other) = (StopFlag::default(), StopFlag::default());
        let clone = flag.clone();
        assert!(flag.is_shared_with(&clone) && !flag.is_shared_with(&other));
        assert!(flag.is_held_elsewhere() && !other.is_held_elsewhere());
        clone.request();
        assert_eq!((flag.to_flow(), other.to_flow()), (ControlFlow::Break(()), ControlFlow::Continue(())));
    }

    #[test]
    fn closures_and_flags_answer_the_same_question() {
        let flag = StopFlag::default();
        let closure = || flag.is_requested();
        let both: [&dyn Stop; 2] = [&flag, &closure];
        assert!(both.iter().all(|stop| !stop.is_requested()));
        flag.request();
        assert!(both.iter().all(|stop| stop.is_requested()));
    }
}
