//! From planes to what the network says of them.

use std::sync::OnceLock;

use pulp::{Simd, WithSimd};

use super::amx::{NARROW_GROUP, NarrowChannels, TileUnit};
use super::instructions::Instructions;
use super::kernel::{
    Channels, Convolve, Finish, PointwiseProduct, ProductFactors, Spectra, TILE, Tile, vector_at,
    vector_at_mut,
};
use super::layout::{GROUP, HIDDEN, NetworkParts, NetworkShape, POLICIES, POOLS, TAPS, VALUES};
use super::narrow::{EntryLayout, NarrowConvolve, NarrowCopy, NarrowFinish, NarrowKernel};
use crate::planes::{NUMBERS, PLANES, POINTS, Planes, SIDE};

/// Points that the scaled mean of a pool is zero for: 14 is the middle of 9 and 19.
const MIDDLE_SIDE: f32 = 14.0;
/// What lead and spread are multiplied by.
const POINTS_PER_UNIT: f32 = 20.0;
/// Rows of the input's weights.
const INPUT_ROWS: usize = PLANES * TAPS;

/// What the network says of a position, from the side to move. Points by [`crate::planes::point_index`]; those outside the board have
/// 0.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkOutputs {
    /// Logits of moves as a strong judge would play; the last is the pass.
    pub judge: [f32; POINTS + 1],
    /// Logits of moves as strong people play; the last is the pass.
    pub people: [f32; POINTS + 1],
    /// Logit of the probability that the side to move wins.
    pub winner: f32,
    /// Lead in points.
    pub lead: f32,
    /// Standard deviation of the score in points.
    pub spread: f32,
    /// From -1 (the opponent's for certain) to 1.
    pub owners: [f32; POINTS],
}

impl Default for NetworkOutputs {
    fn default() -> NetworkOutputs {
        NetworkOutputs {
            judge: [0.0; POINTS + 1],
            people: [0.0; POINTS + 1],
            winner: 0.0,
            lead: 0.0,
            spread: 0.0,
            owners: [0.0; POINTS],
        }
    }
}

/// A network's numbers as the evaluation needs them.
#[derive(Clone, Debug)]
pub(crate) struct PreparedNetwork {
    groups: usize,
    /// A row for each plane and tap, group by group.
    input: Vec<Channels>,
    /// A row for each number, group by group.
    input_numbers: Vec<Channels>,
    input_bias: Vec<Channels>,
    blocks: Vec<ResidualBlock>,
    /// The kernels of the blocks, two each, as vectors need them. Only those that are used are made.
    kernels: OnceLock<Vec<[ProductFactors; 2]>>,
    /// The same as tiles need them.
    narrow_kernels: OnceLock<Vec<[NarrowKernel; 2]>>,
    heads: Heads,
}

/// A block without its kernels.
#[derive(Clone, Debug)]
struct ResidualBlock {
    first_bias: Vec<Channels>,
    pool: Option<PoolLayer>,
    second_bias: Vec<Channels>,
}

/// What tells channels of what others are on the whole board.
#[derive(Clone, Debug)]
struct PoolLayer {
    /// The first of the channels that are pooled.
    first: usize,
    /// For each number of the pools a row for all channels of the trunk, zero for the pooled ones.
    rows: Vec<Channels>,
}

#[derive(Clone, Debug)]
struct Heads {
    /// Groups of each head.
    groups: usize,
    /// Three heads in one: asking, moves, values.
    matrix: ProductFactors,
    asking_bias: Vec<Channels>,
    /// A row for each number of the pools.
    policy_pool: Vec<Channels>,
    moves_bias: Vec<Channels>,
    logits: Vec<Channels>,
    passing: Vec<f32>,
    passing_bias: [f32; POLICIES],
    values_bias: Vec<Channels>,
    owners: Vec<Channels>,
    owners_bias: f32,
    hidden: Vec<f32>,
    hidden_bias: Vec<f32>,
    out: Vec<f32>,
    out_bias: [f32; VALUES],
}

