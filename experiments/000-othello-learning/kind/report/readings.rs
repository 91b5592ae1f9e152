//! The readings of the paper side by side: which one lands on its figures?

use ishi_lab::LabError;
use ishi_lab::body::{SheetBlock, SheetSection, SheetTable};
use ishi_lab::expected::format_number;
use ishi_othello_learn::evolution::LearningMethod;

use super::super::run::LearningRun;
use super::trial::{
    CurveValue, LearningTrial, ValueScale, estimate_mean, mean_value, standard_score, top_score,
};

/// One table for each method: the base first, then what differs.
pub(super) fn readings_section(all: &[(&LearningRun, Vec<LearningTrial>)]) -> Result<SheetSection, LabError> {
    let text = "Runs differ from the first of their method in one reading each; where they are shorter, what the first had come to \
                after as many games stands in its column. The second half of the curve is that of so many games. Games for 200 best \
                players are those of the run divided by the best players that it made, times 200: the paper's axes end at 50 \
                million games, its table 3 at 55. Intervals are over the seeds.";
    let mut blocks = vec![SheetBlock::Text(text.into())];
    blocks.push(SheetBlock::Table(individual_readings_table(&runs_of_method(
        all,
        LearningMethod::Individual,
    ))?));
    blocks.push(SheetBlock::Table(group_readings_table(&runs_of_method(all, LearningMethod::Group))?));
    Ok(SheetSection { heading: "Readings".into(), blocks })
}

type MethodRuns<'a> = Vec<(&'a LearningRun, &'a [LearningTrial])>;

fn runs_of_method<'a>(
    all: &'a [(&'a LearningRun, Vec<LearningTrial>)],
    method: LearningMethod,
) -> MethodRuns<'a> {
    all.iter()
        .filter(|(run, _)| run.method == method)
        .map(|(run, trials)| (*run, trials.as_slice()))
        .collect()
}

fn individual_readings_table(runs: &MethodRuns<'_>) -> Result<SheetTable, LabError> {
    let mut table = SheetTable::new([
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
    table.add_row(["paper", "", "1", "50", "", "50 or more", "0.70 to 0.80", "about 0.30"]);
    for (run, trials) in runs {
        let mut row = leading_cells(run, trials);
        row.push(share_cell(trials, |trial| {
            mean_value(trial.successes().filter_map(|point| point.previous))
        })?);
        row.push(share_cell(trials, |trial| trial.late_mean(trial.games, standard_score))?);
        row.push(base_run_cell(runs, run, standard_score)?);
        table.add_row(row);
    }
    Ok(table)
}

fn group_readings_table(runs: &MethodRuns<'_>) -> Result<SheetTable, LabError> {
    let mut table = SheetTable::new([
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
    table.add_row(["paper", "", "1", "55", "", "55 or more", "0.483", "3"]);
    for (run, trials) in runs {
        let mut row = leading_cells(run, trials);
        let scores = |trial: &LearningTrial| {
            trial.final_members().iter().map(|member| member.standard).collect::<Vec<_>>()
        };
        row.push(share_cell(trials, |trial| {
            trial.members_by_rating().first().map(|member| member.standard)
        })?);
        row.push(average_cell(trials, 1, |trial| trial.standard_rank(0)));
        row.push(share_cell(trials, |trial| mean_value(scores(trial).into_iter()))?);
        row.push(share_cell(trials, |trial| scores(trial).into_iter().reduce(f64::max))?);
        row.push(share_cell(trials, |trial| trial.late_mean(trial.games, top_score))?);
        row.push(base_run_cell(runs, run, top_score)?);
        table.add_row(row);
    }
    Ok(table)
}

/// What both tables begin with.
fn leading_cells(run: &LearningRun, trials: &[LearningTrial]) -> Vec<String> {
    let done = trials.iter().filter(|trial| trial.end.is_some()).count();
    let games = |trial: &LearningTrial| trial.end.as_ref().map(|_| trial.games as f64 / 1e6);
    let all: f64 = trials.iter().filter_map(games).sum();
    let winners: u64 =
        trials.iter().filter(|trial| trial.end.is_some()).map(LearningTrial::count_successes).sum();
    let for_200 = if winners > 0 { format_number(all / winners as f64 * 200.0, 0) } else { String::new() };
    vec![
        run.name.clone(),
        run.differs.clone(),
        done.to_string(),
        average_cell(trials, 1, games),
        average_cell(trials, 2, LearningTrial::success_rate),
        for_200,
    ]
}

/// The first run's curve over the second half of as many games.
fn base_run_cell(runs: &MethodRuns<'_>, run: &LearningRun, curve: CurveValue) -> Result<String, LabError> {
    match runs.first() {
        Some((first, trials)) if first.name != run.name && first.games >= run.games => {
            share_cell(trials, |trial| trial.late_mean(run.games, curve))
        }
        _ => Ok(String::new()),
    }
}

fn average_cell(
    trials: &[LearningTrial],
    decimals: usize,
    of: impl Fn(&LearningTrial) -> Option<f64>,
) -> String {
    mean_value(trials.iter().filter_map(of)).map_or(String::new(), |value| format_number(value, decimals))
}

/// A mean of shares: `0.385 (0.373 to 0.396)`.
fn share_cell(
    trials: &[LearningTrial],
    of: impl Fn(&LearningTrial) -> Option<f64>,
) -> Result<String, LabError> {
    let values: Vec<f64> = trials.iter().filter_map(of).collect();
    Ok(estimate_mean(&values, ValueScale::Share)?.map_or(String::new(), |estimate| {
        let mean = format_number(estimate.mean, 3);
        let interval = |[low, high]: [f64; 2]| {
            format!("{mean} ({} to {})", format_number(low, 3), format_number(high, 3))
        };
        estimate.interval.map_or(mean.clone(), interval)
    }))
}
