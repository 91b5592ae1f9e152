//! Solving and proving, on threads that end when nobody looks.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ishi_grid::certificate;
use ishi_grid::construct;
use ishi_grid::domination::{self, Shape};
use ishi_grid::strings::{self, Progress, StringsError};
use ishi_grid::verify::Verifier;
use ishi_lab::store::{Store, StoreError};
use maud::Markup;

use super::board::{Asked, Found, KIND, PROOFS, Proof, Way, rows_of};
use super::view;
use crate::workbench::Desk;
use crate::workbench::audience::Audience;
use crate::workbench::error::PageError;
use crate::workbench::thoughts::Stop;
use crate::workbench::visitor::Visitor;

/// Between two reports of progress.
const BETWEEN: Duration = Duration::from_millis(250);

/// Depths of certificates, one after the other until one has few enough states.
const DEPTHS: [usize; 2] = [8, 10];

/// States of a certificate that is kept: some megabytes.
const MOST_LISTED: usize = 250_000;

pub(super) fn key_of(key: &str) -> String {
    format!("strings/{key}/solve")
}

pub(super) fn proof_key(key: &str) -> String {
    format!("strings/{key}/proof")
}

/// The pages that show it.
pub(super) fn audience(key: &str) -> Audience<'_> {
    Audience { room: "strings", key }
}

/// Fills an element of all pages that show it.
pub(super) fn tell(desk: &Desk, key: &str, name: &'static str, draw: impl Fn(&Visitor) -> Markup) {
    audience(key).tell(desk, name, draw);
}

/// Asked by solvers, which may ask very often: is it still wanted? Tells how far they are.
struct Watch<'a> {
    desk: &'a Desk,
    key: &'a str,
    asked: &'a Asked,
    stop: &'a Stop,
    name: &'static str,
    began: Instant,
    told: Instant,
}

