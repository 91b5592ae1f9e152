//! The player: a tree of judged positions for a game, searched anew for every move.

use std::sync::Arc;

use ishi_go::{Color, Move, Point, Position};
use ishi_judge::network::Network;
use ishi_judge::planes;
use ishi_mcts::{JudgedMove, JudgedTree};
use ishi_rng::Seed;

use super::game::{JudgeMemory, JudgedGo, OwnerSums, OwnersByMove, action_of_move, move_of_action};
use super::params::NetworkParams;
use crate::go_mcts::{MctsParams, MctsPlayer, ProblemParams, answer_to_problem, passing};
use crate::random::sensible_moves;
use crate::tree_root::{KnownGame, most_visits, playouts_left};
use ishi_engine::parameter::list_settings;
use ishi_engine::{
    Choice, Control, Engine, EngineAction, EngineSetting, MoveReport, SearchLimits, SearchReport,
};

/// Visits of the root below which nobody resigns, unless a search has no more.
const MIN_VISITS_TO_RESIGN: u64 = 20;
/// Visits of the search whether a pass keeps what is won, and the chance that the opponent must stay below.
const PASS_VISITS: u64 = 40;
const PASS_RISK: f64 = 0.1;

/// Visits of the search after a move that answers a problem.
const PROBLEM_VISITS: u64 = 10;

/// On boards that the network does not see: playouts in place of a visit, which take about as long.
const PLAYOUTS_FOR_VISIT: u64 = 15;
/// There, too, a search looks at all moves alike, does all that it may, and says what the game is worth with the komi that it has.
const BEYOND: &str = "settle=no,komi=off,problem-playouts=0";

/// A player of Go that a network guides. It has no chance in it: the same position, parameters and number of visits give the same move. On
/// boards with more than 19 lines, which the network does not see, it plays as [`crate::go_mcts`], with playouts.
pub struct NetworkPlayer {
    params: NetworkParams,
    network: Arc<Network>,
    memory: JudgeMemory,
    tree: JudgedTree,
    known: Option<KnownGame>,
    seed: Seed,
    /// For larger boards, once there is one.
    beyond: Option<MctsPlayer>,
}

impl NetworkPlayer {
    /// A player with these parameters and this network. The seed is for playouts, on larger boards.
    pub fn new(params: NetworkParams, network: Arc<Network>, seed: Seed) -> NetworkPlayer {
        let (memory, tree) =
            (JudgeMemory::new(params.threads, params.instructions()), JudgedTree::new(params.tree_params()));
        NetworkPlayer { params, network, memory, tree, known: None, seed, beyond: None }
    }

    /// The player with playouts.
    fn new_playout_player(params: &NetworkParams, seed: Seed) -> MctsPlayer {
        let beyond: MctsParams = BEYOND.parse().expect("parameters of go-mcts");
        let resign_below = params.resign_below as f32;
        MctsPlayer::new(MctsParams { resign_below, reuse: params.reuse, ..beyond }, seed)
    }

    /// What the player with playouts does, on a board that the network does not see.
    fn choose_by_playouts(&mut self, position: &Position, color: Color, control: &mut Control<'_>) -> Choice {
        let playouts = most_visits(self.params.visits, control).saturating_mul(PLAYOUTS_FOR_VISIT);
        let limits = SearchLimits { playouts: Some(playouts), ..control.limits };
        let player = self.beyond.get_or_insert_with(|| Self::new_playout_player(&self.params, self.seed));
        let mut control = Control { limits, observer: &mut *control.observer, ..*control };
        player.choose(position, color, &mut control)
    }

    /// The tree's root becomes this position. What is known of it is kept, if it was reached in the game so far.
    fn move_root(&mut self, position: &Position, control: &Control<'_>) {
        let here = KnownGame::from_position(position, position.to_move());
        // A tree whose root has some moves only says nothing of the others.
        let is_whole = control.allowed.is_none();
        let known = self.known.take().filter(|_| self.params.reuse && is_whole);
        match known.as_ref().and_then(|known| known.moves_to(&here)) {
            Some(moves) => {
                for &(_, mv) in moves {
                    self.tree.advance(action_of_move(mv));
                }
            }
            None => self.tree.clear(),
        }
        self.known = Some(here).filter(|_| is_whole);
    }

