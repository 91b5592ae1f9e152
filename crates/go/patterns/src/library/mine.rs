//! Patterns mined from records.
//!
//! Around every move of the games lie nested windows: the eight points next to it, then more, up to the whole of 8x8 points.
//! A window's stones, turned so that all symmetries and both colours are one, are a candidate.
//!
//! 1. **Growing.** Level by level, candidates are counted where their moves were played; a window grows only while it was
//!    played often enough.
//! 2. **Seeing.** All candidates are looked for in all positions, around every empty point near the move that was played
//!    (three lines at most): there the side to move was busy, and could have played the candidate's move. Played by seen is its
//!    share: of this place, so that of two mirror images side by side each has half.
//! 3. **Choosing.** A candidate is kept if its share is large enough and larger than that of the kept window inside it (else the
//!    small one says it all), and if it succeeds: the share of games that its player won is held against what was to be
//!    expected (the share of all games won by that colour), and candidates that are worse by their 95 % interval are left out.
//! 4. **Following.** For those that are kept the games are gone through once more, and the moves that followed at once within the
//!    frame are their trees.
//!
//! The result depends on games and parameters alone, not on threads. A pattern stands for a single colour to move: Black.

pub mod parts;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use ishi_go::{Board, Color, Move, Point};
use ishi_work::Stop;

use super::collection::{PatternLibrary, PatternLibraryError};
use super::diagram::{DiagramEdges, DiagramSquare, DiagramTurn, PatternDiagram, SIDE, frame_mask};
use super::index::{BoardRows, MixedKeyHasher, mix_bits};
use super::pattern::{BilingualWords, Pattern, PatternBranch};
use crate::joseki::book::MoveKind;
use crate::records::RecordedGame;

/// Nested windows: how many lines from the move they reach, and the largest distance dx + dy + max(dx, dy) in them. The last is
/// 8x8 points and has no middle; it is the one that has the move nearest to its own.
const LEVELS: [(usize, usize); 5] = [(1, 3), (2, 5), (3, 7), (3, 9), (4, 99)];
/// Lines from the played move within which a candidate counts as seen.
const NEAR: usize = 3;
/// Two-sided 95 %.
const Z: f64 = 1.96;

/// What is worth keeping.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MineParams {
    /// Times its move was played.
    pub min_count: u32,
    /// Share of the times it was seen in which the move was played.
    pub min_share: f64,
    /// A window is kept beside the one inside it if its share is so many times as large.
    pub growth: f64,
    /// The longest line of moves in a tree.
    pub depth: usize,
    /// Times a move of a tree was played, the first left out.
    pub min_follow: u32,
    /// The most patterns; those that were played most are kept.
    pub most: usize,
    /// Threads; the result does not depend on them.
    pub threads: usize,
}

impl Default for MineParams {
    fn default() -> Self {
        MineParams {
            min_count: 40,
            min_share: 0.25,
            growth: 1.25,
            depth: 6,
            min_follow: 15,
            most: 8000,
            threads: 1,
        }
    }
}

