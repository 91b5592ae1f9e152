//! The networks that ship with ishi; crates/othello/play/data/SOURCE.md says how they were learned.

use std::sync::{Arc, OnceLock};

use super::network::NTupleNetwork;
use super::packed::PackedError;
use super::player::{NTuplePlayer, WhiteView};

/// A network that ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShippedNetwork {
    /// Learned from the rules alone.
    Rules,
    /// Learned from games against the standard piece counter, to beat that one.
    AgainstStandard,
}

impl ShippedNetwork {
    /// Both.
    pub const ALL: [ShippedNetwork; 2] = [ShippedNetwork::Rules, ShippedNetwork::AgainstStandard];

    /// What leagues call it.
    pub fn name(self) -> &'static str {
        match self {
            ShippedNetwork::Rules => "network",
            ShippedNetwork::AgainstStandard => "network-against-standard",
        }
    }

    /// The one of this name.
    pub fn from_name(name: &str) -> Option<ShippedNetwork> {
        ShippedNetwork::ALL.into_iter().find(|shipped| shipped.name() == name)
    }

    fn bytes(self) -> &'static [u8] {
        match self {
            ShippedNetwork::Rules => include_bytes!("../../data/network.nt"),
            ShippedNetwork::AgainstStandard => {
                include_bytes!("../../data/network-against-standard.nt")
            }
        }
    }

    /// The player, read once.
    ///
    /// # Errors
    /// If the file that was built in is damaged.
    ///
    /// ```
    /// use ishi_othello_play::ntuple::ShippedNetwork;
    /// assert!(ShippedNetwork::Rules.player().unwrap().network().phases().count() > 1);
    /// ```
    pub fn player(self) -> Result<Arc<NTuplePlayer>, PackedError> {
        static READ: [OnceLock<Result<Arc<NTuplePlayer>, PackedError>>; 2] = [const { OnceLock::new() }; 2];
        let read = || {
            NTupleNetwork::from_bytes(self.bytes())
                .map(|network| Arc::new(NTuplePlayer::new(network, WhiteView::Inverted)))
        };
        READ[self as usize].get_or_init(read).clone()
    }
}
