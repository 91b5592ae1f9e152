//! The way back: how each number of the network should change so that the move played is held for more probable and the winner
//! is foretold.

use pulp::Simd;

use super::forward::{Activations, TrunkKernels, add_scaled, neighbour_at_tap};
use super::kernel::{CHANNELS, ChannelValues, TransformedTiles, add_kernel_gradient, convolve_plane};
use super::layout::{HIDDEN, INPUT_TAPS, NetworkLayout, as_channels, as_channels_mut};
use super::planes::{BEFORE, INPUTS, InputPlanes, LAST, LOGARITHM, PROBABILITY, PointInput};

/// Planes on the way back.
#[derive(Clone, Debug, Default)]
pub(crate) struct BackwardChanges {
    /// Of the plane under consideration, of the one between a block's convolutions, and of a block's input.
    planes: [Vec<ChannelValues>; 3],
    /// The changes of the scores.
    scores: Vec<f32>,
    tiles: TransformedTiles,
    /// Gradients of the trunk's kernels, transformed.
    pub(crate) kernels: Vec<Vec<ChannelValues>>,
}

/// What a position has to teach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lesson {
    /// The move played, a number in the planes.
    pub(crate) played: usize,
    /// Did the side to move win the game, if that is known?
    pub(crate) won: Option<bool>,
}

/// How well a position was foretold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Losses {
    /// Minus the logarithm of the probability of the move played.
    pub(crate) policy: f64,
    /// The same for the winner.
    pub(crate) value: f64,
    /// Was the move the most probable?
    pub(crate) first: bool,
}

/// A position on its way back.
pub(crate) struct BackwardPass<'a> {
    pub(crate) layout: NetworkLayout,
    pub(crate) numbers: &'a [f32],
    /// The kernels of the way back.
    pub(crate) back: &'a TrunkKernels,
    pub(crate) planes: &'a InputPlanes,
    pub(crate) lesson: Lesson,
    /// Weight of the winner beside the move.
    pub(crate) value_weight: f32,
    /// The activations of the way forward.
    pub(crate) activations: &'a Activations,
}

