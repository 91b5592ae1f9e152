//! The pattern database: both forms, matching and its twins, editing, mining, cutting.

use ishi_go::{Board, BoardSize, Color, Diagram as BoardDiagram, Move, Point, Symmetry};
use ishi_patterns::joseki::book::MoveKind;
use ishi_patterns::library::cut::UselessReason;
use ishi_patterns::library::mine::parts::{MinedPartError, NumberStore, PartedMining, STAGES};
use ishi_patterns::library::mine::{MineParams, MinedPatterns, mine_patterns};
use ishi_patterns::library::{
    BilingualWords, ChainAttribute, ChainClaim, DiagramEdges, DiagramSquare, DiagramTurn, FateOracle,
    GroupFate, NoFates, PAGE, Pattern, PatternBranch, PatternDiagram, PatternIndex, PatternLibrary,
    PatternMatch, PatternMatcher, cut, packed, text,
};
use ishi_patterns::records::{RecordedGame, parse_records};
use ishi_rng::damage::try_damaged_copies;
use ishi_rng::{Rng, Seed};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

fn library(patterns: &str) -> PatternLibrary {
    text::parse_library(&format!("ishi-shapes 1\n{patterns}")).unwrap()
}

fn index(patterns: &str) -> PatternIndex {
    PatternIndex::new(library(patterns))
}

fn board(rows: &str) -> Board {
    rows.parse::<BoardDiagram>().unwrap().to_board().unwrap()
}

/// Points and colours of the moves that patterns suggest.
fn moves(index: &PatternIndex, board: &Board, fates: &impl FateOracle) -> Vec<String> {
    let mut moves = Vec::new();
    for found in index.find_matches(board, fates) {
        let pattern = index.pattern_of(&found);
        for suggested in found.suggested_moves(pattern, &pattern.moves, board.size()) {
            moves.push(format!("{} {}", suggested.color.letter(), suggested.at));
        }
    }
    moves.sort();
    moves.dedup();
    moves
}

// --- random patterns ---

fn words(rng: &mut Rng) -> BilingualWords {
    let pick = |rng: &mut Rng, texts: [&str; 3]| (*rng.choose(&texts).unwrap()).to_string();
    BilingualWords {
        en: pick(rng, ["", "a hane", "cuts: \"hard\", # but | good"]),
        ja: pick(rng, ["", "ハネ", "B C3 1 1 normal"]),
    }
}

fn branch(rng: &mut Rng, at: DiagramSquare, frame: &[DiagramSquare], depth: usize) -> PatternBranch {
    let bits = rng.next_below(31);
    let played = rng.next_below(1 << bits);
    let mut replies: Vec<PatternBranch> = Vec::new();
    for _ in 0..if depth < 4 { rng.next_below(3) } else { 0 } {
        let at = *rng.choose(frame).unwrap();
        let reply = branch(rng, at, frame, depth + 1);
        if !replies.iter().any(|other| (other.color, other.at) == (reply.color, reply.at)) {
            replies.push(reply);
        }
    }
    let color = if rng.chance(0.5) { Color::Black } else { Color::White };
    let (kind, won) = (*rng.choose(&MoveKind::ALL).unwrap(), rng.next_below(played.saturating_add(1)));
    PatternBranch { color, at, kind, played, won, words: words(rng), replies }
}

/// A sound pattern; small signs of chance only if `plain`, so that it is found on boards.
fn pattern(rng: &mut Rng, number: usize, plain: bool) -> Pattern {
    let (width, height) = match plain {
        true => (2 + rng.next_index(3), 2 + rng.next_index(3)),
        false => (1 + rng.next_index(8), 1 + rng.next_index(8)),
    };
    let frame: Vec<DiagramSquare> =
        (0..height).flat_map(|row| (0..width).map(move |column| DiagramSquare::new(column, row))).collect();
    let edges = *rng.choose(&[DiagramEdges::NONE, DiagramEdges::BOTTOM, DiagramEdges::CORNER]).unwrap();
    let mut diagram = PatternDiagram { edges, width, height, black: 0, white: 0, empty: 0 };
    for &square in &frame {
        let sign = if plain && rng.chance(0.6) { 4 } else { rng.next_below(8) };
        let put = |board: &mut u64, bit: u32| *board |= if sign & bit != 0 { square.bit() } else { 0 };
        put(&mut diagram.black, 1);
        put(&mut diagram.white, 2);
        put(&mut diagram.empty, 4);
    }
    let anchor = *rng.choose(&frame).unwrap();
    diagram.empty |= anchor.bit();
    diagram.black &= !anchor.bit();
    diagram.white &= !anchor.bit();
    let stones: Vec<DiagramSquare> =
        frame.iter().copied().filter(|square| diagram.stone_points() & square.bit() != 0).collect();
    let claims = [
        ChainClaim::Liberties(2),
        ChainClaim::AtLeast(3),
        ChainClaim::AtMost(2),
        ChainClaim::Alive,
        ChainClaim::Dead,
    ];
    let mut attributes = Vec::new();
    for _ in 0..rng.next_below(3) {
        if let Some(&at) = rng.choose(&stones) {
            attributes.push(ChainAttribute { at, claim: *rng.choose(&claims).unwrap() });
        }
    }
    let first = branch(rng, anchor, &frame, 0);
    Pattern {
        name: format!("random-{number}"),
        source: (*rng.choose(&["", "hand-made", "mined in 3 games"]).unwrap()).to_string(),
        seen: if rng.chance(0.5) { 0 } else { first.played.saturating_add(rng.next_below(1000)).max(1) },
        words: words(rng),
        diagram,
        attributes,
        moves: vec![first],
    }
}

