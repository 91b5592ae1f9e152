//! The weighted piece counter: a weight for every square, the value of a board is the sum over its discs.
//!
//! Source: T. Yoshioka, S. Ishii, M. Ito, "Strategy acquisition for the game Othello based on reinforcement learning",
//! IEICE Transactions E82-D, 1999, for the standard weights. Weights are whole numbers here, the greatest being 800, so
//! that sums are exact and equal values tie: only the order of values matters to a player. The standard weights lose
//! nothing by that.

use std::fmt;
use std::str::FromStr;

use ishi_rng::checksum::{ChecksumError, check_sealed_lines, seal_lines};

use crate::board::Board;
use crate::color::Color;
use crate::oneply::Evaluator;
use crate::square::{Square, iter_squares};

/// The greatest weight without its sign. A move turns at most 19 discs, so the change of value is at most
/// 800 * (1 + 2 * 19) = 31200 and fits 16 bits.
pub const FULL_WEIGHT: i16 = 800;

/// What the line with the version of a kept file begins with. The version follows.
const VERSION_MARK: &str = "# ishi-piece-counter ";
/// The version that is written and read. Files by hand have none.
const VERSION: &str = "1";

/// The class, 0 to 9 for a to j, of each square of a quarter: columns and rows from the corner.
const CLASSES: [[usize; 4]; 4] = [[0, 1, 2, 3], [1, 4, 5, 6], [2, 5, 7, 8], [3, 6, 8, 9]];

/// Yoshioka's weights a to j over the octant.
const STANDARD: [f64; 10] = [1.00, -0.25, 0.10, 0.05, -0.25, 0.01, 0.01, 0.05, 0.02, 0.01];

/// A weighted piece counter.
///
/// ```
/// use ishi_othello::{Board, Wpc};
/// let wpc = Wpc::standard();
/// assert_eq!(wpc.weight("a1".parse().unwrap()), 800);
/// assert_eq!(wpc.weight("g2".parse().unwrap()), -200);
/// let f5 = "f5".parse().unwrap();
/// // f5 is worth 0.02, e5 0.01 and changes hands: 0.02 + 2 * 0.01, in units of 1/800.
/// assert_eq!(wpc.move_gain(f5, Board::START.flips(f5)), 32);
/// let again: Wpc = "1 -.25 .1 .05 -.25 .01 .01 .05 .02 .01".parse().unwrap();
/// assert_eq!(again, wpc);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wpc {
    weights: [i16; 64],
}

impl Wpc {
    /// Yoshioka's weights, the usual measure in the literature.
    pub fn standard() -> Wpc {
        Wpc::from_scaled_weights(|square| STANDARD[square_class(square)], 1.0)
    }

    /// All weights are 0: every move ties, so this player moves at random.
    pub const fn random() -> Wpc {
        Wpc { weights: [0; 64] }
    }

    /// The counter with these weights, scaled: 10 of them for the classes a to j of the octant (a1 b1 c1 d1 b2 c2 d2 c3
    /// d3 d4 and what the symmetries make of them), or 64 row by row from a1.
    ///
    /// # Errors
    /// If there are neither 10 nor 64, or one is not finite.
    pub fn new(weights: &[f64]) -> Result<Wpc, WpcError> {
        if let Some(&bad) = weights.iter().find(|weight| !weight.is_finite()) {
            return Err(WpcError::NotFinite(bad));
        }
        let greatest = weights.iter().fold(0.0_f64, |most, weight| most.max(weight.abs()));
        match weights.len() {
            10 => Ok(Wpc::from_scaled_weights(|square| weights[square_class(square)], greatest)),
            64 => Ok(Wpc::from_scaled_weights(|square| weights[square.index()], greatest)),
            count => Err(WpcError::Count(count)),
        }
    }

    fn from_scaled_weights(weight: impl Fn(Square) -> f64, greatest: f64) -> Wpc {
        let mut weights = [0; 64];
        if greatest > 0.0 {
            for square in Square::all() {
                // Divided first: no overflow, however great the weights are.
                weights[square.index()] = (weight(square) / greatest * f64::from(FULL_WEIGHT)).round() as i16;
            }
        }
        Wpc { weights }
    }

    /// The weight of a square, -800 to 800.
    #[inline]
    pub fn weight(&self, square: Square) -> i16 {
        self.weights[square.index()]
    }

    /// All weights, row by row from a1.
    #[inline]
    pub fn weights(&self) -> &[i16; 64] {
        &self.weights
    }

    /// What a move is worth to the mover: the weight of its square, and twice those of the discs that it turns.
    #[inline]
    pub fn move_gain(&self, square: Square, flips: u64) -> i16 {
        self.weight(square) + 2 * iter_squares(flips).map(|turned| self.weight(turned)).sum::<i16>()
    }

