//! The sphere of a group: what is nearer to it than to its enemies.

use ishi_go::{Color, Point};

use super::chains_of;
use crate::board::ReadingBoard;
use crate::point_set::PointSet;

/// The stones and empty points that the group of a stone reaches in so many steps, and not after the stones of the wall. Its own stones cost no
/// step; enemies that are not in the wall are as empty points.
pub(crate) fn group_sphere(
    board: &ReadingBoard,
    stone: Point,
    owner: Color,
    wall: &PointSet,
    steps: usize,
) -> PointSet {
    let free = board.empty_points().union(&board.stones_of(!owner).difference(wall));
    let mut group: PointSet = board.stones(stone).collect();
    let mut taken = PointSet::EMPTY;
    let mut front = *wall;
    for _ in 0..=steps {
        let reached = with_touching_chains(board, group, owner);
        let fresh = reached.with_neighbours().intersection(&free).difference(&taken).difference(&reached);
        let next = reached.union(&fresh);
        front = front.with_neighbours().intersection(&free).difference(&next).difference(&taken);
        taken.add_set(&front);
        if next == group {
            break;
        }
        group = next;
    }
    group
}

/// The points, and all chains of the colour that touch them, or touch these.
fn with_touching_chains(board: &ReadingBoard, mut points: PointSet, color: Color) -> PointSet {
    loop {
        let beside = points.with_neighbours().intersection(board.stones_of(color)).difference(&points);
        if beside.is_empty() {
            return points;
        }
        points.add_set(&chains_of(board, beside, |_| true));
    }
}
