//! What a player may cost where strangers choose it, such as on a server: held against its text before anything is made.

use std::fmt;

/// Bytes of an entry of Othello's table.
const TABLE_ENTRY: u64 = 16;
/// Bytes that judging one more position at a time takes, generously.
const BATCH_POSITION: u64 = 1 << 20;

/// The most that one player may use. With all of it together a move must still end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerBudget {
    /// Threads that search.
    pub threads: u64,
    /// Bytes for trees and tables.
    pub memory: u64,
    /// Playouts for a move.
    pub playouts: u64,
    /// Positions that a network judges for a move. One takes as long as some twenty playouts.
    pub visits: u64,
    /// Positions that a search by knowledge looks at for a move.
    pub nodes: u64,
    /// Moves that are read for each playout.
    pub reading: u64,
    /// Moves of a playout at most, in boards.
    pub boards: u64,
    /// Length of the tabu queues of a leaf.
    pub tenure: u64,
    /// Plies that a search looks ahead.
    pub depth: u64,
    /// Empty squares from which on Othello is played perfectly.
    pub exact: u64,
    /// Empty squares from which on Othello is won if it can be.
    pub win_loss: u64,
}

/// Numbers among the parameters of players that hardly change what a move costs, whatever they are set to: weights, shares, chances, and what has narrow
/// bounds of its own (`level`, `rating`, `width`, `quiet`, `tabu-depth`). A test holds all players to this list and to [`PlayerBudget`].
pub const FREE_PARAMETERS: &[&str] = &[
    "amaf-fade",
    "amaf-horizon",
    "amaf-margin",
    "atari",
    "bias",
    "bias-growth",
    "confidence",
    "epsilon",
    "errs",
    "expand",
    "exploration",
    "final-share",
    "first-play",
    "fpu",
    "growth",
    "lcb-z",
    "lead-scale",
    "lead-share",
    "level",
    "lgrf",
    "mercy",
    "nakade",
    "prior",
    "prior-slope",
    "quiet",
    "rating",
    "rave-bias",
    "resign",
    "score-scale",
    "score-share",
    "self-atari",
    "settle-after",
    "shapes",
    "study-score-share",
    "tabu-depth",
    "temperature",
    "trust",
    "two-liberties",
    "virtual-loss",
    "widening",
    "widening-growth",
    "widening-visits",
    "width",
];

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
        if key == "by" {
            return write!(
                f,
                "by={value} is more than this server gives a player: the number must be at most {most}"
            );
        }
        write!(f, "{key}={value} is more than this server gives a player: {key} must be at most {most}")
    }
}

impl std::error::Error for OverBudget {}

impl PlayerBudget {
    /// Holds the parameters of a player's text against the budget. What is no number is left to the player to refuse.
    ///
    /// ```
    /// use ishi_engine::budget::PlayerBudget;
    /// let work = PlayerBudget { playouts: 100_000, visits: 5000, nodes: 50_000, reading: 100, boards: 4, ..PlayerBudget::default() };
    /// let budget = PlayerBudget { threads: 4, memory: 1 << 28, ..work };
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
            // `by=search-100`, a way to choose, has its visits behind the dash.
            let (most, number) = match value.strip_prefix("search-") {
                Some(visits) if key == "by" => (Some(self.visits), visits),
                _ => (self.most_of(key), value),
            };
            let (Some(most), Ok(number)) = (most, number.parse::<f64>()) else { continue };
            if number > most as f64 {
                return Err(OverBudget { key: key.to_string(), value: value.to_string(), most });
            }
        }
        Ok(())
    }

    /// The most that a parameter may be, if it costs anything.
    #[must_use]
    pub fn most_of(&self, key: &str) -> Option<u64> {
        Some(match key {
            "threads" => self.threads,
            "memory" => self.memory,
            "hash" => u64::from((self.memory / TABLE_ENTRY).max(1).ilog2()),
            "batch" => (self.memory / BATCH_POSITION).max(1),
            "playouts" | "problem-playouts" => self.playouts,
            "visits" => self.visits,
            "nodes" => self.nodes,
            "proofs" => self.reading,
            "limit" => self.boards,
            "tenure" => self.tenure,
            "depth" => self.depth,
            "exact" => self.exact,
            "win_loss" => self.win_loss,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: PlayerBudget = PlayerBudget {
        threads: 4,
        memory: 1 << 28,
        playouts: 100_000,
        visits: 5000,
        nodes: 50_000,
        reading: 100,
        boards: 4,
        tenure: 50,
        depth: 20,
        exact: 26,
        win_loss: 30,
    };

    #[test]
    fn what_is_within_the_budget_is_let_through() {
        for player in [
            "go-mcts",
            "go-flat:",
            "go-mcts:playouts=100000,threads=4,memory=268435456,rave-bias=0.01",
            "othello:level=20,hash=24,exact=26,win_loss=30",
            "go-mcts:proofs=100,limit=4,tenure=50",
            "go-rank:by=search-5000",
            "go-rank:by=people-1",
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
            ("othello:exact=60", "exact", 26),
            ("othello:win_loss=31", "win_loss", 30),
            ("othello:depth=60", "depth", 20),
            ("go-mcts:proofs=1000000", "proofs", 100),
            ("go-mcts:limit=100", "limit", 4),
            ("go-mcts:tenure=1000", "tenure", 50),
            ("go-knowledge:nodes=1000000", "nodes", 50_000),
            ("go-rank:by=search-1000000", "by", 5000),
            ("go-mcts:threads=256", "threads", 4),
            ("go-mcts:memory=17592186044416", "memory", 1 << 28),
            ("go-mcts:playouts=1e12", "playouts", 100_000),
            ("go-network:visits=99999999999999999999", "visits", 5000),
            ("go-network:batch=1024", "batch", 256),
            ("go-network: threads = 5", "threads", 4),
        ] {
            let error = BUDGET.check(player).unwrap_err();
            assert_eq!((error.key.as_str(), error.most), (key, most), "{player}");
        }
    }
}
