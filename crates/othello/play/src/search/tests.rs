//! The search against a plain twin.

use std::sync::atomic::AtomicU64;

use ishi_othello::simd::{Isa, SimdKernel, Vectors};
use ishi_othello::{Board, Square, iter_squares};
use ishi_rng::{Rng, Seed};

use super::worker::{SearchWorker, SharedSearch};
use super::*;

/// The exact score, the plain way. Only moves that leave few replies come first, where that saves more than it costs.
fn plain(board: Board, mut alpha: i32, beta: i32) -> i32 {
    let mut children: Vec<Board> = board.children().map(|(_, child)| child).collect();
    if board.empty_count() > 6 {
        children.sort_by_key(|child| child.legal_moves().count_ones());
    }
    let mut best = -65;
    for child in children {
        best = best.max(-plain(child, -beta, -alpha));
        alpha = alpha.max(best);
        if alpha >= beta {
            return best;
        }
    }
    match best {
        -65 if board.is_over() => board.final_score(),
        -65 => -plain(board.pass(), -beta, -alpha),
        best => best,
    }
}

/// A position of a random game with so many empty squares, or with more where the game ended.
fn random_board(empties: u32, rng: &mut Rng) -> Board {
    let mut board = Board::START;
    while board.empty_count() > empties && !board.is_over() {
        let moves: Vec<Square> = iter_squares(board.legal_moves()).collect();
        board = rng.choose(&moves).map_or(board.pass(), |&square| board.play_unchecked(square));
    }
    board
}

fn exact() -> SearchEffort {
    SearchEffort { depth: 60, exact: 60, win_loss: 60, confidence: CutConfidence::Full }
}

fn solve(board: Board, effort: SearchEffort, isa: Isa) -> FoundMove {
    let params = SearchParams { hash_bits: 14, threads: 1 };
    let mut nobody = |_: &FoundMove| {};
    Searcher::new(params).with_isa(isa).search_board(board, &mut SearchTask::new(effort, &mut nobody))
}

/// What all searches visited is added up, and the same ones visit as many positions each time.
#[test]
fn visited_positions_add_up() {
    let effort = SearchEffort { depth: 4, exact: 0, win_loss: 0, confidence: CutConfidence::Full };
    let visit = || {
        let mut searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
        let mut nobody = |_: &FoundMove| {};
        let mut task = SearchTask::new(effort, &mut nobody);
        let one = searcher.search_board(Board::START, &mut task).nodes;
        assert_eq!(searcher.visited_positions(), one);
        let each = searcher.search_each_move(Board::START, &mut task);
        let all = one + each.iter().map(|found| found.nodes).sum::<u64>();
        assert_eq!(searcher.visited_positions(), all);
        all
    };
    assert!(visit() > 0);
    assert_eq!(visit(), visit());
}

#[test]
fn exact_scores_are_those_of_the_plain_twin() {
    let mut rng = Seed::new(1).stream("plain", 0);
    // With 14 empty squares, after a move from 15, the evaluation has a say, and a pass with easy cuts comes first.
    for empties in (0..60).map(|round| round % 12).chain([15; 3]) {
        let board = random_board(empties, &mut rng);
        let expected = plain(board, -64, 64);
        for &isa in Isa::available() {
            let found = solve(board, exact(), isa);
            assert_eq!(
                (found.score, found.meaning),
                (expected, ScoreMeaning::Exact),
                "{board:?} {isa:?} {found:?}"
            );
            let win_loss = SearchEffort { exact: 0, ..exact() };
            assert_eq!(solve(board, win_loss, isa).score.signum(), expected.signum(), "{board:?}");
        }
    }
}

/// Asks for a position near its end whether it is worth more than each odd number.
struct AskedForBounds<'a> {
    searcher: &'a Searcher,
    board: Board,
}

impl SimdKernel for AskedForBounds<'_> {
    /// Each number, and the answer.
    type Output = Vec<(i32, i32)>;

    fn run<V: Vectors>(self, vectors: V) -> Vec<(i32, i32)> {
        let shared = SharedSearch {
            table: &self.searcher.tables.table,
            evaluation: &self.searcher.evaluation,
            stop: &|| false,
            halted: ishi_work::StopFlag::default(),
            nodes: AtomicU64::new(0),
            node_limit: u64::MAX,
        };
        let mut worker = SearchWorker::new(vectors, &shared, &self.searcher.tables.near[0]);
        let Board { player, opponent } = self.board;
        let odd = last::odd_quadrants(self.board.empty_squares());
        let empties = self.board.empty_count();
        let mut ask = |alpha| worker.solve_endgame(player, opponent, odd, empties, alpha);
        (-63..=63).step_by(2).map(|alpha| (alpha, ask(alpha))).collect()
    }
}

