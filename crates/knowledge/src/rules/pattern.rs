//! Small patterns as text: rows of signs, the move in their middle.

use ishi_go::{Board, BoardSize, Cell, Color, Point};

/// What a point of a pattern may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Own,
    Enemy,
    /// The own stone that the sentence names.
    NamedOwn,
    /// The enemy stone that the sentence names.
    NamedEnemy,
    Empty,
    /// Empty or own.
    NoEnemy,
    /// Empty or enemy.
    NoOwn,
    /// Beyond the edge.
    Edge,
    /// Empty, own, or beyond the edge: a row of enemy stones ends here.
    NotEnemy,
}

/// A pattern: what must stand where, seen from the move, in all its symmetries.
///
/// Signs: `X` own stone, `O` enemy stone, `.` empty, `*` the move, `x` own or empty, `o` enemy or empty, `#` beyond the edge, `+`
/// anything but an enemy stone, `?` anything; `Y` and `Q` are an own and an enemy stone, the one that the sentence names. Rows are lines of the text; spaces do not count.
#[derive(Debug)]
pub(super) struct Pattern {
    views: Vec<Vec<(i8, i8, Sign)>>,
    /// The move is further from the nearest edge than the named stone, by all the lines between them: a cap comes from the centre.
    inward: bool,
}

impl Pattern {
    /// # Panics
    /// If the text has another sign, or not one `*`: patterns are constants, and a test reads them all.
    pub(super) fn parse(text: &str) -> Pattern {
        let (mut move_at, mut signs) = (None, Vec::new());
        for (row, line) in text.lines().filter(|line| !line.trim().is_empty()).enumerate() {
            for (column, sign) in line.chars().filter(|c| !c.is_whitespace()).enumerate() {
                let (column, row) = (column as i8, row as i8);
                let sign = match sign {
                    'X' => Sign::Own,
                    'O' => Sign::Enemy,
                    'Y' => Sign::NamedOwn,
                    'Q' => Sign::NamedEnemy,
                    '.' => Sign::Empty,
                    'x' => Sign::NoEnemy,
                    'o' => Sign::NoOwn,
                    '#' => Sign::Edge,
                    '+' => Sign::NotEnemy,
                    '?' => continue,
                    '*' => {
                        assert!(move_at.replace((column, row)).is_none(), "two moves in {text}");
                        continue;
                    }
                    _ => panic!("no sign of a pattern: {sign} in {text}"),
                };
                signs.push((column, row, sign));
            }
        }
        let (at_column, at_row) = move_at.unwrap_or_else(|| panic!("no move in {text}"));
        let plain: Vec<(i8, i8, Sign)> =
            signs.into_iter().map(|(column, row, sign)| (column - at_column, row - at_row, sign)).collect();
        let mut views: Vec<Vec<(i8, i8, Sign)>> = Vec::new();
        for turn in 0..8 {
            let turned = |&(x, y, sign): &(i8, i8, Sign)| {
                let (x, y) = if turn & 1 == 0 { (x, y) } else { (y, x) };
                (if turn & 2 == 0 { x } else { -x }, if turn & 4 == 0 { y } else { -y }, sign)
            };
            let mut view: Vec<(i8, i8, Sign)> = plain.iter().map(turned).collect();
            // Stones first: they fail first.
            view.sort_by_key(|&(x, y, sign)| (sign == Sign::Empty, sign == Sign::Edge, x, y));
            if !views.contains(&view) {
                views.push(view);
            }
        }
        Pattern { views, inward: false }
    }

    /// The same, where the move lies towards the centre from the named stone.
    pub(super) fn inward(self) -> Pattern {
        Pattern { inward: true, ..self }
    }

    /// Tells of every empty point where the pattern matches for a side, with a stone of it.
    pub(super) fn matches(&self, board: &Board, color: Color, mut tell: impl FnMut(Point, Option<Point>)) {
        for mv in board.empties() {
            let stone = |view: &[(i8, i8, Sign)]| stone_of(view).and_then(|(x, y)| at(board, mv, x, y));
            let fits = |view: &&Vec<(i8, i8, Sign)>| {
                view.iter().all(|&(x, y, sign)| fits(board, color, at(board, mv, x, y), sign))
                    && (!self.inward || stone(view).is_some_and(|stone| lies_inward(board, mv, stone)))
            };
            if let Some(view) = self.views.iter().find(fits) {
                tell(mv, stone(view));
            }
        }
    }

    /// Does it match whatever the points around a move are of what they may be ([`may_be`])? Then a stone of it, seen from the move, if it
    /// has one. Never if it depends on where the centre is.
    pub(super) fn must_match(&self, points: impl Fn(i8, i8) -> u8) -> Option<Option<(i8, i8)>> {
        let fits = |view: &&Vec<(i8, i8, Sign)>| {
            view.iter().all(|&(x, y, sign)| points(x, y) & !sign.accepted() == 0)
        };
        self.views.iter().find(|view| !self.inward && fits(view)).map(|view| stone_of(view))
    }
}

/// Is the move further from the nearest edge than the stone, by all the lines between them?
fn lies_inward(board: &Board, mv: Point, stone: Point) -> bool {
    line(board.size(), mv) >= line(board.size(), stone) + mv.lines_to(stone)
}

