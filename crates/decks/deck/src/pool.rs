//! What is known of all pieces: made once, then shared by every request.

use std::collections::BTreeMap;

use ishi_words::{CodedError, CodedMessage, ErrorFacts, coded, facts};
use thiserror::Error;

use crate::table::{MAX_SCORE, PairScoreTable};

/// A piece of the pool, by its place in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PieceId(pub u32);

impl PieceId {
    /// The piece as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One piece (card, character).
///
/// ```
/// use ishi_deck::Piece;
/// let ant = Piece { name: "Ant".to_string(), costs: vec![3], ..Piece::default() };
/// assert_eq!((ant.score, ant.group), (0, None));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Piece {
    /// Its name, of which there is only one.
    pub name: String,
    /// What it costs of each of the pool's resources, 0 or more.
    pub costs: Vec<i64>,
    /// Its attributes, by their place in the pool's list.
    pub attributes: Vec<usize>,
    /// The group of pieces that count as the same, by its place in the pool's list.
    pub group: Option<usize>,
    /// Its own score in any deck, in units.
    pub score: i64,
    /// What it scores besides as the leader, in units.
    pub leader_score: i64,
}

/// Pieces that count as the same.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PieceGroup {
    /// Its name.
    pub name: String,
    /// At most so many of them in a deck.
    pub limit: usize,
}

/// All pieces with their scores.
///
/// ```
/// use ishi_deck::{PairScoreTable, Piece, Pool};
///
/// let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
/// let pool = Pool {
///     pieces: vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)],
///     resources: vec!["cost".to_string()],
///     attributes: Vec::new(),
///     groups: Vec::new(),
///     // Ant and Bee go well together, Bee and Cat still better.
///     pairs: PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]),
///     leaders: None,
///     units: 1.0,
/// };
/// assert_eq!(pool.check_parts(), Ok(()));
/// assert_eq!(pool.find_piece("Cat").map(|cat| pool.piece(cat).costs[0]), Some(4));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Pool {
    /// The pieces.
    pub pieces: Vec<Piece>,
    /// The names of what pieces cost, such as `cost`.
    pub resources: Vec<String>,
    /// The names of the attributes.
    pub attributes: Vec<String>,
    /// The groups.
    pub groups: Vec<PieceGroup>,
    /// The scores of pairs, in units; the same both ways. The diagonal is the score of two copies of a piece.
    pub pairs: PairScoreTable,
    /// The score of a leader (row) with another piece of its deck (column), in units, in place of their score as a pair. `None` where leaders
    /// score as other pieces do.
    pub leaders: Option<PairScoreTable>,
    /// Units in a score of 1, at least 1: scores are kept as whole numbers of units.
    pub units: f64,
}

/// Why a pool cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PoolError {
    /// A table is not of the pool's pieces.
    #[error("the {table} table is of {found} pieces, the pool has {pieces}")]
    Side {
        /// Which.
        table: &'static str,
        /// Its side.
        found: usize,
        /// The pool's pieces.
        pieces: usize,
    },
    /// Two pieces have one name.
    #[error("two pieces are called {0:?}")]
    Name(String),
    /// A piece has a cost too many or too few, a negative one, or an attribute or group that is not listed.
    #[error("piece {piece:?}: {what}")]
    Piece {
        /// Its name.
        piece: String,
        /// What is wrong.
        what: CodedMessage,
    },
    /// The pair table differs from its mirror image.
    #[error("the score of {0:?} and {1:?} is not the same both ways")]
    Asymmetric(String, String),
    /// A score is larger than the searches have room for.
    #[error("a score of {score} units is too large: at most {MAX_SCORE}")]
    Score {
        /// The largest.
        score: u64,
    },
    /// Units are below 1 or no number.
    #[error("{0} units in a score of 1: at least 1")]
    Units(String),
}

impl CodedError for PoolError {
    fn facts(&self) -> ErrorFacts {
        match self {
            PoolError::Side { table, found, pieces } => facts!["deck-table-side", table, found, pieces],
            PoolError::Name(name) => facts!["deck-same-name", name = format!("{name:?}")],
            PoolError::Piece { piece, what } => {
                facts!["deck-piece", piece = format!("{piece:?}"), reason = what.facts()]
            }
            PoolError::Asymmetric(first, second) => facts![
                "deck-pair-not-symmetric",
                first = format!("{first:?}"),
                second = format!("{second:?}")
            ],
            PoolError::Score { score } => facts!["deck-score-too-large", score, most = MAX_SCORE],
            PoolError::Units(units) => facts!["deck-units", units],
        }
    }
}

impl Pool {
    /// Does anything score? If not, all decks are worth 0.
    ///
    /// ```
    /// use ishi_deck::{PairScoreTable, Piece, Pool};
    /// let pieces = vec![Piece { name: "Ant".to_string(), ..Piece::default() }];
    /// let (resources, attributes, groups) = (Vec::new(), Vec::new(), Vec::new());
    /// let pairs = PairScoreTable::empty(1);
    /// let mut pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
    /// assert!(!pool.has_scores());
    /// pool.pieces[0].score = 2;
    /// assert!(pool.has_scores());
    /// ```
    #[must_use]
    pub fn has_scores(&self) -> bool {
        let tables = [Some(&self.pairs), self.leaders.as_ref()];
        self.pieces.iter().any(|piece| piece.score != 0 || piece.leader_score != 0)
            || tables.into_iter().flatten().any(|table| table.largest_magnitude() != 0)
    }

