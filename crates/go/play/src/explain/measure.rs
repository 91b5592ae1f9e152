//! How good explanations and reviews are: figures over many moves and games, held against a judge of one's choice.
//!
//! What is measured is what a reader gets, so all goes through the public results ([`Explanation`], [`GameReview`]). The judge is asked
//! about the positions after the moves that were compared, and about every position of a game.

use std::collections::BTreeMap;

use ishi_go::{Color, Move, Point, Position};
use ishi_knowledge::explain::recheck_claim;
use ishi_reading::ReadingEffort;
use ishi_words::Language;
use ishi_work::Stop;
use serde::Serialize;

use super::lesson::Lesson;
use super::review::GameReview;
use super::teach::teach_move;
use super::{ComparedMove, Explainer, Explanation, MoveVerdict, position_after, words};
use crate::analyst::{JudgeControl, JudgeError, PositionJudge};

/// Points from which on the judge's comparison ought to be told, and within which a gain agrees.
const CLEAR_POINTS: f64 = 3.0;
const CLOSE_POINTS: f64 = 2.0;
/// Points that a blunder loses at least.
const BLUNDER_POINTS: f64 = 4.0;
/// Times the usual moves that a claim is read with again.
const DEEPER: u32 = 10;
/// Standard errors for which it is told how often a comparison holds.
const LEVELS: [f64; 6] = [0.5, 1.0, 1.5, 2.0, 2.5, 3.0];

/// A comparison of two moves, by us and by the judge: what the second is more than the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredComparison {
    /// What we say.
    pub verdict: MoveVerdict,
    /// By how many standard errors we find it better, below 0 worse.
    pub sureness: f64,
    /// Points by us.
    pub gain: f64,
    /// Points by the judge.
    pub judged_gain: f64,
}

/// What an explanation of a move has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeasuredMove {
    /// Is it said how good the move is: worse or better than another, or as good as all of them?
    pub has_verdict: bool,
    /// Is there a reason that was proved, or an area that carries the difference?
    pub has_reason: bool,
    /// Sentences and words of the English text.
    pub sentences: usize,
    /// Words of the English text.
    pub words: usize,
    /// Claims by rule, and whether they hold when they are read ten times deeper.
    pub claims: Vec<(&'static str, bool)>,
    /// The other moves that were told.
    pub comparisons: Vec<MeasuredComparison>,
}

/// Explains a move and holds that against the judge. None if it was stopped.
///
/// # Errors
/// If a judge fails: the explainer's, or the one that it is held against.
pub fn measure_move(
    explainer: &mut Explainer,
    judge: &mut dyn PositionJudge,
    position: &Position,
    mv: Point,
    stop: &(dyn Stop + Sync),
) -> Result<Option<MeasuredMove>, JudgeError> {
    let explanation = explainer.explain_move(position, Some(mv.into()), &[]);
    if let Some(failure) = explainer.judge_failure() {
        return Err(failure);
    }
    let others: Vec<&ComparedMove> = explanation.alternatives.iter().collect();
    let moves = std::iter::once(mv).chain(others.iter().map(|other| other.mv.reasons.mv));
    let after: Vec<Position> = moves.filter_map(|mv| position_after(position, mv.into())).collect();
    if stop.is_requested() || after.len() != others.len() + 1 {
        return Ok(None);
    }
    let leads = match judge_black_leads(judge, &after, stop) {
        Err(JudgeError::Stopped) => return Ok(None),
        leads => leads?,
    };
    let sign = side_sign(position.to_move());
    let compare = |(other, lead): (&&ComparedMove, &f64)| MeasuredComparison {
        verdict: other.verdict,
        sureness: other.sureness,
        gain: other.gain[0],
        judged_gain: sign * (lead - leads[0]),
    };
    let comparisons = others.iter().zip(&leads[1..]).map(compare).collect();
    Ok(Some(MeasuredMove { comparisons, ..measure_explanation(&explanation, position, mv) }))
}

fn side_sign(color: Color) -> f64 {
    if color == Color::Black { 1.0 } else { -1.0 }
}

/// Black's leads as the judge sees them.
fn judge_black_leads(
    judge: &mut dyn PositionJudge,
    positions: &[Position],
    stop: &(dyn Stop + Sync),
) -> Result<Vec<f64>, JudgeError> {
    let mut control = JudgeControl { stop, tell: &mut |_| {} };
    let reports = judge.judge_positions(positions, &mut control)?;
    if stop.is_requested() {
        return Err(JudgeError::Stopped);
    }
    let lead = |(position, report): (&Position, &ishi_engine::SearchReport)| {
        side_sign(position.to_move()) * report.score
    };
    Ok(positions.iter().zip(&reports).map(lead).collect())
}

