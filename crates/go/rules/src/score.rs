//! Counting: area and territory, with the dead stones given.
//!
//! Who is dead is not for the rules to say: the caller names one stone (or more) of each dead chain, and whole chains
//! are taken off. An empty region then belongs to the colour whose stones alone border it; a region that both border
//! (dame) or nobody borders (the empty board) belongs to no one.
//!
//! Seki: area scoring counts eyes in seki like any others (Chinese, AGA, New Zealand, Tromp-Taylor). Territory
//! scoring does not (Japanese rules, article 8): the caller names the stones in seki, and regions that touch them do
//! not count. Whether a chain lives in seki depends on reading; where nobody says so, all surrounded points count, as
//! servers do it after neutral points are filled.

use std::fmt;

use ishi_words::{CodedError, ErrorFacts, facts};

use crate::board::Board;
use crate::color::{Cell, Color};
use crate::point::{BoardSize, Point};
use crate::position::Position;
use crate::rules::Scoring;

/// A result in points, positive if Black is ahead: komi and compensation are in it.
///
/// ```
/// use ishi_go::Score;
/// assert_eq!(Score(3.5).to_string(), "B+3.5");
/// assert_eq!(Score(-12.0).to_string(), "W+12");
/// assert_eq!(Score(0.0).to_string(), "0");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Score(pub f64);

impl Score {
    /// Who has won; `None` for a draw (jigo).
    pub fn winner(self) -> Option<Color> {
        if self.0 > 0.0 {
            Some(Color::Black)
        } else if self.0 < 0.0 {
            Some(Color::White)
        } else {
            None
        }
    }
}

/// `B+3.5`, `W+12`, or `0` for a draw, as GTP's `final_score` and SGF's `RE` write it.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner() {
            Some(color) => write!(f, "{}+{}", color.letter(), self.0.abs()),
            None => f.write_str("0"),
        }
    }
}

/// A list of dead or seki stones that does not fit the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadStonesError {
    /// No stone stands there.
    NoStone {
        /// The point that was named.
        point: Point,
    },
    /// The board has no such point.
    Outside {
        /// The point that was named.
        point: Point,
        /// The board.
        size: BoardSize,
    },
}

impl fmt::Display for DeadStonesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeadStonesError::NoStone { point } => {
                write!(f, "no stone at {point}: name a stone of each dead chain")
            }
            DeadStonesError::Outside { point, size } => write!(f, "{point} lies outside this {size} board"),
        }
    }
}

impl std::error::Error for DeadStonesError {}

impl CodedError for DeadStonesError {
    fn facts(&self) -> ErrorFacts {
        match self {
            DeadStonesError::NoStone { point } => facts!["go-no-stone", point],
            DeadStonesError::Outside { point, size } => facts!["go-point-outside", point, size],
        }
    }
}

/// Points by colour, and whose each point is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreTally {
    owners: Vec<Option<Color>>,
    points: [usize; 2],
}

impl ScoreTally {
    /// Points of `color`: of the map, and prisoners where they count.
    pub fn points(&self, color: Color) -> usize {
        self.points[color.index()]
    }

    /// Black's points minus White's, without komi.
    pub fn black_lead(&self) -> i32 {
        self.points[0] as i32 - self.points[1] as i32
    }

    /// Whose area or territory this point is.
    ///
    /// # Panics
    /// Never for points of a board; the index of any [`Point`] is in range.
    pub fn point_owner(&self, point: Point) -> Option<Color> {
        self.owners[point.index()]
    }
}

/// Counts area, all stones alive.
///
/// ```
/// use ishi_go::{Board, BoardSize, Color, Move, score};
/// let mut board = Board::new(BoardSize::square(5).unwrap());
/// assert_eq!(score::tally_area(&board).black_lead(), 0);
/// board.play_unchecked(Color::Black, Move::Play(board.size().parse_point("C3").unwrap()));
/// assert_eq!(score::tally_area(&board).black_lead(), 25);
/// ```
pub fn tally_area(board: &Board) -> ScoreTally {
    let cells = BoardCells::from_board(board);
    count_area(&cells)
}

