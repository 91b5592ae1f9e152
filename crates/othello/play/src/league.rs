//! A league: every player meets every other by the league's rules, and all are ranked.
//!
//! Players are [weighted piece counters](Wpc), networks of ishi or published networks; all look one move ahead, see
//! [`ishi_othello::oneply`]. A league is played in [`Chunk`]s, in any order and on any number of threads: what a chunk gives
//! follows from the players' names and the seed.

use std::collections::BTreeSet;
use std::ops::Range;

use ishi_othello::oneply::{Rules, Tally, play_evaluators, play_games};
use ishi_othello::{Wpc, WpcError};
use ishi_rng::Seed;
use ishi_stats::{
    Confidence, EloEstimate, Interval, IntervalMethod, PairResult, Player as Rated, Proportion, RatingsError,
    RatingsParams, ratings,
};

use super::ntuple::{Network, PackedError, Player, Published, PublishedError, Shipped, View};

/// Games of a chunk at most, between piece counters and between others: fractions of a second.
const CHUNK: [u64; 2] = [20_000, 500];

/// Games of the trial that tells how a published network is to be used.
const TRIAL: u64 = 200;

/// Something that plays in a league.
#[derive(Clone, Debug)]
pub enum Member {
    /// A weighted piece counter.
    Counter(Wpc),
    /// An n-tuple network.
    Network(Box<Player>),
}

/// The bytes are no player.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MemberError {
    /// Neither text nor a network of ishi.
    #[error("neither text nor a network of ishi: a player is 10 or 64 weights, a .player file, or a network")]
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

impl Member {
    /// `standard`, Yoshioka's piece counter, `random`, or a network that ships: `network`, `network-against-standard`.
    pub fn named(name: &str) -> Option<Member> {
        match name {
            "standard" => Some(Member::Counter(Wpc::standard())),
            "random" => Some(Member::Counter(Wpc::random())),
            _ => {
                let player = Shipped::named(name)?.player().ok()?;
                Some(Member::Network(Box::new(player.as_ref().clone())))
            }
        }
    }

    /// The player in a file, told by its content: a network of ishi, weights, or a published network, which has braces or more
    /// than 64 numbers. How White uses a published network is found out by a trial, as files do not say.
    ///
    /// # Errors
    /// If it is none of these.
    pub fn read(bytes: &[u8]) -> Result<Member, MemberError> {
        if bytes.starts_with(b"ishi-nt") {
            return Ok(Member::network(Network::unpack(bytes)?, View::Inverted));
        }
        let text = std::str::from_utf8(bytes).map_err(|_| MemberError::Bytes)?;
        let published = || -> Result<Member, MemberError> {
            let network = text.parse::<Published>()?.network();
            let view = better_view(&network);
            Ok(Member::network(network, view))
        };
        match text.parse::<Wpc>() {
            Ok(wpc) => Ok(Member::Counter(wpc)),
            Err(WpcError::Count(65..)) => published(),
            Err(_) if text.contains('{') => published(),
            Err(error) => Err(error.into()),
        }
    }

    fn network(network: Network, view: View) -> Member {
        Member::Network(Box::new(Player::new(network, view)))
    }

    /// What it is, in words.
    pub fn kind(&self) -> String {
        match self {
            Member::Counter(wpc) if *wpc == Wpc::random() => "random moves".into(),
            Member::Counter(wpc) => match wpc.octant() {
                Some(_) => "piece counter, 10 weights".into(),
                None => "piece counter, 64 weights".into(),
            },
            Member::Network(player) => {
                let shape = player.network().shape();
                format!("network, {} tuples, {} weights", shape.lanes(), shape.size())
            }
        }
    }

    /// Plays games against the other; final disc differences for this one, see [`play_games`].
    pub fn play(&self, other: &Member, rules: &Rules, seed: Seed, games: Range<u64>) -> Vec<i8> {
        use Member::{Counter, Network};
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
fn better_view(network: &Network) -> View {
    let score = |view| {
        let player = Player::new(network.clone(), view);
        let results = play_evaluators(&player, &Wpc::standard(), &Rules::default(), Seed::new(0), 0..TRIAL);
        Tally::of(&results).score()
    };
    if score(View::Negated) > score(View::Inverted) { View::Negated } else { View::Inverted }
}

/// A player with its name.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// The name, by which also its random numbers are drawn.
    pub name: String,
    /// The player.
    pub member: Member,
}

/// Who plays, and how.
#[derive(Clone, Debug)]
pub struct League {
    entrants: Vec<Entrant>,
    double_games: u64,
    rules: Rules,
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
pub struct Chunk {
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
        entrants: Vec<Entrant>,
        double_games: u64,
        rules: Rules,
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
    pub fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    /// All that is to be played.
    pub fn chunks(&self) -> Vec<Chunk> {
        let mut chunks = Vec::new();
        let games = self.double_games.saturating_mul(2);
        for second in 1..self.entrants.len() {
            for first in 0..second {
                let is_counter = |place: usize| matches!(self.entrants[place].member, Member::Counter(_));
                let most = CHUNK[usize::from(!(is_counter(first) && is_counter(second)))];
                let mut start = 0;
                while start < games {
                    let end = games.min(start + most);
                    chunks.push(Chunk { players: [first, second], games: start..end });
                    start = end;
                }
            }
        }
        chunks
    }

