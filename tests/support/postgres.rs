//! A PostgreSQL server of the tests' own: in its own folder, on loopback, gone with the process that started it.

#![allow(dead_code)] // Three executables of tests use it, each a part.

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Who runs the server where the tests run as root, which it refuses: `nobody`.
const NOBODY: u32 = 65534;

/// What the superuser of the server logs in with.
pub(crate) const PASSWORD: &str = "of the tests";

/// A running server. It ends, and its folder goes, when this is dropped or the process is gone.
pub(crate) struct PostgresServer {
    pub(crate) port: u16,
    folder: PathBuf,
    programs: PathBuf,
    keeper: Option<Child>,
}

/// The folder with `postgres` and `initdb`.
fn find_programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let debian = Path::new("/usr/lib/postgresql").read_dir().into_iter().flatten();
    let debian = debian.filter_map(|entry| Some(entry.ok()?.path().join("bin")));
    let has_both = |folder: &PathBuf| folder.join("postgres").is_file() && folder.join("initdb").is_file();
    debian.chain(std::env::split_paths(&path)).find(has_both)
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.starts_with(b"0\n"))
}

fn as_server_user(command: &mut Command) -> &mut Command {
    if is_root() { command.uid(NOBODY).gid(NOBODY) } else { command }
}

/// The server that all tests of a process share, or that `.ci/run` has started for all processes; `None`, said out loud, where there is no
/// PostgreSQL.
pub(crate) fn shared_server() -> Option<&'static PostgresServer> {
    static SERVER: OnceLock<Option<PostgresServer>> = OnceLock::new();
    SERVER.get_or_init(|| PostgresServer::running().or_else(|| PostgresServer::start(&[]))).as_ref()
}

/// Does the same with an empty SQLite file and with an empty database of a PostgreSQL server, where there is one.
pub(crate) fn for_each_database(test: impl Fn(&Path)) {
    let folder = tempfile::tempdir().unwrap();
    test(&folder.path().join("ishi.db"));
    if let Some(server) = shared_server() {
        test(Path::new(&server.new_database()));
    }
}

impl PostgresServer {
    /// The server of the port in `ISHI_TEST_POSTGRES`, where that is set: whoever has started it ends it.
    fn running() -> Option<PostgresServer> {
        let port = std::env::var("ISHI_TEST_POSTGRES").ok()?;
        let port = port.parse().unwrap_or_else(|_| panic!("ISHI_TEST_POSTGRES: {port:?} is no port"));
        Some(PostgresServer { port, folder: PathBuf::new(), programs: find_programs()?, keeper: None })
    }

    /// Starts a server with settings besides the usual ones, such as `ssl=on`.
    pub(crate) fn start(settings: &[&str]) -> Option<PostgresServer> {
        let Some(programs) = find_programs() else {
            let _ = writeln!(std::io::stderr(), "SKIPPED: needs PostgreSQL (apt-get install postgresql)");
            return None;
        };
        let folder = tempfile::Builder::new().prefix("ishi-postgres").tempdir().unwrap().keep();
        std::fs::write(folder.join("password"), PASSWORD).unwrap();
        if is_root() {
            for path in [folder.clone(), folder.join("password")] {
                std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
            }
        }
        let mut init = Command::new(programs.join("initdb"));
        init.args(["--no-sync", "-A", "scram-sha-256", "-U", "ishi", "-E", "UTF8", "--locale=C.UTF-8"]);
        init.arg("--pwfile").arg(folder.join("password")).arg("-D").arg(folder.join("data"));
        let made = as_server_user(init.current_dir(&folder)).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut server = PostgresServer { port, folder, programs, keeper: None };
        server.run(settings);
        Some(server)
    }

    /// The folder that the server may read.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Starts the server, again if it was killed. A shell that reads from a pipe of ours ends it when we are gone, and waits for it: as
    /// long as nobody has, the next one takes it for alive.
    pub(crate) fn run(&mut self, settings: &[&str]) {
        self.run_with(settings, |_| {});
    }

