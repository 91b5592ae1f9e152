//! Level 3: groups of connected chains, what they could still become, and how strong they are.

mod escape;
mod potential;

use ishi_go::{Board, Color, Point};
use ishi_reading::{ChainStatus, PointSet};

use crate::analysis::Analysis;
use crate::chains::Chains;
use crate::eyes::{EyeCount, EyeSpace, HALF, TWO_EYES};
use crate::links::Link;
use crate::oracle::{Fate, GroupStrength, Oracle};
use crate::style::Style;
use crate::tactical::Tactical;

pub use escape::{Escape, EscapeDirection, EscapeTarget};
pub use potential::{PotentialEye, PotentialKind};

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
    /// What its eye spaces are worth together: two eyes live.
    pub eyes: EyeCount,
    /// Where it could make more of them, the best first.
    pub potential: Vec<PotentialEye>,
    /// Where it could get out, the best first.
    pub escapes: Vec<Escape>,
    /// The opponent's groups beside it, or with a common liberty, by their names.
    pub neighbours: Vec<Point>,
    /// How strong it is.
    pub strength: GroupStrength,
    /// What the oracle said of it, if it was asked; or what reading says of its chains, if whoever moves first decides about each of them.
    pub fate: Option<Fate>,
    /// Is it critical as each of its chains is in danger?
    pub by_capture: bool,
}

impl Group {
    /// Its first stone, by which it is named.
    ///
    /// # Panics
    /// Never: a group has a stone.
    pub fn name(&self) -> Point {
        self.stones.first().expect("a group has a stone")
    }

    /// Is it neither dead nor alive, by its looks?
    fn is_open(&self) -> bool {
        matches!(self.strength, GroupStrength::Weak | GroupStrength::Unsettled | GroupStrength::Stable)
    }

    /// Half eyes that it can count on though the opponent moves first and takes the best of what is open: eyes, eyes that it could make,
    /// and ways out, of which each is worth as much as what lies there.
    pub fn prospects(&self) -> f32 {
        let in_halves = |eighths: u8| f32::from(eighths) / f32::from(HALF);
        let eyes = self.potential.iter().map(|way| in_halves(way.gain));
        let ways = self.ways_out().into_iter();
        let (mut all, mut best) = (0.0, 0.0_f32);
        for worth in eyes.chain(ways) {
            all += worth;
            best = best.max(worth);
        }
        in_halves(self.eyes.second) + all - best
    }

    /// What the best way out in each direction that has one is worth, in half eyes.
    pub fn ways_out(&self) -> Vec<f32> {
        let mut best: Vec<(EscapeDirection, f32)> = Vec::new();
        for escape in &self.escapes {
            match best.iter_mut().find(|(direction, _)| *direction == escape.direction) {
                Some((_, worth)) => *worth = worth.max(escape.worth()),
                None => best.push((escape.direction, escape.worth())),
            }
        }
        best.into_iter().map(|(_, worth)| worth).collect()
    }

    /// The ways out that lead to friends, and those that lead to the opponent's stones.
    pub fn escapes_by_side(&self) -> [Vec<Escape>; 2] {
        let of = |is_it: fn(EscapeTarget) -> bool| {
            self.escapes.iter().filter(|escape| is_it(escape.ahead)).copied().collect()
        };
        [
            of(|ahead| matches!(ahead, EscapeTarget::Strong(_) | EscapeTarget::Weak(_))),
            of(|ahead| matches!(ahead, EscapeTarget::Enemy { .. })),
        ]
    }
}

/// A group with more liberties is not in danger, yet.
const MANY_LIBERTIES: usize = 9;
/// Groups that the oracle is asked about at most, the largest first.
const MOST_ASKED: usize = 6;

/// A group with so many liberties has room for eyes, and helps its friends.
const ROOM: usize = 9;
/// With fewer half eyes in prospect a group is weak, with so many it is stable.
const PROSPECTS_OF_WEAK: f32 = 2.0;
const PROSPECTS_OF_STABLE: f32 = 4.0;

/// What groups are made of.
struct GroupContext<'a> {
    style: Style,
    board: &'a Board,
    chains: &'a Chains,
    status: &'a [(Point, ChainStatus)],
    links: &'a [Link],
    spaces: &'a [EyeSpace],
}

/// Groups of a board, over the levels below.
pub(crate) fn find_groups(board: &Board, below: &Tactical, oracle: &mut impl Oracle) -> Vec<Group> {
    let &Tactical { style, ref chains, ref status, ref links, ref spaces, .. } = below;
    let view = GroupContext { style, board, chains, status, links, spaces };
    let mut groups = join_chains(chains, links);
    for group in &mut groups {
        for space in spaces.iter().filter(|space| space.color == group.color) {
            if touches_space(group, space) {
                group.eyes += space.eyes;
            }
        }
        if group.chains.iter().all(|&name| is_captured(status, name)) {
            group.strength = GroupStrength::Dead;
        }
    }
    for number in 0..groups.len() {
        let group = &groups[number];
        let (potential, escapes) = (
            potential::find_potential_eyes(&view, &groups, group),
            escape::find_escapes(style, board, &groups, group),
        );
        let neighbours = enemy_neighbours(&groups, group);
        let group = &mut groups[number];
        (group.potential, group.escapes, group.neighbours) = (potential, escapes, neighbours);
        if group.strength != GroupStrength::Dead {
            group.strength = strength_by_looks(group);
        }
    }
    ask_doubtful_fates(board, &mut groups, oracle);
    for group in groups.iter_mut().filter(|group| group.is_open()) {
        if let Some(fate) = capture_fate(chains, status, group) {
            (group.strength, group.fate, group.by_capture) = (GroupStrength::Critical, Some(fate), true);
        }
    }
    groups
}

