//! Mining in parts: what each part of the games says, and what follows from all of them, so that many machines can share the work.
//!
//! There is a stage for each level of windows, one in which candidates are looked for, and one in which moves are followed. In each of
//! them a part of the games is gone through on its own. The answers of all parts are joined, and the next stage goes on from that.
//! Answers are lists of whole numbers, the same for the same games. What comes out is what [`super::mine_patterns`] finds.
//!
//! Parts are joined one after the other. What they say together is in memory as far as it fits there; the rest is somewhere else
//! ([`NumberStore`]). What mining goes on from, the frequent windows and their counts, must fit into memory.

mod sums;

use std::fmt;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::Scope;

use self::sums::{KeyedCount, KeyedSums, write_in_order};
use super::{
    CandidateSight, CandidateTally, DiagramEdges, DiagramSquare, KeptCandidates, KeyedMap, LEVELS,
    MineParams, MinedPatterns, PatternBranch, PatternDiagram, SIDE, StandardWindow, WindowMasks,
    choose_candidates, count_sightings, count_windows, follow_moves, is_mined, merge_trees, name_patterns,
    share_of_black, until_stopped,
};
use crate::records::RecordedGame;
use ishi_go::Color;
use ishi_work::Stop;

pub use self::sums::NumberStore;

/// Games of a part: some seconds of work in each stage.
pub const GAMES_OF_PART: usize = 64;

/// Stages of mining.
pub const STAGES: usize = LEVELS.len() + 2;

/// The stage in which candidates are looked for.
const SIGHTS: usize = LEVELS.len();

/// The stage in which the moves after them are followed, the last.
const TREES: usize = LEVELS.len() + 1;

/// Longer lines of moves are no trees of mining.
const LONGEST_LINE: usize = 64;

/// Numbers that are in memory at once while parts are joined, besides what mining goes on from: some 100 MB in tables.
const LONGEST_TABLE: usize = 1 << 21;

/// Why parts of mining cannot be joined, or gone on from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MinedPartError {
    /// Numbers that no stage of mining has made, or that are another stage's: what they must be.
    Unexpected(&'static str),
    /// What does not fit into memory cannot be put elsewhere or does not come back, and why.
    NotKept(String),
}

impl fmt::Display for MinedPartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MinedPartError::Unexpected(expected) => {
                write!(f, "these numbers must be {expected} of mining, and are not")
            }
            MinedPartError::NotKept(cause) => {
                write!(f, "numbers of mining that do not fit into memory cannot be kept: {cause}")
            }
        }
    }
}

impl std::error::Error for MinedPartError {}

const WRONG_STAGES: MinedPartError = MinedPartError::Unexpected("what the stages before have found");
const WRONG_PART: MinedPartError = MinedPartError::Unexpected("what a part of the games says in this stage");
const WRONG_PATTERNS: MinedPartError = MinedPartError::Unexpected("patterns");

/// Games that are mined in parts.
pub struct PartedMining {
    /// Those that mining looks at.
    games: Vec<RecordedGame>,
    params: MineParams,
    masks: WindowMasks,
    /// The share of games that Black won.
    black_share: f64,
    /// A table of so many numbers is full.
    longest_table: usize,
}

impl PartedMining {
    /// Gets ready to mine these games; the number of threads in `params` is that of [`PartedMining::mine_here`].
    pub fn new(mut games: Vec<RecordedGame>, params: MineParams) -> PartedMining {
        games.retain(is_mined);
        let black_share = share_of_black(games.iter());
        let masks = WindowMasks::new();
        PartedMining { games, params, masks, black_share, longest_table: LONGEST_TABLE }
    }

    /// The same with another bound on the numbers that are in memory at once while parts are joined. What is found does not depend on it.
    #[must_use]
    pub fn with_longest_table(self, numbers: usize) -> PartedMining {
        PartedMining { longest_table: numbers, ..self }
    }

    /// How many parts there are, at least 1.
    pub fn part_count(&self) -> usize {
        self.games.len().div_ceil(GAMES_OF_PART).max(1)
    }

