//! A game: a board with colours and history. `play` checks and names the rule that is broken.

use std::fmt;

use ishi_words::{CodedError, ErrorFacts, facts};

use crate::board::Board;
use crate::color::Color;
use crate::square::{Move, Square};

/// A position with the moves that led to it.
///
/// ```
/// use ishi_othello::{Color, Move, Position};
/// let mut game = Position::start();
/// game.play("f5".parse().unwrap()).unwrap();
/// assert_eq!(game.to_move(), Color::White);
/// let error = game.play(Move::Pass).unwrap_err();
/// assert_eq!(error.to_string(), "white may not pass: there are legal moves, such as f4");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    board: Board,
    to_move: Color,
    start: (Board, Color),
    moves: Vec<(Color, Move)>,
}

/// A move that the rules forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// Who wanted to play.
    pub color: Color,
    /// What.
    pub mv: Move,
    /// What forbids it.
    pub rule: BrokenRule,
}

/// Which rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenRule {
    /// There is a disc on the square.
    Occupied,
    /// The disc would turn nothing.
    TurnsNothing,
    /// A player with a legal move, such as this one, must play.
    MustPlay(Square),
    /// Neither side can move.
    GameOver,
    /// It is the other side's turn, which has a move.
    OtherTurn,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let IllegalMove { color, mv, rule } = self;
        match rule {
            BrokenRule::Occupied => write!(f, "{color} may not play {mv}: the square is occupied"),
            BrokenRule::TurnsNothing => write!(f, "{color} may not play {mv}: it turns no disc"),
            BrokenRule::MustPlay(square) => {
                write!(f, "{color} may not pass: there are legal moves, such as {square}")
            }
            BrokenRule::GameOver => write!(f, "{color} may not play {mv}: the game is over"),
            BrokenRule::OtherTurn => write!(f, "{color} may not play {mv}: it is {}'s turn", !*color),
        }
    }
}

impl std::error::Error for IllegalMove {}

impl CodedError for IllegalMove {
    fn facts(&self) -> ErrorFacts {
        let IllegalMove { color, mv, rule } = self;
        match rule {
            BrokenRule::Occupied => facts!["othello-illegal-occupied", color, mv],
            BrokenRule::TurnsNothing => facts!["othello-illegal-turns-nothing", color, mv],
            BrokenRule::MustPlay(square) => facts!["othello-illegal-pass", color, square],
            BrokenRule::GameOver => facts!["othello-illegal-game-over", color, mv],
            BrokenRule::OtherTurn => facts!["othello-illegal-other-turn", color, mv, other = !*color],
        }
    }
}

impl Position {
    /// The start of a game.
    pub fn start() -> Position {
        Position::from_board(Board::START, Color::Black)
    }

    /// A game that starts here, `to_move` being the side that `board` is seen by.
    pub fn from_board(board: Board, to_move: Color) -> Position {
        Position { board, to_move, start: (board, to_move), moves: Vec::new() }
    }

