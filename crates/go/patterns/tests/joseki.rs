//! Joseki: corners and their aspects, the graph, learning, and both forms.

use ishi_go::{Board, BoardSize, Color, Move, Point};
use ishi_patterns::joseki::book::{AddError, Joseki, Kind, Stats};
use ishi_patterns::joseki::corner::{
    Aspect, Corner, CornerBoard, CornerMove, CornerPoint, board_point, places,
};
use ishi_patterns::joseki::learn::{LearnParams, coverage, learn};
use ishi_patterns::joseki::{packed, text};
use ishi_patterns::library::Words;
use ishi_patterns::records::{Record, parse};
use ishi_rng::Seed;

fn mv(text: &str) -> CornerMove {
    let (color, point) = text.split_at(1);
    CornerMove { color: color.parse().unwrap(), point: CornerPoint::parse(point).unwrap() }
}

fn after(moves: &[&str]) -> CornerBoard {
    let mut board = CornerBoard::default();
    for text in moves {
        assert!(board.play(mv(text)), "{text}");
    }
    board
}

fn stats(count: u32) -> Stats {
    Stats { count, score: count, year: 2016 }
}

/// A book of lines, each from the empty corner; what is known is passed over.
fn book(lines: &[&[&str]]) -> Joseki {
    let mut joseki = Joseki::default();
    for line in lines {
        let mut board = CornerBoard::default();
        for (n, text) in line.iter().enumerate() {
            match joseki.add(&mut board, mv(text), Kind::Normal, stats(100 - 10 * n as u32)) {
                Ok(()) => {}
                Err(AddError::Known) => assert!(board.play(mv(text))),
                Err(error) => panic!("{text}: {error}"),
            }
        }
    }
    joseki
}

#[test]
fn corners_mirrors_and_colours_are_one() {
    let key = after(&["BD4", "WC6"]).corner().key();
    assert_eq!(after(&["BD4", "WF3"]).corner().key(), key, "mirrored");
    assert_eq!(after(&["WD4", "BC6"]).corner().key(), key, "colours exchanged");
    assert_eq!(after(&["WD4", "BF3"]).corner().key(), key);
    assert_ne!(after(&["BD4", "BC6"]).corner().key(), key);
    assert!(after(&["BD4"]).corner().is_symmetric() && !after(&["BD4", "WC6"]).corner().is_symmetric());
    // Moves that are the same by symmetry are one standard move, and look right in every aspect.
    let (plain, exchanged) = (after(&["BD4"]), after(&["WD4"]));
    let standard = plain.corner().standard_move(mv("WC6"));
    assert_eq!(plain.corner().standard_move(mv("WF3")), standard);
    assert_eq!(exchanged.corner().standard_move(mv("BF3")), standard);
    let here: Vec<CornerMove> = exchanged.corner().moves_here(standard).collect();
    assert!(here.contains(&mv("BF3")) && here.contains(&mv("BC6")) && here.len() == 2);
    for aspect in Aspect::ALL {
        assert_eq!(aspect.of(aspect.of(mv("WF3"))), mv("WF3"));
    }
}

#[test]
fn points_of_the_board_lie_in_their_corners() {
    let size = BoardSize::square(19).unwrap();
    for point in size.points() {
        for (corner, place) in places(size, point).into_iter().enumerate() {
            if let Some(place) = place {
                assert_eq!(board_point(size, corner, place), point);
            }
        }
    }
    let corners = |text: &str| places(size, size.parse_point(text).unwrap()).iter().flatten().count();
    assert_eq!([corners("D4"), corners("K4"), corners("K10"), corners("Q16")], [1, 2, 4, 1]);
    assert_eq!(places(size, size.parse_point("R16").unwrap())[3], CornerPoint::parse("C4"));
    assert_eq!(CornerPoint::parse("K10").map(CornerPoint::index), Some(99));
    assert_eq!(CornerPoint::parse("L1"), None);
}

/// The hash follows captures, and a ko may be retaken at once.
#[test]
fn a_corner_by_itself_captures() {
    let mut board = after(&["BA1", "WB1", "WA2"]);
    assert_eq!(board.corner().key(), after(&["WB1", "WA2"]).corner().key());
    assert!(!board.play(mv("BA1")), "suicide");
    let mut twin = Corner::default();
    twin.toggle(mv("WB1"));
    twin.toggle(mv("WA2"));
    assert_eq!(twin, *board.corner());
}

