//! Charts of the pages. What the server draws as SVG is for those who have no script, and for screen readers. Beside it stand the values as JSON, which
//! `ui/chart.ts` draws so that they can be looked up. The colours of both are those of `assets/charts.css`.

use ishi_sheet::{IntervalPlot, IntervalRow, LinePlot, PlotBand, PlotSeries};
use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};

/// A chart with its picture. The values are a `ChartJson` of `ui/server.ts`.
pub(crate) fn render_chart(values: &Value, picture: &Markup) -> Markup {
    html! { value-chart data-chart=(values.to_string()) { (picture) } }
}

/// The chart of a game, which leads to its moves; `at` is the number of the move that is shown, if there is one.
pub(crate) fn render_game_chart(values: &Value, at: Option<usize>, picture: &Markup) -> Markup {
    html! { value-chart data-goes data-at=[at] data-chart=(values.to_string()) { (picture) } }
}

pub(crate) fn render_line_chart(plot: &LinePlot) -> Markup {
    render_chart(&describe_lines(plot), &html! { (PreEscaped(plot.svg_element())) })
}

pub(crate) fn render_interval_chart(plot: &IntervalPlot) -> Markup {
    render_chart(&describe_intervals(plot), &html! { (PreEscaped(plot.svg_element())) })
}

fn describe_lines(plot: &LinePlot) -> Value {
    let is_shown = |x: f64| x.is_finite() && (x > 0.0 || !plot.logarithmic_x);
    let series: Vec<Value> =
        plot.series.iter().enumerate().map(|(n, series)| describe_series(n, series, is_shown)).collect();
    json!({
        "title": plot.title,
        "x": plot.x_axis,
        "y": plot.y_axis,
        "isLogarithmic": plot.logarithmic_x,
        "series": series,
        "bands": plot.bands.iter().map(describe_band).collect::<Vec<Value>>(),
    })
}

/// Lines have the colours that their pictures have.
fn describe_series(number: usize, series: &PlotSeries, is_shown: impl Fn(f64) -> bool) -> Value {
    let points = series.points.iter().filter(|(x, ..)| is_shown(*x));
    let point = |&(x, y, interval): &(f64, f64, Option<[f64; 2]>)| match interval {
        None => json!([short_number(x), short_number(y)]),
        Some([low, high]) => json!([short_number(x), short_number(y), short_number(low), short_number(high)]),
    };
    json!({ "name": series.name, "color": number % 4 + 1, "points": points.map(point).collect::<Vec<Value>>() })
}

fn describe_band(band: &PlotBand) -> Value {
    json!({ "name": band.name, "low": short_number(band.low), "high": short_number(band.high) })
}

fn describe_intervals(plot: &IntervalPlot) -> Value {
    // A logarithmic axis has no place for 0 and less: that is beyond the edge, too.
    let number = |value: f64| short_number(value).filter(|&short| short > 0.0 || !plot.logarithmic);
    let row = |row: &IntervalRow| {
        json!({
            "name": row.label,
            "value": number(row.value),
            "interval": row.interval.map(|ends| ends.map(number)),
            "marks": row.marks.iter().copied().filter_map(number).collect::<Vec<f64>>(),
        })
    };
    json!({
        "title": plot.title,
        "x": plot.axis,
        "y": "",
        "isLogarithmic": plot.logarithmic,
        "series": [],
        "bands": [],
        "rows": plot.rows.iter().map(row).collect::<Vec<Value>>(),
    })
}

