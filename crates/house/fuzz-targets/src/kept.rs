//! Files that ishi keeps and reads again: checkpoints, networks, tables, books, certificates, states of learning.
//!
//! A checksum would keep a fuzzer out. So each input gets the one that it must have, and the reader has to find out the rest.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use ishi_evolve::kept::{open_state_text, seal_state_text};
use ishi_grid::certificate::{check_certificate, parse_certificate};
use ishi_grid::domination::{
    BoardCounts, BoardShape, CountError, DominationOptions, SweepCheckpoints, count_boards_with_checkpoints,
};
use ishi_grid::sequences::KeptNumbers;
use ishi_judge::Network;
use ishi_othello_learn::evolution::{
    EvolutionTraining, LearnerState, LearningMethod, TrainingParams, TrainingState,
};
use ishi_othello_learn::td::{Learner, OpponentMixture, TdParams};
use ishi_othello_play::book::Book;
use ishi_othello_play::eval::file::unpack_weights;
use ishi_othello_play::eval::positions::{self, decode_labels, encode_label};
use ishi_othello_play::ntuple::{NTupleNetwork, PublishedPlayer, TupleSet};
use ishi_patterns::joseki::packed::unpack_joseki;
use ishi_patterns::library::mine::MineParams;
use ishi_patterns::library::mine::parts::{PartedMining, STAGES};
use ishi_patterns::library::packed::unpack_library;
use ishi_patterns::net::learn::{Lessons, NetLearner, NetParams};
use ishi_patterns::records::parse_records;
use ishi_patterns::{MoveNetwork, MovePredictor};
use ishi_rng::Seed;
use ishi_rng::checksum::{append_checksum, extend_checksum, fnv_checksum};

/// The bytes with the checksum that they must have at their end.
fn with_checksum(bytes: &[u8]) -> Vec<u8> {
    let mut whole = bytes.to_vec();
    append_checksum(&mut whole);
    whole
}

/// Games that are mined: one, three times.
const MINED_GAME: &str = "g\tmade\t2026\t19\t6.5\t0\t-\tB+R\t?\t?\tB\tpddpfqcn\n";

/// Mining in parts, with what each stage begins with and what its only part says.
struct MinedStages {
    mining: PartedMining,
    stages: Vec<[Vec<u64>; 2]>,
}

impl MinedStages {
    fn run() -> MinedStages {
        let games = parse_records(&MINED_GAME.repeat(3)).expect("games");
        let params =
            MineParams { min_count: 1, min_share: 0.0, growth: 0.0, min_follow: 1, ..MineParams::default() };
        let mining = PartedMining::new(games, params);
        let (mut stages, mut before) = (Vec::new(), Vec::new());
        for stage in 0..STAGES {
            let part = mining.mine_part(stage, 0, &before, &|| false).expect("its own numbers");
            let part = part.expect("nobody stops it");
            let mut after = Vec::new();
            if stage + 1 < STAGES {
                let mut store: Vec<u64> = Vec::new();
                let mut join = mining.begin_join(stage, &before, &mut store).expect("its own numbers");
                join.add_part(&part).expect("its own numbers");
                after = join.finish().expect("its own numbers");
            }
            stages.push([std::mem::replace(&mut before, after), part]);
        }
        MinedStages { mining, stages }
    }

    /// Joins such a part twice, after such numbers of the stage before. What is found can be gone on from.
    fn join_twice(&self, stage: usize, before: &[u64], part: &[u64]) -> Option<()> {
        let mining = &self.mining;
        if stage + 1 == STAGES {
            let mut join = mining.begin_last_join(before).ok()?;
            (0..2).try_for_each(|_| join.add_part(part)).ok()?;
            let _ = join.name_patterns("made up");
            return Some(());
        }
        let mut store: Vec<u64> = Vec::new();
        let mut join = mining.begin_join(stage, before, &mut store).ok()?;
        (0..2).try_for_each(|_| join.add_part(part)).ok()?;
        let found = join.finish().ok()?;
        mining.mine_part(stage + 1, 0, &found, &|| false).expect("what was joined can be gone on from");
        Some(())
    }
}

/// What parts of mining say, as it comes back from a database: the input has a place and a number on each line, which is put into the
/// numbers of every stage. They are refused, or gone on from.
pub fn check_mined_parts(bytes: &[u8]) {
    static MINED: OnceLock<MinedStages> = OnceLock::new();
    let mined = MINED.get_or_init(MinedStages::run);
    let text = String::from_utf8_lossy(bytes);
    let change = |line: &str| {
        let (place, number) = line.split_once(' ')?;
        Some((place.parse::<usize>().ok()?, number.parse::<u64>().ok()?))
    };
    let changes: Vec<(usize, u64)> = text.lines().filter_map(change).collect();
    let changed = |numbers: &[u64]| {
        let mut numbers = numbers.to_vec();
        for &(place, number) in &changes {
            if let Some(at) = place.checked_rem(numbers.len()) {
                numbers[at] = number;
            }
        }
        numbers
    };
    for (stage, [before, part]) in mined.stages.iter().enumerate() {
        mined.join_twice(stage, before, &changed(part));
        mined.join_twice(stage, &changed(before), part);
    }
}

