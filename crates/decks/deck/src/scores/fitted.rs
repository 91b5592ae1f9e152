//! A pair model fitted to whole decks: the scores that a deck builder should add up.
//!
//! Of a deck some cards `K` are shown, drawn by chance; the chance that the next card is `j` is taken to be proportional to
//! `exp(h_j + sum over i in K of J_ij)`, with `J` symmetric. `h` and `J` are those under which the hidden cards of the decks
//! are most likely (the softmax of a log-linear model; hiding by chance as in P. Vincent et al., "Extracting and composing robust
//! features with denoising autoencoders", ICML 2008), found by Adam (D. Kingma, J. Ba, ICLR 2015) from the smoothed
//! log-conditional measure on. Unlike counted measures it knows that cards which always come together say the same thing once.

use ishi_rng::{Rng, Seed};
use ishi_work::{Observer, Progress};

use super::counts::DeckCounts;
use super::library::DeckLibrary;
use super::measure::{PairMeasure, ScoringOptions};
use super::predict::PairModel;

/// How to fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FitOptions {
    /// Times that all decks are looked at.
    pub rounds: usize,
    /// The largest step, at the start; it falls to 0 in a line.
    pub step: f32,
    /// The seed of hiding and of the order of decks.
    pub seed: Seed,
    /// Threads; the result is the same for any number.
    pub threads: usize,
}

impl FitOptions {
    /// Six rounds on one thread.
    #[must_use]
    pub fn new(seed: Seed) -> FitOptions {
        FitOptions { rounds: 6, step: 0.01, seed, threads: 1 }
    }
}

/// Decks to a step.
const AT_ONCE: usize = 512;
/// The share of the log-conditional measure that the fit starts from.
const START: f64 = 0.3;
/// A deck of fewer cards teaches nothing.
const LEAST: usize = 6;
/// Adam's memory of slopes and of their squares, and what keeps it from dividing by nothing.
const MEMORY: (f32, f32, f32) = (0.9, 0.999, 1e-6);

/// Fits the model to decks of cards `0..cards`; `observer` is told the steps done of all. What was fitted until it stops
/// the work is the answer.
pub fn fit_pair_model(
    library: &DeckLibrary,
    counts: &DeckCounts,
    cards: usize,
    fitting: &FitOptions,
    observer: Observer<'_, Progress>,
) -> PairModel {
    let mut state = FitState::new(counts, cards);
    let decks: Vec<usize> = (0..library.len()).filter(|&at| library.deck(at).len() >= LEAST).collect();
    let steps = fitting.rounds * decks.len().div_ceil(AT_ONCE);
    let mut step = 0;
    for round in 0..fitting.rounds {
        let mut rng = fitting.seed.stream("fit scores", round as u64);
        let mut order = decks.clone();
        rng.shuffle(&mut order);
        for decks in order.chunks(AT_ONCE) {
            if observer(Progress::new(step, steps, "steps")).is_break() {
                return state.to_pair_model();
            }
            let shown: Vec<MaskedDeck> =
                decks.iter().map(|&at| MaskedDeck::new(library.deck(at), &mut rng)).collect();
            state.compute_slopes(&shown, fitting.threads);
            step += 1;
            state.step_adam(step, fitting.step * (1.0 - step as f32 / (steps + 1) as f32), fitting.threads);
        }
    }
    state.to_pair_model()
}

/// A deck, shown in part.
struct MaskedDeck {
    /// The cards of the deck.
    deck: Vec<u32>,
    /// The first of them are shown.
    known: usize,
}

impl MaskedDeck {
    /// At least two cards are shown and at least two hidden.
    fn new(deck: &[u32], rng: &mut Rng) -> MaskedDeck {
        let mut deck = deck.to_vec();
        rng.shuffle(&mut deck);
        let known = 2 + rng.next_index(deck.len() - 3);
        MaskedDeck { deck, known }
    }
}

struct FitState {
    cards: usize,
    /// Row after row; row `cards` are the cards' own terms.
    weights: Vec<f32>,
    slopes: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
}

impl FitState {
    fn new(counts: &DeckCounts, cards: usize) -> FitState {
        let scoring = ScoringOptions {
            min_support: 1,
            units: 1e5,
            ..ScoringOptions::for_measure(PairMeasure::LogConditional)
        };
        let start = PairModel::from_measure(counts, &scoring, cards);
        let cells = (cards + 1) * cards;
        let mut weights = vec![0.0f32; cells];
        let mut sum = 0.0;
        for row in 0..cards {
            for column in (0..cards).filter(|&column| column != row) {
                let weight = START * start.mean_pair_term(row, column);
                weights[row * cards + column] = weight as f32;
                sum += weight;
            }
        }
        // Around 0: what all pairs have in common says nothing of any.
        let mean = (sum / (cards * cards.saturating_sub(1)).max(1) as f64) as f32;
        for row in 0..cards {
            for column in (0..cards).filter(|&column| column != row) {
                weights[row * cards + column] -= mean;
            }
        }
        FitState {
            cards,
            weights,
            slopes: vec![0.0; cells],
            mean: vec![0.0; cells],
            square: vec![0.0; cells],
        }
    }

