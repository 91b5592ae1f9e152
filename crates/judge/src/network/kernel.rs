//! Convolutions: what costs the time. Written once over `pulp::Simd`, compiled for each instruction set that it knows.
//!
//! A plane holds [`GROUP`] channels of every point, row by row, the points of all positions of a batch one after the other, each
//! position with a border of zeros all round. Kernels of 3x3 are applied to tiles of 4x4 points by Winograd's minimal filtering (Lavin and
//! Gray, "Fast algorithms for convolutional neural networks", CVPR 2016, section 4.2): 6x6 points of the input and the kernel are brought
//! to a form in which 36 products by matrices do the work of 144. Tiles of all positions go through one product. They are taken in
//! bunches, so that what they become in between stays in the second-level cache, and two groups of the output at a time, so that the
//! factors of one product stay in the first-level cache.

use pulp::{Simd, WithSimd};

use super::layout::{GROUP, TAPS};

/// The values of one point in one plane.
pub(crate) type Channels = [f32; GROUP];

/// Points of a tile's side, and of the side of what it looks at.
pub(crate) const TILE: usize = 4;
pub(crate) const PATCH: usize = TILE + 2;
/// Entries of a patch, and so of a kernel in its transformed form.
pub(crate) const SPECTRUM: usize = PATCH * PATCH;
/// Most tiles of a bunch.
const BUNCH: usize = 52;
/// Groups of the output that are computed together.
const TOGETHER: usize = 2;

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
pub(crate) struct Factors {
    numbers: Vec<f32>,
    spectrum: usize,
    inputs: usize,
    outputs: usize,
}

impl Factors {
    /// `value(entry, output, input)` gives the factors.
    fn new(
        spectrum: usize,
        outputs: usize,
        inputs: usize,
        value: impl Fn(usize, usize, usize) -> f32,
    ) -> Factors {
        let mut numbers = Vec::with_capacity(spectrum * outputs * inputs);
        for first in (0..outputs).step_by(TOGETHER * GROUP) {
            let last = (first + TOGETHER * GROUP).min(outputs);
            for entry in 0..spectrum {
                for input in 0..inputs {
                    numbers.extend((first..last).map(|output| value(entry, output, input)));
                }
            }
        }
        Factors { numbers, spectrum, inputs, outputs }
    }

    /// Of a kernel of 3x3, [output][input][3][3], transformed.
    pub(crate) fn of_kernel(weights: &[f32], outputs: usize, inputs: usize) -> Factors {
        Factors::new(SPECTRUM, outputs, inputs, |entry, output, input| {
            let taps = &weights[(output * inputs + input) * TAPS..][..TAPS];
            let share = |(tap, &weight): (usize, &f32)| {
                let side = |entry: usize, tap: usize| KERNEL_SIDE[entry][tap];
                side(entry / PATCH, tap / 3) * side(entry % PATCH, tap % 3) * f64::from(weight)
            };
            taps.iter().enumerate().map(share).sum::<f64>() as f32
        })
    }

    /// Of a kernel of 1x1, [output][input].
    pub(crate) fn of_matrix(weights: &[f32], outputs: usize, inputs: usize) -> Factors {
        Factors::new(1, outputs, inputs, |_, output, input| weights[output * inputs + input])
    }

    /// The factors of two groups of the output from `first` on, and how many groups these are: 2 or 1.
    #[inline(always)]
    fn part(&self, first: usize) -> (&[f32], usize) {
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
    pub(crate) kernel: &'a Factors,
    /// For each group of the output.
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
        let room = tiles.len().div_ceil(bunches);
        spectra.prepare(room, groups);
        for tiles in tiles.chunks(room.max(1)) {
            for group in 0..groups {
                transform_input(simd, tiles, &input[group * plane..][..plane], group, groups, room, spectra);
            }
            for (pair, outputs) in output.chunks_mut(TOGETHER * plane).enumerate() {
                let (factors, width) = kernel.part(TOGETHER * pair);
                let row = kernel.inputs * width * GROUP;
                for (entry, factors) in factors.chunks_exact(row).enumerate() {
                    let product = Product {
                        from: &spectra.input[entry * groups * room..][..groups * room],
                        from_stride: room,
                        factors,
                        to: &mut spectra.output[entry * room..],
                        to_stride: SPECTRUM * room,
                        count: tiles.len(),
                    };
                    if width == 2 { product.multiply::<S, 2>(simd) } else { product.multiply::<S, 1>(simd) }
                }
                for (n, output) in outputs.chunks_exact_mut(plane).enumerate() {
                    let products = &spectra.output[n * SPECTRUM * room..][..SPECTRUM * room];
                    let bias = &bias[TOGETHER * pair + n];
                    match finish {
                        Finish::Rectify => {
                            let finish = |simd: S, value, _| simd.max_f32s(value, simd.splat_f32s(0.0));
                            transform_output(simd, tiles, products, room, bias, output, finish);
                        }
                        Finish::Keep => {
                            transform_output(simd, tiles, products, room, bias, output, |_, value, _| value);
                        }
                        Finish::AddAndRectify => {
                            let finish = |simd: S, value, there| {
                                simd.max_f32s(simd.add_f32s(value, there), simd.splat_f32s(0.0))
                            };
                            transform_output(simd, tiles, products, room, bias, output, finish);
                        }
                    }
                }
            }
        }
    }
}