/// Numbers by groups.
fn group_channels(numbers: &[f32]) -> Vec<Channels> {
    numbers.as_chunks::<GROUP>().0.to_vec()
}

/// A matrix [outputs][inputs] as a row of outputs for each input.
fn transpose_matrix(matrix: &[f32], inputs: usize) -> Vec<f32> {
    (0..inputs).flat_map(|input| matrix.iter().skip(input).step_by(inputs).copied()).collect()
}

/// A matrix [outputs][inputs] by groups of outputs, each with a row for each input.
fn rows_by_group(matrix: &[f32], inputs: usize) -> Vec<Channels> {
    let group = |rows: &[f32]| group_channels(&transpose_matrix(rows, inputs));
    matrix.chunks(GROUP * inputs).flat_map(group).collect()
}

impl PreparedNetwork {
    pub(crate) fn new(shape: NetworkShape, numbers: &[f32]) -> PreparedNetwork {
        let parts = NetworkParts::split_weights(shape, numbers);
        let channels = shape.trunk_channels();
        let blocks = parts.blocks.iter().map(|block| ResidualBlock {
            first_bias: group_channels(block.first_bias),
            pool: (!block.pool.is_empty()).then(|| PoolLayer::new(shape, block.pool)),
            second_bias: group_channels(block.second_bias),
        });
        PreparedNetwork {
            groups: channels / GROUP,
            input: rows_by_group(parts.input, INPUT_ROWS),
            input_numbers: rows_by_group(parts.input_numbers, NUMBERS),
            input_bias: group_channels(parts.input_bias),
            blocks: blocks.collect(),
            kernels: OnceLock::new(),
            narrow_kernels: OnceLock::new(),
            heads: Heads::new(shape, &parts),
        }
    }
}

/// The kernels of all blocks, in another form.
fn block_kernels<K>(
    shape: NetworkShape,
    numbers: &[f32],
    form: impl Fn(&[f32], usize, usize) -> K,
) -> Vec<[K; 2]> {
    let (parts, channels) = (NetworkParts::split_weights(shape, numbers), shape.trunk_channels());
    parts
        .blocks
        .iter()
        .map(|block| [block.first, block.second].map(|kernel| form(kernel, channels, channels)))
        .collect()
}

impl PoolLayer {
    fn new(shape: NetworkShape, matrix: &[f32]) -> PoolLayer {
        let inputs = POOLS * shape.pooled_channels();
        let mut whole = matrix.to_vec();
        whole.resize(shape.trunk_channels() * inputs, 0.0);
        PoolLayer { first: shape.local_channels(), rows: group_channels(&transpose_matrix(&whole, inputs)) }
    }

    /// On each board: tells the local channels of the pooled ones, and makes negative values zero.
    fn broadcast_pools(
        &self,
        instructions: Instructions,
        frames: &[BoardFrame],
        planes: &mut [Channels],
        plane: usize,
        memory: &mut PoolMemory,
    ) {
        for &frame in frames {
            instructions.dispatch(PoolBroadcast { layer: self, frame, planes, plane, memory });
        }
    }
}

impl Heads {
    fn new(shape: NetworkShape, parts: &NetworkParts) -> Heads {
        let (channels, head) = (shape.trunk_channels(), shape.head_channels());
        let matrices = [parts.asking, parts.moves, parts.values].concat();
        Heads {
            groups: head / GROUP,
            matrix: ProductFactors::from_matrix(&matrices, 3 * head, channels),
            asking_bias: group_channels(parts.asking_bias),
            policy_pool: group_channels(&transpose_matrix(parts.policy_pool, POOLS * head)),
            moves_bias: group_channels(parts.moves_bias),
            logits: group_channels(parts.logits),
            passing: parts.passing.to_vec(),
            passing_bias: [parts.passing_bias[0], parts.passing_bias[1]],
            values_bias: group_channels(parts.values_bias),
            owners: group_channels(parts.owners),
            owners_bias: parts.owners_bias[0],
            hidden: transpose_matrix(parts.hidden, POOLS * head),
            hidden_bias: parts.hidden_bias.to_vec(),
            out: parts.out.to_vec(),
            out_bias: [parts.out_bias[0], parts.out_bias[1], parts.out_bias[2]],
        }
    }
}

