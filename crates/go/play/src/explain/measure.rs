//! How good explanations and reviews are: figures over many moves and games, held against a judge of one's choice.
//!
//! What is measured is what a reader gets, so all goes through the public results ([`Explanation`], [`GameReview`]). The judge is asked
//! about the positions after the moves that were compared, and about every position of a game.

use std::collections::BTreeMap;

use ishi_go::{Color, Move, Point, Position};
use ishi_knowledge::explain::{MoveReasons, recheck_claim};
use ishi_knowledge::{Reason, RuleFamily};
use ishi_reading::ReadingEffort;
use ishi_stats::{ConfidenceLevel, Interval, IntervalMethod, Proportion};
use ishi_words::Language;
use ishi_work::Stop;
use serde::{Deserialize, Serialize};

use super::first_sight::{ExplanationStep, FirstImpression};
use super::lesson::Lesson;
use super::owners::{OwnerChange, OwnerMap};
use super::review::GameReview;
use super::say::{says_something, speak_teaching};
use super::teach::{VerdictKind, teach_move};
use super::{ComparedMove, Explainer, Explanation, MoveVerdict, position_after, words};
use crate::analyst::{JudgeControl, JudgeError, PositionJudge};
use ishi_engine::SearchReport;

/// Points from which on the judge's comparison ought to be told, and within which a gain agrees.
const CLEAR_POINTS: f64 = 3.0;
const CLOSE_POINTS: f64 = 2.0;
/// Points that a blunder loses at least.
const BLUNDER_POINTS: f64 = 4.0;
/// Lines within which the judge's area is the place of a lesson.
const PLACE_LINES: usize = 3;
/// Times the usual moves that a claim is read with again.
const DEEPER: u32 = 10;
/// Standard errors for which it is told how often a comparison holds.
const LEVELS: [f64; 6] = [0.5, 1.0, 1.5, 2.0, 2.5, 3.0];
/// Standard errors that are kept at most.
const MOST_SURE: f64 = 1e6;

/// A comparison of two moves, by us and by the judge: what the second is more than the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuredMove {
    /// Is it said how good the move is: worse or better than another, or as good as all of them?
    pub has_verdict: bool,
    /// Is there a reason that was proved, or an area that carries the difference?
    pub has_reason: bool,
    /// Sentences and words of the English text.
    pub sentences: usize,
    /// Words of the English text.
    pub words: usize,
    /// Does an area carry the verdict, as whose the points will be shows?
    pub has_carrying_area: bool,
    /// Claims by rule, and whether they hold when they are read ten times deeper.
    pub claims: Vec<(String, bool)>,
    /// Of the same claims, those that would hold, or not, if they were made of the first other move that was told.
    pub claims_of_other: Vec<bool>,
    /// Claims about whose stones live or fall, and whether the judge's owners after the move say so, too.
    pub claims_by_owners: Vec<bool>,
    /// Lines that are told of the move, without details.
    pub lines: usize,
    /// Those of them that say no more than moves and names.
    pub empty_lines: usize,
    /// Processor seconds until the first sentence, and until the last one.
    pub seconds: [f64; 2],
    /// Does the move lose, by the explanation and at first sight? None where nobody looked first.
    pub loses: Option<LossVerdicts>,
    /// The other moves that were told.
    pub comparisons: Vec<MeasuredComparison>,
}

/// Does a move lose something?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LossVerdicts {
    /// By the explanation.
    pub explained: bool,
    /// At first sight.
    pub at_first_sight: bool,
}

