//! Groups closed in around a small eye space: shapes of it by number or drawn by a seed, and an exhaustive search of all positions that can
//! come up there. The search knows no more of Go than this file: it shares no code with the readers, nor with the board.

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use ishi_go::{Board, BoardSize, Color, Point};
use ishi_reading::{LastingKo, LifeReader, ReadingAnswer, ReadingOutcome};
use ishi_rng::Rng;

/// Who owns the group.
pub(crate) const OWNER: Color = Color::Black;

/// A place: column and row, from 0.
type Place = (usize, usize);

/// The board's side.
const SIDE: usize = 19;

/// Where an eye space lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Spot {
    Corner,
    Side,
    Centre,
}

impl Spot {
    pub(crate) const ALL: [Spot; 3] = [Spot::Corner, Spot::Side, Spot::Centre];

    /// Where the lowest column and row of the space lie.
    fn origin(self) -> Place {
        match self {
            Spot::Corner => (0, 0),
            Spot::Side => (5, 0),
            Spot::Centre => (5, 5),
        }
    }
}

/// An eye space within a wall of the owner's, that within the attacker's stones, but for a few liberties of the wall outside.
#[derive(Clone, Debug)]
pub(crate) struct ClosedRegion {
    /// What may be played on: the space, then the liberties outside, then nooks of the wall that these cut off from the attacker's stones. A stone
    /// of the attacker's there may be captured.
    places: Vec<Place>,
    wall: BTreeSet<Place>,
    attackers: BTreeSet<Place>,
}

impl ClosedRegion {
    /// A region of this shape, whose columns and rows count from 0. None: its wall does not hang together, or has not so many places for
    /// liberties outside.
    pub(crate) fn from_shape(shape: &BTreeSet<Place>, spot: Spot, liberties: usize) -> Option<ClosedRegion> {
        let (column, row) = spot.origin();
        let space: BTreeSet<Place> = shape.iter().map(|&(c, r)| (c + column, r + row)).collect();
        let wall = places_around(&space);
        let within = &space | &wall;
        let next = places_around(&within);
        let outside: Vec<Place> =
            next.iter().filter(|&&place| beside(place).iter().any(|n| wall.contains(n))).copied().collect();
        if !hang_together(&wall) || outside.len() < liberties {
            return None;
        }
        let places: Vec<Place> = space.iter().chain(&outside[..liberties]).copied().collect();
        let beyond = places_around(&(&within | &next));
        let stones = (&next | &beyond).into_iter().filter(|place| !places.contains(place)).collect();
        let attackers = part_with(*beyond.last()?, &stones);
        let nooks = stones.difference(&attackers).copied();
        Some(ClosedRegion { places: places.into_iter().chain(nooks).collect(), wall, attackers })
    }

    /// A region drawn at random: its space has so many points.
    pub(crate) fn random(points: usize, rng: &mut Rng) -> ClosedRegion {
        loop {
            let spot = Spot::ALL[rng.next_index(3)];
            let liberties = rng.next_index(5);
            if let Some(region) = ClosedRegion::from_shape(&random_shape(points, rng), spot, liberties) {
                return region;
            }
        }
    }

    pub(crate) fn stone(&self) -> Point {
        self.wall.first().map(to_point).expect("a wall has stones")
    }

    pub(crate) fn points(&self) -> Vec<Point> {
        self.places.iter().map(to_point).collect()
    }

    /// How many points may be played on.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// The board with these stones on the region's points.
    pub(crate) fn board(&self, cells: &[Cell]) -> Board {
        let wall = self.wall.iter().map(|place| (OWNER, to_point(place)));
        let attackers = self.attackers.iter().map(|place| (!OWNER, to_point(place)));
        let inside = self.points().into_iter().zip(cells).filter_map(|(point, cell)| match cell {
            Cell::Empty => None,
            Cell::Owner => Some((OWNER, point)),
            Cell::Attacker => Some((!OWNER, point)),
        });
        let size = BoardSize::square(SIDE).expect("a size");
        Board::from_stones(size, wall.chain(attackers).chain(inside)).expect("every chain has a liberty")
    }
}

/// The places of the board around others, diagonally, too.
fn places_around(places: &BTreeSet<Place>) -> BTreeSet<Place> {
    let around = places.iter().flat_map(|&(column, row)| {
        let columns = column.saturating_sub(1)..=(column + 1).min(SIDE - 1);
        columns.flat_map(move |column| {
            (row.saturating_sub(1)..=(row + 1).min(SIDE - 1)).map(move |row| (column, row))
        })
    });
    around.filter(|place| !places.contains(place)).collect()
}

