//! Positions as people have them at hand: moves, boards as several programs write them, links of playing sites.
//!
//! | text | where it comes from |
//! | --- | --- |
//! | `f5d6c3` | transcripts |
//! | 64 squares and the side to move, `X` and `O`, or `B` and `W`; what follows a `;` is left out | Edax (also behind its command `setboard`), OBF, NBoard |
//! | 64 squares of `0`, `1` and `-`, the side to move behind, with or without a space | Egaroucid |
//! | `8/8/8/3pP3/3Pp3/8/8/8 b` | Edax's FEN: row 8 first, `p` black, `P` white |
//! | a link with one of these in it | the address of a game on a playing site |

use ishi_words::{CodedError, ErrorFacts, facts};

use crate::board::Board;
use crate::color::Color;
use crate::position::Position;
use crate::square::Square;
use crate::text::{BoardSigns, BoardTextError, shorten_text};
use crate::transcript::TranscriptError;

/// Why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GivenPositionError {
    /// A board that is wrong.
    #[error(transparent)]
    Board(#[from] BoardTextError),
    /// Moves that are wrong.
    #[error(transparent)]
    Moves(#[from] TranscriptError),
    /// A FEN that is wrong.
    #[error(
        "{found:?} is no FEN of Othello: write eight rows of 8 squares from row 8 on, p black, P white, digits for empty squares, then b or w"
    )]
    Fen {
        /// The text, shortened.
        found: String,
    },
    /// A link with a board that is wrong.
    #[error("{part:?} in the link is no board: {error}")]
    LinkBoard {
        /// The part of the link with the board, shortened.
        part: String,
        /// Why.
        error: BoardTextError,
    },
    /// A link with a board without a side to move.
    #[error(
        "{part:?} in the link is a board, but nothing says who is to move: write X or O after it, or have turn=X or turn=O in the link"
    )]
    LinkSide {
        /// The part of the link with the board, shortened.
        part: String,
    },
    /// A link without a position.
    #[error(
        "no position in the link {found:?}: a part of it must be moves such as f5d6c3, or 64 squares with the side to move. \
         If the link has neither, copy the moves on that site and give them instead"
    )]
    Link {
        /// The link, shortened.
        found: String,
    },
}

impl CodedError for GivenPositionError {
    fn facts(&self) -> ErrorFacts {
        match self {
            GivenPositionError::Board(error) => error.facts(),
            GivenPositionError::Moves(error) => error.facts(),
            GivenPositionError::Fen { found } => facts!["othello-fen", found = format!("{found:?}")],
            GivenPositionError::LinkBoard { part, error } => {
                facts!["othello-link-board", part = format!("{part:?}"), reason = error.facts()]
            }
            GivenPositionError::LinkSide { part } => facts!["othello-link-side", part = format!("{part:?}")],
            GivenPositionError::Link { found } => facts!["othello-link", found = format!("{found:?}")],
        }
    }
}

impl Position {
    /// The position that a text gives: `start`, moves, a board, or a link with one of these in it.
    ///
    /// ```
    /// use ishi_othello::Position;
    /// let moves = Position::from_given("https://example.org/kifu?moves=f5d6c3&lang=ja").unwrap();
    /// assert_eq!(moves.to_transcript(), "f5d6c3");
    /// let fen = Position::from_given("8/8/8/3pP3/3Pp3/8/8/8 b").unwrap();
    /// assert_eq!(fen.board(), Position::start().board());
    /// ```
    ///
    /// # Errors
    /// Says what is wrong, and what would be right.
    pub fn from_given(text: &str) -> Result<Position, GivenPositionError> {
        let text = text.trim();
        if looks_like_a_link(text) {
            return read_link(text);
        }
        read_plain(text)
    }
}

/// Is this text a link, with a position in it or none? Browsers copy links whole, people often without their beginning.
///
/// ```
/// use ishi_othello::looks_like_a_link;
/// assert!(looks_like_a_link("https://example.org/game/17") && looks_like_a_link("www.example.org/game/17"));
/// assert!(!looks_like_a_link("f5d6c3"));
/// ```
pub fn looks_like_a_link(text: &str) -> bool {
    text.contains("://") || text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."))
}

