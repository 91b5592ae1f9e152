//! A pool and a request together: what searches, bounds and models work on.
//!
//! The variables are [`Slot`]s: one for each copy of each piece that may be in the deck. Slots of copies of one piece are neighbours
//! and interchangeable.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::pool::{PieceId, Pool};
use crate::request::{DeckRequest, LeaderRule, MAX_LIMIT, MAX_QUOTAS, RequestError};

/// One copy of a piece that may be chosen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Slot(pub u32);

impl Slot {
    /// The slot as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A deck: slots in ascending order, and which of them leads.
///
/// ```
/// use ishi_deck::{Deck, Slot};
/// assert_eq!(Deck::new(vec![Slot(4), Slot(1)], None).slots, [Slot(1), Slot(4)]);
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::documents::DeckDocument"))]
pub struct Deck {
    /// All slots, the leader's among them.
    pub slots: Vec<Slot>,
    /// The leader, where there is one.
    pub leader: Option<Slot>,
}

impl Deck {
    /// Sorts the slots.
    ///
    /// ```
    /// use ishi_deck::{Deck, Slot};
    /// let deck = Deck::new(vec![Slot(4), Slot(1)], Some(Slot(4)));
    /// assert_eq!((deck.slots, deck.leader), (vec![Slot(1), Slot(4)], Some(Slot(4))));
    /// ```
    #[must_use]
    pub fn new(mut slots: Vec<Slot>, leader: Option<Slot>) -> Deck {
        slots.sort_unstable();
        Deck { slots, leader }
    }
}

/// A quota over slots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlotQuota {
    /// The attribute, by its place in the pool's list.
    pub attribute: usize,
    /// Which slots have it.
    pub members: Vec<bool>,
    /// At least so many.
    pub at_least: usize,
    /// At most so many; the largest deck where nothing was said.
    pub at_most: usize,
}

impl SlotQuota {
    /// At least and at most so many of a deck's pieces, which are no more than `most`. A quota may ask for more than any whole number of a search holds.
    pub(crate) fn bounds_in_deck(&self, most: usize) -> (i64, i64) {
        (self.at_least.min(most + 1) as i64, self.at_most.min(most) as i64)
    }
}

/// A pool and a request that fit together.
///
/// ```
/// # use std::sync::Arc;
/// # use ishi_deck::{Deck, DeckRequest, PairScoreTable, Piece, Pool, Problem, Slot};
/// # let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
/// # let pieces = vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)];
/// # let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
/// # let (resources, attributes, groups) = (vec!["cost".to_string()], Vec::new(), Vec::new());
/// # let pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
/// let request = DeckRequest { limits: vec![Some(4)], ..DeckRequest::with_size(2..=2, 1) };
/// let problem = Problem::new(Arc::new(pool), &request).unwrap();
/// assert_eq!((problem.len(), problem.limits()), (3, &[Some(4)][..]));
/// // The slots are in the order of the pool: Ant, Bee, Cat.
/// let deck = Deck::new(vec![Slot(0), Slot(1)], None);
/// assert_eq!((problem.deck_value(&deck), problem.deck_cost(&deck, 0)), (1 + 1 + 5, 3));
/// assert_eq!(problem.check_deck(&deck), Ok(()));
/// ```
#[derive(Clone, Debug)]
pub struct Problem {
    pool: Arc<Pool>,
    pieces: Vec<PieceId>,
    size: RangeInclusive<usize>,
    limits: Vec<Option<i64>>,
    quotas: Vec<SlotQuota>,
    fixed: Vec<Slot>,
    is_fixed: Vec<bool>,
    leaders: Option<Vec<Slot>>,
}

/// How a deck breaks a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DeckViolation {
    /// A slot twice, out of order, or one that there is not.
    Slots,
    /// Too many or too few pieces.
    Size(usize),
    /// A resource (by its place) is overspent.
    Cost(usize, i64),
    /// A group (by its place) has too many pieces.
    Group(usize, usize),
    /// A quota (by its place) is not kept.
    Quota(usize, usize),
    /// A fixed slot is missing.
    Fixed(Slot),
    /// The leader is missing, not in the deck, not one that may lead, or there should be none.
    Leader,
}

