//! The pages of the room.

use std::collections::BTreeSet;

use ishi_deck::{AnswerStatus, Pool};
use ishi_lab::store::StoredDocument;
use maud::{Markup, html};

use super::form::{method_words, resource_name};
use super::table::{BuiltDeck, DeckTable};
use crate::workbench::rooms::kept_list::render_kept_documents;
use crate::workbench::visitor::Visitor;

pub(super) fn render_samples(visitor: &Visitor) -> Markup {
    html! {
        form.row method="post" action="/decks/sample" {
            button.main name="which" value="thirty" { (visitor.text("decks-thirty-pieces")) }
            button name="which" value="generated" { (visitor.text("decks-120-pieces-generated")) }
        }
        p.quiet { (visitor.text("decks-pieces-of-games-that-do-not")) }
    }
}

/// Lists of decks out of which scores are learned.
pub(super) fn render_learn_form(visitor: &Visitor) -> Markup {
    html! {
        form method="post" action="/decks/learn" hx-post="/decks/learn" hx-swap="none" {
            label for="decks-lists" { (visitor.text("decks-paste-decks-lists-of-arena-mtgo")) }
            textarea #decks-lists name="text" rows="8" required data-drops spellcheck="false" placeholder="4 Ant\n2 Bee\n\n3 Ant\n1 Cow" {}
            div.row {
                label for="decks-list-files" { (visitor.text("decks-or-files")) }
                input #decks-list-files type="file" multiple data-into="#decks-lists" accept=".txt,.csv,.tsv,.dek,text/plain,text/csv";
            }
            div.row {
                label for="decks-lists-title" { (visitor.text("decks-name")) }
                input #decks-lists-title name="title" maxlength="80";
                button.main { (visitor.text("decks-learn-and-build")) }
            }
            p.quiet { (visitor.text("decks-cards-that-are-played-together-score")) }
        }
    }
}

/// Why a card or not, and what to get next.
pub(super) fn render_questions(visitor: &Visitor, key: &str, table: &DeckTable, pool: &Pool) -> Markup {
    html! {
        form.row hx-post={ "/decks/" (key) "/why" } hx-target="#decks-why" hx-disabled-elt="find button" {
            label for="decks-card" { (visitor.text("decks-why-this-card-or-why-not")) }
            input #decks-card name="card" list="decks-names" required autocomplete="off";
            datalist #decks-names { @for piece in &pool.pieces { option value=(piece.name) {} } }
            button { (visitor.text("decks-ask")) }
        }
        div #decks-why aria-live="polite" {}
        details open[!table.owned.is_empty()] {
            summary { (visitor.text("decks-what-to-get-next")) }
            form hx-post={ "/decks/" (key) "/next" } hx-target="#decks-next" hx-disabled-elt="find button" {
                label for="decks-owned" { (visitor.text("decks-cards-that-you-own-one-a")) }
                textarea #decks-owned name="owned" rows="5" required spellcheck="false" { (table.owned) }
                button { (visitor.text("decks-which-card-helps-most")) }
            }
            div #decks-next aria-live="polite" {}
        }
        p.quiet { (visitor.text("decks-answers-go-by-what-was-wanted")) }
    }
}

pub(super) fn render_load_form(visitor: &Visitor) -> Markup {
    html! {
        form method="post" action="/decks" hx-post="/decks" hx-swap="none" {
            label for="decks-text" { (visitor.text("decks-the-table-json-toml-or-csv")) }
            textarea #decks-text name="text" rows="8" required placeholder="name,cost\nAnt,3\nBee,4" {}
            div.row {
                label for="decks-file" { (visitor.text("decks-or-a-file")) }
                input #decks-file type="file" data-into="#decks-text" accept=".json,.toml,.csv,application/json,text/csv";
            }
            details {
                summary { (visitor.text("decks-pairs-in-a-csv-of-their")) }
                label for="decks-pairs" { (visitor.text("decks-pairs")) }
                textarea #decks-pairs name="pairs" rows="5" placeholder="a,b,score\nAnt,Bee,7" {}
                input type="file" data-into="#decks-pairs" accept=".csv,text/csv" aria-label=(visitor.text("decks-a-file-of-pairs"));
            }
            div.row {
                label for="decks-title" { (visitor.text("decks-name")) }
                input #decks-title name="title" maxlength="80";
                button.main { (visitor.text("decks-load")) }
            }
        }
    }
}