impl Spectra {
    /// Makes room; allocates only for more than ever before.
    fn prepare(&mut self, room: usize, groups: usize) {
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

/// `to = from * factors` for `count` rows of channels, by groups of channels that lie so many rows apart.
pub(crate) struct Product<'a> {
    pub(crate) from: &'a [Channels],
    pub(crate) from_stride: usize,
    /// For each channel of the input a row of one or two groups.
    pub(crate) factors: &'a [f32],
    pub(crate) to: &'a mut [Channels],
    pub(crate) to_stride: usize,
    pub(crate) count: usize,
}

impl Product<'_> {
    /// Most rows that are computed together: as many as the registers hold, with two vectors each.
    #[inline(always)]
    fn most_rows<S: Simd>() -> usize {
        if S::F32_LANES == 1 {
            4
        } else if S::REGISTER_COUNT >= 32 {
            13
        } else {
            6
        }
    }

    /// `WIDTH`: groups of the output.
    #[inline(always)]
    fn multiply<S: Simd, const WIDTH: usize>(mut self, simd: S) {
        let vectors = WIDTH * GROUP / S::F32_LANES;
        let mut first = 0;
        while first < vectors {
            if vectors - first >= 2 {
                self.columns::<S, WIDTH, 2>(simd, first);
                first += 2;
            } else {
                self.columns::<S, WIDTH, 1>(simd, first);
                first += 1;
            }
        }
    }

    /// Some vectors of the output, all rows.
    #[inline(always)]
    fn columns<S: Simd, const WIDTH: usize, const VECTORS: usize>(&mut self, simd: S, first: usize) {
        let parts = self.count.div_ceil(Self::most_rows::<S>()).max(1);
        let (least, larger) = (self.count / parts, self.count % parts);
        let mut start = 0;
        for part in 0..parts {
            let rows = least + usize::from(part < larger);
            self.rows::<S, WIDTH, VECTORS>(simd, first, start, rows);
            start += rows;
        }
    }

    #[inline(always)]
    fn rows<S: Simd, const WIDTH: usize, const VECTORS: usize>(
        &mut self,
        simd: S,
        first: usize,
        start: usize,
        rows: usize,
    ) {
        macro_rules! step {
            ($($rows:literal),*) => {
                match rows {
                    $($rows if $rows <= Self::most_rows::<S>() => {
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
        for (from, factors) in self.from.chunks_exact(self.from_stride).zip(factors) {
            let Some(from) = from[start..].first_chunk::<ROWS>() else { return };
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
            let to = &mut self.to[group * self.to_stride + start..];
            let Some(to) = to.first_chunk_mut::<ROWS>() else { return };
            for (to, sums) in to.iter_mut().zip(&sums) {
                S::as_mut_simd_f32s(to.as_mut_slice()).0[within] = sums[vector];
            }
        }
    }
}

/// `output = matrix * input` at the first `count` entries of all planes.
pub(crate) struct Mix<'a> {
    pub(crate) input: &'a [Channels],
    pub(crate) output: &'a mut [Channels],
    /// Entries of a plane.
    pub(crate) plane: usize,
    pub(crate) count: usize,
    pub(crate) matrix: &'a Factors,
}

impl WithSimd for Mix<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Mix { input, output, plane, count, matrix } = self;
        for (pair, to) in output.chunks_mut(TOGETHER * plane).enumerate() {
            let (factors, width) = matrix.part(TOGETHER * pair);
            let product = Product { from: input, from_stride: plane, factors, to, to_stride: plane, count };
            if width == 2 { product.multiply::<S, 2>(simd) } else { product.multiply::<S, 1>(simd) }
        }
    }
}

/// One vector of a point.
#[inline(always)]
pub(crate) fn vector<S: Simd>(channels: &Channels, part: usize) -> S::f32s {
    S::as_simd_f32s(channels.as_slice()).0[part]
}

/// One vector of a point, to be changed.
#[inline(always)]
pub(crate) fn vector_mut<S: Simd>(channels: &mut Channels, part: usize) -> &mut S::f32s {
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
            let mut rows = [[simd.splat_f32s(0.0); PATCH]; PATCH];
            for (y, row) in rows.iter_mut().enumerate() {
                let Some(points) = input[corner + y * stride..].first_chunk::<PATCH>() else { return };
                *row = input_side(simd, std::array::from_fn(|x| vector::<S>(&points[x], part)));
            }
            for x in 0..PATCH {
                let column = input_side(simd, std::array::from_fn(|y| rows[y][x]));
                for (y, value) in column.into_iter().enumerate() {
                    let at = ((y * PATCH + x) * groups + group) * room + number;
                    *vector_mut::<S>(&mut spectra.input[at], part) = value;
                }
            }
        }
    }
}

