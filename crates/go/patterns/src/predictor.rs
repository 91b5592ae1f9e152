//! The learned table at work: strengths of all moves of a position, and of 3x3 shapes for playouts.

use std::sync::OnceLock;

use ishi_go::{Color, Neighbourhood, Point};

use crate::features::{FIXED, FeatureScratch, FeatureSink, Group, MoveContext};
use crate::model::StrengthModel;
use crate::shape::{self, KEY_BITS};
use crate::table::{self, COARSE, TableError};

static SHIPPED: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/patterns.bin"));

/// Rates moves. Made from a file, or [`MovePredictor::shipped`].
///
/// ```
/// use ishi_go::{Board, BoardSize, Color};
/// use ishi_patterns::{MoveContext, MovePredictor, FeatureScratch};
/// let board = Board::new(BoardSize::square(19).unwrap());
/// let context = MoveContext { board: &board, to_move: Color::Black, last: None, before: None };
/// let (mut scratch, mut rated) = (FeatureScratch::new(), Vec::new());
/// MovePredictor::shipped().rate_moves(&context, &mut scratch, &mut rated);
/// let best = rated.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0;
/// let line = best.column().min(18 - best.column());
/// assert!(line == 2 || line == 3, "games begin in a corner, not at {best}");
/// ```
#[derive(Clone, Debug)]
pub struct MovePredictor {
    model: StrengthModel,
    quick: QuickModel,
    playouts: PlayoutStrengths,
}

impl MovePredictor {
    /// The predictor that the program ships with, made at the first call. Were the built-in file damaged, it would hold all
    /// moves for equally strong; a test reads the file.
    pub fn shipped() -> &'static MovePredictor {
        static PREDICTOR: OnceLock<MovePredictor> = OnceLock::new();
        PREDICTOR
            .get_or_init(|| MovePredictor::from_bytes(SHIPPED).unwrap_or_else(|_| MovePredictor::uniform()))
    }

    /// The bytes of the shipped table.
    pub fn shipped_bytes() -> &'static [u8] {
        SHIPPED
    }

    /// A predictor from the bytes of a file.
    ///
    /// # Errors
    /// If they are no such file or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<MovePredictor, TableError> {
        let (model, playouts) = table::unpack_models(bytes)?;
        Ok(MovePredictor::new(model, &playouts))
    }

    /// A predictor from models.
    pub fn new(model: StrengthModel, playouts: &StrengthModel) -> MovePredictor {
        let quick = QuickModel::new(&model);
        MovePredictor { model, quick, playouts: PlayoutStrengths::new(playouts) }
    }

    /// A predictor that holds all moves for equally strong.
    pub fn uniform() -> MovePredictor {
        let blank = || StrengthModel::new(crate::ShapeKeys::new(Vec::new()));
        MovePredictor::new(blank(), &blank())
    }

    /// The features and their weights.
    pub fn model(&self) -> &StrengthModel {
        &self.model
    }

    /// Strengths for playouts.
    pub fn playout_strengths(&self) -> &PlayoutStrengths {
        &self.playouts
    }

    /// The strength gamma of every legal move (no suicide, no forbidden ko), row by row from A1, into `out`, which is cleared
    /// first. A move's probability is its strength divided by the sum of all. Allocates nothing once `scratch` and `out`
    /// have grown.
    pub fn rate_moves(
        &self,
        context: &MoveContext,
        scratch: &mut FeatureScratch,
        out: &mut Vec<(Point, f32)>,
    ) {
        self.rate_wanted(context, |_| true, scratch, out);
    }

    /// The same for the points that are wanted.
    pub fn rate_wanted(
        &self,
        context: &MoveContext,
        is_wanted: impl Fn(Point) -> bool,
        scratch: &mut FeatureScratch,
        out: &mut Vec<(Point, f32)>,
    ) {
        scratch.prepare_position(context);
        out.clear();
        for &point in scratch.candidates().iter().filter(|&&point| is_wanted(point)) {
            let score = self.quick.score_move(scratch, context, point);
            out.push((point, score.clamp(-40.0, 40.0).exp()));
        }
    }
}

/// The weights of a model side by side with the shapes, rounded as in the file: half of the looks into memory, and half of the
/// memory, of [`StrengthModel::score_move`].
#[derive(Clone, Debug)]
struct QuickModel {
    fixed: Vec<f32>,
    /// The lower 23 bits of the number, a bit that is set, the weight in units of 1/20. Open addressing with linear probing.
    slots: Vec<u32>,
    shift: u32,
}

