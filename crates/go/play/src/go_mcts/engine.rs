//! The player: one tree for a game, searched anew for every move.

use ishi_go::{Color, Move, Point, Position};
use ishi_mcts::{Action as TreeAction, ChildReport, SearchBudget, Tree};
use ishi_patterns::MovePredictor;
use ishi_rng::Seed;

use super::domain::{CarriedMemory, GoDomain, GoRoot, PlayoutTally, PlayoutWorker};
use super::komi;
use super::local::{ProblemParams, answer_to_problem};
use super::params::MctsParams;
use super::passing;
use super::playout::{action_of_move, move_of_action};
use super::priors::RatedBy;
use super::reward::RewardParams;
use super::tabu::TabuLists;
use crate::random::sensible_moves;
use crate::tree_root::{KnownGame, most_visits, playouts_left};
use ishi_engine::parameter::list_settings;
use ishi_engine::{
    AnswerPurpose, Choice, Control, Engine, EngineAction, EngineSetting, MoveReport, SearchLimits,
    SearchReport,
};

/// Playouts of a thread between two looks at clock and stop flag: a few milliseconds on 19x19.
const CHECK_EVERY: u32 = 16;

/// Visits of the root below which nobody resigns, unless a search has no more: too few to know.
const MIN_VISITS_TO_RESIGN: u64 = 200;

/// Playouts below which owners of points are not known.
const MIN_PLAYOUTS_FOR_OWNERS: u64 = 30;

/// Playouts of the search whether a pass keeps what is won, and the win rate that the opponent must stay below.
const PASS_PLAYOUTS: u64 = 300;
const PASS_RISK: f64 = 0.1;

/// Monte-Carlo tree search.
///
/// With `reuse` (the default) what the search of one move has found serves the next move of the same game: choices then depend
/// on earlier ones. [`Engine::set_seed`] begins a new game, so a match gives the same games again.
pub struct MctsPlayer {
    params: MctsParams,
    seed: Seed,
    tree: Tree,
    tabu: TabuLists,
    known: Option<KnownGame>,
    /// The last search's win rate for Black, under the komi that it had: by it komi is made up for the next one of a handicap game.
    black_win_rate: Option<f64>,
}

/// What the playouts of one move have shown, over all threads.
struct GatheredPlayouts {
    tally: PlayoutTally,
    /// By the move that the playouts began with.
    by_move: Vec<PlayoutTally>,
    /// Sum of +1 for Black's points and -1 for White's.
    ownership: Vec<i64>,
    /// The same by the move that the playouts began with; empty where nothing was counted.
    owners_by_move: Vec<Vec<i64>>,
    /// What the threads go on with after a report, so that reports change nothing.
    carried: Vec<CarriedMemory>,
}

impl GatheredPlayouts {
    fn new() -> GatheredPlayouts {
        GatheredPlayouts {
            tally: PlayoutTally::default(),
            by_move: vec![PlayoutTally::default(); Point::INDICES],
            ownership: vec![0; Point::INDICES],
            owners_by_move: vec![Vec::new(); Point::INDICES],
            carried: Vec::new(),
        }
    }

    fn add_workers(&mut self, workers: Vec<PlayoutWorker>) {
        for worker in workers {
            self.tally.add_tally(worker.tally);
            for (sum, &one) in self.by_move.iter_mut().zip(&worker.by_move) {
                sum.add_tally(one);
            }
            add_owners(&mut self.ownership, &worker.ownership);
            for (sums, ones) in self.owners_by_move.iter_mut().zip(&worker.owners_by_move) {
                sums.resize(ones.len().max(sums.len()), 0);
                add_owners(sums, ones);
            }
            self.carried.push(worker.carried);
        }
    }
}

fn add_owners(sums: &mut [i64], ones: &[i32]) {
    for (sum, &one) in sums.iter_mut().zip(ones) {
        *sum += i64::from(one);
    }
}

impl MctsPlayer {
    /// A player with these parameters.
    pub fn new(params: MctsParams, seed: Seed) -> MctsPlayer {
        let tree = Tree::new(params.tree.clone());
        let tabu = TabuLists::new(params.tabu);
        // Not on the clock of the first move.
        if params.prior.learned {
            MovePredictor::shipped();
            params.prior.by.load_network();
        }
        if params.problem_network && params.problem_playouts > 0 {
            RatedBy::Life.load_network();
        }
        MctsPlayer { params, seed, tree, tabu, known: None, black_win_rate: None }
    }

