//! What the move of a pattern is for: computed from what it does to the stones of the diagram.
//!
//! D. Fotland, "Knowledge representation in The Many Faces of Go" (1993), section 6, has patterns that cut and connect, that enclose and
//! break out, that invade and prevent it, of the endgame, of life and death, and of shape. There somebody said so of each pattern; here
//! the first of these that holds is told:
//!
//! 1. **cut**: the move touches two of the other side's chains that are not one in the diagram;
//! 2. **connect**: it touches two such chains of its own side;
//! 3. **life**: it lies in a closed space of up to seven points that stones of one side alone surround, or fills such a space in part;
//! 4. **endgame**: it is on the first two lines, with stones of both sides within two lines of it;
//! 5. **invade**: on lines two to five, none of its own stones within two lines, the other side's stones in the diagram;
//! 6. **prevent**: the same places, own stones but none of the other side within two lines;
//! 7. **break out**: it extends a chain that touches the other side, and gives it two liberties more at least;
//! 8. **enclose**: it touches, or stands diagonally to, a chain of the other side that has three liberties at most then;
//! 9. **shape**: all else.
//!
//! Only points that can be nothing else are stones, and only such are empty.

use std::fmt;
use std::str::FromStr;

use ishi_go::Color;

use super::diagram::{DiagramEdges, DiagramSquare, PatternDiagram};
use super::pattern::Pattern;

/// What a pattern's first move is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MovePurpose {
    /// It keeps the other side's stones apart.
    Cut,
    /// It joins stones.
    Connect,
    /// It makes or takes eyes.
    Life,
    /// It draws a border on the first two lines.
    Endgame,
    /// It enters where the other side stands alone.
    Invade,
    /// It plays where the other side could enter.
    Prevent,
    /// It gets out.
    BreakOut,
    /// It keeps in.
    Enclose,
    /// None of these.
    Shape,
}

impl MovePurpose {
    /// All, in the order in which they are tried.
    pub const ALL: [MovePurpose; 9] = [
        MovePurpose::Cut,
        MovePurpose::Connect,
        MovePurpose::Life,
        MovePurpose::Endgame,
        MovePurpose::Invade,
        MovePurpose::Prevent,
        MovePurpose::BreakOut,
        MovePurpose::Enclose,
        MovePurpose::Shape,
    ];

    /// Its name in lists and options.
    pub fn name(self) -> &'static str {
        match self {
            MovePurpose::Cut => "cut",
            MovePurpose::Connect => "connect",
            MovePurpose::Life => "life",
            MovePurpose::Endgame => "endgame",
            MovePurpose::Invade => "invade",
            MovePurpose::Prevent => "prevent",
            MovePurpose::BreakOut => "break-out",
            MovePurpose::Enclose => "enclose",
            MovePurpose::Shape => "shape",
        }
    }
}

impl fmt::Display for MovePurpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for MovePurpose {
    type Err = String;

    fn from_str(text: &str) -> Result<MovePurpose, String> {
        let names: Vec<&str> = MovePurpose::ALL.iter().map(|purpose| purpose.name()).collect();
        let found = MovePurpose::ALL.into_iter().find(|purpose| purpose.name() == text);
        found.ok_or_else(|| format!("purpose {text:?} is unknown: write {}", names.join(", ")))
    }
}

impl Pattern {
    /// What its first move is for.
    ///
    /// ```
    /// use ishi_patterns::library::{MovePurpose, text};
    /// let library = text::parse_library("ishi-shapes 1\npattern peep\n: X . X\n: . O .\nB B2 0 0 normal\n").unwrap();
    /// assert_eq!(library.find_pattern("peep").unwrap().purpose(), MovePurpose::Connect);
    /// ```
    pub fn purpose(&self) -> MovePurpose {
        let around = MoveSurroundings::from_diagram(&self.diagram, self.moves[0].color, self.first_square());
        let holds = |purpose: &MovePurpose| match purpose {
            MovePurpose::Cut => around.touched_chains(around.other).len() >= 2,
            MovePurpose::Connect => around.touched_chains(around.own).len() >= 2,
            MovePurpose::Life => around.is_in_eye_space(),
            MovePurpose::Endgame => around.is_at_border(),
            MovePurpose::Invade => around.is_alone_among(around.own, around.other),
            MovePurpose::Prevent => around.is_alone_among(around.other, around.own),
            MovePurpose::BreakOut => around.breaks_out(),
            MovePurpose::Enclose => around.encloses_chain(),
            MovePurpose::Shape => true,
        };
        MovePurpose::ALL.into_iter().find(holds).unwrap_or(MovePurpose::Shape)
    }
}