/// What can be said of an explanation without a judge.
fn measure_explanation(explanation: &Explanation, position: &Position, mv: Point) -> MeasuredMove {
    let text = words::explanation_text(explanation, Language::English);
    let (sentences, words) = count_sentences_and_words(&text);
    let effects = explanation.mv.iter().flat_map(|told| &told.reasons.effects);
    let deeper = ReadingEffort { nodes: ReadingEffort::default().nodes.map(|nodes| DEEPER * nodes) };
    let claims: Vec<(&'static str, bool)> = effects
        .filter_map(|reason| Some((reason.rule.name, recheck_claim(reason, position, mv, deeper)?)))
        .collect();
    let definite = |other: &ComparedMove| other.verdict != MoveVerdict::AsGood;
    MeasuredMove {
        has_verdict: explanation.alternatives.iter().any(definite),
        has_reason: teach_move(explanation).cause.carrying().is_some()
            || explanation.mv.as_ref().is_some_and(|told| !told.reasons.effects.is_empty()),
        sentences,
        words,
        claims,
        comparisons: Vec::new(),
    }
}

/// Sentences end in a full stop, a question mark or a colon before a space or the end of a line.
fn count_sentences_and_words(text: &str) -> (usize, usize) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let ends = |word: &&&str| word.ends_with(['.', '?', '!', ':']);
    (words.iter().filter(ends).count(), words.len())
}

/// What a review has found, and what the judge says of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MeasuredReview {
    /// Moves that lose four points and more by the judge.
    pub blunders: usize,
    /// Those of them of which the review says that they lost something.
    pub blunders_found: usize,
    /// Moves told as the worst of a lesson.
    pub worst: usize,
    /// Those of them whose better move gains at least half of what is said, by the judge.
    pub worst_real: usize,
    /// Lessons.
    pub lessons: usize,
    /// Those of them in whose moves their side loses two points and more, by the judge.
    pub lessons_confirmed: usize,
}

/// A lesson of a review: whose it is, and its moves, from 1.
struct MeasuredLesson {
    color: Color,
    moves: std::ops::RangeInclusive<usize>,
}

/// The lessons of a review, from the first of their moves to the last.
fn lessons_of_review(review: &GameReview) -> Vec<MeasuredLesson> {
    let lesson = |lesson: &Lesson| {
        let numbers = &lesson.head.numbers;
        MeasuredLesson { color: lesson.head.color, moves: numbers[0]..=numbers[numbers.len() - 1] }
    };
    review.lessons.iter().map(lesson).collect()
}

/// Holds a review against the judge; `positions` are those before the first move and after each. None if it was stopped.
///
/// # Errors
/// If the judge fails.
pub fn measure_review(
    review: &GameReview,
    positions: &[Position],
    judge: &mut dyn PositionJudge,
    stop: &(dyn Stop + Sync),
) -> Result<Option<MeasuredReview>, JudgeError> {
    let told: Vec<(&Lesson, Position)> = review
        .lessons
        .iter()
        .filter_map(|lesson| Some((lesson, position_after(&lesson.position, lesson.head.key.better?)?)))
        .collect();
    let asked: Vec<Position> = positions.iter().chain(told.iter().map(|(_, after)| after)).cloned().collect();
    let leads = match judge_black_leads(judge, &asked, stop) {
        Err(JudgeError::Stopped) => return Ok(None),
        leads => leads?,
    };
    let (played, better) = leads.split_at(positions.len());
    let losses: Vec<f64> = review
        .moves
        .iter()
        .zip(played.windows(2))
        .map(|(row, pair)| side_sign(row.color) * (pair[0] - pair[1]))
        .collect();
    let is_blunder = |number: &usize| losses[number - 1] >= BLUNDER_POINTS;
    let blunders: Vec<usize> = (1..=losses.len()).filter(is_blunder).collect();
    let is_found = |number: &&usize| review.moves[**number - 1].better.is_some();
    let is_real = |((lesson, _), better): (&(&Lesson, Position), &f64)| {
        let (color, key) = (lesson.head.color, &lesson.head.key);
        let gain = side_sign(color) * (better - played[key.number]);
        gain >= key.lost_points / 2.0 && gain > 0.0
    };
    let lessons = lessons_of_review(review);
    let is_confirmed = |lesson: &&MeasuredLesson| {
        let own = lesson.moves.clone().filter(|number| review.moves[number - 1].color == lesson.color);
        own.map(|number| losses[number - 1]).sum::<f64>() >= CLOSE_POINTS
    };
    Ok(Some(MeasuredReview {
        blunders: blunders.len(),
        blunders_found: blunders.iter().filter(is_found).count(),
        worst: review.lessons.len(),
        worst_real: told.iter().zip(better).filter(|&pair| is_real(pair)).count(),
        lessons: lessons.len(),
        lessons_confirmed: lessons.iter().filter(is_confirmed).count(),
    }))
}

