//! The graph of corner positions.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use ishi_words::{CodedError, ErrorFacts, facts};

use super::corner::{CornerBoard, CornerHashes, CornerKey, CornerMove};
use crate::library::{BilingualWords, PatternError};

static SHIPPED: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/joseki.bin"));

/// What a move is, beyond how often it was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveKind {
    /// Nothing special.
    #[default]
    Normal,
    /// It wants an answer at once: nearly everybody gives one here before playing elsewhere.
    Urgent,
    /// It leads to many continuations, none of which is the usual one.
    Hard,
    /// It does well, but not against the best answer.
    Trick,
    /// Who plays it loses clearly more than half.
    Bad,
    /// It follows a move of its own colour: the other side had played elsewhere.
    Ignore,
}

impl MoveKind {
    /// All kinds.
    pub const ALL: [MoveKind; 6] = [
        MoveKind::Normal,
        MoveKind::Urgent,
        MoveKind::Hard,
        MoveKind::Trick,
        MoveKind::Bad,
        MoveKind::Ignore,
    ];

    /// Its name in texts.
    pub fn name(self) -> &'static str {
        match self {
            MoveKind::Normal => "normal",
            MoveKind::Urgent => "urgent",
            MoveKind::Hard => "hard",
            MoveKind::Trick => "trick",
            MoveKind::Bad => "bad",
            MoveKind::Ignore => "ignore",
        }
    }
}

impl fmt::Display for MoveKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for MoveKind {
    type Err = ();

    fn from_str(text: &str) -> Result<MoveKind, ()> {
        MoveKind::ALL.into_iter().find(|kind| kind.name() == text).ok_or(())
    }
}

/// How often a move was played, and with what success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct MoveStats {
    /// Times it was played.
    pub count: u32,
    /// Twice the games that the player of the move won; one for a game without a winner.
    pub score: u32,
    /// The last year in which it was played; 0 if unknown.
    pub year: u16,
}

impl MoveStats {
    /// Share of games won, 0 to 1; a half if there are none.
    pub fn win_rate(&self) -> f64 {
        if self.count == 0 { 0.5 } else { f64::from(self.score) / f64::from(2 * self.count) }
    }

    /// Adds the games of another.
    pub fn add_stats(&mut self, other: MoveStats) {
        self.count += other.count;
        self.score += other.score;
        self.year = self.year.max(other.year);
    }
}

/// A count as it can be told of a packed book, whose counts are rounded: two digits.
///
/// ```
/// use ishi_patterns::joseki::book::round_to_two_digits;
/// assert_eq!([724, 2896, 45, 8].map(round_to_two_digits), [720, 2900, 45, 8]);
/// ```
pub fn round_to_two_digits(count: u32) -> u32 {
    let unit = 10_u32.pow(count.checked_ilog10().unwrap_or(0).saturating_sub(1));
    (count + unit / 2) / unit * unit
}

/// A move of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JosekiBranch {
    /// The move in the standard aspect of the position.
    pub mv: CornerMove,
    /// The position after it, as an index of [`Joseki::nodes`].
    pub to: usize,
    /// What it is.
    pub kind: MoveKind,
    /// How often and how well.
    pub stats: MoveStats,
}

/// A position and its moves, the most played first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JosekiNode {
    /// The position.
    pub key: CornerKey,
    /// Its moves; of one another they are the siblings.
    pub branches: Vec<JosekiBranch>,
}

/// Joseki: positions of a corner and what is played there. The first node is the empty corner.
///
/// ```
/// use ishi_patterns::joseki::book::{Joseki, MoveKind, MoveStats};
/// use ishi_patterns::joseki::corner::{CornerBoard, CornerMove, CornerPoint};
/// use ishi_go::Color;
/// let mut joseki = Joseki::default();
/// let mut corner = CornerBoard::default();
/// let star = CornerMove { color: Color::Black, point: CornerPoint::parse("D4").unwrap() };
/// joseki.add_move(&mut corner, star, MoveKind::Normal, MoveStats { count: 7, score: 8, year: 2016 }).unwrap();
/// assert_eq!(joseki.move_count(), 1);
/// let empty = CornerBoard::default();
/// let (first, branch) = joseki.branches(empty.corner()).next().unwrap();
/// assert_eq!((first, branch.stats.count), (star, 7));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joseki {
    nodes: Vec<JosekiNode>,
    places: HashMap<CornerKey, usize>,
    /// What is said of moves, by position and standard move; most say nothing.
    words: HashMap<(CornerKey, CornerMove), BilingualWords>,
}

/// Why a move cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JosekiAddError {
    /// It is illegal.
    Illegal,
    /// It is there already.
    Known,
    /// It leads back to a position before it.
    Cycle,
}

