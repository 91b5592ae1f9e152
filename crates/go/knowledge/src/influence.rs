//! Level 3: influence, radiated from stones by the strength of their groups, and the territory that follows from it.

use ishi_go::{Board, Cell, Color, Point};
use ishi_reading::PointSet;

use crate::links::Link;
use crate::oracle::GroupStrength;
use crate::style::{InfluenceLaw, InfluenceWalls, Style};

/// Influence at a stone of a living group.
const FULL: f32 = 100.0;
/// What is left of influence one line further.
const FADE: f32 = 0.6;
/// Lines after which nothing is left.
const REACH: usize = 7;
/// Share of the influence from which a point is territory, and from which it is a moyo (模様) at least.
const TERRITORY: f32 = 0.8;
const MOYO: f32 = 0.35;

impl InfluenceLaw {
    /// Lines after which nothing is left of a stone's influence.
    fn reach_in_lines(self) -> usize {
        match self {
            InfluenceLaw::Fading => REACH,
            InfluenceLaw::InverseDistance => usize::MAX,
        }
    }

    /// Influence so many lines from a stone, from what it is at the stone and what it is one line nearer.
    fn influence_at_distance(self, lines: usize, stone: f32, nearer: f32) -> f32 {
        match self {
            InfluenceLaw::Fading => nearer * FADE,
            InfluenceLaw::InverseDistance => stone / lines as f32,
        }
    }

    /// Doubt that is added to both sides' influence, so that points far from all stones are nobody's.
    ///
    /// Of one over the distance it follows from the property for which D. Fotland chose that law, a field that is nearly the same in a
    /// closed area of any size. At the point of a corner that a wall of `2n + 1` stones closes, `n` lines away on either edge, its stones
    /// are `n` to `2n - 1` lines away, two each (nothing of the wall's own corner comes in). The field there is `2 (H(2n - 1) - H(n - 1))`
    /// stones, with `H` the sum of `1/k`. For large `n` that falls to `2 ln 2`: with this doubt that is the least that is territory.
    fn added_doubt(self) -> f32 {
        match self {
            InfluenceLaw::Fading => 12.0,
            InfluenceLaw::InverseDistance => {
                2.0 * std::f32::consts::LN_2 * FULL * (1.0 - TERRITORY) / TERRITORY
            }
        }
    }
}

/// Influence of both sides and what follows from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Influence {
    /// The influence of Black and of White, by [`Point::index`], 0 and up.
    by_color: [Vec<f32>; 2],
    /// Of each side's groups that cannot well be attacked, beyond all territory, in points.
    thickness: [f64; 2],
    /// What is added to both sides'.
    doubt: f32,
}

/// Whose influence a stone of a group radiates, how much of it, and is the group strong?
fn radiation_source(color: Color, strength: Option<GroupStrength>) -> (Color, f32, bool) {
    match strength {
        Some(GroupStrength::Dead) => (!color, 0.8, true),
        Some(GroupStrength::Critical) => (color, 0.4, false),
        Some(GroupStrength::Weak) => (color, 0.55, false),
        Some(GroupStrength::Unsettled) | None => (color, 0.7, false),
        Some(GroupStrength::Stable) => (color, 0.85, true),
        Some(GroupStrength::Alive) => (color, 1.0, true),
    }
}

/// Walks outwards from stones, line by line.
struct InfluenceSpreader<'a> {
    board: &'a Board,
    law: InfluenceLaw,
    /// What the influence of each side does not pass: points of connections that hold.
    walls: [PointSet; 2],
    reached: Vec<u32>,
    calls: u32,
    front: Vec<Point>,
    next: Vec<Point>,
}

impl InfluenceSpreader<'_> {
    /// Adds what a stone radiates: not through stones, nor through connections.
    fn spread_from_stone(&mut self, stone: Point, color: Color, weight: f32, fields: &mut [&mut [f32]]) {
        let full = FULL * weight;
        let mut amount = full;
        let mut give = |point: Point, amount| {
            fields.iter_mut().for_each(|field| field[point.index()] += amount);
        };
        self.calls += 1;
        let stops = &self.walls[color.index()];
        self.reached[stone.index()] = self.calls;
        self.front.clear();
        self.front.push(stone);
        give(stone, full);
        for lines in 1..=self.law.reach_in_lines() {
            amount = self.law.influence_at_distance(lines, full, amount);
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
            if self.front.is_empty() {
                break;
            }
        }
    }
}