    /// The tree's root becomes this position. What is known of it is kept, if it was reached in the game so far.
    fn move_root(&mut self, position: &Position, color: Color, control: &Control<'_>) {
        let here = KnownGame::from_position(position, color);
        let way = self.known.take().filter(|_| self.params.reuse && control.allowed.is_none());
        match way.as_ref().and_then(|known| known.moves_to(&here)) {
            Some(moves) => {
                for &(_, mv) in moves {
                    self.tree.advance(action_of_move(mv));
                }
            }
            None => self.tree.clear(),
        }
        self.tree.retain_root(&|step| position.is_legal(color, move_of_action(step)));
        self.tabu.clear();
        // A search among some moves only says nothing of the others.
        self.known = Some(here).filter(|_| control.allowed.is_none());
    }

    fn answer_or_search(&mut self, position: &Position, color: Color, control: &mut Control<'_>) -> Choice {
        let MctsParams { problem_playouts: playouts, problem_network, .. } = self.params;
        let params = ProblemParams { playouts, ..ProblemParams::with_network(problem_network) };
        match answer_to_problem(position, color, &params, control, self.seed) {
            Some(mv) => {
                let allowed = Some(std::slice::from_ref(&mv));
                let observer = &mut *control.observer;
                self.search_board(position, color, &mut Control { allowed, observer, ..*control })
            }
            None => self.search_board(position, color, control),
        }
    }

    /// Searches the whole board until a limit is reached; what it finds goes to the observer on the way.
    fn search_board(&mut self, position: &Position, color: Color, control: &mut Control<'_>) -> Choice {
        self.move_root(position, color, control);
        let found = self.run_search(position, color, control);
        let report = self.build_report(position, color, &found);
        (control.observer)(&report);
        let own = self.searched_win_rate(position, color, &found);
        self.black_win_rate = Some(if color == Color::Black { own } else { 1.0 - own });
        Choice { action: self.decide_action(position, color, &report, control), report }
    }

    fn run_search(
        &mut self,
        position: &Position,
        color: Color,
        control: &mut Control<'_>,
    ) -> GatheredPlayouts {
        let most = most_visits(self.params.playouts, control);
        let start = control.clock.now();
        let end = control.limits.time.map(|time| start + time);
        let root =
            GoRoot { white_bonus: self.white_bonus(position), ..search_root(position, color, control) };
        let mut found = GatheredPlayouts::new();
        loop {
            let report_at = control.clock.now() + control.report_every;
            // A report on the way ends the search of the tree, and a new one goes on: what the threads had is carried over, so that nobody sees where
            // it was cut.
            let carried = std::mem::take(&mut found.carried);
            let domain = build_domain_at_root(&self.params, &self.tabu, self.seed, root.clone())
                .resuming_from(carried)
                .with_owners_by_move(control.move_ownership);
            let before = found.tally.playouts;
            let (mut ended, mut pause) = (false, false);
            let mut remaining = |done: u64| {
                let now = control.clock.now();
                let left = playouts_left(most, before + done, start, now, end);
                ended = left == 0 || control.stop.is_requested();
                pause = done > 0 && now >= report_at;
                if ended || pause { 0 } else { left }
            };
            let threads = self.params.threads;
            let mut budget = SearchBudget { remaining: &mut remaining, threads, check_every: CHECK_EVERY };
            let outcome = self.tree.search(&domain, &mut budget);
            found.add_workers(outcome.workers);
            if ended || !pause && (outcome.settled || outcome.playouts == 0) {
                return found;
            }
            let report = self.build_report(position, color, &found);
            (control.observer)(&report);
        }
    }

    /// What Black's area lead must exceed for a playout to count as Black's win.
    fn white_bonus(&self, position: &Position) -> f64 {
        position.white_bonus() + komi::extra_komi(self.params.dynamic_komi, position, self.black_win_rate)
    }

    /// Win rate and lower bound behind a move's rewards, under the komi that the search had. The lead is that of the side to move.
    fn searched_win_rates(&self, child: &ChildReport, lead: f64, area: usize) -> [f64; 2] {
        [child.win_rate, child.lower_bound]
            .map(|reward| self.params.reward.win_rate(reward.into(), lead, area))
    }

