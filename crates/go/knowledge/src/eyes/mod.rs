//! Eyes: spaces that one side has closed in, or all but the ends of, and how many eyes they are worth.

mod contested;
mod enclosed;
mod open;

use ishi_go::{Board, Cell, Color, Point};
use ishi_reading::{PointSet, spaces_within};

use crate::style::{Style, VitalPoints};
pub use contested::{ContestedEyes, count_contested_eyes};

/// An eye, in the unit of [`EyeCount`] (D. Fotland 1993, section 5), and half of one.
pub(crate) const EYE: u8 = 8;
pub(crate) const HALF: u8 = EYE / 2;
/// Two eyes, which live.
pub(crate) const TWO_EYES: u8 = 2 * EYE;

/// Eyes in eighths: what a space is worth if the opponent moves twice in it, if the opponent moves first, and if its owner does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EyeCount {
    /// If the opponent moves twice.
    pub least: u8,
    /// If the opponent moves first.
    pub second: u8,
    /// If the owner moves first.
    pub first: u8,
}

impl std::ops::AddAssign for EyeCount {
    /// Both together; beyond what can be counted it stays there.
    fn add_assign(&mut self, other: EyeCount) {
        self.least = self.least.saturating_add(other.least);
        self.second = self.second.saturating_add(other.second);
        self.first = self.first.saturating_add(other.first);
    }
}

/// The form of an eye space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EyeKind {
    /// One point whose diagonals make it an eye, or still can.
    Single,
    /// One point that can be taken away by its diagonals.
    False,
    /// Two points.
    Two,
    /// Three points or more in a line or bent line; or, open at one end or two, points in a line between walls.
    Line {
        /// Ends that are not closed: none, one or both.
        open: u8,
    },
    /// Any other form.
    Big,
    /// Stones of the other side stand in it that cannot be saved.
    OfDeadStones,
}

/// A space that one side has closed in, but for the ends of open lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EyeSpace {
    /// Whose it is.
    pub color: Color,
    /// Its points, with the dead stones in it.
    pub points: PointSet,
    /// Its form.
    pub kind: EyeKind,
    /// What it is worth.
    pub eyes: EyeCount,
    /// The points that decide, where some do, the best first; one of them, or as [`VitalPoints`] says all.
    pub vital: Vec<Point>,
}

/// Larger spaces are territory rather than eyes: two eyes and more.
const LARGEST: usize = 10;
/// A space of more than one point in so many of the board is not closed in: the other side can still live in it.
const SHARE_OPEN: usize = 3;

/// Diagonals of larger spaces hardly matter.
const SMALL: usize = 7;

/// The eye spaces of a board. Dead stones count as their opponents' points; what stands in small closed spaces is read.
pub(crate) fn find_eye_spaces(style: Style, board: &Board, dead: &PointSet) -> Vec<EyeSpace> {
    let mut found: Vec<EyeSpace> = enclosed::find_enclosed_spaces(style, board, dead)
        .into_iter()
        .map(|enclosed::EnclosedSpace { color, points, eyes, vital }| EyeSpace {
            color,
            points,
            kind: EyeKind::OfDeadStones,
            eyes,
            vital,
        })
        .collect();
    let mut free: PointSet = dead.iter().collect();
    free.add_set(&board.empty_points().collect());
    let free = found.iter().fold(free, |free, space| free.difference(&space.points));
    let mut inside = [PointSet::EMPTY; 2];
    found.iter().for_each(|space| inside[space.color.index()].add_set(&space.points));
    let mut closed = Vec::new();
    for points in spaces_within(free, free, usize::MAX) {
        let is_closed = points.len() * SHARE_OPEN <= board.size().area() || points.len() <= LARGEST;
        if let Some(color) = surrounding_owner(board, &points, dead).filter(|_| is_closed) {
            inside[color.index()].add_set(&points);
            closed.push((color, points));
        }
    }
    let counted = closed.into_iter().map(|(color, points)| {
        let form = SpaceJudge { board, color, dead, own: &inside[color.index()] };
        let is_small = (2..=SMALL).contains(&points.len()) && points.intersection(dead).is_empty();
        let read =
            if is_small { enclosed::worth_with_lost_diagonals(style, board, color, points) } else { None };
        match read {
            Some((eyes, vital)) => EyeSpace { eyes, vital, ..form.judge_space(points) },
            None => form.judge_with_vital_points(style, points),
        }
    });
    found.extend(counted);
    let closed = found.iter().fold(PointSet::EMPTY, |closed, space| closed.union(&space.points));
    found.extend(open::find_open_lines(style, board, dead, &closed));
    found
}

