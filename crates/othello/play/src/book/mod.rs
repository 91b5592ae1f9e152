//! The opening book: positions with the values of their good moves, from own deep search and from records.
//!
//! Positions are kept in canonical form, so that transpositions and symmetries are one. Each holds the searched values
//! of its moves (all but hopeless ones) and how often it was met in records, with what success. A position's value is
//! found by negamax: a move that leads to a position of the book is worth what the book says there, another one what
//! the search said. Source: M. Buro, "Toward opening book learning" (ICCA Journal 22, 1999); which line to extend next
//! follows T. Lincke, "Strategies for the automatic construction of opening books" (Computers and Games 2000).

mod build;
mod file;
mod foreign;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use ishi_othello::{Board, Square, iter_squares};
use ishi_rng::Rng;
use serde::Serialize;

pub use build::{BookBuilder, BuildEnd, BuildObserver, BuildParams, BuildStep};
pub use file::BookError;
pub use foreign::BookFormat;

const BUILTIN: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/book.bin"));

/// What the book knows of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookEntry {
    /// Values of the good moves by search, for the side to move, on the canonical board; empty if not searched yet.
    moves: Vec<(Square, i8)>,
    /// Plies that the search looked ahead; 0: not searched yet.
    depth: u8,
    /// How often the position was met in records.
    games: u32,
    /// Half points that the side to move made there: 2 for a win, 1 for a draw.
    points: u32,
    /// By negamax over the book; 0 if not searched yet.
    value: i8,
}

impl BookEntry {
    /// The value for the side to move, in discs, -64 to 64: by negamax over the book.
    pub fn value(&self) -> i32 {
        i32::from(self.value)
    }

    /// Plies that the search of this position looked ahead; 0: not searched yet.
    pub fn depth(&self) -> u32 {
        u32::from(self.depth)
    }

    /// How often the position was met in records.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// The share of points that the side to move made in those games, 0 to 1; `None` without games.
    pub fn success(&self) -> Option<f64> {
        (self.games > 0).then(|| f64::from(self.points) / (2.0 * f64::from(self.games)))
    }
}

/// A move that the book knows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BookMove {
    /// The move.
    #[serde(rename = "move")]
    pub square: Square,
    /// Its value for the one who plays it, in discs.
    pub value: i32,
    /// Does the book go on after it?
    pub in_book: bool,
    /// How often it was played in records.
    pub games: u32,
    /// The share of points made by it there, 0 to 1.
    pub success: Option<f64>,
}

/// An opening book.
///
/// ```
/// use ishi_othello_play::book::Book;
/// use ishi_othello::Board;
/// let book = Book::builtin();
/// let moves = book.moves(Board::START.play_unchecked("f5".parse().unwrap()));
/// assert!(moves.windows(2).all(|pair| pair[0].value >= pair[1].value));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    entries: BTreeMap<Board, BookEntry>,
    /// Were records counted into it?
    has_records: bool,
}

impl Book {
    /// The book that is built in.
    pub fn builtin() -> &'static Book {
        static BOOK: OnceLock<Book> = OnceLock::new();
        // That it can be read is tested.
        BOOK.get_or_init(|| Book::from_bytes(BUILTIN).unwrap_or_default())
    }

    /// How many positions it has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Has it no position?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many of its positions have been searched.
    pub fn count_searched(&self) -> usize {
        self.entries.values().filter(|entry| entry.depth > 0).count()
    }

    /// Were records counted into it?
    pub fn has_records(&self) -> bool {
        self.has_records
    }

    /// Its positions, each in canonical form.
    pub fn entries(&self) -> impl Iterator<Item = (Board, &BookEntry)> {
        self.entries.iter().map(|(&board, entry)| (board, entry))
    }

    /// What it knows of a position.
    pub fn get(&self, board: Board) -> Option<&BookEntry> {
        self.entries.get(&board.canonical_form().0)
    }

    /// The moves that it knows here, the best first; none if the position is not in the book or not searched.
    pub fn moves(&self, board: Board) -> Vec<BookMove> {
        let (canonical, symmetry) = board.canonical_form();
        let Some(entry) = self.entries.get(&canonical) else { return Vec::new() };
        let mut moves: Vec<BookMove> = self
            .move_values(canonical, entry)
            .map(|(square, value)| self.book_move(board, symmetry.inverse().map_square(square), value))
            .collect();
        moves.sort_by_key(|known| (-known.value, known.square));
        moves
    }

    fn book_move(&self, board: Board, square: Square, value: i32) -> BookMove {
        let next = self.get(board.play_unchecked(square));
        BookMove {
            square,
            value,
            in_book: next.is_some(),
            games: next.map_or(0, BookEntry::games),
            success: next.and_then(BookEntry::success).map(|success| 1.0 - success),
        }
    }

    /// One of the moves that are at most `tolerance` discs worse than the best, each as likely as the other; `None`
    /// where the book has none.
    pub fn choose_move(&self, board: Board, tolerance: i32, rng: &mut Rng) -> Option<BookMove> {
        let moves = self.moves(board);
        let best = moves.first()?.value;
        let near: Vec<BookMove> = moves.into_iter().filter(|known| known.value >= best - tolerance).collect();
        rng.choose(&near).copied()
    }

    /// The moves of a canonical board with their values by negamax.
    fn move_values<'a>(
        &'a self,
        board: Board,
        entry: &'a BookEntry,
    ) -> impl Iterator<Item = (Square, i32)> + 'a {
        entry.moves.iter().map(move |&(square, searched)| {
            (square, self.value_after(board, square).unwrap_or(i32::from(searched)))
        })
    }

    /// The positions that are reached from the start by legal moves without leaving the book, in canonical form.
    pub fn reachable_positions(&self) -> BTreeSet<Board> {
        let mut reached = BTreeSet::new();
        let mut open = vec![Board::START.canonical_form().0];
        while let Some(board) = open.pop() {
            if self.entries.contains_key(&board) && reached.insert(board) {
                open.extend(
                    iter_squares(board.legal_moves())
                        .map(|square| position_after(board, square).0.canonical_form().0),
                );
            }
        }
        reached
    }

    /// What the book says of a move by the position that it leads to, if that has been searched.
    fn value_after(&self, board: Board, square: Square) -> Option<i32> {
        let (next, sign) = position_after(board, square);
        let entry = self.entries.get(&next.canonical_form().0)?;
        (entry.depth > 0).then(|| sign * entry.value())
    }

    /// Computes all values anew: from the positions with the fewest empty squares back to the start.
    fn compute_negamax(&mut self) {
        let mut boards: Vec<Board> = self.entries.keys().copied().collect();
        boards.sort_by_key(|board| board.empty_count());
        for board in boards {
            let best = self
                .entries
                .get(&board)
                .and_then(|entry| self.move_values(board, entry).map(|(_, value)| value).max());
            if let (Some(entry), Some(best)) = (self.entries.get_mut(&board), best) {
                entry.value = best as i8;
            }
        }
    }
}

