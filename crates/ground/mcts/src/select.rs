//! Which child is next: the formulas of [`Selection`], and progressive widening.
//!
//! What depends on the node alone is computed once per node. RAVE's mixture needs one division: with `k = 4 b^2`, sums `s` and
//! `a` of rewards and AMAF rewards, and `n` and `m` of their playouts,
//! `(1 - beta) s / n + beta a / m = (s (1 + k m) + a) / (n + m + k n m)`.

use crate::node::Node;
use crate::params::{Selection, TreeParams};

/// Most children that a node can have.
const MOST_CHILDREN: usize = u16::MAX as usize;

/// The constants of selection, in the form in which they are needed.
#[derive(Debug)]
pub(crate) struct Selector {
    selection: Selection,
    exploration: f32,
    first_play: f32,
    /// 4 b^2.
    rave: f32,
    bias: f32,
    bias_growth: f32,
    widening: Widening,
}

impl Selector {
    pub(crate) fn new(params: &TreeParams) -> Selector {
        Selector {
            selection: params.selection,
            exploration: params.exploration,
            first_play: params.first_play_urgency,
            rave: 4.0 * params.rave_bias * params.rave_bias,
            bias: params.bias,
            bias_growth: params.bias_growth,
            widening: Widening::new(params),
        }
    }

    /// How many of so many children are considered in a node with that many visits.
    pub(crate) fn considered_count(&self, visits: u32, children: usize) -> usize {
        self.widening.considered_count(visits).min(children)
    }

    /// Index of the best child of a node with that many visits; the first among equals.
    pub(crate) fn choose_child(&self, visits: u32, children: &[Node]) -> usize {
        let total = visits.max(1) as f32;
        if self.bias == 0.0 {
            self.choose_child_by(total, children, |_, _| 0.0)
        } else {
            let scale = self.bias * total.powf(self.bias_growth);
            self.choose_child_by(total, children, |child, n| scale * child.prior() / (1.0 + n))
        }
    }

    #[inline]
    fn choose_child_by(&self, total: f32, children: &[Node], bias: impl Fn(&Node, f32) -> f32) -> usize {
        // A loop of its own for each rule: nothing is decided anew for every child.
        let log2 = 2.0 * total.ln();
        match self.selection {
            Selection::Ucb1 => best_index(children, |child| {
                let (n, sum) = child.effective_stats();
                let value = if n > 0.0 { self.ucb1_value(log2, n, sum) } else { self.first_play };
                value + bias(child, n)
            }),
            Selection::Ucb1Tuned => best_index(children, |child| {
                let (n, sum) = child.effective_stats();
                let value = if n > 0.0 { self.ucb1_tuned_value(log2, n, sum) } else { self.first_play };
                value + bias(child, n)
            }),
            Selection::Rave if self.exploration == 0.0 => best_index(children, |child| {
                let (n, sum) = child.effective_stats();
                self.rave_value(child, n, sum) + bias(child, n)
            }),
            Selection::Rave => best_index(children, |child| {
                let (n, sum) = child.effective_stats();
                let exploration = self.exploration * (log2 / (n + 1.0)).sqrt();
                self.rave_value(child, n, sum) + exploration + bias(child, n)
            }),
            Selection::Puct => {
                let scale = self.exploration * total.sqrt();
                best_index(children, |child| {
                    let (n, sum) = child.effective_stats();
                    let rate = if n > 0.0 { sum / n } else { self.first_play };
                    rate + scale * child.prior() / (1.0 + n) + bias(child, n)
                })
            }
        }
    }

    #[inline]
    fn ucb1_value(&self, log2: f32, n: f32, sum: f32) -> f32 {
        let one = 1.0 / n;
        sum * one + self.exploration * (log2 * one).sqrt()
    }

    #[inline]
    fn ucb1_tuned_value(&self, log2: f32, n: f32, sum: f32) -> f32 {
        let one = 1.0 / n;
        let rate = sum * one;
        let variance = rate * (1.0 - rate) + (log2 * one).sqrt();
        rate + self.exploration * (0.5 * log2 * one * variance.min(0.25)).sqrt()
    }

    #[inline]
    fn rave_value(&self, child: &Node, n: f32, sum: f32) -> f32 {
        let (m, amaf) = child.amaf_stats();
        let playouts = n + m + self.rave * n * m;
        let mixed = (sum * (1.0 + self.rave * m) + amaf) / playouts;
        if playouts > 0.0 { mixed } else { self.first_play }
    }
}

/// Index of the child with the highest value.
#[inline]
fn best_index(children: &[Node], value: impl Fn(&Node) -> f32) -> usize {
    let mut best = (f32::NEG_INFINITY, 0);
    for (index, child) in children.iter().enumerate() {
        let value = value(child);
        if value > best.0 {
            best = (value, index);
        }
    }
    best.1
}

/// Progressive widening as a table.
#[derive(Debug)]
struct Widening {
    start: usize,
    /// Visits from which each further child is considered.
    steps: Vec<u32>,
}

impl Widening {
    fn new(params: &TreeParams) -> Widening {
        let start = params.widening_start as usize;
        if start == 0 {
            return Widening { start: MOST_CHILDREN, steps: Vec::new() };
        }
        let growth = f64::from(params.widening_growth);
        let visits = |k| (f64::from(params.widening_visits) * growth.powi(k as i32)).ceil();
        let steps = (0..MOST_CHILDREN).map(visits).take_while(|&visits| visits < f64::from(u32::MAX));
        Widening { start, steps: steps.map(|visits| visits as u32).collect() }
    }

