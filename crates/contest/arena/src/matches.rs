//! A match: pairs of games in parallel, kept in a journal as they finish.
//!
//! Pairs are handed out in order and may finish in any; every count, and the sequential test, takes them in order.
//! What a pair does follows from its task alone, so that the number of threads changes nothing, and a match that was
//! killed goes on with the same games. Two exceptions: games against the clock, and programs that are random and do
//! not list `set_random_seed`.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};

use ishi_engine::Go;
use ishi_rng::Seed;
use ishi_stats::{Sprt, SprtDecision};
use ishi_work::StopFlag;

use crate::games::MatchGame;
use crate::opening::Openings;
use crate::pair::{PairRecord, PairTask, PairWatcher, play_watched_pair};
use crate::player::{Contestant, ContestantError};
use crate::record::GameRecord;
use crate::report::MatchStanding;

/// What is to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchPlan<G: MatchGame = Go> {
    /// The two sides.
    pub contestants: [Contestant; 2],
    /// The conditions of every game.
    pub settings: G::Settings,
    /// Who says what a finished game is worth.
    pub referee: G::Referee,
    /// Where games begin.
    pub openings: Openings<G>,
    /// Pairs to be played, at most.
    pub pairs: u64,
    /// The seed of the match.
    pub seed: Seed,
    /// Ends the match as soon as the evidence suffices.
    pub sprt: Option<Sprt>,
}

impl<G: MatchGame> MatchPlan<G> {
    /// Pair number `index`, from 0.
    pub fn pair_task(&self, index: u64) -> PairTask<G> {
        PairTask {
            index,
            contestants: self.contestants.clone(),
            settings: self.settings.clone(),
            referee: self.referee.clone(),
            opening: self.openings.opening_for_pair(index, &self.settings, self.seed),
            seed: self.seed.child_seed("pair", index),
        }
    }
}

/// Where finished pairs are kept.
pub trait PairJournal<G: MatchGame = Go> {
    /// Why it failed.
    type Error: fmt::Display;

    /// The record of this pair, if it was played before.
    ///
    /// # Errors
    /// If the journal cannot be read.
    fn find_pair(&mut self, task: &PairTask<G>) -> Result<Option<PairRecord<G>>, Self::Error>;

    /// Keeps the record. If another process was faster, its record stays; what stands is returned.
    ///
    /// # Errors
    /// If the journal cannot be written.
    fn keep_pair(&mut self, task: &PairTask<G>, record: PairRecord<G>) -> Result<PairRecord<G>, Self::Error>;
}

/// What happens in a match; all methods do nothing unless they are overridden.
pub trait MatchObserver<G: MatchGame = Go> {
    /// Does it want to hear of every move? (It costs a copy of the position.)
    fn wants_moves(&self) -> bool {
        false
    }

    /// A position of game 0 or 1 of this pair: the start, or after a move.
    fn on_move(&mut self, _pair: u64, _game: usize, _position: &G::Position) {}

    /// A game has ended; its pair may not have.
    fn on_game(&mut self, _pair: u64, _game: usize, _record: &GameRecord<G>) {}

    /// A pair is finished and kept; `found` says that it was in the journal before. `standing` counts all pairs up to
    /// here without a gap.
    fn on_pair(
        &mut self,
        _task: &PairTask<G>,
        _record: &PairRecord<G>,
        _found: bool,
        _standing: &MatchStanding,
    ) {
    }
}

/// An observer that looks away.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnobservedMatch;

impl<G: MatchGame> MatchObserver<G> for UnobservedMatch {}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchEnd {
    /// All pairs are played.
    Complete,
    /// The sequential test came to a decision.
    Decided(SprtDecision),
    /// It was stopped; the same plan goes on where it stood.
    Stopped,
}

/// What was played.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchOutcome<G: MatchGame = Go> {
    /// How it ended.
    pub end: MatchEnd,
    /// The pairs that count, in order, from the first without a gap.
    pub pairs: Vec<PairRecord<G>>,
    /// Finished pairs that do not count yet (after a gap), or not any more (after the decision); they are kept.
    pub beyond: u64,
    /// Pairs among those that count that were played before.
    pub found: u64,
}

/// What broke a match off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchBreak<E> {
    /// The journal failed, and says why.
    Journal(E),
    /// A player could not be made, as there was no memory for it.
    Player(ContestantError),
}

