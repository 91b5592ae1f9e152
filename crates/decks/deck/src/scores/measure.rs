//! From counts to scores.
//!
//! With `N` decks, `n_i` of them with card `i`, `n_ij` with both and `e = n_i n_j / N` expected by chance, and `a` decks of
//! smoothing:
//!
//! | measure | score |
//! | --- | --- |
//! | support | `n_ij / N` |
//! | confidence | mean of `(n_ij + a n_j / N) / (n_i + a)` and the same with `i` and `j` exchanged |
//! | lift | `(n_ij + a) / (e + a)` |
//! | PMI | logarithm of lift |
//! | cosine | `n_ij / sqrt((n_i + a) (n_j + a))` |
//! | log-conditional | mean of the logarithms of the two confidences |
//!
//! All are symmetric, as the score of a pair must be. A pair below the minimum support scores 0, except in the last: there it counts
//! as if it had never met, which is far below 0. Leaders have tables of their own, of the same formulas: `n_i` are the decks that
//! `i` leads, `n_j` those with a leader that hold `j` besides, `N` those with a leader.

use std::fmt;
use std::str::FromStr;

use super::counts::DeckCounts;
use crate::table::{MAX_SCORE, PairScoreTable};

/// How counts become a score.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PairMeasure {
    /// The share of decks with both.
    Support,
    /// The share of one's decks that hold the other, mean of both ways.
    Confidence,
    /// How many times more often they meet than by chance.
    Lift,
    /// The logarithm of lift.
    Pmi,
    /// The cosine between the two cards' columns of decks.
    Cosine,
    /// The logarithm of confidence, mean of both ways.
    LogConditional,
}

impl PairMeasure {
    /// All of them.
    pub const ALL: [PairMeasure; 6] = [
        PairMeasure::Support,
        PairMeasure::Confidence,
        PairMeasure::Lift,
        PairMeasure::Pmi,
        PairMeasure::Cosine,
        PairMeasure::LogConditional,
    ];

    /// Its word on the command line.
    #[must_use]
    pub fn cli_word(self) -> &'static str {
        match self {
            PairMeasure::Support => "support",
            PairMeasure::Confidence => "confidence",
            PairMeasure::Lift => "lift",
            PairMeasure::Pmi => "pmi",
            PairMeasure::Cosine => "cosine",
            PairMeasure::LogConditional => "log-conditional",
        }
    }

    /// The score of a pair that met `both` times, its cards `row` and `column` times in `decks` decks, with `a` decks of
    /// smoothing. Not finite where the formula divides by nothing or takes the logarithm of 0.
    #[must_use]
    pub fn score_pair(self, both: u32, row: u32, column: u32, decks: u64, a: f64) -> f64 {
        let [both, row, column] = [both, row, column].map(f64::from);
        let decks = decks as f64;
        let confidence = |of: f64, given: f64| (both + a * of / decks) / (given + a);
        match self {
            PairMeasure::Support => both / decks,
            PairMeasure::Confidence => (confidence(row, column) + confidence(column, row)) / 2.0,
            PairMeasure::Lift => (both + a) / (row * column / decks + a),
            PairMeasure::Pmi => ((both + a) / (row * column / decks + a)).ln(),
            PairMeasure::Cosine => both / ((row + a) * (column + a)).sqrt(),
            PairMeasure::LogConditional => {
                (confidence(row, column).ln() + confidence(column, row).ln()) / 2.0
            }
        }
    }

    /// Has a pair a score that has never met?
    #[must_use]
    pub fn is_dense(self) -> bool {
        self == PairMeasure::LogConditional
    }
}

impl fmt::Display for PairMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.cli_word())
    }
}

impl FromStr for PairMeasure {
    type Err = String;

    fn from_str(text: &str) -> Result<PairMeasure, String> {
        PairMeasure::ALL.into_iter().find(|measure| measure.cli_word() == text).ok_or_else(|| {
            let words: Vec<&str> = PairMeasure::ALL.iter().map(|measure| measure.cli_word()).collect();
            format!("no measure {text:?}: {}", words.join(", "))
        })
    }
}

/// How scores are made of counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoringOptions {
    /// What is measured of a pair.
    pub measure: PairMeasure,
    /// A pair that met less often counts as if it had never met; at least 1.
    pub min_support: u32,
    /// Decks of smoothing, 0 or more; the log-conditional measure needs more than 0.
    pub smoothing: f64,
    /// Units in a score of 1, at least 1.
    pub units: f64,
}

