//! Figure 5 and table 4: how playouts begin, and what lists refuse.

use ishi_go_play::go_mcts::measure::MOVES;
use ishi_go_play::go_mcts::tabu::expected_refusals_below;
use ishi_lab::LabError;
use ishi_lab::body::{LinePlot, PlotBand, PlotSeries, ReportBody, SheetBlock, SheetSection, SheetTable};
use ishi_lab::expected::{ReportFinding, format_number};
use ishi_lab::experiment::TaskResults;

use super::super::measure::{MeasuredPlayer, PlayoutMeasure, PlayoutObservation};
use super::rates::{format_optional, format_optional_interval, mean_value, mean_with_interval};
use ishi_stats::{ConfidenceLevel, Interval};

use crate::figures::make_finding;

/// Figure 5: how often the most repeated positions come, rank by rank, in each position that is searched.
pub(in super::super) fn add_repeats_section(
    measure: &PlayoutMeasure,
    results: &TaskResults,
    body: &mut ReportBody,
) -> Result<(), LabError> {
    let mut section = SheetSection {
        heading: "Repeated positions: figure 5".into(),
        blocks: vec![SheetBlock::Text(repeats_description(measure))],
    };
    for &after in &measure.repeats_after {
        let mut observed: Vec<PlayerRepeats<'_>> = Vec::new();
        for player in &measure.repeats {
            let searches = measure.repeats_of(player, after, results)?;
            observed.extend((!searches.is_empty()).then_some(PlayerRepeats { player, searches }));
        }
        if !observed.is_empty() {
            section.blocks.push(SheetBlock::Text(format!("After {after} moves:")));
            section.blocks.push(SheetBlock::Table(repeats_table(&observed)));
            section.blocks.extend(repeats_plots(after, &observed));
            body.findings.extend(repeats_findings(after, &observed));
        }
    }
    if section.blocks.len() > 1 {
        body.sections.push(section);
    }
    Ok(())
}

fn repeats_description(measure: &PlayoutMeasure) -> String {
    format!(
        "Figure 5 of the paper: searches of {} playouts from fixed positions of the game in config.toml, {} of each player, of \
         which the means are shown. Counted are the positions after each of the first five moves of every playout, wherever in \
         the tree it began; a pass on the way makes another position. The paper gives its curves as a picture only: its axis ends at 25, \
         and the text says that without lists positions are repeated most and with lists of moves least. Its position (figure 4) is a \
         picture, too, so another one is searched here. The order of the paper's players goes by how often a position came that had \
         come before. It is told with the places that each may have. Two players differ if these counts, taken as those of rare events, \
         differ by more than the 95% margin.",
        measure.repeats_playouts, measure.repeats_searches
    )
}

/// The searches of a player.
struct PlayerRepeats<'a> {
    player: &'a MeasuredPlayer,
    searches: Vec<PlayoutObservation>,
}

impl PlayerRepeats<'_> {
    /// The mean over searches.
    fn mean_over_searches(&self, of: impl Fn(&PlayoutObservation) -> f64) -> f64 {
        mean_value(&self.searches.iter().map(of).collect::<Vec<_>>()).unwrap_or(0.0)
    }

    /// How often the position of this rank came, 0 being the most repeated.
    fn mean_count_at_rank(&self, rank: usize) -> f64 {
        self.mean_over_searches(|seen| seen.repeats.get(rank).copied().unwrap_or(0) as f64)
    }

    /// How often a position came that had come before.
    fn mean_repeat_count(&self) -> f64 {
        self.mean_over_searches(|seen| seen.positions.saturating_sub(seen.distinct) as f64)
    }

    /// Does it repeat itself less than the other, beyond doubt? The repeats are taken as counts of rare events (Poisson), whose variance is
    /// their mean; the difference must exceed its 95 % margin.
    fn is_surely_less(&self, other: &PlayerRepeats<'_>) -> bool {
        let variance =
            |repeats: &PlayerRepeats<'_>| repeats.mean_repeat_count() / repeats.searches.len() as f64;
        let margin = ConfidenceLevel::default().z_score() * (variance(self) + variance(other)).sqrt();
        other.mean_repeat_count() - self.mean_repeat_count() > margin
    }

    /// The place among these players, 1 being the fewest repeats, and which places it may have.
    fn rank_among(&self, among: &[&PlayerRepeats<'_>]) -> (f64, Interval) {
        let place = |is_before: &dyn Fn(&PlayerRepeats<'_>) -> bool| {
            1.0 + among.iter().filter(|other| is_before(other)).count() as f64
        };
        let low = place(&|other| other.is_surely_less(self));
        // The player itself is never surely less than itself.
        let high = place(&|other| !self.is_surely_less(other)) - 1.0;
        (place(&|other| other.mean_repeat_count() < self.mean_repeat_count()), Interval { low, high })
    }

    /// The 50 most repeated, of all that were met, in per cent, by search.
    fn most_repeated_shares(&self) -> Vec<f64> {
        self.searches.iter().map(|seen| 100.0 * most_repeated_share(seen)).collect()
    }
}