fn random_library(seed: u64, count: usize, plain: bool) -> PatternLibrary {
    let mut rng = Seed::new(seed).stream("patterns", 0);
    let mut library = PatternLibrary::default();
    for number in 0..count {
        library.add_pattern(pattern(&mut rng, number, plain)).unwrap();
    }
    library
}

// --- forms ---

#[test]
fn both_forms_give_every_pattern_back() {
    for seed in 0..20 {
        let library = random_library(seed, 50, false);
        let written = text::write_library(&library);
        let read = text::parse_library(&written).unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert_eq!(read, library);
        assert_eq!(text::write_library(&read), written);
        let bytes = packed::pack_library(&library);
        assert_eq!(packed::unpack_library(&bytes).unwrap(), library);
    }
    assert_eq!(
        packed::unpack_library(&packed::pack_library(&PatternLibrary::default())).unwrap(),
        PatternLibrary::default()
    );
}

#[test]
fn damaged_bytes_are_refused_and_nothing_panics() {
    let bytes = packed::pack_library(&random_library(1, 30, false));
    try_damaged_copies(&bytes, Seed::new(2), 400, |what, damaged| {
        assert!(packed::unpack_library(damaged).is_err(), "{what}");
    });
    for end in 0..bytes.len() {
        assert!(packed::unpack_library(&bytes[..end]).is_err(), "{end} bytes");
    }
    let error = packed::unpack_library(&bytes[..bytes.len() - 1]).err().unwrap().to_string();
    assert!(error.contains("byte 21: they are damaged or cut off: the checksum must be "), "{error}");
    // Text that was cut or changed anywhere is read or refused.
    let mut rng = Seed::new(2).stream("damage", 0);
    let written = text::write_library(&random_library(3, 10, false));
    for _ in 0..2000 {
        let mut chars: Vec<char> = written.chars().collect();
        let at = rng.next_index(chars.len());
        chars[at] = *rng.choose(&['\n', ' ', '+', '|', ':', 'B', '9', '-', 'あ']).unwrap();
        let changed: String = chars.into_iter().collect();
        if let Ok(library) = text::parse_library(&changed) {
            assert_eq!(text::parse_library(&text::write_library(&library)).unwrap(), library);
        }
    }
}

#[test]
fn wrong_text_is_refused_with_its_line() {
    let good = "pattern one\nsource hand\n: X O\n: . .\nB A1 3 2 normal\n";
    assert_eq!(library(good).patterns().len(), 1);
    let cases = [
        (good.replace(": . .", ": . . ."), 5, "3 signs, the row above has 2"),
        (good.replace("X O", "X Q"), 4, "'Q' is no sign"),
        (good.replace("B A1 3 2 normal", "B A1 3 2"), 6, "4 parts"),
        (good.replace("B A1 3 2 normal", "B I1 3 2 normal"), 6, "it must be one from A1 to H8"),
        (good.replace("B A1 3 2 normal", "B A1 3 2 odd"), 6, "no kind"),
        (good.replace("B A1 3 2", "B A1 3 x"), 6, "won must be a whole number"),
        (good.replace("B A1 3 2", "B A1 3 4"), 2, "won 4 of 3"),
        (good.replace("B A1", "B A2"), 2, "need not be empty"),
        (good.replace("B A1", "B D1"), 2, "need not be empty"),
        (good.replace("B A1 3 2 normal", ""), 2, "no move"),
        (format!("{good}  W B1 1 1 normal\n"), 7, "leads to 1 at most"),
        (format!("{good}at A1 liberties 2\n"), 2, "need not be a stone"),
        (format!("{good}at A2 liberties two\n"), 7, "no number of liberties"),
        (format!("{good}at A2 liberties 0\n"), 2, "1 to 99"),
        (format!("{good}at A2 happy\n"), 7, "it must be written as `at C3"),
        (format!("{good}en one\nen two\n"), 8, "stands twice"),
        (format!("{good}{good}"), 7, "is taken"),
        (good.replace("one", "One"), 2, "a-z, 0-9"),
        (good.replace(": . .", "| . ."), 5, "the one above with :"),
        (good.replace(": . .", ": . .\n+---"), 6, "in a corner"),
        (good.replace(":", "|"), 2, "corner +--- is missing"),
        (good.replace("source", "sauce"), 3, "begins with nothing known"),
        ("B A1 1 1 normal\n".to_string(), 2, "before the first pattern"),
        ("pattern x\n".to_string(), 2, "no diagram"),
        (good.replace(": X O\n", &": X O\n".repeat(8)), 12, "1 to 8"),
    ];
    for (wrong, line, problem) in cases {
        let error = text::parse_library(&format!("ishi-shapes 1\n{wrong}")).unwrap_err();
        assert!(error.line == line && error.problem.contains(problem), "{error} for\n{wrong}");
    }
    assert_eq!(text::parse_library("").unwrap_err().line, 1);
    assert!(text::parse_library("ishi-shapes 2\n").unwrap_err().problem.contains("ishi-shapes 1"));
}

