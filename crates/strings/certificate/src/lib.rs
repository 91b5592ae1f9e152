//! A certificate that every dominating set of a grid has at least so many points, and its checker.
//!
//! A set `D` of points dominates a `W` x `H` grid if every point is in `D` or has a neighbour in `D`. Let every chain of
//! a Go board choose a stone that has a liberty: all other points form a dominating set, so a board with a dominating
//! set of at least `E` points, whatever it is, has at most `W * H - E` chains (R. Miyashiro, Y. Yano, M. Muramatsu, "The
//! maximum string problem in Go", RIMS 1584, 2008). The checker proves "at least `E`" without trusting
//! whoever wrote the certificate. It shares no code with the solvers: its crate uses no other of ishi, and all of it is in this file (`prover`, which
//! finds the states to be listed, uses the checker, and not the other way round).
//!
//! # The loss
//!
//! A member of `D` covers five points, itself and its neighbours, some of them perhaps off the board; every point of
//! the board must be covered once. So `5 |D| - W * H` is what is wasted, the *loss* of `D`: the number of sides of
//! members that are off the board, and for every point how much more than once it is covered. Every term is at least
//! 0 and belongs to one point. The claim says that no dominating set has a loss of at most `limit = 5 (E - 1) - W * H`.
//!
//! # States and potentials
//!
//! The points are visited along the antidiagonals `x + y = 0, 1, ...`, each from the bottom left to the top right, and for
//! each it is decided whether it is in `D`. What the rest of the board must know is the *state*: a digit for
//! every visited point with an unvisited neighbour, 0 = not in `D` and not covered, 1 = not in `D` and covered, 2 = in
//! `D`. Loss is charged as soon as it is certain. A point whose last neighbour is visited and that has digit 0 ends its
//! state (`WalkStep::decide_point` is all of this). So a dominating set is a path of states, and its loss is the sum over the path.
//!
//! A *potential* of a state is a number that no completion of the state loses less than. The certificate lists states
//! with their potentials. What it lists is proved from the end of the board to its start, by one inequality: for both
//! decisions on the next point, with the loss `c` that is charged at once and the state `t` that follows,
//!
//! ```text
//! potential(s) <= c + potential(t)
//! ```
//!
//! A `t` that is not listed has the potential of the next section, at least 0. The start is listed with `limit + 1`, which
//! is the claim (0, if that is negative). [`check_certificate`] looks at every listed state and at both its moves, and at nothing else: it follows no path,
//! keeps no open states and decides nothing. A certificate that lacks a state, or gives one too much, is refused.
//!
//! # The potential of a state that is not listed
//!
//! Near the edge loss cannot be avoided. The points within `depth` of the edge form two *bands*, along the top and right
//! sides and along the left and bottom sides, that meet in the top left and in the bottom right corner (`CertificateBoard::band_side`). For
//! a band alone the same loss is counted with its own points only: sides of its members off the board, and its points
//! over-covered by its own members; a neighbour outside the band may cover at no cost. A frontier of `depth` to `depth + 1`
//! points is small enough for a table: the potential of a band is the least such loss still to come, for all digits of
//! the band's frontier, evaluated from the end of the band (`WalkStep::potentials_before`: the same inequality, as tight as it may be).
//! The two bands charge different points, so the sum of both is a potential of the whole state.
//!
//! Where the bands meet at the bottom right, the *seam*, either band alone would lose too little. The points `c_s = (W -
//! 1 - s, H - 1 - s)` of the right band touch the points `y_s = (W - 2 - s, H - 1 - s)` of the left one, as a zigzag `c_0
//! y_0 c_1 y_1 ...`; both walks end with these points as their frontier. Given the digits of both, the loss between
//! them follows: `couple(c, y)`, infinite if a point that no one else can cover stays uncovered. The certificate gives
//! one number for every `c`, its *price*, in half units of loss (all potentials of bands are doubled for that). The
//! right band ends with `price(c)`, the left one with the least `2 couple(c', y) - price(c')` over all `c'` (`left_band_ends`).
//! For the `c` and `y` of any completion these two add up to at most `2 couple(c, y)`, which is loss that is not counted
//! elsewhere. This holds whatever the prices are: they are the dual solution of a shortest-path problem. Other prices give
//! other potentials, which are true as well; but the listed states need those of theirs.
//!
//! These potentials are used until the antidiagonal `W + H - 2 depth - 1` is visited, from where on the walks of the bands
//! differ from the order of the points. After it the seam is given up: other walks follow that order to the end, and
//! either band may cover the other at no cost (`CertificateBoard::late_band_order`).
//!
//! # The format
//!
//! ```text
//! ishi-strings-certificate 3
//! size W H
//! empties E
//! depth D
//! prices
//! <3^D integers: of the state c the sum of digit(c_s) * 3^s is the place, from 0; none if D is 0>
//! states
//! <lines "K P N N ...": after K points, the states N have the potential P>
//! end
//! checksum <16 hexadecimal digits>
//! ```
//!
//! The number of a state is the sum of digit * 3^slot. A visited point takes the lowest slot, from 0, that is free when
//! the points that are done with have left. Lines are in ascending order of K, then P, then N, with up to 16 states
//! each; the first is `0 P 0`, the start. The checksum is FNV-1a, 64 bits, of the lines before it, each with a line feed at its end. A
//! text that begins with `ishi-strings-certificate 2` has none: all that speaks for it is its proof.

