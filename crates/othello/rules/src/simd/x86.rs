//! AVX2 and AVX-512.
//!
//! Rays are taken four at a time, a lane each. Upward (to higher squares) the end of a run of opponent's discs is the
//! lowest bit of "not opponent" on the ray; downward it is the highest, found by filling (AVX2) or by counting
//! leading zeros (AVX-512).

// Vector intrinsics are safe in functions that enable their instructions; calling such a function from outside is
// what needs `unsafe`, and each token proves that the machine has them.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{ExpandedMoves, Vectors, Words, expand_one_by_one};
use crate::square::Square;

/// All squares but those on the a- and h-file.
const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e_u64 as i64;

/// AVX2 and the bit instructions that came with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

/// AVX-512 with its bit and byte extensions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx2 {
    /// The token, if the machine has the instructions.
    pub(crate) fn detect() -> Option<Avx2> {
        super::Isa::available().contains(&super::Isa::Avx2).then_some(Avx2(()))
    }
}

impl Avx512 {
    /// The token, if the machine has the instructions.
    pub(crate) fn detect() -> Option<Avx512> {
        super::Isa::available().contains(&super::Isa::Avx512).then_some(Avx512(()))
    }
}

/// Combines both operands lane by lane, and stores the result where the first was. A macro, as a function would not be inlined everywhere.
macro_rules! combine_words {
    ($words:ident, $operand:ident, $lanes:literal, $load:ident, $combine:ident, $store:ident) => {
        for (words, operand) in
            $words.0.as_chunks_mut::<$lanes>().0.iter_mut().zip($operand.0.as_chunks::<$lanes>().0)
        {
            // SAFETY: to be used in methods of `Avx2` or `Avx512` alone, whose tokens exist only where the machine has these instructions.
            // The chunks have exactly the words that are read and written, and need not be aligned.
            unsafe {
                let result = $combine($load(words.as_ptr().cast()), $load(operand.as_ptr().cast()));
                $store(words.as_mut_ptr().cast(), result);
            }
        }
    };
}

impl Vectors for Avx2 {
    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,fma")]
        fn run_avx2<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        // SAFETY: the token exists only where the machine has these instructions.
        unsafe { run_avx2(work) }
    }

    #[inline(always)]
    fn legal_moves(self, player: u64, opponent: u64) -> u64 {
        // SAFETY: as above.
        unsafe { legal_moves_avx2(player, opponent) }
    }

    #[inline(always)]
    fn flipped_discs(self, player: u64, opponent: u64, square: Square) -> u64 {
        // SAFETY: as above.
        unsafe { flips_avx2(player, opponent, square) }
    }

    #[inline(always)]
    fn expand_moves(self, player: u64, opponent: u64, squares: u64) -> ExpandedMoves {
        expand_one_by_one(self, player, opponent, squares)
    }

    #[inline(always)]
    fn last_flips(self, player: u64, square: Square) -> [i32; 2] {
        // SAFETY: as above.
        unsafe { last_flips(player, square) }
    }

    #[inline(always)]
    fn add_words(self, words: &mut Words, more: &Words) {
        combine_words!(words, more, 16, _mm256_loadu_si256, _mm256_add_epi16, _mm256_storeu_si256);
    }

    #[inline(always)]
    fn subtract_words(self, words: &mut Words, less: &Words) {
        combine_words!(words, less, 16, _mm256_loadu_si256, _mm256_sub_epi16, _mm256_storeu_si256);
    }
}