// --- editing ---

#[test]
fn patterns_are_added_replaced_removed_and_shown_by_pages() {
    let mut library = random_library(5, 100, false);
    assert_eq!(library.page(0, PAGE).len(), 36);
    assert_eq!(library.page(2, PAGE).len(), 28);
    assert!(library.page(3, PAGE).is_empty() && library.page(usize::MAX, PAGE).is_empty());
    let before = library.clone();
    let mut changed = library.find_pattern("random-7").unwrap().clone();
    changed.name = "random-8".to_string();
    assert!(library.replace_pattern("random-7", changed.clone()).is_err(), "the name is taken");
    assert!(library.replace_pattern("nobody", changed.clone()).is_err());
    changed.name = "seven".to_string();
    let mut wrong = changed.clone();
    wrong.moves.clear();
    assert!(library.replace_pattern("random-7", wrong).is_err());
    assert_eq!(library, before, "nothing has changed");
    library.replace_pattern("random-7", changed).unwrap();
    assert_eq!(library.patterns()[7].name, "seven");
    assert!(library.find_pattern("random-7").is_none());
    library.remove_pattern("random-3").unwrap();
    assert!(library.remove_pattern("random-3").is_err());
    for (place, pattern) in library.patterns().iter().enumerate() {
        assert_eq!(library.find_pattern(&pattern.name), Some(&library.patterns()[place]));
    }
    assert_eq!(library.search_text("SEVEN").count(), 1);
}

// --- matching ---

#[test]
fn patterns_match_in_all_symmetries_and_both_colours() {
    let index = index("pattern cut\n: X O\n: . X\nB A1 0 0 normal\n W B2 0 0 normal\n");
    let board = board(
        ". . . . .
         . X O . .
         . . X . .
         . . . . .
         . . . . .",
    );
    assert_eq!(moves(&index, &board, &NoFates), ["B B3"]);
    let whole = board;
    let exchanged = {
        let stones = whole.size().points().filter_map(|p| Some((!whole.color(p)?, p)));
        Board::from_stones(whole.size(), stones).unwrap()
    };
    assert_eq!(moves(&index, &exchanged, &NoFates), ["W B3"]);
    for symmetry in Symmetry::ALL {
        let turned = symmetry.map_board(&whole);
        let wanted = symmetry.map_point(whole.size(), whole.size().parse_point("B3").unwrap());
        assert_eq!(moves(&index, &turned, &NoFates), [format!("B {wanted}")]);
        // The answer lies where the stone was.
        let found = index.find_matches(&turned, &NoFates)[0];
        let pattern = index.pattern_of(&found);
        let reply = found.suggested_moves(pattern, &pattern.moves[0].replies, turned.size()).next().unwrap();
        let stone = symmetry.map_point(whole.size(), whole.size().parse_point("C4").unwrap());
        assert_eq!((reply.color, reply.at), (Color::White, stone));
    }
}

#[test]
fn signs_mean_what_they_say() {
    let one = |sign: char| index(&format!("pattern one\n: {sign} . X\nB B1 0 0 normal\n"));
    // What stands left of the point between; `None` is beyond the edge.
    let cases = [("X", "X%x_?"), ("O", "O%o_?"), (".", ".xo_?"), ("", "?")];
    for (stands, fitting) in cases {
        for sign in "XO.xo%_?".chars() {
            let row = format!("{stands} . X");
            let width = row.split_whitespace().count();
            let rows = format!("{row}\n{}", format!("{}\n", ". ".repeat(width)).repeat(2));
            let board = board(&rows);
            let at = Point::new(width - 2, 2);
            let index = one(sign);
            // Only as it lies: the mirror image looks elsewhere.
            let found = index.find_matches(&board, &NoFates).into_iter().any(|found| {
                let pattern = index.pattern_of(&found);
                let right = found.board_point(pattern, DiagramSquare::new(2, 0), board.size());
                found.at == at && !found.exchanged && right == Some(Point::new(width - 1, 2))
            });
            assert_eq!(found, fitting.contains(sign), "{sign} where {stands:?} stands");
        }
    }
}