pub(super) fn render_tables(visitor: &Visitor, kept: &[StoredDocument]) -> Markup {
    html! {
        @if kept.is_empty() { p.quiet { (visitor.text("decks-none-yet-paste-decks-try-a")) } }
        (render_kept_documents(visitor, ("decks", "solvers-list"), kept, |document| html! {
            " " span.quiet { (document.body["decks"].as_array().map_or(0, Vec::len)) (visitor.text("decks-decks-end")) }
        }))
    }
}

/// How far the work is.
pub(super) struct BuildState {
    pub(super) value: Option<f64>,
    pub(super) bound: Option<f64>,
    pub(super) seconds: f64,
    pub(super) limit: f64,
}

/// Value, bound and gap so far.
pub(super) fn render_progress(visitor: &Visitor, key: &str, step: &BuildState) -> Markup {
    html! {
        p { span data-heard { (visitor.text("decks-building")) } " "
            (visitor.text("decks-value")) (format_value(step.value)) (visitor.text("workbench-comma")) (visitor.text("decks-bound")) (format_value(step.bound))
            @if let (Some(value), Some(bound)) = (step.value, step.bound) {
                (visitor.text("workbench-comma")) (visitor.text("decks-gap")) (format!("{:.1}", bound - value))
            }
        }
        progress max=(step.limit) value=(step.seconds.min(step.limit)) aria-label=(visitor.text("decks-time-used")) {}
        button #decks-stop hx-post={ "/decks/" (key) "/stop" } hx-swap="none" { (visitor.text("decks-stop-and-take-the-best-so")) }
    }
}

pub(super) fn render_done(visitor: &Visitor) -> Markup {
    html! { p.quiet data-heard { (visitor.text("decks-done")) } }
}

fn format_value(value: Option<f64>) -> String {
    value.map_or("–".to_string(), |value| format!("{value:.1}"))
}

/// The decks side by side.
pub(super) fn render_decks(visitor: &Visitor, key: &str, table: &DeckTable) -> Markup {
    if table.decks.is_empty() {
        return html! { p.quiet { (visitor.text("decks-none-yet-say-what-is-wanted")) } };
    }
    let names = all_piece_names(&table.decks);
    html! {
        div.scroll tabindex="0" role="region" aria-label=(visitor.text("decks-decks-side-by-side")) {
            table.decks-compared {
                thead { tr {
                    th scope="col" { (visitor.text("decks-deck")) }
                    @for deck in &table.decks { th scope="col" { (deck.number) } }
                } }
                tbody {
                    (render_row(visitor.text("decks-value-in-view"), table, |deck| html! { b { (format_value(deck.answer.deck.as_ref().map(|deck| deck.value))) } }))
                    (render_row(visitor.text("decks-bound-in-view"), table, |deck| html! { (format_value(deck.answer.bound)) }))
                    (render_row(visitor.text("decks-gap-in-view"), table, |deck| html! { (deck.answer.gap.map_or("–".to_string(), |gap| format!("{:.1} %", gap * 100.0))) }))
                    (render_row(visitor.text("decks-sure"), table, |deck| html! { (status_words(visitor, deck.answer.status)) }))
                    (render_row(visitor.text("decks-method"), table, |deck| html! { (method_words(visitor, deck.answer.method)) }))
                    (render_row(visitor.text("decks-seconds"), table, |deck| html! { (format!("{:.2}", deck.answer.seconds)) }))
                    (render_row(visitor.text("decks-cost"), table, |deck| render_costs(visitor, deck)))
                    (render_row(visitor.text("decks-leader"), table, |deck| html! { (deck.answer.deck.as_ref().and_then(|deck| deck.leader.as_deref()).unwrap_or("–")) }))
                    (render_row(visitor.text("decks-list"), table, |deck| render_list_link(visitor, key, deck)))
                    (render_row(visitor.text("decks-pairs"), table, |deck| render_pairs_link(visitor, key, deck)))
                    (render_row(visitor.text("decks-delete"), table, |deck| html! {
                        button id={ "decks-drop-" (deck.number) } hx-post={ "/decks/" (key) "/drop/" (deck.number) } hx-swap="none"
                            aria-label={ (visitor.text("decks-delete-deck")) (deck.number) } { "×" }
                    }))
                    @for name in &names { (render_row(name, table, |deck| render_copies(visitor, deck, name))) }
                }
            }
        }
        @for deck in &table.decks {
            @for reason in deck.tell_reasons(visitor.texts) { p.bad { (visitor.text("decks-deck-in-view")) (deck.number) ": " (reason) } }
        }
        p { a.button href={ "/decks/" (key) "/decks.json" } download { "JSON" } }
        div #decks-pairs {}
    }
}