/// A board in the planes of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BoardFrame {
    width: usize,
    height: usize,
    /// The entry of its border's first point.
    start: usize,
    /// Entries from row to row.
    stride: usize,
    /// Rows with its borders.
    rows: usize,
}

impl BoardFrame {
    /// A frame with a border all round, for vectors: there are whole tiles of points.
    fn for_vectors(width: usize, height: usize, start: usize) -> BoardFrame {
        let (stride, rows) = (width.next_multiple_of(TILE) + 2, height.next_multiple_of(TILE) + 2);
        BoardFrame { width, height, start, stride, rows }
    }

    /// A frame with one border point between two rows, for the processor's tiles.
    fn for_tiles(width: usize, height: usize, start: usize) -> BoardFrame {
        BoardFrame { width, height, start, stride: width + 1, rows: height + 2 }
    }

    /// With the point behind the last row, which the last row's border is for tiles.
    fn entry_count(self) -> usize {
        self.stride * self.rows + 1
    }

    /// The entry of a row's first point.
    #[inline(always)]
    fn row_start(self, y: usize) -> usize {
        self.start + (y + 1) * self.stride + 1
    }

    /// The entries of its rows.
    #[inline(always)]
    fn row_ranges(self) -> impl Iterator<Item = std::ops::Range<usize>> {
        (0..self.height).map(move |y| self.row_start(y)..self.row_start(y) + self.width)
    }

    fn point_count(self) -> f32 {
        (self.width * self.height) as f32
    }

    /// How much wider than the middle, in tens of points.
    fn side_offset(self) -> f32 {
        (self.point_count().sqrt() - MIDDLE_SIDE) / 10.0
    }

    fn add_tiles(self, tiles: &mut Vec<Tile>) {
        for y in (0..self.height).step_by(TILE) {
            for x in (0..self.width).step_by(TILE) {
                tiles.push(Tile {
                    corner: (self.start + y * self.stride + x) as u32,
                    stride: self.stride as u32,
                    rows: (self.height - y).min(TILE) as u8,
                    columns: (self.width - x).min(TILE) as u8,
                });
            }
        }
    }
}

/// Working memory of a thread. It grows to the largest batch and is then used again.
#[derive(Clone, Debug, Default)]
pub struct EvaluationMemory {
    instructions: Instructions,
    /// The boards for which the planes are laid out.
    frames: Vec<BoardFrame>,
    /// Entries for which there is room in a plane.
    plane: usize,
    /// The tiles of the batch.
    tiles: Vec<Tile>,
    trunk: Vec<Channels>,
    middle: Vec<Channels>,
    heads: Vec<Channels>,
    spectra: Spectra,
    narrow: NarrowMemory,
    sparse: SparsePlanes,
    pool: PoolMemory,
    outputs: Vec<NetworkOutputs>,
}

/// What tiles work on.
#[derive(Clone, Debug, Default)]
struct NarrowMemory {
    layout: EntryLayout,
    trunk: Vec<NarrowChannels>,
    middle: Vec<NarrowChannels>,
}

impl NarrowMemory {
    /// Lays boards out in planes of so many entries. `anew`: with zeros around them.
    fn lay_out_boards(&mut self, frames: &[BoardFrame], plane: usize, groups: usize, anew: bool) {
        let entries = self.layout.begin(plane, groups);
        for frame in frames {
            self.layout.add_board(frame.row_start(0), frame.width, frame.height, frame.stride);
        }
        if anew {
            for planes in [&mut self.trunk, &mut self.middle] {
                planes.clear();
                planes.resize(entries, NarrowChannels([0; NARROW_GROUP]));
            }
        }
    }
}

