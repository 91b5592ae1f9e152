//! What is found out about a game: values of moves as one looks, exact endgames, reviews.

use std::sync::Arc;
use std::time::Instant;

use ishi_arena::stopwatch::WallClock;
use ishi_othello::{Board, Color, Square};
use ishi_othello_play::coach::{
    GameReview, MoveHint, MoveReview, ReviewLesson, ReviewParams, find_hints, list_answers, review_game,
    words,
};
use ishi_othello_play::levels::{Level, LevelLimits};
use ishi_othello_play::search::{
    CutConfidence, FoundMove, ScoreMeaning, SearchEffort, SearchParams, SearchTask, Searcher,
};
use ishi_words::Language;
use ishi_work::StopFlag;
use maud::Markup;

use super::game::{
    JudgedOthelloMove, OthelloGameState, OthelloLesson, OthelloReview, Overlay, Side, SolvedOthelloPosition,
};
use super::{state, view};
use crate::workbench::WorkbenchState;
use crate::workbench::error::PageError;
use crate::workbench::texts::{args, page_language_of};
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
pub(super) const SEARCHER: SearchParams = SearchParams { hash_bits: 20, threads: 1 };

/// The first look is one of this level: it takes no time.
const FIRST_LOOK: u8 = 3;

/// An element of the page, and how it is drawn.
type PageElement<'a> = (&'static str, &'a dyn Fn(&Visitor) -> Markup);

