//! Tabu lists: each leaf of the tree remembers how its last playouts began, so that the next ones begin differently.
//!
//! The method is that of M. Itoh and T. Ohta, "An application of Monte-Carlo tree search including game state tabu
//! lists for playing 19x19 Go" (2016), after T. Ohta and M. Itoh, "An Application of Monte-Carlo Tree Search Including
//! Tabu Lists for Tsumego and 9x9 Go" (IEEJ Transactions on Electronics, Information and Systems 135(3), 2015,
//! 331-339). Every leaf has M queues, one for each of the first M moves of a playout, of the length that [`tenure_at`]
//! gives. A queue is always full: it begins with nothing but NILs, and what is pushed at its back drives out its front.
//!
//! - [`TabuKind::Moves`] (gTabuL): the m-th queue holds points, those that were played as m-th move. A candidate in
//!   it is refused.
//! - [`TabuKind::Hash`] (gTabuL-hash): the queue holds the Zobrist hashes of the positions after the m-th move. A position that
//!   is not there is pushed, and its move is played; for one that is there a NIL is pushed, and the move is refused.
//! - [`TabuKind::HashWin`] (gTabuL-hash-win): the same, but what is played is pushed at the end of the playout, into all
//!   queues together, and only if the side to move at the leaf has lost it. NILs are pushed at once.
//!
//! After as many refusals in a row as the queue is long, anything is allowed: a queue of hashes holds NILs only by then
//! (section 4.3). The paper does not say it of moves; here it is the same, so that a policy with one idea cannot loop.
//!
//! Where the paper's text can be read in more than one way, each reading is an option: what k counts in the schedule of
//! lengths ([`TenureClock`]), whether lists of moves push NILs, and whether a pass on the way makes another position
//! ([`TabuParams`]).
//!
//! Lists lie beside the tree, found by [`SearchNodeId`], in shards with a lock each, which is held for a single question. One
//! thread alone gives the same answers in every run; several on the same leaf may not.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ishi_go::{Board, Color, Point, zobrist};
use ishi_mcts::SearchNodeId;

/// Which tabu lists leaves keep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TabuKind {
    /// None.
    #[default]
    None,
    /// Of moves (gTabuL).
    Moves,
    /// Of positions, updated as they are played (gTabuL-hash).
    Hash,
    /// Of positions, updated by the result of the playout (gTabuL-hash-win).
    HashWin,
}

impl TabuKind {
    /// All kinds, the one that does nothing first.
    pub const ALL: [TabuKind; 4] = [TabuKind::None, TabuKind::Moves, TabuKind::Hash, TabuKind::HashWin];

    /// The word for it in a player's description.
    pub fn name(self) -> &'static str {
        match self {
            TabuKind::None => "none",
            TabuKind::Moves => "moves",
            TabuKind::Hash => "hash",
            TabuKind::HashWin => "hash-win",
        }
    }
}

impl fmt::Display for TabuKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What is no kind of tabu list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid tabu list {0:?}: it must be none, moves, hash or hash-win")]
pub struct TabuKindError(String);

impl FromStr for TabuKind {
    type Err = TabuKindError;

    fn from_str(text: &str) -> Result<TabuKind, TabuKindError> {
        let kind = TabuKind::ALL.into_iter().find(|kind| kind.name() == text);
        kind.ok_or_else(|| TabuKindError(text.to_string()))
    }
}

/// What k counts in L_k ([`tenure_at`]). Section 4.3 calls k the depth of the leaf in the tree, and equation 8 and section
/// 5.1 the number of a move in the game, 1 being the first. Only moves of the game ever reach the limits 90 and 240.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TenureClock {
    /// Moves of the game up to the leaf, those in the tree included.
    #[default]
    Leaf,
    /// The number of the move that is searched for: the same for all leaves of a search.
    Root,
    /// The depth of the leaf in the tree, 0 being the root.
    Tree,
}

/// Where a leaf lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafPlace {
    /// Moves of the game before the search's root.
    pub played: usize,
    /// Moves from the root to the leaf.
    pub depth: usize,
    /// Points of the board.
    pub area: usize,
}

