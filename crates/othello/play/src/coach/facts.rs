//! What a move does to the board, in numbers.

use ishi_othello::{Board, CORNERS, Square, iter_squares};

use super::regions::{ParityRegion, count_frontier, find_regions, squares_around};
use super::stable::find_stable_discs;

/// Own discs that a move must join to be a pull.
const LEAST_JOINED: u32 = 3;
/// Empty squares beside the discs that a pull turns, at most.
const MOST_OPENNESS_OF_PULL: u32 = 2;

/// What a legal move does, for the side that makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveFacts {
    /// The move.
    pub square: Square,
    /// Discs turned.
    pub turned: u32,
    /// Empty squares beside the discs turned, each counted once: 0 is a move inside the opponent's discs that opens
    /// nothing (Japanese 開放度).
    pub openness: u32,
    /// Does the disc join own discs, and open little (Japanese 引っ張り)? All discs around it are own ones, three and
    /// more, it touches no empty corner, and its openness is 1 or 2.
    pub pulls: bool,
    /// Moves that the opponent has next.
    pub replies: u32,
    /// Moves that the mover would have next, were it to move again.
    pub own_moves: u32,
    /// Own discs with an empty square beside them, afterwards: each may give the opponent a move.
    pub frontier: u32,
    /// Corners that the opponent may take now and could not before, as a bitboard.
    pub corners_given: u64,
    /// The empty corner that this square touches diagonally (an X-square).
    pub x_square_of: Option<Square>,
    /// The empty corner that this square touches along the edge (a C-square).
    pub c_square_of: Option<Square>,
    /// Discs that have become stable, own minus the opponent's.
    pub stable_gain: i32,
    /// Is the disc put on an edge between two discs of the opponent's that the move does not turn?
    pub wedge: bool,
    /// Edge squares between two own discs that the opponent may take now, where it could not before, as a
    /// bitboard.
    pub wedges_given: u64,
    /// The region of empty squares that is played into, and how many regions of odd size there are.
    pub region: ParityRegion,
    /// Regions of odd size that the mover may play into.
    pub odd_regions: u32,
}

impl MoveFacts {
    /// The facts of a legal move.
    pub fn from_move(board: Board, square: Square) -> MoveFacts {
        let flips = board.flips(square);
        let after = board.after_flips(square, flips);
        let mover = after.pass();
        let regions = find_regions(board);
        let (own_before, other_before) = find_stable_discs(board);
        let (other_after, own_after) = find_stable_discs(after);
        let gain = |after: u64, before: u64| after.count_ones() as i32 - before.count_ones() as i32;
        let new_replies = after.legal_moves() & !board.pass().legal_moves();
        let around = squares_around(square.bit()) & !square.bit();
        let joins = around & after.player == 0 && (around & mover.player).count_ones() >= LEAST_JOINED;
        let openness = (squares_around(flips) & after.empty_squares()).count_ones();
        let x_square_of = corner_beside(square, board, CornerRelation::Diagonally);
        let c_square_of = corner_beside(square, board, CornerRelation::OnTheEdge);
        let touches_corner = x_square_of.or(c_square_of).is_some();
        MoveFacts {
            square,
            turned: flips.count_ones(),
            openness,
            pulls: joins && !touches_corner && (1..=MOST_OPENNESS_OF_PULL).contains(&openness),
            replies: after.legal_moves().count_ones(),
            own_moves: mover.legal_moves().count_ones(),
            frontier: count_frontier(mover.player, after),
            corners_given: new_replies & CORNERS,
            x_square_of,
            c_square_of,
            stable_gain: gain(own_after, own_before) - gain(other_after, other_before),
            wedge: is_wedge(board, square),
            wedges_given: find_wedges(after) & !find_wedges(board.pass()),
            region: region_of(square, &regions),
            odd_regions: regions
                .iter()
                .filter(|region| region.is_odd() && region.squares & board.legal_moves() != 0)
                .count() as u32,
        }
    }
}

/// How a square lies beside a corner.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CornerRelation {
    Diagonally,
    OnTheEdge,
}

/// The empty corner that a square lies beside in this way.
fn corner_beside(square: Square, board: Board, beside: CornerRelation) -> Option<Square> {
    let corner = iter_squares(CORNERS & board.empty_squares() & squares_around(square.bit())).next()?;
    let is_x = corner.column() != square.column() && corner.row() != square.row();
    (corner != square && is_x == (beside == CornerRelation::Diagonally)).then_some(corner)
}

fn region_of(square: Square, regions: &[ParityRegion]) -> ParityRegion {
    let holds = |region: &&ParityRegion| region.squares & square.bit() != 0;
    regions.iter().find(holds).copied().unwrap_or(ParityRegion { squares: square.bit() })
}

/// The moves of the side to move that wedge in.
fn find_wedges(board: Board) -> u64 {
    iter_squares(board.legal_moves()).filter(|&square| is_wedge(board, square)).map(Square::bit).sum()
}

