//! A reading board that can note what is looked at, so that an answer can be kept until one of these points changes.
//!
//! What is noted is enough: on any board that has the same on all noted points (and the same ban of ko on them), the same search looks
//! at the same things and gives the same answer. Where only "at least so many liberties" is asked, so many of them are noted, and not
//! all that is around the chain; so large chains do not make everything depend on everything. That two stones are of one chain, or are
//! not, is noted by the names of their chains.

use std::cell::Cell as Slot;

use ishi_go::{Board, Cell, Color, Point};

use crate::board::ReadingBoard;
use crate::point_set::PointSet;

/// What answers depended on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// What stands on these points, and the ban of ko if it is on one of them.
    pub points: PointSet,
    /// The names of the chains of these stones: their first stones.
    pub names: Vec<(Point, Point)>,
}

/// A [`ReadingBoard`] and the points that were looked at.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    board: ReadingBoard,
    /// Hash and ko of the position that was set.
    root: (u64, Option<Point>),
    is_noting: bool,
    /// By the points' indices.
    seen: Box<[Slot<bool>; Point::INDICES]>,
    /// Whose chains' names mattered.
    named: Box<[Slot<bool>; Point::INDICES]>,
    /// The names of the chains of the position that was set; meaningless where there is no stone.
    names: Box<[Point; Point::INDICES]>,
    /// The stones of the position that was set.
    stones: PointSet,
}

impl Watched {
    pub(crate) fn new(board: &Board) -> Watched {
        let [seen, named] = [0; 2].map(|_| Box::new([const { Slot::new(false) }; Point::INDICES]));
        Watched {
            board: ReadingBoard::new(board),
            root: (board.hash(), board.ko()),
            is_noting: false,
            seen,
            named,
            names: Box::new([Point::new(0, 0); Point::INDICES]),
            stones: PointSet::EMPTY,
        }
    }

    /// Takes over the position of a board. What was noted stays.
    pub(crate) fn set(&mut self, board: &Board) {
        self.board.set(board);
        self.root = (board.hash(), board.ko());
        if self.is_noting {
            self.stones = self.board.of(Color::Black).or(self.board.of(Color::White));
            for stone in self.stones.iter() {
                self.names[index(stone)] = self.board.head(stone);
            }
        }
    }

    /// Begins to note what is looked at.
    pub(crate) fn watch(&mut self) {
        self.is_noting = true;
    }

    /// What was noted since the last call of this.
    pub(crate) fn take_seen(&mut self) -> Seen {
        let taken = self.seen.iter().enumerate().filter(|(_, seen)| seen.replace(false));
        let points = taken.map(|(index, _)| Point::from_index(index)).collect();
        let taken = self.named.iter().enumerate().filter(|(_, named)| named.replace(false));
        let names = taken.map(|(index, _)| (Point::from_index(index), self.names[index])).collect();
        Seen { points, names }
    }

    /// Notes everything within, so that nothing there need be noted any more.
    pub(crate) fn note_window(&self, window: &PointSet) {
        if self.is_noting {
            self.note_all(window);
            window.and(&self.stones).iter().for_each(|stone| self.mark_name(stone));
        }
    }

    #[inline]
    fn note(&self, point: Point) {
        if self.is_noting {
            self.mark(point);
        }
    }

    #[inline]
    fn mark(&self, point: Point) {
        self.seen[index(point)].set(true);
    }

    /// The name of the chain of a stone, if it is none that was played since.
    #[inline]
    fn mark_name(&self, stone: Point) {
        if self.stones.contains(stone) {
            self.seen[index(stone)].set(true);
            self.named[index(stone)].set(true);
        }
    }

    #[inline]
    fn note_all(&self, points: &PointSet) {
        if self.is_noting {
            points.iter().for_each(|point| self.mark(point));
        }
    }

    /// Notes a chain with everything around it.
    #[inline]
    fn note_chain(&self, stone: Point) {
        if self.is_noting {
            self.note_around(stone);
        }
    }

    #[cold]
    fn note_around(&self, stone: Point) {
        for stone in self.board.stones(stone) {
            self.mark_name(stone);
            stone.neighbours().into_iter().for_each(|n| self.mark(n));
        }
    }

    /// The hash of what was played since the position was set: the same wherever else stones stand.
    #[inline]
    pub(crate) fn played_hash(&self) -> u64 {
        self.board.hash() ^ self.root.0
    }

    /// The point that may not be retaken at once, if a move since the position was set has made it.
    #[inline]
    pub(crate) fn new_ko(&self) -> Option<Point> {
        self.board.ko().filter(|_| !self.has_first_ko())
    }

    /// Is it the ban that the position came with?
    #[inline]
    pub(crate) fn has_first_ko(&self) -> bool {
        self.board.ko() == self.root.1 && self.root.1.is_some()
    }

    /// Has the last move made a ko? To be asked after a move only.
    #[inline]
    pub(crate) fn is_ko(&self) -> bool {
        self.board.ko().is_some()
    }

    #[inline]
    pub(crate) fn lift_ko(&mut self) {
        self.board.lift_ko();
    }

