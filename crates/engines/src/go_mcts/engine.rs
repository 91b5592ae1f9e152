//! The player.

use ishi_go::{Color, Move, Point, Position};
use ishi_mcts::{Action as TreeAction, Budget, Tree};
use ishi_rng::Seed;

use super::domain::{GoDomain, Root, Worker};
use super::params::Params;
use super::playout::{action, move_of};
use super::tabu::TabuLists;
use crate::engine::{Action, Choice, Control, Engine, MoveReport, Report};
use crate::random::sensible_moves;

/// Monte-Carlo tree search.
pub struct MctsPlayer {
    params: Params,
    seed: Seed,
    tree: Tree,
    tabu: TabuLists,
}

impl MctsPlayer {
    /// A player with these parameters.
    pub fn new(params: Params, seed: Seed) -> MctsPlayer {
        let tree = Tree::new(params.tree.clone());
        let tabu = TabuLists::new(params.tabu);
        MctsPlayer { params, seed, tree, tabu }
    }
}

/// The position as a search sees it, with the policies of these parameters.
pub(super) fn domain<'a>(
    params: &Params,
    tabu: &'a TabuLists,
    seed: Seed,
    position: &Position,
    color: Color,
    control: &Control<'_>,
) -> GoDomain<'a> {
    let seed = seed.child("move", position.moves().len() as u64);
    GoDomain::new(root(position, color, control), params.playout.clone(), params.prior, tabu, seed)
}

fn root(position: &Position, color: Color, control: &Control<'_>) -> Root {
    let mut moves = sensible_moves(position, color, control);
    if moves.is_empty() || control.allows(Move::Pass) {
        moves.push(Move::Pass);
    }
    let mut last = position.moves().iter().rev().map(|&(_, mv)| action(mv));
    let last_two = [last.next(), last.next()].map(|found| found.unwrap_or(TreeAction(0)));
    Root {
        board: position.board().clone(),
        to_move: color,
        history: [last_two[1], last_two[0]],
        moves,
        white_bonus: position.white_bonus(),
        played: position.moves().len(),
    }
}

impl Engine for MctsPlayer {
    fn name(&self) -> &str {
        "go-mcts"
    }

    fn spec(&self) -> String {
        let params = self.params.spec();
        if params.is_empty() { "go-mcts".to_string() } else { format!("go-mcts:{params}") }
    }

    fn set_seed(&mut self, seed: Seed) {
        self.seed = seed;
        self.tree.clear();
    }

    fn choose(&mut self, position: &Position, color: Color, control: &mut Control<'_>) -> Choice {
        self.tree.clear();
        self.tabu.clear();
        let domain = domain(&self.params, &self.tabu, self.seed, position, color, control);
        let most = control.limits.playouts.unwrap_or(self.params.playouts);
        let start = control.clock.now();
        let mut remaining = |done: u64| {
            if (control.stop)() {
                return 0;
            }
            if let Some(time) = control.limits.time
                && control.clock.now() - start >= time
            {
                return 0;
            }
            most.saturating_sub(done)
        };
        let mut budget = Budget { remaining: &mut remaining, threads: self.params.threads, check_every: 16 };
        let outcome = self.tree.search(&domain, &mut budget);
        let report = self.report(position, color, &outcome.workers, outcome.playouts);
        (control.observer)(&report);
        let best = report.moves.first().map_or(Move::Pass, |best| best.mv);
        let hopeless = report.win_rate < f64::from(self.params.resign_below) && outcome.playouts >= 200;
        let action = if hopeless && control.may_resign { Action::Resign } else { Action::Move(best) };
        Choice { action, report }
    }
}

impl MctsPlayer {
    fn report(&self, position: &Position, color: Color, workers: &[Worker], playouts: u64) -> Report {
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        let total = workers.iter().map(|worker| worker.playouts).sum::<u64>().max(1) as f64;
        let score = sign * workers.iter().map(|worker| worker.score).sum::<f64>() / total;
        let owner = |point: Point| {
            let sum: i64 = workers.iter().map(|worker| i64::from(worker.ownership[point.index()])).sum();
            (sign * sum as f64 / total) as f32
        };
        let moves: Vec<MoveReport> = self
            .tree
            .children()
            .into_iter()
            .map(|child| MoveReport {
                mv: move_of(child.action),
                visits: child.visits.into(),
                win_rate: child.win_rate.into(),
                lower_bound: child.lower_bound.into(),
                score,
                prior: child.prior.into(),
                variation: child.variation.into_iter().map(move_of).collect(),
            })
            .collect();
        Report {
            win_rate: moves.first().map_or(0.5, |best| best.win_rate),
            score,
            moves,
            playouts,
            ownership: position.size().points().map(|point| (point, owner(point))).collect(),
        }
    }
}
