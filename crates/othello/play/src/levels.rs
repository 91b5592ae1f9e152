//! Levels 1 to 20 for people.
//!
//! A level is how far the player looks ahead, from how many empty squares on it plays perfectly, and, below level 10,
//! how badly it judges: every move's value is blurred by a normal error of so many discs before the best is taken. An
//! error, unlike a move drawn at random, makes a weak player that prefers good moves and still errs, less often the
//! larger the mistake. The blur depends on the seed and the position alone, so that a game can be played again.
//!
//! The table was set so that neighbours differ noticeably; `docs/othello.md` has the matches that measured it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use ishi_othello::{Board, Move};
use ishi_rng::{Rng, Seed};
use ishi_stats::RatedOpponent;
use ishi_words::{CodedError, ErrorFacts, facts};
use ishi_work::Stop;

use super::book::Book;
use super::rating::Rating;
use super::search::{CutConfidence, FoundMove, ScoreMeaning, SearchEffort, SearchTask, Searcher};
use ishi_engine::Clock;

/// How strong a player for people is: 1, a beginner, to 20.
///
/// ```
/// use ishi_othello_play::levels::Level;
/// let level: Level = "12".parse().unwrap();
/// assert!(level.effort(20).depth > Level::LOWEST.effort(20).depth);
/// assert_eq!("21".parse::<Level>().unwrap_err().to_string(), "invalid level \"21\": a level must be a number from 1 to 20");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// A line of the table.
struct LevelStrength {
    /// Plies looked ahead.
    depth: u32,
    /// Empty squares from which on play is perfect.
    exact: u32,
    /// Empty squares from which on win, draw and loss are told apart without error.
    win_loss: u32,
    /// Of selective cuts.
    confidence: CutConfidence,
    /// Standard deviation of the error added to the value of a move, in discs.
    blur: f64,
}

const fn weak_level(depth: u32, exact: u32, blur: f64) -> LevelStrength {
    LevelStrength { depth, exact, win_loss: exact, confidence: CutConfidence::Full, blur }
}

const fn strong_level(depth: u32, exact: u32, win_loss: u32, confidence: CutConfidence) -> LevelStrength {
    LevelStrength { depth, exact, win_loss, confidence, blur: 0.0 }
}

/// From level 1 on. Neither column of numbers falls from line to line, nor does the blur grow.
const TABLE: [LevelStrength; 20] = [
    weak_level(1, 0, 24.0),
    weak_level(1, 0, 14.0),
    weak_level(1, 0, 9.0),
    weak_level(1, 2, 5.8),
    weak_level(2, 4, 4.2),
    weak_level(2, 6, 2.6),
    weak_level(3, 8, 2.2),
    weak_level(4, 8, 1.4),
    weak_level(5, 10, 0.8),
    strong_level(6, 12, 12, CutConfidence::Full),
    strong_level(7, 12, 14, CutConfidence::Full),
    strong_level(8, 14, 16, CutConfidence::High),
    strong_level(10, 16, 18, CutConfidence::Good),
    strong_level(12, 18, 20, CutConfidence::Good),
    strong_level(14, 20, 22, CutConfidence::Good),
    strong_level(16, 20, 24, CutConfidence::Good),
    strong_level(18, 22, 24, CutConfidence::Good),
    strong_level(20, 22, 26, CutConfidence::Good),
    strong_level(22, 24, 28, CutConfidence::Good),
    strong_level(24, 26, 30, CutConfidence::High),
];

/// Points of Elo by which a level is stronger than the one below, from level 2 on, as far as that was measured: docs/othello.md has the
/// matches.
const ELO_STEPS: [f64; 13] =
    [188.0, 208.0, 212.0, 147.0, 150.0, 267.0, 287.0, 297.0, 237.0, 211.0, 121.0, 274.0, 147.0];

/// Levels 1 to 14.
impl RatedOpponent for Level {
    const USUAL: Level = Level(5);

    fn ladder() -> impl Iterator<Item = (Level, f64)> {
        let strengths = ELO_STEPS.into_iter().scan(0.0, |strength, step| {
            *strength += step;
            Some(*strength)
        });
        Level::all().zip(std::iter::once(0.0).chain(strengths))
    }
}

