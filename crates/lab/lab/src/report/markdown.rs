//! Reports as Markdown.

use super::{Block, Report, Table};

/// The report's text; plots are linked by their file names.
pub(super) fn markdown(report: &Report) -> String {
    let mut parts = vec![format!("# {}", escape(&report.title)), intro(report)];
    if report.is_quick() {
        parts.push("**A quick run, for tests: nothing follows from its figures.**".into());
    }
    parts.extend(report.skipped.iter().map(|reason| format!("**Not done:** {}", escape(reason))));
    parts.push("## Expected and found".into());
    parts.push(escape(&report.summary()));
    let misses: Vec<String> = report.misses().iter().map(|miss| format!("- {}", escape(miss))).collect();
    parts.extend((!misses.is_empty()).then(|| misses.join("\n")));
    parts.push(table(&report.comparison_table()));
    if let Some(other) = report.other_table() {
        parts.push("Found, with nothing to compare:".into());
        parts.push(table(&other));
    }
    for section in &report.sections {
        parts.push(format!("## {}", escape(&section.heading)));
        parts.extend(section.blocks.iter().map(block));
    }
    parts.push("## Where these figures come from".into());
    parts.push(table(&report.provenance_table()));
    parts.join("\n\n") + "\n"
}

fn intro(report: &Report) -> String {
    let name = &report.experiment;
    let quick = if report.is_quick() { " --quick" } else { "" };
    format!("Written by `ishi lab report {name}{quick} --seed {}`; do not edit.", report.seed)
}

fn block(block: &Block) -> String {
    match block {
        Block::Text(text) => escape(text),
        Block::Table(content) => table(content),
        Block::Intervals(name, _) | Block::Lines(name, _) => {
            format!("![{}]({name}.svg)", escape(block.title()))
        }
    }
}

pub(super) fn table(table: &Table) -> String {
    let line = |cells: &[String]| format!("| {} |", cells.join(" | "));
    let escaped = |cells: &Vec<String>| line(&cells.iter().map(|cell| escape(cell)).collect::<Vec<_>>());
    let rule = |right: &bool| if *right { "---:".to_string() } else { "---".to_string() };
    let mut lines = vec![escaped(&table.columns), line(&table.right.iter().map(rule).collect::<Vec<_>>())];
    lines.extend(table.rows.iter().map(escaped));
    lines.join("\n")
}

/// Plain text, with what Markdown would take for marks escaped.
pub(super) fn escape(text: &str) -> String {
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
        let mut content = Table::new(["a|b", "#n"]);
        content.row(["x_y", "1"]);
        content.row(["only one"]);
        assert_eq!(table(&content), "| a\\|b | n |\n| --- | ---: |\n| x\\_y | 1 |\n| only one |  |");
    }
}
