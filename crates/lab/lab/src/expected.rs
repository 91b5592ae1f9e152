//! `expected.toml`: the figures of a document or of a reference, and ours held against them.

use std::path::Path;

/// Numbers as reports tell them.
pub use ishi_sheet::format_number;
use ishi_words::coded;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::source::{SourceError, TomlSource};

/// How a figure of ours is held against an expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ComparisonRule {
    /// They are the same, rounded to the figure's decimals.
    Equal,
    /// Ours is a target reached, if it is not below.
    AtLeast,
    /// They agree, if their intervals meet.
    Agrees,
    /// No judgement: how many times the expected figure ours is.
    Ratio,
    /// No judgement and no ratio: the two stand beside each other.
    Beside,
}

/// Where our figure comes from. Only a measured one can reproduce a document's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FigureOrigin {
    /// Our own measurement, game, search or count.
    #[default]
    Measured,
    /// A setting of ours that was taken from the document.
    Setting,
    /// Arithmetic with the document's own figures.
    Arithmetic,
    /// We have nothing to put beside it.
    Nothing,
}

/// An expected figure, one number or a range.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExpectedFigure {
    /// Which of our findings it belongs to. Several figures may belong to one.
    pub key: String,
    /// The line of the key in the file.
    #[serde(skip)]
    pub line: usize,
    /// What it is, for readers.
    pub what: String,
    /// Where our figure comes from.
    pub of: FigureOrigin,
    /// The number, or the lower end of the range.
    pub low: f64,
    /// The number, or the upper end of the range.
    pub high: f64,
    /// Does the document say no more than that its figure is below this number?
    pub is_limit: bool,
    /// How to compare.
    pub compare: ComparisonRule,
    /// The unit, such as `playouts/s`; may be empty.
    pub unit: String,
    /// Digits after the point.
    pub decimals: usize,
    /// Paper and table, program and version, whose expectation.
    pub source: String,
    /// Where in the document it stands, such as `table 3`; empty for figures that are not of the document.
    pub place: String,
    /// The document's own interval.
    pub interval: Option<[f64; 2]>,
    /// The value that the document's claim stands against. If our interval holds it too, nothing is decided.
    pub null: Option<f64>,
    /// Why ours differs, or why the two cannot be compared; may be empty.
    pub why: String,
}

/// The document that an experiment reruns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperReference {
    /// Its number here, such as `000`.
    pub document: String,
    /// The authors as they are printed.
    pub authors: Vec<String>,
    /// The title, in English.
    pub title: String,
    /// The title as it was printed, if that is not English.
    #[serde(default)]
    pub original_title: String,
    /// The year of publication, or what is known of it.
    pub year: String,
    /// Journal, proceedings or place of publication.
    pub venue: String,
    /// The page that explains it, from the root of the project.
    pub docs: String,
}

