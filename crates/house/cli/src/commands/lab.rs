//! `ishi lab`: experiments, from configuration to report.

mod show;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use ishi_experiments::KINDS;
use ishi_lab::LabError;
use ishi_lab::experiment::Variant;
use ishi_lab::folder::{self, ExperimentFolder, LoadedExperiment};
use ishi_lab::kept;
use ishi_lab::report::{self, LabReport, PapersPage};
use ishi_lab::runner::{self, ExperimentRunEnd, RunOptions, RunState};
use ishi_lab::store::{DamagedRun, Store, StoreError, shown_place};
use serde_json::{Value, json};

use crate::context::{Context, Failure};
use crate::{files, places};

const HELP: &str = "\
Examples:
  ishi lab list                  all experiments, and how far they are
  ishi lab run 010               do what is missing, then write the report
  ishi lab run ground --quick    the same in seconds, for tests; its figures mean nothing
  ishi lab resume 010            go on after a stop or a kill: the same as run
  ishi lab run 001 --kept        do not do again what the kept report has
  ishi lab report 010            write the report again
  ishi lab papers                every figure of the five documents beside ishi's, and what came of it
  ishi lab forget 'my match'     take a damaged run out of the database; its results stay

An experiment is a folder experiments/NNN-name with README.md (claim, set-up, deviations, verdict), config.toml, \
expected.toml (the figures of a paper or reference) and results/. Finished tasks are kept in the database at once. \
After Ctrl-C or a kill the same command goes on, and ends with the same results, whatever --threads. \
docs/lab.md describes the files, and how to add an experiment.";

const PAPERS_HELP: &str = "\
Examples:
  ishi lab papers                      a line for each figure: the document's, ishi's, its interval, the outcome
  ishi lab papers --out experiments    write the page as papers.md and papers.html
  ishi lab papers --json               the same for programs

The figures of a document are those of its experiment's expected.toml. Ishi's are those of the kept report.
Outcomes:
  reproduced                  ishi's interval meets the document's, or both are the same where they are exact
  not reproduced, differs     they do not
  open                        ishi's figure cannot tell
  N times, not comparable     no verdict is possible, as of seconds on another machine
  not measured                ishi has no such figure
Settings that were taken from the document, and arithmetic with its own figures, are counted apart.";

const FORGET_HELP: &str = "\
Examples:
  ishi lab forget 'my match'
  ishi lab forget '010-ground full seed 1 5a0d1c2b' --db results.db

A run is a match or an experiment. `ishi lab list` names the damaged ones, with exit code 3. A whole run is not forgotten. \
The results of its tasks stay: the command that made the run makes it anew, and does none of them again.";

/// Options of `ishi lab`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct LabArgs {
    #[command(subcommand)]
    command: LabCommand,
}

#[derive(Subcommand, Debug)]
enum LabCommand {
    /// List the experiments and how far they are
    #[command(after_long_help = HELP)]
    List(LabPlaceArgs),
    /// Do what is missing of an experiment, then write its report
    #[command(after_long_help = HELP)]
    Run(LabRunArgs),
    /// Go on with an experiment after a stop or a kill
    #[command(after_long_help = HELP)]
    Resume(ExperimentArgs),
    /// Write the report of an experiment that is finished, or far enough for one
    #[command(after_long_help = HELP)]
    Report(ExperimentArgs),
    /// Take a damaged run out of the database; its results stay
    #[command(after_long_help = FORGET_HELP)]
    Forget(ForgetArgs),
    /// Show every figure of the documents that are rerun here beside ishi's
    #[command(after_long_help = PAPERS_HELP)]
    Papers(PapersArgs),
}

/// Where experiments and results are.
#[derive(Args, Debug)]
struct LabPlaceArgs {
    /// The folder of experiments [default: `experiments`, here or above; else those that the program holds]
    #[arg(long, value_name = "DIR")]
    experiments: Option<PathBuf>,
    /// The database of results, a file or postgres://USER@HOST/DATABASE; matches use the same [default: ishi.db of this folder, if
    /// there is one, else that of the data folder]
    #[arg(long, default_value_os_t = places::default_database(), hide_default_value = true, value_name = "DB")]
    db: PathBuf,
}