/// How many, of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Those that are so.
    pub are: usize,
    /// All.
    pub of: usize,
}

impl Share {
    fn add_one(&mut self, is_so: bool) {
        self.are += usize::from(is_so);
        self.of += 1;
    }

    /// As a number from 0 to 1; none of nothing.
    pub fn ratio(&self) -> Option<f64> {
        (self.of > 0).then(|| self.are as f64 / self.of as f64)
    }
}

/// How often comparisons hold that are sure by so many standard errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct CalibrationRow {
    /// Standard errors at least.
    pub sureness: f64,
    /// Comparisons of that sort that the judge sees on the same side.
    pub right: Share,
    /// Those where the judge sees three points and more that are of that sort.
    pub of_clear: Share,
}

/// Figures over moves and games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TeachFigures {
    /// Moves that were explained.
    pub moves: usize,
    /// Moves with a definite verdict beside another.
    pub with_verdict: Share,
    /// Moves with a reason that was proved.
    pub with_reason: Share,
    /// Of the English text, the median.
    pub median_sentences: usize,
    /// Of the English text, the median.
    pub median_words: usize,
    /// Claims that hold when they are read ten times deeper.
    pub claims: Share,
    /// The same by rule.
    pub claims_by_rule: BTreeMap<&'static str, Share>,
    /// Definite verdicts that the judge sees on the same side.
    pub verdicts_right: Share,
    /// Comparisons where the judge sees three points and more that are told as definite, and rightly or not.
    pub clear_told: Share,
    /// Those of them that are right.
    pub clear_right: Share,
    /// Comparisons whose gain is within two points of the judge's.
    pub gains_close: Share,
    /// How often comparisons hold, by how sure we are.
    pub calibration: Vec<CalibrationRow>,
    /// Games that were reviewed.
    pub games: usize,
    /// Over all of them.
    pub reviews: MeasuredReview,
    #[serde(skip)]
    sentences: Vec<usize>,
    #[serde(skip)]
    words: Vec<usize>,
}

impl TeachFigures {
    /// Nothing measured yet.
    pub fn new() -> TeachFigures {
        let row = |sureness| CalibrationRow { sureness, ..CalibrationRow::default() };
        TeachFigures { calibration: LEVELS.map(row).to_vec(), ..TeachFigures::default() }
    }

    /// Counts a move.
    pub fn add_move(&mut self, measured: &MeasuredMove) {
        self.moves += 1;
        self.with_verdict.add_one(measured.has_verdict);
        self.with_reason.add_one(measured.has_reason);
        self.sentences.push(measured.sentences);
        self.words.push(measured.words);
        self.median_sentences = median(&self.sentences);
        self.median_words = median(&self.words);
        for &(rule, holds) in &measured.claims {
            self.claims.add_one(holds);
            self.claims_by_rule.entry(rule).or_default().add_one(holds);
        }
        for comparison in &measured.comparisons {
            self.add_comparison(comparison);
        }
    }

    fn add_comparison(&mut self, one: &MeasuredComparison) {
        let is_clear = one.judged_gain.abs() >= CLEAR_POINTS;
        let told = match one.verdict {
            MoveVerdict::Better => Some(one.judged_gain > 0.0),
            MoveVerdict::Worse => Some(one.judged_gain < 0.0),
            MoveVerdict::AsGood => None,
        };
        if let Some(is_right) = told {
            self.verdicts_right.add_one(is_right);
        }
        if is_clear {
            self.clear_told.add_one(told.is_some());
            if let Some(is_right) = told {
                self.clear_right.add_one(is_right);
            }
        }
        self.gains_close.add_one((one.gain - one.judged_gain).abs() <= CLOSE_POINTS);
        for row in &mut self.calibration {
            let is_sure = one.sureness.abs() >= row.sureness;
            if is_sure {
                row.right.add_one(one.sureness * one.judged_gain > 0.0);
            }
            if is_clear {
                row.of_clear.add_one(is_sure);
            }
        }
    }

    /// Counts a game.
    pub fn add_review(&mut self, measured: &MeasuredReview) {
        self.games += 1;
        let sum = &mut self.reviews;
        sum.blunders += measured.blunders;
        sum.blunders_found += measured.blunders_found;
        sum.worst += measured.worst;
        sum.worst_real += measured.worst_real;
        sum.lessons += measured.lessons;
        sum.lessons_confirmed += measured.lessons_confirmed;
    }
}

/// The middle one of them, the lower of two; 0 of none.
fn median(numbers: &[usize]) -> usize {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or_default()
}

