//! Playouts that answer: a policy of composable parts for the moves from a leaf to the end of the game.
//!
//! Each part can be turned on and off, and has a probability. A move is made by the first part that proposes something; what
//! no part wants is left to chance, which fills no own eye and avoids putting itself into atari.

pub(crate) mod local;
pub(crate) mod nakade;
pub(crate) mod replies;
pub(crate) mod shapes;

use ishi_go::{Board, Color, Move, Point, playout, score};
use ishi_mcts::Action;
use ishi_reading::Ladder;
use ishi_rng::{Rng, Seed};

use local::MoveProposals;
use replies::ReplyTable;
use shapes::ShapeTable;

use super::tabu::{TabuVerdict, TabuVisit, hash_after};

/// What playouts are made of. Probabilities are 0 to 1: how often a part is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayoutParams {
    /// Last good replies: 0 (off), 1 or 2 moves back (LGRF-1, LGRF-2).
    pub lgrf: u32,
    /// Captures, and escapes of chains that the last move put into atari.
    pub atari: f32,
    /// Are chains that would run into a ladder given up?
    pub ladders: bool,
    /// The vital point of a small eye space beside the last move.
    pub nakade: f32,
    /// Chains with two liberties: own beside the last move, and the last move's.
    pub two_liberties: f32,
    /// Shapes of 3x3 points around the last move.
    pub shapes: f32,
    /// Random moves do not put own chains of more than this many stones into atari.
    pub self_atari: usize,
    /// A playout ends when one side has this share of the board's points more stones than the other; 0: never.
    pub mercy: f32,
    /// Moves after which a playout is cut, in multiples of the board's points.
    pub limit: f32,
}

impl Default for PlayoutParams {
    fn default() -> Self {
        PlayoutParams {
            lgrf: 0,
            atari: 0.95,
            ladders: true,
            nakade: 0.2,
            two_liberties: 0.9,
            shapes: 0.95,
            self_atari: 4,
            mercy: 0.35,
            limit: 3.0,
        }
    }
}

impl PlayoutParams {
    /// Every legal move that fills no own eye, with equal chances (as [`playout::play_random_playout`]).
    pub fn uniform() -> Self {
        PlayoutParams {
            lgrf: 0,
            atari: 0.0,
            ladders: false,
            nakade: 0.0,
            two_liberties: 0.0,
            shapes: 0.0,
            self_atari: 1000,
            mercy: 0.0,
            limit: 3.0,
        }
    }
}

/// How a playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlayoutEnd {
    /// Black's area minus White's, without komi.
    pub(crate) score: i32,
    /// Was it played to two passes, and counted point by point ([`playout::point_ownership`])?
    pub(crate) is_counted: bool,
    /// Moves played, passes included.
    pub(crate) moves: u32,
}

/// A move as the tree names it: [`Point::index`], 0 for a pass.
pub(crate) fn action_of_move(mv: Move) -> Action {
    Action(mv.point().map_or(0, |point| point.index() as u16))
}

/// The move that an action stands for.
pub(crate) fn move_of_action(action: Action) -> Move {
    if action.0 == 0 { Move::Pass } else { Move::Play(Point::from_index(action.0.into())) }
}

/// A probability as a number that 16 random bits are compared with.
fn probability_threshold(probability: f32) -> u64 {
    (f64::from(probability.clamp(0.0, 1.0)) * 65536.0) as u64
}

/// The policy with its parameters made ready.
#[derive(Clone)]
pub(crate) struct PlayoutPolicy {
    atari: u64,
    ladders: bool,
    nakade: u64,
    two_liberties: u64,
    shapes: u64,
    pub(crate) self_atari: usize,
    mercy: f32,
    /// What the winner's lead must exceed at least; no playout ends by mercy before that.
    komi: f32,
    limit: f32,
    table: &'static ShapeTable,
}

/// What a thread's playouts work with.
pub(crate) struct PlayoutMemory {
    pub(crate) rng: Rng,
    pub(crate) replies: ReplyTable,
    proposals: MoveProposals,
    ladder: Ladder,
}

