//! All smallest dominating sets of a grid and their leaves, as a graph of frontiers.
//!
//! A *leaf* is a cell of the set whose neighbours are all outside of the set and covered by cells of the set that
//! are no leaves. Every path of the graph is a smallest dominating set with some of the cells that can be leaves chosen; every
//! vertex lies on such a path.
//!
//! The cost is the *loss* `5 |D| - cells`: how often a cell is covered beyond once, plus the neighbours of the set that
//! lie off the grid. A leaf's four neighbours are lost, all at once; for the others it is as if it were not there. The loss
//! never falls from cell to cell, so frontiers whose loss plus a lower bound of the rest ([`Bounds`]) is above the
//! limit are dropped. The limit is raised until a set is found.

use num_bigint::BigUint;

use super::bound::Bounds;
use crate::positions::{Observer, PositionsError, Progress, Work, tell};

/// In the set, no leaf.
pub(super) const EMPTY: u64 = 0;
/// Not in the set, covered by a neighbour already placed. Also what lies off the grid.
pub(super) const COVERED: u64 = 1;
/// Not in the set, not covered yet.
pub(super) const BARE: u64 = 2;
/// A leaf.
pub(super) const LEAF: u64 = 3;
/// What a leaf costs: it covers itself once, and four neighbours that others cover or that lie off the grid.
pub(super) const LEAF_LOSS: u16 = 4;

/// No such successor.
pub(super) const NONE: u32 = u32::MAX;

/// Where a cell stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// In the first row.
    pub(super) top: bool,
    /// In the first column.
    pub(super) first: bool,
    /// In the last column.
    pub(super) last: bool,
    /// In the last row.
    pub(super) bottom: bool,
    /// Bits of the newest digit of a key.
    pub(super) newest: u32,
}

impl Place {
    pub(super) fn new(cell: usize, width: usize, height: usize) -> Place {
        let (x, y) = (cell % width, cell / width);
        let newest = 2 * (width as u32 - 1);
        Place { top: y == 0, first: x == 0, last: x + 1 == width, bottom: y + 1 == height, newest }
    }

    /// The cell above and the cell to the left in a key before this cell is placed.
    pub(super) fn neighbours(&self, key: u64) -> (u64, u64) {
        (key & 3, if self.first { COVERED } else { key >> self.newest })
    }

    /// The key with the oldest digit gone and a new one in front.
    fn push(&self, key: u64, new: u64) -> u64 {
        key >> 2 | new << self.newest
    }
}

/// The frontiers of smallest dominating sets before one cell is placed, in ascending order.
pub(super) struct Layer {
    /// Two bits a column; the column to be placed next in the lowest bits, the newest cell in the highest.
    pub(super) keys: Vec<u64>,
    /// Where a frontier goes in the next layer by a cell not in the set, by one in it, and by a leaf.
    pub(super) next: Vec<[u32; 3]>,
}

/// The graph.
pub(super) struct Sets {
    pub(super) layers: Vec<Layer>,
    /// Size of the smallest dominating sets.
    pub(super) size: usize,
}

impl Sets {
    /// Number of smallest dominating sets: of paths without leaves.
    pub(super) fn paths(&self) -> BigUint {
        let mut ways = vec![BigUint::from(1u32)];
        for pair in self.layers.windows(2) {
            let mut next = vec![BigUint::ZERO; pair[1].keys.len()];
            for (ways, targets) in ways.iter().zip(&pair[0].next) {
                targets[..2]
                    .iter()
                    .filter(|target| **target != NONE)
                    .for_each(|target| next[*target as usize] += ways);
            }
            ways = next;
        }
        ways.iter().sum()
    }

    pub(super) fn bytes(&self) -> usize {
        self.layers.iter().map(|layer| 8 * layer.keys.capacity() + 12 * layer.next.capacity()).sum()
    }
}

/// A layer of the search: ascending keys and their least losses.
#[derive(Default)]
struct Open {
    keys: Vec<u64>,
    losses: Vec<u16>,
}

impl Open {
    fn push(&mut self, key: u64, loss: u16) {
        match (self.keys.last(), self.losses.last_mut()) {
            (Some(last), Some(least)) if *last == key => *least = (*least).min(loss),
            _ => {
                self.keys.push(key);
                self.losses.push(loss);
            }
        }
    }

    fn bytes(&self) -> usize {
        10 * self.keys.capacity()
    }
}

