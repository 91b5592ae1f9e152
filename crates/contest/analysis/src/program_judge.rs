//! A program that speaks KataGo's analysis protocol as the judge of explanations and reviews.
//!
//! Positions of one game are one query. What the program has not answered when it ends, or falls silent for too long, is asked again of a
//! new one. Silence from the start on ends the question. Who stops takes back what was asked, and the program goes on. Komi is told with all
//! that White receives, so that programs need not agree on what a handicap is. KataGo's docs/Analysis_Engine.md (2026) is the source.

mod patience;

use std::collections::BTreeMap;
use std::time::Instant;

use ishi_arena::process::EngineCommand;
use ishi_engine::{MoveReport, SearchReport};
use ishi_go::{BoardSize, Color, Move, Point, Position, Scoring};
use ishi_go_play::analyst::{JudgeControl, JudgeError, PositionJudge};
use ishi_go_play::explain::ErrorModel;
use ishi_go_play::rule_fields::rules_to_json;
use ishi_work::StopFlag;
use serde_json::{Value, json};

use crate::labels::games::points_by_row;
use crate::labels::judge::{JudgeAnswer, JudgeProcess, JudgeProcessError};
use patience::AwaitedAnswer;
pub use patience::{JudgePace, JudgePatience};

/// Starts in a row that bring no answer before it is given up.
const FRUITLESS_STARTS: usize = 3;
/// Moves of the lines that are asked for.
const LINE: usize = 16;
/// Characters of an answer that an error quotes.
const QUOTED: usize = 200;

/// What is started, and how it is asked.
#[derive(Clone, Debug)]
pub struct JudgeProgram {
    /// The program, with its arguments.
    pub command: EngineCommand,
    /// Visits of each position.
    pub visits: u64,
    /// How long it may be silent, also while it begins.
    pub patience: JudgePatience,
}

/// A program that judges positions. It is started with the first question, and again when it ends before it has answered.
pub struct ProgramJudge {
    program: JudgeProgram,
    stop: StopFlag,
    warn: Box<dyn FnMut(&str) + Send>,
    process: Option<JudgeProcess>,
    pace: JudgePace,
    has_hung: bool,
}

/// What was asked and has no answer yet, by the numbers of the queries.
type WaitingQueries = BTreeMap<u64, GameQuery>;

impl ProgramJudge {
    /// A judge that is not started yet. Raising `stop` ends every wait for it.
    pub fn new(program: JudgeProgram, stop: StopFlag) -> ProgramJudge {
        ProgramJudge {
            program,
            stop,
            warn: Box::new(|_| {}),
            process: None,
            pace: JudgePace::default(),
            has_hung: false,
        }
    }

    /// The same, where it is known from earlier ones how long the program takes.
    #[must_use]
    pub fn with_pace(self, pace: JudgePace) -> ProgramJudge {
        ProgramJudge { pace, ..self }
    }

    /// How long its program was silent before its answers.
    #[must_use]
    pub fn pace(&self) -> JudgePace {
        self.pace
    }

    /// Did its program fall silent at the last question, so that this has no answer?
    #[must_use]
    pub fn has_hung(&self) -> bool {
        self.has_hung
    }

    /// The same; `warn` hears what the program warns of.
    #[must_use]
    pub fn with_warnings(self, warn: impl FnMut(&str) + Send + 'static) -> ProgramJudge {
        ProgramJudge { warn: Box::new(warn), ..self }
    }

    /// From now on it is asked for so many visits, and raising this flag ends every wait for it. A program that runs goes on.
    pub fn serve_anew(&mut self, visits: u64, stop: &StopFlag) {
        self.program.visits = visits;
        self.stop = stop.clone();
        if let Some(process) = &mut self.process {
            process.set_stop_flag(stop);
        }
    }

    /// Does its program run, as far as it knows? One that has failed does not.
    #[must_use]
    pub fn is_started(&self) -> bool {
        self.process.is_some()
    }

    fn running_process(&mut self) -> Result<&mut JudgeProcess, JudgeProcessError> {
        if self.process.is_none() {
            let JudgeProgram { command, patience, .. } = &self.program;
            self.process = Some(JudgeProcess::start(command, patience.most, &self.stop)?);
        }
        Ok(self.process.as_mut().expect("it was started"))
    }

