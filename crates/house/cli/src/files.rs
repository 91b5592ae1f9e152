//! Files that commands read and write, and standard output.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use ishi_lab::source::TomlSource;
use serde::Serialize;

use crate::context::{Context, Failure, show_controls};
use crate::made_by;
use crate::samples::find_sample;
use crate::typed::{TypedInput, is_stop};

/// Longer files are refused, in bytes: a file without an end, such as a device, would fill the memory.
const LONGEST_FILE: u64 = 1 << 30;

/// Gives the bytes of a file that is named: from this machine, or from a database.
pub(crate) type ReadFile<'a> = dyn FnMut(&Path) -> Result<Vec<u8>, Failure> + 'a;

/// The bytes of a file, of standard input if the path is `-`, or of the sample that it names.
pub(crate) fn read_file_or_stdin(path: &Path) -> Result<Vec<u8>, Failure> {
    if let Some(sample) = find_sample(path) {
        return sample.map(<[u8]>::to_vec).map_err(Failure::Input);
    }
    let bytes =
        if is_standard(path) { read_to_limit(TypedInput::start(), LONGEST_FILE) } else { read_file(path) };
    bytes.map_err(|error| cannot_read(path, &error))
}

/// The bytes of a file, with the system's own error.
pub(crate) fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    read_to_limit(refuse_folder(fs::File::open(path)?)?, LONGEST_FILE)
}

fn read_to_limit(input: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let why = format!("it is longer than {limit} bytes, or has no end");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

/// As [`read_file_or_stdin`], unpacked if gzip has packed it.
pub(crate) fn read_unpacked(path: &Path) -> Result<Vec<u8>, Failure> {
    unpack_if_packed(read_file_or_stdin(path)?)
        .map_err(|error| Failure::input(format!("{}: damaged gzip: {error}", path.display())))
}

/// The bytes, unpacked if gzip has packed them. A small file may hold a huge one: what is longer than a file may be is refused.
pub(crate) fn unpack_if_packed(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    unpack_to_limit(bytes, LONGEST_FILE)
}

fn unpack_to_limit(bytes: Vec<u8>, limit: u64) -> io::Result<Vec<u8>> {
    // What gzip has packed begins like this.
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    read_to_limit(flate2::read::MultiGzDecoder::new(bytes.as_slice()), limit)
}

/// The text of a file, with the system's own error.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    let no_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it must be text in UTF-8");
    String::from_utf8(read_file(path)?).map_err(no_text)
}

/// The text of a file of the system, such as `/proc/meminfo`; nothing if there is none.
pub(crate) fn system_file_text(path: &str) -> Option<String> {
    read_text(Path::new(path)).ok()
}

/// A TOML file, whose errors say where they are.
pub(crate) fn read_toml(path: &Path) -> Result<TomlSource, Failure> {
    let bytes = read_file(path).map_err(|error| cannot_read(path, &error))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::input(format!("{}: it must be text in UTF-8", path.display())))?;
    Ok(TomlSource::new(path, text))
}

/// A file to be read bit by bit, standard input if the path is `-`, or the sample that it names. It seems to end after [`LONGEST_FILE`].
pub(crate) fn open_file_or_stdin(path: &Path) -> Result<Box<dyn Read>, Failure> {
    if let Some(sample) = find_sample(path) {
        return Ok(Box::new(sample.map_err(Failure::Input)?));
    }
    if is_standard(path) {
        return Ok(Box::new(TypedInput::start().take(LONGEST_FILE)));
    }
    let file = fs::File::open(path).and_then(refuse_folder).map_err(|error| cannot_read(path, &error))?;
    Ok(Box::new(file.take(LONGEST_FILE)))
}

/// Linux opens a folder like a file, and fails where it is read.
fn refuse_folder(file: fs::File) -> io::Result<fs::File> {
    if file.metadata()?.is_dir() {
        Err(io::Error::new(io::ErrorKind::IsADirectory, "it must be a file, and is a folder"))
    } else {
        Ok(file)
    }
}

