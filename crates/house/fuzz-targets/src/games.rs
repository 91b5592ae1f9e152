//! Texts of games: records in all formats, boards, names of players, openings, patterns, problems.

use std::io::Cursor;

use ishi_analysis::labels::sgf::record_from_game;
use ishi_arena::{GoMatchSettings, Openings, OthelloMatchSettings, PlayerSpec, TimeControl};
use ishi_engine::Othello;
use ishi_go::{BoardSize, Color, Diagram, Rules};
use ishi_go_play::problems::{sgf, suite, text};
use ishi_othello::games_index::{build_games_index, find_position_games, seal_games_index};
use ishi_othello::wthor::{WthorDatabase, WthorNames, WthorNamesKind};
use ishi_othello::{Board, Position, Square, Wpc, ggf, obf};
use ishi_othello_play::book::{Book, BookFormat};
use ishi_othello_play::judges::BoardJudge;
use ishi_othello_play::ntuple::PublishedPlayer;
use ishi_othello_play::openings::OpeningNames;
use ishi_othello_play::practice::OpeningPractice;
use ishi_patterns::{exercises, joseki, library, records};
use ishi_rng::{Rng, Seed};
use ishi_sgf::othello_records::{OthelloFormat, WthorDirectory, read_records, write_records};
use ishi_sgf::{GameInfo, GameResult, GameTree, GoGame, OthelloGame, Warnings, read_collection};
use ishi_stats::ConfidenceLevel;

/// The SGF reader: what it read survives being written.
pub fn check_sgf(bytes: &[u8]) {
    let Ok(reading) = read_collection(bytes) else { return };
    for warning in &reading.warnings {
        assert!(warning.place.offset as usize <= bytes.len(), "{warning}");
    }
    for game in &reading.collection.games {
        GameInfo::read_main_line(game, &mut Warnings::new());
        if let Ok(game) = GoGame::read_main_line(game) {
            assert!(game.moves().filter_map(|m| m.mv.point()).all(|point| game.size.contains(point)));
        }
    }
    let again = read_collection(reading.collection.to_sgf().as_bytes()).expect("what was written is SGF");
    let mut same = reading.collection;
    same.games.iter_mut().for_each(GameTree::normalise_root);
    assert!(again.collection == same, "the round trip changed the games");
}

/// Games as SGF that become lines of records, which are read again the same.
pub fn check_sgf_records(bytes: &[u8]) {
    let Ok(reading) = read_collection(bytes) else { return };
    for tree in &reading.collection.games {
        let Ok(game) = GoGame::read_main_line(tree) else { continue };
        let name = game.info.name.as_deref().unwrap_or_default();
        let Ok((record, origin)) = record_from_game(&game, name) else { continue };
        let line = record.to_line(&origin);
        let again = records::parse_records(&line).expect("what was written can be read");
        assert_eq!(again, [records::RecordedGame { line: 1, ..record }], "{line}");
    }
}

/// A vertex on a board whose sides the first two bytes say: what was read is written as the same vertex.
pub fn check_vertex(bytes: &[u8]) {
    let Some((&[width, height], text)) = bytes.split_first_chunk() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let side = |n: u8| BoardSize::MIN + usize::from(n) % (BoardSize::MAX - BoardSize::MIN + 1);
    let size = BoardSize::new(side(width), side(height)).expect("2 to 25 lines");
    if let Ok(mv) = size.parse_move(text) {
        assert_eq!(size.parse_move(&mv.to_string()), Ok(mv));
        assert!(mv.point().is_none_or(|point| size.contains(point)));
    }
}

/// Diagrams: the board that is drawn is read back as the same board.
pub fn check_diagram(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(Ok(board)) = text.parse::<Diagram>().map(|diagram| diagram.to_board()) {
        let again: Diagram = board.to_string().parse().expect("a drawn board");
        assert_eq!(again.to_board().expect("a legal board").hash(), board.hash());
    }
}

/// Players, times and openings of matches.
pub fn check_arena_texts(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = text.parse::<PlayerSpec>();
    let _ = text.parse::<TimeControl>();
    let _ = <Openings>::from_text(text, &GoMatchSettings::default());
    let _ = <Openings>::from_sgf(text.as_bytes(), &GoMatchSettings::default());
}