    /// Asks about all positions that have no answer yet, and collects answers until all have one. Who stops takes back what was asked.
    fn ask_missing(
        &mut self,
        positions: &[Position],
        found: &mut [Option<SearchReport>],
        control: &mut JudgeControl<'_>,
    ) -> Result<(), JudgeProcessError> {
        if self.stop.is_requested() || control.stop.is_requested() {
            return Err(JudgeProcessError::Stopped);
        }
        let waiting = self.send_queries(positions, found)?;
        let collected = self.collect_answers(positions, &waiting, found, control);
        if collected == Err(JudgeProcessError::Stopped) {
            self.take_back(&waiting);
        }
        collected
    }

    fn send_queries(
        &mut self,
        positions: &[Position],
        found: &[Option<SearchReport>],
    ) -> Result<WaitingQueries, JudgeProcessError> {
        let missing = (0..positions.len()).filter(|&index| found[index].is_none());
        let mut waiting = WaitingQueries::new();
        let visits = self.program.visits;
        let process = self.running_process()?;
        for query in group_by_game(positions, missing) {
            let number = process.send_query(query.to_json(positions, visits))?;
            waiting.insert(number, query);
        }
        Ok(waiting)
    }

    /// Nobody waits for these any more. The program need not begin anew for the next who asks.
    fn take_back(&mut self, waiting: &WaitingQueries) {
        let Some(process) = &mut self.process else { return };
        let told = waiting.keys().try_for_each(|&number| process.terminate_query(number));
        if told.is_err() {
            self.process = None;
        }
    }

    fn collect_answers(
        &mut self,
        positions: &[Position],
        waiting: &WaitingQueries,
        found: &mut [Option<SearchReport>],
        control: &mut JudgeControl<'_>,
    ) -> Result<(), JudgeProcessError> {
        // What was taken back may still be answered.
        let is_taken_back = |number: u64| waiting.keys().next().is_some_and(|first| number < *first);
        while found.iter().any(Option::is_none) {
            if control.stop.is_requested() {
                return Err(JudgeProcessError::Stopped);
            }
            let missing = found.iter().filter(|answer| answer.is_none()).count();
            match self.next_answer(waiting, missing)? {
                JudgeAnswer::Warning(text) => (self.warn)(&text),
                JudgeAnswer::Refused(number, _) | JudgeAnswer::Judged(number, _) if is_taken_back(number) => {
                }
                JudgeAnswer::Refused(number, message) => {
                    let query = waiting.get(&number);
                    let position = query.map_or(String::new(), |query| query.describe(positions));
                    return Err(JudgeProcessError::Refused { position, message });
                }
                JudgeAnswer::Judged(number, answer) => {
                    let index = place_of_answer(waiting, number, &answer)?;
                    found[index] = Some(read_report(&positions[index], &answer).map_err(|problem| {
                        nonsense(format!("its answer cannot be used: {problem}"), &answer)
                    })?);
                    (control.tell)(found.iter().flatten().count());
                }
            }
        }
        Ok(())
    }

    fn describe_failure(&self, error: &JudgeProcessError, is_lost: bool) -> String {
        let command = &self.program.command;
        match error {
            _ if is_lost => {
                format!("the judge {command}, after {FRUITLESS_STARTS} starts without an answer: {error}")
            }
            JudgeProcessError::Silent(_) => {
                format!("the judge {command} has said nothing since its start: {error}")
            }
            error => format!("the judge {command}: {error}"),
        }
    }

    /// The next answer of the program, which is waited for as long as it may be silent.
    fn next_answer(
        &mut self,
        waiting: &WaitingQueries,
        positions: usize,
    ) -> Result<JudgeAnswer, JudgeProcessError> {
        let JudgeProgram { visits, patience, .. } = self.program;
        let pace = self.pace;
        let process = self.running_process()?;
        let since_start = process.silence_since_start();
        let awaited = AwaitedAnswer { visits, positions, since_start };
        let begun = Instant::now();
        let answer = process.next_answer_within(pace.silence_limit(patience, awaited))?;
        // Warnings come at once, and so does what is said of a query that was taken back: neither shows how long an answer takes.
        if matches!(&answer, JudgeAnswer::Judged(number, _) if waiting.contains_key(number)) {
            self.pace.note_answer(since_start.unwrap_or_default() + begun.elapsed(), awaited);
        }
        Ok(answer)
    }
}