/// Counts area after taking dead chains off; `dead` names one stone or more of each.
///
/// # Errors
/// If a point has no stone.
pub fn tally_area_with_dead(board: &Board, dead: &[Point]) -> Result<ScoreTally, DeadStonesError> {
    let mut cells = BoardCells::from_board(board);
    cells.remove_chains(board, dead)?;
    Ok(count_area(&cells))
}

/// Counts territory and prisoners, dead stones included; `dead` names one stone or more of each dead chain. Pass stones
/// count where the position's rules have them.
///
/// # Errors
/// If a point has no stone.
pub fn tally_territory(position: &Position, dead: &[Point]) -> Result<ScoreTally, DeadStonesError> {
    tally_territory_with_seki(position, dead, &[])
}

/// [`tally_territory`], where regions that touch one of the chains in `seki` do not count.
///
/// # Errors
/// If a point of either list has no stone.
pub fn tally_territory_with_seki(
    position: &Position,
    dead: &[Point],
    seki: &[Point],
) -> Result<ScoreTally, DeadStonesError> {
    let board = position.board();
    let in_seki = mark_chains(board, seki)?;
    let mut cells = BoardCells::from_board(board);
    let removed = cells.remove_chains(board, dead)?;
    let mut tally = ScoreTally { owners: vec![None; Point::INDICES], points: [0; 2] };
    for region in cells.empty_regions() {
        if !region.border.iter().any(|stone| in_seki[stone.index()]) {
            tally.add_region(&region.points, region.owner);
        }
    }
    for color in Color::ALL {
        // A pass stone is handed over as a prisoner, so it is the opponent's passes that count.
        let passes = if position.rules().pass_stones { position.passes_by(!color) } else { 0 };
        tally.points[color.index()] += position.prisoners(color) + removed[color.opponent().index()] + passes;
    }
    Ok(tally)
}

impl Position {
    /// Counts by the position's rules, dead chains off, without komi.
    ///
    /// # Errors
    /// If a point of `dead` has no stone.
    pub fn tally_points(&self, dead: &[Point]) -> Result<ScoreTally, DeadStonesError> {
        self.tally_points_with_seki(dead, &[])
    }

    /// The same, where regions that touch one of the chains in `seki` count only by area.
    ///
    /// # Errors
    /// If a point of either list has no stone.
    pub fn tally_points_with_seki(
        &self,
        dead: &[Point],
        seki: &[Point],
    ) -> Result<ScoreTally, DeadStonesError> {
        match self.rules().scoring {
            Scoring::Area => tally_area_with_dead(self.board(), dead),
            Scoring::Territory => tally_territory_with_seki(self, dead, seki),
        }
    }

    /// The result by the position's rules: points, komi and compensation for handicap stones.
    ///
    /// ```
    /// use ishi_go::{Color, Diagram, Rules};
    /// let diagram: Diagram = ". . X O .\n. . X O .\n. . X O .\n. . X O .\n. . X O .".parse().unwrap();
    /// let game = diagram.to_position(Rules::CHINESE, Color::Black).unwrap();
    /// // Fifteen points against ten, and 7.5 for White.
    /// assert_eq!(game.final_score(&[]).unwrap().to_string(), "W+2.5");
    /// ```
    ///
    /// # Errors
    /// If a point of `dead` has no stone.
    pub fn final_score(&self, dead: &[Point]) -> Result<Score, DeadStonesError> {
        Ok(self.score_with_komi(&self.tally_points(dead)?))
    }

    /// The result of a count: komi and compensation for handicap stones taken off Black's lead.
    pub fn score_with_komi(&self, tally: &ScoreTally) -> Score {
        Score(f64::from(tally.black_lead()) - self.white_bonus())
    }

