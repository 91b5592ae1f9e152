//! Boards as text.

use std::fmt::Write;

use ishi_othello::{Color, Position, Square};

use super::Language;

/// The board with its coordinates: X black, O white, and a dot where the side to move may play.
pub(crate) fn board_picture(position: &Position) -> String {
    let mut picture = String::from("  a b c d e f g h\n");
    for row in 0..8 {
        let cells: Vec<&str> = (0..8)
            .filter_map(|column| Square::from_column_row(column, row))
            .map(|square| cell_symbol(position, square))
            .collect();
        let _ = writeln!(picture, "{} {}", row + 1, cells.join(" ").trim_end());
    }
    picture
}

fn cell_symbol(position: &Position, square: Square) -> &'static str {
    let stands = |color: Color| position.discs(color) & square.bit() != 0;
    match (stands(Color::Black), stands(Color::White)) {
        (true, _) => "X",
        (_, true) => "O",
        _ if position.board().is_legal(square) => ".",
        _ => "-",
    }
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
