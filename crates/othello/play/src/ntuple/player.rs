//! Networks as players of the league.

use ishi_othello::oneply::Evaluator;
use ishi_othello::{Board, Color};

use super::network::Network;

/// How White uses a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// White takes the board with the colours exchanged: both sides see their own discs as 2. So learn our networks.
    Inverted,
    /// White takes what is worth least to Black.
    Negated,
}

/// A network that plays by the league's rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    network: Network,
    view: View,
}

impl Player {
    /// A player with this network.
    pub fn new(network: Network, view: View) -> Player {
        Player { network, view }
    }

    /// Its network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// How it plays White.
    pub fn view(&self) -> View {
        self.view
    }
}

impl Evaluator for Player {
    /// In the network's units.
    fn value(&self, after: Board, mover: Color) -> f32 {
        match (self.view, mover) {
            (View::Negated, Color::White) => -self.network.sum(after) as f32,
            _ => self.network.sum(after.pass()) as f32,
        }
    }
}
