//! The asking side of KataGo's analysis protocol: a program that judges positions, and what it answers.
//!
//! An answer is told from Black's side whatever the program's configuration says: each query sets `reportAnalysisWinratesAs`.
//! With one visit the figures are the network's own (`rawWinrate`, `rawLead`, `rawScoreSelfplayStdev`); with more, or from a
//! program that has no such fields, they are the search's.

use std::time::{Duration, Instant};

use ishi_arena::process::{EngineCommand, EngineProcess, EngineStartError, ProcessError, ProcessOptions};
use ishi_go::Move;
use ishi_gtp::EngineConnection;
use ishi_patterns::records::RecordedGame;
use ishi_work::StopFlag;
use serde_json::{Value, json};

use super::games::{index_of_point, points_by_row};
use super::label::{MOST_MOVES, OWNER_STEPS, PositionLabel};
use super::plan::Moment;

/// A position, and how it is to be judged.
#[derive(Clone, Copy, Debug)]
pub struct JudgeQuestion<'a> {
    /// The game.
    pub record: &'a RecordedGame,
    /// When in the game the position is.
    pub moment: Moment,
    /// Points that White receives, compensation for a handicap apart.
    pub komi: f64,
    /// The rules by their name, which the judge knows and we know.
    pub rules: &'a str,
    /// Visits of the search; one is the network alone.
    pub visits: u64,
    /// Where the policy comes from.
    pub policy: PolicySource,
}

/// Where a label's policy comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PolicySource {
    /// The network, before any search.
    #[default]
    Network,
    /// The shares of the search's visits.
    Visits,
}

impl PolicySource {
    /// Both, with their words.
    pub const WORDS: [(PolicySource, &'static str); 2] =
        [(PolicySource::Network, "network"), (PolicySource::Visits, "visits")];

    /// Its word.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::WORDS.iter().find(|(policy, _)| *policy == self).map_or("", |(_, word)| word)
    }
}

/// Why a judge gives no label.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JudgeProcessError {
    /// It could not be started.
    #[error("{0}")]
    Start(String),
    /// It ended.
    #[error("{0}")]
    Lost(String),
    /// It said nothing for too long.
    #[error("{0}")]
    Silent(String),
    /// It refuses a query.
    #[error("it refuses position {position}: {message}")]
    Refused {
        /// The game and the moves played.
        position: String,
        /// Its words.
        message: String,
    },
    /// It says what the protocol does not have.
    #[error("{problem}; it said {line}")]
    Nonsense {
        /// What is wrong.
        problem: String,
        /// The line, cut if it is long.
        line: String,
    },
    /// Somebody stopped the work.
    #[error("stopped")]
    Stopped,
}

impl From<EngineStartError> for JudgeProcessError {
    fn from(error: EngineStartError) -> JudgeProcessError {
        JudgeProcessError::Start(error.to_string())
    }
}

impl From<ProcessError> for JudgeProcessError {
    fn from(error: ProcessError) -> JudgeProcessError {
        match error {
            ProcessError::Stopped => JudgeProcessError::Stopped,
            ProcessError::TimedOut { .. } => JudgeProcessError::Silent(error.to_string()),
            error => JudgeProcessError::Lost(error.to_string()),
        }
    }
}

/// Characters of a line that an error quotes.
const QUOTED: usize = 200;

fn nonsense_error(problem: impl Into<String>, line: &str) -> JudgeProcessError {
    let quoted = match line.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_string(),
    };
    JudgeProcessError::Nonsense { problem: problem.into(), line: quoted }
}

/// A line from a judge.
#[derive(Clone, Debug, PartialEq)]
pub enum JudgeAnswer {
    /// What it says of the query with this number.
    Judged(u64, Value),
    /// It refuses the query with this number, in these words.
    Refused(u64, String),
    /// A warning, which does not keep it from answering.
    Warning(String),
}

/// A program that judges positions.
#[derive(Debug)]
pub struct JudgeProcess {
    process: EngineProcess,
    patience: Duration,
    next: u64,
    started: Instant,
    has_spoken: bool,
}

