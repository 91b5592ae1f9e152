//! What all pages share.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::extract::State;
use ishi_lab::experiment::ExperimentKind;
use ishi_lab::store::{Store, StoreError};
use ishi_othello::wthor::WthorNames;
use ishi_rng::Seed;
use tokio::sync::oneshot;

use super::error::PageError;
use super::judge_sessions::{ChosenJudge, JudgeSessions, PLACES};
use super::live::LiveTopics;
use super::rooms::RoomState;
use super::rooms::laboratory::AllowedPrograms;
use super::thoughts::BackgroundTasks;
use super::token::{AccessToken, EntryCodes, TokenGuesses};
use crate::turns::Asker;
use crate::workers::{JobStop, Workers};

/// What the workbench may use.
#[derive(Clone, Debug)]
pub struct WorkbenchSettings {
    /// Where to listen, such as `127.0.0.1:8642`; port 0 is any that is free.
    pub listen: String,
    /// The file that keeps games, patterns and results; `None`: nothing outlives the server.
    pub db: Option<PathBuf>,
    /// What visitors must know. `None` lets in everybody who can connect, so it is for loopback addresses where nobody else logs in.
    pub token: Option<AccessToken>,
    /// Names besides the loopback addresses under which browsers may ask for it, such as `ishi.example.org`.
    pub hosts: Vec<String>,
    /// The folder of experiments.
    pub experiments: PathBuf,
    /// The kinds that these may be of.
    pub kinds: &'static [ExperimentKind],
    /// Searches of each sort (moves, analyses, experiments, matches) that run at a time, 4 at least.
    pub thinkers: usize,
    /// The seed of all that is random.
    pub seed: Seed,
    /// Programs (GTP) that visitors may let play in matches: names and command lines. They start no others.
    pub programs: BTreeMap<String, String>,
    /// Programs (KataGo's analysis protocol) that visitors may let judge reviews: names and command lines. They start no others.
    pub judges: BTreeMap<String, String>,
    /// An index of games of Othello, as `ishi othello games --index` writes it.
    pub othello_games: Option<PathBuf>,
    /// The names of the players in it; empty where nobody has them.
    pub othello_players: WthorNames,
}

impl WorkbenchSettings {
    /// Can only programs of this machine connect?
    #[must_use]
    pub fn is_local(&self) -> bool {
        let name = self.listen.rsplit_once(':').map_or(self.listen.as_str(), |(name, _)| name);
        let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        name == "localhost" || address.is_ok_and(|address| address.is_loopback())
    }
}

/// Pages that wait to be drawn: as many as may be open.
const UNDRAWN: usize = 512;

/// Answers that are computed and waited for (reasons, overlays, solved boards): so many wait at most.
const QUEUE: usize = 64;

/// Places for searches of each sort, however few cores there are: waiting for a core is better than waiting for another's search.
const LEAST: usize = 4;

/// [`WorkbenchState`] as handlers of pages are given it.
pub(crate) type DeskState = State<Arc<WorkbenchState>>;

/// What all pages share.
pub(crate) struct WorkbenchState {
    pub(crate) settings: WorkbenchSettings,
    pub(crate) live: Arc<LiveTopics>,
    /// Moves of engines in games: they wait for no analysis.
    pub(crate) moves: BackgroundTasks,
    /// What is thought about positions for those who look. Analyses may have no end, so they take turns.
    pub(crate) thoughts: BackgroundTasks,
    /// Reviews of games and exact endgames, which take long: no analysis waits for them. They take turns, too.
    pub(crate) reviews: BackgroundTasks,
    /// Boards of strings and their certificates. Some take hours and much memory, so that they keep their places.
    pub(crate) boards: BackgroundTasks,
    /// Decks, which are built in a given time.
    pub(crate) decks: BackgroundTasks,
    /// Experiments, which go on when nobody looks. They take turns after a few seconds; a task that measures time is not interrupted.
    pub(crate) runs: BackgroundTasks,
    /// Matches, which go on when nobody looks. They take turns after a few seconds.
    pub(crate) matches: BackgroundTasks,
    pub(crate) rooms: RoomState,
    /// Programs that may play in matches, or judge.
    pub(crate) programs: Arc<AllowedPrograms>,
    /// Those of them that run and judge what pages ask.
    judges: JudgeSessions,
    /// Tokens that may still be tried.
    pub(super) guesses: TokenGuesses,
    /// Codes that let a visitor in once.
    pub(crate) codes: EntryCodes,
    store: Arc<Mutex<Store>>,
    workers: Workers,
    /// For pages that may be large. With few threads, whoever asks for many of them takes no processor from the others.
    drawers: Workers,
    /// For answers that take up to a quarter of a minute: whoever waits for one keeps nobody from the others.
    slow_workers: Workers,
    /// For answers that programs judge, from the first one on: whoever waits for a program keeps nobody from an answer of our own.
    judged: OnceLock<Workers>,
}

