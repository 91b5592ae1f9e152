//! Matches that are played: how they begin, what is known of them, and what pages hear meanwhile.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use ishi_arena::{
    MatchBreak, MatchEnd, MatchObserver, MatchPlan, MatchRun, MatchStanding, PairRecord, PairTask,
};
use ishi_engine::{Go, Othello};
use ishi_lab::LabError;
use ishi_lab::store::{Store, StoreJournal, describe_match_run, find_kept_pairs, start_match};
use ishi_rng::Seed;
use ishi_work::StopFlag;

use super::courses::MatchCourse;
use super::request::{KIND, MatchRequest, OfferedGame, UNPLAYABLE};
use crate::workbench::WorkbenchState;
use crate::workbench::error::PageError;
use crate::workbench::rooms::laboratory::database::{query_store, require_database};
use crate::workbench::texts::PageText;
use crate::workbench::thoughts::TaskTurn;

/// Seconds between two looks at a match.
const EVERY: f64 = 0.4;

pub(super) fn match_key(key: &str) -> String {
    format!("match/{key}")
}

pub(super) fn match_topic(key: &str) -> String {
    format!("lab/match/{key}")
}

// --- what is known of a match ---

pub(super) async fn load_match(desk: &WorkbenchState, key: &str) -> Result<MatchRequest, PageError> {
    load_match_revision(desk, key).await.map(|(asked, _)| asked)
}

/// A match with the revision of its document.
pub(super) async fn load_match_revision(
    desk: &WorkbenchState,
    key: &str,
) -> Result<(MatchRequest, u64), PageError> {
    let (asked, revision) = desk.load_document::<MatchRequest>(key).await?;
    Ok((MatchRequest { programs: Arc::clone(&desk.programs), ..asked }, revision))
}

/// What is known of a match: of a running one what it tells, else what the store has.
pub(super) async fn load_course(
    desk: &Arc<WorkbenchState>,
    key: &str,
    asked: &MatchRequest,
) -> Result<(MatchCourse, String), PageError> {
    let known = desk.rooms.laboratory.matches.lock_courses().get(key).cloned();
    let (seed, asked) = (desk.settings.seed, asked.clone());
    let is_known = known.is_some();
    let found = query_store(desk, move |store| {
        if asked.is_othello() {
            read_course::<Othello>(&asked, seed, store, is_known)
        } else {
            read_course::<Go>(&asked, seed, store, is_known)
        }
    })
    .await?;
    let (read, run) = found.ok_or_else(|| PageError::invalid_input(UNPLAYABLE))?;
    let course = known.unwrap_or_else(|| desk.rooms.laboratory.matches.known_course_or(key, read));
    Ok((course, run))
}

/// What the store has of a match. Nothing if it cannot be played any more, as a player is missing.
fn read_course<G: OfferedGame>(
    asked: &MatchRequest,
    seed: Seed,
    store: &Store,
    is_known: bool,
) -> Result<Option<(MatchCourse, String)>, LabError> {
    let Ok(plan) = asked.make_plan::<G>(seed) else { return Ok(None) };
    let (run, _) = describe_match_run(&plan);
    if is_known {
        return Ok(Some((MatchCourse::default(), run)));
    }
    let mut standing = MatchStanding::default();
    let pairs = find_kept_pairs(&plan, store)?;
    let standings = pairs.iter().map(|pair| {
        standing.add_pair(pair);
        standing
    });
    Ok(Some((MatchCourse { standings: standings.collect(), ended: None }, run)))
}

// --- runs ---

/// Keeps a match and begins it; its key.
pub(super) async fn keep_and_begin(
    desk: &Arc<WorkbenchState>,
    mut asked: MatchRequest,
) -> Result<String, PageError> {
    let file = require_database(desk)?;
    asked.programs = Arc::clone(&desk.programs);
    if !desk.matches.has_room() {
        return Err(too_many_matches());
    }
    if asked.seed.trim().is_empty() {
        // What the document holds says all.
        asked.seed = desk.settings.seed.to_string();
    }
    let seed = desk.settings.seed;
    let checked = asked.clone();
    // Trying the players out takes its time.
    desk.compute(move |_| checked.check(seed)).await??;
    let key = desk.create_document(&asked).await?;
    if let Err(refusal) = begin_match(desk, &key, asked, file) {
        // Others were faster. What was never begun is in no list.
        desk.ask_store(move |store| store.forget_document(KIND, &key)).await?;
        return Err(refusal);
    }
    Ok(key)
}

/// The error where so many matches run or wait that another would hardly come to its turn.
fn too_many_matches() -> PageError {
    PageError::new(StatusCode::SERVICE_UNAVAILABLE, "laboratory-too-many-matches-are-played-or")
}

