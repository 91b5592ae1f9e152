//! The network: a residual trunk (He et al., "Deep residual learning for image recognition", CVPR 2016) in which every third block pools
//! some of its channels over the whole board (D. J. Wu, "Accelerating self-play learning in Go", 2019), and heads for two policies,
//! winner, lead, spread and owners.
//!
//! All from the side to move:
//! - trunk: relu(3x3 convolution of the planes + linear of the numbers + bias), then blocks x = relu(x + b(relu(a(x)))), a and b 3x3
//!   convolutions with bias. In blocks 2, 5, ... the last channels of a, after relu, are pooled (mean, mean by the board's width,
//!   maximum), and a linear of these numbers is added to the others before their relu.
//! - policy: q = relu(1x1 + bias); p = relu(1x1 + bias + linear of q's pools); logits = 1x1 of p; those of the pass = linear of q's pools.
//! - value: v = relu(1x1 + bias); owners = tanh(1x1 of v + bias); its pools (mean, mean by the board's width, by its square) -> linear, relu
//!   -> winner (logit), lead / 20, spread (20 softplus).
//!
//! Normalisation stands in training only and is folded into kernels and biases.

mod amx;
mod forward;
mod instructions;
mod kernel;
mod layout;
mod narrow;
#[cfg(test)]
mod reference;

use std::fmt;
use std::sync::{Arc, OnceLock};

use ishi_rng::checksum::{CHECKSUM_BYTES, ChecksumError, append_checksum, split_checksum};
use ishi_rng::{Rng, Seed};

pub use forward::{EvaluationMemory, NetworkOutputs};
pub use instructions::Instructions;
pub use layout::{NetworkShape, ShapeFault};

use crate::planes::{NUMBERS, PLANES, Planes};
use forward::PreparedNetwork;
use layout::NetworkParts;

/// The network that the program ships with.
static SHIPPED: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/judge.bin"));

/// How a file begins.
const MAGIC: &[u8; 8] = b"ishijdg1";
/// The version that this reads and writes.
const VERSION: u8 = 1;
/// Bytes before the weights.
const HEAD: usize = 16;

/// A network.
///
/// ```
/// use ishi_go::{BoardSize, Position, Rules};
/// use ishi_judge::{PlaneEncoder, network::{EvaluationMemory, Network, NetworkShape}};
/// // With weights drawn at random it says nothing of use.
/// let network = Network::with_random_weights(NetworkShape::new(3, 16), ishi_rng::Seed::new(1)).unwrap();
/// let game = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
/// let planes = PlaneEncoder::default().encode_position(&game).unwrap();
/// let mut memory = EvaluationMemory::default();
/// let outputs = network.evaluate(&[planes], &mut memory);
/// assert!(outputs[0].lead.is_finite());
/// assert_eq!(Network::from_bytes(&network.to_bytes()).unwrap(), network);
/// ```
#[derive(Clone, Debug)]
pub struct Network {
    shape: NetworkShape,
    weights: Vec<f32>,
    /// Follows from the weights.
    prepared: PreparedNetwork,
}

impl PartialEq for Network {
    fn eq(&self, other: &Network) -> bool {
        self.shape == other.shape && self.weights == other.weights
    }
}

impl Network {
    /// A network of these weights, in the order of the file.
    ///
    /// # Errors
    /// If there is no such shape, there are not [`NetworkShape::weight_count`] of them, or one is not finite.
    pub fn new(shape: NetworkShape, weights: Vec<f32>) -> Result<Network, NetworkError> {
        if let Some(fault) = shape.find_fault() {
            return Err(NetworkError::Shape(fault));
        }
        if weights.len() != shape.weight_count() {
            let (expected, found) = (4 * shape.weight_count(), 4 * weights.len());
            return Err(NetworkError::Length { shape, expected, found });
        }
        if let Some(index) = weights.iter().position(|weight| !weight.is_finite()) {
            return Err(NetworkError::NotFinite { index });
        }
        Ok(Network { shape, prepared: PreparedNetwork::new(shape, &weights), weights })
    }

    /// The network that the program ships with, read at the first call.
    ///
    /// # Panics
    /// If the built-in file is damaged; a test reads it.
    pub fn shipped() -> Arc<Network> {
        static NETWORK: OnceLock<Arc<Network>> = OnceLock::new();
        let read = || Arc::new(Network::from_bytes(SHIPPED).expect("the built-in network is whole"));
        Arc::clone(NETWORK.get_or_init(read))
    }

