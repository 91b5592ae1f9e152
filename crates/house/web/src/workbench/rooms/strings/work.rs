//! Solving and proving, on threads that end when nobody looks.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use ishi_arena::stopwatch::WallClock;
use ishi_grid::certificate;
use ishi_grid::construct;
use ishi_grid::domination::{self, BoardShape, ProofLimits};
use ishi_grid::strings::{self, StringsError};
use ishi_grid::verify::Verifier;
use ishi_lab::store::{Store, StoreError};
use ishi_work::{Clock, Pace, Progress, StopFlag};

use super::board::{BoardKind, CheckedCertificate, FoundBoard, MEMORY, PROOFS, StringsRequest, board_rows};
use super::view;
use crate::workbench::WorkbenchState;
use crate::workbench::audience::Audience;
use crate::workbench::budget::memory_share;
use crate::workbench::documents::{change_stored, overwrite_body};
use crate::workbench::error::PageError;
use crate::workbench::visitor::Visitor;

/// The time between two reports of progress.
const BETWEEN: Duration = Duration::from_millis(250);

/// Depths of certificates, one after the other until one has few enough states.
const DEPTHS: [usize; 2] = [8, 10];

/// States of a certificate that is kept: some megabytes.
const MOST_LISTED: usize = 250_000;

pub(super) fn solve_key(key: &str) -> String {
    format!("strings/{key}/solve")
}

pub(super) fn proof_key(key: &str) -> String {
    format!("strings/{key}/proof")
}

/// The pages that show it.
pub(super) fn board_audience(key: &str) -> Audience<'_> {
    Audience { room: "strings", key }
}

/// Asked by solvers, which may ask very often: is it still wanted? Tells how far they are.
struct SolveWatch<'a> {
    desk: &'a WorkbenchState,
    key: &'a str,
    asked: &'a StringsRequest,
    stop: &'a StopFlag,
    name: &'static str,
    clock: WallClock,
    pace: Pace,
}

impl<'a> SolveWatch<'a> {
    fn start(
        desk: &'a WorkbenchState,
        key: &'a str,
        asked: &'a StringsRequest,
        stop: &'a StopFlag,
        name: &'static str,
    ) -> SolveWatch<'a> {
        let clock = WallClock::start();
        SolveWatch { desk, key, asked, stop, name, clock, pace: Pace::start(BETWEEN, clock.now()) }
    }

    fn is_unwanted(&self) -> bool {
        self.stop.is_requested() || board_audience(self.key).is_absent(self.desk)
    }

    fn report_progress(&mut self, progress: &Progress<String>) -> ControlFlow<()> {
        if self.pace.is_due(self.clock.now()) {
            if self.is_unwanted() {
                return ControlFlow::Break(());
            }
            let draw = |visitor: &Visitor| match self.name {
                "proof" => view::render_proof(visitor, self.key, self.asked, Some(progress)),
                _ => view::render_found(visitor, self.key, self.asked, Some(progress)),
            };
            board_audience(self.key).publish(self.desk, self.name, draw);
        }
        self.stop.to_flow()
    }
}

/// Solves the board.
pub(super) fn start_solving(desk: &Arc<WorkbenchState>, key: &str, asked: &StringsRequest) {
    board_audience(key).mark_expected(desk);
    let (shared, name, asked) = (Arc::clone(desk), key.to_string(), asked.clone());
    desk.boards.start_task(&solve_key(key), move |stop| run_solving(&shared, &name, &asked, stop));
    tell_place(desk, key, &solve_key(key), "found", "stop");
}

/// Tells pages how many boards are before this one, if its work has to wait. Work that has begun tells how far it is.
fn tell_place(desk: &WorkbenchState, key: &str, work: &str, name: &'static str, stop: &str) {
    if let Some(before) = desk.boards.tasks_before(work) {
        board_audience(key).publish(desk, name, |visitor| view::render_waiting(visitor, key, stop, before));
    }
}

