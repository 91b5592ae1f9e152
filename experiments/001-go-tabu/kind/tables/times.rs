//! Figure 6: thinking time.

use ishi_lab::LabError;
use ishi_lab::body::{IntervalPlot, IntervalRow, ReportBody, SheetBlock, SheetSection, SheetTable};
use ishi_lab::expected::{ReportFinding, format_number};
use ishi_lab::experiment::TaskResults;
use ishi_stats::{Interval, SampleSummary};

use super::super::games::{PaperSeconds, TabuCampaign, TabuScore};
use super::super::measure::{MeasuredPlayer, PlayoutMeasure, TimeRace};
use super::rates::{format_optional, format_optional_interval, mean_with_interval};
use crate::figures::make_finding;

/// Figure 6: processor time of a playout relative to that of the first player, in each race.
pub(in super::super) fn add_times_section(
    measure: &PlayoutMeasure,
    results: &TaskResults,
    body: &mut ReportBody,
) -> Result<(), LabError> {
    let mut section =
        SheetSection { heading: "Thinking time".into(), blocks: vec![SheetBlock::Text(HOW_TIMED.into())] };
    for race in &measure.races {
        section.blocks.extend(race_blocks(race, results, body)?);
    }
    if section.blocks.len() > 1 {
        body.sections.push(section);
    }
    Ok(())
}

const HOW_TIMED: &str = "Figure 6 of the paper, as processor time: after each number of moves of the game in config.toml, \
    all players search from the same position in turn, with no other work of ishi beside them. Ratios are taken within a \
    repetition, for a playout. The plots show medians of all repetitions with 95% intervals (of the median, by order statistics).";

fn race_blocks(
    race: &TimeRace,
    results: &TaskResults,
    body: &mut ReportBody,
) -> Result<Vec<SheetBlock>, LabError> {
    let (table, ratios) = race_table(race, results, body)?;
    let rows = ratio_rows(race, &ratios, body)?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let title = format!("Time of a playout, relative to {}", race.players[0].name);
    let plot = IntervalPlot::new(title, "times", rows);
    let what = format!("{}: searches of {} playouts.", race.name, race.playouts);
    Ok(vec![
        SheetBlock::Text(what),
        SheetBlock::Table(table),
        SheetBlock::Intervals(format!("time-{}", race.name), plot),
    ])
}

/// Times after each number of moves, and for each player all its ratios to the first one's.
fn race_table(
    race: &TimeRace,
    results: &TaskResults,
    body: &mut ReportBody,
) -> Result<(SheetTable, Vec<Vec<f64>>), LabError> {
    let mut table = SheetTable::new([
        "player",
        "#after moves",
        "#ms a playout: median",
        "#times the first's: median",
        "#least",
        "#most",
        "#searches",
    ]);
    let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); race.players.len()];
    for &after in &race.after {
        let repetitions = race.times_after(after, results)?;
        if repetitions.is_empty() {
            continue;
        }
        repetitions.iter().for_each(|times| body.add_machine(&times.machine));
        for (n, player) in race.players.iter().enumerate() {
            let own: Vec<f64> = repetitions.iter().map(|times| 1e3 * times.seconds_per_playout(n)).collect();
            let relative =
                repetitions.iter().map(|times| times.seconds_per_playout(n) / times.seconds_per_playout(0));
            let relative: Vec<f64> = relative.collect();
            let spread = SampleSummary::from_sample(&relative)?;
            let mut row = vec![
                player.name.clone(),
                after.to_string(),
                format_number(SampleSummary::from_sample(&own)?.median(), 4),
            ];
            row.extend([spread.median(), spread.min(), spread.max()].map(|ratio| format_number(ratio, 3)));
            row.push(repetitions.len().to_string());
            table.add_row(row);
            ratios[n].extend(relative);
        }
    }
    Ok((table, ratios))
}

/// The rows of the plot: players but the first, where they were measured. Their findings go into the report.
fn ratio_rows(
    race: &TimeRace,
    ratios: &[Vec<f64>],
    body: &mut ReportBody,
) -> Result<Vec<IntervalRow>, LabError> {
    let mut rows = Vec::new();
    for (player, ratios) in race.players.iter().zip(ratios).skip(1).filter(|(_, ratios)| !ratios.is_empty()) {
        let spread = SampleSummary::from_sample(ratios)?;
        let interval = median_interval(ratios);
        let ends = Some([interval.low, interval.high]);
        rows.push(IntervalRow::new(&player.name, spread.median(), ends, vec![1.0]));
        body.findings.extend(time_findings(player, &race.players[0], &spread, interval));
    }
    Ok(rows)
}

