//! The playout board: stones, chains, liberties, 3x3 neighbourhoods, hash and simple ko, all kept incrementally.
//!
//! A chain is named by the point of one of its stones, so there can be as many chains as stones. A chain's
//! liberties are kept as *pseudo-liberties*: one for every (stone, empty neighbour) pair, with the sum and the sum
//! of squares of the neighbours' indices, all three in one word ([`LibertySums`]). Adding a stone, merging chains and
//! removing stones are then single additions, and a chain is in atari exactly when
//! `count * squares == sum * sum` (equality in the Cauchy-Schwarz inequality: all neighbours are the same point).
//! The idea of counting pseudo-liberties is libego's (Lew 2010), the sums are Fuego's and Pachi's folklore.
//!
//! The arrays have 1024 entries and indices are masked to 10 bits: the bounds checks vanish without `unsafe`.

use ishi_words::{CodedError, ErrorFacts, facts};

use crate::color::{Cell, Color};
use crate::moves::Move;
use crate::point::{BoardSize, DIAGONAL, Neighbourhood, ORTHOGONAL, POINTS, Point, STRIDE};
use crate::zobrist;

const MASK: usize = POINTS - 1;

/// "No point": index 0 is the border's corner.
const NONE: u16 = 0;

/// A chain, named by the point of one of its stones; see [`Board::chain`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Chain(Point);

impl Chain {
    /// The point that names the chain: one of its stones, the same until the chain grows or is captured.
    #[inline]
    pub const fn head(self) -> Point {
        self.0
    }
}

/// Count (bits 0-10), sum (11-30) and sum of squares (31-60) of the indices of a chain's empty neighbours, one entry
/// for every pair of a stone and an empty neighbour. A 25x25 board has 1200 such pairs at most and indices to 825,
/// so no field overflows into the next.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct LibertySums(u64);

impl LibertySums {
    #[inline(always)]
    const fn for_point(index: usize) -> LibertySums {
        let i = index as u64;
        LibertySums(1 | i << 11 | (i * i) << 31)
    }

    /// One entry for every empty neighbour of a point, given the low byte of its code: with offsets d the sum of i + d
    /// and of (i + d)^2 = i^2 + 2id + d^2, so that a table by code and two multiplications do instead of four looks.
    #[inline(always)]
    fn for_neighbours(index: usize, sides: usize) -> LibertySums {
        let NeighbourSums { count, constant, factor } = AROUND[sides & 0xff];
        let all = LibertySums::for_point(index).0.wrapping_mul(count);
        LibertySums(all.wrapping_add(constant).wrapping_add(factor.wrapping_mul(index as u64)))
    }

    #[inline(always)]
    const fn entry_count(self) -> u32 {
        (self.0 & 0x7ff) as u32
    }

    /// The only liberty, if there is exactly one.
    #[inline(always)]
    const fn single_liberty(self) -> Option<Point> {
        let (count, sum, squares) = (self.0 & 0x7ff, self.0 >> 11 & 0xf_ffff, self.0 >> 31);
        if count != 0 && count * squares == sum * sum { Some(Point((sum / count) as u16)) } else { None }
    }
}

/// Hears of every change to the stones of a [`Board`]: the hook on which incremental knowledge hangs.
/// The calls are dispatched statically; those of [`NoObserver`] cost nothing.
pub trait BoardObserver {
    /// A stone of `color` was put on `point`, still a chain of its own; merges, then captures, are to come.
    fn on_place(&mut self, board: &Board, color: Color, point: Point);
    /// The stone of `color` on `point` was taken off; the board already shows it empty.
    fn on_capture(&mut self, board: &Board, color: Color, point: Point);
    /// The chain that was named `gone` is now part of `kept`.
    fn on_merge(&mut self, board: &Board, kept: Chain, gone: Chain);
}

/// The observer that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl BoardObserver for NoObserver {
    #[inline(always)]
    fn on_place(&mut self, _: &Board, _: Color, _: Point) {}
    #[inline(always)]
    fn on_capture(&mut self, _: &Board, _: Color, _: Point) {}
    #[inline(always)]
    fn on_merge(&mut self, _: &Board, _: Chain, _: Chain) {}
}

