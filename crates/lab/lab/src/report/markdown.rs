//! Reports as Markdown.

use ishi_sheet::{SheetBlock, escape_markdown};

use super::lab_report::LabReport;

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
    parts.push(report.comparison_table().to_markdown());
    if let Some(other) = report.other_findings_table() {
        parts.push("Found, with nothing to compare:".into());
        parts.push(other.to_markdown());
    }
    for section in &report.sections {
        parts.push(format!("## {}", escape_markdown(&section.heading)));
        parts.extend(section.blocks.iter().map(SheetBlock::to_markdown));
    }
    parts.push("## Where these figures come from".into());
    parts.push(report.provenance_table().to_markdown());
    parts.join("\n\n") + "\n"
}

fn render_intro(report: &LabReport) -> String {
    format!("Written by `{}`; do not edit.", report.writing_command())
}
