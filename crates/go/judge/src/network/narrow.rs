//! The trunk in bfloat16 on the processor's tiles: kernels of 3x3 as nine products, without any transformation.
//!
//! Factors and what goes through them have eight bits of precision; sums, the trunk itself and the heads have single precision. The
//! points of a board lie row by row with one border point between rows, so that each tap of a kernel is a shift of the whole board.

use pulp::{Simd, WithSimd};

use super::amx::{FactorTile, NARROW_GROUP, NarrowChannels, TILE_ROWS, TileSums, TileUnit, to_narrow};
use super::kernel::Channels;
use super::layout::{GROUP, TAPS};

/// Groups of single precision in a group of bfloat16.
const GROUPS_TOGETHER: usize = NARROW_GROUP / GROUP;

/// A kernel of 3x3 by tiles of factors: for each two groups of the output, each tap and each 32 channels of the input a tile for either
/// group.
#[derive(Clone, Debug)]
pub(super) struct NarrowKernel {
    tiles: Vec<FactorTile>,
    steps: usize,
}

impl NarrowKernel {
    /// Of a kernel [output][input][3][3]. Channels that are missing to whole tiles are zero.
    pub(super) fn new(weights: &[f32], outputs: usize, inputs: usize) -> NarrowKernel {
        let input_groups = inputs.div_ceil(NARROW_GROUP);
        let factor = |output: usize, input: usize, tap: usize| {
            let is_there = output < outputs && input < inputs;
            if is_there { to_narrow(weights[(output * inputs + input) * TAPS + tap]) } else { 0 }
        };
        let mut tiles = Vec::new();
        for first_output in (0..outputs).step_by(NARROW_GROUP) {
            for (tap, group) in steps(input_groups) {
                for half in 0..GROUPS_TOGETHER {
                    tiles.push(FactorTile(std::array::from_fn(|pair| {
                        std::array::from_fn(|output| {
                            let output = first_output + half * GROUP + output;
                            let input = group * NARROW_GROUP + 2 * pair;
                            [factor(output, input, tap), factor(output, input + 1, tap)]
                        })
                    })));
                }
            }
        }
        NarrowKernel { tiles, steps: TAPS * input_groups }
    }
}

/// The steps of a product: each tap, and each group of the input.
fn steps(input_groups: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..TAPS).flat_map(move |tap| (0..input_groups).map(move |group| (tap, group)))
}

/// Rows of entries that are computed together.
#[derive(Clone, Copy, Debug)]
struct EntryRows {
    /// The first entry.
    entry: usize,
    /// The entry of its first tap: one row and one point before.
    first_tap: usize,
    /// Which of the entries are points of a board.
    on_board: u32,
    /// Where the shifts of its board begin among all.
    shifts: usize,
}

/// Where the boards of a batch lie in the planes.
#[derive(Clone, Debug, Default)]
pub(super) struct EntryLayout {
    rows: Vec<EntryRows>,
    /// For each board how far each step of a product lies behind the first tap.
    shifts: Vec<usize>,
    /// Entries of a plane.
    plane: usize,
    input_groups: usize,
}

impl EntryLayout {
    /// Begins anew, in planes of so many entries, for so many groups of single precision. Gives the entries of all planes together.
    pub(super) fn begin(&mut self, entries: usize, groups: usize) -> usize {
        self.rows.clear();
        self.shifts.clear();
        // The last rows of a product may lie behind the last board.
        self.plane = entries + TILE_ROWS;
        self.input_groups = groups.div_ceil(GROUPS_TOGETHER);
        self.input_groups * self.plane
    }

    /// Adds a board of which the first point is at `first`, its rows `stride` entries apart.
    pub(super) fn add_board(&mut self, first: usize, width: usize, height: usize, stride: usize) {
        let (shifts, plane) = (self.shifts.len(), self.plane);
        let shift = |(tap, group)| group * plane + tap / 3 * stride + tap % 3;
        self.shifts.extend(steps(self.input_groups).map(shift));
        let end = (height - 1) * stride + width;
        for start in (0..end).step_by(TILE_ROWS) {
            let is_point = |row: &usize| start + row < end && (start + row) % stride < width;
            let on_board = (0..TILE_ROWS).filter(is_point).fold(0, |bits, row| bits | 1 << row);
            let entry = first + start;
            self.rows.push(EntryRows { entry, first_tap: entry - stride - 1, on_board, shifts });
        }
    }