impl fmt::Display for DeckViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeckViolation::Slots => write!(f, "a piece is named twice, or there is no such piece"),
            DeckViolation::Size(size) => write!(f, "{size} pieces"),
            DeckViolation::Cost(resource, cost) => write!(f, "resource {resource}: it costs {cost}"),
            DeckViolation::Group(group, count) => write!(f, "group {group}: {count} pieces"),
            DeckViolation::Quota(quota, count) => write!(f, "quota {quota}: {count} pieces"),
            DeckViolation::Fixed(slot) => write!(f, "fixed slot {} is missing", slot.0),
            DeckViolation::Leader => write!(f, "the leader"),
        }
    }
}

impl Problem {
    /// Puts the request to the pool. Slots are in the order of the pool; of a piece with copies, no more slots are made than
    /// a deck can hold.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ishi_deck::{Deck, DeckRequest, PairScoreTable, Piece, Pool, Problem, Slot};
    /// # let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
    /// # let pieces = vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)];
    /// # let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
    /// # let (resources, attributes, groups) = (vec!["cost".to_string()], Vec::new(), Vec::new());
    /// # let pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
    /// let pool = Arc::new(pool);
    /// let error = Problem::new(Arc::clone(&pool), &DeckRequest::with_size(2..=2, 5)).unwrap_err();
    /// assert_eq!(error, ishi_deck::RequestError::Limits { limits: 5, resources: 1 });
    /// let request = DeckRequest { limits: vec![Some(i64::MIN)], ..DeckRequest::with_size(2..=2, 1) };
    /// let error = Problem::new(pool, &request).unwrap_err();
    /// assert!(error.to_string().ends_with("must be from -1152921504606846976 to 1152921504606846976"));
    /// ```
    ///
    /// # Errors
    /// If the request makes no sense for the pool. That there is a deck at all is not looked at.
    pub fn new(pool: Arc<Pool>, request: &DeckRequest) -> Result<Problem, RequestError> {
        let (least, most) = (*request.size.start(), *request.size.end());
        if most == 0 || least > most {
            return Err(RequestError::Size { least, most });
        }
        if request.limits.len() != pool.resources.len() {
            let (limits, resources) = (request.limits.len(), pool.resources.len());
            return Err(RequestError::Limits { limits, resources });
        }
        let is_too_large = |limit: &i64| !(-MAX_LIMIT..=MAX_LIMIT).contains(limit);
        if let Some(limit) = request.limits.iter().flatten().copied().find(is_too_large) {
            return Err(RequestError::LimitTooLarge(limit));
        }
        if request.quotas.len() > MAX_QUOTAS {
            return Err(RequestError::Quotas(request.quotas.len()));
        }
        let copies = count_copies(&pool, request, most)?;
        let mut pieces = Vec::new();
        let mut fixed = Vec::new();
        for (at, &(owned, fix)) in copies.iter().enumerate() {
            fixed.extend((0..fix).map(|copy| Slot((pieces.len() + copy) as u32)));
            pieces.extend(std::iter::repeat_n(PieceId(at as u32), owned));
        }
        let mut is_fixed = vec![false; pieces.len()];
        for slot in &fixed {
            is_fixed[slot.index()] = true;
        }
        let quotas = slot_quotas(&pool, request, &pieces, most)?;
        let leaders = find_leader_slots(&pool, request, &pieces)?;
        let (size, limits) = (request.size.clone(), request.limits.clone());
        Ok(Problem { pool, pieces, size, limits, quotas, fixed, is_fixed, leaders })
    }

