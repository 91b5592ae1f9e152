//! What follows from the paper's figures alone: its settings beside ours, and what its games can show.

use ishi_lab::LabError;
use ishi_lab::body::{ReportBody, SheetBlock, SheetSection, SheetTable};
use ishi_lab::expected::format_number;
use ishi_stats::{Proportion, StatsError};

use super::super::games::{PaperPlayer, TabuCampaign};
use super::super::measure::PlayoutMeasure;
use super::rates::{format_optional, games_needed, half_rate_p_value, rate_difference, same_rate_p_value};
use crate::figures::{format_interval, interval_in_percent, make_finding, wilson_interval};

/// Table 1 with ours beside it.
pub(in super::super) fn add_settings_section(measure: &PlayoutMeasure, body: &mut ReportBody) {
    if measure.settings.is_empty() {
        return;
    }
    let columns = ["the paper's player", "here", "#playouts", "#threshold", "#C", "list", "#L", "#M"];
    let mut table = SheetTable::new(columns);
    for setting in &measure.settings {
        let mut row = vec![setting.name.clone(), setting.player.clone()];
        row.extend(setting.columns.iter().map(|(_, paper, ours)| format_both_settings(paper, ours)));
        table.add_row(row);
        for (column, _, ours) in &setting.columns {
            let Ok(value) = ours.parse::<f64>() else { continue };
            let what = format!("settings of {}: {column}", setting.name);
            body.findings.push(make_finding(
                format!("settings.{}.{column}", setting.name),
                what,
                value,
                None,
                ("", if *column == "C" { 1 } else { 0 }),
            ));
        }
    }
    body.sections.push(SheetSection {
        heading: "Settings: table 1".into(),
        blocks: vec![SheetBlock::Text(HOW_SET.into()), SheetBlock::Table(table)],
    });
}

const HOW_SET: &str = "The paper's settings. Where those here differ, both stand there, the paper's first. The threshold is read as in the \
    presets: a leaf that has had so many playouts is expanded.";

/// One value if both are the same.
fn format_both_settings(paper: &str, ours: &str) -> String {
    if paper == ours { ours.to_string() } else { format!("{paper}; here {ours}") }
}

/// The paper's players beside each other, by its own table 2: the first stage in which all players stand for one.
pub(in super::super) fn add_paper_tests_section(
    campaign: &TabuCampaign,
    body: &mut ReportBody,
) -> Result<(), LabError> {
    let of_stage = |stage: &super::super::games::TabuStage| -> Option<Vec<PaperPlayer>> {
        let players: Option<Vec<PaperPlayer>> =
            stage.players.iter().map(|player| player.paper.clone()).collect();
        players.filter(|players| players.len() > 1)
    };
    let Some(players) = campaign.games.stages.iter().find_map(of_stage) else { return Ok(()) };
    let mut alone =
        SheetTable::new(["the paper's player", "#won", "#games", "#rate, %", "#95%", "#p of 50 %"]);
    for player in paper_rows(campaign, &players) {
        let wins = all_games_rate(player)?;
        let p = half_rate_p_value(&wins)?;
        alone.add_row([
            player.name.clone(),
            wins.successes().to_string(),
            wins.trials().to_string(),
            format_number(100.0 * wins.rate(), 1),
            format_interval(wilson_interval(&wins), 3),
            format_number(p, 3),
        ]);
        let key = |name: &str| format!("tests.{}.{name}", player.name);
        let what = |text: &str| format!("the paper's {}: {text}", player.name);
        let interval = wilson_interval(&wins);
        body.findings.extend([
            make_finding(key("p"), what("p of 50 %, from its counts"), p, None, ("", 3)),
            make_finding(
                key("low"),
                what("lower end of the interval, from its counts"),
                interval.low,
                None,
                ("", 3),
            ),
            make_finding(
                key("high"),
                what("upper end of the interval, from its counts"),
                interval.high,
                None,
                ("", 3),
            ),
        ]);
    }
    let mut blocks = vec![
        SheetBlock::Text(HOW_TESTED.into()),
        SheetBlock::Table(alone),
        SheetBlock::Text(HOW_COMPARED.into()),
        SheetBlock::Table(pairwise_table(&players, body)?),
    ];
    blocks.extend(describe_conclusion(&players)?.map(SheetBlock::Text));
    body.sections
        .push(SheetSection { heading: "What the paper's games show: tables 2 and 3".into(), blocks });
    Ok(())
}

