//! Has every losing move a reason, and does it hold when one looks deeper?
//!
//! `cargo run --release -p ishi-othello-play --example coach_reasons -- LEVEL GAMES SECONDS [seed=N] FILE...` reviews so many games from
//! WTHOR files (packed by gzip or not): evenly chosen, or drawn by a seed. It takes the moves of the losing side that lost 2 discs and more.
//! Each is searched once more, exactly from 20 empty squares on and 12 plies deeper than the level before (14 where LEVEL is `6+14`). All
//! these searches end with the same side to move. A reason holds if the move still loses 2 discs, if the end of the line that is told is
//! still 2 discs below the best move, and if the one who erred has no way out of the line that saves more than 2 discs. Praised moves of the
//! same positions are searched so, too. It ends after so many seconds with what it has. In brackets behind each reason: what the move loses,
//! how far the end of the line is below the best move, and what the way out saves. Before it: the game, by its place in the files, and the
//! move. Reviews and hints are timed by what this thread has run, as far as the system tells.

#![allow(clippy::disallowed_methods, clippy::print_stdout)] // It reads files and says what it has found.

use std::collections::BTreeMap;
use std::io::Read;
use std::time::{Duration, Instant};

use ishi_engine::StoppedClock;
use ishi_othello::wthor::WthorDatabase;
use ishi_othello::{Board, Color, Position, Square};
use ishi_othello_play::coach::words::describe_main_reason;
use ishi_othello_play::coach::{MistakeCause, MoveReview, ReviewParams, find_hints, review_game};
use ishi_othello_play::levels::{Level, LevelLimits};
use ishi_othello_play::search::{CutConfidence, FoundMove, SearchEffort, SearchParams, SearchTask, Searcher};
use ishi_rng::Seed;
use ishi_words::Language;

const NO_LIMITS: LevelLimits<'static> = LevelLimits { time: None, clock: &StoppedClock, stop: &|| false };

/// Empty squares from which on the check is exact.
const EXACT_FROM: u32 = 20;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [level, count, seconds, files @ ..] = &arguments[..] else {
        panic!("see the head of this example for what is needed");
    };
    let (level, deeper) = level.split_once('+').unwrap_or((level, "12"));
    let (level, deeper): (Level, u32) = (level.parse().expect("a level"), deeper.parse().expect("plies"));
    let count: usize = count.parse().expect("a number of games");
    let (seed, files) = split_seed(files);
    let time = Duration::from_secs(seconds.parse().expect("seconds"));
    let games: Vec<Position> = files.iter().flat_map(|file| read_games(file)).collect();
    let began = Instant::now();
    let mut tally = ReasonTally::default();
    let mut checker = Checker { searcher: new_searcher(), depth: level.effort(60).depth + deeper };
    for number in choose_games(games.len(), count, seed) {
        let game = &games[number];
        if game.score() != 0 {
            tally.games += 1;
            println!("game {number}");
            measure_game(game, level, &mut checker, &mut tally);
        }
        if began.elapsed() > time {
            break;
        }
    }
    println!("{}", tally.to_text());
}

/// The seed before the files, if there is one.
fn split_seed(arguments: &[String]) -> (Option<Seed>, &[String]) {
    let named = arguments.first().and_then(|first| first.strip_prefix("seed="));
    match named {
        Some(number) => (Some(Seed::new(number.parse().expect("a seed"))), &arguments[1..]),
        None => (None, arguments),
    }
}

/// The places of so many games among all, evenly spread or drawn by the seed; each once.
fn choose_games(all: usize, count: usize, seed: Option<Seed>) -> Vec<usize> {
    let Some(seed) = seed else { return (0..count).map(|number| number * all / count).collect() };
    let mut places: Vec<usize> = (0..all).collect();
    seed.stream("games of the coach", 0).shuffle(&mut places);
    places.truncate(count);
    places
}

fn new_searcher() -> Searcher {
    Searcher::new(SearchParams { hash_bits: 20, threads: 1 })
}

