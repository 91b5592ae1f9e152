//! One page over all documents that are rerun here: their figures, ours, and what came of it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ishi_rng::Seed;
use ishi_sheet::{escape_markdown, html_paragraph};
use ishi_words::percent_encode;
use serde::Serialize;

use super::files::{read_report, write_files};
use super::html;
use super::lab_report::{FigureComparison, LabReport};
use crate::body::SheetTable;
use crate::error::LabError;
use crate::expected::{ExpectedFigure, ExpectedFigures, FigureOrigin, FigureVerdict, PaperReference};
use crate::experiment::{ExperimentKind, Variant};
use crate::folder::{self, LoadedExperiment};
use crate::source::TomlSource;

/// The title of the page.
const TITLE: &str = "Documents rerun: their figures, and those found here";

/// What the outcomes mean.
const LEGEND: [(&str, &str); 9] = [
    (
        "reproduced, the same, reached",
        "the interval found here meets the document's; where both are exact, they are equal; a target is not missed",
    ),
    ("not reproduced, differs, missed", "the contrary"),
    (
        "open",
        "the interval found here also holds what speaks against the document's claim: more measurements may tell",
    ),
    (
        "N times",
        "no verdict, such as for seconds on other machines: what was found here is so many times the document's",
    ),
    ("not comparable", "no verdict, and no ratio that would say anything"),
    ("not measured", "no figure was found here"),
    (
        "settings and arithmetic",
        "the figure is a setting that was taken from the document, or is computed from its own figures: how many of these are the same. They are not \
         counted as reproduced",
    ),
    ("interval", "95 %, unless the report says something else"),
    ("why", "why the two differ, or cannot be compared"),
];

/// All documents, by number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PapersPage {
    /// Each with its comparisons.
    pub documents: Vec<PaperDocument>,
    /// What is doubtful: figures whose keys no finding of a finished experiment has.
    #[serde(skip)]
    pub warnings: Vec<String>,
    /// The folder of the experiments, from which links lead.
    #[serde(skip)]
    pub experiments: PathBuf,
}

/// A document and the kept report of its experiment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PaperDocument {
    /// Authors, title, year and venue.
    pub paper: PaperReference,
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
    pub comparisons: Vec<FigureComparison>,
    /// Which of the pages are there that it would link to: an installed program has no `docs/`, and no kept reports.
    #[serde(skip)]
    pages: [bool; 3],
}

impl PapersPage {
    /// Reads all experiments of a folder, which are of the `kinds`, and the reports that are kept with them.
    ///
    /// # Errors
    /// If a configuration, a list of figures or kept results cannot be read or are wrong, or the page that explains a document is not
    /// there; the error says which and where.
    pub fn read_papers(
        experiments: &Path,
        kinds: &[ExperimentKind],
        seed: Seed,
    ) -> Result<PapersPage, LabError> {
        let (mut documents, mut warnings) = (Vec::new(), Vec::new());
        for folder in folder::list_folders(experiments)? {
            let loaded = folder.load_experiment(kinds, Variant::Full, seed)?;
            if let Some(paper) = &loaded.expected.paper {
                let source = TomlSource::read_file(&folder.path.join("expected.toml"))?;
                ExpectedFigures::check_docs_page(&source, &experiments.join(".."))?;
                let document = PaperDocument::from_experiment(paper, &loaded)?;
                warnings.extend(document.unknown_keys(source.path()));
                documents.push(document);
            }
        }
        documents.sort_by(|a, b| a.paper.document.cmp(&b.paper.document));
        Ok(PapersPage { documents, warnings, experiments: experiments.to_path_buf() })
    }

    /// The page as Markdown, to stand in `folder`: links lead from there.
    pub fn to_markdown(&self, folder: &Path) -> String {
        let ways = self.link_prefixes(folder);
        let mut parts = vec![format!("# {TITLE}"), "Written by `ishi lab papers`; do not edit.".to_string()];
        parts.push(self.overview_table().to_markdown());
        parts.push(legend_table().to_markdown());
        for document in &self.documents {
            parts.push(format!("## {}", escape_markdown(&document.heading())));
            parts.push(escape_markdown(&document.paper.format_citation()));
            let links = document.list_links(&ways).into_iter().map(|(name, to)| format!("[{name}]({to})"));
            let provenance = escape_markdown(&document.describe_provenance());
            parts.push(put_after_links(&links.collect::<Vec<String>>(), &provenance));
            parts.push(document.comparison_table().to_markdown());
        }
        parts.join("\n\n") + "\n"
    }

