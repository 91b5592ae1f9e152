//! The hash table of positions, shared by the threads of a search without locks.
//!
//! An entry is two words: the data, and the hash exclusive-or the data (Hyatt and Mann, "A lock-less transposition
//! table implementation for parallel search", ICGA Journal 25, 2002). A torn entry does not match and is ignored.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use ishi_othello::simd::prefetch_line;

/// What is known of a position, for its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TranspositionEntry {
    /// The score is at least this.
    pub(super) lower: i8,
    /// The score is at most this.
    pub(super) upper: i8,
    /// Plies that were looked ahead.
    pub(super) depth: u8,
    /// Number of the confidence that cuts had.
    pub(super) confidence: u8,
    /// The best move and the one before it; 64: none.
    pub(super) moves: [u8; 2],
}

/// No move.
pub(super) const NO_MOVE: u8 = 64;

impl TranspositionEntry {
    /// The bound that says whether the score is more than `alpha`; none if neither does.
    #[inline(always)]
    pub(super) fn bound_against(&self, alpha: i32) -> Option<i32> {
        let (lower, upper) = (i32::from(self.lower), i32::from(self.upper));
        if lower > alpha {
            return Some(lower);
        }
        (upper <= alpha).then_some(upper)
    }

    fn pack_word(self, cost: u8, age: u8) -> u64 {
        u64::from_le_bytes([
            self.lower as u8,
            self.upper as u8,
            self.depth,
            self.confidence,
            self.moves[0],
            self.moves[1],
            cost,
            age,
        ])
    }

    fn unpack_word(data: u64) -> (TranspositionEntry, u8, u8) {
        let [lower, upper, depth, confidence, a, b, cost, age] = data.to_le_bytes();
        let entry =
            TranspositionEntry { lower: lower as i8, upper: upper as i8, depth, confidence, moves: [a, b] };
        (entry, cost, age)
    }
}

/// Four entries in a cache line.
#[derive(Default)]
#[repr(align(64))]
struct TableBucket([(AtomicU64, AtomicU64); 4]);

/// The table. It is emptied without being written: what was stored at an age before `oldest` is as if it were not there.
/// There is room for the entries from the beginning, and they are written before the first search: so a table that was made never lacks memory.
pub(super) struct TranspositionTable {
    /// None before [`TranspositionTable::fill_room`], then `count`.
    buckets: Vec<TableBucket>,
    /// A power of two.
    count: usize,
    /// From 1; an empty entry has age 0.
    age: AtomicU8,
    /// The least word of an entry that counts: its age is the highest byte.
    oldest: AtomicU64,
}

/// The last age; after it the table is emptied in earnest.
const LAST_AGE: u8 = u8::MAX;

/// The least word that an entry of this age can be.
const fn least_word(age: u8) -> u64 {
    (age as u64) << 56
}

/// The hash of a board.
#[inline(always)]
pub(super) fn hash_board(player: u64, opponent: u64) -> u64 {
    // Two odd constants from the binary expansion of pi, and a mix of the halves of the product.
    let a = player.wrapping_mul(0x2437_6a88_85a3_08d3);
    let b = opponent.wrapping_mul(0x1319_8a2e_0370_7345);
    let mixed = (a ^ a >> 32).wrapping_add((b ^ b >> 29).rotate_left(21)).wrapping_mul(0xa409_3822_299f_31d1);
    mixed ^ mixed >> 32
}

