//! What a search has found of each move.

use crate::domain::Action;

use super::node::{JudgedNode, ROOT};
use super::search::JudgedTree;

/// What a tree knows of a move at its root, for the side to move there.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JudgedMove {
    /// The move.
    pub action: Action,
    /// Visits of the position after it; 0: it was never looked at.
    pub visits: u32,
    /// Prior probability, 0 to 1.
    pub prior: f32,
    /// Mean chance to win, 0 to 1; without visits 0.
    pub win: f64,
    /// Mean lead in points; without visits 0.
    pub lead: f64,
    /// Standard deviation of the leads that were judged below it, in points.
    pub lead_deviation: Option<f64>,
    /// Mean utility less 1.96 standard errors, -1 to 1; without two visits -1.
    pub lower_bound: f64,
    /// Expected continuation, this move first: the most visited ones.
    pub variation: Vec<Action>,
    /// Visits of each position of the variation.
    pub variation_visits: Vec<u32>,
}

/// A move with fewer visits than this share of the most is not chosen by its bound.
const SHARE_OF_MOST: f64 = 0.1;

impl JudgedTree {
    /// The moves of the root, the one to play first: by the lower bound of the utility among those with a tenth of the most visits,
    /// the others by visits, then by prior.
    pub fn ranked_moves(&self) -> Vec<JudgedMove> {
        let mut moves: Vec<JudgedMove> =
            (0..self.nodes[ROOT].edges.len()).map(|edge| self.report_move(edge)).collect();
        let most = moves.iter().map(|told| told.visits).max().unwrap_or(0);
        let eligible =
            |told: &JudgedMove| told.visits > 1 && f64::from(told.visits) >= SHARE_OF_MOST * f64::from(most);
        let bound = |told: &JudgedMove| if eligible(told) { told.lower_bound } else { f64::NEG_INFINITY };
        moves.sort_by(|a, b| {
            let by_bound = bound(b).total_cmp(&bound(a));
            by_bound.then(b.visits.cmp(&a.visits)).then(b.prior.total_cmp(&a.prior))
        });
        moves
    }

    /// Visits of the root.
    pub fn visits(&self) -> u32 {
        self.nodes[ROOT].sums.visits
    }

    /// Mean chance to win at the root for the side to move; a half before the first search.
    pub fn win_chance(&self) -> f64 {
        let sums = &self.nodes[ROOT].sums;
        if sums.visits == 0 { 0.5 } else { 1.0 - sums.mean_of(sums.win) }
    }

    /// Mean lead at the root for the side to move, in points; 0 before the first search.
    pub fn mean_lead(&self) -> f64 {
        let sums = &self.nodes[ROOT].sums;
        -sums.mean_of(sums.lead)
    }

    fn report_move(&self, edge: usize) -> JudgedMove {
        let edge = &self.nodes[ROOT].edges[edge];
        let fresh = JudgedNode::default();
        let node = edge.to.map_or(&fresh, |to| &self.nodes[to as usize]);
        let sums = &node.sums;
        let lead = sums.mean_of(sums.lead);
        let variance = (sums.mean_of(sums.lead_squares) - lead * lead).max(0.0);
        let bound =
            sums.utility_standard_error().map_or(-1.0, |error| sums.mean_of(sums.utility) - 1.96 * error);
        let (variation, variation_visits) = self.principal_variation(edge.action, edge.to);
        JudgedMove {
            action: edge.action,
            visits: sums.visits,
            prior: edge.prior,
            win: sums.mean_of(sums.win),
            lead,
            lead_deviation: (sums.visits > 1).then(|| variance.sqrt()),
            lower_bound: bound.max(-1.0),
            variation,
            variation_visits,
        }
    }

    /// The most visited moves from a first one on.
    fn principal_variation(&self, first: Action, to: Option<u32>) -> (Vec<Action>, Vec<u32>) {
        let (mut actions, mut visits) = (vec![first], Vec::new());
        let mut at = to.map(|to| &self.nodes[to as usize]);
        while let Some(node) = at {
            visits.push(node.sums.visits);
            let next = node.edges.iter().filter_map(|edge| Some((edge, &self.nodes[edge.to? as usize])));
            // The first of equals: the likelier one.
            let next = next.rev().max_by_key(|(_, node)| node.sums.visits);
            at = next.filter(|(_, node)| node.sums.visits > 0).map(|(edge, node)| {
                actions.push(edge.action);
                node
            });
        }
        visits.resize(actions.len(), 0);
        (actions, visits)
    }
}