/// The position after a move where somebody has a choice again, and the sign of its value for the one who moved: a
/// player who must pass does so.
fn position_after(board: Board, square: Square) -> (Board, i32) {
    let after = board.play_unchecked(square);
    if after.legal_moves() == 0 && after.pass().legal_moves() != 0 { (after.pass(), 1) } else { (after, -1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ishi_othello::Symmetry;
    use ishi_rng::Seed;

    fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    fn entry(board: Board, moves: &[(&str, i8)]) -> (Board, BookEntry) {
        let (canonical, symmetry) = board.canonical_form();
        let moves = moves.iter().map(|&(name, value)| (symmetry.map_square(square(name)), value)).collect();
        (canonical, BookEntry { moves, depth: 8, ..BookEntry::default() })
    }

    fn after(moves: &[&str]) -> Board {
        moves.iter().fold(Board::START, |board, name| board.play_unchecked(square(name)))
    }

    /// f5 was searched as 0; after it White has d6 (-2 for White) and f6 (1, but the book sees 3 for Black there).
    fn book() -> Book {
        let entries = [
            entry(Board::START, &[("f5", 0)]),
            entry(after(&["f5"]), &[("d6", -2), ("f6", 1)]),
            entry(after(&["f5", "f6"]), &[("e6", 3), ("c4", 0)]),
        ];
        let mut book = Book { entries: entries.into(), has_records: false };
        book.compute_negamax();
        book
    }

    #[test]
    fn values_are_minimaxed() {
        let book = book();
        assert_eq!(book.get(after(&["f5", "f6"])).map(BookEntry::value), Some(3));
        assert_eq!(book.get(after(&["f5"])).map(BookEntry::value), Some(-2));
        assert_eq!(book.get(Board::START).map(BookEntry::value), Some(2));
        let moves: Vec<(String, i32)> =
            book.moves(after(&["f5"])).iter().map(|known| (known.square.to_string(), known.value)).collect();
        assert_eq!(moves, [("d6".to_string(), -2), ("f6".to_string(), -3)]);
    }

    #[test]
    fn moves_turn_with_the_board() {
        let book = book();
        for symmetry in Symmetry::ALL {
            let board = symmetry.map_board(after(&["f5"]));
            let best = book.moves(board)[0];
            assert_eq!(best.value, -2);
            let expected = symmetry.map_board(after(&["f5", "d6"])).canonical_form().0;
            assert_eq!(board.play_unchecked(best.square).canonical_form().0, expected);
        }
    }

    #[test]
    fn near_equal_moves_are_chosen_at_random() {
        let book = book();
        let mut rng = Seed::new(1).stream("book", 0);
        let mut chosen = |tolerance| {
            let mut names: Vec<String> = (0..40)
                .filter_map(|_| book.choose_move(after(&["f5"]), tolerance, &mut rng))
                .map(|known| known.square.to_string())
                .collect();
            names.sort();
            names.dedup();
            names
        };
        assert_eq!(chosen(0), ["d6"]);
        assert_eq!(chosen(1), ["d6", "f6"]);
        assert_eq!(book.choose_move(after(&["f5", "f4"]), 5, &mut rng), None);
    }

    /// The player who must pass does so within the book.
    #[test]
    fn passes_are_gone_through() {
        let board = Board { player: 1 << 2 | 1 << 63, opponent: 1 << 1 | 1 << 54 };
        let (after, sign) = position_after(board, square("a1"));
        assert_eq!(sign, 1, "White has no move");
        assert_eq!(after.legal_moves(), square("f6").bit() & after.legal_moves());
    }
}
