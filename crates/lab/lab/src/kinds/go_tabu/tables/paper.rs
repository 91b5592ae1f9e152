//! What follows from the paper's figures alone: its settings beside ours, and what its games can show.

use ishi_stats::{Proportion, StatsError};

use super::super::games::{Campaign, PaperPlayer};
use super::super::measure::Measure;
use super::{difference, finding, games_needed, p_of_half, percent, range, same_rate, text, wilson};
use crate::error::LabError;
use crate::expected::number;
use crate::report::{Block, Body, Section, Table};

/// Table 1 with ours beside it.
pub(in super::super) fn settings(measure: &Measure, body: &mut Body) {
    if measure.settings.is_empty() {
        return;
    }
    let columns = ["the paper's player", "ours", "#playouts", "#threshold", "#C", "list", "#L", "#M"];
    let mut table = Table::new(columns);
    for setting in &measure.settings {
        let mut row = vec![setting.name.clone(), setting.player.clone()];
        row.extend(setting.columns.iter().map(|(_, paper, ours)| beside(paper, ours)));
        table.row(row);
        for (column, _, ours) in &setting.columns {
            let Ok(value) = ours.parse::<f64>() else { continue };
            let what = format!("settings of {}: {column}", setting.name);
            body.findings.push(finding(
                format!("settings.{}.{column}", setting.name),
                what,
                value,
                None,
                ("", if *column == "C" { 1 } else { 0 }),
            ));
        }
    }
    body.sections.push(Section {
        heading: "Settings: table 1".into(),
        blocks: vec![Block::Text(HOW_SET.into()), Block::Table(table)],
    });
}

const HOW_SET: &str = "The paper's settings; where ours differ, both stand there, the paper's first. The threshold is read as in the \
    presets: a leaf that has had so many playouts is expanded.";

/// One value if both are the same.
fn beside(paper: &str, ours: &str) -> String {
    if paper == ours { ours.to_string() } else { format!("{paper}; ours {ours}") }
}

/// The paper's players beside each other, by its own table 2: the first stage in which all players stand for one.
pub(in super::super) fn tests_of_the_paper(campaign: &Campaign, body: &mut Body) -> Result<(), LabError> {
    let of_stage = |stage: &super::super::games::Stage| -> Option<Vec<PaperPlayer>> {
        let players: Option<Vec<PaperPlayer>> =
            stage.players.iter().map(|player| player.paper.clone()).collect();
        players.filter(|players| players.len() > 1)
    };
    let Some(players) = campaign.stages.iter().find_map(of_stage) else { return Ok(()) };
    let mut alone = Table::new(["the paper's player", "#won", "#games", "#rate, %", "#95%", "#p of 50 %"]);
    for player in single_rows(campaign, &players) {
        let wins = all_games(player)?;
        let p = p_of_half(&wins)?;
        alone.row([
            player.name.clone(),
            wins.successes().to_string(),
            wins.trials().to_string(),
            number(100.0 * wins.rate(), 1),
            range(wilson(&wins), 3),
            number(p, 3),
        ]);
        let key = |name: &str| format!("tests.{}.{name}", player.name);
        let what = |text: &str| format!("the paper's {}: {text}", player.name);
        let interval = wilson(&wins);
        body.findings.extend([
            finding(key("p"), what("p of 50 %, from its counts"), p, None, ("", 3)),
            finding(
                key("low"),
                what("lower end of the interval, from its counts"),
                interval.low,
                None,
                ("", 3),
            ),
            finding(
                key("high"),
                what("upper end of the interval, from its counts"),
                interval.high,
                None,
                ("", 3),
            ),
        ]);
    }
    let mut blocks = vec![
        Block::Text(HOW_TESTED.into()),
        Block::Table(alone),
        Block::Text(HOW_COMPARED.into()),
        Block::Table(pairwise(&players, body)?),
    ];
    blocks.extend(conclusion(&players)?.map(Block::Text));
    body.sections.push(Section { heading: "What the paper's games show: tables 2 and 3".into(), blocks });
    Ok(())
}

const HOW_TESTED: &str = "From the counts of the paper's table 2 alone: the exact two-sided binomial test of 50 %, and Wilson's 95% \
    interval. They are the figures of its table 3.";

const HOW_COMPARED: &str = "A test of 50 % says that a player beats GNU Go, not that it is better than the search that it was made \
    from. That is a comparison of two rates: the difference with Newcombe's interval, and the two-sided p of the same rate (z \
    test). The last columns are p times the number of comparisons (Bonferroni), and the games that each of the two would need for \
    a probability of 80 % to show this difference at 5 %.";

/// Rows of table 2, those of stages with one player first (the program against itself).
fn single_rows<'a>(campaign: &'a Campaign, players: &'a [PaperPlayer]) -> Vec<&'a PaperPlayer> {
    let alone = campaign.stages.iter().filter(|stage| stage.players.len() == 1);
    alone.filter_map(|stage| stage.players[0].paper.as_ref()).chain(players).collect()
}

fn all_games(player: &PaperPlayer) -> Result<Proportion, StatsError> {
    let (won, games) = player.rows()[2];
    Proportion::new(won, games)
}

fn pairwise(players: &[PaperPlayer], body: &mut Body) -> Result<Table, LabError> {
    let mut table = Table::new([
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
            let (own, other) = (all_games(player)?, all_games(base)?);
            let (more, interval) = difference(&own, &other);
            let p = same_rate(&own, &other)?;
            let needed = games_needed(own.rate(), other.rate());
            table.row([
                player.name.clone(),
                base.name.clone(),
                number(100.0 * more, 1),
                range(percent(interval), 1),
                number(p, 3),
                number((p * comparisons as f64).min(1.0), 3),
                text(needed, 0),
            ]);
            let key = |name: &str| format!("tests.{}.{}.{name}", player.name, base.name);
            let what = |text: &str| format!("the paper's {} beside {}: {text}", player.name, base.name);
            body.findings.extend([
                finding(key("more"), what("won more"), 100.0 * more, Some(percent(interval)), ("points", 1)),
                finding(key("p"), what("p of the same rate"), p, None, ("", 3)),
            ]);
            body.findings.extend(
                needed.map(|games| {
                    finding(key("needed"), what("games each for 80 %"), games, None, ("games", 0))
                }),
            );
        }
    }
    Ok(table)
}

/// The last player beside the first, in words.
fn conclusion(players: &[PaperPlayer]) -> Result<Option<String>, LabError> {
    let [base, .., best] = players else { return Ok(None) };
    let (own, other) = (all_games(best)?, all_games(base)?);
    let (more, interval) = difference(&own, &other);
    let p = same_rate(&own, &other)?;
    let shown = if p < 0.05 { "is shown" } else { "is not shown" };
    Ok(Some(format!(
        "That {} is stronger than {} {shown} by these games: {} points more ({}), p = {}. {} of the {} players were held \
         against 50 % at 5 % each, so that one of them would pass with a probability of up to {} % if none were better than GNU Go.",
        best.name,
        base.name,
        number(100.0 * more, 1),
        range(percent(interval), 1),
        number(p, 2),
        players.len(),
        players.len(),
        number(100.0 * (1.0 - 0.95f64.powi(players.len() as i32)), 0),
    )))
}
