//! Positions to learn from, with labels that beat human results: games continued by search to an exactly solved end.

use ishi_othello::{Board, Move, Square, iter_squares};
use ishi_rng::{Rng, Seed};

use super::train::EvalSample;
use crate::search::{CutConfidence, SearchEffort, SearchTask, Searcher};

/// How to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelfPlayParams {
    /// Plies of search for a move.
    pub depth: u32,
    /// From so many empty squares on positions are solved.
    pub exact: u32,
}

impl Default for SelfPlayParams {
    fn default() -> SelfPlayParams {
        SelfPlayParams { depth: 5, exact: 14 }
    }
}

/// Positions of one game: `opening` is played, then a random move, then what search likes best. Every position after the
/// random move has the exact score of the position where solving began. From there on random moves are played to
/// the end, and every position is solved for itself. Game `number` of a seed is always the same.
pub fn play_game(
    play: &SelfPlayParams,
    opening: Board,
    searcher: &mut Searcher,
    seed: Seed,
    number: u64,
) -> Vec<EvalSample> {
    let mut rng = seed.stream("self-play", number);
    searcher.clear_table();
    let effort =
        SearchEffort { depth: play.depth, exact: play.exact, win_loss: 0, confidence: CutConfidence::Fair };
    let mut board = play_random_move(opening, &mut rng);
    let mut line = Vec::new();
    while board.empty_count() > play.exact && !board.is_over() {
        line.push(board);
        board = board_after(board, best_move(board, effort, searcher).0);
    }
    let mut samples = Vec::new();
    let mut score = if board.is_over() { board.final_score() } else { best_move(board, effort, searcher).1 };
    samples.push(new_sample(board, score));
    // Signs alternate, but for passes: follow the side to move.
    let mut later = board;
    for &earlier in line.iter().rev() {
        score = if is_same_side(earlier, later) { score } else { -score };
        samples.push(new_sample(earlier, score));
        later = earlier;
    }
    while !board.is_over() && board.empty_count() > 1 {
        board = play_random_move(board, &mut rng);
        if !board.is_over() {
            samples.push(new_sample(board, best_move(board, effort, searcher).1));
        }
    }
    samples.retain(|sample| sample.board.legal_moves() != 0);
    samples
}

fn new_sample(board: Board, score: i32) -> EvalSample {
    EvalSample { board, score: score as f32, weight: 1.0 }
}

/// Is the side to move the same? A disc more on the board belongs to the mover, who no longer has the turn unless the
/// other had to pass.
fn is_same_side(earlier: Board, later: Board) -> bool {
    let placed = earlier.empty_squares() & !later.empty_squares();
    placed == 0 || later.player & placed != 0
}

fn best_move(board: Board, effort: SearchEffort, searcher: &mut Searcher) -> (Move, i32) {
    let mut nobody = |_: &_| {};
    let found = searcher.search_board(board, &mut SearchTask::new(effort, &mut nobody));
    (found.mv, found.score)
}

fn board_after(board: Board, mv: Move) -> Board {
    match mv {
        Move::Play(square) => pass_if_forced(board.play_unchecked(square)),
        Move::Pass => board.pass(),
    }
}

/// Passes for a side that must, unless the game is over.
fn pass_if_forced(board: Board) -> Board {
    if board.legal_moves() == 0 && !board.is_over() { board.pass() } else { board }
}

fn play_random_move(board: Board, rng: &mut Rng) -> Board {
    let moves: Vec<Square> = iter_squares(board.legal_moves()).collect();
    rng.choose(&moves).map_or(board, |&square| pass_if_forced(board.play_unchecked(square)))
}