/// A Go board without history.
///
/// ```
/// use ishi_go::{Board, BoardSize, Color, Move};
/// let size = BoardSize::square(9).unwrap();
/// let mut board = Board::new(size);
/// for (color, vertex) in [(Color::Black, "B1"), (Color::White, "A1"), (Color::Black, "A2")] {
///     let point = size.parse_point(vertex).unwrap();
///     assert!(board.is_legal(color, point));
///     board.play_unchecked(color, Move::Play(point));
/// }
/// assert_eq!(board.stone_count(Color::White), 0);
/// ```
#[derive(Clone)]
pub struct Board {
    size: BoardSize,
    hash: u64,
    /// The point that the side to move may not retake at once, or `NONE`.
    ko: u16,
    stones: [u16; 2],
    empty_count: u16,
    cells: [Cell; POINTS],
    /// 3x3 neighbourhoods, see [`Neighbourhood`].
    codes: [u16; POINTS],
    /// The head of the chain of the stone here; `NONE` for empty points and the border.
    heads: [u16; POINTS],
    /// The next stone of the same chain, in a circle.
    next: [u16; POINTS],
    /// The number of stones of a chain, by its head.
    lengths: [u16; POINTS],
    /// By head; entry `NONE` collects what is written for empty points and the border, and means nothing.
    liberties: [LibertySums; POINTS],
    /// The empty points, in no particular order.
    empties: [u16; POINTS],
    /// Where an empty point stands in `empties`.
    places: [u16; POINTS],
}

impl Board {
    /// An empty board.
    pub fn new(size: BoardSize) -> Board {
        let mut board = Board {
            size,
            hash: 0,
            ko: NONE,
            stones: [0; 2],
            empty_count: 0,
            cells: [Cell::Border; POINTS],
            codes: [0; POINTS],
            heads: [NONE; POINTS],
            next: [NONE; POINTS],
            lengths: [0; POINTS],
            liberties: [LibertySums(0); POINTS],
            empties: [NONE; POINTS],
            places: [0; POINTS],
        };
        for point in size.points() {
            board.cells[point.index()] = Cell::Empty;
            board.add_empty(point.index());
        }
        for point in size.points() {
            board.codes[point.index()] = board.recompute_neighbourhood(point).0;
        }
        board
    }

    /// A board with these stones, where no chain is left without a liberty.
    ///
    /// ```
    /// use ishi_go::{Board, BoardSize, Color, Point};
    /// let size = BoardSize::square(9).unwrap();
    /// let board = Board::from_stones(size, [(Color::Black, Point::new(4, 4)), (Color::White, Point::new(4, 5))]).unwrap();
    /// assert_eq!(board.stone_count(Color::Black), 1);
    /// let error = Board::from_stones(size, [(Color::Black, Point::new(4, 4)); 2]).unwrap_err();
    /// assert_eq!(error.to_string(), "E5 is set twice: a point holds one stone");
    /// ```
    ///
    /// # Errors
    /// The first point that lies outside the board, that is named twice, or whose chain has no liberty.
    pub fn from_stones(
        size: BoardSize,
        stones: impl IntoIterator<Item = (Color, Point)>,
    ) -> Result<Board, SetupError> {
        let mut board = Board::new(size);
        for (color, point) in stones {
            if !size.contains(point) {
                return Err(SetupError::Outside { point, size });
            }
            if board.cell(point) != Cell::Empty {
                return Err(SetupError::Occupied { point });
            }
            board.put_stone(color, point.index(), &mut NoObserver);
        }
        // Only now: the stones come in any order, so on the way a chain may lack the liberties that it has in the end.
        if let Some(chain) = board.chains().find(|chain| board.liberties[chain.0.index()].entry_count() == 0)
        {
            return Err(SetupError::NoLiberty { point: chain.head() });
        }
        Ok(board)
    }

