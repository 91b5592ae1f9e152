//! The player of a rank.

use std::str::FromStr;
use std::sync::Arc;

use ishi_go::{Color, Move, Position};
use ishi_judge::network::Network;
use ishi_judge::{NetworkJudge, planes};
use ishi_patterns::{FeatureScratch, MoveContext, MovePredictor};
use ishi_rng::{Rng, Seed};

use super::chooser::{Chooser, MOST_TEMPERATURE};
use super::ladder::{ChooserMixture, mixture_of_rank};
use super::rank::Rank;
use crate::go_network::{NetworkParams, NetworkPlayer};
use crate::random::sensible_moves;
use ishi_engine::numeric;
use ishi_engine::parameter::{
    Parameter, ParameterFault, changed_params, list_settings, parse_params, set_param,
};
use ishi_engine::{
    Choice, Control, Engine, EngineAction, EngineSetting, MoveReport, SearchLimits, SearchReport,
};

/// A move that is less likely than this share of the likeliest one is never drawn: people overlook and misjudge, but they do not play just
/// anywhere.
const LEAST_SHARE: f32 = 0.02;
/// Who looks near the last move alone sees so many lines each way.
const NEAR_LINES: usize = 2;
/// Visits to see whether the game is over, however weak the player is.
const LOOK_VISITS: u64 = 1;
/// The same on boards that the network does not see, where playouts must tell.
const LOOK_VISITS_BEYOND: u64 = 20;
/// Visits that must agree that the game is lost before a player resigns.
const RESIGN_VISITS: u64 = 40;

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
            about: "how strong: 25k to 6k",
            japanese: "強さ：25級（25k）から6級（6k）",
            allowed: |_| "25k to 6k".to_string(),
            get: |params| params.rank.to_string(),
            set: |params, text| {
                params.rank = text.parse().map_err(|_: String| ParameterFault::Word(list_ranks()))?;
                Ok(())
            },
        },
        Parameter {
            key: "by",
            about: "rank, or one way to choose in its place: near-S (S: share of moves), shapes-T, people-T (T: temperature) or search-N (N: visits)",
            japanese: "rank、または段級の代わりに使う手の選び方：near-S（S：手の割合）、shapes-T、people-T（T：温度）、search-N（N：訪問数）",
            allowed: |_| "rank, near-S, shapes-T, people-T or search-N".to_string(),
            get: |params| params.chooser.map_or_else(|| "rank".to_string(), |chooser| chooser.to_string()),
            set: |params, text| {
                let chooser = || text.parse().map_err(ParameterFault::Own);
                params.chooser = if text == "rank" { None } else { Some(chooser()?) };
                Ok(())
            },
        },
        numeric!(
            "resign",
            "resigns below this chance to win; 0: never",
            "勝つ見込みがこれを下回ると投了する。0 なら投了しない",
            0.0,
            0.5,
            resign_below
        ),
    ];

    /// Sets a parameter.
    ///
    /// # Errors
    /// Says which key or value is wrong, and what would be right.
    pub fn set_param(&mut self, key: &str, value: &str) -> Result<(), String> {
        set_param(Self::ENTRIES, "go-rank", self, key, value)
    }

    /// The parameters that differ from the usual ones, as they are read.
    pub fn spec(&self) -> String {
        changed_params(Self::ENTRIES, self)
    }

    fn chooser_mixture(&self) -> ChooserMixture {
        self.chooser.map_or_else(|| mixture_of_rank(self.rank), ChooserMixture::of_single)
    }
}

/// All ranks, for who has written one that there is not.
fn list_ranks() -> String {
    Rank::all().map(|rank| rank.to_string()).collect::<Vec<_>>().join(", ")
}

