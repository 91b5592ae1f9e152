//! 36 patterns at a glance, and what is done with whole collections.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path, Query};
use axum::routing::{get, post};
use ishi_patterns::joseki::book::MoveKind;
use ishi_patterns::library::{PAGE, Pattern, PatternLibrary};
use maud::{Markup, html};
use serde::Deserialize;

use super::collection::PatternCollection;
use super::draft;
use super::names::{has_text, pattern_title, source_words};
use super::view::{colored_move, edge_name, kind_name, pattern_path};
use crate::workbench::answer::redirect_to;
use crate::workbench::page::{Page, Room, partial_response, percent_encode};
use crate::workbench::rooms::damage;
use crate::workbench::rooms::deep_pictures::DeepPictures;
use crate::workbench::rooms::history::History;
use crate::workbench::rooms::own_collections::{
    self, CollectionContent, CollectionForm, SHIPPED, create_collection, delete_collection, export_text,
    import_text, rename_collection,
};
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/patterns", get(show_sheet))
        .route("/patterns/collections", post(create_collection::<PatternLibrary>))
        .route("/patterns/c/{key}/text", get(export_text::<PatternLibrary>))
        .route("/patterns/c/{key}/import", post(import_text::<PatternLibrary>))
        .route("/patterns/c/{key}/undo", post(undo_change))
        .route("/patterns/c/{key}/redo", post(redo_change))
        .route("/patterns/c/{key}/title", post(rename_collection::<PatternLibrary>))
        .route("/patterns/c/{key}/forget", post(delete_collection::<PatternLibrary>))
}

/// Which of them are shown.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct SheetQuery {
    /// The collection.
    c: Option<String>,
    q: String,
    source: String,
    kind: String,
    /// From 1.
    page: Option<usize>,
}

impl SheetQuery {
    fn matches_pattern(
        &self,
        visitor: &Visitor,
        pattern: &Pattern,
        wanted: &str,
        kind: Option<MoveKind>,
    ) -> bool {
        (wanted.is_empty() || has_text(visitor, pattern, wanted))
            && (self.source.is_empty() || pattern.source == self.source)
            && kind.is_none_or(|kind| pattern.moves.iter().any(|mv| mv.kind == kind))
    }

    fn page_address(&self, key: &str, page: usize) -> String {
        let field = |name: &str, value: &str| {
            if value.is_empty() { String::new() } else { format!("&{name}={}", percent_encode(value)) }
        };
        let fields = [field("q", &self.q), field("source", &self.source), field("kind", &self.kind)];
        format!("/patterns?c={key}{}&page={page}", fields.concat())
    }
}

async fn show_sheet(desk: DeskState, visitor: Visitor, Query(wanted): Query<SheetQuery>) -> PageAnswer {
    let shelf = PatternCollection::load(&desk, wanted.c.as_deref().unwrap_or(SHIPPED)).await?;
    let own = own_collections::list_own_titles::<PatternLibrary>(&desk).await?;
    let list = render_list(&visitor, &shelf, &wanted);
    if visitor.partial {
        return Ok(partial_response(list));
    }
    let (drafts, damaged) = draft::list_drafts(&desk, &shelf.key).await?;
    let title = visitor.text("patterns-patterns-in-sheet");
    let body = html! {
        h1 { (title) }
        (render_collections(&visitor, &shelf, &own))
        (render_search(&visitor, &shelf, &wanted))
        #sheet { (list) }
        (render_drafts(&visitor, &drafts))
        (damage::render_damage(&visitor, &damaged))
        (render_administration(&visitor, &shelf))
    };
    Ok(Page::new(Room::Patterns, title).render_page(&visitor, body))
}

fn render_collections(visitor: &Visitor, shelf: &PatternCollection, own: &[(String, String)]) -> Markup {
    html! {
        nav.row aria-label=(visitor.text("patterns-collections")) {
            a.button href="/patterns" aria-current=[shelf.is_shipped().then_some("true")] {
                (visitor.text("patterns-shipped-patterns"))
            }
            @for (key, title) in own {
                a.button href={ "/patterns?c=" (key) } aria-current=[(*key == shelf.key).then_some("true")] { (title) }
            }
            a.button href={ "/patterns/game?c=" (shelf.key) } { (visitor.text("patterns-matches-in-a-game")) }
        }
    }
}

