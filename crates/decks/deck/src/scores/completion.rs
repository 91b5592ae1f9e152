//! The completion test: cards of decks are hidden, and a method names as many cards as are hidden. What share does it find?
//!
//! The decks that are tested are never among those that a method learns from. Lists are copied, though, and a copy of a tested
//! deck may be: [`TestSplit`] says whether it may. A deck is a set of cards here; lands count as any other card.

use std::collections::BTreeMap;
use std::fmt;

use ishi_rng::{Rng, Seed};
use ishi_work::{Observer, Progress};
#[cfg(feature = "serde")]
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::library::DeckLibrary;
use super::log::Day;
use super::predict::CardPredictor;

/// Which decks are learned from, and which are tested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestSplit {
    /// Learned from: before this day. Tested: some of the others. As it is for a player.
    Time(Day),
    /// Tested: some of all decks; learned from: all others, copies of tested ones among them.
    Random,
    /// Tested: one of each of some lists; learned from: all decks with other lists.
    Distinct,
}

impl TestSplit {
    /// Its word.
    #[must_use]
    pub fn cli_word(self) -> &'static str {
        match self {
            TestSplit::Time(_) => "time",
            TestSplit::Random => "random",
            TestSplit::Distinct => "distinct",
        }
    }

    /// The first day on which no more than a `share` of the decks were played, where all decks have days.
    #[must_use]
    pub fn for_last_share(library: &DeckLibrary, share: f64) -> Option<TestSplit> {
        let mut days: Vec<Day> = (0..library.len()).map(|at| library.day(at)).collect::<Option<_>>()?;
        days.sort_unstable();
        let at = ((1.0 - share.clamp(0.0, 1.0)) * days.len() as f64) as usize;
        // The first day that has not begun before.
        let cut = *days.get(at)?;
        let cut =
            if at > 0 && days[at - 1] == cut { *days[at..].iter().find(|&&day| day > cut)? } else { cut };
        Some(TestSplit::Time(cut))
    }
}

/// What is hidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HidingTask {
    /// Hides so many cards.
    Hide(usize),
    /// All but so many.
    Keep(usize),
}

/// `hide 4`.
impl fmt::Display for HidingTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self {
            HidingTask::Hide(cards) => format!("hide {cards}"),
            HidingTask::Keep(cards) => format!("keep {cards}"),
        })
    }
}

/// A deck of fewer different cards is not tested.
pub const LEAST_CARDS: usize = 8;

/// Decks that are learned from and decks that are tested, by their places in the library.
#[derive(Clone, PartialEq, Debug)]
pub struct SplitDecks {
    /// Learned from, in the order of the library.
    pub learned: Vec<usize>,
    /// Tested, drawn by chance.
    pub tested: Vec<usize>,
    /// The share of tested decks of which there is a copy among the learned ones.
    pub copied: f64,
}

/// Splits a library; tests at most `most` decks, of [`LEAST_CARDS`] cards at least. `reserve` gives another draw for the same seed: decks
/// to choose parameters by are not those of the figures.
#[must_use]
pub fn split_library(
    library: &DeckLibrary,
    split: TestSplit,
    most: usize,
    seed: Seed,
    draw: u64,
) -> SplitDecks {
    let mut rng = seed.stream("completion test", draw);
    let mut lists: BTreeMap<&[u32], Vec<usize>> = BTreeMap::new();
    for (at, deck) in library.decks().enumerate() {
        lists.entry(deck).or_default().push(at);
    }
    let mut candidates: Vec<usize> = match split {
        TestSplit::Distinct => lists.values().map(|decks| decks[0]).collect(),
        TestSplit::Random => (0..library.len()).collect(),
        TestSplit::Time(cut) => {
            (0..library.len()).filter(|&at| library.day(at).is_some_and(|day| day >= cut)).collect()
        }
    };
    candidates.retain(|&at| library.deck(at).len() >= LEAST_CARDS);
    rng.shuffle(&mut candidates);
    candidates.truncate(most);
    let tested = candidates;
    let mut out = vec![false; library.len()];
    match split {
        TestSplit::Time(cut) => {
            for (at, out) in out.iter_mut().enumerate() {
                *out = library.day(at).is_none_or(|day| day >= cut);
            }
        }
        TestSplit::Random => tested.iter().for_each(|&at| out[at] = true),
        TestSplit::Distinct => {
            tested.iter().flat_map(|&at| &lists[library.deck(at)]).for_each(|&at| out[at] = true);
        }
    }
    let copied =
        tested.iter().filter(|&&at| lists[library.deck(at)].iter().any(|&other| !out[other])).count();
    let copied = copied as f64 / tested.len().max(1) as f64;
    SplitDecks { learned: (0..library.len()).filter(|&at| !out[at]).collect(), tested, copied }
}