impl WorkbenchState {
    pub(crate) fn open(settings: WorkbenchSettings) -> Result<WorkbenchState, StoreError> {
        let store = match &settings.db {
            Some(path) => Store::open(path)?,
            None => Store::in_memory()?,
        };
        Ok(WorkbenchState {
            live: Arc::new(LiveTopics::default()),
            moves: BackgroundTasks::new(settings.thinkers.max(LEAST)),
            thoughts: BackgroundTasks::new(settings.thinkers.max(LEAST)),
            reviews: BackgroundTasks::new(settings.thinkers.max(LEAST)),
            boards: BackgroundTasks::new(settings.thinkers.max(LEAST)),
            decks: BackgroundTasks::new(settings.thinkers.max(LEAST)),
            runs: BackgroundTasks::new(settings.thinkers.max(LEAST)),
            matches: BackgroundTasks::new(settings.thinkers.max(LEAST)),
            rooms: RoomState::default(),
            programs: Arc::new(AllowedPrograms::new(settings.programs.clone(), settings.judges.clone())),
            judges: JudgeSessions::default(),
            guesses: TokenGuesses::default(),
            codes: EntryCodes::default(),
            store: Arc::new(Mutex::new(store)),
            workers: Workers::start(settings.thinkers.max(1), QUEUE),
            slow_workers: Workers::start(settings.thinkers.max(1), QUEUE),
            drawers: Workers::start(settings.thinkers.max(LEAST), UNDRAWN),
            judged: OnceLock::new(),
            settings,
        })
    }

    /// Asks the store; on a thread of its own, as a disk may take its time.
    pub(crate) async fn ask_store<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&mut Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, PageError> {
        let store = Arc::clone(&self.store);
        let asked = run_blocking(move || ask(&mut store.lock().unwrap_or_else(PoisonError::into_inner)));
        asked.await?.map_err(PageError::from_store_error)
    }

    /// Asks the store from an ordinary thread, such as one that thinks.
    pub(crate) fn ask_store_blocking<T>(
        &self,
        ask: impl FnOnce(&mut Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        ask(&mut self.store.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Computes an answer that the page waits for. Work that nobody waits for any more hears of it by `JobStop`.
    pub(crate) async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce(&JobStop) -> T + Send + 'static,
    ) -> Result<T, PageError> {
        self.workers.run_job(work).await.map_err(PageError::from)
    }

    /// Reads or draws what may be large, such as a record with megabytes of remarks.
    pub(crate) async fn draw<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, PageError> {
        self.drawers.run_job(move |_| work()).await.map_err(PageError::from)
    }

    /// As [`WorkbenchState::compute`], for an answer that takes up to a quarter of a minute.
    pub(crate) async fn compute_slowly<T: Send + 'static>(
        &self,
        work: impl FnOnce(&JobStop) -> T + Send + 'static,
    ) -> Result<T, PageError> {
        self.slow_workers.run_job(work).await.map_err(PageError::from)
    }

    /// The same for an answer that a program judges, if there is one. `tell_waiting` is called where others ask that program first.
    pub(crate) async fn compute_judged<T: Send + 'static>(
        &self,
        program: Option<ChosenJudge>,
        tell_waiting: impl FnOnce() + Send,
        work: impl FnOnce(&JobStop) -> T + Send + 'static,
    ) -> Result<T, PageError> {
        let Some(program) = program else { return self.compute(work).await };
        let place = program.take_place(tell_waiting).await?;
        // The work has the place for as long as it holds a thread, also where nobody waits for it any more.
        let held = move |stop: &JobStop| {
            let found = work(stop);
            drop(place);
            found
        };
        // A thread for every place, so that programs that hang keep nobody from another one. Most wait for each other, and take no core.
        let threads = PLACES * self.settings.judges.len();
        let judged = self.judged.get_or_init(|| Workers::start(threads, QUEUE));
        judged.run_job(held).await.map_err(PageError::from)
    }

