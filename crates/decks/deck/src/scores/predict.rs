//! Which cards does a deck want, of which some are known?
//!
//! A [`CardPredictor`] gives every card a number, the larger the more likely it is in the deck. The ways:
//! - [`PairModel`]: a sum over the known cards (and a term of the card's own), as the deck builder's score is: the measures of
//!   [`measure`](super::measure), and EASE (H. Steck, "Embarrassingly shallow autoencoders for sparse data", WWW 2019), the
//!   linear model of least squares in closed form;
//! - [`NearestDecks`]: the decks that share most with the known cards vote;
//! - [`ArchetypeModel`]: every deck of the log is an archetype of which the unknown deck is a copy with changes, a kernel estimate
//!   (E. Parzen, 1962) of the distribution of decks. By Bayes' rule the known cards say how likely each
//!   archetype is: a rare card in common says more than a frequent one. Better than the others by far.

use super::counts::DeckCounts;
use super::library::DeckLibrary;
use super::linear::SquareMatrix;
use super::measure::ScoringOptions;

/// Says which cards a deck wants.
pub trait CardPredictor: Sync {
    /// Writes into `out` how much each card is wanted besides `known`; what it writes for known cards means nothing.
    fn predict(&self, known: &[u32], out: &mut [f64]);
}

/// A term for every card and one for every pair.
#[derive(Clone, Debug)]
pub struct PairModel {
    own: Vec<f64>,
    /// What the known card (row) adds to the wanted card (column).
    pairs: Vec<f32>,
}

impl PairModel {
    /// Decks that hold a card, for all.
    #[must_use]
    pub fn from_popularity(counts: &DeckCounts, cards: usize) -> PairModel {
        let own = (0..cards).map(|card| f64::from(counts.decks_with(card))).collect();
        PairModel { own, pairs: Vec::new() }
    }

    /// A measure of pairs.
    #[must_use]
    pub fn from_measure(counts: &DeckCounts, scoring: &ScoringOptions, cards: usize) -> PairModel {
        let table = super::measure::score_pairs(counts, scoring, &(0..cards as u32).collect::<Vec<_>>());
        let mut pairs = vec![0.0; cards * cards];
        for row in 0..cards {
            for (column, score) in table.nonzero_entries(row) {
                pairs[row * cards + column] = (f64::from(score) / scoring.units) as f32;
            }
        }
        PairModel { own: vec![0.0; cards], pairs }
    }

    /// EASE with a ridge of `ridge` decks (above 0): of the cards that hold together, each is the linear combination of the others
    /// that misses least. With `P` the inverse of the counts plus the ridge, `B_ij = -P_ij / P_jj`.
    /// Takes 8 bytes and a third of a nanosecond or so for every card cubed.
    #[must_use]
    pub fn from_ease(counts: &DeckCounts, ridge: f64, cards: usize) -> PairModel {
        let precision = precision_matrix(counts, ridge, cards);
        let mut pairs = vec![0.0; cards * cards];
        for row in 0..cards {
            for (column, cell) in precision.row(row).iter().enumerate().filter(|&(column, _)| column != row) {
                pairs[row * cards + column] = (-cell / precision.row(column)[column]) as f32;
            }
        }
        PairModel { own: vec![0.0; cards], pairs }
    }

    /// A model out of its parts: a term of every card, and `pairs[known * cards + wanted]`.
    ///
    /// # Panics
    /// If there are not as many pairs as cards squared.
    #[must_use]
    pub fn from_parts(own: Vec<f64>, pairs: Vec<f32>) -> PairModel {
        assert_eq!(pairs.len(), own.len() * own.len(), "pairs of {} cards", own.len());
        PairModel { own, pairs }
    }

    /// Cards.
    #[must_use]
    pub fn card_count(&self) -> usize {
        self.own.len()
    }

    /// A card's own term.
    #[must_use]
    pub fn own_term(&self, card: usize) -> f64 {
        self.own[card]
    }