impl<E: fmt::Display> fmt::Display for MatchBreak<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchBreak::Journal(error) => error.fmt(f),
            MatchBreak::Player(error) => error.fmt(f),
        }
    }
}

/// Why a match broke off.
#[derive(Debug)]
pub struct MatchError<E, G: MatchGame = Go> {
    /// The journal, or a player.
    pub error: MatchBreak<E>,
    /// Pairs that are finished and could not be kept, with their tasks.
    pub unkept: Vec<(PairTask<G>, PairRecord<G>)>,
}

impl<E: fmt::Display, G: MatchGame> fmt::Display for MatchError<E, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<E: fmt::Display + fmt::Debug, G: MatchGame> std::error::Error for MatchError<E, G> {}

/// How to go about a match.
pub struct MatchRun<'a, G: MatchGame = Go> {
    /// Pairs that are played at once, at least 1.
    pub threads: usize,
    /// Set it to break off: games in progress are abandoned, finished pairs are kept.
    pub stop: StopFlag,
    /// Hears of everything, in the calling thread. As long as it is busy with a move, the same game goes on by one move at most.
    pub observer: &'a mut dyn MatchObserver<G>,
}

/// From a worker.
enum WorkerEvent<G: MatchGame> {
    Move(u64, usize, Box<G::Position>),
    Game(u64, usize, Box<GameRecord<G>>),
    Pair(Box<(PairTask<G>, PairRecord<G>)>),
    Unplayable(Box<ContestantError>),
    Abandoned,
}

/// Plays a match.
///
/// # Errors
/// If the journal fails, or a player cannot be made; what was kept until then stays.
///
/// ```
/// use ishi_arena::{Contestant, GoMatchSettings, MatchPlan, MatchRun, MemoryJournal, Openings, RefereeSpec, UnobservedMatch};
/// use ishi_go::BoardSize;
/// use ishi_rng::Seed;
/// use ishi_work::StopFlag;
/// let settings = GoMatchSettings::for_board(BoardSize::square(5).unwrap());
/// let spec = |text: &str| Contestant::try_out(None, &text.parse().unwrap(), &settings).unwrap();
/// let plan: MatchPlan = MatchPlan {
///     contestants: [spec("go-random"), spec("go-capture")],
///     referee: RefereeSpec::default(),
///     openings: Openings::Empty,
///     pairs: 3,
///     seed: Seed::new(1),
///     sprt: None,
///     settings: settings.clone(),
/// };
/// let mut observer = UnobservedMatch;
/// let run = MatchRun { threads: 2, stop: StopFlag::default(), observer: &mut observer };
/// let outcome = ishi_arena::play_match(&plan, &mut MemoryJournal::default(), run).unwrap();
/// assert_eq!(outcome.pairs.len(), 3);
/// ```
pub fn play_match<G: MatchGame, J: PairJournal<G>>(
    plan: &MatchPlan<G>,
    journal: &mut J,
    run: MatchRun<'_, G>,
) -> Result<MatchOutcome<G>, MatchError<J::Error, G>> {
    let abandon = StopFlag::default();
    let (to_workers, tasks) = channel();
    // Who plays waits until it is heard: an observer that takes its time holds the games up.
    let (to_us, events) = sync_channel(0);
    let tasks = Mutex::new(tasks);
    let threads = run.threads.clamp(1, plan.pairs.max(1).try_into().unwrap_or(usize::MAX));
    let workers = Workers {
        tasks: &tasks,
        stop: run.stop.clone(),
        abandon: abandon.clone(),
        wants_moves: run.observer.wants_moves(),
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (workers, events) = (&workers, to_us.clone());
            scope.spawn(move || workers.play_pairs(&events));
        }
        drop(to_us);
        let coordinator = Coordinator {
            plan,
            journal,
            observer: run.observer,
            stop: run.stop,
            to_workers: Some(to_workers),
            events,
            next: 0,
            running: 0,
            waiting: BTreeMap::new(),
            counted: Vec::new(),
            found: 0,
            standing: MatchStanding::default(),
            decision: None,
        };
        let outcome = coordinator.run_match(threads, &abandon);
        // Whatever still runs is of no use any more.
        abandon.request();
        outcome
    })
}

