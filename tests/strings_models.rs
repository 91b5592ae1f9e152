//! `ishi strings export` and `ishi strings mip` as a user meets them, with real solvers and proof checkers where they are
//! installed.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::support::program::{run_tool, tell_missing};

fn strings(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
    command.current_dir(folder).args(["--quiet", "strings"]).args(args);
    command
}

fn ok(folder: &Path, args: &[&str]) -> String {
    let output = strings(folder, args).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {}\n{errors}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// Exit code and message.
fn refused(folder: &Path, args: &[&str]) -> (i32, String) {
    let output = strings(folder, args).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn models_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let lp = ok(folder, &["export", "9", "--format", "lp"]);
    assert!(lp.contains(" liberty_5_5: x_5_5 + x_5_4 + x_4_5 + x_6_5 + x_5_6 <= 4\n"), "{lp}");
    assert!(!lp.contains("corner") && !lp.contains("order"), "{lp}");
    let cut = ok(folder, &["export", "9", "--format", "lp", "--formulation", "ishi"]);
    assert!(cut.contains(" corner_1_9: x_1_9 + x_2_9 + x_1_8 = 2\n"), "{cut}");
    assert!(cut.contains(" order_5_4_4_5: x_5_4 - x_4_5 <= 0\n"), "{cut}");
    assert_eq!(ok(folder, &["export", "9x13", "--format", "mps", "--out", "a.mps"]), "");
    let mps = std::fs::read_to_string(folder.join("a.mps")).unwrap();
    assert_eq!(mps.matches(" obj -1\n").count(), 9 * 13);
    let cnf = ok(folder, &["export", "6", "--format", "cnf", "--strings", "27"]);
    let head = cnf.lines().find(|line| line.starts_with("p cnf ")).unwrap();
    let clauses: usize = head.split(' ').next_back().unwrap().parse().unwrap();
    assert_eq!(cnf.lines().filter(|line| line.ends_with(" 0")).count(), clauses, "{head}");
    assert!(ok(folder, &["export", "6", "--format", "opb"]).starts_with("* #variable= 36 #constraint= 36\n"));
    // A file is not lost.
    let (code, message) = refused(folder, &["export", "9", "--format", "mps", "--out", "a.mps"]);
    assert_eq!(code, 3);
    assert!(message.contains("a.mps exists"), "{message}");
    ok(folder, &["export", "9", "--format", "mps", "--out", "a.mps", "--force"]);
}

#[test]
fn mistakes_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let cases: &[(&[&str], i32, &str)] = &[
        (&["export", "6", "--format", "cnf"], 3, "with --strings K"),
        (
            &["export", "6", "--format", "lp", "--strings", "37"],
            3,
            "37 strings: a board of 6x6 has 36 points",
        ),
        (&["export", "0", "--format", "lp"], 2, "write lines such as 19"),
        (&["export", "101", "--format", "lp"], 2, "1 to 100 each"),
        (
            &["export", "6", "--format", "lp", "--formulation", "1"],
            2,
            "section-2 (or 2), section-3 (or 3) or ishi",
        ),
        (
            &["mip", "6", "--solver", "cplex"],
            2,
            "is no solver: it must be one of highs, scip, cp-sat, cbc, glpk",
        ),
    ];
    for (args, code, words) in cases {
        let (found, message) = refused(folder.path(), args);
        assert_eq!(found, *code, "{args:?}: {message}");
        assert!(message.contains(words), "{args:?}: {message}");
    }
}

/// Nothing in PATH.
#[test]
fn without_a_solver_the_packages_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let output = strings(folder.path(), &["mip", "8"]).env("PATH", folder.path()).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(4), "{message}");
    for words in ["highspy", "pyscipopt", "ortools", "coinor-cbc", "glpk-utils"] {
        assert!(message.contains(words), "{message}");
    }
}

