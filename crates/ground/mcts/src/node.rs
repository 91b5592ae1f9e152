//! A node: 32 bytes, two to a cache line.
//!
//! Everything is atomic, read and written with relaxed order (Enzenberger and Müller, "A lock-free multithreaded
//! Monte-Carlo tree search algorithm", Advances in Computer Games 12, 2009), which on common processors costs no more than
//! plain memory. Only the link to the children is published with release and acquire.
//!
//! Playouts and the sum of their rewards are one word, so that one addition updates both and several threads lose none.
//! The reward is a fixed-point number: an `f32` sum would stop growing at 2^24, and a mean is biased by rounding long
//! before that.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64};

use crate::domain::{Action, Candidate};

/// Bits of a node's word that count playouts; the rest is the sum of rewards.
const VISIT_BITS: u32 = 26;
const VISIT_MASK: u64 = (1 << VISIT_BITS) - 1;
/// A reward of 1 in units of the sum: with 26 bits of playouts the sum has 38, of which 12 are a fraction.
const REWARD_ONE: u32 = 1 << 12;
const REWARD_UNIT: f32 = 1.0 / REWARD_ONE as f32;

/// Playouts that a node can count, less room for opinions and virtual losses. A search ends when the root has this many.
pub(crate) const MAX_VISITS: u32 = (1 << VISIT_BITS) - (1 << 20);

/// Link of a node that has no children yet. The root is node 0, so no child is.
const LEAF: u32 = 0;
/// Link of a node that a thread expands.
const EXPANDING: u32 = u32::MAX;
/// Link of a node where the game is over.
const TERMINAL: u32 = u32::MAX - 1;
/// Links from here up are marks, not numbers of nodes.
pub(crate) const FIRST_MARK: u32 = TERMINAL;

/// What hangs below a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeLink {
    /// Nothing yet.
    Leaf,
    /// Nothing yet, but another thread is at it.
    Expanding,
    /// Nothing, ever: the game is over here.
    Terminal,
    /// Nodes from this number on.
    Children(u32),
}

/// A reward as the sum counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reward(u32);

impl Reward {
    /// From 0 to 1, rounded to a whole number of 1/4096.
    pub(crate) fn new(reward: f32) -> Reward {
        Reward((reward.clamp(0.0, 1.0) * REWARD_ONE as f32).round() as u32)
    }

    /// The same game seen by the other side.
    pub(crate) fn for_other_side(self) -> Reward {
        Reward(REWARD_ONE - self.0)
    }

    pub(crate) fn as_f32(self) -> f32 {
        self.0 as f32 * REWARD_UNIT
    }
}

/// A node. Rewards are those of the side that moved here.
#[derive(Debug, Default)]
#[repr(align(32))]
pub(crate) struct Node {
    /// Sum of rewards, and playouts, both with the opinion (if it counts as playouts) and virtual losses.
    stats: AtomicU64,
    /// Sum of AMAF rewards and number of AMAF playouts, two `f32`.
    amaf: AtomicU64,
    prior: AtomicU32,
    link: AtomicU32,
    action: AtomicU16,
    children: AtomicU16,
    /// How much of `stats` is opinion: playouts, and reward of each.
    opinion: AtomicU16,
    opinion_value: AtomicU16,
}

impl Node {
    /// Makes this the fresh node of a candidate. Its opinion goes into the rate, into AMAF, or both.
    pub(crate) fn reset_to_candidate(&self, candidate: &Candidate, rate: bool, amaf: bool) {
        let weight = candidate.weight.max(0.0);
        let value = candidate.value.clamp(0.0, 1.0);
        let opinion = if rate { weight.round().min(f32::from(u16::MAX)) as u16 } else { 0 };
        let each = Reward::new(value).0;
        let stats = u64::from(opinion) * (u64::from(each) << VISIT_BITS | 1);
        let (sum, count) = if amaf { (weight * value, weight) } else { (0.0, 0.0) };
        self.stats.store(stats, Relaxed);
        self.amaf.store(pack_amaf(sum, count), Relaxed);
        self.prior.store(candidate.prior.to_bits(), Relaxed);
        self.link.store(LEAF, Relaxed);
        self.action.store(candidate.action.0, Relaxed);
        self.children.store(0, Relaxed);
        self.opinion.store(opinion, Relaxed);
        self.opinion_value.store(each as u16, Relaxed);
    }

