//! Joseki: corners and their aspects, the graph, learning, and both forms.

use ishi_go::{Board, BoardSize, Color, Move, Point};
use ishi_patterns::joseki::book::{Joseki, JosekiAddError, MoveKind, MoveStats};
use ishi_patterns::joseki::corner::{
    Aspect, CornerBoard, CornerHashes, CornerMove, CornerPoint, board_point, corner_points,
};
use ishi_patterns::joseki::learn::{JosekiLearnParams, learn_joseki, measure_coverage};
use ishi_patterns::joseki::{packed, text};
use ishi_patterns::library::BilingualWords;
use ishi_patterns::records::{RecordedGame, parse_records};
use ishi_rng::Seed;
use ishi_rng::damage::try_damaged_copies;

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

fn stats(count: u32) -> MoveStats {
    MoveStats { count, score: count, year: 2016 }
}

/// A book of lines, each from the empty corner; what is known is passed over.
fn book(lines: &[&[&str]]) -> Joseki {
    let mut joseki = Joseki::default();
    for line in lines {
        let mut board = CornerBoard::default();
        for (n, text) in line.iter().enumerate() {
            match joseki.add_move(&mut board, mv(text), MoveKind::Normal, stats(100 - 10 * n as u32)) {
                Ok(()) => {}
                Err(JosekiAddError::Known) => assert!(board.play(mv(text))),
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
        assert_eq!(aspect.transform_move(aspect.transform_move(mv("WF3"))), mv("WF3"));
    }
}

#[test]
fn points_of_the_board_lie_in_their_corners() {
    let size = BoardSize::square(19).unwrap();
    for point in size.points() {
        for (corner, place) in corner_points(size, point).into_iter().enumerate() {
            if let Some(place) = place {
                assert_eq!(board_point(size, corner, place), point);
            }
        }
    }
    let corners = |text: &str| corner_points(size, size.parse_point(text).unwrap()).iter().flatten().count();
    assert_eq!([corners("D4"), corners("K4"), corners("K10"), corners("Q16")], [1, 2, 4, 1]);
    assert_eq!(corner_points(size, size.parse_point("R16").unwrap())[3], CornerPoint::parse("C4"));
    assert_eq!(CornerPoint::parse("K10").map(CornerPoint::index), Some(99));
    assert_eq!(CornerPoint::parse("L1"), None);
}

/// The hash follows captures, and a ko may be retaken at once.
#[test]
fn a_corner_by_itself_captures() {
    let mut board = after(&["BA1", "WB1", "WA2"]);
    assert_eq!(board.corner().key(), after(&["WB1", "WA2"]).corner().key());
    assert!(!board.play(mv("BA1")), "suicide");
    let mut twin = CornerHashes::default();
    twin.toggle_stone(mv("WB1"));
    twin.toggle_stone(mv("WA2"));
    assert_eq!(twin, *board.corner());
}

#[test]
fn transpositions_meet() {
    let joseki = book(&[&["BD4", "WC6", "BF3", "WC3"], &["BD4", "WC3", "BF3", "WC6"], &["BC4", "WE3"]]);
    let end = after(&["BD4", "WC6", "BF3", "WC3"]);
    assert_eq!(after(&["BD4", "WC3", "BF3", "WC6"]).corner().key(), end.corner().key());
    let place = joseki.nodes().iter().position(|node| node.key == end.corner().key()).unwrap();
    assert_eq!(joseki.parent_branches(place).len(), 2);
    assert_eq!(joseki.move_count(), 9);
    let first: Vec<CornerMove> = joseki.branches(CornerBoard::default().corner()).map(|(mv, _)| mv).collect();
    assert_eq!(first.len(), 2);
    assert!(
        joseki.find_branch(after(&["WD4"]).corner(), mv("BF3")).is_some(),
        "colours exchanged and mirrored"
    );
}

#[test]
fn moves_that_cannot_be_added_change_nothing() {
    let mut joseki = book(&[&["BD4", "WC6"]]);
    let before = joseki.clone();
    let mut board = after(&["BD4"]);
    let mut add =
        |board: &mut CornerBoard, text: &str| joseki.add_move(board, mv(text), MoveKind::Bad, stats(1));
    assert_eq!(add(&mut board, "WF3"), Err(JosekiAddError::Known), "the mirror image of C6");
    assert_eq!(add(&mut board, "WD4"), Err(JosekiAddError::Illegal));
    assert_eq!(joseki, before);
    assert_eq!(board.corner().key(), after(&["BD4"]).corner().key());
    // Taking and retaking a ko leads back.
    let ko = ["BC4", "BD5", "BD3", "WF4", "WE5", "WE3", "WD4", "BE4"];
    let mut joseki = book(&[&ko[..]]);
    let mut board = after(&ko);
    assert!(board.is_empty(CornerPoint::parse("D4").unwrap()), "taken");
    assert_eq!(
        joseki.add_move(&mut board, mv("WD4"), MoveKind::Normal, stats(1)),
        Err(JosekiAddError::Cycle)
    );
}

#[test]
fn a_line_is_added_whole_and_graphs_are_merged() {
    let mut joseki = Joseki::default();
    joseki.add_line(&["BD4", "WF3", "BC6"].map(mv)).unwrap();
    assert_eq!(joseki.move_count(), 3);
    let other =
        text::parse_joseki("ishi-joseki 1\nB D4 3 4 2000 urgent\n en star\n W C6 1 1 2000 normal\n").unwrap();
    let mut both = joseki.clone();
    both.add_unknown_moves(&other).unwrap();
    assert_eq!(both.move_count(), 3, "W C6 is W F3 mirrored, and our B D4 stays as it is");
    let mut copy = Joseki::default();
    copy.add_unknown_moves(&other).unwrap();
    assert_eq!(copy, other);
    assert_eq!(text::parse_joseki(&text::write_joseki(&both)).unwrap().sorted_copy(), both.sorted_copy());
}

#[test]
fn text_goes_there_and_back() {
    let joseki =
        book(&[&["BD4", "WC6", "BF3", "WC3"], &["BD4", "WC3", "BF3", "WC6"], &["BC4", "WE3", "BD6"]]);
    let written = text::write_joseki(&joseki);
    assert!(written.starts_with("ishi-joseki 1\nB "), "{written}");
    assert_eq!(written.matches(" =\n").count(), 0, "the position where they meet ends the lines");
    let read = text::parse_joseki(&written).unwrap();
    assert_eq!(read, joseki.sorted_copy());
    assert_eq!(text::write_joseki(&read), written);
    let edited = written.replace("normal", "trick") + "# a remark\n\n";
    assert!(
        text::parse_joseki(&edited)
            .unwrap()
            .nodes()
            .iter()
            .flat_map(|n| &n.branches)
            .all(|b| b.kind == MoveKind::Trick)
    );
}

#[test]
fn wrong_text_is_refused_with_its_line() {
    let refused = |text: &str, line: usize, part: &str| {
        let error = text::parse_joseki(text).unwrap_err();
        assert_eq!(error.line, line, "{error}");
        assert!(error.problem.contains(part), "{error}");
    };
    refused("", 1, "ishi-joseki 1");
    refused("joseki\n", 1, "ishi-joseki 1");
    let head = "ishi-joseki 1\n";
    refused(&format!("{head}B D4 7\n"), 2, "and must have 6");
    refused(&format!("{head}G D4 7 7 2016 normal\n"), 2, "no colour");
    refused(&format!("{head}B L4 7 7 2016 normal\n"), 2, "A1 to K10");
    refused(&format!("{head}B D4 x 7 2016 normal\n"), 2, "count");
    let number = |what: &str, text: &str| {
        format!("{what} must be a whole number from 0 on that is not too large, not {text:?}")
    };
    refused(&format!("{head}B D4 -1 7 2016 normal\n"), 2, &number("count", "-1"));
    refused(&format!("{head}B D4 7 -1 2016 normal\n"), 2, &number("score", "-1"));
    refused(&format!("{head}B D4 7 7 -1 normal\n"), 2, &number("year", "-1"));
    refused(&format!("{head}B D4 4294967296 7 2016 normal\n"), 2, &number("count", "4294967296"));
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
            let point = CornerPoint::from_index(rng.next_below(100) as usize).unwrap();
            let color =
                if (n + rng.next_below(8) / 7).is_multiple_of(2) { Color::Black } else { Color::White };
            let count = 1 + rng.next_below(5000);
            let numbers = MoveStats {
                count,
                score: rng.next_below(2 * count + 1),
                year: 2000 + rng.next_below(20) as u16,
            };
            let kind = MoveKind::ALL[rng.next_below(6) as usize];
            match joseki.add_move(&mut board, CornerMove { color, point }, kind, numbers) {
                Ok(()) => {}
                Err(JosekiAddError::Known) => assert!(board.play(CornerMove { color, point })),
                Err(JosekiAddError::Illegal | JosekiAddError::Cycle) => break,
            }
        }
    }
    joseki
}

