//! What is tuned: parameters of a player with their ranges, as coordinates from 0 to 1.

use ishi_arena::{MatchGame, PlayerSpec};
use ishi_engine::parameter::ParameterRow;
use ishi_rng::Seed;
use ishi_words::{CodedError, CodedMessage, coded, facts};

use crate::error::LabError;

/// How values lie between a parameter's ends.
#[derive(Clone, Debug, PartialEq)]
pub enum TunedScale {
    /// Numbers.
    Number {
        /// The least.
        low: f64,
        /// The greatest.
        high: f64,
        /// Are ratios what counts, not differences?
        is_log: bool,
        /// Whole numbers only?
        is_whole: bool,
    },
    /// Words; neighbours in the list are neighbours for the tuner.
    Choice(Vec<String>),
}

/// A parameter that is tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct TunedParameter {
    /// Its name in the player's table.
    pub key: String,
    /// What it may be.
    pub scale: TunedScale,
    /// Where it begins, 0 to 1.
    pub start: f64,
}

/// A player with parameters that are tuned.
///
/// ```
/// use ishi_engine::Othello;
/// use ishi_lab::tune::TuningSpace;
/// let space = TuningSpace::parse::<Othello>("othello-wpc:epsilon=0..0.5@0.4").unwrap();
/// assert_eq!(space.player_at(&space.start()), "othello-wpc:epsilon=0.4");
/// assert_eq!(space.player_at(&[0.5]), "othello-wpc:epsilon=0.25");
/// let whole = TuningSpace::parse::<Othello>("othello-wpc:epsilon=..").unwrap();
/// assert_eq!(whole.player_at(&[1.0]), "othello-wpc:epsilon=1", "the table's range");
/// let error = TuningSpace::parse::<Othello>("othello-wpc:epsilon=0..2").unwrap_err().to_string();
/// assert!(error.contains("write a number from 0 to 1"), "{error}");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TuningSpace {
    /// The player's name in the catalog.
    player: String,
    /// What is not tuned: `key=value` each.
    fixed: Vec<String>,
    parameters: Vec<TunedParameter>,
}

/// A parameter as it was written, before the player's table and its start are known.
struct WrittenParameter {
    key: String,
    scale: WrittenScale,
    start: Option<String>,
    /// All of it.
    text: String,
}

/// What a parameter may be, as it was written.
enum WrittenScale {
    /// Numbers. An end that is missing is that of the player's table.
    Range { low: Option<f64>, high: Option<f64>, is_log: bool },
    /// Words.
    Words(Vec<String>),
}

impl TuningSpace {
    /// Reads a player whose parameters may have ranges: `key=LOW..HIGH`, with `:log` behind it where ratios count; or words:
    /// `key=a|b|c`. `@VALUE` behind either says where to begin; otherwise that is what the player has. The player's table says
    /// which parameters there are, what they may be and which are whole numbers. It also gives the ends that are missing: `key=..` is all that it
    /// allows.
    ///
    /// # Errors
    /// Names the parameter and what must be: a built-in player, a range within the table's, a start within the range.
    pub fn parse<G: MatchGame>(text: &str) -> Result<TuningSpace, LabError> {
        let (player, rest) = text.split_once(':').unwrap_or((text, ""));
        check_player::<G>(player)?;
        let (mut fixed, mut written) = (Vec::new(), Vec::new());
        for part in rest.split(',').filter(|part| !part.is_empty()) {
            match WrittenParameter::parse(part)? {
                Some(parameter) => written.push(parameter),
                None => fixed.push(part.to_string()),
            }
        }
        if written.is_empty() {
            return Err(LabError::Input(coded![
                "lab-tune-nothing",
                "{text} has nothing to tune: a parameter must have a range such as bias=0.1..1, or words such as a|b",
                text = format!("{text:?}")
            ]));
        }
        let mut space = TuningSpace { player: player.to_string(), fixed, parameters: Vec::new() };
        for parameter in written {
            let parameter = space.complete_parameter::<G>(parameter)?;
            space.parameters.push(parameter);
        }
        space.check_ends::<G>()?;
        Ok(space)
    }

