//! Words for the moves of database patterns that nobody has described: what the shapes among the rules call them.

use ishi_go::Color;
use ishi_patterns::library::{Branch, Diagram, Edges, Pattern, Square, Words};

use super::PATTERNS;
use super::pattern::may_be;

/// Gives every move without words those of the weightiest shape that it makes, whatever stands where the pattern says nothing; points
/// have their names in the pattern. A move that makes no shape is left as it is.
///
/// ```
/// use ishi_patterns::library::text;
/// let text = "ishi-shapes 1\n\npattern example\nsource none\n: O .\n: X .\n: . .\nB B3 0 0 normal\n";
/// let mut pattern = text::parse(text).unwrap().patterns()[0].clone();
/// ishi_knowledge::rules::name_moves(&mut pattern);
/// assert_eq!(pattern.moves[0].words.en, "is a hane around A3");
/// ```
pub fn name_moves(pattern: &mut Pattern) {
    name_branches(&Squares::of(&pattern.diagram), &mut pattern.moves);
}

fn name_branches(squares: &Squares, branches: &mut [Branch]) {
    for branch in branches {
        if branch.words == Words::default() {
            branch.words = squares.words(branch.color, branch.at).unwrap_or_default();
        }
        if !branch.replies.is_empty() {
            let mut after = squares.clone();
            after.play(branch.color, branch.at);
            name_branches(&after, &mut branch.replies);
        }
    }
}

/// What the points of a pattern may be, in the bits of [`may_be`] with Black as oneself.
#[derive(Clone)]
struct Squares {
    frame: Diagram,
    may_be: [u8; 64],
}

impl Squares {
    fn of(diagram: &Diagram) -> Squares {
        let mut may_be = [may_be::ANYTHING; 64];
        for (index, point) in may_be.iter_mut().enumerate() {
            let says = |board: u64, bit: u8| if board >> index & 1 == 1 { bit } else { 0 };
            let said = says(diagram.black, may_be::OWN)
                | says(diagram.white, may_be::ENEMY)
                | says(diagram.empty, may_be::EMPTY);
            if said != 0 {
                *point = said;
            }
        }
        Squares { frame: *diagram, may_be }
    }

    /// What a point of the frame or beyond may be.
    fn at(&self, column: i8, row: i8) -> u8 {
        let is_edge = |edge: Edges, coordinate: i8| coordinate < 0 && self.frame.edges.has(edge);
        if is_edge(Edges::LEFT, column) || is_edge(Edges::BOTTOM, row) {
            return may_be::EDGE;
        }
        match (usize::try_from(column), usize::try_from(row)) {
            (Ok(column), Ok(row)) if column < self.frame.width && row < self.frame.height => {
                self.may_be[Square::new(column, row).index()]
            }
            _ => may_be::ANYTHING,
        }
    }

    /// What the weightiest shape says of a move.
    fn words(&self, color: Color, mv: Square) -> Option<Words> {
        let (column, row) = (mv.column() as i8, mv.row() as i8);
        let seen_by_mover = |x: i8, y: i8| for_side(self.at(column + x, row + y), color);
        let found =
            PATTERNS.iter().filter_map(|(rule, shape)| Some((rule, shape.must_match(seen_by_mover)?)));
        let (rule, stone) = found.max_by(|(a, _), (b, _)| a.value.total_cmp(&b.value))?;
        let about = stone.map_or(mv, |(x, y)| Square::new((column + x) as usize, (row + y) as usize));
        let told = |sentence: &str| sentence.replace("{about}", &about.to_string());
        Some(Words { en: told(rule.english), ja: told(rule.japanese) })
    }

    /// Puts a stone, and takes off what surely has no liberty left.
    fn play(&mut self, color: Color, mv: Square) {
        let [own, enemy] = [color, !color].map(stone);
        self.may_be[mv.index()] = own;
        for (column, row) in beside((mv.column() as i8, mv.row() as i8)) {
            if self.at(column, row) == enemy
                && let Some(chain) = self.without_liberties((column, row), enemy)
            {
                for index in chain {
                    self.may_be[index] = may_be::EMPTY;
                }
            }
        }
    }

