//! `go-flat`: flat Monte Carlo, a tree of one level.
//!
//! Every candidate is a bandit's arm and a playout is a pull; arms are chosen by UCB1 (Auer, Cesa-Bianchi and Fischer
//! 2002) or in turn, which is the pure flat search of Bruegmann's "Monte Carlo Go" (1993). Playouts are uniformly
//! random ([`ishi_go::playout`]), scored by area; a win counts 1, a draw one half.

use ishi_go::{Board, Color, Move, Point, Position, playout, score};
use ishi_rng::{Rng, Seed};

use crate::random::sensible_moves;
use ishi_engine::numeric;
use ishi_engine::parameter::{Parameter, ParameterFault, format_params, name, word, word_list};
use ishi_engine::{Choice, Control, Engine, EngineAction, MoveReport, SearchReport};

/// How playouts are given to the candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocation {
    /// By upper confidence bounds.
    Ucb,
    /// Each in turn.
    Even,
}

/// Parameters of [`FlatPlayer`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatParams {
    /// Playouts for a move where no other limit is given.
    pub playouts: u64,
    /// Which candidate gets the next playout.
    pub allocation: Allocation,
    /// Exploration constant C of UCB1: rate + C sqrt(ln n / n_i).
    pub exploration: f64,
    /// Resigns when the best candidate's win rate is below this; 0: never.
    pub resign_below: f64,
}

impl Default for FlatParams {
    fn default() -> Self {
        FlatParams { playouts: 2000, allocation: Allocation::Ucb, exploration: 0.7, resign_below: 0.03 }
    }
}

const ALLOCATIONS: [(&str, Allocation); 2] = [("ucb", Allocation::Ucb), ("even", Allocation::Even)];

impl FlatParams {
    /// All parameters, the most important first.
    pub const ENTRIES: &'static [Parameter<FlatParams>] = &[
        numeric!(
            "playouts",
            "playouts for a move, where no other limit is given",
            "他に制限がないときの1手のプレイアウト数",
            1,
            u64::MAX,
            playouts
        ),
        Parameter {
            key: "allocation",
            about: "ucb, or even: playouts to the candidates in turn",
            japanese: "ucb、または even（候補手に順番に割り当てる）",
            allowed: |_| word_list(&ALLOCATIONS),
            get: |params| name(params.allocation, &ALLOCATIONS),
            set: |params, text| {
                let unknown = |_| ParameterFault::Unknown("write ucb or even".to_string());
                params.allocation = word(text, &ALLOCATIONS).map_err(unknown)?;
                Ok(())
            },
        },
        numeric!("exploration", "constant C of UCB1", "UCB1 の定数 C", 0.0, 100.0, exploration),
        numeric!(
            "resign",
            "resigns below this win rate; 0: never",
            "勝率がこれを下回ると投了する。0 なら投了しない",
            0.0,
            1.0,
            resign_below
        ),
    ];
}

/// Flat Monte Carlo.
#[derive(Clone, Debug)]
pub struct FlatPlayer {
    params: FlatParams,
    seed: Seed,
}

/// Playouts between two looks at the clock and the stop flag.
const BATCH: u64 = 64;

/// Playouts after which a search ends in any case: the ownership of a point is summed up in 32 bits. An analysis left
/// alone on 9x9 comes here after four hours.
const MOST_PLAYOUTS: u64 = i32::MAX as u64;

/// Playouts below which nobody resigns: too few to know.
const MIN_PLAYOUTS_TO_RESIGN: u64 = 200;

/// A candidate and its statistics.
#[derive(Clone, Copy, Debug)]
struct BanditArm {
    mv: Move,
    visits: u64,
    wins: f64,
    score: f64,
}

impl BanditArm {
    fn win_rate(&self) -> f64 {
        if self.visits == 0 { 0.5 } else { self.wins / self.visits as f64 }
    }
}

/// One search.
struct FlatSearch<'a> {
    root: &'a Board,
    color: Color,
    /// What Black's area lead must exceed for Black to win.
    white_bonus: f64,
    arms: Vec<BanditArm>,
    playouts: u64,
    score: f64,
    /// Sum over playouts of +1 for black's points and -1 for white's.
    ownership: Vec<i32>,
    scratch: Board,
    rng: Rng,
}

impl FlatPlayer {
    /// A player with these parameters.
    pub fn new(params: FlatParams, seed: Seed) -> Self {
        FlatPlayer { params, seed }
    }
}

impl Engine for FlatPlayer {
    fn name(&self) -> &str {
        "go-flat"
    }

    fn spec(&self) -> String {
        format!("go-flat:{}", format_params(FlatParams::ENTRIES, &self.params))
    }

    fn set_seed(&mut self, seed: Seed) {
        self.seed = seed;
    }

    fn choose(&mut self, position: &Position, color: Color, control: &mut Control<'_>) -> Choice {
        let rng = self.seed.stream("move", position.moves().len() as u64);
        let mut search = FlatSearch::new(position, color, control, rng);
        let thinking = search.arms.len() > 1 || control.limits.infinite;
        if thinking {
            search.run_playouts(&self.params, control);
        }
        let report = search.build_report();
        (control.observer)(&report);
        let best = report.moves.first().map_or(Move::Pass, |best| best.mv);
        let hopeless =
            report.win_rate < self.params.resign_below && search.playouts >= MIN_PLAYOUTS_TO_RESIGN;
        let action =
            if hopeless && control.may_resign { EngineAction::Resign } else { EngineAction::Move(best) };
        Choice { action, report }
    }
}