/// Sums and maxima of channels, and what is made of them.
#[derive(Clone, Debug, Default)]
struct PoolMemory {
    sums: Vec<Channels>,
    most: Vec<Channels>,
    numbers: Vec<f32>,
    told: Vec<Channels>,
}

impl EvaluationMemory {
    /// Memory with which these instructions are used, not the best ones: for tests and for measuring.
    pub fn with_instructions(instructions: Instructions) -> EvaluationMemory {
        EvaluationMemory { instructions, ..EvaluationMemory::default() }
    }

    /// Lays the planes out. Their borders are zero, and stay so as long as the boards are the same.
    fn lay_out_planes(&mut self, batch: &[Planes], groups: usize, head_groups: usize) {
        let mut start = 0;
        let mut frames = 0;
        let mut same = true;
        for planes in batch {
            let (width, height) = (planes.width.into(), planes.height.into());
            let frame = if self.instructions.are_exact() {
                BoardFrame::for_vectors(width, height, start)
            } else {
                BoardFrame::for_tiles(width, height, start)
            };
            // Where one board differs, those behind it begin elsewhere, too.
            same &= self.frames.get(frames) == Some(&frame);
            if !same {
                self.frames.truncate(frames);
                self.frames.push(frame);
            }
            frames += 1;
            start += frame.entry_count();
        }
        let anew =
            !same || self.trunk.len() != groups * self.plane || self.heads.len() != head_groups * self.plane;
        if anew {
            self.plane = self.plane.max(start);
            for (planes, groups) in
                [(&mut self.trunk, groups), (&mut self.middle, groups), (&mut self.heads, head_groups)]
            {
                planes.clear();
                planes.resize(groups * self.plane, [0.0; GROUP]);
            }
            self.outputs.clear();
        }
        if self.instructions.are_exact() {
            self.tiles.clear();
            self.frames[..frames].iter().for_each(|frame| frame.add_tiles(&mut self.tiles));
        } else {
            self.narrow.lay_out_boards(&self.frames[..frames], self.plane, groups, anew);
        }
        self.outputs.resize(self.outputs.len().max(frames), NetworkOutputs::default());
    }
}

