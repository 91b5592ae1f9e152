//! One page over all documents that are rerun here: their figures, ours, and what came of it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ishi_rng::Seed;
use serde::Serialize;

use super::files::write_files;
use super::{Comparison, Report, Table, html, markdown};
use crate::error::LabError;
use crate::expected::{Figure, Paper};
use crate::experiment::Variant;
use crate::folder::{self, Loaded};

/// The title of the page.
const TITLE: &str = "Documents rerun: their figures and ours";

/// All documents, by number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Papers {
    /// Each with its comparisons.
    pub documents: Vec<Document>,
}

/// A document and the kept report of its experiment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Document {
    /// Authors, title, year and venue.
    pub paper: Paper,
    /// The experiment's folder, such as `000-othello-learning`.
    pub experiment: String,
    /// The seed of the kept results; empty if nothing is kept.
    pub seed: String,
    /// What the kept results cost, in CPU hours.
    pub cpu_hours: f64,
    /// Tasks of the experiment that are not finished.
    pub missing: usize,
    /// Why the kept results cannot be used, if they cannot.
    pub problem: Option<String>,
    /// The figures that have a place in the document.
    pub comparisons: Vec<Comparison>,
}

impl Papers {
    /// Reads all experiments of a folder, and the reports that are kept with them.
    ///
    /// # Errors
    /// If a configuration or a list of figures cannot be read or is wrong; the error says which and where.
    pub fn read(experiments: &Path, seed: Seed) -> Result<Papers, LabError> {
        let mut documents = Vec::new();
        for folder in folder::all(experiments)? {
            let loaded = folder.load(Variant::Full, seed)?;
            if let Some(paper) = &loaded.expected.paper {
                documents.push(Document::read(paper, &loaded));
            }
        }
        documents.sort_by(|a, b| a.paper.document.cmp(&b.paper.document));
        Ok(Papers { documents })
    }

    /// The page as Markdown. Links lead from the folder of the experiments.
    pub fn markdown(&self) -> String {
        let mut parts = vec![format!("# {TITLE}"), "Written by `ishi lab papers`; do not edit.".to_string()];
        parts.push(markdown::table(&self.overview()));
        for document in &self.documents {
            parts.push(format!("## {}", markdown::escape(&document.heading())));
            parts.push(markdown::escape(&document.paper.printed()));
            let links = document.links().map(|(name, to)| format!("[{name}]({to})"));
            parts.push(format!("{} {}", links.join(" · "), markdown::escape(&document.provenance())));
            parts.push(markdown::table(&document.table()));
        }
        parts.join("\n\n") + "\n"
    }

    /// The page as HTML, with nothing to load.
    pub fn html(&self) -> String {
        let mut body = vec!["<p class=\"soft\">Written by <code>ishi lab papers</code></p>".to_string()];
        body.push(html::table(&self.overview(), None));
        for document in &self.documents {
            body.push(format!("<h2>{}</h2>", super::svg::escape(&document.heading())));
            body.push(html::paragraph(&document.paper.printed()));
            let links = document.links().map(|(name, to)| format!("<a href=\"{to}\">{name}</a>"));
            let provenance = super::svg::escape(&document.provenance());
            body.push(format!("<p>{} {provenance}</p>", links.join(" · ")));
            body.push(html::table(&document.table(), Some(&|row| document.comparisons[row].class())));
        }
        html::page(TITLE, &body)
    }

