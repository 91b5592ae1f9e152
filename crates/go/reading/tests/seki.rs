//! Sekis drawn by hand, and what only looks like one.

use ishi_go::{Board, Color, Diagram, Move, Symmetry};
use ishi_reading::{LifeReader, PointSet, RaceReader, ReadingOutcome};

/// Black has an eye at A2, White at E1, and they share C1.
const WITH_EYES: &str = "
    . . . . . . . . . .
    O O O O O O O O O .
    X X X X X X X X O .
    . X X O O O X X O .
    X X . O . O X X O .
";

/// Nobody has an eye. White's four stones share B1 and G1 with Black's. Who takes four or five stones in a row has room for two eyes.
const WITHOUT_EYES: &str = "
    . . . . . . . . . .
    . . . . . . . . . .
    O O O O O O O O O .
    X X X X X X X X O .
    X . O O O O . X O .
";

/// Two stones: White plays on B1, and Black takes three stones, in the place of which White plays again.
const BLACK_IS_DEAD: &str = "
    . . . . . . . .
    . . . . . . . .
    O O O O O O O .
    X X X X X X O .
    X . O O . X O .
";

/// Black has an eye at the right, so he fills B1 and G1 at leisure.
const BLACK_LIVES: &str = "
    . . . . . . . . . . . .
    . . . . . . . . . . . .
    O O O O O O O O O O O .
    X X X X X X X X X X O .
    X . O O O O . X . X O .
";

/// White has an eye at E1, and Black has none: White takes all on C1.
const ONE_EYE_AGAINST_NONE: &str = "
    . . . . . . . . . .
    O O O O O O O O O .
    X X X X X X X X O .
    X X X O O O X X O .
    X X . O . O X X O .
";

/// White's six stones have a straight four, and so have Black's beside them. They share no liberty.
const BOTH_LIVE: &str = "
    . . . . . . . . . . . . .
    O O O O O O O O O O O O .
    X X X X X X X X X X X O .
    O O O O O X . . . . X O .
    . . . . O X X X X X X O .
";

fn parse_board(text: &str) -> Board {
    text.parse::<Diagram>().unwrap().to_board().unwrap()
}

/// The stones of all sekis, whichever chain is asked about.
fn find_sekis(board: &Board, doubtful: &PointSet) -> PointSet {
    let mut reader = RaceReader::default();
    let found = board.chains().filter_map(|chain| reader.read_seki(board, chain.head(), doubtful));
    found.fold(PointSet::EMPTY, |all, seki| all.union(&seki))
}

#[test]
fn sekis_are_found_however_the_board_is_turned() {
    for (text, stones) in [(WITH_EYES, 21), (WITHOUT_EYES, 14)] {
        let board = parse_board(text);
        for symmetry in Symmetry::for_size(board.size()) {
            let turned = symmetry.map_board(&board);
            assert_eq!(find_sekis(&turned, &PointSet::EMPTY).len(), stones, "{turned}");
        }
    }
}

#[test]
fn what_only_looks_like_a_seki_is_none() {
    for text in [BLACK_IS_DEAD, BLACK_LIVES, ONE_EYE_AGAINST_NONE, BOTH_LIVE] {
        let board = parse_board(text);
        assert!(find_sekis(&board, &PointSet::EMPTY).is_empty(), "{board}");
    }
}

/// Another reader tries all moves of the closed group of Black's: White cannot take it, and does once Black has filled a shared liberty.
#[test]
fn reading_life_and_death_agrees() {
    let mut reader = LifeReader::default();
    let mut read = |board: &Board| {
        let stone = board.size().parse_point("A1").unwrap();
        reader.read_death(board, stone).map(|answer| answer.outcome)
    };
    for (text, shared) in [(WITH_EYES, &["C1"][..]), (WITHOUT_EYES, &["B1", "G1"])] {
        let board = parse_board(text);
        assert_eq!(read(&board), Some(ReadingOutcome::Fails), "{board}");
        for liberty in shared {
            let mut filled = board.clone();
            let liberty = board.size().parse_point(liberty).unwrap();
            filled.play_unchecked(Color::Black, Move::Play(liberty));
            assert_eq!(read(&filled), Some(ReadingOutcome::Works), "{filled}");
        }
    }
    assert_eq!(read(&parse_board(BLACK_IS_DEAD)), Some(ReadingOutcome::Works));
    assert_eq!(read(&parse_board(ONE_EYE_AGAINST_NONE)), Some(ReadingOutcome::Works));
    assert_eq!(read(&parse_board(BLACK_LIVES)), Some(ReadingOutcome::Fails));
}

/// If the wall around may be dead, it is not known who lives.
#[test]
fn doubtful_walls_prove_nothing() {
    let board = parse_board(WITHOUT_EYES);
    let wall = PointSet::from_point(board.size().parse_point("A3").unwrap());
    assert!(find_sekis(&board, &wall).is_empty());
}

/// A closed group stands for sure in a seki, and where it lives, but not where it dies.
#[test]
fn groups_that_stand_for_sure_are_told_from_others() {
    let mut reader = LifeReader::default();
    for (text, stone, stands) in [
        (WITH_EYES, "A1", true),
        (WITHOUT_EYES, "A1", true),
        (BLACK_LIVES, "A1", true),
        (BOTH_LIVE, "A2", true),
        (BLACK_IS_DEAD, "A1", false),
        (ONE_EYE_AGAINST_NONE, "A1", false),
    ] {
        let board = parse_board(text);
        let stone = board.size().parse_point(stone).unwrap();
        assert_eq!(reader.surely_stands(&board, stone), stands, "{board}");
    }
}