    /// The parameters, in the order of the coordinates.
    pub fn parameters(&self) -> &[TunedParameter] {
        &self.parameters
    }

    /// The player's name and what of it is not tuned.
    pub fn fixed_player(&self) -> String {
        join_player(&self.player, &self.fixed)
    }

    /// Where tuning begins.
    pub fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }

    /// For each coordinate the least perturbation that changes the value.
    pub fn least_perturbations(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.scale.least_perturbation()).collect()
    }

    /// The player at a point, as the catalog reads it.
    pub fn player_at(&self, point: &[f64]) -> String {
        let tuned = self.parameters.iter().zip(point);
        let tuned = tuned.map(|(parameter, &x)| format!("{}={}", parameter.key, parameter.scale.value_at(x)));
        join_player(&self.player, &self.fixed.iter().cloned().chain(tuned).collect::<Vec<_>>())
    }

    /// Finds out whether a range is one of whole numbers, and where it begins.
    fn complete_parameter<G: MatchGame>(
        &self,
        written: WrittenParameter,
    ) -> Result<TunedParameter, LabError> {
        let WrittenParameter { key, scale, start, text } = written;
        if self.parameters.iter().any(|parameter| parameter.key == key) {
            return Err(LabError::Input(coded![
                "lab-tune-twice",
                "{key} stands twice: it must stand once",
                key
            ]));
        }
        let row = self.find_row::<G>(&key)?;
        let usual = self.usual_value::<G>(&row)?;
        let mut scale = scale.complete_from(&row).ok_or_else(|| no_range(&text, &key))?;
        if let TunedScale::Number { low, high, is_whole, .. } = &mut scale {
            // The player's table knows whether it takes a number between two whole ones.
            let between = low.floor() + 0.5;
            let asks = low.fract() == 0.0 && between < *high;
            *is_whole = asks && self.try_value::<G>(&key, &between.to_string()).is_err();
        }
        let written = start.is_some();
        let value = start.unwrap_or(usual);
        let start = scale.coordinate_of(&value).ok_or_else(|| {
            let range = scale.describe();
            LabError::Input(if written {
                coded![
                    "lab-tune-start",
                    "{key} begins with {value}, its start, and must begin within {range}: write {key}={range}@VALUE",
                    key,
                    value,
                    range
                ]
            } else {
                coded![
                    "lab-tune-own-start",
                    "{key} begins with {value}, what the player has, and must begin within {range}: write {key}={range}@VALUE",
                    key,
                    value,
                    range
                ]
            })
        })?;
        Ok(TunedParameter { key, scale, start })
    }

    /// The row of this parameter in the player's table.
    fn find_row<G: MatchGame>(&self, key: &str) -> Result<ParameterRow, LabError> {
        let entry = G::PLAYERS.iter().find(|entry| entry.name == self.player);
        let rows = entry.map(|entry| (entry.parameters)()).unwrap_or_default();
        let row = rows.iter().find(|row| row.key == key).cloned();
        row.ok_or_else(|| {
            let keys: Vec<&str> = rows.iter().map(|row| row.key).collect();
            LabError::Input(coded![
                "lab-tune-no-parameter",
                "{player} has no parameter {key}: it has {keys}",
                player = self.player,
                key = format!("{key:?}"),
                keys = keys.join(", ")
            ])
        })
    }

    /// What the player has for this parameter, with those that are not tuned.
    fn usual_value<G: MatchGame>(&self, row: &ParameterRow) -> Result<String, LabError> {
        let text = self.fixed_player();
        let engine = G::create_engine(&text, Seed::new(0)).map_err(|error| {
            let facts = facts!["lab-tune-player", text = &text, reason = error.facts()];
            LabError::Input(CodedMessage::new(format_args!("{text}: {error}"), facts))
        })?;
        let own = engine.settings().into_iter().find(|setting| setting.key == row.key);
        Ok(own.map_or_else(|| row.usual.clone(), |setting| setting.value))
    }

    /// Would the player take this value?
    fn try_value<G: MatchGame>(&self, key: &str, value: &str) -> Result<(), LabError> {
        let parts: Vec<String> = self.fixed.iter().cloned().chain([format!("{key}={value}")]).collect();
        let read = PlayerSpec::parse_for_game::<G>(&join_player(&self.player, &parts));
        read.map(drop).map_err(|error| LabError::Input(CodedMessage::from_error(error)))
    }

    /// Both ends of every range, and every word, must be values that the player takes; so must where it begins.
    fn check_ends<G: MatchGame>(&self) -> Result<(), LabError> {
        for TunedParameter { key, scale, .. } in &self.parameters {
            for value in scale.end_values() {
                self.try_value::<G>(key, &value).map_err(|error| {
                    let range = scale.describe();
                    let facts = facts!["lab-tune-end", key, range = &range, reason = error.facts()];
                    LabError::Input(CodedMessage::new(format_args!("{key}={range}: {error}"), facts))
                })?;
            }
        }
        let start = PlayerSpec::parse_for_game::<G>(&self.player_at(&self.start()));
        start.map(drop).map_err(|error| LabError::Input(CodedMessage::from_error(error)))
    }
}

