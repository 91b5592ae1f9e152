//! The liberties that a stone would have once it is played, found without playing it.

use ishi_go::{Board, Cell, Chain, Color, Point};

/// Up to `N` different points.
#[derive(Clone, Copy, Debug)]
pub struct FewPoints<const N: usize> {
    points: [Point; N],
    count: usize,
}

impl<const N: usize> FewPoints<N> {
    /// No point yet.
    #[inline]
    pub fn new() -> FewPoints<N> {
        FewPoints { points: [Point::new(0, 0); N], count: 0 }
    }

    /// The points.
    #[inline]
    pub fn points(&self) -> &[Point] {
        &self.points[..self.count]
    }

    /// Are there `N` points already? Then there may be more.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.count == N
    }

    /// Number of points, `N` at most.
    #[inline]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Is there none?
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds a point, if it is new and there is room.
    #[inline]
    pub fn add_point(&mut self, point: Point) {
        if self.count < N && !self.points().contains(&point) {
            self.points[self.count] = point;
            self.count += 1;
        }
    }
}

impl<const N: usize> FromIterator<Point> for FewPoints<N> {
    /// The first `N` different points.
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut few = FewPoints::new();
        points.into_iter().for_each(|point| few.add_point(point));
        few
    }
}

impl<const N: usize> Default for FewPoints<N> {
    fn default() -> Self {
        FewPoints::new()
    }
}

/// The first `N` liberties of the chain that a stone of `color` on the empty `point` would belong to, after its captures.
/// None means suicide; a full answer means `N` or more.
///
/// ```
/// use ishi_go::{Color, Diagram};
/// let diagram: Diagram = "
///     . O .
///     O a X
///     . X X
/// ".parse().unwrap();
/// let board = diagram.to_board().unwrap();
/// assert_eq!(ishi_reading::liberties_after::<8>(&board, Color::White, diagram.marks[&'a']).len(), 3);
/// ```
#[inline]
pub fn liberties_after<const N: usize>(board: &Board, color: Color, point: Point) -> FewPoints<N> {
    let mut found = FewPoints::new();
    let (own, enemy) = (Cell::from(color), Cell::from(!color));
    let neighbours = point.neighbours();
    for n in neighbours {
        if board.cell(n) == Cell::Empty {
            found.add_point(n);
        }
    }
    let mut captured = [None; 4];
    for (n, captured) in neighbours.into_iter().zip(&mut captured) {
        if board.cell(n) == enemy {
            *captured = board.chain(n).filter(|&chain| board.atari_liberty(chain).is_some());
            if captured.is_some() {
                found.add_point(n);
            }
        }
    }
    for n in neighbours {
        if found.is_full() {
            return found;
        }
        if board.cell(n) == own
            && let Some(chain) = board.chain(n)
        {
            add_chain_liberties(board, chain, point, &mut found);
            add_captured(board, chain, &captured, &mut found);
        }
    }
    found
}

/// The liberties of a chain but for the point that is filled.
fn add_chain_liberties<const N: usize>(board: &Board, chain: Chain, filled: Point, found: &mut FewPoints<N>) {
    for stone in board.chain_stones(chain) {
        for n in stone.neighbours() {
            if board.cell(n) == Cell::Empty && n != filled {
                found.add_point(n);
                if found.is_full() {
                    return;
                }
            }
        }
    }
}

/// The captured stones that touch this chain: they become its liberties.
fn add_captured<const N: usize>(
    board: &Board,
    chain: Chain,
    captured: &[Option<Chain>; 4],
    found: &mut FewPoints<N>,
) {
    for &taken in captured.iter().flatten() {
        for stone in board.chain_stones(taken) {
            if stone.neighbours().into_iter().any(|n| board.chain(n) == Some(chain)) {
                found.add_point(stone);
                if found.is_full() {
                    return;
                }
            }
        }
    }
}