#[test]
fn edges_and_corners_are_where_they_are() {
    let edge = index("pattern edge\n: . X\n-----\nB A1 0 0 normal\n");
    let rows = board(
        ". . . . . .
         . X . . . .
         . . . . . .
         . . . . . .
         . . . . . .
         . . . . X .",
    );
    let found = edge.find_matches(&rows, &NoFates);
    let at: Vec<String> = found.iter().map(|found| found.at.to_string()).collect();
    assert_eq!(at, ["D1", "F1"], "the other stone is not on the first line");
    let corner = index("pattern corner\n| . .\n| . X\n+----\nB A1 0 0 normal\n");
    let at: Vec<String> =
        corner.find_matches(&rows, &NoFates).iter().map(|found| found.at.to_string()).collect();
    assert_eq!(at, ["F1"], "on its edge next to the corner");
    let inner = index("pattern inner\n| X .\n| . .\n+----\nB A1 0 0 normal\n");
    assert_eq!(inner.find_matches(&rows, &NoFates).len(), 1, "E1 seen from F1, mirrored on the diagonal");
}

struct Said(Vec<(Point, GroupFate)>);

impl FateOracle for Said {
    fn group_fate(&self, _: &Board, stone: Point) -> Option<GroupFate> {
        self.0.iter().find(|(point, _)| *point == stone).map(|(_, fate)| *fate)
    }
}

#[test]
fn claims_about_chains_are_checked() {
    let rows = board(
        ". . . . .
         . O X . .
         . O . . .
         . . . . .
         . . . . .",
    );
    let point = |text: &str| rows.size().parse_point(text).unwrap();
    let at = |claim: &str, fates: &Said| {
        let index = index(&format!("pattern c\n: O X\n: O .\nat A1 {claim}\nB B1 0 0 normal\n"));
        moves(&index, &rows, fates).len()
    };
    let nobody = Said(Vec::new());
    // The white chain has five liberties.
    for (claim, holds) in [
        ("liberties 5", 1),
        ("liberties 4", 0),
        ("liberties 4+", 1),
        ("liberties 6+", 0),
        ("liberties 5-", 1),
        ("liberties 4-", 0),
        ("alive", 0),
        ("dead", 0),
    ] {
        assert_eq!(at(claim, &nobody), holds, "{claim}");
    }
    let alive = Said(vec![(point("B3"), GroupFate::Alive)]);
    assert_eq!((at("alive", &alive), at("dead", &alive)), (1, 0));
    let dead = Said(vec![(point("B3"), GroupFate::Dead)]);
    assert_eq!((at("alive", &dead), at("dead", &dead)), (0, 1));
}

/// A random game, told position by position; some positions are earlier ones again, as if moves were undone.
fn wander(seed: u64, size: usize, steps: usize, mut tell: impl FnMut(&Board)) {
    let mut rng = Seed::new(seed).stream("wander", 0);
    let size = BoardSize::square(size).unwrap();
    let mut past = vec![Board::new(size)];
    let mut color = Color::Black;
    for _ in 0..steps {
        if rng.chance(0.15) && past.len() > 3 {
            past.truncate(past.len() - 1 - rng.next_index(3));
        }
        let mut next = past.last().unwrap().clone();
        let legal: Vec<Point> = next.empty_points().filter(|&point| next.is_sensible(color, point)).collect();
        let Some(&point) = rng.choose(&legal) else {
            past.truncate(1);
            continue;
        };
        next.play_unchecked(color, Move::Play(point));
        color = !color;
        tell(&next);
        past.push(next);
    }
}

/// Half of the chains are alive, some are dead.
struct ByPlace;

impl FateOracle for ByPlace {
    fn group_fate(&self, board: &Board, stone: Point) -> Option<GroupFate> {
        match board.chain(stone)?.head().index() % 3 {
            0 => Some(GroupFate::Alive),
            1 => Some(GroupFate::Dead),
            _ => None,
        }
    }
}

#[test]
fn the_tables_find_what_trying_everything_finds() {
    let index = PatternIndex::new(random_library(7, 60, true));
    let (mut found, mut step) = (0, 0);
    wander(1, 9, 150, |board| {
        step += 1;
        if step % 10 == 0 {
            let matches = index.find_matches(board, &ByPlace);
            assert_eq!(matches, index.find_matches_one_by_one(board, &ByPlace));
            found += matches.len();
        }
    });
    assert!(found > 200, "{found} matches: too few to mean something");
}

#[test]
fn the_matcher_follows_games_and_jumps() {
    for (seed, size) in [(1, 9), (2, 13), (3, 19), (4, 5)] {
        let index = PatternIndex::new(random_library(10 + seed, 60, true));
        let mut matcher = PatternMatcher::new(&index, &Board::new(BoardSize::square(size).unwrap()));
        let mut found = 0;
        wander(seed, size, 200, |board| {
            matcher.update_matches(board);
            let matches = matcher.current_matches(board, &ByPlace);
            assert_eq!(matches, index.find_matches(board, &ByPlace));
            found += matches.len();
        });
        assert!(found > 100, "{found} matches on {size} lines");
        // Another size is another board.
        let other = Board::new(BoardSize::square(7).unwrap());
        assert_eq!(matcher.update_matches(&other), 49);
        assert_eq!(matcher.current_matches(&other, &NoFates), index.find_matches(&other, &NoFates));
    }
}

