//! Which child of the root is played, and whether that can still change.

use std::cmp::Ordering;

use crate::node::Node;
use crate::params::{FinalMove, TreeParams};

/// What counts of a child.
#[derive(Clone, Copy, Debug)]
struct ChildStanding {
    visits: f64,
    /// Sum of rewards.
    sum: f64,
}

impl ChildStanding {
    fn from_node(node: &Node) -> ChildStanding {
        let visits = f64::from(node.visits());
        ChildStanding { visits, sum: visits * f64::from(node.mean_reward().unwrap_or(0.0)) }
    }

    /// The standing after that many more playouts, all with this reward.
    fn after_playouts(self, playouts: f64, reward: f64) -> ChildStanding {
        ChildStanding { visits: self.visits + playouts, sum: self.sum + playouts * reward }
    }

    fn rate(self) -> f64 {
        if self.visits > 0.0 { self.sum / self.visits } else { 0.0 }
    }

    fn final_score(self, params: &TreeParams) -> f64 {
        match params.final_move {
            FinalMove::Visits => self.visits,
            FinalMove::WinRate => self.rate(),
            FinalMove::Lcb => lower_bound(self.rate(), self.visits, f64::from(params.lcb_z)),
        }
    }
}

/// Lower end of Wilson's interval ("Probable inference, the law of succession, and statistical inference", JASA 22, 1927) for
/// a rate after that many playouts, `z` standard deviations wide.
pub(crate) fn lower_bound(rate: f64, visits: f64, z: f64) -> f64 {
    if visits == 0.0 {
        return 0.0;
    }
    let z2 = z * z / visits;
    let spread = z * (rate * (1.0 - rate) / visits + z2 / (4.0 * visits)).sqrt();
    ((rate + z2 / 2.0 - spread) / (1.0 + z2)).max(0.0)
}

/// Has a child enough visits to be chosen by its rate or bound, if `most` is the highest number of them?
fn is_eligible(params: &TreeParams, visits: f64, most: f64) -> bool {
    visits > 0.0 && (params.final_move == FinalMove::Visits || visits >= f64::from(params.final_share) * most)
}

fn most_visits(standings: &[ChildStanding]) -> f64 {
    standings.iter().fold(0.0, |most, standing| most.max(standing.visits))
}

/// Indices of the children, the one to play first.
///
/// Equal scores are decided by visits, then by the rate, then by the prior.
pub(crate) fn rank_children(params: &TreeParams, children: &[Node]) -> Vec<usize> {
    let standings: Vec<ChildStanding> = children.iter().map(ChildStanding::from_node).collect();
    let most = most_visits(&standings);
    let mut order: Vec<usize> = (0..children.len()).collect();
    order.sort_by(|&a, &b| compare_standings(params, most, standings[b], standings[a]));
    order
}

/// Greater is better.
fn compare_standings(params: &TreeParams, most: f64, a: ChildStanding, b: ChildStanding) -> Ordering {
    let may = |standing: ChildStanding| is_eligible(params, standing.visits, most);
    let score = |standing: ChildStanding| if may(standing) { standing.final_score(params) } else { 0.0 };
    may(a)
        .cmp(&may(b))
        .then(score(a).total_cmp(&score(b)))
        .then(a.visits.total_cmp(&b.visits))
        .then(a.rate().total_cmp(&b.rate()))
}

/// Is the choice the same whatever the rewards of that many further playouts are, and wherever they go?
///
/// By visits: the best is ahead by more than what is left. By rate or bound: no other child can get the share of visits
/// needed and a score as good as the best one's at its worst (all that is left lost in it, and won in the other); this holds
/// only near the end of a search, or if the others have been given up.
pub(crate) fn is_settled(params: &TreeParams, children: &[Node], remaining: u64) -> bool {
    let standings: Vec<ChildStanding> = children.iter().map(ChildStanding::from_node).collect();
    let left = remaining as f64;
    let most = most_visits(&standings);
    let Some((best, &first)) = standings
        .iter()
        .enumerate()
        .reduce(|a, b| if compare_standings(params, most, *b.1, *a.1).is_gt() { b } else { a })
    else {
        return false;
    };
    // All playouts that are left may go to another child, which has the most visits then.
    if first.visits == 0.0 || !is_eligible(params, first.visits, most.max(first.visits) + left) {
        return false;
    }
    let by_visits = params.final_move == FinalMove::Visits;
    let worst = if by_visits { first.visits } else { first.after_playouts(left, 0.0).final_score(params) };
    standings.iter().enumerate().all(|(index, &other)| {
        let at_best = other.after_playouts(left, 1.0);
        index == best || !is_eligible(params, at_best.visits, most) || at_best.final_score(params) < worst
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::Reward;

    fn child(wins: u32, visits: u32) -> Node {
        let node = Node::default();
        (0..visits).for_each(|i| node.add_playout::<false>(Reward::new(if i < wins { 1.0 } else { 0.0 }), 0));
        node
    }

    fn params(final_move: FinalMove) -> TreeParams {
        TreeParams { final_move, final_share: 0.2, ..TreeParams::default() }
    }

    #[test]
    fn every_rule_has_its_own_favourite() {
        let children = [child(600, 1000), child(250, 400), child(140, 220), child(9, 10)];
        assert_eq!(rank_children(&params(FinalMove::Visits), &children), [0, 1, 2, 3]);
        // The last has the best rate, but not enough visits.
        assert_eq!(rank_children(&params(FinalMove::WinRate), &children), [2, 1, 0, 3]);
        assert_eq!(rank_children(&params(FinalMove::Lcb), &children), [1, 2, 0, 3]);
        let any = TreeParams { final_share: 0.0, ..params(FinalMove::WinRate) };
        assert_eq!(rank_children(&any, &children)[0], 3);
    }

    #[test]
    fn wilsons_bound_is_the_textbooks() {
        // 81 of 263: the example of Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I.
        assert!((lower_bound(81.0 / 263.0, 263.0, 1.959_964) - 0.2553).abs() < 5e-5);
        assert_eq!(lower_bound(0.0, 0.0, 1.96), 0.0);
        assert!(lower_bound(0.0, 20.0, 1.96) < 1e-12);
    }

    #[test]
    fn visits_are_settled_by_a_lead() {
        let children = [child(10, 100), child(40, 60)];
        let params = params(FinalMove::Visits);
        assert!(is_settled(&params, &children, 39));
        assert!(!is_settled(&params, &children, 40));
        assert!(is_settled(&params, &children[..1], u64::MAX));
        assert!(!is_settled(&params, &[child(0, 0)], 10), "nothing is known yet");
        assert!(!is_settled(&params, &[], 10));
    }

    #[test]
    fn rates_are_settled_when_nothing_can_be_turned() {
        let params = params(FinalMove::WinRate);
        let children = [child(90, 100), child(10, 100)];
        assert!(is_settled(&params, &children, 20));
        assert!(!is_settled(&params, &children, 500));
        // The third cannot get a fifth of the visits, however good it looks.
        let children = [child(90, 100), child(10, 100), child(1, 1)];
        assert!(is_settled(&params, &children, 18));
        assert!(!is_settled(&params, &children, 20));
    }
}
