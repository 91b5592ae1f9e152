//! A file of labels that grows line by line.
//!
//! It begins with lines that say what it is: who judges, and what decides which positions are judged and how. Whoever goes on with
//! it must have the same, so that a file never holds a mixture. A line that was cut off by a kill is taken away and judged again.
//! Each line ends with its checksum.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ishi_rng::Seed;
use ishi_rng::checksum::seal_line;

use super::LabelsError;
use super::judge::PolicySource;
use super::label::{self, COLUMNS};
use super::plan::Moment;

/// How often, and how long apart, a lock is tried for.
const LOCK_TRIES: u32 = 50;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// The first line, the version last.
const FORMAT: &str = "# ishi-labels-2";
/// That of files without checksums.
const OLD_FORMAT: &str = "# ishi-labels-1";
const JUDGE: &str = "# judge: ";
const SETTINGS: &str = "# settings: ";
const REFUSED: &str = "# refused: ";

/// What is wrong with a line of a file whose lines have checksums.
pub const NO_CHECKSUM_COLUMN: &str = "checksum: it must stand in the last column";

/// Must each label of this file have its checksum? Files of older versions, and those of other programs, have none.
#[must_use]
pub fn labels_have_checksums(text: &str) -> bool {
    text.lines().next() == Some(FORMAT)
}

/// What decides which positions are judged, and how. A file has one of each.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelSettings {
    /// Checksum of the games' text.
    pub games: u64,
    /// Games that are left out at the beginning.
    pub skip: usize,
    /// Games that are taken after them; all if there is no number.
    pub take: Option<usize>,
    /// Visits of each position.
    pub visits: u64,
    /// Where the policy comes from.
    pub policy: PolicySource,
    /// The rules by their name.
    pub rules: String,
    /// The seed.
    pub seed: Seed,
    /// Share of positions after a pass that the games do not have.
    pub passes: f64,
}

impl LabelSettings {
    /// The settings as `name value` in the order of the file.
    fn to_items(&self) -> Vec<String> {
        let take = self.take.map_or("all".to_string(), |take| take.to_string());
        vec![
            format!("games {:016x}", self.games),
            format!("skip {}", self.skip),
            format!("take {take}"),
            format!("visits {}", self.visits),
            format!("policy {}", self.policy.name()),
            format!("rules {}", self.rules),
            format!("seed {}", self.seed),
            format!("passes {}", self.passes),
        ]
    }
}

/// Whether the file is this program's alone, as far as the system can tell. A process that has just been forked holds every lock of its
/// parent until it becomes another program, so one refusal says nothing.
fn lock_for_writing(file: &File) -> bool {
    let is_taken = || matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock));
    for _ in 1..LOCK_TRIES {
        if !is_taken() {
            return true;
        }
        std::thread::sleep(LOCK_PAUSE);
    }
    !is_taken()
}

/// A file of labels, open for more.
#[derive(Debug)]
pub struct LabelFile {
    path: PathBuf,
    file: File,
    places: BTreeSet<(String, Moment)>,
    refused: usize,
}

impl LabelFile {
    /// Opens the file, or begins it. Nobody else may write to it at the same time.
    ///
    /// # Errors
    /// If it holds something else, or labels of another judge or with other settings; if it cannot be read or written.
    pub fn open(
        path: &Path,
        settings: &LabelSettings,
        judge: &str,
        command: &str,
    ) -> Result<LabelFile, LabelsError> {
        let failed = |what, error| LabelsError::File { what, path: path.display().to_string(), error };
        let open = OpenOptions::new().append(true).create(true).open(path);
        let file = open.map_err(|error| failed("write", error))?;
        if !lock_for_writing(&file) {
            let problem = "another program writes labels to it; give another name, or wait for its end";
            return Err(LabelsError::Input(format!("{}: {problem}", path.display())));
        }
        let bytes = fs::read(path).map_err(|error| failed("read", error))?;
        let mut labels = LabelFile { path: path.to_path_buf(), file, places: BTreeSet::new(), refused: 0 };
        let head = file_header(settings, judge, command);
        if head.as_bytes().starts_with(&bytes) {
            // New, or killed before its head was whole.
            labels
                .file
                .set_len(0)
                .and_then(|()| labels.file.write_all(head.as_bytes()))
                .map_err(|error| failed("write", error))?;
            return Ok(labels);
        }
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = std::str::from_utf8(&bytes[..whole])
            .map_err(|_| LabelsError::Input(format!("{}: it must be text in UTF-8", path.display())))?;
        labels.read_existing(text, settings, judge)?;
        labels.file.set_len(whole as u64).map_err(|error| failed("write", error))?;
        Ok(labels)
    }