/// Lines from the nearest edge, from 1.
pub(super) fn line(size: BoardSize, point: Point) -> usize {
    let across = point.column().min(size.width() - 1 - point.column());
    let up = point.row().min(size.height() - 1 - point.row());
    across.min(up) + 1
}

/// The stone that the pattern names; else the nearest of the own side, or else of the other.
fn stone_of(view: &[(i8, i8, Sign)]) -> Option<(i8, i8)> {
    let nearest = |wanted: Sign| {
        let found = view.iter().filter(move |&&(_, _, sign)| sign == wanted).map(|&(x, y, _)| (x, y));
        found.min_by_key(|&(x, y)| (i32::from(x).pow(2) + i32::from(y).pow(2), x, y))
    };
    let order = [Sign::NamedOwn, Sign::NamedEnemy, Sign::Own, Sign::Enemy];
    order.into_iter().find_map(nearest)
}

/// What a point may be, for the side to move: one bit each.
pub(super) mod may_be {
    pub(crate) const OWN: u8 = 1;
    pub(crate) const ENEMY: u8 = 2;
    pub(crate) const EMPTY: u8 = 4;
    pub(crate) const EDGE: u8 = 8;
    /// Nothing is known of it.
    pub(crate) const ANYTHING: u8 = OWN | ENEMY | EMPTY | EDGE;
}

impl Sign {
    /// What a point may be, all of it.
    fn accepted(self) -> u8 {
        match self {
            Sign::Own | Sign::NamedOwn => may_be::OWN,
            Sign::Enemy | Sign::NamedEnemy => may_be::ENEMY,
            Sign::Empty => may_be::EMPTY,
            Sign::NoEnemy => may_be::OWN | may_be::EMPTY,
            Sign::NoOwn => may_be::ENEMY | may_be::EMPTY,
            Sign::Edge => may_be::EDGE,
            Sign::NotEnemy => may_be::OWN | may_be::EMPTY | may_be::EDGE,
        }
    }
}

/// The point so far from the move; `None` beyond the edge.
fn at(board: &Board, mv: Point, x: i8, y: i8) -> Option<Point> {
    let column = mv.column().checked_add_signed(x.into())?;
    let row = mv.row().checked_add_signed(y.into())?;
    (column < board.size().width() && row < board.size().height()).then(|| Point::new(column, row))
}

fn fits(board: &Board, color: Color, point: Option<Point>, sign: Sign) -> bool {
    let is = match point.map_or(Cell::Border, |point| board.cell(point)) {
        Cell::Border => may_be::EDGE,
        Cell::Empty => may_be::EMPTY,
        stone if stone == Cell::from(color) => may_be::OWN,
        _ => may_be::ENEMY,
    };
    is & sign.accepted() != 0
}

#[cfg(test)]
mod tests {
    use ishi_go::Diagram;

    use super::*;

    fn found(pattern: &Pattern, board: &str) -> Vec<String> {
        let board = board.parse::<Diagram>().unwrap().board().unwrap();
        let mut found = Vec::new();
        pattern.matches(&board, Color::Black, |mv, stone| found.push(format!("{mv} {}", stone.unwrap())));
        found.sort();
        found
    }

    /// A stone on the third line is capped from the fifth, not from the first, and not from its sides.
    #[test]
    fn caps_come_from_the_centre() {
        let board = "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . O . . . .
            . . . . . . . . .
            . . . . . . . . .
        ";
        let text = ". * .\n. . .\n. O .\n. . .";
        assert_eq!(found(&Pattern::parse(text), board).len(), 4);
        assert_eq!(found(&Pattern::parse(text).inward(), board), ["E5 E3"]);
    }

    /// Two stones that end at the edge, or before a friend; not three.
    #[test]
    fn a_row_ends_where_no_enemy_stands() {
        let two = Pattern::parse("+ O O *");
        assert_eq!(found(&two, "O O .\n. . .\n"), ["C2 B2"]);
        assert_eq!(found(&two, "X O O .\n. . . .\n"), ["D2 C2"]);
        assert_eq!(found(&two, "O O O .\n. . . .\n"), [""; 0]);
    }

    #[test]
    fn the_marked_stone_is_named() {
        let board = "
            . . . .
            . O . .
            . X . .
            . . . .
        ";
        assert_eq!(found(&Pattern::parse("Q * .\nX . ."), board), ["C3 B3"]);
        assert_eq!(found(&Pattern::parse("O * .\nX . ."), board), ["C3 B2"]);
    }

    #[test]
    fn patterns_match_in_all_symmetries_and_for_either_side() {
        let pattern = Pattern::parse("X O\n* .");
        let board = "
            . . . . .
            . X O . .
            . . . . .
            . O X . .
            . . . . .
        ";
        let board = board.parse::<Diagram>().unwrap().board().unwrap();
        let mut found = Vec::new();
        pattern.matches(&board, Color::Black, |mv, stone| found.push(format!("{mv} {}", stone.unwrap())));
        found.sort();
        assert_eq!(found, ["B3 B4", "B5 B4", "C1 C2", "C3 C2"]);
        let edge = Pattern::parse("X . .\n. * .\n# # #");
        let mut count = 0;
        edge.matches(&board, Color::White, |_, _| count += 1);
        assert!(count > 0);
    }
}
