//! The paper's figures 5 to 7 and tables 1 to 4, ours beside them.
//!
//! The scan gives the texts, the axes and what the texts say in words; the cells of its tables and the points of its curves
//! cannot be read. What can be is written here as the paper's.

use std::fmt::Display;

use ishi_lab::LabError;
use ishi_lab::body::{SheetBlock, SheetSection, SheetTable};
use ishi_lab::expected::{ReportFinding, format_number};
use ishi_othello_learn::evolution::{CurvePoint, LearningOptions};

use super::super::measure::MeasuredMember;
use super::super::run::LearningRun;
use super::curves::{self, learning_plot, mean_series, ratings_series, trial_series};
use super::groups::{group_table, shorten_weights};
use super::trial::{LearningTrial, ValueScale, estimate_mean, rank_among, standard_score, top_score};

/// Section 4.3: winners against the opponent that they replace.
const PREVIOUS: [f64; 2] = [0.70, 0.80];
/// Section 4.3: winners against the standard player, about 30 per cent, taken as good to 5 points.
const INDIVIDUAL: [f64; 2] = [0.25, 0.35];
/// Section 5.3: the best-rated of ten against the standard player, and its deviation over series of 50 games.
const TOP: [f64; 2] = [0.483, 0.0697];
/// What 100,000 games leave open of the former.
const NO_6: [f64; 2] = [0.480, 0.486];
/// What stands for a cell that the scan does not show.
const UNREAD: &str = "cannot be read";

/// A run with its trials.
pub(super) type RunWithTrials<'a> = (&'a LearningRun, &'a [LearningTrial]);

/// Figure 5: individual learning.
pub(super) fn figure_5_section((run, trials): RunWithTrials<'_>) -> SheetSection {
    let mut blocks = vec![SheetBlock::Text(format!(
        "{} Thin in the paper: a winner against the opponent that it replaces; thick: the same winner against the standard \
         player, both whenever the opponent is replaced. The first plot is the run with seed 1, the second the mean over all seeds.",
        run.describe_run()
    ))];
    let previous = |point: &CurvePoint| point.previous;
    let names = ["against replaced", "against standard"];
    let bands = || {
        vec![
            curves::paper_band("paper: 70 to 80 % against the replaced", PREVIOUS[0], PREVIOUS[1]),
            curves::paper_band("paper: about 30 % against the standard", INDIVIDUAL[0], INDIVIDUAL[1]),
        ]
    };
    if let Some(first) = trials.first() {
        let series = [trial_series(names[0], first, previous), trial_series(names[1], first, standard_score)];
        blocks.extend(learning_plot(
            "figure-5",
            ["Figure 5: individual learning, seed 1", "score"],
            series,
            bands(),
        ));
    }
    let series = [mean_series(names[0], trials, previous), mean_series(names[1], trials, standard_score)];
    let title = "Figure 5: individual learning, mean of the seeds";
    blocks.extend(learning_plot("figure-5-mean", [title, "score"], series, bands()));
    blocks.push(SheetBlock::Table(individual_table(trials)));
    SheetSection { heading: "Figure 5: individual learning (section 4.3)".into(), blocks }
}

fn individual_table(trials: &[LearningTrial]) -> SheetTable {
    let mut table = SheetTable::new([
        "seed",
        "#games, millions",
        "#populations",
        "#best players made",
        "#against replaced",
        "#against standard, second half",
        "#highest",
        "#last player",
        "weights of the last player",
    ]);
    table.add_row(["paper", "axis to 50", "", "200", "0.70 to 0.80", "about 0.30"]);
    for trial in trials {
        let (Some(point), Some(member)) = (trial.points.last(), trial.final_members().first()) else {
            continue;
        };
        let text = |value: Option<f64>| value.map_or(String::new(), |value| format_number(value, 3));
        table.add_row([
            trial.seed.to_string(),
            format_number(trial.games as f64 / 1e6, 2),
            point.k.to_string(),
            trial.count_successes().to_string(),
            text(super::trial::mean_value(trial.successes().filter_map(|point| point.previous))),
            text(trial.late_mean(trial.games, standard_score)),
            text(trial.highest_value(standard_score)),
            text(Some(member.standard)),
            shorten_weights(&member.weights),
        ]);
    }
    table
}