/// What is no link.
fn read_plain(text: &str) -> Result<Position, GivenPositionError> {
    let text = without_command(text);
    if text.eq_ignore_ascii_case("start") {
        return Ok(Position::start());
    }
    if text.split_whitespace().next().is_some_and(looks_like_a_fen) {
        return read_fen(text).ok_or_else(|| GivenPositionError::Fen { found: shorten_text(text) });
    }
    let first = text.split(';').next().unwrap_or(text);
    if has_digits_for_discs(first) {
        return Ok(Position::read_board(first, BoardSigns::Digits)?);
    }
    if looks_like_a_board(text) {
        return Ok(Position::from_text(first)?);
    }
    Ok(Position::from_transcript(text)?)
}

/// Without Edax's command, which people copy together with the board.
fn without_command(text: &str) -> &str {
    match text.split_once(char::is_whitespace) {
        Some((command, board)) if command.eq_ignore_ascii_case("setboard") => board.trim_start(),
        _ => text,
    }
}

/// Eight rows of discs and numbers.
fn looks_like_a_fen(word: &str) -> bool {
    word.matches('/').count() == 7 && word.chars().all(|cell| "pP/0123456789".contains(cell))
}

/// Boards have empty squares and discs; transcripts have none but for a pass written `--`.
fn looks_like_a_board(text: &str) -> bool {
    text.chars().filter(|&cell| is_square(cell)).count() >= 32
}

/// A sign for a square in letters.
fn is_square(sign: char) -> bool {
    "-._XxOo*●○BbWw".contains(sign)
}

/// Does a board begin here whose discs are digits? Some programs write 2 for a disc, which is refused in its place. Of a board with other discs
/// row numbers are all the digits: by the third row they are others than these.
fn has_digits_for_discs(text: &str) -> bool {
    let signs = text.chars().filter(|cell| !cell.is_whitespace()).take_while(|&cell| "012-._".contains(cell));
    let signs: String = signs.collect();
    signs.len() >= 32 && signs.contains(['0', '1', '2'])
}

/// Row 8 first.
fn read_fen(text: &str) -> Option<Position> {
    let mut words = text.split_whitespace();
    let rows: Vec<&str> = words.next()?.split('/').collect();
    let to_move = match words.next()? {
        "b" => Color::Black,
        "w" => Color::White,
        _ => return None,
    };
    let (mut black, mut white) = (0, 0);
    for (text, row) in rows.into_iter().zip((0..8).rev()) {
        let mut column = 0;
        for cell in text.chars() {
            if let Some(empty) = cell.to_digit(10) {
                column += empty as usize;
                continue;
            }
            let square = Square::from_column_row(column, row)?;
            match cell {
                'p' => black |= square.bit(),
                'P' => white |= square.bit(),
                _ => return None,
            }
            column += 1;
        }
        if column != 8 {
            return None;
        }
    }
    let (player, opponent) = if to_move == Color::Black { (black, white) } else { (white, black) };
    Some(Position::from_board(Board { player, opponent }, to_move))
}

/// The longest part of a link that is a position. A board may have its side to move in another part.
fn read_link(link: &str) -> Result<Position, GivenPositionError> {
    let mut parts: Vec<String> = link.split(['?', '#', '&', '=', '/']).map(decode_percents).collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
    let whole = parts.iter().filter(|part| part.len() >= 6).find_map(|part| read_plain(part).ok());
    let with_side = || {
        let side = ["turn", "player", "color", "side"].iter().find_map(|key| find_value(link, key))?;
        let side = parse_side(&side)?;
        let mut boards = parts.iter().filter(|part| part.len() >= 64);
        boards.find_map(|board| read_plain(&format!("{board} {side}")).ok())
    };
    whole.or_else(with_side).ok_or_else(|| {
        let fault = parts.iter().find_map(|part| find_fault_of_board(part));
        fault.unwrap_or_else(|| GivenPositionError::Link { found: shorten_text(link) })
    })
}

