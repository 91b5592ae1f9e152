//! The best completion: of values, the choice with the largest sum that keeps the count, the classes' quotas and the groups' limits.
//!
//! Classes are disjoint, so that taking each class's best until its minimum and then the best of what is left is exact; so it is with
//! groups that lie within a class. A group that spans classes is limited in each of them only, which is a relaxation.

/// How many classes a problem is divided into at most: those of up to three disjoint quotas, and the rest.
pub(super) const CLASSES: usize = 4;

/// No group.
pub(super) const FREE: u32 = u32::MAX;

/// Values that can be completed.
pub(super) trait CompletionValue: Copy + Into<i64> {
    /// At or below this a value stands for "must not be chosen".
    const FLOOR: i64;
}

/// Potentials of pairs.
impl CompletionValue for i32 {
    const FLOOR: i64 = super::node::NEVER_BELOW;
}

/// Bounds of rows.
impl CompletionValue for i64 {
    const FLOOR: i64 = super::node::IMPOSSIBLE / 2;
}

/// What is chosen from.
#[derive(Clone, Copy)]
pub(super) struct ItemClasses<'a> {
    /// The class of each item.
    pub(super) class: &'a [u8],
    /// The group of each item, or [`FREE`].
    pub(super) group: &'a [u32],
    /// Whether any item has a group.
    pub(super) has_groups: bool,
    /// How many of a group may be chosen.
    pub(super) group_limit: &'a [u16],
}

/// How many are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CountLimits {
    pub(super) least: u16,
    pub(super) most: u16,
    pub(super) classes: u8,
    pub(super) class_least: [u16; CLASSES],
    pub(super) class_most: [u16; CLASSES],
}

impl CountLimits {
    /// When one item of this class is chosen besides.
    pub(super) fn after_choosing(mut self, class: u8) -> CountLimits {
        let class = class as usize;
        self.least = self.least.saturating_sub(1);
        self.most = self.most.saturating_sub(1);
        self.class_least[class] = self.class_least[class].saturating_sub(1);
        self.class_most[class] = self.class_most[class].saturating_sub(1);
        self
    }
}

impl CountLimits {
    /// What one or the other allows.
    pub(super) fn widen_with(mut self, other: CountLimits) -> CountLimits {
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
        for class in 0..CLASSES {
            self.class_least[class] = self.class_least[class].min(other.class_least[class]);
            self.class_most[class] = self.class_most[class].max(other.class_most[class]);
        }
        self
    }
}

/// A completion, with room for the next.
#[derive(Default)]
pub(super) struct BestCompletion {
    /// The sum of what is chosen.
    pub(super) sum: i64,
    /// What is chosen.
    pub(super) chosen: Vec<u32>,
    /// By class: what another item of it would displace. Taking an item of value `v` that is not chosen costs `threshold - v`
    /// at least. Very large where none more fits.
    pub(super) threshold: [i64; CLASSES],
    /// The candidates of each class, best first: value, item and group.
    best: [Vec<(i64, u32, u32)>; CLASSES],
    room: [usize; CLASSES],
    bar: [i64; CLASSES],
}

/// No other item fits.
const FULL: i64 = 1 << 51;

impl BestCompletion {
    /// Finds the best choice among all items but `skip`; `false` if there is none.
    pub(super) fn find_best<T: CompletionValue>(
        &mut self,
        values: &[T],
        skip: usize,
        counts: &CountLimits,
        shape: &ItemClasses<'_>,
    ) -> bool {
        self.begin_collecting(counts, T::FLOOR);
        if counts.classes == 1 && !shape.has_groups {
            self.collect_plain(values, skip);
        } else {
            for (at, &value) in values.iter().enumerate() {
                if at != skip {
                    self.offer_item(
                        value.into(),
                        at as u32,
                        shape.class[at],
                        shape.group[at],
                        shape.group_limit,
                    );
                }
            }
        }
        self.finish_choice(counts)
    }

    /// Begins to collect values that are larger than `floor`.
    pub(super) fn begin_collecting(&mut self, counts: &CountLimits, floor: i64) {
        let classes = counts.classes as usize;
        let least: u16 = counts.class_least[..classes].iter().sum();
        for class in 0..classes {
            self.best[class].clear();
            // What the other classes need is not for this one.
            let others = counts.most.saturating_sub(least - counts.class_least[class]);
            self.room[class] = counts.class_most[class].min(others) as usize;
            self.bar[class] = if self.room[class] == 0 { i64::MAX } else { floor };
        }
    }