/// The ratio, and its inverse, of which more is better.
fn time_findings(
    player: &MeasuredPlayer,
    base: &MeasuredPlayer,
    spread: &SampleSummary,
    interval: Interval,
) -> [ReportFinding; 2] {
    let what = |text: &str| format!("{} beside {}: {text}", player.name, base.name);
    let key = |name: &str| format!("time.{}.{name}", player.name);
    let inverse = Interval { low: 1.0 / interval.high, high: 1.0 / interval.low };
    [
        make_finding(key("ratio"), what("time of a playout"), spread.median(), Some(interval), ("times", 3)),
        make_finding(
            key("speed"),
            what("playouts in equal time"),
            1.0 / spread.median(),
            Some(inverse),
            ("times", 3),
        ),
    ]
}

/// The order statistics that enclose the median with 95% at least (the sign test's interval); all values, if there are too few.
fn median_interval(values: &[f64]) -> Interval {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len();
    // Cut k values from both ends as long as a fair coin falls k times or fewer on one side with 2.5% at most.
    let (mut term, mut sum, mut cut) = (0.5f64.powi(n as i32), 0.0, 0);
    while cut < n / 2 {
        sum += term;
        if sum > 0.025 {
            break;
        }
        term *= (n - cut) as f64 / (cut + 1) as f64;
        cut += 1;
    }
    let cut = cut.saturating_sub(1).min(n.saturating_sub(1) / 2);
    Interval { low: sorted[cut], high: sorted[n - 1 - cut] }
}

/// Seconds a game more than the program without a search, in the paper and in our games.
pub(in super::super) fn add_seconds_section(
    campaign: &TabuCampaign,
    results: &TaskResults,
    body: &mut ReportBody,
) -> Result<(), LabError> {
    let Some(first) = campaign.paper_seconds.first() else { return Ok(()) };
    let mut table = SheetTable::new([
        "the paper's player",
        "#s a game more than GNU Go",
        &format!("#more than {}", first.name),
        "here",
        "#s a game more than its opponent",
        "#95%",
        "#games",
    ]);
    let mut rows = Vec::new();
    for paper in &campaign.paper_seconds {
        let (ours, longer) = find_our_times(campaign, paper, results)?;
        let of_ours = mean_with_interval(&longer);
        table.add_row([
            paper.name.clone(),
            format_number(paper.seconds, 1),
            format_number(paper.seconds - first.seconds, 1),
            ours,
            format_optional(of_ours.map(|(mean, _)| mean), 1),
            format_optional_interval(of_ours.and_then(|(_, interval)| interval), 1),
            longer.len().to_string(),
        ]);
        rows.extend(of_ours.map(|(mean, interval)| {
            let interval = interval.map(|interval| [interval.low, interval.high]);
            IntervalRow::new(&paper.name, mean, interval, vec![paper.seconds])
        }));
    }
    let mut blocks = vec![SheetBlock::Text(HOW_SECONDS.into()), SheetBlock::Table(table)];
    if !rows.is_empty() {
        let title = "Seconds a game more than GNU Go; marks: the paper's";
        let plot = IntervalPlot::new(title, "seconds a game", rows);
        blocks.push(SheetBlock::Intervals("seconds".into(), plot));
    }
    body.sections.push(SheetSection { heading: "Seconds a game: figure 6".into(), blocks });
    Ok(())
}

const HOW_SECONDS: &str = "Figure 6 of the paper: mean thinking time of a game over that of GNU Go without a search, on another \
    machine (Intel i7-4790, 3.6 GHz). The paper's text gives five bars and their order in part. The first three hardly differ, \
    positions take longest, and positions after lost playouts less than these. The values of the first three are put in the order in \
    which they stand. Those found here are elapsed seconds of the games of the stages named, with other work beside them: the \
    comparison of processor times above is what tells the cost of the lists.";

/// The name of the player of ours that stands for one of the paper's, and how much longer it thought in each game.
fn find_our_times(
    campaign: &TabuCampaign,
    paper: &PaperSeconds,
    results: &TaskResults,
) -> Result<(String, Vec<f64>), LabError> {
    let found = paper.ours.as_ref().and_then(|(stage, player)| {
        let stage = campaign.games.stages.iter().find(|other| other.name == *stage)?;
        Some((stage, stage.players.iter().find(|other| other.name == *player)?))
    });
    let Some((stage, player)) = found else { return Ok((String::new(), Vec::new())) };
    Ok((format!("{}: {}", stage.name, player.name), TabuScore::from_results(stage, player, results)?.longer))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables of the sign test: 10 values: from the 2nd to the 9th; 20: 6th to 15th; 5: none does, so all.
    #[test]
    fn medians_have_the_sign_tests_interval() {
        let of = |n: usize| median_interval(&(1..=n).map(|v| v as f64).collect::<Vec<_>>());
        assert_eq!([of(5), of(10), of(20)].map(|i| (i.low, i.high)), [(1.0, 5.0), (2.0, 9.0), (6.0, 15.0)]);
        assert_eq!((of(1).low, of(1).high), (1.0, 1.0));
    }
}
