//! What a player learns from a game: mistakes that belong together as one lesson, what went well, and each part of the game in a sentence.
//!
//! All here follows from the values of the moves; [`super::review`] searches for these, [`super::lesson_words`] puts it into words.

use ishi_go::{BoardSize, Color, Move, Point, Position};
use ishi_knowledge::GamePhase;
use ishi_reading::PointSet;

use super::MoveVerdict;
use super::answer_tree::LessonTrees;
use super::explanation::{ComparedMove, Explanation};
use super::owners::{Cause, is_at};
use super::place::BoardPlace;
use super::teach::{TaughtLine, Teaching, VerdictKind};
use super::value::{MoveValue, is_low_by_handicap, worth_in_points};

/// A lesson needs a move of whose loss so many points are sure: as much as the 7 % of the chance to win from which on a move is doubtful.
const LEAST_SURE: f64 = 3.5;

/// Mistakes of one player belong together if so much of the smaller area is in both.
const OVERLAP: f64 = 1.0 / 3.0;
/// And if no more moves lie between one and the next than this part of the board's points: 60 on 19x19, 13 on 9x9.
const GAP_PART: usize = 6;
/// What the opponent gave away is kept if so much of it is left after so many moves.
const KEPT: f64 = 0.7;
const KEPT_FOR: usize = 10;
/// An answer may be told to use a mistake if it lies within so many lines of it.
const USED_WITHIN: usize = 6;
/// A gift is worth praise from so many points on.
const GIFT: f64 = 3.0;
/// So many own moves without a loss are worth praise.
const CLEAN: usize = 15;
/// A part of a game is told with the losses of so many points and more.
const WORTH_TELLING: f64 = 2.0;

/// Another move answers a lesson, too, if it gains at most so many points less than the best one.
const ANSWER_WITHIN: f64 = 1.0;
/// And if it gains so much of what the best one does: of little, a point is much.
const ANSWER_SHARE: f64 = 0.7;

/// A mistake, and what it was about.
#[derive(Clone, Debug, PartialEq)]
pub struct Swing {
    /// The move, and what it lost.
    pub value: MoveValue,
    /// What the better move has before it.
    pub cause: Cause,
}

impl Swing {
    /// The points that it changes; none if no area carries it.
    fn area(&self) -> PointSet {
        self.cause.carrying().map_or(PointSet::EMPTY, |reason| reason.area.points)
    }

    /// Is it about the same as an earlier one, at most so many moves after it?
    fn belongs_to(&self, earlier: &Swing, gap: usize) -> bool {
        let is_soon = self.value.number - earlier.value.number <= gap;
        is_soon && (self.shares_area(earlier) || self.shares_better_move(earlier))
    }

    fn shares_area(&self, earlier: &Swing) -> bool {
        overlap_enough(&self.area(), &earlier.area())
    }

    /// Was the same move better then? Whoever leaves a point open again and again learns one lesson from it.
    fn shares_better_move(&self, earlier: &Swing) -> bool {
        let better = self.value.better.and_then(Move::point);
        better.is_some() && earlier.value.better.and_then(Move::point) == better
    }
}

/// Is so much of the smaller of two sets in both that they stand for one thing?
fn overlap_enough(one: &PointSet, other: &PointSet) -> bool {
    let smaller = one.len().min(other.len()) as f64;
    let both = one.intersection(other).len() as f64;
    smaller > 0.0 && both >= OVERLAP * smaller
}

/// Mistakes of one player that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct LessonHead {
    /// Whose.
    pub color: Color,
    /// The numbers of the moves, in order.
    pub numbers: Vec<usize>,
    /// The move whose loss is the surest.
    pub key: MoveValue,
    /// What all of them lost, in points.
    pub lost_points: f64,
    /// What the one of them lost that lost most, points and chance together, or the one that is explained if that is more points: points, and of
    /// the chance to win.
    pub largest_loss: [f64; 2],
    /// What the key move was about.
    pub cause: Cause,
    /// Where.
    pub place: Option<BoardPlace>,
}

/// A lesson: mistakes that belong together, with the surest of them explained.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// What it is about.
    pub head: LessonHead,
    /// The position before the move whose loss is the surest.
    pub position: Position,
    /// All that is known of that move.
    pub explanation: Explanation,
    /// What is said of it.
    pub teaching: Teaching,
    /// How the answer goes on, and how that move is refuted, as far as reading proves it.
    pub trees: LessonTrees,
}