fn render_search(visitor: &Visitor, shelf: &PatternCollection, wanted: &SheetQuery) -> Markup {
    let mut sources: BTreeMap<&str, usize> = BTreeMap::new();
    for pattern in shelf.content().patterns() {
        *sources.entry(&pattern.source).or_default() += 1;
    }
    html! {
        form.row method="get" action="/patterns" role="search" {
            input type="hidden" name="c" value=(shelf.key);
            span.field {
                label for="q" { (visitor.text("patterns-search")) }
                input #q name="q" type="search" value=(wanted.q) maxlength="80"
                    hx-get="/patterns" hx-include="closest form" hx-trigger="input changed delay:300ms" hx-target="#sheet";
            }
            span.field {
                label for="source" { (visitor.text("patterns-source")) }
                select #source name="source" {
                    option value="" { (visitor.text("patterns-all")) }
                    @for (source, count) in sources {
                        option value=(source) selected[source == wanted.source] { (source_words(visitor, source)) " (" (count) ")" }
                    }
                }
            }
            span.field {
                label for="kind" { (visitor.text("patterns-kind")) }
                select #kind name="kind" {
                    option value="" { (visitor.text("patterns-all")) }
                    @for kind in MoveKind::ALL {
                        option value=(kind.name()) selected[kind.name() == wanted.kind] { (kind_name(visitor, kind)) }
                    }
                }
            }
            button { (visitor.text("patterns-show")) }
        }
    }
}

fn render_list(visitor: &Visitor, shelf: &PatternCollection, wanted: &SheetQuery) -> Markup {
    let kind = wanted.kind.parse().ok();
    let text = wanted.q.to_lowercase();
    let all: Vec<&Pattern> = shelf
        .content()
        .patterns()
        .iter()
        .filter(|pattern| wanted.matches_pattern(visitor, pattern, &text, kind))
        .collect();
    let pages = all.len().div_ceil(PAGE).max(1);
    let page = wanted.page.unwrap_or(1).clamp(1, pages);
    let shown = all.iter().skip((page - 1) * PAGE).take(PAGE);
    let turn = |to: usize, key: &str, words: &str| {
        html! {
            @if (1..=pages).contains(&to) {
                a.button href=(wanted.page_address(&shelf.key, to)) data-key=(key) { (words) }
            }
        }
    };
    let mut pictures = DeepPictures::for_page(visitor);
    html! {
        p { b { (shelf.title_for(visitor)) } (visitor.text("workbench-colon"))
            (visitor.text_with("patterns-patterns-page", args![count = all.len(), page, pages])) }
        @if all.is_empty() {
            p.quiet {
                (visitor.text("patterns-no-pattern-here-yet")) " "
                a href={ "/patterns/game?c=" (shelf.key) } { (visitor.text("patterns-cut-one-out-of-a-game")) }
            }
        }
        ul.patterns-sheet { @for pattern in shown { li { (render_tile(visitor, shelf, pattern, &mut pictures)) } } }
        nav.row aria-label=(visitor.text("patterns-pages")) {
            (turn(page.wrapping_sub(1), "ArrowLeft", visitor.text("patterns-page-before")))
            (turn(page + 1, "ArrowRight", visitor.text("patterns-next-page")))
        }
    }
}

/// What was begun and not saved.
fn render_drafts(visitor: &Visitor, drafts: &[(String, String)]) -> Markup {
    html! {
        @if !drafts.is_empty() {
            section.panel aria-labelledby="drafts" {
                h2 #drafts { (visitor.text("patterns-being-edited")) }
                ul { @for (address, name) in drafts { li { a href=(address) { (pattern_title(visitor, name)) } } } }
            }
        }
    }
}

fn render_tile(
    visitor: &Visitor,
    shelf: &PatternCollection,
    pattern: &Pattern,
    pictures: &mut DeepPictures,
) -> Markup {
    let first = &pattern.moves[0];
    let point = ishi_go::Point::new(first.at.column(), first.at.row());
    let picture =
        pattern.diagram.draw_picture(0, 0).without_coordinates().with_stone(first.color, point, "1");
    html! {
        a href=(pattern_path(&shelf.key, &pattern.name)) {
            span.tile aria-hidden="true" { span.board.deep { (pictures.draw(picture)) } }
            span.name { (pattern_title(visitor, &pattern.name)) }
        }
        span.quiet {
            (colored_move(visitor, first.color, first.at))
            @if first.kind != MoveKind::Normal { " · " (kind_name(visitor, first.kind)) }
            @if pattern.seen > 0 { " · " (format!("{:.0} %", 100.0 * f64::from(first.played) / f64::from(pattern.seen))) }
            @if let Some(sides) = edge_name(visitor, pattern) { " · " (sides) }
        }
    }
}

