//! Curves of campaigns: finished tasks a minute, who worked, and what the matches have brought so far, with intervals. `ui/chart.ts` draws
//! them, and shows their values to a pointer, a finger and the keys.

use std::sync::Arc;

use ishi_lab::report::{IntervalPlot, IntervalRow, LinePlot, PlotSeries};
use ishi_lab::store::{CampaignCourse, CampaignMatch, Store, StoreError, TaskSpans, WorkerSpan};
use ishi_stats::{ConfidenceLevel, GameOutcomes, ScoreReport};
use maud::{Markup, html};

use super::kept::Reading;
use super::watch::{CampaignCurves, CurveBoard, MatchGrowth};
use crate::workbench::WorkbenchState;
use crate::workbench::chart::{render_interval_chart, render_line_chart};
use crate::workbench::rooms::damage;
use crate::workbench::rooms::laboratory::database::query_store;
use crate::workbench::texts::{args, text_id};
use crate::workbench::visitor::Visitor;

/// Points of a curve over time, at most.
const SPANS: u32 = 60;
/// Points of a curve over the pairs of a match, at most.
const PARTS: u32 = 60;
/// Campaigns on the page.
const MOST_CAMPAIGNS: usize = 8;
/// Matches of which each has a row of its own.
const MOST_ROWS: usize = 24;
/// Matches of which each has a curve of its own.
const MOST_CURVES: usize = 4;
/// From how many matches of one player against one opponent on they are points of one curve: a tuning tries values, match by match.
const LEAST_SERIES: usize = 8;
/// Points of such a curve, at most.
const MOST_POINTS: usize = 400;
/// What was read is shown for so many times as long as reading it took, however many look.
const REST: u32 = 20;

// --- what is read ---

/// The curves of all campaigns, as the database has them or had them a moment ago. Who asks may go away: what is read serves the next one.
pub(super) async fn get_curves(desk: &Arc<WorkbenchState>) -> Reading<CurveBoard> {
    let desk = Arc::clone(desk);
    let reading = tokio::spawn(async move {
        let read = query_store(&desk, |store| Ok(read_curves(store)?));
        desk.rooms.laboratory.campaigns.curves.find_or_read(|took| took * REST, read).await
    });
    reading.await.unwrap_or_else(|_| Reading::of_failure())
}

fn read_curves(store: &Store) -> Result<CurveBoard, StoreError> {
    let mut courses = store.campaign_courses()?.courses;
    // Those that go on come first.
    courses.sort_by_key(|course| course.open() == 0);
    let (mut campaigns, mut damaged) = (Vec::new(), Vec::new());
    for course in courses.iter().take(MOST_CAMPAIGNS) {
        match read_campaign(store, course) {
            Ok(curves) => campaigns.push(curves),
            // A damaged row hides the curves of no other campaign.
            Err(StoreError::DamagedRow { cause, .. }) => damaged.push(format!("{}: {cause}", course.name)),
            Err(error) => return Err(error),
        }
    }
    Ok(CurveBoard { campaigns, workers: store.worker_spans()?, damaged, count: courses.len() })
}

fn read_campaign(store: &Store, course: &CampaignCourse) -> Result<CampaignCurves, StoreError> {
    let mut matches = store.campaign_matches(&course.name, PARTS)?;
    matches.retain(|each| each.finished() > 0);
    let (spans, growth) = (store.task_spans(course, SPANS)?, describe_growth(&matches));
    Ok(CampaignCurves { name: course.name.clone(), spans, matches, growth })
}

/// The growth of matches that are no series; nothing where these are many.
fn describe_growth(matches: &[CampaignMatch]) -> Vec<MatchGrowth> {
    let (_, alone) = split_matches(matches);
    if alone.len() > MOST_CURVES {
        return Vec::new();
    }
    let growth = |each: &CampaignMatch| MatchGrowth { label: label_match(each), parts: each.parts.clone() };
    alone.into_iter().map(growth).collect()
}

fn label_match(each: &CampaignMatch) -> String {
    format!("{} – {}", each.a, each.b)
}

/// Matches of one player, whatever its parameters, against the same opponent.
struct MatchSeries<'a> {
    player: &'a str,
    opponent: &'a str,
    matches: Vec<&'a CampaignMatch>,
}

