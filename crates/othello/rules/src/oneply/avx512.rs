//! Sixteen games in lockstep with AVX-512, a 64-bit lane each.
//!
//! A step is a turn of every game. The legal moves of eight games are found at once; those of all sixteen are written into
//! one dense list of (game, square) pairs, and eight pairs at a time get what they turn and what that is worth. A run
//! of discs ends at the first square on its ray that is not the opponent's: upward the lowest such bit, downward the
//! highest. The weights of the turned discs are added by bit planes: the discs that stand on squares whose weight has
//! bit j are counted and multiplied by 2^j. The best of up to sixteen moves is found by `phminposuw`, so values are
//! kept upside down.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::dice::{self, GOLDEN, MIX_1, MIX_2};
use super::lockstep::{LANES, Lanes, MovePairs, PAIRS};
use crate::simd::x86::legal_moves_avx512;
use crate::wpc::Wpc;

/// All squares but those on the a- and h-file.
const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e_u64 as i64;

/// Is there everything that [`play_lanes`] asks for?
pub(super) fn is_available() -> bool {
    crate::simd::Isa::available().contains(&crate::simd::Isa::Avx512)
        && is_x86_feature_detected!("avx512ifma")
}

/// A piece counter as this kernel reads it.
#[derive(Clone)]
#[repr(C, align(64))]
pub(super) struct Avx512Player {
    /// The weights by square, upside down.
    low: [u8; 64],
    /// Their high bytes.
    high: [u8; 64],
    /// The squares whose weight, divided by the power of two that all have in common, has bit j (two's complement).
    planes: [u64; 11],
    /// What a disc of a plane is worth, turned and upside down, modulo 2^52.
    factors: [u64; 11],
    /// Are the planes 8 to 10 empty?
    narrow: bool,
}

impl Avx512Player {
    pub(super) fn new(wpc: &Wpc) -> Avx512Player {
        let weights = wpc.weights();
        let shift = weights.iter().map(|weight| weight.trailing_zeros()).min().unwrap_or(0).min(10);
        let narrow = weights.iter().all(|weight| (-128..128).contains(&(weight >> shift)));
        let bits = if narrow { 8 } else { 11 };
        let mut planes = [0; 11];
        let mut factors = [0; 11];
        for bit in 0..bits {
            for (square, weight) in weights.iter().enumerate() {
                planes[bit] |= ((weight >> shift >> bit & 1) as u64) << square;
            }
            let worth = 2_i64 << shift << bit;
            let sign = if bit + 1 == bits { 1 } else { -1 };
            factors[bit] = (sign * worth) as u64 & ((1 << 52) - 1);
        }
        let upside_down = weights.map(|weight| 0x8000_u16.wrapping_sub(weight as u16).to_le_bytes());
        Avx512Player {
            low: upside_down.map(|[low, _]| low),
            high: upside_down.map(|[_, high]| high),
            planes,
            factors,
            narrow,
        }
    }
}

/// Plays the games of all lanes to their ends.
pub(super) fn play_lanes(lanes: &mut Lanes, players: [&Avx512Player; 2], threshold: u64) {
    assert!(is_available(), "AVX-512 is chosen only where the machine has it");
    // SAFETY: the machine has the instructions, as was just asserted.
    unsafe { play_inner(lanes, players, threshold) }
}

#[target_feature(
    enable = "avx2,bmi1,bmi2,lzcnt,popcnt,fma,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq,avx512bitalg,avx512ifma"
)]
fn play_inner(lanes: &mut Lanes, players: [&Avx512Player; 2], threshold: u64) {
    let (mut pairs, mut games) = (MovePairs::new(), [0; PAIRS]);
    let mut quiet = 0;
    while quiet < 2 {
        let player = players[lanes.steps & 1];
        prepare_moves(lanes, threshold, &mut pairs, &mut games);
        quiet = if pairs.move_count() == 0 { quiet + 1 } else { 0 };
        weigh_moves(lanes, player, &mut pairs, &games);
        lanes.choose_moves(
            &pairs,
            |values, count| least_mask(values, count),
            |bits, n| _pdep_u64(1 << n, bits).trailing_zeros(),
        );
        lanes.advance_step();
    }
}

/// A word for each lane.
#[repr(C, align(64))]
struct Avx512Words([u64; LANES]);