    /// Makes this board the same as `other`, copying only the lines in use.
    #[inline]
    pub fn copy_from(&mut self, other: &Board) {
        // The higher board of the two: where this one was higher, its lines must become border again.
        let used = (other.size.height().max(self.size.height()) + 2) * STRIDE;
        self.size = other.size;
        self.hash = other.hash;
        self.ko = other.ko;
        self.stones = other.stones;
        self.empty_count = other.empty_count;
        let points = other.empty_count as usize;
        self.empties[..points].copy_from_slice(&other.empties[..points]);
        self.cells[..used].copy_from_slice(&other.cells[..used]);
        self.codes[..used].copy_from_slice(&other.codes[..used]);
        self.heads[..used].copy_from_slice(&other.heads[..used]);
        self.next[..used].copy_from_slice(&other.next[..used]);
        self.lengths[..used].copy_from_slice(&other.lengths[..used]);
        self.liberties[..used].copy_from_slice(&other.liberties[..used]);
        self.places[..used].copy_from_slice(&other.places[..used]);
    }

    /// Width and height.
    #[inline]
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// Zobrist hash of the stones: equal boards of one size have equal hashes, in every build and on every machine.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The point that may not be retaken at once (simple ko).
    #[inline]
    pub fn ko_point(&self) -> Option<Point> {
        if self.ko == NONE { None } else { Some(Point(self.ko)) }
    }

    /// Sets or lifts the ko ban, for set-up positions.
    pub fn set_ko(&mut self, ko: Option<Point>) {
        self.ko = ko.map_or(NONE, |point| point.0);
    }

    /// What stands on `point`; [`Cell::Border`] outside the board.
    #[inline]
    pub fn cell(&self, point: Point) -> Cell {
        self.cells[point.index() & MASK]
    }

    /// The colour of the stone on `point`.
    #[inline]
    pub fn color(&self, point: Point) -> Option<Color> {
        self.cell(point).color()
    }

    /// Number of stones of a colour.
    #[inline]
    pub fn stone_count(&self, color: Color) -> usize {
        self.stones[color.index()] as usize
    }

    /// Number of empty points.
    #[inline]
    pub fn empty_count(&self) -> usize {
        self.empty_count as usize
    }

