//! What is found out about a game: values of moves as one looks, exact endgames, reviews.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Instant;

use ishi_arena::stopwatch::WallClock;
use ishi_othello::{Board, Color, Square};
use ishi_othello_play::coach::{
    GameTurn, PhaseSummary, ReviewLesson, find_hints, gather_lessons, list_turns, words,
};
use ishi_othello_play::depth::analysis_efforts;
use ishi_othello_play::levels::{Level, LevelLimits};
use ishi_othello_play::search::{
    CutConfidence, FoundMove, ScoreMeaning, SearchEffort, SearchParams, SearchTask, Searcher,
};
use ishi_words::Language;
use ishi_work::{Clock, StopFlag};
use maud::Markup;

use super::findings::{
    OthelloReviewGrowth, SEARCHER, SolvingState, StudyInsight, in_both_languages, square_names,
};
use super::game::{OthelloGameState, OthelloLesson, OthelloReview, Overlay, SolvedOthelloPosition};
use super::kept::{JudgedTurn, KeptReviewer};
use super::pace::ReviewPace;
use super::state::{self, exact_key, review_key, study_key};
use super::view;
use crate::workbench::WorkbenchState;
use crate::workbench::error::PageError;
use crate::workbench::texts::{args, page_language_of};
use crate::workbench::visitor::Visitor;

/// The first look is one of this level: it takes no time.
const FIRST_LOOK: u8 = 3;

/// As many plies as a game has.
const ALL_PLIES: u32 = 60;

/// An element of the page, and how it is drawn.
type PageElement<'a> = (&'static str, &'a dyn Fn(&Visitor) -> Markup);

