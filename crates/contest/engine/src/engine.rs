//! What an engine is: a position and limits in, a choice out.

use std::fmt;
use std::time::Duration;

use ishi_rng::Seed;
use ishi_work::{Clock, Stop, StoppedClock};

use crate::game::{Game, Go};

/// A player of a game. `Send`, so that the arena can play games in parallel.
pub trait Engine<G: Game = Go>: Send {
    /// The name in the catalog, such as `go-flat`.
    fn name(&self) -> &str;

    /// Parameters as the catalog reads them, such as `go-flat:playouts=500`.
    fn spec(&self) -> String;

    /// Everything random from now on follows from this seed and the position.
    fn set_seed(&mut self, seed: Seed);

    /// Chooses for `color`, whoever is to move in `position`. Ends early when `control` says so, and then gives the
    /// best choice so far. The choice is legal in `position`.
    fn choose(&mut self, position: &G::Position, color: G::Color, control: &mut Control<'_, G>) -> Choice<G>;

    /// Does it want to think in the opponent's time? If so, [`Engine::choose`] is called for the opponent meanwhile, without
    /// a limit, and what it finds serves the next choice.
    fn wants_to_ponder(&self) -> bool {
        false
    }

    /// Its parameters, for controllers that show and change them.
    fn settings(&self) -> Vec<EngineSetting> {
        Vec::new()
    }

    /// Changes a parameter in the middle of a game.
    ///
    /// # Errors
    /// Says what is wrong with key or value, and what would be right.
    fn set_param(&mut self, key: &str, _value: &str) -> Result<(), String> {
        Err(format!("engine {} has no parameter {key:?} that can be changed", self.name()))
    }
}

/// A parameter of an engine, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSetting {
    /// Its name, such as `playouts`.
    pub key: &'static str,
    /// Its value.
    pub value: String,
    /// What it is, in one line.
    pub about: &'static str,
}

/// What a player does in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineAction<G: Game = Go> {
    /// A stone, a disc or a pass.
    Move(G::Move),
    /// The game is given up.
    Resign,
}

/// `D4`, `pass` or `resign`.
impl<G: Game> fmt::Display for EngineAction<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineAction::Move(mv) => fmt::Display::fmt(mv, f),
            EngineAction::Resign => f.pad("resign"),
        }
    }
}

/// A choice and what it rests on.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<G: Game = Go> {
    /// What to do.
    pub action: EngineAction<G>,
    /// The last report of the search, empty for players that do not search.
    pub report: SearchReport<G>,
}

impl<G: Game> Choice<G> {
    /// A choice without a search behind it.
    pub fn without_search(mv: G::Move) -> Choice<G> {
        Choice { action: EngineAction::Move(mv), report: SearchReport::default() }
    }
}

/// The state of a search, best move first.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchReport<G: Game = Go> {
    /// Candidate moves, best first.
    pub moves: Vec<MoveReport<G>>,
    /// Playouts (or nodes) spent so far.
    pub playouts: u64,
    /// Win rate at the root for the side that chooses, 0 to 1.
    pub win_rate: f64,
    /// Mean score at the root for the side that chooses, in points, komi included; in Othello in discs.
    pub score: f64,
    /// Standard deviation of the playouts' scores, if there were two or more.
    pub score_deviation: Option<f64>,
    /// Points of the board with their mean ownership, -1 (opponent's) to 1 (the choosing side's); may be empty.
    pub ownership: Vec<(G::Place, f32)>,
}

/// Nothing found yet.
impl<G: Game> Default for SearchReport<G> {
    fn default() -> SearchReport<G> {
        SearchReport {
            moves: Vec::new(),
            playouts: 0,
            win_rate: 0.0,
            score: 0.0,
            score_deviation: None,
            ownership: Vec::new(),
        }
    }
}

impl<G: Game> SearchReport<G> {
    /// Has a move been looked at, or is there only one? A search that is stopped at once knows of none.
    pub fn knows_a_move(&self) -> bool {
        self.moves.len() == 1 || self.moves.iter().any(|told| told.visits > 0)
    }
}