#[test]
fn packing_rounds_once_and_then_keeps_everything() {
    for seed in 0..8 {
        let joseki = random_book(seed);
        assert_eq!(text::parse_joseki(&text::write_joseki(&joseki)).unwrap(), joseki.sorted_copy());
        let rounded = packed::round_stats(&joseki);
        assert_eq!(packed::round_stats(&rounded), rounded);
        let bytes = packed::pack_joseki(&joseki);
        let unpacked = packed::unpack_joseki(&bytes).unwrap();
        assert_eq!(unpacked, rounded);
        assert_eq!(packed::pack_joseki(&unpacked), bytes);
        for (node, exact) in unpacked.nodes().iter().zip(packed::round_stats(&joseki).nodes()) {
            assert_eq!(node.key, exact.key);
        }
    }
}

#[test]
fn damaged_bytes_are_refused() {
    let bytes = packed::pack_joseki(&random_book(1));
    assert!(packed::is_packed_joseki(&bytes) && !packed::is_packed_joseki(b"ishi-joseki 1\n"));
    try_damaged_copies(&bytes, Seed::new(1), 400, |what, damaged| {
        assert!(packed::unpack_joseki(damaged).is_err(), "{what}");
    });
    for length in [0, 5, 20, 23, 30, bytes.len() - 1] {
        assert!(packed::unpack_joseki(&bytes[..length]).is_err(), "{length} bytes");
    }
    let mut damaged = bytes.clone();
    damaged[30] ^= 1;
    let error = packed::unpack_joseki(&damaged).err().unwrap().to_string();
    let place = format!("byte {}: it is damaged or cut off: the checksum must be ", bytes.len() - 8);
    assert!(error.contains(&place), "{error}");
}

