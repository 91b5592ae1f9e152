//! A whole game: what each move lost, where the lead changed hands, and what is learned from that ([`super::lesson`]).

use ishi_go::{Color, Move, Position};
use ishi_knowledge::{Analysis, GamePhase, NoOracle};
use ishi_reading::PointSet;
use ishi_words::Language;

use super::answer_tree::LessonTrees;
use super::lesson::{Lesson, LessonHead, PhaseSummary, Praise, Swing};
use super::lesson::{find_praise, rank_lessons, summarize_phases};
use super::owners::{CarryingReason, Cause, OwnerChange, OwnerMap};
use super::teach::{MoveSizes, Teaching, VerdictKind, teach_move};
use super::value::worth_in_points;
use super::{Explainer, MoveVerdict, PositionValue, position_after};

pub use super::value::MoveValue;

/// Standard errors by which a move has to be worse than the best one before it has lost something: a game has some hundred moves.
const SURE: f64 = 2.5;

/// Standard errors by which other searches have to find it worse, too.
const CONFIRMED: f64 = 1.0;

/// A new leader has to stay ahead for so many moves, or to the end.
const STAYS: usize = 10;

/// Who is ahead wins at least so much more than half of the playouts, in the mean of those moves.
const AHEAD: f64 = 0.05;

/// How bad a move is, by what it lost of the probability of winning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LossClass {
    /// 7 % and more.
    Doubtful,
    /// 15 % and more.
    Mistake,
    /// 30 % and more.
    Blunder,
}

impl LossClass {
    /// The class of a move that lost so much of the probability of winning, 0 to 1; none for small losses.
    ///
    /// ```
    /// use ishi_go_play::explain::review::LossClass;
    /// assert_eq!(LossClass::from_lost_win_rate(0.2), Some(LossClass::Mistake));
    /// assert_eq!(LossClass::from_lost_win_rate(0.05), None);
    /// ```
    pub fn from_lost_win_rate(lost: f64) -> Option<LossClass> {
        let classes = [(0.30, LossClass::Blunder), (0.15, LossClass::Mistake), (0.07, LossClass::Doubtful)];
        classes.into_iter().find(|(least, _)| lost >= *least).map(|(_, class)| class)
    }

    /// The sign that annotators write: `??`, `?` or `?!`.
    pub fn sign(self) -> &'static str {
        match self {
            LossClass::Doubtful => "?!",
            LossClass::Mistake => "?",
            LossClass::Blunder => "??",
        }
    }

    /// What the sign means.
    pub fn name(self, language: Language) -> &'static str {
        match self {
            LossClass::Doubtful => language.choose("doubtful", "疑問手"),
            LossClass::Mistake => language.choose("mistake", "悪手"),
            LossClass::Blunder => language.choose("blunder", "大悪手"),
        }
    }
}

/// What is known of a game's moves, and what is learned from it. Command, page and record show it each in its own way.
#[derive(Clone, Debug)]
pub struct GameReview {
    /// All moves.
    pub moves: Vec<MoveValue>,
    /// Numbers of the moves after which another side is ahead, see [`find_turning_points`].
    pub turning_points: Vec<usize>,
    /// The lessons of those who asked for them, in the order of the game.
    pub lessons: Vec<Lesson>,
    /// What went well, for each of them: up to three things.
    pub praise: Vec<(Color, Praise)>,
    /// The parts of the game.
    pub phases: Vec<PhaseSummary>,
}

/// Whose lessons are wanted.
#[derive(Clone, Copy, Debug)]
pub struct LessonWish {
    /// Of this player; none: of both.
    pub player: Option<Color>,
    /// So many of each at most.
    pub most: usize,
}

impl LessonWish {
    /// The players whose lessons are wanted.
    pub fn players(self) -> Vec<Color> {
        self.player.map_or(Color::ALL.to_vec(), |player| vec![player])
    }
}

/// Reviews a game: values of all moves ([`review_moves`]), and what is learned from them ([`super::lesson`]).
///
/// `position` and `goes_on` are as in [`review_moves`]; `goes_on` is asked before each explanation, too.
///
/// # Errors
/// Those of `position`.
pub fn review_game<E>(
    explainer: &mut Explainer,
    moves: &[(Color, Move)],
    wish: LessonWish,
    position: impl FnMut(usize) -> Result<Position, E>,
    mut goes_on: impl FnMut(usize) -> bool,
) -> Result<Option<GameReview>, E> {
    review_game_row_by_row(explainer, moves, wish, position, |done, _| goes_on(done))
}

