//! Experiments as folders: `experiments/010-ground/` with README.md, config.toml, expected.toml and results/.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ishi_rng::Seed;
use ishi_words::coded;
use serde::Deserialize;
use toml::Spanned;

use crate::error::LabError;
use crate::expected::ExpectedFigures;
use crate::experiment::{Experiment, ExperimentKind, ExperimentSetup, ExperimentTask, Variant};
use crate::source::TomlSource;

/// The folder that experiments stand in.
pub const EXPERIMENTS: &str = "experiments";

/// An experiment's folder, named `NNN-name`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExperimentFolder {
    /// The experiment's number, such as 10.
    pub number: u32,
    /// The folder's name, such as `010-ground`.
    pub name: String,
    /// The folder.
    pub path: PathBuf,
}

/// An experiment, read and checked.
pub struct LoadedExperiment {
    /// Its folder.
    pub folder: ExperimentFolder,
    /// The kind's name.
    pub kind: &'static str,
    /// The first heading of its README, or its name.
    pub title: String,
    /// Full or quick.
    pub variant: Variant,
    /// The seed as the user gave it.
    pub seed: Seed,
    /// The expected figures.
    pub expected: ExpectedFigures,
    /// The experiment.
    pub experiment: Box<dyn Experiment>,
    /// Its tasks, once somebody has asked: see [`LoadedExperiment::tasks`].
    pub listed: OnceLock<Vec<ExperimentTask>>,
}

impl LoadedExperiment {
    /// All tasks in their order. They are listed once: some take seconds to say what they are.
    pub fn tasks(&self) -> &[ExperimentTask] {
        self.listed.get_or_init(|| self.experiment.tasks())
    }

    /// How many tasks there are, without listing them if that has not been done yet.
    pub fn task_count(&self) -> usize {
        self.listed.get().map_or_else(|| self.experiment.task_count(), Vec::len)
    }
}

/// The one key that all kinds have.
#[derive(Deserialize)]
struct ConfigHead {
    kind: Spanned<String>,
}

impl ExperimentFolder {
    /// A folder whose name has a number.
    fn from_path(path: &Path) -> Option<ExperimentFolder> {
        let name = path.file_name()?.to_str()?.to_string();
        let (number, rest) = name.split_once('-')?;
        let all_digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        let number = number.parse().ok().filter(|_| all_digits && !rest.is_empty() && path.is_dir())?;
        Some(ExperimentFolder { number, name, path: path.to_path_buf() })
    }

    /// Where the reports and the kept results of a variant stand.
    pub fn results_path(&self, variant: Variant) -> PathBuf {
        match variant {
            Variant::Full => self.path.join("results"),
            Variant::Quick => self.path.join("results").join("quick"),
        }
    }

    /// Reads and checks configuration and expected figures. The experiment is of one of the `kinds`.
    ///
    /// # Errors
    /// If a file is missing or wrong; the error says where.
    pub fn load_experiment(
        &self,
        kinds: &[ExperimentKind],
        variant: Variant,
        seed: Seed,
    ) -> Result<LoadedExperiment, LabError> {
        let source = TomlSource::read_file(&self.path.join("config.toml"))?;
        let head: ConfigHead = source.parse()?;
        let kind = kinds.iter().find(|kind| kind.name == head.kind.get_ref()).ok_or_else(|| {
            let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
            let right =
                coded!["lab-source-kind", "the kinds of experiments are {kinds}", kinds = names.join(", ")];
            source.value_error(&head.kind, right)
        })?;
        // The variants never share a random number, and so never a task.
        let setup =
            ExperimentSetup { variant, seed: seed.child_seed(&variant.to_string(), u64::from(self.number)) };
        let experiment = (kind.load)(&source, &setup)?;
        let expected =
            ExpectedFigures::parse_source(&TomlSource::read_file(&self.path.join("expected.toml"))?)?;
        let title = self.read_title();
        Ok(LoadedExperiment {
            folder: self.clone(),
            kind: kind.name,
            title,
            variant,
            seed,
            expected,
            experiment,
            listed: OnceLock::new(),
        })
    }

    /// The first heading of README.md, or the folder's name.
    pub fn read_title(&self) -> String {
        let text = std::fs::read_to_string(self.path.join("README.md")).unwrap_or_default();
        find_heading(&text).map_or_else(|| self.name.clone(), str::to_string)
    }

    /// README.md in another language, such as `README.ja.md` for `ja`; none if it is not there.
    pub fn read_readme_in(&self, language: &str) -> Option<String> {
        std::fs::read_to_string(self.path.join(format!("README.{language}.md"))).ok()
    }

    /// The first heading of README.md in another language; none if it is not there.
    pub fn read_title_in(&self, language: &str) -> Option<String> {
        find_heading(&self.read_readme_in(language)?).map(str::to_string)
    }
}

/// The first heading of a README.
fn find_heading(readme: &str) -> Option<&str> {
    readme.lines().find_map(|line| line.strip_prefix("# ")).map(str::trim)
}

/// The folder `experiments` here or in the nearest folder above.
///
/// # Errors
/// If there is none.
pub fn find_experiments(from: &Path) -> Result<PathBuf, LabError> {
    let found = from.ancestors().map(|folder| folder.join(EXPERIMENTS)).find(|path| path.is_dir());
    found.ok_or_else(|| {
        LabError::Input(coded![
            "lab-no-experiments",
            "no folder `{folder}` in {here} or above: name one with --experiments",
            folder = EXPERIMENTS,
            here = from.display()
        ])
    })
}

