//! Programs that judge what pages ask: one of each name, which stays ready for the next question, as a program may take long to begin. A review
//! is no such question: it starts a program of its own, so that nobody waits for the whole of it.
//!
//! Who asks while another question is answered waits for it, and is told so. Few questions to a program hold a thread at a time. The others wait for a
//! place without one, in their order, so that a program that hangs keeps nobody from another one. Who goes away takes back his own question alone. A program that nobody has asked for
//! a while is ended, and so are all with the server. One that has failed is started again by the next question. If it fell silent, who waited
//! meanwhile is told so, too: not everybody waits for it in turn.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use ishi_analysis::program_judge::{JudgePace, JudgePatience, JudgeProgram, ProgramJudge};
use ishi_engine::SearchReport;
use ishi_go::{BoardSize, Position};
use ishi_go_play::analyst::{JudgeControl, JudgeError, PositionJudge};
use ishi_go_play::explain::ErrorModel;
use ishi_work::{Stop, StopFlag};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, TryAcquireError};

use super::error::PageError;
use super::rooms::laboratory::AllowedJudge;
use crate::workers::Refusal;

/// A program that nobody has asked for so long is ended. One that has hung is left alone for as long by whoever has another judge.
const IDLE: Duration = Duration::from_secs(300);

/// How long a program may be silent. Others wait meanwhile.
const PATIENCE: JudgePatience =
    JudgePatience { most: Duration::from_secs(120), least: Duration::from_secs(20) };

/// A program that has answered before may be silent at so many questions in a row, until those who wait for it are told: one question may be its
/// own fault.
const SILENT_QUESTIONS: u32 = 2;

/// How many questions to a program hold a thread: the one that is answered, and those that come next.
pub(super) const PLACES: usize = 4;

/// How many questions wait for such a place at most.
const LINE: usize = 64;

/// How often a question that waits looks whether it has become useless.
const LOOK: Duration = Duration::from_millis(50);

/// A program that waits for a question.
struct IdleSession {
    judge: ProgramJudge,
    since: Instant,
}

/// What questions have shown of a program, also of one that does not run any more.
#[derive(Default)]
struct KnownProgram {
    pace: JudgePace,
    /// Questions in a row at which it fell silent.
    silent: u32,
    /// What was said of the last of them, and when that was.
    why: String,
    hung: Option<Instant>,
}

/// Room for questions to a program, as long as permits are held.
#[derive(Clone)]
struct ProgramPlaces {
    /// Places of questions that hold a thread.
    places: Arc<Semaphore>,
    /// Places of questions that wait for one of those.
    line: Arc<Semaphore>,
}

impl ProgramPlaces {
    fn new() -> ProgramPlaces {
        let [places, line] = [PLACES, LINE].map(|room| Arc::new(Semaphore::new(room)));
        ProgramPlaces { places, line }
    }

    /// Nobody gets a place any more, and who waits for one hears of it.
    fn close(&self) {
        self.places.close();
        self.line.close();
    }
}

#[derive(Default)]
struct SessionTable {
    /// Sessions that nobody uses now, by the names of their programs.
    idle: BTreeMap<String, IdleSession>,
    /// The names of those that are asked now.
    busy: BTreeSet<String>,
    /// What is known of each program, by its name.
    known: BTreeMap<String, KnownProgram>,
    /// The places of each program that was chosen, by its name.
    places: BTreeMap<String, ProgramPlaces>,
    /// The thread that ends who was idle for too long; it is there as long as there is a session.
    watcher: Option<JoinHandle<()>>,
    is_watched: bool,
    closed: bool,
}

struct SharedSessions {
    table: Mutex<SessionTable>,
    wake: Condvar,
    idle_limit: Duration,
    patience: JudgePatience,
}

/// The programs that run. There is at most one for each name.
pub(crate) struct JudgeSessions {
    shared: Arc<SharedSessions>,
}

impl Default for JudgeSessions {
    fn default() -> JudgeSessions {
        JudgeSessions::with_limits(IDLE, PATIENCE)
    }
}

impl JudgeSessions {
    fn with_limits(idle_limit: Duration, patience: JudgePatience) -> JudgeSessions {
        let (table, wake) = (Mutex::default(), Condvar::new());
        JudgeSessions { shared: Arc::new(SharedSessions { table, wake, idle_limit, patience }) }
    }

    /// This program as the judge of whoever has chosen it.
    pub(super) fn choose(&self, allowed: AllowedJudge) -> ChosenJudge {
        ChosenJudge { allowed, shared: Arc::clone(&self.shared) }
    }

