//! Lists of what people keep, with a way to delete it.

use ishi_lab::store::StoredDocument;
use maud::{Markup, html};

use crate::workbench::visitor::Visitor;

/// Documents of a room (`strings`), each of which has its own page there, and words about each.
pub(super) fn render_kept_documents(
    visitor: &Visitor,
    (room, class): (&str, &str),
    kept: &[StoredDocument],
    about: impl Fn(&StoredDocument) -> Markup,
) -> Markup {
    html! {
        ul class=(class) {
            @for document in kept {
                @let path = format!("/{room}/{}", document.key);
                li {
                    a href=(path) { (document.title) }
                    (about(document))
                    (render_delete_form(visitor, &path, &document.title))
                }
            }
        }
    }
}

/// A button that deletes what has this address and this title.
pub(super) fn render_delete_form(visitor: &Visitor, path: &str, title: &str) -> Markup {
    let delete = visitor.text("workbench-delete");
    html! {
        form method="post" action={ (path) "/forget" } {
            button aria-label={ (delete) " " (title) } { (delete) }
        }
    }
}