    fn considered_count(&self, visits: u32) -> usize {
        self.start + self.steps.partition_point(|&step| step <= visits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Action, Candidate};
    use crate::node::Reward;

    fn selector(params: TreeParams) -> Selector {
        Selector::new(&params)
    }

    fn child(wins: u32, losses: u32, amaf: (f32, f32), prior: f32) -> Node {
        let node = Node::default();
        let candidate =
            Candidate { action: Action(0), prior, weight: amaf.1, value: amaf.0 / amaf.1.max(1.0) };
        node.reset_to_candidate(&candidate, false, true);
        (0..wins).for_each(|_| node.add_playout::<false>(Reward::new(1.0), 0));
        (0..losses).for_each(|_| node.add_playout::<false>(Reward::new(0.0), 0));
        node
    }

    fn close(a: f32, b: f64) {
        assert!((f64::from(a) - b).abs() < 1e-5, "{a} is not {b}");
    }

    #[test]
    fn ucb1_is_the_papers_formula() {
        let selector =
            selector(TreeParams { selection: Selection::Ucb1, exploration: 1.5, ..TreeParams::default() });
        let n = 400_f64;
        let value = selector.ucb1_value(2.0 * (n as f32).ln(), 25.0, 10.0);
        close(value, 0.4 + 1.5 * (2.0 * n.ln() / 25.0).sqrt());
    }

    #[test]
    fn ucb1_tuned_is_the_papers_formula() {
        let selector = selector(TreeParams { exploration: 1.0, ..TreeParams::default() });
        for (n, n_i, rate) in [(400_f64, 25_f64, 0.4_f64), (50_000.0, 20_000.0, 0.95)] {
            let value = selector.ucb1_tuned_value(2.0 * (n as f32).ln(), n_i as f32, (rate * n_i) as f32);
            let variance = rate * (1.0 - rate) + (2.0 * n.ln() / n_i).sqrt();
            close(value, rate + (n.ln() / n_i * variance.min(0.25)).sqrt());
        }
    }

    #[test]
    fn rave_is_the_mixture_with_the_schedules_beta() {
        let selector = selector(TreeParams { rave_bias: 0.1, ..TreeParams::default() });
        for (wins, losses, amaf) in [(3, 5, (30.0, 40.0)), (0, 0, (3.0, 4.0)), (7, 2, (0.0, 0.0))] {
            let node = child(wins, losses, amaf, 0.0);
            let (n, m) = (f64::from(wins + losses), f64::from(amaf.1));
            let beta = m / (n + m + 4.0 * n * m * 0.01);
            let rate = if n > 0.0 { f64::from(wins) / n } else { 0.0 };
            let amaf_rate = if m > 0.0 { f64::from(amaf.0) / m } else { 0.0 };
            let (n, sum) = node.effective_stats();
            close(selector.rave_value(&node, n, sum), (1.0 - beta) * rate + beta * amaf_rate);
        }
    }

    #[test]
    fn puct_follows_the_prior_first() {
        let params = TreeParams {
            selection: Selection::Puct,
            exploration: 2.0,
            first_play_urgency: 0.0,
            ..TreeParams::default()
        };
        let children = [child(1, 0, (0.0, 0.0), 0.1), child(0, 0, (0.0, 0.0), 0.9)];
        // 1 + 2 * 0.1 / 2 against 2 * 0.9.
        assert_eq!(selector(params).choose_child(1, &children), 1);
    }

    #[test]
    fn bias_fades_with_visits() {
        let params = TreeParams { bias: 1.0, ..TreeParams::default() };
        let children = [child(5, 5, (0.0, 0.0), 1.0), child(6, 4, (0.0, 0.0), 0.0)];
        // 0.5 + 1 / 11 against 0.6.
        assert_eq!(selector(params).choose_child(20, &children), 1);
        let params = TreeParams { bias: 2.0, ..TreeParams::default() };
        assert_eq!(selector(params).choose_child(20, &children), 0);
    }

    /// With growth 1/2 the bias is PUCT's exploration.
    #[test]
    fn bias_can_grow_with_the_nodes_visits() {
        let params = TreeParams { bias: 0.2, bias_growth: 0.5, ..TreeParams::default() };
        let children = [child(5, 5, (0.0, 0.0), 1.0), child(6, 4, (0.0, 0.0), 0.0)];
        // 0.5 + 0.2 sqrt(n) / 11 against 0.6: even at n = 30.25.
        assert_eq!(
            [20, 30, 31, 100].map(|n| selector(params.clone()).choose_child(n, &children)),
            [1, 1, 0, 0]
        );
    }

    #[test]
    fn urgency_decides_between_the_tried_and_the_new() {
        let children = [child(8, 2, (0.0, 0.0), 0.6), child(0, 0, (0.0, 0.0), 0.4)];
        for (urgency, expected) in [(1.1, 1), (0.5, 0)] {
            for selection in [Selection::Rave, Selection::Ucb1, Selection::Ucb1Tuned, Selection::Puct] {
                let params = TreeParams { selection, first_play_urgency: urgency, ..TreeParams::default() };
                assert_eq!(selector(params).choose_child(10, &children), expected, "{selection:?}");
            }
        }
    }

    #[test]
    fn widening_grows_as_documented() {
        let params = TreeParams {
            widening_start: 2,
            widening_visits: 40.0,
            widening_growth: 1.5,
            ..TreeParams::default()
        };
        let widening = Widening::new(&params);
        let considered =
            [0, 39, 40, 59, 60, 89, 90, 134, 135].map(|visits| widening.considered_count(visits));
        assert_eq!(considered, [2, 2, 3, 3, 4, 4, 5, 5, 6]);
        assert_eq!(selector(params).considered_count(90, 3), 3);
        assert_eq!(selector(TreeParams::default()).considered_count(0, 361), 361);
    }
}
