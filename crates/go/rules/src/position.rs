//! A game in progress: a board with its history, the rules, superko, komi, prisoners and undo.
//!
//! [`Position`] checks every move and says why one is illegal; [`Board`] does not, and is what search copies.
//! Either colour may play at any time, as GTP has it. Undo plays the game again from its setup without the last move,
//! which costs some microseconds: so a `Position` stays small (about 30 KB after 300 moves) and its clone cheap, and
//! the board is the one before the move in everything, the order of [`Board::empty_points`] too, on which playouts depend.

use std::fmt;

use ishi_words::{CodedError, ErrorFacts, facts};

use crate::board::{Board, Chain, SetupError};
use crate::color::{Cell, Color};
use crate::moves::Move;
use crate::point::{BoardSize, Point};
use crate::rules::{KoRule, Rules};
use crate::zobrist;

/// A board with history and rules.
///
/// ```
/// use ishi_go::{BoardSize, Color, Move, Position, Rules};
/// let size = BoardSize::square(9).unwrap();
/// let mut game = Position::new(size, Rules::CHINESE);
/// let e5 = size.parse_move("E5").unwrap();
/// assert_eq!(game.play(Color::Black, e5), Ok(0));
/// let error = game.play(Color::White, e5).unwrap_err();
/// assert_eq!(error.to_string(), "illegal move white E5: a black stone stands there");
/// assert_eq!(game.undo(), Some((Color::Black, e5)));
/// assert_eq!(game.board().empty_count(), 81);
/// ```
#[derive(Clone)]
pub struct Position {
    board: Board,
    rules: Rules,
    komi: f64,
    handicap: usize,
    to_move: Color,
    /// Stones that each colour has taken, by [`Color::index`].
    prisoners: [usize; 2],
    setup: Vec<(Color, Point)>,
    /// The side to move in the setup.
    first: Color,
    moves: Vec<(Color, Move)>,
    /// Board hashes: of the setup, then after each move.
    hashes: Vec<u64>,
    /// The side to move and the prisoners before each move, for undo.
    before: Vec<(Color, [usize; 2])>,
}

impl Position {
    /// An empty board; Black is to move and komi is what the rules have as default.
    pub fn new(size: BoardSize, rules: Rules) -> Position {
        Position::from_board(Board::new(size), rules, Vec::new(), Color::Black)
    }

    /// A position with stones on the board before the first move. Stones of Black are not taken as a handicap; see
    /// [`Position::place_handicap`] and [`Position::set_handicap`].
    ///
    /// ```
    /// # use ishi_go::{BoardSize, Color, Move, Point, Position, Rules};
    /// let size = BoardSize::square(9).unwrap();
    /// let stones = [(Color::Black, Point::new(4, 4))];
    /// let game = Position::from_setup(size, Rules::JAPANESE, stones, Color::White).unwrap();
    /// assert_eq!((game.to_move(), game.setup_stones()), (Color::White, &stones[..]));
    /// ```
    ///
    /// # Errors
    /// As [`Board::from_stones`]: a point outside, named twice, or a chain without a liberty.
    pub fn from_setup(
        size: BoardSize,
        rules: Rules,
        stones: impl IntoIterator<Item = (Color, Point)>,
        to_move: Color,
    ) -> Result<Position, SetupError> {
        let setup: Vec<_> = stones.into_iter().collect();
        let board = Board::from_stones(size, setup.iter().copied())?;
        Ok(Position::from_board(board, rules, setup, to_move))
    }

    fn from_board(board: Board, rules: Rules, setup: Vec<(Color, Point)>, to_move: Color) -> Position {
        Position {
            hashes: vec![board.hash()],
            board,
            rules,
            komi: rules.default_komi,
            handicap: 0,
            to_move,
            prisoners: [0; 2],
            setup,
            first: to_move,
            moves: Vec::new(),
            before: Vec::new(),
        }
    }

