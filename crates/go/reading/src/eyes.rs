//! Two eyes, seen without reading: chains that live even if their owner never answers.

use ishi_go::{Cell, Color, Point};

use crate::board::ReadingBoard;
use crate::point_set::PointSet;
use crate::region::spaces::spaces_within;

/// Points that an eye space may have; larger ones are left to the search.
const LARGEST: usize = 24;
/// An empty space of this many points that one chain closes in has room for two eyes, whatever its shape and whoever moves.
const ROOM_FOR_TWO: usize = 7;
/// The same with a corner of the board in it. There rows of four and three are a ko, and 3x3 points without the innermost.
const ROOM_IN_CORNER: usize = 9;
/// Chains that may live together.
const CHAINS: usize = 12;

/// Points without stones of the owner that hang together, and the chains around them.
struct BensonSpace {
    points: PointSet,
    around: Vec<Point>,
    /// How many eyes it is worth.
    eyes: usize,
}

/// Does the chain of the stone live without another move? Benson's algorithm (D. B. Benson, "Life in the game of Go", 1976), begun
/// from the chain and confined to the region.
pub(crate) fn has_two_eyes(board: &ReadingBoard, stone: Point, owner: Color, region: &PointSet) -> bool {
    let target = board.head(stone);
    // Most chains have no two eyes of their own, and others' spaces are none of theirs.
    if eyes_beside(board, target, owner, region) < 2 {
        return false;
    }
    let (mut spaces, mut chains) = surrounding_spaces(board, target, owner, region);
    loop {
        let before = chains.len();
        chains.retain(|&chain| {
            let serving = spaces.iter().filter(|space| space.serves_chain(board, chain));
            serving.map(|space| space.eyes).sum::<usize>() >= 2
        });
        if !chains.contains(&target) {
            return false;
        }
        if chains.len() == before {
            return true;
        }
        spaces.retain(|space| space.around.iter().all(|chain| chains.contains(chain)));
    }
}

/// Eyes in the spaces beside a chain that serve it, as far as two.
fn eyes_beside(board: &ReadingBoard, chain: Point, owner: Color, region: &PointSet) -> usize {
    let mut todo = board.liberties(chain).intersection(region);
    let mut useless = PointSet::EMPTY;
    let mut eyes = 0;
    while let (Some(start), 0..2) = (todo.first(), eyes) {
        let (points, served) = eye_space_at(board, chain, owner, start, &useless);
        todo = todo.difference(&points);
        eyes += served;
        if served == 0 {
            useless.add_set(&points);
        }
    }
    eyes
}

/// The space beside a chain that begins at one of its liberties, and the eyes that it is worth to the chain; not all of its points if it
/// is worth none, as one that reaches useless points is.
fn eye_space_at(
    board: &ReadingBoard,
    chain: Point,
    owner: Color,
    start: Point,
    useless: &PointSet,
) -> (PointSet, usize) {
    let liberties = board.liberties(chain);
    let mut space = PointSet::from_point(start);
    let mut found = [start; LARGEST];
    let (mut count, mut next) = (1, 0);
    // A point that is no liberty of the chain, an enemy, another chain of the owner.
    let (mut far, mut enemy, mut other) = (false, false, false);
    while next < count {
        for point in found[next].neighbours() {
            match board.cell(point) {
                Cell::Border => continue,
                Cell::Empty => far |= !liberties.contains(point),
                cell if cell == Cell::from(owner) => {
                    other |= board.head(point) != chain;
                    continue;
                }
                _ => enemy = true,
            }
            if space.contains(point) {
                continue;
            }
            if count == LARGEST || useless.contains(point) {
                return (space, 0);
            }
            space.insert(point);
            found[count] = point;
            count += 1;
        }
        if far && (enemy || other) {
            return (space, 0);
        }
        next += 1;
    }
    let has_room = !enemy && has_room_for_two(board, &space);
    let eyes = match (has_room, far, other) {
        (true, _, false) => 2,
        (false, false, _) => 1,
        _ => 0,
    };
    (space, eyes)
}

/// How many eyes a space is worth.
fn count_eyes_in(board: &ReadingBoard, points: &PointSet) -> usize {
    let has_room = has_room_for_two(board, points) && points.difference(board.empty_points()).is_empty();
    1 + usize::from(has_room)
}

