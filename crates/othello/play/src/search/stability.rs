//! Discs that can never be turned, as far as they are easily seen: they bound the final score.

use std::sync::OnceLock;

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = 0x8080_8080_8080_8080;
const ROW_1: u64 = 0x0000_0000_0000_00ff;

/// Stable discs of the one side on an edge, by the contents of the edge: its discs, and 256 times those of the other side.
pub(super) type StableEdges = [u8; 65536];

/// The table of edges, made when it is first asked for.
pub(super) fn stable_edge_table() -> &'static StableEdges {
    static EDGES: OnceLock<Box<StableEdges>> = OnceLock::new();
    EDGES.get_or_init(|| {
        let mut table = vec![0u8; 65536];
        let mut done = vec![false; 65536];
        for own in 0..256u32 {
            for other in (0..256).filter(|other| other & own == 0) {
                stable_on_edge(own, other, &mut table, &mut done);
            }
        }
        table.try_into().expect("it has 65536 entries")
    })
}

/// A disc of `own` is stable on an edge if it stays, whoever plays wherever on the edge.
fn stable_on_edge(own: u32, other: u32, table: &mut [u8], done: &mut [bool]) -> u8 {
    let place = (own + 256 * other) as usize;
    if done[place] {
        return table[place];
    }
    let mut stable = own;
    for square in (0..8).filter(|square| (own | other) & 1 << square == 0) {
        let turned = edge_flips(own, other, square);
        stable &= u32::from(stable_on_edge(own | 1 << square | turned, other & !turned, table, done));
        let turned = edge_flips(other, own, square);
        stable &= u32::from(stable_on_edge(own & !turned, other | 1 << square | turned, table, done));
    }
    done[place] = true;
    table[place] = stable as u8;
    stable as u8
}

/// What a disc of `own` on this square of an edge would turn on it.
fn edge_flips(own: u32, other: u32, square: u32) -> u32 {
    let walk = |step: i32| {
        let (mut turned, mut place) = (0, square as i32 + step);
        while (0..8).contains(&place) && other & 1 << place != 0 {
            turned |= 1 << place;
            place += step;
        }
        if (0..8).contains(&place) && own & 1 << place != 0 { turned } else { 0 }
    };
    walk(1) | walk(-1)
}

/// The a-file as a row, and back.
fn file_to_row(bits: u64) -> u64 {
    (bits & FILE_A).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

fn row_to_file(row: u64) -> u64 {
    // A copy of the row in every row, bit i of row i, moved to the a-file: a bit that is set carries into bit 7.
    let diagonal = row.wrapping_mul(FILE_A) & 0x8040_2010_0804_0201;
    (diagonal & !FILE_H).wrapping_add(!FILE_H) >> 7 & FILE_A | diagonal >> 7 & FILE_A
}

/// Stable discs of `own` on the four edges.
fn stable_edges(table: &StableEdges, own: u64, other: u64) -> u64 {
    let look = |own: u64, other: u64| u64::from(table[(own | other << 8) as usize & 0xffff]);
    let top = look(own & ROW_1, other & ROW_1);
    let bottom = look(own >> 56, other >> 56) << 56;
    let left = row_to_file(look(file_to_row(own), file_to_row(other)));
    let right = row_to_file(look(file_to_row(own >> 7), file_to_row(other >> 7))) << 7;
    top | bottom | left | right
}

/// The squares whose row, file and diagonals have no empty square, in this order: rows, files, the two diagonals.
#[inline(always)]
fn full_lines(discs: u64) -> [u64; 4] {
    let mut rows = discs & discs >> 1;
    rows &= rows >> 2;
    rows &= rows >> 4;
    let rows = (rows & FILE_A).wrapping_mul(0xff);
    let mut files = discs & discs.rotate_right(8);
    files &= files.rotate_right(16);
    files &= files.rotate_right(32);
    // Along a diagonal, what lies beyond the board counts as full.
    let diagonal = |shift: u32, edge_up: [u64; 3], edge_down: [u64; 3]| {
        let (mut up, mut down) = (discs, discs);
        for (i, (edge_up, edge_down)) in edge_up.into_iter().zip(edge_down).enumerate() {
            up &= edge_up | up >> (shift << i);
            down &= edge_down | down << (shift << i);
        }
        up & down
    };
    let down_right = diagonal(9, squares_leading_off(1, 1), squares_leading_off(-1, -1));
    let down_left = diagonal(7, squares_leading_off(-1, 1), squares_leading_off(1, -1));
    [rows, files, down_right, down_left]
}

/// The squares from which 1, 2 and 4 steps lead off the board.
const fn squares_leading_off(column_step: i32, row_step: i32) -> [u64; 3] {
    let mut masks = [0; 3];
    let mut i = 0;
    while i < 3 {
        let mut square = 0;
        while square < 64 {
            let (column, row) = (square % 8 + (column_step << i), square / 8 + (row_step << i));
            if column < 0 || column > 7 || row < 0 || row > 7 {
                masks[i] |= 1 << square;
            }
            square += 1;
        }
        i += 1;
    }
    masks
}

/// Stable discs of `own`: on edges, on full lines, and those that lean on stable ones in all four lines.
pub(super) fn stable_discs(edges: &StableEdges, own: u64, other: u64) -> u64 {
    const INSIDE: u64 = 0x007e_7e7e_7e7e_7e00;
    let [rows, files, down_right, down_left] = full_lines(own | other);
    let mut stable = stable_edges(edges, own, other) | own & INSIDE & rows & files & down_right & down_left;
    if stable == 0 {
        return 0;
    }
    loop {
        let (inner_left, inner_right) = (stable & !FILE_A, stable & !FILE_H);
        let in_row = inner_left >> 1 | inner_right << 1 | rows;
        let in_file = stable >> 8 | stable << 8 | files;
        let in_down_right = inner_left >> 9 | inner_right << 9 | down_right;
        let in_down_left = inner_right >> 7 | inner_left << 7 | down_left;
        let grown = stable | own & INSIDE & in_row & in_file & in_down_right & in_down_left;
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}
