//! The review of a whole game: what each move lost, which moves lost the game, and how each side played.
//!
//! Positions are judged from the last to the first, so that the hash table knows how the game went on. A move's loss is
//! the value of the best move minus the value of the move played, both searched alike: where the position before the
//! move is not solved, neither is the one after it. Every move with a choice is looked at again, deeper, and once more where it seems to lose,
//! but less than a blunder does or where it can be solved. Where the loss is small by then, a last look decides whether it is told. The looks
//! beyond the second share a number of positions, which grows with what the rest of the review searches ([`ReviewWork`]).

use ishi_othello::{Board, Color, Move, Position, Square};

use super::causes::{
    FoundMistake, LEAST_LOSS_TOLD, LessonKind, MOST_LOSS_PRAISED, MainReason, PLIES_TO_CONFIRM,
    find_main_reason,
};
use super::reasons::{CoachReason, find_faults, find_merits};
use crate::levels::{Level, LevelLimits};
use crate::openings::boards_of_game;
use crate::search::{CutConfidence, FoundMove, ScoreMeaning, SearchEffort, SearchTask, Searcher};

/// How to review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReviewParams {
    /// How hard to look.
    pub level: Level,
    /// Positions with at most this many empty squares are solved; `None`: as the level does.
    pub exact: Option<u32>,
}

impl ReviewParams {
    fn effort_at(&self, empties: u32) -> SearchEffort {
        let effort = self.level.effort_in_discs(empties);
        let exact = self.exact.unwrap_or(effort.exact);
        SearchEffort { exact, win_loss: exact, ..effort }
    }

    /// How hard to look again at every move: six plies more up to [`LOOKED_AGAIN_QUICKLY`].
    fn second_effort_at(&self, empties: u32) -> SearchEffort {
        let effort = self.effort_at(empties);
        self.deepen(effort, (effort.depth + 6).min(effort.depth.max(LOOKED_AGAIN_QUICKLY)))
    }

    /// How hard to look at a move that seems to lose: ten plies deeper, to [`CONFIRMED_QUICKLY`] at most, and two plies deeper at
    /// least. Answers to what a lesson asks are held against the best move by it.
    fn confirming_effort_at(&self, empties: u32) -> SearchEffort {
        let effort = self.effort_at(empties);
        self.deepen(effort, (effort.depth + 10).min((effort.depth + 2).max(CONFIRMED_QUICKLY)))
    }

    /// How hard to look at last at a move that loses little, if anything.
    fn last_effort_at(&self, empties: u32) -> SearchEffort {
        let effort = self.confirming_effort_at(empties);
        let depth = effort.depth + PLIES_OF_LAST_LOOK;
        let exact = self.exact.unwrap_or(effort.exact_and_more(6, SOLVED_QUICKLY));
        SearchEffort { depth, exact, win_loss: exact, ..effort }
    }

    /// So many plies, and more empty squares to solve. Deep searches cut what is 95 times in 100 as it seems: without that they would take too
    /// long.
    fn deepen(&self, effort: SearchEffort, depth: u32) -> SearchEffort {
        let exact = self.exact.unwrap_or(effort.exact_and_more(8, SOLVED_QUICKLY));
        let confidence = effort.confidence.min(CutConfidence::Good);
        SearchEffort { depth, exact, win_loss: exact, confidence }
    }

    /// How hard to look along the lines that show why a move loses: there are many positions for every such move, and ends that are told are
    /// looked at deeper.
    fn reason_effort_at(&self, empties: u32) -> SearchEffort {
        let effort = self.confirming_effort_at(empties);
        let depth = effort.depth.saturating_sub(PLIES_LESS_FOR_REASONS).clamp(1, MOST_FOR_REASONS.0);
        let exact = effort.exact.min(MOST_FOR_REASONS.1);
        SearchEffort { depth, exact, win_loss: exact, ..effort }
    }
}

/// Plies by which positions along the lines that show reasons are looked at less deep than a move at the third look. Their ends, which are looked
/// at deeper, come to the depth of the last look so.
const PLIES_LESS_FOR_REASONS: u32 = PLIES_TO_CONFIRM - PLIES_OF_LAST_LOOK;
/// Plies, and empty squares to solve, along the lines that show reasons.
const MOST_FOR_REASONS: (u32, u32) = (10, 20);
/// The third look goes so deep, or two plies deeper than the first.
const CONFIRMED_QUICKLY: u32 = 16;
/// The second look goes so deep, or as deep as the first.
const LOOKED_AGAIN_QUICKLY: u32 = 12;
/// A loss of so many discs at the second look needs no third one: of 24 in tournament games all lost when searched deeper. Games with many
/// losses have many of these, and a third look at each takes long.
const CLEAR_BLUNDER: i32 = 10;
/// A loss of so many discs at the third look needs no last one. Of 34 that were told with 4 discs three were none, of 24 with 5 discs all were.
const CLEAR_LOSS: i32 = 5;
/// Of the positions that the rest of a review visits, looks beyond the second may visit this part: two of five.
const FURTHER_PART: (u64, u64) = (2, 5);
/// Positions that looks beyond the second may visit besides: the first of them, near the end, come before the work that they take a part of. To
/// solve so many takes some tenths of a second.
const FURTHER_AT_FIRST: u64 = 1 << 23;
/// A further look that does not solve visits so many times as many positions as both before it: ten times in the mean of a game.
const DEEPER_TIMES: u64 = 4;
/// The last look goes so many plies deeper than the third: the same side is to move at the last positions of both.
const PLIES_OF_LAST_LOOK: u32 = 2;
/// Answers to a lesson that are so many discs behind at the first look are not looked at again.
const FAR_BEHIND: i32 = 6;
/// Up to so many empty squares a loss is confirmed by solving, though the level does not solve.
const SOLVED_QUICKLY: u32 = 20;

/// How a game stands for a player, with best play from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GameOutcome {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

impl GameOutcome {
    /// What a value in discs says.
    pub fn from_value(value: i32) -> GameOutcome {
        match value {
            ..0 => GameOutcome::Loss,
            0 => GameOutcome::Draw,
            1.. => GameOutcome::Win,
        }
    }
}

/// How good a move is, by the discs that it lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MoveJudgement {
    /// Nothing lost.
    Best,
    /// 1 disc, as much as a praised move may lose.
    Good,
    /// 2 to 5 discs.
    Inaccuracy,
    /// 6 to 9 discs.
    Mistake,
    /// 10 discs or more.
    Blunder,
}

impl MoveJudgement {
    /// The judgement of a loss in discs.
    pub fn from_loss(loss: i32) -> MoveJudgement {
        match loss {
            ..1 => MoveJudgement::Best,
            1..LEAST_LOSS_TOLD => MoveJudgement::Good,
            LEAST_LOSS_TOLD..6 => MoveJudgement::Inaccuracy,
            6..10 => MoveJudgement::Mistake,
            10.. => MoveJudgement::Blunder,
        }
    }
}

/// The part of the game that a move belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OthelloPhase {
    /// Moves 1 to 20: 41 empty squares or more.
    Opening,
    /// Moves 21 to 40.
    Midgame,
    /// The last 20 moves.
    Endgame,
}

impl OthelloPhase {
    /// In this order.
    pub const ALL: [OthelloPhase; 3] = [OthelloPhase::Opening, OthelloPhase::Midgame, OthelloPhase::Endgame];

    /// The phase of a move made with so many empty squares.
    pub fn from_empties(empties: u32) -> OthelloPhase {
        match empties {
            41.. => OthelloPhase::Opening,
            21..=40 => OthelloPhase::Midgame,
            _ => OthelloPhase::Endgame,
        }
    }
}