    /// The moves that may be chosen at the root.
    fn root_moves(position: &Position, control: &Control<'_>) -> Vec<Move> {
        let mut moves = sensible_moves(position, position.to_move(), control);
        if moves.is_empty() || control.allows_move(Move::Pass) {
            moves.push(Move::Pass);
        }
        moves
    }

    /// Searches until a limit is reached. What it finds goes to the observer on the way. Gives owners over all judged positions, and by
    /// first moves.
    fn run_search(
        &mut self,
        position: &Position,
        control: &mut Control<'_>,
    ) -> (OwnerSums, Option<OwnersByMove>) {
        let most = most_visits(self.params.visits, control);
        let start = control.clock.now();
        let end = control.limits.time.map(|time| start + time);
        let root_moves = Self::root_moves(position, control);
        let temperature = self.params.temperature;
        let mut game =
            JudgedGo::new(&self.network, &mut self.memory, position.clone(), root_moves, temperature);
        game.owners_by_move = control.move_ownership.then(OwnersByMove::new);
        let mut done = 0;
        loop {
            let report_at = control.clock.now() + control.report_every;
            let mut has_ended = false;
            let mut remaining = |new: u64| {
                let now = control.clock.now();
                // A tree that stays from the last move may have all that is wanted; one look at least is new.
                let left = playouts_left(most, done + new, start, now, end).max(u64::from(done + new == 0));
                has_ended = left == 0 || control.stop.is_requested() && done + new > 0;
                if has_ended || new > 0 && now >= report_at { 0 } else { left }
            };
            done += self.tree.search(&mut game, &mut remaining);
            if has_ended {
                return (game.owners, game.owners_by_move);
            }
            (control.observer)(&build_report(
                &self.tree,
                position,
                &game.owners,
                game.owners_by_move.as_ref(),
            ));
        }
    }

    /// Searches until a limit is reached, and decides.
    fn search_and_decide(&mut self, position: &Position, control: &mut Control<'_>) -> Choice {
        self.move_root(position, control);
        let (owners, by_move) = self.run_search(position, control);
        let report = build_report(&self.tree, position, &owners, by_move.as_ref());
        (control.observer)(&report);
        Choice { action: self.decide_action(position, &report, control), report }
    }

    /// What to do, given what the search has found.
    fn decide_action(
        &mut self,
        position: &Position,
        report: &SearchReport,
        control: &Control<'_>,
    ) -> EngineAction {
        let color = position.to_move();
        let may_pass = control.allows_move(Move::Pass);
        if may_pass && passing::wins_as_it_stands(position, color) {
            return EngineAction::Move(Move::Pass);
        }
        let enough = u64::from(self.tree.visits()) >= MIN_VISITS_TO_RESIGN.min(self.params.visits);
        if enough && control.may_resign && report.win_rate < self.params.resign_below {
            return EngineAction::Resign;
        }
        if may_pass && passing::is_decided(position, color, report) && self.wins_after_pass(position) {
            return EngineAction::Move(Move::Pass);
        }
        EngineAction::Move(report.moves.first().map_or(Move::Pass, |best| best.mv))
    }

    /// Is the game still won after a pass, whatever the opponent does?
    fn wins_after_pass(&mut self, position: &Position) -> bool {
        let mut after = position.clone();
        if after.play(position.to_move(), Move::Pass).is_err() {
            return false;
        }
        let mut nobody = |_: &SearchReport| {};
        let control = Control::with_limits(ishi_engine::SearchLimits::default(), &mut nobody);
        let mut root_moves = Self::root_moves(&after, &control);
        // Passing as well would end the game as it is.
        root_moves.retain(|mv| *mv != Move::Pass);
        let temperature = self.params.temperature;
        let mut game = JudgedGo::new(&self.network, &mut self.memory, after, root_moves, temperature);
        let mut tree = JudgedTree::new(self.params.tree_params());
        tree.search(&mut game, &mut |done| PASS_VISITS.saturating_sub(done));
        tree.ranked_moves().first().is_none_or(|best| best.visits == 0 || best.win < PASS_RISK)
    }
}