    /// The value of a board for the side to move.
    pub fn board_value(&self, board: Board) -> i32 {
        let sum = |discs| iter_squares(discs).map(|square| i32::from(self.weight(square))).sum::<i32>();
        sum(board.player) - sum(board.opponent)
    }

    /// The ten weights a to j, if the weights have the symmetry of the board.
    pub fn octant_weights(&self) -> Option<[i16; 10]> {
        let mut octant = [0; 10];
        for square in Square::all() {
            octant[square_class(square)] = self.weight(square);
        }
        Square::all().all(|square| octant[square_class(square)] == self.weight(square)).then_some(octant)
    }
}

/// The class of a square under the symmetries of the board, 0 to 9 for a to j.
fn square_class(square: Square) -> usize {
    let fold = |line: usize| line.min(7 - line);
    CLASSES[fold(square.row())][fold(square.column())]
}

impl Evaluator for Wpc {
    /// Whole numbers below 2^24: exact.
    fn value_after_move(&self, after: Board, _: Color) -> f32 {
        -Wpc::board_value(self, after) as f32
    }
}

/// Ten weights over the octant if they have the symmetry, else eight rows. Reading it gives the same counter.
impl fmt::Display for Wpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |weight: &i16| (f64::from(*weight) / f64::from(FULL_WEIGHT)).to_string();
        let line = |weights: &[i16]| weights.iter().map(text).collect::<Vec<_>>().join(" ");
        if let Some(octant) = self.octant_weights() {
            return writeln!(f, "{}", line(&octant));
        }
        self.weights.chunks(8).try_for_each(|row| writeln!(f, "{}", line(row)))
    }
}

/// The text of a counter, perhaps with remarks, as a file to be kept: with its checksum and version in the first two lines.
///
/// ```
/// use ishi_othello::{Wpc, seal_counter_text};
/// let text = seal_counter_text(&format!("# the usual one\n{}", Wpc::standard()));
/// assert!(text.starts_with("# checksum ") && text.contains("\n# ishi-piece-counter 1\n"));
/// assert_eq!(text.parse::<Wpc>().unwrap(), Wpc::standard());
/// ```
pub fn seal_counter_text(text: &str) -> String {
    seal_lines(&format!("{VERSION_MARK}{VERSION}\n{text}"))
}

/// The text or the numbers were no weighted piece counter.
#[derive(Clone, Debug, PartialEq)]
pub enum WpcError {
    /// There are neither 10 nor 64 weights.
    Count(usize),
    /// A weight is infinite or not a number.
    NotFinite(f64),
    /// A word is not a number.
    Word {
        /// The word.
        word: String,
        /// The line it is on, from 1.
        line: usize,
    },
    /// The text begins with a checksum of another text.
    Checksum(ChecksumError),
    /// The text says that it has another version.
    Version {
        /// The version.
        version: String,
        /// The line it is on, from 1.
        line: usize,
    },
}

impl fmt::Display for WpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WpcError::Count(count) => write!(
                f,
                "invalid piece counter with {count} weights: it must have 10 (a1 b1 c1 d1 b2 c2 d2 c3 d3 d4) or 64 (row by row)"
            ),
            WpcError::NotFinite(weight) => {
                write!(f, "invalid weight {weight}: a weight must be a finite number")
            }
            WpcError::Word { word, line } => {
                write!(f, "invalid weight {word:?} on line {line}: a weight must be a number")
            }
            WpcError::Checksum(error) => {
                write!(
                    f,
                    "invalid piece counter: {error}; take its first line away if you changed it by hand"
                )
            }
            WpcError::Version { version, line } => {
                write!(
                    f,
                    "invalid piece counter: line {line} has version {version:?}, which must be {VERSION}; learn it again, or use the \
                     ishi that wrote it"
                )
            }
        }
    }
}

impl std::error::Error for WpcError {}

/// 10 or 64 numbers, apart by white space or commas; from `#` to the end of a line is a comment. A text that begins with a checksum
/// ([`seal_counter_text`]) must be whole, and of this version if it says one.
impl FromStr for Wpc {
    type Err = WpcError;

    fn from_str(text: &str) -> Result<Wpc, WpcError> {
        check_sealed_lines(text, VERSION_MARK).map_err(WpcError::Checksum)?;
        let mut weights = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if let Some(version) =
                line.strip_prefix(VERSION_MARK).map(str::trim).filter(|&found| found != VERSION)
            {
                let version = version.chars().take(40).collect();
                return Err(WpcError::Version { version, line: number + 1 });
            }
            let content = line.split('#').next().unwrap_or_default();
            for word in content.split([',', ' ', '\t', '\r']).filter(|word| !word.is_empty()) {
                let error = || WpcError::Word { word: word.chars().take(40).collect(), line: number + 1 };
                weights.push(word.parse().map_err(|_| error())?);
            }
        }
        Wpc::new(&weights)
    }
}

