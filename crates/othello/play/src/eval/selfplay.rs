//! Positions to learn from, with labels that beat human results: games continued by search to an exactly solved end.

use ishi_othello::{Board, Move, Square, squares};
use ishi_rng::{Rng, Seed};

use super::train::Sample;
use crate::search::{Confidence, Effort, Searcher, Task};

/// How to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelfPlay {
    /// Plies of search for a move.
    pub depth: u32,
    /// From so many empty squares on positions are solved.
    pub exact: u32,
}

impl Default for SelfPlay {
    fn default() -> SelfPlay {
        SelfPlay { depth: 5, exact: 14 }
    }
}

/// Positions of one game: `opening` is played, then a random move, then what search likes best. Every position after the
/// random move has the exact score of the position where solving began. From there on random moves are played to
/// the end, and every position is solved for itself. Game `number` of a seed is always the same.
pub fn game(
    play: &SelfPlay,
    opening: Board,
    searcher: &mut Searcher,
    seed: Seed,
    number: u64,
) -> Vec<Sample> {
    let mut rng = seed.stream("self-play", number);
    searcher.forget();
    let effort = Effort { depth: play.depth, exact: play.exact, win_loss: 0, confidence: Confidence::Fair };
    let mut board = random_move(opening, &mut rng);
    let mut line = Vec::new();
    while board.empties() > play.exact && !board.is_over() {
        line.push(board);
        board = after(board, best(board, effort, searcher).0);
    }
    let mut samples = Vec::new();
    let mut score = if board.is_over() { board.final_score() } else { best(board, effort, searcher).1 };
    samples.push(sample(board, score));
    // Signs alternate, but for passes: follow the side to move.
    let mut later = board;
    for &earlier in line.iter().rev() {
        score = if same_side(earlier, later) { score } else { -score };
        samples.push(sample(earlier, score));
        later = earlier;
    }
    while !board.is_over() && board.empties() > 1 {
        board = random_move(board, &mut rng);
        if !board.is_over() {
            samples.push(sample(board, best(board, effort, searcher).1));
        }
    }
    samples.retain(|sample| sample.board.moves() != 0);
    samples
}

fn sample(board: Board, score: i32) -> Sample {
    Sample { board, score: score as f32, weight: 1.0 }
}

/// Is the side to move the same? A disc more on the board belongs to the mover, who no longer has the turn unless the
/// other had to pass.
fn same_side(earlier: Board, later: Board) -> bool {
    let placed = earlier.empty() & !later.empty();
    placed == 0 || later.player & placed != 0
}

fn best(board: Board, effort: Effort, searcher: &mut Searcher) -> (Move, i32) {
    let mut nobody = |_: &_| {};
    let found = searcher.search(board, &mut Task::new(effort, &mut nobody));
    (found.mv, found.score)
}

fn after(board: Board, mv: Move) -> Board {
    match mv {
        Move::Play(square) => turn_to(board.play_unchecked(square)),
        Move::Pass => board.pass(),
    }
}

/// Passes for a side that must, unless the game is over.
fn turn_to(board: Board) -> Board {
    if board.moves() == 0 && !board.is_over() { board.pass() } else { board }
}

fn random_move(board: Board, rng: &mut Rng) -> Board {
    let moves: Vec<Square> = squares(board.moves()).collect();
    rng.choose(&moves).map_or(board, |&square| turn_to(board.play_unchecked(square)))
}