    /// Ends all programs that are not asked now, the others after their answer, and starts none.
    pub(super) fn close(&self) {
        let mut table = self.shared.lock_table();
        table.closed = true;
        table.places.values().for_each(ProgramPlaces::close);
        let ended = std::mem::take(&mut table.idle);
        drop(table);
        self.shared.wake.notify_all();
        drop(ended);
    }

    /// Waits for the thread; call [`JudgeSessions::close`] before.
    pub(super) fn join_thread(&self) {
        let watcher = self.shared.lock_table().watcher.take();
        if let Some(watcher) = watcher {
            // It only ends programs: there is nothing to hear of a panic.
            let _ = watcher.join();
        }
    }
}

impl SharedSessions {
    fn lock_table(&self) -> MutexGuard<'_, SessionTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The places of a program, which are those of all who ask it.
    fn find_places(&self, name: &str) -> ProgramPlaces {
        let mut table = self.lock_table();
        let closed = table.closed;
        let places = table.places.entry(name.to_string()).or_insert_with(ProgramPlaces::new);
        if closed {
            places.close();
        }
        places.clone()
    }

    /// The session of a program as soon as nobody else asks it; `None` if it does not run. An error if it has fallen silent meanwhile. Who has to
    /// wait for another question hears when the wait begins, and when it ends.
    fn take_session(
        &self,
        name: &str,
        stop: &(dyn Stop + Sync),
        tell_wait: &mut dyn FnMut(bool),
    ) -> Result<Option<ProgramJudge>, JudgeError> {
        let table = self.lock_table();
        if !table.busy.contains(name) {
            return self.take_free_session(table, name, None, stop);
        }
        let silent_before = table.count_silent(name);
        // Others use the table while somebody is told.
        drop(table);
        tell_wait(true);
        let taken = self.take_free_session(self.lock_table(), name, Some(silent_before), stop);
        tell_wait(false);
        taken
    }

