//! From a position to the scores of its moves and the value.

use pulp::Simd;

use super::kernel::{
    CHANNELS, ChannelValues, PlaneFrame, TransformedTiles, convolve_plane, mirror_kernel, transform_kernel,
};
use super::layout::{HIDDEN, INPUT_TAPS, NetworkLayout, VALUE_INPUTS, as_channels};
use super::planes::{BEFORE, INPUTS, InputPlanes, LAST, LOGARITHM, PROBABILITY};

/// The planes between the layers: those that learning goes back through, or (without `keep`) only what the next layer needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Activations {
    frame: Option<PlaneFrame>,
    keep: bool,
    /// The input's output, then two for each block: after its first convolution, and its result.
    pub(crate) planes: Vec<Vec<ChannelValues>>,
    /// A score for each point; only those of candidates mean anything.
    pub(crate) scores: Vec<f32>,
    pub(crate) value: ValueMemory,
    pub(crate) tiles: TransformedTiles,
}

/// The kernels of the trunk in their transformed form.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TrunkKernels(pub(crate) Vec<Vec<ChannelValues>>);

impl TrunkKernels {
    /// Follows changed numbers. With `back` these are the kernels of the way back.
    pub(crate) fn update_from(&mut self, layout: NetworkLayout, numbers: &[f32], back: bool) {
        self.0.resize_with(layout.kernel_count(), Vec::new);
        for (number, kernel) in self.0.iter_mut().enumerate() {
            let weights = as_channels(&numbers[layout.kernel_range(number)]);
            if back {
                transform_kernel(&mirror_kernel(weights), kernel)
            } else {
                transform_kernel(weights, kernel)
            };
        }
    }
}

/// What the value was made of.
#[derive(Clone, Debug)]
pub(crate) struct ValueMemory {
    pub(crate) inputs: [f32; VALUE_INPUTS],
    pub(crate) hidden: [f32; HIDDEN],
    /// Log-odds that the side to move wins.
    pub(crate) odds: f32,
}

impl Default for ValueMemory {
    fn default() -> Self {
        ValueMemory { inputs: [0.0; VALUE_INPUTS], hidden: [0.0; HIDDEN], odds: 0.0 }
    }
}

impl Activations {
    /// Planes that learning can go back through.
    pub(crate) fn for_learning() -> Activations {
        Activations { keep: true, ..Activations::default() }
    }

    fn prepare_planes(&mut self, frame: PlaneFrame, blocks: usize) {
        self.tiles.make_room(frame);
        let planes = if self.keep { 2 * blocks + 1 } else { 3 };
        if self.frame != Some(frame) || self.planes.len() != planes {
            self.frame = Some(frame);
            self.planes = vec![vec![[0.0; CHANNELS]; frame.entry_count()]; planes];
        }
    }

    /// The planes of block `block`: what goes in, what is between its convolutions, what comes out.
    fn block_planes(&mut self, block: usize) -> ([&mut [ChannelValues]; 3], &mut TransformedTiles) {
        let at = if self.keep { 2 * block } else { 0 };
        let Some([input, middle, output]) = self.planes[at..].first_chunk_mut::<3>() else {
            unreachable!("three planes")
        };
        ([input, middle, output], &mut self.tiles)
    }

    /// The plane after the last block.
    pub(crate) fn trunk_output(&self, blocks: usize) -> &[ChannelValues] {
        &self.planes[if self.keep { 2 * blocks } else { 0 }]
    }
}

/// Fills the activations.
#[inline(always)]
pub(crate) fn run_forward<S: Simd>(
    simd: S,
    layout: NetworkLayout,
    numbers: &[f32],
    kernels: &TrunkKernels,
    planes: &InputPlanes,
    activations: &mut Activations,
) {
    let frame = planes.plane_frame();
    activations.prepare_planes(frame, layout.blocks);
    let weights = as_channels(&numbers[layout.input_range()]);
    let bias = as_channels(&numbers[layout.input_bias_range()])[0];
    apply_input_layer(planes, weights, &bias, &mut activations.planes[0]);
    for block in 0..layout.blocks {
        let ([input, middle, output], tiles) = activations.block_planes(block);
        let bias = |number| &as_channels(&numbers[layout.bias_range(number)])[0];
        convolve_plane(simd, frame, input, &kernels.0[2 * block], bias(2 * block), middle, tiles);
        rectify_plane(middle);
        convolve_plane(simd, frame, middle, &kernels.0[2 * block + 1], bias(2 * block + 1), output, tiles);
        add_and_rectify(input, output);
        if !activations.keep {
            activations.planes.swap(0, 2);
        }
    }
    compute_policy(layout, numbers, planes, activations);
    compute_value(layout, numbers, planes, activations);
}

