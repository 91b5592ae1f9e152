//! Positions and games that the user gives.

use std::path::Path;

use ishi_othello::{Position, Square, ggf, looks_like_a_link, wthor};
use ishi_sgf::othello_records::OthelloRecord;
use ishi_sgf::{GameTree, OthelloGame};

use crate::context::Failure;
use crate::files;

/// A position: moves such as `f5d6c3`, `start`, a board of any of several programs, or a link.
pub(crate) fn parse_position(text: &str) -> Result<Position, Failure> {
    Position::from_given(text).map_err(|error| Failure::input(format!("{text:?}: {error}")))
}

/// A game with who played it, as far as the file says so, and Black's discs minus White's at its end.
type ScoredGame = (OthelloRecord, i32);

/// A game with who played it, as far as that is known: a file, `-` for standard input, or the moves themselves; `number` chooses one of
/// several, from 1.
pub(crate) fn read_record(text: &str, number: usize) -> Result<OthelloRecord, Failure> {
    let path = Path::new(text);
    if text != "-" && !path.exists() && is_given(text) {
        return parse_position(text).map(OthelloRecord::from_game);
    }
    let mut games = read_games(path)?;
    let count = games.len();
    if count == 0 {
        return Err(Failure::input(format!("{text}: there is no game in it: it must be {GAME_FORMATS}")));
    }
    if number == 0 || number > count {
        return Err(Failure::input(format!("{text}: there is no game {number}: the file has {count}")));
    }
    Ok(games.swap_remove(number - 1).0)
}

/// What a file of games must be.
const GAME_FORMATS: &str = "SGF, GGF, WTHOR (.wtb), or a game such as f5d6c3 on each line";

/// Moves, a link or a board, and no name of a file.
fn is_given(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty()
        && (looks_like_a_link(text) || starts_with_a_move(text) || Position::from_given(text).is_ok())
}

fn starts_with_a_move(text: &str) -> bool {
    text.get(..2).is_some_and(|square| square.parse::<Square>().is_ok())
}

/// Hears of every game of a file.
pub(crate) fn visit_games(path: &Path, hear: &mut dyn FnMut(&Position, i32)) -> Result<(), Failure> {
    read_games(path)?.iter().for_each(|(record, score)| hear(&record.game, *score));
    Ok(())
}

fn read_games(path: &Path) -> Result<Vec<ScoredGame>, Failure> {
    let bytes = files::read_unpacked(path)?;
    let name = path.to_string_lossy().to_lowercase();
    let is_wthor = name.strip_suffix(".gz").unwrap_or(&name).ends_with(".wtb");
    let games = if is_wthor { parse_wthor(&bytes) } else { parse_text(&bytes) };
    games.map_err(|error| Failure::in_file(path, error))
}

fn parse_wthor(bytes: &[u8]) -> Result<Vec<ScoredGame>, String> {
    let database = wthor::WthorDatabase::from_bytes(bytes).map_err(|error| error.to_string())?;
    let replay = |(index, game): (usize, &wthor::WthorGame)| {
        let position = game.replay().map_err(|error| format!("game {}: {error}", index + 1))?;
        Ok((OthelloRecord::from_game(position), game.score()))
    };
    database.games.iter().enumerate().map(replay).collect()
}

/// SGF, GGF, or transcripts, one a line.
fn parse_text(bytes: &[u8]) -> Result<Vec<ScoredGame>, String> {
    if is_sgf(bytes) {
        return parse_sgf(bytes);
    }
    let text =
        std::str::from_utf8(bytes).map_err(|_| format!("this is no text: it must be {GAME_FORMATS}"))?;
    if text.contains("(;") {
        return parse_ggf(text);
    }
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let replay = |(index, line): (usize, &str)| {
        let game = Position::from_transcript(line).map_err(|error| format!("line {}: {error}", index + 1))?;
        Ok((game.score(), game))
    };
    lines.map(|line| replay(line).map(|(score, game)| (OthelloRecord::from_game(game), score))).collect()
}

/// SGF and GGF both begin with `(;`; GGF names the game in words: `GM[Othello]`.
fn is_sgf(bytes: &[u8]) -> bool {
    let holds = |wanted: &[u8]| bytes.windows(wanted.len()).any(|part| part.eq_ignore_ascii_case(wanted));
    holds(b"(;") && !holds(b"GM[Othello]")
}