    /// What a part of the games says in a stage. `before` is what [`StageJoin::finish`] gave for the stage before, empty for the
    /// first. `None` if `stop` said so, which is asked before every game.
    ///
    /// # Errors
    /// If `before` is something else.
    pub fn mine_part(
        &self,
        stage: usize,
        part: usize,
        before: &[u64],
        stop: &(dyn Stop + Sync),
    ) -> Result<Option<Vec<u64>>, MinedPartError> {
        let known = JoinedStages::read(before, stage)?;
        let numbers = ReadyStage::new(self, stage, &known).mine_part(part, stop);
        Ok(numbers)
    }

    /// Mines all parts on this machine, so many at once as `params` has threads, and joins them as they come. Each stage puts what does not fit
    /// into memory into an empty store of its own. `source` becomes the patterns' source. `None` if `stop` said so, which is asked before every
    /// game.
    ///
    /// # Errors
    /// If what does not fit into memory cannot be kept.
    pub fn mine_here<S: NumberStore>(
        &self,
        source: &str,
        mut new_store: impl FnMut() -> S,
        stop: &(dyn Stop + Sync),
    ) -> Result<Option<MinedPatterns>, MinedPartError> {
        let mut known = JoinedStages::default();
        for stage in 0..TREES {
            let (mut sums, mut store) = (StageSums::new(stage, self.longest_table), new_store());
            let add_part = |part: &[u64]| sums.add_part(part, &mut store);
            let told = ReadyStage::new(self, stage, &known).tell_parts(stop, add_part)?;
            if told.is_none() {
                return Ok(None);
            }
            sums.conclude(&mut known, &mut store, self)?;
        }
        let mut kept = self.kept_candidates(&known);
        let add_part = |part: &[u64]| add_trees(&mut kept, part);
        let told = ReadyStage::new(self, TREES, &known).tell_parts(stop, add_part)?;
        if told.is_none() {
            return Ok(None);
        }
        LastJoin { mining: self, known, kept }.name_patterns(source).map(Some)
    }

    /// Begins to join what all parts say in a stage; `before` as for [`PartedMining::mine_part`]. What does not fit into memory is put into
    /// `store`, which must be empty.
    ///
    /// # Errors
    /// If `before` is something else, or it is the last stage, whose parts [`PartedMining::begin_last_join`] joins.
    pub fn begin_join<'a>(
        &'a self,
        stage: usize,
        before: &[u64],
        store: &'a mut dyn NumberStore,
    ) -> Result<StageJoin<'a>, MinedPartError> {
        let known = JoinedStages::read(before, stage)?;
        if stage >= TREES {
            return Err(WRONG_STAGES);
        }
        let sums = StageSums::new(stage, self.longest_table);
        Ok(StageJoin { mining: self, known, sums, store })
    }

    /// Begins to join what all parts say in the last stage. `before` is what is joined of the stage before it.
    ///
    /// # Errors
    /// If `before` is something else.
    pub fn begin_last_join(&self, before: &[u64]) -> Result<LastJoin<'_>, MinedPartError> {
        let known = JoinedStages::read(before, TREES)?;
        let kept = self.kept_candidates(&known);
        Ok(LastJoin { mining: self, known, kept })
    }

    fn kept_candidates(&self, known: &JoinedStages) -> KeptCandidates {
        let candidate = |(key, sight): &(u64, CandidateSight)| {
            let tally: CandidateTally = sight.to_tally(self.black_share);
            (*key, (tally, PatternBranch::new(Color::Black, sight.window.anchor)))
        };
        known.kept.iter().map(candidate).collect()
    }
}

/// A stage with what is known before it.
struct ReadyStage<'a> {
    mining: &'a PartedMining,
    stage: usize,
    frequent: &'a [KeyedMap<()>],
    /// The candidates whose moves are followed, in the last stage.
    kept: KeptCandidates,
}