/// Numbers that took long are written and read again the same.
pub fn check_kept_numbers(bytes: &[u8]) {
    let mut kept = KeptNumbers::default();
    match kept.read_text(&String::from_utf8_lossy(bytes)) {
        Ok(()) => {
            let mut again = KeptNumbers::default();
            again.read_text(&kept.to_text()).expect("what was written can be read");
            assert_eq!(again, kept);
        }
        Err(error) => assert!(error.starts_with("line "), "{error}"),
    }
}

/// Bytes of a position of self-play before its checksum.
const SELF_PLAY_CONTENT: usize = 21;

/// Positions of self-play, as they are and each with the checksum that it must have: they are written the same.
pub fn check_self_play_positions(bytes: &[u8]) {
    let mut sealed = positions::MAGIC.to_vec();
    for (number, content) in bytes.as_chunks::<SELF_PLAY_CONTENT>().0.iter().enumerate() {
        let number = (number as u64).to_le_bytes();
        sealed.extend(content);
        sealed.extend(extend_checksum(fnv_checksum(&number), content).to_le_bytes());
    }
    for file in [bytes, sealed.as_slice()] {
        let Ok(labels) = decode_labels(file) else { continue };
        let mut written = positions::MAGIC.to_vec();
        for (number, (game, sample)) in labels.iter().enumerate() {
            encode_label(number, *game, sample, &mut written);
        }
        assert!(written.starts_with(file) || file.starts_with(&written));
    }
}

/// The bytes with the checksum that they must have behind their first line.
fn sealed_behind_line(bytes: &[u8]) -> Option<Vec<u8>> {
    let line = bytes.iter().position(|&byte| byte == b'\n')? + 1;
    let content = bytes.get(line + 8..)?;
    Some([&bytes[..line], &fnv_checksum(content).to_le_bytes(), content].concat())
}

/// The board and the question of the checkpoints in the corpus: all optimal boards of 6x6 are counted.
pub(crate) fn counted_board() -> (BoardShape, usize) {
    (BoardShape::new(6, 6), 10)
}

/// The count that goes on from a checkpoint.
///
/// # Errors
/// If the checkpoint is refused.
pub(crate) fn resume_count(checkpoint: Vec<u8>) -> Result<BoardCounts, CountError> {
    let (shape, empties) = counted_board();
    let checkpoints = SweepCheckpoints { resume: Some(checkpoint), save: &mut |_: &dyn Fn() -> Vec<u8>| {} };
    count_boards_with_checkpoints(
        &shape,
        empties,
        1,
        DominationOptions::default(),
        &mut |_| ControlFlow::Continue(()),
        Some(checkpoints),
    )
}

/// A checkpoint of a count is refused, or counted on from.
pub fn check_count_checkpoint(bytes: &[u8]) {
    let _ = resume_count(bytes.to_vec());
    let _ = resume_count(with_checksum(bytes));
}

/// The certificate with the checksum that it must have in its last line.
fn sealed_certificate(text: &str) -> String {
    let content = text.rsplit_once("checksum ").map_or(text, |(content, _)| content);
    let mut lines: String = content.lines().flat_map(|line| [line, "\n"]).collect();
    let sum = fnv_checksum(lines.as_bytes());
    lines.push_str(&format!("checksum {sum:016x}\n"));
    lines
}

/// A certificate is written and read again the same, and checked where that is quick.
pub fn check_certificate_text(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    check_one_certificate(text);
    check_one_certificate(&sealed_certificate(text));
}

fn check_one_certificate(text: &str) {
    let Ok(certificate) = parse_certificate(text) else { return };
    assert_eq!(parse_certificate(&certificate.to_string()).as_ref(), Ok(&certificate));
    let cells = u64::from(certificate.width) * u64::from(certificate.height);
    if cells <= 256 && certificate.depth <= 3 {
        let _ = check_certificate(&certificate, &mut |_| ControlFlow::Continue(()));
    }
}

/// Networks of moves and of the judge: what is read is written the same.
pub fn check_go_networks(bytes: &[u8]) {
    let whole = with_checksum(bytes);
    if let Ok(network) = MoveNetwork::from_bytes(&whole) {
        assert!(network.to_bytes() == whole);
    }
    if let Ok(network) = Network::from_bytes(&whole) {
        assert!(network.to_bytes() == whole);
    }
}

