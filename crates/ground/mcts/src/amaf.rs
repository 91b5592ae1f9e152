//! Who played where first: what AMAF ("all moves as first") needs to know of a playout.
//!
//! Source: Gelly and Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go", Artificial
//! Intelligence 175 (2011), section 4.

use crate::domain::Action;
use crate::params::TreeParams;

/// For every action the side that played it first, as a weight for each side: one of the two is 0. Clearing the whole table
/// costs less than keeping stamps, and the weights need no branch where they are used.
#[derive(Debug)]
pub(crate) struct FirstPlays {
    weights: Vec<[f32; 2]>,
    /// Share of the trace that counts.
    horizon: f32,
    /// What the weight loses from the first move that counts to the last.
    fade: f32,
}

impl FirstPlays {
    pub(crate) fn new(actions: usize, params: &TreeParams) -> FirstPlays {
        let (horizon, fade) = (params.amaf_horizon, params.amaf_fade);
        FirstPlays { weights: vec![[0.0; 2]; actions], horizon, fade }
    }

    /// Forgets all, then takes the moves of a playout; `side` (0 or 1) is to move first in it.
    pub(crate) fn load_trace(&mut self, trace: &[Action], side: usize) {
        self.weights.fill([0.0; 2]);
        let length = (trace.len() as f32 * self.horizon).ceil() as usize;
        let trace = &trace[..length.min(trace.len())];
        let step = self.fade / (trace.len().max(2) - 1) as f32;
        // From the end: the earliest move has the last word.
        for (i, &action) in trace.iter().enumerate().rev() {
            self.set_first_play(action, (side + i) & 1, 1.0 - step * i as f32);
        }
    }

    /// An earlier move: `side` played `action`.
    #[inline]
    pub(crate) fn prepend_play(&mut self, action: Action, side: usize) {
        self.set_first_play(action, side, 1.0);
    }

    #[inline]
    fn set_first_play(&mut self, action: Action, side: usize, weight: f32) {
        let weights = &mut self.weights[usize::from(action.0)];
        weights[side] = weight;
        weights[1 - side] = 0.0;
    }

    /// What the playout counts for `action` as first move of `side`.
    #[inline]
    pub(crate) fn weight(&self, action: Action, side: usize) -> f32 {
        self.weights[usize::from(action.0)][side]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plays(horizon: f32, fade: f32) -> FirstPlays {
        FirstPlays::new(10, &TreeParams { amaf_horizon: horizon, amaf_fade: fade, ..TreeParams::default() })
    }

    fn trace(actions: &[u16]) -> Vec<Action> {
        actions.iter().map(|&action| Action(action)).collect()
    }

    #[test]
    fn the_first_play_on_a_point_counts() {
        let mut plays = plays(1.0, 0.0);
        plays.load_trace(&trace(&[3, 4, 4, 3, 5]), 1);
        let weights = |plays: &FirstPlays, action| [0, 1].map(|side| plays.weight(Action(action), side));
        assert_eq!(weights(&plays, 3), [0.0, 1.0]);
        assert_eq!(weights(&plays, 4), [1.0, 0.0]);
        assert_eq!(weights(&plays, 5), [0.0, 1.0]);
        assert_eq!(weights(&plays, 6), [0.0, 0.0]);
        plays.prepend_play(Action(3), 0);
        assert_eq!(weights(&plays, 3), [1.0, 0.0]);
        plays.load_trace(&[], 0);
        assert_eq!(weights(&plays, 3), [0.0, 0.0]);
    }

    #[test]
    fn late_moves_count_less_or_not_at_all() {
        let mut plays = plays(0.6, 0.5);
        plays.load_trace(&trace(&[1, 2, 3, 4, 5]), 0);
        assert_eq!(plays.weight(Action(1), 0), 1.0);
        assert_eq!(plays.weight(Action(2), 1), 0.75);
        assert_eq!(plays.weight(Action(3), 0), 0.5);
        assert_eq!(plays.weight(Action(4), 1), 0.0);
    }
}
