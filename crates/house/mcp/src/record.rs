//! Games of Go that a model sends: a record as it is, or a list of moves, from which a record is written.

use std::fmt::Write as _;

use ishi_go::{BoardSize, Color, Position, Rules};
use ishi_sgf::{GoGame, move_text};

use crate::arguments::{ArgumentError, ToolArguments};

/// Komi is at most so many points for either side, as for the commands.
pub(crate) const MOST_KOMI: i32 = 400;

/// So many faults of a record are told.
const MOST_FAULTS: usize = 20;

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

/// What of a record is not as it should be, a line each: moves that break the rules, which are played all the same, and what was repaired. Nothing
/// of a text that is no record: the command says so.
pub(crate) fn find_faults(record: &str) -> Vec<String> {
    let Ok(reading) = ishi_sgf::read_collection(record.as_bytes()) else { return Vec::new() };
    let games = reading.collection.games.iter().filter_map(|tree| GoGame::read_main_line(tree).ok());
    let mut faults: Vec<String> = games.flat_map(|game| faults_of_game(&game)).collect();
    faults.extend(reading.warnings.iter().map(ToString::to_string));
    faults.truncate(MOST_FAULTS);
    faults
}

fn faults_of_game(game: &GoGame) -> Vec<String> {
    let illegal = game
        .replay_position(game.info.rules_or_chinese(), None)
        .map(|replayed| replayed.illegal)
        .unwrap_or_default();
    let broken = illegal.iter().map(|error| format!("{error}: it is played all the same"));
    broken.chain(game.warnings.iter().map(ToString::to_string)).collect()
}

/// The rules of a name of [`rule_names`].
fn find_rules(name: &str) -> Rules {
    Rules::NAMED.iter().find(|(known, _)| *known == name).map_or(Rules::CHINESE, |(_, rules)| *rules)
}

fn record_of_moves(arguments: &ToolArguments, moves: &[&str]) -> Result<String, ArgumentError> {
    if moves.is_empty() {
        return Err(ArgumentError::new("record", "a game as SGF, or moves a list of moves", "left out"));
    }
    let lines = arguments.whole_number("size", 2, 25)?.unwrap_or(19);
    let size = BoardSize::square(lines as usize).expect("ishi has boards of 2 to 25 lines");
    let komi = arguments.number("komi", f64::from(-MOST_KOMI), f64::from(MOST_KOMI))?;
    let rules = arguments.word("rules", &rule_names())?.unwrap_or("chinese");
    let mut text = format!("(;GM[1]FF[4]SZ[{lines}]RU[{rules}]");
    if let Some(komi) = komi {
        let _ = write!(text, "KM[{komi}]");
    }
    // Records may hold moves that break the rules. A model that makes one up must be told.
    let mut position = Position::new(size, find_rules(rules));
    for (number, mv) in (1..).zip(moves) {
        let (named, vertex) = color_and_vertex(mv);
        let color = named.unwrap_or(position.to_move());
        let must = || format!("moves on {lines}x{lines} such as D4, pass or W:D4");
        let played = size.parse_move(vertex.trim()).map_err(|_| ArgumentError::new("moves", must(), mv))?;
        position.play(color, played).map_err(|error| {
            let found = format!("move {number}, {color} {played}: {}", error.rule);
            ArgumentError::new("moves", "legal moves", &found)
        })?;
        let letter = if color == Color::Black { 'B' } else { 'W' };
        let _ = write!(text, ";{letter}[{}]", move_text(size, played));
    }
    Ok(text + ")")
}

/// The colour that a move names, if it does, and where it goes.
fn color_and_vertex(mv: &str) -> (Option<Color>, &str) {
    match mv.split_once(':') {
        Some(("B" | "b", vertex)) => (Some(Color::Black), vertex),
        Some(("W" | "w", vertex)) => (Some(Color::White), vertex),
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
    fn komi_is_what_commands_take() {
        let komi_of = |komi: f64| record(json!({"moves": ["D4"], "komi": komi}));
        assert!(komi_of(-400.0).unwrap().contains("KM[-400]"));
        assert_eq!(komi_of(400.5).unwrap_err(), "komi must be a number from -400 to 400, not 400.5");
    }

    #[test]
    fn a_record_stays_as_it_is() {
        assert_eq!(record(json!({"record": "(;B[aa])"})).unwrap(), "(;B[aa])");
        let both = record(json!({"record": "(;B[aa])", "moves": ["D4"]})).unwrap_err();
        assert_eq!(both, "moves must be left out where there is a record, not given");
    }

    #[test]
    fn moves_that_break_the_rules_are_told() {
        let twice = record(json!({"moves": ["E5", "E5"], "size": 9})).unwrap_err();
        assert_eq!(twice, "moves must be legal moves, not move 2, white E5: a black stone stands there");
        let suicide = ["A2", "A1", "B2", "pass", "C1", "B1"];
        let refused = record(json!({"moves": suicide, "size": 9})).unwrap_err();
        assert!(refused.contains("move 6, white B1: suicide"), "{refused}");
        assert!(record(json!({"moves": suicide, "size": 9, "rules": "new-zealand"})).is_ok());
    }

    #[test]
    fn faults_of_a_record_are_told() {
        assert!(find_faults("(;SZ[9];B[ee];W[cc])").is_empty());
        assert!(find_faults("no game").is_empty());
        let faults = find_faults("(;SZ[9];B[ee];W[ee];B[zz]");
        assert!(
            faults[0].starts_with("move 2, white E5") && faults[0].ends_with("all the same"),
            "{faults:?}"
        );
        assert!(faults.iter().any(|fault| fault.contains("found [zz]")), "{faults:?}");
        assert_eq!(find_faults(&"(;SZ[9];B[zz])".repeat(50)).len(), MOST_FAULTS);
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
