//! The pages of the room.

use ishi_grid::{Board, picture as grid_picture};
use ishi_lab::store::StoredDocument;
use ishi_work::Progress;
use maud::{Markup, PreEscaped, html};

use super::board::{BoardKind, MOST_BUILT, MOST_SOLVED, StringsRequest};
use crate::workbench::rooms::kept_list::render_kept_documents;
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;

/// Larger boards are not drawn on the page: their pictures would be megabytes.
const MOST_DRAWN: usize = 130;

fn kind_words(visitor: &Visitor, way: BoardKind) -> &'static str {
    match way {
        BoardKind::Board => visitor.text("strings-board-with-edges-solved-with-a"),
        BoardKind::Cylinder => visitor.text("strings-cylinder-left-and-right-edge-joined"),
        BoardKind::Torus => visitor.text("strings-torus-both-pairs-of-edges-joined"),
        BoardKind::Rule => visitor.text("strings-built-by-the-rule-from-16"),
    }
}

/// Lines of a square board up to which there is a slider.
const MOST_SLID: usize = 64;

pub(super) fn render_form(visitor: &Visitor) -> Markup {
    html! {
        form.form method="post" action="/strings" {
            label for="strings-side" { (visitor.text("strings-square-board")) }
            // It writes into the field of columns (`ui/editors.ts`).
            input #strings-side type="range" min="2" max=(MOST_SLID) value="19" data-sets="#strings-width" data-empties="#strings-height";
            label for="strings-width" { (visitor.text("strings-columns")) }
            input #strings-width name="width" type="number" min="1" max=(MOST_BUILT) value="19" required;
            label for="strings-height" { (visitor.text("strings-rows")) }
            input #strings-height name="height" type="number" min="1" max=(MOST_BUILT) placeholder=(visitor.text("strings-as-many"));
            label for="strings-way" { (visitor.text("strings-kind")) }
            select #strings-way name="way" {
                @for way in BoardKind::ALL { option value=(way.name()) { (kind_words(visitor, way)) } }
            }
            details.wide {
                summary { (visitor.text("strings-points-that-are-given")) }
                label for="strings-given" {
                    (visitor.text("strings-rows-of-free-empty-a-stone"))
                }
                textarea #strings-given name="given" rows="5" placeholder="?????" {}
            }
            div.wide { button.main { (visitor.text("strings-solve")) } }
            p.wide.quiet {
                (visitor.text("strings-solved-up-to")) (MOST_SOLVED)
                (visitor.text("strings-lines-built-by-the-rule-up")) (MOST_BUILT) (visitor.text("strings-full-stop"))
            }
        }
    }
}

pub(super) fn render_boards(visitor: &Visitor, kept: &[StoredDocument]) -> Markup {
    html! {
        @if kept.is_empty() { p.quiet { (visitor.text("strings-none-yet-choose-a-board-and")) } }
        (render_kept_documents(visitor, ("strings", "solvers-list"), kept, |_| Markup::default()))
    }
}

/// The board, with its rows as text for those who do not see it.
pub(super) fn render_picture(visitor: &Visitor, board: &Board, strings: usize) -> Markup {
    let label =
        format!("{strings} {} {}x{}", visitor.text("strings-strings-on"), board.width(), board.height());
    html! {
        @if board.width().max(board.height()) <= MOST_DRAWN {
            div.strings-board.board.deep { (PreEscaped(grid_picture::render_deep_svg(board, &label))) }
        } @else {
            p.quiet { (visitor.text("strings-the-board-is-too-large-to")) }
        }
        @if board.width().max(board.height()) <= 60 {
            details {
                summary { (visitor.text("strings-the-board-as-text-x-black")) }
                pre tabindex="0" { (board) }
            }
        }
    }
}

fn render_button(key: &str, action: &str, text: &str) -> Markup {
    html! { button id={ "strings-" (action) } hx-post={ "/strings/" (key) "/" (action) } hx-swap="none" { (text) } }
}

/// Work on a board that waits for others; `stop` takes it back.
pub(super) fn render_waiting(visitor: &Visitor, key: &str, stop: &str, before: usize) -> Markup {
    html! {
        p data-heard { (visitor.text_with("strings-waiting-for-other-boards", args![before])) }
        (render_button(key, stop, visitor.text("strings-stop")))
    }
}

fn render_progress(visitor: &Visitor, progress: &Progress<String>) -> Markup {
    html! {
        progress max=(progress.total.max(1)) value=(progress.done) aria-label=(visitor.text("strings-progress")) {}
        p.quiet { (progress.done) "/" (progress.total) " " (progress.note) }
    }
}