    /// The win rate of the move that is chosen, under the komi that the search had; even chances if there is no move.
    fn searched_win_rate(&self, position: &Position, color: Color, found: &GatheredPlayouts) -> f64 {
        let children = self.tree.ranked_children();
        let Some(best) = children.first() else { return 0.5 };
        let tally = found.by_move[usize::from(best.action.0)];
        // Without a playout nothing is known: as many points as the komi that was made up.
        let unknown = position.white_bonus() - self.white_bonus(position);
        let lead = tally.mean_lead().or(found.tally.mean_lead()).unwrap_or(unknown);
        let own = if color == Color::Black { lead } else { -lead };
        self.searched_win_rates(best, own, position.size().area())[0]
    }

    fn build_report(&self, position: &Position, color: Color, found: &GatheredPlayouts) -> SearchReport {
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        let playouts = found.tally.playouts;
        let owners = |sums: &[i64], playouts: u64| -> Vec<(Point, f32)> {
            let mean = |point: Point| sign * sums[point.index()] as f64 / playouts.max(1) as f64;
            position.size().points().map(|point| (point, mean(point) as f32)).collect()
        };
        // Score and win rate are told without the komi that was made up for a handicap game.
        let extra = self.white_bonus(position) - position.white_bonus();
        let told = |lead: f64| sign * (lead + extra);
        // Without a playout nothing is known: told as 0.
        let mean_lead = found.tally.mean_lead().unwrap_or(-extra);
        let area = position.size().area();
        let report_of = |child: ChildReport| {
            let index = usize::from(child.action.0);
            let tally = found.by_move[index];
            let lead = tally.mean_lead().unwrap_or(mean_lead);
            let sums = &found.owners_by_move[index];
            let searched = self.searched_win_rates(&child, sign * lead, area);
            let real = tally.win_rate_for(color).or(found.tally.win_rate_for(color));
            let [win_rate, lower_bound] = real_win_rates(searched, real.filter(|_| extra > 0.0));
            MoveReport {
                mv: move_of_action(child.action),
                visits: child.visits.into(),
                win_rate,
                lower_bound,
                score: told(lead),
                score_deviation: tally.lead_deviation(),
                prior: child.prior.into(),
                variation: child.variation.into_iter().map(move_of_action).collect(),
                variation_visits: child.variation_visits.into_iter().map(u64::from).collect(),
                ownership: if sums.is_empty() { Vec::new() } else { owners(sums, tally.playouts) },
            }
        };
        let moves: Vec<MoveReport> = self.tree.ranked_children().into_iter().map(report_of).collect();
        SearchReport {
            win_rate: moves.first().map_or(0.5, |best| best.win_rate),
            score: told(mean_lead),
            score_deviation: found.tally.lead_deviation(),
            moves,
            playouts,
            ownership: owners(&found.ownership, playouts),
        }
    }

    /// What to do, given what the search has found.
    fn decide_action(
        &self,
        position: &Position,
        color: Color,
        report: &SearchReport,
        control: &Control<'_>,
    ) -> EngineAction {
        let may_pass = control.allows_move(Move::Pass);
        if may_pass && passing::wins_as_it_stands(position, color) {
            return EngineAction::Move(Move::Pass);
        }
        let enough = u64::from(self.tree.visits()) >= MIN_VISITS_TO_RESIGN.min(self.params.playouts);
        // With komi made up for a handicap game the win rate is not the game's.
        let real = self.white_bonus(position) == position.white_bonus();
        if enough && real && control.may_resign && report.win_rate < f64::from(self.params.resign_below) {
            return EngineAction::Resign;
        }
        let known = report.playouts >= MIN_PLAYOUTS_FOR_OWNERS;
        if may_pass
            && known
            && passing::is_decided(position, color, report)
            && self.wins_after_pass(position, color)
        {
            return EngineAction::Move(Move::Pass);
        }
        EngineAction::Move(report.moves.first().map_or(Move::Pass, |best| best.mv))
    }