    /// The same without words. `silent_before`: questions in a row at which the program had fallen silent when the wait began.
    fn take_free_session(
        &self,
        mut table: MutexGuard<'_, SessionTable>,
        name: &str,
        silent_before: Option<u32>,
        stop: &(dyn Stop + Sync),
    ) -> Result<Option<ProgramJudge>, JudgeError> {
        while table.busy.contains(name) && !table.closed && !stop.is_requested() {
            table = self.wake.wait_timeout(table, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        if table.closed || stop.is_requested() {
            return Err(JudgeError::Stopped);
        }
        if let Some(why) = silent_before.and_then(|before| table.silence_since(name, before)) {
            return Err(JudgeError::Failed(why.to_string()));
        }
        table.busy.insert(name.to_string());
        Ok(table.idle.remove(name).map(|session| session.judge))
    }

    /// How long this program was silent before its answers.
    fn find_pace(&self, name: &str) -> JudgePace {
        self.lock_table().known.get(name).map(|known| known.pace).unwrap_or_default()
    }

    /// Keeps what a question has shown of a program. One that was taken back shows nothing.
    fn note_question(&self, name: &str, judge: &ProgramJudge, found: &Result<Vec<SearchReport>, JudgeError>) {
        let mut table = self.lock_table();
        let known = table.known.entry(name.to_string()).or_default();
        known.pace = judge.pace();
        match found {
            Ok(_) => (known.silent, known.hung) = (0, None),
            Err(JudgeError::Failed(why)) if judge.has_hung() => {
                known.silent += 1;
                known.why.clone_from(why);
                known.hung = Some(Instant::now());
            }
            Err(_) => {}
        }
    }

    /// Nobody asks this program any more. It stays ready if it runs.
    fn put_back(self: &Arc<Self>, name: &str, judge: Option<ProgramJudge>) {
        let mut table = self.lock_table();
        table.busy.remove(name);
        let unwanted = match judge.filter(ProgramJudge::is_started) {
            Some(judge) if !table.closed => {
                table.idle.insert(name.to_string(), IdleSession { judge, since: Instant::now() });
                self.watch_sessions(&mut table);
                None
            }
            other => other,
        };
        drop(table);
        self.wake.notify_all();
        drop(unwanted);
    }

    /// Has somebody look after idle programs. If the system has no thread for that, they stay until the next question or the end of the server.
    fn watch_sessions(self: &Arc<Self>, table: &mut SessionTable) {
        if table.is_watched {
            return;
        }
        let shared = Arc::clone(self);
        table.watcher = std::thread::Builder::new().spawn(move || shared.end_idle_sessions()).ok();
        table.is_watched = table.watcher.is_some();
    }

    fn end_idle_sessions(&self) {
        let mut table = self.lock_table();
        while !(table.closed || table.idle.is_empty() && table.busy.is_empty()) {
            let overdue = table.take_overdue(self.idle_limit);
            if overdue.is_empty() {
                let rest = table.shortest_rest(self.idle_limit);
                table = self.wake.wait_timeout(table, rest).unwrap_or_else(PoisonError::into_inner).0;
            } else {
                // A program may take a moment to end: nobody waits for that.
                drop(table);
                drop(overdue);
                table = self.lock_table();
            }
        }
        table.is_watched = false;
    }
}

impl SessionTable {
    /// Questions in a row at which this program fell silent.
    fn count_silent(&self, name: &str) -> u32 {
        self.known.get(name).map_or(0, |known| known.silent)
    }

    /// Why it is no use to ask this program, for who has waited since it was silent at so many questions. One that has never answered is not
    /// worth a second try.
    fn silence_since(&self, name: &str, before: u32) -> Option<&str> {
        let known = self.known.get(name)?;
        let most = if known.pace.is_known() { SILENT_QUESTIONS } else { 1 };
        (known.silent > before && known.silent >= most).then_some(known.why.as_str())
    }

    /// Takes those out that were idle for so long.
    fn take_overdue(&mut self, limit: Duration) -> Vec<IdleSession> {
        let is_overdue = |session: &IdleSession| session.since.elapsed() >= limit;
        let overdue = self.idle.iter().filter(|(_, session)| is_overdue(session));
        let names: Vec<String> = overdue.map(|(name, _)| name.clone()).collect();
        names.iter().filter_map(|name| self.idle.remove(name)).collect()
    }

    /// How long it takes until the next one is idle for so long.
    fn shortest_rest(&self, limit: Duration) -> Duration {
        let rests = self.idle.values().map(|session| limit.saturating_sub(session.since.elapsed()));
        rests.min().unwrap_or(limit)
    }
}

/// A program that a visitor has chosen to judge.
#[derive(Clone)]
pub(crate) struct ChosenJudge {
    allowed: AllowedJudge,
    shared: Arc<SharedSessions>,
}

impl ChosenJudge {
    /// The judge of one question, by so many visits for each position. Raising `stop` ends every wait for it. `tell_wait` hears when it begins to
    /// wait for another question of the same program, and when that wait ends.
    pub(crate) fn create_judge(
        &self,
        visits: u64,
        stop: StopFlag,
        tell_wait: WaitListener,
    ) -> Box<dyn PositionJudge> {
        Box::new(SessionJudge { chosen: self.clone(), visits, stop, tell_wait })
    }

    /// A place among the questions to this program, in the order in which they come. `tell_waiting` is called if there is none yet. The place is free again
    /// when what is given is dropped.
    ///
    /// # Errors
    /// If too many wait, the server ends, or the program has fallen silent meanwhile.
    pub(super) async fn take_place(
        &self,
        tell_waiting: impl FnOnce() + Send,
    ) -> Result<OwnedSemaphorePermit, PageError> {
        let name = self.allowed.name();
        let ProgramPlaces { places, line } = self.shared.find_places(name);
        if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
            return Ok(place);
        }
        let silent_before = self.shared.lock_table().count_silent(name);
        let _in_line = line.try_acquire_owned().map_err(|error| match error {
            TryAcquireError::NoPermits => Refusal::Full,
            TryAcquireError::Closed => Refusal::Closed,
        })?;
        tell_waiting();
        let place = places.acquire_owned().await.map_err(|_| Refusal::Closed)?;
        if self.shared.lock_table().silence_since(name, silent_before).is_some() {
            return Err(PageError::new(StatusCode::BAD_GATEWAY, "go-the-judge-has-failed"));
        }
        Ok(place)
    }

    /// Did it fall silent at the last question, in the last minutes? Who would rather have another judge than wait need not try it.
    pub(crate) fn has_hung_lately(&self) -> bool {
        let table = self.shared.lock_table();
        let known = table.known.get(self.allowed.name());
        known.and_then(|known| known.hung).is_some_and(|hung| hung.elapsed() < IDLE)
    }

    /// What it has said at its end, without its command line.
    pub(crate) fn hide_command(&self, said: &str) -> String {
        self.allowed.hide_command(said)
    }
}

/// Hears whether a question waits for another one.
pub(crate) type WaitListener = Box<dyn FnMut(bool) + Send>;

/// A judge of positions that shares its program with others.
struct SessionJudge {
    chosen: ChosenJudge,
    visits: u64,
    stop: StopFlag,
    tell_wait: WaitListener,
}

/// A name that is taken, with its program while that is not asked: it is given back whatever happens.
struct TakenName<'a> {
    chosen: &'a ChosenJudge,
    judge: Option<ProgramJudge>,
}

