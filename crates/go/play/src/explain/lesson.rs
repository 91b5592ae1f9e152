//! What a player learns from a game: mistakes that belong together as one lesson, what went well, and each part of the game in a sentence.
//!
//! All here follows from the values of the moves; [`super::review`] searches for these, [`super::lesson_words`] puts it into words.

use ishi_go::{Color, Move, Point, Position};
use ishi_knowledge::GamePhase;
use ishi_reading::PointSet;

use super::MoveVerdict;
use super::explanation::{ComparedMove, Explanation};
use super::owners::Cause;
use super::place::BoardPlace;
use super::teach::{TaughtLine, Teaching};
use super::value::{MoveValue, worth_in_points};

/// Mistakes of one player belong together if so much of the smaller area is in both.
const OVERLAP: f64 = 1.0 / 3.0;
/// And if no more moves lie between one and the next.
const GAP: usize = 60;
/// What the opponent gave away is kept if so much of it is left after so many moves.
const KEPT: f64 = 0.7;
const KEPT_FOR: usize = 10;
/// A gift is worth praise from so many points on.
const GIFT: f64 = 3.0;
/// So many own moves without a loss are worth praise.
const CLEAN: usize = 15;

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
    fn loss(&self) -> f64 {
        worth_in_points(self.value.lost_points, self.value.lost_win_rate)
    }

    /// The points that it changes; none if no area carries it.
    fn area(&self) -> PointSet {
        self.cause.carrying().map_or(PointSet::EMPTY, |reason| reason.area.points)
    }

    /// Is it about the same place as an earlier one, and soon enough after it?
    fn belongs_to(&self, earlier: &Swing) -> bool {
        let (own, other) = (self.area(), earlier.area());
        let smaller = own.len().min(other.len()) as f64;
        let both = own.intersection(&other).len() as f64;
        smaller > 0.0 && both >= OVERLAP * smaller && self.value.number - earlier.value.number <= GAP
    }
}

/// Mistakes of one player that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct LessonHead {
    /// Whose.
    pub color: Color,
    /// The numbers of the moves, in order.
    pub numbers: Vec<usize>,
    /// The move that lost most.
    pub key: MoveValue,
    /// What all of them lost, in points.
    pub lost_points: f64,
    /// What that move was about.
    pub cause: Cause,
    /// Where.
    pub place: Option<BoardPlace>,
}

/// A lesson: mistakes that belong together, with the one that lost most explained.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// What it is about.
    pub head: LessonHead,
    /// The position before the move that lost most.
    pub position: Position,
    /// All that is known of that move.
    pub explanation: Explanation,
    /// What is said of it.
    pub teaching: Teaching,
}

impl Lesson {
    /// How the better move goes on; the move alone where nothing more is known.
    pub fn better_line(&self) -> Vec<(Color, Point)> {
        match &self.teaching.better {
            Some(better) if !better.moves.is_empty() => better.moves.clone(),
            _ => self.head.better_points().into_iter().map(|point| (self.head.color, point)).collect(),
        }
    }

