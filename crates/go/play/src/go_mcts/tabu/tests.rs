//! The lists held to the paper's words, step by step, and to a twin without rings.

use std::collections::VecDeque;

use ishi_go::{Board, BoardSize, Color, Move, Point};
use ishi_mcts::SearchNodeId;
use ishi_rng::{Rng, Seed};
use proptest::prelude::*;

use super::{
    LeafPlace, NIL, TabuCounters, TabuKind, TabuLists, TabuParams, TabuVerdict, TenureClock,
    expected_refusals_below, hash_after, tenure_at,
};

const LEAF: SearchNodeId = SearchNodeId(3);

/// The root of a search for the first move of a game on 19x19.
const START: LeafPlace = LeafPlace { played: 0, depth: 0, area: 361 };

fn lists(kind: TabuKind, tenure: u16) -> TabuLists {
    TabuLists::new(TabuParams { tenure, ..TabuParams::with_kind(kind) })
}

fn point(number: usize) -> Point {
    BoardSize::square(19).unwrap().points().nth(number).unwrap()
}

/// Asks in one playout for the first move: `moves` in turn until one is played. Gives what was refused and what was played.
fn playout(lists: &TabuLists, moves: &[usize], lost: bool) -> (Vec<usize>, Option<usize>) {
    let mut visit = lists.begin_visit(LEAF, START);
    let refused: Vec<usize> = moves
        .iter()
        .copied()
        .take_while(|&mv| visit.judge_move(0, point(mv), 1000 + mv as u64) == TabuVerdict::Refuse)
        .collect();
    let played = moves.get(refused.len()).copied();
    visit.finish_playout(lost);
    (refused, played)
}

#[test]
fn tenure_falls_at_a_quarter_and_two_thirds_of_the_points() {
    assert_eq!([0, 90, 91, 240, 241, 1000].map(|k| tenure_at(18, k, 361)), [18, 18, 12, 12, 6, 6]);
    assert_eq!([20, 21, 54, 55].map(|k| tenure_at(18, k, 81)), [18, 12, 12, 6]);
    assert_eq!([0, 91, 241].map(|k| tenure_at(1, k, 361)), [1, 0, 0], "rounded down");
    assert_eq!([0, 91, 241].map(|k| tenure_at(2, k, 361)), [2, 1, 0]);
}

/// The second reading by hand: what is refused pushes a NIL, so that fewer moves are needed until it is allowed again.
#[test]
fn lists_of_moves_may_push_nils() {
    let params = TabuParams { tenure: 3, moves_push_nil: true, ..TabuParams::with_kind(TabuKind::Moves) };
    let lists = TabuLists::new(params);
    assert_eq!(playout(&lists, &[1], false), (vec![], Some(1)), "NIL NIL 1");
    assert_eq!(playout(&lists, &[1, 2], false), (vec![1], Some(2)), "1 NIL 2");
    assert_eq!(playout(&lists, &[2, 1], false), (vec![2], Some(1)), "2's NIL drove 1 out: 2 NIL 1");
    let usual = TabuLists::new(TabuParams { moves_push_nil: false, ..params });
    playout(&usual, &[1], false);
    playout(&usual, &[1, 2], false);
    assert_eq!(playout(&usual, &[2, 1, 3], false), (vec![2, 1], Some(3)), "without NILs 1 is still there");
}

/// 43rd move of a game, a leaf five moves deep: 47 moves lead to it, the 43rd is searched for. And so on later in a game.
#[test]
fn each_clock_counts_other_moves() {
    let length = |clock, played, depth| {
        let params = TabuParams { clock, ..TabuParams::with_kind(TabuKind::Hash) };
        params.length_at(LeafPlace { played, depth, area: 361 })
    };
    let lengths = |played, depth| {
        [TenureClock::Leaf, TenureClock::Root, TenureClock::Tree].map(|clock| length(clock, played, depth))
    };
    assert_eq!(lengths(42, 5), [18, 18, 18]);
    assert_eq!(lengths(88, 2), [18, 18, 18], "90 moves lead to the leaf");
    assert_eq!(
        lengths(88, 3),
        [12, 18, 18],
        "the leaf is behind the 90th move, and the search is for the 89th"
    );
    assert_eq!(lengths(90, 0), [18, 12, 18], "the 91st move is searched for");
    assert_eq!(lengths(240, 1), [6, 6, 18], "no tree is 91 moves deep");
    let none = TabuParams { clock: TenureClock::Tree, ..TabuParams::with_kind(TabuKind::None) };
    assert_eq!(none.length_at(START), 0);
}