/// All figures of an experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ExpectedFigures {
    /// The document, if the experiment reruns one.
    pub paper: Option<PaperReference>,
    /// In the order of the file.
    pub figures: Vec<ExpectedFigure>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedFile {
    paper: Option<PaperReference>,
    #[serde(default, rename = "figure")]
    figures: Vec<FigureEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FigureEntry {
    key: Spanned<String>,
    what: String,
    value: Option<Spanned<f64>>,
    range: Option<Spanned<[f64; 2]>>,
    below: Option<Spanned<f64>>,
    compare: ComparisonRule,
    #[serde(default)]
    of: FigureOrigin,
    #[serde(default)]
    unit: String,
    #[serde(default)]
    decimals: Option<Spanned<usize>>,
    source: String,
    #[serde(default)]
    place: String,
    interval: Option<Spanned<[f64; 2]>>,
    null: Option<f64>,
    #[serde(default)]
    why: String,
}

impl ExpectedFigures {
    /// Reads the figures.
    ///
    /// # Errors
    /// If the text is not as docs/lab.md says; the error says where.
    ///
    /// ```
    /// use ishi_lab::{expected::ExpectedFigures, source::TomlSource};
    /// let text = r#"
    /// [[figure]]
    /// key = "speed.9x9"
    /// what = "libego"
    /// range = [59000, 69000]
    /// compare = "ratio"
    /// unit = "playouts/s"
    /// source = "measured"
    /// "#;
    /// let expected = ExpectedFigures::parse_source(&TomlSource::new("expected.toml", text)).unwrap();
    /// assert_eq!((expected.figures[0].low, expected.figures[0].format_value().as_str()), (59000.0, "59,000 to 69,000 playouts/s"));
    /// ```
    pub fn parse_source(source: &TomlSource) -> Result<ExpectedFigures, SourceError> {
        let file: ExpectedFile = source.parse()?;
        let figures = file.figures.into_iter().map(|entry| entry.into_figure(source));
        let figures = figures.collect::<Result<_, _>>()?;
        let paper = file.paper.map(|paper| check_paper(paper, source)).transpose()?;
        Ok(ExpectedFigures { figures, paper })
    }
}

impl ExpectedFigures {
    /// Is the page that explains the document there? `root` is the root of the project. Where even the folder of that page is missing, as beside the
    /// experiments that an installed program puts into the data folder, nobody could have it.
    ///
    /// # Errors
    /// If it is not; the error says where it is named.
    pub fn check_docs_page(source: &TomlSource, root: &Path) -> Result<(), SourceError> {
        let Some(paper) = source.parse::<ExpectedFile>()?.paper else { return Ok(()) };
        let docs = &paper.docs;
        let page = root.join(docs);
        if page.is_file() || !page.parent().is_some_and(Path::is_dir) {
            return Ok(());
        }
        let message = coded![
            "lab-source-docs",
            "{docs}: no such file; name the page from the root of the project",
            docs
        ];
        Err(source.error_at(source.span_of_key("paper", "docs"), message))
    }
}

/// A document must have an author, and all that it is cited with.
fn check_paper(paper: PaperReference, source: &TomlSource) -> Result<PaperReference, SourceError> {
    let PaperReference { document, authors, title, year, venue, .. } = &paper;
    if authors.is_empty() || authors.iter().any(String::is_empty) {
        return Err(source.error_at(
            source.span_of_key("paper", "authors"),
            coded!["lab-source-no-author", "a document must have one author or more"],
        ));
    }
    for (key, text) in [("document", document), ("title", title), ("year", year), ("venue", venue)] {
        if text.trim().is_empty() {
            return Err(source.error_at(
                source.span_of_key("paper", key),
                coded!["lab-source-empty", "the {key} must not be empty", key],
            ));
        }
    }
    Ok(paper)
}

impl FigureEntry {
    fn into_figure(self, source: &TomlSource) -> Result<ExpectedFigure, SourceError> {
        let (low, high) = match (&self.value, &self.range, &self.below) {
            (Some(value), None, None) | (None, None, Some(value)) => (*value.get_ref(), *value.get_ref()),
            (None, Some(range), None) => (range.get_ref()[0], range.get_ref()[1]),
            _ => {
                let right = coded!["lab-source-figure", "a figure has either a value, a range or `below`"];
                return Err(source.value_error(&self.key, right));
            }
        };
        let is_limit = self.below.is_some();
        if is_limit
            && !matches!(
                self.compare,
                ComparisonRule::Agrees | ComparisonRule::Ratio | ComparisonRule::Beside
            )
        {
            let span = self.below.map(|limit| limit.span());
            let right =
                coded!["lab-source-below", "`below` goes with compare = \"agrees\", \"ratio\" or \"beside\""];
            return Err(source.error_at(span, right));
        }
        let span = self.value.or(self.below).map(|v| v.span()).or(self.range.map(|r| r.span()));
        if !(low.is_finite() && high.is_finite() && low <= high) {
            let right = coded!["lab-source-finite", "write finite numbers, a range as [smaller, greater]"];
            return Err(source.error_at(span, right));
        }
        if self.compare == ComparisonRule::Equal && low != high {
            let right = coded!["lab-source-equal", "compare = \"equal\" needs a value, not a range"];
            return Err(source.error_at(span, right));
        }
        let decimals = match self.decimals {
            Some(decimals) => source.check_range(&decimals, 0..=9, "decimals must be 0 to 9")?,
            None => 0,
        };
        let interval = self.interval.map(|given| check_interval(given, [low, high], source)).transpose()?;
        let line = source.line_of_span(self.key.span());
        let FigureEntry { key, what, of, compare, unit, source, place, null, why, .. } = self;
        let key = key.into_inner();
        Ok(ExpectedFigure {
            key,
            line,
            what,
            of,
            low,
            high,
            is_limit,
            compare,
            unit,
            decimals,
            source,
            place,
            interval,
            null,
            why,
        })
    }
}

/// A document's interval must hold its figure.
fn check_interval(
    given: Spanned<[f64; 2]>,
    [low, high]: [f64; 2],
    source: &TomlSource,
) -> Result<[f64; 2], SourceError> {
    let [from, to] = *given.get_ref();
    if from.is_finite() && to.is_finite() && from <= low && high <= to {
        return Ok([from, to]);
    }
    let right = coded!["lab-source-interval", "an interval must hold the figure: [smaller, greater]"];
    Err(source.error_at(Some(given.span()), right))
}

impl ExpectedFigure {
    /// Follows from the document alone: a setting that was taken from it, or arithmetic with its figures. It cannot reproduce anything.
    pub fn is_from_document(&self) -> bool {
        matches!(self.of, FigureOrigin::Setting | FigureOrigin::Arithmetic)
    }

    /// `59,000 to 69,000 playouts/s`.
    pub fn format_value(&self) -> String {
        let low = format_number(self.low, self.decimals);
        let text = match self.low == self.high {
            true => low,
            false => format!("{low} to {}", format_number(self.high, self.decimals)),
        };
        let text = match self.compare {
            ComparisonRule::AtLeast => format!("at least {text}"),
            _ if self.is_limit => format!("below {text}"),
            _ => text,
        };
        append_unit(text, &self.unit)
    }

    /// Holds our finding against it.
    pub fn judge_finding(&self, ours: Option<&ReportFinding>) -> FigureVerdict {
        // No number is as good as no figure: it is neither below nor above anything.
        let Some(ours) = ours.filter(|ours| !ours.value.is_nan()) else { return FigureVerdict::NotMeasured };
        let (value, decimals) = (ours.value, self.decimals);
        match self.compare {
            ComparisonRule::Equal if format_number(value, decimals) == format_number(self.low, decimals) => {
                FigureVerdict::Same
            }
            ComparisonRule::Equal => FigureVerdict::Differs,
            ComparisonRule::AtLeast
                if value < self.high && ours.interval.is_none_or(|[_, high]| high < self.high) =>
            {
                FigureVerdict::Missed
            }
            ComparisonRule::AtLeast if value < self.high => FigureVerdict::Open,
            ComparisonRule::AtLeast if ours.interval.is_some_and(|[low, _]| low < self.high) => {
                FigureVerdict::Open
            }
            ComparisonRule::AtLeast => FigureVerdict::Reached,
            ComparisonRule::Agrees => self.judge_agreement(ours),
            // Of a range the far end gives the smaller ratio.
            ComparisonRule::Ratio if self.low <= 0.0 || value < 0.0 => FigureVerdict::Beside,
            ComparisonRule::Beside => FigureVerdict::Beside,
            ComparisonRule::Ratio => FigureVerdict::Times { low: value / self.high, high: value / self.low },
        }
    }

    /// Do the intervals meet? Without one of its own, the document's figure is good to half of its last digit. If it is a limit, ours must
    /// lie below.
    fn judge_agreement(&self, ours: &ReportFinding) -> FigureVerdict {
        let rounding = 0.5 / 10f64.powi(self.decimals as i32);
        let [from, to] = self.interval.unwrap_or([self.low - rounding, self.high + rounding]);
        let [low, high] = ours.interval.unwrap_or([ours.value, ours.value]);
        if self.is_limit {
            return match (high < self.high, low < self.high) {
                (true, _) => FigureVerdict::Reproduced,
                (false, true) => FigureVerdict::Open,
                (false, false) => FigureVerdict::NotReproduced,
            };
        }
        if high < from || to < low {
            return FigureVerdict::NotReproduced;
        }
        let decided = self.null.is_none_or(|null| !(low..=high).contains(&null));
        if decided { FigureVerdict::Reproduced } else { FigureVerdict::Open }
    }
}

/// A figure of ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReportFinding {
    /// The key that expected figures refer to.
    pub key: String,
    /// What it is, for readers.
    pub what: String,
    /// The value.
    pub value: f64,
    /// Its interval, where it has one; what kind of interval the report's text says.
    pub interval: Option<[f64; 2]>,
    /// The unit, such as `playouts/s`; may be empty.
    pub unit: String,
    /// Digits after the point.
    pub decimals: usize,
    /// What stands in the place of an interval where there can be none, such as how far nothing in ten leaves room; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl ReportFinding {
    /// A figure in a unit, which may be empty, with so many digits after the point.
    pub fn new(
        key: impl Into<String>,
        what: impl Into<String>,
        value: f64,
        (unit, decimals): (&str, usize),
    ) -> ReportFinding {
        let (key, what, unit) = (key.into(), what.into(), unit.to_string());
        ReportFinding { key, what, value, interval: None, unit, decimals, note: String::new() }
    }

    /// The same with an interval, if there is one.
    #[must_use]
    pub fn with_interval(self, interval: Option<[f64; 2]>) -> ReportFinding {
        ReportFinding { interval, ..self }
    }

    /// `187,312 playouts/s`.
    pub fn format_value(&self) -> String {
        append_unit(format_number(self.value, self.decimals), &self.unit)
    }

    /// `181,220 to 190,001`, or the note.
    pub fn format_interval(&self) -> String {
        let end = |value| format_number(value, self.decimals);
        self.interval.map_or(self.note.clone(), |[low, high]| format!("{} to {}", end(low), end(high)))
    }
}

