//! Small patterns as text: rows of signs, the move in their middle.

use ishi_go::{Board, BoardSize, Cell, Chain, Color, Point};

/// What a point of a pattern may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Own,
    Enemy,
    /// The own stone that the sentence names.
    NamedOwn,
    /// The enemy stone that the sentence names.
    NamedEnemy,
    /// The second own stone that the sentence names.
    OtherOwn,
    /// The second enemy stone that the sentence names.
    OtherEnemy,
    /// One of two own stones without a name.
    OneOwn,
    /// The other of the two.
    AnotherOwn,
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

/// The stones that a sentence names: `{about}` and `{other}`.
pub(super) type Named<T> = [Option<T>; 2];

/// Signs of two own stones that are of two chains: a pattern has one of each, or not both.
const CHAINS: [[Sign; 2]; 2] = [[Sign::NamedOwn, Sign::OtherOwn], [Sign::OneOwn, Sign::AnotherOwn]];

/// One of a pattern's symmetries: its points, seen from the move.
type Signs = Vec<(i8, i8, Sign)>;

/// A pattern: what must stand where, seen from the move, in all its symmetries.
///
/// Signs: `X` own stone, `O` enemy stone, `.` empty, `*` the move, `x` own or empty, `o` enemy or empty, `#` beyond the edge, `+`
/// anything but an enemy stone, `?` anything; `Y` and `Q` are an own and an enemy stone, the one that the sentence names, `Z` and `R` the second that
/// it names; `A` and `B` are own stones without a name. `Y` and `Z`, `A` and `B` are of two chains: what is one already needs no connection. Rows are
/// lines of the text; spaces do not count.
///
/// An edge of the text is the nearest one of the move, so that the move is on the line that the text shows. A pattern never uses a stone
/// that the move takes.
#[derive(Debug)]
pub(super) struct Pattern {
    views: Vec<Signs>,
    /// The line of the move, if the text has an edge.
    line: Option<usize>,
    /// The move is further from the nearest edge than the named stone, by all the lines between them: a cap comes from the centre.
    inward: bool,
    /// The named stone is the last move.
    answer: bool,
}

/// What is known of the points around a move, which is at (0, 0).
pub(super) trait Around {
    /// What a point may be, for the side to move: bits of [`may_be`].
    fn may_be(&self, x: i8, y: i8) -> u8;
    /// Is there an enemy stone that the move may take?
    fn may_be_taken(&self, x: i8, y: i8) -> bool;
    /// May these own stones be of one chain before the move?
    fn may_be_one_chain(&self, one: (i8, i8), another: (i8, i8)) -> bool;
    /// Was this the last move?
    fn is_last(&self, x: i8, y: i8) -> bool;
    /// Has the move so many lines to its nearest edge, itself included?
    fn is_on_line(&self, line: usize) -> bool;
    /// Is the move further from the nearest edge than the stone there, by all the lines between them?
    fn is_inward(&self, x: i8, y: i8) -> bool;
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
                    'Z' => Sign::OtherOwn,
                    'R' => Sign::OtherEnemy,
                    'A' => Sign::OneOwn,
                    'B' => Sign::AnotherOwn,
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
        let plain: Signs =
            signs.into_iter().map(|(column, row, sign)| (column - at_column, row - at_row, sign)).collect();
        let edges = plain.iter().filter(|&&(x, y, sign)| sign == Sign::Edge && (x == 0 || y == 0));
        let line = edges.map(|(x, y, _)| usize::from(x.unsigned_abs() + y.unsigned_abs())).min();
        let mut views: Vec<Signs> = Vec::new();
        for turn in 0..8 {
            let turned = |&(x, y, sign): &(i8, i8, Sign)| {
                let (x, y) = if turn & 1 == 0 { (x, y) } else { (y, x) };
                (if turn & 2 == 0 { x } else { -x }, if turn & 4 == 0 { y } else { -y }, sign)
            };
            let mut view: Signs = plain.iter().map(turned).collect();
            // Stones first: they fail first.
            view.sort_by_key(|&(x, y, sign)| (sign == Sign::Empty, sign == Sign::Edge, x, y));
            if !views.contains(&view) {
                views.push(view);
            }
        }
        Pattern { views, line, inward: false, answer: false }
    }

    /// The same, where the move lies towards the centre from the named stone.
    pub(super) fn inward(self) -> Pattern {
        Pattern { inward: true, ..self }
    }

    /// The same, where the named stone is the last move.
    pub(super) fn answer(self) -> Pattern {
        Pattern { answer: true, ..self }
    }

    /// The line of the move, if the text has an edge.
    #[cfg(test)]
    pub(super) fn line(&self) -> Option<usize> {
        self.line
    }

    /// Tells of every empty point where the pattern matches for a side, with the stones to be named.
    pub(super) fn matches(
        &self,
        board: &Board,
        color: Color,
        last: Option<Point>,
        mut tell: impl FnMut(Point, Named<Point>),
    ) {
        for mv in board.empties() {
            let around = OnBoard { board, color, last, mv };
            if let Some(named) = self.around(&around) {
                tell(mv, named.map(|stone| stone.and_then(|(x, y)| around.at(x, y))));
            }
        }
    }

    /// Does it match, whatever the points around a move are of what they may be? Then the stones to be named, seen from the move.
    pub(super) fn around(&self, around: &impl Around) -> Option<Named<(i8, i8)>> {
        if self.line.is_some_and(|line| !around.is_on_line(line)) {
            return None;
        }
        let fits =
            |view: &&Signs| view.iter().all(|&(x, y, sign)| around.may_be(x, y) & !sign.accepted() == 0);
        let stays = |view: &Signs| {
            view.iter().all(|&(x, y, sign)| sign.accepted() != may_be::ENEMY || !around.may_be_taken(x, y))
        };
        let are_apart = |view: &Signs| {
            CHAINS.iter().all(|&[one, another]| match [one, another].map(|sign| nearest(view, sign)) {
                [Some(one), Some(another)] => !around.may_be_one_chain(one, another),
                _ => true,
            })
        };
        let is_told = |&(view, [about, _]): &(&Signs, Named<(i8, i8)>)| {
            (!self.inward || about.is_some_and(|(x, y)| around.is_inward(x, y)))
                && (!self.answer || about.is_some_and(|(x, y)| around.is_last(x, y)))
                && stays(view)
                && are_apart(view)
        };
        let mut views = self.views.iter().filter(fits).map(|view| (view, named(view)));
        views.find(is_told).map(|(_, named)| named)
    }
}