/// The colour of all living stones around the points, if it is one.
fn surrounding_owner(board: &Board, points: &PointSet, dead: &PointSet) -> Option<Color> {
    let mut around =
        points.with_neighbours().difference(points).difference(dead).iter().filter_map(|p| board.color(p));
    let first = around.next()?;
    around.all(|color| color == first).then_some(first)
}

/// Spaces judged by their form.
struct SpaceJudge<'a> {
    board: &'a Board,
    color: Color,
    dead: &'a PointSet,
    /// All points that the owner has closed in.
    own: &'a PointSet,
}

impl SpaceJudge<'_> {
    /// A space by its form, with the point that decides, if one does.
    fn judge_space(&self, points: PointSet) -> EyeSpace {
        let most_inside = most_central_point(&points);
        let prisoners = points.intersection(self.dead).len();
        let eye = |kind, halves: [u8; 3], vital: Option<Point>| {
            let [least, second, first] = halves.map(|halves| halves * HALF);
            let eyes = EyeCount { least, second, first };
            EyeSpace { color: self.color, points, kind, eyes, vital: vital.into_iter().collect() }
        };
        let neighbours =
            |point: Point| point.neighbours().into_iter().filter(|&n| points.contains(n)).count();
        let ends = points.iter().filter(|&point| neighbours(point) <= 1).count();
        match points.len() {
            1 => {
                match judge_diagonals(self.board, self.color, points.first().expect("one point"), self.own) {
                    DiagonalHold::Sure => eye(EyeKind::Single, [2, 2, 2], None),
                    DiagonalHold::Open(diagonals) => {
                        eye(EyeKind::Single, [0, 0, 2], diagonals.first().copied())
                    }
                    DiagonalHold::Lost => eye(EyeKind::False, [0, 0, 1], points.first()),
                }
            }
            2 => eye(EyeKind::Two, [2, 2, 2], None),
            n if prisoners > 0 && n <= 6 => eye(EyeKind::OfDeadStones, [2, 2, 3], most_inside),
            3 => eye(EyeKind::Line { open: 0 }, [2, 2, 4], most_inside),
            4 if is_square_block(&points) => eye(EyeKind::Big, [2, 2, 2], None),
            4 if ends == 2 => eye(EyeKind::Line { open: 0 }, [2, 4, 4], None),
            4 | 5 if points.iter().any(|point| neighbours(point) + 1 >= points.len()) => {
                eye(EyeKind::Big, [2, 2, 4], most_inside)
            }
            5 if ends == 2 => eye(EyeKind::Line { open: 0 }, [3, 4, 4], None),
            5 => eye(EyeKind::Big, [2, 3, 4], most_inside),
            n if n <= LARGEST => eye(EyeKind::Big, [3, 4, 4], None),
            _ => eye(EyeKind::Big, [4, 4, 4], None),
        }
    }

    /// The same; with all points that decide, if the style keeps all.
    fn judge_with_vital_points(&self, style: Style, points: PointSet) -> EyeSpace {
        let mut space = self.judge_space(points);
        if style.vital == VitalPoints::All && space.eyes.first > space.eyes.second {
            let more =
                if points.len() == 1 { self.open_diagonals(points) } else { self.completing_points(&space) };
            more.into_iter().for_each(|point| add_once(&mut space.vital, point));
        }
        space
    }

    /// The open diagonals of an eye of one point: each of them decides.
    fn open_diagonals(&self, points: PointSet) -> Vec<Point> {
        match points.first().map(|point| judge_diagonals(self.board, self.color, point, self.own)) {
            Some(DiagonalHold::Open(diagonals)) => diagonals,
            _ => Vec::new(),
        }
    }

    /// The points at which the owner gets all that the space is worth: what is left of it on either side counts that much together.
    fn completing_points(&self, space: &EyeSpace) -> Vec<Point> {
        let left = |point: Point| {
            let mut rest = space.points;
            rest.remove(point);
            let parts = spaces_within(rest, rest, usize::MAX);
            parts.map(|part| self.judge_space(part).eyes.second).fold(0, u8::saturating_add)
        };
        let is_free = |point: &Point| !self.dead.contains(*point);
        space.points.iter().filter(is_free).filter(|&point| left(point) >= space.eyes.first).collect()
    }
}

