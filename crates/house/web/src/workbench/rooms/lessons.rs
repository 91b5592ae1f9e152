//! What lessons of both games have in common: when they will be there, whose they are, steps between mistakes, and what is said of an answer. The page judges answers itself (`ui/lesson.ts`).

use maud::{Markup, html};

use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;

/// How long a review still takes: `about 1:02 left`. Nothing where nobody knows.
pub(super) fn words_of_rest(is_judged: bool, seconds_left: Option<f64>, visitor: &Visitor) -> String {
    if is_judged {
        return visitor.text("workbench-the-lessons-are-being-chosen").to_string();
    }
    let Some(seconds) = seconds_left else { return String::new() };
    let (minutes, seconds) = (seconds.ceil() as u64 / 60, seconds.ceil() as u64 % 60);
    visitor.text_with("workbench-time-left", args![minutes, seconds = format!("{seconds:02}")])
}

/// Letters and words for whose lessons are wanted.
pub(super) fn learner_choices(visitor: &Visitor) -> [(&'static str, &'static str); 3] {
    [
        ("B", visitor.text("workbench-i-was-black")),
        ("W", visitor.text("workbench-i-was-white")),
        ("", visitor.text("workbench-both")),
    ]
}

/// Whose lessons are wanted: those of one side, or of both. `person` is the letter that is chosen at first, `B` or `W`; empty for both.
pub(super) fn render_learner_choice(visitor: &Visitor, person: &str) -> Markup {
    html! {
        div.row.learner role="radiogroup" aria-label=(visitor.text("workbench-whose-lessons")) {
            @for (value, words) in learner_choices(visitor) {
                label.tool { input type="radio" name="learner" value=(value) checked[value == person]; " " (words) }
            }
        }
    }
}

/// What stands on the board where an answer was given.
pub(super) fn answer_sign(is_right: bool) -> &'static str {
    if is_right { "✓" } else { "?" }
}

/// Steps from a move that lost something to the next one, and back, by keys, too. Each game's script takes them (`ui/go_game.ts`, `ui/othello_game.ts`).
pub(super) fn render_mistake_steps(visitor: &Visitor) -> Markup {
    let say = |id| visitor.text(id);
    let step = |by: &str, key: &str, label: &str, none: &str| {
        html! {
            button type="button" data-mistake=(by) data-key=(key) data-none=(none) title=(format!("{label} ({key})")) { (label) }
        }
    };
    html! {
        div.row {
            (step("-1", "p", say("workbench-previous-mistake"), say("workbench-no-earlier-mistake")))
            (step("1", "n", say("workbench-next-mistake"), say("workbench-no-later-mistake")))
        }
    }
}

/// The place where an answer is judged, with all that may be said of it; `{point}` stands for the answer.
pub(super) fn render_verdict(visitor: &Visitor) -> Markup {
    let say = |id| visitor.text(id);
    html! {
        p.verdict role="status" data-right=(say("workbench-yes-point")) data-wrong=(say("workbench-not-point-try-again"))
            data-same=(say("workbench-point-was-played-in-the-game"))
            data-ask=(say("workbench-play-your-answer-on-the-board")) {}
    }
}