#[test]
fn transpositions_meet() {
    let joseki = book(&[&["BD4", "WC6", "BF3", "WC3"], &["BD4", "WC3", "BF3", "WC6"], &["BC4", "WE3"]]);
    let end = after(&["BD4", "WC6", "BF3", "WC3"]);
    assert_eq!(after(&["BD4", "WC3", "BF3", "WC6"]).corner().key(), end.corner().key());
    let place = joseki.nodes().iter().position(|node| node.key == end.corner().key()).unwrap();
    assert_eq!(joseki.parents(place).len(), 2);
    assert_eq!(joseki.moves(), 9);
    let first: Vec<CornerMove> = joseki.branches(CornerBoard::default().corner()).map(|(mv, _)| mv).collect();
    assert_eq!(first.len(), 2);
    assert!(joseki.branch(after(&["WD4"]).corner(), mv("BF3")).is_some(), "colours exchanged and mirrored");
}

#[test]
fn moves_that_cannot_be_added_change_nothing() {
    let mut joseki = book(&[&["BD4", "WC6"]]);
    let before = joseki.clone();
    let mut board = after(&["BD4"]);
    let mut add = |board: &mut CornerBoard, text: &str| joseki.add(board, mv(text), Kind::Bad, stats(1));
    assert_eq!(add(&mut board, "WF3"), Err(AddError::Known), "the mirror image of C6");
    assert_eq!(add(&mut board, "WD4"), Err(AddError::Illegal));
    assert_eq!(joseki, before);
    assert_eq!(board.corner().key(), after(&["BD4"]).corner().key());
    // Taking and retaking a ko leads back.
    let ko = ["BC4", "BD5", "BD3", "WF4", "WE5", "WE3", "WD4", "BE4"];
    let mut joseki = book(&[&ko[..]]);
    let mut board = after(&ko);
    assert!(board.is_empty(CornerPoint::parse("D4").unwrap()), "taken");
    assert_eq!(joseki.add(&mut board, mv("WD4"), Kind::Normal, stats(1)), Err(AddError::Cycle));
}

#[test]
fn text_goes_there_and_back() {
    let joseki =
        book(&[&["BD4", "WC6", "BF3", "WC3"], &["BD4", "WC3", "BF3", "WC6"], &["BC4", "WE3", "BD6"]]);
    let written = text::write(&joseki);
    assert!(written.starts_with("ishi-joseki 1\nB "), "{written}");
    assert_eq!(written.matches(" =\n").count(), 0, "the position where they meet ends the lines");
    let read = text::parse(&written).unwrap();
    assert_eq!(read, joseki.in_order());
    assert_eq!(text::write(&read), written);
    let edited = written.replace("normal", "trick") + "# a remark\n\n";
    assert!(
        text::parse(&edited).unwrap().nodes().iter().flat_map(|n| &n.branches).all(|b| b.kind == Kind::Trick)
    );
}

#[test]
fn wrong_text_is_refused_with_its_line() {
    let refused = |text: &str, line: usize, part: &str| {
        let error = text::parse(text).unwrap_err();
        assert_eq!(error.line, line, "{error}");
        assert!(error.problem.contains(part), "{error}");
    };
    refused("", 1, "ishi-joseki 1");
    refused("joseki\n", 1, "ishi-joseki 1");
    let head = "ishi-joseki 1\n";
    refused(&format!("{head}B D4 7\n"), 2, "6 would be right");
    refused(&format!("{head}G D4 7 7 2016 normal\n"), 2, "no colour");
    refused(&format!("{head}B L4 7 7 2016 normal\n"), 2, "A1 to K10");
    refused(&format!("{head}B D4 x 7 2016 normal\n"), 2, "count");
    refused(&format!("{head}B D4 7 15 2016 normal\n"), 2, "14 at most");
    refused(&format!("{head}B D4 7 7 soon normal\n"), 2, "year");
    refused(&format!("{head}B D4 7 7 2016 good\n"), 2, "normal, urgent");
    refused(&format!("{head}  B D4 7 7 2016 normal\n"), 2, "spaces");
    refused(&format!("{head}B D4 7 7 2016 normal\n B D4 7 7 2016 normal\n"), 3, "illegal");
    refused(&format!("{head}B C4 7 7 2016 normal\nB D3 7 7 2016 normal\n"), 3, "there already");
}

