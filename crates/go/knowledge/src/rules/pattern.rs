//! Small patterns as text: rows of signs, the move in their middle.

use ishi_go::{Board, BoardSize, Cell, Chain, Color, Point};

/// What a point of a pattern may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PatternSign {
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
pub(super) type NamedStones<T> = [Option<T>; 2];

/// Signs of two own stones that are of two chains: a pattern has one of each, or not both.
const CHAINS: [[PatternSign; 2]; 2] =
    [[PatternSign::NamedOwn, PatternSign::OtherOwn], [PatternSign::OneOwn, PatternSign::AnotherOwn]];

/// One of a pattern's symmetries: its points, seen from the move.
type SignList = Vec<(i8, i8, PatternSign)>;

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
pub(super) struct ShapePattern {
    views: Vec<SignList>,
    /// The line of the move, if the text has an edge.
    line: Option<usize>,
    /// The move is further from the nearest edge than the named stone, by all the lines between them: a cap comes from the centre.
    inward: bool,
    /// The named stone is the last move.
    answer: bool,
}

/// What is known of the points around a move, which is at (0, 0).
pub(super) trait KnownSurroundings {
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

impl ShapePattern {
    /// # Panics
    /// If the text has another sign, or not one `*`: patterns are constants, and a test reads them all.
    pub(super) fn parse(text: &str) -> ShapePattern {
        let (mut move_at, mut signs) = (None, Vec::new());
        for (row, line) in text.lines().filter(|line| !line.trim().is_empty()).enumerate() {
            for (column, sign) in line.chars().filter(|c| !c.is_whitespace()).enumerate() {
                let (column, row) = (column as i8, row as i8);
                let sign = match sign {
                    'X' => PatternSign::Own,
                    'O' => PatternSign::Enemy,
                    'Y' => PatternSign::NamedOwn,
                    'Q' => PatternSign::NamedEnemy,
                    'Z' => PatternSign::OtherOwn,
                    'R' => PatternSign::OtherEnemy,
                    'A' => PatternSign::OneOwn,
                    'B' => PatternSign::AnotherOwn,
                    '.' => PatternSign::Empty,
                    'x' => PatternSign::NoEnemy,
                    'o' => PatternSign::NoOwn,
                    '#' => PatternSign::Edge,
                    '+' => PatternSign::NotEnemy,
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
        let plain: SignList =
            signs.into_iter().map(|(column, row, sign)| (column - at_column, row - at_row, sign)).collect();
        let edges = plain.iter().filter(|&&(x, y, sign)| sign == PatternSign::Edge && (x == 0 || y == 0));
        let line = edges.map(|(x, y, _)| usize::from(x.unsigned_abs() + y.unsigned_abs())).min();
        let mut views: Vec<SignList> = Vec::new();
        for turn in 0..8 {
            let turned = |&(x, y, sign): &(i8, i8, PatternSign)| {
                let (x, y) = if turn & 1 == 0 { (x, y) } else { (y, x) };
                (if turn & 2 == 0 { x } else { -x }, if turn & 4 == 0 { y } else { -y }, sign)
            };
            let mut view: SignList = plain.iter().map(turned).collect();
            // Stones first: they fail first.
            view.sort_by_key(|&(x, y, sign)| (sign == PatternSign::Empty, sign == PatternSign::Edge, x, y));
            if !views.contains(&view) {
                views.push(view);
            }
        }
        ShapePattern { views, line, inward: false, answer: false }
    }

    /// The same, where the move lies towards the centre from the named stone.
    pub(super) fn facing_inward(self) -> ShapePattern {
        ShapePattern { inward: true, ..self }
    }

    /// The same, where the named stone is the last move.
    pub(super) fn into_answer(self) -> ShapePattern {
        ShapePattern { answer: true, ..self }
    }

    /// The line of the move, if the text has an edge.
    #[cfg(test)]
    pub(super) fn edge_line(&self) -> Option<usize> {
        self.line
    }

    /// Tells of every empty point where the pattern matches for a side, with the stones to be named.
    pub(super) fn find_matches(
        &self,
        board: &Board,
        color: Color,
        last: Option<Point>,
        mut tell: impl FnMut(Point, NamedStones<Point>),
    ) {
        for mv in board.empty_points() {
            let around = BoardMove { board, color, last, mv };
            if let Some(named) = self.matches_around(&around) {
                tell(mv, named.map(|stone| stone.and_then(|(x, y)| around.point_at(x, y))));
            }
        }
    }

    /// Does it match, whatever the points around a move are of what they may be? Then the stones to be named, seen from the move.
    pub(super) fn matches_around(&self, around: &impl KnownSurroundings) -> Option<NamedStones<(i8, i8)>> {
        if self.line.is_some_and(|line| !around.is_on_line(line)) {
            return None;
        }
        let fits = |view: &&SignList| {
            view.iter().all(|&(x, y, sign)| around.may_be(x, y) & !sign.accepted_contents() == 0)
        };
        let stays = |view: &SignList| {
            view.iter()
                .all(|&(x, y, sign)| sign.accepted_contents() != may_be::ENEMY || !around.may_be_taken(x, y))
        };
        let are_apart = |view: &SignList| {
            CHAINS.iter().all(|&[one, another]| match [one, another].map(|sign| nearest_sign(view, sign)) {
                [Some(one), Some(another)] => !around.may_be_one_chain(one, another),
                _ => true,
            })
        };
        let is_told = |&(view, [about, _]): &(&SignList, NamedStones<(i8, i8)>)| {
            (!self.inward || about.is_some_and(|(x, y)| around.is_inward(x, y)))
                && (!self.answer || about.is_some_and(|(x, y)| around.is_last(x, y)))
                && stays(view)
                && are_apart(view)
        };
        let mut views = self.views.iter().filter(fits).map(|view| (view, stones_to_name(view)));
        views.find(is_told).map(|(_, named)| named)
    }
}

/// A move on a board.
struct BoardMove<'a> {
    board: &'a Board,
    color: Color,
    last: Option<Point>,
    mv: Point,
}

impl BoardMove<'_> {
    /// The point so far from the move; `None` beyond the edge.
    fn point_at(&self, x: i8, y: i8) -> Option<Point> {
        let column = self.mv.column().checked_add_signed(x.into())?;
        let row = self.mv.row().checked_add_signed(y.into())?;
        let size = self.board.size();
        (column < size.width() && row < size.height()).then(|| Point::new(column, row))
    }

    fn chain_at(&self, (x, y): (i8, i8)) -> Option<Chain> {
        self.point_at(x, y).and_then(|stone| self.board.chain(stone))
    }
}

impl KnownSurroundings for BoardMove<'_> {
    fn may_be(&self, x: i8, y: i8) -> u8 {
        match self.point_at(x, y).map_or(Cell::Border, |point| self.board.cell(point)) {
            Cell::Border => may_be::EDGE,
            Cell::Empty => may_be::EMPTY,
            stone if stone == Cell::from(self.color) => may_be::OWN,
            _ => may_be::ENEMY,
        }
    }