impl PreparedNetwork {
    /// `numbers`: the weights that this was made of.
    pub(crate) fn evaluate<'m>(
        &self,
        shape: NetworkShape,
        numbers: &[f32],
        batch: &[Planes],
        memory: &'m mut EvaluationMemory,
    ) -> &'m [NetworkOutputs] {
        memory.lay_out_planes(batch, self.groups, 3 * self.heads.groups);
        self.read_input(batch, memory);
        match memory.instructions.tile_unit() {
            Some(unit) => {
                let kernels =
                    self.narrow_kernels.get_or_init(|| block_kernels(shape, numbers, NarrowKernel::new));
                self.pass_blocks_by_tiles(&unit, kernels, batch.len(), memory);
            }
            None => {
                let kernels =
                    self.kernels.get_or_init(|| block_kernels(shape, numbers, ProductFactors::from_kernel));
                self.pass_blocks(kernels, batch.len(), memory);
            }
        }
        self.read_heads(batch.len(), memory)
    }

    fn read_input(&self, batch: &[Planes], memory: &mut EvaluationMemory) {
        let EvaluationMemory { instructions, frames, plane, trunk, sparse, .. } = memory;
        for (planes, &frame) in batch.iter().zip(&*frames) {
            sparse.read_planes(planes);
            let layer = InputLayer { network: self, planes, frame, sparse, plane: *plane, out: trunk };
            instructions.dispatch(layer);
        }
    }

    fn pass_blocks(&self, kernels: &[[ProductFactors; 2]], boards: usize, memory: &mut EvaluationMemory) {
        let EvaluationMemory { instructions, frames, plane, tiles, trunk, middle, spectra, pool, .. } =
            memory;
        let plane = *plane;
        for (block, [first, second]) in self.blocks.iter().zip(kernels) {
            // What is pooled is added to every point before anything is rectified.
            let finish = if block.pool.is_some() { Finish::Keep } else { Finish::Rectify };
            instructions.dispatch(Convolve {
                tiles,
                input: trunk,
                output: middle,
                plane,
                kernel: first,
                bias: &block.first_bias,
                finish,
                spectra,
            });
            if let Some(layer) = &block.pool {
                layer.broadcast_pools(*instructions, &frames[..boards], middle, plane, pool);
            }
            instructions.dispatch(Convolve {
                tiles,
                input: middle,
                output: trunk,
                plane,
                kernel: second,
                bias: &block.second_bias,
                finish: Finish::AddAndRectify,
                spectra,
            });
        }
    }

    fn pass_blocks_by_tiles(
        &self,
        unit: &TileUnit,
        kernels: &[[NarrowKernel; 2]],
        boards: usize,
        memory: &mut EvaluationMemory,
    ) {
        let EvaluationMemory { instructions, frames, plane, trunk, middle, narrow, pool, .. } = memory;
        let (wide_plane, NarrowMemory { layout, trunk: narrow_trunk, middle: narrow_middle }) =
            (*plane, narrow);
        instructions.dispatch(NarrowCopy { layout, from: trunk, wide_plane, to: narrow_trunk });
        for (block, [first, second]) in self.blocks.iter().zip(kernels) {
            let finish = match block.pool {
                Some(_) => NarrowFinish::Keep(middle),
                None => NarrowFinish::Rectify(narrow_middle),
            };
            instructions.dispatch(NarrowConvolve {
                unit,
                layout,
                input: narrow_trunk,
                kernel: first,
                bias: &block.first_bias,
                wide_plane,
                finish,
            });
            if let Some(layer) = &block.pool {
                layer.broadcast_pools(*instructions, &frames[..boards], middle, wide_plane, pool);
                instructions.dispatch(NarrowCopy { layout, from: middle, wide_plane, to: narrow_middle });
            }
            instructions.dispatch(NarrowConvolve {
                unit,
                layout,
                input: narrow_middle,
                kernel: second,
                bias: &block.second_bias,
                wide_plane,
                finish: NarrowFinish::AddAndRectify(trunk, narrow_trunk),
            });
        }
    }

    fn read_heads<'m>(&self, boards: usize, memory: &'m mut EvaluationMemory) -> &'m [NetworkOutputs] {
        let EvaluationMemory { instructions, frames, plane, trunk, heads: planes, pool, outputs, .. } =
            memory;
        let (plane, heads) = (*plane, &self.heads);
        for (&frame, outputs) in frames[..boards].iter().zip(&mut *outputs) {
            let entries = frame.row_start(0)..frame.row_start(frame.height - 1) + frame.width;
            let (input, output, matrix) = (&trunk[..], &mut planes[..], &heads.matrix);
            instructions.dispatch(PointwiseProduct { input, output, plane, entries, matrix });
            instructions.dispatch(HeadLayer { heads, frame, planes, plane, memory: pool, outputs });
        }
        &outputs[..boards]
    }
}

/// The planes of each point, as most bits are zero.
#[derive(Clone, Debug)]
struct SparsePlanes {
    /// For each point with a border all round: how many planes it is in, and which.
    points: Vec<(u8, [u8; PLANES])>,
}

/// Points from row to row, with a border.
const SPARSE_STRIDE: usize = SIDE + 2;

impl Default for SparsePlanes {
    fn default() -> SparsePlanes {
        SparsePlanes { points: vec![(0, [0; PLANES]); SPARSE_STRIDE * SPARSE_STRIDE] }
    }
}