impl Lesson {
    /// Does it teach what another lesson of its player does: the same answer, about the same stones? The explanation knows that of mistakes of
    /// which the search for mistakes has seen other areas, and other better moves.
    pub(super) fn teaches_same(&self, other: &Lesson) -> bool {
        let (own, known) = (&self.head, &other.head);
        let answer = |head: &LessonHead| head.key.better.and_then(Move::point);
        let is_same_answer = answer(own).is_some() && answer(own) == answer(known);
        own.color == known.color && is_same_answer && own.shares_stones(known)
    }

    /// Takes the mistakes of a lesson that teaches the same: the surest of all is explained.
    pub(super) fn join_lesson(&mut self, other: Lesson) {
        let head = self.head.join_head(&other.head);
        if other.head.key.sure_loss() > self.head.key.sure_loss() {
            *self = other;
        }
        self.head = head;
    }

    /// How the better move goes on; the move alone where nothing more is known.
    pub fn better_line(&self) -> Vec<(Color, Point)> {
        match &self.teaching.better {
            Some(better) if !better.moves.is_empty() => better.moves.clone(),
            _ => self.head.better_points().into_iter().map(|point| (self.head.color, point)).collect(),
        }
    }

    /// Moves that answer its question: the better one that is told, then others that the explanation found nearly as good. Where it tells none,
    /// the one that the review found.
    pub fn answers(&self) -> Vec<Point> {
        let told = self.teaching.better.as_ref().map(|better| better.mv);
        let is_better = |other: &&ComparedMove| other.verdict == MoveVerdict::Better;
        let compared = self.explanation.alternatives.iter().chain(&self.explanation.why_not);
        let gain =
            |other: &ComparedMove| (other.mv.reasons.mv, worth_in_points(other.gain[0], other.gain[1]));
        let gains: Vec<(Point, f64)> = compared.filter(is_better).map(gain).collect();
        let mut answers: Vec<Point> = Vec::new();
        for point in told.into_iter().chain(nearly_best(&gains)) {
            if !answers.contains(&point) {
                answers.push(point);
            }
        }
        if answers.is_empty() { self.head.better_points() } else { answers }
    }

    /// How the move that was played is answered; nothing where no line shows that.
    pub fn refutation(&self) -> &[(Color, Point)] {
        match &self.teaching.line {
            Some(TaughtLine::Refutation { moves, .. }) => moves,
            _ => &[],
        }
    }
}

/// Does a move that loses so many points beside the best one answer a lesson, too, whose mistake lost so many?
pub(super) fn is_nearly_best(lost: f64, mistake: f64) -> bool {
    lost <= ANSWER_WITHIN.min((1.0 - ANSWER_SHARE) * mistake)
}

/// Of moves with what they gain, in points: those that gain nearly as much as the best of them.
fn nearly_best(gains: &[(Point, f64)]) -> Vec<Point> {
    let best = gains.iter().map(|&(_, gain)| gain).fold(0.0, f64::max);
    let least = f64::max(best - ANSWER_WITHIN, ANSWER_SHARE * best);
    gains.iter().filter(|&&(_, gain)| gain >= least).map(|&(point, _)| point).collect()
}

/// All that may be lessons of a player on a board of this size, by what is sure to be lost ([`MoveValue::sure_loss`]): the most first. There are
/// none where no loss is as large and as sure as a lesson asks.
pub(super) fn rank_lessons(swings: &[Swing], size: BoardSize, color: Color) -> Vec<LessonHead> {
    let mut groups = group_swings(swings, size.area() / GAP_PART, color);
    let sure_losses =
        |group: &[&Swing]| group.iter().map(|swing| swing.value.sure_loss()).collect::<Vec<f64>>();
    groups.retain(|group| sure_losses(group).into_iter().any(|sure| sure >= LEAST_SURE));
    let in_all = |group: &[&Swing]| sure_losses(group).into_iter().sum::<f64>();
    groups.sort_by(|a, b| in_all(b).total_cmp(&in_all(a)));
    groups.iter().filter_map(|group| lesson_head(color, group)).collect()
}

/// The mistakes of a player, those about the same together, if at most `gap` moves lie between them. `swings` are in the order of the game.
fn group_swings(swings: &[Swing], gap: usize, color: Color) -> Vec<Vec<&Swing>> {
    let mut groups: Vec<Vec<&Swing>> = Vec::new();
    for swing in swings.iter().filter(|swing| swing.value.color == color) {
        let belongs = |group: &&mut Vec<&Swing>| group.iter().any(|earlier| swing.belongs_to(earlier, gap));
        match groups.iter_mut().rev().find(belongs) {
            Some(group) => group.push(swing),
            None => groups.push(vec![swing]),
        }
    }
    groups
}

