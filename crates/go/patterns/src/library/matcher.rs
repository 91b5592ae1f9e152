//! Matches kept up to date while a game goes on.

use ishi_go::{Board, Point};

use super::index::{BoardRows, PatternIndex, PatternMatch};
use super::pattern::FateOracle;

/// What matches on a board that changes: only places that patterns reach from what has changed are looked at again.
///
/// [`PatternMatcher::update_matches`] finds out by itself what has changed since the last call, so moves, undone moves and jumps in a game are all
/// the same to it. Its twin from scratch is [`PatternIndex::find_matches`]; tests hold the two together over random games.
///
/// ```
/// use ishi_go::{BoardSize, Board, Color, Move};
/// use ishi_patterns::library::{PatternIndex, PatternMatcher, NoFates, text};
/// let index = PatternIndex::new(text::parse_library("ishi-shapes 1\npattern hane\n: X O\n: . .\nB B1 0 0 normal\n").unwrap());
/// let size = BoardSize::square(9).unwrap();
/// let mut board = Board::new(size);
/// let mut matcher = PatternMatcher::new(&index, &board);
/// for (color, point) in [(Color::White, "E5"), (Color::Black, "F5")] {
///     board.play_unchecked(color, Move::Play(size.parse_point(point).unwrap()));
///     matcher.update_matches(&board);
/// }
/// assert_eq!(matcher.current_matches(&board, &NoFates), index.find_matches(&board, &NoFates));
/// ```
#[derive(Clone, Debug)]
pub struct PatternMatcher<'a> {
    index: &'a PatternIndex,
    rows: BoardRows,
    /// What was found at each point, with its tier.
    found: Vec<Vec<(u8, PatternMatch)>>,
    reach: usize,
    claims: bool,
}

/// Farther than any pattern reaches.
const FAR: u8 = u8::MAX;

impl<'a> PatternMatcher<'a> {
    /// Looks at all of a board.
    pub fn new(index: &'a PatternIndex, board: &Board) -> PatternMatcher<'a> {
        let mut matcher = PatternMatcher {
            index,
            rows: BoardRows::from_board(board),
            found: vec![Vec::new(); Point::INDICES],
            reach: index.tiers().iter().map(|tier| tier.reach).max().unwrap_or(0),
            claims: index.tiers().iter().any(|tier| tier.claims),
        };
        matcher.match_all(board);
        matcher
    }

    fn match_all(&mut self, board: &Board) {
        self.found.iter_mut().for_each(Vec::clear);
        for point in board.size().points() {
            self.match_point_again(board, point, 0, FAR);
        }
    }

    /// Looks again where the board differs from the one before; tells how many places that were.
    pub fn update_matches(&mut self, board: &Board) -> usize {
        let rows = BoardRows::from_board(board);
        let old = std::mem::replace(&mut self.rows, rows);
        if old.size() != self.rows.size() {
            self.match_all(board);
            return board.size().area();
        }
        let changed = changed_points(&old, &self.rows);
        let mut near = vec![(FAR, FAR); Point::INDICES];
        for &point in &changed {
            self.visit_reachable(point, |at, distance| near[at.index()].0 = near[at.index()].0.min(distance));
        }
        if self.claims {
            for stone in stones_of_changed_chains(board, &changed) {
                self.visit_reachable(stone, |at, distance| {
                    near[at.index()].1 = near[at.index()].1.min(distance)
                });
            }
        }
        let touched = |point: &Point| near[point.index()] != (FAR, FAR);
        let places: Vec<Point> = board.size().points().filter(touched).collect();
        for &point in &places {
            let (stone, liberties) = near[point.index()];
            self.match_point_again(board, point, stone, liberties);
        }
        places.len()
    }

    /// Tells of all points that are within reach of one, with their distance in lines.
    fn visit_reachable(&self, from: Point, mut tell: impl FnMut(Point, u8)) {
        let size = self.rows.size();
        let range = |at: usize, end: usize| at.saturating_sub(self.reach)..(at + self.reach + 1).min(end);
        for row in range(from.row(), size.height()) {
            for column in range(from.column(), size.width()) {
                let at = Point::new(column, row);
                tell(at, at.lines_to(from) as u8);
            }
        }
    }

    /// Looks for variants that reach a stone changed, or a chain with other liberties, at these distances.
    fn match_point_again(&mut self, board: &Board, point: Point, stone: u8, liberties: u8) {
        let PatternMatcher { index, rows, found, .. } = self;
        let found = &mut found[point.index()];
        let tiers = index.tiers();
        let reaches = |number: usize| {
            let reach = tiers[number].reach;
            reach >= usize::from(stone) || tiers[number].claims && reach >= usize::from(liberties)
        };
        found.retain(|&(tier, _)| !reaches(usize::from(tier)));
        if rows.is_empty(point) {
            for (number, tier) in tiers.iter().enumerate().filter(|&(number, _)| reaches(number)) {
                index.look_up_tier(board, rows, point, tier, |matched| found.push((number as u8, matched)));
            }
        }
    }

    /// What matches on the board of the last [`PatternMatcher::update_matches`], which is to be given again, in the order of [`PatternIndex::find_matches`].
    pub fn current_matches(&self, board: &Board, fates: &impl FateOracle) -> Vec<PatternMatch> {
        let all = self.found.iter().flatten().map(|(_, matched)| *matched);
        let mut matches: Vec<PatternMatch> =
            all.filter(|matched| self.index.fates_agree(board, matched, fates)).collect();
        matches.sort_unstable();
        matches
    }
}

/// Points whose stones differ.
fn changed_points(old: &BoardRows, new: &BoardRows) -> Vec<Point> {
    let mut points = Vec::new();
    for row in 0..new.size().height() {
        let mut bits = (old.black[row] ^ new.black[row]) | (old.white[row] ^ new.white[row]);
        while bits != 0 {
            points.push(Point::new(bits.trailing_zeros() as usize, row));
            bits &= bits - 1;
        }
    }
    points
}

/// Stones of all chains whose liberties may have changed: they stand on what has changed, or beside it.
fn stones_of_changed_chains(board: &Board, changed: &[Point]) -> Vec<Point> {
    let mut chains: Vec<_> = changed
        .iter()
        .flat_map(|point| point.neighbours().into_iter().chain([*point]))
        .filter(|point| board.color(*point).is_some())
        .filter_map(|point| board.chain(point))
        .collect();
    chains.sort_unstable_by_key(|chain| chain.head().index());
    chains.dedup();
    chains.into_iter().flat_map(|chain| board.chain_stones(chain)).collect()
}
