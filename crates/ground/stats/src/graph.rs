//! The graph of who met whom: what ratings can and cannot be computed from it.
//!
//! Source: Ford, "Solution of a ranking problem from binary comparisons", American Mathematical Monthly 64, 1957: the
//! maximum likelihood ratings exist exactly if, however the players are split in two, someone of either part took
//! points off someone of the other.

use std::collections::VecDeque;

/// For each player, the players reachable by one arrow.
pub(crate) type PlayerArrows = Vec<Vec<usize>>;

/// The players that can be reached from `start`, itself included, as one flag for each player.
fn reachable_players(arrows: &PlayerArrows, start: usize) -> Vec<bool> {
    let mut seen = vec![false; arrows.len()];
    let mut queue = vec![start];
    seen[start] = true;
    while let Some(player) = queue.pop() {
        for &next in &arrows[player] {
            if !seen[next] {
                seen[next] = true;
                queue.push(next);
            }
        }
    }
    seen
}

fn flagged_players(flags: &[bool]) -> Vec<usize> {
    (0..flags.len()).filter(|&player| flags[player]).collect()
}

/// The groups of players connected by games; arrows go both ways.
pub(crate) fn connected_groups(met: &PlayerArrows) -> Vec<Vec<usize>> {
    let mut placed = vec![false; met.len()];
    let mut groups = Vec::new();
    for player in 0..met.len() {
        if !placed[player] {
            let group = flagged_players(&reachable_players(met, player));
            group.iter().for_each(|&member| placed[member] = true);
            groups.push(group);
        }
    }
    groups
}

/// The smallest group that no arrow leaves and that is not everybody, if there is one.
///
/// With arrows from loser to winner (both ways for draws) it is a group that never lost a point to the rest; with the
/// arrows turned round, one that never won a point from it.
pub(crate) fn smallest_closed_group(arrows: &PlayerArrows) -> Option<Vec<usize>> {
    (0..arrows.len())
        .map(|player| flagged_players(&reachable_players(arrows, player)))
        .filter(|group| group.len() < arrows.len())
        .min_by_key(Vec::len)
}

/// Whether a first-move advantage looks the same as differences between players: whether heights exist such that in
/// each game (`first`, `second`) the first player stands exactly one step higher.
pub(crate) fn advantage_is_confounded(players: usize, games: &[(usize, usize)]) -> bool {
    let mut steps: Vec<Vec<(usize, i64)>> = vec![Vec::new(); players];
    for &(first, second) in games {
        steps[first].push((second, -1));
        steps[second].push((first, 1));
    }
    let mut heights: Vec<Option<i64>> = vec![None; players];
    for start in 0..players {
        if heights[start].is_some() {
            continue;
        }
        heights[start] = Some(0);
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some((player, height)) = queue.pop_front() {
            for &(next, step) in &steps[player] {
                match heights[next] {
                    Some(known) if known != height + step => return false,
                    Some(_) => {}
                    None => {
                        heights[next] = Some(height + step);
                        queue.push_back((next, height + step));
                    }
                }
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_found() {
        let met = vec![vec![1], vec![0], vec![3], vec![2], vec![]];
        assert_eq!(connected_groups(&met), [vec![0, 1], vec![2, 3], vec![4]]);
    }

    #[test]
    fn closed_groups_are_the_smallest() {
        // 0 and 1 beat each other, 1 lost to 2, nobody beat 2.
        let to_winner = vec![vec![1], vec![0, 2], vec![]];
        assert_eq!(smallest_closed_group(&to_winner), Some(vec![2]));
        assert_eq!(smallest_closed_group(&vec![vec![1], vec![2], vec![0]]), None);
    }

    #[test]
    fn swapped_colours_or_a_triangle_separate_the_advantage() {
        assert!(advantage_is_confounded(3, &[(0, 1), (2, 1), (0, 1)]));
        assert!(!advantage_is_confounded(2, &[(0, 1), (1, 0)]));
        assert!(!advantage_is_confounded(3, &[(0, 1), (1, 2), (0, 2)]));
    }
}