    #[inline]
    pub(crate) fn cell(&self, point: Point) -> Cell {
        self.note(point);
        self.board.cell(point)
    }

    #[inline]
    pub(crate) fn color(&self, point: Point) -> Option<Color> {
        self.cell(point).color()
    }

    /// Those of the points that are empty.
    #[inline]
    pub(crate) fn empty_of(&self, points: &PointSet) -> PointSet {
        self.note_all(points);
        points.and(self.board.empty())
    }

    /// Those of the points on which the colour has stones.
    #[inline]
    pub(crate) fn stones_of(&self, color: Color, points: &PointSet) -> PointSet {
        self.note_all(points);
        points.and(self.board.of(color))
    }

    /// The stone that names a chain.
    #[inline]
    pub(crate) fn head(&self, stone: Point) -> Point {
        let head = self.board.head(stone);
        if self.is_noting {
            self.mark_name(stone);
            self.mark_name(head);
        }
        head
    }

    /// Are these stones of one chain?
    #[inline]
    pub(crate) fn is_one_chain(&self, a: Point, b: Point) -> bool {
        let is_one = self.board.head(a) == self.board.head(b);
        if self.is_noting {
            self.mark_name(a);
            self.mark_name(b);
        }
        is_one
    }

    /// The liberties of the chain of a stone.
    #[inline]
    pub(crate) fn liberties(&self, stone: Point) -> &PointSet {
        self.note_chain(stone);
        self.board.liberties(stone)
    }

    /// Number of liberties of the chain of a stone, as far as `most`, which is returned for more.
    #[inline]
    pub(crate) fn liberties_to(&self, most: usize, stone: Point) -> usize {
        let count = self.board.liberty_count(stone);
        if self.is_noting {
            self.note_liberties(most, stone, count);
        }
        count.min(most)
    }

    /// So many liberties as were asked for, if there are as many, and whose they are; otherwise all around the chain. Those that have
    /// been noted anyway come first.
    #[cold]
    fn note_liberties(&self, most: usize, stone: Point, count: usize) {
        if count < most {
            return self.note_around(stone);
        }
        self.mark_name(stone);
        let mut missing = most;
        for is_first_look in [true, false] {
            for liberty in self.board.liberties(stone).iter() {
                if missing == 0 {
                    return;
                }
                if self.seen[index(liberty)].get() == is_first_look {
                    self.note_liberty(stone, liberty);
                    missing -= 1;
                }
            }
        }
    }

    fn note_liberty(&self, stone: Point, liberty: Point) {
        self.mark(liberty);
        let head = self.board.head(stone);
        let of_chain = |n: &Point| self.board.color(*n).is_some() && self.board.head(*n) == head;
        if let Some(beside) = liberty.neighbours().into_iter().find(of_chain) {
            self.mark_name(beside);
        }
    }

    /// Is the chain of a stone that stone alone?
    #[inline]
    pub(crate) fn is_single(&self, stone: Point) -> bool {
        if self.is_noting {
            self.mark(stone);
            stone.neighbours().into_iter().for_each(|n| self.mark(n));
        }
        self.board.stone_count(stone) == 1
    }

    /// The stones of the chain of a stone.
    #[inline]
    pub(crate) fn stones(&self, stone: Point) -> impl Iterator<Item = Point> + '_ {
        self.note_chain(stone);
        self.board.stones(stone)
    }

    /// The stones of the chain of a stone within a window that was noted.
    #[inline]
    pub(crate) fn stones_within(&self, stone: Point, window: &PointSet) -> PointSet {
        let Some(color) = self.board.color(stone) else { return PointSet::EMPTY };
        let head = self.board.head(stone);
        window.and(self.board.of(color)).iter().filter(|&other| self.board.head(other) == head).collect()
    }

    /// May the colour play there? See [`ReadingBoard::is_legal`].
    #[inline]
    pub(crate) fn is_legal(&self, color: Color, point: Point) -> bool {
        if self.is_noting {
            self.note_legal(point);
        }
        self.board.is_legal(color, point)
    }

    /// An empty neighbour alone makes a move legal; without one all neighbours matter, and whether they are in atari.
    #[cold]
    fn note_legal(&self, point: Point) {
        self.note(point);
        if self.board.cell(point) != Cell::Empty {
            return;
        }
        let neighbours = point.neighbours();
        if let Some(&empty) = neighbours.iter().find(|&&n| self.board.cell(n) == Cell::Empty) {
            self.note(empty);
            return;
        }
        self.note_neighbours(point);
    }

    fn note_neighbours(&self, point: Point) {
        for n in point.neighbours() {
            self.mark(n);
            if self.board.color(n).is_some() {
                self.note_liberties(2, n, self.board.liberty_count(n));
            }
        }
    }

    pub(crate) fn play(&mut self, color: Color, point: Point) {
        if self.is_noting {
            self.note(point);
            self.note_neighbours(point);
        }
        self.board.play(color, point);
    }

    pub(crate) fn pass(&mut self) {
        self.board.pass();
    }

    pub(crate) fn undo(&mut self) {
        self.board.undo();
    }
}

#[inline]
fn index(point: Point) -> usize {
    point.index() & (Point::INDICES - 1)
}
