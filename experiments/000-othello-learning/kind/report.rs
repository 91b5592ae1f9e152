//! What came out: the paper's figures and tables, the readings, and what lies beyond.

mod curves;
mod findings;
mod groups;
mod paper;
mod readings;
mod trial;

use ishi_lab::LabError;
use ishi_lab::body::{ReportBody, SheetBlock, SheetSection, SheetTable};
use ishi_lab::expected::{ReportFinding, format_number};
use ishi_othello_learn::evolution::{LearningOptions, RatingMethod};

use super::elo::RatingSpread;
use super::run::LearningRun;

pub(super) use self::trial::LearningTrial;
use self::trial::{standard_score, top_score};

/// The runs that are the paper's own, by their names.
const INDIVIDUAL: &str = "individual";
const GROUP: &str = "group";

/// The whole report.
pub(super) fn build_body(
    all: &[(&LearningRun, Vec<LearningTrial>)],
    luck_of_ratings: Option<&[RatingSpread]>,
) -> Result<ReportBody, LabError> {
    let mut body = ReportBody::default();
    for (run, trials) in all {
        findings::add_run_findings(run, trials, &mut body.findings)?;
    }
    let find = |name: &str| all.iter().find(|(run, _)| run.name == name).map(|(run, t)| (*run, t.as_slice()));
    let (individual, group) = (find(INDIVIDUAL), find(GROUP));
    let options = |run: Option<paper::RunWithTrials<'_>>| {
        run.map_or_else(LearningOptions::default, |(run, _)| run.options.clone())
    };
    let (one, many) = (options(individual), options(group));
    body.findings.extend(findings::cost_findings(&one, &many));
    body.sections.push(paper::conditions_section(&one, &many));
    body.sections.extend(individual.map(paper::figure_5_section));
    body.sections.extend(group.map(paper::figure_6_section));
    if let (Some(individual), Some(group)) = (individual, group) {
        body.sections.push(paper::figure_7_section(individual, group, &mut body.findings)?);
    }
    if let Some(group) = group {
        body.sections.extend(paper::tables_3_and_4(group)?);
    }
    body.sections.push(readings::readings_section(all)?);
    for (run, trials) in all.iter().filter(|(run, _)| run.is_beyond()) {
        body.sections.push(beyond_section(run, trials));
    }
    if let Some(spreads) = luck_of_ratings {
        add_luck_section(spreads, &mut body);
    }
    Ok(body)
}

/// The section of a run that is not a reading of the paper.
fn beyond_section(run: &LearningRun, trials: &[LearningTrial]) -> SheetSection {
    let rated = trials.iter().any(|trial| trial.points.iter().any(|point| point.top.is_some()));
    let mut series = vec![curves::mean_series("members, mean of the seeds", trials, standard_score)];
    if rated {
        series.push(curves::mean_series("best-rated, mean of the seeds", trials, top_score));
    }
    let mut blocks = vec![SheetBlock::Text(run.describe_run())];
    let title = format!("Against the standard ({})", run.name);
    let file = format!("{}-standard", run.name);
    blocks.extend(curves::learning_plot(&file, [&title, "score"], series, Vec::new()));
    blocks.push(SheetBlock::Table(groups::group_table(trials, false)));
    SheetSection { heading: format!("{}{}", run.name, run.place_in_paper()), blocks }
}

/// What luck is worth in a rating.
fn add_luck_section(spreads: &[RatingSpread], body: &mut ReportBody) {
    let mut table = SheetTable::new([
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
            RatingMethod::Elo => "elo",
            RatingMethod::Likelihood => "likelihood",
        };
        table.add_row([
            name.to_string(),
            format_number(spread.mean, 1),
            format_number(spread.sd, 1),
            format_number(spread.best, 1),
            format_number(spread.best_sd, 1),
            format_number(spread.admitted, 3),
            spread.groups.to_string(),
        ]);
        let mut finding = |key: &str, what: &str, value: f64, error: f64, decimals| {
            let what = format!("players as good as the group, rated by {name}: {what}");
            let finding = ReportFinding::new(format!("even.{name}.{key}"), what, value, ("", decimals));
            let interval = [value - 1.96 * error, value + 1.96 * error];
            body.findings.push(finding.with_interval(Some(interval)));
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
    let blocks = vec![SheetBlock::Text(text.into()), SheetBlock::Table(table)];
    body.sections.push(SheetSection { heading: "Ratings of equal players".into(), blocks });
}
