//! The report: tables 1 to 3, figure 5, table 4 and figure 6 of the paper, and what is beyond it.

use ishi_stats::{
    Alternative, Confidence, Interval, IntervalMethod, Outcomes, Proportion, StatsError, Summary, TestMethod,
};

use super::games::{Campaign, Score, Side, Stage};
use super::measure::{self, Measure, Observed, Player, Race, Times};
use crate::error::LabError;
use crate::expected::{Finding, number};
use crate::experiment::Results;
use crate::report::{Block, Body, IntervalPlot, IntervalRow, LinePlot, Section, Series, Table};

/// A finding in per cent, Elo and so on.
fn finding(
    key: String,
    what: String,
    value: f64,
    interval: Option<Interval>,
    (unit, decimals): (&str, usize),
) -> Finding {
    let interval = interval.map(|Interval { low, high }| [low, high]);
    Finding { key, what, value, interval, unit: unit.into(), decimals }
}

/// Wins out of games; draws, which need a whole komi, count as not won.
fn rate([won, drawn, lost]: [u64; 3]) -> Result<Proportion, StatsError> {
    Proportion::new(won, won + drawn + lost)
}

fn wilson(wins: &Proportion) -> Interval {
    wins.interval(IntervalMethod::Wilson, Confidence::default())
}

fn percent(interval: Interval) -> Interval {
    interval.map(|rate| 100.0 * rate)
}

fn range(interval: Interval, decimals: usize) -> String {
    format!("{} to {}", number(interval.low, decimals), number(interval.high, decimals))
}

/// How much the first rate exceeds the second, with Newcombe's interval for the difference of two independent rates (Newcombe 1998,
/// method 10: Wilson's intervals put together).
fn difference(first: &Proportion, second: &Proportion) -> (f64, Interval) {
    let (a, b) = (wilson(first), wilson(second));
    let (p, q) = (first.rate(), second.rate());
    let below = ((p - a.low).powi(2) + (b.high - q).powi(2)).sqrt();
    let above = ((a.high - p).powi(2) + (q - b.low).powi(2)).sqrt();
    (p - q, Interval { low: p - q - below, high: p - q + above })
}

/// The standings of a stage's players, the base first.
type Standing<'a> = Vec<(&'a Side, Score)>;

/// Tables 1 to 3 for every stage, and the findings of its games.
pub(super) fn games(campaign: &Campaign, results: &Results, body: &mut Body) -> Result<(), LabError> {
    for stage in &campaign.stages {
        let mut standing: Standing<'_> = Vec::new();
        for player in &stage.players {
            let score = Score::of(stage, player, results)?;
            if score.games() > 0 {
                standing.push((player, score));
            }
        }
        let mut blocks = vec![Block::Text(conditions(stage))];
        if standing.is_empty() {
            blocks.push(Block::Text("No game has been played yet.".into()));
        } else {
            blocks.push(Block::Table(rates(&standing)?));
            blocks.push(Block::Intervals(format!("games-{}", stage.name), rates_plot(stage, &standing)?));
            blocks.extend(compared(stage, &standing)?.map(Block::Table));
            blocks.push(Block::Text(ends(&standing)));
            body.findings.extend(stage_findings(stage, &standing)?);
        }
        body.sections.push(Section { heading: format!("Games: {}", stage.name), blocks });
    }
    Ok(())
}

fn conditions(stage: &Stage) -> String {
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
        planned(stage)
    )
}

/// How many pairs are planned: for most players, and for those that have their own number.
fn planned(stage: &Stage) -> String {
    let most = stage.most_pairs();
    let others = stage.players.iter().filter(|player| player.pairs < most);
    let told: Vec<String> = others.map(|player| format!("{} for {}", player.pairs, player.name)).collect();
    if told.is_empty() { most.to_string() } else { format!("{most} ({})", told.join(", ")) }
}

