//! Vector instructions: which there are, and code that is compiled for each.
//!
//! A kernel is written once, generic over [`Vectors`], and entered through [`Vectors::run`], which compiles it with the
//! instructions of that set. Every set gives the same answers; `tests/vectors.rs` holds them together.

#[cfg(target_arch = "x86_64")]
pub(crate) mod x86;

use crate::portable;
use crate::square::Square;

/// Instruction sets that kernels are compiled for, from plain to rich. All give the same answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Isa {
    /// 64-bit words only: any machine.
    Portable,
    /// AVX2, BMI1, BMI2, LZCNT, POPCNT, FMA: most x86 processors since 2013.
    Avx2,
    /// AVX-512 F, BW, CD, DQ, VL, VBMI, VBMI2, VPOPCNTDQ, BITALG: Intel since Ice Lake, AMD since Zen 4.
    Avx512,
}

/// Something to do with whatever vectors there are.
pub trait SimdKernel {
    /// What it gives.
    type Output;

    /// Does it. Called inside [`Vectors::run`].
    fn run<V: Vectors>(self, vectors: V) -> Self::Output;
}

impl Isa {
    /// The richest set that this machine has.
    pub fn best() -> Isa {
        *Isa::available().last().unwrap_or(&Isa::Portable)
    }

    /// All sets that this machine has, from plain to rich.
    pub fn available() -> &'static [Isa] {
        #[cfg(target_arch = "x86_64")]
        {
            macro_rules! has { ($($feature:tt),+) => { $(std::arch::is_x86_feature_detected!($feature))&&+ } }
            let avx2 = has!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt", "fma");
            let avx512 = has!("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
                && has!("avx512vbmi", "avx512vbmi2", "avx512vpopcntdq", "avx512bitalg");
            match (avx2, avx2 && avx512) {
                (_, true) => return &[Isa::Portable, Isa::Avx2, Isa::Avx512],
                (true, false) => return &[Isa::Portable, Isa::Avx2],
                (false, false) => {}
            }
        }
        &[Isa::Portable]
    }

    /// Runs the kernel with this set, or with the richest that the machine has if it lacks it.
    pub fn run<K: SimdKernel>(self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        {
            let isa = self.min(Isa::best());
            if isa == Isa::Avx512
                && let Some(vectors) = x86::Avx512::detect()
            {
                return vectors.run(|| kernel.run(vectors));
            }
            if isa == Isa::Avx2
                && let Some(vectors) = x86::Avx2::detect()
            {
                return vectors.run(|| kernel.run(vectors));
            }
        }
        kernel.run(Portable)
    }
}

/// The eight boards after as many moves, the work of [`Vectors::expand_moves`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct ExpandedMoves {
    /// Discs that each move turns.
    pub flips: [u64; 8],
    /// Legal moves of the opponent after it.
    pub replies: [u64; 8],
}

/// An instruction set as a value. Having one proves that the machine has the instructions.
pub trait Vectors: Copy + Send + Sync + 'static {
    /// Compiles `work` with these instructions, as far as it is inlined, and does it.
    fn run<R>(self, work: impl FnOnce() -> R) -> R;

    /// The legal moves, as a bitboard.
    fn legal_moves(self, player: u64, opponent: u64) -> u64;

    /// The discs that a disc on `square`, an empty one, would turn.
    fn flipped_discs(self, player: u64, opponent: u64, square: Square) -> u64;

    /// For the lowest eight of these empty squares of a board at once: what a disc there would turn, and how the opponent
    /// may answer. Where it would turn nothing, the replies mean nothing. Entries beyond the number of `squares` mean nothing.
    fn expand_moves(self, player: u64, opponent: u64, squares: u64) -> ExpandedMoves;

    /// The number of discs that a disc on `square`, the only empty one, would turn, twice: a disc of the side with the
    /// discs `player`, and one of the other side.
    fn last_flips(self, player: u64, square: Square) -> [i32; 2];

    /// Adds `more` to `words`, word by word and modulo 2 to the power of 16.
    #[inline(always)]
    fn add_words(self, words: &mut Words, more: &Words) {
        for (word, more) in words.0.iter_mut().zip(&more.0) {
            *word = word.wrapping_add(*more);
        }
    }

    /// Subtracts `less` from `words`, word by word and modulo 2 to the power of 16.
    #[inline(always)]
    fn subtract_words(self, words: &mut Words, less: &Words) {
        for (word, less) in words.0.iter_mut().zip(&less.0) {
            *word = word.wrapping_sub(*less);
        }
    }
}

/// Sixty-four words, the operands of [`Vectors::add_words`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Words(pub [u16; 64]);

