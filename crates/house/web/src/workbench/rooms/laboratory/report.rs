//! A report of an experiment as a part of a page: expected and found, tables, plots.

use ishi_lab::report::{FigureComparison, LabReport, SheetBlock, SheetSection, SheetTable};
use ishi_sheet::SheetFact;
use maud::{Markup, html};

use super::report_words::ReportWords;
use crate::workbench::chart::{render_interval_chart, render_line_chart};
use crate::workbench::visitor::Visitor;

/// A report, in the visitor's language as far as its words are known there.
pub(super) fn render_report(visitor: &Visitor, report: &LabReport) -> Markup {
    let mut words = ReportWords::new(visitor.texts);
    let mut tell = |text: &str| words.tell(text);
    html! {
        @if report.is_quick() {
            p.note { (visitor.text("laboratory-a-quick-run-for-tests-nothing")) }
        }
        @for reason in &report.skipped { p.note { (visitor.text("laboratory-not-done")) (tell(reason)) } }
        h2 { (visitor.text("laboratory-expected-and-found")) }
        p { (tell(&report.summary())) }
        @let misses = report.describe_misses();
        @if !misses.is_empty() {
            ul { @for miss in &misses { li { (tell(miss)) } } }
        }
        (render_comparisons(visitor, report, &mut tell))
        @if let Some(other) = report.other_findings_table() {
            h3 { (visitor.text("laboratory-found-with-nothing-to-compare")) }
            (render_table(visitor.text("laboratory-other-findings"), &other.with_texts(&mut tell), None))
        }
        @for section in &report.sections { (render_section(&section.with_texts(&mut tell))) }
        h2 { (visitor.text("laboratory-where-these-figures-come-from")) }
        (render_table(visitor.text("laboratory-seed-version-machine-cost"), &report.provenance_table().with_texts(&mut tell), None))
    }
}

/// Expected figures beside those that were found. What came of each is coloured.
fn render_comparisons(visitor: &Visitor, report: &LabReport, tell: &mut dyn FnMut(&str) -> String) -> Markup {
    let table = report.comparison_table();
    let classes = report.comparisons.iter().map(FigureComparison::outcome_class).collect();
    let outcomes = table.columns().position(|(name, _)| name == "outcome").map(|column| (column, classes));
    render_table(visitor.text("laboratory-expected-and-found"), &table.with_texts(tell), outcomes.as_ref())
}

fn render_section(section: &SheetSection) -> Markup {
    html! {
        section {
            h2 { (section.heading) }
            @for block in &section.blocks {
                @match block {
                    SheetBlock::Text(text) => p { (text) },
                    SheetBlock::Facts(facts) => (render_facts(&section.heading, facts)),
                    SheetBlock::Table(content) => (render_table(&section.heading, content, None)),
                    SheetBlock::Intervals(_, plot) => figure { (render_interval_chart(plot)) },
                    SheetBlock::Lines(_, plot) => figure { (render_line_chart(plot)) },
                }
            }
        }
    }
}