fn render_row(name: &str, table: &DeckTable, cell: impl Fn(&BuiltDeck) -> Markup) -> Markup {
    html! { tr { th scope="row" { (name) } @for deck in &table.decks { td { (cell(deck)) } } } }
}

/// Pieces of any deck, those of all decks first.
fn all_piece_names(decks: &[BuiltDeck]) -> Vec<String> {
    let has = |built: &BuiltDeck, name: &String| {
        built.answer.deck.as_ref().is_some_and(|deck| deck.deck.contains(name))
    };
    let every: BTreeSet<&String> =
        decks.iter().filter_map(|built| built.answer.deck.as_ref()).flat_map(|deck| &deck.deck).collect();
    let mut names: Vec<(usize, &String)> =
        every.into_iter().map(|name| (decks.iter().filter(|built| has(built, name)).count(), name)).collect();
    names.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    names.into_iter().map(|(_, name)| name.clone()).collect()
}

fn render_copies(visitor: &Visitor, built: &BuiltDeck, name: &str) -> Markup {
    let count =
        built.answer.deck.as_ref().map_or(0, |deck| deck.deck.iter().filter(|each| *each == name).count());
    html! {
        @match count {
            0 => span.unseen { (visitor.text("decks-no")) },
            1 => { span aria-hidden="true" { "●" } span.unseen { (visitor.text("decks-yes")) } },
            more => { "●×" (more) },
        }
    }
}

fn status_words(visitor: &Visitor, status: AnswerStatus) -> &'static str {
    match status {
        AnswerStatus::Optimal => visitor.text("decks-best-proved"),
        AnswerStatus::Feasible => visitor.text("decks-not-proved"),
        AnswerStatus::Infeasible => visitor.text("decks-there-is-none"),
        AnswerStatus::Unknown => visitor.text("decks-none-found"),
    }
}

fn render_costs(visitor: &Visitor, built: &BuiltDeck) -> Markup {
    html! {
        @if let Some(deck) = &built.answer.deck {
            @for (resource, spent) in &deck.costs {
                (resource_name(visitor, resource)) " " (spent.spent) @if let Some(limit) = spent.limit { "/" (limit) } " "
            }
        }
    }
}

/// The deck as a list for other programs.
fn render_list_link(visitor: &Visitor, key: &str, built: &BuiltDeck) -> Markup {
    html! {
        @if built.answer.deck.is_some() {
            a href={ "/decks/" (key) "/deck-" (built.number) ".txt" } download {
                (visitor.text("decks-text")) span.unseen { " " (built.number) }
            }
        }
    }
}

fn render_pairs_link(visitor: &Visitor, key: &str, built: &BuiltDeck) -> Markup {
    let number = built.number;
    html! {
        @if built.answer.deck.is_some() {
            a id={ "decks-pairs-" (number) } href={ "/decks/" (key) "/pairs?deck=" (number) }
                hx-get={ "/decks/" (key) "/pairs?deck=" (number) } hx-target="#decks-pairs" {
                (visitor.text("decks-show")) span.unseen { " " (number) }
            }
            " " a href={ "/decks/" (key) "/pairs-" (number) ".svg" } download { "SVG" }
        }
    }
}
