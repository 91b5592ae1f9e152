//! A certificate that every dominating set of a grid has at least so many points, and its checker.
//!
//! A set `D` of points dominates a `W` x `H` grid if every point is in `D` or has a neighbour in `D`. Let every chain of
//! a Go board choose a stone that has a liberty: all other points form a dominating set, so a board with a dominating
//! set of at least `E` points, whatever it is, has at most `W * H - E` chains (R. Miyashiro, Y. Yano, M. Muramatsu, "The
//! maximum number of strings on a Go board", RIMS 1584, 2008). The checker proves "at least `E`" without trusting
//! whoever wrote the certificate. It shares no code with the solvers of this crate, and all of it is in this file.
//!
//! # The loss
//!
//! A member of `D` covers five points, itself and its neighbours, some of them perhaps off the board; every point of
//! the board must be covered once. So `5 |D| - W * H` is what is wasted, the *loss* of `D`: the number of sides of
//! members that are off the board, and for every point how much more than once it is covered. Every term is at least
//! 0 and belongs to one point. The claim says that no dominating set has a loss of at most `limit = 5 (E - 1) - W * H`.
//!
//! # The sweep
//!
//! The checker visits the points along the antidiagonals `x + y = 0, 1, ...`, each from the bottom left to the top
//! right, and decides for each whether it is in `D`. What the rest of the board must know is the *state*: a digit for
//! every visited point with an unvisited neighbour, 0 = not in `D` and not covered, 1 = not in `D` and covered, 2 = in
//! `D`. Loss is charged as soon as it is certain. Of two ways to the same state the smaller loss is kept; a point whose
//! last neighbour is visited and that has digit 0 ends its state (`Step::place` is all of this). A state is dropped
//! if no completion of it can have a loss within the limit. So if no state is left in the end, then no such set exists.
//! And a state that is left in the end *is* such a set, so the answer is no only if the claim is wrong.
//!
//! # The potentials
//!
//! Dropping states well is what makes this quick, and where the certificate helps. Near the edge loss cannot be
//! avoided. The points within `depth` of the edge form two *bands*, along the top and right sides and along the left
//! and bottom sides, that meet in the top left and in the bottom right corner (`Board::side`). For a band alone the
//! same loss is counted with its own points only: sides of its members off the board, and its points over-covered by
//! its own members; a neighbour outside the band may cover at no cost. A frontier of `depth` to `depth + 1` points is
//! small enough for a table: the *potential* of a band is the least such loss still to come, for all digits of the
//! band's frontier, found by walking back from the end (`Step::before`). The two bands charge different points, so
//! a state has no completion of a loss less than its loss so far plus the two potentials.
//!
//! Where the bands meet at the bottom right, the *seam*, either band alone would lose too little. The points `c_s = (W -
//! 1 - s, H - 1 - s)` of the right band touch the points `y_s = (W - 2 - s, H - 1 - s)` of the left one, as a zigzag `c_0
//! y_0 c_1 y_1 ...`; both walks end with these points as their frontier. Given the digits of both, the loss between
//! them follows: `couple(c, y)`, infinite if a point that no one else can cover stays uncovered. The certificate gives
//! one number for every `c`, its *price*, in half units of loss (all potentials are doubled for that). The right
//! band ends with `price(c)`, the left one with the least `2 couple(c', y) - price(c')` over all `c'` (`left_ends`). For the
//! `c` and `y` of any completion these two add up to at most `2 couple(c, y)`, which is loss that is not counted
//! elsewhere. This holds **whatever the prices are**: they are the dual solution of a shortest-path problem, good ones
//! drop many states, bad ones few, and none drops a state wrongly.
//!
//! These potentials are used until the sweep has visited the antidiagonal `W + H - 2 depth - 1`, from where on the walks
//! of the bands differ from the sweep. After it the seam is given up: other walks follow the sweep to the end, and
//! either band may cover the other at no cost (`Board::rest`).
//!
//! # The format
//!
//! ```text
//! ishi-strings-certificate 1
//! size W H
//! empties E
//! depth D
//! prices
//! <3^D integers: of the state c the sum of digit(c_s) * 3^s is the place, from 0; none if D is 0>
//! end
//! ```

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;

use thiserror::Error;

/// Largest depth of the bands.
pub const MAX_DEPTH: u32 = 10;
/// Longest side that a certificate may name.
pub const MAX_SIDE: u32 = 100_000;
/// Largest price, either sign.
pub const MAX_PRICE: i32 = 500_000_000;

