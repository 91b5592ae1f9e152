//! Several judges at once. Each is a process with a thread of its own that keeps some positions under way; one thread writes. Who shares the work
//! out otherwise asks a single judge about some positions ([`judge_places`]).

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ishi_arena::process::EngineCommand;
use ishi_patterns::records::RecordedGame;
use ishi_work::{Stop, StopFlag};
use serde_json::Value;

use super::games::GameTerms;
use super::judge::{
    JudgeAnswer, JudgeProcess, JudgeProcessError, JudgeQuestion, PolicySource, label_from_answer,
};
use super::plan::{GamePlace, LabelPlan};
use super::{LabelFile, LabelsError};

/// How positions are judged.
#[derive(Clone, Debug)]
pub struct LabelWork<'a> {
    /// The games.
    pub games: &'a [RecordedGame],
    /// The rules that they are judged by, and their name.
    pub rules: (ishi_go::Rules, &'a str),
    /// Visits of each position.
    pub visits: u64,
    /// Where the policy comes from.
    pub policy: PolicySource,
    /// The program.
    pub command: &'a EngineCommand,
    /// How long it may be silent.
    pub patience: Duration,
    /// Processes.
    pub workers: usize,
    /// Positions that each process has at once.
    pub in_flight: usize,
}

/// What is told while the work goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabelEvent {
    /// Another position is done, refused or not.
    Done,
    /// The judge warns; each warning is told once.
    Warning(String),
}

/// What a worker reports.
enum WorkerNews {
    Judged(GamePlace, String),
    Refused(GamePlace, String),
    Warning(String),
    Failed(JudgeProcessError),
    /// It has nothing left to do.
    Finished,
}

/// Refusals that are borne before most answers have to be labels.
const FEW_REFUSALS: usize = 10;
/// Time between two looks at whether to stop.
const LOOK: Duration = Duration::from_millis(50);
/// Warnings that are remembered, so that each is told once.
const MOST_WARNINGS: usize = 20;

/// Judges the positions of the plan that the file does not have, `limit` counting those that it has; adds them to the file.
/// The first judge, whose name stands in the file, runs already. True if all are done, false if it was stopped.
///
/// # Errors
/// If a judge fails or refuses many positions, or the file cannot be written. What was judged before is in the file.
pub fn run_judges(
    work: &LabelWork<'_>,
    first: JudgeProcess,
    plan: LabelPlan<'_>,
    limit: usize,
    file: &mut LabelFile,
    stopped: &dyn Stop,
    tell: &mut dyn FnMut(LabelEvent),
) -> Result<bool, LabelsError> {
    let todo: Vec<GamePlace> = plan
        .take(limit)
        .filter(|place| !file.has_position(&work.games[place.game].id, place.moment))
        .collect();
    let queue = Mutex::new(todo.into_iter());
    let halt = StopFlag::default();
    let (sender, news) = channel();
    std::thread::scope(|scope| {
        let mut first = Some(first);
        for _ in 0..work.workers.max(1) {
            let (judge, sender, halt, queue) = (first.take(), sender.clone(), halt.clone(), &queue);
            scope.spawn(move || {
                let end = run_worker(work, judge, queue, &halt, &sender);
                // Nobody listens any more only if the work is over.
                let _ = sender.send(end.err().map_or(WorkerNews::Finished, WorkerNews::Failed));
            });
        }
        let ended =
            LabelWriter { work, file, tell, warnings: Vec::new(), held: Vec::new(), labels: 0, refused: 0 }
                .collect_news(&news, work.workers.max(1), stopped);
        halt.request();
        ended
    })
}

/// Keeps a judge busy until there is nothing left, or until it is told to stop.
fn run_worker(
    work: &LabelWork<'_>,
    judge: Option<JudgeProcess>,
    queue: &Mutex<std::vec::IntoIter<GamePlace>>,
    halt: &StopFlag,
    sender: &Sender<WorkerNews>,
) -> Result<(), JudgeProcessError> {
    let take = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let mut next = take();
    // A judge takes long to start: none is started where nothing is left to ask.
    if next.is_none() {
        return Ok(());
    }
    let mut judge = match judge {
        Some(judge) => judge,
        None => JudgeProcess::start(work.command, work.patience, halt)?,
    };
    judge.set_stop_flag(halt);
    let mut under_way: BTreeMap<u64, GamePlace> = BTreeMap::new();
    loop {
        while under_way.len() < work.in_flight.max(1)
            && let Some(place) = next
        {
            under_way.insert(judge.ask_question(&work.make_question(place))?, place);
            next = take();
        }
        if under_way.is_empty() {
            judge.stop();
            return Ok(());
        }
        if halt.is_requested() {
            return Err(JudgeProcessError::Stopped);
        }
        let news = match judge.next_answer()? {
            JudgeAnswer::Warning(text) => WorkerNews::Warning(text),
            JudgeAnswer::Refused(number, why) => {
                WorkerNews::Refused(take_under_way(&mut under_way, number)?, why)
            }
            JudgeAnswer::Judged(number, answer) => {
                let place = take_under_way(&mut under_way, number)?;
                WorkerNews::Judged(place, work.read_label_line(place, &answer)?)
            }
        };
        if sender.send(news).is_err() {
            return Err(JudgeProcessError::Stopped);
        }
    }
}

fn take_under_way(
    under_way: &mut BTreeMap<u64, GamePlace>,
    number: u64,
) -> Result<GamePlace, JudgeProcessError> {
    under_way.remove(&number).ok_or_else(|| JudgeProcessError::Nonsense {
        problem: "an answer must have the id of a query that waits for one".to_string(),
        line: format!("id {number}"),
    })
}

/// What a judge says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceJudgement {
    /// The line of its label, without its end.
    Label(String),
    /// It refuses the position, in these words.
    Refused(String),
}

