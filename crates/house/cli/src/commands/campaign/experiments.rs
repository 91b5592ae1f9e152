//! Experiments of campaigns whose tasks start programs. What the tasks are says of a program only what it tells of itself, as results of `ishi lab run`
//! are kept so. The job says the contents of its files besides, and a worker with others leaves the experiment alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use ishi_arena::process::check_allowed;
use ishi_experiments::KINDS;
use ishi_lab::folder::LoadedExperiment;
use ishi_lab::worker::{ExperimentJob, PreparedJob};
use serde_json::Value;

use crate::commands::match_::share::first_other_program;
use crate::context::Failure;
use crate::program_files::{ProgramFiles, ProgramsBy};

/// The contents of the programs' files, by command. Programs that may not be started here are left out, and so are their files.
pub(super) fn describe_programs(
    loaded: &LoadedExperiment,
    programs_by: ProgramsBy,
) -> Result<BTreeMap<String, String>, Failure> {
    let allowed = loaded.experiment.programs().into_iter().filter(|program| check_allowed(program).is_ok());
    let found: BTreeMap<String, ProgramFiles> =
        allowed.map(|program| (program.to_string(), programs_by.find_files(&program))).collect();
    // Whoever lists the tasks tries the programs out, and then it is known which files they write.
    loaded.tasks();
    let mut told = BTreeMap::new();
    for (command, files) in found {
        let contents = files.describe_contents()?;
        if !contents.is_empty() {
            told.insert(command, contents);
        }
    }
    Ok(told)
}

/// Sets the experiment of a job up.
///
/// # Errors
/// Why it cannot be done here in the same way.
pub(crate) fn prepare_experiment_job(job: &Value) -> Result<Arc<dyn PreparedJob>, String> {
    let prepared = ExperimentJob::prepare(job, KINDS)?;
    let asked = &job["programs"];
    // Without files nothing is compared: machines have programs of their own, or the job is of an older ishi.
    if asked.as_object().is_some_and(|programs| !programs.is_empty()) {
        let loaded = prepared.loaded();
        for program in loaded.experiment.programs() {
            if !asked[program.to_string()].is_null() {
                check_allowed(&program).map_err(|error| format!("{program}: {error}"))?;
            }
        }
        let ours = describe_programs(loaded, ProgramsBy::Contents).map_err(|failure| failure.to_string())?;
        if let Some(difference) = first_other_program(asked, &ours) {
            return Err(difference);
        }
    }
    Ok(Arc::new(prepared))
}
