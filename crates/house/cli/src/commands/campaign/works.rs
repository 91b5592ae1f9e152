//! Works of a campaign: their kinds, how their tasks come into the queue, and how their results come together again. What a kind has to say
//! and to do stands in [`super::shared_work`].

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use ishi_arena::process::EngineCommand;
use ishi_arena::stopwatch::Stopwatch;
use ishi_lab::store::{QueueEntry, Store, StoreTask, TaskJoin, TaskKind};
use ishi_lab::worker::{JobAnswer, JoinedResults, PreparedJob};
use ishi_work::StopFlag;
use serde_json::{Value, json};

use super::shared_work::{
    AnyWorkLine, LineReport, SharedWork, SharedWorkArgs, WorkAnswer, WorkInputs, WorkLine, words_of_job,
};
use crate::commands::deck::build::share::SharedDecksArgs;
use crate::commands::go::label::share::SharedLabelArgs;
use crate::commands::go::learn_shapes::LearnShapesArgs;
use crate::commands::go::problems::ProblemsArgs;
use crate::commands::othello::evaluation::SelfPlayArgs;
use crate::commands::othello::solve::share::SharedSolveArgs;
use crate::commands::strings::oeis::OeisArgs;
use crate::context::{Context, Failure};

/// A kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorkKind {
    /// `ishi go label`.
    Labels,
    /// `ishi go problems`.
    Problems,
    /// `ishi othello evaluation self-play`.
    SelfPlay,
    /// `ishi othello solve`.
    Endgames,
    /// `ishi go learn-shapes`.
    Patterns,
    /// `ishi deck build`.
    Decks,
    /// `ishi strings oeis`.
    Sequences,
}

impl WorkKind {
    /// All kinds, in the order in which they come into the queue.
    pub(crate) const ALL: [WorkKind; 7] = [
        WorkKind::Labels,
        WorkKind::Problems,
        WorkKind::SelfPlay,
        WorkKind::Endgames,
        WorkKind::Patterns,
        WorkKind::Decks,
        WorkKind::Sequences,
    ];

    /// Its word: in the campaign's file, in jobs and names of runs, and as the kind of its tasks.
    pub(crate) fn name(self) -> &'static str {
        match self {
            WorkKind::Labels => "labels",
            WorkKind::Problems => "problems",
            WorkKind::SelfPlay => "self-play",
            WorkKind::Endgames => "endgames",
            WorkKind::Patterns => "patterns",
            WorkKind::Decks => "decks",
            WorkKind::Sequences => "sequences",
        }
    }

    /// The kind with this word.
    pub(crate) fn from_name(name: &str) -> Option<WorkKind> {
        WorkKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kind of its tasks.
    fn task_kind(self) -> TaskKind {
        let kind = TaskKind::new(self.name());
        match self {
            // Othello's player plays other games than results of the first version have, and Go's readers answer otherwise.
            WorkKind::SelfPlay | WorkKind::Problems => kind.with_results_version(4),
            WorkKind::Labels
            | WorkKind::Endgames
            | WorkKind::Patterns
            | WorkKind::Decks
            | WorkKind::Sequences => kind,
        }
    }

    /// Reads the words as the command of this kind would.
    fn parse_words(self, words: &[String]) -> Result<Box<dyn AnyWorkLine>, String> {
        match self {
            WorkKind::Labels => parse_line::<SharedLabelArgs>(words),
            WorkKind::Problems => parse_line::<ProblemsArgs>(words),
            WorkKind::SelfPlay => parse_line::<SelfPlayArgs>(words),
            WorkKind::Endgames => parse_line::<SharedSolveArgs>(words),
            WorkKind::Patterns => parse_line::<LearnShapesArgs>(words),
            WorkKind::Decks => parse_line::<SharedDecksArgs>(words),
            WorkKind::Sequences => parse_line::<OeisArgs>(words),
        }
    }

    /// Can such work be done by these words?
    pub(crate) fn check_words(self, words: &[String]) -> Result<(), String> {
        self.parse_words(words).map(drop)
    }

    /// The program that such work starts, if it starts one.
    pub(crate) fn program(self, words: &[String]) -> Option<EngineCommand> {
        self.parse_words(words).ok()?.program()
    }

    /// The work that the words describe.
    fn load_work(
        self,
        words: &[String],
        inputs: &mut WorkInputs<'_>,
    ) -> Result<Box<dyn SharedWork>, Failure> {
        let wrong = |error: String| Failure::Input(format!("{} {:?}: {error}", self.name(), words.join(" ")));
        self.parse_words(words).map_err(wrong)?.load_work(inputs)
    }
}

