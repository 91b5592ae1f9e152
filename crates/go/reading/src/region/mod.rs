//! Regions of the board: the points that a fight is about, what stands around them, and who can come in or get out.
//!
//! This is the one model that all readers of groups ask. Each has only its own measures: how few liberties make a chain weak, how large an eye space
//! may be.
//!
//! - [`Region`]: points and what lies around them: walls, openings, ways out, and liberties of which one is as good as another;
//! - [`growth`]: a region that grows from chains over empty points, and over chains that may be captured (races, closed groups);
//! - [`sphere`]: what is nearer to a group than to its enemies (groups that are not closed in);
//! - [`spaces`]: small spaces that stones close in (eyes, pockets, prisoners).

pub(crate) mod growth;
pub(crate) mod spaces;
pub(crate) mod sphere;

use ishi_go::{Color, Point};

use crate::board::ReadingBoard;
use crate::point_set::PointSet;

/// Nakade have so many stones at most: to capture more makes room for two eyes.
pub(crate) const NAKADE: usize = 6;

/// Points that a fight is about, and what lay around them when the question was put.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Region {
    points: PointSet,
    walls: [PointSet; 2],
    openings: PointSet,
}

impl Region {
    /// These points on a board.
    pub(crate) fn from_points(board: &ReadingBoard, points: PointSet) -> Region {
        let beside = points.with_neighbours().difference(&points);
        Region {
            points,
            walls: [Color::Black, Color::White].map(|color| board.stones_of(color).intersection(&beside)),
            openings: board.empty_points().intersection(&beside),
        }
    }

    /// The points where moves are made, with the stones that stand on them.
    #[inline]
    pub(crate) fn points(&self) -> &PointSet {
        &self.points
    }

    /// The stones of a colour beside the points.
    #[inline]
    pub(crate) fn wall(&self, color: Color) -> &PointSet {
        &self.walls[color.index()]
    }

    /// The empty points beside it: there somebody can come in or get out. None: stones alone lie around it.
    pub(crate) fn openings(&self) -> &PointSet {
        &self.openings
    }

    /// The liberties beyond it that the chain of a stone has now. The more there are, the more open the region is for the chain.
    #[inline]
    pub(crate) fn ways_out(&self, board: &ReadingBoard, stone: Point) -> PointSet {
        ways_out_of(&self.points, board, stone)
    }

    /// The stones of the wall, and those of the region that hang together with them now.
    pub(crate) fn wall_and_friends(&self, board: &ReadingBoard, color: Color) -> PointSet {
        let wall = self.wall(color);
        wall.flood_within(&board.stones_of(color).intersection(&self.points).union(wall), usize::MAX)
    }

    /// Does the stone's chain hang together with the wall of its colour?
    pub(crate) fn has_joined_wall(&self, board: &ReadingBoard, stone: Point, color: Color) -> bool {
        let wall = self.wall(color);
        !wall.is_empty() && board.stones(stone).any(|stone| wall.contains(stone))
    }

    /// The points that are nothing but liberties of one chain of this colour: every one touches the chain, enemies that are `safe`, and no empty point
    /// that is not such a liberty itself. None can become an eye or join anything, as none lies beside the `others`: enemies that may be captured, and
    /// stones that the chain could be joined to. So these liberties are miai (見合い) for the enemy: one is as good as another. To the owner they are
    /// worth no move.
    pub(crate) fn plain_liberties(
        &self,
        board: &ReadingBoard,
        color: Color,
        safe: &PointSet,
        others: &PointSet,
    ) -> PointSet {
        let mut plain = board
            .empty_points()
            .intersection(&self.points)
            .intersection(&safe.with_neighbours())
            .difference(&others.with_neighbours());
        for point in plain.iter() {
            if only_chain_beside(board, point, color).is_none() {
                plain.remove(point);
            }
        }
        loop {
            let open = board.empty_points().difference(&plain).with_neighbours().intersection(&plain);
            if open.is_empty() {
                return plain;
            }
            plain = plain.difference(&open);
        }
    }
}

