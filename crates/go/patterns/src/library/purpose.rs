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

use super::diagram::{Diagram, Edges, Square};
use super::pattern::Pattern;

/// What a pattern's first move is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
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

impl Purpose {
    /// All, in the order in which they are tried.
    pub const ALL: [Purpose; 9] = [
        Purpose::Cut,
        Purpose::Connect,
        Purpose::Life,
        Purpose::Endgame,
        Purpose::Invade,
        Purpose::Prevent,
        Purpose::BreakOut,
        Purpose::Enclose,
        Purpose::Shape,
    ];

    /// Its name in lists and options.
    pub fn name(self) -> &'static str {
        match self {
            Purpose::Cut => "cut",
            Purpose::Connect => "connect",
            Purpose::Life => "life",
            Purpose::Endgame => "endgame",
            Purpose::Invade => "invade",
            Purpose::Prevent => "prevent",
            Purpose::BreakOut => "break-out",
            Purpose::Enclose => "enclose",
            Purpose::Shape => "shape",
        }
    }
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Purpose {
    type Err = String;

    fn from_str(text: &str) -> Result<Purpose, String> {
        let names: Vec<&str> = Purpose::ALL.iter().map(|purpose| purpose.name()).collect();
        let found = Purpose::ALL.into_iter().find(|purpose| purpose.name() == text);
        found.ok_or_else(|| format!("purpose {text:?} is unknown: write {}", names.join(", ")))
    }
}

impl Pattern {
    /// What its first move is for.
    ///
    /// ```
    /// use ishi_patterns::library::{Purpose, text};
    /// let library = text::parse("ishi-shapes 1\npattern peep\n: X . X\n: . O .\nB B2 0 0 normal\n").unwrap();
    /// assert_eq!(library.find("peep").unwrap().purpose(), Purpose::Connect);
    /// ```
    pub fn purpose(&self) -> Purpose {
        let around = Around::of(&self.diagram, self.moves[0].color, self.anchor());
        let holds = |purpose: &Purpose| match purpose {
            Purpose::Cut => around.touched(around.other).len() >= 2,
            Purpose::Connect => around.touched(around.own).len() >= 2,
            Purpose::Life => around.is_in_eye_space(),
            Purpose::Endgame => around.is_at_border(),
            Purpose::Invade => around.is_alone_among(around.own, around.other),
            Purpose::Prevent => around.is_alone_among(around.other, around.own),
            Purpose::BreakOut => around.gets_out(),
            Purpose::Enclose => around.keeps_in(),
            Purpose::Shape => true,
        };
        Purpose::ALL.into_iter().find(holds).unwrap_or(Purpose::Shape)
    }
}

/// Points of the largest space that is an eye space.
const EYE_SPACE: u32 = 7;
/// Lines within which stones stand by a move.
const NEAR: usize = 2;
/// Liberties of a chain that is kept in.
const FEW_LIBERTIES: u32 = 3;

/// What is sure around a move.
struct Around {
    own: u64,
    other: u64,
    empty: u64,
    /// Rows and columns, and the edges that they lie against.
    width: usize,
    height: usize,
    edges: Edges,
    at: Square,
}

/// Points beside those of a set, in a frame of eight columns.
fn beside(points: u64) -> u64 {
    const LEFT: u64 = 0x0101_0101_0101_0101;
    (points & !(LEFT << 7)) << 1 | (points & !LEFT) >> 1 | points << 8 | points >> 8
}

/// The points of a set that are joined to one of its points.
fn joined(from: u64, within: u64) -> u64 {
    let mut found = from & within;
    loop {
        let grown = found | beside(found) & within;
        if grown == found {
            return found;
        }
        found = grown;
    }
}

impl Around {
    fn of(diagram: &Diagram, color: Color, at: Square) -> Around {
        let Diagram { black, white, empty, width, height, edges } = *diagram;
        let (black, white) = (black & !white & !empty, white & !black & !empty);
        let (own, other) = if color == Color::Black { (black, white) } else { (white, black) };
        Around { own, other, empty: diagram.vacant(), width, height, edges, at }
    }

    /// The chains of a side that the move touches.
    fn touched(&self, side: u64) -> Vec<u64> {
        let mut chains: Vec<u64> = Vec::new();
        let mut rest = beside(self.at.bit()) & side;
        while rest != 0 {
            let chain = joined(rest & rest.wrapping_neg(), side);
            chains.push(chain);
            rest &= !chain;
        }
        chains
    }

    /// The points within so many lines of the move.
    fn near(&self, lines: usize) -> u64 {
        let is_near = |square: &Square| {
            square.column().abs_diff(self.at.column()) <= lines
                && square.row().abs_diff(self.at.row()) <= lines
        };
        (0..64).map(Square::from_index).filter(is_near).fold(0, |set, square| set | square.bit())
    }

    /// The line of the move from the nearest edge that the frame lies against, from 1; none if it floats.
    fn line(&self) -> Option<usize> {
        let bottom = self.edges.has(Edges::BOTTOM).then_some(self.at.row() + 1);
        let left = self.edges.has(Edges::LEFT).then_some(self.at.column() + 1);
        bottom.into_iter().chain(left).min()
    }

