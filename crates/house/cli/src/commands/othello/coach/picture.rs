//! Boards as text.

use ishi_othello::{Color, Position};

use super::Language;

/// The board with its coordinates: X black, O white, and a dot where the side to move may play.
pub(crate) fn board_picture(position: &Position) -> String {
    position.to_rows(|square| if position.board().is_legal(square) { '.' } else { '-' })
}

/// The discs of either side: `X 2, O 2`, with the comma of the language.
pub(crate) fn format_disc_counts(position: &Position, language: Language) -> String {
    let count = |color| position.discs(color).count_ones();
    let comma = language.choose(", ", "、");
    format!("X {}{comma}O {}", count(Color::Black), count(Color::White))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start() {
        let start = Position::start();
        let picture = board_picture(&start);
        let rows: Vec<&str> = picture.lines().collect();
        assert_eq!(rows[0], "  a b c d e f g h");
        assert_eq!(rows[3], "3 - - - . - - - -");
        assert_eq!(rows[4], "4 - - . O X - - -");
        assert_eq!(rows[5], "5 - - - X O . - -");
        assert_eq!(format_disc_counts(&start, Language::English), "X 2, O 2");
        assert_eq!(format_disc_counts(&start, Language::Japanese), "X 2、O 2");
    }
}
