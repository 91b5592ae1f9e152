//! A whole game in numbers: what each move lost, where the lead changed hands, which moves were the worst.

use ishi_go::{Color, Move, Point, Position};

use ishi_words::Language;

use super::value::worth_in_points;
use super::{Explainer, Explanation, MoveVerdict, PositionValue, position_after};

/// Standard errors by which a move has to be worse than the best one before it has lost something: a game has some hundred moves.
const SURE: f64 = 2.5;

/// A new leader has to stay ahead for so many moves, or to the end.
const STAYS: usize = 10;

/// Who is ahead wins at least so much more than half of the playouts, in the mean of those moves.
const AHEAD: f64 = 0.05;

/// A move and what it changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveValue {
    /// From 1.
    pub number: usize,
    /// Who played.
    pub color: Color,
    /// The move.
    pub mv: Move,
    /// Black's lead after it, in points after komi.
    pub black_lead: f64,
    /// Black's probability of winning after it, 0 to 1.
    pub black_win_rate: f64,
    /// What it lost for its side, in points; 0 if that is within the noise.
    pub lost_points: f64,
    /// What it lost for its side of the probability of winning; 0 if that is within the noise.
    pub lost_win_rate: f64,
    /// The move that is better, where it lost something.
    pub better: Option<Move>,
}

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

/// One of the worst moves of a game, explained.
#[derive(Clone, Debug)]
pub struct WorstMove {
    /// What it was and lost.
    pub value: MoveValue,
    /// The position before it.
    pub position: Position,
    /// The better move, and why not this one.
    pub explanation: Explanation,
}

/// What is known of a game's moves. Command, page and record show it each in its own way.
#[derive(Clone, Debug)]
pub struct GameReview {
    /// All moves.
    pub moves: Vec<MoveValue>,
    /// Numbers of the moves after which another side is ahead, see [`find_turning_points`].
    pub turning_points: Vec<usize>,
    /// The moves that lost most, in the order of the game.
    pub worst: Vec<WorstMove>,
}

/// Reviews a game: values of all moves ([`review_moves`]), and the `most` worst ones explained.
///
/// `position` and `goes_on` are as in [`review_moves`]; `goes_on` is asked before each explanation, too.
///
/// # Errors
/// Those of `position`.
pub fn review_game<E>(
    explainer: &mut Explainer,
    moves: &[(Color, Move)],
    most: usize,
    mut position: impl FnMut(usize) -> Result<Position, E>,
    mut goes_on: impl FnMut(usize) -> bool,
) -> Result<Option<GameReview>, E> {
    let Some(values) = review_moves(explainer, moves, &mut position, &mut goes_on)? else { return Ok(None) };
    let mut worst = Vec::new();
    for number in worst_moves(&values, most) {
        if !goes_on(moves.len()) {
            return Ok(None);
        }
        let (value, position) = (values[number - 1], position(number - 1)?);
        let (told, asked) = question_about_move(&value);
        let explanation = explainer.explain_move(&position, told, &asked);
        worst.push(WorstMove { value, position, explanation });
    }
    // An explanation that was stopped is none.
    let is_complete = goes_on(moves.len()) && !explainer.is_stopped();
    Ok(is_complete.then(|| GameReview { turning_points: find_turning_points(&values), moves: values, worst }))
}

/// The moves of a game with their values: a search for every position, and one after the best move wherever another was played and
/// the value has fallen. What a move loses is the difference between two searches of equal size: after it, and after the best move.
///
/// `position` gives the position after so many moves; `goes_on` hears how many moves are done, and stops the review by `false`, which
/// gives `None`.
///
/// # Errors
/// Those of `position`.
pub fn review_moves<E>(
    explainer: &Explainer,
    moves: &[(Color, Move)],
    mut position: impl FnMut(usize) -> Result<Position, E>,
    mut goes_on: impl FnMut(usize) -> bool,
) -> Result<Option<Vec<MoveValue>>, E> {
    ask_ahead_about_game(explainer, moves, &mut position, &mut goes_on)?;
    let mut rows = Vec::new();
    let mut before = explainer.value_of_position(&position(0)?);
    for (n, &(color, mv)) in moves.iter().enumerate() {
        if !goes_on(n) {
            return Ok(None);
        }
        let after = explainer.value_of_position(&position(n + 1)?);
        let sides = [before, after].map(|value| value.for_side(color));
        let better = before.best.filter(|&best| best != mv && has_value_fallen(sides));
        let best_after = match better {
            Some(best) => explainer.value_after(&position(n)?, best),
            None => None,
        };
        rows.push(move_value(n + 1, (color, mv), after, better.zip(best_after)));
        before = after;
        if explainer.is_stopped() {
            return Ok(None);
        }
    }
    Ok(Some(rows))
}

