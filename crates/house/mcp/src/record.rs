//! Games of Go that a model sends: a record as it is, or a list of moves, from which a record is written.

use std::fmt::Write as _;

use ishi_go::{BoardSize, Rules};
use ishi_sgf::move_text;

use crate::arguments::{ArgumentError, ToolArguments};

/// Rules of Go that records may name.
pub(crate) fn rule_names() -> [&'static str; Rules::NAMED.len()] {
    Rules::NAMED.map(|(name, _)| name)
}

/// The game of a call as SGF: the record that was sent, or one written from its moves.
pub(crate) fn record_of_game(arguments: &ToolArguments) -> Result<String, ArgumentError> {
    let moves = arguments.texts("moves")?;
    match arguments.text("record")? {
        Some(_) if !moves.is_empty() => {
            Err(ArgumentError::new("moves", "left out where there is a record", "given"))
        }
        Some(record) => Ok(record.to_string()),
        None => record_of_moves(arguments, &moves),
    }
}

fn record_of_moves(arguments: &ToolArguments, moves: &[&str]) -> Result<String, ArgumentError> {
    if moves.is_empty() {
        return Err(ArgumentError::new("record", "a game as SGF, or moves a list of moves", "left out"));
    }
    let lines = arguments.whole_number("size", 2, 25)?.unwrap_or(19);
    let size = BoardSize::square(lines as usize).expect("ishi has boards of 2 to 25 lines");
    let komi = arguments.number("komi", -500.0, 500.0)?;
    let rules = arguments.word("rules", &rule_names())?.unwrap_or("chinese");
    let mut text = format!("(;GM[1]FF[4]SZ[{lines}]RU[{rules}]");
    if let Some(komi) = komi {
        let _ = write!(text, "KM[{komi}]");
    }
    let mut color = 'B';
    for mv in moves {
        let (named, vertex) = color_and_vertex(mv);
        color = named.unwrap_or(color);
        let must = || format!("moves on {lines}x{lines} such as D4, pass or W:D4");
        let played = size.parse_move(vertex.trim()).map_err(|_| ArgumentError::new("moves", must(), mv))?;
        let _ = write!(text, ";{color}[{}]", move_text(size, played));
        color = if color == 'B' { 'W' } else { 'B' };
    }
    Ok(text + ")")
}

/// The colour that a move names, if it does, and where it goes.
fn color_and_vertex(mv: &str) -> (Option<char>, &str) {
    match mv.split_once(':') {
        Some(("B" | "b", vertex)) => (Some('B'), vertex),
        Some(("W" | "w", vertex)) => (Some('W'), vertex),
        _ => (None, mv),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const GAME_ARGUMENTS: [&str; 5] = ["record", "moves", "size", "komi", "rules"];

    fn record(value: Value) -> Result<String, String> {
        let arguments = ToolArguments::new(value.as_object().unwrap().clone(), &GAME_ARGUMENTS).unwrap();
        record_of_game(&arguments).map_err(|error| error.to_string())
    }

    #[test]
    fn moves_become_a_record() {
        let text = record(json!({"moves": ["D4", "q16", "pass", "B:J1"], "komi": 6.5}));
        assert_eq!(text.unwrap(), "(;GM[1]FF[4]SZ[19]RU[chinese]KM[6.5];B[dp];W[pd];B[];B[is])");
        assert_eq!(
            record(json!({"moves": ["A1"], "size": 9})).unwrap(),
            "(;GM[1]FF[4]SZ[9]RU[chinese];B[ai])"
        );
    }

    #[test]
    fn a_record_stays_as_it_is() {
        assert_eq!(record(json!({"record": "(;B[aa])"})).unwrap(), "(;B[aa])");
        let both = record(json!({"record": "(;B[aa])", "moves": ["D4"]})).unwrap_err();
        assert_eq!(both, "moves must be left out where there is a record, not given");
    }

    #[test]
    fn moves_off_the_board_are_told() {
        for mv in ["I5", "K10", "D", "4D", "", "ä1", "D4x"] {
            let error = record(json!({"moves": [mv], "size": 9})).unwrap_err();
            assert!(error.starts_with("moves must be moves on 9x9 such as D4"), "{mv}: {error}");
        }
        assert!(record(json!({})).unwrap_err().starts_with("record must be a game as SGF"));
    }
}
