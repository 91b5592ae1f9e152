//! How the number of optimal boards grows: by linear recurrences that a transfer matrix along one edge gives.
//!
//! Let `f(w, h)` be the number of smallest dominating sets of the `w x h` grid, that is of optimal boards of theorem 1.
//!
//! **Theorem.** There are a polynomial `p` of degree 6 and a number `N` such that, for all `w, h >= N`, the
//! numbers `f(w, h), f(w, h + 5), f(w, h + 10), ...` satisfy the recurrence whose characteristic polynomial is `p`. Its
//! roots are the products of two roots of `x^3 - 5x^2 - 13x - 22`.
//!
//! **Proof.** *Loss* is what a set covers twice or beyond the edge; `5 |D| - cells` in all.
//!
//! 1. The rows within 10 of an edge lose at least one a column, but for a constant, whatever lies below them:
//!    [`Strip::potentials`] of the open strip of depth 10 has a fixed point at that rate.
//! 2. A smallest set of a large board loses `2 (w + h) - 16 - r` with `r <= 4` (Gonçalves, Pinlou, Rao, Thomassé 2011). So the points
//!    farther than 10 from the edge lose at most some `k`, which does not depend on the board.
//! 3. If no point of a 6 x 6 square is covered twice, its middle 4 x 4 points are those of one of the ten perfect codes of the
//!    infinite grid ([`LosslessWindow`]). Of `k + 1` rings around the board, 6 points thick each, one loses nothing. Windows along it
//!    overlap in enough points to tell the codes apart, so one code goes all around. What is inside of the ring may be replaced by the
//!    code, which loses nothing there. The set is a smallest one, so it loses nothing there itself and *is* the code.
//!    Hence all smallest sets are a code but for a border of some depth `H`, which does not depend on the board.
//! 4. A smallest set is therefore a cheapest closed walk around the board, through states that are cuts across
//!    the border. Five columns on, the code looks the same. Along an edge the states on cycles that lose just one a column, the
//!    *critical* ones, lose nothing below row 10 by 1, so by 3 they are the code from row 11 on: [`CriticalEdge::new`] with a depth
//!    of 11 finds them all. They are one component, and the matrix of five columns is primitive.
//! 5. All walks between the same two states lose the same modulo 5. A walk that leaves the critical states and comes back thus
//!    loses at least 5 more than one that stays, so a smallest set has none: it spends a bounded number of columns on other states
//!    near each corner, and all others on critical ones.
//! 6. So `f` is a sum, over codes and over the states where each edge begins and ends to be critical, of a constant times four
//!    entries of powers of matrices; each code's matrices have the same eigenvalues but for zeros (mirrored codes have the
//!    transposed matrix). Two edges grow with `h`: the products of two eigenvalues are the roots of `p`. ∎
//!
//! The proof does not say what `N` is. Where boards of 20, 21, 22 and 25 lines were counted, the recurrence in one side begins at 20 to
//! 33, by the side modulo 5: see [`RectangleCounts`], which uses the recurrence and holds it against counts.

mod lossless;
mod polynomial;
mod rectangles;
mod strip;

pub use lossless::LosslessWindow;
pub use polynomial::Polynomial;
pub use rectangles::{
    CountPrediction, FIRST, FIRST_WITH_MOST_LOSS, MissingCount, NARROW, NARROW_WITH_MOST_LOSS,
    RectangleCounts,
};
pub use strip::{CriticalEdge, Strip, StripGround};
