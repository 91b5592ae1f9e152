//! Networks as players of the league.

use ishi_othello::oneply::Evaluator;
use ishi_othello::{Board, Color};

use super::network::NTupleNetwork;

/// How White uses a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhiteView {
    /// White takes the board with the colours exchanged: both sides see their own discs as 2. So learn our networks.
    Inverted,
    /// White takes what is worth least to Black.
    Negated,
}

/// A network that plays by the league's rules.
#[derive(Clone, Debug, PartialEq)]
pub struct NTuplePlayer {
    network: NTupleNetwork,
    view: WhiteView,
}

impl NTuplePlayer {
    /// A player with this network.
    pub fn new(network: NTupleNetwork, view: WhiteView) -> NTuplePlayer {
        NTuplePlayer { network, view }
    }

    /// Its network.
    pub fn network(&self) -> &NTupleNetwork {
        &self.network
    }

    /// How it plays White.
    pub fn view(&self) -> WhiteView {
        self.view
    }
}

impl Evaluator for NTuplePlayer {
    /// In the network's units.
    fn value_after_move(&self, after: Board, mover: Color) -> f32 {
        match (self.view, mover) {
            (WhiteView::Negated, Color::White) => -self.network.sum(after) as f32,
            _ => self.network.sum(after.pass()) as f32,
        }
    }
}