/// Tells pages unless the work is no longer wanted; no change of the game comes in between.
fn publish_if_wanted(desk: &WorkbenchState, key: &str, stop: &StopFlag, parts: &[PageElement<'_>]) {
    // The store is held, not asked.
    let _ = desk.ask_store_blocking(|_| {
        if !stop.is_requested() {
            parts.iter().for_each(|(name, draw)| state::publish_element(desk, key, name, draw));
        }
        Ok(())
    });
}

// --- values of moves ---

/// What is known of the position so far.
pub(super) struct StudyInsight {
    pub(super) hints: Vec<MoveHint>,
    /// The level of the search that found it.
    pub(super) level: u8,
    /// Nothing more will come.
    pub(super) done: bool,
}

/// Looks at the position on the board, unless something is computed that somebody waits for.
pub(super) fn resume_study(desk: &Arc<WorkbenchState>, key: &str, game: &OthelloGameState) {
    if !desk.thoughts.is_running(&exact_key(key)) && !desk.thoughts.is_running(&review_key(key)) {
        start_study(desk, key, game);
    }
}

/// Looks at the position on the board, if that is wanted and there is something to choose.
fn start_study(desk: &Arc<WorkbenchState>, key: &str, game: &OthelloGameState) {
    if !game.study || game.engine_to_move().is_some() || game.position().is_over() {
        return;
    }
    let (shared, name, game) = (Arc::clone(desk), key.to_string(), game.clone());
    desk.thoughts.start_task(&study_key(key), move |stop| run_study(&shared, &name, &game, stop));
}

/// Level after level, as deep as is wanted, or until all is proved.
fn run_study(desk: &WorkbenchState, key: &str, game: &OthelloGameState, stop: &StopFlag) {
    let (began, board) = (Instant::now(), game.position().board());
    let gone = || stop.is_requested() || state::game_audience(key).is_absent(desk);
    let clock = WallClock::since(began);
    let limits = LevelLimits { time: None, clock: &clock, stop: &gone };
    let mut searcher = Searcher::new(SEARCHER);
    let last = game.study_level();
    let mut earlier = None;
    for level in Level::all().filter(|level| level.number() >= FIRST_LOOK && *level <= last) {
        let effort = level.effort_in_discs(board.empty_count());
        if earlier.replace(effort) == Some(effort) {
            continue;
        }
        let found = find_hints(board, &mut searcher, effort, limits);
        if gone() {
            return;
        }
        let proved = found.iter().all(|hint| hint.found.meaning == ScoreMeaning::Exact);
        let insight = StudyInsight { hints: found, level: level.number(), done: proved || level == last };
        publish_insight(desk, key, game, &insight, stop);
        if insight.done {
            return;
        }
    }
}

fn publish_insight(
    desk: &WorkbenchState,
    key: &str,
    game: &OthelloGameState,
    insight: &StudyInsight,
    stop: &StopFlag,
) {
    let table = |visitor: &Visitor| view::render_study(visitor, game, Some(insight));
    let board = |visitor: &Visitor| view::render_board(visitor, key, game, &insight.hints);
    let mut parts: Vec<PageElement<'_>> = vec![("study", &table)];
    if game.overlay == Overlay::Search {
        parts.push(("board", &board));
    }
    publish_if_wanted(desk, key, stop, &parts);
}

// --- exact endgames ---

/// How far solving is.
pub(super) struct SolvingState {
    pub(super) empties: u32,
    /// The best that searches with cuts have found so far.
    pub(super) best: Option<FoundMove>,
    pub(super) seconds: f64,
}

/// Solves the position on the board.
pub(super) fn start_solving(desk: &Arc<WorkbenchState>, key: &str, game: &OthelloGameState) {
    desk.thoughts.stop_task(&study_key(key));
    let (shared, name, game) = (Arc::clone(desk), key.to_string(), game.clone());
    desk.thoughts.start_task(&exact_key(key), move |stop| run_solving(&shared, &name, &game, stop));
}

fn run_solving(desk: &Arc<WorkbenchState>, key: &str, game: &OthelloGameState, stop: &StopFlag) {
    let (began, position) = (Instant::now(), game.position());
    let board = position.board();
    let empties = board.empty_count();
    let gone = || stop.is_requested() || state::game_audience(key).is_absent(desk);
    let clock = WallClock::since(began);
    let report = |best: Option<&FoundMove>| {
        let solving = SolvingState { empties, best: best.cloned(), seconds: began.elapsed().as_secs_f64() };
        publish_if_wanted(
            desk,
            key,
            stop,
            &[("exact", &|visitor: &Visitor| view::render_exact_score(visitor, key, game, Some(&solving)))],
        );
    };
    report(None);
    let mut observer = |found: &FoundMove| report(Some(found));
    let effort = SearchEffort {
        depth: empties.max(1),
        exact: empties,
        win_loss: empties,
        confidence: CutConfidence::Full,
    };
    let mut task = SearchTask { clock: &clock, stop: &gone, ..SearchTask::new(effort, &mut observer) };
    let found = Searcher::new(SearchParams { hash_bits: 22, threads: 1 }).search_board(board, &mut task);
    if stop.is_requested() {
        return;
    }
    if gone() || found.meaning != ScoreMeaning::Exact {
        let idle = |visitor: &Visitor| view::render_exact_score(visitor, key, game, None);
        return publish_if_wanted(desk, key, stop, &[("exact", &idle)]);
    }
    let solved = SolvedOthelloPosition {
        position: position.to_line(),
        score: found.score,
        line: square_names(&found.variation),
        nodes: found.nodes,
        milliseconds: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
    };
    let keep = |game: &mut OthelloGameState| {
        game.solved = Some(solved);
        Ok(())
    };
    keep_and_show(desk, key, "exact", keep, |visitor, game| {
        view::render_exact_score(visitor, key, game, None)
    });
}

/// Keeps what was found of the game, and shows it in a part of its pages.
fn keep_and_show(
    desk: &Arc<WorkbenchState>,
    key: &str,
    part: &'static str,
    keep: impl FnOnce(&mut OthelloGameState) -> Result<(), PageError>,
    draw: impl Fn(&Visitor, &OthelloGameState) -> Markup,
) {
    let _ = desk.ask_store_blocking(|store| {
        let kept = state::change_stored_game(desk, store, key, keep)?;
        if let Ok(game) = &kept {
            state::publish_element(desk, key, part, |visitor| draw(visitor, game));
            start_study(desk, key, game);
        }
        Ok(())
    });
}

fn square_names(squares: &[Square]) -> Vec<String> {
    squares.iter().map(Square::to_string).collect()
}

// --- reviews ---

/// Reviews the whole game at this level. It goes on when nobody looks: somebody asked for it. If the server ends, it begins anew when somebody looks.
pub(super) fn start_review(desk: &Arc<WorkbenchState>, key: &str, game: &OthelloGameState, level: Level) {
    desk.thoughts.stop_task(&study_key(key));
    let (shared, name, game) = (Arc::clone(desk), key.to_string(), game.clone());
    desk.thoughts.start_task(&review_key(key), move |stop| run_review(&shared, &name, &game, level, stop));
}

/// Begins a review anew that is wanted, but that nobody is at.
pub(super) fn resume_review(desk: &Arc<WorkbenchState>, key: &str, game: &OthelloGameState) {
    if let Some(level) = game.wanted_level() {
        start_review(desk, key, game, level);
    }
}

fn run_review(desk: &Arc<WorkbenchState>, key: &str, game: &OthelloGameState, level: Level, stop: &StopFlag) {
    let clock = WallClock::start();
    let stopped = || stop.is_requested();
    let limits = LevelLimits { time: None, clock: &clock, stop: &stopped };
    let position = game.position_after(game.moves.len());
    let params = ReviewParams { level, exact: None };
    let mut judged: Vec<MoveReview> = Vec::new();
    let mut observer = |each: &MoveReview, left: usize| {
        judged.insert(0, each.clone());
        let so_far = make_review(game, level, &GameReview { moves: judged.clone(), complete: left == 0 });
        let mut shown = game.clone();
        shown.review = Some(so_far);
        publish_if_wanted(
            desk,
            key,
            stop,
            &[("review", &|visitor: &Visitor| view::render_review(visitor, key, &shown, Some(left)))],
        );
    };
    let mut searcher = Searcher::new(SEARCHER);
    let whole = review_game(&position, params, &mut searcher, limits, &mut observer);
    if !whole.complete {
        return;
    }
    let found = make_review_with_lessons(game, level, &whole, &mut searcher, limits);
    // Answers of a search that was stopped are none.
    if stop.is_requested() {
        return;
    }
    let keep = move |game: &mut OthelloGameState| {
        if game.moves != found.moves {
            return Err(PageError::changed_elsewhere());
        }
        (game.review, game.wanted_review) = (Some(found), None);
        Ok(())
    };
    keep_and_show(desk, key, "review", keep, |visitor, game| view::render_review(visitor, key, game, None));
}

/// A complete review with its lessons, whose answers are searched.
pub(super) fn make_review_with_lessons(
    game: &OthelloGameState,
    level: Level,
    whole: &GameReview,
    searcher: &mut Searcher,
    limits: LevelLimits<'_>,
) -> OthelloReview {
    let lessons = LessonQuestions { level, limits }.list_all(whole, searcher);
    OthelloReview { lessons, ..make_review(game, level, whole) }
}

/// A review as documents keep it.
fn make_review(game: &OthelloGameState, level: Level, review: &GameReview) -> OthelloReview {
    OthelloReview {
        level: level.number(),
        moves: game.moves.clone(),
        judged: review.moves.iter().map(to_judged_move).collect(),
        complete: review.complete,
        summaries: Color::ALL
            .into_iter()
            .map(|color| in_both_languages(|language| side_summary(review, color, language)))
            .filter(|texts| !texts[0].is_empty())
            .collect(),
        lessons: Vec::new(),
    }
}

/// What lessons ask is found by a search in their places, as deep as the one that has found the best moves.
struct LessonQuestions<'a> {
    level: Level,
    limits: LevelLimits<'a>,
}