    /// The empty points, in no particular order; the order depends on the moves that led here.
    #[inline]
    pub fn empty_points(&self) -> impl ExactSizeIterator<Item = Point> + '_ {
        self.empties[..self.empty_count as usize].iter().map(|&index| Point(index))
    }

    /// The `n`-th empty point in the order of [`Board::empty_points`].
    #[inline]
    pub fn nth_empty(&self, n: usize) -> Point {
        Point(self.empties[n & MASK])
    }

    /// The eight neighbours of a point on the board.
    #[inline]
    pub fn neighbourhood(&self, point: Point) -> Neighbourhood {
        Neighbourhood(self.codes[point.index() & MASK])
    }

    /// The chain of the stone on `point`.
    #[inline]
    pub fn chain(&self, point: Point) -> Option<Chain> {
        let head = self.heads[point.index() & MASK];
        if head == NONE { None } else { Some(Chain(Point(head))) }
    }

    /// All chains, in the order of the points that name them.
    pub fn chains(&self) -> impl Iterator<Item = Chain> + '_ {
        self.size.points().filter(|point| self.heads[point.index()] == point.0).map(Chain)
    }

    /// The stones of a chain, its head first.
    pub fn chain_stones(&self, chain: Chain) -> impl Iterator<Item = Point> + '_ {
        let first = chain.0.0;
        let mut here = first;
        (0..self.chain_length(chain)).map(move |_| {
            let stone = here;
            here = self.next[here as usize & MASK];
            Point(stone)
        })
    }

    /// Number of stones of a chain.
    #[inline]
    pub fn chain_length(&self, chain: Chain) -> usize {
        self.lengths[chain.0.index() & MASK] as usize
    }

    /// Number of pairs of a chain's stone and an empty neighbour of it: no fewer than its liberties, at most four times as
    /// many, and the same number for chains of one or two stones. Costs nothing.
    #[inline]
    pub fn pseudo_liberties(&self, chain: Chain) -> usize {
        self.liberties[chain.0.index() & MASK].entry_count() as usize
    }

    /// The last liberty of a chain in atari. Costs a multiplication or two.
    #[inline]
    pub fn atari_liberty(&self, chain: Chain) -> Option<Point> {
        self.liberties[chain.0.index() & MASK].single_liberty()
    }

    /// The liberties of a chain, each once, in the order of its stones. Walks the chain.
    ///
    /// ```
    /// use ishi_go::{Board, BoardSize, Color, Point};
    /// let size = BoardSize::square(9).unwrap();
    /// let [corner, beside] = [Point::new(0, 0), Point::new(1, 0)];
    /// let board = Board::from_stones(size, [(Color::Black, corner), (Color::Black, beside)]).unwrap();
    /// let chain = board.chain(corner).unwrap();
    /// assert_eq!((board.chain_length(chain), board.chain_liberties(chain).len()), (2, 3));
    /// ```
    pub fn chain_liberties(&self, chain: Chain) -> Vec<Point> {
        let mut found: Vec<Point> = Vec::new();
        for stone in self.chain_stones(chain) {
            for point in stone.neighbours() {
                if self.cell(point) == Cell::Empty && !found.contains(&point) {
                    found.push(point);
                }
            }
        }
        found
    }

    /// How many stones would the chain of a stone of `color` on this empty point have, if that captures nothing and leaves
    /// the chain one liberty or none (self-atari)? 0: it is no self-atari.
    #[inline]
    pub fn self_atari_size(&self, color: Color, point: Point) -> usize {
        let index = point.index() & MASK;
        let sides = self.codes[index] as usize & 0xff;
        let mut around = LibertySums::for_neighbours(index, sides);
        // The empty neighbours of one point are different points, so here pseudo-liberties are liberties.
        if around.entry_count() >= 2 {
            return 0;
        }
        let own = Cell::from(color);
        let here = LibertySums::for_point(index).0;
        let (mut size, mut joined) = (1, [NONE; 4]);
        for (side, offset) in ORTHOGONAL.into_iter().enumerate() {
            let n = neighbour_index(index, offset);
            let head = self.heads[n];
            if head == NONE {
                continue;
            }
            let liberties = self.liberties[head as usize & MASK];
            if self.cells[n] != own {
                // All liberties of this enemy chain are the point itself: the move captures, and gains liberties that are not counted here.
                if liberties.0 == here.wrapping_mul(u64::from(liberties.entry_count())) {
                    return 0;
                }
                continue;
            }
            // Every own stone beside the point loses it as a liberty; its chain's sums are added once, however many of its stones are beside.
            around.0 = around.0.wrapping_sub(here);
            if !joined.contains(&head) {
                joined[side] = head;
                around.0 = around.0.wrapping_add(liberties.0);
                size += self.lengths[head as usize & MASK] as usize;
            }
        }
        if around.entry_count() == 0 || around.single_liberty().is_some() { size } else { 0 }
    }

    /// The first `N` different liberties of a chain in the order of its stones, and how many were found: less than `N`
    /// means that these are all. Walks the chain only until it has found `N`, and does not allocate. The points beyond
    /// the number found mean nothing.
    ///
    /// ```
    /// use ishi_go::{Board, BoardSize, Color, Move, Point};
    /// let mut board = Board::new(BoardSize::square(9).unwrap());
    /// board.play_unchecked(Color::Black, Move::Play(Point::new(0, 0)));
    /// let chain = board.chain(Point::new(0, 0)).unwrap();
    /// let (points, found) = board.first_liberties::<3>(chain);
    /// assert_eq!(points[..found], [Point::new(0, 1), Point::new(1, 0)]);
    /// ```
    #[inline]
    pub fn first_liberties<const N: usize>(&self, chain: Chain) -> ([Point; N], usize) {
        let (mut found, mut count) = ([Point(NONE); N], 0);
        let first = chain.0.index() & MASK;
        let mut stone = first;
        loop {
            if ORTHOGONAL_EMPTY[self.codes[stone] as usize & 0xff] {
                for offset in ORTHOGONAL {
                    let point = Point(neighbour_index(stone, offset) as u16);
                    if self.cells[point.index() & MASK] == Cell::Empty && !found[..count].contains(&point) {
                        found[count] = point;
                        count += 1;
                        if count == N {
                            return (found, count);
                        }
                    }
                }
            }
            stone = self.next[stone] as usize & MASK;
            if stone == first {
                return (found, count);
            }
        }
    }

    /// May `color` put a stone on `point`? Not on a stone, not outside, not at the ko point (whichever colour's turn
    /// it is; [`crate::Position`] lets a colour fill its own ko), and not where its own chain would be left without a
    /// liberty (suicide).
    #[inline]
    pub fn is_legal(&self, color: Color, point: Point) -> bool {
        self.cell(point) == Cell::Empty && point.0 != self.ko && !self.is_suicide(color, point)
    }

    /// Would a stone of `color` on this empty point, its captures made, stand without a liberty?
    #[inline]
    pub fn is_suicide(&self, color: Color, point: Point) -> bool {
        let index = point.index() & MASK;
        if ORTHOGONAL_EMPTY[self.codes[index] as usize & 0xff] {
            return false;
        }
        self.is_filling_suicide(color, index)
    }

    /// [`Board::is_suicide`] for a point without an empty neighbour: the stone lives if it takes an enemy chain whose
    /// last liberty is here, or joins an own chain that has another. Without branches, for they would be guesses.
    #[inline(always)]
    fn is_filling_suicide(&self, color: Color, index: usize) -> bool {
        let here = LibertySums::for_point(index).0;
        let mut last = 0;
        for (side, offset) in ORTHOGONAL.into_iter().enumerate() {
            let liberties = self.liberties[self.heads[neighbour_index(index, offset)] as usize & MASK];
            last |= u8::from(liberties.0 == here.wrapping_mul(u64::from(liberties.entry_count()))) << side;
        }
        let sides = self.codes[index] as usize & 0xff;
        let own = SIDES_OF[color.index()][sides];
        let enemy = SIDES_OF[color.opponent().index()][sides];
        (last & enemy) | (!last & own) == 0
    }

    /// Is this empty point an eye of `color` that a playout must not fill? All orthogonal neighbours are its stones
    /// or the border, and the opponent holds at most one diagonal, none at the edge.
    #[inline]
    pub fn is_eyelike(&self, color: Color, point: Point) -> bool {
        let code = self.codes[point.index() & MASK] as usize;
        EYE_SIDES[color.index()][code & 0xff] && EYE_CORNERS[color.index()][code >> 8]
    }

    /// Is this empty point what a playout may play: legal and not an own eye? The same as
    /// `is_legal(color, point) && !is_eyelike(color, point)`, with one look where a neighbour is empty: such a point
    /// is no eye, no suicide and no ko.
    #[inline(always)]
    pub fn is_sensible(&self, color: Color, point: Point) -> bool {
        debug_assert_eq!(self.cell(point), Cell::Empty, "{point} is not empty");
        let index = point.index() & MASK;
        if ORTHOGONAL_EMPTY[self.codes[index] as usize & 0xff] {
            return true;
        }
        !self.is_eyelike(color, point) && point.0 != self.ko && !self.is_filling_suicide(color, index)
    }

    /// Plays without checking. The caller guarantees that the move is a pass or on an empty point of the board;
    /// a stone that captures nothing and has no liberty is removed with its chain (suicide). Sets or lifts the ko ban.
    /// Gives the number of stones that left the board.
    #[inline(always)]
    pub fn play_unchecked(&mut self, color: Color, mv: Move) -> usize {
        self.play_observed(color, mv, &mut NoObserver)
    }

    /// [`Board::play_unchecked`] with an observer.
    #[inline(always)]
    pub fn play_observed<O: BoardObserver>(&mut self, color: Color, mv: Move, observer: &mut O) -> usize {
        match mv {
            Move::Pass => {
                self.ko = NONE;
                0
            }
            Move::Play(point) => self.play_stone(color, point, observer),
        }
    }

    /// Puts a stone and removes what it captures.
    #[inline(always)]
    fn play_stone<O: BoardObserver>(&mut self, color: Color, point: Point, observer: &mut O) -> usize {
        let index = point.index() & MASK;
        debug_assert_eq!(self.cells[index], Cell::Empty, "{point} is not empty");
        let sides = self.codes[index] as usize & 0xff;
        // A single stone put between enemies (and the border) only.
        let surrounded = EYE_SIDES[color.opponent().index()][sides];
        let empty_chains = self.put_stone(color, index, observer);
        self.ko = NONE;
        // One branch for all four sides: captures are rare, so it is guessed right far more often than four would be.
        let captured = if empty_chains & SIDES_OF[color.opponent().index()][sides] != 0 {
            self.capture_neighbours(color.opponent(), index, observer)
        } else {
            0
        };
        if captured == 0 {
            if self.liberties[self.heads[index] as usize & MASK].entry_count() == 0 {
                return self.remove_chain(color, index, observer);
            }
        } else if captured == 1 && surrounded {
            // The stone just taken was the last to become empty.
            self.ko = self.empties[(self.empty_count as usize - 1) & MASK];
        }
        captured
    }

    /// Puts a stone, whatever liberties that leaves; gives the sides (a bit each) whose chains have none left. The bits of
    /// empty and border sides mean nothing.
    #[inline(always)]
    fn put_stone<O: BoardObserver>(&mut self, color: Color, index: usize, observer: &mut O) -> u8 {
        let sides = self.codes[index] as usize & 0xff;
        self.set_cell(index, color.into());
        self.hash ^= zobrist::stone_key(color, Point(index as u16));
        self.stones[color.index()] += 1;
        self.remove_empty(index);
        let gone = LibertySums::for_point(index).0;
        let mut empty_chains = 0;
        // The stone takes a liberty from every chain beside it, its own colour's too: these pairs must be gone before chains are merged.
        for (side, offset) in ORTHOGONAL.into_iter().enumerate() {
            let head = self.heads[neighbour_index(index, offset)] as usize & MASK;
            let left = LibertySums(self.liberties[head].0.wrapping_sub(gone));
            self.liberties[head] = left;
            empty_chains |= u8::from(left.entry_count() == 0) << side;
        }
        self.heads[index] = index as u16;
        self.next[index] = index as u16;
        self.lengths[index] = 1;
        self.liberties[index] = LibertySums::for_neighbours(index, sides);
        observer.on_place(self, color, Point(index as u16));
        let own = SIDES_OF[color.index()][sides];
        if own != 0 {
            let side = own.trailing_zeros() as usize & 3;
            self.extend_chain(index, self.heads[neighbour_index(index, ORTHOGONAL[side])], observer);
            if own & (own - 1) != 0 {
                self.merge_neighbours(color, index, observer);
            }
        }
        empty_chains
    }

    /// Adds a new stone, until now alone, to the chain with this head.
    #[inline(always)]
    fn extend_chain<O: BoardObserver>(&mut self, index: usize, head: u16, observer: &mut O) {
        let kept = head as usize & MASK;
        self.heads[index] = head;
        self.lengths[kept] += 1;
        self.liberties[kept].0 = self.liberties[kept].0.wrapping_add(self.liberties[index].0);
        self.next[index] = self.next[kept];
        self.next[kept] = index as u16;
        observer.on_merge(self, Chain(Point(kept as u16)), Chain(Point(index as u16)));
    }

    /// Joins the chain of a new stone with the other chains of its colour beside it.
    #[inline(always)]
    fn merge_neighbours<O: BoardObserver>(&mut self, color: Color, index: usize, observer: &mut O) {
        let own = Cell::from(color);
        for offset in ORTHOGONAL {
            let n = neighbour_index(index, offset);
            if self.cells[n] == own && self.heads[n] != self.heads[index] {
                self.merge_chains(self.heads[index], self.heads[n], observer);
            }
        }
    }

    /// Joins two chains; the longer one keeps its name.
    #[inline]
    fn merge_chains<O: BoardObserver>(&mut self, a: u16, b: u16, observer: &mut O) {
        let (a, b) = (a as usize & MASK, b as usize & MASK);
        let (kept, gone) = if self.lengths[a] > self.lengths[b] { (a, b) } else { (b, a) };
        self.lengths[kept] += self.lengths[gone];
        self.liberties[kept].0 = self.liberties[kept].0.wrapping_add(self.liberties[gone].0);
        let mut stone = gone;
        loop {
            self.heads[stone] = kept as u16;
            stone = self.next[stone] as usize & MASK;
            if stone == gone {
                break;
            }
        }
        // One swap makes one circle of two: each goes on where the other would have.
        self.next.swap(kept, gone);
        observer.on_merge(self, Chain(Point(kept as u16)), Chain(Point(gone as u16)));
    }

    /// Takes off the chains of `color` beside the point that have no liberty, and gives the number of their stones.
    #[inline(never)]
    fn capture_neighbours<O: BoardObserver>(
        &mut self,
        color: Color,
        index: usize,
        observer: &mut O,
    ) -> usize {
        let mut captured = 0;
        for offset in ORTHOGONAL {
            let n = neighbour_index(index, offset);
            let head = self.heads[n] as usize & MASK;
            if self.cells[n] == Cell::from(color) && self.liberties[head].entry_count() == 0 {
                captured += self.remove_chain(color, n, observer);
            }
        }
        captured
    }

    /// Takes a chain off the board and gives its length.
    fn remove_chain<O: BoardObserver>(&mut self, color: Color, index: usize, observer: &mut O) -> usize {
        let first = self.heads[index & MASK] as usize & MASK;
        let length = self.lengths[first] as usize;
        let mut stone = first;
        for _ in 0..length {
            let next = self.next[stone] as usize & MASK;
            self.set_cell(stone, Cell::Empty);
            self.hash ^= zobrist::stone_key(color, Point(stone as u16));
            self.heads[stone] = NONE;
            let back = LibertySums::for_point(stone);
            for offset in ORTHOGONAL {
                let head = self.heads[neighbour_index(stone, offset)] as usize & MASK;
                // The chain that goes gets some back too: they mean nothing, and are set anew when a stone is next put on its head.
                self.liberties[head].0 = self.liberties[head].0.wrapping_add(back.0);
            }
            self.add_empty(stone);
            observer.on_capture(self, color, Point(stone as u16));
            stone = next;
        }
        self.stones[color.index()] -= length as u16;
        length
    }

    /// Changes a cell and tells its eight neighbours' codes. One of the old and the new cell is empty (0).
    #[inline(always)]
    fn set_cell(&mut self, index: usize, cell: Cell) {
        let change = u16::from(self.cells[index] as u8 ^ cell as u8);
        self.cells[index] = cell;
        // Two sides on is the opposite side: from there the neighbour sees this point.
        for (side, offset) in ORTHOGONAL.into_iter().enumerate() {
            self.codes[neighbour_index(index, offset)] ^= change << (2 * ((side + 2) % 4));
        }
        for (side, offset) in DIAGONAL.into_iter().enumerate() {
            self.codes[neighbour_index(index, offset)] ^= change << (8 + 2 * ((side + 2) % 4));
        }
    }

    #[inline(always)]
    fn add_empty(&mut self, index: usize) {
        self.places[index] = self.empty_count;
        self.empties[self.empty_count as usize & MASK] = index as u16;
        self.empty_count += 1;
    }

    #[inline(always)]
    fn remove_empty(&mut self, index: usize) {
        self.empty_count -= 1;
        // The last of the list takes the place that becomes free, so nothing has to be moved up.
        let last = self.empties[self.empty_count as usize & MASK];
        let place = self.places[index];
        self.empties[place as usize & MASK] = last;
        self.places[last as usize & MASK] = place;
    }

    /// Puts two entries of the list of empty points in each other's place, so that what was tried need not be tried again.
    #[inline(always)]
    pub fn swap_empty_points(&mut self, a: usize, b: usize) {
        let (a, b) = (a & MASK, b & MASK);
        self.empties.swap(a, b);
        self.places[self.empties[a] as usize & MASK] = a as u16;
        self.places[self.empties[b] as usize & MASK] = b as u16;
    }

    fn recompute_neighbourhood(&self, point: Point) -> Neighbourhood {
        let around = point.neighbours().into_iter().chain(point.diagonals());
        let code = around.enumerate().map(|(i, n)| u16::from(self.cell(n) as u8) << (2 * i)).sum();
        Neighbourhood(code)
    }
}

