//! Convolutions: what costs the time. Written once over `pulp::Simd`, compiled for each instruction set that it knows.
//!
//! A plane holds [`GROUP`] channels of every point, row by row, the points of all positions of a batch one after the other, each
//! position with a border of zeros all round. Kernels of 3x3 are applied to tiles of 5x5 points by Winograd's minimal filtering (Lavin and
//! Gray, "Fast algorithms for convolutional neural networks", CVPR 2016): 7x7 points of the input and the kernel are brought to a form in
//! which 49 products by matrices do the work of 225. Four tiles across a board of 19 lines and two across one of 9 waste little: 784 and 196
//! products where tiles of 4x4 need 900 and 324. The method belongs to a choice of numbers, the [`NODES`]; with these the rounding errors
//! are about 1.6 times those of tiles of 4x4. Tiles of all positions go through one product. They are taken in bunches, so that what they
//! become in between stays in the second-level cache, and few groups of the output at a time, so that the factors of one product stay in the
//! first-level cache.

use pulp::{Simd, WithSimd};

use super::layout::{GROUP, TAPS};

/// The values of one point in one plane.
pub(crate) type Channels = [f32; GROUP];

/// Points of a tile's side, and of the side of what it looks at.
pub(crate) const TILE: usize = 5;
pub(crate) const PATCH: usize = TILE + 2;
/// Entries of a patch, and so of a kernel in its transformed form.
pub(crate) const SPECTRUM: usize = PATCH * PATCH;
/// Most tiles of a bunch.
const BUNCH: usize = 64;
/// Groups of the output that are computed together.
const TOGETHER: usize = 2;
/// Most rows of a product that are computed together.
const MOST_ROWS: usize = 13;

/// Where a tile is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile {
    /// The entry of its patch's first point.
    pub(crate) corner: u32,
    /// Entries from row to row.
    pub(crate) stride: u32,
    /// How many of its rows and columns lie on the board.
    pub(crate) rows: u8,
    pub(crate) columns: u8,
}

/// Factors of a product, for each pair of groups of the output (the last may be alone), each entry of the spectrum and each channel of
/// the input a row of the output's channels.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProductFactors {
    numbers: Vec<f32>,
    spectrum: usize,
    inputs: usize,
    outputs: usize,
}

impl ProductFactors {
    /// `value(entry, output, input)` gives the factors.
    fn new(
        spectrum: usize,
        outputs: usize,
        inputs: usize,
        value: impl Fn(usize, usize, usize) -> f32,
    ) -> ProductFactors {
        let mut numbers = Vec::with_capacity(spectrum * outputs * inputs);
        for first in (0..outputs).step_by(TOGETHER * GROUP) {
            let last = (first + TOGETHER * GROUP).min(outputs);
            for entry in 0..spectrum {
                for input in 0..inputs {
                    numbers.extend((first..last).map(|output| value(entry, output, input)));
                }
            }
        }
        ProductFactors { numbers, spectrum, inputs, outputs }
    }

    /// The factors of a kernel of 3x3, [output][input][3][3], transformed.
    pub(crate) fn from_kernel(weights: &[f32], outputs: usize, inputs: usize) -> ProductFactors {
        let shares: [[f64; TAPS]; SPECTRUM] = std::array::from_fn(|entry| {
            let side =
                |tap| kernel_coefficient(entry / PATCH, tap / 3) * kernel_coefficient(entry % PATCH, tap % 3);
            std::array::from_fn(side)
        });
        ProductFactors::new(SPECTRUM, outputs, inputs, |entry, output, input| {
            let taps = &weights[(output * inputs + input) * TAPS..][..TAPS];
            let products = taps.iter().zip(&shares[entry]).map(|(&weight, share)| f64::from(weight) * share);
            products.sum::<f64>() as f32
        })
    }

    /// The factors of a kernel of 1x1, [output][input].
    pub(crate) fn from_matrix(weights: &[f32], outputs: usize, inputs: usize) -> ProductFactors {
        ProductFactors::new(1, outputs, inputs, |_, output, input| weights[output * inputs + input])
    }

    /// The factors of two groups of the output from `first` on, and how many groups these are: 2 or 1.
    #[inline(always)]
    fn output_groups(&self, first: usize) -> (&[f32], usize) {
        let groups = TOGETHER.min(self.outputs / GROUP - first);
        let row = self.spectrum * self.inputs;
        (&self.numbers[first * GROUP * row..][..groups * GROUP * row], groups)
    }
}

