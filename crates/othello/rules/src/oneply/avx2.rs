//! Sixteen games in lockstep with AVX2: as with AVX-512, but four lanes at a time and with fewer instructions to do it.
//!
//! Leading zeros cannot be counted in a lane, so rays downward are rays upward on a board that is turned by half a turn (all
//! bits reversed). The weights of what is turned come from a table for each row.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::dice::{self, GOLDEN};
use super::lockstep::{LANES, Lanes, MovePairs, PAIRS};
use super::rows::RowSums;
use crate::simd::Isa;
use crate::square::Square;

/// All squares but those on the a- and h-file.
const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e_u64 as i64;
/// Moves of a game that are written without a loop.
const MANY: usize = 12;

/// Is there everything that [`play_lanes`] asks for?
pub(super) fn is_available() -> bool {
    Isa::available().contains(&Isa::Avx2)
}

/// The board of each pair, as it is and turned.
#[repr(C, align(64))]
struct PairBoards {
    own: [u64; PAIRS],
    other: [u64; PAIRS],
    own_turned: [u64; PAIRS],
    other_turned: [u64; PAIRS],
}

/// A word for each lane.
#[derive(Clone)]
#[repr(C, align(64))]
struct Avx2Words([u64; LANES]);

/// Plays the games of all lanes to their ends.
pub(super) fn play_lanes(lanes: &mut Lanes, players: [&RowSums; 2], threshold: u64) {
    assert!(is_available(), "AVX2 is chosen only where the machine has it");
    // SAFETY: the machine has the instructions, as was just asserted.
    unsafe { play_inner(lanes, players, threshold) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,fma")]
fn play_inner(lanes: &mut Lanes, players: [&RowSums; 2], threshold: u64) {
    let mut pairs = MovePairs::new();
    let mut boards =
        PairBoards { own: [0; PAIRS], other: [0; PAIRS], own_turned: [0; PAIRS], other_turned: [0; PAIRS] };
    let mut quiet = 0;
    while quiet < 2 {
        let player = players[lanes.steps & 1];
        prepare_moves(lanes, threshold, &mut pairs, &mut boards);
        let count = pairs.move_count();
        quiet = if count == 0 { quiet + 1 } else { 0 };
        for at in (0..count).step_by(4) {
            compute_flips(&mut pairs, &boards, at);
        }
        for at in 0..count {
            let gain =
                player.move_gain(Square::from_lowest_bit(1 << (pairs.squares[at] & 63)), pairs.flips[at]);
            pairs.values[at] = 0x8000_u16.wrapping_sub(gain as u16);
        }
        lanes.choose_moves(
            &pairs,
            |values, count| least_mask(values, count),
            |bits, n| _pdep_u64(1 << n, bits).trailing_zeros(),
        );
        lanes.advance_step();
    }
}

/// Four words from here.
#[target_feature(enable = "avx2")]
#[inline]
fn load_words(words: &[u64], at: usize) -> __m256i {
    let words = words[at..].first_chunk::<4>().expect("the list has room for whole vectors");
    // SAFETY: the array has exactly the 32 bytes that are read, and unaligned loads are allowed.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

/// Writes four words.
#[target_feature(enable = "avx2")]
#[inline]
fn store_words(words: &mut [u64], at: usize, value: __m256i) {
    let words = words[at..].first_chunk_mut::<4>().expect("the list has room for whole vectors");
    // SAFETY: the array has exactly the 32 bytes that are written, and unaligned stores are allowed.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), value) }
}

/// Throws the dice, finds the legal moves and lists them. Who moves at random is left with one move.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
#[inline]
fn prepare_moves(lanes: &mut Lanes, threshold: u64, pairs: &mut MovePairs, boards: &mut PairBoards) {
    let mut moves = Avx2Words([0; LANES]);
    let (mut own_turned, mut other_turned) = (moves.clone(), moves.clone());
    for at in (0..LANES).step_by(4) {
        let (own, other) = (load_words(&lanes.player, at), load_words(&lanes.opponent, at));
        store_words(&mut moves.0, at, legal_moves_x4(own, other));
        store_words(&mut own_turned.0, at, reverse_bits_x4(own));
        store_words(&mut other_turned.0, at, reverse_bits_x4(other));
    }
    let mut end = 0;
    for lane in 0..LANES {
        let state = lanes.states[lane].wrapping_add(GOLDEN);
        let draw = dice::random_bits(state);
        let moves = moves.0[lane];
        let one = _pdep_u64(1 << dice::draw_below(draw, moves.count_ones()), moves);
        let moves = if dice::is_random_move(draw, threshold) { one } else { moves };
        let count = moves.count_ones() as usize;
        list_squares(&mut pairs.squares, end, moves);
        repeat_word(&mut boards.own, end, count, lanes.player[lane]);
        repeat_word(&mut boards.other, end, count, lanes.opponent[lane]);
        repeat_word(&mut boards.own_turned, end, count, own_turned.0[lane]);
        repeat_word(&mut boards.other_turned, end, count, other_turned.0[lane]);
        end += count;
        lanes.states[lane] = state;
        pairs.draws[lane] = draw;
        pairs.starts[lane + 1] = end;
    }
}

/// Writes the numbers of the set bits, and more than that.
#[target_feature(enable = "bmi1")]
#[inline]
fn list_squares(squares: &mut [u8; PAIRS], start: usize, mut bits: u64) {
    let squares = squares[start..].first_chunk_mut::<64>().expect("the list has room for all moves");
    for square in &mut squares[..MANY] {
        *square = bits.trailing_zeros() as u8;
        bits &= bits.wrapping_sub(1);
    }
    for square in &mut squares[MANY..] {
        if bits == 0 {
            break;
        }
        *square = bits.trailing_zeros() as u8;
        bits &= bits - 1;
    }
}

/// Writes a word at least `count` times.
#[target_feature(enable = "avx2")]
#[inline]
fn repeat_word(words: &mut [u64; PAIRS], start: usize, count: usize, word: u64) {
    let vector = _mm256_set1_epi64x(word as i64);
    for at in (0..MANY).step_by(4) {
        store_words(words, start + at, vector);
    }
    if count > MANY {
        words[start + MANY..start + count].fill(word);
    }
}

/// Legal moves on four boards: runs of opponent's discs next to own ones, by doubling.
#[target_feature(enable = "avx2")]
#[inline]
fn legal_moves_x4(own: __m256i, other: __m256i) -> __m256i {
    let inner = _mm256_and_si256(other, _mm256_set1_epi64x(INNER));
    let mut moves = _mm256_setzero_si256();
    /// One line, both directions.
    macro_rules! line {
        ($other:expr, $shift:literal, $double:literal) => {
            let pair_up = _mm256_and_si256($other, _mm256_slli_epi64::<$shift>($other));
            let pair_down = _mm256_srli_epi64::<$shift>(pair_up);
            let mut up = _mm256_and_si256($other, _mm256_slli_epi64::<$shift>(own));
            let mut down = _mm256_and_si256($other, _mm256_srli_epi64::<$shift>(own));
            up = _mm256_or_si256(up, _mm256_and_si256($other, _mm256_slli_epi64::<$shift>(up)));
            down = _mm256_or_si256(down, _mm256_and_si256($other, _mm256_srli_epi64::<$shift>(down)));
            up = _mm256_or_si256(up, _mm256_and_si256(pair_up, _mm256_slli_epi64::<$double>(up)));
            down = _mm256_or_si256(down, _mm256_and_si256(pair_down, _mm256_srli_epi64::<$double>(down)));
            up = _mm256_or_si256(up, _mm256_and_si256(pair_up, _mm256_slli_epi64::<$double>(up)));
            down = _mm256_or_si256(down, _mm256_and_si256(pair_down, _mm256_srli_epi64::<$double>(down)));
            moves = _mm256_or_si256(moves, _mm256_slli_epi64::<$shift>(up));
            moves = _mm256_or_si256(moves, _mm256_srli_epi64::<$shift>(down));
        };
    }
    line!(inner, 1, 2);
    line!(inner, 7, 14);
    line!(other, 8, 16);
    line!(inner, 9, 18);
    _mm256_andnot_si256(_mm256_or_si256(own, other), moves)
}

/// The bits of each lane in reverse order.
#[target_feature(enable = "avx2")]
#[inline]
fn reverse_bits_x4(lanes: __m256i) -> __m256i {
    let nibbles = _mm256_set1_epi8(15);
    let swap =
        _mm256_broadcastsi128_si256(_mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
    let low =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15));
    let high = _mm256_slli_epi16::<4>(low);
    let lanes = _mm256_shuffle_epi8(lanes, swap);
    let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(lanes), nibbles);
    let lower = _mm256_and_si256(lanes, nibbles);
    _mm256_or_si256(_mm256_shuffle_epi8(high, lower), _mm256_shuffle_epi8(low, upper))
}

/// What four pairs turn.
#[target_feature(enable = "avx2")]
#[inline]
fn compute_flips(pairs: &mut MovePairs, boards: &PairBoards, at: usize) {
    let squares =
        i32::from_le_bytes(*pairs.squares[at..].first_chunk().expect("the list has room for whole vectors"));
    let squares = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(squares));
    let turned = _mm256_sub_epi64(_mm256_set1_epi64x(63), squares);
    let up = flips_upward(load_words(&boards.own, at), load_words(&boards.other, at), squares);
    let down = flips_upward(load_words(&boards.own_turned, at), load_words(&boards.other_turned, at), turned);
    store_words(&mut pairs.flips, at, _mm256_or_si256(up, reverse_bits_x4(down)));
}

