//! Where games begin: an empty board, some random moves, or a list.
//!
//! Both games of a pair have the same opening with colours swapped, so that an opening that favours one colour
//! favours both players alike.

use ishi_go::{Board, Move, Position, playout};
use ishi_rng::{Rng, Seed};
use ishi_sgf::{Action, GoGame};

use crate::settings::GameSettings;

/// The openings of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Openings {
    /// No moves are given.
    #[default]
    Empty,
    /// So many random moves, drawn anew for each pair: of some candidates the one that random playouts find the
    /// most balanced.
    Random(usize),
    /// The pairs take these in turn, and begin again after the last.
    List(Vec<Vec<Move>>),
}

/// Candidates for a random opening.
const CANDIDATES: u64 = 12;

/// Playouts for a candidate: a standard error of 6 %, enough to tell the balanced from the decided.
const PLAYOUTS: u32 = 64;

/// A list of openings that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct OpeningError {
    /// `line 3`, or `game 2`.
    pub place: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl OpeningError {
    fn new(place: String, message: impl std::fmt::Display) -> OpeningError {
        OpeningError { place, message: message.to_string() }
    }
}

impl Openings {
    /// Reads a list: one opening on a line, vertices with spaces between, Black (or White after handicap stones)
    /// first. Empty lines are skipped, and what stands after a `#`.
    ///
    /// # Errors
    /// A word that is no vertex, an illegal move, a game that is over, or no opening at all.
    ///
    /// ```
    /// use ishi_arena::{GameSettings, Openings};
    /// let list = Openings::from_text("# two openings\nE5 C3\nC3 G7 # corners\n", &GameSettings::default());
    /// assert!(matches!(list, Ok(Openings::List(list)) if list.len() == 2));
    /// let error = Openings::from_text("E5 E5", &GameSettings::default()).unwrap_err();
    /// assert_eq!(error.to_string(), "line 1: illegal move white E5: a black stone stands there");
    /// ```
    pub fn from_text(text: &str, settings: &GameSettings) -> Result<Openings, OpeningError> {
        let mut list = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let place = || format!("line {}", number + 1);
            let words = line.split('#').next().unwrap_or("").split_whitespace();
            let moves = words.map(|word| settings.size.parse_move(word)).collect::<Result<Vec<_>, _>>();
            let moves = moves.map_err(|error| OpeningError::new(place(), error))?;
            if !moves.is_empty() {
                check(&moves, settings).map_err(|error| OpeningError::new(place(), error))?;
                list.push(moves);
            }
        }
        Openings::list(list)
    }

    /// Reads a list from SGF: the main line of each game is an opening.
    ///
    /// # Errors
    /// No SGF, another board size, set-up stones, colours that do not alternate, or an illegal move.
    pub fn from_sgf(bytes: &[u8], settings: &GameSettings) -> Result<Openings, OpeningError> {
        let reading = ishi_sgf::read(bytes).map_err(|error| OpeningError::new("SGF".into(), error))?;
        let mut list = Vec::new();
        for (number, tree) in reading.collection.games.iter().enumerate() {
            let place = || format!("game {}", number + 1);
            let game = GoGame::read(tree).map_err(|error| OpeningError::new(place(), error))?;
            let moves = moves_of(&game, settings).map_err(|error| OpeningError::new(place(), error))?;
            check(&moves, settings).map_err(|error| OpeningError::new(place(), error))?;
            list.push(moves);
        }
        Openings::list(list)
    }

    fn list(list: Vec<Vec<Move>>) -> Result<Openings, OpeningError> {
        if list.is_empty() {
            return Err(OpeningError::new(
                "the file".into(),
                "no opening in it: write one on each line, such as E5 C3",
            ));
        }
        Ok(Openings::List(list))
    }

    /// The opening of pair `index`.
    pub fn of_pair(&self, index: u64, settings: &GameSettings, seed: Seed) -> Vec<Move> {
        match self {
            Openings::Empty => Vec::new(),
            Openings::Random(length) => random(*length, settings, seed.child("opening", index)),
            Openings::List(list) => {
                let place = index.checked_rem(list.len() as u64).unwrap_or(0) as usize;
                list.get(place).cloned().unwrap_or_default()
            }
        }
    }
}

/// The moves of a record, which must be a game from an empty board (or from the match's handicap stones).
fn moves_of(game: &GoGame, settings: &GameSettings) -> Result<Vec<Move>, String> {
    if game.size != settings.size {
        return Err(format!("its board is {}, the match is played on {}", game.size, settings.size));
    }
    let mut color = settings.start()?.to_move();
    let mut moves = Vec::new();
    for action in game.actions() {
        match action {
            Action::Setup(setup)
                if settings.handicap == 0 && !(setup.black.is_empty() && setup.white.is_empty()) =>
            {
                return Err("it sets up stones: openings are made of moves".to_string());
            }
            Action::Setup(_) => {}
            Action::Play(played) if played.color != color => {
                return Err(format!("move {} is by {}, expected {color}", moves.len() + 1, played.color));
            }
            Action::Play(played) => {
                moves.push(played.mv);
                color = !color;
            }
        }
    }
    Ok(moves)
}

