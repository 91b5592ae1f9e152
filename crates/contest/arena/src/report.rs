//! What a match says: counts, intervals, tests, Elo, times, errors.

use std::collections::BTreeMap;

use ishi_go::Color;
use ishi_stats::{
    ConfidenceLevel, GameOutcomes, Interval, IntervalMethod, Proportion, SampleSummary, ScoreReport, Sprt,
    SprtReport, StatsError, TestAlternative, TestMethod,
};

use crate::game::thinking_time;
use crate::games::MatchGame;
use crate::pair::PairRecord;
use crate::record::{EndReason, GameRecord};

/// Wins, draws and losses of contestant 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResultTally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl ResultTally {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Mean points per game, 0 to 1; 0 without a game.
    pub fn score(&self) -> f64 {
        (self.wins as f64 + self.draws as f64 / 2.0) / self.games().max(1) as f64
    }

    fn add_game<G: MatchGame>(&mut self, record: &GameRecord<G>) {
        match record.half_points() {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
    }
}

/// The score of a match so far, seen from contestant 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchStanding {
    /// Its games as Black and as White, by [`Color::index`].
    pub by_color: [ResultTally; 2],
    /// Pairs that brought it 0, 1/2, 1, 3/2 and 2 points.
    pub pairs: [u64; 5],
}

impl MatchStanding {
    /// Counts a pair.
    pub fn add_pair<G: MatchGame>(&mut self, pair: &PairRecord<G>) {
        for game in &pair.games {
            self.by_color[game.color_of(0).index()].add_game(game);
        }
        self.pairs[pair.half_points().min(4)] += 1;
    }

    /// Games of both colours.
    pub fn total_tally(&self) -> ResultTally {
        let [black, white] = &self.by_color;
        ResultTally {
            wins: black.wins + white.wins,
            draws: black.draws + white.draws,
            losses: black.losses + white.losses,
        }
    }

    /// Pairs, for statistics that know that the games of a pair are not independent.
    pub fn pair_outcomes(&self) -> GameOutcomes {
        GameOutcomes::from_pairs(self.pairs)
    }
}

/// A player's use of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeReport {
    /// Moves it thought about.
    pub moves: u64,
    /// Mean seconds for a move.
    pub per_move: f64,
    /// Mean seconds for a game.
    pub per_game: f64,
}

/// A game that a player lost by an error, or that needs a look.
#[derive(Clone, Debug, PartialEq)]
pub struct GameIncident {
    /// Number of the pair, from 0.
    pub pair: usize,
    /// 0 or 1.
    pub game: usize,
    /// Who failed: 0 or 1; `None` for the referee.
    pub contestant: Option<usize>,
    /// What kind of error.
    pub reason: EndReason,
    /// The incident in words.
    pub detail: String,
    /// The last lines of the conversation.
    pub transcript: Vec<String>,
}

/// All figures of a match, seen from contestant 0.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchReport {
    /// The score.
    pub standing: MatchStanding,
    /// Level of all intervals.
    pub confidence: ConfidenceLevel,
    /// Wins out of decided games; `None` if there is no decided game.
    pub wins: Option<WinReport>,
    /// Mean score per game and Elo, from pairs (pentanomial).
    pub score: ScoreReport,
    /// The sequential test, if one was asked for.
    pub sprt: Option<SprtReport>,
    /// The time of each contestant.
    pub time: [TimeReport; 2],
    /// Mean seconds that both players thought in a game.
    pub seconds_per_game: f64,
    /// Moves per game; `None` without a game.
    pub length: Option<SampleSummary>,
    /// How often games ended for which reason.
    pub reasons: BTreeMap<EndReason, u64>,
    /// Games with errors, in order.
    pub incidents: Vec<GameIncident>,
    /// Elapsed seconds, and processor seconds of ishi, of all pairs together.
    pub wall_seconds: f64,
    /// See `wall_seconds`.
    pub cpu_seconds: f64,
}

