//! Pattern databases: how much loss the rest of a grid costs at least.
//!
//! The columns are cut into blocks. A block's table holds, for every frontier of the block, the least loss that its
//! remaining rows can have if the columns beside it help for free: a cell of an edge column counts as covered from
//! outside when that is needed, and what the block covers outside costs nothing. Every loss is charged to one cell and so to
//! one block only, and the sum over the blocks is a lower bound. A leaf costs its loss and is then like a covered cell; what it
//! asks of its neighbours is left out.

use ishi_work::Stop;

use super::sets::{BARE, COVERED, EMPTY, LEAF, LEAF_LOSS};

/// Columns of a block at most.
const BLOCK: usize = 12;
/// The same for a grid of many rows, all of which have tables.
const BLOCK_OF_MANY: usize = 9;
/// Rows from which a grid has many.
const MANY: usize = 40;
/// Columns of a grid of one block.
const ONE_BLOCK: usize = 10;
/// Digits that one look-up turns from two bits each to base three.
const CHUNK: usize = 6;
/// Impossible; larger than any sum of losses that is compared.
const NEVER: u16 = u16::MAX;
const POWERS: [usize; BLOCK + 1] = {
    let mut powers = [1; BLOCK + 1];
    let mut i = 1;
    while i <= BLOCK {
        powers[i] = 3 * powers[i - 1];
        i += 1;
    }
    powers
};

/// The tables of all blocks of a grid.
pub(super) struct BlockBounds {
    width: usize,
    blocks: Vec<ColumnBlock>,
    /// Two bits a digit to base three, `CHUNK` digits.
    ternary: Vec<u16>,
}

/// The tables of one layer, with the places of the blocks' digits in a rotated key.
pub(super) struct LayerBounds<'a> {
    parts: Vec<BlockPart<'a>>,
    ternary: &'a [u16],
}

struct BlockPart<'a> {
    table: &'a [u16],
    /// The columns of the present row: shift right, mask.
    new: (u32, u64),
    /// The columns of the row above: shift right, mask, shift left.
    old: (u32, u64, u32),
}

struct ColumnBlock {
    start: usize,
    width: usize,
    /// By row, then by columns of that row that are done, 0 to `width`; then by the digits to base three.
    tables: Vec<Vec<u16>>,
}

impl BlockBounds {
    /// Computes the tables. Asks at every column of a row whether to stop, and gives nothing then.
    pub(super) fn compute(width: usize, height: usize, stop: &dyn Stop) -> Option<BlockBounds> {
        let most = if height < MANY { BLOCK } else { BLOCK_OF_MANY };
        let count = if width <= ONE_BLOCK.min(most) { 1 } else { width.div_ceil(most).max(2) };
        let edge = |block: usize| block * width / count;
        let block = |i| ColumnBlock::compute(edge(i), edge(i + 1), width, height, stop);
        let blocks = (0..count).map(block).collect::<Option<Vec<ColumnBlock>>>()?;
        let digit = |bits: usize| if bits == LEAF as usize { COVERED as usize } else { bits };
        let ternary = (0..1usize << (2 * CHUNK))
            .map(|bits| (0..CHUNK).map(|i| digit(bits >> (2 * i) & 3) * POWERS[i]).sum::<usize>() as u16)
            .collect();
        Some(BlockBounds { width, blocks, ternary })
    }

    /// Bytes of the tables.
    pub(super) fn byte_size(&self) -> usize {
        self.blocks.iter().flat_map(|block| &block.tables).map(|table| 2 * table.capacity()).sum()
    }

    /// The tables for keys with `cell` cells placed.
    pub(super) fn layer_bounds(&self, cell: usize) -> LayerBounds<'_> {
        let (y, x) = (cell / self.width, cell % self.width);
        let parts = self.blocks.iter().map(|block| block.block_part(x, y, self.width)).collect();
        LayerBounds { parts, ternary: &self.ternary }
    }
}

impl LayerBounds<'_> {
    /// The least loss still to come.
    pub(super) fn least_loss(&self, key: u64) -> u32 {
        self.parts.iter().map(|part| u32::from(part.least_loss(key, self.ternary))).sum()
    }
}