/// A file of any length to be read bit by bit, with the system's own error.
pub(crate) fn open_file(path: &Path) -> io::Result<impl Read> {
    fs::File::open(path)
}

/// How long a file is, in bytes, and when it was written, with the system's own error.
pub(crate) fn read_length_and_time(path: &Path) -> io::Result<(u64, SystemTime)> {
    let found = fs::metadata(path)?;
    Ok((found.len(), found.modified()?))
}

/// A file to be read in parts.
pub(crate) fn open_seekable(path: &Path) -> Result<fs::File, Failure> {
    fs::File::open(path).and_then(refuse_folder).map_err(|error| cannot_read(path, &error))
}

/// What stands in a folder, in no order.
pub(crate) fn list_folder(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect());
    entries.map_err(|error| cannot_read(folder, &error))
}

fn cannot_read(path: &Path, error: &io::Error) -> Failure {
    let name = path.display();
    let words = match error.kind() {
        _ if path.as_os_str().is_empty() => {
            "cannot read a file whose name is empty: it must be named".to_string()
        }
        io::ErrorKind::IsADirectory => format!("cannot read {name}: it must be a file, and is a folder"),
        _ => format!("cannot read {name}: {error}"),
    };
    reading_failure(error, words)
}

/// What it means that reading failed: these words, unless Ctrl-C has ended the input.
pub(crate) fn reading_failure(error: &io::Error, words: String) -> Failure {
    if is_stop(error) { Failure::Interrupted } else { Failure::Outside(words) }
}

/// Makes a folder, with those that it stands in, if there is none.
pub(crate) fn make_folder(path: &Path) -> Result<(), Failure> {
    if path.exists() && !path.is_dir() {
        let name = path.display();
        return Err(Failure::outside(format!("cannot make the folder {name}: a file has this name")));
    }
    fs::create_dir_all(path)
        .map_err(|error| Failure::outside(format!("cannot make the folder {}: {error}", path.display())))
}

/// A folder that goes when the value is dropped.
pub(crate) fn create_temporary_folder() -> Result<tempfile::TempDir, Failure> {
    tempfile::tempdir().map_err(Failure::outside)
}

/// Bytes that lie in a temporary file, which nobody else finds and which is gone with this value. The file is made with the first bytes.
#[derive(Default)]
pub(crate) struct TemporaryFile {
    file: Option<fs::File>,
}

impl TemporaryFile {
    /// Writes bytes behind those that it has.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile()?),
        };
        file.seek(SeekFrom::End(0))?;
        file.write_all(bytes)
    }

    /// Reads as many bytes as are asked for, from a place on.
    pub(crate) fn read_at(&mut self, place: u64, bytes: &mut [u8]) -> io::Result<()> {
        let file = self.file.as_mut().ok_or(io::ErrorKind::UnexpectedEof)?;
        file.seek(SeekFrom::Start(place))?;
        file.read_exact(bytes)
    }
}

/// What tells this program from another build of the same version: how long its file is, and when that was written.
pub(crate) fn describe_build() -> Option<String> {
    let (length, written) = read_length_and_time(&std::env::current_exe().ok()?).ok()?;
    let written = written.duration_since(UNIX_EPOCH).ok()?;
    Some(format!("{length} bytes of {}.{:09}", written.as_secs(), written.subsec_nanos()))
}

/// Version and build of this program: another one may see a game otherwise.
pub(crate) fn describe_program() -> String {
    let build = describe_build().unwrap_or_else(|| "an unknown build".to_string());
    format!("ishi {} ({build})", env!("CARGO_PKG_VERSION"))
}

/// Removes a file that is of no more use; that it stays does no harm.
pub(crate) fn remove_if_possible(path: &Path) {
    let _ = fs::remove_file(path);
}

/// Adds to the end of a file; makes it if there is none.
pub(crate) fn append_to_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    open_to_append(path)
        .and_then(|mut file| file.write_all(bytes))
        .map_err(|error| Failure::outside(format!("cannot write {}: {error}", path.display())))
}