    /// A network of random weights, as training begins: for tests and for measuring speed.
    ///
    /// # Errors
    /// If there is no such shape.
    pub fn with_random_weights(shape: NetworkShape, seed: Seed) -> Result<Network, NetworkError> {
        if let Some(fault) = shape.find_fault() {
            return Err(NetworkError::Shape(fault));
        }
        let mut weights = vec![0.0; shape.weight_count()];
        let mut rng = seed.stream("weights", 0);
        fill_random_weights(shape, &mut weights, &mut rng);
        Network::new(shape, weights)
    }

    /// A network from the bytes of a file: `ishijdg1`, then a byte each for version, blocks, channels, channels of the heads, pooled
    /// channels, planes, numbers and 0; the weights as f32; FNV-1a of everything before as u64. All little endian.
    ///
    /// # Errors
    /// If they are no such file, cut off, longer, damaged, or hold what is no number.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let Some((magic, rest)) = bytes.split_first_chunk::<8>() else { return Err(NetworkError::Magic) };
        if magic != MAGIC {
            return Err(NetworkError::Magic);
        }
        let Some((&[version, blocks, channels, head, pooled, planes, numbers, _], rest)) =
            rest.split_first_chunk::<{ HEAD - 8 }>()
        else {
            return Err(NetworkError::Head { found: bytes.len() });
        };
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        if (usize::from(planes), usize::from(numbers)) != (PLANES, NUMBERS) {
            return Err(NetworkError::Inputs { planes, numbers });
        }
        let shape = NetworkShape { blocks, channels, head, pooled };
        if let Some(fault) = shape.find_fault() {
            return Err(NetworkError::Shape(fault));
        }
        let expected = HEAD + 4 * shape.weight_count() + CHECKSUM_BYTES;
        if bytes.len() != expected {
            return Err(NetworkError::Length { shape, expected, found: bytes.len() });
        }
        split_checksum(bytes).map_err(NetworkError::Checksum)?;
        let weights = &rest[..4 * shape.weight_count()];
        Network::new(shape, weights.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect())
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let NetworkShape { blocks, channels, head, pooled } = self.shape;
        let mut bytes = MAGIC.to_vec();
        bytes.extend([VERSION, blocks, channels, head, pooled, PLANES as u8, NUMBERS as u8, 0]);
        bytes.extend(self.weights.iter().flat_map(|weight| weight.to_le_bytes()));
        append_checksum(&mut bytes);
        bytes
    }

    /// Its size.
    pub fn shape(&self) -> NetworkShape {
        self.shape
    }

    /// What it says of each position of a batch. Positions do not depend on each other: in any batch each gets the same, bit by bit.
    /// Sums are taken in an order that depends on the processor's instruction set: the last bits may differ between processors.
    /// Allocates only when a batch is larger than any before in this memory, or its boards have other sizes.
    ///
    /// # Panics
    /// If a position's planes have no board, or one beyond 19 lines.
    pub fn evaluate<'m>(&self, batch: &[Planes], memory: &'m mut EvaluationMemory) -> &'m [NetworkOutputs] {
        self.prepared.evaluate(self.shape, &self.weights, batch, memory)
    }
}

/// Fills a network with random weights: kernels by the square root of 2 / inputs, small biases.
fn fill_random_weights(shape: NetworkShape, weights: &mut [f32], rng: &mut Rng) {
    // A plain sum of uniform numbers is near enough to a normal distribution.
    let mut normal = || (0..12).map(|_| rng.next_unit()).sum::<f64>() as f32 - 6.0;
    let sizes: Vec<(usize, f32)> = {
        let parts = NetworkParts::split_weights(shape, weights);
        let scale = |part: &[f32], outputs: usize| (2.0 * outputs as f32 / part.len().max(1) as f32).sqrt();
        let (channels, head) = (shape.trunk_channels(), shape.head_channels());
        let entry = |part: &[f32], outputs: usize, factor: f32| (part.len(), factor * scale(part, outputs));
        let bias = |part: &[f32]| (part.len(), 0.1);
        let mut sizes = vec![
            entry(parts.input, channels, 2.0),
            entry(parts.input_numbers, channels, 1.0),
            bias(parts.input_bias),
        ];
        for block in &parts.blocks {
            sizes.push(entry(block.first, channels, 1.0));
            sizes.push(bias(block.first_bias));
            sizes.push(entry(block.pool, shape.local_channels(), 0.5));
            sizes.push(entry(block.second, channels, 0.5));
            sizes.push(bias(block.second_bias));
        }
        sizes.extend([entry(parts.asking, head, 1.0), bias(parts.asking_bias)]);
        sizes.push(entry(parts.policy_pool, head, 0.5));
        sizes.extend([entry(parts.moves, head, 1.0), bias(parts.moves_bias)]);
        sizes.extend([entry(parts.logits, 2, 1.0), entry(parts.passing, 2, 1.0), bias(parts.passing_bias)]);
        sizes.extend([entry(parts.values, head, 1.0), bias(parts.values_bias)]);
        sizes.extend([entry(parts.owners, 1, 0.5), bias(parts.owners_bias)]);
        sizes.extend([entry(parts.hidden, layout::HIDDEN, 1.0), bias(parts.hidden_bias)]);
        sizes.extend([entry(parts.out, 3, 0.5), bias(parts.out_bias)]);
        sizes
    };
    let mut rest = weights;
    for (len, scale) in sizes {
        let (part, after) = rest.split_at_mut(len);
        part.iter_mut().for_each(|weight| *weight = scale * normal());
        rest = after;
    }
}