/// Explains a move and holds that against the judge. None if it was stopped. `clock` tells the processor time used so far, in seconds.
///
/// # Errors
/// If a judge fails: the explainer's, or the one that it is held against.
pub fn measure_move(
    explainer: &mut Explainer,
    judge: &mut dyn PositionJudge,
    position: &Position,
    mv: Point,
    stop: &(dyn Stop + Sync),
    clock: &dyn Fn() -> f64,
) -> Result<Option<MeasuredMove>, JudgeError> {
    let started = clock();
    let (mut first, mut first_after) = (None, None);
    let explanation = explainer.explain_in_steps(position, Some(mv.into()), &[], &mut |step| {
        if let ExplanationStep::FirstSight(sight) = step {
            first = Some(sight.impression == FirstImpression::Bad);
            first_after = Some(clock() - started);
        }
    });
    let told_after = clock() - started;
    if let Some(failure) = explainer.judge_failure() {
        return Err(failure);
    }
    let others: Vec<&ComparedMove> = explanation.alternatives.iter().collect();
    let moves = std::iter::once(mv).chain(others.iter().map(|other| other.mv.reasons.mv));
    let after: Vec<Position> = moves.filter_map(|mv| position_after(position, mv.into())).collect();
    if stop.is_requested() || after.len() != others.len() + 1 {
        return Ok(None);
    }
    let reports = match ask_whole_judge(judge, &after, &mut JudgeControl { stop, tell: &mut |_| {} }) {
        Err(JudgeError::Stopped) => return Ok(None),
        reports => reports?,
    };
    let leads = black_leads(&after, &reports);
    let owners = OwnerMap::from_report(&reports[0], after[0].to_move(), position.size());
    let sign = side_sign(position.to_move());
    let compare = |(other, lead): (&&ComparedMove, &f64)| MeasuredComparison {
        verdict: other.verdict,
        sureness: finite_sureness(other.sureness),
        gain: other.gain[0],
        judged_gain: sign * (lead - leads[0]),
    };
    let comparisons = others.iter().zip(&leads[1..]).map(compare).collect();
    let explained = teach_move(&explanation).verdict.kind == VerdictKind::Loses;
    let loses = first.map(|at_first_sight| LossVerdicts { explained, at_first_sight });
    Ok(Some(MeasuredMove {
        comparisons,
        loses,
        claims_by_owners: owners.map_or(Vec::new(), |owners| check_fates(&explanation, &owners)),
        seconds: [first_after.unwrap_or(told_after), told_after],
        ..measure_explanation(&explanation, position, mv)
    }))
}

/// Standard errors as a number that JSON has. Values without an error differ by infinitely many, or by none.
fn finite_sureness(sureness: f64) -> f64 {
    if sureness.is_nan() { 0.0 } else { sureness.clamp(-MOST_SURE, MOST_SURE) }
}

fn side_sign(color: Color) -> f64 {
    if color == Color::Black { 1.0 } else { -1.0 }
}

/// Of the claims about stones that fall, or live, whether those are the mover's by the judge's owners after the move.
fn check_fates(explanation: &Explanation, owners: &OwnerMap) -> Vec<bool> {
    let is_movers = |reason: &Reason| {
        let chain = explanation.analysis.chains.chain_at(reason.about?)?;
        says_fate(reason).then(|| owners.mean_for(&chain.stones, explanation.color) > 0.0)
    };
    let effects = explanation.mv.iter().flat_map(|told| &told.reasons.effects);
    effects.filter_map(is_movers).collect()
}

/// Does a claim say that stones fall, or that they live? A threat does not, nor what a ko decides.
fn says_fate(reason: &Reason) -> bool {
    let only_threatens = ["atari", "double-atari", "threaten", "take-ko"].contains(&reason.rule.name);
    let families = [RuleFamily::Capture, RuleFamily::Save, RuleFamily::Life];
    families.contains(&reason.rule.family) && !only_threatens && !reason.rule.name.ends_with("-by-ko")
}

/// What the judge says of all positions.
fn ask_whole_judge(
    judge: &mut dyn PositionJudge,
    positions: &[Position],
    control: &mut JudgeControl<'_>,
) -> Result<Vec<SearchReport>, JudgeError> {
    let reports = judge.judge_positions(positions, control)?;
    if control.stop.is_requested() { Err(JudgeError::Stopped) } else { Ok(reports) }
}

fn black_leads(positions: &[Position], reports: &[SearchReport]) -> Vec<f64> {
    let lead = |(position, report): (&Position, &SearchReport)| side_sign(position.to_move()) * report.score;
    positions.iter().zip(reports).map(lead).collect()
}

/// What can be said of an explanation without a judge.
fn measure_explanation(explanation: &Explanation, position: &Position, mv: Point) -> MeasuredMove {
    let text = words::explanation_text(explanation, Language::English);
    let (sentences, words) = count_sentences_and_words(&text);
    let effects = || explanation.mv.iter().flat_map(|told| &told.reasons.effects);
    let deeper = ReadingEffort { nodes: ReadingEffort::default().nodes.map(|nodes| DEEPER * nodes) };
    let claims = effects()
        .filter_map(|reason| Some((reason.rule.name, recheck_claim(reason, position, mv, deeper)?)))
        .chain(claims_of_waiting(explanation, position, mv, deeper))
        .map(|(rule, holds)| (rule.to_string(), holds))
        .collect();
    let other = explanation.alternatives.first().map(|other| other.mv.reasons.mv);
    let claims_of_other = other.map_or(Vec::new(), |other| {
        effects().filter_map(|reason| recheck_claim(reason, position, other, deeper)).collect()
    });
    let teaching = teach_move(explanation);
    let has_carrying_area = teaching.cause.carrying().is_some();
    let lines = speak_teaching(&teaching, Language::English);
    let empty_lines = lines.iter().filter(|line| !says_something(&teaching, line.part)).count();
    let definite = |other: &ComparedMove| other.verdict != MoveVerdict::AsGood;
    MeasuredMove {
        has_verdict: explanation.alternatives.iter().any(definite),
        has_carrying_area,
        has_reason: has_carrying_area
            || explanation.mv.as_ref().is_some_and(|told| !told.reasons.effects.is_empty()),
        sentences,
        words,
        claims,
        claims_of_other,
        claims_by_owners: Vec::new(),
        lines: lines.len(),
        empty_lines,
        seconds: [0.0; 2],
        loses: None,
        comparisons: Vec::new(),
    }
}