/// A file that goes on after its first `kept` bytes; a new one if there is none.
pub(crate) fn continue_file(path: &Path, kept: u64) -> io::Result<impl Write> {
    let file = open_to_append(path)?;
    file.set_len(kept)?;
    Ok(file)
}

fn open_to_append(path: &Path) -> io::Result<fs::File> {
    fs::OpenOptions::new().create(true).append(true).open(path)
}

/// Writes a file as a whole or not at all: beside its place first, then moved there. A file that exists is
/// replaced only by `force`; a device or a pipe is then written to, not replaced. The path `-` is standard output.
pub(crate) fn write_file(path: &Path, bytes: &[u8], force: bool) -> Result<(), Failure> {
    if is_standard(path) {
        return print_bytes(bytes);
    }
    check_writable(path, force)?;
    let name = path.display();
    write_or_replace(path, bytes, force)
        .map_err(|error| Failure::outside(format!("cannot write {name}: {error}")))
}

/// [`write_file()`] for records in SGF, which then say how they were made.
pub(crate) fn write_sgf(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    write_file(path, made_by::put_into_sgf(text).as_bytes(), force)
}

/// [`write_file()`] for pages in HTML, which then say how they were made.
pub(crate) fn write_page(path: &Path, page: &str, force: bool) -> Result<(), Failure> {
    write_file(path, made_by::put_into_page(page).as_bytes(), force)
}

/// [`write_file()`] for pictures in SVG, which then say how they were made.
pub(crate) fn write_picture(path: &Path, picture: &str, force: bool) -> Result<(), Failure> {
    write_file(path, made_by::put_into_picture(picture).as_bytes(), force)
}

/// [`write_file()`], where a file that has just these bytes already is no obstacle: so work can be done again that was killed after its last
/// write.
pub(crate) fn write_file_again(path: &Path, bytes: &[u8], force: bool) -> Result<(), Failure> {
    if !is_standard(path) && path.is_file() && fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    write_file(path, bytes, force)
}

/// Can a file be put there? Asked before long work, so that it is not done for nothing.
pub(crate) fn check_writable(path: &Path, force: bool) -> Result<(), Failure> {
    if is_standard(path) {
        return Ok(());
    }
    if !force && path.exists() {
        let name = path.display();
        return Err(Failure::input(format!("{name} exists: give another name, or --force to replace it")));
    }
    check_folder(path)
}

/// [`check_writable()`] for each file that an option names.
pub(crate) fn check_all_writable<'a>(
    paths: impl IntoIterator<Item = &'a PathBuf>,
    force: bool,
) -> Result<(), Failure> {
    paths.into_iter().try_for_each(|path| check_writable(path, force))
}

fn check_folder(path: &Path) -> Result<(), Failure> {
    let folder = folder_of(path);
    if folder.is_dir() {
        return Ok(());
    }
    Err(Failure::outside(format!(
        "cannot write {}: there is no folder {}: make it first",
        path.display(),
        folder.display()
    )))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// [`write_file()`] with the system's own error, for a path that is a path even if it is `-`.
pub(crate) fn write_or_replace(path: &Path, bytes: &[u8], force: bool) -> io::Result<()> {
    let special = fs::metadata(path).is_ok_and(|file| !file.is_file());
    if special { write_into(path, bytes) } else { replace_file(path, bytes, force) }
}

/// Writes to what stands there and is no regular file, such as `/dev/null`.
fn write_into(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).open(path)?;
    file.write_all(bytes)?;
    file.flush()
}

fn replace_file(path: &Path, bytes: &[u8], force: bool) -> io::Result<()> {
    let mut file = GrowingFile::begin_at(path)?;
    file.file_mut().write_all(bytes)?;
    file.move_into_place(force)
}

/// A file that grows beside its place and is moved there when it is whole.
pub(crate) struct GrowingFile {
    file: tempfile::NamedTempFile,
    path: PathBuf,
}

