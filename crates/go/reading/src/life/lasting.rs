//! Kos over closed groups that last to the end of a game: bent four in the corner (隅の曲がり四目) and the thousand-year ko (万年劫).

use ishi_go::{Board, BoardSize, Color, Move, Point};

use super::LifeReader;
use crate::closed::ClosedRegion;
use crate::lambda::ReadingOutcome;

/// Moves of the attacker's own that lead to the form by which a ko is named, at most.
const MOVES_TO_FORM: usize = 2;

/// A ko over a group that is begun late or never, as one side or both lose nothing by waiting. It is named where reading proves it.
///
/// The words are those of outcomes ([`ReadingOutcome`]), for the attacker if he moves first, and for the owner if he does. A pass of the owner is
/// always among his moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastingKo {
    /// The attacker begins the ko when he likes and takes first (`KoFirst`). The owner cannot prevent it: moving first he has no more than by a pass
    /// (`KoSecond`). And the attacker gets four stones in a chain by at most two moves of his own: the corner, both points beside it, and one more
    /// along an edge. After each of these the owner, who moves then, has no more than `KoSecond`.
    ///
    /// The Japanese rules of 1989 count such a group as dead: when life is judged no threat counts (Nihon Kiin, "The Japanese Rules of Go",
    /// article 7 and its examples). Area rules play it out.
    BentFour,
    /// Who begins the ko lets the other side take first. So the attacker needs a threat (`KoSecond`), the owner has no more than by a pass
    /// (`KoFirst`), and the owner's own way to begin leaves the attacker `KoFirst`. And the attacker may make a seki by at most two moves of
    /// his own: he can no longer kill, and whatever the owner plays there, he dies.
    ///
    /// The Japanese rules of 1989 leave it as a seki if nobody begins it (Nihon Kiin, "The Japanese Rules of Go", article 7 and its examples).
    ThousandYear,
}

impl LifeReader {
    /// Is it a lasting ko that the life of the group of `stone` hangs on? `None`: it is not, or the group is not closed in with few points, or that
    /// could not be read to the end. A ban on retaking is taken for lifted.
    ///
    /// ```
    /// use ishi_go::Diagram;
    /// use ishi_reading::{LastingKo, LifeReader};
    /// let diagram: Diagram = "
    ///     O O O . . .
    ///     X X O O . .
    ///     . X X O . .
    ///     O X X O . .
    ///     O X X O . .
    ///     O . X O . .
    /// ".parse().unwrap();
    /// let board = diagram.to_board().unwrap();
    /// let stone = board.size().parse_point("C1").unwrap();
    /// assert_eq!(LifeReader::default().lasting_ko(&board, stone), Some(LastingKo::BentFour));
    /// ```
    pub fn lasting_ko(&mut self, board: &Board, stone: Point) -> Option<LastingKo> {
        let group = HeldGroup { owner: board.color(stone)?, stone };
        let mut board = board.clone();
        board.set_ko(None);
        let attacked = self.read_if_closed(&board, group, true)?;
        if !matches!(attacked, ReadingOutcome::KoFirst | ReadingOutcome::KoSecond) {
            return None;
        }
        let defended = self.read_if_closed(&board, group, false)?;
        match (attacked, defended) {
            (ReadingOutcome::KoFirst, ReadingOutcome::KoSecond) if self.leads_to_bent_four(&board, group) => {
                Some(LastingKo::BentFour)
            }
            (ReadingOutcome::KoSecond, ReadingOutcome::KoFirst)
                if self.may_begin_late(&board, group) && self.leads_to_seki(&board, group, MOVES_TO_FORM) =>
            {
                Some(LastingKo::ThousandYear)
            }
            _ => None,
        }
    }

    /// Is it proved that the group of `stone` stands though its enemy moves first and may have any threats elsewhere? Every move of both sides has been
    /// read. False: it is not so, or the group is not closed in with few points, or that could not be read to the end. A ban on retaking is taken for
    /// lifted.
    pub fn surely_stands(&mut self, board: &Board, stone: Point) -> bool {
        let mut board = board.clone();
        board.set_ko(None);
        board.color(stone).is_some_and(|owner| {
            self.read_if_closed(&board, HeldGroup { owner, stone }, true) == Some(ReadingOutcome::Fails)
        })
    }

    /// What becomes of a closed group for the side that moves first. None: it is not closed, or that was not enough moves.
    fn read_if_closed(&mut self, board: &Board, group: HeldGroup, attacking: bool) -> Option<ReadingOutcome> {
        self.board.set_position(board);
        Some(self.read_closed(group.stone, attacking)?.outcome)
    }

