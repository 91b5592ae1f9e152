//! Contributions of a deck's pairs: a picture, and the same as a table.

use ishi_deck::PieceId;
use ishi_deck_documents::PieceNames;
use ishi_draw::{SvgElement, blend_colors};
use ishi_words::CodedMessage;
use maud::{Markup, PreEscaped, html};

use super::table::DeckTable;
use crate::workbench::error::PageError;
use crate::workbench::table::TableColumn::{Numbers, Words};
use crate::workbench::table::{TableColumn, render_scrolling_table, render_table};
use crate::workbench::visitor::Visitor;

/// The scores of a deck's pairs.
pub(super) struct PairScores {
    pub(super) number: usize,
    /// The leader first, if there is one.
    names: Vec<String>,
    leads: bool,
    /// What each piece scores alone.
    alone: Vec<f64>,
    /// Row and column as `names`; symmetric, 0 on the diagonal.
    scores: Vec<Vec<f64>>,
}

impl PairScores {
    /// The scores of the deck of this number.
    pub(super) fn for_deck(table: &DeckTable, number: usize) -> Result<PairScores, PageError> {
        let none = || PageError::invalid_input("decks-there-is-no-deck-to-look");
        let built = table.find_deck(number)?;
        let deck = built.answer.deck.as_ref().ok_or_else(none)?;
        let pool = table.parse_pool()?.pool;
        let known = PieceNames::from_pool(&pool);
        let ids: Result<Vec<PieceId>, CodedMessage> =
            deck.deck.iter().map(|name| known.find_piece(name)).collect();
        let ids = ids?;
        let leads = deck.leader.is_some();
        let pair = |a: usize, b: usize| {
            let (first, second) = (ids[a].index(), ids[b].index());
            let units = match &pool.leaders {
                Some(leaders) if leads && a == 0 => leaders.get(first, second),
                Some(leaders) if leads && b == 0 => leaders.get(second, first),
                _ => pool.pairs.get(first, second),
            };
            if a == b { 0.0 } else { pool.score_of_units(i64::from(units)) }
        };
        let alone = |(at, id): (usize, &PieceId)| {
            let piece = pool.piece(*id);
            pool.score_of_units(piece.score + if leads && at == 0 { piece.leader_score } else { 0 })
        };
        Ok(PairScores {
            number,
            names: deck.deck.clone(),
            leads,
            alone: ids.iter().enumerate().map(alone).collect(),
            scores: (0..ids.len()).map(|a| (0..ids.len()).map(|b| pair(a, b)).collect()).collect(),
        })
    }

    /// What a piece adds to the deck: its own score, and those of its pairs.
    fn total_score(&self, at: usize) -> f64 {
        self.alone[at] + self.scores[at].iter().sum::<f64>()
    }

    fn largest_score(&self) -> f64 {
        self.scores.iter().flatten().fold(0.0, |most, score| most.max(score.abs()))
    }
}

const CELL: usize = 26;
/// Units for the names, and for what of them leans out to the right.
const NAMES: usize = 130;
const RIM: usize = 60;

/// Red, white, blue: told apart by those who do not tell red from green.
fn score_color(share: f64) -> String {
    let end = if share < 0.0 { [214.0, 96.0, 70.0] } else { [46.0, 110.0, 190.0] };
    blend_colors([247.0; 3], end, share.abs().min(1.0))
}

const INK: &str = "#1f1d1a";

/// The picture: a square for every pair, blue for what goes together, red for what does not.
pub(super) fn draw_svg(pairs: &PairScores) -> String {
    let side = NAMES + pairs.names.len() * CELL + RIM;
    let svg = SvgElement::document(side, side).attr("role", "img").attr("font-size", 11).with_font();
    let mut svg = svg.with_title(format_args!("pairs of deck {}", pairs.number));
    svg.add(SvgElement::background(side, side).fill("#ffffff"));
    for (at, name) in pairs.names.iter().enumerate() {
        draw_name(&mut svg, at, &shorten_name(name), pairs.leads && at == 0);
    }
    let most = pairs.largest_score();
    for (row, scores) in pairs.scores.iter().enumerate() {
        for (column, &score) in scores.iter().enumerate().filter(|(column, _)| *column != row) {
            draw_cell(&mut svg, row, column, score, most);
        }
    }
    svg.to_file()
}