fn parse_line<A: SharedWorkArgs + 'static>(words: &[String]) -> Result<Box<dyn AnyWorkLine>, String> {
    Ok(Box::new(WorkLine::<A>::parse_words(words)?))
}

/// A line of a campaign's file that asks for work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlannedWork {
    pub(crate) kind: WorkKind,
    /// The words as they stand after the command of its kind.
    pub(crate) words: Vec<String>,
    /// Where the line stands, for what is wrong with it: `ladder.toml:3:3`.
    pub(crate) place: String,
}

impl PlannedWork {
    /// The program that it starts, if it starts one.
    pub(crate) fn program(&self) -> Option<EngineCommand> {
        self.kind.program(&self.words)
    }

    fn load_from_files(&self) -> Result<(Box<dyn SharedWork>, WorkInputs<'static>), Failure> {
        let mut inputs = WorkInputs::from_files();
        let work = self.kind.load_work(&self.words, &mut inputs);
        let work = work.map_err(|failure| failure.at_place(&self.place))?;
        Ok((work, inputs))
    }
}

fn make_task(kind: WorkKind, work: &dyn SharedWork, place: u64) -> StoreTask {
    StoreTask::new(kind.task_kind(), work.task_spec(place))
}

fn name_run(kind: WorkKind, work: &dyn SharedWork) -> String {
    let id = StoreTask::new(kind.task_kind(), work.facts()).id();
    format!("{}-{}", kind.name(), id.as_str().get(..12).unwrap_or_default())
}

/// Opens the work as a job of the campaign. Gives its run, and how many tasks are in the queue.
pub(crate) fn share_work(
    planned: &PlannedWork,
    campaign: &str,
    context: &Context,
    store: &mut Store,
) -> Result<(String, u64), Failure> {
    let kind = planned.kind;
    let (mut work, inputs) = planned.load_from_files()?;
    work.begin(&context.stop)?;
    let (run, spec) = (name_run(kind, work.as_ref()), work.run_spec());
    store.start_run(&run, kind.name(), &spec)?;
    let files = inputs.keep(store)?;
    let job = json!({ "do": kind.name(), "arguments": planned.words, "files": files, "spec": spec });
    let id_at = |place| make_task(kind, work.as_ref(), place).id();
    let entry = |place| QueueEntry { place, task: id_at(place), after: work.place_before(place).map(id_at) };
    let entries: Vec<QueueEntry> = (0..work.task_count()).map(entry).collect();
    let join = |place| TaskJoin { place, after: work.joined_places(place) };
    let joins = (0..work.task_count()).map(join).filter(|join| !join.after.is_empty());
    let joins: Vec<TaskJoin> = joins.collect();
    let open = store.open_joined_job(&run, campaign, &job, &entries, &joins)?;
    Ok((run, open))
}

/// Sets the work of a job up, with the files that the database has.
///
/// # Errors
/// Why it cannot be done here in the same way.
pub(crate) fn prepare_work_job(
    kind: WorkKind,
    job: &Value,
    store: &Store,
    context: &Context,
) -> Result<Arc<dyn PreparedJob>, String> {
    let words = words_of_job(job)?;
    let loaded = kind.load_work(&words, &mut WorkInputs::of_job(store, job));
    let mut work = loaded.map_err(|failure| failure.to_string())?;
    work.begin(&context.stop).map_err(|failure| failure.to_string())?;
    match first_other_fact(&job["spec"], &work.run_spec()) {
        Some(difference) => Err(difference),
        None => Ok(Arc::new(WorkJob { kind, work })),
    }
}