    /// The mean of a pair's two terms, as a deck builder needs one score both ways.
    #[must_use]
    pub fn mean_pair_term(&self, a: usize, b: usize) -> f64 {
        let cell =
            |row: usize, column: usize| self.pairs.get(row * self.own.len() + column).copied().unwrap_or(0.0);
        f64::from(cell(a, b) + cell(b, a)) / 2.0
    }
}

/// The inverse of the counts of pairs, with the ridge on the diagonal.
fn precision_matrix(counts: &DeckCounts, ridge: f64, cards: usize) -> SquareMatrix {
    let mut gram = SquareMatrix::zeros(cards);
    for card in 0..cards {
        gram.row_mut(card)[card] = f64::from(counts.decks_with(card)) + ridge;
    }
    for (row, column, both) in counts.frequent_pairs(1) {
        if (row as usize) < cards {
            gram.row_mut(row as usize)[column as usize] = f64::from(both);
        }
    }
    gram.inverse().expect("counts are positive semidefinite, with a ridge definite")
}

impl CardPredictor for PairModel {
    fn predict(&self, known: &[u32], out: &mut [f64]) {
        out.copy_from_slice(&self.own);
        if self.pairs.is_empty() {
            return;
        }
        for &card in known {
            let row = &self.pairs[card as usize * out.len()..(card as usize + 1) * out.len()];
            for (sum, &term) in out.iter_mut().zip(row) {
                *sum += f64::from(term);
            }
        }
    }
}

/// The decks with most of the known cards vote, each with one voice.
#[derive(Clone, Debug)]
pub struct NearestDecks {
    library: DeckLibrary,
    postings: Vec<Vec<u32>>,
    voters: usize,
}

impl NearestDecks {
    /// So many voters; of decks that are equally near, those that stand later in the log.
    #[must_use]
    pub fn new(library: DeckLibrary, cards: usize, voters: usize) -> NearestDecks {
        let postings = library.decks_by_card(cards);
        NearestDecks { library, postings, voters }
    }
}

impl CardPredictor for NearestDecks {
    fn predict(&self, known: &[u32], out: &mut [f64]) {
        out.fill(0.0);
        let mut shared = vec![0u32; self.library.len()];
        for &card in known {
            for &deck in &self.postings[card as usize] {
                shared[deck as usize] += 1;
            }
        }
        let mut order: Vec<(u32, u32)> = (0..).zip(shared).map(|(deck, shared)| (shared, deck)).collect();
        if order.len() > self.voters {
            let at = order.len() - self.voters;
            order.select_nth_unstable(at);
            order.drain(..at);
        }
        for (_, deck) in order {
            for &card in self.library.deck(deck as usize) {
                out[card as usize] += 1.0;
            }
        }
    }
}

/// How far a deck strays from its archetype, and how much it matters when that was played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StrayingOptions {
    /// The share of a deck's cards that come from anywhere, 0 to 1, neither of which it is.
    pub anywhere: f64,
    /// Evidence of cards counts so much: less than 1, because cards come together and are no independent evidence.
    pub trust: f64,
    /// After so many days a deck counts half; `None` if its day does not matter.
    pub half_life: Option<f64>,
}

impl Default for StrayingOptions {
    fn default() -> StrayingOptions {
        StrayingOptions { anywhere: 0.01, trust: 0.75, half_life: None }
    }
}

/// Every deck is an archetype.
///
/// The known cards `K` weigh archetype `D` with `2^(-age / half life)` times, for each card `c` that they share, `(1 + (1 - e) / (e |D| p_c))^t`: the
/// chance that `c` comes from `D` and not from anywhere, `e` the share from anywhere, `p_c` the share of decks with `c`, `t` the
/// trust. The weights' sum is 1; a card is wanted as much as the archetypes weigh that hold it.
#[derive(Clone, Debug)]
pub struct ArchetypeModel {
    library: DeckLibrary,
    postings: Vec<Vec<u32>>,
    straying: StrayingOptions,
    /// The weight of each deck before any card is known.
    prior: Vec<f64>,
    /// The prior weights of the decks that hold a card, for each card.
    base: Vec<f64>,
    /// The prior weights of all decks.
    whole: f64,
}