    /// With one more quota, over any slots: at least and at most so many of those that are members. Its attribute has this name and is the last of
    /// a copy of the pool, where no piece has it.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ishi_deck::{Deck, DeckRequest, PairScoreTable, Piece, Pool, Problem, Slot};
    /// # let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
    /// # let pieces = vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)];
    /// # let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
    /// # let (resources, attributes, groups) = (vec!["cost".to_string()], Vec::new(), Vec::new());
    /// # let pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
    /// # let request = DeckRequest { limits: vec![Some(4)], ..DeckRequest::with_size(2..=2, 1) };
    /// # let problem = Problem::new(Arc::new(pool), &request).unwrap();
    /// // Of the first two, at most one.
    /// let other = problem.with_quota("first", vec![true, true, false], 0, 1);
    /// assert_eq!(other.check_deck(&Deck::new(vec![Slot(0), Slot(1)], None)), Err(ishi_deck::DeckViolation::Quota(0, 2)));
    /// ```
    ///
    /// # Panics
    /// If there are more or fewer members than slots.
    #[must_use]
    pub fn with_quota(&self, name: &str, members: Vec<bool>, at_least: usize, at_most: usize) -> Problem {
        assert_eq!(members.len(), self.len(), "a member or not for each slot");
        let mut problem = self.clone();
        let mut pool = Pool::clone(&self.pool);
        pool.attributes.push(name.to_string());
        let attribute = pool.attributes.len() - 1;
        problem.pool = Arc::new(pool);
        problem.quotas.push(SlotQuota { attribute, members, at_least, at_most });
        problem
    }

    /// The problem without its quotas.
    #[must_use]
    pub fn without_quotas(&self) -> Problem {
        Problem { quotas: Vec::new(), ..self.clone() }
    }

    /// The pool.
    #[must_use]
    pub fn pool(&self) -> &Arc<Pool> {
        &self.pool
    }

    /// How many slots there are to choose from.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Is there nothing to choose from?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// All slots.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ishi_deck::{Deck, DeckRequest, PairScoreTable, Piece, Pool, Problem, Slot};
    /// # let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
    /// # let pieces = vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)];
    /// # let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
    /// # let (resources, attributes, groups) = (vec!["cost".to_string()], Vec::new(), Vec::new());
    /// # let pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
    /// # let request = DeckRequest { limits: vec![Some(4)], ..DeckRequest::with_size(2..=2, 1) };
    /// # let problem = Problem::new(Arc::new(pool), &request).unwrap();
    /// let cost = |slot: Slot| problem.costs(slot)[0];
    /// assert_eq!(problem.slots().map(cost).collect::<Vec<_>>(), [1, 2, 4]);
    /// ```
    pub fn slots(&self) -> impl Iterator<Item = Slot> + use<> {
        (0..self.pieces.len() as u32).map(Slot)
    }

    /// The piece of a slot.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ishi_deck::{Deck, DeckRequest, PairScoreTable, Piece, Pool, Problem, Slot};
    /// # let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
    /// # let pieces = vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)];
    /// # let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
    /// # let (resources, attributes, groups) = (vec!["cost".to_string()], Vec::new(), Vec::new());
    /// # let pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
    /// # let request = DeckRequest { limits: vec![Some(4)], ..DeckRequest::with_size(2..=2, 1) };
    /// # let problem = Problem::new(Arc::new(pool), &request).unwrap();
    /// let request = DeckRequest { owned: Some(vec![(ishi_deck::PieceId(2), 2)]), ..request };
    /// let twins = Problem::new(problem.pool().clone(), &request).unwrap();
    /// // Two copies of one piece are two slots.
    /// assert_eq!((twins.len(), twins.piece_of(Slot(0))), (2, twins.piece_of(Slot(1))));
    /// ```
    #[must_use]
    pub fn piece_of(&self, slot: Slot) -> PieceId {
        self.pieces[slot.index()]
    }

    /// The pieces of all slots, by slot.
    #[must_use]
    pub fn pieces(&self) -> &[PieceId] {
        &self.pieces
    }

    /// The name of a slot's piece.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ishi_deck::{Deck, DeckRequest, PairScoreTable, Piece, Pool, Problem, Slot};
    /// # let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
    /// # let pieces = vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)];
    /// # let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
    /// # let (resources, attributes, groups) = (vec!["cost".to_string()], Vec::new(), Vec::new());
    /// # let pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
    /// # let request = DeckRequest { limits: vec![Some(4)], ..DeckRequest::with_size(2..=2, 1) };
    /// # let problem = Problem::new(Arc::new(pool), &request).unwrap();
    /// assert_eq!(problem.piece_name(Slot(2)), "Cat");
    /// ```
    #[must_use]
    pub fn piece_name(&self, slot: Slot) -> &str {
        &self.pool.piece(self.piece_of(slot)).name
    }

    /// Pieces of a deck, the leader among them.
    #[must_use]
    pub fn size(&self) -> RangeInclusive<usize> {
        self.size.clone()
    }