/// What the tree knows, for the side to move.
fn build_report(
    tree: &JudgedTree,
    position: &Position,
    owners: &OwnerSums,
    by_move: Option<&OwnersByMove>,
) -> SearchReport {
    let sign = if position.to_move() == Color::Black { 1.0 } else { -1.0 };
    let mean_owners = |owners: &OwnerSums| -> Vec<(Point, f32)> {
        let mean =
            |point: Point| sign * owners.sums[planes::point_index(point)] / owners.judged.max(1) as f64;
        position.size().points().map(|point| (point, mean(point) as f32)).collect()
    };
    // Of a move without visits nothing is known but its position.
    let means = |found: &JudgedMove| {
        if found.visits > 0 { (found.win, found.lead) } else { (tree.win_chance(), tree.mean_lead()) }
    };
    let told = |found: JudgedMove| MoveReport {
        mv: move_of_action(found.action),
        visits: found.visits.into(),
        win_rate: means(&found).0,
        lower_bound: ((found.lower_bound + 1.0) / 2.0).clamp(0.0, means(&found).0),
        score: means(&found).1,
        score_deviation: found.lead_deviation,
        prior: found.prior.into(),
        variation: found.variation.into_iter().map(move_of_action).collect(),
        variation_visits: found.variation_visits.into_iter().map(u64::from).collect(),
        ownership: by_move.and_then(|by| by.get(&found.action)).map(mean_owners).unwrap_or_default(),
    };
    let moves: Vec<MoveReport> = tree.ranked_moves().into_iter().map(told).collect();
    let best = moves.first().filter(|best| best.visits > 0);
    SearchReport {
        playouts: tree.visits().into(),
        win_rate: best.map_or(tree.win_chance(), |best| best.win_rate),
        score: best.map_or(tree.mean_lead(), |best| best.score),
        score_deviation: best.and_then(|best| best.score_deviation),
        ownership: mean_owners(owners),
        moves,
    }
}

impl Engine for NetworkPlayer {
    fn name(&self) -> &str {
        "go-network"
    }

    fn spec(&self) -> String {
        let params = self.params.spec();
        if params.is_empty() { "go-network".to_string() } else { format!("go-network:{params}") }
    }

    fn set_seed(&mut self, seed: Seed) {
        self.seed = seed;
        self.beyond = None;
        self.tree.clear();
        self.known = None;
    }

    fn choose(&mut self, position: &Position, color: Color, control: &mut Control<'_>) -> Choice {
        let mut position = position.clone();
        position.set_to_move(color);
        let size = position.size();
        if !planes::size_fits(size) {
            return self.choose_by_playouts(&position, color, control);
        }
        let params = ProblemParams { playouts: self.params.problem_playouts, ..ProblemParams::default() };
        if let Some(mv) = answer_to_problem(&position, color, &params, control, self.seed) {
            // What is left to do is to say what the move is worth.
            let allowed = Some(std::slice::from_ref(&mv));
            let limits = SearchLimits { playouts: Some(PROBLEM_VISITS), ..control.limits };
            let mut control = Control { allowed, limits, observer: &mut *control.observer, ..*control };
            return self.search_and_decide(&position, &mut control);
        }
        self.search_and_decide(&position, control)
    }

    fn settings(&self) -> Vec<EngineSetting> {
        list_settings(NetworkParams::ENTRIES, &self.params)
    }

    fn set_param(&mut self, key: &str, value: &str) -> Result<(), String> {
        self.params.set_param(key, value)?;
        self.memory = JudgeMemory::new(self.params.threads, self.params.instructions());
        self.tree = JudgedTree::new(self.params.tree_params());
        self.known = None;
        self.beyond = None;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Rules};
    use ishi_judge::network::NetworkShape;

    use super::*;
    use ishi_engine::SearchLimits;

