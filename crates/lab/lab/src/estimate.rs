//! How long an experiment will take, before it is begun: by what each task took in the kept report, held against tasks that this machine has done;
//! without a report by those tasks alone.
//!
//! Some tasks are tried for that. Nothing of them is kept.

use std::collections::{BTreeMap, BTreeSet};

use ishi_arena::stopwatch::Stopwatch;
use ishi_work::StopFlag;

use crate::error::LabError;
use crate::experiment::ExperimentTask;
use crate::folder::LoadedExperiment;
use crate::kept::{self, KeptTimes};
use crate::runner;
use crate::store::Store;

/// Tasks that are tried at most.
const MOST_TRIED: usize = 100;

/// From so many seconds of the report's tasks on, what this machine took for the same says how much faster it is.
const COMPARABLE: f64 = 1.0;

/// How long it will take to finish an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct RunEstimate {
    /// Tasks that are missing.
    pub missing: usize,
    /// Elapsed seconds of all of them on one thread.
    pub seconds: f64,
    /// Where that comes from.
    pub basis: EstimateBasis,
}

/// Where an estimate comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum EstimateBasis {
    /// What the missing tasks took in the kept report, times this factor of this machine, if it has done enough of the same tasks.
    Report {
        /// Below 1 if this machine is faster.
        factor: Option<f64>,
    },
    /// The mean of tasks that this machine has done, each group of them for itself.
    Tasks {
        /// How many.
        done: usize,
        /// One was broken off, so that all may take longer than this.
        is_least: bool,
    },
    /// No task ended while somebody waited: it takes longer than that.
    Nothing,
}

/// How long it takes to finish the experiment. Missing tasks are tried until `stop` is raised, or enough have ended: it should be raised after
/// some seconds.
///
/// # Errors
/// If a task or the database fails.
pub fn estimate_run(
    loaded: &LoadedExperiment,
    store: &Store,
    stop: &StopFlag,
) -> Result<RunEstimate, LabError> {
    let progress = runner::read_progress(loaded, store)?;
    let is_missing = |task: &&ExperimentTask| !progress.results.0.contains_key(&task.name);
    let missing: Vec<&ExperimentTask> = loaded.tasks().iter().filter(is_missing).collect();
    let tried = try_tasks(loaded, &missing, stop)?;
    // A report that does not fit any more says nothing.
    let report = kept::read_times(loaded).ok().flatten();
    let done = progress.costs.iter().map(|(name, cost)| (name.as_str(), cost.wall_seconds));
    let names: Vec<&str> = missing.iter().map(|task| task.name.as_str()).collect();
    let known = KnownTimes { done: done.chain(tried.ended).collect(), broken_off: tried.broken_off };
    let (seconds, basis) = known.estimate(&names, report.as_ref());
    Ok(RunEstimate { missing: names.len(), seconds, basis })
}

/// What was tried, elapsed, in seconds.
#[derive(Default)]
struct TriedTasks<'a> {
    ended: BTreeMap<&'a str, f64>,
    /// The one that did not end, and how long it was waited for.
    broken_off: Option<(&'a str, f64)>,
}

/// Tries tasks from all over the list. Those that go on from another are left out.
fn try_tasks<'a>(
    loaded: &LoadedExperiment,
    missing: &[&'a ExperimentTask],
    stop: &StopFlag,
) -> Result<TriedTasks<'a>, LabError> {
    let single: Vec<&ExperimentTask> = missing.iter().copied().filter(|task| task.after.is_none()).collect();
    let mut tried = TriedTasks::default();
    for place in spread_places(single.len()) {
        if stop.is_requested() {
            break;
        }
        let (task, watch) = (single[place], Stopwatch::start());
        let output = loaded.experiment.run_task(task, None, stop)?;
        let seconds = watch.wall_seconds();
        let Some(output) = output else {
            tried.broken_off = Some((task.name.as_str(), seconds));
            break;
        };
        // Where programs think besides, the task itself knows better what it took.
        tried.ended.insert(task.name.as_str(), output.cost.map_or(seconds, |cost| cost.wall_seconds));
    }
    Ok(tried)
}

/// Places of a list, each once, that lie far from those before: the first one, and steps of the golden section.
fn spread_places(count: usize) -> Vec<usize> {
    const SECTION: f64 = 0.618_033_988_749_895;
    let place = |step: usize| ((step as f64 * SECTION).fract() * count as f64) as usize;
    let mut seen = BTreeSet::new();
    (0..MOST_TRIED).map(place).filter(|&at| at < count && seen.insert(at)).collect()
}

/// What this machine took for tasks, elapsed, in seconds.
struct KnownTimes<'a> {
    done: BTreeMap<&'a str, f64>,
    broken_off: Option<(&'a str, f64)>,
}