    /// Does the attacker get a bent four while the owner passes, after which a ko is all that the owner has?
    fn leads_to_bent_four(&mut self, board: &Board, group: HeldGroup) -> bool {
        let filled = self.fill_outside(board, group);
        bent_fours(board.size()).into_iter().any(|four| {
            let missing: Vec<Point> =
                four.iter().copied().filter(|&point| filled.color(point).is_none()).collect();
            if missing.len() > MOVES_TO_FORM || four.iter().any(|&p| filled.color(p) == Some(group.owner)) {
                return false;
            }
            let mut next = filled.clone();
            for point in missing {
                let Some(after) = group.attack(&next, point) else { return false };
                if self.read_if_closed(&after, group, false) != Some(ReadingOutcome::KoSecond) {
                    return false;
                }
                next = after;
            }
            next.chain(four[0]).is_some_and(|chain| next.chain_stones(chain).count() == four.len())
                && self.read_if_closed(&next, group, false) == Some(ReadingOutcome::KoSecond)
        })
    }

    /// The board with the liberties filled that the attacker fills at leisure.
    fn fill_outside(&mut self, board: &Board, group: HeldGroup) -> Board {
        self.board.set_position(board);
        let mut filled = board.clone();
        if let Some((region, _)) = ClosedRegion::around_target(&self.board, group.stone) {
            for point in region.outside_liberties() {
                filled = group.attack(&filled, point).unwrap_or(filled);
            }
        }
        filled
    }

    /// Has the owner a move that begins a ko which the attacker takes first?
    fn may_begin_late(&mut self, board: &Board, group: HeldGroup) -> bool {
        self.moves_of(board, group, group.owner).into_iter().any(|point| {
            let mut next = board.clone();
            next.play_unchecked(group.owner, Move::Play(point));
            self.read_if_closed(&next, group, true) == Some(ReadingOutcome::KoFirst)
        })
    }

    /// Does the attacker get a seki by so many moves, while the owner passes?
    fn leads_to_seki(&mut self, board: &Board, group: HeldGroup, moves: usize) -> bool {
        self.moves_of(board, group, !group.owner).into_iter().any(|point| {
            let Some(mut next) = group.attack(board, point) else { return false };
            next.set_ko(None);
            self.is_seki(&next, group) || moves > 1 && self.leads_to_seki(&next, group, moves - 1)
        })
    }

    /// Is the group alive whoever moves first, and dead after any move of its owner's?
    fn is_seki(&mut self, board: &Board, group: HeldGroup) -> bool {
        let moves = self.moves_of(board, group, group.owner);
        !moves.is_empty()
            && self.read_if_closed(board, group, true) == Some(ReadingOutcome::Fails)
            && moves.into_iter().all(|point| {
                let mut next = board.clone();
                next.play_unchecked(group.owner, Move::Play(point));
                self.read_if_closed(&next, group, true) == Some(ReadingOutcome::Works)
            })
    }

    /// The legal moves of a colour in the region of a group, but for the liberties outside.
    fn moves_of(&mut self, board: &Board, group: HeldGroup, color: Color) -> Vec<Point> {
        self.board.set_position(board);
        let Some((region, _)) = ClosedRegion::around_target(&self.board, group.stone) else {
            return Vec::new();
        };
        let outside = region.outside_liberties();
        let inside = region.points().iter().filter(|point| !outside.contains(point));
        inside.copied().filter(|&point| board.is_legal(color, point)).collect()
    }
}

/// The group that is asked about.
#[derive(Clone, Copy, Debug)]
struct HeldGroup {
    owner: Color,
    stone: Point,
}

impl HeldGroup {
    /// The board after a move of the attacker's. None: it is illegal, or the group does not stand any more.
    fn attack(self, board: &Board, point: Point) -> Option<Board> {
        let mut next = board.clone();
        if !next.is_legal(!self.owner, point) {
            return None;
        }
        next.play_unchecked(!self.owner, Move::Play(point));
        (next.color(self.stone) == Some(self.owner)).then_some(next)
    }
}

/// The forms of bent four in all corners: the corner first, both points beside it, and one more along an edge.
fn bent_fours(size: BoardSize) -> Vec<[Point; 4]> {
    let (right, top) = (size.width() - 1, size.height() - 1);
    if right < 2 || top < 2 {
        return Vec::new();
    }
    let mut fours = Vec::new();
    for mirrored_column in [false, true] {
        for mirrored_row in [false, true] {
            let at = |column: usize, row: usize| {
                let column = if mirrored_column { right - column } else { column };
                Point::new(column, if mirrored_row { top - row } else { row })
            };
            let three = [at(0, 0), at(1, 0), at(0, 1)];
            fours.extend([at(2, 0), at(0, 2)].map(|more| [three[0], three[1], three[2], more]));
        }
    }
    fours
}
