//! What each sequence is, how it is computed, how far it is checked, and what the encyclopedia has of it.

use super::Sequence;

/// A sequence's entry, but for its terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SequenceEntry {
    /// On the command line and in names of files.
    pub name: &'static str,
    /// The encyclopedia's number, where it has the sequence.
    pub number: Option<&'static str>,
    /// The name an encyclopedia gives.
    pub title: &'static str,
    /// First index.
    pub offset: usize,
    /// The index that an `oeis` command goes to if nothing is said: minutes of work.
    pub usual_last: usize,
    /// The definition, with nothing left open.
    pub definition: &'static [&'static str],
    /// How the terms are computed.
    pub method: &'static [&'static str],
    /// Second ways, and how far they go.
    pub checks: &'static [&'static str],
    /// Formulas and bounds.
    pub formulas: &'static [&'static str],
    /// What is known elsewhere.
    pub references: &'static [&'static str],
}

const POSITION: &str = "A position puts on each of the n X n points nothing, a black or a white stone. Neighbours are \
    the points next to each other in a row or column. A string (chain) is a maximal connected set of stones of one \
    colour. A position is legal if every string has an empty neighbour.";
const ALTERNATING: &str = "In a board of alternating colours the stones on points whose row and column have an even sum are \
    white, all others black (theorem 1 of Miyashiro et al.). Every stone is then a string of its own, and the position is \
    legal if and only if the empty points are a dominating set of the grid graph P_n X P_n. So optimal boards are \
    minimum dominating sets.";
const MERTENS: &str = "Stephan Mertens, Domination Polynomials of the Grid, the Cylinder, the Torus, and the King Graph, \
    Journal of Integer Sequences 27 (2024), Article 24.7.6; arXiv:2408.08053.";
const GONCALVES: &str = "Daniel Goncalves, Alexandre Pinlou, Michael Rao, Stephan Thomasse, The Domination Number of Grids, \
    SIAM J. Discrete Math. 25 (2011), 1443-1453.";
const MIYASHIRO: &str = "Ryuhei Miyashiro, Yohei Yano, Masakazu Muramatsu, The maximum string problem in Go \
    (in Japanese), RIMS Kokyuroku 1584 (2008), 225-229: n = 2 to 19.";
const SWEEP: &str = "Dynamic programming over the frontier of a sweep along antidiagonals. States whose loss (what is covered \
    twice or beyond the edge) and a lower bound of the loss to come exceed that of a minimum dominating set are \
    dropped. The bound comes from exact tables of two bands along the edge.";
const GROWTH: &str = "For m, n >= N (N not explicit) the number f(m, n) of minimum dominating sets of P_m X P_n \
    satisfies f(m, n+30) = 38 f(m, n+25) + 604 f(m, n+20) + 7241 f(m, n+15) - 12782 f(m, n+10) + 28556 f(m, n+5) - 234256 f(m, n); \
    proof in the documentation of ishi. Counted numbers satisfy it for m = 20 and n >= 20, n == 0 mod 5, and n >= 29, n == 4 (not for n == 3); \
    m = 21 and n >= 26, n == 1; m = 22 and n >= 27, n == 2; m = 25 and n >= 33, n == 3. Of wider rectangles too few are counted.";

impl Sequence {
    /// What the sequence is.
    #[must_use]
    pub fn entry(self) -> SequenceEntry {
        match self {
            Sequence::MostStrings => MOST_STRINGS,
            Sequence::OptimalBoards => OPTIMAL_BOARDS,
            Sequence::OptimalRectangles => OPTIMAL_RECTANGLES,
            Sequence::AnyColours => ANY_COLOURS,
            Sequence::Classes => CLASSES,
            Sequence::ColouredClasses => COLOURED_CLASSES,
            Sequence::PositionsByStrings => POSITIONS_BY_STRINGS,
        }
    }
}

const MOST_STRINGS: SequenceEntry = SequenceEntry {
    name: "most-strings",
    number: Some("A193764"),
    title: "The number of dominoes in a largest saturated domino covering of the n X n board; also the maximum number of \
        strings of a legal Go position on an n X n board.",
    offset: 2,
    usual_last: 64,
    definition: &[
        POSITION,
        "a(n) is the largest number of strings of a legal position. a(n) = n^2 - A104519(n+2).",
    ],
    method: &[
        SWEEP,
        "No set with one point less is left at the end of the sweep: every term is proved for its own n.",
    ],
    checks: &[
        "Certificates for n = 3 to 19, 24 and 30 are accepted by an independent checker (ishi strings check).",
        "Brute force over all subsets of the points: all rectangles of up to 16 points.",
        "The closed form for n >= 7 except n = 13.",
    ],
    formulas: &["a(n) = n^2 + 4 - floor((n+2)^2/5) for n >= 16 (Goncalves et al.)."],
    references: &[
        MIYASHIRO,
        GONCALVES,
        "Ton Hospel, Maximum number of strings on a go board, Computer-go mailing list, Nov 27 2013: all rectangles up to 19 X 19.",
    ],
};