/// Moves that a playout reads of a ladder; then the chain counts as saved.
const LADDER_NODES: u32 = 60;

impl PlayoutMemory {
    pub(crate) fn new(params: &PlayoutParams, rng: Rng) -> PlayoutMemory {
        PlayoutMemory {
            rng,
            replies: ReplyTable::new(params.lgrf),
            proposals: MoveProposals::new(),
            ladder: Ladder::new(LADDER_NODES),
        }
    }
}

/// Playouts by themselves, without a tree.
///
/// ```
/// use ishi_go_play::go_mcts::{PlayoutParams, PlayoutRunner};
/// use ishi_go::{Board, BoardSize, Color};
/// use ishi_rng::Seed;
/// let mut playouts = PlayoutRunner::new(&PlayoutParams::default(), Seed::new(1));
/// let mut board = Board::new(BoardSize::square(9).unwrap());
/// let (score, moves) = playouts.run_playout(&mut board, Color::Black);
/// assert!(score.abs() <= 81 && moves > 40);
/// ```
pub struct PlayoutRunner {
    policy: PlayoutPolicy,
    memory: PlayoutMemory,
    history: Vec<Action>,
}

impl PlayoutRunner {
    /// Playouts with these parameters; everything random follows from the seed.
    pub fn new(params: &PlayoutParams, seed: Seed) -> PlayoutRunner {
        let memory = PlayoutMemory::new(params, seed.stream("playouts", 0));
        PlayoutRunner { policy: PlayoutPolicy::new(params), memory, history: Vec::new() }
    }

    /// Plays to the end. Gives Black's area minus White's, without komi, and the number of moves.
    pub fn run_playout(&mut self, board: &mut Board, to_move: Color) -> (i32, u32) {
        self.history.clear();
        self.history.extend([Action(0); 2]);
        let end = self.policy.play_to_end(board, to_move, &mut self.memory, &mut self.history, None);
        (end.score, end.moves)
    }
}

impl PlayoutPolicy {
    pub(crate) fn new(params: &PlayoutParams) -> PlayoutPolicy {
        PlayoutPolicy {
            atari: probability_threshold(params.atari),
            ladders: params.ladders,
            nakade: probability_threshold(params.nakade),
            two_liberties: probability_threshold(params.two_liberties),
            shapes: probability_threshold(params.shapes),
            self_atari: params.self_atari,
            mercy: params.mercy,
            komi: 0.0,
            limit: params.limit,
            table: ShapeTable::shared_table(),
        }
    }

    /// The same for games in which Black must lead by more than so many points, or not trail by more.
    pub(crate) fn with_komi(self, points: f64) -> PlayoutPolicy {
        PlayoutPolicy { komi: points.abs() as f32, ..self }
    }

    /// Plays from `board`, `color` to move, to the end; the leaf's tabu lists are asked where there are some. `history` holds the last two moves before (passes where there are
    /// none); the playout's moves are appended to it.
    pub(crate) fn play_to_end(
        &self,
        board: &mut Board,
        mut color: Color,
        memory: &mut PlayoutMemory,
        history: &mut Vec<Action>,
        mut tabu: Option<&mut TabuVisit<'_>>,
    ) -> PlayoutEnd {
        let area = board.size().area() as f32;
        let limit = (self.limit * area) as usize + history.len();
        let mercy = if self.mercy > 0.0 { (self.mercy * area).max(self.komi) as i32 } else { i32::MAX };
        let first = history.len();
        loop {
            let [before, last] = [history[history.len() - 2], history[history.len() - 1]];
            let number = history.len() - first;
            let mv = match tabu.as_deref_mut().filter(|visit| visit.has_list_for(number)) {
                Some(visit) => self.choose_allowed_move(board, color, [before, last], memory, number, visit),
                None => self.choose_move(board, color, [before, last], memory),
            };
            board.play_unchecked(color, mv);
            history.push(action_of_move(mv));
            color = !color;
            let moves = (history.len() - first) as u32;
            // Two passes end the game, but a pass before the playout began is not one of the playout's.
            if mv == Move::Pass && last.0 == 0 && moves >= 2 {
                return PlayoutEnd { score: playout::count_final_score(board), is_counted: true, moves };
            }
            if history.len() >= limit {
                return PlayoutEnd { score: score::tally_area(board).black_lead(), is_counted: false, moves };
            }
            let lead = board.stone_count(Color::Black) as i32 - board.stone_count(Color::White) as i32;
            if lead.abs() > mercy {
                return PlayoutEnd { score: lead, is_counted: false, moves };
            }
        }
    }