impl<'a> FlatSearch<'a> {
    fn new(position: &'a Position, color: Color, control: &Control<'_>, rng: Rng) -> Self {
        let mut moves = sensible_moves(position, color, control);
        // Passing is worth a thought when it ends the game, and is all there is when nothing else is left.
        if moves.is_empty() || (position.trailing_passes() > 0 && control.allows_move(Move::Pass)) {
            moves.push(Move::Pass);
        }
        let arms = moves.into_iter().map(|mv| BanditArm { mv, visits: 0, wins: 0.0, score: 0.0 }).collect();
        let root = position.board();
        FlatSearch {
            root,
            color,
            white_bonus: position.white_bonus(),
            arms,
            playouts: 0,
            score: 0.0,
            ownership: vec![0; Point::INDICES],
            scratch: root.clone(),
            rng,
        }
    }

    fn run_playouts(&mut self, params: &FlatParams, control: &mut Control<'_>) {
        let start = control.clock.now();
        let mut reported = start;
        let most = most_playouts(params, control);
        while self.playouts < most {
            for _ in 0..BATCH.min(most - self.playouts) {
                let arm = self.next_arm(params);
                self.play_arm(arm);
            }
            if control.stop.is_requested() {
                break;
            }
            let now = control.clock.now();
            if control.limits.time.is_some_and(|time| now - start >= time) {
                break;
            }
            if now - reported >= control.report_every {
                reported = now;
                let report = self.build_report();
                (control.observer)(&report);
            }
        }
    }

    /// The candidate with the highest upper bound, unvisited ones first; or the one whose turn it is.
    fn next_arm(&self, params: &FlatParams) -> usize {
        let turn = self.playouts as usize % self.arms.len();
        if params.allocation == Allocation::Even || self.playouts < self.arms.len() as u64 {
            return turn;
        }
        let log = (self.playouts as f64).ln();
        let bound = |arm: &BanditArm| arm.win_rate() + params.exploration * (log / arm.visits as f64).sqrt();
        let bounds = self.arms.iter().map(bound).enumerate();
        bounds.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(turn, |(arm, _)| arm)
    }

    fn play_arm(&mut self, arm: usize) {
        let board = &mut self.scratch;
        board.copy_from(self.root);
        board.play_unchecked(self.color, self.arms[arm].mv);
        let limit = playout::default_move_limit(board);
        let lead = if self.arms[arm].mv == Move::Pass {
            // The pass ends the game: what stands, counts.
            f64::from(score::tally_area(board).black_lead())
        } else {
            f64::from(playout::play_random_playout(board, !self.color, limit, &mut self.rng).score)
        };
        playout::add_ownership(board, &mut self.ownership);
        let black = lead - self.white_bonus;
        let own = if self.color == Color::Black { black } else { -black };
        let arm = &mut self.arms[arm];
        arm.visits += 1;
        arm.wins += if own > 0.0 {
            1.0
        } else if own == 0.0 {
            0.5
        } else {
            0.0
        };
        arm.score += own;
        self.score += own;
        self.playouts += 1;
    }

    fn build_report(&self) -> SearchReport {
        let mut arms = self.arms.clone();
        arms.sort_by(|a, b| {
            (b.visits, b.win_rate()).partial_cmp(&(a.visits, a.win_rate())).expect("finite rates")
        });
        let moves: Vec<MoveReport> = arms.iter().map(|arm| move_report(arm, self.arms.len())).collect();
        let playouts = self.playouts.max(1) as f64;
        SearchReport {
            win_rate: moves.first().map_or(0.5, |best| best.win_rate),
            score: self.score / playouts,
            moves,
            playouts: self.playouts,
            ownership: self.mean_ownership(playouts),
            ..SearchReport::default()
        }
    }

    fn mean_ownership(&self, playouts: f64) -> Vec<(Point, f32)> {
        let sign = if self.color == Color::Black { 1.0 } else { -1.0 };
        let mean = |point: Point| (sign * f64::from(self.ownership[point.index()]) / playouts) as f32;
        self.root.size().points().map(|point| (point, mean(point))).collect()
    }
}

/// How many playouts a search may spend.
fn most_playouts(params: &FlatParams, control: &Control<'_>) -> u64 {
    let wanted = match control.limits.playouts {
        Some(playouts) => playouts,
        None if control.limits.infinite || control.limits.time.is_some() => MOST_PLAYOUTS,
        None => params.playouts,
    };
    wanted.min(MOST_PLAYOUTS)
}

/// The candidate's statistics with a 95 % lower bound (Wilson) of the win rate.
fn move_report(arm: &BanditArm, candidates: usize) -> MoveReport {
    let visits = arm.visits.max(1) as f64;
    MoveReport {
        mv: arm.mv,
        visits: arm.visits,
        win_rate: arm.win_rate(),
        lower_bound: wilson_lower_bound(arm.win_rate(), visits),
        score: arm.score / visits,
        prior: 1.0 / candidates as f64,
        variation: vec![arm.mv],
        ..MoveReport::unsearched_move(arm.mv)
    }
}

/// Draws count one half here, so the rate is no number of successes by trials, which `ishi_stats` wants.
fn wilson_lower_bound(rate: f64, visits: f64) -> f64 {
    const Z: f64 = 1.959_963_984_540_054;
    let z2 = Z * Z / visits;
    let centre = rate + z2 / 2.0;
    let spread = Z * ((rate * (1.0 - rate) + z2 / 4.0) / visits).sqrt();
    ((centre - spread) / (1.0 + z2)).clamp(0.0, 1.0)
}
