//! What smallest dominating sets look like along one edge of a large board.
//!
//! A strip is the rows `0..depth` below an edge. It is walked column by column, each column from the edge down. The state is the lowest
//! known row of every line: 0 a stone that still needs an empty neighbour, 1 a stone that has one, 2 an empty point; the
//! digit of row `y` counts `3^y`. A column's walk costs its loss less one, so that the cheapest cycles cost nothing.

use std::collections::BTreeMap;

/// The code repeats itself every five columns.
const PERIOD: usize = 5;

/// No way.
const NEVER: i16 = i16::MAX;

/// Rounds of five columns in which a strip's potentials must have settled.
const MOST_ROUNDS: usize = 40;

/// What lies below a strip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StripGround {
    /// Anything: it helps the lowest row for nothing, and is helped for nothing.
    Open,
    /// The perfect code `x + 2y = 0` modulo 5.
    Code,
}

/// The point below the lowest one of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PointBelow {
    /// Within the strip, or open.
    Unknown,
    Empty,
    /// A stone that only the point above it can help.
    InNeed,
    /// A stone that has an empty neighbour in the code.
    Helped,
}

/// Rows along an edge, and what lies below.
#[derive(Clone, Copy, Debug)]
pub struct Strip {
    /// Rows, 1 to 12.
    pub depth: usize,
    /// What lies below the lowest row.
    pub ground: StripGround,
}

impl Strip {
    /// Steps of a period: the points of five columns.
    fn step_count(self) -> usize {
        PERIOD * self.depth
    }

    fn state_count(self) -> usize {
        3usize.pow(self.depth as u32)
    }

    fn point_below(self, column: usize, row: usize) -> PointBelow {
        let residue = (column + 2 * self.depth) % PERIOD;
        match (row + 1 == self.depth, self.ground) {
            (true, StripGround::Code) if residue == 0 => PointBelow::Empty,
            (true, StripGround::Code) if residue == 2 => PointBelow::InNeed,
            (true, StripGround::Code) => PointBelow::Helped,
            _ => PointBelow::Unknown,
        }
    }

    /// The states after the next point, with what it costs: as a stone, and as an empty point.
    fn point_moves(self, step: usize, state: usize) -> [Option<(usize, i16)>; 2] {
        let (column, row) = (step / self.depth, step % self.depth);
        let place = 3usize.pow(row as u32);
        let left = state / place % 3;
        let above = if row > 0 { Some(state / (place / 3) % 3) } else { None };
        let below = self.point_below(column, row);
        let last = row + 1 == self.depth;
        let rest = state - left * place;
        let empties =
            i16::from(left == 2) + i16::from(above == Some(2)) + i16::from(below == PointBelow::Empty);
        let helped = i16::from(left > 0)
            + i16::from(above.is_some_and(|above| above > 0))
            + i16::from(matches!(below, PointBelow::Empty | PointBelow::Helped));
        // The mean loss of a column is taken off at its end.
        let off = i16::from(last);
        let left_may_leave = left > 0 || last && self.ground == StripGround::Open;
        let stone = (left_may_leave && below != PointBelow::InNeed)
            .then(|| (rest + if empties > 0 { place } else { 0 }, (empties - 1).max(0) - off));
        let helps_above = if above == Some(0) { place / 3 } else { 0 };
        let empty = (rest + 2 * place + helps_above, i16::from(row == 0) + empties + helped - off);
        [stone, Some(empty)]
    }

    /// The least cost of a walk from far away to every state, before every step of a period; nothing if walks of no cost are
    /// not the cheapest in the long run, that is if the strip does not lose just one a column.
    ///
    /// # Panics
    /// When the depth is not 1 to 12.
    #[must_use]
    pub fn potentials(self) -> Option<Vec<Vec<i16>>> {
        assert!((1..=12).contains(&self.depth), "a strip has 1 to 12 rows");
        let mut now = vec![0; self.state_count()];
        for _ in 0..MOST_ROUNDS {
            let mut tables = Vec::with_capacity(self.step_count());
            for step in 0..self.step_count() {
                let next = self.costs_after(step, &now);
                tables.push(std::mem::replace(&mut now, next));
            }
            if tables[0] == now {
                return Some(tables);
            }
        }
        None
    }

