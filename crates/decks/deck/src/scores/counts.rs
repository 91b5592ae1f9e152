//! In how many decks cards meet.
//!
//! A pair is counted in the row of its larger card. While cards are few, rows are plain arrays; when these would outgrow the
//! memory that is allowed, rows become hash tables, and when those outgrow it, the rarest pairs are forgotten, as in
//! G. Manku, R. Motwani, "Approximate frequency counts over data streams" (VLDB 2002): every count is then at most
//! [`DeckCounts::largest_miss`] too low. Rows belong to shards and a shard to one thread, so that no count depends on the number of
//! threads.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// How to count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountOptions {
    /// Threads.
    pub threads: usize,
    /// Memory for the counts of pairs, in bytes.
    pub memory: usize,
}

impl Default for CountOptions {
    /// One thread and 1 GB: all pairs of 22,000 cards.
    fn default() -> CountOptions {
        CountOptions { threads: 1, memory: 1 << 30 }
    }
}

/// Decks that are counted together.
#[derive(Clone, Debug, Default)]
pub struct DeckBatch {
    /// The decks' cards, one deck after the other, each ascending and without its leader.
    cards: Vec<u32>,
    /// Where each deck ends.
    ends: Vec<usize>,
    leaders: Vec<Option<u32>>,
}

/// Sorts what stands from `start` on and keeps one of each; gives the new end.
pub(super) fn sort_unique_from(cards: &mut Vec<u32>, start: usize) -> usize {
    cards[start..].sort_unstable();
    let mut end = start;
    for at in start..cards.len() {
        if end == start || cards[end - 1] != cards[at] {
            cards[end] = cards[at];
            end += 1;
        }
    }
    cards.truncate(end);
    end
}

impl DeckBatch {
    /// Adds a deck. Copies of a card count once; the leader may be among the cards or not.
    pub fn push(&mut self, leader: Option<u32>, deck: &[u32]) {
        let start = self.cards.len();
        self.cards.extend(deck.iter().filter(|&&card| Some(card) != leader));
        self.ends.push(sort_unique_from(&mut self.cards, start));
        self.leaders.push(leader);
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

    /// Forgets all decks.
    pub fn clear(&mut self) {
        self.cards.clear();
        self.ends.clear();
        self.leaders.clear();
    }

    /// All decks: the leader, and the other cards, ascending.
    pub fn decks(&self) -> impl Iterator<Item = (Option<u32>, &[u32])> {
        (0..self.len()).map(|at| {
            let start = if at == 0 { 0 } else { self.ends[at - 1] };
            (self.leaders[at], &self.cards[start..self.ends[at]])
        })
    }
}

/// Rows are dealt to so many shards, whatever the number of threads.
const SHARDS: usize = 64;
/// Bytes that a pair takes in a hash table: key, count, control byte, the room that is left free, and the smaller table that
/// stands beside while the table grows.
const HASHED: usize = 48;

/// The counts.
#[derive(Clone, Debug)]
pub struct DeckCounts {
    options: CountOptions,
    decks: u64,
    led: u64,
    /// Decks with the card, not as their leader.
    of: Vec<u32>,
    /// The same, of decks with a leader.
    of_led: Vec<u32>,
    /// Decks that the card leads.
    leads: Vec<u32>,
    hashed: bool,
    shards: Vec<CountShard>,
}

#[derive(Clone, Debug, Default)]
struct CountShard {
    /// The shard's rows: of its `k`-th card `c`, counts with cards `0..c`.
    rows: Vec<Vec<u32>>,
    /// Counts of the shard's leaders with all cards.
    led: Vec<Vec<u32>>,
    /// Counts that stand in place of both, by [`pair_key`].
    hashed: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    missed: u32,
}

/// Mixes the bits of a key, always in the same way: multiplication by 2^64 / golden ratio, and the high half added.
#[derive(Clone, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, key: u64) {
        let mixed = (self.0 ^ key).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

/// The larger card of a pair, or the leader; the other card; is the first a leader?
fn pair_key(row: u32, column: u32, leads: bool) -> u64 {
    u64::from(leads) << 63 | u64::from(row) << 32 | u64::from(column)
}

impl DeckCounts {
    /// No deck yet.
    #[must_use]
    pub fn new(options: &CountOptions) -> DeckCounts {
        let options = CountOptions { threads: options.threads.clamp(1, SHARDS), ..*options };
        DeckCounts {
            options,
            decks: 0,
            led: 0,
            of: Vec::new(),
            of_led: Vec::new(),
            leads: Vec::new(),
            hashed: false,
            shards: vec![CountShard::default(); SHARDS],
        }
    }

