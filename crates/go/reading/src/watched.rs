//! A reading board that can note what is looked at, so that an answer can be kept until one of these points changes.
//!
//! What is noted is enough: on any board that has the same on all noted points (and the same ban of ko on them), the same search looks
//! at the same things and gives the same answer. Where only "at least so many liberties" is asked, so many of them are noted, and not
//! all that is around the chain; so large chains do not make everything depend on everything. That two stones are of one chain, or are
//! not, is noted by the names of their chains.

use std::cell::Cell as Slot;

use ishi_go::{Board, Cell, Color, Point};

use crate::board::ReadingBoard;
use crate::liberties::FewPoints;
use crate::point_set::{PointMarks, PointSet};

/// What answers depended on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadingDependencies {
    /// What stands on these points, and the ban of ko if it is on one of them.
    pub points: PointSet,
    /// The names of the chains of these stones: their first stones.
    pub names: Vec<(Point, Point)>,
    /// The chains of these stones have so many liberties at least.
    pub liberties: Vec<(Point, usize)>,
}

/// A [`ReadingBoard`] and the points that were looked at.
#[derive(Clone, Debug)]
pub(crate) struct WatchedBoard {
    board: ReadingBoard,
    /// Hash and ko of the position that was set.
    root: (u64, Option<Point>),
    is_noting: bool,
    seen: PointMarks,
    /// Stones whose chains' names mattered.
    named: PointMarks,
    /// Noted points for which the names of all stones beside them were noted.
    tied: PointMarks,
    /// How many liberties the chains of the position that was set must have, by name, and which of them must have any.
    needed: Box<[Slot<u16>; Point::INDICES]>,
    counted: PointMarks,
    /// Heads of chains of which all stones and all points beside them have been noted.
    whole: PointMarks,
    /// The names of the chains of the position that was set; meaningless where there is no stone.
    names: Box<[Point; Point::INDICES]>,
    /// The stones of the position that was set.
    stones: PointSet,
    /// Their chains' liberties, by name.
    counts: Box<[u16; Point::INDICES]>,
    /// Has a ko forbidden a move to Black, or to White, or been taken from them, since the question? By [`Color::index`].
    forbidden: [Slot<bool>; 2],
    /// Points on which stones were played since, and for each move whether its point was among them already. `None`: a pass.
    played: PointSet,
    line: Vec<Option<(Point, bool)>>,
}

impl WatchedBoard {
    pub(crate) fn new(board: &Board) -> WatchedBoard {
        WatchedBoard {
            board: ReadingBoard::new(board),
            root: (board.hash(), board.ko_point()),
            is_noting: false,
            seen: PointMarks::default(),
            named: PointMarks::default(),
            tied: PointMarks::default(),
            needed: Box::new([const { Slot::new(0) }; Point::INDICES]),
            counted: PointMarks::default(),
            whole: PointMarks::default(),
            names: Box::new([Point::new(0, 0); Point::INDICES]),
            stones: PointSet::EMPTY,
            counts: Box::new([0; Point::INDICES]),
            forbidden: [const { Slot::new(false) }; 2],
            played: PointSet::EMPTY,
            line: Vec::new(),
        }
    }

    /// Takes over the position of a board. What was noted stays.
    pub(crate) fn set_position(&mut self, board: &Board) {
        let is_set = self.root == (board.hash(), board.ko_point()) && self.board.size() == board.size();
        if is_set && self.board.hash() == board.hash() {
            return;
        }
        self.board.set_position(board);
        self.root = (board.hash(), board.ko_point());
        if self.is_noting {
            self.begin_notes();
        }
    }

    fn begin_notes(&mut self) {
        self.whole.take_all();
        self.tied.take_all();
        self.played = PointSet::EMPTY;
        self.line.clear();
        self.stones = self.board.stones_of(Color::Black).union(self.board.stones_of(Color::White));
        for stone in self.stones.iter() {
            let name = self.board.head(stone);
            self.names[table_index(stone)] = name;
            self.counts[table_index(name)] = self.board.liberty_count(name) as u16;
        }
    }

    /// Begins to note what is looked at.
    pub(crate) fn begin_noting(&mut self) {
        self.is_noting = true;
        self.begin_notes();
    }

