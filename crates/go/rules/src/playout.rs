//! Uniformly random playouts.
//!
//! Each player in turn plays one of the legal points that are not its own eyes, all equally likely, and passes when
//! there is none; the game ends with two passes in a row or at the move limit, and is scored by area.

use ishi_rng::Rng;

use crate::board::Board;
use crate::color::{Cell, Color};
use crate::moves::Move;
use crate::point::Point;
use crate::score;

/// How a playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlayoutResult {
    /// Black's area minus White's, without komi.
    pub score: i32,
    /// Moves played, passes included.
    pub moves: u32,
    /// Did it end at the move limit rather than with two passes?
    pub cut: bool,
}

/// Moves after which a playout is cut: three per point, as most engines have it.
pub fn default_move_limit(board: &Board) -> u32 {
    3 * board.size().area() as u32
}

/// Plays random moves from here to the end; `to_move` begins.
///
/// ```
/// use ishi_go::{Board, BoardSize, Color, playout};
/// use ishi_rng::Seed;
/// let mut board = Board::new(BoardSize::square(9).unwrap());
/// let limit = playout::default_move_limit(&board);
/// let end = playout::play_random_playout(&mut board, Color::Black, limit, &mut Seed::new(1).stream("playout", 0));
/// assert!(end.score.abs() <= 81 && end.moves <= limit);
/// ```
pub fn play_random_playout(board: &mut Board, to_move: Color, limit: u32, rng: &mut Rng) -> PlayoutResult {
    let mut course = PlayoutCourse { moves: 0, limit, passed: false };
    let mut black = to_move == Color::Black;
    loop {
        // Each colour gets its own copy of the code, in which the colour is a constant: 3 % faster.
        let end = if black {
            course.play_turn(board, Color::Black, rng)
        } else {
            course.play_turn(board, Color::White, rng)
        };
        if let Some(playout) = end {
            return playout;
        }
        black = !black;
    }
}

/// How far a playout is.
struct PlayoutCourse {
    moves: u32,
    limit: u32,
    /// Was the last move a pass?
    passed: bool,
}

impl PlayoutCourse {
    /// Plays a move; gives the result if that, or the limit, ends the playout.
    #[inline(always)]
    fn play_turn(&mut self, board: &mut Board, color: Color, rng: &mut Rng) -> Option<PlayoutResult> {
        if self.moves >= self.limit {
            return Some(result_at_limit(board, self.moves));
        }
        self.moves += 1;
        let mv = random_move(board, color, rng);
        board.play_unchecked(color, mv);
        let pass = mv == Move::Pass;
        if pass && self.passed {
            return Some(PlayoutResult { score: count_final_score(board), moves: self.moves, cut: false });
        }
        self.passed = pass;
        None
    }
}

/// The result of a playout that reached the move limit: here regions may be large. Out of line, for speed.
#[cold]
fn result_at_limit(board: &Board, moves: u32) -> PlayoutResult {
    PlayoutResult { score: score::tally_area(board).black_lead(), moves, cut: true }
}

/// A legal point that is not an own eye, uniformly at random, or a pass if there is none. Reorders the list of empty
/// points: what was tried goes to its end, so that no point is tried twice.
#[inline(always)]
fn random_move(board: &mut Board, color: Color, rng: &mut Rng) -> Move {
    let mut left = board.empty_count();
    while left > 0 {
        let n = rng.next_index(left);
        let point = board.nth_empty(n);
        if board.is_sensible(color, point) {
            return Move::Play(point);
        }
        left -= 1;
        board.swap_empty_points(n, left);
    }
    Move::Pass
}

/// Black's area minus White's on a board where every empty region is a single point or neutral: an empty point counts
/// for the colour of its neighbours if they have one colour only. After a playout that is area scoring; elsewhere ask
/// [`score::tally_area`].
pub fn count_final_score(board: &Board) -> i32 {
    let mut score = board.stone_count(Color::Black) as i32 - board.stone_count(Color::White) as i32;
    score += board.empty_points().map(|point| i32::from(point_ownership(board, point))).sum::<i32>();
    score
}

/// Adds 1 for every point of Black and takes 1 for every point of White, as [`count_final_score`] counts them, to `sums`,
/// indexed by [`Point::index`].
///
/// # Panics
/// If `sums` is shorter than [`Point::INDICES`].
pub fn add_ownership(board: &Board, sums: &mut [i32]) {
    for point in board.size().points() {
        sums[point.index()] += i32::from(point_ownership(board, point));
    }
}

/// 1 where Black owns the point, -1 where White does, 0 on neutral points, as [`count_final_score`] counts them.
#[inline]
pub fn point_ownership(board: &Board, point: Point) -> i8 {
    match board.cell(point) {
        Cell::Black => 1,
        Cell::White => -1,
        _ => {
            let around = point.neighbours().map(|n| board.cell(n));
            i8::from(around.contains(&Cell::Black)) - i8::from(around.contains(&Cell::White))
        }
    }
}