#[test]
fn the_shipped_patterns_follow_games_too() {
    let index = PatternIndex::shipped();
    assert!(index.library().patterns().len() >= 1_000);
    for pattern in index.library().patterns() {
        assert!(!pattern.source.is_empty(), "{} has no source", pattern.name);
        assert!(pattern.seen > 0 || pattern.source == "hand-made", "{}", pattern.name);
    }
    let mut matcher = PatternMatcher::new(index, &Board::new(BoardSize::square(19).unwrap()));
    let mut found: Vec<PatternMatch> = Vec::new();
    wander(9, 19, 60, |board| {
        matcher.update_matches(board);
        found = matcher.current_matches(board, &NoFates);
        assert_eq!(found, index.find_matches(board, &NoFates));
    });
    assert!(!found.is_empty());
}

// --- mining ---

/// Games in which Black answers a stone in the lower left corner at once, Black winning every third only if `at` is bad.
fn games(lines: &[(&str, &str)]) -> Vec<RecordedGame> {
    let line = |(n, (moves, result)): (usize, &(&str, &str))| {
        format!("{n}\tmade-up\t2020\t19\t6.5\t0\t-\t{result}\t9d\t9d\tB\t{moves}\n")
    };
    parse_records(&lines.iter().enumerate().map(line).collect::<String>()).unwrap()
}

#[test]
fn what_is_played_often_and_well_is_mined() {
    // Black Q16, White D4, Black F3, White C6 (nine times of ten in ten games), then Black D3 or elsewhere.
    let usual = ("pddpfqcn", "B+R");
    let lost = ("pddpfqcn", "W+R");
    let other = ("pddpfqjj", "B+R");
    let played = games(&[usual, usual, lost, usual, lost, usual, usual, lost, lost, other]);
    let params = MineParams { min_count: 8, min_share: 0.5, min_follow: 2, ..MineParams::default() };
    let mined = mine_patterns(&played, &params, "made-up", &|| false).unwrap();
    let library = &mined.library;
    // Of every move the smallest window that says enough is kept; the approach F3 (ten times of ten) is among them.
    let approach = library.patterns().iter().find(|pattern| pattern.diagram.stone_points().count_ones() == 1);
    let approach = approach.unwrap_or_else(|| panic!("{}", text::write_library(library)));
    assert_eq!(
        (approach.seen, approach.moves[0].played, approach.moves[0].won),
        (20, 10, 6),
        "seen on both sides"
    );
    assert_eq!(approach.source, "made-up");
    // White's answer lies in the frame or not; where it does it was played nine times, and won four games.
    for pattern in library.patterns() {
        for reply in &pattern.moves[0].replies {
            assert!(reply.played <= pattern.moves[0].played && reply.won <= reply.played);
            assert_eq!(reply.color, Color::White);
        }
    }
    let index = PatternIndex::new(library.clone());
    let mut board = Board::new(BoardSize::square(19).unwrap());
    let point = |text: &str| board.size().parse_point(text).unwrap();
    let (star, wanted) = (point("Q4"), point("R6"));
    board.play_unchecked(Color::Black, Move::Play(star));
    let suggested = moves(&index, &board, &NoFates);
    assert!(
        suggested.contains(&format!("W {wanted}")),
        "another corner, mirrored and for White: {suggested:?}"
    );
    // Games that nobody won, handicap games and threads change nothing.
    let mut more = games(&[usual; 5]);
    more.iter_mut().for_each(|game| game.winner = None);
    more.extend(played.clone());
    assert_eq!(mine_patterns(&more, &params, "made-up", &|| false).unwrap().library, *library);
    let threads = MineParams { threads: 3, ..params };
    assert_eq!(mine_patterns(&played, &threads, "made-up", &|| false).unwrap().library, *library);
}

/// What follows from what all parts say in a stage, for the next.
fn join_parts(
    mining: &PartedMining,
    stage: usize,
    before: &[u64],
    parts: &[Vec<u64>],
) -> Result<Vec<u64>, MinedPartError> {
    let mut store: Vec<u64> = Vec::new();
    let mut join = mining.begin_join(stage, before, &mut store)?;
    parts.iter().try_for_each(|part| join.add_part(part))?;
    join.finish()
}

/// The same of the last stage.
fn join_last(
    mining: &PartedMining,
    before: &[u64],
    parts: &[Vec<u64>],
) -> Result<MinedPatterns, MinedPartError> {
    let mut join = mining.begin_last_join(before)?;
    parts.iter().try_for_each(|part| join.add_part(part))?;
    join.name_patterns("made-up")
}

/// All stages, each part on its own and in any order. Gives what was found, the numbers of each part and those that were joined.
fn mine_in_parts(mining: &PartedMining) -> (MinedPatterns, Vec<Vec<u64>>) {
    let (mut before, mut seen) = (Vec::new(), Vec::new());
    for stage in 0..STAGES {
        let mut parts = vec![Vec::new(); mining.part_count()];
        for part in (0..parts.len()).rev() {
            parts[part] = mining.mine_part(stage, part, &before, &|| false).unwrap().unwrap();
        }
        seen.extend(parts.clone());
        if stage + 1 == STAGES {
            return (join_last(mining, &before, &parts).unwrap(), seen);
        }
        before = join_parts(mining, stage, &before, &parts).unwrap();
        seen.push(before.clone());
    }
    unreachable!("the last stage ends it");
}