impl TranspositionTable {
    /// Room for 2 to the power of `bits` entries.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub(super) fn reserve_entries(bits: u32) -> Result<TranspositionTable, TryReserveError> {
        TranspositionTable::reserve_buckets(1usize << (bits.clamp(10, 30) - 2))
    }

    fn reserve_buckets(count: usize) -> Result<TranspositionTable, TryReserveError> {
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count)?;
        let (age, oldest) = (AtomicU8::new(1), AtomicU64::new(least_word(1)));
        Ok(TranspositionTable { buckets, count, age, oldest })
    }

    /// Writes the empty entries, if that has not been done.
    pub(super) fn fill_room(&mut self) {
        if self.buckets.is_empty() {
            self.buckets.resize_with(self.count, TableBucket::default);
        }
    }

    /// Entries of searches before this one are replaced first from now on.
    pub(super) fn grow_older(&self) {
        if self.age.load(Relaxed) == LAST_AGE {
            self.erase_entries();
        } else {
            self.age.fetch_add(1, Relaxed);
        }
    }

    /// Empties it: from now on it answers and stores as a new one does, bit for bit.
    pub(super) fn clear(&self) {
        self.grow_older();
        self.oldest.store(least_word(self.age.load(Relaxed)), Relaxed);
    }

    fn erase_entries(&self) {
        for (check, data) in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            check.store(0, Relaxed);
            data.store(0, Relaxed);
        }
        self.age.store(1, Relaxed);
        self.oldest.store(least_word(1), Relaxed);
    }

    #[inline(always)]
    fn bucket_of(&self, hash: u64) -> &TableBucket {
        &self.buckets[hash as usize & (self.buckets.len() - 1)]
    }

    /// Asks for what [`TranspositionTable::get`] will read.
    #[inline(always)]
    pub(super) fn prefetch(&self, hash: u64) {
        prefetch_line(self.bucket_of(hash));
    }

    /// What is known of the position with this hash.
    #[inline(always)]
    pub(super) fn get(&self, hash: u64) -> Option<TranspositionEntry> {
        let oldest = self.oldest.load(Relaxed);
        for (check, data) in &self.bucket_of(hash).0 {
            let data = data.load(Relaxed);
            if check.load(Relaxed) ^ data == hash && data >= oldest {
                return Some(TranspositionEntry::unpack_word(data).0);
            }
        }
        None
    }

    /// Stores what a search has found: `score` by a search with the window `alpha` to `beta`.
    pub(super) fn store_outcome(&self, hash: u64, found: &BoardSearchOutcome) {
        let (age, oldest) = (self.age.load(Relaxed), self.oldest.load(Relaxed));
        let bucket = self.bucket_of(hash);
        let (mut place, mut least) = (0, u32::MAX);
        for (i, (check, data)) in bucket.0.iter().enumerate() {
            let data = data.load(Relaxed);
            if data >= oldest && check.load(Relaxed) ^ data == hash {
                let merged = found.merge_with(TranspositionEntry::unpack_word(data).0);
                self.write_word(bucket, i, hash, merged.pack_word(found.cost, age));
                return;
            }
            let (_, cost, of) = TranspositionEntry::unpack_word(data);
            let worth = u32::from(data >= oldest) * (1 + u32::from(cost) + 256 * u32::from(of == age));
            if worth < least {
                (place, least) = (i, worth);
            }
        }
        self.write_word(bucket, place, hash, found.to_entry().pack_word(found.cost, age));
    }

    fn write_word(&self, bucket: &TableBucket, place: usize, hash: u64, data: u64) {
        let (check, word) = &bucket.0[place];
        check.store(hash ^ data, Relaxed);
        word.store(data, Relaxed);
    }
}

/// The outcome of searching a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardSearchOutcome {
    pub(super) depth: u8,
    pub(super) confidence: u8,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) score: i32,
    pub(super) best: u8,
    /// Binary logarithm of the positions visited.
    pub(super) cost: u8,
}

impl BoardSearchOutcome {
    fn to_entry(self) -> TranspositionEntry {
        let lower = if self.score > self.alpha { self.score } else { -64 };
        let upper = if self.score < self.beta { self.score } else { 64 };
        // A move that failed low is not known to be good.
        let best = if self.score > self.alpha { self.best } else { NO_MOVE };
        TranspositionEntry {
            lower: lower as i8,
            upper: upper as i8,
            depth: self.depth,
            confidence: self.confidence,
            moves: [best, NO_MOVE],
        }
    }

    /// What was known before, and this.
    fn merge_with(&self, old: TranspositionEntry) -> TranspositionEntry {
        let mut new = self.to_entry();
        if (old.depth, old.confidence) == (self.depth, self.confidence) {
            if new.lower == -64 {
                new.lower = old.lower.min(new.upper);
            }
            if new.upper == 64 {
                new.upper = old.upper.max(new.lower);
            }
        }
        new.moves = match new.moves[0] {
            NO_MOVE => old.moves,
            best if best == old.moves[0] => old.moves,
            best => [best, old.moves[0]],
        };
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More than any machine can address is refused, where it would end the process. What is there has room from the beginning.
    #[test]
    fn a_table_without_memory_is_refused() {
        assert!(TranspositionTable::reserve_buckets(usize::MAX >> 8).is_err());
        let mut table = TranspositionTable::reserve_entries(12).unwrap();
        assert_eq!(table.buckets.len(), 0);
        let room = table.buckets.as_ptr();
        table.fill_room();
        assert_eq!((table.buckets.len(), table.buckets.as_ptr()), (1 << 10, room));
    }
}