/// Stands the disc of this move on an edge between two of the other side? Those that the move turns protect it no more.
fn is_wedge(board: Board, square: Square) -> bool {
    is_between(square, board.opponent & !board.flips(square))
}

/// Is this a square of an edge with one of these discs on either side along the edge?
fn is_between(square: Square, discs: u64) -> bool {
    let both = |a: Option<Square>, b: Option<Square>| {
        a.zip(b).is_some_and(|(a, b)| discs & a.bit() != 0 && discs & b.bit() != 0)
    };
    let (column, row) = (square.column(), square.row());
    let in_row = row == 0 || row == 7;
    let in_column = column == 0 || column == 7;
    in_row
        && column > 0
        && both(Square::from_column_row(column - 1, row), Square::from_column_row(column + 1, row))
        || in_column
            && row > 0
            && both(Square::from_column_row(column, row - 1), Square::from_column_row(column, row + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::testing::{board, named, square};

    #[test]
    fn the_first_move() {
        let facts = MoveFacts::from_move(Board::START, square("f5"));
        assert_eq!((facts.turned, facts.replies, facts.own_moves), (1, 3, 3));
        assert_eq!(facts.openness, 4, "d6, e6, f6 and f4 are beside e5");
        assert_eq!(facts.corners_given, 0);
        assert_eq!((facts.x_square_of, facts.c_square_of, facts.wedge), (None, None, false));
        assert_eq!(facts.region.size(), 60);
    }

    #[test]
    fn corners_and_the_squares_beside_them() {
        // b2 is an X-square of the empty corner a1; it turns c3, and White on d4 then takes a1.
        let board = board("-------- -------- --O----- ---XO--- ---OX--- ----O--- -------- --------");
        let facts = MoveFacts::from_move(board, square("b2"));
        assert_eq!((facts.x_square_of, facts.c_square_of), (Some(square("a1")), None));
        assert_eq!(facts.corners_given, 0, "no white disc stands behind");
        let worse = self::board("-------- -------- --O----- ---X---- ----O--- -------- -------- --------");
        assert_eq!(MoveFacts::from_move(worse, square("b2")).corners_given, named("a1"));
    }

    /// The moves to d3 and to d7 of the opening Rose are known pulls. c4 there splits the opponent's discs.
    #[test]
    fn pulls_join_own_discs_and_open_little() {
        let after = |moves: &str| ishi_othello::Position::from_transcript(moves).unwrap().board();
        let facts = MoveFacts::from_move(after("f5d6c5f4e3c6"), square("d3"));
        assert_eq!((facts.pulls, facts.openness), (true, 1));
        let facts = MoveFacts::from_move(after("f5d6c5f4e3c6d3f6e6"), square("d7"));
        assert_eq!((facts.pulls, facts.openness), (true, 2));
        let facts = MoveFacts::from_move(after("f5d6c5f4e3c6d3f6e6d7g4"), square("c4"));
        assert_eq!((facts.pulls, facts.openness), (false, 3));
        // It joins three own discs, but opens much; it opens little, but touches an empty corner.
        let wide = board("-------- -------- -X------ -X-OOOOX -X------ -------- -------- --------");
        assert!(!MoveFacts::from_move(wide, square("c4")).pulls);
        let corner = board("-------- --XX---- -XOX---- --XX---- -------- -------- -------- --------");
        let facts = MoveFacts::from_move(corner, square("b2"));
        assert_eq!((facts.pulls, facts.openness, facts.x_square_of), (false, 1, Some(square("a1"))));
    }

    #[test]
    fn wedges() {
        let board = board("--O-O--- ---O---- ---X---- -------- -------- -------- -------- --------");
        let facts = MoveFacts::from_move(board, square("d1"));
        assert!(facts.wedge);
        // The move turns c1 and e1: no white disc stands beside it.
        let board = self::board("-XO-OX-- ---X---- -------- -------- -------- -------- -------- --------");
        let facts = MoveFacts::from_move(board, square("d1"));
        assert!(!facts.wedge);
        let board = self::board("-X-OX-O- -------- -------- -------- -------- -------- -------- --------");
        let facts = MoveFacts::from_move(board, square("c1"));
        assert!(!facts.wedge);
        assert_eq!(facts.wedges_given, 0);
        // After a3, White may play between a3 and a5, with b4 turned to c4.
        let board = self::board("-------- -------- -OX----- -XO----- X------- -------- -------- --------");
        let facts = MoveFacts::from_move(board, square("a3"));
        assert_eq!(facts.wedges_given, named("a4"));
    }

    #[test]
    fn parity_counts_odd_regions_that_can_be_entered() {
        let board = board("-OXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXOX XXXXXX--");
        assert_eq!(find_regions(board).len(), 2);
        let facts = MoveFacts::from_move(board, square("a1"));
        assert_eq!((facts.region.size(), facts.odd_regions), (1, 1));
        assert_eq!(facts.replies, 0);
    }
}
