//! Colours for frontiers of dominating sets with leaves.
//!
//! A decoration has two bits for every column of its frontier's key, in the same order, and two bits above them. What a
//! digit says depends on the key's digit there:
//! - a stone that is no leaf: its spin.
//! - a leaf in the row above: which spin the centre below it must have. The newest cell, if it is a leaf, says
//!   its own spin, and the first bit above the digits whether its own centre is already known.
//! - an empty point: nothing.
//!
//! In the first row the spins of stones between two empty points say nothing about those of the others before they meet
//! below, and all combinations would be kept apart. So such a run's spin stays open ([`OPEN`]) until a stone is put
//! below it or a leaf beside it. If nothing but empty points is put below it, it has either spin: two ways.
//! The first spin that is settled is 0 and counts twice, for the board with all spins turned; the second bit above the
//! digits says whether one is settled.

use std::num::NonZeroUsize;

use num_bigint::BigUint;

use super::sets::{self, EMPTY, LEAF, NONE, Place};

/// A decoration and the number of ways to it.
type Way = (u64, u128);

/// The spin of a run of stones in the first row that is not known yet.
const OPEN: u64 = 2;
/// Bits of a digit.
const DIGIT: u32 = 2;

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
    /// Nothing that has to do with spins.
    Nothing,
    /// A leaf whose last neighbour must be a centre of this spin.
    Need(u64),
    /// The newest cell, a leaf.
    Leaf { spin: u64, known: bool },
    /// A stone that is no leaf.
    Centre(u64),
}