/// A deck of which cards are hidden.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompletionQuestion {
    /// The cards that are shown, by their places among the cards that were learned; others are left out.
    pub known: Vec<u32>,
    /// The hidden cards that have a place.
    pub hidden: Vec<u32>,
    /// All hidden cards: so many are to be named.
    pub wanted: usize,
}

/// Hides cards of the tested decks, by chance. `places` says which cards were learned, and by which number.
#[must_use]
pub fn draw_questions(
    library: &DeckLibrary,
    parts: &SplitDecks,
    task: HidingTask,
    places: &[Option<u32>],
    seed: Seed,
) -> Vec<CompletionQuestion> {
    let place = |&card: &u32| places.get(card as usize).copied().flatten();
    let ask = |(number, &at): (usize, &usize)| {
        let mut deck = library.deck(at).to_vec();
        let name = match task {
            HidingTask::Hide(_) => "hide",
            HidingTask::Keep(_) => "keep",
        };
        let mut rng: Rng = seed.stream(name, number as u64);
        rng.shuffle(&mut deck);
        let hidden = match task {
            HidingTask::Hide(cards) => cards.min(deck.len() - 1),
            HidingTask::Keep(cards) => deck.len() - cards.min(deck.len() - 1),
        };
        let (hidden, known) = deck.split_at(hidden);
        CompletionQuestion {
            known: known.iter().filter_map(place).collect(),
            hidden: hidden.iter().filter_map(place).collect(),
            wanted: hidden.len(),
        }
    };
    parts.tested.iter().enumerate().map(ask).collect()
}

/// What a method found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CompletionScore {
    /// Hidden cards that were named.
    pub found: u64,
    /// Hidden cards.
    pub hidden: u64,
}

impl CompletionScore {
    /// The share of hidden cards that were named.
    #[must_use]
    pub fn found_share(&self) -> f64 {
        self.found as f64 / (self.hidden as f64).max(1.0)
    }

    /// Adds what was found in one deck.
    pub fn add_answer(&mut self, question: &CompletionQuestion, named: &[u32]) {
        debug_assert!(named.len() <= question.wanted, "more cards are named than are hidden");
        self.found += question.hidden.iter().filter(|card| named.contains(card)).count() as u64;
        self.hidden += question.wanted as u64;
    }
}

/// Both numbers, and their share.
#[cfg(feature = "serde")]
impl Serialize for CompletionScore {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("CompletionScore", 3)?;
        fields.serialize_field("found", &self.found)?;
        fields.serialize_field("hidden", &self.hidden)?;
        fields.serialize_field("share", &self.found_share())?;
        fields.end()
    }
}

/// The cards that a predictor wants most, besides those that are known; of equal ones those of smaller numbers.
#[must_use]
pub fn most_wanted_cards(
    predictor: &dyn CardPredictor,
    known: &[u32],
    count: usize,
    cards: usize,
) -> Vec<u32> {
    let mut out = vec![0.0; cards];
    predictor.predict(known, &mut out);
    for &card in known {
        out[card as usize] = f64::NEG_INFINITY;
    }
    let mut order: Vec<u32> = (0..cards as u32).collect();
    let count = count.min(cards.saturating_sub(known.len()));
    let better = |&a: &u32, &b: &u32| out[b as usize].total_cmp(&out[a as usize]).then(a.cmp(&b));
    if count < order.len() {
        order.select_nth_unstable_by(count, better);
        order.truncate(count);
    }
    order.sort_by(better);
    order
}