/// The places of the board beside one.
fn beside((column, row): Place) -> Vec<Place> {
    let mut places = vec![(column + 1, row), (column, row + 1)];
    places.extend(column.checked_sub(1).map(|column| (column, row)));
    places.extend(row.checked_sub(1).map(|row| (column, row)));
    places.retain(|&(column, row)| column < SIDE && row < SIDE);
    places
}

fn hang_together(places: &BTreeSet<Place>) -> bool {
    places.first().is_none_or(|&first| part_with(first, places).len() == places.len())
}

/// The places that hang together with one of them.
fn part_with(first: Place, places: &BTreeSet<Place>) -> BTreeSet<Place> {
    let mut found = BTreeSet::from([first]);
    let mut todo = vec![first];
    while let Some(place) = todo.pop() {
        todo.extend(beside(place).into_iter().filter(|place| places.contains(place) && found.insert(*place)));
    }
    found
}

fn to_point(&(column, row): &Place) -> Point {
    Point::new(column, row)
}

/// Moved so that the lowest column and row are 0.
fn moved_to_origin(places: &BTreeSet<(i32, i32)>) -> BTreeSet<Place> {
    let least = |of: fn(&(i32, i32)) -> i32| places.iter().map(of).min().unwrap_or(0);
    let (column, row) = (least(|place| place.0), least(|place| place.1));
    places.iter().map(|&(c, r)| ((c - column) as usize, (r - row) as usize)).collect()
}

/// So many points that hang together, at random.
fn random_shape(points: usize, rng: &mut Rng) -> BTreeSet<Place> {
    let mut places = BTreeSet::from([(0, 0)]);
    while places.len() < points {
        let all: Vec<(i32, i32)> = places.iter().copied().collect();
        let (column, row) = all[rng.next_index(all.len())];
        places.insert(
            [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)][rng.next_index(4)],
        );
    }
    moved_to_origin(&places)
}

/// All shapes of so many points that hang together, each in all ways that it can be turned and mirrored.
pub(crate) fn all_shapes(points: usize) -> Vec<BTreeSet<Place>> {
    let mut shapes = BTreeSet::from([BTreeSet::from([(0, 0)])]);
    for _ in 1..points {
        shapes = shapes.iter().flat_map(grown_by_one).collect();
    }
    shapes.into_iter().collect()
}

fn grown_by_one(shape: &BTreeSet<Place>) -> Vec<BTreeSet<Place>> {
    let shape: BTreeSet<(i32, i32)> = shape.iter().map(|&(c, r)| (c as i32, r as i32)).collect();
    let around = shape.iter().flat_map(|&(c, r)| [(c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1)]);
    let fresh: BTreeSet<(i32, i32)> = around.filter(|place| !shape.contains(place)).collect();
    fresh.into_iter().map(|place| moved_to_origin(&(&shape | &BTreeSet::from([place])))).collect()
}

/// How a place is turned or mirrored.
type Turn = fn((i32, i32)) -> (i32, i32);

/// Of the ways in which a shape can be turned and mirrored without changing how it lies to the edges: is this the first? A corner has its
/// diagonal, a side two directions, and the centre looks the same from everywhere.
pub(crate) fn is_first_of_its_ways(shape: &BTreeSet<Place>, spot: Spot) -> bool {
    let ways: &[Turn] = match spot {
        Spot::Corner => &[|(c, r)| (r, c)],
        Spot::Side => &[|(c, r)| (-c, r)],
        Spot::Centre => &[
            |(c, r)| (-c, r),
            |(c, r)| (c, -r),
            |(c, r)| (-c, -r),
            |(c, r)| (r, c),
            |(c, r)| (-r, c),
            |(c, r)| (r, -c),
            |(c, r)| (-r, -c),
        ],
    };
    ways.iter().all(|way| {
        let turned = shape.iter().map(|&(c, r)| way((c as i32, r as i32))).collect();
        *shape <= moved_to_origin(&turned)
    })
}

/// What is on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    Empty,
    Owner,
    Attacker,
}

/// A position: the stones of both sides, a bit for each point; the point that may not be retaken, and one more; who moves; has the other just passed?
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    owner: u32,
    attacker: u32,
    ko: u8,
    attacking: bool,
    passed: bool,
}

impl State {
    fn cell(self, point: usize) -> Cell {
        match (self.owner >> point & 1, self.attacker >> point & 1) {
            (1, _) => Cell::Owner,
            (_, 1) => Cell::Attacker,
            _ => Cell::Empty,
        }
    }

