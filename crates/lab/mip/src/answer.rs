//! Reading what solvers print and write.

use std::collections::BTreeSet;

use super::{MipSolver, MipStatus};

/// The name of a variable, counted from 0; `None` if there are not so many.
pub(super) type VariableName<'a> = &'a dyn Fn(usize) -> Option<String>;

/// What a solver said.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SolverAnswer {
    pub(super) status: MipStatus,
    /// The variables that are 1, if there is a solution.
    pub(super) ones: Option<BTreeSet<String>>,
    pub(super) bound: Option<f64>,
    pub(super) cpu_seconds: f64,
    pub(super) version: Option<String>,
}

impl SolverAnswer {
    /// From the lines of our own script: `status optimal`, `bound 61.2`, `ones x_1_1 ...`, `cpu 1.5`, `version 1.2.3`.
    /// CP-SAT knows variables by their number, counted from 1.
    pub(super) fn from_module(
        solver: MipSolver,
        lines: &[String],
        variable: VariableName<'_>,
    ) -> Option<SolverAnswer> {
        let after = |word: &str| lines.iter().find_map(|line| line.strip_prefix(word)?.strip_prefix(' '));
        let status = match after("status")? {
            "optimal" => MipStatus::Optimal,
            "infeasible" => MipStatus::Infeasible,
            "time-limit" => MipStatus::TimeLimit,
            _ => return None,
        };
        let name = |word: &str| match solver {
            MipSolver::CpSat => variable(word.parse::<usize>().ok()?.checked_sub(1)?),
            _ => Some(word.to_string()),
        };
        let ones = lines.iter().find_map(|line| line.strip_prefix("ones"));
        let ones = ones.map(|names| names.split_whitespace().map(name).collect::<Option<_>>());
        let ones = match ones {
            Some(names) => Some(names?),
            None => None,
        };
        let bound = after("bound").and_then(parse_bound);
        let cpu_seconds = after("cpu").and_then(parse_seconds)?;
        Some(SolverAnswer { status, ones, bound, cpu_seconds, version: after("version").map(str::to_string) })
    }

    /// From what an executable printed and from the solution that it wrote.
    pub(super) fn from_program(
        solver: MipSolver,
        lines: &[String],
        solution: &str,
        variable: VariableName<'_>,
    ) -> Option<SolverAnswer> {
        let (status, ones) = match solver {
            MipSolver::Highs => parse_highs(solution),
            MipSolver::Cbc => parse_cbc(solution),
            MipSolver::Glpk => parse_glpk(solution, variable),
            MipSolver::Scip => parse_scip(solution, lines),
            MipSolver::CpSat => None,
        }?;
        let label = match solver {
            MipSolver::Highs => "Dual bound",
            MipSolver::Scip => "Dual Bound         :",
            _ => "Upper bound:",
        };
        let after = |label: &str| lines.iter().find_map(|line| line.trim_start().strip_prefix(label));
        let bound = after(label).and_then(parse_bound);
        let version = match solver {
            MipSolver::Highs => after("Running HiGHS "),
            MipSolver::Scip => after("SCIP version "),
            MipSolver::Glpk => after("GLPSOL--GLPK LP/MIP Solver "),
            _ => after("Version: "),
        };
        let version = version.and_then(|text| text.split_whitespace().next()).map(str::to_string);
        Some(SolverAnswer { status, ones, bound, cpu_seconds: child_cpu_seconds(lines)?, version })
    }
}

/// A bound that says something: that of a solver that knows none is infinite, or some huge number.
fn parse_bound(text: &str) -> Option<f64> {
    let bound: f64 = text.trim().parse().ok()?;
    (bound.abs() < 1e18).then_some(bound)
}

/// A time that can be.
fn parse_seconds(text: &str) -> Option<f64> {
    text.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0)
}