/// Asks for the cache line in which `place` begins: it will be read soon. Changes nothing but time.
#[inline(always)]
pub fn prefetch_line<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    x86::prefetch_line(place);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// 64-bit words only.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Vectors for Portable {
    #[inline(always)]
    fn run<R>(self, work: impl FnOnce() -> R) -> R {
        work()
    }

    #[inline(always)]
    fn legal_moves(self, player: u64, opponent: u64) -> u64 {
        portable::legal_moves(player, opponent)
    }

    #[inline(always)]
    fn flipped_discs(self, player: u64, opponent: u64, square: Square) -> u64 {
        portable::flipped_discs(player, opponent, square)
    }

    #[inline(always)]
    fn expand_moves(self, player: u64, opponent: u64, squares: u64) -> ExpandedMoves {
        expand_one_by_one(self, player, opponent, squares)
    }

    #[inline(always)]
    fn last_flips(self, player: u64, square: Square) -> [i32; 2] {
        let opponent = !player & !square.bit();
        [(player, opponent), (opponent, player)]
            .map(|(own, other)| 2 * portable::flipped_discs(own, other, square).count_ones() as i32)
    }
}

/// [`Vectors::expand_moves`] without wide vectors.
#[inline(always)]
fn expand_one_by_one<V: Vectors>(vectors: V, player: u64, opponent: u64, squares: u64) -> ExpandedMoves {
    let ExpandedMoves { mut flips, mut replies } = ExpandedMoves::default();
    let entries = flips.iter_mut().zip(&mut replies);
    for (square, (flips, replies)) in crate::iter_squares(squares).zip(entries) {
        *flips = vectors.flipped_discs(player, opponent, square);
        *replies = vectors.legal_moves(opponent ^ *flips, player ^ *flips | square.bit());
    }
    ExpandedMoves { flips, replies }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::tests::random_game;
    use ishi_rng::{Rng, Seed};

    /// Compares what a set answers about a board with what plain words do.
    struct CompareWithPlain {
        player: u64,
        opponent: u64,
    }

    impl SimdKernel for CompareWithPlain {
        type Output = ();

        fn run<V: Vectors>(self, vectors: V) {
            let CompareWithPlain { player, opponent } = self;
            let moves = portable::legal_moves(player, opponent);
            assert_eq!(vectors.legal_moves(player, opponent), moves, "{player:x} {opponent:x}");
            let mut left = moves;
            while left != 0 {
                let expanded = vectors.expand_moves(player, opponent, left);
                for (i, square) in crate::iter_squares(left).take(8).enumerate() {
                    let flips = portable::flipped_discs(player, opponent, square);
                    let replies = portable::legal_moves(opponent ^ flips, player ^ flips | square.bit());
                    assert_eq!(vectors.flipped_discs(player, opponent, square), flips, "{square}");
                    assert_eq!((expanded.flips[i], expanded.replies[i]), (flips, replies), "{square}");
                    left &= left - 1;
                }
            }
        }
    }

    /// Compares what the last disc turns, on every square.
    struct CompareLastDiscs(u64);

    impl SimdKernel for CompareLastDiscs {
        type Output = ();

        fn run<V: Vectors>(self, vectors: V) {
            for square in crate::iter_squares(u64::MAX) {
                let (own, other) = (self.0 & !square.bit(), !self.0 & !square.bit());
                let turned = |own, other| 2 * portable::flipped_discs(own, other, square).count_ones() as i32;
                let expected = [turned(own, other), turned(other, own)];
                assert_eq!(vectors.last_flips(own, square), expected, "{own:x} {square}");
            }
        }
    }

    /// Compares sums and differences of words with plain arithmetic.
    struct CompareWords(Words, Words);

    impl SimdKernel for CompareWords {
        type Output = ();

        fn run<V: Vectors>(self, vectors: V) {
            let CompareWords(words, operand) = self;
            let [mut sums, mut differences] = [words; 2];
            vectors.add_words(&mut sums, &operand);
            vectors.subtract_words(&mut differences, &operand);
            for place in 0..64 {
                let (word, operand) = (words.0[place], operand.0[place]);
                assert_eq!(sums.0[place], word.wrapping_add(operand), "{place}");
                assert_eq!(differences.0[place], word.wrapping_sub(operand), "{place}");
            }
        }
    }

    #[test]
    fn every_set_answers_as_plain_words_do() {
        let mut rng = Rng::new(Seed::new(5));
        for _ in 0..200 {
            let choices: Vec<u8> = (0..rng.next_below(60)).map(|_| rng.next_below(256) as u8).collect();
            let board = random_game(&choices).board();
            let filled = [rng.next_u64(), rng.next_u64() & rng.next_u64(), rng.next_u64() | rng.next_u64()];
            for &isa in Isa::available() {
                isa.run(CompareWithPlain { player: board.player, opponent: board.opponent });
                filled.into_iter().for_each(|discs| isa.run(CompareLastDiscs(discs)));
                let [words, operand] =
                    [(); 2].map(|()| Words(std::array::from_fn(|_| rng.next_u64() as u16)));
                isa.run(CompareWords(words, operand));
            }
        }
    }
}