    /// A value that is not larger than the bar of any class cannot be chosen any more.
    pub(super) fn lowest_bar(&self, counts: &CountLimits) -> i64 {
        self.bar[..counts.classes as usize].iter().copied().min().unwrap_or(i64::MAX)
    }

    /// [`BestCompletion::offer_item`] of all items, where there is one class and no group.
    fn collect_plain<T: CompletionValue>(&mut self, values: &[T], skip: usize) {
        let (best, room, mut bar) = (&mut self.best[0], self.room[0], self.bar[0]);
        for (at, &value) in values.iter().enumerate() {
            let value: i64 = value.into();
            if value > bar && at != skip {
                insert_ranked(best, room, (value, at as u32, FREE));
                if best.len() == room {
                    bar = best[room - 1].0;
                }
            }
        }
    }

    /// Takes an item if it is among the best of its class so far.
    pub(super) fn offer_item(&mut self, value: i64, item: u32, class: u8, group: u32, group_limit: &[u16]) {
        let class = class as usize;
        if value <= self.bar[class] {
            return;
        }
        let best = &mut self.best[class];
        if group != FREE {
            let limit = group_limit[group as usize] as usize;
            if best.iter().filter(|entry| entry.2 == group).count() >= limit {
                // The weakest of the group makes room, if it is weaker.
                match best.iter().rposition(|entry| entry.2 == group) {
                    Some(weakest) if best[weakest].0 < value => {
                        best.remove(weakest);
                    }
                    _ => return,
                }
            }
        }
        let room = self.room[class];
        insert_ranked(best, room, (value, item, group));
        if best.len() == room {
            self.bar[class] = best[room - 1].0;
        }
    }

    /// Takes the minimum of every class, then the best of what is left; `false` if there is no choice.
    pub(super) fn finish_choice(&mut self, counts: &CountLimits) -> bool {
        let classes = counts.classes as usize;
        let mut taken = [0usize; CLASSES];
        self.chosen.clear();
        self.sum = 0;
        for (class, taken) in taken[..classes].iter_mut().enumerate() {
            *taken = counts.class_least[class] as usize;
            if self.best[class].len() < *taken {
                return false;
            }
        }
        let total: usize = taken.iter().sum();
        if total > counts.most as usize {
            return false;
        }
        let total = self.take_remaining(counts, &mut taken[..classes], total);
        if total < counts.least as usize {
            return false;
        }
        for (best, &taken) in self.best.iter().zip(&taken[..classes]) {
            for &(value, at, _) in &best[..taken] {
                self.sum += value;
                self.chosen.push(at);
            }
        }
        self.update_thresholds(counts, &taken[..classes], total);
        true
    }

    /// Takes the best of what is left, as long as it is wanted; gives how many are taken then.
    fn take_remaining(&self, counts: &CountLimits, taken: &mut [usize], mut total: usize) -> usize {
        let (least, most) = (counts.least as usize, counts.most as usize);
        if let [taken] = taken {
            let best = &self.best[0];
            *taken = best.len().min(most);
            while *taken > least && best[*taken - 1].0 <= 0 {
                *taken -= 1;
            }
            return *taken;
        }
        while total < most {
            let mut next = (i64::MIN, CLASSES);
            for (class, &taken) in taken.iter().enumerate() {
                if taken < counts.class_most[class] as usize
                    && let Some(entry) = self.best[class].get(taken)
                    && entry.0 > next.0
                {
                    next = (entry.0, class);
                }
            }
            let (value, class) = next;
            if class == CLASSES || (value <= 0 && total >= least) {
                break;
            }
            taken[class] += 1;
            total += 1;
        }
        total
    }

    fn update_thresholds(&mut self, counts: &CountLimits, taken: &[usize], total: usize) {
        let has_room = total < counts.most as usize;
        for class in 0..taken.len() {
            let may_grow = taken[class] < counts.class_most[class] as usize;
            let mut threshold = if may_grow && has_room { 0 } else { FULL };
            for (other, &count) in taken.iter().enumerate() {
                let may_shrink = count > counts.class_least[other] as usize;
                if count > 0 && (other == class || (may_grow && may_shrink)) {
                    threshold = threshold.min(self.best[other][count - 1].0);
                }
            }
            self.threshold[class] = threshold;
        }
    }
}

/// Puts an entry in its place; where there is no room the last one leaves.
fn insert_ranked(best: &mut Vec<(i64, u32, u32)>, room: usize, new: (i64, u32, u32)) {
    if best.len() == room {
        best.pop();
    }
    let place = best.partition_point(|entry| entry.0 >= new.0);
    best.insert(place, new);
}