    fn put(&mut self, point: usize, cell: Cell) {
        self.owner |= u32::from(cell == Cell::Owner) << point;
        self.attacker |= u32::from(cell == Cell::Attacker) << point;
    }
}

/// The numbers of a set's points.
fn numbers_of(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let number = set.trailing_zeros();
        set = set.checked_sub(1)? & set;
        Some(number as usize)
    })
}

/// A hash of a state's few words.
#[derive(Default)]
struct StateHasher(u64);

impl Hasher for StateHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(23) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

/// A chain of stones on the region's points, and what it touches.
struct Chain {
    stones: u32,
    /// Is it one with the wall, or with the attacker's stones around?
    is_fixed: bool,
    liberties: u32,
}

/// Where a move leads: with a ko that may not be retaken, and with one that may.
#[derive(Clone, Copy)]
struct Edge {
    banned: u32,
    lifted: u32,
}

/// All positions of a region that can come up.
pub(crate) struct Exhaustive {
    /// The points beside each.
    neighbours: Vec<u32>,
    /// Points beside the wall, and beside the attacker's stones around.
    beside_wall: u32,
    beside_safe: u32,
    numbers: HashMap<State, u32, BuildHasherDefault<StateHasher>>,
    states: Vec<State>,
    /// The moves of each state lie one after the other; here they begin.
    first_edge: Vec<u32>,
    edges: Vec<Edge>,
    /// States in which the attacker can take the wall at once.
    taken: Vec<bool>,
    /// Moves that end with the group alive: no edge leads anywhere, but they count.
    ending: Vec<bool>,
    /// Which states fall if nobody may retake kos at once, if the attacker may, and if the owner may.
    fallen: [Vec<bool>; 3],
}

/// What becomes of the group of a position if the attacker moves first, and if the owner does.
struct Verdict {
    state: State,
    dies: ReadingOutcome,
    lives: ReadingOutcome,
}

impl Exhaustive {
    /// Searches everything, and gives what becomes of each position without a ko.
    fn solve(region: &ClosedRegion) -> (Exhaustive, Vec<Verdict>) {
        let mut graph = Exhaustive::new(region);
        let points = region.len();
        let mut starts = Vec::new();
        for number in 0..3u64.pow(points as u32) {
            let mut state = State { owner: 0, attacker: 0, ko: 0, attacking: true, passed: false };
            let mut rest = number;
            for point in 0..points {
                state.put(point, [Cell::Empty, Cell::Owner, Cell::Attacker][(rest % 3) as usize]);
                rest /= 3;
            }
            if graph.is_possible(state) {
                let attacker = graph.number(state);
                starts.push((state, [attacker, graph.number(State { attacking: false, ..state })]));
            }
        }
        let mut next = 0;
        while next < graph.states.len() {
            graph.expand(graph.states[next]);
            next += 1;
        }
        graph.first_edge.push(graph.edges.len() as u32);
        graph.fallen = FREE.map(|free| graph.find_fallen(free));
        let [plain, free, bound] = &graph.fallen;
        let verdict = |(state, [attacker, owner]): (State, [u32; 2])| {
            let (a, o) = (attacker as usize, owner as usize);
            Verdict {
                state,
                dies: outcome(plain[a], free[a], bound[a]),
                lives: outcome(!plain[o], !bound[o], !free[o]),
            }
        };
        let verdicts = starts.into_iter().map(verdict).collect();
        (graph, verdicts)
    }

    fn new(region: &ClosedRegion) -> Exhaustive {
        let number = |place: &Place| region.places.iter().position(|other| other == place);
        let mut graph = Exhaustive {
            neighbours: vec![0; region.len()],
            beside_wall: 0,
            beside_safe: 0,
            numbers: HashMap::default(),
            states: Vec::new(),
            first_edge: Vec::new(),
            edges: Vec::new(),
            taken: Vec::new(),
            ending: Vec::new(),
            fallen: Default::default(),
        };
        for (point, &place) in region.places.iter().enumerate() {
            for other in beside(place) {
                match number(&other) {
                    Some(number) => graph.neighbours[point] |= 1 << number,
                    None if region.wall.contains(&other) => graph.beside_wall |= 1 << point,
                    None => {
                        assert!(region.attackers.contains(&other), "the region is closed");
                        graph.beside_safe |= 1 << point;
                    }
                }
            }
        }
        graph
    }