/// Adds cards one by one, each the one that is wanted most beside all before it, with what the predictor gave it then: a deck that hangs
/// together. [`most_wanted_cards`] names the cards that are most likely each by itself, which may come from decks of several kinds.
#[must_use]
pub fn add_cards_one_by_one(
    predictor: &dyn CardPredictor,
    known: &[u32],
    banned: &[u32],
    count: usize,
    cards: usize,
) -> Vec<(u32, f64)> {
    let mut deck = known.to_vec();
    let mut added = Vec::new();
    let mut out = vec![0.0; cards];
    for _ in 0..count {
        predictor.predict(&deck, &mut out);
        let free = (0..cards as u32).filter(|card| !deck.contains(card) && !banned.contains(card));
        let better = |&a: &u32, &b: &u32| out[a as usize].total_cmp(&out[b as usize]).then(b.cmp(&a));
        let Some(card) = free.max_by(better) else { break };
        added.push((card, out[card as usize]));
        deck.push(card);
    }
    added
}

/// Asks a predictor all questions, on so many threads; `observer` is told how many are answered. `None` if it stops the work.
pub fn ask_questions(
    predictor: &dyn CardPredictor,
    questions: &[CompletionQuestion],
    cards: usize,
    threads: usize,
    observer: Observer<'_, Progress>,
) -> Option<CompletionScore> {
    /// Questions between two looks at the observer.
    const AT_ONCE: usize = 64;
    let mut sum = CompletionScore::default();
    let all = questions.len();
    for (at, questions) in questions.chunks(AT_ONCE).enumerate() {
        if observer(Progress::new(at * AT_ONCE, all, "decks")).is_break() {
            return None;
        }
        let part = questions.len().div_ceil(threads.max(1)).max(1);
        let answer = |questions: &[CompletionQuestion]| {
            let mut sum = CompletionScore::default();
            for question in questions {
                sum.add_answer(
                    question,
                    &most_wanted_cards(predictor, &question.known, question.wanted, cards),
                );
            }
            sum
        };
        let parts: Vec<CompletionScore> = std::thread::scope(|scope| {
            let workers: Vec<_> =
                questions.chunks(part).map(|part| scope.spawn(move || answer(part))).collect();
            workers.into_iter().map(|worker| worker.join().expect("a predictor does not panic")).collect()
        });
        for found in parts {
            sum.found += found.found;
            sum.hidden += found.hidden;
        }
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use proptest::prelude::*;

    use super::*;

    /// Forty lists of ten cards, the first twenty twice, each on a day of its own.
    fn library() -> DeckLibrary {
        let mut library = DeckLibrary::default();
        for at in 0..60u32 {
            let list = at % 40;
            library.push(Some(Day(1000 + at as i32)), (0..10).map(|card| (list * 7 + card * card) % 97));
        }
        library
    }

    fn list(library: &DeckLibrary, at: usize) -> Vec<u32> {
        library.deck(at).to_vec()
    }

    #[test]
    fn nothing_that_is_tested_is_learned() {
        let library = library();
        for way in [TestSplit::Time(Day(1050)), TestSplit::Random, TestSplit::Distinct] {
            let parts = split_library(&library, way, 15, Seed::new(5), 0);
            let expected = if way == TestSplit::Time(Day(1050)) { 10 } else { 15 };
            assert_eq!(parts.tested.len(), expected, "{way:?}");
            assert!(parts.tested.iter().all(|at| !parts.learned.contains(at)), "{way:?}");
            let copied = |&&at: &&usize| {
                parts.learned.iter().any(|&other| list(&library, other) == list(&library, at))
            };
            let copies = parts.tested.iter().filter(copied).count();
            assert_eq!(parts.copied, copies as f64 / expected as f64, "{way:?}");
            match way {
                TestSplit::Time(cut) => {
                    assert_eq!(copies, 10);
                    assert!(parts.learned.iter().all(|&at| library.day(at).unwrap() < cut));
                }
                TestSplit::Random => assert!(copies > 0 && parts.learned.len() == 45),
                TestSplit::Distinct => assert_eq!(copies, 0),
            }
            assert_ne!(parts.tested, split_library(&library, way, 15, Seed::new(5), 1).tested, "{way:?}");
        }
        assert_eq!(TestSplit::for_last_share(&library, 0.1), Some(TestSplit::Time(Day(1054))));
        let mut undated = DeckLibrary::default();
        undated.push(None, 0..10);
        assert_eq!(TestSplit::for_last_share(&undated, 0.1), None);
    }

    /// Wants cards in the order of their numbers.
    struct Ascending;

    impl CardPredictor for Ascending {
        fn predict(&self, _: &[u32], out: &mut [f64]) {
            for (card, out) in out.iter_mut().enumerate() {
                *out = -(card as f64);
            }
        }
    }

    #[test]
    fn found_cards_are_counted() {
        assert_eq!(most_wanted_cards(&Ascending, &[0, 2], 3, 6), [1, 3, 4]);
        assert_eq!(most_wanted_cards(&Ascending, &[0], 9, 3), [1, 2]);
        let ask_all = |threads| {
            let question = |hidden: &[u32], wanted| CompletionQuestion {
                known: vec![0],
                hidden: hidden.to_vec(),
                wanted,
            };
            // Named are 1 and 2; 1, 2 and 3; two of whose hidden cards nobody knows.
            let questions = [question(&[1, 5], 2), question(&[4, 2, 3], 3), question(&[1], 3)];
            ask_questions(&Ascending, &questions, 6, threads, &mut |_| ControlFlow::Continue(())).unwrap()
        };
        assert_eq!(ask_all(1), CompletionScore { found: 1 + 2 + 1, hidden: 8 });
        assert_eq!(ask_all(1), ask_all(3));
        assert_eq!(
            ask_questions(
                &Ascending,
                &[CompletionQuestion { known: vec![], hidden: vec![], wanted: 1 }],
                2,
                1,
                &mut |_| { ControlFlow::Break(()) }
            ),
            None
        );
    }

    #[test]
    fn one_by_one_cards_come_from_decks_of_a_kind() {
        use super::super::predict::{ArchetypeModel, StrayingOptions};
        let mut library = DeckLibrary::default();
        for deck in
            [[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3], [0, 4, 5, 6], [0, 4, 5, 6], [0, 4, 7, 8], [0, 4, 7, 8]]
        {
            library.push(None, deck);
        }
        let model = ArchetypeModel::new(library, 9, StrayingOptions::default());
        // Card 4 is in four of seven decks, 1 to 3 in three each.
        assert_eq!(most_wanted_cards(&model, &[0], 3, 9), [4, 1, 2]);
        let cards = |banned: &[u32]| -> Vec<u32> {
            add_cards_one_by_one(&model, &[0], banned, 3, 9).into_iter().map(|(card, _)| card).collect()
        };
        assert_eq!(cards(&[]), [4, 5, 6]);
        assert_eq!(cards(&[5, 6]), [4, 7, 8]);
        assert_eq!(add_cards_one_by_one(&model, &[0], &[1, 2, 3], 99, 9).len(), 5);
    }

    proptest! {
        #[test]
        fn known_and_hidden_cards_are_the_deck(number in 1..12usize, keep in any::<bool>(), seed in any::<u64>()) {
            let library = library();
            let parts = split_library(&library, TestSplit::Random, 20, Seed::new(seed), 0);
            // Cards from 90 on are not known to the method.
            let places: Vec<Option<u32>> = (0..90).map(|card| Some(89 - card)).collect();
            let task = if keep { HidingTask::Keep(number) } else { HidingTask::Hide(number) };
            for (question, &at) in draw_questions(&library, &parts, task, &places, Seed::new(seed)).iter().zip(&parts.tested) {
                let deck = library.deck(at);
                let some = number.min(deck.len() - 1);
                prop_assert_eq!(question.wanted, if keep { deck.len() - some } else { some });
                let mut cards: Vec<u32> = question.known.iter().chain(&question.hidden).map(|place| 89 - place).collect();
                cards.sort_unstable();
                let known: Vec<u32> = deck.iter().copied().filter(|&card| card < 90).collect();
                prop_assert_eq!(cards, known);
            }
        }
    }
}