/// A row for Black, White and both of each player: tables 1, 2 and 3.
fn rates(standing: &Standing<'_>) -> Result<Table, LabError> {
    let mut table = Table::new(["player", "as", "#won", "#games", "#rate, %", "#95%", "#p", "the paper, %"]);
    for (player, score) in standing {
        let [black, white] = score.by_color;
        for (color, counts) in [("Black", black), ("White", white), ("both", score.both())] {
            let Ok(wins) = rate(counts) else { continue };
            let p = wins.test(TestMethod::Exact, Alternative::TwoSided, 0.5)?;
            table.row([
                player.name.clone(),
                color.to_string(),
                wins.successes().to_string(),
                wins.trials().to_string(),
                number(100.0 * wins.rate(), 1),
                range(percent(wilson(&wins)), 1),
                number(p, 3),
                if color == "both" { player.paper.clone() } else { String::new() },
            ]);
        }
    }
    Ok(table)
}

fn rates_plot(stage: &Stage, standing: &Standing<'_>) -> Result<IntervalPlot, LabError> {
    let mut rows = Vec::new();
    for (player, score) in standing {
        let wins = rate(score.both())?;
        let interval = percent(wilson(&wins));
        rows.push(IntervalRow {
            label: player.name.clone(),
            value: 100.0 * wins.rate(),
            interval: Some([interval.low, interval.high]),
            marks: vec![50.0],
        });
    }
    let title = format!("{}: games won against {}, with 95% intervals", stage.name, stage.opponent.name);
    Ok(IntervalPlot { title, axis: "per cent".into(), logarithmic: false, rows })
}

/// Each player beside the first, if there are several: the difference of the rates, and the thinking time.
fn compared(stage: &Stage, standing: &Standing<'_>) -> Result<Option<Table>, LabError> {
    let Some(((base, first), others)) = standing.split_first().filter(|(_, others)| !others.is_empty())
    else {
        return Ok(None);
    };
    if base.name != stage.players[0].name {
        return Ok(None);
    }
    let mut table =
        Table::new(["player", "#won more, points", "#95%", "#seconds a game", "#times the first's"]);
    let wins = rate(first.both())?;
    let seconds = mean(&first.seconds);
    table.row([base.name.clone(), String::new(), String::new(), text(seconds, 1), String::new()]);
    for (player, score) in others {
        let (more, interval) = difference(&rate(score.both())?, &wins);
        let own = mean(&score.seconds);
        let times = own.zip(seconds).map(|(own, base)| own / base.max(1e-9));
        table.row([
            player.name.clone(),
            number(100.0 * more, 1),
            range(percent(interval), 1),
            text(own, 1),
            text(times, 3),
        ]);
    }
    Ok(Some(table))
}

fn mean(seconds: &[f64]) -> Option<f64> {
    (!seconds.is_empty()).then(|| seconds.iter().sum::<f64>() / seconds.len() as f64)
}

fn text(value: Option<f64>, decimals: usize) -> String {
    value.map_or(String::new(), |value| number(value, decimals))
}

/// How the games ended.
fn ends(standing: &Standing<'_>) -> String {
    let words = standing.iter().map(|(player, score)| {
        let reasons: Vec<String> =
            score.reasons.iter().map(|(reason, games)| format!("{reason} {games}")).collect();
        let moves = number(score.moves as f64 / score.games().max(1) as f64, 0);
        format!("{}: {}, {moves} moves a game", player.name, reasons.join(", "))
    });
    format!("Ends of the games. {}.", words.collect::<Vec<_>>().join("; "))
}

fn stage_findings(stage: &Stage, standing: &Standing<'_>) -> Result<Vec<Finding>, LabError> {
    let mut findings = Vec::new();
    let mut best: Option<(f64, Finding)> = None;
    let base = standing.iter().find(|(player, _)| player.name == stage.players[0].name);
    for (player, score) in standing {
        let key = format!("{}.{}", stage.name, player.name);
        let who = format!("{}: {} against {}", stage.name, player.name, stage.opponent.name);
        let [black, white] = score.by_color;
        for (color, counts) in [("black", black), ("white", white), ("both", score.both())] {
            let Ok(wins) = rate(counts) else { continue };
            let what = if color == "both" { format!("{who}, won") } else { format!("{who}, won as {color}") };
            let interval = Some(percent(wilson(&wins)));
            let won = finding(format!("{key}.{color}"), what, 100.0 * wins.rate(), interval, ("%", 1));
            if color == "both" && best.as_ref().is_none_or(|(most, _)| wins.rate() > *most) {
                let what = format!("{}: the best of its players, {}, won", stage.name, player.name);
                best =
                    Some((wins.rate(), Finding { key: format!("{}.best", stage.name), what, ..won.clone() }));
            }
            findings.push(won);
        }
        let elo = Outcomes::pairs(score.pairs).report(Confidence::default())?;
        if elo.elo.is_finite() {
            let interval = Some(elo.elo_interval);
            findings.push(finding(
                format!("{key}.elo"),
                format!("{who}, Elo"),
                elo.elo,
                interval,
                ("Elo", 0),
            ));
        }
        findings.extend(
            base.filter(|(first, _)| first.name != player.name)
                .into_iter()
                .flat_map(|(first, other)| beside(stage, (player, score), (first, other))),
        );
    }
    findings.extend(best.map(|(_, finding)| finding));
    Ok(findings)
}