/// Wins out of decided games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinReport {
    /// The proportion.
    pub wins: Proportion,
    /// Wilson's interval.
    pub wilson: Interval,
    /// Clopper and Pearson's interval.
    pub exact: Interval,
    /// Exact binomial test against 1/2, two-sided.
    pub two_sided: f64,
    /// Exact binomial test against 1/2: is contestant 0 stronger?
    pub greater: f64,
}

impl MatchReport {
    /// The figures of these pairs.
    ///
    /// # Errors
    /// If there is no pair.
    pub fn new<G: MatchGame>(
        pairs: &[PairRecord<G>],
        sprt: Option<&Sprt>,
    ) -> Result<MatchReport, StatsError> {
        let confidence = ConfidenceLevel::default();
        let mut standing = MatchStanding::default();
        pairs.iter().for_each(|pair| standing.add_pair(pair));
        let games = || pairs.iter().flat_map(|pair| &pair.games);
        let mut reasons = BTreeMap::new();
        games().for_each(|game| *reasons.entry(game.reason).or_insert(0) += 1);
        let thinking: f64 = games().map(|game| thinking_time(game).as_secs_f64()).sum();
        let lengths: Vec<f64> = games().map(|game| game.moves.len() as f64).collect();
        Ok(MatchReport {
            standing,
            confidence,
            wins: WinReport::new(standing.total_tally(), confidence),
            score: standing.pair_outcomes().score_report(confidence)?,
            sprt: sprt.map(|sprt| sprt.sprt_report(&standing.pair_outcomes())),
            time: [0, 1].map(|contestant| compute_time_report(games(), contestant)),
            seconds_per_game: thinking / standing.total_tally().games().max(1) as f64,
            length: SampleSummary::from_sample(&lengths).ok(),
            reasons,
            incidents: find_incidents(pairs),
            wall_seconds: pairs.iter().map(|pair| pair.wall_seconds).sum(),
            cpu_seconds: pairs.iter().map(|pair| pair.cpu_seconds).sum(),
        })
    }
}

impl WinReport {
    fn new(tally: ResultTally, confidence: ConfidenceLevel) -> Option<WinReport> {
        let wins = Proportion::new(tally.wins, tally.wins + tally.losses).ok()?;
        let test = |alternative| wins.p_value(TestMethod::Exact, alternative, 0.5).ok();
        Some(WinReport {
            wins,
            wilson: wins.rate_interval(IntervalMethod::Wilson, confidence),
            exact: wins.rate_interval(IntervalMethod::ClopperPearson, confidence),
            two_sided: test(TestAlternative::TwoSided)?,
            greater: test(TestAlternative::Greater)?,
        })
    }
}

fn compute_time_report<'a, G: MatchGame>(
    games: impl Iterator<Item = &'a GameRecord<G>>,
    contestant: usize,
) -> TimeReport {
    let (mut count, mut moves, mut seconds) = (0_u64, 0_u64, 0.0);
    for game in games {
        let used = game.time[game.color_of(contestant).index()];
        count += 1;
        moves += u64::from(used.moves);
        seconds += used.seconds;
    }
    TimeReport { moves, per_move: seconds / moves.max(1) as f64, per_game: seconds / count.max(1) as f64 }
}

fn find_incidents<G: MatchGame>(pairs: &[PairRecord<G>]) -> Vec<GameIncident> {
    let mut incidents = Vec::new();
    for (pair, record) in pairs.iter().enumerate() {
        for (number, game) in record.games.iter().enumerate() {
            let error = game.reason.is_error();
            // A referee that failed leaves its words in the detail of a game that was counted.
            let referee =
                matches!(game.reason, EndReason::Score | EndReason::MoveLimit) && !game.detail.is_empty();
            if error || referee {
                let loser = game.winner().map(|winner| 1 - winner);
                incidents.push(GameIncident {
                    pair,
                    game: number,
                    contestant: loser.filter(|_| error),
                    reason: game.reason,
                    detail: game.detail.clone(),
                    transcript: game.transcript.clone(),
                });
            }
        }
    }
    incidents
}

/// Games that a colour won.
pub fn count_color_wins(standing: &MatchStanding, color: Color) -> u64 {
    let own = standing.by_color[color.index()].wins;
    own + standing.by_color[color.opponent().index()].losses
}
