//! The pages of the room.

use std::collections::BTreeSet;

use ishi_deck::{AnswerStatus, Pool};
use ishi_lab::store::StoredDocument;
use maud::{Markup, html};

use super::table::{BuiltDeck, DeckTable};
use super::work::BuildState;
use crate::workbench::visitor::Visitor;

pub(super) fn render_samples(visitor: &Visitor) -> Markup {
    html! {
        form.row method="post" action="/decks/sample" {
            button.main name="which" value="thirty" { (visitor.say("Thirty pieces", "30枚の見本")) }
            button name="which" value="generated" { (visitor.say("120 pieces, generated", "120枚（自動生成）")) }
        }
        p.quiet { (visitor.say("Pieces of games that do not exist, with scores for how well two go together.", "架空のカードと、2枚の相性の得点です。")) }
    }
}

/// Lists of decks out of which scores are learned.
pub(super) fn render_learn_form(visitor: &Visitor) -> Markup {
    html! {
        form method="post" action="/decks/learn" hx-post="/decks/learn" hx-swap="none" {
            label for="decks-lists" { (visitor.say("Paste decks: lists of Arena, MTGO or Moxfield, CSV or names, with an empty line between decks",
                "デッキリストを貼り付け（Arena、MTGO、Moxfield、CSV、名前のみ。デッキの間は空行）")) }
            textarea #decks-lists name="text" rows="8" required data-drops spellcheck="false" placeholder="4 Ant\n2 Bee\n\n3 Ant\n1 Cow" {}
            div.row {
                label for="decks-list-files" { (visitor.say("or files", "またはファイル")) }
                input #decks-list-files type="file" multiple data-into="#decks-lists" accept=".txt,.csv,.tsv,.dek,text/plain,text/csv";
            }
            div.row {
                label for="decks-lists-title" { (visitor.say("Name", "名前")) }
                input #decks-lists-title name="title" maxlength="80";
                button.main { (visitor.say("Learn and build", "学習して組む")) }
            }
            p.quiet { (visitor.say("Cards that are played together score more. The first deck is built at once, of the usual size.",
                "よく一緒に使われるカードほど相性が高くなります。標準的な枚数のデッキをすぐに組みます。")) }
        }
    }
}

/// Why a card or not, and what to get next.
pub(super) fn render_questions(visitor: &Visitor, key: &str, table: &DeckTable, pool: &Pool) -> Markup {
    html! {
        form.row hx-post={ "/decks/" (key) "/why" } hx-target="#decks-why" hx-disabled-elt="find button" {
            label for="decks-card" { (visitor.say("Why this card, or why not?", "なぜこのカード？なぜ入らない？")) }
            input #decks-card name="card" list="decks-names" required autocomplete="off";
            datalist #decks-names { @for piece in &pool.pieces { option value=(piece.name) {} } }
            button { (visitor.say("Ask", "聞く")) }
        }
        div #decks-why aria-live="polite" {}
        details open[!table.owned.is_empty()] {
            summary { (visitor.say("What to get next", "次に手に入れるべきカード")) }
            form hx-post={ "/decks/" (key) "/next" } hx-target="#decks-next" hx-disabled-elt="find button" {
                label for="decks-owned" { (visitor.say("Cards that you own, one a line (Ant, or Ant,2), or a list", "持っているカード（1行に1枚、または Ant,2、またはリスト）")) }
                textarea #decks-owned name="owned" rows="5" required spellcheck="false" { (table.owned) }
                button { (visitor.say("Which card helps most?", "どのカードが最も役立つ？")) }
            }
            div #decks-next aria-live="polite" {}
        }
        p.quiet { (visitor.say("Answers go by what was wanted last, and take 15 seconds at most.", "直前の条件で答えます（最大15秒）。")) }
    }
}

pub(super) fn render_load_form(visitor: &Visitor) -> Markup {
    html! {
        form method="post" action="/decks" hx-post="/decks" hx-swap="none" {
            label for="decks-text" { (visitor.say("The table: JSON, TOML, or CSV (name,cost,attributes,group)", "表: JSON、TOML、CSV（name,cost,attributes,group）")) }
            textarea #decks-text name="text" rows="8" required placeholder="name,cost\nAnt,3\nBee,4" {}
            div.row {
                label for="decks-file" { (visitor.say("or a file", "またはファイル")) }
                input #decks-file type="file" data-into="#decks-text" accept=".json,.toml,.csv,application/json,text/csv";
            }
            details {
                summary { (visitor.say("Pairs in a CSV of their own (a,b,score)", "ペアの得点を別のCSVで渡す（a,b,score）")) }
                label for="decks-pairs" { (visitor.say("Pairs", "ペア")) }
                textarea #decks-pairs name="pairs" rows="5" placeholder="a,b,score\nAnt,Bee,7" {}
                input type="file" data-into="#decks-pairs" accept=".csv,text/csv" aria-label=(visitor.say("A file of pairs", "ペアのファイル"));
            }
            div.row {
                label for="decks-title" { (visitor.say("Name", "名前")) }
                input #decks-title name="title" maxlength="80";
                button.main { (visitor.say("Load", "読み込む")) }
            }
        }
    }
}

pub(super) fn render_tables(visitor: &Visitor, kept: &[StoredDocument]) -> Markup {
    html! {
        @if kept.is_empty() { p.quiet { (visitor.say("None yet: paste decks, try a sample, or load a table.", "まだありません。リストを貼り付けるか、見本を試すか、表を読み込んでください。")) } }
        ul.solvers-list {
            @for document in kept {
                li {
                    a href={ "/decks/" (document.key) } { (document.title) }
                    " " span.quiet { (document.body["decks"].as_array().map_or(0, Vec::len)) (visitor.say(" decks", "組")) }
                    form method="post" action={ "/decks/" (document.key) "/forget" } {
                        button aria-label={ (visitor.say("Delete", "削除")) " " (document.title) } { (visitor.say("Delete", "削除")) }
                    }
                }
            }
        }
    }
}

