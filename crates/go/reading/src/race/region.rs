//! Which points a race is about.

use ishi_go::{Color, Point};

use crate::board::ReadingBoard;
use crate::point_set::PointSet;

/// Chains beside the race with at most so many liberties take part in it.
const WEAK: usize = 3;
/// Empty areas of at most so many points beside the race belong to it whole.
const EYE_SPACE: usize = 9;

/// The points where moves are made, and the stones beside them that are safe: a side that joins its own is out of the race.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Region {
    pub(super) points: PointSet,
    safe: [PointSet; 2],
}

impl Region {
    /// The region of these two chains: their liberties and eyes, and those of the weak chains among them.
    pub(super) fn of(board: &ReadingBoard, stones: [Point; 2]) -> Region {
        let mut chains: Vec<Point> = stones.iter().map(|&stone| board.head(stone)).collect();
        let mut points = PointSet::EMPTY;
        let mut next = 0;
        while next < chains.len() {
            for &chain in &chains[next..] {
                points.add(board.liberties(chain));
                points.add(&board.stones(chain).collect());
            }
            next = chains.len();
            add_eye_spaces(board, &mut points);
            for stone in points.grown().without(board.empty()).iter() {
                if board.color(stone).is_none() || chains.contains(&board.head(stone)) {
                    continue;
                }
                let inside = board.liberties(stone).without(&points).is_empty();
                if inside || board.liberty_count(stone) <= WEAK {
                    chains.push(board.head(stone));
                }
            }
        }
        Region { points, safe: beside(board, &points) }
    }

    /// The stones beside the region that are safe.
    pub(super) fn safe_stones(&self, color: Color) -> &PointSet {
        &self.safe[color.index()]
    }

    /// The same, and those of the region that hang together with them.
    pub(super) fn safe_of(&self, board: &ReadingBoard, color: Color) -> PointSet {
        let safe = self.safe_stones(color);
        safe.flooded(&board.of(color).and(&self.points).or(safe), usize::MAX)
    }

    /// Does the stone's chain hang together with safe stones of its colour?
    pub(super) fn is_out(&self, board: &ReadingBoard, stone: Point, color: Color) -> bool {
        let safe = self.safe_stones(color);
        !safe.is_empty() && board.stones(stone).any(|stone| safe.contains(stone))
    }
}

/// The stones of both colours beside the points.
fn beside(board: &ReadingBoard, points: &PointSet) -> [PointSet; 2] {
    let beside = points.grown();
    [Color::Black, Color::White].map(|color| board.of(color).without(points).and(&beside))
}

fn add_eye_spaces(board: &ReadingBoard, points: &mut PointSet) {
    let mut todo = points.and(board.empty());
    while let Some(start) = todo.first() {
        let space = PointSet::of(start).flooded(board.empty(), EYE_SPACE);
        todo = todo.without(&space);
        if space.len() <= EYE_SPACE {
            points.add(&space);
        }
    }
}
