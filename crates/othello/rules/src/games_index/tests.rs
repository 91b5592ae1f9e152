use super::build::{bucket_of_hash, hash_board};
use super::layout::{IndexLayout, SEALED_GAME, SEALED_POSITION};
use super::*;
use crate::color::Color;
use crate::position::Position;
use crate::symmetry::Symmetry;
use crate::wthor::WthorGame;
use ishi_rng::Seed;
use ishi_rng::damage::{try_damaged_copies, try_mixed_copies};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::io::{Cursor, SeekFrom};

/// The boards of a game, each seen by its side to move.
fn list_boards(moves: &[Square]) -> Vec<Board> {
    let mut position = Position::start();
    let mut boards = Vec::new();
    for ply in 0..=moves.len() {
        position.pass_if_forced();
        boards.push(position.board());
        if let Some(&square) = moves.get(ply) {
            position.play(crate::square::Move::Play(square)).unwrap();
        }
    }
    boards
}

/// Random games to their ends, half of them turned by a symmetry that leaves the start as it is.
fn random_games(count: u64) -> Vec<WthorGame> {
    let turn = Symmetry::ALL
        .into_iter()
        .find(|each| *each != Symmetry::IDENTITY && each.map_board(Board::START) == Board::START);
    let play = |number: u64| {
        let mut rng = Seed::new(3).stream("games", number / 2);
        let mut game = Position::start();
        while let Some(&mv) = rng.choose(&game.legal_moves()[..game.legal_moves().len().min(3)]) {
            game.play(mv).unwrap();
        }
        let turned = |square| if number % 2 == 1 { turn.unwrap().map_square(square) } else { square };
        let result = ((game.score() + 64) / 2) as u8;
        let moves = game.squares_played().map(turned).collect();
        let year = 1980 + (number % 40) as u16;
        WthorGame { year, tournament: 1, black: number as u16, white: 3, result, theoretical: 32, moves }
    };
    (0..count).map(play).collect()
}

/// The same without an index: every position of every game, replayed by the rules.
fn count_plainly(games: &[WthorGame], board: Board) -> (GameResults, BTreeMap<Board, GameResults>) {
    let wanted = board.canonical_form().0;
    let (mut results, mut moves) = (GameResults::default(), BTreeMap::<Board, GameResults>::new());
    for game in games {
        let mut position = Position::start();
        for ply in 0..=game.moves.len() {
            position.pass_if_forced();
            let here = position.board();
            let score = if position.to_move() == Color::Black { game.score() } else { -game.score() };
            let next = game.moves.get(ply);
            if here.canonical_form().0 == wanted {
                results.add_game(score);
                if let Some(&next) = next {
                    let child = here.play_unchecked(next).canonical_form().0;
                    moves.entry(child).or_default().add_game(score);
                }
            }
            if let Some(&next) = next {
                position.play(crate::square::Move::Play(next)).unwrap();
            }
        }
    }
    (results, moves)
}

#[test]
fn an_index_answers_as_plain_counting_does() {
    let games = random_games(120);
    let bytes = build_games_index(&games);
    let mut asked = 0;
    for game in games.iter().step_by(17) {
        for ply in (0..=game.moves.len()).step_by(7) {
            let boards = list_boards(&game.moves);
            let found = find_position_games(&mut Cursor::new(&bytes), boards[ply], 5).unwrap();
            let (results, moves) = count_plainly(&games, boards[ply]);
            assert_eq!(found.results, results, "ply {ply}");
            assert!(results.games() >= 2, "a game and its image");
            assert_eq!(found.moves.len(), moves.len());
            for each in &found.moves {
                let child = boards[ply].play_unchecked(each.square).canonical_form().0;
                assert_eq!(Some(&each.results), moves.get(&child));
            }
            assert!(found.moves.is_sorted_by_key(|each| std::cmp::Reverse(each.results.games())));
            assert!(found.games.is_sorted_by_key(|game| std::cmp::Reverse(game.year)));
            assert_eq!(found.games.len(), 5.min(results.games() as usize));
            asked += 1;
        }
    }
    assert!(asked > 50, "{asked}");
}

#[test]
fn results_are_for_the_side_to_move() {
    let moves: Vec<Square> = ["f5", "d6", "c3"].map(|text| text.parse().unwrap()).to_vec();
    let game =
        WthorGame { year: 2001, tournament: 0, black: 1, white: 2, result: 40, theoretical: 40, moves };
    let bytes = build_games_index(&[game]);
    let ask = |text: &str| {
        let board = Position::from_transcript(text).unwrap().board();
        find_position_games(&mut Cursor::new(&bytes), board, 1).unwrap()
    };
    assert_eq!(ask("").results, GameResults { won: 1, drawn: 0, lost: 0, discs: 16 });
    assert_eq!(ask("c4").results, GameResults { won: 0, drawn: 0, lost: 1, discs: -16 });
    assert_eq!((ask("f5").results.success(), ask("f5").results.mean_discs()), (Some(0.0), Some(-16.0)));
    assert_eq!(ask("").moves[0].square.to_string(), "f5", "one of four squares, and the usual one");
    assert_eq!(ask("f5d6c3").moves, []);
    assert_eq!(ask("f5f6"), PositionGames::default());
    assert_eq!(ask("f5f6").results.success(), None);
}

