//! Joseki in little more than a byte a move.
//!
//! The graph is written in the order of its text: each position once, its moves by count, what follows a move right behind it. Every
//! part of a move is a symbol with adaptive probabilities (range coding, G. N. N. Martin, "Range encoding: an algorithm for removing
//! redundancy from a digitised message", 1979; the crate `constriction`): the point by where such moves are in corners and how they
//! lie to the move before, the count by that of the move before or of its sibling.
//!
//! Numbers are rounded ([`round_stats`]): counts to half octaves, scores to two standard deviations, years to four classes of age.

use std::borrow::Cow;
use std::fmt;

use constriction::stream::model::DefaultContiguousCategoricalEntropyModel as Categorical;
use constriction::stream::queue::{DefaultRangeDecoder, DefaultRangeEncoder};
use constriction::stream::{Decode, Encode};
use ishi_go::Color;
use ishi_rng::checksum::{append_checksum, split_checksum};

use super::book::{Joseki, MoveKind, MoveStats, actual_move};
use super::corner::{CornerBoard, CornerMove, CornerPoint, LINES, POINTS};

const MAGIC: &[u8] = b"ishi-joseki-packed 1\n";

/// Why bytes are no joseki.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JosekiPackError(Cow<'static, str>);

impl fmt::Display for JosekiPackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no packed joseki: {}; `ishi go learn-joseki --out` writes them", self.0)
    }
}

impl std::error::Error for JosekiPackError {}

fn pack_error(problem: impl Into<Cow<'static, str>>) -> JosekiPackError {
    JosekiPackError(problem.into())
}

/// Years of the classes of age: so old at most, counted from the newest move.
const AGES: [u16; 4] = [0, 2, 6, 12];
/// The largest class of counts: 2^31 and more.
const CLASSES: usize = 64;
/// Classes of scores: so many steps of two standard deviations on either side of the half.
const SCORES: usize = 2;
/// The most branches of one position that are told apart; a position has 200 moves at most.
const MOST: usize = 2 * POINTS;

/// A line of more moves is damage.
const DEEPEST: usize = 200;
/// More games are damage, and twice as many must be a number, too.
const MOST_GAMES: u32 = u32::MAX / 2;

/// Half octaves from 4 on, single numbers below.
fn count_class(count: u32) -> usize {
    if count <= 4 { count as usize } else { 4 + (2.0 * (f64::from(count) / 4.0).log2()).round() as usize }
}