/// The squares `step`, 2 * `step`, ... 7 * `step` above square 0.
const fn ray(step: u32) -> i64 {
    let (mut bits, mut k) = (0_u64, 1);
    while k < 8 {
        bits |= 1 << (k * step);
        k += 1;
    }
    bits as i64
}

/// What discs on these squares turn on the four rays upward.
#[target_feature(enable = "avx2")]
#[inline]
fn flips_upward(own: __m256i, other: __m256i, squares: __m256i) -> __m256i {
    let zero = _mm256_setzero_si256();
    let inner = _mm256_and_si256(other, _mm256_set1_epi64x(INNER));
    let mut flips = zero;
    // On a ray, `run` are the opponent's discs, `stops` the other squares. A ray may go round the edge of the board; no run
    // does, as the edge is a stop.
    macro_rules! line {
        ($step:literal, $other:expr) => {
            let ray = _mm256_sllv_epi64(_mm256_set1_epi64x(const { ray($step) }), squares);
            let (stops, run) = (_mm256_andnot_si256($other, ray), _mm256_and_si256($other, ray));
            let below = _mm256_add_epi64(stops, _mm256_set1_epi64x(-1));
            let end = _mm256_and_si256(_mm256_andnot_si256(below, stops), own);
            let open = _mm256_cmpeq_epi64(end, zero);
            flips = _mm256_or_si256(flips, _mm256_andnot_si256(open, _mm256_and_si256(below, run)));
        };
    }
    line!(1, inner);
    line!(7, inner);
    line!(8, other);
    line!(9, inner);
    flips
}