impl Vectors for Avx512 {
    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        #[target_feature(
            enable = "avx2,bmi1,bmi2,lzcnt,popcnt,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,avx512bitalg"
        )]
        fn run_avx512<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        // SAFETY: the token exists only where the machine has these instructions.
        unsafe { run_avx512(work) }
    }

    #[inline(always)]
    fn legal_moves(self, player: u64, opponent: u64) -> u64 {
        // SAFETY: as above; AVX-512 comes with AVX2.
        unsafe { legal_moves_avx2(player, opponent) }
    }

    #[inline(always)]
    fn flipped_discs(self, player: u64, opponent: u64, square: Square) -> u64 {
        // SAFETY: as above.
        unsafe { flips_avx512(player, opponent, square) }
    }

    #[inline(always)]
    fn expand_moves(self, player: u64, opponent: u64, squares: u64) -> ExpandedMoves {
        // SAFETY: as above.
        unsafe { expand_avx512(player, opponent, squares) }
    }

    #[inline(always)]
    fn last_flips(self, player: u64, square: Square) -> [i32; 2] {
        // SAFETY: as above.
        unsafe { last_flips(player, square) }
    }

    #[inline(always)]
    fn add_words(self, words: &mut Words, more: &Words) {
        combine_words!(words, more, 32, _mm512_loadu_si512, _mm512_add_epi16, _mm512_storeu_si512);
    }

    #[inline(always)]
    fn subtract_words(self, words: &mut Words, less: &Words) {
        combine_words!(words, less, 32, _mm512_loadu_si512, _mm512_sub_epi16, _mm512_storeu_si512);
    }
}

/// The rays from a square, four upward (right, down-left, down, down-right on paper: shifts 1, 7, 8, 9) and the four
/// opposite ones.
#[repr(C, align(64))]
struct Rays {
    up: [u64; 4],
    down: [u64; 4],
}

/// Rays by square.
static RAYS: [Rays; 64] = build_rays();

const fn ray_bits(square: usize, column_step: i32, row_step: i32) -> u64 {
    let mut bits = 0;
    let (mut column, mut row) = (square as i32 % 8 + column_step, square as i32 / 8 + row_step);
    while column >= 0 && column < 8 && row >= 0 && row < 8 {
        bits |= 1 << (8 * row + column);
        column += column_step;
        row += row_step;
    }
    bits
}

const fn build_rays() -> [Rays; 64] {
    let mut rays = [const { Rays { up: [0; 4], down: [0; 4] } }; 64];
    let mut square = 0;
    while square < 64 {
        rays[square] = Rays {
            up: [
                ray_bits(square, 1, 0),
                ray_bits(square, -1, 1),
                ray_bits(square, 0, 1),
                ray_bits(square, 1, 1),
            ],
            down: [
                ray_bits(square, -1, 0),
                ray_bits(square, 1, -1),
                ray_bits(square, 0, -1),
                ray_bits(square, -1, -1),
            ],
        };
        square += 1;
    }
    rays
}

#[target_feature(enable = "avx2")]
#[inline]
fn load_lanes(words: &[u64; 4]) -> __m256i {
    let [a, b, c, d] = *words;
    _mm256_set_epi64x(d as i64, c as i64, b as i64, a as i64)
}

/// The union of four lanes.
#[target_feature(enable = "avx2")]
#[inline]
fn union_of_lanes(lanes: __m256i) -> u64 {
    let half = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))) as u64
}

/// Legal moves: runs of opponent's discs next to own ones, filled in eight directions, four lanes up and four down.
#[target_feature(enable = "avx2")]
#[inline]
fn legal_moves_avx2(player: u64, opponent: u64) -> u64 {
    let shift = _mm256_set_epi64x(9, 8, 7, 1);
    let double = _mm256_set_epi64x(18, 16, 14, 2);
    let own = _mm256_set1_epi64x(player as i64);
    let inner = _mm256_set_epi64x(INNER, -1, INNER, INNER);
    let other = _mm256_and_si256(_mm256_set1_epi64x(opponent as i64), inner);
    let mut up = _mm256_and_si256(other, _mm256_sllv_epi64(own, shift));
    let mut down = _mm256_and_si256(other, _mm256_srlv_epi64(own, shift));
    up = _mm256_or_si256(up, _mm256_and_si256(other, _mm256_sllv_epi64(up, shift)));
    down = _mm256_or_si256(down, _mm256_and_si256(other, _mm256_srlv_epi64(down, shift)));
    let pair_up = _mm256_and_si256(other, _mm256_sllv_epi64(other, shift));
    let pair_down = _mm256_srlv_epi64(pair_up, shift);
    for _ in 0..2 {
        up = _mm256_or_si256(up, _mm256_and_si256(pair_up, _mm256_sllv_epi64(up, double)));
        down = _mm256_or_si256(down, _mm256_and_si256(pair_down, _mm256_srlv_epi64(down, double)));
    }
    let ends = _mm256_or_si256(_mm256_sllv_epi64(up, shift), _mm256_srlv_epi64(down, shift));
    union_of_lanes(ends) & !(player | opponent)
}