    /// The board, seen by the side to move.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Who is to move. In a finished game: who would be.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// The colour of the disc on this square.
    ///
    /// ```
    /// # use ishi_othello::{Board, Color, Move, Position, Square};
    /// let game = Position::start();
    /// assert_eq!(game.color("d4".parse().unwrap()), Some(Color::White));
    /// assert_eq!(game.color("a1".parse().unwrap()), None);
    /// ```
    pub fn color(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.discs(color) & square.bit() != 0)
    }

    /// The discs of this colour, as a bitboard.
    pub fn discs(&self, color: Color) -> u64 {
        if color == self.to_move { self.board.player } else { self.board.opponent }
    }

    /// Black's discs minus White's; in a finished game the empty squares go to the winner.
    ///
    /// ```
    /// # use ishi_othello::{Board, Color, Move, Position, Square};
    /// let f5: Square = "f5".parse().unwrap();
    /// let mut game = Position::start();
    /// game.play(Move::Play(f5)).unwrap();
    /// assert_eq!(game.score(), 4 - 1);
    /// ```
    pub fn score(&self) -> i32 {
        let score = if self.is_over() { self.board.final_score() } else { self.board.disc_difference() };
        if self.to_move == Color::Black { score } else { -score }
    }

    /// Has neither side a move?
    pub fn is_over(&self) -> bool {
        self.board.is_over()
    }

    /// The moves that may be played now: squares, or a pass, or none in a finished game.
    ///
    /// ```
    /// # use ishi_othello::{Board, Color, Move, Position, Square};
    /// let f5: Square = "f5".parse().unwrap();
    /// let moves = Position::start().legal_moves();
    /// assert!(moves.len() == 4 && moves.contains(&Move::Play(f5)));
    /// ```
    pub fn legal_moves(&self) -> Vec<Move> {
        let moves: Vec<Move> = crate::iter_squares(self.board.legal_moves()).map(Move::Play).collect();
        if moves.is_empty() && !self.is_over() { vec![Move::Pass] } else { moves }
    }

    /// The board and the side to move at the start of the history.
    pub fn setup(&self) -> (Board, Color) {
        self.start
    }

    /// The moves played, passes included, with who played them.
    pub fn moves(&self) -> &[(Color, Move)] {
        &self.moves
    }

    /// The last move, with who played it.
    pub fn last_move(&self) -> Option<(Color, Move)> {
        self.moves.last().copied()
    }

    /// May the side to move make this move?
    ///
    /// # Errors
    /// Names the rule that forbids it.
    pub fn check_move(&self, mv: Move) -> Result<(), IllegalMove> {
        match self.broken_rule(mv) {
            Some(rule) => Err(IllegalMove { color: self.to_move, mv, rule }),
            None => Ok(()),
        }
    }

    /// May the side to move make this move?
    ///
    /// ```
    /// # use ishi_othello::{Board, Color, Move, Position, Square};
    /// let game = Position::start();
    /// assert!(game.is_legal("f5".parse().unwrap()) && !game.is_legal(Move::Pass));
    /// assert_eq!(game.check_move(Move::Pass).unwrap_err().color, Color::Black);
    /// ```
    pub fn is_legal(&self, mv: Move) -> bool {
        self.check_move(mv).is_ok()
    }

    /// Plays a move.
    ///
    /// # Errors
    /// Names the rule that forbids it; the position is unchanged then.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.check_move(mv)?;
        self.board = match mv {
            Move::Play(square) => self.board.play_unchecked(square),
            Move::Pass => self.board.pass(),
        };
        self.moves.push((self.to_move, mv));
        self.to_move = !self.to_move;
        Ok(())
    }

    /// Plays a move as records have it: a pass that is forced may be left out, and one after the end is ignored.
    ///
    /// # Errors
    /// Names the rule that forbids the move; passes before it stay played.
    pub fn play_recorded(&mut self, mv: Move) -> Result<(), IllegalMove> {
        match mv {
            Move::Pass if self.is_over() => Ok(()),
            Move::Pass => self.play(mv),
            Move::Play(_) => {
                self.pass_if_forced();
                self.play(mv)
            }
        }
    }

    /// [`Position::play_recorded`] for a record that says who moves.
    ///
    /// ```
    /// # use ishi_othello::{Board, Color, Move, Position, Square};
    /// let f5: Square = "f5".parse().unwrap();
    /// let mut game = Position::start();
    /// assert!(game.play_recorded_by(Color::White, Move::Play(f5)).is_err(), "Black begins");
    /// assert!(game.play_recorded_by(Color::Black, Move::Play(f5)).is_ok());
    /// ```
    ///
    /// # Errors
    /// Names the rule that forbids the move, or says whose turn it is.
    pub fn play_recorded_by(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        if color != self.to_move {
            self.pass_if_forced();
        }
        if color != self.to_move && !self.is_over() {
            return Err(IllegalMove { color, mv, rule: BrokenRule::OtherTurn });
        }
        self.play_recorded(mv)
    }

    fn broken_rule(&self, mv: Move) -> Option<BrokenRule> {
        let moves = self.board.legal_moves();
        match mv {
            _ if self.is_over() => Some(BrokenRule::GameOver),
            Move::Pass if moves != 0 => Some(BrokenRule::MustPlay(Square::from_lowest_bit(moves))),
            Move::Play(square) if self.board.empty_squares() & square.bit() == 0 => {
                Some(BrokenRule::Occupied)
            }
            Move::Play(square) if moves & square.bit() == 0 => Some(BrokenRule::TurnsNothing),
            _ => None,
        }
    }

    /// Takes the last move back and gives it; `None` at the start.
    ///
    /// ```
    /// # use ishi_othello::{Board, Color, Move, Position, Square};
    /// let f5: Square = "f5".parse().unwrap();
    /// let mut game = Position::start();
    /// game.play(Move::Play(f5)).unwrap();
    /// assert_eq!(game.undo(), Some((Color::Black, Move::Play(f5))));
    /// assert_eq!(game, Position::start());
    /// ```
    pub fn undo(&mut self) -> Option<(Color, Move)> {
        let (color, mv) = self.moves.pop()?;
        let (board, _) = self.start;
        self.board = self.moves.iter().fold(board, |board, &(_, mv)| match mv {
            Move::Play(square) => board.play_unchecked(square),
            Move::Pass => board.pass(),
        });
        self.to_move = color;
        Some((color, mv))
    }

    /// Passes for the side to move if it must; says whether it did. Records that leave passes out need this.
    pub fn pass_if_forced(&mut self) -> bool {
        self.board.legal_moves() == 0 && self.play(Move::Pass).is_ok()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A game whose moves these numbers choose, passes included.
    pub(crate) fn random_game(choices: &[u8]) -> Position {
        let mut game = Position::start();
        for &choice in choices {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(moves[usize::from(choice) % moves.len()]).unwrap();
        }
        game
    }

    #[test]
    fn broken_rules_are_named() {
        let mut game = Position::start();
        let play = |game: &mut Position, text: &str| game.play(text.parse().unwrap()).map_err(|e| e.rule);
        assert_eq!(play(&mut game, "e4"), Err(BrokenRule::Occupied));
        assert_eq!(play(&mut game, "a1"), Err(BrokenRule::TurnsNothing));
        assert!(matches!(play(&mut game, "pass"), Err(BrokenRule::MustPlay(_))));
        let error = game.play_recorded_by(Color::White, "f5".parse().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "white may not play f5: it is black's turn");
        let mut over = Position::from_board(Board { player: 1, opponent: 0 }, Color::White);
        assert_eq!(play(&mut over, "b1"), Err(BrokenRule::GameOver));
        assert_eq!(over.play_recorded(Move::Pass), Ok(()));
        assert_eq!(over.score(), -64);
    }

    proptest! {
        #[test]
        fn play_then_undo_is_identity(choices in prop::collection::vec(any::<u8>(), 0..70)) {
            let game = random_game(&choices);
            for mv in game.legal_moves() {
                let mut other = game.clone();
                other.play(mv).unwrap();
                prop_assert_eq!(other.last_move(), Some((game.to_move(), mv)));
                prop_assert_eq!(other.undo(), Some((game.to_move(), mv)));
                prop_assert_eq!(&other, &game);
            }
            let mut back = game.clone();
            while back.undo().is_some() {}
            prop_assert_eq!(back, Position::start());
        }
    }
}
