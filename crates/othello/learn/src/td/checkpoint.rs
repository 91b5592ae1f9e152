//! Checkpoints: all that a run needs to go on bit for bit. docs/formats.md describes the file.

use std::collections::VecDeque;

use ishi_rng::Seed;
use ishi_rng::checksum::{ChecksumError, append_checksum, split_checksum};

use super::learner::{Learner, WeightErrors};
use super::opponent::OpponentMixture;
use super::params::{StepRule, TdParams};
use ishi_othello_play::ntuple::{
    ByteInput, ByteInputEnd, NTupleNetwork, NTuplePlayer, PackedError, WhiteView,
};

/// What a checkpoint begins with; the last character is the version.
const MAGIC: &[u8; 8] = b"ishi-td1";

/// The bytes are no checkpoint of this run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// Something else.
    #[error("not a checkpoint of a learning run: byte 0: it must begin with ishi-td1")]
    Magic,
    /// One of another version.
    #[error("the checkpoint: byte 7: the version must be 1; remove the file, and begin the run again")]
    Version,
    /// The checksum is not that of the content.
    #[error("the checkpoint: {0}; remove the file, and begin the run again")]
    Checksum(ChecksumError),
    /// The bytes end too early.
    #[error("the checkpoint: {0}")]
    Short(#[from] ByteInputEnd),
    /// A network in it is damaged.
    #[error("the checkpoint: {0}")]
    Network(#[from] PackedError),
    /// It belongs to another run.
    #[error("the checkpoint is of another run; it says\n{theirs}and this run is\n{ours}")]
    Other {
        /// The checkpoint's parameters.
        theirs: String,
        /// This run's.
        ours: String,
    },
    /// Its tables do not fit the network.
    #[error("the checkpoint: byte {at}: {right}")]
    Content {
        /// Where, in bytes from the start.
        at: usize,
        /// What must be.
        right: &'static str,
    },
}

impl Learner {
    /// Parameters, opponents and seed as text: runs that agree in it and in their first network are the same.
    fn describe_run(params: &TdParams, mixture: &OpponentMixture, seed: Seed) -> String {
        format!("{params}opponents = \"{mixture}\"\nseed = {seed}\n")
    }

    /// The run as it is, as bytes for [`Learner::from_checkpoint`].
    pub fn to_checkpoint(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        write_block(&mut bytes, Learner::describe_run(&self.params, &self.mixture, self.seed).as_bytes());
        bytes.extend(self.games.to_le_bytes());
        write_block(&mut bytes, &self.network.to_bytes());
        bytes.extend((self.hall.len() as u64).to_le_bytes());
        for past in &self.hall {
            write_block(&mut bytes, &past.network().to_bytes());
        }
        pack_coherence(&self.coherence, &mut bytes);
        append_checksum(&mut bytes);
        bytes
    }

    /// Goes on with a run. Parameters, opponents and seed must be those it was begun with.
    ///
    /// # Errors
    /// If the bytes are no checkpoint, are damaged, or belong to another run.
    pub fn from_checkpoint(
        bytes: &[u8],
        params: TdParams,
        mixture: OpponentMixture,
        seed: Seed,
    ) -> Result<Learner, CheckpointError> {
        check_version(bytes)?;
        let content = split_checksum(bytes).map_err(CheckpointError::Checksum)?;
        let mut input = ByteInput::new(content.get(MAGIC.len()..).unwrap_or_default(), MAGIC.len());
        let theirs = String::from_utf8_lossy(read_block(&mut input)?).into_owned();
        let ours = Learner::describe_run(&params, &mixture, seed);
        if theirs != ours {
            return Err(CheckpointError::Other { theirs, ours });
        }
        let games = u64::from_le_bytes(input.take_array()?);
        let network = read_network(&mut input)?;
        let hall = unpack_hall(&mut input)?;
        let weights = if params.step == StepRule::Coherence { network.all_weights().len() } else { 0 };
        let coherence = unpack_coherence(&mut input, weights)?;
        if !input.is_empty() {
            return Err(CheckpointError::Content { at: input.at(), right: "nothing more must follow" });
        }
        Ok(Learner { params, mixture, seed, games, network, coherence, hall })
    }
}

/// Do the bytes begin as a checkpoint of this version?
fn check_version(bytes: &[u8]) -> Result<(), CheckpointError> {
    let (name, version) = MAGIC.split_at(MAGIC.len() - 1);
    match bytes.strip_prefix(name) {
        None => Err(CheckpointError::Magic),
        Some([]) => Err(ByteInputEnd { at: name.len() }.into()),
        Some(rest) if rest.starts_with(version) => Ok(()),
        Some(_) => Err(CheckpointError::Version),
    }
}

fn unpack_hall(input: &mut ByteInput<'_>) -> Result<VecDeque<NTuplePlayer>, CheckpointError> {
    let mut hall = VecDeque::new();
    for _ in 0..u64::from_le_bytes(input.take_array()?) {
        hall.push_back(NTuplePlayer::new(read_network(input)?, WhiteView::Inverted));
    }
    Ok(hall)
}

/// The network of the next block.
fn read_network(input: &mut ByteInput<'_>) -> Result<NTupleNetwork, CheckpointError> {
    let block = read_block(input)?;
    let start = input.at() - block.len();
    NTupleNetwork::from_bytes(block).map_err(|error| CheckpointError::Network(error.moved_by(start)))
}

/// Errors of all weights: in turn, how many weights have none, and how many have some, with theirs.
fn pack_coherence(coherence: &[WeightErrors], bytes: &mut Vec<u8>) {
    let mut rest = coherence;
    while !rest.is_empty() {
        let none = rest.iter().take_while(|errors| **errors == [0.0; 2]).count();
        let some = rest[none..].iter().take_while(|errors| **errors != [0.0; 2]).count();
        bytes.extend((none as u32).to_le_bytes());
        bytes.extend((some as u32).to_le_bytes());
        for error in rest[none..none + some].iter().flatten() {
            bytes.extend(error.to_le_bytes());
        }
        rest = &rest[none + some..];
    }
}

fn unpack_coherence(input: &mut ByteInput<'_>, weights: usize) -> Result<Vec<WeightErrors>, CheckpointError> {
    let mut coherence = Vec::with_capacity(weights);
    while coherence.len() < weights {
        let at = input.at();
        let [none, some] = [u32::from_le_bytes(input.take_array()?), u32::from_le_bytes(input.take_array()?)];
        let (none, some) = (none as usize, some as usize);
        if none + some == 0 || none + some > weights - coherence.len() {
            return Err(CheckpointError::Content { at, right: "the errors must fit the weights" });
        }
        coherence.resize(coherence.len() + none, [0.0; 2]);
        for _ in 0..some {
            coherence
                .push([f32::from_le_bytes(input.take_array()?), f32::from_le_bytes(input.take_array()?)]);
        }
    }
    Ok(coherence)
}

/// Bytes with their length before them.
fn write_block(bytes: &mut Vec<u8>, content: &[u8]) {
    bytes.extend((content.len() as u64).to_le_bytes());
    bytes.extend(content);
}

fn read_block<'a>(input: &mut ByteInput<'a>) -> Result<&'a [u8], ByteInputEnd> {
    let length = u64::from_le_bytes(input.take_array()?);
    // No file is as long as what a longer number says.
    input.take_bytes(usize::try_from(length).unwrap_or(usize::MAX))
}