/// Seven digits are more than anybody sees. Nothing is drawn of a number that is not finite.
fn short_number(value: f64) -> Option<f64> {
    format!("{value:.6e}").parse().ok().filter(|short: &f64| short.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of a page's first chart.
    fn values_in(page: &str) -> Value {
        let (_, rest) = page.split_once("data-chart=\"").unwrap();
        let text = rest.split('"').next().unwrap();
        let plain =
            text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        serde_json::from_str(&plain).unwrap()
    }

    #[test]
    fn a_chart_has_its_picture_and_its_values() {
        let points =
            vec![(1.0, 1.0 / 3.0, Some([0.25, f64::INFINITY])), (2.0, f64::NAN, None), (f64::NAN, 1.0, None)];
        let series = PlotSeries { name: "<a>\"".to_string(), points };
        let band = PlotBand { name: "told".to_string(), low: 0.5, high: 0.5 };
        let plot =
            LinePlot { title: "t".into(), series: vec![series], bands: vec![band], ..LinePlot::default() };
        let page = render_line_chart(&plot).into_string();
        assert!(page.starts_with("<value-chart") && page.contains("<svg class=\"plot\""), "{page}");
        assert!(!page.contains("<a>"), "{page}");
        let known = values_in(&page);
        let points = json!([[1.0, 0.3333333, 0.25, null], [2.0, null]]);
        assert_eq!(known["series"], json!([{ "name": "<a>\"", "color": 1, "points": points }]));
        assert_eq!(known["bands"][0], json!({ "name": "told", "low": 0.5, "high": 0.5 }));
    }

    #[test]
    fn rows_have_their_intervals_and_marks() {
        let row =
            |interval| IntervalRow { label: "r".into(), value: 2.5, interval, marks: vec![1.0, f64::NAN] };
        let rows = vec![row(Some([2.0, 3.0])), row(None)];
        let plot = IntervalPlot { title: "t".into(), axis: "Elo".into(), logarithmic: false, rows };
        let known = values_in(&render_interval_chart(&plot).into_string());
        assert_eq!(known["x"], json!("Elo"));
        assert_eq!(
            known["rows"][0],
            json!({ "name": "r", "value": 2.5, "interval": [2.0, 3.0], "marks": [1.0] })
        );
        assert_eq!(known["rows"][1]["interval"], Value::Null);
    }

    /// The script would look for round numbers without end.
    #[test]
    fn a_logarithmic_axis_has_no_place_for_zero() {
        let row =
            IntervalRow { label: "r".into(), value: 2.0, interval: Some([0.0, 3.0]), marks: vec![-1.0, 1.0] };
        let plot = IntervalPlot { title: "t".into(), axis: "x".into(), logarithmic: true, rows: vec![row] };
        let known = values_in(&render_interval_chart(&plot).into_string());
        let row = json!({ "name": "r", "value": 2.0, "interval": [null, 3.0], "marks": [1.0] });
        assert_eq!(known["rows"][0], row);
        let series = PlotSeries { name: "s".into(), points: vec![(0.0, 1.0, None), (1.0, 2.0, None)] };
        let plot = LinePlot { logarithmic_x: true, series: vec![series], ..LinePlot::default() };
        let known = values_in(&render_line_chart(&plot).into_string());
        assert_eq!(known["series"][0]["points"], json!([[1.0, 2.0]]));
    }

    #[test]
    fn pages_have_the_colours_of_files() {
        let colors = |style: &str, name: String| -> Vec<String> {
            let name = format!("{name}: ");
            let values = style.split(&name).skip(1);
            values.map(|rest| rest.split(';').next().unwrap().to_string()).collect()
        };
        for number in 1..=4 {
            let file = colors(ishi_sheet::PLOT_STYLE, format!("--p-{number}"));
            let page = colors(include_str!("assets/charts.css"), format!("--chart-{number}"));
            // Light, and dark by the system's wish or by the visitor's own.
            let [light, dark] = <[String; 2]>::try_from(file).unwrap();
            assert_eq!(page, [light, dark.clone(), dark]);
        }
    }

    #[test]
    fn the_chart_of_a_game_says_where_it_is() {
        let page = render_game_chart(&json!({}), Some(3), &html! { b { "x" } }).into_string();
        assert_eq!(page, "<value-chart data-goes data-at=\"3\" data-chart=\"{}\"><b>x</b></value-chart>");
        assert!(!render_game_chart(&json!({}), None, &html! {}).into_string().contains("data-at"));
    }
}