impl JudgeProcess {
    /// Starts the program. It may be silent for so long, also while it begins; raising `stop` ends every wait.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(
        command: &EngineCommand,
        patience: Duration,
        stop: &StopFlag,
    ) -> Result<JudgeProcess, JudgeProcessError> {
        // A million answers go by: the transcript is for the last ones.
        let options = ProcessOptions { transcript_lines: 8, ..ProcessOptions::default() };
        let mut process = EngineProcess::spawn(command, options)?;
        process.share_stop_flag(stop.clone());
        Ok(JudgeProcess { process, patience, next: 0, started: Instant::now(), has_spoken: false })
    }

    /// Its version and the names of its networks, such as `KataGo 1.17.2, kata1-b6c96`.
    ///
    /// # Errors
    /// If it does not answer as the protocol wants.
    pub fn query_name(&mut self) -> Result<String, JudgeProcessError> {
        let version = self.perform_action("query_version")?;
        let Some(version) = version["version"].as_str() else {
            return Err(nonsense_error(
                "query_version must be answered with a version",
                &version.to_string(),
            ));
        };
        let models = self.perform_action("query_models")?;
        let names = models["models"].as_array().into_iter().flatten();
        let name = |model: &Value| {
            let words = ["internalName", "name"].map(|field| model[field].as_str().unwrap_or_default());
            words.into_iter().find(|word| !word.is_empty()).map(str::to_string)
        };
        let name = [version.to_string()].into_iter().chain(names.filter_map(name)).collect::<Vec<_>>();
        Ok(name.join(", ").replace(['\t', '\n', '\r'], " "))
    }

    /// The answer to an action. Old versions do not know all of them: they say so, and that is an answer.
    fn perform_action(&mut self, action: &str) -> Result<Value, JudgeProcessError> {
        self.process
            .send_line(&json!({ "id": action, "action": action }).to_string(), Some(self.patience))?;
        let line = self.next_line(self.patience)?;
        let answer: Value = serde_json::from_str(&line).map_err(|_| {
            nonsense_error("its answer must be a line of JSON, as `katago analysis` gives it", &line)
        })?;
        if answer["error"].is_null() && answer["action"] != action {
            return Err(nonsense_error(format!("the action {action} must be answered"), &line));
        }
        Ok(answer)
    }

    /// Puts a question; gives the number that its answer will have.
    ///
    /// # Errors
    /// If the program has ended.
    pub fn ask_question(&mut self, question: &JudgeQuestion<'_>) -> Result<u64, JudgeProcessError> {
        self.send_query(build_query(question, self.next))
    }

    /// Puts a query, whose id becomes the next number; gives the number.
    ///
    /// # Errors
    /// If the program has ended.
    pub fn send_query(&mut self, mut query: Value) -> Result<u64, JudgeProcessError> {
        let number = self.next;
        query["id"] = Value::from(number.to_string());
        self.process.send_line(&query.to_string(), Some(self.patience))?;
        self.next += 1;
        Ok(number)
    }

    /// Says that nobody waits for the query with this number any more. What is still said of it has that number, and what is said of this line the
    /// next one: no later query has them.
    ///
    /// # Errors
    /// If the program has ended.
    pub fn terminate_query(&mut self, number: u64) -> Result<(), JudgeProcessError> {
        self.send_query(json!({ "action": "terminate", "terminateId": number.to_string() })).map(|_| ())
    }

    /// The next line.
    ///
    /// # Errors
    /// If there is none, or it is no answer.
    pub fn next_answer(&mut self) -> Result<JudgeAnswer, JudgeProcessError> {
        self.next_answer_within(self.patience)
    }

    /// The next line, if it comes in this time.
    ///
    /// # Errors
    /// Those of [`JudgeProcess::next_answer`].
    pub fn next_answer_within(&mut self, patience: Duration) -> Result<JudgeAnswer, JudgeProcessError> {
        parse_answer(&self.next_line(patience)?)
    }

    fn next_line(&mut self, patience: Duration) -> Result<String, JudgeProcessError> {
        // A query may have many answers: the program may be silent before each.
        self.process.renew_deadline(patience);
        loop {
            // `None` would be a line that is no part of a GTP answer; here every line counts.
            if let Some(line) = self.process.receive_line()?
                && !line.trim().is_empty()
            {
                self.has_spoken = true;
                return Ok(line);
            }
        }
    }

    /// The time since its start, if it has not said a line yet.
    pub fn silence_since_start(&self) -> Option<Duration> {
        (!self.has_spoken).then(|| self.started.elapsed())
    }

    /// From now on it is this flag that ends every wait.
    pub fn set_stop_flag(&mut self, stop: &StopFlag) {
        self.process.share_stop_flag(stop.clone());
    }

    /// Ends the program.
    pub fn stop(self) {
        self.process.stop();
    }
}

