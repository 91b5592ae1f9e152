//! Words for the moves of database patterns that nobody has described: what the shapes among the rules call them.

use ishi_go::Color;
use ishi_patterns::library::{
    BilingualWords, DiagramEdges, DiagramSquare, Pattern, PatternBranch, PatternDiagram,
};

use super::PATTERNS;
use super::pattern::{KnownSurroundings, may_be};

/// Gives every move without words those of the weightiest shape that it makes, whatever stands where the pattern says nothing; points
/// have their names in the pattern. A move that makes no shape is left as it is.
///
/// ```
/// use ishi_patterns::library::text;
/// let text = "ishi-shapes 1\n\npattern example\nsource none\n: . . .\n: O . .\n: X . .\n: . . .\nB B3 0 0 normal\n";
/// let mut pattern = text::parse_library(text).unwrap().patterns()[0].clone();
/// ishi_knowledge::rules::name_moves(&mut pattern);
/// assert_eq!(pattern.moves[0].words.en, "is a hane around A3");
/// ```
pub fn name_moves(pattern: &mut Pattern) {
    name_branches(&PatternSquares::from_diagram(&pattern.diagram), &mut pattern.moves);
}

fn name_branches(squares: &PatternSquares, branches: &mut [PatternBranch]) {
    for branch in branches {
        if branch.words == BilingualWords::default() {
            branch.words = squares.words_for_move(branch.color, branch.at).unwrap_or_default();
        }
        if !branch.replies.is_empty() {
            let mut after = squares.clone();
            after.play_stone(branch.color, branch.at);
            name_branches(&after, &mut branch.replies);
        }
    }
}

/// What the points of a pattern may be, in the bits of [`may_be`] with Black as oneself.
#[derive(Clone)]
struct PatternSquares {
    frame: PatternDiagram,
    may_be: [u8; 64],
    /// The move before, inside the frame.
    last: Option<DiagramSquare>,
}

impl PatternSquares {
    fn from_diagram(diagram: &PatternDiagram) -> PatternSquares {
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
        PatternSquares { frame: *diagram, may_be, last: None }
    }

    /// What a point of the frame or beyond may be.
    fn contents_at(&self, column: i8, row: i8) -> u8 {
        let is_edge =
            |edge: DiagramEdges, coordinate: i8| coordinate < 0 && self.frame.edges.contains_all(edge);
        if is_edge(DiagramEdges::LEFT, column) || is_edge(DiagramEdges::BOTTOM, row) {
            return may_be::EDGE;
        }
        self.frame_index((column, row)).map_or(may_be::ANYTHING, |index| self.may_be[index])
    }

    /// The place of a point of the frame; `None` beyond it.
    fn frame_index(&self, (column, row): (i8, i8)) -> Option<usize> {
        let (column, row) = (usize::try_from(column).ok()?, usize::try_from(row).ok()?);
        (column < self.frame.width && row < self.frame.height)
            .then(|| DiagramSquare::new(column, row).index())
    }

    /// What the weightiest shape says of a move.
    fn words_for_move(&self, color: Color, mv: DiagramSquare) -> Option<BilingualWords> {
        let known = PatternMoveContext { before: self, color, mv: (mv.column() as i8, mv.row() as i8) };
        let found = PATTERNS.iter().filter_map(|(rule, shape)| Some((rule, shape.matches_around(&known)?)));
        let (rule, named) = found.max_by(|(a, _), (b, _)| a.value.total_cmp(&b.value))?;
        let [about, other] = named.map(|stone| {
            let (column, row) = stone.map_or(known.mv, |(x, y)| known.offset_by(x, y));
            DiagramSquare::new(column as usize, row as usize).to_string()
        });
        let told = |sentence: &str| sentence.replace("{about}", &about).replace("{other}", &other);
        Some(BilingualWords { en: told(rule.english), ja: told(rule.japanese) })
    }

    /// Puts a stone, and takes off what surely has no liberty left; what may have none may be gone.
    fn play_stone(&mut self, color: Color, mv: DiagramSquare) {
        let [own, enemy] = [color, !color].map(stone_bits);
        self.may_be[mv.index()] = own;
        self.last = Some(mv);
        for near in adjacent_squares((mv.column() as i8, mv.row() as i8)) {
            if self.frame_index(near).is_none() || self.contents_at(near.0, near.1) & enemy == 0 {
                continue;
            }
            let chain = self.collect_chain(near, |point| point & enemy != 0);
            let is_taken = chain.stones.iter().all(|&(column, row)| self.contents_at(column, row) == enemy)
                && chain
                    .around
                    .iter()
                    .all(|&(column, row)| self.contents_at(column, row) & (may_be::EMPTY | enemy) == 0);
            let gone = chain.stones.into_iter().filter(|&at| !self.has_liberty(at, enemy, None));
            for index in gone.filter_map(|at| self.frame_index(at)).collect::<Vec<_>>() {
                let rest = if is_taken { 0 } else { self.may_be[index] };
                self.may_be[index] = rest | may_be::EMPTY;
            }
        }
    }