fn lesson_head(color: Color, group: &[&Swing]) -> Option<LessonHead> {
    let key = group.iter().max_by(|a, b| a.value.sure_loss().total_cmp(&b.value.sure_loss()))?;
    let losses: Vec<[f64; 2]> =
        group.iter().map(|swing| [swing.value.lost_points, swing.value.lost_win_rate]).collect();
    Some(LessonHead {
        color,
        numbers: group.iter().map(|swing| swing.value.number).collect(),
        key: key.value,
        lost_points: group.iter().map(|swing| swing.value.lost_points).sum(),
        largest_loss: largest_loss(&losses, key.value.lost_points)?,
        place: key.cause.carrying().map(|reason| reason.place),
        cause: key.cause.clone(),
    })
}

/// The largest of several losses, of points and of the chance to win, where the move that is explained lost so many points.
fn largest_loss(losses: &[[f64; 2]], explained: f64) -> Option<[f64; 2]> {
    let worth = |loss: &[f64; 2]| worth_in_points(loss[0], loss[1]);
    let largest = losses.iter().max_by(|a, b| worth(a).total_cmp(&worth(b)))?;
    // The move that is explained may lose more points where fewer chances are left: its text would tell more than "the largest". Then points
    // alone say which was the largest: a third one may have lost more of them.
    let most = losses.iter().max_by(|a, b| a[0].total_cmp(&b[0]))?;
    Some(if explained > largest[0] { *most } else { *largest })
}

impl LessonHead {
    /// Are both about the same stones? Of the same ones some may be taken by then, and others come to them.
    fn shares_stones(&self, other: &LessonHead) -> bool {
        let stones =
            |head: &LessonHead| head.cause.carrying().map_or(PointSet::EMPTY, |reason| reason.stones);
        overlap_enough(&stones(self), &stones(other))
    }

    /// The mistakes of both, and what they lost, beside the move that this one explains or that one, whichever loss is surer.
    fn join_head(&self, other: &LessonHead) -> LessonHead {
        let mut numbers = [self.numbers.as_slice(), &other.numbers].concat();
        numbers.sort_unstable();
        let surest = if other.key.sure_loss() > self.key.sure_loss() { other } else { self };
        let losses = [self.largest_loss, other.largest_loss];
        let largest_loss = largest_loss(&losses, surest.key.lost_points).unwrap_or(surest.largest_loss);
        let lost_points = self.lost_points + other.lost_points;
        LessonHead { numbers, lost_points, largest_loss, ..surest.clone() }
    }

    /// What is asked about beside the move that was played: the better move, if it is no pass.
    pub(super) fn better_points(&self) -> Vec<Point> {
        self.key.better.and_then(Move::point).into_iter().collect()
    }

    /// Is the better move played at what it is about? Else a question about that has an answer far away.
    pub(super) fn is_answered_there(&self) -> bool {
        let better: PointSet = self.better_points().into_iter().collect();
        self.cause.carrying().is_some_and(|reason| is_at(&reason.area.points, &better))
    }

    /// The same lesson about what its explanation tells: that knows the moves and reads, which the search for mistakes does not. So question,
    /// title and answer are about one thing.
    pub(super) fn told_as(self, teaching: &Teaching) -> LessonHead {
        if teaching.verdict.kind != VerdictKind::Loses {
            return self;
        }
        let place = teaching.cause.carrying().map(|reason| reason.place).or(self.place);
        let told = teaching.better.as_ref().map(|better| Move::Play(better.mv));
        let key = MoveValue { better: told.or(self.key.better), ..self.key };
        LessonHead { place, cause: teaching.cause.clone(), key, ..self }
    }
}

/// What a player did well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Praise {
    /// The player answered a mistake of the opponent without a loss, and kept what it gave away.
    UsedMistake {
        /// The opponent's mistake.
        number: usize,
        /// Where it was played.
        mistake: Move,
        /// What it lost, in points.
        points: f64,
        /// How the player answered it; none if the next own move was elsewhere, or the mistake was a pass.
        answer: Option<Point>,
    },
    /// Many own moves in a row lost nothing.
    CleanRun {
        /// The first of them.
        first: usize,
        /// The last of them.
        last: usize,
        /// How many of the player's own they are.
        count: usize,
    },
    /// There are fewer lessons than were asked for: no other loss is large and sure.
    FewMistakes {
        /// How many lessons there are.
        lessons: usize,
    },
}

