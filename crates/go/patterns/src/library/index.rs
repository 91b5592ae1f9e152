//! Finding what matches.
//!
//! Every pattern is turned into its variants: eight symmetries, two colours, those that are the same left out. A variant is looked for
//! around the point of its first move. The points near that move which it determines (one of black, white, empty, beyond the edge)
//! are the key of a hash table; of those few that have the key of a place, the boards are compared, 64 points at once, and then the
//! claims about chains.
//!
//! Variants differ in which points they determine, so there is a table for each of a few sets of points ([`KEYS`]); a variant stands in the
//! first whose points it determines. Tables are kept apart by reach: how far from its first move a variant looks. So a place has
//! to be looked at again only for variants that reach what has changed ([`super::PatternMatcher`]).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, LazyLock};

use ishi_go::{Board, BoardSize, Color, Point};

use super::collection::PatternLibrary;
use super::diagram::{DiagramEdges, DiagramSquare, DiagramTurn, PatternDiagram};
use super::pattern::{ChainAttribute, FateOracle, GroupFate, Pattern, PatternBranch};
use super::purpose::MovePurpose;

/// A board as rows of bits, for windows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BoardRows {
    size: BoardSize,
    pub(super) black: [u32; BoardSize::MAX],
    pub(super) white: [u32; BoardSize::MAX],
}

impl BoardRows {
    pub(super) fn from_board(board: &Board) -> BoardRows {
        let size = board.size();
        let mut rows = BoardRows { size, black: [0; BoardSize::MAX], white: [0; BoardSize::MAX] };
        for point in size.points() {
            match board.color(point) {
                Some(Color::Black) => rows.black[point.row()] |= 1 << point.column(),
                Some(Color::White) => rows.white[point.row()] |= 1 << point.column(),
                None => {}
            }
        }
        rows
    }

    pub(super) fn size(&self) -> BoardSize {
        self.size
    }

    /// Is the point on the board and empty?
    pub(super) fn is_empty(&self, point: Point) -> bool {
        (self.black[point.row()] | self.white[point.row()]) >> point.column() & 1 == 0
    }

    /// The 8x8 points from a lower left one on, which may lie outside: black, white, empty; no bit beyond the edges.
    #[inline]
    pub(super) fn window_at(&self, left: i32, bottom: i32, height: usize) -> [u64; 3] {
        let whole = (1u32 << self.size.width()) - 1;
        let shift = |row: u32| u64::from(if left >= 0 { row >> left } else { row << -left } & 0xff);
        let (mut black, mut white, mut empty) = (0, 0, 0);
        for y in 0..height {
            let row = bottom + y as i32;
            if (0..self.size.height() as i32).contains(&row) {
                let (b, w) = (self.black[row as usize], self.white[row as usize]);
                black |= shift(b) << (8 * y);
                white |= shift(w) << (8 * y);
                empty |= shift(whole & !b & !w) << (8 * y);
            }
        }
        [black, white, empty]
    }
}

/// Sets of points in the 5x5 points around a move (bits as in a frame, the move at C3), the largest first.
const KEYS: [u64; 13] = [
    grid_mask(["01110", "11111", "11011", "11111", "01110"]),
    grid_mask(["00100", "01110", "11011", "01110", "00100"]),
    grid_mask(["00000", "01110", "01010", "01110", "00000"]),
    grid_mask(["00000", "01110", "01010", "00000", "00000"]),
    grid_mask(["00000", "00000", "01010", "01110", "00000"]),
    grid_mask(["00000", "01100", "01000", "01100", "00000"]),
    grid_mask(["00000", "00110", "00010", "00110", "00000"]),
    grid_mask(["00000", "00100", "01010", "00100", "00000"]),
    grid_mask(["00000", "01100", "01000", "00000", "00000"]),
    grid_mask(["00000", "00110", "00010", "00000", "00000"]),
    grid_mask(["00000", "00000", "01000", "01100", "00000"]),
    grid_mask(["00000", "00000", "00010", "00110", "00000"]),
    0,
];