/// A player beside the stage's first: rate and thinking time.
fn beside(stage: &Stage, (player, score): (&Side, &Score), (first, other): (&Side, &Score)) -> Vec<Finding> {
    let key = format!("{}.{}", stage.name, player.name);
    let who = format!("{}: {} beside {}", stage.name, player.name, first.name);
    let mut findings = Vec::new();
    if let (Ok(own), Ok(base)) = (rate(score.both()), rate(other.both())) {
        let (more, interval) = difference(&own, &base);
        let interval = Some(percent(interval));
        findings.push(finding(
            format!("{key}.more"),
            format!("{who}, won more"),
            100.0 * more,
            interval,
            ("points", 1),
        ));
    }
    if let Some((own, base)) = mean(&score.seconds).zip(mean(&other.seconds)) {
        let what = format!("{who}, thinks longer in a game");
        findings.push(finding(format!("{key}.seconds"), what, own - base, None, ("s", 1)));
    }
    findings
}

/// Figure 5: how often the most repeated positions come, rank by rank, in each position that is searched.
pub(super) fn repeats(measure: &Measure, results: &Results, body: &mut Body) -> Result<(), LabError> {
    let how = format!(
        "Figure 5 of the paper: searches of {} playouts from fixed positions of the game in config.toml. Counted are \
         the positions after each of the first five moves of every playout, wherever in the tree it began.",
        measure.repeats_playouts
    );
    let mut section = Section { heading: "Repeated positions".into(), blocks: vec![Block::Text(how)] };
    for &after in &measure.repeats_after {
        let mut observed: Vec<(&Player, Observed)> = Vec::new();
        for player in &measure.repeats {
            observed.extend(measure::repeats_of(player, after, results)?.map(|seen| (player, seen)));
        }
        if !observed.is_empty() {
            section.blocks.push(Block::Text(format!("After {after} moves:")));
            section.blocks.push(Block::Table(repeats_table(&observed)));
            section.blocks.push(Block::Lines(format!("repeats-{after}"), repeats_plot(after, &observed)));
            body.findings
                .extend(observed.iter().flat_map(|(player, seen)| repeats_findings(player, after, seen)));
        }
    }
    if section.blocks.len() > 1 {
        body.sections.push(section);
    }
    Ok(())
}

fn repeats_table(observed: &[(&Player, Observed)]) -> Table {
    let mut table = Table::new([
        "player",
        "#positions",
        "#different",
        "#most often",
        "#10th",
        "#50th",
        "#share of the 50, %",
    ]);
    for (player, seen) in observed {
        let rank = |n: usize| seen.repeats.get(n - 1).map_or(String::new(), u64::to_string);
        let mut row = vec![player.name.clone(), seen.positions.to_string(), seen.distinct.to_string()];
        row.extend([1, 10, 50].map(rank));
        row.push(number(100.0 * share(seen), 2));
        table.row(row);
    }
    table
}

fn repeats_plot(after: usize, observed: &[(&Player, Observed)]) -> LinePlot {
    let line = |(player, seen): &(&Player, Observed)| Series {
        name: player.name.clone(),
        points: seen
            .repeats
            .iter()
            .enumerate()
            .map(|(rank, &n)| ((rank + 1) as f64, n as f64, None))
            .collect(),
    };
    LinePlot {
        title: format!("How often the 50 most repeated positions came, after {after} moves"),
        x_axis: "rank".into(),
        y_axis: "times".into(),
        logarithmic_x: false,
        bands: Vec::new(),
        series: observed.iter().take(4).map(line).collect(),
    }
}

