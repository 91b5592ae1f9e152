//! Where a group has its life: the points nearer to it than to its enemies, and what lies around.

use ishi_go::{Color, Point};

use super::WEAK;
use crate::board::ReadingBoard;
use crate::point_set::PointSet;

/// A group with more empty points about it is not closed in.
const ROOM: usize = 20;
/// Chains of more stones are no prisoners: to capture them makes two eyes.
const NAKADE: usize = 6;
/// Spaces of more points that the group shuts off are as open ones.
const EYE_SPACE: usize = 16;
/// Enemies with no more liberties elsewhere do not shut anything off.
const OUTSIDE: usize = 2;
/// Points of a pocket at most.
const POCKET: usize = 8;
/// Steps that the group may be ahead of its enemies.
const STEPS: usize = 3;

/// The points that the life of a group is about.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LifeRegion {
    /// Its stones, and what is nearer to it than to its enemies.
    pub(super) core: PointSet,
    /// The core, the empty points beside it, the pockets that these shut off, and the weak enemies beside the group with their liberties.
    pub(super) near: PointSet,
    /// The same, and the empty points beside core and weak enemies.
    pub(super) reach: PointSet,
}

impl LifeRegion {
    /// The region of the group of a stone, as wide as there is room. Where the wall around it has gaps, its stones are not to be
    /// mistaken for prisoners. None: even the narrowest is too large.
    pub(super) fn around_group(board: &ReadingBoard, stone: Point, has_gaps: bool) -> Option<LifeRegion> {
        let owner = board.color(stone)?;
        let is_closed = |core: &PointSet| core.intersection(board.empty_points()).len() <= ROOM;
        let [enclosed, prisoners] = if has_gaps {
            [PointSet::EMPTY; 2]
        } else {
            [enclosed_spaces(board, stone, owner), find_prisoners(board, stone, owner)]
        };
        let wall = board.stones_of(!owner).difference(&prisoners).difference(&enclosed);
        let spheres = (1..=STEPS).map(|steps| influence_sphere(board, stone, owner, &wall, steps));
        let mut core = spheres.take_while(is_closed).last()?;
        core.add_set(&enclosed);
        core.add_set(&shut_in_enemies(board, &core, owner));
        let with_empty =
            |points: PointSet| points.union(&points.with_neighbours().intersection(board.empty_points()));
        // What may be captured becomes room.
        let weak = weak_enemies(board, &core, owner);
        let near = with_pockets(board, with_empty(core), owner).union(&weak);
        let reach = near.union(&with_empty(core.union(&weak)));
        Some(LifeRegion { core, near, reach })
    }
}

/// The small spaces beside the chain that the owner's stones, or the edge, close in: eye spaces, with the stones in them.
fn enclosed_spaces(board: &ReadingBoard, stone: Point, owner: Color) -> PointSet {
    let free = board.empty_points().union(board.stones_of(!owner));
    let mut enclosed = PointSet::EMPTY;
    let mut todo = *board.liberties(stone);
    while let Some(start) = todo.first() {
        todo.remove(start);
        if let Some(space) = PointSet::find_small_space(start, &free, EYE_SPACE) {
            todo = todo.difference(&space);
            enclosed.add_set(&space);
        }
    }
    enclosed
}

/// The stones and empty points that the group reaches in so many steps, and not after the stones of the wall. Its own stones cost no
/// step; enemies that are not in the wall are as empty points.
fn influence_sphere(
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

/// Few enemies that the group would shut in, were it not for them: what they touch is nearer to it than to the others.
fn find_prisoners(board: &ReadingBoard, stone: Point, owner: Color) -> PointSet {
    let mut prisoners = PointSet::EMPTY;
    let mut todo =
        influence_sphere(board, stone, owner, &PointSet::EMPTY, 1).intersection(board.stones_of(!owner));
    while let Some(enemy) = todo.first() {
        let chain: PointSet = board.stones(enemy).collect();
        todo = todo.difference(&chain);
        if chain.len() > NAKADE {
            continue;
        }
        let wall = board.stones_of(!owner).difference(&prisoners).difference(&chain);
        let inside = influence_sphere(board, stone, owner, &wall, STEPS).difference(&wall.with_neighbours());
        let beside = chain.with_neighbours().intersection(&board.empty_points().union(&wall));
        if beside.difference(&inside).is_empty() {
            prisoners.add_set(&chain);
        }
    }
    prisoners
}

/// The points, and all chains of the colour that touch them, or touch these.
fn with_touching_chains(board: &ReadingBoard, mut points: PointSet, color: Color) -> PointSet {
    loop {
        let beside = points.with_neighbours().intersection(board.stones_of(color)).difference(&points);
        if beside.is_empty() {
            return points;
        }
        for stone in beside.iter() {
            points.add_set(&board.stones(stone).collect());
        }
    }
}

/// Enemies beside the core whose liberties all lie in it.
fn shut_in_enemies(board: &ReadingBoard, core: &PointSet, owner: Color) -> PointSet {
    let mut shut = PointSet::EMPTY;
    for enemy in core.with_neighbours().intersection(board.stones_of(!owner)).iter() {
        if !shut.contains(enemy) && board.liberties(enemy).difference(core).is_empty() {
            shut.add_set(&board.stones(enemy).collect());
        }
    }
    shut
}

/// The points and their pockets, and the pockets of all these: stones whose liberties lie in a pocket shut nothing off.
fn with_pockets(board: &ReadingBoard, mut points: PointSet, owner: Color) -> PointSet {
    loop {
        let pockets = find_pockets(board, &points, owner);
        if pockets.is_empty() {
            return points;
        }
        points.add_set(&pockets);
    }
}

/// The few points beside these, with whatever stands on them, that they shut off together with enemies that have liberties elsewhere: stones
/// that may be captured, and what lies behind.
fn find_pockets(board: &ReadingBoard, points: &PointSet, owner: Color) -> PointSet {
    let is_weak = |enemy: Point| board.liberties(enemy).difference(points).len() <= OUTSIDE;
    let mut free = board.empty_points().union(board.stones_of(owner));
    for enemy in board.stones_of(!owner).difference(points).iter() {
        if !free.contains(enemy) && is_weak(enemy) {
            free.add_set(&board.stones(enemy).collect());
        }
    }
    let free = free.difference(points);
    let mut pockets = PointSet::EMPTY;
    for start in points.with_neighbours().intersection(&free).iter() {
        if !pockets.contains(start)
            && let Some(pocket) = PointSet::find_small_space(start, &free, POCKET)
        {
            pockets.add_set(&pocket);
        }
    }
    pockets
}

/// Enemies beside the stones of the core that have few liberties, and these.
fn weak_enemies(board: &ReadingBoard, core: &PointSet, owner: Color) -> PointSet {
    let mut points = PointSet::EMPTY;
    for enemy in core
        .intersection(board.stones_of(owner))
        .with_neighbours()
        .intersection(board.stones_of(!owner))
        .iter()
    {
        if !points.contains(enemy) && board.liberty_count(enemy) <= WEAK {
            points.add_set(board.liberties(enemy));
            points.add_set(&board.stones(enemy).collect());
        }
    }
    points
}