    /// The stones as they stand now.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Width and height.
    pub fn size(&self) -> BoardSize {
        self.board.size()
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Changes the rules from here on; komi, stones and history stay as they are.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// Points that White receives, without compensation for handicap stones.
    pub fn komi(&self) -> f64 {
        self.komi
    }

    /// Sets komi, in points.
    ///
    /// # Errors
    /// If it is not a finite number.
    pub fn set_komi(&mut self, komi: f64) -> Result<(), KomiError> {
        if !komi.is_finite() {
            return Err(KomiError(komi));
        }
        self.komi = komi;
        Ok(())
    }

    /// Number of Black's handicap stones, for White's compensation.
    pub fn handicap(&self) -> usize {
        self.handicap
    }

    /// Says how many of Black's stones are a handicap: for games read from records, whose stones stand already.
    pub fn set_handicap(&mut self, stones: usize) {
        self.handicap = stones;
    }

    /// Puts Black's handicap stones onto an empty board; White is then to move.
    ///
    /// # Errors
    /// If a move was made or a stone stands on the board, or if the stones cannot be set up; nothing is changed then.
    pub fn place_handicap(&mut self, points: &[Point]) -> Result<(), HandicapPlacementError> {
        if !self.moves.is_empty() || self.board.empty_count() != self.size().area() {
            return Err(HandicapPlacementError::NotEmpty);
        }
        let stones = points.iter().map(|&point| (Color::Black, point));
        let fresh = Position::from_setup(self.size(), self.rules, stones, Color::White)?;
        *self = Position { komi: self.komi, handicap: points.len(), ..fresh };
        Ok(())
    }

    /// The stones that stood before the first move, handicap stones among them.
    pub fn setup_stones(&self) -> &[(Color, Point)] {
        &self.setup
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// Whose turn it was in the setup, before the first move.
    pub fn first_to_move(&self) -> Color {
        self.first
    }

    /// Gives the turn to `color`.
    pub fn set_to_move(&mut self, color: Color) {
        self.to_move = color;
        if self.moves.is_empty() {
            self.first = color;
        }
    }

    /// The moves played since the setup.
    pub fn moves(&self) -> &[(Color, Move)] {
        &self.moves
    }

    /// The last move.
    ///
    /// ```
    /// # use ishi_go::{BoardSize, Color, Move, Point, Position, Rules};
    /// let size = BoardSize::square(9).unwrap();
    /// let mut game = Position::new(size, Rules::CHINESE);
    /// assert_eq!(game.last_move(), None);
    /// game.play(Color::Black, Move::Pass).unwrap();
    /// assert_eq!(game.last_move(), Some((Color::Black, Move::Pass)));
    /// ```
    pub fn last_move(&self) -> Option<(Color, Move)> {
        self.moves.last().copied()
    }

    /// Stones that `color` has taken from the opponent (a suicide counts for the opponent). Pass stones are not
    /// among them.
    ///
    /// ```
    /// # use ishi_go::{BoardSize, Color, Move, Point, Position, Rules};
    /// let size = BoardSize::square(9).unwrap();
    /// let mut game = Position::new(size, Rules::CHINESE);
    /// // White takes the stone in the corner.
    /// for (color, text) in [(Color::Black, "A1"), (Color::White, "A2"), (Color::Black, "E5"), (Color::White, "B1")] {
    ///     game.play(color, size.parse_move(text).unwrap()).unwrap();
    /// }
    /// assert_eq!((game.prisoners(Color::White), game.prisoners(Color::Black)), (1, 0));
    /// ```
    pub fn prisoners(&self, color: Color) -> usize {
        self.prisoners[color.index()]
    }

    /// Consecutive passes at the end of the moves.
    pub fn trailing_passes(&self) -> usize {
        self.moves.iter().rev().take_while(|(_, mv)| *mv == Move::Pass).count()
    }

    /// Passes made by `color` in the whole game.
    pub fn passes_by(&self, color: Color) -> usize {
        self.moves.iter().filter(|&&mv| mv == (color, Move::Pass)).count()
    }

    /// Has the game ended by passes? Moves can still be played: GTP has no end of game.
    ///
    /// ```
    /// # use ishi_go::{BoardSize, Color, Move, Point, Position, Rules};
    /// let size = BoardSize::square(9).unwrap();
    /// let mut game = Position::new(size, Rules::CHINESE);
    /// for color in Color::ALL {
    ///     assert!(!game.is_over());
    ///     game.play(color, Move::Pass).unwrap();
    /// }
    /// assert!(game.is_over());
    /// ```
    pub fn is_over(&self) -> bool {
        let last_is_black = matches!(self.moves.last(), Some((Color::Black, _)));
        self.trailing_passes() >= self.rules.passes && !(self.rules.white_passes_last && last_is_black)
    }

    /// Zobrist hash of the stones, as [`Board::hash`].
    pub fn hash(&self) -> u64 {
        self.board.hash()
    }

    /// Zobrist hash of the stones and the side to move.
    pub fn situation_hash(&self) -> u64 {
        match self.to_move {
            Color::Black => self.board.hash(),
            Color::White => self.board.hash() ^ zobrist::WHITE_TO_MOVE,
        }
    }

    /// May `color` make this move? A pass is always legal.
    ///
    /// # Errors
    /// The rule that forbids the move.
    pub fn check_move(&self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        let Move::Play(point) = mv else { return Ok(()) };
        let broken = |rule| Err(IllegalMove { color, point, rule });
        match self.board.cell(point) {
            Cell::Border => return broken(BrokenRule::Outside { size: self.size() }),
            Cell::Black => return broken(BrokenRule::Occupied { by: Color::Black }),
            Cell::White => return broken(BrokenRule::Occupied { by: Color::White }),
            Cell::Empty => {}
        }
        if !self.rules.suicide && self.board.is_suicide(color, point) {
            return broken(BrokenRule::Suicide);
        }
        if self.retakes_ko(color, point) {
            return broken(BrokenRule::Ko);
        }
        match self.repeated_move(color, point) {
            Some(move_number) => broken(BrokenRule::Superko { rule: self.rules.ko, move_number }),
            None => Ok(()),
        }
    }

    /// May `color` make this move?
    ///
    /// ```
    /// # use ishi_go::{BoardSize, Color, Move, Point, Position, Rules};
    /// let size = BoardSize::square(9).unwrap();
    /// let game = Position::new(size, Rules::CHINESE);
    /// assert!(game.is_legal(Color::Black, Move::Play(Point::new(4, 4))));
    /// assert!(!game.is_legal(Color::Black, Move::Play(Point::new(12, 4))), "outside");
    /// ```
    pub fn is_legal(&self, color: Color, mv: Move) -> bool {
        self.check_move(color, mv).is_ok()
    }

    /// All points where `color` may play, row by row from A1; a pass is legal besides.
    ///
    /// ```
    /// # use ishi_go::{BoardSize, Color, Move, Point, Position, Rules};
    /// let size = BoardSize::square(9).unwrap();
    /// let game = Position::new(size, Rules::CHINESE);
    /// assert_eq!(game.legal_moves(Color::Black).len(), 81);
    /// ```
    pub fn legal_moves(&self, color: Color) -> Vec<Point> {
        self.size().points().filter(|&point| self.is_legal(color, Move::Play(point))).collect()
    }

    /// Plays a move and gives the number of stones that left the board. The turn goes to the opponent of `color`.
    ///
    /// ```
    /// use ishi_go::{Color, Diagram, Move, Point, Rules};
    /// let diagram: Diagram = ". . .\n. . .\nX O .".parse().unwrap();
    /// let mut game = diagram.to_position(Rules::CHINESE, Color::White).unwrap();
    /// // White takes the stone in the corner.
    /// assert_eq!(game.play(Color::White, Move::Play(Point::new(0, 1))), Ok(1));
    /// let error = game.play(Color::Black, Move::Play(Point::new(0, 0))).unwrap_err();
    /// assert_eq!(error.to_string(), "illegal move black A1: suicide: its chain would have no liberty");
    /// ```
    ///
    /// # Errors
    /// The rule that forbids the move; nothing is changed then.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<usize, IllegalMove> {
        self.check_move(color, mv)?;
        self.before.push((self.to_move, self.prisoners));
        // Asked before the stone stands: afterwards it can no longer be seen whose stones are gone.
        let suicide = mv.point().is_some_and(|point| self.board.is_suicide(color, point));
        let captured = self.board.play_unchecked(color, mv);
        self.prisoners[prisoner_taker(color, suicide).index()] += captured;
        self.moves.push((color, mv));
        self.hashes.push(self.board.hash());
        self.to_move = !color;
        Ok(captured)
    }

    /// Takes the last move back and gives it; `None` at the setup.
    pub fn undo(&mut self) -> Option<(Color, Move)> {
        let undone = self.moves.pop()?;
        (self.to_move, self.prisoners) = self.before.pop()?;
        self.hashes.pop();
        self.board =
            Board::from_stones(self.size(), self.setup.iter().copied()).expect("it was set up so before");
        for &(color, mv) in &self.moves {
            self.board.play_unchecked(color, mv);
        }
        Some(undone)
    }

    /// Is this the immediate retaking of a ko? Filling one's own ko is not: the ban holds for the colour whose
    /// stone was taken.
    fn retakes_ko(&self, color: Color, point: Point) -> bool {
        self.board.ko_point() == Some(point)
            && point.neighbours().iter().any(|&n| self.board.cell(n) == Cell::from(!color))
    }

    /// The move after which the position stood that this move would bring back, if the superko rule forbids that;
    /// 0 is the setup. Positions are told apart by their 64-bit hashes.
    fn repeated_move(&self, color: Color, point: Point) -> Option<usize> {
        if self.rules.ko == KoRule::Simple {
            return None;
        }
        let hash = self.hash_after(color, point);
        // After this move it is the opponent's turn, so the same situation is one where it was not this colour's.
        let same_side = |n: usize| self.rules.ko == KoRule::Positional || self.side_to_move_after(n) != color;
        (0..self.hashes.len()).rev().find(|&n| self.hashes[n] == hash && same_side(n))
    }

    /// Whose turn it was after move `n`, if nobody gave the turn to another colour then.
    fn side_to_move_after(&self, n: usize) -> Color {
        if n == 0 { self.first } else { !self.moves[n - 1].0 }
    }

    /// Before which moves, counted from 1, the turn had been given to another colour than the one that follows from the moves, and to which.
    #[cfg(feature = "serde")]
    pub(crate) fn given_turns(&self) -> impl Iterator<Item = (usize, Color)> {
        let turns = self.before.iter().map(|&(turn, _)| turn).enumerate();
        turns.filter(move |&(n, turn)| turn != self.side_to_move_after(n)).map(|(n, turn)| (n + 1, turn))
    }

    /// The board's hash after a stone on an empty point, without playing it.
    fn hash_after(&self, color: Color, point: Point) -> u64 {
        let board = &self.board;
        let suicide = board.is_suicide(color, point);
        let victim = prisoner_taker(color, suicide).opponent();
        let mut removed: Vec<Chain> = Vec::new();
        for chain in point.neighbours().into_iter().filter_map(|n| board.chain(n)) {
            let loses =
                board.color(chain.head()) == Some(victim) && board.atari_liberty(chain) == Some(point);
            // A chain may touch the point on two sides, and taking its stones out of the hash twice would put them back.
            if loses && !removed.contains(&chain) {
                removed.push(chain);
            }
        }
        let stones = removed.iter().flat_map(|&chain| board.chain_stones(chain));
        let without = stones.fold(board.hash(), |hash, stone| hash ^ zobrist::stone_key(victim, stone));
        if suicide { without } else { without ^ zobrist::stone_key(color, point) }
    }
}

/// Who receives the stones that a move of `color` removes.
fn prisoner_taker(color: Color, suicide: bool) -> Color {
    if suicide { !color } else { color }
}

/// Why a move is illegal, and which.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IllegalMove {
    /// Who wanted to play.
    pub color: Color,
    /// Where.
    pub point: Point,
    /// What forbids it.
    pub rule: BrokenRule,
}