/// Only built-in players have tables of parameters.
fn check_player<G: MatchGame>(player: &str) -> Result<(), LabError> {
    if G::PLAYERS.iter().any(|entry| entry.name == player) {
        return Ok(());
    }
    let known: Vec<&str> = G::PLAYERS.iter().map(|entry| entry.name).collect();
    Err(LabError::Input(coded![
        "lab-tune-no-player",
        "{player} cannot be tuned: it must be a built-in player of {game}: {known}",
        player = format!("{player:?}"),
        game = G::TITLE,
        known = known.join(", ")
    ]))
}

fn join_player(player: &str, parts: &[String]) -> String {
    if parts.is_empty() { player.to_string() } else { format!("{player}:{}", parts.join(",")) }
}

impl WrittenParameter {
    /// Reads `key=LOW..HIGH:log@START` or `key=a|b@START`; `None` if the parameter has one value only.
    fn parse(part: &str) -> Result<Option<WrittenParameter>, LabError> {
        let Some((key, value)) = part.split_once('=') else { return Ok(None) };
        let (range, start) = match value.rsplit_once('@') {
            Some((range, start)) => (range, Some(start.to_string())),
            None => (value, None),
        };
        let scale = if range.contains("..") {
            parse_range(range).ok_or_else(|| no_range(part, key))?
        } else if range.contains('|') {
            WrittenScale::Words(range.split('|').map(str::to_string).collect())
        } else {
            return Ok(None);
        };
        Ok(Some(WrittenParameter { key: key.to_string(), scale, start, text: part.to_string() }))
    }
}

fn no_range(part: &str, key: &str) -> LabError {
    LabError::Input(coded![
        "lab-tune-range",
        "{part} is no range: write two numbers, the lower first, such as {key}=0.1..1, or \
         {key}=0.001..0.1:log for numbers above 0",
        part = format!("{part:?}"),
        key
    ])
}

fn parse_range(text: &str) -> Option<WrittenScale> {
    let (range, is_log) = text.strip_suffix(":log").map_or((text, false), |range| (range, true));
    let (low, high) = range.split_once("..")?;
    // The inner `None` stands for an end that is not written, the outer one for what is no number.
    let end = |text: &str| if text.is_empty() { Some(None) } else { text.parse::<f64>().ok().map(Some) };
    Some(WrittenScale::Range { low: end(low)?, high: end(high)?, is_log })
}

impl WrittenScale {
    /// With the ends, or all words, of the player's table where they are not written; `None` if that makes no range.
    fn complete_from(self, row: &ParameterRow) -> Option<TunedScale> {
        let (low, high, is_log) = match self {
            WrittenScale::Words(words) => return Some(TunedScale::Choice(words)),
            WrittenScale::Range { low, high, is_log } => (low, high, is_log),
        };
        let of_table = row.allowed_numbers();
        if of_table.is_none() && low.is_none() && high.is_none() && !is_log {
            return Some(TunedScale::Choice(row.allowed_words().map(str::to_string).collect()));
        }
        let low = low.or(of_table.map(|(least, _)| least))?;
        let high = high.or(of_table.map(|(_, most)| most))?;
        let extent = if is_log { high / low } else { high - low };
        let is_range = low < high && extent.is_finite() && (low > 0.0 || !is_log);
        is_range.then_some(TunedScale::Number { low, high, is_log, is_whole: false })
    }
}