impl Level {
    /// Level 1.
    pub const LOWEST: Level = Level(1);
    /// Level 20.
    pub const HIGHEST: Level = Level(20);

    /// The level with this number, 1 to 20.
    pub const fn new(number: u8) -> Option<Level> {
        if number >= Level::LOWEST.0 && number <= Level::HIGHEST.0 { Some(Level(number)) } else { None }
    }

    /// 1 to 20.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// All levels, the weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Level> + ExactSizeIterator {
        (Level::LOWEST.0..=Level::HIGHEST.0).map(Level)
    }

    fn strength(self) -> &'static LevelStrength {
        &TABLE[usize::from(self.0 - 1)]
    }

    /// How hard to look in a position with so many empty squares.
    pub fn effort(self, empties: u32) -> SearchEffort {
        let strength = self.strength();
        SearchEffort {
            // A search to the last square that is not proved would tell neither the score nor an estimate of it.
            depth: strength.depth.min(empties.max(1)),
            exact: strength.exact,
            win_loss: strength.win_loss,
            confidence: strength.confidence,
        }
    }

    /// The same for values to compare: where a move's worth is asked in discs, none is known by its sign alone.
    pub fn effort_in_discs(self, empties: u32) -> SearchEffort {
        let effort = self.effort(empties);
        SearchEffort { win_loss: effort.exact, ..effort }
    }

    /// Standard deviation of the error that this level makes in judging a move, in discs; 0 from level 10 on.
    pub fn blur_deviation(self) -> f64 {
        self.strength().blur
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The text was no level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelError(String);

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid level {:?}: a level must be a number from 1 to 20", self.0)
    }
}

impl std::error::Error for LevelError {}

impl CodedError for LevelError {
    fn facts(&self) -> ErrorFacts {
        facts!["othello-level", text = format!("{:?}", self.0)]
    }
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Level, LevelError> {
        let number = text.trim().parse().ok().and_then(Level::new);
        number.ok_or_else(|| LevelError(text.to_string()))
    }
}

/// Where time comes from and when to stop: what a player is given besides the position.
#[derive(Clone, Copy)]
pub struct LevelLimits<'a> {
    /// Time to use at most, by `clock`.
    pub time: Option<Duration>,
    /// Where time comes from.
    pub clock: &'a (dyn Clock + Sync),
    /// Asked often: stop now?
    pub stop: &'a (dyn Stop + Sync),
}

/// A player of a level.
///
/// ```
/// use ishi_othello_play::levels::{Level, LevelPlayer, LevelLimits};
/// use ishi_othello_play::search::{SearchParams, Searcher};
/// use ishi_engine::StoppedClock;
/// use ishi_othello::Board;
/// use ishi_rng::Seed;
/// let searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
/// let mut player = LevelPlayer::new(Level::new(3).unwrap(), Seed::new(1), searcher);
/// let limits = LevelLimits { time: None, clock: &StoppedClock, stop: &|| false };
/// let found = player.choose_move(Board::START, limits);
/// assert!(Board::START.is_legal(found.mv.square().unwrap()));
/// ```
pub struct LevelPlayer {
    level: Level,
    /// In place of the error of its level.
    own_error: Option<f64>,
    seed: Seed,
    searcher: Searcher,
    book: Option<&'static Book>,
}

/// From this level on a player knows the book; weaker ones would play an opening above their strength.
const BOOK_FROM: Level = Level(8);

/// Discs by which a book move may be worse than the best, for variety.
const BOOK_TOLERANCE: i32 = 1;

impl LevelPlayer {
    /// A player that errs, if its level does, by this seed.
    pub fn new(level: Level, seed: Seed, searcher: Searcher) -> LevelPlayer {
        LevelPlayer { level, own_error: None, seed, searcher, book: None }
    }

    /// A player as strong as this rating says.
    pub fn rated(rating: Rating, seed: Seed, searcher: Searcher) -> LevelPlayer {
        let strength = rating.strength();
        LevelPlayer::new(strength.level, seed, searcher).with_error(strength.error)
    }

