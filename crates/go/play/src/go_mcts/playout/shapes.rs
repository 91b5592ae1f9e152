//! The 3x3 shapes that a playout answers with.
//!
//! Source: S. Gelly, Y. Wang, R. Munos, O. Teytaud, "Modification of UCT with patterns in Monte-Carlo Go" (INRIA RR-6062,
//! 2006), figures 4 to 6 (hane, cuts, side), and the keima cut of later programs. Colours may be exchanged, and shapes be
//! turned and mirrored.

use std::sync::OnceLock;

use ishi_go::{Color, Neighbourhood};

/// Rows from top to bottom, the move in the middle. `X` and `O` are stones of different colours, `x` is anything but X, `o`
/// anything but O (both on the board), `.` is empty, `#` the border, `?` anything at all.
/// The last letter says who profits: `*` either side, `X` or `O` only that colour.
const SHAPES: [([&[u8; 3]; 3], u8); 13] = [
    // Hane around, hane that does not cut, bend, and attachment from the shoulder.
    ([b"XOX", b"...", b"???"], b'*'),
    ([b"XO.", b"...", b"?.?"], b'*'),
    ([b"XO?", b"X..", b"x.?"], b'*'),
    ([b".O.", b"X..", b"..."], b'*'),
    // Cuts: unprotected, peeped at, pushed through, and the keima's.
    ([b"XO?", b"O.o", b"?o?"], b'*'),
    ([b"XO?", b"O.X", b"???"], b'*'),
    ([b"?X?", b"O.O", b"ooo"], b'*'),
    ([b"OX?", b"o.O", b"???"], b'*'),
    // At the side: hane, block, connection below, descent, cut.
    ([b"X.?", b"O.?", b"###"], b'*'),
    ([b"OX?", b"X.O", b"###"], b'*'),
    ([b"?X?", b"x.O", b"###"], b'*'),
    ([b"?XO", b"x.x", b"###"], b'O'),
    ([b"?OX", b"X.O", b"###"], b'X'),
];

/// Codes of cells, as in [`Neighbourhood`].
const EMPTY: u8 = 0;
const BLACK: u8 = 1;
const WHITE: u8 = 2;
const BORDER: u8 = 3;

/// Cells of a 3x3 block but for its middle, by row and column, in the order of [`Neighbourhood`]: up, right, down, left, then
/// up right, down right, down left, up left.
const CELLS: [(usize, usize); 8] = [(0, 1), (1, 2), (2, 1), (1, 0), (0, 2), (2, 2), (2, 0), (0, 0)];

/// One bit for every colour to move and neighbourhood.
pub(crate) struct ShapeTable {
    bits: [Vec<u64>; 2],
}

impl ShapeTable {
    /// The table, made at first use.
    pub(crate) fn shared_table() -> &'static ShapeTable {
        static TABLE: OnceLock<ShapeTable> = OnceLock::new();
        TABLE.get_or_init(ShapeTable::new)
    }

    fn new() -> ShapeTable {
        let mut shapes = ShapeTable { bits: [vec![0; 1024], vec![0; 1024]] };
        for (rows, who) in SHAPES {
            let block = rows.map(|row| *row);
            for turned in block_symmetries(block) {
                shapes.add_shape(&turned, who, [BLACK, WHITE]);
                shapes.add_shape(&turned, who, [WHITE, BLACK]);
            }
        }
        shapes
    }

    /// Adds all neighbourhoods that fit; `stones` are the colours of X and O.
    fn add_shape(&mut self, block: &[[u8; 3]; 3], who: u8, stones: [u8; 2]) {
        let wanted = CELLS.map(|(row, column)| block[row][column]);
        for code in 0..=u16::MAX {
            let fits = |i: usize| cell_fits(wanted[i], (code >> (2 * i) & 3) as u8, stones);
            if (0..8).all(fits) {
                for (index, color) in [BLACK, WHITE].into_iter().enumerate() {
                    if who == b'*' || (who == b'X') == (color == stones[0]) {
                        self.bits[index][code as usize / 64] |= 1 << (code % 64);
                    }
                }
            }
        }
    }

    /// Is a move of `color` in this neighbourhood one of the shapes?
    #[inline]
    pub(crate) fn has_shape(&self, color: Color, neighbourhood: Neighbourhood) -> bool {
        let code = neighbourhood.0 as usize;
        self.bits[color.index()][code / 64] >> (code % 64) & 1 != 0
    }
}

