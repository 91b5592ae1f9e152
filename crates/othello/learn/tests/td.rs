//! Learning by temporal differences: it learns, and a run goes on bit for bit.

use std::sync::Arc;

use ishi_othello::oneply::{LeagueRules, MatchTally, play_evaluators, play_games};
use ishi_othello::{Symmetry, Wpc};
use ishi_othello_learn::td::{
    Learner, LearningRate, Opponent, OpponentMixture, SquashFunction, StepRule, TdParams, blank_network,
};
use ishi_othello_play::ntuple::{NTuplePlayer, NetworkPhases, TupleSet, WhiteView};
use ishi_rng::Seed;
use ishi_rng::damage::{try_damaged_copies, try_mixed_copies};

fn learner(patterns: &str, params: TdParams, mixture: OpponentMixture) -> Learner {
    let shape = patterns.parse::<TupleSet>().unwrap().shape();
    Learner::new(blank_network(shape, NetworkPhases::equal_phases(2).unwrap()), params, mixture, Seed::new(5))
}

fn everybody() -> OpponentMixture {
    let standard = Opponent::Fixed("standard".into(), Arc::new(Wpc::standard()));
    let all = [(Opponent::Itself, 2), (Opponent::Counters, 1), (Opponent::Past, 1), (standard, 1)];
    OpponentMixture::new(all.to_vec()).unwrap()
}

fn small(games: u64) -> TdParams {
    TdParams { games, hall_every: 20, hall_size: 3, ..TdParams::default() }
}

#[test]
fn a_run_goes_on_bit_for_bit() {
    for step in [StepRule::Plain, StepRule::Coherence] {
        let params = TdParams { step, ..small(150) };
        let mut whole = learner("2x2+line4", params.clone(), everybody());
        whole.learn_games(1000);
        assert!(whole.is_done() && whole.games() == 150);
        let mut part = learner("2x2+line4", params.clone(), everybody());
        for _ in 0..3 {
            part.learn_games(47);
            part = Learner::from_checkpoint(&part.to_checkpoint(), params.clone(), everybody(), Seed::new(5))
                .unwrap();
        }
        part.learn_games(1000);
        assert_eq!(part.network(), whole.network());
        assert_eq!(part.to_checkpoint(), whole.to_checkpoint());
    }
}

#[test]
fn bad_checkpoints_say_what_is_wrong() {
    let params = small(10);
    let bytes = learner("line2", params.clone(), everybody()).to_checkpoint();
    let resume = |bytes: &[u8], params, seed| {
        Learner::from_checkpoint(bytes, params, everybody(), Seed::new(seed)).err().unwrap().to_string()
    };
    assert!(resume(b"x", params.clone(), 5).contains("byte 0: it must begin with ishi-td1"));
    assert!(resume(b"ishi-td", params.clone(), 5).contains("byte 7: it is cut off"));
    assert!(
        resume(&bytes[..99], params.clone(), 5).contains("byte 91: it is damaged or cut off: the checksum")
    );
    let mut older = bytes.clone();
    older[7] = b'0';
    assert!(resume(&older, params.clone(), 5).contains("byte 7: the version must be 1; remove the file"));
    let other = resume(&bytes, TdParams { lambda: 0.25, ..params.clone() }, 5);
    assert!(other.contains("lambda = 0.7") && other.contains("lambda = 0.25"), "{other}");
    assert!(resume(&bytes, params, 6).contains("seed = 6"));
}

#[test]
fn damaged_checkpoints_are_refused() {
    let params = TdParams { step: StepRule::Coherence, ..small(60) };
    let mut learner = learner("line2", params.clone(), everybody());
    learner.learn_games(30);
    let before = learner.to_checkpoint();
    learner.learn_games(30);
    let check_refused = |what: &str, damaged: &[u8]| {
        let resumed = Learner::from_checkpoint(damaged, params.clone(), everybody(), Seed::new(5));
        assert!(resumed.is_err(), "{what}");
    };
    try_damaged_copies(&learner.to_checkpoint(), Seed::new(1), 400, check_refused);
    try_mixed_copies(&learner.to_checkpoint(), &before, Seed::new(1), 100, check_refused);
}

#[test]
fn a_network_learns_and_stays_symmetrical() {
    let mut learner = learner("2x3+line8", small(3000), OpponentMixture::itself_only());
    learner.learn_games(3000);
    let player = NTuplePlayer::new(learner.network().clone(), WhiteView::Inverted);
    let results = play_evaluators(&player, &Wpc::random(), &LeagueRules::default(), Seed::new(1), 0..400);
    assert!(
        MatchTally::from_results(&results).mean_score() > 0.8,
        "{:?}",
        MatchTally::from_results(&results)
    );
    let board = ishi_othello::Board::START.play_unchecked("f5".parse().unwrap());
    for symmetry in Symmetry::ALL {
        assert_eq!(learner.network().sum(symmetry.map_board(board)), learner.network().sum(board));
    }
}

#[test]
fn a_piece_counter_learns() {
    let rate = LearningRate { start: 0.05, end: 0.005, hold: 0.0 };
    for squash in [SquashFunction::Tanh, SquashFunction::Linear] {
        let params = TdParams { antisymmetric: true, step: StepRule::Plain, rate, squash, ..small(3000) };
        let shape = "line1".parse::<TupleSet>().unwrap().shape();
        let mut learner = Learner::new(
            blank_network(shape, NetworkPhases::single_phase()),
            params,
            OpponentMixture::itself_only(),
            Seed::new(1),
        );
        learner.learn_games(3000);
        let counter = learner.to_piece_counter().unwrap();
        assert!(counter.octant_weights().is_some());
        let results = play_games(&counter, &Wpc::random(), &LeagueRules::default(), Seed::new(1), 0..1000);
        assert!(
            MatchTally::from_results(&results).mean_score() > 0.7,
            "{counter} {:?}",
            MatchTally::from_results(&results)
        );
    }
}
