//! Reports as Markdown.

use super::{LabReport, ReportBlock, ReportTable};

/// The report's text; plots are linked by their file names.
pub(super) fn render_markdown(report: &LabReport) -> String {
    let mut parts = vec![format!("# {}", escape_markdown(&report.title)), render_intro(report)];
    if report.is_quick() {
        parts.push("**A quick run, for tests: nothing follows from its figures.**".into());
    }
    parts.extend(report.skipped.iter().map(|reason| format!("**Not done:** {}", escape_markdown(reason))));
    parts.push("## Expected and found".into());
    parts.push(escape_markdown(&report.summary()));
    let misses: Vec<String> =
        report.describe_misses().iter().map(|miss| format!("- {}", escape_markdown(miss))).collect();
    parts.extend((!misses.is_empty()).then(|| misses.join("\n")));
    parts.push(render_table(&report.comparison_table()));
    if let Some(other) = report.other_findings_table() {
        parts.push("Found, with nothing to compare:".into());
        parts.push(render_table(&other));
    }
    for section in &report.sections {
        parts.push(format!("## {}", escape_markdown(&section.heading)));
        parts.extend(section.blocks.iter().map(render_block));
    }
    parts.push("## Where these figures come from".into());
    parts.push(render_table(&report.provenance_table()));
    parts.join("\n\n") + "\n"
}

fn render_intro(report: &LabReport) -> String {
    let name = &report.experiment;
    let quick = if report.is_quick() { " --quick" } else { "" };
    format!("Written by `ishi lab report {name}{quick} --seed {}`; do not edit.", report.seed)
}

fn render_block(block: &ReportBlock) -> String {
    match block {
        ReportBlock::Text(text) => escape_markdown(text),
        ReportBlock::Table(content) => render_table(content),
        ReportBlock::Intervals(name, _) | ReportBlock::Lines(name, _) => {
            format!("![{}]({name}.svg)", escape_markdown(block.plot_title()))
        }
    }
}

pub(super) fn render_table(table: &ReportTable) -> String {
    let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
    let escaped =
        |cells: &Vec<String>| line(&cells.iter().map(|cell| escape_markdown(cell)).collect::<Vec<_>>());
    let rule = |right: &bool| if *right { "---:".to_string() } else { "---".to_string() };
    let mut lines = vec![escaped(&table.columns), line(&table.right.iter().map(rule).collect::<Vec<_>>())];
    lines.extend(table.rows.iter().map(escaped));
    lines.join("\n")
}

/// Plain text, with what Markdown would take for marks escaped.
pub(super) fn escape_markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\`*_[]<>|".contains(c) {
            escaped.push('\\');
        }
        escaped.push(if c == '\n' { ' ' } else { c });
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_aligned_and_escaped() {
        let mut content = ReportTable::new(["a|b", "#n"]);
        content.add_row(["x_y", "1"]);
        content.add_row(["only one"]);
        assert_eq!(render_table(&content), "| a\\|b | n |\n| --- | ---: |\n| x\\_y | 1 |\n| only one |  |");
    }
}
