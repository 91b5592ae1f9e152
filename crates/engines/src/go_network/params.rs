//! Parameters of the player, as text.

use std::fmt::Display;
use std::str::FromStr;

use ishi_mcts::JudgedParams;

/// Parameters of a [`super::NetworkPlayer`].
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkParams {
    /// Positions judged for a move, where no other limit is given; 1 and more.
    pub visits: u64,
    /// Resigns below this chance to win; 0: never.
    pub resign_below: f64,
    /// Keep what the last search found of the game's next position.
    pub reuse: bool,
    /// Temperature of the priors, above 0: more makes unlikely moves likelier.
    pub temperature: f32,
    /// The tree.
    pub tree: JudgedParams,
}

impl Default for NetworkParams {
    fn default() -> NetworkParams {
        NetworkParams {
            visits: 100,
            resign_below: 0.03,
            reuse: true,
            temperature: 1.0,
            tree: JudgedParams::default(),
        }
    }
}

/// A parameter that can be written as text.
pub struct NetworkEntry {
    /// Its name, such as `visits`.
    pub key: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Its value as text.
    pub get: fn(&NetworkParams) -> String,
    set: fn(&mut NetworkParams, &str) -> Result<(), String>,
}

fn number<T: FromStr + PartialOrd + Display>(text: &str, least: T, most: T) -> Result<T, String> {
    let inside = |number: &T| *number >= least && *number <= most;
    text.parse().ok().filter(inside).ok_or_else(|| format!("write a number from {least} to {most}"))
}

macro_rules! numeric {
    ($key:literal, $about:literal, $least:expr, $most:expr, $($path:ident).+) => {
        NetworkEntry {
            key: $key,
            about: $about,
            get: |params| params.$($path).+.to_string(),
            set: |params, text| {
                params.$($path).+ = number(text, $least, $most)?;
                Ok(())
            },
        }
    };
}

impl NetworkParams {
    /// All parameters, the most important first.
    pub const ENTRIES: [NetworkEntry; 10] = [
        numeric!(
            "visits",
            "positions judged for a move, where no other limit is given",
            1,
            100_000_000,
            visits
        ),
        numeric!("resign", "resigns below this chance to win; 0: never", 0.0, 0.5, resign_below),
        NetworkEntry {
            key: "reuse",
            about: "keep what was found of the game's next position: yes or no",
            get: |params| if params.reuse { "yes" } else { "no" }.to_string(),
            set: |params, text| {
                params.reuse = match text {
                    "yes" => true,
                    "no" => false,
                    _ => return Err("write yes or no".to_string()),
                };
                Ok(())
            },
        },
        numeric!("batch", "positions judged together", 1, 1024, tree.batch),
        numeric!("temperature", "of the priors: more makes unlikely moves likelier", 0.05, 20.0, temperature),
        numeric!("exploration", "weight of the prior", 0.001, 100.0, tree.exploration),
        numeric!("growth", "how much that weight grows with the visits", 0.0, 100.0, tree.exploration_growth),
        numeric!(
            "first-play",
            "how much worse what was never looked at counts",
            0.0,
            2.0,
            tree.first_play_reduction
        ),
        numeric!("lead-share", "share of the lead beside the chance to win", 0.0, 1.0, tree.lead_share),
        numeric!("lead-scale", "lead in points at which its share is half", 0.1, 1000.0, tree.lead_scale),
    ];

    /// Sets a parameter.
    ///
    /// # Errors
    /// Says which key or value is wrong, and what would be right.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let entry = Self::ENTRIES.into_iter().find(|entry| entry.key == key).ok_or_else(|| {
            let keys = Self::ENTRIES.map(|entry| entry.key).join(", ");
            format!("engine go-network has no parameter {key:?}: it has {keys}")
        })?;
        (entry.set)(self, value).map_err(|hint| format!("invalid {key} {value:?}: {hint}"))
    }

    /// The parameters that differ from the usual ones, as they are read.
    pub fn spec(&self) -> String {
        let usual = NetworkParams::default();
        let pairs = Self::ENTRIES.into_iter().filter(|entry| (entry.get)(self) != (entry.get)(&usual));
        let pairs: Vec<String> = pairs.map(|entry| format!("{}={}", entry.key, (entry.get)(self))).collect();
        pairs.join(",")
    }
}

/// Reads `KEY=VALUE,KEY=VALUE`.
///
/// ```
/// use ishi_engines::go_network::NetworkParams;
/// let params: NetworkParams = "visits=50,batch=4".parse().unwrap();
/// assert_eq!((params.visits, params.spec().as_str()), (50, "visits=50,batch=4"));
/// let error = "visits=0".parse::<NetworkParams>().unwrap_err();
/// assert_eq!(error, "invalid visits \"0\": write a number from 1 to 100000000");
/// ```
impl FromStr for NetworkParams {
    type Err = String;

    fn from_str(text: &str) -> Result<NetworkParams, String> {
        let mut params = NetworkParams::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let (key, value) = part
                .split_once('=')
                .ok_or_else(|| format!("parameter {part:?} of go-network has no value: write KEY=VALUE"))?;
            params.set(key, value)?;
        }
        Ok(params)
    }
}