    /// Moves that answer its question: the better one, then others that the search found nearly as good.
    pub fn answers(&self) -> Vec<Point> {
        let told = self.teaching.better.as_ref().map(|better| better.mv);
        let is_better = |other: &&ComparedMove| other.verdict == MoveVerdict::Better;
        let better = self.explanation.alternatives.iter().filter(is_better);
        let gains: Vec<(Point, f64)> = better.map(|other| (other.mv.reasons.mv, other.gain[0])).collect();
        let mut answers: Vec<Point> = Vec::new();
        for point in told.into_iter().chain(self.head.better_points()).chain(nearly_best(&gains)) {
            if !answers.contains(&point) {
                answers.push(point);
            }
        }
        answers
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

/// Of moves with what they gain in points: those that gain nearly as much as the best of them.
fn nearly_best(gains: &[(Point, f64)]) -> Vec<Point> {
    let best = gains.iter().map(|&(_, gain)| gain).fold(0.0, f64::max);
    let least = f64::max(best - ANSWER_WITHIN, ANSWER_SHARE * best);
    gains.iter().filter(|&&(_, gain)| gain >= least).map(|&(point, _)| point).collect()
}

/// The `most` lessons of a player that cost most, in the order of the game.
pub fn choose_lessons(swings: &[Swing], color: Color, most: usize) -> Vec<LessonHead> {
    let mut groups = group_swings(swings, color);
    let loss = |group: &Vec<&Swing>| group.iter().map(|swing| swing.loss()).sum::<f64>();
    groups.sort_by(|a, b| loss(b).total_cmp(&loss(a)));
    groups.truncate(most);
    let mut heads: Vec<LessonHead> = groups.iter().filter_map(|group| lesson_head(color, group)).collect();
    heads.sort_by_key(|head| head.numbers[0]);
    heads
}

/// The mistakes of a player, those about one place together. `swings` are in the order of the game.
fn group_swings(swings: &[Swing], color: Color) -> Vec<Vec<&Swing>> {
    let mut groups: Vec<Vec<&Swing>> = Vec::new();
    for swing in swings.iter().filter(|swing| swing.value.color == color) {
        let belongs = |group: &&mut Vec<&Swing>| group.iter().any(|earlier| swing.belongs_to(earlier));
        match groups.iter_mut().rev().find(belongs) {
            Some(group) => group.push(swing),
            None => groups.push(vec![swing]),
        }
    }
    groups
}

fn lesson_head(color: Color, group: &[&Swing]) -> Option<LessonHead> {
    let key = group.iter().max_by(|a, b| a.loss().total_cmp(&b.loss()))?;
    Some(LessonHead {
        color,
        numbers: group.iter().map(|swing| swing.value.number).collect(),
        key: key.value,
        lost_points: group.iter().map(|swing| swing.value.lost_points).sum(),
        place: key.cause.carrying().map(|reason| reason.place),
        cause: key.cause.clone(),
    })
}

impl LessonHead {
    /// What is asked about beside the move that was played: the better move, if it is no pass.
    pub(super) fn better_points(&self) -> Vec<Point> {
        self.key.better.and_then(Move::point).into_iter().collect()
    }
}

/// What a player did well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Praise {
    /// The player kept what the opponent gave away.
    KeptGift {
        /// The opponent's mistake.
        number: usize,
        /// What it lost, in points.
        points: f64,
    },
    /// Many own moves in a row lost nothing.
    CleanRun {
        /// The first of them.
        first: usize,
        /// The last of them.
        last: usize,
    },
}

/// What a player did best: the largest gift that was kept, or else the longest run without a loss. None if there is neither.
pub fn find_praise(moves: &[MoveValue], color: Color) -> Option<Praise> {
    let is_gift = |row: &&MoveValue| row.color != color && row.lost_points >= GIFT && keeps_gift(moves, row);
    let gift = moves.iter().filter(is_gift).max_by(|a, b| a.lost_points.total_cmp(&b.lost_points));
    gift.map(|row| Praise::KeptGift { number: row.number, points: row.lost_points })
        .or_else(|| longest_clean_run(moves, color))
}

/// Is most of what a move gave away left some moves later, or at the end? Who has not moved since has kept nothing.
fn keeps_gift(moves: &[MoveValue], gift: &MoveValue) -> bool {
    if moves[gift.number..].iter().all(|row| row.color == gift.color) {
        return false;
    }
    let lead = |row: &MoveValue| if gift.color == Color::Black { -row.black_lead } else { row.black_lead };
    let later = &moves[(gift.number - 1 + KEPT_FOR).min(moves.len() - 1)];
    lead(later) >= lead(gift) - (1.0 - KEPT) * gift.lost_points
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
    (best.len() >= CLEAN).then_some(Praise::CleanRun { first, last })
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
}

/// The parts of a game. `phases` are those of the positions before each move; a game does not go back to an earlier one.
pub fn summarize_phases(start_lead: f64, moves: &[MoveValue], phases: &[GamePhase]) -> Vec<PhaseSummary> {
    let mut parts: Vec<PhaseSummary> = Vec::new();
    let order = |phase: GamePhase| phase as u8;
    let mut lead = start_lead;
    for (row, &phase) in moves.iter().zip(phases) {
        match parts.last_mut() {
            Some(part) if order(phase) <= order(part.phase) => {
                (part.last, part.lead_after) = (row.number, row.black_lead);
            }
            _ => parts.push(PhaseSummary {
                phase,
                first: row.number,
                last: row.number,
                lead_before: lead,
                lead_after: row.black_lead,
            }),
        }
        lead = row.black_lead;
    }
    parts
}

#[cfg(test)]
pub(super) mod tests {
    use ishi_go::BoardSize;

    use super::super::owners::{CarryingReason, ChangedArea, MatterKind};
    use super::*;