impl QuickModel {
    const TAG_BITS: u32 = 23;
    const USED: u32 = 1 << 8;

    fn new(model: &StrengthModel) -> QuickModel {
        let bits = (2 * model.keys.len() + 1).next_power_of_two().trailing_zeros();
        // The bits that choose a slot and those in the slot are all bits of the number.
        let bits = bits.max(KEY_BITS - QuickModel::TAG_BITS);
        let mut quick = QuickModel {
            fixed: model.weights[..FIXED].to_vec(),
            slots: vec![0; 1 << bits],
            shift: KEY_BITS - bits,
        };
        for (&key, weight) in model.keys.groups().iter().flatten().zip(&model.weights[FIXED..]) {
            let mut at = (key >> quick.shift) as usize;
            while quick.slots[at] != 0 {
                at = (at + 1) & (quick.slots.len() - 1);
            }
            let units = (weight * COARSE).round() as i8;
            quick.slots[at] = QuickModel::key_tag(key) | QuickModel::USED | u32::from(units as u8);
        }
        quick
    }

    #[inline(always)]
    fn key_tag(key: u64) -> u32 {
        (key as u32) << (32 - QuickModel::TAG_BITS)
    }

    /// The weight of a shape, in units.
    #[inline(always)]
    fn find_weight(&self, key: u64) -> Option<i32> {
        let (mask, tag) = (self.slots.len() - 1, QuickModel::key_tag(key));
        let mut at = (key >> self.shift) as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            if slot & !(QuickModel::USED | 0xff) == tag {
                return Some(i32::from(slot as u8 as i8));
            }
            at = (at + 1) & mask;
        }
    }

    #[inline]
    fn score_move(&self, scratch: &FeatureScratch, context: &MoveContext, point: Point) -> f32 {
        let mut sum = QuickSum { quick: self, fixed: 0.0, units: 0 };
        scratch.emit_features(context, point, &mut sum);
        sum.fixed + sum.units as f32 / COARSE
    }
}

struct QuickSum<'a> {
    quick: &'a QuickModel,
    fixed: f32,
    units: i32,
}

impl FeatureSink for QuickSum<'_> {
    #[inline(always)]
    fn add_fixed(&mut self, feature: usize) {
        self.fixed += self.quick.fixed[feature];
    }

    #[inline(always)]
    fn add_keyed(&mut self, _: usize, key: u64) -> bool {
        let found = self.quick.find_weight(key);
        self.units += found.unwrap_or(0);
        found.is_some()
    }
}

/// Strengths fitted without larger shapes, for playouts: a move's strength is the product of its 3x3 shape's and of those of
/// the tactical features that a playout knows.
#[derive(Clone, Debug)]
pub struct PlayoutStrengths {
    /// The strengths of shapes, by colour and code.
    shapes: Vec<f32>,
    weights: Vec<f32>,
}

/// The tactical groups that the fit for playouts uses.
pub const PLAYOUT_GROUPS: [Group; 5] =
    [Group::Capture, Group::Extend, Group::SelfAtari, Group::Atari, Group::Last];

const CODES: usize = 1 << 16;

impl PlayoutStrengths {
    fn new(model: &StrengthModel) -> PlayoutStrengths {
        let mut shapes = vec![1.0; 2 * CODES];
        for color in Color::ALL {
            for code in 0..CODES {
                let key = shape::key_of_code(Neighbourhood(code as u16), color);
                if let Some(index) = model.keys.find_index(key) {
                    let weight = model.weights[crate::features::FIXED + index];
                    shapes[color.index() * CODES + code] = weight.exp();
                }
            }
        }
        PlayoutStrengths { shapes, weights: model.weights[..crate::features::FIXED].to_vec() }
    }

    /// The strength of a move of `color` by its eight neighbours alone; 1 if the shape is not known.
    #[inline]
    pub fn shape_strength(&self, color: Color, code: Neighbourhood) -> f32 {
        self.shapes[color.index() * CODES + code.0 as usize]
    }

    /// The strength that belongs to a distance d = dx + dy + max(dx, dy) from the last move: 2 beside it, 3 diagonally.
    #[inline]
    pub fn distance_strength(&self, distance: usize) -> f32 {
        let first = Group::Last.feature_range().start + distance.min(19) * 2;
        // Mostly the last move touches stones of the side to move.
        self.weights[first + 1].exp()
    }
}
