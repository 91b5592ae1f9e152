//! Matches of Go.

use std::collections::BTreeMap;
use std::time::Duration;

use ishi_engine::catalog::{CatalogEntry, CatalogError};
use ishi_engine::clock::{GameClock, TimeControl};
use ishi_engine::{Engine, Go};
use ishi_go::{Board, Cell, Color, Move, Point, Position, Rules, playout};
use ishi_go_play::catalog;
use ishi_rng::{Rng, Seed};
use ishi_sgf::{Collection, GameBuilder, GoGame, ReplayAction};

use super::{GameJudge, MatchGame, MatchSettings};
use crate::external::Program;
use crate::opening::OpeningError;
use crate::pair::PairTask;
use crate::player::PlayerFault;
use crate::record::{EndReason, GameRecord};
use crate::referee::{Referee, RefereeSpec, asks_for_seki};
use crate::settings::GoMatchSettings;

impl MatchSettings for GoMatchSettings {
    type Game = Go;

    fn start_position(&self) -> Result<Position, String> {
        GoMatchSettings::start_position(self)
    }

    fn facts(&self) -> BTreeMap<String, String> {
        GoMatchSettings::facts(self)
    }

    fn playouts(&self) -> Option<u64> {
        self.playouts
    }

    fn time_control(&self) -> &TimeControl {
        &self.time
    }

    fn answer_timeout(&self) -> Duration {
        self.timeout
    }

    fn may_resign(&self) -> bool {
        self.resign
    }

    fn move_limit(&self) -> usize {
        self.move_limit
    }
}

impl MatchGame for Go {
    const TITLE: &'static str = "Go";
    const PLAYERS: &'static [CatalogEntry] = &catalog::ENTRIES;
    const OPENING_EXAMPLE: &'static str = "E5 C3";
    type Settings = GoMatchSettings;
    type Referee = RefereeSpec;

    fn create_engine(spec: &str, seed: Seed) -> Result<Box<dyn Engine>, CatalogError> {
        catalog::create_go_player(spec, seed)
    }

    fn engine_color(color: Color) -> Color {
        color
    }

    fn to_move(position: &Position) -> Color {
        position.to_move()
    }

    fn is_over(position: &Position) -> bool {
        position.is_over()
    }

    fn played_moves(position: &Position) -> Vec<(Color, Move)> {
        position.moves().to_vec()
    }

    fn play_move(position: &mut Position, color: Color, mv: Move) -> Result<(), String> {
        position.play(color, mv).map(drop).map_err(|error| error.to_string())
    }

    fn forced_move(_: &Position) -> Option<Move> {
        None
    }

    /// A lead of so many stones on the board.
    fn mercy_winner(settings: &GoMatchSettings, position: &Position) -> Option<Color> {
        let lead = settings.mercy?;
        let board = position.board();
        let stones =
            |color: Color| board.size().points().filter(|&p| board.cell(p) == Cell::from(color)).count();
        let (black, white) = (stones(Color::Black), stones(Color::White));
        if black.abs_diff(white) < lead {
            return None;
        }
        Some(if black > white { Color::Black } else { Color::White })
    }

    fn move_time(_: &GoMatchSettings, position: &Position, clock: &GameClock) -> Option<Duration> {
        let (area, played) = (position.size().area(), position.moves().len());
        clock.budget_for_move(area, played)
    }

    fn parse_move(settings: &GoMatchSettings, text: &str) -> Result<Move, String> {
        settings.size.parse_move(text).map_err(|error| error.to_string())
    }

    /// Vertices with spaces between.
    fn parse_opening(settings: &GoMatchSettings, line: &str) -> Result<Vec<Move>, String> {
        line.split_whitespace().map(|word| Go::parse_move(settings, word)).collect()
    }

    fn read_sgf_openings(
        bytes: &[u8],
        settings: &GoMatchSettings,
    ) -> Result<Vec<(String, Vec<Move>)>, OpeningError> {
        let reading = ishi_sgf::read_collection(bytes).map_err(|error| OpeningError::new("SGF", error))?;
        let mut list = Vec::new();
        for (number, tree) in reading.collection.games.iter().enumerate() {
            let place = format!("game {}", number + 1);
            let game = GoGame::read_main_line(tree).map_err(|error| OpeningError::new(&place, error))?;
            let moves = opening_moves(&game, settings).map_err(|error| OpeningError::new(&place, error))?;
            list.push((place, moves));
        }
        Ok(list)
    }

    fn random_opening(length: usize, settings: &GoMatchSettings, seed: Seed) -> Vec<Move> {
        let Ok(start) = settings.start_position() else { return Vec::new() };
        let candidate = |number: u64| {
            let position = play_random_moves(start.clone(), length, &mut seed.stream("candidate", number));
            let bias = playout_bias(&position, &mut seed.stream("balance", number));
            (bias, position)
        };
        let best = (0..CANDIDATES).map(candidate).min_by_key(|(bias, _)| *bias);
        best.map_or(Vec::new(), |(_, position)| position.moves().iter().map(|&(_, mv)| mv).collect())
    }

    fn set_up_program(
        program: &mut Program,
        settings: &GoMatchSettings,
        position: &Position,
        seed: Seed,
    ) -> Result<(), PlayerFault> {
        program.client.boardsize(settings.size).map_err(|error| program.fault_from_error(&error))?;
        program.ask("clear_board")?;
        set_rules(program, &settings.rules)?;
        // After the rules, which may bring a komi of their own.
        program.ask(&format!("komi {}", settings.komi))?;
        program.set_seed(seed)?;
        let stones: Vec<Point> = position.setup_stones().iter().map(|&(_, point)| point).collect();
        place_handicap(program, &stones)
    }