/// Figure 6: group learning.
pub(super) fn figure_6_section((run, trials): RunWithTrials<'_>) -> SheetSection {
    let mut blocks = vec![SheetBlock::Text(format!(
        "{} Thin in the paper: the rating of the population's best; thick: the best-rated of the group in 1,000 games against the \
         standard player, whenever the group changes. Here each has its own plot: seed 1 generation by generation, then the \
         thick curve with all seeds' mean.",
        run.describe_run()
    ))];
    if let Some(first) = trials.first() {
        let admission = run.options.admission;
        let bands = vec![curves::paper_band("admission above", admission - 2.0, admission + 2.0)];
        let title = "Figure 6, thin: rating of the population's best";
        let series = [ratings_series("population's best, seed 1", first)];
        blocks.extend(learning_plot("figure-6-rating", [title, "rating"], series, bands));
        let series = [
            trial_series("best-rated, seed 1", first, top_score),
            mean_series("mean of the seeds", trials, top_score),
        ];
        let bands = vec![curves::paper_band("paper: No. 6 at 55 million games", NO_6[0], NO_6[1])];
        let title = "Figure 6, thick: best-rated of the group against the standard";
        blocks.extend(learning_plot("figure-6-standard", [title, "score"], series, bands));
    }
    blocks.push(SheetBlock::Table(group_table(trials, run.name == "group")));
    SheetSection { heading: "Figure 6: group learning (section 5.3)".into(), blocks }
}

/// Figure 7: both methods against the standard.
pub(super) fn figure_7_section(
    individual: RunWithTrials<'_>,
    group: RunWithTrials<'_>,
    findings: &mut Vec<ReportFinding>,
) -> Result<SheetSection, LabError> {
    let both = [
        first_trial_series("individual, 1", individual.1, standard_score),
        first_trial_series("group, 1", group.1, top_score),
        mean_series("individual, all", individual.1, standard_score),
        mean_series("group, all", group.1, top_score),
    ];
    let title = "Figure 7: both methods against the standard (1: seed 1, all: mean of the seeds)";
    let text = "The paper's text: the group's players stand higher, and more steadily. Differences are taken seed by seed, over the \
                second half of the runs; a change is that from one best player to the next. The best-rated is chosen by ratings that luck \
                moves; whether good players stay in the group is told by the finding `group.best-change`.";
    let mut blocks = vec![SheetBlock::Text(text.into())];
    let bands = vec![
        curves::paper_band("paper: individual, about 30 %", INDIVIDUAL[0], INDIVIDUAL[1]),
        curves::paper_band("paper: group, No. 6", NO_6[0], NO_6[1]),
    ];
    blocks.extend(learning_plot("figure-7", [title, "score against the standard"], both, bands));
    let mut table = SheetTable::new(["figure", "#individual", "#group", "#difference", "#95 % interval"]);
    type TrialValue = fn(&LearningTrial, super::trial::CurveValue) -> Option<f64>;
    let rows: [(&str, &str, TrialValue, bool); 2] = [
        ("figure-7.higher", "score, second half", |trial, curve| trial.late_mean(trial.games, curve), true),
        ("figure-7.steadier", "change from one to the next", |trial, curve| trial.mean_change(curve), false),
    ];
    for (key, what, value, group_higher) in rows {
        // Runs with the same seed begin with the same first player.
        let both = individual.1.iter().zip(group.1);
        let pairs: Vec<(f64, f64)> = both
            .filter_map(|(own, other)| Some((value(own, standard_score)?, value(other, top_score)?)))
            .collect();
        let (own, other): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let sign = if group_higher { 1.0 } else { -1.0 };
        let differences: Vec<f64> = pairs.iter().map(|(own, other)| sign * (other - own)).collect();
        let Some(difference) = estimate_mean(&differences, ValueScale::Plain)? else { continue };
        let told = format!("group against individual: {what}, by how much the group does better");
        let finding = ReportFinding::new(key, told, difference.mean, ("", 3));
        let finding = finding.with_interval(difference.interval);
        let average = |values: &[f64]| format_number(values.iter().sum::<f64>() / values.len() as f64, 3);
        table.add_row([
            what.into(),
            average(&own),
            average(&other),
            finding.format_value(),
            finding.format_interval(),
        ]);
        findings.push(finding);
    }
    blocks.push(SheetBlock::Table(table));
    Ok(SheetSection { heading: "Figure 7: both methods (section 5.3)".into(), blocks })
}