/// A move of the game, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveReview {
    /// Its number in the game, from 1, passes not counted.
    pub number: usize,
    /// Who made it.
    pub color: Color,
    /// The board before it, seen by the one who made it.
    pub board: Board,
    /// The move.
    pub square: Square,
    /// Was it the only legal one?
    pub forced: bool,
    /// What it is worth to the one who made it, in discs.
    pub value: i32,
    /// What `value` says: the move played was searched by itself.
    pub meaning: ScoreMeaning,
    /// The best move, with value and variation.
    pub best: FoundMove,
    /// What is expected to follow it, the move first; passes are left out.
    pub line: Vec<Square>,
    /// Discs lost: the best value minus this one's, never below 0.
    pub loss: i32,
    /// How the game stood before and after the move, if it stood worse after it.
    pub turned: Option<(GameOutcome, GameOutcome)>,
    /// The main reason why it loses; `None` if it loses less than 2 discs.
    pub reason: Option<MainReason>,
    /// What speaks against the move, not the best one.
    pub faults: Vec<CoachReason>,
    /// What speaks for the best move, not this one.
    pub missed: Vec<CoachReason>,
}

impl MoveReview {
    /// By the discs it lost.
    pub fn judgement(&self) -> MoveJudgement {
        MoveJudgement::from_loss(self.loss)
    }

    /// Are both values proved, that of the best move and that of the one played?
    pub fn is_proved(&self) -> bool {
        are_exact([self.best.meaning, self.meaning])
    }

    /// What speaks against the move, and for the best one, as facts of the board. Beside a main reason only where that does not say by what the
    /// move loses ([`super::MistakeCause::says_only_where`]).
    pub fn facts_beside_reason(&self) -> Vec<(Square, Vec<CoachReason>)> {
        let main = self.reason.as_ref().map(|reason| reason.cause);
        if main.is_some_and(|cause| !cause.says_only_where()) {
            return Vec::new();
        }
        let lists = [(Some(self.square), &self.faults), (self.best.mv.square(), &self.missed)];
        let kept = lists.into_iter().filter_map(|(square, reasons)| {
            let facts = reasons.iter().copied().filter(|fact| main.is_none() || fact.is_fact());
            Some((square?, facts.collect::<Vec<CoachReason>>()))
        });
        kept.filter(|(_, facts)| !facts.is_empty()).collect()
    }

    /// What may be learned from it; `None` if it has no reason why it loses.
    pub fn as_mistake(&self) -> Option<ReviewMistake> {
        let kind = self.reason.as_ref()?.cause.kind();
        Some(ReviewMistake { number: self.number, kind, loss: self.loss })
    }

    /// The part of the game it belongs to.
    pub fn phase(&self) -> OthelloPhase {
        OthelloPhase::from_empties(self.board.empty_count())
    }
}

/// How a side played in a part of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PhaseSummary {
    /// Moves where there was a choice.
    pub choices: usize,
    /// Discs lost by them.
    pub loss: i32,
}

impl PhaseSummary {
    /// Discs lost per choice; `None` without choices.
    pub fn mean_loss(self) -> Option<f64> {
        (self.choices > 0).then(|| f64::from(self.loss) / self.choices as f64)
    }
}

/// How a side played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSummary {
    /// Which side.
    pub color: Color,
    /// In the three parts of the game, as [`OthelloPhase::ALL`] has them.
    pub phases: [PhaseSummary; 3],
    /// How often the best move was found, of the choices.
    pub best: usize,
    /// The number of the move that lost most, and the discs it lost; `None` if nothing was lost.
    pub worst: Option<(usize, i32)>,
    /// Numbers of the moves that made a draw or loss of a win, or a loss of a draw.
    pub losing: Vec<usize>,
}

impl PlayerSummary {
    /// All parts of the game together.
    pub fn total_summary(&self) -> PhaseSummary {
        let add = |sum: PhaseSummary, phase: &PhaseSummary| PhaseSummary {
            choices: sum.choices + phase.choices,
            loss: sum.loss + phase.loss,
        };
        self.phases.iter().fold(PhaseSummary::default(), add)
    }
}

/// Lessons of a review for each side.
const MOST_LESSONS: usize = 3;

/// Mistakes of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewLesson {
    /// Which.
    pub kind: LessonKind,
    /// The numbers of the moves, in the order of the game.
    pub moves: Vec<usize>,
    /// Discs that they lost together.
    pub loss: i32,
}

/// A move that lost so much that something may be learned from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReviewMistake {
    /// Its number in the game.
    pub number: usize,
    /// What may be learned.
    pub kind: LessonKind,
    /// Discs that it lost.
    pub loss: i32,
}

/// What a side may learn from its mistakes, given in the order of the game: the kinds that cost most, three at most, the dearest first.
pub fn gather_lessons(mistakes: impl IntoIterator<Item = ReviewMistake>) -> Vec<ReviewLesson> {
    let mut lessons: Vec<ReviewLesson> = Vec::new();
    for ReviewMistake { number, kind, loss } in mistakes {
        match lessons.iter_mut().find(|lesson| lesson.kind == kind) {
            Some(lesson) => {
                lesson.moves.push(number);
                lesson.loss += loss;
            }
            None => lessons.push(ReviewLesson { kind, moves: vec![number], loss }),
        }
    }
    lessons.sort_by_key(|lesson| (-lesson.loss, lesson.kind));
    lessons.truncate(MOST_LESSONS);
    lessons
}

/// The review of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameReview {
    /// The moves that were judged, in the order of the game. A review that was stopped lacks the first ones.
    pub moves: Vec<MoveReview>,
    /// Were all moves judged?
    pub complete: bool,
}

impl GameReview {
    /// The moves that made a draw or loss of a win, or a loss of a draw.
    pub fn losing_moves(&self) -> impl Iterator<Item = &MoveReview> {
        self.moves.iter().filter(|review| review.turned.is_some())
    }

    /// What this side may learn: the kinds of mistakes that cost most, three at most, the dearest first.
    pub fn list_lessons(&self, color: Color) -> Vec<ReviewLesson> {
        gather_lessons(
            self.moves.iter().filter(|review| review.color == color).filter_map(MoveReview::as_mistake),
        )
    }

    /// How this side played.
    pub fn summarize_player(&self, color: Color) -> PlayerSummary {
        let own = || self.moves.iter().filter(|review| review.color == color);
        let mut phases = [PhaseSummary::default(); 3];
        for review in own().filter(|review| !review.forced) {
            let phase = &mut phases[review.phase() as usize];
            phase.choices += 1;
            phase.loss += review.loss;
        }
        let worst = own()
            .filter(|review| review.loss > 0)
            .max_by_key(|review| (review.loss, -(review.number as i64)));
        PlayerSummary {
            color,
            phases,
            best: own().filter(|review| !review.forced && review.loss == 0).count(),
            worst: worst.map(|review| (review.number, review.loss)),
            losing: own().filter(|review| review.turned.is_some()).map(|review| review.number).collect(),
        }
    }
}

/// How many positions a review has visited. It bounds what looks beyond the second cost: a review with them visits at most one and a half times as
/// many positions as one without, and eight million. Positions are counted, not time, so that the same review on one thread finds the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReviewWork {
    /// By the first two looks at each move, and for reasons.
    usual: u64,
    /// By further looks.
    further: u64,
    /// What further looks may visit before anything else counts.
    at_first: u64,
}