impl Drop for TakenName<'_> {
    fn drop(&mut self) {
        self.chosen.shared.put_back(self.chosen.allowed.name(), self.judge.take());
    }
}

impl SessionJudge {
    fn start_program(&self) -> ProgramJudge {
        let command = self.chosen.allowed.command.clone();
        let (visits, patience) = (self.visits, self.chosen.shared.patience);
        let pace = self.chosen.shared.find_pace(self.chosen.allowed.name());
        ProgramJudge::new(JudgeProgram { command, visits, patience }, self.stop.clone()).with_pace(pace)
    }
}

impl PositionJudge for SessionJudge {
    fn judge_positions(
        &mut self,
        positions: &[Position],
        control: &mut JudgeControl<'_>,
    ) -> Result<Vec<SearchReport>, JudgeError> {
        let name = self.chosen.allowed.name();
        let known = self.chosen.shared.take_session(name, control.stop, &mut *self.tell_wait)?;
        let mut taken = TakenName { chosen: &self.chosen, judge: None };
        let mut judge = known.unwrap_or_else(|| self.start_program());
        judge.serve_anew(self.visits, &self.stop);
        let found = judge.judge_positions(positions, control);
        self.chosen.shared.note_question(self.chosen.allowed.name(), &judge, &found);
        taken.judge = Some(judge);
        found
    }

    fn error_model(&self, _: BoardSize) -> ErrorModel {
        ErrorModel::PROGRAM
    }

