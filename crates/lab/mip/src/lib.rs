//! Solvers of integer programmes that are installed here, and what they make of a [`IntegerProgramme`]: a model of boards ([`solve_board`]) or of
//! decks ([`solve_deck`]).
//!
//! They are other people's programs, so nothing of their answer is taken on trust but the bound: the variables that they name make a
//! board or a deck, which is held against all rules, and its value is counted from it.
//!
//! A solver runs as a child in a process group of its own, with one thread, on the exported file in a folder that
//! vanishes with it; raising the stop flag kills the group. Executables are found in PATH; HiGHS, SCIP and CP-SAT
//! also as modules of `python3`, which is given a short script (`mip/solver.py`). Seconds are processor seconds of the solver: of
//! an executable from its start, of a module without the time to load it.

// Solvers are child processes, and files are read.
#![allow(clippy::disallowed_methods)]

mod answer;
mod decks;
mod strings;

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ishi_arena::process::{EngineCommand, EngineProcess, EngineStartError, ProcessError, ProcessOptions};
use ishi_arena::stopwatch::Stopwatch;
use ishi_gtp::EngineConnection;
use ishi_work::StopFlag;

use self::answer::SolverAnswer;
pub use self::decks::{DeckOutcome, solve_deck};
pub use self::strings::{BoardOutcome, solve_board, solve_relaxation};

/// Runs in `python3` with the solver, the file and the limit as arguments.
const SCRIPT: &str = include_str!("solver.py");

/// Runs a command and then says what it used.
const TIMED: &str = r#""$@"; code=$?; echo "ishi-times"; times; echo "ishi-exit $code""#;

/// Python modules and the solvers they hold.
const MODULES: [(MipSolver, &str); 3] =
    [(MipSolver::Highs, "highspy"), (MipSolver::Scip, "pyscipopt"), (MipSolver::CpSat, "ortools")];

/// A solver of integer programmes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum MipSolver {
    /// HiGHS.
    Highs,
    /// SCIP.
    Scip,
    /// CP-SAT of OR-Tools.
    CpSat,
    /// CBC of COIN-OR.
    Cbc,
    /// GLPK.
    Glpk,
}

impl MipSolver {
    /// All, in the order in which they are preferred.
    pub const ALL: [MipSolver; 5] =
        [MipSolver::Highs, MipSolver::Scip, MipSolver::CpSat, MipSolver::Cbc, MipSolver::Glpk];

    /// The word for it, such as `cp-sat`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            MipSolver::Highs => "highs",
            MipSolver::Scip => "scip",
            MipSolver::CpSat => "cp-sat",
            MipSolver::Cbc => "cbc",
            MipSolver::Glpk => "glpk",
        }
    }

    /// How to install it.
    #[must_use]
    pub fn install_command(self) -> &'static str {
        match self {
            MipSolver::Highs => "pip install highspy",
            MipSolver::Scip => "pip install pyscipopt",
            MipSolver::CpSat => "pip install ortools",
            MipSolver::Cbc => "apt-get install coinor-cbc",
            MipSolver::Glpk => "apt-get install glpk-utils",
        }
    }

    /// Says that it is missing, for what cannot be done without it.
    #[must_use]
    pub fn describe_absence(self) -> String {
        format!("integer programming with {self}: not installed ({})", self.install_command())
    }

    /// Its executable, where it has one.
    fn executable_name(self) -> Option<&'static str> {
        match self {
            MipSolver::Highs => Some("highs"),
            MipSolver::Scip => Some("scip"),
            MipSolver::CpSat => None,
            MipSolver::Cbc => Some("cbc"),
            MipSolver::Glpk => Some("glpsol"),
        }
    }
}

/// Writes its name as people write it.
impl fmt::Display for MipSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            MipSolver::Highs => "HiGHS",
            MipSolver::Scip => "SCIP",
            MipSolver::CpSat => "CP-SAT",
            MipSolver::Cbc => "CBC",
            MipSolver::Glpk => "GLPK",
        })
    }
}

/// Reads its word.
impl std::str::FromStr for MipSolver {
    type Err = String;

    fn from_str(text: &str) -> Result<MipSolver, String> {
        MipSolver::ALL.into_iter().find(|solver| solver.name() == text).ok_or_else(|| {
            let words: Vec<&str> = MipSolver::ALL.iter().map(|solver| solver.name()).collect();
            format!("{text:?} is no solver: it must be one of {}", words.join(", "))
        })
    }
}

/// A solver that can be run here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstalledSolver {
    /// Which.
    pub solver: MipSolver,
    /// Its executable, or that of Python.
    program: PathBuf,
    is_module: bool,
}

