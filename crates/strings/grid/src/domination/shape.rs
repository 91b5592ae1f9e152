//! The board as the sweep sees it: its cells along antidiagonals, and what is known of them.
//!
//! Antidiagonal `k` holds the cells with `x + y = k`; the sweep takes them from the bottom left to the top right.

use std::ops::RangeInclusive;

/// What the problem says of a point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CellConstraint {
    /// Empty or a stone, as the solver likes.
    #[default]
    Free,
    /// Must be empty.
    Empty,
    /// Must be a stone.
    Stone,
}

/// A point: column and row, from 0 at the top left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct GridPoint {
    pub(super) x: usize,
    pub(super) y: usize,
}

/// Size of the board and what is given of it.
#[derive(Clone, Debug)]
pub struct BoardShape {
    width: usize,
    height: usize,
    /// Row by row; nothing when all is free.
    given: Option<Vec<CellConstraint>>,
}

impl BoardShape {
    /// An empty board of `width` columns and `height` rows, both at least 1.
    ///
    /// # Panics
    /// When a side is 0.
    #[must_use]
    pub fn new(width: usize, height: usize) -> BoardShape {
        assert!(width > 0 && height > 0, "a board has at least one point");
        BoardShape { width, height, given: None }
    }

    /// Says what is known of the point in column `x`, row `y` (from 0).
    pub fn set_given(&mut self, x: usize, y: usize, what: CellConstraint) {
        let cells = self.cell_count();
        self.given.get_or_insert_with(|| vec![CellConstraint::Free; cells])[y * self.width + x] = what;
    }

    /// Columns.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Number of points.
    #[must_use]
    pub fn cell_count(&self) -> usize {
        self.width * self.height
    }

    /// Is nothing given?
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.given.is_none()
    }

    /// What is known of a point.
    #[must_use]
    pub fn given(&self, x: usize, y: usize) -> CellConstraint {
        self.given.as_ref().map_or(CellConstraint::Free, |given| given[y * self.width + x])
    }

    /// Number of antidiagonals.
    pub(super) fn diagonal_count(&self) -> usize {
        self.width + self.height - 1
    }

    /// Rows of an antidiagonal.
    pub(super) fn diagonal_rows(&self, diagonal: usize) -> RangeInclusive<usize> {
        (diagonal + 1).saturating_sub(self.width)..=diagonal.min(self.height - 1)
    }

    /// Sides of the board's edge that the point touches, 0 to 4.
    pub(super) fn edge_count(&self, point: GridPoint) -> u16 {
        let GridPoint { x, y } = point;
        u16::from(x == 0)
            + u16::from(y == 0)
            + u16::from(x + 1 == self.width)
            + u16::from(y + 1 == self.height)
    }

    /// The neighbours on the board.
    pub(super) fn neighbours(&self, point: GridPoint) -> impl Iterator<Item = GridPoint> {
        let GridPoint { x, y } = point;
        let near = [
            (x > 0).then(|| GridPoint { x: x - 1, y }),
            (y > 0).then(|| GridPoint { x, y: y - 1 }),
            (x + 1 < self.width).then(|| GridPoint { x: x + 1, y }),
            (y + 1 < self.height).then(|| GridPoint { x, y: y + 1 }),
        ];
        near.into_iter().flatten()
    }

    /// May the point be empty, may it be a stone?
    pub(super) fn point_choices(&self, point: GridPoint) -> PointChoices {
        let given = self.given(point.x, point.y);
        PointChoices { empty: given != CellConstraint::Stone, stone: given != CellConstraint::Empty }
    }
}

/// What a point may hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct PointChoices {
    pub(super) empty: bool,
    pub(super) stone: bool,
}