    /// Becomes a copy of the other. For compaction, when no thread searches.
    pub(crate) fn copy_from(&self, other: &Node) {
        self.stats.store(other.stats.load(Relaxed), Relaxed);
        self.amaf.store(other.amaf.load(Relaxed), Relaxed);
        self.prior.store(other.prior.load(Relaxed), Relaxed);
        self.link.store(other.link.load(Relaxed), Relaxed);
        self.action.store(other.action.load(Relaxed), Relaxed);
        self.children.store(other.children.load(Relaxed), Relaxed);
        self.opinion.store(other.opinion.load(Relaxed), Relaxed);
        self.opinion_value.store(other.opinion_value.load(Relaxed), Relaxed);
    }

    pub(crate) fn action(&self) -> Action {
        Action(self.action.load(Relaxed))
    }

    pub(crate) fn prior(&self) -> f32 {
        f32::from_bits(self.prior.load(Relaxed))
    }

    /// Playouts and sum of rewards as selection sees them: with opinion and virtual losses.
    #[inline]
    pub(crate) fn effective_stats(&self) -> (f32, f32) {
        let stats = self.stats.load(Relaxed);
        ((stats & VISIT_MASK) as i32 as f32, (stats >> VISIT_BITS) as i64 as f32 * REWARD_UNIT)
    }

    /// Playouts through here.
    #[inline]
    pub(crate) fn visits(&self) -> u32 {
        let counted = (self.stats.load(Relaxed) & VISIT_MASK) as u32;
        counted - u32::from(self.opinion.load(Relaxed))
    }

    /// Sum of the rewards of the playouts.
    fn reward_sum(&self) -> u64 {
        let opinion = u64::from(self.opinion.load(Relaxed)) * u64::from(self.opinion_value.load(Relaxed));
        (self.stats.load(Relaxed) >> VISIT_BITS) - opinion
    }

    /// Mean reward of the playouts, if there are any.
    pub(crate) fn mean_reward(&self) -> Option<f32> {
        let visits = self.visits();
        (visits > 0).then(|| (self.reward_sum() as f64 / (f64::from(visits) * f64::from(REWARD_ONE))) as f32)
    }

    /// Counts a playout, and takes back `virtual_loss` playouts that were only pretended.
    #[inline]
    pub(crate) fn add_playout<const SHARED: bool>(&self, reward: Reward, virtual_loss: u32) {
        let word = (u64::from(reward.0) << VISIT_BITS).wrapping_add(1).wrapping_sub(u64::from(virtual_loss));
        self.add_word::<SHARED>(word);
    }

    /// Pretends that many lost playouts.
    #[inline]
    pub(crate) fn pretend_losses(&self, virtual_loss: u32) {
        self.add_word::<true>(u64::from(virtual_loss));
    }

    #[inline]
    fn add_word<const SHARED: bool>(&self, word: u64) {
        if SHARED {
            self.stats.fetch_add(word, Relaxed);
        } else {
            self.stats.store(self.stats.load(Relaxed).wrapping_add(word), Relaxed);
        }
    }

    /// Takes the playouts through a child out of this node. When no thread searches.
    pub(crate) fn forget_child(&self, child: &Node) {
        let visits = u64::from(child.visits());
        let reward = visits * u64::from(REWARD_ONE) - child.reward_sum();
        self.add_word::<false>((reward << VISIT_BITS | visits).wrapping_neg());
    }

    /// AMAF: number of playouts, and sum of their rewards.
    #[inline]
    pub(crate) fn amaf_stats(&self) -> (f32, f32) {
        unpack_amaf(self.amaf.load(Relaxed))
    }

    /// Counts an AMAF playout with a weight. An update may be lost to another thread's; that does no harm.
    #[inline]
    pub(crate) fn add_amaf(&self, reward: f32, weight: f32) {
        let (count, sum) = self.amaf_stats();
        self.amaf.store(pack_amaf(sum + weight * reward, count + weight), Relaxed);
    }