#[target_feature(enable = "avx2")]
#[inline]
fn flips_up(own: __m256i, other: __m256i, rays: __m256i) -> __m256i {
    let stops = _mm256_andnot_si256(other, rays);
    let zero = _mm256_setzero_si256();
    let first = _mm256_and_si256(stops, _mm256_sub_epi64(zero, stops));
    let end = _mm256_and_si256(first, own);
    // The bits below the end; none where there is no end: 0 - 1 + 1.
    let none = _mm256_cmpeq_epi64(end, zero);
    let below = _mm256_sub_epi64(_mm256_add_epi64(end, _mm256_set1_epi64x(-1)), none);
    _mm256_and_si256(below, rays)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,fma")]
#[inline]
fn flips_avx2(player: u64, opponent: u64, square: Square) -> u64 {
    let rays = &RAYS[square.index()];
    let own = _mm256_set1_epi64x(player as i64);
    let other = _mm256_set1_epi64x(opponent as i64);
    let up = flips_up(own, other, load_lanes(&rays.up));
    // Downward: fill the run step by step, doubling.
    let shift = _mm256_set_epi64x(9, 8, 7, 1);
    let double = _mm256_set_epi64x(18, 16, 14, 2);
    let run = _mm256_and_si256(other, load_lanes(&rays.down));
    let disc = _mm256_set1_epi64x(square.bit() as i64);
    let mut down = _mm256_and_si256(run, _mm256_srlv_epi64(disc, shift));
    down = _mm256_or_si256(down, _mm256_and_si256(run, _mm256_srlv_epi64(down, shift)));
    let pair = _mm256_and_si256(run, _mm256_srlv_epi64(run, shift));
    down = _mm256_or_si256(down, _mm256_and_si256(pair, _mm256_srlv_epi64(down, double)));
    down = _mm256_or_si256(down, _mm256_and_si256(pair, _mm256_srlv_epi64(down, double)));
    let end = _mm256_and_si256(_mm256_srlv_epi64(down, shift), _mm256_and_si256(own, load_lanes(&rays.down)));
    let none = _mm256_cmpeq_epi64(end, _mm256_setzero_si256());
    union_of_lanes(_mm256_or_si256(up, _mm256_andnot_si256(none, down)))
}

#[target_feature(
    enable = "avx2,bmi1,bmi2,lzcnt,popcnt,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,avx512bitalg"
)]
#[inline]
fn flips_avx512(player: u64, opponent: u64, square: Square) -> u64 {
    let rays = &RAYS[square.index()];
    let own = _mm256_set1_epi64x(player as i64);
    let other = _mm256_set1_epi64x(opponent as i64);
    let down_rays = load_lanes(&rays.down);
    let up = flips_up(own, other, load_lanes(&rays.up));
    let stops = _mm256_andnot_si256(other, down_rays);
    let first = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(stops));
    let end = _mm256_and_si256(first, own);
    // The bits above the end: -2 * end has them set; none where there is no end.
    let above = _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_add_epi64(end, end));
    let lanes = _mm256_ternarylogic_epi64::<0xf8>(up, above, down_rays); // up | above & rays
    union_of_lanes(lanes)
}

