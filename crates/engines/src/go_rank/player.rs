//! The player of a rank.

use std::str::FromStr;
use std::sync::Arc;

use ishi_go::{Color, Move, Point, Position};
use ishi_judge::network::Network;
use ishi_judge::Judge;
use ishi_patterns::{Context, Predictor, Scratch};
use ishi_rng::{Rng, Seed};

use super::chooser::Chooser;
use super::ladder::{Mixture, mixture};
use super::rank::Rank;
use crate::engine::{Action, Choice, Control, Engine, Limits, Setting};
use crate::go_network::{NetworkParams, NetworkPlayer};
use crate::parameter::{Parameter, differences, numeric, read, set, settings};
use crate::random::sensible_moves;

/// A move that is less likely than this share of the likeliest one is never chosen: people overlook and misjudge, but they do not play
/// anywhere.
const LEAST_SHARE: f32 = 0.02;
/// Positions judged to see whether the game is over or lost, however weak the player is.
const LOOK: u64 = 1;

/// What a [`RankPlayer`] is.
#[derive(Clone, Debug, PartialEq)]
pub struct RankParams {
    /// How strong it is.
    pub rank: Rank,
    /// One way to choose in place of the rank's.
    pub chooser: Option<Chooser>,
    /// Resigns below this chance to win; 0: never.
    pub resign_below: f64,
}

impl Default for RankParams {
    fn default() -> RankParams {
        RankParams { rank: Rank::kyu(10), chooser: None, resign_below: 0.03 }
    }
}

impl RankParams {
    /// All parameters, the most important first.
    pub const ENTRIES: &'static [Parameter<RankParams>] = &[
        Parameter {
            key: "rank",
            about: "how strong: 25k to 1k, 1d to 5d",
            get: |params| params.rank.to_string(),
            set: |params, text| text.parse().map(|rank| params.rank = rank),
        },
        Parameter {
            key: "by",
            about: "rank, or one way to choose in its place: shapes-T, people-T (T: temperature) or search-N (N: visits)",
            get: |params| params.chooser.map_or_else(|| "rank".to_string(), |chooser| chooser.to_string()),
            set: |params, text| {
                params.chooser = if text == "rank" { None } else { Some(text.parse()?) };
                Ok(())
            },
        },
        numeric!("resign", "resigns below this chance to win; 0: never", 0.0, 0.5, resign_below),
    ];

    /// Sets a parameter.
    ///
    /// # Errors
    /// Says which key or value is wrong, and what would be right.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        set(Self::ENTRIES, "go-rank", self, key, value)
    }

    /// The parameters that differ from the usual ones, as they are read.
    pub fn spec(&self) -> String {
        differences(Self::ENTRIES, self)
    }

    fn mixture(&self) -> Mixture {
        self.chooser.map_or_else(|| mixture(self.rank), Mixture::of)
    }
}

/// Reads `KEY=VALUE,KEY=VALUE`.
///
/// ```
/// use ishi_engines::go_rank::RankParams;
/// let params: RankParams = "rank=8k".parse().unwrap();
/// assert_eq!(params.spec(), "rank=8k");
/// let error = "rank=31k".parse::<RankParams>().unwrap_err();
/// assert_eq!(error, "invalid rank \"31k\": \"31k\" must be a rank from 25k to 5d");
/// ```
impl FromStr for RankParams {
    type Err = String;

    fn from_str(text: &str) -> Result<RankParams, String> {
        read(Self::ENTRIES, "go-rank", text)
    }
}

/// A player of Go as strong as people of a rank. The same seed, position and number of the move give the same move.
pub struct RankPlayer {
    params: RankParams,
    network: Arc<Network>,
    /// Searches, and says whether the game is over or lost.
    searcher: NetworkPlayer,
    seed: Seed,
}

