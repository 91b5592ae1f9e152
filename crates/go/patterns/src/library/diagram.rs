//! Diagrams: three 64-bit boards in a frame of up to 8x8 points.

use std::fmt;

use serde::{Serialize, Serializer};

/// Points of a frame's longest side.
pub const SIDE: usize = 8;

/// A point of a frame: eight times its row from the bottom plus its column, both from 0. Written as A1 to H8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DiagramSquare(u8);

impl DiagramSquare {
    /// The point of a column and a row, both 0 to 7; the higher bits are dropped.
    pub const fn new(column: usize, row: usize) -> DiagramSquare {
        DiagramSquare(((row & 7) << 3 | (column & 7)) as u8)
    }

    /// The point of a number below 64; the higher bits are dropped.
    pub const fn from_index(index: usize) -> DiagramSquare {
        DiagramSquare((index & 63) as u8)
    }

    /// Its number, 0 to 63.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// From the left, 0 to 7.
    pub const fn column(self) -> usize {
        self.0 as usize & 7
    }

    /// From the bottom, 0 to 7.
    pub const fn row(self) -> usize {
        self.0 as usize >> 3
    }

    /// Its bit in the boards.
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Reads `C4`.
    pub fn parse(text: &str) -> Option<DiagramSquare> {
        let &[column, row] = text.as_bytes() else { return None };
        let (column, row) = (column.to_ascii_uppercase().wrapping_sub(b'A'), row.wrapping_sub(b'1'));
        (column < 8 && row < 8).then(|| DiagramSquare::new(column.into(), row.into()))
    }
}

impl fmt::Display for DiagramSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", (b'A' + self.column() as u8) as char, self.row() + 1))
    }
}

/// As its text, `C4`.
impl Serialize for DiagramSquare {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The edges of the board that a frame lies against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DiagramEdges(u8);

impl DiagramEdges {
    /// None: the frame floats.
    pub const NONE: DiagramEdges = DiagramEdges(0);
    /// Its lowest row is on the first line.
    pub const BOTTOM: DiagramEdges = DiagramEdges(1);
    /// Its left column is on the first line.
    pub const LEFT: DiagramEdges = DiagramEdges(2);
    /// Its top row is on the last line.
    pub const TOP: DiagramEdges = DiagramEdges(4);
    /// Its right column is on the last line.
    pub const RIGHT: DiagramEdges = DiagramEdges(8);
    /// The lower left corner.
    pub const CORNER: DiagramEdges = DiagramEdges(3);

    /// These and those.
    pub const fn union(self, other: DiagramEdges) -> DiagramEdges {
        DiagramEdges(self.0 | other.0)
    }

    /// Are all of those among these?
    pub const fn contains_all(self, other: DiagramEdges) -> bool {
        self.0 & other.0 == other.0
    }

    /// Is this how patterns are written: floating, against the bottom, or in the lower left corner?
    pub const fn is_plain(self) -> bool {
        matches!(self, DiagramEdges::NONE | DiagramEdges::BOTTOM | DiagramEdges::CORNER)
    }

    /// As a number, 0 to 15: bottom, left, top, right.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The other way round; the higher bits are dropped.
    pub const fn from_bits(bits: u8) -> DiagramEdges {
        DiagramEdges(bits & 15)
    }
}

/// A symmetry of the square: perhaps mirror the columns (bit 0), perhaps the rows (bit 1), then perhaps swap both (bit 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DiagramTurn(u8);

impl DiagramTurn {
    /// Nothing changes.
    pub const NONE: DiagramTurn = DiagramTurn(0);

    /// All eight, the one that changes nothing first.
    pub const ALL: [DiagramTurn; 8] = [
        DiagramTurn(0),
        DiagramTurn(1),
        DiagramTurn(2),
        DiagramTurn(3),
        DiagramTurn(4),
        DiagramTurn(5),
        DiagramTurn(6),
        DiagramTurn(7),
    ];

    const fn mirrors_columns(self) -> bool {
        self.0 & 1 != 0
    }

    const fn mirrors_rows(self) -> bool {
        self.0 & 2 != 0
    }

    const fn swaps_axes(self) -> bool {
        self.0 & 4 != 0
    }

    /// The image of a board whose frame has this width and height.
    pub fn map_board(self, mut bits: u64, width: usize, height: usize) -> u64 {
        if self.mirrors_columns() {
            bits = mirror_columns(bits) >> (SIDE - width);
        }
        if self.mirrors_rows() {
            bits = bits.swap_bytes() >> (8 * (SIDE - height));
        }
        if self.swaps_axes() { swap_axes(bits) } else { bits }
    }

    /// The image of a point.
    pub fn map_square(self, square: DiagramSquare, width: usize, height: usize) -> DiagramSquare {
        DiagramSquare::from_index(self.map_board(square.bit(), width, height).trailing_zeros() as usize)
    }

    /// Which edges the image lies against.
    pub fn map_edges(self, edges: DiagramEdges) -> DiagramEdges {
        let mut bits = edges.0;
        if self.mirrors_columns() {
            bits = bits & 5 | (bits & 2) << 2 | (bits & 8) >> 2;
        }
        if self.mirrors_rows() {
            bits = bits & 10 | (bits & 1) << 2 | (bits & 4) >> 2;
        }
        if self.swaps_axes() {
            bits = (bits & 5) << 1 | (bits & 10) >> 1;
        }
        DiagramEdges(bits)
    }

