//! The patterns that the evaluation looks at: sets of squares whose ternary contents index a table of weights.
//!
//! The choice follows Buro ("Improving heuristic mini-max search by supervised learning", Artificial Intelligence 134,
//! 2002): edges with X-squares, corners, lines and diagonals, all with their mirror images. Lines and diagonals have squares beside them,
//! up to ten in all: a pattern costs the same time with ten squares as with five.

use std::sync::OnceLock;

use ishi_othello::simd::Words;

/// The number of patterns on the board, mirror images included, padded to whole vectors.
pub const FEATURES: usize = 64;

/// The number of patterns that are not padding.
pub const USED: usize = 62;

/// So many patterns that follow each other are of one kind, and look their weights up in one table.
pub(crate) const GROUP: usize = 4;

/// The number of groups of patterns.
pub(crate) const GROUPS: usize = FEATURES / GROUP;

/// What the index of padding always is: more than that of any pattern, so that no weight stands there.
pub(crate) const PADDING_INDEX: u16 = u16::MAX;

/// A kind of pattern: its squares in one place, first square most significant. Its other places are the mirror images.
pub(crate) struct PatternKind {
    /// What it is called in the documentation.
    #[cfg_attr(not(test), expect(dead_code, reason = "names are for readers and tests"))]
    pub(crate) name: &'static str,
    /// Squares, as text.
    squares: &'static str,
}

/// All kinds of patterns.
pub(crate) const KINDS: [PatternKind; 15] = [
    PatternKind { name: "corner 3x3 with the middle", squares: "a1 b1 a2 b2 c1 a3 c2 b3 c3 d4" },
    PatternKind { name: "edge with X-squares", squares: "b2 a1 b1 c1 d1 e1 f1 g1 h1 g2" },
    PatternKind { name: "corner with X-square", squares: "a5 a4 a3 a2 a1 b2 b1 c1 d1 e1" },
    PatternKind { name: "edge and what lies before it", squares: "a1 c1 d1 c2 d2 e2 f2 e1 f1 h1" },
    PatternKind { name: "triangle", squares: "d1 c1 c2 b1 a1 b2 a2 b3 a3 a4" },
    PatternKind { name: "corner 2x5", squares: "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2" },
    PatternKind { name: "second line with corners", squares: "a1 a2 b2 c2 d2 e2 f2 g2 h2 h1" },
    PatternKind { name: "third line with the second", squares: "a3 b3 c3 d3 e3 f3 g3 h3 d2 e2" },
    PatternKind { name: "fourth line with the third", squares: "a4 b4 c4 d4 e4 f4 g4 h4 d3 e3" },
    PatternKind { name: "diagonal of 8", squares: "a1 b2 c3 d4 e5 f6 g7 h8" },
    PatternKind { name: "diagonal of 7 with corners", squares: "a1 b1 c2 d3 e4 f5 g6 h7 h8" },
    PatternKind { name: "diagonal of 6 with edges", squares: "b1 c1 d1 d2 e3 f4 g5 h5 h6 h7" },
    PatternKind { name: "diagonals of 5 and 4 with a corner", squares: "d1 e1 e2 f2 f3 g3 g4 h4 h5 h1" },
    PatternKind { name: "second and third line inside", squares: "c2 d2 e2 f2 c3 d3 e3 f3 d4 e4" },
    PatternKind { name: "diagonal with both sides", squares: "a1 b1 a2 b2 c2 b3 c3 d3 c4 d4" },
];

/// Where the patterns lie, and where their weights stand.
pub(crate) struct PatternLayout {
    /// For every square, 3 to the power of its place in each pattern; 0 where the pattern does not hold the square. The last row is that of no
    /// square: all 0.
    pub(crate) powers: [Words; 65],
    /// The kind of every pattern.
    pub(crate) kind: [usize; USED],
    /// The first weight of each kind in the table with all indices.
    pub(crate) offset: [usize; KINDS.len() + 1],
    /// For every weight of that table, its place among the weights that are learned: mirror images share one.
    pub(crate) shared: Vec<u32>,
    /// The number of weights that are learned.
    pub(crate) learned: usize,
    /// For every weight of that table, the one with colours exchanged.
    pub(crate) exchanged: Vec<u32>,
}

/// The layout, made once.
pub(crate) fn shared_layout() -> &'static PatternLayout {
    static LAYOUT: OnceLock<Box<PatternLayout>> = OnceLock::new();
    LAYOUT.get_or_init(|| Box::new(PatternLayout::new()))
}

fn parse_squares(squares: &str) -> Vec<(usize, usize)> {
    let place = |text: &str| {
        let square: ishi_othello::Square = text.parse().expect("the table is right");
        (square.column(), square.row())
    };
    squares.split(' ').map(place).collect()
}