    /// Is the game still won after a pass, whatever the opponent does? Owners are decided in playouts that mostly begin with the
    /// move that is needed: a search from the position after the pass tells whether one is.
    fn wins_after_pass(&self, position: &Position, color: Color) -> bool {
        let mut after = position.clone();
        if after.play(color, Move::Pass).is_err() {
            return false;
        }
        let params = MctsParams {
            threads: 1,
            dynamic_komi: komi::DynamicKomi::Off,
            reward: RewardParams::WINNER_ONLY,
            ..self.params.clone()
        };
        let mut opponent = MctsPlayer::new(params, self.seed.child_seed("pass", 0));
        let mut nobody = |_: &SearchReport| {};
        let limits = SearchLimits { playouts: Some(PASS_PLAYOUTS), ..SearchLimits::default() };
        let control = Control::with_limits(limits, &mut nobody);
        opponent.move_root(&after, !color, &control);
        opponent.run_search(&after, !color, &mut Control { ..control });
        // Passing as well would end the game as it is.
        let answers = opponent.tree.ranked_children().into_iter().filter(|child| child.action.0 != 0);
        let best = answers.filter(|child| child.visits > 0).map(|child| child.win_rate).next();
        best.is_none_or(|rate| f64::from(rate) < PASS_RISK)
    }
}

/// Win rate and lower bound in the game itself. Where that is not what was searched, its share of won playouts is given. The bound is
/// as far below it as it was.
fn real_win_rates([searched, bound]: [f64; 2], real: Option<f64>) -> [f64; 2] {
    real.map_or([searched, bound], |real| [real, (real - (searched - bound)).max(0.0)])
}

/// The position as a search sees it, with the policies of these parameters.
pub(super) fn build_domain<'a>(
    params: &MctsParams,
    tabu: &'a TabuLists,
    seed: Seed,
    position: &Position,
    color: Color,
    control: &Control<'_>,
) -> GoDomain<'a> {
    build_domain_at_root(params, tabu, seed, search_root(position, color, control))
}

fn build_domain_at_root<'a>(
    params: &MctsParams,
    tabu: &'a TabuLists,
    seed: Seed,
    root: GoRoot,
) -> GoDomain<'a> {
    let seed = seed.child_seed("move", root.played as u64);
    GoDomain::new(root, params.playout.clone(), params.prior, params.reward, tabu, seed)
        .with_proofs(params.proofs)
}

fn search_root(position: &Position, color: Color, control: &Control<'_>) -> GoRoot {
    let mut moves = sensible_moves(position, color, control);
    if moves.is_empty() || control.allows_move(Move::Pass) {
        moves.push(Move::Pass);
    }
    let mut last = position.moves().iter().rev().map(|&(_, mv)| action_of_move(mv));
    let last_two = [last.next(), last.next()].map(|found| found.unwrap_or(TreeAction(0)));
    GoRoot {
        board: position.board().clone(),
        to_move: color,
        history: [last_two[1], last_two[0]],
        moves,
        white_bonus: position.white_bonus(),
        real_bonus: position.white_bonus(),
        played: position.moves().len(),
    }
}

impl Engine for MctsPlayer {
    fn name(&self) -> &str {
        "go-mcts"
    }

    fn spec(&self) -> String {
        let params = self.params.spec();
        if params.is_empty() { "go-mcts".to_string() } else { format!("go-mcts:{params}") }
    }

    fn set_seed(&mut self, seed: Seed) {
        self.seed = seed;
        self.tree.clear();
        self.known = None;
        self.black_win_rate = None;
    }

    fn choose(&mut self, position: &Position, color: Color, control: &mut Control<'_>) -> Choice {
        if control.purpose == AnswerPurpose::Play {
            return self.answer_or_search(position, color, control);
        }
        // What is known of the game stays: these rewards mean something else.
        let params = MctsParams { reward: self.params.reward.for_study(), ..self.params.clone() };
        MctsPlayer::new(params, self.seed).answer_or_search(position, color, control)
    }

    fn wants_to_ponder(&self) -> bool {
        self.params.ponder && self.params.reuse
    }

    fn settings(&self) -> Vec<EngineSetting> {
        list_settings(super::params::ENTRIES, &self.params)
    }