impl LessonQuestions<'_> {
    /// The lessons of both sides, in the order of what they lost.
    fn list_all(&self, review: &GameReview, searcher: &mut Searcher) -> Vec<OthelloLesson> {
        let mut found = Vec::new();
        for color in Color::ALL {
            let lessons = review.list_lessons(color);
            found.extend(lessons.iter().filter_map(|lesson| self.ask(review, color, lesson, searcher)));
        }
        found
    }

    /// The question of a lesson, at the move of it that lost most. `None` if no better move is known there.
    fn ask(
        &self,
        review: &GameReview,
        color: Color,
        lesson: &ReviewLesson,
        searcher: &mut Searcher,
    ) -> Option<OthelloLesson> {
        let moves = review.moves.iter().filter(|each| lesson.moves.contains(&each.number));
        let worst = moves.max_by_key(|each| (each.loss, std::cmp::Reverse(each.number)))?;
        worst.best.mv.square()?;
        let params = ReviewParams { level: self.level, exact: None };
        let answers = list_answers(worst, params, searcher, self.limits);
        Some(OthelloLesson {
            side: Side::from_color(color),
            number: worst.number,
            numbers: lesson.moves.clone(),
            answers: square_names(&answers),
            text: in_both_languages(|language| words::describe_lesson(lesson, language)),
        })
    }
}

