//! Lines of the protocol: queries and actions.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::time::Duration;

use ishi_go::{BoardSize, Color, KoRule, Move, Point, Position, Rules};
use ishi_go_play::restrict::{self, Restriction};
use ishi_words::Language;
use serde_json::{Map, Value, json};

use super::fields::{FieldError, Fields, quote_value};
use super::rules;
use super::settings::{AnalysisSettings, LONGEST_VARIATION, MOST_VISITS};

/// The longest game that is taken: four times a game that fills a board of 25 lines.
pub const MOST_MOVES: usize = 2500;

/// An error or a warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtocolProblem {
    /// What is wrong, and what would be right.
    pub message: String,
    /// The field in question.
    pub field: Option<String>,
    /// The query in question.
    pub id: Option<String>,
}

impl ProtocolProblem {
    fn new(message: impl Display) -> ProtocolProblem {
        ProtocolProblem { message: message.to_string(), field: None, id: None }
    }

    /// As the protocol's line; `kind` is `error` or `warning`.
    pub fn to_json_line(&self, kind: &str) -> Value {
        let mut line = Map::new();
        line.insert(kind.to_string(), Value::from(self.message.as_str()));
        let named = [("field", &self.field), ("id", &self.id)];
        for (name, value) in named.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?))) {
            line.insert(name.to_string(), Value::from(value.as_str()));
        }
        Value::Object(line)
    }
}

/// What a line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum AnalysisRequest {
    /// Positions to analyse.
    Query(Box<AnalysisQuery>),
    /// Something else; it is answered with its own fields and those that [`AnalysisAction`] adds.
    Action(AnalysisAction, Map<String, Value>),
}

/// What else can be asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnalysisAction {
    /// `query_version`.
    Version,
    /// `query_models`.
    Models,
    /// `clear_cache`.
    ClearCache,
    /// `terminate` with the id of a query, and `terminate_all` without; of these turns, or of all.
    Terminate(Option<String>, Option<BTreeSet<u64>>),
}

/// Parts of an answer that are there if asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerParts {
    /// `includeOwnership`.
    pub ownership: bool,
    /// `includeOwnershipStdev`.
    pub ownership_deviation: bool,
    /// `includeMovesOwnership`.
    pub move_ownership: bool,
    /// `includeMovesOwnershipStdev`.
    pub move_ownership_deviation: bool,
    /// `includePolicy`.
    pub policy: bool,
    /// `includePVVisits`.
    pub variation_visits: bool,
    /// `includeExplanation`, which is ishi's own: in which language.
    pub explanation: Option<Language>,
}

/// A game with the turns to analyse. All of its moves are legal.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysisQuery {
    /// Names the query in its answers.
    pub id: String,
    /// The position before the first move, with the rules to judge by.
    start: QueryStart,
    /// The moves.
    pub moves: Vec<(Color, Move)>,
    /// Turns with their priorities: the higher the sooner. Turn 0 is the position before the first move.
    pub turns: Vec<(usize, i64)>,
    /// Moves that may not be chosen.
    pub restrictions: Vec<Restriction>,
    /// Limits and view.
    pub settings: AnalysisSettings,
    /// What is told besides moves.
    pub include: AnswerParts,
    /// Time between partial answers, if they are wanted.
    pub report_every: Option<Duration>,
    /// Time before the first of them, if it is another.
    pub first_report: Option<Duration>,
}

/// A game before its first move.
#[derive(Clone, Debug, PartialEq)]
struct QueryStart {
    size: BoardSize,
    rules: Rules,
    komi: f64,
    stones: Vec<(Color, Point)>,
    handicap: usize,
    to_move: Color,
}

impl QueryStart {
    /// Records are taken as they are: what other rules allowed in them is no error here.
    fn tolerant_position(&self) -> Result<Position, String> {
        let rules = Rules { ko: KoRule::Simple, suicide: true, ..self.rules };
        let stones = self.stones.iter().copied();
        let mut position = Position::from_setup(self.size, rules, stones, self.to_move)
            .map_err(|error| error.to_string())?;
        position.set_komi(self.komi).map_err(|error| error.to_string())?;
        position.set_handicap(self.handicap);
        Ok(position)
    }
}