fn read_games(file: &str) -> Vec<Position> {
    let bytes = std::fs::read(file).expect("a file");
    let mut plain = Vec::new();
    match bytes.starts_with(&[0x1f, 0x8b]) {
        true => {
            flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut plain).map(drop).expect("gzip")
        }
        false => plain = bytes,
    }
    let games = WthorDatabase::from_bytes(&plain).expect("WTHOR").games;
    games.iter().filter_map(|game| game.replay().ok()).filter(Position::is_over).collect()
}

/// Moves with a reason, and reasons that held.
#[derive(Default)]
struct ReasonTally {
    games: usize,
    /// Moves that lost 2 discs and more, and those of them with a reason other than the bare line.
    losing: (usize, usize),
    /// The same of moves that lost 6 discs and more.
    losing_much: (usize, usize),
    /// For each kind of cause: reasons, those that held, and those that held of moves that lose by the deeper search.
    by_cause: BTreeMap<String, [usize; 3]>,
    /// Praised moves, those that lose 2 discs and more when looked at deeper, and 6.
    praised: [usize; 3],
    /// Time that this thread ran for reviews, and for hints.
    ran: (Duration, Duration),
    /// Positions with hints.
    hinted: usize,
}

impl ReasonTally {
    fn to_text(&self) -> String {
        let share = |(all, part): (usize, usize)| {
            format!("{part} of {all} ({:.1} %)", 100.0 * part as f64 / all.max(1) as f64)
        };
        let sum = |index: usize| self.by_cause.values().map(|counts| counts[index]).sum::<usize>();
        let mut text = format!(
            "{} games\nreason, moves that lost 2+: {}\nreason, moves that lost 6+: {}\n",
            self.games,
            share(self.losing),
            share(self.losing_much)
        );
        text += &format!("reasons that hold: {}\n", share((sum(0), sum(1))));
        text += &format!("of moves that lose when looked at deeper: {}\n", share((sum(2), sum(1))));
        text += &format!("beside it, a coach that says only that they lose: {}\n", share((sum(0), sum(2))));
        for (cause, [all, held, sound]) in &self.by_cause {
            text += &format!("  {cause:16} {all:4} told, {held:4} hold, {sound:4} lose\n");
        }
        let [praised, lose, lose_much] = self.praised;
        text += &format!("praised {praised}, of these lose 2+ {lose}, 6+ {lose_much}\n");
        let (reviews, hints) = self.ran;
        let each = |time: Duration, count: usize| time.as_secs_f64() / count.max(1) as f64;
        text + &format!(
            "ran {:.2} s for a review, {:.2} s for the hints of a position",
            each(reviews, self.games),
            each(hints, self.hinted)
        )
    }
}

fn measure_game(game: &Position, level: Level, checker: &mut Checker, tally: &mut ReasonTally) {
    let loser = if game.score() > 0 { Color::White } else { Color::Black };
    let params = ReviewParams { level, exact: None };
    let before = time_that_ran();
    let review = review_game(game, params, &mut new_searcher(), NO_LIMITS, &mut |_, _| {});
    tally.ran.0 += time_that_ran().saturating_sub(before);
    for each in review.moves.iter().filter(|each| each.color == loser) {
        measure_move(each, checker, tally);
        if each.loss >= 2 {
            measure_praise(each.board, level, checker, tally);
        }
    }
}

fn measure_move(review: &MoveReview, checker: &mut Checker, tally: &mut ReasonTally) {
    let Some(reason) = &review.reason else { return };
    let is_told = !matches!(reason.cause, MistakeCause::Refuted { .. });
    let lost_much = (review.loss >= 6).then_some(&mut tally.losing_much);
    for (all, told) in [Some(&mut tally.losing), lost_much].into_iter().flatten() {
        *all += 1;
        *told += usize::from(is_told);
    }
    let Checked { loss: true_loss, gap, way_out } = checker.check(review, &reason.line);
    let loses = true_loss >= 2;
    let holds = loses && gap >= 2 && way_out <= 2;
    let kind = format!("{:?}", reason.cause);
    let kind = kind.split([' ', '{']).next().unwrap_or_default().to_string();
    let counts = tally.by_cause.entry(kind.clone()).or_default();
    for (count, counted) in counts.iter_mut().zip([true, holds, loses]) {
        *count += usize::from(counted);
    }
    let said = describe_main_reason(reason, review.color, Language::English);
    let (number, loss, cost, proved) = (review.number, review.loss, reason.cost, review.is_proved());
    println!(
        "{number}. -{loss}{} ({cost}) {} {} [{true_loss} {gap} {way_out}] {kind} {said}",
        if proved { "!" } else { "" },
        mark(loses, "loses"),
        mark(holds, "holds"),
    );
}