    /// What White receives before the count: komi and compensation for handicap stones.
    pub fn white_bonus(&self) -> f64 {
        self.komi() + self.rules().compensation.points_for(self.handicap()) as f64
    }
}

impl ScoreTally {
    fn add_region(&mut self, points: &[Point], owner: Option<Color>) {
        let Some(color) = owner else { return };
        self.points[color.index()] += points.len();
        for point in points {
            self.owners[point.index()] = owner;
        }
    }
}

fn count_area(cells: &BoardCells) -> ScoreTally {
    let mut tally = ScoreTally { owners: vec![None; Point::INDICES], points: [0; 2] };
    for point in cells.size.points() {
        tally.add_region(&[point], cells.cell_at(point).color());
    }
    for region in cells.empty_regions() {
        tally.add_region(&region.points, region.owner);
    }
    tally
}

/// The cells of a board from which stones can be taken.
struct BoardCells {
    size: BoardSize,
    cells: Vec<Cell>,
}

/// Connected empty points.
struct ScoredRegion {
    points: Vec<Point>,
    /// The stones beside it, some of them several times.
    border: Vec<Point>,
    /// The only colour beside it.
    owner: Option<Color>,
}

impl BoardCells {
    fn from_board(board: &Board) -> BoardCells {
        let mut cells = vec![Cell::Border; Point::INDICES];
        for point in board.size().points() {
            cells[point.index()] = board.cell(point);
        }
        BoardCells { size: board.size(), cells }
    }

    fn cell_at(&self, point: Point) -> Cell {
        self.cells[point.index()]
    }

    /// Takes the chains of these stones off and gives the number of stones by colour.
    fn remove_chains(&mut self, board: &Board, dead: &[Point]) -> Result<[usize; 2], DeadStonesError> {
        let chosen = mark_chains(board, dead)?;
        let mut removed = [0; 2];
        for point in self.size.points().filter(|point| chosen[point.index()]) {
            if let Some(color) = self.cell_at(point).color() {
                removed[color.index()] += 1;
                self.cells[point.index()] = Cell::Empty;
            }
        }
        Ok(removed)
    }

    fn empty_regions(&self) -> Vec<ScoredRegion> {
        let mut seen = vec![false; Point::INDICES];
        let mut regions = Vec::new();
        for start in self.size.points() {
            if self.cell_at(start) == Cell::Empty && !seen[start.index()] {
                regions.push(self.flood_region(start, &mut seen));
            }
        }
        regions
    }

    /// The region of an empty point, by flood fill.
    fn flood_region(&self, start: Point, seen: &mut [bool]) -> ScoredRegion {
        let mut points = vec![start];
        let mut border = Vec::new();
        seen[start.index()] = true;
        let mut next = 0;
        while next < points.len() {
            for neighbour in points[next].neighbours() {
                match self.cell_at(neighbour) {
                    Cell::Empty if !seen[neighbour.index()] => {
                        seen[neighbour.index()] = true;
                        points.push(neighbour);
                    }
                    Cell::Black | Cell::White => border.push(neighbour),
                    Cell::Empty | Cell::Border => {}
                }
            }
            next += 1;
        }
        let touches = |color| border.iter().any(|&stone| self.cell_at(stone) == color);
        let owner = match (touches(Cell::Black), touches(Cell::White)) {
            (true, false) => Some(Color::Black),
            (false, true) => Some(Color::White),
            _ => None,
        };
        ScoredRegion { points, border, owner }
    }
}

/// By point index: does the stone belong to a chain of which a stone is named?
fn mark_chains(board: &Board, named: &[Point]) -> Result<Vec<bool>, DeadStonesError> {
    let mut chosen = vec![false; Point::INDICES];
    for &point in named {
        if board.cell(point) == Cell::Border {
            return Err(DeadStonesError::Outside { point, size: board.size() });
        }
        let chain = board.chain(point).ok_or(DeadStonesError::NoStone { point })?;
        for stone in board.chain_stones(chain) {
            chosen[stone.index()] = true;
        }
    }
    Ok(chosen)
}