impl Default for ReviewWork {
    /// Nothing is visited yet.
    fn default() -> ReviewWork {
        ReviewWork { usual: 0, further: 0, at_first: FURTHER_AT_FIRST }
    }
}

impl ReviewWork {
    /// Whatever further looks cost, they are made.
    fn without_bound() -> ReviewWork {
        ReviewWork { at_first: u64::MAX, ..ReviewWork::default() }
    }

    /// Positions that further looks may visit now, at a move that seems to lose so many discs. Lessons ask about what loses most, and tell nothing
    /// of less than 2 discs: small losses leave the larger part of what there is to others.
    fn room_for(&self, loss: i32) -> u64 {
        let (part, whole) = FURTHER_PART;
        let all = (self.usual / whole * part).saturating_add(self.at_first);
        let left = all.saturating_sub(self.further);
        match loss {
            CLEAR_LOSS.. => left,
            LEAST_LOSS_TOLD..CLEAR_LOSS => left / 2,
            _ => left / 4,
        }
    }
}

/// Loss in discs below which an estimated value does not turn a game: a win by 1 disc and a loss by 1 are the same to
/// an estimate.
const LEAST_TURN_OF_ESTIMATE: i32 = 3;

/// Reviews a game from its last move to its first; the observer hears of every move judged and of how many are left.
/// When it is stopped, it keeps what it has.
pub fn review_game(
    game: &Position,
    params: ReviewParams,
    searcher: &mut Searcher,
    limits: LevelLimits<'_>,
    observer: &mut dyn FnMut(&MoveReview, usize),
) -> GameReview {
    let turns = list_turns(game);
    let (mut moves, mut work) = (Vec::new(), ReviewWork::default());
    for (left, turn) in turns.iter().enumerate().rev() {
        let Some(judged) = judge_turn(turn, params, &mut work, searcher, limits) else { break };
        observer(&judged, left);
        moves.push(judged);
    }
    moves.reverse();
    GameReview { complete: moves.len() == turns.len(), moves }
}

/// What is right in this place: the best move, first, if it is known, and all that lose a disc at most by the third look of a review. What a
/// search finds that is stopped is no answer.
pub fn list_answers(
    board: Board,
    best: Option<Square>,
    params: ReviewParams,
    searcher: &mut Searcher,
    limits: LevelLimits<'_>,
) -> Vec<Square> {
    let empties = board.empty_count();
    let mut silent = |_: &FoundMove| {};
    let LevelLimits { time, clock, stop } = limits;
    let effort = params.effort_at(empties);
    let mut task = SearchTask { time, clock, stop, ..SearchTask::new(effort, &mut silent) };
    let moves = searcher.search_each_move(board, &mut task);
    let first = moves.first().map_or(0, |found| found.score);
    // What is far behind at the first look is not looked at again.
    let near = moves.iter().filter(|found| first - found.score <= FAR_BEHIND);
    let squares =
        best.into_iter().chain(near.filter_map(|found| found.mv.square()).filter(|&each| Some(each) != best));
    let deeper = params.confirming_effort_at(empties).one_ply_less();
    let mut value_of = |square| {
        let after = board.play_unchecked(square);
        if after.is_over() {
            -after.final_score()
        } else {
            -search_board(after, BoundedEffort::without_bound(deeper), searcher, limits).score
        }
    };
    let values: Vec<(Square, i32)> = squares.map(|square| (square, value_of(square))).collect();
    let most = values.iter().map(|&(_, value)| value).max().unwrap_or(0);
    let is_right =
        |&&(square, value): &&(Square, i32)| Some(square) == best || most - value <= MOST_LOSS_PRAISED;
    values.iter().filter(is_right).map(|&(square, _)| square).collect()
}

/// How hard a teaching game looks at a move: as hard as a review usually does.
const TEACHING: ReviewParams = ReviewParams { level: Level::new(12).expect("levels go to 20"), exact: None };

/// The last move of a game, if it is a [`MoveJudgement::Blunder`]: what a teaching game tells before the move is answered. `None` if it is
/// none, or the search is stopped.
pub fn find_last_blunder(
    game: &Position,
    searcher: &mut Searcher,
    limits: LevelLimits<'_>,
) -> Option<MoveReview> {
    let turn = list_turns(game).pop()?;
    let first_look = find_values(&turn, TEACHING.effort_at(turn.board.empty_count()), searcher, limits);
    // Most moves are not worth a second look.
    if MoveJudgement::from_loss(first_look.loss()) < MoveJudgement::Mistake {
        return None;
    }
    // It is one move, and what is told of it stops the game: however much it seems to lose, it is looked at a third time.
    let mut work = ReviewWork::without_bound();
    let values = confirm_values(&turn, (TEACHING, i32::MAX), &mut work, searcher, limits);
    if MoveJudgement::from_loss(values.loss()) < MoveJudgement::Blunder {
        return None;
    }
    let judged = explain_turn(&turn, values, TEACHING, searcher, limits);
    // What a search finds that was stopped is no judgement.
    (!limits.stop.is_requested()).then_some(judged)
}

/// A move of a game that is to be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameTurn {
    /// Its number in the game, from 1, passes not counted.
    pub number: usize,
    /// Who made it.
    pub color: Color,
    /// The board before it, seen by the one who made it.
    pub board: Board,
    /// The move.
    pub square: Square,
}

impl GameTurn {
    /// Was there another legal move?
    fn has_choice(&self) -> bool {
        self.board.legal_moves().count_ones() > 1
    }
}

/// The moves of a game without its passes.
pub fn list_turns(game: &Position) -> Vec<GameTurn> {
    let plays = game
        .moves()
        .iter()
        .zip(boards_of_game(game))
        .filter_map(|(&(color, mv), board)| mv.square().map(|square| (color, board, square)));
    plays
        .enumerate()
        .map(|(index, (color, board, square))| GameTurn { number: index + 1, color, board, square })
        .collect()
}

/// Judges one move of a game, as [`review_game`] does; `None` if the search is stopped. Who judges later moves of the game first with the same
/// searcher looks ahead better, for its hash table knows how the game went on. `work` is that of the review so far, and this move's is added.
pub fn judge_turn(
    turn: &GameTurn,
    params: ReviewParams,
    work: &mut ReviewWork,
    searcher: &mut Searcher,
    limits: LevelLimits<'_>,
) -> Option<MoveReview> {
    let values = confirm_values(turn, (params, CLEAR_BLUNDER), work, searcher, limits);
    let begun = searcher.visited_positions();
    let judged = explain_turn(turn, values, params, searcher, limits);
    work.usual += searcher.visited_positions() - begun;
    // What a search finds that was stopped is no judgement.
    (!limits.stop.is_requested()).then_some(judged)
}

/// The judgement of a move by these values, with its reasons.
fn explain_turn(
    turn: &GameTurn,
    values: TurnValues,
    params: ReviewParams,
    searcher: &mut Searcher,
    limits: LevelLimits<'_>,
) -> MoveReview {
    let &GameTurn { number, color, board, square } = turn;
    let effort = match limits.time {
        Some(_) => params.effort_at(board.empty_count()),
        None => params.reason_effort_at(board.empty_count()),
    };
    let reason = find_main_reason(values.as_mistake(board), searcher, effort, limits_of_reasons(limits));
    let turned = turned_outcome(&values);
    let TurnValues { best, value, meaning, line, .. } = values;
    let better = best.mv.square().filter(|&better| better != square && best.score > value);
    MoveReview {
        number,
        color,
        board,
        square,
        forced: board.legal_moves().count_ones() == 1,
        value,
        meaning,
        line,
        loss: best.score - value,
        turned,
        reason,
        faults: better.map(|better| find_faults(board, square, better)).unwrap_or_default(),
        missed: better.map(|better| find_merits(board, better, square)).unwrap_or_default(),
        best,
    }
}

