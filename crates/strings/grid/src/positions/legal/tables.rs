//! Hash tables from frontiers to counts, in shards that threads fill together.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use ishi_work::{Stop, StopFlag};
use num_bigint::BigUint;

use crate::layers::STATES_A_LOOK;

/// A whole number of `W` 64-bit words, the lowest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WordCount<const W: usize>([u64; W]);

impl<const W: usize> WordCount<W> {
    pub(super) fn one_way() -> WordCount<W> {
        let mut words = [0; W];
        words[0] = 1;
        WordCount(words)
    }

    fn add_count(&mut self, other: &WordCount<W>) {
        let mut carry = false;
        for (word, more) in self.0.iter_mut().zip(other.0) {
            let (sum, over) = word.overflowing_add(more);
            let (sum, again) = sum.overflowing_add(u64::from(carry));
            (*word, carry) = (sum, over || again);
        }
        debug_assert!(!carry, "the number of words is chosen for the largest count");
    }

    pub(super) fn to_big(self) -> BigUint {
        let digits = self.0.iter().flat_map(|word| [*word as u32, (word >> 32) as u32]).collect();
        BigUint::new(digits)
    }
}

/// Bits that choose the shard.
const SHARD_BITS: u32 = 6;
const SHARDS: usize = 1 << SHARD_BITS;
/// Entries that a thread gathers for a shard before it locks it.
const BATCH: usize = 256;
/// No frontier is written like this.
const FREE: u64 = u64::MAX;

fn hash_key(key: u64) -> u64 {
    // The multiplier is 2^64 divided by the golden ratio, odd.
    let mixed = (key ^ key >> 29).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ mixed >> 32
}

fn shard_of_hash(hash: u64) -> usize {
    (hash >> (64 - SHARD_BITS)) as usize
}

/// One open-addressing table, at most three quarters full.
#[derive(Default)]
struct ShardTable<const W: usize> {
    slots: Vec<(u64, WordCount<W>)>,
    used: usize,
}

impl<const W: usize> ShardTable<W> {
    fn add_count(&mut self, key: u64, count: &WordCount<W>) {
        if 4 * (self.used + 1) > 3 * self.slots.len() {
            self.grow_slots();
        }
        let slot = self.slot_of_key(key);
        let entry = &mut self.slots[slot];
        if entry.0 == FREE {
            *entry = (key, *count);
            self.used += 1;
        } else {
            entry.1.add_count(count);
        }
    }

    /// Where the key is or would go.
    fn slot_of_key(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash_key(key) as usize & mask;
        while self.slots[slot].0 != FREE && self.slots[slot].0 != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow_slots(&mut self) {
        let size = (2 * self.slots.len()).max(16);
        let old = std::mem::replace(&mut self.slots, vec![(FREE, WordCount([0; W])); size]);
        for entry in old.into_iter().filter(|entry| entry.0 != FREE) {
            let slot = self.slot_of_key(entry.0);
            self.slots[slot] = entry;
        }
    }

    fn byte_size(&self) -> usize {
        self.slots.capacity() * size_of::<(u64, WordCount<W>)>()
    }
}

/// All frontiers of a layer.
pub(super) struct CountTables<const W: usize> {
    shards: Vec<ShardTable<W>>,
}

impl<const W: usize> CountTables<W> {
    fn new() -> CountTables<W> {
        CountTables { shards: (0..SHARDS).map(|_| ShardTable { slots: Vec::new(), used: 0 }).collect() }
    }

    /// One frontier, once.
    pub(super) fn with_key(key: u64) -> CountTables<W> {
        let mut tables = CountTables::new();
        tables.shards[shard_of_hash(hash_key(key))].add_count(key, &WordCount::one_way());
        tables
    }

    pub(super) fn state_count(&self) -> usize {
        self.shards.iter().map(|shard| shard.used).sum()
    }

    pub(super) fn entries(&self) -> impl Iterator<Item = (u64, WordCount<W>)> {
        self.shards.iter().flat_map(|shard| &shard.slots).filter(|entry| entry.0 != FREE).copied()
    }

    /// The next layer: `follow` names all that a frontier leads to. Also the bytes of both layers. Nothing if it is told to
    /// stop: this thread asks, and tells the others.
    pub(super) fn next_layer(
        self,
        threads: NonZeroUsize,
        stop: &dyn Stop,
        follow: impl Fn(u64, &mut dyn FnMut(u64)) + Sync,
    ) -> Option<(CountTables<W>, usize)> {
        let before: usize = self.shards.iter().map(ShardTable::byte_size).sum();
        let threads = if self.state_count() < 10_000 { 1 } else { threads.get() };
        let sources: Vec<_> = self.shards.into_iter().map(|shard| Mutex::new(Some(shard))).collect();
        let targets: Vec<_> = CountTables::new().shards.into_iter().map(Mutex::new).collect();
        let (next, halted) = (AtomicUsize::new(0), StopFlag::default());
        let worker = |stop: &dyn Stop| {
            let mut batches = ShardBatches::new(&targets);
            let mut states = 0usize;
            while let Some(source) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
                // It is taken out, so that its memory is free once it is read.
                let source = source.lock().unwrap_or_else(PoisonError::into_inner).take();
                for (key, count) in source.into_iter().flat_map(|source| source.slots) {
                    if key == FREE {
                        continue;
                    }
                    states += 1;
                    if states.is_multiple_of(STATES_A_LOOK) && stop.is_requested() {
                        halted.request();
                        return;
                    }
                    follow(key, &mut |next| batches.add_key(next, count));
                }
            }
            batches.flush_batches();
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|| worker(&halted));
            }
            worker(stop);
        });
        if halted.is_requested() {
            return None;
        }
        let shards =
            targets.into_iter().map(|shard| shard.into_inner().unwrap_or_else(PoisonError::into_inner));
        let tables = CountTables { shards: shards.collect() };
        let bytes = before + tables.shards.iter().map(ShardTable::byte_size).sum::<usize>();
        Some((tables, bytes))
    }
}

/// What a thread has for each shard.
struct ShardBatches<'a, const W: usize> {
    targets: &'a [Mutex<ShardTable<W>>],
    waiting: Vec<Vec<(u64, WordCount<W>)>>,
}

impl<const W: usize> ShardBatches<'_, W> {
    fn new(targets: &[Mutex<ShardTable<W>>]) -> ShardBatches<'_, W> {
        ShardBatches { targets, waiting: vec![Vec::new(); targets.len()] }
    }

    fn add_key(&mut self, key: u64, count: WordCount<W>) {
        let shard = shard_of_hash(hash_key(key));
        self.waiting[shard].push((key, count));
        if self.waiting[shard].len() == BATCH {
            self.hand_over_batch(shard);
        }
    }

    fn hand_over_batch(&mut self, shard: usize) {
        let mut table = self.targets[shard].lock().unwrap_or_else(PoisonError::into_inner);
        for (key, count) in self.waiting[shard].drain(..) {
            table.add_count(key, &count);
        }
    }

    fn flush_batches(&mut self) {
        (0..self.waiting.len()).for_each(|shard| self.hand_over_batch(shard));
    }
}