impl InstalledSolver {
    /// Is it a module of Python, not an executable?
    #[must_use]
    pub fn is_module(&self) -> bool {
        self.is_module
    }
}

impl fmt::Display for InstalledSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by = if self.is_module { ", a module of" } else { "," };
        write!(f, "{}{by} {}", self.solver, self.program.display())
    }
}

/// All solvers that are installed, the preferred ones first. A module is preferred to an executable, since its time does not
/// include the start of a process.
#[must_use]
pub fn find_installed_solvers() -> Vec<InstalledSolver> {
    let modules = find_python_modules();
    let find = |solver: MipSolver| {
        let module = modules.iter().find(|installed| installed.solver == solver).cloned();
        let program = || solver.executable_name().and_then(find_in_path);
        module.or_else(|| program().map(|program| InstalledSolver { solver, program, is_module: false }))
    };
    MipSolver::ALL.into_iter().filter_map(find).collect()
}

/// What `python3` can import.
fn find_python_modules() -> Vec<InstalledSolver> {
    let Some(python) = find_in_path("python3") else { return Vec::new() };
    let ask = "import importlib.util, sys\n\
               for name in sys.argv[1:]: print(name if importlib.util.find_spec(name) else '')";
    let names = MODULES.iter().map(|(_, module)| *module);
    let output = std::process::Command::new(&python).args(["-c", ask]).args(names).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let found = MODULES.iter().filter(|(_, module)| text.lines().any(|line| line == *module));
    found.map(|&(solver, _)| InstalledSolver { solver, program: python.clone(), is_module: true }).collect()
}

/// The first executable file of this name in PATH.
fn find_in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| is_executable(file))
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}

/// What to install, where nothing is.
#[must_use]
pub fn how_to_install() -> String {
    let ways: Vec<String> =
        MipSolver::ALL.iter().map(|solver| format!("  {solver:<7} {}", solver.install_command())).collect();
    ways.join("\n")
}

/// How a solver ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MipStatus {
    /// It found the optimum and says so.
    Optimal,
    /// It says that there is no solution.
    Infeasible,
    /// The time was up.
    TimeLimit,
}

/// An integer programme as text. All coefficients of its objective are whole numbers, and so is its best value.
pub trait IntegerProgramme {
    /// The programme as an LP file, a maximisation, that names all variables in their order in its objective.
    fn lp_text(&self) -> String;

    /// The programme as a pseudo-Boolean file, which minimises minus the value; its `xi` is the `i`th variable, counted from 1.
    ///
    /// # Errors
    /// If it cannot be written in this format; the text says what can.
    fn opb_text(&self) -> Result<String, String>;

    /// The name of a variable, counted from 0; `None` if there are not so many.
    fn variable_name(&self, at: usize) -> Option<String>;
}

/// What a solver made of a programme.
#[derive(Clone, PartialEq, Debug)]
pub struct MipSolution {
    /// How it ended.
    pub status: MipStatus,
    /// The names of the variables that are 1 (or larger, if they may be) in the best solution, if there is one.
    pub ones: Option<BTreeSet<String>>,
    /// The solver's word that no solution is better; `None` where it did not say.
    pub bound: Option<f64>,
    /// Processor seconds of the solver.
    pub cpu_seconds: f64,
    /// Elapsed seconds, the start included.
    pub wall_seconds: f64,
    /// Its version, where it tells.
    pub version: Option<String>,
}

