//! Reports as one page without anything to load: style and plots are inside. Light and dark, narrow and wide.

use ishi_draw::{escape_prose, page_style};
use ishi_sheet::{PLOT_STYLE, SheetBlock, html_paragraph};

use super::lab_report::LabReport;

/// Colours of these pages, beside those of all.
const LIGHT: &str = "--good: #1d6f42;\n  --bad: #a3261b; --note: #f3efe2;";
const DARK: &str = "--good: #6cc08b; --bad: #f0897d; --note: #25241f;";
const RULES: &str = "\
h1 { font-size: 1.6rem; line-height: 1.2; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
.soft { color: var(--soft); } .good { color: var(--good); } .bad { color: var(--bad); }
.note { background: var(--note); padding: .5rem .8rem; border-left: 4px solid var(--line); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; min-width: 50%; margin-bottom: 1rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } th.n, td.n { text-align: right; white-space: nowrap; }
figure { margin: 1.2rem 0; } svg.plot { width: 100%; height: auto; max-width: 48rem; display: block; }
code { font-size: .9em; }
";

/// The page.
pub(super) fn render_html(report: &LabReport) -> String {
    let mut body = vec![render_intro(report)];
    if report.is_quick() {
        body.push(render_note("A quick run, for tests: nothing follows from its figures."));
    }
    body.extend(report.skipped.iter().map(|reason| render_note(&format!("Not done: {reason}"))));
    body.push("<h2>Expected and found</h2>".into());
    body.push(html_paragraph(&report.summary()));
    let misses: String =
        report.describe_misses().iter().map(|miss| format!("<li>{}</li>", escape_prose(miss))).collect();
    body.extend((!misses.is_empty()).then(|| format!("<ul>{misses}</ul>")));
    let outcome = |row: usize| report.comparisons[row].outcome_class();
    body.push(report.comparison_table().to_html(Some(&outcome)));
    if let Some(other) = report.other_findings_table() {
        body.push(html_paragraph("Found, with nothing to compare:"));
        body.push(other.to_html(None));
    }
    for section in &report.sections {
        body.push(format!("<h2>{}</h2>", escape_prose(&section.heading)));
        body.extend(section.blocks.iter().map(SheetBlock::to_html));
    }
    body.push("<h2>Where these figures come from</h2>".into());
    body.push(report.provenance_table().to_html(None));
    render_page(&report.title, &body)
}

/// A page of parts under a title.
pub(super) fn render_page(title: &str, body: &[String]) -> String {
    let title = escape_prose(title);
    let style = page_style(LIGHT, DARK, RULES) + PLOT_STYLE;
    ishi_draw::render_page("en", &title, &style, &format!("<h1>{title}</h1>\n{}", body.join("\n")))
}

fn render_intro(report: &LabReport) -> String {
    let quick = if report.is_quick() { " --quick" } else { "" };
    let name = escape_prose(&report.experiment);
    format!(
        "<p class=\"soft\">Written by <code>ishi lab report {name}{quick} --seed {}</code></p>",
        escape_prose(&report.seed)
    )
}

fn render_note(text: &str) -> String {
    format!("<p class=\"note\">{}</p>", escape_prose(text))
}
