//! What is found out about a game: values of moves as one looks, exact endgames, reviews.

use std::sync::Arc;
use std::time::Instant;

use ishi_othello::{Board, Color, Square};
use ishi_othello_play::coach::{GameReview, Hint, MoveReview, ReviewParams, hints, review, words};
use ishi_othello_play::levels::{Level, Limits};
use ishi_othello_play::search::{Confidence, Effort, Found, Meaning, SearchParams, Searcher, Task};
use ishi_words::Language;
use maud::Markup;

use super::game::{Game, Judged, Overlay, Review, Side, Solved};
use super::{state, view};
use crate::workbench::Desk;
use crate::workbench::error::PageError;
use crate::workbench::thoughts::{Stop, Wall};
use crate::workbench::visitor::Visitor;

pub(super) fn study_key(key: &str) -> String {
    format!("othello/{key}/study")
}

pub(super) fn exact_key(key: &str) -> String {
    format!("othello/{key}/exact")
}

pub(super) fn review_key(key: &str) -> String {
    format!("othello/{key}/review")
}

/// Sixteen bytes for each of a million positions.
const SEARCHER: SearchParams = SearchParams { hash_bits: 20, threads: 1 };

/// The first look is one of this level: it takes no time.
const FIRST_LOOK: u8 = 3;

/// An element of the page, and how it is drawn.
type Told<'a> = (&'static str, &'a dyn Fn(&Visitor) -> Markup);