/// What was found, or how far the search is.
pub(super) fn render_found(
    visitor: &Visitor,
    key: &str,
    asked: &StringsRequest,
    progress: Option<&Progress<String>>,
) -> Markup {
    let (Some(found), Some(board)) = (&asked.found, asked.found_board()) else {
        return html! {
            p data-heard { (visitor.text("strings-solving")) }
            @match progress {
                Some(progress) => (render_progress(visitor, progress)),
                None => progress aria-label=(visitor.text("strings-progress")) {},
            }
            (render_button(key, "stop", visitor.text("strings-stop")))
        };
    };
    let optimal = found.strings == found.bound;
    html! {
        p.strings-answer data-heard { b { (found.strings) } " " (visitor.text("strings-strings-word")) (visitor.text("workbench-colon"))
            @if optimal { (visitor.text("strings-the-most-possible-proved")) }
            @else { (visitor.text("strings-no-board-has-more-than")) (found.bound) }
        }
        (render_picture(visitor, &board, found.strings))
        dl.facts {
            dt { (visitor.text("strings-empty-points")) } dd { (found.empty_points) }
            @if asked.way == BoardKind::Rule {
                dt { (visitor.text("strings-proof")) }
                dd { "⌊(" (asked.width) " + 2)(" (asked.height) " + 2) / 5⌋ − 4 = " (found.empty_points) " "
                    (visitor.text("strings-gon-alves-pinlou-rao-thomass-2011")) }
            } @else {
                dt { (visitor.text("strings-states-widest-layer")) } dd { (found.states) ", " (found.widest) }
            }
            dt { (visitor.text("strings-counted-again-by-the-checker")) }
            dd {
                @if found.verified { (visitor.text("strings-yes-every-string-has-a-liberty")) }
                @else { (visitor.text("strings-no-the-checker-does-not-know")) }
            }
            dt { (visitor.text("strings-time")) } dd { (format!("{:.2} s", found.seconds)) }
        }
        div.row {
            @for (name, words) in [("board.svg", "SVG"), ("board.json", "JSON"), ("board.txt", visitor.text("strings-text"))] {
                a.button href={ "/strings/" (key) "/" (name) } download { (words) }
            }
        }
    }
}

/// It was stopped; it can begin again.
pub(super) fn render_stopped(visitor: &Visitor, key: &str, asked: &StringsRequest) -> Markup {
    if asked.found.is_some() {
        return render_found(visitor, key, asked, None);
    }
    html! {
        p data-heard { (visitor.text("strings-stopped")) }
        (render_button(key, "solve", visitor.text("strings-solve")))
    }
}

pub(super) fn render_failure(visitor: &Visitor, key: &str, words: &str) -> Markup {
    html! {
        p.bad role="alert" { (words) }
        p { a href="/strings" { (visitor.text("strings-another-board")) } }
        (render_button(key, "solve", visitor.text("strings-try-again")))
    }
}

/// Facts of the certificate.
pub(super) fn render_proof(
    visitor: &Visitor,
    key: &str,
    asked: &StringsRequest,
    progress: Option<&Progress<String>>,
) -> Markup {
    if let Some(progress) = progress {
        return html! {
            p data-heard { (visitor.text("strings-writing-and-checking")) }
            (render_progress(visitor, progress))
            (render_button(key, "stop-proof", visitor.text("strings-stop")))
        };
    }
    html! {
        @if let Some(proof) = &asked.proof {
            p.good data-heard { (visitor.text("strings-accepted-by-the-independent-checker-no")) (proof.strings) (visitor.text("strings-strings-sentence")) }
            dl.facts {
                dt { (visitor.text("strings-depth-of-the-bands")) } dd { (proof.depth) }
                dt { (visitor.text("strings-prices")) } dd { (proof.prices) }
                dt { (visitor.text("strings-size")) } dd { (proof.bytes) " bytes" }
                dt { (visitor.text("strings-last-states-listed-after")) } dd { (proof.reach) (visitor.text("strings-points")) }
                dt { (visitor.text("strings-states-listed-widest-layer")) } dd { (proof.states) ", " (proof.widest) }
                dt { (visitor.text("strings-time")) } dd { (format!("{:.2} s", proof.seconds)) }
            }
            a.button href={ "/strings/" (key) "/board.cert" } download { (visitor.text("strings-download-the-certificate")) }
        } @else if asked.can_be_proved() {
            p { (visitor.text("strings-a-certificate-lets-a-small-program")) }
            (render_button(key, "prove", visitor.text("strings-write-and-check-a-certificate")))
        } @else {
            p.quiet { (visitor.text("strings-for-boards-with-edges-and-free")) }
        }
    }
}

/// No certificate was accepted.
pub(super) fn render_unproved(visitor: &Visitor, key: &str) -> Markup {
    html! {
        p data-heard { (visitor.text("strings-no-certificate-was-accepted-or-the")) }
        (render_button(key, "prove", visitor.text("strings-try-again")))
    }
}