fn repeats_findings(player: &Player, after: usize, seen: &Observed) -> [Finding; 2] {
    let what = |text: &str| format!("{} after {after} moves: {text}", player.name);
    let key = |name: &str| format!("repeats.{after}.{}.{name}", player.name);
    let most = seen.repeats.first().copied().unwrap_or(0) as f64;
    let all = "the 50 most repeated positions, of all that were met";
    [
        finding(key("most"), what("the most repeated position"), most, None, ("times", 0)),
        finding(key("share"), what(all), 100.0 * share(seen), None, ("%", 2)),
    ]
}

fn share(seen: &Observed) -> f64 {
    seen.repeats.iter().sum::<u64>() as f64 / seen.positions.max(1) as f64
}

/// Table 4: candidates refused in a playout, by L, with the bound.
pub(super) fn refusals(measure: &Measure, results: &Results, body: &mut Body) -> Result<(), LabError> {
    let mut table = Table::new(["#L"]);
    for player in &measure.refusals {
        table.number_column(&player.name);
        table.number_column(&format!("{}, of those asked, %", player.name));
    }
    table.number_column("bound");
    table.number_column("worst case");
    let mut lines: Vec<Series> = Vec::new();
    let mut bounds = Series { name: "bound".into(), points: Vec::new() };
    for &tenure in &measure.tenures {
        let mut row = vec![tenure.to_string()];
        let mut bound: Option<f64> = None;
        for player in &measure.refusals {
            let Some(seen) = measure::refusals_of(player, tenure, results)? else {
                row.extend([String::new(), String::new()]);
                continue;
            };
            let refused = seen.refused as f64 / seen.playouts.max(1) as f64;
            row.extend([
                number(refused, 4),
                number(100.0 * seen.refused as f64 / seen.asked.max(1) as f64, 2),
            ]);
            let point = (f64::from(tenure), refused, None);
            match lines.iter_mut().find(|line| line.name == player.name) {
                Some(line) => line.points.push(point),
                None => lines.push(Series { name: player.name.clone(), points: vec![point] }),
            }
            bound = Some(bound.unwrap_or(0.0).max(seen.bound));
            let what = format!("{}, L = {tenure}: candidates refused in a playout", player.name);
            let key = format!("refusals.{}.{tenure}", player.name);
            body.findings.push(finding(key, what, refused, None, ("", 4)));
        }
        row.extend([text(bound, 4), (5 * u64::from(tenure)).to_string()]);
        bounds.points.extend(bound.map(|bound| (f64::from(tenure), bound, None)));
        table.row(row);
    }
    if lines.is_empty() {
        return Ok(());
    }
    lines.truncate(3);
    lines.push(bounds);
    let plot = LinePlot {
        title: "Candidates refused in a playout".into(),
        x_axis: "L".into(),
        y_axis: "candidates a playout".into(),
        logarithmic_x: false,
        bands: Vec::new(),
        series: lines,
    };
    body.sections.push(Section {
        heading: "Refused candidates".into(),
        blocks: vec![
            Block::Text(how_refused(measure)),
            Block::Table(table),
            Block::Lines("refusals".into(), plot),
        ],
    });
    Ok(())
}

fn how_refused(measure: &Measure) -> String {
    format!(
        "Table 4 of the paper: searches of {} playouts after {} moves of the game in config.toml. The bound is our own \
         derivation, as the paper's equation 12 was not at hand: a queue of length L_k holds at most L_k of the n_m moves that \
         may be played at the m-th move, so that a policy that draws uniformly is refused L_k / (n_m - L_k) times at most before \
         it finds a move (the mean of a geometric distribution); the sum over the first five moves is averaged over the \
         playouts. The worst case, for any policy, is five times L: after L_k refusals in a row anything is allowed.",
        measure.refusals_playouts, measure.refusals_after
    )
}