/// Processor seconds of children, from what the shell's `times` printed: `1m2.5s 0m0.1s`, the shell's own first.
fn child_cpu_seconds(lines: &[String]) -> Option<f64> {
    let from = lines.iter().rposition(|line| line == "ishi-times")?;
    let part = |text: &str| {
        let (minutes, seconds) = text.strip_suffix('s')?.split_once('m')?;
        Some(parse_seconds(minutes)? * 60.0 + parse_seconds(seconds)?)
    };
    lines.get(from + 2)?.split_whitespace().map(part).sum()
}

type ParsedSolution = Option<(MipStatus, Option<BTreeSet<String>>)>;

fn is_one(value: &str) -> bool {
    value.parse::<f64>().is_ok_and(|value| value > 0.5)
}

fn parse_highs(solution: &str) -> ParsedSolution {
    let status = match solution.lines().nth(1)? {
        "Optimal" => MipStatus::Optimal,
        "Infeasible" => MipStatus::Infeasible,
        "Time limit reached" => MipStatus::TimeLimit,
        _ => return None,
    };
    let feasible = solution.lines().any(|line| line == "Feasible");
    let columns = solution.lines().skip_while(|line| !line.starts_with("# Columns")).skip(1);
    let columns = columns.take_while(|line| !line.starts_with('#'));
    let ones = columns.filter_map(|line| line.split_once(' ')).filter(|(_, value)| is_one(value));
    Some((status, feasible.then(|| ones.map(|(name, _)| name.to_string()).collect())))
}

fn parse_cbc(solution: &str) -> ParsedSolution {
    let first = solution.lines().next()?;
    if first.starts_with("Infeasible") || first.starts_with("Integer infeasible") {
        return Some((MipStatus::Infeasible, None));
    }
    let status = if first.starts_with("Optimal") {
        MipStatus::Optimal
    } else if first.starts_with("Stopped on time") {
        MipStatus::TimeLimit
    } else {
        return None;
    };
    // `Stopped on time (no integer solution - continuous used)` has values of no use.
    let ones = solution.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>());
    let ones = ones.filter(|words| words.len() >= 3 && is_one(words[2])).map(|words| words[1].to_string());
    Some((status, (!first.contains("no integer solution")).then(|| ones.collect())))
}

/// Columns are numbered as the objective names them, which is the order of the variables.
fn parse_glpk(solution: &str, variable: VariableName<'_>) -> ParsedSolution {
    let head = solution.lines().find(|line| line.starts_with("s mip "))?;
    let status = match head.split_whitespace().nth(4)? {
        "o" => MipStatus::Optimal,
        "f" => MipStatus::TimeLimit,
        "n" => return Some((MipStatus::Infeasible, None)),
        "u" => return Some((MipStatus::TimeLimit, None)),
        _ => return None,
    };
    // A column that is not there makes the whole answer one of no use.
    let column = |line: &str| -> Option<Option<String>> {
        let mut words = line.strip_prefix("j ")?.split_whitespace();
        let number: usize = words.next()?.parse().ok()?;
        is_one(words.next()?).then(|| variable(number.checked_sub(1)?))
    };
    let ones = solution.lines().filter_map(column).collect::<Option<BTreeSet<String>>>()?;
    Some((status, Some(ones)))
}

