//! What is known of the positions of a closed region.

use super::region::ClosedStones;
use crate::proof::ProofNumbers;

/// Places of a table at first: two to this power.
const LEAST_BITS: u32 = 12;
/// Positions that are remembered at most: their table takes 64 MiB.
const MOST_POSITIONS: usize = 1 << 20;
/// Bits of a set of points in a key.
const SET_BITS: u32 = super::region::MOST as u32;

/// What a position's being held rests on: that positions on the way to it, which came up again, are held. A. Kishimoto and M. Mueller, "A general
/// solution to the graph history interaction problem", 2004: such a result is used only while the search is below all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    /// How deep the highest of them lies on the path, and the deepest.
    pub(super) top: u16,
    pub(super) deepest: u16,
    /// The visit to the deepest.
    pub(super) visit: u32,
}

impl Condition {
    /// It rests on nothing.
    pub(super) const NONE: Condition = Condition { top: u16::MAX, deepest: 0, visit: 0 };

    pub(super) fn is_none(self) -> bool {
        self.top == u16::MAX
    }

    /// Both together; the visit is to be filled in.
    pub(super) fn and(self, other: Condition) -> Condition {
        if self.is_none() {
            return other;
        }
        if other.is_none() {
            return self;
        }
        let deepest = if self.deepest >= other.deepest { self } else { other };
        Condition { top: self.top.min(other.top), ..deepest }
    }
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    key: u64,
    pub(super) numbers: ProofNumbers,
    pub(super) condition: Condition,
    /// The search that found it; others do not see it.
    search: u32,
    /// One more than how deep it lies on the path, 0 if it does not.
    pub(super) path: u16,
}

impl Known {
    const NOTHING: Known = Known {
        key: 0,
        numbers: ProofNumbers { proof: 0, disproof: 0 },
        condition: Condition::NONE,
        search: 0,
        path: 0,
    };
}

/// All that is known. It grows with the search: nothing is forgotten, and keys are positions.
#[derive(Clone, Debug)]
pub(super) struct ClosedMemory {
    table: Vec<Known>,
    bits: u32,
    count: usize,
    search: u32,
    /// An earlier search of the same question, and which of its results hold still: that the target falls, or that it is held.
    kept: Option<(u32, bool)>,
}

impl Default for ClosedMemory {
    fn default() -> Self {
        let table = vec![Known::NOTHING; 1 << LEAST_BITS];
        ClosedMemory { table, bits: LEAST_BITS, count: 0, search: 0, kept: None }
    }
}

/// A position as a number: its stones, the ko, and who moves.
#[inline]
pub(super) fn position_key(stones: ClosedStones, attacking: bool) -> u64 {
    let ko = if stones.ko == 0 { 0 } else { stones.ko.trailing_zeros() + 1 };
    u64::from(stones.own)
        | u64::from(stones.enemy) << SET_BITS
        | u64::from(ko) << (2 * SET_BITS)
        | u64::from(attacking) << 61
}

impl ClosedMemory {
    /// Forgets all.
    pub(super) fn begin_question(&mut self) {
        (self.count, self.kept) = (0, None);
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.table.fill(Known::NOTHING);
            self.search = 1;
        }
    }

    /// Begins another search of the question, for which those positions still fall, or hold, that do in the present one.
    pub(super) fn begin_search_keeping(&mut self, falls: bool) {
        if let Some(next) = self.search.checked_add(1) {
            self.kept = Some((self.search, falls));
            self.search = next;
        } else {
            self.begin_question();
        }
    }

    /// Is there no room for more? Then nothing more can be found out.
    pub(super) fn is_full(&self) -> bool {
        self.count >= MOST_POSITIONS
    }

    /// Does the place belong to the present question?
    #[inline]
    fn is_in_use(&self, known: &Known) -> bool {
        known.search == self.search || self.kept.is_some_and(|(kept, _)| known.search == kept)
    }

    /// Where the position is, or would be.
    #[inline]
    fn slot(&self, key: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut slot = ((key ^ key >> 31).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - self.bits)) as usize;
        loop {
            let known = &self.table[slot];
            if known.key == key || !self.is_in_use(known) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<&Known> {
        let known = &self.table[self.slot(key)];
        if known.key != key {
            return None;
        }
        let is_kept = |(search, falls): (u32, bool)| {
            let number = if falls { known.numbers.proof } else { known.numbers.disproof };
            known.search == search && number == 0 && known.condition.is_none()
        };
        (known.search == self.search || self.kept.is_some_and(is_kept)).then_some(known)
    }

    pub(super) fn put(&mut self, key: u64, numbers: ProofNumbers, condition: Condition, path: u16) {
        let slot = self.slot(key);
        let is_new = !self.is_in_use(&self.table[slot]);
        self.table[slot] = Known { key, numbers, condition, search: self.search, path };
        self.count += usize::from(is_new);
        if 2 * self.count > self.table.len() {
            self.grow();
        }
    }

    fn grow(&mut self) {
        self.bits += 1;
        let old = std::mem::replace(&mut self.table, vec![Known::NOTHING; 1 << self.bits]);
        for known in old {
            if self.is_in_use(&known) {
                let slot = self.slot(known.key);
                self.table[slot] = known;
            }
        }
    }
}