/// Eight words from a place that is a multiple of 8.
#[target_feature(enable = "avx512f")]
#[inline]
fn load_half(words: &[u64; LANES], half: usize) -> __m512i {
    let words = words[8 * half..].first_chunk::<8>().expect("a half has eight lanes");
    // SAFETY: the array has exactly the 64 bytes that are read, and unaligned loads are allowed.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

/// Writes eight words.
#[target_feature(enable = "avx512f")]
#[inline]
fn store_words(words: &mut [u64], at: usize, value: __m512i) {
    let words = words[at..].first_chunk_mut::<8>().expect("there is room for the pairs");
    // SAFETY: the array has exactly the 64 bytes that are written, and unaligned stores are allowed.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), value) }
}

/// Writes 64 bytes.
#[target_feature(enable = "avx512f")]
#[inline]
fn store_bytes(bytes: &mut [u8], at: usize, value: __m512i) {
    let bytes = bytes[at..].first_chunk_mut::<64>().expect("there is room for the pairs");
    // SAFETY: the array has exactly the 64 bytes that are written, and unaligned stores are allowed.
    unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), value) }
}

/// 64 bytes as a vector.
#[target_feature(enable = "avx512f")]
#[inline]
fn load_bytes(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: the array has exactly the 64 bytes that are read, and unaligned loads are allowed.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// Throws the dice, finds the legal moves and lists them. Who moves at random is left with one move.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi2,bmi2,popcnt")]
#[inline]
fn prepare_moves(lanes: &mut Lanes, threshold: u64, pairs: &mut MovePairs, games: &mut [u8; PAIRS]) {
    let mut moves = Avx512Words([0; LANES]);
    for half in 0..LANES / 8 {
        let state = _mm512_add_epi64(load_half(&lanes.states, half), _mm512_set1_epi64(GOLDEN as i64));
        store_words(&mut lanes.states, 8 * half, state);
        store_words(&mut pairs.draws, 8 * half, random_bits_x8(state));
        store_words(
            &mut moves.0,
            8 * half,
            legal_moves_avx512(load_half(&lanes.player, half), load_half(&lanes.opponent, half)),
        );
    }
    let numbers = std::array::from_fn(|i| i as u8);
    let numbers = load_bytes(&numbers);
    let mut end = 0;
    for lane in 0..LANES {
        let (moves, draw) = (moves.0[lane], pairs.draws[lane]);
        let one = _pdep_u64(1 << dice::draw_below(draw, moves.count_ones()), moves);
        let moves = if dice::is_random_move(draw, threshold) { one } else { moves };
        store_bytes(&mut pairs.squares, end, _mm512_maskz_compress_epi8(moves, numbers));
        store_bytes(games, end, _mm512_set1_epi8(lane as i8));
        end += moves.count_ones() as usize;
        pairs.starts[lane + 1] = end;
    }
}

/// [`dice::random_bits`] for eight games.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn random_bits_x8(state: __m512i) -> __m512i {
    let z = _mm512_xor_si512(state, _mm512_srli_epi64::<30>(state));
    let z = _mm512_mullo_epi64(z, _mm512_set1_epi64(MIX_1 as i64));
    let z = _mm512_xor_si512(z, _mm512_srli_epi64::<27>(z));
    let z = _mm512_mullo_epi64(z, _mm512_set1_epi64(MIX_2 as i64));
    _mm512_xor_si512(z, _mm512_srli_epi64::<31>(z))
}

/// The squares `step`, 2 * `step`, ... 7 * `step` above square 0.
const fn upward(step: u32) -> i64 {
    let (mut bits, mut k) = (0_u64, 1);
    while k < 8 {
        bits |= 1 << (k * step);
        k += 1;
    }
    bits as i64
}

/// The squares `step`, 2 * `step`, ... 7 * `step` below square 63.
const fn downward(step: u32) -> i64 {
    (upward(step) as u64).reverse_bits() as i64
}

/// What every pair turns and what that is worth.
#[target_feature(
    enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vpopcntdq,avx512ifma"
)]
#[inline]
fn weigh_moves(lanes: &Lanes, player: &Avx512Player, pairs: &mut MovePairs, games: &[u8; PAIRS]) {
    let own = [load_half(&lanes.player, 0), load_half(&lanes.player, 1)];
    let other = [load_half(&lanes.opponent, 0), load_half(&lanes.opponent, 1)];
    let (low, high) = (load_bytes(&player.low), load_bytes(&player.high));
    for at in (0..pairs.move_count()).step_by(8) {
        let squares = _mm_cvtsi64_si128(load_eight_bytes(&pairs.squares, at));
        let games = _mm512_cvtepu8_epi64(_mm_cvtsi64_si128(load_eight_bytes(games, at)));
        let own = _mm512_permutex2var_epi64(own[0], games, own[1]);
        let other = _mm512_permutex2var_epi64(other[0], games, other[1]);
        let flips = flips_x8(own, other, _mm512_cvtepu8_epi64(squares));
        let turned =
            if player.narrow { flips_worth::<8>(flips, player) } else { flips_worth::<11>(flips, player) };
        let squares = _mm512_castsi128_si512(_mm_unpacklo_epi8(squares, squares));
        let weights = _mm512_maskz_permutexvar_epi8(0x5555, squares, low);
        let weights = _mm512_mask_permutexvar_epi8(weights, 0xaaaa, squares, high);
        let values = _mm_add_epi16(_mm512_cvtepi64_epi16(turned), _mm512_castsi512_si128(weights));
        store_words(&mut pairs.flips, at, flips);
        store_values(&mut pairs.values, at, values);
    }
}

