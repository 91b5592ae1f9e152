//! `ishi campaign`: matches, experiments, works and tunings that stand in a file, done by this machine and by any number of workers.

pub(crate) mod experiments;
mod file;
pub(crate) mod intervals;
pub(crate) mod shared_work;
pub(crate) mod status;
pub(crate) mod works;

use ishi_work::StopFlag;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use ishi_arena::process::EngineCommand;
use ishi_lab::folder::LoadedExperiment;
use ishi_lab::runner;
use ishi_lab::store::{
    CampaignDamage, DamageCure, JobList, OpenJob, StoppedTasks, Store, StoreError, TaskFailure, check_place,
    is_server, shown_place,
};
use ishi_lab::worker::{LEASE, WorkerReport, open_experiment_job};

use experiments::describe_programs;
use file::PlannedMatch;
pub(super) use file::{CampaignFile, PlannedExperiment};
use shared_work::LineReport;
use status::describe_failure;
use works::{report_shared_work, share_work};

use super::match_::share::{report_shared_match, share_match};
use super::tune::{read_tuning_progress, report_shared_tuning, tune_all_shared};
use super::worker::{AllowedPrograms, WorkOrders, judge_report, make_name, work};
use crate::context::{Context, Failure};
use crate::{files, places};

const HELP: &str = "\
Examples:
  ishi campaign run ladder.toml                    do everything, here, and report
  ishi campaign run ladder.toml --db postgres://me@server/games
                                                   the same, with every `ishi worker` on that database
  ishi campaign run ladder.toml --hand-out         put the tasks into the database, and leave them to workers;
                                                   `ishi launch --submit` does so by itself
  ishi campaign status ladder.toml                 how far it is, and who works
  ishi campaign report ladder.toml                 the reports of what is finished
  ishi campaign stop ladder.toml                   end it: what is finished is kept
  ishi campaign mend ladder.toml                   take damaged rows out of its database