/// Figure 6: processor time of a playout relative to that of the first player, in each race.
pub(super) fn times(measure: &Measure, results: &Results, body: &mut Body) -> Result<(), LabError> {
    let mut section =
        Section { heading: "Thinking time".into(), blocks: vec![Block::Text(HOW_TIMED.into())] };
    for race in &measure.races {
        section.blocks.extend(race_blocks(race, results, body)?);
    }
    if section.blocks.len() > 1 {
        body.sections.push(section);
    }
    Ok(())
}

const HOW_TIMED: &str = "Figure 6 of the paper, as processor time: after each number of moves of the game in config.toml, \
    all players search from the same position in turn, with nothing of ours beside them. Ratios are taken within a \
    repetition, for a playout. The plots show medians of all repetitions with 95% intervals (of the median, by order statistics).";

fn race_blocks(race: &Race, results: &Results, body: &mut Body) -> Result<Vec<Block>, LabError> {
    let mut table = Table::new([
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
        let repetitions = race.times(after, results)?;
        if repetitions.is_empty() {
            continue;
        }
        add_machines(body, &repetitions);
        for (n, player) in race.players.iter().enumerate() {
            let own: Vec<f64> = repetitions.iter().map(|times| 1e3 * times.per_playout(n)).collect();
            let relative = repetitions.iter().map(|times| times.per_playout(n) / times.per_playout(0));
            let relative: Vec<f64> = relative.collect();
            let spread = Summary::of(&relative)?;
            let mut row =
                vec![player.name.clone(), after.to_string(), number(Summary::of(&own)?.median(), 4)];
            row.extend([spread.median(), spread.min(), spread.max()].map(|ratio| number(ratio, 3)));
            row.push(repetitions.len().to_string());
            table.row(row);
            ratios[n].extend(relative);
        }
    }
    let mut rows = Vec::new();
    for (player, ratios) in race.players.iter().zip(&ratios).skip(1).filter(|(_, ratios)| !ratios.is_empty())
    {
        let spread = Summary::of(ratios)?;
        let interval = median_interval(ratios);
        rows.push(IntervalRow {
            label: player.name.clone(),
            value: spread.median(),
            interval: Some([interval.low, interval.high]),
            marks: vec![1.0],
        });
        body.findings.extend(time_findings(player, &race.players[0], &spread, interval));
    }
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let plot = IntervalPlot {
        title: format!("Time of a playout, relative to {}", race.players[0].name),
        axis: "times".into(),
        logarithmic: false,
        rows,
    };
    let what = format!("{}: searches of {} playouts.", race.name, race.playouts);
    Ok(vec![Block::Text(what), Block::Table(table), Block::Intervals(format!("time-{}", race.name), plot)])
}

/// The ratio, and its inverse, of which more is better.
fn time_findings(player: &Player, base: &Player, spread: &Summary, interval: Interval) -> [Finding; 2] {
    let what = |text: &str| format!("{} beside {}: {text}", player.name, base.name);
    let key = |name: &str| format!("time.{}.{name}", player.name);
    let inverse = Interval { low: 1.0 / interval.high, high: 1.0 / interval.low };
    [
        finding(key("ratio"), what("time of a playout"), spread.median(), Some(interval), ("times", 3)),
        finding(
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

fn add_machines(body: &mut Body, repetitions: &[Times]) {
    for times in repetitions {
        if !body.machines.contains(&times.machine) {
            body.machines.push(times.machine.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe 1998, table II, example (a): 56/70 - 48/80 = 0.2, method 10: 0.0524 to 0.3339.
    #[test]
    fn differences_have_newcombes_interval() {
        let (more, interval) =
            difference(&Proportion::new(56, 70).unwrap(), &Proportion::new(48, 80).unwrap());
        assert!((more - 0.2).abs() < 1e-12);
        assert_eq!(range(interval, 4), "0.0524 to 0.3339");
    }

    /// The tables of the sign test: 10 values: from the 2nd to the 9th; 20: 6th to 15th; 5: none does, so all.
    #[test]
    fn medians_have_the_sign_tests_interval() {
        let of = |n: usize| median_interval(&(1..=n).map(|v| v as f64).collect::<Vec<_>>());
        assert_eq!([of(5), of(10), of(20)].map(|i| (i.low, i.high)), [(1.0, 5.0), (2.0, 9.0), (6.0, 15.0)]);
        assert_eq!((of(1).low, of(1).high), (1.0, 1.0));
    }
}
