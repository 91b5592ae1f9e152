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

use ishi_work::{Stop, StopFlag};
use num_bigint::BigUint;

use super::sets::{self, CellPlace, EMPTY, LEAF, NONE};

/// A decoration and the number of ways to it.
type DecorationWay = (u64, u128);

/// The spin of a run of stones in the first row that is not known yet.
const OPEN: u64 = 2;
/// Bits of a digit.
const DIGIT: u32 = 2;

/// The decorations of one layer of frontiers.
pub(super) struct DecoratedLayer {
    /// Consecutive frontiers.
    parts: Vec<DecoratedPart>,
}

/// The decorations of some consecutive frontiers.
struct DecoratedPart {
    /// Where each frontier's ways end; the first begins at 0.
    ends: Vec<u32>,
    ways: Vec<DecorationWay>,
}

/// What stands above or to the left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NearStone {
    /// Nothing that has to do with spins.
    Nothing,
    /// A leaf whose last neighbour must be a centre of this spin.
    Need(u64),
    /// The newest cell, a leaf.
    Leaf { spin: u64, known: bool },
    /// A stone that is no leaf.
    Centre(u64),
}

/// A cell to place, in the order of `sets::SetsLayer::next`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CellKind {
    Centre,
    Empty,
    Leaf,
}

impl DecoratedLayer {
    /// The frontier before the first cell.
    pub(super) fn start() -> DecoratedLayer {
        DecoratedLayer { parts: vec![DecoratedPart { ends: vec![1], ways: vec![(0, 1)] }] }
    }

    pub(super) fn state_count(&self) -> usize {
        self.parts.iter().map(|part| part.ways.len()).sum()
    }

    pub(super) fn byte_size(&self) -> usize {
        let part = |part: &DecoratedPart| {
            4 * part.ends.capacity() + size_of::<DecorationWay>() * part.ways.capacity()
        };
        self.parts.iter().map(part).sum()
    }

    /// All ways together.
    pub(super) fn total_ways(&self) -> BigUint {
        self.parts.iter().flat_map(|part| &part.ways).map(|way| BigUint::from(way.1)).sum()
    }

    /// The ways of every frontier, in order.
    fn frontier_ways(&self) -> Vec<&[DecorationWay]> {
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

/// Places one cell on every decorated frontier. Nothing if it is told to stop: this thread asks before every part, and tells
/// the others.
pub(super) fn place_cell(
    layer: &DecoratedLayer,
    from: &sets::SetsLayer,
    to: &sets::SetsLayer,
    place: &CellPlace,
    threads: NonZeroUsize,
    stop: &dyn Stop,
) -> Option<DecoratedLayer> {
    let step =
        DecorationStep { from, place, ways: layer.frontier_ways(), sources: collect_sources(from, to) };
    let count = to.keys.len();
    // Many more chunks than threads: some frontiers have far more ways than others.
    let chunk = count.div_ceil(16 * threads.get()).max(64);
    let chunks: Vec<_> =
        (0..count.div_ceil(chunk)).map(|i| i * chunk..((i + 1) * chunk).min(count)).collect();
    if threads.get() == 1 || chunks.len() == 1 || layer.state_count() < 10_000 {
        let part = |chunk| (!stop.is_requested()).then(|| step.decorate_part(chunk));
        return Some(DecoratedLayer { parts: chunks.into_iter().map(part).collect::<Option<Vec<_>>>()? });
    }
    let (next, halted) = (std::sync::atomic::AtomicUsize::new(0), StopFlag::default());
    let worker = |stop: &dyn Stop| {
        let mut done = Vec::new();
        loop {
            if stop.is_requested() {
                halted.request();
                return done;
            }
            let i = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let Some(chunk) = chunks.get(i) else { return done };
            done.push((i, step.decorate_part(chunk.clone())));
        }
    };
    let mut parts = std::thread::scope(|scope| {
        let workers: Vec<_> = (1..threads.get()).map(|_| scope.spawn(|| worker(&halted))).collect();
        let join =
            |worker: std::thread::ScopedJoinHandle<'_, Vec<(usize, DecoratedPart)>>| match worker.join() {
                Ok(parts) => parts,
                Err(panic) => std::panic::resume_unwind(panic),
            };
        let mut parts = worker(stop);
        parts.extend(workers.into_iter().flat_map(join));
        parts
    });
    if halted.is_requested() {
        return None;
    }
    // Frontiers are known by their place alone, and chunks were finished in any order.
    parts.sort_unstable_by_key(|(i, _)| *i);
    Some(DecoratedLayer { parts: parts.into_iter().map(|(_, part)| part).collect() })
}

/// Where the frontiers of the next layer come from: a frontier and what was placed, by frontier of the next layer.
struct FrontierSources {
    ends: Vec<u32>,
    edges: Vec<(u32, CellKind)>,
}

fn collect_sources(from: &sets::SetsLayer, to: &sets::SetsLayer) -> FrontierSources {
    let mut ends = vec![0u32; to.keys.len() + 1];
    let edges = || {
        let edge = |(i, next): (usize, &[u32; 3])| {
            let source = i as u32;
            [
                (next[0], source, CellKind::Centre),
                (next[1], source, CellKind::Empty),
                (next[2], source, CellKind::Leaf),
            ]
        };
        from.next.iter().enumerate().flat_map(edge).filter(|edge| edge.0 != NONE)
    };
    edges().for_each(|(target, _, _)| ends[target as usize + 1] += 1);
    for i in 1..ends.len() {
        ends[i] += ends[i - 1];
    }
    let mut places = ends.clone();
    let mut sorted = vec![(0, CellKind::Empty); ends[to.keys.len()] as usize];
    for (target, source, kind) in edges() {
        let place = &mut places[target as usize];
        sorted[*place as usize] = (source, kind);
        *place += 1;
    }
    FrontierSources { ends, edges: sorted }
}

struct DecorationStep<'a> {
    from: &'a sets::SetsLayer,
    place: &'a CellPlace,
    ways: Vec<&'a [DecorationWay]>,
    sources: FrontierSources,
}