/// Parameters of [`TabuLists`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TabuParams {
    /// What is kept.
    pub kind: TabuKind,
    /// L, the length of a queue at the beginning of a game, 0 to [`TabuParams::MAX_TENURE`]; 0: as with no lists.
    pub tenure: u16,
    /// M, the moves of a playout that have a queue, 0 to [`TabuParams::MAX_DEPTH`].
    pub depth: u8,
    /// What k counts in L_k.
    pub clock: TenureClock,
    /// Does a list of moves push a NIL for a refused candidate, as lists of positions do? The paper says of lists of
    /// positions that they follow the usual ones (section 1), and writes NIL in equation 6 only.
    pub moves_push_nil: bool,
    /// Is a position another one if somebody has passed on the way from the leaf? Section 5.3 says that a pass changes the
    /// hash.
    pub pass_counts: bool,
}

impl TabuParams {
    /// The longest queue.
    pub const MAX_TENURE: u16 = 1000;
    /// The most queues.
    pub const MAX_DEPTH: u8 = 8;

    /// The paper's parameters: L = 18, M = 5.
    pub fn with_kind(kind: TabuKind) -> TabuParams {
        TabuParams {
            kind,
            tenure: 18,
            depth: 5,
            clock: TenureClock::Leaf,
            moves_push_nil: false,
            pass_counts: false,
        }
    }

    /// Do lists like these never refuse anything?
    pub fn are_off(&self) -> bool {
        self.kind == TabuKind::None || self.tenure == 0 || self.depth == 0
    }

    /// L_k, the length of the queues of a leaf; 0 without lists.
    pub fn length_at(&self, leaf: LeafPlace) -> u16 {
        if self.are_off() {
            return 0;
        }
        let k = match self.clock {
            TenureClock::Leaf => leaf.played + leaf.depth,
            TenureClock::Root => leaf.played + 1,
            TenureClock::Tree => leaf.depth,
        };
        tenure_at(self.tenure, k, leaf.area)
    }
}

impl Default for TabuParams {
    fn default() -> TabuParams {
        TabuParams::with_kind(TabuKind::None)
    }
}

/// L_k with k = `moves` on a board of `area` points: L up to a quarter of the points, floor(2L/3) up to two thirds of them,
/// floor(L/3) after (equation 8).
///
/// ```
/// use ishi_go_play::go_mcts::tabu::tenure_at;
/// // The limits of the paper, for 19x19 and L = 18.
/// assert_eq!([90, 91, 240, 241].map(|moves| tenure_at(18, moves, 361)), [18, 12, 12, 6]);
/// ```
pub fn tenure_at(longest: u16, moves: usize, area: usize) -> u16 {
    if 4 * moves <= area {
        longest
    } else if 3 * moves <= 2 * area {
        (u32::from(longest) * 2 / 3) as u16
    } else {
        longest / 3
    }
}

/// Equation 12 of the paper, after T. Ohta and M. Itoh 2015: lists of L moves for the first M moves of a playout on a board of
/// `side` lines refuse fewer candidates in a playout than (M L / n) (ln n + gamma + L pi^2 / 6), in the mean, with
/// n = side^2 - L - M. None if n is less than 1.
///
/// ```
/// use ishi_go_play::go_mcts::tabu::expected_refusals_below;
/// // The paper's example, T(19, 12, 5).
/// assert_eq!(format!("{:.3}", expected_refusals_below(19, 12, 5).unwrap()), "4.562");
/// ```
pub fn expected_refusals_below(side: usize, tenure: u16, depth: u8) -> Option<f64> {
    let left = (side * side).checked_sub(usize::from(tenure) + usize::from(depth)).filter(|&n| n > 0)? as f64;
    let (tenure, depth) = (f64::from(tenure), f64::from(depth));
    let pi = std::f64::consts::PI;
    Some(depth * tenure / left * (left.ln() + EULER_GAMMA + tenure * pi * pi / 6.0))
}

/// Euler's constant.
const EULER_GAMMA: f64 = 0.577_215_664_901_532_9;