/// The same for whoever shows a review while it grows: `goes_on` hears the rows that are known, too. A judge that likes many questions counts
/// moves by its answers before there is any row, and the rows come once more from the first.
///
/// # Errors
/// Those of `position`.
pub fn review_game_row_by_row<E>(
    explainer: &mut Explainer,
    moves: &[(Color, Move)],
    wish: LessonWish,
    mut position: impl FnMut(usize) -> Result<Position, E>,
    mut goes_on: impl FnMut(usize, &[MoveValue]) -> bool,
) -> Result<Option<GameReview>, E> {
    let Some(reviewed) = review_moves_row_by_row(explainer, moves, &mut position, &mut goes_on)? else {
        return Ok(None);
    };
    let start = position(0)?;
    let (size, handicap) = (start.size(), start.handicap());
    let ranked = wish.players().into_iter().map(|color| (color, rank_lessons(&reviewed.swings, size, color)));
    let mut waiting = WaitingLessons { ranked: ranked.collect(), most: wish.most };
    let mut lessons = Vec::new();
    loop {
        let heads = waiting.take_next(&lessons);
        if heads.is_empty() {
            break;
        }
        for head in heads {
            if !goes_on(moves.len(), &reviewed.moves) {
                return Ok(None);
            }
            let position = position(head.key.number - 1)?;
            add_lesson(&mut lessons, explain_lesson(explainer, head, position));
        }
    }
    lessons.sort_by_key(|lesson| lesson.head.numbers[0]);
    // An explanation that was stopped is none.
    if !goes_on(moves.len(), &reviewed.moves) || explainer.is_stopped() {
        return Ok(None);
    }
    let ReviewedMoves { moves, phases, start_lead, .. } = reviewed;
    let told = |color| lessons.iter().filter(|lesson: &&Lesson| lesson.head.color == color).count();
    let praise = |color| {
        let few = Some(Praise::FewMistakes { lessons: told(color) }).filter(|_| told(color) < wish.most);
        find_praise(&moves, color).into_iter().chain(few).map(move |praise| (color, praise))
    };
    let praise = wish.players().into_iter().flat_map(praise).collect();
    Ok(Some(GameReview {
        turning_points: find_turning_points(&moves),
        lessons,
        praise,
        phases: summarize_phases(start_lead, &moves, &phases, handicap),
        moves,
    }))
}

/// What may be lessons of each player, the surest first, and how many of each player are wanted.
struct WaitingLessons {
    ranked: Vec<(Color, Vec<LessonHead>)>,
    most: usize,
}

impl WaitingLessons {
    /// The next ones to explain, in the order of the game: as many as are lacking beside these. Lessons that turned out to teach the same
    /// leave room for others.
    fn take_next(&mut self, told: &[Lesson]) -> Vec<LessonHead> {
        let mut next = Vec::new();
        for (color, heads) in &mut self.ranked {
            let count = told.iter().filter(|lesson| lesson.head.color == *color).count();
            let lacking = self.most.saturating_sub(count).min(heads.len());
            next.extend(heads.drain(..lacking));
        }
        next.sort_by_key(|head| head.numbers[0]);
        next
    }
}

/// Adds a lesson, or its mistakes to one that teaches the same.
fn add_lesson(lessons: &mut Vec<Lesson>, lesson: Lesson) {
    match lessons.iter_mut().find(|known| known.teaches_same(&lesson)) {
        Some(known) => known.join_lesson(lesson),
        None => lessons.push(lesson),
    }
}

/// Explains the move of a lesson whose loss is the surest, beside the better one.
fn explain_lesson(explainer: &mut Explainer, head: LessonHead, position: Position) -> Lesson {
    let explanation = explainer.explain_move(&position, Some(head.key.mv), &head.better_points());
    let mut teaching = teach_move(&explanation);
    if teaching.verdict.kind == VerdictKind::Loses {
        tell_loss_of_review(&mut teaching, &head.key);
    }
    let head = head.told_as(&teaching);
    let trees = LessonTrees::grow(&explanation, head.better_points().first().copied(), &*explainer.stop);
    Lesson { head, position, explanation, teaching, trees }
}