    /// The same with another error than its level's: a standard deviation in discs, 0 or more. It uses no book, and asks what moves are worth in
    /// discs alone, as an error says nothing where only the winner is known.
    pub fn with_error(self, deviation: f64) -> LevelPlayer {
        LevelPlayer { own_error: Some(deviation), book: None, ..self }
    }

    /// The same with an opening book, which it uses from level 8 on, if it has the error of its level.
    pub fn with_book(self, book: Option<&'static Book>) -> LevelPlayer {
        let knows_book = self.level >= BOOK_FROM && self.own_error.is_none();
        LevelPlayer { book: book.filter(|_| knows_book), ..self }
    }

    /// Its level, which says how far it looks.
    pub fn level(&self) -> Level {
        self.level
    }

    /// How hard it looks in a position with so many empty squares.
    fn effort(&self, empties: u32) -> SearchEffort {
        match self.own_error {
            Some(_) => self.level.effort_in_discs(empties),
            None => self.level.effort(empties),
        }
    }

    /// Its searcher, for hints and the like.
    pub fn searcher(&mut self) -> &mut Searcher {
        &mut self.searcher
    }

    /// Its searcher, for another player.
    pub fn into_searcher(self) -> Searcher {
        self.searcher
    }

    /// The move that it plays, with the value that it sees in it; a pass if there is no other.
    pub fn choose_move(&mut self, board: Board, limits: LevelLimits<'_>) -> FoundMove {
        if let Some(found) = self.book_move(board) {
            return found;
        }
        let effort = self.effort(board.empty_count());
        let deviation = self.own_error.unwrap_or(self.level.blur_deviation());
        let mut silent = |_: &FoundMove| {};
        let LevelLimits { time, clock, stop } = limits;
        let mut task = SearchTask { time, clock, stop, ..SearchTask::new(effort, &mut silent) };
        // From here on it plays perfectly; with one move there is nothing to choose.
        let sees_all = board.empty_count() <= effort.exact || board.legal_moves().count_ones() < 2;
        if deviation == 0.0 || sees_all {
            return self.searcher.search_board(board, &mut task);
        }
        let moves = self.searcher.search_each_move(board, &mut task);
        let blurred = blur_values(&moves, deviation, &mut position_stream(self.seed, board));
        let best = blurred.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(found, _)| found.clone());
        best.unwrap_or_else(|| self.searcher.search_board(board, &mut task))
    }

    /// A good move of the book, by chance where several are as good.
    fn book_move(&self, board: Board) -> Option<FoundMove> {
        let book = self.book?;
        let known = book.choose_move(board, BOOK_TOLERANCE, &mut position_stream(self.seed, board))?;
        Some(FoundMove {
            mv: Move::Play(known.square),
            score: known.value,
            meaning: ScoreMeaning::Estimate,
            depth: book.get(board).map_or(0, |entry| entry.depth()),
            confidence: CutConfidence::Good,
            variation: vec![known.square],
            nodes: 0,
        })
    }
}

/// The moves with their values as a weak player sees them.
fn blur_values<'a>(moves: &'a [FoundMove], deviation: f64, rng: &mut Rng) -> Vec<(&'a FoundMove, f64)> {
    // By square, so that the errors do not depend on the order of the search's answer.
    let mut moves: Vec<&FoundMove> = moves.iter().filter(|found| found.mv != Move::Pass).collect();
    moves.sort_by_key(|found| found.mv);
    moves.into_iter().map(|found| (found, f64::from(found.score) + deviation * normal_number(rng))).collect()
}

/// A normal number, mean 0, deviation 1: the sum of twelve uniform ones less 6 is near enough.
fn normal_number(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.next_unit()).sum::<f64>() - 6.0
}

