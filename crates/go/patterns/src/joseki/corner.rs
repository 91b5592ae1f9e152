//! Corners of a 19x19 board as they are played: what stands in the 10x10 points, whatever corner, axis and colours.
//!
//! A corner has four aspects: as it stands or mirrored on its diagonal, with its colours or with the two exchanged. Positions that are
//! the same in one of them are the same position; the aspect with the least hash stands for all.

use std::fmt;

use ishi_go::{Board, BoardObserver, BoardSize, Cell, Chain, Color, Move, Point, zobrist};

/// Lines of a corner.
pub const LINES: usize = 10;
/// Points of a corner.
pub const POINTS: usize = LINES * LINES;

/// A point of a corner by its distances from the two edges; written as if the corner were the lower left one: `D4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CornerPoint(u8);

impl CornerPoint {
    /// The point at distances of 0 to 9 from the edges; None if farther.
    pub fn new(column: usize, row: usize) -> Option<CornerPoint> {
        (column < LINES && row < LINES).then(|| CornerPoint((row * LINES + column) as u8))
    }

    /// The point of this [`CornerPoint::index`], if it is one.
    pub fn from_index(index: usize) -> Option<CornerPoint> {
        (index < POINTS).then_some(CornerPoint(index as u8))
    }

    /// 0 to 99, row by row.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Distance from the left edge, 0 to 9.
    pub fn column(self) -> usize {
        self.index() % LINES
    }

    /// Distance from the lower edge, 0 to 9.
    pub fn row(self) -> usize {
        self.index() / LINES
    }

    /// The point on the other side of the diagonal.
    pub fn mirrored(self) -> CornerPoint {
        CornerPoint((self.column() * LINES + self.row()) as u8)
    }

    /// The point of the lower left corner of a board.
    pub fn on_board(self) -> Point {
        Point::new(self.column(), self.row())
    }

    /// Reads `D4`.
    pub fn parse(text: &str) -> Option<CornerPoint> {
        let size = BoardSize::new(LINES, LINES).ok()?;
        let point = size.parse_point(text).ok()?;
        CornerPoint::new(point.column(), point.row())
    }
}

impl fmt::Display for CornerPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.on_board().fmt(f)
    }
}

/// A move in a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CornerMove {
    /// Who plays.
    pub color: Color,
    /// Where.
    pub point: CornerPoint,
}

/// One of the four ways to look at a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aspect {
    /// Mirrored on the diagonal.
    pub mirrored: bool,
    /// Black and White exchanged.
    pub exchanged: bool,
}

impl Aspect {
    /// All aspects; the corner as it stands is the first.
    pub const ALL: [Aspect; 4] = [
        Aspect { mirrored: false, exchanged: false },
        Aspect { mirrored: true, exchanged: false },
        Aspect { mirrored: false, exchanged: true },
        Aspect { mirrored: true, exchanged: true },
    ];

    /// A move as it looks in this aspect; the same again leads back.
    pub fn transform_move(self, mv: CornerMove) -> CornerMove {
        CornerMove {
            color: if self.exchanged { !mv.color } else { mv.color },
            point: if self.mirrored { mv.point.mirrored() } else { mv.point },
        }
    }
}

/// What stands in a corner, as hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct CornerHashes {
    /// Hashes of the position in the four aspects.
    hashes: [u64; 4],
}

/// A corner's position: the same for every aspect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CornerKey(pub u64);

impl CornerHashes {
    /// Puts a stone, or takes one off.
    pub fn toggle_stone(&mut self, stone: CornerMove) {
        for (hash, aspect) in self.hashes.iter_mut().zip(Aspect::ALL) {
            let seen = aspect.transform_move(stone);
            *hash ^= zobrist::stone_key(seen.color, seen.point.on_board());
        }
    }

    /// The position, whatever the aspect.
    pub fn key(&self) -> CornerKey {
        CornerKey(self.hashes.into_iter().min().expect("four"))
    }

