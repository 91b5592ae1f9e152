//! How a guided search chooses.

use std::fmt;

/// Parameters of a [`super::JudgedTree`]. Utilities lie between -1 (lost) and 1 (won).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedParams {
    /// Weight of the prior's term beside a move's mean utility; more than 0.
    pub exploration: f32,
    /// How much that weight grows with the logarithm of the visits, in units of [`JudgedParams::growth_visits`]; 0 or more.
    pub exploration_growth: f32,
    /// Visits after which the weight has begun to grow; more than 0.
    pub growth_visits: f32,
    /// By how much a move that was never looked at is taken to be worse than its position, once all of the prior's mass has been
    /// looked at; 0 or more. It grows with the square root of that mass.
    pub first_play_reduction: f32,
    /// Share of the utility that the lead makes up, beside the chance to win; 0 to 1.
    pub lead_share: f32,
    /// Lead in points at which its share of the utility is half of what it can be; more than 0.
    pub lead_scale: f32,
    /// Leaves that are judged together, 1 and more.
    pub batch: usize,
    /// Moves of a position that are kept, the likeliest ones; the root keeps all. 1 and more.
    pub width: usize,
    /// Positions that the tree can hold, 1 and more; a search that has no room goes on without growing.
    pub most_positions: usize,
}

impl Default for JudgedParams {
    fn default() -> JudgedParams {
        JudgedParams {
            exploration: 1.0,
            exploration_growth: 0.45,
            growth_visits: 500.0,
            first_play_reduction: 0.2,
            lead_share: 0.15,
            lead_scale: 15.0,
            batch: 1,
            width: 80,
            most_positions: 500_000,
        }
    }
}

/// A parameter out of its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedParamsError(String);

impl fmt::Display for JudgedParamsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for JudgedParamsError {}

impl JudgedParams {
    /// Are all parameters in their ranges?
    ///
    /// # Errors
    /// Names the first that is not, and what it must be.
    ///
    /// ```
    /// use ishi_mcts::JudgedParams;
    /// assert!(JudgedParams::default().check().is_ok());
    /// let wrong = JudgedParams { batch: 0, ..JudgedParams::default() };
    /// assert_eq!(wrong.check().unwrap_err().to_string(), "batch = 0: it must be 1 or more");
    /// ```
    pub fn check(&self) -> Result<(), JudgedParamsError> {
        let numbers = [
            ("exploration", self.exploration, f32::MIN_POSITIVE, 100.0),
            ("exploration_growth", self.exploration_growth, 0.0, 100.0),
            ("growth_visits", self.growth_visits, 1.0, 1e9),
            ("first_play_reduction", self.first_play_reduction, 0.0, 2.0),
            ("lead_share", self.lead_share, 0.0, 1.0),
            ("lead_scale", self.lead_scale, 0.01, 1000.0),
        ];
        for (name, value, least, most) in numbers {
            if !(least..=most).contains(&value) {
                let text = format!("{name} = {value}: it must be a number from {least} to {most}");
                return Err(JudgedParamsError(text));
            }
        }
        for (name, value) in
            [("batch", self.batch), ("width", self.width), ("most_positions", self.most_positions)]
        {
            if value == 0 {
                return Err(JudgedParamsError(format!("{name} = 0: it must be 1 or more")));
            }
        }
        Ok(())
    }

    /// What a worth counts: -1 lost, 1 won. The lead beyond [`JudgedParams::lead_scale`] counts less and less.
    pub(super) fn utility_of(&self, win: f64, lead: f64) -> f64 {
        let share = f64::from(self.lead_share);
        let ahead = (lead / f64::from(self.lead_scale)).atan() * std::f64::consts::FRAC_2_PI;
        (1.0 - share) * (2.0 * win - 1.0) + share * ahead
    }

    /// The weight of the prior's term in a position with that many visits.
    pub(super) fn prior_weight(&self, visits: f64) -> f64 {
        let growth = (1.0 + visits / f64::from(self.growth_visits)).ln();
        f64::from(self.exploration) + f64::from(self.exploration_growth) * growth
    }
}
