//! Moves on the points of a closed region.

use super::region::{ClosedRegion, ClosedStones};

/// What a move does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClosedStep {
    /// The target is captured.
    Falls,
    /// The stones afterwards.
    Stands(ClosedStones),
}

impl ClosedRegion {
    #[inline]
    pub(super) fn empty(&self, stones: ClosedStones) -> u32 {
        self.all & !(stones.own | stones.enemy)
    }

    /// The owner's stones that are one chain with the target.
    #[inline]
    pub(super) fn target_chain(&self, own: u32) -> u32 {
        self.flood(own & self.beside_target, own)
    }

    /// The liberties of the target, whose chain has these stones.
    #[inline]
    pub(super) fn target_liberties(&self, chain: u32, empty: u32) -> u32 {
        (self.beside_target | self.neighbours_of(chain)) & empty
    }

    /// May the ban of ko be ignored? It binds only who would retake: whose stones stand beside the point may fill it.
    fn may_fill(&self, stones: ClosedStones, number: u32, attacking: bool) -> bool {
        let (own, fixed) =
            if attacking { (stones.enemy, self.beside_safe) } else { (stones.own, self.beside_target) };
        self.neighbours_of_one(number) & own != 0 || fixed & 1 << number != 0
    }

    /// The position after a stone on an empty point. None: it is against the rules.
    pub(super) fn play(&self, stones: ClosedStones, number: u32, attacking: bool) -> Option<ClosedStep> {
        let point = 1u32 << number;
        if stones.ko & point != 0 && !self.may_fill(stones, number, attacking) {
            return None;
        }
        if attacking {
            self.play_attacker(stones, number)
        } else {
            self.play_owner(stones, number).map(ClosedStep::Stands)
        }
    }

    fn play_attacker(&self, stones: ClosedStones, number: u32) -> Option<ClosedStep> {
        let point = 1u32 << number;
        let before = self.empty(stones);
        let empty = before & !point;
        let beside = self.neighbours_of_one(number);
        let target = self.target_chain(stones.own);
        if self.target_liberties(target, empty) == 0 {
            return Some(ClosedStep::Falls);
        }
        let captured = self.captured(beside & stones.own & !target, stones.own, 0, empty);
        let enemy = stones.enemy | point;
        let (own, empty) = (stones.own & !captured, empty | captured);
        let is_alone = (beside & (stones.enemy | before)) | (self.beside_safe & point) == 0;
        if captured == 0 && beside & before == 0 {
            let chain = self.flood(point, enemy);
            if chain & self.beside_safe == 0 && self.neighbours_of(chain) & empty == 0 {
                return None;
            }
        }
        let ko = if is_alone && captured.count_ones() == 1 { captured } else { 0 };
        Some(ClosedStep::Stands(ClosedStones { own, enemy, ko }))
    }

    fn play_owner(&self, stones: ClosedStones, number: u32) -> Option<ClosedStones> {
        let point = 1u32 << number;
        let before = self.empty(stones);
        let empty = before & !point;
        let beside = self.neighbours_of_one(number);
        let captured = self.captured(beside & stones.enemy, stones.enemy, self.beside_safe, empty);
        let own = stones.own | point;
        let (enemy, empty) = (stones.enemy & !captured, empty | captured);
        let is_alone = (beside & (stones.own | before)) | (self.beside_target & point) == 0;
        if captured == 0 && beside & before == 0 {
            let chain = self.flood(point, own);
            let stands = if chain & self.beside_target != 0 {
                self.target_liberties(self.target_chain(own), empty)
            } else {
                self.neighbours_of(chain) & empty
            };
            if stands == 0 {
                return None;
            }
        }
        let ko = if is_alone && captured.count_ones() == 1 { captured } else { 0 };
        Some(ClosedStones { own, enemy, ko })
    }

    /// The chains of the seeds among the stones that have no liberty, and touch nothing that is safe.
    #[inline]
    fn captured(&self, mut seeds: u32, stones: u32, safe: u32, empty: u32) -> u32 {
        let mut captured = 0;
        while seeds != 0 {
            let chain = self.flood(seeds & seeds.wrapping_neg(), stones);
            seeds &= !chain;
            if chain & safe == 0 && self.neighbours_of(chain) & empty == 0 {
                captured |= chain;
            }
        }
        captured
    }

    /// Empty points of enemy chains that stand in atari beside the target's chain: there the owner captures.
    pub(super) fn rescues(&self, stones: ClosedStones, target: u32) -> u32 {
        let empty = self.empty(stones);
        let mut seeds = (self.beside_target | self.neighbours_of(target)) & stones.enemy;
        let mut rescues = 0;
        while seeds != 0 {
            let chain = self.flood(seeds & seeds.wrapping_neg(), stones.enemy);
            seeds &= !chain;
            let liberties = self.neighbours_of(chain) & empty;
            if chain & self.beside_safe == 0 && liberties.is_power_of_two() {
                rescues |= liberties;
            }
        }
        rescues
    }

    /// Does the target live even if its owner never answers? Benson's algorithm.
    pub(super) fn is_alive(&self, stones: ClosedStones, target: u32, liberties: u32) -> bool {
        let empty = self.empty(stones);
        let count_eyes = |spaces: &FewSets, liberties: u32| {
            spaces.iter().filter(|space| space & empty & !liberties == 0).count()
        };
        let Some(mut spaces) = self.closed_spaces(stones.own) else { return false };
        if count_eyes(&spaces, liberties) < 2 {
            return false;
        }
        let Some(mut chains) = self.chains_of(stones.own & !target) else { return false };
        while count_eyes(&spaces, liberties) >= 2 {
            let before = chains.count;
            chains.retain(|chain| count_eyes(&spaces, self.neighbours_of(chain) & empty) >= 2);
            if chains.count == before {
                return true;
            }
            let lost = stones.own & !target & !chains.union();
            spaces.retain(|space| self.neighbours_of(space) & lost == 0);
        }
        false
    }

    /// The spaces that the owner's stones close in, with what stands in them. None: there are too many.
    fn closed_spaces(&self, own: u32) -> Option<FewSets> {
        let mut spaces = self.chains_of(self.all & !own)?;
        spaces.retain(|space| space & self.beside_safe == 0);
        Some(spaces)
    }

    /// What hangs together in a set. None: there are too many parts.
    fn chains_of(&self, mut set: u32) -> Option<FewSets> {
        let mut chains = FewSets::default();
        while set != 0 {
            let chain = self.flood(set & set.wrapping_neg(), set);
            set &= !chain;
            *chains.sets.get_mut(chains.count)? = chain;
            chains.count += 1;
        }
        Some(chains)
    }
}

/// A few sets of points.
#[derive(Clone, Copy, Default)]
struct FewSets {
    sets: [u32; 12],
    count: usize,
}

impl FewSets {
    fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.sets[..self.count].iter().copied()
    }

    fn union(&self) -> u32 {
        self.iter().fold(0, |union, set| union | set)
    }

    fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        let mut kept = 0;
        for n in 0..self.count {
            if keep(self.sets[n]) {
                self.sets[kept] = self.sets[n];
                kept += 1;
            }
        }
        self.count = kept;
    }
}