/// What is not as it must be, in words.
fn first_other_fact(asked: &Value, ours: &Value) -> Option<String> {
    let keys: BTreeSet<&String> =
        [asked, ours].into_iter().filter_map(Value::as_object).flat_map(|map| map.keys()).collect();
    let key = keys.into_iter().find(|&key| asked[key] != ours[key])?;
    Some(format!("{key} is {} here, and must be {}", ours[key], asked[key]))
}

/// A work that a worker does tasks of.
struct WorkJob {
    kind: WorkKind,
    work: Box<dyn SharedWork>,
}

impl PreparedJob for WorkJob {
    fn task(&self, place: u64) -> Option<StoreTask> {
        (place < self.work.task_count()).then(|| make_task(self.kind, self.work.as_ref(), place))
    }

    fn is_exact(&self) -> bool {
        self.work.is_exact()
    }

    fn joined_places(&self, place: u64) -> Range<u64> {
        self.work.joined_places(place)
    }

    fn do_task(&self, place: u64, before: Option<&Value>, stop: &StopFlag) -> JobAnswer {
        self.with_cost(|| self.work.do_task(place, before, stop))
    }

    fn join_results(&self, place: u64, joined: &mut JoinedResults<'_>, stop: &StopFlag) -> JobAnswer {
        self.with_cost(|| self.work.join_results(place, joined, stop))
    }
}

impl WorkJob {
    /// What doing it gives, with what it has cost.
    fn with_cost(&self, do_it: impl FnOnce() -> WorkAnswer) -> JobAnswer {
        let watch = Stopwatch::start();
        let output = do_it()?;
        Ok(output.map(|output| output.into_result(self.work.seed(), &watch)))
    }
}

/// Writes what the work has made, if all of it is there.
pub(crate) fn report_shared_work(
    planned: &PlannedWork,
    context: &Context,
    store: &Store,
) -> Result<LineReport, Failure> {
    let (mut work, _) = planned.load_from_files()?;
    let run = name_run(planned.kind, work.as_ref());
    if let Some(found) = store.find_run(&run)? {
        work.adopt_run_spec(&found.spec);
    }
    let count = work.task_count();
    let id_at = |place| make_task(planned.kind, work.as_ref(), place).id();
    let mut finished = 0;
    for place in 0..count {
        finished += u64::from(store.is_finished(&id_at(place))?);
    }
    if finished < count {
        return Ok(LineReport::State(format!("{run}: {finished} of {count} tasks are finished")));
    }
    let places = work.reported_places();
    let mut results =
        places.filter_map(|place| store.find_result(&id_at(place)).map_err(Failure::from).transpose());
    work.report(&mut results, context).map(LineReport::Report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_named() {
        let asked = json!({ "judge": "KataGo 1.16", "seed": "1" });
        assert_eq!(first_other_fact(&asked, &asked), None);
        let ours = json!({ "judge": "KataGo 1.15", "seed": "1" });
        let words = first_other_fact(&asked, &ours).unwrap();
        assert_eq!(words, "judge is \"KataGo 1.15\" here, and must be \"KataGo 1.16\"");
        assert!(first_other_fact(&asked, &json!({ "seed": "1" })).unwrap().starts_with("judge is null"));
        assert!(first_other_fact(&Value::Null, &ours).is_some(), "a job without a description fits nobody");
    }

    #[test]
    fn every_kind_is_found_by_its_word() {
        for kind in WorkKind::ALL {
            assert_eq!(WorkKind::from_name(kind.name()), Some(kind));
        }
        assert_eq!(WorkKind::from_name("match"), None);
    }
}
