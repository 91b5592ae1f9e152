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
pub(super) struct Region {
    /// Its stones, and what is nearer to it than to its enemies.
    pub(super) core: PointSet,
    /// The core, the empty points beside it, and the pockets that these shut off.
    pub(super) near: PointSet,
    /// The same, and the weak enemies beside the group with their liberties and the empty points beside all that.
    pub(super) reach: PointSet,
}

impl Region {
    /// The region of the group of a stone, as wide as there is room. Where the wall around it has gaps, its stones are not to be
    /// mistaken for prisoners. None: even the narrowest is too large.
    pub(super) fn of(board: &ReadingBoard, stone: Point, has_gaps: bool) -> Option<Region> {
        let owner = board.color(stone)?;
        let is_closed = |core: &PointSet| core.and(board.empty()).len() <= ROOM;
        let [enclosed, prisoners] = if has_gaps {
            [PointSet::EMPTY; 2]
        } else {
            [enclosed(board, stone, owner), prisoners(board, stone, owner)]
        };
        let wall = board.of(!owner).without(&prisoners).without(&enclosed);
        let spheres = (1..=STEPS).map(|steps| sphere(board, stone, owner, &wall, steps));
        let mut core = spheres.take_while(is_closed).last()?;
        core.add(&enclosed);
        core.add(&shut_in(board, &core, owner));
        let with_empty = |points: PointSet| points.or(&points.grown().and(board.empty()));
        let beside = with_empty(core);
        let near = beside.or(&pockets(board, &beside, owner));
        let reach = near.or(&with_empty(core.or(&weak(board, &core, owner))));
        Some(Region { core, near, reach })
    }
}

/// The small spaces beside the chain that the owner's stones, or the edge, close in: eye spaces, with the stones in them.
fn enclosed(board: &ReadingBoard, stone: Point, owner: Color) -> PointSet {
    let free = board.empty().or(board.of(!owner));
    let mut enclosed = PointSet::EMPTY;
    let mut todo = *board.liberties(stone);
    while let Some(start) = todo.first() {
        todo.remove(start);
        if let Some(space) = PointSet::small_space(start, &free, EYE_SPACE) {
            todo = todo.without(&space);
            enclosed.add(&space);
        }
    }
    enclosed
}

/// The stones and empty points that the group reaches in so many steps, and not after the stones of the wall. Its own stones cost no
/// step; enemies that are not in the wall are as empty points.
fn sphere(board: &ReadingBoard, stone: Point, owner: Color, wall: &PointSet, steps: usize) -> PointSet {
    let free = board.empty().or(&board.of(!owner).without(wall));
    let mut group: PointSet = board.stones(stone).collect();
    let mut taken = PointSet::EMPTY;
    let mut front = *wall;
    for _ in 0..=steps {
        let reached = joined(board, group, owner);
        let fresh = reached.grown().and(&free).without(&taken).without(&reached);
        let next = reached.or(&fresh);
        front = front.grown().and(&free).without(&next).without(&taken);
        taken.add(&front);
        if next == group {
            break;
        }
        group = next;
    }
    group
}

/// Few enemies that the group would shut in, were it not for them: what they touch is nearer to it than to the others.
fn prisoners(board: &ReadingBoard, stone: Point, owner: Color) -> PointSet {
    let mut prisoners = PointSet::EMPTY;
    let mut todo = sphere(board, stone, owner, &PointSet::EMPTY, 1).and(board.of(!owner));
    while let Some(enemy) = todo.first() {
        let chain: PointSet = board.stones(enemy).collect();
        todo = todo.without(&chain);
        if chain.len() > NAKADE {
            continue;
        }
        let wall = board.of(!owner).without(&prisoners).without(&chain);
        let inside = sphere(board, stone, owner, &wall, STEPS).without(&wall.grown());
        let beside = chain.grown().and(&board.empty().or(&wall));
        if beside.without(&inside).is_empty() {
            prisoners.add(&chain);
        }
    }
    prisoners
}

/// The points, and all chains of the colour that touch them, or touch these.
fn joined(board: &ReadingBoard, mut points: PointSet, color: Color) -> PointSet {
    loop {
        let beside = points.grown().and(board.of(color)).without(&points);
        if beside.is_empty() {
            return points;
        }
        for stone in beside.iter() {
            points.add(&board.stones(stone).collect());
        }
    }
}

/// Enemies beside the core whose liberties all lie in it.
fn shut_in(board: &ReadingBoard, core: &PointSet, owner: Color) -> PointSet {
    let mut shut = PointSet::EMPTY;
    for enemy in core.grown().and(board.of(!owner)).iter() {
        if !shut.contains(enemy) && board.liberties(enemy).without(core).is_empty() {
            shut.add(&board.stones(enemy).collect());
        }
    }
    shut
}

/// The few points beside these, with whatever stands on them, that they shut off together with enemies that have liberties elsewhere: stones
/// that may be captured, and what lies behind.
fn pockets(board: &ReadingBoard, points: &PointSet, owner: Color) -> PointSet {
    let is_weak = |enemy: Point| board.liberties(enemy).without(points).len() <= OUTSIDE;
    let mut free = board.empty().or(board.of(owner));
    for enemy in board.of(!owner).without(points).iter() {
        if !free.contains(enemy) && is_weak(enemy) {
            free.add(&board.stones(enemy).collect());
        }
    }
    let free = free.without(points);
    let mut pockets = PointSet::EMPTY;
    for start in points.grown().and(&free).iter() {
        if !pockets.contains(start)
            && let Some(pocket) = PointSet::small_space(start, &free, POCKET)
        {
            pockets.add(&pocket);
        }
    }
    pockets
}

/// Enemies beside the stones of the core that have few liberties, and these.
fn weak(board: &ReadingBoard, core: &PointSet, owner: Color) -> PointSet {
    let mut points = PointSet::EMPTY;
    for enemy in core.and(board.of(owner)).grown().and(board.of(!owner)).iter() {
        if !points.contains(enemy) && board.liberty_count(enemy) <= WEAK {
            points.add(board.liberties(enemy));
            points.add(&board.stones(enemy).collect());
        }
    }
    points
}
