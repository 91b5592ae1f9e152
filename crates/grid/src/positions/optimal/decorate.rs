//! Frontiers of dominating sets with leaves and spins.
//!
//! A decoration has two bits for every column of its frontier's key, at the same place. What they say depends on the
//! key's digit there:
//! - in the set: 0 an empty point, 1 or 2 a leaf. A leaf in the row above says which spin (0 or 1) the centre
//!   below it must have; the newest cell, if it is a leaf, says its own spin, and one bit above all others whether
//!   its own centre is already known.
//! - not in the set: bit 0 the spin, bit 1 set if no empty neighbour is known yet.

use std::num::NonZeroUsize;

use num_bigint::BigUint;

use super::sets::{self, EMPTY, NONE, Place};

/// A decoration and the number of ways to it.
type Way = (u64, u128);

/// The decorations of one layer of frontiers.
pub(super) struct Layer {
    /// Consecutive frontiers.
    parts: Vec<Part>,
}

/// The decorations of some consecutive frontiers.
struct Part {
    /// Where each frontier's ways end; the first begins at 0.
    ends: Vec<u32>,
    ways: Vec<Way>,
}

/// What stands above or to the left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Near {
    /// Off the grid, or a leaf that needs nothing more.
    Nothing,
    Empty,
    /// A leaf whose last neighbour must be a centre of this spin.
    Need(u64),
    /// The newest cell, a leaf.
    Leaf {
        spin: u64,
        known: bool,
    },
    Centre {
        spin: u64,
        bare: bool,
    },
}

/// A cell to place.
#[derive(Clone, Copy)]
enum Cell {
    Empty,
    Leaf(u64),
    Centre(u64),
}

impl Layer {
    /// The frontier before the first cell.
    pub(super) fn start() -> Layer {
        Layer { parts: vec![Part { ends: vec![1], ways: vec![(0, 1)] }] }
    }

    pub(super) fn states(&self) -> usize {
        self.parts.iter().map(|part| part.ways.len()).sum()
    }

    pub(super) fn bytes(&self) -> usize {
        let part = |part: &Part| 4 * part.ends.capacity() + size_of::<Way>() * part.ways.capacity();
        self.parts.iter().map(part).sum()
    }

    /// All ways together.
    pub(super) fn total(&self) -> BigUint {
        self.parts.iter().flat_map(|part| &part.ways).map(|way| BigUint::from(way.1)).sum()
    }

    /// The ways of every frontier, in order.
    fn frontiers(&self) -> Vec<&[Way]> {
        let mut all = Vec::new();
        for part in &self.parts {
            let mut begin = 0;
            for end in &part.ends {
                all.push(&part.ways[begin..*end as usize]);
                begin = *end as usize;
            }
        }
        all
    }
}

/// Places one cell on every decorated frontier.
pub(super) fn step(
    layer: &Layer,
    from: &sets::Layer,
    to: &sets::Layer,
    place: &Place,
    cell: usize,
    threads: NonZeroUsize,
) -> Layer {
    let step = Step { from, place, cell, ways: layer.frontiers(), sources: sources(from, to) };
    let count = to.keys.len();
    let chunk = count.div_ceil(16 * threads.get()).max(64);
    let chunks: Vec<_> =
        (0..count.div_ceil(chunk)).map(|i| i * chunk..((i + 1) * chunk).min(count)).collect();
    if threads.get() == 1 || chunks.len() == 1 || layer.states() < 10_000 {
        return Layer { parts: chunks.into_iter().map(|chunk| step.part(chunk)).collect() };
    }
    let next = std::sync::atomic::AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let i = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let Some(chunk) = chunks.get(i) else { return done };
            done.push((i, step.part(chunk.clone())));
        }
    };
    let mut parts = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.get()).map(|_| scope.spawn(worker)).collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, Vec<(usize, Part)>>| match worker.join() {
            Ok(parts) => parts,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        workers.into_iter().flat_map(join).collect::<Vec<_>>()
    });
    parts.sort_unstable_by_key(|(i, _)| *i);
    Layer { parts: parts.into_iter().map(|(_, part)| part).collect() }
}