    /// Width and height of the image.
    pub const fn map_frame(self, width: usize, height: usize) -> (usize, usize) {
        if self.swaps_axes() { (height, width) } else { (width, height) }
    }
}

/// The columns in reverse: bits in reverse within each byte.
fn mirror_columns(bits: u64) -> u64 {
    bits.reverse_bits().swap_bytes()
}

/// Columns and rows swapped (H. S. Warren, "Hacker's Delight", 7-3).
fn swap_axes(mut x: u64) -> u64 {
    let mut t = (x ^ (x >> 7)) & 0x00aa_00aa_00aa_00aa;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000_cccc_0000_cccc;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x0000_0000_f0f0_f0f0;
    x ^ t ^ (t << 28)
}

/// What must stand where: a point may be what the boards say that have its bit. In none of them: it may be anything, even beyond the
/// edge; in two: either of both; in all three: anything on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PatternDiagram {
    /// The edges it lies against.
    pub edges: DiagramEdges,
    /// Columns, 1 to 8.
    pub width: usize,
    /// Rows, 1 to 8.
    pub height: usize,
    /// Points that may be black.
    pub black: u64,
    /// Points that may be white.
    pub white: u64,
    /// Points that may be empty.
    pub empty: u64,
}

impl PatternDiagram {
    /// All points of the frame.
    pub fn frame_points(&self) -> u64 {
        frame_mask(self.width, self.height)
    }

    /// Points that are asked about.
    pub fn asked_points(&self) -> u64 {
        self.black | self.white | self.empty
    }

    /// Points where nothing but a stone may be.
    pub fn stone_points(&self) -> u64 {
        (self.black | self.white) & !self.empty
    }

    /// Points that must be empty.
    pub fn vacant_points(&self) -> u64 {
        self.empty & !self.black & !self.white
    }

    /// The first of the stones that are joined to the one on this point, as far as the diagram shows them.
    pub(super) fn first_of_chain(&self, at: DiagramSquare) -> DiagramSquare {
        const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
        let black = self.black & !self.white & !self.empty;
        let white = self.white & !self.black & !self.empty;
        let color = [black, white].into_iter().find(|color| color & at.bit() != 0).unwrap_or(0);
        let mut chain = at.bit();
        loop {
            let right = (chain << 1) & !FIRST_COLUMN;
            let left = (chain & !FIRST_COLUMN) >> 1;
            let grown = chain | (right | left | chain << 8 | chain >> 8) & color;
            if grown == chain {
                return DiagramSquare::from_index(chain.trailing_zeros() as usize);
            }
            chain = grown;
        }
    }

    /// The image under a symmetry.
    pub fn turned_by(&self, turn: DiagramTurn) -> PatternDiagram {
        let board = |bits| turn.map_board(bits, self.width, self.height);
        let (width, height) = turn.map_frame(self.width, self.height);
        PatternDiagram {
            edges: turn.map_edges(self.edges),
            width,
            height,
            black: board(self.black),
            white: board(self.white),
            empty: board(self.empty),
        }
    }

    /// The colours exchanged.
    pub fn with_colors_exchanged(&self) -> PatternDiagram {
        PatternDiagram { black: self.white, white: self.black, ..*self }
    }

    /// Does a board's window look so? The window has one bit of the three boards for every point on the board, none beyond.
    #[inline]
    pub fn fits_window(&self, black: u64, white: u64, empty: u64) -> bool {
        let good = self.black & black | self.white & white | self.empty & empty;
        self.asked_points() & !good == 0
    }
}

/// The points of a frame.
pub(super) fn frame_mask(width: usize, height: usize) -> u64 {
    let row = (1u64 << width) - 1;
    (0..height).fold(0, |bits, y| bits | row << (8 * y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_move_boards_squares_and_edges_alike() {
        for (width, height) in [(8, 8), (3, 5), (1, 4), (7, 7)] {
            let all = frame_mask(width, height);
            for turn in DiagramTurn::ALL {
                let (w, h) = turn.map_frame(width, height);
                assert_eq!(turn.map_board(all, width, height), frame_mask(w, h));
                let images: u64 = (0..64)
                    .map(DiagramSquare::from_index)
                    .filter(|square| all & square.bit() != 0)
                    .map(|square| turn.map_square(square, width, height).bit())
                    .fold(0, |bits, bit| bits | bit);
                assert_eq!(images, frame_mask(w, h), "every point has its own image");
            }
        }
        // The lower left corner of the frame stays in the corner that the edges name.
        for turn in DiagramTurn::ALL {
            let corner = turn.map_square(DiagramSquare::new(0, 0), 5, 3);
            let edges = turn.map_edges(DiagramEdges::CORNER);
            let (w, h) = turn.map_frame(5, 3);
            assert_eq!(corner.column() == 0, edges.contains_all(DiagramEdges::LEFT), "{turn:?}");
            assert_eq!(corner.column() == w - 1, edges.contains_all(DiagramEdges::RIGHT));
            assert_eq!(corner.row() == 0, edges.contains_all(DiagramEdges::BOTTOM));
            assert_eq!(corner.row() == h - 1, edges.contains_all(DiagramEdges::TOP));
        }
        let mirrored: Vec<DiagramSquare> =
            DiagramTurn::ALL.iter().map(|t| t.map_square(DiagramSquare::new(1, 0), 3, 2)).collect();
        assert_eq!(mirrored[0], mirrored[1], "the middle column stays");
        assert_eq!(mirrored[4], DiagramSquare::new(0, 1));
    }

    #[test]
    fn squares_have_names() {
        assert_eq!(DiagramSquare::parse("c4"), Some(DiagramSquare::new(2, 3)));
        for index in 0..64 {
            let square = DiagramSquare::from_index(index);
            assert_eq!(DiagramSquare::parse(&square.to_string()), Some(square));
        }
        for wrong in ["", "I1", "A9", "A0", "A10", "é"] {
            assert_eq!(DiagramSquare::parse(wrong), None, "{wrong}");
        }
    }
}