/// Tiles in their transformed form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spectra {
    /// For each entry of the spectrum and each group of the input all tiles of a bunch.
    input: Vec<Channels>,
    /// For each of two groups of the output and each entry all tiles of a bunch.
    output: Vec<Channels>,
}

/// What is done with a convolution's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    /// Negative values become zero.
    Rectify,
    /// Nothing.
    Keep,
    /// It is added to what is there, and negative values become zero.
    AddAndRectify,
}

/// `output = finish(bias + kernel * input)` on all points of the boards; what lies around them is left alone.
pub(crate) struct Convolve<'a> {
    pub(crate) tiles: &'a [Tile],
    pub(crate) input: &'a [Channels],
    pub(crate) output: &'a mut [Channels],
    /// Entries of a plane.
    pub(crate) plane: usize,
    pub(crate) kernel: &'a ProductFactors,
    /// The bias of each group of the output.
    pub(crate) bias: &'a [Channels],
    pub(crate) finish: Finish,
    pub(crate) spectra: &'a mut Spectra,
}

impl WithSimd for Convolve<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Convolve { tiles, input, output, plane, kernel, bias, finish, spectra } = self;
        let groups = kernel.inputs / GROUP;
        let bunches = tiles.len().div_ceil(BUNCH).max(1);
        let count = tiles.len().div_ceil(bunches).max(1);
        // Odd, so that what is written for one tile does not fall onto few sets of the cache.
        let room = count | 1;
        spectra.make_room(room, groups);
        for tiles in tiles.chunks(count) {
            for group in 0..groups {
                transform_input(simd, tiles, &input[group * plane..][..plane], group, groups, room, spectra);
            }
            for (pair, outputs) in output.chunks_mut(TOGETHER * plane).enumerate() {
                let (factors, width) = kernel.output_groups(TOGETHER * pair);
                let row = kernel.inputs * width * GROUP;
                for (entry, factors) in factors.chunks_exact(row).enumerate() {
                    let from = &spectra.input[entry * groups * room..][..groups * room];
                    let from = ChannelRows { channels: from, stride: room, start: 0 };
                    let to = &mut spectra.output[entry * room..];
                    let to = ChannelRowsMut { channels: to, stride: SPECTRUM * room, start: 0 };
                    Product { from, factors, to, count: tiles.len() }.multiply_by(simd, width);
                }
                for (n, output) in outputs.chunks_exact_mut(plane).enumerate() {
                    let products = &spectra.output[n * SPECTRUM * room..][..SPECTRUM * room];
                    let bias = &bias[TOGETHER * pair + n];
                    match finish {
                        Finish::Rectify => {
                            transform_output::<S, false, true>(simd, tiles, products, room, bias, output);
                        }
                        Finish::Keep => {
                            transform_output::<S, false, false>(simd, tiles, products, room, bias, output);
                        }
                        Finish::AddAndRectify => {
                            transform_output::<S, true, true>(simd, tiles, products, room, bias, output);
                        }
                    }
                }
            }
        }
    }
}

impl Spectra {
    /// Makes room; allocates only for more than ever before.
    fn make_room(&mut self, room: usize, groups: usize) {
        let input = SPECTRUM * groups * room;
        if self.input.len() < input {
            self.input.resize(input, [0.0; GROUP]);
        }
        let output = TOGETHER * SPECTRUM * room;
        if self.output.len() < output {
            self.output.resize(output, [0.0; GROUP]);
        }
    }
}

/// Rows of channels from `start` on, by groups that lie `stride` rows apart.
struct ChannelRows<'a> {
    channels: &'a [Channels],
    stride: usize,
    start: usize,
}

/// The same, to be filled.
struct ChannelRowsMut<'a> {
    channels: &'a mut [Channels],
    stride: usize,
    start: usize,
}

/// `to = from * factors` for `count` rows.
struct Product<'a> {
    from: ChannelRows<'a>,
    /// A row of one or two groups for each channel of the input.
    factors: &'a [f32],
    to: ChannelRowsMut<'a>,
    count: usize,
}

