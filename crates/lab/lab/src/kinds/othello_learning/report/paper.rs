//! The paper's figures 5 to 7 and tables 1 to 4, ours beside them.
//!
//! The scan gives the texts, the axes and what the texts say in words; the cells of its tables and the points of its curves
//! cannot be read. What can be is written here as the paper's.

use super::super::Run;
use super::super::games::Measured;
use super::super::options::Options;
use super::curves::{self, of_ratings, of_trial, over_trials, plot};
use super::trial::{Scale, Trial, estimate, rank_among, standard, top};
use crate::error::LabError;
use crate::expected::{Finding, number};
use crate::report::{Block, Section, Table};

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
pub(super) type Runs<'a> = (&'a Run, &'a [Trial]);

/// Figure 5: individual learning.
pub(super) fn figure_5((run, trials): Runs<'_>) -> Section {
    let mut blocks = vec![Block::Text(format!(
        "{} Thin in the paper: a winner against the opponent that it replaces; thick: the same winner against the standard \
         player, both whenever the opponent is replaced. The first plot is the run with seed 1, the second the mean over all seeds.",
        run.about()
    ))];
    let previous = |point: &super::super::learner::Point| point.previous;
    let names = ["against replaced", "against standard"];
    let bands = || {
        vec![
            curves::band("paper: 70 to 80 % against the replaced", PREVIOUS[0], PREVIOUS[1]),
            curves::band("paper: about 30 % against the standard", INDIVIDUAL[0], INDIVIDUAL[1]),
        ]
    };
    if let Some(first) = trials.first() {
        let series = [of_trial(names[0], first, previous), of_trial(names[1], first, standard)];
        blocks.extend(plot("figure-5", ["Figure 5: individual learning, seed 1", "score"], series, bands()));
    }
    let series = [over_trials(names[0], trials, previous), over_trials(names[1], trials, standard)];
    let title = "Figure 5: individual learning, mean of the seeds";
    blocks.extend(plot("figure-5-mean", [title, "score"], series, bands()));
    blocks.push(Block::Table(individual_table(trials)));
    Section { heading: "Figure 5: individual learning (section 4.3)".into(), blocks }
}

