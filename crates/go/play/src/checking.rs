//! Games of the program against itself with all checks on: whatever is kept must be what is found from scratch, and a look-ahead that
//! is taken back must leave no trace.

use ishi_go::{Board, BoardSize, Chain, Color, Move, Point, Position, Rules, handicap, zobrist};
use ishi_knowledge::check::{self, Mismatch};
use ishi_knowledge::{Analysis, Chains, Keeper, NoOracle, Style, rules};
use ishi_rng::Seed;
use ishi_work::Stop;
use serde::{Serialize, Serializer};

use crate::go_mcts::{MctsPlayer, presets};
use crate::tactics::Tactics;
use ishi_engine::{Control, Engine, EngineAction, SearchLimits};

/// Sides of the boards, in turn.
const SIDES: [usize; 3] = [9, 13, 19];
/// Checks after which groups are also put to an oracle, which takes longer.
const ORACLE_EVERY: usize = 8;
/// Playouts of that oracle.
const ORACLE_PLAYOUTS: u64 = 50;

/// A game to be played: board, handicap and levels follow from its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CheckGame {
    /// Its number, from 0.
    pub number: u64,
    /// Lines of the board.
    pub size: BoardSize,
    /// Handicap stones, 0 to 9; 1 is Black's first move without komi.
    pub handicap: usize,
    /// Levels of Black and White.
    pub levels: [u32; 2],
}

impl CheckGame {
    /// Boards of 9, 13 and 19 lines, handicaps 0 to 9 and the levels 1 to 5 in all combinations, one after another.
    pub fn from_number(number: u64) -> CheckGame {
        let index = number as usize;
        let side = SIDES[index % SIDES.len()];
        let level = |n: usize| (n % 5) as u32 + 1;
        CheckGame {
            number,
            size: BoardSize::square(side).expect("a size"),
            handicap: index % 10,
            levels: [level(index / 2), level(index / 7 + 2)],
        }
    }
}

/// How much is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckParams {
    /// After every so many moves all levels are checked; chains, hash and taking back after each.
    pub every: usize,
    /// Moves that a look-ahead plays and takes back.
    pub ahead: usize,
    /// Playouts of a move at most.
    pub playouts: u64,
    /// How positions are judged.
    pub style: Style,
}

impl Default for CheckParams {
    fn default() -> Self {
        CheckParams { every: 10, ahead: 3, playouts: 40, style: Style::ishi() }
    }
}

/// What a game has shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CheckedGame {
    /// Moves played.
    pub moves: usize,
    /// Positions in which all levels were checked.
    pub checked: usize,
    /// What differed, with the number of the move after which it did.
    #[serde(serialize_with = "serialize_differences")]
    pub differences: Vec<(usize, Mismatch)>,
    /// Was it stopped before its end?
    #[serde(rename = "broken_off")]
    pub is_stopped: bool,
}

impl CheckedGame {
    /// What differed, in words.
    pub fn difference_texts(&self) -> impl Iterator<Item = String> {
        difference_texts(&self.differences)
    }
}

fn difference_texts(differences: &[(usize, Mismatch)]) -> impl Iterator<Item = String> {
    differences.iter().map(|(number, difference)| format!("after move {number}: {difference}"))
}