impl TunedScale {
    /// The value at a coordinate from 0 to 1. Numbers have six digits, so that the last
    /// bits of a logarithm do not make another player of it.
    pub fn value_at(&self, coordinate: f64) -> String {
        let x = coordinate.clamp(0.0, 1.0);
        match self {
            TunedScale::Choice(words) => {
                let place = (x * words.len() as f64) as usize;
                words.get(place.min(words.len().saturating_sub(1))).cloned().unwrap_or_default()
            }
            &TunedScale::Number { low, high, is_log, is_whole } => {
                let value =
                    if is_log { (low.ln() + x * (high / low).ln()).exp() } else { low + x * (high - low) };
                let value = if is_whole { value.round() } else { round_to_six_digits(value) };
                value.clamp(low, high).to_string()
            }
        }
    }

    /// The coordinate of a value; `None` if it is none of the range.
    pub fn coordinate_of(&self, value: &str) -> Option<f64> {
        match self {
            TunedScale::Choice(words) => {
                let place = words.iter().position(|word| word == value)?;
                Some((place as f64 + 0.5) / words.len() as f64)
            }
            &TunedScale::Number { low, high, is_log, is_whole } => {
                let value: f64 = value.parse().ok()?;
                let is_inside = (low..=high).contains(&value) && (!is_whole || value.fract() == 0.0);
                let x = if is_log {
                    (value / low).ln() / (high / low).ln()
                } else {
                    (value - low) / (high - low)
                };
                is_inside.then(|| x.clamp(0.0, 1.0))
            }
        }
    }

    /// The range as it is written.
    pub fn describe(&self) -> String {
        match self {
            TunedScale::Choice(words) => words.join("|"),
            TunedScale::Number { low, high, is_log, .. } => {
                format!("{low}..{high}{}", if *is_log { ":log" } else { "" })
            }
        }
    }

    /// Half a step of whole numbers or words: to both sides of any coordinate lie different values.
    fn least_perturbation(&self) -> f64 {
        match self {
            TunedScale::Choice(words) => 0.5 / words.len() as f64,
            TunedScale::Number { low, high, is_whole: true, .. } => (0.5 / (high - low)).min(0.5),
            TunedScale::Number { .. } => 0.0,
        }
    }

    /// What must be values of the player.
    fn end_values(&self) -> Vec<String> {
        match self {
            TunedScale::Choice(words) => words.clone(),
            TunedScale::Number { low, high, .. } => vec![low.to_string(), high.to_string()],
        }
    }
}

