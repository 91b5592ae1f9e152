//! Which positions are judged: a random order of positions that the seed decides, whatever has been done of it.
//!
//! It goes through the games again and again, in another order each time, and takes from each game a position that it has not
//! taken yet. So the beginning of the order, however long, has every game about as often as every other, and is a fair sample.

use ishi_patterns::records::Record;
use ishi_rng::Seed;

/// A position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The game, by its place in the list of games.
    pub game: usize,
    /// Moves that were played before it.
    pub moves: usize,
}

/// The order of positions.
///
/// ```
/// use ishi_lab::labels::Plan;
/// use ishi_patterns::records;
/// let games = "a\t-\t-\t9\t7\t0\t-\t?\t?\t?\tB\tccddee\nb\t-\t-\t9\t7\t0\t-\t?\t?\t?\tB\tcc\n";
/// let games = records::parse(games).unwrap();
/// let places: Vec<_> = Plan::new(&games, "1".parse().unwrap(), usize::MAX).collect();
/// assert_eq!(places.len(), 4, "each position from which a move was played");
/// assert_ne!(places[0].game, places[1].game);
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    seed: Seed,
    /// Positions of each game: as many as moves were played.
    lengths: Vec<usize>,
    /// The numbers that tell the games' positions apart, whichever games are left out: lines.
    lines: Vec<usize>,
    /// Positions of a game at most.
    per_game: usize,
    round: usize,
    /// Games of this round that are still to come, the last first.
    order: Vec<usize>,
}

impl Plan {
    /// The order of the positions of these games, so many of each at most.
    #[must_use]
    pub fn new(games: &[Record], seed: Seed, per_game: usize) -> Plan {
        let lengths: Vec<usize> = games.iter().map(|game| game.moves.len()).collect();
        let lines = games.iter().map(|game| game.line).collect();
        let per_game = per_game.min(lengths.iter().copied().max().unwrap_or(0));
        Plan { seed, lengths, lines, per_game, round: 0, order: Vec::new() }
    }

    /// All positions that there are.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.lengths.iter().map(|&length| length.min(self.per_game)).sum()
    }

    /// The game's positions in the order in which they are taken: the one of this round.
    fn moves(&self, game: usize, round: usize) -> usize {
        let mut moves: Vec<usize> = (0..self.lengths[game]).collect();
        self.seed.stream("label position", self.lines[game] as u64).shuffle(&mut moves);
        moves[round]
    }

    fn games_of_round(&self) -> Vec<usize> {
        let mut order: Vec<usize> =
            (0..self.lengths.len()).filter(|&game| self.lengths[game] > self.round).collect();
        self.seed.stream("label round", self.round as u64).shuffle(&mut order);
        order
    }
}

impl Iterator for Plan {
    type Item = Place;

    fn next(&mut self) -> Option<Place> {
        while self.order.is_empty() {
            if self.round >= self.per_game {
                return None;
            }
            self.order = self.games_of_round();
            self.round += 1;
        }
        let game = self.order.pop()?;
        Some(Place { game, moves: self.moves(game, self.round - 1) })
    }
}