/// Every solver that is there finds the published values (Alanko et al. 2011) by all formulations.
#[test]
fn installed_solvers_find_the_maximum() {
    let folder = tempfile::tempdir().unwrap();
    let mut found = 0;
    for solver in ["highs", "scip", "cp-sat", "cbc", "glpk"] {
        for (size, formulation, points, maximum) in
            [("8", "2", 64, 48), ("8", "section-3", 64, 48), ("8", "ishi", 64, 48), ("5x7", "3", 35, 26)]
        {
            let args = ["mip", size, "--formulation", formulation, "--solver", solver, "--json"];
            let output = strings(folder.path(), &args).output().unwrap();
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            if output.status.code() == Some(4) && message.contains("is not installed") {
                tell_missing(format_args!("{solver}; ishi strings mip --help names its package"));
                break;
            }
            assert!(output.status.success(), "{args:?}: {message}");
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(
                (&report["status"], &report["solver"]),
                (&"optimal".into(), &solver.into()),
                "{report}"
            );
            assert_eq!(
                (report["strings"].as_u64(), report["bound"].as_u64()),
                (Some(maximum), Some(maximum))
            );
            assert!(
                report["cpu_seconds"].as_f64().unwrap() >= 0.0 && report["version"].is_string(),
                "{report}"
            );
            let rows: Vec<&str> =
                report["board"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
            let stones = rows.concat().bytes().filter(|&letter| letter != b'.').count() as u64;
            assert_eq!((rows.concat().len(), stones), (points, maximum), "{rows:?}");
            found += 1;
        }
    }
    assert!(
        found != 0 || run_tool(folder.path(), "cbc", &["-quit"]).is_none(),
        "CBC is there and was not found"
    );
}

/// MPS and OPB, which `mip` does not use with these solvers, are read by others just as well.
#[test]
fn other_formats_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for formulation in ["section-2", "section-3", "ishi"] {
        let export = |format: &str, name: &str, more: &[&str]| {
            let args =
                ["export", "7", "--format", format, "--formulation", formulation, "--force", "--out", name];
            ok(folder, &[&args, more].concat());
        };
        export("mps", "7.mps", &[]);
        match run_tool(folder, "glpsol", &["--freemps", "7.mps", "-o", "report"]) {
            None => tell_missing("glpsol (Debian's package glpk-utils)"),
            Some(said) => {
                let report = std::fs::read_to_string(folder.join("report")).unwrap();
                assert!(
                    report.contains("INTEGER OPTIMAL") && report.contains("obj = -37 (MINimum)"),
                    "{said}"
                );
            }
        }
        for (strings, answer) in [("38", "s UNSATISFIABLE"), ("37", "s SATISFIABLE")] {
            export("opb", "7.opb", &["--strings", strings]);
            match run_tool(folder, "minisat+", &["-v0", "7.opb"]) {
                None => tell_missing("minisat+ (Debian's package)"),
                Some(said) => assert!(said.contains(answer), "{strings}: {said}"),
            }
        }
    }
}

/// The command line of a checker and its verdict on a proof that it accepts.
const CHECKERS: [(&str, &[&str], &str); 3] = [
    ("drat-trim", &["7.cnf", "7.drat"], "s VERIFIED"),
    ("rate", &["7.cnf", "7.drat"], "s VERIFIED"),
    (
        "python3",
        &[
            "-c",
            "import dratify; f = dratify.parse_dimacs(open('7.cnf').read()); \
             print('s VERIFIED' if dratify.check_proof(f, open('7.drat').read()).ok else 's NOT VERIFIED')",
        ],
        "s VERIFIED",
    ),
];

/// "No board has one string more" is proved by a SAT solver, and a checker that knows nothing of either accepts the
/// proof. It accepts no proof of what is false.
#[test]
fn proofs_are_accepted_by_a_checker() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let export = |size: &str, formulation: &str, strings: usize| {
        let strings = strings.to_string();
        let args = ["export", size, "--format", "cnf", "--formulation", formulation, "--strings", &strings];
        ok(folder, &[&args[..], &["--force", "--out", "7.cnf"]].concat());
    };
    let mut checked = 0;
    let boards = [("4", 12), ("5", 18), ("6", 26), ("7", 37), ("8", 48), ("5x9", 33)];
    let formulations = ["section-2", "section-3", "ishi"];
    for ((size, maximum), formulation) in
        boards.iter().flat_map(|board| formulations.map(|name| (board, name)))
    {
        export(size, formulation, *maximum);
        let Some(said) = run_tool(folder, "cadical", &["-q", "7.cnf"]) else {
            return tell_missing("cadical (Debian's package)");
        };
        assert!(said.contains("s SATISFIABLE"), "{size}: a board with {maximum}: {said}");
        let possible = std::fs::read(folder.join("7.cnf")).unwrap();
        export(size, formulation, maximum + 1);
        let said = run_tool(folder, "cadical", &["-q", "--no-binary", "7.cnf", "7.drat"]).unwrap();
        assert!(said.contains("s UNSATISFIABLE"), "{size}: none with {}: {said}", maximum + 1);
        let impossible = std::fs::read(folder.join("7.cnf")).unwrap();
        for (checker, args, accepted) in CHECKERS {
            let Some(said) =
                run_tool(folder, checker, args).filter(|said| !said.contains("ModuleNotFoundError"))
            else {
                continue;
            };
            assert!(said.lines().any(|line| line.trim() == accepted), "{checker}, {size}: {said}");
            std::fs::write(folder.join("7.cnf"), &possible).unwrap();
            let said = run_tool(folder, checker, args).unwrap();
            assert!(
                !said.lines().any(|line| line.trim() == accepted),
                "{checker} proves what is false, {size}: {said}"
            );
            std::fs::write(folder.join("7.cnf"), &impossible).unwrap();
            checked += 1;
        }
    }
    if checked == 0 {
        tell_missing(
            "a proof checker: drat-trim, rate (cargo install rate) or dratify (pip install dratify)",
        );
    }
}