/// Most states that [`check`] holds after one point, about a gigabyte.
pub const MAX_STATES: usize = 7_000_000;
/// Most points of a board that is checked; its shorter side must be at most 63 or 64, too (two bits a point of the
/// frontier, 128 bits a state).
pub const MAX_CELLS: i64 = 40_000;

const FIRST_LINE: &str = "ishi-strings-certificate 1";

/// The claim that every dominating set of the `width` x `height` grid has at least `empties` points, with what makes
/// it quick to check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// Columns, 1 to [`MAX_SIDE`].
    pub width: u32,
    /// Rows, 1 to [`MAX_SIDE`].
    pub height: u32,
    /// The claim: no set of fewer points dominates. 0 to `width * height`.
    pub empties: u64,
    /// Depth of the two bands along the edge, 0 (none) to [`MAX_DEPTH`] and half the shorter side.
    pub depth: u32,
    /// For every state of the seam of the bands, the sum of `digit(s) * 3^s`, its price in half units of loss; none
    /// if `depth` is 0, otherwise `3^depth`. Whatever the prices are, what is accepted is true.
    pub prices: Vec<i32>,
}

/// Why a certificate cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CertificateError {
    /// A line of the text is not what the format asks for.
    #[error("line {line}: {found:?} is not {expected}")]
    Line {
        /// Line of the text, from 1.
        line: usize,
        /// What stands there (its beginning, if it is long).
        found: String,
        /// What would be right.
        expected: String,
    },
    /// The text ends too early.
    #[error("line {line}: the text ends where {expected} should stand")]
    End {
        /// The line after the last, from 1.
        line: usize,
        /// What would be right.
        expected: String,
    },
    /// A number of the certificate is out of its range.
    #[error("{what} is {found}, but must be {range}")]
    Range {
        /// The number.
        what: &'static str,
        /// Its value.
        found: i64,
        /// The values it may have.
        range: String,
    },
    /// The checker does not go that far.
    #[error("{width}x{height} is too large to check: at most {MAX_CELLS} points, and 63 or 64 lines one way")]
    TooLarge {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// The observer stopped the check.
    #[error("stopped before the certificate was checked")]
    Stopped,
}

/// Reads a certificate: `Display` writes the format.
///
/// # Errors
/// The first line that is not as the format asks for, or a number out of its range.
pub fn parse(text: &str) -> Result<Certificate, CertificateError> {
    let mut lines = Lines { lines: text.lines().enumerate(), end: text.lines().count() + 1 };
    let first = format!("the first line of a certificate, \"{FIRST_LINE}\"");
    let (line, found) = lines.next(&first)?;
    if found != FIRST_LINE {
        return Err(wrong(line, found, first));
    }
    let [width, height] = lines.numbers("size", "size WIDTH HEIGHT")?;
    let [empties] = lines.numbers("empties", "empties NUMBER")?;
    let [depth] = lines.numbers("depth", "depth NUMBER")?;
    let [] = lines.numbers("prices", "prices")?;
    // Numbers too large for their type are out of their range anyway.
    let clamp = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let (width, height, depth) = (clamp(width), clamp(height), clamp(depth));
    let mut certificate = Certificate { width, height, empties, depth, prices: Vec::new() };
    certificate.check_numbers()?;
    certificate.prices = lines.prices(certificate.states())?;
    match lines.lines.find(|(_, text)| !text.trim().is_empty()) {
        Some((line, found)) => Err(wrong(line + 1, found, "allowed after \"end\"".to_string())),
        None => Ok(certificate),
    }
}

/// The lines of a certificate that are not read yet.
struct Lines<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    /// The number of the line after the last.
    end: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self, expected: &str) -> Result<(usize, &'a str), CertificateError> {
        let line = self.lines.next().map(|(line, text)| (line + 1, text));
        line.ok_or_else(|| CertificateError::End { line: self.end, expected: expected.to_string() })
    }

    /// A line made of a word and `N` numbers.
    fn numbers<const N: usize>(&mut self, word: &str, form: &str) -> Result<[u64; N], CertificateError> {
        let expected = format!("a line \"{form}\"");
        let (line, text) = self.next(&expected)?;
        let mut words = text.split_ascii_whitespace();
        let numbers = match words.next() {
            Some(first) if first == word => words.map(natural).collect::<Option<Vec<u64>>>(),
            _ => None,
        };
        numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| wrong(line, text, expected))
    }

    /// `count` prices and the line "end".
    fn prices(&mut self, count: usize) -> Result<Vec<i32>, CertificateError> {
        let mut prices = Vec::new();
        loop {
            let missing = count - prices.len();
            let expected = match missing {
                0 => format!("\"end\", after all {count} prices"),
                _ => format!("a price ({missing} more of {count}), -{MAX_PRICE} to {MAX_PRICE}"),
            };
            let (line, text) = self.next(&expected)?;
            if missing == 0 && text.trim_end() == "end" {
                return Ok(prices);
            }
            for word in text.split_ascii_whitespace() {
                match integer(word).filter(|_| prices.len() < count) {
                    Some(price) => prices.push(price),
                    None => return Err(wrong(line, word, expected)),
                }
            }
        }
    }
}