/// The index one step further.
#[inline(always)]
fn neighbour_index(index: usize, offset: i16) -> usize {
    index.wrapping_add_signed(offset as isize) & MASK
}

/// By the low byte of a code: is an orthogonal neighbour empty?
static ORTHOGONAL_EMPTY: [bool; 256] = {
    let mut table = [false; 256];
    let mut code = 0;
    while code < 256 {
        table[code] = code & 3 == 0 || code >> 2 & 3 == 0 || code >> 4 & 3 == 0 || code >> 6 == 0;
        code += 1;
    }
    table
};

/// By colour and the low byte of a code: the sides on which this colour stands, a bit each, up first.
static SIDES_OF: [[u8; 256]; 2] = {
    let mut table = [[0; 256]; 2];
    let mut code = 0;
    while code < 256 {
        let mut side = 0;
        while side < 4 {
            match code >> (2 * side) & 3 {
                1 => table[0][code] |= 1 << side,
                2 => table[1][code] |= 1 << side,
                _ => {}
            }
            side += 1;
        }
        code += 1;
    }
    table
};

/// What [`LibertySums::for_neighbours`] adds up for one low byte of a code.
#[derive(Clone, Copy)]
struct NeighbourSums {
    /// Empty neighbours.
    count: u64,
    /// Their offsets summed, as a sum, and their squares summed, as a sum of squares.
    constant: u64,
    /// Twice their offsets summed, as a sum of squares: to be multiplied by the index.
    factor: u64,
}

