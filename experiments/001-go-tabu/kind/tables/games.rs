//! Tables 2 and 3, for every stage.

use ishi_lab::LabError;
use ishi_lab::body::{IntervalPlot, IntervalRow, ReportBody, SheetBlock, SheetSection, SheetTable};
use ishi_lab::expected::{ReportFinding, format_number};
use ishi_lab::experiment::TaskResults;
use ishi_stats::{ConfidenceLevel, GameOutcomes, Proportion};

use super::super::games::{PaperPlayer, TabuCampaign, TabuScore, TabuStage, TabuStagePlayer};
use super::rates::{
    format_optional, half_rate_p_value, mean_value, mean_with_interval, rate_difference, win_rate,
};
use crate::figures::{format_interval, interval_in_percent, make_finding, wilson_interval};

/// The standings of a stage's players, the base first.
type StageStandings<'a> = Vec<(&'a TabuStagePlayer, TabuScore)>;

/// Tables 1 to 3 for every stage, and the findings of its games.
pub(in super::super) fn add_games_sections(
    campaign: &TabuCampaign,
    results: &TaskResults,
    body: &mut ReportBody,
) -> Result<(), LabError> {
    for stage in &campaign.games.stages {
        let mut standing: StageStandings<'_> = Vec::new();
        for player in &stage.players {
            let score = TabuScore::from_results(stage, player, results)?;
            if score.total_games() > 0 {
                standing.push((player, score));
            }
        }
        let mut blocks = vec![SheetBlock::Text(stage_conditions(stage))];
        if standing.is_empty() {
            blocks.push(SheetBlock::Text("No game has been played yet.".into()));
        } else {
            blocks.push(SheetBlock::Table(rates_table(&standing)?));
            blocks
                .push(SheetBlock::Intervals(format!("games-{}", stage.name), rates_plot(stage, &standing)?));
            blocks.extend(comparison_table(stage, &standing)?.map(SheetBlock::Table));
            blocks.push(SheetBlock::Text(describe_ends(&standing)));
            body.findings.extend(stage_findings(stage, &standing)?);
        }
        body.sections.push(SheetSection { heading: format!("Games: {}", stage.name), blocks });
    }
    Ok(())
}

fn stage_conditions(stage: &TabuStage) -> String {
    let (size, komi) = (stage.settings.size, stage.settings.komi);
    let opening = match stage.opening_moves {
        0 => "from the empty board".to_string(),
        moves => format!("from {moves} random moves, the same for both games of a pair and for all players"),
    };
    format!(
        "{} Against {} on {size}, Chinese rules, komi {komi}, {opening}; {} pairs of games are planned. \
         Rates with Wilson's 95% interval, p of the exact two-sided binomial test of 50%, Elo with the likelihood interval of the pairs.",
        stage.what,
        stage.opponent.name,
        describe_planned_pairs(stage)
    )
}

/// How many pairs are planned: for most players, and for those that have their own number.
fn describe_planned_pairs(stage: &TabuStage) -> String {
    let most = stage.most_pairs();
    let others = stage.players.iter().filter(|player| player.pairs < most);
    let told: Vec<String> = others.map(|player| format!("{} for {}", player.pairs, player.name)).collect();
    if told.is_empty() { most.to_string() } else { format!("{most} ({})", told.join(", ")) }
}

/// A row for Black, White and both of each player: tables 1, 2 and 3.
fn rates_table(standing: &StageStandings<'_>) -> Result<SheetTable, LabError> {
    let has_paper = standing.iter().any(|(player, _)| player.paper.is_some());
    let mut table = if has_paper { SheetTable::new(COLUMNS_WITH_PAPER) } else { SheetTable::new(COLUMNS) };
    for (player, score) in standing {
        for (n, color, counts) in color_rows(player, score) {
            let Ok(wins) = win_rate(counts) else { continue };
            let mut row = vec![
                player.name.clone(),
                color.to_string(),
                wins.successes().to_string(),
                wins.trials().to_string(),
                format_number(100.0 * wins.rate(), 1),
                format_interval(interval_in_percent(wilson_interval(&wins)), 1),
                format_number(half_rate_p_value(&wins)?, 3),
            ];
            if let Some(paper) = &player.paper {
                row.extend(paper_cells(paper, n)?);
            }
            table.add_row(row);
        }
    }
    Ok(table)
}