/// The rule that an [`IllegalMove`] breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BrokenRule {
    /// The board has no such point.
    Outside {
        /// The board.
        size: BoardSize,
    },
    /// A stone stands there.
    Occupied {
        /// Its colour.
        by: Color,
    },
    /// The move would leave its own chain without a liberty.
    Suicide,
    /// The move would retake a ko at once.
    Ko,
    /// The move would bring back an earlier position.
    Superko {
        /// Positional or situational.
        rule: KoRule,
        /// After which move that position stood; 0 is the setup.
        move_number: usize,
    },
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "illegal move {} {}: {}", self.color, self.point, self.rule)
    }
}

impl fmt::Display for BrokenRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BrokenRule::Outside { size } => write!(f, "this {size} board has no such point"),
            BrokenRule::Occupied { by } => write!(f, "a {by} stone stands there"),
            BrokenRule::Suicide => f.write_str("suicide: its chain would have no liberty"),
            BrokenRule::Ko => f.write_str("ko: the stone may not be retaken at once"),
            BrokenRule::Superko { rule, move_number } => {
                let name = if *rule == KoRule::Situational { "situational" } else { "positional" };
                match move_number {
                    0 => write!(f, "{name} superko: it would repeat the starting position"),
                    n => write!(f, "{name} superko: it would repeat the position after move {n}"),
                }
            }
        }
    }
}

