//! Two eyes, seen without reading: chains that live even if their owner never answers.

use ishi_go::{Cell, Color, Point};

use crate::board::ReadingBoard;
use crate::point_set::PointSet;

/// Points that an eye space may have; larger ones are left to the search.
const LARGEST: usize = 24;
/// An empty space of this many points has room for two eyes, whatever its shape and whoever moves.
const ROOM_FOR_TWO: usize = 7;
/// Chains that may live together.
const CHAINS: usize = 12;

/// Points without stones of the owner that hang together, and the chains around them.
struct Space {
    points: PointSet,
    around: Vec<Point>,
    /// How many eyes it is worth.
    eyes: usize,
}

/// Does the chain of the stone live without another move? Benson's algorithm (D. B. Benson, "Life in the game of Go", 1976), begun
/// from the chain and confined to the region.
pub(crate) fn has_two_eyes(board: &ReadingBoard, stone: Point, owner: Color, region: &PointSet) -> bool {
    let (mut spaces, mut chains) = neighbourhood(board, stone, owner, region);
    if spaces.iter().map(|space| space.eyes).sum::<usize>() < 2 {
        return false;
    }
    let target = board.head(stone);
    loop {
        let before = chains.len();
        let serves = |space: &Space, chain: Point| {
            let empty = space.points.and(board.empty());
            if space.eyes == 2 {
                space.around == [chain]
            } else {
                empty.without(board.liberties(chain)).is_empty()
            }
        };
        chains.retain(|&chain| {
            spaces.iter().filter(|space| serves(space, chain)).map(|space| space.eyes).sum::<usize>() >= 2
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

/// The spaces beside the chain, the chains around them, the spaces beside those, and so on.
fn neighbourhood(
    board: &ReadingBoard,
    stone: Point,
    owner: Color,
    region: &PointSet,
) -> (Vec<Space>, Vec<Point>) {
    let free = board.empty().or(board.of(!owner));
    let mut spaces: Vec<Space> = Vec::new();
    let mut chains = vec![board.head(stone)];
    let mut next = 0;
    while next < chains.len() {
        let mut todo = board.liberties(chains[next]).and(region);
        next += 1;
        for space in &spaces {
            todo = todo.without(&space.points);
        }
        while let Some(start) = todo.first() {
            let points = PointSet::of(start).flooded(&free, LARGEST);
            todo = todo.without(&points);
            if points.len() > LARGEST {
                continue;
            }
            let mut around = Vec::new();
            for point in points.grown().and(board.of(owner)).iter() {
                let head = board.head(point);
                if !around.contains(&head) {
                    around.push(head);
                }
            }
            let fresh = around.iter().filter(|head| !chains.contains(head)).copied().collect::<Vec<_>>();
            chains.extend(fresh.into_iter().take(CHAINS.saturating_sub(chains.len())));
            let has_room = points.len() >= ROOM_FOR_TWO && points.without(board.empty()).is_empty();
            spaces.push(Space { points, around, eyes: 1 + usize::from(has_room) });
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