/// As which colour, with its place in [`PaperPlayer::win_counts`], and games won, drawn and lost.
fn color_rows(player: &TabuStagePlayer, score: &TabuScore) -> Vec<(usize, &'static str, [u64; 3])> {
    if player.paper.as_ref().is_some_and(|paper| paper.itself) {
        return vec![(2, "Black, whoever it was", score.black_results())];
    }
    let [black, white] = score.by_color;
    vec![(0, "Black", black), (1, "White", white), (2, "both", score.both_colors())]
}

const COLUMNS: [&str; 7] = ["player", "as", "#won", "#games", "#rate, %", "#95%", "#p"];

const COLUMNS_WITH_PAPER: [&str; 13] = [
    "player",
    "as",
    "#won",
    "#games",
    "#rate, %",
    "#95%",
    "#p",
    "the paper's",
    "#won there",
    "#games there",
    "#rate there, %",
    "#95% there",
    "#p there",
];

/// The same of the paper's player, from its table 2: as Black (0), as White (1) or as both (2).
fn paper_cells(paper: &PaperPlayer, color: usize) -> Result<[String; 6], LabError> {
    let (won, games) = paper.win_counts()[color];
    let wins = Proportion::new(won, games)?;
    Ok([
        paper.name.clone(),
        won.to_string(),
        games.to_string(),
        format_number(100.0 * wins.rate(), 1),
        format_interval(interval_in_percent(wilson_interval(&wins)), 1),
        format_number(half_rate_p_value(&wins)?, 3),
    ])
}

fn rates_plot(stage: &TabuStage, standing: &StageStandings<'_>) -> Result<IntervalPlot, LabError> {
    let mut rows = Vec::new();
    for (player, score) in standing {
        let Some((_, color, counts)) = color_rows(player, score).pop() else { continue };
        let wins = win_rate(counts)?;
        let interval = interval_in_percent(wilson_interval(&wins));
        let label = if color == "both" { player.name.clone() } else { format!("{}: {color}", player.name) };
        let marks = player.paper.iter().map(percent_won).chain([50.0]).collect();
        let interval = Some([interval.low, interval.high]);
        rows.push(IntervalRow::new(label, 100.0 * wins.rate(), interval, marks));
    }
    let marks = if standing.iter().any(|(player, _)| player.paper.is_some()) {
        "; marks: 50 % and the paper's"
    } else {
        ""
    };
    let title =
        format!("{}: games won against {}, with 95% intervals{marks}", stage.name, stage.opponent.name);
    Ok(IntervalPlot::new(title, "per cent", rows))
}

/// What the paper's player has won of all its games.
fn percent_won(paper: &PaperPlayer) -> f64 {
    let (won, games) = paper.win_counts()[2];
    100.0 * won as f64 / games as f64
}

/// Each player beside the first, if there are several: the difference of the rates, and the thinking time.
fn comparison_table(
    stage: &TabuStage,
    standing: &StageStandings<'_>,
) -> Result<Option<SheetTable>, LabError> {
    let Some(((base, first), others)) = standing.split_first().filter(|(_, others)| !others.is_empty())
    else {
        return Ok(None);
    };
    if base.name != stage.players[0].name {
        return Ok(None);
    }
    let mut table = SheetTable::new([
        "player",
        "#won more, points",
        "#95%",
        "#the paper's",
        "#95% there",
        "#seconds a game",
        "#times the first's",
    ]);
    let wins = win_rate(first.both_colors())?;
    let seconds = mean_value(&first.seconds);
    let nothing = String::new;
    table.add_row([
        base.name.clone(),
        nothing(),
        nothing(),
        nothing(),
        nothing(),
        format_optional(seconds, 1),
        nothing(),
    ]);
    for (player, score) in others {
        let (more, interval) = rate_difference(&win_rate(score.both_colors())?, &wins);
        let [paper_more, paper_interval] = paper_difference_cells(player, base)?;
        let own = mean_value(&score.seconds);
        let times = own.zip(seconds).map(|(own, base)| own / base.max(1e-9));
        table.add_row([
            player.name.clone(),
            format_number(100.0 * more, 1),
            format_interval(interval_in_percent(interval), 1),
            paper_more,
            paper_interval,
            format_optional(own, 1),
            format_optional(times, 3),
        ]);
    }
    Ok(Some(table))
}

/// The same difference in the paper, where both stand for players of its table 2.
fn paper_difference_cells(player: &TabuStagePlayer, base: &TabuStagePlayer) -> Result<[String; 2], LabError> {
    let Some((own, other)) = player.paper.as_ref().zip(base.paper.as_ref()) else {
        return Ok([String::new(), String::new()]);
    };
    let all = |paper: &PaperPlayer| Proportion::new(paper.win_counts()[2].0, paper.win_counts()[2].1);
    let (more, interval) = rate_difference(&all(own)?, &all(other)?);
    Ok([format_number(100.0 * more, 1), format_interval(interval_in_percent(interval), 1)])
}