fn individual_table(trials: &[Trial]) -> Table {
    let mut table = Table::new([
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
    table.row(["paper", "axis to 50", "", "200", "0.70 to 0.80", "about 0.30"]);
    for trial in trials {
        let (Some(point), Some(member)) = (trial.points.last(), trial.members().first()) else { continue };
        let text = |value: Option<f64>| value.map_or(String::new(), |value| number(value, 3));
        table.row([
            trial.seed.to_string(),
            number(trial.games as f64 / 1e6, 2),
            point.k.to_string(),
            trial.winners().to_string(),
            text(super::trial::mean(trial.successes().filter_map(|point| point.previous))),
            text(trial.late(trial.games, standard)),
            text(trial.highest(standard)),
            text(Some(member.standard)),
            super::short(&member.weights),
        ]);
    }
    table
}

/// Figure 6: group learning.
pub(super) fn figure_6((run, trials): Runs<'_>) -> Section {
    let mut blocks = vec![Block::Text(format!(
        "{} Thin in the paper: the rating of the population's best; thick: the best-rated of the group in 1,000 games against the \
         standard player, whenever the group changes. Here each has its own plot: seed 1 generation by generation, then the \
         thick curve with all seeds' mean.",
        run.about()
    ))];
    if let Some(first) = trials.first() {
        let admission = run.options.admission;
        let bands = vec![curves::band("admission above", admission - 2.0, admission + 2.0)];
        let title = "Figure 6, thin: rating of the population's best";
        let series = [of_ratings("population's best, seed 1", first)];
        blocks.extend(plot("figure-6-rating", [title, "rating"], series, bands));
        let series =
            [of_trial("best-rated, seed 1", first, top), over_trials("mean of the seeds", trials, top)];
        let bands = vec![curves::band("paper: No. 6 at 55 million games", NO_6[0], NO_6[1])];
        let title = "Figure 6, thick: best-rated of the group against the standard";
        blocks.extend(plot("figure-6-standard", [title, "score"], series, bands));
    }
    blocks.push(Block::Table(super::group_table(trials, run.name == "group")));
    Section { heading: "Figure 6: group learning (section 5.3)".into(), blocks }
}

/// Figure 7: both methods against the standard.
pub(super) fn figure_7(
    individual: Runs<'_>,
    group: Runs<'_>,
    findings: &mut Vec<Finding>,
) -> Result<Section, LabError> {
    let both = [
        of_first("individual, 1", individual.1, standard),
        of_first("group, 1", group.1, top),
        over_trials("individual, all", individual.1, standard),
        over_trials("group, all", group.1, top),
    ];
    let title = "Figure 7: both methods against the standard (1: seed 1, all: mean of the seeds)";
    let text = "The paper's text: the group's players stand higher, and more steadily. Differences are taken seed by seed, over the \
                second half of the runs; a change is that from one best player to the next. The best-rated is chosen by ratings that luck \
                moves; whether good players stay in the group is told by the finding `group.best-change`.";
    let mut blocks = vec![Block::Text(text.into())];
    let bands = vec![
        curves::band("paper: individual, about 30 %", INDIVIDUAL[0], INDIVIDUAL[1]),
        curves::band("paper: group, No. 6", NO_6[0], NO_6[1]),
    ];
    blocks.extend(plot("figure-7", [title, "score against the standard"], both, bands));
    let mut table = Table::new(["figure", "#individual", "#group", "#difference", "#95 % interval"]);
    type Value = fn(&Trial, super::trial::Curve) -> Option<f64>;
    let rows: [(&str, &str, Value, bool); 2] = [
        ("figure-7.higher", "score, second half", |trial, curve| trial.late(trial.games, curve), true),
        ("figure-7.steadier", "change from one to the next", |trial, curve| trial.change(curve), false),
    ];
    for (key, what, value, group_higher) in rows {
        // Runs with the same seed begin with the same first player.
        let both = individual.1.iter().zip(group.1);
        let pairs: Vec<(f64, f64)> =
            both.filter_map(|(own, other)| Some((value(own, standard)?, value(other, top)?))).collect();
        let (own, other): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let sign = if group_higher { 1.0 } else { -1.0 };
        let differences: Vec<f64> = pairs.iter().map(|(own, other)| sign * (other - own)).collect();
        let Some(difference) = estimate(&differences, Scale::Plain)? else { continue };
        let finding = Finding {
            key: key.into(),
            what: format!("group against individual: {what}, by how much the group does better"),
            value: difference.mean,
            interval: difference.interval,
            unit: String::new(),
            decimals: 3,
            note: String::new(),
        };
        let average = |values: &[f64]| number(values.iter().sum::<f64>() / values.len() as f64, 3);
        table.row([what.into(), average(&own), average(&other), finding.text(), finding.interval_text()]);
        findings.push(finding);
    }
    blocks.push(Block::Table(table));
    Ok(Section { heading: "Figure 7: both methods (section 5.3)".into(), blocks })
}

fn of_first(name: &str, trials: &[Trial], value: super::trial::Curve) -> Option<crate::report::Series> {
    trials.first().and_then(|trial| of_trial(name, trial, value))
}

/// Tables 3 and 4: the ten members.
pub(super) fn tables_3_and_4((run, trials): Runs<'_>) -> Result<Vec<Section>, LabError> {
    Ok(vec![table_3(run, trials), table_4(run, trials)?])
}

fn table_3(run: &Run, trials: &[Trial]) -> Section {
    let mut table = Table::new([
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
        for (number_of, member) in (1..).zip(trial.members()) {
            let mut row = vec![trial.seed.to_string(), number_of.to_string()];
            row.extend(super::short(&member.weights).split_whitespace().map(String::from));
            row.resize(12, String::new());
            row.push(member.rating.map_or(String::new(), |rating| number(rating, 1)));
            if trial.seed == 1 {
                let (weights, rating) = read_of_table_3(number_of);
                row.extend([format!("{number_of}: {weights}"), rating.to_string()]);
            }
            table.row(row);
        }
    }
    let text = format!(
        "The members of the group at the end of the run, {} million games; weights a to j, the greatest being 1 or -1, and the \
         rating that their last league of N games a pair gave them. The cells of the paper's table cannot be read; its text \
         says that No. 6 has the highest rating and No. 8 the second.",
        run.games as f64 / 1e6
    );
    let blocks = vec![Block::Text(text), Block::Table(table)];
    Section { heading: "Table 3: the group's ten members (section 5.3)".into(), blocks }
}

/// What the paper's text says of a row of its table 3.
fn read_of_table_3(number: usize) -> (&'static str, &'static str) {
    match number {
        6 => (UNREAD, "the highest"),
        8 => (UNREAD, "the second"),
        _ => (UNREAD, UNREAD),
    }
}

fn table_4(run: &Run, trials: &[Trial]) -> Result<Section, LabError> {
    let mut by_rank = Table::new([
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
    let ranks = trials.iter().map(|trial| trial.by_rating().len()).max().unwrap_or(0);
    for place in 0..ranks {
        let of = |value: fn(&Measured) -> f64| -> Vec<f64> {
            trials.iter().filter_map(|trial| trial.by_rating().get(place).map(|m| value(m))).collect()
        };
        let positions: Vec<f64> = trials.iter().filter_map(|trial| trial.rank(place)).collect();
        let cells = [
            (estimate(&of(|m| m.standard), Scale::Share)?, 3, true),
            (estimate(&of(|m| m.series_sd), Scale::Positive)?, 4, false),
            (estimate(&positions, Scale::Rank(ranks))?, 1, true),
        ];
        let mut row = vec![(place + 1).to_string()];
        for (cell, decimals, with_interval) in cells {
            row.push(cell.map_or(String::new(), |cell| number(cell.mean, decimals)));
            if with_interval {
                let interval = cell.and_then(|cell| cell.interval);
                let text = |[low, high]: [f64; 2]| {
                    format!("{} to {}", number(low, decimals), number(high, decimals))
                };
                row.push(interval.map_or(String::new(), text));
            }
        }
        row.extend(match place {
            0 => [number(TOP[0], 3), number(TOP[1], 4), "3 (No. 6)".into()],
            1 => ["the highest".into(), UNREAD.into(), "1 (No. 8)".into()],
            _ => [UNREAD, UNREAD, UNREAD].map(String::from),
        });
        by_rank.row(row);
    }
    let text = format!(
        "Each member in games against the standard player that no learning saw, in series of N = {} games. First the mean over \
         the seeds for the best-rated, the second by rating, and so on: in the paper the best-rated is No. 6, 0.483 with a \
         deviation of 0.0697. Then every member of every seed.",
        run.options.games
    );
    let blocks = vec![Block::Text(text), Block::Table(by_rank), Block::Table(members(trials))];
    Ok(Section { heading: "Table 4: each of the ten against the standard (section 5.3)".into(), blocks })
}

fn members(trials: &[Trial]) -> Table {
    let mut table = Table::new([
        "seed",
        "No.",
        "#rating",
        "#rank by rating",
        "#against the standard",
        "#deviation of a series",
        "#rank against the standard",
    ]);
    for trial in trials {
        let order = trial.by_rating();
        for (number_of, member) in (1..).zip(trial.members()) {
            let place =
                order.iter().position(|other| std::ptr::eq(*other, member)).map_or(0, |place| place + 1);
            table.row([
                trial.seed.to_string(),
                number_of.to_string(),
                member.rating.map_or(String::new(), |rating| number(rating, 1)),
                place.to_string(),
                number(member.standard, 4),
                number(member.series_sd, 4),
                rank_among(member, trial.members()).to_string(),
            ]);
        }
    }
    table
}

/// Tables 1 and 2: the conditions, as far as the text repeats them.
pub(super) fn conditions(individual: &Options, group: &Options) -> Section {
    let mut table = Table::new(["parameter", "paper, individual", "ours", "paper, group", "ours"]);
    let n = |value: f64| value.to_string();
    let rows: [[String; 5]; 11] = [
        row(
            "Kmax, best players of a run",
            "200",
            individual.k_max.to_string(),
            "200",
            group.k_max.to_string(),
        ),
        row("Tmax, generations", "100", individual.t_max.to_string(), "100", group.t_max.to_string()),
        row("NP, individuals", "20", individual.population.to_string(), "20", group.population.to_string()),
        row("N, games", "S x N = 500", individual.games.to_string(), "50", group.games.to_string()),
        row("S, series", "S x N = 500", individual.series.to_string(), "", String::new()),
        row("alpha", "1.3", n(individual.alpha), "", String::new()),
        row("Gmax, members", "", String::new(), "10", group.group.to_string()),
        row("admission above", "", String::new(), "1600", n(group.admission)),
        row(
            "rating at the start, K",
            "",
            String::new(),
            "1500; 32 is called usual",
            format!("{}; {}", group.start_rating, group.k_factor),
        ),
        row(
            "F, CR",
            UNREAD,
            format!("{}, {}", individual.f, individual.cr),
            UNREAD,
            format!("{}, {}", group.f, group.cr),
        ),
        row("epsilon", "0.1", n(individual.epsilon), "0.1", n(group.epsilon)),
    ];
    rows.into_iter().for_each(|row| table.row(row));
    let text = "The cells of tables 1 and 2 cannot be read; what stands here is what the text of sections 4.1, 4.3, 5.1 and 5.3 says. \
                Where it says nothing the value is ours: S = 10 series of N = 50 games are 500 games, and 50 is the text's N of group learning.";
    Section {
        heading: "Tables 1 and 2: conditions".into(),
        blocks: vec![Block::Text(text.into()), Block::Table(table)],
    }
}

fn row(name: &str, individual: &str, ours: String, group: &str, ours_too: String) -> [String; 5] {
    [name.into(), individual.into(), ours, group.into(), ours_too]
}