/// A move on a board.
struct OnBoard<'a> {
    board: &'a Board,
    color: Color,
    last: Option<Point>,
    mv: Point,
}

impl OnBoard<'_> {
    /// The point so far from the move; `None` beyond the edge.
    fn at(&self, x: i8, y: i8) -> Option<Point> {
        let column = self.mv.column().checked_add_signed(x.into())?;
        let row = self.mv.row().checked_add_signed(y.into())?;
        let size = self.board.size();
        (column < size.width() && row < size.height()).then(|| Point::new(column, row))
    }

    fn chain(&self, (x, y): (i8, i8)) -> Option<Chain> {
        self.at(x, y).and_then(|stone| self.board.chain(stone))
    }
}

impl Around for OnBoard<'_> {
    fn may_be(&self, x: i8, y: i8) -> u8 {
        match self.at(x, y).map_or(Cell::Border, |point| self.board.cell(point)) {
            Cell::Border => may_be::EDGE,
            Cell::Empty => may_be::EMPTY,
            stone if stone == Cell::from(self.color) => may_be::OWN,
            _ => may_be::ENEMY,
        }
    }

    fn may_be_taken(&self, x: i8, y: i8) -> bool {
        self.chain((x, y)).and_then(|chain| self.board.atari(chain)) == Some(self.mv)
    }

    fn may_be_one_chain(&self, one: (i8, i8), another: (i8, i8)) -> bool {
        self.chain(one) == self.chain(another)
    }

    fn is_last(&self, x: i8, y: i8) -> bool {
        self.last.is_some() && self.at(x, y) == self.last
    }

    fn is_on_line(&self, wanted: usize) -> bool {
        line(self.board.size(), self.mv) == wanted
    }

    fn is_inward(&self, x: i8, y: i8) -> bool {
        let size = self.board.size();
        let is_outside = |stone: Point| line(size, self.mv) >= line(size, stone) + self.mv.lines_to(stone);
        self.at(x, y).is_some_and(is_outside)
    }
}

/// Lines from the nearest edge, from 1.
pub(super) fn line(size: BoardSize, point: Point) -> usize {
    let across = point.column().min(size.width() - 1 - point.column());
    let up = point.row().min(size.height() - 1 - point.row());
    across.min(up) + 1
}

/// The stones that the pattern names; if it marks none, the nearest of the own side, or else of the other.
fn named(view: &Signs) -> Named<(i8, i8)> {
    let about = [Sign::NamedOwn, Sign::NamedEnemy, Sign::Own, Sign::Enemy];
    let other = [Sign::OtherOwn, Sign::OtherEnemy];
    [about.as_slice(), &other].map(|signs| signs.iter().find_map(|&sign| nearest(view, sign)))
}