    /// Might points of a set lie beside points outside the frame that are on the board?
    fn leaves_frame(&self, points: u64) -> bool {
        let row = |y: usize| 0xff_u64 << (8 * y);
        let column = |x: usize| 0x0101_0101_0101_0101_u64 << x;
        points & (row(self.height - 1) | column(self.width - 1)) != 0
            || !self.edges.has(Edges::BOTTOM) && points & row(0) != 0
            || !self.edges.has(Edges::LEFT) && points & column(0) != 0
    }

    /// Does it lie in a closed space that one side surrounds?
    fn is_in_eye_space(&self) -> bool {
        let of_side = |side: u64, against: u64| {
            // Stones of the one who is surrounded lie in the space.
            let space = joined(self.at.bit(), self.empty | against);
            let wall = beside(space) & !space;
            space.count_ones() <= EYE_SPACE && !self.leaves_frame(space) && wall & !side == 0
        };
        of_side(self.own, self.other) || of_side(self.other, self.own)
    }

    fn is_at_border(&self) -> bool {
        let near = self.near(NEAR);
        self.line().is_some_and(|line| line <= 2) && self.own & near != 0 && self.other & near != 0
    }

    /// Is it on lines two to five, with nobody of the first side near and somebody of the second in the diagram?
    fn is_alone_among(&self, first: u64, second: u64) -> bool {
        let is_on_side = self.line().is_some_and(|line| (2..=5).contains(&line));
        is_on_side && first & self.near(NEAR) == 0 && second != 0
    }

    fn liberties(&self, chain: u64, without: u64) -> u32 {
        (beside(chain) & self.empty & !without).count_ones()
    }

    fn gets_out(&self) -> bool {
        let at = self.at.bit();
        self.touched(self.own).into_iter().any(|chain| {
            let after = self.liberties(joined(at, chain | at), at);
            beside(chain) & self.other != 0 && after >= self.liberties(chain, 0) + 2
        })
    }

    fn keeps_in(&self) -> bool {
        let at = self.at.bit();
        let around = beside(at) | beside(beside(at)) & self.near(1);
        let mut rest = around & self.other;
        while rest != 0 {
            let chain = joined(rest & rest.wrapping_neg(), self.other);
            rest &= !chain;
            if beside(chain) & self.own != 0 && self.liberties(chain, at) <= FEW_LIBERTIES {
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

    fn purpose(rows: &str, mv: &str) -> Purpose {
        let text = format!("ishi-shapes 1\npattern p\n{rows}\nB {mv} 0 0 normal\n");
        text::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}")).patterns()[0].purpose()
    }

    #[test]
    fn the_purpose_is_what_the_move_does() {
        let cases = [
            (": ? O ?\n: X . O\n: ? X ?", "B2", Purpose::Cut),
            (": ? O ?\n: X . X\n: ? . ?", "B2", Purpose::Connect),
            (": O O O O O\n: O . . . O\n---------", "C1", Purpose::Life),
            (": X X X X X\n: X . . . X\n---------", "C1", Purpose::Life),
            (": ? X O ?\n: X X O .\n: . . . .\n---------", "C1", Purpose::Endgame),
            (
                ": . . . . . . .\n: O . . . . . O\n: . . . . . . .\n: . . . . . . .\n---------",
                "D3",
                Purpose::Invade,
            ),
            (
                ": . . . . . . .\n: . X . . . . O\n: . . . . . . .\n: . . . . . . .\n---------",
                "D3",
                Purpose::Prevent,
            ),
            (": ? O . .\n: . X . .\n: ? O . .", "C2", Purpose::BreakOut),
            (": . . . .\n: X O . .\n: . X . .", "C2", Purpose::Enclose),
            (": . . . .\n: . X . .\n: . . . .\n: . . . .", "D3", Purpose::Shape),
        ];
        for (rows, mv, wanted) in cases {
            assert_eq!(purpose(rows, mv), wanted, "{rows}");
        }
    }

    /// What a pattern is for does not depend on how it lies or which colour it has.
    #[test]
    fn symmetric_patterns_have_one_purpose() {
        use super::super::diagram::Turn;
        let library = super::super::Library::shipped();
        for pattern in library.patterns().iter().step_by(7) {
            let mut other = pattern.clone();
            if pattern.diagram.edges == Edges::NONE {
                let turn = Turn::ALL[5];
                let (width, height) = (pattern.diagram.width, pattern.diagram.height);
                other.diagram = pattern.diagram.turned(turn);
                other.moves[0].at = turn.square(pattern.anchor(), width, height);
            }
            other.diagram = other.diagram.exchanged();
            other.moves[0].color = !pattern.moves[0].color;
            assert_eq!(other.purpose(), pattern.purpose(), "{}", pattern.name);
        }
    }

    #[test]
    fn purposes_are_read_by_their_names() {
        for purpose in Purpose::ALL {
            assert_eq!(purpose.name().parse(), Ok(purpose));
        }
        assert!("cutting".parse::<Purpose>().unwrap_err().contains("write cut, connect"));
    }
}