/// The claims that are made where a move can wait, and whether they hold: what the opponent's move at the same point does, and what a second
/// move of the same side does.
fn claims_of_waiting(
    explanation: &Explanation,
    position: &Position,
    mv: Point,
    effort: ReadingEffort,
) -> Vec<(&'static str, bool)> {
    let passed = position_after(position, Move::Pass);
    let twice = position_after(position, mv.into()).and_then(|after| position_after(&after, Move::Pass));
    let recheck = |read: Option<&MoveReasons>, before: Option<Position>| -> Vec<(&'static str, bool)> {
        let (Some(read), Some(before)) = (read, before) else { return Vec::new() };
        let claim =
            |reason: &Reason| Some((reason.rule.name, recheck_claim(reason, &before, read.mv, effort)?));
        read.effects.iter().filter_map(claim).collect()
    };
    [recheck(explanation.theirs.as_ref(), passed), recheck(explanation.second.as_ref(), twice)].concat()
}

/// Sentences end in a full stop, a question mark or a colon before a space or the end of a line.
fn count_sentences_and_words(text: &str) -> (usize, usize) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let ends = |word: &&&str| word.ends_with(['.', '?', '!', ':']);
    (words.iter().filter(ends).count(), words.len())
}

/// What a review has found, and what the judge says of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuredReview {
    /// Moves of the game.
    pub moves: usize,
    /// Those of them of which the review says that they lost something.
    pub moves_told: usize,
    /// Moves that lose four points and more by the judge, and that it would not play itself.
    pub blunders: usize,
    /// Those of them of which the review says that they lost something.
    pub blunders_found: usize,
    /// Those of the blunders that are blunders by a second judge, too; 0 if there is none.
    pub blunders_agreed: usize,
    /// Those of them of which the review says that they lost something.
    pub blunders_agreed_found: usize,
    /// Moves told as the worst of a lesson.
    pub worst: usize,
    /// Those of them whose better move gains at least half of what is said, by the judge.
    pub worst_real: usize,
    /// Lessons.
    pub lessons: usize,
    /// Those of them in whose moves their side loses two points and more, by the judge.
    pub lessons_confirmed: usize,
    /// Lessons with a place whose moves the judge finds to differ in an area, as whose the points will be shows.
    pub lessons_with_place: usize,
    /// Those of them where the judge's area is within three lines of theirs.
    pub lessons_placed: usize,
    /// What chance would find.
    pub chance: ReviewChance,
}

/// How many would be right by chance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReviewChance {
    /// Worst moves, if any move of that side were named with the same loss.
    pub worst_real: f64,
    /// Lessons, if as many moves in a row from anywhere in the game were named.
    pub lessons_confirmed: f64,
    /// Places of lessons, if the judge's area were one point anywhere on the board.
    pub lessons_placed: f64,
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