fn first_trial_series(
    name: &str,
    trials: &[LearningTrial],
    value: super::trial::CurveValue,
) -> Option<ishi_lab::body::PlotSeries> {
    trials.first().and_then(|trial| trial_series(name, trial, value))
}

/// Tables 3 and 4: the ten members.
pub(super) fn tables_3_and_4((run, trials): RunWithTrials<'_>) -> Result<Vec<SheetSection>, LabError> {
    Ok(vec![table_3(run, trials), table_4(run, trials)?])
}

fn table_3(run: &LearningRun, trials: &[LearningTrial]) -> SheetSection {
    let mut table = SheetTable::new([
        "seed",
        "No.",
        "#a",
        "#b",
        "#c",
        "#d",
        "#e",
        "#f",
        "#g",
        "#h",
        "#i",
        "#j",
        "#rating",
        "paper: No., weights",
        "paper: rating",
    ]);
    for trial in trials {
        for (number_of, member) in (1..).zip(trial.final_members()) {
            let mut row = vec![trial.seed.to_string(), number_of.to_string()];
            row.extend(shorten_weights(&member.weights).split_whitespace().map(String::from));
            row.resize(12, String::new());
            row.push(member.rating.map_or(String::new(), |rating| format_number(rating, 1)));
            if trial.seed == 1 {
                let (weights, rating) = paper_text_of_table_3(number_of);
                row.extend([format!("{number_of}: {weights}"), rating.to_string()]);
            }
            table.add_row(row);
        }
    }
    let text = format!(
        "The members of the group at the end of the run, {} million games; weights a to j, the greatest being 1 or -1, and the \
         rating that their last league of N games a pair gave them. The cells of the paper's table cannot be read; its text \
         says that No. 6 has the highest rating and No. 8 the second.",
        run.games as f64 / 1e6
    );
    let blocks = vec![SheetBlock::Text(text), SheetBlock::Table(table)];
    SheetSection { heading: "Table 3: the group's ten members (section 5.3)".into(), blocks }
}

/// What the paper's text says of a row of its table 3.
fn paper_text_of_table_3(number: usize) -> (&'static str, &'static str) {
    match number {
        6 => (UNREAD, "the highest"),
        8 => (UNREAD, "the second"),
        _ => (UNREAD, UNREAD),
    }
}

fn table_4(run: &LearningRun, trials: &[LearningTrial]) -> Result<SheetSection, LabError> {
    let mut by_rank = SheetTable::new([
        "#rank by rating",
        "#against the standard",
        "#95 % interval",
        "#deviation of a series",
        "#rank against the standard",
        "#95 % interval",
        "paper: against the standard",
        "paper: deviation",
        "paper: rank",
    ]);
    let ranks = trials.iter().map(|trial| trial.members_by_rating().len()).max().unwrap_or(0);
    for place in 0..ranks {
        let of = |value: fn(&MeasuredMember) -> f64| -> Vec<f64> {
            trials.iter().filter_map(|trial| trial.members_by_rating().get(place).map(|m| value(m))).collect()
        };
        let positions: Vec<f64> = trials.iter().filter_map(|trial| trial.standard_rank(place)).collect();
        let cells = [
            (estimate_mean(&of(|m| m.standard), ValueScale::Share)?, 3, true),
            (estimate_mean(&of(|m| m.series_sd), ValueScale::Positive)?, 4, false),
            (estimate_mean(&positions, ValueScale::Rank(ranks))?, 1, true),
        ];
        let mut row = vec![(place + 1).to_string()];
        for (cell, decimals, with_interval) in cells {
            row.push(cell.map_or(String::new(), |cell| format_number(cell.mean, decimals)));
            if with_interval {
                let interval = cell.and_then(|cell| cell.interval);
                let text = |[low, high]: [f64; 2]| {
                    format!("{} to {}", format_number(low, decimals), format_number(high, decimals))
                };
                row.push(interval.map_or(String::new(), text));
            }
        }
        row.extend(match place {
            0 => [format_number(TOP[0], 3), format_number(TOP[1], 4), "3 (No. 6)".into()],
            1 => ["the highest".into(), UNREAD.into(), "1 (No. 8)".into()],
            _ => [UNREAD, UNREAD, UNREAD].map(String::from),
        });
        by_rank.add_row(row);
    }
    let text = format!(
        "Each member in games against the standard player that no learning saw, in series of N = {} games. First the mean over \
         the seeds for the best-rated, the second by rating, and so on: in the paper the best-rated is No. 6, 0.483 with a \
         deviation of 0.0697. Then every member of every seed.",
        run.options.games
    );
    let blocks =
        vec![SheetBlock::Text(text), SheetBlock::Table(by_rank), SheetBlock::Table(members_table(trials))];
    Ok(SheetSection { heading: "Table 4: each of the ten against the standard (section 5.3)".into(), blocks })
}

