//! Strategy: how far the game is, who is ahead, what sente (先手) is worth.

use ishi_go::{BoardSize, Color, Point, Position};
use ishi_reading::PointSet;

use crate::groups::Group;
use crate::oracle::GroupStrength;
use crate::style::{Margins, PhaseRule, SenteRule, Style};

/// How far a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GamePhase {
    /// The corners and sides are being divided (布石, fuseki).
    Opening,
    /// Groups fight.
    MiddleGame,
    /// Borders are drawn (ヨセ, yose).
    Endgame,
}

impl GamePhase {
    /// How far a game is by the stones on the board, as ishi's own style counts.
    pub fn from_stones(position: &Position) -> GamePhase {
        phase_by_stones(share_of_board(position, count_stones(position)))
    }
}

/// How the game stands for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GameBalance {
    /// More than the board's fifteenth part behind; or, as [`Margins`] says, 20 points and more.
    WellBehind,
    /// Behind by some points; or by 10 and more.
    Behind,
    /// Nobody leads by much.
    Even,
    /// Ahead by some points; or by 20 and more.
    Ahead,
    /// More than the board's fifteenth part ahead; or 40 points and more.
    WellAhead,
}

/// Moves of an opening and of an opening with middle game, as shares of the board's points.
const OPENING: f64 = 40.0 / 361.0;
const MIDDLE: f64 = 150.0 / 361.0;

/// The share from which the move is worth one point: move 220.
const LAST: f64 = 220.0 / 361.0;

/// The share from which a game may be in its endgame: move 120 (D. Fotland 1993, section 4).
const LATE: f64 = 120.0 / 361.0;

/// Lines from each side that belong to a corner: as far as an enclosure or an approach move lies.
const CORNER_LINES: usize = 7;
/// With so many stones a joseki has begun: an enclosure, or an approach move. A corner with one stone still lacks it.
const JOSEKI_STONES: usize = 2;

/// Leads from which a side is ahead and well ahead, behind and well behind, in points (D. Fotland 1993, section 4).
const AHEAD: [f64; 2] = [20.0, 40.0];
const BEHIND: [f64; 2] = [10.0, 20.0];

/// Stones on the board.
fn count_stones(position: &Position) -> usize {
    let board = position.board();
    board.size().area() - board.empty_count()
}

/// A number of stones or moves as a share of the board's points.
fn share_of_board(position: &Position, number: usize) -> f64 {
    number as f64 / position.size().area() as f64
}

/// Moves that were played; of a position without a record as many as stones stand on the board.
fn count_moves(position: &Position) -> usize {
    position.moves().len().max(count_stones(position))
}

/// Is the game so far that it may be in its endgame?
fn is_late(position: &Position) -> bool {
    share_of_board(position, count_moves(position)) >= LATE
}

/// The phase of a position.
pub(crate) fn find_phase(style: Style, position: &Position, groups: &[Group]) -> GamePhase {
    match style.phase {
        PhaseRule::Stones => phase_by_stones(share_of_board(position, count_stones(position))),
        PhaseRule::Situation => phase_by_situation(position, groups),
    }
}

fn phase_by_stones(share: f64) -> GamePhase {
    if share < OPENING {
        GamePhase::Opening
    } else if share < MIDDLE {
        GamePhase::MiddleGame
    } else {
        GamePhase::Endgame
    }
}

/// D. Fotland 1993, section 4. A group that is dead is as settled as one that is stable. The phase may go back: when a group that was
/// stable is no longer so.
fn phase_by_situation(position: &Position, groups: &[Group]) -> GamePhase {
    let is_settled =
        |group: &Group| group.strength >= GroupStrength::Stable || group.strength == GroupStrength::Dead;
    if corner_squares(position.size()).iter().any(|corner| lacks_joseki(position, corner)) {
        GamePhase::Opening
    } else if is_late(position) && groups.iter().all(is_settled) {
        GamePhase::Endgame
    } else {
        GamePhase::MiddleGame
    }
}

/// The four corners of a board, each as a square of points.
fn corner_squares(size: BoardSize) -> [PointSet; 4] {
    let lines = |side: usize| CORNER_LINES.min(side / 2);
    let (across, up) = (lines(size.width()), lines(size.height()));
    let columns = [0..across, size.width() - across..size.width()];
    let rows = [0..up, size.height() - up..size.height()];
    [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[column, row]| {
        let points = columns[column].clone().flat_map(|x| rows[row].clone().map(move |y| Point::new(x, y)));
        points.collect()
    })
}

/// On the smallest boards a corner is a single point, and full with one stone.
fn lacks_joseki(position: &Position, corner: &PointSet) -> bool {
    let stones = corner.iter().filter(|&point| position.board().color(point).is_some()).count();
    stones < JOSEKI_STONES.min(corner.len())
}

/// Points that the move is worth: 7, falling to 1 by move 220 on 19x19, on other boards when as large a share of it is played
/// (D. Fotland 1993, section 4).
pub(crate) fn value_of_sente(style: Style, position: &Position) -> f64 {
    let number = match style.sente {
        SenteRule::Stones => count_stones(position),
        SenteRule::Moves => count_moves(position),
    };
    7.0 - 6.0 * (share_of_board(position, number) / LAST).min(1.0)
}

/// How a lead (Black's, after komi) stands for a side, whoever is to move.
pub(crate) fn find_balance(style: Style, position: &Position, black_lead: f64, color: Color) -> GameBalance {
    let lead = if color == Color::Black { black_lead } else { -black_lead };
    match style.balance {
        Margins::BoardShare => balance_by_board_share(position, lead),
        Margins::Points => balance_by_points(lead),
    }
}

