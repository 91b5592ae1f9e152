//! The shape of a network: which tuples lie where, and tables to follow their contents disc by disc.
//!
//! A group is a tuple with all its placements on the board, which share one table of weights. A lane is one placement;
//! the contents of all lanes are kept as 16-bit numbers side by side, so that a disc is one addition of a row of numbers
//! (the vector instructions do 16 or 32 at once), and all children of a position are read off without looking at the
//! board again.

use ishi_othello::{Board, Square, iter_squares};

use super::tuple::SquareTuple;

/// Lanes are kept in blocks of so many: one register of AVX2.
const BLOCK: usize = 16;

/// Contents of 16 lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct LaneBlock([u16; BLOCK]);

impl LaneBlock {
    const ZERO: LaneBlock = LaneBlock([0; BLOCK]);

    #[inline(always)]
    fn add_block(&mut self, other: &LaneBlock) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own = own.wrapping_add(*other);
        }
    }
}

/// A table of weights, and where on the board it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TupleGroup {
    placements: Vec<SquareTuple>,
    /// Contents that the tuple's own symmetries make of each content; equal weights belong to them.
    twins: Vec<Vec<u16>>,
}

impl TupleGroup {
    /// A tuple at all its places under the board's symmetries.
    pub fn from_symmetries(tuple: &SquareTuple) -> TupleGroup {
        let twins = tuple.place_exchanges().iter().map(|places| exchange_digits(places)).collect();
        TupleGroup { placements: tuple.placements(), twins }
    }

    /// A table that is read at exactly these places.
    ///
    /// `None` if there are none or more than 64, or if their lengths differ.
    pub fn from_placements(placements: Vec<SquareTuple>) -> Option<TupleGroup> {
        let length = placements.first()?.len();
        let same = placements.iter().all(|tuple| tuple.len() == length);
        (same && placements.len() <= 64).then_some(TupleGroup { placements, twins: Vec::new() })
    }

    /// Where it is read; the first is the tuple that it was made of.
    pub fn placements(&self) -> &[SquareTuple] {
        &self.placements
    }

    /// How many weights: 3 to the tuples' length.
    pub fn contents(&self) -> usize {
        self.placements[0].content_count()
    }

    pub(super) fn twins(&self) -> &[Vec<u16>] {
        &self.twins
    }
}

/// For every content, the content with its digits at other places.
fn exchange_digits(places: &[usize]) -> Vec<u16> {
    let power = |place: usize| 3usize.pow((places.len() - 1 - place) as u32);
    let image = |content: usize| {
        let digits = places.iter().enumerate().map(|(to, &from)| content / power(from) % 3 * power(to));
        digits.sum::<usize>() as u16
    };
    (0..3usize.pow(places.len() as u32)).map(image).collect()
}

/// Groups, and the tables that follow their contents.
#[derive(Clone, Debug)]
pub struct TupleShape {
    groups: Vec<TupleGroup>,
    /// Group of each lane.
    lanes: Vec<u16>,
    /// First weight of each group.
    starts: Vec<u32>,
    /// For each block and lane the first weight. Lanes beyond the last read a weight that is always 0.
    offsets: Vec<[u32; BLOCK]>,
    /// What one step of a square's digit adds, `blocks` entries a square.
    steps: Vec<LaneBlock>,
    /// Contents of boards where all is the mover's.
    full: Vec<LaneBlock>,
    size: usize,
}

impl TupleShape {
    /// The most lanes: sums of weights stay within 32 bits.
    pub const MAX_LANES: usize = 4096;

    /// A network of these groups; `None` if there are none, or more than [`TupleShape::MAX_LANES`] placements.
    pub fn new(groups: Vec<TupleGroup>) -> Option<TupleShape> {
        let placed =
            || groups.iter().enumerate().flat_map(|(i, group)| group.placements.iter().map(move |t| (i, t)));
        let lanes: Vec<u16> = placed().map(|(group, _)| group as u16).collect();
        if lanes.is_empty() || lanes.len() > TupleShape::MAX_LANES {
            return None;
        }
        let mut starts = vec![0];
        for group in &groups {
            starts.push(starts[starts.len() - 1] + group.contents() as u32);
        }
        let size = starts.pop()? as usize;
        let blocks = lanes.len().div_ceil(BLOCK);
        let mut offsets = vec![[size as u32; BLOCK]; blocks];
        let mut steps = vec![LaneBlock::ZERO; 64 * blocks];
        let mut full = vec![LaneBlock::ZERO; blocks];
        for (lane, (group, tuple)) in placed().enumerate() {
            let (block, place) = (lane / BLOCK, lane % BLOCK);
            offsets[block][place] = starts[group];
            full[block].0[place] = (tuple.content_count() - 1) as u16;
            let mut power = tuple.content_count() / 3;
            for square in tuple.squares() {
                steps[square.index() * blocks + block].0[place] = power as u16;
                power /= 3;
            }
        }
        Some(TupleShape { groups, lanes, starts, offsets, steps, full, size })
    }

    /// The groups.
    pub fn groups(&self) -> &[TupleGroup] {
        &self.groups
    }

    /// How many placements all groups have together: what an evaluation adds up.
    pub fn lanes(&self) -> usize {
        self.lanes.len()
    }

