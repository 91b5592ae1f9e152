//! A game: a board with colours and history. `play` checks and names the rule that is broken.

use std::fmt;

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
    color: Color,
    mv: Move,
    rule: BrokenRule,
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
}

impl IllegalMove {
    /// The rule that is broken.
    pub fn rule(&self) -> BrokenRule {
        self.rule
    }
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
        }
    }
}

impl std::error::Error for IllegalMove {}

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

    /// The discs of this colour, as a bitboard.
    pub fn discs(&self, color: Color) -> u64 {
        if color == self.to_move { self.board.player } else { self.board.opponent }
    }

    /// Black's discs minus White's; in a finished game the empty squares go to the winner.
    pub fn score(&self) -> i32 {
        let score = if self.is_over() { self.board.final_score() } else { self.board.difference() };
        if self.to_move == Color::Black { score } else { -score }
    }

    /// Has neither side a move?
    pub fn is_over(&self) -> bool {
        self.board.is_over()
    }

    /// The moves that may be played now: squares, or a pass, or none in a finished game.
    pub fn legal_moves(&self) -> Vec<Move> {
        let moves: Vec<Move> = crate::squares(self.board.moves()).map(Move::Play).collect();
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

    /// Plays a move.
    ///
    /// # Errors
    /// Names the rule that forbids it; the position is unchanged then.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if let Some(rule) = self.broken_rule(mv) {
            return Err(IllegalMove { color: self.to_move, mv, rule });
        }
        self.board = match mv {
            Move::Play(square) => self.board.play_unchecked(square),
            Move::Pass => self.board.pass(),
        };
        self.moves.push((self.to_move, mv));
        self.to_move = !self.to_move;
        Ok(())
    }

    fn broken_rule(&self, mv: Move) -> Option<BrokenRule> {
        let moves = self.board.moves();
        match mv {
            _ if self.is_over() => Some(BrokenRule::GameOver),
            Move::Pass if moves != 0 => Some(BrokenRule::MustPlay(Square::lowest(moves))),
            Move::Play(square) if self.board.empty() & square.bit() == 0 => Some(BrokenRule::Occupied),
            Move::Play(square) if moves & square.bit() == 0 => Some(BrokenRule::TurnsNothing),
            _ => None,
        }
    }

    /// Takes the last move back. `None` if there is none.
    pub fn undo(&mut self) -> Option<Move> {
        let (color, mv) = self.moves.pop()?;
        let (board, _) = self.start;
        self.board = self.moves.iter().fold(board, |board, &(_, mv)| match mv {
            Move::Play(square) => board.play_unchecked(square),
            Move::Pass => board.pass(),
        });
        self.to_move = color;
        Some(mv)
    }

    /// Passes for the side to move if it must; says whether it did. Records that leave passes out need this.
    pub fn pass_if_forced(&mut self) -> bool {
        self.board.moves() == 0 && self.play(Move::Pass).is_ok()
    }
}
