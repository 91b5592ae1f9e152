//! Scores of pairs, learned from the decks that people play.
//!
//! [`DeckCounts`] counts in how many decks two cards meet: streaming, in bounded memory, the same for any number of threads.
//! [`measure`] makes scores of counts (support, confidence, lift, pointwise mutual information, cosine, smoothed
//! log-conditional), as association analysis does; R. Agrawal, T. Imielinski, A. Swami, "Mining association rules between sets
//! of items in large databases" (SIGMOD 1993) for the first two, S. Brin, R. Motwani, J. Ullman, S. Tsur, "Dynamic itemset
//! counting" (SIGMOD 1997) for lift, K. Church, P. Hanks, "Word association norms" (1990) for mutual information.
//!
//! Beyond pairs that are counted: [`fitted`] scores of cards and pairs, EASE and models of whole decks ([`predict`]), and the test that
//! says which of them is good for decks ([`completion`], [`trial`]): an exact optimum of a bad score is a bad deck.
//!
//! A deck is a set of cards here: copies of a card count once.
//!
//! ```
//! use ishi_deck::scores::{CountOptions, PairMeasure, ScoringOptions, count_decks};
//!
//! let decks = [[0u32, 1, 2], [0, 1, 3], [2, 3, 4]];
//! let learned = count_decks(decks, &CountOptions::default());
//! assert_eq!(learned.counts.decks_with_pair(0, 1), 2);
//! let scoring = ScoringOptions { min_support: 1, smoothing: 0.0, units: 1000.0, ..ScoringOptions::for_measure(PairMeasure::Lift) };
//! // Two of three decks hold both, and each is in two: 2 x 3 / (2 x 2).
//! assert_eq!(learned.pair_table(&scoring, 5).get(0, 1), 1500);
//! ```

pub mod completion;
pub mod counts;
pub mod fitted;
pub mod library;
mod linear;
pub mod lists;
pub mod log;
pub mod measure;
pub mod predict;
pub mod trial;

pub use counts::{CountOptions, DeckBatch, DeckCounts};
pub use measure::{PairMeasure, ScoringOptions};

use crate::pool::{Piece, Pool};
use crate::table::PairScoreTable;

/// Decks that are counted together.
const BATCH: usize = 1 << 14;

/// What was learned from decks: counts, and how they become scores.
#[derive(Clone, Debug)]
pub struct LearnedScores {
    /// The counts.
    pub counts: DeckCounts,
}

/// Counts decks, each the numbers of its cards in any order. Nobody leads.
#[must_use]
pub fn count_decks<D: AsRef<[u32]>>(
    decks: impl IntoIterator<Item = D>,
    options: &CountOptions,
) -> LearnedScores {
    count_led_decks(decks.into_iter().map(|deck| (None, deck)), options)
}

/// Counts decks, each with its leader (or none) and the numbers of its cards in any order, the leader among them or not.
#[must_use]
pub fn count_led_decks<D: AsRef<[u32]>>(
    decks: impl IntoIterator<Item = (Option<u32>, D)>,
    options: &CountOptions,
) -> LearnedScores {
    let mut counts = DeckCounts::new(options);
    let mut batch = DeckBatch::default();
    for (leader, deck) in decks {
        batch.push(leader, deck.as_ref());
        if batch.len() == BATCH {
            counts.count_batch(&batch);
            batch.clear();
        }
    }
    counts.count_batch(&batch);
    LearnedScores { counts }
}

impl LearnedScores {
    /// The scores of all pairs of cards `0..pieces`, in units of `scoring`; the same both ways.
    #[must_use]
    pub fn pair_table(&self, scoring: &ScoringOptions, pieces: usize) -> PairScoreTable {
        measure::score_pairs(&self.counts, scoring, &(0..pieces as u32).collect::<Vec<_>>())
    }

    /// The scores of leaders (rows) with other cards (columns); `None` if no deck had a leader.
    #[must_use]
    pub fn leader_table(&self, scoring: &ScoringOptions, pieces: usize) -> Option<PairScoreTable> {
        measure::score_leaders(&self.counts, scoring, &(0..pieces as u32).collect::<Vec<_>>())
    }

    /// The cards of at least `least` decks (as leaders or not), those of most decks first, equally many by name.
    #[must_use]
    pub fn frequent_cards(&self, names: &[String], least: u32) -> Vec<u32> {
        let decks =
            |card: u32| self.counts.decks_with(card as usize) + self.counts.decks_led_by(card as usize);
        let mut cards: Vec<u32> = (0..names.len() as u32).filter(|&card| decks(card) >= least).collect();
        cards.sort_by(|&a, &b| {
            decks(b).cmp(&decks(a)).then_with(|| names[a as usize].cmp(&names[b as usize]))
        });
        cards
    }

    /// A pool of the frequent cards, by the names of all cards: no costs, attributes or groups. Every piece's own score is `weight` times
    /// the logarithm of its share of decks; a weight of 0 leaves single pieces without scores.
    #[must_use]
    pub fn build_pool(&self, names: &[String], scoring: &ScoringOptions, weight: f64) -> Pool {
        let cards = self.frequent_cards(names, scoring.min_support);
        let piece = |&card: &u32| Piece {
            name: names[card as usize].clone(),
            score: measure::own_score(&self.counts, card as usize, scoring, weight),
            ..Piece::default()
        };
        Pool {
            pieces: cards.iter().map(piece).collect(),
            resources: Vec::new(),
            attributes: Vec::new(),
            groups: Vec::new(),
            pairs: measure::score_pairs(&self.counts, scoring, &cards),
            leaders: measure::score_leaders(&self.counts, scoring, &cards),
            units: scoring.units,
        }
    }
}