#[cfg(test)]
mod tests {
    use ishi_rng::Seed;
    use ishi_rng::damage::try_damaged_copies;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_standard_is_exact() {
        let rows = Wpc::standard();
        let first: Vec<i16> = rows.weights()[..8].to_vec();
        assert_eq!(first, [800, -200, 80, 40, 40, 80, -200, 800]);
        assert_eq!(rows.octant_weights(), Some([800, -200, 80, 40, -200, 8, 8, 40, 16, 8]));
    }

    #[test]
    fn bad_text_says_what_is_right() {
        let error = |text: &str| text.parse::<Wpc>().unwrap_err().to_string();
        assert_eq!(error("1 2\n3 x # y"), "invalid weight \"x\" on line 2: a weight must be a number");
        assert_eq!(error("1 2 3 4 5 6 7 8 9 inf"), "invalid weight inf: a weight must be a finite number");
        assert!(error("1 2").contains("with 2 weights: it must have 10"));
    }

    /// What does not change a weight may be damaged: remarks without a checksum before them, and white space.
    #[test]
    fn damaged_texts_are_refused_or_mean_the_same() {
        let text = seal_counter_text(&format!("# a remark\n{}", Wpc::standard()));
        assert_eq!(text.parse::<Wpc>(), Ok(Wpc::standard()));
        let mut refused = 0;
        try_damaged_copies(text.as_bytes(), Seed::new(1), 400, |what, damaged| {
            let read = std::str::from_utf8(damaged).ok().and_then(|text| text.parse::<Wpc>().ok());
            assert!(read.is_none() || read == Some(Wpc::standard()), "{what}");
            refused += usize::from(read.is_none());
        });
        assert!(refused > 250, "{refused}");
        let error = text.replace("0.05", "0.06").parse::<Wpc>().unwrap_err().to_string();
        assert!(error.contains("byte 11: it is damaged or cut off"), "{error}");
        assert!(error.ends_with("take its first line away if you changed it by hand"), "{error}");
    }

    /// Overlapping blocks were exchanged: the checksum's line is gone, and ten numbers are left, the last one another.
    #[test]
    fn what_is_left_of_a_kept_file_is_no_counter_by_hand() {
        let left = "# checnter 1\n1 -0.25 0.1 0.05 -0.25 0.01 0.01 0.05 0.02 0.9\n# ishi-piece-couksum 01234567801\n";
        let error = left.parse::<Wpc>().unwrap_err();
        assert_eq!(error, WpcError::Checksum(ChecksumError::Missing));
        for remark in ["# pieces count", "# my counter for the opening"] {
            let by_hand = format!("{remark}\n1 -0.25 0.1 0.05 -0.25 0.01 0.01 0.05 0.02 0.9\n");
            assert!(by_hand.parse::<Wpc>().is_ok(), "{remark}");
        }
    }

    /// With the checksum that it must have: only the version says that it is of another program.
    #[test]
    fn another_version_is_refused_with_its_line() {
        for version in ["0", "2", "x"] {
            let text = seal_lines(&format!("# ishi-piece-counter {version}\n{}", Wpc::standard()));
            let error = text.parse::<Wpc>().unwrap_err().to_string();
            let right = format!("line 2 has version {version:?}, which must be 1; learn it again");
            assert!(error.contains(&right), "{error}");
        }
        let before = seal_lines(&Wpc::standard().to_string());
        assert_eq!(before.parse::<Wpc>(), Ok(Wpc::standard()), "files from before it had a version");
    }

    #[test]
    fn huge_and_zero_weights_are_fine() {
        let mut weights = [f64::MAX; 10];
        weights[1] = f64::MIN;
        assert_eq!(Wpc::new(&weights).unwrap().weight(Square::from_lowest_bit(2)), -800);
        assert_eq!(Wpc::new(&[0.0; 64]).unwrap(), Wpc::random());
    }

    proptest! {
        #[test]
        fn text_round_trips(weights in prop_oneof![
            proptest::collection::vec(-1.0f64..1.0, 10),
            proptest::collection::vec(-1.0f64..1.0, 64),
        ]) {
            let wpc = Wpc::new(&weights).unwrap();
            prop_assert_eq!(wpc.to_string().parse::<Wpc>().unwrap(), wpc);
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC*", numbers in "[-0-9e., #\n]*") {
            let _ = text.parse::<Wpc>();
            let _ = numbers.parse::<Wpc>();
        }
    }
}