impl BlockPart<'_> {
    fn least_loss(&self, key: u64, ternary: &[u16]) -> u16 {
        let digits = (key >> self.new.0 & self.new.1) | (key >> self.old.0 & self.old.1) << self.old.2;
        let mask = (1 << (2 * CHUNK)) - 1;
        let low = usize::from(ternary[digits as usize & mask]);
        let high = usize::from(ternary[digits as usize >> (2 * CHUNK) & mask]);
        self.table[low + POWERS[CHUNK] * high]
    }
}

impl ColumnBlock {
    fn compute(start: usize, end: usize, grid: usize, height: usize, stop: &dyn Stop) -> Option<ColumnBlock> {
        let mut block = ColumnBlock { start, width: end - start, tables: Vec::new() };
        let states = POWERS[block.width];
        let mut table: Vec<u16> = (0..states).map(|state| block.loss_after_last(state, grid)).collect();
        let mut tables = Vec::with_capacity(height * (block.width + 1));
        for y in (0..height).rev() {
            for p in (0..block.width).rev() {
                if stop.is_requested() {
                    return None;
                }
                let next =
                    (0..states).map(|state| block.least_before(state, p, y + 1 == height, grid, &table));
                let before = next.collect();
                tables.push(std::mem::replace(&mut table, before));
            }
            tables.push(table.clone());
        }
        tables.reverse();
        block.tables = tables;
        Some(block)
    }

    /// Has the column a neighbour outside of the block that may cover it?
    fn is_helped(&self, p: usize, grid: usize) -> bool {
        (p == 0 && self.start > 0) || (p + 1 == self.width && self.start + p + 1 < grid)
    }

    /// The loss after the last row: none, or impossible with a cell left bare.
    fn loss_after_last(&self, state: usize, grid: usize) -> u16 {
        let bare = |p: usize| state / POWERS[p] % 3 == BARE as usize && !self.is_helped(p, grid);
        if (0..self.width).any(bare) { NEVER } else { 0 }
    }

    /// The least loss before column `p` is placed, from that after.
    fn least_before(&self, state: usize, p: usize, bottom: bool, grid: usize, after: &[u16]) -> u16 {
        let digit = |p: usize| (state / POWERS[p] % 3) as u64;
        let (up, outside) = (digit(p), p == 0 && self.start > 0);
        let left = if p > 0 { digit(p - 1) } else { COVERED };
        let put = |new: u64| state + POWERS[p] * new as usize - POWERS[p] * up as usize;
        let touch = |digit: u64| if digit == EMPTY { 2 } else { u16::from(digit == COVERED) };
        let right = self.start + p + 1 == grid;
        let mut loss = touch(up) + u16::from(bottom) + u16::from(right);
        loss += if outside { 0 } else { touch(left) };
        let mut next = put(EMPTY);
        if p > 0 && left == BARE {
            next -= POWERS[p - 1];
        }
        let empty = after[next].saturating_add(loss);
        if up == BARE && !self.is_helped(p, grid) {
            return empty;
        }
        let covers = u16::from(up == EMPTY) + u16::from(left == EMPTY);
        let new = if covers > 0 { COVERED } else { BARE };
        let centre = after[put(new)].saturating_add(covers.saturating_sub(1));
        let leaf = after[put(COVERED)].saturating_add(LEAF_LOSS);
        empty.min(centre).min(leaf)
    }

    fn block_part(&self, x: usize, y: usize, grid: usize) -> BlockPart<'_> {
        let end = self.start + self.width;
        let done = x.clamp(self.start, end) - self.start;
        let mask = |digits: usize| (1u64 << (2 * digits)) - 1;
        // Column c stands at digit (c - x) mod grid of the key.
        let new = if done > 0 { (2 * (self.start + grid - x)) as u32 } else { 0 };
        let old = if done < self.width { 2 * (self.start + done - x) as u32 } else { 0 };
        let table = (y * (self.width + 1) + done).min(self.tables.len() - 1);
        BlockPart {
            table: &self.tables[table],
            new: (new, mask(done)),
            old: (old, mask(self.width - done), 2 * done as u32),
        }
    }
}