impl MineParams {
    /// Is a window that was played so many times played often enough?
    fn is_frequent(&self, count: u32) -> bool {
        count >= self.min_count.max(1)
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct MinedPatterns {
    /// The patterns, those played most first.
    pub library: PatternLibrary,
    /// Candidates of each level that were played often enough.
    pub frequent: Vec<usize>,
    /// Frequent candidates that were left out for their share, or because the window inside says it all.
    pub unusual: usize,
    /// Those left out because their players lost too often.
    pub losing: usize,
}

/// A window around a move, in its standard form: Black is to move, and of the symmetric images that are written as patterns are
/// the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct StandardWindow {
    diagram: PatternDiagram,
    anchor: DiagramSquare,
}

impl StandardWindow {
    fn hash_key(&self) -> u64 {
        let PatternDiagram { edges, width, height, black, white, empty } = self.diagram;
        let head = u64::from(edges.bits()) | (width as u64) << 8 | (height as u64) << 16;
        let head = head | (self.anchor.index() as u64) << 24;
        mix_bits(mix_bits(mix_bits(mix_bits(black) ^ white) ^ empty.rotate_left(1)) ^ head)
    }
}

/// How a window's standard form lies on the board.
#[derive(Clone, Copy, Debug)]
struct WindowPlacement {
    left: usize,
    bottom: usize,
    width: usize,
    height: usize,
    turn: DiagramTurn,
}

impl WindowPlacement {
    /// The square of a point; `None` outside the window.
    fn square_of(&self, point: Point) -> Option<DiagramSquare> {
        let column = point.column().checked_sub(self.left).filter(|&column| column < self.width)?;
        let row = point.row().checked_sub(self.bottom).filter(|&row| row < self.height)?;
        Some(self.turn.map_square(DiagramSquare::new(column, row), self.width, self.height))
    }
}

/// The points of a window of this level around a square of its frame.
fn window_mask(level: usize, anchor: DiagramSquare, width: usize, height: usize) -> u64 {
    let all = frame_mask(width, height);
    let near = |square: &DiagramSquare| {
        let (dx, dy) = (square.column().abs_diff(anchor.column()), square.row().abs_diff(anchor.row()));
        dx + dy + dx.max(dy) <= LEVELS[level].1
    };
    let squares = (0..64).map(DiagramSquare::from_index).filter(|square| all & square.bit() != 0);
    squares.filter(near).fold(0, |bits, square| bits | square.bit())
}

/// [`window_mask`] of all levels, anchors and frames, made once.
struct WindowMasks(Vec<u64>);

impl WindowMasks {
    fn new() -> WindowMasks {
        let mut shapes = Vec::with_capacity(LEVELS.len() << 12);
        for number in 0..LEVELS.len() << 12 {
            let (width, height) = ((number & 7) + 1, (number >> 3 & 7) + 1);
            shapes.push(window_mask(
                number >> 12,
                DiagramSquare::from_index(number >> 6 & 63),
                width,
                height,
            ));
        }
        WindowMasks(shapes)
    }

    fn get(&self, level: usize, anchor: DiagramSquare, width: usize, height: usize) -> u64 {
        self.0[level << 12 | anchor.index() << 6 | (height - 1) << 3 | (width - 1)]
    }
}

/// Where a window begins on a line of points, and its length. Where a window has no middle it lies towards the nearer edge.
fn window_span(at: usize, length: usize, level: usize) -> (usize, usize) {
    let reach = LEVELS[level].0;
    if 2 * reach < SIDE {
        let from = at.saturating_sub(reach);
        return (from, (at + reach + 1).min(length) - from);
    }
    let low = if 2 * at < length { reach } else { reach - 1 };
    (at.saturating_sub(low).min(length.saturating_sub(SIDE)), SIDE.min(length))
}

/// The window of a level around an empty point in its standard form; tells of its lie, of all lies where it has symmetries.
fn standard_window(
    rows: &BoardRows,
    shapes: &WindowMasks,
    color: Color,
    at: Point,
    level: usize,
    mut tell: impl FnMut(WindowPlacement),
) -> StandardWindow {
    let size = rows.size();
    let (left, width) = window_span(at.column(), size.width(), level);
    let (bottom, height) = window_span(at.row(), size.height(), level);
    let anchor = DiagramSquare::new(at.column() - left, at.row() - bottom);
    let mask = shapes.get(level, anchor, width, height);
    let [black, white, empty] = rows.window_at(left as i32, bottom as i32, height).map(|bits| bits & mask);
    let mut edges = DiagramEdges::NONE;
    let touches = [
        (bottom == 0, DiagramEdges::BOTTOM),
        (left == 0, DiagramEdges::LEFT),
        (bottom + height == size.height(), DiagramEdges::TOP),
        (left + width == size.width(), DiagramEdges::RIGHT),
    ];
    for (_, edge) in touches.into_iter().filter(|(touches, _)| *touches) {
        edges = edges.union(edge);
    }
    let seen = PatternDiagram { edges, width, height, black, white, empty };
    let seen = if color == Color::Black { seen } else { seen.with_colors_exchanged() };
    let images = DiagramTurn::ALL.map(|turn| {
        let image = || StandardWindow {
            diagram: seen.turned_by(turn),
            anchor: turn.map_square(anchor, width, height),
        };
        turn.map_edges(edges).is_plain().then(image)
    });
    let best = images.into_iter().flatten().min().expect("one symmetry lays it as patterns are written");
    for (turn, _) in DiagramTurn::ALL.into_iter().zip(images).filter(|(_, image)| *image == Some(best)) {
        tell(WindowPlacement { left, bottom, width, height, turn });
    }
    best
}

/// Keys of windows with something about each.
type KeyedMap<T> = HashMap<u64, T, BuildHasherDefault<MixedKeyHasher>>;

/// What is counted of a candidate.
#[derive(Clone, Copy, Debug)]
struct CandidateTally {
    window: StandardWindow,
    level: usize,
    /// The window inside it.
    inner: Option<u64>,
    seen: u32,
    played: u32,
    won: u32,
    /// Games that colours of its players won on the whole, summed over its moves.
    expected: f64,
}

impl CandidateTally {
    fn played_share(&self) -> f64 {
        f64::from(self.played) / f64::from(self.seen.max(1))
    }

