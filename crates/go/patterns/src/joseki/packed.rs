//! Joseki in little more than a byte a move.
//!
//! The graph is written in the order of its text: each position once, its moves by count, what follows a move right behind it. Every
//! part of a move is a symbol with adaptive probabilities (range coding, G. N. N. Martin, "Range encoding: an algorithm for removing
//! redundancy from a digitised message", 1979; the crate `constriction`): the point by where such moves are in corners and how they
//! lie to the move before, the count by that of the move before or of its sibling.
//!
//! Numbers are rounded ([`rounded`]): counts to half octaves, scores to two standard deviations, years to four classes of age.

use std::fmt;

use constriction::stream::model::DefaultContiguousCategoricalEntropyModel as Categorical;
use constriction::stream::queue::{DefaultRangeDecoder, DefaultRangeEncoder};
use constriction::stream::{Decode, Encode};
use ishi_go::Color;

use super::book::{Joseki, Kind, Stats, here};
use super::corner::{CornerBoard, CornerMove, CornerPoint, LINES, POINTS};

const MAGIC: &[u8] = b"ishi-joseki-packed 1\n";

/// Why bytes are no joseki.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackError(&'static str);

impl fmt::Display for PackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no packed joseki: {}; `ishi go learn-joseki --out` writes them", self.0)
    }
}

impl std::error::Error for PackError {}

/// Years of the classes of age: so old at most, counted from the newest move.
const AGES: [u16; 4] = [0, 2, 6, 12];
/// The largest class of counts: 2^31 and more.
const CLASSES: usize = 64;
/// Classes of scores: so many steps of two standard deviations on either side of the half.
const SCORES: usize = 2;
/// The most branches of one position that are told apart; a position has 200 moves at most.
const MOST: usize = 2 * POINTS;

/// Half octaves from 4 on, single numbers below.
fn class_of(count: u32) -> usize {
    if count <= 4 { count as usize } else { 4 + (2.0 * (f64::from(count) / 4.0).log2()).round() as usize }
}

fn count_of(class: usize) -> u32 {
    if class <= 4 { class as u32 } else { (4.0 * 2_f64.powf((class - 4) as f64 / 2.0)).round() as u32 }
}

/// Results of fewer games say nothing, and are not kept.
const SAYING: u32 = 11;

/// The score's distance from the half in steps of two standard deviations, from 0.
fn score_class(count: u32, score: u32) -> usize {
    if count < SAYING {
        return SCORES;
    }
    let (half, step) = (f64::from(count), score_step(count));
    let steps = ((f64::from(score) - half) / step).round().clamp(-(SCORES as f64), SCORES as f64);
    (steps + SCORES as f64) as usize
}

fn score_of(count: u32, class: usize) -> u32 {
    let score = f64::from(count) + (class as f64 - SCORES as f64) * score_step(count);
    score.round().clamp(0.0, f64::from(2 * count)) as u32
}

/// Two standard deviations of the score of so many fair games.
fn score_step(count: u32) -> f64 {
    2.0 * f64::from(count.max(1)).sqrt()
}

fn age_class(year: u16, newest: u16) -> usize {
    let age = newest.saturating_sub(year);
    AGES.iter().rposition(|&from| age >= from).unwrap_or(0)
}

fn newest(joseki: &Joseki) -> u16 {
    let branches = joseki.nodes().iter().flat_map(|node| &node.branches);
    branches.map(|branch| branch.stats.year).max().unwrap_or(0)
}

/// The numbers as the packed form keeps them; what is rounded stays as it is when rounded again.
pub fn rounded(joseki: &Joseki) -> Joseki {
    let newest = newest(joseki);
    joseki.map(|Stats { count, score, year }| {
        let kept = count_of(class_of(count));
        Stats {
            count: kept,
            score: score_of(kept, if kept < SAYING { SCORES } else { score_class(count, score) }),
            year: newest.saturating_sub(AGES[age_class(year, newest)]),
        }
    })
}

/// Frequencies of symbols that learn as they go.
#[derive(Clone, Debug)]
struct Frequencies(Vec<f64>);

impl Frequencies {
    fn new(symbols: usize) -> Frequencies {
        Frequencies(vec![0.03; symbols])
    }

    fn learn(&mut self, symbol: usize) {
        self.0[symbol] += 1.0;
    }
}