/// As many words of zeros as there are values, then ones.
static INVALID: [u16; 32] = build_invalid_words();

const fn build_invalid_words() -> [u16; 32] {
    let mut words = [0; 32];
    let mut i = 16;
    while i < 32 {
        words[i] = u16::MAX;
        i += 1;
    }
    words
}

/// The least of the first `count` values, as a mask.
#[target_feature(enable = "avx2,bmi2")]
#[inline]
fn least_mask(values: &[u16; 16], count: usize) -> u64 {
    let invalid = INVALID[16 - count.min(16)..].first_chunk::<16>().expect("32 words");
    // SAFETY: both arrays have exactly the 32 bytes that are read, and unaligned loads are allowed.
    let (values, invalid) =
        unsafe { (_mm256_loadu_si256(values.as_ptr().cast()), _mm256_loadu_si256(invalid.as_ptr().cast())) };
    let values = _mm256_or_si256(values, invalid);
    let smaller = _mm_min_epu16(_mm256_castsi256_si128(values), _mm256_extracti128_si256::<1>(values));
    let equal = _mm256_cmpeq_epi16(values, _mm256_broadcastw_epi16(_mm_minpos_epu16(smaller)));
    let bytes = _mm_packs_epi16(_mm256_castsi256_si128(equal), _mm256_extracti128_si256::<1>(equal));
    u64::from(_bzhi_u32(_mm_movemask_epi8(bytes) as u32, count as u32))
}