impl AnalysisQuery {
    /// The position of a turn.
    ///
    /// # Panics
    /// If the query has no such turn.
    pub fn position_at_turn(&self, turn: usize) -> Position {
        let mut position = self.start.tolerant_position().expect("it was set up before");
        for &(color, mv) in &self.moves[..turn] {
            position.play(color, mv).expect("it was played before");
        }
        position.set_rules(self.start.rules);
        position
    }

    /// The moves that may be chosen in a position of the query; `None`: all.
    pub fn allowed_moves(&self, position: &Position) -> Option<Vec<Move>> {
        restrict::allowed_moves(&self.restrictions, position.to_move(), position)
            .expect("the restrictions were checked together")
    }
}

/// Fields of a query that are known.
const KNOWN: &[&str] = &[
    "id",
    "moves",
    "initialStones",
    "initialPlayer",
    "rules",
    "komi",
    "whiteHandicapBonus",
    "boardXSize",
    "boardYSize",
    "analyzeTurns",
    "maxVisits",
    "rootPolicyTemperature",
    "rootFpuReductionMax",
    "analysisPVLen",
    "includeOwnership",
    "includeOwnershipStdev",
    "includeMovesOwnership",
    "includeMovesOwnershipStdev",
    "includePolicy",
    "includePVVisits",
    "includeNoResultValue",
    "includeExplanation",
    "avoidMoves",
    "allowMoves",
    "overrideSettings",
    "reportDuringSearchEvery",
    "firstReportDuringSearchAfter",
    "priority",
    "priorities",
];

/// Reads a line. Warnings are there only for queries that are accepted.
///
/// # Errors
/// What is wrong, with the field and the query's id as far as they are known.
///
/// ```
/// use ishi_analysis::protocol::{AnalysisSettings, query};
/// let (request, _) = query::parse_request(br#"{"id":"v","action":"query_version"}"#, &AnalysisSettings::default()).unwrap();
/// assert!(matches!(request, query::AnalysisRequest::Action(query::AnalysisAction::Version, _)));
/// let problem = query::parse_request(br#"{"id":"v","boardXSize":1}"#, &AnalysisSettings::default()).unwrap_err();
/// assert_eq!(problem.field.as_deref(), Some("boardXSize"));
/// ```
pub fn parse_request(
    line: &[u8],
    defaults: &AnalysisSettings,
) -> Result<(AnalysisRequest, Vec<ProtocolProblem>), ProtocolProblem> {
    let value: Value = serde_json::from_slice(line)
        .map_err(|error| ProtocolProblem::new(format!("the line is not JSON: {error}")))?;
    let Value::Object(map) = value else {
        return Err(ProtocolProblem::new(format!("{} is not an object", quote_value(&value))));
    };
    let Some(id) = map.get("id").and_then(Value::as_str).map(str::to_string) else {
        return Err(ProtocolProblem::new("a request must have a text as its \"id\""));
    };
    if map.contains_key("action") {
        let action = parse_action(Fields(&map)).map_err(|wrong| wrong.into_problem(&id))?;
        return Ok((AnalysisRequest::Action(action, map), Vec::new()));
    }
    let mut warnings = Vec::new();
    let query =
        parse_query(&id, Fields(&map), defaults, &mut warnings).map_err(|wrong| wrong.into_problem(&id))?;
    if query.settings.warn_unused {
        let unknown = map.keys().filter(|key| !KNOWN.contains(&key.as_str()));
        warnings.extend(unknown.map(|key| FieldError::new(key, "the field is not known and has no effect")));
    }
    Ok((
        AnalysisRequest::Query(Box::new(query)),
        warnings.into_iter().map(|wrong| wrong.into_problem(&id)).collect(),
    ))
}

const ACTIONS: &str = "query_version, query_models, clear_cache, terminate or terminate_all";