const fn grid_mask(rows: [&str; 5]) -> u64 {
    let (mut bits, mut row) = (0, 0);
    while row < 5 {
        let mut column = 0;
        while column < 5 {
            if rows[row].as_bytes()[column] == b'1' {
                bits |= 1 << ((4 - row) * 8 + column);
            }
            column += 1;
        }
        row += 1;
    }
    bits
}

/// Keys are mixed already.
#[derive(Clone, Debug, Default)]
pub(super) struct MixedKeyHasher(u64);

impl Hasher for MixedKeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = mix_bits(self.0 ^ u64::from(byte)));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// The finalizer of SplitMix64 (G. L. Steele et al., 2014).
pub(super) const fn mix_bits(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn window_key([black, white, empty]: [u64; 3], mask: u64) -> u64 {
    mix_bits(mix_bits(mix_bits(black & mask).wrapping_add(white & mask)).wrapping_add(empty & mask))
}

/// The variants of a tier that have the key of a place.
fn candidate_variants<'t>(
    rows: &BoardRows,
    point: Point,
    tier: &'t ReachTier,
) -> impl Iterator<Item = u32> + 't {
    let around = rows.window_at(point.column() as i32 - 2, point.row() as i32 - 2, 5);
    let found = tier.tables.iter().filter_map(move |(mask, table)| table.get(&window_key(around, *mask)));
    found.flatten().copied()
}

type VariantTable = HashMap<u64, Vec<u32>, BuildHasherDefault<MixedKeyHasher>>;

/// Variants of one reach.
#[derive(Clone, Debug)]
pub(super) struct ReachTier {
    /// The farthest point that is asked about lies so many lines from the move.
    pub(super) reach: usize,
    /// Do they claim liberties?
    pub(super) claims: bool,
    tables: Vec<(u64, VariantTable)>,
}

/// A pattern as it may lie on a board.
#[derive(Clone, Debug)]
struct PatternVariant {
    pattern: u32,
    turn: DiagramTurn,
    exchanged: bool,
    diagram: PatternDiagram,
    anchor: DiagramSquare,
    attributes: Vec<ChainAttribute>,
}

impl PatternVariant {
    fn from_pattern(pattern: &Pattern, number: usize, turn: DiagramTurn, exchanged: bool) -> PatternVariant {
        let PatternDiagram { width, height, .. } = pattern.diagram;
        let turned = pattern.diagram.turned_by(turn);
        let image = |square| turn.map_square(square, width, height);
        let attribute =
            |&ChainAttribute { at, claim }: &ChainAttribute| ChainAttribute { at: image(at), claim };
        let mut attributes: Vec<ChainAttribute> = pattern.attributes.iter().map(attribute).collect();
        attributes.sort_unstable();
        PatternVariant {
            pattern: number as u32,
            turn,
            exchanged,
            diagram: if exchanged { turned.with_colors_exchanged() } else { turned },
            anchor: image(pattern.first_square()),
            attributes,
        }
    }

    /// The points around the move that it determines: their boards, and their set.
    fn determined_points(&self) -> ([u64; 3], u64) {
        let PatternDiagram { edges, width, height, black, white, empty } = self.diagram;
        let (mut boards, mut set) = ([0; 3], 0);
        for number in 0..25 {
            let (x, y) = (number % 5, number / 5);
            let (column, row) =
                (self.anchor.column() as i32 + x as i32 - 2, self.anchor.row() as i32 + y as i32 - 2);
            let bit = DiagramSquare::new(x, y).bit();
            let beyond = column < 0 && edges.contains_all(DiagramEdges::LEFT)
                || row < 0 && edges.contains_all(DiagramEdges::BOTTOM)
                || column >= width as i32 && edges.contains_all(DiagramEdges::RIGHT)
                || row >= height as i32 && edges.contains_all(DiagramEdges::TOP);
            if beyond {
                set |= bit;
            } else if (0..8).contains(&column) && (0..8).contains(&row) {
                let square = DiagramSquare::new(column as usize, row as usize).bit();
                let may = [black, white, empty].map(|board| board & square != 0);
                if may.iter().filter(|&&may| may).count() == 1 {
                    set |= bit;
                    (0..3).filter(|&n| may[n]).for_each(|n| boards[n] |= bit);
                }
            }
        }
        (boards, set)
    }

