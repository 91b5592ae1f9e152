//! A small network that rates moves: a residual network (He et al., "Deep residual learning for image recognition", 2016) of a few
//! blocks with 32 channels, over what [`crate::MovePredictor`] and its readings of ladders say of a position. It is asked where the
//! strengths alone are not enough: at the nodes of a tree that have been visited some times.
//!
//! Input: for each point its kind (colour, liberties, lost in a ladder or not; for a move: liberties then, whether it captures or
//! catches), the probability of a move by its strength, and the last two moves. Output: a score for each move, the logarithm of
//! its strength, and the probability that the side to move wins. Learned from records by [`learn`]; `docs/patterns.md` has figures.

mod backward;
mod forward;
mod kernel;
mod layout;
pub mod learn;
mod planes;

use std::fmt;
use std::sync::OnceLock;

use ishi_go::Point;
use ishi_rng::checksum::{CHECKSUM_BYTES, append_checksum, split_checksum};
use pulp::{Arch, Simd, WithSimd};

use crate::features::{FeatureScratch, MoveContext};
use crate::predictor::MovePredictor;
use forward::{Activations, TrunkKernels, run_forward};
use layout::NetworkLayout;
use planes::InputPlanes;

/// How a file begins; the last character is the version.
const MAGIC: &[u8; 8] = b"ishinet2";
/// Bytes before the numbers: the magic, and the number of blocks.
const HEAD: usize = MAGIC.len() + 1;
/// Most blocks of a network.
pub const MOST_BLOCKS: usize = 40;

static SHIPPED: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/network.bin"));

static SHIPPED_OF_LIFE: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/life.bin"));

/// A network.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveNetwork {
    layout: NetworkLayout,
    numbers: Vec<f32>,
    /// Follows from the numbers.
    kernels: TrunkKernels,
}

/// Working memory of a thread.
#[derive(Clone, Debug, Default)]
pub struct NetMemory {
    scratch: FeatureScratch,
    planes: InputPlanes,
    activations: Activations,
}

/// Bytes that are no network, or no state of learning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveNetworkError(String);

impl fmt::Display for MoveNetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for MoveNetworkError {}

fn network_error(problem: impl Into<String>) -> MoveNetworkError {
    MoveNetworkError(problem.into())
}

impl MoveNetwork {
    /// The network that the program ships with; none if the built-in file were damaged, which a test excludes.
    pub fn shipped() -> Option<&'static MoveNetwork> {
        static NETWORK: OnceLock<Option<MoveNetwork>> = OnceLock::new();
        NETWORK.get_or_init(|| MoveNetwork::from_bytes(SHIPPED).ok()).as_ref()
    }

    /// The network of life and death that the program ships with: it rates the moves of a fight by what reading has found in others
    /// ([`crate::exercises`]). None as for [`MoveNetwork::shipped`].
    pub fn shipped_of_life() -> Option<&'static MoveNetwork> {
        static NETWORK: OnceLock<Option<MoveNetwork>> = OnceLock::new();
        NETWORK.get_or_init(|| MoveNetwork::from_bytes(SHIPPED_OF_LIFE).ok()).as_ref()
    }

    fn new(layout: NetworkLayout, numbers: Vec<f32>) -> MoveNetwork {
        let mut kernels = TrunkKernels::default();
        kernels.update_from(layout, &numbers, false);
        MoveNetwork { layout, numbers, kernels }
    }

    /// Residual blocks, of two convolutions each.
    pub fn blocks(&self) -> usize {
        self.layout.blocks
    }

    /// A network from the bytes of a file.
    ///
    /// # Errors
    /// If they are no such file, cut off, damaged, or hold what is no number.
    pub fn from_bytes(bytes: &[u8]) -> Result<MoveNetwork, MoveNetworkError> {
        let layout = read_head(bytes)?;
        let expected = HEAD + 4 * layout.total_count() + CHECKSUM_BYTES;
        if bytes.len() != expected {
            let what = if bytes.len() < expected { "cut off" } else { "too long" };
            let (blocks, found) = (layout.blocks, bytes.len());
            let problem = format!(
                "the network is {what}: with {blocks} blocks it must have {expected} bytes, and it has {found}"
            );
            return Err(network_error(problem));
        }
        let content =
            split_checksum(bytes).map_err(|error| network_error(format!("the network: {error}")))?;
        let numbers: Vec<f32> =
            content[HEAD..].as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        if let Some(at) = numbers.iter().position(|number| !number.is_finite()) {
            let problem = format!("the network: byte {}: what stands there must be a number", HEAD + 4 * at);
            return Err(network_error(problem));
        }
        Ok(MoveNetwork::new(layout, numbers))
    }

    /// The bytes of its file: 9 bytes of head, its numbers as 32-bit floats, lowest byte first, and the checksum of all these.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(self.layout.blocks as u8);
        bytes.extend(self.numbers.iter().flat_map(|number| number.to_le_bytes()));
        append_checksum(&mut bytes);
        bytes
    }

    /// The strength of every legal move as in [`MovePredictor::rate_moves`], row by row from A1, into `out`, which is cleared first (the
    /// strongest has 1); and the probability that the side to move wins. Sums are taken in an order that depends on the
    /// processor's instruction set: results may differ in the last bits between processors.
    pub fn rate_moves(
        &self,
        context: &MoveContext,
        predictor: &MovePredictor,
        memory: &mut NetMemory,
        out: &mut Vec<(Point, f32)>,
    ) -> f32 {
        memory.planes.fill_from_context(context, predictor, &mut memory.scratch, out);
        let NetMemory { planes, activations, .. } = memory;
        Arch::new().dispatch(ForwardPass { network: self, planes, activations });
        let score = |point: Point| memory.activations.scores[memory.planes.point_number(point)];
        let most = out.iter().map(|&(point, _)| score(point)).fold(f32::NEG_INFINITY, f32::max);
        for (point, strength) in out.iter_mut() {
            *strength = (score(*point) - most).max(-40.0).exp();
        }
        1.0 / (1.0 + (-memory.activations.value.odds).exp())
    }
}