/// The question as the protocol's line.
#[must_use]
pub fn build_query(question: &JudgeQuestion<'_>, number: u64) -> Value {
    let JudgeQuestion { record, moment, komi, rules, visits, policy: _ } = *question;
    let mut by = record.first;
    let mut played = Vec::with_capacity(moment.moves + 1);
    for mv in moment.played_moves(record) {
        played.push(json!([by.letter(), mv.to_string()]));
        by = !by;
    }
    let stones: Vec<Value> = record.setup.iter().map(|point| json!(["B", point.to_string()])).collect();
    json!({
        "id": number.to_string(),
        "boardXSize": record.size.width(),
        "boardYSize": record.size.height(),
        "rules": rules,
        "komi": komi,
        "initialStones": stones,
        "initialPlayer": record.first.letter(),
        "moves": played,
        "maxVisits": visits,
        "includeOwnership": true,
        "includePolicy": true,
        "overrideSettings": { "reportAnalysisWinratesAs": "BLACK" },
    })
}

/// Reads a line.
///
/// # Errors
/// If it is no answer to a query, nor an error or a warning about one.
pub fn parse_answer(line: &str) -> Result<JudgeAnswer, JudgeProcessError> {
    let answer: Value = serde_json::from_str(line).map_err(|_| {
        nonsense_error("its answers must be lines of JSON, as `katago analysis` gives them", line)
    })?;
    let text = |field: &str| answer[field].as_str().map(str::to_string);
    let about = text("field").map_or(String::new(), |field| format!(" (field {field})"));
    if let Some(warning) = text("warning") {
        return Ok(JudgeAnswer::Warning(format!("{warning}{about}")));
    }
    let number = text("id").and_then(|id| id.parse().ok());
    match (text("error"), number) {
        (Some(error), Some(number)) => Ok(JudgeAnswer::Refused(number, format!("{error}{about}"))),
        (Some(error), None) => Err(nonsense_error(format!("it could not read a query: {error}"), line)),
        (None, Some(number)) if answer["noResults"] == true => {
            Ok(JudgeAnswer::Refused(number, "it ended the analysis without a result".to_string()))
        }
        (None, Some(number)) => Ok(JudgeAnswer::Judged(number, answer)),
        (None, None) => Err(nonsense_error("an answer must have the id of its query", line)),
    }
}

/// What the answer says, as a label.
///
/// # Errors
/// If a field is missing or cannot be: which, and what would be right.
pub fn label_from_answer(
    question: &JudgeQuestion<'_>,
    answer: &Value,
) -> Result<PositionLabel, JudgeProcessError> {
    let reader = AnswerReader { question, answer };
    Ok(PositionLabel {
        game: question.record.id.clone(),
        moment: question.moment,
        komi: question.komi,
        rules: question.rules.to_string(),
        win_rate: reader.read_figure(&["rawWinrate", "winrate"], 0.0..=1.0)?,
        lead: reader.read_figure(&["rawLead", "scoreLead"], -1e4..=1e4)?,
        spread: reader.read_spread()?,
        policy: reader.read_policy()?,
        owners: reader.read_owners()?,
    })
}

struct AnswerReader<'a> {
    question: &'a JudgeQuestion<'a>,
    answer: &'a Value,
}