/// Ctrl-C ends the solver, too.
#[test]
fn nothing_is_left_after_ctrl_c() {
    let folder = tempfile::tempdir().unwrap();
    let fake = folder.path().join("cbc");
    std::fs::write(&fake, "#!/bin/sh\necho $$ > \"$PID_FILE\"\nexec sleep 1000\n").unwrap();
    std::fs::set_permissions(&fake, std::fs::Permissions::from_mode(0o755)).unwrap();
    let pid_file = folder.path().join("pid");
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let mut child = Command::new(env!("CARGO_BIN_EXE_ishi"))
        .args(["strings", "mip", "19", "--solver", "cbc"])
        .env("PATH", path)
        .env("PID_FILE", &pid_file)
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(errors.next().unwrap().unwrap().starts_with("CBC, "), "it says what is at work");
    let solver = wait_for(|| std::fs::read_to_string(&pid_file).ok()?.trim().parse::<i32>().ok());
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let is_gone = || {
        let stat = std::fs::read_to_string(format!("/proc/{solver}/stat")).unwrap_or_default();
        // Dead, if nobody has asked for it yet.
        (stat.is_empty() || stat.contains(") Z ")).then_some(())
    };
    wait_for(is_gone);
}

/// `ishi lab run 003-strings --quick`, first where no solver is installed, then with whatever there is.
#[test]
fn the_experiment_gives_the_tables_of_the_paper() {
    let folder = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../experiments/003-strings");
    let to = folder.path().join("experiments/003-strings");
    std::fs::create_dir_all(&to).unwrap();
    for file in ["README.md", "config.toml", "expected.toml"] {
        std::fs::copy(from.join(file), to.join(file)).unwrap();
    }
    let run = |path: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ishi"));
        command.args(["lab", "run", "003-strings", "--quick"]).current_dir(folder.path()).env("PATH", path);
        let output = command.output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{errors}");
        (std::fs::read_to_string(to.join("results/quick/report.md")).unwrap(), errors)
    };
    let row = |report: &str, start: &str| -> Vec<String> {
        let line = report
            .lines()
            .find(|line| line.starts_with(start))
            .unwrap_or_else(|| panic!("{start}: {report}"));
        line.split('|').map(|cell| cell.trim().to_string()).collect()
    };
    let (report, errors) = run(folder.path().to_str().unwrap());
    assert!(errors.contains("SKIPPED: integer programming with CBC: not installed"), "{errors}");
    assert_eq!(row(&report, "| 8 | 48 |")[5], "no MIP solver");
    // Table 2 of the paper: theirs and ours by section 2, theirs and ours by section 3, and by our own cuts.
    let table_2 = report.split("## Table 2").nth(1).unwrap();
    assert_eq!(row(table_2, "| 5 | 18 |")[3..8], ["22", "22", "7", "7", "7"]);
    assert_eq!(row(table_2, "|  | 17 |")[3..7], ["1,545", "1,545", "not readable", "437"]);
    assert_eq!(row(table_2, "| 6 | 26 |")[3..8], ["288", "288", "64", "64", "64"]);
    assert_eq!(row(table_2, "|  | 25 |")[3..8], ["20,896", "20,896", "4,745", "4,745", "3,733"]);
    assert!(!report.contains("| differs |"), "{report}");
    let (report, _) = run(&std::env::var("PATH").unwrap());
    assert!(!report.contains("| differs |"), "{report}");
    let solvers = report.split("## Today's solvers").nth(1).unwrap();
    let cbc = row(solvers, "| n | strings |").iter().position(|cell| cell == "CBC, section 3").unwrap();
    if run_tool(folder.path(), "cbc", &["-quit"]).is_some() {
        let cell = row(solvers, "| 8 | 48 |")[cbc].clone();
        assert!(cell.parse::<f64>().is_ok(), "seconds: {cell}");
    }
    // The relaxations of 9x9, which section 3 raises.
    match run_tool(folder.path(), "python3", &["-c", "import highspy"])
        .filter(|said| !said.contains("ModuleNotFoundError"))
    {
        None => tell_missing("highspy (pip install highspy): linear relaxations"),
        Some(_) => {
            let relaxed = report.split("## Section 3").nth(1).unwrap();
            assert_eq!(row(relaxed, "| 9 |")[2..4], ["18.2459", "18.6254"]);
        }
    }
}

/// Waits for it, a minute at most.
fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "it does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}
