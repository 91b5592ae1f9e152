//! Matches of Go.

use std::collections::BTreeMap;
use std::time::Duration;

use ishi_engine::catalog::{CatalogError, Entry};
use ishi_engine::{Engine, Go};
use ishi_go::{Board, Cell, Color, Move, Point, Position, Rules, playout};
use ishi_go_play::catalog;
use ishi_rng::{Rng, Seed};
use ishi_sgf::{Action, Collection, GameBuilder, GoGame};

use super::{Judge, MatchGame, Settings};
use crate::clock::{GameClock, TimeControl};
use crate::external::Program;
use crate::opening::OpeningError;
use crate::pair::PairTask;
use crate::player::Fault;
use crate::record::{GameRecord, Reason};
use crate::referee::{Referee, RefereeSpec};
use crate::settings::GameSettings;

impl Settings for GameSettings {
    type Game = Go;

    fn start(&self) -> Result<Position, String> {
        GameSettings::start(self)
    }

    fn facts(&self) -> BTreeMap<String, String> {
        GameSettings::facts(self)
    }

    fn playouts(&self) -> Option<u64> {
        self.playouts
    }

    fn time(&self) -> &TimeControl {
        &self.time
    }

    fn timeout(&self) -> Duration {
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
    const PLAYERS: &'static [Entry] = &catalog::ENTRIES;
    const OPENING_EXAMPLE: &'static str = "E5 C3";
    type Settings = GameSettings;
    type Referee = RefereeSpec;

    fn create(spec: &str, seed: Seed) -> Result<Box<dyn Engine>, CatalogError> {
        catalog::create(spec, seed)
    }

    fn color(color: Color) -> Color {
        color
    }

    fn to_move(position: &Position) -> Color {
        position.to_move()
    }

    fn is_over(position: &Position) -> bool {
        position.is_over()
    }

    fn moves(position: &Position) -> Vec<(Color, Move)> {
        position.moves().to_vec()
    }

    fn play(position: &mut Position, color: Color, mv: Move) -> Result<(), String> {
        position.play(color, mv).map(drop).map_err(|error| error.to_string())
    }

    fn forced(_: &Position) -> Option<Move> {
        None
    }

    /// A lead of so many stones on the board.
    fn mercy(settings: &GameSettings, position: &Position) -> Option<Color> {
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

    fn budget(settings: &GameSettings, position: &Position, clock: &GameClock) -> Option<Duration> {
        let (area, played) = (position.size().area(), position.moves().len());
        settings.time.system.budget(clock.left()?, area, played)
    }

    fn parse_move(settings: &GameSettings, text: &str) -> Result<Move, String> {
        settings.size.parse_move(text).map_err(|error| error.to_string())
    }

    /// Vertices with spaces between.
    fn parse_opening(settings: &GameSettings, line: &str) -> Result<Vec<Move>, String> {
        line.split_whitespace().map(|word| Go::parse_move(settings, word)).collect()
    }

    fn sgf_openings(bytes: &[u8], settings: &GameSettings) -> Result<Vec<(String, Vec<Move>)>, OpeningError> {
        let reading = ishi_sgf::read(bytes).map_err(|error| OpeningError::new("SGF", error))?;
        let mut list = Vec::new();
        for (number, tree) in reading.collection.games.iter().enumerate() {
            let place = format!("game {}", number + 1);
            let game = GoGame::read(tree).map_err(|error| OpeningError::new(&place, error))?;
            let moves = moves_of(&game, settings).map_err(|error| OpeningError::new(&place, error))?;
            list.push((place, moves));
        }
        Ok(list)
    }

    fn random_opening(length: usize, settings: &GameSettings, seed: Seed) -> Vec<Move> {
        let Ok(start) = settings.start() else { return Vec::new() };
        let candidate = |number: u64| {
            let position = random_moves(start.clone(), length, &mut seed.stream("candidate", number));
            let bias = bias(&position, &mut seed.stream("balance", number));
            (bias, position)
        };
        let best = (0..CANDIDATES).map(candidate).min_by_key(|(bias, _)| *bias);
        best.map_or(Vec::new(), |(_, position)| position.moves().iter().map(|&(_, mv)| mv).collect())
    }

    fn set_up(
        program: &mut Program,
        settings: &GameSettings,
        position: &Position,
        seed: Seed,
    ) -> Result<(), Fault> {
        program.client.boardsize(settings.size).map_err(|error| program.fault_of(&error))?;
        program.ask("clear_board")?;
        set_rules(program, &settings.rules)?;
        // After the rules, which may bring a komi of their own.
        program.ask(&format!("komi {}", settings.komi))?;
        program.set_seed(seed)?;
        let stones: Vec<Point> = position.setup().iter().map(|&(_, point)| point).collect();
        place_handicap(program, &stones)
    }

    fn may_refuse(_: Move) -> bool {
        false
    }

    fn judge(referee: &RefereeSpec) -> Box<dyn Judge<Go>> {
        Box::new(Referee::new(referee.clone()))
    }

    fn to_sgf(record: &GameRecord, task: &PairTask, number: usize) -> String {
        let settings = &task.settings;
        let mut game = GameBuilder::new(settings.size);
        game.application("ishi", env!("CARGO_PKG_VERSION"));
        for color in Color::ALL {
            game.player(color, &task.contestants[record.contestant(color)].name);
        }
        game.komi(settings.komi).rules(&settings.rules.to_string()).result(record.result);
        game.round(&format!("pair {}, game {}", task.index + 1, number + 1));
        if let Ok(start) = settings.start() {
            let stones: Vec<_> = start.setup().iter().map(|&(_, point)| point).collect();
            if !stones.is_empty() {
                game.handicap(settings.handicap as u32).setup(Color::Black, &stones);
                game.to_play(Color::White);
            }
        }
        for (index, &(color, mv)) in record.moves.iter().enumerate() {
            game.play(color, mv);
            if index + 1 == record.opening {
                game.comment("end of the opening");
            }
        }
        if record.reason != Reason::Score && record.reason != Reason::Resign || !record.detail.is_empty() {
            game.comment(format!("{}: {}", record.reason, record.detail).trim_end_matches([':', ' ']));
        }
        Collection::of(game.finish()).to_sgf()
    }
}

/// The moves of a record, which must be a game from an empty board (or from the match's handicap stones).
fn moves_of(game: &GoGame, settings: &GameSettings) -> Result<Vec<Move>, String> {
    if game.size != settings.size {
        return Err(format!("its board is {}, the match is played on {}", game.size, settings.size));
    }
    let mut color = settings.start()?.to_move();
    let mut moves = Vec::new();
    for action in game.actions() {
        match action {
            Action::Setup(setup)
                if settings.handicap == 0 && !(setup.black.is_empty() && setup.white.is_empty()) =>
            {
                return Err("it sets up stones: openings are made of moves".to_string());
            }
            Action::Setup(_) => {}
            Action::Play(played) if played.color != color => {
                return Err(format!("move {} is by {}, expected {color}", moves.len() + 1, played.color));
            }
            Action::Play(played) => {
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
fn random_moves(mut position: Position, length: usize, rng: &mut Rng) -> Position {
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
fn bias(position: &Position, rng: &mut Rng) -> u32 {
    let board: &Board = position.board();
    let mut scratch = board.clone();
    let mut balance = 0_i32;
    for _ in 0..PLAYOUTS {
        scratch.copy_from(board);
        let lead =
            playout::uniform(&mut scratch, position.to_move(), playout::default_limit(board), rng).score;
        let winner = (f64::from(lead) - position.white_bonus()).partial_cmp(&0.0);
        balance += winner.map_or(0, |order| order as i32);
    }
    balance.unsigned_abs()
}

/// Programs that know no rules by name play by those they were started with.
fn set_rules(program: &mut Program, rules: &Rules) -> Result<(), Fault> {
    let Some(name) = rules.name() else { return Ok(()) };
    if !program.offer("kata-set-rules", name)? {
        program.offer("kgs-rules", &name.replace('-', "_"))?;
    }
    Ok(())
}

fn place_handicap(program: &mut Program, stones: &[Point]) -> Result<(), Fault> {
    if stones.is_empty() {
        return Ok(());
    }
    let vertices: Vec<String> = stones.iter().map(Point::to_string).collect();
    if program.offer("set_free_handicap", &vertices.join(" "))? {
        return Ok(());
    }
    vertices.iter().try_for_each(|vertex| program.ask(&format!("play black {vertex}")).map(drop))
}