const OPTIMAL_BOARDS: SequenceEntry = SequenceEntry {
    name: "optimal-boards",
    number: Some("A347632"),
    title: "Number of minimum dominating sets in the n X n grid graph.",
    offset: 1,
    usual_last: 39,
    definition: &[
        "A set of points is dominating if every point is in it or has a neighbour in it.",
        ALTERNATING,
    ],
    method: &[SWEEP],
    checks: &[
        "A second engine (any graph, any order of the points; shares no code) agrees for n <= 10.",
        "A third engine (broken profile, row by row, for positions in any colours) gives the same sets for n <= 22.",
        "Brute force over all sets of the size for n <= 5.",
        "A347632 has n = 1 to 22 (Weisstein, Howroyd, Mertens): the same.",
        "The recurrence in each side of the board predicts terms from smaller rectangles, and agrees.",
    ],
    formulas: &[
        GROWTH,
        "a(n+5)/a(n) tends to 2720.22..., the fourth power of the real root of x^3 - 5x^2 - 13x - 22.",
    ],
    references: &[MERTENS, MIYASHIRO],
};

const OPTIMAL_RECTANGLES: SequenceEntry = SequenceEntry {
    name: "optimal-rectangles",
    number: Some("A350820"),
    title: "Array read by antidiagonals: T(m,n) is the number of minimum dominating sets in the grid graph P_m X P_n.",
    offset: 1,
    usual_last: 24,
    definition: &[
        "A set of points is dominating if every point is in it or has a neighbour in it.",
        "Antidiagonal k = 1, 2, ... holds T(1,k), T(2,k-1), ..., T(k,1).",
    ],
    method: &[SWEEP],
    checks: &[
        "Brute force over all sets of points of all rectangles of up to 16 points.",
        "A350820 has the first 23 antidiagonals (Howroyd); its 78 terms in the entry are the same.",
    ],
    formulas: &["T(m,n) = T(n,m).", GROWTH],
    references: &[MERTENS],
};

const ANY_COLOURS: SequenceEntry = SequenceEntry {
    name: "any-colours",
    number: None,
    title: "Number of legal Go positions on an n X n board with the maximum number of strings.",
    offset: 1,
    usual_last: 19,
    definition: &[
        POSITION,
        "a(n) is the number of legal positions that have A193764(n) strings (0 for n = 1). Turned, mirrored and recoloured positions count as \
         different. Whose turn it is does not matter.",
    ],
    method: &[
        "Of each string take one stone with an empty neighbour; all other points dominate. So the other points are a minimum dominating \
         set however the stones are taken, and every string is a star. The first pass builds the graph of all minimum \
         dominating sets with the stones that may be leaves of stars, the second one colours them.",
    ],
    checks: &[
        "Brute force over all 3^(n^2) positions for n <= 4.",
        "A second engine, that counts all legal positions by their number of strings, agrees for n <= 7.",
    ],
    formulas: &[
        "a(n) >= 2*A347632(n) for n >= 2: the two colourings of each optimal board of alternating colours.",
    ],
    references: &[
        MIYASHIRO,
        "Cf. A193764 (the number of strings), A347632 (alternating colours), A094777 (legal positions).",
    ],
};

const CLASSES: SequenceEntry = SequenceEntry {
    name: "classes",
    number: None,
    title: "Number of minimum dominating sets in the n X n grid graph up to rotations and reflections of the square.",
    offset: 1,
    usual_last: 25,
    definition: &[
        "A set of points is dominating if every point is in it or has a neighbour in it. Two sets are the same if one of the 8 \
         symmetries of the square carries one into the other.",
        ALTERNATING,
        "So a(n) is also the number of optimal boards of alternating colours up to rotations, reflections and exchange of the colours.",
    ],
    method: &[
        "Burnside's lemma: a(n) = (A347632(n) + 2*c + h + 2*q + 2*d)/8, where c, h, q, d are the numbers of sets that a reflection of \
         the columns, the half turn, a quarter turn and a diagonal reflection leave alone. These are minimum weighted dominating sets \
         of quotient graphs, counted by dynamic programming along antidiagonals.",
    ],
    checks: &["Brute force: all sets of the size, by their least image, for n <= 5."],
    formulas: &["a(n) >= A347632(n)/8."],
    references: &["Cf. A347632 (all sets).", MERTENS],
};