/// All experiments in a folder, by number.
///
/// # Errors
/// If the folder cannot be read.
pub fn list_folders(experiments: &Path) -> Result<Vec<ExperimentFolder>, LabError> {
    let failed = |error: std::io::Error| {
        let error = match experiments.is_file() {
            true => std::io::Error::new(error.kind(), "it must be a folder, and is a file"),
            false => error,
        };
        LabError::File { what: "read", path: experiments.to_path_buf(), error }
    };
    let mut folders = Vec::new();
    for entry in std::fs::read_dir(experiments).map_err(failed)? {
        folders.extend(ExperimentFolder::from_path(&entry.map_err(failed)?.path()));
    }
    folders.sort();
    Ok(folders)
}

/// The experiment called `010`, `10`, `ground`, `010-ground`, or the path of its folder.
///
/// # Errors
/// If there is none, or more than one of that name.
pub fn find_folder(experiments: &Path, called: &str) -> Result<ExperimentFolder, LabError> {
    let as_path = Path::new(called);
    if called.contains(std::path::MAIN_SEPARATOR) {
        let path = as_path.canonicalize().unwrap_or_else(|_| as_path.to_path_buf());
        let not_one = || {
            LabError::Input(coded![
                "lab-no-experiment-folder",
                "{called} is no folder of an experiment, such as experiments/010-name",
                called = format!("{called:?}")
            ])
        };
        return ExperimentFolder::from_path(&path)
            .map(|folder| ExperimentFolder { path: as_path.to_path_buf(), ..folder })
            .ok_or_else(not_one);
    }
    let folders = list_folders(experiments)?;
    let number = called.parse::<u32>().ok();
    let is_it = |folder: &&ExperimentFolder| {
        let short = folder.name.split_once('-').map(|(_, rest)| rest);
        folder.name == called || short == Some(called) || number == Some(folder.number)
    };
    let found: Vec<&ExperimentFolder> = folders.iter().filter(is_it).collect();
    match found.as_slice() {
        [one] => Ok((*one).clone()),
        [] => Err(no_such_experiment(experiments, called, &folders)),
        [..] => Err(LabError::Input(coded![
            "lab-experiment-ambiguous",
            "experiment {called} must be one: it may be {names}",
            called = format!("{called:?}"),
            names = list_names(&found)
        ])),
    }
}

fn no_such_experiment(experiments: &Path, called: &str, folders: &[ExperimentFolder]) -> LabError {
    let (called, path) = (format!("{called:?}"), experiments.display());
    let names = list_names(&folders.iter().collect::<Vec<_>>());
    LabError::Input(match folders {
        [] => {
            coded!["lab-no-experiment-at-all", "no experiment {called} in {path}: it is empty", called, path]
        }
        _ => coded![
            "lab-no-experiment",
            "no experiment {called} in {path}: it has {names}",
            called,
            path,
            names
        ],
    })
}

fn list_names(folders: &[&ExperimentFolder]) -> String {
    folders.iter().map(|folder| folder.name.as_str()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn experiments_are_found_by_number_and_name() {
        let place = tempfile::tempdir().unwrap();
        let experiments = place.path().join(EXPERIMENTS);
        for name in ["010-ground", "011-sky", "20-sky", "notes", "x-y", "012-", "013_a"] {
            std::fs::create_dir_all(experiments.join(name)).unwrap();
        }
        std::fs::write(experiments.join("014-file"), "").unwrap();
        let names: Vec<String> =
            list_folders(&experiments).unwrap().into_iter().map(|folder| folder.name).collect();
        assert_eq!(names, ["010-ground", "011-sky", "20-sky"]);
        for called in ["10", "010", "ground", "010-ground"] {
            assert_eq!(find_folder(&experiments, called).unwrap().name, "010-ground", "{called}");
        }
        let path = experiments.join("010-ground");
        assert_eq!(find_folder(&experiments, path.to_str().unwrap()).unwrap().path, path);
        let error = |called| find_folder(&experiments, called).unwrap_err().to_string();
        assert!(error("sky").starts_with("experiment \"sky\" must be one: it may be 011-sky, 20-sky"));
        assert!(error("9").ends_with(": it has 010-ground, 011-sky, 20-sky"), "{}", error("9"));
        assert!(error("no/such").contains("is no folder of an experiment"));
    }

    #[test]
    fn a_readme_may_have_other_languages() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("010-ground");
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("README.md"), "# The ground\n").unwrap();
        std::fs::write(path.join("README.ja.md"), "\n# 基礎 \n").unwrap();
        let folder = list_folders(place.path()).unwrap().remove(0);
        assert_eq!(
            (folder.read_title(), folder.read_title_in("ja").as_deref()),
            ("The ground".into(), Some("基礎"))
        );
        assert_eq!((folder.read_title_in("fr"), folder.read_readme_in("fr")), (None, None));
    }

    #[test]
    fn the_folder_is_found_from_below() {
        let place = tempfile::tempdir().unwrap();
        let below = place.path().join("a/b");
        std::fs::create_dir_all(&below).unwrap();
        let error = find_experiments(&below).unwrap_err().to_string();
        assert!(error.contains("no folder `experiments` in") && error.contains("--experiments"), "{error}");
        std::fs::create_dir_all(place.path().join(EXPERIMENTS)).unwrap();
        assert_eq!(find_experiments(&below).unwrap(), place.path().join(EXPERIMENTS));
    }
}
