//! Curves over the games of learning, on the paper's axis: units of 10,000 games.

use super::super::learner::Point;
use super::trial::{Curve, Trial, mean};
use crate::report::svg::Band;
use crate::report::{Block, LinePlot, Series};

/// Games of a unit of the axis.
const UNIT: f64 = 10_000.0;

/// Points that a line has at most.
const DOTS: usize = 60;

/// One run's curve, point by point.
pub(super) fn of_trial(name: &str, trial: &Trial, value: Curve) -> Option<Series> {
    let dot = |point: &Point| value(point).map(|y| (point.games as f64 / UNIT, y));
    line(name, trial.points.iter().filter_map(dot).collect())
}

/// The ratings of a run's populations, generation by generation.
pub(super) fn of_ratings(name: &str, trial: &Trial) -> Option<Series> {
    let ends = trial.points.iter().filter_map(|point| Some((point.games, point.rating?)));
    let between = trial.ratings.iter().map(|sample| (sample.games, sample.rating));
    let mut all: Vec<(u64, f64)> = ends.chain(between).collect();
    all.sort_by_key(|&(games, _)| games);
    let dots = all.into_iter().map(|(games, rating)| (games as f64 / UNIT, rating, None)).collect::<Vec<_>>();
    (!dots.is_empty()).then(|| Series { name: name.into(), points: dots })
}

/// The mean over the runs in slices of the axis, each run counting once in a slice.
pub(super) fn over_trials(name: &str, trials: &[Trial], value: Curve) -> Option<Series> {
    const SLICES: u64 = 25;
    let most = trials.iter().map(|trial| trial.games).max().unwrap_or(0);
    let width = most.div_ceil(SLICES).max(1);
    let slice = |number: u64| {
        let within = |point: &&Point| point.games.div_ceil(width) == number;
        let of = |trial: &Trial| mean(trial.points.iter().filter(within).filter_map(value));
        let y = mean(trials.iter().filter_map(of))?;
        Some(((number as f64 - 0.5) * width as f64 / UNIT, y))
    };
    line(name, (1..=SLICES).filter_map(slice).collect())
}

/// What the paper's text says of a curve: a level, or all between two.
pub(super) fn band(name: &str, low: f64, high: f64) -> Band {
    Band { name: name.into(), low, high }
}

fn line(name: &str, dots: Vec<(f64, f64)>) -> Option<Series> {
    let each = dots.len().div_ceil(DOTS).max(1);
    let middle = |some: &[(f64, f64)]| {
        let of = |value: fn(&(f64, f64)) -> f64| some.iter().map(value).sum::<f64>() / some.len() as f64;
        (of(|dot| dot.0), of(|dot| dot.1), None)
    };
    (!dots.is_empty()).then(|| Series { name: name.into(), points: dots.chunks(each).map(middle).collect() })
}

/// A plot on the paper's axis, with its title and the name of its vertical axis; `None` without lines.
pub(super) fn plot(
    file: &str,
    [title, y_axis]: [&str; 2],
    series: impl IntoIterator<Item = Option<Series>>,
    bands: Vec<Band>,
) -> Option<Block> {
    let plot = LinePlot {
        title: title.into(),
        x_axis: "games of learning, in units of 10,000".into(),
        y_axis: y_axis.into(),
        logarithmic_x: false,
        series: series.into_iter().flatten().collect(),
        bands,
    };
    (!plot.series.is_empty()).then(|| Block::Lines(file.into(), plot))
}
