//! Several judges at once. Each is a process with a thread of its own that keeps some positions under way; one thread writes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ishi_arena::process::EngineCommand;
use ishi_patterns::records::Record;

use super::games::Terms;
use super::judge::{Answer, Judge, JudgeError, PolicyOf, Question, label};
use super::plan::{Place, Plan};
use super::{LabelFile, LabelsError};

/// How positions are judged.
#[derive(Clone, Debug)]
pub struct Work<'a> {
    /// The games.
    pub games: &'a [Record],
    /// The rules that they are judged by, and their name.
    pub rules: (ishi_go::Rules, &'a str),
    /// Visits of each position.
    pub visits: u64,
    /// Where the policy comes from.
    pub policy: PolicyOf,
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
pub enum Event {
    /// Another position is done, refused or not.
    Done,
    /// The judge warns; each warning is told once.
    Warning(String),
}

/// What a worker reports.
enum News {
    Judged(Place, String),
    Refused(Place, String),
    Warning(String),
    Failed(JudgeError),
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
pub fn run(
    work: &Work<'_>,
    first: Judge,
    plan: Plan<'_>,
    limit: usize,
    file: &mut LabelFile,
    stopped: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(Event),
) -> Result<bool, LabelsError> {
    let todo: Vec<Place> =
        plan.take(limit).filter(|place| !file.has(&work.games[place.game].id, place.moment)).collect();
    let queue = Mutex::new(todo.into_iter());
    let halt = Arc::new(AtomicBool::new(false));
    let (sender, news) = channel();
    std::thread::scope(|scope| {
        let mut first = Some(first);
        for _ in 0..work.workers.max(1) {
            let (judge, sender, halt, queue) = (first.take(), sender.clone(), Arc::clone(&halt), &queue);
            scope.spawn(move || {
                let end = worker(work, judge, queue, &halt, &sender);
                // Nobody listens any more only if the work is over.
                let _ = sender.send(end.err().map_or(News::Finished, News::Failed));
            });
        }
        let ended =
            Writer { work, file, tell, warnings: Vec::new(), held: Vec::new(), labels: 0, refused: 0 }
                .listen(&news, work.workers.max(1), stopped);
        halt.store(true, Ordering::Relaxed);
        ended
    })
}

/// Keeps a judge busy until there is nothing left, or until it is told to stop.
fn worker(
    work: &Work<'_>,
    judge: Option<Judge>,
    queue: &Mutex<std::vec::IntoIter<Place>>,
    halt: &Arc<AtomicBool>,
    sender: &Sender<News>,
) -> Result<(), JudgeError> {
    let take = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let mut next = take();
    if next.is_none() {
        return Ok(());
    }
    let mut judge = match judge {
        Some(judge) => judge,
        None => Judge::start(work.command, work.patience, halt)?,
    };
    judge.listen_to(halt);
    let mut under_way: BTreeMap<u64, Place> = BTreeMap::new();
    loop {
        while under_way.len() < work.in_flight.max(1)
            && let Some(place) = next
        {
            under_way.insert(judge.ask(&work.question(place))?, place);
            next = take();
        }
        if under_way.is_empty() {
            judge.stop();
            return Ok(());
        }
        if halt.load(Ordering::Relaxed) {
            return Err(JudgeError::Stopped);
        }
        let news = match judge.answer()? {
            Answer::Warning(text) => News::Warning(text),
            Answer::Refused(number, why) => News::Refused(taken(&mut under_way, number)?, why),
            Answer::Judged(number, answer) => {
                let place = taken(&mut under_way, number)?;
                let label = label(&work.question(place), &answer)?;
                News::Judged(place, label.text(work.games[place.game].size))
            }
        };
        if sender.send(news).is_err() {
            return Err(JudgeError::Stopped);
        }
    }
}

fn taken(under_way: &mut BTreeMap<u64, Place>, number: u64) -> Result<Place, JudgeError> {
    under_way.remove(&number).ok_or_else(|| JudgeError::Nonsense {
        problem: "an answer must have the id of a query that waits for one".to_string(),
        line: format!("id {number}"),
    })
}

impl Work<'_> {
    /// What is asked about a position.
    fn question(&self, place: Place) -> Question<'_> {
        let record = &self.games[place.game];
        let (rules, name) = self.rules;
        let komi = Terms::of(record, rules).komi;
        let (visits, policy) = (self.visits, self.policy);
        Question { record, moment: place.moment, komi, rules: name, visits, policy }
    }
}

/// The end of the workers' channel.
struct Writer<'a> {
    work: &'a Work<'a>,
    file: &'a mut LabelFile,
    tell: &'a mut dyn FnMut(Event),
    warnings: Vec<String>,
    /// Refusals before the first label.
    held: Vec<(Place, String)>,
    labels: usize,
    refused: usize,
}

impl Writer<'_> {
    fn listen(
        mut self,
        news: &Receiver<News>,
        workers: usize,
        stopped: &dyn Fn() -> bool,
    ) -> Result<bool, LabelsError> {
        let mut working = workers;
        while working > 0 {
            if stopped() {
                return Ok(false);
            }
            match news.recv_timeout(LOOK) {
                Ok(News::Finished) => working -= 1,
                Ok(News::Failed(error)) => return Err(self.rest(news, error)?.into()),
                Ok(news) => self.note(news)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        match self.held.pop() {
            Some((place, message)) => Err(self.refuses(place, message).into()),
            None => Ok(true),
        }
    }

    /// Other judges' answers that came before the failure are kept.
    fn rest(&mut self, news: &Receiver<News>, error: JudgeError) -> Result<JudgeError, LabelsError> {
        while let Ok(news) = news.try_recv() {
            self.note(news)?;
        }
        Ok(error)
    }

    fn note(&mut self, news: News) -> Result<(), LabelsError> {
        match news {
            News::Judged(place, line) => {
                self.file.add(&self.work.games[place.game].id, place.moment, &line)?;
                self.labels += 1;
                (self.tell)(Event::Done);
                std::mem::take(&mut self.held).into_iter().try_for_each(|(place, why)| self.keep(place, &why))
            }
            News::Refused(place, why) => self.refuse(place, why),
            News::Warning(text) => {
                if self.warnings.len() < MOST_WARNINGS && !self.warnings.contains(&text) {
                    self.warnings.push(text.clone());
                    (self.tell)(Event::Warning(text));
                }
                Ok(())
            }
            News::Failed(_) | News::Finished => Ok(()),
        }
    }

    /// A record that the judge does not take is passed over; but one that takes hardly any is not the right judge. Nothing
    /// is written before its first label, so that a better one is asked again.
    fn refuse(&mut self, place: Place, message: String) -> Result<(), LabelsError> {
        self.refused += 1;
        if self.refused > FEW_REFUSALS && self.refused * 100 > self.labels {
            return Err(self.refuses(place, message).into());
        }
        if self.labels == 0 {
            self.held.push((place, message));
            return Ok(());
        }
        self.keep(place, &message)
    }

    fn keep(&mut self, place: Place, why: &str) -> Result<(), LabelsError> {
        self.file.refuse(&self.work.games[place.game].id, place.moment, why)?;
        (self.tell)(Event::Done);
        Ok(())
    }

    fn refuses(&self, place: Place, message: String) -> JudgeError {
        let id = &self.work.games[place.game].id;
        JudgeError::Refused { position: format!("{id} after {}", place.moment.words()), message }
    }
}