#[test]
fn games_with_wrong_moves_are_left_out() {
    let mut games = random_games(2);
    games[1].moves[0] = "a1".parse().unwrap();
    let bytes = build_games_index(&games);
    let found = find_position_games(&mut Cursor::new(&bytes), Board::START, 9).unwrap();
    assert_eq!(found.results.games(), 1);
}

#[test]
fn other_bytes_are_refused() {
    let bytes = build_games_index(&random_games(4));
    let ask = |bytes: &[u8]| find_position_games(&mut Cursor::new(bytes), Board::START, 1);
    assert!(ask(&bytes).is_ok());
    for wrong in [&bytes[..bytes.len() - 1], &bytes[1..], b"", &[0; 40]] {
        assert!(matches!(ask(wrong), Err(GamesIndexError::Damaged { .. })));
    }
    for version in [b"ISHIGAM1", b"ISHIGAM2"] {
        let older = [&version[..], &bytes[8..]].concat();
        let error = ask(&older).unwrap_err().to_string();
        assert!(
            error.starts_with("an index of games of an older version: byte 0: it must begin with ISHIGAM3"),
            "{error}"
        );
        assert!(
            error.contains("write it anew by `ishi othello games FILES --index INDEX --force`"),
            "{error}"
        );
    }
    let newer = ask(&[&b"ISHIGAM4"[..], &bytes[8..]].concat()).unwrap_err().to_string();
    assert!(newer.contains("byte 0: it must begin with ISHIGAM3"), "{newer}");
    assert!(newer.contains("write it anew by `ishi othello games FILES --index`"), "{newer}");
}

/// All that is asked of a file, or the first error.
fn ask_everything(bytes: &[u8], boards: &[Board]) -> Result<Vec<PositionGames>, GamesIndexError> {
    boards.iter().map(|board| find_position_games(&mut Cursor::new(bytes), *board, 9)).collect()
}

#[test]
fn a_damaged_index_is_refused_or_answers_the_same() {
    let games = random_games(40);
    let bytes = build_games_index(&games);
    let boards: Vec<Board> = games.iter().step_by(2).flat_map(|game| list_boards(&game.moves)).collect();
    let whole = ask_everything(&bytes, &boards).unwrap();
    let mut refused = 0;
    try_damaged_copies(&bytes, Seed::new(1), 200, |what, damaged| match ask_everything(damaged, &boards) {
        Ok(answers) => assert_eq!(answers, whole, "{what}"),
        Err(error) => {
            assert!(error.to_string().contains(": byte "), "{error}");
            refused += 1;
        }
    });
    assert!(refused > 140, "{refused}");
}

/// A question about a usual position does not read what was played in all its games.
#[test]
fn a_usual_position_is_answered_from_few_bytes() {
    struct CountedReads<'a>(Cursor<&'a [u8]>, usize);
    impl Read for CountedReads<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let read = self.0.read(buffer)?;
            self.1 += read;
            Ok(read)
        }
    }
    impl Seek for CountedReads<'_> {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }
    let bytes = build_games_index(&random_games(400));
    let mut index = CountedReads(Cursor::new(bytes.as_slice()), 0);
    let found = find_position_games(&mut index, Board::START, 5).unwrap();
    assert_eq!((found.results.games(), found.games.len()), (400, 5));
    // Head, way to the answer, 400 places, five games.
    assert!(index.1 < 4000, "{} of {} bytes", index.1, bytes.len());
    assert!(bytes.len() > 100_000, "{}", bytes.len());
}

/// One game more makes a position a usual one, and changes nothing else.
#[test]
fn usual_positions_begin_at_sixteen_games() {
    let all = random_games(80);
    let third = Position::from_transcript("f5d6c3").unwrap().board();
    for count in [USUAL - 1, USUAL, USUAL + 1] {
        let mut games = all[..count].to_vec();
        games.iter_mut().for_each(|game| game.year = 1990 + game.year % 3);
        let bytes = build_games_index(&games);
        let layout = IndexLayout::from_head(&bytes).unwrap();
        assert_eq!(layout.positions > 0, count >= USUAL, "{count}");
        for board in [Board::START, third] {
            let found = find_position_games(&mut Cursor::new(&bytes), board, count).unwrap();
            let (results, moves) = count_plainly(&games, board);
            assert_eq!((found.results, found.moves.len()), (results, moves.len()), "{count}");
            assert_eq!(found.games.len(), results.games() as usize);
        }
        // The latest first, and of one year as the files have them.
        games.sort_by_key(|game| std::cmp::Reverse(game.year));
        let found = find_position_games(&mut Cursor::new(&bytes), Board::START, count).unwrap();
        let listed: Vec<u16> = found.games.iter().map(|game| game.black).collect();
        assert_eq!(listed, games.iter().map(|game| game.black).collect::<Vec<u16>>());
    }
}