    /// Looks whether all parts fit together.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ishi_deck::{Deck, DeckRequest, PairScoreTable, Piece, Pool, Problem, Slot};
    /// # let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
    /// # let pieces = vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)];
    /// # let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
    /// # let (resources, attributes, groups) = (vec!["cost".to_string()], Vec::new(), Vec::new());
    /// # let pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
    /// let twice = Pool { pieces: vec![pool.pieces[0].clone(); 3], ..pool };
    /// assert_eq!(twice.check_parts(), Err(ishi_deck::PoolError::Name("Ant".to_string())));
    /// ```
    ///
    /// # Errors
    /// The first thing that does not.
    pub fn check_parts(&self) -> Result<(), PoolError> {
        let pieces = self.pieces.len();
        let tables = [("pair", Some(&self.pairs)), ("leader", self.leaders.as_ref())];
        for (table, found) in tables.into_iter().filter_map(|(name, table)| Some((name, table?.side()))) {
            if found != pieces {
                return Err(PoolError::Side { table, found, pieces });
            }
        }
        if !(self.units >= 1.0 && self.units.is_finite()) {
            return Err(PoolError::Units(self.units.to_string()));
        }
        let mut names = BTreeMap::new();
        for (at, piece) in self.pieces.iter().enumerate() {
            if names.insert(piece.name.as_str(), at).is_some() {
                return Err(PoolError::Name(piece.name.clone()));
            }
            if let Some(what) = self.find_piece_fault(piece) {
                return Err(PoolError::Piece { piece: piece.name.clone(), what });
            }
        }
        self.check_scores()
    }

    fn find_piece_fault(&self, piece: &Piece) -> Option<CodedMessage> {
        let (costs, resources) = (piece.costs.len(), self.resources.len());
        if costs != resources {
            return Some(coded![
                "deck-piece-costs",
                "{costs} costs, but there are {resources} resources",
                costs,
                resources
            ]);
        }
        if let Some(cost) = piece.costs.iter().find(|&&cost| !(0..=i64::from(MAX_SCORE)).contains(&cost)) {
            return Some(coded![
                "deck-piece-cost",
                "a cost of {cost}: costs must be 0 to {most}",
                cost,
                most = MAX_SCORE
            ]);
        }
        if let Some(at) = piece.attributes.iter().find(|&&at| at >= self.attributes.len()) {
            return Some(coded![
                "deck-piece-attribute",
                "attribute {at}, but there are {attributes}",
                at,
                attributes = self.attributes.len()
            ]);
        }
        let group = piece.group.filter(|&group| group >= self.groups.len())?;
        Some(coded![
            "deck-piece-group",
            "group {group}, but there are {groups}",
            group,
            groups = self.groups.len()
        ])
    }

    fn check_scores(&self) -> Result<(), PoolError> {
        let tables = [Some(&self.pairs), self.leaders.as_ref()];
        let largest = tables.into_iter().flatten().map(|table| u64::from(table.largest_magnitude()));
        let own = self.pieces.iter().flat_map(|piece| [piece.score, piece.leader_score]);
        let score = largest.chain(own.map(i64::unsigned_abs)).max().unwrap_or(0);
        if score > MAX_SCORE as u64 {
            return Err(PoolError::Score { score });
        }
        for row in 0..self.pieces.len() {
            let wrong =
                self.pairs.nonzero_entries(row).find(|&(column, score)| self.pairs.get(column, row) != score);
            if let Some((column, _)) = wrong {
                let name = |at: usize| self.pieces[at].name.clone();
                return Err(PoolError::Asymmetric(name(row), name(column)));
            }
        }
        Ok(())
    }

    /// The piece of this name.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ishi_deck::{Deck, DeckRequest, PairScoreTable, Piece, Pool, Problem, Slot};
    /// # let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
    /// # let pieces = vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)];
    /// # let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
    /// # let (resources, attributes, groups) = (vec!["cost".to_string()], Vec::new(), Vec::new());
    /// # let pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
    /// use ishi_deck::PieceId;
    /// assert_eq!(pool.find_piece("Bee"), Some(PieceId(1)));
    /// assert_eq!(pool.find_piece("Dog"), None);
    /// ```
    #[must_use]
    pub fn find_piece(&self, name: &str) -> Option<PieceId> {
        self.pieces.iter().position(|piece| piece.name == name).map(|at| PieceId(at as u32))
    }

    /// A piece.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ishi_deck::{Deck, DeckRequest, PairScoreTable, Piece, Pool, Problem, Slot};
    /// # let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
    /// # let pieces = vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)];
    /// # let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
    /// # let (resources, attributes, groups) = (vec!["cost".to_string()], Vec::new(), Vec::new());
    /// # let pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
    /// assert_eq!(pool.piece(ishi_deck::PieceId(1)).name, "Bee");
    /// ```
    ///
    /// # Panics
    /// If there is none with this number.
    #[must_use]
    pub fn piece(&self, id: PieceId) -> &Piece {
        &self.pieces[id.index()]
    }

    /// Units as a score.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ishi_deck::{Deck, DeckRequest, PairScoreTable, Piece, Pool, Problem, Slot};
    /// # let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
    /// # let pieces = vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)];
    /// # let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
    /// # let (resources, attributes, groups) = (vec!["cost".to_string()], Vec::new(), Vec::new());
    /// # let pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
    /// let fine = Pool { units: 1000.0, ..pool };
    /// assert_eq!(fine.score_of_units(2500), 2.5);
    /// ```
    #[must_use]
    pub fn score_of_units(&self, units: i64) -> f64 {
        units as f64 / self.units
    }
}