impl<'a> ReadyStage<'a> {
    fn new(mining: &'a PartedMining, stage: usize, known: &'a JoinedStages) -> ReadyStage<'a> {
        let kept = if stage == TREES { mining.kept_candidates(known) } else { KeptCandidates::default() };
        ReadyStage { mining, stage, frequent: &known.frequent, kept }
    }

    /// What a part of the games says; `None` if `stop` said so.
    fn mine_part(&self, part: usize, stop: &(dyn Stop + Sync)) -> Option<Vec<u64>> {
        let PartedMining { games, params, masks, .. } = self.mining;
        let games: Vec<&RecordedGame> =
            games.iter().skip(part.saturating_mul(GAMES_OF_PART)).take(GAMES_OF_PART).collect();
        let games = until_stopped(&games, stop);
        let numbers = match self.stage {
            TREES => write_trees(follow_moves(games, &self.kept, self.frequent, masks, params.depth)),
            SIGHTS => write_in_order(count_sightings(games, self.frequent, masks)),
            _ => write_in_order(count_windows(games, self.frequent, masks)),
        };
        if stop.is_requested() { None } else { Some(numbers) }
    }

    /// Tells what all parts say, in their order. `None` if `stop` said so.
    fn tell_parts(
        &self,
        stop: &(dyn Stop + Sync),
        mut tell: impl FnMut(&[u64]) -> Result<(), MinedPartError>,
    ) -> Result<Option<()>, MinedPartError> {
        let parts = self.mining.part_count();
        let threads = self.mining.params.threads.clamp(1, parts);
        std::thread::scope(|scope| {
            let lines: Vec<Receiver<Vec<u64>>> =
                (0..threads).map(|first| self.begin_thread(scope, first, threads, stop)).collect();
            for part in 0..parts {
                // A thread that says no more was stopped, or has panicked: then so does the scope.
                let Ok(numbers) = lines[part % threads].recv() else { return Ok(None) };
                tell(&numbers)?;
            }
            Ok(Some(()))
        })
    }

    /// A thread that mines every so many parts, beginning with the `first`. What it says waits for who joins: one part lies ready at most, as
    /// parts may be large.
    fn begin_thread<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        first: usize,
        threads: usize,
        stop: &'scope (dyn Stop + Sync),
    ) -> Receiver<Vec<u64>> {
        let (sender, receiver) = sync_channel(1);
        scope.spawn(move || {
            for part in (first..self.mining.part_count()).step_by(threads) {
                let Some(numbers) = self.mine_part(part, stop) else { return };
                if sender.send(numbers).is_err() {
                    return;
                }
            }
        });
        receiver
    }
}

/// The parts of a stage that are being joined, one after the other in their order.
pub struct StageJoin<'a> {
    mining: &'a PartedMining,
    known: JoinedStages,
    sums: StageSums,
    store: &'a mut dyn NumberStore,
}

enum StageSums {
    Counts(KeyedSums<u32>),
    Sights(KeyedSums<CandidateSight>),
}

impl StageSums {
    /// The sums of a stage before the last.
    fn new(stage: usize, longest_table: usize) -> StageSums {
        if stage == SIGHTS {
            // Of frequent windows alone, which fit into memory. All parts see most of them: each part would be written away as it came.
            StageSums::Sights(KeyedSums::new(usize::MAX))
        } else {
            StageSums::Counts(KeyedSums::new(longest_table))
        }
    }

    fn add_part(&mut self, part: &[u64], store: &mut dyn NumberStore) -> Result<(), MinedPartError> {
        match self {
            StageSums::Counts(sums) => sums.add_part(part, store),
            StageSums::Sights(sums) => sums.add_part(part, store),
        }
    }

    /// Adds what follows from all parts to what is known.
    fn conclude(
        self,
        known: &mut JoinedStages,
        store: &mut dyn NumberStore,
        mining: &PartedMining,
    ) -> Result<(), MinedPartError> {
        match self {
            StageSums::Counts(sums) => known.frequent.push(find_frequent(sums, store, &mining.params)?),
            StageSums::Sights(sums) => {
                let sights = collect_sights(sums, store, &known.frequent)?;
                known.choose_kept(sights, mining);
            }
        }
        Ok(())
    }
}