/// Begins a match, or lets it wait for its turn. Refuses it while too many others wait.
pub(super) fn begin_match(
    desk: &Arc<WorkbenchState>,
    key: &str,
    asked: MatchRequest,
    file: PathBuf,
) -> Result<(), PageError> {
    if desk.matches.is_running(&match_key(key)) {
        return Ok(());
    }
    let (shared, name) = (Arc::clone(desk), key.to_string());
    let begun = desk.matches.start_task_if_room(&match_key(key), move |stop| {
        let seed = shared.settings.seed;
        let ended = if asked.is_othello() {
            asked.make_plan::<Othello>(seed).map(|plan| perform_match(&shared, &name, &plan, &file, stop))
        } else {
            asked.make_plan::<Go>(seed).map(|plan| perform_match(&shared, &name, &plan, &file, stop))
        };
        // The plan was checked when it was made.
        let ended = ended.unwrap_or_else(|_| Err(PageText::from(UNPLAYABLE)));
        shared.rooms.laboratory.matches.change_course(&name, |course| course.ended = Some(ended));
        shared.live.publish(&match_topic(&name), "state", "ended");
    });
    if !begun {
        return Err(too_many_matches());
    }
    desk.live.publish(&match_topic(key), "state", "begins");
    Ok(())
}

fn perform_match<G: OfferedGame>(
    desk: &WorkbenchState,
    key: &str,
    plan: &MatchPlan<G>,
    file: &Path,
    stop: &StopFlag,
) -> Result<MatchEnd, PageText> {
    let mut store = Store::open(file).map_err(PageText::of_error)?;
    let run = start_match(plan, &mut store).map_err(PageText::of_error)?;
    desk.rooms.laboratory.matches.change_course(key, |course| *course = MatchCourse::default());
    let names = [0, 1].map(|index| plan.contestants[index].name.clone());
    let turn = TaskTurn::begin();
    let mut watcher = MatchWatcher { desk, key, names, stop, turn, told: None, drawn: None };
    let mut journal = StoreJournal::new(&mut store, &run, plan.seed);
    let run = MatchRun { threads: 1, stop: stop.clone(), observer: &mut watcher };
    let outcome = ishi_arena::play_match(plan, &mut journal, run).map_err(|failed| match failed.error {
        MatchBreak::Journal(error) => PageText::of_error(error),
        MatchBreak::Player(error) => PageText::of_error(error),
    });
    // There is no game any more; browsers do not hear of events without text.
    desk.live.publish(&match_topic(key), "board", "<span></span>");
    desk.live.forget_event(&match_topic(key), "board");
    Ok(outcome?.end)
}

/// Tells pages of a match.
struct MatchWatcher<'a> {
    desk: &'a WorkbenchState,
    key: &'a str,
    names: [String; 2],
    stop: &'a StopFlag,
    turn: TaskTurn,
    told: Option<Instant>,
    drawn: Option<Instant>,
}

impl MatchWatcher<'_> {
    /// Lets other matches come on if this one has had its turn: its games wait as long.
    fn take_turns(&mut self) {
        self.turn.give_way_if_over(&self.desk.matches, &match_key(self.key), self.stop);
    }
}

/// Has it been long enough since then?
fn is_time_to_tell(since: Option<Instant>) -> bool {
    since.is_none_or(|then| then.elapsed().as_secs_f64() >= EVERY)
}

impl<G: OfferedGame> MatchObserver<G> for MatchWatcher<'_> {
    fn wants_moves(&self) -> bool {
        true
    }

    fn on_move(&mut self, pair: u64, game: usize, position: &G::Position) {
        self.take_turns();
        if !is_time_to_tell(self.drawn) || self.desk.live.unseen_for(&match_topic(self.key)) > Duration::ZERO
        {
            return;
        }
        self.drawn = Some(Instant::now());
        let [black, white] = [&self.names[game], &self.names[1 - game]];
        let title = format!("{}/{}: {black} – {white}", pair + 1, game + 1);
        self.desk.live.publish(&match_topic(self.key), "board", G::draw_position(position, &title));
    }

    fn on_pair(&mut self, _: &PairTask<G>, _: &PairRecord<G>, found: bool, standing: &MatchStanding) {
        self.desk.rooms.laboratory.matches.change_course(self.key, |course| course.standings.push(*standing));
        if !found && is_time_to_tell(self.told) {
            self.told = Some(Instant::now());
            let games = standing.total_tally().games().to_string();
            self.desk.live.publish(&match_topic(self.key), "state", games);
        }
        self.take_turns();
    }
}
