//! What a program is beside what it says of itself: the contents of its file, and of the files that its command names.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use ishi_arena::process::EngineCommand;

use crate::context::Failure;
use crate::digest::hex_digest_of_reader;
use crate::files;

/// What tells the tasks of one program from those of another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ProgramsBy {
    /// Their files: the program's, and those that its command names
    #[default]
    Contents,
    /// What they say of themselves: name and version
    Version,
}

/// `contents` or `version`.
impl std::fmt::Display for ProgramsBy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            ProgramsBy::Contents => "contents",
            ProgramsBy::Version => "version",
        })
    }
}

impl ProgramsBy {
    /// The files of a program that is about to be started for the first time.
    pub(crate) fn find_files(self, command: &EngineCommand) -> ProgramFiles {
        let found = match self {
            ProgramsBy::Contents => command.find_files(),
            ProgramsBy::Version => Vec::new(),
        };
        let stamped = found.into_iter().filter_map(|(word, path)| Some((word, FileStamp::read(&path).ok()?)));
        ProgramFiles(stamped.collect())
    }
}

/// A file as the system shows it without its being read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FileStamp {
    path: PathBuf,
    length: u64,
    written: SystemTime,
}

impl FileStamp {
    fn read(path: &Path) -> io::Result<FileStamp> {
        let (length, written) = files::read_length_and_time(path)?;
        Ok(FileStamp { path: path.to_path_buf(), length, written })
    }

    /// The checksum of the contents. A file is read once, as networks are large and a tuning asks for them at every step.
    fn digest(&self) -> io::Result<String> {
        static KNOWN: Mutex<BTreeMap<FileStamp, String>> = Mutex::new(BTreeMap::new());
        let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(digest) = known().get(self) {
            return Ok(digest.clone());
        }
        let digest = hex_digest_of_reader(files::open_file(&self.path)?)?;
        known().insert(self.clone(), digest.clone());
        Ok(digest)
    }
}

/// The files of a program, as they were before it was started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ProgramFiles(Vec<(String, FileStamp)>);

impl ProgramFiles {
    /// Their words and SHA-256 sums, once the program was tried out; empty without files. What has changed by then is what the program
    /// writes, such as a log, and none of what its moves follow from.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(crate) fn describe_contents(&self) -> Result<String, Failure> {
        let is_read = |stamp: &FileStamp| FileStamp::read(&stamp.path).is_ok_and(|now| now == *stamp);
        let describe = |(word, stamp): &(String, FileStamp)| {
            let digest = stamp.digest().map_err(|error| {
                Failure::outside(format!(
                    "cannot read {}, a file of a program: {error}; with --programs-by version nothing of it is read",
                    stamp.path.display()
                ))
            })?;
            Ok::<String, Failure>(format!("{word} {digest}"))
        };
        let files = self.0.iter().filter(|(_, stamp)| is_read(stamp)).map(describe);
        Ok(files.collect::<Result<Vec<String>, Failure>>()?.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::digest::hex_digest;

    #[test]
    fn a_program_is_its_file_and_those_that_its_command_names() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name).display().to_string();
        let (engine, net, log) = (place("engine"), place("net.bin"), place("a.log"));
        for (path, text) in [(&engine, "one"), (&net, "weights"), (&log, "")] {
            fs::write(path, text).unwrap();
        }
        let command: EngineCommand = format!("{engine} --net={net} --log {log}").parse().unwrap();
        let files = ProgramsBy::Contents.find_files(&command);
        fs::write(&log, "it was started").unwrap();
        let told = files.describe_contents().unwrap();
        assert_eq!(told, format!("{engine} {}, {net} {}", hex_digest(b"one"), hex_digest(b"weights")));

        fs::write(&net, "other weights").unwrap();
        let other = ProgramsBy::Contents.find_files(&command).describe_contents().unwrap();
        assert!(other.contains(&hex_digest(b"other weights")), "{other}");
        assert_eq!(ProgramsBy::Version.find_files(&command).describe_contents().unwrap(), "");
    }

    /// It may be started all the same: the error says how to go on.
    #[cfg(unix)]
    #[test]
    fn a_program_that_may_not_be_read_is_named() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let engine = folder.path().join("engine");
        fs::write(&engine, "one").unwrap();
        fs::set_permissions(&engine, fs::Permissions::from_mode(0o111)).unwrap();
        if fs::File::open(&engine).is_ok() {
            eprintln!("skipped: this user may read every file");
            return;
        }
        let command: EngineCommand = engine.display().to_string().parse().unwrap();
        let error = ProgramsBy::Contents.find_files(&command).describe_contents().unwrap_err().to_string();
        assert!(error.contains("engine, a file of a program") && error.contains("--programs-by"), "{error}");
    }

    #[test]
    fn a_long_file_is_read_in_pieces() {
        let bytes: Vec<u8> = (0..200_000_u32).map(|number| (number % 251) as u8).collect();
        assert_eq!(hex_digest_of_reader(bytes.as_slice()).unwrap(), hex_digest(&bytes));
    }
}
