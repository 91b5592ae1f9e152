//! The repetition rules on known cycles, and the words in which a position refuses a move.

use ishi_go::{Color, Diagram, KoRule, Move, Position, Rules};

const KO_RULES: [KoRule; 3] = [KoRule::Simple, KoRule::Positional, KoRule::Situational];

/// Plays moves such as `b:A1 w:pass` and gives the last answer; the others must be legal.
fn play(position: &mut Position, moves: &str) -> Result<usize, String> {
    let mut answer = Ok(0);
    for text in moves.split_whitespace() {
        assert!(answer.is_ok(), "{answer:?} before {text}");
        let (color, vertex) = text.split_once(':').unwrap();
        let mv = position.size().parse_move(vertex).unwrap();
        answer = position.play(color.parse().unwrap(), mv).map_err(|illegal| illegal.to_string());
    }
    answer
}

fn position(diagram: &str, rules: Rules) -> Position {
    diagram.parse::<Diagram>().unwrap().to_position(rules, Color::Black).unwrap()
}

/// White adds a stone at A1, Black takes both at C1, White takes that one back at B1: the stones are as before, but
/// Black is to move.
const SENDING_TWO: &str = ". X O .\nX X O .\n. O . O";

/// What the cycle's last move is answered with, under each ko rule.
fn answers(start: &str, moves: &str) -> [Result<usize, String>; 3] {
    let first = moves[..1].parse().unwrap();
    KO_RULES.map(|ko| {
        let mut game = position(start, Rules { ko, ..Rules::CHINESE });
        game.set_to_move(first);
        play(&mut game, moves)
    })
}

#[test]
fn a_simple_ko_is_forbidden_by_all_rules() {
    let ko = ". X O .\nX . X O\n. X O .\n. . . .";
    let refused = Err("illegal move black C3: ko: the stone may not be retaken at once".to_string());
    assert_eq!(answers(ko, "w:B3 b:C3"), [refused.clone(), refused.clone(), refused]);
    // After an exchange elsewhere it may be taken.
    assert_eq!(answers(ko, "w:B3 b:A1 w:D1 b:C3"), [Ok(1), Ok(1), Ok(1)]);
    // Filling one's own ko is no retaking.
    assert_eq!(answers(ko, "w:B3 w:C3"), [Ok(0), Ok(0), Ok(0)]);
}

/// Sending two, returning one repeats the stones, with the other player to move.
#[test]
fn sending_two_returning_one_is_a_repetition_of_the_position() {
    let words =
        "illegal move white B1: positional superko: it would repeat the starting position".to_string();
    assert_eq!(answers(SENDING_TWO, "w:A1 b:C1 w:B1"), [Ok(1), Err(words), Ok(1)]);
}

/// With a pass it comes back to the same player, and the second round is refused at its first move.
#[test]
fn sending_two_returning_one_twice_repeats_the_situation() {
    let round = "w:A1 b:C1 w:B1 b:pass";
    let mut game = position(SENDING_TWO, Rules { ko: KoRule::Situational, ..Rules::CHINESE });
    game.set_to_move(Color::White);
    let adding = play(&mut game, &format!("{round} w:A1"));
    let words =
        "illegal move white A1: situational superko: it would repeat the position after move 1".to_string();
    assert_eq!(adding, Err(words));
}

#[test]
fn passes_change_the_situation_but_not_the_position() {
    let ko = ". X O .\nX . X O\n. X O .\n. . . .";
    let retake = "w:B3 b:pass w:pass b:C3";
    let words =
        "illegal move black C3: positional superko: it would repeat the starting position".to_string();
    // Before White's capture it was White's turn if White had moved first in the setup, Black's here.
    let mut white_first = position(ko, Rules::NEW_ZEALAND);
    white_first.set_to_move(Color::White);
    let refused =
        "illegal move black C3: situational superko: it would repeat the starting position".to_string();
    assert_eq!(play(&mut white_first, retake), Err(refused));
    let mut black_first = position(ko, Rules::NEW_ZEALAND);
    assert_eq!(play(&mut black_first, retake), Ok(1));
    assert_eq!(play(&mut position(ko, Rules::TROMP_TAYLOR), retake), Err(words));
    assert_eq!(play(&mut position(ko, Rules::JAPANESE), retake), Ok(1));
}

#[test]
fn suicide_is_what_the_rules_say() {
    let corner = ". X .\nX X O\n. O .";
    let one = "illegal move black A1: positional superko: it would repeat the starting position".to_string();
    let suicide = |rules, moves| play(&mut position(corner, rules), moves);
    let eye = ". O .\nO O .\n. . .";
    let alone = |rules| play(&mut position(eye, rules), "b:A3");
    assert_eq!(suicide(Rules::CHINESE, "b:A1"), Ok(0));
    assert_eq!(
        alone(Rules::JAPANESE),
        Err("illegal move black A3: suicide: its chain would have no liberty".into())
    );
    assert_eq!(alone(Rules::TROMP_TAYLOR), Err(one.replace("A1", "A3")));
    assert_eq!(alone(Rules::NEW_ZEALAND), Ok(1));
    let mut two = position("X . O .\nO O . .\n. . . .", Rules::TROMP_TAYLOR);
    assert_eq!(play(&mut two, "b:B3"), Ok(2));
    assert_eq!((two.prisoners(Color::White), two.prisoners(Color::Black)), (2, 0));
    assert_eq!(two.board().stone_count(Color::Black), 0);
    two.undo();
    assert_eq!((two.prisoners(Color::White), two.board().stone_count(Color::Black)), (0, 1));
}

#[test]
fn refusals_name_the_stone_and_the_board() {
    let mut game = position(". X .\n. . .\n. . .", Rules::CHINESE);
    assert_eq!(play(&mut game, "w:B3"), Err("illegal move white B3: a black stone stands there".to_string()));
    let outside = game.play(Color::White, Move::Play(ishi_go::Point::new(18, 18))).unwrap_err();
    assert_eq!(outside.to_string(), "illegal move white T19: this 3x3 board has no such point");
    assert_eq!(game.moves(), []);
    assert_eq!(game.undo(), None);
}