/// Bytes that are no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// They begin otherwise.
    Magic,
    /// They end before the weights.
    Head {
        /// Bytes that are there.
        found: usize,
    },
    /// Another version.
    Version(u8),
    /// Made for other planes or numbers.
    Inputs {
        /// Planes.
        planes: u8,
        /// Numbers.
        numbers: u8,
    },
    /// No such shape.
    Shape(ShapeFault),
    /// Cut off, or longer.
    Length {
        /// The shape.
        shape: NetworkShape,
        /// Bytes that it must have.
        expected: usize,
        /// Bytes that are there.
        found: usize,
    },
    /// The checksum differs.
    Checksum(ChecksumError),
    /// A weight is no number.
    NotFinite {
        /// Which one, from 0.
        index: usize,
    },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Magic => {
                f.write_str("not a network of the judge: byte 0: it must begin with ishijdg1")
            }
            NetworkError::Head { found } => {
                write!(f, "the network is cut off after {found} bytes: its head must have {HEAD}")
            }
            NetworkError::Version(version) => {
                write!(f, "the network: byte 8: the version must be {VERSION}, not {version}")
            }
            NetworkError::Inputs { planes, numbers } => write!(
                f,
                "the network sees {planes} planes and {numbers} numbers: they must be {PLANES} and {NUMBERS}"
            ),
            NetworkError::Shape(fault) => write!(f, "no shape of a network: {fault}"),
            NetworkError::Length { shape, expected, found } => {
                let what = if found < expected { "cut off" } else { "too long" };
                write!(f, "the network is {what}: {shape} must have {expected} bytes, and it has {found}")
            }
            NetworkError::Checksum(error) => write!(f, "the network: {error}"),
            NetworkError::NotFinite { index } => {
                write!(f, "weight {index} of the network is no number: all must be finite")
            }
        }
    }
}

