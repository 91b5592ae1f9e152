//! All smallest dominating sets of a grid and their leaves, as a graph of frontiers.
//!
//! A *leaf* is a cell of the set whose neighbours are all outside of the set and covered by cells of the set that
//! are no leaves. Every path of the graph is a smallest dominating set with some of the cells that can be leaves chosen; every
//! vertex lies on such a path.
//!
//! The cost is the *loss* `5 |D| - cells`: how often a cell is covered beyond once, plus the neighbours of the set that
//! lie off the grid. A leaf's four neighbours are lost, all at once; for the others it is as if it were not there. The loss
//! never falls from cell to cell, so frontiers whose loss plus a lower bound of the rest ([`BlockBounds`]) is above the
//! limit are dropped. The limit is raised until a set is found.

use ishi_work::Stop;
use num_bigint::BigUint;

use super::bound::BlockBounds;
use crate::layers::{LayerObserver, LayerStep, STATES_A_LOOK, ask_within};
use crate::positions::{LayerWork, PositionsError, cells_done, report_progress};

/// The name of the pass that finds the sets.
const PASS: &str = "smallest dominating sets";

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
pub(super) struct CellPlace {
    /// Is it in the first row?
    pub(super) top: bool,
    /// Is it in the first column?
    pub(super) first: bool,
    /// Is it in the last column?
    pub(super) last: bool,
    /// Is it in the last row?
    pub(super) bottom: bool,
    /// Bits of the newest digit of a key.
    pub(super) newest: u32,
}

impl CellPlace {
    pub(super) fn new(cell: usize, width: usize, height: usize) -> CellPlace {
        let (x, y) = (cell % width, cell / width);
        let newest = 2 * (width as u32 - 1);
        CellPlace { top: y == 0, first: x == 0, last: x + 1 == width, bottom: y + 1 == height, newest }
    }

    /// The cell above and the cell to the left in a key before this cell is placed.
    pub(super) fn neighbours(&self, key: u64) -> (u64, u64) {
        (key & 3, if self.first { COVERED } else { key >> self.newest })
    }

    /// The key with the oldest digit gone and a new one in front.
    fn push_digit(&self, key: u64, new: u64) -> u64 {
        key >> 2 | new << self.newest
    }
}

/// The frontiers of smallest dominating sets before one cell is placed, in ascending order.
pub(super) struct SetsLayer {
    /// Two bits a column; the column to be placed next in the lowest bits, the newest cell in the highest.
    pub(super) keys: Vec<u64>,
    /// Where a frontier goes in the next layer by a cell not in the set, by one in it, and by a leaf.
    pub(super) next: Vec<[u32; 3]>,
}

/// The graph.
pub(super) struct DominatingSets {
    pub(super) layers: Vec<SetsLayer>,
    /// Size of the smallest dominating sets.
    pub(super) size: usize,
}

impl DominatingSets {
    /// Number of smallest dominating sets: of paths without leaves. Nothing if it is told to stop.
    pub(super) fn count_paths(&self, stop: &dyn Stop) -> Option<BigUint> {
        let mut ways = vec![BigUint::from(1u32)];
        for pair in self.layers.windows(2) {
            if stop.is_requested() {
                return None;
            }
            let mut next = vec![BigUint::ZERO; pair[1].keys.len()];
            for (ways, targets) in ways.iter().zip(&pair[0].next) {
                targets[..2]
                    .iter()
                    .filter(|target| **target != NONE)
                    .for_each(|target| next[*target as usize] += ways);
            }
            ways = next;
        }
        Some(ways.iter().sum())
    }

    pub(super) fn byte_size(&self) -> usize {
        self.layers.iter().map(|layer| 8 * layer.keys.capacity() + 12 * layer.next.capacity()).sum()
    }
}

/// A layer of the search: ascending keys and their least losses.
#[derive(Default)]
struct OpenLayer {
    keys: Vec<u64>,
    losses: Vec<u16>,
}

impl OpenLayer {
    fn push(&mut self, key: u64, loss: u16) {
        match (self.keys.last(), self.losses.last_mut()) {
            (Some(last), Some(least)) if *last == key => *least = (*least).min(loss),
            _ => {
                self.keys.push(key);
                self.losses.push(loss);
            }
        }
    }

    fn byte_size(&self) -> usize {
        10 * self.keys.capacity()
    }
}