fn in_both_languages(say: impl Fn(Language) -> String) -> [String; 2] {
    [Language::English, Language::Japanese].map(say)
}

fn to_judged_move(each: &MoveReview) -> JudgedOthelloMove {
    let better = each.best.mv.square();
    let why = |language: Language| {
        if let Some(reason) = &each.reason {
            return words::describe_main_reason(reason, each.color, language);
        }
        let list = [(Some(each.square), &each.faults), (better, &each.missed)].into_iter();
        let said = list.filter(|(_, reasons)| !reasons.is_empty()).filter_map(|(square, reasons)| {
            Some(format!("{}: {}", square?, words::describe_reasons(reasons, 2, language)))
        });
        said.collect::<Vec<String>>().join(page_language_of(language).text("othello-semicolon"))
    };
    JudgedOthelloMove {
        number: each.number,
        side: Side::from_color(each.color),
        square: each.square.to_string(),
        value: each.value,
        loss: each.loss,
        proved: each.is_proved(),
        turned: each.turned.is_some(),
        forced: each.forced,
        better: better.map(|square| square.to_string()).unwrap_or_default(),
        better_value: each.best.score,
        line: square_names(&each.best.variation),
        why: in_both_languages(why),
    }
}

/// How a side played, in words.
fn side_summary(review: &GameReview, color: Color, language: Language) -> String {
    let summary = review.summarize_player(color);
    let name = words::color_name(color, language);
    let total = summary.total_summary();
    let Some(mean) = total.mean_loss() else { return String::new() };
    let (best, choices, loss) = (summary.best, total.choices, total.loss);
    page_language_of(language).text_with(
        "othello-lost-discs-a-move-the-best",
        args![name, loss, mean = format!("{mean:.1}"), best, choices],
    )
}

/// Can the whole of this be solved in a time that people wait for? About a minute for 26 empty squares.
pub(super) fn is_solvable(board: Board) -> bool {
    board.empty_count() <= 30
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sixty moves by chance: both sides have much to learn.
    const RANDOM: &str = "c4c5f6c3b5g7e3e6c2f3g3a5h8b3f4f2b4f5f7h3a3d2e2e1a6e7d7c1c6g8f1g4d1b6b1d3g6b7f8a7c7h6a8b2g5g2a1d6h2h5a4d8c8h7e8a2h4b8g1h1";

    #[test]
    fn a_lesson_asks_about_its_worst_move_and_knows_all_good_answers() {
        let squares = RANDOM.as_bytes().chunks(2).map(|square| String::from_utf8_lossy(square).into_owned());
        let mut game = OthelloGameState::default();
        game.moves.extend(squares);
        let position = game.position_after(game.moves.len());
        assert!(position.is_over(), "the game is legal to its end");
        let (clock, level) = (WallClock::start(), Level::all().nth(3).unwrap());
        let limits = LevelLimits { time: None, clock: &clock, stop: &|| false };
        let mut searcher = Searcher::new(SEARCHER);
        let params = ReviewParams { level, exact: None };
        let review = review_game(&position, params, &mut searcher, limits, &mut |_, _| {});
        let lessons = LessonQuestions { level, limits }.list_all(&review, &mut searcher);
        for color in Color::ALL {
            let side = Side::from_color(color);
            assert!(lessons.iter().any(|lesson| lesson.side == side), "no lesson for {side:?}");
        }
        for lesson in &lessons {
            let of_number = |number: usize| review.moves.iter().find(|each| each.number == number).unwrap();
            let asked = of_number(lesson.number);
            let worst = lesson.numbers.iter().map(|&number| of_number(number).loss).max();
            assert_eq!((Some(asked.loss), Side::from_color(asked.color)), (worst, lesson.side));
            assert_eq!(lesson.answers[0], asked.best.mv.to_string());
            assert!(!lesson.answers.contains(&asked.square.to_string()), "{lesson:?}");
            let legal = |answer: &String| {
                answer
                    .parse::<Square>()
                    .is_ok_and(|square| (asked.board.legal_moves() >> square.index()) & 1 == 1)
            };
            assert!(lesson.answers.iter().all(legal), "{lesson:?}");
        }
    }
}