    fn player(spec: &str) -> NetworkPlayer {
        let network = Network::with_random_weights(NetworkShape::new(3, 16), Seed::new(3)).unwrap();
        NetworkPlayer::new(spec.parse().unwrap(), Arc::new(network), Seed::new(1))
    }

    fn position(side: usize) -> Position {
        Position::new(BoardSize::square(side).unwrap(), Rules::CHINESE)
    }

    fn choose(player: &mut NetworkPlayer, position: &Position, visits: u64) -> Choice {
        let mut nobody = |_: &SearchReport| {};
        let limits = SearchLimits { playouts: Some(visits), ..SearchLimits::default() };
        let mut control = Control::with_limits(limits, &mut nobody);
        control.may_resign = false;
        player.choose(position, position.to_move(), &mut control)
    }

    /// Even a network that knows nothing takes the one move by which the game is counted as won.
    #[test]
    fn plays_whole_games_by_the_rules() {
        let game = |spec: &str| {
            let (mut player, mut position) = (player(spec), position(5));
            let mut moves = Vec::new();
            while !position.is_over() && moves.len() < 120 {
                let EngineAction::Move(mv) = choose(&mut player, &position, 30).action else {
                    panic!("resigned")
                };
                position.play(position.to_move(), mv).expect("a legal move");
                moves.push(mv);
            }
            moves
        };
        assert_eq!(game(""), game(""), "the same game again");
        assert_eq!(game("batch=4,reuse=no"), game("batch=4,reuse=no"));
    }

    #[test]
    fn the_report_is_of_the_side_that_chooses() {
        let mut position = position(7);
        position.set_komi(60.0).unwrap();
        let mut player = player("");
        let choice = choose(&mut player, &position, 50);
        assert_eq!(choice.report.playouts, 50);
        assert_eq!(choice.report.ownership.len(), 49);
        let visits: u64 = choice.report.moves.iter().map(|told| told.visits).sum();
        assert_eq!(visits, 49, "one visit is the root's own");
        let priors: f64 = choice.report.moves.iter().map(|told| told.prior).sum();
        assert!((priors - 1.0).abs() < 1e-3);
        let best = &choice.report.moves[0];
        assert_eq!(choice.action, EngineAction::Move(best.mv));
        assert_eq!(best.variation[0], best.mv);
        assert!(best.lower_bound <= best.win_rate);
    }

    #[test]
    fn only_what_is_allowed_is_chosen() {
        let position = position(9);
        let only = position.size().parse_move("C3").unwrap();
        let mut nobody = |_: &SearchReport| {};
        let mut control =
            Control::with_limits(SearchLimits { playouts: Some(20), ..SearchLimits::default() }, &mut nobody);
        let allowed = [only];
        control.allowed = Some(&allowed);
        let mut player = player("");
        let choice = player.choose(&position, Color::Black, &mut control);
        assert_eq!(choice.action, EngineAction::Move(only));
        assert!(
            choose(&mut player, &position, 20).report.moves.len() > 80,
            "the next search is of all moves"
        );
    }

    /// There are playouts in place of visits, within the same limits.
    #[test]
    fn boards_that_the_network_does_not_see_are_played_by_playouts() {
        let position = position(21);
        let choice = choose(&mut player(""), &position, 10);
        assert!(matches!(choice.action, EngineAction::Move(Move::Play(_))), "{:?}", choice.action);
        assert_eq!(choice.report.playouts, 10 * PLAYOUTS_FOR_VISIT);
        assert_eq!(choice.report.ownership.len(), 441);
    }

    /// The opponent has passed, and the board as it stands is won.
    #[test]
    fn a_won_game_ends_with_a_pass() {
        let mut position = position(5);
        for (column, row) in [(2, 0), (2, 1), (2, 2), (2, 3), (2, 4)] {
            position.play(Color::Black, Move::Play(Point::new(column, row))).unwrap();
            position.play(Color::White, Move::Pass).unwrap();
        }
        assert_eq!(choose(&mut player(""), &position, 10).action, EngineAction::Move(Move::Pass));
    }
}