/// Tells pages unless the work is no longer wanted; no change of the game comes in between.
fn tell_if_wanted(desk: &Desk, key: &str, stop: &Stop, parts: &[Told<'_>]) {
    // The store is held, not asked.
    let _ = desk.store_now(|_| {
        if !stop.is_set() {
            parts.iter().for_each(|(name, draw)| state::tell(desk, key, name, draw));
        }
        Ok(())
    });
}

// --- values of moves ---

/// What is known of the position so far.
pub(super) struct Insight {
    pub(super) hints: Vec<Hint>,
    /// The level of the search that found it.
    pub(super) level: u8,
    /// Nothing more will come.
    pub(super) done: bool,
}

/// Looks at the position on the board, unless something is computed that somebody waits for.
pub(super) fn go_on(desk: &Arc<Desk>, key: &str, game: &Game) {
    if !desk.thoughts.is_thinking(&exact_key(key)) && !desk.thoughts.is_thinking(&review_key(key)) {
        look(desk, key, game);
    }
}

/// Looks at the position on the board, if that is wanted and there is something to choose.
fn look(desk: &Arc<Desk>, key: &str, game: &Game) {
    if !game.study || game.engine_to_move().is_some() || game.position().is_over() {
        return;
    }
    let (shared, name, game) = (Arc::clone(desk), key.to_string(), game.clone());
    desk.thoughts.start(&study_key(key), move |stop| look_now(&shared, &name, &game, stop));
}

/// Level after level, as deep as is wanted, or until all is proved.
fn look_now(desk: &Desk, key: &str, game: &Game, stop: &Stop) {
    let (began, board) = (Instant::now(), game.position().board());
    let gone = || stop.is_set() || state::audience(key).is_gone(desk);
    let clock = Wall(began);
    let limits = Limits { time: None, clock: &clock, stop: &gone };
    let mut searcher = Searcher::new(SEARCHER);
    let last = game.study_level();
    let mut earlier = None;
    for level in Level::all().filter(|level| level.number() >= FIRST_LOOK && *level <= last) {
        let effort = level.effort_in_discs(board.empties());
        if earlier.replace(effort) == Some(effort) {
            continue;
        }
        let found = hints(board, &mut searcher, effort, limits);
        if gone() {
            return;
        }
        let proved = found.iter().all(|hint| hint.found.meaning == Meaning::Exact);
        let insight = Insight { hints: found, level: level.number(), done: proved || level == last };
        tell_insight(desk, key, game, &insight, stop);
        if insight.done {
            return;
        }
    }
}

fn tell_insight(desk: &Desk, key: &str, game: &Game, insight: &Insight, stop: &Stop) {
    let table = |visitor: &Visitor| view::study(visitor, game, Some(insight));
    let board = |visitor: &Visitor| view::board(visitor, key, game, &insight.hints);
    let mut parts: Vec<Told<'_>> = vec![("study", &table)];
    if game.overlay == Overlay::Search {
        parts.push(("board", &board));
    }
    tell_if_wanted(desk, key, stop, &parts);
}

// --- exact endgames ---

/// How far solving is.
pub(super) struct Solving {
    pub(super) empties: u32,
    /// The best that searches with cuts have found so far.
    pub(super) best: Option<Found>,
    pub(super) seconds: f64,
}

/// Solves the position on the board.
pub(super) fn solve(desk: &Arc<Desk>, key: &str, game: &Game) {
    desk.thoughts.stop(&study_key(key));
    let (shared, name, game) = (Arc::clone(desk), key.to_string(), game.clone());
    desk.thoughts.start(&exact_key(key), move |stop| solve_now(&shared, &name, &game, stop));
}

fn solve_now(desk: &Arc<Desk>, key: &str, game: &Game, stop: &Stop) {
    let (began, position) = (Instant::now(), game.position());
    let board = position.board();
    let empties = board.empties();
    let gone = || stop.is_set() || state::audience(key).is_gone(desk);
    let clock = Wall(began);
    let report = |best: Option<&Found>| {
        let solving = Solving { empties, best: best.cloned(), seconds: began.elapsed().as_secs_f64() };
        tell_if_wanted(
            desk,
            key,
            stop,
            &[("exact", &|visitor: &Visitor| view::exact(visitor, key, game, Some(&solving)))],
        );
    };
    report(None);
    let mut observer = |found: &Found| report(Some(found));
    let effort =
        Effort { depth: empties.max(1), exact: empties, win_loss: empties, confidence: Confidence::Full };
    let mut task = Task { clock: &clock, stop: &gone, ..Task::new(effort, &mut observer) };
    let found = Searcher::new(SearchParams { hash_bits: 22, threads: 1 }).search(board, &mut task);
    if stop.is_set() {
        return;
    }
    if gone() || found.meaning != Meaning::Exact {
        let idle = |visitor: &Visitor| view::exact(visitor, key, game, None);
        return tell_if_wanted(desk, key, stop, &[("exact", &idle)]);
    }
    let solved = Solved {
        position: position.to_line(),
        score: found.score,
        line: texts(&found.variation),
        nodes: found.nodes,
        milliseconds: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
    };
    let keep = |game: &mut Game| {
        game.solved = Some(solved);
        Ok(())
    };
    let _ = desk.store_now(|store| {
        let kept = state::alter(desk, store, key, keep)?;
        if let Ok(game) = &kept {
            state::tell(desk, key, "exact", |visitor| view::exact(visitor, key, game, None));
            look(desk, key, game);
        }
        Ok(())
    });
}

fn texts(squares: &[Square]) -> Vec<String> {
    squares.iter().map(Square::to_string).collect()
}

// --- reviews ---

/// Reviews the whole game at this level. It goes on when nobody looks, for a while: somebody asked for it.
pub(super) fn judge(desk: &Arc<Desk>, key: &str, game: &Game, level: Level) {
    desk.thoughts.stop(&study_key(key));
    let (shared, name, game) = (Arc::clone(desk), key.to_string(), game.clone());
    desk.thoughts.start(&review_key(key), move |stop| judge_now(&shared, &name, &game, level, stop));
}

fn judge_now(desk: &Arc<Desk>, key: &str, game: &Game, level: Level, stop: &Stop) {
    let clock = Wall(Instant::now());
    let stopped = || stop.is_set();
    let limits = Limits { time: None, clock: &clock, stop: &stopped };
    let position = game.position_after(game.moves.len());
    let params = ReviewParams { level, exact: None };
    let mut judged: Vec<MoveReview> = Vec::new();
    let mut observer = |each: &MoveReview, left: usize| {
        judged.insert(0, each.clone());
        let so_far = kept(game, level, &GameReview { moves: judged.clone(), complete: left == 0 });
        let mut shown = game.clone();
        shown.review = Some(so_far);
        tell_if_wanted(
            desk,
            key,
            stop,
            &[("review", &|visitor: &Visitor| view::review(visitor, key, &shown, Some(left)))],
        );
    };
    let whole = review(&position, params, &mut Searcher::new(SEARCHER), limits, &mut observer);
    if !whole.complete {
        return;
    }
    let found = kept(game, level, &whole);
    let keep = move |game: &mut Game| {
        if game.moves != found.moves {
            return Err(PageError::changed_elsewhere());
        }
        game.review = Some(found);
        Ok(())
    };
    let _ = desk.store_now(|store| {
        let kept = state::alter(desk, store, key, keep)?;
        if let Ok(game) = &kept {
            state::tell(desk, key, "review", |visitor| view::review(visitor, key, game, None));
            look(desk, key, game);
        }
        Ok(())
    });
}

/// A review as documents keep it.
fn kept(game: &Game, level: Level, review: &GameReview) -> Review {
    Review {
        level: level.number(),
        moves: game.moves.clone(),
        judged: review.moves.iter().map(judged).collect(),
        complete: review.complete,
        summaries: Color::ALL.map(|color| both(|language| summary(review, color, language))).into(),
    }
}

fn both(say: impl Fn(Language) -> String) -> [String; 2] {
    [Language::English, Language::Japanese].map(say)
}

fn judged(each: &MoveReview) -> Judged {
    let better = each.best.mv.square();
    let why = |language: Language| {
        let list = [(Some(each.square), &each.faults), (better, &each.missed)].into_iter();
        let said = list.filter(|(_, reasons)| !reasons.is_empty()).filter_map(|(square, reasons)| {
            Some(format!("{}: {}", square?, words::reasons(reasons, 2, language)))
        });
        said.collect::<Vec<String>>().join(language.choose("; ", "、"))
    };
    Judged {
        number: each.number,
        side: Side::of(each.color),
        square: each.square.to_string(),
        value: each.value,
        loss: each.loss,
        proved: each.is_proved(),
        turned: each.turned.is_some(),
        forced: each.forced,
        better: better.map(|square| square.to_string()).unwrap_or_default(),
        better_value: each.best.score,
        line: texts(&each.best.variation),
        why: both(why),
    }
}

/// How a side played, in words.
fn summary(review: &GameReview, color: Color, language: Language) -> String {
    let summary = review.summary(color);
    let name = words::color(color, language);
    let total = summary.total();
    let Some(mean) = total.mean_loss() else { return String::new() };
    let (best, choices, loss) = (summary.best, total.choices, total.loss);
    language.choose(
        format!("{name} lost {loss} discs, {mean:.1} a move; the best move {best} times of {choices}"),
        format!("{name}: 石損{loss}個、1手平均{mean:.1}個、最善手{choices}手中{best}手"),
    )
}

/// Can the whole of this be solved in a time that people wait for? About a minute for 26 empty squares.
pub(super) fn is_solvable(board: Board) -> bool {
    board.empties() <= 30
}