    fn empty(&self, state: State) -> u32 {
        ((1 << self.neighbours.len()) - 1) & !(state.owner | state.attacker)
    }

    /// The chain of the stone on a point.
    fn chain(&self, state: State, point: usize) -> Chain {
        let (own, fixed) = match state.cell(point) {
            Cell::Owner => (state.owner, self.beside_wall),
            _ => (state.attacker, self.beside_safe),
        };
        let (mut stones, mut beside) = (1 << point, self.neighbours[point]);
        while beside & own & !stones != 0 {
            let fresh = beside & own & !stones;
            stones |= fresh;
            numbers_of(fresh).for_each(|stone| beside |= self.neighbours[stone]);
        }
        Chain { stones, is_fixed: stones & fixed != 0, liberties: beside & self.empty(state) }
    }

    /// Has the wall, with the stones that are one with it, a liberty?
    fn wall_stands(&self, state: State) -> bool {
        self.beside_wall & self.empty(state) != 0
            || numbers_of(self.beside_wall & state.owner).any(|point| self.chain(state, point).liberties != 0)
    }

    /// Do all chains have liberties?
    fn is_possible(&self, state: State) -> bool {
        let stands = |point| {
            let chain = self.chain(state, point);
            chain.is_fixed || chain.liberties != 0
        };
        numbers_of(state.owner | state.attacker).all(stands) && self.wall_stands(state)
    }

    fn number(&mut self, state: State) -> u32 {
        let fresh = self.states.len() as u32;
        let number = *self.numbers.entry(state).or_insert(fresh);
        if number == fresh {
            self.states.push(state);
        }
        number
    }

    /// The moves of a state. None of a move: it is against the rules.
    fn expand(&mut self, state: State) {
        self.first_edge.push(self.edges.len() as u32);
        let (mut taken, mut ending) = (false, false);
        for point in 0..self.neighbours.len() {
            let Some(after) = self.play(state, point) else { continue };
            if !self.wall_stands(after) {
                taken = true;
                continue;
            }
            let banned = self.number(after);
            let lifted = self.number(State { ko: 0, ..after });
            self.edges.push(Edge { banned, lifted });
        }
        // A pass that lets a ko be taken back is a move elsewhere.
        let passed = state.ko == 0;
        if passed && state.passed {
            ending = true;
        } else {
            let after = State { ko: 0, attacking: !state.attacking, passed, ..state };
            let number = self.number(after);
            self.edges.push(Edge { banned: number, lifted: number });
        }
        self.taken.push(taken);
        self.ending.push(ending);
    }

    /// The position after a stone on a point; there the wall may have no liberty.
    fn play(&self, state: State, point: usize) -> Option<State> {
        if state.cell(point) != Cell::Empty || state.ko == point as u8 + 1 {
            return None;
        }
        let mut after = State { ko: 0, attacking: !state.attacking, passed: false, ..state };
        after.put(point, if state.attacking { Cell::Attacker } else { Cell::Owner });
        let others = if state.attacking { state.owner } else { state.attacker };
        let mut captured = 0;
        for next in numbers_of(self.neighbours[point] & others) {
            let chain = self.chain(after, next);
            if chain.liberties == 0 && !chain.is_fixed {
                captured |= chain.stones;
            }
        }
        let takes_wall = state.attacking && !self.wall_stands(after);
        (after.owner, after.attacker) = (after.owner & !captured, after.attacker & !captured);
        let chain = self.chain(after, point);
        let stands = if chain.is_fixed && !state.attacking {
            self.wall_stands(after)
        } else {
            chain.is_fixed || chain.liberties != 0 || takes_wall
        };
        if !stands {
            return None;
        }
        let is_one = |set: u32| set.count_ones() == 1;
        let is_ko = is_one(captured) && !chain.is_fixed && is_one(chain.stones) && is_one(chain.liberties);
        if is_ko && !takes_wall {
            after.ko = captured.trailing_zeros() as u8 + 1;
        }
        Some(after)
    }