    /// Do its players lose more than was to be expected, beyond chance?
    fn loses_too_often(&self) -> bool {
        let n = f64::from(self.played.max(1));
        let rate = f64::from(self.won) / n;
        rate + Z * (rate * (1.0 - rate) / n).sqrt() < self.expected / n
    }
}

/// Mines games, with everything in memory at once: [`parts`] finds the same with less. Only games on 19x19 without set-up stones that somebody won
/// are looked at. `source` becomes the patterns' source.
/// `stop` is asked before every game, from any thread; `None` if it said so.
pub fn mine_patterns(
    games: &[RecordedGame],
    params: &MineParams,
    source: &str,
    stop: &(dyn Stop + Sync),
) -> Option<MinedPatterns> {
    let used: Vec<&RecordedGame> = games.iter().filter(|game| is_mined(game)).collect();
    let shapes = WindowMasks::new();
    let mut frequent: Vec<KeyedMap<()>> = Vec::new();
    // A large window can be frequent only where the smaller one inside it is.
    for _ in 0..LEVELS.len() {
        let counted = map_in_parts(&used, params.threads, |part| {
            count_windows(until_stopped(part, stop), &frequent, &shapes)
        });
        if stop.is_requested() {
            return None;
        }
        frequent.push(keep_frequent(counted.into_iter().flatten(), params));
    }
    let black_share = share_of_black(used.iter().copied());
    let parts = map_in_parts(&used, params.threads, |part| {
        count_sightings(until_stopped(part, stop), &frequent, &shapes)
    });
    if stop.is_requested() {
        return None;
    }
    let tallies = merge_sights(parts, black_share);
    let (mut kept, unusual, losing) = choose_candidates(&tallies, params);
    let trees = map_in_parts(&used, params.threads, |part| {
        follow_moves(until_stopped(part, stop), &kept, &frequent, &shapes, params.depth)
    });
    if stop.is_requested() {
        return None;
    }
    for (key, branch) in trees.into_iter().flatten() {
        if let Some((_, tree)) = kept.get_mut(&key) {
            merge_trees(tree, branch).expect("no more moves are counted than the games have");
        }
    }
    let frequent = frequent.iter().map(KeyedMap::len).collect();
    let library = name_patterns(kept, params, source);
    let library = library.expect("mined patterns are sound, and each has its own name");
    Some(MinedPatterns { library, frequent, unusual, losing })
}

/// Is a game looked at? Only those on 19x19 without set-up stones that somebody won.
fn is_mined(game: &RecordedGame) -> bool {
    let size = (game.size.width(), game.size.height());
    game.winner.is_some() && game.setup.is_empty() && size == (19, 19)
}

/// The share of games that Black won.
fn share_of_black<'a>(games: impl ExactSizeIterator<Item = &'a RecordedGame>) -> f64 {
    let count = games.len().max(1);
    let black_wins = games.filter(|game| game.winner == Some(Color::Black)).count();
    black_wins as f64 / count as f64
}

