//! The most that a row of scores can add to a deck: the constants of the compact form.

/// What the rest of a deck may be.
pub(super) struct RestOfDeck<'a> {
    /// What each slot would add; `None` where it cannot be in the rest.
    pub(super) gains: &'a [Option<i64>],
    /// Slots that must be in it.
    pub(super) forced: &'a [bool],
    /// At least so many.
    pub(super) least: usize,
    /// At most so many.
    pub(super) most: usize,
    /// Of each resource that has a limit: what each slot costs, and what is left of it.
    pub(super) resources: &'a [(Vec<i64>, i64)],
}

impl RestOfDeck<'_> {
    /// No rest adds more. The costs count by a multiplier (Lagrange), one resource at a time; the best multiplier is looked for by
    /// thirds, since the bound is convex in it.
    pub(super) fn most_gain(&self) -> i64 {
        let plain = self.relaxed_bound(&[], 0, 0);
        let bounds = self.resources.iter().map(|(costs, left)| self.bound_with_costs(costs, *left));
        bounds.fold(plain, i64::min)
    }

    fn bound_with_costs(&self, costs: &[i64], left: i64) -> i64 {
        /// Steps of the search; each leaves two thirds.
        const STEPS: usize = 32;
        let largest = self.gains.iter().flatten().map(|gain| gain.unsigned_abs()).max().unwrap_or(0);
        let (mut low, mut high) = (0, (largest << BITS) as i64 + 1);
        let mut best = i64::MAX;
        for _ in 0..STEPS {
            let third = (high - low) / 3;
            let (a, b) = (low + third, high - third);
            let (at_a, at_b) = (self.relaxed_bound(costs, left, a), self.relaxed_bound(costs, left, b));
            best = best.min(at_a).min(at_b);
            (low, high) = if at_a <= at_b { (low, b) } else { (a, high) };
            if third == 0 {
                break;
            }
        }
        best
    }

    /// The bound at one multiplier, in units of 2^-BITS of a score for each unit of cost.
    fn relaxed_bound(&self, costs: &[i64], left: i64, multiplier: i64) -> i64 {
        let worth = |at: usize, gain: i64| {
            let cost = costs.get(at).copied().unwrap_or(0);
            (i128::from(gain) << BITS) - i128::from(multiplier) * i128::from(cost)
        };
        let (mut sum, mut count) = (i128::from(multiplier) * i128::from(left), 0);
        let mut free = Vec::new();
        for (at, gain) in self.gains.iter().enumerate() {
            match gain {
                Some(gain) if self.forced[at] => {
                    sum += worth(at, *gain);
                    count += 1;
                }
                Some(gain) => free.push(worth(at, *gain)),
                None => {}
            }
        }
        let room = self.most.saturating_sub(count).min(free.len());
        if room > 0 && room < free.len() {
            free.select_nth_unstable_by(room - 1, |a, b| b.cmp(a));
        }
        free.truncate(room);
        free.sort_unstable_by(|a, b| b.cmp(a));
        let needed = self.least.saturating_sub(count);
        let taken = free.iter().enumerate().filter(|&(at, &worth)| at < needed || worth > 0);
        sum += taken.map(|(_, &worth)| worth).sum::<i128>();
        // A sum of at most some thousand scores: it fits.
        i64::try_from(sum >> BITS).unwrap_or(i64::MAX)
    }
}

/// Fraction bits of a multiplier.
const BITS: u32 = 10;