    /// What was noted since the last call of this.
    pub(crate) fn take_dependencies(&mut self) -> ReadingDependencies {
        self.whole.take_all();
        self.tied.take_all();
        let points = self.seen.take_all();
        let names =
            self.named.take_all().iter().map(|stone| (stone, self.names[table_index(stone)])).collect();
        let counted = self.counted.take_all();
        let liberties =
            counted.iter().map(|name| (name, usize::from(self.needed[table_index(name)].take()))).collect();
        ReadingDependencies { points, names, liberties }
    }

    /// Notes everything within, so that nothing there need be noted any more.
    pub(crate) fn note_window(&self, window: &PointSet) {
        if self.is_noting {
            self.seen.add_set(window);
            self.named.add_set(&window.intersection(&self.stones));
            let is_inside = |point: &Point| point.neighbours().into_iter().all(|n| window.contains(n));
            self.tied.add_set(&window.iter().filter(is_inside).collect());
        }
    }

    #[inline]
    fn note_point(&self, point: Point) {
        if self.is_noting {
            self.seen.insert(point);
        }
    }

    /// The name of the chain of a stone, if it is none that was played since.
    #[inline]
    fn note_chain_name(&self, stone: Point) {
        if self.stones.contains(stone) {
            self.seen.insert(stone);
            self.named.insert(stone);
        }
    }

    #[inline]
    fn note_points(&self, points: &PointSet) {
        if self.is_noting {
            self.seen.add_set(points);
        }
    }

    /// Notes a chain with everything around it.
    #[inline]
    fn note_chain(&self, stone: Point) {
        if self.is_noting && !self.whole.contains(self.board.head(stone)) {
            self.note_around(stone);
        }
    }

    #[cold]
    fn note_around(&self, stone: Point) {
        let stones: PointSet = self.board.stones(stone).collect();
        self.seen.add_set(&stones.with_neighbours());
        self.named.add_set(&stones.intersection(&self.stones));
        self.whole.insert(self.board.head(stone));
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
        self.note_point(point);
        self.board.cell(point)
    }

    #[inline]
    pub(crate) fn color(&self, point: Point) -> Option<Color> {
        self.cell(point).color()
    }

    /// Those of the points that are empty.
    #[inline]
    pub(crate) fn empty_of(&self, points: &PointSet) -> PointSet {
        self.note_points(points);
        points.intersection(self.board.empty_points())
    }

    /// Those of the points on which the colour has stones.
    #[inline]
    pub(crate) fn stones_of(&self, color: Color, points: &PointSet) -> PointSet {
        self.note_points(points);
        points.intersection(self.board.stones_of(color))
    }

    /// The stone that names a chain.
    #[inline]
    pub(crate) fn head(&self, stone: Point) -> Point {
        let head = self.board.head(stone);
        if self.is_noting {
            self.note_chain_name(stone);
            self.note_chain_name(head);
        }
        head
    }