/// What the worker threads share.
struct Workers<'a, G: MatchGame> {
    tasks: &'a Mutex<Receiver<PairTask<G>>>,
    stop: StopFlag,
    abandon: StopFlag,
    wants_moves: bool,
}

impl<G: MatchGame> Workers<'_, G> {
    /// Plays pairs until there are no more.
    fn play_pairs(&self, events: &SyncSender<WorkerEvent<G>>) {
        loop {
            let task = self.tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(task) = task else { return };
            let mut answer = PairAnswer { events, event: WorkerEvent::Abandoned };
            answer.event = self.play_pair(task, events);
        }
    }

    /// Plays a pair with players of its own, so that nothing is carried over from one pair to another.
    fn play_pair(&self, task: PairTask<G>, events: &SyncSender<WorkerEvent<G>>) -> WorkerEvent<G> {
        let stop = || self.stop.is_requested() || self.abandon.is_requested();
        let mut watcher = PairReporter { pair: task.index, events, wants_moves: self.wants_moves };
        match play_watched_pair(&task, &stop, &mut watcher) {
            Ok(Some(record)) => WorkerEvent::Pair(Box::new((task, record))),
            Ok(None) => WorkerEvent::Abandoned,
            Err(error) => WorkerEvent::Unplayable(Box::new(error)),
        }
    }
}

/// A pair is answered in any case, so that the coordinator does not wait for ever if playing it panics.
struct PairAnswer<'a, G: MatchGame> {
    events: &'a SyncSender<WorkerEvent<G>>,
    event: WorkerEvent<G>,
}

impl<G: MatchGame> Drop for PairAnswer<'_, G> {
    fn drop(&mut self) {
        // A coordinator that has gone does not want to know.
        let _ = self.events.send(std::mem::replace(&mut self.event, WorkerEvent::Abandoned));
    }
}

/// Sends what happens in a pair to the coordinator. A coordinator that has gone does not want to know.
struct PairReporter<'a, G: MatchGame> {
    pair: u64,
    events: &'a SyncSender<WorkerEvent<G>>,
    wants_moves: bool,
}

impl<G: MatchGame> PairWatcher<G> for PairReporter<'_, G> {
    fn on_move(&mut self, game: usize, position: &G::Position) {
        if self.wants_moves {
            let _ = self.events.send(WorkerEvent::Move(self.pair, game, Box::new(position.clone())));
        }
    }

    fn on_game(&mut self, game: usize, record: &GameRecord<G>) {
        let _ = self.events.send(WorkerEvent::Game(self.pair, game, Box::new(record.clone())));
    }
}

/// Hands pairs out, takes results in, keeps them, and counts them in order.
struct Coordinator<'a, G: MatchGame, J> {
    plan: &'a MatchPlan<G>,
    journal: &'a mut J,
    observer: &'a mut dyn MatchObserver<G>,
    stop: StopFlag,
    to_workers: Option<Sender<PairTask<G>>>,
    events: Receiver<WorkerEvent<G>>,
    /// The next pair to be looked up or handed out.
    next: u64,
    /// Pairs handed out and not back.
    running: usize,
    /// Finished pairs after a gap: found before or not.
    waiting: BTreeMap<u64, (PairTask<G>, PairRecord<G>, bool)>,
    counted: Vec<PairRecord<G>>,
    found: u64,
    standing: MatchStanding,
    decision: Option<SprtDecision>,
}