/// The positions of a game before its first move and after each.
///
/// # Errors
/// Those of `position`, which gives the one after so many moves.
pub fn positions_of_game<E>(
    moves: &[(Color, Move)],
    position: impl FnMut(usize) -> Result<Position, E>,
) -> Result<Vec<Position>, E> {
    (0..=moves.len()).map(position).collect()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use ishi_rng::Seed;

    use super::super::scripted::{COST, ScriptedJudge, game_with_a_blunder, position_of_game};
    use super::super::{ExplainParams, review};
    use super::*;

    const WISH: review::LessonWish = review::LessonWish { player: None, most: 3 };

    fn explainer() -> Explainer {
        let params = ExplainParams { group_playouts: 10, ..ExplainParams::of_level(1) };
        Explainer::new(params, Seed::new(1)).with_judge(Box::new(ScriptedJudge::default()))
    }

    #[test]
    fn a_bad_move_is_measured_beside_better_ones() {
        let mut judge = ScriptedJudge::default();
        let bad = Point::new(8, 0);
        let found = measure_move(&mut explainer(), &mut judge, &position_of_game(4), bad, &|| false);
        let found = found.unwrap().unwrap();
        assert!(found.has_verdict && found.sentences > 0 && found.words > found.sentences, "{found:?}");
        assert_eq!(judge.asked(), [3], "the move and two others, at once");
        for comparison in &found.comparisons {
            assert_eq!(comparison.verdict, MoveVerdict::Better);
            assert!((comparison.judged_gain - COST).abs() < 1e-9 && comparison.sureness > 2.0);
        }
        let mut figures = TeachFigures::new();
        figures.add_move(&found);
        assert_eq!(figures.clear_told, Share { are: 2, of: 2 });
        assert_eq!(figures.clear_right, Share { are: 2, of: 2 });
        assert_eq!(figures.gains_close, Share { are: 2, of: 2 });
        assert_eq!(figures.calibration[3].right, Share { are: 2, of: 2 });
        let stopped = measure_move(&mut explainer(), &mut judge, &position_of_game(4), bad, &|| true);
        assert_eq!(stopped, Ok(None));
    }

    #[test]
    fn what_is_said_wrongly_counts_against_us() {
        let mut figures = TeachFigures::new();
        let one =
            MeasuredComparison { verdict: MoveVerdict::Better, sureness: 2.2, gain: 4.0, judged_gain: -3.5 };
        let open =
            MeasuredComparison { verdict: MoveVerdict::AsGood, sureness: 0.7, gain: 1.0, judged_gain: 6.0 };
        let comparisons = vec![one, open];
        let claims = vec![("atari", true), ("atari", false)];
        figures.add_move(&MeasuredMove { comparisons, claims, words: 30, ..MeasuredMove::default() });
        assert_eq!(
            (figures.clear_told, figures.clear_right),
            (Share { are: 1, of: 2 }, Share { are: 0, of: 1 })
        );
        assert_eq!(figures.gains_close, Share { are: 0, of: 2 });
        assert_eq!(figures.claims_by_rule["atari"], Share { are: 1, of: 2 });
        let rows: Vec<[usize; 2]> =
            figures.calibration.iter().map(|row| [row.right.are, row.right.of]).collect();
        assert_eq!(rows, [[1, 2], [0, 1], [0, 1], [0, 1], [0, 0], [0, 0]]);
        assert_eq!(figures.calibration[1].of_clear, Share { are: 1, of: 2 });
        assert_eq!((figures.median_words, median(&[1, 9, 4])), (30, 4));
    }

    #[test]
    fn a_review_is_held_against_what_the_judge_sees() {
        let (moves, mut judge) = (game_with_a_blunder(), ScriptedJudge::default());
        let position = |played| Ok::<_, Infallible>(position_of_game(played));
        let found = review::review_game(&mut explainer(), &moves, WISH, position, |_| true).unwrap().unwrap();
        let positions = positions_of_game(&moves, position).unwrap();
        let measured = measure_review(&found, &positions, &mut judge, &|| false).unwrap().unwrap();
        let all_right = MeasuredReview {
            blunders: 1,
            blunders_found: 1,
            worst: 1,
            worst_real: 1,
            lessons: 1,
            lessons_confirmed: 1,
        };
        assert_eq!(measured, all_right);
        // A review that tells ten times the loss, of a move that lost nothing.
        let mut wrong = found;
        wrong.moves[4].better = None;
        wrong.lessons[0].head.key.lost_points = 10.0 * COST;
        wrong.lessons[0].head.color = Color::White;
        let measured = measure_review(&wrong, &positions, &mut judge, &|| false).unwrap().unwrap();
        let none = MeasuredReview { blunders_found: 0, worst_real: 0, lessons_confirmed: 0, ..all_right };
        assert_eq!(measured, none);
    }
}
