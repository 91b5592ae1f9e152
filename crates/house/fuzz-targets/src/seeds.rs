//! Kept files that ishi makes itself: the small originals from which mutants of these formats come.

use std::ops::ControlFlow;

use ishi_go::Color;
use ishi_grid::domination::{
    DominationOptions, ProofLimits, SweepCheckpoints, build_certificate, count_boards_with_checkpoints,
};
use ishi_judge::{Network, NetworkShape, Planes, SampleWriter, TrainingSample};
use ishi_othello::games_index::build_games_index;
use ishi_othello::wthor::WthorDatabase;
use ishi_othello::{Board, Position};
use ishi_othello_learn::evolution::EvolutionTraining;
use ishi_othello_learn::td::{Learner, OpponentMixture, blank_network};
use ishi_othello_play::book::Book;
use ishi_othello_play::eval::file::pack_weights;
use ishi_othello_play::eval::positions;
use ishi_othello_play::eval::train::EvalSample;
use ishi_othello_play::eval::{PHASES, count_learned_weights};
use ishi_othello_play::ntuple::{NetworkPhases, TupleSet};
use ishi_othello_play::practice::OpeningPractice;
use ishi_patterns::joseki::packed::pack_joseki;
use ishi_patterns::joseki::text::parse_joseki;
use ishi_patterns::library::packed::pack_library;
use ishi_patterns::library::text::parse_library;
use ishi_patterns::table::pack_models;
use ishi_patterns::{ShapeKeys, StrengthModel};
use ishi_rng::Seed;
use ishi_rng::checksum::CHECKSUM_BYTES;

use crate::kept::{METHODS, counted_board, evolution_params, network_learner, td_params};

const SHAPES: &str = include_str!("../../../go/patterns/data/shapes-hand.txt");

/// A few games.
const WTHOR: &[u8] = include_bytes!("../../../../fuzz/corpus/othello_records/wthor.wtb");

/// A few moves from an empty corner.
const JOSEKI: &str = "ishi-joseki 1\nB D4 41235 41020 2018 normal\n en the star point\n W F3 2203 2280 2018 urgent\n  B C6 900 880 2017 normal\n \
                      W C3 2100 2000 2016 normal\nB C4 900 910 2018 normal\n";

/// A file that ishi keeps, for the target of this name.
pub struct KeptSeed {
    /// That of the target.
    pub target: &'static str,
    /// That of the file in the corpus.
    pub name: String,
    /// The whole file.
    pub bytes: Vec<u8>,
    /// Does the target put a checksum behind it, so that the corpus has the file without?
    pub is_sealed_at_end: bool,
}

impl KeptSeed {
    /// The file as it stands in the corpus.
    #[must_use]
    pub fn to_corpus(&self) -> &[u8] {
        let cut = if self.is_sealed_at_end { CHECKSUM_BYTES } else { 0 };
        &self.bytes[..self.bytes.len() - cut]
    }
}

fn sealed_at_end(target: &'static str, name: impl Into<String>, bytes: Vec<u8>) -> KeptSeed {
    KeptSeed { target, name: name.into(), bytes, is_sealed_at_end: true }
}

fn sealed_elsewhere(target: &'static str, name: impl Into<String>, bytes: Vec<u8>) -> KeptSeed {
    KeptSeed { target, name: name.into(), bytes, is_sealed_at_end: false }
}

/// One or a few of each kind.
#[must_use]
pub fn make_kept_seeds() -> Vec<KeptSeed> {
    let mut seeds: Vec<KeptSeed> = make_count_checkpoints()
        .into_iter()
        .enumerate()
        .map(|(number, bytes)| sealed_at_end("count_checkpoint", format!("6x6-{number}"), bytes))
        .collect();
    seeds.push(sealed_elsewhere("certificate", "6x6", make_certificate().into_bytes()));
    seeds.push(sealed_at_end("othello_book", "empty", Book::default().to_bytes()));
    let checkpoint = make_td_checkpoint(60);
    seeds.push(sealed_at_end("othello_networks", "line2", make_othello_network(&checkpoint)));
    seeds.push(sealed_at_end("td_checkpoint", "60-games", checkpoint));
    seeds.push(sealed_elsewhere("othello_weights", "zeros", make_othello_weights()));
    let joseki = parse_joseki(JOSEKI).expect("joseki as text");
    seeds.push(sealed_at_end("go_packed", "joseki", pack_joseki(&joseki)));
    seeds.push(sealed_elsewhere("go_packed", "shapes", make_packed_shapes()));
    seeds.push(sealed_at_end("go_packed", "strengths", make_move_strengths()));
    seeds.push(sealed_at_end("go_networks", "judge", make_judge_network()));
    seeds.push(sealed_at_end("go_networks", "moves", network_learner().network().to_bytes()));
    seeds.push(sealed_at_end("network_state", "begun", network_learner().save_state()));
    seeds.push(sealed_elsewhere("othello_games_index", "index", make_games_index()));
    seeds.extend(make_evolution_states());
    seeds
}

