//! The networks that ship with ishi; data/othello/SOURCE.md says how they were learned.

use std::sync::{Arc, OnceLock};

use super::network::Network;
use super::packed::PackedError;
use super::player::{Player, View};

/// A network that ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shipped {
    /// Learned from the rules alone.
    Rules,
    /// Learned from games against the standard piece counter, to beat that one.
    AgainstStandard,
}

impl Shipped {
    /// Both.
    pub const ALL: [Shipped; 2] = [Shipped::Rules, Shipped::AgainstStandard];

    /// What leagues call it.
    pub fn name(self) -> &'static str {
        match self {
            Shipped::Rules => "network",
            Shipped::AgainstStandard => "network-against-standard",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Shipped> {
        Shipped::ALL.into_iter().find(|shipped| shipped.name() == name)
    }

    fn bytes(self) -> &'static [u8] {
        match self {
            Shipped::Rules => include_bytes!("../../../../../data/othello/network.nt"),
            Shipped::AgainstStandard => {
                include_bytes!("../../../../../data/othello/network-against-standard.nt")
            }
        }
    }

    /// The player, read once.
    ///
    /// # Errors
    /// If the file that was built in is damaged.
    ///
    /// ```
    /// use ishi_othello_play::ntuple::Shipped;
    /// assert!(Shipped::Rules.player().unwrap().network().phases().count() > 1);
    /// ```
    pub fn player(self) -> Result<Arc<Player>, PackedError> {
        static READ: [OnceLock<Result<Arc<Player>, PackedError>>; 2] = [const { OnceLock::new() }; 2];
        let read =
            || Network::unpack(self.bytes()).map(|network| Arc::new(Player::new(network, View::Inverted)));
        READ[self as usize].get_or_init(read).clone()
    }
}