impl AnswerReader<'_> {
    fn answer_error(&self, problem: String) -> JudgeProcessError {
        let JudgeQuestion { record, moment, .. } = self.question;
        nonsense_error(
            format!("its answer on {} after {}: {problem}", record.id, moment.describe_moves()),
            &self.answer.to_string(),
        )
    }

    /// The figure of the position: the network's own, which stands first, if it was not searched.
    fn read_figure(
        &self,
        names: &[&str],
        within: std::ops::RangeInclusive<f64>,
    ) -> Result<f64, JudgeProcessError> {
        let names = if self.question.visits == 1 { names } else { &names[1..] };
        let found = names.iter().map(|name| &self.answer["rootInfo"][*name]).find(|value| !value.is_null());
        found.and_then(Value::as_f64).filter(|figure| within.contains(figure)).ok_or_else(|| {
            let (least, most) = (within.start(), within.end());
            self.answer_error(format!("rootInfo.{} must be a number from {least} to {most}", names[0]))
        })
    }

    /// Not all programs say it.
    fn read_spread(&self) -> Result<Option<f64>, JudgeProcessError> {
        let names = ["rawScoreSelfplayStdev", "scoreStdev"];
        if names.iter().all(|name| self.answer["rootInfo"][*name].is_null()) {
            return Ok(None);
        }
        self.read_figure(&names, 0.0..=1e4).map(Some)
    }

    fn read_numbers(&self, field: &str, count: usize) -> Result<Vec<f64>, JudgeProcessError> {
        let list = self.answer[field].as_array().filter(|list| list.len() == count);
        let numbers = list.and_then(|list| list.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>());
        numbers
            .filter(|numbers| numbers.iter().all(|number| (-1.0..=1.0).contains(number)))
            .ok_or_else(|| self.answer_error(format!("{field} must be {count} numbers from -1 to 1")))
    }

    fn read_policy(&self) -> Result<Vec<(Move, u16)>, JudgeProcessError> {
        let mut shares = match self.question.policy {
            PolicySource::Network => self.read_network_policy()?,
            PolicySource::Visits => self.read_visit_shares()?,
        };
        // Stable: equal moves stay in their order.
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        let permille = |(mv, share): (Move, f64)| (mv, (1000.0 * share).round() as u16);
        let kept = shares.into_iter().map(permille).take_while(|&(_, share)| share > 0);
        Ok(kept.take(MOST_MOVES).collect())
    }

    /// Illegal moves have -1.
    fn read_network_policy(&self) -> Result<Vec<(Move, f64)>, JudgeProcessError> {
        let size = self.question.record.size;
        let shares = self.read_numbers("policy", size.area() + 1)?;
        let moves = points_by_row(size).map(Move::Play).chain([Move::Pass]);
        Ok(moves.zip(shares).filter(|&(_, share)| share > 0.0).collect())
    }

    fn read_visit_shares(&self) -> Result<Vec<(Move, f64)>, JudgeProcessError> {
        let wrong = || {
            let right = "moveInfos must be a list of moves, each once, with their visits from 0 on";
            self.answer_error(right.to_string())
        };
        let one = |info: &Value| {
            let mv = self.question.record.size.parse_move(info["move"].as_str()?).ok()?;
            let visits = info["edgeVisits"].as_f64().or_else(|| info["visits"].as_f64());
            Some((mv, visits.filter(|visits| *visits >= 0.0)?))
        };
        let infos = self.answer["moveInfos"].as_array().ok_or_else(wrong)?;
        let visits: Vec<(Move, f64)> = infos.iter().map(one).collect::<Option<_>>().ok_or_else(wrong)?;
        // What stands twice could be written, but not be read again.
        if (1..visits.len()).any(|at| visits[..at].iter().any(|(mv, _)| *mv == visits[at].0)) {
            return Err(wrong());
        }
        let sum: f64 = visits.iter().map(|&(_, visits)| visits).sum();
        Ok(visits.into_iter().map(|(mv, visits)| (mv, visits / sum.max(1.0))).collect())
    }

    fn read_owners(&self) -> Result<Vec<i8>, JudgeProcessError> {
        let size = self.question.record.size;
        let found = self.read_numbers("ownership", size.area())?;
        let mut owners = vec![0; size.area()];
        for (point, owner) in points_by_row(size).zip(found) {
            owners[index_of_point(point, size)] = (owner * f64::from(OWNER_STEPS)).round() as i8;
        }
        Ok(owners)
    }
}