    /// Writes papers.md and papers.html into the folder, and gives their paths.
    ///
    /// # Errors
    /// If the folder cannot be made or a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>, LabError> {
        write_files(
            folder,
            [("papers.md".to_string(), self.markdown()), ("papers.html".to_string(), self.html())],
        )
    }

    /// The page for a terminal: a line for each figure.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for document in &self.documents {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{}", document.heading());
            for about in [document.paper.printed(), document.provenance(), document.summary()] {
                let _ = writeln!(text, "    {about}");
            }
            for comparison in &document.comparisons {
                let _ = writeln!(text, "  {}", line(comparison));
            }
            text.push('\n');
        }
        text
    }

    /// How many figures of each document came out how.
    fn overview(&self) -> Table {
        let mut table = Table::new([
            "document",
            "#figures",
            "#reproduced",
            "#not reproduced",
            "#open",
            "#not comparable",
        ]);
        for document in &self.documents {
            let [good, bad, open, beside] = document.counts().map(|count| count.to_string());
            table.row([document.heading(), document.comparisons.len().to_string(), good, bad, open, beside]);
        }
        table
    }
}

impl Document {
    /// A document whose kept results do not fit their experiment any more stands there without figures of ours.
    fn read(paper: &Paper, loaded: &Loaded) -> Document {
        let (report, problem) = match super::read(loaded) {
            Ok(report) => (report, None),
            Err(error) => (None, Some(error.to_string())),
        };
        let comparisons = match &report {
            Some(report) => report.comparisons.clone(),
            None => loaded.expected.figures.iter().map(|figure| Comparison::of(figure, &[])).collect(),
        };
        let of_document = |comparison: &Comparison| !comparison.figure.place.is_empty();
        Document {
            paper: paper.clone(),
            experiment: loaded.folder.name.clone(),
            seed: report.as_ref().map_or(String::new(), |report| report.seed.clone()),
            cpu_hours: report.as_ref().map_or(0.0, |report| report.cost.cpu_seconds / 3600.0),
            missing: report.as_ref().map_or(loaded.tasks().len(), |report: &Report| report.missing),
            comparisons: comparisons.into_iter().filter(of_document).collect(),
            problem,
        }
    }

    /// Number and title.
    fn heading(&self) -> String {
        format!("{} {}", self.paper.document, self.paper.title)
    }

    /// Reproduced, not reproduced, open or not measured, not comparable.
    fn counts(&self) -> [usize; 4] {
        use crate::expected::Verdict::{Beside, Times};
        let mut counts = [0; 4];
        for comparison in &self.comparisons {
            let class = match (comparison.verdict.good(), comparison.verdict) {
                (Some(true), _) => 0,
                (Some(false), _) => 1,
                (None, Times { .. } | Beside) => 3,
                (None, _) => 2,
            };
            counts[class] += 1;
        }
        counts
    }

    fn summary(&self) -> String {
        let [good, bad, open, beside] = self.counts();
        let all = self.comparisons.len();
        format!(
            "{all} figures: {good} reproduced, {bad} not reproduced, {open} open, {beside} not comparable"
        )
    }

    fn provenance(&self) -> String {
        if let Some(problem) = &self.problem {
            return format!("The kept results cannot be used: {problem}.");
        }
        match (self.seed.as_str(), self.missing) {
            ("", _) => "Nothing has been run yet.".to_string(),
            (seed, 0) => format!("Seed {seed}, {:.2} CPU hours.", self.cpu_hours),
            (seed, missing) => {
                format!("Seed {seed}, {:.2} CPU hours, {missing} tasks are not finished.", self.cpu_hours)
            }
        }
    }