impl Watch<'_> {
    fn is_unwanted(&self) -> bool {
        self.stop.is_set() || audience(self.key).is_gone(self.desk)
    }

    fn see(&mut self, progress: &Progress) -> ControlFlow<()> {
        if self.told.elapsed() >= BETWEEN {
            self.told = Instant::now();
            if self.is_unwanted() {
                return ControlFlow::Break(());
            }
            let draw = |visitor: &Visitor| match self.name {
                "proof" => view::proof(visitor, self.key, self.asked, Some(progress)),
                _ => view::found(visitor, self.key, self.asked, Some(progress)),
            };
            tell(self.desk, self.key, self.name, draw);
        }
        if self.stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Solves the board.
pub(super) fn solve(desk: &Arc<Desk>, key: &str, asked: &Asked) {
    audience(key).expect(desk);
    let (shared, name, asked) = (Arc::clone(desk), key.to_string(), asked.clone());
    desk.thoughts.start(&key_of(key), move |stop| solve_now(&shared, &name, &asked, stop));
}

fn solve_now(desk: &Desk, key: &str, asked: &Asked, stop: &Stop) {
    let now = Instant::now();
    let mut watch = Watch { desk, key, asked, stop, name: "found", began: now, told: now };
    let found = match asked.way {
        Way::Rule => build(asked, &mut watch),
        _ => search(asked, &mut watch),
    };
    if stop.is_set() {
        return;
    }
    match found {
        Ok(found) => keep(desk, key, "found", |asked| asked.found = Some(found)),
        Err(None) => tell(desk, key, "found", |visitor| view::stopped(visitor, key, asked)),
        Err(Some(error)) => {
            tell(desk, key, "found", |visitor| view::failed(visitor, key, error.words(visitor)))
        }
    }
}

/// Nothing, if it was stopped.
fn search(asked: &Asked, watch: &mut Watch<'_>) -> Result<Found, Option<PageError>> {
    let task = asked.task(1).map_err(Some)?;
    let found = strings::solve(&task, &mut |progress| watch.see(&progress)).map_err(|error| match error {
        StringsError::Stopped => None,
        StringsError::Infeasible => {
            Some(PageError::refused(error, "指定に合う盤はありません（呼吸点のない石が残ります）"))
        }
        error => Some(PageError::input(error)),
    })?;
    Ok(Found {
        strings: found.strings,
        bound: found.bound,
        empty_points: found.board.empties(),
        states: found.states,
        widest: found.widest,
        verified: found.verified,
        seconds: watch.began.elapsed().as_secs_f64(),
        board: rows_of(&found.board),
    })
}

/// Builds by the rule, counted row by row by the checker.
fn build(asked: &Asked, watch: &mut Watch<'_>) -> Result<Found, Option<PageError>> {
    let (width, height) = (asked.width, asked.height);
    let construction = construct::empties(width, height);
    let construction =
        construction.ok_or_else(|| Some(PageError::input("boards of 16 lines or more are built")))?;
    let (mut verifier, mut letters, mut rows) = (Verifier::new(width), Vec::new(), Vec::new());
    for y in 0..height {
        construction.row(y, &mut letters);
        verifier.row(&letters).map_err(|error| Some(PageError::outside(error)))?;
        rows.push(letters.iter().copied().map(char::from).collect());
        let progress = Progress { done: y + 1, all: height, note: String::new() };
        if watch.see(&progress) == ControlFlow::Break(()) {
            return Err(None);
        }
    }
    let verdict = verifier.finish();
    let cells = width * height;
    let gamma = construct::domination_number(width, height).unwrap_or_default();
    Ok(Found {
        strings: usize::try_from(verdict.total()).unwrap_or(usize::MAX),
        bound: cells - gamma,
        empty_points: construction.count(),
        states: 0,
        widest: 0,
        verified: verdict.is_legal(),
        seconds: watch.began.elapsed().as_secs_f64(),
        board: rows,
    })
}

/// Keeps what was found, and shows it.
fn keep(desk: &Desk, key: &str, name: &'static str, change: impl FnOnce(&mut Asked)) {
    let kept = desk.store_now(|store| keep_in(store, key, change));
    match kept {
        Ok(Some(asked)) => {
            tell(desk, key, "found", |visitor| view::found(visitor, key, &asked, None));
            tell(desk, key, "proof", |visitor| view::proof(visitor, key, &asked, None));
        }
        // It was deleted meanwhile.
        Ok(None) => {}
        Err(error) => {
            let words = error.to_string();
            tell(desk, key, name, |visitor| view::failed(visitor, key, &words));
        }
    }
}

fn keep_in(
    store: &mut Store,
    key: &str,
    change: impl FnOnce(&mut Asked),
) -> Result<Option<Asked>, StoreError> {
    let Some(document) = store.document(KIND, key)? else { return Ok(None) };
    let Ok(mut asked) = serde_json::from_value::<Asked>(document.body) else { return Ok(None) };
    change(&mut asked);
    let Ok(body) = asked.body() else { return Ok(None) };
    let kept = store.keep_document(KIND, key, &asked.title(), &body, document.revision)?;
    Ok(kept.map(|_| asked))
}

/// Writes a certificate and has it checked.
pub(super) fn prove(desk: &Arc<Desk>, key: &str, asked: &Asked) {
    audience(key).expect(desk);
    let (shared, name, asked) = (Arc::clone(desk), key.to_string(), asked.clone());
    desk.thoughts.start(&proof_key(key), move |stop| prove_now(&shared, &name, &asked, stop));
}

fn prove_now(desk: &Desk, key: &str, asked: &Asked, stop: &Stop) {
    let Some(found) = &asked.found else { return };
    let now = Instant::now();
    let mut watch = Watch { desk, key, asked, stop, name: "proof", began: now, told: now };
    let shape = Shape::new(asked.width, asked.height);
    let most = asked.width.min(asked.height) / 2;
    for (number, depth) in DEPTHS.into_iter().enumerate() {
        let progress = Progress { done: number, all: DEPTHS.len() + 1, note: String::new() };
        tell(desk, key, "proof", |visitor| view::proof(visitor, key, asked, Some(&progress)));
        let depth = depth.min(most);
        let written = domination::certificate(&shape, found.empty_points, depth, MOST_LISTED, &mut |_| {
            watch.see(&progress)
        });
        let verdict = written.map(|written| {
            certificate::check(&written, &mut |_| watch.see(&progress)).map(|verdict| (written, verdict))
        });
        if stop.is_set() {
            return;
        }
        let Ok(Ok((written, verdict))) = verdict else { continue };
        if !verdict.is_accepted() {
            continue;
        }
        let text = written.to_string();
        let proof = Proof {
            strings: found.strings,
            depth: written.depth,
            prices: written.prices.len(),
            bytes: text.len(),
            reach: verdict.reach,
            states: verdict.states,
            widest: verdict.widest,
            accepted: true,
            seconds: watch.began.elapsed().as_secs_f64(),
        };
        // A text that is not kept has no certificate to be shown.
        let written = desk.store_now(|store| {
            let revision = store.document(PROOFS, key)?.map_or(0, |document| document.revision);
            store.keep_document(PROOFS, key, &asked.title(), &text.clone().into(), revision)
        });
        if written.is_ok() {
            keep(desk, key, "proof", |asked| asked.proof = Some(proof));
        }
        return;
    }
    tell(desk, key, "proof", |visitor| view::unproved(visitor, key));
}