/// A judge that likes many questions gets all positions of the game at once, then those after all better moves. Its answers are kept.
fn ask_ahead_about_game<E>(
    explainer: &Explainer,
    moves: &[(Color, Move)],
    position: impl FnMut(usize) -> Result<Position, E>,
    mut goes_on: impl FnMut(usize) -> bool,
) -> Result<(), E> {
    if !explainer.likes_many() {
        return Ok(());
    }
    let positions = (0..=moves.len()).map(position).collect::<Result<Vec<Position>, E>>()?;
    explainer.ask_ahead(&positions, &mut |done| {
        goes_on(done.min(moves.len()));
    });
    let values: Vec<PositionValue> =
        positions.iter().map(|position| explainer.value_of_position(position)).collect();
    let after_better = moves.iter().enumerate().filter_map(|(n, &(color, mv))| {
        let sides = [values[n], values[n + 1]].map(|value| value.for_side(color));
        let better = values[n].best.filter(|&best| best != mv && has_value_fallen(sides))?;
        position_after(&positions[n], better)
    });
    explainer.ask_ahead(&after_better.collect::<Vec<Position>>(), &mut |_| {});
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
        better: None,
    };
    if let Some((better, best)) = best {
        let (own, best) = (after.for_side(color), best.for_side(color));
        if own.compare_with(&best, SURE) == MoveVerdict::Worse {
            let [points, win_rate] = best.difference_from(&own);
            row.lost_points = points.max(0.0);
            row.lost_win_rate = win_rate.max(0.0);
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

/// What is to be explained of a move that lost something: the better move, and why not the one that was played; of a pass, which has no
/// place on the board, that pass beside others.
fn question_about_move(row: &MoveValue) -> (Option<Move>, Vec<Point>) {
    match row.mv {
        Move::Play(point) => (row.better, vec![point]),
        Move::Pass => (Some(Move::Pass), Vec::new()),
    }
}

/// Numbers of the moves that lost most (see [`combined_loss`]), passes too, at most so many, in the order of the game.
fn worst_moves(rows: &[MoveValue], most: usize) -> Vec<usize> {
    let lost = |row: &MoveValue| combined_loss(row.lost_points, row.lost_win_rate);
    let mut found: Vec<&MoveValue> = rows.iter().filter(|row| lost(row) > 0.0).collect();
    found.sort_by(|a, b| lost(b).total_cmp(&lost(a)));
    found.truncate(most);
    let mut numbers: Vec<usize> = found.into_iter().map(|row| row.number).collect();
    numbers.sort_unstable();
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(win_rate: f64) -> PositionValue {
        PositionValue {
            lead: 100.0 * win_rate,
            win_rate,
            lead_error: 0.5,
            win_rate_error: 0.01,
            best: None,
            means: None,
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
    fn the_worst_come_in_the_order_of_the_game() {
        // Black's moves have odd numbers and lose where the best is higher, White's where it is lower.
        let rows = game(&[0.4, 0.4, 0.1, 0.9, 0.89], &[0.5, 0.4, 0.4, 0.1, 0.9]);
        assert_eq!(worst_moves(&rows, 2), [3, 4]);
        assert_eq!(worst_moves(&rows, 9), [1, 3, 4], "a loss within the noise is none");
        assert_eq!((rows[4].lost_points, rows[4].better), (0.0, None));
        let mut rows = rows;
        rows[2].mv = Move::Pass;
        assert_eq!(worst_moves(&rows, 2), [3, 4], "a pass that loses is told like other moves");
        assert_eq!(question_about_move(&rows[2]), (Some(Move::Pass), vec![]));
        assert_eq!(question_about_move(&rows[3]), (rows[3].better, vec![Point::new(3, 0)]));
        assert!((rows[0].lost_points - 10.0).abs() < 1e-9 && rows[0].better.is_some());
    }
}
