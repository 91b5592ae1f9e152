//! The report: agreement by style, games, and the paper's numbers.

use ishi_stats::{
    Alternative, Confidence, Interval, IntervalMethod, Proportion, StatsError, Summary, TestMethod,
};

use super::games::{Campaign, Score, Stage};
use super::numbers::{Checked, Counts, Numbers, Times};
use super::study::{Found, STRENGTHS, Study};
use crate::error::LabError;
use crate::expected::{Finding, number};
use crate::experiment::Results;
use crate::report::{Block, Body, IntervalPlot, IntervalRow, Section, Table};

/// A finding in per cent, points and so on.
fn finding(
    key: impl Into<String>,
    what: impl Into<String>,
    value: f64,
    interval: Option<Interval>,
    (unit, decimals): (&str, usize),
) -> Finding {
    let interval = interval.map(|Interval { low, high }| [low, high]);
    Finding { key: key.into(), what: what.into(), value, interval, unit: unit.into(), decimals }
}

fn wilson(share: &Proportion) -> Interval {
    share.interval(IntervalMethod::Wilson, Confidence::default())
}

fn percent(interval: Interval) -> Interval {
    interval.map(|rate| 100.0 * rate)
}

fn range(Interval { low, high }: Interval, decimals: usize) -> String {
    format!("{} to {}", number(low, decimals), number(high, decimals))
}

/// So many of so many.
fn share(part: usize, all: usize) -> Result<Proportion, StatsError> {
    Proportion::new(part as u64, all as u64)
}

/// How a style stands to the first one on the same positions: hits that only it has, and hits that only the first has.
fn paired(hits: &[bool], base: &[bool]) -> [usize; 2] {
    let only = |a: &[bool], b: &[bool]| a.iter().zip(b).filter(|(a, b)| **a && !**b).count();
    [only(hits, base), only(base, hits)]
}

/// p of the exact sign test of what differs.
fn sign_test([gained, lost]: [usize; 2]) -> Result<f64, StatsError> {
    if gained + lost == 0 {
        return Ok(1.0);
    }
    share(gained, gained + lost)?.test(TestMethod::Exact, Alternative::TwoSided, 0.5)
}

impl Found {
    /// In which positions is the move among the first so many suggestions?
    fn within(&self, first: usize) -> Vec<bool> {
        self.ranks.iter().map(|&rank| (1..=first).contains(&rank)).collect()
    }
}

fn count(hits: &[bool]) -> usize {
    hits.iter().filter(|hit| **hit).count()
}

/// Agreement with strong players, style by style.
pub(super) fn study(study: &Study, results: &Results, body: &mut Body) -> Result<(), LabError> {
    let mut blocks = vec![Block::Text(format!(
        "Positions from {}, spread evenly over all moves; which rank has the move that was played among the suggestions of the rules, and does the search \
         of the style choose it? Shares with Wilson's 95% interval. Gained and lost are positions in which only this style, or only the first, has the \
         move first; p is that of the exact sign test. The last row but one is what the learned strengths of moves say alone, the last one a legal move at random.",
        study.records.name
    ))];
    let mut table = Table::new([
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
    ]);
    let mut rows = Vec::new();
    let mut base: Option<Found> = None;
    for studied in &study.styles {
        let Some(found) = study.found(&studied.name, results)? else { continue };
        let base = base.get_or_insert_with(|| found.clone());
        let (first, name) = (found.within(1), &studied.name);
        let of_first = share(count(&first), first.len())?;
        let differs = paired(&first, &base.within(1));
        let chosen = share(count(&found.chosen), found.chosen.len().max(1))?;
        let chosen_differs = paired(&found.chosen, &base.chosen);
        table.row([
            name.clone(),
            first.len().to_string(),
            number(100.0 * of_first.rate(), 1),
            range(percent(wilson(&of_first)), 1),
            number(100.0 * share(count(&found.within(5)), first.len())?.rate(), 1),
            number(100.0 * share(count(&found.within(20)), first.len())?.rate(), 1),
            number(mean(found.suggestions.iter().map(|&count| count as f64)), 0),
            differs[0].to_string(),
            differs[1].to_string(),
            number(sign_test(differs)?, 3),
            found.chosen.len().to_string(),
            number(100.0 * chosen.rate(), 1),
            range(percent(wilson(&chosen)), 1),
            chosen_differs[0].to_string(),
            chosen_differs[1].to_string(),
            number(sign_test(chosen_differs)?, 3),
        ]);
        let interval = percent(wilson(&chosen));
        rows.push(IntervalRow {
            label: name.clone(),
            value: 100.0 * chosen.rate(),
            interval: Some([interval.low, interval.high]),
            marks: Vec::new(),
        });
        for (what, rate) in [("first", of_first), ("chosen", chosen)] {
            let told = if what == "first" { "the first suggestion" } else { "the move of the search" };
            body.findings.push(finding(
                format!("study.{name}.{what}"),
                format!("{name}: {told} is the strong player's move"),
                100.0 * rate.rate(),
                Some(percent(wilson(&rate))),
                ("%", 1),
            ));
        }
    }
    if let Some(found) = study.found(STRENGTHS, results)? {
        let all = found.ranks.len();
        let first = share(count(&found.within(1)), all)?;
        let rate = |first: usize| -> Result<String, StatsError> {
            Ok(number(100.0 * share(count(&found.within(first)), all)?.rate(), 1))
        };
        table.row([
            STRENGTHS.to_string(),
            all.to_string(),
            number(100.0 * first.rate(), 1),
            range(percent(wilson(&first)), 1),
            rate(5)?,
            rate(20)?,
            number(mean(found.suggestions.iter().map(|&count| count as f64)), 0),
        ]);
        let by_chance =
            |first: f64| 100.0 * mean(found.suggestions.iter().map(|&legal| first / legal.max(1) as f64));
        table.row([
            "a legal move at random".to_string(),
            all.to_string(),
            number(by_chance(1.0), 1),
            String::new(),
            number(by_chance(5.0), 1),
            number(by_chance(20.0), 1),
        ]);
    }
    if base.is_none() {
        blocks.push(Block::Text("No style has been studied yet.".into()));
    } else {
        blocks.push(Block::Table(table));
        let title =
            "Positions in which the search chooses the strong player's move, with 95% intervals".to_string();
        blocks.push(Block::Intervals(
            "study".into(),
            IntervalPlot { title, axis: "per cent".into(), logarithmic: false, rows },
        ));
    }
    body.sections.push(Section { heading: "Agreement with strong players".into(), blocks });
    Ok(())
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut number) = (0.0, 0);
    for value in values {
        sum += value;
        number += 1;
    }
    sum / f64::from(number.max(1))
}

