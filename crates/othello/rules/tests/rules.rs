//! The rules against a plain twin that walks square by square, against the symmetries, and against published counts.

#![allow(missing_docs)]

use ishi_othello::{Board, Square, Symmetry, iter_squares, perft};
use proptest::prelude::*;

/// Steps to the eight neighbours: columns and rows.
const STEPS: [(isize, isize); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The discs that a disc on `square` turns, found by walking.
fn plain_flips(board: Board, square: Square) -> u64 {
    if board.empty_squares() & square.bit() == 0 {
        return 0;
    }
    STEPS.iter().map(|&step| plain_run(board, square, step)).fold(0, |all, run| all | run)
}

/// The opponent's discs in this direction, if an own one stands behind them.
fn plain_run(board: Board, square: Square, (dx, dy): (isize, isize)) -> u64 {
    let (mut x, mut y) = (square.column() as isize + dx, square.row() as isize + dy);
    let mut run = 0;
    while (0..8).contains(&x) && (0..8).contains(&y) {
        let bit = Square::from_column_row(x as usize, y as usize).unwrap().bit();
        match bit {
            _ if board.opponent & bit != 0 => run |= bit,
            _ if board.player & bit != 0 => return run,
            _ => return 0,
        }
        (x, y) = (x + dx, y + dy);
    }
    0
}

fn plain_moves(board: Board) -> u64 {
    Square::all().filter(|&square| plain_flips(board, square) != 0).fold(0, |all, s| all | s.bit())
}

/// Any board; discs that cover most of it make long runs.
fn any_board() -> impl Strategy<Value = Board> {
    (any::<[u64; 3]>(), any::<bool>()).prop_map(|([a, b, own], full)| {
        let discs = if full { a | b } else { a };
        Board { player: discs & own, opponent: discs & !own }
    })
}

/// The boards of a game whose moves these numbers choose.
fn game(choices: &[u8]) -> Vec<Board> {
    let mut boards = vec![Board::START];
    let mut board = Board::START;
    for &choice in choices {
        let moves: Vec<Square> = iter_squares(board.legal_moves()).collect();
        board = match moves.get(usize::from(choice) % moves.len().max(1)) {
            Some(&square) => board.play_unchecked(square),
            None => board.pass(),
        };
        boards.push(board);
    }
    boards
}

fn check(board: Board) -> Result<(), TestCaseError> {
    prop_assert_eq!(board.legal_moves(), plain_moves(board), "moves of {:?}", board);
    for square in Square::all().filter(|square| board.empty_squares() & square.bit() != 0) {
        prop_assert_eq!(board.flips(square), plain_flips(board, square), "{} on {:?}", square, board);
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_board_agrees_with_the_plain_twin(board in any_board()) {
        check(board)?;
    }

    #[test]
    fn boards_of_games_agree_with_the_plain_twin(choices in prop::collection::vec(any::<u8>(), 0..70)) {
        for board in game(&choices) {
            check(board)?;
        }
    }

    #[test]
    fn symmetries_commute_with_flips_and_moves(choices in prop::collection::vec(any::<u8>(), 0..70)) {
        let board = *game(&choices).last().unwrap();
        for symmetry in Symmetry::ALL {
            let turned = symmetry.map_board(board);
            prop_assert_eq!(turned.legal_moves(), symmetry.map_bits(board.legal_moves()));
            prop_assert_eq!(turned.final_score(), board.final_score());
            for square in iter_squares(board.legal_moves()) {
                let image = symmetry.map_square(square);
                prop_assert_eq!(turned.flips(image), symmetry.map_bits(board.flips(square)));
                let after = symmetry.map_board(board.play_unchecked(square));
                prop_assert_eq!(turned.play_unchecked(image), after);
            }
        }
    }

    #[test]
    fn a_move_adds_one_disc(choices in prop::collection::vec(any::<u8>(), 0..70)) {
        for board in game(&choices) {
            for (_, after) in board.children() {
                prop_assert_eq!(after.empty_count() + 1, board.empty_count());
                prop_assert_eq!(after.player & after.opponent, 0);
            }
        }
    }
}

/// Depths 10 to 12 agree too; they take seconds to minutes.
#[test]
fn perft_is_the_published_one() {
    for (depth, &published) in (0u32..).zip(&perft::PUBLISHED).take(10) {
        assert_eq!(perft::perft(Board::START, depth), published, "depth {depth}");
    }
}

/// The count by the plain twin: shares nothing with the bitboards but their layout.
fn plain_perft(board: Board, depth: u32) -> u64 {
    let moves = plain_moves(board);
    match (depth, moves) {
        (0, _) => 1,
        (_, 0) if plain_moves(board.pass()) == 0 => 1,
        (_, 0) => plain_perft(board.pass(), depth - 1),
        _ => {
            let after = |square: Square| board.after_flips(square, plain_flips(board, square));
            iter_squares(moves).map(|square| plain_perft(after(square), depth - 1)).sum()
        }
    }
}

#[test]
fn the_plain_twin_counts_the_same() {
    for (depth, &published) in (0u32..).zip(&perft::PUBLISHED).take(7) {
        assert_eq!(plain_perft(Board::START, depth), published, "depth {depth}");
    }
}
