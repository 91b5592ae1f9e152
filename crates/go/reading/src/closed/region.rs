//! The points on which the life of a closed group is decided, as bits.

use ishi_go::{Color, Point};

use crate::board::ReadingBoard;
use crate::point_set::PointSet;
use crate::region::growth::{ChainPart, RegionGrowth};
use crate::region::{Region, ways_out_of};

/// Points of a region at most: positions are two words of so many bits, and a key of 64 holds both with all else.
pub(super) const MOST: usize = 28;
/// Points of a region at most that are more than a liberty of the group to be filled.
const MOST_OPEN: usize = 22;
/// Enemies with more liberties elsewhere are never captured.
const WEAK: usize = 3;
/// Bits for which a table says what lies beside them, and the tables for all.
const BITS: usize = 8;
const TABLES: usize = 4;

/// Points with a number each, and what lies beside them: the target's chain, which must not be captured, enemies that never are, and nothing else.
/// Sets of the points are words with a bit for each.
#[derive(Clone, Debug)]
pub(crate) struct ClosedRegion {
    points: Vec<Point>,
    neighbours: [u32; MOST],
    /// The neighbours of the points of each byte of a set.
    beside: Box<[[u32; 1 << BITS]; TABLES]>,
    /// Points beside the target.
    pub(super) beside_target: u32,
    /// Points beside enemies that are never captured.
    pub(super) beside_safe: u32,
    /// Liberties of the target between it and safe enemies, and nothing else: the attacker may fill them in any order, the owner never has a reason
    /// to.
    pub(super) plain: u32,
    pub(super) all: u32,
}

/// The stones on the points of a region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClosedStones {
    pub(super) own: u32,
    pub(super) enemy: u32,
    /// The point that may not be retaken, as a set.
    pub(super) ko: u32,
}

impl ClosedRegion {
    /// The region of the chain of a stone: its liberties, all empty points that hang together with them, and the chains beside these that may be
    /// captured, with their liberties. None: these are too many, the group is not closed in.
    pub(crate) fn around_target(board: &ReadingBoard, target: Point) -> Option<(ClosedRegion, ClosedStones)> {
        let owner = board.color(target)?;
        let set = find_points(board, target, owner)?;
        let region = ClosedRegion::from_region(board, owner, &Region::from_points(board, set));
        let is_small = (region.all & !region.plain).count_ones() as usize <= MOST_OPEN;
        let stones = ClosedStones {
            own: region.subset(&set.intersection(board.stones_of(owner))),
            enemy: region.subset(&set.intersection(board.stones_of(!owner))),
            ko: board.ko().map_or(0, |ko| region.subset(&PointSet::from_point(ko))),
        };
        is_small.then_some((region, stones))
    }

    /// The wall of the owner's colour is the target alone, as his other chains belong to the region. That of the other colour is never captured.
    fn from_region(board: &ReadingBoard, owner: Color, around: &Region) -> ClosedRegion {
        let points: Vec<Point> = around.points().iter().collect();
        let mut region = ClosedRegion {
            neighbours: [0; MOST],
            beside: Box::new([[0; 1 << BITS]; TABLES]),
            beside_target: 0,
            beside_safe: 0,
            plain: 0,
            all: (1u32 << points.len()) - 1,
            points,
        };
        for number in 0..region.points.len() {
            let beside = PointSet::from_point(region.points[number]).with_neighbours();
            region.neighbours[number] = region.subset(&beside) & !(1 << number);
        }
        region.fill_tables();
        let [target, safe] = [owner, !owner].map(|color| around.wall(color));
        region.beside_target = region.subset(&target.with_neighbours());
        region.beside_safe = region.subset(&safe.with_neighbours());
        let others = around.points().difference(board.empty_points());
        region.plain = region.subset(&around.plain_liberties(board, owner, safe, &others));
        region
    }

    fn fill_tables(&mut self) {
        for (table, numbers) in self.beside.iter_mut().zip(self.neighbours.chunks(BITS)) {
            for set in 1..1usize << BITS {
                let lowest = set.trailing_zeros() as usize;
                table[set] = table[set & (set - 1)] | numbers.get(lowest).copied().unwrap_or(0);
            }
        }
    }