    fn may_refuse(_: Move) -> bool {
        false
    }

    fn is_own_referee(referee: &RefereeSpec) -> bool {
        referee.command().is_none()
    }

    fn describe_referee(referee: &RefereeSpec, settings: &GoMatchSettings) -> String {
        let also =
            if referee.command().is_some() && asks_for_seki(settings) { ", asked for sekis" } else { "" };
        format!("{referee:#}{also}")
    }

    fn create_judge(referee: &RefereeSpec) -> Box<dyn GameJudge<Go>> {
        Box::new(Referee::new(referee.clone()))
    }

    fn to_sgf(record: &GameRecord, task: &PairTask, number: usize) -> String {
        let settings = &task.settings;
        let mut game = GameBuilder::new(settings.size);
        game.set_application("ishi", env!("CARGO_PKG_VERSION"));
        for color in Color::ALL {
            game.set_player(color, &task.contestants[record.contestant(color)].name);
        }
        game.set_komi(settings.komi).set_rules(&settings.rules.to_string()).set_result(record.result);
        game.set_round(&format!("pair {}, game {}", task.index + 1, number + 1));
        if let Ok(start) = settings.start_position() {
            let stones: Vec<_> = start.setup_stones().iter().map(|&(_, point)| point).collect();
            if !stones.is_empty() {
                game.set_handicap(settings.handicap as u32).add_setup(Color::Black, &stones);
                game.set_to_play(Color::White);
            }
        }
        for (index, &(color, mv)) in record.moves.iter().enumerate() {
            game.add_move(color, mv);
            if index + 1 == record.opening {
                game.add_comment("end of the opening");
            }
        }
        if record.reason != EndReason::Score && record.reason != EndReason::Resign
            || !record.detail.is_empty()
        {
            game.add_comment(format!("{}: {}", record.reason, record.detail).trim_end_matches([':', ' ']));
        }
        Collection::from_game(game.into_tree()).to_sgf()
    }
}

/// The moves of a record, which must be a game from an empty board (or from the match's handicap stones).
fn opening_moves(game: &GoGame, settings: &GoMatchSettings) -> Result<Vec<Move>, String> {
    if game.size != settings.size {
        return Err(format!("its board is {}, the match is played on {}", game.size, settings.size));
    }
    let mut color = settings.start_position()?.to_move();
    let mut moves = Vec::new();
    for action in game.replay_actions() {
        match action {
            ReplayAction::Setup(setup)
                if settings.handicap == 0 && !(setup.black.is_empty() && setup.white.is_empty()) =>
            {
                return Err("it sets up stones: openings are made of moves".to_string());
            }
            ReplayAction::Setup(_) => {}
            ReplayAction::Play(played) if played.color != color => {
                return Err(format!("move {} is by {}, expected {color}", moves.len() + 1, played.color));
            }
            ReplayAction::Play(played) => {
                moves.push(played.mv);
                color = !color;
            }
        }
    }
    Ok(moves)
}

/// Candidates for a random opening; the one that random playouts find the most balanced is taken.
const CANDIDATES: u64 = 12;

/// Playouts for a candidate: a standard error of 6 %, enough to tell the balanced from the decided.
const PLAYOUTS: u32 = 64;

/// Plays sensible moves (no own eyes filled, no suicide) while there are any.
fn play_random_moves(mut position: Position, length: usize, rng: &mut Rng) -> Position {
    for _ in 0..length {
        let color = position.to_move();
        let mut points = position.legal_moves(color);
        points.retain(|&point| position.board().is_sensible(color, point));
        let Some(&point) = rng.choose(&points) else { break };
        if position.play(color, Move::Play(point)).is_err() {
            break;
        }
    }
    position
}

/// How far from even random playouts find the position: wins of one side less those of the other.
fn playout_bias(position: &Position, rng: &mut Rng) -> u32 {
    let board: &Board = position.board();
    let mut scratch = board.clone();
    let mut balance = 0_i32;
    for _ in 0..PLAYOUTS {
        scratch.copy_from(board);
        let lead = playout::play_random_playout(
            &mut scratch,
            position.to_move(),
            playout::default_move_limit(board),
            rng,
        )
        .score;
        let winner = (f64::from(lead) - position.white_bonus()).partial_cmp(&0.0);
        balance += winner.map_or(0, |order| order as i32);
    }
    balance.unsigned_abs()
}

/// Programs that know no rules by name play by those they were started with.
fn set_rules(program: &mut Program, rules: &Rules) -> Result<(), PlayerFault> {
    let Some(name) = rules.preset_name() else { return Ok(()) };
    if !program.offer_command("kata-set-rules", name)? {
        program.offer_command("kgs-rules", &name.replace('-', "_"))?;
    }
    Ok(())
}

fn place_handicap(program: &mut Program, stones: &[Point]) -> Result<(), PlayerFault> {
    if stones.is_empty() {
        return Ok(());
    }
    let vertices: Vec<String> = stones.iter().map(Point::to_string).collect();
    if program.offer_command("set_free_handicap", &vertices.join(" "))? {
        return Ok(());
    }
    vertices.iter().try_for_each(|vertex| program.ask(&format!("play black {vertex}")).map(drop))
}
