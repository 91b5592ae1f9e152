//! What is thought of moves before any playout.

use ishi_go::{Board, Color, Point};
use ishi_mcts::{Action, Candidate};

use super::playout::action;
use super::playout::local::{Proposals, atari_answers, two_liberty_answers};
use super::playout::shapes::Shapes;

/// Opinions of moves.
pub(crate) struct Priors {
    pub(crate) weight: f32,
}

impl Priors {
    /// The candidates of a position with their priors.
    pub(crate) fn rate(&self, board: &Board, color: Color, history: [Action; 2], out: &mut Vec<Candidate>) {
        let last = (history[1].0 != 0).then(|| Point::from_index(history[1].0.into()));
        let mut urgent = Proposals::new();
        let mut liberties = Proposals::new();
        if let Some(last) = last {
            atari_answers(board, color, last, &mut urgent);
            two_liberty_answers(board, color, last, &mut liberties);
        }
        let size = board.size();
        for point in board.empties() {
            if !board.is_sensible(color, point) {
                continue;
            }
            let mut gamma: f32 = 1.0;
            if board.self_atari_size(color, point) > 0 {
                gamma *= 0.1;
            }
            if urgent.as_slice().contains(&point) {
                gamma *= 30.0;
            }
            if liberties.as_slice().contains(&point) {
                gamma *= 8.0;
            }
            if Shapes::get().has(color, board.neighbourhood(point)) {
                gamma *= 3.0;
            }
            let line = |x: usize, most: usize| x.min(most - 1 - x);
            let height = line(point.column(), size.width()).min(line(point.row(), size.height()));
            let bare =
                board.neighbourhood(point).0 & 0x5555 == 0 && board.neighbourhood(point).0 & 0xaaaa == 0;
            if board.neighbourhood(point).0.count_ones() == 0 || bare || height == 0 {
                gamma *= [0.05, 0.3, 1.5, 1.2][height.min(3)];
            }
            if let Some(last) = last {
                let dx = point.column().abs_diff(last.column());
                let dy = point.row().abs_diff(last.row());
                let d = dx + dy + dx.max(dy);
                gamma *= [1.0, 1.0, 6.0, 5.0, 3.0, 2.5, 2.0, 1.5, 1.0][d.min(8)];
            }
            out.push(Candidate { action: action(point.into()), prior: gamma, weight: 0.0, value: 0.0 });
        }
        let total: f32 = out.iter().map(|candidate| candidate.prior).sum();
        let most = out.iter().map(|candidate| candidate.prior).fold(0.0, f32::max);
        for candidate in out {
            candidate.weight = self.weight;
            candidate.value = 0.5 + 0.25 * ((candidate.prior / most).ln() / 6.0 + 0.5).clamp(-0.5, 0.5);
            candidate.prior /= total;
        }
    }
}
