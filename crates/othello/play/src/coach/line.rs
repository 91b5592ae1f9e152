//! Lines of play, followed move by move, and how both sides stand after them.

use ishi_othello::{Board, CORNERS, Square, iter_squares};

use super::regions::squares_around;
use super::stable::find_stable_discs;

/// A move of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LinePly {
    /// The move.
    pub(super) square: Square,
    /// Made by the one who made the first move?
    pub(super) own: bool,
    /// The board before it, seen by the one who makes it.
    pub(super) before: Board,
}

impl LinePly {
    /// Takes it a corner?
    pub(super) fn takes_corner(&self) -> bool {
        CORNERS & self.square.bit() != 0
    }

    /// The own discs without which the move would turn nothing (Japanese 種石): one at the far end of each row that it turns.
    pub(super) fn find_seeds(&self) -> u64 {
        let flips = self.before.flips(self.square);
        let other = squares_around(flips) & self.before.player;
        let needed = |seed: &Square| {
            let without = Board { player: self.before.player & !seed.bit(), ..self.before };
            without.flips(self.square) != flips
        };
        iter_squares(other).filter(needed).map(Square::bit).sum()
    }
}

/// A line of legal moves from a board on. Passes are made where they are forced.
#[derive(Clone, Debug)]
pub(super) struct FollowedLine {
    /// Its moves.
    pub(super) plies: Vec<LinePly>,
    /// Had the one who made the first move to pass, and the other?
    pub(super) passes: (bool, bool),
    /// The board after it, seen by the one who made the first move.
    pub(super) end: Board,
    /// Is the one who made the first move to move after it?
    pub(super) own_turn: bool,
}

impl FollowedLine {
    /// Follows these moves up to the first that is not legal.
    pub(super) fn new(board: Board, squares: &[Square]) -> FollowedLine {
        let mut line = FollowedLine { plies: Vec::new(), passes: (false, false), end: board, own_turn: true };
        for &square in squares {
            line.pass_if_forced();
            let before = line.board_to_move();
            if !before.is_legal(square) {
                break;
            }
            line.plies.push(LinePly { square, own: line.own_turn, before });
            line.hand_over(before.play_unchecked(square));
        }
        line.pass_if_forced();
        line
    }

    /// Its first moves; `board` is the one before them.
    pub(super) fn first_plies(&self, board: Board, plies: usize) -> FollowedLine {
        FollowedLine::new(board, &self.squares()[..self.plies.len().min(plies)])
    }

    /// The board after it, seen by the side that is to move.
    pub(super) fn board_to_move(&self) -> Board {
        if self.own_turn { self.end } else { self.end.pass() }
    }

    /// Its moves.
    pub(super) fn squares(&self) -> Vec<Square> {
        self.plies.iter().map(|ply| ply.square).collect()
    }

    /// Who filled the last square of these: the one who made the first move? `None` where one is still empty.
    pub(super) fn is_last_of_region_own(&self, region: u64) -> Option<bool> {
        let last = || self.plies.iter().rev().find(|ply| region & ply.square.bit() != 0);
        (self.end.empty_squares() & region == 0).then(last).flatten().map(|ply| ply.own)
    }

    /// Sees the board from the other side; `board` is seen by the one who is to move next.
    fn hand_over(&mut self, board: Board) {
        self.own_turn = !self.own_turn;
        self.end = if self.own_turn { board } else { board.pass() };
    }

    fn pass_if_forced(&mut self) {
        let board = self.board_to_move();
        if board.legal_moves() == 0 && board.pass().legal_moves() != 0 {
            let (own, other) = &mut self.passes;
            *(if self.own_turn { own } else { other }) = true;
            self.own_turn = !self.own_turn;
        }
    }
}

/// How both sides stand on a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BoardStanding {
    /// Moves of the side that it is seen by, were it to move, and of the other.
    pub(super) moves: (u32, u32),
    /// Of these, the safe ones.
    pub(super) safe_moves: (u32, u32),
    /// Discs that nobody can turn, as bitboards.
    pub(super) stable: (u64, u64),
}

