//! Learning rates over time.

/// The learning rate as a function of how far the run is: constant, then falling in a straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearningRate {
    /// At first; what an error of 1 adds to the sum of the position, before it is shared out among the lanes.
    pub start: f32,
    /// At the end.
    pub end: f32,
    /// The share of the run after which it begins to fall, 0 to 1.
    pub hold: f32,
}

impl LearningRate {
    /// The rate at this share of the run, 0 to 1.
    pub fn rate_at(&self, share: f32) -> f32 {
        if share <= self.hold {
            return self.start;
        }
        let fallen = ((share - self.hold) / (1.0 - self.hold)).min(1.0);
        self.start + (self.end - self.start) * fallen
    }
}