/// The layout that the head of a file tells.
fn read_head(bytes: &[u8]) -> Result<NetworkLayout, MoveNetworkError> {
    let name = &MAGIC[..MAGIC.len() - 1];
    let Some((&version, rest)) = bytes.strip_prefix(name).and_then(<[u8]>::split_first) else {
        return Err(network_error("not a network of ishi: byte 0: it must begin with ishinet2"));
    };
    if version != MAGIC[MAGIC.len() - 1] {
        let problem = "the network is that of an older or newer ishi: byte 7: the version must be 2; learn it again with \
                       `ishi go learn-network`";
        return Err(network_error(problem));
    }
    let &blocks = rest.first().ok_or_else(|| {
        network_error("the network is cut off: byte 8: its number of blocks must stand there")
    })?;
    let layout = NetworkLayout { blocks: usize::from(blocks) };
    if layout.blocks > MOST_BLOCKS {
        let problem = format!("the network: byte 8: it must have up to {MOST_BLOCKS} blocks, not {blocks}");
        return Err(network_error(problem));
    }
    Ok(layout)
}

/// A network's way forward, compiled for each instruction set.
struct ForwardPass<'a> {
    network: &'a MoveNetwork,
    planes: &'a InputPlanes,
    activations: &'a mut Activations,
}

impl WithSimd for ForwardPass<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let MoveNetwork { layout, numbers, kernels } = self.network;
        run_forward(simd, *layout, numbers, kernels, self.planes, self.activations);
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{Board, BoardSize, Color, Move, Point};
    use ishi_rng::Seed;
    use ishi_rng::damage::try_damaged_copies;

    use super::*;

    #[test]
    fn the_shipped_network_is_whole() {
        let network = MoveNetwork::shipped().expect("the built-in network is whole");
        assert_eq!(network.to_bytes(), SHIPPED);
        assert_eq!(MoveNetwork::shipped_of_life().expect("the other, too").to_bytes(), SHIPPED_OF_LIFE);
    }

    #[test]
    fn what_is_no_network_is_refused() {
        let refused = |bytes: &[u8]| MoveNetwork::from_bytes(bytes).unwrap_err().to_string();
        assert!(
            refused(b"ishinet").starts_with("not a network of ishi: byte 0: it must begin with ishinet2")
        );
        assert!(refused(b"ishinet1 or so").contains("byte 7: the version must be 2; learn it again"));
        assert!(refused(&SHIPPED[..8]).contains("cut off: byte 8"));
        assert!(refused(&SHIPPED[..SHIPPED.len() - 1]).contains("cut off: with 4 blocks it must have"));
        let mut damaged = SHIPPED[..SHIPPED.len() - CHECKSUM_BYTES].to_vec();
        damaged[9..13].copy_from_slice(&f32::NAN.to_le_bytes());
        append_checksum(&mut damaged);
        assert!(refused(&damaged).contains("byte 9: what stands there must be a number"));
        damaged[8] = 41;
        assert!(refused(&damaged).contains("byte 8: it must have up to 40 blocks, not 41"));
    }

    #[test]
    fn damaged_networks_are_refused() {
        try_damaged_copies(SHIPPED, Seed::new(1), 400, |what, damaged| {
            assert!(MoveNetwork::from_bytes(damaged).is_err(), "{what}");
        });
    }

    /// On boards of any shape, the same memory used for all: every legal move has a strength, the strongest 1.
    #[test]
    fn every_legal_move_has_a_strength() {
        let network = MoveNetwork::shipped().unwrap();
        let (mut memory, mut out) = (NetMemory::default(), Vec::new());
        for (width, height) in [(19, 19), (9, 9), (2, 2), (13, 7), (25, 25)] {
            let mut board = Board::new(BoardSize::new(width, height).unwrap());
            let last = Point::new(width / 2, height / 2);
            board.play_unchecked(Color::Black, Move::Play(last));
            let context =
                MoveContext { board: &board, to_move: Color::White, last: Some(last), before: None };
            let won = network.rate_moves(&context, MovePredictor::shipped(), &mut memory, &mut out);
            assert!(won > 0.0 && won < 1.0);
            let legal = board.size().points().filter(|&point| board.is_legal(Color::White, point));
            assert!(out.iter().map(|&(point, _)| point).eq(legal), "{width}x{height}");
            if !out.is_empty() {
                assert_eq!(out.iter().map(|&(_, strength)| strength).fold(0.0, f32::max), 1.0);
            }
        }
    }

    /// After 4-4 in one corner, players take another corner.
    #[test]
    fn games_begin_in_the_corners() {
        let network = MoveNetwork::shipped().unwrap();
        let mut board = Board::new(BoardSize::square(19).unwrap());
        let last = Point::new(15, 15);
        board.play_unchecked(Color::Black, Move::Play(last));
        let context = MoveContext { board: &board, to_move: Color::White, last: Some(last), before: None };
        let (mut memory, mut out) = (NetMemory::default(), Vec::new());
        network.rate_moves(&context, MovePredictor::shipped(), &mut memory, &mut out);
        let best = out.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0;
        let lines = [best.column(), best.row()].map(|line| line.min(18 - line));
        assert!(lines.iter().all(|line| (2..=4).contains(line)), "{best}");
    }
}