    fn points(vertices: &str) -> PointSet {
        let size = BoardSize::square(19).unwrap();
        vertices.split_whitespace().map(|vertex| size.parse_point(vertex).unwrap()).collect()
    }

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
            better: (lost_points > 0.0).then_some(Move::Play(Point::new(16, 16))),
        }
    }

    pub(crate) fn swing(number: usize, lost: f64, kind: MatterKind, area: &str) -> Swing {
        let value = row(number, 0.0, lost);
        let points = points(area);
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
                place: BoardPlace::of_points(BoardSize::square(19).unwrap(), &points),
                middle: None,
                is_sure: [true; 2],
                share: 1.0,
                points: lost,
            })),
        };
        Swing { value, cause }
    }

    const FIGHT: &str = "Q16 Q17 R16 R17 P16 P17";

    #[test]
    fn mistakes_about_one_place_are_one_lesson() {
        let saves = MatterKind::SavesStones;
        let swings = [
            swing(51, 6.0, saves, FIGHT),
            swing(53, 3.0, MatterKind::BuildsTerritory, "C3 C4 D3"),
            swing(52, 30.0, saves, FIGHT),
            swing(97, 12.0, saves, "R17 R16 S16"),
            swing(141, 7.0, saves, "R17 R16"),
            swing(221, 9.0, saves, FIGHT),
            swing(231, 2.0, saves, ""),
            swing(233, 2.0, saves, ""),
        ];
        let heads = choose_lessons(&swings, Color::Black, 3);
        let told: Vec<(&[usize], usize)> =
            heads.iter().map(|head| (head.numbers.as_slice(), head.key.number)).collect();
        assert_eq!(
            told,
            [(&[51, 97, 141][..], 97), (&[53][..], 53), (&[221][..], 221)],
            "80 moves later it is another"
        );
        assert_eq!((heads[0].lost_points, heads[0].place), (25.0, Some(BoardPlace::UpperRight)));
        let all = choose_lessons(&swings, Color::Black, 9);
        assert_eq!(all.len(), 5, "what is spread over the board belongs to nothing");
        assert_eq!(choose_lessons(&swings, Color::White, 3)[0].numbers, [52], "each player has own lessons");
    }

    #[test]
    fn a_gift_that_is_kept_is_praised() {
        // White gives 12 points away with move 4.
        let kept: Vec<MoveValue> = (1..=20).map(|n| row(n, if n >= 4 { 12.0 } else { 0.0 }, 0.0)).collect();
        let with_gift = |mut rows: Vec<MoveValue>| {
            rows[3].lost_points = 12.0;
            rows
        };
        let praise = Praise::KeptGift { number: 4, points: 12.0 };
        assert_eq!(find_praise(&with_gift(kept.clone()), Color::Black), Some(praise));
        assert_eq!(find_praise(&with_gift(kept.clone()), Color::White), None);
        assert_eq!(find_praise(&with_gift(kept[..4].to_vec()), Color::Black), None, "the game ended with it");
        assert_eq!(find_praise(&with_gift(kept[..5].to_vec()), Color::Black), Some(praise));
        let mut lost = kept;
        lost[10..].iter_mut().for_each(|row| row.black_lead = 2.0);
        assert_eq!(find_praise(&with_gift(lost), Color::Black), None, "it was given back");
    }

    #[test]
    fn many_moves_without_a_loss_are_praised() {
        let rows: Vec<MoveValue> = (1..=60).map(|n| row(n, 0.0, if n == 21 { 2.0 } else { 0.0 })).collect();
        assert_eq!(find_praise(&rows, Color::Black), Some(Praise::CleanRun { first: 23, last: 59 }));
        assert_eq!(find_praise(&rows[..24], Color::Black), None);
    }

    #[test]
    fn a_game_has_parts_that_do_not_come_back() {
        use GamePhase::{Endgame, MiddleGame, Opening};
        let rows: Vec<MoveValue> = (1..=5).map(|n| row(n, n as f64, 0.0)).collect();
        let parts = summarize_phases(-1.0, &rows, &[Opening, MiddleGame, Opening, Endgame, Endgame]);
        let told: Vec<_> = parts
            .iter()
            .map(|part| (part.phase, part.first, part.last, part.lead_before, part.lead_after))
            .collect();
        assert_eq!(
            told,
            [(Opening, 1, 1, -1.0, 1.0), (MiddleGame, 2, 3, 1.0, 3.0), (Endgame, 4, 5, 3.0, 5.0)]
        );
    }
}
