//! Evaluations to choose from: those that ship, and those out of files. What a move is worth to them one ply ahead, and which
//! squares that comes from.

use std::fmt;
use std::sync::Arc;

use ishi_othello::oneply::Evaluator;
use ishi_othello::{Board, Color, FULL_WEIGHT, Square, Wpc};
use ishi_words::Language;

use super::eval::{self, Evaluation};
use super::league::{LeagueMember, MemberError};
use super::ntuple::{NTuplePlayer, ShippedNetwork, WhiteView};

/// An evaluation that ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgeEntry {
    /// Its name in options and addresses.
    pub name: &'static str,
    english: &'static str,
    japanese: &'static str,
}

impl JudgeEntry {
    /// What it is, in a few words.
    pub fn about(self, language: Language) -> &'static str {
        language.choose(self.english, self.japanese)
    }
}

/// All evaluations that ship, the best first.
pub const ENTRIES: [JudgeEntry; 6] = [
    JudgeEntry {
        name: "patterns",
        english: "patterns by phase, which the search uses",
        japanese: "段階別パターン評価（探索に使うもの）",
    },
    JudgeEntry {
        name: "network",
        english: "n-tuple network learned from the rules alone",
        japanese: "規則だけから学んだNタプルネットワーク",
    },
    JudgeEntry {
        name: "network-against-standard",
        english: "n-tuple network learned against the standard counter",
        japanese: "標準のWPCと対戦して学んだNタプルネットワーク",
    },
    JudgeEntry {
        name: "ten",
        english: "piece counter, ten learned weights",
        japanese: "学習した10個のマスの重みによる評価（WPC）",
    },
    JudgeEntry {
        name: "sixtyfour",
        english: "piece counter, 64 weights learned against the standard",
        japanese: "標準との対戦から学習した64個のマスの重みによる評価（WPC）",
    },
    JudgeEntry {
        name: "standard",
        english: "the standard piece counter",
        japanese: "標準のマスの重みの評価（WPC）",
    },
];

const TEN: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/wpc/ten.txt"));
const SIXTYFOUR: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/wpc/sixtyfour.txt"));

/// An evaluation of boards.
///
/// ```
/// use ishi_othello_play::judges::BoardJudge;
/// use ishi_othello::{Board, Color};
/// let judge = BoardJudge::from_name("patterns").unwrap();
/// let moves = judge.rank_moves(Board::START, Color::Black);
/// // The four first moves are the same move, turned.
/// assert_eq!(moves.len(), 4);
/// assert!(moves.iter().all(|(_, value)| *value == moves[0].1));
/// ```
#[derive(Clone)]
pub enum BoardJudge {
    /// The evaluation of the search, in discs.
    Patterns(Arc<Evaluation>),
    /// An n-tuple network, in its own measure.
    Network(Arc<NTuplePlayer>),
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

impl BoardJudge {
    /// The one of this name among [`ENTRIES`].
    pub fn from_name(name: &str) -> Option<BoardJudge> {
        let counter = |text: &str| text.parse().ok().map(BoardJudge::Counter);
        match name {
            "patterns" => Some(BoardJudge::Patterns(Evaluation::shipped())),
            "ten" => counter(TEN),
            "sixtyfour" => counter(SIXTYFOUR),
            "standard" => Some(BoardJudge::Counter(Wpc::standard())),
            _ => Some(BoardJudge::Network(ShippedNetwork::from_name(name)?.player().ok()?)),
        }
    }

    /// The one in a file: weights of `ishi othello evaluation fit`, a network, a piece counter, or a published network.
    ///
    /// # Errors
    /// If it is none of these.
    pub fn from_bytes(bytes: &[u8]) -> Result<BoardJudge, JudgeError> {
        if let Ok(learned) = eval::file::unpack_weights(bytes) {
            return Ok(BoardJudge::Patterns(Arc::new(Evaluation::new(&learned))));
        }
        Ok(match LeagueMember::from_bytes(bytes)? {
            LeagueMember::Counter(wpc) => BoardJudge::Counter(wpc),
            LeagueMember::Network(player) => BoardJudge::Network(Arc::new(*player)),
        })
    }

    /// Are its values discs?
    pub fn is_in_discs(&self) -> bool {
        matches!(self, BoardJudge::Patterns(_))
    }