    fn costs_after(self, step: usize, costs: &[i16]) -> Vec<i16> {
        let mut next = vec![NEVER; costs.len()];
        for (state, cost) in costs.iter().enumerate().filter(|(_, cost)| **cost != NEVER) {
            for (to, price) in self.point_moves(step, state).into_iter().flatten() {
                next[to] = next[to].min(cost + price);
            }
        }
        next
    }
}

/// The critical states of an edge above a perfect code: those on endless walks of least loss.
///
/// ```
/// use ishi_grid::growth::CriticalEdge;
/// let side = CriticalEdge::new(7);
/// assert_eq!(side.characteristic_polynomial().nonzero_roots().to_string(), "x^3 - 5x^2 - 13x - 22");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CriticalEdge {
    /// The states before a column of number 0 modulo 5, a digit a row from the edge down: 0 a stone in need, 1 a stone that is
    /// helped, 2 an empty point.
    pub states: Vec<String>,
    /// Numbers of walks, by the state now and the state five columns later.
    pub matrix: Vec<Vec<u64>>,
}

impl CriticalEdge {
    /// Finds them in a strip of so many rows, 5 to 12; from 6 rows on they are the same but for rows of the code.
    ///
    /// # Panics
    /// When the depth is another one.
    #[must_use]
    pub fn new(depth: usize) -> CriticalEdge {
        assert!((5..=12).contains(&depth), "an edge is looked at 5 to 12 rows deep");
        let strip = Strip { depth, ground: StripGround::Code };
        let potentials = strip.potentials().expect("above a code an edge loses one a column");
        let tight = TightStates::new(strip, &potentials);
        let states: Vec<usize> = tight.alive[0].clone();
        let matrix = states.iter().map(|state| tight.count_walks(*state, &states)).collect();
        let digits = |state: &usize| {
            (0..depth as u32).map(|row| char::from(b'0' + (state / 3usize.pow(row) % 3) as u8)).collect()
        };
        CriticalEdge { states: states.iter().map(digits).collect(), matrix }
    }

    /// The characteristic polynomial of the matrix.
    #[must_use]
    pub fn characteristic_polynomial(&self) -> super::Polynomial {
        super::Polynomial::characteristic(&self.matrix)
    }

    /// Does some power of the matrix have no zero? Then the states are one component, and walks of all large lengths join any two.
    #[must_use]
    pub fn is_primitive(&self) -> bool {
        let size = self.matrix.len();
        let steps: Vec<Vec<bool>> =
            self.matrix.iter().map(|row| row.iter().map(|walks| *walks > 0).collect()).collect();
        let mut reached = steps.clone();
        // Wielandt's bound.
        for _ in 0..(size.max(1) - 1) * (size.max(1) - 1) + 1 {
            if reached.iter().flatten().all(|is| *is) {
                return true;
            }
            let join = |from: &Vec<bool>, to: usize| (0..size).any(|by| from[by] && steps[by][to]);
            reached = reached.iter().map(|from| (0..size).map(|to| join(from, to)).collect()).collect();
        }
        false
    }
}

/// The states of each step that lie on endless walks, both ways, of steps that cost just the difference of the potentials.
struct TightStates<'a> {
    strip: Strip,
    potentials: &'a [Vec<i16>],
    /// By step, ascending.
    alive: Vec<Vec<usize>>,
}

