//! The report: agreement by style, games, and the paper's numbers.

use ishi_lab::LabError;
use ishi_lab::body::{IntervalPlot, IntervalRow, ReportBody, SheetBlock, SheetSection, SheetTable};
use ishi_lab::expected::{ReportFinding, format_number};
use ishi_lab::experiment::TaskResults;
use ishi_stats::{
    ConfidenceLevel, Interval, Proportion, SampleSummary, StatsError, TestAlternative, TestMethod,
};

use super::games::KnowledgeScore;
use super::numbers::{GameCheck, KnowledgeCounts, KnowledgeNumbers, KnowledgeTimes};
use super::study::{STRENGTHS, StudyFindings, StyleStudy};
use crate::figures::{format_interval, interval_in_percent, make_finding, mean_or_zero, wilson_interval};
use crate::pairs::{PairCampaign, PairStage};

/// The proportion of so many of so many.
fn proportion_of(part: usize, all: usize) -> Result<Proportion, StatsError> {
    Proportion::new(part as u64, all as u64)
}

/// How a style stands to the first one on the same positions: hits that only it has, and hits that only the first has.
fn paired_differences(hits: &[bool], base: &[bool]) -> [usize; 2] {
    let only = |a: &[bool], b: &[bool]| a.iter().zip(b).filter(|(a, b)| **a && !**b).count();
    [only(hits, base), only(base, hits)]
}

/// p of the exact sign test of what differs.
fn sign_test([gained, lost]: [usize; 2]) -> Result<f64, StatsError> {
    if gained + lost == 0 {
        return Ok(1.0);
    }
    proportion_of(gained, gained + lost)?.p_value(TestMethod::Exact, TestAlternative::TwoSided, 0.5)
}

impl StudyFindings {
    /// In which positions is the move among the first so many suggestions?
    fn hits_within(&self, first: usize) -> Vec<bool> {
        self.ranks.iter().map(|&rank| (1..=first).contains(&rank)).collect()
    }
}

fn count_hits(hits: &[bool]) -> usize {
    hits.iter().filter(|hit| **hit).count()
}

const STUDY_COLUMNS: [&str; 16] = [
    "style",
    "#positions",
    "#first, %",
    "#95%",
    "#among 5, %",
    "#among 20, %",
    "#suggestions",
    "#gained",
    "#lost",
    "#p",
    "#searched",
    "#chosen, %",
    "#95%",
    "#gained",
    "#lost",
    "#p",
];

fn study_description(study: &StyleStudy) -> String {
    format!(
        "Positions from {}, spread evenly over all moves; which rank has the move that was played among the suggestions of the rules, and does the search \
         of the style choose it? Shares with Wilson's 95% interval. Gained and lost are positions in which only this style, or only the first, has the \
         move first; p is that of the exact sign test. The last row but one is what the learned strengths of moves say alone, the last one a legal move at random.",
        study.records.name
    )
}

/// In how many positions a style has the strong player's move, beside the first style in the same positions.
struct HitRates {
    positions: usize,
    /// None if no position was asked about.
    rate: Option<Proportion>,
    /// See [`paired_differences`].
    differs: [usize; 2],
}

impl HitRates {
    fn compare_hits(own: &[bool], base: &[bool]) -> Result<HitRates, StatsError> {
        let rate = if own.is_empty() { None } else { Some(proportion_of(count_hits(own), own.len())?) };
        Ok(HitRates { positions: own.len(), rate, differs: paired_differences(own, base) })
    }

    /// The rate in per cent, and its interval.
    fn rate_cells(&self) -> Vec<String> {
        let text = |rate: &Proportion| {
            vec![
                format_number(100.0 * rate.rate(), 1),
                format_interval(interval_in_percent(wilson_interval(rate)), 1),
            ]
        };
        self.rate.as_ref().map_or_else(|| vec![String::new(); 2], text)
    }

    /// Gained, lost, and p.
    fn difference_cells(&self) -> Result<Vec<String>, StatsError> {
        let [gained, lost] = self.differs;
        Ok(vec![gained.to_string(), lost.to_string(), format_number(sign_test(self.differs)?, 3)])
    }
}