fn round_to_six_digits(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use ishi_engine::{Go, Othello};
    use proptest::prelude::{prop_assert, proptest};

    use super::*;

    fn go(text: &str) -> Result<TuningSpace, String> {
        TuningSpace::parse::<Go>(text).map_err(|error| error.to_string())
    }

    #[test]
    fn ranges_words_and_starts_are_read() {
        let space = go(
            "go-mcts:playouts=100..1000:log@200,exploration=0.1..2@1,selection=ucb1|rave|puct@rave,threads=1",
        )
        .unwrap();
        assert_eq!(space.fixed_player(), "go-mcts:threads=1");
        let start = space.start();
        assert_eq!(space.player_at(&start), "go-mcts:threads=1,playouts=200,exploration=1,selection=rave");
        let is_whole =
            |at: usize| matches!(space.parameters()[at].scale, TunedScale::Number { is_whole: true, .. });
        assert!(is_whole(0) && !is_whole(1), "the table takes no half playouts");
        assert_eq!(space.parameters()[2].start, 0.5);
        assert_eq!(
            space.player_at(&[0.5, 1.0, 0.99]),
            "go-mcts:threads=1,playouts=316,exploration=2,selection=puct"
        );
    }

    #[test]
    fn what_the_player_has_is_where_it_begins() {
        let space = go("go-mcts:bias=0..1").unwrap();
        assert_eq!(space.player_at(&space.start()), "go-mcts:bias=0.5");
        let error = go("go-mcts:bias=0.6..1").unwrap_err();
        assert_eq!(
            error,
            "bias begins with 0.5, what the player has, and must begin within 0.6..1: write bias=0.6..1@VALUE"
        );
        let error = go("go-mcts:bias=0..1@3").unwrap_err();
        assert!(error.contains("bias begins with 3, its start"), "{error}");
    }

    #[test]
    fn the_players_table_gives_what_is_not_written() {
        let ranges = |text: &str| -> Vec<String> {
            let space = go(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            space.parameters().iter().map(|parameter| parameter.scale.describe()).collect()
        };
        assert_eq!(ranges("go-mcts:threads=..,reuse=.."), ["1..256", "yes|no"]);
        assert_eq!(ranges("go-mcts:threads=..8,exploration=..2@1"), ["1..8", "0..2"]);
        assert_eq!(ranges("go-mcts:threads=1..:log"), ["1..256:log"]);
        assert_eq!(
            go("go-mcts:threads=..").unwrap(),
            go("go-mcts:threads=1..256").unwrap(),
            "as if it were written"
        );
        for text in
            ["go-mcts:reuse=..:log", "go-mcts:reuse=1..", "go-mcts:threads=300..", "go-mcts:bias=..:log"]
        {
            let error = go(text).unwrap_err();
            assert!(error.contains("is no range: write two numbers"), "{text}: {error}");
        }
    }

    #[test]
    fn what_cannot_be_tuned_is_refused_with_what_must_be() {
        for (text, why) in [
            ("gnugo:level=1..10", "\"gnugo\" cannot be tuned: it must be a built-in player of Go: "),
            ("go-mcts:threads=1", "has nothing to tune"),
            (
                "go-mcts:rave-bais=0.1..1",
                "go-mcts has no parameter \"rave-bais\": it has preset, level, playouts",
            ),
            ("go-mcts:threads=0..8@1", "write a number from 1 to 256"),
            ("go-mcts:threads=1..512", "write a number from 1 to 256"),
            ("go-mcts:bias=1..0", "is no range: write two numbers, the lower first"),
            ("go-mcts:bias=0..1:log", "for numbers above 0"),
            ("go-mcts:bias=0..inf@1", "is no range: write two numbers"),
            ("go-mcts:bias=-1e308..1e308@1", "is no range: write two numbers"),
            ("go-mcts:bias=1e-310..1:log@0.5", "is no range: write two numbers"),
            ("go-mcts:selection=rave|rage@rave", "write one of ucb1, ucb1-tuned, rave, puct"),
            ("go-mcts:threads=1.5..3@2", "write a number from 1 to 256"),
            ("go-mcts:bias=0..1,bias=0..1", "bias stands twice"),
        ] {
            let error = go(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn values_go_there_and_back_and_stay_in_their_range() {
        let space = TuningSpace::parse::<Othello>("othello-wpc:epsilon=0.01..1:log@0.1").unwrap();
        let scale = &space.parameters()[0].scale;
        assert!((space.start()[0] - 0.5).abs() < 1e-12);
        for place in 0..=20 {
            let x = f64::from(place) / 20.0;
            let back = scale.coordinate_of(&scale.value_at(x)).unwrap();
            assert!((back - x).abs() < 1e-5, "{x} {back}");
        }
        assert_eq!((scale.value_at(0.0).as_str(), scale.value_at(1.0).as_str()), ("0.01", "1"));
    }

    proptest! {
        /// What is read begins within its ranges, whatever was written.
        #[test]
        fn no_text_makes_it_panic(text in "\\PC*|othello-wpc:epsilon=[0-9.e|@:log-]*|othello:depth=[0-9]{1,3}\\.\\.[0-9]{1,3}(:log)?(@[0-9])?") {
            if let Ok(space) = TuningSpace::parse::<Othello>(&text) {
                prop_assert!(space.start().iter().all(|x| (0.0..=1.0).contains(x)), "{:?}", space);
                prop_assert!(space.least_perturbations().iter().all(|x| (0.0..=0.5).contains(x)), "{:?}", space);
            }
        }
    }
}