    /// The program of this name that judges. One that is not allowed any more is as none.
    pub(crate) fn choose_judge(&self, name: Option<&str>) -> Option<ChosenJudge> {
        self.programs.find_judge(name?).ok().map(|allowed| self.judges.choose(allowed))
    }

    /// All that compute answers, as far as they have begun.
    fn all_workers(&self) -> impl Iterator<Item = &Workers> {
        [&self.workers, &self.slow_workers, &self.drawers].into_iter().chain(self.judged.get())
    }

    /// What is searched for those who look.
    fn all_searches(&self) -> [&BackgroundTasks; 4] {
        [&self.thoughts, &self.reviews, &self.boards, &self.decks]
    }

    /// How many of these searches run now.
    pub(crate) fn search_count(&self) -> usize {
        self.all_searches().into_iter().map(BackgroundTasks::thinking_count).sum()
    }

    fn all_tasks(&self) -> impl Iterator<Item = &BackgroundTasks> {
        self.all_searches().into_iter().chain([&self.moves, &self.runs, &self.matches])
    }

    /// Ends all work, for the end of the server.
    pub(crate) fn end_work(&self) {
        self.all_tasks().for_each(BackgroundTasks::stop_all);
        self.live.close();
        for workers in self.all_workers() {
            workers.close();
            workers.request_end();
        }
        self.judges.close();
    }

    /// Waits for the threads.
    pub(crate) fn join_threads(&self) {
        self.all_tasks().for_each(BackgroundTasks::join_threads);
        self.all_workers().for_each(Workers::join);
        self.judges.join_thread();
    }
}

/// Does what may take its time on a thread of its own. It is done even if nobody waits any more; a panic is a fault of the server.
pub(crate) async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, PageError> {
    let (sender, receiver) = oneshot::channel();
    let asker = Asker::current();
    // All work has one type for tokio, whose code for a task is large and would be made anew for each.
    let work: Box<dyn FnOnce() + Send> = Box::new(move || _ = sender.send(asker.act(work)));
    tokio::task::spawn_blocking(work);
    // Whoever panics drops the sender.
    receiver.await.map_err(|_| PageError::internal_error())
}

#[cfg(test)]
fn test_settings(listen: &str) -> WorkbenchSettings {
    WorkbenchSettings {
        listen: listen.to_string(),
        db: None,
        token: None,
        hosts: Vec::new(),
        experiments: PathBuf::new(),
        kinds: &[],
        thinkers: 1,
        seed: Seed::new(1),
        programs: BTreeMap::new(),
        judges: BTreeMap::new(),
        othello_games: None,
        othello_players: WthorNames::default(),
    }
}

/// A workbench in memory, for tests of what rooms keep.
#[cfg(test)]
pub(crate) fn test_desk() -> WorkbenchState {
    WorkbenchState::open(test_settings("127.0.0.1:0")).expect("a store in memory opens")
}

/// The same, where the program of this name may judge.
#[cfg(test)]
pub(crate) fn test_desk_with_judge(name: &str, line: &str) -> WorkbenchState {
    let judges = BTreeMap::from([(name.to_string(), line.to_string())]);
    let settings = WorkbenchSettings { judges, ..test_settings("127.0.0.1:0") };
    WorkbenchState::open(settings).expect("a store in memory opens")
}

/// The same, where the program that may judge is called `broken`, and fails.
#[cfg(test)]
pub(crate) fn test_desk_with_broken_judge() -> WorkbenchState {
    test_desk_with_judge("broken", "sh -c 'exit 3'")
}

