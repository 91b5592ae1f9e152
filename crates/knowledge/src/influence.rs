//! Level 3: influence, radiated from stones by the strength of their groups, and the territory that follows from it.

use ishi_go::{Board, Cell, Color, Point};

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

/// Influence of both sides and what follows from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Influence {
    /// Of Black and of White, by [`Point::index`], 0 and up.
    by_color: [Vec<f32>; 2],
}

impl Influence {
    /// `strength` is that of the group on a point. Dead stones radiate the other side's influence.
    pub(crate) fn of(board: &Board, strength: impl Fn(Point) -> Option<Strength>) -> Influence {
        let mut by_color = [vec![0.0; Point::INDICES], vec![0.0; Point::INDICES]];
        let mut reached = vec![0_u32; Point::INDICES];
        let (mut front, mut next) = (Vec::new(), Vec::new());
        let mut call = 0;
        for stone in board.size().points() {
            let Some(color) = board.color(stone) else { continue };
            let (color, weight) = match strength(stone) {
                Some(Strength::Dead) => (!color, 0.8),
                Some(Strength::Critical) => (color, 0.4),
                Some(Strength::Unsettled) | None => (color, 0.7),
                Some(Strength::Alive) => (color, 1.0),
            };
            call += 1;
            let field = &mut by_color[color.index()];
            let mut amount = FULL * weight;
            reached[stone.index()] = call;
            front.clear();
            front.push(stone);
            field[stone.index()] += amount;
            for _ in 0..REACH {
                amount *= FADE;
                next.clear();
                for point in front.iter().flat_map(|point: &Point| point.neighbours()) {
                    let seen = std::mem::replace(&mut reached[point.index()], call) == call;
                    if !seen && board.cell(point) == Cell::Empty {
                        field[point.index()] += amount;
                        next.push(point);
                    }
                }
                std::mem::swap(&mut front, &mut next);
            }
        }
        Influence { by_color }
    }

    /// A side's influence on a point.
    pub fn on(&self, color: Color, point: Point) -> f32 {
        self.by_color[color.index()][point.index()]
    }

    /// +1 is Black's for sure, -1 White's.
    pub fn balance(&self, point: Point) -> f32 {
        let [black, white] = [Color::Black, Color::White].map(|color| self.on(color, point));
        // A little doubt, so that points far from all stones are nobody's.
        (black - white) / (black + white + 12.0)
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