/// The hash of the board after `color` has played on `point`, as [`Board::play_unchecked`] plays it, without playing:
/// stones that are taken (suicide included) are looked at only where there are some.
///
/// ```
/// use ishi_go_play::go_mcts::tabu::hash_after;
/// use ishi_go::{Board, BoardSize, Color, Move};
/// let mut board = Board::new(BoardSize::square(9).unwrap());
/// let point = board.size().parse_point("E5").unwrap();
/// let hash = hash_after(&board, Color::Black, point);
/// board.play_unchecked(Color::Black, Move::Play(point));
/// assert_eq!(hash, board.hash());
/// ```
pub fn hash_after(board: &Board, color: Color, point: Point) -> u64 {
    let enemy = color.opponent();
    let mut hash = board.hash() ^ zobrist::stone_key(color, point);
    let mut taken = [None; 4];
    for (n, next) in point.neighbours().into_iter().enumerate() {
        if board.color(next) != Some(enemy) {
            continue;
        }
        let chain = board.chain(next).filter(|&chain| board.atari_liberty(chain) == Some(point));
        if chain.is_some() && !taken.contains(&chain) {
            taken[n] = chain;
            hash = chain.map_or(hash, |chain| hash_without_chain(board, hash, enemy, chain));
        }
    }
    if taken == [None; 4] && board.is_suicide(color, point) {
        hash_after_suicide(board, color, point)
    } else {
        hash
    }
}

/// The hash without the stones of a chain.
fn hash_without_chain(board: &Board, hash: u64, color: Color, chain: ishi_go::Chain) -> u64 {
    board.chain_stones(chain).fold(hash, |hash, stone| hash ^ zobrist::stone_key(color, stone))
}

/// The stone and the chains that it joins leave the board.
#[cold]
fn hash_after_suicide(board: &Board, color: Color, point: Point) -> u64 {
    let mut chains: Vec<_> =
        point.neighbours().into_iter().filter(|&n| board.color(n) == Some(color)).collect();
    chains.sort_unstable_by_key(|&stone| board.chain(stone));
    chains.dedup_by_key(|stone| board.chain(*stone));
    let chains = chains.into_iter().filter_map(|stone| board.chain(stone));
    chains.fold(board.hash(), |hash, chain| hash_without_chain(board, hash, color, chain))
}

/// What becomes of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TabuVerdict {
    /// It is played: the caller must play it.
    Play,
    /// It is tabu: another is to be chosen. A policy that has no other plays the first that was refused.
    Refuse,
}

/// How often lists were asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TabuCounters {
    /// Playouts that were finished.
    pub playouts: u64,
    /// Candidates that were asked about in them.
    pub asked: u64,
    /// Candidates that were refused.
    pub refused: u64,
}

/// Shards: more than threads, so that two seldom want the same. A power of two.
const SHARDS: usize = 64;

/// Slots of a queue that a leaf begins with: most leaves see a few playouts.
const FIRST_SLOTS: usize = 4;

const DEPTH: usize = TabuParams::MAX_DEPTH as usize;

/// No position and no point.
const NIL: u64 = 0;

/// What a pass adds to a hash by exclusive or, times the passes so far: any odd number of 64 bits without a pattern.
const ONE_PASS: u64 = 0xd1b5_4a32_d192_ed03;

/// Numbers of nodes spread by one multiplication (Knuth's, by the golden ratio).
#[derive(Default)]
struct SpreadHasher(u64);