/// What a player did well: the use of the opponent's largest mistake, and the longest run without a loss. Nothing if there is neither.
pub fn find_praise(moves: &[MoveValue], color: Color) -> Vec<Praise> {
    let mistakes = moves.iter().filter(|row| row.color != color && row.lost_points >= GIFT);
    let used = mistakes.filter_map(|row| Some((row, find_good_answer(moves, row)?)));
    let largest = used.max_by(|(a, _), (b, _)| a.lost_points.total_cmp(&b.lost_points));
    let used = largest.map(|(row, answer)| Praise::UsedMistake {
        number: row.number,
        mistake: row.mv,
        points: row.lost_points,
        answer: Some(answer).filter(|&answer| is_at_mistake(row.mv, answer)),
    });
    used.into_iter().chain(longest_clean_run(moves, color)).collect()
}

/// How a mistake was answered, if that lost nothing itself and most of what the mistake gave away is left some moves later, or at the end.
fn find_good_answer(moves: &[MoveValue], mistake: &MoveValue) -> Option<Point> {
    let answer = moves[mistake.number..].iter().find(|row| row.color != mistake.color)?;
    let lead = |row: &MoveValue| if mistake.color == Color::Black { -row.black_lead } else { row.black_lead };
    let later = &moves[(mistake.number - 1 + KEPT_FOR).min(moves.len() - 1)];
    let is_kept = lead(later) >= lead(mistake) - (1.0 - KEPT) * mistake.lost_points;
    answer.mv.point().filter(|_| answer.better.is_none() && is_kept)
}

/// Is an answer so near a mistake that it may be told to use it?
fn is_at_mistake(mistake: Move, answer: Point) -> bool {
    mistake.point().is_some_and(|at| at.lines_to(answer) <= USED_WITHIN)
}

fn longest_clean_run(moves: &[MoveValue], color: Color) -> Option<Praise> {
    let (mut best, mut run): (Vec<usize>, Vec<usize>) = Default::default();
    for row in moves.iter().filter(|row| row.color == color) {
        if row.better.is_some() {
            run.clear();
        } else {
            run.push(row.number);
        }
        if run.len() > best.len() {
            best.clone_from(&run);
        }
    }
    let (&first, &last) = (best.first()?, best.last()?);
    (best.len() >= CLEAN).then_some(Praise::CleanRun { first, last, count: best.len() })
}

/// A part of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseSummary {
    /// Which.
    pub phase: GamePhase,
    /// Its first move.
    pub first: usize,
    /// Its last move.
    pub last: usize,
    /// Black's lead before it, in points.
    pub lead_before: f64,
    /// Black's lead after it.
    pub lead_after: f64,
    /// The move of each player that lost most in it; none if that is less than two points. Black's first.
    pub worst: [Option<PhaseLoss>; 2],
    /// Black's chance to win after it, if that is low beside Black's lead in a game with a handicap, and no earlier part has said so.
    pub low_chance: Option<f64>,
}

/// The move of a player that lost most in a part of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseLoss {
    /// Its number.
    pub number: usize,
    /// Where it was played.
    pub mv: Move,
    /// What it lost, in points.
    pub points: f64,
}

impl PhaseSummary {
    /// A part that begins with a move, before which Black led by so much.
    fn beginning_with(row: &MoveValue, phase: GamePhase, lead_before: f64) -> PhaseSummary {
        PhaseSummary {
            phase,
            first: row.number,
            last: row.number,
            lead_before,
            lead_after: row.black_lead,
            worst: [None; 2],
            low_chance: None,
        }
    }

    fn note_move(&mut self, row: &MoveValue) {
        (self.last, self.lead_after) = (row.number, row.black_lead);
        let worst = &mut self.worst[row.color.index()];
        let most = worst.map_or(WORTH_TELLING, |known: PhaseLoss| known.points);
        if row.lost_points >= most {
            *worst = Some(PhaseLoss { number: row.number, mv: row.mv, points: row.lost_points });
        }
    }
}

