//! How far a campaign is, who works, and what went wrong.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ishi_lab::store::{
    CampaignCourse, CampaignDamage, CampaignSurvey, OpenJob, Store, StoreError, TaskFailure, WORKER_SILENCE,
    WorkerNote,
};
use ishi_sheet::SheetTable;
use ishi_words::format_count;
use serde_json::{Value, json};

use super::shared_work::words_of_job;
use crate::commands::match_::share::MatchLine;
use crate::figures::format_duration;

/// More jobs than these are not listed one by one once they are finished: a tuning has one for each player that it tried.
const MOST_LISTED: usize = 20;
/// What cost less, in CPU-seconds, is told in seconds: hours would say nothing.
const SMALL_COST: f64 = 360.0;
/// Longer names of jobs are cut, in characters: players may have many parameters.
const LONGEST_NAME: usize = 60;

/// What is known of a campaign.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CampaignStatus {
    pub(super) name: String,
    /// Its jobs, with the number of finished tasks.
    pub(super) jobs: Vec<(OpenJob, u64)>,
    /// What it cost and how fast it goes; `None` without a job, or where that cannot be read.
    pub(super) course: Option<CampaignCourse>,
    /// The workers of the database that were heard of lately.
    pub(super) workers: Vec<WorkerNote>,
    /// Its tunings.
    pub(super) tunings: Vec<TuningStatus>,
    /// Results of its tasks that differed from those that stand.
    pub(super) alarms: u64,
    /// Its tasks that have failed and are not finished, and jobs that workers could not do.
    pub(super) failures: Vec<TaskFailure>,
    /// What is damaged in the database, of whatever campaign: its name may be what is damaged.
    pub(super) damaged: Vec<CampaignDamage>,
}

/// How far a tuning is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TuningStatus {
    /// The line as it stands in the campaign's file.
    pub(super) line: String,
    /// Steps that are made.
    pub(super) steps: u64,
    /// Steps, at most.
    pub(super) planned: u64,
    /// Is all done, the confirming match included?
    pub(super) is_over: bool,
}

impl CampaignStatus {
    /// Reads what is whole. What is damaged hides nothing else.
    pub(super) fn read(name: &str, store: &Store) -> Result<CampaignStatus, StoreError> {
        let CampaignSurvey { mut courses, failures, workers, damaged } = store.survey_campaign(name)?;
        let course = courses.pop();
        let of_campaign = match &course {
            Some(course) => course.jobs.clone(),
            // There are no figures of it, but there may be jobs.
            None => store.list_whole_jobs_of(name)?,
        };
        let (mut jobs, mut alarms) = (Vec::new(), 0);
        for job in of_campaign {
            let (finished, alarms_of_job) = count_own_tasks(&job, store)?;
            alarms += alarms_of_job;
            jobs.push((job, finished));
        }
        let ours = failures.into_iter().filter(|told| told.campaign == name);
        let failures = ours.map(|told| told.failure).collect();
        let is_there = |note: &WorkerNote| note.silent < WORKER_SILENCE && note.state != "gone";
        let workers = workers.into_iter().filter(is_there).collect();
        let (name, tunings) = (name.to_string(), Vec::new());
        Ok(CampaignStatus { name, jobs, course, workers, tunings, alarms, failures, damaged })
    }

    pub(super) fn to_text(&self) -> String {
        let mut out = String::new();
        // Writing to a string does not fail.
        let _ = self.write_text(&mut out);
        out
    }

    fn write_text(&self, out: &mut String) -> std::fmt::Result {
        if self.jobs.is_empty() && self.tunings.is_empty() {
            let which = if self.damaged.is_empty() { "" } else { " that can be read" };
            writeln!(out, "{}: nothing of it{which} is in this database", self.name)?;
            *out += &format_damage(&self.damaged);
            return Ok(());
        }
        *out += &self.job_table().to_text();
        for TuningStatus { line, steps, planned, is_over } in &self.tunings {
            let word = if *is_over { "finished" } else { "not finished" };
            writeln!(out, "  {steps} of at most {planned} steps, {word}: {line}")?;
        }
        let stopped = self.count_stopped();
        if stopped > 0 {
            let tasks = format!("{stopped} of the tasks");
            writeln!(
                out,
                "\nAt the stop {tasks} were left, those that workers were at among them; `ishi campaign run` goes on"
            )?;
        }
        if let Some(course) = &self.course {
            writeln!(out, "\n{}", describe_course(course))?;
        }
        let is_left_alone = self.workers.is_empty() && self.jobs.iter().any(|(job, _)| job.open > 0);
        let hint = if is_left_alone { "; `ishi worker DB` starts one" } else { "" };
        writeln!(out, "\n{}{hint}", format_count(self.workers.len(), "worker"))?;
        for WorkerNote { id, version, threads, done, failed, state, silent } in &self.workers {
            let seconds = silent / 1000;
            writeln!(
                out,
                "  {id}  ishi {version}, {threads} at once: {done} finished, {failed} failed, {state}, heard of {seconds} s ago"
            )?;
        }
        *out += &format_failures(&self.failures);
        if self.alarms > 0 {
            writeln!(out, "\nALARM: {} results differ from those that stand", self.alarms)?;
        }
        *out += &format_damage(&self.damaged);
        Ok(())
    }