/// Holds a review against the judge; `positions` are those before the first move and after each. None if it was stopped. A second judge
/// is asked which of the blunders it sees, too. `control` hears how many positions are judged. These are `positions`, one more for each
/// lesson that tells a better move, and `positions` again if there is a second judge.
///
/// # Errors
/// If the judge fails.
pub fn measure_review(
    review: &GameReview,
    positions: &[Position],
    judge: &mut dyn PositionJudge,
    second: Option<&mut dyn PositionJudge>,
    control: &mut JudgeControl<'_>,
) -> Result<Option<MeasuredReview>, JudgeError> {
    let told = lessons_with_better_moves(review);
    let asked: Vec<Position> = positions.iter().chain(told.iter().map(|(_, after)| after)).cloned().collect();
    let reports = match ask_whole_judge(judge, &asked, control) {
        Err(JudgeError::Stopped) => return Ok(None),
        reports => reports?,
    };
    let leads = black_leads(&asked, &reports);
    let (played, better) = leads.split_at(positions.len());
    let losses = losses_of_moves(review, played);
    let blunders = blunders_of(review, &reports, &losses);
    let mut after_first =
        JudgeControl { stop: control.stop, tell: &mut |done| (control.tell)(asked.len() + done) };
    let second_blunders = blunders_by_second(review, positions, second, &mut after_first)?;
    let Some(second_blunders) = second_blunders else { return Ok(None) };
    let agreed: Vec<usize> =
        blunders.iter().copied().filter(|number| second_blunders.contains(number)).collect();
    let is_told = |number: &&usize| review.moves[**number - 1].better.is_some();
    let is_real = |((lesson, _), better): (&(&Lesson, Position), &f64)| {
        let (color, key) = (lesson.head.color, &lesson.head.key);
        let gain = side_sign(color) * (better - played[key.number]);
        gain >= key.lost_points / 2.0 && gain > 0.0
    };
    let seen = JudgedGame { review, losses: &losses };
    let lessons = lessons_of_review(review);
    let places: Vec<JudgedPlace> = told
        .iter()
        .zip(&reports[positions.len()..])
        .filter_map(|((lesson, after), better)| {
            let number = lesson.head.key.number;
            judge_place(lesson, [(after, better), (&positions[number], &reports[number])])
        })
        .collect();
    Ok(Some(MeasuredReview {
        moves: losses.len(),
        moves_told: review.moves.iter().filter(|row| row.better.is_some()).count(),
        blunders: blunders.len(),
        blunders_found: blunders.iter().filter(is_told).count(),
        blunders_agreed: agreed.len(),
        blunders_agreed_found: agreed.iter().filter(is_told).count(),
        worst: review.lessons.len(),
        worst_real: told.iter().zip(better).filter(|&pair| is_real(pair)).count(),
        lessons: lessons.len(),
        lessons_confirmed: lessons.iter().filter(|lesson| seen.is_confirmed(lesson)).count(),
        lessons_with_place: places.len(),
        lessons_placed: places.iter().filter(|place| place.is_confirmed).count(),
        chance: ReviewChance {
            worst_real: review.lessons.iter().map(|lesson| seen.chance_of_loss(lesson)).sum(),
            lessons_confirmed: lessons.iter().map(|lesson| seen.chance_of_confirmed(lesson)).sum(),
            lessons_placed: places.iter().map(|place| place.chance).sum(),
        },
    }))
}

/// The moves that are blunders by a judge, from 1: they lose so much, and it would not play them itself. Its reports are those before each move.
fn blunders_of(review: &GameReview, reports: &[SearchReport], losses: &[f64]) -> Vec<usize> {
    let is_blunder = |number: &usize| {
        let is_own_choice = is_first_choice(&reports[number - 1], review.moves[number - 1].mv);
        losses[number - 1] >= BLUNDER_POINTS && !is_own_choice
    };
    (1..=losses.len()).filter(is_blunder).collect()
}

/// Would the judge play this move itself? If it thinks less of it afterwards, it knew no better one before.
fn is_first_choice(report: &SearchReport, mv: Move) -> bool {
    report.moves.first().is_some_and(|best| best.mv == mv)
}

/// The lessons that tell a better move, with the positions after it.
fn lessons_with_better_moves(review: &GameReview) -> Vec<(&Lesson, Position)> {
    let after = |lesson: &Lesson| position_after(&lesson.position, lesson.head.key.better?);
    review.lessons.iter().filter_map(|lesson| Some((lesson, after(lesson)?))).collect()
}

/// The moves that are blunders by the second judge, from 1; none if there is no such judge. None if it was stopped.
fn blunders_by_second(
    review: &GameReview,
    positions: &[Position],
    second: Option<&mut dyn PositionJudge>,
    control: &mut JudgeControl<'_>,
) -> Result<Option<Vec<usize>>, JudgeError> {
    let Some(second) = second else { return Ok(Some(Vec::new())) };
    let reports = match ask_whole_judge(second, positions, control) {
        Err(JudgeError::Stopped) => return Ok(None),
        reports => reports?,
    };
    let losses = losses_of_moves(review, &black_leads(positions, &reports));
    Ok(Some(blunders_of(review, &reports, &losses)))
}

/// What each move of a review loses, by Black's leads before the first move and after each.
fn losses_of_moves(review: &GameReview, black_leads: &[f64]) -> Vec<f64> {
    let moves = review.moves.iter().zip(black_leads.windows(2));
    moves.map(|(row, pair)| side_sign(row.color) * (pair[0] - pair[1])).collect()
}

/// A review with what each move loses by the judge.
struct JudgedGame<'a> {
    review: &'a GameReview,
    losses: &'a [f64],
}