/// The input's layer: a kernel of 5x5 over points of few kinds, so that a sum of rows takes the place of products.
#[inline(always)]
fn apply_input_layer(
    planes: &InputPlanes,
    weights: &[ChannelValues],
    bias: &ChannelValues,
    out: &mut [ChannelValues],
) {
    let frame = planes.plane_frame();
    for y in 0..frame.height {
        for x in 0..frame.width {
            let mut sum = *bias;
            for tap in 0..INPUT_TAPS {
                let Some(number) = neighbour_at_tap(frame, x, y, tap) else { continue };
                let seen = &planes.points[number];
                let Some(rows) = weights[tap * INPUTS..].first_chunk::<INPUTS>() else { return };
                add_scaled(&mut sum, &rows[usize::from(seen.code)], 1.0);
                if seen.candidate {
                    add_scaled(&mut sum, &rows[LOGARITHM], seen.logarithm);
                    add_scaled(&mut sum, &rows[PROBABILITY], seen.probability);
                }
                if planes.last == Some(number) {
                    add_scaled(&mut sum, &rows[LAST], 1.0);
                }
                if planes.before == Some(number) {
                    add_scaled(&mut sum, &rows[BEFORE], 1.0);
                }
            }
            for (out, value) in out[frame.entry_at(x, y)].iter_mut().zip(&sum) {
                *out = value.max(0.0);
            }
        }
    }
}

/// `to += factor * from`.
#[inline(always)]
pub(crate) fn add_scaled(to: &mut ChannelValues, from: &ChannelValues, factor: f32) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

/// The point under a tap of the input's kernel around another, if it is on the board.
#[inline(always)]
pub(crate) fn neighbour_at_tap(frame: PlaneFrame, x: usize, y: usize, tap: usize) -> Option<usize> {
    let (x, y) = ((x + tap % 5).wrapping_sub(2), (y + tap / 5).wrapping_sub(2));
    (x < frame.width && y < frame.height).then(|| y * frame.width + x)
}

#[inline(always)]
fn rectify_plane(plane: &mut [ChannelValues]) {
    for value in plane.as_flattened_mut() {
        *value = value.max(0.0);
    }
}

#[inline(always)]
fn add_and_rectify(added: &[ChannelValues], plane: &mut [ChannelValues]) {
    for (value, added) in plane.as_flattened_mut().iter_mut().zip(added.as_flattened()) {
        *value = (*value + added).max(0.0);
    }
}

#[inline(always)]
fn compute_policy(
    layout: NetworkLayout,
    numbers: &[f32],
    planes: &InputPlanes,
    activations: &mut Activations,
) {
    let frame = planes.plane_frame();
    let factors = as_channels(&numbers[layout.policy_range()])[0];
    let strength = numbers[layout.policy_strength_index()];
    let mut scores = std::mem::take(&mut activations.scores);
    scores.clear();
    let result = activations.trunk_output(layout.blocks);
    for y in 0..frame.height {
        for x in 0..frame.width {
            let point = &result[frame.entry_at(x, y)];
            let seen = &planes.points[y * frame.width + x];
            scores.push(dot_product(&factors, point) + strength * seen.logarithm);
        }
    }
    activations.scores = scores;
}

/// Sum of the products, in an order that vectors can follow.
#[inline(always)]
fn dot_product(a: &ChannelValues, b: &ChannelValues) -> f32 {
    let mut sums = [0.0_f32; 8];
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}

#[inline(always)]
fn compute_value(
    layout: NetworkLayout,
    numbers: &[f32],
    planes: &InputPlanes,
    activations: &mut Activations,
) {
    let frame = planes.plane_frame();
    let mut sums = [0.0_f32; CHANNELS];
    // The border is zero.
    for point in activations.trunk_output(layout.blocks) {
        sums.iter_mut().zip(point).for_each(|(sum, value)| *sum += value);
    }
    let memory = &mut activations.value;
    let area = (frame.width * frame.height) as f32;
    for (input, sum) in memory.inputs.iter_mut().zip(sums) {
        *input = sum / area;
    }
    memory.inputs[CHANNELS] = planes.color;
    memory.hidden.copy_from_slice(&numbers[layout.hidden_bias_range()]);
    for (row, &input) in numbers[layout.hidden_range()].as_chunks::<HIDDEN>().0.iter().zip(&memory.inputs) {
        memory.hidden.iter_mut().zip(row).for_each(|(hidden, weight)| *hidden += input * weight);
    }
    memory.hidden.iter_mut().for_each(|hidden| *hidden = hidden.max(0.0));
    let factors = &numbers[layout.value_range()];
    let products = memory.hidden.iter().zip(factors).map(|(hidden, factor)| hidden * factor);
    memory.odds = products.sum::<f32>() + factors[HIDDEN];
}
