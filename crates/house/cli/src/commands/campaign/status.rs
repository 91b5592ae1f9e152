//! How far a campaign is, who works, and what went wrong.

use std::fmt::Write as _;

use ishi_lab::store::{OpenJob, Store, StoreError, WorkerNote};
use serde_json::{Value, json};

/// A worker that was silent for so long has gone, or stands still.
const SILENCE: i64 = 120_000;

/// What is known of a campaign.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CampaignStatus {
    pub(super) name: String,
    /// Its jobs, with the number of finished tasks.
    pub(super) jobs: Vec<(OpenJob, u64)>,
    /// The workers of the database that were heard of lately.
    pub(super) workers: Vec<WorkerNote>,
    /// Its tunings.
    pub(super) tunings: Vec<TuningStatus>,
    /// Results of its tasks that differed from those that stand.
    pub(super) alarms: u64,
}

/// How far a tuning is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TuningStatus {
    /// As it stands in the campaign's file.
    pub(super) line: String,
    /// Steps that are made.
    pub(super) steps: u64,
    /// Steps, at most.
    pub(super) planned: u64,
    /// Is all done, the confirming match included?
    pub(super) is_over: bool,
}

impl CampaignStatus {
    pub(super) fn read(name: &str, store: &Store) -> Result<CampaignStatus, StoreError> {
        let (mut jobs, mut alarms) = (Vec::new(), 0);
        for job in store.list_jobs()?.into_iter().filter(|job| job.campaign == name) {
            let finished = store.find_run(&job.run)?.map_or(0, |run| run.finished);
            alarms += store.count_alarms_of_run(&job.run)?;
            jobs.push((job, finished));
        }
        let is_there = |note: &WorkerNote| note.silent < SILENCE && note.state != "gone";
        let workers = store.list_workers()?.into_iter().filter(is_there).collect();
        Ok(CampaignStatus { name: name.to_string(), jobs, workers, tunings: Vec::new(), alarms })
    }

    pub(super) fn to_text(&self) -> String {
        let mut out = String::new();
        // Writing to a string does not fail.
        let _ = self.write_text(&mut out);
        out
    }

    fn write_text(&self, out: &mut String) -> std::fmt::Result {
        if self.jobs.is_empty() && self.tunings.is_empty() {
            return writeln!(out, "{}: nothing of it is in this database", self.name);
        }
        writeln!(out, "{:<52} {:>9} {:>9} {:>9}", self.name, "finished", "running", "waiting")?;
        for (job, finished) in &self.jobs {
            let waiting = job.open.saturating_sub(job.claimed);
            writeln!(out, "  {:<50} {finished:>9} {:>9} {waiting:>9}", job.run, job.claimed)?;
        }
        for TuningStatus { line, steps, planned, is_over } in &self.tunings {
            let word = if *is_over { "finished" } else { "goes on" };
            writeln!(out, "  {steps} of at most {planned} steps, {word}: {line}")?;
        }
        writeln!(out, "\n{} workers", self.workers.len())?;
        for WorkerNote { id, version, threads, done, failed, state, silent } in &self.workers {
            let seconds = silent / 1000;
            writeln!(
                out,
                "  {id}  ishi {version}, {threads} at once: {done} finished, {failed} failed, {state}, heard of {seconds} s ago"
            )?;
        }
        if self.alarms > 0 {
            writeln!(out, "\nALARM: {} results differ from those that stand", self.alarms)?;
        }
        Ok(())
    }

    pub(super) fn to_json(&self) -> Value {
        let job = |(job, finished): &(OpenJob, u64)| json!({ "run": job.run, "finished": finished, "open": job.open, "claimed": job.claimed });
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
        json!({
            "campaign": self.name,
            "jobs": self.jobs.iter().map(job).collect::<Vec<_>>(),
            "workers": self.workers.iter().map(worker).collect::<Vec<_>>(),
            "tunings": self.tunings.iter().map(tuning).collect::<Vec<_>>(),
            "alarms": self.alarms,
        })
    }
}
