//! Where a group has its life: the points nearer to it than to its enemies, and what lies around.

use ishi_go::{Color, Point};

use super::WEAK;
use crate::board::ReadingBoard;
use crate::point_set::PointSet;
use crate::region::spaces::spaces_within;
use crate::region::sphere::group_sphere;
use crate::region::{NAKADE, Region, chains_of, ways_out_of};

/// A group with more empty points about it is not closed in.
const ROOM: usize = 20;
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
    /// The same, and the empty points beside core and weak enemies. Who has ways out of it may escape.
    pub(super) reach: Region,
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
        let spheres = (1..=STEPS).map(|steps| group_sphere(board, stone, owner, &wall, steps));
        let mut core = spheres.take_while(is_closed).last()?;
        core.add_set(&enclosed);
        core.add_set(&shut_in_enemies(board, &core, owner));
        let with_empty =
            |points: PointSet| points.union(&points.with_neighbours().intersection(board.empty_points()));
        // What may be captured becomes room.
        let weak = weak_enemies(board, &core, owner);
        let near = with_pockets(board, with_empty(core), owner).union(&weak);
        let reach = Region::from_points(board, near.union(&with_empty(core.union(&weak))));
        Some(LifeRegion { core, near, reach })
    }
}

/// The small spaces beside the chain that the owner's stones, or the edge, close in: eye spaces, with the stones in them.
fn enclosed_spaces(board: &ReadingBoard, stone: Point, owner: Color) -> PointSet {
    let free = board.empty_points().union(board.stones_of(!owner));
    spaces_within(*board.liberties(stone), free, EYE_SPACE)
        .fold(PointSet::EMPTY, |enclosed, space| enclosed.union(&space))
}

/// Few enemies that the group would shut in, were it not for them: what they touch is nearer to it than to the others. Chains of more stones than a
/// nakade are no prisoners: to capture them makes two eyes.
fn find_prisoners(board: &ReadingBoard, stone: Point, owner: Color) -> PointSet {
    let mut prisoners = PointSet::EMPTY;
    let mut todo =
        group_sphere(board, stone, owner, &PointSet::EMPTY, 1).intersection(board.stones_of(!owner));
    while let Some(enemy) = todo.first() {
        let chain: PointSet = board.stones(enemy).collect();
        todo = todo.difference(&chain);
        if chain.len() > NAKADE {
            continue;
        }
        let wall = board.stones_of(!owner).difference(&prisoners).difference(&chain);
        let inside = group_sphere(board, stone, owner, &wall, STEPS).difference(&wall.with_neighbours());
        let beside = chain.with_neighbours().intersection(&board.empty_points().union(&wall));
        if beside.difference(&inside).is_empty() {
            prisoners.add_set(&chain);
        }
    }
    prisoners
}

/// Enemies beside the core whose liberties all lie in it.
fn shut_in_enemies(board: &ReadingBoard, core: &PointSet, owner: Color) -> PointSet {
    let beside = core.with_neighbours().intersection(board.stones_of(!owner));
    chains_of(board, beside, |enemy| ways_out_of(core, board, enemy).is_empty())
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
    let enemies = board.stones_of(!owner).difference(points);
    let weak = chains_of(board, enemies, |enemy| ways_out_of(points, board, enemy).len() <= OUTSIDE);
    let free = board.empty_points().union(board.stones_of(owner)).union(&weak).difference(points);
    let starts = points.with_neighbours().intersection(&free);
    spaces_within(starts, free, POCKET).fold(PointSet::EMPTY, |pockets, pocket| pockets.union(&pocket))
}

/// Enemies beside the stones of the core that have few liberties, and these.
fn weak_enemies(board: &ReadingBoard, core: &PointSet, owner: Color) -> PointSet {
    let own = core.intersection(board.stones_of(owner));
    let beside = own.with_neighbours().intersection(board.stones_of(!owner));
    let weak = chains_of(board, beside, |enemy| board.liberty_count(enemy) <= WEAK);
    weak.union(&weak.with_neighbours().intersection(board.empty_points()))
}
