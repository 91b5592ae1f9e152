//! Shapes: the stones around a point, up to ever larger distances, named by a number that is the same for the eight
//! symmetries of the board and for exchanged colours.
//!
//! The distance is d = dx + dy + max(dx, dy), as in Coulom (2007, section 3.2) and Stern, Herbrich and Graepel ("Bayesian
//! pattern ranking for move prediction in the game of Go", 2006): its rings make neighbourhoods that grow between diamond
//! and square. A shape's number is the smallest of eight Zobrist sums, one for each symmetry; the eight are kept side by side,
//! so that a point costs one vector operation or two, and a ring is added to what the smaller rings gave.

use ishi_go::{Board, Cell, Color, Neighbourhood, Point};

/// The smallest and the largest distance that makes a shape of its own: 3 is the 3x3 neighbourhood.
pub(crate) const SMALLEST: usize = 3;
/// See [`SMALLEST`].
pub(crate) const LARGEST: usize = 12;

/// Shapes kept numbers of 40 bits: among half a million of them, a strange one is taken for a known one once in two million.
pub(crate) const KEY_BITS: u32 = 40;

/// Columns from one row of a [`ShapeGrid`] to the next.
const STRIDE: usize = 40;
/// Lines beyond the edge.
const PAD: usize = 6;
const CELLS: usize = STRIDE * (25 + 2 * PAD);

/// Points with a distance of at most [`LARGEST`], the centre left out.
const POINTS: usize = 104;

/// By distance: how many points (the centre left out) are no further.
pub(crate) const RINGS: [usize; LARGEST + 1] = {
    let mut counts = [0; LARGEST + 1];
    let mut distance = 0;
    while distance <= LARGEST {
        let (mut dx, mut count) = (-6i32, 0);
        while dx <= 6 {
            let mut dy = -6i32;
            while dy <= 6 {
                count += (offset_distance(dx, dy) <= distance && (dx != 0 || dy != 0)) as usize;
                dy += 1;
            }
            dx += 1;
        }
        counts[distance] = count;
        distance += 1;
    }
    counts
};

const _: () = assert!(RINGS[LARGEST] == POINTS && RINGS[3] == 8 && RINGS[4] == 12);

/// dx + dy + max(dx, dy), of absolute values.
pub(crate) const fn offset_distance(dx: i32, dy: i32) -> usize {
    let (dx, dy) = (dx.unsigned_abs() as usize, dy.unsigned_abs() as usize);
    dx + dy + if dx > dy { dx } else { dy }
}

/// The offsets in the order of their distances.
const OFFSETS: [(i32, i32); POINTS] = {
    let mut offsets = [(0, 0); POINTS];
    let (mut distance, mut n) = (1, 0);
    while distance <= LARGEST {
        let mut dy = -6;
        while dy <= 6 {
            let mut dx = -6;
            while dx <= 6 {
                if offset_distance(dx, dy) == distance {
                    offsets[n] = (dx, dy);
                    n += 1;
                }
                dx += 1;
            }
            dy += 1;
        }
        distance += 1;
    }
    offsets
};

/// The offset under one of the eight symmetries.
const fn turn_offset((dx, dy): (i32, i32), symmetry: usize) -> (i32, i32) {
    let (dx, dy) = if symmetry & 1 == 0 { (dx, dy) } else { (-dx, dy) };
    let (dx, dy) = if symmetry & 2 == 0 { (dx, dy) } else { (dx, -dy) };
    if symmetry & 4 == 0 { (dx, dy) } else { (dy, dx) }
}

/// The place of an offset in [`OFFSETS`].
const fn offset_index((dx, dy): (i32, i32)) -> usize {
    let mut n = 0;
    while OFFSETS[n].0 != dx || OFFSETS[n].1 != dy {
        n += 1;
    }
    n
}

/// Eight Zobrist sums, one for each symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ZobristSums(pub(crate) [u64; 8]);

impl ZobristSums {
    pub(crate) const fn from_salt(salt: u64) -> ZobristSums {
        ZobristSums([mix_bits(salt); 8])
    }

    #[inline(always)]
    pub(crate) fn add_sums(&mut self, other: &ZobristSums) {
        for (sum, other) in self.0.iter_mut().zip(other.0) {
            *sum ^= other;
        }
    }

