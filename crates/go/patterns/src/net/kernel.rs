//! Convolutions over the board: what costs the time. Written once over `pulp::Simd`, compiled for each instruction set that it
//! knows, without `unsafe`.
//!
//! A plane is a vector of [`ChannelValues`], one for each point, row by row, with a border of zeros all round. Kernels of 3x3 are
//! applied to tiles of 4x4 points by Winograd's minimal filtering (Lavin and Gray, "Fast algorithms for convolutional neural
//! networks", CVPR 2016, section 4.2): 6x6 points of the input and the kernel are brought to a form in which 36 products by
//! matrices do the work of 144. On 19x19 that leaves 5x5 tiles, of which little is wasted.

use pulp::Simd;

/// Channels of the trunk.
pub(crate) const CHANNELS: usize = 32;

/// The values of one point.
pub(crate) type ChannelValues = [f32; CHANNELS];

/// Points of a kernel.
pub(crate) const TAPS: usize = 9;

/// Points of a tile's side, and of the side of what it looks at.
const TILE: usize = 4;
const PATCH: usize = 6;
/// Entries of a patch, and so of a kernel in its transformed form.
pub(crate) const SPECTRUM: usize = PATCH * PATCH;
/// Rows of a transformed kernel: for each entry and each channel of the input the factors of the channels of the output.
pub(crate) const KERNEL_ROWS: usize = SPECTRUM * CHANNELS;
/// Fewest tiles that there is room for, so that a whole step of any product fits.
const LEAST_TILES: usize = 13;

/// Width and height of a board, and where its points lie in a plane with a border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlaneFrame {
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl PlaneFrame {
    /// Points from a row to the next: whole tiles, and the border.
    #[inline(always)]
    pub(crate) fn row_stride(self) -> usize {
        self.width.next_multiple_of(TILE) + 2
    }

    /// Entries of a plane.
    pub(crate) fn entry_count(self) -> usize {
        self.row_stride() * (self.height.next_multiple_of(TILE) + 2)
    }

    /// The entry of a point.
    #[inline(always)]
    pub(crate) fn entry_at(self, x: usize, y: usize) -> usize {
        (y + 1) * self.row_stride() + x + 1
    }

    /// The upper left points of the tiles.
    #[inline(always)]
    fn tile_corners(self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.height).step_by(TILE).flat_map(move |y| (0..self.width).step_by(TILE).map(move |x| (x, y)))
    }

    fn tile_count(self) -> usize {
        self.width.div_ceil(TILE) * self.height.div_ceil(TILE)
    }
}

/// Tiles in their transformed form: for each of [`SPECTRUM`] entries all tiles.
#[derive(Clone, Debug, Default)]
pub(crate) struct TransformedTiles {
    /// Room for tiles.
    room: usize,
    input: Vec<ChannelValues>,
    output: Vec<ChannelValues>,
}

impl TransformedTiles {
    /// Makes room for the tiles of a board.
    pub(crate) fn make_room(&mut self, frame: PlaneFrame) {
        let room = frame.tile_count().max(LEAST_TILES);
        if room != self.room {
            self.room = room;
            self.input = vec![[0.0; CHANNELS]; SPECTRUM * room];
            self.output = vec![[0.0; CHANNELS]; SPECTRUM * room];
        }
    }
}

/// `out = bias + kernel * input` at all points of the board; what lies around it is left alone. `kernel` is transformed.
#[inline(always)]
pub(crate) fn convolve_plane<S: Simd>(
    simd: S,
    frame: PlaneFrame,
    input: &[ChannelValues],
    kernel: &[ChannelValues],
    bias: &ChannelValues,
    out: &mut [ChannelValues],
    tiles: &mut TransformedTiles,
) {
    let room = tiles.room;
    transform_input(simd, frame, input, room, &mut tiles.input);
    for entry in 0..SPECTRUM {
        let (from, to) = (&tiles.input[entry * room..][..room], &mut tiles.output[entry * room..][..room]);
        let Some(factors) = kernel[entry * CHANNELS..].first_chunk::<CHANNELS>() else { return };
        if S::F32_LANES >= 16 {
            multiply_tiles::<S, LEAST_TILES>(simd, from, factors, to);
        } else {
            multiply_tiles::<S, 5>(simd, from, factors, to);
        }
    }
    transform_output(simd, frame, &tiles.output, room, bias, out);
}

