//! A board for reading: moves are taken back in the opposite order, and every chain knows its liberties as a set.

use ishi_go::{Board, BoardSize, Cell, Color, Point, zobrist};

use crate::point_set::PointSet;

/// "No point": the border's corner.
const NONE: u16 = 0;

const POINTS: usize = Point::INDICES;
const MASK: usize = POINTS - 1;

/// A chain's liberties and number of stones.
#[derive(Clone, Copy, Debug, Default)]
struct ChainData {
    liberties: PointSet,
    count: u16,
    stones: u16,
}

/// What a move changed, for taking it back.
#[derive(Clone, Copy, Debug, Default)]
struct UndoRecord {
    /// `NONE`: a pass.
    point: u16,
    white: bool,
    ko: u16,
    hash: u64,
    /// The head of the point before the stone.
    head: u16,
    next: u16,
    /// The chain that the stone joined; the stone itself, if none.
    kept: u16,
    merged: HeadList,
    captured: HeadList,
}

/// At most four heads of chains.
#[derive(Clone, Copy, Debug, Default)]
struct HeadList {
    heads: [u16; 4],
    count: u8,
}

impl HeadList {
    #[inline]
    fn add_head(&mut self, head: u16) {
        if !self.heads().contains(&head) {
            self.heads[self.count as usize & 3] = head;
            self.count += 1;
        }
    }

    #[inline]
    fn push(&mut self, head: u16) {
        self.heads[self.count as usize & 3] = head;
        self.count += 1;
    }

    #[inline]
    fn heads(&self) -> &[u16] {
        &self.heads[..self.count as usize]
    }
}

/// A board on which moves are played and taken back.
///
/// ```
/// use ishi_go::{Board, BoardSize, Color, Point};
/// use ishi_reading::ReadingBoard;
/// let mut board = ReadingBoard::new(&Board::new(BoardSize::square(9).unwrap()));
/// board.play(Color::Black, Point::new(0, 0));
/// assert_eq!(board.liberties(Point::new(0, 0)).len(), 2);
/// board.undo();
/// assert_eq!(board.color(Point::new(0, 0)), None);
/// ```
#[derive(Clone, Debug)]
pub struct ReadingBoard {
    size: BoardSize,
    hash: u64,
    ko: u16,
    empty: PointSet,
    /// The stones of each colour.
    colors: [PointSet; 2],
    cells: Box<[Cell; POINTS]>,
    /// The head of the chain of a stone. Of points without a stone it means nothing.
    heads: Box<[u16; POINTS]>,
    /// The next stone of the chain, in a circle.
    next: Box<[u16; POINTS]>,
    /// The chains by their heads.
    chains: Box<[ChainData; POINTS]>,
    log: Vec<UndoRecord>,
    /// Chains that grew or whose place was taken, as they were: one for every move that is no pass.
    saved: Vec<ChainData>,
}

impl ReadingBoard {
    /// The position of a board.
    pub fn new(board: &Board) -> ReadingBoard {
        let mut copy = ReadingBoard {
            size: board.size(),
            hash: 0,
            ko: NONE,
            empty: PointSet::EMPTY,
            colors: [PointSet::EMPTY; 2],
            cells: Box::new([Cell::Border; POINTS]),
            heads: Box::new([NONE; POINTS]),
            next: Box::new([NONE; POINTS]),
            chains: vec![ChainData::default(); POINTS]
                .into_boxed_slice()
                .try_into()
                .expect("one for every point"),
            log: Vec::new(),
            saved: Vec::new(),
        };
        copy.set_position(board);
        copy
    }

    /// Takes over the position of a board. Nothing can be taken back after that.
    pub fn set_position(&mut self, board: &Board) {
        self.log.clear();
        self.saved.clear();
        if self.size != board.size() {
            self.cells.fill(Cell::Border);
            self.size = board.size();
        }
        self.hash = board.hash();
        self.ko = board.ko_point().map_or(NONE, |point| point.index() as u16);
        self.empty = board.empty_points().collect();
        self.colors = [PointSet::EMPTY; 2];
        for point in board.size().points() {
            self.cells[point.index() & MASK] = board.cell(point);
            if let Some(color) = board.color(point) {
                self.colors[color.index()].insert(point);
            }
        }
        self.set_chains(board);
    }

