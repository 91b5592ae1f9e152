//! Learning by temporal differences: it learns, and a run goes on bit for bit.

use std::sync::Arc;

use ishi_othello::oneply::{Rules, Tally, play_evaluators, play_games};
use ishi_othello::{Symmetry, Wpc};
use ishi_othello_learn::td::{Learner, Mixture, Opponent, Rate, Squash, Step, TdParams, blank};
use ishi_othello_play::ntuple::{Patterns, Phases, Player, View};
use ishi_rng::Seed;

fn learner(patterns: &str, params: TdParams, mixture: Mixture) -> Learner {
    let shape = patterns.parse::<Patterns>().unwrap().shape();
    Learner::new(blank(shape, Phases::even(2).unwrap()), params, mixture, Seed::new(5))
}

fn everybody() -> Mixture {
    let standard = Opponent::Fixed("standard".into(), Arc::new(Wpc::standard()));
    let all = [(Opponent::Itself, 2), (Opponent::Counters, 1), (Opponent::Past, 1), (standard, 1)];
    Mixture::new(all.to_vec()).unwrap()
}

fn small(games: u64) -> TdParams {
    TdParams { games, hall_every: 20, hall_size: 3, ..TdParams::default() }
}

#[test]
fn a_run_goes_on_bit_for_bit() {
    for step in [Step::Plain, Step::Coherence] {
        let params = TdParams { step, ..small(150) };
        let mut whole = learner("2x2+line4", params.clone(), everybody());
        whole.learn(1000);
        assert!(whole.is_done() && whole.games() == 150);
        let mut part = learner("2x2+line4", params.clone(), everybody());
        for _ in 0..3 {
            part.learn(47);
            part = Learner::resume(&part.checkpoint(), params.clone(), everybody(), Seed::new(5)).unwrap();
        }
        part.learn(1000);
        assert_eq!(part.network(), whole.network());
        assert_eq!(part.checkpoint(), whole.checkpoint());
    }
}

#[test]
fn bad_checkpoints_say_what_is_wrong() {
    let params = small(10);
    let bytes = learner("line2", params.clone(), everybody()).checkpoint();
    let resume = |bytes: &[u8], params, seed| {
        Learner::resume(bytes, params, everybody(), Seed::new(seed)).err().unwrap().to_string()
    };
    assert!(resume(b"x", params.clone(), 5).contains("does not begin with \"ishi-td1\""));
    assert!(resume(&bytes[..99], params.clone(), 5).contains("check sum"));
    let other = resume(&bytes, TdParams { lambda: 0.25, ..params.clone() }, 5);
    assert!(other.contains("lambda = 0.7") && other.contains("lambda = 0.25"), "{other}");
    assert!(resume(&bytes, params, 6).contains("seed = 6"));
}

#[test]
fn a_network_learns_and_stays_symmetrical() {
    let mut learner = learner("2x3+line8", small(3000), Mixture::itself());
    learner.learn(3000);
    let player = Player::new(learner.network().clone(), View::Inverted);
    let results = play_evaluators(&player, &Wpc::random(), &Rules::default(), Seed::new(1), 0..400);
    assert!(Tally::of(&results).score() > 0.8, "{:?}", Tally::of(&results));
    let board = ishi_othello::Board::START.play_unchecked("f5".parse().unwrap());
    for symmetry in Symmetry::all() {
        assert_eq!(learner.network().sum(symmetry.board(board)), learner.network().sum(board));
    }
}

#[test]
fn a_piece_counter_learns() {
    let rate = Rate { start: 0.05, end: 0.005, hold: 0.0 };
    for squash in [Squash::Tanh, Squash::Linear] {
        let params = TdParams { antisymmetric: true, step: Step::Plain, rate, squash, ..small(3000) };
        let shape = "line1".parse::<Patterns>().unwrap().shape();
        let mut learner = Learner::new(blank(shape, Phases::one()), params, Mixture::itself(), Seed::new(1));
        learner.learn(3000);
        let counter = learner.counter().unwrap();
        assert!(counter.octant().is_some());
        let results = play_games(&counter, &Wpc::random(), &Rules::default(), Seed::new(1), 0..1000);
        assert!(Tally::of(&results).score() > 0.7, "{counter} {:?}", Tally::of(&results));
    }
}