use std::fmt::{self, Write as _};
use std::ops::ControlFlow;

use thiserror::Error;

/// Largest depth of the bands.
pub const MAX_DEPTH: u32 = 10;
/// Longest side that a certificate may name.
pub const MAX_SIDE: u32 = 100_000;
/// Largest price, either sign.
pub const MAX_PRICE: i32 = 500_000_000;

/// Most states that a certificate may list.
pub const MAX_STATES: usize = 2_500_000;
/// Most points of a board that is checked; its shorter side must be at most 63 or 64, too (two bits a point of the
/// frontier, 128 bits a state).
pub const MAX_CELLS: i64 = 40_000;

/// Largest potential that may be listed.
pub const MAX_POTENTIAL: i64 = 1_000_000;

const FIRST_LINE: &str = "ishi-strings-certificate 3";
/// That of a certificate without a checksum.
const FIRST_LINE_WITHOUT_CHECKSUM: &str = "ishi-strings-certificate 2";

/// The claim that every dominating set of the `width` x `height` grid has at least `empties` points, with its proof.
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
    /// if `depth` is 0, otherwise `3^depth`.
    pub prices: Vec<i32>,
    /// Strictly ascending. At most [`MAX_STATES`].
    pub states: Vec<ListedState>,
}

/// A state of the frontier and the loss that is still to come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ListedState {
    /// Points of the board visited before, 0 to one less than all.
    pub after: u32,
    /// No completion of the state loses less: 0 to [`MAX_POTENTIAL`].
    pub potential: u32,
    /// The sum of digit * 3^slot over the points of the frontier.
    pub state: u128,
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
    /// A listed state is none of this board, or not in its place.
    #[error("the state {state} after {after} points {what}")]
    State {
        /// Points visited.
        after: u32,
        /// Its number.
        state: u128,
        /// What is wrong with it.
        what: &'static str,
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
/// The first line that is not as the format asks for, the checksum among them, or a number out of its range.
pub fn parse_certificate(text: &str) -> Result<Certificate, CertificateError> {
    let end = text.lines().count() + 1;
    let mut lines = CertificateLines { lines: text.lines().enumerate(), end, sum: FNV_START };
    let first = format!("the first line of a certificate, \"{FIRST_LINE}\"");
    let (line, found) = lines.next_line(&first)?;
    if ![FIRST_LINE, FIRST_LINE_WITHOUT_CHECKSUM].contains(&found) {
        return Err(line_error(line, found, first));
    }
    let [width, height] = lines.read_numbers("size", "size WIDTH HEIGHT")?;
    let [empties] = lines.read_numbers("empties", "empties NUMBER")?;
    let [depth] = lines.read_numbers("depth", "depth NUMBER")?;
    lines.read_word_line("prices")?;
    // Numbers too large for their type are out of their range anyway.
    let clamp = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let (width, height, depth) = (clamp(width), clamp(height), clamp(depth));
    let mut certificate =
        Certificate { width, height, empties, depth, prices: Vec::new(), states: Vec::new() };
    certificate.check_numbers()?;
    certificate.prices = lines.read_prices(certificate.price_count())?;
    certificate.states = lines.read_states()?;
    if found == FIRST_LINE {
        lines.read_checksum()?;
    }
    match lines.lines.find(|(_, text)| !text.trim().is_empty()) {
        Some((line, found)) => Err(line_error(line + 1, found, "allowed after \"end\"".to_string())),
        None => Ok(certificate),
    }
}

/// FNV-1a of no bytes.
const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a, 64 bits, of what had the checksum `sum` with these bytes behind it.
fn extend_fnv(sum: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(sum, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// The lines of a certificate that are not read yet.
struct CertificateLines<'a> {
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    /// The number of the line after the last.
    end: usize,
    /// The checksum of the lines that were read, each with a line feed: however a copy ends its lines.
    sum: u64,
}

impl<'a> CertificateLines<'a> {
    fn next_line(&mut self, expected: &str) -> Result<(usize, &'a str), CertificateError> {
        let Some((line, text)) = self.lines.next() else {
            return Err(CertificateError::End { line: self.end, expected: expected.to_string() });
        };
        self.sum = extend_fnv(extend_fnv(self.sum, text.as_bytes()), b"\n");
        Ok((line + 1, text))
    }

    /// The line with the checksum of all lines before it.
    fn read_checksum(&mut self) -> Result<(), CertificateError> {
        let right = format!("checksum {:016x}", self.sum);
        let expected = format!("\"{right}\", the checksum of the lines before");
        let (line, text) = self.next_line(&expected)?;
        // As text: another way to write the same number is damage, too.
        if text == right { Ok(()) } else { Err(line_error(line, text, expected)) }
    }

    /// A line made of a word and `N` numbers.
    fn read_numbers<const N: usize>(&mut self, word: &str, form: &str) -> Result<[u64; N], CertificateError> {
        let expected = format!("a line \"{form}\"");
        let (line, text) = self.next_line(&expected)?;
        let mut words = text.split_ascii_whitespace();
        let numbers = match words.next() {
            Some(first) if first == word => words.map(parse_natural).collect::<Option<Vec<u64>>>(),
            _ => None,
        };
        numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| line_error(line, text, expected))
    }

    /// A line of one word.
    fn read_word_line(&mut self, word: &str) -> Result<(), CertificateError> {
        let [] = self.read_numbers(word, word)?;
        Ok(())
    }

    /// `count` prices and the line "states".
    fn read_prices(&mut self, count: usize) -> Result<Vec<i32>, CertificateError> {
        let mut prices = Vec::new();
        loop {
            let missing = count - prices.len();
            let expected = match missing {
                0 => format!("\"states\", after all {count} prices"),
                _ => format!("a price ({missing} more of {count}), -{MAX_PRICE} to {MAX_PRICE}"),
            };
            let (line, text) = self.next_line(&expected)?;
            if missing == 0 && text.trim_end() == "states" {
                return Ok(prices);
            }
            for word in text.split_ascii_whitespace() {
                match parse_price(word).filter(|_| prices.len() < count) {
                    Some(price) => prices.push(price),
                    None => return Err(line_error(line, word, expected)),
                }
            }
        }
    }
}

impl CertificateLines<'_> {
    /// Lines of states and the line "end".
    fn read_states(&mut self) -> Result<Vec<ListedState>, CertificateError> {
        let mut states: Vec<ListedState> = Vec::new();
        loop {
            let expected = "a line \"POINTS POTENTIAL STATE ...\", or \"end\"";
            let (line, text) = self.next_line(expected)?;
            if text.trim_end() == "end" {
                return Ok(states);
            }
            let more =
                parse_listed_states(text).ok_or_else(|| line_error(line, text, expected.to_string()))?;
            if states.len() + more.len() > MAX_STATES {
                return Err(line_error(
                    line,
                    text,
                    format!("\"end\": at most {MAX_STATES} states are listed"),
                ));
            }
            states.extend(more);
        }
    }
}