impl std::error::Error for IllegalMove {}

impl CodedError for IllegalMove {
    fn facts(&self) -> ErrorFacts {
        let IllegalMove { color, point, rule } = self;
        match rule {
            BrokenRule::Outside { size } => facts!["go-illegal-outside", color, point, size],
            BrokenRule::Occupied { by } => facts!["go-illegal-occupied", color, point, by],
            BrokenRule::Suicide => facts!["go-illegal-suicide", color, point],
            BrokenRule::Ko => facts!["go-illegal-ko", color, point],
            BrokenRule::Superko { rule, move_number } => {
                let rule = if *rule == KoRule::Situational { "situational" } else { "positional" };
                match move_number {
                    0 => facts!["go-illegal-superko-of-start", color, point, rule],
                    number => facts!["go-illegal-superko", color, point, rule, number],
                }
            }
        }
    }
}

/// Komi must be finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KomiError(f64);

impl fmt::Display for KomiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid komi {}: komi must be a finite number of points such as 6.5", self.0)
    }
}

impl std::error::Error for KomiError {}

impl CodedError for KomiError {
    fn facts(&self) -> ErrorFacts {
        facts!["go-komi", komi = self.0]
    }
}

/// Handicap stones that cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandicapPlacementError {
    /// The board is not empty.
    NotEmpty,
    /// A stone lies outside, twice on a point, or without a liberty.
    Setup(SetupError),
}

impl From<SetupError> for HandicapPlacementError {
    fn from(error: SetupError) -> HandicapPlacementError {
        HandicapPlacementError::Setup(error)
    }
}

impl fmt::Display for HandicapPlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HandicapPlacementError::NotEmpty => {
                f.write_str("board not empty: handicap stones are placed before the first move")
            }
            HandicapPlacementError::Setup(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for HandicapPlacementError {}

impl CodedError for HandicapPlacementError {
    fn facts(&self) -> ErrorFacts {
        match self {
            HandicapPlacementError::NotEmpty => facts!["go-handicap-not-empty"],
            HandicapPlacementError::Setup(error) => error.facts(),
        }
    }
}
