//! Proof and disproof numbers, and what a depth-first search by them remembers (A. Nagai, "Df-pn algorithm for searching AND/OR
//! trees and its applications", 2002). The search does not hurry back to a sibling (J. Pawlewicz and L. Lew, "Improving
//! depth-first PN-search: 1+ε trick", 2006).
//!
//! What a repeated position has decided holds on the way to it only: it is not remembered for other ways (A. Kishimoto and M. Mueller,
//! "A general solution to the graph history interaction problem", 2004, whose remedy here is the simplest: to search again).

use ishi_go::Point;

use crate::lambda::{KoRight, ReadingAnswer, ReadingOutcome};

/// No proof is possible: more than any sum.
pub(crate) const INFINITE: u32 = 1 << 28;

/// Proof and disproof number of "the target falls".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ProofNumbers {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
}

impl ProofNumbers {
    pub(crate) const FALLS: ProofNumbers = ProofNumbers { proof: 0, disproof: INFINITE };
    pub(crate) const HOLDS: ProofNumbers = ProofNumbers { proof: INFINITE, disproof: 0 };
    /// The threshold of a search that goes on until it is known.
    pub(crate) const ANY: ProofNumbers = ProofNumbers { proof: INFINITE, disproof: INFINITE };

    /// Is it decided?
    pub(crate) fn is_known(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// Is it decided for the attacker, or for the defender?
    pub(crate) fn is_won(self, attacking: bool) -> bool {
        if attacking { self.proof == 0 } else { self.disproof == 0 }
    }

    /// Does either number reach its threshold?
    pub(crate) fn reaches(self, threshold: ProofNumbers) -> bool {
        self.proof >= threshold.proof || self.disproof >= threshold.disproof
    }
}

/// What a result rests on that does not rest on a repeated position.
pub(crate) const NOTHING: usize = usize::MAX;

/// A move (None: a pass), and what is known of the position after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProofChild {
    pub(crate) mv: Option<Point>,
    pub(crate) numbers: ProofNumbers,
    /// The first position of the path that was repeated below, if the numbers rest on that; its index, or [`NOTHING`].
    pub(crate) rests_on: usize,
}

/// What a position rests on whose children these are. One move is enough to win, a loss rests on all; what is not decided is an
/// estimate anyway.
pub(crate) fn repetition_below(
    children: &[ProofChild],
    best: usize,
    numbers: ProofNumbers,
    attacking: bool,
) -> usize {
    match (numbers.is_known(), numbers.is_won(attacking)) {
        (false, _) => NOTHING,
        (true, true) => children[best].rests_on,
        (true, false) => children.iter().map(|child| child.rests_on).min().unwrap_or(NOTHING),
    }
}

/// What the numbers of its children make of a position, and how to go on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChildSummary {
    pub(crate) numbers: ProofNumbers,
    /// Index of the most promising child.
    pub(crate) best: usize,
    /// What the next best child has.
    second: u32,
}

impl ChildSummary {
    /// Of the children of a position in which the attacker is to move, or the defender; there is at least one.
    pub(crate) fn from_children(children: &[ProofChild], attacking: bool) -> ChildSummary {
        ChildSummary::from_numbers(children.iter().map(|child| child.numbers), attacking)
    }

    /// The same of the children's numbers.
    pub(crate) fn from_numbers(
        children: impl Iterator<Item = ProofNumbers>,
        attacking: bool,
    ) -> ChildSummary {
        let (mut best, mut least, mut second, mut sum) = (0, u32::MAX, INFINITE, 0u32);
        for (n, ProofNumbers { proof, disproof }) in children.enumerate() {
            let (own, other) = if attacking { (proof, disproof) } else { (disproof, proof) };
            sum = (sum + other).min(INFINITE - 1);
            if own < least {
                (second, least, best) = (least.min(INFINITE), own, n);
            } else {
                second = second.min(own);
            }
        }
        let sum = if least == 0 { INFINITE } else { sum };
        let numbers = if attacking {
            ProofNumbers { proof: least, disproof: sum }
        } else {
            ProofNumbers { proof: sum, disproof: least }
        };
        ChildSummary { numbers, best, second }
    }

