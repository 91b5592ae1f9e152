//! Works of a campaign: what falls into tasks and is neither match nor experiment. Each kind says what its tasks are, and does them
//! ([`SharedWork`]). Here the tasks come into the queue, and their results together again.
//!
//! The files that a work reads travel in the database, under the checksum of their contents, so that workers need no copy of them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use clap::Parser;
use ishi_arena::process::EngineCommand;
use ishi_arena::stopwatch::Stopwatch;
use ishi_lab::experiment::TaskOutput;
use ishi_lab::store::{FinishedTask, NewResult, QueueEntry, Store, StoreTask, TaskCost, TaskJoin};
use ishi_lab::worker::{JoinedResults, PreparedJob};
use ishi_rng::Seed;
use ishi_work::StopFlag;
use serde_json::{Value, json};

use crate::commands::deck::build::share::DecksLine;
use crate::commands::go::label::share::LabelLine;
use crate::commands::go::learn_shapes::share::PatternsLine;
use crate::commands::go::problems::share::ProblemsLine;
use crate::commands::othello::evaluation::share::SelfPlayLine;
use crate::commands::othello::solve::share::SolveLine;
use crate::commands::strings::oeis::share::SequencesLine;
use crate::context::{Context, Failure};
use crate::digest::{hex_digest, hex_text, parse_hex};
use crate::files;

/// The kind of the documents that hold files of works.
const FILE_DOCUMENT: &str = "campaign-file";

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

    /// Can such work be done by these words?
    pub(crate) fn check_words(self, words: &[String]) -> Result<(), String> {
        match self {
            WorkKind::Labels => LabelLine::parse_words(words).map(drop),
            WorkKind::Problems => ProblemsLine::parse_words(words).map(drop),
            WorkKind::SelfPlay => SelfPlayLine::parse_words(words).map(drop),
            WorkKind::Endgames => SolveLine::parse_words(words).map(drop),
            WorkKind::Patterns => PatternsLine::parse_words(words).map(drop),
            WorkKind::Decks => DecksLine::parse_words(words).map(drop),
            WorkKind::Sequences => SequencesLine::parse_words(words).map(drop),
        }
    }

    /// The program that such work starts, if it starts one.
    pub(crate) fn program(self, words: &[String]) -> Option<EngineCommand> {
        match self {
            WorkKind::Labels => LabelLine::parse_words(words).ok().map(|line| line.program()),
            WorkKind::Problems
            | WorkKind::SelfPlay
            | WorkKind::Endgames
            | WorkKind::Patterns
            | WorkKind::Decks
            | WorkKind::Sequences => None,
        }
    }

    /// The work that the words describe.
    fn load_work(
        self,
        words: &[String],
        inputs: &mut WorkInputs<'_>,
    ) -> Result<Box<dyn SharedWork>, Failure> {
        let wrong = |error: String| Failure::Input(format!("{} {:?}: {error}", self.name(), words.join(" ")));
        let work: Box<dyn SharedWork> = match self {
            WorkKind::Labels => Box::new(LabelLine::parse_words(words).map_err(wrong)?.load_labels(inputs)?),
            WorkKind::Problems => {
                Box::new(ProblemsLine::parse_words(words).map_err(wrong)?.load_problems(inputs)?)
            }
            WorkKind::SelfPlay => {
                Box::new(SelfPlayLine::parse_words(words).map_err(wrong)?.load_self_play(inputs)?)
            }
            WorkKind::Endgames => {
                Box::new(SolveLine::parse_words(words).map_err(wrong)?.load_endgames(inputs)?)
            }
            WorkKind::Patterns => {
                Box::new(PatternsLine::parse_words(words).map_err(wrong)?.load_patterns(inputs)?)
            }
            WorkKind::Decks => Box::new(DecksLine::parse_words(words).map_err(wrong)?.load_decks(inputs)?),
            WorkKind::Sequences => {
                Box::new(SequencesLine::parse_words(words).map_err(wrong)?.load_sequences())
            }
        };
        Ok(work)
    }
}