fn add_once(points: &mut Vec<Point>, point: Point) {
    if !points.contains(&point) {
        points.push(point);
    }
}

/// Who holds the diagonals of an eye of one point?
enum DiagonalHold {
    /// The owner enough of them, whoever moves first.
    Sure,
    /// Whoever moves first, at any of these.
    Open(Vec<Point>),
    /// The opponent enough of them, whoever moves first.
    Lost,
}

/// In the middle two diagonals of the opponent take an eye away, on the edge one does.
fn judge_diagonals(board: &Board, color: Color, point: Point, own: &PointSet) -> DiagonalHold {
    let diagonals = point.diagonals();
    let is_at_edge = diagonals.iter().any(|&p| board.cell(p) == Cell::Border);
    let outside = diagonals.into_iter().filter(|&p| !own.contains(p));
    let open: Vec<Point> = outside.clone().filter(|&p| board.cell(p) == Cell::Empty).collect();
    let taken = outside.filter(|&p| board.color(p) == Some(!color)).count();
    // What the opponent still lacks, if it moves first and the sides take the open ones in turn.
    let needed = if is_at_edge { 1 } else { 2 };
    let by_opponent = |first: bool| taken + (open.len() + usize::from(first)) / 2;
    if by_opponent(false) >= needed {
        DiagonalHold::Lost
    } else if by_opponent(true) >= needed && !open.is_empty() {
        DiagonalHold::Open(open)
    } else {
        DiagonalHold::Sure
    }
}

fn is_square_block(points: &PointSet) -> bool {
    let min = |f: fn(Point) -> usize| points.iter().map(f).min().unwrap_or(0);
    let max = |f: fn(Point) -> usize| points.iter().map(f).max().unwrap_or(0);
    let sides = [max(Point::column) - min(Point::column), max(Point::row) - min(Point::row)];
    points.len() == 4 && sides == [1, 1]
}