impl SparsePlanes {
    fn read_planes(&mut self, planes: &Planes) {
        self.points.iter_mut().for_each(|(count, _)| *count = 0);
        for (number, plane) in planes.bits.iter().enumerate() {
            for (byte, &bits) in plane.iter().enumerate() {
                let mut bits = bits;
                while bits != 0 {
                    let index = 8 * byte + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    if index < POINTS {
                        let at = (index / SIDE + 1) * SPARSE_STRIDE + index % SIDE + 1;
                        let (count, list) = &mut self.points[at];
                        list[usize::from(*count)] = number as u8;
                        *count += 1;
                    }
                }
            }
        }
    }

    /// The rows of the input's weights that belong to a point: their number.
    #[inline(always)]
    fn weight_rows(&self, x: usize, y: usize, rows: &mut [u16; INPUT_ROWS]) -> usize {
        let mut found = 0;
        for tap in 0..TAPS {
            let (count, list) = &self.points[(y + tap / 3) * SPARSE_STRIDE + x + tap % 3];
            for &plane in &list[..usize::from(*count)] {
                if let Some(row) = rows.get_mut(found) {
                    *row = (usize::from(plane) * TAPS + tap) as u16;
                    found += 1;
                }
            }
        }
        found
    }
}

/// The input's layer: sums of weights' rows take the place of products.
struct InputLayer<'a> {
    network: &'a PreparedNetwork,
    planes: &'a Planes,
    frame: BoardFrame,
    sparse: &'a SparsePlanes,
    plane: usize,
    out: &'a mut [Channels],
}

impl WithSimd for InputLayer<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let InputLayer { network, planes, frame, sparse, plane, out } = self;
        let mut rows = [0; INPUT_ROWS];
        for y in 0..frame.height {
            for x in 0..frame.width {
                let found = sparse.weight_rows(x, y, &mut rows);
                for group in 0..network.groups {
                    let Some(weights) = network.input[group * INPUT_ROWS..].first_chunk::<INPUT_ROWS>()
                    else {
                        return;
                    };
                    let to = &mut out[group * plane + frame.row_start(y) + x];
                    for part in 0..GROUP / S::F32_LANES {
                        let mut sum = vector_at::<S>(&network.input_bias[group], part);
                        for &row in &rows[..found] {
                            sum = simd.add_f32s(sum, vector_at::<S>(&weights[usize::from(row)], part));
                        }
                        *vector_at_mut::<S>(to, part) = sum;
                    }
                }
            }
        }
        for group in 0..network.groups {
            let weights = &network.input_numbers[group * NUMBERS..][..NUMBERS];
            let told = weighted_sum(weights, &planes.numbers, [0.0; GROUP]);
            for row in frame.row_ranges() {
                add_and_rectify(simd, &told, &mut out[group * plane..][row]);
            }
        }
    }
}

/// The sum of rows by their factors, and of what is there.
#[inline(always)]
fn weighted_sum(rows: &[Channels], factors: &[f32], there: Channels) -> Channels {
    let mut sum = there;
    for (row, factor) in rows.iter().zip(factors) {
        for (sum, value) in sum.iter_mut().zip(row) {
            *sum += factor * value;
        }
    }
    sum
}

#[inline(always)]
fn add_and_rectify<S: Simd>(simd: S, told: &Channels, points: &mut [Channels]) {
    for part in 0..GROUP / S::F32_LANES {
        let told = vector_at::<S>(told, part);
        for point in &mut *points {
            let value = vector_at_mut::<S>(point, part);
            *value = simd.max_f32s(simd.add_f32s(*value, told), simd.splat_f32s(0.0));
        }
    }
}

/// Sum and maximum over a board of a plane's values with `bias`, where these are positive.
#[inline(always)]
fn pool_plane<S: Simd>(simd: S, frame: BoardFrame, plane: &[Channels], bias: &Channels) -> [Channels; 2] {
    let mut out = [[0.0; GROUP]; 2];
    for part in 0..GROUP / S::F32_LANES {
        let (bias, zero) = (vector_at::<S>(bias, part), simd.splat_f32s(0.0));
        let (mut sum, mut most) = (zero, zero);
        for row in frame.row_ranges() {
            for point in &plane[row] {
                let value = simd.max_f32s(simd.add_f32s(vector_at::<S>(point, part), bias), zero);
                sum = simd.add_f32s(sum, value);
                most = simd.max_f32s(most, value);
            }
        }
        *vector_at_mut::<S>(&mut out[0], part) = sum;
        *vector_at_mut::<S>(&mut out[1], part) = most;
    }
    out
}