/// The parts of a game with so many stones of handicap. `phases` are those of the positions before each move; a game does not go back to an
/// earlier one.
pub fn summarize_phases(
    start_lead: f64,
    moves: &[MoveValue],
    phases: &[GamePhase],
    handicap: usize,
) -> Vec<PhaseSummary> {
    let mut parts: Vec<PhaseSummary> = Vec::new();
    let order = |phase: GamePhase| phase as u8;
    let mut lead = start_lead;
    for (row, &phase) in moves.iter().zip(phases) {
        if parts.last().is_none_or(|part| order(phase) > order(part.phase)) {
            parts.push(PhaseSummary::beginning_with(row, phase, lead));
        }
        if let Some(part) = parts.last_mut() {
            part.note_move(row);
        }
        lead = row.black_lead;
    }
    let chance_after = |part: &PhaseSummary| moves[part.last - 1].black_win_rate;
    let is_low = |part: &&mut PhaseSummary| is_low_by_handicap(part.lead_after, chance_after(part), handicap);
    if let Some(part) = parts.iter_mut().find(is_low) {
        part.low_chance = Some(chance_after(part));
    }
    parts
}

#[cfg(test)]
pub(super) mod tests {
    use ishi_words::Language;

    use super::super::lesson_words::lesson_question;
    use super::super::owners::{CarryingReason, ChangedArea, MatterKind};
    use super::super::scripted::lesson_of_blunder;
    use super::*;

    /// The first lessons of a player, in the order of the game.
    pub(crate) fn choose_lessons(
        swings: &[Swing],
        size: BoardSize,
        color: Color,
        most: usize,
    ) -> Vec<LessonHead> {
        let mut heads = rank_lessons(swings, size, color);
        heads.truncate(most);
        heads.sort_by_key(|head| head.numbers[0]);
        heads
    }
    use crate::test_boards::points_on_19_lines;

    #[test]
    fn moves_that_gain_nearly_as_much_are_answers_too() {
        let [a, b, c] = [0, 1, 2].map(|column| Point::new(column, 0));
        assert_eq!(nearly_best(&[(a, 10.0), (b, 9.2), (c, 8.8)]), [a, b]);
        assert_eq!(nearly_best(&[(a, 2.0), (b, 1.2)]), [a], "a point is much of two");
        assert_eq!(nearly_best(&[(b, 3.0), (a, 3.4)]), [b, a]);
        assert!(nearly_best(&[]).is_empty());
    }

    pub(crate) fn row(number: usize, black_lead: f64, lost_points: f64) -> MoveValue {
        MoveValue {
            number,
            color: Color::ALL[(number + 1) % 2],
            mv: Move::Play(Point::new(number % 19, number / 19)),
            black_lead,
            black_win_rate: 0.5,
            lost_points,
            lost_win_rate: 0.0,
            lost_margin: 0.0,
            better: (lost_points > 0.0).then_some(Move::Play(Point::new(number % 19, 18))),
        }
    }

    pub(crate) fn swing(number: usize, lost: f64, kind: MatterKind, area: &str) -> Swing {
        let mut value = row(number, 0.0, lost);
        let points = points_on_19_lines(area);
        // Different mistakes have different better moves at what they are about.
        if let Some(better) = points.iter().nth(number % points.len().max(1)) {
            value.better = Some(Move::Play(better));
        }
        let stones = if kind.is_about_stones() { points } else { PointSet::EMPTY };
        let cause = match points.is_empty() {
            true => Cause::Spread,
            false => Cause::Carried(Box::new(CarryingReason {
                kind,
                side: value.color,
                stones,
                stone: stones.first(),
                apart: [PointSet::EMPTY; 2],
                area: ChangedArea { points, gain: lost },
                around: PointSet::EMPTY,
                place: BoardPlace::of_points(BoardSize::square(19).unwrap(), &points),
                middle: None,
                is_sure: [true; 2],
                share: 1.0,
                points: lost,
            })),
        };
        Swing { value, cause }
    }

    fn size() -> BoardSize {
        BoardSize::square(19).unwrap()
    }

    const FIGHT: &str = "Q16 Q17 R16 R17 P16 P17";

    /// Of a game that is decided by few points, the chance to win says which mistake was the worst.
    #[test]
    fn the_largest_loss_is_that_of_points_and_chance_together() {
        let mut swings = [51, 53].map(|number| swing(number, 4.0, MatterKind::SavesStones, FIGHT));
        swings[0].value.lost_win_rate = 0.03;
        (swings[1].value.lost_points, swings[1].value.lost_win_rate) = (3.0, 0.4);
        let heads = choose_lessons(&swings, size(), Color::Black, 3);
        assert_eq!(heads.len(), 1);
        assert_eq!((heads[0].numbers.as_slice(), heads[0].largest_loss), (&[51, 53][..], [3.0, 0.4]));
    }