/// Short texts: what is read is written as the same thing.
pub fn check_names(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(seed) = text.parse::<Seed>() {
        assert_eq!(seed.to_string().parse(), Ok(seed));
    }
    if let Ok(rng) = text.parse::<Rng>() {
        assert_eq!(rng.to_string().parse(), Ok(rng));
    }
    if let Ok(rules) = text.parse::<Rules>() {
        assert_eq!(rules.to_string().parse::<Rules>().ok(), Some(rules));
    }
    if let Ok(size) = text.parse::<BoardSize>() {
        assert_eq!(size.to_string().parse::<BoardSize>().ok(), Some(size));
    }
    if let Ok(result) = text.parse::<GameResult>() {
        assert_eq!(result.to_string().parse::<GameResult>().ok(), Some(result));
    }
    if let Ok(engine) = ishi_go_play::catalog::create_go_player(text, Seed::new(1)) {
        assert!(ishi_go_play::catalog::create_go_player(&engine.spec(), Seed::new(1)).is_ok());
    }
    let _ = (text.parse::<Color>(), text.parse::<ConfidenceLevel>());
}

/// Problems, suites, exercises and joseki as text: problems that are taken can be set up or are refused with a reason, joseki and exercises are
/// written and read again the same.
pub fn check_go_knowledge(bytes: &[u8]) {
    let words = String::from_utf8_lossy(bytes);
    for problem in text::parse_problems(&words).unwrap_or_default() {
        let _ = problem.position();
    }
    if let Ok(reading) = read_collection(bytes) {
        for game in &reading.collection.games {
            let _ = sgf::read_problem(game, "a problem").map(|problem| problem.position());
        }
    }
    // A suite names records: here the first few are the text itself.
    let mut left = 4;
    let mut record = |_: &str| {
        left -= 1;
        if left < 0 { Err("no more records".to_string()) } else { Ok(bytes.to_vec()) }
    };
    for problem in suite::read_suite("a suite", &words, &mut record).into_iter().flatten() {
        let _ = problem.position();
    }
    for exercise in exercises::parse_exercises(&words).unwrap_or_default() {
        assert_eq!(exercises::RecordExercise::parse_line(&exercise.to_string()), Ok(exercise));
    }
    let _ = library::text::parse_draft_pattern(&words);
    if let Ok(read) = joseki::text::parse_joseki(&words) {
        assert_eq!(joseki::text::parse_joseki(&joseki::text::write_joseki(&read)), Ok(read));
    }
}

/// Lines of records, and patterns as text, which are written and read again the same.
pub fn check_go_patterns(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = records::parse_records(&text);
    if let Ok(read) = library::text::parse_library(&text) {
        assert_eq!(library::text::parse_library(&library::text::write_library(&read)), Ok(read));
    }
}

/// Piece counters and missed openings, which are written and read again the same, published players and names of openings.
pub fn check_othello_players(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(wpc) = text.parse::<Wpc>() {
        assert_eq!(wpc.to_string().parse::<Wpc>().unwrap(), wpc);
    }
    if let Ok(practice) = text.parse::<OpeningPractice>() {
        let _ = practice.due_positions();
        assert_eq!(practice.to_string().parse::<OpeningPractice>(), Ok(practice));
    }
    let _ = text.parse::<PublishedPlayer>();
    let _ = OpeningNames::parse(text);
}

