//! The parameters of `go-mcts`, and their texts: one table serves the command line, files and GTP.

use std::fmt::Display;
use std::str::FromStr;

use ishi_mcts::{FinalMove, Params as TreeParams, Selection};

use super::playout::PlayoutParams;
use super::priors::PriorParams;
use super::tabu::{TabuKind, TabuParams};

/// All parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// Playouts for a move where no other limit is given.
    pub playouts: u64,
    /// Threads that search.
    pub threads: usize,
    /// Resigns when the win rate is below this; 0: never.
    pub resign_below: f32,
    /// What is thought of moves before any playout.
    pub prior: PriorParams,
    /// The tree.
    pub tree: TreeParams,
    /// The playouts.
    pub playout: PlayoutParams,
    /// The tabu lists of leaves.
    pub tabu: TabuParams,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            playouts: 8000,
            threads: 1,
            resign_below: 0.1,
            prior: PriorParams::default(),
            tree: TreeParams::default(),
            playout: PlayoutParams::default(),
            tabu: TabuParams::of(TabuKind::None),
        }
    }
}

/// A parameter that can be written as text.
pub struct Setting {
    /// Its name, such as `playouts`.
    pub key: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Its value as text.
    pub get: fn(&Params) -> String,
    /// Sets it, or says what would be right.
    pub set: fn(&mut Params, &str) -> Result<(), String>,
}

/// A number within bounds.
fn number<T: FromStr + PartialOrd + Display>(text: &str, least: T, most: T) -> Result<T, String> {
    let inside = |number: &T| *number >= least && *number <= most;
    text.parse().ok().filter(inside).ok_or_else(|| format!("write a number from {least} to {most}"))
}

/// One of some words.
fn word<T: Copy>(text: &str, words: &[(&str, T)]) -> Result<T, String> {
    let found = words.iter().find(|(name, _)| *name == text);
    found.map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<&str> = words.iter().map(|&(name, _)| name).collect();
        format!("write one of {}", names.join(", "))
    })
}

/// The word for a value.
fn name<T: Copy + PartialEq>(value: T, words: &[(&str, T)]) -> String {
    words.iter().find(|&&(_, other)| other == value).map_or_else(String::new, |&(name, _)| name.to_string())
}

const SELECTIONS: [(&str, Selection); 4] = [
    ("ucb1", Selection::Ucb1),
    ("ucb1-tuned", Selection::Ucb1Tuned),
    ("rave", Selection::Rave),
    ("puct", Selection::Puct),
];

const FINAL_MOVES: [(&str, FinalMove); 3] =
    [("visits", FinalMove::Visits), ("win-rate", FinalMove::WinRate), ("lcb", FinalMove::Lcb)];

const YES_NO: [(&str, bool); 2] = [("yes", true), ("no", false)];

macro_rules! numeric {
    ($key:literal, $about:literal, $least:expr, $most:expr, $($path:ident).+) => {
        Setting {
            key: $key,
            about: $about,
            get: |params| params.$($path).+.to_string(),
            set: |params, text| { params.$($path).+ = number(text, $least, $most)?; Ok(()) },
        }
    };
}

macro_rules! worded {
    ($key:literal, $about:literal, $words:expr, $($path:ident).+) => {
        Setting {
            key: $key,
            about: $about,
            get: |params| name(params.$($path).+, &$words),
            set: |params, text| { params.$($path).+ = word(text, &$words)?; Ok(()) },
        }
    };
}

