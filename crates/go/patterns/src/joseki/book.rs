//! The graph of corner positions.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use super::corner::{Corner, CornerBoard, CornerMove, Key};
use crate::library::{PatternError, Words};

static SHIPPED: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../data/go/joseki.bin"));

/// What a move is, beyond how often it was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Kind {
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

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 6] = [Kind::Normal, Kind::Urgent, Kind::Hard, Kind::Trick, Kind::Bad, Kind::Ignore];

    /// Its name in texts.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Normal => "normal",
            Kind::Urgent => "urgent",
            Kind::Hard => "hard",
            Kind::Trick => "trick",
            Kind::Bad => "bad",
            Kind::Ignore => "ignore",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kind {
    type Err = ();

    fn from_str(text: &str) -> Result<Kind, ()> {
        Kind::ALL.into_iter().find(|kind| kind.name() == text).ok_or(())
    }
}

/// How often a move was played, and with what success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Stats {
    /// Times it was played.
    pub count: u32,
    /// Twice the games that the player of the move won; one for a game without a winner.
    pub score: u32,
    /// The last year in which it was played; 0 if unknown.
    pub year: u16,
}

impl Stats {
    /// Share of games won, 0 to 1; a half if there are none.
    pub fn win_rate(&self) -> f64 {
        if self.count == 0 { 0.5 } else { f64::from(self.score) / f64::from(2 * self.count) }
    }

    /// Adds the games of another.
    pub fn add(&mut self, other: Stats) {
        self.count += other.count;
        self.score += other.score;
        self.year = self.year.max(other.year);
    }
}

/// A count as it can be told of a packed book, whose counts are rounded: two digits.
///
/// ```
/// use ishi_patterns::joseki::book::two_digits;
/// assert_eq!([724, 2896, 45, 8].map(two_digits), [720, 2900, 45, 8]);
/// ```
pub fn two_digits(count: u32) -> u32 {
    let unit = 10_u32.pow(count.checked_ilog10().unwrap_or(0).saturating_sub(1));
    (count + unit / 2) / unit * unit
}

/// A move of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The move in the standard aspect of the position.
    pub mv: CornerMove,
    /// The position after it, as an index of [`Joseki::nodes`].
    pub to: usize,
    /// What it is.
    pub kind: Kind,
    /// How often and how well.
    pub stats: Stats,
}

/// A position and its moves, the most played first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The position.
    pub key: Key,
    /// Its moves; of one another they are the siblings.
    pub branches: Vec<Branch>,
}

/// Joseki: positions of a corner and what is played there. The first node is the empty corner.
///
/// ```
/// use ishi_patterns::joseki::book::{Joseki, Kind, Stats};
/// use ishi_patterns::joseki::corner::{CornerBoard, CornerMove, CornerPoint};
/// use ishi_go::Color;
/// let mut joseki = Joseki::default();
/// let mut corner = CornerBoard::default();
/// let star = CornerMove { color: Color::Black, point: CornerPoint::parse("D4").unwrap() };
/// joseki.add(&mut corner, star, Kind::Normal, Stats { count: 7, score: 8, year: 2016 }).unwrap();
/// assert_eq!(joseki.moves(), 1);
/// let empty = CornerBoard::default();
/// let (first, branch) = joseki.branches(empty.corner()).next().unwrap();
/// assert_eq!((first, branch.stats.count), (star, 7));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joseki {
    nodes: Vec<Node>,
    places: HashMap<Key, usize>,
    /// What is said of moves, by position and standard move; most say nothing.
    words: HashMap<(Key, CornerMove), Words>,
}

/// Why a move cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddError {
    /// It is illegal.
    Illegal,
    /// It is there already.
    Known,
    /// It leads back to a position before it.
    Cycle,
}

impl fmt::Display for AddError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AddError::Illegal => "it is illegal there",
            AddError::Known => "it is there already, perhaps mirrored or by another order of moves",
            AddError::Cycle => "it leads back to an earlier position",
        })
    }
}

impl std::error::Error for AddError {}

