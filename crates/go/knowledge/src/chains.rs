//! Level 1: chains with their stones, liberties, neighbours and what is within three steps of them, kept with every move.

use ishi_go::{Board, BoardObserver, Cell, Chain, Color, Point};
use ishi_reading::PointSet;

/// What is known of a chain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainFacts {
    /// Whose it is; `None`: there is no such chain.
    pub color: Option<Color>,
    /// Its stones.
    pub stones: PointSet,
    /// Its liberties.
    pub liberties: PointSet,
    /// The empty points two and three steps away from it, over empty points.
    pub near: [PointSet; 2],
}

/// Empty points that two chains share, by the steps to the one that is farther from them: one (common liberties), two and three.
pub type PointsByDistance = [PointSet; 3];

impl ChainFacts {
    /// Its first stone, by which it is named.
    ///
    /// # Panics
    /// If there is no such chain.
    pub fn name(&self) -> Point {
        self.stones.first().expect("a chain has a stone")
    }

    /// The points that it shares with another chain.
    pub fn shared_points(&self, other: &ChainFacts) -> PointsByDistance {
        let within = |chain: &ChainFacts| {
            let two = chain.liberties.union(&chain.near[0]);
            [chain.liberties, two, two.union(&chain.near[1])]
        };
        let (own, others) = (within(self), within(other));
        let both = [0, 1, 2].map(|steps| own[steps].intersection(&others[steps]));
        [both[0], both[1].difference(&both[0]), both[2].difference(&both[1])]
    }

    /// Finds anew what is near; the liberties are right.
    fn look_around(&mut self, board: &Board) {
        let empty_beside = |points: &PointSet| -> PointSet {
            points.with_neighbours().iter().filter(|&point| board.cell(point) == Cell::Empty).collect()
        };
        let two = empty_beside(&self.liberties).difference(&self.liberties);
        self.near = [two, empty_beside(&two).difference(&two).difference(&self.liberties)];
    }
}

/// All chains of a board. As a [`BoardObserver`] it follows the board move by move; [`Chains::from_board`] is the same from scratch.
///
/// ```
/// use ishi_go::{Board, BoardSize, Color, Move};
/// use ishi_knowledge::Chains;
/// let size = BoardSize::square(9).unwrap();
/// let (mut board, mut chains) = (Board::new(size), Chains::default());
/// for (color, vertex) in [(Color::Black, "E5"), (Color::White, "E6"), (Color::Black, "F5")] {
///     let point = size.parse_point(vertex).unwrap();
///     board.play_observed(color, Move::Play(point), &mut chains);
/// }
/// let black = chains.chain_at(size.parse_point("F5").unwrap()).unwrap();
/// assert_eq!((black.stones.len(), black.liberties.len()), (2, 5));
/// assert_eq!(chains, Chains::from_board(&board));
/// ```
#[derive(Clone, Debug)]
pub struct Chains {
    /// Facts of chains, by the number of the chain's name at the time.
    facts: Vec<ChainFacts>,
    /// The chain on each point, by [`Point::index`].
    at: Vec<Option<u16>>,
}

impl Default for Chains {
    /// Those of an empty board.
    fn default() -> Self {
        Chains { facts: vec![ChainFacts::default(); Point::INDICES], at: vec![None; Point::INDICES] }
    }
}

impl PartialEq for Chains {
    /// The same chains; their numbers do not count.
    fn eq(&self, other: &Chains) -> bool {
        let points = || (0..Point::INDICES).map(Point::from_index);
        points().all(|point| self.chain_at(point) == other.chain_at(point))
    }
}

impl Chains {
    /// The chains of a board, from scratch.
    pub fn from_board(board: &Board) -> Chains {
        let mut chains = Chains::default();
        for chain in board.chains() {
            let number = chains.unused_number();
            let facts = &mut chains.facts[number];
            for stone in board.chain_stones(chain) {
                facts.color = board.color(stone);
                facts.stones.insert(stone);
                chains.at[stone.index()] = Some(number as u16);
            }
            facts.liberties = board.chain_liberties(chain).into_iter().collect();
            facts.look_around(board);
        }
        chains
    }