/// Reads `KEY=VALUE,KEY=VALUE`.
///
/// ```
/// use ishi_go_play::go_rank::RankParams;
/// let params: RankParams = "rank=8k".parse().unwrap();
/// assert_eq!(params.spec(), "rank=8k");
/// let error = "rank=31k".parse::<RankParams>().unwrap_err();
/// assert!(error.starts_with("invalid rank \"31k\": write one of 25k, 24k, 23k, "), "{error}");
/// ```
impl FromStr for RankParams {
    type Err = String;

    fn from_str(text: &str) -> Result<RankParams, String> {
        parse_params(Self::ENTRIES, "go-rank", text)
    }
}

/// A player of Go as strong as people of a rank. The same seed and position give the same move.
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
        let searcher = new_searcher(&network, seed);
        RankPlayer { params, network, searcher, seed }
    }

    /// What a search of so many positions chooses, or of fewer if the controller allows fewer. It never resigns.
    fn search_visits(&mut self, position: &Position, control: &mut Control<'_>, visits: u64) -> Choice {
        let most = control.limits.playouts.map_or(visits, |given| given.min(visits));
        let limits = SearchLimits { playouts: Some(most), ..control.limits };
        let mut control = Control { limits, observer: &mut *control.observer, ..*control };
        self.searcher.choose(position, position.to_move(), &mut control)
    }

    /// A glance that shows whether the game is over. Nobody is told what it finds.
    fn glance_at(&mut self, position: &Position, control: &Control<'_>) -> Choice {
        let mut nobody = |_: &SearchReport| {};
        let mut quiet = Control { observer: &mut nobody, ..*control };
        let visits = if planes::size_fits(position.size()) { LOOK_VISITS } else { LOOK_VISITS_BEYOND };
        self.search_visits(position, &mut quiet, visits)
    }

    /// Is the game lost for certain? Not before its second half: what looks lost at first is often a handicap.
    fn should_resign(&mut self, position: &Position, looked: &SearchReport, control: &Control<'_>) -> bool {
        let is_late = position.moves().len() >= position.size().area() / 2;
        let resign_below = self.params.resign_below;
        if !is_late || !control.may_resign || looked.win_rate >= resign_below {
            return false;
        }
        let mut nobody = |_: &SearchReport| {};
        let mut quiet = Control { observer: &mut nobody, ..*control };
        self.search_visits(position, &mut quiet, RESIGN_VISITS).report.win_rate < resign_below
    }
}

/// How likely each of these moves is drawn; nothing of a sum. `rated` has the probability or the strength of each.
fn move_weights(moves: &[Move], rated: &[(Move, f32)], temperature: f32) -> Vec<f32> {
    let share = |mv: &Move| rated.iter().find(|(other, _)| other == mv).map_or(0.0, |&(_, share)| share);
    let shares: Vec<f32> = moves.iter().map(share).collect();
    let most = shares.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let weight =
        |share: f32| if share < LEAST_SHARE * most { 0.0 } else { (share / most).powf(1.0 / temperature) };
    shares.into_iter().map(weight).collect()
}

/// One of the moves, by their weights.
fn draw_move(moves: &[Move], weights: &[f32], rng: &mut Rng) -> Option<Move> {
    let mut left = rng.next_unit() as f32 * weights.iter().sum::<f32>();
    let drawn = moves.iter().zip(weights).find(|(_, weight)| {
        left -= **weight;
        **weight > 0.0 && left <= 0.0
    });
    let likeliest = || moves.iter().zip(weights).max_by(|a, b| a.1.total_cmp(b.1));
    drawn.or_else(likeliest).map(|(&mv, _)| mv)
}

/// The player by which ranks search, and see whether the game is over. It leaves resigning to them.
fn new_searcher(network: &Arc<Network>, seed: Seed) -> NetworkPlayer {
    let params =
        NetworkParams { reuse: false, resign_below: 0.0, problem_playouts: 0, ..NetworkParams::default() };
    NetworkPlayer::new(params, Arc::clone(network), seed)
}

