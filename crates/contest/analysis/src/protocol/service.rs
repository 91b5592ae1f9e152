//! The protocol's other half: what waits, what runs, and who is told.
//!
//! Lines come in on one thread ([`AnalysisService::read_requests`]), searches run on others ([`AnalysisService::run_workers`]); every line of an answer is written
//! whole. Each turn of a query is answered finally exactly once, whatever happens to it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ishi_engine::{Clock, Control, Engine, SearchLimits, SearchReport};
use ishi_go::Position;
use ishi_go_play::explain::report::ExplanationReport;
use ishi_go_play::explain::{ExplainParams, Explainer};
use ishi_rng::Seed;
use ishi_work::StopFlag;
use serde_json::{Map, Value, json};

use super::answer::AnswerSubject;
use super::query::{self, AnalysisAction, AnalysisQuery, AnalysisRequest, ProtocolProblem};
use super::settings::AnalysisSettings;

/// The longest line that is read, in bytes.
pub const LONGEST_LINE: usize = 1 << 24;

/// Turns that may wait.
pub const LONGEST_QUEUE: usize = 100_000;

/// Reports are this far apart where nobody wants them.
const QUIET: Duration = Duration::from_secs(3600);

/// What the service says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceInfo {
    /// The program's version.
    pub version: String,
    /// The player's name, such as `go-mcts`.
    pub name: String,
    /// The player with its parameters.
    pub spec: String,
}

/// Makes a player with these parameters besides those it is started with, as `(key, value)`.
pub type MakeEngine<'a> = dyn Fn(&[(String, String)]) -> Result<Box<dyn Engine>, String> + Sync + 'a;

/// A turn to analyse.
#[derive(Clone)]
struct AnalysisJob {
    query: Arc<AnalysisQuery>,
    turn: usize,
    stop: StopFlag,
}

impl AnalysisJob {
    fn is_terminated_by(&self, action: &AnalysisAction) -> bool {
        let AnalysisAction::Terminate(id, turns) = action else { return false };
        id.as_ref().is_none_or(|id| *id == self.query.id)
            && turns.as_ref().is_none_or(|turns| turns.contains(&(self.turn as u64)))
    }
}

#[derive(Default)]
struct ServiceState {
    /// Jobs that wait, by priority and then by arrival.
    waiting: BTreeMap<(Reverse<i64>, u64), AnalysisJob>,
    running: BTreeMap<u64, AnalysisJob>,
    arrived: u64,
    /// Threads that are about to tell of turns that they took from `waiting`.
    telling: usize,
    /// No more queries will come.
    closed: bool,
}

/// Where answers go, and what became of that.
struct AnswerOutput<W> {
    writer: W,
    error: Option<io::Error>,
}

/// Analyses positions for a program at the other end of a pair of lines.
pub struct AnalysisService<W> {
    about: ServiceInfo,
    settings: AnalysisSettings,
    seed: Seed,
    state: Mutex<ServiceState>,
    /// Something waits, or nothing more will come.
    changed: Condvar,
    output: Mutex<AnswerOutput<W>>,
    aborted: StopFlag,
}

