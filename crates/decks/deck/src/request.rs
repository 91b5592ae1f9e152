//! What is wanted of a deck.

use std::ops::RangeInclusive;

use ishi_words::{CodedError, ErrorFacts, facts};
use thiserror::Error;

use crate::pool::PieceId;

/// The most quotas of a request.
pub const MAX_QUOTAS: usize = 64;

/// The largest limit of a resource, and its opposite the least: no sum of costs overflows beside it.
pub const MAX_LIMIT: i64 = 1 << 60;

/// How many pieces of an attribute a deck has.
///
/// ```
/// use ishi_deck::{AttributeQuota, DeckRequest};
/// let mut request = DeckRequest::with_size(10..=12, 1);
/// request.quotas.push(AttributeQuota { attribute: 0, at_least: 4, at_most: None });
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AttributeQuota {
    /// The attribute, by its place in the pool's list.
    pub attribute: usize,
    /// At least so many.
    pub at_least: usize,
    /// At most so many.
    pub at_most: Option<usize>,
}

/// So many pieces of one attribute make a deck one of that attribute, as in the article (デッキ属性制約: the sum over God is at least 10).
pub const ATTRIBUTE_COUNT: usize = 10;

/// The attribute of a deck, as the article's game has it: God, Demon, Dragon, mixed, or none in particular (section オススメ編成).
///
/// The article gives the rule for one attribute, at least [`ATTRIBUTE_COUNT`] pieces of it, and none for mixed decks. Here a deck is mixed if it
/// is of no single attribute: it has fewer than [`ATTRIBUTE_COUNT`] pieces of each. Where every piece has one attribute, every deck of
/// 16 is then of exactly one kind.
///
/// ```
/// use ishi_deck::request::DeckAttribute;
/// assert_eq!(DeckAttribute::Of(1).to_quotas(3)[0].at_least, 10);
/// assert!(DeckAttribute::Mixed.to_quotas(3).iter().all(|quota| quota.at_most == Some(9)));
/// assert!(DeckAttribute::Any.to_quotas(3).is_empty());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DeckAttribute {
    /// Any deck will do.
    #[default]
    Any,
    /// At least ten pieces of this attribute, by its place in the pool's list.
    Of(usize),
    /// At most nine pieces of each attribute of the pool.
    Mixed,
}

impl DeckAttribute {
    /// The rule as quotas for a pool with so many attributes.
    ///
    /// ```
    /// use ishi_deck::request::DeckAttribute;
    /// let quotas = DeckAttribute::Mixed.to_quotas(3);
    /// assert_eq!((quotas.len(), quotas[2].attribute, quotas[2].at_most), (3, 2, Some(9)));
    /// ```
    #[must_use]
    pub fn to_quotas(self, attributes: usize) -> Vec<AttributeQuota> {
        match self {
            DeckAttribute::Any => Vec::new(),
            DeckAttribute::Of(attribute) => {
                vec![AttributeQuota { attribute, at_least: ATTRIBUTE_COUNT, at_most: None }]
            }
            DeckAttribute::Mixed => (0..attributes)
                .map(|attribute| AttributeQuota {
                    attribute,
                    at_least: 0,
                    at_most: Some(ATTRIBUTE_COUNT - 1),
                })
                .collect(),
        }
    }
}

/// Who leads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum LeaderRule {
    /// Nobody: all pairs score alike.
    #[default]
    None,
    /// Whoever is best; one of the deck's pieces leads.
    Any,
    /// The best of these.
    OneOf(Vec<PieceId>),
}