fn natural(word: &str) -> Option<u64> {
    if word.bytes().all(|byte| byte.is_ascii_digit()) { word.parse().ok() } else { None }
}

fn integer(word: &str) -> Option<i32> {
    natural(word.strip_prefix('-').unwrap_or(word))?;
    word.parse().ok().filter(|price: &i32| (-MAX_PRICE..=MAX_PRICE).contains(price))
}

fn wrong(line: usize, found: &str, expected: String) -> CertificateError {
    CertificateError::Line { line, found: found.chars().take(40).collect(), expected }
}

impl Certificate {
    /// Number of prices that the depth asks for.
    fn states(&self) -> usize {
        if self.depth == 0 { 0 } else { 3usize.pow(self.depth) }
    }

    fn check_numbers(&self) -> Result<(), CertificateError> {
        let cells = u64::from(self.width) * u64::from(self.height);
        let deepest = (self.width.min(self.height) / 2).min(MAX_DEPTH);
        for (what, found, least, most) in [
            ("the width", self.width.into(), 1, MAX_SIDE.into()),
            ("the height", self.height.into(), 1, MAX_SIDE.into()),
            ("the number of empties", self.empties, 0, cells),
            ("the depth", self.depth.into(), 0, deepest.into()),
        ] {
            if !(least..=most).contains(&found) {
                let found = i64::try_from(found).unwrap_or(i64::MAX);
                return Err(CertificateError::Range { what, found, range: format!("{least} to {most}") });
            }
        }
        Ok(())
    }

    fn check_prices(&self) -> Result<(), CertificateError> {
        let states = self.states();
        let count = self.prices.len();
        if count != states {
            let found = i64::try_from(count).unwrap_or(i64::MAX);
            let range = format!("{states}, 3 to the power of the depth");
            return Err(CertificateError::Range { what: "the number of prices", found, range });
        }
        match self.prices.iter().find(|price| !(-MAX_PRICE..=MAX_PRICE).contains(*price)) {
            Some(&price) => {
                let range = format!("-{MAX_PRICE} to {MAX_PRICE}");
                Err(CertificateError::Range { what: "a price", found: price.into(), range })
            }
            None => Ok(()),
        }
    }
}

/// The format: six lines of words and numbers, 27 prices a line between the last two.
impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST_LINE}\nsize {} {}", self.width, self.height)?;
        writeln!(f, "empties {}\ndepth {}\nprices", self.empties, self.depth)?;
        for row in self.prices.chunks(27) {
            let row: Vec<String> = row.iter().map(i32::to_string).collect();
            writeln!(f, "{}", row.join(" "))?;
        }
        writeln!(f, "end")
    }
}

/// How far a check is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// The potentials of the bands are computed.
    Potentials {
        /// Points of both bands that the walks back have visited.
        done: usize,
        /// Points of both bands.
        total: usize,
    },
    /// The board is swept.
    Sweep {
        /// Points visited.
        done: usize,
        /// Points of the board.
        total: usize,
        /// States after the last of them.
        states: usize,
    },
}

/// What a check came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Every dominating set has at least as many points as the certificate says.
    Accepted,
    /// The certificate is wrong.
    Refused {
        /// The size of a smallest dominating set.
        smallest: u64,
    },
    /// More states than allowed: nothing is proved, the claim may be right or wrong.
    TooManyStates,
}

/// The answer of [`check`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// What it came to.
    pub outcome: Outcome,
    /// The last antidiagonal on which there were states, from 0; all are swept if there were any on `width + height - 2`.
    pub antidiagonal: usize,
    /// States kept, over all points.
    pub states: u64,
    /// States kept after the point that had most.
    pub widest: usize,
}

