//! What a work of a campaign is: something that falls into tasks, and is neither match nor experiment. Each kind says what its tasks are,
//! and does them ([`SharedWork`]).
//!
//! The files that a work reads travel in the database, under the checksum of their contents, so that workers need no copy of them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use clap::{Args, Parser};
use ishi_arena::process::EngineCommand;
use ishi_lab::experiment::TaskOutput;
use ishi_lab::store::{FinishedTask, Store};
use ishi_lab::worker::JoinedResults;
use ishi_rng::Seed;
use ishi_work::StopFlag;
use serde_json::{Value, json};

use crate::GlobalArgs;
use crate::context::{Context, Failure};
use crate::digest::{hex_digest, hex_text, parse_hex};
use crate::files;
use crate::parser_words::{describe_in_one_line, parse_words};

/// The kind of the documents that hold files of works.
const FILE_DOCUMENT: &str = "campaign-file";

/// Reads the words after a command; the error is a single line.
pub(crate) fn parse_command_words<T: Parser>(words: &[String]) -> Result<T, String> {
    parse_words(words).map_err(|answer| describe_in_one_line(&answer))
}

/// The options of a command whose work is shared out, with what only campaigns take.
pub(crate) trait SharedWorkArgs: Args {
    /// What they ask for.
    type Work: SharedWork + 'static;

    /// Can a campaign follow them?
    ///
    /// # Errors
    /// What must be otherwise, in a single line.
    fn check_options(&self) -> Result<(), String> {
        Ok(())
    }

    /// The program that the work starts, if it starts one.
    fn program(&self) -> Option<EngineCommand> {
        None
    }

    /// The work, with all that its files say.
    ///
    /// # Errors
    /// If a file cannot be read or is not of its form, or there is no such work.
    fn load_work(self, seed: Seed, inputs: &mut WorkInputs<'_>) -> Result<Self::Work, Failure>;
}

/// What stands after a command whose work is shared out: its own options, and those of all commands.
#[derive(Parser, Debug)]
#[command(name = "work", no_binary_name = true)]
pub(crate) struct WorkLine<A: Args> {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(flatten)]
    pub(crate) args: A,
}

impl<A: SharedWorkArgs> WorkLine<A> {
    /// Reads the words; the error is a single line.
    pub(crate) fn parse_words(words: &[String]) -> Result<WorkLine<A>, String> {
        let line: WorkLine<A> = parse_command_words(words)?;
        line.args.check_options()?;
        Ok(line)
    }
}

/// A [`WorkLine`] of any command.
pub(crate) trait AnyWorkLine {
    /// As [`SharedWorkArgs::program`].
    fn program(&self) -> Option<EngineCommand>;

    /// As [`SharedWorkArgs::load_work`].
    fn load_work(self: Box<Self>, inputs: &mut WorkInputs<'_>) -> Result<Box<dyn SharedWork>, Failure>;
}

impl<A: SharedWorkArgs> AnyWorkLine for WorkLine<A> {
    fn program(&self) -> Option<EngineCommand> {
        self.args.program()
    }

    fn load_work(self: Box<Self>, inputs: &mut WorkInputs<'_>) -> Result<Box<dyn SharedWork>, Failure> {
        Ok(Box::new(self.args.load_work(self.global.seed, inputs)?))
    }
}

/// What there is to say of a line of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LineReport {
    /// A report, of all of it or of what there is so far.
    Report(String),
    /// There is none yet: how far it is, in one line.
    State(String),
}

/// Finished tasks, one at a time: together they may be more than the memory holds.
pub(crate) type FinishedTasks<'a> = dyn Iterator<Item = Result<FinishedTask, Failure>> + 'a;

/// What a task gives; `None` if it was broken off. The error says what failed outside, or that there is no such task.
pub(crate) type WorkAnswer = Result<Option<TaskOutput>, String>;

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
    fn do_task(&self, place: u64, before: Option<&Value>, stop: &StopFlag) -> WorkAnswer;

    /// Does a task that joins others ([`SharedWork::joined_places`]), whose results come one at a time; `None` as for
    /// [`SharedWork::do_task`].
    ///
    /// # Errors
    /// If something outside failed, or a result cannot be read.
    fn join_results(&self, place: u64, _joined: &mut JoinedResults<'_>, _stop: &StopFlag) -> WorkAnswer {
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

/// The words of a job.
pub(crate) fn words_of_job(job: &Value) -> Result<Vec<String>, String> {
    let words = job["arguments"].as_array();
    let words = words.and_then(|words| words.iter().map(|word| word.as_str().map(str::to_string)).collect());
    words.ok_or_else(|| "the job has no \"arguments\"".to_string())
}

/// The failure of a task whose result is not of its form: `must` says what it must be or have, and that it is not or has not.
pub(crate) fn wrong_result(finished: &FinishedTask, must: &str) -> Failure {
    Failure::input(format!("the result of task {} must {must}", finished.id))
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
        cost: ishi_lab::store::TaskCost::default(),
        version: "1".into(),
        finished: 0,
    }
}

/// The work that the words ask for, of files of this machine.
#[cfg(test)]
pub(crate) fn load_from_words<A: SharedWorkArgs>(words: &[String]) -> Result<A::Work, Failure> {
    let WorkLine { global, args } = WorkLine::<A>::parse_words(words).map_err(Failure::Input)?;
    args.load_work(global.seed, &mut WorkInputs::from_files())
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
}