#[test]
fn a_pass_on_the_way_may_make_another_position() {
    for (pass_counts, after_a_pass) in [(false, TabuVerdict::Refuse), (true, TabuVerdict::Play)] {
        let lists = TabuLists::new(TabuParams { pass_counts, ..TabuParams::with_kind(TabuKind::Hash) });
        assert_eq!(lists.begin_visit(LEAF, START).judge_move(2, point(0), 77), TabuVerdict::Play);
        let mut other = lists.begin_visit(LEAF, START);
        other.note_pass();
        assert_eq!(other.judge_move(2, point(0), 77), after_a_pass, "{pass_counts}");
        let mut third = lists.begin_visit(LEAF, START);
        third.note_pass();
        assert_eq!(
            third.judge_move(2, point(0), 77),
            TabuVerdict::Refuse,
            "as many passes: the same position"
        );
    }
}

/// The paper's figure for L = 12, and others from the formula by hand: 5/355 (ln 355 + 0.57722 + 1.64493) = 0.1140 for L = 1.
#[test]
fn equation_12_gives_the_papers_figure() {
    let text = |tenure| format!("{:.3}", expected_refusals_below(19, tenure, 5).unwrap());
    assert_eq!([0, 1, 6, 12, 15, 18].map(text), ["0.000", "0.114", "1.398", "4.562", "6.836", "9.588"]);
    assert!(expected_refusals_below(19, 355, 5).is_some());
    assert_eq!(expected_refusals_below(19, 356, 5), None, "n is 0");
    assert_eq!(expected_refusals_below(2, 18, 5), None);
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
        (TabuKind::Moves, TabuVerdict::Refuse, TabuVerdict::Play),
        (TabuKind::Hash, TabuVerdict::Play, TabuVerdict::Refuse),
        (TabuKind::HashWin, TabuVerdict::Play, TabuVerdict::Refuse),
        (TabuKind::None, TabuVerdict::Play, TabuVerdict::Play),
    ] {
        let lists = lists(kind, 18);
        let ask = |mv, hash| {
            let mut visit = lists.begin_visit(LEAF, START);
            let verdict = visit.judge_move(0, point(mv), hash);
            visit.finish_playout(true);
            verdict
        };
        assert_eq!(ask(1, 7), TabuVerdict::Play, "{kind}");
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
        let mut visit = lists.begin_visit(LEAF, START);
        let verdicts = hashes
            .iter()
            .enumerate()
            .map(|(m, &hash)| visit.judge_move(m, point(m), hash))
            .collect::<Vec<_>>();
        visit.finish_playout(lost);
        verdicts
    };
    assert_eq!(play(false), [TabuVerdict::Play; 5]);
    assert_eq!(play(true), [TabuVerdict::Play; 5]);
    assert_eq!(play(true), [TabuVerdict::Refuse; 5]);
}

#[test]
fn a_playout_that_is_not_finished_teaches_nothing() {
    let lists = lists(TabuKind::HashWin, 18);
    lists.begin_visit(LEAF, START).judge_move(0, point(1), 5);
    assert_eq!(lists.begin_visit(LEAF, START).judge_move(0, point(1), 5), TabuVerdict::Play);
    assert_eq!(lists.counters(), TabuCounters::default());
}

#[test]
fn each_move_has_its_queue_and_each_leaf_its_own() {
    let lists = lists(TabuKind::Hash, 18);
    let ask = |leaf, m| lists.begin_visit(SearchNodeId(leaf), START).judge_move(m, point(0), 99);
    for m in 0..5 {
        assert_eq!(ask(1, m), TabuVerdict::Play, "move {m}");
    }
    assert_eq!(ask(1, 4), TabuVerdict::Refuse);
    assert_eq!([ask(1, 5), ask(1, 5)], [TabuVerdict::Play; 2], "the sixth move has no list");
    assert!(
        lists.begin_visit(LEAF, START).has_list_for(4) && !lists.begin_visit(LEAF, START).has_list_for(5)
    );
    // 1 and 65 are in the same shard.
    assert_eq!([ask(65, 0), ask(65, 0)], [TabuVerdict::Play, TabuVerdict::Refuse]);
    lists.forget_leaf(SearchNodeId(1));
    assert_eq!(ask(1, 0), TabuVerdict::Play, "its lists were dropped");
    assert_eq!(ask(65, 0), TabuVerdict::Refuse, "the other leaf's were not");
    lists.clear();
    assert_eq!(ask(65, 0), TabuVerdict::Play);
    assert_eq!(lists.memory_use().0, 1);
}

#[test]
fn lists_of_a_forgotten_leaf_do_not_come_back() {
    let lists = lists(TabuKind::HashWin, 18);
    let mut visit = lists.begin_visit(LEAF, START);
    visit.judge_move(0, point(1), 5);
    lists.forget_leaf(LEAF);
    visit.finish_playout(true);
    assert_eq!(lists.memory_use().0, 0);
}