/// A cell in the set: the key after it, and its loss; `None` beside a leaf.
fn put_in(key: u64, place: &CellPlace) -> Option<(u64, u16)> {
    let (up, left) = place.neighbours(key);
    if up == LEAF || left == LEAF {
        return None;
    }
    // A neighbour in the set is covered once more, and so is this cell; one that is covered, or lies off the grid, once more; a bare one for the
    // first time.
    let touch = |digit: u64| [2, 1, 0][digit as usize];
    let loss = touch(up) + touch(left) + u16::from(place.last) + u16::from(place.bottom);
    // The bare cell to the left becomes covered, which is one less in its digit; the one above leaves the key with this step.
    let mended = if left == BARE { key - (1 << place.newest) } else { key };
    Some((place.push_digit(mended, EMPTY), loss))
}

/// A cell not in the set: the key after it, and its loss; `None` if a cell is then bare for ever.
fn leave_out(key: u64, place: &CellPlace) -> Option<(u64, u16)> {
    let (up, left) = place.neighbours(key);
    let covers = u16::from(up == EMPTY) + u16::from(left == EMPTY);
    // This cell was the last chance of the cell above, in the last row of the one to the left, and in the corner of itself.
    if up == BARE || (place.bottom && (left == BARE || (place.last && covers == 0))) {
        return None;
    }
    let new = if covers > 0 { COVERED } else { BARE };
    Some((place.push_digit(key, new), covers.saturating_sub(1)))
}

/// A leaf: the key after it, and its loss; `None` if a neighbour is in the set or bare for ever.
fn put_leaf(key: u64, place: &CellPlace) -> Option<(u64, u16)> {
    let (up, left) = place.neighbours(key);
    let fits = up == COVERED && (left == COVERED || (left == BARE && !place.bottom));
    fits.then(|| (place.push_digit(key, LEAF), LEAF_LOSS))
}

/// Finds all smallest dominating sets.
pub(super) fn find_smallest_sets(
    width: usize,
    height: usize,
    work: &mut LayerWork,
    observe: LayerObserver<'_>,
) -> Result<DominatingSets, PositionsError> {
    let cells = width * height;
    let bounds = ask_within(observe, cells_done(PASS, 0, cells, 1, 0), |stop| {
        BlockBounds::compute(width, height, stop)
    });
    let bounds = bounds.ok_or(PositionsError::Stopped)?;
    let start = (0..width).fold(0, |key, _| key << 2 | COVERED);
    let mut limit = bounds.layer_bounds(0).least_loss(start) as usize;
    // Only losses that make the size of a set whole occur; a cell more raises the loss by five.
    while !(limit + cells).is_multiple_of(5) {
        limit += 1;
    }
    loop {
        let layers = search_layers(width, height, start, limit as u16, &bounds, work, observe)?;
        if let Some(layers) = layers {
            let size = (limit + cells) / 5;
            let all = cells_done(PASS, cells, cells, work.widest, work.bytes);
            let layers = ask_within(observe, all, |stop| build_graph(width, height, layers, stop));
            return Ok(DominatingSets { layers: layers.ok_or(PositionsError::Stopped)?, size });
        }
        limit += 5;
    }
}

/// All frontiers within the limit, layer by layer; `None` if no set has so small a loss.
fn search_layers(
    width: usize,
    height: usize,
    start: u64,
    limit: u16,
    bounds: &BlockBounds,
    work: &mut LayerWork,
    observe: LayerObserver<'_>,
) -> Result<Option<Vec<OpenLayer>>, PositionsError> {
    let cells = width * height;
    let mut layers = vec![OpenLayer { keys: vec![start], losses: vec![0] }];
    let mut bytes = bounds.byte_size();
    let mut step: LayerStep = cells_done(PASS, 0, cells, 1, bytes);
    for cell in 0..cells {
        let place = CellPlace::new(cell, width, height);
        let next = ask_within(observe, step, |stop| {
            next_layer(&layers[cell], &place, bounds, cell + 1, limit, stop)
        });
        let next = next.ok_or(PositionsError::Stopped)?;
        bytes += next.byte_size();
        let states = next.keys.len();
        work.add_layer(states, bytes);
        if states == 0 {
            return Ok(None);
        }
        layers.push(next);
        step = cells_done(PASS, cell + 1, cells, states, bytes);
        report_progress(observe, step)?;
    }
    Ok(Some(layers))
}

/// Places a cell of a kind: the key after it, and its loss.
type PutCell = fn(u64, &CellPlace) -> Option<(u64, u16)>;
/// The kinds of cells, in the order of [`SetsLayer::next`].
const KINDS: [PutCell; 3] = [leave_out, put_in, put_leaf];
/// Streams of ascending keys in a step.
const STREAMS: usize = 5;

