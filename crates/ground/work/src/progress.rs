//! How far work is.

use std::ops::ControlFlow;

/// How far a piece of work is: so many parts of so many. `N` is what else there is to say of it.
///
/// ```
/// use ishi_work::Progress;
/// let progress = Progress::new(30, 120, "points");
/// assert_eq!((progress.to_string(), progress.percent()), ("30/120 points".to_string(), 25.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<N = ()> {
    /// Parts that are done.
    pub done: usize,
    /// All parts.
    pub total: usize,
    /// What a part is, in the plural: `points`.
    pub unit: &'static str,
    /// What else is known.
    pub note: N,
}

/// Hears how far the work is, and says whether it goes on: `Break` stops it.
pub type Observer<'a, P> = &'a mut dyn FnMut(P) -> ControlFlow<()>;

impl Progress {
    /// Progress by so many parts of so many, and nothing else.
    pub fn new(done: usize, total: usize, unit: &'static str) -> Progress {
        Progress { done, total, unit, note: () }
    }
}

impl<N> Progress<N> {
    /// The same with another note.
    pub fn with_note<M>(&self, note: M) -> Progress<M> {
        Progress { done: self.done, total: self.total, unit: self.unit, note }
    }

    /// How much is done, 0 to 100. Of nothing, nothing is done.
    pub fn percent(&self) -> f64 {
        100.0 * self.done as f64 / self.total.max(1) as f64
    }

    /// Is this one of so many places, spread evenly, at which a report is due? In work of fewer parts every place is.
    ///
    /// ```
    /// use ishi_work::Progress;
    /// let told = |total, places| (1..=total).filter(|&done| Progress::new(done, total, "moves").is_one_of(places)).count();
    /// assert_eq!((told(60, 10), told(7, 10)), (10, 7));
    /// ```
    pub fn is_one_of(&self, places: usize) -> bool {
        self.done.is_multiple_of((self.total / places.max(1)).max(1))
    }

    /// Parts that are still to be done.
    pub fn rest(&self) -> usize {
        self.total.saturating_sub(self.done)
    }
}

/// Done, total and unit; the note is for who knows it.
impl<N> std::fmt::Display for Progress<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{} {}", self.done, self.total, self.unit)
    }
}
