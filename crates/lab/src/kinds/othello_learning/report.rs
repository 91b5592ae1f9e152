//! What came out: the paper's figures and tables, the ablations, and what lies beyond.

use ishi_stats::{Confidence, Summary};

use super::elo::Spread;
use super::games::Measured;
use super::learner::Point;
use super::options::{Method, Rating};
use super::{Block as Piece, Final, Run};
use crate::error::LabError;
use crate::expected::{Finding, number};
use crate::experiment::Results;
use crate::report::{Block, Body, LinePlot, Section, Series, Table};

/// What is known of a run with one seed.
pub(super) struct Trial {
    pub(super) seed: u64,
    pub(super) points: Vec<Point>,
    pub(super) games: u64,
    pub(super) end: Option<Final>,
}

impl Trial {
    pub(super) fn read(run: &Run, seed: u64, results: &Results) -> Result<Trial, LabError> {
        let mut trial = Trial { seed, points: Vec::new(), games: 0, end: None };
        for block in 0..run.blocks {
            if let Some(piece) = results.get::<Piece>(&run.block_name(seed, block))? {
                trial.points.extend(piece.points);
                trial.games = piece.games;
            }
        }
        trial.end = results.get(&run.final_name(seed))?;
        Ok(trial)
    }

    fn successes(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(|point| point.success)
    }

    /// The last half of the curve, by games.
    fn late(&self) -> impl Iterator<Item = &Point> {
        self.points.iter().filter(|point| 2 * point.games > self.games)
    }

    fn members(&self) -> &[Measured] {
        self.end.as_ref().map_or(&[], |end| &end.members)
    }

    /// The member that wins the league among the members, not the one that does best against the standard.
    fn champion(&self) -> Option<&Measured> {
        self.end.as_ref().and_then(|end| end.members.get(end.champion))
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0u64), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / count as f64)
}

/// A run's figures, one value for each seed.
struct Figures<'a> {
    run: &'a Run,
    trials: &'a [Trial],
    findings: &'a mut Vec<Finding>,
}

impl Figures<'_> {
    /// The mean over the seeds with its 95 % t interval.
    fn add(
        &mut self,
        key: &str,
        what: &str,
        decimals: usize,
        of: impl Fn(&Trial) -> Option<f64>,
    ) -> Result<(), LabError> {
        let values: Vec<f64> = self.trials.iter().filter_map(of).collect();
        if values.is_empty() {
            return Ok(());
        }
        let summary = Summary::of(&values)?;
        let interval = summary.interval(Confidence::default()).map(|i| [i.low, i.high]);
        self.findings.push(Finding {
            key: format!("{}.{key}", self.run.name),
            what: format!("{}: {what}", self.run.name),
            value: summary.mean(),
            interval,
            unit: String::new(),
            decimals,
        });
        Ok(())
    }

    fn of_individual(&mut self) -> Result<(), LabError> {
        let scores = |trial: &Trial| mean(trial.successes().filter_map(|point| point.previous));
        self.add("previous", "winner against the previous opponent", 3, scores)?;
        let share = |trial: &Trial| mean(trial.points.iter().map(|point| f64::from(u8::from(point.success))));
        self.add("successes", "share of populations that succeed", 3, share)?;
        let late = |trial: &Trial| mean(trial.late().map(|point| point.standard));
        self.add("standard", "score against the standard, mean of the second half", 3, late)?;
        let most = |trial: &Trial| trial.points.iter().map(|point| point.standard).reduce(f64::max);
        self.add("highest", "highest point of the curve against the standard", 3, most)?;
        let last = |trial: &Trial| mean(trial.members().iter().map(|member| member.standard));
        self.add("final", "final player against the standard", 3, last)?;
        let jump = |trial: &Trial| {
            let late: Vec<f64> = trial.late().map(|point| point.standard).collect();
            mean(late.windows(2).map(|pair| (pair[1] - pair[0]).abs()))
        };
        self.add("change", "change from one opponent to the next, second half", 3, jump)
    }

    fn of_many(&mut self) -> Result<(), LabError> {
        let last = |trial: &Trial| mean(trial.members().iter().map(|member| member.standard));
        self.add("mean", "final group against the standard, mean of the members", 3, last)?;
        let best = |trial: &Trial| trial.members().iter().map(|member| member.standard).reduce(f64::max);
        self.add("best", "best member against the standard", 3, best)?;
        let champion = |trial: &Trial| trial.champion().map(|member| member.standard);
        self.add("champion", "winner of the group's own league against the standard", 3, champion)?;
        let sd = |trial: &Trial| mean(trial.members().iter().map(|member| member.series_sd));
        self.add("series-sd", "standard deviation of a member's score over series of N games", 3, sd)?;
        let random = |trial: &Trial| mean(trial.members().iter().map(|member| member.random));
        self.add("random", "final group against random moves", 3, random)?;
        let late = |trial: &Trial| mean(trial.late().map(|point| point.standard));
        self.add("late", "group against the standard, mean of the second half", 3, late)?;
        let jump = |trial: &Trial| {
            let late: Vec<f64> = trial.late().map(|point| point.standard).collect();
            mean(late.windows(2).map(|pair| (pair[1] - pair[0]).abs()))
        };
        self.add("change", "change from one group to the next, second half", 3, jump)?;
        let share = |trial: &Trial| mean(trial.points.iter().map(|point| f64::from(u8::from(point.success))));
        match self.run.method {
            Method::Group => self.add("successes", "share of populations that succeed", 3, share),
            _ => Ok(()),
        }
    }
}