impl RankPlayer {
    /// A player with these parameters and this network.
    pub fn new(params: RankParams, network: Arc<Network>, seed: Seed) -> RankPlayer {
        let searcher = searcher(&params, &network, seed);
        RankPlayer { params, network, searcher, seed }
    }

    /// What a search of so many positions chooses.
    fn search(
        &mut self,
        position: &Position,
        color: Color,
        control: &mut Control<'_>,
        visits: u64,
    ) -> Choice {
        let limits = Limits { playouts: Some(visits), ..control.limits };
        let mut control = Control { limits, observer: &mut *control.observer, ..*control };
        self.searcher.choose(position, color, &mut control)
    }

    /// How likely the chooser takes each of these moves; nothing of a sum.
    fn weights(&self, chooser: Chooser, position: &Position, moves: &[Move]) -> Vec<f32> {
        let rated = match chooser {
            Chooser::People { .. } => people(&self.network, position),
            _ => None,
        };
        let rated = rated.unwrap_or_else(|| shapes(position));
        let temperature = match chooser {
            Chooser::Shapes { temperature } | Chooser::People { temperature } => temperature,
            Chooser::Search { .. } => 1.0,
        };
        let share = |mv: &Move| rated.iter().find(|(other, _)| other == mv).map_or(0.0, |&(_, share)| share);
        let shares: Vec<f32> = moves.iter().map(share).collect();
        let most = shares.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        let weight = |share: f32| {
            if share < LEAST_SHARE * most { 0.0 } else { (share / most).powf(1.0 / temperature) }
        };
        shares.into_iter().map(weight).collect()
    }

    /// One of the moves, by their weights.
    fn draw(
        &self,
        chooser: Chooser,
        position: &Position,
        control: &Control<'_>,
        rng: &mut Rng,
    ) -> Option<Move> {
        let moves = sensible_moves(position, position.to_move(), control);
        let weights = self.weights(chooser, position, &moves);
        let mut left = rng.unit() as f32 * weights.iter().sum::<f32>();
        let drawn = moves.iter().zip(&weights).find(|(_, weight)| {
            left -= **weight;
            **weight > 0.0 && left <= 0.0
        });
        let likeliest = || moves.iter().zip(&weights).max_by(|a, b| a.1.total_cmp(b.1));
        drawn.or_else(likeliest).map(|(&mv, _)| mv)
    }
}

/// The player by which ranks search, and see whether the game is over or lost.
fn searcher(params: &RankParams, network: &Arc<Network>, seed: Seed) -> NetworkPlayer {
    let resign_below = params.resign_below;
    let params = NetworkParams { visits: LOOK, reuse: false, resign_below, ..NetworkParams::default() };
    NetworkPlayer::new(params, Arc::clone(network), seed)
}

/// How likely strong people play each move, or nothing on boards that the network does not see.
fn people(network: &Network, position: &Position) -> Option<Vec<(Move, f32)>> {
    Judge::new(network).judge(position).ok().map(|verdict| verdict.people.moves())
}

/// The strengths of all legal moves by shapes and tactics.
fn shapes(position: &Position) -> Vec<(Move, f32)> {
    let moves = position.moves();
    let last =
        |back: usize| -> Option<Point> { moves.len().checked_sub(back).and_then(|at| moves[at].1.point()) };
    let (board, to_move) = (position.board(), position.to_move());
    let context = Context { board, to_move, last: last(1), before: last(2) };
    let mut rated = Vec::new();
    Predictor::shipped().rate(&context, &mut Scratch::new(), &mut rated);
    rated.into_iter().map(|(point, strength)| (Move::Play(point), strength)).collect()
}

impl Engine for RankPlayer {
    fn name(&self) -> &str {
        "go-rank"
    }

    fn spec(&self) -> String {
        let params = self.params.spec();
        if params.is_empty() { "go-rank".to_string() } else { format!("go-rank:{params}") }
    }

    fn set_seed(&mut self, seed: Seed) {
        self.seed = seed;
        self.searcher.set_seed(seed);
    }

