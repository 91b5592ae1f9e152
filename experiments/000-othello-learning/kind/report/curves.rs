//! Curves over the games of learning, on the paper's axis: units of 10,000 games.

use ishi_lab::body::PlotBand;
use ishi_lab::body::{LinePlot, PlotSeries, SheetBlock};
use ishi_othello_learn::evolution::CurvePoint;

use super::trial::{CurveValue, LearningTrial, mean_value};

/// Games of a unit of the axis.
const UNIT: f64 = 10_000.0;

/// Points that a line has at most.
const DOTS: usize = 60;

/// One run's curve, point by point.
pub(super) fn trial_series(name: &str, trial: &LearningTrial, value: CurveValue) -> Option<PlotSeries> {
    let dot = |point: &CurvePoint| value(point).map(|y| (point.games as f64 / UNIT, y));
    line_series(name, trial.points.iter().filter_map(dot).collect())
}

/// The ratings of a run's populations, generation by generation.
pub(super) fn ratings_series(name: &str, trial: &LearningTrial) -> Option<PlotSeries> {
    let ends = trial.points.iter().filter_map(|point| Some((point.games, point.rating?)));
    let between = trial.ratings.iter().map(|sample| (sample.games, sample.rating));
    let mut all: Vec<(u64, f64)> = ends.chain(between).collect();
    all.sort_by_key(|&(games, _)| games);
    let dots = all.into_iter().map(|(games, rating)| (games as f64 / UNIT, rating, None)).collect::<Vec<_>>();
    (!dots.is_empty()).then(|| PlotSeries { name: name.into(), points: dots })
}

/// The mean over the runs in slices of the axis, each run counting once in a slice.
pub(super) fn mean_series(name: &str, trials: &[LearningTrial], value: CurveValue) -> Option<PlotSeries> {
    const SLICES: u64 = 25;
    let most = trials.iter().map(|trial| trial.games).max().unwrap_or(0);
    let width = most.div_ceil(SLICES).max(1);
    let slice = |number: u64| {
        let within = |point: &&CurvePoint| point.games.div_ceil(width) == number;
        let of = |trial: &LearningTrial| mean_value(trial.points.iter().filter(within).filter_map(value));
        let y = mean_value(trials.iter().filter_map(of))?;
        Some(((number as f64 - 0.5) * width as f64 / UNIT, y))
    };
    line_series(name, (1..=SLICES).filter_map(slice).collect())
}

/// What the paper's text says of a curve: a level, or all between two.
pub(super) fn paper_band(name: &str, low: f64, high: f64) -> PlotBand {
    PlotBand { name: name.into(), low, high }
}

fn line_series(name: &str, dots: Vec<(f64, f64)>) -> Option<PlotSeries> {
    let each = dots.len().div_ceil(DOTS).max(1);
    let middle = |some: &[(f64, f64)]| {
        let of = |value: fn(&(f64, f64)) -> f64| some.iter().map(value).sum::<f64>() / some.len() as f64;
        (of(|dot| dot.0), of(|dot| dot.1), None)
    };
    (!dots.is_empty())
        .then(|| PlotSeries { name: name.into(), points: dots.chunks(each).map(middle).collect() })
}

/// A plot on the paper's axis, with its title and the name of its vertical axis; `None` without lines.
pub(super) fn learning_plot(
    file: &str,
    [title, y_axis]: [&str; 2],
    series: impl IntoIterator<Item = Option<PlotSeries>>,
    bands: Vec<PlotBand>,
) -> Option<SheetBlock> {
    let (axes, series) =
        (["games of learning, in units of 10,000", y_axis], series.into_iter().flatten().collect());
    let plot = LinePlot { bands, ..LinePlot::new(title, axes, series) };
    (!plot.series.is_empty()).then(|| SheetBlock::Lines(file.into(), plot))
}