impl Product<'_> {
    /// Most rows that are computed together, with so many vectors each: as many as the registers hold beside the factors and one value.
    #[inline(always)]
    fn most_rows<S: Simd>(vectors: usize) -> usize {
        let registers = if S::F32_LANES == 1 { 8 } else { S::REGISTER_COUNT };
        ((registers - vectors - 1) / vectors).min(MOST_ROWS)
    }

    /// Multiplies by one or two groups of the output.
    #[inline(always)]
    fn multiply_by<S: Simd>(self, simd: S, width: usize) {
        if width == TOGETHER { self.multiply::<S, TOGETHER>(simd) } else { self.multiply::<S, 1>(simd) }
    }

    /// `WIDTH`: groups of the output.
    #[inline(always)]
    fn multiply<S: Simd, const WIDTH: usize>(mut self, simd: S) {
        let vectors = WIDTH * GROUP / S::F32_LANES;
        let mut first = 0;
        while first < vectors {
            if vectors - first >= 2 {
                self.multiply_vectors::<S, WIDTH, 2>(simd, first);
                first += 2;
            } else {
                self.multiply_vectors::<S, WIDTH, 1>(simd, first);
                first += 1;
            }
        }
    }

    /// Some vectors of the output, all rows.
    #[inline(always)]
    fn multiply_vectors<S: Simd, const WIDTH: usize, const VECTORS: usize>(&mut self, simd: S, first: usize) {
        let parts = self.count.div_ceil(Self::most_rows::<S>(VECTORS)).max(1);
        let (least, larger) = (self.count / parts, self.count % parts);
        let mut start = 0;
        for part in 0..parts {
            let rows = least + usize::from(part < larger);
            self.multiply_rows::<S, WIDTH, VECTORS>(simd, first, start, rows);
            start += rows;
        }
    }

    #[inline(always)]
    fn multiply_rows<S: Simd, const WIDTH: usize, const VECTORS: usize>(
        &mut self,
        simd: S,
        first: usize,
        start: usize,
        rows: usize,
    ) {
        macro_rules! step {
            ($($rows:literal),*) => {
                match rows {
                    $($rows if $rows <= Self::most_rows::<S>(VECTORS) => {
                        self.block::<S, WIDTH, VECTORS, $rows>(simd, first, start)
                    })*
                    _ => {}
                }
            };
        }
        step!(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
    }

    /// What the registers hold.
    #[inline(always)]
    fn block<S: Simd, const WIDTH: usize, const VECTORS: usize, const ROWS: usize>(
        &mut self,
        simd: S,
        first: usize,
        start: usize,
    ) {
        let mut sums = [[simd.splat_f32s(0.0); VECTORS]; ROWS];
        let (factors, _) = self.factors.as_chunks::<GROUP>();
        let (factors, _) = factors.as_chunks::<WIDTH>();
        let (factors, _) = factors.as_chunks::<GROUP>();
        for (from, factors) in self.from.channels.chunks_exact(self.from.stride).zip(factors) {
            let Some(from) = from[self.from.start + start..].first_chunk::<ROWS>() else { return };
            for (channel, factors) in factors.iter().enumerate() {
                let (factors, _) = S::as_simd_f32s(factors.as_flattened());
                let factors: [S::f32s; VECTORS] = std::array::from_fn(|vector| factors[first + vector]);
                for (sums, from) in sums.iter_mut().zip(from) {
                    let value = simd.splat_f32s(from[channel]);
                    for (sum, &factor) in sums.iter_mut().zip(&factors) {
                        *sum = simd.mul_add_e_f32s(value, factor, *sum);
                    }
                }
            }
        }
        let per_group = GROUP / S::F32_LANES;
        for vector in 0..VECTORS {
            let (group, within) = ((first + vector) / per_group, (first + vector) % per_group);
            let to = &mut self.to.channels[group * self.to.stride + self.to.start + start..];
            let Some(to) = to.first_chunk_mut::<ROWS>() else { return };
            for (to, sums) in to.iter_mut().zip(&sums) {
                S::as_mut_simd_f32s(to.as_mut_slice()).0[within] = sums[vector];
            }
        }
    }
}

/// `output = matrix * input` at some entries of all planes.
pub(crate) struct PointwiseProduct<'a> {
    pub(crate) input: &'a [Channels],
    pub(crate) output: &'a mut [Channels],
    /// Entries of a plane.
    pub(crate) plane: usize,
    pub(crate) entries: std::ops::Range<usize>,
    pub(crate) matrix: &'a ProductFactors,
}