/// Plays an opening through.
fn check(moves: &[Move], settings: &GameSettings) -> Result<(), String> {
    let mut position = settings.start()?;
    for &mv in moves {
        position.play(position.to_move(), mv).map_err(|error| error.to_string())?;
        if position.is_over() {
            return Err("the game is over at its end: leave the passes out".to_string());
        }
    }
    Ok(())
}

/// The most balanced of some random openings.
fn random(length: usize, settings: &GameSettings, seed: Seed) -> Vec<Move> {
    let Ok(start) = settings.start() else { return Vec::new() };
    let candidate = |number: u64| {
        let position = random_moves(start.clone(), length, &mut seed.stream("candidate", number));
        let bias = bias(&position, &mut seed.stream("balance", number));
        (bias, position)
    };
    let best = (0..CANDIDATES).map(candidate).min_by_key(|(bias, _)| *bias);
    best.map_or(Vec::new(), |(_, position)| position.moves().iter().map(|&(_, mv)| mv).collect())
}

/// Plays sensible moves (no own eyes filled, no suicide) while there are any.
fn random_moves(mut position: Position, length: usize, rng: &mut Rng) -> Position {
    for _ in 0..length {
        let color = position.to_move();
        let mut points = position.legal_moves(color);
        points.retain(|&point| position.board().is_sensible(color, point));
        let Some(&point) = rng.choose(&points) else { break };
        if position.play(color, Move::Play(point)).is_err() {
            break;
        }
    }
    position
}

/// How far from even random playouts find the position: wins of one side less those of the other.
fn bias(position: &Position, rng: &mut Rng) -> u32 {
    let board: &Board = position.board();
    let mut scratch = board.clone();
    let mut balance = 0_i32;
    for _ in 0..PLAYOUTS {
        scratch.copy_from(board);
        let lead =
            playout::uniform(&mut scratch, position.to_move(), playout::default_limit(board), rng).score;
        let winner = (f64::from(lead) - position.white_bonus()).partial_cmp(&0.0);
        balance += winner.map_or(0, |order| order as i32);
    }
    balance.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_openings_are_legal_differ_and_repeat() {
        let settings = GameSettings::default();
        let openings = Openings::Random(6);
        let of = |index| openings.of_pair(index, &settings, Seed::new(1));
        for index in 0..4 {
            assert_eq!(of(index).len(), 6);
            assert_eq!(check(&of(index), &settings), Ok(()));
            assert_eq!(of(index), of(index));
        }
        assert_ne!(of(0), of(1));
        assert_ne!(of(0), openings.of_pair(0, &settings, Seed::new(2)));
    }

    #[test]
    fn a_full_board_gives_what_it_has() {
        let settings = GameSettings::on(ishi_go::BoardSize::square(2).unwrap());
        let moves = Openings::Random(50).of_pair(0, &settings, Seed::new(1));
        assert!(moves.len() < 50);
        assert_eq!(check(&moves, &settings), Ok(()));
    }

    #[test]
    fn lists_are_taken_in_turn() {
        let settings = GameSettings::default();
        let list = Openings::from_text("A1\nB1\n\nC1", &settings).unwrap();
        let text = |index| format!("{:?}", list.of_pair(index, &settings, Seed::new(1)));
        assert_eq!([text(0), text(1), text(2), text(3)], ["[A1]", "[B1]", "[C1]", "[A1]"]);
    }

    #[test]
    fn wrong_lists_say_where() {
        let settings = GameSettings::default();
        let error = |text: &str| Openings::from_text(text, &settings).unwrap_err().to_string();
        assert_eq!(error("A1\nI9"), "line 2: invalid vertex \"I9\": column I is not used");
        assert_eq!(error("A1 pass pass"), "line 1: the game is over at its end: leave the passes out");
        assert!(error("# nothing\n").contains("no opening in it"));
        let sgf = |text: &str| Openings::from_sgf(text.as_bytes(), &settings).unwrap_err().to_string();
        assert!(sgf("(;SZ[19];B[aa])").contains("its board is 19x19, the match is played on 9x9"));
        assert!(sgf("(;SZ[9]AB[aa];W[bb])").contains("it sets up stones"));
        assert!(sgf("(;SZ[9];B[aa];B[bb])").contains("move 2 is by black, expected white"));
    }

    #[test]
    fn sgf_gives_an_opening_for_each_game() {
        let settings = GameSettings::default();
        let list = Openings::from_sgf(b"(;SZ[9];B[aa];W[bb])(;SZ[9];B[ee])", &settings).unwrap();
        assert_eq!(list, Openings::from_text("A9 B8\nE5", &settings).unwrap());
    }
}