const HOW_TESTED: &str = "From the counts of the paper's table 2 alone: the exact two-sided binomial test of 50 %, and Wilson's 95% \
    interval. They are the figures of its table 3.";

const HOW_COMPARED: &str = "A test of 50 % says that a player beats GNU Go, not that it is better than the search that it was made \
    from. That is a comparison of two rates: the difference with Newcombe's interval, and the two-sided p of the same rate (z \
    test). The last columns are p times the number of comparisons (Bonferroni), and the games that each of the two would need for \
    a probability of 80 % to show this difference at 5 %.";

/// Rows of table 2, those of stages with one player first (the program against itself).
fn paper_rows<'a>(campaign: &'a TabuCampaign, players: &'a [PaperPlayer]) -> Vec<&'a PaperPlayer> {
    let alone = campaign.games.stages.iter().filter(|stage| stage.players.len() == 1);
    alone.filter_map(|stage| stage.players[0].paper.as_ref()).chain(players).collect()
}

fn all_games_rate(player: &PaperPlayer) -> Result<Proportion, StatsError> {
    let (won, games) = player.win_counts()[2];
    Proportion::new(won, games)
}

fn pairwise_table(players: &[PaperPlayer], body: &mut ReportBody) -> Result<SheetTable, LabError> {
    let mut table = SheetTable::new([
        "the paper's player",
        "beside",
        "#won more, points",
        "#95%",
        "#p",
        "#p, all comparisons",
        "#games each for 80 %",
    ]);
    let comparisons = players.len() * (players.len() - 1) / 2;
    for (n, base) in players.iter().enumerate() {
        for player in &players[n + 1..] {
            let (own, other) = (all_games_rate(player)?, all_games_rate(base)?);
            let (more, interval) = rate_difference(&own, &other);
            let p = same_rate_p_value(&own, &other)?;
            let needed = games_needed(own.rate(), other.rate());
            table.add_row([
                player.name.clone(),
                base.name.clone(),
                format_number(100.0 * more, 1),
                format_interval(interval_in_percent(interval), 1),
                format_number(p, 3),
                format_number((p * comparisons as f64).min(1.0), 3),
                format_optional(needed, 0),
            ]);
            let key = |name: &str| format!("tests.{}.{}.{name}", player.name, base.name);
            let what = |text: &str| format!("the paper's {} beside {}: {text}", player.name, base.name);
            body.findings.extend([
                make_finding(
                    key("more"),
                    what("won more"),
                    100.0 * more,
                    Some(interval_in_percent(interval)),
                    ("points", 1),
                ),
                make_finding(key("p"), what("p of the same rate"), p, None, ("", 3)),
            ]);
            body.findings.extend(needed.map(|games| {
                make_finding(key("needed"), what("games each for 80 %"), games, None, ("games", 0))
            }));
        }
    }
    Ok(table)
}

/// The last player beside the first, in words.
fn describe_conclusion(players: &[PaperPlayer]) -> Result<Option<String>, LabError> {
    let [base, .., best] = players else { return Ok(None) };
    let (own, other) = (all_games_rate(best)?, all_games_rate(base)?);
    let (more, interval) = rate_difference(&own, &other);
    let p = same_rate_p_value(&own, &other)?;
    let shown = if p < 0.05 { "is shown" } else { "is not shown" };
    Ok(Some(format!(
        "That {} is stronger than {} {shown} by these games: {} points more ({}), p = {}. {} of the {} players were held \
         against 50 % at 5 % each, so that one of them would pass with a probability of up to {} % if none were better than GNU Go.",
        best.name,
        base.name,
        format_number(100.0 * more, 1),
        format_interval(interval_in_percent(interval), 1),
        format_number(p, 2),
        players.len(),
        players.len(),
        format_number(100.0 * (1.0 - 0.95f64.powi(players.len() as i32)), 0),
    )))
}