fn serialize_differences<S: Serializer>(
    differences: &[(usize, Mismatch)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(difference_texts(differences))
}

/// Plays a game and checks it on the way. The same game, parameters and seed give the same result.
pub fn play_checked_game(
    game: CheckGame,
    params: &CheckParams,
    seed: Seed,
    stop: &(dyn Stop + Sync),
) -> CheckedGame {
    let seed = seed.child_seed("check", game.number);
    let mut position = start_position(game);
    let mut players = game.levels.map(|level| level_player(level, params));
    players.iter_mut().zip(0..).for_each(|(player, n)| player.set_seed(seed.child_seed("player", n)));
    let mut checker = GameChecker::new(&position, *params, seed);
    let most = game.size.area() * 2;
    while !position.is_over() && position.moves().len() < most {
        if stop.is_requested() {
            checker.result.is_stopped = true;
            break;
        }
        let color = position.to_move();
        let mut nobody = |_: &_| {};
        let limits = SearchLimits { playouts: Some(params.playouts), ..SearchLimits::default() };
        let mut control = Control { stop, may_resign: false, ..Control::with_limits(limits, &mut nobody) };
        let choice = players[color.index()].choose(&position, color, &mut control);
        let EngineAction::Move(mv) = choice.action else { break };
        if let Err(error) = position.play(color, mv) {
            checker.note_mismatch("move", &position, [error.to_string(), "a legal move".to_string()]);
            break;
        }
        checker.check_after_move(&mut position, color, mv);
    }
    checker.result.moves = position.moves().len();
    checker.result
}

fn start_position(game: CheckGame) -> Position {
    let mut position = Position::new(game.size, Rules::CHINESE);
    if let Ok(points) = handicap::fixed_placement(game.size, game.handicap) {
        position.place_handicap(&points).expect("an empty board");
    }
    if game.handicap == 1 {
        position.set_komi(0.5).expect("a komi");
    }
    position
}

fn level_player(level: u32, params: &CheckParams) -> MctsPlayer {
    let mut search = presets::params_of_level(level);
    search.playouts = search.playouts.min(params.playouts);
    search.threads = 1;
    MctsPlayer::new(search, Seed::new(0))
}

/// What is kept through a game.
struct GameChecker {
    params: CheckParams,
    board: Board,
    chains: Chains,
    keeper: Keeper,
    seed: Seed,
    result: CheckedGame,
}

impl GameChecker {
    fn new(position: &Position, params: CheckParams, seed: Seed) -> GameChecker {
        GameChecker {
            params,
            board: position.board().clone(),
            chains: Chains::from_board(position.board()),
            keeper: Keeper::with_style(params.style).with_checking(),
            seed,
            result: CheckedGame::default(),
        }
    }

    fn note_mismatch(&mut self, part: &'static str, position: &Position, values: [String; 2]) {
        let found = Mismatch { part, hash: position.board().hash(), values };
        self.result.differences.push((position.moves().len(), found));
    }

    fn check_after_move(&mut self, position: &mut Position, color: Color, mv: Move) {
        self.board.play_observed(color, mv, &mut self.chains);
        self.check_board(position);
        if position.moves().len().is_multiple_of(self.params.every.max(1)) {
            self.check_levels(position);
        }
    }

    /// The board of the game, that which was only played on, and what follows from the stones alone.
    fn check_board(&mut self, position: &Position) {
        let (ours, game) = (&self.board, position.board());
        let hash = hash_of_stones(game);
        let hashes = [("board", ours.hash(), game.hash()), ("hash", game.hash(), hash)];
        let ko = (ours.ko_point(), game.ko_point());
        for (part, a, b) in hashes {
            if a != b {
                self.note_mismatch(part, position, [a, b].map(|hash| format!("{hash:016x}")));
            }
        }
        if ko.0 != ko.1 {
            self.note_mismatch("ko", position, [ko.0, ko.1].map(|point| format!("{point:?}")));
        }
        if self.chains != Chains::from_board(position.board()) {
            self.note_mismatch("chains", position, ["followed".to_string(), "from scratch".to_string()]);
        }
        if let Some(chain) = wrong_liberties(position.board()) {
            self.note_mismatch("liberties", position, [chain.head().to_string(), "counted".to_string()]);
        }
    }

    fn check_levels(&mut self, position: &mut Position) {
        let (count, ahead) = (self.result.checked, self.params.ahead);
        let mut rng = self.seed.stream("ahead", position.moves().len() as u64);
        let choose = |position: &Position, analysis: &Analysis| {
            let legal = |mv: &Move| position.is_legal(position.to_move(), *mv);
            let suggested = rules::suggest_moves(position, analysis);
            let best = &suggested[..suggested.len().min(5)];
            rng.choose(best).map(|suggestion| Move::Play(suggestion.mv)).filter(legal)
        };
        let mut found = if count.is_multiple_of(ORACLE_EVERY) {
            let mut oracle = Tactics::new(self.seed).with_playouts(ORACLE_PLAYOUTS);
            check::check_look_ahead(position, &mut self.keeper, &mut oracle, ahead, choose)
        } else {
            check::check_look_ahead(position, &mut self.keeper, &mut NoOracle, ahead, choose)
        };

        found.extend(self.keeper.take_differences());
        let number = position.moves().len();
        self.result.differences.extend(found.into_iter().map(|difference| (number, difference)));
        self.result.checked += 1;
    }
}

/// The hash that follows from the stones.
fn hash_of_stones(board: &Board) -> u64 {
    let key = |point: Point| board.color(point).map_or(0, |color| zobrist::stone_key(color, point));
    board.size().points().map(key).fold(0, |hash, key| hash ^ key)
}

/// A chain whose atari the board sees otherwise than one counts.
fn wrong_liberties(board: &Board) -> Option<Chain> {
    board.chains().into_iter().find(|&chain| {
        let counted = board.chain_liberties(chain);
        board.atari_liberty(chain) != counted.first().copied().filter(|_| counted.len() == 1)
    })
}