impl PoolMemory {
    /// Pools planes: sums and maxima.
    #[inline(always)]
    fn pool_planes<'a, S: Simd>(
        &mut self,
        simd: S,
        frame: BoardFrame,
        planes: impl Iterator<Item = (&'a [Channels], &'a Channels)>,
    ) {
        self.sums.clear();
        self.most.clear();
        for (plane, bias) in planes {
            let [sum, most] = pool_plane(simd, frame, plane, bias);
            self.sums.push(sum);
            self.most.push(most);
        }
    }

    /// The numbers of the pools of channels from `first` on: mean, mean by the board's width, maximum.
    #[inline(always)]
    fn numbers_with_maximum(&mut self, frame: BoardFrame, first: usize) {
        let (points, offset) = (frame.point_count(), frame.side_offset());
        self.numbers.clear();
        let (sums, most) = (&self.sums.as_flattened()[first..], &self.most.as_flattened()[first..]);
        self.numbers.extend(sums.iter().map(|sum| sum / points));
        self.numbers.extend(sums.iter().map(|sum| sum / points * offset));
        self.numbers.extend(most);
    }

    /// The numbers of the value's pools: mean, mean by the board's width and by its square.
    #[inline(always)]
    fn numbers_for_value(&mut self, frame: BoardFrame) {
        let (points, offset) = (frame.point_count(), frame.side_offset());
        self.numbers.clear();
        let sums = self.sums.as_flattened();
        self.numbers.extend(sums.iter().map(|sum| sum / points));
        self.numbers.extend(sums.iter().map(|sum| sum / points * offset));
        self.numbers.extend(sums.iter().map(|sum| sum / points * (offset * offset - 0.1)));
    }

    /// The product of the numbers by a matrix that has a row of groups for each of them, and `bias`.
    #[inline(always)]
    fn multiply_numbers(&mut self, rows: &[Channels], bias: impl Iterator<Item = Channels>) {
        self.told.clear();
        self.told.extend(bias);
        let groups = self.told.len();
        for (number, row) in self.numbers.iter().zip(rows.chunks_exact(groups)) {
            for (told, row) in self.told.iter_mut().zip(row) {
                for (told, weight) in told.iter_mut().zip(row) {
                    *told += number * weight;
                }
            }
        }
    }
}

/// In a pooling block: tells the local channels of the pooled ones, and makes negative values zero.
struct PoolBroadcast<'a> {
    layer: &'a PoolLayer,
    frame: BoardFrame,
    planes: &'a mut [Channels],
    plane: usize,
    memory: &'a mut PoolMemory,
}

impl WithSimd for PoolBroadcast<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let PoolBroadcast { layer, frame, planes, plane, memory } = self;
        let group = layer.first / GROUP;
        let pooled = planes[group * plane..].chunks_exact(plane);
        memory.pool_planes(simd, frame, pooled.map(|plane| (plane, &[0.0; GROUP])));
        memory.numbers_with_maximum(frame, layer.first % GROUP);
        memory.multiply_numbers(&layer.rows, (0..planes.len() / plane).map(|_| [0.0; GROUP]));
        for (planes, told) in planes.chunks_exact_mut(plane).zip(&memory.told) {
            for row in frame.row_ranges() {
                add_and_rectify(simd, told, &mut planes[row]);
            }
        }
    }
}

/// What comes out of the heads.
struct HeadLayer<'a> {
    heads: &'a Heads,
    frame: BoardFrame,
    /// The planes of asking, moves and values, without bias.
    planes: &'a [Channels],
    plane: usize,
    memory: &'a mut PoolMemory,
    outputs: &'a mut NetworkOutputs,
}