fn members_table(trials: &[LearningTrial]) -> SheetTable {
    let mut table = SheetTable::new([
        "seed",
        "No.",
        "#rating",
        "#rank by rating",
        "#against the standard",
        "#deviation of a series",
        "#rank against the standard",
    ]);
    for trial in trials {
        let order = trial.members_by_rating();
        for (number_of, member) in (1..).zip(trial.final_members()) {
            let place =
                order.iter().position(|other| std::ptr::eq(*other, member)).map_or(0, |place| place + 1);
            table.add_row([
                trial.seed.to_string(),
                number_of.to_string(),
                member.rating.map_or(String::new(), |rating| format_number(rating, 1)),
                place.to_string(),
                format_number(member.standard, 4),
                format_number(member.series_sd, 4),
                rank_among(member, trial.final_members()).to_string(),
            ]);
        }
    }
    table
}

/// Tables 1 and 2: the conditions, as far as the text repeats them.
pub(super) fn conditions_section(individual: &LearningOptions, group: &LearningOptions) -> SheetSection {
    let mut table = SheetTable::new(["parameter", "paper, individual", "here", "paper, group", "here"]);
    let rating = format!("{}; {}", group.start_rating, group.k_factor);
    let [own_steps, group_steps] =
        [individual, group].map(|options| format!("{}, {}", options.f, options.cr));
    let rows = [
        condition_row("Kmax, best players of a run", "200", individual.k_max, "200", group.k_max),
        condition_row("Tmax, generations", "100", individual.t_max, "100", group.t_max),
        condition_row("NP, individuals", "20", individual.population, "20", group.population),
        condition_row("N, games", "S x N = 500", individual.games, "50", group.games),
        condition_row("S, series", "S x N = 500", individual.series, "", ""),
        condition_row("alpha", "1.3", individual.alpha, "", ""),
        condition_row("Gmax, members", "", "", "10", group.group),
        condition_row("admission above", "", "", "1600", group.admission),
        condition_row("rating at the start, K", "", "", "1500; 32 is called usual", rating),
        condition_row("F, CR", UNREAD, own_steps, UNREAD, group_steps),
        condition_row("epsilon", "0.1", individual.epsilon, "0.1", group.epsilon),
    ];
    rows.into_iter().for_each(|row| table.add_row(row));
    let text = "The cells of tables 1 and 2 cannot be read; what stands here is what the text of sections 4.1, 4.3, 5.1 and 5.3 says. \
                Where it says nothing the value was chosen here: S = 10 series of N = 50 games are 500 games, and 50 is the text's N of group learning.";
    SheetSection {
        heading: "Tables 1 and 2: conditions".into(),
        blocks: vec![SheetBlock::Text(text.into()), SheetBlock::Table(table)],
    }
}

fn condition_row(
    name: &str,
    individual: &str,
    ours: impl Display,
    group: &str,
    ours_too: impl Display,
) -> [String; 5] {
    [name.into(), individual.into(), ours.to_string(), group.into(), ours_too.to_string()]
}