impl Hasher for SpreadHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = (self.0 ^ u64::from(value)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

type LeafShard = HashMap<u32, LeafQueues, BuildHasherDefault<SpreadHasher>>;

/// The queues of a leaf.
struct LeafQueues {
    /// The `slot` of queue `m` stands at `slot * depth + m`; slots that are not there yet hold NIL.
    entries: Vec<u64>,
    /// By queue: the slot of its front, which the next push takes.
    fronts: [u16; DEPTH],
    tenure: u16,
}

impl LeafQueues {
    fn new(tenure: u16) -> LeafQueues {
        LeafQueues { entries: Vec::new(), fronts: [0; DEPTH], tenure }
    }

    fn contains(&self, depth: usize, queue: usize, entry: u64) -> bool {
        self.entries.iter().skip(queue).step_by(depth).any(|&other| other == entry)
    }

    /// Drops the front and puts `entry` at the back.
    fn push(&mut self, depth: usize, queue: usize, entry: u64) {
        let slot = usize::from(self.fronts[queue]);
        let slots = self.entries.len() / depth;
        if slot >= slots {
            let more = (2 * slots).clamp(FIRST_SLOTS, self.tenure.max(FIRST_SLOTS as u16).into()) - slots;
            self.entries.reserve_exact(more * depth);
            self.entries.resize((slots + more) * depth, NIL);
        }
        self.entries[slot * depth + queue] = entry;
        self.fronts[queue] = if slot + 1 == usize::from(self.tenure) { 0 } else { slot as u16 + 1 };
    }
}

/// The tabu lists of all leaves of a tree.
///
/// ```
/// use ishi_go_play::go_mcts::tabu::{LeafPlace, TabuKind, TabuLists, TabuParams, TabuVerdict};
/// use ishi_go::BoardSize;
/// use ishi_mcts::SearchNodeId;
/// let lists = TabuLists::new(TabuParams::with_kind(TabuKind::Hash));
/// let point = BoardSize::square(9).unwrap().parse_point("E5").unwrap();
/// // Two playouts from leaf 7, two moves below the root of a search on 9x9 for the game's 9th move, begin with the same move.
/// let place = LeafPlace { played: 8, depth: 2, area: 81 };
/// for expected in [TabuVerdict::Play, TabuVerdict::Refuse] {
///     let mut visit = lists.begin_visit(SearchNodeId(7), place);
///     assert_eq!(visit.judge_move(0, point, 0x1234), expected);
///     visit.finish_playout(true);
/// }
/// assert_eq!(lists.counters().refused, 1);
/// ```
pub struct TabuLists {
    params: TabuParams,
    shards: Box<[Mutex<LeafShard>]>,
    playouts: AtomicU64,
    asked: AtomicU64,
    refused: AtomicU64,
}

impl TabuLists {
    /// Lists without anything in them.
    ///
    /// # Panics
    /// If the parameters are beyond their limits.
    pub fn new(params: TabuParams) -> TabuLists {
        let TabuParams { tenure, depth, .. } = params;
        assert!(tenure <= TabuParams::MAX_TENURE, "a tabu tenure of {tenure}");
        assert!(depth <= TabuParams::MAX_DEPTH, "{depth} tabu lists");
        TabuLists {
            params,
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            playouts: AtomicU64::new(0),
            asked: AtomicU64::new(0),
            refused: AtomicU64::new(0),
        }
    }

    /// What they are.
    pub fn params(&self) -> TabuParams {
        self.params
    }

    /// Do they never refuse anything?
    pub fn are_off(&self) -> bool {
        self.params.are_off()
    }

    /// Begins a playout from a leaf.
    pub fn begin_visit(&self, leaf: SearchNodeId, place: LeafPlace) -> TabuVisit<'_> {
        let tenure = self.params.length_at(place);
        TabuVisit {
            lists: self,
            leaf,
            tenure,
            asked: 0,
            refused: 0,
            in_a_row: 0,
            passes: 0,
            waiting: [NIL; DEPTH],
        }
    }

    fn lock_shard(&self, leaf: SearchNodeId) -> MutexGuard<'_, LeafShard> {
        self.shards[leaf.0 as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops the lists of a leaf that has been expanded.
    pub fn forget_leaf(&self, leaf: SearchNodeId) {
        if !self.are_off() {
            self.lock_shard(leaf).remove(&leaf.0);
        }
    }

    /// Drops the lists of all leaves, between searches: nodes get other numbers. Counters stay.
    pub fn clear(&self) {
        for shard in &self.shards {
            shard.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }

    /// Leaves that have lists, and about the bytes that these take.
    pub fn memory_use(&self) -> (usize, usize) {
        let (mut leaves, mut bytes) = (0, 0);
        for shard in &self.shards {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            leaves += shard.len();
            bytes += shard.capacity() * size_of::<(u32, LeafQueues)>();
            bytes += shard.values().map(|leaf| leaf.entries.capacity() * size_of::<u64>()).sum::<usize>();
        }
        (leaves, bytes)
    }

    /// Playouts and candidates since these lists were made.
    pub fn counters(&self) -> TabuCounters {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        TabuCounters {
            playouts: load(&self.playouts),
            asked: load(&self.asked),
            refused: load(&self.refused),
        }
    }
}

impl fmt::Debug for TabuLists {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (leaves, _) = self.memory_use();
        f.debug_struct("TabuLists").field("params", &self.params).field("leaves", &leaves).finish()
    }
}

/// A playout and the lists of the leaf that it began from. What is not finished is not counted, and never learned by
/// [`TabuKind::HashWin`].
#[derive(Debug)]
pub struct TabuVisit<'a> {
    lists: &'a TabuLists,
    leaf: SearchNodeId,
    tenure: u16,
    asked: u64,
    refused: u64,
    /// Refusals since the last move that was played.
    in_a_row: u16,
    /// Passes among the moves of this playout.
    passes: u64,
    /// buf_m: the positions of this playout.
    waiting: [u64; DEPTH],
}