    /// Forgets half of the AMAF playouts.
    pub(crate) fn halve_amaf(&self) {
        let (count, sum) = self.amaf_stats();
        self.amaf.store(pack_amaf(sum / 2.0, count / 2.0), Relaxed);
    }

    #[inline]
    pub(crate) fn link(&self) -> NodeLink {
        match self.link.load(Acquire) {
            LEAF => NodeLink::Leaf,
            EXPANDING => NodeLink::Expanding,
            TERMINAL => NodeLink::Terminal,
            first => NodeLink::Children(first),
        }
    }

    /// Number of children.
    #[inline]
    pub(crate) fn child_count(&self) -> usize {
        usize::from(self.children.load(Relaxed))
    }

    /// Claims a leaf for expansion; false if another thread was faster.
    pub(crate) fn claim_expansion(&self) -> bool {
        self.link.compare_exchange(LEAF, EXPANDING, Acquire, Relaxed).is_ok()
    }

    /// Publishes children.
    pub(crate) fn set_children(&self, first: u32, count: u16) {
        self.children.store(count, Relaxed);
        self.link.store(first, Release);
    }

    /// A leaf (again).
    pub(crate) fn set_leaf(&self) {
        self.set_children(LEAF, 0);
    }

    /// The game is over here.
    pub(crate) fn set_terminal(&self) {
        self.set_children(TERMINAL, 0);
    }
}

#[inline]
fn pack_amaf(sum: f32, count: f32) -> u64 {
    u64::from(sum.to_bits()) << 32 | u64::from(count.to_bits())
}

/// Count and sum.
#[inline]
fn unpack_amaf(word: u64) -> (f32, f32) {
    (f32::from_bits(word as u32), f32::from_bits((word >> 32) as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(weight: f32, value: f32) -> Candidate {
        Candidate { action: Action(7), prior: 0.25, weight, value }
    }

    #[test]
    fn a_node_is_half_a_cache_line() {
        assert_eq!(size_of::<Node>(), 32);
    }

    #[test]
    fn an_opinion_is_seen_but_is_no_playout() {
        let node = Node::default();
        node.reset_to_candidate(&candidate(12.0, 0.75), true, true);
        assert_eq!(node.effective_stats(), (12.0, 9.0));
        assert_eq!(node.amaf_stats(), (12.0, 9.0));
        assert_eq!((node.visits(), node.mean_reward()), (0, None));
        node.add_playout::<false>(Reward::new(1.0), 0);
        node.add_playout::<false>(Reward::new(0.5), 0);
        assert_eq!((node.visits(), node.mean_reward()), (2, Some(0.75)));
        assert_eq!(node.effective_stats(), (14.0, 10.5));
    }

    #[test]
    fn virtual_losses_vanish() {
        let node = Node::default();
        node.reset_to_candidate(&candidate(0.0, 0.0), false, false);
        node.pretend_losses(3);
        assert_eq!(node.effective_stats(), (3.0, 0.0));
        node.add_playout::<true>(Reward::new(1.0), 3);
        assert_eq!(node.effective_stats(), (1.0, 1.0));
    }

    #[test]
    fn half_of_amaf_says_the_same() {
        let node = Node::default();
        node.reset_to_candidate(&candidate(12.0, 0.75), false, true);
        node.halve_amaf();
        assert_eq!(node.amaf_stats(), (6.0, 4.5));
    }

    #[test]
    fn a_parent_forgets_what_its_child_counted() {
        let (parent, child) = (Node::default(), Node::default());
        for reward in [0.0, 0.25, 1.0] {
            parent.add_playout::<false>(Reward::new(reward).for_other_side(), 0);
            child.add_playout::<false>(Reward::new(reward), 0);
        }
        parent.add_playout::<false>(Reward::new(0.5), 0);
        parent.forget_child(&child);
        assert_eq!((parent.visits(), parent.mean_reward()), (1, Some(0.5)));
    }
}