/// Points of the largest space that is an eye space.
const EYE_SPACE: u32 = 7;
/// Lines within which stones stand by a move.
const NEAR: usize = 2;
/// Liberties of a chain that is kept in.
const FEW_LIBERTIES: u32 = 3;

/// What is sure around a move.
struct MoveSurroundings {
    own: u64,
    other: u64,
    empty: u64,
    /// Rows and columns, and the edges that they lie against.
    width: usize,
    height: usize,
    edges: DiagramEdges,
    at: DiagramSquare,
}

/// Points beside those of a set, in a frame of eight columns.
fn points_beside(points: u64) -> u64 {
    const LEFT: u64 = 0x0101_0101_0101_0101;
    (points & !(LEFT << 7)) << 1 | (points & !LEFT) >> 1 | points << 8 | points >> 8
}

/// The points of a set that are joined to one of its points.
fn connected_points(from: u64, within: u64) -> u64 {
    let mut found = from & within;
    loop {
        let grown = found | points_beside(found) & within;
        if grown == found {
            return found;
        }
        found = grown;
    }
}

impl MoveSurroundings {
    fn from_diagram(diagram: &PatternDiagram, color: Color, at: DiagramSquare) -> MoveSurroundings {
        let PatternDiagram { black, white, empty, width, height, edges } = *diagram;
        let (black, white) = (black & !white & !empty, white & !black & !empty);
        let (own, other) = if color == Color::Black { (black, white) } else { (white, black) };
        MoveSurroundings { own, other, empty: diagram.vacant_points(), width, height, edges, at }
    }

    /// The chains of a side that the move touches.
    fn touched_chains(&self, side: u64) -> Vec<u64> {
        let mut chains: Vec<u64> = Vec::new();
        let mut rest = points_beside(self.at.bit()) & side;
        while rest != 0 {
            let chain = connected_points(rest & rest.wrapping_neg(), side);
            chains.push(chain);
            rest &= !chain;
        }
        chains
    }

    /// The points within so many lines of the move.
    fn points_near(&self, lines: usize) -> u64 {
        let is_near = |square: &DiagramSquare| {
            square.column().abs_diff(self.at.column()) <= lines
                && square.row().abs_diff(self.at.row()) <= lines
        };
        (0..64).map(DiagramSquare::from_index).filter(is_near).fold(0, |set, square| set | square.bit())
    }

    /// The line of the move from the nearest edge that the frame lies against, from 1; none if it floats.
    fn line_from_edge(&self) -> Option<usize> {
        let bottom = self.edges.contains_all(DiagramEdges::BOTTOM).then_some(self.at.row() + 1);
        let left = self.edges.contains_all(DiagramEdges::LEFT).then_some(self.at.column() + 1);
        bottom.into_iter().chain(left).min()
    }

    /// Might points of a set lie beside points outside the frame that are on the board?
    fn leaves_frame(&self, points: u64) -> bool {
        let row = |y: usize| 0xff_u64 << (8 * y);
        let column = |x: usize| 0x0101_0101_0101_0101_u64 << x;
        points & (row(self.height - 1) | column(self.width - 1)) != 0
            || !self.edges.contains_all(DiagramEdges::BOTTOM) && points & row(0) != 0
            || !self.edges.contains_all(DiagramEdges::LEFT) && points & column(0) != 0
    }

    /// Does it lie in a closed space that one side surrounds?
    fn is_in_eye_space(&self) -> bool {
        let of_side = |side: u64, against: u64| {
            // Stones of the one who is surrounded lie in the space.
            let space = connected_points(self.at.bit(), self.empty | against);
            let wall = points_beside(space) & !space;
            space.count_ones() <= EYE_SPACE && !self.leaves_frame(space) && wall & !side == 0
        };
        of_side(self.own, self.other) || of_side(self.other, self.own)
    }

    fn is_at_border(&self) -> bool {
        let near = self.points_near(NEAR);
        self.line_from_edge().is_some_and(|line| line <= 2) && self.own & near != 0 && self.other & near != 0
    }