impl fmt::Display for JosekiAddError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            JosekiAddError::Illegal => "it is illegal there",
            JosekiAddError::Known => "it is there already, perhaps mirrored or by another order of moves",
            JosekiAddError::Cycle => "it leads back to an earlier position",
        })
    }
}

impl std::error::Error for JosekiAddError {}

impl CodedError for JosekiAddError {
    fn facts(&self) -> ErrorFacts {
        match self {
            JosekiAddError::Illegal => facts!["joseki-illegal"],
            JosekiAddError::Known => facts!["joseki-known"],
            JosekiAddError::Cycle => facts!["joseki-cycle"],
        }
    }
}

/// Why a move cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JosekiEditError {
    /// It is not in the book.
    Unknown(CornerMove),
    /// Its score is above twice its count.
    Score(MoveStats),
    /// The words are no words.
    Words(PatternError),
}

impl fmt::Display for JosekiEditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JosekiEditError::Unknown(mv) => write!(f, "{} {} is not in the book here", mv.color, mv.point),
            JosekiEditError::Score(MoveStats { count, score, .. }) => {
                write!(
                    f,
                    "score {score}: twice the wins of {count} games are {} at most",
                    2 * u64::from(*count)
                )
            }
            JosekiEditError::Words(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for JosekiEditError {}

impl CodedError for JosekiEditError {
    fn facts(&self) -> ErrorFacts {
        match self {
            JosekiEditError::Unknown(mv) => {
                facts!["joseki-no-such-move", color = mv.color, point = mv.point]
            }
            JosekiEditError::Score(MoveStats { count, score, .. }) => {
                facts!["joseki-score", score, count, most = 2 * u64::from(*count)]
            }
            JosekiEditError::Words(error) => error.facts(),
        }
    }
}

impl Default for Joseki {
    /// The empty corner without moves.
    fn default() -> Self {
        let key = CornerHashes::default().key();
        let nodes = vec![JosekiNode { key, branches: Vec::new() }];
        Joseki { nodes, places: HashMap::from([(key, 0)]), words: HashMap::new() }
    }
}

impl Joseki {
    /// The joseki that ship with the program: counted in 20,000 games of strong amateurs and professionals.
    pub fn shipped() -> Joseki {
        super::packed::unpack_joseki(SHIPPED).expect("the shipped joseki are sound: a test reads them")
    }

    /// All positions.
    pub fn nodes(&self) -> &[JosekiNode] {
        &self.nodes
    }

    /// Number of moves.
    pub fn move_count(&self) -> usize {
        self.nodes.iter().map(|node| node.branches.len()).sum()
    }

    /// Number of moves that were played so often at least.
    pub fn count_moves_played(&self, count: u32) -> usize {
        let branches = self.nodes.iter().flat_map(|node| &node.branches);
        branches.filter(|branch| branch.stats.count >= count).count()
    }

    /// Where a position stands among [`Joseki::nodes`].
    pub fn node_index(&self, corner: &CornerHashes) -> Option<usize> {
        self.places.get(&corner.key()).copied()
    }

    /// The node of a position.
    pub fn node(&self, corner: &CornerHashes) -> Option<&JosekiNode> {
        self.node_index(corner).map(|place| &self.nodes[place])
    }

    /// The moves of a position in its standard aspect, the most played first; none if it is not known.
    pub(super) fn standard_branches(&self, corner: &CornerHashes) -> &[JosekiBranch] {
        self.node(corner).map_or(&[], |node| &node.branches)
    }

    /// The moves of a position as they look in it, the most played first; none if it is not known. Of moves that are the
    /// same by symmetry only one is given.
    pub fn branches<'a>(
        &'a self,
        corner: &'a CornerHashes,
    ) -> impl Iterator<Item = (CornerMove, &'a JosekiBranch)> + 'a {
        self.standard_branches(corner).iter().map(|branch| (actual_move(corner, branch.mv), branch))
    }

    /// The branch of a move in a position.
    pub fn find_branch(&self, corner: &CornerHashes, mv: CornerMove) -> Option<&JosekiBranch> {
        let standard = corner.standard_move(mv);
        self.standard_branches(corner).iter().find(|branch| branch.mv == standard)
    }

    /// What is said of a move; `None` if nothing is.
    pub fn move_words(&self, corner: &CornerHashes, mv: CornerMove) -> Option<&BilingualWords> {
        self.words.get(&(corner.key(), corner.standard_move(mv)))
    }

    /// Says something of a move; empty words take back what was said.
    ///
    /// # Errors
    /// If the move is not known, or the words are no single lines; then nothing is changed.
    pub fn set_words(
        &mut self,
        corner: &CornerHashes,
        mv: CornerMove,
        words: BilingualWords,
    ) -> Result<(), JosekiEditError> {
        self.locate_move(corner, mv)?;
        words.check_sentences().map_err(JosekiEditError::Words)?;
        let place = (corner.key(), corner.standard_move(mv));
        if words == BilingualWords::default() {
            self.words.remove(&place);
        } else {
            self.words.insert(place, words);
        }
        Ok(())
    }

    /// Changes what a move is and its numbers.
    ///
    /// # Errors
    /// If the move is not known, or the score is above twice the count; then nothing is changed.
    pub fn set_move(
        &mut self,
        corner: &CornerHashes,
        mv: CornerMove,
        kind: MoveKind,
        stats: MoveStats,
    ) -> Result<(), JosekiEditError> {
        let (node, number) = self.locate_move(corner, mv)?;
        if u64::from(stats.score) > 2 * u64::from(stats.count) {
            return Err(JosekiEditError::Score(stats));
        }
        let branches = &mut self.nodes[node].branches;
        branches[number] = JosekiBranch { kind, stats, ..branches[number] };
        branches.sort_by_key(branch_order);
        Ok(())
    }

    /// Takes a move out, and what only it leads to.
    ///
    /// # Errors
    /// If the move is not known; then nothing is changed.
    pub fn remove_move(&mut self, corner: &CornerHashes, mv: CornerMove) -> Result<(), JosekiEditError> {
        let (node, number) = self.locate_move(corner, mv)?;
        self.nodes[node].branches.remove(number);
        // The copy holds what can still be reached, which drops what only this move led to.
        *self = self.sorted_copy();
        Ok(())
    }

    /// The node of a move, and its number there.
    fn locate_move(&self, corner: &CornerHashes, mv: CornerMove) -> Result<(usize, usize), JosekiEditError> {
        let standard = corner.standard_move(mv);
        let node = self.node_index(corner).ok_or(JosekiEditError::Unknown(mv))?;
        let number = self.nodes[node].branches.iter().position(|branch| branch.mv == standard);
        number.map(|number| (node, number)).ok_or(JosekiEditError::Unknown(mv))
    }

    /// The positions from which a move leads to this one, with the branch's number: more than one where moves transpose.
    pub fn parent_branches(&self, node: usize) -> Vec<(usize, usize)> {
        let mut parents = Vec::new();
        for (from, parent) in self.nodes.iter().enumerate() {
            let leading = parent.branches.iter().enumerate().filter(|(_, branch)| branch.to == node);
            parents.extend(leading.map(|(number, _)| (from, number)));
        }
        parents
    }

    /// Plays a move in a corner and adds it.
    ///
    /// # Errors
    /// If the move is illegal, known, or leads back; then neither the corner nor the graph is changed.
    pub fn add_move(
        &mut self,
        corner: &mut CornerBoard,
        mv: CornerMove,
        kind: MoveKind,
        stats: MoveStats,
    ) -> Result<(), JosekiAddError> {
        if self.find_branch(corner.corner(), mv).is_some() {
            return Err(JosekiAddError::Known);
        }
        let mut after = corner.clone();
        if !after.play(mv) {
            return Err(JosekiAddError::Illegal);
        }
        let ends = [&*corner, &after].map(|board| self.node_index(board.corner()));
        if let [Some(from), Some(to)] = ends
            && self.leads_to(to, from)
        {
            return Err(JosekiAddError::Cycle);
        }
        self.insert_branch(corner.corner(), mv, after.corner(), kind, stats);
        *corner = after;
        Ok(())
    }

    /// Adds what is not known of a line from the empty corner. All of its moves are added, as a move whose own position is not reached is lost
    /// when the graph is written as text.
    ///
    /// # Errors
    /// If a move cannot be added; those before it stay.
    pub fn add_line(&mut self, line: &[CornerMove]) -> Result<(), JosekiAddError> {
        let mut board = CornerBoard::default();
        for &mv in line {
            if self.find_branch(board.corner(), mv).is_some() {
                board.play(mv);
            } else {
                self.add_move(&mut board, mv, MoveKind::Normal, MoveStats::default())?;
            }
        }
        Ok(())
    }

    /// Adds what another graph knows. Where both know a move, this one's own stays.
    ///
    /// # Errors
    /// If a move leads back in this graph; what was added before it stays.
    pub fn add_unknown_moves(&mut self, more: &Joseki) -> Result<(), JosekiAddError> {
        let mut seen = vec![false; more.nodes.len()];
        let mut todo = vec![CornerBoard::default()];
        while let Some(board) = todo.pop() {
            let corner = board.corner();
            let Some(node) = more.node_index(corner) else { continue };
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            for (mv, branch) in more.branches(corner) {
                let mut after = board.clone();
                if self.find_branch(corner, mv).is_none() {
                    self.add_move(&mut after, mv, branch.kind, branch.stats)?;
                    if let Some(words) = more.move_words(corner, mv) {
                        self.words.insert((corner.key(), corner.standard_move(mv)), words.clone());
                    }
                } else {
                    after.play(mv);
                }
                todo.push(after);
            }
        }
        Ok(())
    }

    /// Adds a move between two positions: one that is not known and does not lead back.
    pub(super) fn insert_branch(
        &mut self,
        before: &CornerHashes,
        mv: CornerMove,
        after: &CornerHashes,
        kind: MoveKind,
        stats: MoveStats,
    ) {
        let (from, to) = (self.node_for_key(before.key()), self.node_for_key(after.key()));
        let branches = &mut self.nodes[from].branches;
        let branch = JosekiBranch { mv: before.standard_move(mv), to, kind, stats };
        let at = branches.partition_point(|other| branch_order(other) < branch_order(&branch));
        branches.insert(at, branch);
    }

    fn node_for_key(&mut self, key: CornerKey) -> usize {
        let next = self.nodes.len();
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.nodes.push(JosekiNode { key, branches: Vec::new() });
        }
        place
    }

    /// Is the second position reached from the first?
    fn leads_to(&self, from: usize, to: usize) -> bool {
        let (mut seen, mut todo) = (vec![false; self.nodes.len()], vec![from]);
        while let Some(node) = todo.pop() {
            if node == to {
                return true;
            }
            if !std::mem::replace(&mut seen[node], true) {
                todo.extend(self.nodes[node].branches.iter().map(|branch| branch.to));
            }
        }
        false
    }

    /// A graph of these branches: position, move, next position. What is not reached from the empty corner is left out, and so is
    /// what would lead back. Branches and nodes are put in their order.
    pub(super) fn from_branches(
        branches: HashMap<CornerKey, Vec<(CornerMove, CornerKey, MoveKind, MoveStats)>>,
    ) -> Joseki {
        let mut joseki = Joseki::default();
        let mut state: HashMap<CornerKey, bool> = HashMap::new();
        joseki.visit_position(CornerHashes::default().key(), &branches, &mut state);
        joseki
    }

    /// Adds a position and what follows; false if it is being visited, as then the way here is a circle.
    fn visit_position(
        &mut self,
        key: CornerKey,
        branches: &HashMap<CornerKey, Vec<(CornerMove, CornerKey, MoveKind, MoveStats)>>,
        finished: &mut HashMap<CornerKey, bool>,
    ) -> bool {
        match finished.get(&key) {
            Some(&finished) => return finished,
            // Not finished until all that follows is there: who meets it before that has gone in a circle.
            None => finished.insert(key, false),
        };
        let from = self.node_for_key(key);
        let mut moves = branches.get(&key).cloned().unwrap_or_default();
        moves.sort_by_key(|&(mv, _, _, stats)| (std::cmp::Reverse(stats.count), mv));
        for (mv, next, kind, stats) in moves {
            if self.visit_position(next, branches, finished) {
                let to = self.node_for_key(next);
                self.nodes[from].branches.push(JosekiBranch { mv, to, kind, stats });
            }
        }
        finished.insert(key, true);
        true
    }

    /// The same graph with its branches and nodes in their order: branches by count, nodes as they are met from the empty corner.
    #[must_use]
    pub fn sorted_copy(&self) -> Joseki {
        self.map_stats(|stats| stats)
    }

    /// The same graph with other numbers, in order.
    pub(super) fn map_stats(&self, change: impl Fn(MoveStats) -> MoveStats) -> Joseki {
        let branches = self.nodes.iter().map(|node| {
            let of = |branch: &JosekiBranch| {
                (branch.mv, self.nodes[branch.to].key, branch.kind, change(branch.stats))
            };
            (node.key, node.branches.iter().map(of).collect())
        });
        let mut joseki = Joseki::from_branches(branches.collect());
        let said = self.words.iter().filter(|((key, mv), _)| {
            let node = joseki.places.get(key).map(|&place| &joseki.nodes[place]);
            node.is_some_and(|node| node.branches.iter().any(|branch| branch.mv == *mv))
        });
        joseki.words = said.map(|(place, words)| (*place, words.clone())).collect();
        joseki
    }
}

/// The order of branches: the most played first.
fn branch_order(branch: &JosekiBranch) -> (std::cmp::Reverse<u32>, CornerMove) {
    (std::cmp::Reverse(branch.stats.count), branch.mv)
}

/// A standard move as it looks in a position.
pub(super) fn actual_move(corner: &CornerHashes, standard: CornerMove) -> CornerMove {
    corner.moves_here(standard).min().expect("an aspect")
}
