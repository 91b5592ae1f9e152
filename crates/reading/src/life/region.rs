//! Where a group has its life: the points nearer to it than to its enemies, and what lies around.

use ishi_go::{Color, Point};

use crate::board::ReadingBoard;
use crate::point_set::PointSet;

/// The points that the life of a group is about.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Region {
    /// Its stones, and what is nearer to it than to its enemies.
    pub(super) core: PointSet,
    /// The core and what touches it: stones there belong to the fight.
    pub(super) reach: PointSet,
}

impl Region {
    /// The largest region of the group of a stone that has no more than `room` empty points.
    pub(super) fn of(board: &ReadingBoard, stone: Point, room: usize, most: usize) -> Option<Region> {
        let owner = board.color(stone)?;
        let mut core = sphere(board, stone, owner, 1);
        for steps in 2..=most {
            let larger = sphere(board, stone, owner, steps);
            if larger == core || larger.and(board.empty()).len() > room {
                break;
            }
            core = larger;
        }
        core.add(&shut_in(board, &core, owner));
        let reach = core.or(&core.grown().and(board.empty()));
        Some(Region { core, reach })
    }
}

/// Enemies beside the core whose liberties all lie in it, and which touch nothing else.
fn shut_in(board: &ReadingBoard, core: &PointSet, owner: Color) -> PointSet {
    let mut shut = PointSet::EMPTY;
    for enemy in core.grown().and(board.of(!owner)).iter() {
        if !shut.contains(enemy) && board.liberties(enemy).without(core).is_empty() {
            shut.add(&board.stones(enemy).collect());
        }
    }
    shut
}

/// The stones and empty points that the group reaches in so many steps, and not after its enemies. Its own stones cost no step.
fn sphere(board: &ReadingBoard, stone: Point, owner: Color, steps: usize) -> PointSet {
    let own = board.of(owner);
    let mut group: PointSet = board.stones(stone).collect();
    let mut taken = PointSet::EMPTY;
    let mut front = *board.of(!owner);
    for _ in 0..=steps {
        let mut reached = group;
        loop {
            let stones = reached.grown().and(own).without(&reached);
            if stones.is_empty() {
                break;
            }
            reached = stones.iter().fold(reached, |set, stone| set.or(&board.stones(stone).collect()));
        }
        let fresh = reached.grown().and(board.empty()).without(&taken).without(&reached);
        let next = reached.or(&fresh);
        let theirs = front.grown().and(board.empty()).without(&next).without(&taken);
        taken.add(&theirs);
        front = theirs;
        if next == group {
            break;
        }
        group = next;
    }
    group
}