    /// The value, for the side that has just moved (`mover`), of the board after its move, which the other side sees.
    pub fn value_after(&self, after: Board, mover: Color) -> f64 {
        match self {
            BoardJudge::Patterns(evaluation) => f64::from(-evaluation.value_in_discs(after)),
            BoardJudge::Network(player) => {
                f64::from(player.value_after_move(after, mover)) * player.network().unit()
            }
            BoardJudge::Counter(wpc) => {
                f64::from(Evaluator::value_after_move(wpc, after, mover)) / f64::from(FULL_WEIGHT)
            }
        }
    }

    /// Every legal move of the side to move (`color`) with its value one ply ahead, best first.
    pub fn rank_moves(&self, board: Board, color: Color) -> Vec<(Square, f64)> {
        let mut moves: Vec<(Square, f64)> =
            board.children().map(|(square, after)| (square, self.value_after(after, color))).collect();
        moves.sort_by(|a, b| b.1.total_cmp(&a.1));
        moves
    }

    /// What each square adds to the value of the board for the side to move (`color`), row by row from a1: a piece counter's
    /// weight where a disc stands, of patterns and tuples an equal share to each of their squares.
    pub fn square_shares(&self, board: Board, color: Color) -> [f64; 64] {
        match self {
            BoardJudge::Patterns(evaluation) => evaluation.square_shares(board).map(f64::from),
            BoardJudge::Network(player) => network_shares(player, board, color),
            BoardJudge::Counter(wpc) => counter_shares(wpc, board),
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
fn network_shares(player: &NTuplePlayer, board: Board, color: Color) -> [f64; 64] {
    let (network, turned) = (player.network(), player.view() == WhiteView::Negated && color == Color::White);
    let (seen, sign) = if turned { (board.pass(), -1.0) } else { (board, 1.0) };
    let phase = network.phases().phase_of(64 - board.empty_count());
    let mut shares = [0.0; 64];
    for (number, group) in network.shape().groups().iter().enumerate() {
        let weights = network.group_weights(phase, number);
        for tuple in group.placements() {
            let share =
                sign * f64::from(weights[tuple.content_index(seen)]) * network.unit() / tuple.len() as f64;
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
            let judge = BoardJudge::from_name(entry.name).unwrap();
            let moves = judge.rank_moves(middle(), Color::Black);
            assert_eq!(moves.len(), middle().legal_moves().count_ones() as usize, "{}", entry.name);
            assert!(moves.is_sorted_by(|a, b| a.1 >= b.1));
            assert!(moves[0].1 > moves.last().unwrap().1, "{} tells moves apart", entry.name);
        }
        assert!(BoardJudge::from_name("nobody").is_none());
    }

    /// Nothing is lost between squares: their shares add up to the value, but for mobility.
    #[test]
    fn shares_add_up() {
        let board = middle();
        for name in ["network", "network-against-standard", "ten", "sixtyfour", "standard"] {
            let judge = BoardJudge::from_name(name).unwrap();
            for color in Color::ALL {
                let sum: f64 = judge.square_shares(board, color).iter().sum();
                let value = judge.value_after(board.pass(), color);
                assert!((sum - value).abs() < 1e-6 * value.abs().max(1.0), "{name} {color}: {sum} {value}");
            }
        }
    }

    /// Mirror images share their weights.
    #[test]
    fn shares_of_patterns_turn_with_the_board() {
        let patterns = Evaluation::shipped();
        let shares = patterns.square_shares(middle());
        assert!(shares.iter().any(|share| share.abs() > 0.1));
        for symmetry in Symmetry::ALL {
            let turned = patterns.square_shares(symmetry.map_board(middle()));
            for square in Square::all() {
                let (a, b) = (shares[square.index()], turned[symmetry.map_square(square).index()]);
                assert!((a - b).abs() < 1e-3, "{square}: {a} {b}");
            }
        }
    }

    #[test]
    fn files_are_told_by_their_content() {
        let shipped: &[u8] = include_bytes!("../data/eval.bin");
        assert!(BoardJudge::from_bytes(shipped).unwrap().is_in_discs());
        assert!(matches!(BoardJudge::from_bytes(SIXTYFOUR.as_bytes()).unwrap(), BoardJudge::Counter(_)));
        let network: &[u8] = include_bytes!("../data/network.nt");
        assert!(matches!(BoardJudge::from_bytes(network).unwrap(), BoardJudge::Network(_)));
        assert!(BoardJudge::from_bytes(b"no evaluation at all").is_err());
    }
}