/// A line of states: points visited, a potential, and states with it.
fn parse_listed_states(text: &str) -> Option<Vec<ListedState>> {
    let mut words = text.split_ascii_whitespace();
    let after = parse_natural::<u32>(words.next()?)?;
    let potential = parse_natural::<u32>(words.next()?)?;
    let states = words.map(|word| parse_natural(word).map(|state| ListedState { after, potential, state }));
    states.collect::<Option<Vec<ListedState>>>().filter(|states| !states.is_empty())
}

/// Digits and nothing else: `parse` would allow a sign.
fn parse_natural<T: std::str::FromStr>(word: &str) -> Option<T> {
    if word.bytes().all(|byte| byte.is_ascii_digit()) { word.parse().ok() } else { None }
}

fn parse_price(word: &str) -> Option<i32> {
    parse_natural::<u64>(word.strip_prefix('-').unwrap_or(word))?;
    word.parse().ok().filter(|price: &i32| (-MAX_PRICE..=MAX_PRICE).contains(price))
}

fn line_error(line: usize, found: &str, expected: String) -> CertificateError {
    CertificateError::Line { line, found: found.chars().take(40).collect(), expected }
}

impl Certificate {
    /// Number of prices that the depth asks for.
    fn price_count(&self) -> usize {
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
        let states = self.price_count();
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

/// The format: 27 prices and at most 16 states a line.
impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = SummedText { out: f, sum: FNV_START };
        self.write_lines(&mut text)?;
        let sum = text.sum;
        writeln!(f, "checksum {sum:016x}")
    }
}

/// Passes a text on, and has the checksum of what was passed.
struct SummedText<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    sum: u64,
}

impl fmt::Write for SummedText<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.sum = extend_fnv(self.sum, text.as_bytes());
        self.out.write_str(text)
    }
}

impl Certificate {
    /// All lines but that of the checksum.
    fn write_lines(&self, out: &mut SummedText<'_, '_>) -> fmt::Result {
        writeln!(out, "{FIRST_LINE}\nsize {} {}", self.width, self.height)?;
        writeln!(out, "empties {}\ndepth {}\nprices", self.empties, self.depth)?;
        for row in self.prices.chunks(27) {
            let row: Vec<String> = row.iter().map(i32::to_string).collect();
            writeln!(out, "{}", row.join(" "))?;
        }
        writeln!(out, "states")?;
        let alike = |a: &ListedState, b: &ListedState| (a.after, a.potential) == (b.after, b.potential);
        for row in self.states.chunk_by(alike).flat_map(|group| group.chunks(16)) {
            write!(out, "{} {}", row[0].after, row[0].potential)?;
            row.iter().try_for_each(|listed| write!(out, " {}", listed.state))?;
            writeln!(out)?;
        }
        writeln!(out, "end")
    }
}

/// How far a check is. The checker uses no other code, so that it has its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckProgress {
    /// The potentials of the bands are evaluated.
    Bands {
        /// Points of both bands that the walks back have visited.
        done: usize,
        /// Points of both bands.
        total: usize,
    },
    /// The listed states are checked.
    States {
        /// Checked.
        done: usize,
        /// All.
        total: usize,
    },
}

