//! Better potentials: subgradient steps.
//!
//! The bound is the Lagrangian relaxation of "`j` is in the row of `i` exactly if `i` is in the row of `j`", as Caprara, Pisinger and Toth use
//! it ("Exact solution of the quadratic knapsack problem", INFORMS Journal on Computing 11, 1999), with the limits of the
//! resources multiplied by each row's item. Potentials move in whole numbers, so that every bound on the way is exact.

/// Potentials that can be moved: those of a whole table, or those of a node.
pub(super) trait DualPotentials {
    /// Rows, as [`DualPotentials::chosen_in_row`] numbers them.
    fn row_count(&self) -> usize;

    /// The bound, and the choice of rows that attains it put into `choice`; `None` if no choice keeps the rules.
    fn compute_bound(&mut self, choice: &mut Vec<u32>) -> Option<i64>;

    /// What the completion of a row chooses.
    fn chosen_in_row(&self, row: u32) -> &[u32];

    /// Whether potentials stay within their range if so much is moved.
    fn has_room(&self, a: u32, b: u32, by: i32) -> bool;

    /// Moves score of a pair from the row of `a` to the row of `b`.
    fn shift_score(&mut self, a: u32, b: u32, by: i32);

    /// Whether a higher potential of `a` can change the completion of row `b`.
    fn can_affect_row(&self, a: u32, b: u32) -> bool;

    /// Resources.
    fn resource_count(&self) -> usize;

    /// What is left of a resource after a row's item and its completion.
    fn resource_slack(&self, row: u32, resource: usize) -> i64;

    /// The multiplier of a resource in a row, and the largest that it may have.
    fn resource_price(&self, row: u32, resource: usize) -> (i32, i32);

    /// Changes that multiplier.
    fn change_price(&mut self, row: u32, resource: usize, change: i32);

    /// The square of what a typical item costs, which brings slacks to the size of a pair.
    fn cost_scale(&self, resource: usize) -> f64;

    /// Completes a row anew.
    fn refill_row(&mut self, row: u32);
}

/// How steps are taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepOptions {
    /// At most so many.
    pub(super) most: usize,
    /// The first step as a share of the gap.
    pub(super) first: f64,
    /// Steps without a better bound after which they are halved.
    pub(super) patience: usize,
}

/// A change that can be taken back.
enum DualChange {
    Shift(u32, u32, i32),
    Price(u32, usize, i32),
}

/// Room for the steps.
#[derive(Default)]
pub(super) struct SubgradientSolver {
    choice: Vec<u32>,
    is_chosen: Vec<bool>,
    touched: Vec<bool>,
    touched_list: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    slacks: Vec<i64>,
    log: Vec<DualChange>,
    pub(super) steps: u64,
}

impl SubgradientSolver {
    /// Improves potentials whose rows are complete, until the bound is at or below `target` or steps get too small. Leaves the best
    /// potentials and gives their bound; `None` if no choice keeps the rules. `look` sees every choice.
    pub(super) fn improve_bound<P: DualPotentials>(
        &mut self,
        potentials: &mut P,
        target: &mut i64,
        steps: StepOptions,
        look: &mut dyn FnMut(&P, &[u32], &mut i64),
    ) -> Option<i64> {
        let mut best = i64::MAX;
        let mut share = steps.first;
        let mut stalled = 0;
        self.log.clear();
        self.is_chosen.clear();
        self.is_chosen.resize(potentials.row_count(), false);
        self.touched.clear();
        self.touched.resize(potentials.row_count(), false);
        for _ in 0..steps.most {
            let mut choice = std::mem::take(&mut self.choice);
            let bound = potentials.compute_bound(&mut choice);
            self.choice = choice;
            let bound = bound?;
            if bound < best {
                best = bound;
                stalled = 0;
                // What comes into the log from here on leads back to these potentials.
                self.log.clear();
            } else {
                stalled += 1;
                if stalled >= steps.patience {
                    share /= 2.0;
                    stalled = 0;
                    // Such small steps close the gap in no number of rounds that is worth its time.
                    if share < 0.02 {
                        break;
                    }
                }
            }
            look(potentials, &self.choice, target);
            if best <= *target {
                break;
            }
            self.steps += 1;
            if !self.take_step(potentials, (bound - *target) as f64 * share) {
                break;
            }
        }
        self.restore_best(potentials);
        Some(best)
    }