/// Where the frontiers of the next layer come from: `(frontier, in the set)`, by frontier of the next layer.
struct Sources {
    ends: Vec<u32>,
    edges: Vec<(u32, bool)>,
}

fn sources(from: &sets::Layer, to: &sets::Layer) -> Sources {
    let mut ends = vec![0u32; to.keys.len() + 1];
    let edges = || {
        let edge = |(i, next): (usize, &[u32; 2])| [(next[0], i as u32, false), (next[1], i as u32, true)];
        from.next.iter().enumerate().flat_map(edge).filter(|edge| edge.0 != NONE)
    };
    edges().for_each(|(target, _, _)| ends[target as usize + 1] += 1);
    for i in 1..ends.len() {
        ends[i] += ends[i - 1];
    }
    let mut places = ends.clone();
    let mut sorted = vec![(0, false); ends[to.keys.len()] as usize];
    for (target, source, inside) in edges() {
        let place = &mut places[target as usize];
        sorted[*place as usize] = (source, inside);
        *place += 1;
    }
    Sources { ends, edges: sorted }
}

struct Step<'a> {
    from: &'a sets::Layer,
    place: &'a Place,
    cell: usize,
    ways: Vec<&'a [Way]>,
    sources: Sources,
}

impl Step<'_> {
    /// The decorations of some frontiers of the next layer.
    fn part(&self, targets: std::ops::Range<usize>) -> Part {
        let mut part = Part { ends: Vec::with_capacity(targets.len()), ways: Vec::new() };
        let mut found: Vec<Way> = Vec::new();
        for target in targets {
            found.clear();
            let edges = self.sources.ends[target] as usize..self.sources.ends[target + 1] as usize;
            for (source, inside) in &self.sources.edges[edges] {
                let key = self.from.keys[*source as usize];
                for way in self.ways[*source as usize] {
                    self.place_on(key, *way, *inside, &mut found);
                }
            }
            found.sort_unstable_by_key(|way| way.0);
            let begin = part.ways.len();
            for (decoration, ways) in &found {
                match part.ways[begin..].last_mut() {
                    Some(last) if last.0 == *decoration => last.1 += ways,
                    _ => part.ways.push((*decoration, *ways)),
                }
            }
            part.ends.push(part.ways.len() as u32);
        }
        part.ways.shrink_to_fit();
        part
    }

    /// Every way to place the cell.
    fn place_on(&self, key: u64, (decoration, ways): Way, inside: bool, found: &mut Vec<Way>) {
        let place = self.place;
        let (up, left) = (self.above(key, decoration), self.left(key, decoration));
        // With no stone placed, the first one's spin is 0; the other half is the same with all spins turned.
        let spins = if self.bare_start(key, decoration) { 1 } else { 2 };
        let mut put = |cell: Cell| {
            if let Some((new, left)) = arrange(up, left, cell, place) {
                found.push((self.pushed(decoration, left, new), ways));
            }
        };
        if inside {
            put(Cell::Empty);
            (0..spins).for_each(|spin| put(Cell::Leaf(spin)));
        } else {
            (0..spins).for_each(|spin| put(Cell::Centre(spin)));
        }
    }

    /// Are all cells so far empty? Never so beyond one row and a cell: a smallest dominating set has no such begin.
    fn bare_start(&self, key: u64, decoration: u64) -> bool {
        let width = self.place.newest as usize / 2 + 1;
        self.cell <= width && decoration == 0 && key >> (2 * (width - self.cell)) == EMPTY
    }

    fn above(&self, key: u64, decoration: u64) -> Near {
        match (self.place.top, key & 3, decoration & 3) {
            (true, _, _) => Near::Nothing,
            (_, EMPTY, 0) => Near::Empty,
            (_, EMPTY, leaf) => Near::Need(leaf - 1),
            (_, _, stone) => Near::Centre { spin: stone & 1, bare: stone & 2 != 0 },
        }
    }

    fn left(&self, key: u64, decoration: u64) -> Near {
        let newest = self.place.newest;
        let known = decoration >> (newest + 2) != 0;
        match (self.place.first, key >> newest, decoration >> newest & 3) {
            (true, _, _) => Near::Nothing,
            (_, EMPTY, 0) => Near::Empty,
            (_, EMPTY, leaf) => Near::Leaf { spin: leaf - 1, known },
            (_, _, stone) => Near::Centre { spin: stone & 1, bare: stone & 2 != 0 },
        }
    }

    /// The decoration with the cell to the left changed and a new one in front.
    fn pushed(&self, decoration: u64, left: Near, new: Near) -> u64 {
        let newest = self.place.newest;
        let rest = if self.place.first {
            decoration
        } else {
            decoration & ((1 << newest) - 1) | bits(left) << newest
        };
        rest >> 2 | bits(new) << newest
    }
}