/// What is wrong with the board that this part of a link is; `None` if it is no board. Names of pages have such letters, too, but others as well.
fn find_fault_of_board(part: &str) -> Option<GivenPositionError> {
    let signs = part.chars().filter(|&sign| is_square(sign) || sign.is_ascii_digit()).count();
    if 4 * signs < 3 * part.chars().count() {
        return None;
    }
    match read_plain(part) {
        Err(GivenPositionError::Board(BoardTextError::NoSide)) => {
            Some(GivenPositionError::LinkSide { part: shorten_text(part) })
        }
        Err(GivenPositionError::Board(error)) => {
            Some(GivenPositionError::LinkBoard { part: shorten_text(part), error })
        }
        _ => None,
    }
}

/// The value of a parameter of a link.
fn find_value(link: &str, key: &str) -> Option<String> {
    let pairs = link.split(['?', '#', '&']).filter_map(|pair| pair.split_once('='));
    let mut named = pairs.filter(|(name, _)| name.eq_ignore_ascii_case(key));
    named.next().map(|(_, value)| decode_percents(value))
}

/// `X` or `O`.
fn parse_side(text: &str) -> Option<char> {
    match text.to_ascii_lowercase().as_str() {
        "0" | "b" | "x" | "black" => Some('X'),
        "1" | "w" | "o" | "white" => Some('O'),
        _ => None,
    }
}