/// `to = from * factors`, a row of channels for each tile.
#[inline(always)]
fn multiply_tiles<S: Simd, const STEP: usize>(
    simd: S,
    from: &[ChannelValues],
    factors: &[ChannelValues; CHANNELS],
    to: &mut [ChannelValues],
) {
    for half in 0..CHANNELS / (2 * S::F32_LANES) {
        let mut start = 0;
        while start < from.len() {
            // The last step may do some tiles again.
            let at = start.min(from.len() - STEP);
            let Some(points) = from[at..].first_chunk::<STEP>() else { return };
            let mut sums = [[simd.splat_f32s(0.0); 2]; STEP];
            for channel in 0..CHANNELS {
                let factor = vector_pair::<S>(&factors[channel], half);
                for (sum, point) in sums.iter_mut().zip(points) {
                    let value = simd.splat_f32s(point[channel]);
                    sum[0] = simd.mul_add_e_f32s(value, factor[0], sum[0]);
                    sum[1] = simd.mul_add_e_f32s(value, factor[1], sum[1]);
                }
            }
            for (sum, to) in sums.iter().zip(&mut to[at..]) {
                let (vectors, _) = S::as_mut_simd_f32s(to.as_mut_slice());
                vectors[2 * half] = sum[0];
                vectors[2 * half + 1] = sum[1];
            }
            start += STEP;
        }
    }
}

/// Two vectors of a point's channels.
#[inline(always)]
fn vector_pair<S: Simd>(channels: &ChannelValues, half: usize) -> [S::f32s; 2] {
    let (vectors, _) = S::as_simd_f32s(channels.as_slice());
    [vectors[2 * half], vectors[2 * half + 1]]
}

/// One vector of a point's channels.
#[inline(always)]
fn channel_vector<S: Simd>(channels: &ChannelValues, part: usize) -> S::f32s {
    S::as_simd_f32s(channels.as_slice()).0[part]
}

/// `a - factor * b`.
#[inline(always)]
fn subtract_product<S: Simd>(simd: S, a: S::f32s, factor: S::f32s, b: S::f32s) -> S::f32s {
    simd.sub_f32s(a, simd.mul_f32s(factor, b))
}

/// The patch under each tile, transformed on both sides.
#[inline(always)]
fn transform_input<S: Simd>(
    simd: S,
    frame: PlaneFrame,
    input: &[ChannelValues],
    room: usize,
    out: &mut [ChannelValues],
) {
    for part in 0..CHANNELS / S::F32_LANES {
        for (number, (x, y)) in frame.tile_corners().enumerate() {
            let corner = frame.entry_at(x, y) - frame.row_stride() - 1;
            let mut rows = [[simd.splat_f32s(0.0); PATCH]; PATCH];
            for (y, row) in rows.iter_mut().enumerate() {
                let Some(p) = input[corner + y * frame.row_stride()..].first_chunk::<PATCH>() else { return };
                let of = |x: usize| channel_vector::<S>(&p[x], part);
                *row = input_side(simd, [of(0), of(1), of(2), of(3), of(4), of(5)]);
            }
            for x in 0..PATCH {
                let of = |y: usize| rows[y][x];
                let column = input_side(simd, [of(0), of(1), of(2), of(3), of(4), of(5)]);
                for (y, value) in column.into_iter().enumerate() {
                    S::as_mut_simd_f32s(out[(y * PATCH + x) * room + number].as_mut_slice()).0[part] = value;
                }
            }
        }
    }
}