/// The place of the position that an answer is about.
fn place_of_answer(
    waiting: &WaitingQueries,
    number: u64,
    answer: &Value,
) -> Result<usize, JudgeProcessError> {
    let known = waiting.get(&number).and_then(|query| query.position_of(answer));
    known.ok_or_else(|| {
        nonsense("an answer must have the id and the turn of a query that waits for one", answer)
    })
}

/// What is warned of before a new start, after so many without an answer. The same last words are not told after each of them.
fn describe_restart(error: &JudgeProcessError, fruitless: usize) -> String {
    if fruitless > 1 {
        "it was lost again before it had answered, and is started once more".to_string()
    } else {
        format!("it is started again, as it was lost: {error}")
    }
}

fn nonsense(problem: impl Into<String>, answer: &Value) -> JudgeProcessError {
    let line: String = answer.to_string().chars().take(QUOTED).collect();
    JudgeProcessError::Nonsense { problem: problem.into(), line }
}

impl PositionJudge for ProgramJudge {
    fn judge_positions(
        &mut self,
        positions: &[Position],
        control: &mut JudgeControl<'_>,
    ) -> Result<Vec<SearchReport>, JudgeError> {
        let mut found: Vec<Option<SearchReport>> = vec![None; positions.len()];
        let mut fruitless = 0;
        self.has_hung = false;
        loop {
            let before = found.iter().flatten().count();
            let Err(error) = self.ask_missing(positions, &mut found, control) else {
                return Ok(found.into_iter().flatten().collect());
            };
            if error == JudgeProcessError::Stopped {
                return Err(JudgeError::Stopped);
            }
            let has_spoken =
                self.process.take().is_some_and(|process| process.silence_since_start().is_none());
            let is_silent = matches!(error, JudgeProcessError::Silent(_));
            let is_lost = is_silent && has_spoken || matches!(error, JudgeProcessError::Lost(_));
            fruitless = if found.iter().flatten().count() > before { 0 } else { fruitless + 1 };
            if is_lost && fruitless < FRUITLESS_STARTS {
                (self.warn)(&describe_restart(&error, fruitless));
                continue;
            }
            self.has_hung = is_silent;
            return Err(JudgeError::Failed(self.describe_failure(&error, is_lost)));
        }
    }

    fn error_model(&self, _: BoardSize) -> ErrorModel {
        ErrorModel::PROGRAM
    }

    fn likes_many(&self) -> bool {
        true
    }
}

/// Positions of one game: the last of them has all moves, the others are turns on the way.
struct GameQuery {
    last: usize,
    /// Turns, and the places of their positions.
    turns: BTreeMap<usize, usize>,
}

/// Positions as queries: neighbours in the list that come after each other in a game are one.
fn group_by_game(positions: &[Position], wanted: impl Iterator<Item = usize>) -> Vec<GameQuery> {
    let mut queries: Vec<GameQuery> = Vec::new();
    for index in wanted {
        let turn = if is_told_by_moves(&positions[index]) { positions[index].moves().len() } else { 0 };
        match queries.last_mut() {
            Some(query) if comes_after(&positions[query.last], &positions[index]) => {
                query.last = index;
                query.turns.insert(turn, index);
            }
            _ => queries.push(GameQuery { last: index, turns: BTreeMap::from([(turn, index)]) }),
        }
    }
    queries
}

/// Is the side to move the one that moves next by the rules of the protocol: the other one than the last that moved?
fn is_told_by_moves(position: &Position) -> bool {
    position.last_move().is_none_or(|(color, _)| color != position.to_move())
}

