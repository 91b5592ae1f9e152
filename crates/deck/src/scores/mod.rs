//! Scores of pairs, learned from the decks that people play.
//!
//! [`Counts`] counts in how many decks two cards meet: streaming, in bounded memory, the same for any number of threads.
//! [`measure`] makes scores of counts (support, confidence, lift, pointwise mutual information, cosine, smoothed
//! log-conditional), as association analysis does; R. Agrawal, T. Imielinski, A. Swami, "Mining association rules between sets
//! of items in large databases" (SIGMOD 1993) for the first two, S. Brin, R. Motwani, J. Ullman, S. Tsur, "Dynamic itemset
//! counting" (SIGMOD 1997) for lift, K. Church, P. Hanks, "Word association norms" (1990) for mutual information.
//!
//! A deck is a set of cards here: copies of a card count once.

pub mod counts;
pub mod log;
pub mod measure;

pub use counts::{Batch, CountOptions, Counts};
pub use measure::{Measure, Scoring};

use crate::pool::Piece;
use crate::table::Table;

/// Decks that are counted together.
const BATCH: usize = 1 << 14;

/// What was learned from decks: counts, and how they become scores.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The counts.
    pub counts: Counts,
}

/// Counts decks, each the numbers of its cards in any order. Nobody leads.
#[must_use]
pub fn learn<D: AsRef<[u32]>>(decks: impl IntoIterator<Item = D>, options: &CountOptions) -> Learned {
    learn_led(decks.into_iter().map(|deck| (None, deck)), options)
}

/// Counts decks, each with its leader (or none) and the numbers of its cards in any order, the leader among them or not.
#[must_use]
pub fn learn_led<D: AsRef<[u32]>>(
    decks: impl IntoIterator<Item = (Option<u32>, D)>,
    options: &CountOptions,
) -> Learned {
    let mut counts = Counts::new(options);
    let mut batch = Batch::default();
    for (leader, deck) in decks {
        batch.push(leader, deck.as_ref());
        if batch.len() == BATCH {
            counts.add(&batch);
            batch.clear();
        }
    }
    counts.add(&batch);
    Learned { counts }
}

impl Learned {
    /// The scores of all pairs of cards `0..pieces`, in units of `scoring`; the same both ways.
    #[must_use]
    pub fn table(&self, scoring: &Scoring, pieces: usize) -> Table {
        measure::pairs(&self.counts, scoring, pieces)
    }

    /// The scores of leaders (rows) with other cards (columns); `None` if no deck had a leader.
    #[must_use]
    pub fn leaders(&self, scoring: &Scoring, pieces: usize) -> Option<Table> {
        measure::leaders(&self.counts, scoring, pieces)
    }

    /// Pieces of these names, without costs, attributes and groups; every one's own score is `weight` times the logarithm of
    /// its share of decks, in units. A weight of 0 leaves single cards without scores.
    #[must_use]
    pub fn pieces(&self, names: &[String], scoring: &Scoring, weight: f64) -> Vec<Piece> {
        let score = |card: usize| measure::own(&self.counts, card, scoring, weight);
        let piece = |(card, name): (usize, &String)| Piece {
            name: name.clone(),
            score: score(card),
            ..Piece::default()
        };
        names.iter().enumerate().map(piece).collect()
    }
}