#[test]
fn what_is_mined_in_parts_is_what_is_mined_at_once() {
    let mut lines = vec![("pddpfqcn", "B+R"); 70];
    lines.extend(vec![("pddpqfcn", "W+R"); 41]);
    lines.extend(vec![("pddpfqjjcn", "B+R"); 66]);
    let mut played = games(&lines);
    played[3].winner = None;
    for params in [
        MineParams { min_count: 20, min_share: 0.2, min_follow: 2, ..MineParams::default() },
        MineParams { min_count: 30, min_share: 0.5, growth: 1.0, depth: 2, ..MineParams::default() },
        MineParams { min_count: 1000, ..MineParams::default() },
    ] {
        let at_once = mine_patterns(&played, &params, "made-up", &|| false).unwrap();
        let mining = PartedMining::new(played.clone(), params);
        let (in_parts, seen) = mine_in_parts(&mining);
        // Tables that are full after some counts, and after each.
        for longest in [60, 1] {
            let mining = PartedMining::new(played.clone(), params).with_longest_table(longest);
            let (merged, seen_merged) = mine_in_parts(&mining);
            assert!(seen_merged == seen, "tables of {longest} numbers give others");
            assert_eq!(text::write_library(&merged.library), text::write_library(&in_parts.library));
        }
        assert_eq!(text::write_library(&in_parts.library), text::write_library(&at_once.library));
        assert_eq!(in_parts.library, at_once.library);
        assert_eq!(
            (&in_parts.frequent, in_parts.unusual, in_parts.losing),
            (&at_once.frequent, at_once.unusual, at_once.losing)
        );
        // On one machine, by several threads and with little in memory.
        for (threads, longest) in [(1, usize::MAX), (2, 60), (3, 1), (9, 60)] {
            let mining = PartedMining::new(played.clone(), MineParams { threads, ..params });
            let mining = mining.with_longest_table(longest);
            let here = mining.mine_here("made-up", Vec::<u64>::new, &|| false).unwrap().unwrap();
            assert_eq!(here.library, at_once.library, "{threads} threads, tables of {longest} numbers");
            assert_eq!(
                (&here.frequent, here.unusual, here.losing),
                (&at_once.frequent, at_once.unusual, at_once.losing)
            );
        }
        match params.min_count {
            20 => assert!(!in_parts.library.patterns().is_empty(), "Black's approach is usual, and wins"),
            1000 => assert!(in_parts.library.patterns().is_empty()),
            _ => {}
        }
    }
    let nothing = PartedMining::new(Vec::new(), MineParams::default());
    assert!(mine_in_parts(&nothing).0.library.patterns().is_empty());
    let found = nothing.mine_here("made-up", Vec::<u64>::new, &|| false).unwrap().unwrap();
    assert!(found.library.patterns().is_empty());
}

/// A store that is always full.
struct FullStore;

impl NumberStore for FullStore {
    fn append_numbers(&mut self, _numbers: &[u64]) -> std::io::Result<()> {
        Err(std::io::ErrorKind::StorageFull.into())
    }

    fn read_numbers(&mut self, _place: u64, _numbers: &mut [u64]) -> std::io::Result<()> {
        Err(std::io::ErrorKind::UnexpectedEof.into())
    }
}

#[test]
fn mining_on_one_machine_can_be_stopped_and_says_that_the_disk_is_full() {
    let params = MineParams { min_count: 20, min_share: 0.2, threads: 2, ..MineParams::default() };
    let mining = PartedMining::new(games(&[("pddpfqcn", "B+R"); 200]), params);
    assert!(mining.mine_here("made-up", Vec::<u64>::new, &|| true).unwrap().is_none(), "stopped");
    // Asked before every game: some stages are done by then.
    let asked = AtomicUsize::new(0);
    let later = || asked.fetch_add(1, Relaxed) > 700;
    assert!(mining.mine_here("made-up", Vec::<u64>::new, &later).unwrap().is_none(), "stopped later");
    assert!(mining.mine_here("made-up", || FullStore, &|| false).is_ok(), "all fits into memory");
    let error = mining.with_longest_table(1).mine_here("made-up", || FullStore, &|| false).unwrap_err();
    assert!(error.to_string().contains("do not fit into memory cannot be kept"), "{error}");
}

