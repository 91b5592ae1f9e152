//! The model: which shapes are known, and a weight (logarithm of the strength gamma) for every feature.

use crate::features::{FIXED, FeatureScratch, FeatureSink, Group, KEYED, MoveContext};
use crate::shape::KEY_BITS;

/// How many shapes can be known at most.
pub const MAX_SHAPES: usize = 1 << 22;

/// The shapes that are known, by group and number; each has an index. Open addressing with linear probing.
#[derive(Clone, Debug)]
pub struct ShapeKeys {
    /// Sorted numbers of each group.
    groups: Vec<Vec<u64>>,
    /// Number in the upper 40 bits, index plus one below.
    slots: Vec<u64>,
    shift: u32,
}

impl ShapeKeys {
    /// The table of these numbers, a list for each keyed group. Of more than [`MAX_SHAPES`] the last ones are left out.
    pub fn new(mut groups: Vec<Vec<u64>>) -> ShapeKeys {
        groups.resize(KEYED, Vec::new());
        for keys in &mut groups {
            keys.sort_unstable();
            keys.dedup();
        }
        let mut room = MAX_SHAPES;
        for keys in &mut groups {
            keys.truncate(room);
            room -= keys.len();
        }
        let count: usize = groups.iter().map(Vec::len).sum();
        let bits = (2 * count + 1).next_power_of_two().trailing_zeros().clamp(4, 24);
        let mut table = ShapeKeys { groups: Vec::new(), slots: vec![0; 1 << bits], shift: KEY_BITS - bits };
        for (index, &key) in groups.iter().flatten().enumerate() {
            table.insert_key(key, index as u64);
        }
        table.groups = groups;
        table
    }

    fn insert_key(&mut self, key: u64, index: u64) {
        let mask = self.slots.len() - 1;
        let mut at = (key >> self.shift) as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = key << (64 - KEY_BITS) | (index + 1);
    }

    /// The index of a shape.
    #[inline(always)]
    pub fn find_index(&self, key: u64) -> Option<usize> {
        let mask = self.slots.len() - 1;
        let mut at = (key >> self.shift) as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot >> (64 - KEY_BITS) == key {
                let index = slot & ((1 << (64 - KEY_BITS)) - 1);
                if index != 0 {
                    return Some(index as usize - 1);
                }
            }
            if slot == 0 {
                return None;
            }
            at = (at + 1) & mask;
        }
    }

    /// Number of shapes.
    pub fn len(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    /// Is no shape known?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers of each group, sorted.
    pub fn groups(&self) -> &[Vec<u64>] {
        &self.groups
    }
}

/// Features with their weights.
#[derive(Clone, Debug)]
pub struct StrengthModel {
    /// The known shapes; their features come after the tactical ones.
    pub keys: ShapeKeys,
    /// The logarithms of the strengths.
    pub weights: Vec<f32>,
}

impl StrengthModel {
    /// All strengths are 1.
    pub fn new(keys: ShapeKeys) -> StrengthModel {
        let weights = vec![0.0; FIXED + keys.len()];
        StrengthModel { keys, weights }
    }

    /// The features of each group: first the tactical groups, then the keyed ones.
    pub fn feature_groups(&self) -> Vec<std::ops::Range<usize>> {
        let mut groups: Vec<_> = Group::ALL.iter().map(|group| group.feature_range()).collect();
        let mut start = FIXED;
        for keys in self.keys.groups() {
            groups.push(start..start + keys.len());
            start += keys.len();
        }
        groups
    }

    /// The logarithm of a candidate's strength in a prepared position.
    #[inline]
    pub fn score_move(&self, scratch: &FeatureScratch, context: &MoveContext, point: ishi_go::Point) -> f32 {
        let mut sum = WeightSum { model: self, sum: 0.0 };
        scratch.emit_features(context, point, &mut sum);
        sum.sum
    }

    /// Appends the features of a candidate to a list.
    pub fn list_features(
        &self,
        scratch: &FeatureScratch,
        context: &MoveContext,
        point: ishi_go::Point,
        ids: &mut Vec<u32>,
    ) {
        scratch.emit_features(context, point, &mut FeatureList { keys: &self.keys, ids });
    }
}

struct WeightSum<'a> {
    model: &'a StrengthModel,
    sum: f32,
}

impl FeatureSink for WeightSum<'_> {
    #[inline(always)]
    fn add_fixed(&mut self, feature: usize) {
        self.sum += self.model.weights[feature];
    }

    #[inline(always)]
    fn add_keyed(&mut self, _: usize, key: u64) -> bool {
        let found = self.model.keys.find_index(key);
        if let Some(index) = found {
            self.sum += self.model.weights[FIXED + index];
        }
        found.is_some()
    }
}

struct FeatureList<'a> {
    keys: &'a ShapeKeys,
    ids: &'a mut Vec<u32>,
}

impl FeatureSink for FeatureList<'_> {
    fn add_fixed(&mut self, feature: usize) {
        self.ids.push(feature as u32);
    }

    fn add_keyed(&mut self, _: usize, key: u64) -> bool {
        let found = self.keys.find_index(key);
        if let Some(index) = found {
            self.ids.push((FIXED + index) as u32);
        }
        found.is_some()
    }
}