fn count_of_class(class: usize) -> u32 {
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

fn score_of_class(count: u32, class: usize) -> u32 {
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

fn newest_year(joseki: &Joseki) -> u16 {
    let branches = joseki.nodes().iter().flat_map(|node| &node.branches);
    branches.map(|branch| branch.stats.year).max().unwrap_or(0)
}

/// The numbers as the packed form keeps them; what is rounded stays as it is when rounded again.
pub fn round_stats(joseki: &Joseki) -> Joseki {
    let newest = newest_year(joseki);
    joseki.map_stats(|MoveStats { count, score, year }| {
        let kept = count_of_class(count_class(count));
        MoveStats {
            count: kept,
            score: score_of_class(kept, if kept < SAYING { SCORES } else { score_class(count, score) }),
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

    fn learn_symbol(&mut self, symbol: usize) {
        self.0[symbol] += 1.0;
    }
}

/// A table of [`Frequencies`], one for every context.
#[derive(Clone, Debug)]
struct FrequencyTable(Vec<Frequencies>);

impl FrequencyTable {
    fn new(contexts: usize, symbols: usize) -> FrequencyTable {
        FrequencyTable(vec![Frequencies::new(symbols); contexts])
    }

    fn for_context(&mut self, context: usize) -> &mut Frequencies {
        let last = self.0.len() - 1;
        &mut self.0[context.min(last)]
    }
}

/// How often moves of a shape were played where they could be, by shape: a table, as every move asks a hundred of them.
#[derive(Clone, Debug)]
struct ShapeWeights(Vec<(f64, f64)>);

impl ShapeWeights {
    fn new() -> ShapeWeights {
        ShapeWeights(vec![(0.0, 0.0); 1 << u16::BITS])
    }

    fn shape_weight(&self, shape: u16) -> f64 {
        let (played, offered) = self.0[usize::from(shape)];
        (played + 0.03) / (offered + 1.0)
    }

    fn learn_shapes(&mut self, offered: &[u16], played: u16) {
        for &shape in offered {
            self.0[usize::from(shape)].1 += 1.0;
        }
        self.0[usize::from(played)].0 += 1.0;
    }
}

/// The eight neighbours of a point, as if Black played there.
fn shape_code(board: &CornerBoard, color: Color, point: CornerPoint) -> u16 {
    let code = board.board().neighbourhood(point.on_board()).0;
    if color == Color::Black {
        return code;
    }
    // Two bits a neighbour: 01 is Black, 10 is White, 11 the border.
    let (low, high) = (code & 0x5555, code >> 1 & 0x5555);
    high | low << 1
}

/// Writes or reads symbols: the same walk does both.
trait SymbolCoder {
    /// Codes a symbol of these weights; `symbol` is what to write and means nothing when reading.
    fn code_symbol(&mut self, weights: &[f64], symbol: usize) -> Result<usize, JosekiPackError>;
}

struct SymbolWriter(DefaultRangeEncoder);
struct SymbolReader(DefaultRangeDecoder);

fn categorical_model(weights: &[f64]) -> Categorical {
    let total: f64 = weights.iter().sum();
    let shares: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
    Categorical::from_floating_point_probabilities_fast(&shares, None).expect("weights are positive")
}

impl SymbolCoder for SymbolWriter {
    fn code_symbol(&mut self, weights: &[f64], symbol: usize) -> Result<usize, JosekiPackError> {
        if weights.len() > 1 {
            self.0.encode_symbol(symbol, categorical_model(weights)).expect("a symbol of the model");
        }
        Ok(symbol)
    }
}

impl SymbolCoder for SymbolReader {
    fn code_symbol(&mut self, weights: &[f64], _: usize) -> Result<usize, JosekiPackError> {
        if weights.len() <= 1 {
            return Ok(0);
        }
        self.0.decode_symbol(categorical_model(weights)).map_err(|_| pack_error("the bytes are damaged"))
    }
}

/// One move as it is coded.
#[derive(Clone, Copy, Debug)]
struct PackedMove {
    mv: CornerMove,
    kind: MoveKind,
    class: usize,
    score: usize,
    age: usize,
}

impl PackedMove {
    /// What stands for the move that leads to the empty corner, and for moves still to be read.
    fn placeholder() -> PackedMove {
        let point = CornerPoint::from_index(0).expect("a point");
        let mv = CornerMove { color: Color::White, point };
        PackedMove { mv, kind: MoveKind::Normal, class: CLASSES - 1, score: SCORES, age: 0 }
    }
}

/// All that has been learned of the symbols so far.
struct CodingModel {
    branches: FrequencyTable,
    again: FrequencyTable,
    point: Frequencies,
    offset: FrequencyTable,
    shapes: ShapeWeights,
    kind: FrequencyTable,
    first_class: FrequencyTable,
    next_class: FrequencyTable,
    score: FrequencyTable,
    age: FrequencyTable,
}

/// Offsets of a move from the one before, in columns and rows.
const OFFSETS: usize = 2 * LINES - 1;

impl CodingModel {
    fn new() -> CodingModel {
        CodingModel {
            branches: FrequencyTable::new(CLASSES, MOST + 1),
            again: FrequencyTable::new(2, 2),
            point: Frequencies::new(POINTS),
            offset: FrequencyTable::new(3, OFFSETS * OFFSETS),
            shapes: ShapeWeights::new(),
            kind: FrequencyTable::new(2 * CLASSES, MoveKind::ALL.len()),
            first_class: FrequencyTable::new(CLASSES, CLASSES),
            next_class: FrequencyTable::new(CLASSES, CLASSES),
            score: FrequencyTable::new(MoveKind::ALL.len() * CLASSES, 2 * SCORES + 1),
            age: FrequencyTable::new(CLASSES * AGES.len(), AGES.len()),
        }
    }

    /// Codes with frequencies, and learns.
    fn code_with_frequencies(
        coder: &mut impl SymbolCoder,
        frequencies: &mut Frequencies,
        symbol: usize,
    ) -> Result<usize, JosekiPackError> {
        let symbol = coder.code_symbol(&frequencies.0, symbol)?;
        frequencies.learn_symbol(symbol);
        Ok(symbol)
    }

    /// How many moves a position has, after the move `parent`.
    fn code_branch_count(
        &mut self,
        coder: &mut impl SymbolCoder,
        parent: PackedMove,
        branches: usize,
    ) -> Result<usize, JosekiPackError> {
        CodingModel::code_with_frequencies(coder, self.branches.for_context(parent.class), branches)
    }

    /// A move of a position, after the move `parent` and a sibling that is played more often.
    fn code_branch(
        &mut self,
        coder: &mut impl SymbolCoder,
        board: &CornerBoard,
        used: &[CornerMove],
        (parent, sibling): (PackedMove, Option<PackedMove>),
        packed: PackedMove,
    ) -> Result<PackedMove, JosekiPackError> {
        let (color, is_again) = self.code_color(coder, board, packed.mv.color)?;
        let point = self.code_point(coder, board, used, color, is_again, packed.mv.point)?;
        let class = match sibling {
            None => CodingModel::code_with_frequencies(
                coder,
                self.first_class.for_context(parent.class),
                packed.class,
            )?,
            Some(sibling) => CodingModel::code_with_frequencies(
                coder,
                self.next_class.for_context(sibling.class),
                packed.class,
            )?,
        };
        let context = class + if is_again { CLASSES } else { 0 };
        let kind =
            CodingModel::code_with_frequencies(coder, self.kind.for_context(context), packed.kind as usize)?;
        let score = if count_of_class(class) < SAYING {
            SCORES
        } else {
            CodingModel::code_with_frequencies(
                coder,
                self.score.for_context(kind * CLASSES + class),
                packed.score,
            )?
        };
        let age = CodingModel::code_with_frequencies(
            coder,
            self.age.for_context(class * AGES.len() + parent.age),
            packed.age,
        )?;
        Ok(PackedMove { mv: CornerMove { color, point }, kind: MoveKind::ALL[kind], class, score, age })
    }

    /// The colour, and whether it is that of the move before.
    fn code_color(
        &mut self,
        coder: &mut impl SymbolCoder,
        board: &CornerBoard,
        color: Color,
    ) -> Result<(Color, bool), JosekiPackError> {
        let last = board.last_move().map(|last| last.color);
        let expected = last.map_or(Color::Black, |last| !last);
        let again = CodingModel::code_with_frequencies(
            coder,
            self.again.for_context(usize::from(last.is_some())),
            usize::from(color != expected),
        )?;
        Ok(if again == 1 { (!expected, last.is_some()) } else { (expected, false) })
    }

    /// The point: by how often moves are there and how often they lie so to the move before, among those that are possible.
    fn code_point(
        &mut self,
        coder: &mut impl SymbolCoder,
        board: &CornerBoard,
        used: &[CornerMove],
        color: Color,
        is_again: bool,
        point: CornerPoint,
    ) -> Result<CornerPoint, JosekiPackError> {
        let offsets =
            self.offset.for_context(if board.last_move().is_some() { 1 + usize::from(is_again) } else { 0 });
        let free: Vec<CornerPoint> = (0..POINTS)
            .filter_map(CornerPoint::from_index)
            .filter(|&point| board.is_empty(point) && !used.contains(&CornerMove { color, point }))
            .collect();
        let shapes: Vec<u16> = free.iter().map(|&point| shape_code(board, color, point)).collect();
        let weight = |(&to, shape): (&CornerPoint, &u16)| {
            // Roots, as the three know much of the same.
            (self.point.0[to.index()]
                * offsets.0[offset_from_last(board, to)]
                * self.shapes.shape_weight(*shape))
            .sqrt()
        };
        let weights: Vec<f64> = free.iter().zip(&shapes).map(weight).collect();
        let symbol = free.iter().position(|&other| other == point).unwrap_or(0);
        let chosen = coder.code_symbol(&weights, symbol)?;
        let point = *free.get(chosen).ok_or(pack_error("a move where there is no room"))?;
        offsets.learn_symbol(offset_from_last(board, point));
        self.point.learn_symbol(point.index());
        self.shapes.learn_shapes(&shapes, shapes[chosen]);
        Ok(point)
    }
}

fn offset_from_last(board: &CornerBoard, to: CornerPoint) -> usize {
    let Some(last) = board.last_move() else { return 0 };
    let columns = LINES - 1 + to.column() - last.point.column();
    let rows = LINES - 1 + to.row() - last.point.row();
    rows * OFFSETS + columns
}

/// Packs joseki, rounded.
pub fn pack_joseki(joseki: &Joseki) -> Vec<u8> {
    let joseki = round_stats(joseki);
    let newest = newest_year(&joseki);
    let mut bytes = MAGIC.to_vec();
    bytes.extend(newest.to_le_bytes());
    let mut writing = JosekiWriter {
        joseki: &joseki,
        newest,
        coder: SymbolWriter(DefaultRangeEncoder::new()),
        model: CodingModel::new(),
    };
    let mut written = vec![false; joseki.nodes().len()];
    writing.write_node(&CornerBoard::default(), 0, PackedMove::placeholder(), &mut written);
    let words = writing.coder.0.into_compressed().expect("memory is there");
    words.iter().for_each(|word: &u32| bytes.extend(word.to_le_bytes()));
    append_checksum(&mut bytes);
    bytes
}

struct JosekiWriter<'a> {
    joseki: &'a Joseki,
    newest: u16,
    coder: SymbolWriter,
    model: CodingModel,
}

impl JosekiWriter<'_> {
    fn write_node(&mut self, board: &CornerBoard, node: usize, parent: PackedMove, written: &mut [bool]) {
        if std::mem::replace(&mut written[node], true) {
            return;
        }
        let branches = &self.joseki.nodes()[node].branches;
        let fine = "writing does not fail";
        self.model.code_branch_count(&mut self.coder, parent, branches.len()).expect(fine);
        let (mut used, mut sibling) = (Vec::new(), None);
        for branch in branches {
            let MoveStats { count, score, year } = branch.stats;
            let mv = actual_move(board.corner(), branch.mv);
            let packed = PackedMove {
                mv,
                kind: branch.kind,
                class: count_class(count),
                score: score_class(count, score),
                age: age_class(year, self.newest),
            };
            self.model.code_branch(&mut self.coder, board, &used, (parent, sibling), packed).expect(fine);
            used.push(mv);
            sibling = Some(packed);
            let mut after = board.clone();
            assert!(after.play(mv), "a move of the graph is legal");
            self.write_node(&after, branch.to, packed, written);
        }
    }
}

/// Do the bytes begin as packed joseki do?
pub fn is_packed_joseki(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Unpacks joseki.
///
/// # Errors
/// If the bytes are not what [`pack_joseki`] writes.
pub fn unpack_joseki(bytes: &[u8]) -> Result<Joseki, JosekiPackError> {
    if !is_packed_joseki(bytes) {
        return Err(pack_error("byte 0: they must begin with ishi-joseki-packed 1"));
    }
    let body = split_checksum(bytes).map_err(|error| pack_error(error.to_string()))?;
    let too_short = pack_error("it is too short");
    let rest = body.strip_prefix(MAGIC).ok_or_else(|| too_short.clone())?;
    let (newest, rest) = rest.split_first_chunk::<2>().ok_or(too_short)?;
    let (words, []) = rest.as_chunks() else { return Err(pack_error("its words are not whole")) };
    let words: Vec<u32> = words.iter().map(|&word| u32::from_le_bytes(word)).collect();
    let decoder =
        DefaultRangeDecoder::from_compressed(words).map_err(|_| pack_error("the bytes are damaged"))?;
    let mut reading = JosekiReader {
        joseki: Joseki::default(),
        newest: u16::from_le_bytes(*newest),
        coder: SymbolReader(decoder),
        model: CodingModel::new(),
        read: std::collections::HashSet::new(),
    };
    reading.read_nodes()?;
    Ok(reading.joseki)
}

struct JosekiReader {
    joseki: Joseki,
    newest: u16,
    coder: SymbolReader,
    model: CodingModel,
    read: std::collections::HashSet<super::corner::CornerKey>,
}

/// A position whose branches are being read.
struct OpenNode {
    board: CornerBoard,
    /// The move that led to it.
    parent: PackedMove,
    /// Branches that are still to be read.
    left: usize,
    used: Vec<CornerMove>,
    sibling: Option<PackedMove>,
}

impl JosekiReader {
    /// Reads all positions, each line to its end before the next. The open ones are kept here and not in recursion: how deep a damaged
    /// file goes costs no stack.
    fn read_nodes(&mut self) -> Result<(), JosekiPackError> {
        let first = self.open_node(CornerBoard::default(), PackedMove::placeholder())?;
        let mut open: Vec<OpenNode> = first.into_iter().collect();
        while let Some(node) = open.last_mut() {
            if node.left == 0 {
                open.pop();
                continue;
            }
            let (after, packed) = self.read_branch(node)?;
            if open.len() > DEEPEST {
                return Err(pack_error("a line is too long"));
            }
            open.extend(self.open_node(after, packed)?);
        }
        Ok(())
    }

    /// A position and how many branches it has; none if it was read before.
    fn open_node(
        &mut self,
        board: CornerBoard,
        parent: PackedMove,
    ) -> Result<Option<OpenNode>, JosekiPackError> {
        if !self.read.insert(board.corner().key()) {
            return Ok(None);
        }
        let left = self.model.code_branch_count(&mut self.coder, parent, 0)?;
        Ok(Some(OpenNode { board, parent, left, used: Vec::new(), sibling: None }))
    }

    /// The next branch of a position: the position after it, and its move.
    fn read_branch(&mut self, node: &mut OpenNode) -> Result<(CornerBoard, PackedMove), JosekiPackError> {
        let packed = self.model.code_branch(
            &mut self.coder,
            &node.board,
            &node.used,
            (node.parent, node.sibling),
            PackedMove::placeholder(),
        )?;
        node.left -= 1;
        node.used.push(packed.mv);
        node.sibling = Some(packed);
        let count = count_of_class(packed.class);
        if count > MOST_GAMES {
            return Err(pack_error("a number of games is too large"));
        }
        let year = self.newest.saturating_sub(AGES[packed.age]);
        let stats = MoveStats { count, score: score_of_class(count, packed.score), year };
        let mut after = node.board.clone();
        if !after.play(packed.mv) {
            return Err(pack_error("an illegal move"));
        }
        self.joseki.insert_branch(node.board.corner(), packed.mv, after.corner(), packed.kind, stats);
        Ok((after, packed))
    }
}
