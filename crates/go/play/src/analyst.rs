//! Who says what positions are worth, for explanations, reviews and the page.

use std::sync::Arc;

use ishi_go::Position;
use ishi_judge::network::Network;
use ishi_rng::Seed;
use ishi_work::Stop;

use crate::go_network::{NetworkParams, NetworkPlayer};
use ishi_engine::{Control, Engine, SearchLimits, SearchReport};

/// Positions judged for a search of each level, from 1 to 10.
const VISITS: [u64; 10] = [8, 12, 20, 32, 50, 80, 120, 200, 400, 800];

/// Searches positions by [`NetworkPlayer`].
#[derive(Clone, Debug)]
pub struct Analyst {
    /// The network.
    pub network: Arc<Network>,
    /// Positions judged for a search; 1 and more.
    pub visits: u64,
}

impl Analyst {
    /// The thought of a level, with the network that the program has.
    ///
    /// # Panics
    /// If `level` is not 1 to 10.
    pub fn of_level(level: u32) -> Analyst {
        Analyst { network: Network::shipped(), visits: VISITS[level as usize - 1] }
    }

    /// The player that searches.
    pub fn new_player(&self, seed: Seed) -> NetworkPlayer {
        let params = NetworkParams {
            visits: self.visits,
            reuse: false,
            problem_playouts: 0,
            ..NetworkParams::default()
        };
        NetworkPlayer::new(params, Arc::clone(&self.network), seed)
    }

    /// What a search says of a position; it depends on nothing else. It ends early once `stop` says so.
    pub fn search_position(&self, position: &Position, seed: Seed, stop: &(dyn Stop + Sync)) -> SearchReport {
        let mut nobody = |_: &SearchReport| {};
        let control = Control::with_limits(SearchLimits::default(), &mut nobody);
        let mut control = Control { stop, may_resign: false, ..control };
        self.new_player(seed).choose(position, position.to_move(), &mut control).report
    }
}