/// The stream of a key that follows another: by its newest digit, and for a cell in the set by whether it covered the
/// bare cell to its left, which breaks the order.
fn key_stream(before: u64, after: u64, place: &CellPlace) -> usize {
    match after >> place.newest {
        EMPTY => usize::from(place.neighbours(before).1 == BARE),
        digit => digit as usize + 1,
    }
}

/// The next layer. Keys lose their oldest, lowest digit, so what can merge is adjacent, and each of five streams is
/// ascending; the first two of them overlap. Nothing if it is told to stop.
fn next_layer(
    open: &OpenLayer,
    place: &CellPlace,
    bounds: &BlockBounds,
    cells: usize,
    limit: u16,
    stop: &dyn Stop,
) -> Option<OpenLayer> {
    let look = bounds.layer_bounds(cells);
    let mut streams: [OpenLayer; STREAMS] = Default::default();
    for (index, (key, loss)) in (1..).zip(open.keys.iter().zip(&open.losses)) {
        if usize::is_multiple_of(index, STATES_A_LOOK) && stop.is_requested() {
            return None;
        }
        for kind in KINDS {
            let Some((next, more)) = kind(*key, place) else { continue };
            if look.least_loss(next) + u32::from(loss + more) <= u32::from(limit) {
                streams[key_stream(*key, next, place)].push(next, loss + more);
            }
        }
    }
    let size = streams.iter().map(|stream| stream.keys.len()).sum();
    let mut all = OpenLayer::default();
    all.keys.reserve_exact(size);
    all.losses.reserve_exact(size);
    let [put, mended, rest @ ..] = streams;
    merge_layers(&put, &mended, &mut all);
    for stream in rest {
        all.keys.extend(stream.keys);
        all.losses.extend(stream.losses);
    }
    Some(all)
}

fn merge_layers(a: &OpenLayer, b: &OpenLayer, into: &mut OpenLayer) {
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

/// What lies on a path of least loss, from the last layer to the first. Nothing if it is told to stop.
fn build_graph(
    width: usize,
    height: usize,
    mut open: Vec<OpenLayer>,
    stop: &dyn Stop,
) -> Option<Vec<SetsLayer>> {
    let last = open.pop().unwrap_or_default();
    let least = last.losses.iter().min().copied();
    let (keys, mut losses): (Vec<u64>, Vec<u16>) =
        last.keys.iter().zip(&last.losses).filter(|(_, loss)| Some(**loss) == least).unzip();
    let mut layers = vec![SetsLayer { next: vec![[NONE; 3]; keys.len()], keys }];
    for (cell, layer) in open.into_iter().enumerate().rev() {
        if stop.is_requested() {
            return None;
        }
        let place = CellPlace::new(cell, width, height);
        let (before, its_losses) = trim_layer(&layer, &place, &layers[layers.len() - 1].keys, &losses);
        losses = its_losses;
        layers.push(before);
    }
    layers.reverse();
    Some(layers)
}

/// A cursor into ascending keys, for ascending questions.
struct KeyCursor<'a> {
    keys: &'a [u64],
    losses: &'a [u16],
    at: usize,
}

impl KeyCursor<'_> {
    /// The index of `key` if it is there with just this loss.
    fn find_key(&mut self, key: u64, loss: u16) -> u32 {
        while self.keys.get(self.at).is_some_and(|found| *found < key) {
            self.at += 1;
        }
        let found = self.keys.get(self.at) == Some(&key) && self.losses[self.at] == loss;
        if found { self.at as u32 } else { NONE }
    }
}

/// Keeps of a layer what leads to the kept part of the next one at its least loss.
fn trim_layer(open: &OpenLayer, place: &CellPlace, keys: &[u64], losses: &[u16]) -> (SetsLayer, Vec<u16>) {
    let mut cursors = [(); STREAMS].map(|()| KeyCursor { keys, losses, at: 0 });
    let mut layer = SetsLayer { keys: Vec::new(), next: Vec::new() };
    let mut kept = Vec::new();
    for (key, loss) in open.keys.iter().zip(&open.losses) {
        let next = KINDS.map(|kind| match kind(*key, place) {
            Some((next, more)) => cursors[key_stream(*key, next, place)].find_key(next, loss + more),
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
        let sets =
            find_smallest_sets(width, height, &mut LayerWork::default(), &mut |_| ControlFlow::Continue(()))
                .unwrap();
        (sets.size, sets.count_paths(&|| false).unwrap())
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