impl DecorationStep<'_> {
    /// The decorations of some frontiers of the next layer.
    fn decorate_part(&self, targets: std::ops::Range<usize>) -> DecoratedPart {
        let mut part = DecoratedPart { ends: Vec::with_capacity(targets.len()), ways: Vec::new() };
        let mut found: Vec<DecorationWay> = Vec::new();
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
    fn place_on(&self, key: u64, way: DecorationWay, kind: CellKind, found: &mut Vec<DecorationWay>) {
        match kind {
            CellKind::Empty => self.place_empty(key, way, found),
            CellKind::Centre => self.place_centre(key, way, found),
            CellKind::Leaf => {
                for way in self.settle_spin(key, way, SettleSide::Left) {
                    for way in self.settle_spin(key, way, SettleSide::Up) {
                        self.spin_choices(way).for_each(|(spin, way)| self.put_leaf(key, way, spin, found));
                    }
                }
            }
        }
    }

    /// An empty point; it may be the last one below an open run.
    fn place_empty(&self, key: u64, (decoration, ways): DecorationWay, found: &mut Vec<DecorationWay>) {
        let ends = self.is_open(key, decoration, 0) && (self.place.last || !self.is_open(key, decoration, 1));
        let factor = if ends && !self.place.top { 2 } else { 1 };
        let left = self.stone_left(key, decoration);
        found.push((self.push_cell(decoration, left, NearStone::Nothing), factor * ways));
    }

    fn place_centre(&self, key: u64, way: DecorationWay, found: &mut Vec<DecorationWay>) {
        for way in self.settle_spin(key, way, SettleSide::Up) {
            match (self.stone_above(key, way.0), self.stone_left(key, way.0)) {
                (NearStone::Centre(spin) | NearStone::Need(spin), _) | (_, NearStone::Centre(spin)) => {
                    self.put_centre(key, way, spin, found);
                }
                (_, NearStone::Nothing) if self.place.top => self.put_centre(key, way, OPEN, found),
                _ => self.spin_choices(way).for_each(|(spin, way)| self.put_centre(key, way, spin, found)),
            }
        }
    }

    /// A stone with liberties: as its neighbours want it.
    fn put_centre(
        &self,
        key: u64,
        (decoration, ways): DecorationWay,
        spin: u64,
        found: &mut Vec<DecorationWay>,
    ) {
        let fits = match self.stone_above(key, decoration) {
            NearStone::Centre(above) | NearStone::Need(above) => above == spin,
            _ => true,
        };
        let left = match self.stone_left(key, decoration) {
            NearStone::Centre(beside) if beside != spin => None,
            NearStone::Leaf { spin: own, known } => self.leaf_wish(own, own != spin, known),
            left => Some(left),
        };
        if let (true, Some(left)) = (fits, left) {
            found.push((self.push_cell(decoration, left, NearStone::Centre(spin)), ways));
        }
    }

    /// A leaf: among its neighbours is one stone of the other spin, its own centre.
    fn put_leaf(
        &self,
        key: u64,
        (decoration, ways): DecorationWay,
        spin: u64,
        found: &mut Vec<DecorationWay>,
    ) {
        let (up, left) = (self.stone_above(key, decoration), self.stone_left(key, decoration));
        let own = |near: NearStone| near == NearStone::Centre(1 - spin);
        if own(up) && own(left) {
            return;
        }
        let known = own(up) || own(left);
        let new = if self.place.last {
            self.leaf_wish(spin, false, known)
        } else {
            Some(NearStone::Leaf { spin, known })
        };
        if let Some(new) = new {
            found.push((self.push_cell(decoration, left, new), ways));
        }
    }

    /// What a leaf wants below it, after its right neighbour: `now` if that is its own centre.
    fn leaf_wish(&self, spin: u64, now: bool, known: bool) -> Option<NearStone> {
        match (known, now) {
            (true, true) => None,
            (false, false) if self.place.bottom => None,
            _ if self.place.bottom => Some(NearStone::Nothing),
            (false, false) => Some(NearStone::Need(1 - spin)),
            _ => Some(NearStone::Need(spin)),
        }
    }

    /// The digits of a key.
    fn digit_count(&self) -> u32 {
        self.place.newest / 2 + 1
    }

    /// The bit that says whether the newest cell's own centre is known.
    fn known_bit(&self) -> u64 {
        1 << (DIGIT * self.digit_count())
    }

    /// The bit that says whether a spin is settled.
    fn settled_bit(&self) -> u64 {
        2 << (DIGIT * self.digit_count())
    }

    /// The spins that a stone may have if nothing else says so.
    fn spin_choices(&self, (decoration, ways): DecorationWay) -> impl Iterator<Item = (u64, DecorationWay)> {
        let first = decoration & self.settled_bit() == 0;
        let way = if first { (decoration | self.settled_bit(), 2 * ways) } else { (decoration, ways) };
        (0..if first { 1 } else { 2 }).map(move |spin| (spin, way))
    }

    /// Is there a stone with an open spin at a digit?
    fn is_open(&self, key: u64, decoration: u64, digit: u32) -> bool {
        key >> (DIGIT * digit) & 3 != EMPTY && decoration >> (DIGIT * digit) & 3 == OPEN
    }

    /// Chooses the spin of the run above or to the left if it is open.
    fn settle_spin(
        &self,
        key: u64,
        way: DecorationWay,
        side: SettleSide,
    ) -> impl Iterator<Item = DecorationWay> {
        let newest = self.digit_count() - 1;
        let run = match side {
            SettleSide::Up if !self.place.top => {
                (0..=newest).take_while(|i| self.is_open(key, way.0, *i)).count() as u32
            }
            SettleSide::Left if !self.place.first => {
                (0..=newest).take_while(|i| self.is_open(key, way.0, newest - i)).count() as u32
            }
            _ => 0,
        };
        let start = if side == SettleSide::Up { 0 } else { newest + 1 - run };
        let kept = (run == 0).then_some(way);
        let chosen = (run > 0).then(|| {
            self.spin_choices(way).map(move |(spin, (decoration, ways))| {
                // From OPEN, 2, to the spin, in every digit of the run.
                let less = (start..start + run).map(|i| (OPEN - spin) << (DIGIT * i)).sum::<u64>();
                (decoration - less, ways)
            })
        });
        kept.into_iter().chain(chosen.into_iter().flatten())
    }

    fn stone_above(&self, key: u64, decoration: u64) -> NearStone {
        match (self.place.top, key & 3, decoration & 3) {
            (true, _, _) | (_, EMPTY, _) => NearStone::Nothing,
            (_, LEAF, spin) => NearStone::Need(spin),
            (_, _, spin) => NearStone::Centre(spin),
        }
    }

    fn stone_left(&self, key: u64, decoration: u64) -> NearStone {
        let newest = self.place.newest;
        match (self.place.first, key >> newest, decoration >> newest & 3) {
            (true, _, _) | (_, EMPTY, _) => NearStone::Nothing,
            (_, LEAF, spin) => NearStone::Leaf { spin, known: decoration & self.known_bit() != 0 },
            (_, _, spin) => NearStone::Centre(spin),
        }
    }

    /// The decoration with the cell to the left changed and a new one in front.
    fn push_cell(&self, decoration: u64, left: NearStone, new: NearStone) -> u64 {
        let newest = self.place.newest;
        let mut rest = decoration & (self.known_bit() - 1);
        if !self.place.first {
            rest = rest & ((1 << newest) - 1) | left.spin() << newest;
        }
        let known = if let NearStone::Leaf { known: true, .. } = new { self.known_bit() } else { 0 };
        rest >> DIGIT | new.spin() << newest | known | decoration & self.settled_bit()
    }
}

impl NearStone {
    fn spin(self) -> u64 {
        match self {
            NearStone::Nothing => 0,
            NearStone::Need(spin) | NearStone::Leaf { spin, .. } | NearStone::Centre(spin) => spin,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SettleSide {
    Up,
    Left,
}
