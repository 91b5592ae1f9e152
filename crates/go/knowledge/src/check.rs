//! The checking mode: what is kept held against what is found from scratch, and a position held against itself after a look-ahead.
//!
//! A program that looks ahead plays moves and takes them back; whatever it keeps on the way must be as before in the end. (D. Fotland,
//! "Knowledge representation in The Many Faces of Go", 1993, owes most of its found errors to such a check.)

use std::fmt;

use ishi_go::{Board, Move, Position};

use crate::analysis::Analysis;
use crate::connections::Connections;
use crate::oracle::Oracle;
use crate::tactical::{Keeper, Tactical};

/// Something that should be the same and is not: an error of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Which part of which level.
    pub part: &'static str,
    /// Hash of the board.
    pub hash: u64,
    /// What was kept, and what is found from scratch; or what was before, and what is after.
    pub values: [String; 2],
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [kept, found] = &self.values;
        write!(f, "{} of {:016x}: {kept} is not {found}", self.part, self.hash)
    }
}

/// Compares parts in turn.
struct MismatchCollector {
    hash: u64,
    found: Vec<Mismatch>,
}

impl MismatchCollector {
    fn compare_values<T: PartialEq>(
        &mut self,
        part: &'static str,
        a: &T,
        b: &T,
        tell: impl Fn(&T) -> String,
    ) {
        if a != b {
            self.found.push(Mismatch { part, hash: self.hash, values: [tell(a), tell(b)] });
        }
    }

    /// Lists, by their first elements that differ.
    fn compare_lists<T: PartialEq + fmt::Debug>(&mut self, part: &'static str, a: &[T], b: &[T]) {
        if a == b {
            return;
        }
        let place = a.iter().zip(b).position(|(x, y)| x != y).unwrap_or(a.len().min(b.len()));
        let tell = |list: &[T]| match list.get(place) {
            Some(element) => format!("{element:?}"),
            None => format!("a list of {}", list.len()),
        };
        self.found.push(Mismatch { part, hash: self.hash, values: [tell(a), tell(b)] });
    }
}

/// Where levels 1 and 2 of a board differ.
pub fn compare_tactical(board: &Board, kept: &Tactical, scratch: &Tactical) -> Vec<Mismatch> {
    let mut comparison = MismatchCollector { hash: board.hash(), found: Vec::new() };
    comparison.compare_values("chains", &kept.chains, &scratch.chains, |chains| {
        format!("{} chains", chains.iter().count())
    });
    let count = |kept: &Option<Connections>| {
        format!("{} connections", kept.iter().flat_map(Connections::all_connections).count())
    };
    comparison.compare_values("connections", &kept.connections, &scratch.connections, count);
    comparison.compare_lists("status", &kept.status, &scratch.status);
    comparison.compare_lists("links", &kept.links, &scratch.links);
    comparison.compare_lists("eyes", &kept.spaces, &scratch.spaces);
    comparison.found
}

/// Where two analyses of a position differ, level 3 too.
pub fn compare_analyses(position: &Position, a: &Analysis, b: &Analysis) -> Vec<Mismatch> {
    let below = |analysis: &Analysis| Tactical {
        style: analysis.style,
        chains: analysis.chains.clone(),
        connections: analysis.connections.clone(),
        status: analysis.status.clone(),
        links: analysis.links.clone(),
        spaces: analysis.spaces.clone(),
    };
    let found = compare_tactical(position.board(), &below(a), &below(b));
    let mut comparison = MismatchCollector { hash: position.board().hash(), found };
    comparison.compare_lists("groups", &a.groups, &b.groups);
    comparison.compare_values("influence", &a.influence, &b.influence, |_| "its map".to_string());
    comparison.compare_values("lead", &a.black_lead, &b.black_lead, f64::to_string);
    comparison
        .compare_values("strategy", &(a.phase, a.balance), &(b.phase, b.balance), |both| format!("{both:?}"));
    comparison.found
}

/// Evaluates a position, plays up to `moves` moves that `choose` gives, evaluating after each, takes them back, and evaluates the
/// position again: every difference between the two. The position is left as it was.
pub fn check_look_ahead(
    position: &mut Position,
    keeper: &mut Keeper,
    oracle: &mut impl Oracle,
    moves: usize,
    mut choose: impl FnMut(&Position, &Analysis) -> Option<Move>,
) -> Vec<Mismatch> {
    let before = keeper.analyze(position, oracle);
    let hash = position.hash();
    let mut played = 0;
    let mut here = before.clone();
    while played < moves {
        let Some(mv) = choose(position, &here) else { break };
        if position.is_over() || position.play(position.to_move(), mv).is_err() {
            break;
        }
        played += 1;
        here = keeper.analyze(position, oracle);
    }
    for _ in 0..played {
        position.undo();
    }
    let mut found = Vec::new();
    if position.hash() != hash {
        let values = [hash, position.hash()].map(|hash| format!("{hash:016x}"));
        found.push(Mismatch { part: "position", hash, values });
    }
    let after = keeper.analyze(position, oracle);
    found.extend(compare_analyses(position, &before, &after));
    found
}