    /// What a slot scores in any deck, in units.
    #[must_use]
    pub fn slot_score(&self, slot: Slot) -> i64 {
        self.pool.piece(self.piece_of(slot)).score
    }

    /// What a slot scores besides as the leader, in units.
    #[must_use]
    pub fn leader_score(&self, slot: Slot) -> i64 {
        self.pool.piece(self.piece_of(slot)).leader_score
    }

    /// The score of a pair, in units.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ishi_deck::{Deck, DeckRequest, PairScoreTable, Piece, Pool, Problem, Slot};
    /// # let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
    /// # let pieces = vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)];
    /// # let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
    /// # let (resources, attributes, groups) = (vec!["cost".to_string()], Vec::new(), Vec::new());
    /// # let pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
    /// # let request = DeckRequest { limits: vec![Some(4)], ..DeckRequest::with_size(2..=2, 1) };
    /// # let problem = Problem::new(Arc::new(pool), &request).unwrap();
    /// assert_eq!(problem.pair_score(Slot(1), Slot(2)), 9);
    /// assert_eq!(problem.pair_score(Slot(0), Slot(2)), 0);
    /// ```
    #[must_use]
    pub fn pair_score(&self, a: Slot, b: Slot) -> i32 {
        self.pool.pairs.get(self.piece_of(a).index(), self.piece_of(b).index())
    }

    /// The score of a leader with another slot, in units.
    #[must_use]
    pub fn leader_pair_score(&self, leader: Slot, other: Slot) -> i32 {
        let table = self.pool.leaders.as_ref().unwrap_or(&self.pool.pairs);
        table.get(self.piece_of(leader).index(), self.piece_of(other).index())
    }

    /// What a slot costs of each resource.
    #[must_use]
    pub fn costs(&self, slot: Slot) -> &[i64] {
        &self.pool.piece(self.piece_of(slot)).costs
    }

    /// What a deck may cost of each resource.
    #[must_use]
    pub fn limits(&self) -> &[Option<i64>] {
        &self.limits
    }

    /// The group of a slot.
    #[must_use]
    pub fn group(&self, slot: Slot) -> Option<usize> {
        self.pool.piece(self.piece_of(slot)).group
    }

    /// How many pieces of a group a deck may have.
    #[must_use]
    pub fn group_limit(&self, group: usize) -> usize {
        self.pool.groups[group].limit
    }

    /// The quotas.
    #[must_use]
    pub fn quotas(&self) -> &[SlotQuota] {
        &self.quotas
    }

    /// The slots that every deck has.
    #[must_use]
    pub fn fixed(&self) -> &[Slot] {
        &self.fixed
    }

    /// Has every deck this slot?
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ishi_deck::{Deck, DeckRequest, PairScoreTable, Piece, Pool, Problem, Slot};
    /// # let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
    /// # let pieces = vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)];
    /// # let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
    /// # let (resources, attributes, groups) = (vec!["cost".to_string()], Vec::new(), Vec::new());
    /// # let pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
    /// # let request = DeckRequest { limits: vec![Some(4)], ..DeckRequest::with_size(2..=2, 1) };
    /// # let problem = Problem::new(Arc::new(pool), &request).unwrap();
    /// let request = DeckRequest { fixed: vec![ishi_deck::PieceId(0)], ..request };
    /// let problem = Problem::new(problem.pool().clone(), &request).unwrap();
    /// assert!(problem.is_fixed(Slot(0)) && !problem.is_fixed(Slot(1)));
    /// assert_eq!(problem.fixed(), [Slot(0)]);
    /// ```
    #[must_use]
    pub fn is_fixed(&self, slot: Slot) -> bool {
        self.is_fixed[slot.index()]
    }

    /// The slots that may lead; `None` where nobody leads. Of a piece with copies only the first copy is listed.
    #[must_use]
    pub fn leaders(&self) -> Option<&[Slot]> {
        self.leaders.as_deref()
    }