    /// Plays a chunk; the tally is that of the first of the two.
    pub fn play(&self, chunk: &Chunk) -> Tally {
        let [first, second] = chunk.players.map(|place| &self.entrants[place]);
        let seed = self.seed.child(&format!("{} - {}", first.name, second.name), 0);
        Tally::of(&first.member.play(&second.member, &self.rules, seed, chunk.games.clone()))
    }

    /// The standings after these chunks, each played once.
    pub fn standings<'a>(&self, played: impl IntoIterator<Item = (&'a Chunk, Tally)>) -> Standings {
        let count = self.entrants.len();
        let mut tallies = vec![vec![Tally::default(); count]; count];
        for (Chunk { players: [first, second], .. }, tally) in played {
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
    tallies: Vec<Vec<Tally>>,
}

/// A player's line.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
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
    pub fn tally(&self, player: usize, opponent: usize) -> Tally {
        self.tallies[player][opponent]
    }

    /// All players, the best first.
    pub fn ranking(&self) -> Vec<Standing> {
        let elos = self.elos().ok();
        let standing = |entrant: usize| {
            let met: Vec<Tally> = self.tallies[entrant].iter().copied().filter(|t| t.games() > 0).collect();
            let mean = met.iter().map(Tally::score).sum::<f64>() / met.len().max(1) as f64;
            let interval = interval(met.into_iter().sum());
            Standing { entrant, mean, interval, elo: elos.as_ref().map(|elos| elos[entrant]) }
        };
        let mut ranking: Vec<Standing> = (0..self.names.len()).map(standing).collect();
        ranking.sort_by(|a, b| b.mean.total_cmp(&a.mean));
        ranking
    }

    fn elos(&self) -> Result<Vec<EloEstimate>, RatingsError> {
        let mut results = Vec::new();
        for second in 1..self.names.len() {
            for first in 0..second {
                let Tally { wins, draws, losses } = self.tallies[first][second];
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
        let rated = ratings(&self.names, &results, &RatingsParams::default())?;
        Ok(rated.players.iter().map(|player| player.rating).collect())
    }
}

/// Wilson's 95 % interval of a score. Half a win for a draw makes it somewhat too wide, and odd draws are rounded down.
pub fn interval(tally: Tally) -> Interval {
    match Proportion::new(tally.wins + tally.draws / 2, tally.games()) {
        Ok(score) => score.interval(IntervalMethod::Wilson, Confidence::default()),
        Err(_) => Interval { low: 0.0, high: 1.0 },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entrant(name: &str) -> Entrant {
        let member = Member::named(name).unwrap_or(Member::Counter(Wpc::standard()));
        Entrant { name: name.into(), member }
    }

    #[test]
    fn leagues_need_two_players_of_different_names() {
        let league = |names: &[&str]| {
            let entrants = names.iter().map(|name| entrant(name)).collect();
            League::new(entrants, 1, Rules::default(), Seed::new(1)).unwrap_err().to_string()
        };
        assert_eq!(league(&["random"]), "a league of 1: it needs two players");
        assert_eq!(league(&["a", "random", "a"]), "\"a\" is in the league twice: give each player once");
    }

    #[test]
    fn the_standard_is_better_than_chance_and_the_order_of_chunks_is_nothing() {
        let entrants = vec![entrant("random"), entrant("standard")];
        let league = League::new(entrants, 200, Rules::default(), Seed::new(1)).unwrap();
        let played: Vec<(Chunk, Tally)> =
            league.chunks().into_iter().map(|chunk| (chunk.clone(), league.play(&chunk))).collect();
        let standings = league.standings(played.iter().map(|(chunk, tally)| (chunk, *tally)));
        let backwards = league.standings(played.iter().rev().map(|(chunk, tally)| (chunk, *tally)));
        assert_eq!(standings, backwards);
        let ranking = standings.ranking();
        assert_eq!((ranking[0].entrant, standings.tally(1, 0).games()), (1, 400));
        assert!(ranking[0].interval.low > 0.6 && ranking[0].elo.unwrap().elo > 50.0, "{ranking:?}");
    }

    #[test]
    fn files_are_told_by_their_content() {
        let kind = |bytes: &[u8]| Member::read(bytes).map(|member| member.kind()).map_err(|e| e.to_string());
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
            let _ = Member::read(&bytes);
            let _ = Member::read(text.as_bytes());
        }
    }
}