impl GrowingFile {
    pub(crate) fn begin_at(path: &Path) -> io::Result<GrowingFile> {
        // The mode of any new file: the umask takes rights away from it.
        GrowingFile::begin_with_mode(path, 0o666)
    }

    fn begin_with_mode(path: &Path, mode: u32) -> io::Result<GrowingFile> {
        Ok(GrowingFile { file: create_temporary_beside(path, mode)?, path: path.to_path_buf() })
    }

    pub(crate) fn file_mut(&mut self) -> &mut fs::File {
        self.file.as_file_mut()
    }

    /// Moves it to its place; a file that stands there is replaced only by `force`.
    pub(crate) fn move_into_place(self, force: bool) -> io::Result<()> {
        // Before the move, so that after a power failure the old file stands there, or the whole new one.
        self.file.as_file().sync_all()?;
        let path = &self.path;
        let moved = if force { self.file.persist(path) } else { self.file.persist_noclobber(path) };
        moved.map(drop).map_err(|error| error.error)
    }
}

/// Writes a whole file that nobody but its owner can read, beside its place first. It fails if there is one, unless `force` replaces it.
pub(crate) fn write_private_file(path: &Path, bytes: &[u8], force: bool) -> io::Result<()> {
    let mut file = GrowingFile::begin_with_mode(path, 0o600)?;
    file.file_mut().write_all(bytes)?;
    file.move_into_place(force)
}

/// Why the file is no secret of ours: other users can read or change it, or it is another's. `None` if it is one, or the system has no such rights.
pub(crate) fn find_openness(path: &Path) -> io::Result<Option<String>> {
    let file = fs::metadata(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let mode = file.mode() & 0o777;
        if mode & 0o077 != 0 {
            return Ok(Some(format!("other users have rights on it (mode {mode:03o})")));
        }
        if file.uid() != rustix::process::geteuid().as_raw() {
            return Ok(Some("it belongs to another user".to_string()));
        }
    }
    let _ = file;
    Ok(None)
}