/// What was found of a move of the game and of the best one.
struct TurnValues {
    best: FoundMove,
    value: i32,
    /// What `value` says.
    meaning: ScoreMeaning,
    /// What is expected to follow; the move first.
    line: Vec<Square>,
    /// Have the searches come as far as they were to?
    finished: bool,
}

impl TurnValues {
    fn loss(&self) -> i32 {
        self.best.score - self.value
    }

    /// Are both values proved?
    fn is_proved(&self) -> bool {
        are_exact([self.best.meaning, self.meaning])
    }

    fn as_mistake(&self, board: Board) -> FoundMistake<'_> {
        let proved = self.is_proved();
        FoundMistake { board, line: &self.line, value: self.value, best: &self.best, proved }
    }
}

fn are_exact(meanings: [ScoreMeaning; 2]) -> bool {
    meanings == [ScoreMeaning::Exact; 2]
}

/// The many small searches for a reason together take about as long as one for a value.
fn limits_of_reasons(limits: LevelLimits<'_>) -> LevelLimits<'_> {
    LevelLimits { time: limits.time.map(|time| time / 16), ..limits }
}

/// The values, looked for once more and deeper. What seems to lose, but less than `clear`, is looked at a third time, and where that finds a
/// small loss, a last time. Whatever loses is solved where a further look solves. Not where the time is limited, or there was no choice, and not
/// where `work` has no room for it.
fn confirm_values(
    turn: &GameTurn,
    (params, clear): (ReviewParams, i32),
    work: &mut ReviewWork,
    searcher: &mut Searcher,
    limits: LevelLimits<'_>,
) -> TurnValues {
    let empties = turn.board.empty_count();
    let begun = searcher.visited_positions();
    let mut found = look_twice(turn, params, searcher, limits);
    let visited = searcher.visited_positions() - begun;
    work.usual += visited;
    if limits.time.is_some() || !turn.has_choice() {
        return found.1;
    }
    let looks = [
        (params.confirming_effort_at(empties), 1..clear),
        (params.last_effort_at(empties), LEAST_LOSS_TOLD..CLEAR_LOSS),
    ];
    for (effort, doubtful) in looks {
        let (last, values) = &found;
        let is_proved = values.is_proved();
        // Where it can be solved and there is room, no loss is told unproved.
        let is_doubtful = doubtful.contains(&values.loss()) || values.loss() > 0 && empties <= effort.exact;
        let room = work.room_for(values.loss());
        if !is_proved && effort != *last && is_doubtful && room > expect_nodes(effort, empties, visited) {
            let begun = searcher.visited_positions();
            let look = BoundedEffort { effort, nodes: Some(room) };
            let looked_again = find_values_within(turn, look, searcher, limits);
            work.further += searcher.visited_positions() - begun;
            if looked_again.finished {
                found = (effort, looked_again);
            }
        }
    }
    found.1
}

/// Positions that a further look visits at least, as a rule: none is begun that would be broken off. `visited`: by the first two looks.
fn expect_nodes(effort: SearchEffort, empties: u32, visited: u64) -> u64 {
    // Solving takes some hundred thousand positions with 16 empty squares, and some millions with 20.
    if empties <= effort.exact { 1 << (empties + 2).min(63) } else { visited.saturating_mul(DEEPER_TIMES) }
}

/// The values of the second look, and how hard that looked; those of the first where it is sure, there was no choice, or the time is limited.
fn look_twice(
    turn: &GameTurn,
    params: ReviewParams,
    searcher: &mut Searcher,
    limits: LevelLimits<'_>,
) -> (SearchEffort, TurnValues) {
    let empties = turn.board.empty_count();
    let effort = params.effort_at(empties);
    let values = find_values(turn, effort, searcher, limits);
    let is_sure = values.is_proved() || !turn.has_choice();
    let second = params.second_effort_at(empties);
    if is_sure || limits.time.is_some() || second == effort {
        return (effort, values);
    }
    (second, find_values(turn, second, searcher, limits))
}

/// How hard to look, and how long at most.
#[derive(Clone, Copy, Debug)]
struct BoundedEffort {
    effort: SearchEffort,
    /// Positions to visit at most, about; `None`: as many as it takes.
    nodes: Option<u64>,
}

impl BoundedEffort {
    fn without_bound(effort: SearchEffort) -> BoundedEffort {
        BoundedEffort { effort, nodes: None }
    }

    /// The same after so many positions.
    fn after_nodes(self, nodes: u64) -> BoundedEffort {
        BoundedEffort { nodes: self.nodes.map(|most| most.saturating_sub(nodes).max(1)), ..self }
    }

    /// Has a search of this board come as far as it was to?
    fn is_reached_by(&self, found: &FoundMove, board: Board) -> bool {
        let empties = board.empty_count();
        // To the end it goes with easy cuts first.
        let is_deep = empties > self.effort.exact
            && found.depth >= self.effort.depth.min(empties)
            && found.confidence >= self.effort.confidence;
        found.meaning == ScoreMeaning::Exact || is_deep
    }
}

fn find_values(
    turn: &GameTurn,
    effort: SearchEffort,
    searcher: &mut Searcher,
    limits: LevelLimits<'_>,
) -> TurnValues {
    find_values_within(turn, BoundedEffort::without_bound(effort), searcher, limits)
}

fn find_values_within(
    turn: &GameTurn,
    look: BoundedEffort,
    searcher: &mut Searcher,
    limits: LevelLimits<'_>,
) -> TurnValues {
    let board = turn.board;
    let best = search_board(board, look, searcher, limits);
    let (played, is_played_finished) = search_played(turn, &best, look, searcher, limits);
    let finished = is_played_finished && look.is_reached_by(&best, board);
    let (best, played) = agree_on_best(best, played);
    let FoundMove { score: value, meaning, variation: line, .. } = played;
    TurnValues { best, value, meaning, line, finished }
}

/// The best move and the one played, where no move is worth more than the best one.
pub(super) fn agree_on_best(best: FoundMove, played: FoundMove) -> (FoundMove, FoundMove) {
    if played.score <= best.score {
        return (best, played);
    }
    if best.meaning == ScoreMeaning::Exact {
        // What an estimate has more than what is proved is its error.
        let score = best.score;
        return (best, FoundMove { score, ..played });
    }
    // The search of the position overlooked what the search after the move has seen. That a move is proved to be worth so much does not prove
    // that it is the best.
    let seen_by = if played.meaning == ScoreMeaning::Exact { &best } else { &played };
    let (meaning, depth, confidence) = (seen_by.meaning, seen_by.depth, seen_by.confidence);
    (FoundMove { meaning, depth, confidence, ..played.clone() }, played)
}

fn search_board(
    board: Board,
    BoundedEffort { effort, nodes }: BoundedEffort,
    searcher: &mut Searcher,
    limits: LevelLimits<'_>,
) -> FoundMove {
    let mut silent = |_: &FoundMove| {};
    let LevelLimits { time, clock, stop } = limits;
    searcher.search_board(
        board,
        &mut SearchTask { time, nodes, clock, stop, ..SearchTask::new(effort, &mut silent) },
    )
}

/// The move played, searched as the best one was, with what it is worth to the one who made it and what is expected to follow; the move first.
/// And has that search come as far as it was to?
fn search_played(
    turn: &GameTurn,
    best: &FoundMove,
    look: BoundedEffort,
    searcher: &mut Searcher,
    limits: LevelLimits<'_>,
) -> (FoundMove, bool) {
    let square = turn.square;
    let mv = Move::Play(square);
    if best.mv == mv {
        return (best.clone(), true);
    }
    let after = turn.board.play_unchecked(square);
    // The same move on a turned board, as every first move is: a search of another depth must not tell them apart.
    let is_best_turned =
        |best: Square| turn.board.play_unchecked(best).canonical_form().0 == after.canonical_form().0;
    if best.mv.square().is_some_and(is_best_turned) {
        return (FoundMove { mv, variation: vec![square], ..best.clone() }, true);
    }
    if after.is_over() {
        return (end_of_game(square, -after.final_score()), true);
    }
    let effort = look.effort;
    let depth = (effort.depth - 1).max(1);
    let exact = if best.meaning == ScoreMeaning::Exact { effort.exact } else { 0 };
    let effort = SearchEffort { depth, exact, win_loss: exact, ..effort };
    let look = BoundedEffort { effort, ..look.after_nodes(best.nodes) };
    let found = search_board(after, look, searcher, limits);
    let is_finished = look.is_reached_by(&found, after);
    let variation = std::iter::once(square).chain(found.variation.iter().copied()).collect();
    // Plies are counted from the position before the move, as those of the best one.
    let played = FoundMove { mv, score: -found.score, variation, depth: found.depth + 1, ..found };
    (played, is_finished)
}

/// A move that ends the game with this score for the one who makes it.
fn end_of_game(square: Square, score: i32) -> FoundMove {
    FoundMove {
        mv: Move::Play(square),
        score,
        meaning: ScoreMeaning::Exact,
        depth: 1,
        confidence: CutConfidence::Full,
        variation: vec![square],
        nodes: 1,
    }
}

/// How the game stood before and after, if it stood worse after.
fn turned_outcome(values: &TurnValues) -> Option<(GameOutcome, GameOutcome)> {
    let (before, after) = (GameOutcome::from_value(values.best.score), GameOutcome::from_value(values.value));
    let counts = values.is_proved() || values.loss() >= LEAST_TURN_OF_ESTIMATE;
    (after < before && counts).then_some((before, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coach::words::describe_blunder;
    use crate::search::SearchParams;
    use ishi_engine::StoppedClock;
    use ishi_rng::Seed;
    use ishi_words::Language;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const NO_LIMITS: LevelLimits<'static> = LevelLimits { time: None, clock: &StoppedClock, stop: &|| false };

    fn searcher() -> Searcher {
        Searcher::new(SearchParams { hash_bits: 12, threads: 1 })
    }

    fn params() -> ReviewParams {
        ReviewParams { level: Level::LOWEST, exact: Some(8) }
    }

    /// A game of random moves to its end.
    fn random_game(seed: u64) -> Position {
        let mut rng = Seed::new(seed).stream("review", 0);
        let mut game = Position::start();
        while let Some(&mv) = rng.choose(&game.legal_moves()) {
            game.play(mv).unwrap();
        }
        game
    }

    /// The values of a move with all looks, whatever they cost.
    fn confirm_all(turn: &GameTurn, params: ReviewParams) -> TurnValues {
        let mut work = ReviewWork::without_bound();
        confirm_values(turn, (params, CLEAR_BLUNDER), &mut work, &mut searcher(), NO_LIMITS)
    }

    /// The value of every move of a game, solved without the review's help.
    fn solved(board: Board) -> i32 {
        if board.is_over() {
            return board.final_score();
        }
        let values = board.children().map(|(_, child)| -solved(child));
        values.max().unwrap_or_else(|| -solved(board.pass()))
    }

    #[test]
    fn the_last_moves_of_a_random_game_are_judged_exactly() {
        let game = random_game(3);
        let review = review_game(&game, params(), &mut searcher(), NO_LIMITS, &mut |_, _| {});
        assert!(review.complete);
        let late: Vec<&MoveReview> =
            review.moves.iter().filter(|review| review.board.empty_count() <= 7).collect();
        assert!(late.len() >= 4);
        for review in late {
            assert!(review.is_proved());
            assert_eq!(review.best.score, solved(review.board), "move {}", review.number);
            assert_eq!(review.value, -solved(review.board.play_unchecked(review.square)));
            assert_eq!(review.line[0], review.square, "what follows a move begins with it");
            assert_eq!(review.loss, review.best.score - review.value);
        }
    }

    /// All four first moves are one move on a turned board.
    #[test]
    fn no_first_move_loses_anything() {
        for square in ["f5", "d3", "c4", "e6"] {
            let game = Position::from_transcript(square).unwrap();
            let review = review_game(&game, params(), &mut searcher(), NO_LIMITS, &mut |_, _| {});
            assert_eq!((review.moves[0].loss, review.moves[0].reason.is_some()), (0, false), "{square}");
        }
    }

    #[test]
    fn moves_are_numbered_without_passes_and_in_order() {
        let game = random_game(4);
        let mut heard = Vec::new();
        let review = review_game(&game, params(), &mut searcher(), NO_LIMITS, &mut |review, left| {
            heard.push((review.number, left));
        });
        let numbers: Vec<usize> = review.moves.iter().map(|review| review.number).collect();
        assert_eq!(numbers, (1..=review.moves.len()).collect::<Vec<usize>>());
        assert_eq!(heard.first(), Some(&(numbers.len(), numbers.len() - 1)));
        assert_eq!(heard.last(), Some(&(1, 0)));
        assert!(review.moves.iter().all(|review| review.loss >= 0));
    }

    #[test]
    fn summaries_add_up() {
        let review = review_game(&random_game(5), params(), &mut searcher(), NO_LIMITS, &mut |_, _| {});
        let total: i32 =
            Color::ALL.iter().map(|&color| review.summarize_player(color).total_summary().loss).sum();
        let choices = review.moves.iter().filter(|review| !review.forced);
        assert_eq!(total, choices.map(|review| review.loss).sum::<i32>());
        for color in Color::ALL {
            let summary = review.summarize_player(color);
            assert!(summary.best <= summary.total_summary().choices);
            let worst = summary.worst.unwrap();
            assert_eq!(review.moves[worst.0 - 1].loss, worst.1);
        }
    }

    /// A random player throws games away: the moves that did it are found, and only where the sign changes.
    #[test]
    fn losing_moves_change_the_outcome() {
        let mut proved = 0;
        for seed in 10..14 {
            let review =
                review_game(&random_game(seed), params(), &mut searcher(), NO_LIMITS, &mut |_, _| {});
            for review in review.losing_moves() {
                let (before, after) = review.turned.unwrap();
                assert!(before > after && review.loss > 0);
                assert_eq!(
                    (before, after),
                    (GameOutcome::from_value(review.best.score), GameOutcome::from_value(review.value))
                );
                proved += usize::from(review.is_proved());
            }
        }
        assert!(proved > 0);
    }

    /// A move has a reason exactly if it loses 2 discs and more; lessons gather them by kind, three at most.
    #[test]
    fn reasons_and_lessons_are_of_moves_that_lose() {
        let review = review_game(&random_game(7), params(), &mut searcher(), NO_LIMITS, &mut |_, _| {});
        for each in &review.moves {
            assert_eq!(each.reason.is_some(), each.loss >= LEAST_LOSS_TOLD, "move {}", each.number);
        }
        for color in Color::ALL {
            let lessons = review.list_lessons(color);
            assert!((1..=MOST_LESSONS).contains(&lessons.len()), "a random game has mistakes of some kind");
            assert!(lessons.is_sorted_by_key(|lesson| -lesson.loss));
            for lesson in &lessons {
                let of_kind = |number: &usize| {
                    let each = &review.moves[number - 1];
                    let kind = each.reason.as_ref().map(|reason| reason.cause.kind());
                    assert_eq!((each.color, kind), (color, Some(lesson.kind)));
                    each.loss
                };
                assert_eq!(lesson.moves.iter().map(of_kind).sum::<i32>(), lesson.loss);
            }
        }
    }

    /// Facts stand beside a main reason only where that says where something is lost, but not by what. Squares beside corners do not.
    #[test]
    fn facts_stand_beside_reasons_that_say_only_where() {
        let (mut beside, mut alone) = (0, 0);
        let mut reviews = (7..15).map(|seed| {
            review_game(&random_game(seed), params(), &mut searcher(), NO_LIMITS, &mut |_, _| {})
        });
        // Few reasons say only where: as many games as it takes to find one.
        while (beside == 0 || alone == 0)
            && let Some(review) = reviews.next()
        {
            for each in &review.moves {
                let told = each.facts_beside_reason();
                let told: Vec<CoachReason> = told.into_iter().flat_map(|(_, facts)| facts).collect();
                let all = [each.faults.clone(), each.missed.clone()].concat();
                match &each.reason {
                    None => assert_eq!(told, all, "move {}", each.number),
                    Some(reason) if reason.cause.says_only_where() => {
                        let kept: Vec<CoachReason> = all.into_iter().filter(|fact| fact.is_fact()).collect();
                        assert_eq!(told, kept, "move {}", each.number);
                        beside += usize::from(!told.is_empty());
                    }
                    Some(_) => {
                        assert!(told.is_empty(), "move {}", each.number);
                        alone += usize::from(!all.is_empty());
                    }
                }
            }
        }
        assert!(beside > 0 && alone > 0, "{beside} beside, {alone} alone");
    }

    /// Every move with a choice is looked at again, what seems to lose less than a blunder once more, and a small loss a last time: what is told is
    /// what the deepest look found. Some losses only the second look sees, and some of the first or the second are not confirmed.
    #[test]
    fn losses_are_those_of_deeper_searches() {
        let params = ReviewParams { level: Level::LOWEST, exact: None };
        let game = random_game(8);
        let (mut seen_late, mut taken_back) = (0, 0);
        for turn in list_turns(&game).iter().filter(|turn| turn.board.empty_count() > 14).rev().take(16) {
            let empties = turn.board.empty_count();
            if turn.board.legal_moves().count_ones() == 1 {
                continue;
            }
            let first = params.effort_at(empties);
            let looks = [
                params.second_effort_at(empties),
                params.confirming_effort_at(empties),
                params.last_effort_at(empties),
            ];
            let depths = looks.map(|effort| effort.depth);
            assert!(first.depth < depths[0] && depths.is_sorted_by(|a, b| a < b));
            let shallow = find_values(turn, first, &mut searcher(), NO_LIMITS);
            let told = confirm_all(turn, params);
            // The least look that such a loss must have had.
            let least = match told.loss() {
                0 | CLEAR_BLUNDER.. => 0,
                LEAST_LOSS_TOLD..CLEAR_LOSS => 2,
                _ => 1,
            };
            assert!(depths[least..].contains(&told.best.depth), "{empties} empty squares");
            seen_late += usize::from(shallow.loss() < LEAST_LOSS_TOLD && told.loss() >= LEAST_LOSS_TOLD);
            taken_back += usize::from(shallow.loss() >= LEAST_LOSS_TOLD && told.loss() < LEAST_LOSS_TOLD);
        }
        assert!(seen_late > 0 && taken_back > 0, "{seen_late} seen late, {taken_back} taken back");
    }

    /// A loss that is clear at the second look is told as that look found it, and no smaller one is.
    #[test]
    fn clear_blunders_are_not_looked_at_a_third_time() {
        let params = ReviewParams { level: Level::LOWEST, exact: None };
        let (mut clear, mut doubtful) = (0, 0);
        let game = random_game(8);
        for turn in list_turns(&game).iter().filter(|turn| turn.board.empty_count() > 14).rev().take(16) {
            let empties = turn.board.empty_count();
            if turn.board.legal_moves().count_ones() == 1 {
                continue;
            }
            let [second, third] = [params.second_effort_at(empties), params.confirming_effort_at(empties)];
            let mut fresh = searcher();
            find_values(turn, params.effort_at(empties), &mut fresh, NO_LIMITS);
            let seen = find_values(turn, second, &mut fresh, NO_LIMITS);
            let told = confirm_all(turn, params);
            match seen.loss() {
                ..=0 => assert_eq!(told.best.depth, second.depth, "{empties} empty squares"),
                1..CLEAR_BLUNDER => {
                    assert!(told.best.depth >= third.depth, "{empties} empty squares");
                    doubtful += 1;
                }
                CLEAR_BLUNDER.. => {
                    let found = (told.best.depth, told.loss(), told.line);
                    assert_eq!(found, (second.depth, seen.loss(), seen.line), "{empties} empty squares");
                    clear += 1;
                }
            }
        }
        assert!(clear > 0 && doubtful > 0, "{clear} clear, {doubtful} doubtful");
    }

    /// Judges the later moves of a game of random moves, and counts what that takes.
    fn count_work(seed: u64, work: ReviewWork) -> (u64, ReviewWork, Vec<i32>) {
        let params = ReviewParams { level: Level::LOWEST, exact: None };
        let (mut searcher, mut work, mut losses) = (searcher(), work, Vec::new());
        for turn in list_turns(&random_game(seed)).iter().rev().take(36) {
            losses.push(judge_turn(turn, params, &mut work, &mut searcher, NO_LIMITS).unwrap().loss);
        }
        (searcher.visited_positions(), work, losses)
    }

    /// Looks beyond the second make a review cost one and a half times as much at most, but for what they may visit at first.
    #[test]
    fn further_looks_cost_half_of_the_rest_at_most() {
        // Little at first, so that it is the part of the rest which bounds them.
        let bound = ReviewWork { at_first: 1 << 16, ..ReviewWork::default() };
        let (mut with, mut without) = (0, 0);
        for seed in [8, 9] {
            let none = ReviewWork { further: u64::MAX, ..ReviewWork::default() };
            let (plain, spent, _) = count_work(seed, none);
            assert_eq!((spent.further, spent.usual), (u64::MAX, plain), "no look was a further one");
            let (bounded, spent, losses) = count_work(seed, bound);
            assert_eq!(spent.usual + spent.further, bounded, "all is counted");
            assert!(spent.further > 0);
            // Nothing depends on time or chance.
            assert_eq!(count_work(seed, bound), (bounded, spent, losses));
            with += bounded;
            without += plain + bound.at_first;
        }
        assert!(2 * with <= 3 * without, "{with} with further looks, {without} without");
    }

    /// A look that has no room is not begun, and what one has found that was broken off is not told.
    #[test]
    fn looks_without_room_change_nothing() {
        let params = ReviewParams { level: Level::LOWEST, exact: None };
        let (mut broken_off, mut refused) = (0, 0);
        for turn in list_turns(&random_game(8)).iter().filter(|turn| turn.has_choice()).take(30) {
            let (look, twice) = look_twice(turn, params, &mut searcher(), NO_LIMITS);
            let told = |at_first| {
                let mut work = ReviewWork { at_first, ..ReviewWork::default() };
                let values =
                    confirm_values(turn, (params, CLEAR_BLUNDER), &mut work, &mut searcher(), NO_LIMITS);
                (values, work)
            };
            let (values, work) = told(0);
            if work.further == 0 {
                assert_eq!((values.best.depth, values.loss()), (twice.best.depth, twice.loss()), "{look:?}");
                refused += usize::from(told(u64::MAX).1.further > 0);
            }
            // So few positions are enough to begin, and too few to end.
            let (values, work) = told(1 << 15);
            if work.further > 0 && values.best.depth == twice.best.depth {
                assert_eq!((values.loss(), values.line), (twice.loss(), twice.line), "{look:?}");
                broken_off += 1;
            }
        }
        assert!(broken_off > 0 && refused > 0, "{broken_off} broken off, {refused} refused");
    }

    /// Solving costs the more the more squares are empty, other looks the more the first ones took.
    #[test]
    fn looks_are_begun_where_they_may_end() {
        let params = ReviewParams { level: Level::LOWEST, exact: None };
        let last = params.last_effort_at(20);
        let expected = [14, 13, 12].map(|empties| expect_nodes(last, empties, 1000));
        assert_eq!((last.exact, expected), (14, [1 << 16, 1 << 15, 1 << 14]));
        assert_eq!(expect_nodes(last, 15, 1000), 1000 * DEEPER_TIMES);
        let all = SearchEffort { exact: u32::MAX, ..last };
        assert_eq!(expect_nodes(all, 64, 0), 1 << 63);
    }

    /// Small losses leave the larger part of the room to others.
    #[test]
    fn large_losses_come_first() {
        let work = ReviewWork { usual: 1000, further: 100, at_first: 60 };
        assert_eq!([1, 2, 4, 5, 9].map(|loss| work.room_for(loss)), [90, 180, 180, 360, 360]);
        let spent = ReviewWork { further: 461, ..work };
        assert_eq!(spent.room_for(9), 0, "what was overdrawn is not given again");
        assert_eq!(ReviewWork::without_bound().room_for(9), u64::MAX);
    }

    /// Whatever loses near the end is solved at last, however clear the loss is.
    #[test]
    fn losses_near_the_end_are_proved_at_the_lowest_level() {
        let params = ReviewParams { level: Level::LOWEST, exact: None };
        let [third, last] =
            [params.confirming_effort_at(60), params.last_effort_at(60)].map(|effort| effort.exact);
        assert_eq!((third, last), (8, 14));
        let mut clear = 0;
        for seed in 0..3 {
            let turns = list_turns(&random_game(seed));
            for turn in turns.iter().filter(|turn| (third + 1..=last).contains(&turn.board.empty_count())) {
                let told = confirm_all(turn, params);
                if told.loss() > 0 {
                    assert_eq!(told.best.meaning, ScoreMeaning::Exact, "{turn:?}");
                    clear += usize::from(told.loss() >= CLEAR_LOSS);
                }
            }
        }
        assert!(clear > 0);
    }

    /// Answers are the best move and those that lose a disc at most when all is solved, though the level itself sees a ply.
    #[test]
    fn answers_are_held_against_the_best_move_by_a_deeper_look() {
        let params = ReviewParams { level: Level::LOWEST, exact: None };
        let (mut many, mut unlike) = (0, 0);
        for seed in 0..6 {
            let game = random_game(seed);
            let turns = list_turns(&game);
            for turn in turns.iter().filter(|turn| turn.board.empty_count() == 8) {
                let review =
                    judge_turn(turn, params, &mut ReviewWork::default(), &mut searcher(), NO_LIMITS).unwrap();
                let answers =
                    list_answers(review.board, review.best.mv.square(), params, &mut searcher(), NO_LIMITS);
                assert_eq!(answers.first().copied(), review.best.mv.square());
                let value = |square: Square| -solved(review.board.play_unchecked(square));
                let most = solved(review.board);
                for &answer in &answers {
                    assert!(most - value(answer) <= MOST_LOSS_PRAISED, "{answer} of {:?}", review.board);
                }
                many += usize::from(answers.len() > 1);
                let shallow = params.effort_at(8);
                let mut silent = |_: &FoundMove| {};
                let seen =
                    searcher().search_each_move(review.board, &mut SearchTask::new(shallow, &mut silent));
                let good = seen.iter().filter(|found| seen[0].score - found.score <= MOST_LOSS_PRAISED);
                unlike +=
                    good.filter(|found| most - value(found.mv.square().unwrap()) > MOST_LOSS_PRAISED).count();
            }
        }
        assert!(
            many > 0 && unlike > 0,
            "{many} with several answers, {unlike} that a ply would have allowed"
        );
    }

    /// White is to play, with 8 empty squares: a7 wins by 32, b2 by 6, f1 by 28.
    const LATE: &str = "f5f6e6d6e7f4e3f3c6d7g5h5g3g4h6h7c5f7d3b6f8c4c3c7h3e8b3b4a4g6d8c8b8g7b5a5a6h4h8g8a3a2e2d2a8d1f2g1c1g2e1c2";

    #[test]
    fn a_last_move_that_is_a_blunder_is_found() {
        let after = |last: &str| Position::from_transcript(&format!("{LATE}{last}")).unwrap();
        let blunder = find_last_blunder(&after("b2"), &mut searcher(), NO_LIMITS).unwrap();
        assert_eq!((blunder.color, blunder.square.to_string()), (Color::White, "b2".to_string()));
        assert_eq!((blunder.loss, blunder.value, blunder.best.score), (26, 6, 32));
        assert!(blunder.is_proved() && blunder.reason.is_some());
        for small in ["a7", "f1"] {
            assert_eq!(find_last_blunder(&after(small), &mut searcher(), NO_LIMITS), None, "{small}");
        }
        assert_eq!(
            find_last_blunder(&Position::start(), &mut searcher(), NO_LIMITS),
            None,
            "no move is there"
        );
        let stopped = LevelLimits { stop: &|| true, ..NO_LIMITS };
        assert_eq!(find_last_blunder(&after("b2"), &mut searcher(), stopped), None);
    }

    #[test]
    fn a_blunder_is_told_with_its_reason_and_the_better_move() {
        let game = Position::from_transcript(&format!("{LATE}b2")).unwrap();
        let blunder = find_last_blunder(&game, &mut searcher(), NO_LIMITS).unwrap();
        let english = describe_blunder(&blunder, Language::English);
        assert!(english.starts_with("White b2 loses 26 discs.\nb2: "), "{english}");
        assert!(english.ends_with("\nBetter: a7, which gives +32 instead of +6."), "{english}");
        let japanese = describe_blunder(&blunder, Language::Japanese);
        assert!(japanese.starts_with("白b2は26石の損です。\nb2と打つと、"), "{japanese}");
        assert!(japanese.ends_with("\n最善手はa7で、+6ではなく+32になります。"), "{japanese}");
        // One of both values is an estimate.
        let best = FoundMove { meaning: ScoreMeaning::Estimate, ..blunder.best.clone() };
        let meaning = ScoreMeaning::Estimate;
        for estimated in [MoveReview { best, ..blunder.clone() }, MoveReview { meaning, ..blunder }] {
            assert!(!estimated.is_proved());
            let english = describe_blunder(&estimated, Language::English);
            assert!(english.starts_with("White b2 loses about 26 discs.\n"), "{english}");
        }
    }

    /// A loss is proved where the search of the move played has come to its end, too. What is left of a limit may be too little for that.
    #[test]
    fn a_best_move_alone_that_is_proved_proves_no_loss() {
        let (mut estimated, mut proved) = (0, 0);
        for seed in 0..12 {
            let turns = list_turns(&random_game(seed));
            let Some(turn) = turns.iter().find(|turn| turn.board.empty_count() == 12 && turn.has_choice())
            else {
                continue;
            };
            let effort = SearchEffort { exact: 12, ..params().effort_at(12) };
            let whole = BoundedEffort::without_bound(effort);
            let best = search_board(turn.board, whole, &mut searcher(), NO_LIMITS);
            // So many positions are enough for the best move, and leave none.
            let bounded = BoundedEffort { nodes: Some(best.nodes), ..whole };
            for look in [bounded, whole] {
                let values = find_values_within(turn, look, &mut searcher(), NO_LIMITS);
                assert_eq!((values.best.meaning, values.best.score), (ScoreMeaning::Exact, best.score));
                assert!(values.loss() >= 0, "{turn:?}");
                let is_exact = values.meaning == ScoreMeaning::Exact;
                assert_eq!(values.is_proved(), is_exact, "{turn:?}");
                assert_eq!(values.as_mistake(turn.board).proved, is_exact, "{turn:?}");
                if is_exact {
                    let after = turn.board.play_unchecked(turn.square);
                    let solved = search_board(after, whole, &mut searcher(), NO_LIMITS);
                    assert_eq!(values.value, -solved.score, "{turn:?}");
                }
                assert!(is_exact || look.nodes.is_some(), "{turn:?}");
                estimated += usize::from(!is_exact);
                proved += usize::from(is_exact);
            }
        }
        assert!(estimated > 0 && proved > 0, "{estimated} estimated, {proved} proved");
    }

    /// A move that the search from before it has overlooked is the best one with what the search after it says, and not with what the other
    /// search says of another move.
    #[test]
    fn an_overlooked_move_is_told_as_it_was_searched() {
        let found = |name: &str, score, meaning, depth| {
            let square: Square = name.parse().unwrap();
            let confidence =
                if meaning == ScoreMeaning::Exact { CutConfidence::Full } else { CutConfidence::Good };
            let (mv, variation) = (Move::Play(square), vec![square]);
            FoundMove { mv, score, meaning, depth, confidence, variation, nodes: 1 }
        };
        use ScoreMeaning::{Estimate, Exact, Selective};
        for (best_meaning, played_meaning, wanted) in [
            // Neither depth nor meaning are those of the search that overlooked it.
            (Selective, Estimate, (Estimate, 8)),
            (Estimate, Selective, (Selective, 8)),
            // Another move may still be worth more.
            (Estimate, Exact, (Estimate, 12)),
        ] {
            let (best, played) = (found("c1", 2, best_meaning, 12), found("d1", 5, played_meaning, 8));
            let (agreed, kept) = agree_on_best(best, played.clone());
            assert_eq!((agreed.mv, agreed.score, kept), (played.mv, 5, played));
            assert_eq!((agreed.meaning, agreed.depth), wanted);
        }
        // An estimate above what is proved is wrong.
        let (best, played) = (found("c1", 2, Exact, 12), found("d1", 5, Estimate, 8));
        let (agreed, kept) = agree_on_best(best.clone(), played.clone());
        assert_eq!((agreed, kept), (best.clone(), FoundMove { score: 2, ..played }));
        let worse = found("d1", 0, Estimate, 8);
        assert_eq!(agree_on_best(best.clone(), worse.clone()), (best, worse));
    }

    /// The move played has a depth counted from the position before it, however it was found.
    #[test]
    fn the_move_played_is_searched_as_deep_as_the_best_one() {
        let params = ReviewParams { level: Level::LOWEST, exact: Some(4) };
        let (mut seen, mut overlooked) = (0, 0);
        for seed in 0..6 {
            for turn in list_turns(&random_game(seed)).iter().filter(|turn| turn.board.empty_count() > 14) {
                let effort = params.second_effort_at(turn.board.empty_count());
                let values = find_values(turn, effort, &mut searcher(), NO_LIMITS);
                let Some(last) = turn.board.children().last() else { continue };
                let look = BoundedEffort::without_bound(effort);
                let best = search_board(turn.board, look, &mut searcher(), NO_LIMITS);
                let other = GameTurn { square: last.0, ..*turn };
                let (played, finished) = search_played(&other, &best, look, &mut searcher(), NO_LIMITS);
                assert!(
                    finished && (played.depth == effort.depth || turn.board.play_unchecked(last.0).is_over())
                );
                assert_eq!(values.best.depth, effort.depth, "{turn:?}");
                overlooked +=
                    usize::from(values.best.mv == Move::Play(turn.square) && values.best.mv != best.mv);
                seen += 1;
            }
        }
        assert!(seen > 0 && overlooked > 0, "{seen} seen, {overlooked} overlooked");
    }

    #[test]
    fn a_review_that_is_stopped_keeps_the_end_of_the_game() {
        let asked = AtomicUsize::new(0);
        let stop = || asked.load(Ordering::Relaxed) >= 5;
        let limits = LevelLimits { stop: &stop, ..NO_LIMITS };
        let game = random_game(6);
        let review = review_game(&game, params(), &mut searcher(), limits, &mut |_, _| {
            asked.fetch_add(1, Ordering::Relaxed);
        });
        assert!(!review.complete);
        assert_eq!(review.moves.len(), 5);
        let last = game.moves().iter().filter(|(_, mv)| *mv != Move::Pass).count();
        assert_eq!(review.moves.last().map(|review| review.number), Some(last));
    }

    /// No move is called good that has a reason against it, and none is without a reason that is called worse.
    #[test]
    fn moves_that_have_a_reason_are_not_called_good() {
        for loss in 0..=64 {
            let is_praised = MoveJudgement::from_loss(loss) <= MoveJudgement::Good;
            assert_eq!(is_praised, loss <= MOST_LOSS_PRAISED, "a loss of {loss}");
            assert_eq!(is_praised, loss < LEAST_LOSS_TOLD, "a loss of {loss}");
        }
    }

    #[test]
    fn judgements_and_phases() {
        assert_eq!(
            [0, 1, 3, 6, 10].map(MoveJudgement::from_loss).map(|judgement| judgement as u8),
            [0, 1, 2, 3, 4]
        );
        assert_eq!(
            [60, 41, 40, 21, 20, 1].map(OthelloPhase::from_empties).map(|phase| phase as u8),
            [0, 0, 1, 1, 2, 2]
        );
        assert_eq!(
            [-1, 0, 1].map(GameOutcome::from_value),
            [GameOutcome::Loss, GameOutcome::Draw, GameOutcome::Win]
        );
    }

    /// A search to the end that was broken off after its easy cuts has not come as far as it was to.
    #[test]
    fn easy_cuts_to_the_end_are_no_finished_look() {
        let mut board = Board::START;
        while board.empty_count() > 13 {
            assert!(!board.is_over(), "another way to choose moves is needed");
            board = board.children().last().map_or(board.pass(), |(_, child)| child);
        }
        let board = if board.legal_moves() == 0 { board.pass() } else { board };
        let effort = SearchEffort { depth: 60, exact: 0, win_loss: 0, confidence: CutConfidence::Good };
        let look = BoundedEffort::without_bound(effort);
        let mut reached = Vec::new();
        let mut observer = |found: &FoundMove| reached.push(look.is_reached_by(found, board));
        let mut searcher = Searcher::new(SearchParams { hash_bits: 14, threads: 1 });
        searcher.search_board(board, &mut SearchTask::new(effort, &mut observer));
        assert!(reached.len() > 3, "{reached:?}");
        assert_eq!(reached.iter().position(|&reached| reached), Some(reached.len() - 1), "{reached:?}");
    }
}
