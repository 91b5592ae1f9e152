//! What a player may cost where strangers choose it, such as on a server: held against its text before anything is made.

use std::fmt;

/// Bytes of an entry of Othello's table.
const TABLE_ENTRY: u64 = 16;
/// Bytes that judging one more position at a time takes, generously.
const BATCH_POSITION: u64 = 1 << 20;

/// The most that one player may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerBudget {
    /// Threads that search.
    pub threads: u64,
    /// Bytes for trees and tables.
    pub memory: u64,
    /// Playouts, visits or positions for a move.
    pub positions: u64,
    /// Empty squares from which on Othello is played perfectly, and plies it looks ahead.
    pub depth: u64,
}

/// A parameter beyond a [`PlayerBudget`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverBudget {
    /// Its name.
    pub key: String,
    /// Its value as it was written.
    pub value: String,
    /// The most that it may be.
    pub most: u64,
}

impl fmt::Display for OverBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OverBudget { key, value, most } = self;
        write!(f, "{key}={value} is more than this server gives a player: {key} must be at most {most}")
    }
}

impl std::error::Error for OverBudget {}

impl PlayerBudget {
    /// Holds the parameters of a player's text against the budget. What is no number is left to the player to refuse.
    ///
    /// ```
    /// use ishi_engine::budget::PlayerBudget;
    /// let budget = PlayerBudget { threads: 4, memory: 1 << 28, positions: 100_000, depth: 30 };
    /// assert_eq!(budget.check("go-mcts:playouts=2000,threads=2"), Ok(()));
    /// let error = budget.check("othello:hash=30").unwrap_err();
    /// assert_eq!(error.to_string(), "hash=30 is more than this server gives a player: hash must be at most 24");
    /// ```
    ///
    /// # Errors
    /// Names the first parameter that is too large, and the most that it may be.
    pub fn check(&self, player: &str) -> Result<(), OverBudget> {
        let params = player.split_once(':').map_or("", |(_, params)| params);
        for part in params.split(',') {
            let Some((key, value)) = part.split_once('=') else { continue };
            let (key, value) = (key.trim(), value.trim());
            let (Some(most), Ok(number)) = (self.most_of(key), value.parse::<f64>()) else { continue };
            if number > most as f64 {
                return Err(OverBudget { key: key.to_string(), value: value.to_string(), most });
            }
        }
        Ok(())
    }

    /// The most that a parameter may be, if it costs anything.
    fn most_of(&self, key: &str) -> Option<u64> {
        Some(match key {
            "threads" => self.threads,
            "memory" => self.memory,
            "hash" => u64::from((self.memory / TABLE_ENTRY).max(1).ilog2()),
            "batch" => (self.memory / BATCH_POSITION).max(1),
            "playouts" | "visits" | "problem-playouts" => self.positions,
            "depth" | "exact" | "win_loss" => self.depth,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: PlayerBudget = PlayerBudget { threads: 4, memory: 1 << 28, positions: 100_000, depth: 30 };

    #[test]
    fn what_is_within_the_budget_is_let_through() {
        for player in [
            "go-mcts",
            "go-flat:",
            "go-mcts:playouts=100000,threads=4,memory=268435456,rave-bias=0.01",
            "othello:level=20,hash=24,exact=30",
            "go-network:visits=many,threads=-1",
            "go-network:threads",
        ] {
            assert_eq!(BUDGET.check(player), Ok(()), "{player}");
        }
    }

    #[test]
    fn what_is_beyond_it_is_named() {
        for (player, key, most) in [
            ("othello:hash=25", "hash", 24),
            ("othello:level=3,threads=5", "threads", 4),
            ("othello:exact=60", "exact", 30),
            ("go-mcts:threads=256", "threads", 4),
            ("go-mcts:memory=17592186044416", "memory", 1 << 28),
            ("go-mcts:playouts=1e12", "playouts", 100_000),
            ("go-network:visits=99999999999999999999", "visits", 100_000),
            ("go-network:batch=1024", "batch", 256),
            ("go-network: threads = 5", "threads", 4),
        ] {
            let error = BUDGET.check(player).unwrap_err();
            assert_eq!((error.key.as_str(), error.most), (key, most), "{player}");
        }
    }
}