/// The windows that were played often enough, from the counts of all parts.
fn keep_frequent(counted: impl Iterator<Item = (u64, u32)>, params: &MineParams) -> KeyedMap<()> {
    let mut all: KeyedMap<u32> = KeyedMap::default();
    for (key, count) in counted {
        *all.entry(key).or_default() += count;
    }
    let often = all.into_iter().filter(|&(_, count)| params.is_frequent(count));
    often.map(|(key, _)| (key, ())).collect()
}

/// The games in turn, until it says stop.
fn until_stopped<'a>(
    games: &'a [&'a RecordedGame],
    stop: &'a (dyn Stop + Sync),
) -> impl Iterator<Item = &'a RecordedGame> {
    games.iter().copied().take_while(move |_| !stop.is_requested())
}

/// Does the work on equal parts of the games; the answers come in their order.
fn map_in_parts<T: Send>(
    games: &[&RecordedGame],
    threads: usize,
    work: impl Fn(&[&RecordedGame]) -> T + Sync,
) -> Vec<T> {
    let share = games.len().div_ceil(threads.max(1)).max(1);
    std::thread::scope(|scope| {
        let work = &work;
        let handles: Vec<_> = games.chunks(share).map(|part| scope.spawn(move || work(part))).collect();
        let joined = handles.into_iter().map(std::thread::ScopedJoinHandle::join);
        joined.map(|answer| answer.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

/// Tells of every move of a game: the board before it, who plays, its number and its point.
fn replay_game(game: &RecordedGame, mut tell: impl FnMut(&Board, Color, usize, Point)) {
    let mut board = Board::new(game.size);
    let mut color = game.first;
    for (number, &mv) in game.moves.iter().enumerate() {
        if let Move::Play(point) = mv {
            tell(&board, color, number, point);
        }
        board.play_unchecked(color, mv);
        color = !color;
    }
}

/// Goes up the levels at a point as long as windows are frequent; tells of each.
fn visit_levels(
    rows: &BoardRows,
    shapes: &WindowMasks,
    frequent: &[KeyedMap<()>],
    color: Color,
    at: Point,
    mut tell: impl FnMut(usize, u64, StandardWindow),
) {
    for (level, known) in frequent.iter().enumerate() {
        let window = standard_window(rows, shapes, color, at, level, |_| ());
        let key = window.hash_key();
        if !known.contains_key(&key) {
            return;
        }
        tell(level, key, window);
    }
}

/// How often the windows of the next level were played, of those whose inner windows are frequent.
fn count_windows<'a>(
    games: impl Iterator<Item = &'a RecordedGame>,
    frequent: &[KeyedMap<()>],
    shapes: &WindowMasks,
) -> KeyedMap<u32> {
    let mut counts: KeyedMap<u32> = KeyedMap::default();
    let level = frequent.len();
    for game in games {
        replay_game(game, |board, color, _, point| {
            let rows = BoardRows::from_board(board);
            let mut grown = 0;
            visit_levels(&rows, shapes, frequent, color, point, |_, _, _| grown += 1);
            if grown == level {
                *counts
                    .entry(standard_window(&rows, shapes, color, point, level, |_| ()).hash_key())
                    .or_default() += 1;
            }
        });
    }
    counts
}

/// What one part of the games says of a candidate; moves of both colours apart, for what was to be expected.
#[derive(Clone, Copy)]
struct CandidateSight {
    window: StandardWindow,
    level: usize,
    inner: Option<u64>,
    seen: u32,
    won: u32,
    played: [u32; 2],
}

/// Looks for candidates around the moves that were played.
fn count_sightings<'a>(
    games: impl Iterator<Item = &'a RecordedGame>,
    frequent: &[KeyedMap<()>],
    shapes: &WindowMasks,
) -> KeyedMap<CandidateSight> {
    let mut sights: KeyedMap<CandidateSight> = KeyedMap::default();
    for game in games {
        replay_game(game, |board, color, _, point| {
            let rows = BoardRows::from_board(board);
            let size = board.size();
            let lines = |at: usize, end: usize| at.saturating_sub(NEAR)..(at + NEAR + 1).min(end);
            for row in lines(point.row(), size.height()) {
                for at in lines(point.column(), size.width()).map(|column| Point::new(column, row)) {
                    if !board.is_legal(color, at) {
                        continue;
                    }
                    let mut inner = None;
                    visit_levels(&rows, shapes, frequent, color, at, |level, key, window| {
                        let new = CandidateSight { window, level, inner, seen: 0, won: 0, played: [0; 2] };
                        let sight = sights.entry(key).or_insert(new);
                        sight.seen += 1;
                        if at == point {
                            sight.played[color.index()] += 1;
                            sight.won += u32::from(game.winner == Some(color));
                        }
                        inner = Some(key);
                    });
                }
            }
        });
    }
    sights
}

impl CandidateSight {
    /// What is counted of the candidate, where Black wins such a share of games.
    fn to_tally(self, black_share: f64) -> CandidateTally {
        let CandidateSight { window, level, inner, seen, won, played } = self;
        let [black, white] = [Color::Black, Color::White].map(|color| played[color.index()]);
        let expected = f64::from(black) * black_share + f64::from(white) * (1.0 - black_share);
        CandidateTally { window, level, inner, seen, played: black.saturating_add(white), won, expected }
    }

    /// Adds what another part of the games says of the same candidate; `None` if that is more than can be counted.
    fn add_counts(&mut self, other: &CandidateSight) -> Option<()> {
        self.seen = self.seen.checked_add(other.seen)?;
        self.won = self.won.checked_add(other.won)?;
        for (played, more) in self.played.iter_mut().zip(other.played) {
            *played = played.checked_add(more)?;
        }
        Some(())
    }
}

/// What all parts of the games say of each candidate.
fn merge_sights(parts: Vec<KeyedMap<CandidateSight>>, black_share: f64) -> KeyedMap<CandidateTally> {
    let mut all: KeyedMap<CandidateSight> = KeyedMap::default();
    for (key, part) in parts.into_iter().flatten() {
        all.entry(key)
            .and_modify(|sight| sight.add_counts(&part).expect("games in memory have fewer moves"))
            .or_insert(part);
    }
    all.into_iter().map(|(key, sight)| (key, sight.to_tally(black_share))).collect()
}

type KeptCandidates = KeyedMap<(CandidateTally, PatternBranch)>;

/// Which candidates are kept, each with its move; and how many were unusual, and losing.
fn choose_candidates(
    tallies: &KeyedMap<CandidateTally>,
    params: &MineParams,
) -> (KeptCandidates, usize, usize) {
    let mut keys: Vec<(usize, u64)> = tallies.iter().map(|(&key, tally)| (tally.level, key)).collect();
    // Inner windows come first.
    keys.sort_unstable();
    let (mut kept, mut unusual, mut losing) = (KeptCandidates::default(), 0, 0);
    for (_, key) in keys {
        let tally = tallies[&key];
        let least = params.min_share.max(params.growth * share_of_inner(&tally, tallies, &kept));
        if tally.played_share() < least {
            unusual += 1;
        } else if tally.loses_too_often() {
            losing += 1;
        } else {
            kept.insert(key, (tally, PatternBranch::new(Color::Black, tally.window.anchor)));
        }
    }
    (kept, unusual, losing)
}

/// The share of the largest window inside that is kept; 0 if none is.
fn share_of_inner(tally: &CandidateTally, tallies: &KeyedMap<CandidateTally>, kept: &KeptCandidates) -> f64 {
    let mut inner = tally.inner;
    while let Some(key) = inner {
        if let Some((tally, _)) = kept.get(&key) {
            return tally.played_share();
        }
        inner = tallies.get(&key).and_then(|tally| tally.inner);
    }
    0.0
}

/// The trees of what followed the moves of kept patterns, by their keys.
fn follow_moves<'a>(
    games: impl Iterator<Item = &'a RecordedGame>,
    kept: &KeptCandidates,
    frequent: &[KeyedMap<()>],
    shapes: &WindowMasks,
    depth: usize,
) -> KeyedMap<PatternBranch> {
    let mut trees: KeyedMap<PatternBranch> = KeyedMap::default();
    for game in games {
        replay_game(game, |board, color, number, point| {
            let rows = BoardRows::from_board(board);
            visit_levels(&rows, shapes, frequent, color, point, |level, key, found| {
                if !kept.contains_key(&key) {
                    return;
                }
                let mut line: Option<Vec<DiagramSquare>> = None;
                standard_window(&rows, shapes, color, point, level, |lie| {
                    let moves = game.moves[number..].iter().take(depth.max(1));
                    let squares: Vec<DiagramSquare> =
                        moves.map_while(|mv| lie.square_of(mv.point()?)).collect();
                    line = Some(match line.take() {
                        Some(least) => least.min(squares),
                        None => squares,
                    });
                });
                let tree = trees.entry(key).or_insert(PatternBranch::new(Color::Black, found.anchor));
                note_line(tree, &line.unwrap_or_default(), game.winner == Some(color));
            });
        });
    }
    trees
}

/// Counts a line of moves; the first is that of the tree itself.
fn note_line(tree: &mut PatternBranch, line: &[DiagramSquare], mut won: bool) {
    tree.played += 1;
    tree.won += u32::from(won);
    let mut branch = tree;
    for &at in &line[1.min(line.len())..] {
        won = !won;
        let color = !branch.color;
        let place = branch.replies.iter().position(|reply| reply.at == at).unwrap_or_else(|| {
            branch.replies.push(PatternBranch::new(color, at));
            branch.replies.len() - 1
        });
        branch = &mut branch.replies[place];
        branch.played += 1;
        branch.won += u32::from(won);
    }
}

/// Adds the counts of another tree of the same move; `None` if that is more than can be counted.
fn merge_trees(tree: &mut PatternBranch, other: PatternBranch) -> Option<()> {
    tree.played = tree.played.checked_add(other.played)?;
    tree.won = tree.won.checked_add(other.won)?;
    for reply in other.replies {
        match tree.replies.iter_mut().find(|known| known.at == reply.at) {
            Some(known) => merge_trees(known, reply)?,
            None => tree.replies.push(reply),
        }
    }
    Some(())
}

/// Leaves rare moves out, puts the others in order, and says what kind they are.
fn prune_branch(branch: &mut PatternBranch, least: u32) {
    let answered: u64 = branch.replies.iter().map(|reply| u64::from(reply.played)).sum();
    let most = branch.replies.iter().map(|reply| reply.played).max().unwrap_or(0);
    branch.replies.retain(|reply| reply.played >= least);
    branch.replies.sort_unstable_by_key(|reply| (Reverse(reply.played), reply.at));
    // As for joseki: urgent is answered at once nine times of ten, hard has five answers and none usual.
    branch.kind = if answered * 10 >= u64::from(branch.played) * 9 && branch.played > 0 {
        MoveKind::Urgent
    } else if branch.replies.len() >= 5 && f64::from(most) <= 0.35 * answered as f64 {
        MoveKind::Hard
    } else {
        MoveKind::Normal
    };
    branch.replies.iter_mut().for_each(|reply| prune_branch(reply, least));
}

/// The patterns by how often they were played, named by their place and that number.
///
/// # Errors
/// If one of them is no sound pattern.
fn name_patterns(
    kept: KeptCandidates,
    params: &MineParams,
    source: &str,
) -> Result<PatternLibrary, PatternLibraryError> {
    let mut kept: Vec<(CandidateTally, PatternBranch)> = kept.into_values().collect();
    kept.sort_unstable_by_key(|(tally, _)| (Reverse(tally.played), tally.window));
    kept.truncate(params.most);
    let mut library = PatternLibrary::default();
    let mut numbers = [0; 3];
    for (tally, mut branch) in kept {
        prune_branch(&mut branch, params.min_follow);
        let (place, number) = match tally.window.diagram.edges {
            DiagramEdges::NONE => ("centre", &mut numbers[0]),
            DiagramEdges::CORNER => ("corner", &mut numbers[1]),
            _ => ("side", &mut numbers[2]),
        };
        *number += 1;
        let pattern = Pattern {
            name: format!("{place}-{number:04}"),
            source: source.to_string(),
            seen: tally.seen,
            words: BilingualWords::default(),
            diagram: tally.window.diagram,
            attributes: Vec::new(),
            moves: vec![branch],
        };
        library.add_pattern(pattern)?;
    }
    Ok(library)
}