/// A thread that panicked has left nothing half done behind these locks.
fn lock_ignoring_poison<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<W: Write + Send> AnalysisService<W> {
    /// A service that writes its answers to `output`. The same query gets the same answer for the same seed, unless time limits it
    /// or the player searches with several threads.
    pub fn new(about: ServiceInfo, settings: AnalysisSettings, seed: Seed, output: W) -> AnalysisService<W> {
        AnalysisService {
            about,
            settings,
            seed,
            state: Mutex::default(),
            changed: Condvar::new(),
            output: Mutex::new(AnswerOutput { writer: output, error: None }),
            aborted: StopFlag::default(),
        }
    }

    /// Reads lines until the input ends or the service is aborted. What waits then is still analysed.
    ///
    /// # Errors
    /// If the input cannot be read; the service is closed then too.
    pub fn read_requests(&self, mut input: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        let result = loop {
            line.clear();
            match input.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line) {
                Ok(0) => break Ok(()),
                Ok(LONGEST_LINE) if !line.ends_with(b"\n") => {
                    self.write_answer_line(&line_too_long_problem().to_json_line("error"));
                    if let Err(error) = skip_line(&mut input) {
                        break Err(error);
                    }
                }
                Ok(_) => self.handle_line(&line),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
            if self.is_aborted() {
                break Ok(());
            }
        };
        self.close();
        result
    }

    /// Takes a line. Whatever it holds, it is answered; only empty ones are not.
    pub fn handle_line(&self, line: &[u8]) {
        let line = line.trim_ascii();
        if line.is_empty() {
            return;
        }
        match query::parse_request(line, &self.settings) {
            Err(problem) => self.write_answer_line(&problem.to_json_line("error")),
            Ok((AnalysisRequest::Action(action, fields), _)) => self.perform_action(&action, fields),
            Ok((AnalysisRequest::Query(query), warnings)) => {
                for warning in warnings {
                    self.write_answer_line(&warning.to_json_line("warning"));
                }
                self.enqueue(*query);
            }
        }
    }

    /// No more queries will come: [`AnalysisService::run_workers`] returns when all are answered.
    pub fn close(&self) {
        lock_ignoring_poison(&self.state).closed = true;
        self.changed.notify_all();
    }

    /// Ends everything soon: what runs is answered as it stands, what waits without results.
    pub fn abort(&self) {
        self.aborted.request();
        self.terminate_jobs(&AnalysisAction::Terminate(None, None));
        self.close();
    }

    fn is_aborted(&self) -> bool {
        self.aborted.is_requested()
    }

    fn enqueue(&self, query: AnalysisQuery) {
        let query = Arc::new(query);
        let mut state = lock_ignoring_poison(&self.state);
        if self.is_aborted() {
            drop(state);
            return query
                .turns
                .iter()
                .for_each(|&(turn, _)| self.write_answer_line(&AnswerSubject::empty_answer(&query, turn)));
        }
        if state.waiting.len() + query.turns.len() > LONGEST_QUEUE {
            drop(state);
            let message =
                format!("more than {LONGEST_QUEUE} turns would wait: ask again when some are answered");
            let id = Some(query.id.clone());
            return self
                .write_answer_line(&ProtocolProblem { message, field: None, id }.to_json_line("error"));
        }
        for &(turn, priority) in &query.turns {
            let job = AnalysisJob { query: Arc::clone(&query), turn, stop: StopFlag::default() };
            state.arrived += 1;
            let key = (Reverse(priority), state.arrived);
            state.waiting.insert(key, job);
        }
        drop(state);
        self.changed.notify_all();
    }

    fn perform_action(&self, action: &AnalysisAction, fields: Map<String, Value>) {
        let more = match action {
            AnalysisAction::Version => vec![
                ("version", Value::from(self.about.version.as_str())),
                ("git_hash", Value::from("<omitted>")),
            ],
            AnalysisAction::Models => vec![("models", self.describe_models())],
            // Nothing is kept from one position to the next.
            AnalysisAction::ClearCache => Vec::new(),
            AnalysisAction::Terminate(..) => {
                self.terminate_jobs(action);
                Vec::new()
            }
        };
        self.write_answer_line(&query::echo_action(fields, &more));
    }

    /// There is one, the player with its parameters: it has its network inside.
    fn describe_models(&self) -> Value {
        json!([{
            "name": self.about.name,
            "internalName": self.about.spec,
            "maxBatchSize": 1,
            "usesHumanSLProfile": false,
            "version": 0,
            "usingFP16": "false",
        }])
    }

    /// Ends what an action means: what waits is answered without results, what runs as soon as it stops.
    fn terminate_jobs(&self, action: &AnalysisAction) {
        let mut state = lock_ignoring_poison(&self.state);
        let all = std::mem::take(&mut state.waiting).into_iter();
        let (ended, waiting): (BTreeMap<_, _>, _) = all.partition(|(_, job)| job.is_terminated_by(action));
        state.waiting = waiting;
        state.telling += 1;
        for job in state.running.values().filter(|job| job.is_terminated_by(action)) {
            job.stop.request();
        }
        drop(state);
        for job in ended.values() {
            self.write_answer_line(&AnswerSubject::empty_answer(&job.query, job.turn));
        }
        lock_ignoring_poison(&self.state).telling -= 1;
        self.changed.notify_all();
    }

    /// Writes a line. Where nobody reads any more, nothing more is done.
    fn write_answer_line(&self, line: &Value) {
        let mut output = lock_ignoring_poison(&self.output);
        if output.error.is_some() {
            return;
        }
        let text = format!("{line}\n");
        let written = output.writer.write_all(text.as_bytes()).and_then(|()| output.writer.flush());
        if let Err(error) = written {
            output.error = Some(error);
            drop(output);
            self.abort();
        }
    }

    /// Analyses on so many threads until the service is closed and everything is answered.
    ///
    /// # Errors
    /// If answers could not be written.
    pub fn run_workers(
        &self,
        threads: usize,
        clock: &(dyn Clock + Sync),
        make: &MakeEngine<'_>,
    ) -> io::Result<()> {
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| self.run_worker(clock, make));
            }
        });
        lock_ignoring_poison(&self.output).error.take().map_or(Ok(()), Err)
    }

    fn run_worker(&self, clock: &(dyn Clock + Sync), make: &MakeEngine<'_>) {
        let mut usual = None;
        while let Some((number, job)) = self.take_next_job() {
            let analysed = catch_unwind(AssertUnwindSafe(|| self.analyse_job(&job, clock, make, &mut usual)));
            lock_ignoring_poison(&self.state).running.remove(&number);
            let error = |message: String, field: Option<&str>| {
                let (field, id) = (field.map(str::to_string), Some(job.query.id.clone()));
                ProtocolProblem { message, field, id }.to_json_line("error")
            };
            match analysed {
                Ok(Ok(answer)) => self.write_answer_line(&answer),
                Ok(Err(message)) => self.write_answer_line(&error(message, Some("overrideSettings"))),
                Err(_) => {
                    // It may be in any state.
                    usual = None;
                    let message = format!("the search of turn {} failed: this is a fault of ishi", job.turn);
                    self.write_answer_line(&error(message, None));
                }
            }
        }
    }

    /// The turn that is to be analysed next, as soon as there is one; `None` if none will come.
    fn take_next_job(&self) -> Option<(u64, AnalysisJob)> {
        let mut state = lock_ignoring_poison(&self.state);
        loop {
            if let Some(((_, number), job)) = state.waiting.pop_first() {
                state.running.insert(number, job.clone());
                return Some((number, job));
            }
            if state.closed && state.telling == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The final answer, by a player with the query's parameters; the usual one is kept for the next query.
    fn analyse_job(
        &self,
        job: &AnalysisJob,
        clock: &(dyn Clock + Sync),
        make: &MakeEngine<'_>,
        usual: &mut Option<Box<dyn Engine>>,
    ) -> Result<Value, String> {
        let own = &job.query.settings.engine;
        if !own.is_empty() {
            return Ok(self.search_position(job, clock, &mut *make(own)?));
        }
        let engine = match usual {
            Some(engine) => engine,
            None => usual.insert(make(&[])?),
        };
        Ok(self.search_position(job, clock, &mut **engine))
    }

    /// Searches; partial answers are written on the way, the final one is given.
    fn search_position(
        &self,
        job: &AnalysisJob,
        clock: &(dyn Clock + Sync),
        engine: &mut dyn Engine,
    ) -> Value {
        let AnalysisJob { query, turn, .. } = job;
        let position = query.position_at_turn(*turn);
        let allowed = query.allowed_moves(&position);
        let stop = &job.stop;
        // A search among some moves says nothing of the others.
        let unrestricted = (query.include.policy && allowed.is_some()).then(|| {
            engine.set_seed(self.seed);
            let limits = SearchLimits { playouts: Some(1), ..SearchLimits::default() };
            let mut nobody = |_: &SearchReport| {};
            let mut control = Control { clock, stop, ..Control::with_limits(limits, &mut nobody) };
            engine.choose(&position, position.to_move(), &mut control).report
        });
        let answer = |report: &SearchReport, during: bool| {
            let policy = unrestricted.as_ref().or(Some(report)).filter(|report| !report.moves.is_empty());
            AnswerSubject { query, turn: *turn, position: &position, policy }.answer_report(report, during)
        };
        let wanted = query.report_every.is_some() || query.first_report.is_some();
        let every = query.report_every.unwrap_or(QUIET);
        let first = query.first_report.unwrap_or(every);
        let mut due = clock.now() + first;
        let mut observer = |report: &SearchReport| {
            let now = clock.now();
            if wanted && now >= due && report.playouts > 0 && report.knows_a_move() {
                due = now + every;
                self.write_answer_line(&answer(report, true));
            }
        };
        engine.set_seed(self.seed);
        let AnalysisSettings { max_visits, max_time, .. } = query.settings;
        let limits = SearchLimits { playouts: Some(max_visits), time: max_time, infinite: false };
        let mut control = Control {
            clock,
            stop,
            allowed: allowed.as_deref(),
            may_resign: false,
            move_ownership: query.include.move_ownership || query.include.move_ownership_deviation,
            report_every: every.min(first),
            ..Control::with_limits(limits, &mut observer)
        };
        let report = engine.choose(&position, position.to_move(), &mut control).report;
        let has_something = report.playouts > 0 && report.knows_a_move();
        if !has_something && stop.is_requested() {
            return AnswerSubject::empty_answer(query, *turn);
        }
        let mut told = answer(&report, false);
        if let Some(explanation) = self.explain_turn(job, &position, &report) {
            told["explanation"] = explanation;
        }
        told
    }

    /// What is said of the move that the game plays in a position, or of the best one where it ends; none unless it is asked for, nor after
    /// a stop.
    fn explain_turn(&self, job: &AnalysisJob, position: &Position, report: &SearchReport) -> Option<Value> {
        let AnalysisJob { query, turn, stop } = job;
        let language = query.include.explanation?;
        // A game may go on with a move of the other side, or with one that its rules forbid.
        let played = query.moves.get(*turn).copied();
        let played =
            played.filter(|&(color, mv)| color == position.to_move() && position.is_legal(color, mv));
        let mv = played.map(|(_, mv)| mv).or_else(|| Some(report.moves.first()?.mv));
        let seed = self.seed.child_seed("explain", 0);
        let mut explainer = Explainer::new(ExplainParams::default(), seed).with_stop(stop.clone());
        let explanation = explainer.explain_move(position, mv, &[]);
        let told = ExplanationReport::from_explanation(&explanation, language);
        serde_json::to_value(told).ok().filter(|_| !stop.is_requested())
    }
}

fn line_too_long_problem() -> ProtocolProblem {
    ProtocolProblem {
        message: format!("the line is longer than {LONGEST_LINE} bytes"),
        field: None,
        id: None,
    }
}

/// Reads on to the end of a line without keeping it.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let bytes = match input.fill_buf() {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let (used, ended) = match bytes.iter().position(|&byte| byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (bytes.len(), bytes.is_empty()),
        };
        input.consume(used);
        if ended {
            return Ok(());
        }
    }
}