impl WithSimd for HeadLayer<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let HeadLayer { heads, frame, planes, plane, memory, outputs } = self;
        let (asking, rest) = planes.split_at(heads.groups * plane);
        let (moves, values) = rest.split_at(heads.groups * plane);
        memory.pool_planes(simd, frame, asking.chunks_exact(plane).zip(&heads.asking_bias));
        memory.numbers_with_maximum(frame, 0);
        memory.multiply_numbers(&heads.policy_pool, heads.moves_bias.iter().copied());
        let (judge, people) = heads.logits.split_at(heads.groups);
        let logits = [judge, people];
        let policies = [&mut outputs.judge, &mut outputs.people];
        for (policy, (to, weights)) in policies.into_iter().zip(logits).enumerate() {
            weigh_points(simd, frame, moves, plane, &memory.told, weights, |index, sum| to[index] = sum);
            let weights = heads.passing.chunks_exact(memory.numbers.len()).nth(policy).unwrap_or_default();
            let products = memory.numbers.iter().zip(weights).map(|(number, weight)| number * weight);
            to[POINTS] = heads.passing_bias[policy] + products.sum::<f32>();
        }
        memory.pool_planes(simd, frame, values.chunks_exact(plane).zip(&heads.values_bias));
        memory.numbers_for_value(frame);
        let (owners, bias) = (&mut outputs.owners, heads.owners_bias);
        weigh_points(simd, frame, values, plane, &heads.values_bias, &heads.owners, |index, sum| {
            owners[index] = sum + bias;
        });
        for row in 0..frame.height {
            owners[row * SIDE..][..frame.width].iter_mut().for_each(|owner| *owner = owner.tanh());
        }
        let [winner, lead, spread] = heads.value_outputs(&memory.numbers);
        outputs.winner = winner;
        outputs.lead = lead * POINTS_PER_UNIT;
        outputs.spread = softplus(spread) * POINTS_PER_UNIT;
    }
}

/// For each point the sum of its positive values (with `bias`) by `weights`.
#[inline(always)]
fn weigh_points<S: Simd>(
    simd: S,
    frame: BoardFrame,
    planes: &[Channels],
    plane: usize,
    bias: &[Channels],
    weights: &[Channels],
    mut put: impl FnMut(usize, f32),
) {
    let zero = simd.splat_f32s(0.0);
    for (y, row) in frame.row_ranges().enumerate() {
        for (x, entry) in row.enumerate() {
            let mut sum = zero;
            for ((plane, bias), weights) in planes.chunks_exact(plane).zip(bias).zip(weights) {
                for part in 0..GROUP / S::F32_LANES {
                    let value =
                        simd.add_f32s(vector_at::<S>(&plane[entry], part), vector_at::<S>(bias, part));
                    let value = simd.max_f32s(value, zero);
                    sum = simd.mul_add_e_f32s(value, vector_at::<S>(weights, part), sum);
                }
            }
            put(y * SIDE + x, simd.reduce_sum_f32s(sum));
        }
    }
}

impl Heads {
    /// The value head's numbers before their scales.
    #[inline(always)]
    fn value_outputs(&self, numbers: &[f32]) -> [f32; VALUES] {
        let mut hidden = [0.0; HIDDEN];
        hidden.copy_from_slice(&self.hidden_bias);
        for (row, &number) in self.hidden.as_chunks::<HIDDEN>().0.iter().zip(numbers) {
            hidden.iter_mut().zip(row).for_each(|(hidden, weight)| *hidden += number * weight);
        }
        let mut out = self.out_bias;
        for (out, row) in out.iter_mut().zip(self.out.as_chunks::<HIDDEN>().0) {
            *out += hidden.iter().zip(row).map(|(hidden, weight)| hidden.max(0.0) * weight).sum::<f32>();
        }
        out
    }
}

/// `ln(1 + e^x)`.
fn softplus(x: f32) -> f32 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}