    /// The number of the shape: the smallest of the eight, mixed with what kind of shape it is.
    #[inline(always)]
    pub(crate) fn shape_key(&self, kind: usize) -> u64 {
        let mut least = self.0[0];
        for &sum in &self.0[1..] {
            least = least.min(sum);
        }
        mix_bits(least ^ (kind as u64) << 56) >> (64 - KEY_BITS)
    }
}

/// The finalizer of SplitMix64.
const fn mix_bits(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Zobrist keys of `N` things at each of the first `P` offsets, for the eight symmetries; thing 0 has key 0.
const fn zobrist_keys<const P: usize, const N: usize>(salt: u64) -> [[ZobristSums; N]; P] {
    let mut table = [[ZobristSums([0; 8]); N]; P];
    let mut n = 0;
    while n < P {
        let mut symmetry = 0;
        while symmetry < 8 {
            let place = offset_index(turn_offset(OFFSETS[n], symmetry)) as u64;
            let mut thing = 1;
            while thing < N {
                table[n][thing].0[symmetry] = mix_bits(salt ^ place << 8 ^ thing as u64);
                thing += 1;
            }
            symmetry += 1;
        }
        n += 1;
    }
    table
}

/// The sums of each colour: own stone, enemy stone, border.
static COLOR_KEYS: [[ZobristSums; 4]; POINTS] = zobrist_keys(0x7368_6170_6531);
/// The sums of each code, see [`ShapeGrid`]: stones with the liberties of their chains.
static CODE_KEYS: [[ZobristSums; 8]; NEAR] = zobrist_keys(0x7368_6170_6532);
/// Where another point lies, to be added to a shape.
static PLACE_KEYS: [[ZobristSums; 2]; POINTS] = zobrist_keys(0x7368_6170_6533);

/// Points of the small shapes that tell the liberties of chains: the diamond of distance 4.
const NEAR: usize = 12;

/// 0 empty, 1 own, 2 enemy, 3 border, by code.
const COLOR_OF: [u8; 8] = [0, 1, 1, 1, 2, 2, 2, 3];

const BORDER: u8 = 7;

/// The board as the side to move sees it, with a wide border: 0 for empty points, 1 to 3 for own stones by the liberties
/// of their chains (3 is three or more), 4 to 6 for the enemy's, 7 outside.
#[derive(Clone, Debug)]
pub(crate) struct ShapeGrid {
    cells: Vec<u8>,
    size: (usize, usize),
}

impl ShapeGrid {
    pub(crate) fn new() -> ShapeGrid {
        ShapeGrid { cells: vec![BORDER; CELLS], size: (0, 0) }
    }

    /// Where a point stands in the grid.
    #[inline(always)]
    fn cell_index(point: Point) -> usize {
        (point.row() + PAD) * STRIDE + point.column() + PAD
    }

    /// Fills the grid; `liberties` gives those of a stone's chain.
    pub(crate) fn fill_from(&mut self, board: &Board, to_move: Color, liberties: impl Fn(Point) -> u8) {
        let size = (board.size().width(), board.size().height());
        if self.size != size {
            self.cells.fill(BORDER);
            self.size = size;
        }
        for point in board.size().points() {
            self.cells[ShapeGrid::cell_index(point)] = match board.cell(point) {
                Cell::Empty => 0,
                Cell::Border => BORDER,
                stone => {
                    let enemy = stone.color() != Some(to_move);
                    liberties(point).clamp(1, 3) + if enemy { 3 } else { 0 }
                }
            };
        }
    }

    #[inline(always)]
    fn cell_code(&self, centre: usize, n: usize) -> u8 {
        let (dx, dy) = OFFSETS[n];
        let at = centre.wrapping_add_signed((dy * STRIDE as i32 + dx) as isize);
        self.cells[at] & 7
    }

    /// Calls `visit` with the distance and number of ever larger shapes, as long as it says to go on.
    #[inline(always)]
    pub(crate) fn visit_shapes(&self, point: Point, mut visit: impl FnMut(usize, u64) -> bool) {
        let centre = ShapeGrid::cell_index(point);
        let mut sums = ZobristSums::from_salt(1);
        let mut done = 0;
        for (distance, &points) in RINGS.iter().enumerate().skip(SMALLEST) {
            for (n, keys) in COLOR_KEYS.iter().enumerate().take(points).skip(done) {
                let color = COLOR_OF[self.cell_code(centre, n) as usize];
                if color != 0 {
                    sums.add_sums(&keys[color as usize & 3]);
                }
            }
            done = points;
            if !visit(distance, sums.shape_key(distance)) {
                return;
            }
        }
    }

    /// The twelve nearest points with the liberties of chains.
    #[inline(always)]
    pub(crate) fn near_sums(&self, point: Point) -> ZobristSums {
        let centre = ShapeGrid::cell_index(point);
        let mut sums = ZobristSums::from_salt(2);
        for (n, keys) in CODE_KEYS.iter().enumerate() {
            let code = self.cell_code(centre, n);
            if code != 0 {
                sums.add_sums(&keys[code as usize & 7]);
            }
        }
        sums
    }

    /// The distances of the nearest own and the nearest enemy stone, up to `limit`.
    pub(crate) fn nearest_stones(&self, point: Point, limit: usize) -> (usize, usize) {
        let centre = ShapeGrid::cell_index(point);
        let mut found = [limit; 2];
        for (n, &(dx, dy)) in OFFSETS.iter().enumerate().take(RINGS[limit - 1]) {
            let color = COLOR_OF[self.cell_code(centre, n) as usize];
            if color == 1 || color == 2 {
                let nearest = &mut found[color as usize - 1];
                if *nearest == limit {
                    *nearest = offset_distance(dx, dy);
                    if found[0] < limit && found[1] < limit {
                        break;
                    }
                }
            }
        }
        (found[0], found[1])
    }
}

/// The key of where `to` lies from `from`, if not too far.
#[inline(always)]
pub(crate) fn offset_key(from: Point, to: Point) -> Option<&'static ZobristSums> {
    let dx = to.column() as i32 - from.column() as i32;
    let dy = to.row() as i32 - from.row() as i32;
    if dx.abs() > 6 || dy.abs() > 6 {
        return None;
    }
    let place = PLACES[((dy + 6) * 13 + dx + 6) as usize];
    PLACE_KEYS.get(place as usize).map(|keys| &keys[1])
}

