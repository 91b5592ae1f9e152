//! Learning the pattern weights: ridge regression on positions with known scores, one fit for each phase.
//!
//! The normal equations are solved by conjugate gradients with the counts as preconditioner: the matrix has one row a
//! position with a few dozen ones in it, so a step costs two passes over the positions.

use ishi_othello::Board;

use super::patterns::{USED, shared_layout};
use super::state::PatternState;
use super::weights::mobility_column;

/// Weights that a position uses: its patterns and its mobility.
const COLUMNS: usize = USED + 1;

/// A position to learn from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvalSample {
    /// The position, seen by the side to move.
    pub board: Board,
    /// The score for that side, in discs, -64 to 64.
    pub score: f32,
    /// How much it counts; 1 is usual.
    pub weight: f32,
}

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitParams {
    /// Ridge: that many imaginary positions hold every weight at 0.
    pub ridge: f32,
    /// Steps of conjugate gradients.
    pub steps: u32,
}

impl Default for FitParams {
    fn default() -> FitParams {
        FitParams { ridge: 10.0, steps: 40 }
    }
}

/// Positions as the patterns see them.
pub struct DesignMatrix {
    /// Learned weights that each position uses, [`COLUMNS`] in a row.
    columns: Vec<u32>,
    scores: Vec<f32>,
    weights: Vec<f32>,
}

impl DesignMatrix {
    /// Looks at the positions.
    pub fn new(samples: &[EvalSample]) -> DesignMatrix {
        let layout = shared_layout();
        let mut design = DesignMatrix { columns: Vec::new(), scores: Vec::new(), weights: Vec::new() };
        design.columns.reserve(samples.len() * COLUMNS);
        for sample in samples {
            let state = PatternState::new(sample.board);
            for (feature, &kind) in layout.kind.iter().enumerate() {
                let index = layout.offset[kind] + usize::from(state.index.0[feature]);
                design.columns.push(layout.shared[index]);
            }
            let [own, other] =
                [sample.board, sample.board.pass()].map(|board| board.legal_moves().count_ones());
            design.columns.push(mobility_column(own, other) as u32);
            design.scores.push(sample.score);
            design.weights.push(sample.weight);
        }
        design
    }

    /// The positions.
    fn rows(&self) -> impl Iterator<Item = &[u32; COLUMNS]> {
        self.columns.as_chunks::<COLUMNS>().0.iter()
    }

    /// What the weights predict for every position.
    pub fn predict_scores(&self, learned: &[f32]) -> Vec<f32> {
        self.rows().map(|row| row.iter().map(|&column| learned[column as usize]).sum()).collect()
    }

    /// The mean absolute error of the prediction, limited to what scores there are.
    pub fn mean_error(&self, learned: &[f32]) -> f32 {
        let predicted = self.predict_scores(learned);
        let error =
            |(predicted, score): (&f32, &f32)| f64::from((predicted.clamp(-64.0, 64.0) - score).abs());
        let sum: f64 = predicted.iter().zip(&self.scores).map(error).sum();
        (sum / predicted.len().max(1) as f64) as f32
    }

    /// Adds `value` of every position to the weights that it uses.
    fn add_to_columns(&self, values: impl Iterator<Item = f32>, sums: &mut [f32]) {
        for (row, value) in self.rows().zip(values) {
            for &column in row {
                sums[column as usize] += value;
            }
        }
    }

    /// The weights that predict best, starting from `learned`.
    pub fn fit_weights(&self, params: &FitParams, learned: &mut [f32]) {
        let mut scale = vec![params.ridge; learned.len()];
        self.add_to_columns(self.weights.iter().copied(), &mut scale);
        let residual: Vec<f32> =
            self.predict_scores(learned).iter().zip(&self.scores).map(|(p, s)| s - p).collect();
        let mut gradient: Vec<f32> = learned.iter().map(|weight| -params.ridge * weight).collect();
        self.add_to_columns(residual.iter().zip(&self.weights).map(|(r, w)| r * w), &mut gradient);
        let mut direction: Vec<f32> = gradient.iter().zip(&scale).map(|(g, s)| g / s).collect();
        let mut rate = dot_product(&gradient, &direction);
        for _ in 0..params.steps {
            let change = self.predict_scores(&direction);
            let mut bent: Vec<f32> = direction.iter().map(|d| params.ridge * d).collect();
            self.add_to_columns(change.iter().zip(&self.weights).map(|(c, w)| c * w), &mut bent);
            let curvature = dot_product(&direction, &bent);
            if curvature <= 0.0 {
                return;
            }
            let step = (rate / curvature) as f32;
            for ((weight, g), (d, b)) in
                learned.iter_mut().zip(&mut gradient).zip(direction.iter().zip(&bent))
            {
                *weight += step * d;
                *g -= step * b;
            }
            let next: f64 = gradient.iter().zip(&scale).map(|(g, s)| f64::from(g * g / s)).sum();
            let keep = (next / rate) as f32;
            rate = next;
            for ((d, g), s) in direction.iter_mut().zip(&gradient).zip(&scale) {
                *d = g / s + keep * *d;
            }
        }
    }
}

fn dot_product(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum()
}
