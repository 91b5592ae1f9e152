//! A league: every player meets every other by the league's rules, and all are ranked.
//!
//! Players are [weighted piece counters](Wpc), networks of ishi or published networks; all look one move ahead, see
//! [`ishi_othello::oneply`]. A league is played in [`LeagueChunk`]s, in any order and on any number of threads: what a chunk gives
//! follows from the players' names and the seed.

use std::collections::BTreeSet;
use std::ops::Range;

use ishi_othello::oneply::{LeagueRules, MatchTally, play_evaluators, play_games};
use ishi_othello::{Wpc, WpcError};
use ishi_rng::Seed;
use ishi_stats::{
    ConfidenceLevel, EloEstimate, Interval, IntervalMethod, PairResult, PlayerIndex as Rated, Proportion,
    RatingsError, RatingsParams, compute_ratings,
};

use super::ntuple::{
    NTupleNetwork, NTuplePlayer, PackedError, PublishedError, PublishedPlayer, ShippedNetwork, WhiteView,
};

/// Games of a chunk at most, between piece counters and between others: fractions of a second.
const CHUNK: [u64; 2] = [20_000, 500];

/// Games of the trial that tells how a published network is to be used.
const TRIAL: u64 = 200;

/// Something that plays in a league.
#[derive(Clone, Debug)]
pub enum LeagueMember {
    /// A weighted piece counter.
    Counter(Wpc),
    /// An n-tuple network.
    Network(Box<NTuplePlayer>),
}

/// The bytes are no player.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MemberError {
    /// Neither text nor a network of ishi.
    #[error(
        "neither text nor a network of ishi: a player must be 10 or 64 weights, a .player file, or a network"
    )]
    Bytes,
    /// It looks like a piece counter.
    #[error("{0}")]
    Counter(#[from] WpcError),
    /// It looks like a published network.
    #[error("{0}")]
    Published(#[from] PublishedError),
    /// It is a network of ishi.
    #[error("{0}")]
    Packed(#[from] PackedError),
}

impl LeagueMember {
    /// `standard`, Yoshioka's piece counter, `random`, or a network that ships: `network`, `network-against-standard`.
    pub fn from_name(name: &str) -> Option<LeagueMember> {
        match name {
            "standard" => Some(LeagueMember::Counter(Wpc::standard())),
            "random" => Some(LeagueMember::Counter(Wpc::random())),
            _ => {
                let player = ShippedNetwork::from_name(name)?.player().ok()?;
                Some(LeagueMember::Network(Box::new(player.as_ref().clone())))
            }
        }
    }

    /// The player in a file, told by its content: a network of ishi, weights, or a published network, which has braces or more
    /// than 64 numbers. How White uses a published network is found out by a trial, as files do not say.
    ///
    /// # Errors
    /// If it is none of these.
    pub fn from_bytes(bytes: &[u8]) -> Result<LeagueMember, MemberError> {
        if bytes.starts_with(b"ishi-nt") {
            return Ok(LeagueMember::from_network(NTupleNetwork::from_bytes(bytes)?, WhiteView::Inverted));
        }
        let text = std::str::from_utf8(bytes).map_err(|_| MemberError::Bytes)?;
        let published = || -> Result<LeagueMember, MemberError> {
            let network = text.parse::<PublishedPlayer>()?.to_network();
            let view = better_view(&network);
            Ok(LeagueMember::from_network(network, view))
        };
        match text.parse::<Wpc>() {
            Ok(wpc) => Ok(LeagueMember::Counter(wpc)),
            Err(WpcError::Count(65..)) => published(),
            Err(_) if text.contains('{') => published(),
            Err(error) => Err(error.into()),
        }
    }

    fn from_network(network: NTupleNetwork, view: WhiteView) -> LeagueMember {
        LeagueMember::Network(Box::new(NTuplePlayer::new(network, view)))
    }

    /// What it is, in words.
    pub fn describe_kind(&self) -> String {
        match self {
            LeagueMember::Counter(wpc) if *wpc == Wpc::random() => "random moves".into(),
            LeagueMember::Counter(wpc) => match wpc.octant_weights() {
                Some(_) => "piece counter, 10 weights".into(),
                None => "piece counter, 64 weights".into(),
            },
            LeagueMember::Network(player) => {
                let shape = player.network().shape();
                format!("network, {} tuples, {} weights", shape.lanes(), shape.size())
            }
        }
    }

    /// Plays games against the other; final disc differences for this one, see [`play_games`].
    pub fn play_against(
        &self,
        other: &LeagueMember,
        rules: &LeagueRules,
        seed: Seed,
        games: Range<u64>,
    ) -> Vec<i8> {
        use LeagueMember::{Counter, Network};
        match (self, other) {
            (Counter(a), Counter(b)) => play_games(a, b, rules, seed, games),
            (Counter(a), Network(b)) => play_evaluators(a, b.as_ref(), rules, seed, games),
            (Network(a), Counter(b)) => play_evaluators(a.as_ref(), b, rules, seed, games),
            (Network(a), Network(b)) => play_evaluators(a.as_ref(), b.as_ref(), rules, seed, games),
        }
    }
}

/// How White uses a published network: its file does not say. The way that wins more against the standard in a fixed trial;
/// of the known players the other way costs some 0.3 to 0.5 of the score as White.
fn better_view(network: &NTupleNetwork) -> WhiteView {
    let score = |view| {
        let player = NTuplePlayer::new(network.clone(), view);
        let results =
            play_evaluators(&player, &Wpc::standard(), &LeagueRules::default(), Seed::new(0), 0..TRIAL);
        MatchTally::from_results(&results).mean_score()
    };
    if score(WhiteView::Negated) > score(WhiteView::Inverted) {
        WhiteView::Negated
    } else {
        WhiteView::Inverted
    }
}

/// A player with its name.
#[derive(Clone, Debug)]
pub struct LeagueEntrant {
    /// The name, by which also its random numbers are drawn.
    pub name: String,
    /// The player.
    pub member: LeagueMember,
}

/// Who plays, and how.
#[derive(Clone, Debug)]
pub struct League {
    entrants: Vec<LeagueEntrant>,
    double_games: u64,
    rules: LeagueRules,
    seed: Seed,
}

/// Why there can be no league.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LeagueError {
    /// Too few players.
    #[error("a league of {0}: it needs two players")]
    Few(usize),
    /// One name for two players.
    #[error("{0:?} is in the league twice: give each player once")]
    Twice(String),
}

/// Games of two players of the league.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeagueChunk {
    /// Their places among the entrants.
    pub players: [usize; 2],
    /// The numbers of the games.
    pub games: Range<u64>,
}

