//! From a position to the scores of its moves and the value.

use pulp::Simd;

use super::kernel::{CHANNELS, Channels, Frame, Tiles, convolve, mirrored, transform_kernel};
use super::layout::{HIDDEN, INPUT_TAPS, Layout, VALUE_INPUTS, channels};
use super::planes::{BEFORE, INPUTS, LAST, LOGARITHM, PROBABILITY, Planes};

/// The planes between the layers: those that learning goes back through, or (without `keep`) only what the next layer needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Activations {
    frame: Option<Frame>,
    keep: bool,
    /// The input's output, then two for each block: after its first convolution, and its result.
    pub(crate) planes: Vec<Vec<Channels>>,
    /// A score for each point; only those of candidates mean anything.
    pub(crate) scores: Vec<f32>,
    pub(crate) value: ValueMemory,
    pub(crate) tiles: Tiles,
}

/// The kernels of the trunk in their transformed form.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Kernels(pub(crate) Vec<Vec<Channels>>);

impl Kernels {
    /// Follows changed numbers. With `back` these are the kernels of the way back.
    pub(crate) fn follow(&mut self, layout: Layout, numbers: &[f32], back: bool) {
        self.0.resize_with(layout.kernels(), Vec::new);
        for (number, kernel) in self.0.iter_mut().enumerate() {
            let weights = channels(&numbers[layout.kernel(number)]);
            if back {
                transform_kernel(&mirrored(weights), kernel)
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
    pub(crate) fn kept() -> Activations {
        Activations { keep: true, ..Activations::default() }
    }

    fn prepare(&mut self, frame: Frame, blocks: usize) {
        self.tiles.prepare(frame);
        let planes = if self.keep { 2 * blocks + 1 } else { 3 };
        if self.frame != Some(frame) || self.planes.len() != planes {
            self.frame = Some(frame);
            self.planes = vec![vec![[0.0; CHANNELS]; frame.entries()]; planes];
        }
    }

    /// The planes of block `block`: what goes in, what is between its convolutions, what comes out.
    fn of_block(&mut self, block: usize) -> ([&mut [Channels]; 3], &mut Tiles) {
        let at = if self.keep { 2 * block } else { 0 };
        let Some([input, middle, output]) = self.planes[at..].first_chunk_mut::<3>() else {
            unreachable!("three planes")
        };
        ([input, middle, output], &mut self.tiles)
    }

    /// The plane after the last block.
    pub(crate) fn result(&self, blocks: usize) -> &[Channels] {
        &self.planes[if self.keep { 2 * blocks } else { 0 }]
    }
}

/// Fills the activations.
#[inline(always)]
pub(crate) fn forward<S: Simd>(
    simd: S,
    layout: Layout,
    numbers: &[f32],
    kernels: &Kernels,
    planes: &Planes,
    activations: &mut Activations,
) {
    let frame = planes.frame();
    activations.prepare(frame, layout.blocks);
    let weights = channels(&numbers[layout.input()]);
    let bias = channels(&numbers[layout.input_bias()])[0];
    look(planes, weights, &bias, &mut activations.planes[0]);
    for block in 0..layout.blocks {
        let ([input, middle, output], tiles) = activations.of_block(block);
        let bias = |number| &channels(&numbers[layout.bias(number)])[0];
        convolve(simd, frame, input, &kernels.0[2 * block], bias(2 * block), middle, tiles);
        rectify(middle);
        convolve(simd, frame, middle, &kernels.0[2 * block + 1], bias(2 * block + 1), output, tiles);
        add_and_rectify(input, output);
        if !activations.keep {
            activations.planes.swap(0, 2);
        }
    }
    policy(layout, numbers, planes, activations);
    value(layout, numbers, planes, activations);
}

/// The input's layer: a kernel of 5x5 over points of few kinds, so that a sum of rows takes the place of products.
#[inline(always)]
fn look(planes: &Planes, weights: &[Channels], bias: &Channels, out: &mut [Channels]) {
    let frame = planes.frame();
    for y in 0..frame.height {
        for x in 0..frame.width {
            let mut sum = *bias;
            for tap in 0..INPUT_TAPS {
                let Some(number) = neighbour(frame, x, y, tap) else { continue };
                let seen = &planes.points[number];
                let Some(rows) = weights[tap * INPUTS..].first_chunk::<INPUTS>() else { return };
                add(&mut sum, &rows[usize::from(seen.code)], 1.0);
                if seen.candidate {
                    add(&mut sum, &rows[LOGARITHM], seen.logarithm);
                    add(&mut sum, &rows[PROBABILITY], seen.probability);
                }
                if planes.last == Some(number) {
                    add(&mut sum, &rows[LAST], 1.0);
                }
                if planes.before == Some(number) {
                    add(&mut sum, &rows[BEFORE], 1.0);
                }
            }
            for (out, value) in out[frame.entry(x, y)].iter_mut().zip(&sum) {
                *out = value.max(0.0);
            }
        }
    }
}

/// `to += factor * from`.
#[inline(always)]
pub(crate) fn add(to: &mut Channels, from: &Channels, factor: f32) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

/// The point under a tap of the input's kernel around another, if it is on the board.
#[inline(always)]
pub(crate) fn neighbour(frame: Frame, x: usize, y: usize, tap: usize) -> Option<usize> {
    let (x, y) = ((x + tap % 5).wrapping_sub(2), (y + tap / 5).wrapping_sub(2));
    (x < frame.width && y < frame.height).then(|| y * frame.width + x)
}

#[inline(always)]
fn rectify(plane: &mut [Channels]) {
    for value in plane.as_flattened_mut() {
        *value = value.max(0.0);
    }
}

#[inline(always)]
fn add_and_rectify(added: &[Channels], plane: &mut [Channels]) {
    for (value, added) in plane.as_flattened_mut().iter_mut().zip(added.as_flattened()) {
        *value = (*value + added).max(0.0);
    }
}

#[inline(always)]
fn policy(layout: Layout, numbers: &[f32], planes: &Planes, activations: &mut Activations) {
    let frame = planes.frame();
    let factors = channels(&numbers[layout.policy()])[0];
    let strength = numbers[layout.policy_strength()];
    let mut scores = std::mem::take(&mut activations.scores);
    scores.clear();
    let result = activations.result(layout.blocks);
    for y in 0..frame.height {
        for x in 0..frame.width {
            let point = &result[frame.entry(x, y)];
            let seen = &planes.points[y * frame.width + x];
            scores.push(dot(&factors, point) + strength * seen.logarithm);
        }
    }
    activations.scores = scores;
}

/// Sum of the products, in an order that vectors can follow.
#[inline(always)]
fn dot(a: &Channels, b: &Channels) -> f32 {
    let mut sums = [0.0_f32; 8];
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}

#[inline(always)]
fn value(layout: Layout, numbers: &[f32], planes: &Planes, activations: &mut Activations) {
    let frame = planes.frame();
    let mut sums = [0.0_f32; CHANNELS];
    // The border is zero.
    for point in activations.result(layout.blocks) {
        sums.iter_mut().zip(point).for_each(|(sum, value)| *sum += value);
    }
    let memory = &mut activations.value;
    let area = (frame.width * frame.height) as f32;
    for (input, sum) in memory.inputs.iter_mut().zip(sums) {
        *input = sum / area;
    }
    memory.inputs[CHANNELS] = planes.color;
    memory.hidden.copy_from_slice(&numbers[layout.hidden_bias()]);
    for (row, &input) in numbers[layout.hidden()].as_chunks::<HIDDEN>().0.iter().zip(&memory.inputs) {
        memory.hidden.iter_mut().zip(row).for_each(|(hidden, weight)| *hidden += input * weight);
    }
    memory.hidden.iter_mut().for_each(|hidden| *hidden = hidden.max(0.0));
    let factors = &numbers[layout.value()];
    let products = memory.hidden.iter().zip(factors).map(|(hidden, factor)| hidden * factor);
    memory.odds = products.sum::<f32>() + factors[HIDDEN];
}