    fn likes_many(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::{AtomicBool, Ordering};

    use ishi_arena::process::EngineCommand;
    use ishi_go::Rules;

    use super::*;
    use crate::workbench::rooms::laboratory::AllowedPrograms;

    /// Answers a line: its own process id stands for the visits.
    const ANSWER: &str = r#"id=${line#*\"id\":\"}; id=${id%%\"*}; echo "{\"id\":\"$id\",\"turnNumber\":0,\"moveInfos\":[],\"rootInfo\":{\"visits\":$$,\"winrate\":0.5,\"scoreLead\":0}}""#;

    fn endless_answers() -> String {
        format!("while read -r line; do {ANSWER}; done")
    }

    fn choose(sessions: &JudgeSessions, script: &str) -> ChosenJudge {
        let args = vec!["-c".to_string(), script.to_string()];
        let command = EngineCommand { program: "sh".to_string(), args, directory: None };
        let judges = BTreeMap::from([("own".to_string(), command.to_string())]);
        sessions.choose(AllowedPrograms::new(BTreeMap::new(), judges).find_judge("own").unwrap())
    }

    /// The process that answers.
    fn ask(chosen: &ChosenJudge) -> Result<u64, JudgeError> {
        ask_with(chosen, 3, StopFlag::default())
    }

    fn ask_with(chosen: &ChosenJudge, visits: u64, stop: StopFlag) -> Result<u64, JudgeError> {
        let position = Position::new(BoardSize::square(5).unwrap(), Rules::CHINESE);
        let mut control = JudgeControl { stop: &|| false, tell: &mut |_| {} };
        let mut judge = chosen.create_judge(visits, stop, Box::new(|_| {}));
        judge.judge_positions(&[position], &mut control).map(|reports| reports[0].playouts)
    }

    fn runs(process: u64) -> bool {
        Path::new("/proc").join(process.to_string()).exists()
    }

    #[test]
    fn one_program_answers_all_until_the_server_ends() {
        let sessions = JudgeSessions::default();
        let chosen = choose(&sessions, &endless_answers());
        let first = ask(&chosen).unwrap();
        let answers = std::thread::scope(|scope| {
            let others: Vec<_> = (0..4).map(|_| scope.spawn(|| ask(&chosen))).collect();
            others.into_iter().map(|asked| asked.join().unwrap()).collect::<Vec<_>>()
        });
        assert!(answers.iter().all(|answer| *answer == Ok(first)), "{answers:?} after {first}");
        sessions.close();
        sessions.join_thread();
        assert!(!runs(first), "it has ended with the server");
        assert_eq!(ask(&chosen), Err(JudgeError::Stopped), "and nothing is started any more");
    }

    #[test]
    fn a_program_that_nobody_asks_ends_and_is_started_again() {
        let sessions = JudgeSessions::with_limits(Duration::ZERO, PATIENCE);
        let chosen = choose(&sessions, &endless_answers());
        let first = ask(&chosen).unwrap();
        while sessions.shared.lock_table().is_watched {
            std::thread::yield_now();
        }
        assert!(!runs(first) && sessions.shared.lock_table().idle.is_empty());
        assert_ne!(ask(&chosen).unwrap(), first);
        sessions.close();
        sessions.join_thread();
    }

    /// One failure is no reason to refuse the next question, and a program that ended while it was idle is no failure.
    #[test]
    fn a_program_that_has_failed_is_started_again() {
        let sessions = JudgeSessions::default();
        let failed = ask(&choose(&sessions, "echo no network >&2; exit 3"));
        let Err(JudgeError::Failed(why)) = failed else { panic!("{failed:?}") };
        assert!(why.contains("no network"), "{why}");
        assert!(sessions.shared.lock_table().idle.is_empty(), "what has failed is not kept");
        let short = choose(&sessions, &format!("read -r line; {ANSWER}"));
        let [first, second] = [(); 2].map(|()| ask(&short).unwrap());
        assert_ne!(first, second);
        sessions.close();
        sessions.join_thread();
    }

    /// The program never answers where it is asked for seven visits, and goes on when that question was taken back.
    #[test]
    fn who_goes_away_takes_back_his_own_question_alone() {
        let silent = format!("while read -r line; do case $line in *:7,*|*:7}}) ;; *) {ANSWER};; esac; done");
        let sessions = JudgeSessions::default();
        let (chosen, stop) = (choose(&sessions, &silent), StopFlag::default());
        let first = ask(&chosen).unwrap();
        let [gone, next] = std::thread::scope(|scope| {
            let gone = scope.spawn(|| ask_with(&chosen, 7, stop.clone()));
            while !sessions.shared.lock_table().busy.contains("own") {
                std::thread::yield_now();
            }
            let next = scope.spawn(|| ask(&chosen));
            std::thread::sleep(LOOK);
            stop.request();
            [gone, next].map(|asked| asked.join().unwrap())
        });
        assert_eq!((gone, next), (Err(JudgeError::Stopped), Ok(first)));
        sessions.close();
        sessions.join_thread();
    }

    /// Patience with programs that hang on purpose.
    const SHORT: JudgePatience = JudgePatience::fixed(Duration::from_secs(3));

    /// The program hangs from its start on. It is not started again for each of those who have waited: its last words are its process id.
    #[test]
    fn who_waits_for_a_program_that_hangs_hears_of_it_too() {
        let sessions = JudgeSessions::with_limits(IDLE, SHORT);
        let chosen = choose(&sessions, "echo $$ >&2; exec sleep 10000");
        let answers = std::thread::scope(|scope| {
            let first = scope.spawn(|| ask(&chosen));
            while !sessions.shared.lock_table().busy.contains("own") {
                std::thread::yield_now();
            }
            let others: Vec<_> = (0..3).map(|_| scope.spawn(|| ask(&chosen))).collect();
            others.into_iter().chain([first]).map(|asked| asked.join().unwrap()).collect::<Vec<_>>()
        });
        assert!(matches!(answers[0], Err(JudgeError::Failed(_))), "{answers:?}");
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
        assert!(chosen.has_hung_lately());
        assert_ne!(ask(&chosen), answers[0], "who comes later may try another one");
        sessions.close();
        sessions.join_thread();
    }

    /// A place that is free again goes to who has waited first, and tells him that it is of no use.
    #[tokio::test]
    async fn who_waits_for_a_place_hears_of_the_silence_too() {
        let sessions = JudgeSessions::default();
        let chosen = choose(&sessions, "exit 3");
        let mut places = Vec::new();
        for _ in 0..PLACES {
            places.push(chosen.take_place(|| panic!("there is a place")).await.unwrap());
        }
        let told = AtomicBool::new(false);
        let waits = chosen.take_place(|| told.store(true, Ordering::SeqCst));
        let falls_silent = async {
            let is_told = told.load(Ordering::SeqCst);
            sessions.shared.lock_table().known.entry("own".to_string()).or_default().silent = 1;
            drop(places);
            is_told
        };
        let (waited, is_told) = tokio::join!(waits, falls_silent);
        assert!(is_told);
        assert_eq!(waited.err().map(|error| error.status), Some(StatusCode::BAD_GATEWAY));
        assert!(chosen.take_place(|| panic!("all are free")).await.is_ok(), "who comes later may try it");
    }

    #[tokio::test]
    async fn a_line_without_end_is_refused_and_closing_ends_it() {
        let sessions = JudgeSessions::default();
        let chosen = choose(&sessions, "exit 3");
        let places = sessions.shared.find_places("own");
        let _all = places.places.try_acquire_many_owned(u32::try_from(PLACES).unwrap()).unwrap();
        let all_but_one = u32::try_from(LINE - 1).unwrap();
        let _line = places.line.try_acquire_many_owned(all_but_one).unwrap();
        let closes = async {
            let refused = chosen.take_place(|| panic!("nobody waits in vain")).await;
            sessions.close();
            refused
        };
        let (waited, refused) = tokio::join!(chosen.take_place(|| {}), closes);
        assert_eq!(refused.err(), Some(PageError::from(Refusal::Full)));
        assert_eq!(waited.err(), Some(PageError::from(Refusal::Closed)));
        assert_eq!(chosen.take_place(|| {}).await.err(), Some(PageError::from(Refusal::Closed)));
        assert!(
            sessions.shared.find_places("other").places.is_closed(),
            "nor does anybody begin who chooses later"
        );
    }

    /// One silence of a program that has answered may be its question's fault. After a second one there is no more waiting in turn.
    #[test]
    fn those_who_wait_are_told_of_the_second_silence() {
        let sessions = JudgeSessions::default();
        let chosen = choose(&sessions, &endless_answers());
        ask(&chosen).unwrap();
        let told =
            |before: u32| sessions.shared.lock_table().silence_since("own", before).map(str::to_string);
        let set_silent = |silent: u32| {
            let mut table = sessions.shared.lock_table();
            let known = table.known.get_mut("own").unwrap();
            assert!(known.pace.is_known());
            (known.silent, known.why) = (silent, "timeout".to_string());
            known.hung = Some(Instant::now());
        };
        assert!(!chosen.has_hung_lately());
        set_silent(1);
        assert_eq!(told(0), None);
        set_silent(2);
        assert_eq!(told(0), Some("timeout".to_string()));
        assert_eq!(told(2), None, "it was so before");
        assert!(chosen.has_hung_lately());
        ask(&chosen).unwrap();
        assert!(!chosen.has_hung_lately());
        assert_eq!((told(0), sessions.shared.lock_table().count_silent("own")), (None, 0));
        sessions.close();
        sessions.join_thread();
    }

    #[test]
    fn who_waits_for_a_program_may_be_told_to_stop() {
        let sessions = JudgeSessions::default();
        let shared = &sessions.shared;
        assert!(shared.take_session("own", &|| false, &mut |_| {}).is_ok_and(|known| known.is_none()));
        assert!(matches!(shared.take_session("own", &|| true, &mut |_| {}), Err(JudgeError::Stopped)));
        assert!(shared.take_session("other", &|| false, &mut |_| {}).is_ok(), "others need not wait");
        shared.put_back("own", None);
        assert!(shared.take_session("own", &|| false, &mut |_| {}).is_ok());
        let waits = std::thread::scope(|scope| {
            let waits = scope.spawn(|| shared.take_session("own", &|| false, &mut |_| {}).is_err());
            sessions.close();
            waits.join().unwrap()
        });
        assert!(waits, "the end of the server ends the wait");
    }

    /// Who asks a program that nobody else asks hears of no wait.
    #[test]
    fn who_waits_for_another_question_is_told_when_that_begins_and_ends() {
        let sessions = JudgeSessions::default();
        let shared = &sessions.shared;
        let mut told = Vec::new();
        assert!(shared.take_session("own", &|| false, &mut |waits| told.push(waits)).is_ok());
        assert!(told.is_empty(), "{told:?}");
        // The other question ends as soon as somebody waits for it.
        let mut tell = |waits: bool| {
            told.push(waits);
            if waits {
                shared.put_back("own", None);
            }
        };
        assert!(shared.take_session("own", &|| false, &mut tell).is_ok());
        assert_eq!(told, [true, false]);
        shared.put_back("own", None);
        sessions.close();
        sessions.join_thread();
    }
}