/// What came of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FigureVerdict {
    /// Equal to all decimals given.
    Same,
    /// Not equal.
    Differs,
    /// Not below the target, and no end of our interval is.
    Reached,
    /// Our interval holds what was expected and what speaks against it: more measurements may tell.
    Open,
    /// Below the target.
    Missed,
    /// Our interval meets the document's.
    Reproduced,
    /// It does not.
    NotReproduced,
    /// Two figures side by side whose ratio says nothing.
    Beside,
    /// So many times the expected figure; two numbers if that is a range.
    Times {
        /// Against the upper end.
        low: f64,
        /// Against the lower end.
        high: f64,
    },
    /// There is no figure of ours.
    NotMeasured,
}

impl FigureVerdict {
    /// Is this what was hoped for? `None` where nothing was.
    pub fn is_success(&self) -> Option<bool> {
        match self {
            FigureVerdict::Same | FigureVerdict::Reached | FigureVerdict::Reproduced => Some(true),
            FigureVerdict::Differs | FigureVerdict::Missed | FigureVerdict::NotReproduced => Some(false),
            FigureVerdict::Open
            | FigureVerdict::Times { .. }
            | FigureVerdict::Beside
            | FigureVerdict::NotMeasured => None,
        }
    }

    /// For readers.
    pub fn describe_verdict(&self) -> String {
        match self {
            FigureVerdict::Same => "the same".into(),
            FigureVerdict::Differs => "differs".into(),
            FigureVerdict::Reached => "reached".into(),
            FigureVerdict::Open => "open".into(),
            FigureVerdict::Missed => "missed".into(),
            FigureVerdict::Reproduced => "reproduced".into(),
            FigureVerdict::NotReproduced => "not reproduced".into(),
            FigureVerdict::Beside => "not comparable".into(),
            FigureVerdict::Times { low, high } if low == high => format!("{} times", format_ratio(*low)),
            FigureVerdict::Times { low, high } => {
                format!("{} to {} times", format_ratio(*low), format_ratio(*high))
            }
            FigureVerdict::NotMeasured => "not measured".into(),
        }
    }
}