/// Flips of eight moves, then moves of the opponent on the eight boards, a lane each.
#[target_feature(
    enable = "avx2,bmi1,bmi2,lzcnt,popcnt,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,avx512bitalg"
)]
#[inline]
fn expand_avx512(player: u64, opponent: u64, squares: u64) -> ExpandedMoves {
    let listed = _mm512_maskz_compress_epi8(squares, load_bytes(&ALL_SQUARES));
    let squares = _mm512_cvtepu8_epi64(_mm512_castsi512_si128(listed));
    let disc = _mm512_sllv_epi64(_mm512_set1_epi64(1), squares);
    let own = _mm512_set1_epi64(player as i64);
    let other = _mm512_set1_epi64(opponent as i64);
    let inner = _mm512_and_si512(other, _mm512_set1_epi64(INNER));
    let mut flips = _mm512_setzero_si512();
    /// One line, both directions.
    macro_rules! line {
        ($other:expr, $shift:literal, $double:literal) => {
            let pair_up = _mm512_and_si512($other, _mm512_slli_epi64::<$shift>($other));
            let pair_down = _mm512_srli_epi64::<$shift>(pair_up);
            let mut up = _mm512_and_si512($other, _mm512_slli_epi64::<$shift>(disc));
            let mut down = _mm512_and_si512($other, _mm512_srli_epi64::<$shift>(disc));
            // a | b & c
            up = _mm512_ternarylogic_epi64::<0xf8>(up, $other, _mm512_slli_epi64::<$shift>(up));
            down = _mm512_ternarylogic_epi64::<0xf8>(down, $other, _mm512_srli_epi64::<$shift>(down));
            up = _mm512_ternarylogic_epi64::<0xf8>(up, pair_up, _mm512_slli_epi64::<$double>(up));
            down = _mm512_ternarylogic_epi64::<0xf8>(down, pair_down, _mm512_srli_epi64::<$double>(down));
            up = _mm512_ternarylogic_epi64::<0xf8>(up, pair_up, _mm512_slli_epi64::<$double>(up));
            down = _mm512_ternarylogic_epi64::<0xf8>(down, pair_down, _mm512_srli_epi64::<$double>(down));
            let ends_up = _mm512_test_epi64_mask(_mm512_slli_epi64::<$shift>(up), own);
            let ends_down = _mm512_test_epi64_mask(_mm512_srli_epi64::<$shift>(down), own);
            flips = _mm512_mask_or_epi64(flips, ends_up, flips, up);
            flips = _mm512_mask_or_epi64(flips, ends_down, flips, down);
        };
    }
    line!(inner, 1, 2);
    line!(inner, 7, 14);
    line!(other, 8, 16);
    line!(inner, 9, 18);
    let own_after = _mm512_or_si512(_mm512_xor_si512(own, flips), disc);
    let other_after = _mm512_xor_si512(other, flips);
    ExpandedMoves {
        flips: store_lanes(flips),
        replies: store_lanes(legal_moves_avx512(other_after, own_after)),
    }
}

/// The numbers of the squares.
static ALL_SQUARES: [u8; 64] = {
    let mut squares = [0; 64];
    let mut square = 0;
    while square < 64 {
        squares[square] = square as u8;
        square += 1;
    }
    squares
};

