//! How work is told to stop.

use std::fmt;
use std::ops::ControlFlow;
use std::panic::{RefUnwindSafe, UnwindSafe};
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
#[derive(Clone, Default)]
pub struct StopFlag {
    raised: Arc<AtomicBool>,
    pause: Option<WorkPause>,
}

/// What work does where it asks, before it hears the answer.
#[derive(Clone)]
struct WorkPause(Arc<dyn Fn() + Send + Sync>);

// A pause waits and changes nothing of the work: a panic elsewhere leaves it whole.
impl UnwindSafe for WorkPause {}
impl RefUnwindSafe for WorkPause {}

impl StopFlag {
    /// A new flag, which is raised from the start if there is a reason.
    ///
    /// ```
    /// use ishi_work::StopFlag;
    /// assert!(StopFlag::raised_if(true).is_requested() && !StopFlag::raised_if(false).is_requested());
    /// ```
    pub fn raised_if(is_raised: bool) -> StopFlag {
        StopFlag { raised: Arc::new(AtomicBool::new(is_raised)), pause: None }
    }

    /// The same flag for work that shares its place with other work: where it asks, it first does `pause`, which may wait until it
    /// is its turn again. Clones do so, too. Work that was told to stop does not pause any more.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicU32, Ordering};
    /// use ishi_work::StopFlag;
    /// let (flag, pauses) = (StopFlag::default(), Arc::new(AtomicU32::new(0)));
    /// let counted = Arc::clone(&pauses);
    /// let pausing = flag.with_pause(move || _ = counted.fetch_add(1, Ordering::Relaxed));
    /// assert!(!pausing.is_requested() && !pausing.clone().is_requested() && !flag.is_requested());
    /// assert!(!pausing.without_pause().is_requested());
    /// flag.request();
    /// assert!(pausing.is_requested());
    /// assert_eq!(pauses.load(Ordering::Relaxed), 2);
    /// ```
    pub fn with_pause(&self, pause: impl Fn() + Send + Sync + 'static) -> StopFlag {
        StopFlag { raised: Arc::clone(&self.raised), pause: Some(WorkPause(Arc::new(pause))) }
    }

    /// The same flag for work that must not wait, such as measurements of time.
    pub fn without_pause(&self) -> StopFlag {
        StopFlag { raised: Arc::clone(&self.raised), pause: None }
    }

    /// Asks the work to stop. Gives whether this was the first time.
    pub fn request(&self) -> bool {
        !self.raised.swap(true, Ordering::Relaxed)
    }

    /// Has somebody asked? With a pause it may take its time until it answers: see [`StopFlag::with_pause`].
    pub fn is_requested(&self) -> bool {
        let is_raised = || self.raised.load(Ordering::Relaxed);
        if let Some(WorkPause(pause)) = &self.pause
            && !is_raised()
        {
            pause();
        }
        is_raised()
    }

    /// `Break` once somebody has asked: the answer of an observer that does nothing else.
    pub fn to_flow(&self) -> ControlFlow<()> {
        continue_unless(self.is_requested())
    }

    /// Has anybody else a clone of it, who may look at it or raise it?
    pub fn is_held_elsewhere(&self) -> bool {
        Arc::strong_count(&self.raised) > 1
    }

    /// The atomic behind it, for what knows nothing else, such as handlers of signals.
    pub fn as_atomic(&self) -> &Arc<AtomicBool> {
        &self.raised
    }

    /// Is it the same flag, and not only in the same state?
    pub fn is_shared_with(&self, other: &StopFlag) -> bool {
        Arc::ptr_eq(&self.raised, &other.raised)
    }
}

/// Says whether it is raised. Nothing waits for that.
impl fmt::Debug for StopFlag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StopFlag").field(&self.raised.load(Ordering::Relaxed)).finish()
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
