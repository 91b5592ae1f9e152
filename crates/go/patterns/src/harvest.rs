//! Which shapes are worth knowing: those that were played often enough, and small ones that are often seen.

use crate::features::{FeatureScratch, FeatureSink, KEYED, MoveContext, NEAR};
use crate::model::{MAX_SHAPES, ShapeKeys};
use crate::records::RecordedGame;
use ishi_go::{Move, Point};

/// What to keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HarvestParams {
    /// A shape is kept if it was played so often.
    pub min_count: usize,
    /// One position in so many is looked at for small shapes that are seen but not played; 0 looks at none.
    pub every: usize,
    /// A small shape is kept if it was seen so often there.
    pub min_seen: usize,
}

impl Default for HarvestParams {
    fn default() -> Self {
        HarvestParams { min_count: 8, every: 100, min_seen: 100 }
    }
}

/// A harvest under way.
#[derive(Debug)]
pub struct ShapeHarvest {
    params: HarvestParams,
    found: FoundShapes,
    games: usize,
}

impl ShapeHarvest {
    /// Nothing is found yet.
    pub fn new(params: HarvestParams) -> ShapeHarvest {
        ShapeHarvest { params, found: FoundShapes::default(), games: 0 }
    }

    /// Adds the shapes of some more games.
    pub fn add_games(&mut self, games: &[RecordedGame], threads: usize) {
        let share = games.len().div_ceil(threads.max(1)).max(1);
        let (first, params) = (self.games, self.params);
        let parts: Vec<FoundShapes> = std::thread::scope(|scope| {
            let work = |(n, part)| scope.spawn(move || gather_shapes(part, first + n * share, &params));
            let handles: Vec<_> = games.chunks(share).enumerate().map(work).collect();
            handles.into_iter().map(|handle| handle.join().unwrap_or_default()).collect()
        });
        for part in parts {
            self.found.append_shapes(part);
        }
        self.games += games.len();
    }

    /// The shapes that are worth knowing. Where these are more than can be known, the counts that are asked for are doubled until
    /// they are few enough.
    pub fn into_keys(mut self) -> ShapeKeys {
        self.found.played.sort_unstable();
        self.found.seen.sort_unstable();
        let (mut played, mut seen) = (self.params.min_count.max(1), self.params.min_seen.max(1));
        loop {
            let mut groups = frequent_keys(&self.found.played, played);
            for (group, more) in groups.iter_mut().zip(frequent_keys(&self.found.seen, seen)) {
                group.extend(more);
            }
            if groups.iter().map(Vec::len).sum::<usize>() <= MAX_SHAPES {
                return ShapeKeys::new(groups);
            }
            (played, seen) = (2 * played, 2 * seen);
        }
    }
}

/// Shapes as often as they were found, their groups in the upper bits.
#[derive(Debug, Default)]
struct FoundShapes {
    played: Vec<u64>,
    seen: Vec<u64>,
}

impl FoundShapes {
    fn append_shapes(&mut self, mut other: FoundShapes) {
        self.played.append(&mut other.played);
        self.seen.append(&mut other.seen);
    }
}

const GROUP_SHIFT: u32 = 48;

/// The keys of a sorted list that stand there so often, by group.
fn frequent_keys(keys: &[u64], least: usize) -> Vec<Vec<u64>> {
    let mut groups = vec![Vec::new(); KEYED];
    for run in keys.chunk_by(|a, b| a == b).filter(|run| run.len() >= least) {
        groups[(run[0] >> GROUP_SHIFT) as usize].push(run[0] & ((1 << GROUP_SHIFT) - 1));
    }
    groups
}

fn gather_shapes(games: &[RecordedGame], first: usize, params: &HarvestParams) -> FoundShapes {
    let (mut found, mut scratch) = (FoundShapes::default(), FeatureScratch::new());
    for (n, record) in games.iter().enumerate() {
        let (mut replay, mut number) = (record.start_replay(), first + n);
        while let Some(point) = replay.next_move(record) {
            let context = replay.context();
            scratch.prepare_shapes(&context);
            note_shapes(&scratch, &context, point, |_| true, &mut found.played);
            if params.every > 0 && number.is_multiple_of(params.every) {
                let small = |group: usize| group <= 2 || group == NEAR;
                for &candidate in scratch.candidates() {
                    note_shapes(&scratch, &context, candidate, small, &mut found.seen);
                }
            }
            number += 1;
            replay.play(Move::Play(point));
        }
    }
    found
}

fn note_shapes(
    scratch: &FeatureScratch,
    context: &MoveContext,
    point: Point,
    wanted: impl Fn(usize) -> bool,
    keys: &mut Vec<u64>,
) {
    scratch.emit_shapes(context, point, &mut ShapeNoter { wanted, keys });
}

struct ShapeNoter<'a, F> {
    wanted: F,
    keys: &'a mut Vec<u64>,
}

impl<F: Fn(usize) -> bool> FeatureSink for ShapeNoter<'_, F> {
    fn add_fixed(&mut self, _: usize) {}

    fn add_keyed(&mut self, group: usize, key: u64) -> bool {
        let wanted = (self.wanted)(group);
        if wanted {
            self.keys.push(key | (group as u64) << GROUP_SHIFT);
        }
        wanted
    }
}
