//! What lessons of both games have in common: whose they are, and what is said of an answer. The page judges answers itself (`ui/lesson.ts`).

use maud::{Markup, html};

use crate::workbench::visitor::Visitor;

/// Letters and words for whose lessons are wanted.
pub(super) fn learner_choices(visitor: &Visitor) -> [(&'static str, &'static str); 3] {
    [
        ("B", visitor.say("I was Black", "黒だった")),
        ("W", visitor.say("I was White", "白だった")),
        ("", visitor.say("Both", "両方")),
    ]
}

/// Whose lessons are wanted: those of one side, or of both. `person` is the letter that is chosen at first, `B` or `W`; empty for both.
pub(super) fn render_learner_choice(visitor: &Visitor, person: &str) -> Markup {
    html! {
        div.row.learner role="radiogroup" aria-label=(visitor.say("Whose lessons", "誰の教訓か")) {
            @for (value, words) in learner_choices(visitor) {
                label.tool { input type="radio" name="learner" value=(value) checked[value == person]; " " (words) }
            }
        }
    }
}

/// The place where an answer is judged, with all that may be said of it; `{point}` stands for the answer.
pub(super) fn render_verdict(visitor: &Visitor) -> Markup {
    let say = |english, japanese| visitor.say(english, japanese);
    html! {
        p.verdict role="status" data-right=(say("Yes, {point}.", "正解、{point}。")) data-wrong=(say("Not {point}: try again.", "{point} ではありません。もう一度。"))
            data-same=(say("{point} was played in the game, and it lost: try another.", "{point} は実戦の手で、損をしました。ほかの手を。"))
            data-ask=(say("Play your answer on the board.", "盤上に答えを打ってください。")) {}
    }
}