/// The random numbers of one position.
fn position_stream(seed: Seed, board: Board) -> Rng {
    seed.child_seed("othello-level", board.player).stream("opponent", board.opponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::SearchParams;
    use ishi_engine::StoppedClock;
    use ishi_stats::opponent_strength;

    fn player(level: u8, seed: u64) -> LevelPlayer {
        let searcher = Searcher::new(SearchParams { hash_bits: 12, threads: 1 });
        LevelPlayer::new(Level::new(level).unwrap(), Seed::new(seed), searcher)
    }

    fn choose(player: &mut LevelPlayer, board: Board) -> Move {
        player.choose_move(board, LevelLimits { time: None, clock: &StoppedClock, stop: &|| false }).mv
    }

    #[test]
    fn no_level_is_weaker_than_the_one_below() {
        for (lower, higher) in Level::all().zip(Level::all().skip(1)) {
            for empties in 1..=60 {
                let (a, b) = (lower.effort(empties), higher.effort(empties));
                assert!(a.depth <= b.depth && a.exact <= b.exact && a.win_loss <= b.win_loss, "{higher}");
                assert!(a.exact <= a.win_loss && a.depth >= 1);
            }
            assert!(lower.blur_deviation() >= higher.blur_deviation());
            let (a, b) = (lower.strength(), higher.strength());
            assert!(a.depth < b.depth || a.exact < b.exact || a.win_loss < b.win_loss || a.blur > b.blur);
        }
        assert_eq!(Level::HIGHEST.blur_deviation(), 0.0);
        assert_eq!(Level::all().len(), TABLE.len());
    }

    #[test]
    fn levels_that_were_measured_are_a_ladder() {
        let ladder: Vec<(Level, f64)> = Level::ladder().collect();
        assert_eq!(ladder.len(), 14);
        assert_eq!(ladder[0], (Level::LOWEST, 0.0));
        assert!(ladder.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1), "{ladder:?}");
        assert_eq!(ladder[4], (Level::USUAL, 755.0));
        assert_eq!(opponent_strength(Level(14)), Some(2746.0));
        assert_eq!(opponent_strength(Level(15)), None, "it was not measured");
    }

    #[test]
    fn levels_are_numbers_from_1_to_20() {
        assert_eq!("7".parse::<Level>().unwrap().number(), 7);
        for text in ["0", "21", "x", "", "-1", "300"] {
            let message = text.parse::<Level>().unwrap_err().to_string();
            assert_eq!(message, format!("invalid level {text:?}: a level must be a number from 1 to 20"));
        }
    }

    /// The same seed plays the same game, another seed another one, whatever was asked before.
    #[test]
    fn errors_depend_on_seed_and_position_alone() {
        let game = |player: &mut LevelPlayer| {
            let (mut board, mut moves) = (Board::START, Vec::new());
            for _ in 0..12 {
                let mv = choose(player, board);
                moves.push(mv);
                board = board.play_unchecked(mv.square().unwrap());
            }
            moves
        };
        let mut first = player(1, 7);
        let moves = game(&mut first);
        assert_eq!(game(&mut first), moves);
        assert_eq!(game(&mut player(1, 7)), moves);
        let others = (8..16).map(|seed| game(&mut player(1, seed)));
        assert!(others.filter(|other| *other != moves).count() >= 7);
    }

    /// A normal number has mean 0 and deviation 1.
    #[test]
    fn errors_are_normal() {
        let mut rng = Seed::new(1).stream("test", 0);
        let numbers: Vec<f64> = (0..20_000).map(|_| normal_number(&mut rng)).collect();
        let mean = numbers.iter().sum::<f64>() / 20_000.0;
        let variance = numbers.iter().map(|x| x * x).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03, "{mean}");
        assert!((variance - 1.0).abs() < 0.04, "{variance}");
    }

    #[test]
    fn only_the_higher_levels_use_the_book() {
        let with_book = |level| player(level, 1).with_book(Some(Book::builtin()));
        assert_eq!(with_book(BOOK_FROM.number() - 1).book_move(Board::START), None);
        let found = with_book(BOOK_FROM.number()).book_move(Board::START).unwrap();
        assert!(Board::START.is_legal(found.mv.square().unwrap()));
        assert_eq!(player(20, 1).book_move(Board::START), None, "without a book");
    }

    #[test]
    fn a_pass_is_answered() {
        // One empty square, which only the opponent can use.
        let square = 1u64;
        let board = Board { player: !(square | 2 | 4), opponent: 2 | 4 }.pass();
        assert_eq!(board.legal_moves(), 0);
        assert_eq!(choose(&mut player(1, 1), board), Move::Pass);
        assert_eq!(choose(&mut player(20, 1), board), Move::Pass);
    }
}