    /// Names and targets, from the folder of the experiments.
    fn links(&self) -> [(&'static str, String); 3] {
        let experiment = &self.experiment;
        [
            ("What it says and what ishi does", format!("../{}", self.paper.docs)),
            ("the experiment", format!("{experiment}/README.md")),
            ("its report", format!("{experiment}/results/report.md")),
        ]
    }

    fn table(&self) -> Table {
        let columns = ["where", "figure", "#document", "#ours", "#interval", "outcome", "why"];
        let mut table = Table::new(columns);
        for comparison in &self.comparisons {
            let [expected, ours, interval, outcome] = comparison.cells();
            let Figure { place, what, why, .. } = &comparison.figure;
            table.row([place, what, &expected, &ours, &interval, &outcome, why]);
        }
        table.without_empty("why")
    }
}

impl Paper {
    /// Authors, the title as printed if it is not English, venue and year.
    fn printed(&self) -> String {
        let Paper { authors, original_title, venue, year, .. } = self;
        let authors = authors.join(", ");
        if original_title.is_empty() {
            format!("{authors}. {venue}, {year}.")
        } else {
            format!("{authors}. {original_title}. {venue}, {year}.")
        }
    }
}

/// `table 3: win rate: 54.0 %, ours 52.1 % (49.0 to 55.1): open`, and why.
fn line(comparison: &Comparison) -> String {
    let [expected, ours, interval, outcome] = comparison.cells();
    let Figure { place, what, why, .. } = &comparison.figure;
    let interval = if interval.is_empty() { interval } else { format!(" ({interval})") };
    let why = if why.is_empty() { String::new() } else { format!(". {why}") };
    format!("{place}: {what}: {expected}, ours {ours}{interval}: {outcome}{why}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expected::{Expected, Finding};
    use crate::source::Source;

    /// A document with a figure of every outcome.
    fn document() -> Document {
        let text = r#"
            [paper]
            document = "009"
            authors = ["A. <B>", "C. D"]
            title = "On stones"
            original_title = "石について"
            year = "2008"
            venue = "Bulletin 1"
            docs = "docs/stones.md"
            [[figure]]
            key = "a"
            what = "boards"
            value = 22
            compare = "equal"
            place = "table 2"
            source = "table 2"
            [[figure]]
            key = "a"
            what = "games"
            value = 23
            compare = "equal"
            place = "table 3"
            source = "table 3"
            why = "Other rules."
            [[figure]]
            key = "a"
            what = "seconds"
            value = 11
            compare = "ratio"
            place = "figure 6"
            source = "figure 6"
            [[figure]]
            key = "b"
            what = "never measured"
            value = 11
            compare = "equal"
            place = "figure 7"
            source = "figure 7"
        "#;
        let Expected { paper, figures } = Expected::parse(&Source::new("expected.toml", text)).unwrap();
        let finding = Finding {
            key: "a".into(),
            what: "boards".into(),
            value: 22.0,
            interval: Some([20.0, 24.0]),
            unit: String::new(),
            decimals: 0,
        };
        Document {
            paper: paper.unwrap(),
            experiment: "009-stones".into(),
            seed: "7".into(),
            cpu_hours: 1.25,
            missing: 3,
            problem: None,
            comparisons: figures
                .iter()
                .map(|figure| Comparison::of(figure, std::slice::from_ref(&finding)))
                .collect(),
        }
    }

    #[test]
    fn every_figure_stands_with_its_outcome_in_all_forms() {
        let papers = Papers { documents: vec![document()] };
        let (text, markdown, html) = (papers.text(), papers.markdown(), papers.html());
        for outcome in ["the same", "differs", "2.00 times", "not measured", "Other rules."] {
            for form in [&text, &markdown, &html] {
                assert!(form.contains(outcome), "{outcome}\n{form}");
            }
        }
        let counted = "4 figures: 1 reproduced, 1 not reproduced, 1 open, 1 not comparable";
        assert!(text.contains(counted), "{text}");
        assert!(text.contains("Seed 7, 1.25 CPU hours, 3 tasks are not finished."), "{text}");
        let unusable = Document { problem: Some("no such task".into()), ..document() };
        let told = Papers { documents: vec![unusable] }.text();
        assert!(told.contains("The kept results cannot be used: no such task."), "{told}");
        assert!(text.contains("\n  table 2: boards: 22, ours 22 (20 to 24): the same\n"), "{text}");
        assert!(markdown.contains("[its report](009-stones/results/report.md)"), "{markdown}");
        assert!(html.contains("A. &lt;B&gt;, C. D. 石について. Bulletin 1, 2008."), "{html}");
        assert!(html.contains("<td class=\"bad\">differs</td>"), "{html}");
    }
}