    /// The chain on a point.
    pub fn chain_at(&self, point: Point) -> Option<&ChainFacts> {
        self.at[point.index()].map(|number| &self.facts[usize::from(number)])
    }

    /// Every chain once, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &ChainFacts> {
        let named = |(index, number): (usize, &Option<u16>)| {
            let facts = &self.facts[usize::from((*number)?)];
            (facts.name().index() == index).then_some(facts)
        };
        self.at.iter().enumerate().filter_map(named)
    }

    /// The enemy chains that touch a chain, by their names.
    pub fn enemy_neighbours(&self, chain: &ChainFacts) -> Vec<Point> {
        let mut names = Vec::new();
        for point in
            chain.stones.with_neighbours().difference(&chain.stones).difference(&chain.liberties).iter()
        {
            if let Some(name) = self.chain_at(point).map(ChainFacts::name)
                && !names.contains(&name)
            {
                names.push(name);
            }
        }
        names
    }

    /// A number that no chain has.
    fn unused_number(&self) -> usize {
        self.facts.iter().position(|facts| facts.color.is_none()).expect("fewer chains than points")
    }

    fn facts_at(&mut self, point: Point) -> Option<&mut ChainFacts> {
        let number = self.at[point.index()]?;
        Some(&mut self.facts[usize::from(number)])
    }
}

impl BoardObserver for Chains {
    fn on_place(&mut self, board: &Board, color: Color, point: Point) {
        // A chain's number is the index of its first stone while that is free.
        let wanted = point.index();
        let number = if self.facts[wanted].color.is_none() { wanted } else { self.unused_number() };
        let is_empty = |next: &Point| board.cell(*next) == Cell::Empty;
        for facts in self.facts.iter_mut().filter(|facts| facts.color.is_some()) {
            if facts.liberties.contains(point) || facts.near.iter().any(|near| near.contains(point)) {
                facts.liberties.remove(point);
                facts.look_around(board);
            }
        }
        let facts = &mut self.facts[number];
        facts.color = Some(color);
        facts.stones = PointSet::from_point(point);
        facts.liberties = point.neighbours().into_iter().filter(is_empty).collect();
        facts.look_around(board);
        self.at[wanted] = Some(number as u16);
    }

    fn on_capture(&mut self, board: &Board, _: Color, point: Point) {
        if let Some(number) = self.at[point.index()].take() {
            let facts = &mut self.facts[usize::from(number)];
            facts.stones.remove(point);
            if facts.stones.is_empty() {
                *facts = ChainFacts::default();
            }
        }
        for next in point.neighbours() {
            if let Some(facts) = self.facts_at(next) {
                facts.liberties.insert(point);
            }
        }
        let around = PointSet::from_point(point).with_neighbours().with_neighbours().with_neighbours();
        for facts in self.facts.iter_mut().filter(|facts| !facts.stones.intersection(&around).is_empty()) {
            facts.look_around(board);
        }
    }

    fn on_merge(&mut self, _: &Board, kept: Chain, gone: Chain) {
        let number = |chain: Chain| self.at[chain.head().index()];
        let (Some(kept), Some(gone)) = (number(kept), number(gone)) else { return };
        let lost = std::mem::take(&mut self.facts[usize::from(gone)]);
        for stone in lost.stones.iter() {
            self.at[stone.index()] = Some(kept);
        }
        let facts = &mut self.facts[usize::from(kept)];
        facts.stones.add_set(&lost.stones);
        facts.liberties.add_set(&lost.liberties);
        let two = facts.near[0].union(&lost.near[0]).difference(&facts.liberties);
        let three = facts.near[1].union(&lost.near[1]).difference(&facts.liberties).difference(&two);
        facts.near = [two, three];
    }
}
