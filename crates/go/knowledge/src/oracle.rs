//! What the knowledge cannot read itself it asks: is a group dead or alive?

use ishi_go::{Board, Color, Point};
use ishi_reading::{LifeReader, ReadingOutcome};

/// How a group stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupStrength {
    /// Its owner cannot save it.
    Dead,
    /// Who moves first decides.
    Critical,
    /// It has neither eyes nor much room to make them, nor a way out if the opponent moves first.
    Weak,
    /// It has no two eyes yet and could be attacked.
    Unsettled,
    /// It has no two eyes yet, but enough of eyes, of room for them, or of ways out.
    Stable,
    /// It lives.
    Alive,
}

/// How a group stands, and by which moves that is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fate {
    /// Dead, critical or alive; what lies between is never answered.
    pub strength: GroupStrength,
    /// The opponent's move that kills, where there is one.
    pub kill: Option<Point>,
    /// The owner's move that saves, where there is one.
    pub save: Option<Point>,
}

/// Somebody who knows the fate of groups: a search, or a reader.
pub trait Oracle {
    /// The fate of the group of this stone, if the oracle can say.
    fn fate(&mut self, board: &Board, stone: Point) -> Option<Fate>;

    /// The same for what is about to be said: with more thought, and none where that is not sure.
    fn sure_fate(&mut self, board: &Board, stone: Point) -> Option<Fate> {
        self.fate(board, stone)
    }

    /// Does the group of a stone live though its opponent moves first (`alive`), or is it dead though its owner does? With more thought, and
    /// false where that is not sure, if it is about to be said (`told`).
    fn is_settled(&mut self, board: &Board, stone: Point, alive: bool, told: bool) -> bool {
        let wanted = if alive { GroupStrength::Alive } else { GroupStrength::Dead };
        let fate = if told { self.sure_fate(board, stone) } else { self.fate(board, stone) };
        fate.is_some_and(|fate| fate.strength == wanted)
    }

    /// How the fight for a group goes on, if the opponent moves first (`attacking`) or the owner does; empty where that is not read.
    fn fight_sequence(&mut self, _board: &Board, _stone: Point, _attacking: bool) -> Vec<(Color, Point)> {
        Vec::new()
    }

    /// Might two chains of one colour be connected if their owner moves first? None: reading has to do.
    fn can_connect(&mut self, _board: &Board, _stones: [Point; 2]) -> Option<bool> {
        None
    }

    /// Can two chains of one colour be cut if their opponent moves first? None: reading has to do.
    fn can_cut(&mut self, _board: &Board, _stones: [Point; 2]) -> Option<bool> {
        None
    }

    /// Is the chain of a stone captured if its opponent moves first (`attacking`), or even if its owner does? None: reading has to do.
    fn falls_to_attack(&mut self, _board: &Board, _stone: Point, _attacking: bool) -> Option<bool> {
        None
    }
}

/// Nobody to ask: groups are judged by their looks.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoOracle;

impl Oracle for NoOracle {
    fn fate(&mut self, _: &Board, _: Point) -> Option<Fate> {
        None
    }
}

/// Moves that are read for a question.
const READ_MOVES: u32 = 2000;

/// Groups that are closed in are read, of others it says nothing. No playouts, no chance.
#[derive(Clone, Debug)]
pub struct ReadingOracle(LifeReader);

impl Default for ReadingOracle {
    fn default() -> Self {
        ReadingOracle(LifeReader::new(READ_MOVES))
    }
}

impl Oracle for ReadingOracle {
    /// A ko that needs a threat before anything counts for the other side.
    fn fate(&mut self, board: &Board, stone: Point) -> Option<Fate> {
        let kill = self.0.read_death(board, stone)?;
        if kill.outcome < ReadingOutcome::KoFirst {
            return Some(Fate { strength: GroupStrength::Alive, kill: None, save: None });
        }
        let save = self.0.read_life(board, stone)?;
        let is_saved = save.outcome >= ReadingOutcome::KoFirst;
        let strength = if is_saved { GroupStrength::Critical } else { GroupStrength::Dead };
        Some(Fate { strength, kill: kill.mv, save: save.mv.filter(|_| is_saved) })
    }

    fn fight_sequence(&mut self, board: &Board, stone: Point, attacking: bool) -> Vec<(Color, Point)> {
        self.0.read_sequence(board, stone, attacking)
    }
}