/// Series that are long enough for a curve, and all other matches.
fn split_matches(matches: &[CampaignMatch]) -> (Vec<MatchSeries<'_>>, Vec<&CampaignMatch>) {
    let mut all: Vec<MatchSeries<'_>> = Vec::new();
    for each in matches {
        let player = each.a.split(':').next().unwrap_or_default();
        match all.iter_mut().find(|series| series.player == player && series.opponent == each.b) {
            Some(series) => series.matches.push(each),
            None => all.push(MatchSeries { player, opponent: &each.b, matches: vec![each] }),
        }
    }
    let (long, short): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|series| series.matches.len() >= LEAST_SERIES);
    (long, short.into_iter().flat_map(|series| series.matches).collect())
}

// --- what is shown ---

pub(super) fn render_curves(visitor: &Visitor, board: &CurveBoard) -> Markup {
    let (shown, count) = (board.campaigns.len(), board.count);
    html! {
        @for curves in &board.campaigns { (render_campaign(visitor, curves, &board.workers)) }
        (damage::render_damaged_rows(visitor, &board.damaged))
        @if count > shown {
            p.quiet { (visitor.text_with("laboratory-curves-are-shown-of-campaigns", args![shown, count])) }
        }
    }
}

fn render_campaign(visitor: &Visitor, curves: &CampaignCurves, workers: &[WorkerSpan]) -> Markup {
    let name = &curves.name;
    let title = visitor.text_with("laboratory-curves-of", args![name]);
    html! {
        section aria-label=(title) {
            h2 { (title) }
            @if let Some(spans) = &curves.spans {
                figure { (render_line_chart(&rate_plot(visitor, name, spans))) }
                @if let Some(plot) = worker_plot(visitor, name, spans, workers) {
                    figure { (render_line_chart(&plot)) }
                } @else {
                    p.quiet { (visitor.text("laboratory-no-worker-was-noted-in-this")) }
                }
            } @else {
                p.quiet { (visitor.text("laboratory-no-task-is-finished-yet-the")) }
            }
            (render_results(visitor, curves))
        }
    }
}

/// What the matches have brought so far.
fn render_results(visitor: &Visitor, curves: &CampaignCurves) -> Markup {
    let (series, alone) = split_matches(&curves.matches);
    let rows = &alone[alone.len().saturating_sub(MOST_ROWS)..];
    let (shown, count) = (rows.len(), alone.len());
    html! {
        @if !curves.growth.is_empty() { figure { (render_line_chart(&growth_plot(visitor, curves))) } }
        @if !rows.is_empty() { figure { (render_interval_chart(&result_plot(visitor, &curves.name, rows))) } }
        @if count > shown {
            p.quiet { (visitor.text_with("laboratory-the-matches-that-began-last", args![shown, count])) }
        }
        @for each in &series { figure { (render_line_chart(&series_plot(visitor, &curves.name, each))) } }
    }
}

/// The unit of the axis of time in seconds, and the axis's name.
fn time_axis(spans: &TaskSpans) -> (f64, &'static str) {
    const SECONDS: &str = text_id("laboratory-seconds-since-the-first-result");
    const MINUTES: &str = text_id("laboratory-minutes-since-the-first-result");
    const HOURS: &str = text_id("laboratory-hours-since-the-first-result");
    const DAYS: &str = text_id("laboratory-days-since-the-first-result");
    match spans.end.saturating_sub(spans.first) {
        seconds if seconds < 300 => (1.0, SECONDS),
        seconds if seconds < 3 * 3600 => (60.0, MINUTES),
        seconds if seconds < 3 * 86_400 => (3600.0, HOURS),
        _ => (86_400.0, DAYS),
    }
}

/// The middles of spans, in the unit of the axis.
fn span_middles(bounds: &[[i64; 2]], unit: f64) -> impl Iterator<Item = f64> {
    bounds.iter().map(move |[begin, end]| (begin + end) as f64 / 2.0 / unit)
}

fn rate_plot(visitor: &Visitor, name: &str, spans: &TaskSpans) -> LinePlot {
    let (unit, axis) = time_axis(spans);
    let bounds = spans.bounds();
    let points = span_middles(&bounds, unit).zip(spans.tasks_per_minute()).map(|(x, rate)| (x, rate, None));
    let y_axis = visitor.text("laboratory-tasks-a-minute").to_string();
    LinePlot {
        title: visitor.text_with("laboratory-finished-tasks-a-minute", args![name]),
        x_axis: visitor.text(axis).to_string(),
        series: vec![PlotSeries { name: y_axis.clone(), points: points.collect() }],
        y_axis,
        ..LinePlot::default()
    }
}