/// One experiment.
#[derive(Args, Debug)]
struct ExperimentArgs {
    /// 010, 10, ground, 010-ground, or the path of its folder
    #[arg(value_name = "EXPERIMENT")]
    name: String,
    /// The small variant, for tests
    #[arg(long)]
    quick: bool,
    /// The folder of the report [default: results/ of the experiment, results/quick/ with --quick]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    place: LabPlaceArgs,
}

/// A damaged run.
#[derive(Args, Debug)]
struct ForgetArgs {
    /// Its name, as `ishi lab list` shows it
    #[arg(value_name = "RUN")]
    run: String,
    /// The database of results, a file or postgres://USER@HOST/DATABASE [default: as for `ishi lab list`]
    #[arg(long, default_value_os_t = places::default_database(), hide_default_value = true, value_name = "DB")]
    db: PathBuf,
}

/// Where the page over all documents goes.
#[derive(Args, Debug)]
struct PapersArgs {
    /// The folder of experiments [default: `experiments`, here or above; else those that the program holds]
    #[arg(long, value_name = "DIR")]
    experiments: Option<PathBuf>,
    /// Write papers.md and papers.html into this folder instead
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// An experiment that is run.
#[derive(Args, Debug)]
struct LabRunArgs {
    #[command(flatten)]
    chosen: ExperimentArgs,
    /// Begin with what results/results.json keeps of the same tasks, where the database has no result of them
    #[arg(long)]
    kept: bool,
}

/// Lists, runs or reports.
pub fn run(args: &LabArgs, context: &Context) -> Result<(), Failure> {
    match &args.command {
        LabCommand::List(place) => list_experiments(place, context),
        LabCommand::Run(to_run) => run_experiment(&to_run.chosen, to_run.kept, context),
        LabCommand::Resume(chosen) => resume_experiment(chosen, context),
        LabCommand::Report(chosen) => write_report(chosen, context),
        LabCommand::Forget(args) => forget_run(args, context),
        LabCommand::Papers(args) => show_papers(args, context),
    }
}

/// The folder that was named, or the nearest.
fn experiments_folder(named: Option<&PathBuf>) -> Result<PathBuf, Failure> {
    named.map_or_else(places::default_experiments, |path| Ok(path.clone()))
}

impl LabPlaceArgs {
    fn folder(&self) -> Result<PathBuf, Failure> {
        experiments_folder(self.experiments.as_ref())
    }

    /// The database for reading, if there is one. A folder that is not there was mistyped.
    fn open_existing_store(&self) -> Result<Option<Store>, Failure> {
        places::check_database_folder(&self.db)?;
        match Store::is_there(&self.db).then(|| Store::open_read_only(&self.db)).transpose() {
            // As if it were not there: a server's is made before anything is put there.
            Err(StoreError::Empty { .. }) => Ok(None),
            store => store.map_err(Failure::from),
        }
    }
}

/// The experiment of this name, in the folder of experiments that was named, or the nearest.
pub(crate) fn load_named(
    name: &str,
    variant: Variant,
    experiments: Option<&PathBuf>,
    context: &Context,
) -> Result<LoadedExperiment, Failure> {
    // The path of a folder needs no folder of experiments.
    let experiments = if name.contains('/') { PathBuf::new() } else { experiments_folder(experiments)? };
    let folder = folder::find_folder(&experiments, name)?;
    folder.load_experiment(KINDS, variant, context.seed).map_err(Failure::from)
}

impl ExperimentArgs {
    fn load_experiment(&self, context: &Context) -> Result<LoadedExperiment, Failure> {
        let variant = if self.quick { Variant::Quick } else { Variant::Full };
        load_named(&self.name, variant, self.place.experiments.as_ref(), context)
    }

    fn results_folder(&self, loaded: &LoadedExperiment) -> PathBuf {
        self.out.clone().unwrap_or_else(|| loaded.folder.results_path(loaded.variant))
    }