/// The same, where all places of that program are taken by other questions, and a visitor who has chosen it.
#[cfg(test)]
pub(crate) async fn test_desk_with_busy_judge()
-> (WorkbenchState, super::visitor::Visitor, Vec<tokio::sync::OwnedSemaphorePermit>) {
    use super::visitor::Visitor;

    let desk = test_desk_with_broken_judge();
    let english = Visitor::for_language(ishi_words::Language::English);
    let visitor = Visitor { judge: Some("broken".to_string()), ..english };
    let program = desk.choose_judge(visitor.judge.as_deref()).expect("it is allowed");
    let mut places = Vec::new();
    for _ in 0..PLACES {
        places.push(program.take_place(|| {}).await.expect("nobody else asks it"));
    }
    (desk, visitor, places)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::future::join_all;

    use super::*;

    #[tokio::test]
    async fn a_panic_of_slow_work_is_a_fault_of_the_server() {
        assert_eq!(run_blocking(|| 3).await, Ok(3));
        let failed: Result<u32, PageError> = run_blocking(|| panic!("a panic of a test")).await;
        assert_eq!(failed, Err(PageError::internal_error()));
        let desk = test_desk();
        assert_eq!(desk.draw(|| 3).await, Ok(3));
        let failed: Result<u32, PageError> = desk.draw(|| panic!("a panic of a test")).await;
        assert_eq!(failed, Err(PageError::internal_error()));
        desk.end_work();
        desk.join_threads();
    }

    /// There is one thread for answers of our own.
    #[tokio::test]
    async fn who_waits_for_a_program_keeps_nobody_from_an_answer() {
        let desk = test_desk_with_broken_judge();
        let (tell, heard) = std::sync::mpsc::channel();
        let program = desk.choose_judge(Some("broken"));
        assert!(program.is_some());
        let judged = desk.compute_judged(program, || {}, move |_| heard.recv());
        let own = async {
            let found = desk.compute_judged(None, || {}, |_| 3).await;
            tell.send(4).unwrap();
            found
        };
        let (judged, own) = tokio::join!(judged, own);
        assert_eq!((judged, own), (Ok(Ok(4)), Ok(3)));
        desk.end_work();
        desk.join_threads();
    }

    const ASKED: usize = 20;

    /// A program that hangs has its own threads alone, however many ask it.
    #[tokio::test]
    async fn who_waits_for_a_program_keeps_nobody_from_another() {
        let judges = BTreeMap::from(["slow", "quick"].map(|name| (name.to_string(), "cat".to_string())));
        let settings = WorkbenchSettings { judges, ..test_settings("127.0.0.1:0") };
        let desk = WorkbenchState::open(settings).unwrap();
        let (ends, heard): (Vec<_>, Vec<_>) = (0..ASKED).map(|_| std::sync::mpsc::channel::<()>()).unzip();
        let told = AtomicUsize::new(0);
        let questions = heard.into_iter().map(|heard| {
            let tell_waiting = || {
                told.fetch_add(1, Ordering::SeqCst);
            };
            desk.compute_judged(desk.choose_judge(Some("slow")), tell_waiting, move |_| heard.recv().is_err())
        });
        let another = async {
            let (waiting, running) = desk.judged.get().unwrap().job_counts();
            let quick = desk.choose_judge(Some("quick"));
            // Where the threads are all taken nothing would ever come of it.
            let found = if waiting + running < 2 * PLACES {
                desk.compute_judged(quick, || panic!("it has places"), |_| 3).await.ok()
            } else {
                None
            };
            let told = told.load(Ordering::SeqCst);
            drop(ends);
            (waiting + running, found, told)
        };
        let (answers, found) = tokio::join!(join_all(questions), another);
        assert_eq!(found, (PLACES, Some(3), ASKED - PLACES));
        assert_eq!(answers, vec![Ok(true); ASKED], "all have their turn");
        desk.end_work();
        desk.join_threads();
    }

    #[test]
    fn only_loopback_addresses_are_local() {
        let is_local = |listen: &str| test_settings(listen).is_local();
        for listen in ["127.0.0.1:0", "[::1]:80", "localhost:1", "127.1.2.3:9"] {
            assert!(is_local(listen), "{listen}");
        }
        for listen in
            ["0.0.0.0:8642", "[::]:80", "192.168.1.5:80", "example.org:80", "localhost.example.org:80"]
        {
            assert!(!is_local(listen), "{listen}");
        }
    }
}