/// The liberties that the chain of a stone has beyond these points.
#[inline]
pub(crate) fn ways_out_of(points: &PointSet, board: &ReadingBoard, stone: Point) -> PointSet {
    board.liberties(stone).difference(points)
}

/// Where the owner may save the chain of a stone that is in atari: its liberties, and those of enemies beside it in atari.
pub(crate) fn answers_to_atari(board: &ReadingBoard, stone: Point, owner: Color) -> PointSet {
    let mut answers = *board.liberties(stone);
    for enemy in board.stones(stone).flat_map(Point::neighbours) {
        if board.color(enemy) == Some(!owner) && board.liberty_count(enemy) == 1 {
            answers.add_set(board.liberties(enemy));
        }
    }
    answers
}

/// The chain of this colour beside the point, if there is one and no other.
pub(crate) fn only_chain_beside(board: &ReadingBoard, point: Point, color: Color) -> Option<Point> {
    let beside = point.neighbours().into_iter().filter(|&stone| board.color(stone) == Some(color));
    let mut heads = beside.map(|stone| board.head(stone));
    let first = heads.next()?;
    heads.all(|head| head == first).then_some(first)
}

/// The chains of these stones that are wanted, whole. Each chain is asked for once, by one of the stones.
pub(crate) fn chains_of(
    board: &ReadingBoard,
    mut stones: PointSet,
    is_wanted: impl Fn(Point) -> bool,
) -> PointSet {
    let mut found = PointSet::EMPTY;
    while let Some(stone) = stones.first() {
        let chain: PointSet = board.stones(stone).collect();
        stones = stones.difference(&chain);
        if is_wanted(stone) {
            found.add_set(&chain);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use ishi_go::Diagram;

    use super::*;

    fn board_and_points<const N: usize>(text: &str, vertices: [&str; N]) -> (ReadingBoard, [Point; N]) {
        let board = text.parse::<Diagram>().unwrap().to_board().unwrap();
        let points = vertices.map(|vertex| board.size().parse_point(vertex).unwrap());
        (ReadingBoard::new(&board), points)
    }

    #[test]
    fn a_region_knows_its_walls_its_openings_and_who_gets_out() {
        let text = "
            . . . . . .
            O O O O . .
            X X X . . .
            . . X O . .
        ";
        let (board, [a1, b1, c1, black, white]) = board_and_points(text, ["A1", "B1", "C1", "A2", "D1"]);
        let eye = Region::from_points(&board, [a1, b1].into_iter().collect());
        assert!(eye.openings().is_empty() && eye.wall(Color::White).is_empty());
        assert_eq!(eye.wall(Color::Black).len(), 3);
        let [opening] = ["D2"].map(|vertex| board.size().parse_point(vertex).unwrap());
        assert_eq!(eye.ways_out(&board, black), PointSet::from_point(opening));
        let group: PointSet = board.stones(black).chain([a1, b1]).collect();
        let group = Region::from_points(&board, group);
        assert_eq!(group.openings(), &PointSet::from_point(opening));
        assert!(group.wall(Color::Black).is_empty() && group.wall(Color::White).contains(white));
        assert!(!group.has_joined_wall(&board, c1, Color::Black));
    }

    /// Black's three liberties below are plain. So is none of them beside a stone that he could be joined to.
    #[test]
    fn liberties_between_a_chain_and_safe_enemies_are_plain() {
        let text = "
            O O O O O O O
            O X X X X X O
            O X . X . X O
            O X X X X X O
            O . . . O O O
            O O O O O O O
        ";
        let (board, [stone, left]) = board_and_points(text, ["B3", "B2"]);
        let region = Region::from_points(&board, *board.liberties(stone));
        let safe = *region.wall(Color::White);
        let plain = region.plain_liberties(&board, Color::Black, &safe, &PointSet::EMPTY);
        assert_eq!(plain.len(), 3);
        let friend = PointSet::from_point(Point::new(left.column(), left.row() - 1));
        // What lies beside another stone is not plain, and so is nothing that hangs together with it.
        assert!(region.plain_liberties(&board, Color::Black, &safe, &friend).is_empty());
    }
}