    /// The value of a deck, in units, whether it keeps the rules or not.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ishi_deck::{Deck, DeckRequest, PairScoreTable, Piece, Pool, Problem, Slot};
    /// # let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
    /// # let pieces = vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)];
    /// # let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
    /// # let (resources, attributes, groups) = (vec!["cost".to_string()], Vec::new(), Vec::new());
    /// # let pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
    /// # let request = DeckRequest { limits: vec![Some(4)], ..DeckRequest::with_size(2..=2, 1) };
    /// # let problem = Problem::new(Arc::new(pool), &request).unwrap();
    /// assert_eq!(problem.deck_value(&Deck::new(vec![Slot(1), Slot(2)], None)), 1 + 1 + 9);
    /// ```
    #[must_use]
    pub fn deck_value(&self, deck: &Deck) -> i64 {
        let mut value: i64 = deck.slots.iter().map(|&slot| self.slot_score(slot)).sum();
        value += deck.leader.map_or(0, |leader| self.leader_score(leader));
        for (at, &a) in deck.slots.iter().enumerate() {
            for &b in &deck.slots[at + 1..] {
                value += i64::from(match deck.leader {
                    Some(leader) if leader == a => self.leader_pair_score(a, b),
                    Some(leader) if leader == b => self.leader_pair_score(b, a),
                    _ => self.pair_score(a, b),
                });
            }
        }
        value
    }

    /// What a deck costs of a resource.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ishi_deck::{Deck, DeckRequest, PairScoreTable, Piece, Pool, Problem, Slot};
    /// # let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
    /// # let pieces = vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)];
    /// # let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
    /// # let (resources, attributes, groups) = (vec!["cost".to_string()], Vec::new(), Vec::new());
    /// # let pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
    /// # let request = DeckRequest { limits: vec![Some(4)], ..DeckRequest::with_size(2..=2, 1) };
    /// # let problem = Problem::new(Arc::new(pool), &request).unwrap();
    /// assert_eq!(problem.deck_cost(&Deck::new(vec![Slot(1), Slot(2)], None), 0), 2 + 4);
    /// ```
    #[must_use]
    pub fn deck_cost(&self, deck: &Deck, resource: usize) -> i64 {
        deck.slots.iter().map(|&slot| self.costs(slot)[resource]).sum()
    }

    /// Does the deck keep all rules?
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use ishi_deck::{Deck, DeckRequest, PairScoreTable, Piece, Pool, Problem, Slot};
    /// # let piece = |name: &str, cost| Piece { name: name.to_string(), costs: vec![cost], score: 1, ..Piece::default() };
    /// # let pieces = vec![piece("Ant", 1), piece("Bee", 2), piece("Cat", 4)];
    /// # let pairs = PairScoreTable::from_symmetric_entries(3, &[(0, 1, 5), (1, 2, 9)]);
    /// # let (resources, attributes, groups) = (vec!["cost".to_string()], Vec::new(), Vec::new());
    /// # let pool = Pool { pieces, resources, attributes, groups, pairs, leaders: None, units: 1.0 };
    /// # let request = DeckRequest { limits: vec![Some(4)], ..DeckRequest::with_size(2..=2, 1) };
    /// # let problem = Problem::new(Arc::new(pool), &request).unwrap();
    /// use ishi_deck::DeckViolation;
    /// assert_eq!(problem.check_deck(&Deck::new(vec![Slot(0), Slot(1)], None)), Ok(()));
    /// let dear = Deck::new(vec![Slot(1), Slot(2)], None);
    /// assert_eq!(problem.check_deck(&dear), Err(DeckViolation::Cost(0, 6)));
    /// ```
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn check_deck(&self, deck: &Deck) -> Result<(), DeckViolation> {
        let slots = &deck.slots;
        let known = slots.iter().all(|slot| slot.index() < self.len());
        if !known || !slots.is_sorted_by(|a, b| a < b) {
            return Err(DeckViolation::Slots);
        }
        if !self.size.contains(&slots.len()) {
            return Err(DeckViolation::Size(slots.len()));
        }
        for (resource, limit) in self.limits.iter().enumerate() {
            let cost = self.deck_cost(deck, resource);
            if limit.is_some_and(|limit| cost > limit) {
                return Err(DeckViolation::Cost(resource, cost));
            }
        }
        let mut counts = vec![0; self.pool.groups.len()];
        for group in slots.iter().filter_map(|&slot| self.group(slot)) {
            counts[group] += 1;
        }
        if let Some(group) = (0..counts.len()).find(|&group| counts[group] > self.group_limit(group)) {
            return Err(DeckViolation::Group(group, counts[group]));
        }
        for (at, quota) in self.quotas.iter().enumerate() {
            let count = slots.iter().filter(|slot| quota.members[slot.index()]).count();
            if !(quota.at_least..=quota.at_most).contains(&count) {
                return Err(DeckViolation::Quota(at, count));
            }
        }
        if let Some(&slot) = self.fixed.iter().find(|slot| slots.binary_search(slot).is_err()) {
            return Err(DeckViolation::Fixed(slot));
        }
        self.check_leader(deck)
    }

