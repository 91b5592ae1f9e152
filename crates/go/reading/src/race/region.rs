//! Which points a race is about.

use ishi_go::{Color, Point};

use crate::board::ReadingBoard;
use crate::eyes;
use crate::point_set::PointSet;

/// Chains beside the race with at most so many liberties take part in it.
const WEAK: usize = 3;
/// Empty areas of at most so many points beside the race belong to it whole.
const EYE_SPACE: usize = 9;

/// The points where moves are made, and the stones beside them that are safe: a side that joins its own is out of the race.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RaceRegion {
    pub(super) points: PointSet,
    safe: [PointSet; 2],
}

impl RaceRegion {
    /// The region of these two chains: their liberties and eyes, and those of the weak chains among them.
    pub(super) fn around_chains(board: &ReadingBoard, stones: [Point; 2]) -> RaceRegion {
        let mut chains: Vec<Point> = stones.iter().map(|&stone| board.head(stone)).collect();
        let mut points = PointSet::EMPTY;
        let mut next = 0;
        while next < chains.len() {
            for &chain in &chains[next..] {
                points.add_set(board.liberties(chain));
                points.add_set(&board.stones(chain).collect());
            }
            next = chains.len();
            add_eye_spaces(board, &mut points);
            for stone in points.with_neighbours().difference(board.empty_points()).iter() {
                if board.color(stone).is_none() || chains.contains(&board.head(stone)) {
                    continue;
                }
                let inside = board.liberties(stone).difference(&points).is_empty();
                if (inside || board.liberty_count(stone) <= WEAK) && !lives(board, stone) {
                    chains.push(board.head(stone));
                }
            }
        }
        RaceRegion { points, safe: stones_beside(board, &points) }
    }

    /// The stones beside the region that are safe.
    pub(super) fn safe_stones(&self, color: Color) -> &PointSet {
        &self.safe[color.index()]
    }

    /// The same, and those of the region that hang together with them.
    pub(super) fn all_safe_stones(&self, board: &ReadingBoard, color: Color) -> PointSet {
        let safe = self.safe_stones(color);
        safe.flood_within(&board.stones_of(color).intersection(&self.points).union(safe), usize::MAX)
    }

    /// Does the stone's chain hang together with safe stones of its colour?
    pub(super) fn has_joined_safe_stones(&self, board: &ReadingBoard, stone: Point, color: Color) -> bool {
        let safe = self.safe_stones(color);
        !safe.is_empty() && board.stones(stone).any(|stone| safe.contains(stone))
    }
}

/// Has the chain of the stone two eyes, so that it is never captured?
fn lives(board: &ReadingBoard, stone: Point) -> bool {
    board.color(stone).is_some_and(|color| eyes::has_two_eyes(board, stone, color, board.empty_points()))
}

/// The stones of both colours beside the points.
fn stones_beside(board: &ReadingBoard, points: &PointSet) -> [PointSet; 2] {
    let beside = points.with_neighbours();
    [Color::Black, Color::White].map(|color| board.stones_of(color).difference(points).intersection(&beside))
}

fn add_eye_spaces(board: &ReadingBoard, points: &mut PointSet) {
    let mut todo = points.intersection(board.empty_points());
    while let Some(start) = todo.first() {
        let space = PointSet::from_point(start).flood_within(board.empty_points(), EYE_SPACE);
        todo = todo.difference(&space);
        if space.len() <= EYE_SPACE {
            points.add_set(&space);
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::Diagram;

    use super::*;

    /// White's wall has two eyes and no other liberties: nobody plays there.
    #[test]
    fn chains_with_two_eyes_take_no_part_in_a_race() {
        let text = "
            . . . . . . . . . .
            X X X X X X X X X X
            O O O O O O O O O X
            O . O . O X X X O X
            O O O O O X O . O X
        ";
        let board = text.parse::<Diagram>().unwrap().to_board().unwrap();
        let [black, white, eye, wall] =
            ["F1", "G1", "B2", "E1"].map(|vertex| board.size().parse_point(vertex).unwrap());
        let region = RaceRegion::around_chains(&ReadingBoard::new(&board), [black, white]);
        assert!(!region.points.contains(eye) && region.safe_stones(Color::White).contains(wall));
        // With one eye it can be captured.
        let text = text.replace("O . O . O", "O . O O O");
        let board = text.parse::<Diagram>().unwrap().to_board().unwrap();
        let region = RaceRegion::around_chains(&ReadingBoard::new(&board), [black, white]);
        assert!(region.points.contains(eye));
    }
}