    fn largest_reach(&self) -> usize {
        let asked = self.diagram.asked_points();
        let far = |square: DiagramSquare| {
            let across = square.column().abs_diff(self.anchor.column());
            across.max(square.row().abs_diff(self.anchor.row()))
        };
        (0..64).map(DiagramSquare::from_index).filter(|s| asked & s.bit() != 0).map(far).max().unwrap_or(0)
    }

    fn claims_liberties(&self) -> bool {
        self.attributes.iter().any(|attribute| attribute.claim.agrees_with_liberties(0).is_some())
    }

    /// The lower left corner of its frame, if its move is at a point and it lies against its edges.
    fn frame_corner(&self, at: Point, size: BoardSize) -> Option<(i32, i32)> {
        let PatternDiagram { edges, width, height, .. } = self.diagram;
        let left = at.column() as i32 - self.anchor.column() as i32;
        let bottom = at.row() as i32 - self.anchor.row() as i32;
        let fits = (!edges.contains_all(DiagramEdges::LEFT) || left == 0)
            && (!edges.contains_all(DiagramEdges::BOTTOM) || bottom == 0)
            && (!edges.contains_all(DiagramEdges::RIGHT) || left + width as i32 == size.width() as i32)
            && (!edges.contains_all(DiagramEdges::TOP) || bottom + height as i32 == size.height() as i32);
        fits.then_some((left, bottom))
    }
}

/// A pattern found on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PatternMatch {
    /// Where its first move is.
    pub at: Point,
    /// Its number in [`PatternLibrary::patterns`].
    pub pattern: usize,
    /// How it lies.
    pub turn: DiagramTurn,
    /// Are its colours exchanged?
    pub exchanged: bool,
    left: i8,
    bottom: i8,
    variant: u32,
}

/// A move that a match suggests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SuggestedMove<'a> {
    /// Who moves.
    pub color: Color,
    /// Where.
    pub at: Point,
    /// The move in the pattern's tree.
    pub branch: &'a PatternBranch,
}

impl PatternMatch {
    /// The point of the board that a point of the pattern lies on; `None` beyond the edge.
    pub fn board_point(&self, pattern: &Pattern, square: DiagramSquare, size: BoardSize) -> Option<Point> {
        let square = self.turn.map_square(square, pattern.diagram.width, pattern.diagram.height);
        let column = usize::try_from(i32::from(self.left) + square.column() as i32).ok()?;
        let row = usize::try_from(i32::from(self.bottom) + square.row() as i32).ok()?;
        (column < size.width() && row < size.height()).then(|| Point::new(column, row))
    }

    /// A colour of the pattern as it is on the board.
    pub fn board_color(&self, color: Color) -> Color {
        if self.exchanged { !color } else { color }
    }

    /// Branches of the pattern as moves on the board.
    pub fn suggested_moves<'a>(
        &self,
        pattern: &'a Pattern,
        branches: &'a [PatternBranch],
        size: BoardSize,
    ) -> impl Iterator<Item = SuggestedMove<'a>> {
        let matched = *self;
        branches.iter().filter_map(move |branch| {
            let at = matched.board_point(pattern, branch.at, size)?;
            Some(SuggestedMove { color: matched.board_color(branch.color), at, branch })
        })
    }
}

/// A library made ready to be matched.
///
/// ```
/// use ishi_go::{BoardSize, Board, Color, Move};
/// use ishi_patterns::library::{PatternIndex, NoFates, text};
/// let library = text::parse_library("ishi-shapes 1\npattern hane\n: X O\n: . .\nB B1 0 0 normal\n").unwrap();
/// let index = PatternIndex::new(library);
/// let size = BoardSize::square(9).unwrap();
/// let mut board = Board::new(size);
/// board.play_unchecked(Color::White, Move::Play(size.parse_point("E5").unwrap()));
/// board.play_unchecked(Color::Black, Move::Play(size.parse_point("F5").unwrap()));
/// let found = index.find_matches(&board, &NoFates);
/// assert_eq!(found.len(), 4, "either side, above and below");
/// ```
#[derive(Clone, Debug)]
pub struct PatternIndex {
    library: PatternLibrary,
    /// What each pattern is for.
    purposes: Vec<MovePurpose>,
    variants: Vec<PatternVariant>,
    tiers: Vec<ReachTier>,
}

