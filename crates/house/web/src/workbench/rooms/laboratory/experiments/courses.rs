//! How runs of experiments go, and the experiments and reports that were read from their folders.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ishi_lab::LabError;
use ishi_lab::folder::{ExperimentFolder, LoadedExperiment};
use ishi_lab::report::{self as lab_report, LabReport};
use ishi_lab::runner::ExperimentRunEnd;

use crate::files;
use crate::workbench::texts::PageText;

/// Lines that a run has told last.
const LINES: usize = 8;

/// What a run tells of itself.
#[derive(Clone, Debug, Default)]
pub(super) struct ExperimentCourse {
    pub(super) tasks: usize,
    pub(super) done: usize,
    pub(super) last: String,
    pub(super) lines: VecDeque<String>,
    /// How it ended: nothing as long as it has not.
    pub(super) ended: Option<Result<ExperimentRunEnd, PageText>>,
    /// What is there of the report.
    pub(super) report: Option<Arc<LabReport>>,
}

impl ExperimentCourse {
    pub(super) fn push_line(&mut self, line: String) {
        if self.lines.len() == LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }
}

/// Experiments that were read, by key, with the time at which their files were changed last: some take seconds.
#[derive(Default)]
pub(crate) struct LoadedExperiments {
    known: Mutex<HashMap<String, (FolderStamp, Arc<LoadedExperiment>)>>,
    /// The reports that are kept in the folders, of those.
    kept: Mutex<HashMap<String, KeptReport>>,
    /// Held by who reads one, so that they are read one after the other.
    reading: Mutex<()>,
}

/// A report that is kept in a folder, if there is one.
type KeptReport = (FolderStamp, Option<Arc<LabReport>>);

/// When the files were changed.
type FolderStamp = [Option<std::time::SystemTime>; 2];

fn folder_stamp(folder: &ExperimentFolder) -> FolderStamp {
    ["config.toml", "expected.toml"].map(|name| files::last_change(folder.path.join(name)))
}

impl LoadedExperiments {
    /// The report that is kept in the folder. What was kept with another configuration may not fit any more: then there is none.
    pub(super) fn kept_report(&self, key: &str, loaded: &LoadedExperiment) -> Option<Arc<LabReport>> {
        let when = folder_stamp(&loaded.folder);
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, report)) = lock().get(key).filter(|(then, _)| *then == when) {
            return report.clone();
        }
        let report = lab_report::read_report(loaded).ok().flatten().map(Arc::new);
        lock().insert(key.to_string(), (when, report.clone()));
        report
    }

    pub(super) fn find_loaded(&self, key: &str, folder: &ExperimentFolder) -> Option<Arc<LoadedExperiment>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (when, loaded) = known.get(key)?;
        (*when == folder_stamp(folder)).then(|| Arc::clone(loaded))
    }

    /// Reads one if it has changed since it was read last. Its tasks are not listed: that takes some seconds, and whoever wants to read another
    /// one waits so long.
    pub(super) fn get_or_load(
        &self,
        key: &str,
        folder: &ExperimentFolder,
        load: impl FnOnce() -> Result<LoadedExperiment, LabError>,
    ) -> Result<Arc<LoadedExperiment>, LabError> {
        let _reading = match self.find_loaded(key, folder) {
            Some(loaded) => return Ok(loaded),
            None => self.reading.lock().unwrap_or_else(PoisonError::into_inner),
        };
        // Somebody may have read it meanwhile.
        if let Some(loaded) = self.find_loaded(key, folder) {
            return Ok(loaded);
        }
        let when = folder_stamp(folder);
        let loaded = Arc::new(load()?);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(key.to_string(), (when, Arc::clone(&loaded)));
        Ok(loaded)
    }
}

/// Runs since the server was started, by key.
#[derive(Default)]
pub(crate) struct ExperimentRuns(Mutex<HashMap<String, ExperimentCourse>>);

impl ExperimentRuns {
    fn lock_runs(&self) -> MutexGuard<'_, HashMap<String, ExperimentCourse>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn get_progress(&self, key: &str) -> Option<ExperimentCourse> {
        self.lock_runs().get(key).cloned()
    }

    pub(super) fn change_progress(&self, key: &str, change: impl FnOnce(&mut ExperimentCourse)) {
        change(self.lock_runs().entry(key.to_string()).or_default());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use ishi_lab::expected::ExpectedFigures;
    use ishi_lab::experiment::{Experiment, ExperimentTask, TaskEnd, TaskResults, Variant};
    use ishi_lab::report::ReportBody;
    use ishi_rng::Seed;
    use ishi_work::StopFlag;
    use serde_json::Value;

    use super::*;

    /// An experiment that must not be asked for anything.
    struct Untouched;

    impl Experiment for Untouched {
        fn tasks(&self) -> Vec<ExperimentTask> {
            panic!("the tasks are listed");
        }

        fn run_task(&self, _: &ExperimentTask, _: Option<&Value>, _: &StopFlag) -> TaskEnd {
            panic!("a task is run");
        }

        fn build_report(&self, _: &TaskResults) -> Result<ReportBody, LabError> {
            panic!("a report is made");
        }
    }

    #[test]
    fn reading_an_experiment_lists_no_tasks() {
        let folder = ExperimentFolder { number: 1, name: "001-one".into(), path: "nowhere/001-one".into() };
        let load = || {
            Ok(LoadedExperiment {
                folder: folder.clone(),
                kind: "untouched",
                title: "One".into(),
                variant: Variant::Quick,
                seed: Seed::new(1),
                expected: ExpectedFigures::default(),
                experiment: Box::new(Untouched),
                listed: OnceLock::new(),
            })
        };
        let experiments = LoadedExperiments::default();
        let first = experiments.get_or_load("one", &folder, load).unwrap();
        let again = experiments.get_or_load("one", &folder, || panic!("it is read again")).unwrap();
        assert!(Arc::ptr_eq(&first, &again));
        assert!(first.listed.get().is_none());
    }
}