fn parse_action(fields: Fields<'_>) -> Result<AnalysisAction, FieldError> {
    let turns = || Ok(fields.read_turns("turnNumbers")?.map(BTreeSet::from_iter));
    match fields.read_text("action")? {
        Some("query_version") => Ok(AnalysisAction::Version),
        Some("query_models") => Ok(AnalysisAction::Models),
        Some("clear_cache") => Ok(AnalysisAction::ClearCache),
        Some("terminate") => {
            let id =
                Fields::require_field("terminateId", fields.read_text("terminateId")?, "the id of a query")?;
            Ok(AnalysisAction::Terminate(Some(id.to_string()), turns()?))
        }
        Some("terminate_all") => Ok(AnalysisAction::Terminate(None, turns()?)),
        other => Err(FieldError::new(
            "action",
            format!("no action {:?}: there are {ACTIONS}", other.unwrap_or("")),
        )),
    }
}

fn parse_query(
    id: &str,
    fields: Fields<'_>,
    defaults: &AnalysisSettings,
    warnings: &mut Vec<FieldError>,
) -> Result<AnalysisQuery, FieldError> {
    let size = read_board_size(fields)?;
    let found = fields.read_moves("moves", size)?;
    let moves =
        Fields::require_field("moves", found, "a list of players and vertices, [] if there are none")?;
    if moves.len() > MOST_MOVES {
        return Err(FieldError::new(
            "moves",
            format!("{} moves are too many: up to {MOST_MOVES}", moves.len()),
        ));
    }
    let start = read_query_start(fields, size, &moves, warnings)?;
    let mut position = start.tolerant_position().map_err(|error| FieldError::new("initialStones", error))?;
    for (number, &(color, mv)) in moves.iter().enumerate() {
        // Review programs look for these two words.
        let illegal = |error| FieldError::new("moves", format!("Illegal move {number}: {mv}: {error}"));
        position.play(color, mv).map_err(illegal)?;
    }
    check_unused_fields(fields, warnings)?;
    Ok(AnalysisQuery {
        id: id.to_string(),
        turns: read_analysis_turns(fields, moves.len())?,
        restrictions: read_restrictions(fields, size, warnings)?,
        settings: read_override_settings(fields, defaults, warnings)?,
        include: read_answer_parts(fields)?,
        report_every: fields.read_seconds("reportDuringSearchEvery")?,
        first_report: fields.read_seconds("firstReportDuringSearchAfter")?,
        start,
        moves,
    })
}

fn read_board_size(fields: Fields<'_>) -> Result<BoardSize, FieldError> {
    let side = |field: &str| {
        let (least, most) = (BoardSize::MIN as u64, BoardSize::MAX as u64);
        let right = format!("a whole number from {least} to {most}");
        Fields::require_field(field, fields.read_integer(field, least, most)?, &right)
    };
    let (width, height) = (side("boardXSize")?, side("boardYSize")?);
    BoardSize::new(width as usize, height as usize)
        .map_err(|error| FieldError::new("boardXSize", error.to_string()))
}

/// The largest komi, either way.
const MOST_KOMI: f64 = 400.0;

fn read_query_start(
    fields: Fields<'_>,
    size: BoardSize,
    moves: &[(Color, Move)],
    warnings: &mut Vec<FieldError>,
) -> Result<QueryStart, FieldError> {
    let value =
        Fields::require_field("rules", fields.get("rules"), "a name such as \"chinese\", or an object")?;
    let (mut rules, warning) = rules::read_rules(value).map_err(|why| FieldError::new("rules", why))?;
    warnings.extend(warning.map(|text| FieldError::new("rules", text)));
    if let Some(bonus) = fields.get("whiteHandicapBonus") {
        rules.compensation =
            rules::read_compensation(bonus).map_err(|why| FieldError::new("whiteHandicapBonus", why))?;
    }
    let komi = fields.read_number("komi", -MOST_KOMI, MOST_KOMI)?.unwrap_or(rules.default_komi);
    if (komi * 2.0).fract() != 0.0 {
        return Err(FieldError::new("komi", format!("komi {komi} must be a whole number, or a half more")));
    }
    let stones = read_initial_stones(fields, size)?;
    let handicap = count_handicap_stones(&stones, moves);
    let to_move = fields.read_color("initialPlayer")?.unwrap_or(match moves.first() {
        Some(&(color, _)) => color,
        None if handicap > 0 => Color::White,
        None => Color::Black,
    });
    Ok(QueryStart { size, rules, komi, stones, handicap, to_move })
}

