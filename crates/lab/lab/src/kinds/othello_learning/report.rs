//! What came out: the paper's figures and tables, the readings, and what lies beyond.

mod curves;
mod findings;
mod paper;
mod readings;
mod trial;

use super::elo::Spread;
use super::options::{Options, Rating};
use super::{Run, games::Measured};
use crate::error::LabError;
use crate::expected::{Finding, number};
use crate::report::{Block, Body, Section, Table};

pub(super) use self::trial::Trial;
use self::trial::{mean, standard, top};

/// The runs that are the paper's own, by their names.
const INDIVIDUAL: &str = "individual";
const GROUP: &str = "group";

/// The whole report.
pub(super) fn body(all: &[(&Run, Vec<Trial>)], luck_of_ratings: Option<&[Spread]>) -> Result<Body, LabError> {
    let mut body = Body::default();
    for (run, trials) in all {
        findings::findings(run, trials, &mut body.findings)?;
    }
    let find = |name: &str| all.iter().find(|(run, _)| run.name == name).map(|(run, t)| (*run, t.as_slice()));
    let (individual, group) = (find(INDIVIDUAL), find(GROUP));
    let options =
        |run: Option<paper::Runs<'_>>| run.map_or_else(Options::default, |(run, _)| run.options.clone());
    let (one, many) = (options(individual), options(group));
    body.findings.extend(findings::costs(&one, &many));
    body.sections.push(paper::conditions(&one, &many));
    body.sections.extend(individual.map(paper::figure_5));
    body.sections.extend(group.map(paper::figure_6));
    if let (Some(individual), Some(group)) = (individual, group) {
        body.sections.push(paper::figure_7(individual, group, &mut body.findings)?);
    }
    if let Some(group) = group {
        body.sections.extend(paper::tables_3_and_4(group)?);
    }
    body.sections.push(readings::section(all)?);
    for (run, trials) in all.iter().filter(|(run, _)| run.is_beyond()) {
        body.sections.push(beyond(run, trials));
    }
    if let Some(spreads) = luck_of_ratings {
        luck(spreads, &mut body);
    }
    Ok(body)
}

/// The section of a run that is not a reading of the paper.
fn beyond(run: &Run, trials: &[Trial]) -> Section {
    let rated = trials.iter().any(|trial| trial.points.iter().any(|point| point.top.is_some()));
    let mut series = vec![curves::over_trials("members, mean of the seeds", trials, standard)];
    if rated {
        series.push(curves::over_trials("best-rated, mean of the seeds", trials, top));
    }
    let mut blocks = vec![Block::Text(run.about())];
    let title = format!("Against the standard ({})", run.name);
    let file = format!("{}-standard", run.name);
    blocks.extend(curves::plot(&file, [&title, "score"], series, Vec::new()));
    blocks.push(Block::Table(group_table(trials, false)));
    Section { heading: format!("{}{}", run.name, run.place_in_paper()), blocks }
}

/// The players that runs of many players end with.
fn group_table(trials: &[Trial], with_paper: bool) -> Table {
    let columns = [
        "seed",
        "#games, millions",
        "#populations",
        "#best-rated against standard",
        "#sd of a series",
        "#members' mean",
        "#best member",
        "#lowest member",
        "#winner of a longer league",
        "#against random",
        "weights of the best-rated, or of the league's winner",
    ];
    let mut table = Table::new(columns);
    if with_paper {
        table.row(["paper", "55", "", "0.483", "0.0697"]);
    }
    for trial in trials {
        let (Some(champion), Some(point)) = (trial.champion(), trial.points.last()) else { continue };
        let of = |value: fn(&Measured) -> f64| trial.members().iter().map(value);
        let average = |value| number(mean(of(value)).unwrap_or(f64::NAN), 3);
        let best_rated = trial.by_rating().first().copied();
        let text =
            |value: Option<f64>, decimals| value.map_or(String::new(), |value| number(value, decimals));
        table.row([
            trial.seed.to_string(),
            number(trial.games as f64 / 1e6, 2),
            point.k.to_string(),
            text(best_rated.map(|m| m.standard), 3),
            text(best_rated.map(|m| m.series_sd), 4),
            average(|member| member.standard),
            number(of(|member| member.standard).fold(0.0, f64::max), 3),
            number(of(|member| member.standard).fold(1.0, f64::min), 3),
            number(champion.standard, 3),
            average(|member| member.random),
            short(&best_rated.unwrap_or(champion).weights),
        ]);
    }
    table
}

/// Weights with three decimals.
fn short(weights: &str) -> String {
    let round = |word: &str| word.parse::<f64>().map_or(word.to_string(), |v| number(v, 3));
    weights.split_whitespace().map(round).collect::<Vec<_>>().join(" ")
}

/// What luck is worth in a rating.
fn luck(spreads: &[Spread], body: &mut Body) {
    let mut table = Table::new([
        "rating",
        "#mean",
        "#sd",
        "#best of NP",
        "#its sd",
        "#above the admission",
        "#groups of NP",
    ]);
    for spread in spreads {
        let name = match spread.rating {
            Rating::Elo => "elo",
            Rating::Likelihood => "likelihood",
        };
        table.row([
            name.to_string(),
            number(spread.mean, 1),
            number(spread.sd, 1),
            number(spread.best, 1),
            number(spread.best_sd, 1),
            number(spread.admitted, 3),
            spread.groups.to_string(),
        ]);
        let mut finding = |key: &str, what: &str, value: f64, error: f64, decimals| {
            body.findings.push(Finding {
                key: format!("even.{name}.{key}"),
                what: format!("players as good as the group, rated by {name}: {what}"),
                value,
                interval: Some([value - 1.96 * error, value + 1.96 * error]),
                unit: String::new(),
                decimals,
                note: String::new(),
            });
        };
        let groups = spread.groups as f64;
        // A standard deviation of n ratings varies by itself / sqrt(2 n); the ratings are more than NP times the groups.
        finding(
            "sd",
            "standard deviation of the rating",
            spread.sd,
            spread.sd / (2.0 * 10.0 * groups).sqrt(),
            1,
        );
        finding("best", "the best of NP", spread.best, spread.best_sd / groups.sqrt(), 1);
        let error = (spread.admitted * (1.0 - spread.admitted) / groups).sqrt();
        finding("admitted", "share of populations whose best is admitted", spread.admitted, error, 3);
    }
    let text =
        "The standard player is rated in a group of standard players: every rating above 1500 is luck.";
    let blocks = vec![Block::Text(text.into()), Block::Table(table)];
    body.sections.push(Section { heading: "Ratings of equal players".into(), blocks });
}
