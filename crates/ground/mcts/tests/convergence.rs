//! Every selection rule finds the minimax value of small games, on one thread and on two, and with little memory.

use ishi_mcts::toy::{Nim, PGame, TicTacToe};
use ishi_mcts::{Action, Domain, FinalMove, SearchBudget, SearchOutcome, Selection, Tree, TreeParams};

fn rules() -> [TreeParams; 5] {
    let base = || TreeParams { expand_at: 1, stop_when_settled: false, ..TreeParams::default() };
    [
        TreeParams { selection: Selection::Ucb1, exploration: 0.4, ..base() },
        TreeParams { selection: Selection::Ucb1Tuned, exploration: 1.0, ..base() },
        TreeParams { selection: Selection::Rave, exploration: 0.4, rave_bias: 0.2, ..base() },
        TreeParams { selection: Selection::Puct, exploration: 1.0, first_play_urgency: 0.5, ..base() },
        // The paper's.
        TreeParams { selection: Selection::Ucb1, exploration: 1.5, expand_at: 30, ..base() },
    ]
}

fn search<D: Domain>(tree: &mut Tree, domain: &D, playouts: u64, threads: usize) -> SearchOutcome<D::Worker> {
    let mut remaining = |done| playouts.saturating_sub(done);
    tree.search(domain, &mut SearchBudget { remaining: &mut remaining, threads, check_every: 50 })
}

/// The move chosen, and what it is thought to be worth.
fn choice<D: Domain>(params: &TreeParams, domain: &D, playouts: u64, threads: usize) -> (Action, f32) {
    let mut tree = Tree::new(params.clone());
    let outcome = search(&mut tree, domain, playouts, threads);
    assert_eq!(outcome.playouts, playouts);
    assert_eq!(u64::from(tree.visits()), playouts);
    let best = &tree.ranked_children()[0];
    (best.action, best.win_rate)
}

#[test]
fn p_games_are_played_well() {
    for params in rules() {
        for (seed, threads) in (0..6).zip([1, 2].into_iter().cycle()) {
            let game = PGame::new(3, 8, seed);
            let values = game.move_values();
            let best = values.iter().copied().fold(0.0, f32::max);
            let (action, rate) = choice(&params, &game, 100_000, threads);
            let what =
                format!("{params:?}, seed {seed}, {threads} threads: {action:?} at {rate} of {values:?}");
            assert_eq!(values[usize::from(action.0)], best, "{what}");
            assert!((rate - best).abs() < 0.08, "{what}");
        }
    }
}

#[test]
fn p_games_are_of_both_kinds() {
    let values: Vec<f32> =
        (0..6).map(|seed| PGame::new(3, 8, seed).move_values().into_iter().fold(0.0, f32::max)).collect();
    assert!(values.contains(&0.0) && values.contains(&1.0), "{values:?}");
}

#[test]
fn tic_tac_toe_is_a_draw() {
    for params in rules() {
        for (moves, threads) in [(&[0][..], 2), (&[0, 4, 8], 1), (&[4, 1], 2)] {
            let game = TicTacToe::new(moves, 7);
            let (action, rate) = choice(&params, &game, 100_000, threads);
            let what = format!("{params:?} after {moves:?}: {action:?} at {rate}");
            assert_eq!(1.0 - game.after_move(action).minimax_value(), game.minimax_value(), "{what}");
            assert!((rate - game.minimax_value()).abs() < 0.05, "{what}");
        }
    }
}

#[test]
fn nim_is_won_by_bouton() {
    for params in rules() {
        for (heaps, threads) in [([1, 2, 4], 1), ([2, 1, 5], 2), ([1, 4, 4], 1)] {
            let game = Nim::new(&heaps, 5);
            let (action, rate) = choice(&params, &game, 100_000, threads);
            assert!(
                game.is_winning() && !game.after_move(action).is_winning(),
                "{params:?}, {heaps:?}: {action:?} at {rate}"
            );
            assert!(rate > 0.85, "{params:?}, {heaps:?}: {action:?} at {rate}");
        }
    }
}

#[test]
fn little_memory_prunes_and_still_converges() {
    for params in rules() {
        for threads in [1, 2] {
            // 200 nodes, where the whole tree has thousands.
            let params = TreeParams { memory: 200 * 32, ..params.clone() };
            let mut tree = Tree::new(params.clone());
            let game = Nim::new(&[1, 2, 4], 5);
            let outcome = search(&mut tree, &game, 60_000, threads);
            assert_eq!(u64::from(tree.visits()), 60_000, "playouts are not lost");
            assert!(outcome.prunings > 0, "{params:?}");
            let (nodes, bytes) = tree.memory_use();
            assert!(nodes <= 200 && bytes <= 200 * 32 + 64, "{nodes} nodes, {bytes} bytes");
            let best = &tree.ranked_children()[0];
            assert!(!game.after_move(best.action).is_winning(), "{params:?}, {threads} threads: {best:?}");
        }
    }
}

#[test]
fn memory_for_the_root_alone_is_enough_to_go_on() {
    let mut tree = Tree::new(TreeParams {
        memory: 1024,
        expand_at: 1,
        stop_when_settled: false,
        ..TreeParams::default()
    });
    let game = Nim::new(&[9, 9, 9], 5);
    let outcome = search(&mut tree, &game, 5_000, 1);
    assert_eq!((outcome.playouts, tree.visits()), (5_000, 5_000));
    assert_eq!(tree.ranked_children().len(), 27);
    // Not even that.
    let outcome = search(&mut Tree::new(tree.params().clone()), &Nim::new(&[16, 16, 16], 5), 5_000, 1);
    assert_eq!((outcome.playouts, outcome.prunings), (5_000, 1));
}

#[test]
fn every_final_move_finds_the_win() {
    for final_move in [FinalMove::Visits, FinalMove::WinRate, FinalMove::Lcb] {
        for final_share in [0.0, 0.2] {
            let params = TreeParams { final_move, final_share, ..rules()[0].clone() };
            let game = Nim::new(&[1, 2, 4], 5);
            let (action, _) = choice(&params, &game, 50_000, 1);
            assert!(!game.after_move(action).is_winning(), "{final_move:?}, {final_share}");
        }
    }
}

#[test]
fn widening_reaches_the_win_that_comes_last() {
    // The winning move is the last of 14 alike, and is looked at after 40 * 1.2^12 = 357 visits.
    let params = TreeParams { widening_start: 1, widening_growth: 1.2, ..rules()[0].clone() };
    let game = Nim::new(&[1, 1, 12], 5);
    let (action, _) = choice(&params, &game, 50_000, 1);
    assert_eq!(action, Nim::take_action(2, 12));
}
