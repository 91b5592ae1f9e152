//! Collections in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use ishi_patterns::library::PatternIndex;

/// Collections that were read lately, by key, with their revision: reading one of thousands takes its time.
#[derive(Default)]
pub(crate) struct IndexCache(Mutex<HashMap<String, (u64, Arc<PatternIndex>)>>);

/// Collections in memory, at most.
const CACHED: usize = 8;

impl IndexCache {
    pub(super) fn find_index(&self, key: &str, revision: u64) -> Option<Arc<PatternIndex>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(key).filter(|(known, _)| *known == revision).map(|(_, index)| Arc::clone(index))
    }

    pub(super) fn insert_index(&self, key: &str, revision: u64, index: &Arc<PatternIndex>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= CACHED && !kept.contains_key(key) {
            kept.clear();
        }
        kept.insert(key.to_string(), (revision, Arc::clone(index)));
    }
}