    /// Tasks that were not finished when their jobs were stopped.
    fn count_stopped(&self) -> u64 {
        self.jobs.iter().map(|(job, _)| job.stopped()).sum()
    }

    /// Jobs with their tasks. Of many only those that are not finished stand there by name.
    fn job_table(&self) -> SheetTable {
        let mut table = SheetTable::new(["", "#finished", "#running", "#waiting"])
            .with_first_name(&self.name)
            .with_text_widths(&[52, 9, 9, 9])
            .with_indented_rows();
        let is_short = self.jobs.len() <= MOST_LISTED;
        let is_done = |job: &OpenJob| job.open == 0 && job.stopped() == 0;
        let listed: Vec<&(OpenJob, u64)> =
            self.jobs.iter().filter(|(job, _)| is_short || !is_done(job)).collect();
        for ((job, finished), name) in listed.iter().zip(self.name_jobs(&listed)) {
            let tasks = [*finished, job.claimed, job.open.saturating_sub(job.claimed)];
            table.add_row([name].into_iter().chain(tasks.map(|count| count.to_string())));
        }
        if !is_short {
            let done = self.jobs.iter().filter(|(job, _)| is_done(job));
            let (jobs, tasks) =
                done.fold((0_u64, 0_u64), |(jobs, tasks), (_, finished)| (jobs + 1, tasks + *finished));
            let zero = || "0".to_string();
            table.add_row([format!("{jobs} that are finished"), tasks.to_string(), zero(), zero()]);
        }
        table
    }

    /// The short names of jobs. The run stands behind one that another job has, too, and where a failure names the run.
    fn name_jobs(&self, jobs: &[&(OpenJob, u64)]) -> Vec<String> {
        let names: Vec<String> = jobs.iter().map(|(job, _)| name_job(job)).collect();
        let with_run = |((job, _), name): (&&(OpenJob, u64), &String)| {
            let is_shared = names.iter().filter(|&other| other == name).count() > 1;
            let has_failed = self.failures.iter().any(|failure| failure.run == job.run);
            if (is_shared || has_failed) && *name != job.run {
                format!("{name} ({})", job.run)
            } else {
                name.clone()
            }
        };
        jobs.iter().zip(&names).map(with_run).collect()
    }

    pub(super) fn to_json(&self) -> Value {
        let job = |(job, finished): &(OpenJob, u64)| {
            json!({
                "run": job.run, "name": name_job(job), "finished": finished, "open": job.open,
                "claimed": job.claimed, "stopped": job.stopped(),
            })
        };
        let tuning = |tuning: &TuningStatus| {
            json!({
                "tuning": tuning.line, "steps": tuning.steps, "steps_planned": tuning.planned,
                "finished": tuning.is_over,
            })
        };
        let worker = |note: &WorkerNote| {
            json!({
                "id": note.id, "version": note.version, "threads": note.threads, "done": note.done,
                "failed": note.failed, "state": note.state, "silent_milliseconds": note.silent,
            })
        };
        let failure = |failure: &TaskFailure| {
            json!({
                "run": failure.run, "task": failure.place, "tries": failure.tries,
                "given_up": failure.is_given_up(), "cause": failure.cause, "worker": failure.worker,
            })
        };
        json!({
            "campaign": self.name,
            "cpu_seconds": self.course.as_ref().map(|course| course.cpu_seconds),
            "tasks_per_second": self.course.as_ref().and_then(CampaignCourse::tasks_per_second),
            "seconds_left": self.course.as_ref().and_then(CampaignCourse::seconds_left),
            "later_tasks": self.course.as_ref().map(CampaignCourse::later),
            "jobs": self.jobs.iter().map(job).collect::<Vec<_>>(),
            "workers": self.workers.iter().map(worker).collect::<Vec<_>>(),
            "tunings": self.tunings.iter().map(tuning).collect::<Vec<_>>(),
            "alarms": self.alarms,
            "failures": self.failures.iter().map(failure).collect::<Vec<_>>(),
            "damaged": damage_to_json(&self.damaged),
        })
    }
}

