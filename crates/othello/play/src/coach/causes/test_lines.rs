//! Boards and lines for the tests of causes.

use ishi_engine::StoppedClock;
use ishi_othello::{Board, Move, Square, iter_squares};
use ishi_rng::Seed;

use super::{ComparedLines, FoundMistake, MOST_DRIFT, MainReason, MistakeProbe, find_main_reason};
use crate::coach::areas::AreaCosts;
use crate::coach::line::FollowedLine;
use crate::coach::testing;
use crate::levels::LevelLimits;
use crate::search::{CutConfidence, FoundMove, ScoreMeaning, SearchEffort, SearchParams, Searcher};

pub(super) const LIMITS: LevelLimits<'static> =
    LevelLimits { time: None, clock: &StoppedClock, stop: &|| false };

pub(super) const EFFORT: SearchEffort =
    SearchEffort { depth: 6, exact: 12, win_loss: 12, confidence: CutConfidence::Full };

/// The main reason against a move, if it loses, and how much it loses.
pub(super) fn judge(board: Board, played: Square) -> (i32, Option<MainReason>) {
    let mut searcher = Searcher::new(SearchParams { hash_bits: 14, threads: 1 });
    let search = |searcher: &mut Searcher, board| {
        let mut probe = MistakeProbe { searcher, effort: EFFORT, limits: LIMITS };
        probe.search(board, EFFORT)
    };
    let best = search(&mut searcher, board);
    let after = board.play_unchecked(played);
    let (value, mut line) = (
        match after.is_over() {
            true => -after.final_score(),
            false => -search(&mut searcher, after).score,
        },
        vec![played],
    );
    line.extend(search(&mut searcher, after).variation);
    let proved = best.meaning == ScoreMeaning::Exact;
    let mistake = FoundMistake { board, line: &line, value, best: &best, proved };
    (best.score - value, find_main_reason(mistake, &mut searcher, EFFORT, LIMITS))
}

pub(super) fn random_board(seed: u64, plies: usize) -> Board {
    let mut rng = Seed::new(seed).stream("causes", 0);
    let mut board = Board::START;
    for _ in 0..plies {
        let children: Vec<Board> = board.children().map(|(_, child)| child).collect();
        board = rng.choose(&children).copied().unwrap_or(board.pass());
    }
    board
}

/// Lines without values, of a move that loses 4 discs.
pub(super) fn compare(board: Board, played: FollowedLine, better: FollowedLine) -> ComparedLines {
    ComparedLines {
        board,
        loss: 4,
        best: 0,
        played,
        values: Vec::new(),
        better,
        proved: false,
        drift: MOST_DRIFT,
        areas: AreaCosts::default(),
    }
}

/// Neighbouring moves of random boards, played after so many plies, each a line of its own; the second stands for the best one.
pub(super) fn list_pairs(
    seeds: u64,
    plies: impl Fn(u64) -> usize,
) -> impl Iterator<Item = ([Square; 2], ComparedLines)> {
    (0..seeds).map(move |seed| random_board(seed, plies(seed))).flat_map(|board| {
        let moves: Vec<Square> = iter_squares(board.legal_moves()).collect();
        let pairs: Vec<[Square; 2]> = moves.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        pairs.into_iter().map(move |pair| {
            let [played, better] = pair.map(|first| FollowedLine::new(board, &[first]));
            (pair, compare(board, played, better))
        })
    })
}

/// Its first move, and then always the first that is legal, to the end of the game.
pub(super) fn follow_to_the_end(board: Board, first: Square) -> FollowedLine {
    let mut line = FollowedLine::new(board, &[first]);
    while let Some(next) = iter_squares(line.board_to_move().legal_moves()).next() {
        let mut squares = line.squares();
        squares.push(next);
        line = FollowedLine::new(board, &squares);
    }
    line
}

/// The first two legal moves, each followed to the end of the game; the second stands for the best one.
pub(super) fn compare_first_moves(board: Board) -> Option<ComparedLines> {
    let mut moves = iter_squares(board.legal_moves());
    let (first, second) = (moves.next()?, moves.next()?);
    Some(compare(board, follow_to_the_end(board, first), follow_to_the_end(board, second)))
}

/// As a search finds the first of these moves, with the others to follow.
pub(super) fn found_move(variation: &[Square], score: i32) -> FoundMove {
    FoundMove {
        mv: Move::Play(variation[0]),
        score,
        meaning: ScoreMeaning::Estimate,
        depth: 6,
        confidence: CutConfidence::Good,
        variation: variation.to_vec(),
        nodes: 1,
    }
}

/// The line of these moves, all of which are legal.
pub(super) fn follow_named(board: Board, moves: &str) -> FollowedLine {
    let squares: Vec<Square> = moves.split_whitespace().map(testing::square).collect();
    let line = FollowedLine::new(board, &squares);
    assert_eq!(line.squares(), squares);
    line
}