/// A deck counts as at least so large: one of two cards says little about others.
const SMALLEST: usize = 8;

impl ArchetypeModel {
    /// Of the library's decks, all of whose cards are below `cards`. Ages are counted back from its last day.
    ///
    /// # Panics
    /// If the straying is out of range.
    #[must_use]
    pub fn new(library: DeckLibrary, cards: usize, straying: StrayingOptions) -> ArchetypeModel {
        let StrayingOptions { anywhere, trust, half_life } = straying;
        assert!(anywhere > 0.0 && anywhere < 1.0 && trust > 0.0, "{straying:?}");
        assert!(half_life.is_none_or(|days| days > 0.0), "{straying:?}");
        let last = (0..library.len()).filter_map(|at| library.day(at)).max();
        let weight = |at: usize| {
            let age = last.zip(library.day(at)).map_or(0, |(last, day)| last.0 - day.0);
            half_life.map_or(1.0, |days| (-f64::from(age) / days).exp2())
        };
        let prior: Vec<f64> = (0..library.len()).map(weight).collect();
        let mut base = vec![0.0; cards];
        for (deck, weight) in library.decks().zip(&prior) {
            for &card in deck {
                base[card as usize] += weight;
            }
        }
        let postings = library.decks_by_card(cards);
        ArchetypeModel { whole: prior.iter().sum(), library, postings, straying, prior, base }
    }

    /// Decks that share a card with `known`, with the logarithms of how much more they weigh than before.
    fn weigh_evidence(&self, known: &[u32]) -> Vec<(u32, f64)> {
        let StrayingOptions { anywhere, trust, .. } = self.straying;
        let mut logs = vec![0.0; self.library.len()];
        let mut touched = Vec::new();
        for &card in known {
            let postings = &self.postings[card as usize];
            let share = self.base[card as usize].max(f64::MIN_POSITIVE) / self.whole;
            for &deck in postings {
                let log = &mut logs[deck as usize];
                if *log == 0.0 {
                    touched.push(deck);
                }
                let size = self.library.deck(deck as usize).len().max(SMALLEST) as f64;
                *log += trust * (1.0 + (1.0 - anywhere) / (anywhere * size * share)).ln();
            }
        }
        touched.into_iter().map(|deck| (deck, logs[deck as usize])).collect()
    }
}

