//! The article's demonstrations: how many pieces of a deck are not of the theme that its fixed pieces are of.

use super::example::{format_with_interval, success_rate};
use super::measure::DeckPieces;
use super::methods::{DeckMethod, SearchKind};
use super::specs::{DecksExperiment, RequestShape};
use super::tables::{WorldCases, mean_with_interval};
use ishi_lab::body::{IntervalPlot, IntervalRow, ReportBody, SheetBlock, SheetSection, SheetTable};
use ishi_lab::expected::{ReportFinding, format_number};

const TEXT: &str = "The article fixes 3, 2 and 2 pieces of one theme and counts the pieces of other themes in the deck of the method in use and in its \
    own. Here a piece is outside if it is neither of the theme that the fixed pieces were drawn from (its core or its fringe) nor a staple, which \
    goes into any deck; staples are counted apart. Intervals are 95 %: of means over requests by Student's t (the worlds are the units where there \
    are five or more, otherwise the requests), of shares of decks by Wilson, as if no two requests shared a world. Where no deck has a piece of a kind, the exact upper bound of the share of decks \
    with one stands instead (one-sided, 95 %).";

/// Pieces of a deck.
const PIECES: f64 = 16.0;

impl DecksExperiment {
    /// Purity in one shape; `None` where its world has no themes.
    pub(super) fn purity_section(
        &self,
        shape: &RequestShape,
        worlds: &WorldCases,
        body: &mut ReportBody,
    ) -> Option<SheetSection> {
        let first = worlds.first()?.first()?;
        first.traces.iter().find_map(|trace| trace.pieces)?;
        let mut table = SheetTable::new([
            "method",
            "#article: outside",
            "#outside",
            "#decks without any %",
            "#staples",
            "#pieces of cost 5",
            "#decks with one of cost 5 %",
        ]);
        let mut rows = Vec::new();
        for (at, method) in self.methods_of(shape).iter().enumerate() {
            let Some(holds) = DeckContents::from_cases(worlds, at) else { continue };
            let counted = article_count(shape, method.search);
            table.add_row([
                method.name.clone(),
                counted.map_or(String::new(), |count| count.to_string()),
                holds.outside.format_cell(2),
                holds.pure.format_cell(0),
                holds.staples.format_cell(2),
                holds.cheap.format_cell(2),
                holds.with_cheap.format_cell(0),
            ]);
            let marks = counted.map(|count| count as f64).into_iter().collect();
            let outside = &holds.outside;
            rows.push(IntervalRow::new(&method.name, outside.value, outside.interval, marks));
            body.findings.extend(holds.into_findings(shape, method));
        }
        let title = format!("{}: pieces outside the theme", shape.name);
        let plot = IntervalPlot::new(title, "pieces of a deck of 16; dashed: the article", rows);
        let blocks = vec![
            SheetBlock::Text(TEXT.into()),
            SheetBlock::Table(table),
            SheetBlock::Intervals(format!("purity-{}", shape.name), plot),
        ];
        Some(SheetSection { heading: format!("Purity: {}", shape.name), blocks })
    }
}

/// A number with its interval, or with a note where no interval can be told.
struct PurityEstimate {
    value: f64,
    interval: Option<[f64; 2]>,
    note: String,
}

impl PurityEstimate {
    /// A mean number of pieces. Of nothing in all decks no interval of the mean can be told, but how many decks may have some.
    fn from_mean((value, interval): (f64, Option<[f64; 2]>), decks: usize) -> PurityEstimate {
        let note = if value == 0.0 { none_found_note(decks) } else { String::new() };
        PurityEstimate { value, interval: interval.filter(|_| value != 0.0), note }
    }

    fn from_share((value, interval): (f64, Option<[f64; 2]>)) -> PurityEstimate {
        PurityEstimate { value, interval, note: String::new() }
    }

    /// `1.56 (0.84 to 2.28)`.
    fn format_cell(&self, decimals: usize) -> String {
        match self.note.as_str() {
            "" => format_with_interval(self.value, self.interval, decimals),
            note => format!("{} ({note})", format_number(self.value, decimals)),
        }
    }
}