/// Why a certificate proves nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum CertificateFault {
    /// The first state is not the start with the potential of the claim.
    #[error("the first state must be the start, \"0 {needed} 0\": that is what the claim means")]
    Start {
        /// The potential that the claim needs.
        needed: i64,
    },
    /// A listed state may lose less than its potential, for all that is known.
    #[error(
        "after {} points the state {} cannot have the potential {}: with point ({column}, {row}) {} the set, the state \
         that follows must still lose {needed}, but only {known} is known",
        listed.after, listed.state, listed.potential, if *member { "in" } else { "not in" }
    )]
    Potential {
        /// The state.
        listed: ListedState,
        /// The next point: its column from 1.
        column: usize,
        /// And its row from 1, from the top.
        row: usize,
        /// Is the next point in the set?
        member: bool,
        /// What must be known of the state that follows.
        needed: i64,
        /// What is known of it.
        known: i64,
    },
}

/// The answer of [`check_certificate`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CertificateVerdict {
    /// What is wrong; none if the claim is proved.
    pub fault: Option<CertificateFault>,
    /// States listed.
    pub states: usize,
    /// States listed after the point that has most.
    pub widest: usize,
    /// Points after which the last states are listed.
    pub reach: u32,
}

impl CertificateVerdict {
    /// Is the claim proved?
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.fault.is_none()
    }
}

/// Checks a certificate: every listed potential against both its moves. The observer may stop it.
///
/// ```
/// use ishi_certificate::{check_certificate, parse_certificate};
/// // A point of a row of three covers three: two points are not needed, but one is.
/// let text = "ishi-strings-certificate 2\nsize 3 1\nempties 1\ndepth 0\nprices\nstates\n0 0 0\nend\n";
/// let go_on = &mut |_| std::ops::ControlFlow::Continue(());
/// assert!(check_certificate(&parse_certificate(text).unwrap(), go_on).unwrap().is_accepted());
/// // "Two are needed" means that no set loses less than 3. Nothing listed says so.
/// let wrong = text.replace("empties 1", "empties 2").replace("0 0 0", "0 3 0");
/// assert!(!check_certificate(&parse_certificate(&wrong).unwrap(), go_on).unwrap().is_accepted());
/// ```
///
/// # Errors
/// The certificate's numbers are out of range, its board is too large for this checker, or the observer stopped it.
pub fn check_certificate(
    certificate: &Certificate,
    observer: &mut dyn FnMut(CheckProgress) -> ControlFlow<()>,
) -> Result<CertificateVerdict, CertificateError> {
    let (board, walk) = certificate.board_and_walk()?;
    certificate.check_states(&walk)?;
    let mut verdict =
        CertificateVerdict { fault: None, states: certificate.states.len(), widest: 0, reach: 0 };
    let start = ListedState {
        after: 0,
        potential: u32::try_from(certificate.needed_potential()).unwrap_or(u32::MAX),
        state: 0,
    };
    if certificate.states.first() != Some(&start) {
        verdict.fault = Some(CertificateFault::Start { needed: certificate.needed_potential() });
        return Ok(verdict);
    }
    let mut bands = VisitedBands::new(&board, &certificate.prices, observer)?;
    let layers: Vec<&[ListedState]> = certificate.states.chunk_by(|a, b| a.after == b.after).collect();
    let mut done = 0;
    for (place, &layer) in layers.iter().enumerate() {
        let after = layer[0].after as usize;
        verdict.widest = verdict.widest.max(layer.len());
        verdict.reach = layer[0].after;
        let next = layers.get(place + 1).filter(|next| next[0].after as usize == after + 1);
        // That no state is listed twice is checked.
        let next = potentials_by_state(next.copied().unwrap_or_default())?;
        let bound = bands.bound_after(&board, &walk, after + 1);
        verdict.fault = find_fault(&board, &walk, layer, &next, &bound);
        if verdict.fault.is_some() {
            return Ok(verdict);
        }
        done += layer.len();
        stop_on_break(observer(CheckProgress::States { done, total: certificate.states.len() }))?;
    }
    Ok(verdict)
}

/// The states after one point with their potentials, in the order of the states.
fn potentials_by_state(layer: &[ListedState]) -> Result<Vec<(u128, u32)>, CertificateError> {
    let mut known: Vec<(u128, u32)> = layer.iter().map(|listed| (listed.state, listed.potential)).collect();
    known.sort_unstable();
    match known.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => {
            let what = "is listed twice";
            Err(CertificateError::State { after: layer[0].after, state: pair[0].0, what })
        }
        None => Ok(known),
    }
}

/// The first of these states that may lose less than its potential, given what is listed and what is known otherwise of
/// the states after the next point.
fn find_fault(
    board: &CertificateBoard,
    walk: &BoardWalk,
    layer: &[ListedState],
    next: &[(u128, u32)],
    bound: &CertificateBound<'_>,
) -> Option<CertificateFault> {
    let step = &walk.steps[layer[0].after as usize];
    let moves = step.all_moves(3);
    for listed in layer {
        let mut digits = StateDigits::from_state(listed.state);
        for (member, option) in [false, true].into_iter().zip(moves[digits.neighbour_number(step)]) {
            // Without a way to go on there is nothing to lose.
            let Some(option) = option else { continue };
            let state = listed.state.wrapping_add(option.add);
            let needed = i64::from(listed.potential) - i64::from(option.loss);
            let at = next.binary_search_by_key(&state, |known| known.0);
            let listed_as = at.map_or(0, |at| i64::from(next[at].1));
            if listed_as >= needed {
                continue;
            }
            digits.set_state(state);
            let Some(unlisted) = bound.potential(&digits) else { continue };
            let known = unlisted.max(listed_as);
            if known < needed {
                let (x, y) = board.coordinates(step.point);
                let (column, row) = (x + 1, y + 1);
                return Some(CertificateFault::Potential {
                    listed: *listed,
                    column,
                    row,
                    member,
                    needed,
                    known,
                });
            }
        }
    }
    None
}

