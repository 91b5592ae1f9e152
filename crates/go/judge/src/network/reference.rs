//! The network once more, straight from its definition, in double precision and with no regard to time: the second way that the
//! fast evaluation is held to.

use super::layout::{BlockParts, HIDDEN, NetworkParts, NetworkShape, POLICIES, TAPS, VALUES};
use super::{Network, NetworkOutputs};
use crate::planes::{NUMBERS, PLANES, POINTS, Planes, SIDE};

/// Values of channels at points of a board.
#[derive(Clone)]
struct Field {
    width: usize,
    height: usize,
    /// The values of each channel, row by row.
    values: Vec<Vec<f64>>,
}

impl Field {
    /// The same board with other values.
    fn with(&self, channels: usize, value: impl Fn(usize, usize, usize) -> f64) -> Field {
        let points = || (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        let channel = |channel: usize| points().map(|(x, y)| value(channel, x, y)).collect();
        Field { width: self.width, height: self.height, values: (0..channels).map(channel).collect() }
    }

    fn at(&self, channel: usize, x: usize, y: usize) -> f64 {
        self.values[channel][y * self.width + x]
    }

    /// A convolution with an odd side, zeros around the board.
    fn convolved(&self, kernel: &[f32], bias: &[f32], taps: usize) -> Field {
        let (side, inputs) = (taps.isqrt(), self.values.len());
        self.with(bias.len(), |output, x, y| {
            let mut sum = f64::from(bias[output]);
            for input in 0..inputs {
                for tap in 0..taps {
                    let (x, y) =
                        ((x + tap % side).wrapping_sub(side / 2), (y + tap / side).wrapping_sub(side / 2));
                    if x < self.width && y < self.height {
                        let weight = kernel[(output * inputs + input) * taps + tap];
                        sum += f64::from(weight) * self.at(input, x, y);
                    }
                }
            }
            sum
        })
    }

    /// Plus a value for each channel.
    fn plus(&self, added: &[f64]) -> Field {
        self.with(self.values.len(), |channel, x, y| self.at(channel, x, y) + added[channel])
    }

    fn rectified(&self) -> Field {
        self.with(self.values.len(), |channel, x, y| self.at(channel, x, y).max(0.0))
    }

    fn means(&self) -> Vec<f64> {
        self.values.iter().map(|values| values.iter().sum::<f64>() / values.len() as f64).collect()
    }

    fn offset(&self) -> f64 {
        (((self.width * self.height) as f64).sqrt() - 14.0) / 10.0
    }

    fn pools(&self) -> Vec<f64> {
        let means = self.means();
        let most = self.values.iter().map(|values| values.iter().copied().fold(f64::MIN, f64::max));
        let scaled = means.iter().map(|mean| mean * self.offset());
        means.iter().copied().chain(scaled).chain(most).collect()
    }

    fn value_pools(&self) -> Vec<f64> {
        let (means, offset) = (self.means(), self.offset());
        let factors = [1.0, offset, offset * offset - 0.1];
        factors.iter().flat_map(|factor| means.iter().map(move |mean| mean * factor)).collect()
    }
}

/// `matrix * input + bias`.
fn linear(matrix: &[f32], input: &[f64], bias: Option<&[f32]>) -> Vec<f64> {
    let product =
        |row: &[f32]| row.iter().zip(input).map(|(weight, value)| f64::from(*weight) * value).sum::<f64>();
    let rows = matrix.chunks_exact(input.len()).enumerate();
    rows.map(|(n, row)| product(row) + bias.map_or(0.0, |bias| f64::from(bias[n]))).collect()
}

fn input_field(planes: &Planes) -> Field {
    let field = Field { width: planes.width.into(), height: planes.height.into(), values: Vec::new() };
    field.with(PLANES, |plane, x, y| f64::from(u8::from(planes.get(plane, y * SIDE + x))))
}

fn block(shape: NetworkShape, parts: &BlockParts, pools: bool, x: &Field) -> Field {
    let mut middle = x.convolved(parts.first, parts.first_bias, TAPS);
    if pools {
        let all = middle.rectified();
        let pooled = Field { values: all.values[shape.local_channels()..].to_vec(), ..all };
        let mut told = linear(parts.pool, &pooled.pools(), None);
        told.resize(shape.trunk_channels(), 0.0);
        middle = middle.plus(&told);
    }
    let z = middle.rectified().convolved(parts.second, parts.second_bias, TAPS);
    x.with(shape.trunk_channels(), |channel, column, row| {
        x.at(channel, column, row) + z.at(channel, column, row)
    })
    .rectified()
}

/// What a network says of a position.
pub(crate) fn evaluate(network: &Network, planes: &Planes) -> NetworkOutputs {
    let (shape, parts) = (network.shape, NetworkParts::split_weights(network.shape, &network.weights));
    let numbers: [f64; NUMBERS] = planes.numbers.map(f64::from);
    let told = linear(parts.input_numbers, &numbers, None);
    let mut x = input_field(planes).convolved(parts.input, parts.input_bias, TAPS).plus(&told).rectified();
    for (number, parts) in parts.blocks.iter().enumerate() {
        x = block(shape, parts, NetworkShape::is_pooling_block(number), &x);
    }
    let asking = x.convolved(parts.asking, parts.asking_bias, 1).rectified().pools();
    let moves = x.convolved(parts.moves, parts.moves_bias, 1);
    let moves = moves.plus(&linear(parts.policy_pool, &asking, None)).rectified();
    let logits = moves.convolved(parts.logits, &[0.0; POLICIES], 1);
    let passing = linear(parts.passing, &asking, Some(parts.passing_bias));
    let values = x.convolved(parts.values, parts.values_bias, 1).rectified();
    let owners = values.convolved(parts.owners, parts.owners_bias, 1);
    let hidden = linear(parts.hidden, &values.value_pools(), Some(parts.hidden_bias));
    assert_eq!(hidden.len(), HIDDEN);
    let hidden: Vec<f64> = hidden.into_iter().map(|value| value.max(0.0)).collect();
    let out = linear(parts.out, &hidden, Some(parts.out_bias));
    assert_eq!(out.len(), VALUES);
    let mut outputs = NetworkOutputs {
        winner: out[0] as f32,
        lead: 20.0 * out[1] as f32,
        spread: 20.0 * out[2].exp().ln_1p() as f32,
        ..NetworkOutputs::default()
    };
    for y in 0..x.height {
        for column in 0..x.width {
            let index = y * SIDE + column;
            outputs.judge[index] = logits.at(0, column, y) as f32;
            outputs.people[index] = logits.at(1, column, y) as f32;
            outputs.owners[index] = owners.at(0, column, y).tanh() as f32;
        }
    }
    outputs.judge[POINTS] = passing[0] as f32;
    outputs.people[POINTS] = passing[1] as f32;
    outputs
}
