//! The blunder of a teaching game: a move that loses much, with what is said of it.

use ishi_go::{Color, Move, Position};
use ishi_work::StopFlag;

use super::listener::Listener;
use super::teach::{TaughtVerdict, Teaching, VerdictKind, teach_move};
use super::{ExplainParams, Explainer};

/// The effort of the searches, as of reviews.
const LEVEL: u32 = 5;
/// Points that the lead must fall by between two searches before a move is looked at closely.
const LEAST_DROP: f64 = 3.0;
/// A blunder loses so many points at least, less the standard error of the searches. The margin that is told may be wider.
const LEAST_LOSS: f64 = 5.0;

/// Does a move of this verdict lose so much that its player should see it at once?
fn is_blunder(verdict: TaughtVerdict) -> bool {
    verdict.kind == VerdictKind::Loses && verdict.points - verdict.error >= LEAST_LOSS
}

/// Black's lead as the side to move has it.
fn lead_of_mover(position: &Position, black_lead: f64) -> f64 {
    if position.to_move() == Color::Black { black_lead } else { -black_lead }
}

/// How moves of a teaching game are looked at for this listener.
#[must_use]
pub fn blunder_params(listener: Listener) -> ExplainParams {
    ExplainParams { listener, ..ExplainParams::of_level(LEVEL) }
}

/// Is what was found worth nothing, as somebody stops the search or the judge has failed?
fn is_in_vain(explainer: &Explainer, stop: &StopFlag) -> bool {
    stop.is_requested() || explainer.judge_failure().is_some()
}

/// Looks at a move of the side to move, and says what a teaching game tells of it before it is answered. None if it is no blunder, a
/// pass, which has no reasons, or illegal, and if somebody stops the search or the judge fails. The explainer has [`blunder_params`] and ends
/// with the same flag.
pub fn find_blunder(
    explainer: &mut Explainer,
    position: &Position,
    mv: Move,
    stop: &StopFlag,
) -> Option<Teaching> {
    mv.point()?;
    let [before, after] = [explainer.value_of_position(position), explainer.value_after(position, mv)?]
        .map(|value| lead_of_mover(position, value.lead));
    if is_in_vain(explainer, stop) || before - after < LEAST_DROP {
        return None;
    }
    let teaching = teach_move(&explainer.explain_move(position, Some(mv), &[]));
    (!is_in_vain(explainer, stop) && is_blunder(teaching.verdict)).then_some(teaching)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sure_losses_of_some_points_are_blunders() {
        let verdict = |kind, points, error| {
            let (win_rate, good_moves, or_more) = (0.0, 1, false);
            TaughtVerdict { kind, points, win_rate, error, margin: error, good_moves, or_more }
        };
        assert!(is_blunder(verdict(VerdictKind::Loses, 12.0, 1.0)));
        assert!(!is_blunder(verdict(VerdictKind::Loses, 6.0, 2.0)), "it may be less");
        assert!(!is_blunder(verdict(VerdictKind::Only, 12.0, 1.0)), "here the next best loses that");
    }
}