/// A stone that is named twice is what it was named last.
fn read_initial_stones(fields: Fields<'_>, size: BoardSize) -> Result<Vec<(Color, Point)>, FieldError> {
    let mut stones: Vec<(Color, Point)> = Vec::new();
    let mut seen = vec![None; Point::INDICES];
    for (color, mv) in fields.read_moves("initialStones", size)?.unwrap_or_default() {
        let Move::Play(point) = mv else {
            return Err(FieldError::new(
                "initialStones",
                "a stone cannot stand on pass: write a vertex such as Q4",
            ));
        };
        match seen[point.index()] {
            Some(place) => stones[place] = (color, point),
            None => {
                seen[point.index()] = Some(stones.len());
                stones.push((color, point));
            }
        }
    }
    Ok(stones)
}

/// Black's stones alone on the board, or Black's first moves without an answer, if they are two or more.
fn count_handicap_stones(stones: &[(Color, Point)], moves: &[(Color, Move)]) -> usize {
    if stones.iter().any(|&(color, _)| color == Color::White) {
        return 0;
    }
    let blacks = moves.iter().take_while(|&&(color, mv)| color == Color::Black && mv != Move::Pass).count();
    let free = if stones.is_empty() { blacks } else { stones.len() };
    if free >= 2 { free } else { 0 }
}

fn read_analysis_turns(fields: Fields<'_>, last: usize) -> Result<Vec<(usize, i64)>, FieldError> {
    let turns = fields.read_turns("analyzeTurns")?;
    let (priority, priorities) = (fields.read_priority("priority")?, fields.read_priorities("priorities")?);
    if priority.is_some() && priorities.is_some() {
        return Err(FieldError::new("priority", "give priority or priorities, not both"));
    }
    if priorities.as_ref().is_some_and(|list| Some(list.len()) != turns.as_ref().map(Vec::len)) {
        return Err(FieldError::new("priorities", "there must be as many as there are analyzeTurns"));
    }
    let turns = turns.unwrap_or_else(|| vec![last as u64]);
    if let Some(turn) = turns.iter().find(|&&turn| turn > last as u64) {
        return Err(FieldError::new("analyzeTurns", format!("there is no turn {turn}: the last is {last}")));
    }
    let mut seen = vec![false; last + 1];
    let mut found = Vec::new();
    for (place, turn) in turns.into_iter().map(|turn| turn as usize).enumerate() {
        // A turn that is named twice is analysed once.
        if !std::mem::replace(&mut seen[turn], true) {
            let own = priorities.as_ref().map(|list| list[place]);
            found.push((turn, own.or(priority).unwrap_or(0)));
        }
    }
    Ok(found)
}

fn read_restrictions(
    fields: Fields<'_>,
    size: BoardSize,
    warnings: &mut Vec<FieldError>,
) -> Result<Vec<Restriction>, FieldError> {
    let mut found = Vec::new();
    for (field, avoid) in [("avoidMoves", true), ("allowMoves", false)] {
        let right = "a list of objects with player, moves and untilDepth";
        for item in fields.read_list(field, right)?.into_iter().flatten() {
            let form = || {
                FieldError::new(field, format!("{} cannot be used: it must be {right}", quote_value(item)))
            };
            found.push(read_restriction(Fields(item.as_object().ok_or_else(form)?), field, avoid, size)?);
        }
    }
    if fields.get("avoidMoves").is_some() && fields.get("allowMoves").is_some() {
        return Err(FieldError::new("allowMoves", "give avoidMoves or allowMoves, not both"));
    }
    for color in [Color::Black, Color::White] {
        let of = |one: &&Restriction| !one.avoid && one.color == color;
        if found.iter().filter(of).count() > 1 {
            return Err(FieldError::new("allowMoves", "there can be one object for each player"));
        }
    }
    if let Some(deep) = found.iter().find(|one| one.depth > 1) {
        let field = if deep.avoid { "avoidMoves" } else { "allowMoves" };
        let text = format!("untilDepth {}: ishi restricts the first move only, as with 1", deep.depth);
        warnings.push(FieldError::new(field, text));
    }
    Ok(found)
}

