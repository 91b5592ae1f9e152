//! Records of Othello.

#![allow(missing_docs)]

use ishi_othello::{Board, Color, Position};
use ishi_sgf::{Collection, OthelloError, OthelloGame, WarningKind};
use proptest::prelude::*;

fn read(text: &str) -> Result<OthelloGame, OthelloError> {
    OthelloGame::read_main_line(&ishi_sgf::read_collection(text.as_bytes()).unwrap().collection.games[0])
}

fn transcript(text: &str) -> String {
    read(text).unwrap().replay_moves(None).unwrap().to_transcript()
}

#[test]
fn squares_and_letters() {
    assert_eq!(transcript("(;GM[2];B[f5];W[d6])"), "f5d6");
    assert_eq!(transcript("(;GM[2]SZ[8]B[F5];W[D6];)"), "f5d6");
    assert_eq!(transcript("(;GM[2];B[fe];W[df])"), "f5d6");
}

#[test]
fn a_board_that_is_set_up() {
    // As Edax writes it: the usual start, set up, and the first move in the root.
    let game = read("(;GM[2]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]B[f5];W[f4];)").unwrap();
    assert_eq!(game.start, Position::start());
    assert_eq!(game.replay_moves(Some(1)).unwrap().to_transcript(), "f5");
    let game = read("(;GM[2]AB[a1:c1]AW[aa]PL[W])").unwrap();
    assert_eq!(game.start, Position::from_board(Board { player: 1, opponent: 6 }, Color::White));
    let error = read("(;GM[2];B[f5];AB[a1])").unwrap_err();
    assert!(error.to_string().starts_with("set-up after a move at line 1, column 15"), "{error}");
}

#[test]
fn what_is_wrong_is_said() {
    let message = |text: &str| read(text).unwrap_err().to_string();
    assert_eq!(message("(;GM[2]SZ[10])"), "no Othello board of size 10x10: a board must be 8x8");
    let game = read("(;GM[2];B[f5];W[q9];W[f5])").unwrap();
    assert_eq!(game.warnings.count_kind(WarningKind::BadPoint), 1);
    assert_eq!(game.warnings.len(), 1, "GM[2] is no fault here");
    assert_eq!(
        game.replay_moves(None).unwrap_err().to_string(),
        "move 2, white f5 at line 1, column 22 (byte 21): white may not play f5: the square is occupied"
    );
}

fn random_game(choices: &[u8]) -> Position {
    let mut game = Position::start();
    for &choice in choices {
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        game.play(moves[usize::from(choice) % moves.len()]).unwrap();
    }
    game
}

proptest! {
    #[test]
    fn games_survive_writing(choices in prop::collection::vec(any::<u8>(), 0..70), from: bool, name in "[a-z\\]\\\\:é]{1,9}") {
        let mut position = random_game(&choices);
        if from {
            position = Position::from_board(position.board(), position.to_move());
        }
        let mut game = OthelloGame::from_position(&position);
        game.info.black.name = Some(name.clone());
        let text = Collection::from_game(game.to_tree()).to_sgf();
        let again = read(&text).unwrap();
        prop_assert_eq!(again.info.black.name.as_deref(), Some(name.as_str()));
        prop_assert_eq!(again.replay_moves(None).unwrap(), position);
        prop_assert!(again.warnings.is_empty(), "{:?}", again.warnings);
    }

    #[test]
    fn no_text_makes_it_panic(text in "[ABWELPS;()\\[\\]a-h1-8:é]{0,60}") {
        if let Ok(reading) = ishi_sgf::read_collection(format!("(;GM[2]{text})").as_bytes()) {
            for tree in &reading.collection.games {
                let _ = OthelloGame::read_main_line(tree).map(|game| drop(game.replay_moves(None)));
            }
        }
    }
}
