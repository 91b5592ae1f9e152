//! The article's demonstrations: how many pieces of a deck are not of the theme that its fixed pieces are of.

use super::example::{rate, with_interval};
use super::measure::{CaseResult, DeckPieces};
use super::methods::{DeckMethod, Search};
use super::tables::mean_with_interval;
use super::{Decks, Shape};
use crate::expected::{Finding, number};
use crate::report::{Block, Body, IntervalPlot, IntervalRow, Section, Table};

const TEXT: &str = "The article fixes 3, 2 and 2 pieces of one theme and counts the pieces of other themes in the deck of the method in use and in its \
    own. Here a piece is outside if it is neither of the theme that the fixed pieces were drawn from (its core or its fringe) nor a staple, which \
    goes into any deck; staples are counted apart. Intervals are 95 %: of means over requests by Student's t (the worlds are the units where there \
    are five or more, otherwise the requests), of shares of decks by Wilson, as if no two requests shared a world. Where no deck has a piece of a kind, the exact upper bound of the share of decks \
    with one stands instead (one-sided, 95 %).";

/// Pieces of a deck.
const PIECES: f64 = 16.0;

/// The requests of every world.
pub(super) type Worlds = Vec<Vec<CaseResult>>;

impl Decks {
    /// Purity in one shape; `None` where its world has no themes.
    pub(super) fn purity(&self, shape: &Shape, worlds: &Worlds, body: &mut Body) -> Option<Section> {
        let first = worlds.first()?.first()?;
        first.traces.iter().find_map(|trace| trace.pieces)?;
        let mut table = Table::new([
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
            let Some(holds) = Holds::of(worlds, at) else { continue };
            let counted = article(shape, method.search);
            table.row([
                method.name.clone(),
                counted.map_or(String::new(), |count| count.to_string()),
                holds.outside.cell(2),
                holds.pure.cell(0),
                holds.staples.cell(2),
                holds.cheap.cell(2),
                holds.with_cheap.cell(0),
            ]);
            rows.push(IntervalRow {
                label: method.name.clone(),
                value: holds.outside.value,
                interval: holds.outside.interval,
                marks: counted.map(|count| count as f64).into_iter().collect(),
            });
            body.findings.extend(holds.findings(shape, method));
        }
        let plot = IntervalPlot {
            title: format!("{}: pieces outside the theme", shape.name),
            axis: "pieces of a deck of 16; dashed: the article".into(),
            logarithmic: false,
            rows,
        };
        let blocks = vec![
            Block::Text(TEXT.into()),
            Block::Table(table),
            Block::Intervals(format!("purity-{}", shape.name), plot),
        ];
        Some(Section { heading: format!("Purity: {}", shape.name), blocks })
    }
}

/// A number with its interval, or with a note where no interval can be told.
struct Estimate {
    value: f64,
    interval: Option<[f64; 2]>,
    note: String,
}

impl Estimate {
    /// A mean number of pieces. Of nothing in all decks no interval of the mean can be told, but how many decks may have some.
    fn mean((value, interval): (f64, Option<[f64; 2]>), decks: usize) -> Estimate {
        let note = if value == 0.0 { none_in(decks) } else { String::new() };
        Estimate { value, interval: interval.filter(|_| value != 0.0), note }
    }

    fn share((value, interval): (f64, Option<[f64; 2]>)) -> Estimate {
        Estimate { value, interval, note: String::new() }
    }

    /// `1.56 (0.84 to 2.28)`.
    fn cell(&self, decimals: usize) -> String {
        match self.note.as_str() {
            "" => with_interval(self.value, self.interval, decimals),
            note => format!("{} ({note})", number(self.value, decimals)),
        }
    }
}

/// The exact upper bound, at 95 %, of the share of decks with some where none of so many has any (Clopper and Pearson 1934).
fn none_in(decks: usize) -> String {
    let bound = 1.0 - 0.05f64.powf(1.0 / decks as f64);
    format!("none in {decks} decks: at most {} % have one", number(100.0 * bound, 0))
}

/// What the decks of one method hold.
struct Holds {
    outside: Estimate,
    /// Decks without a piece outside, in per cent.
    pure: Estimate,
    staples: Estimate,
    cheap: Estimate,
    /// Decks with a piece of the least cost, in per cent.
    with_cheap: Estimate,
}

impl Holds {
    /// Of the decks that the method in this place has found; `None` if it has found none, which is not a deck without such pieces.
    fn of(worlds: &Worlds, at: usize) -> Option<Holds> {
        let decks: Vec<DeckPieces> =
            worlds.iter().flatten().filter_map(|case| case.traces[at].pieces).collect();
        if decks.is_empty() {
            return None;
        }
        let mean = |of: fn(&DeckPieces) -> u64| {
            let mean = mean_with_interval(worlds, 0.0..=PIECES, |case| {
                case.traces[at].pieces.as_ref().map(|pieces| of(pieces) as f64)
            });
            Estimate::mean(mean, decks.len())
        };
        let share = |is: fn(&DeckPieces) -> bool| {
            Estimate::share(rate(decks.iter().filter(|pieces| is(pieces)).count() as u64, decks.len() as u64))
        };
        Some(Holds {
            outside: mean(|pieces| pieces.outside),
            pure: share(|pieces| pieces.outside == 0),
            staples: mean(|pieces| pieces.staples),
            cheap: mean(|pieces| pieces.cheap),
            with_cheap: share(|pieces| pieces.cheap > 0),
        })
    }

    fn findings(self, shape: &Shape, method: &DeckMethod) -> impl Iterator<Item = Finding> {
        let figures = [
            ("outside", "pieces outside the theme", self.outside, "", 2),
            ("pure", "decks without a piece outside the theme", self.pure, "%", 0),
            ("staples", "staples", self.staples, "", 2),
            ("cost-5", "pieces of cost 5", self.cheap, "", 2),
            ("with-cost-5", "decks with a piece of cost 5", self.with_cheap, "%", 0),
        ];
        let (shape, name, word) = (shape.name.clone(), method.name.clone(), method.word());
        figures.into_iter().map(move |(key, what, Estimate { value, interval, note }, unit, decimals)| {
            Finding {
                key: format!("{shape}.{word}.{key}"),
                what: format!("{shape}, {name}: {what}"),
                value,
                interval,
                unit: unit.into(),
                decimals,
                note,
            }
        })
    }
}

/// What the article counts for a method, if this is one of its two.
fn article(shape: &Shape, search: Search) -> Option<u64> {
    let [in_use, climbing] = shape.article_outside?;
    match search {
        Search::Greedy => Some(in_use),
        Search::VariableDepth => Some(climbing),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.741^10 = 0.05, and 0.05^(1/3) = 0.368.
    #[test]
    fn nothing_in_a_few_decks_leaves_room() {
        assert_eq!(none_in(10), "none in 10 decks: at most 26 % have one");
        assert_eq!(none_in(3), "none in 3 decks: at most 63 % have one");
        assert_eq!(
            Estimate::mean((0.0, Some([0.0, 0.0])), 10).cell(2),
            "0.00 (none in 10 decks: at most 26 % have one)"
        );
        assert_eq!(Estimate::mean((1.5, Some([1.0, 2.0])), 10).cell(2), "1.50 (1.00 to 2.00)");
    }
}
