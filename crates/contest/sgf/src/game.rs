//! A line of a record as a game of Go: its set-up and moves in board coordinates.
//!
//! Whether the moves are legal is not asked here; [`GoGame::replay_with`] puts them to whoever knows the rules.

use std::fmt;

use ishi_go::{BoardSize, Color, Move, Point};
use ishi_words::{CodedError, ErrorFacts, FactValue, facts};

use crate::info::{GameInfo, RecordSize};
use crate::points::{read_move, read_points};
use crate::tree::{GameTree, Node, NodeId};
use crate::warning::{FileLocation, WarningKind, Warnings};

/// Stones put down or taken away, and who is to play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordSetup {
    /// AB: points that get a black stone, each once.
    pub black: Vec<Point>,
    /// AW: points that get a white stone.
    pub white: Vec<Point>,
    /// AE: points that become empty.
    pub empty: Vec<Point>,
    /// PL.
    pub to_play: Option<Color>,
    /// Where the first of these stands in the file.
    pub place: FileLocation,
}

impl RecordSetup {
    /// Does it change nothing?
    pub fn is_empty(&self) -> bool {
        self.black.is_empty() && self.white.is_empty() && self.empty.is_empty() && self.to_play.is_none()
    }
}

/// A move of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// Who played.
    pub color: Color,
    /// The point, or a pass.
    pub mv: Move,
    /// Where it stands in the file.
    pub place: FileLocation,
}

/// One node of the line: its set-up comes first, then its moves (more than one if the record is wrong).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordStep {
    /// The node.
    pub node: NodeId,
    /// AB, AW, AE and PL.
    pub setup: RecordSetup,
    /// B and W in the order of the file.
    pub moves: Vec<PlayedMove>,
}

/// What to do next when a line is replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplayAction<'a> {
    /// Change stones.
    Setup(&'a RecordSetup),
    /// Play a move.
    Play(PlayedMove),
}

/// Why a game tree is no game of Go on a board of this workspace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GoError {
    /// GM says that it is another game.
    #[error("this is no game of Go: GM[{game}], Go is GM[1]")]
    OtherGame {
        /// The number of the game.
        game: u32,
    },
    /// The record's board is too large or too small.
    #[error(
        "no Go board of size {size}: a board must have {} to {} lines each way",
        BoardSize::MIN,
        BoardSize::MAX
    )]
    Size {
        /// The size.
        size: RecordSize,
    },
}

/// A move or set-up that could not be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} at {place}: {reason}")]
pub struct RecordReplayError {
    /// `move 12, white D4`, or `set-up after move 11`.
    pub what: String,
    /// Moves replayed before.
    pub moves: usize,
    /// Where it stands in the file.
    pub place: FileLocation,
    /// What the one who knows the rules said.
    pub reason: String,
    /// All of it as data.
    pub(crate) facts: ErrorFacts,
}

impl CodedError for GoError {
    fn facts(&self) -> ErrorFacts {
        match self {
            GoError::OtherGame { game } => facts!["sgf-no-go", game],
            GoError::Size { size } => {
                facts!["sgf-no-go-board", size, least = BoardSize::MIN, most = BoardSize::MAX]
            }
        }
    }
}

impl RecordReplayError {
    /// The error of a move, the first being number 1.
    pub(crate) fn on_move(
        number: usize,
        color: impl fmt::Display,
        mv: impl fmt::Display,
        place: FileLocation,
        (reason, told): (String, FactValue),
    ) -> RecordReplayError {
        let what = format!("move {number}, {color} {mv}");
        let facts = facts!["sgf-move", number, color, mv, place = place.facts(), reason = told];
        RecordReplayError { what, moves: number - 1, place, reason, facts }
    }

    /// The error of a set-up after so many moves.
    pub(crate) fn on_setup(
        moves: usize,
        place: FileLocation,
        (reason, told): (String, FactValue),
    ) -> RecordReplayError {
        let what = format!("set-up after move {moves}");
        let facts = facts!["sgf-setup", moves, place = place.facts(), reason = told];
        RecordReplayError { what, moves, place, reason, facts }
    }
}

impl CodedError for RecordReplayError {
    fn facts(&self) -> ErrorFacts {
        self.facts.clone()
    }
}

/// The words of an error, and what it says as data.
pub(crate) fn told_by(error: impl CodedError) -> (String, FactValue) {
    (error.to_string(), error.facts().into())
}

