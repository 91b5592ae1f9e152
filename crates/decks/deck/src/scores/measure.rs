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

use super::counts::Counts;
use crate::table::{MAX_SCORE, Table};

/// How counts become a score.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Measure {
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

impl Measure {
    /// All of them.
    pub const ALL: [Measure; 6] = [
        Measure::Support,
        Measure::Confidence,
        Measure::Lift,
        Measure::Pmi,
        Measure::Cosine,
        Measure::LogConditional,
    ];

    /// Its word on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Measure::Support => "support",
            Measure::Confidence => "confidence",
            Measure::Lift => "lift",
            Measure::Pmi => "pmi",
            Measure::Cosine => "cosine",
            Measure::LogConditional => "log-conditional",
        }
    }

    /// The score of a pair that met `both` times, its cards `row` and `column` times in `decks` decks, with `a` decks of
    /// smoothing. Not finite where the formula divides by nothing or takes the logarithm of 0.
    #[must_use]
    pub fn score(self, both: u32, row: u32, column: u32, decks: u64, a: f64) -> f64 {
        let [both, row, column] = [both, row, column].map(f64::from);
        let decks = decks as f64;
        let confidence = |of: f64, given: f64| (both + a * of / decks) / (given + a);
        match self {
            Measure::Support => both / decks,
            Measure::Confidence => (confidence(row, column) + confidence(column, row)) / 2.0,
            Measure::Lift => (both + a) / (row * column / decks + a),
            Measure::Pmi => ((both + a) / (row * column / decks + a)).ln(),
            Measure::Cosine => both / ((row + a) * (column + a)).sqrt(),
            Measure::LogConditional => (confidence(row, column).ln() + confidence(column, row).ln()) / 2.0,
        }
    }

    /// Has a pair a score that has never met?
    #[must_use]
    pub fn is_dense(self) -> bool {
        self == Measure::LogConditional
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Measure {
    type Err = String;

    fn from_str(text: &str) -> Result<Measure, String> {
        Measure::ALL.into_iter().find(|measure| measure.word() == text).ok_or_else(|| {
            let words: Vec<&str> = Measure::ALL.iter().map(|measure| measure.word()).collect();
            format!("no measure {text:?}: {}", words.join(", "))
        })
    }
}

/// How scores are made of counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scoring {
    /// Of what.
    pub measure: Measure,
    /// A pair that met less often counts as if it had never met; at least 1.
    pub min_support: u32,
    /// Decks of smoothing, 0 or more; the log-conditional measure needs more than 0.
    pub smoothing: f64,
    /// Units in a score of 1, at least 1.
    pub units: f64,
}

impl Scoring {
    /// Pairs of 5 decks and more, one deck of smoothing, a millionth of a score to the unit.
    #[must_use]
    pub fn of(measure: Measure) -> Scoring {
        let units = if measure == Measure::Lift { 1e3 } else { 1e6 };
        Scoring { measure, min_support: 5, smoothing: 1.0, units }
    }

    /// A score in units; 0 if it is no number, and cut to what a table holds.
    #[must_use]
    pub fn in_units(&self, score: f64) -> i32 {
        // A cast of what is no number gives 0.
        (score * self.units).round().clamp(-f64::from(MAX_SCORE), f64::from(MAX_SCORE)) as i32
    }
}

/// The place of every card in `cards`, where it has one.
pub(super) fn places(cards: &[u32]) -> Vec<Option<u32>> {
    let most = cards.iter().max().map_or(0, |&card| card as usize + 1);
    let mut places = vec![None; most];
    for (place, &card) in cards.iter().enumerate() {
        places[card as usize] = Some(place as u32);
    }
    places
}

/// Of `(card, card, count)` those whose cards have places, with their places in place of cards.
fn placed(
    places: &[Option<u32>],
    met: Vec<(u32, u32, u32)>,
) -> impl Iterator<Item = (u32, u32, u32)> + use<'_> {
    let place = |card: u32| places.get(card as usize).copied().flatten();
    met.into_iter().filter_map(move |(row, column, both)| Some((place(row)?, place(column)?, both)))
}

