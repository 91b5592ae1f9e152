//! Evaluations to choose from: those that ship, and those out of files. What a move is worth to them one ply ahead, and which
//! squares that comes from.

use std::fmt;
use std::sync::Arc;

use ishi_othello::oneply::Evaluator;
use ishi_othello::{Board, Color, FULL_WEIGHT, Square, Wpc};
use ishi_words::Language;

use super::eval::{self, Evaluation};
use super::league::{Member, MemberError};
use super::ntuple::{Player, Shipped, View};

/// An evaluation that ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name in options and addresses.
    pub name: &'static str,
    english: &'static str,
    japanese: &'static str,
}

impl Entry {
    /// What it is, in a few words.
    pub fn about(self, language: Language) -> &'static str {
        language.choose(self.english, self.japanese)
    }
}

/// All evaluations that ship, the best first.
pub const ENTRIES: [Entry; 6] = [
    Entry {
        name: "patterns",
        english: "patterns by phase, which the search uses",
        japanese: "段階別パターン評価（探索に使うもの）",
    },
    Entry {
        name: "network",
        english: "n-tuple network learned from the rules alone",
        japanese: "規則だけから学んだNタプルネットワーク",
    },
    Entry {
        name: "network-against-standard",
        english: "n-tuple network learned against the standard counter",
        japanese: "標準のWPCと対戦して学んだNタプルネットワーク",
    },
    Entry {
        name: "ten",
        english: "piece counter, ten learned weights",
        japanese: "学習した10個のマスの重みによる評価（WPC）",
    },
    Entry {
        name: "sixtyfour",
        english: "piece counter, 64 weights learned against the standard",
        japanese: "標準との対戦から学習した64個のマスの重みによる評価（WPC）",
    },
    Entry {
        name: "standard",
        english: "the standard piece counter",
        japanese: "標準のマスの重みの評価（WPC）",
    },
];

const TEN: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../data/othello/wpc/ten.txt"));
const SIXTYFOUR: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../data/othello/wpc/sixtyfour.txt"));

/// An evaluation of boards.
///
/// ```
/// use ishi_othello_play::judges::Judge;
/// use ishi_othello::{Board, Color};
/// let judge = Judge::named("patterns").unwrap();
/// let moves = judge.moves(Board::START, Color::Black);
/// // The four first moves are the same move, turned.
/// assert_eq!(moves.len(), 4);
/// assert!(moves.iter().all(|(_, value)| *value == moves[0].1));
/// ```
#[derive(Clone)]
pub enum Judge {
    /// The evaluation of the search, in discs.
    Patterns(Arc<Evaluation>),
    /// An n-tuple network, in its own measure.
    Network(Arc<Player>),
    /// A piece counter, in the measure of its weights.
    Counter(Wpc),
}

/// A file that is no evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgeError(String);

impl fmt::Display for JudgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for JudgeError {}

impl From<MemberError> for JudgeError {
    fn from(error: MemberError) -> JudgeError {
        JudgeError(error.to_string())
    }
}

impl Judge {
    /// The one of this name among [`ENTRIES`].
    pub fn named(name: &str) -> Option<Judge> {
        let counter = |text: &str| text.parse().ok().map(Judge::Counter);
        match name {
            "patterns" => Some(Judge::Patterns(Evaluation::shipped())),
            "ten" => counter(TEN),
            "sixtyfour" => counter(SIXTYFOUR),
            "standard" => Some(Judge::Counter(Wpc::standard())),
            _ => Some(Judge::Network(Shipped::named(name)?.player().ok()?)),
        }
    }

    /// The one in a file: weights of `ishi othello evaluation fit`, a network, a piece counter, or a published network.
    ///
    /// # Errors
    /// If it is none of these.
    pub fn read(bytes: &[u8]) -> Result<Judge, JudgeError> {
        if let Ok(learned) = eval::file::unpack(bytes) {
            return Ok(Judge::Patterns(Arc::new(Evaluation::new(&learned))));
        }
        Ok(match Member::read(bytes)? {
            Member::Counter(wpc) => Judge::Counter(wpc),
            Member::Network(player) => Judge::Network(Arc::new(*player)),
        })
    }

    /// Are its values discs?
    pub fn is_in_discs(&self) -> bool {
        matches!(self, Judge::Patterns(_))
    }

    /// The value, for the side that has just moved (`mover`), of the board after its move, which the other side sees.
    pub fn after(&self, after: Board, mover: Color) -> f64 {
        match self {
            Judge::Patterns(evaluation) => f64::from(-evaluation.in_discs(after)),
            Judge::Network(player) => f64::from(player.value(after, mover)) * player.network().unit(),
            Judge::Counter(wpc) => f64::from(Evaluator::value(wpc, after, mover)) / f64::from(FULL_WEIGHT),
        }
    }