fn run_solving(desk: &WorkbenchState, key: &str, asked: &StringsRequest, stop: &StopFlag) {
    let audience = board_audience(key);
    let mut watch = SolveWatch::start(desk, key, asked, stop, "found");
    let found = match asked.way {
        BoardKind::Rule => build_by_rule(asked, &mut watch),
        _ => search_board(asked, &mut watch),
    };
    if stop.is_requested() {
        return;
    }
    match found {
        Ok(found) => save_and_publish(desk, key, "found", |asked| asked.found = Some(found)),
        Err(None) => audience.publish(desk, "found", |visitor| view::render_stopped(visitor, key, asked)),
        Err(Some(error)) => audience.publish(desk, "found", |visitor| {
            view::render_failure(visitor, key, &error.localized_message(visitor))
        }),
    }
}

/// Nothing, if it was stopped.
fn search_board(asked: &StringsRequest, watch: &mut SolveWatch<'_>) -> Result<FoundBoard, Option<PageError>> {
    let task = asked.to_task(1).map_err(Some)?;
    let found =
        strings::solve_task(&task, &mut |progress| watch.report_progress(&progress)).map_err(|error| {
            match error {
                StringsError::Stopped => None,
                StringsError::Infeasible => {
                    Some(PageError::invalid_input("strings-no-board-fits-what-is-given"))
                }
                error => Some(PageError::from(error)),
            }
        })?;
    Ok(FoundBoard {
        strings: found.strings,
        bound: found.bound,
        empty_points: found.board.empty_count(),
        states: found.states,
        widest: found.widest,
        verified: found.verified,
        seconds: watch.clock.now().as_secs_f64(),
        board: board_rows(&found.board),
    })
}

/// Builds by the rule, counted row by row by the checker.
fn build_by_rule(
    asked: &StringsRequest,
    watch: &mut SolveWatch<'_>,
) -> Result<FoundBoard, Option<PageError>> {
    let (width, height) = (asked.width, asked.height);
    let construction = construct::construct_empties(width, height);
    let construction =
        construction.ok_or_else(|| Some(PageError::invalid_input("strings-boards-of-lines-or-more-are")))?;
    let (mut verifier, mut letters, mut rows) = (Verifier::new(width), Vec::new(), Vec::new());
    for y in 0..height {
        construction.write_row(y, &mut letters);
        verifier.add_row(&letters).map_err(|error| Some(PageError::from_system_error(error)))?;
        rows.push(letters.iter().copied().map(char::from).collect());
        let progress = Progress::new(y + 1, height, "rows").with_note(String::new());
        if watch.report_progress(&progress) == ControlFlow::Break(()) {
            return Err(None);
        }
    }
    let verdict = verifier.finish();
    let cells = width * height;
    let gamma = construct::domination_number(width, height).unwrap_or_default();
    Ok(FoundBoard {
        strings: usize::try_from(verdict.total_chains()).unwrap_or(usize::MAX),
        bound: cells - gamma,
        empty_points: construction.empty_count(),
        states: 0,
        widest: 0,
        verified: verdict.is_legal(),
        seconds: watch.clock.now().as_secs_f64(),
        board: rows,
    })
}

/// Keeps what was found, and shows it.
fn save_and_publish(
    desk: &WorkbenchState,
    key: &str,
    name: &'static str,
    change: impl FnOnce(&mut StringsRequest),
) {
    let audience = board_audience(key);
    let kept = desk.ask_store_blocking(|store| change_stored_board(store, key, change));
    match kept {
        Ok(Some(asked)) => {
            audience.publish(desk, "found", |visitor| view::render_found(visitor, key, &asked, None));
            audience.publish(desk, "proof", |visitor| view::render_proof(visitor, key, &asked, None));
        }
        // It was deleted meanwhile.
        Ok(None) => {}
        Err(error) => {
            let failed = PageError::from_store_error(error);
            audience.publish(desk, name, |visitor| {
                view::render_failure(visitor, key, &failed.localized_message(visitor))
            });
        }
    }
}