    /// Chains are named by their first stones and their stones lie in order, so that reading follows from the position alone,
    /// and not from the order of the moves that led to it.
    fn set_chains(&mut self, board: &Board) {
        let mut todo = self.colors[0].union(&self.colors[1]);
        while let Some(first) = todo.first() {
            let own = &self.colors[board.color(first).map_or(0, Color::index)];
            let stones = PointSet::from_point(first).flood_within(own, usize::MAX);
            todo = todo.difference(&stones);
            let head = first.index() as u16;
            let mut last = head;
            for stone in stones.iter() {
                self.heads[stone.index() & MASK] = head;
                self.next[last as usize & MASK] = stone.index() as u16;
                last = stone.index() as u16;
            }
            self.next[last as usize & MASK] = head;
            let liberties = stones.with_neighbours().intersection(&self.empty);
            let (count, stones) = (liberties.len() as u16, stones.len() as u16);
            self.chains[head as usize & MASK] = ChainData { liberties, count, stones };
        }
    }

    /// The board's size.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// Zobrist hash of the stones, as [`Board::hash`].
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The point that may not be retaken at once.
    #[inline]
    pub fn ko(&self) -> Option<Point> {
        (self.ko != NONE).then(|| Point::from_index(self.ko as usize))
    }

    /// Allows the ko to be retaken. Taking back the last move is not disturbed.
    pub fn lift_ko(&mut self) {
        self.ko = NONE;
    }

    /// What is on a point.
    #[inline]
    pub fn cell(&self, point: Point) -> Cell {
        self.cells[point.index() & MASK]
    }

    /// The colour of the stone on a point.
    #[inline]
    pub fn color(&self, point: Point) -> Option<Color> {
        self.cell(point).color()
    }

    /// The empty points.
    #[inline]
    pub fn empty_points(&self) -> &PointSet {
        &self.empty
    }

    /// The stones of a colour.
    #[inline]
    pub fn stones_of(&self, color: Color) -> &PointSet {
        &self.colors[color.index()]
    }

    /// The stone that names the chain of the stone on a point. Of a point without a stone it means nothing.
    #[inline]
    pub fn head(&self, stone: Point) -> Point {
        Point::from_index(self.heads[stone.index() & MASK] as usize)
    }

    /// The liberties of the chain of a stone.
    #[inline]
    pub fn liberties(&self, stone: Point) -> &PointSet {
        &self.chain_data(stone).liberties
    }

    /// Number of liberties of the chain of a stone.
    #[inline]
    pub fn liberty_count(&self, stone: Point) -> usize {
        self.chain_data(stone).count as usize
    }

    /// Number of stones of the chain of a stone.
    #[inline]
    pub fn stone_count(&self, stone: Point) -> usize {
        self.chain_data(stone).stones as usize
    }