/// A table of [`Frequencies`], one for every context.
#[derive(Clone, Debug)]
struct Contexts(Vec<Frequencies>);

impl Contexts {
    fn new(contexts: usize, symbols: usize) -> Contexts {
        Contexts(vec![Frequencies::new(symbols); contexts])
    }

    fn at(&mut self, context: usize) -> &mut Frequencies {
        let last = self.0.len() - 1;
        &mut self.0[context.min(last)]
    }
}

/// How often moves of a shape were played where they could be, by shape: a table, as every move asks a hundred of them.
#[derive(Clone, Debug)]
struct Shapes(Vec<(f64, f64)>);

impl Shapes {
    fn new() -> Shapes {
        Shapes(vec![(0.0, 0.0); 1 << u16::BITS])
    }

    fn weight(&self, shape: u16) -> f64 {
        let (played, offered) = self.0[usize::from(shape)];
        (played + 0.03) / (offered + 1.0)
    }

    fn learn(&mut self, offered: &[u16], played: u16) {
        for &shape in offered {
            self.0[usize::from(shape)].1 += 1.0;
        }
        self.0[usize::from(played)].0 += 1.0;
    }
}

/// The eight neighbours of a point, as if Black played there.
fn shape(board: &CornerBoard, color: Color, point: CornerPoint) -> u16 {
    let code = board.board().neighbourhood(point.on_board()).0;
    if color == Color::Black {
        return code;
    }
    // Two bits a neighbour: 01 is Black, 10 is White, 11 the border.
    let (low, high) = (code & 0x5555, code >> 1 & 0x5555);
    high | low << 1
}

/// Writes or reads symbols: the same walk does both.
trait Coder {
    /// Codes a symbol of these weights; `symbol` is what to write and means nothing when reading.
    fn code(&mut self, weights: &[f64], symbol: usize) -> Result<usize, PackError>;
}

struct Writer(DefaultRangeEncoder);
struct Reader(DefaultRangeDecoder);

fn categorical(weights: &[f64]) -> Categorical {
    let total: f64 = weights.iter().sum();
    let shares: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
    Categorical::from_floating_point_probabilities_fast(&shares, None).expect("weights are positive")
}

impl Coder for Writer {
    fn code(&mut self, weights: &[f64], symbol: usize) -> Result<usize, PackError> {
        if weights.len() > 1 {
            self.0.encode_symbol(symbol, categorical(weights)).expect("a symbol of the model");
        }
        Ok(symbol)
    }
}

impl Coder for Reader {
    fn code(&mut self, weights: &[f64], _: usize) -> Result<usize, PackError> {
        if weights.len() <= 1 {
            return Ok(0);
        }
        self.0.decode_symbol(categorical(weights)).map_err(|_| PackError("the bytes are damaged"))
    }
}

/// One move as it is coded.
#[derive(Clone, Copy, Debug)]
struct Packed {
    mv: CornerMove,
    kind: Kind,
    class: usize,
    score: usize,
    age: usize,
}

impl Packed {
    /// What stands for the move that leads to the empty corner, and for moves still to be read.
    fn none() -> Packed {
        let point = CornerPoint::from_index(0).expect("a point");
        let mv = CornerMove { color: Color::White, point };
        Packed { mv, kind: Kind::Normal, class: CLASSES - 1, score: SCORES, age: 0 }
    }
}

/// All that has been learned of the symbols so far.
struct Model {
    branches: Contexts,
    again: Contexts,
    point: Frequencies,
    offset: Contexts,
    shapes: Shapes,
    kind: Contexts,
    first_class: Contexts,
    next_class: Contexts,
    score: Contexts,
    age: Contexts,
}

/// Offsets of a move from the one before, in columns and rows.
const OFFSETS: usize = 2 * LINES - 1;

impl Model {
    fn new() -> Model {
        Model {
            branches: Contexts::new(CLASSES, MOST + 1),
            again: Contexts::new(2, 2),
            point: Frequencies::new(POINTS),
            offset: Contexts::new(3, OFFSETS * OFFSETS),
            shapes: Shapes::new(),
            kind: Contexts::new(2 * CLASSES, Kind::ALL.len()),
            first_class: Contexts::new(CLASSES, CLASSES),
            next_class: Contexts::new(CLASSES, CLASSES),
            score: Contexts::new(Kind::ALL.len() * CLASSES, 2 * SCORES + 1),
            age: Contexts::new(CLASSES * AGES.len(), AGES.len()),
        }
    }