    #[test]
    fn mistakes_about_one_place_are_one_lesson() {
        let saves = MatterKind::SavesStones;
        let swings = [
            swing(51, 6.0, saves, FIGHT),
            swing(53, 5.0, MatterKind::BuildsTerritory, "C3 C4 D3"),
            swing(52, 30.0, saves, FIGHT),
            swing(97, 12.0, saves, "R17 R16 S16"),
            swing(141, 7.0, saves, "R17 R16"),
            swing(221, 9.0, saves, FIGHT),
            swing(231, 4.0, saves, ""),
            swing(233, 4.0, saves, ""),
        ];
        let heads = choose_lessons(&swings, size(), Color::Black, 3);
        let told: Vec<(&[usize], usize)> =
            heads.iter().map(|head| (head.numbers.as_slice(), head.key.number)).collect();
        assert_eq!(
            told,
            [(&[51, 97, 141][..], 97), (&[53][..], 53), (&[221][..], 221)],
            "80 moves later it is another"
        );
        assert_eq!((heads[0].lost_points, heads[0].place), (25.0, Some(BoardPlace::UpperRight)));
        let all = choose_lessons(&swings, size(), Color::Black, 9);
        assert_eq!(all.len(), 5, "what is spread over the board belongs to nothing");
        assert_eq!(
            choose_lessons(&swings, size(), Color::White, 3)[0].numbers,
            [52],
            "each player has own lessons"
        );
    }

    /// In a fight that is decided the search may be off by more points than a move loses, and they cost no chance to win.
    #[test]
    fn lessons_go_by_what_is_sure() {
        let mistake = |number: usize, lost: f64, lost_margin: f64, lost_win_rate: f64| {
            let mut mistake = swing(number, lost, MatterKind::SavesStones, "");
            (mistake.value.lost_margin, mistake.value.lost_win_rate) = (lost_margin, lost_win_rate);
            mistake
        };
        let told = |swings: &[Swing], most| -> Vec<usize> {
            choose_lessons(swings, size(), Color::Black, most).iter().map(|head| head.key.number).collect()
        };
        let [noise, points, chances] =
            [mistake(51, 9.0, 18.0, 0.03), mistake(53, 8.0, 4.0, 0.0), mistake(55, 2.0, 4.0, 0.16)];
        assert_eq!(told(&[noise.clone(), points.clone(), chances.clone()], 9), [53, 55]);
        assert_eq!(told(&[noise.clone(), points, chances.clone()], 1), [55], "as much as eight points");
        assert!(told(std::slice::from_ref(&noise), 9).is_empty());
        assert!(
            told(&[mistake(51, 9.0, f64::INFINITY, 0.06)], 9).is_empty(),
            "nothing is known of its points"
        );
        let sure = noise.value.sure_loss() + chances.value.sure_loss();
        assert!((sure - 9.5).abs() < 1e-9, "3 % and 16 % of 50 points: {sure}");
    }

    /// The text tells what the move lost that is explained: the title's largest loss is no less.
    #[test]
    fn the_largest_loss_is_no_less_than_that_of_the_move_that_is_explained() {
        let mut swings = [51, 53].map(|number| swing(number, 12.0, MatterKind::SavesStones, FIGHT));
        (swings[1].value.lost_points, swings[1].value.lost_win_rate) = (10.0, 0.2);
        swings[1].value.lost_margin = 40.0;
        let head = choose_lessons(&swings, size(), Color::Black, 1).remove(0);
        assert_eq!((head.numbers.as_slice(), head.key.number), (&[51, 53][..], 51));
        assert_eq!(head.largest_loss, [12.0, 0.0]);
        let mut third = swing(55, 14.0, MatterKind::SavesStones, FIGHT);
        third.value.lost_margin = 40.0;
        let head = choose_lessons(&[&swings[..], &[third]].concat(), size(), Color::Black, 1).remove(0);
        assert_eq!((head.numbers.as_slice(), head.key.number), (&[51, 53, 55][..], 51));
        assert_eq!(
            head.largest_loss,
            [14.0, 0.0],
            "a third one, of which the searches are unsure, lost more points"
        );
    }