impl CardPredictor for ArchetypeModel {
    /// The chance of every card to be in the deck, 0 to 1.
    fn predict(&self, known: &[u32], out: &mut [f64]) {
        let evidence = self.weigh_evidence(known);
        // Weights are divided by the largest, so that none is too large for a number.
        let most = evidence.iter().map(|&(_, log)| log).fold(0.0, f64::max);
        let unit = (-most).exp();
        let mut sum = self.whole * unit;
        for (wanted, base) in out.iter_mut().zip(&self.base) {
            *wanted = base * unit;
        }
        for (deck, log) in evidence {
            let more = self.prior[deck as usize] * ((log - most).exp() - unit);
            sum += more;
            for &card in self.library.deck(deck as usize) {
                out[card as usize] += more;
            }
        }
        for wanted in out {
            *wanted = (*wanted / sum.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::log::Day;
    use super::super::measure::PairMeasure;
    use super::super::{CountOptions, count_decks};
    use super::*;

    const DECKS: [&[u32]; 4] = [&[0, 1, 2], &[0, 1, 3], &[0, 4], &[3, 4]];

    fn library() -> DeckLibrary {
        let mut library = DeckLibrary::default();
        for (day, deck) in (1000..).zip(DECKS) {
            library.push(Some(Day(day)), deck.iter().copied());
        }
        library
    }

    fn predicted(predictor: &dyn CardPredictor, known: &[u32]) -> Vec<f64> {
        let mut out = vec![0.0; 5];
        predictor.predict(known, &mut out);
        out
    }

    fn close(found: &[f64], wanted: &[f64]) {
        assert_eq!(found.len(), wanted.len());
        let far = |(a, b): (&f64, &f64)| (a - b).abs() > 1e-6;
        assert!(!found.iter().zip(wanted).any(far), "{found:?} {wanted:?}");
    }

    #[test]
    fn sums_over_known_cards() {
        let counts = count_decks(DECKS, &CountOptions::default()).counts;
        close(&predicted(&PairModel::from_popularity(&counts, 5), &[1]), &[3.0, 2.0, 1.0, 2.0, 2.0]);
        let scoring = ScoringOptions { min_support: 1, ..ScoringOptions::for_measure(PairMeasure::Support) };
        let model = PairModel::from_measure(&counts, &scoring, 5);
        // Together with 0 or 1: card 2 in one deck each, card 3 in one each, card 4 in one with 0.
        close(&predicted(&model, &[0, 1]), &[0.5, 0.5, 0.5, 0.5, 0.25]);
        assert_eq!(model.mean_pair_term(0, 1), 0.5);
    }

    #[test]
    fn ease_by_hand() {
        // Two cards: counts 3 and 2, together 2, ridge 1. P = [[3, -2], [-2, 4]] / 8.
        let counts = count_decks([&[0u32, 1][..], &[0, 1], &[0]], &CountOptions::default()).counts;
        let model = PairModel::from_ease(&counts, 1.0, 2);
        let mut out = vec![0.0; 2];
        model.predict(&[0], &mut out);
        close(&out, &[0.0, 0.5]);
        model.predict(&[1], &mut out);
        close(&out, &[2.0 / 3.0, 0.0]);
        close(&[model.mean_pair_term(0, 1)], &[(0.5 + 2.0 / 3.0) / 2.0]);
    }

    #[test]
    fn the_nearest_decks_vote() {
        let nearest = NearestDecks::new(library(), 5, 2);
        close(&predicted(&nearest, &[0, 1]), &[2.0, 2.0, 1.0, 1.0, 0.0]);
        // Three decks are equally near: the two later ones vote.
        close(&predicted(&nearest, &[0]), &[2.0, 1.0, 0.0, 1.0, 1.0]);
    }

    #[test]
    fn archetypes_by_hand() {
        let straying = StrayingOptions { anywhere: 0.5, trust: 1.0, half_life: None };
        let model = ArchetypeModel::new(library(), 5, straying);
        // Card 2 is in a quarter of the decks: its deck weighs 1 + 1 / (8 / 4) = 1.5 times as much as the others.
        let whole = 3.0 + 1.5;
        close(&predicted(&model, &[2]), &[3.5 / whole, 2.5 / whole, 1.5 / whole, 2.0 / whole, 2.0 / whole]);
        // Nothing known: shares of decks.
        close(&predicted(&model, &[]), &[0.75, 0.5, 0.25, 0.5, 0.5]);
        // Half as much with every day.
        let model = ArchetypeModel::new(library(), 5, StrayingOptions { half_life: Some(1.0), ..straying });
        close(&predicted(&model, &[]), &[7.0 / 15.0, 3.0 / 15.0, 1.0 / 15.0, 10.0 / 15.0, 12.0 / 15.0]);
    }

    #[test]
    fn much_evidence_is_no_overflow() {
        let mut library = DeckLibrary::default();
        library.push(None, 0..2000);
        library.push(None, [2000]);
        let model = ArchetypeModel::new(
            library,
            2001,
            StrayingOptions { anywhere: 1e-9, trust: 1.0, half_life: None },
        );
        let mut out = vec![0.0; 2001];
        model.predict(&(0..1999).collect::<Vec<_>>(), &mut out);
        close(&[out[1999], out[2000]], &[1.0, 0.0]);
    }
}