    /// The aspects that stand for all: more than one if the position is symmetric.
    pub fn standard_aspects(&self) -> impl Iterator<Item = Aspect> + '_ {
        let key = self.key().0;
        Aspect::ALL
            .into_iter()
            .zip(self.hashes)
            .filter(move |&(_, hash)| hash == key)
            .map(|(aspect, _)| aspect)
    }

    /// A move as it looks in the standard aspect: the least of the moves that are the same.
    pub fn standard_move(&self, mv: CornerMove) -> CornerMove {
        self.standard_aspects().map(|aspect| aspect.transform_move(mv)).min().expect("an aspect")
    }

    /// The moves here that look like this one in the standard aspect: the reverse of [`CornerHashes::standard_move`].
    pub fn moves_here(&self, standard: CornerMove) -> impl Iterator<Item = CornerMove> + '_ {
        self.standard_aspects().map(move |aspect| aspect.transform_move(standard))
    }

    /// Is the position its own mirror image?
    pub fn is_symmetric(&self) -> bool {
        self.hashes[0] == self.hashes[1]
    }
}

/// A corner by itself: only the moves that were played in it stand on the board, and the rest is empty.
#[derive(Clone, Debug)]
pub struct CornerBoard {
    board: Board,
    corner: CornerHashes,
    last: Option<CornerMove>,
}

impl Default for CornerBoard {
    /// An empty corner.
    fn default() -> Self {
        let size = BoardSize::square(19).expect("a size");
        CornerBoard { board: Board::new(size), corner: CornerHashes::default(), last: None }
    }
}

impl CornerBoard {
    /// What stands in the corner.
    pub fn corner(&self) -> &CornerHashes {
        &self.corner
    }

    /// The last move.
    pub fn last_move(&self) -> Option<CornerMove> {
        self.last
    }

    /// Is the point empty?
    pub fn is_empty(&self, point: CornerPoint) -> bool {
        self.board.cell(point.on_board()) == Cell::Empty
    }

    /// The board: the corner is its lower left one.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Plays a move; false, and nothing is changed, if a stone stands there or the move is suicide. There is always a threat
    /// somewhere: a ko may be retaken.
    pub fn play(&mut self, mv: CornerMove) -> bool {
        let point = mv.point.on_board();
        if !self.board.is_legal(mv.color, point) {
            return false;
        }
        self.board.play_observed(mv.color, Move::Play(point), &mut self.corner);
        self.board.set_ko(None);
        self.last = Some(mv);
        true
    }
}

impl BoardObserver for CornerHashes {
    fn on_place(&mut self, _: &Board, color: Color, point: Point) {
        if let Some(point) = CornerPoint::new(point.column(), point.row()) {
            self.toggle_stone(CornerMove { color, point });
        }
    }

    fn on_capture(&mut self, board: &Board, color: Color, point: Point) {
        self.on_place(board, color, point);
    }

    fn on_merge(&mut self, _: &Board, _: Chain, _: Chain) {}
}

/// Where a point of the board lies in each of the corners, in this order: lower left, lower right, upper left, upper right.
pub fn corner_points(size: BoardSize, point: Point) -> [Option<CornerPoint>; 4] {
    let (column, row) = (point.column(), point.row());
    let (right, top) = (size.width() - 1 - column, size.height() - 1 - row);
    [(column, row), (right, row), (column, top), (right, top)]
        .map(|(column, row)| CornerPoint::new(column, row))
}

/// The point of the board at a place of a corner (0 to 3, as of [`corner_points`]).
pub fn board_point(size: BoardSize, corner: usize, place: CornerPoint) -> Point {
    let column = if corner.is_multiple_of(2) { place.column() } else { size.width() - 1 - place.column() };
    let row = if corner < 2 { place.row() } else { size.height() - 1 - place.row() };
    Point::new(column, row)
}
