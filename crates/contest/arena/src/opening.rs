//! Where games begin: an empty board, some random moves, or a list.
//!
//! Both games of a pair have the same opening with colours swapped, so that an opening that favours one colour
//! favours both players alike.

use ishi_engine::Go;
use ishi_rng::Seed;

use crate::games::{MatchGame, MatchSettings};

/// The openings of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Openings<G: MatchGame = Go> {
    /// No moves are given.
    #[default]
    Empty,
    /// So many random moves, drawn anew for each pair: of some candidates the one that random playouts (in Othello: a
    /// short search) find the most balanced.
    Random(usize),
    /// The pairs take these in turn, and begin again after the last.
    List(Vec<Vec<G::Move>>),
}

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
    pub(crate) fn new(place: &str, message: impl std::fmt::Display) -> OpeningError {
        OpeningError { place: place.to_string(), message: message.to_string() }
    }
}

impl<G: MatchGame> Openings<G> {
    /// Reads a list: one opening on a line, Black (or White after handicap stones) first: vertices with spaces between,
    /// or in Othello a transcript such as `f5d6c3`. Empty lines are skipped, and what stands after a `#`.
    ///
    /// # Errors
    /// A word that is no move, an illegal move, a game that is over, or no opening at all.
    ///
    /// ```
    /// use ishi_arena::{GoMatchSettings, Openings};
    /// let list = <Openings>::from_text("# two openings\nE5 C3\nC3 G7 # corners\n", &GoMatchSettings::default());
    /// assert!(matches!(list, Ok(Openings::List(list)) if list.len() == 2));
    /// let error = <Openings>::from_text("E5 E5", &GoMatchSettings::default()).unwrap_err();
    /// assert_eq!(error.to_string(), "line 1: illegal move white E5: a black stone stands there");
    /// ```
    pub fn from_text(text: &str, settings: &G::Settings) -> Result<Openings<G>, OpeningError> {
        let mut list = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let read = || {
                let moves = G::parse_opening(settings, line.split('#').next().unwrap_or(""))?;
                check_opening::<G>(&moves, settings).map(|()| moves)
            };
            let moves = read().map_err(|error| OpeningError::new(&format!("line {}", number + 1), error))?;
            if !moves.is_empty() {
                list.push(moves);
            }
        }
        Openings::from_list(list)
    }

    /// Reads a list from SGF: the main line of each game is an opening.
    ///
    /// # Errors
    /// No SGF, another game or board size, set-up stones, colours that do not alternate, or an illegal move.
    pub fn from_sgf(bytes: &[u8], settings: &G::Settings) -> Result<Openings<G>, OpeningError> {
        let mut list = Vec::new();
        for (place, moves) in G::read_sgf_openings(bytes, settings)? {
            check_opening::<G>(&moves, settings).map_err(|error| OpeningError::new(&place, error))?;
            list.push(moves);
        }
        Openings::from_list(list)
    }

    fn from_list(list: Vec<Vec<G::Move>>) -> Result<Openings<G>, OpeningError> {
        if list.is_empty() {
            return Err(OpeningError::new(
                "the file",
                format!("no opening in it: write one on each line, such as {}", G::OPENING_EXAMPLE),
            ));
        }
        Ok(Openings::List(list))
    }

    /// The opening of pair `index`.
    pub fn opening_for_pair(&self, index: u64, settings: &G::Settings, seed: Seed) -> Vec<G::Move> {
        match self {
            Openings::Empty => Vec::new(),
            Openings::Random(length) => {
                G::random_opening(*length, settings, seed.child_seed("opening", index))
            }
            Openings::List(list) => {
                let place = index.checked_rem(list.len() as u64).unwrap_or(0) as usize;
                list.get(place).cloned().unwrap_or_default()
            }
        }
    }
}