/// Answers of parts are kept and come back from a database: other numbers are refused, and none ends the program.
#[test]
fn numbers_that_mining_has_not_made_are_refused() {
    let played = games(&[("pddpfqcn", "B+R"); 100]);
    let params = MineParams { min_count: 20, min_share: 0.2, min_follow: 2, ..MineParams::default() };
    let mining = PartedMining::new(played, params);
    let (_, seen) = mine_in_parts(&mining);
    let refused = |numbers: &[u64]| {
        let parts = [numbers.to_vec()];
        for stage in 0..=STAGES {
            let _ = mining.mine_part(stage, 0, numbers, &|| true);
            let _ = join_parts(&mining, stage, numbers, &parts);
            let _ = join_parts(&mining, stage, &[], &parts);
        }
        join_last(&mining, numbers, &parts).is_err()
    };
    for numbers in &seen {
        assert!(refused(numbers), "no answer is both a stage's and a part's");
        for cut in [1, numbers.len() / 2, numbers.len().saturating_sub(1)] {
            assert!(refused(numbers.get(..cut).unwrap_or_default()));
        }
        for at in (0..numbers.len()).step_by(1 + numbers.len() / 40) {
            let mut other = numbers.clone();
            other[at] = other[at].wrapping_sub(1);
            let _ = refused(&other);
            for most in [u64::MAX, u64::from(u32::MAX)] {
                other[at] = most;
                let _ = refused(&other);
            }
        }
    }
    // What nobody can have counted: of the last stage's first tree the times that its move was played.
    let (before, trees) = (&seen[seen.len() - mining.part_count() - 1], &seen[seen.len() - 1]);
    let mut many = trees.clone();
    many[2] = u64::from(u32::MAX);
    assert!(join_last(&mining, before, &[many.clone(), many]).is_err());
    // Of the first sight of the stage before the times that Black and White played its move.
    let sights = (mining.part_count() + 1) * (STAGES - 2);
    let mut many = seen[sights].clone();
    many[6..8].fill(u64::from(u32::MAX));
    let _ = join_parts(&mining, STAGES - 2, &seen[sights - 1], &[many]);
    assert!(mining.mine_part(1, 0, &[], &|| false).is_err(), "a stage needs the one before");
    assert!(mining.mine_part(0, 0, &[], &|| true).unwrap().is_none(), "stopped");
    let words = join_parts(&mining, 0, &[], &[vec![1]]).unwrap_err().to_string();
    assert!(words.contains("what a part of the games says"), "{words}");
}

#[test]
fn what_loses_too_often_or_is_rarely_played_is_not_mined() {
    // F3 is played 40 times and always loses, R14 75 times and mostly wins.
    let mut lines = vec![("pddpfq", "W+R"); 40];
    lines.extend(vec![("pddpqf", "W+R"); 15]);
    lines.extend(vec![("pddpqf", "B+R"); 60]);
    let params = MineParams { min_count: 20, min_share: 0.2, ..MineParams::default() };
    let played = games(&lines);
    let mined = mine_patterns(&played, &params, "made-up", &|| false).unwrap();
    assert!(mined.losing > 0, "{mined:?}");
    let index = PatternIndex::new(mined.library);
    let mut board = Board::new(BoardSize::square(19).unwrap());
    for (color, at) in [(Color::Black, "Q16"), (Color::White, "D4")] {
        let point = board.size().parse_point(at).unwrap();
        board.play_unchecked(color, Move::Play(point));
    }
    let suggested = moves(&index, &board, &NoFates);
    assert!(!suggested.contains(&"B F3".to_string()), "it loses: {suggested:?}");
    assert!(suggested.contains(&"B R14".to_string()), "the enclosure is played and wins: {suggested:?}");
    let rare = MineParams { min_count: 1000, ..params };
    assert!(mine_patterns(&played, &rare, "made-up", &|| false).unwrap().library.patterns().is_empty());
    assert!(mine_patterns(&played, &params, "made-up", &|| true).is_none(), "stopped");
    assert!(mine_patterns(&[], &params, "none", &|| false).unwrap().library.patterns().is_empty());
}

// --- cutting ---

#[test]
fn a_cut_matches_where_it_was_cut_and_holds_the_fight() {
    let mut cuts = 0;
    wander(21, 19, 200, |board| {
        let Some(at) = board.empty_points().find(|&point| board.is_sensible(Color::White, point)) else {
            return;
        };
        let cut = cut::cut_pattern(board, Color::White, at, "cut", "a test", &ByPlace).unwrap();
        cut.pattern.check_pattern().unwrap();
        assert!(cut.leaving <= cut.leaving_unmoved && cut.leaving_unmoved <= cut.chains);
        let mut library = PatternLibrary::default();
        library.add_pattern(cut.pattern).unwrap();
        let index = PatternIndex::new(library);
        let suggested = moves(&index, board, &ByPlace);
        assert!(suggested.contains(&format!("W {at}")), "{at}: {suggested:?}");
        cuts += 1;
    });
    assert!(cuts > 100);
}