impl ScoringOptions {
    /// Pairs of 5 decks and more, one deck of smoothing, a millionth of a score to the unit.
    #[must_use]
    pub fn for_measure(measure: PairMeasure) -> ScoringOptions {
        let units = if measure == PairMeasure::Lift { 1e3 } else { 1e6 };
        ScoringOptions { measure, min_support: 5, smoothing: 1.0, units }
    }

    /// A score in units; 0 if it is no number, and cut to what a table holds.
    #[must_use]
    pub fn score_in_units(&self, score: f64) -> i32 {
        // A cast of what is no number gives 0.
        (score * self.units).round().clamp(-f64::from(MAX_SCORE), f64::from(MAX_SCORE)) as i32
    }
}

/// The place of every card in `cards`, where it has one.
pub(super) fn places_by_card(cards: &[u32]) -> Vec<Option<u32>> {
    let most = cards.iter().max().map_or(0, |&card| card as usize + 1);
    let mut places = vec![None; most];
    for (place, &card) in cards.iter().enumerate() {
        places[card as usize] = Some(place as u32);
    }
    places
}

/// Of `(card, card, count)` those whose cards have places, with their places in place of cards.
fn pairs_with_places(
    places: &[Option<u32>],
    met: Vec<(u32, u32, u32)>,
) -> impl Iterator<Item = (u32, u32, u32)> + use<'_> {
    let place = |card: u32| places.get(card as usize).copied().flatten();
    met.into_iter().filter_map(move |(row, column, both)| Some((place(row)?, place(column)?, both)))
}

/// The scores of all pairs of these cards, in their order.
pub(super) fn score_pairs(counts: &DeckCounts, scoring: &ScoringOptions, cards: &[u32]) -> PairScoreTable {
    let pieces = cards.len();
    let of: Vec<u32> = cards.iter().map(|&card| counts.decks_with(card as usize)).collect();
    let score = |row: u32, column: u32, both: u32| {
        let (row, column) = (of[row as usize], of[column as usize]);
        scoring.score_in_units(scoring.measure.score_pair(
            both,
            row,
            column,
            counts.deck_count(),
            scoring.smoothing,
        ))
    };
    let places = places_by_card(cards);
    let met = pairs_with_places(&places, counts.frequent_pairs(scoring.min_support));
    if !scoring.measure.is_dense() {
        let entries: Vec<_> =
            met.map(|(row, column, both)| (row, column, score(row, column, both))).collect();
        return PairScoreTable::from_symmetric_entries(pieces, &entries);
    }
    let mut cells = vec![0; pieces * pieces];
    let mut put = |row: u32, column: u32, score: i32| {
        cells[row as usize * pieces + column as usize] = score;
        cells[column as usize * pieces + row as usize] = score;
    };
    for row in 0..pieces as u32 {
        for column in 0..row {
            put(row, column, score(row, column, 0));
        }
    }
    for (row, column, both) in met {
        put(row, column, score(row, column, both));
    }
    PairScoreTable::from_cells(pieces, cells)
}

/// The scores of leaders with others, of these cards, in their order; `None` if no deck had a leader.
pub(super) fn score_leaders(
    counts: &DeckCounts,
    scoring: &ScoringOptions,
    cards: &[u32],
) -> Option<PairScoreTable> {
    if counts.led_deck_count() == 0 {
        return None;
    }
    let leads: Vec<u32> = cards.iter().map(|&card| counts.decks_led_by(card as usize)).collect();
    let of: Vec<u32> = cards.iter().map(|&card| counts.led_decks_with(card as usize)).collect();
    let score = |leader: u32, card: u32, both: u32| {
        let (row, column) = (leads[leader as usize], of[card as usize]);
        scoring.score_in_units(scoring.measure.score_pair(
            both,
            row,
            column,
            counts.led_deck_count(),
            scoring.smoothing,
        ))
    };
    let pieces = cards.len() as u32;
    let mut entries = Vec::new();
    if scoring.measure.is_dense() {
        let all = (0..pieces).flat_map(|row| (0..pieces).map(move |column| (row, column)));
        entries.extend(all.filter(|(row, column)| row != column).map(|(r, c)| (r, c, score(r, c, 0))));
    }
    let places = places_by_card(cards);
    let met = pairs_with_places(&places, counts.frequent_leader_pairs(scoring.min_support));
    entries.extend(met.map(|(row, column, both)| (row, column, score(row, column, both))));
    Some(PairScoreTable::from_entries(cards.len(), entries))
}