fn bits(near: Near) -> u64 {
    match near {
        Near::Nothing | Near::Empty => 0,
        Near::Need(spin) => 1 + spin,
        Near::Leaf { spin, known } => (1 + spin) | u64::from(known) << 2,
        Near::Centre { spin, bare } => spin | u64::from(bare) << 1,
    }
}

/// The new cell and the cell to the left after it; `None` if the new cell cannot stand there.
fn arrange(up: Near, left: Near, cell: Cell, place: &Place) -> Option<(Near, Near)> {
    match cell {
        Cell::Empty => empty(up, left),
        Cell::Centre(spin) => centre(up, left, spin, place),
        Cell::Leaf(spin) => leaf(up, left, spin, place),
    }
}

fn empty(up: Near, left: Near) -> Option<(Near, Near)> {
    match (up, left) {
        (Near::Need(_), _) | (_, Near::Leaf { .. }) => None,
        (_, Near::Centre { spin, .. }) => Some((Near::Empty, Near::Centre { spin, bare: false })),
        _ => Some((Near::Empty, left)),
    }
}

fn centre(up: Near, left: Near, spin: u64, place: &Place) -> Option<(Near, Near)> {
    let fits = match up {
        Near::Centre { spin: above, bare } => above == spin && !bare,
        Near::Need(wanted) => wanted == spin,
        _ => true,
    };
    let left = match left {
        Near::Centre { spin: beside, bare } if beside != spin || (bare && place.bottom) => return None,
        Near::Leaf { spin: own, known } => settled(own, own != spin, known, place)?,
        _ => left,
    };
    let bare = up != Near::Empty && left != Near::Empty;
    let lost = bare && place.last && place.bottom;
    (fits && !lost).then_some((Near::Centre { spin, bare }, left))
}

/// A leaf after its right neighbour: what it wants below. `now` if that neighbour is its own centre.
fn settled(spin: u64, now: bool, known: bool, place: &Place) -> Option<Near> {
    match (known, now) {
        (true, true) => None,
        (false, false) if place.bottom => None,
        _ if place.bottom => Some(Near::Nothing),
        (false, false) => Some(Near::Need(1 - spin)),
        _ => Some(Near::Need(spin)),
    }
}

fn leaf(up: Near, left: Near, spin: u64, place: &Place) -> Option<(Near, Near)> {
    let own = |near: Near| match near {
        Near::Nothing => Some(false),
        Near::Centre { spin: other, .. } => Some(other != spin),
        _ => None,
    };
    if matches!(up, Near::Centre { bare: true, .. }) {
        return None;
    }
    if place.bottom && matches!(left, Near::Centre { bare: true, .. }) {
        return None;
    }
    let (above, beside) = (own(up)?, own(left)?);
    if above && beside {
        return None;
    }
    let known = above || beside;
    let new = if place.last { settled(spin, false, known, place)? } else { Near::Leaf { spin, known } };
    Some((new, left))
}
