//! Proof and disproof numbers, and what a depth-first search by them remembers (A. Nagai, "Df-pn algorithm for searching AND/OR
//! trees and its applications", 2002). The search does not hurry back to a sibling (J. Pawlewicz and L. Lew, "Improving
//! depth-first PN-search: 1+ε trick", 2006).
//!
//! What a repeated position has decided holds on the way to it only: it is not remembered for other ways (A. Kishimoto and M. Mueller,
//! "A general solution to the graph history interaction problem", 2004, whose remedy here is the simplest: to search again).

use ishi_go::Point;

use crate::lambda::{Answer, Ko, Outcome};

/// No proof is possible: more than any sum.
pub(crate) const INFINITE: u32 = 1 << 28;

/// Proof and disproof number of "the target falls".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
}

impl Numbers {
    pub(crate) const FALLS: Numbers = Numbers { proof: 0, disproof: INFINITE };
    pub(crate) const HOLDS: Numbers = Numbers { proof: INFINITE, disproof: 0 };
    /// As a threshold: search until it is known.
    pub(crate) const ANY: Numbers = Numbers { proof: INFINITE, disproof: INFINITE };

    /// Is it decided?
    pub(crate) fn is_known(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    /// Is it decided for the attacker, or for the defender?
    pub(crate) fn is_won(self, attacking: bool) -> bool {
        if attacking { self.proof == 0 } else { self.disproof == 0 }
    }

    /// Does either number reach its threshold?
    pub(crate) fn reach(self, threshold: Numbers) -> bool {
        self.proof >= threshold.proof || self.disproof >= threshold.disproof
    }
}

/// What a result rests on that does not rest on a repeated position.
pub(crate) const NOTHING: usize = usize::MAX;

/// A move (None: a pass), and what is known of the position after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    pub(crate) mv: Option<Point>,
    pub(crate) numbers: Numbers,
    /// The first position of the path that was repeated below, if the numbers rest on that; its index, or [`NOTHING`].
    pub(crate) rests_on: usize,
}

/// What a position rests on whose children these are. One move is enough to win, a loss rests on all; what is not decided is an
/// estimate anyway.
pub(crate) fn rests_on(children: &[Child], best: usize, numbers: Numbers, attacking: bool) -> usize {
    match (numbers.is_known(), numbers.is_won(attacking)) {
        (false, _) => NOTHING,
        (true, true) => children[best].rests_on,
        (true, false) => children.iter().map(|child| child.rests_on).min().unwrap_or(NOTHING),
    }
}

/// What the numbers of its children make of a position, and how to go on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    pub(crate) numbers: Numbers,
    /// Index of the most promising child.
    pub(crate) best: usize,
    /// What the next best child has.
    second: u32,
}

impl Summary {
    /// Of the children of a position in which the attacker is to move, or the defender; there is at least one.
    pub(crate) fn of(children: &[Child], attacking: bool) -> Summary {
        let (mut best, mut least, mut second, mut sum) = (0, u32::MAX, INFINITE, 0u32);
        for (n, child) in children.iter().enumerate() {
            let Numbers { proof, disproof } = child.numbers;
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
            Numbers { proof: least, disproof: sum }
        } else {
            Numbers { proof: sum, disproof: least }
        };
        Summary { numbers, best, second }
    }

    /// How far the best child, which has these numbers, is searched before another look at its siblings: a quarter further than to
    /// the next best.
    pub(crate) fn threshold(&self, threshold: Numbers, child: Numbers, attacking: bool) -> Numbers {
        let own = |limit: u32| limit.min(self.second.saturating_add(1 + self.second / 4));
        let other = |limit: u32, sum: u32, part: u32| (limit - sum).saturating_add(part).min(INFINITE);
        let Numbers { proof, disproof } = self.numbers;
        if attacking {
            Numbers {
                proof: own(threshold.proof),
                disproof: other(threshold.disproof, disproof, child.disproof),
            }
        } else {
            Numbers { proof: other(threshold.proof, proof, child.proof), disproof: own(threshold.disproof) }
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    numbers: Numbers,
}

/// The numbers of positions; newer ones drive older ones out.
#[derive(Clone, Debug)]
pub(crate) struct Memory(Vec<Entry>);

impl Memory {
    /// Room for one position for every move or more, within two to these powers.
    pub(crate) fn for_moves(most: u32, (least_bits, most_bits): (u32, u32)) -> Memory {
        let bits = (u32::BITS - most.leading_zeros()).clamp(least_bits, most_bits);
        Memory(vec![Entry::default(); 1 << bits])
    }

    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Numbers> {
        let entry = &self.0[key as usize & (self.0.len() - 1)];
        (entry.key == key).then_some(entry.numbers)
    }

    #[inline]
    pub(crate) fn put(&mut self, key: u64, numbers: Numbers) {
        let slot = key as usize & (self.0.len() - 1);
        self.0[slot] = Entry { key, numbers };
    }
}

/// The keys of the positions on the way to the present one.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    keys: Vec<u64>,
    /// How many of them end with these bits: mostly none, and then there is nothing to look for.
    ending: Vec<u8>,
}

impl Default for Path {
    fn default() -> Self {
        Path { keys: Vec::new(), ending: vec![0; Path::ENDINGS] }
    }
}

impl Path {
    const ENDINGS: usize = 1024;

    fn ending(key: u64) -> usize {
        key as usize % Path::ENDINGS
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
        self.ending[Path::ending(key)] += 1;
    }

    pub(crate) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            self.ending[Path::ending(key)] -= 1;
        }
    }

    /// Where the position stands on the way, if it does.
    #[inline]
    pub(crate) fn position(&self, key: u64) -> Option<usize> {
        if self.ending[Path::ending(key)] == 0 {
            return None;
        }
        self.keys.iter().position(|&other| other == key)
    }
}

/// A search for the fall of stones, which can be asked again with either side free to retake kos.
pub(crate) trait Fall {
    /// Do the stones fall, and what does the side to move play? None: it could not be read to the end.
    fn search(&mut self, attacking: bool, ko: Ko) -> Option<(bool, Option<Point>)>;

    /// Has the search met a ko?
    fn has_seen_ko(&self) -> bool;

    /// Moves played since the question.
    fn nodes(&self) -> u32;

    /// The answer for the side that moves first.
    fn answer(&mut self, attacking: bool) -> Option<Answer> {
        let (falls, mv) = self.search(attacking, Ko::Nobody)?;
        let works = falls == attacking;
        let plain = if works { Outcome::Works } else { Outcome::Fails };
        if !self.has_seen_ko() {
            return Some(Answer { outcome: plain, mv, nodes: self.nodes() });
        }
        // If it works, does it against threats? If it fails, would a threat do?
        let ko = if works == attacking { Ko::Opponent } else { Ko::Seeker };
        let (falls_again, other) = self.search(attacking, ko)?;
        let (outcome, mv) = match (works, falls_again == attacking) {
            (true, true) => (Outcome::Works, other),
            (true, false) => (Outcome::KoFirst, mv),
            (false, true) => (Outcome::KoSecond, other),
            (false, false) => (Outcome::Fails, mv),
        };
        Some(Answer { outcome, mv, nodes: self.nodes() })
    }
}