    /// One step of the length given (a drop of the bound that is hoped for); `false` if there is no direction.
    fn take_step<P: DualPotentials>(&mut self, potentials: &mut P, drop: f64) -> bool {
        for &row in &self.choice {
            self.is_chosen[row as usize] = true;
        }
        self.find_disagreements(potentials);
        for &row in &self.choice {
            self.is_chosen[row as usize] = false;
        }
        let mut norm = self.pairs.len() as f64;
        self.slacks.clear();
        for &row in &self.choice {
            for resource in 0..potentials.resource_count() {
                let slack = potentials.resource_slack(row, resource);
                self.slacks.push(slack);
                // A multiplier of 0 whose limit is kept stays where it is, as it cannot fall.
                let is_moving = slack < 0 || potentials.resource_price(row, resource).0 > 0;
                if is_moving {
                    norm += (slack * slack) as f64 / potentials.cost_scale(resource);
                }
            }
        }
        if norm == 0.0 {
            return false;
        }
        // Polyak's step: the drop that is hoped for, divided by the square of the direction's length.
        let length = drop / norm;
        // Scores move in whole numbers, so that bounds stay exact, and by 1 at least, so that they move at all.
        let by = length.ceil().clamp(1.0, 1e7) as i32;
        for at in 0..self.pairs.len() {
            let (a, b) = self.pairs[at];
            if potentials.has_room(a, b, by) {
                potentials.shift_score(a, b, by);
                self.log.push(DualChange::Shift(a, b, by));
                self.mark_touched(a);
                if potentials.can_affect_row(a, b) {
                    self.mark_touched(b);
                }
            }
        }
        self.reprice_choice(potentials, length);
        self.refill_touched(potentials);
        true
    }

    fn mark_touched(&mut self, row: u32) {
        if !std::mem::replace(&mut self.touched[row as usize], true) {
            self.touched_list.push(row);
        }
    }

    fn refill_touched<P: DualPotentials>(&mut self, potentials: &mut P) {
        for &row in &self.touched_list {
            potentials.refill_row(row);
            self.touched[row as usize] = false;
        }
        self.touched_list.clear();
    }

    /// Pairs that the rows of the choice and those of the others do not agree on.
    fn find_disagreements<P: DualPotentials>(&mut self, potentials: &P) {
        self.pairs.clear();
        for &row in &self.choice {
            for &other in potentials.chosen_in_row(row) {
                let agreed = self.is_chosen[other as usize] && potentials.chosen_in_row(other).contains(&row);
                if !agreed {
                    self.pairs.push((row, other));
                }
            }
        }
    }

    /// Moves the multipliers of the resources in the rows of the choice.
    fn reprice_choice<P: DualPotentials>(&mut self, potentials: &mut P, length: f64) {
        let resources = potentials.resource_count();
        for at in 0..self.choice.len() {
            let row = self.choice[at];
            for resource in 0..resources {
                let slack = self.slacks[at * resources + resource];
                let (old, most) = potentials.resource_price(row, resource);
                let wanted = f64::from(old) - length * slack as f64 / potentials.cost_scale(resource);
                let change = wanted.round().clamp(0.0, f64::from(most)) as i32 - old;
                if change != 0 {
                    potentials.change_price(row, resource, change);
                    self.log.push(DualChange::Price(row, resource, change));
                    self.mark_touched(row);
                }
            }
        }
    }

    /// Goes back to the best potentials.
    fn restore_best<P: DualPotentials>(&mut self, potentials: &mut P) {
        let mut log = std::mem::take(&mut self.log);
        for change in log.drain(..).rev() {
            match change {
                DualChange::Shift(a, b, by) => {
                    potentials.shift_score(b, a, by);
                    self.mark_touched(a);
                    self.mark_touched(b);
                }
                DualChange::Price(row, resource, change) => {
                    potentials.change_price(row, resource, -change);
                    self.mark_touched(row);
                }
            }
        }
        self.log = log;
        self.refill_touched(potentials);
    }
}
