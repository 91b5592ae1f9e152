//! An answer to a lesson that its review has not judged: what it loses beside the better move, and what the opponent replies.

use ishi_go::{Color, Move, Point, Position};

use super::Explainer;
use super::explanation::position_after;
use super::lesson::is_nearly_best;
use super::review::{LossClass, compare_with_better};

/// What a search says of an answer to a lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedAnswer {
    /// What it loses beside the better move, in points; 0 if that is within the noise.
    pub lost_points: f64,
    /// The same of the probability of winning, 0 to 1.
    pub lost_win_rate: f64,
    /// Is it as good as the better move, or nearly so?
    pub is_good: bool,
    /// The answer, and then what the search expects: as many moves as the listener is told.
    pub line: Vec<(Color, Point)>,
}

/// Searches an answer of the side to move, and the better move beside it, as a review does. `mistake` is what the move of the lesson lost,
/// in points. None if the answer or the better move is illegal. What is said is worth nothing if somebody stops the explainer or its judge
/// fails.
pub fn judge_answer(
    explainer: &Explainer,
    position: &Position,
    answer: Point,
    better: Move,
    mistake: f64,
) -> Option<JudgedAnswer> {
    let value = compare_with_better(explainer, position, answer.into(), better)?;
    let loses_little = is_nearly_best(value.lost_points, mistake)
        && LossClass::from_lost_win_rate(value.lost_win_rate).is_none();
    Some(JudgedAnswer {
        lost_points: value.lost_points,
        lost_win_rate: value.lost_win_rate,
        is_good: value.better.is_none() || loses_little,
        line: expected_line(explainer, position, answer)?,
    })
}

/// A move, and what the search of the position after it expects, up to a pass.
fn expected_line(explainer: &Explainer, position: &Position, mv: Point) -> Option<Vec<(Color, Point)>> {
    let report = explainer.search_position(&position_after(position, mv.into())?);
    let expected = report.moves.first().map(|best| best.variation.as_slice()).unwrap_or_default();
    let most = explainer.params.listener.moves_of_line();
    let points = std::iter::once(mv).chain(expected.iter().map_while(|mv| mv.point()).take(most));
    let colors = std::iter::successors(Some(position.to_move()), |&color| Some(!color));
    Some(colors.zip(points).collect())
}

#[cfg(test)]
mod tests {
    use ishi_rng::Seed;

    use super::super::ExplainParams;
    use super::super::scripted::{COST, ScriptedJudge, position_of_game};
    use super::*;

    fn judge(judge: &ScriptedJudge, answer: &str) -> Option<JudgedAnswer> {
        let position = position_of_game(4);
        let point = |vertex: &str| position.size().parse_point(vertex).unwrap();
        let params = ExplainParams { group_playouts: 10, ..ExplainParams::of_level(1) };
        let explainer = Explainer::new(params, Seed::new(1)).with_judge(Box::new(judge.clone()));
        judge_answer(&explainer, &position, point(answer), point("D3").into(), COST)
    }

    #[test]
    fn an_answer_is_held_against_the_better_move_and_its_reply_is_told() {
        let bad = judge(&ScriptedJudge::default(), "H9").unwrap();
        assert!(!bad.is_good && (bad.lost_points - COST).abs() < 1e-9, "{bad:?}");
        let line: Vec<String> =
            bad.line.iter().map(|(color, point)| format!("{} {point}", color.letter())).collect();
        assert_eq!(line, ["B H9", "W A3"]);
        let good = judge(&ScriptedJudge::default(), "F6").unwrap();
        assert!(good.is_good && good.lost_points == 0.0, "{good:?}");
        assert_eq!(judge(&ScriptedJudge::default(), "E5"), None, "a stone stands there");
    }

    /// After both moves, and the mirror images that confirm a loss. A judge that likes many questions gets the first two at once.
    #[test]
    fn an_answer_costs_few_searches() {
        for (likes_many, asked) in [(false, vec![1; 4]), (true, vec![2, 1, 1])] {
            let scripted = ScriptedJudge { likes_many, ..Default::default() };
            judge(&scripted, "H9").unwrap();
            assert_eq!(scripted.asked(), asked);
        }
    }

    #[test]
    fn little_is_lost_beside_what_the_mistake_lost() {
        assert!(is_nearly_best(0.9, 8.0) && !is_nearly_best(1.1, 8.0));
        assert!(!is_nearly_best(0.9, 2.0) && is_nearly_best(0.5, 2.0));
    }
}
