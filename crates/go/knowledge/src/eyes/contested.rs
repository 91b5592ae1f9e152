//! Eyes of a space that nobody has closed in yet: what each side makes of it by moving first, found by playing.
//!
//! The space is what hangs together with a point, as far as its nearest points. Either side makes one move in it, or at the last
//! liberties beside it, and the other side answers. What is closed in by then counts as any other eye space does.

use ishi_go::{Board, Color, Move, Point};
use ishi_reading::PointSet;

use super::{TWO_EYES, find_eye_spaces};
use crate::style::Style;

/// Points of a space that are looked at, the nearest ones.
const NEAREST: usize = 12;
/// Chains beside the space with so many liberties at most may be taken, or saved.
const WEAK: usize = 2;

/// What a contested space is worth to the side that gets more of it, in the unit of [`super::EyeCount`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContestedEyes {
    /// Whose eyes they are.
    pub color: Color,
    /// If the opponent moves first.
    pub second: u8,
    /// If the owner does.
    pub first: u8,
    /// The opponent's first move, and the owner's, where they gain something.
    pub attack: Option<Point>,
    /// The owner's.
    pub defence: Option<Point>,
}

/// Eyes of the space around a point, whoever could have them there. Of the same worth to both it is whose stones touch more of it.
///
/// ```
/// use ishi_go::Diagram;
/// use ishi_knowledge::count_contested_eyes;
/// // Whoever plays D4 first decides: two eyes or none.
/// let diagram: Diagram = "
///     . . . . . . .
///     . X X X X . .
///     . X . . O O .
///     . X X . X . .
///     . . X X X . .
/// ".parse().unwrap();
/// let board = diagram.to_board().unwrap();
/// let [in_space, vital] = ["C3", "D3"].map(|vertex| board.size().parse_point(vertex).unwrap());
/// let eyes = count_contested_eyes(&board, in_space);
/// assert_eq!((eyes.second, eyes.first, eyes.attack, eyes.defence), (0, 16, Some(vital), Some(vital)));
/// ```
pub fn count_contested_eyes(board: &Board, point: Point) -> ContestedEyes {
    let space = nearest_points(board, point);
    let around = space.with_neighbours().difference(&space);
    let touching = |color: Color| around.iter().filter(|&p| board.color(p) == Some(color)).count();
    let [black, white] = Color::ALL.map(|color| ContestedSpace { board, color, space }.count_eyes());
    let rank = |eyes: &ContestedEyes| (eyes.first, eyes.second, touching(eyes.color));
    if rank(&black) >= rank(&white) { black } else { white }
}

/// The point, its chain if a stone stands there, and the empty points that hang together with them, the nearest.
fn nearest_points(board: &Board, point: Point) -> PointSet {
    let own: PointSet =
        board.chain(point).map(|chain| board.chain_stones(chain).collect()).unwrap_or_default();
    let free = own.union(&board.empty_points().collect());
    let mut found = PointSet::from_point(point);
    let mut ring = found;
    while found.len() < NEAREST && !ring.is_empty() {
        ring = ring.with_neighbours().intersection(&free).difference(&found);
        ring.iter().take(NEAREST - found.len()).for_each(|next| found.insert(next));
    }
    found
}

/// A space and who may have eyes there.
struct ContestedSpace<'a> {
    board: &'a Board,
    color: Color,
    space: PointSet,
}

impl ContestedSpace<'_> {
    fn count_eyes(&self) -> ContestedEyes {
        let (second, attack) = self.best_move(!self.color);
        let (first, defence) = self.best_move(self.color);
        let gains = first > second;
        ContestedEyes {
            color: self.color,
            second: second.min(first),
            first,
            attack: attack.filter(|_| gains),
            defence: defence.filter(|_| gains),
        }
    }

    /// The eyes if this side moves first and the other answers, and the move; none: to move elsewhere is as good.
    fn best_move(&self, mover: Color) -> (u8, Option<Point>) {
        let prefers = |new: u8, old: u8| if mover == self.color { new > old } else { new < old };
        let mut best = (self.after_answer(self.board, !mover), None);
        for mv in self.moves(self.board, mover).iter() {
            let eyes = self.after_answer(&board_after(self.board, mover, mv), !mover);
            if prefers(eyes, best.0) {
                best = (eyes, Some(mv));
            }
        }
        best
    }

    /// The eyes after this side's best answer, which may be elsewhere.
    fn after_answer(&self, board: &Board, answering: Color) -> u8 {
        let is_owner = answering == self.color;
        let mut best = self.closed_eyes(board, !is_owner);
        for mv in self.moves(board, answering).iter() {
            let eyes = self.closed_eyes(&board_after(board, answering, mv), !is_owner);
            best = if is_owner { best.max(eyes) } else { best.min(eyes) };
        }
        best
    }

    /// Eyes that the owner has closed in here, as far as two, with who moves next.
    fn closed_eyes(&self, board: &Board, owner_moves: bool) -> u8 {
        let spaces = find_eye_spaces(Style::ishi(), board, &PointSet::EMPTY);
        let own = spaces
            .iter()
            .filter(|space| space.color == self.color && !space.points.intersection(&self.space).is_empty());
        let worth = own.map(|space| if owner_moves { space.eyes.first } else { space.eyes.second });
        worth.fold(0, u8::saturating_add).min(TWO_EYES)
    }

    /// The legal moves in the space, and at the liberties of weak chains beside it.
    fn moves(&self, board: &Board, mover: Color) -> PointSet {
        let mut points = self.space;
        for point in self.space.with_neighbours().iter() {
            let Some(chain) = board.chain(point) else { continue };
            let liberties = board.chain_liberties(chain);
            if liberties.len() <= WEAK {
                points.add_set(&liberties.into_iter().collect());
            }
        }
        points.iter().filter(|&point| board.is_legal(mover, point)).collect()
    }
}

fn board_after(board: &Board, color: Color, mv: Point) -> Board {
    let mut after = board.clone();
    after.play_unchecked(color, Move::Play(mv));
    after
}

#[cfg(test)]
mod tests {
    use ishi_go::Diagram;

    use super::*;

    fn eyes_at(rows: &str, vertex: &str) -> ContestedEyes {
        let diagram: Diagram = rows.parse().unwrap();
        let board = diagram.to_board().unwrap();
        count_contested_eyes(&board, board.size().parse_point(vertex).unwrap())
    }

    #[test]
    fn who_moves_first_decides() {
        let rows =
            ". . . . . . .\n. O O O O . .\n. O . . X X .\n. O O . O . .\n. . O O O . .\n. . . . . . .\n";
        for vertex in ["C4", "D4", "D3"] {
            let eyes = eyes_at(rows, vertex);
            assert_eq!((eyes.color, eyes.second, eyes.first), (Color::White, 0, TWO_EYES), "{vertex}");
            assert_eq!(eyes.attack.map(|point| point.to_string()).as_deref(), Some("D4"));
        }
    }

    #[test]
    fn between_two_walls_there_is_no_eye() {
        let eyes = eyes_at("X X X . O O O\nX X X . O O O\n. X X . O O .\n", "D2");
        assert_eq!((eyes.second, eyes.first, eyes.attack, eyes.defence), (0, 0, None, None));
    }
}