/// A match by its players, other work by its line, an experiment by its run.
pub(crate) fn name_job(job: &OpenJob) -> String {
    let words = words_of_job(&job.job).unwrap_or_default();
    let name = match job.job["do"].as_str() {
        Some("match") => MatchLine::parse_words(&words).ok().map(|line| line.name_players()),
        Some(kind) if !words.is_empty() => Some(format!("{kind} {}", words.join(" "))),
        _ => None,
    };
    let name = name.unwrap_or_else(|| job.run.clone());
    match name.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name,
    }
}

/// The finished tasks of a job, and their alarms. Of a match they are the campaign's own pairs: another campaign may want more.
fn count_own_tasks(job: &OpenJob, store: &Store) -> Result<(u64, u64), StoreError> {
    let run = &job.run;
    Ok(match wanted_pairs(job) {
        Some(pairs) => (store.count_finished_before(run, pairs)?, store.count_alarms_before(run, pairs)?),
        None => (store.count_finished_of_run(run)?, store.count_alarms_of_run(run)?),
    })
}

/// The pairs that a job of a match asks for; `None` for other work.
fn wanted_pairs(job: &OpenJob) -> Option<u64> {
    let words = words_of_job(&job.job).ok().filter(|_| job.job["do"] == "match")?;
    MatchLine::parse_words(&words).ok().map(|line| line.pair_count())
}

/// The failures by name, with a heading; empty if there are none.
pub(super) fn format_failures(failures: &[TaskFailure]) -> String {
    if failures.is_empty() {
        return String::new();
    }
    let lines = failures.iter().map(|failure| format!("  {}\n", describe_failure(failure)));
    format!("\nFailures\n{}", lines.collect::<String>())
}

/// What is damaged, with a heading; empty if nothing is.
fn format_damage(damaged: &[CampaignDamage]) -> String {
    if damaged.is_empty() {
        return String::new();
    }
    let lines = damaged.iter().map(|damage| format!("  {}\n", describe_damage(damage)));
    format!("\nDamaged in the database\n{}", lines.collect::<String>())
}

/// Whose row it is, and what is wrong with it.
pub(super) fn describe_damage(damage: &CampaignDamage) -> String {
    let CampaignDamage { campaign, cause, .. } = damage;
    if campaign.is_empty() { cause.clone() } else { format!("{campaign}: {cause}") }
}

/// What has failed, how often, and why.
pub(crate) fn describe_failure(failure: &TaskFailure) -> String {
    let TaskFailure { run, place, tries, cause, .. } = failure;
    match place {
        Some(place) if failure.is_given_up() => {
            format!("{run}: task {place} is given up after {tries} tries: {cause}")
        }
        Some(place) => format!("{run}: task {place} has failed, try {tries}: {cause}"),
        None => format!("{run}: left to others by a worker ({tries} so far): {cause}"),
    }
}

fn damage_to_json(damaged: &[CampaignDamage]) -> Vec<Value> {
    let row = |damage: &CampaignDamage| json!({ "campaign": damage.campaign, "run": damage.run, "cause": damage.cause });
    damaged.iter().map(row).collect()
}

/// What was taken out of a database, and which campaigns must be run again.
pub(super) fn format_mending(db: &str, gone: &[CampaignDamage]) -> String {
    if gone.is_empty() {
        return format!("nothing is taken out of {db}\n");
    }
    let lines = gone.iter().map(|damage| format!("  {}\n", describe_damage(damage)));
    let mut text = format!("Taken out of {db}; results stay\n{}", lines.collect::<String>());
    for campaign in campaigns_of(gone) {
        text += &format!("{campaign} must be run again, with its own file\n");
    }
    text
}

/// What was mended as JSON, with what could not be taken out.
pub(super) fn mending_to_json(db: &str, gone: &[CampaignDamage], left: &[CampaignDamage]) -> Value {
    json!({
        "database": db,
        "taken_out": damage_to_json(gone),
        "damaged": damage_to_json(left),
        "run_again": campaigns_of(gone),
    })
}