/// How many workers there were, and how many tasks they did at once, on the average of each span; nothing if nobody was there.
fn worker_plot(visitor: &Visitor, name: &str, spans: &TaskSpans, workers: &[WorkerSpan]) -> Option<LinePlot> {
    let (unit, axis) = time_axis(spans);
    let bounds = spans.bounds();
    let mean = |[begin, end]: [i64; 2], weight: fn(&WorkerSpan) -> f64| {
        let (from, until) = (spans.first + begin, spans.first + end);
        let there = workers.iter().map(|worker| worker.seconds_within(from, until) as f64 * weight(worker));
        there.sum::<f64>() / (end - begin).max(1) as f64
    };
    let line = |name: &str, weight: fn(&WorkerSpan) -> f64| {
        let points = span_middles(&bounds, unit).zip(&bounds).map(|(x, &span)| (x, mean(span, weight), None));
        PlotSeries { name: name.to_string(), points: points.collect() }
    };
    let series = vec![
        line(visitor.text("laboratory-workers"), |_| 1.0),
        line(visitor.text("laboratory-tasks-at-once"), |worker| worker.threads as f64),
    ];
    series[0].points.iter().any(|point| point.1 > 0.0).then(|| LinePlot {
        title: visitor.text_with("laboratory-workers-of-the-database", args![name]),
        x_axis: visitor.text(axis).to_string(),
        y_axis: visitor.text("laboratory-workers-in-curves").to_string(),
        series,
        ..LinePlot::default()
    })
}

fn report_score(pairs: [u64; 5]) -> Option<ScoreReport> {
    GameOutcomes::from_pairs(pairs).score_report(ConfidenceLevel::default()).ok()
}

/// The score of these pairs with its interval, above a place of the axis; nothing without a pair.
fn score_point(place: f64, pairs: [u64; 5]) -> Option<(f64, f64, Option<[f64; 2]>)> {
    let report = report_score(pairs)?;
    Some((place, report.score, Some([report.interval.low, report.interval.high])))
}

/// The scores of matches over their pairs.
fn growth_plot(visitor: &Visitor, curves: &CampaignCurves) -> LinePlot {
    let name = &curves.name;
    LinePlot {
        title: visitor.text_with("laboratory-score-over-the-pairs", args![name]),
        x_axis: visitor.text("laboratory-pairs").to_string(),
        y_axis: visitor.text("laboratory-score").to_string(),
        series: curves.growth.iter().map(growth_line).collect(),
        ..LinePlot::default()
    }
}

fn growth_line(growth: &MatchGrowth) -> PlotSeries {
    let mut sum = [0_u64; 5];
    let points = growth.parts.iter().filter_map(|part| {
        sum.iter_mut().zip(part).for_each(|(all, count)| *all += count);
        score_point(sum.iter().sum::<u64>() as f64, sum)
    });
    PlotSeries { name: growth.label.clone(), points: points.collect() }
}

/// The results of matches, a row each.
fn result_plot(visitor: &Visitor, name: &str, matches: &[&CampaignMatch]) -> IntervalPlot {
    let row = |each: &&CampaignMatch| {
        let report = report_score(each.pairs)?;
        let interval = Some([report.interval.low, report.interval.high]);
        Some(IntervalRow { label: label_match(each), value: report.score, interval, marks: vec![0.5] })
    };
    IntervalPlot {
        title: visitor.text_with("laboratory-score-in-each-match", args![name]),
        axis: visitor.text("laboratory-score").to_string(),
        logarithmic: false,
        rows: matches.iter().filter_map(row).collect(),
    }
}

/// The results of a series, a point each.
fn series_plot(visitor: &Visitor, name: &str, series: &MatchSeries<'_>) -> LinePlot {
    let MatchSeries { player, opponent, matches } = series;
    let first = matches.len().saturating_sub(MOST_POINTS);
    let points = matches.iter().enumerate().skip(first);
    let points = points.filter_map(|(index, each)| score_point((index + 1) as f64, each.pairs));
    LinePlot {
        title: visitor.text_with("laboratory-score-match-by-match", args![name, player, opponent]),
        x_axis: visitor.text("laboratory-match").to_string(),
        y_axis: visitor.text("laboratory-score").to_string(),
        series: vec![PlotSeries { name: player.to_string(), points: points.collect() }],
        ..LinePlot::default()
    }
}

#[cfg(test)]
mod tests {
    use ishi_words::Language;

    use super::*;

    fn played(a: &str, b: &str, pairs: [u64; 5]) -> CampaignMatch {
        CampaignMatch {
            run: format!("{a}/{b}"),
            a: a.to_string(),
            b: b.to_string(),
            pairs,
            parts: vec![pairs],
        }
    }