/// A cell in the set: the key after it, and its loss; `None` beside a leaf.
fn put_in(key: u64, place: &Place) -> Option<(u64, u16)> {
    let (up, left) = place.neighbours(key);
    if up == LEAF || left == LEAF {
        return None;
    }
    let touch = |digit: u64| [2, 1, 0][digit as usize];
    let loss = touch(up) + touch(left) + u16::from(place.last) + u16::from(place.bottom);
    let mended = if left == BARE { key - (1 << place.newest) } else { key };
    Some((place.push(mended, EMPTY), loss))
}

/// A cell not in the set: the key after it, and its loss; `None` if a cell is then bare for ever.
fn leave_out(key: u64, place: &Place) -> Option<(u64, u16)> {
    let (up, left) = place.neighbours(key);
    let covers = u16::from(up == EMPTY) + u16::from(left == EMPTY);
    if up == BARE || (place.bottom && (left == BARE || (place.last && covers == 0))) {
        return None;
    }
    let new = if covers > 0 { COVERED } else { BARE };
    Some((place.push(key, new), covers.saturating_sub(1)))
}

/// A leaf: the key after it, and its loss; `None` if a neighbour is in the set or bare for ever.
fn put_leaf(key: u64, place: &Place) -> Option<(u64, u16)> {
    let (up, left) = place.neighbours(key);
    let fits = up == COVERED && (left == COVERED || (left == BARE && !place.bottom));
    fits.then(|| (place.push(key, LEAF), LEAF_LOSS))
}

/// Finds all smallest dominating sets.
pub(super) fn smallest(
    width: usize,
    height: usize,
    work: &mut Work,
    observe: &mut Observer,
) -> Result<Sets, PositionsError> {
    let cells = width * height;
    let bounds = Bounds::new(width, height);
    let start = (0..width).fold(0, |key, _| key << 2 | COVERED);
    let mut limit = bounds.look(0).least(start) as usize;
    while !(limit + cells).is_multiple_of(5) {
        limit += 1;
    }
    loop {
        let layers = search(width, height, start, limit as u16, &bounds, work, observe)?;
        if let Some(layers) = layers {
            let size = (limit + cells) / 5;
            return Ok(Sets { layers: graph(width, height, layers), size });
        }
        limit += 5;
    }
}

/// All frontiers within the limit, layer by layer; `None` if no set has so small a loss.
fn search(
    width: usize,
    height: usize,
    start: u64,
    limit: u16,
    bounds: &Bounds,
    work: &mut Work,
    observe: &mut Observer,
) -> Result<Option<Vec<Open>>, PositionsError> {
    let cells = width * height;
    let mut layers = vec![Open { keys: vec![start], losses: vec![0] }];
    let mut bytes = bounds.bytes();
    for cell in 0..cells {
        let place = Place::new(cell, width, height);
        let next = step(&layers[cell], &place, bounds, cell + 1, limit);
        bytes += next.bytes();
        let states = next.keys.len();
        work.layer(states, bytes);
        if states == 0 {
            return Ok(None);
        }
        layers.push(next);
        tell(observe, Progress { pass: "smallest dominating sets", done: cell + 1, cells, states, bytes })?;
    }
    Ok(Some(layers))
}

/// Places a cell of a kind: the key after it, and its loss.
type Put = fn(u64, &Place) -> Option<(u64, u16)>;
/// The kinds of cells, in the order of [`Layer::next`].
const KINDS: [Put; 3] = [leave_out, put_in, put_leaf];
/// Streams of ascending keys in a step.
const STREAMS: usize = 5;

/// The stream of a key that follows another: by its newest digit, and for a cell in the set by whether it covered the
/// bare cell to its left, which breaks the order.
fn stream(before: u64, after: u64, place: &Place) -> usize {
    match after >> place.newest {
        EMPTY => usize::from(place.neighbours(before).1 == BARE),
        digit => digit as usize + 1,
    }
}

/// The next layer. Keys lose their oldest, lowest digit, so what can merge is adjacent, and each of five streams is
/// ascending; the first two of them overlap.
fn step(open: &Open, place: &Place, bounds: &Bounds, cells: usize, limit: u16) -> Open {
    let look = bounds.look(cells);
    let mut streams: [Open; STREAMS] = Default::default();
    for (key, loss) in open.keys.iter().zip(&open.losses) {
        for kind in KINDS {
            let Some((next, more)) = kind(*key, place) else { continue };
            if look.least(next) + u32::from(loss + more) <= u32::from(limit) {
                streams[stream(*key, next, place)].push(next, loss + more);
            }
        }
    }
    let size = streams.iter().map(|stream| stream.keys.len()).sum();
    let mut all = Open::default();
    all.keys.reserve_exact(size);
    all.losses.reserve_exact(size);
    let [put, mended, rest @ ..] = streams;
    merge(&put, &mended, &mut all);
    for stream in rest {
        all.keys.extend(stream.keys);
        all.losses.extend(stream.losses);
    }
    all
}