/// What a bad move lost is told as what both searches of the review say.
fn tell_loss_of_review(teaching: &mut Teaching, key: &MoveValue) {
    teaching.verdict.points = key.lost_points;
    teaching.verdict.win_rate = key.lost_win_rate;
    teaching.verdict.error /= std::f64::consts::SQRT_2;
    let sizes = teaching.sizes.map(|sizes| MoveSizes { better: sizes.own + key.lost_points, ..sizes });
    keep_parts_below(teaching, key.lost_points);
    // The explanation has chosen which sizes are told, those of a move that tempts among them. By this loss the better move may be small.
    teaching.sizes = sizes.filter(MoveSizes::is_big);
}

/// No part of a loss is more than the whole of it, and two parts that lie apart are no more than it together. Stones within the first
/// part's area are counted there already, so they have the whole as their bound.
fn keep_parts_below(teaching: &mut Teaching, whole: f64) {
    let keep_below = |reason: &mut CarryingReason, most: f64| {
        reason.points = reason.points.min(most);
        reason.share = (reason.points / whole).min(1.0);
    };
    let first = teaching.cause.carrying_mut().map(|reason| {
        keep_below(reason, whole);
        (reason.points, reason.area.points)
    });
    if let Some(besides) = &mut teaching.besides {
        let lies_apart = |area: &PointSet| area.intersection(&besides.area.points).is_empty();
        let taken = first.filter(|(_, area)| lies_apart(area)).map_or(0.0, |(points, _)| points);
        keep_below(besides, whole - taken);
    }
}

/// The moves of a game with their values, and the mistakes among them with what they were about.
#[derive(Clone, Debug)]
pub struct ReviewedMoves {
    /// All moves.
    pub moves: Vec<MoveValue>,
    /// Those that lost something, in the order of the game.
    pub swings: Vec<Swing>,
    /// Black's lead before the first move, in points.
    pub start_lead: f64,
    /// How far the game is before each move.
    pub phases: Vec<GamePhase>,
}

/// The moves of a game with their values: a search for every position, and one after the best move wherever another was played and
/// the value has fallen. What a move loses is the difference between two searches of equal size: after it, and after the best move. Of
/// some hundred such differences a few are large by chance, so that a loss is told only if two other searches, of the mirror images of
/// these positions, confirm it; what is told is what both say at least, as large differences are too large as a rule.
///
/// `position` gives the position after so many moves; `goes_on` hears how many moves are done, and stops the review by `false`, which
/// gives `None`.
///
/// # Errors
/// Those of `position`.
pub fn review_moves<E>(
    explainer: &Explainer,
    moves: &[(Color, Move)],
    position: impl FnMut(usize) -> Result<Position, E>,
    mut goes_on: impl FnMut(usize) -> bool,
) -> Result<Option<ReviewedMoves>, E> {
    review_moves_row_by_row(explainer, moves, position, |done, _| goes_on(done))
}

fn review_moves_row_by_row<E>(
    explainer: &Explainer,
    moves: &[(Color, Move)],
    mut position: impl FnMut(usize) -> Result<Position, E>,
    mut goes_on: impl FnMut(usize, &[MoveValue]) -> bool,
) -> Result<Option<ReviewedMoves>, E> {
    ask_ahead_about_game(explainer, moves, &mut position, |done: usize| goes_on(done, &[]))?;
    let mut here = position(0)?;
    let (mut before, _) = explainer.judge_position(&here);
    let mut reviewed =
        ReviewedMoves { moves: Vec::new(), swings: Vec::new(), start_lead: before.lead, phases: Vec::new() };
    for (n, &(color, mv)) in moves.iter().enumerate() {
        if !goes_on(n, &reviewed.moves) {
            return Ok(None);
        }
        let next = position(n + 1)?;
        let (after, owners) = explainer.judge_position(&next);
        let sides = [before, after].map(|value| value.for_side(color));
        let better = before.best.filter(|&best| best != mv && has_value_fallen(sides));
        let best_after = better.and_then(|best| explainer.judge_after(&here, best));
        let best_value = best_after.as_ref().map(|(value, _)| *value);
        let row = move_value(n + 1, (color, mv), after, better.zip(best_value));
        let row = confirm_in_mirror(explainer, &here, row);
        if row.better.is_some() {
            let best_owners = best_after.and_then(|(_, owners)| owners);
            let cause = find_swing_cause(&here, &row, best_owners.zip(owners));
            reviewed.swings.push(Swing { value: row, cause });
        }
        reviewed.moves.push(row);
        reviewed.phases.push(GamePhase::from_stones(&here));
        (before, here) = (after, next);
        if explainer.is_stopped() {
            return Ok(None);
        }
    }
    Ok(Some(reviewed))
}