/// Tells pages unless the work is no longer wanted; no change of the game comes in between.
fn publish_if_wanted(desk: &WorkbenchState, key: &str, stop: &StopFlag, parts: &[PageElement<'_>]) {
    // Nothing is read from the store: holding it keeps others from changing the game before pages are told.
    let _ = desk.ask_store_blocking(|_| {
        if !stop.is_requested() {
            parts.iter().for_each(|(name, draw)| state::publish_element(desk, key, name, draw));
        }
        Ok(())
    });
}

// --- values of moves ---

/// Looks at the position on the board, unless something is computed that somebody waits for.
pub(super) fn resume_study(desk: &Arc<WorkbenchState>, key: &str, game: &OthelloGameState) {
    if !desk.reviews.is_running(&exact_key(key)) && !desk.reviews.is_running(&review_key(key)) {
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

/// A look at the moves of a position.
#[derive(Clone, Copy, Debug)]
struct StudyLook {
    /// The level that looks so hard; none does where it looks further than all.
    level: Option<u8>,
    effort: SearchEffort,
}

/// The looks at a position with so many empty squares: level after level, as far as is wanted, and then on to a proof if that is wanted.
fn list_looks(game: &OthelloGameState, empties: u32) -> Vec<StudyLook> {
    let last = game.study_level();
    let first = FIRST_LOOK.min(last.number());
    let levels = Level::all().filter(|level| level.number() >= first && *level <= last);
    let of_level =
        |level: Level| StudyLook { level: Some(level.number()), effort: level.effort_in_discs(empties) };
    let mut looks: Vec<StudyLook> = levels.map(of_level).collect();
    looks.dedup_by_key(|look| look.effort);
    if game.until_proved {
        let reached = looks.last().map_or(0, |look| look.effort.depth);
        let further =
            analysis_efforts(ALL_PLIES, empties).into_iter().filter(|effort| effort.depth > reached);
        looks.extend(further.map(|effort| StudyLook { level: None, effort }));
    }
    looks
}

/// Look after look, as far as is wanted, or until all is proved.
fn run_study(desk: &WorkbenchState, key: &str, game: &OthelloGameState, stop: &StopFlag) {
    let (began, board) = (Instant::now(), game.position().board());
    let turns = desk.thoughts.take_turns(&study_key(key), stop);
    let gone = || turns.is_requested() || state::game_audience(key).is_absent(desk);
    let clock = WallClock::since(began);
    let limits = LevelLimits { time: None, clock: &clock, stop: &gone };
    let mut searcher = Searcher::new(SEARCHER);
    let looks = list_looks(game, board.empty_count());
    for (number, look) in (1..).zip(&looks) {
        let found = find_hints(board, &mut searcher, look.effort, limits);
        if gone() {
            return;
        }
        let proved = found.iter().all(|hint| hint.found.meaning == ScoreMeaning::Exact);
        let done = proved || number == looks.len();
        let insight = StudyInsight { hints: found, level: look.level, done };
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

/// Solves the position on the board.
pub(super) fn start_solving(desk: &Arc<WorkbenchState>, key: &str, game: &OthelloGameState) {
    desk.thoughts.stop_task(&study_key(key));
    let (shared, name, game) = (Arc::clone(desk), key.to_string(), game.clone());
    desk.reviews.start_task(&exact_key(key), move |stop| run_solving(&shared, &name, &game, stop));
}

fn run_solving(desk: &Arc<WorkbenchState>, key: &str, game: &OthelloGameState, stop: &StopFlag) {
    let (began, position) = (Instant::now(), game.position());
    let board = position.board();
    let empties = board.empty_count();
    let turns = desk.reviews.take_turns(&exact_key(key), stop);
    let gone = || turns.is_requested() || state::game_audience(key).is_absent(desk);
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
        // Moves stay as they are, so that no engine is to think.
        if let Ok(change) = &kept {
            state::publish_element(desk, key, part, |visitor| draw(visitor, &change.game));
            start_study(desk, key, &change.game);
        }
        Ok(())
    });
}

// --- reviews ---

/// Reviews the whole game at this level. It goes on when nobody looks: somebody asked for it. If the server ends, it goes on when somebody looks.
pub(super) fn start_review(desk: &Arc<WorkbenchState>, key: &str, game: &OthelloGameState, level: Level) {
    desk.thoughts.stop_task(&study_key(key));
    let (shared, name, game) = (Arc::clone(desk), key.to_string(), game.clone());
    desk.reviews.start_task(&review_key(key), move |stop| run_review(&shared, &name, &game, level, stop));
}

/// Goes on with a review that is wanted, but that nobody is at. What was judged is known (`kept`).
pub(super) fn resume_review(desk: &Arc<WorkbenchState>, key: &str, game: &OthelloGameState) {
    if let Some(level) = game.wanted_level() {
        start_review(desk, key, game, level);
    }
}

fn run_review(desk: &Arc<WorkbenchState>, key: &str, game: &OthelloGameState, level: Level, stop: &StopFlag) {
    let clock = WallClock::start();
    let turns = desk.reviews.take_turns(&review_key(key), stop);
    let stopped = || turns.is_requested();
    let limits = LevelLimits { time: None, clock: &clock, stop: &stopped };
    let mut reviewer = KeptReviewer::open(desk, key, level, limits);
    let turns = list_turns(&game.position_after(game.moves.len()));
    let mut tell = |judged: &[JudgedTurn], growth: OthelloReviewGrowth| {
        let mut shown = game.clone();
        shown.review = Some(make_review(game, level, judged, growth.left == 0));
        publish_if_wanted(
            desk,
            key,
            stop,
            &[("review", &|visitor: &Visitor| view::render_review(visitor, key, &shown, Some(growth)))],
        );
    };
    let Some(judged) = judge_turns(&mut reviewer, &turns, &clock, &mut tell) else { return };
    let mut find_good = |board| reviewer.find_good_moves(board);
    let found = make_review_with_lessons(game, level, &judged, &mut find_good);
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

/// Judges moves from the last to the first, and tells how far it is; the judged moves in the order of the game. `None` if it is stopped.
fn judge_turns(
    reviewer: &mut KeptReviewer<'_>,
    turns: &[GameTurn],
    clock: &dyn Clock,
    tell: &mut dyn FnMut(&[JudgedTurn], OthelloReviewGrowth),
) -> Option<Vec<JudgedTurn>> {
    let is_new = |turn: &&GameTurn| reviewer.find_known(turn).is_none();
    let new = turns.iter().filter(is_new).map(|turn| turn.board.empty_count());
    let mut pace = ReviewPace::new(reviewer.level(), new);
    let mut judged = Vec::new();
    for (left, turn) in turns.iter().enumerate().rev() {
        if let Some(known) = reviewer.find_known(turn) {
            judged.insert(0, known);
            // Where many are known there is no need to tell of each.
            if left > 0 {
                continue;
            }
        } else {
            let begun = clock.now();
            judged.insert(0, reviewer.judge(turn)?);
            pace.note_judged(turn.board.empty_count(), clock.now().saturating_sub(begun));
        }
        tell(&judged, OthelloReviewGrowth { left, seconds_left: pace.seconds_left() });
    }
    Some(judged)
}

/// What finds the moves of a place that are as good as the best.
pub(super) type FindGoodMoves<'a> = &'a mut dyn FnMut(Board) -> Vec<Square>;

/// A complete review with its lessons.
pub(super) fn make_review_with_lessons(
    game: &OthelloGameState,
    level: Level,
    judged: &[JudgedTurn],
    find_good: FindGoodMoves<'_>,
) -> OthelloReview {
    let lessons = list_lessons(game, judged, find_good);
    OthelloReview { lessons, ..make_review(game, level, judged, true) }
}

/// A review as documents keep it.
fn make_review(
    game: &OthelloGameState,
    level: Level,
    judged: &[JudgedTurn],
    complete: bool,
) -> OthelloReview {
    OthelloReview {
        level: level.number(),
        moves: game.moves.clone(),
        judged: judged.iter().map(|turn| turn.judged.clone()).collect(),
        complete,
        summaries: Color::ALL
            .into_iter()
            .map(|color| in_both_languages(|language| side_summary(judged, color, language)))
            .filter(|texts| !texts[0].is_empty())
            .collect(),
        lessons: Vec::new(),
    }
}

/// The lessons of both sides, in the order of what they lost.
fn list_lessons(
    game: &OthelloGameState,
    judged: &[JudgedTurn],
    find_good: FindGoodMoves<'_>,
) -> Vec<OthelloLesson> {
    let mut found = Vec::new();
    for color in Color::ALL {
        let own = judged.iter().filter(|turn| turn.judged.side.color() == color);
        for lesson in gather_lessons(own.filter_map(JudgedTurn::as_mistake)) {
            found.extend(ask_lesson(game, judged, &lesson, find_good));
        }
    }
    found
}

/// The question of a lesson, at the move of it that lost most. `None` if no better move is known there.
fn ask_lesson(
    game: &OthelloGameState,
    judged: &[JudgedTurn],
    lesson: &ReviewLesson,
    find_good: FindGoodMoves<'_>,
) -> Option<OthelloLesson> {
    let moves = judged.iter().map(|turn| &turn.judged).filter(|each| lesson.moves.contains(&each.number));
    let worst = moves.max_by_key(|each| (each.loss, Reverse(each.number)))?;
    if worst.better.is_empty() {
        return None;
    }
    let good = find_good(game.position_after(worst.number - 1).board());
    let others = good.iter().map(Square::to_string);
    let others = others.filter(|square| *square != worst.better && *square != worst.square);
    Some(OthelloLesson {
        side: worst.side,
        number: worst.number,
        numbers: lesson.moves.clone(),
        answers: std::iter::once(worst.better.clone()).chain(others).collect(),
        text: in_both_languages(|language| words::describe_lesson(lesson, language)),
    })
}

/// How a side played, in words.
fn side_summary(judged: &[JudgedTurn], color: Color, language: Language) -> String {
    let own = judged.iter().map(|turn| &turn.judged).filter(|each| each.side.color() == color);
    let losses: Vec<i32> = own.filter(|each| !each.forced).map(|each| each.loss).collect();
    let total = PhaseSummary { choices: losses.len(), loss: losses.iter().sum() };
    let Some(mean) = total.mean_loss() else { return String::new() };
    let best = losses.iter().filter(|&&loss| loss == 0).count();
    let (name, choices, loss) = (words::color_name(color, language), total.choices, total.loss);
    page_language_of(language).text_with(
        "othello-lost-discs-a-move-the-best",
        args![name, loss, mean = format!("{mean:.1}"), best, choices],
    )
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ishi_othello::Position;
    use ishi_othello_play::coach::{ReviewParams, review_game};
    use ishi_sgf::othello_records::OthelloRecord;

    use super::super::entrance::SAMPLE;
    use super::super::findings::to_judged_move;
    use super::super::game::Side;
    use super::super::kept::find_good_moves;
    use super::*;
    use crate::workbench::desk::test_desk;

    /// Sixty moves by chance: both sides have much to learn.
    const RANDOM: &str = "c4c5f6c3b5g7e3e6c2f3g3a5h8b3f4f2b4f5f7h3a3d2e2e1a6e7d7c1c6g8f1g4d1b6b1d3g6b7f8a7c7h6a8b2g5g2a1d6h2h5a4d8c8h7e8a2h4b8g1h1";

    /// The first so many moves of it.
    fn random_game(moves: usize) -> OthelloGameState {
        let squares = RANDOM.as_bytes().chunks(2).map(|square| String::from_utf8_lossy(square).into_owned());
        let mut game = OthelloGameState::default();
        game.moves.extend(squares.take(moves));
        game
    }

    /// An analysis that goes on until all is proved does so wherever the strongest level proves nothing.
    #[test]
    fn an_analysis_goes_to_its_level_or_to_a_proof() {
        let mut game = OthelloGameState::default();
        game.level = 9;
        for empties in [1, 12, 27, 34, 60] {
            game.until_proved = false;
            let looks = list_looks(&game, empties);
            let level = Level::new(9).unwrap();
            assert_eq!(looks.last().unwrap().effort, level.effort_in_discs(empties));
            game.until_proved = true;
            let looks = list_looks(&game, empties);
            assert!(looks.last().unwrap().effort.exact >= empties, "{empties}: {looks:?}");
            assert!(looks.iter().all(|look| look.level.is_none_or(|level| level <= 9)));
        }
        game.level = Level::HIGHEST.number();
        let looks = list_looks(&game, 30);
        let further = looks.iter().filter(|look| look.level.is_none());
        let cuts: Vec<u32> = further.map(|look| look.effort.confidence.percent()).collect();
        assert_eq!(cuts, [63, 87, 95, 99, 100], "to the end of the game");
    }

    #[test]
    fn a_lesson_asks_about_its_worst_move_and_knows_all_good_answers() {
        let game = random_game(60);
        let position = game.position_after(game.moves.len());
        assert!(position.is_over(), "the game is legal to its end");
        let (clock, level) = (WallClock::start(), Level::all().nth(3).unwrap());
        let limits = LevelLimits { time: None, clock: &clock, stop: &|| false };
        let mut searcher = Searcher::new(SEARCHER);
        let params = ReviewParams { level, exact: None };
        let review = review_game(&position, params, &mut searcher, limits, &mut |_, _| {});
        let judged: Vec<JudgedTurn> = review.moves.iter().map(JudgedTurn::from_review).collect();
        let mut find_good = |board| find_good_moves(board, level, &mut searcher, limits);
        let lessons = list_lessons(&game, &judged, &mut find_good);
        for color in Color::ALL {
            let side = Side::from_color(color);
            let own: Vec<&OthelloLesson> = lessons.iter().filter(|lesson| lesson.side == side).collect();
            let kinds = review.list_lessons(color);
            assert!(!own.is_empty(), "no lesson for {side:?}");
            assert!(own.iter().zip(&kinds).all(|(lesson, kind)| lesson.numbers == kind.moves));
            let summary = review.summarize_player(color);
            let total = summary.total_summary();
            let told = side_summary(&judged, color, Language::English);
            let counted = format!("the best move {} times of {}", summary.best, total.choices);
            assert!(told.contains(&counted) && told.contains(&format!(" {} disc", total.loss)), "{told}");
        }
        for lesson in &lessons {
            let of_number = |number: usize| review.moves.iter().find(|each| each.number == number).unwrap();
            let asked = of_number(lesson.number);
            let worst = lesson.numbers.iter().map(|&number| of_number(number).loss).max();
            assert_eq!((Some(asked.loss), Side::from_color(asked.color)), (worst, lesson.side));
            assert_eq!(lesson.answers[0], asked.best.mv.to_string());
            let told = to_judged_move(asked);
            let follows = std::iter::once(&told.square).chain(&told.refutation);
            assert_eq!(follows.cloned().collect::<Vec<_>>(), square_names(&asked.line), "{lesson:?}");
            assert!(!lesson.answers.contains(&asked.square.to_string()), "{lesson:?}");
            let legal = |answer: &String| {
                answer
                    .parse::<Square>()
                    .is_ok_and(|square| (asked.board.legal_moves() >> square.index()) & 1 == 1)
            };
            assert!(lesson.answers.iter().all(legal), "{lesson:?}");
        }
    }

    /// Writes the review that comes with the sample, as the room makes it today:
    /// `cargo test --release -p ishi-web the_sample_review_is_written_anew -- --ignored`.
    #[test]
    #[ignore = "writes a file of the repository, in some minutes"]
    fn the_sample_review_is_written_anew() {
        let desk = Arc::new(test_desk());
        let record = OthelloRecord::from_game(Position::from_transcript(SAMPLE).unwrap());
        let game = OthelloGameState::from_record(&record, 0);
        let (clock, level) = (WallClock::start(), Level::new(12).unwrap());
        let limits = LevelLimits { time: None, clock: &clock, stop: &|| false };
        let mut reviewer = KeptReviewer::open(&desk, "sample", level, limits);
        let turns = list_turns(&game.position_after(game.moves.len()));
        let judged = judge_turns(&mut reviewer, &turns, &clock, &mut |_, _| {}).unwrap();
        let mut find_good = |board| reviewer.find_good_moves(board);
        let review = make_review_with_lessons(&game, level, &judged, &mut find_good);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/workbench/rooms/othello");
        let text = serde_json::to_string(&review).unwrap() + "\n";
        std::fs::write(folder.join("sample-review.json"), text).unwrap();
    }

    /// What a review of so many moves says, and how often it tells that it has judged one: always of the first move, which is judged last.
    fn review_kept(desk: &Arc<WorkbenchState>, moves: usize) -> (Vec<JudgedTurn>, usize) {
        let (clock, mut told) = (WallClock::start(), 0);
        let limits = LevelLimits { time: None, clock: &clock, stop: &|| false };
        let mut reviewer = KeptReviewer::open(desk, "game", Level::LOWEST, limits);
        let turns = list_turns(&random_game(moves).position_after(moves));
        let judged = judge_turns(&mut reviewer, &turns, &clock, &mut |_, _| told += 1);
        (judged.unwrap(), told)
    }

    #[test]
    fn a_game_that_has_gone_on_is_judged_from_there() {
        let desk = Arc::new(test_desk());
        let (first, told) = review_kept(&desk, 50);
        assert_eq!((first.len(), told), (50, 50));
        let (second, told) = review_kept(&desk, 53);
        assert_eq!((second.len(), told), (53, 3 + 1), "three moves are new");
        assert_eq!(second[..50], first[..], "what was judged stands");
        assert_eq!(review_kept(&desk, 53), (second, 1), "all is known");
    }

    #[test]
    fn answers_of_lessons_are_kept_unless_their_search_was_stopped() {
        let (desk, clock) = (Arc::new(test_desk()), WallClock::start());
        let board = random_game(52).position_after(52).board();
        let find = |is_stopped: bool| {
            let stop = move || is_stopped;
            let limits = LevelLimits { time: None, clock: &clock, stop: &stop };
            let mut reviewer = KeptReviewer::open(&desk, "game", Level::LOWEST, limits);
            reviewer.find_good_moves(board)
        };
        find(true);
        let found = find(false);
        assert!(!found.is_empty() && found.iter().all(|&square| board.is_legal(square)), "{found:?}");
        assert_eq!(find(true), found, "it is known, and needs no search");
    }
}