/// The digits of a state, by slot.
#[derive(Clone)]
struct StateDigits([u8; 64]);

impl StateDigits {
    fn from_state(state: u128) -> StateDigits {
        let mut digits = StateDigits([0; 64]);
        digits.set_state(state);
        digits
    }

    fn set_state(&mut self, state: u128) {
        // 3^32 fits in 64 bits, where divisions are quick.
        const HALF: u128 = 3u128.pow(32);
        let mut halves = [state % HALF, state / HALF].map(|half| half as u64);
        for (half, digits) in halves.iter_mut().zip(self.0.chunks_mut(32)) {
            for digit in digits {
                *digit = (*half % 3) as u8;
                *half /= 3;
            }
        }
    }

    /// The digits of the step's neighbours as a number, the first lowest.
    fn neighbour_number(&self, step: &WalkStep) -> usize {
        step.near.iter().rev().fold(0, |number, &(slot, _)| 3 * number + usize::from(self.0[slot]))
    }
}

/// Is a board of this size small enough for a certificate? Whoever makes one asks before the work.
///
/// ```
/// use ishi_certificate::check_board_size;
/// assert!(check_board_size(64, 64).is_ok() && check_board_size(65, 65).is_err());
/// ```
///
/// # Errors
/// [`CertificateError::TooLarge`], or a side is out of its range.
pub fn check_board_size(width: u32, height: u32) -> Result<(), CertificateError> {
    let blank = Certificate { width, height, empties: 0, depth: 0, prices: Vec::new(), states: Vec::new() };
    blank.board_and_walk().map(drop)
}

impl Certificate {
    /// The potential of the start that the claim means: one more than the loss of a set of fewer points.
    fn needed_potential(&self) -> i64 {
        let cells = i64::from(self.width) * i64::from(self.height);
        (5 * (self.empties as i64 - 1) - cells + 1).max(0)
    }

    /// The board and the walk over it.
    fn board_and_walk(&self) -> Result<(CertificateBoard, BoardWalk), CertificateError> {
        self.check_numbers()?;
        self.check_prices()?;
        let (width, height) = (self.width as usize, self.height as usize);
        let board = CertificateBoard { width, height, depth: self.depth as usize };
        if i64::from(self.width) * i64::from(self.height) > MAX_CELLS {
            return Err(CertificateError::TooLarge { width, height });
        }
        let walk = BoardWalk::new(&board, &board.sweep_order(), &[]);
        if walk.max_slots() > 64 {
            return Err(CertificateError::TooLarge { width, height });
        }
        Ok((board, walk))
    }

    /// Are the listed states in order, and states of this board?
    fn check_states(&self, walk: &BoardWalk) -> Result<(), CertificateError> {
        let wrong = |listed: &ListedState, what| {
            Err(CertificateError::State { after: listed.after, state: listed.state, what })
        };
        if let Some(pair) = self.states.windows(2).find(|pair| pair[0] >= pair[1]) {
            return wrong(&pair[1], "is not in its place: points, potentials, states must ascend");
        }
        for layer in self.states.chunk_by(|a, b| a.after == b.after) {
            potentials_by_state(layer)?;
        }
        for listed in &self.states {
            if listed.after as usize >= walk.steps.len() {
                return wrong(listed, "is after the last point");
            }
            if i64::from(listed.potential) > MAX_POTENTIAL {
                return wrong(listed, "has too large a potential");
            }
            let frontier = &walk.frontiers[listed.after as usize];
            // All 64 digits: what is larger has a remainder.
            let digits = StateDigits::from_state(listed.state);
            let is_used = |slot: usize| frontier.get(slot).is_some_and(Option::is_some);
            if listed.state >= 3u128.pow(64) || (0..64).any(|slot| digits.0[slot] > 0 && !is_used(slot)) {
                return wrong(listed, "has a digit where the frontier has no point");
            }
        }
        Ok(())
    }
}

/// A rectangle of points, numbered row by row, and the depth of its bands.
struct CertificateBoard {
    width: usize,
    height: usize,
    depth: usize,
}

/// The two bands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CertificateSide {
    /// Along the top and the right side.
    Right,
    /// Along the left side and the bottom.
    Left,
}

impl CertificateBoard {
    fn point_number(&self, x: usize, y: usize) -> usize {
        y * self.width + x
    }

    fn coordinates(&self, point: usize) -> (usize, usize) {
        (point % self.width, point / self.width)
    }

    /// Up to four points, those on the board.
    fn neighbours(&self, point: usize) -> Vec<usize> {
        let (x, y) = self.coordinates(point);
        let mut near = Vec::with_capacity(4);
        for (x, y) in [(x.wrapping_sub(1), y), (x, y.wrapping_sub(1)), (x + 1, y), (x, y + 1)] {
            if x < self.width && y < self.height {
                near.push(self.point_number(x, y));
            }
        }
        near
    }