/// The point of a sign that is nearest to the move.
fn nearest(view: &Signs, wanted: Sign) -> Option<(i8, i8)> {
    let found = view.iter().filter(|&&(_, _, sign)| sign == wanted).map(|&(x, y, _)| (x, y));
    found.min_by_key(|&(x, y)| (i32::from(x).pow(2) + i32::from(y).pow(2), x, y))
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
            Sign::Own | Sign::NamedOwn | Sign::OtherOwn | Sign::OneOwn | Sign::AnotherOwn => may_be::OWN,
            Sign::Enemy | Sign::NamedEnemy | Sign::OtherEnemy => may_be::ENEMY,
            Sign::Empty => may_be::EMPTY,
            Sign::NoEnemy => may_be::OWN | may_be::EMPTY,
            Sign::NoOwn => may_be::ENEMY | may_be::EMPTY,
            Sign::Edge => may_be::EDGE,
            Sign::NotEnemy => may_be::OWN | may_be::EMPTY | may_be::EDGE,
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::Diagram;

    use super::*;

    fn found(pattern: &Pattern, board: &str) -> Vec<String> {
        found_after(pattern, board, None)
    }

    /// The moves of Black with the stones that are named.
    fn found_after(pattern: &Pattern, board: &str, last: Option<&str>) -> Vec<String> {
        let board = board.parse::<Diagram>().unwrap().board().unwrap();
        let last = last.map(|last| board.size().parse_move(last).unwrap().point().unwrap());
        let mut found = Vec::new();
        pattern.matches(&board, Color::Black, last, |mv, named| {
            let names = named.into_iter().flatten().map(|stone| format!(" {stone}"));
            found.push(mv.to_string() + &names.collect::<String>());
        });
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
        assert_eq!(found(&pattern, board), ["B3 B4", "B5 B4", "C1 C2", "C3 C2"]);
        let edge = Pattern::parse("X . .\n. * .\n# # #");
        let board = board.parse::<Diagram>().unwrap().board().unwrap();
        let mut count = 0;
        edge.matches(&board, Color::White, None, |_, _| count += 1);
        assert!(count > 0);
    }

    /// The first line of one edge goes on to the corner, where it is the second of the other.
    #[test]
    fn an_edge_is_the_nearest_one_of_the_move() {
        let board = "
            . . . . . .
            . . . . . .
            . . . . . .
            . X . . X .
            . . . . . .
            . . . . . .
        ";
        let second = Pattern::parse("X\n*\n.\n#");
        assert_eq!(second.line(), Some(2));
        assert_eq!(found(&second, board), ["B2 B3", "E2 E3"]);
        let slide = Pattern::parse("X .\n. *\n. .\n# #");
        assert_eq!(found(&slide, board), ["C2 B3", "D2 E3"], "A2 and F2 are on the first line");
    }

    #[test]
    fn two_stones_are_named() {
        let peep = Pattern::parse("Q . R\n. * .\n. . .");
        let board = "
            . . . . .
            . O . O .
            . . . . .
            . . . . .
        ";
        assert_eq!(found(&peep, board), ["C2 B3 D3"]);
    }

    /// A stone on C1 makes one chain of B2 and D2; B5 and D5 are one.
    #[test]
    fn two_own_stones_that_are_marked_are_of_two_chains() {
        let moves = |text: &str, below: &str| {
            let rows = [". . . . .", ". X . X .", ". X X X .", ". . . . .", ". X . X .", below];
            let found = found(&Pattern::parse(text), &rows.join("\n"));
            found.iter().map(|told| told[..2].to_string()).collect::<Vec<_>>()
        };
        for text in ["Y * Z\n? . ?", "A * B\n? . ?"] {
            assert_eq!(moves(text, ". X . X ."), ["B3", "C1", "C2", "D3"], "{text}");
            assert_eq!(moves(text, ". X X X ."), ["B3", "D3"], "{text}");
        }
        assert_eq!(moves("X * X\n? . ?", ". X X X ."), ["B3", "C2", "C5", "D3"]);
    }

    #[test]
    fn an_answer_is_to_the_last_move() {
        let hane = Pattern::parse("* Q\nX .").answer();
        let board = "
            . . . .
            . . O .
            . X . O
            . . . .
        ";
        assert_eq!(found_after(&hane, board, Some("C3")), ["B3 C3", "C2 C3"]);
        assert_eq!(found_after(&hane, board, Some("D2")), [""; 0]);
        assert_eq!(found(&hane, board), [""; 0]);
    }

    /// Where C2 takes the stone that would cross, nothing is cut.
    #[test]
    fn what_is_taken_is_no_part_of_a_shape() {
        let crosscut = Pattern::parse("X Q\nO *");
        let board = "
            . . . .
            . X O X
            . O . .
            . . . .
        ";
        assert_eq!(found(&crosscut, board), ["C2 C3"]);
        let in_atari = "
            . X X X
            . X O X
            . O . .
            . . . .
        ";
        assert_eq!(found(&crosscut, in_atari), [""; 0]);
    }
}