fn parse_sgf(bytes: &[u8]) -> Result<Vec<ScoredGame>, String> {
    let reading = ishi_sgf::read_collection(bytes).map_err(|error| error.to_string())?;
    let replay = |(index, tree): (usize, &GameTree)| {
        let error = |error: String| format!("game {}: {error}", index + 1);
        let game = OthelloGame::read_main_line(tree).map_err(|problem| error(problem.to_string()))?;
        let position = game.replay_moves(None).map_err(|problem| error(problem.to_string()))?;
        let score = position.score();
        let [black, white] = [game.info.black, game.info.white].map(|player| player.name.unwrap_or_default());
        Ok((OthelloRecord { black, white, ..OthelloRecord::from_game(position) }, score))
    };
    reading.collection.games.iter().enumerate().map(replay).collect()
}

fn parse_ggf(text: &str) -> Result<Vec<ScoredGame>, String> {
    let replay = |(index, game): (usize, ggf::GgfGame)| {
        let position = game.replay().map_err(|error| format!("game {}: {error}", index + 1))?;
        let score = game.result.map_or(position.score(), |result| result.score.round() as i32);
        let (black, white) = (game.black, game.white);
        Ok((OthelloRecord { black, white, ..OthelloRecord::from_game(position) }, score))
    };
    let games = ggf::read_games(text).map_err(|error| error.to_string())?;
    games.into_iter().enumerate().map(replay).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_transcripts_or_boards() {
        let board = "---------------------------OX------XO--------------------------- X";
        assert_eq!(parse_position(board).unwrap(), parse_position("start").unwrap());
        assert_eq!(parse_position("F5 D6").unwrap().to_move(), ishi_othello::Color::Black);
        let message = |text| parse_position(text).unwrap_err().to_string();
        assert!(message("f5i9").contains("\"f5i9\": byte 2"));
        assert!(message(&board[..60]).contains("squares"));
    }

    /// A board is no file that is missing: it is a game without moves.
    #[test]
    fn a_board_is_a_game_without_moves() {
        let board = Position::from_transcript("f5d6c3").unwrap().to_line();
        let record = read_record(&board, 1).unwrap();
        assert!(record.game.moves().is_empty() && record.game.to_line() == board);
        assert!(read_record("no-such-file", 1).is_err());
    }

    /// A link without a game is refused as such, also one that was copied without its beginning.
    #[test]
    fn links_are_no_files() {
        for link in ["https://example.org/game/17", "www.example.org/game/17", " WWW.example.org/game/17"] {
            let message = read_record(link, 1).unwrap_err().to_string();
            assert!(message.contains("no position in the link"), "{link}: {message}");
        }
        let record = read_record("www.example.org/board?kifu=f5d6c3", 1).unwrap();
        assert_eq!(record.game.to_transcript(), "f5d6c3");
    }

    /// Who gives nothing, as a script does whose variable is empty, has no game to be looked at.
    #[test]
    fn nothing_is_no_game() {
        for nothing in ["", " "] {
            assert!(read_record(nothing, 1).is_err(), "{nothing:?}");
        }
    }

    #[test]
    fn games_of_all_formats() {
        assert_eq!(parse_text(b"f5d6\n\nf5f6\n").unwrap().len(), 2);
        assert!(parse_text(b"f5d6\nf5f5\n").unwrap_err().starts_with("line 2: "));
        assert!(parse_text(b"\x7fELF\xff").unwrap_err().starts_with("this is no text: it must be SGF, GGF"));
        let mut game = Position::from_transcript("f5d6c3").unwrap();
        let ggf = ggf::GgfGame::from_position(&game).to_string();
        assert_eq!(parse_text(ggf.as_bytes()).unwrap()[0].0.game, game);
        let (record, _) = parse_text(b"(;GM[2]PB[Kuro]PW[Shiro];B[f5];W[d6];B[c3])").unwrap().remove(0);
        assert_eq!((record.black.as_str(), record.white.as_str()), ("Kuro", "Shiro"));
        assert_eq!(record.game, game);
        assert!(parse_text(b"(;GM[1];B[dd])").unwrap_err().contains("GM[1]"));
        let squares = game.squares_played().collect();
        let played = wthor::WthorGame {
            year: 2000,
            tournament: 0,
            black: 0,
            white: 0,
            result: 40,
            theoretical: 40,
            moves: squares,
        };
        let database =
            wthor::WthorDatabase { year: 2000, games: vec![played], ..wthor::WthorDatabase::default() };
        let games = parse_wthor(&database.to_bytes().unwrap()).unwrap();
        assert_eq!(games.len(), 1);
        assert_eq!((&games[0].0.game, games[0].1), (&game, 16));
        game.undo();
        assert_ne!(games[0].0.game, game);
        assert!(parse_wthor(b"short").is_err());
        assert!(parse_text(&[0xff, 0xfe]).is_err());
    }
}
