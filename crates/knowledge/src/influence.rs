//! Level 3: influence, radiated from stones by the strength of their groups, and the territory that follows from it.

use ishi_go::{Board, Cell, Color, Point};
use ishi_reading::PointSet;

use crate::links::Link;
use crate::oracle::Strength;

/// Influence at a stone of a living group.
const FULL: f32 = 100.0;
/// What is left of influence one line further.
const FADE: f32 = 0.6;
/// Lines after which nothing is left.
const REACH: usize = 7;
/// Share of the influence from which a point is territory, and from which it is a moyo (模様) at least.
const TERRITORY: f32 = 0.8;
const MOYO: f32 = 0.35;

/// Doubt that is added to both sides' influence, so that points far from all stones are nobody's.
const DOUBT: f32 = 12.0;

/// Influence of both sides and what follows from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Influence {
    /// Of Black and of White, by [`Point::index`], 0 and up.
    by_color: [Vec<f32>; 2],
    /// Of each side's groups that cannot well be attacked, beyond all territory, in points.
    thickness: [f64; 2],
}

/// Whose influence a stone of a group radiates, how much of it, and is the group strong?
fn source(color: Color, strength: Option<Strength>) -> (Color, f32, bool) {
    match strength {
        Some(Strength::Dead) => (!color, 0.8, true),
        Some(Strength::Critical) => (color, 0.4, false),
        Some(Strength::Weak) => (color, 0.55, false),
        Some(Strength::Unsettled) | None => (color, 0.7, false),
        Some(Strength::Stable) => (color, 0.85, true),
        Some(Strength::Alive) => (color, 1.0, true),
    }
}

/// Walks outwards from stones, line by line.
struct Radiation<'a> {
    board: &'a Board,
    /// Points of each side's connections that hold.
    walls: [PointSet; 2],
    reached: Vec<u32>,
    calls: u32,
    front: Vec<Point>,
    next: Vec<Point>,
}

impl Radiation<'_> {
    /// Adds what a stone radiates: not through stones, nor through the other side's connections.
    fn add(&mut self, stone: Point, color: Color, weight: f32, fields: &mut [&mut [f32]]) {
        let mut amount = FULL * weight;
        let mut give = |point: Point, amount| {
            fields.iter_mut().for_each(|field| field[point.index()] += amount);
        };
        self.calls += 1;
        let stops = &self.walls[(!color).index()];
        self.reached[stone.index()] = self.calls;
        self.front.clear();
        self.front.push(stone);
        give(stone, amount);
        for _ in 0..REACH {
            amount *= FADE;
            self.next.clear();
            for point in self.front.iter().flat_map(|point: &Point| point.neighbours()) {
                let seen = std::mem::replace(&mut self.reached[point.index()], self.calls) == self.calls;
                if !seen && self.board.cell(point) == Cell::Empty {
                    give(point, amount);
                    if !stops.contains(point) {
                        self.next.push(point);
                    }
                }
            }
            std::mem::swap(&mut self.front, &mut self.next);
        }
    }
}

/// The empty points that two connected stones close: those of their rectangle between them along its longer side.
fn between(board: &Board, [a, b]: [Point; 2]) -> impl Iterator<Item = Point> {
    let range = |p: usize, q: usize| p.min(q)..=p.max(q);
    let is_wide = a.column().abs_diff(b.column()) >= a.row().abs_diff(b.row());
    let along = move |point: Point| if is_wide { point.column() } else { point.row() };
    let points = range(a.column(), b.column())
        .flat_map(move |column| range(a.row(), b.row()).map(move |row| Point::new(column, row)));
    points.filter(move |&point| {
        ![along(a), along(b)].contains(&along(point)) && board.cell(point) == Cell::Empty
    })
}

impl Influence {
    /// `strength` is that of the group on a point. Dead stones radiate the other side's influence.
    pub(crate) fn of(
        board: &Board,
        strength: impl Fn(Point) -> Option<Strength>,
        links: &[Link],
    ) -> Influence {
        let mut walls = [PointSet::EMPTY; 2];
        for link in links.iter().filter(|link| link.strength.holds()) {
            if let Some(color) = board.color(link.stones[0]) {
                between(board, link.stones).for_each(|point| walls[color.index()].insert(point));
            }
        }
        let nothing = || [vec![0.0; Point::INDICES], vec![0.0; Point::INDICES]];
        let (mut by_color, mut strong) = (nothing(), nothing());
        let reached = vec![0; Point::INDICES];
        let mut radiation =
            Radiation { board, walls, reached, calls: 0, front: Vec::new(), next: Vec::new() };
        for stone in board.size().points() {
            let Some(color) = board.color(stone) else { continue };
            let (color, weight, is_strong) = source(color, strength(stone));
            let all = by_color[color.index()].as_mut_slice();
            if is_strong {
                let strong = strong[color.index()].as_mut_slice();
                radiation.add(stone, color, weight, &mut [all, strong]);
            } else {
                radiation.add(stone, color, weight, &mut [all]);
            }
        }
        let mut influence = Influence { by_color, thickness: [0.0; 2] };
        influence.thickness =
            Color::ALL.map(|color| influence.beyond_territory(board, &strong[color.index()]));
        influence
    }

    /// What a field has of the open points that are nobody's territory, in points.
    fn beyond_territory(&self, board: &Board, field: &[f32]) -> f64 {
        let open = board.empties().filter(|&point| self.territory(point).is_none());
        open.map(|point| f64::from(field[point.index()] / self.total(point))).sum()
    }

    fn total(&self, point: Point) -> f32 {
        Color::ALL.into_iter().map(|color| self.on(color, point)).sum::<f32>() + DOUBT
    }

    /// A side's thickness (厚み): how much of the open points beyond territory its strong groups' influence has, in points.
    pub fn thickness(&self, color: Color) -> f64 {
        self.thickness[color.index()]
    }

    /// A side's influence on a point.
    pub fn on(&self, color: Color, point: Point) -> f32 {
        self.by_color[color.index()][point.index()]
    }

    /// +1 is Black's for sure, -1 White's.
    pub fn balance(&self, point: Point) -> f32 {
        let [black, white] = [Color::Black, Color::White].map(|color| self.on(color, point));
        (black - white) / self.total(point)
    }

    /// Whose territory a point is.
    pub fn territory(&self, point: Point) -> Option<Color> {
        self.beyond(point, TERRITORY)
    }

    /// Whose moyo (the loose frame of a territory to be) a point is: not territory yet.
    pub fn moyo(&self, point: Point) -> Option<Color> {
        self.beyond(point, MOYO).filter(|_| self.territory(point).is_none())
    }

    fn beyond(&self, point: Point, share: f32) -> Option<Color> {
        let balance = self.balance(point);
        if balance >= share { Some(Color::Black) } else { (balance <= -share).then_some(Color::White) }
    }
}
