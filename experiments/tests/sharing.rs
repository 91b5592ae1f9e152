//! An experiment whose tasks workers share: they leave what one leaves.

#![allow(missing_docs)]

use std::collections::BTreeMap;
use std::sync::Arc;

use ishi_experiments::KINDS;
use ishi_lab::experiment::Variant;
use ishi_lab::folder::find_folder;
use ishi_lab::runner::{RunEvent, RunOptions, experiment_run_name, run_experiment};
use ishi_lab::store::{OpenJob, Store};
use ishi_lab::worker::{
    ExperimentJob, LEASE, PreparedJob, WorkerEvent, WorkerOptions, Workshop, open_experiment_job,
    work_at_jobs,
};
use ishi_rng::Seed;
use ishi_work::StopFlag;
use serde_json::Value;

use crate::experiments;
use crate::postgres_server::for_each_database;

fn options_of<'a>(name: &str, observer: &'a mut dyn FnMut(&WorkerEvent<'_>)) -> WorkerOptions<'a> {
    WorkerOptions {
        name: name.to_string(),
        threads: 2,
        lease: LEASE,
        campaign: None,
        stays: false,
        lives: None,
        drain: StopFlag::default(),
        stop: StopFlag::default(),
        observer,
    }
}

/// Does experiments.
struct ExperimentShop;

impl Workshop for ExperimentShop {
    fn prepare_job(&self, job: &OpenJob, _: &Store) -> Result<Arc<dyn PreparedJob>, String> {
        Ok(Arc::new(ExperimentJob::prepare(&job.job, KINDS)?))
    }
}

/// Ids and results of a run, by place.
fn results(store: &Store, run: &str) -> Vec<(u64, String, Value)> {
    let kept = store.results_of_run(run).unwrap();
    kept.into_iter().map(|(place, task)| (place, task.id.to_string(), task.result)).collect()
}

/// Its tasks go on from each other, and its configuration travels with the job.
#[test]
fn an_experiment_is_shared_out_and_comes_out_as_alone() {
    let folder = find_folder(experiments(), "020").unwrap();
    let loaded = folder.load_experiment(KINDS, Variant::Quick, Seed::new(3)).unwrap();
    assert!(loaded.tasks().iter().any(|task| task.after.is_some()));
    let mut alone = Store::in_memory().unwrap();
    let options = RunOptions { threads: 1, stop: StopFlag::default(), observer: &mut |_: &RunEvent<'_>| {} };
    run_experiment(&loaded, &mut alone, options).unwrap();
    let run = experiment_run_name(&loaded);
    for_each_database(|path| {
        let mut store = Store::open(path).unwrap();
        let (opened, open, alone_tasks) =
            open_experiment_job(&loaded, "c", &BTreeMap::new(), &mut store).unwrap();
        assert_eq!((opened.as_str(), open, alone_tasks), (run.as_str(), loaded.tasks().len() as u64, 0));
        let done: u64 = std::thread::scope(|scope| {
            let start = |name: &'static str| {
                scope.spawn(move || {
                    let mut store = Store::open(path).unwrap();
                    let mut observer = |_: &WorkerEvent<'_>| {};
                    let options = options_of(name, &mut observer);
                    work_at_jobs(&mut store, &ExperimentShop, options).unwrap().done
                })
            };
            let workers = [start("a"), start("b")];
            workers.into_iter().map(|worker| worker.join().unwrap()).sum()
        });
        assert_eq!(done, loaded.tasks().len() as u64);
        assert_eq!(results(&store, &run), results(&alone, &run));
    });
}