    /// The page as HTML, with nothing to load, to stand in `folder`.
    pub fn to_html(&self, folder: &Path) -> String {
        let ways = self.link_prefixes(folder);
        let mut body = vec!["<p class=\"soft\">Written by <code>ishi lab papers</code></p>".to_string()];
        body.push(self.overview_table().to_html(None));
        body.push(legend_table().to_html(None));
        for document in &self.documents {
            body.push(format!("<h2>{}</h2>", ishi_draw::escape_prose(&document.heading())));
            body.push(html_paragraph(&document.paper.format_citation()));
            let link =
                |(name, to): (&str, String)| format!("<a href=\"{}\">{name}</a>", ishi_draw::escape_xml(&to));
            let links: Vec<String> = document.list_links(&ways).into_iter().map(link).collect();
            let provenance = ishi_draw::escape_prose(&document.describe_provenance());
            body.push(format!("<p>{}</p>", put_after_links(&links, &provenance)));
            let outcome = |row: usize| document.comparisons[row].outcome_class();
            body.push(document.comparison_table().to_html(Some(&outcome)));
        }
        html::render_page(TITLE, &body)
    }

    /// The ways from a folder to the experiments and to the root of the project.
    fn link_prefixes(&self, folder: &Path) -> [String; 2] {
        [relative_link(folder, &self.experiments), relative_link(folder, &self.experiments.join(".."))]
    }

    /// Writes papers.md and papers.html into the folder, and gives their paths.
    ///
    /// # Errors
    /// If the folder cannot be made or a file cannot be written.
    pub fn write_page(&self, folder: &Path) -> Result<Vec<PathBuf>, LabError> {
        // Links are told from where the folder really is.
        write_files(folder, [])?;
        write_files(
            folder,
            [
                ("papers.md".to_string(), self.to_markdown(folder)),
                ("papers.html".to_string(), self.to_html(folder)),
            ],
        )
    }

    /// The page for a terminal: a line for each figure.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for document in &self.documents {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{}", document.heading());
            for about in
                [document.paper.format_citation(), document.describe_provenance(), document.summary()]
            {
                let _ = writeln!(text, "    {about}");
            }
            for comparison in &document.comparisons {
                let _ = writeln!(text, "  {}", comparison_line(comparison));
            }
            text.push('\n');
        }
        text
    }

    /// How many figures of each document came out how.
    fn overview_table(&self) -> SheetTable {
        let mut table = SheetTable::new([
            "document",
            "#figures",
            "#reproduced",
            "#not reproduced",
            "#open",
            "#not comparable",
            "#not measured",
            "#settings and arithmetic",
        ]);
        for document in &self.documents {
            let OutcomeCounts { reproduced, not_reproduced, open, beside, unmeasured, given: [same, given] } =
                document.count_outcomes();
            let all = document.comparisons.len();
            let counts =
                [all, reproduced, not_reproduced, open, beside, unmeasured].map(|count| count.to_string());
            let given = if given == 0 { "0".to_string() } else { format!("{same} of {given}") };
            table.add_row([document.heading()].into_iter().chain(counts).chain([given]));
        }
        table
    }
}

fn put_after_links(links: &[String], text: &str) -> String {
    if links.is_empty() { text.to_string() } else { format!("{} {text}", links.join(" · ")) }
}

fn legend_table() -> SheetTable {
    let mut table = SheetTable::new(["word", "what it says"]);
    LEGEND.iter().for_each(|&(word, meaning)| table.add_row([word, meaning]));
    table
}

/// What a link from one folder into another begins with, such as `../docs/`; both are there.
fn relative_link(from: &Path, to: &Path) -> String {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let (from, to) = (real(from), real(to));
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(common).map(|_| "..".to_string());
    let down = to.components().skip(common).map(|part| encode_link_part(&part.as_os_str().to_string_lossy()));
    up.chain(down).map(|part| part + "/").collect()
}

/// A part of a link in Markdown, without what would end it.
fn encode_link_part(part: &str) -> String {
    percent_encode(part, |character| !"% ()<>\"#?".contains(character))
}