/// What a move of the side to move is beside a better one, by the searches by which reviews find losses: one that the mirror images do not
/// confirm is none, and then nothing is better. None if one of the moves is illegal.
pub(super) fn compare_with_better(
    explainer: &Explainer,
    position: &Position,
    mv: Move,
    better: Move,
) -> Option<MoveValue> {
    let both: Vec<Position> =
        [mv, better].into_iter().filter_map(|mv| position_after(position, mv)).collect();
    explainer.ask_ahead(&both, &mut |_| {});
    let [own, best] = [explainer.value_after(position, mv)?, explainer.value_after(position, better)?];
    let number = position.moves().len() + 1;
    let row = move_value(number, (position.to_move(), mv), own, Some((better, best)));
    Some(confirm_in_mirror(explainer, position, row))
}

/// What a mistake was about: whose the points are after the better move, and after it.
fn find_swing_cause(position: &Position, row: &MoveValue, owners: Option<(OwnerMap, OwnerMap)>) -> Cause {
    let Some((gaining, losing)) = owners else { return Cause::Unknown };
    let analysis = Analysis::analyze(position, &mut NoOracle);
    let change = OwnerChange { analysis: &analysis, side: row.color, gaining: &gaining, losing: &losing };
    change.find_cause(row.lost_points)
}

/// The same row, if other searches say that something was lost, too; else it lost nothing.
fn confirm_in_mirror(explainer: &Explainer, before: &Position, row: MoveValue) -> MoveValue {
    let Some(better) = row.better else { return row };
    let values = [row.mv, better].map(|mv| explainer.value_of_image_after(before, mv));
    match values {
        [Some(own), Some(best)] => confirm_loss(row, own.for_side(row.color), best.for_side(row.color)),
        // A record may have moves that break the rules: those cannot be searched once more.
        _ => row,
    }
}

/// What a move lost at least by two pairs of searches, of which `row` has the first; nothing, if the second does not say so. Values are its
/// side's.
fn confirm_loss(row: MoveValue, own: PositionValue, best: PositionValue) -> MoveValue {
    if own.compare_with(&best, CONFIRMED) != MoveVerdict::Worse {
        return MoveValue { lost_points: 0.0, lost_win_rate: 0.0, lost_margin: 0.0, better: None, ..row };
    }
    let [points, share] = best.difference_from(&own);
    MoveValue {
        lost_points: row.lost_points.min(points).max(0.0),
        lost_win_rate: row.lost_win_rate.min(share).max(0.0),
        lost_margin: f64::midpoint(row.lost_margin, best.margin_beside(&own)),
        ..row
    }
}

/// What a judge that likes many questions is asked at once, one after the other.
#[derive(Clone, Copy)]
enum AskedPart {
    /// All positions of the game.
    Positions,
    /// Those after the moves that may be better.
    BetterMoves,
    /// The mirror images that confirm losses.
    Images,
}

impl AskedPart {
    /// How many of the game's moves are worth what is answered by now. How much is asked in the end shows only late: about as much again as
    /// the game has positions. So these are half of it, and the other parts a quarter each.
    fn moves_done(self, moves: usize, answered: usize, asked: usize) -> usize {
        let [from, to] = match self {
            AskedPart::Positions => [0, 2],
            AskedPart::BetterMoves => [2, 3],
            AskedPart::Images => [3, 4],
        };
        moves * (from * asked + (to - from) * answered) / (4 * asked.max(1))
    }
}