/// May this cell stand where the shape has this letter?
fn cell_fits(letter: u8, cell: u8, [x, o]: [u8; 2]) -> bool {
    match letter {
        b'X' => cell == x,
        b'O' => cell == o,
        b'x' => cell == EMPTY || cell == o,
        b'o' => cell == EMPTY || cell == x,
        b'.' => cell == EMPTY,
        b'#' => cell == BORDER,
        _ => true,
    }
}

/// The eight turned and mirrored blocks.
fn block_symmetries(block: [[u8; 3]; 3]) -> Vec<[[u8; 3]; 3]> {
    let turn = |b: [[u8; 3]; 3]| {
        let mut turned = b;
        for (row, cells) in turned.iter_mut().enumerate() {
            for (column, cell) in cells.iter_mut().enumerate() {
                *cell = b[2 - column][row];
            }
        }
        turned
    };
    let mirror = |b: [[u8; 3]; 3]| b.map(|[a, b, c]| [c, b, a]);
    let turns = std::iter::successors(Some(block), |&b| Some(turn(b))).take(4);
    turns.flat_map(|b| [b, mirror(b)]).collect()
}

#[cfg(test)]
mod tests {
    use ishi_go::{Board, BoardSize, Point};

    use super::*;

    fn answers(stones: &[(Color, &str)], vertex: &str) -> [bool; 2] {
        let size = BoardSize::square(9).unwrap();
        let stones = stones.iter().map(|&(color, vertex)| (color, size.parse_point(vertex).unwrap()));
        let board = Board::from_stones(size, stones).unwrap();
        let point: Point = size.parse_point(vertex).unwrap();
        Color::ALL.map(|color| ShapeTable::shared_table().has_shape(color, board.neighbourhood(point)))
    }

    #[test]
    fn known_shapes_are_found() {
        use Color::{Black, White};
        assert_eq!(answers(&[(Black, "D5"), (White, "E5")], "E4"), [true; 2], "hane");
        assert_eq!(answers(&[(Black, "D5"), (White, "E5"), (White, "D4")], "E4"), [true; 2], "cut");
        assert_eq!(answers(&[(Black, "D2"), (White, "D1")], "E1"), [true; 2], "hane at the side");
        assert_eq!(answers(&[(Black, "D5")], "E5"), [false; 2], "a lone stone is no shape");
        assert_eq!(answers(&[], "E5"), [false; 2]);
    }

    /// Who profits is told where only one side does.
    #[test]
    fn a_descent_at_the_side_is_for_one_colour() {
        use Color::{Black, White};
        assert_eq!(answers(&[(Black, "E2"), (White, "F2")], "E1"), [false, true]);
        assert_eq!(answers(&[(White, "E2"), (Black, "F2")], "E1"), [true, false]);
    }

    #[test]
    fn shapes_know_no_direction_and_no_colour() {
        let shapes = ShapeTable::shared_table();
        let turned = |code: u16| {
            let (sides, corners) = (code & 0xff, code >> 8);
            (sides << 2 & 0xff | sides >> 6) | (corners << 2 & 0xff | corners >> 6) << 8
        };
        let exchanged = |code: u16| {
            (0..8).fold(0, |sum, i| {
                sum | [EMPTY, WHITE, BLACK, BORDER].map(u16::from)[(code >> (2 * i) & 3) as usize] << (2 * i)
            })
        };
        let mut found = 0;
        for code in 0..=u16::MAX {
            let black = shapes.has_shape(Color::Black, Neighbourhood(code));
            assert_eq!(black, shapes.has_shape(Color::Black, Neighbourhood(turned(code))));
            assert_eq!(black, shapes.has_shape(Color::White, Neighbourhood(exchanged(code))));
            found += u32::from(black);
        }
        assert!(found > 1000, "{found}");
    }
}