    /// Which states fall, from those that are taken at once back to those from which they can be forced. `free`: who may retake kos at once, the
    /// attacker or the owner.
    fn find_fallen(&self, free: Option<bool>) -> Vec<bool> {
        let count = self.states.len();
        let target = |state: usize, edge: &Edge| {
            let retaker_attacks = !self.states[state].attacking;
            if free == Some(retaker_attacks) { edge.lifted } else { edge.banned }
        };
        let edges_of =
            |state: usize| &self.edges[self.first_edge[state] as usize..self.first_edge[state + 1] as usize];
        let mut first = vec![0u32; count + 1];
        for state in 0..count {
            edges_of(state).iter().for_each(|edge| first[target(state, edge) as usize + 1] += 1);
        }
        (0..count).for_each(|state| first[state + 1] += first[state]);
        let mut place = first.clone();
        let mut before = vec![0u32; self.edges.len()];
        for state in 0..count {
            for edge in edges_of(state) {
                let slot = &mut place[target(state, edge) as usize];
                before[*slot as usize] = state as u32;
                *slot += 1;
            }
        }
        let mut open: Vec<u32> =
            (0..count).map(|state| edges_of(state).len() as u32 + u32::from(self.ending[state])).collect();
        let mut fallen = self.taken.clone();
        let mut todo: Vec<usize> = (0..count).filter(|&state| fallen[state]).collect();
        while let Some(state) = todo.pop() {
            for &from in &before[first[state] as usize..first[state + 1] as usize] {
                let from = from as usize;
                open[from] -= 1;
                if !fallen[from] && (self.states[from].attacking || open[from] == 0) {
                    fallen[from] = true;
                    todo.push(from);
                }
            }
        }
        fallen
    }

    /// Does a move (None: a pass) of a state's side do what the outcome says? What works does so though the other side may retake kos at once, a ko
    /// that is taken first though nobody may, and one that needs a threat if its own side may.
    fn does(&self, state: State, mv: Option<usize>, outcome: ReadingOutcome) -> bool {
        let free = match outcome {
            ReadingOutcome::Works => Some(!state.attacking),
            ReadingOutcome::KoFirst => None,
            ReadingOutcome::KoSecond => Some(state.attacking),
            ReadingOutcome::Fails => return true,
        };
        let after = match mv {
            Some(point) => self.play(state, point),
            None => Some(State { attacking: !state.attacking, passed: true, ..state }),
        };
        let Some(mut after) = after else { return false };
        if !self.wall_stands(after) {
            return state.attacking;
        }
        if free == Some(after.attacking) {
            after.ko = 0;
        }
        let ruling = FREE.iter().position(|&other| other == free).expect("a ruling");
        self.fallen[ruling][self.numbers[&after] as usize] == state.attacking
    }
}

/// Kos that last, as [`LastingKo`] says it, from what exhaustive search has found.
impl Exhaustive {
    fn lasting_ko(&self, region: &ClosedRegion, state: State) -> Option<LastingKo> {
        let outcomes = [true, false].map(|attacking| self.outcome_of(State { attacking, ..state }));
        match outcomes {
            [ReadingOutcome::KoFirst, ReadingOutcome::KoSecond] if self.leads_to_bent_four(region, state) => {
                Some(LastingKo::BentFour)
            }
            [ReadingOutcome::KoSecond, ReadingOutcome::KoFirst]
                if self.owner_may_begin(state) && self.leads_to_seki(state, 2) =>
            {
                Some(LastingKo::ThousandYear)
            }
            _ => None,
        }
    }

    /// What becomes of a state for the side that moves. Who may retake kos at once is bound by no ban.
    fn outcome_of(&self, state: State) -> ReadingOutcome {
        let falls = |ruling: usize, state: State| self.fallen[ruling][self.numbers[&state] as usize];
        let lifted = State { ko: 0, ..state };
        if state.attacking {
            outcome(falls(0, state), falls(1, lifted), falls(2, state))
        } else {
            outcome(!falls(0, state), !falls(2, lifted), !falls(1, state))
        }
    }

    /// Liberties of the wall outside, which only the attacker fills.
    fn outside(&self) -> u32 {
        let mut outside = self.beside_wall & self.beside_safe;
        loop {
            let kept = numbers_of(outside).filter(|&point| self.neighbours[point] & !outside == 0);
            let kept: u32 = kept.map(|point| 1 << point).sum();
            if kept == outside {
                return outside;
            }
            outside = kept;
        }
    }

    /// The state after a move, if the wall stands then.
    fn after(&self, state: State, point: usize, attacking: bool) -> Option<State> {
        self.play(State { attacking, ..state }, point).filter(|&after| self.wall_stands(after))
    }