    /// Has the chain that surely hangs together with a stone a liberty for sure, besides a move?
    fn has_liberty(&self, start: (i8, i8), color: u8, besides: Option<(i8, i8)>) -> bool {
        let around = self.collect_chain(start, |point| point == color).around;
        around.into_iter().any(|at| self.contents_at(at.0, at.1) == may_be::EMPTY && Some(at) != besides)
    }

    /// The points of the frame that hang together with one, all of the kind that is asked for, and the others around them.
    fn collect_chain(&self, start: (i8, i8), is_stone: impl Fn(u8) -> bool) -> PatternChain {
        let (mut stones, mut around) = (vec![start], Vec::new());
        let mut next = 0;
        while let Some(&point) = stones.get(next) {
            for near in adjacent_squares(point) {
                if self.frame_index(near).is_none() || !is_stone(self.contents_at(near.0, near.1)) {
                    around.push(near);
                } else if !stones.contains(&near) {
                    stones.push(near);
                }
            }
            next += 1;
        }
        PatternChain { stones, around }
    }
}

/// Points that hang together, and those around them (some more than once).
struct PatternChain {
    stones: Vec<(i8, i8)>,
    around: Vec<(i8, i8)>,
}

/// What a pattern tells of the points around a move.
struct PatternMoveContext<'a> {
    before: &'a PatternSquares,
    color: Color,
    mv: (i8, i8),
}

impl PatternMoveContext<'_> {
    /// Column and row of the pattern.
    fn offset_by(&self, x: i8, y: i8) -> (i8, i8) {
        (self.mv.0 + x, self.mv.1 + y)
    }

    /// Is some point of the pattern on the board, so many lines away or more in a direction?
    fn has_board(&self, (x, y): (i8, i8), lines: i8) -> bool {
        let all = (-8..=8).flat_map(|dx| (-8..=8).map(move |dy| (dx, dy)));
        let mut beyond = all.filter(|(dx, dy)| dx * x + dy * y >= lines);
        lines == 0 || beyond.any(|(dx, dy)| self.may_be(dx, dy) & may_be::EDGE == 0)
    }
}

impl KnownSurroundings for PatternMoveContext<'_> {
    fn may_be(&self, x: i8, y: i8) -> u8 {
        let (column, row) = self.offset_by(x, y);
        bits_for_side(self.before.contents_at(column, row), self.color)
    }

    fn may_be_taken(&self, x: i8, y: i8) -> bool {
        !self.before.has_liberty(self.offset_by(x, y), stone_bits(!self.color), Some(self.mv))
    }

    /// Chains that may both go on beyond the frame may meet there.
    fn may_be_one_chain(&self, one: (i8, i8), another: (i8, i8)) -> bool {
        let own = stone_bits(self.color);
        let [one, another] = [one, another].map(|(x, y)| self.offset_by(x, y));
        let goes_on = |chain: &PatternChain| {
            let is_beyond = |&at: &(i8, i8)| self.before.frame_index(at).is_none();
            chain.around.iter().any(|at| is_beyond(at) && self.before.contents_at(at.0, at.1) & own != 0)
        };
        let chains = [one, another].map(|start| self.before.collect_chain(start, |point| point & own != 0));
        chains[0].stones.contains(&another) || chains.iter().all(goes_on)
    }

    fn is_last(&self, x: i8, y: i8) -> bool {
        let at = |last: DiagramSquare| (last.column() as i8, last.row() as i8) == self.offset_by(x, y);
        self.before.last.is_some_and(at)
    }

    /// No board is so small that the edge opposite to a near one is nearer.
    fn is_on_line(&self, line: usize) -> bool {
        let line = line as i8;
        let is_beyond = |(x, y): (i8, i8), lines: i8| self.may_be(x * lines, y * lines) == may_be::EDGE;
        let is_edge = |&way: &(i8, i8)| is_beyond(way, line) && !is_beyond(way, line - 1);
        let axes = [[(1, 0), (-1, 0)], [(0, 1), (0, -1)]];
        let is_far = |axis: &[(i8, i8); 2]| axis.iter().all(|&way| self.has_board(way, line - 1));
        axes.iter().flatten().any(is_edge) && axes.iter().all(|axis| axis.iter().any(is_edge) || is_far(axis))
    }

    /// Where the centre is a pattern does not say.
    fn is_inward(&self, _: i8, _: i8) -> bool {
        false
    }
}

/// A stone of the colour.
fn stone_bits(color: Color) -> u8 {
    if color == Color::Black { may_be::OWN } else { may_be::ENEMY }
}

