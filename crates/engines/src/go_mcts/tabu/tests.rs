//! The lists held to the paper's words, step by step, and to a twin without rings.

use std::collections::VecDeque;

use ishi_go::{Board, BoardSize, Color, Move, Point};
use ishi_mcts::NodeId;
use ishi_rng::{Rng, Seed};
use proptest::prelude::*;

use super::{NIL, TabuCounters, TabuKind, TabuLists, TabuParams, Verdict, hash_after, tenure};

const LEAF: NodeId = NodeId(3);

fn lists(kind: TabuKind, tenure: u16) -> TabuLists {
    TabuLists::new(TabuParams { kind, tenure, depth: 5 })
}

fn point(number: usize) -> Point {
    BoardSize::square(19).unwrap().points().nth(number).unwrap()
}

/// Asks in one playout for the first move: `moves` in turn until one is played. Gives what was refused and what was played.
fn playout(lists: &TabuLists, moves: &[usize], lost: bool) -> (Vec<usize>, Option<usize>) {
    let mut visit = lists.visit(LEAF, 0, 361);
    let refused: Vec<usize> = moves
        .iter()
        .copied()
        .take_while(|&mv| visit.judge(0, point(mv), 1000 + mv as u64) == Verdict::Refuse)
        .collect();
    let played = moves.get(refused.len()).copied();
    visit.finish(lost);
    (refused, played)
}

#[test]
fn tenure_falls_at_a_quarter_and_two_thirds_of_the_points() {
    assert_eq!([0, 90, 91, 240, 241, 1000].map(|k| tenure(18, k, 361)), [18, 18, 12, 12, 6, 6]);
    assert_eq!([20, 21, 54, 55].map(|k| tenure(18, k, 81)), [18, 12, 12, 6]);
    assert_eq!([0, 91, 241].map(|k| tenure(1, k, 361)), [1, 0, 0], "rounded down");
    assert_eq!([0, 91, 241].map(|k| tenure(2, k, 361)), [2, 1, 0]);
}

#[test]
fn moves_are_refused_until_as_many_others_were_played() {
    let lists = lists(TabuKind::Moves, 2);
    assert_eq!(playout(&lists, &[1], false), (vec![], Some(1)));
    assert_eq!(playout(&lists, &[1, 2], true), (vec![1], Some(2)));
    assert_eq!(playout(&lists, &[2, 1, 3], true), (vec![2, 1], Some(3)), "the result does not matter");
    assert_eq!(playout(&lists, &[1], true), (vec![], Some(1)), "3 drove 1 out");
    assert_eq!(
        playout(&lists, &[3, 1, 3], true),
        (vec![3, 1], Some(3)),
        "after two refusals anything is allowed"
    );
}

#[test]
fn moves_are_known_by_their_point_and_positions_by_their_hash() {
    for (kind, same_point, same_hash) in [
        (TabuKind::Moves, Verdict::Refuse, Verdict::Play),
        (TabuKind::Hash, Verdict::Play, Verdict::Refuse),
        (TabuKind::HashWin, Verdict::Play, Verdict::Refuse),
        (TabuKind::None, Verdict::Play, Verdict::Play),
    ] {
        let lists = lists(kind, 18);
        let ask = |mv, hash| {
            let mut visit = lists.visit(LEAF, 0, 361);
            let verdict = visit.judge(0, point(mv), hash);
            visit.finish(true);
            verdict
        };
        assert_eq!(ask(1, 7), Verdict::Play, "{kind}");
        assert_eq!(ask(1, 8), same_point, "{kind}");
        assert_eq!(ask(2, 7), same_hash, "{kind}");
    }
}

#[test]
fn positions_are_refused_once_for_each_nil() {
    let lists = lists(TabuKind::Hash, 3);
    assert_eq!(playout(&lists, &[1], false), (vec![], Some(1)), "NIL NIL 1");
    assert_eq!(playout(&lists, &[1, 2], false), (vec![1], Some(2)), "1 NIL 2");
    assert_eq!(playout(&lists, &[2, 1], false), (vec![2], Some(1)), "2's NIL drove 1 out: 2 NIL 1");
    assert_eq!(
        playout(&lists, &[1, 1, 1, 2], false),
        (vec![1, 1, 1], Some(2)),
        "three NILs: anything is allowed"
    );
    assert_eq!(playout(&lists, &[1], false), (vec![], Some(1)), "NIL 2 1");
}

#[test]
fn positions_wait_for_the_result() {
    let lists = lists(TabuKind::HashWin, 3);
    assert_eq!(playout(&lists, &[1], false), (vec![], Some(1)), "won: nothing is pushed");
    assert_eq!(playout(&lists, &[1], true), (vec![], Some(1)), "lost: NIL NIL 1");
    assert_eq!(playout(&lists, &[1, 2], false), (vec![1], Some(2)), "won, but the NIL stays: NIL 1 NIL");
    assert_eq!(playout(&lists, &[1, 2], true), (vec![1], Some(2)), "1 NIL NIL and then 2: NIL NIL 2");
    assert_eq!(playout(&lists, &[1], false), (vec![], Some(1)), "1 was driven out");
    assert_eq!(playout(&lists, &[2, 2, 2, 2], false), (vec![2, 2, 2], Some(2)), "until 2 is driven out");
}

