//! A Slurm cluster of the tests' own: one node of two processors on loopback, in its own folder, gone with the process that
//! started it.

use std::fmt::Write as _;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::program::tell_missing;

/// Programs of the packages `munge` and `slurm-wlm`.
const PROGRAMS: [&str; 6] = ["munged", "slurmctld", "slurmd", "sbatch", "sinfo", "squeue"];

/// Starts the three servers, and ends them when nobody holds the other end of its standard input any more.
const KEEPER: &str = "\
munged --foreground --force --key-file=\"$PWD/munge.key\" --socket=\"$PWD/munge.socket\" --pid-file=\"$PWD/munged.pid\" \
--seed-file=\"$PWD/munge.seed\" >munged.log 2>&1 & munged=$!
for turn in 1 2 3 4 5 6 7 8 9 10; do test -S munge.socket || sleep 0.3; done
slurmctld -D -f \"$PWD/slurm.conf\" >>slurmctld.log 2>&1 & controller=$!
slurmd -D -f \"$PWD/slurm.conf\" >>slurmd.log 2>&1 & node=$!
read -r line
scancel --full --state=RUNNING --partition=main; scancel --state=PENDING --partition=main
kill $node $controller; wait $node $controller
kill $munged; wait $munged
rm -rf \"$PWD\"
";

/// A running cluster. It ends, and its folder goes, when this is dropped or the process is gone.
pub(crate) struct SlurmCluster {
    folder: PathBuf,
    keeper: Child,
}

impl SlurmCluster {
    /// Starts one; `None`, said out loud, where Slurm or munge is not installed.
    pub(crate) fn start() -> Option<SlurmCluster> {
        let path = search_path();
        let is_there = |name: &str| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
        if let Some(missing) = PROGRAMS.iter().find(|&&name| !is_there(name)) {
            tell_missing(format_args!("Slurm, {missing} is missing (apt-get install slurm-wlm munge)"));
            return None;
        }
        let folder = tempfile::Builder::new().prefix("ishi-slurm").tempdir().unwrap().keep();
        write_files(&folder);
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", KEEPER]).current_dir(&folder).env("PATH", &path);
        shell.env("SLURM_CONF", folder.join("slurm.conf"));
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let keeper = shell.spawn().unwrap();
        let cluster = SlurmCluster { folder, keeper };
        cluster
            .wait_for("a node that is idle", || cluster.ask("sinfo", &["-h", "-o", "%t"]).trim() == "idle");
        Some(cluster)
    }

    /// Lets a command reach the cluster.
    pub(crate) fn reach<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("SLURM_CONF", self.folder.join("slurm.conf")).env("PATH", search_path())
    }

    /// Waits until no job is there any more.
    pub(crate) fn wait_until_done(&self) {
        self.wait_for("the end of all jobs", || self.ask("squeue", &["-h"]).trim().is_empty());
    }

    /// What a program of Slurm prints; what it complains of if it fails.
    fn ask(&self, program: &str, args: &[&str]) -> String {
        let output = self.reach(Command::new(program).args(args)).output().unwrap();
        let text = if output.status.success() { output.stdout } else { output.stderr };
        String::from_utf8_lossy(&text).into_owned()
    }

    fn wait_for(&self, what: &str, is_there: impl Fn() -> bool) {
        let start = Instant::now();
        while !is_there() {
            assert!(start.elapsed() < Duration::from_secs(90), "no {what}:\n{}", self.logs());
            std::thread::sleep(Duration::from_millis(300));
        }
    }

    fn logs(&self) -> String {
        let mut out = String::new();
        for name in ["munged.log", "slurmctld.log", "slurmd.log"] {
            let text = std::fs::read_to_string(self.folder.join(name)).unwrap_or_default();
            let _ = writeln!(out, "{name}:\n{text}");
        }
        out
    }
}

impl Drop for SlurmCluster {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

/// Debian has the servers where only root looks.
fn search_path() -> std::ffi::OsString {
    let mut path = std::env::var_os("PATH").unwrap_or_default();
    path.push(":/usr/sbin:/sbin");
    path
}

fn write_files(folder: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let key: Vec<u8> = (0..64).map(|place| place * 3 + 1).collect();
    std::fs::write(folder.join("munge.key"), key).unwrap();
    std::fs::set_permissions(folder.join("munge.key"), std::fs::Permissions::from_mode(0o600)).unwrap();
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    for name in ["state", "spool"] {
        std::fs::create_dir(folder.join(name)).unwrap();
    }
    std::fs::write(folder.join("slurm.conf"), settings(folder)).unwrap();
}

/// The servers listen on loopback alone, count processes by `/proc`, and need no control groups.
fn settings(folder: &std::path::Path) -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let host = host.trim().split('.').next().unwrap_or_default();
    let user = String::from_utf8(Command::new("id").arg("-un").output().unwrap().stdout).unwrap();
    let (user, folder) = (user.trim(), folder.display());
    let port = || TcpListener::bind("127.0.0.1:0").unwrap();
    let (controller, node) = (port(), port());
    let [controller, node] = [controller, node].map(|listener| listener.local_addr().unwrap().port());
    format!(
        "ClusterName=tests\n\
         SlurmctldHost={host}(127.0.0.1)\n\
         SlurmctldPort={controller}\n\
         SlurmdPort={node}\n\
         SlurmUser={user}\n\
         SlurmdUser={user}\n\
         AuthType=auth/munge\n\
         AuthInfo=socket={folder}/munge.socket\n\
         CredType=cred/munge\n\
         CommunicationParameters=NoInAddrAny\n\
         ProctrackType=proctrack/linuxproc\n\
         TaskPlugin=task/none\n\
         SwitchType=switch/none\n\
         MpiDefault=none\n\
         JobAcctGatherType=jobacct_gather/none\n\
         AccountingStorageType=accounting_storage/none\n\
         SelectType=select/cons_tres\n\
         SelectTypeParameters=CR_CPU\n\
         SchedulerParameters=sched_interval=1\n\
         SlurmdParameters=config_overrides\n\
         ReturnToService=2\n\
         StateSaveLocation={folder}/state\n\
         SlurmdSpoolDir={folder}/spool\n\
         SlurmctldPidFile={folder}/slurmctld.pid\n\
         SlurmdPidFile={folder}/slurmd.pid\n\
         NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\n\
         PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP\n"
    )
}
