//! The tree.

use crate::domain::{Action, Domain};
use crate::params::Params;

/// When a search ends, and who hears of it.
pub struct Budget<'a> {
    /// Given the playouts done in this search, how many can still come (an estimate, if time is the limit)? 0: stop.
    /// Asked from one thread every few playouts.
    pub remaining: &'a mut dyn FnMut(u64) -> u64,
    /// Threads that search.
    pub threads: usize,
    /// Playouts of a thread between two looks at `remaining`.
    pub check_every: u32,
}

/// What a search did.
pub struct Outcome<W> {
    /// Playouts of this search.
    pub playouts: u64,
    /// Did it end because the choice was settled?
    pub settled: bool,
    /// The workers, for what they have gathered.
    pub workers: Vec<W>,
}

/// What the tree knows of a child of the root.
#[derive(Clone, Debug, PartialEq)]
pub struct ChildReport {
    /// The move.
    pub action: Action,
    /// Playouts through it.
    pub visits: u32,
    /// Their mean reward for the side to move at the root, 0 to 1.
    pub win_rate: f32,
    /// Lower 95 % confidence bound of it.
    pub lower_bound: f32,
    /// Prior probability.
    pub prior: f32,
    /// AMAF playouts, and their mean reward.
    pub amaf: (f32, f32),
    /// Expected continuation, this move first.
    pub variation: Vec<Action>,
}

/// A search tree.
pub struct Tree {
    params: Params,
}

impl Tree {
    /// An empty tree.
    pub fn new(params: Params) -> Tree {
        Tree { params }
    }

    /// Its parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Runs playouts of `domain` until the budget ends.
    pub fn search<D: Domain>(&mut self, _domain: &D, _budget: &mut Budget<'_>) -> Outcome<D::Worker> {
        unimplemented!()
    }

    /// The children of the root, the one to play first.
    pub fn children(&self) -> Vec<ChildReport> {
        Vec::new()
    }

    /// Makes the child with this action the root and keeps what is below it. Gives the visits kept; 0 if there is no such
    /// child, and then the tree is empty.
    pub fn advance(&mut self, _action: Action) -> u32 {
        0
    }

    /// Forgets everything.
    pub fn clear(&mut self) {}

    /// Nodes of the tree, and the bytes they take.
    pub fn memory(&self) -> (usize, usize) {
        (0, 0)
    }
}
