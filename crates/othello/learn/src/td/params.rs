//! What a learning run is made of.

use std::fmt;

use super::rate::LearningRate;
use super::squash::SquashFunction;

/// How the learning rate is set for a single weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepRule {
    /// The same for all.
    Plain,
    /// Temporal coherence: times |sum of the weight's errors| / sum of their sizes. While the errors agree, a weight moves
    /// fast; when they only scatter, it rests. Source: D. F. Beal and M. C. Smith, "Temporal coherence and prediction
    /// decay in TD learning", IJCAI 1999.
    Coherence,
}

/// Parameters of TD(lambda); [`fmt::Display`] prints them as annotated TOML.
#[derive(Clone, Debug, PartialEq)]
pub struct TdParams {
    /// Games of the whole run.
    pub games: u64,
    /// How far results reach back, 0 to 1: 0 learns from the next position only, 1 from the result only.
    pub lambda: f32,
    /// The probability of a random move while learning, of either side.
    pub epsilon: f64,
    /// The first plies of a game are random, 0 to so many; results do not reach back over them.
    pub opening: u32,
    /// The learning rate.
    pub rate: LearningRate,
    /// How it is set for a single weight.
    pub step: StepRule,
    /// The output.
    pub squash: SquashFunction,
    /// Is the target the mean over all moves that may come next, not the value of the one that came?
    pub expected: bool,
    /// Is the value of a board with the colours exchanged its negative? So in a piece counter.
    pub antisymmetric: bool,
    /// Games after which the network as it is joins the hall of fame.
    pub hall_every: u64,
    /// Members of the hall of fame; the oldest leaves.
    pub hall_size: usize,
}

impl Default for TdParams {
    /// The best that was found for networks: docs/notes/othello.md.
    fn default() -> TdParams {
        TdParams {
            games: 1_000_000,
            lambda: 0.7,
            epsilon: 0.2,
            opening: 8,
            rate: LearningRate { start: 2.0, end: 0.2, hold: 0.6 },
            step: StepRule::Coherence,
            squash: SquashFunction::Tanh,
            expected: true,
            antisymmetric: false,
            hall_every: 100_000,
            hall_size: 8,
        }
    }
}

impl fmt::Display for TdParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let step = if self.step == StepRule::Plain { "plain" } else { "coherence" };
        let squash = if self.squash == SquashFunction::Tanh { "tanh" } else { "linear" };
        writeln!(f, "games = {}  # of the whole run", self.games)?;
        writeln!(f, "lambda = {}  # how far results reach back", self.lambda)?;
        writeln!(f, "epsilon = {}  # probability of a random move", self.epsilon)?;
        writeln!(f, "opening = {}  # random plies at the start, at most", self.opening)?;
        writeln!(f, "rate = {}  # learning rate at first", self.rate.start)?;
        writeln!(f, "rate_end = {}  # learning rate at the end", self.rate.end)?;
        writeln!(f, "rate_hold = {}  # share of the run before it begins to fall", self.rate.hold)?;
        writeln!(f, "step = \"{step}\"  # of a single weight")?;
        writeln!(f, "output = \"{squash}\"")?;
        writeln!(f, "expected = {}  # targets are means over the next moves", self.expected)?;
        writeln!(f, "antisymmetric = {}  # exchanged colours, negative value", self.antisymmetric)?;
        writeln!(f, "hall_every = {}  # games between members of the hall of fame", self.hall_every)?;
        writeln!(f, "hall_size = {}  # its members", self.hall_size)
    }
}