    /// Counts decks.
    ///
    /// # Panics
    /// If a card's number is 2^31 or more.
    pub fn count_batch(&mut self, batch: &DeckBatch) {
        self.count_singles(batch);
        self.make_rows();
        let per_thread = SHARDS.div_ceil(self.options.threads);
        let limit = self.options.memory / HASHED / SHARDS;
        let hashed = self.hashed;
        if self.options.threads == 1 {
            return count_pairs(&mut self.shards, 0, batch, hashed, limit);
        }
        std::thread::scope(|scope| {
            for (at, shards) in self.shards.chunks_mut(per_thread).enumerate() {
                scope.spawn(move || count_pairs(shards, at * per_thread, batch, hashed, limit));
            }
        });
    }

    fn count_singles(&mut self, batch: &DeckBatch) {
        for (leader, deck) in batch.decks() {
            let cards = deck.iter().chain(&leader).map(|&card| card as usize + 1).max().unwrap_or(0);
            assert!(cards <= 1 << 31, "card {}", cards - 1);
            if cards > self.of.len() {
                for counts in [&mut self.of, &mut self.of_led, &mut self.leads] {
                    counts.resize(cards, 0);
                }
            }
            self.decks += 1;
            for &card in deck {
                self.of[card as usize] += 1;
            }
            if let Some(leader) = leader {
                self.led += 1;
                self.leads[leader as usize] += 1;
                for &card in deck {
                    self.of_led[card as usize] += 1;
                }
            }
        }
    }

    /// Makes all rows as long as the cards need, or hash tables of them.
    fn make_rows(&mut self) {
        if self.hashed {
            return;
        }
        let cards = self.card_count();
        let leaders = self.leads.iter().filter(|&&leads| leads > 0).count();
        let cells = cards * cards.saturating_sub(1) / 2 + leaders * cards;
        if cells.saturating_mul(4) > self.options.memory {
            self.move_to_hash_tables();
            return;
        }
        for (at, shard) in self.shards.iter_mut().enumerate() {
            for (place, card) in (at..cards).step_by(SHARDS).enumerate() {
                if place == shard.rows.len() {
                    shard.rows.push(vec![0; card]);
                    shard.led.push(Vec::new());
                }
                if self.leads[card] > 0 {
                    shard.led[place].resize(cards, 0);
                }
            }
        }
    }

    fn move_to_hash_tables(&mut self) {
        self.hashed = true;
        let limit = self.options.memory / HASHED / SHARDS;
        for (at, shard) in self.shards.iter_mut().enumerate() {
            for (leads, rows) in
                [(false, std::mem::take(&mut shard.rows)), (true, std::mem::take(&mut shard.led))]
            {
                for (place, row) in rows.into_iter().enumerate() {
                    let card = (place * SHARDS + at) as u32;
                    for (column, &count) in row.iter().enumerate().filter(|&(_, &count)| count > 0) {
                        shard.add_hashed(pair_key(card, column as u32, leads), count, limit);
                    }
                }
            }
        }
    }

    /// Decks that were counted.
    #[must_use]
    pub fn deck_count(&self) -> u64 {
        self.decks
    }

    /// Decks with a leader.
    #[must_use]
    pub fn led_deck_count(&self) -> u64 {
        self.led
    }

    /// One more than the largest number of a card.
    #[must_use]
    pub fn card_count(&self) -> usize {
        self.of.len()
    }

    /// Decks that hold a card, not as their leader.
    #[must_use]
    pub fn decks_with(&self, card: usize) -> u32 {
        self.of.get(card).copied().unwrap_or(0)
    }

    /// The same, only of decks with a leader.
    #[must_use]
    pub fn led_decks_with(&self, card: usize) -> u32 {
        self.of_led.get(card).copied().unwrap_or(0)
    }

    /// Decks that a card leads.
    #[must_use]
    pub fn decks_led_by(&self, card: usize) -> u32 {
        self.leads.get(card).copied().unwrap_or(0)
    }

    /// Decks that hold both cards, neither as the leader.
    #[must_use]
    pub fn decks_with_pair(&self, a: usize, b: usize) -> u32 {
        let (row, column) = (a.max(b), a.min(b));
        if row == column || row >= self.card_count() {
            return 0;
        }
        let shard = &self.shards[row % SHARDS];
        if self.hashed {
            return shard.hashed.get(&pair_key(row as u32, column as u32, false)).copied().unwrap_or(0);
        }
        shard.rows[row / SHARDS][column]
    }