/// The report with the move that was drawn in front, as the one that is played.
fn report_with_drawn(mut report: SearchReport, mv: Move) -> SearchReport {
    let at = report.moves.iter().position(|told| told.mv == mv);
    let told = at.map_or_else(|| MoveReport::unsearched_move(mv), |at| report.moves.remove(at));
    report.moves.insert(0, MoveReport { visits: told.visits.max(1), variation: vec![mv], ..told });
    report
}

/// How likely strong people play each move; on boards that the network does not see, by shapes.
fn rate_by_people(network: &Network, position: &Position) -> Vec<(Move, f32)> {
    let verdict = NetworkJudge::new(network).judge_position(position);
    verdict.map_or_else(|_| rate_by_shapes(position), |verdict| verdict.people.ranked_moves())
}

/// The strengths of all legal moves by shapes and tactics.
fn rate_by_shapes(position: &Position) -> Vec<(Move, f32)> {
    let mut rated = Vec::new();
    MovePredictor::shipped().rate_moves(
        &MoveContext::from_position(position),
        &mut FeatureScratch::new(),
        &mut rated,
    );
    rated.into_iter().map(|(point, strength)| (Move::Play(point), strength)).collect()
}

/// The same of moves near the last one alone, if one of `moves` is near it.
fn rate_nearby(position: &Position, moves: &[Move]) -> Vec<(Move, f32)> {
    let last = position.last_move().and_then(|(_, mv)| mv.point());
    let is_near =
        |mv: Move| last.zip(mv.point()).is_some_and(|(last, point)| point.lines_to(last) <= NEAR_LINES);
    let mut rated = rate_by_shapes(position);
    if moves.iter().any(|&mv| is_near(mv)) {
        rated.retain(|&(mv, _)| is_near(mv));
    }
    rated
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
        // An analysis asks what is best, not what a player of this rank would play.
        if control.limits.infinite {
            return self.searcher.choose(position, color, control);
        }
        let mut position = position.clone();
        position.set_to_move(color);
        let looked = self.glance_at(&position, control);
        if self.should_resign(&position, &looked.report, control) {
            return Choice { action: EngineAction::Resign, ..looked };
        }
        let mut rng = self.seed.stream("rank", position.situation_hash());
        let ChooserMixture { weaker, stronger, share } = self.params.chooser_mixture();
        let chooser = if rng.chance(share) { stronger } else { weaker };
        let sensible = || sensible_moves(&position, color, control);
        let (moves, rated, temperature) = match chooser {
            Chooser::Search { visits } => return self.search_visits(&position, control, visits),
            Chooser::Near { share } => {
                let moves = sensible();
                let is_near = rng.chance(share);
                let rated = if is_near { rate_nearby(&position, &moves) } else { rate_by_shapes(&position) };
                (moves, rated, MOST_TEMPERATURE)
            }
            Chooser::Shapes { temperature } => (sensible(), rate_by_shapes(&position), temperature),
            Chooser::People { temperature } => {
                (sensible(), rate_by_people(&self.network, &position), temperature)
            }
        };
        let is_over = looked.action == EngineAction::Move(Move::Pass);
        let drawn = if is_over {
            None
        } else {
            draw_move(&moves, &move_weights(&moves, &rated, temperature), &mut rng)
        };
        let mv = drawn.unwrap_or(Move::Pass);
        let report = report_with_drawn(looked.report, mv);
        (control.observer)(&report);
        Choice { action: EngineAction::Move(mv), report }
    }

    fn settings(&self) -> Vec<EngineSetting> {
        list_settings(RankParams::ENTRIES, &self.params)
    }

    fn set_param(&mut self, key: &str, value: &str) -> Result<(), String> {
        self.params.set_param(key, value)
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Rules};
    use ishi_judge::network::NetworkShape;

    use super::*;

    fn player(spec: &str, seed: u64) -> RankPlayer {
        let network = Network::with_random_weights(NetworkShape::new(3, 16), Seed::new(3)).unwrap();
        RankPlayer::new(spec.parse().unwrap(), Arc::new(network), Seed::new(seed))
    }

    fn choose(player: &mut RankPlayer, position: &Position) -> EngineAction {
        let mut nobody = |_: &SearchReport| {};
        let mut control = Control::with_limits(SearchLimits::default(), &mut nobody);
        player.choose(position, position.to_move(), &mut control).action
    }

    /// The position after moves by turns, Black first.
    fn after(side: usize, moves: &[&str]) -> Position {
        let mut position = position(side);
        for text in moves {
            position.play(position.to_move(), position.size().parse_move(text).unwrap()).unwrap();
        }
        position
    }

    fn position(side: usize) -> Position {
        Position::new(BoardSize::square(side).unwrap(), Rules::CHINESE)
    }

    #[test]
    fn every_chooser_plays_whole_games_that_its_seed_decides() {
        for spec in
            ["by=near-0.6", "by=shapes-2", "by=people-1", "by=search-3", "rank=25k", "rank=6k,resign=0"]
        {
            let game = |seed: u64| {
                let (mut player, mut position) = (player(spec, seed), position(5));
                let mut moves = Vec::new();
                while !position.is_over() {
                    assert!(moves.len() < 200, "{spec} does not end: {moves:?}");
                    let EngineAction::Move(mv) = choose(&mut player, &position) else { break };
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
        let position = after(9, &["E5", "E4", "F4"]);
        let mut nobody = |_: &SearchReport| {};
        let control = Control::with_limits(SearchLimits::default(), &mut nobody);
        let moves = sensible_moves(&position, position.to_move(), &control);
        let weights = move_weights(&moves, &rate_by_shapes(&position), 20.0);
        let corner = moves.iter().position(|mv| *mv == position.size().parse_move("A1").unwrap()).unwrap();
        assert!(weights[corner] == 0.0 && weights.iter().filter(|weight| **weight > 0.0).count() > 1);
        for seed in 0..200 {
            let drawn = draw_move(&moves, &weights, &mut Seed::new(seed).stream("test", 0));
            assert_ne!(drawn, Some(moves[corner]));
        }
    }

    #[test]
    fn who_looks_near_the_last_move_plays_there() {
        let position = after(9, &["G7", "C3"]);
        let last = position.size().parse_point("C3").unwrap();
        let count_near = |spec: &str| {
            let is_near = |seed: &u64| {
                let mut player = RankPlayer::new(spec.parse().unwrap(), Network::shipped(), Seed::new(*seed));
                let EngineAction::Move(Move::Play(point)) = choose(&mut player, &position) else {
                    panic!("a pass or a resignation");
                };
                point.lines_to(last) <= NEAR_LINES
            };
            (0..24).filter(is_near).count()
        };
        let [never, mostly, always] = ["by=near-0", "by=near-0.7", "by=near-1"].map(count_near);
        assert!(never < mostly && mostly < always && always == 24, "{never}, {mostly}, {always}");
    }

    /// After a pass, and where no sensible move is near.
    #[test]
    fn who_finds_nothing_near_the_last_move_looks_at_all() {
        let count_rated = |moves: &[&str], sensible: &[&str]| {
            let position = after(9, moves);
            let sensible: Vec<Move> =
                sensible.iter().map(|text| position.size().parse_move(text).unwrap()).collect();
            (rate_nearby(&position, &sensible).len(), rate_by_shapes(&position).len())
        };
        let (near, all) = count_rated(&["G7", "C3"], &["C4", "J9"]);
        assert!(0 < near && near < 25 && 25 < all, "{near} of {all}");
        for (moves, sensible) in [(["G7", "pass"], ["C4", "J9"]), (["G7", "C3"], ["J8", "J9"])] {
            let (near, all) = count_rated(&moves, &sensible);
            assert_eq!(near, all);
        }
    }

    /// The page says it in the visitor's language, so it is no sentence of its own.
    #[test]
    fn a_rank_that_there_is_not_is_answered_with_those_that_there_are() {
        let mut params = RankParams::default();
        for text in ["3d", "26k", "5k", "8", "8kyu", ""] {
            let fault = (RankParams::ENTRIES[0].set)(&mut params, text).unwrap_err();
            let words = match fault {
                ParameterFault::Word(words) => words,
                other => panic!("{text}: {other:?}"),
            };
            assert!(words.starts_with("25k, 24k, ") && words.ends_with(", 7k, 6k"), "{words}");
        }
        params.set_param("rank", "25K").unwrap();
        assert_eq!(params.spec(), "rank=25k");
    }

    /// White has four stones to catch up with: that is no reason to resign at once.
    #[test]
    fn nobody_resigns_at_the_beginning_of_a_handicap_game() {
        let size = BoardSize::square(9).unwrap();
        let stones = ["C3", "G7", "C7", "G3"].map(|text| (Color::Black, size.parse_point(text).unwrap()));
        let mut position = Position::from_setup(size, Rules::CHINESE, stones, Color::White).unwrap();
        position.set_komi(0.5).unwrap();
        for spec in ["rank=10k", "by=search-2", "by=shapes-1"] {
            let mut player = RankPlayer::new(spec.parse().unwrap(), Network::shipped(), Seed::new(1));
            assert!(matches!(choose(&mut player, &position), EngineAction::Move(Move::Play(_))), "{spec}");
        }
    }

    /// White has nothing, Black lives, and it is late.
    #[test]
    fn a_lost_game_is_given_up_where_that_is_allowed() {
        let wall: Vec<String> =
            "ABCDEFGHJ".chars().flat_map(|column| [format!("{column}4"), format!("{column}6")]).collect();
        let moves: Vec<&str> = wall
            .iter()
            .flat_map(|text| [text.as_str(), "pass"])
            .chain(["E2", "pass", "E8", "pass", "C2"])
            .collect();
        let position = after(9, &moves);
        let mut player = RankPlayer::new("rank=10k".parse().unwrap(), Network::shipped(), Seed::new(1));
        assert_eq!(choose(&mut player, &position), EngineAction::Resign);
        let mut nobody = |_: &SearchReport| {};
        let mut control =
            Control { may_resign: false, ..Control::with_limits(SearchLimits::default(), &mut nobody) };
        let choice = player.choose(&position, Color::White, &mut control);
        assert!(matches!(choice.action, EngineAction::Move(_)));
        player.set_param("resign", "0").unwrap();
        assert!(matches!(choose(&mut player, &position), EngineAction::Move(_)));
    }

    /// What is told of the move is of the one that is played; an analysis is of the best moves.
    #[test]
    fn reports_are_of_the_move_that_is_played_and_analyses_of_the_best() {
        let mut told: Vec<SearchReport> = Vec::new();
        let mut observer = |report: &SearchReport| told.push(report.clone());
        let mut control = Control::with_limits(SearchLimits::default(), &mut observer);
        let mut player = player("by=people-2", 1);
        let EngineAction::Move(mv) = player.choose(&position(9), Color::Black, &mut control).action else {
            panic!("resigned")
        };
        assert_eq!((told.len(), told[0].moves[0].mv, told[0].moves[0].visits), (1, mv, 1));
        let looks = std::sync::atomic::AtomicU32::new(0);
        let stop = || looks.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > 30;
        let mut nobody = |_: &SearchReport| {};
        let limits = SearchLimits { infinite: true, ..SearchLimits::default() };
        let mut control = Control { stop: &stop, ..Control::with_limits(limits, &mut nobody) };
        let analysed = player.choose(&position(9), Color::Black, &mut control).report;
        assert!(analysed.playouts > 20, "{} visits", analysed.playouts);
    }

    #[test]
    fn large_boards_are_played_too() {
        let action = choose(&mut player("by=people-1", 1), &position(21));
        assert!(matches!(action, EngineAction::Move(Move::Play(_))), "{action:?}");
    }
}
