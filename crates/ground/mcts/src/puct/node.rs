//! Positions of the tree and the moves between them.

use crate::domain::Action;

use super::{JudgedParams, Worth};

/// Number of the root.
pub(super) const ROOT: usize = 0;

/// A move of a position, and where it leads once it has been looked at.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) action: Action,
    pub(super) prior: f32,
    /// The position after it, if the tree has it.
    pub(super) to: Option<u32>,
}

/// Sums over the judgements below a position, for the side that moved to it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct WorthSums {
    pub(super) visits: u32,
    pub(super) utility: f64,
    pub(super) squares: f64,
    pub(super) win: f64,
    pub(super) lead: f64,
    pub(super) lead_squares: f64,
}

impl WorthSums {
    pub(super) fn add_worth(&mut self, worth: Worth, params: &JudgedParams) {
        let (win, lead) = (f64::from(worth.win), f64::from(worth.lead));
        let utility = params.utility_of(win, lead);
        self.visits += 1;
        self.utility += utility;
        self.squares += utility * utility;
        self.win += win;
        self.lead += lead;
        self.lead_squares += lead * lead;
    }

    /// A mean of something that was summed up.
    pub(super) fn mean_of(&self, sum: f64) -> f64 {
        sum / f64::from(self.visits.max(1))
    }
}

/// A position that was judged, or is about to be.
#[derive(Clone, Debug, Default)]
pub(super) struct JudgedNode {
    pub(super) sums: WorthSums,
    /// Ways through it whose leaf is not judged yet: each counts as lost, so that the next one goes elsewhere.
    pub(super) pending: u32,
    pub(super) is_judged: bool,
    /// What the judge said of it, for the side to move there.
    pub(super) worth: Worth,
    /// Its moves, the likeliest first; none: the game is over, or it is not judged yet.
    pub(super) edges: Vec<Edge>,
}

impl JudgedNode {
    /// Takes what the judge has said, and keeps the likeliest `width` moves.
    pub(super) fn set_judgement(&mut self, worth: Worth, moves: &[(Action, f32)], width: usize) {
        self.is_judged = true;
        self.worth = worth;
        self.edges =
            moves.iter().map(|&(action, prior)| Edge { action, prior: prior.max(0.0), to: None }).collect();
        self.edges.sort_by(|a, b| b.prior.total_cmp(&a.prior).then(a.action.cmp(&b.action)));
        self.edges.truncate(width);
        let sum: f32 = self.edges.iter().map(|edge| edge.prior).sum();
        let even = 1.0 / self.edges.len().max(1) as f32;
        for edge in &mut self.edges {
            edge.prior = if sum > 0.0 { edge.prior / sum } else { even };
        }
    }

    /// Is the game over here?
    pub(super) fn is_over(&self) -> bool {
        self.is_judged && self.edges.is_empty()
    }
}