impl BackwardPass<'_> {
    /// Adds the gradient of the loss to `gradient`, that of the trunk's kernels to `changes.kernels`.
    #[inline(always)]
    pub(crate) fn run_backward<S: Simd>(
        &self,
        simd: S,
        changes: &mut BackwardChanges,
        gradient: &mut [f32],
    ) -> Losses {
        let (layout, frame) = (self.layout, self.planes.plane_frame());
        for plane in &mut changes.planes {
            if plane.len() != frame.entry_count() {
                *plane = vec![[0.0; CHANNELS]; frame.entry_count()];
            }
        }
        changes.tiles.make_room(frame);
        let mut losses = self.policy_losses(changes);
        let (value, means) = self.value_head(gradient);
        losses.value = value;
        self.policy_head(&means, changes, gradient);
        for block in (0..layout.blocks).rev() {
            self.run_block(simd, block, changes, gradient);
        }
        mask_rectified(&mut changes.planes[0], &self.activations.planes[0]);
        add_input_gradient(layout, self.planes, &changes.planes[0], gradient);
        losses
    }

    /// Through a residual block.
    #[inline(always)]
    fn run_block<S: Simd>(&self, simd: S, block: usize, changes: &mut BackwardChanges, gradient: &mut [f32]) {
        let (layout, back, frame) = (self.layout, &self.back.0, self.planes.plane_frame());
        let [input, middle, output] = [0, 1, 2].map(|plane| &self.activations.planes[2 * block + plane]);
        let BackwardChanges { planes: [out, between, below], tiles, kernels, .. } = changes;
        let (first, second) = (2 * block, 2 * block + 1);
        mask_rectified(out, output);
        add_kernel_gradient(simd, frame, middle, out, &mut kernels[second], tiles);
        add_bias_gradient(&mut gradient[layout.bias_range(second)], out);
        convolve_plane(simd, frame, out, &back[second], &[0.0; CHANNELS], between, tiles);
        mask_rectified(between, middle);
        add_kernel_gradient(simd, frame, input, between, &mut kernels[first], tiles);
        add_bias_gradient(&mut gradient[layout.bias_range(first)], between);
        convolve_plane(simd, frame, between, &back[first], &[0.0; CHANNELS], below, tiles);
        // The block's input reaches its output unchanged as well.
        out.as_flattened_mut().iter_mut().zip(below.as_flattened()).for_each(|(out, below)| *out += below);
    }

    /// The probabilities of the moves, and how the scores should change.
    #[inline(always)]
    fn policy_losses(&self, changes: &mut BackwardChanges) -> Losses {
        let (points, scores) = (&self.planes.points, &self.activations.scores);
        let choices = || points.iter().zip(scores).filter(|(seen, _)| seen.choice);
        let most = choices().map(|(_, &score)| score).fold(f32::NEG_INFINITY, f32::max);
        let total: f32 = choices().map(|(_, &score)| (score - most).exp()).sum();
        let probability = |seen: &PointInput, score: f32| {
            if seen.choice { (score - most).exp() / total } else { 0.0 }
        };
        changes.scores.clear();
        changes.scores.extend(points.iter().zip(scores).map(|(seen, &score)| probability(seen, score)));
        let played = &mut changes.scores[self.lesson.played];
        let policy = -f64::from(played.max(1e-30).ln());
        *played -= 1.0;
        Losses { policy, value: 0.0, first: scores[self.lesson.played] >= most }
    }

    /// The loss of the value, and the changes of the means of the channels.
    #[inline(always)]
    fn value_head(&self, gradient: &mut [f32]) -> (f64, ChannelValues) {
        let (layout, memory) = (self.layout, &self.activations.value);
        let mut means = [0.0_f32; CHANNELS];
        let Some(won) = self.lesson.won else { return (0.0, means) };
        let probability = 1.0 / (1.0 + (-memory.odds).exp());
        let told = if won { probability } else { 1.0 - probability };
        let change = self.value_weight * (probability - if won { 1.0 } else { 0.0 });
        let factors = &self.numbers[layout.value_range()];
        let mut hidden = [0.0_f32; HIDDEN];
        for unit in 0..HIDDEN {
            gradient[layout.value_range().start + unit] += change * memory.hidden[unit];
            hidden[unit] = if memory.hidden[unit] > 0.0 { change * factors[unit] } else { 0.0 };
        }
        gradient[layout.value_range().start + HIDDEN] += change;
        gradient[layout.hidden_bias_range()].iter_mut().zip(hidden).for_each(|(g, h)| *g += h);
        let rows = &self.numbers[layout.hidden_range()];
        for (input, &seen) in memory.inputs.iter().enumerate() {
            let row = input * HIDDEN..(input + 1) * HIDDEN;
            // The last of the inputs is the colour.
            if let Some(mean) = means.get_mut(input) {
                *mean = rows[row.clone()].iter().zip(hidden).map(|(weight, h)| weight * h).sum();
            }
            let rows = &mut gradient[layout.hidden_range()][row];
            rows.iter_mut().zip(hidden).for_each(|(g, h)| *g += h * seen);
        }
        (-f64::from(told.max(1e-30).ln()), means)
    }

    /// The policy's gradients, and the changes of the trunk's result for both heads.
    #[inline(always)]
    fn policy_head(&self, means: &ChannelValues, changes: &mut BackwardChanges, gradient: &mut [f32]) {
        let (layout, frame) = (self.layout, self.planes.plane_frame());
        let result = self.activations.trunk_output(layout.blocks);
        let area = (frame.width * frame.height) as f32;
        let factors = as_channels(&self.numbers[layout.policy_range()])[0];
        let (mut learned, mut strength) = ([0.0_f32; CHANNELS], 0.0);
        for y in 0..frame.height {
            for x in 0..frame.width {
                let (number, entry) = (y * frame.width + x, frame.entry_at(x, y));
                let change = changes.scores[number];
                add_scaled(&mut learned, &result[entry], change);
                for channel in 0..CHANNELS {
                    changes.planes[0][entry][channel] = change * factors[channel] + means[channel] / area;
                }
                strength += change * self.planes.points[number].logarithm;
            }
        }
        gradient[layout.policy_range()].iter_mut().zip(learned).for_each(|(g, l)| *g += l);
        gradient[layout.policy_strength_index()] += strength;
    }
}

/// Where the result was cut off at 0, nothing goes back.
#[inline(always)]
fn mask_rectified(changes: &mut [ChannelValues], result: &[ChannelValues]) {
    for (change, result) in changes.as_flattened_mut().iter_mut().zip(result.as_flattened()) {
        *change = if *result > 0.0 { *change } else { 0.0 };
    }
}

/// The border of `wanted` is zero.
#[inline(always)]
fn add_bias_gradient(gradient: &mut [f32], wanted: &[ChannelValues]) {
    let mut sums = [0.0_f32; CHANNELS];
    for point in wanted {
        add_scaled(&mut sums, point, 1.0);
    }
    gradient.iter_mut().zip(sums).for_each(|(gradient, sum)| *gradient += sum);
}

#[inline(always)]
fn add_input_gradient(
    layout: NetworkLayout,
    planes: &InputPlanes,
    wanted: &[ChannelValues],
    gradient: &mut [f32],
) {
    let frame = planes.plane_frame();
    add_bias_gradient(&mut gradient[layout.input_bias_range()], wanted);
    let weights = as_channels_mut(&mut gradient[layout.input_range()]);
    for y in 0..frame.height {
        for x in 0..frame.width {
            let change = wanted[frame.entry_at(x, y)];
            for tap in 0..INPUT_TAPS {
                let Some(number) = neighbour_at_tap(frame, x, y, tap) else { continue };
                let seen = &planes.points[number];
                let Some(rows) = weights[tap * INPUTS..].first_chunk_mut::<INPUTS>() else { return };
                add_scaled(&mut rows[usize::from(seen.code)], &change, 1.0);
                if seen.candidate {
                    add_scaled(&mut rows[LOGARITHM], &change, seen.logarithm);
                    add_scaled(&mut rows[PROBABILITY], &change, seen.probability);
                }
                if planes.last == Some(number) {
                    add_scaled(&mut rows[LAST], &change, 1.0);
                }
                if planes.before == Some(number) {
                    add_scaled(&mut rows[BEFORE], &change, 1.0);
                }
            }
        }
    }
}