The file:
  db = \"postgres://me@server/games\"                # optional; --db counts more
  matches = [
    \"go-flat:playouts=500 go-capture --pairs 200\",  # each line as after `ishi match`
  ]
  experiments = [\"020\", \"021 --quick\"]             # each as after `ishi lab run`
  labels = [\"games.txt.gz --judge '...' --out l.tsv\"]  # each as after `ishi go label`
  problems = [\"tsumego.txt.gz --level 4\"]           # each as after `ishi go problems`
  self-play = [\"--games 1000 --out labels.bin\"]    # each as after `ishi othello evaluation self-play`
  endgames = [\"fforum-40-59.obf\"]                  # each as after `ishi othello solve`
  patterns = [\"games.txt.gz --out my.bin\"]         # each as after `ishi go learn-shapes`
  decks = [\"pool.json --size 16 --parts 64\"]       # each as after `ishi deck build`
  sequences = [\"out --to 12\"]                      # each as after `ishi strings oeis`
  tunings = [\"go-mcts:bias=0..1 --steps 50\"]        # each as after `ishi tune`, after all the others

The same command goes on after a stop or a kill. docs/campaigns.md tells more.";

/// Options of `ishi campaign`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct CampaignArgs {
    #[command(subcommand)]
    command: CampaignCommand,
}

#[derive(Subcommand, Debug)]
enum CampaignCommand {
    /// Do what is missing, here and wherever workers are, then report
    #[command(after_long_help = HELP)]
    Run(CampaignRunArgs),
    /// Show how far a campaign is, who works, and what went wrong
    #[command(after_long_help = HELP)]
    Status(CampaignPlace),
    /// End a campaign: nothing new is begun, and what is finished is kept
    #[command(after_long_help = HELP)]
    Stop(CampaignPlace),
    /// Print the reports of what is finished
    #[command(after_long_help = HELP)]
    Report(CampaignPlace),
    /// Take damaged rows of campaigns out of the database; results and what is whole stay
    #[command(after_long_help = HELP)]
    Mend(CampaignMendArgs),
}

#[derive(Args, Debug)]
struct CampaignRunArgs {
    #[command(flatten)]
    place: CampaignPlace,
    /// Only put the tasks into the database: workers do them
    #[arg(long)]
    hand_out: bool,
    #[command(flatten)]
    programs: AllowedPrograms,
}

/// The database that is mended, with all campaigns in it.
#[derive(Args, Debug)]
struct CampaignMendArgs {
    /// A campaign's file (TOML), which may name the database
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// The database: a file, or postgres://USER@HOST/DATABASE [default: as FILE says, else as for `ishi match`]
    #[arg(long, value_name = "DB")]
    db: Option<PathBuf>,
}

impl CampaignMendArgs {
    fn database(&self) -> Result<PathBuf, Failure> {
        let campaign = self.file.as_deref().map(CampaignFile::read).transpose()?;
        let named = self.db.clone().or_else(|| campaign?.db.map(PathBuf::from));
        Ok(named.unwrap_or_else(places::default_database))
    }
}

/// The campaign and its database.
#[derive(Args, Debug)]
pub(super) struct CampaignPlace {
    /// The campaign's file (TOML)
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// The database: a file, or postgres://USER@HOST/DATABASE [default: as the campaign's file says, else as for `ishi match`]
    #[arg(long, value_name = "DB")]
    pub(super) db: Option<PathBuf>,
    /// The folder of experiments [default: `experiments`, here or above; else those that the program holds]
    #[arg(long, value_name = "DIR")]
    pub(super) experiments: Option<PathBuf>,
}

impl CampaignPlace {
    pub(super) fn read(&self) -> Result<CampaignFile, Failure> {
        CampaignFile::read(&self.file)
    }

    /// Where results are kept.
    pub(super) fn database(&self, campaign: &CampaignFile) -> PathBuf {
        let named = self.db.clone().or_else(|| campaign.db.as_ref().map(PathBuf::from));
        named.unwrap_or_else(places::default_database)
    }

    fn open(&self, campaign: &CampaignFile) -> Result<Store, Failure> {
        Store::open(&self.database(campaign)).map_err(Failure::from)
    }

    /// Opens the database to look at it. Where nothing was ever put, the error says how that begins.
    fn open_to_look(&self, database: &Path) -> Result<Store, Failure> {
        let opened = Store::open_read_only(database);
        opened.map_err(|error| match error {
            StoreError::Missing { .. } | StoreError::Empty { .. } => {
                let file = self.file.to_string_lossy();
                let file: &str = &file;
                let run = campaign_command(&["run", file], &shown_place(database));
                Failure::Outside(format!("{error}; the campaign begins with: {run}"))
            }
            error => Failure::from(error),
        })
    }

    fn load_experiment(
        &self,
        planned: &PlannedExperiment,
        context: &Context,
    ) -> Result<LoadedExperiment, Failure> {
        load_planned(planned, self.experiments.as_ref(), context)
    }
}

/// Runs, shows, stops or reports.
pub fn run(args: &CampaignArgs, context: &Context) -> Result<(), Failure> {
    match &args.command {
        CampaignCommand::Run(args) => run_campaign(args, context),
        CampaignCommand::Status(place) => show_status(place, context),
        CampaignCommand::Stop(place) => stop_campaign(place, context),
        CampaignCommand::Report(place) => print_reports(place, context),
        CampaignCommand::Mend(args) => mend_database(&args.database()?, context),
    }
}

fn run_campaign(args: &CampaignRunArgs, context: &Context) -> Result<(), Failure> {
    let campaign = args.place.read()?;
    let database = args.place.database(&campaign);
    // Others may write to a server's database, and what is done here stands in it.
    if is_server(&database) {
        let own = all_programs(&campaign, args.place.experiments.as_ref(), context)?;
        args.programs.hold_to(own);
    }
    let (mut store, open) = open_work(&args.place, &campaign, context)?;
    if args.hand_out {
        if !campaign.tunings.is_empty() {
            tell!(
                "ishi: a tuning chooses its players by the games before: it hands its games out while \
                 `ishi campaign run` runs without --hand-out"
            );
        }
        let line =
            format!("{}: {open} tasks wait for workers in {}\n", campaign.name, store.path().display());
        return files::print_bytes(line.as_bytes());
    }
    do_open_tasks(&args.place, &campaign, &mut store, context)?;
    tune_all_shared(&campaign.tunings, &campaign.name, &mut store, context)?;
    print_reports(&args.place, context)
}

/// Puts the tasks of a campaign that are not finished into its database, which is made if it is not there. Gives it, and how many tasks these are.
pub(super) fn open_work(
    place: &CampaignPlace,
    campaign: &CampaignFile,
    context: &Context,
) -> Result<(Store, u64), Failure> {
    places::prepare_and_tell_database(&place.database(campaign), context)?;
    let mut store = place.open(campaign)?;
    // Also those of lines that are no longer in the file, and of steps of tunings: nothing else opens their jobs again here.
    store.forget_failures(&campaign.name)?;
    let open = open_jobs(place, campaign, &mut store, context)?;
    Ok((store, open))
}

/// The experiment of a line. What is wrong with it is told with the line's place.
fn load_planned(
    planned: &PlannedExperiment,
    experiments: Option<&PathBuf>,
    context: &Context,
) -> Result<LoadedExperiment, Failure> {
    super::lab::load_named(&planned.name, planned.variant, experiments, context)
        .map_err(|failure| failure.at_place(&planned.place))
}

/// The programs that a campaign starts, those of its experiments among them.
pub(super) fn all_programs(
    campaign: &CampaignFile,
    experiments: Option<&PathBuf>,
    context: &Context,
) -> Result<Vec<EngineCommand>, Failure> {
    let mut programs = campaign.programs();
    for planned in &campaign.experiments {
        let loaded = load_planned(planned, experiments, context)?;
        for program in loaded.experiment.programs() {
            if !programs.contains(&program) {
                programs.push(program);
            }
        }
    }
    Ok(programs)
}

/// Works at the campaign until nothing is left of it. Where tasks are given up, the reports come before the error.
fn do_open_tasks(
    place: &CampaignPlace,
    campaign: &CampaignFile,
    store: &mut Store,
    context: &Context,
) -> Result<(), Failure> {
    let orders = WorkOrders {
        name: make_name(),
        campaign: Some(campaign.name.clone()),
        stays: false,
        lives: None,
        lease: LEASE,
        drain: StopFlag::default(),
    };
    let report = work(store, orders, context)?;
    if report.stopped {
        let (name, place) = (&campaign.name, store.path().display());
        tell!(
            "ishi: stopped; what {name} has finished is kept in {place}; the same command goes on from there"
        );
    }
    let failures = store.list_failures(&campaign.name)?;
    let given_up = failures.iter().filter(|failure| failure.is_given_up()).count();
    if given_up > 0 && report.different == 0 && !context.is_stop_requested() {
        print_reports(place, context)?;
        return Err(Failure::Outside(format!(
            "{given_up} tasks of {} are given up; the same command tries them anew",
            campaign.name
        )));
    }
    judge_report(&report, count_failures_left(&report, &failures), context)
}

/// A worker's failures: it is none that another one has done what failed here.
fn count_failures_left(report: &WorkerReport, failures: &[TaskFailure]) -> u64 {
    let is_left = failures.iter().any(|failure| failure.place.is_some());
    if is_left { report.failures_left() } else { 0 }
}

/// Puts everything that is not finished into the queue, and says how many tasks these are.
fn open_jobs(
    place: &CampaignPlace,
    campaign: &CampaignFile,
    store: &mut Store,
    context: &Context,
) -> Result<u64, Failure> {
    let others = list_work_of_others(&campaign.name, store)?;
    let mut all = 0;
    for PlannedMatch { words, place } in &campaign.matches {
        let shared = share_match(words, &campaign.name, context, store);
        let shared = shared.map_err(|failure| failure.at_place(place))?;
        tell_of_other_campaign(&others, &shared.run);
        context.print_progress(format!("{}: {} open pairs: {}", shared.run, shared.open, words.join(" ")));
        all += shared.open;
    }
    for planned in &campaign.experiments {
        let loaded = place.load_experiment(planned, context)?;
        let programs = describe_programs(&loaded, planned.programs_by)?;
        let (run, open, alone) = open_experiment_job(&loaded, &campaign.name, &programs, store)?;
        tell_of_other_campaign(&others, &run);
        context.print_progress(format!("{run}: {open} open tasks"));
        if alone > 0 {
            let database = store.path().display();
            tell!(
                "ishi: {alone} tasks of {run} measure speed and must run alone: do them with ishi lab run {} --db {database}",
                planned.name
            );
        }
        all += open;
    }
    for planned in &campaign.works {
        let (run, open) = share_work(planned, &campaign.name, context, store)?;
        tell_of_other_campaign(&others, &run);
        context.print_progress(format!("{run}: {open} open tasks"));
        all += open;
    }
    Ok(all)
}

/// The runs that other campaigns of the database want tasks of, each with the name of such a campaign.
fn list_work_of_others(campaign: &str, store: &Store) -> Result<BTreeMap<String, String>, Failure> {
    let jobs = store.list_whole_jobs()?.jobs.into_iter();
    let of_others = jobs.filter(|job| job.campaign != campaign && job.open > 0);
    Ok(of_others.map(|job| (job.run, job.campaign)).collect())
}

/// Who looks at one campaign should know that another one does its work, too.
fn tell_of_other_campaign(others: &BTreeMap<String, String>, run: &str) {
    if let Some(other) = others.get(run) {
        tell!(
            "ishi: {run} stands in the campaign {other}, too: what both want is done once, and counts for both"
        );
    }
}

/// Prints what can be read. Only then it fails for what cannot be, or for results that differ.
fn show_status(place: &CampaignPlace, context: &Context) -> Result<(), Failure> {
    let campaign = place.read()?;
    let database = place.database(&campaign);
    let store = place.open_to_look(&database)?;
    let mut status = status::CampaignStatus::read(&campaign.name, &store)?;
    let mut unread = None;
    for words in &campaign.tunings {
        match read_tuning_progress(words, context, &store) {
            Ok((steps, planned, is_over)) => {
                status.tunings.push(status::TuningStatus { line: words.join(" "), steps, planned, is_over });
            }
            Err(Failure::Interrupted) => return Err(Failure::Interrupted),
            Err(failure) => unread = unread.or(Some(failure)),
        }
    }
    files::print_result(context, &status.to_json(), || status.to_text())?;
    if !status.damaged.is_empty() {
        return Err(damage_failure(place, &status, &database));
    }
    if let Some(failure) = unread {
        return Err(failure);
    }
    if status.alarms > 0 {
        return Err(Failure::Negative(format!(
            "{} results came out differently: see the table alarms",
            status.alarms
        )));
    }
    Ok(())
}

/// What is wrong with each row, and the command that takes them out.
fn damage_failure(place: &CampaignPlace, status: &status::CampaignStatus, database: &Path) -> Failure {
    let db = shown_place(database);
    let mut text = format!("{db} has damaged rows of campaigns, which hide nothing else:");
    for damage in &status.damaged {
        text += &format!("\n  {}", status::describe_damage(damage));
        text += if damage.cure == DamageCure::CopyOnly { ": this needs a copy from before" } else { "" };
    }
    let mut curable = status.damaged.iter().filter(|damage| damage.cure != DamageCure::CopyOnly).peekable();
    if curable.peek().is_some() {
        let file = place.file.to_string_lossy();
        let file: &str = &file;
        let (mend, run) = (mend_command(&db), campaign_command(&["run", file], &db));
        text += &format!("\nuse a copy from before, or take them out and go on: {mend}; {run}");
    }
    for campaign in curable.map(|damage| damage.campaign.as_str()).collect::<BTreeSet<_>>() {
        if !campaign.is_empty() && campaign != status.name {
            text += &format!("; {campaign} must then be run again, too, with its own file");
        }
    }
    Failure::Input(text)
}

/// A command about campaigns that can be copied.
fn campaign_command(words: &[&str], db: &str) -> String {
    let words = [&["ishi", "campaign"][..], words, &["--db", db]].concat();
    shlex::try_join(words).unwrap_or_default()
}

/// The command that takes out damaged rows.
fn mend_command(db: &str) -> String {
    campaign_command(&["mend"], db)
}

/// Takes out what is damaged and can come anew, and prints what that was. What cannot is told by the error.
fn mend_database(database: &Path, context: &Context) -> Result<(), Failure> {
    check_place(database)?;
    let db = shown_place(database);
    if !Store::is_there(database) {
        return Err(Failure::Input(format!("nothing to mend: there is no database {db}")));
    }
    let mut store = Store::open(database)?;
    let found = store.find_campaign_damage()?;
    store.remove_damaged_campaign_rows()?;
    for damage in found.iter().filter(|damage| damage.cure == DamageCure::ForgetRun) {
        store.forget_damaged_run(&damage.run)?;
    }
    let left = store.find_campaign_damage()?;
    let gone: Vec<CampaignDamage> = found.into_iter().filter(|damage| !left.contains(damage)).collect();
    let report = status::mending_to_json(&db, &gone, &left);
    files::print_result(context, &report, || status::format_mending(&db, &gone))?;
    if left.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> =
        left.iter().map(|damage| format!("\n  {}", status::describe_damage(damage))).collect();
    Err(Failure::Input(format!("what is left in {db} needs a copy from before:{}", lines.concat())))
}

fn stop_campaign(place: &CampaignPlace, context: &Context) -> Result<(), Failure> {
    let campaign = place.read()?;
    let database = place.database(&campaign);
    check_place(&database)?;
    if !Store::is_there(&database) {
        return Err(Failure::Input(format!("nothing to stop: there is no database {}", database.display())));
    }
    let mut store = place.open(&campaign)?;
    let JobList { jobs, damaged } = store.list_whole_jobs()?;
    let ours: Vec<&OpenJob> = jobs.iter().filter(|job| job.campaign == campaign.name).collect();
    let mut all = StoppedTasks::default();
    for job in &ours {
        let StoppedTasks { left, wanted_elsewhere } = store.stop_job(job)?;
        all.left += left;
        all.wanted_elsewhere += wanted_elsewhere;
    }
    let name = &campaign.name;
    context.print_progress(if ours.is_empty() && damaged.is_empty() {
        format!("{name}: nothing of it is in {}, so there is nothing to stop", store.path().display())
    } else {
        format!("{name}: {}; run it again to go on", describe_stop(all))
    });
    // Whose they are may be what is damaged.
    if damaged.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> =
        damaged.iter().map(|damage| format!("\n  {}", status::describe_damage(damage))).collect();
    let mend = mend_command(&shown_place(store.path()));
    Err(Failure::Input(format!(
        "{} has stopped, but for jobs that are damaged, of whatever campaign; {mend} takes them out:{}",
        campaign.name,
        lines.concat()
    )))
}

/// What became of the tasks of a campaign that was stopped.
fn describe_stop(StoppedTasks { left, wanted_elsewhere }: StoppedTasks) -> String {
    if wanted_elsewhere == 0 {
        return format!("{left} tasks are taken off the queue");
    }
    format!("{left} tasks are left, and {wanted_elsewhere} of them go on, as another campaign wants them")
}

/// The reports of a campaign, one after the other.
struct ReportParts {
    /// Is it for programs? Then nothing stands between them.
    json: bool,
    /// Has one begun?
    begun: bool,
}

impl ReportParts {
    /// Begins a report, an empty line behind the one before. Many do not say what they are about: the heading does.
    fn begin(&mut self, heading: &str) -> Result<(), Failure> {
        let gap = if std::mem::replace(&mut self.begun, true) { "\n" } else { "" };
        if self.json { Ok(()) } else { files::print_bytes(format!("{gap}{heading}").as_bytes()) }
    }
}

fn print_line_report(report: &LineReport, context: &Context) -> Result<(), Failure> {
    match report {
        LineReport::Report(report) => files::print_bytes(report.as_bytes()),
        LineReport::State(line) => print_state(line, context),
    }
}

/// Prints how far something is that has no report yet. Among reports for programs it is no line of theirs.
fn print_state(line: &str, context: &Context) -> Result<(), Failure> {
    if context.json {
        tell!("ishi: {line}");
        return Ok(());
    }
    files::print_bytes(format!("{line}\n").as_bytes())
}

/// The report of an experiment, or how far it is.
fn report_experiment(loaded: &LoadedExperiment, store: &Store, context: &Context) -> Result<(), Failure> {
    let progress = runner::read_progress(loaded, store)?;
    if progress.is_complete() {
        let out = loaded.folder.results_path(loaded.variant);
        return super::lab::write_and_print_report(loaded, progress, &out, context);
    }
    let (done, tasks) = (progress.done, progress.tasks);
    print_state(&format!("{}: {done} of {tasks} tasks are finished", loaded.folder.name), context)
}

fn print_reports(place: &CampaignPlace, context: &Context) -> Result<(), Failure> {
    let campaign = place.read()?;
    let store = place.open_to_look(&place.database(&campaign))?;
    let mut parts = ReportParts { json: context.json, begun: false };
    for PlannedMatch { words, place } in &campaign.matches {
        let report = report_shared_match(words, context, &store);
        let report = report.map_err(|failure| failure.at_place(place))?;
        parts.begin("")?;
        print_line_report(&report, context)?;
    }
    for planned in &campaign.experiments {
        parts.begin("")?;
        report_experiment(&place.load_experiment(planned, context)?, &store, context)?;
    }
    for planned in &campaign.works {
        let report = report_shared_work(planned, context, &store)?;
        parts.begin(&format!("{} {}\n", planned.kind.name(), planned.words.join(" ")))?;
        print_line_report(&report, context)?;
    }
    for words in &campaign.tunings {
        parts.begin("")?;
        report_shared_tuning(words, context, &store)?;
    }
    let failures = store.list_failures(&campaign.name)?;
    if context.json {
        // Reports in JSON are for programs, and stay so.
        failures.iter().for_each(|failure| tell!("ishi: {}", describe_failure(failure)));
        return Ok(());
    }
    files::print_bytes(status::format_failures(&failures).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_worker_has_mended_is_no_failure() {
        let report = WorkerReport { done: 3, failed: 2, ..WorkerReport::default() };
        let failure = |place| TaskFailure {
            run: "labels-1".into(),
            place,
            tries: 1,
            cause: "the judge has ended".into(),
            worker: "w".into(),
        };
        assert_eq!(count_failures_left(&report, &[failure(Some(7))]), 2);
        assert_eq!(count_failures_left(&report, &[failure(None)]), 0, "a job that some have left");
        assert_eq!(count_failures_left(&report, &[]), 0);
    }
}