/// A line of a record, read as a game of Go.
///
/// ```
/// use ishi_sgf::GoGame;
/// let reading = ishi_sgf::read_collection(b"(;SZ[9]AB[cc][gg];W[ee];B[](;W[dd])(;W[ff]))").unwrap();
/// let game = GoGame::read_main_line(&reading.collection.games[0]).unwrap();
/// assert_eq!(game.steps[0].setup.black.len(), 2);
/// let moves: Vec<String> = game.moves().map(|m| format!("{} {}", m.color, m.mv)).collect();
/// assert_eq!(moves, ["white E5", "black pass", "white D6"]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GoGame {
    /// What the record says about the game.
    pub info: GameInfo,
    /// The board.
    pub size: BoardSize,
    /// The nodes of the line that set up stones or have moves, in their order.
    pub steps: Vec<RecordStep>,
    /// What was not as it should be.
    pub warnings: Warnings,
}

impl GoGame {
    /// Reads the main line.
    ///
    /// # Errors
    /// If the game is not Go, or there is no board of its size.
    pub fn read_main_line(tree: &GameTree) -> Result<GoGame, GoError> {
        GoGame::read_nodes(tree, tree.main_line().collect())
    }

    /// Reads the line that leads to `node`.
    ///
    /// # Errors
    /// If the game is not Go, or there is no board of its size.
    pub fn read_line_to(tree: &GameTree, node: NodeId) -> Result<GoGame, GoError> {
        GoGame::read_nodes(tree, tree.path_to(node))
    }

    fn read_nodes(tree: &GameTree, line: Vec<NodeId>) -> Result<GoGame, GoError> {
        let mut warnings = Warnings::new();
        let info = GameInfo::read_line(tree, line.iter().copied(), &mut warnings);
        if info.game != 1 {
            return Err(GoError::OtherGame { game: info.game });
        }
        let size = BoardSize::new(info.size.width.into(), info.size.height.into())
            .map_err(|_| GoError::Size { size: info.size })?;
        let steps = line.iter().map(|&id| read_step(size, id, tree.node(id), &mut warnings));
        let steps = steps.filter(|step| !step.setup.is_empty() || !step.moves.is_empty()).collect();
        let mut game = GoGame { info, size, steps, warnings };
        game.check_handicap(tree, &line);
        game.warnings.sort();
        Ok(game)
    }

    /// The moves of the line.
    pub fn moves(&self) -> impl Iterator<Item = PlayedMove> + '_ {
        self.steps.iter().flat_map(|step| step.moves.iter().copied())
    }

    /// Set-ups and moves in their order.
    pub fn replay_actions(&self) -> impl Iterator<Item = ReplayAction<'_>> {
        self.steps.iter().flat_map(|step| {
            let setup = Some(&step.setup).filter(|setup| !setup.is_empty()).map(ReplayAction::Setup);
            setup.into_iter().chain(step.moves.iter().copied().map(ReplayAction::Play))
        })
    }

    /// Puts every action to `apply` until one fails, and says where that stands in the file.
    ///
    /// # Errors
    /// If `apply` fails.
    ///
    /// ```
    /// use ishi_sgf::{ReplayAction, GoGame};
    /// let reading = ishi_sgf::read_collection(b"(;SZ[9];B[ee];W[ee])").unwrap();
    /// let game = GoGame::read_main_line(&reading.collection.games[0]).unwrap();
    /// let mut taken = Vec::new();
    /// let error = game.replay_with(|action| match action {
    ///     ReplayAction::Play(played) if taken.contains(&played.mv) => Err("the point is taken"),
    ///     ReplayAction::Play(played) => Ok(taken.push(played.mv)),
    ///     ReplayAction::Setup(_) => Ok(()),
    /// });
    /// assert_eq!(
    ///     error.unwrap_err().to_string(),
    ///     "move 2, white E5 at line 1, column 16 (byte 15): the point is taken"
    /// );
    /// ```
    pub fn replay_with<E: fmt::Display>(
        &self,
        mut apply: impl FnMut(ReplayAction<'_>) -> Result<(), E>,
    ) -> Result<(), RecordReplayError> {
        let mut moves = 0;
        for action in self.replay_actions() {
            let is_move = matches!(action, ReplayAction::Play(_));
            let failed = |error: E| {
                let told = (error.to_string(), FactValue::from(error));
                match action {
                    ReplayAction::Setup(setup) => RecordReplayError::on_setup(moves, setup.place, told),
                    ReplayAction::Play(m) => {
                        RecordReplayError::on_move(moves + 1, m.color, m.mv, m.place, told)
                    }
                }
            };
            apply(action).map_err(failed)?;
            moves += usize::from(is_move);
        }
        Ok(())
    }

    /// HA says how many stones are set up before the first move.
    fn check_handicap(&mut self, tree: &GameTree, line: &[NodeId]) {
        let Some(handicap) = self.info.handicap.filter(|&stones| stones >= 2) else { return };
        let opening = self.steps.iter().take_while(|step| step.moves.is_empty());
        let stones: usize = opening.map(|step| step.setup.black.len()).sum();
        if stones != handicap as usize {
            let place = line.iter().find_map(|&id| tree.node(id).property("HA")).map(|p| p.place());
            let found = format!("HA[{handicap}] and {stones} black stones before the first move");
            let done = "the stones that are set up count";
            self.warnings.add_warning(place.unwrap_or_default(), WarningKind::HandicapStones, found, done);
        }
    }
}