/// Why there is no outcome.
#[derive(Debug, thiserror::Error)]
pub enum MipError {
    /// The file could not be written.
    #[error("cannot write the model for {solver}: {error}")]
    File {
        /// Which.
        solver: MipSolver,
        /// What the system said.
        error: std::io::Error,
    },
    /// It could not be started.
    #[error(transparent)]
    Start(#[from] EngineStartError),
    /// It failed.
    #[error("{solver} gave no answer: {said}")]
    Failed {
        /// Which.
        solver: MipSolver,
        /// Its last words.
        said: String,
    },
    /// It does not read any format in which this programme can be written.
    #[error("{solver} cannot be asked this: {said}")]
    Format {
        /// Which.
        solver: MipSolver,
        /// Why.
        said: String,
    },
    /// Its solution breaks a rule.
    #[error("{solver} gave {what}")]
    Wrong {
        /// Which.
        solver: MipSolver,
        /// What it gave, and the rule.
        what: String,
    },
}

/// HiGHS stops at a gap of a ten-thousandth by itself. Values are whole numbers: a gap below 1 is none.
const HIGHS_OPTIONS: &str = "mip_rel_gap = 0\nmip_abs_gap = 0.999\n";

/// Runs a solver on a programme; `None` if it was stopped. Without a limit the solver takes whatever time it needs.
///
/// # Errors
/// If the solver cannot be run, or says nothing that can be used.
pub fn solve_programme(
    programme: &dyn IntegerProgramme,
    installed: &InstalledSolver,
    limit: Option<Duration>,
    stop: &StopFlag,
) -> Result<Option<MipSolution>, MipError> {
    let solver = installed.solver;
    let file = |error| MipError::File { solver, error };
    let folder = tempfile::Builder::new().prefix("ishi-mip-").tempdir().map_err(file)?;
    let (name, text) = match solver {
        MipSolver::CpSat => {
            ("model.opb", programme.opb_text().map_err(|said| MipError::Format { solver, said })?)
        }
        _ => ("model.lp", programme.lp_text()),
    };
    std::fs::write(folder.path().join(name), text).map_err(file)?;
    if solver == MipSolver::Highs {
        std::fs::write(folder.path().join("options"), HIGHS_OPTIONS).map_err(file)?;
    }
    let command = installed.solver_command(name, limit, folder.path());
    let watch = Stopwatch::start();
    let Some(lines) = collect_output(solver, &command, limit, stop)? else { return Ok(None) };
    let wall_seconds = watch.wall_seconds();
    let written = std::fs::read_to_string(folder.path().join("solution")).unwrap_or_default();
    let written = (!installed.is_module).then_some(written.as_str());
    let answer = read_solver_answer(programme, solver, &lines, written);
    let failed = || MipError::Failed { solver, said: last_output_lines(&lines) };
    let answer = answer.ok_or_else(failed)?;
    Ok(Some(MipSolution { wall_seconds, ..answer }))
}

/// What a solver answered: the lines that it printed and, if it is an executable, the solution that it wrote. `None` if they say nothing
/// that can be used: solvers are other people's programs, and may say anything. The elapsed time is not known here, and 0.
#[must_use]
pub fn read_solver_answer(
    programme: &dyn IntegerProgramme,
    solver: MipSolver,
    printed: &[String],
    written: Option<&str>,
) -> Option<MipSolution> {
    let name = |at: usize| programme.variable_name(at);
    let answer = match written {
        None => SolverAnswer::from_module(solver, printed, &name),
        Some(solution) => SolverAnswer::from_program(solver, printed, solution, &name),
    };
    let SolverAnswer { status, ones, bound, cpu_seconds, version } = answer?;
    Some(MipSolution { status, ones, bound, cpu_seconds, wall_seconds: 0.0, version })
}

/// All that the command prints; `None` if it was stopped.
fn collect_output(
    solver: MipSolver,
    command: &EngineCommand,
    limit: Option<Duration>,
    stop: &StopFlag,
) -> Result<Option<Vec<String>>, MipError> {
    /// After its own limit a solver still has to finish its step and write its solution.
    const PATIENCE: Duration = Duration::from_secs(60);
    let mut process = EngineProcess::spawn(command, ProcessOptions::default())?;
    process.share_stop_flag(stop.clone());
    // An empty line, which no solver reads, begins the time in which it has to answer.
    let mut lines = Vec::new();
    let mut next =
        process.send_line("", limit.map(|limit| limit * 2 + PATIENCE)).and_then(|()| process.receive_line());
    loop {
        match next {
            Ok(Some(line)) => lines.push(line),
            Ok(None) => {}
            Err(ProcessError::Stopped) => return Ok(None),
            Err(ProcessError::TimedOut { .. }) => {
                let said = format!("it does not end, long after its limit\n{}", last_output_lines(&lines));
                return Err(MipError::Failed { solver, said });
            }
            Err(ProcessError::Ended { stderr, .. } | ProcessError::Closed { stderr }) => {
                let failed = !lines.iter().any(|line| line == "ishi-exit 0");
                if failed {
                    lines.extend(stderr);
                }
                return Ok(Some(lines));
            }
        }
        next = process.receive_line();
    }
}

fn last_output_lines(lines: &[String]) -> String {
    const KEPT: usize = 12;
    let from = lines.len().saturating_sub(KEPT);
    if lines.is_empty() { "it said nothing".to_string() } else { lines[from..].join("\n  ") }
}

impl InstalledSolver {
    /// The command line, to be run in `folder` with the model there.
    fn solver_command(&self, model: &str, limit: Option<Duration>, folder: &Path) -> EngineCommand {
        let seconds = limit.map(|limit| limit.as_secs_f64().ceil().to_string());
        let with =
            |option: &str| seconds.iter().flat_map(|s| [option.to_string(), s.clone()]).collect::<Vec<_>>();
        let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        let own: Vec<String> = if self.is_module {
            let limit = limit.map_or("none".to_string(), |limit| limit.as_secs_f64().to_string());
            ["-c", SCRIPT, self.solver.name(), model, &limit].map(str::to_string).to_vec()
        } else {
            match self.solver {
                MipSolver::Highs => {
                    let own = "--threads 1 --options_file options --solution_file solution";
                    [words(own), with("--time_limit"), words(model)].concat()
                }
                MipSolver::Cbc => [words(model), with("sec"), words("solve solution solution")].concat(),
                MipSolver::Glpk => {
                    [words("--lp"), words(model), with("--tmlim"), words("-w solution")].concat()
                }
                MipSolver::Scip | MipSolver::CpSat => {
                    let limit = seconds.map_or(String::new(), |s| format!("set limits time {s} "));
                    let batch = format!("{limit}read {model} optimize write solution solution quit");
                    vec!["-c".to_string(), batch]
                }
            }
        };
        let mut args = vec!["-c".to_string(), TIMED.to_string(), "sh".to_string()];
        args.push(self.program.display().to_string());
        args.extend(own);
        EngineCommand { program: "sh".to_string(), args, directory: Some(folder.to_path_buf()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ishi_grid::models::{StringsFormulation, StringsModel};

    #[test]
    fn solvers_have_words() {
        for solver in MipSolver::ALL {
            assert_eq!(solver.name().parse(), Ok(solver));
            assert!(how_to_install().contains(solver.install_command()));
        }
        let error = "cplex".parse::<MipSolver>().unwrap_err();
        assert_eq!(error, "\"cplex\" is no solver: it must be one of highs, scip, cp-sat, cbc, glpk");
    }

    /// A program in the place of a solver.
    fn stand_in(solver: MipSolver, script: &str) -> (tempfile::TempDir, InstalledSolver) {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("solver");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        (folder, InstalledSolver { solver, program, is_module: false })
    }

    fn run(solver: MipSolver, script: &str, limit: Option<u64>) -> Result<Option<BoardOutcome>, MipError> {
        let (_folder, installed) = stand_in(solver, script);
        let model = StringsModel::new(2, 2, StringsFormulation::Section2).unwrap();
        solve_board(&model, &installed, limit.map(Duration::from_secs), &StopFlag::default())
    }

    #[test]
    fn a_board_that_breaks_the_model_is_refused() {
        let all =
            "printf 'Optimal - objective value 4\\n 0 x_1_1 1 0\\n 1 x_2_1 1 0\\n 2 x_1_2 1 0\\n' > solution";
        let error = run(MipSolver::Cbc, all, None).unwrap_err().to_string();
        assert!(error.starts_with("CBC gave a board that breaks Liberty([0, 1, 2])"), "{error}");
    }

    #[test]
    fn a_solver_that_fails_is_quoted() {
        let error = run(MipSolver::Glpk, "echo out of memory >&2; exit 3", Some(5)).unwrap_err().to_string();
        assert!(error.starts_with("GLPK gave no answer: ") && error.contains("out of memory"), "{error}");
    }

    #[test]
    fn stop_ends_it() {
        let (_folder, installed) = stand_in(MipSolver::Cbc, "sleep 1000");
        let model = StringsModel::new(2, 2, StringsFormulation::Section2).unwrap();
        let stop = StopFlag::default();
        stop.request();
        assert_eq!(solve_board(&model, &installed, None, &stop).unwrap(), None);
    }

    /// What the scip shell writes, as its manual shows it.
    #[test]
    fn scip_writes_its_solution() {
        let script = r#"[ "$1" = -c ] || exit 1
case "$2" in "set limits time 7 read model.lp optimize write solution solution quit") ;; *) exit 2;; esac
grep -q 'liberty_1_1' model.lp || exit 3
echo 'SCIP version 9.0.0 [precision: 8 byte]'
echo 'SCIP Status        : problem is solved [optimal solution found]'
echo 'Dual Bound         : +2.00000000000000e+00'
printf 'solution status: optimal solution found\nobjective value:     2\nx_1_1     1 \t(obj:1)\nx_2_2     1 \t(obj:1)\n' > solution"#;
        let outcome = run(MipSolver::Scip, script, Some(7)).unwrap().unwrap();
        assert_eq!((outcome.status, outcome.strings, outcome.bound), (MipStatus::Optimal, Some(2), Some(2)));
        assert_eq!(outcome.board.unwrap().to_string(), "O .\n. O\n");
        assert_eq!(outcome.version.as_deref(), Some("9.0.0"));
    }
}