    fn check_leader(&self, deck: &Deck) -> Result<(), DeckViolation> {
        let fine = match (&self.leaders, deck.leader) {
            (None, None) => true,
            (Some(leaders), Some(leader)) => {
                let piece = |slot: &Slot| self.pieces.get(slot.index());
                deck.slots.contains(&leader) && leaders.iter().any(|slot| piece(slot) == piece(&leader))
            }
            _ => false,
        };
        if fine { Ok(()) } else { Err(DeckViolation::Leader) }
    }
}

/// How many copies of each piece may be in a deck, and how many must.
fn count_copies(
    pool: &Pool,
    request: &DeckRequest,
    most: usize,
) -> Result<Vec<(usize, usize)>, RequestError> {
    let all = pool.pieces.len();
    let known =
        |id: PieceId| if id.index() < all { Ok(id.index()) } else { Err(RequestError::NoPiece(id.0)) };
    let mut copies = vec![(usize::from(request.owned.is_none()), 0); all];
    for &(id, count) in request.owned.iter().flatten() {
        copies[known(id)?].0 += count;
    }
    for &id in &request.fixed {
        copies[known(id)?].1 += 1;
    }
    for &id in &request.banned {
        let (owned, fixed) = &mut copies[known(id)?];
        if *fixed > 0 {
            return Err(RequestError::FixedAndBanned(pool.piece(id).name.clone()));
        }
        *owned = 0;
    }
    for (at, (owned, fixed)) in copies.iter_mut().enumerate() {
        if fixed > owned {
            let piece = pool.pieces[at].name.clone();
            return Err(RequestError::NotOwned { piece, fixed: *fixed, owned: *owned });
        }
        let limit = pool.pieces[at].group.map_or(most, |group| pool.groups[group].limit.min(most));
        *owned = (*owned).min(limit.max(*fixed));
    }
    Ok(copies)
}

fn slot_quotas(
    pool: &Pool,
    request: &DeckRequest,
    pieces: &[PieceId],
    most: usize,
) -> Result<Vec<SlotQuota>, RequestError> {
    let quota = |quota: &crate::request::AttributeQuota| {
        let attribute = quota.attribute;
        if attribute >= pool.attributes.len() {
            return Err(RequestError::NoAttribute(attribute));
        }
        let members = pieces.iter().map(|&id| pool.piece(id).attributes.contains(&attribute)).collect();
        let at_most = quota.at_most.unwrap_or(most).min(most);
        Ok(SlotQuota { attribute, members, at_least: quota.at_least, at_most })
    };
    request.quotas.iter().map(quota).collect()
}

fn find_leader_slots(
    pool: &Pool,
    request: &DeckRequest,
    pieces: &[PieceId],
) -> Result<Option<Vec<Slot>>, RequestError> {
    let may_lead = |id: PieceId| match &request.leader {
        LeaderRule::None => false,
        LeaderRule::Any => true,
        LeaderRule::OneOf(ids) => ids.contains(&id),
    };
    if let LeaderRule::OneOf(ids) = &request.leader
        && let Some(id) = ids.iter().find(|id| id.index() >= pool.pieces.len())
    {
        return Err(RequestError::NoPiece(id.0));
    }
    if request.leader == LeaderRule::None {
        return Ok(None);
    }
    let first = |at: usize| at == 0 || pieces[at] != pieces[at - 1];
    let leaders: Vec<Slot> =
        (0..pieces.len()).filter(|&at| first(at) && may_lead(pieces[at])).map(|at| Slot(at as u32)).collect();
    if leaders.is_empty() { Err(RequestError::NoLeader) } else { Ok(Some(leaders)) }
}
