//! The quick reader on diagrams, and held against lambda search on positions of random games.

use ishi_go::{Board, BoardSize, Color, Move, Point};
use ishi_reading::{ChainReader, QuickReader, ReadingEffort, ReadingOutcome};
use ishi_rng::Seed;

use crate::diagrams;

/// The outcome if the opponent moves first, and if the owner does; the moves are the marks `a` and `d`, where there are any.
fn judged(text: &'static str, prey: &'static str, attack: ReadingOutcome, defence: ReadingOutcome) {
    let mut reader = QuickReader::default();
    diagrams::judged((text, prey, attack, defence), |board, prey| {
        [reader.attack(board, prey), reader.defend(board, prey)]
    });
}

#[test]
fn what_every_reader_reads() {
    for (text, prey, attack, defence) in diagrams::COMMON {
        judged(text, prey, attack, defence);
    }
}

#[test]
fn a_ladder_runs_to_the_edge() {
    judged(
        "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . O . . . . . .
        . . O X . . . . .
        . . . O O . . . .
        . . . . . . . . .
        . . . . . . . . .
    ",
        "D4",
        ReadingOutcome::Works,
        ReadingOutcome::Works,
    );
}

#[test]
fn nets_hold_what_ladders_do_not() {
    judged(
        "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . X . . .
        . . O . . . . . .
        . . O X . . . . .
        . . . O O . . . .
        . . . . . . . . .
        . . . . . . . . .
    ",
        "D4",
        ReadingOutcome::Works,
        ReadingOutcome::Works,
    );
}

/// What the quick search for a defence cannot settle in time, a net does.
#[test]
fn a_net_refutes_what_holds_until_the_moves_run_out() {
    judged(
        "
        . . . . . . . . X
        . . . . . . . . X
        . . . . . . . . .
        . . . . . . . X O
        . . . . . . . X .
        . . . . . X X O O
        . . . . . . O X X
        . . . . . . . X .
        . . . . . . . . X
    ",
        "G3",
        ReadingOutcome::Works,
        ReadingOutcome::Fails,
    );
}

#[test]
fn the_edge_holds_too() {
    judged(
        "
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . O O . . .
        . O X X O . .
        . . . . . . .
    ",
        "C2",
        ReadingOutcome::Works,
        ReadingOutcome::Fails,
    );
}

#[test]
fn a_capture_into_a_snapback_saves_nothing() {
    // The stone at C2 may be taken; what takes it has one eye.
    judged(
        "
        . . . . . . .
        O O O O O . .
        O X X X O . .
        O X O X O . .
        O X . . O . .
    ",
        "B2",
        ReadingOutcome::Works,
        ReadingOutcome::Fails,
    );
}

/// Out of a game. The chain falls. Where its owner has threats the search for that runs out of moves, which once made it a ko.
#[test]
fn a_search_that_runs_out_of_moves_shows_no_ko() {
    judged(
        "
        . . . O . O . . .
        . . O . O X X O .
        X X O X O O X . .
        . X X . X O X O .
        O X O X X X O O .
        . . . . . . . . .
        . . . . . . X . .
        . X . . . O . X .
        . . . . . . X O .
    ",
        "G6",
        ReadingOutcome::Works,
        ReadingOutcome::Fails,
    );
}

/// What is saved is saved by a move, a ko too, but where any move would only take a liberty.
#[test]
fn a_defence_has_a_move() {
    let mut asked = 0;
    for board in diagrams::positions(Seed::new(12).stream("quick", 0), 12, 34) {
        for chain in board.chains().collect::<Vec<_>>() {
            let (prey, liberties) = (chain.head(), board.chain_liberties(chain).len());
            let answer = QuickReader::default().defend(&board, prey);
            let owner = board.color(prey).unwrap();
            match (answer.outcome, answer.mv) {
                (ReadingOutcome::Fails, mv) => assert_eq!(mv, None),
                (_, Some(mv)) => assert!(board.is_legal(owner, mv), "{prey} by {mv} in\n{board}"),
                (ReadingOutcome::Works, None) => {
                    let after = |mv: Point| {
                        let mut after = board.clone();
                        after.play_unchecked(owner, Move::Play(mv));
                        after.chain_liberties(after.chain(prey).unwrap()).len()
                    };
                    let mut moves = board.chain_liberties(chain).into_iter();
                    assert!(moves.all(|mv| !board.is_legal(owner, mv) || after(mv) < liberties));
                }
                (outcome, None) => {
                    let mut moves = board.chain_liberties(chain).into_iter();
                    assert!(!moves.any(|mv| board.is_legal(owner, mv)), "{outcome:?}: {prey} in\n{board}");
                }
            }
            asked += 1;
        }
    }
    assert!(asked > 100, "only {asked} questions");
}

#[test]
fn there_is_nothing_to_read_without_a_stone() {
    let mut board = Board::new(BoardSize::square(9).unwrap());
    let mut reader = QuickReader::default();
    assert_eq!(reader.attack(&board, Point::new(4, 4)).outcome, ReadingOutcome::Fails);
    board.play_unchecked(Color::Black, Move::Play(Point::new(4, 4)));
    assert_eq!(
        reader.attack(&board, Point::new(4, 4)).outcome,
        ReadingOutcome::Fails,
        "a lone stone escapes"
    );
    assert_eq!(reader.defend(&board, Point::new(4, 4)).outcome, ReadingOutcome::Works);
}

/// Every chain of random positions, asked from both sides: what the quick reader says, and lambda search with more effort than
/// usual.
#[test]
fn it_mostly_says_what_proofs_say() {
    let (mut quick, mut careful) =
        (QuickReader::default(), ChainReader::new(ReadingEffort { nodes: [6000; 3] }));
    let (mut asked, mut differ) = (0, 0);
    for board in diagrams::positions(Seed::new(11).stream("quick", 0), 12, 34) {
        for chain in board.chains().collect::<Vec<_>>() {
            let prey = chain.head();
            asked += 2;
            differ += u32::from(quick.attack(&board, prey).outcome != careful.attack(&board, prey).outcome);
            differ += u32::from(quick.defend(&board, prey).outcome != careful.defend(&board, prey).outcome);
        }
    }
    assert!(asked > 200, "only {asked} questions");
    assert!(differ * 100 <= asked * 12, "{differ} of {asked} answers differ");
}

/// Answers do not depend on what was asked before.
#[test]
fn earlier_questions_change_nothing() {
    let mut reader = QuickReader::default();
    for board in diagrams::positions(Seed::new(11).stream("quick", 0), 10, 40) {
        for chain in board.chains().collect::<Vec<_>>() {
            let prey = chain.head();
            let again = reader.attack(&board, prey);
            assert_eq!(again, QuickReader::default().attack(&board, prey), "{prey} in\n{board}");
        }
    }
}
