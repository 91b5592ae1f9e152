//! The article's demonstrations: how many pieces of a deck are not of the theme that its fixed pieces are of.

use super::example::{rate, with_interval};
use super::measure::{CaseResult, DeckPieces};
use super::methods::{DeckMethod, Search};
use super::tables::mean_with_interval;
use super::{Decks, Shape};
use crate::expected::Finding;
use crate::report::{Block, Body, IntervalPlot, IntervalRow, Section, Table};

const TEXT: &str = "The article fixes 3, 2 and 2 pieces of one theme and counts the pieces of other themes in the deck of the method in use and in its \
    own. Here a piece is outside if it is neither of the theme that the fixed pieces were drawn from (its core or its fringe) nor a staple, which \
    goes into any deck; staples are counted apart. Intervals are 95 %: of means over requests by Student's t (the worlds are the units where there \
    are five or more, otherwise the requests), of shares of decks by Wilson, as if no two requests shared a world.";

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
                with_interval(holds.outside.0, holds.outside.1, 2),
                with_interval(holds.pure.0, holds.pure.1, 0),
                with_interval(holds.staples.0, holds.staples.1, 2),
                with_interval(holds.cheap.0, holds.cheap.1, 2),
                with_interval(holds.with_cheap.0, holds.with_cheap.1, 0),
            ]);
            rows.push(IntervalRow {
                label: method.name.clone(),
                value: holds.outside.0,
                interval: holds.outside.1,
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

/// A number with its interval.
type Estimate = (f64, Option<[f64; 2]>);

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
            mean_with_interval(worlds, 0.0..=PIECES, |case| {
                case.traces[at].pieces.as_ref().map(|pieces| of(pieces) as f64)
            })
        };
        let share = |is: fn(&DeckPieces) -> bool| {
            rate(decks.iter().filter(|pieces| is(pieces)).count() as u64, decks.len() as u64)
        };
        Some(Holds {
            outside: mean(|pieces| pieces.outside),
            pure: share(|pieces| pieces.outside == 0),
            staples: mean(|pieces| pieces.staples),
            cheap: mean(|pieces| pieces.cheap),
            with_cheap: share(|pieces| pieces.cheap > 0),
        })
    }

    fn findings(&self, shape: &Shape, method: &DeckMethod) -> impl Iterator<Item = Finding> {
        let figures = [
            ("outside", "pieces outside the theme", self.outside, "", 2),
            ("pure", "decks without a piece outside the theme", self.pure, "%", 0),
            ("staples", "staples", self.staples, "", 2),
            ("cost-5", "pieces of cost 5", self.cheap, "", 2),
            ("with-cost-5", "decks with a piece of cost 5", self.with_cheap, "%", 0),
        ];
        let (shape, name, word) = (shape.name.clone(), method.name.clone(), method.word());
        figures.into_iter().map(move |(key, what, (value, interval), unit, decimals)| Finding {
            key: format!("{shape}.{word}.{key}"),
            what: format!("{shape}, {name}: {what}"),
            value,
            interval,
            unit: unit.into(),
            decimals,
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