fn parse_scip(solution: &str, lines: &[String]) -> ParsedSolution {
    let said = lines.iter().find_map(|line| line.strip_prefix("SCIP Status"))?;
    let status = if said.contains("[infeasible]") {
        return Some((MipStatus::Infeasible, None));
    } else if said.contains("[optimal solution found]") {
        MipStatus::Optimal
    } else if said.contains("[time limit reached]") {
        MipStatus::TimeLimit
    } else {
        return None;
    };
    let found = solution.lines().any(|line| line.starts_with("objective value:"));
    let ones = solution.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let ones = ones.filter(|words| words.len() >= 3 && words[2].starts_with("(obj:") && is_one(words[1]));
    Some((status, found.then(|| ones.map(|words| words[0].to_string()).collect())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> Option<BTreeSet<String>> {
        Some(names.iter().map(|name| (*name).to_string()).collect())
    }

    #[test]
    fn times_of_shells_are_read() {
        let lines = ["x", "ishi-times", "0m0.01s 0m0.02s", "2m3.500000s 0m0.25s", "ishi-exit 0"];
        let lines = lines.map(str::to_string);
        assert_eq!(child_cpu_seconds(&lines), Some(123.75));
        assert_eq!(child_cpu_seconds(&lines[..2]), None);
    }

    #[test]
    fn bounds_without_meaning_are_none() {
        for (text, bound) in [(" -36.5", Some(-36.5)), ("1e+20", None), ("-inf", None), ("-", None)] {
            assert_eq!(parse_bound(text), bound, "{text}");
        }
    }

    #[test]
    fn modules_are_read() {
        let name = |at: usize| (at < 5).then(|| format!("v{at}"));
        let lines = ["cpu 1.5", "version 9", "bound 7.0", "ones 3 1", "status optimal"].map(str::to_string);
        let answer = SolverAnswer::from_module(MipSolver::CpSat, &lines, &name).unwrap();
        assert_eq!((answer.ones, answer.bound), (set(&["v0", "v2"]), Some(7.0)));
        let answer = SolverAnswer::from_module(MipSolver::Highs, &lines, &name).unwrap();
        assert_eq!(answer.ones, set(&["1", "3"]));
        let none = ["cpu 1.5", "ones", "status time-limit"].map(str::to_string);
        assert_eq!(SolverAnswer::from_module(MipSolver::Scip, &none, &name).unwrap().ones, set(&[]));
        for bad in ["ones 0", "ones 6", "ones 1 99999999999", "ones -1", "cpu nan", "cpu -1"] {
            let lines = [bad, "cpu 1.5", "ones 1", "status optimal"].map(str::to_string);
            assert_eq!(SolverAnswer::from_module(MipSolver::CpSat, &lines, &name), None, "{bad}");
        }
    }

    /// Files as the solvers wrote them.
    #[test]
    fn solutions_are_read() {
        use MipStatus::{Infeasible, Optimal, TimeLimit};
        let text = "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 1\n# Columns 2\nx_1_1 0\nx_2_1 1\n# Rows 1\nliberty_1_1 1\n";
        assert_eq!(parse_highs(text), Some((Optimal, set(&["x_2_1"]))));
        let text = "Model status\nInfeasible\n\n# Primal solution values\nNone\n";
        assert_eq!(parse_highs(text), Some((Infeasible, None)));
        let text = "Stopped on time - objective value 195.00000000\n      0 x_1_1                       1                       1\n      1 x_2_1   0  1\n";
        assert_eq!(parse_cbc(text), Some((TimeLimit, set(&["x_1_1"]))));
        let text = "Infeasible - objective value 1.00000000\n      0 x                      1                       1\n";
        assert_eq!(parse_cbc(text), Some((Infeasible, None)));
        let model = |at: usize| (at < 2).then(|| format!("x_{}_1", at + 1));
        let text = "c Rows: 2\nc\ns mip 2 2 o 1\ni 1 1\ni 2 1\nj 1 0\nj 2 1\ne o f\n";
        assert_eq!(parse_glpk(text, &model), Some((Optimal, set(&["x_2_1"]))));
        assert_eq!(parse_glpk("s mip 1 1 n 0\n", &model), Some((Infeasible, None)));
        for column in ["j 0 1", "j 3 1", "j 18446744073709551615 1"] {
            assert_eq!(parse_glpk(&format!("s mip 2 2 o 1\nj 1 1\n{column}\n"), &model), None, "{column}");
        }
        assert_eq!(
            (parse_highs(""), parse_cbc(""), parse_glpk("", &model), parse_scip("", &[])),
            (None, None, None, None)
        );
    }
}
