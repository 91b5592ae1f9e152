//! What a query may override (`overrideSettings`), and the command line sets for all queries.

use std::time::Duration;

use ishi_go_play::go_mcts::{ENTRIES, MctsParams};
use ishi_go_play::go_network::NetworkParams;
use serde_json::Value;

/// Whose view win rates, scores and owners are told from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Perspective {
    /// Black's.
    Black,
    /// White's.
    White,
    /// That of the side to move.
    #[default]
    SideToMove,
}

/// The player that searches, whose parameters a query may change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnalysisSearcher {
    /// `go-mcts`.
    Playouts,
    /// `go-network`.
    #[default]
    Network,
}

impl AnalysisSearcher {
    /// Its name in the catalog.
    pub fn name(self) -> &'static str {
        match self {
            AnalysisSearcher::Playouts => "go-mcts",
            AnalysisSearcher::Network => "go-network",
        }
    }

    /// The player of a text such as `go-network:batch=4`, if it is one that can analyse.
    pub fn from_spec(spec: &str) -> Option<AnalysisSearcher> {
        let name = spec.split(':').next().unwrap_or_default();
        [AnalysisSearcher::Playouts, AnalysisSearcher::Network]
            .into_iter()
            .find(|searcher| searcher.name() == name)
    }

    /// Is the parameter one that a query may set?
    ///
    /// # Errors
    /// If the value is not one that it can have; says what would be right.
    fn accepts_parameter(self, key: &str, value: &str) -> Result<bool, String> {
        if FIXED.contains(&key) {
            return Ok(false);
        }
        match self {
            AnalysisSearcher::Playouts if ENTRIES.iter().any(|entry| entry.key == key) => {
                MctsParams::default().set_param(key, value)?;
            }
            AnalysisSearcher::Network if NetworkParams::ENTRIES.iter().any(|entry| entry.key == key) => {
                NetworkParams::default().set_param(key, value)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// How positions are searched and told of.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysisSettings {
    /// Playouts, or judged positions, for a position (`maxVisits`).
    pub max_visits: u64,
    /// Longest time for a position (`maxTime`).
    pub max_time: Option<Duration>,
    /// Whose view is told (`reportAnalysisWinratesAs`).
    pub perspective: Perspective,
    /// Moves of a variation besides the first (`analysisPVLen`).
    pub variation: usize,
    /// Is there a warning for fields that are not known (`warnUnusedFields`)?
    pub warn_unused: bool,
    /// The player.
    pub searcher: AnalysisSearcher,
    /// Parameters of the player that differ from those it was started with, as `(key, value)`.
    pub engine: Vec<(String, String)>,
}

/// As KataGo's example configuration and its defaults have it.
impl Default for AnalysisSettings {
    fn default() -> AnalysisSettings {
        AnalysisSettings {
            max_visits: 500,
            max_time: None,
            perspective: Perspective::default(),
            variation: 15,
            warn_unused: true,
            searcher: AnalysisSearcher::default(),
            engine: Vec::new(),
        }
    }
}

/// Most visits that can be asked for.
pub(super) const MOST_VISITS: u64 = 1 << 50;

/// Longest variation.
pub(super) const LONGEST_VARIATION: u64 = 1000;

/// Longest time, in seconds: some thirty years.
const LONGEST: f64 = 1e9;

/// Parameters of the player that are the command line's, or have no meaning where each position is searched afresh.
const FIXED: [&str; 7] = ["threads", "memory", "playouts", "visits", "reuse", "ponder", "resign"];

impl AnalysisSettings {
    /// Sets a setting: KataGo's, or a parameter of the player. Gives whether there is such a setting.
    ///
    /// # Errors
    /// If the value is not one that it can have; says what would be right.
    pub fn set_from_json(&mut self, key: &str, value: &Value) -> Result<bool, String> {
        let plain = unquote_value(value);
        let wrong = |right: &str| Err(format!("{key} {value} is not possible: write {right}"));
        match key {
            "maxVisits" | "maxPlayouts" => {
                match parse_integer(&plain).filter(|n| (1..=MOST_VISITS).contains(n)) {
                    Some(visits) => self.max_visits = visits,
                    None => return wrong("a whole number from 1 to 2^50"),
                }
            }
            "maxTime" => match plain.as_f64().filter(|seconds| *seconds >= 0.0) {
                Some(seconds) => self.max_time = Some(Duration::from_secs_f64(seconds.min(LONGEST))),
                None => return wrong("a number of seconds"),
            },
            "reportAnalysisWinratesAs" => match parse_perspective(value) {
                Some(perspective) => self.perspective = perspective,
                None => return wrong("BLACK, WHITE or SIDETOMOVE"),
            },
            "analysisPVLen" => match parse_integer(&plain).filter(|n| (1..=LONGEST_VARIATION).contains(n)) {
                Some(moves) => self.variation = moves as usize,
                None => return wrong("a whole number from 1 to 1000"),
            },
            "warnUnusedFields" => match plain.as_bool() {
                Some(warn) => self.warn_unused = warn,
                None => return wrong("true or false"),
            },
            _ => return self.set_engine_parameter(key, value),
        }
        Ok(true)
    }

    fn set_engine_parameter(&mut self, key: &str, value: &Value) -> Result<bool, String> {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Bool(yes) => (if *yes { "yes" } else { "no" }).to_string(),
            other => other.to_string(),
        };
        if !self.searcher.accepts_parameter(key, &text)? {
            return Ok(false);
        }
        self.engine.retain(|(other, _)| other != key);
        self.engine.push((key.to_string(), text));
        Ok(true)
    }

    /// Reads `KEY=VALUE,KEY=VALUE` of a command line. Gives the pairs of which there is no setting.
    ///
    /// # Errors
    /// If a part has no `=`, or a value is not one that its key can have.
    pub fn set_from_list<'a>(&mut self, text: &'a str) -> Result<Vec<(&'a str, &'a str)>, String> {
        let mut unknown = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (key, value) =
                part.split_once('=').ok_or_else(|| format!("{part:?} has no value: write KEY=VALUE"))?;
            let (key, value) = (key.trim(), value.trim());
            if !self.set_from_json(key, &Value::from(value))? {
                unknown.push((key, value));
            }
        }
        Ok(unknown)
    }
}

/// Numbers and truth values come as text from a command line.
fn unquote_value(value: &Value) -> Value {
    let read = value.as_str().and_then(|text| serde_json::from_str(text).ok());
    read.unwrap_or_else(|| value.clone())
}

/// A whole number, also one written as `500.0`.
pub(super) fn parse_integer(value: &Value) -> Option<u64> {
    let fits = |number: &f64| number.fract() == 0.0 && (0.0..=(1_u64 << 53) as f64).contains(number);
    value.as_u64().or_else(|| value.as_f64().filter(fits).map(|number| number as u64))
}

fn parse_perspective(value: &Value) -> Option<Perspective> {
    match value.as_str()?.to_ascii_uppercase().as_str() {
        "BLACK" | "B" => Some(Perspective::Black),
        "WHITE" | "W" => Some(Perspective::White),
        "SIDETOMOVE" | "SIDE_TO_MOVE" => Some(Perspective::SideToMove),
        _ => None,
    }
}