/// The same seen by a side: colours exchanged for White.
fn bits_for_side(point: u8, color: Color) -> u8 {
    if color == Color::Black {
        return point;
    }
    let moved = |from: u8, to: u8| if point & from != 0 { to } else { 0 };
    point & (may_be::EMPTY | may_be::EDGE)
        | moved(may_be::OWN, may_be::ENEMY)
        | moved(may_be::ENEMY, may_be::OWN)
}

fn adjacent_squares((column, row): (i8, i8)) -> impl Iterator<Item = (i8, i8)> {
    [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter().map(move |(x, y)| (column + x, row + y))
}

#[cfg(test)]
mod tests {
    use ishi_patterns::library::{PatternLibrary, text};

    use super::*;

    fn pattern(rows: &str, moves: &str) -> Pattern {
        let text = format!("ishi-shapes 1\n\npattern p\nsource none\n{rows}{moves}");
        text::parse_library(&text).unwrap().patterns()[0].clone()
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
        assert_eq!(words, ["is a hane around C3", "makes a crosscut with C3"]);
    }

    #[test]
    fn answers_are_named_where_the_move_before_is_known() {
        let rows = ": . . . .\n: . X . .\n: . . . .\n: . . . .\n";
        let words = named(rows, "W C3 0 0 normal\n B C2 0 0 normal\n");
        assert_eq!(words, ["touches B3", "answers the attachment at C3 by a hane"]);
    }

    /// With the left edge unknown the move on the third line from below may be on the first from there.
    #[test]
    fn lines_are_named_where_no_edge_can_be_nearer() {
        let rows = [". X O . .", ". . . . .", ". . . . .", ". . . . ."];
        let on = |first: char, from: usize| {
            let rows = rows.map(|row| format!("{first} {}\n", &row[2 * from..]));
            named(&(rows.concat() + "+----\n"), &format!("B {}3 0 0 normal\n", ["C", "B"][from]))
        };
        assert_eq!(on('|', 0), ["is a hane on the third line around C4"]);
        assert_eq!(on('|', 1), ["is a hane around B4"], "here it is on the second");
    }

    #[test]
    fn a_shape_that_only_may_be_there_gives_no_name() {
        assert_eq!(
            named(": . . .\n: O . .\n: X . .\n: . . .\n", "B B3 0 0 normal\n"),
            ["is a hane around A3"]
        );
        assert_eq!(named(": . . .\n: o . .\n: X . .\n: . . .\n", "B B3 0 0 normal\n"), [""]);
        assert_eq!(named(": . . .\n: ? . .\n: X . .\n: . . .\n", "B B3 0 0 normal\n"), [""]);
    }

    /// The stone on A1 is taken, and its point is empty then.
    #[test]
    fn captured_stones_leave_the_board() {
        let after = |rows: &str| {
            let mut squares = PatternSquares::from_diagram(&pattern(rows, "B B1 0 0 normal\n").diagram);
            squares.play_stone(Color::Black, DiagramSquare::new(1, 0));
            squares.contents_at(0, 0)
        };
        assert_eq!(after("| X .\n| O .\n+----\n"), may_be::EMPTY);
        let is_known = may_be::ENEMY | may_be::EMPTY;
        assert_eq!(after(": X .\n: O .\n"), is_known, "it may have liberties beyond, or none");
        assert_eq!(after("| . .\n| O .\n+----\n"), may_be::ENEMY);
    }

    /// Without A4 the stone on A3 may have no liberty but the move.
    #[test]
    fn what_the_move_may_take_gives_no_name() {
        let words = |above: &str| {
            let rows = format!(": {above} . .\n: O . .\n: X . .\n: . . .\n");
            named(&rows, "B B3 0 0 normal\n")
        };
        assert_eq!(words("."), ["is a hane around A3"]);
        assert_eq!(words("O"), words("."), "B4 is a liberty of its chain");
        for above in ["X", "?", "o"] {
            assert_eq!(words(above), [""], "{above}");
        }
    }

    /// Stones of one side that both go on beyond the frame may meet there.
    #[test]
    fn stones_that_may_be_one_chain_are_not_said_to_be_connected() {
        let words = |beside: &str, below: &str| {
            let rows = format!(": . . . .\n: . O X {beside}\n: . X . .\n: . {below} . .\n");
            named(&rows, "B C2 0 0 normal\n")
        };
        let connects = ["fills the cutting point between C3 and B2"];
        assert_eq!(words(".", "."), connects);
        assert_eq!(words("X", "."), connects);
        assert_ne!(words("X", "X"), connects);
        assert_ne!(words("?", "x"), connects);
    }

    #[test]
    fn most_patterns_that_ship_have_words_then() {
        let mut with_words = 0;
        let library = PatternLibrary::shipped();
        for pattern in library.patterns() {
            let mut pattern = pattern.clone();
            name_moves(&mut pattern);
            pattern.check_pattern().unwrap();
            with_words += usize::from(pattern.moves[0].words != BilingualWords::default());
        }
        let share = with_words as f64 / library.patterns().len() as f64;
        assert!(share > 0.5, "{share:.3}");
    }
}