#[target_feature(enable = "avx512f")]
#[inline]
fn load_bytes(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: the array has exactly the 64 bytes that are read, and unaligned loads are allowed.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn store_lanes(lanes: __m512i) -> [u64; 8] {
    let mut words = [0u64; 8];
    // SAFETY: the array has exactly the 64 bytes that are written, and unaligned stores are allowed.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), lanes) };
    words
}

/// Legal moves on eight boards.
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn legal_moves_avx512(own: __m512i, other: __m512i) -> __m512i {
    let inner = _mm512_and_si512(other, _mm512_set1_epi64(INNER));
    let mut moves = _mm512_setzero_si512();
    /// One line, both directions.
    macro_rules! line {
        ($other:expr, $shift:literal, $double:literal) => {
            let pair_up = _mm512_and_si512($other, _mm512_slli_epi64::<$shift>($other));
            let pair_down = _mm512_srli_epi64::<$shift>(pair_up);
            let mut up = _mm512_and_si512($other, _mm512_slli_epi64::<$shift>(own));
            let mut down = _mm512_and_si512($other, _mm512_srli_epi64::<$shift>(own));
            // a | b & c
            up = _mm512_ternarylogic_epi64::<0xf8>(up, $other, _mm512_slli_epi64::<$shift>(up));
            down = _mm512_ternarylogic_epi64::<0xf8>(down, $other, _mm512_srli_epi64::<$shift>(down));
            up = _mm512_ternarylogic_epi64::<0xf8>(up, pair_up, _mm512_slli_epi64::<$double>(up));
            down = _mm512_ternarylogic_epi64::<0xf8>(down, pair_down, _mm512_srli_epi64::<$double>(down));
            up = _mm512_ternarylogic_epi64::<0xf8>(up, pair_up, _mm512_slli_epi64::<$double>(up));
            down = _mm512_ternarylogic_epi64::<0xf8>(down, pair_down, _mm512_srli_epi64::<$double>(down));
            let (up, down) = (_mm512_slli_epi64::<$shift>(up), _mm512_srli_epi64::<$shift>(down));
            moves = _mm512_ternarylogic_epi64::<0xfe>(moves, up, down); // a | b | c
        };
    }
    line!(inner, 1, 2);
    line!(inner, 7, 14);
    line!(other, 8, 16);
    line!(inner, 9, 18);
    // a & !(b | c)
    _mm512_ternarylogic_epi64::<0x10>(moves, own, other)
}

/// The four lines through a square, as masks, with the first entry of [`LAST`] for the square's place on each.
struct SquareLines {
    masks: [u64; 4],
    rows: [u16; 4],
}

static LINES: [SquareLines; 64] = build_lines();

const fn build_lines() -> [SquareLines; 64] {
    let mut lines = [const { SquareLines { masks: [0; 4], rows: [0; 4] } }; 64];
    let rays = build_rays();
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            let below = rays[square].down[line];
            let mask = below | rays[square].up[line] | 1 << square;
            lines[square].masks[line] = mask;
            lines[square].rows[line] = first_entry(mask.count_ones(), below.count_ones()) as u16;
            line += 1;
        }
        square += 1;
    }
    lines
}

/// Where [`LAST`] begins for a place on a line of so many squares, of which it has `2.pow(length)` entries.
const fn first_entry(length: u32, place: u32) -> usize {
    let mut before = (place as usize) << length;
    let mut shorter = 1;
    while shorter < length {
        before += (shorter as usize) << shorter;
        shorter += 1;
    }
    before
}

/// Entries of [`LAST`], rounded up to a power of two.
const LAST_ENTRIES: usize = 4096;

/// Twice the discs turned on a line by a disc at the only empty place, by length, place, and the discs of one side on the
/// line: those that this side would turn, and 256 times those that the other side would.
static LAST: [u16; LAST_ENTRIES] = build_last_flips();

const fn build_last_flips() -> [u16; LAST_ENTRIES] {
    let mut table = [0; LAST_ENTRIES];
    let mut length = 1;
    while length <= 8 {
        let mut place = 0;
        while place < length {
            let (first, all) = (first_entry(length, place), (1 << length) - 1);
            let mut own = 0;
            while own <= all {
                let (turned, lost) = (run_lengths(own, place), run_lengths(all & !own, place));
                table[first + own as usize] = (2 * turned + 512 * lost) as u16;
                own += 1;
            }
            place += 1;
        }
        length += 1;
    }
    table
}

/// The squares on both sides of a place before the next of `ends`; none on a side without.
const fn run_lengths(ends: u32, place: u32) -> u32 {
    let above = ends >> (place + 1);
    let up = if above == 0 { 0 } else { above.trailing_zeros() };
    let below = ends & ((1 << place) - 1);
    let down = if below == 0 { 0 } else { place - 1 - below.ilog2() };
    up + down
}

/// All squares but one are taken, so a run ends at the next own disc, wherever that is.
#[target_feature(enable = "bmi2")]
#[inline]
fn last_flips(player: u64, square: Square) -> [i32; 2] {
    let lines = &LINES[square.index()];
    let mut sum = 0;
    for line in 0..4 {
        let own = _pext_u64(player, lines.masks[line]) as usize;
        sum += u32::from(LAST[(usize::from(lines.rows[line]) + own) & (LAST_ENTRIES - 1)]);
    }
    [(sum & 255) as i32, (sum >> 8) as i32]
}

/// Asks for a cache line.
#[inline(always)]
pub(super) fn prefetch_line<T>(place: &T) {
    // SAFETY: every x86-64 processor has the instruction (SSE), and it neither reads nor writes what a program sees.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) }
}