    /// Is it on lines two to five, with nobody of the first side near and somebody of the second in the diagram?
    fn is_alone_among(&self, first: u64, second: u64) -> bool {
        let is_on_side = self.line_from_edge().is_some_and(|line| (2..=5).contains(&line));
        is_on_side && first & self.points_near(NEAR) == 0 && second != 0
    }

    fn count_liberties(&self, chain: u64, without: u64) -> u32 {
        (points_beside(chain) & self.empty & !without).count_ones()
    }

    fn breaks_out(&self) -> bool {
        let at = self.at.bit();
        self.touched_chains(self.own).into_iter().any(|chain| {
            let after = self.count_liberties(connected_points(at, chain | at), at);
            points_beside(chain) & self.other != 0 && after >= self.count_liberties(chain, 0) + 2
        })
    }

    fn encloses_chain(&self) -> bool {
        let at = self.at.bit();
        let around = points_beside(at) | points_beside(points_beside(at)) & self.points_near(1);
        let mut rest = around & self.other;
        while rest != 0 {
            let chain = connected_points(rest & rest.wrapping_neg(), self.other);
            rest &= !chain;
            if points_beside(chain) & self.own != 0 && self.count_liberties(chain, at) <= FEW_LIBERTIES {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::text;
    use super::*;

    fn purpose(rows: &str, mv: &str) -> MovePurpose {
        let text = format!("ishi-shapes 1\npattern p\n{rows}\nB {mv} 0 0 normal\n");
        text::parse_library(&text).unwrap_or_else(|error| panic!("{text}: {error}")).patterns()[0].purpose()
    }

    #[test]
    fn the_purpose_is_what_the_move_does() {
        let cases = [
            (": ? O ?\n: X . O\n: ? X ?", "B2", MovePurpose::Cut),
            (": ? O ?\n: X . X\n: ? . ?", "B2", MovePurpose::Connect),
            (": O O O O O\n: O . . . O\n---------", "C1", MovePurpose::Life),
            (": X X X X X\n: X . . . X\n---------", "C1", MovePurpose::Life),
            (": ? X O ?\n: X X O .\n: . . . .\n---------", "C1", MovePurpose::Endgame),
            (
                ": . . . . . . .\n: O . . . . . O\n: . . . . . . .\n: . . . . . . .\n---------",
                "D3",
                MovePurpose::Invade,
            ),
            (
                ": . . . . . . .\n: . X . . . . O\n: . . . . . . .\n: . . . . . . .\n---------",
                "D3",
                MovePurpose::Prevent,
            ),
            (": ? O . .\n: . X . .\n: ? O . .", "C2", MovePurpose::BreakOut),
            (": . . . .\n: X O . .\n: . X . .", "C2", MovePurpose::Enclose),
            (": . . . .\n: . X . .\n: . . . .\n: . . . .", "D3", MovePurpose::Shape),
        ];
        for (rows, mv, wanted) in cases {
            assert_eq!(purpose(rows, mv), wanted, "{rows}");
        }
    }

    /// What a pattern is for does not depend on how it lies or which colour it has.
    #[test]
    fn symmetric_patterns_have_one_purpose() {
        use super::super::diagram::DiagramTurn;
        let library = super::super::PatternLibrary::shipped();
        for pattern in library.patterns().iter().step_by(7) {
            let mut other = pattern.clone();
            if pattern.diagram.edges == DiagramEdges::NONE {
                let turn = DiagramTurn::ALL[5];
                let (width, height) = (pattern.diagram.width, pattern.diagram.height);
                other.diagram = pattern.diagram.turned_by(turn);
                other.moves[0].at = turn.map_square(pattern.first_square(), width, height);
            }
            other.diagram = other.diagram.with_colors_exchanged();
            other.moves[0].color = !pattern.moves[0].color;
            assert_eq!(other.purpose(), pattern.purpose(), "{}", pattern.name);
        }
    }

    #[test]
    fn purposes_are_read_by_their_names() {
        for purpose in MovePurpose::ALL {
            assert_eq!(purpose.name().parse(), Ok(purpose));
        }
        assert!("cutting".parse::<MovePurpose>().unwrap_err().contains("write cut, connect"));
    }
}