/// A judge that likes many questions gets all positions of the game at once, then those after all better moves, and then the mirror images that
/// confirm losses. Its answers are kept. `goes_on` hears how many moves these are worth.
fn ask_ahead_about_game<E>(
    explainer: &Explainer,
    moves: &[(Color, Move)],
    position: impl FnMut(usize) -> Result<Position, E>,
    mut goes_on: impl FnMut(usize) -> bool,
) -> Result<(), E> {
    if !explainer.likes_many() {
        return Ok(());
    }
    let mut ask = |part: AskedPart, positions: &[Position]| {
        explainer.ask_ahead(positions, &mut |answered| {
            goes_on(part.moves_done(moves.len(), answered, positions.len()));
        });
    };
    let positions = (0..=moves.len()).map(position).collect::<Result<Vec<Position>, E>>()?;
    ask(AskedPart::Positions, &positions);
    let values: Vec<PositionValue> =
        positions.iter().map(|position| explainer.value_of_position(position)).collect();
    let better_moves = moves.iter().enumerate().filter_map(|(n, &(color, mv))| {
        let sides = [values[n], values[n + 1]].map(|value| value.for_side(color));
        let better = values[n].best.filter(|&best| best != mv && has_value_fallen(sides))?;
        Some((n, better, position_after(&positions[n], better)?))
    });
    let better_moves: Vec<(usize, Move, Position)> = better_moves.collect();
    let after_better: Vec<Position> = better_moves.iter().map(|(_, _, after)| after.clone()).collect();
    ask(AskedPart::BetterMoves, &after_better);
    let loses = |(n, better, after): &&(usize, Move, Position)| {
        let best = (*better, explainer.value_of_position(after));
        move_value(n + 1, moves[*n], values[n + 1], Some(best)).better.is_some()
    };
    let images = better_moves
        .iter()
        .filter(loses)
        .flat_map(|(n, _, after)| [&positions[n + 1], after].map(Explainer::image_of_position));
    ask(AskedPart::Images, &images.collect::<Vec<Position>>());
    Ok(())
}

fn has_value_fallen([before, after]: [PositionValue; 2]) -> bool {
    worth_in_points(after.lead, after.win_rate) < worth_in_points(before.lead, before.win_rate)
}

/// `best` is the best move and Black's value after it.
fn move_value(
    number: usize,
    (color, mv): (Color, Move),
    after: PositionValue,
    best: Option<(Move, PositionValue)>,
) -> MoveValue {
    let mut row = MoveValue {
        number,
        color,
        mv,
        black_lead: after.lead,
        black_win_rate: after.win_rate,
        lost_points: 0.0,
        lost_win_rate: 0.0,
        lost_margin: 0.0,
        better: None,
    };
    if let Some((better, best)) = best {
        let (own, best) = (after.for_side(color), best.for_side(color));
        if own.compare_with(&best, SURE) == MoveVerdict::Worse {
            let [points, win_rate] = best.difference_from(&own);
            row.lost_points = points.max(0.0);
            row.lost_win_rate = win_rate.max(0.0);
            row.lost_margin = best.margin_beside(&own);
            row.better = Some(better);
        }
    }
    row
}

/// Numbers of the moves after which another side is clearly ahead, and stays ahead for ten moves at least or to the end.
pub fn find_turning_points(rows: &[MoveValue]) -> Vec<usize> {
    let rates: Vec<f64> = rows.iter().map(|row| row.black_win_rate).collect();
    let leads = |rate: f64| if rate > 0.5 { Color::Black } else { Color::White };
    let mut found = Vec::new();
    let mut leader = None;
    for number in 1..=rates.len() {
        let (now, share, _) = find_leader(&rates, number);
        let stays = next_win_rates(&rates, number).iter().all(|&later| leads(later) == now);
        if Some(now) != leader && stays && share - 0.5 >= AHEAD {
            // Who is ahead first has turned nothing.
            if leader.is_some() {
                found.push(number);
            }
            leader = Some(now);
        }
    }
    found
}

/// Black's win rates after a move (from 1) and the next ones: what is looked at for a turning point.
fn next_win_rates(black_win_rates: &[f64], number: usize) -> &[f64] {
    &black_win_rates[number - 1..black_win_rates.len().min(number - 1 + STAYS)]
}