impl WithSimd for PointwiseProduct<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let PointwiseProduct { input, output, plane, entries, matrix } = self;
        for (pair, to) in output.chunks_mut(TOGETHER * plane).enumerate() {
            let (factors, width) = matrix.output_groups(TOGETHER * pair);
            let from = ChannelRows { channels: input, stride: plane, start: entries.start };
            let to = ChannelRowsMut { channels: to, stride: plane, start: entries.start };
            Product { from, factors, to, count: entries.len() }.multiply_by(simd, width);
        }
    }
}

/// One vector of a point.
#[inline(always)]
pub(crate) fn vector_at<S: Simd>(channels: &Channels, part: usize) -> S::f32s {
    S::as_simd_f32s(channels.as_slice()).0[part]
}

/// One vector of a point, to be changed.
#[inline(always)]
pub(crate) fn vector_at_mut<S: Simd>(channels: &mut Channels, part: usize) -> &mut S::f32s {
    &mut S::as_mut_simd_f32s(channels.as_mut_slice()).0[part]
}

/// The patches of tiles, transformed on both sides, for one group of the input.
#[inline(always)]
fn transform_input<S: Simd>(
    simd: S,
    tiles: &[Tile],
    input: &[Channels],
    group: usize,
    groups: usize,
    room: usize,
    spectra: &mut Spectra,
) {
    for (number, tile) in tiles.iter().enumerate() {
        let (corner, stride) = (tile.corner as usize, tile.stride as usize);
        for part in 0..GROUP / S::F32_LANES {
            let row = |y: usize| -> [S::f32s; PATCH] {
                let Some(points) = input[corner + y * stride..].first_chunk::<PATCH>() else {
                    return [simd.splat_f32s(0.0); PATCH];
                };
                transform_patch_row(simd, std::array::from_fn(|x| vector_at::<S>(&points[x], part)))
            };
            let rows: [_; PATCH] = std::array::from_fn(row);
            let columns = (0..PATCH).map(|x| transform_patch_row(simd, std::array::from_fn(|y| rows[y][x])));
            for (x, column) in columns.enumerate() {
                for (y, value) in column.into_iter().enumerate() {
                    let at = (y * PATCH + x) * groups * room + group * room + number;
                    *vector_at_mut::<S>(&mut spectra.input[at], part) = value;
                }
            }
        }
    }
}

/// From products to points of the boards, for one group of the output: added to what is there or not, negative values made zero or not.
#[inline(always)]
fn transform_output<S: Simd, const ADD: bool, const RECTIFY: bool>(
    simd: S,
    tiles: &[Tile],
    products: &[Channels],
    room: usize,
    bias: &Channels,
    output: &mut [Channels],
) {
    for (number, tile) in tiles.iter().enumerate() {
        let (corner, stride) = (tile.corner as usize, tile.stride as usize);
        for part in 0..GROUP / S::F32_LANES {
            let bias = vector_at::<S>(bias, part);
            let row = |y: usize| {
                let entry = |x: usize| vector_at::<S>(&products[(y * PATCH + x) * room + number], part);
                transform_product_row(simd, std::array::from_fn(entry))
            };
            let rows: [_; PATCH] = std::array::from_fn(row);
            let column = |x: usize| transform_product_row(simd, std::array::from_fn(|y| rows[y][x]));
            let columns: [_; TILE] = std::array::from_fn(column);
            let first = corner + stride + 1;
            let Some(output) = output.get_mut(first..) else { return };
            let (width, height) = (usize::from(tile.columns), usize::from(tile.rows));
            let square = TileValues { columns, bias, stride, part };
            // Most tiles lie on the board as a whole.
            if (width, height) == (TILE, TILE) {
                square.put_values::<S, ADD, RECTIFY>(simd, TILE, TILE, output);
            } else {
                square.put_values::<S, ADD, RECTIFY>(simd, width, height, output);
            }
        }
    }
}

/// A tile's values, one vector for each point.
struct TileValues<V> {
    columns: [[V; TILE]; TILE],
    bias: V,
    stride: usize,
    part: usize,
}