    fn choose(&mut self, position: &Position, color: Color, control: &mut Control<'_>) -> Choice {
        let mut rng = self.seed.stream("rank", position.moves().len() as u64);
        let Mixture { weaker, stronger, share } = self.params.mixture();
        let chooser = if rng.chance(share) { stronger } else { weaker };
        if let Chooser::Search { visits } = chooser {
            return self.search(position, color, control, visits);
        }
        let looked = self.search(position, color, control, LOOK);
        if matches!(looked.action, Action::Resign | Action::Move(Move::Pass)) {
            return looked;
        }
        let mut position = position.clone();
        position.set_to_move(color);
        let drawn = self.draw(chooser, &position, control, &mut rng);
        Choice { action: drawn.map_or(looked.action, Action::Move), report: looked.report }
    }

    fn settings(&self) -> Vec<Setting> {
        settings(RankParams::ENTRIES, &self.params)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        self.params.set(key, value)?;
        self.searcher = searcher(&self.params, &self.network, self.seed);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Rules};
    use ishi_judge::network::Shape;

    use super::*;
    use crate::engine::Report;

    fn player(spec: &str, seed: u64) -> RankPlayer {
        let network = Network::random(Shape::new(3, 16), Seed::new(3)).unwrap();
        RankPlayer::new(spec.parse().unwrap(), Arc::new(network), Seed::new(seed))
    }

    fn choose(player: &mut RankPlayer, position: &Position) -> Action {
        let mut nobody = |_: &Report| {};
        let mut control = Control::quiet(Limits::default(), &mut nobody);
        player.choose(position, position.to_move(), &mut control).action
    }

    fn position(side: usize) -> Position {
        Position::new(BoardSize::square(side).unwrap(), Rules::CHINESE)
    }

    #[test]
    fn every_chooser_plays_whole_games_that_its_seed_decides() {
        for spec in ["by=shapes-2", "by=people-1", "by=search-3", "rank=25k", "rank=3k,resign=0"] {
            let game = |seed: u64| {
                let (mut player, mut position) = (player(spec, seed), position(5));
                let mut moves = Vec::new();
                while !position.is_over() && moves.len() < 150 {
                    let Action::Move(mv) = choose(&mut player, &position) else { break };
                    position.play(position.to_move(), mv).expect("a legal move");
                    moves.push(mv);
                }
                moves
            };
            assert_eq!(game(1), game(1), "{spec}");
            if !spec.contains("search") {
                assert_ne!(game(1), game(2), "{spec}");
            }
        }
    }

    /// However high the temperature, a move that nobody would think of is not played.
    #[test]
    fn unlikely_moves_are_never_chosen() {
        let mut position = position(9);
        for text in ["E5", "E4", "F4"] {
            position.play(position.to_move(), position.size().parse_move(text).unwrap()).unwrap();
        }
        let player = player("by=shapes-20", 1);
        let mut nobody = |_: &Report| {};
        let control = Control::quiet(Limits::default(), &mut nobody);
        let moves = sensible_moves(&position, position.to_move(), &control);
        let weights = player.weights(Chooser::Shapes { temperature: 20.0 }, &position, &moves);
        let corner = moves.iter().position(|mv| *mv == position.size().parse_move("A1").unwrap()).unwrap();
        assert!(weights[corner] == 0.0 && weights.iter().filter(|weight| **weight > 0.0).count() > 1);
        for seed in 0..200 {
            let drawn = player.draw(
                Chooser::Shapes { temperature: 20.0 },
                &position,
                &control,
                &mut Seed::new(seed).stream("test", 0),
            );
            assert_ne!(drawn, Some(moves[corner]));
        }
    }

    #[test]
    fn large_boards_are_played_too() {
        let action = choose(&mut player("by=people-1", 1), &position(21));
        assert!(matches!(action, Action::Move(Move::Play(_))), "{action:?}");
    }
}