/// The words wrap around where an offset is negative; the sum of all three parts does not.
static AROUND: [NeighbourSums; 256] = {
    let mut table = [NeighbourSums { count: 0, constant: 0, factor: 0 }; 256];
    let mut code = 0;
    while code < 256 {
        let (mut count, mut sum, mut squares) = (0, 0, 0);
        let mut side = 0;
        while side < 4 {
            if code >> (2 * side) & 3 == 0 {
                let offset = ORTHOGONAL[side] as i64;
                count += 1;
                sum += offset;
                squares += offset * offset;
            }
            side += 1;
        }
        let constant = ((sum as u64) << 11).wrapping_add((squares as u64) << 31);
        table[code] = NeighbourSums { count, constant, factor: ((2 * sum) as u64) << 31 };
        code += 1;
    }
    table
};

/// How many of four two-bit cells are `cell`.
const fn count_cells(code: usize, cell: usize) -> usize {
    (code & 3 == cell) as usize
        + (code >> 2 & 3 == cell) as usize
        + (code >> 4 & 3 == cell) as usize
        + (code >> 6 == cell) as usize
}

/// By colour and the low byte of a code: are all orthogonal neighbours of this colour or the border?
static EYE_SIDES: [[bool; 256]; 2] = {
    let mut table = [[false; 256]; 2];
    let mut code = 0;
    while code < 256 {
        let border = count_cells(code, 3);
        table[0][code] = count_cells(code, 1) + border == 4;
        table[1][code] = count_cells(code, 2) + border == 4;
        code += 1;
    }
    table
};