    fn antidiagonal(&self, point: usize) -> usize {
        let (x, y) = self.coordinates(point);
        x + y
    }

    /// All points in the order of the sweep.
    fn sweep_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.width * self.height).collect();
        order.sort_by_key(|&point| (self.antidiagonal(point), self.coordinates(point).0));
        order
    }

    /// The band of a point: every point of a band belongs to exactly one.
    fn band_side(&self, point: usize) -> Option<CertificateSide> {
        let (x, y) = self.coordinates(point);
        let (left, top) = (x < self.depth, y < self.depth);
        let (right, bottom) = (x + self.depth >= self.width, y + self.depth >= self.height);
        let is_right = match (left, top, right, bottom) {
            (false, false, false, false) => return None,
            (true, true, _, _) => x >= y,
            (_, _, true, true) => x + self.height >= y + self.width,
            _ => top || right,
        };
        Some(if is_right { CertificateSide::Right } else { CertificateSide::Left })
    }

    /// The last antidiagonal with potentials.
    fn last_bounded_antidiagonal(&self) -> usize {
        self.width + self.height - 2 * self.depth - 1
    }

    /// The points of a band in the order of its walk: with the sweep as long as there are potentials, then towards
    /// the corner, the right band row by row, the left band column by column.
    fn band_order(&self, side: CertificateSide) -> Vec<usize> {
        let mut order = self.sweep_order();
        order.retain(|&point| self.band_side(point) == Some(side));
        let with_sweep = order
            .iter()
            .filter(|&&point| self.antidiagonal(point) <= self.last_bounded_antidiagonal())
            .count();
        order[with_sweep..].sort_by_key(|&point| match (side, self.coordinates(point)) {
            (CertificateSide::Right, (x, y)) => (y, x),
            (CertificateSide::Left, (x, y)) => (x, y),
        });
        order
    }

    /// The points of a band for the rest of the sweep, in its order: all that are visited or have a visited neighbour
    /// when the last antidiagonal with the potentials of [`CertificateBoard::band_order`] is visited, and all after them.
    fn late_band_order(&self, side: CertificateSide) -> Vec<usize> {
        let mut order = self.sweep_order();
        let is_late = |point: usize| self.antidiagonal(point) + 1 >= self.last_bounded_antidiagonal();
        order.retain(|&point| self.band_side(point) == Some(side) && is_late(point));
        order
    }

    /// The last frontier of a band's walk: the points `c_s` or `y_s`, for `s` from 0.
    fn seam_points(&self, side: CertificateSide) -> Vec<usize> {
        let column = match side {
            CertificateSide::Right => self.width - 1,
            CertificateSide::Left => self.width - 2,
        };
        (0..self.depth).map(|s| self.point_number(column - s, self.height - 1 - s)).collect()
    }

    /// Both bands with their potentials, the right one first, and both again for the rest of the points.
    fn compute_bands(
        &self,
        prices: &[i32],
        observer: &mut dyn FnMut(CheckProgress) -> ControlFlow<()>,
    ) -> Result<Vec<PotentialBand>, CertificateError> {
        let walks = [
            (
                self.band_order(CertificateSide::Right),
                self.seam_points(CertificateSide::Right),
                prices.to_vec(),
            ),
            (
                self.band_order(CertificateSide::Left),
                self.seam_points(CertificateSide::Left),
                left_band_ends(self.depth, prices),
            ),
            (self.late_band_order(CertificateSide::Right), Vec::new(), vec![0]),
            (self.late_band_order(CertificateSide::Left), Vec::new(), vec![0]),
        ];
        let total = walks.iter().map(|(order, ..)| order.len()).sum();
        let mut done = 0;
        let mut observer = || {
            done += 1;
            stop_on_break(observer(CheckProgress::Bands { done: done - 1, total }))
        };
        let mut bands = Vec::new();
        for (order, seam, ends) in &walks {
            bands.push(PotentialBand::new(BoardWalk::new(self, order, seam), seam, ends, &mut observer)?);
        }
        Ok(bands)
    }
}

fn stop_on_break(flow: ControlFlow<()>) -> Result<(), CertificateError> {
    if flow.is_break() { Err(CertificateError::Stopped) } else { Ok(()) }
}

/// What becomes of a visited point at a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PointFate {
    /// It stays in the frontier.
    Stays,
    /// It leaves, and must be covered by then.
    Needs,
    /// It leaves, and a neighbour outside the walk may cover it.
    Free,
}

/// A visit to one point.
struct WalkStep {
    point: usize,
    /// Its sides that are off the board.
    off: u32,
    /// Slot and fate of its neighbours visited before.
    near: Vec<(usize, PointFate)>,
    /// Its own slot, and fate: a point without later neighbours leaves at once.
    own: (usize, PointFate),
}

/// A way to go on from a state: `add` (wrapping) turns the number of the state into that of the next.
#[derive(Clone, Copy)]
struct WalkMove {
    loss: u32,
    add: u128,
}