impl<V: Copy> TileValues<V> {
    /// Puts the values where they belong, the first one at the start of `output`.
    #[inline(always)]
    fn put_values<S: Simd<f32s = V>, const ADD: bool, const RECTIFY: bool>(
        &self,
        simd: S,
        width: usize,
        height: usize,
        output: &mut [Channels],
    ) {
        for y in 0..height {
            let Some(there) = output[y * self.stride..].first_chunk_mut::<TILE>() else { return };
            for (there, column) in there.iter_mut().zip(&self.columns).take(width) {
                let there = vector_at_mut::<S>(there, self.part);
                let mut value = simd.add_f32s(column[y], self.bias);
                if ADD {
                    value = simd.add_f32s(value, *there);
                }
                *there = if RECTIFY { simd.max_f32s(value, simd.splat_f32s(0.0)) } else { value };
            }
        }
    }
}

/// `a + factor * b`.
#[inline(always)]
fn add_scaled<S: Simd>(simd: S, a: S::f32s, factor: f32, b: S::f32s) -> S::f32s {
    simd.mul_add_e_f32s(simd.splat_f32s(factor), b, a)
}

/// The numbers at which polynomials are evaluated, in the order of the entries; the last entry is their highest coefficient.
const NODES: [f64; PATCH - 1] = [0.0, 1.0, -1.0, 2.0, -2.0, 0.5];

/// The matrix by which kernels are transformed on both sides (Lavin and Gray's G): a polynomial of three coefficients at each node, divided
/// by the product of the node's differences from the others.
fn kernel_coefficient(entry: usize, tap: usize) -> f64 {
    let Some(&node) = NODES.get(entry) else { return if tap == 2 { 1.0 } else { 0.0 } };
    let others = NODES.iter().filter(|&&other| other != node);
    node.powi(tap as i32) / others.map(|other| node - other).product::<f64>()
}

/// A row of a patch by the transpose of B. Its rows are the coefficients of x (x^2 - 1) (x^2 - 4) (x - 1/2), and of this without the factor
/// of each node. So the factor x - 1/2 is applied first; what remains is the transform for tiles of 4x4.
#[inline(always)]
fn transform_patch_row<S: Simd>(simd: S, d: [S::f32s; PATCH]) -> [S::f32s; PATCH] {
    let e: [S::f32s; PATCH - 1] = std::array::from_fn(|i| add_scaled(simd, d[i + 1], -0.5, d[i]));
    let (even, odd) = (add_scaled(simd, e[4], -4.0, e[2]), add_scaled(simd, e[3], -4.0, e[1]));
    let (near, far) = (simd.sub_f32s(e[4], e[2]), simd.sub_f32s(e[3], e[1]));
    [
        add_scaled(simd, add_scaled(simd, e[4], -5.0, e[2]), 4.0, e[0]),
        simd.add_f32s(even, odd),
        simd.sub_f32s(even, odd),
        add_scaled(simd, near, 2.0, far),
        add_scaled(simd, near, -2.0, far),
        add_scaled(simd, add_scaled(simd, d[5], -5.0, d[3]), 4.0, d[1]),
        add_scaled(simd, add_scaled(simd, e[5], -5.0, e[3]), 4.0, e[1]),
    ]
}

/// A row of products by the transpose of A: powers of the nodes.
#[inline(always)]
fn transform_product_row<S: Simd>(simd: S, m: [S::f32s; PATCH]) -> [S::f32s; TILE] {
    let (sum, difference) = (simd.add_f32s(m[1], m[2]), simd.sub_f32s(m[1], m[2]));
    let (far_sum, far_difference) = (simd.add_f32s(m[3], m[4]), simd.sub_f32s(m[3], m[4]));
    [
        simd.add_f32s(simd.add_f32s(m[0], m[5]), simd.add_f32s(sum, far_sum)),
        add_scaled(simd, add_scaled(simd, difference, 2.0, far_difference), 0.5, m[5]),
        add_scaled(simd, add_scaled(simd, sum, 4.0, far_sum), 0.25, m[5]),
        add_scaled(simd, add_scaled(simd, difference, 8.0, far_difference), 0.125, m[5]),
        simd.add_f32s(add_scaled(simd, add_scaled(simd, sum, 16.0, far_sum), 0.0625, m[5]), m[6]),
    ]
}