    fn leads_to_bent_four(&self, region: &ClosedRegion, state: State) -> bool {
        let mut filled = state;
        for point in numbers_of(self.outside()) {
            filled = self.after(filled, point, true).unwrap_or(filled);
        }
        let number = |place: Place| region.places.iter().position(|&other| other == place);
        [(2, 0), (0, 2)].into_iter().any(|more| {
            let four: Option<Vec<usize>> = [(0, 0), (1, 0), (0, 1), more].into_iter().map(number).collect();
            let Some(four) = four else { return false };
            let missing: Vec<usize> =
                four.iter().copied().filter(|&point| filled.cell(point) == Cell::Empty).collect();
            if missing.len() > 2 || four.iter().any(|&point| filled.cell(point) == Cell::Owner) {
                return false;
            }
            let mut next = State { attacking: false, ..filled };
            for point in missing {
                let Some(after) = self.after(next, point, true) else { return false };
                if self.outcome_of(after) != ReadingOutcome::KoSecond {
                    return false;
                }
                next = after;
            }
            let chain = self.chain(next, four[0]);
            !chain.is_fixed
                && chain.stones.count_ones() == 4
                && self.outcome_of(next) == ReadingOutcome::KoSecond
        })
    }

    fn owner_may_begin(&self, state: State) -> bool {
        let mut moves = numbers_of(self.empty(state) & !self.outside());
        moves.any(|point| {
            self.after(state, point, false)
                .is_some_and(|after| self.outcome_of(after) == ReadingOutcome::KoFirst)
        })
    }

    fn leads_to_seki(&self, state: State, moves: usize) -> bool {
        numbers_of(self.empty(state) & !self.outside()).any(|point| {
            let Some(after) = self.after(state, point, true) else { return false };
            let after = State { ko: 0, ..after };
            self.is_seki(after) || moves > 1 && self.leads_to_seki(after, moves - 1)
        })
    }

    fn is_seki(&self, state: State) -> bool {
        let moves: Vec<State> = numbers_of(self.empty(state) & !self.outside())
            .filter_map(|point| self.after(state, point, false))
            .collect();
        !moves.is_empty()
            && self.outcome_of(State { attacking: true, ..state }) == ReadingOutcome::Fails
            && moves.iter().all(|&after| self.outcome_of(after) == ReadingOutcome::Works)
    }
}

/// Who may retake kos at once: nobody, the attacker, the owner.
const FREE: [Option<bool>; 3] = [None, Some(true), Some(false)];

/// The outcome for the side that moves first, from who has his way without a free ko, with one for himself, and with one for the other.
pub(crate) fn outcome(plain: bool, own: bool, others: bool) -> ReadingOutcome {
    match (plain, own, others) {
        (true, _, true) => ReadingOutcome::Works,
        (true, _, false) => ReadingOutcome::KoFirst,
        (false, true, _) => ReadingOutcome::KoSecond,
        (false, false, _) => ReadingOutcome::Fails,
    }
}

/// Reads so many random positions of a region (all, if it has no more), and holds them to exhaustive search: what becomes of the group, that the
/// move given does it, and the name of a ko that lasts. Gives how many were read, and the first that was read wrongly, drawn, with what is right and
/// what was read.
pub(crate) fn compare_region(
    reader: &mut LifeReader,
    region: &ClosedRegion,
    most: usize,
    rng: &mut Rng,
) -> (usize, Option<String>) {
    let (graph, mut verdicts) = Exhaustive::solve(region);
    if verdicts.len() > most {
        rng.shuffle(&mut verdicts);
        verdicts.truncate(most);
    }
    let points = region.points();
    let number = |mv: Point| points.iter().position(|&point| point == mv).expect("a point of the region");
    for verdict in &verdicts {
        let cells: Vec<Cell> = (0..points.len()).map(|point| verdict.state.cell(point)).collect();
        let board = region.board(&cells);
        let read = [reader.read_death(&board, region.stone()), reader.read_life(&board, region.stone())];
        let is_right = |read: Option<ReadingAnswer>, attacking, right| {
            let state = State { attacking, ..verdict.state };
            read.is_some_and(|read| read.outcome == right && graph.does(state, read.mv.map(number), right))
        };
        if !is_right(read[0], true, verdict.dies) || !is_right(read[1], false, verdict.lives) {
            let right = [verdict.dies, verdict.lives];
            return (verdicts.len(), Some(format!("{board}\nright {right:?}, read {read:?}")));
        }
        if matches!(verdict.dies, ReadingOutcome::KoFirst | ReadingOutcome::KoSecond) {
            let names = [graph.lasting_ko(region, verdict.state), reader.lasting_ko(&board, region.stone())];
            if names[0] != names[1] {
                return (verdicts.len(), Some(format!("{board}\na ko that lasts: {names:?}")));
            }
        }
    }
    (verdicts.len(), None)
}
