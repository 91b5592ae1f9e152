//! Reports as one page without anything to load: style and plots are inside. Light and dark, narrow and wide.

use ishi_draw::{escape_prose, page_style};

use super::svg::STYLE as PLOT_STYLE;
use super::{LabReport, ReportBlock, ReportTable};

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
    body.push(render_paragraph(&report.summary()));
    let misses: String =
        report.describe_misses().iter().map(|miss| format!("<li>{}</li>", escape_prose(miss))).collect();
    body.extend((!misses.is_empty()).then(|| format!("<ul>{misses}</ul>")));
    body.push(render_table(&report.comparison_table(), Some(&|row| report.comparisons[row].outcome_class())));
    if let Some(other) = report.other_findings_table() {
        body.push(render_paragraph("Found, with nothing to compare:"));
        body.push(render_table(&other, None));
    }
    for section in &report.sections {
        body.push(format!("<h2>{}</h2>", escape_prose(&section.heading)));
        body.extend(section.blocks.iter().map(render_block));
    }
    body.push("<h2>Where these figures come from</h2>".into());
    body.push(render_table(&report.provenance_table(), None));
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

pub(super) fn render_paragraph(text: &str) -> String {
    format!("<p>{}</p>", escape_prose(text))
}

fn render_note(text: &str) -> String {
    format!("<p class=\"note\">{}</p>", escape_prose(text))
}

fn render_block(block: &ReportBlock) -> String {
    match block {
        ReportBlock::Text(text) => render_paragraph(text),
        ReportBlock::Table(content) => render_table(content, None),
        ReportBlock::Intervals(_, plot) => format!("<figure>{}</figure>", plot.svg_element()),
        ReportBlock::Lines(_, plot) => format!("<figure>{}</figure>", plot.svg_element()),
    }
}

/// A table; `class` gives a row's class, which colours its outcome.
pub(super) fn render_table(table: &ReportTable, class: Option<&dyn Fn(usize) -> &'static str>) -> String {
    let cells = |tag: &str, row: &[String], outcome: &str| {
        let cell = |(column, text): (usize, &String)| {
            let judged = !outcome.is_empty() && table.columns[column] == "outcome";
            let class = match (table.right[column], judged) {
                (true, _) => " class=\"n\"".to_string(),
                (false, true) => format!(" class=\"{outcome}\""),
                (false, false) => String::new(),
            };
            format!("<{tag}{class}>{}</{tag}>", escape_prose(text))
        };
        format!("<tr>{}</tr>", row.iter().enumerate().map(cell).collect::<String>())
    };
    let has_head = table.columns.iter().any(|column| !column.is_empty());
    let head =
        if has_head { format!("<thead>{}</thead>", cells("th", &table.columns, "")) } else { String::new() };
    let row =
        |(number, row): (usize, &Vec<String>)| cells("td", row, class.map_or("", |class| class(number)));
    let rows: String = table.rows.iter().enumerate().map(row).collect();
    format!("<div class=\"wide\"><table>{head}<tbody>{rows}</tbody></table></div>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_numbers_stand_to_the_right() {
        let mut content = ReportTable::new(["a", "#n"]);
        content.add_row(["<script>", "1"]);
        let text = render_table(&content, None);
        assert!(text.contains("<td>&lt;script&gt;</td><td class=\"n\">1</td>"), "{text}");
    }
}
