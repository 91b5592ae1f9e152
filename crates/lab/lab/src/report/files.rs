//! Writing reports: each file whole or not at all.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::lab_report::LabReport;
use super::results_text::{check_results_text, seal_results};
use super::{html, markdown};
use crate::body::SheetBlock;
use crate::error::LabError;
use crate::experiment::TaskResults;
use crate::folder::LoadedExperiment;
use crate::kept;
use crate::machine::Machine;
use crate::runner::RunState;
use crate::store::TaskCost;

/// Writes report.md, report.html, results.json and the plots into the folder, and gives their paths. A plot says how it was made. The folder is made
/// if it does not exist. A file is written beside its place and moved there, so that a full disk or a kill leaves the
/// old one.
///
/// # Errors
/// If the folder cannot be made or a file cannot be written.
pub fn write_report(report: &LabReport, folder: &Path) -> Result<Vec<PathBuf>, LabError> {
    let mut files = vec![
        ("report.md".to_string(), markdown::render_markdown(report)),
        ("report.html".to_string(), html::render_html(report)),
        ("results.json".to_string(), report_to_json(report)),
    ];
    let made_by = report.describe_making();
    let pictures =
        report.sections.iter().flat_map(|section| &section.blocks).filter_map(SheetBlock::svg_file);
    files.extend(pictures.map(|(name, svg)| (name, ishi_draw::put_maker_into_picture(&svg, &made_by))));
    write_files(folder, files)
}

/// Writes named texts into the folder, which is made if it does not exist; gives their paths.
pub(super) fn write_files(
    folder: &Path,
    files: impl IntoIterator<Item = (String, String)>,
) -> Result<Vec<PathBuf>, LabError> {
    let failed = |error| LabError::File { what: "make the folder", path: folder.to_path_buf(), error };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut written = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        replace_file(&path, &text)?;
        written.push(path);
    }
    Ok(written)
}

/// What is read of `results.json`.
#[derive(Deserialize)]
struct KeptReportFile {
    seed: String,
    versions: Vec<String>,
    machines: Vec<Machine>,
    cost: KeptCost,
    results: BTreeMap<String, serde_json::Value>,
    /// Kept tasks by name; files of older versions have none.
    #[serde(default)]
    kept: BTreeMap<String, kept::KeptTask>,
}

impl KeptReportFile {
    /// Takes out what another task of the same name has given, one of other settings or of another version: the report would tell it of
    /// the task that there is today. Tasks of another seed, and those that say nothing of their id, cannot be compared.
    fn without_foreign_results(mut self, loaded: &LoadedExperiment) -> KeptReportFile {
        if self.seed != loaded.seed.to_string() {
            return self;
        }
        for task in loaded.tasks() {
            let id = task.work.id();
            if self.kept.get(&task.name).is_some_and(|kept| kept.id != id.as_str()) {
                self.results.remove(&task.name);
            }
        }
        self
    }
}

#[derive(Deserialize)]
struct KeptCost {
    cpu_seconds: f64,
    wall_seconds: f64,
}

/// The report that is kept in the experiment's folder, made again of its results; `None` if there is none. Results of tasks that are not
/// those of today are left out: they count as missing.
///
/// # Errors
/// If the file cannot be read, or its results do not fit the configuration any more.
pub fn read_report(loaded: &LoadedExperiment) -> Result<Option<LabReport>, LabError> {
    let path = loaded.folder.results_path(loaded.variant).join("results.json");
    if !path.is_file() {
        return Ok(None);
    }
    let failed = |error| LabError::File { what: "read", path: path.clone(), error };
    let text = std::fs::read_to_string(&path).map_err(failed)?;
    let invalid = |problem: String| failed(std::io::Error::new(std::io::ErrorKind::InvalidData, problem));
    check_results_text(&text).map_err(invalid)?;
    let kept: KeptReportFile = serde_json::from_str(&text).map_err(|error| invalid(error.to_string()))?;
    let KeptReportFile { seed, versions, machines, cost, results, .. } = kept.without_foreign_results(loaded);
    let tasks = loaded.tasks().len();
    let done = loaded.tasks().iter().filter(|task| results.contains_key(&task.name)).count();
    let cost = TaskCost { cpu_seconds: cost.cpu_seconds, wall_seconds: cost.wall_seconds };
    let versions = versions.into_iter().collect();
    let mut report = LabReport::new(
        loaded,
        RunState { tasks, done, cost, versions, results: TaskResults(results), ..RunState::default() },
    )?;
    (report.seed, report.machines) = (seed, machines);
    Ok(Some(report))
}

fn replace_file(path: &Path, text: &str) -> Result<(), LabError> {
    let failed = |error| LabError::File { what: "write", path: path.to_path_buf(), error };
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    // Two reports at once do not share a half-written file.
    name.push(format!(".{}.new", std::process::id()));
    let half = path.with_file_name(name);
    let done = std::fs::write(&half, text).and_then(|()| std::fs::rename(&half, path));
    done.map_err(|error| {
        // The first error is the one to report; what was half written is of no use.
        let _ = std::fs::remove_file(&half);
        failed(error)
    })
}

/// JSON with a line for each result and for each task of one, so that differences between two runs can be read. It begins with the
/// checksum of the text, and its version.
fn report_to_json(report: &LabReport) -> String {
    let mut json = report.to_json();
    let mut line_by_line = |name: &str| {
        let members = json.as_object_mut().and_then(|object| object.remove(name)).unwrap_or_default();
        let lines = members.as_object().into_iter().flatten();
        let lines: Vec<String> = lines
            .map(|(name, value)| format!("    {}: {value}", serde_json::Value::from(name.as_str())))
            .collect();
        format!("  \"{name}\": {{\n{}\n  }}", lines.join(",\n"))
    };
    let members = ["results", "kept"].map(&mut line_by_line).join(",\n");
    let head = format!("{json:#}");
    let head = head.trim_end_matches('}').trim_end();
    let head = head.trim_start_matches('{');
    seal_results(&format!("{head},\n{members}"))
}