impl std::error::Error for NetworkError {}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Color, Move, Position, Rules};
    use ishi_rng::damage::try_damaged_copies;

    use super::*;
    use crate::planes::{POINTS, PlaneEncoder, SIDE};

    /// Positions of random games on boards of several sizes.
    fn positions(seed: u64, sizes: &[(usize, usize)]) -> Vec<Planes> {
        let mut encoder = PlaneEncoder::default();
        let planes = sizes.iter().enumerate().map(|(n, &(width, height))| {
            let mut rng = Seed::new(seed).stream("game", n as u64);
            let rules = [Rules::CHINESE, Rules::JAPANESE, Rules::TROMP_TAYLOR][n % 3];
            let mut game = Position::new(BoardSize::new(width, height).unwrap(), rules);
            for turn in 0..width * height / 2 {
                let color = Color::ALL[turn % 2];
                let moves = game.legal_moves(color);
                let mv = rng.choose(&moves).map_or(Move::Pass, |&point| Move::Play(point));
                game.play(color, mv).unwrap();
            }
            encoder.encode_position(&game).unwrap()
        });
        planes.collect()
    }

    fn assert_alike(planes: &Planes, fast: &NetworkOutputs, slow: &NetworkOutputs, error: f32) {
        let assert_close = |name: &str, a: f32, b: f32| {
            assert!((a - b).abs() <= error * (1.0 + b.abs()), "{name}: {a}, and by the definition {b}");
        };
        for y in 0..usize::from(planes.height) {
            for index in (0..usize::from(planes.width)).map(|x| y * SIDE + x) {
                assert_close("judge", fast.judge[index], slow.judge[index]);
                assert_close("people", fast.people[index], slow.people[index]);
                assert_close("owners", fast.owners[index], slow.owners[index]);
            }
        }
        assert_close("pass, judge", fast.judge[POINTS], slow.judge[POINTS]);
        assert_close("pass, people", fast.people[POINTS], slow.people[POINTS]);
        assert_close("winner", fast.winner, slow.winner);
        assert_close("lead", fast.lead, slow.lead);
        assert_close("spread", fast.spread, slow.spread);
    }

    /// With each instruction set: boards that are and are not made of whole tiles, odd and even numbers of groups, pools that cut a group.
    #[test]
    fn the_evaluation_is_what_its_definition_says() {
        let sizes = [(19, 19), (9, 9), (7, 13), (13, 13), (2, 2), (19, 19)];
        let batch = positions(3, &sizes);
        let shapes = [
            NetworkShape { blocks: 3, channels: 16, head: 16, pooled: 4 },
            NetworkShape { blocks: 4, channels: 48, head: 32, pooled: 20 },
            NetworkShape { blocks: 6, channels: 32, head: 48, pooled: 16 },
        ];
        let with_memory = |instructions| (instructions, EvaluationMemory::with_instructions(instructions));
        let mut memories: Vec<_> = Instructions::available().into_iter().map(with_memory).collect();
        for (n, shape) in shapes.into_iter().enumerate() {
            let network = Network::with_random_weights(shape, Seed::new(n as u64)).unwrap();
            let slow: Vec<_> = batch.iter().map(|planes| reference::evaluate(&network, planes)).collect();
            for (instructions, memory) in &mut memories {
                // Factors of eight bits err by up to 1/512 each.
                let error = if instructions.are_exact() { 2e-4 } else { 4e-2 };
                let outputs = network.evaluate(&batch, memory);
                for ((planes, outputs), slow) in batch.iter().zip(outputs).zip(&slow) {
                    assert_alike(planes, outputs, slow, error);
                }
                assert_ne!(outputs[0].judge, outputs[5].judge, "two positions");
            }
        }
    }

    /// Their answers differ in the last bits, but not in the move. Tiles are another precision.
    #[test]
    fn every_instruction_set_chooses_the_same_move() {
        let network = Network::shipped();
        let batch = positions(5, &[(19, 19), (9, 9), (13, 13), (9, 9)]);
        let best_move = |outputs: &NetworkOutputs| {
            let logits = outputs.judge.iter().enumerate();
            logits.max_by(|a, b| a.1.total_cmp(b.1)).map(|(index, _)| index)
        };
        let choose_moves = |instructions| {
            let mut memory = EvaluationMemory::with_instructions(instructions);
            network.evaluate(&batch, &mut memory).iter().map(best_move).collect::<Vec<_>>()
        };
        let exact: Vec<_> = Instructions::available().into_iter().filter(|one| one.are_exact()).collect();
        let portable = choose_moves(exact[0]);
        for instructions in exact {
            assert_eq!(choose_moves(instructions), portable, "{instructions}");
        }
    }

    /// In any batch, and with memory that was used for others, each position gets the same bits.
    #[test]
    fn positions_of_a_batch_do_not_depend_on_each_other() {
        let network = Network::with_random_weights(NetworkShape::new(3, 48), Seed::new(8)).unwrap();
        let batch = positions(4, &[(9, 9), (9, 9), (13, 13), (9, 9), (19, 19), (5, 7), (19, 19), (19, 19)]);
        let alone: Vec<NetworkOutputs> = batch
            .iter()
            .map(|planes| network.evaluate(&[*planes], &mut EvaluationMemory::default())[0].clone())
            .collect();
        let mut memory = EvaluationMemory::default();
        for (start, end) in [(0, 8), (0, 2), (2, 3), (0, 4), (4, 8), (5, 6), (3, 3), (1, 8)] {
            let outputs = network.evaluate(&batch[start..end], &mut memory);
            for (n, outputs) in (start..end).zip(outputs) {
                assert_eq!(outputs, &alone[n], "position {n} of {start}..{end}");
            }
        }
    }

    #[test]
    fn the_shipped_network_is_whole() {
        assert_eq!(Network::shipped().to_bytes(), SHIPPED);
    }

    #[test]
    fn networks_survive_their_file() {
        for shape in [
            NetworkShape::new(1, 16),
            NetworkShape::new(3, 32),
            NetworkShape { blocks: 6, channels: 16, head: 16, pooled: 1 },
        ] {
            let network = Network::with_random_weights(shape, Seed::new(2)).unwrap();
            let bytes = network.to_bytes();
            assert_eq!(bytes.len(), 16 + 4 * shape.weight_count() + 8);
            let again = Network::from_bytes(&bytes).unwrap();
            assert_eq!((again.shape(), &again), (shape, &network));
        }
    }

    #[test]
    fn the_head_of_a_file_is_pinned() {
        let bytes = Network::with_random_weights(NetworkShape::new(6, 96), Seed::new(1)).unwrap().to_bytes();
        assert_eq!(bytes[..16], *b"ishijdg1\x01\x06\x60\x20\x20\x19\x08\x00");
        // Weights of b6c96, counted by hand: input, blocks, pools, policy, value.
        let weights = 96 * (25 * 9 + 8 + 1)
            + 6 * 2 * (96 * 96 * 9 + 96)
            + 2 * 64 * 96
            + (32 * 96 + 32 + 32 * 96 + 32 * 96 + 32 + 64 + 2 * 96 + 2)
            + (32 * 96 + 32 + 32 + 1 + 64 * 96 + 64 + 3 * 64 + 3);
        assert_eq!(bytes.len(), 16 + 4 * weights + 8);
    }

    #[test]
    fn what_is_no_network_is_refused() {
        let network = Network::with_random_weights(NetworkShape::new(1, 16), Seed::new(2)).unwrap();
        let bytes = network.to_bytes();
        let error = |bytes: &[u8]| Network::from_bytes(bytes).unwrap_err().to_string();
        assert_eq!(error(b"ishijdg"), "not a network of the judge: byte 0: it must begin with ishijdg1");
        assert_eq!(error(b"ishijdg1\x01"), "the network is cut off after 9 bytes: its head must have 16");
        let with = |at: usize, byte: u8| {
            let mut bytes = bytes.clone();
            bytes[at] = byte;
            error(&bytes)
        };
        assert_eq!(with(8, 2), "the network: byte 8: the version must be 1, not 2");
        assert_eq!(with(9, 0), "no shape of a network: a network must have at least one block");
        assert!(with(10, 17).ends_with("17 channels: a trunk must have a multiple of 16 channels"));
        assert!(with(11, 8).ends_with("8 channels of the heads: they must be a multiple of 16"));
        assert!(with(12, 16).ends_with("16 pooled channels: they must be at least 1 and fewer than all 16"));
        assert_eq!(with(13, 18), "the network sees 18 planes and 8 numbers: they must be 25 and 8");
        assert!(with(9, 2).starts_with("the network is cut off: 2x16 must have"));
        assert!(error(&bytes[..bytes.len() - 1]).starts_with("the network is cut off: 1x16 must have"));
        assert!(error(&[&bytes[..], &[0]].concat()).starts_with("the network is too long: 1x16 must have"));
        let end = bytes.len() - CHECKSUM_BYTES;
        let damaged = format!("the network: byte {end}: it is damaged or cut off: the checksum must be ");
        assert!(with(100, bytes[100] ^ 1).starts_with(&damaged));
        assert!(with(bytes.len() - 1, bytes[bytes.len() - 1] ^ 1).starts_with(&damaged));
        let mut weights = network.weights.clone();
        weights[7] = f32::NAN;
        assert_eq!(
            Network::new(network.shape, weights).unwrap_err().to_string(),
            "weight 7 of the network is no number: all must be finite"
        );
    }

    /// Bytes changed at random are refused, and nothing panics.
    #[test]
    fn damage_is_noticed() {
        let bytes = Network::with_random_weights(NetworkShape::new(1, 16), Seed::new(2)).unwrap().to_bytes();
        let mut rng = Seed::new(3).stream("damage", 0);
        try_damaged_copies(&bytes, Seed::new(3), 400, |what, damaged| {
            assert!(Network::from_bytes(damaged).is_err(), "{what}");
        });
        for _ in 0..300 {
            let mut head = bytes.clone();
            for byte in &mut head[8..16] {
                *byte = rng.next_u32() as u8;
            }
            assert!(Network::from_bytes(&head[..rng.next_index(head.len())]).is_err());
        }
    }
}