/// Is this a later position of the same game?
fn comes_after(earlier: &Position, later: &Position) -> bool {
    let is_same_game = earlier.size() == later.size()
        && earlier.rules() == later.rules()
        && earlier.white_bonus() == later.white_bonus()
        && earlier.setup_stones() == later.setup_stones();
    let is_next = match later.moves().get(earlier.moves().len()) {
        Some(&(color, _)) => color == earlier.to_move(),
        None => false,
    };
    is_same_game
        && is_next
        && later.moves().starts_with(earlier.moves())
        && is_told_by_moves(earlier)
        && is_told_by_moves(later)
}

impl GameQuery {
    /// The place of the position that an answer is about.
    fn position_of(&self, answer: &Value) -> Option<usize> {
        let turn = answer["turnNumber"].as_u64().and_then(|turn| usize::try_from(turn).ok());
        self.turns.get(&turn?).copied()
    }

    fn describe(&self, positions: &[Position]) -> String {
        format!("after move {}", positions[self.last].moves().len())
    }

    /// The query, without its id.
    fn to_json(&self, positions: &[Position], visits: u64) -> Value {
        let position = &positions[self.last];
        let told = ToldGame::from_position(position);
        let letter = |color: Color| color.letter().to_string();
        let stones: Vec<Value> =
            told.stones.iter().map(|&(color, point)| json!([letter(color), point.to_string()])).collect();
        let moves: Vec<Value> =
            told.moves.iter().map(|&(color, mv)| json!([letter(color), mv.to_string()])).collect();
        json!({
            "boardXSize": position.size().width(),
            "boardYSize": position.size().height(),
            "rules": told_rules(position),
            "komi": told.komi,
            "initialStones": stones,
            "initialPlayer": letter(told.first),
            "moves": moves,
            "analyzeTurns": self.turns.keys().collect::<Vec<_>>(),
            "maxVisits": visits,
            "analysisPVLen": LINE,
            "includeOwnership": true,
            "overrideSettings": { "reportAnalysisWinratesAs": "BLACK" },
        })
    }
}

/// The rules field by field. What White receives for a handicap is part of the komi that is told.
fn told_rules(position: &Position) -> Value {
    let mut rules: Value = serde_json::from_str(&rules_to_json(position.rules())).unwrap_or(Value::Null);
    rules["whiteHandicapBonus"] = Value::from("0");
    rules
}

/// A game as the protocol tells it.
struct ToldGame {
    stones: Vec<(Color, Point)>,
    first: Color,
    moves: Vec<(Color, Move)>,
    komi: f64,
}

impl ToldGame {
    /// Where another side is to move than by the moves, the stones as they stand now, without a history.
    fn from_position(position: &Position) -> ToldGame {
        let komi = position.white_bonus();
        if is_told_by_moves(position) {
            let moves = position.moves().to_vec();
            let first = moves.first().map_or(position.to_move(), |&(color, _)| color);
            return ToldGame { stones: position.setup_stones().to_vec(), first, moves, komi };
        }
        let board = position.board();
        let stones = position.size().points().filter_map(|point| Some((board.color(point)?, point)));
        let prisoners = match position.rules().scoring {
            Scoring::Territory => {
                position.prisoners(Color::White) as f64 - position.prisoners(Color::Black) as f64
            }
            Scoring::Area => 0.0,
        };
        let (stones, first) = (stones.collect(), position.to_move());
        ToldGame { stones, first, moves: Vec::new(), komi: komi + prisoners }
    }
}

/// What an answer says of a position, from the side to move. A program that knows no history, or is broken, may name moves that cannot be
/// played: they are left out, and lines end before them.
///
/// # Errors
/// Which field is missing or cannot be, and what would be right.
pub fn read_report(position: &Position, answer: &Value) -> Result<SearchReport, String> {
    let reader = ReportReader { position };
    let root = &answer["rootInfo"];
    let infos = answer["moveInfos"].as_array().ok_or("moveInfos must be a list of moves")?;
    let mut moves = infos.iter().map(|info| reader.read_move(info)).collect::<Result<Vec<_>, String>>()?;
    moves.sort_by_key(|&(order, _)| order);
    let reports = moves.into_iter().map(|(_, report)| report);
    let playable = reports.filter(|report| position.is_legal(position.to_move(), report.mv));
    let with_playable_line =
        |report: MoveReport| MoveReport { variation: playable_line(position, &report), ..report };
    Ok(SearchReport {
        moves: playable.map(with_playable_line).collect(),
        playouts: reader.read_visits(root)?,
        win_rate: reader.read_win_rate(root, "winrate")?,
        score: reader.read_lead(root)?,
        score_deviation: root["scoreStdev"].as_f64().filter(|spread| *spread >= 0.0),
        ownership: reader.read_owners(answer)?,
    })
}