impl League {
    /// A league in which each two meet in so many double games (a game with either colour).
    ///
    /// # Errors
    /// If there are fewer than two players, or two of the same name.
    pub fn new(
        entrants: Vec<LeagueEntrant>,
        double_games: u64,
        rules: LeagueRules,
        seed: Seed,
    ) -> Result<League, LeagueError> {
        if entrants.len() < 2 {
            return Err(LeagueError::Few(entrants.len()));
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = entrants.iter().find(|entrant| !names.insert(&entrant.name)) {
            return Err(LeagueError::Twice(twice.name.clone()));
        }
        Ok(League { entrants, double_games, rules, seed })
    }

    /// The players.
    pub fn entrants(&self) -> &[LeagueEntrant] {
        &self.entrants
    }

    /// All that is to be played.
    pub fn list_chunks(&self) -> Vec<LeagueChunk> {
        let mut chunks = Vec::new();
        let games = self.double_games.saturating_mul(2);
        for second in 1..self.entrants.len() {
            for first in 0..second {
                let is_counter =
                    |place: usize| matches!(self.entrants[place].member, LeagueMember::Counter(_));
                let most = CHUNK[usize::from(!(is_counter(first) && is_counter(second)))];
                let mut start = 0;
                while start < games {
                    let end = games.min(start + most);
                    chunks.push(LeagueChunk { players: [first, second], games: start..end });
                    start = end;
                }
            }
        }
        chunks
    }

    /// Plays a chunk; the tally is that of the first of the two.
    pub fn play_chunk(&self, chunk: &LeagueChunk) -> MatchTally {
        let [first, second] = chunk.players.map(|place| &self.entrants[place]);
        let seed = self.seed.child_seed(&format!("{} - {}", first.name, second.name), 0);
        MatchTally::from_results(&first.member.play_against(
            &second.member,
            &self.rules,
            seed,
            chunk.games.clone(),
        ))
    }

    /// The standings after these chunks, each played once.
    pub fn standings<'a>(
        &self,
        played: impl IntoIterator<Item = (&'a LeagueChunk, MatchTally)>,
    ) -> Standings {
        let count = self.entrants.len();
        let mut tallies = vec![vec![MatchTally::default(); count]; count];
        for (LeagueChunk { players: [first, second], .. }, tally) in played {
            tallies[*first][*second] = tallies[*first][*second] + tally;
            tallies[*second][*first] = tallies[*second][*first] + tally.reversed();
        }
        Standings { names: self.entrants.iter().map(|entrant| entrant.name.clone()).collect(), tallies }
    }
}

/// Who won how much against whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standings {
    names: Vec<String>,
    /// Of each player (row) against each other (column).
    tallies: Vec<Vec<MatchTally>>,
}

/// A player's line.
#[derive(Clone, Debug, PartialEq)]
pub struct LeagueStanding {
    /// Its place among the entrants.
    pub entrant: usize,
    /// The mean of its scores against the others that it has met.
    pub mean: f64,
    /// The score over all its games, with Wilson's interval.
    pub interval: Interval,
    /// Elo by maximum likelihood, the mean of all being 0; `None` if the games do not tell.
    pub elo: Option<EloEstimate>,
}

impl Standings {
    /// What the one has won against the other.
    pub fn tally_against(&self, player: usize, opponent: usize) -> MatchTally {
        self.tallies[player][opponent]
    }