/// A book of random lines.
fn random_book(seed: u64) -> Joseki {
    let mut rng = Seed::new(seed).stream("joseki", 0);
    let mut joseki = Joseki::default();
    for _ in 0..60 {
        let mut board = CornerBoard::default();
        for n in 0..12 {
            let point = CornerPoint::from_index(rng.below(100) as usize).unwrap();
            let color = if (n + rng.below(8) / 7).is_multiple_of(2) { Color::Black } else { Color::White };
            let count = 1 + rng.below(5000);
            let numbers = Stats { count, score: rng.below(2 * count + 1), year: 2000 + rng.below(20) as u16 };
            let kind = Kind::ALL[rng.below(6) as usize];
            match joseki.add(&mut board, CornerMove { color, point }, kind, numbers) {
                Ok(()) => {}
                Err(AddError::Known) => assert!(board.play(CornerMove { color, point })),
                Err(AddError::Illegal | AddError::Cycle) => break,
            }
        }
    }
    joseki
}

#[test]
fn packing_rounds_once_and_then_keeps_everything() {
    for seed in 0..8 {
        let joseki = random_book(seed);
        assert_eq!(text::parse(&text::write(&joseki)).unwrap(), joseki.in_order());
        let rounded = packed::rounded(&joseki);
        assert_eq!(packed::rounded(&rounded), rounded);
        let bytes = packed::pack(&joseki);
        let unpacked = packed::unpack(&bytes).unwrap();
        assert_eq!(unpacked, rounded);
        assert_eq!(packed::pack(&unpacked), bytes);
        for (node, exact) in unpacked.nodes().iter().zip(packed::rounded(&joseki).nodes()) {
            assert_eq!(node.key, exact.key);
        }
    }
}

#[test]
fn damaged_bytes_are_refused() {
    let bytes = packed::pack(&random_book(1));
    assert!(packed::is_packed(&bytes) && !packed::is_packed(b"ishi-joseki 1\n"));
    for at in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x20;
        assert!(packed::unpack(&damaged).is_err(), "byte {at}");
    }
    for length in [0, 5, 20, 23, 30, bytes.len() - 1] {
        assert!(packed::unpack(&bytes[..length]).is_err(), "{length} bytes");
    }
}

/// Games of a few moves in two corners: enough for every branch of the counting.
fn games() -> Vec<Record> {
    let line = |moves: &str, result: &str, year: &str| {
        format!("x\ty\t{year}\t19\t6.5\t0\t-\t{result}\t9d\t9d\tB\t{moves}\n")
    };
    // Q16, D4 with F3 or C6 answered at once, and once left alone.
    let text = line("pddpfqcn", "B+R", "2015").repeat(6)
        + &line("pddpfqcn", "W+R", "2017").repeat(2)
        + &line("pddpcnfq", "0", "2018")
        + &line("pddppppn", "W+2.5", "?");
    parse(&text).unwrap()
}

#[test]
fn counting_knows_symmetry_results_and_years() {
    let joseki = learn(&games(), LearnParams { min_count: 1, depth: 10 });
    let first = joseki.branch(CornerBoard::default().corner(), mv("BD4")).unwrap();
    // Both players' first moves are the same move, in two corners; once Black plays it in a third.
    assert_eq!(first.stats.count, 21);
    assert_eq!(first.stats.score, 2 * 9 + 2, "nine sides won, two had a game without a winner");
    assert_eq!(first.stats.year, 2018);
    let approach = joseki.branch(after(&["WD4"]).corner(), mv("BC6")).unwrap();
    assert_eq!((approach.stats.count, approach.stats.score), (9, 13));
    let answer = joseki.branch(after(&["WD4", "BC6"]).corner(), mv("WF3")).unwrap();
    assert_eq!(answer.stats.count, 9);
    let kept = learn(&games(), LearnParams { min_count: 9, depth: 10 });
    assert!(kept.moves() < joseki.moves() && kept.moves_played(9) == kept.moves());
    let shallow = learn(&games(), LearnParams { min_count: 1, depth: 1 });
    assert!(shallow.nodes().iter().skip(1).all(|node| node.branches.is_empty()));
}

#[test]
fn coverage_counts_what_is_known_and_right() {
    let joseki = learn(&games(), LearnParams { min_count: 9, depth: 10 });
    let found = coverage(&joseki, &games(), 60);
    assert_eq!(found.moves, 40);
    assert_eq!(found.known, 9 * 4 + 3, "all but the last move of the last game");
    assert!(found.right > 0 && found.right <= found.answers);
    assert_eq!(coverage(&joseki, &games(), 1).moves, 10);
}