/// May another user of this machine have put it there for us to find? Then it is neither ours nor the system's, and stands where everybody
/// may write, such as in `/tmp`. What a user names is never asked this.
pub(crate) fn may_be_planted(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let Ok(folder) = fs::metadata(folder_of(path)) else { return false };
        let own = rustix::process::geteuid().as_raw();
        // Of a link both count: who made it, and whose file it leads to.
        let owners = [fs::symlink_metadata(path), fs::metadata(path)].into_iter().flatten();
        owners.map(|file| file.uid()).any(|owner| is_planted(owner, own, folder.mode()))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

#[cfg(unix)]
fn is_planted(owner: u32, own: u32, folder_mode: u32) -> bool {
    const SYSTEM: u32 = 0;
    const EVERYBODY_WRITES: u32 = 0o002;
    owner != own && owner != SYSTEM && folder_mode & EVERYBODY_WRITES != 0
}

/// How the names of files begin that are not whole yet. The number of the process that writes it follows, then letters by chance.
const UNFINISHED: &str = ".ishi-";

fn create_temporary_beside(path: &Path, mode: u32) -> io::Result<tempfile::NamedTempFile> {
    remove_left_overs(folder_of(path));
    let prefix = format!("{UNFINISHED}{}-", std::process::id());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = mode;
    let file = builder.tempfile_in(folder_of(path))?;
    // Held as long as the file is written. Where there are no locks, the number of the process has to do.
    let _ = file.as_file().try_lock();
    Ok(file)
}

/// Removes what processes have left in a folder that were killed while they wrote there. A folder is looked at once.
fn remove_left_overs(folder: &Path) {
    static LOOKED_AT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    // Held to the end, so that no other thread begins a file there meanwhile.
    let mut looked_at = LOOKED_AT.lock().unwrap_or_else(PoisonError::into_inner);
    if !looked_at.insert(folder.to_path_buf()) {
        return;
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| is_left_over(path))
        .for_each(|path| remove_if_possible(&path));
}

/// Is it an unfinished file that nobody writes any more?
fn is_left_over(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
    let writer = name.strip_prefix(UNFINISHED).and_then(|rest| rest.split_once('-')?.0.parse::<u32>().ok());
    // In a container we may have the number of the one that was killed. In a folder of another machine only the lock tells.
    writer.is_some_and(|writer| writer == std::process::id() || !is_running(writer))
        && fs::symlink_metadata(path).is_ok_and(|file| file.is_file())
        && fs::File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

/// Is there a process of this number?
#[cfg(unix)]
fn is_running(process: u32) -> bool {
    let process = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
    let test = process.map(rustix::process::test_kill_process);
    test.is_some_and(|test| test != Err(rustix::io::Errno::SRCH))
}

/// Where that cannot be asked, the lock alone tells.
#[cfg(not(unix))]
fn is_running(_: u32) -> bool {
    false
}

/// Writes to standard output. A reader that has seen enough (`| head -1`) is no failure.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    // A file or another program gets every byte; a terminal obeys some.
    let bytes = match out.is_terminal() {
        true => Cow::Owned(show_controls(&String::from_utf8_lossy(bytes)).into_owned().into_bytes()),
        false => Cow::Borrowed(bytes),
    };
    match out.write_all(&bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::outside(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a result as indented JSON that says how it was made.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = made_by::to_json(value)?;
    print_bytes(format!("{text}\n").as_bytes())
}

/// Prints a result: with `--json` as [`print_json`] does, else as this text.
pub(crate) fn print_result(
    context: &Context,
    result: &impl Serialize,
    text: impl FnOnce() -> String,
) -> Result<(), Failure> {
    print_bytes(result_text(context, result, text)?.as_bytes())
}

/// [`print_result()`], unless the file that the command has written stands on standard output alone.
pub(crate) fn print_result_beside(
    out: Option<&Path>,
    context: &Context,
    result: &impl Serialize,
    text: impl FnOnce() -> String,
) -> Result<(), Failure> {
    if out.is_some_and(is_standard) { Ok(()) } else { print_result(context, result, text) }
}

/// What [`print_result`] prints.
pub(crate) fn result_text(
    context: &Context,
    result: &impl Serialize,
    text: impl FnOnce() -> String,
) -> Result<String, Failure> {
    if context.json { Ok(made_by::to_json(result)? + "\n") } else { Ok(text()) }
}

/// Is `-` given, standard input or output?
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

#[cfg(test)]
mod tests {
    use ishi_fuzz_targets::list_mutants;
    use ishi_rng::Seed;

    use super::*;

    #[test]
    fn a_file_without_end_is_refused() {
        assert_eq!(read_to_limit(io::repeat(0).take(5), 5).unwrap(), [0; 5]);
        let error = read_to_limit(io::repeat(0), 5).unwrap_err();
        assert_eq!(error.to_string(), "it is longer than 5 bytes, or has no end");
    }

    /// A file of ours in `/tmp`, one of the system, one of a friend in the friend's folder, and one of a stranger where everybody writes.
    #[cfg(unix)]
    #[test]
    fn what_a_stranger_put_where_everybody_writes_is_planted() {
        let (own, other, temporary, private) = (1000, 1001, 0o41777, 0o40755);
        assert!(!is_planted(own, own, temporary) && !is_planted(0, own, temporary));
        assert!(!is_planted(other, own, private) && is_planted(other, own, temporary));
        assert!(is_planted(other, 0, temporary), "also for the system's own user");
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("ishi.db");
        write_file(&path, b"", false).unwrap();
        assert!(!may_be_planted(&path) && !may_be_planted(place.path()));
        assert!(!may_be_planted(&place.path().join("none")));
    }

    /// Zeros are packed a thousandfold.
    #[test]
    fn a_bomb_is_not_unpacked() {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packer.write_all(&vec![0; 1 << 20]).unwrap();
        let packed = packer.finish().unwrap();
        assert!(packed.len() < 10_000);
        assert_eq!(unpack_to_limit(packed.clone(), 1 << 20).unwrap().len(), 1 << 20);
        let error = unpack_to_limit(packed, (1 << 20) - 1).unwrap_err();
        assert!(error.to_string().contains("longer than 1048575 bytes"), "{error}");
        assert_eq!(unpack_if_packed(b"plain".to_vec()).unwrap(), b"plain");
    }

    #[test]
    fn damaged_gzip_is_refused_or_short() {
        const LIMIT: u64 = 1 << 12;
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packer.write_all(&b"f5d6c3 and more ".repeat(60)).unwrap();
        let packed = packer.finish().unwrap();
        let twice = packed.repeat(2);
        for mutant in list_mutants(&[&packed, &twice], &["\u{1f}\u{8b}"], Seed::new(1), 500) {
            let is_packed = mutant.starts_with(&[0x1f, 0x8b]);
            match unpack_to_limit(mutant.clone(), LIMIT) {
                Ok(bytes) if is_packed => assert!(bytes.len() as u64 <= LIMIT),
                Ok(bytes) => assert_eq!(bytes, mutant),
                Err(error) => assert!(is_packed, "{error}"),
            }
        }
    }

    #[test]
    fn files_are_written_whole_and_replaced_only_by_force() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.sgf");
        write_file(&path, b"one", false).unwrap();
        let error = write_file(&path, b"two", false).unwrap_err();
        assert_eq!(error.exit_code(), 3);
        assert_eq!(fs::read(&path).unwrap(), b"one");
        write_file(&path, b"two", true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
        let error = write_file(&folder.path().join("no/such/folder.sgf"), b"", false).unwrap_err();
        assert_eq!(error.exit_code(), 4);
        assert!(
            error.to_string().contains("there is no folder") && !error.to_string().contains(".ishi-"),
            "{error}"
        );
    }

    #[test]
    fn left_overs_of_killed_processes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: String| {
            let path = folder.path().join(name);
            fs::write(&path, "half").unwrap();
            path
        };
        let dead = i32::MAX;
        let gone = [format!(".ishi-{dead}-abcdef"), format!(".ishi-{}-abcdef", std::process::id())].map(file);
        let held = file(format!(".ishi-{dead}-locked"));
        let writer = fs::File::open(&held).unwrap();
        writer.try_lock().unwrap();
        let others = [".ishi-1-abcdef", ".ishi-notes", "game.sgf"].map(|name| file(name.to_string()));
        write_file(&folder.path().join("out.sgf"), b"whole", false).unwrap();
        assert!(gone.iter().all(|path| !path.exists()), "{gone:?}");
        assert!(held.exists() && others.iter().all(|path| path.exists()), "of those that run, and of others");
    }

    #[test]
    fn the_same_bytes_may_be_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("player.txt");
        write_file_again(&path, b"one", false).unwrap();
        write_file_again(&path, b"one", false).unwrap();
        assert_eq!(write_file_again(&path, b"two", false).unwrap_err().exit_code(), 3);
    }

    #[cfg(unix)]
    #[test]
    fn private_files_are_for_their_owner_only() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        write_private_file(&path, b"one", false).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(find_openness(&path).unwrap(), None);
        assert!(write_private_file(&path, b"two", false).is_err());
        write_private_file(&path, b"two", true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        for mode in [0o644, 0o620, 0o604] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let why = find_openness(&path).unwrap().unwrap();
            assert!(why.contains(&format!("{mode:o}")), "{why}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    }

    /// Were it replaced, `-o /dev/null --force` by root would leave a machine without its device.
    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_is_written_to_and_not_replaced() {
        use std::os::unix::fs::FileTypeExt;
        use std::os::unix::net::UnixListener;
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        assert_eq!(
            write_file(&socket, b"bytes", true).unwrap_err().exit_code(),
            4,
            "a socket is not opened like a file"
        );
        assert!(fs::metadata(&socket).unwrap().file_type().is_socket());
        assert_eq!(write_file(folder.path(), b"bytes", true).unwrap_err().exit_code(), 4);
        assert!(folder.path().is_dir());
    }
}
