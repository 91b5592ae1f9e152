//! Decks that are kept in memory, for models that look at whole decks.

use super::counts::sort_unique_from;
use super::log::Day;

/// Decks as sets of cards.
#[derive(Clone, Debug, Default)]
pub struct DeckLibrary {
    /// The decks' cards, one deck after the other, each ascending, without copies.
    cards: Vec<u32>,
    ends: Vec<usize>,
    days: Vec<Option<Day>>,
    most: usize,
}

impl DeckLibrary {
    /// Adds a deck; copies of a card count once.
    pub fn push(&mut self, day: Option<Day>, deck: impl IntoIterator<Item = u32>) {
        let start = self.cards.len();
        self.cards.extend(deck);
        self.ends.push(sort_unique_from(&mut self.cards, start));
        self.days.push(day);
        self.most = self.most.max(self.cards[start..].last().map_or(0, |&card| card as usize + 1));
    }

    /// Decks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Is there no deck?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// One more than the largest number of a card.
    #[must_use]
    pub fn card_count(&self) -> usize {
        self.most
    }

    /// The cards of a deck, ascending.
    #[must_use]
    pub fn deck(&self, at: usize) -> &[u32] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.cards[start..self.ends[at]]
    }

    /// When a deck was played.
    #[must_use]
    pub fn day(&self, at: usize) -> Option<Day> {
        self.days[at]
    }

    /// All decks.
    pub fn decks(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|at| self.deck(at))
    }

    /// These decks, of only the cards that have a place, by their places.
    #[must_use]
    pub fn restrict_to_places(&self, decks: &[usize], places: &[Option<u32>]) -> DeckLibrary {
        let mut library = DeckLibrary::default();
        for &at in decks {
            let cards = self.deck(at).iter().filter_map(|&card| places.get(card as usize).copied().flatten());
            library.push(self.day(at), cards);
        }
        library
    }

    /// The decks that hold each card of `0..cards`, ascending.
    #[must_use]
    pub fn decks_by_card(&self, cards: usize) -> Vec<Vec<u32>> {
        let mut postings = vec![Vec::new(); cards];
        for (at, deck) in self.decks().enumerate() {
            for &card in deck {
                postings[card as usize].push(at as u32);
            }
        }
        postings
    }
}