/// A row of a patch by the matrix that Lavin and Gray call the transpose of B.
#[inline(always)]
fn input_side<S: Simd>(simd: S, d: [S::f32s; PATCH]) -> [S::f32s; PATCH] {
    let (four, five, two) = (simd.splat_f32s(4.0), simd.splat_f32s(5.0), simd.splat_f32s(2.0));
    let (even, odd) = (subtract_product(simd, d[4], four, d[2]), subtract_product(simd, d[3], four, d[1]));
    let (near, far) = (simd.sub_f32s(d[4], d[2]), simd.mul_f32s(two, simd.sub_f32s(d[3], d[1])));
    [
        simd.mul_add_e_f32s(four, d[0], subtract_product(simd, d[4], five, d[2])),
        simd.add_f32s(even, odd),
        simd.sub_f32s(even, odd),
        simd.add_f32s(near, far),
        simd.sub_f32s(near, far),
        simd.mul_add_e_f32s(four, d[1], subtract_product(simd, d[5], five, d[3])),
    ]
}

/// From transformed tiles to points of the board.
#[inline(always)]
fn transform_output<S: Simd>(
    simd: S,
    frame: PlaneFrame,
    products: &[ChannelValues],
    room: usize,
    bias: &ChannelValues,
    out: &mut [ChannelValues],
) {
    for part in 0..CHANNELS / S::F32_LANES {
        let bias = channel_vector::<S>(bias, part);
        for (number, (left, top)) in frame.tile_corners().enumerate() {
            let mut rows = [[bias; TILE]; PATCH];
            for (y, row) in rows.iter_mut().enumerate() {
                let entry = |x: usize| channel_vector::<S>(&products[(y * PATCH + x) * room + number], part);
                *row = output_side(simd, [entry(0), entry(1), entry(2), entry(3), entry(4), entry(5)]);
            }
            for x in 0..TILE.min(frame.width - left) {
                let of = |y: usize| rows[y][x];
                let column = output_side(simd, [of(0), of(1), of(2), of(3), of(4), of(5)]);
                for (y, &value) in column.iter().enumerate().take(frame.height - top) {
                    let point = &mut out[frame.entry_at(left + x, top + y)];
                    S::as_mut_simd_f32s(point.as_mut_slice()).0[part] = simd.add_f32s(value, bias);
                }
            }
        }
    }
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

/// Adds to `gradient` (of a transformed kernel) what a convolution of `input` should change for `wanted` changes of its output.
#[inline(always)]
pub(crate) fn add_kernel_gradient<S: Simd>(
    simd: S,
    frame: PlaneFrame,
    input: &[ChannelValues],
    wanted: &[ChannelValues],
    gradient: &mut [ChannelValues],
    tiles: &mut TransformedTiles,
) {
    let room = tiles.room;
    transform_input(simd, frame, input, room, &mut tiles.input);
    transform_wanted(simd, frame, wanted, room, &mut tiles.output);
    let count = frame.tile_count();
    for entry in 0..SPECTRUM {
        let (from, to) = (&tiles.input[entry * room..][..count], &tiles.output[entry * room..][..count]);
        let Some(sums) = gradient[entry * CHANNELS..].first_chunk_mut::<CHANNELS>() else { return };
        if S::F32_LANES >= 16 {
            multiply_transposed::<S, 8>(simd, from, to, sums);
        } else {
            multiply_transposed::<S, 4>(simd, from, to, sums);
        }
    }
}

/// Wanted changes of the tiles, as changes of the products: the way back of [`transform_output`].
#[inline(always)]
fn transform_wanted<S: Simd>(
    simd: S,
    frame: PlaneFrame,
    wanted: &[ChannelValues],
    room: usize,
    out: &mut [ChannelValues],
) {
    for part in 0..CHANNELS / S::F32_LANES {
        for (number, (x, y)) in frame.tile_corners().enumerate() {
            let mut rows = [[simd.splat_f32s(0.0); PATCH]; TILE];
            for (below, row) in rows.iter_mut().enumerate() {
                // Beyond the board all is zero.
                let Some(p) = wanted[frame.entry_at(x, y + below)..].first_chunk::<TILE>() else { return };
                let of = |x: usize| channel_vector::<S>(&p[x], part);
                *row = wanted_side(simd, [of(0), of(1), of(2), of(3)]);
            }
            for x in 0..PATCH {
                let of = |y: usize| rows[y][x];
                let column = wanted_side(simd, [of(0), of(1), of(2), of(3)]);
                for (y, value) in column.into_iter().enumerate() {
                    S::as_mut_simd_f32s(out[(y * PATCH + x) * room + number].as_mut_slice()).0[part] = value;
                }
            }
        }
    }
}

/// A row of a tile by A.
#[inline(always)]
fn wanted_side<S: Simd>(simd: S, y: [S::f32s; TILE]) -> [S::f32s; PATCH] {
    let (two, four) = (simd.splat_f32s(2.0), simd.splat_f32s(4.0));
    let (even, odd) = (simd.add_f32s(y[0], y[2]), simd.add_f32s(y[1], y[3]));
    let far_even = simd.mul_add_e_f32s(four, y[2], y[0]);
    let far_odd = simd.mul_f32s(two, simd.mul_add_e_f32s(four, y[3], y[1]));
    [
        y[0],
        simd.add_f32s(even, odd),
        simd.sub_f32s(even, odd),
        simd.add_f32s(far_even, far_odd),
        simd.sub_f32s(far_even, far_odd),
        y[3],
    ]
}

/// `sums += from^T * to` over the tiles.
#[inline(always)]
fn multiply_transposed<S: Simd, const GROUP: usize>(
    simd: S,
    from: &[ChannelValues],
    to: &[ChannelValues],
    sums: &mut [ChannelValues; CHANNELS],
) {
    for half in 0..CHANNELS / (2 * S::F32_LANES) {
        for group in 0..CHANNELS / GROUP {
            let mut parts = [[simd.splat_f32s(0.0); 2]; GROUP];
            for (from, to) in from.iter().zip(to) {
                let to = vector_pair::<S>(to, half);
                let (groups, _) = from.as_chunks::<GROUP>();
                for (part, &value) in parts.iter_mut().zip(&groups[group]) {
                    let value = simd.splat_f32s(value);
                    part[0] = simd.mul_add_e_f32s(value, to[0], part[0]);
                    part[1] = simd.mul_add_e_f32s(value, to[1], part[1]);
                }
            }
            for (channel, part) in parts.iter().enumerate() {
                let (vectors, _) = S::as_mut_simd_f32s(sums[group * GROUP + channel].as_mut_slice());
                vectors[2 * half] = simd.add_f32s(vectors[2 * half], part[0]);
                vectors[2 * half + 1] = simd.add_f32s(vectors[2 * half + 1], part[1]);
            }
        }
    }
}

/// The matrix G, by which kernels are transformed on both sides.
const KERNEL_SIDE: [[f32; 3]; PATCH] = [
    [1.0 / 4.0, 0.0, 0.0],
    [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
    [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
    [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
    [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
    [0.0, 0.0, 1.0],
];

/// The factor of a kernel's tap in an entry of the transformed kernel.
fn kernel_factor(entry: usize, tap: usize) -> f32 {
    KERNEL_SIDE[entry / PATCH][tap / 3] * KERNEL_SIDE[entry % PATCH][tap % 3]
}

/// A kernel (for each tap and each channel of the input a row of factors) in its transformed form.
pub(crate) fn transform_kernel(weights: &[ChannelValues], out: &mut Vec<ChannelValues>) {
    out.clear();
    out.resize(KERNEL_ROWS, [0.0; CHANNELS]);
    for (entry, rows) in out.chunks_exact_mut(CHANNELS).enumerate() {
        for (tap, weights) in weights.chunks_exact(CHANNELS).enumerate() {
            add_rows(kernel_factor(entry, tap), weights, rows);
        }
    }
}

/// The gradient of a kernel from that of its transformed form, which is added.
pub(crate) fn untransform_gradient(transformed: &[ChannelValues], out: &mut [ChannelValues]) {
    for (tap, rows) in out.chunks_exact_mut(CHANNELS).enumerate() {
        for (entry, gradient) in transformed.chunks_exact(CHANNELS).enumerate() {
            add_rows(kernel_factor(entry, tap), gradient, rows);
        }
    }
}

/// `to += factor * from`.
fn add_rows(factor: f32, from: &[ChannelValues], to: &mut [ChannelValues]) {
    if factor != 0.0 {
        to.as_flattened_mut().iter_mut().zip(from.as_flattened()).for_each(|(to, from)| *to += factor * from);
    }
}

/// The kernel with which changes of a convolution's output become changes of its input: taps mirrored, channels exchanged.
pub(crate) fn mirror_kernel(weights: &[ChannelValues]) -> Vec<ChannelValues> {
    let mut out = vec![[0.0; CHANNELS]; weights.len()];
    for tap in 0..TAPS {
        let opposite = (TAPS - 1 - tap) * CHANNELS;
        for from in 0..CHANNELS {
            for to in 0..CHANNELS {
                out[tap * CHANNELS + to][from] = weights[opposite + from][to];
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use ishi_rng::{Rng, Seed};
    use pulp::{Arch, WithSimd};

    use super::*;

    struct Both<'a> {
        frame: PlaneFrame,
        input: &'a [ChannelValues],
        weights: &'a [ChannelValues],
        bias: &'a ChannelValues,
        out: &'a mut [ChannelValues],
        gradient: &'a mut [ChannelValues],
    }

    /// The convolution, and the gradient with the convolution's result as what is wanted.
    impl WithSimd for Both<'_> {
        type Output = ();

        fn with_simd<S: Simd>(self, simd: S) {
            let (mut tiles, mut kernel) = (TransformedTiles::default(), Vec::new());
            tiles.make_room(self.frame);
            transform_kernel(self.weights, &mut kernel);
            convolve_plane(simd, self.frame, self.input, &kernel, self.bias, self.out, &mut tiles);
            let mut transformed = vec![[0.0; CHANNELS]; KERNEL_ROWS];
            add_kernel_gradient(simd, self.frame, self.input, self.out, &mut transformed, &mut tiles);
            untransform_gradient(&transformed, self.gradient);
        }
    }

    fn drawn(rng: &mut Rng) -> ChannelValues {
        [(); CHANNELS].map(|()| (2.0 * rng.next_unit() - 1.0) as f32)
    }

    fn close(a: &ChannelValues, b: &ChannelValues) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 2e-3 * (1.0 + a.abs()))
    }

    /// Both against their definitions, on boards that are and are not made of whole tiles.
    #[test]
    fn convolutions_are_what_they_say() {
        let mut rng = Seed::new(1).stream("kernel", 0);
        for (width, height) in [(19, 19), (9, 9), (4, 7), (13, 5), (1, 1)] {
            let frame = PlaneFrame { width, height };
            let points: Vec<usize> =
                (0..height).flat_map(|y| (0..width).map(move |x| frame.entry_at(x, y))).collect();
            let mut input = vec![[0.0; CHANNELS]; frame.entry_count()];
            points.iter().for_each(|&entry| input[entry] = drawn(&mut rng));
            let weights: Vec<ChannelValues> = (0..TAPS * CHANNELS).map(|_| drawn(&mut rng)).collect();
            let bias = drawn(&mut rng);
            let mut out = vec![[0.0; CHANNELS]; frame.entry_count()];
            let mut gradient = vec![[0.0; CHANNELS]; TAPS * CHANNELS];
            let (got, learned) = (&mut out[..], &mut gradient[..]);
            let weights = &weights[..];
            Arch::new().dispatch(Both {
                frame,
                input: &input,
                weights,
                bias: &bias,
                out: got,
                gradient: learned,
            });
            let mut expected = vec![[0.0; CHANNELS]; TAPS * CHANNELS];
            for &entry in &points {
                let mut sum = bias;
                for tap in 0..TAPS {
                    let from = entry + tap / 3 * frame.row_stride() + tap % 3 - frame.row_stride() - 1;
                    for channel in 0..CHANNELS {
                        let value = input[from][channel];
                        for other in 0..CHANNELS {
                            sum[other] += value * weights[tap * CHANNELS + channel][other];
                            expected[tap * CHANNELS + channel][other] += value * out[entry][other];
                        }
                    }
                }
                assert!(close(&sum, &out[entry]), "{width}x{height}");
            }
            let largest = expected.as_flattened().iter().fold(1.0_f32, |most, value| most.max(value.abs()));
            for (a, b) in expected.as_flattened().iter().zip(gradient.as_flattened()) {
                assert!((a - b).abs() < 1e-4 * largest, "{width}x{height}: {a} is not {b}");
            }
        }
    }
}