fn merge(a: &Open, b: &Open, into: &mut Open) {
    let (mut i, mut j) = (0, 0);
    while i < a.keys.len() || j < b.keys.len() {
        if j == b.keys.len() || (i < a.keys.len() && a.keys[i] <= b.keys[j]) {
            into.push(a.keys[i], a.losses[i]);
            i += 1;
        } else {
            into.push(b.keys[j], b.losses[j]);
            j += 1;
        }
    }
}

/// What lies on a path of least loss, from the last layer to the first.
fn graph(width: usize, height: usize, mut open: Vec<Open>) -> Vec<Layer> {
    let last = open.pop().unwrap_or_default();
    let least = last.losses.iter().min().copied();
    let (keys, mut losses): (Vec<u64>, Vec<u16>) =
        last.keys.iter().zip(&last.losses).filter(|(_, loss)| Some(**loss) == least).unzip();
    let mut layers = vec![Layer { next: vec![[NONE; 3]; keys.len()], keys }];
    for (cell, layer) in open.into_iter().enumerate().rev() {
        let place = Place::new(cell, width, height);
        let (before, its_losses) = back(&layer, &place, &layers[layers.len() - 1].keys, &losses);
        losses = its_losses;
        layers.push(before);
    }
    layers.reverse();
    layers
}

/// A cursor into ascending keys, for ascending questions.
struct Cursor<'a> {
    keys: &'a [u64],
    losses: &'a [u16],
    at: usize,
}

impl Cursor<'_> {
    /// The index of `key` if it is there with just this loss.
    fn find(&mut self, key: u64, loss: u16) -> u32 {
        while self.keys.get(self.at).is_some_and(|found| *found < key) {
            self.at += 1;
        }
        let found = self.keys.get(self.at) == Some(&key) && self.losses[self.at] == loss;
        if found { self.at as u32 } else { NONE }
    }
}

/// Keeps of a layer what leads to the kept part of the next one at its least loss.
fn back(open: &Open, place: &Place, keys: &[u64], losses: &[u16]) -> (Layer, Vec<u16>) {
    let mut cursors = [(); STREAMS].map(|()| Cursor { keys, losses, at: 0 });
    let mut layer = Layer { keys: Vec::new(), next: Vec::new() };
    let mut kept = Vec::new();
    for (key, loss) in open.keys.iter().zip(&open.losses) {
        let next = KINDS.map(|kind| match kind(*key, place) {
            Some((next, more)) => cursors[stream(*key, next, place)].find(next, loss + more),
            None => NONE,
        });
        if next != [NONE; 3] {
            layer.keys.push(*key);
            layer.next.push(next);
            kept.push(*loss);
        }
    }
    (layer, kept)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    fn found(width: usize, height: usize) -> (usize, BigUint) {
        let sets = smallest(width, height, &mut Work::default(), &mut |_| ControlFlow::Continue(())).unwrap();
        (sets.size, sets.paths())
    }

    /// The domination numbers of square grids (OEIS A104519 with an offset; Goncalves et al. 2011), and the paper's
    /// numbers of optimal boards (table 2).
    #[test]
    fn smallest_dominating_sets_of_squares() {
        let sizes: Vec<usize> = (1..=13).map(|n| found(n, n).0).collect();
        assert_eq!(sizes, [1, 2, 3, 4, 7, 10, 12, 16, 20, 24, 29, 35, 40]);
        assert_eq!((found(5, 5).1, found(6, 6).1), (22u32.into(), 288u32.into()));
    }

    /// Every subset of small rectangles.
    #[test]
    fn the_graph_holds_every_smallest_dominating_set() {
        for (width, height) in [(1, 1), (1, 5), (2, 2), (2, 5), (3, 3), (3, 5), (4, 4)] {
            let cells = width * height;
            let closed = |i: usize| {
                let (x, y) = (i % width, i / width);
                let near = |j: &usize| (j % width).abs_diff(x) + (j / width).abs_diff(y) <= 1;
                (0..cells).filter(near).fold(0u32, |mask, j| mask | 1 << j)
            };
            let closed: Vec<u32> = (0..cells).map(closed).collect();
            let mut counts = vec![0u128; cells + 1];
            for set in 0u32..1 << cells {
                if closed.iter().all(|mask| mask & set != 0) {
                    counts[set.count_ones() as usize] += 1;
                }
            }
            let size = counts.iter().position(|count| *count > 0).unwrap();
            assert_eq!(found(width, height), (size, counts[size].into()), "{width}x{height}");
        }
    }
}