/// Checks a certificate, with at most [`MAX_STATES`] states at once. The observer may stop it.
///
/// # Errors
/// The certificate's numbers are out of range, its board is too large for this checker, or the observer stopped it.
pub fn check(
    certificate: &Certificate,
    observer: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Verdict, CertificateError> {
    check_within(certificate, MAX_STATES, observer)
}

/// [`check`] with a bound on the states after one point; a state takes about 70 bytes, or 140 while a table grows.
///
/// # Errors
/// As [`check`].
pub fn check_within(
    certificate: &Certificate,
    most: usize,
    observer: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Verdict, CertificateError> {
    certificate.check_numbers()?;
    certificate.check_prices()?;
    let board = Board {
        width: certificate.width as usize,
        height: certificate.height as usize,
        depth: certificate.depth as usize,
    };
    let cells = i64::from(certificate.width) * i64::from(certificate.height);
    // Both factors are far below 2^40: the sides are checked above.
    let limit = 5 * (i64::try_from(certificate.empties).unwrap_or(i64::MAX / 8) - 1) - cells;
    if limit < 0 {
        // Fewer than a fifth of the points: each covers five at most.
        return Ok(Verdict { outcome: Outcome::Accepted, antidiagonal: 0, states: 0, widest: 0 });
    }
    let too_large = CertificateError::TooLarge { width: board.width, height: board.height };
    if cells > MAX_CELLS {
        return Err(too_large);
    }
    let sweep = Walk::new(&board, &board.sweep(), &[]);
    if sweep.slots() > 64 {
        return Err(too_large);
    }
    let mut bands = Vec::new();
    if board.depth > 0 {
        bands = board.bands(&certificate.prices, observer)?;
    }
    Sweep { board, walk: sweep, bands, limit, most }.run(observer)
}

/// A rectangle of points, numbered row by row, and the depth of its bands.
struct Board {
    width: usize,
    height: usize,
    depth: usize,
}

/// The two bands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    /// Along the top and the right side.
    Right,
    /// Along the left side and the bottom.
    Left,
}

impl Board {
    fn point(&self, x: usize, y: usize) -> usize {
        y * self.width + x
    }

    fn place(&self, point: usize) -> (usize, usize) {
        (point % self.width, point / self.width)
    }

    /// Up to four points, those on the board.
    fn neighbours(&self, point: usize) -> Vec<usize> {
        let (x, y) = self.place(point);
        let mut near = Vec::with_capacity(4);
        for (x, y) in [(x.wrapping_sub(1), y), (x, y.wrapping_sub(1)), (x + 1, y), (x, y + 1)] {
            if x < self.width && y < self.height {
                near.push(self.point(x, y));
            }
        }
        near
    }

    fn antidiagonal(&self, point: usize) -> usize {
        let (x, y) = self.place(point);
        x + y
    }

    /// All points in the order of the sweep.
    fn sweep(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.width * self.height).collect();
        order.sort_by_key(|&point| (self.antidiagonal(point), self.place(point).0));
        order
    }

    /// The band of a point: every point of a band belongs to exactly one.
    fn side(&self, point: usize) -> Option<Side> {
        let (x, y) = self.place(point);
        let (left, top) = (x < self.depth, y < self.depth);
        let (right, bottom) = (x + self.depth >= self.width, y + self.depth >= self.height);
        let is_right = match (left, top, right, bottom) {
            (false, false, false, false) => return None,
            (true, true, _, _) => x >= y,
            (_, _, true, true) => x + self.height >= y + self.width,
            _ => top || right,
        };
        Some(if is_right { Side::Right } else { Side::Left })
    }

    /// The last antidiagonal with potentials.
    fn bounded(&self) -> usize {
        self.width + self.height - 2 * self.depth - 1
    }

    /// The points of a band in the order of its walk: with the sweep as long as there are potentials, then towards
    /// the corner, the right band row by row, the left band column by column.
    fn band(&self, side: Side) -> Vec<usize> {
        let mut order = self.sweep();
        order.retain(|&point| self.side(point) == Some(side));
        let with_sweep = order.iter().filter(|&&point| self.antidiagonal(point) <= self.bounded()).count();
        order[with_sweep..].sort_by_key(|&point| match (side, self.place(point)) {
            (Side::Right, (x, y)) => (y, x),
            (Side::Left, (x, y)) => (x, y),
        });
        order
    }

    /// The points of a band for the rest of the sweep, in its order: all that are visited or have a visited neighbour
    /// when the last antidiagonal with the potentials of [`Board::band`] is visited, and all after them.
    fn rest(&self, side: Side) -> Vec<usize> {
        let mut order = self.sweep();
        let is_late = |point: usize| self.antidiagonal(point) + 1 >= self.bounded();
        order.retain(|&point| self.side(point) == Some(side) && is_late(point));
        order
    }

    /// The last frontier of a band's walk: the points `c_s` or `y_s`, for `s` from 0.
    fn seam(&self, side: Side) -> Vec<usize> {
        let column = match side {
            Side::Right => self.width - 1,
            Side::Left => self.width - 2,
        };
        (0..self.depth).map(|s| self.point(column - s, self.height - 1 - s)).collect()
    }

    /// Both bands with their potentials, the right one first, and both again for the rest of the sweep.
    fn bands(
        &self,
        prices: &[i32],
        observer: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Vec<Band>, CertificateError> {
        let walks = [
            (self.band(Side::Right), self.seam(Side::Right), prices.to_vec()),
            (self.band(Side::Left), self.seam(Side::Left), left_ends(self.depth, prices)),
            (self.rest(Side::Right), Vec::new(), vec![0]),
            (self.rest(Side::Left), Vec::new(), vec![0]),
        ];
        let total = walks.iter().map(|(order, ..)| order.len()).sum();
        let mut done = 0;
        let mut observer = || {
            done += 1;
            stopped(observer(Progress::Potentials { done: done - 1, total }))
        };
        let mut bands = Vec::new();
        for (order, seam, ends) in &walks {
            bands.push(Band::new(Walk::new(self, order, seam), seam, ends, &mut observer)?);
        }
        Ok(bands)
    }
}

fn stopped(flow: ControlFlow<()>) -> Result<(), CertificateError> {
    if flow.is_break() { Err(CertificateError::Stopped) } else { Ok(()) }
}

/// What becomes of a visited point at a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// It stays in the frontier.
    Stays,
    /// It leaves, and must be covered by then.
    Needs,
    /// It leaves, and a neighbour outside the walk may cover it.
    Free,
}