    /// As [`PostgresServer::run`]; the command that starts it is changed before.
    pub(crate) fn run_with(&mut self, settings: &[&str], change: impl FnOnce(&mut Command)) {
        let settings: String = settings.iter().map(|setting| format!(" -c {setting}")).collect();
        let script = format!(
            "\"$0\"/postgres -D data -k \"$PWD\" -h 127.0.0.1 -p {} -c fsync=off -c max_connections=50{settings} \
             2>>log & echo $! >pid; read -r line; test \"$line\" = leave || kill -INT $(cat pid); wait; test \"$line\" = leave || rm -rf \"$PWD\"",
            self.port
        );
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &script]).arg(&self.programs).current_dir(&self.folder);
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        change(&mut shell);
        self.keeper = Some(as_server_user(&mut shell).spawn().unwrap());
        let start = Instant::now();
        while !self.answers() {
            assert!(start.elapsed() < Duration::from_secs(60), "{}", self.log());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn answers(&self) -> bool {
        TcpStream::connect(("127.0.0.1", self.port)).is_ok() && self.ask("postgres", "SELECT 1").is_ok()
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    /// Kills the server as a failing machine would; [`PostgresServer::run`] starts it again.
    pub(crate) fn kill(&mut self) {
        let mut keeper = self.keeper.take().unwrap();
        let pid = std::fs::read_to_string(self.folder.join("pid")).unwrap();
        let children = std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", pid.trim()));
        let killed = Command::new("kill").args(["-KILL", pid.trim()]).status().unwrap();
        assert!(killed.success());
        let _ = keeper.stdin.take().unwrap().write_all(b"leave\n");
        keeper.wait().unwrap();
        // Its children notice, and leave the memory that they share. Before that no other server can begin.
        std::thread::sleep(Duration::from_secs(1));
        let start = Instant::now();
        let status = |child: &str| std::fs::read_to_string(format!("/proc/{child}/status"));
        let is_left = |child: &str| status(child).is_ok_and(|status| !status.contains("State:\tZ"));
        while children.as_deref().is_ok_and(|children| children.split_whitespace().any(is_left)) {
            assert!(start.elapsed() < Duration::from_secs(60), "children of the killed server are left");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// What `psql` prints for a statement.
    pub(crate) fn ask(&self, database: &str, sql: &str) -> Result<String, String> {
        let mut psql = Command::new(self.psql());
        psql.args([
            "-X",
            "-A",
            "-t",
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
            "-h",
            "127.0.0.1",
            "-U",
            "ishi",
            "-d",
            database,
        ]);
        psql.args(["-p", &self.port.to_string(), "-c", sql]).env("PGPASSWORD", PASSWORD);
        let output = psql.output().map_err(|error| error.to_string())?;
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }

    /// A new, empty database whose tables lie on a disk of so many megabytes; `None`, said out loud, where no disk can be mounted.
    pub(crate) fn new_database_on_small_disk(&self, megabytes: u32) -> Option<(String, SmallDisk)> {
        let disk = SmallDisk::mount(self.folder.join("disk"), megabytes)?;
        let place = disk.0.display();
        self.ask("postgres", &format!("CREATE TABLESPACE small LOCATION '{place}'")).unwrap();
        self.ask("postgres", "CREATE DATABASE on_small_disk TABLESPACE small").unwrap();
        Some((self.address("on_small_disk"), disk))
    }

    fn psql(&self) -> PathBuf {
        let beside = self.programs.join("psql");
        if beside.is_file() { beside } else { PathBuf::from("psql") }
    }

    /// The address of a new, empty database, its password in it. Other processes may have databases of theirs on the same server.
    pub(crate) fn new_database(&self) -> String {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        // A long run of tests has processes with the same number, one after the other.
        let time = std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_micros());
        let name = format!("t{}_{time}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        self.ask("postgres", &format!("CREATE DATABASE {name}")).unwrap();
        self.address(&name)
    }

    /// The address of a database.
    pub(crate) fn address(&self, database: &str) -> String {
        let password = PASSWORD.replace(' ', "%20");
        format!("postgres://ishi:{password}@127.0.0.1:{}/{database}", self.port)
    }
}

/// A disk in memory. It goes when this is dropped.
pub(crate) struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Only the superuser may mount one.
    fn mount(folder: PathBuf, megabytes: u32) -> Option<SmallDisk> {
        std::fs::create_dir(&folder).unwrap();
        let options = format!("size={megabytes}m,mode=700,uid={NOBODY},gid={NOBODY}");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(&folder).stderr(Stdio::null());
        if is_root() && mount.status().is_ok_and(|status| status.success()) {
            return Some(SmallDisk(folder));
        }
        let _ = writeln!(std::io::stderr(), "SKIPPED: needs the right to mount a disk in memory (root)");
        None
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Files of the server may be open: the disk goes with the last of them.
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        if let Some(mut keeper) = self.keeper.take() {
            drop(keeper.stdin.take());
            let _ = keeper.wait();
        }
    }
}