impl TabuVisit<'_> {
    /// Has the m-th move of the playout a list, counted from 0? If not, nothing needs to be asked.
    #[inline]
    pub fn has_list_for(&self, m: usize) -> bool {
        self.tenure > 0 && m < usize::from(self.lists.params.depth)
    }

    /// May the m-th move of the playout, counted from 0, be played on `point`? `hash` is that of the position after it,
    /// see [`hash_after`]; lists of moves do not look at it. Passes are not asked about, but told by [`TabuVisit::note_pass`].
    pub fn judge_move(&mut self, m: usize, point: Point, hash: u64) -> TabuVerdict {
        self.asked += u64::from(m < usize::from(self.lists.params.depth));
        if !self.has_list_for(m) {
            return TabuVerdict::Play;
        }
        let TabuParams { kind, moves_push_nil, pass_counts, .. } = self.lists.params;
        // The same stones after another number of passes are another position then.
        let hash = if pass_counts { hash ^ self.passes.wrapping_mul(ONE_PASS) } else { hash };
        let verdict = match kind {
            TabuKind::None => TabuVerdict::Play,
            TabuKind::Moves => {
                let pushes = EntryPushes { played: true, refused: moves_push_nil };
                self.judge_entry(m, point.index() as u64 + 1, pushes)
            }
            TabuKind::Hash => {
                self.judge_entry(m, avoid_nil(hash), EntryPushes { played: true, refused: true })
            }
            TabuKind::HashWin => {
                self.judge_entry(m, avoid_nil(hash), EntryPushes { played: false, refused: true })
            }
        };
        match verdict {
            TabuVerdict::Play => self.in_a_row = 0,
            TabuVerdict::Refuse => {
                self.in_a_row += 1;
                self.refused += 1;
            }
        }
        verdict
    }

    /// The playout's next move is a pass.
    pub fn note_pass(&mut self) {
        self.passes += 1;
    }

    fn judge_entry(&mut self, m: usize, entry: u64, pushes: EntryPushes) -> TabuVerdict {
        let depth = usize::from(self.lists.params.depth);
        let mut shard = self.lists.lock_shard(self.leaf);
        let leaf = shard.entry(self.leaf.0).or_insert_with(|| LeafQueues::new(self.tenure));
        if self.in_a_row < leaf.tenure && leaf.contains(depth, m, entry) {
            if pushes.refused {
                leaf.push(depth, m, NIL);
            }
            return TabuVerdict::Refuse;
        }
        if pushes.played {
            leaf.push(depth, m, entry);
        }
        self.waiting[m] = entry;
        TabuVerdict::Play
    }

    /// Ends the playout; `lost`: by the side to move at the leaf.
    pub fn finish_playout(self, lost: bool) {
        let TabuParams { kind, depth, .. } = self.lists.params;
        if lost && kind == TabuKind::HashWin && self.waiting.iter().any(|&entry| entry != NIL) {
            // If the leaf was expanded meanwhile, by another thread, it has no lists any more, and needs none.
            if let Some(leaf) = self.lists.lock_shard(self.leaf).get_mut(&self.leaf.0) {
                for (m, &entry) in self.waiting.iter().enumerate().filter(|&(_, &entry)| entry != NIL) {
                    leaf.push(depth.into(), m, entry);
                }
            }
        }
        self.lists.playouts.fetch_add(1, Ordering::Relaxed);
        self.lists.asked.fetch_add(self.asked, Ordering::Relaxed);
        self.lists.refused.fetch_add(self.refused, Ordering::Relaxed);
    }
}

/// What a question pushes at once.
#[derive(Clone, Copy)]
struct EntryPushes {
    /// The entry, if it is played.
    played: bool,
    /// A NIL, if it is refused.
    refused: bool,
}

/// A hash that is not taken for NIL.
fn avoid_nil(hash: u64) -> u64 {
    if hash == NIL { !NIL } else { hash }
}

#[cfg(test)]
mod tests;
