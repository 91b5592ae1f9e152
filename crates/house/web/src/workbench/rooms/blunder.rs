//! The teaching games of both rooms: a blunder is told with its reason before it is answered. The person may take the move back, or leave it.

use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::both_languages::BothLanguages;
use crate::workbench::error::PageError;
use crate::workbench::visitor::Visitor;

/// A blunder that is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BlunderWarning {
    /// Where the move was played, as its game writes it.
    pub(crate) vertex: String,
    /// What it loses and why, how it is answered, and what was better.
    pub(crate) reason: BothLanguages,
}

/// Another move cannot be played meanwhile.
pub(crate) fn refuse_move() -> PageError {
    PageError::invalid_input("workbench-a-blunder-is-told-first")
}

/// Whether blunders are told before they are answered, in these words.
pub(crate) fn render_teaching_choice(words: &str) -> Markup {
    html! {
        label.tool.wide { input type="checkbox" name="taught" value="1"; " " (words) }
    }
}

/// What is wrong with the move, and the choice to take it back. A button of the room does the deed of the first name, with these words.
/// `about` is the place of the game to which the move leads: lines in the text begin there, or in place of the move.
pub(crate) fn render_warning(
    visitor: &Visitor,
    warning: &BlunderWarning,
    title: &str,
    about: usize,
    deeds: [&str; 2],
    render_button: impl Fn(&str, &str) -> Markup,
) -> Markup {
    let [take_back, leave] = deeds;
    html! {
        section.warning role="alert" data-about=(about) {
            strong { (title) }
            div.row {
                (render_button(take_back, visitor.text("workbench-take-it-back")))
                (render_button(leave, visitor.text("workbench-leave-it-and-play-on")))
            }
            p.told { (warning.reason.say(visitor)) }
        }
    }
}