/// Parts of another index of the same size are whole in themselves, and refused here.
#[test]
fn parts_of_another_index_are_refused_or_change_nothing() {
    let mut games = random_games(40);
    let bytes = build_games_index(&games);
    let boards: Vec<Board> = games.iter().step_by(2).flat_map(|game| list_boards(&game.moves)).collect();
    let whole = ask_everything(&bytes, &boards).unwrap();
    // What was won is lost: nothing moves, and every answer is another one.
    games.iter_mut().for_each(|game| game.result = 64 - game.result);
    let before = build_games_index(&games);
    assert_eq!(before.len(), bytes.len());
    let mut refused = 0;
    try_mixed_copies(&bytes, &before, Seed::new(2), 60, |what, mixed| match ask_everything(mixed, &boards) {
        Ok(answers) => assert_eq!(answers, whole, "{what}"),
        Err(_) => refused += 1,
    });
    assert!(refused > 30, "{refused}");
}

fn swap_parts(bytes: &[u8], first: u64, second: u64, length: usize) -> Vec<u8> {
    let mut swapped = bytes.to_vec();
    (0..length).for_each(|byte| swapped.swap(first as usize + byte, second as usize + byte));
    swapped
}

/// What stands in the place of another part is whole in itself, and wrong there.
#[test]
fn exchanged_parts_are_refused() {
    let games = random_games(40);
    let bytes = build_games_index(&games);
    let layout = IndexLayout::from_head(&bytes).unwrap();
    let ask = |bytes: &[u8], board: Board| find_position_games(&mut Cursor::new(bytes), board, 40);
    let (first, third) = (layout.game_at(0), layout.game_at(2));
    let exchanged = swap_parts(&bytes, first, third, SEALED_GAME);
    let error = ask(&exchanged, Board::START).unwrap_err().to_string();
    assert!(error.contains(&format!("byte {third}: a game must fit its checksum")), "{error}");
    // The middle one is looked at first, whatever is asked.
    let middle = layout.position_at(layout.positions / 2);
    let exchanged = swap_parts(&bytes, layout.position_at(0), middle, SEALED_POSITION);
    let error = ask(&exchanged, Board::START).unwrap_err().to_string();
    assert!(error.contains(&format!("byte {middle}: a usual position must fit its checksum")), "{error}");
    let last = *list_boards(&games[0].moves).last().unwrap();
    let at = layout.bucket_at(bucket_of_hash(hash_board(last), layout.bits));
    let mut shifted = bytes;
    shifted[at as usize] ^= 1;
    let error = ask(&shifted, last).unwrap_err().to_string();
    assert!(error.contains(&format!("byte {at}: a bucket must")), "{error}");
}

/// Sealed by hand, but with numbers that no games have.
#[test]
fn answers_whose_numbers_do_not_fit_are_refused() {
    let bytes = build_games_index(&random_games(40));
    let layout = IndexLayout::from_head(&bytes).unwrap();
    // Of the first usual position: games won, the number of moves, the square of a move, a place.
    for (byte, to) in [(0, 255), (20, 200), (24, 99), (24, 0), (27, 1)] {
        let mut wrong = bytes.clone();
        wrong[layout.answer_at(0) as usize + byte] = to;
        seal_games_index(&mut wrong);
        let error = ask_everything(&wrong, &[first_usual_board(&bytes, layout)]).unwrap_err().to_string();
        assert!(error.contains("answer must"), "{byte}: {error}");
    }
}

fn first_usual_board(bytes: &[u8], layout: IndexLayout) -> Board {
    let at = layout.position_at(0) as usize;
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    Board { player: number(at + 8), opponent: number(at + 16) }
}

proptest! {
    #[test]
    fn damage_does_not_make_it_panic(at: prop::sample::Index, byte: u8, plies in 0usize..20) {
        let games = random_games(20);
        let mut bytes = build_games_index(&games);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        // As by hand: with the checksums that it must have.
        seal_games_index(&mut bytes);
        let boards = list_boards(&games[0].moves);
        let board = boards[plies.min(boards.len() - 1)];
        let _ = find_position_games(&mut Cursor::new(&bytes), board, 3);
    }
}