/// The campaigns of which something is damaged, as far as they are known, by name.
fn campaigns_of(damaged: &[CampaignDamage]) -> BTreeSet<&str> {
    damaged.iter().map(|damage| damage.campaign.as_str()).filter(|campaign| !campaign.is_empty()).collect()
}

/// What it cost, how fast it goes, and how long the rest takes.
fn describe_course(course: &CampaignCourse) -> String {
    let mut text = match course.cpu_seconds {
        seconds if seconds < SMALL_COST => format!("{seconds:.1} CPU-seconds"),
        seconds => format!("{:.2} CPU-hours", seconds / 3600.0),
    };
    if course.open() == 0 {
        return text;
    }
    if let Some(pace) = course.tasks_per_second() {
        text += &format!(", {:.1} tasks a minute", 60.0 * pace);
    }
    if let Some(seconds) = course.seconds_left() {
        let most = if course.later() > 0 { " at most" } else { "" };
        text += &format!(", {} left{most}", format_duration(seconds));
    }
    text
}

#[cfg(test)]
mod tests {
    use ishi_lab::store::{DamageCure, LATER_TASKS};

    use super::*;

    fn job(open: u64) -> (OpenJob, u64) {
        let (run, campaign) = (format!("match-{open}"), "c".to_string());
        (OpenJob { run, campaign, job: json!({}), open, claimed: 0, failed: 0 }, 16)
    }

    fn status(jobs: Vec<(OpenJob, u64)>) -> CampaignStatus {
        let course = CampaignCourse {
            name: "c".to_string(),
            jobs: jobs.iter().map(|(job, _)| job.clone()).collect(),
            finished: 61,
            cpu_seconds: 900.0,
            recent: 61,
            recent_seconds: 120,
            alarms: 0,
        };
        CampaignStatus {
            name: "c".to_string(),
            jobs,
            course: Some(course),
            workers: Vec::new(),
            tunings: Vec::new(),
            alarms: 0,
            failures: Vec::new(),
            damaged: Vec::new(),
        }
    }