    /// The surest of several mistakes is explained, and the title tells the largest.
    #[test]
    fn a_lesson_is_told_by_its_surest_mistake() {
        let mut largest = swing(51, 12.0, MatterKind::SavesStones, FIGHT);
        largest.value.lost_margin = 14.0;
        let swings = [largest, swing(55, 6.0, MatterKind::SavesStones, FIGHT)];
        let head = choose_lessons(&swings, size(), Color::Black, 1).remove(0);
        assert_eq!((head.numbers.as_slice(), head.key.number), (&[51, 55][..], 55));
        assert_eq!((head.largest_loss, head.lost_points), ([12.0, 0.0], 18.0));
    }

    /// A point that is left open for many moves is one lesson, though other areas carry what each of them lost.
    #[test]
    fn mistakes_with_the_same_better_move_are_one_lesson() {
        let open = |number, area| {
            let mut mistake = swing(number, 9.0, MatterKind::BuildsTerritory, area);
            mistake.value.better = Some(Move::Play(Point::new(12, 4)));
            mistake
        };
        let swings = [open(81, "N5 N6"), open(99, "C3 C4"), open(121, ""), open(191, "R17")];
        let heads = choose_lessons(&swings, size(), Color::Black, 3);
        let numbers: Vec<&[usize]> = heads.iter().map(|head| head.numbers.as_slice()).collect();
        assert_eq!(numbers, [&[81, 99, 121][..], &[191][..]], "70 moves later it is another");
        let mut passes = swings;
        passes.iter_mut().for_each(|swing| swing.value.better = Some(Move::Pass));
        assert_eq!(choose_lessons(&passes, size(), Color::Black, 9).len(), 4, "a pass is no place");
    }

    /// On a small board another fight begins sooner.
    #[test]
    fn lessons_of_small_boards_are_shorter() {
        let size = BoardSize::square(9).unwrap();
        let area = "C3 C4 D3";
        let mistake = |number| swing(number, 5.0, MatterKind::SavesStones, area);
        let count = |last| choose_lessons(&[mistake(11), mistake(last)], size, Color::Black, 9).len();
        assert_eq!((count(23), count(25)), (1, 2));
    }

    #[test]
    fn a_question_needs_a_better_move_at_what_it_is_about() {
        let mut fight = swing(51, 6.0, MatterKind::SavesStones, FIGHT);
        let head =
            |swing: &Swing| choose_lessons(std::slice::from_ref(swing), size(), Color::Black, 1).remove(0);
        assert!(head(&fight).is_answered_there());
        fight.value.better = Some(Move::Play(Point::new(2, 2)));
        assert!(!head(&fight).is_answered_there());
        assert!(!head(&swing(51, 6.0, MatterKind::SavesStones, "")).is_answered_there());
    }

    /// Question, better move and answers are those of the explanation, also where the review has found another move and another matter.
    #[test]
    fn a_lesson_asks_for_the_move_that_its_explanation_tells() {
        let [fight, territory] =
            [(MatterKind::SavesStones, FIGHT), (MatterKind::BuildsTerritory, "C3 C4 D3")]
                .map(|(kind, area)| swing(175, 12.0, kind, area));
        let found = choose_lessons(&[fight], size(), Color::Black, 1).remove(0);
        let (of_review, told) = (found.better_points()[0], Point::new(2, 3));
        let mut lesson = lesson_of_blunder();
        lesson.teaching.cause = territory.cause;
        lesson.teaching.better.as_mut().unwrap().mv = told;
        let Explanation { alternatives, why_not, .. } = &mut lesson.explanation;
        let known = alternatives.iter().chain(why_not.iter()).next().unwrap().clone();
        let compared = |mv: Point, points: f64| {
            let mut other =
                ComparedMove { verdict: MoveVerdict::Better, gain: [points, 0.0], ..known.clone() };
            other.mv.reasons.mv = mv;
            other
        };
        *alternatives = vec![compared(told, 12.0), compared(of_review, 9.0)];
        why_not.clear();
        let head = found.told_as(&lesson.teaching);
        let lesson = Lesson { head, ..lesson };
        assert_eq!(lesson.head.key.better, Some(Move::Play(told)));
        assert_eq!(lesson.head.place, Some(BoardPlace::LowerLeft));
        let question = "Before move 175, Black to play: where is the biggest point?";
        assert_eq!(lesson_question(&lesson.head, Language::English), question);
        assert_eq!(lesson.answers(), [told], "the review's move is three points behind");
    }