    /// How the decks' likelihood changes with every weight, with both cells of a pair on their own.
    fn compute_slopes(&mut self, shown: &[MaskedDeck], threads: usize) {
        let cards = self.cards;
        let weights = &self.weights;
        let part = shown.len().div_ceil(threads.max(1)).max(1);
        let errors: Vec<Vec<f32>> = std::thread::scope(|scope| {
            let workers: Vec<_> = shown
                .chunks(part)
                .map(|shown| {
                    scope.spawn(move || {
                        shown.iter().map(|shown| prediction_error(weights, cards, shown)).collect()
                    })
                })
                .collect();
            let parts = workers.into_iter().map(|worker| worker.join().expect("sums do not panic"));
            parts.flat_map(|part: Vec<Vec<f32>>| part).collect()
        });
        // Of every row: the decks that show its card, in their order, so that sums do not depend on threads.
        let mut decks: Vec<Vec<u32>> = vec![Vec::new(); cards + 1];
        for (at, shown) in shown.iter().enumerate() {
            for &card in &shown.deck[..shown.known] {
                decks[card as usize].push(at as u32);
            }
            decks[cards].push(at as u32);
        }
        let scale = 1.0 / shown.len() as f32;
        let rows = (cards + 1).div_ceil(threads.max(1)).max(1);
        std::thread::scope(|scope| {
            let chunks = self.slopes.chunks_mut(rows * cards).zip(decks.chunks(rows));
            for (slopes, decks) in chunks {
                let errors = &errors;
                scope.spawn(move || {
                    for (slopes, decks) in slopes.chunks_mut(cards).zip(decks) {
                        slopes.fill(0.0);
                        for &deck in decks {
                            for (slope, error) in slopes.iter_mut().zip(&errors[deck as usize]) {
                                *slope += error * scale;
                            }
                        }
                    }
                });
            }
        });
    }

    /// One step of Adam. Both cells of a pair go the same way.
    fn step_adam(&mut self, step: usize, size: f32, threads: usize) {
        let cards = self.cards;
        for row in 0..cards {
            for column in 0..row {
                let (a, b) = (row * cards + column, column * cards + row);
                let both = self.slopes[a] + self.slopes[b];
                (self.slopes[a], self.slopes[b]) = (both, both);
            }
            self.slopes[row * cards + row] = 0.0;
        }
        let (first, second, little) = MEMORY;
        let size = size * (1.0 - second.powi(step as i32)).sqrt() / (1.0 - first.powi(step as i32));
        let part = self.weights.len().div_ceil(threads.max(1)).max(1);
        std::thread::scope(|scope| {
            let weights = self.weights.chunks_mut(part).zip(self.slopes.chunks(part));
            let memories = self.mean.chunks_mut(part).zip(self.square.chunks_mut(part));
            for ((weights, slopes), (means, squares)) in weights.zip(memories) {
                scope.spawn(move || {
                    let memories = means.iter_mut().zip(squares);
                    for ((weight, &slope), (mean, square)) in weights.iter_mut().zip(slopes).zip(memories) {
                        *mean += (1.0 - first) * (slope - *mean);
                        *square += (1.0 - second) * (slope * slope - *square);
                        *weight -= size * *mean / (square.sqrt() + little);
                    }
                });
            }
        });
    }

    fn to_pair_model(&self) -> PairModel {
        let own = self.weights[self.cards * self.cards..].iter().map(|&weight| f64::from(weight)).collect();
        PairModel::from_parts(own, self.weights[..self.cards * self.cards].to_vec())
    }
}

/// Of every card: how often it is expected among the hidden cards, less how often it is there.
fn prediction_error(weights: &[f32], cards: usize, shown: &MaskedDeck) -> Vec<f32> {
    let (known, hidden) = shown.deck.split_at(shown.known);
    let mut sums = weights[cards * cards..].to_vec();
    for &card in known {
        let row = &weights[card as usize * cards..(card as usize + 1) * cards];
        for (sum, weight) in sums.iter_mut().zip(row) {
            *sum += weight;
        }
    }
    for &card in known {
        sums[card as usize] = f32::NEG_INFINITY;
    }
    let most = sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut whole = 0.0;
    for sum in &mut sums {
        *sum = (*sum - most).exp();
        whole += *sum;
    }
    let scale = hidden.len() as f32 / whole;
    for sum in &mut sums {
        *sum *= scale;
    }
    for &card in hidden {
        sums[card as usize] -= 1.0;
    }
    sums
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::super::{CountOptions, count_decks};
    use super::*;

    /// Two kinds of decks with a card in common.
    fn decks() -> DeckLibrary {
        let mut library = DeckLibrary::default();
        for at in 0..200u32 {
            let first = if at % 2 == 0 { 0 } else { 10 };
            let cards = (first..first + 10).filter(|card| (card + at) % 5 != 0);
            library.push(None, cards.chain([20]));
        }
        library
    }

    #[test]
    fn cards_of_a_kind_go_together() {
        let library = decks();
        let counts = count_decks(library.decks(), &CountOptions::default()).counts;
        let mut told = 0;
        let model = fit_pair_model(&library, &counts, 21, &FitOptions::new(Seed::new(1)), &mut |progress| {
            assert!(progress.rest() > 0);
            told += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(told, 6);
        assert!(
            model.mean_pair_term(1, 3) > model.mean_pair_term(1, 13) + 0.5,
            "{} {}",
            model.mean_pair_term(1, 3),
            model.mean_pair_term(1, 13)
        );
        assert!(model.own_term(20) > model.own_term(1));
        assert_eq!(model.mean_pair_term(4, 4), 0.0);
    }

    #[test]
    fn any_number_of_threads_fits_the_same() {
        let library = decks();
        let counts = count_decks(library.decks(), &CountOptions::default()).counts;
        let fitted = |threads| {
            let fitting = FitOptions { rounds: 2, threads, ..FitOptions::new(Seed::new(1)) };
            let model = fit_pair_model(&library, &counts, 21, &fitting, &mut |_| ControlFlow::Continue(()));
            (0..21).map(|card| (model.own_term(card), model.mean_pair_term(card, 5))).collect::<Vec<_>>()
        };
        assert_eq!(fitted(1), fitted(3));
    }
}
