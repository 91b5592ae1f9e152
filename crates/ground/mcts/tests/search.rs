//! What a search promises: budgets, early stops, determinism, and what is kept from move to move.

use std::cell::Cell;

use ishi_mcts::toy::{Nim, Synthetic, TicTacToe};
use ishi_mcts::{
    Action, ChildReport, Domain, FinalMove, SearchBudget, SearchNodeId, SearchOutcome, Selection, Tree,
    TreeParams,
};
use proptest::prelude::*;

fn plain() -> TreeParams {
    let selection = Selection::Ucb1;
    TreeParams {
        selection,
        exploration: 1.0,
        expand_at: 2,
        stop_when_settled: false,
        ..TreeParams::default()
    }
}

fn search<D: Domain>(tree: &mut Tree, domain: &D, playouts: u64, threads: usize) -> SearchOutcome<D::Worker> {
    let mut remaining = |done| playouts.saturating_sub(done);
    tree.search(domain, &mut SearchBudget { remaining: &mut remaining, threads, check_every: 64 })
}

fn reports<D: Domain>(params: &TreeParams, domain: &D, playouts: u64) -> Vec<ChildReport> {
    let mut tree = Tree::new(params.clone());
    search(&mut tree, domain, playouts, 1);
    tree.ranked_children()
}

#[test]
fn the_same_seed_gives_the_same_tree() {
    for selection in [Selection::Ucb1, Selection::Ucb1Tuned, Selection::Rave, Selection::Puct] {
        let params = TreeParams { selection, widening_start: 5, ..plain() };
        let once = reports(&params, &Synthetic::new(81, 100, 1), 3_000);
        assert_eq!(once, reports(&params, &Synthetic::new(81, 100, 1), 3_000));
        assert_ne!(once, reports(&params, &Synthetic::new(81, 100, 2), 3_000));
    }
}

#[test]
fn pruning_is_deterministic_too() {
    let params = TreeParams { memory: 32 * 2_000, selection: Selection::Rave, ..plain() };
    let domain = Synthetic::new(81, 100, 1);
    assert_eq!(reports(&params, &domain, 5_000), reports(&params, &domain, 5_000));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn budgets_are_kept_exactly(playouts in 1_u64..3_000, threads in 1_usize..5, virtual_loss in 0_u32..5) {
        let mut tree = Tree::new(TreeParams { virtual_loss, ..plain() });
        let game = Nim::new(&[3, 4, 5], playouts);
        for search_number in 1..=2 {
            let outcome = search(&mut tree, &game, playouts, threads);
            prop_assert_eq!(outcome.playouts, playouts);
            prop_assert!(!outcome.settled);
            prop_assert_eq!(outcome.workers.len(), threads);
            // Not one playout is lost, and no virtual loss stays.
            prop_assert_eq!(u64::from(tree.visits()), search_number * playouts);
            let below: u32 = tree.ranked_children().iter().map(|child| child.visits).sum();
            prop_assert_eq!(below, tree.visits());
        }
    }
}

#[test]
fn the_budget_is_asked_often() {
    let mut tree = Tree::new(plain());
    let asked = Cell::new(0);
    // An estimate that is always too high, until it is 0.
    let mut remaining = |done| {
        asked.set(asked.get() + 1);
        if done < 1_000 { u64::MAX } else { 0 }
    };
    let mut budget = SearchBudget { remaining: &mut remaining, threads: 1, check_every: 10 };
    let outcome = tree.search(&TicTacToe::new(&[], 1), &mut budget);
    assert_eq!((outcome.playouts, asked.get()), (1_000, 101));
}

#[test]
fn an_estimate_that_was_too_low_is_asked_again() {
    let mut tree = Tree::new(plain());
    let mut remaining = |done| if done < 100 { 1 } else { 0 };
    let mut budget = SearchBudget { remaining: &mut remaining, threads: 2, check_every: 50 };
    assert_eq!(tree.search(&TicTacToe::new(&[], 1), &mut budget).playouts, 100);
}

#[test]
fn a_search_stops_when_the_choice_is_settled_and_not_before() {
    for final_move in [FinalMove::Visits, FinalMove::WinRate, FinalMove::Lcb] {
        let stopping = TreeParams { final_move, stop_when_settled: true, ..plain() };
        let mut tree = Tree::new(stopping.clone());
        // Two stones: taking both wins at once.
        let game = Nim::new(&[2], 3);
        let outcome = search(&mut tree, &game, 2_000, 1);
        assert!(outcome.settled && outcome.playouts < 2_000, "{final_move:?}: {}", outcome.playouts);
        let settled = tree.ranked_children()[0].action;
        let to_the_end = reports(&TreeParams { stop_when_settled: false, ..stopping }, &game, 2_000);
        assert_eq!(settled, to_the_end[0].action);
    }
}

#[test]
fn a_forced_move_needs_one_playout() {
    let mut tree = Tree::new(TreeParams { stop_when_settled: true, ..plain() });
    let outcome = search(&mut tree, &Nim::new(&[1], 3), u64::MAX, 1);
    assert!(outcome.settled);
    assert!(outcome.playouts <= 64);
}