    /// Every legal move of the side to move (`color`) with its value one ply ahead, best first.
    pub fn moves(&self, board: Board, color: Color) -> Vec<(Square, f64)> {
        let mut moves: Vec<(Square, f64)> =
            board.children().map(|(square, after)| (square, self.after(after, color))).collect();
        moves.sort_by(|a, b| b.1.total_cmp(&a.1));
        moves
    }

    /// What each square adds to the value of the board for the side to move (`color`), row by row from a1: a piece counter's
    /// weight where a disc stands, of patterns and tuples an equal share to each of their squares.
    pub fn shares(&self, board: Board, color: Color) -> [f64; 64] {
        match self {
            Judge::Patterns(evaluation) => evaluation.shares(board).map(f64::from),
            Judge::Network(player) => network_shares(player, board, color),
            Judge::Counter(wpc) => counter_shares(wpc, board),
        }
    }
}

fn counter_shares(wpc: &Wpc, board: Board) -> [f64; 64] {
    let mut shares = [0.0; 64];
    for square in Square::all() {
        let weight = f64::from(wpc.weight(square)) / f64::from(FULL_WEIGHT);
        let sign = f64::from(u8::from(board.player & square.bit() != 0))
            - f64::from(u8::from(board.opponent & square.bit() != 0));
        shares[square.index()] = sign * weight;
    }
    shares
}

/// Networks value boards after a move: the side to move of `board` is taken for the one that has moved.
fn network_shares(player: &Player, board: Board, color: Color) -> [f64; 64] {
    let (network, turned) = (player.network(), player.view() == View::Negated && color == Color::White);
    let (seen, sign) = if turned { (board.pass(), -1.0) } else { (board, 1.0) };
    let phase = network.phases().of(64 - board.empties());
    let mut shares = [0.0; 64];
    for (number, group) in network.shape().groups().iter().enumerate() {
        let weights = network.group(phase, number);
        for tuple in group.placements() {
            let share = sign * f64::from(weights[tuple.index(seen)]) * network.unit() / tuple.len() as f64;
            tuple.squares().iter().for_each(|square| shares[square.index()] += share);
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use ishi_othello::{Position, Symmetry};

    fn middle() -> Board {
        Position::from_transcript("f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6").unwrap().board()
    }

    #[test]
    fn every_entry_judges() {
        for entry in ENTRIES {
            let judge = Judge::named(entry.name).unwrap();
            let moves = judge.moves(middle(), Color::Black);
            assert_eq!(moves.len(), middle().moves().count_ones() as usize, "{}", entry.name);
            assert!(moves.is_sorted_by(|a, b| a.1 >= b.1));
            assert!(moves[0].1 > moves.last().unwrap().1, "{} tells moves apart", entry.name);
        }
        assert!(Judge::named("nobody").is_none());
    }

    /// Nothing is lost between squares: their shares add up to the value, but for mobility.
    #[test]
    fn shares_add_up() {
        let board = middle();
        for name in ["network", "network-against-standard", "ten", "sixtyfour", "standard"] {
            let judge = Judge::named(name).unwrap();
            for color in Color::ALL {
                let sum: f64 = judge.shares(board, color).iter().sum();
                let value = judge.after(board.pass(), color);
                assert!((sum - value).abs() < 1e-6 * value.abs().max(1.0), "{name} {color}: {sum} {value}");
            }
        }
    }

    /// Mirror images share their weights.
    #[test]
    fn shares_of_patterns_turn_with_the_board() {
        let patterns = Evaluation::shipped();
        let shares = patterns.shares(middle());
        assert!(shares.iter().any(|share| share.abs() > 0.1));
        for symmetry in Symmetry::all() {
            let turned = patterns.shares(symmetry.board(middle()));
            for square in Square::all() {
                let (a, b) = (shares[square.index()], turned[symmetry.square(square).index()]);
                assert!((a - b).abs() < 1e-3, "{square}: {a} {b}");
            }
        }
    }

    #[test]
    fn files_are_told_by_their_content() {
        let shipped: &[u8] = include_bytes!("../../../../data/othello/eval.bin");
        assert!(Judge::read(shipped).unwrap().is_in_discs());
        assert!(matches!(Judge::read(SIXTYFOUR.as_bytes()).unwrap(), Judge::Counter(_)));
        let network: &[u8] = include_bytes!("../../../../data/othello/network.nt");
        assert!(matches!(Judge::read(network).unwrap(), Judge::Network(_)));
        assert!(Judge::read(b"no evaluation at all").is_err());
    }
}