impl StageJoin<'_> {
    /// Adds what the next part says.
    ///
    /// # Errors
    /// If these are other numbers, or what does not fit into memory cannot be kept.
    pub fn add_part(&mut self, part: &[u64]) -> Result<(), MinedPartError> {
        self.sums.add_part(part, self.store)
    }

    /// What follows from what all parts say, for the next stage.
    ///
    /// # Errors
    /// If the parts have said other numbers, or what did not fit into memory does not come back.
    pub fn finish(self) -> Result<Vec<u64>, MinedPartError> {
        let StageJoin { mining, mut known, sums, store } = self;
        sums.conclude(&mut known, store, mining)?;
        Ok(known.write())
    }
}

/// The windows that were played often enough.
fn find_frequent(
    sums: KeyedSums<u32>,
    store: &mut dyn NumberStore,
    params: &MineParams,
) -> Result<KeyedMap<()>, MinedPartError> {
    let mut frequent = KeyedMap::default();
    sums.tell_sums(store, |key, count| {
        if params.is_frequent(count) {
            frequent.insert(key, ());
        }
        Ok(())
    })?;
    Ok(frequent)
}

/// What all parts say of each candidate. Candidates are frequent windows, which fit into memory.
fn collect_sights(
    sums: KeyedSums<CandidateSight>,
    store: &mut dyn NumberStore,
    frequent: &[KeyedMap<()>],
) -> Result<KeyedMap<CandidateSight>, MinedPartError> {
    let mut sights: KeyedMap<CandidateSight> = KeyedMap::default();
    sums.tell_sums(store, |key, sight| {
        let is_frequent = frequent.get(sight.level).is_some_and(|known| known.contains_key(&key));
        sights.insert(key, sight);
        if is_frequent { Ok(()) } else { Err(WRONG_PART) }
    })?;
    let grows = |sight: &CandidateSight| {
        let inner = sight.inner.and_then(|key| sights.get(&key));
        inner.is_none_or(|inner| inner.level < sight.level)
    };
    if sights.values().all(grows) { Ok(sights) } else { Err(WRONG_PART) }
}

/// The parts of the last stage that are being joined, one after the other. Only what is kept of the candidates is in memory.
pub struct LastJoin<'a> {
    mining: &'a PartedMining,
    known: JoinedStages,
    kept: KeptCandidates,
}

impl LastJoin<'_> {
    /// Adds what a part says.
    ///
    /// # Errors
    /// If these are other numbers.
    pub fn add_part(&mut self, part: &[u64]) -> Result<(), MinedPartError> {
        add_trees(&mut self.kept, part)
    }

    /// What was found; `source` becomes the patterns' source.
    ///
    /// # Errors
    /// If the parts have said other numbers.
    pub fn name_patterns(self, source: &str) -> Result<MinedPatterns, MinedPartError> {
        let LastJoin { mining, known, kept } = self;
        let library = name_patterns(kept, &mining.params, source).map_err(|_| WRONG_PATTERNS)?;
        let frequent = known.frequent.iter().map(KeyedMap::len).collect();
        Ok(MinedPatterns {
            library,
            frequent,
            unusual: known.unusual as usize,
            losing: known.losing as usize,
        })
    }
}

/// Adds the trees that a part says to those of the candidates.
fn add_trees(kept: &mut KeptCandidates, part: &[u64]) -> Result<(), MinedPartError> {
    for (key, branch) in read_trees(part)? {
        if let Some((_, tree)) = kept.get_mut(&key) {
            merge_trees(tree, branch).ok_or(WRONG_PART)?;
        }
    }
    Ok(())
}

/// What is known after some stages.
#[derive(Default)]
struct JoinedStages {
    /// The frequent windows of each level.
    frequent: Vec<KeyedMap<()>>,
    /// The candidates that are kept, by key.
    kept: Vec<(u64, CandidateSight)>,
    unusual: u64,
    losing: u64,
}