/// Among the first five and twenty suggestions, in per cent, and suggestions in the mean.
fn suggestion_cells(found: &StudyFindings) -> Result<Vec<String>, StatsError> {
    let within = |first: usize| -> Result<String, StatsError> {
        Ok(format_number(
            100.0 * proportion_of(count_hits(&found.hits_within(first)), found.ranks.len())?.rate(),
            1,
        ))
    };
    let suggestions = mean_or_zero(found.suggestions.iter().map(|&count| count as f64));
    Ok(vec![within(5)?, within(20)?, format_number(suggestions, 0)])
}

/// Agreement with strong players, style by style.
pub(super) fn add_study_section(
    study: &StyleStudy,
    results: &TaskResults,
    body: &mut ReportBody,
) -> Result<(), LabError> {
    let mut blocks = vec![SheetBlock::Text(study_description(study))];
    let mut table = SheetTable::new(STUDY_COLUMNS);
    let mut rows = Vec::new();
    let mut base: Option<StudyFindings> = None;
    for studied in &study.styles {
        let Some(found) = study.combined_findings(&studied.name, results)? else { continue };
        let (base, name) = (base.get_or_insert_with(|| found.clone()), &studied.name);
        let first = HitRates::compare_hits(&found.hits_within(1), &base.hits_within(1))?;
        let chosen = HitRates::compare_hits(&found.chosen, &base.chosen)?;
        let cells = [
            vec![name.clone(), first.positions.to_string()],
            first.rate_cells(),
            suggestion_cells(&found)?,
            first.difference_cells()?,
            vec![chosen.positions.to_string()],
            chosen.rate_cells(),
            chosen.difference_cells()?,
        ];
        table.add_row(cells.concat());
        rows.extend(chosen.rate.as_ref().map(|rate| interval_row(name, rate, Vec::new())));
        body.findings.extend(study_findings(name, &first, &chosen));
    }
    if let Some(found) = study.combined_findings(STRENGTHS, results)? {
        add_baselines(&found, &mut table)?;
    }
    if base.is_none() {
        blocks.push(SheetBlock::Text("No style has been studied yet.".into()));
    } else {
        blocks.push(SheetBlock::Table(table));
    }
    if !rows.is_empty() {
        let title =
            "Positions in which the search chooses the strong player's move, with 95% intervals".to_string();
        blocks.push(SheetBlock::Intervals("study".into(), IntervalPlot::new(title, "per cent", rows)));
    }
    body.sections.push(SheetSection { heading: "Agreement with strong players".into(), blocks });
    Ok(())
}

/// A rate in per cent with its interval, for a plot.
fn interval_row(label: &str, rate: &Proportion, marks: Vec<f64>) -> IntervalRow {
    let Interval { low, high } = interval_in_percent(wilson_interval(rate));
    IntervalRow { label: label.into(), value: 100.0 * rate.rate(), interval: Some([low, high]), marks }
}

fn study_findings(name: &str, first: &HitRates, chosen: &HitRates) -> Vec<ReportFinding> {
    let told =
        [("first", "the first suggestion", &first.rate), ("chosen", "the move of the search", &chosen.rate)];
    told.into_iter()
        .filter_map(|(key, what, rate)| {
            let rate = rate.as_ref()?;
            Some(make_finding(
                format!("study.{name}.{key}"),
                format!("{name}: {what} is the strong player's move"),
                100.0 * rate.rate(),
                Some(interval_in_percent(wilson_interval(rate))),
                ("%", 1),
            ))
        })
        .collect()
}

/// What the learned strengths say alone, and a legal move at random.
fn add_baselines(found: &StudyFindings, table: &mut SheetTable) -> Result<(), StatsError> {
    let first = HitRates::compare_hits(&found.hits_within(1), &[])?;
    let positions = first.positions.to_string();
    let cells =
        [vec![STRENGTHS.to_string(), positions.clone()], first.rate_cells(), suggestion_cells(found)?];
    table.add_row(cells.concat());
    let by_chance =
        |first: f64| 100.0 * mean_or_zero(found.suggestions.iter().map(|&legal| first / legal.max(1) as f64));
    table.add_row([
        "a legal move at random".to_string(),
        positions,
        format_number(by_chance(1.0), 1),
        String::new(),
        format_number(by_chance(5.0), 1),
        format_number(by_chance(20.0), 1),
    ]);
    Ok(())
}

