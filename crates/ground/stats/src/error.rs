//! Errors that name the argument, quote its value and say what would be right.

/// An argument out of range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid {argument} {value}: {expected}")]
pub struct StatsError {
    /// The name of the argument.
    pub argument: &'static str,
    /// The value that was given, as text.
    pub value: String,
    /// What would be right.
    pub expected: String,
}

impl StatsError {
    pub(crate) fn new(
        argument: &'static str,
        value: impl std::fmt::Display,
        expected: impl Into<String>,
    ) -> Self {
        StatsError { argument, value: value.to_string(), expected: expected.into() }
    }
}

/// Why the results do not give ratings.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RatingsError {
    /// A result names a player who is not on the list.
    #[error("invalid player {index} in result {result}: the list has {players} players, counted from 0")]
    UnknownPlayer {
        /// The number of the result in the list, counted from 0.
        result: usize,
        /// The index that was given.
        index: usize,
        /// How many players there are.
        players: usize,
    },
    /// A player met itself.
    #[error("invalid result {result}: {name:?} plays itself; a result needs two players")]
    SelfPlay {
        /// The number of the result in the list, counted from 0.
        result: usize,
        /// The player.
        name: String,
    },
    /// The anchor is not on the list of players.
    #[error("invalid anchor {index}: the list has {players} players, counted from 0")]
    UnknownAnchor {
        /// The index that was given.
        index: usize,
        /// How many players there are.
        players: usize,
    },
    /// Fewer than two players.
    #[error("{players} players are too few: ratings need at least two")]
    TooFewPlayers {
        /// How many players there are.
        players: usize,
    },
    /// The players fall into groups that never met; differences between the groups are unknown.
    #[error(
        "the players fall into groups without a game between them, {}: rate each group for itself, or play \
             games between them",
        quote_groups(groups)
    )]
    Disconnected {
        /// The groups, as names.
        groups: Vec<Vec<String>>,
    },
    /// Some players scored every point against all the others: their maximum likelihood rating is infinite.
    #[error(
        "{} won every game against the rest, so the ratings have no finite maximum: play more games, or \
             allow virtual draws",
        quote_names(players)
    )]
    OnlyWins {
        /// The players without a lost point outside their own group.
        players: Vec<String>,
    },
    /// Some players lost every point against all the others.
    #[error(
        "{} lost every game against the rest, so the ratings have no finite maximum: play more games, or \
             allow virtual draws",
        quote_names(players)
    )]
    OnlyLosses {
        /// The players without a won point outside their own group.
        players: Vec<String>,
    },
    /// The first-move advantage cannot be told from the differences between the players.
    #[error(
        "the first-move advantage cannot be told from the players' differences: swap colours, or leave it out"
    )]
    AdvantageConfounded,
    /// The first-move advantage (with the ratings) has no finite maximum, as when the first player wins always.
    #[error(
        "the first-move advantage has no finite maximum: play more games, allow virtual draws, or leave it out"
    )]
    AdvantageUnbounded,
    /// Newton's method did not settle, as with counts of billions to one.
    #[error("the ratings did not converge: the results are too one-sided for doubles; allow virtual draws")]
    NotConverged,
    /// A parameter is out of range.
    #[error(transparent)]
    Parameter(#[from] StatsError),
}

fn quote_names(names: &[String]) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

fn quote_groups(groups: &[Vec<String>]) -> String {
    groups.iter().map(|group| format!("[{}]", quote_names(group))).collect::<Vec<_>>().join(" and ")
}
