//! Building, on a thread that ends when nobody looks.

use std::sync::Arc;
use std::time::Duration;

use ishi_arena::stopwatch::WallClock;
use ishi_deck::Problem;
use ishi_deck_documents::{AnswerDocument, SolveRequest, solve};
use ishi_work::{Clock, Pace, StopFlag, continue_unless};

use super::table::{self, BuiltDeck};
use super::view;
use crate::workbench::WorkbenchState;
use crate::workbench::audience::Audience;
use crate::workbench::budget::memory_share;
use crate::workbench::texts::{KeptText, PageText};

/// The time between two reports of progress.
const BETWEEN: Duration = Duration::from_millis(250);

/// Where no time is said.
const MOST_TIME: Duration = Duration::from_secs(10);

/// Bytes that a proof may take, about.
const MEMORY: usize = 512 << 20;

/// Bytes that a proof may take now, about.
pub(super) fn proof_memory() -> usize {
    memory_share(MEMORY)
}

pub(super) fn build_key(key: &str) -> String {
    format!("decks/{key}/build")
}

/// The pages that show it.
pub(super) fn deck_audience(key: &str) -> Audience<'_> {
    Audience { room: "decks", key }
}

/// Builds a deck; it stands beside the others when it is done.
pub(super) fn start_build(
    desk: &Arc<WorkbenchState>,
    key: &str,
    problem: Problem,
    wish: SolveRequest,
    text: String,
) {
    deck_audience(key).mark_expected(desk);
    let (shared, name) = (Arc::clone(desk), key.to_string());
    desk.decks
        .start_task(&build_key(key), move |stop| run_build(&shared, &name, &problem, &wish, text, stop));
}

fn run_build(
    desk: &WorkbenchState,
    key: &str,
    problem: &Problem,
    wish: &SolveRequest,
    text: String,
    stop: &StopFlag,
) {
    let audience = deck_audience(key);
    let clock = WallClock::start();
    let mut pace = Pace::start(BETWEEN, clock.now());
    let limit = wish.settings.time_limit.unwrap_or(MOST_TIME);
    let mut settings = wish.settings.clone();
    settings.time_limit = Some(limit);
    settings.memory_limit = Some(proof_memory());
    let step = |value: Option<i64>, bound: Option<i64>| view::BuildState {
        value: value.map(|units| problem.pool().score_of_units(units)),
        bound: bound.map(|units| problem.pool().score_of_units(units)),
        seconds: clock.now().as_secs_f64(),
        limit: limit.as_secs_f64(),
    };
    audience.publish(desk, "progress", |visitor| view::render_progress(visitor, key, &step(None, None)));
    let timed = solve::solve_problem(problem, &settings, desk.settings.seed, &mut |progress| {
        if pace.is_due(clock.now()) {
            let step = step(progress.value, progress.bound);
            audience.publish(desk, "progress", |visitor| view::render_progress(visitor, key, &step));
        }
        let nobody = audience.is_absent(desk);
        continue_unless(stop.is_requested() || nobody)
    });
    let answer = AnswerDocument::from_timed_answer(problem, &timed, settings.method.unwrap_or_default());
    let reasons = timed
        .reasons
        .into_iter()
        .chain(timed.given_up)
        .map(|reason| KeptText::from_page_text(&PageText::of_error(reason)));
    let reasons: Vec<KeptText> = reasons.collect();
    let kept = desk.ask_store_blocking(|store| {
        table::change_stored_table(store, key, |table| {
            let number = table.next_number();
            table.decks.push(BuiltDeck { number, wish: text, answer, reasons });
        })
    });
    // An event without data would not be heard.
    audience.publish(desk, "progress", view::render_done);
    if let Ok(Ok(table)) = kept {
        audience.publish(desk, "decks", |visitor| view::render_decks(visitor, key, &table));
    }
}