/// Packed joseki, packed patterns and move strengths.
pub fn check_go_packed(bytes: &[u8]) {
    let whole = with_checksum(bytes);
    let _ = unpack_joseki(&whole);
    let _ = MovePredictor::from_bytes(&whole);
    if let Some(whole) = sealed_behind_line(bytes) {
        let _ = unpack_library(&whole);
    }
}

/// The run of learning whose states are in the corpus.
pub(crate) fn network_learner() -> NetLearner<'static> {
    network_learner_of(Seed::new(1))
}

/// A run of learning with this seed.
pub(crate) fn network_learner_of(seed: Seed) -> NetLearner<'static> {
    NetLearner::new(Lessons::from_games(&[]), NetParams { blocks: 1, ..NetParams::default() }, seed)
}

/// The state of the learning of a network of moves.
pub fn check_network_state(bytes: &[u8]) {
    let _ = network_learner().restore_state(&with_checksum(bytes));
}

/// A book of openings that is read is written the same.
pub fn check_othello_book(bytes: &[u8]) {
    let whole = with_checksum(bytes);
    if let Ok(book) = Book::from_bytes(&whole) {
        assert_eq!(book.to_bytes(), whole);
    }
}

/// The weights of the evaluation.
pub fn check_othello_weights(bytes: &[u8]) {
    if let Some(whole) = sealed_behind_line(bytes) {
        let _ = unpack_weights(&whole);
    }
}

/// Networks of Othello: one that is read is written so that it reads the same.
pub fn check_othello_networks(bytes: &[u8]) {
    if let Ok(network) = NTupleNetwork::from_bytes(&with_checksum(bytes)) {
        let again = NTupleNetwork::from_bytes(&network.to_bytes()).expect("what was written can be read");
        assert_eq!(again, network);
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = text.parse::<TupleSet>();
    if let Ok(published) = text.parse::<PublishedPlayer>() {
        let again: PublishedPlayer = published.to_string().parse().expect("what was written can be read");
        assert_eq!(again, published);
        published.to_network();
    }
}

/// The run whose checkpoints are in the corpus: few games, so that everything is quick.
pub(crate) fn td_params() -> TdParams {
    TdParams { games: 60, hall_every: 20, hall_size: 2, ..TdParams::default() }
}

/// The learner that goes on from a checkpoint of that run.
pub(crate) fn resume_td(checkpoint: &[u8]) -> Option<Learner> {
    Learner::from_checkpoint(checkpoint, td_params(), OpponentMixture::itself_only(), Seed::new(5)).ok()
}

/// A checkpoint of learning by temporal differences that is read is one again.
pub fn check_td_checkpoint(bytes: &[u8]) {
    if let Some(learner) = resume_td(&with_checksum(bytes)) {
        assert!(resume_td(&learner.to_checkpoint()).is_some());
    }
}

/// All methods of learning by evolution, with options that fit each.
pub(crate) const METHODS: [(LearningMethod, &str); 6] = [
    (LearningMethod::Individual, "population=4,t_max=2,games=2,series=2"),
    (LearningMethod::Group, "population=4,t_max=2,games=2,group=3,admission=1510"),
    (LearningMethod::Population, "population=4,t_max=2,games=2"),
    (LearningMethod::HallOfFame, "population=4,games=2,group=3,opponents=2,every=2"),
    (LearningMethod::CmaEs, "population=4,games=2,opponents=2,every=2"),
    (LearningMethod::FixedOpponents, "population=4,games=2"),
];

pub(crate) fn evolution_params(method: LearningMethod, options: &str) -> TrainingParams {
    let options = options.parse().expect("options of this method");
    TrainingParams { method, options, games: 600, seed: Seed::new(7), opponents: Vec::new() }
}

/// A state of learning by evolution, as JSON: one that is taken can be told, kept and read again. What stands in the envelope of an optimiser's state is
/// what was put there.
pub fn check_evolution_state(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = open_state_text(text);
        assert_eq!(open_state_text(&seal_state_text(text)), Ok(text));
    }
    let Ok(value) = serde_json::from_slice::<serde_json::Value>(bytes) else { return };
    for (method, options) in METHODS {
        let Ok(learner) = LearnerState::deserialize_as(method, &value) else { continue };
        let state = TrainingState { standard: None, populations: 0, learner };
        let Ok(training) = EvolutionTraining::resume(evolution_params(method, options), state) else {
            continue;
        };
        let kept = serde_json::to_value(training.state().learner).expect("a state is JSON");
        assert!(LearnerState::deserialize_as(method, &kept).is_ok());
    }
}