    fn curves(matches: Vec<CampaignMatch>) -> CampaignCurves {
        let spans = TaskSpans { first: 1000, end: 1120, seconds: 60, finished: vec![30, 60] };
        let parts = vec![[0, 0, 1, 0, 0], [0, 0, 1, 0, 2]];
        let growth =
            matches.iter().take(1).map(|each| MatchGrowth { label: label_match(each), parts: parts.clone() });
        CampaignCurves { name: "ladder".into(), spans: Some(spans), growth: growth.collect(), matches }
    }

    #[test]
    fn a_campaign_has_curves_of_pace_workers_and_results() {
        let workers = vec![WorkerSpan { from: 1030, until: 2000, threads: 4 }];
        let campaigns = vec![curves(vec![played("strong", "weak", [0, 0, 2, 0, 2])])];
        let board = CurveBoard { campaigns, workers, damaged: vec!["other: odd".into()], count: 9 };
        let page = render_curves(&Visitor::for_language(Language::English), &board).into_string();
        assert_eq!(page.matches("<value-chart").count(), 4, "{page}");
        for words in
            ["ladder: finished tasks a minute", "strong – weak", "1 of 9 campaigns", "<li>other: odd</li>"]
        {
            assert!(page.contains(words), "{words}: {page}");
        }
        let japanese = render_curves(&Visitor::for_language(Language::Japanese), &board).into_string();
        assert!(!japanese.contains("minute") && !japanese.contains("workers of"), "{japanese}");
    }

    #[test]
    fn the_pace_is_told_in_minutes_and_workers_on_the_average() {
        let english = Visitor::for_language(Language::English);
        let campaign = curves(Vec::new());
        let spans = campaign.spans.unwrap();
        let plot = rate_plot(&english, "c", &spans);
        assert_eq!(plot.series[0].points, [(30.0, 30.0, None), (90.0, 60.0, None)]);
        let workers = [WorkerSpan { from: 1030, until: 2000, threads: 4 }];
        let plot = worker_plot(&english, "c", &spans, &workers).unwrap();
        assert_eq!(plot.series[0].points, [(30.0, 0.5, None), (90.0, 1.0, None)]);
        assert_eq!(plot.series[1].points, [(30.0, 2.0, None), (90.0, 4.0, None)]);
        assert_eq!(worker_plot(&english, "c", &spans, &[]), None);
        let axis = |end| rate_plot(&english, "c", &TaskSpans { end, ..spans.clone() }).x_axis;
        let axes = [1299, 1300, 12_000, 900_000].map(axis);
        let units = ["seconds", "minutes", "hours", "days"];
        assert!(axes.iter().zip(units).all(|(axis, unit)| axis.starts_with(unit)), "{axes:?}");
    }

    #[test]
    fn a_campaign_without_results_says_so() {
        let english = Visitor::for_language(Language::English);
        let empty = CampaignCurves { spans: None, growth: Vec::new(), ..curves(Vec::new()) };
        let page = render_campaign(&english, &empty, &[]).into_string();
        assert!(page.contains("No task is finished yet") && !page.contains("<value-chart"), "{page}");
    }

    #[test]
    fn a_score_grows_with_its_pairs() {
        let campaign = curves(vec![played("strong", "weak", [0, 0, 2, 0, 2])]);
        let line = growth_line(&campaign.growth[0]);
        let places: Vec<(f64, f64)> = line.points.iter().map(|&(x, score, _)| (x, score)).collect();
        assert_eq!(places, [(1.0, 0.5), (4.0, 0.75)]);
        let [low, high] = line.points[1].2.unwrap();
        assert!(low < 0.75 && 0.75 < high, "{low} to {high}");
    }

    /// A tuning plays one player with many values: they are one curve, and no rows.
    #[test]
    fn matches_of_a_tuning_are_one_curve() {
        let value =
            |n: usize| played(&format!("othello-wpc:epsilon=0.{n}"), "othello-greedy", [0, 1, 1, 1, 0]);
        let mut matches: Vec<CampaignMatch> = (0..LEAST_SERIES).map(value).collect();
        matches.push(played("go-mcts", "go-random", [0, 0, 0, 0, 3]));
        let (series, alone) = split_matches(&matches);
        assert_eq!((series.len(), alone.len(), alone[0].a.as_str()), (1, 1, "go-mcts"));
        let plot = series_plot(&Visitor::for_language(Language::English), "tune", &series[0]);
        assert!(plot.title.contains("othello-wpc against othello-greedy"), "{}", plot.title);
        assert_eq!((plot.series[0].points.len(), plot.series[0].points[7].0), (LEAST_SERIES, 8.0));
        assert_eq!(split_matches(&matches[1..]).0.len(), 0, "seven matches have rows");
    }
}