/// The pattern as it lies under a symmetry, with colours exchanged or not; a claim about another stone of its chain.
fn turned(pattern: &Pattern, turn: DiagramTurn, is_exchanged: bool) -> Pattern {
    let PatternDiagram { width, height, .. } = pattern.diagram;
    let image = |square| turn.map_square(square, width, height);
    let mut turned = pattern.clone();
    turned.diagram = pattern.diagram.turned_by(turn);
    turned.attributes.iter_mut().for_each(|attribute| attribute.at = image(attribute.at));
    for mv in &mut turned.moves {
        mv.at = image(mv.at);
        mv.color = if is_exchanged { !mv.color } else { mv.color };
    }
    if is_exchanged {
        turned.diagram = turned.diagram.with_colors_exchanged();
    }
    turned
}

#[test]
fn patterns_have_one_form_however_they_lie() {
    let mut forms = 0;
    wander(23, 19, 60, |board| {
        let Some(at) = board.empty_points().find(|&point| board.is_sensible(Color::White, point)) else {
            return;
        };
        let pattern = cut::cut_pattern(board, Color::White, at, "cut", "a test", &ByPlace).unwrap().pattern;
        for turn in DiagramTurn::ALL {
            for is_exchanged in [false, true] {
                assert_eq!(turned(&pattern, turn, is_exchanged).standard_form(), pattern.standard_form());
            }
        }
        let mut fewer = pattern.clone();
        let stones = fewer.diagram.black | fewer.diagram.white;
        if stones != 0 {
            let first = stones & stones.wrapping_neg();
            (fewer.diagram.black, fewer.diagram.white) =
                (fewer.diagram.black & !first, fewer.diagram.white & !first);
            fewer.diagram.empty |= first;
            assert_ne!(fewer.standard_form(), pattern.standard_form());
            forms += 1;
        }
    });
    assert!(forms > 30);
    // A claim may stand on any stone of the chain; on another chain it is another claim.
    let with = |at: &str| {
        let text = format!("pattern a\n: X X O\n: X . X\nat {at} liberties 2\nB B1 0 0 normal\n");
        library(&text).patterns()[0].standard_form()
    };
    assert_eq!(with("A1"), with("B2"));
    assert_ne!(with("A1"), with("C1"));
}

#[test]
fn windows_with_next_to_nothing_are_useless() {
    let size = BoardSize::square(19).unwrap();
    let useless = |stones: &[(usize, usize)]| {
        let stones = stones.iter().map(|&(column, row)| (Color::White, Point::new(column, row)));
        let board = Board::from_stones(size, stones).unwrap();
        cut::cut_pattern(&board, Color::Black, Point::new(9, 9), "x", "a test", &NoFates)
            .unwrap()
            .useless_reason()
    };
    assert_eq!(useless(&[]), Some(UselessReason::FewStones));
    assert_eq!(useless(&[(9, 10), (10, 10), (18, 18)]), Some(UselessReason::FewStones), "one is far away");
    assert_eq!(useless(&[(6, 6), (6, 7), (12, 12), (12, 6)]), Some(UselessReason::NothingNear));
    assert_eq!(useless(&[(9, 11), (10, 10), (8, 8)]), None);
}

#[test]
fn chains_that_leave_the_window_are_told_by_their_liberties() {
    // A white wall across the board: no window holds it.
    let size = BoardSize::square(19).unwrap();
    let stones = (0..18).map(|column| (Color::White, Point::new(column, 9)));
    let board = Board::from_stones(size, stones).unwrap();
    let cut = cut::cut_pattern(&board, Color::Black, Point::new(9, 10), "wall", "a test", &NoFates).unwrap();
    assert_eq!((cut.chains, cut.leaving), (1, 1));
    assert_eq!(cut.pattern.attributes.len(), 1);
    assert_eq!(cut.pattern.attributes[0].claim, ChainClaim::AtLeast(cut::FEW));
    // A chain of six stones away from the move: the window moves to hold it.
    let stones = (0..6).map(|column| (Color::White, Point::new(column + 9, 9)));
    let board = Board::from_stones(size, stones).unwrap();
    let cut = cut::cut_pattern(&board, Color::Black, Point::new(8, 10), "six", "a test", &NoFates).unwrap();
    assert_eq!((cut.leaving, cut.leaving_unmoved), (0, 1));
    assert!(cut.pattern.attributes.is_empty());
    assert!(
        cut::cut_pattern(&board, Color::Black, Point::new(9, 9), "x", "a test", &NoFates).is_none(),
        "a stone is there"
    );
}

#[test]
fn drafts_may_be_unfinished_but_not_nonsense() {
    let unfinished = "pattern Not A Name\nsource s\n: X ?\n: . O\n";
    let draft = text::parse_draft_pattern(unfinished).unwrap();
    assert!(draft.check_pattern().is_err());
    assert_eq!(text::write_pattern(&draft), unfinished);
    for pattern in PatternLibrary::shipped().page(0, 20) {
        assert_eq!(&text::parse_draft_pattern(&text::write_pattern(pattern)).unwrap(), pattern);
    }
    for (wrong, line) in
        [("", 1), ("source s\n", 1), ("pattern a\n: X\npattern b\n: O\n", 3), ("pattern a\n: Z\n", 2)]
    {
        assert_eq!(text::parse_draft_pattern(wrong).unwrap_err().line, line, "{wrong:?}");
    }
}