/// The line of a move as far as it can be played; one that begins with another move is none.
fn playable_line(position: &Position, report: &MoveReport) -> Vec<Move> {
    if report.variation.first() != Some(&report.mv) {
        return Vec::new();
    }
    let mut after = position.clone();
    report.variation.iter().copied().take_while(|&mv| after.play(after.to_move(), mv).is_ok()).collect()
}

struct ReportReader<'a> {
    position: &'a Position,
}

impl ReportReader<'_> {
    fn is_black(&self) -> bool {
        self.position.to_move() == Color::Black
    }

    fn read_number(object: &Value, field: &str, least: f64, most: f64) -> Result<f64, String> {
        let number = object[field].as_f64().filter(|number| (least..=most).contains(number));
        number
            .ok_or_else(|| format!("{field} must be a number from {least} to {most}, not {}", object[field]))
    }

    fn read_visits(&self, object: &Value) -> Result<u64, String> {
        Self::read_number(object, "visits", 0.0, 1e15).map(|visits| visits as u64)
    }

    fn read_win_rate(&self, object: &Value, field: &str) -> Result<f64, String> {
        let black = Self::read_number(object, field, -1e-6, 1.0 + 1e-6)?.clamp(0.0, 1.0);
        Ok(if self.is_black() { black } else { 1.0 - black })
    }

    fn read_lead(&self, object: &Value) -> Result<f64, String> {
        let black = Self::read_number(object, "scoreLead", -1e4, 1e4)?;
        Ok(if self.is_black() { black } else { -black })
    }

    /// A move with its place in the order of the program.
    fn read_move(&self, info: &Value) -> Result<(u64, MoveReport), String> {
        let size = self.position.size();
        let parse = |value: &Value| value.as_str().and_then(|text| size.parse_move(text).ok());
        let mv = parse(&info["move"])
            .ok_or_else(|| format!("move must be a vertex of the board or pass, not {}", info["move"]))?;
        let line = info["pv"].as_array().into_iter().flatten().map_while(parse);
        let win_rate = self.read_win_rate(info, "winrate")?;
        let report = MoveReport {
            visits: self.read_visits(info)?,
            win_rate,
            // Not all programs tell one, and where there are few visits it may lie outside.
            lower_bound: match info["lcb"].as_f64() {
                Some(bound) if self.is_black() => bound.clamp(0.0, 1.0),
                Some(bound) => (1.0 - bound).clamp(0.0, 1.0),
                None => win_rate,
            },
            score: self.read_lead(info)?,
            score_deviation: info["scoreStdev"].as_f64().filter(|spread| *spread >= 0.0),
            prior: info["prior"].as_f64().unwrap_or_default().clamp(0.0, 1.0),
            variation: line.collect(),
            ..MoveReport::unsearched_move(mv)
        };
        Ok((info["order"].as_u64().unwrap_or(u64::MAX), report))
    }

    /// Row by row from the upper left corner; not all programs tell them.
    fn read_owners(&self, answer: &Value) -> Result<Vec<(Point, f32)>, String> {
        let size = self.position.size();
        let Some(list) = answer["ownership"].as_array() else { return Ok(Vec::new()) };
        let owners: Vec<f64> =
            list.iter().filter_map(Value::as_f64).filter(|owner| owner.abs() <= 1.01).collect();
        if owners.len() != size.area() || list.len() != size.area() {
            return Err(format!("ownership must be {} numbers from -1 to 1", size.area()));
        }
        let sign = if self.is_black() { 1.0 } else { -1.0 };
        Ok(points_by_row(size).zip(owners).map(|(point, owner)| (point, (sign * owner) as f32)).collect())
    }
}

#[cfg(test)]
mod tests;