/// What ships is sound, as large as docs/joseki.md says, and plays on a board.
#[test]
fn the_shipped_joseki_are_sound() {
    let joseki = Joseki::shipped();
    assert!(joseki.moves_played(10) >= 6_000 && joseki.moves() >= 25_000, "{}", joseki.moves());
    assert_eq!(packed::unpack(&packed::pack(&joseki)).unwrap(), joseki);
    let mut board = Board::new(BoardSize::square(19).unwrap());
    let mut corner = CornerBoard::default();
    let mut length = 0;
    // The main line of the most usual opening move.
    while let Some((mv, branch)) = joseki.branches(&corner.corner().clone()).next() {
        assert!(branch.stats.count > 0);
        let point: Point = mv.point.on_board();
        assert!(board.is_legal(mv.color, point), "{mv:?}");
        board.play_unchecked(mv.color, Move::Play(point));
        assert!(corner.play(mv));
        length += 1;
    }
    assert!(length > 5, "{length}");
}

#[test]
fn words_kinds_and_numbers_are_changed_and_come_back_from_the_text() {
    let mut joseki = book(&[&["BD4", "WC6", "BF3"], &["BD4", "WC3"]]);
    let (empty, star) = (after(&[]), after(&["WD4"]));
    let words = Words { en: "the approach".into(), ja: "カカリ".into() };
    // Mirrored and with the colours exchanged it is the same move.
    joseki.set_words(star.corner(), mv("BF3"), words.clone()).unwrap();
    let same = after(&["BD4"]);
    assert_eq!(joseki.words(same.corner(), mv("WC6")), Some(&words));
    assert_eq!(joseki.words(empty.corner(), mv("BD4")), None);
    let changed = Stats { count: 500, score: 600, year: 1999 };
    joseki.set(same.corner(), mv("WC3"), Kind::Trick, changed).unwrap();
    let (first, branch) = joseki.branches(same.corner()).next().unwrap();
    assert_eq!((first, branch.kind, branch.stats), (mv("WC3"), Kind::Trick, changed), "now the most played");
    let written = text::write(&joseki);
    assert!(written.contains(" normal\n  en the approach\n  ja カカリ\n"), "{written}");
    assert_eq!(text::parse(&written).unwrap(), joseki.in_order());

    let wrong = Stats { count: 1, score: 3, year: 0 };
    let error = joseki.set(same.corner(), mv("WC3"), Kind::Bad, wrong).unwrap_err().to_string();
    assert_eq!(error, "score 3: twice the wins of 1 games are 2 at most");
    let error = joseki.set_words(empty.corner(), mv("BK9"), words).unwrap_err().to_string();
    assert_eq!(error, "black K9 is not in the book here");
    let two_lines = Words { en: "a\nb".into(), ja: String::new() };
    assert!(joseki.set_words(same.corner(), mv("WC6"), two_lines).is_err());
    joseki.set_words(same.corner(), mv("WC6"), Words::default()).unwrap();
    assert!(!text::write(&joseki).contains(" en "));
}

#[test]
fn what_only_a_removed_move_leads_to_goes_with_it() {
    // Two orders lead to the same position, and on from there.
    let mut joseki = book(&[&["BD4", "WF3", "BC6", "WK3"], &["BD4", "BC6", "WF3"]]);
    let (nodes, moves) = (joseki.nodes().len(), joseki.moves());
    let words = Words { en: "extends".into(), ja: String::new() };
    joseki.set_words(after(&["BD4", "WF3", "BC6"]).corner(), mv("WK3"), words).unwrap();
    joseki.remove(after(&["BD4"]).corner(), mv("BC6")).unwrap();
    assert_eq!((joseki.nodes().len(), joseki.moves()), (nodes - 1, moves - 2), "the position itself stays");
    assert!(text::write(&joseki).contains("en extends"));
    joseki.remove(after(&["BD4"]).corner(), mv("WF3")).unwrap();
    assert_eq!(text::write(&joseki), "ishi-joseki 1\nB D4 100 100 2016 normal\n");
    assert!(joseki.remove(after(&["BD4"]).corner(), mv("WF3")).is_err());
}

#[test]
fn words_without_a_move_are_refused() {
    for (text, line) in [
        ("ishi-joseki 1\n en nothing\n", 2),
        ("ishi-joseki 1\nB D4 1 1 2000 normal\nen at the margin\n", 3),
        ("ishi-joseki 1\nB D4 1 1 2000 normal\n  en too far in\n", 3),
    ] {
        let error = text::parse(text).unwrap_err();
        assert_eq!(error.line, line, "{error}");
    }
}