/// The place of an offset within six lines in [`OFFSETS`]; 255 if it is the centre or too far.
static PLACES: [u8; 169] = {
    let mut places = [255; 169];
    let mut n = 0;
    while n < POINTS {
        let (dx, dy) = OFFSETS[n];
        places[((dy + 6) * 13 + dx + 6) as usize] = n as u8;
        n += 1;
    }
    places
};

/// The number of the 3x3 shape with these neighbours, seen by `to_move`.
pub(crate) fn key_of_code(code: Neighbourhood, to_move: Color) -> u64 {
    let mut sums = ZobristSums::from_salt(1);
    for (n, keys) in COLOR_KEYS.iter().enumerate().take(RINGS[SMALLEST]) {
        let thing = match code.0 >> CODE_SHIFTS[n] & 3 {
            0 => continue,
            3 => 3,
            stone if stone == Cell::from(to_move) as u16 => 1,
            _ => 2,
        };
        sums.add_sums(&keys[thing]);
    }
    sums.shape_key(SMALLEST)
}

/// Where the nearest eight offsets stand in a [`Neighbourhood`].
const CODE_SHIFTS: [u32; 8] = {
    // Up, right, down, left, then up right, down right, down left, up left.
    let order = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
    let mut shifts = [0; 8];
    let mut n = 0;
    while n < 8 {
        let mut side = 0;
        while order[side].0 != OFFSETS[n].0 || order[side].1 != OFFSETS[n].1 {
            side += 1;
        }
        shifts[n] = 2 * side as u32;
        n += 1;
    }
    shifts
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use ishi_go::{BoardSize, Move};
    use ishi_rng::{Rng, Seed};

    use super::*;

    fn random_board(size: BoardSize, moves: usize, rng: &mut Rng) -> Board {
        let (mut board, mut color) = (Board::new(size), Color::Black);
        for _ in 0..moves {
            let choices: Vec<Point> =
                board.empty_points().filter(|&point| board.is_sensible(color, point)).collect();
            if let Some(&point) = rng.choose(&choices) {
                board.play_unchecked(color, Move::Play(point));
            }
            color = !color;
        }
        board
    }

    fn filled(board: &Board, to_move: Color) -> ShapeGrid {
        let mut grid = ShapeGrid::new();
        grid.fill_from(board, to_move, |point| {
            board.chain(point).map_or(0, |chain| board.first_liberties::<3>(chain).1 as u8)
        });
        grid
    }

    /// What stands around a point, in the order that comes first among the eight symmetries.
    fn picture(
        board: &Board,
        to_move: Color,
        point: Point,
        distance: usize,
        liberties: bool,
    ) -> Vec<(i32, i32, u8)> {
        let size = board.size();
        let thing = |dx: i32, dy: i32| {
            let (column, row) = (point.column() as i32 + dx, point.row() as i32 + dy);
            let inside =
                (0..size.width() as i32).contains(&column) && (0..size.height() as i32).contains(&row);
            if !inside {
                return 7;
            }
            let here = Point::new(column as usize, row as usize);
            let Some(color) = board.color(here) else { return 0 };
            let side = if color == to_move { 1 } else { 4 };
            let chain = board.chain(here).unwrap();
            side + if liberties { board.chain_liberties(chain).len().min(3) as u8 - 1 } else { 0 }
        };
        let around = || (-6..=6).flat_map(|dx| (-6..=6).map(move |dy| (dx, dy)));
        let near: Vec<(i32, i32)> =
            around().filter(|&(dx, dy)| offset_distance(dx, dy) <= distance && (dx, dy) != (0, 0)).collect();
        let turned_by = |symmetry: usize| {
            let mut list: Vec<(i32, i32, u8)> = near
                .iter()
                .map(|&(dx, dy)| {
                    let (x, y) = turn_offset((dx, dy), symmetry);
                    (x, y, thing(dx, dy))
                })
                .collect();
            list.sort_unstable();
            list
        };
        (0..8).map(turned_by).min().unwrap()
    }

    /// Equal pictures have equal numbers, different ones different numbers, whatever the ring, the board and the colour.
    #[test]
    fn numbers_stand_for_pictures_up_to_symmetry_and_colour() {
        let (mut by_picture, mut by_key) = (BTreeMap::new(), BTreeMap::new());
        for n in 0..12 {
            let mut rng = Seed::new(41).stream("shapes", n);
            let size = BoardSize::square([5, 9, 19][n as usize % 3]).unwrap();
            let length = rng.next_index(size.area());
            let board = random_board(size, length, &mut rng);
            let to_move = Color::ALL[n as usize % 2];
            let grid = filled(&board, to_move);
            for point in board.empty_points().step_by(4) {
                let mut note = |kind: usize, picture: Vec<(i32, i32, u8)>, key: u64| {
                    assert_eq!(*by_picture.entry((kind, picture.clone())).or_insert(key), key);
                    assert_eq!(*by_key.entry(key).or_insert((kind, picture.clone())), (kind, picture));
                };
                grid.visit_shapes(point, |distance, key| {
                    note(distance, picture(&board, to_move, point, distance, false), key);
                    true
                });
                note(100, picture(&board, to_move, point, 4, true), grid.near_sums(point).shape_key(100));
            }
        }
        assert!(by_key.len() > 1000);
    }

    #[test]
    fn the_smallest_shape_follows_from_the_neighbourhood() {
        for n in 0..10 {
            let mut rng = Seed::new(42).stream("codes", n);
            let board = random_board(BoardSize::square(7).unwrap(), 30, &mut rng);
            for to_move in Color::ALL {
                let grid = filled(&board, to_move);
                for point in board.empty_points() {
                    let mut first = None;
                    grid.visit_shapes(point, |_, key| {
                        first = Some(key);
                        false
                    });
                    assert_eq!(first, Some(key_of_code(board.neighbourhood(point), to_move)));
                }
            }
        }
    }

    #[test]
    fn places_are_found_again() {
        let centre = Point::new(9, 9);
        let mut seen = std::collections::BTreeSet::new();
        for point in BoardSize::square(19).unwrap().points() {
            let distance = offset_distance(point.column() as i32 - 9, point.row() as i32 - 9);
            let key = offset_key(centre, point);
            assert_eq!(key.is_some(), (1..=LARGEST).contains(&distance), "{point}");
            if let Some(key) = key {
                seen.insert(key.0);
            }
        }
        assert_eq!(seen.len(), POINTS);
    }
}
