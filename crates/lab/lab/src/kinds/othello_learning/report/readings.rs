//! The readings of the paper side by side: which one lands on its figures?

use super::super::Run;
use super::super::options::Method;
use super::trial::{Curve, Scale, Trial, estimate, mean, standard, top};
use crate::error::LabError;
use crate::expected::number;
use crate::report::{Block, Section, Table};

/// One table for each method: the base first, then what differs.
pub(super) fn section(all: &[(&Run, Vec<Trial>)]) -> Result<Section, LabError> {
    let text = "Runs differ from the first of their method in one reading each; where they are shorter, what the first had come to \
                after as many games stands in its column. The second half of the curve is that of so many games. Games for 200 best \
                players are those of the run divided by the best players that it made, times 200: the paper's axes end at 50 \
                million games, its table 3 at 55. Intervals are over the seeds.";
    let mut blocks = vec![Block::Text(text.into())];
    blocks.push(Block::Table(individual(&of(all, Method::Individual))?));
    blocks.push(Block::Table(group(&of(all, Method::Group))?));
    Ok(Section { heading: "Readings".into(), blocks })
}

type Runs<'a> = Vec<(&'a Run, &'a [Trial])>;

fn of<'a>(all: &'a [(&'a Run, Vec<Trial>)], method: Method) -> Runs<'a> {
    all.iter()
        .filter(|(run, _)| run.method == method)
        .map(|(run, trials)| (*run, trials.as_slice()))
        .collect()
}

fn individual(runs: &Runs<'_>) -> Result<Table, LabError> {
    let mut table = Table::new([
        "individual learning",
        "what differs",
        "#seeds",
        "#games, millions",
        "#succeed",
        "#games for 200 best, millions",
        "#against replaced",
        "#against standard, second half",
        "#first run's as long",
    ]);
    table.row(["paper", "", "1", "50", "", "50 or more", "0.70 to 0.80", "about 0.30"]);
    for (run, trials) in runs {
        let mut row = begin(run, trials);
        row.push(cell(trials, Scale::Share, |trial| {
            mean(trial.successes().filter_map(|point| point.previous))
        })?);
        row.push(cell(trials, Scale::Share, |trial| trial.late(trial.games, standard))?);
        row.push(base(runs, run, standard)?);
        table.row(row);
    }
    Ok(table)
}

fn group(runs: &Runs<'_>) -> Result<Table, LabError> {
    let mut table = Table::new([
        "group learning",
        "what differs",
        "#seeds",
        "#games, millions",
        "#succeed",
        "#games for 200 best, millions",
        "#best-rated at the end",
        "#its rank",
        "#members' mean",
        "#best of ten",
        "#best-rated, second half",
        "#first run's as long",
    ]);
    table.row(["paper", "", "1", "55", "", "55 or more", "0.483", "3"]);
    for (run, trials) in runs {
        let mut row = begin(run, trials);
        let scores = |trial: &Trial| trial.members().iter().map(|member| member.standard).collect::<Vec<_>>();
        row.push(cell(trials, Scale::Share, |trial| {
            trial.by_rating().first().map(|member| member.standard)
        })?);
        row.push(average(trials, 1, |trial| trial.rank(0)));
        row.push(cell(trials, Scale::Share, |trial| mean(scores(trial).into_iter()))?);
        row.push(cell(trials, Scale::Share, |trial| scores(trial).into_iter().reduce(f64::max))?);
        row.push(cell(trials, Scale::Share, |trial| trial.late(trial.games, top))?);
        row.push(base(runs, run, top)?);
        table.row(row);
    }
    Ok(table)
}

/// What both tables begin with.
fn begin(run: &Run, trials: &[Trial]) -> Vec<String> {
    let done = trials.iter().filter(|trial| trial.end.is_some()).count();
    let games = |trial: &Trial| trial.end.as_ref().map(|_| trial.games as f64 / 1e6);
    let all: f64 = trials.iter().filter_map(games).sum();
    let winners: u64 = trials.iter().filter(|trial| trial.end.is_some()).map(Trial::winners).sum();
    let for_200 = if winners > 0 { number(all / winners as f64 * 200.0, 0) } else { String::new() };
    vec![
        run.name.clone(),
        run.differs.clone(),
        done.to_string(),
        average(trials, 1, games),
        average(trials, 2, Trial::success_rate),
        for_200,
    ]
}

/// The first run's curve over the second half of as many games.
fn base(runs: &Runs<'_>, run: &Run, curve: Curve) -> Result<String, LabError> {
    match runs.first() {
        Some((first, trials)) if first.name != run.name && first.games >= run.games => {
            cell(trials, Scale::Share, |trial| trial.late(run.games, curve))
        }
        _ => Ok(String::new()),
    }
}

fn average(trials: &[Trial], decimals: usize, of: impl Fn(&Trial) -> Option<f64>) -> String {
    mean(trials.iter().filter_map(of)).map_or(String::new(), |value| number(value, decimals))
}

/// `0.385 (0.373 to 0.396)`.
fn cell(trials: &[Trial], scale: Scale, of: impl Fn(&Trial) -> Option<f64>) -> Result<String, LabError> {
    let values: Vec<f64> = trials.iter().filter_map(of).collect();
    Ok(estimate(&values, scale)?.map_or(String::new(), |estimate| {
        let mean = number(estimate.mean, 3);
        let interval = |[low, high]: [f64; 2]| format!("{mean} ({} to {})", number(low, 3), number(high, 3));
        estimate.interval.map_or(mean.clone(), interval)
    }))
}
