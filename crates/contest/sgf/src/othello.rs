//! A line of a record as a game of Othello, GM[2].
//!
//! `FF[4]` has no page on Othello. Programs write squares as players do, `B[f5]`, in either case, or as two letters as in
//! Go, `B[fe]` (column, then row from the top); both are read, the first is written. A pass is `B[]`, `B[pa]`, `B[pass]` or
//! `B[--]`, and may be left out where it is forced. AB and AW before the first move set up the whole board; without
//! them the game begins at the start.

use ishi_othello::{Board, Color, Move, Position, Square};
use ishi_words::{CodedError, ErrorFacts, facts};

use crate::game::{RecordReplayError, told_by};
use crate::info::{GameInfo, RecordSize};
use crate::text::split_composed;
use crate::tree::{GameTree, Node, NodeId, Property, PropertyValue};
use crate::warning::{FileLocation, WarningKind, Warnings};

/// What GM says of Othello.
const OTHELLO: u32 = 2;

/// The only board there is.
const SIZE: RecordSize = RecordSize { width: 8, height: 8 };

/// Why a game tree is no game of Othello.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OthelloError {
    /// GM says that it is another game.
    #[error("this is no game of Othello: GM[{game}], Othello is GM[2]")]
    OtherGame {
        /// The number of the game.
        game: u32,
    },
    /// Another board.
    #[error("no Othello board of size {size}: a board must be 8x8")]
    Size {
        /// The size.
        size: RecordSize,
    },
    /// AB, AW, AE or PL after a move.
    #[error("set-up after a move at {place}: Othello is set up before the first")]
    LateSetup {
        /// Where it stands in the file.
        place: FileLocation,
    },
}

impl CodedError for OthelloError {
    fn facts(&self) -> ErrorFacts {
        match self {
            OthelloError::OtherGame { game } => facts!["sgf-no-othello", game],
            OthelloError::Size { size } => facts!["sgf-no-othello-board", size],
            OthelloError::LateSetup { place } => facts!["sgf-late-setup", place = place.facts()],
        }
    }
}

/// A move of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OthelloMove {
    /// Who played.
    pub color: Color,
    /// The square, or a pass.
    pub mv: Move,
    /// Where it stands in the file.
    pub place: FileLocation,
}

/// A line of a record, read as a game of Othello.
///
/// ```
/// use ishi_sgf::OthelloGame;
/// let reading = ishi_sgf::read_collection(b"(;GM[2]PB[Murakami];B[f5];W[F6];B[ef])").unwrap();
/// let game = OthelloGame::read_main_line(&reading.collection.games[0]).unwrap();
/// assert_eq!(game.replay_moves(None).unwrap().to_transcript(), "f5f6e6");
/// let error = OthelloGame::read_main_line(&ishi_sgf::read_collection(b"(;GM[1])").unwrap().collection.games[0]).unwrap_err();
/// assert_eq!(error.to_string(), "this is no game of Othello: GM[1], Othello is GM[2]");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OthelloGame {
    /// What the record says about the game.
    pub info: GameInfo,
    /// The position before the first move.
    pub start: Position,
    /// The moves in their order.
    pub moves: Vec<OthelloMove>,
    /// What was not as it should be.
    pub warnings: Warnings,
}

impl OthelloGame {
    /// Reads the main line.
    ///
    /// # Errors
    /// If the game is not Othello, its board is not 8x8, or discs are set up after a move.
    pub fn read_main_line(tree: &GameTree) -> Result<OthelloGame, OthelloError> {
        let mut warnings = Warnings::new();
        let mut info = GameInfo::read_main_line(tree, &mut warnings);
        warnings.forget_kind(WarningKind::OtherGame);
        if info.game != OTHELLO {
            return Err(OthelloError::OtherGame { game: info.game });
        }
        if !tree.main_line().any(|id| tree.node(id).property("SZ").is_some()) {
            info.size = SIZE;
        }
        if info.size != SIZE {
            return Err(OthelloError::Size { size: info.size });
        }
        let mut line = OthelloLine::default();
        for id in tree.main_line() {
            line.read_node(tree.node(id), &mut warnings)?;
        }
        warnings.sort();
        Ok(OthelloGame { info, start: line.start_position(), moves: line.moves, warnings })
    }