fn read_step(size: BoardSize, id: NodeId, node: &Node, warnings: &mut Warnings) -> RecordStep {
    let mut points = |name| read_list(size, node, name, warnings);
    let (black, white, empty) = (points("AB"), points("AW"), points("AE"));
    let mut properties = node.properties.iter();
    let first = properties.find(|p| matches!(p.ident().as_str(), "AB" | "AW" | "AE" | "PL"));
    let place = first.map_or(FileLocation::NONE, |property| property.place());
    let setup = RecordSetup { black, white, empty, to_play: read_player(node, warnings), place };
    warn_repeated_points(&setup, warnings);
    let moves = read_moves(size, node, warnings);
    if let Some(first) = moves.first().filter(|_| !setup.is_empty()) {
        let found = "set-up and move in one node";
        warnings.add_warning(first.place, WarningKind::SetupWithMove, found, "the set-up comes first");
    }
    if let Some(second) = moves.get(1) {
        let found = format!("{} moves in one node", moves.len());
        warnings.add_warning(second.place, WarningKind::TwoMoves, found, "played in the order of the file");
    }
    RecordStep { node: id, setup, moves }
}

/// Points that more than one list of a node names: a stone counts more than none, White's more than Black's (see [`crate::ReplayedGame`]).
fn warn_repeated_points(setup: &RecordSetup, warnings: &mut Warnings) {
    let RecordSetup { black, white, empty, place, .. } = setup;
    let mut warn = |point: &Point, lists: &str, done| {
        warnings.add_warning(*place, WarningKind::PointTwice, format!("{point} in {lists} of a node"), done);
    };
    for point in white.iter().filter(|point| black.contains(point)) {
        warn(point, "AB and AW", "the white stone is set up");
    }
    for point in empty.iter().filter(|point| black.contains(point) || white.contains(point)) {
        warn(point, "AE and AB or AW", "the stone is set up");
    }
}

/// The points of a list, each once, in the order of the file.
fn read_list(size: BoardSize, node: &Node, name: &str, warnings: &mut Warnings) -> Vec<Point> {
    let mut points = Vec::new();
    let mut seen = [false; Point::INDICES];
    for value in node.values(name) {
        read_points(size, value, warnings, |point| {
            if !std::mem::replace(&mut seen[point.index()], true) {
                points.push(point);
            }
        });
    }
    points
}

fn read_player(node: &Node, warnings: &mut Warnings) -> Option<Color> {
    let property = node.property("PL")?;
    let player = property.value().to_simple_text().trim().parse().ok();
    if player.is_none() {
        let done = "write B or W, left out";
        warnings.add_warning(property.place(), WarningKind::BadPlayer, property.to_string(), done);
    }
    player
}

fn read_moves(size: BoardSize, node: &Node, warnings: &mut Warnings) -> Vec<PlayedMove> {
    let mut moves = Vec::new();
    for property in &node.properties {
        let color = match property.ident().as_str() {
            "B" => Color::Black,
            "W" => Color::White,
            _ => continue,
        };
        for value in property.values() {
            let mv = read_move(size, value, warnings);
            moves.extend(mv.map(|mv| PlayedMove { color, mv, place: value.place() }));
        }
    }
    moves
}