fn change_stored_board(
    store: &mut Store,
    key: &str,
    change: impl FnOnce(&mut StringsRequest),
) -> Result<Option<StringsRequest>, StoreError> {
    let changed = change_stored(store, key, |asked| {
        change(asked);
        Ok(())
    });
    Ok(changed?.ok())
}

/// Writes a certificate and has it checked.
pub(super) fn start_proving(desk: &Arc<WorkbenchState>, key: &str, asked: &StringsRequest) {
    board_audience(key).mark_expected(desk);
    let (shared, name, asked) = (Arc::clone(desk), key.to_string(), asked.clone());
    desk.boards.start_task(&proof_key(key), move |stop| run_proving(&shared, &name, &asked, stop));
    tell_place(desk, key, &proof_key(key), "proof", "stop-proof");
}

fn run_proving(desk: &WorkbenchState, key: &str, asked: &StringsRequest, stop: &StopFlag) {
    let Some(found) = &asked.found else { return };
    let audience = board_audience(key);
    let mut watch = SolveWatch::start(desk, key, asked, stop, "proof");
    let shape = BoardShape::new(asked.width, asked.height);
    let limits = ProofLimits { states: MOST_LISTED, memory: Some(memory_share(MEMORY)) };
    let most = asked.width.min(asked.height) / 2;
    for (number, depth) in DEPTHS.into_iter().enumerate() {
        let progress = Progress::new(number, DEPTHS.len() + 1, "steps").with_note(String::new());
        audience.publish(desk, "proof", |visitor| view::render_proof(visitor, key, asked, Some(&progress)));
        let depth = depth.min(most);
        let written = domination::build_certificate(&shape, found.empty_points, depth, limits, &mut |_| {
            watch.report_progress(&progress)
        });
        let verdict = written.map(|written| {
            certificate::check_certificate(&written, &mut |_| watch.report_progress(&progress))
                .map(|verdict| (written, verdict))
        });
        if stop.is_requested() {
            return;
        }
        let Ok(Ok((written, verdict))) = verdict else { continue };
        if !verdict.is_accepted() {
            continue;
        }
        let text = written.to_string();
        let proof = CheckedCertificate {
            strings: found.strings,
            depth: written.depth,
            prices: written.prices.len(),
            bytes: text.len(),
            reach: verdict.reach,
            states: verdict.states,
            widest: verdict.widest,
            accepted: true,
            seconds: watch.clock.now().as_secs_f64(),
        };
        // A text that is not kept has no certificate to be shown.
        let written = desk.ask_store_blocking(|store| {
            overwrite_body(store, PROOFS, key, &asked.title(), &text.clone().into())
        });
        if written.is_ok() {
            save_and_publish(desk, key, "proof", |asked| asked.proof = Some(proof));
        }
        return;
    }
    audience.publish(desk, "proof", |visitor| view::render_unproved(visitor, key));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::desk::test_desk;

    #[test]
    fn a_board_that_waits_says_how_many_are_before_it() {
        let desk = Arc::new(test_desk());
        let until_stopped = |stop: &StopFlag| {
            while !stop.is_requested() {
                std::thread::yield_now();
            }
        };
        let (width, height, way) = (5, 5, BoardKind::Board);
        let asked = StringsRequest { width, height, way, given: None, found: None, proof: None };
        let visitor = Visitor::for_language(ishi_words::Language::English);
        let topic = board_audience("b").topic(visitor.texts);
        // Until one of them waits, too.
        let (name, mut others) = (|number: usize| format!("other {number}"), 0);
        while desk.boards.tasks_before(&name(others)).is_none() {
            others += 1;
            desk.boards.start_task(&name(others), until_stopped);
        }
        start_solving(&desk, "b", &asked);
        let told = desk.live.last_event(&topic, "found").unwrap();
        assert!(told.contains(&format!("Before it: {others}")), "{told}");
        desk.end_work();
        desk.join_threads();
    }
}