/// Games, stage by stage.
pub(super) fn add_games_sections(
    campaign: &PairCampaign,
    results: &TaskResults,
    body: &mut ReportBody,
) -> Result<(), LabError> {
    for stage in &campaign.stages {
        let mut blocks = vec![SheetBlock::Text(stage_conditions(stage))];
        let mut table = SheetTable::new([
            "player",
            "#won",
            "#drawn",
            "#games",
            "#won, %",
            "#95%",
            "#p of 50%",
            "#margin, points",
            "#95%",
        ]);
        let mut rows = Vec::new();
        for player in &stage.players {
            let score = KnowledgeScore::from_results(stage, player, results)?;
            let [won, drawn, lost] = score.games;
            let Ok(wins) = Proportion::new(won, won + drawn + lost) else { continue };
            let margin = SampleSummary::from_sample(&score.margins).ok();
            let spread = margin.as_ref().and_then(margin_interval);
            table.add_row([
                player.name.clone(),
                won.to_string(),
                drawn.to_string(),
                wins.trials().to_string(),
                format_number(100.0 * wins.rate(), 1),
                format_interval(interval_in_percent(wilson_interval(&wins)), 1),
                format_number(wins.p_value(TestMethod::Exact, TestAlternative::TwoSided, 0.5)?, 3),
                margin.as_ref().map_or(String::new(), |margin| format_number(margin.mean(), 1)),
                spread.map_or(String::new(), |spread| format_interval(spread, 1)),
            ]);
            rows.push(interval_row(&player.name, &wins, vec![50.0]));
            body.findings.extend(game_findings(stage, &player.name, &wins, margin.as_ref()));
        }
        if rows.is_empty() {
            blocks.push(SheetBlock::Text("No game has been played yet.".into()));
        } else {
            blocks.push(SheetBlock::Table(table));
            let title =
                format!("{}: games won against {}, with 95% intervals", stage.name, stage.opponent.name);
            let plot = IntervalPlot::new(title, "per cent", rows);
            blocks.push(SheetBlock::Intervals(format!("games-{}", stage.name), plot));
        }
        body.sections.push(SheetSection { heading: format!("Games: {}", stage.name), blocks });
    }
    Ok(())
}

/// Games that must be counted before their margins have an interval: of two it may be wider than the board.
const LEAST_MARGINS: usize = 4;

/// Student's interval of the mean margin, if there are enough games.
fn margin_interval(margins: &SampleSummary) -> Option<Interval> {
    margins.mean_interval(ConfidenceLevel::default()).filter(|_| margins.count() >= LEAST_MARGINS)
}

fn game_findings(
    stage: &PairStage,
    player: &str,
    wins: &Proportion,
    margin: Option<&SampleSummary>,
) -> Vec<ReportFinding> {
    let key = format!("games.{}.{player}", stage.name);
    let what = format!("{player} against {}, {}", stage.opponent.name, stage.name);
    let won = make_finding(
        format!("{key}.won"),
        format!("{what}: games won"),
        100.0 * wins.rate(),
        Some(interval_in_percent(wilson_interval(wins))),
        ("%", 1),
    );
    let margin = margin.map(|margin| {
        make_finding(
            format!("{key}.margin"),
            format!("{what}: points ahead at the end"),
            margin.mean(),
            margin_interval(margin),
            ("points", 1),
        )
    });
    [won].into_iter().chain(margin).collect()
}