/// Games of a few moves in two corners: enough for every branch of the counting.
fn games() -> Vec<RecordedGame> {
    let line = |moves: &str, result: &str, year: &str| {
        format!("x\ty\t{year}\t19\t6.5\t0\t-\t{result}\t9d\t9d\tB\t{moves}\n")
    };
    // Q16, D4 with F3 or C6 answered at once, and once left alone.
    let text = line("pddpfqcn", "B+R", "2015").repeat(6)
        + &line("pddpfqcn", "W+R", "2017").repeat(2)
        + &line("pddpcnfq", "0", "2018")
        + &line("pddppppn", "W+2.5", "?");
    parse_records(&text).unwrap()
}

#[test]
fn counting_knows_symmetry_results_and_years() {
    let joseki = learn_joseki(&games(), JosekiLearnParams { min_count: 1, depth: 10 });
    let first = joseki.find_branch(CornerBoard::default().corner(), mv("BD4")).unwrap();
    // Both players' first moves are the same move, in two corners; once Black plays it in a third.
    assert_eq!(first.stats.count, 21);
    assert_eq!(first.stats.score, 2 * 9 + 2, "nine sides won, two had a game without a winner");
    assert_eq!(first.stats.year, 2018);
    let approach = joseki.find_branch(after(&["WD4"]).corner(), mv("BC6")).unwrap();
    assert_eq!((approach.stats.count, approach.stats.score), (9, 13));
    let answer = joseki.find_branch(after(&["WD4", "BC6"]).corner(), mv("WF3")).unwrap();
    assert_eq!(answer.stats.count, 9);
    let kept = learn_joseki(&games(), JosekiLearnParams { min_count: 9, depth: 10 });
    assert!(kept.move_count() < joseki.move_count() && kept.count_moves_played(9) == kept.move_count());
    let shallow = learn_joseki(&games(), JosekiLearnParams { min_count: 1, depth: 1 });
    assert!(shallow.nodes().iter().skip(1).all(|node| node.branches.is_empty()));
}