#[test]
fn without_tenure_depth_or_kind_nothing_is_kept() {
    for params in [
        TabuParams { tenure: 0, ..TabuParams::with_kind(TabuKind::Hash) },
        TabuParams { depth: 0, ..TabuParams::with_kind(TabuKind::Moves) },
        TabuParams::with_kind(TabuKind::None),
    ] {
        let lists = TabuLists::new(params);
        assert!(lists.are_off());
        for _ in 0..3 {
            assert_eq!(playout(&lists, &[1], true), (vec![], Some(1)), "{params:?}");
        }
        assert_eq!(lists.memory_use().0, 0);
        let asked = if params.depth == 0 { 0 } else { 3 };
        assert_eq!(lists.counters(), TabuCounters { playouts: 3, asked, refused: 0 });
    }
    // L is not 0, but L_k is.
    let lists = lists(TabuKind::Hash, 2);
    for _ in 0..3 {
        let mut visit = lists.begin_visit(LEAF, LeafPlace { played: 300, ..START });
        assert!(!visit.has_list_for(0));
        assert_eq!(visit.judge_move(0, point(1), 5), TabuVerdict::Play);
        visit.finish_playout(true);
    }
    assert_eq!(lists.memory_use().0, 0);
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
    assert_eq!(error.to_string(), "invalid tabu list \"hashwin\": it must be none, moves, hash or hash-win");
}

/// The paper's words with queues that are moved along, for one leaf.
struct Twin {
    kind: TabuKind,
    moves_push_nil: bool,
    queues: Vec<VecDeque<u64>>,
    buffer: Vec<Option<u64>>,
    nils: usize,
}

impl Twin {
    fn push(&mut self, m: usize, entry: u64) {
        self.queues[m].push_back(entry);
        self.queues[m].pop_front();
    }

    fn judge(&mut self, m: usize, entry: u64) -> TabuVerdict {
        if self.nils < self.queues[m].len() && self.queues[m].contains(&entry) {
            self.nils += 1;
            if self.kind != TabuKind::Moves || self.moves_push_nil {
                self.push(m, NIL);
            }
            return TabuVerdict::Refuse;
        }
        self.nils = 0;
        match self.kind {
            TabuKind::HashWin => self.buffer[m] = Some(entry),
            _ => self.push(m, entry),
        }
        TabuVerdict::Play
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
        moves_push_nil in any::<bool>(),
        length in 1u16..=20,
        depth in 1u8..=TabuParams::MAX_DEPTH,
        choices in 1u64..=30,
        seed in any::<u64>(),
    ) {
        let lists = TabuLists::new(TabuParams { tenure: length, depth, moves_push_nil, ..TabuParams::with_kind(kind) });
        let queues = vec![VecDeque::from(vec![NIL; length.into()]); depth.into()];
        let mut twin = Twin { kind, moves_push_nil, queues, buffer: vec![None; depth.into()], nils: 0 };
        let mut rng = Seed::new(seed).stream("tabu", 0);
        for _ in 0..60 {
            let mut visit = lists.begin_visit(LEAF, START);
            for m in 0..usize::from(depth) {
                loop {
                    let candidate = rng.next_index(choices as usize);
                    let entry = match kind {
                        TabuKind::Moves => point(candidate).index() as u64 + 1,
                        _ => candidate as u64 + 1,
                    };
                    let verdict = visit.judge_move(m, point(candidate), candidate as u64 + 1);
                    prop_assert_eq!(verdict, twin.judge(m, entry));
                    if verdict == TabuVerdict::Play {
                        break;
                    }
                }
            }
            let lost = rng.next_index(2) == 0;
            visit.finish_playout(lost);
            twin.finish(lost);
        }
    }

    /// That anything is allowed after L_k refusals follows, for positions, from the queues themselves.
    #[test]
    fn refusals_drive_everything_out_of_a_queue(length in 1u16..=18, seed in any::<u64>()) {
        let lists = lists(TabuKind::Hash, length);
        let mut rng = Seed::new(seed).stream("tabu", 1);
        for _ in 0..length {
            playout(&lists, &[rng.next_index(8), rng.next_index(8)], true);
        }
        let held = || {
            let shard = lists.lock_shard(LEAF);
            (0..8).find(|&mv| shard[&LEAF.0].contains(5, 0, 1000 + mv as u64))
        };
        let mut visit = lists.begin_visit(LEAF, START);
        let mut refusals = 0;
        while let Some(mv) = held() {
            prop_assert_eq!(visit.judge_move(0, point(mv), 1000 + mv as u64), TabuVerdict::Refuse);
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
                for point in board.empty_points() {
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
    let moves: Vec<Point> = board.empty_points().filter(|&point| board.is_sensible(color, point)).collect();
    if moves.is_empty() { Move::Pass } else { Move::Play(moves[rng.next_index(moves.len())]) }
}