/// `weight` times the logarithm of the card's share of decks, in units; half a deck where there is none.
pub(super) fn own_score(counts: &DeckCounts, card: usize, scoring: &ScoringOptions, weight: f64) -> i64 {
    let share = f64::from(counts.decks_with(card)).max(0.5) / (counts.deck_count() as f64).max(1.0);
    i64::from(scoring.score_in_units(weight * share.ln()))
}

#[cfg(test)]
mod tests {
    use super::super::{CountOptions, count_decks, count_led_decks};
    use super::*;

    #[test]
    fn measures_by_hand() {
        // 10 decks, 4 with one card, 5 with the other, 3 with both.
        let score = |measure: PairMeasure, a: f64| measure.score_pair(3, 4, 5, 10, a);
        let close = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        close(score(PairMeasure::Support, 0.0), 0.3);
        close(score(PairMeasure::Confidence, 0.0), (0.75 + 0.6) / 2.0);
        close(score(PairMeasure::Lift, 0.0), 1.5);
        close(score(PairMeasure::Pmi, 0.0), 1.5f64.ln());
        close(score(PairMeasure::Cosine, 0.0), 3.0 / 20f64.sqrt());
        close(score(PairMeasure::LogConditional, 0.0), (0.75f64.ln() + 0.6f64.ln()) / 2.0);
        // With two decks of smoothing.
        close(score(PairMeasure::Confidence, 2.0), (4.0 / 6.0 + 3.8 / 7.0) / 2.0);
        close(score(PairMeasure::Lift, 2.0), 5.0 / 4.0);
        close(score(PairMeasure::Cosine, 2.0), 3.0 / 42f64.sqrt());
    }

    #[test]
    fn rare_pairs_score_nothing_and_in_log_conditional_little() {
        let decks = [[0u32, 1, 2], [0, 1, 3], [0, 1, 2], [0, 3, 4]];
        let learned = count_decks(decks, &CountOptions::default());
        let scoring = |measure| ScoringOptions {
            min_support: 2,
            units: 1000.0,
            ..ScoringOptions::for_measure(measure)
        };
        let lift = learned.pair_table(&scoring(PairMeasure::Lift), 6);
        // Cards 0 and 1 met three times: (3 + 1) / (3 + 1); cards 1 and 2 twice: (2 + 1) / (1.5 + 1).
        assert_eq!((lift.get(0, 1), lift.get(2, 1), lift.get(1, 3), lift.get(5, 0)), (1000, 1200, 0, 0));
        let log = learned.pair_table(&scoring(PairMeasure::LogConditional), 5);
        assert!(log.is_symmetric() && log.get(0, 1) < 0 && log.get(1, 3) < log.get(1, 2));
        // As if 1 and 3 had never met: (3/4) / 3 and (2/4) / 4.
        let wanted = ((0.75f64 / 3.0).ln() + (0.5f64 / 4.0).ln()) / 2.0;
        assert_eq!(log.get(3, 1), (wanted * 1000.0).round() as i32);
        assert!(learned.leader_table(&scoring(PairMeasure::Lift), 6).is_none());
    }

    #[test]
    fn leaders_have_scores_of_their_own() {
        let decks =
            [(Some(0), vec![1u32, 2]), (Some(0), vec![1, 3]), (Some(2), vec![1, 0]), (None, vec![0, 1])];
        let learned = count_led_decks(decks, &CountOptions::default());
        let scoring = ScoringOptions {
            min_support: 1,
            smoothing: 0.0,
            ..ScoringOptions::for_measure(PairMeasure::Support)
        };
        let leaders = learned.leader_table(&scoring, 4).unwrap();
        assert_eq!((leaders.get(0, 1), leaders.get(1, 0), leaders.get(2, 0)), (666_667, 0, 333_333));
        // As an ordinary pair, 0 and 1 met in two decks of four.
        assert_eq!(learned.pair_table(&scoring, 4).get(0, 1), 500_000);
        let words: Vec<PairMeasure> =
            PairMeasure::ALL.iter().map(|m| m.cli_word().parse().unwrap()).collect();
        assert_eq!(words, PairMeasure::ALL);
        assert!("loft".parse::<PairMeasure>().unwrap_err().contains("cosine"));
    }
}