/// Games, stage by stage.
pub(super) fn games(campaign: &Campaign, results: &Results, body: &mut Body) -> Result<(), LabError> {
    for stage in &campaign.stages {
        let mut blocks = vec![Block::Text(conditions(stage))];
        let mut table = Table::new([
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
        let (mut rows, mut is_played) = (Vec::new(), false);
        for player in &stage.players {
            let score = Score::of(stage, player, results)?;
            let [won, drawn, lost] = score.games;
            let Ok(wins) = Proportion::new(won, won + drawn + lost) else { continue };
            is_played = true;
            let margin = Summary::of(&score.margins).ok();
            let spread = margin.as_ref().and_then(|margin| margin.interval(Confidence::default()));
            table.row([
                player.name.clone(),
                won.to_string(),
                drawn.to_string(),
                wins.trials().to_string(),
                number(100.0 * wins.rate(), 1),
                range(percent(wilson(&wins)), 1),
                number(wins.test(TestMethod::Exact, Alternative::TwoSided, 0.5)?, 3),
                margin.as_ref().map_or(String::new(), |margin| number(margin.mean(), 1)),
                spread.map_or(String::new(), |spread| range(spread, 1)),
            ]);
            let interval = percent(wilson(&wins));
            rows.push(IntervalRow {
                label: player.name.clone(),
                value: 100.0 * wins.rate(),
                interval: Some([interval.low, interval.high]),
                marks: vec![50.0],
            });
            let key = format!("games.{}.{}", stage.name, player.name);
            let what = format!("{} against {}, {}", player.name, stage.opponent.name, stage.name);
            body.findings.push(finding(
                format!("{key}.won"),
                format!("{what}: games won"),
                100.0 * wins.rate(),
                Some(interval),
                ("%", 1),
            ));
            if let Some(margin) = margin {
                body.findings.push(finding(
                    format!("{key}.margin"),
                    format!("{what}: points ahead at the end"),
                    margin.mean(),
                    spread,
                    ("points", 1),
                ));
            }
        }
        if is_played {
            blocks.push(Block::Table(table));
            let title =
                format!("{}: games won against {}, with 95% intervals", stage.name, stage.opponent.name);
            let plot = IntervalPlot { title, axis: "per cent".into(), logarithmic: false, rows };
            blocks.push(Block::Intervals(format!("games-{}", stage.name), plot));
        } else {
            blocks.push(Block::Text("No game has been played yet.".into()));
        }
        body.sections.push(Section { heading: format!("Games: {}", stage.name), blocks });
    }
    Ok(())
}

fn conditions(stage: &Stage) -> String {
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
         interval and the exact test; the margin is the mean over games that were counted, with Student's interval.",
        stage.what, stage.opponent.name, stage.pairs
    )
}

/// The paper's numbers beside ours.
pub(super) fn numbers(
    numbers: &Numbers,
    study: &Study,
    results: &Results,
    body: &mut Body,
) -> Result<(), LabError> {
    let mut blocks = Vec::new();
    if let Some(counts) = results.get::<Counts>("counts")? {
        counted(&counts, body, &mut blocks);
    }
    if let Some(times) = results.get::<Times>("time")? {
        timed(&times, results.get::<Counts>("counts")?.as_ref(), body)?;
        body.machines.extend(times.machine.clone());
    }
    for studied in &study.styles {
        let found = study.found(&studied.name, results)?.filter(|found| found.positions.len() > 1);
        if let Some(found) = found.filter(|_| studied.name == "ishi" || studied.name == "many-faces") {
            let positions: Vec<f64> = found.positions.iter().map(|&positions| positions as f64).collect();
            let summary = Summary::of(&positions)?;
            body.findings.push(finding(
                format!("positions.{}", studied.name),
                format!("positions that are looked at for a move, {}", studied.name),
                summary.mean(),
                summary.interval(Confidence::default()),
                ("positions", 1),
            ));
        }
    }
    let mut checked = Checked { moves: 0, checked: 0, differences: 0 };
    for game in 0..numbers.check_games {
        if let Some(game) = results.get::<Checked>(&Numbers::check_name(game))? {
            checked.moves += game.moves;
            checked.checked += game.checked;
            checked.differences += game.differences;
        }
    }
    if checked.checked > 0 {
        let rate = share(checked.differences.min(checked.checked), checked.checked)?;
        body.findings.push(finding(
            "check.differences",
            "positions that are judged otherwise after a look-ahead than before, of 1000",
            1000.0 * rate.rate(),
            Some(wilson(&rate).map(|rate| 1000.0 * rate)),
            ("of 1000", 1),
        ));
        blocks.push(Block::Text(format!(
            "Checks: {} moves of {} games of the program against itself, {} positions judged before and after a look-ahead, {} differences.",
            checked.moves, numbers.check_games, checked.checked, checked.differences
        )));
    }
    if blocks.is_empty() {
        blocks.push(Block::Text("Nothing has been counted yet.".into()));
    }
    body.sections.push(Section { heading: "The paper's numbers".into(), blocks });
    Ok(())
}

fn counted(counts: &Counts, body: &mut Body, blocks: &mut Vec<Block>) {
    let mut add = |key: &str, what: &str, value: f64, unit: &str, decimals: usize| {
        body.findings.push(finding(key, what, value, None, (unit, decimals)));
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
        let mut table = Table::new([heading, "#number", "#%"]);
        for (name, number_of) in list {
            let rate = 100.0 * *number_of as f64 / all.max(1) as f64;
            table.row([name.clone(), number_of.to_string(), number(rate, 1)]);
        }
        blocks.push(Block::Table(table));
    }
    blocks.push(Block::Text(format!(
        "{} of the patterns were written by hand, {} claim something of chains; they have {} variants by symmetry and colour.",
        counts.patterns_by_hand, counts.patterns_with_claims, counts.variants
    )));
}

/// The share of each move's time, in per cent, that a part takes: what it takes once in this position, as often as the move does it.
fn shares(once: &[f64], times: impl Iterator<Item = f64>, moves: &[f64]) -> Vec<f64> {
    let parts = once.iter().zip(times).map(|(seconds, times)| seconds * times);
    parts.zip(moves).map(|(part, all)| (100.0 * part / all.max(1e-9)).min(100.0)).collect()
}

/// Shares of the time and work of a move, means over positions.
fn timed(times: &Times, counts: Option<&Counts>, body: &mut Body) -> Result<(), LabError> {
    let matched = times.matched.iter().map(|&number| number as f64);
    let judged = times.positions.iter().map(|&number| number as f64);
    for (key, what, shares) in [
        (
            "time.patterns",
            "share of the time that matching patterns takes",
            shares(&times.matching, matched, &times.moves),
        ),
        (
            "time.prospects",
            "share of the time that potential eyes and escape points take",
            shares(&times.prospects, judged, &times.moves),
        ),
    ] {
        let shares = Summary::of(&shares)?;
        let interval = shares.interval(Confidence::default());
        body.findings.push(finding(key, what, shares.mean(), interval, ("%", 1)));
    }
    let seconds = Summary::of(&times.moves)?;
    body.findings.push(finding(
        "time.move",
        "processor seconds of a move, many-faces",
        seconds.mean(),
        seconds.interval(Confidence::default()),
        ("s", 2),
    ));
    if let Some(counts) = counts {
        let tried = times.compared.iter().zip(&times.empty);
        let tried: Vec<f64> = tried
            .map(|(compared, empty)| (counts.variants * empty) as f64 / (*compared).max(1) as f64)
            .collect();
        let tried = Summary::of(&tried)?;
        body.findings.push(finding(
            "patterns.hash",
            "times fewer patterns are compared than without the hash table",
            tried.mean(),
            tried.interval(Confidence::default()),
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
        assert_eq!(paired(&hits, &base), [1, 1]);
        assert_eq!(sign_test([0, 0]), Ok(1.0));
        assert!(sign_test([10, 0]).unwrap() < 0.01);
    }

    #[test]
    fn ranks_count_from_one_and_none_is_zero() {
        let found = Found { ranks: vec![1, 5, 6, 0], ..Found::default() };
        assert_eq!([1, 5, 20].map(|first| count(&found.within(first))), [1, 2, 3]);
    }
}