/// The point with most neighbours in the set.
fn most_central_point(points: &PointSet) -> Option<Point> {
    let inside = |point: Point| point.neighbours().into_iter().filter(|&n| points.contains(n)).count();
    points.iter().max_by_key(|&point| (inside(point), std::cmp::Reverse(point.index())))
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Diagram, Move};

    use super::*;

    /// Eyes of the space at `a`, in halves: if the opponent moves twice, first, or the owner does; and the deciding point.
    fn eyes(rows: &str) -> Option<([u8; 3], Option<String>)> {
        let diagram: Diagram = rows.parse().unwrap();
        let board = diagram.to_board().unwrap();
        let at = diagram.marks[&'a'];
        let found = find_eye_spaces(Style::ishi(), &board, &PointSet::EMPTY);
        let space = found.into_iter().find(|space| space.points.contains(at))?;
        let EyeCount { least, second, first } = space.eyes;
        let halves = [least, second, first].map(|eighths| eighths / HALF);
        Some((halves, space.vital.first().map(|point| point.to_string())))
    }

    #[test]
    fn an_eye_of_one_point_depends_on_its_diagonals() {
        let middle = |diagonals: [char; 4]| {
            let [a, b, c, d] = diagonals;
            let row = |first: char, second: char| format!(". . {first} X {second} . .\n");
            let empty = "O . . . . . .\n".repeat(2);
            eyes(&format!("{empty}{}. . X a X . .\n{}{empty}", row(a, b), row(c, d))).unwrap()
        };
        assert_eq!(middle(['X', 'X', 'O', 'X']).0, [2, 2, 2]);
        assert_eq!(middle(['X', '.', '.', 'X']).0, [2, 2, 2], "one each");
        assert_eq!(middle(['X', 'O', '.', 'X']), ([0, 0, 2], Some("C3".to_string())));
        assert_eq!(middle(['X', 'O', 'O', 'X']).0, [0, 0, 1]);
        let edge = |left: char, right: char| {
            eyes(&format!("O . . . .\n. . . . .\n. {left} X {right} .\n. X a X .\n")).unwrap()
        };
        assert_eq!(edge('X', 'X').0, [2, 2, 2]);
        assert_eq!(edge('X', '.'), ([0, 0, 2], Some("D2".to_string())));
        assert_eq!(edge('X', 'O').0, [0, 0, 1]);
    }

    /// The space is the row at the bottom between the outer stones.
    fn row(space: &str) -> Option<([u8; 3], Option<String>)> {
        let above = "X X X X X X X . .\n";
        let empty = ". . . . . . . . .\n".repeat(7);
        eyes(&format!("{empty}{above}{space} X . .\n"))
    }

    #[test]
    fn stones_in_a_closed_space_are_read() {
        assert_eq!(row("X X X a . O"), Some(([2, 2, 4], Some("E1".to_string()))));
        assert_eq!(row("X X X O a O"), Some(([4, 4, 4], None)), "the opponent cannot play there");
        assert_eq!(row("X X X a O ."), Some(([2, 2, 2], None)), "the middle is the opponent's");
        assert_eq!(row("X X a . . O"), Some(([2, 4, 4], None)));
    }

    #[test]
    fn a_wall_that_touches_no_liberty_inside_has_time_to_take() {
        let empty = ". . . . . . . . .\n".repeat(6);
        let rows = format!("{empty}X X . . . . . . .\nO X X . . . . . .\na O X . . . . . .\n");
        assert_eq!(eyes(&rows).map(|(eyes, _)| eyes), Some([4, 4, 4]));
    }

    /// White has cut the wall's diagonal at E2, so that a point of the two is no eye; in all symmetries and both colours.
    #[test]
    fn eyes_with_lost_diagonals_are_the_same_however_they_lie() {
        let rows = [". . . . . . . . .", ". . . . . . . . .", ". . . . . . . . .", ". . . . . . . . ."]
            .into_iter()
            .chain([". . . . . . . . .", ". . . . . . . . .", ". . . . . . . . ."])
            .chain(["X X X X O . . . .", ". . O . X . . . ."]);
        let cells: Vec<Vec<char>> =
            rows.map(|row| row.chars().filter(|c| !c.is_whitespace()).collect()).collect();
        let mut seen = Vec::new();
        for turn in 0..16 {
            let mut board = Board::new(BoardSize::square(9).unwrap());
            for (row, line) in cells.iter().enumerate() {
                for (column, &cell) in line.iter().enumerate().filter(|&(_, &cell)| cell != '.') {
                    let (x, y) = if turn & 1 == 0 { (column, row) } else { (row, column) };
                    let (x, y) =
                        (if turn & 2 == 0 { x } else { 8 - x }, if turn & 4 == 0 { y } else { 8 - y });
                    let color = if (cell == 'X') == (turn & 8 == 0) { Color::Black } else { Color::White };
                    board.play_unchecked(color, Move::Play(Point::new(x, y)));
                }
            }
            let found = find_eye_spaces(Style::ishi(), &board, &PointSet::EMPTY);
            seen.push(found.iter().map(|space| (space.eyes, space.kind)).collect::<Vec<_>>());
        }
        assert_eq!(seen[0].len(), 1, "{seen:?}");
        assert!(seen.iter().all(|one| *one == seen[0]), "{seen:?}");
    }

    /// Stones on the second line with an opponent's at either end, on a board of 13 lines: what the first line below them is worth.
    fn under(stones: usize, from: usize) -> EyeSpace {
        let mut board = Board::new(BoardSize::square(13).unwrap());
        for column in from..from + stones {
            board.play_unchecked(Color::Black, Move::Play(Point::new(column, 1)));
        }
        for column in [from.checked_sub(1), Some(from + stones)].into_iter().flatten() {
            for row in 1..4 {
                board.play_unchecked(Color::White, Move::Play(Point::new(column, row)));
            }
        }
        for column in from..from + stones {
            board.play_unchecked(Color::White, Move::Play(Point::new(column, 2)));
        }
        let at = Point::new(from, 0);
        find_eye_spaces(Style::ishi(), &board, &PointSet::EMPTY)
            .into_iter()
            .find(|space| space.points.contains(at))
            .unwrap()
    }

    /// "On the second line six die and eight live, in the corner four die and six live."
    #[test]
    fn open_lines_are_worth_what_the_proverb_says() {
        let worth = |stones, from| {
            let EyeSpace { kind, eyes, .. } = under(stones, from);
            (kind, [eyes.second, eyes.first].map(|eighths| eighths / HALF))
        };
        let side = EyeKind::Line { open: 2 };
        assert_eq!([6, 7, 8].map(|n| worth(n, 3)), [(side, [2, 2]), (side, [2, 4]), (side, [4, 4])]);
        let corner = EyeKind::Line { open: 1 };
        assert_eq!([4, 5, 6].map(|n| worth(n, 0)), [(corner, [2, 2]), (corner, [2, 4]), (corner, [4, 4])]);
        assert_eq!(under(7, 3).vital.first().map(|point| point.row()), Some(0));
        assert_eq!(under(5, 3).eyes.least, 0, "the opponent moves twice at one end, and first at the other");
    }

    /// The dead stones' own eye does not hide the space that takes them.
    #[test]
    fn the_larger_space_counts_in_either_colour() {
        let rows = "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            O O O O . . . . .
            . . . O . . . . .
            X X X O . . . . .
            a O X O . . . . .
        ";
        let exchanged: String = rows
            .chars()
            .map(|c| match c {
                'X' => 'O',
                'O' => 'X',
                other => other,
            })
            .collect();
        assert_eq!(eyes(rows), eyes(&exchanged));
        let board = rows.parse::<Diagram>().unwrap().to_board().unwrap();
        let found = find_eye_spaces(Style::ishi(), &board, &PointSet::EMPTY);
        let space = found.iter().find(|space| space.kind == EyeKind::OfDeadStones).unwrap();
        assert_eq!((space.color, space.points.len()), (Color::White, 8));
    }

    /// White lives in the corner that Black has closed in: that is no eye of Black's.
    #[test]
    fn stones_that_live_inside_are_no_prisoners() {
        let rows = "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            X X X X X X . . .
            O O O O O X . . .
            a O . O . X . . .
        ";
        assert_eq!(eyes(rows).map(|(eyes, _)| eyes), Some([2, 2, 2]), "White's first eye");
    }

    /// The vital points of the space at `a` in a style.
    fn vital(style: &str, rows: &str) -> Vec<String> {
        let diagram: Diagram = rows.parse().unwrap();
        let found = find_eye_spaces(style.parse().unwrap(), &diagram.to_board().unwrap(), &PointSet::EMPTY);
        let space = found.into_iter().find(|space| space.points.contains(diagram.marks[&'a'])).unwrap();
        space.vital.iter().map(Point::to_string).collect()
    }

    #[test]
    fn all_vital_points_are_listed() {
        let bulky = "X X X X . .\n. . . X . .\na . X X . .\n";
        let rows = format!("{}{bulky}", ". . . . . .\n".repeat(3));
        assert_eq!(vital("ishi", &rows), ["B2"]);
        assert_eq!(vital("vital=all", &rows), ["B2", "B1", "A2"], "the owner lives by two others, too");
        let diagonals = "O . . . . . .\nO . . . . . .\n. . X X . . .\n. . X a X . .\n. . . X . . .\n. . . . . . .\nO . . . . . .\n";
        assert_eq!(vital("ishi", diagonals).len(), 1);
        let mut all = vital("vital=all", diagonals);
        all.sort();
        assert_eq!(all, ["C3", "E3", "E5"]);
    }

    /// White has three stones in the corner: each side makes a ko for the second eye, which the owner takes first if it moves first.
    #[test]
    fn a_ko_counts_quarters_if_eyes_are_counted_in_eighths() {
        assert_eq!((EYE, HALF), (8, 4));
        let ko = "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            X X X X . . . . .
            O . . X . . . . .
            . O O X . . . . .
        ";
        let board = ko.parse::<Diagram>().unwrap().to_board().unwrap();
        let of = |style: Style| find_eye_spaces(style, &board, &PointSet::EMPTY)[0].eyes;
        let [halves, eighths] = [Style::ishi(), "eyes=eighths".parse().unwrap()].map(of);
        assert_eq!([halves.second, halves.first], [EYE, EYE + HALF]);
        assert_eq!([eighths.second, eighths.first], [EYE + 2, EYE + 6]);
    }
}
