//! Where things lie that nobody names: the database, and the experiments of a program that is not run in a checkout.
//!
//! What a person makes is kept in the data folder of the system, so that it is there again wherever the program is started.
//! `ISHI_DATA` names another folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use ishi_experiments::SHIPPED;
use ishi_lab::folder;
use ishi_lab::store::{check_place, is_server, shown_place};

use crate::context::{Context, Failure};
use crate::digest::short_digest;
use crate::files;

/// The database's name.
const DATABASE: &str = "ishi.db";

/// The folder where a person's data are kept; `None` where the system does not say.
///
/// Sources: the XDG Base Directory Specification; Apple's File System Programming Guide; Windows' known folder RoamingAppData.
fn data_folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    choose_data_folder(std::env::consts::OS, &variable)
}

fn choose_data_folder(system: &str, variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name: &str| variable(name).map(PathBuf::from);
    if let Some(chosen) = folder("ISHI_DATA") {
        return Some(chosen);
    }
    let of_system = match system {
        "windows" => folder("APPDATA"),
        "macos" => folder("HOME").map(|home| home.join("Library/Application Support")),
        // The specification wants relative paths to be ignored.
        _ => folder("XDG_DATA_HOME")
            .filter(|path| path.is_absolute())
            .or_else(|| folder("HOME").map(|home| home.join(".local/share"))),
    };
    of_system.map(|folder| folder.join("ishi"))
}

/// The database where no other is named: the one of this folder, if there is one, else that of the data folder. One that a stranger put
/// into a folder for everybody does not count: the stranger would read and change what is kept there.
pub(crate) fn default_database() -> PathBuf {
    let here = PathBuf::from(DATABASE);
    if here.exists() && !files::may_be_planted(&here) {
        return here;
    }
    let kept = data_folder().map(|folder| folder.join(DATABASE));
    kept.map_or(here, |kept| kept.strip_prefix(".").map(Path::to_path_buf).unwrap_or(kept))
}

/// The file whose name begins those of the files beside a database. What belongs to a server's stands in the data folder, under a
/// name that follows from the address without its password.
pub(crate) fn file_of_database(database: &Path) -> PathBuf {
    if !is_server(database) {
        return database.to_path_buf();
    }
    let digits = short_digest(&shown_place(database));
    data_folder().unwrap_or_default().join(format!("server-{digits}.db"))
}

/// Makes the folder that a database stands in, if it is the data folder: one that was named must be there.
pub(crate) fn prepare_database(database: &Path) -> Result<(), Failure> {
    match database.parent() {
        Some(folder) if data_folder().as_deref() == Some(folder) => files::make_folder(folder),
        _ => check_folder_of_file(database),
    }
}

/// Refuses a database that was named and whose folder is not there. The data folder may still come.
pub(crate) fn check_database_folder(database: &Path) -> Result<(), Failure> {
    if database == default_database() { Ok(()) } else { check_folder_of_file(database) }
}

fn check_folder_of_file(database: &Path) -> Result<(), Failure> {
    check_place(database)?;
    match database.parent() {
        Some(folder) if !is_server(database) && !folder.as_os_str().is_empty() && !folder.is_dir() => {
            let (database, folder) = (database.display(), folder.display());
            Err(Failure::outside(format!("cannot open the database {database}: there is no folder {folder}")))
        }
        _ => Ok(()),
    }
}

/// As [`prepare_database`], and says where results are kept if that is the data folder, which nobody has named.
pub(crate) fn prepare_and_tell_database(database: &Path, context: &Context) -> Result<(), Failure> {
    prepare_database(database)?;
    if database.parent().is_some_and(|folder| data_folder().as_deref() == Some(folder)) {
        let place = database.display();
        context
            .print_progress(format_args!("ishi: what is found is kept in {place}; --db names another place"));
    }
    Ok(())
}

/// The folder of experiments where no other is named: the nearest one here or above, else those that the program holds, which are put into the data
/// folder. Results that stand there stay. Experiments name programs that are started: those that a stranger put above us, as into `/tmp`, do not count.
pub(crate) fn default_experiments() -> Result<PathBuf, Failure> {
    let here = std::env::current_dir().map_err(Failure::outside)?;
    let not_found = match folder::find_experiments(&here) {
        Ok(found) if !files::may_be_planted(&found) => return Ok(found),
        Ok(found) => format!(
            "{} belongs to another user and stands where everybody may write: name a folder with --experiments",
            found.display()
        ),
        Err(error) => error.to_string(),
    };
    let data = data_folder().ok_or_else(|| Failure::input(not_found))?;
    unpack_experiments(&data.join(folder::EXPERIMENTS))
}

/// Writes what is missing or of another version.
fn unpack_experiments(into: &Path) -> Result<PathBuf, Failure> {
    for experiment in SHIPPED {
        let folder = into.join(experiment.name);
        files::make_folder(&folder)?;
        for (name, text) in experiment.files {
            let path = folder.join(name);
            if files::read_file(&path).is_ok_and(|there| there == text.as_bytes()) {
                continue;
            }
            files::write_file(&path, text.as_bytes(), true)?;
        }
    }
    Ok(into.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(system: &str, variables: &[(&str, &str)]) -> Option<PathBuf> {
        let find = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
        };
        choose_data_folder(system, &find)
    }

    #[test]
    fn every_system_has_its_data_folder() {
        let is = |system: &str, variables: &[(&str, &str)], expected: &str| {
            assert_eq!(chosen(system, variables), Some(PathBuf::from(expected)), "{system}");
        };
        is("linux", &[("HOME", "/home/a")], "/home/a/.local/share/ishi");
        is("linux", &[("HOME", "/home/a"), ("XDG_DATA_HOME", "/d")], "/d/ishi");
        is("linux", &[("HOME", "/home/a"), ("XDG_DATA_HOME", "d")], "/home/a/.local/share/ishi");
        is("macos", &[("HOME", "/Users/a")], "/Users/a/Library/Application Support/ishi");
        is("windows", &[("APPDATA", "/a/Roaming")], "/a/Roaming/ishi");
        is("linux", &[("ISHI_DATA", "/own"), ("HOME", "/home/a")], "/own");
        assert_eq!(chosen("linux", &[]), None);
    }

    #[test]
    fn experiments_are_unpacked_once_and_results_stay() {
        let place = tempfile::tempdir().unwrap();
        let folder = unpack_experiments(&place.path().join("experiments")).unwrap();
        let ground = folder::find_folder(&folder, "ground").unwrap();
        let config = ground.path.join("config.toml");
        let results = ground.path.join("results");
        files::make_folder(&results).unwrap();
        files::write_file(&results.join("report.md"), b"mine", false).unwrap();
        files::write_file(&config, b"damaged", true).unwrap();
        unpack_experiments(&folder).unwrap();
        assert_ne!(files::read_file(&config).unwrap(), b"damaged");
        assert_eq!(files::read_file(&results.join("report.md")).unwrap(), b"mine");
        assert_eq!(folder::list_folders(&folder).unwrap().len(), SHIPPED.len());
    }
}