fn most_repeated_share(seen: &PlayoutObservation) -> f64 {
    seen.repeats.iter().sum::<u64>() as f64 / seen.positions.max(1) as f64
}

fn repeats_table(observed: &[PlayerRepeats<'_>]) -> SheetTable {
    let mut table = SheetTable::new([
        "player",
        "the paper's",
        "#positions",
        "#different",
        "#most often",
        "#10th",
        "#50th",
        "#share of the 50, %",
        "#95%",
    ]);
    for repeats in observed {
        let (share, interval) = mean_with_interval(&repeats.most_repeated_shares()).unwrap_or_default();
        table.add_row([
            repeats.player.name.clone(),
            repeats.player.paper.clone().unwrap_or_default(),
            format_number(repeats.mean_over_searches(|seen| seen.positions as f64), 0),
            format_number(repeats.mean_over_searches(|seen| seen.distinct as f64), 0),
            format_number(repeats.mean_count_at_rank(0), 1),
            format_number(repeats.mean_count_at_rank(9), 1),
            format_number(repeats.mean_count_at_rank(49), 1),
            format_number(share, 2),
            format_optional_interval(interval, 2),
        ]);
    }
    table
}

/// The most lines that a plot has room for.
const LINES: usize = 4;

/// The paper's four players, and then the others.
fn repeats_plots(after: usize, observed: &[PlayerRepeats<'_>]) -> Vec<SheetBlock> {
    let (papers, others): (Vec<_>, Vec<_>) =
        observed.iter().partition(|repeats| repeats.player.paper.is_some());
    let mut blocks = Vec::new();
    let groups = papers.chunks(LINES).chain(others.chunks(LINES));
    for (n, group) in groups.enumerate() {
        let line = |repeats: &&PlayerRepeats<'_>| PlotSeries {
            name: repeats.player.name.clone(),
            points: (0..50).map(|rank| ((rank + 1) as f64, repeats.mean_count_at_rank(rank), None)).collect(),
        };
        let title = format!("How often the 50 most repeated positions came, after {after} moves");
        let bands = vec![PlotBand { name: "where the axis of figure 5 ends".into(), low: 25.0, high: 25.0 }];
        let series = group.iter().map(line).collect();
        let plot = LinePlot { bands, ..LinePlot::new(title, ["rank", "times"], series) };
        let name = if n == 0 { format!("repeats-{after}") } else { format!("repeats-{after}-{}", n + 1) };
        blocks.push(SheetBlock::Lines(name, plot));
    }
    blocks
}

fn repeats_findings(after: usize, observed: &[PlayerRepeats<'_>]) -> Vec<ReportFinding> {
    let mut findings = Vec::new();
    for repeats in observed {
        let name = &repeats.player.name;
        let what = |text: &str| format!("{name} after {after} moves: {text}");
        let key = |part: &str| format!("repeats.{after}.{name}.{part}");
        let most: Vec<f64> =
            repeats.searches.iter().map(|seen| seen.repeats.first().copied().unwrap_or(0) as f64).collect();
        if let Some((most, interval)) = mean_with_interval(&most) {
            findings.push(make_finding(
                key("most"),
                what("the most repeated position"),
                most,
                interval,
                ("times", 1),
            ));
        }
        if let Some((share, interval)) = mean_with_interval(&repeats.most_repeated_shares()) {
            let all = "the 50 most repeated positions, of all that were met";
            findings.push(make_finding(key("share"), what(all), share, interval, ("%", 2)));
        }
    }
    // The order of the paper's players: 1 repeats itself least.
    let papers: Vec<_> = observed.iter().filter(|repeats| repeats.player.paper.is_some()).collect();
    for repeats in &papers {
        let (place, places) = repeats.rank_among(&papers);
        let what = format!(
            "{} after {after} moves: place among the paper's players by repeats, 1 being the fewest",
            repeats.player.name
        );
        let key = format!("repeats.{after}.{}.place", repeats.player.name);
        findings.push(make_finding(key, what, place, Some(places), ("", 0)));
    }
    findings
}

/// Table 4 and equation 12: candidates refused in a playout, by L.
pub(in super::super) fn add_refusals_section(
    measure: &PlayoutMeasure,
    results: &TaskResults,
    body: &mut ReportBody,
) -> Result<(), LabError> {
    let mut rows = Vec::new();
    for (n, &tenure) in measure.tenures.iter().enumerate() {
        let mut players = Vec::new();
        for player in &measure.refusals {
            players.push(measure.refusals_of(player, tenure, results)?);
        }
        let refused_there = measure.refusals_paper.get(n).copied();
        rows.push(TenureRefusals { tenure, players, refused_there });
    }
    if rows.iter().all(|row| row.players.iter().all(Vec::is_empty)) {
        return Ok(());
    }
    for row in &rows {
        body.findings.extend(refusals_findings(measure, row));
    }
    let blocks = vec![
        SheetBlock::Text(refusals_description(measure)),
        SheetBlock::Table(paper_refusals_table(measure, &rows)),
        SheetBlock::Lines("refusals".into(), paper_refusals_plot(measure, &rows)),
        SheetBlock::Text(HOW_OTHERS.into()),
        SheetBlock::Table(refusals_table(measure, &rows)),
        SheetBlock::Lines("refusals-players".into(), refusals_plot(measure, &rows)),
    ];
    body.sections
        .push(SheetSection { heading: "Refused candidates: table 4 and equation 12".into(), blocks });
    Ok(())
}

/// The searches with one L.
struct TenureRefusals {
    tenure: u16,
    /// The observations of each player.
    players: Vec<Vec<PlayoutObservation>>,
    /// What the paper's lists refused in all.
    refused_there: Option<u64>,
}

impl TenureRefusals {
    /// Candidates refused in a playout, by search.
    fn refused_per_playout(&self, player: usize) -> Vec<f64> {
        let rate = |seen: &PlayoutObservation| seen.refused as f64 / seen.playouts.max(1) as f64;
        self.players[player].iter().map(rate).collect()
    }

    /// The paper's candidates refused in a playout.
    fn paper_refused_per_playout(&self, playouts: u64) -> Option<f64> {
        self.refused_there.map(|refused| refused as f64 / playouts.max(1) as f64)
    }

    /// What uniform drawing may be refused at most: see `go_mcts::measure`.
    fn uniform_estimate(&self, player: usize) -> Option<f64> {
        mean_value(&self.players[player].iter().map(|seen| seen.uniform).collect::<Vec<_>>())
    }
}

fn refusals_description(measure: &PlayoutMeasure) -> String {
    format!(
        "Table 4 of the paper: searches of {} playouts after {} moves of the game in config.toml, the next move being searched for, \
         as there; {} searches of each player and L, of which the means are shown. Equation 12 is the paper's upper bound of the mean, \
         (M L / n)(ln n + 0.577 + L pi^2 / 6) with n = N^2 - L - M points. Drawing uniformly is an estimate made here, for playouts that choose among \
         n_m candidates alike: L_k / (n_m - L_k) at most for each of the first five moves. Playouts that know shapes are refused more \
         often, as they come back to the same moves: the paper's are GNU Go's own, with 3x3 patterns, and lie above it. After L_k refusals in a \
         row anything is allowed: five times L is the most for any playouts.",
        measure.refusals_playouts, measure.refusals_after, measure.refusals_searches
    )
}

const HOW_OTHERS: &str = "The same for other lists, for the readings of the paper's text that are options here, and for other playouts: \
    candidates refused in a playout, and of those asked about, in per cent.";

/// The paper's table beside the first player's.
fn paper_refusals_table(measure: &PlayoutMeasure, rows: &[TenureRefusals]) -> SheetTable {
    let ours = measure.refusals.first().map_or(String::new(), |player| player.name.clone());
    let mut table = SheetTable::new([
        "#L",
        "#the paper: all",
        "#the paper: a playout",
        &format!("#{ours}: all"),
        &format!("#{ours}: a playout"),
        "#95%",
        "#times the paper's",
        "#equation 12",
        "#drawing uniformly",
        "#most",
    ]);
    for row in rows {
        let there = row.paper_refused_per_playout(measure.refusals_paper_playouts);
        let refused: Vec<f64> = row.players[0].iter().map(|seen| seen.refused as f64).collect();
        let here = mean_with_interval(&row.refused_per_playout(0));
        let times = here.zip(there).filter(|(_, there)| *there > 0.0).map(|((here, _), there)| here / there);
        table.add_row([
            row.tenure.to_string(),
            row.refused_there.map_or(String::new(), |refused| refused.to_string()),
            format_optional(there, 3),
            format_optional(mean_value(&refused), 0),
            format_optional(here.map(|(mean, _)| mean), 4),
            format_optional_interval(here.and_then(|(_, interval)| interval), 4),
            format_optional(times, 2),
            format_optional(expected_refusals_below(measure.side(), row.tenure, MOVES as u8), 3),
            format_optional(row.uniform_estimate(0), 4),
            (MOVES as u64 * u64::from(row.tenure)).to_string(),
        ]);
    }
    table
}

/// The axes of both plots of refusals.
const REFUSALS_AXES: [&str; 2] = ["L", "candidates a playout"];

fn paper_refusals_plot(measure: &PlayoutMeasure, rows: &[TenureRefusals]) -> LinePlot {
    let line = |name: &str, of: &dyn Fn(&TenureRefusals) -> Option<f64>| PlotSeries {
        name: name.into(),
        points: rows.iter().filter_map(|row| Some((f64::from(row.tenure), of(row)?, None))).collect(),
    };
    let ours = measure.refusals.first().map_or("", |player| player.name.as_str());
    let series = vec![
        line("the paper", &|row| row.paper_refused_per_playout(measure.refusals_paper_playouts)),
        line(ours, &|row| mean_value(&row.refused_per_playout(0))),
        line("drawing uniformly", &|row| row.uniform_estimate(0)),
    ];
    LinePlot::new("Candidates refused in a playout by lists of moves", REFUSALS_AXES, series)
}

fn refusals_table(measure: &PlayoutMeasure, rows: &[TenureRefusals]) -> SheetTable {
    let mut table = SheetTable::new(["#L"]);
    for player in &measure.refusals {
        table.add_number_column(&player.name);
        table.add_number_column("%");
    }
    for row in rows {
        let mut cells = vec![row.tenure.to_string()];
        for (n, searches) in row.players.iter().enumerate() {
            let asked = |seen: &PlayoutObservation| 100.0 * seen.refused as f64 / seen.asked.max(1) as f64;
            cells.push(format_optional(mean_value(&row.refused_per_playout(n)), 4));
            cells.push(format_optional(mean_value(&searches.iter().map(asked).collect::<Vec<_>>()), 2));
        }
        table.add_row(cells);
    }
    table
}

/// The players after the first, as far as there is room.
fn refusals_plot(measure: &PlayoutMeasure, rows: &[TenureRefusals]) -> LinePlot {
    let line = |(n, player): (usize, &MeasuredPlayer)| PlotSeries {
        name: player.name.clone(),
        points: rows
            .iter()
            .filter_map(|row| Some((f64::from(row.tenure), mean_value(&row.refused_per_playout(n))?, None)))
            .collect(),
    };
    let series = measure.refusals.iter().enumerate().skip(1).take(LINES).map(line).collect();
    LinePlot::new("Candidates refused in a playout by other lists and playouts", REFUSALS_AXES, series)
}

fn refusals_findings(measure: &PlayoutMeasure, row: &TenureRefusals) -> Vec<ReportFinding> {
    let tenure = row.tenure;
    let mut findings = Vec::new();
    for (n, player) in measure.refusals.iter().enumerate() {
        let Some((refused, interval)) = mean_with_interval(&row.refused_per_playout(n)) else { continue };
        let what = format!("{}, L = {tenure}: candidates refused in a playout", player.name);
        findings.push(make_finding(
            format!("refusals.{}.{tenure}", player.name),
            what,
            refused,
            interval,
            ("", 4),
        ));
    }
    if let Some(bound) = expected_refusals_below(measure.side(), tenure, MOVES as u8) {
        let what = format!("equation 12 for L = {tenure}");
        findings.push(make_finding(format!("refusals.equation-12.{tenure}"), what, bound, None, ("", 3)));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 38 and 40 repeats are no order: 2 is less than 1.96 times the root of 78. 144 and 296 are.
    #[test]
    fn places_are_told_with_those_that_may_be() {
        let player = MeasuredPlayer::from_name("any");
        let seen = |again: u64| PlayoutObservation {
            playouts: 8000,
            asked: 0,
            refused: 0,
            uniform: 0.0,
            repeats: Vec::new(),
            positions: 40_000,
            distinct: 40_000 - again,
        };
        let all =
            [38, 40, 144, 296].map(|again| PlayerRepeats { player: &player, searches: vec![seen(again)] });
        let all: Vec<&PlayerRepeats<'_>> = all.iter().collect();
        let places = all.iter().map(|repeats| repeats.rank_among(&all));
        let places: Vec<_> = places.map(|(place, Interval { low, high })| [place, low, high]).collect();
        assert_eq!(places, [[1.0, 1.0, 2.0], [2.0, 1.0, 2.0], [3.0, 3.0, 3.0], [4.0, 4.0, 4.0]]);
    }
}