fn mark(is_so: bool, word: &str) -> String {
    format!("{}{word}", if is_so { '+' } else { '-' })
}

/// How long this thread has run; nothing where the system does not tell. Other programs of the machine do not count.
fn time_that_ran() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(told.split(' ').next().and_then(|nanos| nanos.parse().ok()).unwrap_or(0))
}

/// At most two praised moves of a position.
fn measure_praise(board: Board, level: Level, checker: &mut Checker, tally: &mut ReasonTally) {
    let effort = level.effort_in_discs(board.empty_count());
    let before = time_that_ran();
    let hints = find_hints(board, &mut new_searcher(), effort, NO_LIMITS);
    tally.ran.1 += time_that_ran().saturating_sub(before);
    tally.hinted += 1;
    let praised = hints.iter().filter(|hint| hint.reasons.iter().any(|reason| reason.is_merit()));
    let exact = is_solved(board);
    for hint in praised.take(2) {
        let after = board.play_unchecked(hint.square);
        let loss = checker.value_of(board, true, exact) - checker.value_of(after, false, exact);
        for (count, least) in tally.praised.iter_mut().zip([i32::MIN, 2, 6]) {
            *count += usize::from(loss >= least);
        }
        if loss >= 2 {
            let (empties, seen) = (board.empty_count(), hint.loss);
            println!("praised, loses {loss}: {} with {empties} empty, {seen} by the hint", hint.square);
        }
    }
}

/// Looks deeper.
struct Checker {
    searcher: Searcher,
    depth: u32,
}

impl Checker {
    /// For the one who is to move before a line, whose turn it is after it (`own`) or not. The same side is to move at the last positions of
    /// all these searches: what the evaluation says depends on it. For the same reason all of a check are exact, or none.
    fn value_of(&mut self, board: Board, own: bool, exact: bool) -> i32 {
        let sign = if own { 1 } else { -1 };
        if board.is_over() {
            return sign * board.final_score();
        }
        let exact = if exact { 60 } else { 0 };
        let depth = if own { self.depth } else { self.depth - 1 };
        let effort = SearchEffort { depth, exact, win_loss: exact, confidence: CutConfidence::Good };
        let mut silent = |_: &FoundMove| {};
        sign * self.searcher.search_board(board, &mut SearchTask::new(effort, &mut silent)).score
    }

    /// What the move loses, and whether the line shows it.
    fn check(&mut self, review: &MoveReview, line: &[Square]) -> Checked {
        let exact = is_solved(review.board);
        let played = self.value_of(review.board.play_unchecked(review.square), false, exact);
        // Where the search from before the move overlooks what the one after it sees, the move is the best.
        let best = self.value_of(review.board, true, exact).max(played);
        let (end, own) = follow(review.board, line);
        let end = self.value_of(end, own, exact);
        Checked { loss: best - played, gap: best - end, way_out: played - end }
    }
}

/// Is the check of a move of this board exact?
fn is_solved(before: Board) -> bool {
    before.empty_count() <= EXACT_FROM
}

/// What a deeper search says of a reason, in discs.
struct Checked {
    /// What the move loses.
    loss: i32,
    /// How far the end of the line is below the best move.
    gap: i32,
    /// What the one who erred could have saved on the line.
    way_out: i32,
}

/// The board after a line, seen by its side to move, and whether that is the one who began.
fn follow(board: Board, line: &[Square]) -> (Board, bool) {
    let (mut at, mut own) = (board, true);
    for &square in line {
        if at.legal_moves() == 0 {
            (at, own) = (at.pass(), !own);
        }
        (at, own) = (at.play_unchecked(square), !own);
    }
    (at, own)
}