/// Who is ahead from a move (from 1) on, the mean of its win rates by which turning points are found, and of how many moves.
///
/// # Panics
/// If there is no such move.
pub fn find_leader(black_win_rates: &[f64], number: usize) -> (Color, f64, usize) {
    let next = next_win_rates(black_win_rates, number);
    let black = next.iter().sum::<f64>() / next.len() as f64;
    let (leader, share) = if black > 0.5 { (Color::Black, black) } else { (Color::White, 1.0 - black) };
    (leader, share, next.len())
}

/// What a move lost, in points and of the probability of winning, as one number: by which moves are held against each other.
pub fn combined_loss(points: f64, win_rate: f64) -> f64 {
    worth_in_points(points, win_rate)
}

#[cfg(test)]
mod tests {
    use ishi_go::Point;

    use super::super::lesson::tests::swing;
    use super::super::owners::MatterKind;
    use super::super::scripted::lesson_of_blunder;
    use super::*;

    fn value(win_rate: f64) -> PositionValue {
        PositionValue {
            lead: 100.0 * win_rate,
            win_rate,
            lead_error: 0.5,
            win_rate_error: 0.01,
            ..PositionValue::default()
        }
    }

    /// A game with these win rates of Black after its moves; `best` those after the moves that would have been best.
    fn game(win_rates: &[f64], best: &[f64]) -> Vec<MoveValue> {
        let mv = |n: usize| (Color::ALL[n % 2], Move::Play(Point::new(n % 9, n / 9)));
        let best = |n: usize| best.get(n).map(|&rate| (Move::Play(Point::new(8, 8)), value(rate)));
        (0..win_rates.len()).map(|n| move_value(n + 1, mv(n), value(win_rates[n]), best(n))).collect()
    }

    #[test]
    fn a_lead_that_does_not_last_is_no_turning_point() {
        let mut rates = vec![0.6; 30];
        rates[10] = 0.4;
        assert_eq!(find_turning_points(&game(&rates, &[])), Vec::<usize>::new());
        rates[20..].fill(0.3);
        assert_eq!(find_turning_points(&game(&rates, &[])), [21]);
    }

    #[test]
    fn a_game_that_hangs_in_the_balance_has_no_turning_point() {
        let mut rates = vec![0.6; 30];
        rates[12..].fill(0.48);
        assert_eq!(find_turning_points(&game(&rates, &[])), Vec::<usize>::new());
        rates[25..].fill(0.3);
        assert_eq!(find_turning_points(&game(&rates, &[])), [18], "from where the mean of ten moves says so");
        let (leader, share, moves) = find_leader(&rates, 18);
        assert_eq!((leader, moves), (Color::White, 10));
        assert!((share - (8.0 * 0.52 + 2.0 * 0.7) / 10.0).abs() < 1e-9, "{share}");
        assert_eq!(find_leader(&rates, 27).2, 4, "to the end of the game");
    }

    #[test]
    fn a_loss_within_the_noise_is_none() {
        // Black's moves have odd numbers and lose where the best is higher, White's where it is lower.
        let rows = game(&[0.4, 0.4, 0.1, 0.9, 0.89], &[0.5, 0.4, 0.4, 0.1, 0.9]);
        let lost: Vec<usize> = rows.iter().filter(|row| row.better.is_some()).map(|row| row.number).collect();
        assert_eq!(lost, [1, 3, 4]);
        assert_eq!((rows[4].lost_points, rows[4].better), (0.0, None));
        assert!((rows[0].lost_points - 10.0).abs() < 1e-9);
    }