/// Boards, transcripts, OBF, GGF, WTHOR and SGF of Othello, each by its own reader: what was read survives being written.
pub fn check_othello_texts(bytes: &[u8]) {
    check_wthor(bytes);
    if let Ok(reading) = read_collection(bytes) {
        for game in reading.collection.games.iter().filter_map(|tree| OthelloGame::read_main_line(tree).ok())
        {
            let Ok(position) = game.replay_moves(None) else { continue };
            let again = OthelloGame::read_main_line(&OthelloGame::from_position(&position).to_tree())
                .expect("a game of Othello");
            assert!(again.replay_moves(None) == Ok(position));
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        check_othello_text(text);
    }
}

fn check_wthor(bytes: &[u8]) {
    if let Ok(database) = WthorDatabase::from_bytes(bytes) {
        database.games.iter().for_each(|game| drop(game.replay()));
        let written = database.to_bytes().expect("what was read can be written");
        assert!(WthorDatabase::from_bytes(&written).expect("what was written can be read") == database);
    }
    for kind in [WthorNamesKind::Players, WthorNamesKind::Tournaments] {
        let Ok(names) = WthorNames::from_bytes(kind, bytes) else { continue };
        // A name that fills its last byte is read, but not written.
        if let Ok(written) = names.to_bytes(kind) {
            let again = WthorNames::from_bytes(kind, &written).expect("what was written can be read");
            assert!(again.names == names.names);
        }
    }
}

fn check_othello_text(text: &str) {
    if let Ok(position) = Position::from_text(text) {
        assert!(Position::from_text(&position.to_line()).as_ref() == Ok(&position));
        assert!(Position::from_text(&position.to_diagram()) == Ok(position));
    }
    if let Ok(game) = Position::from_transcript(text) {
        let again = Position::from_transcript(&game.to_transcript()).expect("a transcript");
        assert!(again.squares_played().eq(game.squares_played()));
    }
    if let Ok(problems) = obf::read_problems(text) {
        assert!(obf::read_problems(&obf::write_problems(&problems)) == Ok(problems));
    }
    if let Ok(games) = ggf::read_games(text) {
        games.iter().for_each(|game| drop(game.replay()));
        let again = ggf::read_games(&ggf::write_games(&games)).expect("what was written is GGF");
        assert!(again.len() == games.len());
    }
}

/// A position as people have it at hand: moves, boards of several programs, FEN, links. What was read is written so that it is read again.
pub fn check_othello_given(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(position) = Position::from_given(text) {
        assert!(Position::from_given(&position.to_line()).is_ok(), "{}", position.to_line());
    }
}

/// Openings of matches of Othello, as text and as SGF: all moves can be played, and there is a move after them.
pub fn check_othello_openings(bytes: &[u8]) {
    let settings = OthelloMatchSettings::default();
    let text = String::from_utf8_lossy(bytes);
    let read =
        [Openings::<Othello>::from_text(&text, &settings), Openings::<Othello>::from_sgf(bytes, &settings)];
    for openings in read.into_iter().flatten() {
        let Openings::List(list) = openings else { panic!("a file holds a list") };
        assert!(!list.is_empty());
        for moves in list {
            let mut position = Position::start();
            for mv in moves {
                position.play(mv).expect("an opening can be played");
            }
            assert!(!position.is_over());
        }
    }
}

/// Books of other programs, and players in files: a book that is read is written for other programs so that it is read again, and is then
/// written the same.
pub fn check_othello_files(bytes: &[u8]) {
    if let Ok(book) = Book::from_any_format(bytes) {
        for format in [BookFormat::Edax, BookFormat::Egaroucid] {
            // The first time links are lost or added that the other program has, or has not.
            let settled = write_and_read(&book, format);
            let written = settled.to_format(format);
            assert!(write_and_read(&settled, format).to_format(format) == written, "{format:?}");
        }
    }
    if let Ok(judge) = BoardJudge::from_bytes(bytes) {
        assert_eq!(judge.rank_moves(Board::START, ishi_othello::Color::Black).len(), 4);
    }
}

fn write_and_read(book: &Book, format: BookFormat) -> Book {
    Book::from_any_format(&book.to_format(format)).expect("what was written can be read")
}

/// Games that are asked for.
const GAMES: usize = 3;

/// An index of games is refused, or asked, as it is and with the checksums that it must have. One that is made of a WTHOR file is never refused.
pub fn check_othello_games_index(bytes: &[u8]) {
    let mut sealed = bytes.to_vec();
    seal_games_index(&mut sealed);
    for index in [bytes, sealed.as_slice()] {
        ask_games_index(index);
    }
    if let Ok(database) = WthorDatabase::from_bytes(bytes) {
        let index = build_games_index(&database.games);
        assert_eq!(index, seal_again(&index));
        let found = find_position_games(&mut Cursor::new(&index), Board::START, GAMES);
        let reached = found.expect("an index that was just made").results.games() as usize;
        assert!(reached <= database.games.len());
    }
}

fn seal_again(index: &[u8]) -> Vec<u8> {
    let mut again = index.to_vec();
    seal_games_index(&mut again);
    again
}

fn ask_games_index(bytes: &[u8]) {
    let after_a_move = Board::START.play_unchecked("f5".parse::<Square>().expect("a square"));
    for board in [Board::START, after_a_move] {
        let Ok(found) = find_position_games(&mut Cursor::new(bytes), board, GAMES) else { continue };
        let next: u32 = found.moves.iter().map(|played| played.results.games()).sum();
        assert!(found.games.len() <= GAMES && next <= found.results.games());
    }
}

/// A file of Othello in any format, by its name or by what is in it, and converted into every format that has a place for it.
pub fn check_othello_records(bytes: &[u8]) {
    for name in ["", "x.wtb", "x.obf", "x.ggf", "x.sgf", "x.txt"] {
        let Ok(records) = read_records(name, bytes, &WthorDirectory::default()) else { continue };
        assert!(!records.is_empty());
        for format in [
            OthelloFormat::Transcript,
            OthelloFormat::Sgf,
            OthelloFormat::Ggf,
            OthelloFormat::Wthor,
            OthelloFormat::Obf,
            OthelloFormat::Text,
        ] {
            let _ = write_records(format, &records);
        }
    }
}