impl BoardStanding {
    /// Of the side that the board is seen by, and of the other.
    pub(super) fn of_board(board: Board) -> BoardStanding {
        let both =
            |count: &dyn Fn(Board) -> u64| (count(board).count_ones(), count(board.pass()).count_ones());
        BoardStanding {
            moves: both(&Board::legal_moves),
            safe_moves: both(&find_safe_moves),
            stable: find_stable_discs(board),
        }
    }
}

/// The moves of the side to move that touch no empty corner and open none to the opponent (Japanese 余裕手, as far as a look at the
/// board tells).
pub(super) fn find_safe_moves(board: Board) -> u64 {
    let open_already = board.pass().legal_moves();
    let opens_corner =
        |square: Square| board.play_unchecked(square).legal_moves() & CORNERS & !open_already != 0;
    let is_safe = |square: &Square| find_touched_corner(board, *square).is_none() && !opens_corner(*square);
    iter_squares(board.legal_moves()).filter(is_safe).map(Square::bit).sum()
}

/// Lies a square diagonally beside this corner, in another row and another column?
pub(super) fn is_diagonal(corner: Square, square: Square) -> bool {
    corner.column() != square.column() && corner.row() != square.row()
}

/// The empty corner that a square touches, along the edge or diagonally.
pub(super) fn find_touched_corner(board: Board, square: Square) -> Option<Square> {
    let touched = squares_around(square.bit()) & CORNERS & board.empty_squares() & !square.bit();
    iter_squares(touched).next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::testing::{board, named, square};
    use ishi_rng::Seed;

    fn squares(text: &str) -> Vec<Square> {
        text.split_whitespace().map(square).collect()
    }

    #[test]
    fn lines_are_followed_to_the_first_move_that_is_not_legal() {
        let line = FollowedLine::new(Board::START, &squares("f5 d6 c3 a1 d3"));
        assert_eq!(line.squares(), squares("f5 d6 c3"));
        assert!(!line.own_turn);
        assert!(line.plies[0].own && !line.plies[1].own && line.plies[2].own);
        let played = line.squares().into_iter().fold(Board::START, Board::play_unchecked);
        assert_eq!((line.board_to_move(), line.end), (played, played.pass()));
    }

    /// Followed to their ends with all passes, random games have the result that the rules give.
    #[test]
    fn passes_are_made_where_they_are_forced() {
        let (mut own_passes, mut other_passes) = (0, 0);
        for game in 0..60 {
            let mut rng = Seed::new(9).stream("line", game);
            let (mut at, mut own, mut moves) = (Board::START, true, Vec::new());
            while !at.is_over() {
                let legal: Vec<Square> = iter_squares(at.legal_moves()).collect();
                match rng.choose(&legal) {
                    Some(&square) => {
                        moves.push(square);
                        at = at.play_unchecked(square);
                    }
                    None => at = at.pass(),
                }
                own = !own;
            }
            let line = FollowedLine::new(Board::START, &moves);
            assert_eq!(line.squares(), moves);
            assert_eq!(line.end, if own { at } else { at.pass() });
            let filled = line.end.empty_squares() == 0;
            let last = line.plies.last().filter(|_| filled).map(|ply| ply.own);
            assert_eq!(line.is_last_of_region_own(!0), last);
            own_passes += usize::from(line.passes.0);
            other_passes += usize::from(line.passes.1);
        }
        assert!(own_passes > 0 && other_passes > 0);
    }

    #[test]
    fn seeds_are_the_discs_that_a_move_needs() {
        let board = board("-OX----- -------- -------- -------- -------- -------- ------O- -------X");
        let ply = LinePly { square: square("a1"), own: true, before: board };
        assert!(ply.takes_corner());
        assert_eq!(ply.find_seeds(), named("c1"));
    }

    #[test]
    fn safe_moves_keep_away_from_empty_corners() {
        let board = board("-------- -------- --O----- ---XO--- ---OX--- -------- -------- --------");
        let safe = find_safe_moves(board);
        assert_eq!(board.legal_moves() & !safe, named("b2"));
        assert_eq!(find_touched_corner(board, square("b2")), Some(square("a1")));
        assert_eq!(find_touched_corner(board, square("c3")), None);
    }
}
