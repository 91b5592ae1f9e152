//! Level 3: groups of connected chains, and how strong they are.

use ishi_go::{Board, Color, Point};
use ishi_reading::{PointSet, Status};

use crate::chains::Chains;
use crate::eyes::{EyeCount, EyeSpace};
use crate::links::{Link, LinkStrength};
use crate::oracle::{Fate, Oracle, Strength};

/// Chains of one colour that are connected.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Whose it is.
    pub color: Color,
    /// Its stones.
    pub stones: PointSet,
    /// Its chains, by their names.
    pub chains: Vec<Point>,
    /// Its liberties.
    pub liberties: PointSet,
    /// What its eye spaces are worth together, in half eyes: four halves live.
    pub eyes: EyeCount,
    /// How strong it is.
    pub strength: Strength,
    /// What the oracle said of it, if it was asked.
    pub fate: Option<Fate>,
}

impl Group {
    /// Its first stone, by which it is named.
    ///
    /// # Panics
    /// Never: a group has a stone.
    pub fn name(&self) -> Point {
        self.stones.first().expect("a group has a stone")
    }
}

/// Two eyes, in halves.
const TWO_EYES: u8 = 4;
/// A group with more liberties is not in danger, yet.
const MANY_LIBERTIES: usize = 9;
/// Groups that the oracle is asked about at most, the largest first.
const MOST_ASKED: usize = 6;

/// Groups of a board. `status` is that of the chains that were read, by their names.
pub(crate) fn groups(
    board: &Board,
    chains: &Chains,
    status: &[(Point, Status)],
    links: &[Link],
    spaces: &[EyeSpace],
    oracle: &mut impl Oracle,
) -> Vec<Group> {
    let mut groups = joined(chains, links);
    let captured = |name: &Point| {
        status.iter().any(|(chain, status)| chain == name && matches!(status, Status::Captured { .. }))
    };
    for group in &mut groups {
        for space in spaces {
            if space.color != group.color || !touches(group, space) {
                continue;
            }
            group.eyes.least += space.eyes.least;
            group.eyes.second += space.eyes.second;
            group.eyes.first += space.eyes.first;
        }
        group.strength = if group.chains.iter().all(captured) {
            Strength::Dead
        } else if group.eyes.second >= TWO_EYES {
            Strength::Alive
        } else {
            Strength::Unsettled
        };
    }
    ask(board, &mut groups, oracle);
    groups
}

fn touches(group: &Group, space: &EyeSpace) -> bool {
    !space.points.grown().and(&group.stones).is_empty()
}

/// Chains joined by solid links, in the order of their names.
fn joined(chains: &Chains, links: &[Link]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut placed = PointSet::EMPTY;
    for first in chains.iter() {
        if placed.contains(first.name()) {
            continue;
        }
        let mut names = vec![first.name()];
        placed.insert(first.name());
        let mut next = 0;
        while next < names.len() {
            let here = names[next];
            next += 1;
            for link in links.iter().filter(|link| link.strength == LinkStrength::Solid) {
                let ends = link.stones.map(|stone| chains.at(stone).map(|chain| chain.name()));
                let other = match ends {
                    [Some(a), Some(b)] if a == here => b,
                    [Some(a), Some(b)] if b == here => a,
                    _ => continue,
                };
                if !placed.contains(other) {
                    placed.insert(other);
                    names.push(other);
                }
            }
        }
        groups.push(group(chains, names));
    }
    groups
}

fn group(chains: &Chains, names: Vec<Point>) -> Group {
    let (mut stones, mut liberties, mut color) = (PointSet::EMPTY, PointSet::EMPTY, Color::Black);
    for facts in names.iter().filter_map(|&name| chains.at(name)) {
        stones.add(&facts.stones);
        liberties.add(&facts.liberties);
        color = facts.color.unwrap_or(color);
    }
    let eyes = EyeCount::default();
    Group { color, stones, chains: names, liberties, eyes, strength: Strength::Unsettled, fate: None }
}

/// Asks about the groups whose looks do not tell.
fn ask(board: &Board, groups: &mut [Group], oracle: &mut impl Oracle) {
    let mut doubtful: Vec<&mut Group> = groups
        .iter_mut()
        .filter(|group| group.strength == Strength::Unsettled && group.liberties.len() <= MANY_LIBERTIES)
        .collect();
    doubtful.sort_by_key(|group| std::cmp::Reverse(group.stones.len()));
    for group in doubtful.into_iter().filter(|group| group.stones.len() > 1).take(MOST_ASKED) {
        group.fate = oracle.fate(board, group.name());
        match group.fate.map(|fate| fate.strength) {
            Some(Strength::Dead) => group.strength = Strength::Dead,
            Some(Strength::Critical) => group.strength = Strength::Critical,
            Some(Strength::Unsettled | Strength::Alive) | None => {}
        }
    }
}
