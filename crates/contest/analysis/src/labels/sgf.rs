//! Games as SGF, made into the records that positions are drawn from.

use ishi_go::{Color, Move};
use ishi_patterns::records::{RecordOrigin, RecordedGame};
use ishi_sgf::{GoGame, ReplayAction};

use ishi_words::collapse_whitespace;

/// Why a game makes no record. Records have black stones at the beginning, and moves by turns after them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum SgfRecordError {
    /// Nobody has moved.
    #[error("it has no moves")]
    NoMoves,
    /// Stones of White, or empty points, are set up.
    #[error("it sets up more than stones of Black")]
    Setup,
    /// Stones are set up after the first move.
    #[error("it sets up stones in the middle")]
    LateSetup,
    /// A side moves twice.
    #[error("a side moves twice in a row")]
    Turns,
    /// A move is off the board, on a stone, into a ko or a suicide.
    #[error("it has a move that is not legal by all rules")]
    Illegal,
    /// The board has more lines than the network and the joseki know.
    #[error("its board has more than 19 lines")]
    Large,
}

/// The record of a game's main line, with what a file of records says besides. Passes at the end are left out.
///
/// # Errors
/// What a record cannot say.
///
/// ```
/// use ishi_analysis::labels::sgf::record_from_game;
/// use ishi_sgf::GoGame;
/// let sgf = b"(;GM[1]SZ[9]KM[5.5]DT[2026-11-25]RE[W+3.5]BR[3k];B[ee];W[cc];B[];W[])";
/// let game = GoGame::read_main_line(&ishi_sgf::read_collection(sgf).unwrap().collection.games[0]).unwrap();
/// let (record, origin) = record_from_game(&game, "g1").unwrap();
/// assert_eq!(record.to_line(&origin), "g1\t-\t2026\t9\t5.5\t0\t-\tW+3.5\t3k\t?\tB\teecc");
/// ```
pub fn record_from_game(game: &GoGame, id: &str) -> Result<(RecordedGame, RecordOrigin), SgfRecordError> {
    let mut setup = Vec::new();
    let mut played: Vec<(Color, Move)> = Vec::new();
    for action in game.replay_actions() {
        match action {
            ReplayAction::Play(of) => played.push((of.color, of.mv)),
            // Whose turn it is shows in the moves.
            ReplayAction::Setup(of) if of.black.is_empty() && of.white.is_empty() && of.empty.is_empty() => {}
            ReplayAction::Setup(_) if !played.is_empty() => return Err(SgfRecordError::LateSetup),
            ReplayAction::Setup(of) if of.white.is_empty() && of.empty.is_empty() => {
                for &point in &of.black {
                    if !setup.contains(&point) {
                        setup.push(point);
                    }
                }
            }
            ReplayAction::Setup(_) => return Err(SgfRecordError::Setup),
        }
    }
    while played.last().is_some_and(|(_, mv)| *mv == Move::Pass) {
        played.pop();
    }
    if !ishi_judge::planes::size_fits(game.size) {
        return Err(SgfRecordError::Large);
    }
    let Some(&(first, _)) = played.first() else { return Err(SgfRecordError::NoMoves) };
    if played.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return Err(SgfRecordError::Turns);
    }
    let info = &game.info;
    let record = RecordedGame {
        id: game_name(id),
        line: 0,
        size: game.size,
        komi: info.komi.filter(|komi| (komi * 2.0).fract() == 0.0),
        setup,
        first,
        moves: played.into_iter().map(|(_, mv)| mv).collect(),
        winner: info.result.and_then(|result| result.winner()),
        year: info.date.as_deref().and_then(find_year),
    };
    record.check_legality().map_err(|_| SgfRecordError::Illegal)?;
    let ranks = [&info.black, &info.white].map(|player| player.rank.as_deref().map(collapse_whitespace));
    let result = info.result.map(|result| result.to_string());
    Ok((record, RecordOrigin { source: String::new(), result, ranks }))
}

/// The text as a game's name: lines that begin with `#` are no games.
fn game_name(text: &str) -> String {
    let name =
        collapse_whitespace(text.trim_start_matches(|letter: char| letter == '#' || letter.is_whitespace()));
    if name.is_empty() { "game".to_string() } else { name }
}

/// The first four digits that stand together: dates begin with the year.
fn find_year(date: &str) -> Option<u16> {
    let mut runs = date.split(|letter: char| !letter.is_ascii_digit());
    runs.find(|run| run.len() == 4).and_then(|run| run.parse().ok())
}

#[cfg(test)]
mod tests {
    use ishi_patterns::records;

    use super::*;

    fn read(sgf: &str) -> Result<(RecordedGame, RecordOrigin), SgfRecordError> {
        let reading = ishi_sgf::read_collection(sgf.as_bytes()).unwrap();
        record_from_game(&GoGame::read_main_line(&reading.collection.games[0]).unwrap(), "a\tb")
    }

    #[test]
    fn what_is_written_is_read_again() {
        for sgf in [
            "(;SZ[19]HA[2]AB[pd][dp]KM[0.5];W[dd];B[pp];W[];B[qq])",
            "(;SZ[9:7]KM[-3]RE[B+R]PL[W];W[aa];B[ig])",
            "(;SZ[9]KM[6.3]DT[]RE[Void];B[aa])",
            "(;SZ[9]AB[aa];AB[aa][bb]PL[W];W[cc];PL[B];B[gg])",
        ] {
            let (mut record, origin) = read(sgf).unwrap();
            let text = format!("{}\n{}\n", records::HEADER, record.to_line(&origin));
            record.line = 2;
            assert_eq!(records::parse_records(&text).unwrap(), [record], "{text}");
        }
    }

    #[test]
    fn names_are_names_that_are_read_again() {
        assert_eq!(["#1 a\tb", " ", "#", "g"].map(game_name), ["1 a b", "game", "game", "g"]);
    }

    #[test]
    fn what_a_record_cannot_say_is_told() {
        for (sgf, why) in [
            ("(;SZ[9])", SgfRecordError::NoMoves),
            ("(;SZ[9];B[];W[])", SgfRecordError::NoMoves),
            ("(;SZ[9]AW[aa];B[ee])", SgfRecordError::Setup),
            ("(;SZ[9];B[ee];AB[aa];W[cc])", SgfRecordError::LateSetup),
            ("(;SZ[9];B[ee];B[cc])", SgfRecordError::Turns),
            ("(;SZ[9];B[ee];W[ee])", SgfRecordError::Illegal),
            ("(;SZ[21];B[ee];W[ff])", SgfRecordError::Large),
        ] {
            assert_eq!(read(sgf).unwrap_err(), why, "{sgf}");
        }
    }
}