    /// Codes with frequencies, and learns.
    fn symbol(
        coder: &mut impl Coder,
        frequencies: &mut Frequencies,
        symbol: usize,
    ) -> Result<usize, PackError> {
        let symbol = coder.code(&frequencies.0, symbol)?;
        frequencies.learn(symbol);
        Ok(symbol)
    }

    /// How many moves a position has, after the move `parent`.
    fn count(&mut self, coder: &mut impl Coder, parent: Packed, branches: usize) -> Result<usize, PackError> {
        Model::symbol(coder, self.branches.at(parent.class), branches)
    }

    /// A move of a position, after the move `parent` and a sibling that is played more often.
    fn branch(
        &mut self,
        coder: &mut impl Coder,
        board: &CornerBoard,
        used: &[CornerMove],
        (parent, sibling): (Packed, Option<Packed>),
        packed: Packed,
    ) -> Result<Packed, PackError> {
        let (color, is_again) = self.color(coder, board, packed.mv.color)?;
        let point = self.place(coder, board, used, color, is_again, packed.mv.point)?;
        let class = match sibling {
            None => Model::symbol(coder, self.first_class.at(parent.class), packed.class)?,
            Some(sibling) => Model::symbol(coder, self.next_class.at(sibling.class), packed.class)?,
        };
        let context = class + if is_again { CLASSES } else { 0 };
        let kind = Model::symbol(coder, self.kind.at(context), packed.kind as usize)?;
        let score = if count_of(class) < SAYING {
            SCORES
        } else {
            Model::symbol(coder, self.score.at(kind * CLASSES + class), packed.score)?
        };
        let age = Model::symbol(coder, self.age.at(class * AGES.len() + parent.age), packed.age)?;
        Ok(Packed { mv: CornerMove { color, point }, kind: Kind::ALL[kind], class, score, age })
    }

    /// The colour, and whether it is that of the move before.
    fn color(
        &mut self,
        coder: &mut impl Coder,
        board: &CornerBoard,
        color: Color,
    ) -> Result<(Color, bool), PackError> {
        let last = board.last().map(|last| last.color);
        let expected = last.map_or(Color::Black, |last| !last);
        let again =
            Model::symbol(coder, self.again.at(usize::from(last.is_some())), usize::from(color != expected))?;
        Ok(if again == 1 { (!expected, last.is_some()) } else { (expected, false) })
    }

    /// The point: by how often moves are there and how often they lie so to the move before, among those that are possible.
    fn place(
        &mut self,
        coder: &mut impl Coder,
        board: &CornerBoard,
        used: &[CornerMove],
        color: Color,
        is_again: bool,
        point: CornerPoint,
    ) -> Result<CornerPoint, PackError> {
        let offsets = self.offset.at(if board.last().is_some() { 1 + usize::from(is_again) } else { 0 });
        let free: Vec<CornerPoint> = (0..POINTS)
            .filter_map(CornerPoint::from_index)
            .filter(|&point| board.is_empty(point) && !used.contains(&CornerMove { color, point }))
            .collect();
        let shapes: Vec<u16> = free.iter().map(|&point| shape(board, color, point)).collect();
        let weight = |(&to, shape): (&CornerPoint, &u16)| {
            // Roots, as the three know much of the same.
            (self.point.0[to.index()] * offsets.0[offset(board, to)] * self.shapes.weight(*shape)).sqrt()
        };
        let weights: Vec<f64> = free.iter().zip(&shapes).map(weight).collect();
        let symbol = free.iter().position(|&other| other == point).unwrap_or(0);
        let chosen = coder.code(&weights, symbol)?;
        let point = *free.get(chosen).ok_or(PackError("a move where there is no room"))?;
        offsets.learn(offset(board, point));
        self.point.learn(point.index());
        self.shapes.learn(&shapes, shapes[chosen]);
        Ok(point)
    }
}

fn offset(board: &CornerBoard, to: CornerPoint) -> usize {
    let Some(last) = board.last() else { return 0 };
    let columns = LINES - 1 + to.column() - last.point.column();
    let rows = LINES - 1 + to.row() - last.point.row();
    rows * OFFSETS + columns
}