/// A piece's name beside its row and above its column.
fn draw_name(svg: &mut SvgElement, at: usize, name: &str, is_leader: bool) {
    let middle = NAMES + at * CELL + CELL / 2;
    let row = SvgElement::text(NAMES - 5, middle + 4, name).attr("text-anchor", "end");
    let turned = format_args!("translate({},{}) rotate(-60)", middle + 3, NAMES - 5);
    let column = SvgElement::new("text").attr("transform", turned).with_text(name);
    for text in [row, column].map(|text| text.fill(INK)) {
        svg.add(if is_leader { text.attr("font-weight", "bold") } else { text });
    }
}

/// A pair's square with its score.
fn draw_cell(svg: &mut SvgElement, row: usize, column: usize, score: f64, most: f64) {
    let (x, y) = (NAMES + column * CELL, NAMES + row * CELL);
    let share = if most > 0.0 { score / most } else { 0.0 };
    svg.add(SvgElement::rect(x, y, CELL, CELL).fill(&score_color(share)).stroke("#d8d2c4"));
    if score != 0.0 {
        let ink = if share.abs() > 0.85 { "#ffffff" } else { INK };
        let text = SvgElement::text(x + CELL / 2, y + CELL / 2 + 3, format_score(score));
        svg.add(text.attr("text-anchor", "middle").attr("font-size", 9).fill(ink));
    }
}

fn format_score(score: f64) -> String {
    if score.abs() < 99.95 { format!("{score:.1}") } else { format!("{score:.0}") }
}

fn shorten_name(name: &str) -> String {
    const MOST: usize = 18;
    if name.chars().count() <= MOST {
        return name.to_string();
    }
    name.chars().take(MOST - 1).chain(['…']).collect()
}

/// Larger decks are not drawn on the page.
const MOST_DRAWN: usize = 60;

/// Pairs in the list.
const LISTED: usize = 12;

pub(super) fn render_pairs(visitor: &Visitor, pairs: &PairScores) -> Markup {
    let count = pairs.names.len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| pairs.total_score(b).total_cmp(&pairs.total_score(a)));
    let mut all: Vec<(usize, usize)> = (0..count).flat_map(|a| (0..a).map(move |b| (b, a))).collect();
    all.sort_by(|&(a, b), &(c, d)| pairs.scores[c][d].abs().total_cmp(&pairs.scores[a][b].abs()));
    let names = pairs.names.iter().map(|name| Numbers(name));
    let columns: Vec<TableColumn<'_>> =
        std::iter::once(Words(visitor.text("decks-piece"))).chain(names).collect();
    html! {
        h3 { (visitor.text("decks-pairs-of-deck")) (pairs.number) }
        @if count <= MOST_DRAWN {
            div.scroll.decks-heat tabindex="0" role="region" aria-label=(visitor.text("decks-picture-of-the-pairs")) {
                (PreEscaped(draw_svg(pairs)))
            }
            p.quiet { (visitor.text("decks-blue-goes-together-red-does-not")) }
        }
        div.cards {
            (render_strongest_pairs(visitor, pairs, &all))
            div {
                h4 { (visitor.text("decks-what-each-piece-adds")) }
                (render_table(&[Words(visitor.text("decks-piece")), Numbers(visitor.text("decks-alone")), Numbers(visitor.text("decks-with-its-pairs"))], html! {
                    @for at in order {
                        tr { th scope="row" { (pairs.names[at]) } td.number { (format_score(pairs.alone[at])) } td.number { (format_score(pairs.total_score(at))) } }
                    }
                }))
            }
        }
        details {
            summary { (visitor.text("decks-all-pairs-as-a-table")) }
            (render_scrolling_table(visitor.text("decks-all-pairs"), &columns, html! {
                @for (row, scores) in pairs.scores.iter().enumerate() {
                    tr {
                        th scope="row" { (pairs.names[row]) }
                        @for (column, score) in scores.iter().enumerate() { td.number { @if column != row { (format_score(*score)) } } }
                    }
                }
            }))
        }
    }
}

fn render_strongest_pairs(visitor: &Visitor, pairs: &PairScores, all: &[(usize, usize)]) -> Markup {
    html! {
        div {
            h4 { (visitor.text("decks-strongest-pairs")) }
            (render_table(&[Words(visitor.text("decks-pair")), Numbers(visitor.text("decks-score"))], html! {
                @for &(a, b) in all.iter().take(LISTED) {
                    tr { th scope="row" { (pairs.names[a]) " + " (pairs.names[b]) } td.number { (format_score(pairs.scores[a][b])) } }
                }
            }))
        }
    }
}
