//! What the network sees of a position: for each point one of [`CODES`] kinds, what the learned strengths say of it, and the last
//! two moves.

use ishi_go::Point;

use super::kernel::PlaneFrame;
use crate::features::{FeatureScratch, MoveContext, PointKind};
use crate::predictor::MovePredictor;

/// Kinds of points.
pub(crate) const CODES: usize = PointKind::COUNT;
/// Rows of the input's weights: the kinds, then the last move, the one before, the logarithm of the probability by the
/// strengths, and the probability.
pub(crate) const INPUTS: usize = CODES + 4;
pub(crate) const LAST: usize = CODES;
pub(crate) const BEFORE: usize = CODES + 1;
pub(crate) const LOGARITHM: usize = CODES + 2;
pub(crate) const PROBABILITY: usize = CODES + 3;

/// What is seen at one point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PointInput {
    /// The kind, below [`CODES`].
    pub(crate) code: u8,
    /// May the side to move play here?
    pub(crate) candidate: bool,
    /// Is it among the moves to choose from, when learning? The network does not see it.
    pub(crate) choice: bool,
    /// Logarithm of the probability, [`scale_logarithm`]; 0 where no move is possible.
    pub(crate) logarithm: f32,
    /// The probability by the strengths.
    pub(crate) probability: f32,
}

/// Brings logarithms of probabilities to a range around 0.
fn scale_logarithm(logarithm: f32) -> f32 {
    (logarithm.max(-16.0) + 8.0) * 0.25
}

/// A position as the network sees it.
#[derive(Clone, Debug, Default)]
pub(crate) struct InputPlanes {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Row by row from A1.
    pub(crate) points: Vec<PointInput>,
    /// Numbers in `points`.
    pub(crate) last: Option<usize>,
    pub(crate) before: Option<usize>,
    /// +1: Black is to move, -1: White.
    pub(crate) color: f32,
}

impl InputPlanes {
    pub(crate) fn plane_frame(&self) -> PlaneFrame {
        PlaneFrame { width: self.width, height: self.height }
    }

    /// Looks at a position. `rated` holds the strengths of its moves afterwards.
    pub(crate) fn fill_from_context(
        &mut self,
        context: &MoveContext,
        predictor: &MovePredictor,
        scratch: &mut FeatureScratch,
        rated: &mut Vec<(Point, f32)>,
    ) {
        predictor.rate_moves(context, scratch, rated);
        let size = context.board.size();
        (self.width, self.height) = (size.width(), size.height());
        self.color = if context.to_move == ishi_go::Color::Black { 1.0 } else { -1.0 };
        self.points.clear();
        for point in size.points() {
            let code = scratch.point_kind(context, point).kind_number() as u8;
            self.points.push(PointInput { code, ..PointInput::default() });
        }
        let width = size.width();
        let number = |point: Point| point.row() * width + point.column();
        let total: f32 = rated.iter().map(|&(_, strength)| strength).sum();
        for &(point, strength) in rated.iter() {
            let seen = &mut self.points[number(point)];
            (seen.candidate, seen.choice) = (true, true);
            seen.probability = strength / total;
            seen.logarithm = scale_logarithm(seen.probability.ln());
        }
        self.last = context.last.map(number);
        self.before = context.before.map(number);
    }

    /// Only these moves are to choose from.
    pub(crate) fn choose_among(&mut self, points: impl Iterator<Item = Point>) {
        let mut chosen = vec![false; self.points.len()];
        points.for_each(|point| chosen[self.point_number(point)] = true);
        self.points.iter_mut().zip(chosen).for_each(|(seen, chosen)| seen.choice &= chosen);
    }

    /// The number of a point.
    pub(crate) fn point_number(&self, point: Point) -> usize {
        point.row() * self.width + point.column()
    }

    /// The same position mirrored or turned by one of the eight symmetries of a square (0: as it is), into `out`.
    pub(crate) fn turn_into(&self, symmetry: usize, out: &mut InputPlanes) {
        let turn = |number: usize| turn_point(number, self.width, symmetry);
        out.clone_from(self);
        for (number, seen) in self.points.iter().enumerate() {
            out.points[turn(number)] = *seen;
        }
        out.last = self.last.map(turn);
        out.before = self.before.map(turn);
    }
}

/// Where a symmetry takes a point of a square board.
pub(crate) fn turn_point(number: usize, side: usize, symmetry: usize) -> usize {
    let (mut x, mut y) = (number % side, number / side);
    if symmetry & 1 != 0 {
        x = side - 1 - x;
    }
    if symmetry & 2 != 0 {
        y = side - 1 - y;
    }
    if symmetry & 4 != 0 {
        (x, y) = (y, x);
    }
    y * side + x
}