impl JudgedGame<'_> {
    /// What the moves of a side lose among these numbers, from 1.
    fn loss_within(&self, color: Color, numbers: std::ops::RangeInclusive<usize>) -> f64 {
        let own = numbers.filter(|number| self.review.moves[number - 1].color == color);
        own.map(|number| self.losses[number - 1]).sum()
    }

    fn is_confirmed(&self, lesson: &MeasuredLesson) -> bool {
        self.loss_within(lesson.color, lesson.moves.clone()) >= CLOSE_POINTS
    }

    /// How often as many moves in a row, from anywhere in the game, would be confirmed.
    fn chance_of_confirmed(&self, lesson: &MeasuredLesson) -> f64 {
        let length = lesson.moves.end() - lesson.moves.start() + 1;
        let windows = self.losses.len() + 1 - length;
        let confirmed = (1..=windows)
            .filter(|&first| self.loss_within(lesson.color, first..=first + length - 1) >= CLOSE_POINTS)
            .count();
        confirmed as f64 / windows as f64
    }

    /// How often any move of the side of a lesson loses half of what that says, by the judge.
    fn chance_of_loss(&self, lesson: &Lesson) -> f64 {
        let own = || {
            let rows = self.review.moves.iter().zip(self.losses);
            rows.filter(|(row, _)| row.color == lesson.head.color)
        };
        let half = lesson.head.key.lost_points / 2.0;
        let real = own().filter(|&(_, &loss)| loss >= half && loss > 0.0).count();
        real as f64 / own().count().max(1) as f64
    }
}

/// The place of a lesson as the judge sees it.
struct JudgedPlace {
    is_confirmed: bool,
    /// How often one point anywhere on the board would confirm it.
    chance: f64,
}