/// A line of a campaign's file that asks for work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlannedWork {
    pub(crate) kind: WorkKind,
    /// As after the command of its kind.
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

/// Reads the words after a command; the error is a single line.
pub(crate) fn parse_command_words<T: Parser>(words: &[String]) -> Result<T, String> {
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    T::try_parse_from(words)
        .map_err(|error| error.to_string().lines().next().unwrap_or("it cannot be read").to_string())
}

/// Finished tasks, one at a time: together they may be more than the memory holds.
pub(crate) type FinishedTasks<'a> = dyn Iterator<Item = Result<FinishedTask, Failure>> + 'a;

/// Work that falls into tasks, each a function of its description.
pub(crate) trait SharedWork: Send + Sync {
    /// What the results follow from, as far as words and files say it: a JSON object without fractions. It names the run.
    fn facts(&self) -> Value;

    /// All that the results follow from; more than the facts where something else is asked, such as a program's version.
    fn run_spec(&self) -> Value {
        self.facts()
    }

    /// Takes from the run what the facts do not say.
    fn adopt_run_spec(&mut self, _spec: &Value) {}

    /// Makes ready to do tasks: starts a program, if it needs one.
    ///
    /// # Errors
    /// If that cannot be done here.
    fn begin(&mut self, _stop: &StopFlag) -> Result<(), Failure> {
        Ok(())
    }

    /// How many tasks there are.
    fn task_count(&self) -> u64;

    /// Everything that the result of the task at this place follows from; the place is below [`SharedWork::task_count`].
    fn task_spec(&self, place: u64) -> Value;

    /// The place of the task whose result this one goes on from.
    fn place_before(&self, _place: u64) -> Option<u64> {
        None
    }

    /// The places of the tasks that this one joins; empty for most.
    fn joined_places(&self, _place: u64) -> Range<u64> {
        0..0
    }

    /// Must a second result be equal to the first?
    fn is_exact(&self) -> bool {
        true
    }

    /// The seed of all of it.
    fn seed(&self) -> Seed;

    /// Does the task; `None` if it was broken off because `stop` was set. `before` is the result that it goes on from.
    ///
    /// # Errors
    /// If something outside failed.
    fn do_task(
        &self,
        place: u64,
        before: Option<&Value>,
        stop: &StopFlag,
    ) -> Result<Option<TaskOutput>, String>;

    /// Does a task that joins others ([`SharedWork::joined_places`]), whose results come one at a time; `None` as for
    /// [`SharedWork::do_task`].
    ///
    /// # Errors
    /// If something outside failed, or a result cannot be read.
    fn join_results(
        &self,
        place: u64,
        _joined: &mut JoinedResults<'_>,
        _stop: &StopFlag,
    ) -> Result<Option<TaskOutput>, String> {
        Err(format!("task {place} joins no others"))
    }

    /// The places of the tasks whose results are reported: the last ones, or all.
    fn reported_places(&self) -> Range<u64> {
        0..self.task_count()
    }

    /// Writes what the results of the tasks at [`SharedWork::reported_places`], in their order, make together, and says what it is. All
    /// tasks are finished.
    ///
    /// # Errors
    /// If a result cannot be read or is not of its form, or a file cannot be written.
    fn report(&self, results: &mut FinishedTasks<'_>, context: &Context) -> Result<String, Failure>;
}

/// Where a work's files come from.
pub(crate) enum WorkInputs<'a> {
    /// The files of this machine; what was read is kept here, unpacked, by name.
    Files(BTreeMap<String, Vec<u8>>),
    /// The database, and the checksums by name.
    Kept(&'a Store, BTreeMap<String, String>),
}

impl<'a> WorkInputs<'a> {
    /// The files of this machine.
    pub(crate) fn from_files() -> WorkInputs<'a> {
        WorkInputs::Files(BTreeMap::new())
    }