#[test]
fn the_tree_is_kept_from_move_to_move() {
    let mut tree = Tree::new(plain());
    let game = Nim::new(&[3, 4, 5], 1);
    search(&mut tree, &game, 5_000, 1);
    let best = tree.ranked_children()[0].clone();
    let (before, _) = tree.memory_use();
    assert_eq!(tree.advance(best.action), best.visits);
    assert!(tree.memory_use().0 < before);
    assert_eq!(tree.ranked_children()[0].action, best.variation[1]);
    assert!((tree.mean_reward().unwrap() - (1.0 - best.win_rate)).abs() < 1e-6);
    let after = game.after_move(best.action);
    search(&mut tree, &after, 5_000, 1);
    assert_eq!(tree.visits(), best.visits + 5_000);
    assert_eq!(tree.advance(Action(999)), 0);
    assert_eq!((tree.visits(), tree.ranked_children().len(), tree.memory_use().0), (0, 0, 1));
    assert_eq!(tree.advance(Action(0)), 0, "nothing is below an empty tree");
}

#[test]
fn moves_can_be_taken_from_the_root() {
    let mut tree = Tree::new(plain());
    let game = Nim::new(&[3, 4, 5], 1);
    search(&mut tree, &game, 5_000, 1);
    let all = tree.ranked_children();
    let forbidden = all[0].action;
    assert_eq!(tree.retain_root(&|_| true), 0);
    assert_eq!(tree.ranked_children(), all);
    assert_eq!(tree.retain_root(&|action| action != forbidden), 1);
    assert_eq!(tree.ranked_children(), all[1..]);
    assert_eq!(tree.visits(), 5_000 - all[0].visits);
    search(&mut tree, &game, 5_000, 1);
    assert!(tree.ranked_children().iter().all(|child| child.action != forbidden));
    // Without any move the root is asked for anew.
    assert_eq!(tree.retain_root(&|_| false), all.len() - 1);
    assert_eq!((tree.visits(), tree.ranked_children().len()), (0, 0));
    search(&mut tree, &game, 1_000, 1);
    assert_eq!(tree.ranked_children().len(), all.len());
}

#[test]
fn a_finished_game_can_be_searched() {
    let mut tree = Tree::new(plain());
    let outcome = search(&mut tree, &Nim::new(&[0], 1), 100, 2);
    assert_eq!((outcome.playouts, tree.visits()), (100, 100));
    assert_eq!(tree.mean_reward(), Some(0.0), "who is to move has lost");
    assert!(tree.ranked_children().is_empty());
}

#[test]
fn opinions_guide_and_are_not_counted() {
    /// Tic-tac-toe with an opinion on one square.
    struct Biased(TicTacToe);
    impl Domain for Biased {
        type Worker = <TicTacToe as Domain>::Worker;
        fn action_count(&self) -> usize {
            self.0.action_count()
        }
        fn new_worker(&self, thread: usize) -> Self::Worker {
            self.0.new_worker(thread)
        }
        fn reset_worker(&self, worker: &mut Self::Worker) {
            self.0.reset_worker(worker);
        }
        fn play_action(&self, worker: &mut Self::Worker, action: Action) {
            self.0.play_action(worker, action);
        }
        fn list_candidates(
            &self,
            worker: &mut Self::Worker,
            depth: usize,
            candidates: &mut Vec<ishi_mcts::Candidate>,
        ) {
            self.0.list_candidates(worker, depth, candidates);
            for candidate in candidates {
                candidate.weight = 20.0;
                candidate.value = if candidate.action == Action(5) { 0.9 } else { 0.1 };
            }
        }
        fn run_playout(&self, worker: &mut Self::Worker, leaf: SearchNodeId, trace: &mut Vec<Action>) -> f32 {
            self.0.run_playout(worker, leaf, trace)
        }
    }
    for selection in [Selection::Ucb1, Selection::Ucb1Tuned, Selection::Rave, Selection::Puct] {
        let params = TreeParams { selection, exploration: 0.01, ..plain() };
        let found = reports(&params, &Biased(TicTacToe::new(&[], 3)), 5);
        assert_eq!((found[0].action, found[0].visits), (Action(5), 5), "{selection:?}");
        assert!(found[1..].iter().all(|child| child.visits == 0));
    }
}

#[test]
fn a_million_playouts_take_less_than_40_bytes_a_node() {
    let params = TreeParams { widening_start: 4, widening_visits: 10.0, expand_at: 8, ..plain() };
    let mut tree = Tree::new(params);
    let outcome = search(&mut tree, &Synthetic::new(40, 0, 1), 1_000_000, 1);
    let (nodes, bytes) = tree.memory_use();
    assert_eq!((outcome.playouts, outcome.prunings), (1_000_000, 0));
    assert!(nodes > 1_000_000, "{nodes}");
    assert!(bytes < 40 * nodes, "{bytes} bytes for {nodes} nodes");
}

#[test]
fn amaf_stays_true_over_millions_of_playouts() {
    let mut tree = Tree::new(TreeParams { selection: Selection::Rave, expand_at: u32::MAX, ..plain() });
    // Every playout plays one of two moves, which are worth 0.4 and 0.5.
    search(&mut tree, &Synthetic::new(2, 0, 1), (1 << 22) + 10, 1);
    let best = &tree.ranked_children()[0];
    let (count, rate) = best.amaf;
    assert!(count > (1 << 20) as f32 && count < (1 << 22) as f32, "{count}");
    assert!((rate - best.win_rate).abs() < 1e-3, "{rate}, {}", best.win_rate);
}
