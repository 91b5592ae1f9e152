//! Solvers of integer programmes, as several commands let the user choose one.

use ishi_mip::{self, Installed, Solver};

use crate::context::Failure;

/// A solver, or whichever there is.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// The first that is installed.
    Auto,
    /// This one.
    Solver(Solver),
}

/// `auto`, or the word for a solver.
pub fn choice(text: &str) -> Result<Choice, String> {
    if text == "auto" { Ok(Choice::Auto) } else { text.parse().map(Choice::Solver) }
}

/// Looks for the solver that was chosen.
pub fn find(choice: Choice) -> Result<Installed, Failure> {
    let installed = ishi_mip::installed();
    let (found, what) = match choice {
        Choice::Auto => (installed.first(), "no solver of integer programmes is".to_string()),
        Choice::Solver(solver) => {
            (installed.iter().find(|installed| installed.solver == solver), format!("{solver} is not"))
        }
    };
    found.cloned().ok_or_else(|| {
        let ways = ishi_mip::how_to_install();
        let others: Vec<&str> = installed.iter().map(|installed| installed.solver.word()).collect();
        let others =
            if others.is_empty() { String::new() } else { format!("\ninstalled are: {}", others.join(", ")) };
        Failure::Outside(format!(
            "{what} installed (looked for in PATH, and among the modules of python3); install one with\n{ways}{others}"
        ))
    })
}