    /// The files that the database has for a job.
    pub(crate) fn of_job(store: &'a Store, job: &Value) -> WorkInputs<'a> {
        let files = job["files"].as_object().into_iter().flatten();
        let text = |(name, digest): (&String, &Value)| Some((name.clone(), digest.as_str()?.to_string()));
        WorkInputs::Kept(store, files.filter_map(text).collect())
    }

    /// The bytes of the file of this name, unpacked if gzip has packed them.
    ///
    /// # Errors
    /// If there is no such file, or what the database has is not what was put there.
    pub(crate) fn read(&mut self, path: &Path) -> Result<Vec<u8>, Failure> {
        let name = path.display().to_string();
        match self {
            WorkInputs::Files(read) => {
                refuse_standard_input(path)?;
                let bytes = files::read_unpacked(path)?;
                read.insert(name, bytes.clone());
                Ok(bytes)
            }
            WorkInputs::Kept(store, digests) => read_file_of_job(store, digests, &name),
        }
    }

    /// The bytes that `make` makes of files of this machine, for a file that names others. They travel in its place, under its name.
    ///
    /// # Errors
    /// If they cannot be made, and as for [`WorkInputs::read`].
    pub(crate) fn read_or_make(
        &mut self,
        path: &Path,
        make: impl FnOnce() -> Result<Vec<u8>, Failure>,
    ) -> Result<Vec<u8>, Failure> {
        let name = path.display().to_string();
        match self {
            WorkInputs::Files(read) => {
                let bytes = make()?;
                read.insert(name, bytes.clone());
                Ok(bytes)
            }
            WorkInputs::Kept(store, digests) => read_file_of_job(store, digests, &name),
        }
    }

    /// Puts the files that were read into the database; gives their checksums by name.
    pub(crate) fn keep(self, store: &mut Store) -> Result<Value, Failure> {
        let WorkInputs::Files(read) = self else { return Ok(json!({})) };
        let mut digests = BTreeMap::new();
        for (name, bytes) in read {
            let digest = hex_digest(&bytes);
            let body = match std::str::from_utf8(&bytes) {
                Ok(text) => json!({ "text": text }),
                Err(_) => json!({ "hex": hex_text(&bytes) }),
            };
            store.keep_content(FILE_DOCUMENT, &digest, &name, &body)?;
            digests.insert(name, digest);
        }
        Ok(json!(digests))
    }
}

/// Standard input can be read once, and a campaign reads its files again and again.
pub(crate) fn refuse_standard_input(path: &Path) -> Result<(), Failure> {
    if files::is_standard(path) {
        return Err(Failure::input("-: a campaign reads its files again and again: give a file's name"));
    }
    Ok(())
}

/// The file of this name, by its checksum in the job.
fn read_file_of_job(
    store: &Store,
    digests: &BTreeMap<String, String>,
    name: &str,
) -> Result<Vec<u8>, Failure> {
    let digest = digests.get(name);
    let digest = digest.ok_or_else(|| Failure::input(format!("the job has no file {name}")))?;
    read_kept_file(store, name, digest)
}

fn read_kept_file(store: &Store, name: &str, digest: &str) -> Result<Vec<u8>, Failure> {
    let document = store.find_document(FILE_DOCUMENT, digest)?;
    let body = document.map(|document| document.body).unwrap_or_default();
    let text = body["text"].as_str().map(|text| text.as_bytes().to_vec());
    let bytes = text.or_else(|| parse_hex(body["hex"].as_str()?));
    bytes.filter(|bytes| hex_digest(bytes) == digest).ok_or_else(|| {
        Failure::input(format!(
            "{name}: the database must hold the file with the checksum {digest}, and does not"
        ))
    })
}

fn make_task(kind: WorkKind, work: &dyn SharedWork, place: u64) -> StoreTask {
    StoreTask::new(kind.name(), work.task_spec(place))
}

fn name_run(kind: WorkKind, work: &dyn SharedWork) -> String {
    let id = StoreTask::new(kind.name(), work.facts()).id();
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

/// The words of a job.
pub(crate) fn words_of_job(job: &Value) -> Result<Vec<String>, String> {
    let words = job["arguments"].as_array();
    let words = words.and_then(|words| words.iter().map(|word| word.as_str().map(str::to_string)).collect());
    words.ok_or_else(|| "the job has no \"arguments\"".to_string())
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

    fn do_task(
        &self,
        place: u64,
        before: Option<&Value>,
        stop: &StopFlag,
    ) -> Result<Option<NewResult>, String> {
        self.with_cost(|| self.work.do_task(place, before, stop))
    }

    fn join_results(
        &self,
        place: u64,
        joined: &mut JoinedResults<'_>,
        stop: &StopFlag,
    ) -> Result<Option<NewResult>, String> {
        self.with_cost(|| self.work.join_results(place, joined, stop))
    }
}

impl WorkJob {
    /// What doing it gives, with what it has cost.
    fn with_cost(
        &self,
        do_it: impl FnOnce() -> Result<Option<TaskOutput>, String>,
    ) -> Result<Option<NewResult>, String> {
        let watch = Stopwatch::start();
        let output = do_it()?;
        let own = TaskCost { cpu_seconds: watch.cpu_seconds(), wall_seconds: watch.wall_seconds() };
        let seed = self.work.seed().to_string();
        let keep =
            |TaskOutput { result, games, cost }| NewResult { result, seed, cost: cost.unwrap_or(own), games };
        Ok(output.map(keep))
    }
}

/// Writes what the work has made, if all of it is there; says how far it is otherwise.
pub(crate) fn report_shared_work(
    planned: &PlannedWork,
    context: &Context,
    store: &Store,
) -> Result<String, Failure> {
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
        return Ok(format!("{run}: {finished} of {count} tasks are finished\n"));
    }
    let places = work.reported_places();
    let mut results =
        places.filter_map(|place| store.find_result(&id_at(place)).map_err(Failure::from).transpose());
    work.report(&mut results, context)
}

/// A finished task of a work, of which only the result is looked at.
#[cfg(test)]
pub(crate) fn finished_task(result: Value) -> FinishedTask {
    FinishedTask {
        id: ishi_lab::store::TaskId::from_text("t"),
        kind: "work".into(),
        spec: json!({}),
        result,
        seed: "1".into(),
        cost: TaskCost::default(),
        version: "1".into(),
        finished: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_travel_in_the_database_byte_for_byte() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::in_memory().unwrap();
        let contents: [&[u8]; 4] =
            [b"plain\ttext\n\0 with \\ and \"", b"", &[0xff, 0, 0xfe, 10], "囲碁".as_bytes()];
        let names: Vec<_> = (0..4).map(|n| folder.path().join(format!("f{n}"))).collect();
        let mut inputs = WorkInputs::from_files();
        for (path, bytes) in names.iter().zip(contents) {
            std::fs::write(path, bytes).unwrap();
            assert_eq!(inputs.read(path).unwrap(), bytes);
        }
        let made = inputs.read_or_make(Path::new("made"), || Ok(b"of several files".to_vec())).unwrap();
        let job = json!({ "files": inputs.keep(&mut store).unwrap() });
        names.iter().for_each(|path| std::fs::remove_file(path).unwrap());
        let mut kept = WorkInputs::of_job(&store, &job);
        for (path, bytes) in names.iter().zip(contents) {
            assert_eq!(kept.read(path).unwrap(), bytes);
        }
        let again = kept.read_or_make(Path::new("made"), || Err(Failure::input("made on one machine only")));
        assert_eq!(again.unwrap(), made);
        let error = kept.read(Path::new("another")).unwrap_err();
        assert!(error.to_string().contains("the job has no file another"), "{error}");
        let wrong = json!({ "files": { "a": hex_digest(b"what nobody has put there") } });
        let error = WorkInputs::of_job(&store, &wrong).read(Path::new("a")).unwrap_err();
        assert!(error.to_string().contains("the database must hold the file"), "{error}");
        assert!(WorkInputs::from_files().read(Path::new("-")).is_err());
    }

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
