//! Which positions are judged: a random order of positions that the seed decides, whatever has been done of it.
//!
//! It goes through the games again and again, in another order each time, and takes from each game a position that it has not
//! taken yet. So the beginning of the order, however long, has every game about as often as every other, and is a fair sample.

use std::fmt;
use std::str::FromStr;

use ishi_go::Move;
use ishi_patterns::records::RecordedGame;
use ishi_rng::Seed;

/// When in a game: after so many of its moves, and perhaps a pass that the game does not have.
///
/// ```
/// use ishi_analysis::labels::Moment;
/// let moment: Moment = "57..".parse().unwrap();
/// assert_eq!(moment, Moment { moves: 57, passed: true });
/// assert_eq!(Moment::after_moves(57).to_string(), "57");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment {
    /// Moves of the game that were played before.
    pub moves: usize,
    /// The side to move then passed, instead of its move in the game.
    pub passed: bool,
}

impl Moment {
    /// After so many moves of the game.
    #[must_use]
    pub fn after_moves(moves: usize) -> Moment {
        Moment { moves, passed: false }
    }

    /// The moves before it, with the pass if there is one.
    ///
    /// # Panics
    /// If the game has fewer moves.
    pub fn played_moves(self, record: &RecordedGame) -> impl Iterator<Item = Move> {
        record.moves[..self.moves].iter().copied().chain(self.passed.then_some(Move::Pass))
    }

    /// `57 moves`, `57 moves and a pass`.
    #[must_use]
    pub fn describe_moves(self) -> String {
        format!("{} moves{}", self.moves, if self.passed { " and a pass" } else { "" })
    }
}

impl fmt::Display for Moment {
    /// As labels have it: a pass is `..`, as in records.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.moves, if self.passed { ".." } else { "" })
    }
}

impl FromStr for Moment {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Moment, Self::Err> {
        let (moves, passed) = text.strip_suffix("..").map_or((text, false), |moves| (moves, true));
        Ok(Moment { moves: moves.parse()?, passed })
    }
}

/// A position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GamePlace {
    /// The game, by its place in the list of games.
    pub game: usize,
    /// When in it.
    pub moment: Moment,
}

/// The order of positions.
///
/// ```
/// use ishi_analysis::labels::LabelPlan;
/// use ishi_patterns::records;
/// let games = "a\t-\t-\t9\t7\t0\t-\t?\t?\t?\tB\tccddee\nb\t-\t-\t9\t7\t0\t-\t?\t?\t?\tB\tcc\n";
/// let games = records::parse_records(games).unwrap();
/// let places: Vec<_> = LabelPlan::new(&games, "1".parse().unwrap(), usize::MAX).collect();
/// assert_eq!(places.len(), 4, "each position from which a move was played");
/// assert_ne!(places[0].game, places[1].game);
/// ```
#[derive(Clone, Debug)]
pub struct LabelPlan<'a> {
    seed: Seed,
    /// The games. Their lines tell their positions apart, whichever games are left out.
    games: &'a [RecordedGame],
    /// Positions of a game at most.
    per_game: usize,
    /// Share of positions before which a pass is put in.
    passes: f64,
    round: usize,
    /// Games of this round that are still to come, the last first.
    order: Vec<usize>,
}

impl<'a> LabelPlan<'a> {
    /// The order of the positions of these games, so many of each at most: one for each move that was played.
    #[must_use]
    pub fn new(games: &'a [RecordedGame], seed: Seed, per_game: usize) -> LabelPlan<'a> {
        let per_game = per_game.min(games.iter().map(|game| game.moves.len()).max().unwrap_or(0));
        LabelPlan { seed, games, per_game, passes: 0.0, round: 0, order: Vec::new() }
    }

    /// The same positions, a share of them (0 to 1) after a pass by the side to move, which the games do not have: so that a
    /// network learns what a move is worth.
    #[must_use]
    pub fn with_passes(self, share: f64) -> LabelPlan<'a> {
        LabelPlan { passes: share, ..self }
    }

    /// All positions that there are.
    #[must_use]
    pub fn count_positions(&self) -> usize {
        self.games.iter().map(|game| game.moves.len().min(self.per_game)).sum()
    }

    /// The game's positions in the order in which they are taken: the one of this round.
    fn moves_of_round(&self, game: &RecordedGame, round: usize) -> usize {
        let mut moves: Vec<usize> = (0..game.moves.len()).collect();
        self.seed.stream("label position", game.line as u64).shuffle(&mut moves);
        moves[round]
    }

    /// Does the side to move pass? Not where the game has just had a pass: another one would end it.
    fn is_passed(&self, game: &RecordedGame, moves: usize) -> bool {
        let is_after_pass = moves > 0 && game.moves[moves - 1] == Move::Pass;
        let seed = self.seed.child_seed("label pass", game.line as u64);
        self.passes > 0.0 && !is_after_pass && seed.stream("moves", moves as u64).chance(self.passes)
    }

    fn shuffle_games(&self) -> Vec<usize> {
        let mut order: Vec<usize> =
            (0..self.games.len()).filter(|&game| self.games[game].moves.len() > self.round).collect();
        self.seed.stream("label round", self.round as u64).shuffle(&mut order);
        order
    }
}

impl Iterator for LabelPlan<'_> {
    type Item = GamePlace;

    fn next(&mut self) -> Option<GamePlace> {
        while self.order.is_empty() {
            if self.round >= self.per_game {
                return None;
            }
            self.order = self.shuffle_games();
            self.round += 1;
        }
        let game = self.order.pop()?;
        let record = &self.games[game];
        let moves = self.moves_of_round(record, self.round - 1);
        Some(GamePlace { game, moment: Moment { moves, passed: self.is_passed(record, moves) } })
    }
}