/// How many figures of a document came out how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct OutcomeCounts {
    reproduced: usize,
    not_reproduced: usize,
    open: usize,
    /// Figures without a verdict.
    beside: usize,
    unmeasured: usize,
    /// Settings and arithmetic: the same, and all.
    given: [usize; 2],
}

impl PaperDocument {
    /// A document whose kept results do not fit their experiment any more stands there without figures of ours.
    ///
    /// # Errors
    /// If the kept results cannot be read, or are cut.
    fn from_experiment(paper: &PaperReference, loaded: &LoadedExperiment) -> Result<PaperDocument, LabError> {
        let (report, problem) = match read_report(loaded) {
            Ok(report) => (report, None),
            Err(error @ LabError::File { .. }) => return Err(error),
            Err(error) => (None, Some(error.to_string())),
        };
        let comparisons = match &report {
            Some(report) => report.comparisons.clone(),
            None => loaded
                .expected
                .figures
                .iter()
                .map(|figure| FigureComparison::from_figure(figure, &[]))
                .collect(),
        };
        let of_document = |comparison: &FigureComparison| !comparison.figure.place.is_empty();
        Ok(PaperDocument {
            paper: paper.clone(),
            experiment: loaded.folder.name.clone(),
            seed: report.as_ref().map_or(String::new(), |report| report.seed.clone()),
            cpu_hours: report.as_ref().map_or(0.0, |report| report.cost.cpu_seconds / 3600.0),
            missing: report.as_ref().map_or(loaded.tasks().len(), |report: &LabReport| report.missing),
            comparisons: comparisons.into_iter().filter(of_document).collect(),
            problem,
            pages: find_pages(paper, loaded),
        })
    }

    /// Figures that nothing of a finished experiment belongs to, though they should be measured: their keys may be mistyped.
    fn unknown_keys(&self, file: &Path) -> Vec<String> {
        if self.seed.is_empty() || self.missing > 0 {
            return Vec::new();
        }
        let unknown = self
            .comparisons
            .iter()
            .filter(|one| one.finding.is_none() && one.figure.of != FigureOrigin::Nothing);
        let text = |one: &FigureComparison| {
            let ExpectedFigure { key, line, .. } = &one.figure;
            format!(
                "{}:{line}: figure.key: {key}: the kept report is complete and has no finding of this key; correct it, or say of = \"nothing\"",
                file.display()
            )
        };
        unknown.map(text).collect()
    }

    /// Number and title.
    fn heading(&self) -> String {
        format!("{} {}", self.paper.document, self.paper.title)
    }

    fn count_outcomes(&self) -> OutcomeCounts {
        let mut counts = OutcomeCounts::default();
        for FigureComparison { figure, verdict, .. } in &self.comparisons {
            let good = verdict.is_success();
            let count = match (good, verdict) {
                _ if figure.is_from_document() => {
                    counts.given[0] += usize::from(good == Some(true));
                    &mut counts.given[1]
                }
                (Some(true), _) => &mut counts.reproduced,
                (Some(false), _) => &mut counts.not_reproduced,
                (None, FigureVerdict::NotMeasured) => &mut counts.unmeasured,
                (None, FigureVerdict::Times { .. } | FigureVerdict::Beside) => &mut counts.beside,
                (None, _) => &mut counts.open,
            };
            *count += 1;
        }
        counts
    }

    fn summary(&self) -> String {
        let OutcomeCounts { reproduced, not_reproduced, open, beside, unmeasured, given: [same, given] } =
            self.count_outcomes();
        let all = self.comparisons.len();
        let given = match given {
            0 => String::new(),
            given => format!("; settings and arithmetic: {same} of {given} the same"),
        };
        format!(
            "{all} figures: {reproduced} reproduced, {not_reproduced} not reproduced, {open} open, {beside} not comparable, {unmeasured} not \
             measured{given}"
        )
    }