fn shipped_index() -> &'static Arc<PatternIndex> {
    static SHIPPED: LazyLock<Arc<PatternIndex>> =
        LazyLock::new(|| Arc::new(PatternIndex::new(PatternLibrary::shipped())));
    &SHIPPED
}

impl PatternIndex {
    /// Makes a library ready.
    pub fn new(library: PatternLibrary) -> PatternIndex {
        let purposes = library.patterns().iter().map(Pattern::purpose).collect();
        let mut index = PatternIndex { variants: Vec::new(), tiers: Vec::new(), purposes, library };
        for (number, pattern) in index.library.patterns().iter().enumerate() {
            let first = index.variants.len();
            for exchanged in [false, true] {
                for turn in DiagramTurn::ALL {
                    let variant = PatternVariant::from_pattern(pattern, number, turn, exchanged);
                    // The same stones may have another first move: then it is another variant.
                    let same = |other: &PatternVariant| {
                        (other.diagram, other.anchor, &other.attributes, other.first_color(pattern))
                            == (
                                variant.diagram,
                                variant.anchor,
                                &variant.attributes,
                                variant.first_color(pattern),
                            )
                    };
                    if !index.variants[first..].iter().any(same) {
                        index.variants.push(variant);
                    }
                }
            }
        }
        for number in 0..index.variants.len() {
            index.enter_variant(number);
        }
        index
    }

    fn enter_variant(&mut self, number: usize) {
        let variant = &self.variants[number];
        let (reach, claims) = (variant.largest_reach(), variant.claims_liberties());
        let (boards, set) = variant.determined_points();
        let mask = KEYS.into_iter().find(|mask| mask & !set == 0).unwrap_or(0);
        let place = self.tiers.iter().position(|tier| (tier.reach, tier.claims) == (reach, claims));
        let place = place.unwrap_or_else(|| {
            self.tiers.push(ReachTier { reach, claims, tables: Vec::new() });
            self.tiers.len() - 1
        });
        let tables = &mut self.tiers[place].tables;
        let table = tables.iter().position(|(other, _)| *other == mask).unwrap_or_else(|| {
            tables.push((mask, VariantTable::default()));
            tables.len() - 1
        });
        tables[table].1.entry(window_key(boards, mask)).or_default().push(number as u32);
    }