fn stage_conditions(stage: &PairStage) -> String {
    let (size, komi) = (stage.settings.size, stage.settings.komi);
    let opening = match stage.opening_moves {
        0 => "from the start".to_string(),
        moves => format!("from {moves} random moves, the same for both games of a pair and for all players"),
    };
    let handicap = match stage.settings.handicap {
        0 => String::new(),
        stones => format!(" Black has {stones} stones; only games in which the player is Black are told."),
    };
    format!(
        "{} Against {} on {size}, Chinese rules, komi {komi}, {opening}; {} pairs are planned.{handicap} Rates with Wilson's 95% \
         interval and the exact test; the margin is the mean over games that were counted, with Student's interval from {LEAST_MARGINS} games on.",
        stage.what,
        stage.opponent.name,
        stage.most_pairs()
    )
}

/// The paper's numbers beside ours.
pub(super) fn add_numbers_section(
    numbers: &KnowledgeNumbers,
    study: &StyleStudy,
    results: &TaskResults,
    body: &mut ReportBody,
) -> Result<(), LabError> {
    let mut blocks = Vec::new();
    if let Some(counts) = results.get::<KnowledgeCounts>("counts")? {
        add_count_findings(&counts, body, &mut blocks);
    }
    if let Some(times) = results.get::<KnowledgeTimes>("time")? {
        add_time_findings(&times, results.get::<KnowledgeCounts>("counts")?.as_ref(), body)?;
        body.machines.extend(times.machine.clone());
    }
    for studied in &study.styles {
        let found =
            study.combined_findings(&studied.name, results)?.filter(|found| found.positions.len() > 1);
        if let Some(found) = found.filter(|_| studied.name == "ishi" || studied.name == "many-faces") {
            let positions: Vec<f64> = found.positions.iter().map(|&positions| positions as f64).collect();
            let summary = SampleSummary::from_sample(&positions)?;
            body.findings.push(make_finding(
                format!("positions.{}", studied.name),
                format!("positions that are looked at for a move, {}", studied.name),
                summary.mean(),
                summary.mean_interval(ConfidenceLevel::default()),
                ("positions", 1),
            ));
        }
    }
    let mut checked = GameCheck { moves: 0, checked: 0, differences: 0 };
    for game in 0..numbers.check_games {
        if let Some(game) = results.get::<GameCheck>(&KnowledgeNumbers::check_task_name(game))? {
            checked.moves += game.moves;
            checked.checked += game.checked;
            checked.differences += game.differences;
        }
    }
    if checked.checked > 0 {
        let rate = proportion_of(checked.differences.min(checked.checked), checked.checked)?;
        body.findings.push(make_finding(
            "check.differences",
            "positions that are judged otherwise after a look-ahead than before, of 1000",
            1000.0 * rate.rate(),
            Some(wilson_interval(&rate).map_ends(|rate| 1000.0 * rate)),
            ("of 1000", 1),
        ));
        blocks.push(SheetBlock::Text(format!(
            "Checks: {} moves of {} games of the program against itself, {} positions judged before and after a look-ahead, {} differences.",
            checked.moves, numbers.check_games, checked.checked, checked.differences
        )));
    }
    if blocks.is_empty() {
        blocks.push(SheetBlock::Text("Nothing has been counted yet.".into()));
    }
    body.sections.push(SheetSection { heading: "The paper's numbers".into(), blocks });
    Ok(())
}