/// All findings of a run.
pub(super) fn findings(run: &Run, trials: &[Trial], findings: &mut Vec<Finding>) -> Result<(), LabError> {
    let mut figures = Figures { run, trials, findings };
    match run.method {
        Method::Individual => figures.of_individual()?,
        _ => figures.of_many()?,
    }
    figures.add("games", "games of learning, in millions", 2, |trial| {
        trial.end.as_ref().map(|_| trial.games as f64 / 1e6)
    })?;
    figures.add("populations", "populations, or generations where there is but one", 0, |trial| {
        trial.end.as_ref().and(trial.points.last()).map(|point| point.k as f64)
    })
}

/// A point of a plot: x, y and the interval of y.
type Dot = (f64, f64, Option<[f64; 2]>);

/// What the paper says of a figure, drawn as a line: the value, and its range if it is one.
type Paper = Option<(f64, Option<[f64; 2]>)>;

/// A curve of a run: a line for each of the first seeds, and one for the paper.
struct Curve<'a> {
    file: String,
    title: String,
    y_axis: &'a str,
    paper: Paper,
    value: fn(&Point) -> Option<f64>,
}

impl Curve<'_> {
    fn block(self, trials: &[Trial]) -> Option<Block> {
        let seeds = if self.paper.is_some() { 3 } else { 4 };
        let mut series: Vec<Series> = trials
            .iter()
            .take(seeds)
            .map(|trial| self.line(trial))
            .filter(|s| !s.points.is_empty())
            .collect();
        let last = series.iter().filter_map(|s| s.points.last()).map(|p| p.0).reduce(f64::max)?;
        if let Some((y, range)) = self.paper {
            series.push(Series { name: "paper".into(), points: vec![(0.0, y, range), (last, y, range)] });
        }
        let x_axis = "games of learning, millions".to_string();
        let y_axis = self.y_axis.to_string();
        let plot =
            LinePlot { title: self.title, x_axis, y_axis, logarithmic_x: false, bands: Vec::new(), series };
        Some(Block::Lines(self.file, plot))
    }

    fn line(&self, trial: &Trial) -> Series {
        let dot = |p: &Point| (self.value)(p).map(|value| (p.games as f64 / 1e6, value, None));
        let points = thinned(&trial.points.iter().filter_map(dot).collect::<Vec<Dot>>());
        Series { name: format!("seed {}", trial.seed), points }
    }
}

/// At most sixty points: means of neighbours, as many for each.
fn thinned(dots: &[Dot]) -> Vec<Dot> {
    let each = dots.len().div_ceil(60).max(1);
    let mean = |some: &[Dot]| {
        let n = some.len() as f64;
        let (x, y) = some.iter().fold((0.0, 0.0), |(x, y), dot| (x + dot.0, y + dot.1));
        (x / n, y / n, None)
    };
    dots.chunks(each).map(mean).collect()
}

/// The plots of a run.
fn curves<'a>(run: &Run) -> Vec<Curve<'a>> {
    let curve = |file: &str, title: &str, y_axis, paper, value| Curve {
        file: format!("{}-{file}", run.name),
        title: format!("{title} ({})", run.name),
        y_axis,
        paper,
        value,
    };
    let standard: fn(&Point) -> Option<f64> = |point| Some(point.standard);
    match run.method {
        Method::Individual => vec![
            curve(
                "previous",
                "Figure 5: winners against the previous opponent",
                "score",
                Some((0.75, Some([0.7, 0.8]))),
                |point| point.previous,
            ),
            curve(
                "standard",
                "Figure 6: the learned player against the standard",
                "score",
                Some((0.30, None)),
                standard,
            ),
        ],
        Method::Group if run.name == "group" => vec![curve(
            "standard",
            "Figure 7: the group against the standard",
            "mean score of the members",
            Some((0.48, None)),
            standard,
        )],
        _ => vec![curve(
            "standard",
            "The group against the standard",
            "mean score of the members",
            None,
            standard,
        )],
    }
}