/// Two decimals, or more for a small ratio: its first two digits that count.
fn format_ratio(times: f64) -> String {
    let digits = if times > 0.0 && times < 0.1 { (1.0 - times.log10().floor()) as usize } else { 2 };
    format!("{times:.digits$}")
}

fn append_unit(text: String, unit: &str) -> String {
    if unit.is_empty() { text } else { format!("{text} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(compare: ComparisonRule, low: f64, high: f64, decimals: usize) -> ExpectedFigure {
        ExpectedFigure {
            key: String::new(),
            line: 0,
            what: String::new(),
            of: FigureOrigin::Measured,
            low,
            high,
            is_limit: false,
            compare,
            unit: String::new(),
            decimals,
            source: String::new(),
            place: String::new(),
            interval: None,
            null: None,
            why: String::new(),
        }
    }

    fn finding(value: f64) -> ReportFinding {
        ReportFinding::new("", "", value, ("", 0))
    }

    #[test]
    fn numbers_are_grouped() {
        let cases = [
            (0.0, 0, "0"),
            (-0.001, 2, "0.00"),
            (999.6, 0, "1,000"),
            (1234567.891, 1, "1,234,567.9"),
            (-12345.0, 0, "-12,345"),
            (f64::INFINITY, 1, "inf"),
        ];
        for (value, decimals, text) in cases {
            assert_eq!(format_number(value, decimals), text);
        }
    }

    #[test]
    fn small_ratios_keep_two_digits() {
        assert_eq!(
            [0.0, 0.000_002_34, 0.05, 0.94, 12.0].map(format_ratio),
            ["0.00", "0.0000023", "0.050", "0.94", "12.00"]
        );
    }

    #[test]
    fn verdicts() {
        use FigureVerdict::{Beside, Differs, Missed, NotMeasured, Reached, Same, Times};
        let cases = [
            (figure(ComparisonRule::Equal, 0.242, 0.242, 3), Some(0.24236), Same),
            (figure(ComparisonRule::Equal, 0.242, 0.242, 3), Some(0.2426), Differs),
            (figure(ComparisonRule::AtLeast, 100.0, 100.0, 0), Some(100.0), Reached),
            (figure(ComparisonRule::AtLeast, 100.0, 100.0, 0), Some(99.0), Missed),
            (figure(ComparisonRule::Ratio, 50.0, 100.0, 0), Some(200.0), Times { low: 2.0, high: 4.0 }),
            (figure(ComparisonRule::Ratio, 30.0, 490.0, 0), Some(-0.8), Beside),
            (figure(ComparisonRule::Beside, 3.0, 3.0, 0), Some(24.0), Beside),
            (figure(ComparisonRule::Beside, 3.0, 3.0, 0), None, NotMeasured),
            (figure(ComparisonRule::Ratio, 50.0, 100.0, 0), None, NotMeasured),
            (figure(ComparisonRule::Agrees, 5.0, 5.0, 0), Some(f64::NAN), NotMeasured),
            (figure(ComparisonRule::AtLeast, 5.0, 5.0, 0), Some(f64::NAN), NotMeasured),
        ];
        for (figure, ours, verdict) in cases {
            assert_eq!(figure.judge_finding(ours.map(finding).as_ref()), verdict, "{figure:?} {ours:?}");
        }
    }

    /// A target is reached only if our interval leaves no doubt.
    #[test]
    fn an_interval_across_the_target_leaves_it_open() {
        let figure = figure(ComparisonRule::AtLeast, 85.0, 85.0, 0);
        let judged = |value, low| {
            figure.judge_finding(Some(&ReportFinding { interval: Some([low, 100.0]), ..finding(value) }))
        };
        assert_eq!(
            [judged(100.0, 34.2), judged(95.0, 88.0), judged(80.0, 70.0)],
            [FigureVerdict::Open, FigureVerdict::Reached, FigureVerdict::Open]
        );
        let below = ReportFinding { interval: Some([70.0, 84.0]), ..finding(80.0) };
        assert_eq!(figure.judge_finding(Some(&below)), FigureVerdict::Missed);
    }

    /// A win rate of 54.0 (50.9 to 57.1) %, claimed against 50 %.
    #[test]
    fn figures_agree_if_their_intervals_meet_and_decide_if_the_null_lies_outside() {
        let paper = ExpectedFigure {
            interval: Some([50.9, 57.1]),
            null: Some(50.0),
            ..figure(ComparisonRule::Agrees, 54.0, 54.0, 1)
        };
        let judged =
            |value, interval| paper.judge_finding(Some(&ReportFinding { interval, ..finding(value) }));
        assert_eq!(judged(56.0, Some([53.0, 59.0])), FigureVerdict::Reproduced);
        assert_eq!(judged(54.0, Some([48.0, 60.0])), FigureVerdict::Open);
        assert_eq!(judged(45.0, Some([40.0, 49.0])), FigureVerdict::NotReproduced);
        assert_eq!(judged(50.0, None), FigureVerdict::NotReproduced);
        let rounded = figure(ComparisonRule::Agrees, 0.48, 0.48, 2);
        assert_eq!(rounded.judge_finding(Some(&finding(0.4849))), FigureVerdict::Reproduced);
        assert_eq!(rounded.judge_finding(Some(&finding(0.4851))), FigureVerdict::NotReproduced);
    }

    /// "Fewer than 100" says nothing of how many at least.
    #[test]
    fn a_limit_is_compared_from_one_side() {
        let limit = |compare| ExpectedFigure { is_limit: true, ..figure(compare, 100.0, 100.0, 0) };
        let judged = |value, interval| {
            limit(ComparisonRule::Agrees).judge_finding(Some(&ReportFinding { interval, ..finding(value) }))
        };
        assert_eq!(judged(0.5, None), FigureVerdict::Reproduced);
        assert_eq!(judged(100.0, None), FigureVerdict::NotReproduced);
        assert_eq!(judged(98.0, Some([96.0, 99.0])), FigureVerdict::Reproduced);
        assert_eq!(judged(98.0, Some([96.0, 103.0])), FigureVerdict::Open);
        assert_eq!(judged(101.0, Some([100.0, 102.0])), FigureVerdict::NotReproduced);
        let times = FigureVerdict::Times { low: 0.5, high: 0.5 };
        assert_eq!(limit(ComparisonRule::Ratio).judge_finding(Some(&finding(50.0))), times);
        assert_eq!(limit(ComparisonRule::Ratio).format_value(), "below 100");
    }

    /// No piece is no piece: a count of 0 has no half of a last digit.
    #[test]
    fn a_count_of_none_is_exact_if_its_interval_says_so() {
        let none =
            ExpectedFigure { interval: Some([0.0, 0.0]), ..figure(ComparisonRule::Agrees, 0.0, 0.0, 0) };
        let judged =
            |value, interval| none.judge_finding(Some(&ReportFinding { interval, ..finding(value) }));
        assert_eq!(judged(2.62, Some([0.36, 4.89])), FigureVerdict::NotReproduced);
        assert_eq!(judged(0.0, None), FigureVerdict::Reproduced);
    }

    #[test]
    fn a_document_is_named_with_its_figures() {
        let text = r#"
            [paper]
            document = "001"
            authors = ["M. Itoh", "T. Ohta"]
            title = "Tabu lists"
            year = "2016"
            venue = "Bulletin"
            docs = "docs/mcts.md"

            [[figure]]
            key = "won"
            what = "won"
            value = 54.0
            interval = [50.9, 57.1]
            null = 50
            compare = "agrees"
            place = "table 3"
            source = "table 3"
            why = "another base"
        "#;
        let expected = ExpectedFigures::parse_source(&TomlSource::new("expected.toml", text)).unwrap();
        assert_eq!(expected.paper.unwrap().authors, ["M. Itoh", "T. Ohta"]);
        let figure = &expected.figures[0];
        assert_eq!((figure.line, figure.of), (11, FigureOrigin::Measured));
        assert_eq!(
            (figure.place.as_str(), figure.interval, figure.null),
            ("table 3", Some([50.9, 57.1]), Some(50.0))
        );
    }

    #[test]
    fn bad_files_say_where() {
        let head = "[[figure]]\nkey = \"a\"\nwhat = \"b\"\nsource = \"c\"\n";
        let cases = [
            ("compare = \"equal\"\n", ":2:7: figure.key: a: a figure has either a value, a range or `below`"),
            ("compare = \"same\"\nvalue = 1\n", ":5:11: figure.compare: unknown variant `same`, expected "),
            ("compare = \"ratio\"\nrange = [2, 1]\n", ":6:9: figure.range: write finite numbers"),
            (
                "compare = \"equal\"\nrange = [1, 2]\n",
                ":6:9: figure.range: compare = \"equal\" needs a value",
            ),
            (
                "compare = \"agrees\"\nvalue = 1\ninterval = [2, 3]\n",
                ":7:12: figure.interval: an interval must hold the figure",
            ),
            (
                "compare = \"equal\"\nbelow = 1\n",
                ":6:9: figure.below: `below` goes with compare = \"agrees\", \"ratio\" or \"beside\"",
            ),
            ("compare = \"beside\"\nvalue = 1\nof = \"luck\"\n", ":7:6: figure.of: unknown variant `luck`"),
            (
                "compare = \"equal\"\nvalue = 1\ndecimals = 12\n",
                ":7:12: figure.decimals: 12: decimals must be 0 to 9",
            ),
            (
                "compare = \"equal\"\nvalue = 1\ndecimal = 1\n",
                ":7:1: figure.decimal: unknown field `decimal`",
            ),
        ];
        for (rest, place) in cases {
            let source = TomlSource::new("expected.toml", format!("{head}{rest}"));
            let error = ExpectedFigures::parse_source(&source).unwrap_err().to_string();
            assert!(error.starts_with(&format!("expected.toml{place}")), "{rest}\n{error}");
        }
    }

    #[test]
    fn a_document_has_authors_and_all_that_it_is_cited_with() {
        let paper = |authors: &str, title: &str| {
            let text = format!(
                "[paper]\ndocument = \"1\"\nauthors = [{authors}]\ntitle = \"{title}\"\nyear = \"2016\"\nvenue = \"B\"\n\
                 docs = \"docs/no.md\"\n"
            );
            TomlSource::new("expected.toml", text)
        };
        let error =
            |authors, title| ExpectedFigures::parse_source(&paper(authors, title)).unwrap_err().to_string();
        let start = "expected.toml:3:11: paper.authors: a document must have one author or more";
        assert!(error("", "t").starts_with(start), "{}", error("", "t"));
        assert!(error("\"\"", "t").starts_with(start));
        assert!(
            error("\"A\"", " ").starts_with("expected.toml:4:9: paper.title: the title must not be empty")
        );
        let good = paper("\"A\"", "t");
        let place = tempfile::tempdir().unwrap();
        // Without the folder of the pages there is nothing to look for: that is an installed program.
        ExpectedFigures::check_docs_page(&good, place.path()).unwrap();
        std::fs::create_dir(place.path().join("docs")).unwrap();
        let error = ExpectedFigures::check_docs_page(&good, place.path()).unwrap_err().to_string();
        assert!(error.starts_with("expected.toml:7:8: paper.docs: docs/no.md: no such file"), "{error}");
        std::fs::write(place.path().join("docs/no.md"), "").unwrap();
        ExpectedFigures::check_docs_page(&good, place.path()).unwrap();
    }
}