/// What a search says of one move, seen from the side that chooses.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReport<G: Game = Go> {
    /// The move.
    pub mv: G::Move,
    /// Visits (or nodes).
    pub visits: u64,
    /// Win rate, 0 to 1.
    pub win_rate: f64,
    /// Lower confidence bound of the win rate, 0 to 1.
    pub lower_bound: f64,
    /// Mean score in points, komi included; in Othello in discs.
    pub score: f64,
    /// Standard deviation of the scores of the playouts that began with this move, if there were two or more.
    pub score_deviation: Option<f64>,
    /// Prior probability, 0 to 1.
    pub prior: f64,
    /// Expected continuation, this move first.
    pub variation: Vec<G::Move>,
    /// Visits of each move of the variation; empty if the search does not tell.
    pub variation_visits: Vec<u64>,
    /// As [`SearchReport::ownership`], over the playouts that began with this move; empty unless [`Control::move_ownership`] asks
    /// for it and the player has it.
    pub ownership: Vec<(G::Place, f32)>,
}

impl<G: Game> MoveReport<G> {
    /// A move of which nothing is known.
    pub fn unsearched_move(mv: G::Move) -> MoveReport<G> {
        MoveReport {
            mv,
            visits: 0,
            win_rate: 0.0,
            lower_bound: 0.0,
            score: 0.0,
            score_deviation: None,
            prior: 0.0,
            variation: Vec::new(),
            variation_visits: Vec::new(),
            ownership: Vec::new(),
        }
    }
}

/// When to stop thinking; the first limit that is reached ends the search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchLimits {
    /// Playouts (or nodes); `None`: as the engine's parameters say, or without end if there is a time.
    pub playouts: Option<u64>,
    /// Time from the start of the call.
    pub time: Option<Duration>,
    /// Think until stopped, whatever the engine's own parameters say.
    pub infinite: bool,
}

/// What an answer is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnswerPurpose {
    /// A move in a game, or an analysis of one: what wins most often.
    #[default]
    Play,
    /// A move that is not played: what gets most out of the position, whoever wins.
    Study,
}

/// What a search is given besides the position.
pub struct Control<'a, G: Game = Go> {
    /// When to stop.
    pub limits: SearchLimits,
    /// Where time comes from.
    pub clock: &'a (dyn Clock + Sync),
    /// Asked every few playouts, from any thread: stop now?
    pub stop: &'a (dyn Stop + Sync),
    /// Moves that may be chosen; `None`: all legal ones. A pass is always allowed if nothing else is.
    pub allowed: Option<&'a [G::Move]>,
    /// What the answer is for.
    pub purpose: AnswerPurpose,
    /// May the engine resign?
    pub may_resign: bool,
    /// Shall the report tell owners for each move too? Costs some speed.
    pub move_ownership: bool,
    /// Hears of the search every `report_every`, and once at its end.
    pub observer: &'a mut dyn FnMut(&SearchReport<G>),
    /// Time between reports.
    pub report_every: Duration,
}

/// A clock that stands still, for [`Control::with_limits`].
static STOPPED: StoppedClock = StoppedClock;

impl<'a, G: Game> Control<'a, G> {
    /// These limits, nobody listening, nobody stopping. Limits of time need a clock: set [`Control::clock`].
    pub fn with_limits(
        limits: SearchLimits,
        observer: &'a mut dyn FnMut(&SearchReport<G>),
    ) -> Control<'a, G> {
        Control {
            limits,
            clock: &STOPPED,
            stop: &|| false,
            allowed: None,
            purpose: AnswerPurpose::Play,
            may_resign: true,
            move_ownership: false,
            observer,
            report_every: Duration::from_secs(1),
        }
    }

    /// May this move be chosen, if it is legal?
    pub fn allows_move(&self, mv: G::Move) -> bool {
        self.allowed.is_none_or(|moves| moves.contains(&mv))
    }
}