/// A visit to one point.
struct Step {
    point: usize,
    /// Its sides that are off the board.
    off: u32,
    /// Slot and fate of its neighbours visited before.
    near: Vec<(usize, Fate)>,
    /// Its own slot, and fate: a point without later neighbours leaves at once.
    own: (usize, Fate),
}

/// A way to go on from a state: `add` (wrapping) turns the number of the state into that of the next.
#[derive(Clone, Copy)]
struct Move {
    loss: u32,
    add: u128,
}

impl Step {
    /// Decides whether the point is a member, for given digits of `near`; states are numbers of this radix, a slot is
    /// a place in them, and free slots hold 0. None if a point leaves uncovered that must not.
    fn place(&self, digits: &[u32], member: bool, radix: u128) -> Option<Move> {
        let members = count(digits, |digit| digit == 2);
        // A member is over-covered by every member beside it, and over-covers every covered point beside it. Another
        // point is covered once for nothing.
        let (digit, loss) = match member {
            true => (2, self.off + members + count(digits, |digit| digit >= 1)),
            false => (members.min(1), members.saturating_sub(1)),
        };
        let mut add = 0u128;
        let near = self.near.iter().zip(digits);
        let near = near.map(|(&slot, &old)| (slot, old, if member { old.max(1) } else { old }));
        for ((slot, fate), old, new) in near.chain([(self.own, 0, digit)]) {
            if fate == Fate::Needs && new == 0 {
                return None;
            }
            let stays = if fate == Fate::Stays { new } else { 0 };
            let weight = |digit: u32| u128::from(digit).wrapping_mul(radix.wrapping_pow(slot as u32));
            add = add.wrapping_add(weight(stays)).wrapping_sub(weight(old));
        }
        Some(Move { loss, add })
    }

    /// [`Step::place`] for all digits of `near`, the first lowest: not a member, and a member.
    fn moves(&self, radix: u128) -> Vec<[Option<Move>; 2]> {
        let states = 0..3u32.pow(self.near.len() as u32);
        let digits =
            states.map(|state| (0..self.near.len() as u32).map(|i| state / 3u32.pow(i) % 3).collect());
        digits
            .map(|digits: Vec<u32>| [false, true].map(|member| self.place(&digits, member, radix)))
            .collect()
    }