fn read_restriction(
    fields: Fields<'_>,
    of: &str,
    avoid: bool,
    size: BoardSize,
) -> Result<Restriction, FieldError> {
    let inside = |wrong: FieldError| FieldError::new(of, format!("{}: {}", wrong.field, wrong.message));
    let read = || {
        let color = Fields::require_field("player", fields.read_color("player")?, "\"B\" or \"W\"")?;
        let moves =
            Fields::require_field("moves", fields.read_vertices("moves", size)?, "a list of vertices")?;
        let depth = Fields::require_field(
            "untilDepth",
            fields.read_integer("untilDepth", 1, 1_000_000_000)?,
            "1 or more",
        )?;
        Ok(Restriction { avoid, color, moves, depth: depth as u32 })
    };
    read().map_err(inside)
}

fn read_override_settings(
    fields: Fields<'_>,
    defaults: &AnalysisSettings,
    warnings: &mut Vec<FieldError>,
) -> Result<AnalysisSettings, FieldError> {
    let mut settings = defaults.clone();
    let mut unknown = Vec::new();
    for (key, value) in fields.read_object("overrideSettings")?.into_iter().flatten() {
        if !settings.set_from_json(key, value).map_err(|why| FieldError::new("overrideSettings", why))? {
            unknown.push(key.as_str());
        }
    }
    if !unknown.is_empty() {
        let text = format!("settings without effect in ishi: {}", unknown.join(", "));
        warnings.push(FieldError::new("overrideSettings", text));
    }
    if let Some(visits) = fields.read_integer("maxVisits", 1, MOST_VISITS)? {
        settings.max_visits = visits;
    }
    if let Some(moves) = fields.read_integer("analysisPVLen", 1, LONGEST_VARIATION)? {
        settings.variation = moves as usize;
    }
    Ok(settings)
}

/// Fields that are checked and change nothing.
fn check_unused_fields(fields: Fields<'_>, warnings: &mut Vec<FieldError>) -> Result<(), FieldError> {
    for (field, least, most) in [("rootPolicyTemperature", 0.01, 100.0), ("rootFpuReductionMax", 0.0, 2.0)] {
        if fields.read_number(field, least, most)?.is_some() {
            warnings.push(FieldError::new(field, "ishi has no such parameter: it has no effect"));
        }
    }
    if fields.read_bool("includeNoResultValue")? {
        let text = "ishi does not foresee games without result: noResultValue is left out";
        warnings.push(FieldError::new("includeNoResultValue", text));
    }
    Ok(())
}

fn read_answer_parts(fields: Fields<'_>) -> Result<AnswerParts, FieldError> {
    Ok(AnswerParts {
        ownership: fields.read_bool("includeOwnership")?,
        ownership_deviation: fields.read_bool("includeOwnershipStdev")?,
        move_ownership: fields.read_bool("includeMovesOwnership")?,
        move_ownership_deviation: fields.read_bool("includeMovesOwnershipStdev")?,
        policy: fields.read_bool("includePolicy")?,
        variation_visits: fields.read_bool("includePVVisits")?,
        explanation: fields.read_language("includeExplanation")?,
    })
}

/// The answer to an action: its own fields, and `more`.
pub(super) fn echo_action(request: Map<String, Value>, more: &[(&str, Value)]) -> Value {
    let mut answer = request;
    answer.extend(more.iter().map(|(name, value)| (name.to_string(), value.clone())));
    json!(answer)
}