    fn describe_provenance(&self) -> String {
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

    /// Names and targets of the pages that are there, the ways to the experiments and to the root being these.
    fn list_links(&self, [experiments, root]: &[String; 2]) -> Vec<(&'static str, String)> {
        let experiment = format!("{experiments}{}", encode_link_part(&self.experiment));
        let links = [
            ("What it says and what ishi does", format!("{root}{}", self.paper.docs)),
            ("the experiment", format!("{experiment}/README.md")),
            ("its report", format!("{experiment}/results/report.md")),
        ];
        links.into_iter().zip(self.pages).filter_map(|(link, is_there)| is_there.then_some(link)).collect()
    }

    fn comparison_table(&self) -> SheetTable {
        let columns = ["where", "figure", "#document", "#found here", "#interval", "outcome", "why"];
        let mut table = SheetTable::new(columns);
        for comparison in &self.comparisons {
            let [expected, ours, interval, outcome] = comparison.row_cells();
            let ExpectedFigure { place, what, why, .. } = &comparison.figure;
            table.add_row([place, what, &expected, &ours, &interval, &outcome, why]);
        }
        table.without_empty_column("why")
    }
}

/// Are the page that explains a document, its experiment's page and its kept report there?
fn find_pages(paper: &PaperReference, loaded: &LoadedExperiment) -> [bool; 3] {
    let experiment = &loaded.folder.path;
    let pages = [
        experiment.join("../..").join(&paper.docs),
        experiment.join("README.md"),
        experiment.join("results/report.md"),
    ];
    pages.map(|page| page.is_file())
}

impl PaperReference {
    /// Authors, the title as printed if it is not English, venue, and the year where the venue does not tell it.
    fn format_citation(&self) -> String {
        let PaperReference { authors, original_title, venue, year, .. } = self;
        let is_number = year.bytes().all(|byte| byte.is_ascii_digit());
        let place = match (venue.contains(year.as_str()), is_number) {
            (true, _) => venue.clone(),
            (false, true) => format!("{venue}, {year}"),
            (false, false) => format!("{venue}. {}", capitalize_first(year)),
        };
        let parts = [authors.join(", "), original_title.clone(), place];
        let sentence = |part: &String| format!("{}.", capitalize_first(part.trim_end_matches('.')));
        parts.iter().filter(|part| !part.is_empty()).map(sentence).collect::<Vec<_>>().join(" ")
    }
}

/// The text with a capital at the beginning.
fn capitalize_first(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or(String::new(), |first| first.to_uppercase().chain(rest).collect())
}

/// `table 3: win rate: 54.0 %, found 52.1 % (49.0 to 55.1): open`, and why.
fn comparison_line(comparison: &FigureComparison) -> String {
    let [expected, ours, interval, outcome] = comparison.row_cells();
    let ExpectedFigure { place, what, why, .. } = &comparison.figure;
    let interval = if interval.is_empty() { interval } else { format!(" ({interval})") };
    let why = if why.is_empty() { String::new() } else { format!(". {why}") };
    format!("{place}: {what}: {expected}, found {ours}{interval}: {outcome}{why}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expected::{ExpectedFigures, ReportFinding};
    use crate::source::TomlSource;

    /// A document with a figure of every outcome.
    fn document() -> PaperDocument {
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
            [[figure]]
            key = "a"
            what = "a board's side, given"
            value = 22
            compare = "equal"
            of = "setting"
            place = "table 1"
            source = "table 1"
        "#;
        let ExpectedFigures { paper, figures, .. } =
            ExpectedFigures::parse_source(&TomlSource::new("expected.toml", text)).unwrap();
        let finding = ReportFinding::new("a", "boards", 22.0, ("", 0)).with_interval(Some([20.0, 24.0]));
        PaperDocument {
            paper: paper.unwrap(),
            experiment: "009-stones".into(),
            seed: "7".into(),
            cpu_hours: 1.25,
            missing: 3,
            problem: None,
            comparisons: figures
                .iter()
                .map(|figure| FigureComparison::from_figure(figure, std::slice::from_ref(&finding)))
                .collect(),
            pages: [true; 3],
        }
    }

    #[test]
    fn every_figure_stands_with_its_outcome_in_all_forms() {
        let papers = papers(document());
        let here = Path::new("nowhere/experiments");
        let (text, markdown, html) = (papers.to_text(), papers.to_markdown(here), papers.to_html(here));
        for outcome in ["the same", "differs", "2.00 times", "not measured", "Other rules."] {
            for form in [&text, &markdown, &html] {
                assert!(form.contains(outcome), "{outcome}\n{form}");
            }
        }
        let counted = "5 figures: 1 reproduced, 1 not reproduced, 0 open, 1 not comparable, 1 not measured; settings and arithmetic: 1 of 1 the same";
        assert!(text.contains(counted), "{text}");
        assert!(text.contains("Seed 7, 1.25 CPU hours, 3 tasks are not finished."), "{text}");
        let unusable = PaperDocument { problem: Some("no such task".into()), ..document() };
        let told = self::papers(unusable).to_text();
        assert!(told.contains("The kept results cannot be used: no such task."), "{told}");
        assert!(text.contains("\n  table 2: boards: 22, found 22 (20 to 24): the same\n"), "{text}");
        assert!(markdown.contains("[its report](009-stones/results/report.md)"), "{markdown}");
        assert!(html.contains("A. &lt;B&gt;, C. D. 石について. Bulletin 1, 2008."), "{html}");
        assert!(html.contains("<td class=\"bad\">differs</td>"), "{html}");
        assert!(markdown.contains("| open | the interval found here also holds"), "{markdown}");
        let row = "| 009 On stones | 5 | 1 | 1 | 0 | 1 | 1 | 1 of 1 |";
        assert!(markdown.contains(row), "{markdown}");
    }

    fn papers(document: PaperDocument) -> PapersPage {
        let experiments = PathBuf::from("nowhere/experiments");
        PapersPage { documents: vec![document], warnings: Vec::new(), experiments }
    }

    #[test]
    fn links_lead_from_where_the_page_stands() {
        let place = tempfile::tempdir().unwrap();
        for folder in ["my root/experiments/009-stones", "my root/docs", "out/deep"] {
            std::fs::create_dir_all(place.path().join(folder)).unwrap();
        }
        let papers =
            PapersPage { experiments: place.path().join("my root/experiments"), ..papers(document()) };
        let links = |from: &str| {
            let links = document().list_links(&papers.link_prefixes(&place.path().join(from)));
            links.into_iter().map(|(_, to)| to).collect::<Vec<String>>()
        };
        assert_eq!(links("my root/experiments")[..2], ["../docs/stones.md", "009-stones/README.md"]);
        assert_eq!(links("my root")[..2], ["docs/stones.md", "experiments/009-stones/README.md"]);
        assert_eq!(links("my root/docs")[..2], ["../docs/stones.md", "../experiments/009-stones/README.md"]);
        let below = ["../../docs/stones.md", "../009-stones/README.md"];
        assert_eq!(links("my root/experiments/009-stones")[..2], below);
        let aside = ["../../my%20root/docs/stones.md", "../../my%20root/experiments/009-stones/README.md"];
        assert_eq!(links("out/deep")[..2], aside);
    }

    /// A link that leads nowhere is worse than none.
    #[test]
    fn pages_that_are_not_there_are_not_linked_to() {
        let here = Path::new("nowhere/experiments");
        let installed = papers(PaperDocument { pages: [false, true, false], ..document() });
        let (markdown, html) = (installed.to_markdown(here), installed.to_html(here));
        assert!(markdown.contains("\n[the experiment](009-stones/README.md) Seed 7, 1.25"), "{markdown}");
        assert_eq!((markdown.matches("](").count(), html.matches("<a href").count()), (1, 1));
        let alone = papers(PaperDocument { pages: [false; 3], ..document() });
        assert!(alone.to_markdown(here).contains("\nSeed 7, 1.25"));
        assert!(alone.to_html(here).contains("<p>Seed 7, 1.25"));
    }

    #[test]
    fn a_key_that_a_complete_report_does_not_have_is_told() {
        let finished = PaperDocument { missing: 0, ..document() };
        let told = finished.unknown_keys(Path::new("e/expected.toml"));
        assert_eq!(told.len(), 1);
        assert!(
            told[0].starts_with("e/expected.toml:33: figure.key: b: the kept report is complete"),
            "{told:?}"
        );
        assert!(document().unknown_keys(Path::new("e")).is_empty());
    }

    #[test]
    fn a_document_is_cited_in_sentences() {
        let paper = |venue: &str, year: &str| {
            PaperReference {
                venue: venue.into(),
                year: year.into(),
                original_title: String::new(),
                ..document().paper
            }
            .format_citation()
        };
        assert_eq!(paper("Bulletin 1", "2008"), "A. <B>, C. D. Bulletin 1, 2008.");
        assert_eq!(paper("A blog, 14 October 2020", "2020"), "A. <B>, C. D. A blog, 14 October 2020.");
        assert_eq!(paper("in Japanese", "year not printed"), "A. <B>, C. D. In Japanese. Year not printed.");
    }
}
