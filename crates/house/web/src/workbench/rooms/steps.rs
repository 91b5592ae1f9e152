//! Steps through the moves of a game that is replayed.

use maud::{Markup, html};

use crate::workbench::visitor::Visitor;

/// Where a replayed game stands.
pub(super) struct GameSteps<'a> {
    /// The part of the page that a step fills, such as `#game`.
    pub(super) target: &'a str,
    /// The number of the last move on the board.
    pub(super) at: usize,
    /// Moves of the game.
    pub(super) total: usize,
    /// The last move, for who does not see the board; where it is told elsewhere, none.
    pub(super) last: Option<&'a str>,
}

/// Buttons and keys that lead to other moves, each of which has its address.
pub(super) fn render_steps(
    visitor: &Visitor,
    steps: &GameSteps<'_>,
    address: impl Fn(usize) -> String,
) -> Markup {
    let &GameSteps { target, at, total, last } = steps;
    let step = |to: Option<usize>, word: &str, name: &str, key: &str| {
        let to = to.filter(|&to| to <= total && to != at);
        html! {
            button id={ "step-" (key) } type="button" hx-get=(address(to.unwrap_or(0))) hx-target=(target) hx-push-url="true" data-key=(key) disabled[to.is_none()]
                { span aria-hidden="true" { (word) } span.unseen { (name) } }
        }
    };
    html! {
        div.row role="group" aria-label=(visitor.text("workbench-step-moves")) {
            (step(Some(0), "⏮", visitor.text("workbench-to-the-beginning"), "Home"))
            (step(Some(at.saturating_sub(10)), "−10", visitor.text("workbench-step-ten-back"), "PageUp"))
            (step(at.checked_sub(1), "◀", visitor.text("workbench-step-one-back"), "ArrowLeft"))
            b data-heard { (at) "/" (total) @if let Some(mv) = last { span.unseen { ": " (mv) } } }
            (step(Some(at + 1), "▶", visitor.text("workbench-step-one-on"), "ArrowRight"))
            (step(Some((at + 10).min(total)), "+10", visitor.text("workbench-step-ten-on"), "PageDown"))
            (step(Some(total), "⏭", visitor.text("workbench-to-the-end"), "End"))
        }
    }
}
