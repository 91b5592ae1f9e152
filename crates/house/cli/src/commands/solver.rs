//! Solvers of integer programmes, as several commands let the user choose one.

use std::fmt::Display;

use ishi_mip::{self, InstalledSolver, MipSolver};

use crate::context::Failure;
use crate::figures;

/// A solver, or whichever there is.
#[derive(Clone, Copy, Debug)]
pub enum SolverChoice {
    /// The first that is installed.
    Auto,
    /// This one.
    Solver(MipSolver),
}

/// `auto`, or the word for a solver.
pub fn parse_choice(text: &str) -> Result<SolverChoice, String> {
    if text == "auto" { Ok(SolverChoice::Auto) } else { text.parse().map(SolverChoice::Solver) }
}

/// Looks for the solver that was chosen.
pub fn find_solver(choice: SolverChoice) -> Result<InstalledSolver, Failure> {
    let installed = ishi_mip::find_installed_solvers();
    let (found, what) = match choice {
        SolverChoice::Auto => (installed.first(), "no solver of integer programmes is".to_string()),
        SolverChoice::Solver(solver) => {
            (installed.iter().find(|installed| installed.solver == solver), format!("{solver} is not"))
        }
    };
    found.cloned().ok_or_else(|| {
        let ways = ishi_mip::how_to_install();
        let others: Vec<&str> = installed.iter().map(|installed| installed.solver.name()).collect();
        let others =
            if others.is_empty() { String::new() } else { format!("\ninstalled are: {}", others.join(", ")) };
        Failure::Outside(format!(
            "{what} installed (looked for in PATH, and among the modules of python3); install one with\n{ways}{others}"
        ))
    })
}

/// What a solver leaves possible.
pub fn format_bound(bound: Option<impl Display>) -> String {
    bound.map_or("no bound known".to_string(), |bound| format!("at most {bound} possible"))
}

/// The processor time of a solver. The shell's `times` counts hundredths.
pub fn format_cpu_time(seconds: f64) -> String {
    if seconds == 0.0 { "under 10 ms".to_string() } else { figures::format_seconds(seconds) }
}