impl WalkStep {
    /// Decides whether the point is a member, for given digits of `near`; states are numbers of this radix, a slot is
    /// a place in them, and free slots hold 0. None if a point leaves uncovered that must not.
    fn decide_point(&self, digits: &[u32], member: bool, radix: u128) -> Option<WalkMove> {
        let members = count_digits(digits, |digit| digit == 2);
        // A member is over-covered by every member beside it, and over-covers every covered point beside it. Another
        // point is covered once for nothing.
        let (digit, loss) = match member {
            true => (2, self.off + members + count_digits(digits, |digit| digit >= 1)),
            false => (members.min(1), members.saturating_sub(1)),
        };
        let mut add = 0u128;
        let near = self.near.iter().zip(digits);
        let near = near.map(|(&slot, &old)| (slot, old, if member { old.max(1) } else { old }));
        for ((slot, fate), old, new) in near.chain([(self.own, 0, digit)]) {
            if fate == PointFate::Needs && new == 0 {
                return None;
            }
            let stays = if fate == PointFate::Stays { new } else { 0 };
            let weight = |digit: u32| u128::from(digit).wrapping_mul(radix.wrapping_pow(slot as u32));
            add = add.wrapping_add(weight(stays)).wrapping_sub(weight(old));
        }
        Some(WalkMove { loss, add })
    }

    /// [`WalkStep::decide_point`] for all digits of `near`, the first lowest: not a member, and a member.
    fn all_moves(&self, radix: u128) -> Vec<[Option<WalkMove>; 2]> {
        let states = 0..3u32.pow(self.near.len() as u32);
        let digits =
            states.map(|state| (0..self.near.len() as u32).map(|i| state / 3u32.pow(i) % 3).collect());
        digits
            .map(|digits: Vec<u32>| [false, true].map(|member| self.decide_point(&digits, member, radix)))
            .collect()
    }

    /// The doubled potentials before this step from those after it: the least over both moves.
    fn potentials_before(&self, frontier: &[Option<usize>], after: &[i32]) -> Vec<i32> {
        let moves = self.all_moves(3);
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

fn count_digits(digits: &[u32], is: impl Fn(u32) -> bool) -> u32 {
    digits.iter().map(|&digit| u32::from(is(digit))).sum()
}

/// A walk over points in a given order, with a slot of the state for every point of its frontier.
struct BoardWalk {
    steps: Vec<WalkStep>,
    /// Before each step and after the last: the point in each slot; the last slot is not empty.
    frontiers: Vec<Vec<Option<usize>>>,
}

impl BoardWalk {
    /// The points `kept` never leave the frontier.
    fn new(board: &CertificateBoard, order: &[usize], kept: &[usize]) -> BoardWalk {
        let mut times = vec![None; board.width * board.height];
        for (time, &point) in order.iter().enumerate() {
            times[point] = Some(time);
        }
        let fate = |point: usize, now: usize| {
            let near = board.neighbours(point);
            match near.iter().filter_map(|&near| times[near]).max() {
                _ if kept.contains(&point) => PointFate::Stays,
                Some(last) if last > now => PointFate::Stays,
                _ if near.iter().any(|&near| times[near].is_none()) => PointFate::Free,
                _ => PointFate::Needs,
            }
        };
        let mut frontier: Vec<Option<usize>> = Vec::new();
        let mut walk = BoardWalk { steps: Vec::new(), frontiers: vec![Vec::new()] };
        for (now, &point) in order.iter().enumerate() {
            let neighbours = board.neighbours(point);
            let off = 4 - neighbours.len() as u32;
            let mut near = Vec::new();
            for &neighbour in neighbours.iter().filter(|&&near| times[near].is_some_and(|time| time < now)) {
                let slot = frontier.iter().position(|&point| point == Some(neighbour));
                near.extend(slot.map(|slot| (slot, fate(neighbour, now))));
            }
            for &(slot, _) in near.iter().filter(|&&(_, fate)| fate != PointFate::Stays) {
                frontier[slot] = None;
            }
            let mut own = (0, fate(point, now));
            if own.1 == PointFate::Stays {
                own.0 = frontier.iter().position(Option::is_none).unwrap_or(frontier.len());
                frontier.resize(frontier.len().max(own.0 + 1), None);
                frontier[own.0] = Some(point);
            }
            frontier.truncate(frontier.iter().rposition(Option::is_some).map_or(0, |last| last + 1));
            walk.steps.push(WalkStep { point, off, near, own });
            walk.frontiers.push(frontier.clone());
        }
        walk
    }

    /// Slots of its widest frontier.
    fn max_slots(&self) -> usize {
        self.frontiers.iter().map(Vec::len).max().unwrap_or(0)
    }
}

/// For every state of the `y_s`, the doubled loss that the left band ends with: the least of `2 couple(c, y) -
/// price(c)` over all `c`, where `couple(c, y)` is the loss between the digits of both. The digits of `c` are replaced
/// by those of `y` one by one; what `c_s` and `y_s` lose is known when `y_(s-1)`, `c_s`, `y_s` and `c_(s+1)` are.
fn left_band_ends(depth: usize, prices: &[i32]) -> Vec<i32> {
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
                    let right = excess_cover(c, below + u32::from(y == 2), true)?;
                    // What is above the last of the y is in neither band and may cover it.
                    let left = excess_cover(y, members, s + 1 < depth)?;
                    Some(old[c as usize] + 2 * (right + left) as i32)
                });
                ends[state + y as usize * weight] = options.min().unwrap_or(NEVER);
            }
        }
    }
    ends
}