/// How the games ended.
fn describe_ends(standing: &StageStandings<'_>) -> String {
    let words = standing.iter().map(|(player, score)| {
        let reasons: Vec<String> =
            score.reasons.iter().map(|(reason, games)| format!("{reason} {games}")).collect();
        let moves = format_number(score.moves as f64 / score.total_games().max(1) as f64, 0);
        format!("{}: {}, {moves} moves a game", player.name, reasons.join(", "))
    });
    format!("Ends of the games. {}.", words.collect::<Vec<_>>().join("; "))
}

fn stage_findings(stage: &TabuStage, standing: &StageStandings<'_>) -> Result<Vec<ReportFinding>, LabError> {
    let mut findings = Vec::new();
    let mut best: Option<(f64, ReportFinding)> = None;
    let base = standing.iter().find(|(player, _)| player.name == stage.players[0].name);
    for (player, score) in standing {
        let key = format!("{}.{}", stage.name, player.name);
        let who = format!("{}: {} against {}", stage.name, player.name, stage.opponent.name);
        let [black, white] = score.by_color;
        for (color, counts) in [("black", black), ("white", white), ("both", score.both_colors())] {
            let Ok(wins) = win_rate(counts) else { continue };
            let what = if color == "both" { format!("{who}, won") } else { format!("{who}, won as {color}") };
            let interval = Some(interval_in_percent(wilson_interval(&wins)));
            let won = make_finding(format!("{key}.{color}"), what, 100.0 * wins.rate(), interval, ("%", 1));
            if color == "both" && best.as_ref().is_none_or(|(most, _)| wins.rate() > *most) {
                let what = format!("{}: the best of its players, {}, won", stage.name, player.name);
                best = Some((
                    wins.rate(),
                    ReportFinding { key: format!("{}.best", stage.name), what, ..won.clone() },
                ));
            }
            findings.push(won);
        }
        let elo = GameOutcomes::from_pairs(score.pairs).score_report(ConfidenceLevel::default())?;
        if elo.elo.is_finite() {
            let interval = Some(elo.elo_interval);
            findings.push(make_finding(
                format!("{key}.elo"),
                format!("{who}, Elo"),
                elo.elo,
                interval,
                ("Elo", 0),
            ));
        }
        if let Ok(wins) = win_rate(score.black_results()) {
            let what = format!("{who}: games that Black won, whoever was Black");
            let interval = Some(interval_in_percent(wilson_interval(&wins)));
            findings.push(make_finding(
                format!("{key}.black-won"),
                what,
                100.0 * wins.rate(),
                interval,
                ("%", 1),
            ));
        }
        if let Some((longer, interval)) = mean_with_interval(&score.longer) {
            let what = format!("{who}, thinks longer than it in a game");
            findings.push(make_finding(format!("{key}.longer"), what, longer, interval, ("s", 1)));
        }
        findings.extend(
            base.filter(|(first, _)| first.name != player.name)
                .into_iter()
                .flat_map(|(first, other)| comparison_findings(stage, (player, score), (first, other))),
        );
    }
    findings.extend(best.map(|(_, finding)| finding));
    Ok(findings)
}

/// A player beside the stage's first: rate and thinking time.
fn comparison_findings(
    stage: &TabuStage,
    (player, score): (&TabuStagePlayer, &TabuScore),
    (first, other): (&TabuStagePlayer, &TabuScore),
) -> Vec<ReportFinding> {
    let key = format!("{}.{}", stage.name, player.name);
    let who = format!("{}: {} beside {}", stage.name, player.name, first.name);
    let mut findings = Vec::new();
    if let (Ok(own), Ok(base)) = (win_rate(score.both_colors()), win_rate(other.both_colors())) {
        let (more, interval) = rate_difference(&own, &base);
        let interval = Some(interval_in_percent(interval));
        findings.push(make_finding(
            format!("{key}.more"),
            format!("{who}, won more"),
            100.0 * more,
            interval,
            ("points", 1),
        ));
    }
    if let Some((own, base)) = mean_value(&score.seconds).zip(mean_value(&other.seconds)) {
        let what = format!("{who}, thinks longer in a game");
        findings.push(make_finding(format!("{key}.seconds"), what, own - base, None, ("s", 1)));
    }
    findings
}