/// A cell to place, in the order of `sets::Layer::next`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Centre,
    Empty,
    Leaf,
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
    threads: NonZeroUsize,
) -> Layer {
    let step = Step { from, place, ways: layer.frontiers(), sources: sources(from, to) };
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

/// Where the frontiers of the next layer come from: a frontier and what was placed, by frontier of the next layer.
struct Sources {
    ends: Vec<u32>,
    edges: Vec<(u32, Kind)>,
}

fn sources(from: &sets::Layer, to: &sets::Layer) -> Sources {
    let mut ends = vec![0u32; to.keys.len() + 1];
    let edges = || {
        let edge = |(i, next): (usize, &[u32; 3])| {
            let source = i as u32;
            [(next[0], source, Kind::Centre), (next[1], source, Kind::Empty), (next[2], source, Kind::Leaf)]
        };
        from.next.iter().enumerate().flat_map(edge).filter(|edge| edge.0 != NONE)
    };
    edges().for_each(|(target, _, _)| ends[target as usize + 1] += 1);
    for i in 1..ends.len() {
        ends[i] += ends[i - 1];
    }
    let mut places = ends.clone();
    let mut sorted = vec![(0, Kind::Empty); ends[to.keys.len()] as usize];
    for (target, source, kind) in edges() {
        let place = &mut places[target as usize];
        sorted[*place as usize] = (source, kind);
        *place += 1;
    }
    Sources { ends, edges: sorted }
}

struct Step<'a> {
    from: &'a sets::Layer,
    place: &'a Place,
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
            for (source, kind) in &self.sources.edges[edges] {
                let key = self.from.keys[*source as usize];
                for way in self.ways[*source as usize] {
                    self.place_on(key, *way, *kind, &mut found);
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
    fn place_on(&self, key: u64, way: Way, kind: Kind, found: &mut Vec<Way>) {
        match kind {
            Kind::Empty => self.place_empty(key, way, found),
            Kind::Centre => self.place_centre(key, way, found),
            Kind::Leaf => {
                for way in self.settle(key, way, Side::Left) {
                    for way in self.settle(key, way, Side::Up) {
                        self.choices(way).for_each(|(spin, way)| self.put_leaf(key, way, spin, found));
                    }
                }
            }
        }
    }

    /// An empty point; it may be the last one below an open run.
    fn place_empty(&self, key: u64, (decoration, ways): Way, found: &mut Vec<Way>) {
        let ends = self.is_open(key, decoration, 0) && (self.place.last || !self.is_open(key, decoration, 1));
        let factor = if ends && !self.place.top { 2 } else { 1 };
        let left = self.left(key, decoration);
        found.push((self.pushed(decoration, left, Near::Nothing), factor * ways));
    }

    fn place_centre(&self, key: u64, way: Way, found: &mut Vec<Way>) {
        for way in self.settle(key, way, Side::Up) {
            match (self.above(key, way.0), self.left(key, way.0)) {
                (Near::Centre(spin) | Near::Need(spin), _) | (_, Near::Centre(spin)) => {
                    self.put_centre(key, way, spin, found);
                }
                (_, Near::Nothing) if self.place.top => self.put_centre(key, way, OPEN, found),
                _ => self.choices(way).for_each(|(spin, way)| self.put_centre(key, way, spin, found)),
            }
        }
    }

    /// A stone with liberties: as its neighbours want it.
    fn put_centre(&self, key: u64, (decoration, ways): Way, spin: u64, found: &mut Vec<Way>) {
        let fits = match self.above(key, decoration) {
            Near::Centre(above) | Near::Need(above) => above == spin,
            _ => true,
        };
        let left = match self.left(key, decoration) {
            Near::Centre(beside) if beside != spin => None,
            Near::Leaf { spin: own, known } => self.wish(own, own != spin, known),
            left => Some(left),
        };
        if let (true, Some(left)) = (fits, left) {
            found.push((self.pushed(decoration, left, Near::Centre(spin)), ways));
        }
    }

    /// A leaf: among its neighbours is one stone of the other spin, its own centre.
    fn put_leaf(&self, key: u64, (decoration, ways): Way, spin: u64, found: &mut Vec<Way>) {
        let (up, left) = (self.above(key, decoration), self.left(key, decoration));
        let own = |near: Near| near == Near::Centre(1 - spin);
        if own(up) && own(left) {
            return;
        }
        let known = own(up) || own(left);
        let new =
            if self.place.last { self.wish(spin, false, known) } else { Some(Near::Leaf { spin, known }) };
        if let Some(new) = new {
            found.push((self.pushed(decoration, left, new), ways));
        }
    }

    /// What a leaf wants below it, after its right neighbour: `now` if that is its own centre.
    fn wish(&self, spin: u64, now: bool, known: bool) -> Option<Near> {
        match (known, now) {
            (true, true) => None,
            (false, false) if self.place.bottom => None,
            _ if self.place.bottom => Some(Near::Nothing),
            (false, false) => Some(Near::Need(1 - spin)),
            _ => Some(Near::Need(spin)),
        }
    }

    /// The digits of a key.
    fn width(&self) -> u32 {
        self.place.newest / 2 + 1
    }

    /// The bit that says whether the newest cell's own centre is known.
    fn known(&self) -> u64 {
        1 << (DIGIT * self.width())
    }

    /// The bit that says whether a spin is settled.
    fn settled(&self) -> u64 {
        2 << (DIGIT * self.width())
    }

    /// The spins that a stone may have if nothing else says so.
    fn choices(&self, (decoration, ways): Way) -> impl Iterator<Item = (u64, Way)> {
        let first = decoration & self.settled() == 0;
        let way = if first { (decoration | self.settled(), 2 * ways) } else { (decoration, ways) };
        (0..if first { 1 } else { 2 }).map(move |spin| (spin, way))
    }

    /// Is there a stone with an open spin at a digit?
    fn is_open(&self, key: u64, decoration: u64, digit: u32) -> bool {
        key >> (DIGIT * digit) & 3 != EMPTY && decoration >> (DIGIT * digit) & 3 == OPEN
    }

    /// Chooses the spin of the run above or to the left if it is open.
    fn settle(&self, key: u64, way: Way, side: Side) -> impl Iterator<Item = Way> {
        let newest = self.width() - 1;
        let run = match side {
            Side::Up if !self.place.top => {
                (0..=newest).take_while(|i| self.is_open(key, way.0, *i)).count() as u32
            }
            Side::Left if !self.place.first => {
                (0..=newest).take_while(|i| self.is_open(key, way.0, newest - i)).count() as u32
            }
            _ => 0,
        };
        let start = if side == Side::Up { 0 } else { newest + 1 - run };
        let kept = (run == 0).then_some(way);
        let chosen = (run > 0).then(|| {
            self.choices(way).map(move |(spin, (decoration, ways))| {
                // From OPEN, 2, to the spin, in every digit of the run.
                let less = (start..start + run).map(|i| (OPEN - spin) << (DIGIT * i)).sum::<u64>();
                (decoration - less, ways)
            })
        });
        kept.into_iter().chain(chosen.into_iter().flatten())
    }

    fn above(&self, key: u64, decoration: u64) -> Near {
        match (self.place.top, key & 3, decoration & 3) {
            (true, _, _) | (_, EMPTY, _) => Near::Nothing,
            (_, LEAF, spin) => Near::Need(spin),
            (_, _, spin) => Near::Centre(spin),
        }
    }

    fn left(&self, key: u64, decoration: u64) -> Near {
        let newest = self.place.newest;
        match (self.place.first, key >> newest, decoration >> newest & 3) {
            (true, _, _) | (_, EMPTY, _) => Near::Nothing,
            (_, LEAF, spin) => Near::Leaf { spin, known: decoration & self.known() != 0 },
            (_, _, spin) => Near::Centre(spin),
        }
    }

    /// The decoration with the cell to the left changed and a new one in front.
    fn pushed(&self, decoration: u64, left: Near, new: Near) -> u64 {
        let newest = self.place.newest;
        let mut rest = decoration & (self.known() - 1);
        if !self.place.first {
            rest = rest & ((1 << newest) - 1) | left.spin() << newest;
        }
        let known = if let Near::Leaf { known: true, .. } = new { self.known() } else { 0 };
        rest >> DIGIT | new.spin() << newest | known | decoration & self.settled()
    }
}

impl Near {
    fn spin(self) -> u64 {
        match self {
            Near::Nothing => 0,
            Near::Need(spin) | Near::Leaf { spin, .. } | Near::Centre(spin) => spin,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Up,
    Left,
}
