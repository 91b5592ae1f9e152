//! Which points a race is about.

use ishi_go::Point;

use crate::board::ReadingBoard;
use crate::point_set::PointSet;
use crate::region::Region;
use crate::region::growth::{ChainPart, RegionGrowth};

/// Chains beside the race with at most so many liberties take part in it.
const WEAK: usize = 3;
/// Empty areas of at most so many points beside the race belong to it whole.
const EYE_SPACE: usize = 9;

/// The region of these two chains: their liberties and eyes, and those of the weak chains among them. The wall around it is safe: a side that joins its
/// own is out of the race.
pub(super) fn race_region(board: &ReadingBoard, chains: [Point; 2]) -> Region {
    let part_of = |stone: Point, points: &PointSet| {
        let is_weak = board.liberty_count(stone) <= WEAK;
        let is_inside = || board.liberties(stone).difference(points).is_empty();
        if is_weak || is_inside() { ChainPart::UnlessAlive } else { ChainPart::StandsAside }
    };
    let growth = RegionGrowth { largest_space: Some(EYE_SPACE), most: usize::MAX, part_of };
    let points = chains.into_iter().fold(PointSet::EMPTY, |points, chain| {
        points.union(board.liberties(chain)).union(&board.stones(chain).collect())
    });
    Region::from_points(board, growth.grow(board, points, &PointSet::EMPTY).unwrap_or(points))
}

#[cfg(test)]
mod tests {
    use ishi_go::{Color, Diagram};

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
        let region = race_region(&ReadingBoard::new(&board), [black, white]);
        assert!(!region.points().contains(eye) && region.wall(Color::White).contains(wall));
        // With one eye it can be captured.
        let text = text.replace("O . O . O", "O . O O O");
        let board = text.parse::<Diagram>().unwrap().to_board().unwrap();
        let region = race_region(&ReadingBoard::new(&board), [black, white]);
        assert!(region.points().contains(eye));
    }
}