#[test]
fn results_are_pushed_into_all_queues_together() {
    let lists = lists(TabuKind::HashWin, 18);
    let hashes = [11, 12, 13, 14, 15];
    let play = |lost| {
        let mut visit = lists.visit(LEAF, 0, 361);
        let verdicts =
            hashes.iter().enumerate().map(|(m, &hash)| visit.judge(m, point(m), hash)).collect::<Vec<_>>();
        visit.finish(lost);
        verdicts
    };
    assert_eq!(play(false), [Verdict::Play; 5]);
    assert_eq!(play(true), [Verdict::Play; 5]);
    assert_eq!(play(true), [Verdict::Refuse; 5]);
}

#[test]
fn a_playout_that_is_not_finished_teaches_nothing() {
    let lists = lists(TabuKind::HashWin, 18);
    lists.visit(LEAF, 0, 361).judge(0, point(1), 5);
    assert_eq!(lists.visit(LEAF, 0, 361).judge(0, point(1), 5), Verdict::Play);
    assert_eq!(lists.counters(), TabuCounters::default());
}

#[test]
fn each_move_has_its_queue_and_each_leaf_its_own() {
    let lists = lists(TabuKind::Hash, 18);
    let ask = |leaf, m| lists.visit(NodeId(leaf), 0, 361).judge(m, point(0), 99);
    for m in 0..5 {
        assert_eq!(ask(1, m), Verdict::Play, "move {m}");
    }
    assert_eq!(ask(1, 4), Verdict::Refuse);
    assert_eq!([ask(1, 5), ask(1, 5)], [Verdict::Play; 2], "the sixth move has no list");
    assert!(lists.visit(LEAF, 0, 361).asks(4) && !lists.visit(LEAF, 0, 361).asks(5));
    // 1 and 65 are in the same shard.
    assert_eq!([ask(65, 0), ask(65, 0)], [Verdict::Play, Verdict::Refuse]);
    lists.forget(NodeId(1));
    assert_eq!(ask(1, 0), Verdict::Play, "its lists were dropped");
    assert_eq!(ask(65, 0), Verdict::Refuse, "the other leaf's were not");
    lists.clear();
    assert_eq!(ask(65, 0), Verdict::Play);
    assert_eq!(lists.memory().0, 1);
}

#[test]
fn lists_of_a_forgotten_leaf_do_not_come_back() {
    let lists = lists(TabuKind::HashWin, 18);
    let mut visit = lists.visit(LEAF, 0, 361);
    visit.judge(0, point(1), 5);
    lists.forget(LEAF);
    visit.finish(true);
    assert_eq!(lists.memory().0, 0);
}

#[test]
fn without_tenure_depth_or_kind_nothing_is_kept() {
    for params in [
        TabuParams { kind: TabuKind::Hash, tenure: 0, depth: 5 },
        TabuParams { kind: TabuKind::Moves, tenure: 18, depth: 0 },
        TabuParams { kind: TabuKind::None, tenure: 18, depth: 5 },
    ] {
        let lists = TabuLists::new(params);
        assert!(lists.are_off());
        for _ in 0..3 {
            assert_eq!(playout(&lists, &[1], true), (vec![], Some(1)), "{params:?}");
        }
        assert_eq!(lists.memory().0, 0);
        let asked = if params.depth == 0 { 0 } else { 3 };
        assert_eq!(lists.counters(), TabuCounters { playouts: 3, asked, refused: 0 });
    }
    // L is not 0, but L_k is.
    let lists = lists(TabuKind::Hash, 2);
    for _ in 0..3 {
        let mut visit = lists.visit(LEAF, 300, 361);
        assert!(!visit.asks(0));
        assert_eq!(visit.judge(0, point(1), 5), Verdict::Play);
        visit.finish(true);
    }
    assert_eq!(lists.memory().0, 0);
}

#[test]
fn questions_and_refusals_are_counted() {
    let lists = lists(TabuKind::Moves, 18);
    playout(&lists, &[1], true);
    playout(&lists, &[1, 2], true);
    playout(&lists, &[2, 1, 3], true);
    assert_eq!(lists.counters(), TabuCounters { playouts: 3, asked: 6, refused: 3 });
    lists.clear();
    assert_eq!(lists.counters().playouts, 3, "counters stay");
}

#[test]
fn kinds_have_names() {
    for kind in TabuKind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
    }
    let error = "hashwin".parse::<TabuKind>().unwrap_err();
    assert_eq!(error.to_string(), "invalid tabu list \"hashwin\": it is none, moves, hash or hash-win");
}