    /// Of hundreds of differences some are large by chance.
    #[test]
    fn a_loss_is_told_only_if_other_searches_confirm_it() {
        let margins = |own, best| {
            let margin = |rate, lead_margin| PositionValue { lead_margin, ..value(rate) };
            let best = (Move::Play(Point::new(8, 8)), margin(0.5, best));
            move_value(1, (Color::Black, Move::Pass), margin(0.4, own), Some(best))
        };
        let row = margins(3.0, 4.0);
        let confirmed = confirm_loss(row, value(0.44), value(0.5));
        assert!((confirmed.lost_points - 6.0).abs() < 1e-9, "the smaller of both: {confirmed:?}");
        assert!((confirmed.lost_win_rate - 0.06).abs() < 1e-9 && confirmed.better.is_some());
        let larger = confirm_loss(row, value(0.3), value(0.5));
        assert!((larger.lost_points - 10.0).abs() < 1e-9 && (larger.lost_win_rate - 0.1).abs() < 1e-9);
        let wide = PositionValue { lead_margin: 4.0, ..value(0.44) };
        assert!((row.lost_margin - 5.0).abs() < 1e-9, "3 and 4: {row:?}");
        let confirmed = confirm_loss(row, wide, PositionValue { lead_margin: 0.0, ..value(0.5) });
        assert!((confirmed.lost_margin - 4.5).abs() < 1e-9, "the mean of both: {confirmed:?}");
        let refuted = confirm_loss(row, value(0.5), value(0.5));
        assert_eq!((refuted.lost_points, refuted.lost_win_rate, refuted.better), (0.0, 0.0, None));
        assert!(refuted.lost_margin.abs() < 1e-9);
        assert_eq!(refuted.black_lead, row.black_lead);
    }

    /// Where a bad move tempts, both sizes are told though they are not far apart; of a small one nothing is told.
    #[test]
    fn sizes_that_the_explanation_has_chosen_are_told_of_a_lesson() {
        let lesson = lesson_of_blunder();
        let told = |own: f64| {
            let mut teaching = lesson.teaching.clone();
            teaching.sizes = Some(MoveSizes { own, better: own + 5.0 });
            let key = MoveValue { lost_points: 4.0, lost_win_rate: 0.1, ..lesson.head.key };
            tell_loss_of_review(&mut teaching, &key);
            assert_eq!((teaching.verdict.points, teaching.verdict.win_rate), (4.0, 0.1));
            teaching.sizes
        };
        // What the explanation's own search counts in one place is no more than what the review says of all.
        let parts = |first: (f64, &str), second: (f64, &str)| {
            let mut teaching = lesson.teaching.clone();
            let part = |(lost, area): (f64, &str)| swing(51, lost, MatterKind::BuildsTerritory, area).cause;
            (teaching.cause, teaching.besides) = (part(first), part(second).carrying().copied());
            let key = MoveValue { lost_points: 10.0, lost_win_rate: 0.1, ..lesson.head.key };
            tell_loss_of_review(&mut teaching, &key);
            let told = [teaching.cause.carrying(), teaching.besides.as_ref()].map(Option::unwrap);
            assert!(told.iter().all(|part| (part.share - part.points / 10.0).abs() < 1e-9), "{told:?}");
            told.map(|part| part.points)
        };
        assert_eq!(parts((12.0, "D4 E4"), (3.0, "D4 E4")), [10.0, 3.0], "the second is counted in the first");
        assert_eq!(parts((7.0, "D4 E4"), (5.0, "Q16 R16")), [7.0, 3.0], "both are parts of the loss");
        assert_eq!(told(10.0), Some(MoveSizes { own: 10.0, better: 14.0 }));
        assert_eq!(told(-3.0), None, "the better move gains a point");
    }