/// An answer above what was asked for is a lower bound of the exact score, another one is an upper bound.
#[test]
fn answers_near_the_end_are_bounds_of_the_exact_score() {
    let mut searcher = Searcher::new(SearchParams { hash_bits: 14, threads: 1 });
    searcher.fill_tables();
    let mut rng = Seed::new(12).stream("bounds", 0);
    for round in 0..60 {
        let board = random_board(4 + round % 6, &mut rng);
        let expected = plain(board, -64, 64);
        for &isa in Isa::available() {
            for (alpha, answer) in isa.run(AskedForBounds { searcher: &searcher, board }) {
                let is_bound = if answer > alpha { answer <= expected } else { answer >= expected };
                assert!(is_bound, "{board:?} {isa:?}: {alpha} {answer}, {expected}");
            }
        }
    }
}

#[test]
fn stable_discs_are_never_turned() {
    let edges = stability::stable_edge_table();
    let mut rng = Seed::new(1).stream("stable", 0);
    for _ in 0..300 {
        let mut board = random_board(30, &mut rng);
        let (mut own, mut other) = (0, 0);
        while !board.is_over() {
            own |= stability::stable_discs(edges, board.player, board.opponent);
            other |= stability::stable_discs(edges, board.opponent, board.player);
            assert_eq!((own & !board.player, other & !board.opponent), (0, 0), "{board:?}");
            let moves: Vec<Square> = iter_squares(board.legal_moves()).collect();
            board = rng.choose(&moves).map_or(board.pass(), |&square| board.play_unchecked(square));
            (own, other) = (other, own);
        }
    }
}

/// Played out, the variation of an exact score gives that score.
#[test]
fn variations_lead_to_their_score() {
    let mut rng = Seed::new(2).stream("variation", 0);
    for round in 0..20 {
        let board = random_board(10 + round % 5, &mut rng);
        let found = solve(board, exact(), Isa::best());
        let (mut end, mut sign) = (board, 1);
        for &square in &found.variation {
            if end.legal_moves() == 0 {
                (end, sign) = (end.pass(), -sign);
            }
            assert!(end.is_legal(square), "{board:?} {found:?}");
            (end, sign) = (end.play_unchecked(square), -sign);
        }
        assert!(end.is_over(), "{board:?} {found:?}");
        assert_eq!(sign * end.final_score(), found.score, "{board:?} {found:?}");
    }
}

#[test]
fn several_threads_find_the_same_exact_score() {
    let mut rng = Seed::new(3).stream("threads", 0);
    for _ in 0..5 {
        let board = random_board(16, &mut rng);
        let params = SearchParams { hash_bits: 16, threads: 3 };
        let mut nobody = |_: &FoundMove| {};
        let found = Searcher::new(params).search_board(board, &mut SearchTask::new(exact(), &mut nobody));
        assert_eq!(found.score, solve(board, exact(), Isa::best()).score, "{board:?}");
    }
}

#[test]
fn a_search_that_is_stopped_has_a_legal_move() {
    let mut nobody = |_: &FoundMove| {};
    let mut task = SearchTask::new(exact(), &mut nobody);
    task.nodes = Some(1);
    let found = Searcher::new(SearchParams::default()).search_board(Board::START, &mut task);
    assert!(matches!(found.mv, Move::Play(square) if Board::START.is_legal(square)), "{found:?}");
    assert!(found.depth < 60 && found.nodes < 1_000_000, "{found:?}");
}

/// A table that was emptied a few hundred times answers as a new one does, and after as many positions.
#[test]
fn an_emptied_table_is_as_new() {
    let params = SearchParams { hash_bits: 10, threads: 1 };
    let effort = SearchEffort { depth: 5, exact: 8, win_loss: 8, confidence: CutConfidence::Good };
    let look = |searcher: &mut Searcher, board: Board| {
        let mut nobody = |_: &FoundMove| {};
        searcher.search_board(board, &mut SearchTask::new(effort, &mut nobody))
    };
    let mut rng = Rng::new(Seed::new(7));
    let mut used = Searcher::new(params);
    for round in 0..300 {
        let board = random_board(10 + round % 30, &mut rng);
        used.clear_table();
        let found = look(&mut used, board);
        // Ages end at 255.
        if round % 10 == 0 || (250..260).contains(&round) {
            assert_eq!(found, look(&mut Searcher::new(params), board), "round {round}");
        }
    }
}

/// Tables that are not written yet count, as the system does not see them.
#[test]
fn tables_that_the_machine_has_no_memory_for_are_refused() {
    ishi_work::memory::watch_memory(|path| {
        (path == "/proc/meminfo").then(|| "MemAvailable:  1000000 kB\n".to_string())
    });
    let reserve = |hash_bits: u32| SearchTables::reserve(SearchParams { hash_bits, threads: 1 });
    let error = reserve(26).err().unwrap();
    assert_eq!((error.bits, error.mebibytes / 1024), (26, 1));
    let tables = reserve(25).unwrap();
    assert!(reserve(25).is_err(), "the first table waits to be written");
    drop(tables);
    drop(reserve(25).unwrap());
    // What is written is no longer counted here: the system does it.
    let mut written = Searcher::with_tables(reserve(20).unwrap());
    assert!(written.tables.claim.is_some());
    written.fill_tables();
    assert!(written.tables.claim.is_none());
}