    /// A hash says nothing to a reader. It stands there where it is needed to tell one job from another.
    #[test]
    fn jobs_are_named_by_what_they_are() {
        let named = |number: u64, what: &str, line: &str| {
            let (mut job, finished) = job(number);
            let words: Vec<&str> = line.split_whitespace().collect();
            job.job = json!({ "do": what, "arguments": words });
            (job, finished)
        };
        let mut told = status(vec![
            named(1, "match", "go-flat:playouts=500 go-capture --pairs 7"),
            named(2, "match", "go-random go-capture --size 5"),
            named(3, "match", "go-random go-capture --size 7"),
            named(4, "match", "go-random go-flat --name-b flat"),
            named(5, "problems", "p.sgf --level 4"),
            named(6, "match", &format!("go-mcts:{} go-flat", "a".repeat(99))),
            named(7, "experiment", ""),
        ]);
        let text = told.to_text();
        for line in [
            "\n  go-flat:playouts=500 against go-capture  ",
            "\n  go-random against go-capture (match-2)  ",
            "\n  go-random against go-capture (match-3)  ",
            "\n  go-random against flat  ",
            "\n  problems p.sgf --level 4  ",
            "a… ",
            "\n  match-7  ",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
        assert!(!text.contains("match-1"), "{text}");
        assert_eq!(told.to_json()["jobs"][3]["name"], "go-random against flat");
        told.failures = vec![TaskFailure {
            run: "match-1".into(),
            place: Some(7),
            tries: 1,
            cause: "it has ended".into(),
            worker: "w".into(),
        }];
        assert!(
            told.to_text().contains("go-capture (match-1) "),
            "failures name the run: {}",
            told.to_text()
        );
    }

    #[test]
    fn what_is_damaged_is_told_whosever_it_is() {
        let damage = |campaign: &str, cause: &str| CampaignDamage {
            campaign: campaign.into(),
            run: String::new(),
            cause: cause.into(),
            cure: DamageCure::Remove,
        };
        assert!(!status(vec![job(1)]).to_text().contains("Damaged"));
        let damaged = vec![damage("other", "job of run r: odd"), damage("", "worker w: odd")];
        let told = CampaignStatus { damaged: damaged.clone(), ..status(vec![job(1)]) };
        let text = told.to_text();
        let list = "\nDamaged in the database\n  other: job of run r: odd\n  worker w: odd\n";
        assert!(text.contains("match-1") && text.ends_with(list), "{text}");
        assert_eq!(told.to_json()["damaged"][1]["cause"], "worker w: odd");
        let text = CampaignStatus { damaged, ..status(Vec::new()) }.to_text();
        assert!(text.starts_with("c: nothing of it that can be read is in this database\n"), "{text}");
        assert!(text.ends_with(list), "{text}");
    }

    #[test]
    fn what_is_mended_is_told_with_what_must_be_run_again() {
        let damage = |campaign: &str, cause: &str| CampaignDamage {
            campaign: campaign.into(),
            run: String::new(),
            cause: cause.into(),
            cure: DamageCure::Remove,
        };
        let gone =
            [damage("other", "job of run r: odd"), damage("other", "join: odd"), damage("", "worker w: odd")];
        assert_eq!(
            format_mending("a.db", &gone),
            "Taken out of a.db; results stay\n  other: job of run r: odd\n  other: join: odd\n  worker w: odd\n\
             other must be run again, with its own file\n"
        );
        assert_eq!(format_mending("a.db", &[]), "nothing is taken out of a.db\n");
        let told = mending_to_json("a.db", &gone, &[damage("c", "task t: odd")]);
        assert_eq!((&told["run_again"], &told["damaged"][0]["campaign"]), (&json!(["other"]), &json!("c")));
    }

    #[test]
    fn what_has_failed_is_told_by_name() {
        let failure = |place, tries| TaskFailure {
            run: "labels-1".into(),
            place,
            tries,
            cause: "the judge has ended".into(),
            worker: "w".into(),
        };
        assert!(!status(vec![job(1)]).to_text().contains("Failures"));
        let failures = vec![failure(None, 2), failure(Some(7), 1), failure(Some(8), 3)];
        let failed = CampaignStatus { failures, ..status(vec![job(1)]) };
        let text = failed.to_text();
        for line in [
            "labels-1: left to others by a worker (2 so far): the judge has ended\n",
            "labels-1: task 7 has failed, try 1: the judge has ended\n",
            "labels-1: task 8 is given up after 3 tries: the judge has ended\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
        let told = failed.to_json()["failures"].clone();
        assert_eq!((&told[0]["task"], &told[2]["given_up"]), (&Value::Null, &json!(true)));
    }

    #[test]
    fn cost_pace_and_time_left_are_told() {
        let open = status(vec![job(60)]);
        assert!(
            open.to_text().contains("0.25 CPU-hours, 30.0 tasks a minute, 2 min left"),
            "{}",
            open.to_text()
        );
        let alone = "\n0 workers; `ishi worker DB` starts one\n";
        assert!(open.to_text().contains(alone) && !open.to_text().contains("Stopped"));
        assert_eq!(open.to_json()["seconds_left"], 120.0);
        let mut step = job(60);
        step.0.job = json!({ LATER_TASKS: 180 });
        let tuned = status(vec![step]);
        assert!(tuned.to_text().contains(", 8 min left at most"), "{}", tuned.to_text());
        assert_eq!(tuned.to_json()["later_tasks"], 180);
        let mut done = status(vec![job(0)]);
        let text = done.to_text();
        assert!(text.contains("0.25 CPU-hours\n") && text.ends_with("\n0 workers\n"), "{text}");
        done.course = done.course.map(|course| CampaignCourse { cpu_seconds: 12.34, ..course });
        done.workers = vec![WorkerNote { id: "w".into(), ..WorkerNote::default() }];
        let text = done.to_text();
        assert!(text.contains("12.3 CPU-seconds\n") && text.contains("\n1 worker\n"), "{text}");
    }

    /// What was stopped is no more than that: it has not gone, and is not finished.
    #[test]
    fn what_is_stopped_is_told_with_what_is_left() {
        let mut stopped = job(0);
        stopped.0.job = json!({ "do": "match", "stopped_tasks": 4903 });
        let told = status(vec![job(0), stopped]);
        let text = told.to_text();
        assert!(
            text.contains("\nAt the stop 4903 of the tasks were left, those that workers were at among them; `ishi campaign run` goes on\n"),
            "{text}"
        );
        assert_eq!(told.to_json()["jobs"][1]["stopped"], 4903);
    }

    #[test]
    fn many_finished_jobs_are_one_line() {
        let jobs = (0..40).map(|number| job(if number < 2 { 7 } else { 0 })).collect();
        let text = status(jobs).to_text();
        assert_eq!(text.matches("match-7").count(), 2);
        assert!(text.contains("38 that are finished") && text.contains("608"), "{text}");
    }
}