    /// The record of a position's history. Names and dates are for the caller to fill in.
    pub fn from_position(position: &Position) -> OthelloGame {
        let mut warnings = Warnings::new();
        let info = GameInfo {
            game: OTHELLO,
            size: SIZE,
            ..GameInfo::read_main_line(&GameTree::new(), &mut warnings)
        };
        let (board, to_move) = position.setup();
        let played = |&(color, mv)| OthelloMove { color, mv, place: FileLocation::NONE };
        OthelloGame {
            info,
            start: Position::from_board(board, to_move),
            moves: position.moves().iter().map(played).collect(),
            warnings,
        }
    }

    /// The position after so many moves of the record; after all of them without a number.
    ///
    /// # Errors
    /// If a move is illegal: says which one, and where it stands in the file.
    pub fn replay_moves(&self, moves: Option<usize>) -> Result<Position, RecordReplayError> {
        let mut position = self.start.clone();
        for (index, played) in self.moves.iter().take(moves.unwrap_or(usize::MAX)).enumerate() {
            let OthelloMove { color, mv, place } = *played;
            position
                .play_recorded_by(color, mv)
                .map_err(|error| RecordReplayError::on_move(index + 1, color, mv, place, told_by(error)))?;
        }
        Ok(position)
    }

    /// The game as a tree: info, set-up unless it is the usual one, and a node for every move.
    pub fn to_tree(&self) -> GameTree {
        let mut tree = GameTree::new();
        tree.normalise_root();
        let root = tree.root_mut();
        root.set_text("GM", "2");
        root.set_text("SZ", "8");
        let info = &self.info;
        for (name, text) in [
            ("PB", info.black.name.as_deref()),
            ("PW", info.white.name.as_deref()),
            ("BR", info.black.rank.as_deref()),
            ("WR", info.white.rank.as_deref()),
            ("DT", info.date.as_deref()),
            ("EV", info.event.as_deref()),
            ("RO", info.round.as_deref()),
            ("PC", info.location.as_deref()),
            ("RE", info.result.map(|result| result.to_string()).as_deref()),
        ] {
            text.into_iter().for_each(|text| root.set_text(name, text));
        }
        if self.start != Position::start() {
            write_setup(root, &self.start);
        }
        let mut at = NodeId::ROOT;
        for played in &self.moves {
            at = tree.add_child(at);
            let text = if played.mv == Move::Pass { "pa".to_string() } else { played.mv.to_string() };
            tree.node_mut(at).set_text(move_property(played.color), &text);
        }
        tree
    }
}

/// Writes AB, AW and PL.
fn write_setup(root: &mut Node, start: &Position) {
    for (name, color) in [("AB", Color::Black), ("AW", Color::White)] {
        let squares = ishi_othello::iter_squares(start.discs(color));
        let values: Vec<PropertyValue> =
            squares.map(|square| PropertyValue::from_text(&square.to_string())).collect();
        if !values.is_empty() {
            root.set_property(Property::with_name(name, values));
        }
    }
    // An empty board is set up, too.
    if start.board().empty_count() == 64 {
        root.set_text("AE", "a1:h8");
    }
    root.set_text("PL", move_property(start.to_move()));
}

fn move_property(color: Color) -> &'static str {
    ["B", "W"][color.index()]
}

/// What was read of a line so far.
#[derive(Default)]
struct OthelloLine {
    black: u64,
    white: u64,
    empty: u64,
    to_move: Option<Color>,
    moves: Vec<OthelloMove>,
}