fn balance_by_board_share(position: &Position, lead: f64) -> GameBalance {
    let much = position.size().area() as f64 / 15.0;
    let some = (much / 4.0).max(2.0);
    if lead > much {
        GameBalance::WellAhead
    } else if lead > some {
        GameBalance::Ahead
    } else if lead >= -some {
        GameBalance::Even
    } else if lead >= -much {
        GameBalance::Behind
    } else {
        GameBalance::WellBehind
    }
}

fn balance_by_points(lead: f64) -> GameBalance {
    let [ahead, well_ahead] = AHEAD;
    let [behind, well_behind] = BEHIND;
    if lead >= well_ahead {
        GameBalance::WellAhead
    } else if lead >= ahead {
        GameBalance::Ahead
    } else if lead > -behind {
        GameBalance::Even
    } else if lead > -well_behind {
        GameBalance::Behind
    } else {
        GameBalance::WellBehind
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{Move, Rules};

    use super::*;
    use crate::{Analysis, NoOracle};

    fn many_faces() -> Style {
        Style::many_faces()
    }

    #[test]
    fn a_side_is_ahead_from_twenty_points_and_behind_from_ten() {
        let position = Position::new(BoardSize::square(19).unwrap(), Rules::CHINESE);
        let of = |lead, color| find_balance(many_faces(), &position, lead, color);
        let steps = [40.0, 39.9, 20.0, 19.9, 0.0, -9.9, -10.0, -19.9, -20.0];
        use GameBalance::{Ahead, Behind, Even, WellAhead, WellBehind};
        let told = [WellAhead, Ahead, Ahead, Even, Even, Even, Behind, Behind, WellBehind];
        assert_eq!(steps.map(|lead| of(lead, Color::Black)), told);
        assert_eq!(steps.map(|lead| of(-lead, Color::White)), told);
        assert_eq!(
            find_balance(Style::ishi(), &position, 6.5, Color::White),
            Behind,
            "and of ishi's way from six"
        );
    }

    /// Black and White in turn on these points, as far as they may, until so many have been played.
    fn played(points: impl Iterator<Item = Point>, most: usize) -> Position {
        let mut position = Position::new(BoardSize::square(19).unwrap(), Rules::CHINESE);
        for point in points {
            if position.moves().len() < most {
                let _ = position.play(position.to_move(), Move::Play(point));
            }
        }
        assert_eq!(position.moves().len(), most);
        position
    }

    /// Moves all over the board: 145 has no divisor in common with its number of points.
    fn filled(most: usize) -> Position {
        played((0..361).map(|n| n * 145 % 361).map(|n| Point::new(n % 19, n / 19)), most)
    }

    #[test]
    fn it_is_the_opening_while_a_corner_lacks_a_joseki() {
        let columns = (0..19).flat_map(|row| (0..4).map(move |column| Point::new(column, row)));
        let left = played(columns.filter(|point| (point.column() + point.row()) % 3 != 0), 45);
        let phase_of =
            |style, position: &Position| Analysis::analyze_in_style(style, position, &mut NoOracle).phase;
        assert_eq!(phase_of(Style::ishi(), &left), GamePhase::MiddleGame, "45 stones");
        assert_eq!(phase_of(many_faces(), &left), GamePhase::Opening, "both corners on the right are empty");
        let mut right = left.clone();
        for corner in ["Q16", "Q4", "O17", "O3"] {
            right.play(right.to_move(), right.size().parse_move(corner).unwrap()).unwrap();
        }
        assert_eq!(phase_of(many_faces(), &right), GamePhase::MiddleGame);
    }

    #[test]
    fn the_opening_of_the_smallest_boards_ends_too() {
        let mut position = Position::new(BoardSize::square(3).unwrap(), Rules::CHINESE);
        let phase_of = |position: &Position| find_phase(many_faces(), position, &[]);
        assert_eq!(phase_of(&position), GamePhase::Opening);
        for corner in ["A1", "C3", "A3", "C1"] {
            position.play(position.to_move(), position.size().parse_move(corner).unwrap()).unwrap();
        }
        assert_eq!(phase_of(&position), GamePhase::Endgame, "four of nine points are more than a third");
    }

    #[test]
    fn it_is_the_endgame_only_with_stable_groups() {
        let position = filled(150);
        assert_eq!(find_phase(many_faces(), &position, &[]), GamePhase::Endgame, "no group is unsettled");
        let analysis = Analysis::analyze_in_style(many_faces(), &position, &mut NoOracle);
        assert_eq!(analysis.phase, GamePhase::MiddleGame, "stones scattered all over");
        assert_eq!(Analysis::analyze(&position, &mut NoOracle).phase, GamePhase::Endgame, "150 stones");
        let early = filled(110);
        assert_eq!(find_phase(many_faces(), &early, &[]), GamePhase::MiddleGame, "before move 120");
    }

    #[test]
    fn the_move_is_worth_seven_points_at_first_and_one_from_move_220() {
        let value = |moves| value_of_sente(many_faces(), &filled(moves));
        assert_eq!([value(0), value(110), value(220), value(230)], [7.0, 4.0, 1.0, 1.0]);
        let mut passed = filled(110);
        passed.play(passed.to_move(), Move::Pass).unwrap();
        assert!(value_of_sente(many_faces(), &passed) < value_of_sente(Style::ishi(), &passed));
    }
}