    /// The chain of a stone, if all around it is surely taken.
    fn without_liberties(&self, start: (i8, i8), color: u8) -> Option<Vec<usize>> {
        let mut chain = vec![start];
        let mut next = 0;
        while let Some(&point) = chain.get(next) {
            for near in beside(point).filter(|near| !chain.contains(near)).collect::<Vec<_>>() {
                let cell = self.at(near.0, near.1);
                if cell == color {
                    chain.push(near);
                } else if cell & (may_be::EMPTY | color) != 0 {
                    return None;
                }
            }
            next += 1;
        }
        Some(chain.iter().map(|&(column, row)| Square::new(column as usize, row as usize).index()).collect())
    }
}

/// A stone of the colour.
fn stone(color: Color) -> u8 {
    if color == Color::Black { may_be::OWN } else { may_be::ENEMY }
}

/// The same seen by a side: colours exchanged for White.
fn for_side(point: u8, color: Color) -> u8 {
    if color == Color::Black {
        return point;
    }
    let moved = |from: u8, to: u8| if point & from != 0 { to } else { 0 };
    point & (may_be::EMPTY | may_be::EDGE)
        | moved(may_be::OWN, may_be::ENEMY)
        | moved(may_be::ENEMY, may_be::OWN)
}

fn beside((column, row): (i8, i8)) -> impl Iterator<Item = (i8, i8)> {
    [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter().map(move |(x, y)| (column + x, row + y))
}

#[cfg(test)]
mod tests {
    use ishi_patterns::library::{Library, text};

    use super::*;

    fn pattern(rows: &str, moves: &str) -> Pattern {
        let text = format!("ishi-shapes 1\n\npattern p\nsource none\n{rows}{moves}");
        text::parse(&text).unwrap().patterns()[0].clone()
    }

    fn named(rows: &str, moves: &str) -> Vec<String> {
        let mut pattern = pattern(rows, moves);
        name_moves(&mut pattern);
        let mut words = Vec::new();
        let mut branches = &pattern.moves;
        while let Some(branch) = branches.first() {
            words.push(branch.words.en.clone());
            branches = &branch.replies;
        }
        words
    }

    #[test]
    fn moves_and_answers_are_named_in_either_colour() {
        let rows = ": . . . .\n: . X O .\n: . . . .\n: . . . .\n";
        let words = named(rows, "B C2 0 0 normal\n W B2 0 0 normal\n");
        assert_eq!(words, ["answers the attachment by a hane", "makes a crosscut with C3"]);
    }

    #[test]
    fn a_shape_that_only_may_be_there_gives_no_name() {
        assert_eq!(named(": O .\n: X .\n: . .\n", "B B3 0 0 normal\n"), ["is a hane around A3"]);
        assert_eq!(named(": o .\n: X .\n: . .\n", "B B3 0 0 normal\n"), [""]);
        assert_eq!(named(": ? .\n: X .\n: . .\n", "B B3 0 0 normal\n"), [""]);
    }

    /// The stone on A1 is taken, and its point is empty then.
    #[test]
    fn captured_stones_leave_the_board() {
        let after = |rows: &str| {
            let mut squares = Squares::of(&pattern(rows, "B B1 0 0 normal\n").diagram);
            squares.play(Color::Black, Square::new(1, 0));
            squares.at(0, 0)
        };
        assert_eq!(after("| X .\n| O .\n+----\n"), may_be::EMPTY);
        assert_eq!(after(": X .\n: O .\n"), may_be::ENEMY, "it may have liberties beyond");
    }

    #[test]
    fn most_patterns_that_ship_have_words_then() {
        let mut with_words = 0;
        let library = Library::shipped();
        for pattern in library.patterns() {
            let mut pattern = pattern.clone();
            name_moves(&mut pattern);
            pattern.check().unwrap();
            with_words += usize::from(pattern.moves[0].words != Words::default());
        }
        let share = with_words as f64 / library.patterns().len() as f64;
        assert!(share > 0.5, "{share:.3}");
    }
}
