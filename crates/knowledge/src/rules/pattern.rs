//! Small patterns as text: rows of signs, the move in their middle.

use ishi_go::{Board, Cell, Color, Point};

/// What a point of a pattern may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Own,
    Enemy,
    Empty,
    /// Empty or own.
    NoEnemy,
    /// Empty or enemy.
    NoOwn,
    /// Beyond the edge.
    Edge,
}

/// A pattern: what must stand where, seen from the move, in all its symmetries.
///
/// Signs: `X` own stone, `O` enemy stone, `.` empty, `*` the move, `x` own or empty, `o` enemy or empty, `#` beyond the edge, `?`
/// anything. Rows are lines of the text; spaces do not count.
#[derive(Debug)]
pub(super) struct Pattern {
    views: Vec<Vec<(i8, i8, Sign)>>,
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
                    '.' => Sign::Empty,
                    'x' => Sign::NoEnemy,
                    'o' => Sign::NoOwn,
                    '#' => Sign::Edge,
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
        Pattern { views }
    }

    /// Tells of every empty point where the pattern matches for a side, with a stone of it.
    pub(super) fn matches(&self, board: &Board, color: Color, mut tell: impl FnMut(Point, Option<Point>)) {
        for mv in board.empties() {
            let fits = |view: &&Vec<(i8, i8, Sign)>| {
                view.iter().all(|&(x, y, sign)| fits(board, color, at(board, mv, x, y), sign))
            };
            if let Some(view) = self.views.iter().find(fits) {
                tell(mv, stone_of(view).and_then(|(x, y)| at(board, mv, x, y)));
            }
        }
    }

    /// Does it match whatever the points around a move are of what they may be ([`may_be`])? Then a stone of it, seen from the move, if it
    /// has one.
    pub(super) fn must_match(&self, points: impl Fn(i8, i8) -> u8) -> Option<Option<(i8, i8)>> {
        let fits = |view: &&Vec<(i8, i8, Sign)>| {
            view.iter().all(|&(x, y, sign)| points(x, y) & !sign.accepted() == 0)
        };
        self.views.iter().find(fits).map(|view| stone_of(view))
    }
}

/// The nearest stone of its own side, or else of the other.
fn stone_of(view: &[(i8, i8, Sign)]) -> Option<(i8, i8)> {
    let nearest = |wanted: Sign| {
        let found = view.iter().filter(move |&&(_, _, sign)| sign == wanted).map(|&(x, y, _)| (x, y));
        found.min_by_key(|&(x, y)| (i32::from(x).pow(2) + i32::from(y).pow(2), x, y))
    };
    nearest(Sign::Own).or_else(|| nearest(Sign::Enemy))
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
            Sign::Own => may_be::OWN,
            Sign::Enemy => may_be::ENEMY,
            Sign::Empty => may_be::EMPTY,
            Sign::NoEnemy => may_be::OWN | may_be::EMPTY,
            Sign::NoOwn => may_be::ENEMY | may_be::EMPTY,
            Sign::Edge => may_be::EDGE,
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