impl JoinedStages {
    /// Reads what [`JoinedStages::write`] wrote before this stage.
    fn read(numbers: &[u64], stage: usize) -> Result<JoinedStages, MinedPartError> {
        if stage == 0 && numbers.is_empty() {
            return Ok(JoinedStages::default());
        }
        let known = JoinedStages::read_numbers(&mut NumberReader(numbers)).ok_or(WRONG_STAGES)?;
        if stage < STAGES && known.frequent.len() == stage.min(SIGHTS) {
            Ok(known)
        } else {
            Err(WRONG_STAGES)
        }
    }

    fn read_numbers(numbers: &mut NumberReader<'_>) -> Option<JoinedStages> {
        let mut known = JoinedStages::default();
        for _ in 0..numbers.next_length(1)? {
            let length = numbers.next_length(1)?;
            known.frequent.push(numbers.take(length)?.iter().map(|&key| (key, ())).collect());
        }
        (known.unusual, known.losing) = (numbers.next()?, numbers.next()?);
        for _ in 0..numbers.next_length(SIGHT_LENGTH)? {
            known.kept.push(read_sight(numbers)?);
        }
        numbers.0.is_empty().then_some(known)
    }

    /// Notes which candidates are kept.
    fn choose_kept(&mut self, sights: KeyedMap<CandidateSight>, mining: &PartedMining) {
        let tallies = sights.iter().map(|(&key, sight)| (key, sight.to_tally(mining.black_share)));
        let (kept, unusual, losing) = choose_candidates(&tallies.collect(), &mining.params);
        (self.unusual, self.losing) = (unusual as u64, losing as u64);
        self.kept = sights.into_iter().filter(|(key, _)| kept.contains_key(key)).collect();
        self.kept.sort_unstable_by_key(|(key, _)| *key);
    }

    fn write(&self) -> Vec<u64> {
        let mut numbers = vec![self.frequent.len() as u64];
        for known in &self.frequent {
            let mut keys: Vec<u64> = known.keys().copied().collect();
            keys.sort_unstable();
            numbers.push(keys.len() as u64);
            numbers.extend(keys);
        }
        numbers.extend([self.unusual, self.losing, self.kept.len() as u64]);
        self.kept.iter().for_each(|(key, sight)| write_sight(*key, sight, &mut numbers));
        numbers
    }
}

/// Numbers that are read one after the other.
struct NumberReader<'a>(&'a [u64]);

impl<'a> NumberReader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u64]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn next(&mut self) -> Option<u64> {
        self.take(1).map(|taken| taken[0])
    }

    /// A number below `end`.
    fn next_below(&mut self, end: usize) -> Option<usize> {
        usize::try_from(self.next()?).ok().filter(|&number| number < end)
    }

    fn next_count(&mut self) -> Option<u32> {
        u32::try_from(self.next()?).ok()
    }

    /// How many things follow, each of so many numbers at least.
    fn next_length(&mut self, each: usize) -> Option<usize> {
        let length = usize::try_from(self.next()?).ok()?;
        (length <= self.0.len() / each).then_some(length)
    }
}

/// How often a window was played.
impl KeyedCount for u32 {
    const LENGTH: usize = 2;

    fn write(&self, key: u64, numbers: &mut Vec<u64>) {
        numbers.extend([key, u64::from(*self)]);
    }

    fn read(numbers: &mut NumberReader<'_>) -> Option<(u64, u32)> {
        Some((numbers.next()?, numbers.next_count()?))
    }

    fn add(&mut self, other: &u32) -> Option<()> {
        *self = self.checked_add(*other)?;
        Some(())
    }
}

/// What is seen of a candidate.
impl KeyedCount for CandidateSight {
    const LENGTH: usize = SIGHT_LENGTH;

    fn write(&self, key: u64, numbers: &mut Vec<u64>) {
        write_sight(key, self, numbers);
    }