    /// Notes what the file has already.
    fn read_existing(
        &mut self,
        text: &str,
        settings: &LabelSettings,
        judge: &str,
    ) -> Result<(), LabelsError> {
        let wrong = |problem: String| LabelsError::Input(format!("{}: {problem}", self.path.display()));
        if text.lines().next() == Some(OLD_FORMAT) {
            let problem = "begun by an older ishi, without checksums: `ishi go positions` still reads it; give another name \
                           for more labels";
            return Err(wrong(problem.to_string()));
        }
        if text.lines().next() != Some(FORMAT) {
            return Err(wrong("it exists and holds no labels of `ishi go label`; give another name".into()));
        }
        let after = |head: &str| text.lines().find_map(|line| line.strip_prefix(head)).unwrap_or_default();
        let differs = setting_differences(after(SETTINGS), settings)
            .into_iter()
            .chain((after(JUDGE) != judge).then(|| format!("judge {} (now {judge})", after(JUDGE))));
        let differs: Vec<String> = differs.collect();
        if !differs.is_empty() {
            let problem = format!("begun with {}; give another name for these labels", differs.join(", "));
            return Err(wrong(problem));
        }
        let mut places = BTreeSet::new();
        for (number, line) in text.lines().enumerate() {
            let wrong_line = |error: String| wrong(format!("line {}, {error}", number + 1));
            // Of remarks, too: a damaged line may look like one.
            let (line, has_checksum) =
                label::split_checksum_column(line).map_err(|error| wrong_line(error.to_string()))?;
            let refused = line.strip_prefix(REFUSED);
            if line.starts_with('#') && refused.is_none() || line.trim().is_empty() {
                continue;
            }
            let (game, moment) =
                label::read_place(refused.unwrap_or(line)).map_err(|error| wrong_line(error.to_string()))?;
            if !has_checksum {
                return Err(wrong_line(NO_CHECKSUM_COLUMN.to_string()));
            }
            places.insert((game.to_string(), moment));
            self.refused += usize::from(refused.is_some());
        }
        self.places = places;
        Ok(())
    }

    /// Has this position its line?
    #[must_use]
    pub fn has_position(&self, game: &str, moment: Moment) -> bool {
        // The set wants a pair that owns its text.
        self.places.contains(&(game.to_string(), moment))
    }

    /// Positions that have their line, refused ones among them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Has it no label yet?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Positions that the judge refused.
    #[must_use]
    pub fn refused_count(&self) -> usize {
        self.refused
    }

    /// Adds the line of a label, given without its end.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add_label(&mut self, game: &str, moment: Moment, line: &str) -> Result<(), LabelsError> {
        self.write_line(line)?;
        self.places.insert((game.to_string(), moment));
        Ok(())
    }

    /// Adds a line that says that the judge refuses the position, so that it is not asked again.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add_refusal(&mut self, game: &str, moment: Moment, why: &str) -> Result<(), LabelsError> {
        let why = why.replace(['\t', '\n', '\r'], " ");
        self.write_line(&format!("{REFUSED}{game}\t{moment}\t{why}"))?;
        self.places.insert((game.to_string(), moment));
        self.refused += 1;
        Ok(())
    }

    /// A line with its checksum at once, so that a kill loses none that is written.
    fn write_line(&mut self, line: &str) -> Result<(), LabelsError> {
        let failed = |error: io::Error| LabelsError::File {
            what: "write",
            path: self.path.display().to_string(),
            error,
        };
        let line = seal_line(line, '\t') + "\n";
        self.file.write_all(line.as_bytes()).map_err(failed)
    }
}

fn file_header(settings: &LabelSettings, judge: &str, command: &str) -> String {
    let settings = settings.to_items().join(", ");
    format!(
        "{FORMAT}\n{JUDGE}{judge}\n# started as: {command}\n{SETTINGS}{settings}\n\
         # To go on, give the same command again: `ishi go label` judges what is not here yet.\n\
         # columns, separated by tabs: {COLUMNS}, checksum\n"
    )
}

/// Settings that the file has otherwise: as it has them.
fn setting_differences(found: &str, settings: &LabelSettings) -> Vec<String> {
    let mut found: Vec<&str> = found.split(", ").collect();
    if !found.iter().any(|item| item.starts_with("passes ")) {
        // Begun before there were such positions.
        found.push("passes 0");
    }
    let items = settings.to_items();
    let differs = items.iter().filter(|item| !found.contains(&item.as_str()));
    let named = |item: &String| {
        let name = item.split(' ').next().unwrap_or_default();
        let other = found.iter().find(|other| other.split(' ').next() == Some(name));
        format!("{} (now {item})", other.copied().unwrap_or("no such setting"))
    };
    differs.map(named).collect()
}