/// The empty points that two connected stones close: those of their rectangle between them along its longer side.
fn points_between(board: &Board, [a, b]: [Point; 2]) -> impl Iterator<Item = Point> {
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
    pub(crate) fn compute(
        style: Style,
        board: &Board,
        strength: impl Fn(Point) -> Option<GroupStrength>,
        links: &[Link],
    ) -> Influence {
        let mut walls = [PointSet::EMPTY; 2];
        for link in links.iter().filter(|link| link.strength.holds()) {
            if let Some(owner) = board.color(link.stones[0]) {
                let stopped = |color: &Color| style.walls == InfluenceWalls::All || *color != owner;
                for color in Color::ALL.into_iter().filter(stopped) {
                    points_between(board, link.stones).for_each(|point| walls[color.index()].insert(point));
                }
            }
        }
        let nothing = || [vec![0.0; Point::INDICES], vec![0.0; Point::INDICES]];
        let (mut by_color, mut strong) = (nothing(), nothing());
        let reached = vec![0; Point::INDICES];
        let mut radiation = InfluenceSpreader {
            board,
            law: style.influence,
            walls,
            reached,
            calls: 0,
            front: Vec::new(),
            next: Vec::new(),
        };
        for stone in board.size().points() {
            let Some(color) = board.color(stone) else { continue };
            let (color, weight, is_strong) = radiation_source(color, strength(stone));
            let all = by_color[color.index()].as_mut_slice();
            if is_strong {
                let strong = strong[color.index()].as_mut_slice();
                radiation.spread_from_stone(stone, color, weight, &mut [all, strong]);
            } else {
                radiation.spread_from_stone(stone, color, weight, &mut [all]);
            }
        }
        let mut influence = Influence { by_color, thickness: [0.0; 2], doubt: style.influence.added_doubt() };
        influence.thickness =
            Color::ALL.map(|color| influence.points_beyond_territory(board, &strong[color.index()]));
        influence
    }

    /// What a field has of the open points that are nobody's territory, in points.
    fn points_beyond_territory(&self, board: &Board, field: &[f32]) -> f64 {
        let open = board.empty_points().filter(|&point| self.territory_owner(point).is_none());
        open.map(|point| f64::from(field[point.index()] / self.total_at(point))).sum()
    }

    fn total_at(&self, point: Point) -> f32 {
        Color::ALL.into_iter().map(|color| self.influence_at(color, point)).sum::<f32>() + self.doubt
    }

    /// A side's thickness (厚み): how much of the open points beyond territory its strong groups' influence has, in points.
    pub fn thickness_of(&self, color: Color) -> f64 {
        self.thickness[color.index()]
    }

    /// What is added to both sides' influence on every point, so that points far from all stones are nobody's.
    pub fn doubt(&self) -> f32 {
        self.doubt
    }

    /// A side's influence on a point.
    pub fn influence_at(&self, color: Color, point: Point) -> f32 {
        self.by_color[color.index()][point.index()]
    }

    /// +1 is Black's for sure, -1 White's.
    pub fn balance_at(&self, point: Point) -> f32 {
        let [black, white] = [Color::Black, Color::White].map(|color| self.influence_at(color, point));
        (black - white) / self.total_at(point)
    }

    /// Whose territory a point is.
    pub fn territory_owner(&self, point: Point) -> Option<Color> {
        self.owner_above_share(point, TERRITORY)
    }

    /// Whose moyo (the loose frame of a territory to be) a point is: not territory yet.
    pub fn moyo_owner(&self, point: Point) -> Option<Color> {
        self.owner_above_share(point, MOYO).filter(|_| self.territory_owner(point).is_none())
    }

    fn owner_above_share(&self, point: Point, share: f32) -> Option<Color> {
        let balance = self.balance_at(point);
        if balance >= share { Some(Color::Black) } else { (balance <= -share).then_some(Color::White) }
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Move};

    use super::*;
    use crate::style::Style;

    fn board(side: usize, black: &[Point], white: &[Point]) -> Board {
        let mut board = Board::new(BoardSize::square(side).unwrap());
        for (color, points) in [(Color::Black, black), (Color::White, white)] {
            points.iter().for_each(|&point| {
                board.play_unchecked(color, Move::Play(point));
            });
        }
        board
    }

    /// All groups alive.
    fn influence(board: &Board, style: Style, links: &[Link]) -> Influence {
        Influence::compute(style, board, |point| board.color(point).map(|_| GroupStrength::Alive), links)
    }

    fn inverse() -> Style {
        "influence=inverse-distance".parse().unwrap()
    }

    /// Points of a square corner, and the wall around it.
    fn corner(inside: usize) -> (Vec<Point>, Vec<Point>) {
        let square = |side: usize| (0..side).flat_map(move |x| (0..side).map(move |y| Point::new(x, y)));
        (square(inside).collect(), square(inside + 1).filter(|p| p.column().max(p.row()) == inside).collect())
    }

    /// "A constant field in a completely enclosed area, however large it is."
    #[test]
    fn a_closed_area_of_any_size_is_one_field_by_the_inverse_distance() {
        for inside in 2..=17 {
            let (points, wall) = corner(inside);
            let others = (0..inside + 2).flat_map(|n| [Point::new(n, inside + 1), Point::new(inside + 1, n)]);
            let others: PointSet = others.collect();
            let others: Vec<Point> = others.iter().filter(|p| p.column().max(p.row()) < 19).collect();
            let board = board(19, &wall, &others);
            let now = influence(&board, inverse(), &[]);
            assert!(points.iter().all(|&p| now.territory_owner(p) == Some(Color::Black)), "{inside}");
            assert!(points.iter().all(|&p| now.influence_at(Color::White, p) == 0.0));
            let [least, most] = [f32::min, f32::max].map(|of: fn(f32, f32) -> f32| {
                points.iter().map(|&p| now.influence_at(Color::Black, p)).reduce(of).unwrap()
            });
            assert!(least > 1.38 * FULL && most < 8.0 * FULL, "{inside}: {least} to {most}");
        }
        let (points, wall) = corner(10);
        assert_eq!(wall.len(), 21);
        let fading = influence(&board(19, &wall, &[]), Style::ishi(), &[]);
        let few = points.iter().filter(|&&p| fading.territory_owner(p) == Some(Color::Black)).count();
        assert!(few < 60, "ishi's own law ends after some lines: {few} of 100");
    }

    #[test]
    fn a_ring_around_the_board_makes_all_of_it_territory() {
        let is_first_line = |p: &Point| [p.column(), p.row()].iter().any(|&line| line == 0 || line == 18);
        let size = BoardSize::square(19).unwrap();
        let (ring, inner): (Vec<Point>, Vec<Point>) = size.points().partition(is_first_line);
        assert_eq!((ring.len(), inner.len()), (72, 289));
        let board = board(19, &ring, &[]);
        let of = |style| influence(&board, style, &[]);
        let territory = |now: &Influence| inner.iter().filter(|&&p| now.territory_owner(p).is_some()).count();
        assert_eq!(territory(&of(inverse())), 289);
        assert!(territory(&of(Style::ishi())) < 200, "nothing is left after seven lines");
    }

    #[test]
    fn influence_halves_at_twice_the_distance_and_does_not_end() {
        let board = board(19, &[Point::new(9, 9)], &[]);
        let now = influence(&board, inverse(), &[]);
        let at = |column| now.influence_at(Color::Black, Point::new(column, 9));
        assert_eq!([at(9), at(10), at(11), at(13), at(17)], [100.0, 100.0, 50.0, 25.0, 12.5]);
        assert_eq!(now.influence_at(Color::Black, Point::new(0, 0)), 100.0 / 18.0);
    }

    /// A stone behind its own one-point jumps: from end to end of a board of five lines.
    #[test]
    fn no_connection_is_passed_if_all_stop_influence() {
        let jumps = [0, 2, 4].map(|column| Point::new(column, 2));
        let board = board(5, &[jumps.as_slice(), &[Point::new(1, 0)]].concat(), &[Point::new(3, 4)]);
        let tactical = crate::Tactical::from_board(&board);
        let seen = |walls: InfluenceWalls, color, at| {
            let style = Style { walls, ..Style::ishi() };
            let group = |point: Point| {
                let is_source = point == Point::new(1, 0) || board.color(point) == Some(Color::White);
                is_source.then_some(GroupStrength::Alive)
            };
            let mut links = tactical.links.clone();
            links.retain(|link| link.stones.iter().all(|stone| stone.row() == 2));
            links.iter_mut().for_each(|link| link.strength = crate::LinkStrength::Solid);
            assert_eq!(links.len(), 2, "{links:?}");
            // Only the stone behind the jumps and White's radiate in full.
            Influence::compute(style, &board, group, &links).influence_at(color, at)
        };
        let (below, above) = (Point::new(1, 4), Point::new(3, 0));
        for walls in [InfluenceWalls::OtherSides, InfluenceWalls::All] {
            assert_eq!(seen(walls, Color::White, above), 0.0, "the other side never passes");
        }
        let [passed, stopped] =
            [InfluenceWalls::OtherSides, InfluenceWalls::All].map(|walls| seen(walls, Color::Black, below));
        assert!(stopped < passed, "{stopped} {passed}");
    }
}