    /// How far the best child, which has these numbers, is searched before another look at its siblings: a quarter further than to
    /// the next best.
    pub(crate) fn child_threshold(
        &self,
        threshold: ProofNumbers,
        child: ProofNumbers,
        attacking: bool,
    ) -> ProofNumbers {
        let own = |limit: u32| limit.min(self.second.saturating_add(1 + self.second / 4));
        let other = |limit: u32, sum: u32, part: u32| (limit - sum).saturating_add(part).min(INFINITE);
        let ProofNumbers { proof, disproof } = self.numbers;
        if attacking {
            ProofNumbers {
                proof: own(threshold.proof),
                disproof: other(threshold.disproof, disproof, child.disproof),
            }
        } else {
            ProofNumbers {
                proof: other(threshold.proof, proof, child.proof),
                disproof: own(threshold.disproof),
            }
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct ProofEntry {
    key: u64,
    numbers: ProofNumbers,
}

/// The numbers of positions; newer ones drive older ones out.
#[derive(Clone, Debug)]
pub(crate) struct ProofMemory(Vec<ProofEntry>);

impl ProofMemory {
    /// Room for one position for every move or more, within two to these powers.
    pub(crate) fn for_moves(most: u32, (least_bits, most_bits): (u32, u32)) -> ProofMemory {
        let bits = (u32::BITS - most.leading_zeros()).clamp(least_bits, most_bits);
        ProofMemory(vec![ProofEntry::default(); 1 << bits])
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<ProofNumbers> {
        let entry = &self.0[key as usize & (self.0.len() - 1)];
        (entry.key == key).then_some(entry.numbers)
    }

    #[inline]
    pub(crate) fn put(&mut self, key: u64, numbers: ProofNumbers) {
        let slot = key as usize & (self.0.len() - 1);
        self.0[slot] = ProofEntry { key, numbers };
    }
}

/// The keys of the positions on the way to the present one.
#[derive(Clone, Debug)]
pub(crate) struct SearchPath {
    keys: Vec<u64>,
    /// How many of them end with these bits: mostly none, and then there is nothing to look for.
    ending: Vec<u8>,
}

impl Default for SearchPath {
    fn default() -> Self {
        SearchPath { keys: Vec::new(), ending: vec![0; SearchPath::ENDINGS] }
    }
}

impl SearchPath {
    const ENDINGS: usize = 1024;

    fn ending_slot(key: u64) -> usize {
        key as usize % SearchPath::ENDINGS
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.ending.fill(0);
    }

    /// One position further; there may be 255 at most.
    pub(crate) fn push(&mut self, key: u64) {
        self.keys.push(key);
        self.ending[SearchPath::ending_slot(key)] += 1;
    }

    pub(crate) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            self.ending[SearchPath::ending_slot(key)] -= 1;
        }
    }

    /// Where the position stands on the way, if it does.
    #[inline]
    pub(crate) fn position_of(&self, key: u64) -> Option<usize> {
        if self.ending[SearchPath::ending_slot(key)] == 0 {
            return None;
        }
        self.keys.iter().position(|&other| other == key)
    }
}

/// A search for the fall of stones, which can be asked again with either side free to retake kos.
pub(crate) trait FallSearch {
    /// Do the stones fall, and what does the side to move play? None: it could not be read to the end. A side that may retake kos at once is not
    /// banned from the first move either.
    fn search_fall(&mut self, attacking: bool, ko: KoRight) -> Option<(bool, Option<Point>)>;

    /// Has the search met a ko, or begun with a ban?
    fn has_seen_ko(&self) -> bool;

    /// Moves played since the question.
    fn nodes_played(&self) -> u32;

    /// The answer for the side that moves first.
    fn read_answer(&mut self, attacking: bool) -> Option<ReadingAnswer> {
        let (falls, mv) = self.search_fall(attacking, KoRight::Nobody)?;
        let works = falls == attacking;
        let plain = if works { ReadingOutcome::Works } else { ReadingOutcome::Fails };
        if !self.has_seen_ko() {
            return Some(ReadingAnswer { outcome: plain, mv, nodes: self.nodes_played() });
        }
        // If it works, does it against threats? If it fails, would a threat do?
        let ko = if works == attacking { KoRight::Opponent } else { KoRight::Seeker };
        let (falls_again, other) = self.search_fall(attacking, ko)?;
        let (outcome, mv) = match (works, falls_again == attacking) {
            (true, true) => (ReadingOutcome::Works, other),
            (true, false) => (ReadingOutcome::KoFirst, mv),
            (false, true) => (ReadingOutcome::KoSecond, other),
            (false, false) => (ReadingOutcome::Fails, mv),
        };
        Some(ReadingAnswer { outcome, mv, nodes: self.nodes_played() })
    }
}