/// The eight mirror images of a square.
fn mirror_image((column, row): (usize, usize), symmetry: usize) -> (usize, usize) {
    let column = if symmetry & 1 == 0 { column } else { 7 - column };
    let row = if symmetry & 2 == 0 { row } else { 7 - row };
    if symmetry & 4 == 0 { (column, row) } else { (row, column) }
}

/// All places of a kind: lists of squares, and the order of squares that mirrors it onto itself, if there is one.
fn places_of_kind(kind: &PatternKind) -> (Vec<Vec<usize>>, Option<Vec<usize>>) {
    let first = parse_squares(kind.squares);
    let mut places: Vec<Vec<usize>> = Vec::new();
    let mut mirror = None;
    for symmetry in 0..8 {
        let squares: Vec<usize> = first
            .iter()
            .map(|&square| mirror_image(square, symmetry))
            .map(|(column, row)| 8 * row + column)
            .collect();
        let set = |squares: &[usize]| {
            let mut sorted = squares.to_vec();
            sorted.sort_unstable();
            sorted
        };
        match places.iter().position(|place| set(place) == set(&squares)) {
            None => places.push(squares),
            Some(0) => {
                let order = squares.iter().filter_map(|s| places[0].iter().position(|p| p == s)).collect();
                mirror = Some(order);
            }
            Some(_) => {}
        }
    }
    (places, mirror)
}

/// Moves the digits of an index: digit `i` of the result is digit `order[i]`.
fn reorder_digits(index: usize, order: &[usize]) -> usize {
    let digits = ternary_digits(index, order.len());
    order.iter().fold(0, |sum, &place| 3 * sum + digits[place])
}

/// Ternary digits, most significant first.
fn ternary_digits(mut index: usize, length: usize) -> Vec<usize> {
    let mut digits = vec![0; length];
    for digit in digits.iter_mut().rev() {
        *digit = index % 3;
        index /= 3;
    }
    digits
}

impl PatternLayout {
    fn new() -> PatternLayout {
        let mut layout = PatternLayout {
            powers: [Words([0; FEATURES]); 65],
            kind: [0; USED],
            offset: [0; KINDS.len() + 1],
            shared: Vec::new(),
            learned: 0,
            exchanged: Vec::new(),
        };
        let mut patterns = Vec::new();
        for (number, kind) in KINDS.iter().enumerate() {
            let (places, mirror) = places_of_kind(kind);
            layout.add_weights(number, places[0].len(), mirror.as_deref());
            let outside_groups = places.len() % GROUP;
            patterns.extend(places.into_iter().map(|squares| (outside_groups, number, squares)));
        }
        assert_eq!(patterns.len(), USED, "USED counts the patterns");
        // The last group may have fewer patterns, and padding.
        patterns.sort_by_key(|&(outside_groups, ..)| outside_groups);
        for (feature, (_, kind, squares)) in patterns.into_iter().enumerate() {
            layout.kind[feature] = kind;
            for (power, square) in (0..).zip(squares.into_iter().rev()) {
                layout.powers[square].0[feature] = 3u16.pow(power);
            }
        }
        layout
    }

    fn add_weights(&mut self, kind: usize, length: usize, mirror: Option<&[usize]>) {
        let offset = self.shared.len();
        for index in 0..3usize.pow(length as u32) {
            let twin = mirror.map_or(index, |order| reorder_digits(index, order));
            if twin < index {
                self.shared.push(self.shared[offset + twin]);
            } else {
                self.shared.push(self.learned as u32);
                self.learned += 1;
            }
            let exchange = |digit: &usize| [0, 2, 1][*digit];
            let exchanged =
                ternary_digits(index, length).iter().map(exchange).fold(0, |sum, digit| 3 * sum + digit);
            self.exchanged.push((offset + exchanged) as u32);
        }
        self.offset[kind + 1] = self.shared.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_a_group_are_of_one_kind() {
        for group in shared_layout().kind.chunks(GROUP) {
            assert!(group.iter().all(|kind| kind == &group[0]), "{group:?}");
        }
    }

    #[test]
    fn places_are_counted() {
        let numbers: Vec<usize> = KINDS.iter().map(|kind| places_of_kind(kind).0.len()).collect();
        assert_eq!(numbers, [4, 4, 4, 4, 4, 8, 4, 4, 4, 2, 4, 4, 4, 4, 4]);
        let mirrored: Vec<bool> = KINDS.iter().map(|kind| places_of_kind(kind).1.is_some()).collect();
        assert!(mirrored.iter().zip(&KINDS).all(|(&mirrored, kind)| mirrored != (kind.name == "corner 2x5")));
    }
}