    /// The shipped library, made ready once.
    pub fn shipped() -> &'static PatternIndex {
        shipped_index()
    }

    /// The same for whoever keeps indices of several libraries. It is no copy.
    pub fn share_shipped() -> Arc<PatternIndex> {
        Arc::clone(shipped_index())
    }

    /// The patterns.
    pub fn library(&self) -> &PatternLibrary {
        &self.library
    }

    /// How many variants there are, all patterns together.
    pub fn variant_count(&self) -> usize {
        self.variants.len()
    }

    /// How many variants are compared with a board to find all that matches: those that the tables give for its empty points.
    pub fn count_compared(&self, board: &Board) -> usize {
        let rows = BoardRows::from_board(board);
        let points = board.size().points().filter(|&point| rows.is_empty(point));
        points
            .map(|point| {
                self.tiers.iter().map(|tier| candidate_variants(&rows, point, tier).count()).sum::<usize>()
            })
            .sum()
    }

    /// What the pattern of a match is for.
    pub fn purpose_of(&self, found: &PatternMatch) -> MovePurpose {
        self.purposes[found.pattern]
    }

    /// The pattern of a match.
    pub fn pattern_of(&self, found: &PatternMatch) -> &Pattern {
        &self.library.patterns()[found.pattern]
    }

    /// What matches with its first move at a point.
    pub fn find_matches_at(&self, board: &Board, at: Point, fates: &impl FateOracle) -> Vec<PatternMatch> {
        let rows = BoardRows::from_board(board);
        let mut found = Vec::new();
        if rows.is_empty(at) {
            for tier in &self.tiers {
                self.look_up_tier(board, &rows, at, tier, |matched| found.push(matched));
            }
        }
        found.retain(|matched| self.fates_agree(board, matched, fates));
        found.sort_unstable();
        found
    }

    /// All that matches on a board, for either side to move, in the order of points and patterns.
    pub fn find_matches(&self, board: &Board, fates: &impl FateOracle) -> Vec<PatternMatch> {
        let rows = BoardRows::from_board(board);
        let mut found = Vec::new();
        for point in board.size().points().filter(|&point| rows.is_empty(point)) {
            for tier in &self.tiers {
                self.look_up_tier(board, &rows, point, tier, |matched| found.push(matched));
            }
        }
        found.retain(|matched| self.fates_agree(board, matched, fates));
        found.sort_unstable();
        found
    }

    /// [`PatternIndex::find_matches`] without tables: every variant is tried at every point. Slow; what the tables are tested against.
    pub fn find_matches_one_by_one(&self, board: &Board, fates: &impl FateOracle) -> Vec<PatternMatch> {
        let rows = BoardRows::from_board(board);
        let mut found = Vec::new();
        for point in board.size().points() {
            for number in 0..self.variants.len() {
                found.extend(self.match_variant(board, &rows, point, number as u32));
            }
        }
        found.retain(|matched| self.fates_agree(board, matched, fates));
        found.sort_unstable();
        found
    }

    pub(super) fn tiers(&self) -> &[ReachTier] {
        &self.tiers
    }

    /// Tells what of a tier has its move at an empty point; fates are not asked.
    pub(super) fn look_up_tier(
        &self,
        board: &Board,
        rows: &BoardRows,
        point: Point,
        tier: &ReachTier,
        mut tell: impl FnMut(PatternMatch),
    ) {
        for number in candidate_variants(rows, point, tier) {
            if let Some(matched) = self.match_variant(board, rows, point, number) {
                tell(matched);
            }
        }
    }

    /// Does a variant match here? Fates are not asked.
    fn match_variant(&self, board: &Board, rows: &BoardRows, at: Point, number: u32) -> Option<PatternMatch> {
        let variant = &self.variants[number as usize];
        let (left, bottom) = variant.frame_corner(at, rows.size())?;
        let [black, white, empty] = rows.window_at(left, bottom, variant.diagram.height);
        if !variant.diagram.fits_window(black, white, empty) {
            return None;
        }
        for &ChainAttribute { at: square, claim } in &variant.attributes {
            let (column, row) = (left + square.column() as i32, bottom + square.row() as i32);
            let chain = board.chain(Point::new(column as usize, row as usize))?;
            if claim.agrees_with_liberties(board.chain_liberties(chain).len()) == Some(false) {
                return None;
            }
        }
        Some(PatternMatch {
            at,
            pattern: variant.pattern as usize,
            turn: variant.turn,
            exchanged: variant.exchanged,
            left: left as i8,
            bottom: bottom as i8,
            variant: number,
        })
    }

    /// Do the claims about fates hold?
    pub(super) fn fates_agree(&self, board: &Board, matched: &PatternMatch, fates: &impl FateOracle) -> bool {
        self.variants[matched.variant as usize].attributes.iter().all(|&ChainAttribute { at, claim }| {
            let wanted = match claim {
                super::ChainClaim::Alive => GroupFate::Alive,
                super::ChainClaim::Dead => GroupFate::Dead,
                _ => return true,
            };
            let column = i32::from(matched.left) + at.column() as i32;
            let row = i32::from(matched.bottom) + at.row() as i32;
            // A stone stands there, or it would not match.
            fates.group_fate(board, Point::new(column as usize, row as usize)) == Some(wanted)
        })
    }
}

impl PatternVariant {
    /// Whose the first move is on the board.
    fn first_color(&self, pattern: &Pattern) -> Color {
        let color = pattern.moves[0].color;
        if self.exchanged { !color } else { color }
    }
}