    /// The doubled potentials before this step from those after it: the least over both moves.
    fn before(&self, frontier: &[Option<usize>], after: &[i32]) -> Vec<i32> {
        let moves = self.moves(3);
        let mut before = vec![NEVER; 3usize.pow(frontier.len() as u32)];
        // All states of the frontier: their number, and their digits of `near`.
        let mut states = vec![(0usize, 0usize)];
        for slot in (0..frontier.len()).filter(|&slot| frontier[slot].is_some()) {
            let place = self.near.iter().position(|&(near, _)| near == slot);
            let weight = (3usize.pow(slot as u32), place.map_or(0, |place| 3usize.pow(place as u32)));
            let known = states.len();
            for digit in 1..=2 {
                for state in 0..known {
                    let (number, digits) = states[state];
                    states.push((number + digit * weight.0, digits + digit * weight.1));
                }
            }
        }
        for (number, digits) in states {
            for step in moves[digits].iter().flatten() {
                let value = after[number.wrapping_add(step.add as usize)];
                if value != NEVER {
                    before[number] = before[number].min(value + 2 * step.loss as i32);
                }
            }
        }
        before
    }
}

fn count(digits: &[u32], is: impl Fn(u32) -> bool) -> u32 {
    digits.iter().map(|&digit| u32::from(is(digit))).sum()
}

/// A walk over points in a given order, with a slot of the state for every point of its frontier.
struct Walk {
    steps: Vec<Step>,
    /// Before each step and after the last: the point in each slot; the last slot is not empty.
    frontiers: Vec<Vec<Option<usize>>>,
}

impl Walk {
    /// The points `kept` never leave the frontier.
    fn new(board: &Board, order: &[usize], kept: &[usize]) -> Walk {
        let mut times = vec![None; board.width * board.height];
        for (time, &point) in order.iter().enumerate() {
            times[point] = Some(time);
        }
        let fate = |point: usize, now: usize| {
            let near = board.neighbours(point);
            match near.iter().filter_map(|&near| times[near]).max() {
                _ if kept.contains(&point) => Fate::Stays,
                Some(last) if last > now => Fate::Stays,
                _ if near.iter().any(|&near| times[near].is_none()) => Fate::Free,
                _ => Fate::Needs,
            }
        };
        let mut frontier: Vec<Option<usize>> = Vec::new();
        let mut walk = Walk { steps: Vec::new(), frontiers: vec![Vec::new()] };
        for (now, &point) in order.iter().enumerate() {
            let neighbours = board.neighbours(point);
            let off = 4 - neighbours.len() as u32;
            let mut near = Vec::new();
            for &neighbour in neighbours.iter().filter(|&&near| times[near].is_some_and(|time| time < now)) {
                let slot = frontier.iter().position(|&point| point == Some(neighbour));
                near.extend(slot.map(|slot| (slot, fate(neighbour, now))));
            }
            for &(slot, _) in near.iter().filter(|&&(_, fate)| fate != Fate::Stays) {
                frontier[slot] = None;
            }
            let mut own = (0, fate(point, now));
            if own.1 == Fate::Stays {
                own.0 = frontier.iter().position(Option::is_none).unwrap_or(frontier.len());
                frontier.resize(frontier.len().max(own.0 + 1), None);
                frontier[own.0] = Some(point);
            }
            frontier.truncate(frontier.iter().rposition(Option::is_some).map_or(0, |last| last + 1));
            walk.steps.push(Step { point, off, near, own });
            walk.frontiers.push(frontier.clone());
        }
        walk
    }

    /// Slots of its widest frontier.
    fn slots(&self) -> usize {
        self.frontiers.iter().map(Vec::len).max().unwrap_or(0)
    }
}

/// For every state of the `y_s`, the doubled loss that the left band ends with: the least of `2 couple(c, y) -
/// price(c)` over all `c`, where `couple(c, y)` is the loss between the digits of both. The digits of `c` are replaced
/// by those of `y` one by one; what `c_s` and `y_s` lose is known when `y_(s-1)`, `c_s`, `y_s` and `c_(s+1)` are.
fn left_ends(depth: usize, prices: &[i32]) -> Vec<i32> {
    let mut ends: Vec<i32> = prices.iter().map(|price| -price).collect();
    for s in 0..depth {
        let weight = 3usize.pow(s as u32);
        for state in (0..ends.len()).filter(|state| (state / weight).is_multiple_of(3)) {
            let is_member = |slot: usize| u32::from(slot < depth && state / 3usize.pow(slot as u32) % 3 == 2);
            let below = if s == 0 { 0 } else { is_member(s - 1) };
            let old = [0, 1, 2].map(|digit| ends[state + digit * weight]);
            for y in 0..3u32 {
                let options = (0..3u32).filter(|&c| old[c as usize] != NEVER).filter_map(|c| {
                    let members = u32::from(c == 2) + is_member(s + 1);
                    let right = excess(c, below + u32::from(y == 2), true)?;
                    // What is above the last of the y is in neither band and may cover it.
                    let left = excess(y, members, s + 1 < depth)?;
                    Some(old[c as usize] + 2 * (right + left) as i32)
                });
                ends[state + y as usize * weight] = options.min().unwrap_or(NEVER);
            }
        }
    }
    ends
}