/// What is wanted.
///
/// ```
/// use ishi_deck::{DeckRequest, LeaderRule, PieceId};
/// // Sixteen pieces that cost no more than 200. Number 7 is among them, and whoever is best leads.
/// let request = DeckRequest {
///     limits: vec![Some(200)],
///     leader: LeaderRule::Any,
///     fixed: vec![PieceId(7)],
///     ..DeckRequest::with_size(16..=16, 1)
/// };
/// assert!(request.owned.is_none(), "one copy of every piece");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DeckRequest {
    /// Pieces of a deck, the leader among them.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::documents::read_size"))]
    pub size: RangeInclusive<usize>,
    /// What a deck may cost of each resource; `None` where that does not matter. As many as the pool has resources.
    pub limits: Vec<Option<i64>>,
    /// Attributes that are asked for.
    pub quotas: Vec<AttributeQuota>,
    /// Who leads.
    pub leader: LeaderRule,
    /// The pieces that are owned and how many copies of each; `None` means one copy of every piece.
    pub owned: Option<Vec<(PieceId, usize)>>,
    /// These are in the deck; a piece that is named twice is in it twice.
    pub fixed: Vec<PieceId>,
    /// These are not.
    pub banned: Vec<PieceId>,
}

impl DeckRequest {
    /// Any deck of so many pieces, without any limit but those of groups.
    ///
    /// ```
    /// use ishi_deck::DeckRequest;
    /// let request = DeckRequest::with_size(2..=3, 1);
    /// assert_eq!((request.size, request.limits), (2..=3, vec![None]));
    /// ```
    #[must_use]
    pub fn with_size(size: RangeInclusive<usize>, resources: usize) -> DeckRequest {
        DeckRequest {
            size,
            limits: vec![None; resources],
            quotas: Vec::new(),
            leader: LeaderRule::None,
            owned: None,
            fixed: Vec::new(),
            banned: Vec::new(),
        }
    }
}

/// Why a request makes no sense for a pool. What makes sense and still has no deck is found later.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RequestError {
    /// The size is empty, 0 or too large.
    #[error(
        "a deck of {least} to {most} pieces: the second number must be at least 1, and not smaller than the first"
    )]
    Size {
        /// At least.
        least: usize,
        /// At most.
        most: usize,
    },
    /// Limits for other resources than the pool's.
    #[error("{limits} limits, but there are {resources} resources")]
    Limits {
        /// Given.
        limits: usize,
        /// The number of the pool's resources.
        resources: usize,
    },
    /// A limit beyond [`MAX_LIMIT`] or its opposite.
    #[error("a limit of {0}: it must be from -{MAX_LIMIT} to {MAX_LIMIT}")]
    LimitTooLarge(i64),
    /// More quotas than the searches keep count of.
    #[error("{0} quotas: at most {MAX_QUOTAS}")]
    Quotas(usize),
    /// A piece number outside the pool.
    #[error("there is no piece number {0}")]
    NoPiece(u32),
    /// An attribute number outside the pool.
    #[error("there is no attribute number {0}")]
    NoAttribute(usize),
    /// A piece is fixed and banned.
    #[error("{0:?} is both fixed and banned")]
    FixedAndBanned(String),
    /// A fixed piece is not owned, or not as often as it is fixed.
    #[error("{piece:?} is fixed {fixed} times and owned {owned} times")]
    NotOwned {
        /// Its name.
        piece: String,
        /// Copies that are fixed.
        fixed: usize,
        /// Copies that are owned.
        owned: usize,
    },
    /// Leaders are asked for, but none of them may be in the deck.
    #[error("none of the pieces that may lead is owned and allowed")]
    NoLeader,
}

impl CodedError for RequestError {
    fn facts(&self) -> ErrorFacts {
        match self {
            RequestError::Size { least, most } => facts!["deck-size", least, most],
            RequestError::Limits { limits, resources } => facts!["deck-limits", limits, resources],
            RequestError::LimitTooLarge(limit) => facts!["deck-limit-too-large", limit, most = MAX_LIMIT],
            RequestError::Quotas(quotas) => facts!["deck-quotas", quotas, most = MAX_QUOTAS],
            RequestError::NoPiece(number) => facts!["deck-no-piece-number", number],
            RequestError::NoAttribute(number) => facts!["deck-no-attribute-number", number],
            RequestError::FixedAndBanned(piece) => {
                facts!["deck-fixed-and-banned", piece = format!("{piece:?}")]
            }
            RequestError::NotOwned { piece, fixed, owned } => {
                facts!["deck-not-owned", piece = format!("{piece:?}"), fixed, owned]
            }
            RequestError::NoLeader => facts!["deck-no-leader"],
        }
    }
}
