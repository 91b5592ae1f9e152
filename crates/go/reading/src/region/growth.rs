//! A region that grows from the chains that a fight is about.

use ishi_go::{Color, Point};

use super::spaces::spaces_within;
use crate::board::ReadingBoard;
use crate::eyes;
use crate::point_set::PointSet;

/// What a chain beside a region has to do with the fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChainPart {
    /// It takes part.
    TakesPart,
    /// It takes part unless it has two eyes: then nobody captures it.
    UnlessAlive,
    /// It stays out of the region as it is now.
    StandsAside,
}

/// How far a region grows.
pub(crate) struct RegionGrowth<F> {
    /// Empty points that hang together belong to it whole if there are so many at most. `None`: however many there are.
    pub(crate) largest_space: Option<usize>,
    /// A region of more points is none.
    pub(crate) most: usize,
    /// What a chain, named by one of its stones, has to do with the region of these points. A chain that takes part in a small region must take part in
    /// every larger one: then it does not matter in what order chains are asked about.
    pub(crate) part_of: F,
}

impl<F: Fn(Point, &PointSet) -> ChainPart> RegionGrowth<F> {
    /// The points, the spaces that they lie in, the chains beside them or beside the `base` that take part, with their liberties, and so on. `None`: there
    /// are too many.
    pub(crate) fn grow(
        &self,
        board: &ReadingBoard,
        mut points: PointSet,
        base: &PointSet,
    ) -> Option<PointSet> {
        let stones = board.stones_of(Color::Black).union(board.stones_of(Color::White));
        let mut alive = PointSet::EMPTY;
        loop {
            self.take_spaces(board, &mut points);
            if points.len() > self.most {
                return None;
            }
            let before = points;
            let around = points.union(base).with_neighbours().intersection(&stones);
            let mut beside = around.difference(&points).difference(&alive);
            while let Some(stone) = beside.first() {
                let chain: PointSet = board.stones(stone).collect();
                beside = beside.difference(&chain);
                match (self.part_of)(stone, &points) {
                    ChainPart::StandsAside => {}
                    ChainPart::UnlessAlive if is_alive(board, stone) => alive.add_set(&chain),
                    ChainPart::UnlessAlive | ChainPart::TakesPart => {
                        points.add_set(&chain);
                        points.add_set(board.liberties(stone));
                    }
                }
            }
            if points == before {
                return Some(points);
            }
        }
    }

    fn take_spaces(&self, board: &ReadingBoard, points: &mut PointSet) {
        let empty = board.empty_points();
        let starts = points.intersection(empty);
        match self.largest_space {
            Some(most) => spaces_within(starts, *empty, most).for_each(|space| points.add_set(&space)),
            None => points.add_set(&starts.flood_within(empty, self.most)),
        }
    }
}

/// Has the chain of the stone two eyes, so that it is never captured?
fn is_alive(board: &ReadingBoard, stone: Point) -> bool {
    board.color(stone).is_some_and(|color| eyes::has_two_eyes(board, stone, color, board.empty_points()))
}

#[cfg(test)]
mod tests {
    use ishi_go::Diagram;

    use super::*;

    /// The region of these points in which all chains with `weak` liberties at most take part, unless they are alive.
    fn grow(
        board: &ReadingBoard,
        points: PointSet,
        space: usize,
        weak: usize,
        most: usize,
    ) -> Option<PointSet> {
        let part_of = |stone: Point, _: &PointSet| match board.liberty_count(stone) <= weak {
            true => ChainPart::UnlessAlive,
            false => ChainPart::StandsAside,
        };
        let growth = RegionGrowth { largest_space: Some(space), most, part_of };
        growth.grow(board, points, &PointSet::EMPTY)
    }

    /// Black's three stones below and White's three have four liberties each, and Black's wall has more.
    #[test]
    fn weak_chains_and_small_spaces_belong_to_a_region() {
        let text = "
            . . . . . . .
            X X X X X X .
            . . O O . X .
            X X O . . X .
            . X . . . X .
        ";
        let board = text.parse::<Diagram>().unwrap().to_board().unwrap();
        let size = board.size();
        let point = |vertex: &str| size.parse_point(vertex).unwrap();
        let board = ReadingBoard::new(&board);
        let stone = point("A2");
        let points = board.liberties(stone).union(&board.stones(stone).collect());
        let holds =
            |region: &PointSet| ["C1", "D1", "C2", "E3", "F3"].map(|vertex| region.contains(point(vertex)));
        let region = |space, weak| grow(&board, points, space, weak, usize::MAX).unwrap();
        assert_eq!(holds(&region(1, 0)), [true, false, false, false, false], "liberties alone");
        assert_eq!(holds(&region(6, 0)), [true, true, false, true, false], "the whole space");
        let with_white = region(1, 4);
        assert_eq!(
            holds(&with_white),
            [true, false, true, true, false],
            "White's stones and their liberties"
        );
        // What has grown grows no further, and what would grow too large is none.
        assert_eq!(grow(&board, with_white, 1, 4, with_white.len()), Some(with_white));
        assert_eq!(grow(&board, points, 1, 4, with_white.len() - 1), None);
    }
}
