//! The eight symmetries of the square, for points, moves and boards. On rectangular boards four of them keep the shape
//! and the other four swap width and height.

use crate::board::Board;
use crate::moves::Move;
use crate::point::{BoardSize, Point};

/// A symmetry of the board: perhaps mirror the columns, perhaps mirror the rows, then perhaps swap columns and rows.
///
/// ```
/// use ishi_go::{BoardSize, Symmetry};
/// let size = BoardSize::square(9).unwrap();
/// let c4 = size.parse_point("C4").unwrap();
/// let images: Vec<String> = Symmetry::ALL.iter().map(|s| s.map_point(size, c4).to_string()).collect();
/// assert_eq!(images, ["C4", "G4", "C6", "G6", "D3", "D7", "F3", "F7"]);
/// for symmetry in Symmetry::ALL {
///     assert_eq!(symmetry.inverse().map_point(size, symmetry.map_point(size, c4)), c4);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symmetry(u8);

const COLUMNS: u8 = 1;
const ROWS: u8 = 2;
const TRANSPOSE: u8 = 4;

impl Symmetry {
    /// The symmetry that changes nothing.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// All eight, the identity first; the first four keep the shape of every board.
    pub const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry(0); 8];
        let mut i = 0;
        while i < 8 {
            all[i] = Symmetry(i as u8);
            i += 1;
        }
        all
    };

    /// The symmetries that map a board of this size onto itself: eight for squares, else four.
    ///
    /// ```
    /// use ishi_go::{BoardSize, Symmetry};
    /// let count = |width, height| Symmetry::for_size(BoardSize::new(width, height).unwrap()).len();
    /// assert_eq!((count(9, 9), count(9, 7)), (8, 4));
    /// ```
    pub fn for_size(size: BoardSize) -> &'static [Symmetry] {
        if size.width() == size.height() { &Symmetry::ALL } else { &Symmetry::ALL[..4] }
    }

    /// Does it swap width and height?
    pub const fn transposes(self) -> bool {
        self.0 & TRANSPOSE != 0
    }

    /// The size of the image of a board.
    pub fn map_size(self, size: BoardSize) -> BoardSize {
        if self.transposes() { size.transposed() } else { size }
    }

    /// The image of a point of a board of this size.
    pub const fn map_point(self, size: BoardSize, point: Point) -> Point {
        let (mut column, mut row) = (point.column(), point.row());
        if self.0 & COLUMNS != 0 {
            column = size.width() - 1 - column;
        }
        if self.0 & ROWS != 0 {
            row = size.height() - 1 - row;
        }
        if self.transposes() { Point::new(row, column) } else { Point::new(column, row) }
    }

    /// The image of a move; a pass stays a pass.
    pub const fn map_move(self, size: BoardSize, mv: Move) -> Move {
        match mv {
            Move::Play(point) => Move::Play(self.map_point(size, point)),
            Move::Pass => Move::Pass,
        }
    }

    /// The image of a board: stones and the ko.
    pub fn map_board(self, board: &Board) -> Board {
        let size = board.size();
        let stones =
            size.points().filter_map(|p| board.color(p).map(|color| (color, self.map_point(size, p))));
        let mut image =
            Board::from_stones(self.map_size(size), stones).expect("stones with liberties keep them");
        image.set_ko(board.ko_point().map(|point| self.map_point(size, point)));
        image
    }

    /// First this symmetry, then `other`.
    pub const fn followed_by(self, other: Symmetry) -> Symmetry {
        let swapped = (other.0 & COLUMNS) << 1 | (other.0 & ROWS) >> 1;
        let mirrors = if self.transposes() { swapped } else { other.0 & (COLUMNS | ROWS) };
        Symmetry(self.0 ^ mirrors ^ (other.0 & TRANSPOSE))
    }

    /// The symmetry that takes this one back.
    ///
    /// ```
    /// use ishi_go::Symmetry;
    /// assert!(Symmetry::ALL.iter().all(|&each| each.followed_by(each.inverse()) == Symmetry::IDENTITY));
    /// ```
    pub fn inverse(self) -> Symmetry {
        // All but the two quarter turns are their own inverse.
        match self.0 & (COLUMNS | ROWS) {
            COLUMNS | ROWS if self.transposes() => Symmetry(self.0 ^ (COLUMNS | ROWS)),
            _ => self,
        }
    }
}

impl BoardSize {
    /// Width and height swapped.
    pub const fn transposed(self) -> BoardSize {
        match BoardSize::new(self.height(), self.width()) {
            Ok(size) => size,
            Err(_) => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_symmetries_are_a_group() {
        let size = BoardSize::new(5, 7).unwrap();
        for a in Symmetry::ALL {
            assert_eq!(a.followed_by(a.inverse()), Symmetry::IDENTITY);
            assert_eq!(a.inverse().followed_by(a), Symmetry::IDENTITY);
            for b in Symmetry::ALL {
                for point in size.points() {
                    assert_eq!(
                        a.followed_by(b).map_point(size, point),
                        b.map_point(a.map_size(size), a.map_point(size, point))
                    );
                }
            }
        }
    }

    #[test]
    fn the_symmetries_are_permutations_and_all_differ() {
        let size = BoardSize::square(3).unwrap();
        let mut images: Vec<Vec<Point>> =
            Symmetry::ALL.iter().map(|s| size.points().map(|p| s.map_point(size, p)).collect()).collect();
        for image in &images {
            let mut sorted = image.clone();
            sorted.sort();
            assert_eq!(sorted, size.points().collect::<Vec<_>>());
        }
        images.sort();
        images.dedup();
        assert_eq!(images.len(), 8);
    }
}