    /// All players, the best first.
    pub fn ranking(&self) -> Vec<LeagueStanding> {
        let elos = self.estimate_elos().ok();
        let standing = |entrant: usize| {
            let met: Vec<MatchTally> =
                self.tallies[entrant].iter().copied().filter(|t| t.game_count() > 0).collect();
            let mean = met.iter().map(MatchTally::mean_score).sum::<f64>() / met.len().max(1) as f64;
            let interval = score_interval(met.into_iter().sum());
            LeagueStanding { entrant, mean, interval, elo: elos.as_ref().map(|elos| elos[entrant]) }
        };
        let mut ranking: Vec<LeagueStanding> = (0..self.names.len()).map(standing).collect();
        ranking.sort_by(|a, b| b.mean.total_cmp(&a.mean));
        ranking
    }

    fn estimate_elos(&self) -> Result<Vec<EloEstimate>, RatingsError> {
        let mut results = Vec::new();
        for second in 1..self.names.len() {
            for first in 0..second {
                let MatchTally { wins, draws, losses } = self.tallies[first][second];
                if wins + draws + losses > 0 {
                    results.push(PairResult {
                        first: Rated(first),
                        second: Rated(second),
                        wins,
                        draws,
                        losses,
                    });
                }
            }
        }
        let rated = compute_ratings(&self.names, &results, &RatingsParams::default())?;
        Ok(rated.players.iter().map(|player| player.rating).collect())
    }
}

/// Wilson's 95 % interval of a score. Half a win for a draw makes it somewhat too wide, and odd draws are rounded down.
pub fn score_interval(tally: MatchTally) -> Interval {
    match Proportion::new(tally.wins + tally.draws / 2, tally.game_count()) {
        Ok(score) => score.rate_interval(IntervalMethod::Wilson, ConfidenceLevel::default()),
        Err(_) => Interval { low: 0.0, high: 1.0 },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entrant(name: &str) -> LeagueEntrant {
        let member = LeagueMember::from_name(name).unwrap_or(LeagueMember::Counter(Wpc::standard()));
        LeagueEntrant { name: name.into(), member }
    }

    #[test]
    fn leagues_need_two_players_of_different_names() {
        let league = |names: &[&str]| {
            let entrants = names.iter().map(|name| entrant(name)).collect();
            League::new(entrants, 1, LeagueRules::default(), Seed::new(1)).unwrap_err().to_string()
        };
        assert_eq!(league(&["random"]), "a league of 1: it needs two players");
        assert_eq!(league(&["a", "random", "a"]), "\"a\" is in the league twice: give each player once");
    }

    #[test]
    fn the_standard_is_better_than_chance_and_the_order_of_chunks_is_nothing() {
        let entrants = vec![entrant("random"), entrant("standard")];
        let league = League::new(entrants, 200, LeagueRules::default(), Seed::new(1)).unwrap();
        let played: Vec<(LeagueChunk, MatchTally)> = league
            .list_chunks()
            .into_iter()
            .map(|chunk| (chunk.clone(), league.play_chunk(&chunk)))
            .collect();
        let standings = league.standings(played.iter().map(|(chunk, tally)| (chunk, *tally)));
        let backwards = league.standings(played.iter().rev().map(|(chunk, tally)| (chunk, *tally)));
        assert_eq!(standings, backwards);
        let ranking = standings.ranking();
        assert_eq!((ranking[0].entrant, standings.tally_against(1, 0).game_count()), (1, 400));
        assert!(ranking[0].interval.low > 0.6 && ranking[0].elo.unwrap().elo > 50.0, "{ranking:?}");
    }

    #[test]
    fn files_are_told_by_their_content() {
        let kind = |bytes: &[u8]| {
            LeagueMember::from_bytes(bytes).map(|member| member.describe_kind()).map_err(|e| e.to_string())
        };
        assert_eq!(kind(Wpc::standard().to_string().as_bytes()).unwrap(), "piece counter, 10 weights");
        assert_eq!(kind(b"{ 1 { 1 1 { 0 } { -1 0 1 } } }").unwrap(), "network, 1 tuples, 3 weights");
        let plain = format!("1 3 1 0 1 2 {}", ["0.5"; 81].join(" "));
        assert!(kind(plain.as_bytes()).unwrap_err().contains("line 1"), "3 squares, 27 weights, and more");
        assert_eq!(
            kind(format!("1 4 1 0 1 2 3 {}", ["0.5"; 81].join(" ")).as_bytes()).unwrap(),
            "network, 1 tuples, 81 weights"
        );
        assert_eq!(kind(b"1 2").unwrap_err(), WpcError::Count(2).to_string());
        assert!(kind(b"ishi-nt1").unwrap_err().contains("the network"));
        assert!(kind(&[0xff, 0xfe]).unwrap_err().contains("neither text"));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60), text in "\\PC*|[{0-9. \n}]*") {
            let _ = LeagueMember::from_bytes(&bytes);
            let _ = LeagueMember::from_bytes(text.as_bytes());
        }
    }
}