    fn may_be_taken(&self, x: i8, y: i8) -> bool {
        self.chain_at((x, y)).and_then(|chain| self.board.atari_liberty(chain)) == Some(self.mv)
    }

    fn may_be_one_chain(&self, one: (i8, i8), another: (i8, i8)) -> bool {
        self.chain_at(one) == self.chain_at(another)
    }

    fn is_last(&self, x: i8, y: i8) -> bool {
        self.last.is_some() && self.point_at(x, y) == self.last
    }

    fn is_on_line(&self, wanted: usize) -> bool {
        edge_distance(self.board.size(), self.mv) == wanted
    }

    fn is_inward(&self, x: i8, y: i8) -> bool {
        let size = self.board.size();
        let is_outside = |stone: Point| {
            edge_distance(size, self.mv) >= edge_distance(size, stone) + self.mv.lines_to(stone)
        };
        self.point_at(x, y).is_some_and(is_outside)
    }
}

/// Lines from the nearest edge, from 1.
pub(super) fn edge_distance(size: BoardSize, point: Point) -> usize {
    let across = point.column().min(size.width() - 1 - point.column());
    let up = point.row().min(size.height() - 1 - point.row());
    across.min(up) + 1
}

/// The stones that the pattern names; if it marks none, the nearest of the own side, or else of the other.
fn stones_to_name(view: &SignList) -> NamedStones<(i8, i8)> {
    let about = [PatternSign::NamedOwn, PatternSign::NamedEnemy, PatternSign::Own, PatternSign::Enemy];
    let other = [PatternSign::OtherOwn, PatternSign::OtherEnemy];
    [about.as_slice(), &other].map(|signs| signs.iter().find_map(|&sign| nearest_sign(view, sign)))
}

/// The point of a sign that is nearest to the move.
fn nearest_sign(view: &SignList, wanted: PatternSign) -> Option<(i8, i8)> {
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

impl PatternSign {
    /// What a point may be, all of it.
    fn accepted_contents(self) -> u8 {
        match self {
            PatternSign::Own
            | PatternSign::NamedOwn
            | PatternSign::OtherOwn
            | PatternSign::OneOwn
            | PatternSign::AnotherOwn => may_be::OWN,
            PatternSign::Enemy | PatternSign::NamedEnemy | PatternSign::OtherEnemy => may_be::ENEMY,
            PatternSign::Empty => may_be::EMPTY,
            PatternSign::NoEnemy => may_be::OWN | may_be::EMPTY,
            PatternSign::NoOwn => may_be::ENEMY | may_be::EMPTY,
            PatternSign::Edge => may_be::EDGE,
            PatternSign::NotEnemy => may_be::OWN | may_be::EMPTY | may_be::EDGE,
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::Diagram;

    use super::*;

    fn found(pattern: &ShapePattern, board: &str) -> Vec<String> {
        found_after(pattern, board, None)
    }

    /// The moves of Black with the stones that are named.
    fn found_after(pattern: &ShapePattern, board: &str, last: Option<&str>) -> Vec<String> {
        let board = board.parse::<Diagram>().unwrap().to_board().unwrap();
        let last = last.map(|last| board.size().parse_move(last).unwrap().point().unwrap());
        let mut found = Vec::new();
        pattern.find_matches(&board, Color::Black, last, |mv, named| {
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
        assert_eq!(found(&ShapePattern::parse(text), board).len(), 4);
        assert_eq!(found(&ShapePattern::parse(text).facing_inward(), board), ["E5 E3"]);
    }

    /// Two stones that end at the edge, or before a friend; not three.
    #[test]
    fn a_row_ends_where_no_enemy_stands() {
        let two = ShapePattern::parse("+ O O *");
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
        assert_eq!(found(&ShapePattern::parse("Q * .\nX . ."), board), ["C3 B3"]);
        assert_eq!(found(&ShapePattern::parse("O * .\nX . ."), board), ["C3 B2"]);
    }

    #[test]
    fn patterns_match_in_all_symmetries_and_for_either_side() {
        let pattern = ShapePattern::parse("X O\n* .");
        let board = "
            . . . . .
            . X O . .
            . . . . .
            . O X . .
            . . . . .
        ";
        assert_eq!(found(&pattern, board), ["B3 B4", "B5 B4", "C1 C2", "C3 C2"]);
        let edge = ShapePattern::parse("X . .\n. * .\n# # #");
        let board = board.parse::<Diagram>().unwrap().to_board().unwrap();
        let mut count = 0;
        edge.find_matches(&board, Color::White, None, |_, _| count += 1);
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
        let second = ShapePattern::parse("X\n*\n.\n#");
        assert_eq!(second.edge_line(), Some(2));
        assert_eq!(found(&second, board), ["B2 B3", "E2 E3"]);
        let slide = ShapePattern::parse("X .\n. *\n. .\n# #");
        assert_eq!(found(&slide, board), ["C2 B3", "D2 E3"], "A2 and F2 are on the first line");
    }

    #[test]
    fn two_stones_are_named() {
        let peep = ShapePattern::parse("Q . R\n. * .\n. . .");
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
            let found = found(&ShapePattern::parse(text), &rows.join("\n"));
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
        let hane = ShapePattern::parse("* Q\nX .").into_answer();
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
        let crosscut = ShapePattern::parse("X Q\nO *");
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
