//! The article's demonstrations: how many pieces of a deck are not of the theme that its fixed pieces are of.

use super::example::{rate, with_interval};
use super::measure::{CaseResult, DeckPieces};
use super::methods::Search;
use super::tables::mean_with_interval;
use super::{Decks, Shape};
use crate::expected::Finding;
use crate::report::{Block, Body, IntervalPlot, IntervalRow, Section, Table};

const TEXT: &str = "The article fixes 3, 2 and 2 pieces of one theme and counts the pieces of other themes in the deck of the method in use and in its \
    own. Here a piece is outside if it is neither of the theme that the fixed pieces were drawn from (its core or its fringe) nor a staple, which \
    goes into any deck; staples are counted apart. Means over requests; intervals are 95 % by Student's t, the worlds being the units.";

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
            let mean = |of: fn(&DeckPieces) -> u64| {
                mean_with_interval(worlds, 0.0..=PIECES, |case| {
                    case.traces[at].pieces.as_ref().map(|pieces| of(pieces) as f64)
                })
            };
            let share = |is: fn(&DeckPieces) -> bool| {
                let decks = worlds.iter().flatten().filter_map(|case| case.traces[at].pieces);
                let (all, those) =
                    decks.fold((0, 0), |(all, those), pieces| (all + 1, those + u64::from(is(&pieces))));
                rate(those, all)
            };
            let outside = mean(|pieces| pieces.outside);
            let staples = mean(|pieces| pieces.staples);
            let cheap = mean(|pieces| pieces.cheap);
            let pure = share(|pieces| pieces.outside == 0);
            let with_cheap = share(|pieces| pieces.cheap > 0);
            table.row([
                method.name.clone(),
                article(shape, method.search).map_or(String::new(), |count| count.to_string()),
                with_interval(outside.0, outside.1, 2),
                with_interval(pure.0, pure.1, 0),
                with_interval(staples.0, staples.1, 2),
                with_interval(cheap.0, cheap.1, 2),
                with_interval(with_cheap.0, with_cheap.1, 0),
            ]);
            rows.push(IntervalRow {
                label: method.name.clone(),
                value: outside.0,
                interval: outside.1,
                marks: article(shape, method.search).map(|count| count as f64).into_iter().collect(),
            });
            let figures = [
                ("outside", "pieces outside the theme", outside, "", 2),
                ("pure", "decks without a piece outside the theme", pure, "%", 0),
                ("staples", "staples", staples, "", 2),
                ("cost-5", "pieces of cost 5", cheap, "", 2),
                ("with-cost-5", "decks with a piece of cost 5", with_cheap, "%", 0),
            ];
            for (key, what, (value, interval), unit, decimals) in figures {
                body.findings.push(Finding {
                    key: format!("{}.{}.{key}", shape.name, method.word()),
                    what: format!("{}, {}: {what}", shape.name, method.name),
                    value,
                    interval,
                    unit: unit.into(),
                    decimals,
                });
            }
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

/// What the article counts for a method, if this is one of its two.
fn article(shape: &Shape, search: Search) -> Option<u64> {
    let [in_use, climbing] = shape.article_outside?;
    match search {
        Search::Greedy => Some(in_use),
        Search::VariableDepth => Some(climbing),
        _ => None,
    }
}