/// By colour and the high byte of a code: does the opponent hold too few diagonals to make the eye false?
static EYE_CORNERS: [[bool; 256]; 2] = {
    let mut table = [[false; 256]; 2];
    let mut code = 0;
    while code < 256 {
        let edge = (count_cells(code, 3) > 0) as usize;
        table[0][code] = count_cells(code, 2) + edge < 2;
        table[1][code] = count_cells(code, 1) + edge < 2;
        code += 1;
    }
    table
};

/// Stones that cannot be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// A point that the board does not have.
    Outside {
        /// The point.
        point: Point,
        /// The board.
        size: BoardSize,
    },
    /// A point that has a stone already.
    Occupied {
        /// The point.
        point: Point,
    },
    /// A chain without a liberty.
    NoLiberty {
        /// One of its stones.
        point: Point,
    },
}

impl std::fmt::Display for SetupError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SetupError::Outside { point, size } => write!(f, "{point} lies outside this {size} board"),
            SetupError::Occupied { point } => write!(f, "{point} is set twice: a point holds one stone"),
            SetupError::NoLiberty { point } => {
                write!(f, "the chain at {point} has no liberty: a stone on the board must have one")
            }
        }
    }
}

impl std::error::Error for SetupError {}

impl CodedError for SetupError {
    fn facts(&self) -> ErrorFacts {
        match self {
            SetupError::Outside { point, size } => facts!["go-point-outside", point, size],
            SetupError::Occupied { point } => facts!["go-point-set-twice", point],
            SetupError::NoLiberty { point } => facts!["go-no-liberty", point],
        }
    }
}