    /// Two mistakes that are far apart in the game, and have the same answer for the same stones when they are explained, are one lesson.
    #[test]
    fn lessons_that_teach_the_same_are_one() {
        let template = lesson_of_blunder();
        let lesson = |number: usize, lost: f64, answer: usize, stones: &str| {
            let mut lesson = template.clone();
            let swing = swing(number, lost, MatterKind::SavesStones, stones);
            let value = MoveValue { better: Some(Move::Play(Point::new(answer, 16))), ..swing.value };
            let swing = super::super::lesson::Swing { value, cause: swing.cause };
            let size = ishi_go::BoardSize::square(19).unwrap();
            lesson.head = rank_lessons(&[swing], size, Color::Black).remove(0);
            lesson
        };
        let stones = "N14 N15 M14";
        let told = |added: [Lesson; 2]| {
            let mut lessons = Vec::new();
            added.into_iter().for_each(|lesson| add_lesson(&mut lessons, lesson));
            lessons
        };
        let one = told([lesson(51, 6.0, 7, stones), lesson(151, 9.0, 7, "N14 N15 N16")]);
        assert_eq!(one.len(), 1);
        let head = &one[0].head;
        assert_eq!(
            (head.numbers.as_slice(), head.key.number),
            (&[51, 151][..], 151),
            "the surest is explained"
        );
        assert_eq!((head.lost_points, head.largest_loss), (15.0, [9.0, 0.0]));
        let [early, late] = [lesson(151, 5.0, 7, stones), lesson(51, 9.0, 7, stones)];
        let one = told([early, late]);
        assert_eq!((one[0].head.numbers.as_slice(), one[0].head.key.number), (&[51, 151][..], 51));
        assert_eq!(
            told([lesson(51, 6.0, 7, stones), lesson(151, 9.0, 8, stones)]).len(),
            2,
            "another answer"
        );
        assert_eq!(told([lesson(51, 6.0, 7, stones), lesson(151, 9.0, 7, "C3 C4")]).len(), 2, "other stones");
        assert_eq!(told([lesson(51, 6.0, 7, ""), lesson(151, 9.0, 7, "")]).len(), 2, "no stones");

        // The third of three lessons takes the place of one that is none of its own.
        let size = ishi_go::BoardSize::square(19).unwrap();
        let swings = [51, 153, 255].map(|number| swing(number, 9.0, MatterKind::SavesStones, stones));
        let mut waiting = WaitingLessons {
            ranked: vec![(Color::Black, rank_lessons(&swings, size, Color::Black))],
            most: 2,
        };
        let first = waiting.take_next(&[]);
        assert_eq!(first.len(), 2);
        assert_eq!(waiting.take_next(&one).iter().map(|head| head.key.number).collect::<Vec<_>>(), [255]);
        assert!(waiting.take_next(&[]).is_empty(), "there are no more");
    }

    /// A game of three moves is reviewed, with what is known of each.
    #[test]
    fn a_review_has_rows_parts_and_lessons() {
        use crate::explain::ExplainParams;
        use ishi_go::{BoardSize, Rules};
        let size = BoardSize::square(7).unwrap();
        let moves = ["D4", "pass", "pass"].map(|vertex| size.parse_move(vertex).unwrap());
        let moves: Vec<(Color, Move)> = Color::ALL.into_iter().cycle().zip(moves).collect();
        let position = |played: usize| {
            let mut position = Position::new(size, Rules::CHINESE);
            for &(color, mv) in &moves[..played] {
                position.play(color, mv).unwrap();
            }
            Ok::<_, ()>(position)
        };
        let review = |player| {
            let mut explainer = Explainer::new(ExplainParams::of_level(1), ishi_rng::Seed::new(1));
            let wish = LessonWish { player, most: 3 };
            review_game(&mut explainer, &moves, wish, position, |_| true).unwrap().unwrap()
        };
        let mut grown: Vec<Vec<MoveValue>> = Vec::new();
        let mut explainer = Explainer::new(ExplainParams::of_level(1), ishi_rng::Seed::new(1));
        let wish = LessonWish { player: None, most: 3 };
        let known = review_game_row_by_row(&mut explainer, &moves, wish, position, |done, rows| {
            assert_eq!(rows.len(), done, "a row for each move that is done");
            grown.push(rows.to_vec());
            true
        });
        let known = known.unwrap().unwrap().moves;
        assert!(grown.iter().all(|rows| known.starts_with(rows)), "rows that are known do not change");
        assert!((0..=3).all(|done| grown.iter().any(|rows| rows.len() == done)), "{grown:?}");
        let both = review(None);
        assert_eq!(both.moves, known);
        assert_eq!((both.moves.len(), both.phases.len()), (3, 1));
        assert!(
            both.lessons.iter().any(|lesson| lesson.head.color == Color::White),
            "a pass on an empty board"
        );
        for color in Color::ALL {
            let lessons = both.lessons.iter().filter(|lesson| lesson.head.color == color).count();
            let few = (color, Praise::FewMistakes { lessons });
            assert!(lessons < 3 && both.praise.contains(&few), "{color}: {:?}", both.praise);
        }
        assert!(review(Some(Color::Black)).lessons.iter().all(|lesson| lesson.head.color == Color::Black));
        let mut explainer = Explainer::new(ExplainParams::of_level(1), ishi_rng::Seed::new(1));
        let wish = LessonWish { player: None, most: 3 };
        assert!(review_game(&mut explainer, &moves, wish, position, |n| n < 1).unwrap().is_none());
    }
}