/// The paper's words with queues that are moved along, for one leaf.
struct Twin {
    kind: TabuKind,
    queues: Vec<VecDeque<u64>>,
    buffer: Vec<Option<u64>>,
    nils: usize,
}

impl Twin {
    fn push(&mut self, m: usize, entry: u64) {
        self.queues[m].push_back(entry);
        self.queues[m].pop_front();
    }

    fn judge(&mut self, m: usize, entry: u64) -> Verdict {
        if self.nils < self.queues[m].len() && self.queues[m].contains(&entry) {
            self.nils += 1;
            if self.kind != TabuKind::Moves {
                self.push(m, NIL);
            }
            return Verdict::Refuse;
        }
        self.nils = 0;
        match self.kind {
            TabuKind::HashWin => self.buffer[m] = Some(entry),
            _ => self.push(m, entry),
        }
        Verdict::Play
    }

    fn finish(&mut self, lost: bool) {
        for m in 0..self.queues.len() {
            if let Some(entry) = self.buffer[m].take().filter(|_| lost) {
                self.push(m, entry);
            }
        }
        self.nils = 0;
    }
}

proptest! {
    #[test]
    fn rings_do_what_queues_do(
        kind in prop::sample::select(&TabuKind::ALL[1..]),
        length in 1u16..=20,
        depth in 1u8..=TabuParams::MAX_DEPTH,
        choices in 1u64..=30,
        seed in any::<u64>(),
    ) {
        let lists = TabuLists::new(TabuParams { kind, tenure: length, depth });
        let queues = vec![VecDeque::from(vec![NIL; length.into()]); depth.into()];
        let mut twin = Twin { kind, queues, buffer: vec![None; depth.into()], nils: 0 };
        let mut rng = Seed::new(seed).stream("tabu", 0);
        for _ in 0..60 {
            let mut visit = lists.visit(LEAF, 0, 361);
            for m in 0..usize::from(depth) {
                loop {
                    let candidate = rng.index(choices as usize);
                    let entry = match kind {
                        TabuKind::Moves => point(candidate).index() as u64 + 1,
                        _ => candidate as u64 + 1,
                    };
                    let verdict = visit.judge(m, point(candidate), candidate as u64 + 1);
                    prop_assert_eq!(verdict, twin.judge(m, entry));
                    if verdict == Verdict::Play {
                        break;
                    }
                }
            }
            let lost = rng.index(2) == 0;
            visit.finish(lost);
            twin.finish(lost);
        }
    }

    /// That anything is allowed after L_k refusals follows, for positions, from the queues themselves.
    #[test]
    fn refusals_drive_everything_out_of_a_queue(length in 1u16..=18, seed in any::<u64>()) {
        let lists = lists(TabuKind::Hash, length);
        let mut rng = Seed::new(seed).stream("tabu", 1);
        for _ in 0..length {
            playout(&lists, &[rng.index(8), rng.index(8)], true);
        }
        let held = || {
            let shard = lists.shard(LEAF);
            (0..8).find(|&mv| shard[&LEAF.0].contains(5, 0, 1000 + mv as u64))
        };
        let mut visit = lists.visit(LEAF, 0, 361);
        let mut refusals = 0;
        while let Some(mv) = held() {
            prop_assert_eq!(visit.judge(0, point(mv), 1000 + mv as u64), Verdict::Refuse);
            refusals += 1;
        }
        prop_assert!(refusals <= length);
    }
}

/// Every legal move and every suicide of random games is what playing it gives.
#[test]
fn hashes_are_those_of_the_position_played() {
    let (mut taken, mut suicides, mut many) = (0, 0, 0);
    for (side, games) in [(2, 20), (3, 20), (5, 20), (9, 6)] {
        for game in 0..games {
            let mut rng = Seed::new(side as u64).stream("hash", game);
            let mut board = Board::new(BoardSize::square(side).unwrap());
            for ply in 0..3 * side * side {
                let color = if ply % 2 == 0 { Color::Black } else { Color::White };
                for point in board.empties() {
                    let mut after = board.clone();
                    let gone = after.play_unchecked(color, Move::Play(point));
                    assert_eq!(hash_after(&board, color, point), after.hash(), "{color} {point}");
                    taken += usize::from(gone > 0 && after.color(point).is_some());
                    suicides += usize::from(after.color(point).is_none());
                    many += usize::from(gone > 2);
                }
                board.play_unchecked(color, any_move(&board, color, &mut rng));
            }
        }
    }
    assert!(taken > 1000 && suicides > 1000 && many > 100, "{taken} {suicides} {many}");
}

fn any_move(board: &Board, color: Color, rng: &mut Rng) -> Move {
    let moves: Vec<Point> = board.empties().filter(|&point| board.is_sensible(color, point)).collect();
    if moves.is_empty() { Move::Pass } else { Move::Play(moves[rng.index(moves.len())]) }
}