/// Finds the potential eyes and the ways out of all groups of a position once more, and tells how many there are: so it can be measured
/// what share of the time an analysis spends on them.
pub fn count_prospects(board: &Board, analysis: &Analysis) -> usize {
    let Analysis { style, chains, status, links, spaces, groups, .. } = analysis;
    let view = GroupContext { style: *style, board, chains, status, links, spaces };
    let of = |group| {
        potential::find_potential_eyes(&view, groups, group).len()
            + escape::find_escapes(*style, board, groups, group).len()
    };
    groups.iter().map(of).sum()
}

/// Where whoever moves first decides about every chain of a group: the moves that take, or save, the largest.
fn capture_fate(chains: &Chains, status: &[(Point, ChainStatus)], group: &Group) -> Option<Fate> {
    let danger = |&name: &Point| match status.iter().find(|(chain, _)| *chain == name)?.1 {
        ChainStatus::InDanger { attack, defence } => {
            Some((chains.chain_at(name)?.stones.len(), attack.mv, defence.mv))
        }
        _ => None,
    };
    let all: Vec<_> = group.chains.iter().map(danger).collect::<Option<_>>()?;
    let &(_, kill, save) = all.iter().max_by_key(|(stones, ..)| *stones)?;
    Some(Fate { strength: GroupStrength::Critical, kill, save })
}

/// How strong a group looks that is not captured.
fn strength_by_looks(group: &Group) -> GroupStrength {
    if group.eyes.second >= TWO_EYES {
        GroupStrength::Alive
    } else if group.prospects() >= PROSPECTS_OF_STABLE {
        GroupStrength::Stable
    } else if group.prospects() >= PROSPECTS_OF_WEAK {
        GroupStrength::Unsettled
    } else {
        GroupStrength::Weak
    }
}

fn is_captured(status: &[(Point, ChainStatus)], name: Point) -> bool {
    status.iter().any(|(chain, status)| *chain == name && matches!(status, ChainStatus::Captured { .. }))
}

fn enemy_neighbours(groups: &[Group], group: &Group) -> Vec<Point> {
    let reach = group.stones.with_neighbours().union(&group.liberties);
    let is_near = |other: &&Group| {
        other.color != group.color && !other.stones.union(&other.liberties).intersection(&reach).is_empty()
    };
    groups.iter().filter(is_near).map(Group::name).collect()
}

fn touches_space(group: &Group, space: &EyeSpace) -> bool {
    !space.points.with_neighbours().intersection(&group.stones).is_empty()
}

/// Chains joined by links that hold, in the order of their names.
fn join_chains(chains: &Chains, links: &[Link]) -> Vec<Group> {
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
            for link in links.iter().filter(|link| link.strength.holds()) {
                let ends = link.stones.map(|stone| chains.chain_at(stone).map(|chain| chain.name()));
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
        groups.push(group_from_chains(chains, names));
    }
    groups
}

fn group_from_chains(chains: &Chains, names: Vec<Point>) -> Group {
    let (mut stones, mut liberties, mut color) = (PointSet::EMPTY, PointSet::EMPTY, Color::Black);
    for facts in names.iter().filter_map(|&name| chains.chain_at(name)) {
        stones.add_set(&facts.stones);
        liberties.add_set(&facts.liberties);
        color = facts.color.unwrap_or(color);
    }
    Group {
        color,
        stones,
        chains: names,
        liberties,
        eyes: EyeCount::default(),
        potential: Vec::new(),
        escapes: Vec::new(),
        neighbours: Vec::new(),
        strength: GroupStrength::Unsettled,
        fate: None,
        by_capture: false,
    }
}

/// Asks about the groups whose looks do not tell.
fn ask_doubtful_fates(board: &Board, groups: &mut [Group], oracle: &mut impl Oracle) {
    let mut doubtful: Vec<&mut Group> = groups
        .iter_mut()
        .filter(|group| group.is_open() && group.liberties.len() <= MANY_LIBERTIES)
        .collect();
    doubtful.sort_by_key(|group| std::cmp::Reverse(group.stones.len()));
    for group in doubtful.into_iter().filter(|group| group.stones.len() > 1).take(MOST_ASKED) {
        group.fate = oracle.fate(board, group.name());
        match group.fate.map(|fate| fate.strength) {
            Some(GroupStrength::Dead) => group.strength = GroupStrength::Dead,
            Some(GroupStrength::Critical) => group.strength = GroupStrength::Critical,
            // It lives as it stands, or is taken to: but that may be by running.
            Some(GroupStrength::Alive) => group.strength = group.strength.max(GroupStrength::Stable),
            Some(GroupStrength::Weak | GroupStrength::Unsettled | GroupStrength::Stable) | None => {}
        }
    }
}