impl<G: MatchGame, J: PairJournal<G>> Coordinator<'_, G, J> {
    fn run_match(
        mut self,
        threads: usize,
        abandon: &StopFlag,
    ) -> Result<MatchOutcome<G>, MatchError<J::Error, G>> {
        loop {
            while self.running < threads && self.wants_more() {
                self.hand_out_pair()?;
            }
            if self.decision.is_some() {
                abandon.request();
            }
            if self.running == 0 {
                break;
            }
            // Workers live until we hang up; all of them gone means there is nothing to wait for.
            let Ok(event) = self.events.recv() else { break };
            self.take_event(event)?;
        }
        self.to_workers = None;
        let end = match self.decision {
            Some(decision) => MatchEnd::Decided(decision),
            None if self.counted.len() as u64 == self.plan.pairs => MatchEnd::Complete,
            None => MatchEnd::Stopped,
        };
        let beyond = self.waiting.len() as u64;
        Ok(MatchOutcome { end, pairs: self.counted, beyond, found: self.found })
    }

    fn wants_more(&self) -> bool {
        self.next < self.plan.pairs && self.decision.is_none() && !self.stop.is_requested()
    }

    /// Takes the next pair from the journal, or gives it to a worker.
    fn hand_out_pair(&mut self) -> Result<(), MatchError<J::Error, G>> {
        let task = self.plan.pair_task(self.next);
        self.next += 1;
        match self.journal.find_pair(&task) {
            Err(error) => Err(MatchError { error: MatchBreak::Journal(error), unkept: Vec::new() }),
            Ok(Some(record)) => {
                self.accept_pair(task, record, true);
                Ok(())
            }
            Ok(None) => {
                let sent = self.to_workers.as_ref().is_some_and(|workers| workers.send(task).is_ok());
                self.running += usize::from(sent);
                Ok(())
            }
        }
    }

    fn take_event(&mut self, event: WorkerEvent<G>) -> Result<(), MatchError<J::Error, G>> {
        match event {
            WorkerEvent::Move(pair, game, position) => self.observer.on_move(pair, game, &position),
            WorkerEvent::Game(pair, game, record) => self.observer.on_game(pair, game, &record),
            WorkerEvent::Abandoned => self.running -= 1,
            WorkerEvent::Unplayable(error) => return Err(self.player_failure(*error)),
            WorkerEvent::Pair(finished) => {
                self.running -= 1;
                let (task, record) = *finished;
                match self.journal.keep_pair(&task, record.clone()) {
                    Ok(record) => self.accept_pair(task, record, false),
                    Err(error) => return Err(self.journal_failure(error, (task, record))),
                }
            }
        }
        Ok(())
    }

    /// The journal has failed: whatever is finished by now is handed back to the caller.
    fn journal_failure(
        &mut self,
        error: J::Error,
        first: (PairTask<G>, PairRecord<G>),
    ) -> MatchError<J::Error, G> {
        let mut unkept = vec![first];
        while let Ok(event) = self.events.try_recv() {
            if let WorkerEvent::Pair(finished) = event {
                unkept.push(*finished);
            }
        }
        MatchError { error: MatchBreak::Journal(error), unkept }
    }

    /// A player cannot be made: others could not be, either. What is finished by now is kept.
    fn player_failure(&mut self, error: ContestantError) -> MatchError<J::Error, G> {
        let mut unkept = Vec::new();
        while let Ok(event) = self.events.try_recv() {
            let WorkerEvent::Pair(finished) = event else { continue };
            if self.journal.keep_pair(&finished.0, finished.1.clone()).is_err() {
                unkept.push(*finished);
            }
        }
        MatchError { error: MatchBreak::Player(error), unkept }
    }

    /// A pair is there: counts it, and those that waited for it.
    fn accept_pair(&mut self, task: PairTask<G>, record: PairRecord<G>, found: bool) {
        self.waiting.insert(task.index, (task, record, found));
        while self.decision.is_none() {
            let Some((task, record, found)) = self.waiting.remove(&(self.counted.len() as u64)) else {
                return;
            };
            self.standing.add_pair(&record);
            self.found += u64::from(found);
            self.observer.on_pair(&task, &record, found, &self.standing);
            self.counted.push(record);
            let decision =
                self.plan.sprt.map(|sprt| sprt.sprt_report(&self.standing.pair_outcomes()).decision);
            self.decision = decision.filter(|&decision| decision != SprtDecision::Continue);
        }
    }
}

/// A journal in memory: for trials and tests.
#[derive(Clone, Debug, Default)]
pub struct MemoryJournal<G: MatchGame = Go> {
    pairs: BTreeMap<String, PairRecord<G>>,
}

impl<G: MatchGame> PairJournal<G> for MemoryJournal<G> {
    type Error = std::convert::Infallible;

    fn find_pair(&mut self, task: &PairTask<G>) -> Result<Option<PairRecord<G>>, Self::Error> {
        Ok(self.pairs.get(&format!("{:?}", task.facts())).cloned())
    }

    fn keep_pair(&mut self, task: &PairTask<G>, record: PairRecord<G>) -> Result<PairRecord<G>, Self::Error> {
        Ok(self.pairs.entry(format!("{:?}", task.facts())).or_insert(record).clone())
    }
}
