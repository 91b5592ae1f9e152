//! Building, on a thread that ends when nobody looks.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ishi_deck::Problem;
use ishi_deck_documents::{AnswerDocument, Wish, solve};
use maud::Markup;

use super::table::{self, Built};
use super::view;
use crate::workbench::Desk;
use crate::workbench::audience::Audience;
use crate::workbench::thoughts::Stop;
use crate::workbench::visitor::Visitor;

/// Between two reports of progress.
const BETWEEN: Duration = Duration::from_millis(250);

/// Where no time is said.
const MOST_TIME: Duration = Duration::from_secs(10);

pub(super) fn key_of(key: &str) -> String {
    format!("decks/{key}/build")
}

/// The pages that show it.
pub(super) fn audience(key: &str) -> Audience<'_> {
    Audience { room: "decks", key }
}

/// Fills an element of all pages that show it.
pub(super) fn tell(desk: &Desk, key: &str, name: &'static str, draw: impl Fn(&Visitor) -> Markup) {
    audience(key).tell(desk, name, draw);
}

/// How far the work is.
pub(super) struct Step {
    pub(super) value: Option<f64>,
    pub(super) bound: Option<f64>,
    pub(super) seconds: f64,
    pub(super) limit: f64,
}

/// Builds a deck; it stands beside the others when it is done.
pub(super) fn build(desk: &Arc<Desk>, key: &str, problem: Problem, wish: Wish, text: String) {
    audience(key).expect(desk);
    let (shared, name) = (Arc::clone(desk), key.to_string());
    desk.thoughts.start(&key_of(key), move |stop| build_now(&shared, &name, &problem, &wish, text, stop));
}

fn build_now(desk: &Desk, key: &str, problem: &Problem, wish: &Wish, text: String, stop: &Stop) {
    let began = Instant::now();
    let mut told = began;
    let limit = wish.settings.time_limit.unwrap_or(MOST_TIME);
    let mut settings = wish.settings.clone();
    settings.time_limit = Some(limit);
    let step = |value: Option<i64>, bound: Option<i64>| Step {
        value: value.map(|units| problem.pool().score(units)),
        bound: bound.map(|units| problem.pool().score(units)),
        seconds: began.elapsed().as_secs_f64(),
        limit: limit.as_secs_f64(),
    };
    tell(desk, key, "progress", |visitor| view::progress(visitor, key, &step(None, None)));
    let timed = solve::solve(problem, &settings, desk.settings.seed, &mut |progress| {
        if told.elapsed() >= BETWEEN {
            told = Instant::now();
            let step = step(progress.value, progress.bound);
            tell(desk, key, "progress", |visitor| view::progress(visitor, key, &step));
        }
        let nobody = audience(key).is_gone(desk);
        if stop.is_set() || nobody { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let answer = AnswerDocument::of(problem, &timed, settings.method.unwrap_or_default());
    let kept = desk.store_now(|store| {
        table::alter(store, key, |table| {
            let number = table.next_number();
            table.decks.push(Built { number, wish: text, answer });
        })
    });
    // An event without data would not be heard.
    tell(desk, key, "progress", view::done);
    if let Ok(Ok(table)) = kept {
        tell(desk, key, "decks", |visitor| view::decks(visitor, key, &table));
    }
}