/// The column of a table whose cells have classes, and the class of each row.
pub(super) type ClassedColumn = (usize, Vec<&'static str>);

/// A table in a frame that scrolls.
pub(super) fn render_table(name: &str, table: &SheetTable, classed: Option<&ClassedColumn>) -> Markup {
    let right: Vec<bool> = table.columns().map(|(_, right)| right).collect();
    let class_at = |row: usize, column: usize| {
        classed.filter(|(place, _)| *place == column).map(|(_, classes)| classes[row])
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label=(name) {
            table {
                @if table.columns().any(|(column, _)| !column.is_empty()) {
                    thead { tr { @for (column, right) in table.columns() { th scope="col" class=[right.then_some("number")] { (column) } } } }
                }
                tbody {
                    @for (number, row) in table.rows().iter().enumerate() {
                        tr {
                            @for (column, cell) in row.iter().enumerate() {
                                @let class = class_at(number, column).or(right[column].then_some("number"));
                                @if column == 0 { th scope="row" { (cell) } } @else { td class=[class] { (cell) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Names and what is known of them, in a frame that scrolls.
pub(super) fn render_facts(name: &str, facts: &[SheetFact]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(name) {
            table { tbody {
                @for fact in facts { tr { th scope="row" { (fact.name()) } td { (fact.value()) } } }
            } }
        }
    }
}

/// A README as a part of a page: headings, paragraphs, lists, tables, code. What is more is shown as it stands.
pub(super) fn render_readme(text: &str) -> Markup {
    let mut parts: Vec<Markup> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let is_code = |line: &str| line.starts_with("    ") || line.starts_with("```");
        let is_row = |line: &str| line.starts_with('|');
        let is_item = |line: &str| {
            let line = line.trim_start();
            line.starts_with("- ") || line.split_once(". ").is_some_and(|(n, _)| n.parse::<u32>().is_ok())
        };
        if line.trim().is_empty() || line.starts_with("# ") {
            continue;
        } else if let Some(heading) = line.strip_prefix("## ") {
            parts.push(html! { h3 { (heading) } });
        } else if let Some(heading) = line.strip_prefix("### ") {
            parts.push(html! { h4 { (heading) } });
        } else if is_row(line) {
            let mut rows = vec![line];
            while let Some(next) = lines.next_if(|next| is_row(next)) {
                rows.push(next);
            }
            parts.push(render_readme_table(&rows));
        } else if is_code(line) {
            let fenced = line.starts_with("```");
            let mut code = if fenced { String::new() } else { format!("{}\n", line.trim_start()) };
            while let Some(next) = lines.next_if(|next| fenced || is_code(next)) {
                if fenced && next.starts_with("```") {
                    break;
                }
                code.push_str(if fenced { next } else { next.trim_start() });
                code.push('\n');
            }
            parts.push(html! { pre tabindex="0" { (code) } });
        } else {
            let mut paragraph = line.trim_start().to_string();
            let more = |next: &&str| {
                let begins_other = next.starts_with(['#', '|']) || next.starts_with("```");
                !(next.trim().is_empty() || begins_other || is_item(next))
            };
            while let Some(next) = lines.next_if(more) {
                paragraph.push(' ');
                paragraph.push_str(next.trim());
            }
            parts.push(html! { p { (without_marks(&paragraph)) } });
        }
    }
    html! { @for part in parts { (part) } }
}

/// A table of a README, whose first row has the names of its columns.
fn render_readme_table(rows: &[&str]) -> Markup {
    let cells = |row: &str| -> Vec<String> {
        row.trim().trim_matches('|').split('|').map(|cell| without_marks(cell.trim())).collect()
    };
    let is_line = |row: &&&str| !row.contains("---");
    let mut rows = rows.iter().filter(is_line).map(|row| cells(row));
    let names = rows.next().unwrap_or_default();
    html! {
        div.scroll tabindex="0" role="region" aria-label=(names.join(" ").trim()) {
            table {
                thead { tr { @for name in &names { th scope="col" { (name) } } } }
                tbody { @for row in rows { tr { @for cell in row { td { (cell) } } } } }
            }
        }
    }
}

/// The text without the marks of Markdown. Of a link its words stay.
fn without_marks(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        plain.push_str(before);
        let words_and_target = link.split_once("](").filter(|(words, _)| !words.contains(['[', ']']));
        let found = words_and_target.and_then(|(words, target)| Some((words, target.split_once(')')?.1)));
        let (words, behind) = found.unwrap_or(("[", link));
        plain.push_str(words);
        rest = behind;
    }
    plain.push_str(rest);
    plain.replace("**", "").replace('`', "")
}

#[cfg(test)]
mod tests {
    use ishi_words::Language;

    use super::*;

    #[test]
    fn readmes_are_read() {
        let text =
            "# Title\n\n    ishi lab run 1\n\n## The claim\n\n1. **Speed.** It is\n   fast.\n- <b>item\n";
        let page = render_readme(text).into_string();
        assert_eq!(
            page,
            "<pre tabindex=\"0\">ishi lab run 1\n</pre><h3>The claim</h3><p>1. Speed. It is fast.</p><p>- &lt;b&gt;item</p>"
        );
    }

    #[test]
    fn tables_links_and_lists_of_a_readme_are_shown_as_such() {
        let text = "### Readings\n\nx in [0, 1], see [the **report**](results/report.md).\n| n | `time` |\n| ---: | --- |\n| 1 | [a](b) |\n\n- one\n  - two\n";
        let page = render_readme(text).into_string();
        assert!(page.starts_with("<h4>Readings</h4><p>x in [0, 1], see the report.</p><div"), "{page}");
        assert!(page.contains("<th scope=\"col\">time</th>"), "{page}");
        assert!(page.contains("<tbody><tr><td>1</td><td>a</td></tr></tbody>"), "{page}");
        assert!(page.ends_with("<p>- one</p><p>- two</p>"), "{page}");
    }

    #[test]
    fn only_the_judged_column_has_classes() {
        let mut content = SheetTable::new(["figure", "#found here", "outcome"]);
        content.add_row(["boards", "22", "the same"]);
        content.add_row(["strings", "18", "differs"]);
        let page = render_table("Figures", &content, Some(&(2, vec!["good", "bad"]))).into_string();
        assert!(page.contains("<td class=\"number\">22</td><td class=\"good\">the same</td>"), "{page}");
        assert!(page.contains("<td class=\"number\">18</td><td class=\"bad\">differs</td>"), "{page}");
    }

    #[test]
    fn a_section_is_told_in_the_language_of_the_page() {
        let mut table = SheetTable::new(["n", "#most states"]);
        table.add_row(["most", "22 boards"]);
        let blocks = vec![SheetBlock::Text("See the readings.".into()), SheetBlock::Table(table)];
        let section = SheetSection { heading: "Growth with n".into(), blocks };
        let shown = |language| {
            let mut words = ReportWords::new(Visitor::for_language(language).texts);
            render_section(&section.with_texts(&mut |text| words.tell(text))).into_string()
        };
        let (english, japanese) = (shown(Language::English), shown(Language::Japanese));
        assert!(english.contains("<h2>Growth with n</h2><p>See the readings.</p>"), "{english}");
        assert!(japanese.contains("<h2>nによる増え方</h2><p>「読み方」を参照。</p>"), "{japanese}");
        assert!(japanese.contains("最大の状態数") && japanese.contains("22通り"), "{japanese}");
        assert!(!japanese.contains("lang="), "{japanese}");
    }

    #[test]
    fn tables_say_what_their_cells_belong_to() {
        let mut content = SheetTable::new(["player", "#Elo"]);
        content.add_row(["a<b", "12"]);
        let page = render_table("Ratings", &content, None).into_string();
        assert!(page.contains("<th scope=\"col\" class=\"number\">Elo</th>"), "{page}");
        assert!(page.contains("<th scope=\"row\">a&lt;b</th><td class=\"number\">12</td>"), "{page}");
    }
}