    /// Decks that `leader` leads and that hold `card` besides.
    #[must_use]
    pub fn decks_with_leader_pair(&self, leader: usize, card: usize) -> u32 {
        if leader >= self.card_count() {
            return 0;
        }
        let shard = &self.shards[leader % SHARDS];
        if self.hashed {
            return shard.hashed.get(&pair_key(leader as u32, card as u32, true)).copied().unwrap_or(0);
        }
        shard.led[leader / SHARDS].get(card).copied().unwrap_or(0)
    }

    /// All pairs that met at least `least` times (and once), the larger card first, ascending, with their counts.
    #[must_use]
    pub fn frequent_pairs(&self, least: u32) -> Vec<(u32, u32, u32)> {
        self.collect_pairs(least, false)
    }

    /// All leaders with the cards that they met at least `least` times (and once), ascending, with their counts.
    #[must_use]
    pub fn frequent_leader_pairs(&self, least: u32) -> Vec<(u32, u32, u32)> {
        self.collect_pairs(least, true)
    }

    fn collect_pairs(&self, least: u32, leads: bool) -> Vec<(u32, u32, u32)> {
        let least = least.max(1);
        if self.hashed {
            let all = self.shards.iter().flat_map(|shard| &shard.hashed);
            let wanted = all.filter(|&(&key, &count)| count >= least && (key >> 63 == 1) == leads);
            let pair =
                |(&key, &count): (&u64, &u32)| ((key >> 32) as u32 & (u32::MAX >> 1), key as u32, count);
            let mut pairs: Vec<_> = wanted.map(pair).collect();
            pairs.sort_unstable();
            return pairs;
        }
        let mut pairs = Vec::new();
        for card in 0..self.card_count() {
            let shard = &self.shards[card % SHARDS];
            let row = if leads { &shard.led[card / SHARDS] } else { &shard.rows[card / SHARDS] };
            let wanted = row.iter().enumerate().filter(|&(_, &count)| count >= least);
            pairs.extend(wanted.map(|(column, &count)| (card as u32, column as u32, count)));
        }
        pairs
    }

    /// Counts of pairs are at most so much too low: 0 unless the memory was too small.
    #[must_use]
    pub fn largest_miss(&self) -> u32 {
        self.shards.iter().map(|shard| shard.missed).max().unwrap_or(0)
    }
}

/// Counts the pairs whose rows are in `shards`, of which the first has the number `first`.
fn count_pairs(shards: &mut [CountShard], first: usize, batch: &DeckBatch, hashed: bool, limit: usize) {
    for (leader, deck) in batch.decks() {
        for (at, &row) in deck.iter().enumerate() {
            let Some(shard) = (row as usize % SHARDS).checked_sub(first).and_then(|at| shards.get_mut(at))
            else {
                continue;
            };
            shard.count_row(row, &deck[..at], false, hashed, limit);
        }
        let Some(leader) = leader else { continue };
        if let Some(shard) = (leader as usize % SHARDS).checked_sub(first).and_then(|at| shards.get_mut(at)) {
            shard.count_row(leader, deck, true, hashed, limit);
        }
    }
}

impl CountShard {
    fn count_row(&mut self, row: u32, columns: &[u32], leads: bool, hashed: bool, limit: usize) {
        if hashed {
            for &column in columns {
                self.add_hashed(pair_key(row, column, leads), 1, limit);
            }
            return;
        }
        let rows = if leads { &mut self.led } else { &mut self.rows };
        let counts = &mut rows[row as usize / SHARDS];
        for &column in columns {
            counts[column as usize] += 1;
        }
    }

    fn add_hashed(&mut self, key: u64, count: u32, limit: usize) {
        *self.hashed.entry(key).or_insert(0) += count;
        while self.hashed.len() > limit.max(1) {
            self.forget_rarest(limit.max(1) / 2);
        }
    }