/// Packs joseki, rounded.
pub fn pack(joseki: &Joseki) -> Vec<u8> {
    let joseki = rounded(joseki);
    let newest = newest(&joseki);
    let mut bytes = MAGIC.to_vec();
    bytes.extend(newest.to_le_bytes());
    let mut writing =
        Writing { joseki: &joseki, newest, coder: Writer(DefaultRangeEncoder::new()), model: Model::new() };
    let mut written = vec![false; joseki.nodes().len()];
    writing.node(&CornerBoard::default(), 0, Packed::none(), &mut written);
    let words = writing.coder.0.into_compressed().expect("memory is there");
    words.iter().for_each(|word: &u32| bytes.extend(word.to_le_bytes()));
    let sum = crate::table::checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

struct Writing<'a> {
    joseki: &'a Joseki,
    newest: u16,
    coder: Writer,
    model: Model,
}

impl Writing<'_> {
    fn node(&mut self, board: &CornerBoard, node: usize, parent: Packed, written: &mut [bool]) {
        if std::mem::replace(&mut written[node], true) {
            return;
        }
        let branches = &self.joseki.nodes()[node].branches;
        let fine = "writing does not fail";
        self.model.count(&mut self.coder, parent, branches.len()).expect(fine);
        let (mut used, mut sibling) = (Vec::new(), None);
        for branch in branches {
            let Stats { count, score, year } = branch.stats;
            let mv = here(board.corner(), branch.mv);
            let packed = Packed {
                mv,
                kind: branch.kind,
                class: class_of(count),
                score: score_class(count, score),
                age: age_class(year, self.newest),
            };
            self.model.branch(&mut self.coder, board, &used, (parent, sibling), packed).expect(fine);
            used.push(mv);
            sibling = Some(packed);
            let mut after = board.clone();
            assert!(after.play(mv), "a move of the graph is legal");
            self.node(&after, branch.to, packed, written);
        }
    }
}

/// Do the bytes begin as packed joseki do?
pub fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Unpacks joseki.
///
/// # Errors
/// If the bytes are not what [`pack`] writes.
pub fn unpack(bytes: &[u8]) -> Result<Joseki, PackError> {
    if !is_packed(bytes) {
        return Err(PackError("it does not begin as one"));
    }
    let (body, sum) = bytes.split_last_chunk::<8>().ok_or(PackError("it is too short"))?;
    if u64::from_le_bytes(*sum) != crate::table::checksum(body) {
        return Err(PackError("the checksum is wrong"));
    }
    let too_short = PackError("it is too short");
    let rest = body.strip_prefix(MAGIC).ok_or_else(|| too_short.clone())?;
    let (newest, rest) = rest.split_first_chunk::<2>().ok_or(too_short)?;
    let (words, []) = rest.as_chunks() else { return Err(PackError("its words are not whole")) };
    let words: Vec<u32> = words.iter().map(|&word| u32::from_le_bytes(word)).collect();
    let decoder =
        DefaultRangeDecoder::from_compressed(words).map_err(|_| PackError("the bytes are damaged"))?;
    let mut reading = Reading {
        joseki: Joseki::default(),
        newest: u16::from_le_bytes(*newest),
        coder: Reader(decoder),
        model: Model::new(),
        read: std::collections::HashSet::new(),
    };
    reading.node(&CornerBoard::default(), Packed::none())?;
    Ok(reading.joseki)
}

struct Reading {
    joseki: Joseki,
    newest: u16,
    coder: Reader,
    model: Model,
    read: std::collections::HashSet<super::corner::Key>,
}

impl Reading {
    fn node(&mut self, board: &CornerBoard, parent: Packed) -> Result<(), PackError> {
        if !self.read.insert(board.corner().key()) {
            return Ok(());
        }
        let count = self.model.count(&mut self.coder, parent, 0)?;
        let (mut used, mut sibling) = (Vec::new(), None);
        for _ in 0..count {
            let packed =
                self.model.branch(&mut self.coder, board, &used, (parent, sibling), Packed::none())?;
            used.push(packed.mv);
            sibling = Some(packed);
            let count = count_of(packed.class);
            let year = self.newest.saturating_sub(AGES[packed.age]);
            let stats = Stats { count, score: score_of(count, packed.score), year };
            let mut after = board.clone();
            if !after.play(packed.mv) {
                return Err(PackError("an illegal move"));
            }
            self.joseki.insert(board.corner(), packed.mv, after.corner(), packed.kind, stats);
            self.node(&after, packed)?;
        }
        Ok(())
    }
}