/// From products to points of the boards, for one group of the output.
#[inline(always)]
fn transform_output<S: Simd>(
    simd: S,
    tiles: &[Tile],
    products: &[Channels],
    room: usize,
    bias: &Channels,
    output: &mut [Channels],
    finish: impl Fn(S, S::f32s, S::f32s) -> S::f32s,
) {
    for (number, tile) in tiles.iter().enumerate() {
        let (corner, stride) = (tile.corner as usize, tile.stride as usize);
        for part in 0..GROUP / S::F32_LANES {
            let bias = vector::<S>(bias, part);
            let mut rows = [[bias; TILE]; PATCH];
            for (y, row) in rows.iter_mut().enumerate() {
                let entry = |x: usize| vector::<S>(&products[(y * PATCH + x) * room + number], part);
                *row = output_side(simd, std::array::from_fn(entry));
            }
            let mut points = [[bias; TILE]; TILE];
            for x in 0..TILE {
                let column = output_side(simd, std::array::from_fn(|y| rows[y][x]));
                for (y, value) in column.into_iter().enumerate() {
                    points[y][x] = simd.add_f32s(value, bias);
                }
            }
            for (y, values) in points.iter().enumerate().take(tile.rows.into()) {
                let first = corner + (y + 1) * stride + 1;
                let Some(there) = output[first..].first_chunk_mut::<TILE>() else { return };
                for (&value, there) in values.iter().zip(there).take(tile.columns.into()) {
                    let there = vector_mut::<S>(there, part);
                    *there = finish(simd, value, *there);
                }
            }
        }
    }
}

/// `a - factor * b`.
#[inline(always)]
fn less<S: Simd>(simd: S, a: S::f32s, factor: S::f32s, b: S::f32s) -> S::f32s {
    simd.sub_f32s(a, simd.mul_f32s(factor, b))
}

/// A row of a patch by the matrix that Lavin and Gray call the transpose of B.
#[inline(always)]
fn input_side<S: Simd>(simd: S, d: [S::f32s; PATCH]) -> [S::f32s; PATCH] {
    let (four, five, two) = (simd.splat_f32s(4.0), simd.splat_f32s(5.0), simd.splat_f32s(2.0));
    let (even, odd) = (less(simd, d[4], four, d[2]), less(simd, d[3], four, d[1]));
    let (near, far) = (simd.sub_f32s(d[4], d[2]), simd.mul_f32s(two, simd.sub_f32s(d[3], d[1])));
    [
        simd.mul_add_e_f32s(four, d[0], less(simd, d[4], five, d[2])),
        simd.add_f32s(even, odd),
        simd.sub_f32s(even, odd),
        simd.add_f32s(near, far),
        simd.sub_f32s(near, far),
        simd.mul_add_e_f32s(four, d[1], less(simd, d[5], five, d[3])),
    ]
}

/// A row of products by the transpose of A.
#[inline(always)]
fn output_side<S: Simd>(simd: S, m: [S::f32s; PATCH]) -> [S::f32s; TILE] {
    let (two, four, eight) = (simd.splat_f32s(2.0), simd.splat_f32s(4.0), simd.splat_f32s(8.0));
    let (sum, difference) = (simd.add_f32s(m[1], m[2]), simd.sub_f32s(m[1], m[2]));
    let (far_sum, far_difference) = (simd.add_f32s(m[3], m[4]), simd.sub_f32s(m[3], m[4]));
    [
        simd.add_f32s(simd.add_f32s(m[0], sum), far_sum),
        simd.mul_add_e_f32s(two, far_difference, difference),
        simd.mul_add_e_f32s(four, far_sum, sum),
        simd.add_f32s(simd.mul_add_e_f32s(eight, far_difference, difference), m[5]),
    ]
}

/// The matrix G, by which kernels are transformed on both sides.
const KERNEL_SIDE: [[f64; 3]; PATCH] = [
    [1.0 / 4.0, 0.0, 0.0],
    [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
    [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
    [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
    [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
    [0.0, 0.0, 1.0],
];