/// How often a point is covered too much by so many more members beside it; none if it must be covered and is not.
fn excess_cover(digit: u32, members: u32, needs: bool) -> Option<u32> {
    match digit.min(1) + members {
        0 if needs => None,
        covered => Some(covered.saturating_sub(1)),
    }
}

/// A state of a band from which the band cannot be completed.
const NEVER: i32 = i32::MAX;

/// A band and its doubled potentials. Tables are kept at every `stride`th step, those between are computed again when
/// they are needed: memory grows with the root of the number of steps.
struct PotentialBand {
    walk: BoardWalk,
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

impl PotentialBand {
    /// The potentials after the last step are `ends`, where the digit of `seam[s]` counts `3^s`.
    fn new(
        walk: BoardWalk,
        seam: &[usize],
        ends: &[i32],
        observer: &mut dyn FnMut() -> Result<(), CertificateError>,
    ) -> Result<PotentialBand, CertificateError> {
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
            table = walk.steps[step].potentials_before(&walk.frontiers[step], &table);
            if step.is_multiple_of(stride) {
                kept.push(table.clone());
            }
        }
        kept.reverse();
        Ok(PotentialBand { walk, visited: 0, stride, kept, block: Vec::new(), first: 0 })
    }

    /// The sweep visits a point, of this band or not.
    fn visit_point(&mut self, point: usize) {
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
                let before = self.walk.steps[step].potentials_before(&self.walk.frontiers[step], &table);
                self.block.push(std::mem::replace(&mut table, before));
            }
            self.block.push(table);
            self.block.reverse();
        }
        &self.block[visited - self.first]
    }
}

/// The bands, as far as the points are visited: what is known of states that are not listed.
struct VisitedBands {
    /// The bands as [`CertificateBoard::compute_bands`] gives them, or none.
    bands: Vec<PotentialBand>,
    visited: usize,
}

impl VisitedBands {
    fn new(
        board: &CertificateBoard,
        prices: &[i32],
        observer: &mut dyn FnMut(CheckProgress) -> ControlFlow<()>,
    ) -> Result<VisitedBands, CertificateError> {
        let bands = if board.depth > 0 { board.compute_bands(prices, observer)? } else { Vec::new() };
        Ok(VisitedBands { bands, visited: 0 })
    }

    /// The potentials of states after so many points of the walk, not fewer than before.
    fn bound_after(
        &mut self,
        board: &CertificateBoard,
        walk: &BoardWalk,
        visited: usize,
    ) -> CertificateBound<'_> {
        for step in &walk.steps[self.visited..visited] {
            self.bands.iter_mut().for_each(|band| band.visit_point(step.point));
        }
        self.visited = visited;
        let is_late = board.antidiagonal(walk.steps[visited - 1].point) > board.last_bounded_antidiagonal();
        let pair = match &mut self.bands[..] {
            [_, _, right, left] if is_late => Some([right, left]),
            [right, left, ..] => Some([right, left]),
            _ => None,
        };
        let tables = pair.map(|bands| bands.map(|band| (band.frontier().to_vec(), band.potentials())));
        CertificateBound::new(&walk.frontiers[visited], tables)
    }
}

/// The frontier of a band, and the doubled potentials of its states.
type BandTable<'a> = (Vec<Option<usize>>, &'a [i32]);

/// The potentials of all states of one frontier, from the tables of the two bands.
struct CertificateBound<'a> {
    /// What a digit of each slot adds to the numbers of the two bands' states.
    weights: Vec<[usize; 2]>,
    tables: Option<[&'a [i32]; 2]>,
}

impl<'a> CertificateBound<'a> {
    /// For a frontier of the board, and of each band its frontier and its table.
    fn new(frontier: &[Option<usize>], bands: Option<[BandTable<'a>; 2]>) -> CertificateBound<'a> {
        let mut weights = vec![[0; 2]; frontier.len()];
        for (side, (points, _)) in bands.iter().flatten().enumerate() {
            for (place, point) in points.iter().enumerate().filter(|(_, point)| point.is_some()) {
                for slot in (0..frontier.len()).filter(|&slot| frontier[slot] == *point) {
                    weights[slot][side] = 3usize.pow(place as u32);
                }
            }
        }
        CertificateBound { weights, tables: bands.map(|bands| bands.map(|(_, table)| table)) }
    }

    /// No completion loses less; none if there is no completion.
    fn potential(&self, digits: &StateDigits) -> Option<i64> {
        let Some(tables) = self.tables else { return Some(0) };
        let mut numbers = [0; 2];
        for (weights, &digit) in self.weights.iter().zip(&digits.0) {
            for (number, weight) in numbers.iter_mut().zip(weights) {
                *number += weight * usize::from(digit);
            }
        }
        let [right, left] = [tables[0][numbers[0]], tables[1][numbers[1]]];
        // A loss is a whole number: half a unit rounds up.
        let is_possible = right != NEVER && left != NEVER;
        is_possible.then(|| (i64::from(right) + i64::from(left) + 1).div_euclid(2).max(0))
    }
}

mod prover;

pub use prover::{ListingStep, ProverError, list_states};

#[cfg(test)]
mod tests;
