//! Pieces by name, and the names nearest to one that there is not.

use std::collections::BTreeMap;

use ishi_deck::{PieceId, Pool};
use ishi_words::{CodedMessage, ErrorFacts, facts};

/// The pieces of a pool by name.
#[derive(Clone, Debug)]
pub struct PieceNames<'a> {
    by_name: BTreeMap<&'a str, PieceId>,
}

impl<'a> PieceNames<'a> {
    /// The names of the pool's pieces.
    #[must_use]
    pub fn from_pool(pool: &'a Pool) -> PieceNames<'a> {
        let names = pool.pieces.iter().enumerate().map(|(at, piece)| (piece.name.as_str(), at));
        PieceNames { by_name: names.map(|(name, at)| (name, PieceId(at as u32))).collect() }
    }

    /// The names of a list in their order; of equal names the last.
    pub(super) fn from_list(names: impl Iterator<Item = &'a str>) -> PieceNames<'a> {
        PieceNames { by_name: names.enumerate().map(|(at, name)| (name, PieceId(at as u32))).collect() }
    }

    /// The piece of this name.
    ///
    /// # Errors
    /// If there is none: says so, with the nearest names.
    pub fn find_piece(&self, name: &str) -> Result<PieceId, CodedMessage> {
        self.by_name.get(name).copied().ok_or_else(|| {
            let nearest = nearest_names(name, self.by_name.keys().copied());
            let facts = facts!["deck-no-piece", name = format!("{name:?}"), hint = hint_facts(&nearest)];
            let hint = did_you_mean_hint(&nearest);
            CodedMessage::new(format_args!("no piece is called {name:?}{hint}"), facts)
        })
    }
}

/// What [`did_you_mean_hint`] says, as data.
pub(super) fn hint_facts(nearest: &[&str]) -> ErrorFacts {
    if nearest.is_empty() {
        return facts!["deck-no-hint"];
    }
    let names: Vec<String> = nearest.iter().map(|name| format!("{name:?}")).collect();
    facts!["deck-did-you-mean", names = names.join(", ")]
}

/// `; did you mean ...?`, or nothing.
pub(super) fn did_you_mean_hint(nearest: &[&str]) -> String {
    if nearest.is_empty() {
        return String::new();
    }
    let names: Vec<String> = nearest.iter().map(|name| format!("{name:?}")).collect();
    format!("; did you mean {}?", names.join(" or "))
}

/// Up to three names that differ from this one by little: the nearest, and those that are as near.
pub(super) fn nearest_names<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    /// Longer names are not compared letter by letter.
    const LONGEST: usize = 100;
    let wanted: Vec<char> = name.to_lowercase().chars().take(LONGEST).collect();
    let allowed = match wanted.len() {
        0..=3 => 1,
        4..=6 => 2,
        letters => letters / 3,
    };
    let mut near: Vec<(usize, &str)> = names
        .filter_map(|name| {
            let other: Vec<char> = name.to_lowercase().chars().take(LONGEST).collect();
            let far = if other != wanted && other.starts_with(&wanted) && wanted.len() >= 3 {
                1
            } else {
                edit_distance(&wanted, &other)
            };
            (far <= allowed).then_some((far, name))
        })
        .collect();
    near.sort();
    let least = near.first().map(|&(far, _)| far);
    near.into_iter().filter(|&(far, _)| Some(far) == least).take(3).map(|(_, name)| name).collect()
}

/// Letters to put in, take out or change (V. I. Levenshtein, 1966).
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names() {
        let names = ["Ember", "Embers", "Frost", "Frost Giant", "Emba"];
        assert_eq!(nearest_names("Embr", names.into_iter()), ["Emba", "Ember"]);
        assert_eq!(nearest_names("frost", names.into_iter()), ["Frost"]);
        assert_eq!(nearest_names("Fros", names.into_iter()), ["Frost", "Frost Giant"]);
        assert_eq!(nearest_names("Quartz", names.into_iter()), Vec::<&str>::new());
        let error = PieceNames::from_list(names.into_iter()).find_piece("Fost").unwrap_err();
        assert_eq!(error.to_string(), "no piece is called \"Fost\"; did you mean \"Frost\"?");
    }
}