    /// Weights of one phase.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Weights of one phase with the one that is always 0.
    pub fn stride(&self) -> usize {
        self.size + 1
    }

    /// Where a group's weights begin within a phase.
    pub fn start_of_group(&self, group: usize) -> usize {
        self.starts[group] as usize
    }

    /// The contents of every lane, seen by the side to move.
    pub fn contents_of(&self, board: Board) -> LaneContents {
        let mut blocks = vec![LaneBlock::ZERO; self.full.len()];
        for square in Square::all() {
            let step = self.step_blocks(square);
            let digit = 1 + i32::from(board.player & square.bit() != 0)
                - i32::from(board.opponent & square.bit() != 0);
            for (block, step) in blocks.iter_mut().zip(step) {
                (0..digit).for_each(|_| block.add_block(step));
            }
        }
        LaneContents(blocks)
    }

    #[inline(always)]
    fn step_blocks(&self, square: Square) -> &[LaneBlock] {
        let blocks = self.full.len();
        &self.steps[square.index() * blocks..][..blocks]
    }

    /// The mover's view becomes the opponent's.
    #[inline(always)]
    pub fn invert_view(&self, contents: &mut LaneContents) {
        for (block, full) in contents.0.iter_mut().zip(&self.full) {
            for (own, full) in block.0.iter_mut().zip(&full.0) {
                *own = full.wrapping_sub(*own);
            }
        }
    }

    /// A disc of the mover's on `square` turns `flips`; the view stays the mover's.
    #[inline(always)]
    pub fn play(&self, contents: &mut LaneContents, square: Square, flips: u64) {
        self.add_disc(contents, square);
        for square in iter_squares(flips) {
            self.add_disc(contents, square);
            self.add_disc(contents, square);
        }
    }

    #[inline(always)]
    fn add_disc(&self, contents: &mut LaneContents, square: Square) {
        for (block, step) in contents.0.iter_mut().zip(self.step_blocks(square)) {
            block.add_block(step);
        }
    }

    /// The sum of the weights of one phase for these contents.
    #[inline(always)]
    pub fn sum(&self, weights: &[i32], contents: &LaneContents) -> i32 {
        let sums =
            contents.0.iter().zip(&self.offsets).map(|(block, offsets)| sum_block(weights, block, offsets));
        sums.fold(0, i32::wrapping_add)
    }

    /// The sum after [`TupleShape::play`].
    #[inline(always)]
    pub fn sum_after(&self, weights: &[i32], contents: &LaneContents, square: Square, flips: u64) -> i32 {
        let mut sum = 0i32;
        let blocks = self.full.len();
        for (at, (block, offsets)) in contents.0.iter().zip(&self.offsets).enumerate() {
            let mut turned = LaneBlock::ZERO;
            for square in iter_squares(flips) {
                turned.add_block(&self.steps[square.index() * blocks + at]);
            }
            let mut block = *block;
            block.add_block(&turned);
            block.add_block(&turned);
            block.add_block(&self.steps[square.index() * blocks + at]);
            sum = sum.wrapping_add(sum_block(weights, &block, offsets));
        }
        sum
    }

    /// Calls `with` for every lane: its weight's place within a phase.
    #[inline(always)]
    pub fn for_each_lane(&self, contents: &LaneContents, mut with: impl FnMut(usize)) {
        for (block, offsets) in contents.0.iter().zip(&self.offsets) {
            for (content, &offset) in block.0.iter().zip(offsets) {
                if offset as usize != self.size {
                    with(offset as usize + usize::from(*content));
                }
            }
        }
    }

    /// Calls `with` for every lane of a group with symmetries of its own: the places of the twins' weights.
    #[inline(always)]
    pub fn for_each_twin(&self, contents: &LaneContents, mut with: impl FnMut(usize)) {
        for (lane, &group) in self.lanes.iter().enumerate() {
            let content = usize::from(contents.0[lane / BLOCK].0[lane % BLOCK]);
            for twin in self.groups[usize::from(group)].twins() {
                with(self.start_of_group(usize::from(group)) + usize::from(twin[content]));
            }
        }
    }
}

/// Two shapes are the same if their groups are.
impl PartialEq for TupleShape {
    fn eq(&self, other: &TupleShape) -> bool {
        self.groups == other.groups
    }
}

/// Adds up the weights of a block's lanes.
#[inline(always)]
fn sum_block(weights: &[i32], block: &LaneBlock, offsets: &[u32; BLOCK]) -> i32 {
    let mut sums = [0i32; 4];
    for (at, (content, offset)) in block.0.iter().zip(offsets).enumerate() {
        sums[at % 4] = sums[at % 4].wrapping_add(weights[*offset as usize + usize::from(*content)]);
    }
    sums.into_iter().fold(0, i32::wrapping_add)
}

/// The contents of every lane of a [`TupleShape`], seen by one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneContents(Vec<LaneBlock>);

impl LaneContents {
    /// Takes over the other's contents, which belong to the same shape.
    #[inline(always)]
    pub fn copy_from(&mut self, other: &LaneContents) {
        self.0.copy_from_slice(&other.0);
    }
}
