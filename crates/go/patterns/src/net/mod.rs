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
use pulp::{Arch, Simd, WithSimd};

use crate::features::{FeatureScratch, MoveContext};
use crate::predictor::MovePredictor;
use forward::{Activations, TrunkKernels, run_forward};
use layout::NetworkLayout;
use planes::InputPlanes;

/// How a file begins.
const MAGIC: &[u8; 8] = b"ishinet1";
/// Most blocks of a network.
pub const MOST_BLOCKS: usize = 40;

static SHIPPED: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../data/go/network.bin"));

static SHIPPED_OF_LIFE: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../data/go/life.bin"));

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

/// Bytes that are no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveNetworkError(&'static str);

impl fmt::Display for MoveNetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for MoveNetworkError {}

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
    /// If they are no such file, cut off, or hold what is no number.
    pub fn from_bytes(bytes: &[u8]) -> Result<MoveNetwork, MoveNetworkError> {
        let rest = bytes
            .strip_prefix(MAGIC)
            .ok_or(MoveNetworkError("not a network of ishi: it begins otherwise"))?;
        let (&blocks, rest) = rest
            .split_first()
            .ok_or(MoveNetworkError("the network is cut off: its number of blocks is missing"))?;
        let layout = NetworkLayout { blocks: usize::from(blocks) };
        if layout.blocks > MOST_BLOCKS {
            return Err(MoveNetworkError("the network has more than 40 blocks"));
        }
        if rest.len() != 4 * layout.total_count() {
            return Err(MoveNetworkError("the network is cut off, or more follows it than it should"));
        }
        let (numbers, _) = rest.as_chunks::<4>();
        let numbers: Vec<f32> = numbers.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err(MoveNetworkError("the network holds what is no number"));
        }
        Ok(MoveNetwork::new(layout, numbers))
    }

    /// The bytes of its file: 9 bytes of head, then its numbers as 32-bit floats, lowest byte first.
    pub fn to_bytes(&self) -> Vec<u8> {
        let head = MAGIC.iter().copied().chain([self.layout.blocks as u8]);
        head.chain(self.numbers.iter().flat_map(|number| number.to_le_bytes())).collect()
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
        assert!(refused(b"ishinet").starts_with("not a network"));
        assert!(refused(&SHIPPED[..8]).contains("cut off"));
        assert!(refused(&SHIPPED[..SHIPPED.len() - 1]).contains("cut off"));
        let mut damaged = SHIPPED.to_vec();
        damaged[9..13].copy_from_slice(&f32::NAN.to_le_bytes());
        assert!(refused(&damaged).contains("no number"));
        damaged[8] = 41;
        assert!(refused(&damaged).contains("more than 40 blocks"));
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