const COLOURED_CLASSES: SequenceEntry = SequenceEntry {
    name: "coloured-classes",
    number: None,
    title: "Number of legal Go positions on an n X n board with the maximum number of strings and stones coloured like a chessboard, up to \
        rotations and reflections of the square.",
    offset: 1,
    usual_last: 25,
    definition: &[
        POSITION,
        "Counted are the positions with A193764(n) strings (0 for n = 1) in which all stones on points whose row and column have an even sum \
         have one colour, and all others the other colour; which of the two is white is free. Two of them are the same if one of the 8 symmetries of the \
         square carries one into the other, colours included.",
    ],
    method: &[
        "Burnside's lemma over the two colourings, as for the classes of minimum dominating sets. For odd n symmetries keep the colours, so \
         a(n) is twice that number for n > 1. For even n the reflections of rows and columns and the quarter turns \
         exchange the colours and leave no position alone: a(n) = (A347632(n) + h + 2*d)/4.",
    ],
    checks: &["Brute force: all positions of the kind, by their least image, for n <= 5."],
    formulas: &["a(n) >= A347632(n)/4 for n >= 2."],
    references: &[MIYASHIRO, "Cf. A347632."],
};

const POSITIONS_BY_STRINGS: SequenceEntry = SequenceEntry {
    name: "positions-by-strings",
    number: None,
    title: "Irregular triangle read by rows: T(n,k) is the number of legal Go positions on an n X n board with k strings, n >= 1, k >= 0.",
    offset: 1,
    usual_last: 6,
    definition: &[
        POSITION,
        "Row n has T(n,k) for k = 0 to the largest number of strings, A193764(n) (0 for n = 1). Turned, mirrored and recoloured positions count as different.",
    ],
    method: &[
        "Dynamic programming over a broken profile, cell by cell: of every stone of the frontier whether its string has a liberty, and of those \
         without which belong together; the number of strings is a part of the state.",
    ],
    checks: &[
        "Brute force over all 3^(n^2) positions for n <= 4.",
        "The sum of a row is the number of legal positions, A094777(n), which another engine counts too.",
        "The last number of a row is the number of optimal positions in any colours, which a third engine counts.",
    ],
    formulas: &["Sum_{k} T(n,k) = A094777(n).", "T(n,0) = 1: the empty board."],
    references: &[
        "John Tromp, Gunnar Farneback, Combinatorics of Go (2006, revised 2016): A094777, the row sums.",
        "Cf. A378412: boards of alternating colours by their number of strings are the coefficients of the domination polynomials, backwards.",
    ],
};

impl SequenceEntry {
    /// Number, or `new` with the name.
    ///
    /// ```
    /// use ishi_grid::sequences::Sequence;
    /// let entry = Sequence::MostStrings.entry();
    /// assert_eq!((entry.label().as_str(), entry.b_file_name().as_str()), ("A193764", "b193764.txt"));
    /// ```
    #[must_use]
    pub fn label(&self) -> String {
        self.number.map_or_else(|| format!("new sequence ({})", self.name), str::to_string)
    }

    /// Does an index stand for a row of numbers?
    #[must_use]
    pub fn is_table(&self) -> bool {
        self.name == OPTIMAL_RECTANGLES.name || self.name == POSITIONS_BY_STRINGS.name
    }

    /// `b347632.txt`; the encyclopedia gives a new sequence its number, till then the file has its name.
    #[must_use]
    pub fn b_file_name(&self) -> String {
        self.number.map_or_else(|| format!("b-{}.txt", self.name), |number| format!("b{}.txt", &number[1..]))
    }

    /// The command that computes the terms.
    ///
    /// ```
    /// use ishi_grid::sequences::Sequence;
    /// let command = Sequence::MostStrings.entry().oeis_command(25);
    /// assert_eq!(command, "ishi strings oeis OUT --sequence most-strings --to 25");
    /// ```
    #[must_use]
    pub fn oeis_command(&self, last: usize) -> String {
        format!("ishi strings oeis OUT --sequence {} --to {last}", self.name)
    }

    /// Titles and paragraphs of the text for editors.
    pub(super) fn text_sections(&self) -> [(&'static str, &'static [&'static str]); 5] {
        [
            ("COMMENTS (definition)", self.definition),
            ("METHOD", self.method),
            ("CHECKS", self.checks),
            ("FORMULA AND BOUNDS", self.formulas),
            ("REFERENCES", self.references),
        ]
    }
}