/// How often a point is covered too much by so many more members beside it; none if it must be covered and is not.
fn excess(digit: u32, members: u32, needs: bool) -> Option<u32> {
    match digit.min(1) + members {
        0 if needs => None,
        covered => Some(covered.saturating_sub(1)),
    }
}

/// A state of a band from which the band cannot be completed.
const NEVER: i32 = i32::MAX;

/// A band and its doubled potentials. Tables are kept at every `stride`th step, those between are computed again when
/// they are needed: memory grows with the root of the number of steps.
struct Band {
    walk: Walk,
    /// Points of the band that the sweep has visited, as long as both go the same way.
    visited: usize,
    stride: usize,
    /// The potentials before the steps `0, stride, 2 stride, ...` and after the last step.
    kept: Vec<Vec<i32>>,
    /// The potentials before successive steps.
    block: Vec<Vec<i32>>,
    /// The first of these steps.
    first: usize,
}

impl Band {
    /// The potentials after the last step are `ends`, where the digit of `seam[s]` counts `3^s`.
    fn new(
        walk: Walk,
        seam: &[usize],
        ends: &[i32],
        observer: &mut dyn FnMut() -> Result<(), CertificateError>,
    ) -> Result<Band, CertificateError> {
        let steps = walk.steps.len();
        let stride = steps.isqrt().max(1);
        let last = &walk.frontiers[steps];
        let places = last.iter().map(|&point| seam.iter().position(|&end| point == Some(end)));
        let weights: Vec<usize> =
            places.map(|place| place.map_or(0, |place| 3usize.pow(place as u32))).collect();
        let number = |state: usize| {
            let digit = |slot: usize| state / 3usize.pow(slot as u32) % 3;
            weights.iter().enumerate().map(|(slot, weight)| digit(slot) * weight).sum::<usize>()
        };
        let mut table: Vec<i32> =
            (0..3usize.pow(last.len() as u32)).map(|state| ends[number(state)]).collect();
        let mut kept = vec![table.clone()];
        for step in (0..steps).rev() {
            observer()?;
            table = walk.steps[step].before(&walk.frontiers[step], &table);
            if step.is_multiple_of(stride) {
                kept.push(table.clone());
            }
        }
        kept.reverse();
        Ok(Band { walk, visited: 0, stride, kept, block: Vec::new(), first: 0 })
    }

    /// The sweep visits a point, of this band or not.
    fn visit(&mut self, point: usize) {
        self.visited +=
            usize::from(self.walk.steps.get(self.visited).is_some_and(|step| step.point == point));
    }

    /// The points of the band's frontier.
    fn frontier(&self) -> &[Option<usize>] {
        &self.walk.frontiers[self.visited]
    }

    /// The doubled potentials of that frontier.
    fn potentials(&mut self) -> &[i32] {
        let visited = self.visited;
        if !(self.first..self.first + self.block.len()).contains(&visited) {
            let block = visited / self.stride;
            self.first = block * self.stride;
            let end = (self.first + self.stride).min(self.walk.steps.len());
            // After the last step, or before the first one of the next block.
            let mut table = self.kept[(block + 1).min(self.kept.len() - 1)].clone();
            self.block.clear();
            for step in (self.first..end).rev() {
                let before = self.walk.steps[step].before(&self.walk.frontiers[step], &table);
                self.block.push(std::mem::replace(&mut table, before));
            }
            self.block.push(table);
            self.block.reverse();
        }
        &self.block[visited - self.first]
    }
}

/// The states after a step, with the least loss of each. Two bits a slot.
type Layer = HashMap<u128, u32, BuildHasherDefault<Fold>>;

/// A fixed hash: the same order of states in every run.
#[derive(Default)]
struct Fold(u64);