/// Asks one judge about these positions, which are all different, and gives what it says of each, in their order. The judge goes on running.
///
/// # Errors
/// If the judge fails, or `stop` was raised.
pub fn judge_places(
    work: &LabelWork<'_>,
    judge: &mut JudgeProcess,
    places: &[GamePlace],
    stop: &StopFlag,
) -> Result<Vec<PlaceJudgement>, JudgeProcessError> {
    judge.set_stop_flag(stop);
    let mut under_way: BTreeMap<u64, GamePlace> = BTreeMap::new();
    let mut found: BTreeMap<GamePlace, PlaceJudgement> = BTreeMap::new();
    let mut waiting = places.iter().copied();
    loop {
        while under_way.len() < work.in_flight.max(1)
            && let Some(place) = waiting.next()
        {
            under_way.insert(judge.ask_question(&work.make_question(place))?, place);
        }
        if under_way.is_empty() {
            return Ok(places.iter().filter_map(|place| found.remove(place)).collect());
        }
        if stop.is_requested() {
            return Err(JudgeProcessError::Stopped);
        }
        match judge.next_answer()? {
            JudgeAnswer::Warning(_) => {}
            JudgeAnswer::Refused(number, why) => {
                found.insert(take_under_way(&mut under_way, number)?, PlaceJudgement::Refused(why));
            }
            JudgeAnswer::Judged(number, answer) => {
                let place = take_under_way(&mut under_way, number)?;
                found.insert(place, PlaceJudgement::Label(work.read_label_line(place, &answer)?));
            }
        }
    }
}

impl LabelWork<'_> {
    /// The line of the label that an answer about the position gives.
    fn read_label_line(&self, place: GamePlace, answer: &Value) -> Result<String, JudgeProcessError> {
        let label = label_from_answer(&self.make_question(place), answer)?;
        Ok(label.to_line(self.games[place.game].size))
    }

    /// What is asked about a position.
    fn make_question(&self, place: GamePlace) -> JudgeQuestion<'_> {
        let record = &self.games[place.game];
        let (rules, name) = self.rules;
        let komi = GameTerms::from_record(record, rules).komi;
        let (visits, policy) = (self.visits, self.policy);
        JudgeQuestion { record, moment: place.moment, komi, rules: name, visits, policy }
    }
}

/// The end of the workers' channel.
struct LabelWriter<'a> {
    work: &'a LabelWork<'a>,
    file: &'a mut LabelFile,
    tell: &'a mut dyn FnMut(LabelEvent),
    warnings: Vec<String>,
    /// Refusals before the first label.
    held: Vec<(GamePlace, String)>,
    labels: usize,
    refused: usize,
}

impl LabelWriter<'_> {
    fn collect_news(
        mut self,
        news: &Receiver<WorkerNews>,
        workers: usize,
        stopped: &dyn Stop,
    ) -> Result<bool, LabelsError> {
        let mut working = workers;
        while working > 0 {
            if stopped.is_requested() {
                return Ok(false);
            }
            match news.recv_timeout(LOOK) {
                Ok(WorkerNews::Finished) => working -= 1,
                Ok(WorkerNews::Failed(error)) => return Err(self.drain_news(news, error)?.into()),
                Ok(news) => self.handle_news(news)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        match self.held.pop() {
            Some((place, message)) => Err(self.refusal_error(place, message).into()),
            None => Ok(true),
        }
    }

    /// Other judges' answers that came before the failure are kept.
    fn drain_news(
        &mut self,
        news: &Receiver<WorkerNews>,
        error: JudgeProcessError,
    ) -> Result<JudgeProcessError, LabelsError> {
        while let Ok(news) = news.try_recv() {
            self.handle_news(news)?;
        }
        Ok(error)
    }

    fn handle_news(&mut self, news: WorkerNews) -> Result<(), LabelsError> {
        match news {
            WorkerNews::Judged(place, line) => {
                self.file.add_label(&self.work.games[place.game].id, place.moment, &line)?;
                self.labels += 1;
                (self.tell)(LabelEvent::Done);
                std::mem::take(&mut self.held)
                    .into_iter()
                    .try_for_each(|(place, why)| self.write_refusal(place, &why))
            }
            WorkerNews::Refused(place, why) => self.handle_refusal(place, why),
            WorkerNews::Warning(text) => {
                if self.warnings.len() < MOST_WARNINGS && !self.warnings.contains(&text) {
                    self.warnings.push(text.clone());
                    (self.tell)(LabelEvent::Warning(text));
                }
                Ok(())
            }
            WorkerNews::Failed(_) | WorkerNews::Finished => Ok(()),
        }
    }

    /// A record that the judge does not take is passed over; but one that takes hardly any is not the right judge. Nothing
    /// is written before its first label, so that a better one is asked again.
    fn handle_refusal(&mut self, place: GamePlace, message: String) -> Result<(), LabelsError> {
        self.refused += 1;
        if self.refused > FEW_REFUSALS && self.refused * 100 > self.labels {
            return Err(self.refusal_error(place, message).into());
        }
        if self.labels == 0 {
            self.held.push((place, message));
            return Ok(());
        }
        self.write_refusal(place, &message)
    }

    fn write_refusal(&mut self, place: GamePlace, why: &str) -> Result<(), LabelsError> {
        self.file.add_refusal(&self.work.games[place.game].id, place.moment, why)?;
        (self.tell)(LabelEvent::Done);
        Ok(())
    }

    fn refusal_error(&self, place: GamePlace, message: String) -> JudgeProcessError {
        let id = &self.work.games[place.game].id;
        JudgeProcessError::Refused {
            position: format!("{id} after {}", place.moment.describe_moves()),
            message,
        }
    }
}