    /// The stones of the chain of a stone.
    #[inline]
    pub fn stones(&self, stone: Point) -> impl Iterator<Item = Point> + '_ {
        let mut here = self.heads[stone.index() & MASK];
        (0..self.stone_count(stone)).map(move |_| {
            here = self.next[here as usize & MASK];
            Point::from_index(here as usize)
        })
    }

    #[inline]
    fn chain_data(&self, stone: Point) -> &ChainData {
        &self.chains[self.heads[stone.index() & MASK] as usize & MASK]
    }

    /// May the colour play there: an empty point, no suicide, no stone retaken in a ko? The ban binds only who would retake: whose
    /// stones stand around the point may fill it.
    #[inline]
    pub fn is_legal(&self, color: Color, point: Point) -> bool {
        if self.cell(point) != Cell::Empty {
            return false;
        }
        let (own, mut free, mut filling) = (Cell::from(color), false, false);
        for n in point.neighbours() {
            match self.cell(n) {
                Cell::Empty => return true,
                Cell::Border => {}
                cell => {
                    filling |= cell == own;
                    free |= (self.liberty_count(n) > 1) == (cell == own);
                }
            }
        }
        free && (filling || point.index() as u16 != self.ko)
    }

    /// Is this a pass (`None`) that changes nothing? One that lets a ko be taken back is a move elsewhere.
    pub(crate) fn is_idle(&self, mv: Option<Point>) -> bool {
        mv.is_none() && self.ko().is_none()
    }

    /// Passes. Lifts the ko ban.
    pub fn pass(&mut self) {
        self.log.push(UndoRecord { ko: self.ko, hash: self.hash, ..UndoRecord::default() });
        self.ko = NONE;
    }

    /// Plays a stone where it is legal.
    pub fn play(&mut self, color: Color, point: Point) {
        debug_assert!(self.is_legal(color, point), "{point} is no legal move");
        let index = point.index() & MASK;
        let here = index as u16;
        let mut undo = UndoRecord {
            point: here,
            white: color == Color::White,
            ko: self.ko,
            hash: self.hash,
            head: self.heads[index],
            next: self.next[index],
            kept: here,
            ..UndoRecord::default()
        };
        let own = Cell::from(color);
        let mut free = HeadList::default();
        for n in point.neighbours() {
            match self.cell(n) {
                Cell::Empty => free.push(n.index() as u16),
                Cell::Border => {}
                cell => {
                    let head = self.heads[n.index() & MASK];
                    if cell == own { undo.merged.add_head(head) } else { undo.captured.add_head(head) }
                }
            }
        }
        self.cells[index] = own;
        self.empty.remove(point);
        self.colors[color.index()].insert(point);
        self.hash ^= zobrist::stone_key(color, point);
        self.ko = NONE;
        self.join_chains(point, &free, &mut undo);
        // A stone without a neighbour of its own and without another liberty, which took one stone, can be taken back: that is ko.
        let alone = free.count == 0 && undo.kept == here;
        let taken = self.take_liberty(!color, point, &mut undo);
        if taken == 1 && alone {
            self.ko = self.chains[index].liberties.first().map_or(NONE, |point| point.index() as u16);
        }
        self.log.push(undo);
    }

    /// Makes the new stone a chain, or part of its neighbours', which `undo.merged` names; there the chain that is kept
    /// is taken out.
    #[inline]
    fn join_chains(&mut self, point: Point, free: &HeadList, undo: &mut UndoRecord) {
        let index = point.index() & MASK;
        let slot = match undo.merged.heads() {
            [] => {
                self.saved.push(self.chains[index]);
                self.chains[index] = ChainData { liberties: PointSet::EMPTY, count: 0, stones: 1 };
                self.heads[index] = index as u16;
                self.next[index] = index as u16;
                index
            }
            &[kept] => {
                self.extend_chain(index, kept);
                undo.kept = kept;
                undo.merged = HeadList::default();
                kept as usize & MASK
            }
            _ => self.merge_chains(index, undo),
        };
        let chain = &mut self.chains[slot];
        for &point in free.heads() {
            let point = Point::from_index(point as usize);
            chain.count += u16::from(!chain.liberties.contains(point));
            chain.liberties.insert(point);
        }
    }

    /// Adds a stone to a chain, for whose liberties it was one.
    #[inline]
    fn extend_chain(&mut self, index: usize, kept: u16) {
        let slot = kept as usize & MASK;
        self.saved.push(self.chains[slot]);
        self.heads[index] = kept;
        self.next[index] = self.next[slot];
        self.next[slot] = index as u16;
        let chain = &mut self.chains[slot];
        chain.stones += 1;
        chain.count -= 1;
        chain.liberties.remove(Point::from_index(index));
    }

    /// Joins the chains that `undo.merged` names by a stone; the longest keeps its name.
    fn merge_chains(&mut self, index: usize, undo: &mut UndoRecord) -> usize {
        let merged = undo.merged;
        let stones = |&head: &u16| self.chains[head as usize & MASK].stones;
        let kept = merged.heads().iter().copied().max_by_key(stones).expect("several");
        let slot = kept as usize & MASK;
        self.extend_chain(index, kept);
        undo.kept = kept;
        undo.merged = HeadList::default();
        for &other in merged.heads().iter().filter(|&&other| other != kept) {
            undo.merged.add_head(other);
            let gone = self.chains[other as usize & MASK];
            let chain = &mut self.chains[slot];
            chain.stones += gone.stones;
            chain.liberties.add_set(&gone.liberties);
            self.rename_chain(other, kept);
            self.next.swap(slot, other as usize & MASK);
        }
        let chain = &mut self.chains[slot];
        chain.liberties.remove(Point::from_index(index));
        chain.count = chain.liberties.len() as u16;
        slot
    }

    /// Gives the stones of a circle another head.
    #[inline]
    fn rename_chain(&mut self, first: u16, head: u16) {
        let mut stone = first;
        loop {
            self.heads[stone as usize & MASK] = head;
            stone = self.next[stone as usize & MASK];
            if stone == first {
                return;
            }
        }
    }

    /// Takes the liberty from the chains that `undo.captured` names, and the chains without any off the board: only these
    /// stay there. Gives the number of stones taken.
    #[inline]
    fn take_liberty(&mut self, enemy: Color, point: Point, undo: &mut UndoRecord) -> usize {
        let beside = undo.captured;
        undo.captured = HeadList::default();
        let mut taken = 0;
        for &head in beside.heads() {
            let chain = &mut self.chains[head as usize & MASK];
            chain.liberties.remove(point);
            chain.count -= 1;
            if chain.count == 0 {
                undo.captured.add_head(head);
                taken += chain.stones as usize;
            }
        }
        for &head in undo.captured.heads() {
            self.remove_chain(enemy, head);
        }
        taken
    }

    fn remove_chain(&mut self, enemy: Color, head: u16) {
        let taker = Cell::from(!enemy);
        let mut stone = head;
        loop {
            let point = Point::from_index(stone as usize);
            self.cells[stone as usize & MASK] = Cell::Empty;
            self.empty.insert(point);
            self.colors[enemy.index()].remove(point);
            self.hash ^= zobrist::stone_key(enemy, point);
            for n in point.neighbours() {
                if self.cell(n) == taker {
                    let chain = &mut self.chains[self.heads[n.index() & MASK] as usize & MASK];
                    if !chain.liberties.contains(point) {
                        chain.liberties.insert(point);
                        chain.count += 1;
                    }
                }
            }
            stone = self.next[stone as usize & MASK];
            if stone == head {
                return;
            }
        }
    }

    fn restore_chain(&mut self, enemy: Color, head: u16) {
        let taker = Cell::from(!enemy);
        let mut stone = head;
        loop {
            let point = Point::from_index(stone as usize);
            self.cells[stone as usize & MASK] = Cell::from(enemy);
            self.empty.remove(point);
            self.colors[enemy.index()].insert(point);
            for n in point.neighbours() {
                if self.cell(n) == taker {
                    let chain = &mut self.chains[self.heads[n.index() & MASK] as usize & MASK];
                    if chain.liberties.contains(point) {
                        chain.liberties.remove(point);
                        chain.count -= 1;
                    }
                }
            }
            stone = self.next[stone as usize & MASK];
            if stone == head {
                return;
            }
        }
    }

    /// Takes the last move back.
    ///
    /// # Panics
    /// If there is none.
    pub fn undo(&mut self) {
        let undo = self.log.pop().expect("a move to take back");
        self.ko = undo.ko;
        self.hash = undo.hash;
        if undo.point == NONE {
            return;
        }
        let color = if undo.white { Color::White } else { Color::Black };
        let point = Point::from_index(undo.point as usize);
        let index = undo.point as usize & MASK;
        // The steps of the move in reverse: chains that were taken come back before liberties and chains are as they were.
        for &head in undo.captured.heads().iter().rev() {
            self.restore_chain(!color, head);
        }
        let enemy = Cell::from(!color);
        let mut beside = HeadList::default();
        for n in point.neighbours() {
            if self.cell(n) == enemy {
                beside.add_head(self.heads[n.index() & MASK]);
            }
        }
        for &head in beside.heads() {
            let chain = &mut self.chains[head as usize & MASK];
            chain.liberties.insert(point);
            chain.count += 1;
        }
        let slot = undo.kept as usize & MASK;
        for &other in undo.merged.heads().iter().rev() {
            self.next.swap(slot, other as usize & MASK);
            self.rename_chain(other, other);
        }
        if undo.kept != undo.point {
            self.next[slot] = self.next[index];
        }
        self.chains[slot] = self.saved.pop().expect("saved by the move");
        self.heads[index] = undo.head;
        self.next[index] = undo.next;
        self.cells[index] = Cell::Empty;
        self.empty.insert(point);
        self.colors[color.index()].remove(point);
    }
}