/// Eight bytes.
#[inline(always)]
fn load_eight_bytes(bytes: &[u8; PAIRS], at: usize) -> i64 {
    i64::from_le_bytes(*bytes[at..].first_chunk().expect("the list has room for whole vectors"))
}

/// Writes eight values.
#[target_feature(enable = "sse2")]
#[inline]
fn store_values(values: &mut [u16; PAIRS], at: usize, value: __m128i) {
    let values = values[at..].first_chunk_mut::<8>().expect("the list has room for whole vectors");
    // SAFETY: the array has exactly the 16 bytes that are written, and unaligned stores are allowed.
    unsafe { _mm_storeu_si128(values.as_mut_ptr().cast(), value) }
}

/// What discs on these squares turn, on eight boards.
#[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
#[inline]
fn flips_x8(own: __m512i, other: __m512i, squares: __m512i) -> __m512i {
    let from_end = _mm512_sub_epi64(_mm512_set1_epi64(63), squares);
    let inner = _mm512_and_si512(other, _mm512_set1_epi64(INNER));
    let mut flips = _mm512_setzero_si512();
    // On a ray, `run` are the opponent's discs, `stops` the other squares. A ray may go round the edge of the board; no run
    // does, as the edge is a stop. The constant 0xf8 means a | b & c.
    macro_rules! up {
        ($step:literal, $other:expr) => {
            let ray = _mm512_sllv_epi64(_mm512_set1_epi64(const { upward($step) }), squares);
            let (stops, run) = (_mm512_andnot_si512($other, ray), _mm512_and_si512($other, ray));
            let below = _mm512_add_epi64(stops, _mm512_set1_epi64(-1));
            let bounded = _mm512_test_epi64_mask(_mm512_andnot_si512(below, stops), own);
            flips = _mm512_mask_ternarylogic_epi64::<0xf8>(flips, bounded, below, run);
        };
    }
    macro_rules! down {
        ($step:literal, $other:expr) => {
            let ray = _mm512_srlv_epi64(_mm512_set1_epi64(const { downward($step) }), from_end);
            let (stops, run) = (_mm512_andnot_si512($other, ray), _mm512_and_si512($other, ray));
            let first = _mm512_srlv_epi64(_mm512_set1_epi64(i64::MIN), _mm512_lzcnt_epi64(stops));
            let bounded = _mm512_test_epi64_mask(first, own);
            let above = _mm512_sub_epi64(_mm512_setzero_si512(), first);
            flips = _mm512_mask_ternarylogic_epi64::<0xf8>(flips, bounded, above, run);
        };
    }
    up!(1, inner);
    up!(7, inner);
    up!(8, other);
    up!(9, inner);
    down!(1, inner);
    down!(7, inner);
    down!(8, other);
    down!(9, inner);
    flips
}

/// Twice the weights of these discs, upside down, modulo 2^16.
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx512ifma")]
#[inline]
fn flips_worth<const PLANES: usize>(discs: __m512i, player: &Avx512Player) -> __m512i {
    let mut sum = _mm512_setzero_si512();
    for bit in 0..PLANES {
        let plane = _mm512_set1_epi64(player.planes[bit] as i64);
        let number = _mm512_popcnt_epi64(_mm512_and_si512(discs, plane));
        sum = _mm512_madd52lo_epu64(sum, number, _mm512_set1_epi64(player.factors[bit] as i64));
    }
    sum
}

/// The least of the first `count` values, as a mask.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi2,sse4.1")]
#[inline]
fn least_mask(values: &[u16; 16], count: usize) -> u64 {
    let valid = _bzhi_u32(0xffff, count as u32) as __mmask16;
    // SAFETY: the array has exactly the 32 bytes that are read, and unaligned loads are allowed.
    let values = unsafe { _mm256_loadu_si256(values.as_ptr().cast()) };
    let values = _mm256_mask_mov_epi16(_mm256_set1_epi16(-1), valid, values);
    let smaller = _mm_min_epu16(_mm256_castsi256_si128(values), _mm256_extracti128_si256::<1>(values));
    let least = _mm256_broadcastw_epi16(_mm_minpos_epu16(smaller));
    u64::from(_mm256_mask_cmpeq_epi16_mask(valid, values, least))
}