impl<'a> TightStates<'a> {
    fn new(strip: Strip, potentials: &'a [Vec<i16>]) -> TightStates<'a> {
        let all = potentials.iter().map(|table| (0..table.len()).filter(|state| table[*state] != NEVER));
        let mut tight = TightStates { strip, potentials, alive: all.map(Iterator::collect).collect() };
        while tight.trim_dead_ends() {}
        tight
    }

    /// Tight steps from a state.
    fn tight_steps(&self, step: usize, state: usize) -> impl Iterator<Item = usize> {
        let next = &self.potentials[(step + 1) % self.strip.step_count()];
        let cost = self.potentials[step][state];
        let moves = self.strip.point_moves(step, state).into_iter().flatten();
        moves.filter(move |(to, price)| next[*to] == cost + price).map(|(to, _)| to)
    }

    /// Drops states that no way leads on from, or to; says whether there were any.
    fn trim_dead_ends(&mut self) -> bool {
        let mut dropped = false;
        for step in 0..self.strip.step_count() {
            let next = (step + 1) % self.strip.step_count();
            let mut reached = Vec::new();
            let kept = self.alive[step].iter().copied().filter(|state| {
                let before = reached.len();
                reached.extend(
                    self.tight_steps(step, *state).filter(|to| self.alive[next].binary_search(to).is_ok()),
                );
                reached.len() > before
            });
            let kept: Vec<usize> = kept.collect();
            reached.sort_unstable();
            reached.dedup();
            dropped |= kept.len() < self.alive[step].len() || reached.len() < self.alive[next].len();
            self.alive[step] = kept;
            self.alive[next] = reached;
        }
        dropped
    }

    /// Walks of a period from a state to each of `states`.
    fn count_walks(&self, from: usize, states: &[usize]) -> Vec<u64> {
        let mut now = BTreeMap::from([(from, 1)]);
        for step in 0..self.strip.step_count() {
            let mut next = BTreeMap::new();
            for (state, walks) in now {
                for to in self.tight_steps(step, state) {
                    *next.entry(to).or_insert(0) += walks;
                }
            }
            now = next;
        }
        states.iter().map(|state| now.get(state).copied().unwrap_or(0)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets of empty points of a strip bent to a ring of five columns, by brute force: the loss of each set that dominates,
    /// with the code below. Knows nothing of frontiers.
    fn rings(depth: usize) -> Vec<i64> {
        let cells = PERIOD * depth;
        let code = |x: usize, y: usize| (x + 2 * y).is_multiple_of(PERIOD);
        let mut losses = Vec::new();
        for set in 0u32..1 << cells {
            let empty = |x: usize, y: usize| {
                if y < depth { set >> (y * PERIOD + x % PERIOD) & 1 == 1 } else { code(x % PERIOD, y) }
            };
            let covers = |x: usize, y: usize| {
                let near = [(x, y), (x + 1, y), (x + PERIOD - 1, y), (x, y + 1)];
                near.iter().filter(|(x, y)| empty(*x, *y)).count() + usize::from(y > 0 && empty(x, y - 1))
            };
            let points = (0..=depth).flat_map(|y| (0..PERIOD).map(move |x| (x, y)));
            let all: Vec<usize> = points.map(|(x, y)| covers(x, y)).collect();
            if all.iter().all(|covers| *covers > 0) {
                let beyond = (0..PERIOD).filter(|x| empty(*x, 0)).count();
                losses.push(all.iter().map(|covers| *covers as i64 - 1).sum::<i64>() + beyond as i64);
            }
        }
        losses
    }

    #[test]
    fn closed_walks_are_the_rings_of_brute_force() {
        for depth in [3, 4] {
            let strip = Strip { depth, ground: StripGround::Code };
            let mut by_cost: BTreeMap<i64, u64> = BTreeMap::new();
            for start in 0..strip.state_count() {
                let mut now = BTreeMap::from([((start, 0i64), 1u64)]);
                for step in 0..strip.step_count() {
                    let mut next = BTreeMap::new();
                    for ((state, cost), walks) in now {
                        for (to, price) in strip.point_moves(step, state).into_iter().flatten() {
                            *next.entry((to, cost + i64::from(price))).or_insert(0) += walks;
                        }
                    }
                    now = next;
                }
                for ((state, cost), walks) in now {
                    if state == start {
                        *by_cost.entry(cost + PERIOD as i64).or_insert(0) += walks;
                    }
                }
            }
            let mut brute: BTreeMap<i64, u64> = BTreeMap::new();
            rings(depth).into_iter().for_each(|loss| *brute.entry(loss).or_insert(0) += 1);
            assert_eq!(by_cost, brute, "depth {depth}");
            // A ring's loss is a multiple of 5.
            assert!(brute.keys().all(|loss| loss % 5 == 0) && brute.contains_key(&5));
        }
    }

    #[test]
    fn the_critical_states_do_not_depend_on_the_depth() {
        let deep = CriticalEdge::new(8);
        assert!(deep.is_primitive());
        assert_eq!(deep.matrix, CriticalEdge::new(7).matrix);
        assert_eq!(deep.characteristic_polynomial().to_string(), "x^7 - 5x^6 - 13x^5 - 22x^4");
        // Five rows are not enough.
        assert_ne!(deep.matrix, CriticalEdge::new(5).matrix);
    }

    #[test]
    fn an_open_strip_of_nine_rows_loses_less_and_one_of_ten_loses_one_a_column() {
        assert!(Strip { depth: 9, ground: StripGround::Open }.potentials().is_none());
        assert!(Strip { depth: 10, ground: StripGround::Open }.potentials().is_some());
    }
}