    fn set_param(&mut self, key: &str, value: &str) -> Result<(), String> {
        let mut params = self.params.clone();
        params.set_param(key, value)?;
        let seed = self.seed;
        *self = MctsPlayer::new(params, seed);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use ishi_go::{BoardSize, Rules};

    use super::*;
    use crate::test_boards::position_of_rows;

    fn choose(player: &mut MctsPlayer, position: &Position, playouts: u64) -> Choice {
        let mut nobody = |_: &SearchReport| {};
        let limits = SearchLimits { playouts: Some(playouts), ..SearchLimits::default() };
        player.choose(position, position.to_move(), &mut Control::with_limits(limits, &mut nobody))
    }

    fn player(spec: &str) -> MctsPlayer {
        MctsPlayer::new(spec.parse().unwrap(), Seed::new(1))
    }

    fn position(side: usize) -> Position {
        Position::new(BoardSize::square(side).unwrap(), Rules::CHINESE)
    }

    fn play(position: &mut Position, vertices: &str) {
        for vertex in vertices.split(' ') {
            let mv = position.size().parse_move(vertex).unwrap();
            position.play(position.to_move(), mv).unwrap();
        }
    }

    #[test]
    fn the_same_seed_plays_the_same_game() {
        let game = || {
            let (mut player, mut position) = (player(""), position(7));
            for _ in 0..12 {
                if let EngineAction::Move(mv) = choose(&mut player, &position, 100).action {
                    position.play(position.to_move(), mv).unwrap();
                }
            }
            position.hash()
        };
        assert_eq!(game(), game());
    }

    /// A clock that is a second later at every look.
    #[derive(Default)]
    struct Hurried(std::sync::atomic::AtomicU64);

    impl ishi_engine::Clock for Hurried {
        fn now(&self) -> Duration {
            Duration::from_secs(self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
        }
    }

    #[test]
    fn reports_on_the_way_change_nothing() {
        let position = position(7);
        let (clock, mut reports) = (Hurried::default(), 0);
        let mut observer = |_: &SearchReport| reports += 1;
        let limits = SearchLimits { playouts: Some(300), ..SearchLimits::default() };
        let mut control = Control::with_limits(limits, &mut observer);
        control.clock = &clock;
        let mut watched = player("settle=no,lgrf=2");
        let choice = watched.choose(&position, Color::Black, &mut control);
        assert!(reports > 5, "{reports}");
        assert_eq!(choice, choose(&mut player("settle=no,lgrf=2"), &position, 300));
    }

    #[test]
    fn what_was_searched_serves_the_next_move() {
        let mut position = position(5);
        // The network hardly looks at B3.
        let mut keeping = player("preset=strong,settle=no");
        choose(&mut keeping, &position, 400);
        play(&mut position, "C3 B3");
        let choice = choose(&mut keeping, &position, 100);
        assert_eq!(choice.report.playouts, 100);
        let visits: u64 = choice.report.moves.iter().map(|one| one.visits).sum();
        assert!(visits > 100, "{visits}");
        let mut forgetful = player("settle=no,reuse=no");
        choose(&mut forgetful, &position, 400);
        let choice = choose(&mut forgetful, &position, 100);
        assert!(choice.report.moves.iter().map(|one| one.visits).sum::<u64>() <= 100);
    }

    #[test]
    fn a_question_leaves_what_is_known_of_the_game() {
        let position = position(5);
        let asked = |between: bool| {
            let mut player = player("preset=strong,settle=no");
            choose(&mut player, &position, 200);
            if between {
                let mut nobody = |_: &SearchReport| {};
                let limits = SearchLimits { playouts: Some(300), ..SearchLimits::default() };
                let mut control =
                    Control { purpose: AnswerPurpose::Study, ..Control::with_limits(limits, &mut nobody) };
                player.choose(&position, !position.to_move(), &mut control);
            }
            choose(&mut player, &position, 100).report
        };
        assert_eq!(asked(true), asked(false));
    }

    #[test]
    fn another_game_is_searched_afresh() {
        let mut position = position(5);
        let known = KnownGame::from_position(&position, Color::Black);
        play(&mut position, "C3 B3");
        let there = KnownGame::from_position(&position, Color::Black);
        assert_eq!(known.moves_to(&there).map(<[_]>::len), Some(2));
        assert_eq!(there.moves_to(&known), None, "a move was taken back");
        assert_eq!(known.moves_to(&KnownGame::from_position(&position, Color::White)), None, "out of turn");
        position.set_komi(0.5).unwrap();
        assert_eq!(known.moves_to(&KnownGame::from_position(&position, Color::Black)), None);
    }

    #[test]
    fn an_only_allowed_move_is_chosen() {
        let position = position(5);
        let allowed = [Move::Play(position.size().parse_point("A1").unwrap())];
        let mut nobody = |_: &SearchReport| {};
        let limits = SearchLimits { playouts: Some(50), ..SearchLimits::default() };
        let mut control = Control { allowed: Some(&allowed), ..Control::with_limits(limits, &mut nobody) };
        let choice = player("").choose(&position, Color::Black, &mut control);
        assert_eq!(choice.action, EngineAction::Move(allowed[0]));
    }

    #[test]
    fn time_that_is_left_is_estimated_from_the_speed() {
        let seconds = Duration::from_secs;
        let left = |done, now, end| playouts_left(1000, done, seconds(0), seconds(now), end);
        assert_eq!(left(100, 5, None), 900);
        assert_eq!(left(100, 5, Some(seconds(10))), 101);
        assert_eq!(left(100, 10, Some(seconds(10))), 0);
        assert_eq!(left(0, 0, Some(seconds(10))), 1000);
    }

    /// What is told of a move's playouts fits what is told of all.
    #[test]
    fn owners_and_spread_are_told_by_move() {
        let position = position(5);
        let mut nobody = |_: &SearchReport| {};
        let limits = SearchLimits { playouts: Some(200), ..SearchLimits::default() };
        let mut control = Control { move_ownership: true, ..Control::with_limits(limits, &mut nobody) };
        let report = player("settle=no").choose(&position, Color::Black, &mut control).report;
        let mut sums = [0.0; 25];
        for mv in &report.moves {
            assert_eq!(mv.variation.len(), mv.variation_visits.len());
            assert_eq!(mv.variation_visits.first(), Some(&mv.visits));
            assert!(mv.variation_visits.is_sorted_by(|a, b| a >= b), "{:?}", mv.variation_visits);
            assert_eq!(mv.score_deviation.is_some(), mv.visits > 1);
            assert_eq!(mv.ownership.is_empty(), mv.visits == 0, "{}", mv.mv);
            for (sum, (_, mean)) in sums.iter_mut().zip(&mv.ownership) {
                *sum += f64::from(*mean) * mv.visits as f64 / 200.0;
            }
        }
        for (sum, (point, mean)) in sums.iter().zip(&report.ownership) {
            assert!((sum - f64::from(*mean)).abs() < 0.02, "{point}: {sum} and {mean}");
        }
        let spread = report.score_deviation.unwrap();
        assert!(spread > 1.0 && spread < 25.0, "{spread}");
    }

    /// Where only a pass is left, it is searched like any other move.
    #[test]
    fn an_only_pass_has_a_win_rate() {
        let position =
            position_of_rows("O O O O O\n. O O O O\nO O O O O\nO O . O O\nO O O O O\n", Color::Black);
        let choice = choose(&mut player("settle=no,resign=0"), &position, 20);
        let told = choice.report.moves.first().map(|mv| (mv.mv, mv.visits > 0, mv.win_rate));
        assert_eq!(told, Some((Move::Pass, true, 0.0)));
    }

    /// Nearly all playouts begin with D1, so that all owners look decided; a pass would lose everything.
    #[test]
    fn no_pass_where_an_answer_is_needed() {
        let rows = "X X O O X . X\nX . X O O O X\n. X X O O X X\nX X O O X X X\nX X O X O O X\nX O O X O X X\nX O X . O . X\n";
        let position = position_of_rows(rows, Color::White);
        for playouts in [400, 2000] {
            let choice = choose(&mut player(""), &position, playouts);
            assert_eq!(
                choice.action,
                EngineAction::Move(position.size().parse_move("D1").unwrap()),
                "{playouts}"
            );
        }
    }

    /// What was found before the search of a move is not needed to pass, to resign, and to tell the score.
    #[test]
    fn a_known_tree_passes_and_resigns_too() {
        let rows = ". . X O O\n. X X O .\n. . X O O\nX . X O .\n. . X O O\n";
        let mut position = position_of_rows(rows, Color::Black);
        position.set_komi(0.5).unwrap();
        let mut knowing = player("");
        choose(&mut knowing, &position, 5000);
        let choice = choose(&mut knowing, &position, 5000);
        assert_eq!(choice.action, EngineAction::Move(Move::Pass));
        assert!(choice.report.score > 3.0, "{}", choice.report.score);
        position.play(Color::Black, Move::Pass).unwrap();
        assert_eq!(
            choose(&mut player("preset=strong,playouts=40"), &position, 40).action,
            EngineAction::Resign
        );
        let mut game = position_of_rows(rows, Color::White);
        game.set_komi(0.5).unwrap();
        game.play(Color::White, Move::Pass).unwrap();
        let choice = choose(&mut player("playouts=5"), &game, 5);
        assert_eq!(choice.action, EngineAction::Move(Move::Pass), "what stands wins");
    }

    /// Six stones on 9x9 are no reason to give up, whatever komi the search makes up.
    #[test]
    fn nobody_resigns_with_a_handicap() {
        let mut position = position(9);
        let points = ishi_go::handicap::fixed_placement(position.size(), 6).unwrap();
        position.place_handicap(&points).unwrap();
        play(&mut position, "A1");
        let choice = choose(&mut player(""), &position, 300);
        assert_ne!(choice.action, EngineAction::Resign);
        assert!(choice.report.score > 0.0, "{}", choice.report.score);
    }

    /// The search gives White points that the game does not: what it tells are chances of the game.
    #[test]
    fn win_rates_of_a_handicap_game_are_those_of_its_own_komi() {
        let mut position = position(9);
        let points = ishi_go::handicap::fixed_placement(position.size(), 4).unwrap();
        position.place_handicap(&points).unwrap();
        let white_by_search = |spec: &str| {
            let mut player = player(spec);
            let report = choose(&mut player, &position, 400).report;
            assert!(report.moves.iter().all(|told| told.lower_bound <= told.win_rate), "{spec}");
            (report.win_rate, 1.0 - player.black_win_rate.unwrap())
        };
        let (told, searched) = white_by_search("settle=no");
        assert!(told < searched, "{told} is told, {searched} is searched");
        let (told, searched) = white_by_search("settle=no,komi=off");
        assert!((told - searched).abs() < 1e-9, "{told} is told, {searched} is searched");
    }

    #[test]
    fn bounds_lie_as_far_below_the_win_rate_of_the_game() {
        assert_eq!(real_win_rates([0.75, 0.5], None), [0.75, 0.5]);
        assert_eq!(real_win_rates([0.75, 0.5], Some(0.5)), [0.5, 0.25]);
        assert_eq!(real_win_rates([0.75, 0.5], Some(0.125)), [0.125, 0.0]);
    }

    /// On a tiny board a lead in stones is no win yet: mercy waits for more than komi.
    #[test]
    fn mercy_knows_komi() {
        let position = position(3);
        let choice = choose(&mut player("settle=no,resign=0"), &position, 500);
        assert_eq!(choice.action, EngineAction::Move(position.size().parse_move("B2").unwrap()));
        assert!(choice.report.win_rate > 0.5, "the centre wins the whole board: {}", choice.report.win_rate);
    }

    /// Where nobody takes dead stones off, two passes leave them where they are, proved dead or not.
    #[test]
    fn what_is_dead_is_taken_where_it_counts_otherwise() {
        let rows = ". . . . . . .\n. . . . . . .\nO O O O O . .\nX X X X O . .\n. . X X O . .\n";
        let mut game = position_of_rows(rows, Color::Black);
        game.set_rules(Rules::TROMP_TAYLOR);
        // White leads by 19 points as it stands, by 35 without the corner.
        game.set_komi(-25.0).unwrap();
        game.play(Color::Black, Move::Pass).unwrap();
        let choice = choose(&mut player("proofs=10000,resign=0,settle=no"), &game, 500);
        assert_ne!(choice.action, EngineAction::Move(Move::Pass), "{:?}", choice.report.moves);
    }

    #[test]
    fn threads_search_one_tree() {
        let choice = choose(&mut player("threads=3,settle=no"), &position(7), 300);
        assert_eq!(choice.report.playouts, 300);
    }

    /// A chain that can be taken is taken, and a hopeless game is given up.
    #[test]
    fn it_takes_what_is_there_and_gives_up_what_is_lost() {
        let mut game = position(5);
        play(&mut game, "C3 C4 D4 B3 B4 D3 pass C2");
        let choice = choose(&mut player("resign=0"), &game, 300);
        assert!(choice.report.win_rate < 0.9);
        let lost = position_of_rows("O O O O O\n. O O O O\nO O O O O\nO O . O X\nO O O . .\n", Color::Black);
        assert_eq!(choose(&mut player("settle=no"), &lost, 300).action, EngineAction::Resign);
    }
}