    /// Are these stones of one chain?
    #[inline]
    pub(crate) fn is_one_chain(&self, a: Point, b: Point) -> bool {
        let is_one = self.board.head(a) == self.board.head(b);
        if self.is_noting {
            self.note_chain_name(a);
            self.note_chain_name(b);
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

    #[inline]
    fn note_liberties(&self, most: usize, stone: Point, count: usize) {
        if self.whole.contains(self.board.head(stone)) {
            return;
        }
        if count < most {
            self.note_around(stone);
        } else if !self.note_sufficient_count(most, stone) {
            self.note_some_liberties(most, stone);
        }
    }

    /// A chain that had many liberties has enough wherever it has as many: every move since can have taken one at most.
    #[inline]
    fn note_sufficient_count(&self, most: usize, stone: Point) -> bool {
        if !self.stones.contains(stone) || self.played.contains(stone) {
            return false;
        }
        let name = self.names[table_index(stone)];
        let needed = (most + self.line.len()) as u16;
        let is_enough = self.counts[table_index(name)] >= needed;
        if is_enough {
            self.note_chain_name(stone);
            self.counted.insert(name);
            let slot = &self.needed[table_index(name)];
            slot.set(slot.get().max(needed));
        }
        is_enough
    }

    /// Notes so many liberties of a chain, and whose they are. Those that have been noted anyway come first.
    fn note_some_liberties(&self, most: usize, stone: Point) {
        self.note_chain_name(stone);
        let liberties = self.board.liberties(stone);
        let tied = self.tied.marked_among(liberties);
        let missing = most.saturating_sub(tied.iter().take(most).count());
        if missing > 0 {
            let others = liberties.difference(&tied);
            let seen = self.seen.marked_among(&others);
            let unseen = others.difference(&seen);
            seen.iter().chain(unseen.iter()).take(missing).for_each(|liberty| self.note_liberty(liberty));
        }
    }

    fn note_liberty(&self, liberty: Point) {
        self.seen.insert(liberty);
        self.tied.insert(liberty);
        liberty.neighbours().into_iter().for_each(|n| self.note_chain_name(n));
    }

    /// Is the chain of a stone that stone alone?
    #[inline]
    pub(crate) fn is_single(&self, stone: Point) -> bool {
        if self.is_noting {
            self.seen.add_set(&PointSet::from_point(stone).with_neighbours());
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
        window
            .intersection(self.board.stones_of(color))
            .iter()
            .filter(|&other| self.board.head(other) == head)
            .collect()
    }

    /// May the colour play there? See [`ReadingBoard::is_legal`].
    #[inline]
    pub(crate) fn is_legal(&self, color: Color, point: Point) -> bool {
        if self.is_noting {
            self.note_legal(point);
        }
        let is_legal = self.board.is_legal(color, point);
        if !is_legal && self.board.ko() == Some(point) {
            self.note_forbidden(color);
        }
        is_legal
    }

    /// Notes that a right to retake kos at once would matter to this colour.
    pub(crate) fn note_forbidden(&self, color: Color) {
        self.forbidden[color.index()].set(true);
    }

    /// Has it mattered, to Black and to White?
    pub(crate) fn forbidden(&self) -> [bool; 2] {
        [Color::Black, Color::White].map(|color| self.forbidden[color.index()].get())
    }

    /// Sets what [`WatchedBoard::forbidden`] says.
    pub(crate) fn set_forbidden(&mut self, forbidden: [bool; 2]) {
        self.forbidden = forbidden.map(Slot::new);
    }

    /// An empty neighbour alone makes a move legal; without one all neighbours matter, and whether they are in atari.
    fn note_legal(&self, point: Point) {
        self.seen.insert(point);
        if self.board.cell(point) != Cell::Empty {
            return;
        }
        let is_empty = |n: &Point| self.board.cell(*n) == Cell::Empty;
        let mut empty = None;
        for n in point.neighbours().into_iter().filter(is_empty) {
            if self.seen.contains(n) {
                return;
            }
            empty = Some(n);
        }
        match empty {
            Some(empty) => self.seen.insert(empty),
            None => self.note_neighbours(point),
        }
    }

    fn note_neighbours(&self, point: Point) {
        for n in point.neighbours() {
            self.seen.insert(n);
            if self.board.color(n).is_some() {
                self.note_liberties(2, n, self.board.liberty_count(n));
            }
        }
    }

    pub(crate) fn play(&mut self, color: Color, point: Point) {
        if self.is_noting {
            self.seen.insert(point);
            self.note_neighbours(point);
            self.unmark_whole_chains(color, point);
            self.line.push(Some((point, self.played.contains(point))));
            self.played.insert(point);
        }
        self.board.play(color, point);
    }

    /// A chain that is joined to others is noted as a whole only if all are.
    fn unmark_whole_chains(&self, color: Color, point: Point) {
        let own = point.neighbours().into_iter().filter(|&n| self.board.color(n) == Some(color));
        let heads: FewPoints<4> = own.map(|n| self.board.head(n)).collect();
        if heads.points().iter().any(|&head| !self.whole.contains(head)) {
            heads.points().iter().for_each(|&head| self.whole.remove(head));
        }
    }

    pub(crate) fn pass(&mut self) {
        if self.is_noting {
            self.line.push(None);
        }
        self.board.pass();
    }

    pub(crate) fn undo(&mut self) {
        if let Some(Some((point, false))) = self.line.pop() {
            self.played.remove(point);
        }
        self.board.undo();
    }
}

#[inline]
fn table_index(point: Point) -> usize {
    point.index() & (Point::INDICES - 1)
}