impl OthelloLine {
    fn read_node(&mut self, node: &Node, warnings: &mut Warnings) -> Result<(), OthelloError> {
        for property in &node.properties {
            let name = property.ident().as_str();
            if matches!(name, "AB" | "AW" | "AE" | "PL") && !self.moves.is_empty() {
                return Err(OthelloError::LateSetup { place: property.place() });
            }
            match name {
                "AB" => self.black |= read_squares(property, warnings),
                "AW" => self.white |= read_squares(property, warnings),
                "AE" => self.empty |= read_squares(property, warnings),
                "PL" => self.to_move = read_player(property, warnings),
                "B" => self.read_moves(Color::Black, property, warnings),
                "W" => self.read_moves(Color::White, property, warnings),
                _ => {}
            }
        }
        Ok(())
    }

    fn read_moves(&mut self, color: Color, property: &Property, warnings: &mut Warnings) {
        for value in property.values() {
            let text = value.to_simple_text();
            let place = value.place();
            match read_move(text.trim()) {
                Some(mv) => self.moves.push(OthelloMove { color, mv, place }),
                None => warn_bad_square(place, &text, warnings),
            }
        }
    }

    /// Where the game starts. Who moves is PL, or who moves first on a board that was set up, or Black.
    fn start_position(&self) -> Position {
        if self.black | self.white | self.empty == 0 {
            let to_move = self.to_move.unwrap_or(Color::Black);
            let board = if to_move == Color::Black { Board::START } else { Board::START.pass() };
            return Position::from_board(board, to_move);
        }
        let first = self.moves.first().map(|played| played.color);
        let to_move = self.to_move.or(first).unwrap_or(Color::Black);
        let (black, white) = (self.black & !self.white & !self.empty, self.white & !self.empty);
        let (player, opponent) = if to_move == Color::Black { (black, white) } else { (white, black) };
        Position::from_board(Board { player, opponent }, to_move)
    }
}

/// `f5`, `F5` or `fe`.
fn read_square(text: &str) -> Option<Square> {
    let number = |byte: u8| usize::from(byte.to_ascii_lowercase().wrapping_sub(b'a'));
    match *text.as_bytes() {
        [column, row] if row.is_ascii_alphabetic() => Square::from_column_row(number(column), number(row)),
        _ => text.parse().ok(),
    }
}

fn read_move(text: &str) -> Option<Move> {
    match text {
        "" | "tt" => Some(Move::Pass),
        _ => read_square(text).map(Move::Play).or_else(|| text.parse().ok()),
    }
}

/// The squares of a list, rectangles included.
fn read_squares(property: &Property, warnings: &mut Warnings) -> u64 {
    let mut bits = 0;
    for value in property.values() {
        let text = value.to_simple_text();
        let (first, last) = split_composed(text.trim()).unwrap_or((text.trim(), text.trim()));
        match (read_square(first.trim()), read_square(last.trim())) {
            (Some(a), Some(b)) => bits |= rectangle_squares(a, b),
            _ if text.trim().is_empty() => {}
            _ => warn_bad_square(value.place(), &text, warnings),
        }
    }
    bits
}

/// All squares between two corners.
fn rectangle_squares(a: Square, b: Square) -> u64 {
    let between = |x: usize, a: usize, b: usize| (a.min(b)..=a.max(b)).contains(&x);
    let inside = |square: &Square| {
        between(square.column(), a.column(), b.column()) && between(square.row(), a.row(), b.row())
    };
    Square::all().filter(inside).fold(0, |bits, square| bits | square.bit())
}

fn read_player(property: &Property, warnings: &mut Warnings) -> Option<Color> {
    let player = property.value().to_simple_text().trim().parse().ok();
    if player.is_none() {
        let done = "write B or W, left out";
        warnings.add_warning(property.place(), WarningKind::BadPlayer, property.to_string(), done);
    }
    player
}

fn warn_bad_square(place: FileLocation, text: &str, warnings: &mut Warnings) {
    let done = "squares go from a1 to h8, the value left out";
    warnings.add_warning(place, WarningKind::BadPoint, format!("[{}]", text.trim()), done);
}