/// Holds the place of a lesson against the area in which the judge finds the better move to differ from the one that was played. Both are
/// given as the position after them with the judge's report. None if the lesson names no area, or the judge finds none.
fn judge_place(lesson: &Lesson, after: [(&Position, &SearchReport); 2]) -> Option<JudgedPlace> {
    let color = lesson.head.color;
    let area = lesson.head.cause.carrying()?.area.points;
    let size = lesson.position.size();
    let map = |(position, report): (&Position, &SearchReport)| {
        OwnerMap::from_report(report, position.to_move(), size)
    };
    let [gaining, losing] = [map(after[0])?, map(after[1])?];
    let change = OwnerChange {
        analysis: &lesson.explanation.analysis,
        side: color,
        gaining: &gaining,
        losing: &losing,
    };
    let [better, worse] = after.map(|(position, report)| {
        let sign = if position.to_move() == color { 1.0 } else { -1.0 };
        sign * report.score
    });
    let cause = change.find_cause(better - worse);
    let judged = cause.carrying()?.area.points;
    let is_near = |point: &Point| area.iter().any(|own| own.lines_to(*point) <= PLACE_LINES);
    let covered = size.points().filter(is_near).count();
    Some(JudgedPlace {
        is_confirmed: judged.iter().any(|point| is_near(&point)),
        chance: covered as f64 / size.area() as f64,
    })
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

    /// Wilson's interval of it with 95 % confidence, as if all were independent; none of nothing.
    pub fn interval(&self) -> Option<Interval> {
        let known = Proportion::new(self.are as u64, self.of as u64).ok()?;
        Some(known.rate_interval(IntervalMethod::Wilson, ConfidenceLevel::default()))
    }

    /// What the more frequent of the two answers has, which is what somebody gets right who always gives it; none of nothing.
    pub fn majority(&self) -> Option<f64> {
        self.ratio().map(|ratio| ratio.max(1.0 - ratio))
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
    /// Moves whose verdict an area carries.
    pub with_carrying_area: Share,
    /// Moves that lose something by the explanation.
    pub explained_losses: Share,
    /// Moves that lose something at first sight.
    pub first_losses: Share,
    /// First looks that the explanation upholds.
    pub first_upheld: Share,
    /// Of the English text, the median.
    pub median_sentences: usize,
    /// Of the English text, the median.
    pub median_words: usize,
    /// Claims that hold when they are read ten times deeper.
    pub claims: Share,
    /// The same by rule.
    pub claims_by_rule: BTreeMap<String, Share>,
    /// Of the same claims, those that would hold of the first other move, too.
    pub claims_of_other: Share,
    /// Claims about whose stones live or fall that the judge's owners say, too.
    pub claims_by_owners: Share,
    /// Lines that say no more than moves and names.
    pub empty_lines: Share,
    /// Processor seconds of an explanation, the median.
    pub median_seconds: f64,
    /// The same until its first sentence.
    pub median_first_seconds: f64,
    /// Definite verdicts that the judge sees on the same side.
    pub verdicts_right: Share,
    /// Definite verdicts where the judge sees the other move as the better one: what is right if that is always said.
    pub verdicts_other_better: Share,
    /// Comparisons where the judge sees three points and more that are told as definite, and rightly or not.
    pub clear_told: Share,
    /// Those of them that are right.
    pub clear_right: Share,
    /// Those of them where the judge sees the other move as the better one.
    pub clear_other_better: Share,
    /// Comparisons whose gain is within two points of the judge's.
    pub gains_close: Share,
    /// Comparisons that the judge finds to differ by two points at most: what is right if no difference is always said.
    pub gains_small: Share,
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
    #[serde(skip)]
    seconds: [Vec<f64>; 2],
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
        self.with_carrying_area.add_one(measured.has_carrying_area);
        if let Some(loses) = measured.loses {
            self.explained_losses.add_one(loses.explained);
            self.first_losses.add_one(loses.at_first_sight);
            self.first_upheld.add_one(loses.explained == loses.at_first_sight);
        }
        measured.claims_of_other.iter().for_each(|&holds| self.claims_of_other.add_one(holds));
        measured.claims_by_owners.iter().for_each(|&holds| self.claims_by_owners.add_one(holds));
        self.empty_lines.are += measured.empty_lines;
        self.empty_lines.of += measured.lines;
        self.seconds.iter_mut().zip(measured.seconds).for_each(|(all, one)| all.push(one));
        [self.median_first_seconds, self.median_seconds] =
            [0, 1].map(|n| median_of_seconds(&self.seconds[n]));
        self.sentences.push(measured.sentences);
        self.words.push(measured.words);
        self.median_sentences = median(&self.sentences);
        self.median_words = median(&self.words);
        for (rule, holds) in &measured.claims {
            self.claims.add_one(*holds);
            self.claims_by_rule.entry(rule.clone()).or_default().add_one(*holds);
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
        let is_other_better = one.judged_gain > 0.0;
        if let Some(is_right) = told {
            self.verdicts_right.add_one(is_right);
            self.verdicts_other_better.add_one(is_other_better);
        }
        if is_clear {
            self.clear_told.add_one(told.is_some());
            if let Some(is_right) = told {
                self.clear_right.add_one(is_right);
                self.clear_other_better.add_one(is_other_better);
            }
        }
        self.gains_small.add_one(one.judged_gain.abs() <= CLOSE_POINTS);
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
        sum.moves += measured.moves;
        sum.moves_told += measured.moves_told;
        sum.blunders += measured.blunders;
        sum.blunders_found += measured.blunders_found;
        sum.blunders_agreed += measured.blunders_agreed;
        sum.blunders_agreed_found += measured.blunders_agreed_found;
        sum.worst += measured.worst;
        sum.worst_real += measured.worst_real;
        sum.lessons += measured.lessons;
        sum.lessons_confirmed += measured.lessons_confirmed;
        sum.lessons_with_place += measured.lessons_with_place;
        sum.lessons_placed += measured.lessons_placed;
        sum.chance.worst_real += measured.chance.worst_real;
        sum.chance.lessons_confirmed += measured.chance.lessons_confirmed;
        sum.chance.lessons_placed += measured.chance.lessons_placed;
    }
}

/// The middle one of them, the lower of two; 0 of none.
fn median(numbers: &[usize]) -> usize {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or_default()
}

/// The same of seconds.
fn median_of_seconds(seconds: &[f64]) -> f64 {
    let mut sorted = seconds.to_vec();
    sorted.sort_by(f64::total_cmp);
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

    use ishi_engine::MoveReport;
    use ishi_go::BoardSize;
    use ishi_rng::Seed;

    use super::super::scripted::{
        COST, ScriptedJudge, game_with_a_blunder, position_of_game, position_of_moves,
    };
    use super::super::{ErrorModel, ExplainParams, review};
    use super::*;
    use crate::test_boards::position_of_rows;

    /// Is asked three times by a measurement: at its beginning, at the first sentence, at the end.
    #[derive(Default)]
    struct TickingClock(std::cell::Cell<f64>);

    impl TickingClock {
        fn tick(&self) -> f64 {
            self.0.set(self.0.get() + 1.0);
            self.0.get()
        }
    }

    /// Sees no difference between positions.
    struct BlindJudge;

    impl PositionJudge for BlindJudge {
        fn judge_positions(
            &mut self,
            positions: &[Position],
            _: &mut JudgeControl<'_>,
        ) -> Result<Vec<SearchReport>, JudgeError> {
            Ok(positions.iter().map(|_| SearchReport::default()).collect())
        }

        fn error_model(&self, _: BoardSize) -> ErrorModel {
            ErrorModel::NETWORK
        }

        fn likes_many(&self) -> bool {
            true
        }
    }

    /// Sees what the scripted judge sees, and would play this move everywhere.
    struct FondJudge(Move);

    impl PositionJudge for FondJudge {
        fn judge_positions(
            &mut self,
            positions: &[Position],
            control: &mut JudgeControl<'_>,
        ) -> Result<Vec<SearchReport>, JudgeError> {
            let mut reports = ScriptedJudge::default().judge_positions(positions, control)?;
            for report in &mut reports {
                report.moves.insert(0, MoveReport::unsearched_move(self.0));
            }
            Ok(reports)
        }

        fn error_model(&self, _: BoardSize) -> ErrorModel {
            ErrorModel::NETWORK
        }

        fn likes_many(&self) -> bool {
            true
        }
    }

    const WISH: review::LessonWish = review::LessonWish { player: None, most: 3 };

    fn explainer() -> Explainer {
        let params = ExplainParams { group_playouts: 10, ..ExplainParams::of_level(1) };
        Explainer::new(params, Seed::new(1)).with_judge(Box::new(ScriptedJudge::default()))
    }

    /// A checkpoint keeps a sureness as JSON, which has no infinite numbers.
    #[test]
    fn a_sureness_without_end_is_kept_as_a_number() {
        let kept = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -1e300, 2.5].map(finite_sureness);
        assert_eq!(kept, [MOST_SURE, -MOST_SURE, 0.0, -MOST_SURE, 2.5]);
    }

    #[test]
    fn a_bad_move_is_measured_beside_better_ones() {
        let mut judge = ScriptedJudge::default();
        let bad = Point::new(8, 0);
        let clock = TickingClock::default();
        let tick = || clock.tick();
        let found = measure_move(&mut explainer(), &mut judge, &position_of_game(4), bad, &|| false, &tick);
        let found = found.unwrap().unwrap();
        assert_eq!(found.seconds, [1.0, 2.0], "the first sentence comes between the beginning and the end");
        assert!(found.lines > found.empty_lines, "{found:?}");
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
        assert_eq!((figures.median_first_seconds, figures.median_seconds), (1.0, 2.0));
        let stopped = measure_move(&mut explainer(), &mut judge, &position_of_game(4), bad, &|| true, &tick);
        assert_eq!(stopped, Ok(None));
    }

    /// The points of stones that are taken must be the mover's; a threat says nothing of that.
    #[test]
    fn claims_about_lives_are_held_against_owners() {
        let position = position_of_rows(
            "
            . . . . .
            . X X . .
            X O O . .
            . X X . .
            . . . . .
        ",
            Color::Black,
        );
        let mv = position.size().parse_point("D3").unwrap();
        let explanation = explainer().explain_move(&position, Some(mv.into()), &[]);
        let effects = &explanation.mv.as_ref().unwrap().reasons.effects;
        assert!(effects.iter().any(says_fate), "{effects:?}");
        let all = |owner: f32| {
            OwnerMap::from_points(position.size(), position.size().points().map(|point| (point, owner)))
        };
        let fates = effects.iter().filter(|reason| says_fate(reason)).count();
        assert_eq!(check_fates(&explanation, &all(0.9)), vec![true; fates]);
        assert_eq!(check_fates(&explanation, &all(-0.9)), vec![false; fates]);
        let threat =
            Reason { rule: ishi_knowledge::rules::find_rule("threaten").unwrap(), ..effects[0].clone() };
        assert!(!says_fate(&threat));
    }

    /// What is told of the opponent's move and of a second one is a claim as well, each of the position before it.
    #[test]
    fn what_is_read_where_a_move_can_wait_is_a_claim() {
        let position = position_of_moves(&["E5", "E6", "A1", "D5", "A2", "F5"]);
        let point = |vertex: &str| position.size().parse_point(vertex).unwrap();
        let waits = point("J9");
        let mut told = explainer().explain_move(&position, Some(waits.into()), &[]);
        let read = |vertex: &str, color: Color| {
            let take = Reason {
                rule: ishi_knowledge::rules::find_rule("take-stone").unwrap(),
                value: 2.0,
                about: Some(point("E5")),
                other: None,
                count: 1,
                sequence: vec![],
                variations: vec![],
                is_urgent: false,
                pattern: None,
            };
            let (mv, effects) = (point(vertex), vec![take]);
            Some(MoveReasons { mv, color, effects, ideas: vec![], rank: None, value: 0.0 })
        };
        let mut claims = |theirs: Option<MoveReasons>, second: Option<MoveReasons>| {
            (told.theirs, told.second) = (theirs, second);
            claims_of_waiting(&told, &position, waits, ReadingEffort::default())
        };
        assert_eq!(claims(read("E4", Color::White), None), [("take-stone", true)]);
        assert_eq!(claims(read("J1", Color::White), None), [("take-stone", false)], "E5 still stands");
        assert_eq!(claims(None, read("E4", Color::Black)), [("take-stone", false)], "it is Black's own");
        assert!(claims(None, None).is_empty());
    }

    #[test]
    fn what_is_said_wrongly_counts_against_us() {
        let mut figures = TeachFigures::new();
        let one =
            MeasuredComparison { verdict: MoveVerdict::Better, sureness: 2.2, gain: 4.0, judged_gain: -3.5 };
        let open =
            MeasuredComparison { verdict: MoveVerdict::AsGood, sureness: 0.7, gain: 1.0, judged_gain: 6.0 };
        let comparisons = vec![one, open];
        let claims = [true, false].map(|holds| ("atari".to_string(), holds)).to_vec();
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

    /// What a review has beside what these judges see, and what was heard of how many positions they had judged.
    fn measure_by(
        review: &GameReview,
        positions: &[Position],
        judge: &mut dyn PositionJudge,
        second: Option<&mut dyn PositionJudge>,
    ) -> (MeasuredReview, Vec<usize>) {
        let mut told = Vec::new();
        let mut control = JudgeControl { stop: &|| false, tell: &mut |done| told.push(done) };
        let measured = measure_review(review, positions, judge, second, &mut control).unwrap().unwrap();
        (measured, told)
    }

    #[test]
    fn a_review_is_held_against_what_the_judge_sees() {
        let (moves, mut judge) = (game_with_a_blunder(), ScriptedJudge::default());
        let position = |played| Ok::<_, Infallible>(position_of_game(played));
        let found = review::review_game(&mut explainer(), &moves, WISH, position, |_| true).unwrap().unwrap();
        let positions = positions_of_game(&moves, position).unwrap();
        let (measured, told) = measure_by(&found, &positions, &mut judge, None);
        assert_eq!(told, [positions.len() + 1], "the better move of the lesson is judged, too");
        // The judge says nothing of owners, so that no place is held against it.
        let all_right = MeasuredReview {
            moves: 6,
            moves_told: 1,
            blunders: 1,
            blunders_found: 1,
            blunders_agreed: 0,
            blunders_agreed_found: 0,
            worst: 1,
            worst_real: 1,
            lessons: 1,
            lessons_confirmed: 1,
            lessons_with_place: 0,
            lessons_placed: 0,
            // One of Black's three moves loses so much; the lesson is one move, and one of the six moves is that.
            chance: ReviewChance { worst_real: 1.0 / 3.0, lessons_confirmed: 1.0 / 6.0, lessons_placed: 0.0 },
        };
        assert_eq!(measured, all_right);
        // A second judge that sees the same, and one that sees nothing.
        let mut second = ScriptedJudge::default();
        let (both, told) = measure_by(&found, &positions, &mut judge, Some(&mut second));
        let agreed = MeasuredReview { blunders_agreed: 1, blunders_agreed_found: 1, ..all_right };
        assert_eq!(both, agreed);
        assert_eq!(told, [positions.len() + 1, 2 * positions.len() + 1], "one after the other");
        let (both, _) = measure_by(&found, &positions, &mut judge, Some(&mut BlindJudge));
        assert_eq!(both, all_right);
        // A judge that would play the bad move itself, and sees only then what it costs.
        let (fond, _) = measure_by(&found, &positions, &mut FondJudge(moves[4].1), None);
        assert_eq!((fond.blunders, fond.blunders_found, fond.lessons_confirmed), (0, 0, 1));
        // As the second judge it does not see that blunder, either.
        let mut fond = FondJudge(moves[4].1);
        let (both, _) = measure_by(&found, &positions, &mut judge, Some(&mut fond));
        assert_eq!(both, all_right);
        // A review that tells ten times the loss, of a move that lost nothing.
        let mut wrong = found;
        wrong.moves[4].better = None;
        wrong.lessons[0].head.key.lost_points = 10.0 * COST;
        wrong.lessons[0].head.color = Color::White;
        let (measured, _) = measure_by(&wrong, &positions, &mut judge, None);
        let none = MeasuredReview {
            moves_told: 0,
            blunders_found: 0,
            worst_real: 0,
            lessons_confirmed: 0,
            chance: ReviewChance::default(),
            ..all_right
        };
        assert_eq!(measured, none);
    }
}