    /// The command that does what is missing.
    fn run_command_line(&self, context: &Context) -> String {
        let quick = if self.quick { " --quick" } else { "" };
        format!(
            "ishi lab run {}{quick} --seed {} --db {}",
            self.name,
            context.seed,
            shown_place(&self.place.db)
        )
    }
}

/// Does what is missing and writes the report; with `with_kept` what the last report keeps is not missing.
fn run_experiment(chosen: &ExperimentArgs, with_kept: bool, context: &Context) -> Result<(), Failure> {
    let loaded = chosen.load_experiment(context)?;
    places::prepare_and_tell_database(&chosen.place.db, context)?;
    let mut store = Store::open(&chosen.place.db)?;
    if with_kept {
        let taken = kept::restore_results(&loaded, &mut store)?;
        tell!("ishi: {taken} results are taken from the kept report");
    }
    let before = runner::read_progress(&loaded, &store)?;
    let out = chosen.results_folder(&loaded);
    let mut observer = show::LabDisplay::new(&loaded, context, store.path(), before, out);
    let options =
        RunOptions { threads: context.threads, stop: context.stop.clone(), observer: &mut observer };
    let ended = runner::run_experiment(&loaded, &mut store, options);
    observer.close_display();
    let end = ended?;
    let progress = runner::read_progress(&loaded, &store)?;
    if end == ExperimentRunEnd::Stopped {
        let RunState { done, tasks, .. } = progress;
        let db = store.path().display();
        tell!(
            "ishi: stopped; {done} of {tasks} tasks are kept in {db}; go on with: {}",
            chosen.run_command_line(context)
        );
        return Err(Failure::Interrupted);
    }
    write_and_print_report(&loaded, progress, &chosen.results_folder(&loaded), context)
}

/// As [`run_experiment`], but there must be something to go on with.
fn resume_experiment(chosen: &ExperimentArgs, context: &Context) -> Result<(), Failure> {
    let db = &chosen.place.db;
    if Store::is_there(db) {
        return run_experiment(chosen, false, context);
    }
    let start = chosen.run_command_line(context);
    Err(Failure::Input(format!(
        "nothing to go on with: there is no database {}; begin with: {start}",
        db.display()
    )))
}

fn write_report(chosen: &ExperimentArgs, context: &Context) -> Result<(), Failure> {
    let loaded = chosen.load_experiment(context)?;
    let progress = match chosen.place.open_existing_store()? {
        Some(store) => runner::read_progress(&loaded, &store)?,
        None => RunState { tasks: loaded.task_count(), ..RunState::default() },
    };
    let is_enough = loaded.experiment.reports_early() && progress.done > 0;
    if !progress.is_complete() && !is_enough {
        let RunState { done, tasks, .. } = progress;
        let (db, command) = (shown_place(&chosen.place.db), chosen.run_command_line(context));
        let variant = loaded.variant;
        return Err(Failure::Input(format!(
            "no report yet: {done} of {tasks} tasks of {} ({variant}, seed {}) are finished in {db}; do the rest with: {command}",
            loaded.folder.name, context.seed
        )));
    }
    write_and_print_report(&loaded, progress, &chosen.results_folder(&loaded), context)
}

/// Writes the report and prints its figures.
pub(crate) fn write_and_print_report(
    loaded: &LoadedExperiment,
    progress: RunState,
    out: &Path,
    context: &Context,
) -> Result<(), Failure> {
    let report = LabReport::new(loaded, progress)?;
    let written = report::write_report(&report, out)?;
    if context.json {
        return files::print_json(&report_json(&report, &written));
    }
    files::print_bytes(show::format_report(&report, &written).as_bytes())
}

/// The report without the single results, which stand in results.json.
fn report_json(report: &LabReport, written: &[PathBuf]) -> Value {
    let mut value = report.to_json();
    if let Some(object) = value.as_object_mut() {
        object.remove("results");
        object.remove("kept");
        object.insert("files".into(), json!(written));
    }
    value
}

/// An experiment's line of the list.
fn experiment_status(folder: &ExperimentFolder, store: Option<&Store>, context: &Context) -> Value {
    let mut line = json!({ "number": folder.number, "name": folder.name, "title": folder.read_title() });
    let variant = |variant| -> Result<(Value, &str), LabError> {
        let loaded = folder.load_experiment(KINDS, variant, context.seed)?;
        let (tasks, done) = match store {
            Some(store) => runner::count_tasks(&loaded, store)?,
            None => (loaded.task_count(), 0),
        };
        let report = folder.results_path(variant).join("report.html").is_file();
        Ok((json!({ "done": done, "tasks": tasks, "report": report }), loaded.kind))
    };
    for which in Variant::ALL {
        match variant(which) {
            Ok((value, kind)) => {
                line["kind"] = json!(kind);
                line[which.to_string()] = value;
            }
            Err(error) => line["error"] = json!(error.to_string()),
        }
    }
    line
}

fn list_experiments(place: &LabPlaceArgs, context: &Context) -> Result<(), Failure> {
    let experiments = place.folder()?;
    let store = place.open_existing_store()?;
    let folders = folder::list_folders(&experiments)?;
    let own = context.clone();
    // A database may have many runs, too.
    let found = context.run_until_stopped(move || -> Result<(Vec<Value>, Vec<DamagedRun>), Failure> {
        let damaged = find_damaged_runs(store.as_ref())?;
        let lines = folders.iter().map(|folder| experiment_status(folder, store.as_ref(), &own)).collect();
        Ok((lines, damaged))
    })?;
    let (lines, damaged) = found?;
    if context.json {
        let names: Vec<&str> = damaged.iter().map(|run| run.name.as_str()).collect();
        let list = json!({ "seed": context.seed.to_string(), "experiments": lines, "damaged_runs": names });
        files::print_json(&list)?;
    } else {
        files::print_bytes(show::format_list(&lines, &damaged, context).as_bytes())?;
    }
    if damaged.is_empty() { Ok(()) } else { Err(damage_failure(&damaged, &place.db)) }
}

/// The damaged runs of a database, if there is one.
fn find_damaged_runs(store: Option<&Store>) -> Result<Vec<DamagedRun>, Failure> {
    let list = store.map(Store::list_runs).transpose()?;
    Ok(list.unwrap_or_default().damaged)
}

/// What is wrong with each run, and the commands that take them out.
fn damage_failure(damaged: &[DamagedRun], db: &Path) -> Failure {
    let db = shown_place(db);
    let mut text = format!("{db} has damaged runs, which hide nothing else:");
    for DamagedRun { name, cause } in damaged {
        let command = shlex::try_join(["ishi", "lab", "forget", name, "--db", &db]).unwrap_or_default();
        text += &format!("\n  {cause}; use a copy from before, or take it out: {command}");
    }
    Failure::Input(text)
}

/// Takes a damaged run out of the database.
fn forget_run(args: &ForgetArgs, context: &Context) -> Result<(), Failure> {
    let (name, db) = (&args.run, shown_place(&args.db));
    if !Store::is_there(&args.db) {
        return Err(Failure::Input(format!("nothing to forget: there is no database {db}")));
    }
    let mut store = Store::open(&args.db)?;
    if store.forget_damaged_run(name)? {
        context.print_progress(format!("the run {name:?} is taken out of {db}; its results stay"));
        return Ok(());
    }
    Err(Failure::Input(format!("{db} must have a damaged run {name:?}: there is none, or it is whole")))
}

/// Prints the page over all documents, or writes it as files.
fn show_papers(args: &PapersArgs, context: &Context) -> Result<(), Failure> {
    let experiments = experiments_folder(args.experiments.as_ref())?;
    let (here, seed) = (experiments.clone(), context.seed);
    let papers = context.run_until_stopped(move || PapersPage::read_papers(&experiments, KINDS, seed))?;
    let papers = papers?;
    if papers.documents.is_empty() {
        let here = here.display();
        return Err(Failure::Input(format!(
            "no experiment in {here} names a document: its expected.toml must have a table [paper]"
        )));
    }
    for warning in &papers.warnings {
        tell!("ishi: warning: {warning}");
    }
    if let Some(out) = &args.out {
        for path in papers.write_page(out)? {
            files::print_bytes(format!("{}\n", path.display()).as_bytes())?;
        }
        return Ok(());
    }
    files::print_result(context, &papers, || papers.to_text())
}
