//! Which stones are dead at the end of a game, judged by random playouts.
//!
//! A chain is dead when its points end up with the other side in most playouts, whoever moves first. Games between
//! programs that play on until nothing is left to play are judged exactly; a live group whose eyes random play fills
//! in seki may be misjudged, which is why the arena can ask a referee instead.

use ishi_go::{Board, Color, Point, Position, playout};
use ishi_rng::Seed;

/// Playouts spent by default: a chain at the threshold has a standard error of 4 %.
pub const DEFAULT_PLAYOUTS: u32 = 600;

/// A stone that stays its colour in fewer playouts than this is dead.
const DEAD_BELOW: f64 = 0.35;

/// Mean ownership of every point over playouts from here, half of them with each side to move: -1 for White's,
/// 1 for Black's.
pub fn ownership(board: &Board, playouts: u32, seed: Seed) -> Vec<(Point, f64)> {
    let mut sums = vec![0; Point::INDICES];
    let mut scratch = board.clone();
    let mut rng = seed.stream("judge", board.hash());
    let limit = playout::default_limit(board);
    for n in 0..playouts {
        scratch.copy_from(board);
        let first = Color::ALL[n as usize % 2];
        playout::uniform(&mut scratch, first, limit, &mut rng);
        playout::add_ownership(&scratch, &mut sums);
    }
    let mean = |point: Point| f64::from(sums[point.index()]) / f64::from(playouts.max(1));
    board.size().points().map(|point| (point, mean(point))).collect()
}

/// The stones that are dead, row by row from A1.
pub fn dead_stones(position: &Position, playouts: u32, seed: Seed) -> Vec<Point> {
    let board = position.board();
    let mut owner = vec![0.0; Point::INDICES];
    for (point, mean) in ownership(board, playouts, seed) {
        owner[point.index()] = mean;
    }
    let mut dead = Vec::new();
    for chain in board.chains() {
        let Some(color) = board.color(chain.head()) else { continue };
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        let total: f64 = board.chain_stones(chain).map(|stone| sign * owner[stone.index()]).sum();
        // Ownership runs from -1 to 1, the share of playouts from 0 to 1.
        let alive = (total / board.chain_length(chain) as f64 + 1.0) / 2.0;
        if alive < DEAD_BELOW {
            dead.extend(board.chain_stones(chain));
        }
    }
    dead.sort_unstable();
    dead
}