/// The exact upper bound, at 95 %, of the share of decks with some where none of so many has any (Clopper and Pearson 1934).
fn none_found_note(decks: usize) -> String {
    let bound = 1.0 - 0.05f64.powf(1.0 / decks as f64);
    format!("none in {decks} decks: at most {} % have one", format_number(100.0 * bound, 0))
}

/// What the decks of one method hold.
struct DeckContents {
    outside: PurityEstimate,
    /// Decks without a piece outside, in per cent.
    pure: PurityEstimate,
    staples: PurityEstimate,
    cheap: PurityEstimate,
    /// Decks with a piece of the least cost, in per cent.
    with_cheap: PurityEstimate,
}

impl DeckContents {
    /// What the decks hold that the method in this place has found; `None` if it has found none, which is not a deck without such pieces.
    fn from_cases(worlds: &WorldCases, at: usize) -> Option<DeckContents> {
        let decks: Vec<DeckPieces> =
            worlds.iter().flatten().filter_map(|case| case.traces[at].pieces).collect();
        if decks.is_empty() {
            return None;
        }
        let mean = |of: fn(&DeckPieces) -> u64| {
            let mean = mean_with_interval(worlds, 0.0..=PIECES, |case| {
                case.traces[at].pieces.as_ref().map(|pieces| of(pieces) as f64)
            });
            PurityEstimate::from_mean(mean, decks.len())
        };
        let share = |is: fn(&DeckPieces) -> bool| {
            PurityEstimate::from_share(success_rate(
                decks.iter().filter(|pieces| is(pieces)).count() as u64,
                decks.len() as u64,
            ))
        };
        Some(DeckContents {
            outside: mean(|pieces| pieces.outside),
            pure: share(|pieces| pieces.outside == 0),
            staples: mean(|pieces| pieces.staples),
            cheap: mean(|pieces| pieces.cheap),
            with_cheap: share(|pieces| pieces.cheap > 0),
        })
    }

    fn into_findings(self, shape: &RequestShape, method: &DeckMethod) -> impl Iterator<Item = ReportFinding> {
        let figures = [
            ("outside", "pieces outside the theme", self.outside, "", 2),
            ("pure", "decks without a piece outside the theme", self.pure, "%", 0),
            ("staples", "staples", self.staples, "", 2),
            ("cost-5", "pieces of cost 5", self.cheap, "", 2),
            ("with-cost-5", "decks with a piece of cost 5", self.with_cheap, "%", 0),
        ];
        let (shape, name, word) = (shape.name.clone(), method.name.clone(), method.key_name());
        figures.into_iter().map(move |(key, what, estimate, unit, decimals)| {
            let PurityEstimate { value, interval, note } = estimate;
            let (key, what) = (format!("{shape}.{word}.{key}"), format!("{shape}, {name}: {what}"));
            let finding = ReportFinding::new(key, what, value, (unit, decimals)).with_interval(interval);
            ReportFinding { note, ..finding }
        })
    }
}

/// What the article counts for a method, if this is one of its two.
fn article_count(shape: &RequestShape, search: SearchKind) -> Option<u64> {
    let [in_use, climbing] = shape.article_outside?;
    match search {
        SearchKind::Greedy => Some(in_use),
        SearchKind::VariableDepth => Some(climbing),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.741^10 = 0.05, and 0.05^(1/3) = 0.368.
    #[test]
    fn nothing_in_a_few_decks_leaves_room() {
        assert_eq!(none_found_note(10), "none in 10 decks: at most 26 % have one");
        assert_eq!(none_found_note(3), "none in 3 decks: at most 63 % have one");
        assert_eq!(
            PurityEstimate::from_mean((0.0, Some([0.0, 0.0])), 10).format_cell(2),
            "0.00 (none in 10 decks: at most 26 % have one)"
        );
        assert_eq!(
            PurityEstimate::from_mean((1.5, Some([1.0, 2.0])), 10).format_cell(2),
            "1.50 (1.00 to 2.00)"
        );
    }
}