impl KnownTimes<'_> {
    /// The time of missing tasks, and where that comes from.
    fn estimate(&self, missing: &[&str], report: Option<&KeptTimes>) -> (f64, EstimateBasis) {
        if missing.is_empty() {
            return (0.0, EstimateBasis::Tasks { done: self.done.len(), is_least: false });
        }
        if let Some(report) = report {
            let kept: f64 = missing.iter().map(|name| report.time_of(name)).sum();
            let factor = self.factor_to(report);
            return (kept * factor.unwrap_or(1.0), EstimateBasis::Report { factor });
        }
        if self.done.is_empty() {
            let waited = self.broken_off.map_or(0.0, |(_, seconds)| seconds);
            return (waited, EstimateBasis::Nothing);
        }
        let is_least = self.broken_off.is_some();
        (self.sum_of_means(missing), EstimateBasis::Tasks { done: self.done.len(), is_least })
    }

    /// How much longer this machine takes than that of a report, by the tasks that both have done.
    fn factor_to(&self, report: &KeptTimes) -> Option<f64> {
        let both = self.done.iter().filter_map(|(name, here)| Some((here, report.tasks.get(*name)?)));
        let (here, there) = both.fold((0.0, 0.0), |(here, there), (a, b)| (here + a, there + b));
        (there >= COMPARABLE).then(|| here / there)
    }

    /// Each missing task takes the mean of its group; of all, if nothing of its group is known. One that was broken off takes as long as it was
    /// waited for, at least.
    fn sum_of_means(&self, missing: &[&str]) -> f64 {
        let done = self.done.iter().map(|(&name, &seconds)| (name, seconds));
        let mut groups: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        for (name, seconds) in done.chain(self.broken_off) {
            let (sum, count) = groups.entry(group_of(name)).or_default();
            *sum += seconds;
            *count += 1.0;
        }
        let (all, count) = groups.values().fold((0.0, 0.0), |(sum, count), (s, c)| (sum + s, count + c));
        let mean = |name: &&str| groups.get(group_of(name)).map_or(all / count, |(sum, count)| sum / count);
        missing.iter().map(mean).sum()
    }
}

/// Tasks of one sort have names that begin alike: `speed` of `speed/9x9/3`.
fn group_of(name: &str) -> &str {
    name.split('/').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known<'a>(done: &[(&'a str, f64)], broken_off: Option<(&'a str, f64)>) -> KnownTimes<'a> {
        KnownTimes { done: done.iter().copied().collect(), broken_off }
    }

    #[test]
    fn a_report_says_what_each_task_took_and_this_machine_how_much_faster_it_is() {
        let tasks = [("a/1", 2.0), ("a/2", 30.0)].map(|(name, seconds)| (name.to_string(), seconds));
        let report = KeptTimes { tasks: tasks.into_iter().collect(), others: 5.0 };
        let missing = ["a/2", "b/1"];
        let unknown = known(&[], None).estimate(&missing, Some(&report));
        assert_eq!(unknown, (35.0, EstimateBasis::Report { factor: None }));
        let twice = known(&[("a/1", 1.0)], None).estimate(&missing, Some(&report));
        assert_eq!(twice, (17.5, EstimateBasis::Report { factor: Some(0.5) }));
        // Tasks of an instant say nothing about a machine.
        let instant = KeptTimes { tasks: [("a/1".to_string(), 0.001)].into(), others: 5.0 };
        let (seconds, basis) = known(&[("a/1", 1.0)], None).estimate(&missing, Some(&instant));
        assert_eq!((seconds, basis), (10.0, EstimateBasis::Report { factor: None }));
    }

    #[test]
    fn without_a_report_each_group_has_its_own_mean() {
        let missing = ["a/3", "a/4", "b/2", "c/1"];
        let done = [("a/1", 1.0), ("a/2", 3.0), ("b/1", 8.0)];
        let found = known(&done, None).estimate(&missing, None);
        assert_eq!(found, (2.0 + 2.0 + 8.0 + 4.0, EstimateBasis::Tasks { done: 3, is_least: false }));
        // One that was broken off takes as long as it was waited for, at least.
        let (seconds, basis) = known(&done, Some(("b/2", 10.0))).estimate(&["b/2"], None);
        assert_eq!((seconds, basis), (9.0, EstimateBasis::Tasks { done: 3, is_least: true }));
        let nothing = known(&[], Some(("a/1", 10.0))).estimate(&missing, None);
        assert_eq!(nothing, (10.0, EstimateBasis::Nothing));
    }

    #[test]
    fn places_are_spread_over_the_list() {
        assert_eq!(spread_places(0), [] as [usize; 0]);
        let mut few = spread_places(7);
        assert_eq!(few[..3], [0, 4, 1]);
        few.sort();
        assert_eq!(few, [0, 1, 2, 3, 4, 5, 6]);
        let many = spread_places(1000);
        assert!(many.len() <= MOST_TRIED && many.iter().any(|&at| at > 900), "{many:?}");
    }
}