/// All settings, in the order in which they are shown.
pub const SETTINGS: &[Setting] = &[
    numeric!("playouts", "playouts for a move, where no other limit is given", 1, u64::MAX, playouts),
    numeric!("threads", "threads that search", 1, 256, threads),
    numeric!("resign", "resigns below this win rate; 0: never", 0.0, 1.0, resign_below),
    worded!("selection", "ucb1, ucb1-tuned, rave or puct", SELECTIONS, tree.selection),
    numeric!("exploration", "exploration constant C", 0.0, 100.0, tree.exploration),
    numeric!(
        "fpu",
        "value of moves not yet tried; above 1: all are tried first",
        0.0,
        10.0,
        tree.first_play_urgency
    ),
    numeric!("rave-bias", "constant b of RAVE's schedule", 0.0, 10.0, tree.rave_bias),
    numeric!("bias", "weight of the prior's progressive bias", 0.0, 1000.0, tree.bias),
    numeric!(
        "bias-growth",
        "the bias grows with visits to this power; 0.5: PUCT's",
        0.0,
        1.0,
        tree.bias_growth
    ),
    numeric!("amaf-horizon", "share of a playout's moves that count for RAVE", 0.0, 1.0, tree.amaf_horizon),
    numeric!("amaf-fade", "what later moves count less for RAVE", 0.0, 1.0, tree.amaf_fade),
    numeric!("widening", "moves considered at first; 0: all", 0, 1000, tree.widening_start),
    numeric!("widening-growth", "factor of visits for one more move", 1.0, 100.0, tree.widening_growth),
    numeric!("widening-visits", "visits before the first more", 0.0, 1e9, tree.widening_visits),
    numeric!("expand", "playouts after which a leaf is expanded", 1, u32::MAX, tree.expand_at),
    numeric!("virtual-loss", "losses that a thread on its way pretends", 0, 100, tree.virtual_loss),
    worded!("final", "visits, win-rate or lcb: how the move is chosen", FINAL_MOVES, tree.final_move),
    worded!("settle", "yes or no: stop when the choice is settled", YES_NO, tree.stop_when_settled),
    worded!(
        "learned",
        "yes or no: candidates have learned strengths, or all are alike",
        YES_NO,
        prior.learned
    ),
    numeric!("prior", "playouts that prior opinions are worth", 0.0, 10000.0, prior.weight),
    numeric!(
        "prior-slope",
        "win rate that opinions lose for each factor e in strength",
        0.0,
        1.0,
        prior.slope
    ),
    numeric!("lgrf", "last good replies: 0 (off), 1 or 2 moves back", 0, 2, playout.lgrf),
    numeric!("atari", "playouts: how often captures and escapes are looked for", 0.0, 1.0, playout.atari),
    numeric!("nakade", "playouts: how often vital points are", 0.0, 1.0, playout.nakade),
    numeric!(
        "two-liberties",
        "playouts: how often chains of two liberties are",
        0.0,
        1.0,
        playout.two_liberties
    ),
    numeric!("shapes", "playouts: how often 3x3 shapes are", 0.0, 1.0, playout.shapes),
    numeric!(
        "self-atari",
        "playouts: stones that chance may put into atari",
        0,
        usize::MAX,
        playout.self_atari
    ),
    numeric!("mercy", "playouts: share of the board that ends them; 0: never", 0.0, 1.0, playout.mercy),
    numeric!(
        "tenure",
        "length of tabu queues at the beginning of a game; 0: off",
        0,
        TabuParams::MAX_TENURE,
        tabu.tenure
    ),
    numeric!(
        "tabu-depth",
        "moves of a playout that tabu lists look at",
        0,
        TabuParams::MAX_DEPTH,
        tabu.depth
    ),
    Setting {
        key: "tabu",
        about: "none, moves, hash or hash-win: which tabu lists",
        get: |params| params.tabu.kind.name().to_string(),
        set: |params, text| {
            params.tabu.kind = text.parse().map_err(|_| "write none, moves, hash or hash-win".to_string())?;
            Ok(())
        },
    },
    numeric!("limit", "playouts: most moves, in boards", 1.0, 100.0, playout.limit),
];

impl Params {
    /// Sets a parameter from its text.
    ///
    /// # Errors
    /// If there is no such parameter, or the value is not one of its.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let setting = SETTINGS.iter().find(|setting| setting.key == key).ok_or_else(|| {
            let keys: Vec<&str> = SETTINGS.iter().map(|setting| setting.key).collect();
            format!("engine go-mcts has no parameter {key:?}: it has {}", keys.join(", "))
        })?;
        (setting.set)(self, value).map_err(|right| format!("{key}={value} is out of range: {right}"))
    }

    /// What differs from the defaults, as `key=value,key=value`.
    pub fn spec(&self) -> String {
        let usual = Params::default();
        let differing = SETTINGS.iter().filter(|setting| (setting.get)(self) != (setting.get)(&usual));
        differing
            .map(|setting| format!("{}={}", setting.key, (setting.get)(self)))
            .collect::<Vec<_>>()
            .join(",")
    }
}