/// Plays an opening through.
fn check_opening<G: MatchGame>(moves: &[G::Move], settings: &G::Settings) -> Result<(), String> {
    let mut position = settings.start_position()?;
    for &mv in moves {
        let color = G::to_move(&position);
        G::play_move(&mut position, color, mv)?;
        if G::is_over(&position) {
            return Err("the game is over at its end: leave the last moves out".to_string());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use ishi_engine::Othello;

    use super::*;
    use crate::{GoMatchSettings, OthelloMatchSettings};

    /// Openings of Go.
    type Openings = super::Openings<Go>;

    #[test]
    fn random_openings_are_legal_differ_and_repeat() {
        let settings = GoMatchSettings::default();
        let openings = Openings::Random(6);
        let of = |index| openings.opening_for_pair(index, &settings, Seed::new(1));
        for index in 0..4 {
            assert_eq!(of(index).len(), 6);
            assert_eq!(check_opening::<Go>(&of(index), &settings), Ok(()));
            assert_eq!(of(index), of(index));
        }
        assert_ne!(of(0), of(1));
        assert_ne!(of(0), openings.opening_for_pair(0, &settings, Seed::new(2)));
    }

    #[test]
    fn a_full_board_gives_what_it_has() {
        let settings = GoMatchSettings::for_board(ishi_go::BoardSize::square(2).unwrap());
        let moves = Openings::Random(50).opening_for_pair(0, &settings, Seed::new(1));
        assert!(moves.len() < 50);
        assert_eq!(check_opening::<Go>(&moves, &settings), Ok(()));
    }

    #[test]
    fn lists_are_taken_in_turn() {
        let settings = GoMatchSettings::default();
        let list = Openings::from_text("A1\nB1\n\nC1", &settings).unwrap();
        let text = |index| format!("{:?}", list.opening_for_pair(index, &settings, Seed::new(1)));
        assert_eq!([text(0), text(1), text(2), text(3)], ["[A1]", "[B1]", "[C1]", "[A1]"]);
    }

    #[test]
    fn wrong_lists_say_where() {
        let settings = GoMatchSettings::default();
        let error = |text: &str| Openings::from_text(text, &settings).unwrap_err().to_string();
        assert_eq!(error("A1\nI9"), "line 2: invalid vertex \"I9\": column I is not used");
        assert_eq!(error("A1 pass pass"), "line 1: the game is over at its end: leave the last moves out");
        assert!(error("# nothing\n").contains("no opening in it"));
        let sgf = |text: &str| Openings::from_sgf(text.as_bytes(), &settings).unwrap_err().to_string();
        assert!(sgf("(;SZ[19];B[aa])").contains("its board is 19x19, the match is played on 9x9"));
        assert!(sgf("(;SZ[9]AB[aa];W[bb])").contains("it sets up stones"));
        assert!(sgf("(;SZ[9];B[aa];B[bb])").contains("move 2 is by black, expected white"));
    }

    #[test]
    fn sgf_gives_an_opening_for_each_game() {
        let settings = GoMatchSettings::default();
        let list = Openings::from_sgf(b"(;SZ[9];B[aa];W[bb])(;SZ[9];B[ee])", &settings).unwrap();
        assert_eq!(list, Openings::from_text("A9 B8\nE5", &settings).unwrap());
    }

    #[test]
    fn random_openings_of_othello_are_legal_differ_and_are_about_even() {
        let settings = OthelloMatchSettings::default();
        let of =
            |index| super::Openings::<Othello>::Random(8).opening_for_pair(index, &settings, Seed::new(1));
        for index in 0..4 {
            assert_eq!(of(index).len(), 8);
            assert_eq!(check_opening::<Othello>(&of(index), &settings), Ok(()));
            assert_eq!(of(index), of(index));
        }
        assert_ne!(of(0), of(1));
        let long = super::Openings::<Othello>::Random(500).opening_for_pair(0, &settings, Seed::new(1));
        assert!(long.len() < 80, "the game ends before");
    }

    #[test]
    fn lists_of_othello_are_transcripts() {
        type Openings = super::Openings<Othello>;
        let settings = OthelloMatchSettings::default();
        let read = |text: &str| Openings::from_text(text, &settings);
        assert_eq!(read("f5d6c3\n\nF5 F6 # a line").unwrap(), read("f5 d6 c3\nf5f6").unwrap());
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert!(
            error("f5\nf5f5").starts_with("line 2: byte 2, move 2: white may not play f5"),
            "{}",
            error("f5\nf5f5")
        );
        assert!(error("f5x").starts_with("line 1: byte 2: \"x\" begins with no move"), "{}", error("f5x"));
        assert!(error("e6f4e3f6g5d6e7f5c5").contains("the game is over at its end"));
        assert!(error("").contains("such as f5d6c3"));
        let sgf = |text: &str| Openings::from_sgf(text.as_bytes(), &settings);
        assert_eq!(sgf("(;GM[2];B[fe];W[df])").unwrap(), read("f5d6").unwrap());
        assert_eq!(sgf("(;GM[2];B[f5];W[D6])").unwrap(), read("f5d6").unwrap());
        let error = |text: &str| sgf(text).unwrap_err().to_string();
        assert!(error("(;GM[1];B[fe])").starts_with("game 1: this is no game of Othello: GM[1]"));
        assert!(error("(;GM[2];W[fe])").starts_with("game 1: "), "{}", error("(;GM[2];W[fe])"));
        assert!(error("(;GM[2];B[a1])").contains("it turns no disc"), "{}", error("(;GM[2];B[a1])"));
        assert!(error("(;GM[2]AB[aa];B[fe])").contains("it sets up discs"));
    }
}