fn render_administration(visitor: &Visitor, shelf: &PatternCollection) -> Markup {
    let path = |what: &str| format!("/patterns/c/{}/{what}", shelf.key);
    html! {
        section.panel aria-labelledby="collection" {
            h2 #collection { (visitor.text("patterns-this-collection")) }
            div.row {
                a.button href=(path("text")) download { (visitor.text("patterns-export-as-text")) }
                @if !shelf.is_shipped() {
                    @for (what, words, enabled) in [
                        ("undo", visitor.text("patterns-undo"), shelf.history.can_undo()),
                        ("redo", visitor.text("patterns-redo"), shelf.history.can_redo()),
                    ] {
                        form method="post" action=(path(what)) {
                            input type="hidden" name="revision" value=(shelf.revision);
                            button disabled[!enabled] { (words) }
                        }
                    }
                    form method="post" action="/patterns/drafts" {
                        input type="hidden" name="collection" value=(shelf.key);
                        button.main { (visitor.text("patterns-new-pattern")) }
                    }
                }
            }
            @if !shelf.is_shipped() {
                form hx-post=(path("import")) hx-target="#message" {
                    input type="hidden" name="revision" value=(shelf.revision);
                    p { label for="import" { (visitor.text("patterns-import-patterns-text")) } " "
                        input type="file" data-into="#import" accept=".txt,text/plain" aria-label=(visitor.text("patterns-file-to-import")); }
                    textarea #import name="text" rows="5" required {}
                    div.row { button { (visitor.text("patterns-import")) } }
                }
                form.row method="post" action=(path("title")) {
                    input type="hidden" name="revision" value=(shelf.revision);
                    label for="rename" { (visitor.text("patterns-title")) }
                    input #rename name="title" value=(shelf.title) maxlength="80" required;
                    button { (visitor.text("patterns-rename")) }
                }
                details {
                    summary { (visitor.text("patterns-delete-this-collection")) }
                    p { (visitor.text("patterns-this-cannot-be-undone-export-it")) }
                    form method="post" action=(path("forget")) {
                        input type="hidden" name="revision" value=(shelf.revision);
                        button { (visitor.text("patterns-delete-for-good")) }
                    }
                }
            }
        }
        (render_new_collection(visitor))
    }
}

fn render_new_collection(visitor: &Visitor) -> Markup {
    html! {
        section.panel aria-labelledby="new-collection" {
            h2 #new-collection { (visitor.text("patterns-a-new-collection")) }
            form hx-post="/patterns/collections" hx-target="#message" {
                div.row {
                    label for="title" { (visitor.text("patterns-title")) }
                    input #title name="title" maxlength="80" required value=(visitor.text("patterns-my-patterns"));
                }
                details {
                    summary { (visitor.text("patterns-from-a-text")) }
                    label for="text" { (visitor.text("patterns-patterns-as-docs-patterns-md-has")) }
                    input type="file" data-into="#text" accept=".txt,text/plain" aria-label=(visitor.text("patterns-file-of-patterns"));
                    textarea #text name="text" rows="5" {}
                }
                button { (visitor.text("patterns-make-it")) }
            }
        }
    }
}

async fn undo_change(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(seen): Form<CollectionForm>,
) -> PageAnswer {
    change_history(&desk, &visitor, (&key, seen.revision), History::undo).await
}

async fn redo_change(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(seen): Form<CollectionForm>,
) -> PageAnswer {
    change_history(&desk, &visitor, (&key, seen.revision), History::redo).await
}

async fn change_history(
    desk: &Arc<WorkbenchState>,
    visitor: &Visitor,
    (key, revision): (&str, u64),
    change: fn(&mut History) -> bool,
) -> PageAnswer {
    let mut shelf = PatternCollection::load_own(desk, key, revision).await?;
    if change(&mut shelf.history) {
        shelf.save(desk).await?;
    }
    Ok(redirect_to(visitor, &PatternLibrary::page_address(key)))
}