impl Hasher for Fold {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The numbers of the two bands' states (the right one in the low half) as a sum over the bytes of a state's key.
struct Numbers(Vec<[u64; 256]>);

impl Numbers {
    /// For a frontier of the sweep and one of each band.
    fn new(sweep: &[Option<usize>], bands: [&[Option<usize>]; 2]) -> Numbers {
        let mut weights = vec![0u64; sweep.len().next_multiple_of(4)];
        for (shift, band) in [0, 32].into_iter().zip(bands) {
            for (place, point) in band.iter().enumerate().filter(|(_, point)| point.is_some()) {
                for slot in (0..sweep.len()).filter(|&slot| sweep[slot] == *point) {
                    weights[slot] += 3u64.pow(place as u32) << shift;
                }
            }
        }
        let sum = |four: &[u64], byte: u64| {
            four.iter().enumerate().map(|(slot, weight)| (byte >> (2 * slot) & 3) * weight).sum()
        };
        // A pair of bits is a digit, 0 to 2: the entries for 3 are not used, and may wrap to nothing that is read.
        Numbers(weights.chunks(4).map(|four| std::array::from_fn(|byte| sum(four, byte as u64))).collect())
    }

    fn of(&self, key: u128) -> (usize, usize) {
        let bytes = self.0.iter().zip(key.to_le_bytes());
        let sum: u64 = bytes.map(|(sums, byte)| sums[usize::from(byte)]).sum();
        (sum as u32 as usize, (sum >> 32) as usize)
    }
}

/// The sweep of the whole board.
struct Sweep {
    board: Board,
    walk: Walk,
    /// As [`Board::bands`] gives them, or none.
    bands: Vec<Band>,
    /// The largest loss that is looked for.
    limit: i64,
    most: usize,
}

impl Sweep {
    fn run(
        mut self,
        observer: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Verdict, CertificateError> {
        let mut layer = Layer::default();
        layer.insert(0, 0);
        let mut verdict = Verdict { outcome: Outcome::Accepted, antidiagonal: 0, states: 1, widest: 1 };
        let total = self.walk.steps.len();
        for done in 1..=total {
            let point = self.walk.steps[done - 1].point;
            self.bands.iter_mut().for_each(|band| band.visit(point));
            verdict.antidiagonal = self.board.antidiagonal(point);
            let Some(next) = self.next(done, &layer) else {
                verdict.outcome = Outcome::TooManyStates;
                return Ok(verdict);
            };
            layer = next;
            stopped(observer(Progress::Sweep { done, total, states: layer.len() }))?;
            verdict.states += layer.len() as u64;
            verdict.widest = verdict.widest.max(layer.len());
            if layer.is_empty() {
                return Ok(verdict);
            }
        }
        // One state, that of the swept board: its loss is that of a dominating set, and no set has less.
        if let Some(loss) = layer.values().min() {
            verdict.outcome = Outcome::Refused { smallest: (total as u64 + u64::from(*loss)) / 5 };
        }
        Ok(verdict)
    }

    /// The states after `done` steps; none if they are too many.
    fn next(&mut self, done: usize, layer: &Layer) -> Option<Layer> {
        let step = &self.walk.steps[done - 1];
        let is_late = self.board.antidiagonal(step.point) > self.board.bounded();
        let bound = match &mut self.bands[..] {
            [_, _, right, left] if is_late => Some((right, left)),
            [right, left, ..] => Some((right, left)),
            _ => None,
        };
        let bound = bound.map(|(right, left)| {
            let numbers = Numbers::new(&self.walk.frontiers[done], [right.frontier(), left.frontier()]);
            (numbers, right.potentials(), left.potentials())
        });
        let is_kept = |key: u128, loss: u32| {
            let doubled = match &bound {
                None => 2 * i64::from(loss),
                Some((numbers, right, left)) => {
                    let (in_right, in_left) = numbers.of(key);
                    let (right, left) = (right[in_right], left[in_left]);
                    if right == NEVER || left == NEVER {
                        return false;
                    }
                    2 * i64::from(loss) + i64::from(right) + i64::from(left)
                }
            };
            doubled <= 2 * self.limit
        };
        let moves = step.moves(4);
        let mut next = Layer::with_capacity_and_hasher(layer.len(), BuildHasherDefault::default());
        for (&key, &loss) in layer {
            let near = step.near.iter().rev();
            let digits = near.fold(0, |digits, &(slot, _)| 3 * digits + (key >> (2 * slot) & 3) as usize);
            for step in moves[digits].iter().flatten() {
                let (key, loss) = (key.wrapping_add(step.add), loss + step.loss);
                if is_kept(key, loss) {
                    next.entry(key).and_modify(|least| *least = loss.min(*least)).or_insert(loss);
                }
            }
            if next.len() > self.most {
                return None;
            }
        }
        Some(next)
    }
}

#[cfg(test)]
mod tests;