/// A search that reaches the end by itself, without being asked to solve, proves the score that solving gives.
#[test]
fn a_search_deep_enough_without_cuts_solves() {
    let mut rng = Seed::new(8).stream("deep", 0);
    let deep = SearchEffort { exact: 0, win_loss: 0, ..exact() };
    for round in 0..24 {
        let board = random_board(round % 15, &mut rng);
        let [found, solved] = [deep, exact()].map(|effort| solve(board, effort, Isa::best()));
        assert_eq!((found.score, found.meaning), (solved.score, ScoreMeaning::Exact), "{board:?}");
    }
}

/// Where there is time left, what was to be an estimate is proved. The clock stands still.
#[test]
fn time_that_is_left_goes_into_a_proof() {
    let mut rng = Seed::new(9).stream("time", 0);
    let board = random_board(13, &mut rng);
    let effort = SearchEffort { depth: 60, exact: 0, win_loss: 0, confidence: CutConfidence::Fair };
    let search = |time| {
        let mut steps = Vec::new();
        let mut observer = |found: &FoundMove| steps.push((found.depth, found.confidence));
        let mut searcher = Searcher::new(SearchParams { hash_bits: 14, threads: 1 });
        let mut task = SearchTask { time, ..SearchTask::new(effort, &mut observer) };
        let found = searcher.search_board(board, &mut task);
        (found, steps)
    };
    let empties = board.empty_count();
    let (estimated, steps) = search(None);
    assert_eq!(estimated.meaning, ScoreMeaning::Selective);
    assert_eq!(steps.last(), Some(&(empties, CutConfidence::Fair)));
    let (proved, steps) = search(Some(std::time::Duration::from_secs(1)));
    assert_eq!(
        (proved.score, proved.meaning),
        (solve(board, exact(), Isa::best()).score, ScoreMeaning::Exact)
    );
    // No step between the middle game and the end.
    assert!(steps.iter().all(|&(depth, _)| depth + 9 <= empties || depth == empties), "{steps:?}");
}

/// The proof of a long endgame may never come: until then the middle game is searched ply by ply, with sure cuts.
#[test]
fn a_long_proof_begins_with_sure_values_of_the_middle_game() {
    let mut rng = Seed::new(11).stream("long", 0);
    let board = random_board(40, &mut rng);
    let mut steps = Vec::new();
    let mut observer = |found: &FoundMove| steps.push((found.depth, found.confidence, found.meaning));
    let mut searcher = Searcher::new(SearchParams { hash_bits: 14, threads: 1 });
    let mut task = SearchTask { nodes: Some(100_000), ..SearchTask::new(exact(), &mut observer) };
    searcher.search_board(board, &mut task);
    assert!(steps.len() > 3, "{steps:?}");
    for (depth, step) in (1..).zip(steps) {
        assert_eq!(step, (depth, CutConfidence::High, ScoreMeaning::Estimate));
    }
}

/// A search that is broken off anywhere has a legal move, and says no more than what its last whole step found.
#[test]
fn a_broken_search_keeps_the_best_move_that_it_has_seen() {
    let mut rng = Seed::new(10).stream("broken", 0);
    let effort = SearchEffort { depth: 9, exact: 0, win_loss: 0, confidence: CutConfidence::Full };
    let mut changed = 0;
    for _ in 0..12 {
        let board = random_board(30, &mut rng);
        for nodes in (3000..90_000).step_by(3000) {
            let mut last = None;
            let mut observer = |found: &FoundMove| last = Some(found.clone());
            let mut searcher = Searcher::new(SearchParams { hash_bits: 14, threads: 1 });
            let mut task = SearchTask { nodes: Some(nodes), ..SearchTask::new(effort, &mut observer) };
            let found = searcher.search_board(board, &mut task);
            let Move::Play(square) = found.mv else { panic!("there are moves") };
            assert!(board.is_legal(square));
            assert_eq!(found.variation.first(), Some(&square));
            if let Some(whole) = last {
                assert_eq!((found.depth, found.score), (whole.depth, whole.score));
                if found.mv != whole.mv {
                    let deeper = SearchEffort { depth: whole.depth, ..effort };
                    let [taken, before] = [found.mv, whole.mv].map(|mv| {
                        -solve(board.play_unchecked(mv.square().unwrap()), deeper, Isa::best()).score
                    });
                    assert!(taken >= before, "{board:?} {nodes}: {taken} {before}");
                    changed += 1;
                }
            }
        }
    }
    assert!(changed > 0, "some broken step has found a better move");
}