    /// Forgets the rarest pairs until no more than `most` are left.
    fn forget_rarest(&mut self, most: usize) {
        let mut counts: Vec<u32> = self.hashed.values().copied().collect();
        let at = counts.len() - 1 - most.min(counts.len() - 1);
        let (_, &mut rarest, _) = counts.select_nth_unstable(at);
        self.hashed.retain(|_, count| *count > rarest);
        // A pair that comes back may have been forgotten with a count of up to this, on top of what it had lost before.
        self.missed += rarest;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn counted(decks: &[(Option<u32>, Vec<u32>)], threads: usize, memory: usize, batch: usize) -> DeckCounts {
        let mut counts = DeckCounts::new(&CountOptions { threads, memory });
        for decks in decks.chunks(batch) {
            let mut batch = DeckBatch::default();
            for (leader, deck) in decks {
                batch.push(*leader, deck);
            }
            counts.count_batch(&batch);
        }
        counts
    }

    #[test]
    fn pairs_are_counted_by_hand() {
        let decks = [(None, vec![2, 0, 1, 1]), (Some(1), vec![1, 0, 2]), (Some(3), vec![0, 2])];
        let counts = counted(&decks, 1, 1 << 20, 2);
        assert_eq!((counts.deck_count(), counts.led_deck_count(), counts.card_count()), (3, 2, 4));
        assert_eq!((0..4).map(|card| counts.decks_with(card)).collect::<Vec<_>>(), [3, 1, 3, 0]);
        assert_eq!((counts.decks_led_by(1), counts.decks_led_by(3), counts.decks_led_by(0)), (1, 1, 0));
        assert_eq!(counts.frequent_pairs(0), [(1, 0, 1), (2, 0, 3), (2, 1, 1)]);
        assert_eq!(counts.frequent_leader_pairs(1), [(1, 0, 1), (1, 2, 1), (3, 0, 1), (3, 2, 1)]);
        assert_eq!(
            (
                counts.decks_with_pair(0, 2),
                counts.decks_with_pair(2, 0),
                counts.decks_with_pair(2, 2),
                counts.decks_with_pair(9, 0)
            ),
            (3, 3, 0, 0)
        );
        assert_eq!(
            (
                counts.decks_with_leader_pair(1, 2),
                counts.decks_with_leader_pair(2, 1),
                counts.led_decks_with(0)
            ),
            (1, 0, 2)
        );
        assert_eq!(counts.largest_miss(), 0);
    }

    #[test]
    fn what_is_forgotten_is_bounded() {
        // One pair in every deck, and many that come once.
        let decks: Vec<_> = (0..4000).map(|at| (None, vec![0, 64, 64 * (at + 2)])).collect();
        let counts = counted(&decks, 1, SHARDS * HASHED * 50, 100);
        assert!(counts.largest_miss() > 0, "the memory was too small");
        let found = counts.decks_with_pair(0, 64);
        assert!(found <= 4000 && found + counts.largest_miss() >= 4000, "{found} {}", counts.largest_miss());
        assert!(counts.frequent_pairs(0).len() <= 50 * SHARDS);
    }

    fn some_decks() -> impl Strategy<Value = Vec<(Option<u32>, Vec<u32>)>> {
        let leader = prop_oneof![Just(None), (0..90u32).prop_map(Some)];
        proptest::collection::vec((leader, proptest::collection::vec(0..90u32, 0..9)), 0..60)
    }

    proptest! {
        #[test]
        fn threads_batches_and_tables_agree(decks in some_decks(), threads in 1..5usize, batch in 1..20usize) {
            let counts = counted(&decks, 1, 1 << 20, 1000);
            let others = [counted(&decks, threads, 1 << 20, batch), counted(&decks, threads, 1 << 16, batch)];
            prop_assert!(others[1].card_count() < 60 || others[1].hashed || others[1].card_count().pow(2) * 2 < 1 << 16);
            for other in others {
                prop_assert_eq!(counts.frequent_pairs(0), other.frequent_pairs(0));
                prop_assert_eq!(counts.frequent_leader_pairs(0), other.frequent_leader_pairs(0));
            }
            // Recounted pair by pair.
            for a in 0..counts.card_count() as u32 {
                for b in 0..counts.card_count() as u32 {
                    let holds = |(leader, deck): &(Option<u32>, Vec<u32>), card: u32| deck.contains(&card) && *leader != Some(card);
                    let met = decks.iter().filter(|deck| a != b && holds(deck, a) && holds(deck, b)).count();
                    prop_assert_eq!(counts.decks_with_pair(a as usize, b as usize), met as u32);
                    let led = decks.iter().filter(|deck| deck.0 == Some(a) && holds(deck, b)).count();
                    prop_assert_eq!(counts.decks_with_leader_pair(a as usize, b as usize), led as u32);
                }
            }
        }

        #[test]
        fn forgetting_is_the_same_for_any_threads(decks in some_decks(), threads in 2..5usize, batch in 1..20usize) {
            let memory = SHARDS * HASHED * 2;
            let (one, many) = (counted(&decks, 1, memory, batch), counted(&decks, threads, memory, batch));
            prop_assert_eq!(one.frequent_pairs(0), many.frequent_pairs(0));
            prop_assert_eq!(one.largest_miss(), many.largest_miss());
        }
    }
}