/// Why a move cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditError {
    /// It is not in the book.
    Unknown(CornerMove),
    /// Its score is above twice its count.
    Score(Stats),
    /// The words are no words.
    Words(PatternError),
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::Unknown(mv) => write!(f, "{} {} is not in the book here", mv.color, mv.point),
            EditError::Score(Stats { count, score, .. }) => {
                write!(
                    f,
                    "score {score}: twice the wins of {count} games are {} at most",
                    2 * u64::from(*count)
                )
            }
            EditError::Words(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for EditError {}

impl Default for Joseki {
    /// The empty corner without moves.
    fn default() -> Self {
        let key = Corner::default().key();
        let nodes = vec![Node { key, branches: Vec::new() }];
        Joseki { nodes, places: HashMap::from([(key, 0)]), words: HashMap::new() }
    }
}

impl Joseki {
    /// The joseki that ship with the program: counted in 20,000 games of strong amateurs and professionals.
    pub fn shipped() -> Joseki {
        super::packed::unpack(SHIPPED).expect("the shipped joseki are sound: a test reads them")
    }

    /// All positions.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Number of moves.
    pub fn moves(&self) -> usize {
        self.nodes.iter().map(|node| node.branches.len()).sum()
    }

    /// Number of moves that were played so often at least.
    pub fn moves_played(&self, count: u32) -> usize {
        let branches = self.nodes.iter().flat_map(|node| &node.branches);
        branches.filter(|branch| branch.stats.count >= count).count()
    }

    /// Where a position stands among [`Joseki::nodes`].
    pub fn index(&self, corner: &Corner) -> Option<usize> {
        self.places.get(&corner.key()).copied()
    }

    /// The node of a position.
    pub fn node(&self, corner: &Corner) -> Option<&Node> {
        self.index(corner).map(|place| &self.nodes[place])
    }

    /// The moves of a position in its standard aspect, the most played first; none if it is not known.
    pub(super) fn standard_branches(&self, corner: &Corner) -> &[Branch] {
        self.node(corner).map_or(&[], |node| &node.branches)
    }

    /// The moves of a position as they look in it, the most played first; none if it is not known. Of moves that are the
    /// same by symmetry only one is given.
    pub fn branches<'a>(&'a self, corner: &'a Corner) -> impl Iterator<Item = (CornerMove, &'a Branch)> + 'a {
        self.standard_branches(corner).iter().map(|branch| (here(corner, branch.mv), branch))
    }

    /// The branch of a move in a position.
    pub fn branch(&self, corner: &Corner, mv: CornerMove) -> Option<&Branch> {
        let standard = corner.standard_move(mv);
        self.standard_branches(corner).iter().find(|branch| branch.mv == standard)
    }

    /// What is said of a move; `None` if nothing is.
    pub fn words(&self, corner: &Corner, mv: CornerMove) -> Option<&Words> {
        self.words.get(&(corner.key(), corner.standard_move(mv)))
    }

    /// Says something of a move; empty words take back what was said.
    ///
    /// # Errors
    /// If the move is not known, or the words are no single lines; then nothing is changed.
    pub fn set_words(&mut self, corner: &Corner, mv: CornerMove, words: Words) -> Result<(), EditError> {
        self.known(corner, mv)?;
        words.check().map_err(EditError::Words)?;
        let place = (corner.key(), corner.standard_move(mv));
        if words == Words::default() {
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
    pub fn set(
        &mut self,
        corner: &Corner,
        mv: CornerMove,
        kind: Kind,
        stats: Stats,
    ) -> Result<(), EditError> {
        let (node, number) = self.known(corner, mv)?;
        if u64::from(stats.score) > 2 * u64::from(stats.count) {
            return Err(EditError::Score(stats));
        }
        let branches = &mut self.nodes[node].branches;
        branches[number] = Branch { kind, stats, ..branches[number] };
        branches.sort_by_key(order);
        Ok(())
    }

    /// Takes a move out, and what only it leads to.
    ///
    /// # Errors
    /// If the move is not known; then nothing is changed.
    pub fn remove(&mut self, corner: &Corner, mv: CornerMove) -> Result<(), EditError> {
        let (node, number) = self.known(corner, mv)?;
        self.nodes[node].branches.remove(number);
        *self = self.in_order();
        Ok(())
    }

    /// The node of a move, and its number there.
    fn known(&self, corner: &Corner, mv: CornerMove) -> Result<(usize, usize), EditError> {
        let standard = corner.standard_move(mv);
        let node = self.index(corner).ok_or(EditError::Unknown(mv))?;
        let number = self.nodes[node].branches.iter().position(|branch| branch.mv == standard);
        number.map(|number| (node, number)).ok_or(EditError::Unknown(mv))
    }

    /// The positions from which a move leads to this one, with the branch's number: more than one where moves transpose.
    pub fn parents(&self, node: usize) -> Vec<(usize, usize)> {
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
    pub fn add(
        &mut self,
        corner: &mut CornerBoard,
        mv: CornerMove,
        kind: Kind,
        stats: Stats,
    ) -> Result<(), AddError> {
        if self.branch(corner.corner(), mv).is_some() {
            return Err(AddError::Known);
        }
        let mut after = corner.clone();
        if !after.play(mv) {
            return Err(AddError::Illegal);
        }
        let ends = [&*corner, &after].map(|board| self.index(board.corner()));
        if let [Some(from), Some(to)] = ends
            && self.leads_to(to, from)
        {
            return Err(AddError::Cycle);
        }
        self.insert(corner.corner(), mv, after.corner(), kind, stats);
        *corner = after;
        Ok(())
    }

    /// Adds a move between two positions: one that is not known and does not lead back.
    pub(super) fn insert(
        &mut self,
        before: &Corner,
        mv: CornerMove,
        after: &Corner,
        kind: Kind,
        stats: Stats,
    ) {
        let (from, to) = (self.place(before.key()), self.place(after.key()));
        let branches = &mut self.nodes[from].branches;
        let branch = Branch { mv: before.standard_move(mv), to, kind, stats };
        let at = branches.partition_point(|other| order(other) < order(&branch));
        branches.insert(at, branch);
    }

    fn place(&mut self, key: Key) -> usize {
        let next = self.nodes.len();
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.nodes.push(Node { key, branches: Vec::new() });
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
    pub(super) fn from_branches(branches: HashMap<Key, Vec<(CornerMove, Key, Kind, Stats)>>) -> Joseki {
        let mut joseki = Joseki::default();
        let mut state: HashMap<Key, bool> = HashMap::new();
        joseki.visit(Corner::default().key(), &branches, &mut state);
        joseki
    }

    /// Adds a position and what follows; false if it is being visited, as then the way here is a circle.
    fn visit(
        &mut self,
        key: Key,
        branches: &HashMap<Key, Vec<(CornerMove, Key, Kind, Stats)>>,
        finished: &mut HashMap<Key, bool>,
    ) -> bool {
        match finished.get(&key) {
            Some(&finished) => return finished,
            None => finished.insert(key, false),
        };
        let from = self.place(key);
        let mut moves = branches.get(&key).cloned().unwrap_or_default();
        moves.sort_by_key(|&(mv, _, _, stats)| (std::cmp::Reverse(stats.count), mv));
        for (mv, next, kind, stats) in moves {
            if self.visit(next, branches, finished) {
                let to = self.place(next);
                self.nodes[from].branches.push(Branch { mv, to, kind, stats });
            }
        }
        finished.insert(key, true);
        true
    }

    /// The same graph with its branches and nodes in their order: branches by count, nodes as they are met from the empty corner.
    #[must_use]
    pub fn in_order(&self) -> Joseki {
        self.map(|stats| stats)
    }

    /// The same graph with other numbers, in order.
    pub(super) fn map(&self, change: impl Fn(Stats) -> Stats) -> Joseki {
        let branches = self.nodes.iter().map(|node| {
            let of =
                |branch: &Branch| (branch.mv, self.nodes[branch.to].key, branch.kind, change(branch.stats));
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
fn order(branch: &Branch) -> (std::cmp::Reverse<u32>, CornerMove) {
    (std::cmp::Reverse(branch.stats.count), branch.mv)
}

/// A standard move as it looks in a position.
pub(super) fn here(corner: &Corner, standard: CornerMove) -> CornerMove {
    corner.moves_here(standard).min().expect("an aspect")
}