/// The section of a run.
pub(super) fn section(run: &Run, trials: &[Trial]) -> Section {
    let mut blocks = vec![Block::Text(run.about())];
    blocks.extend(curves(run).into_iter().filter_map(|curve| curve.block(trials)));
    blocks.push(Block::Table(match run.method {
        Method::Individual => individual_table(run, trials),
        _ => group_table(run, trials),
    }));
    Section { heading: format!("{}{}", run.name, run.place_in_paper()), blocks }
}

/// Table 3: the players that individual learning ends with.
fn individual_table(run: &Run, trials: &[Trial]) -> Table {
    let columns = [
        "seed",
        "#games, millions",
        "#populations",
        "#against previous",
        "#highest against standard",
        "#final against standard",
        "#sd of a series",
        "#against random",
        "weights",
    ];
    let mut table = Table::new(columns);
    if run.name == "individual" {
        table.row(["paper", "", "", "0.70 to 0.80", "", "about 0.30"]);
    }
    for trial in trials {
        let (Some(point), Some(member)) = (trial.points.last(), trial.members().first()) else { continue };
        let previous = mean(trial.successes().filter_map(|point| point.previous)).unwrap_or(f64::NAN);
        let highest = trial.points.iter().map(|point| point.standard).fold(0.0, f64::max);
        table.row([
            trial.seed.to_string(),
            number(trial.games as f64 / 1e6, 2),
            point.k.to_string(),
            number(previous, 3),
            number(highest, 3),
            number(member.standard, 3),
            number(member.series_sd, 3),
            number(member.random, 3),
            short(&member.weights),
        ]);
    }
    table
}

/// Table 4: the groups.
fn group_table(run: &Run, trials: &[Trial]) -> Table {
    let columns = [
        "seed",
        "#games, millions",
        "#populations",
        "#members' mean against standard",
        "#sd of a series",
        "#best member",
        "#lowest member",
        "#league's winner",
        "#against random",
        "weights of the league's winner",
    ];
    let mut table = Table::new(columns);
    if run.name == "group" {
        table.row(["paper", "55, both methods", "", "about 0.48", "0.070", "0.483"]);
    }
    for trial in trials {
        let (Some(champion), Some(point)) = (trial.champion(), trial.points.last()) else { continue };
        let of = |value: fn(&Measured) -> f64| trial.members().iter().map(value);
        let average = |value| number(mean(of(value)).unwrap_or(f64::NAN), 3);
        table.row([
            trial.seed.to_string(),
            number(trial.games as f64 / 1e6, 2),
            point.k.to_string(),
            average(|member| member.standard),
            average(|member| member.series_sd),
            number(of(|member| member.standard).fold(0.0, f64::max), 3),
            number(of(|member| member.standard).fold(1.0, f64::min), 3),
            number(champion.standard, 3),
            average(|member| member.random),
            short(&champion.weights),
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
pub(super) fn elo_section(spreads: &[Spread], body: &mut Body) {
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

/// All runs side by side.
pub(super) fn overview(runs: &[(&Run, Vec<Trial>)]) -> Section {
    let mut table = Table::new([
        "run",
        "method",
        "#seeds",
        "#games, millions",
        "#against standard",
        "#best or highest",
        "#against random",
        "what differs",
    ]);
    for (run, trials) in runs {
        let done: Vec<&Trial> = trials.iter().filter(|trial| trial.end.is_some()).collect();
        let average = |of: &dyn Fn(&Trial) -> Option<f64>, decimals| {
            mean(done.iter().filter_map(|trial| of(trial))).map_or("-".into(), |v| number(v, decimals))
        };
        let best = |trial: &Trial| trial.members().iter().map(|m| m.standard).reduce(f64::max);
        let highest = |trial: &Trial| trial.points.iter().map(|point| point.standard).reduce(f64::max);
        let individual = run.method == Method::Individual;
        table.row([
            run.name.clone(),
            run.method_name(),
            done.len().to_string(),
            average(&|trial| Some(trial.games as f64 / 1e6), 1),
            average(&|trial| mean(trial.members().iter().map(|m| m.standard)), 3),
            if individual { average(&highest, 3) } else { average(&best, 3) },
            average(&|trial| mean(trial.members().iter().map(|m| m.random)), 3),
            run.differs.clone(),
        ]);
    }
    let text = "Scores are those of the players that a run ends with: the one player of individual learning, the mean over the \
                members of a group. Nobody but the measurements plays against the standard.";
    Section { heading: "All runs".into(), blocks: vec![Block::Text(text.into()), Block::Table(table)] }
}