fn add_count_findings(counts: &KnowledgeCounts, body: &mut ReportBody, blocks: &mut Vec<SheetBlock>) {
    let mut add = |key: &str, what: &str, value: f64, unit: &str, decimals: usize| {
        body.findings.push(make_finding(key, what, value, None, (unit, decimals)));
    };
    add("rules", "rules that suggest moves", counts.rules as f64, "rules", 0);
    add("families", "families of rules", counts.families as f64, "families", 0);
    add("joseki.moves", "moves of the joseki database", counts.joseki_moves as f64, "moves", 0);
    let bytes = counts.joseki_bytes as f64 / counts.joseki_moves.max(1) as f64;
    add("joseki.bytes", "bytes a move of the joseki database, packed", bytes, "bytes", 2);
    add("patterns", "patterns of up to 8x8 points", counts.patterns as f64, "patterns", 0);
    add("patterns.moves", "moves in the patterns' trees", counts.pattern_moves as f64, "moves", 0);
    add(
        "patterns.settling",
        "patterns that the search for quiet asks",
        counts.settling_patterns as f64,
        "patterns",
        0,
    );
    add("patterns.page", "patterns that the editor shows at once", counts.page as f64, "patterns", 0);
    add("sente.first", "what the move is worth at the beginning", counts.sente[0], "points", 0);
    add("sente.220", "what the move is worth after 220 moves", counts.sente[1], "points", 0);
    for (heading, list, all) in [
        ("kind of joseki move", &counts.joseki_kinds, counts.joseki_moves),
        ("purpose of pattern", &counts.purposes, counts.patterns),
    ] {
        let mut table = SheetTable::new([heading, "#number", "#%"]);
        for (name, number_of) in list {
            let rate = 100.0 * *number_of as f64 / all.max(1) as f64;
            table.add_row([name.clone(), number_of.to_string(), format_number(rate, 1)]);
        }
        blocks.push(SheetBlock::Table(table));
    }
    blocks.push(SheetBlock::Text(format!(
        "{} of the patterns were written by hand, {} claim something of chains; they have {} variants by symmetry and colour.",
        counts.patterns_by_hand, counts.patterns_with_claims, counts.variants
    )));
}

/// The share of each move's time, in per cent, that a part takes: what it takes once in this position, as often as the move does it.
fn time_shares(once: &[f64], times: impl Iterator<Item = f64>, moves: &[f64]) -> Vec<f64> {
    let parts = once.iter().zip(times).map(|(seconds, times)| seconds * times);
    parts.zip(moves).map(|(part, all)| (100.0 * part / all.max(1e-9)).min(100.0)).collect()
}

/// Shares of the time and work of a move, means over positions.
fn add_time_findings(
    times: &KnowledgeTimes,
    counts: Option<&KnowledgeCounts>,
    body: &mut ReportBody,
) -> Result<(), LabError> {
    let matched = times.matched.iter().map(|&number| number as f64);
    let judged = times.positions.iter().map(|&number| number as f64);
    for (key, what, shares) in [
        (
            "time.patterns",
            "share of the time that matching patterns takes",
            time_shares(&times.matching, matched, &times.moves),
        ),
        (
            "time.prospects",
            "share of the time that potential eyes and escape points take",
            time_shares(&times.prospects, judged, &times.moves),
        ),
    ] {
        let shares = SampleSummary::from_sample(&shares)?;
        let interval = shares.mean_interval(ConfidenceLevel::default());
        body.findings.push(make_finding(key, what, shares.mean(), interval, ("%", 1)));
    }
    let seconds = SampleSummary::from_sample(&times.moves)?;
    body.findings.push(make_finding(
        "time.move",
        "processor seconds of a move, many-faces",
        seconds.mean(),
        seconds.mean_interval(ConfidenceLevel::default()),
        ("s", 2),
    ));
    if let Some(counts) = counts {
        let tried = times.compared.iter().zip(&times.empty);
        let tried: Vec<f64> = tried
            .map(|(compared, empty)| (counts.variants * empty) as f64 / (*compared).max(1) as f64)
            .collect();
        let tried = SampleSummary::from_sample(&tried)?;
        body.findings.push(make_finding(
            "patterns.hash",
            "times fewer patterns are compared than without the hash table",
            tried.mean(),
            tried.mean_interval(ConfidenceLevel::default()),
            ("times", 0),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_counts_in_a_comparison() {
        let (hits, base) = ([true, true, false, false], [true, false, true, false]);
        assert_eq!(paired_differences(&hits, &base), [1, 1]);
        assert_eq!(sign_test([0, 0]), Ok(1.0));
        assert!(sign_test([10, 0]).unwrap() < 0.01);
    }

    #[test]
    fn ranks_count_from_one_and_none_is_zero() {
        let found = StudyFindings { ranks: vec![1, 5, 6, 0], ..StudyFindings::default() };
        assert_eq!([1, 5, 20].map(|first| count_hits(&found.hits_within(first))), [1, 2, 3]);
    }
}