/// `%2D` is `-`, and `+` a space.
fn decode_percents(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let code = behind.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let code = code.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (first, code) {
            (b'%', Some(code)) => {
                bytes.push(code);
                rest = &behind[2..];
            }
            (&byte, _) => {
                bytes.push(if byte == b'+' { b' ' } else { byte });
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// After f5d6c3, White to move.
    fn game() -> Position {
        Position::from_transcript("f5d6c3").unwrap()
    }

    fn board_of(text: &str) -> (Board, Color) {
        let position = Position::from_given(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        (position.board(), position.to_move())
    }

    #[test]
    fn boards_of_several_programs_are_read() {
        let line = game().to_line();
        let expected = (game().board(), Color::White);
        let cells = &line[..64];
        let digits = cells.replace('X', "0").replace('O', "1");
        let letters = cells.replace('X', "b").replace('O', "w").replace('-', ".");
        for text in [
            line.clone(),
            format!("{cells}O"),
            format!("setboard {line}"),
            format!("SETBOARD  {cells}O"),
            format!("setboard {digits} 1"),
            format!("{line}; F4:+1; a comment;"),
            format!("{digits} 1"),
            format!("{digits}1"),
            format!("{} w", cells.replace('X', "*")),
            format!("{letters} w"),
            "f5d6c3".to_string(),
            game().to_diagram(),
        ] {
            assert_eq!(board_of(&text), expected, "{text}");
        }
        assert_eq!(board_of("START"), (Board::START, Color::Black));
    }

    /// Edax writes row 8 first.
    #[test]
    fn fen_begins_with_the_last_row() {
        assert_eq!(board_of("8/8/8/3pP3/3Pp3/8/8/8 b - - 0 1"), (Board::START, Color::Black));
        let (board, to_move) = board_of("8/8/8/8/8/8/8/Pp6 w");
        assert_eq!((board.player, board.opponent, to_move), (1, 2, Color::White));
        for wrong in
            ["8/8/8/8/8/8/8/9 b", "8/8/8/8/8/8/8/7 b", "8/8/8/8/8/8/8/8", "8/8/8/8/8/8/8/ppppppppp b"]
        {
            assert!(matches!(Position::from_given(wrong), Err(GivenPositionError::Fen { .. })), "{wrong}");
        }
    }

    #[test]
    fn links_hold_moves_or_boards() {
        let expected = (game().board(), Color::White);
        let (line, cells) = (game().to_line(), &game().to_line()[..64]);
        for link in [
            "https://example.org/viewer?kifu=F5D6C3&ply=3".to_string(),
            "https://example.org/board/#f5d6c3".to_string(),
            "www.example.org/board/#f5d6c3".to_string(),
            format!("https://example.org/?pos={}&x=1", line.replace(' ', "+")),
            format!("https://example.org/?pos={}", line.replace('-', "%2D").replace(' ', "%20")),
            format!("https://example.org/?board={cells}&turn=white"),
            format!("https://example.org/?board={cells}&player=1"),
        ] {
            assert_eq!(board_of(&link), expected, "{link}");
        }
        let error = Position::from_given("https://example.org/game/17?lang=en").unwrap_err();
        assert!(error.to_string().starts_with("no position in the link"), "{error}");
    }

    #[test]
    fn errors_are_those_of_what_the_text_looks_like() {
        assert!(matches!(Position::from_given("f5i9"), Err(GivenPositionError::Moves(_))));
        let short = &game().to_line()[..60];
        assert!(matches!(Position::from_given(short), Err(GivenPositionError::Board(_))));
    }

    fn message(text: &str) -> String {
        Position::from_given(text).unwrap_err().to_string()
    }

    /// 0 is black and 1 white. What else stands on such a board is told in its place, whatever it means elsewhere.
    #[test]
    fn boards_in_digits_say_what_is_right() {
        let cells = game().to_line()[..64].replace('X', "0").replace('O', "1");
        assert_eq!(board_of(&format!("{cells} 1; F4:+1;")), (game().board(), Color::White));
        let others = cells.replace('1', "2").replace('0', "1").replace('-', "0");
        assert_eq!(others.find('2'), Some(35));
        let wanted = "is no square of a board in digits: it must be 0 (black), 1 (white) or - (empty)";
        for text in
            [format!("{others} 1"), format!("{others}1"), others.clone(), format!("setboard {others} 2")]
        {
            assert_eq!(message(&text), format!("column 36: '2' {wanted}"));
        }
        let rows = |cells: &str| {
            let rows: Vec<&str> = (0..8).map(|row| &cells[8 * row..8 * row + 8]).collect();
            rows.join("\n")
        };
        assert_eq!(board_of(&format!("{}\n1", rows(&cells))), (game().board(), Color::White));
        assert_eq!(message(&format!("{}\n1", rows(&others))), format!("line 5, column 4: '2' {wanted}"));
        let wrong = format!("{}x{} 1", &cells[..40], &cells[41..]);
        assert_eq!(message(&wrong), format!("column 41: 'x' {wanted}"));
        assert_eq!(message(&format!("{} 1", &cells[1..])), "63 squares, a board must have 64");
        assert_eq!(message(&cells), "nobody is to move: write X or O after the board");
        let green = "\"green\" after the board does not say who is to move: write X or O";
        assert_eq!(message(&format!("{cells} green")), green);
    }

    /// A board in a link is told as such where it is wrong or nobody is to move. Names of pages are none.
    #[test]
    fn boards_in_links_say_what_they_lack() {
        let cells = &game().to_line()[..64];
        let without_side = format!(
            "{cells:?} in the link is a board, but nothing says who is to move: write X or O after it, \
             or have turn=X or turn=O in the link"
        );
        for side in ["", "&t=X", "&t=O", "&turn=green"] {
            assert_eq!(message(&format!("https://example.org/?board={cells}{side}")), without_side);
        }
        let digits = cells.replace('X', "1").replace('O', "2").replace('-', "0");
        assert_eq!(
            message(&format!("https://example.org/?board={digits}&turn=X")),
            format!(
                "{digits:?} in the link is no board: column 36: '2' is no square of a board in digits: \
                 it must be 0 (black), 1 (white) or - (empty)"
            )
        );
        let short = &cells[1..];
        assert_eq!(
            message(&format!("www.example.org/{short}?turn=X")),
            format!("{short:?} in the link is no board: 63 squares, a board must have 64")
        );
        let page = "https://example.org/how-to-win-at-othello-by-good-books-or-the-box-below-of-wood-blocks-on-white";
        assert!(page.chars().filter(|&sign| is_square(sign)).count() >= 32);
        assert!(message(page).starts_with("no position in the link"), "{}", message(page));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[-01pPXO./%?&=# a-h1-8]{0,120}", any: String) {
            let _ = (Position::from_given(&text), Position::from_given(&any));
            let _ = Position::from_given(&format!("https://{text}"));
            let _ = Position::from_given(&format!("a://{any}"));
        }
    }
}