    /// The next move where tabu lists are to be asked: the policy's, and if that is refused chance's, until one may be played.
    #[inline(never)]
    fn choose_allowed_move(
        &self,
        board: &mut Board,
        color: Color,
        history: [Action; 2],
        memory: &mut PlayoutMemory,
        number: usize,
        visit: &mut TabuVisit<'_>,
    ) -> Move {
        let mut mv = self.choose_move(board, color, history, memory);
        while let Move::Play(point) = mv {
            if visit.judge_move(number, point, hash_after(board, color, point)) == TabuVerdict::Play {
                return mv;
            }
            mv = self.random_move(board, color, &mut memory.rng);
        }
        visit.note_pass();
        mv
    }

    /// The next move of a playout.
    #[inline]
    fn choose_move(
        &self,
        board: &mut Board,
        color: Color,
        history: [Action; 2],
        memory: &mut PlayoutMemory,
    ) -> Move {
        let [before, last] = history;
        let dice = memory.rng.next_u64();
        if last.0 != 0
            && let Some(point) = self.propose_answer(board, color, before, last, dice, memory)
        {
            return Move::Play(point);
        }
        self.random_move(board, color, &mut memory.rng)
    }

    /// What the parts propose, asked in turn.
    #[inline]
    pub(crate) fn propose_answer(
        &self,
        board: &Board,
        color: Color,
        before: Action,
        last: Action,
        dice: u64,
        memory: &mut PlayoutMemory,
    ) -> Option<Point> {
        if let Some(point) = memory.replies.get(color, before, last)
            && board.cell(point) == ishi_go::Cell::Empty
            && board.is_sensible(color, point)
            && board.self_atari_size(color, point) <= self.self_atari
        {
            return Some(point);
        }
        let last = Point::from_index(last.0.into());
        let found = &mut memory.proposals;
        found.clear();
        // One die for all parts: each looks at sixteen bits of its own.
        if dice & 0xffff < self.nakade
            && let Some(point) = nakade::vital_point_beside(board, last)
            && board.is_legal(color, point)
        {
            return Some(point);
        }
        if dice >> 16 & 0xffff < self.atari {
            let ladder = self.ladders.then_some(&mut memory.ladder);
            local::propose_atari_answers(board, color, last, ladder, found);
        }
        if found.as_slice().is_empty() && dice >> 32 & 0xffff < self.two_liberties {
            local::propose_two_liberty_answers(board, color, last, found);
        }
        if found.as_slice().is_empty() && dice >> 48 < self.shapes {
            local::propose_shape_answers(board, self.table, color, last, found);
        }
        memory.rng.choose(found.as_slice()).copied()
    }

    /// A legal point, not an own eye and no great self-atari, uniformly at random; or a pass if there is none. What was tried
    /// goes to the end of the board's list of empty points, so that no point is tried twice.
    #[inline]
    pub(crate) fn random_move(&self, board: &mut Board, color: Color, rng: &mut Rng) -> Move {
        let mut left = board.empty_count();
        while left > 0 {
            let n = rng.next_index(left);
            let point = board.nth_empty(n);
            if board.is_sensible(color, point) && board.self_atari_size(color, point) <= self.self_atari {
                return Move::Play(point);
            }
            left -= 1;
            board.swap_empty_points(n, left);
        }
        Move::Pass
    }
}