    fn read(numbers: &mut NumberReader<'_>) -> Option<(u64, CandidateSight)> {
        read_sight(numbers)
    }

    fn add(&mut self, other: &CandidateSight) -> Option<()> {
        self.add_counts(other)
    }
}

/// Numbers of a candidate, its key among them.
const SIGHT_LENGTH: usize = 15;

fn write_sight(key: u64, sight: &CandidateSight, numbers: &mut Vec<u64>) {
    let CandidateSight { window, level, inner, seen, won, played } = sight;
    let StandardWindow { diagram, anchor } = window;
    let PatternDiagram { edges, width, height, black, white, empty } = diagram;
    numbers.extend([key, *level as u64, u64::from(inner.is_some()), inner.unwrap_or(0)]);
    numbers.extend([seen, won, &played[0], &played[1]].map(|count| u64::from(*count)));
    numbers.extend([u64::from(edges.bits()), *width as u64, *height as u64, *black, *white, *empty]);
    numbers.push(anchor.index() as u64);
}

fn read_sight(numbers: &mut NumberReader<'_>) -> Option<(u64, CandidateSight)> {
    let key = numbers.next()?;
    let level = numbers.next_below(LEVELS.len())?;
    let has_inner = numbers.next_below(2)? == 1;
    let inner = Some(numbers.next()?).filter(|_| has_inner);
    let (seen, won) = (numbers.next_count()?, numbers.next_count()?);
    let played = [numbers.next_count()?, numbers.next_count()?];
    let edges = DiagramEdges::from_bits(numbers.next_below(16)? as u8);
    let (width, height) = (numbers.next_below(SIDE + 1)?, numbers.next_below(SIDE + 1)?);
    if width == 0 || height == 0 {
        return None;
    }
    let (black, white, empty) = (numbers.next()?, numbers.next()?, numbers.next()?);
    let anchor = DiagramSquare::from_index(numbers.next_below(64)?);
    let diagram = PatternDiagram { edges, width, height, black, white, empty };
    Some((
        key,
        CandidateSight { window: StandardWindow { diagram, anchor }, level, inner, seen, won, played },
    ))
}

/// Each tree behind its key: a move's square, its counts and the number of its answers, then these.
fn write_trees(trees: KeyedMap<PatternBranch>) -> Vec<u64> {
    let mut trees: Vec<(u64, PatternBranch)> = trees.into_iter().collect();
    trees.sort_unstable_by_key(|(key, _)| *key);
    let mut numbers = Vec::new();
    for (key, tree) in &trees {
        numbers.push(*key);
        write_tree(tree, &mut numbers);
    }
    numbers
}

fn write_tree(tree: &PatternBranch, numbers: &mut Vec<u64>) {
    let PatternBranch { at, played, won, replies, .. } = tree;
    numbers.extend([at.index() as u64, u64::from(*played), u64::from(*won), replies.len() as u64]);
    replies.iter().for_each(|reply| write_tree(reply, numbers));
}

fn read_trees(numbers: &[u64]) -> Result<Vec<(u64, PatternBranch)>, MinedPartError> {
    let (mut reader, mut trees) = (NumberReader(numbers), Vec::new());
    while !reader.0.is_empty() {
        let key = reader.next().ok_or(WRONG_PART)?;
        trees.push((key, read_tree(&mut reader, Color::Black, LONGEST_LINE).ok_or(WRONG_PART)?));
    }
    Ok(trees)
}

/// A tree whose lines have at most so many moves.
fn read_tree(numbers: &mut NumberReader<'_>, color: Color, longest: usize) -> Option<PatternBranch> {
    let at = DiagramSquare::from_index(numbers.next_below(64)?);
    let mut tree = PatternBranch::new(color, at);
    (tree.played, tree.won) = (numbers.next_count()?, numbers.next_count()?);
    let replies = numbers.next_length(4)?;
    if replies > 0 && longest == 1 {
        return None;
    }
    for _ in 0..replies {
        tree.replies.push(read_tree(numbers, !color, longest - 1)?);
    }
    Some(tree)
}
