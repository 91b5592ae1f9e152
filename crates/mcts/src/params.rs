//! Parameters of the tree.

/// How the next child is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// UCB1 (Auer, Cesa-Bianchi and Fischer 2002): rate + C sqrt(2 ln n / n_i).
    Ucb1,
    /// UCB1-tuned (the same, section 4).
    Ucb1Tuned,
    /// UCB1 over the mean of rate and AMAF rate (Gelly and Silver 2011, section 4).
    Rave,
    /// AlphaGo's PUCT: rate + C prior sqrt(n) / (1 + n_i).
    Puct,
}

/// How the move to play is chosen at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalMove {
    /// The child with most visits.
    Visits,
    /// The child with the highest win rate.
    WinRate,
    /// The child with the highest lower confidence bound of its win rate.
    Lcb,
}

/// Parameters of a [`crate::Tree`].
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// How the next child is chosen.
    pub selection: Selection,
    /// Exploration constant C.
    pub exploration: f32,
    /// Value of a child without visits and without opinion, 0 to 1 (first-play urgency, Gelly and Wang 2006); above 1:
    /// every child is tried once first.
    pub first_play_urgency: f32,
    /// RAVE: the constant b of the schedule beta = m / (n + m + 4 n m b^2), with m AMAF playouts and n playouts.
    pub rave_bias: f32,
    /// Progressive bias: this times prior / (1 + n_i) is added.
    pub bias: f32,
    /// Progressive widening: children considered before any growth; 0: all at once.
    pub widening_start: u32,
    /// Progressive widening: the k-th further child is considered after start_visits * growth^k visits.
    pub widening_growth: f32,
    /// See `widening_growth`.
    pub widening_visits: f32,
    /// A leaf is expanded when it has this many playouts.
    pub expand_at: u32,
    /// Lost playouts that a thread on its way pretends, in search with several threads.
    pub virtual_loss: u32,
    /// How the move to play is chosen.
    pub final_move: FinalMove,
    /// Stop when no further playout can change the choice.
    pub stop_when_settled: bool,
    /// Most memory for the tree, in bytes.
    pub memory: usize,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            selection: Selection::Rave,
            exploration: 0.0,
            first_play_urgency: 1.1,
            rave_bias: 0.02,
            bias: 0.0,
            widening_start: 0,
            widening_growth: 1.4,
            widening_visits: 40.0,
            expand_at: 8,
            virtual_loss: 1,
            final_move: FinalMove::Visits,
            stop_when_settled: true,
            memory: 512 << 20,
        }
    }
}