    /// The part of a group of single precision in an entry.
    #[inline(always)]
    fn channels_of<'a>(
        &self,
        planes: &'a mut [NarrowChannels],
        group: usize,
        entry: usize,
    ) -> &'a mut [u16; GROUP] {
        let channels = &mut planes[group / GROUPS_TOGETHER * self.plane + entry];
        &mut channels.0.as_chunks_mut().0[group % GROUPS_TOGETHER]
    }
}

impl EntryRows {
    /// The rows that are points of a board.
    #[inline(always)]
    fn board_rows(self) -> impl Iterator<Item = usize> {
        let mut bits = self.on_board;
        std::iter::from_fn(move || {
            let row = bits.trailing_zeros();
            bits &= bits.wrapping_sub(1);
            (row < u32::BITS).then_some(row as usize)
        })
    }
}

/// What becomes of a convolution's result.
pub(super) enum NarrowFinish<'a> {
    /// Negative values become zero: the middle of a block.
    Rectify(&'a mut [NarrowChannels]),
    /// Nothing: the middle of a block that pools, in single precision.
    Keep(&'a mut [Channels]),
    /// It is added to the trunk, and negative values become zero.
    AddAndRectify(&'a mut [Channels], &'a mut [NarrowChannels]),
}

/// `finish(bias + kernel * input)` on all points of the boards; what lies around them is left alone.
pub(super) struct NarrowConvolve<'a> {
    pub(super) unit: &'a TileUnit,
    pub(super) layout: &'a EntryLayout,
    pub(super) input: &'a [NarrowChannels],
    pub(super) kernel: &'a NarrowKernel,
    /// The bias of each group of the output.
    pub(super) bias: &'a [Channels],
    /// Entries of a plane in single precision.
    pub(super) wide_plane: usize,
    pub(super) finish: NarrowFinish<'a>,
}

impl WithSimd for NarrowConvolve<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) {
        let mut sums = TileSums([[[0.0; GROUP]; TILE_ROWS]; GROUPS_TOGETHER]);
        let steps = self.kernel.steps;
        for (pair, tiles) in self.kernel.tiles.chunks_exact(GROUPS_TOGETHER * steps).enumerate() {
            for &rows in &self.layout.rows {
                let shifts = &self.layout.shifts[rows.shifts..][..steps];
                self.unit.multiply(self.input, rows.first_tap, shifts, tiles, &mut sums);
                for (half, sums) in sums.0.iter().enumerate() {
                    let group = GROUPS_TOGETHER * pair + half;
                    if let Some(bias) = self.bias.get(group) {
                        self.finish.finish_rows(self.layout, rows, group, self.wide_plane, sums, bias);
                    }
                }
            }
        }
    }
}

impl NarrowFinish<'_> {
    #[inline(always)]
    fn finish_rows(
        &mut self,
        layout: &EntryLayout,
        rows: EntryRows,
        group: usize,
        wide_plane: usize,
        sums: &[Channels; TILE_ROWS],
        bias: &Channels,
    ) {
        match self {
            NarrowFinish::Rectify(narrow) => {
                for row in rows.board_rows() {
                    let values = add_channels(&sums[row], bias).map(|value| value.max(0.0));
                    *layout.channels_of(narrow, group, rows.entry + row) = values.map(to_narrow);
                }
            }
            NarrowFinish::Keep(wide) => {
                for row in rows.board_rows() {
                    wide[group * wide_plane + rows.entry + row] = add_channels(&sums[row], bias);
                }
            }
            NarrowFinish::AddAndRectify(wide, narrow) => {
                for row in rows.board_rows() {
                    let wide = &mut wide[group * wide_plane + rows.entry + row];
                    *wide = add_channels(wide, &add_channels(&sums[row], bias)).map(|value| value.max(0.0));
                    *layout.channels_of(narrow, group, rows.entry + row) = wide.map(to_narrow);
                }
            }
        }
    }
}

#[inline(always)]
fn add_channels(a: &Channels, b: &Channels) -> Channels {
    std::array::from_fn(|channel| a[channel] + b[channel])
}

/// Rounds all points of the boards.
pub(super) struct NarrowCopy<'a> {
    pub(super) layout: &'a EntryLayout,
    pub(super) from: &'a [Channels],
    /// Entries of a plane of `from`.
    pub(super) wide_plane: usize,
    pub(super) to: &'a mut [NarrowChannels],
}

impl WithSimd for NarrowCopy<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (group, plane) in self.from.chunks_exact(self.wide_plane).enumerate() {
            for &rows in &self.layout.rows {
                for row in rows.board_rows() {
                    let entry = rows.entry + row;
                    let to = self.layout.channels_of(self.to, group, entry);
                    to.iter_mut().zip(&plane[entry]).for_each(|(to, &value)| *to = to_narrow(value));
                }
            }
        }
    }
}