/// An index of the games of a small WTHOR file.
pub(crate) fn make_games_index() -> Vec<u8> {
    build_games_index(&WthorDatabase::from_bytes(WTHOR).expect("a WTHOR file").games)
}

/// After three of the antidiagonals of the board.
pub(crate) fn make_count_checkpoints() -> Vec<Vec<u8>> {
    let (shape, empties) = counted_board();
    let mut saved = Vec::new();
    let checkpoints =
        SweepCheckpoints { resume: None, save: &mut |bytes: &dyn Fn() -> Vec<u8>| saved.push(bytes()) };
    let options = DominationOptions::default();
    count_boards_with_checkpoints(
        &shape,
        empties,
        1,
        options,
        &mut |_| ControlFlow::Continue(()),
        Some(checkpoints),
    )
    .expect("6x6 can be counted");
    [1, 5, 9].into_iter().filter_map(|number| saved.get(number).cloned()).collect()
}

pub(crate) fn make_certificate() -> String {
    let (shape, empties) = counted_board();
    build_certificate(&shape, empties, 2, ProofLimits::of_states(100_000), &mut |_| ControlFlow::Continue(()))
        .expect("6x6 can be proved")
        .to_string()
}

/// After so many of its 60 games.
pub(crate) fn make_td_checkpoint(games: u64) -> Vec<u8> {
    let shape = "line2".parse::<TupleSet>().expect("a set of tuples").shape();
    let phases = NetworkPhases::equal_phases(2).expect("two phases");
    let network = blank_network(shape, phases);
    let mut learner = Learner::new(network, td_params(), OpponentMixture::itself_only(), Seed::new(5));
    learner.learn_games(games);
    learner.to_checkpoint()
}

/// The network of a checkpoint.
pub(crate) fn make_othello_network(checkpoint: &[u8]) -> Vec<u8> {
    crate::kept::resume_td(checkpoint).expect("its own checkpoint").network().to_bytes()
}

/// Nothing learned: packed it is small.
pub(crate) fn make_othello_weights() -> Vec<u8> {
    pack_weights(&vec![vec![0.0; count_learned_weights()]; PHASES])
}

pub(crate) fn make_packed_shapes() -> Vec<u8> {
    pack_library(&parse_library(SHAPES).expect("patterns as text"))
}

pub(crate) fn make_packed_joseki() -> Vec<u8> {
    pack_joseki(&parse_joseki(JOSEKI).expect("joseki as text"))
}

/// Strengths of a few shapes.
pub(crate) fn make_move_strengths() -> Vec<u8> {
    let mut model = StrengthModel::new(ShapeKeys::new(vec![vec![3, 700, 80_000], vec![5]]));
    for (number, weight) in model.weights.iter_mut().enumerate() {
        // From -1 to 1.45 in steps that the file has.
        *weight = (number % 50) as f32 / 20.0 - 1.0;
    }
    pack_models(&model, &model)
}

/// After so many openings were missed, three at most.
pub(crate) fn make_opening_practice(missed: usize) -> String {
    let mut practice = OpeningPractice::default();
    for moves in ["f5d6c3", "f5f6", "f5d6c4"].into_iter().take(missed) {
        practice.begin_session();
        practice.note_answer(&Position::from_transcript(moves).expect("an opening"), false);
    }
    practice.to_string()
}

pub(crate) fn make_judge_network() -> Vec<u8> {
    Network::with_random_weights(NetworkShape::new(1, 16), Seed::new(2)).expect("a shape").to_bytes()
}

/// Samples of one position: between two records a file may end.
pub(crate) fn make_sample() -> Vec<u8> {
    let planes = Planes { width: 9, height: 9, ..Planes::default() };
    let sample = TrainingSample { lead: Some(-3.5), ..TrainingSample::new(planes, Color::White, 7) };
    let mut file = SampleWriter::new(Vec::new()).expect("memory takes bytes");
    file.write_sample(&sample).expect("memory takes bytes");
    file.finish().expect("memory takes bytes")
}

/// Self-play of one position: between two of them a file may end.
pub(crate) fn make_self_play_position() -> Vec<u8> {
    let sample = EvalSample { board: Board::START, score: 6.0, weight: 1.0 };
    let mut file = positions::MAGIC.to_vec();
    positions::encode_label(0, 3, &sample, &mut file);
    file
}

fn make_evolution_states() -> impl Iterator<Item = KeptSeed> {
    METHODS.into_iter().map(|(method, options)| {
        let mut training =
            EvolutionTraining::start(evolution_params(method, options)).expect("options of this method");
        let mut generations = 0;
        while generations < 3 && training.run_generation().expect("a generation") {
            generations += 1;
        }
        let state = serde_json::to_vec(&training.state().learner).expect("a state is JSON");
        sealed_elsewhere("evolution_state", method.to_string(), state)
    })
}