/// The scores of all pairs of these cards, in their order.
pub(super) fn pairs(counts: &Counts, scoring: &Scoring, cards: &[u32]) -> Table {
    let pieces = cards.len();
    let of: Vec<u32> = cards.iter().map(|&card| counts.of(card as usize)).collect();
    let score = |row: u32, column: u32, both: u32| {
        let (row, column) = (of[row as usize], of[column as usize]);
        scoring.in_units(scoring.measure.score(both, row, column, counts.decks(), scoring.smoothing))
    };
    let places = places(cards);
    let met = placed(&places, counts.pairs(scoring.min_support));
    if !scoring.measure.is_dense() {
        let entries: Vec<_> =
            met.map(|(row, column, both)| (row, column, score(row, column, both))).collect();
        return Table::symmetric(pieces, &entries);
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
    Table::dense(pieces, cells)
}

/// The scores of leaders with others, of these cards, in their order; `None` if no deck had a leader.
pub(super) fn leaders(counts: &Counts, scoring: &Scoring, cards: &[u32]) -> Option<Table> {
    if counts.led() == 0 {
        return None;
    }
    let leads: Vec<u32> = cards.iter().map(|&card| counts.leads(card as usize)).collect();
    let of: Vec<u32> = cards.iter().map(|&card| counts.of_led(card as usize)).collect();
    let score = |leader: u32, card: u32, both: u32| {
        let (row, column) = (leads[leader as usize], of[card as usize]);
        scoring.in_units(scoring.measure.score(both, row, column, counts.led(), scoring.smoothing))
    };
    let pieces = cards.len() as u32;
    let mut entries = Vec::new();
    if scoring.measure.is_dense() {
        let all = (0..pieces).flat_map(|row| (0..pieces).map(move |column| (row, column)));
        entries.extend(all.filter(|(row, column)| row != column).map(|(r, c)| (r, c, score(r, c, 0))));
    }
    let places = places(cards);
    let met = placed(&places, counts.leader_pairs(scoring.min_support));
    entries.extend(met.map(|(row, column, both)| (row, column, score(row, column, both))));
    Some(Table::from_entries(cards.len(), entries))
}

/// `weight` times the logarithm of the card's share of decks, in units; half a deck where there is none.
pub(super) fn own(counts: &Counts, card: usize, scoring: &Scoring, weight: f64) -> i64 {
    let share = f64::from(counts.of(card)).max(0.5) / (counts.decks() as f64).max(1.0);
    i64::from(scoring.in_units(weight * share.ln()))
}

#[cfg(test)]
mod tests {
    use super::super::{CountOptions, learn, learn_led};
    use super::*;

    #[test]
    fn measures_by_hand() {
        // 10 decks, 4 with one card, 5 with the other, 3 with both.
        let score = |measure: Measure, a: f64| measure.score(3, 4, 5, 10, a);
        let close = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        close(score(Measure::Support, 0.0), 0.3);
        close(score(Measure::Confidence, 0.0), (0.75 + 0.6) / 2.0);
        close(score(Measure::Lift, 0.0), 1.5);
        close(score(Measure::Pmi, 0.0), 1.5f64.ln());
        close(score(Measure::Cosine, 0.0), 3.0 / 20f64.sqrt());
        close(score(Measure::LogConditional, 0.0), (0.75f64.ln() + 0.6f64.ln()) / 2.0);
        // With two decks of smoothing.
        close(score(Measure::Confidence, 2.0), (4.0 / 6.0 + 3.8 / 7.0) / 2.0);
        close(score(Measure::Lift, 2.0), 5.0 / 4.0);
        close(score(Measure::Cosine, 2.0), 3.0 / 42f64.sqrt());
    }

    #[test]
    fn rare_pairs_score_nothing_and_in_log_conditional_little() {
        let decks = [[0u32, 1, 2], [0, 1, 3], [0, 1, 2], [0, 3, 4]];
        let learned = learn(decks, &CountOptions::default());
        let scoring = |measure| Scoring { min_support: 2, units: 1000.0, ..Scoring::of(measure) };
        let lift = learned.table(&scoring(Measure::Lift), 6);
        // Cards 0 and 1 met three times: (3 + 1) / (3 + 1); cards 1 and 2 twice: (2 + 1) / (1.5 + 1).
        assert_eq!((lift.get(0, 1), lift.get(2, 1), lift.get(1, 3), lift.get(5, 0)), (1000, 1200, 0, 0));
        let log = learned.table(&scoring(Measure::LogConditional), 5);
        assert!(log.is_symmetric() && log.get(0, 1) < 0 && log.get(1, 3) < log.get(1, 2));
        // As if 1 and 3 had never met: (3/4) / 3 and (2/4) / 4.
        let wanted = ((0.75f64 / 3.0).ln() + (0.5f64 / 4.0).ln()) / 2.0;
        assert_eq!(log.get(3, 1), (wanted * 1000.0).round() as i32);
        assert!(learned.leaders(&scoring(Measure::Lift), 6).is_none());
    }

    #[test]
    fn leaders_have_scores_of_their_own() {
        let decks =
            [(Some(0), vec![1u32, 2]), (Some(0), vec![1, 3]), (Some(2), vec![1, 0]), (None, vec![0, 1])];
        let learned = learn_led(decks, &CountOptions::default());
        let scoring = Scoring { min_support: 1, smoothing: 0.0, ..Scoring::of(Measure::Support) };
        let leaders = learned.leaders(&scoring, 4).unwrap();
        assert_eq!((leaders.get(0, 1), leaders.get(1, 0), leaders.get(2, 0)), (666_667, 0, 333_333));
        // As an ordinary pair, 0 and 1 met in two decks of four.
        assert_eq!(learned.table(&scoring, 4).get(0, 1), 500_000);
        let words: Vec<Measure> = Measure::ALL.iter().map(|m| m.word().parse().unwrap()).collect();
        assert_eq!(words, Measure::ALL);
        assert!("loft".parse::<Measure>().unwrap_err().contains("cosine"));
    }
}