    /// The points of a set that belong to the region.
    pub(crate) fn subset(&self, set: &PointSet) -> u32 {
        (0..self.points.len()).filter(|&n| set.contains(self.points[n])).map(|n| 1 << n).sum()
    }

    /// All points.
    pub(crate) fn points(&self) -> &[Point] {
        &self.points
    }

    /// Liberties outside, which the attacker may fill in any order, and the owner never has a reason to.
    pub(crate) fn outside_liberties(&self) -> Vec<Point> {
        (0..self.points.len())
            .filter(|number| self.plain >> number & 1 != 0)
            .map(|n| self.points[n])
            .collect()
    }

    /// The point of the lowest bit.
    pub(super) fn first_point(&self, set: u32) -> Option<Point> {
        self.points.get(set.trailing_zeros() as usize).copied()
    }

    /// The points beside a set's; its own may be among them.
    #[inline]
    pub(super) fn neighbours_of(&self, set: u32) -> u32 {
        let [a, b, c, d] = set.to_le_bytes().map(usize::from);
        let tables = &*self.beside;
        tables[0][a] | tables[1][b] | tables[2][c] | tables[3][d]
    }

    /// The points beside one.
    #[inline]
    pub(super) fn neighbours_of_one(&self, number: u32) -> u32 {
        self.neighbours[number as usize]
    }

    /// What hangs together with the seeds within a set that holds them.
    #[inline]
    pub(super) fn flood(&self, seeds: u32, within: u32) -> u32 {
        let mut found = seeds;
        loop {
            let grown = (found | self.neighbours_of(found)) & within;
            if grown == found {
                return found;
            }
            found = grown;
        }
    }
}

/// The points of the region of a target.
fn find_points(board: &ReadingBoard, target: Point, owner: Color) -> Option<PointSet> {
    let part_of = |stone: Point, points: &PointSet| {
        if board.color(stone) == Some(owner) {
            let is_target = board.head(stone) == board.head(target);
            return if is_target { ChainPart::StandsAside } else { ChainPart::TakesPart };
        }
        let is_weak = ways_out_of(points, board, stone).len() <= WEAK;
        if is_weak { ChainPart::UnlessAlive } else { ChainPart::StandsAside }
    };
    let growth = RegionGrowth { largest_space: None, most: MOST, part_of };
    growth.grow(board, *board.liberties(target), &board.stones(target).collect())
}

#[cfg(test)]
mod tests {
    use ishi_go::{Board, BoardSize};

    use super::*;

    /// The points of the region of Black's first stone, and its plain liberties.
    fn region_of(black: &str, white: &str) -> Option<(usize, u32)> {
        let size = BoardSize::square(19).unwrap();
        let stones = [(Color::Black, black), (Color::White, white)];
        let stones = stones.into_iter().flat_map(|(color, text)| {
            text.split(' ').map(move |vertex| (color, size.parse_point(vertex).unwrap()))
        });
        let board = Board::from_stones(size, stones.collect::<Vec<_>>()).unwrap();
        let stone = size.parse_point(&black[..2]).unwrap();
        let (region, _) = ClosedRegion::around_target(&ReadingBoard::new(&board), stone)?;
        Some((region.points.len(), region.plain.count_ones()))
    }

    #[test]
    fn a_region_is_what_the_group_and_its_enemies_close_in() {
        let (black, white) = ("A2 B2 C2 D2 D1", "A3 B3 C3 D3 E3 E2 E1");
        assert_eq!(region_of(black, white), Some((3, 0)));
        // A liberty outside, between the group and enemies that are never captured.
        assert_eq!(region_of(black, "A3 B3 C3 D3 E3 F3 F2 F1 E1"), Some((4, 1)));
        // A way out.
        assert_eq!(region_of(black, "A3 B3 C3 D3 E3 E1"), None);
        // Enemies that may be captured from outside.
        assert_eq!(region_of("A2 B2 C2 D2 D1 A4 B4 C4 D4 E4", white), None);
    }

    #[test]
    fn prisoners_belong_to_the_region_though_they_share_no_liberty_with_the_group() {
        let black = "A4 B4 C4 A3 C3 B2 C2 C1";
        let white = "A2 B1 A5 B5 C5 D5 D4 D3 D2 D1";
        assert_eq!(region_of(black, white).map(|(points, _)| points), Some(4));
    }
}