/// Has an empty space room for two eyes? Exhaustive search says so of all spaces of 7 to 9 points with at most one corner.
fn has_room_for_two(board: &ReadingBoard, points: &PointSet) -> bool {
    if points.len() < ROOM_FOR_TWO {
        return false;
    }
    let is_border = |point: &Point| board.cell(*point) == Cell::Border;
    let is_corner = |point: &Point| point.neighbours().iter().filter(|&next| is_border(next)).count() > 1;
    match points.iter().filter(is_corner).count() {
        0 => true,
        1 => points.len() >= ROOM_IN_CORNER,
        _ => false,
    }
}

/// Is every empty point of the space a liberty of the chain?
fn touches_all_empty_points(board: &ReadingBoard, points: &PointSet, chain: Point) -> bool {
    points.intersection(board.empty_points()).difference(board.liberties(chain)).is_empty()
}

impl BensonSpace {
    fn from_points(board: &ReadingBoard, points: PointSet, owner: Color) -> BensonSpace {
        let mut around = Vec::new();
        for point in points.with_neighbours().intersection(board.stones_of(owner)).iter() {
            let head = board.head(point);
            if !around.contains(&head) {
                around.push(head);
            }
        }
        BensonSpace { points, around, eyes: count_eyes_in(board, &points) }
    }

    /// Does it count for the chain?
    fn serves_chain(&self, board: &ReadingBoard, chain: Point) -> bool {
        if self.eyes == 2 {
            self.around == [chain]
        } else {
            touches_all_empty_points(board, &self.points, chain)
        }
    }
}

/// The spaces beside the chain, the chains around them, the spaces beside those, and so on.
fn surrounding_spaces(
    board: &ReadingBoard,
    target: Point,
    owner: Color,
    region: &PointSet,
) -> (Vec<BensonSpace>, Vec<Point>) {
    let free = board.empty_points().union(board.stones_of(!owner));
    let mut spaces: Vec<BensonSpace> = Vec::new();
    let mut chains = vec![target];
    let mut next = 0;
    while next < chains.len() {
        let mut todo = board.liberties(chains[next]).intersection(region);
        next += 1;
        for space in &spaces {
            todo = todo.difference(&space.points);
        }
        for points in spaces_within(todo, free, LARGEST) {
            let space = BensonSpace::from_points(board, points, owner);
            let fresh: Vec<Point> =
                space.around.iter().filter(|head| !chains.contains(head)).copied().collect();
            chains.extend(fresh.into_iter().take(CHAINS.saturating_sub(chains.len())));
            spaces.push(space);
        }
    }
    (spaces, chains)
}

/// Is the point an eye of one chain alone? Its owner never fills it.
pub(crate) fn is_own_eye(board: &ReadingBoard, point: Point, owner: Color) -> bool {
    let mut head = None;
    for neighbour in point.neighbours() {
        match board.cell(neighbour) {
            Cell::Border => {}
            Cell::Empty => return false,
            _ if board.color(neighbour) != Some(owner) => return false,
            _ => {
                let here = board.head(neighbour);
                if head.is_some_and(|other| other != here) {
                    return false;
                }
                head = Some(here);
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use ishi_go::Diagram;

    use super::*;

    /// Has Black's chain with a stone on the vertex two eyes?
    fn has_two_eyes_at(vertex: &str, text: &str) -> bool {
        let board = text.parse::<Diagram>().unwrap().to_board().unwrap();
        let stone = board.size().parse_point(vertex).unwrap();
        let board = ReadingBoard::new(&board);
        has_two_eyes(&board, stone, Color::Black, board.empty_points())
    }

    #[test]
    fn seven_points_have_room_for_two_eyes() {
        let side = "
            . . . . . . . .
            O O O O O O O .
            X X X X X X O .
            X . . . X X O .
            X . . . . X O .";
        assert!(has_two_eyes_at("A3", side));
        assert!(!has_two_eyes_at("A3", &side.replace("X . . . X X", "X . . X X X")));
    }

    #[test]
    fn spaces_with_a_corner_have_room_for_two_eyes_from_nine_points_on() {
        let four_and_three = "
            . . . . . . . .
            O O O O O O . .
            X X X X X O . .
            . . . X X O . .
            . . . . X O . .";
        assert!(!has_two_eyes_at("A3", four_and_three));
        let square = "
            . . . . . . . .
            O O O O O O . .
            X X X X X O . .
            . . . X X O . .
            . . . X X O . .
            . . . X X O . .";
        assert!(has_two_eyes_at("A4", square));
        assert!(!has_two_eyes_at("A4", &square.replacen(". . . X X", ". . X X X", 1)));
    }
}