#[test]
fn coverage_counts_what_is_known_and_right() {
    let joseki = learn_joseki(&games(), JosekiLearnParams { min_count: 9, depth: 10 });
    let found = measure_coverage(&joseki, &games(), 60);
    assert_eq!(found.moves, 40);
    assert_eq!(found.known, 9 * 4 + 3, "all but the last move of the last game");
    assert!(found.right > 0 && found.right <= found.answers);
    assert_eq!(measure_coverage(&joseki, &games(), 1).moves, 10);
}

/// What ships is sound, as large as docs/patterns.md says, and plays on a board.
#[test]
fn the_shipped_joseki_are_sound() {
    let joseki = Joseki::shipped();
    assert!(
        joseki.count_moves_played(10) >= 6_000 && joseki.move_count() >= 25_000,
        "{}",
        joseki.move_count()
    );
    assert_eq!(packed::unpack_joseki(&packed::pack_joseki(&joseki)).unwrap(), joseki);
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
    let words = BilingualWords { en: "the approach".into(), ja: "カカリ".into() };
    // Mirrored and with the colours exchanged it is the same move.
    joseki.set_words(star.corner(), mv("BF3"), words.clone()).unwrap();
    let same = after(&["BD4"]);
    assert_eq!(joseki.move_words(same.corner(), mv("WC6")), Some(&words));
    assert_eq!(joseki.move_words(empty.corner(), mv("BD4")), None);
    let changed = MoveStats { count: 500, score: 600, year: 1999 };
    joseki.set_move(same.corner(), mv("WC3"), MoveKind::Trick, changed).unwrap();
    let (first, branch) = joseki.branches(same.corner()).next().unwrap();
    assert_eq!(
        (first, branch.kind, branch.stats),
        (mv("WC3"), MoveKind::Trick, changed),
        "now the most played"
    );
    let written = text::write_joseki(&joseki);
    assert!(written.contains(" normal\n  en the approach\n  ja カカリ\n"), "{written}");
    assert_eq!(text::parse_joseki(&written).unwrap(), joseki.sorted_copy());

    let wrong = MoveStats { count: 1, score: 3, year: 0 };
    let error = joseki.set_move(same.corner(), mv("WC3"), MoveKind::Bad, wrong).unwrap_err().to_string();
    assert_eq!(error, "score 3: twice the wins of 1 games are 2 at most");
    let error = joseki.set_words(empty.corner(), mv("BK9"), words).unwrap_err().to_string();
    assert_eq!(error, "black K9 is not in the book here");
    let two_lines = BilingualWords { en: "a\nb".into(), ja: String::new() };
    assert!(joseki.set_words(same.corner(), mv("WC6"), two_lines).is_err());
    joseki.set_words(same.corner(), mv("WC6"), BilingualWords::default()).unwrap();
    assert!(!text::write_joseki(&joseki).contains(" en "));
}

#[test]
fn what_only_a_removed_move_leads_to_goes_with_it() {
    // Two orders lead to the same position, and on from there.
    let mut joseki = book(&[&["BD4", "WF3", "BC6", "WK3"], &["BD4", "BC6", "WF3"]]);
    let (nodes, moves) = (joseki.nodes().len(), joseki.move_count());
    let words = BilingualWords { en: "extends".into(), ja: String::new() };
    joseki.set_words(after(&["BD4", "WF3", "BC6"]).corner(), mv("WK3"), words).unwrap();
    joseki.remove_move(after(&["BD4"]).corner(), mv("BC6")).unwrap();
    assert_eq!(
        (joseki.nodes().len(), joseki.move_count()),
        (nodes - 1, moves - 2),
        "the position itself stays"
    );
    assert!(text::write_joseki(&joseki).contains("en extends"));
    joseki.remove_move(after(&["BD4"]).corner(), mv("WF3")).unwrap();
    assert_eq!(text::write_joseki(&joseki), "ishi-joseki 1\nB D4 100 100 2016 normal\n");
    assert!(joseki.remove_move(after(&["BD4"]).corner(), mv("WF3")).is_err());
}

#[test]
fn words_without_a_move_are_refused() {
    for (text, line) in [
        ("ishi-joseki 1\n en nothing\n", 2),
        ("ishi-joseki 1\nB D4 1 1 2000 normal\nen at the margin\n", 3),
        ("ishi-joseki 1\nB D4 1 1 2000 normal\n  en too far in\n", 3),
    ] {
        let error = text::parse_joseki(text).unwrap_err();
        assert_eq!(error.line, line, "{error}");
    }
}