/// Value, bound and gap so far.
pub(super) fn render_progress(visitor: &Visitor, key: &str, step: &BuildState) -> Markup {
    html! {
        p { (visitor.say("Building …", "組んでいます…")) " "
            (visitor.say("value ", "値 ")) (format_value(step.value)) ", " (visitor.say("bound ", "上界 ")) (format_value(step.bound))
            @if let (Some(value), Some(bound)) = (step.value, step.bound) {
                ", " (visitor.say("gap ", "差 ")) (format!("{:.1}", bound - value))
            }
        }
        progress max=(step.limit) value=(step.seconds.min(step.limit)) aria-label=(visitor.say("Time used", "使った時間")) {}
        button #decks-stop hx-post={ "/decks/" (key) "/stop" } hx-swap="none" { (visitor.say("Stop and take the best so far", "ここまでの最良で止める")) }
    }
}

pub(super) fn render_done(visitor: &Visitor) -> Markup {
    html! { p.quiet { (visitor.say("Done.", "完了。")) } }
}

fn format_value(value: Option<f64>) -> String {
    value.map_or("–".to_string(), |value| format!("{value:.1}"))
}

/// The decks side by side.
pub(super) fn render_decks(visitor: &Visitor, key: &str, table: &DeckTable) -> Markup {
    if table.decks.is_empty() {
        return html! { p.quiet { (visitor.say("None yet: say what is wanted, and build.", "まだありません。条件を決めて組んでください。")) } };
    }
    let names = all_piece_names(&table.decks);
    html! {
        div.scroll tabindex="0" role="region" aria-label=(visitor.say("Decks side by side", "デッキの比較")) {
            table.decks-compared {
                thead { tr {
                    th scope="col" { (visitor.say("Deck", "デッキ")) }
                    @for deck in &table.decks { th scope="col" { (deck.number) } }
                } }
                tbody {
                    (render_row(visitor.say("Value", "値"), table, |deck| html! { b { (format_value(deck.answer.deck.as_ref().map(|deck| deck.value))) } }))
                    (render_row(visitor.say("Bound", "上界"), table, |deck| html! { (format_value(deck.answer.bound)) }))
                    (render_row(visitor.say("Gap", "差"), table, |deck| html! { (deck.answer.gap.map_or("–".to_string(), |gap| format!("{:.1} %", gap * 100.0))) }))
                    (render_row(visitor.say("Sure", "確度"), table, |deck| html! { (status_words(visitor, deck.answer.status)) }))
                    (render_row(visitor.say("Method", "方法"), table, |deck| html! { (deck.answer.method.name()) }))
                    (render_row(visitor.say("Seconds", "秒"), table, |deck| html! { (format!("{:.2}", deck.answer.seconds)) }))
                    (render_row(visitor.say("Cost", "コスト"), table, render_costs))
                    (render_row(visitor.say("Leader", "リーダー"), table, |deck| html! { (deck.answer.deck.as_ref().and_then(|deck| deck.leader.as_deref()).unwrap_or("–")) }))
                    (render_row(visitor.say("List", "リスト"), table, |deck| render_list_link(visitor, key, deck)))
                    (render_row(visitor.say("Pairs", "ペア"), table, |deck| render_pairs_link(visitor, key, deck)))
                    (render_row(visitor.say("Delete", "削除"), table, |deck| html! {
                        button id={ "decks-drop-" (deck.number) } hx-post={ "/decks/" (key) "/drop/" (deck.number) } hx-swap="none"
                            aria-label={ (visitor.say("Delete deck ", "削除: デッキ ")) (deck.number) } { "×" }
                    }))
                    @for name in &names { (render_row(name, table, |deck| render_copies(visitor, deck, name))) }
                }
            }
        }
        @for deck in &table.decks {
            @for reason in &deck.answer.reasons { p.bad { (visitor.say("Deck ", "デッキ ")) (deck.number) ": " (reason) } }
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
            0 => span.unseen { (visitor.say("no", "なし")) },
            1 => { span aria-hidden="true" { "●" } span.unseen { (visitor.say("yes", "あり")) } },
            more => { "●×" (more) },
        }
    }
}

fn status_words(visitor: &Visitor, status: AnswerStatus) -> &'static str {
    match status {
        AnswerStatus::Optimal => visitor.say("best, proved", "最良（証明済み）"),
        AnswerStatus::Feasible => visitor.say("not proved", "未証明"),
        AnswerStatus::Infeasible => visitor.say("there is none", "存在しない"),
        AnswerStatus::Unknown => visitor.say("none found", "見つからず"),
    }
}

fn render_costs(built: &BuiltDeck) -> Markup {
    html! {
        @if let Some(deck) = &built.answer.deck {
            @for (resource, spent) in &deck.costs {
                (resource) " " (spent.spent) @if let Some(limit) = spent.limit { "/" (limit) } " "
            }
        }
    }
}

/// The deck as a list for other programs.
fn render_list_link(visitor: &Visitor, key: &str, built: &BuiltDeck) -> Markup {
    html! {
        @if built.answer.deck.is_some() {
            a href={ "/decks/" (key) "/deck-" (built.number) ".txt" } download {
                (visitor.say("text", "テキスト")) span.unseen { " " (built.number) }
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
                (visitor.say("show", "見る")) span.unseen { " " (number) }
            }
            " " a href={ "/decks/" (key) "/pairs-" (number) ".svg" } download { "SVG" }
        }
    }
}