    #[test]
    fn a_mistake_that_is_used_is_praised() {
        // White gives 12 points away with move 4.
        let kept: Vec<MoveValue> = (1..=20).map(|n| row(n, if n >= 4 { 12.0 } else { 0.0 }, 0.0)).collect();
        let with_gift = |mut rows: Vec<MoveValue>| {
            rows[3].lost_points = 12.0;
            rows
        };
        let answer = kept[4].mv.point();
        let praise = Praise::UsedMistake { number: 4, mistake: kept[3].mv, points: 12.0, answer };
        assert_eq!(find_praise(&with_gift(kept.clone()), Color::Black), [praise]);
        assert!(find_praise(&with_gift(kept.clone()), Color::White).is_empty());
        assert!(
            find_praise(&with_gift(kept[..4].to_vec()), Color::Black).is_empty(),
            "the game ended with it"
        );
        assert_eq!(find_praise(&with_gift(kept[..5].to_vec()), Color::Black), [praise]);
        let mut answered_badly = with_gift(kept.clone());
        answered_badly[4].better = Some(Move::Pass);
        assert!(find_praise(&answered_badly, Color::Black).is_empty(), "the answer was a mistake, too");
        let mut elsewhere = with_gift(kept.clone());
        elsewhere[4].mv = Move::Play(Point::new(4, 7));
        let only_kept = Praise::UsedMistake { number: 4, mistake: kept[3].mv, points: 12.0, answer: None };
        assert_eq!(find_praise(&elsewhere, Color::Black), [only_kept], "seven lines away");
        let mut lost = kept;
        lost[10..].iter_mut().for_each(|row| row.black_lead = 2.0);
        assert!(find_praise(&with_gift(lost), Color::Black).is_empty(), "it was given back");
    }

    #[test]
    fn many_moves_without_a_loss_are_praised_too() {
        let mut rows: Vec<MoveValue> =
            (1..=60).map(|n| row(n, 0.0, if n == 21 { 2.0 } else { 0.0 })).collect();
        let run = Praise::CleanRun { first: 23, last: 59, count: 19 };
        assert_eq!(find_praise(&rows, Color::Black), [run]);
        assert!(find_praise(&rows[..24], Color::Black).is_empty());
        rows[3].lost_points = 5.0;
        let praise = find_praise(&rows, Color::Black);
        assert!(matches!(praise[..], [Praise::UsedMistake { number: 4, .. }, Praise::CleanRun { .. }]));
    }

    #[test]
    fn a_game_has_parts_that_do_not_come_back() {
        use GamePhase::{Endgame, MiddleGame, Opening};
        let lost = [0.0, 3.0, 1.9, 5.0, 4.0];
        let rows: Vec<MoveValue> = (1..=5).map(|n| row(n, n as f64, lost[n - 1])).collect();
        let parts = summarize_phases(-1.0, &rows, &[Opening, MiddleGame, Opening, Endgame, Endgame], 0);
        let told: Vec<_> = parts
            .iter()
            .map(|part| (part.phase, part.first, part.last, part.lead_before, part.lead_after))
            .collect();
        assert_eq!(
            told,
            [(Opening, 1, 1, -1.0, 1.0), (MiddleGame, 2, 3, 1.0, 3.0), (Endgame, 4, 5, 3.0, 5.0)]
        );
        let worst = |n: usize| parts[n].worst.map(|loss| Some((loss?.number, loss?.points)));
        assert_eq!(worst(0), [None, None]);
        assert_eq!(worst(1), [None, Some((2, 3.0))], "1.9 points are little");
        assert_eq!(worst(2), [Some((5, 4.0)), Some((4, 5.0))]);
    }

    /// With six stones Black leads by 70 points, and the network gives Black 7 chances in 10.
    #[test]
    fn the_first_part_with_a_low_chance_says_so() {
        use GamePhase::{Endgame, MiddleGame, Opening};
        let mut rows: Vec<MoveValue> = (1..=3).map(|n| row(n, 70.0, 0.0)).collect();
        let told = |rows: &[MoveValue], handicap| -> Vec<Option<f64>> {
            let parts = summarize_phases(70.0, rows, &[Opening, MiddleGame, Endgame], handicap);
            parts.iter().map(|part| part.low_chance).collect()
        };
        rows.iter_mut().zip([0.9, 0.72, 0.7]).for_each(|(row, chance)| row.black_win_rate = chance);
        assert_eq!(told(&rows, 6), [None, Some(0.72), None]);
        assert_eq!(told(&rows, 0), [None; 3], "without a handicap nothing explains it");
        rows.iter_mut().for_each(|row| row.black_lead = 15.0);
        assert_eq!(told(&rows, 6), [None; 3], "a lead that may still turn");
    }
}
