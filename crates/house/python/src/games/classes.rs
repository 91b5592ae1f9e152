//! What Python sees of the games.

use std::sync::Arc;

use ishi_go::BoardSize;
use ishi_rng::Seed;
use numpy::{AllowTypeChange, PyArrayLike1};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::batch::GameBatch;
use super::go::{GoSettings, SpielGo};
use super::othello::SpielOthello;
use super::{SpielPosition, TERMINAL_PLAYER};
use crate::records::RecordArgument;
use crate::values::{array_values, check_threads, failed, invalid, read_optional_float, shaped_array};
use crate::whole;

/// Go, with what is agreed before a game.
///
/// GoGame(board_size=19, *, komi=None, handicap=0, max_game_length=None, rules="open-spiel")
///
/// board_size: lines, or a text such as "19x7", 2 to 25 each way. komi: points for White, 7.5 under most rules. handicap: Black's stones on
/// star points. max_game_length: so many actions end the game, twice the board's points if not given. rules: "open-spiel" (area, no suicide,
/// simple ko, a repeated position is a draw), or chinese, japanese, tromp-taylor, aga, new-zealand. ValueError names the argument that is wrong.
#[pyclass(module = "ishi", frozen)]
pub(crate) struct GoGame {
    settings: Arc<GoSettings>,
}

/// A game of Go in progress, in OpenSpiel's terms. Made by GoGame.new_initial_state() or GoGame.from_sgf(). It can be copied and pickled.
#[pyclass(module = "ishi")]
pub(crate) struct GoState {
    pub(crate) inner: SpielGo,
}

/// Many games of Go at once. Made by GoGame.new_batch(). It cannot be pickled: make one where it is used, or send its states.
#[pyclass(module = "ishi")]
pub(crate) struct GoBatch {
    inner: GameBatch<SpielGo>,
}

/// Othello.
#[pyclass(module = "ishi", frozen)]
pub(crate) struct OthelloGame;

/// A game of Othello in progress, in OpenSpiel's terms. Made by OthelloGame.new_initial_state() or OthelloGame.from_text(). It can be copied
/// and pickled.
#[pyclass(module = "ishi")]
pub(crate) struct OthelloState {
    pub(crate) inner: SpielOthello,
}

/// Many games of Othello at once. Made by OthelloGame.new_batch(). It cannot be pickled: make one where it is used, or send its states.
#[pyclass(module = "ishi")]
pub(crate) struct OthelloBatch {
    inner: GameBatch<SpielOthello>,
}

/// Lines of a board as a number or a text.
enum SizeArgument {
    Lines(usize),
    Text(String),
}

impl<'a, 'py> FromPyObject<'a, 'py> for SizeArgument {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<SizeArgument> {
        if let Ok(text) = given.extract::<String>() {
            return Ok(SizeArgument::Text(text));
        }
        given.extract::<usize>().map(SizeArgument::Lines).or_else(|error| {
            if error.is_instance_of::<PyOverflowError>(given.py()) {
                // As a text it is refused with the words of the command line.
                return Ok(SizeArgument::Text(whole::number_text(&given)));
            }
            Err(PyTypeError::new_err("a board's size must be a number of lines, or a text such as \"19x7\""))
        })
    }
}

impl SizeArgument {
    fn to_size(&self) -> PyResult<BoardSize> {
        match self {
            SizeArgument::Lines(lines) => BoardSize::square(*lines).map_err(invalid),
            SizeArgument::Text(text) => text.parse().map_err(invalid),
        }
    }
}

impl GoGame {
    fn start(&self) -> SpielGo {
        SpielGo::start(Arc::clone(&self.settings))
    }
}

#[pymethods]
impl GoGame {
    #[new]
    #[pyo3(signature = (board_size=SizeArgument::Lines(19), *, komi=None, handicap=0, max_game_length=None, rules="open-spiel"))]
    fn new(
        board_size: SizeArgument,
        #[pyo3(from_py_with = read_optional_float)] komi: Option<f64>,
        #[pyo3(from_py_with = whole::handicap)] handicap: usize,
        #[pyo3(from_py_with = whole::max_game_length)] max_game_length: Option<usize>,
        rules: &str,
    ) -> PyResult<GoGame> {
        let size = board_size.to_size()?;
        let settings = GoSettings::new(size, komi, handicap, max_game_length, rules).map_err(invalid)?;
        Ok(GoGame { settings: Arc::new(settings) })
    }

    /// The start of a game (GoState).
    fn new_initial_state(&self) -> GoState {
        GoState { inner: self.start() }
    }

    /// A position of a record (GoState): after `moves` of its main line, at its end if not given. `record` is SGF as text or bytes, `game` which
    /// game of it, from 1. Komi and rules are the record's. ValueError says what is wrong.
    #[staticmethod]
    #[pyo3(signature = (record, *, moves=None, game=1))]
    fn from_sgf(
        record: RecordArgument,
        #[pyo3(from_py_with = whole::moves)] moves: Option<usize>,
        #[pyo3(from_py_with = whole::game)] game: usize,
    ) -> PyResult<GoState> {
        let record = record.read_game(game)?;
        if let Some(moves) = moves {
            record.check_number(moves)?;
        }
        Ok(GoState { inner: SpielGo::from_record(&record.game, moves).map_err(invalid)? })
    }

    /// All that was agreed, as a text with a version and a checksum. GoGame.deserialize() makes the game of it again.
    fn serialize(&self) -> PyResult<String> {
        self.settings.serialize().map_err(failed)
    }

    /// The game (GoGame) of which serialize() gave this text. ValueError if the text is damaged, of another version, or keeps no game of Go.
    #[staticmethod]
    fn deserialize(text: &str) -> PyResult<GoGame> {
        Ok(GoGame { settings: Arc::new(GoSettings::deserialize(text).map_err(invalid)?) })
    }

    /// The state (GoState) of which serialize() gave this text. Rules and komi are those of that state. ValueError if the text is damaged, of
    /// another version, or keeps no state of Go.
    #[staticmethod]
    fn deserialize_state(text: &str) -> PyResult<GoState> {
        Ok(GoState { inner: SpielGo::deserialize(text).map_err(invalid)? })
    }

    /// `count` games at their start (GoBatch), 0 to 1000000, shared by `threads`. What comes out does not depend on the threads.
    /// ValueError if there is no memory for so many.
    #[pyo3(signature = (count, *, threads=1))]
    fn new_batch(
        &self,
        #[pyo3(from_py_with = whole::count)] count: usize,
        #[pyo3(from_py_with = whole::threads)] threads: usize,
    ) -> PyResult<GoBatch> {
        let inner = GameBatch::new(self.start(), count, check_threads(threads)?).map_err(invalid)?;
        Ok(GoBatch { inner })
    }

    /// Actions are numbers from 0 to one less than this: points row by row from A1, then the pass.
    fn num_distinct_actions(&self) -> usize {
        self.start().action_count()
    }

    /// Players: 0 is Black, 1 is White.
    fn num_players(&self) -> usize {
        2
    }

    /// What a player wins at most: 1.
    fn max_utility(&self) -> f64 {
        1.0
    }

    /// What a player wins at least: -1, which is a loss.
    fn min_utility(&self) -> f64 {
        -1.0
    }

    /// Planes, rows and columns: black stones, white stones, empty points, White to move.
    fn observation_tensor_shape(&self) -> [usize; 3] {
        self.start().tensor_shape()
    }

    /// So many actions end a game.
    fn max_game_length(&self) -> usize {
        self.settings.most_moves
    }

    /// OpenSpiel's own description of Go, which its searches and environments ask for. ImportError where OpenSpiel is not installed.
    fn get_type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        open_spiel_type(py, "go")
    }

    /// board_size, komi, handicap, max_game_length and rules as a dictionary.
    fn get_parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let parameters = PyDict::new(py);
        let settings = &self.settings;
        parameters.set_item("board_size", settings.size.to_string())?;
        parameters.set_item("komi", settings.komi)?;
        parameters.set_item("handicap", settings.handicap)?;
        parameters.set_item("max_game_length", settings.most_moves)?;
        parameters.set_item("rules", settings.rules_name())?;
        Ok(parameters)
    }

    // Nothing changes a game, so that it is its own copy.
    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'_, PyAny>) -> PyRef<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        Ok((py.get_type::<GoGame>().getattr("deserialize")?, (self.serialize()?,)))
    }

    fn __repr__(&self) -> String {
        format!("GoGame(\"{}\", komi={})", self.settings.size, self.settings.komi)
    }
}

#[pymethods]
impl OthelloGame {
    #[new]
    fn new() -> OthelloGame {
        OthelloGame
    }

    /// The start of a game (OthelloState).
    fn new_initial_state(&self) -> OthelloState {
        OthelloState { inner: SpielOthello::start() }
    }

    /// A position (OthelloState): a transcript such as "f5d6c3", or a board of 64 squares and the side to move. ValueError says what is wrong.
    #[staticmethod]
    fn from_text(text: &str) -> PyResult<OthelloState> {
        Ok(OthelloState { inner: SpielOthello::from_text(text).map_err(invalid)? })
    }

    /// The state (OthelloState) of which serialize() gave this text. ValueError if the text is damaged, of another version, or keeps no state of
    /// Othello.
    #[staticmethod]
    fn deserialize_state(text: &str) -> PyResult<OthelloState> {
        Ok(OthelloState { inner: SpielOthello::deserialize(text).map_err(invalid)? })
    }

    /// `count` games at their start (OthelloBatch), 0 to 1000000, shared by `threads`. What comes out does not depend on the threads.
    /// ValueError if there is no memory for so many.
    #[pyo3(signature = (count, *, threads=1))]
    fn new_batch(
        &self,
        #[pyo3(from_py_with = whole::count)] count: usize,
        #[pyo3(from_py_with = whole::threads)] threads: usize,
    ) -> PyResult<OthelloBatch> {
        let inner = GameBatch::new(SpielOthello::start(), count, check_threads(threads)?).map_err(invalid)?;
        Ok(OthelloBatch { inner })
    }

    /// 65: squares row by row from a1, then the pass.
    fn num_distinct_actions(&self) -> usize {
        SpielOthello::start().action_count()
    }

    /// Players: 0 is Black, 1 is White.
    fn num_players(&self) -> usize {
        2
    }

    /// What a player wins at most: 1.
    fn max_utility(&self) -> f64 {
        1.0
    }

    /// What a player wins at least: -1, which is a loss.
    fn min_utility(&self) -> f64 {
        -1.0
    }

    /// Planes, rows and columns: empty squares, own discs, the other's.
    fn observation_tensor_shape(&self) -> [usize; 3] {
        SpielOthello::start().tensor_shape()
    }

    /// No game has more actions, passes among them.
    fn max_game_length(&self) -> usize {
        128
    }

    /// OpenSpiel's own description of Othello, which its searches and environments ask for. ImportError where OpenSpiel is not installed.
    fn get_type<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        open_spiel_type(py, "othello")
    }

    // Nothing changes a game, so that it is its own copy.
    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'_, PyAny>) -> PyRef<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, Bound<'py, PyTuple>) {
        (py.get_type::<OthelloGame>(), PyTuple::empty(py))
    }

    fn __repr__(&self) -> &'static str {
        "OthelloGame()"
    }
}

/// What OpenSpiel says of its game of this name. Its programs compare that with constants of their own.
fn open_spiel_type<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("pyspiel")?.call_method1("load_game", (name,))?.call_method0("get_type")
}

/// A player of whom something is asked.
fn check_player(player: i64) -> PyResult<usize> {
    match player {
        0 => Ok(0),
        1 => Ok(1),
        _ => Err(invalid(format!("invalid player {player}: it must be 0 or 1"))),
    }
}

/// The player, or the one who is to move.
fn player_or_mover(player: Option<i64>, position: &impl SpielPosition) -> PyResult<usize> {
    player.map_or_else(|| Ok(position.mover()), check_player)
}

/// What pickle calls to make a thing again, and with which text.
pub(crate) type Reduced<'py> = (Bound<'py, PyAny>, (String,));

macro_rules! spiel_classes {
    ($Game:ident, $State:ident, $Batch:ident) => {
        #[pymethods]
        impl $State {
            /// Who is to move: 0, 1, or -4 in a finished game.
            fn current_player(&self) -> i8 {
                self.inner.current_player()
            }

            /// False: nothing in these games is left to chance.
            fn is_chance_node(&self) -> bool {
                false
            }

            /// The legal actions in ascending order; none in a finished game, and none of a player who is not to move. ValueError if there is no
            /// such player.
            #[pyo3(signature = (player=None))]
            fn legal_actions(
                &self,
                #[pyo3(from_py_with = whole::player)] player: Option<i64>,
            ) -> PyResult<Vec<i64>> {
                let to_move = i64::from(self.inner.current_player());
                match player {
                    Some(player) if player != to_move => check_player(player).map(|_| Vec::new()),
                    _ => Ok(self.inner.legal_actions()),
                }
            }

            /// Which actions are legal: bool [num_distinct_actions].
            fn legal_actions_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                let mut mask = vec![false; self.inner.action_count()];
                self.inner.mark_legal(&mut mask);
                let len = mask.len();
                shaped_array(py, mask, [len])
            }

            /// Plays an action. ValueError names the rule that forbids it; nothing is changed then.
            fn apply_action(&mut self, #[pyo3(from_py_with = whole::action)] action: i64) -> PyResult<()> {
                self.inner.apply_action(action).map_err(invalid)
            }

            /// The state after an action; this one stays as it is. ValueError names the rule that forbids it.
            fn child(&self, #[pyo3(from_py_with = whole::action)] action: i64) -> PyResult<$State> {
                let mut inner = self.inner.clone();
                inner.apply_action(action).map_err(invalid)?;
                Ok($State { inner })
            }

            /// Takes the last action back and gives it. ValueError at the start of the history.
            fn undo_action(&mut self) -> PyResult<i64> {
                self.inner.undo_action().ok_or_else(|| invalid("there is no action to take back"))
            }

            /// Is the game over?
            fn is_terminal(&self) -> bool {
                self.inner.is_terminal()
            }

            /// What each player has won: 1, -1, or 0 for a draw and a game that goes on.
            fn returns(&self) -> [f64; 2] {
                self.inner.returns()
            }

            /// What the last action has won each player: returns() at the end, and 0 before.
            fn rewards(&self) -> [f64; 2] {
                self.inner.returns()
            }

            /// What a player has won, as returns() has it. ValueError if there is no such player.
            fn player_return(&self, #[pyo3(from_py_with = whole::player)] player: i64) -> PyResult<f64> {
                Ok(self.inner.returns()[check_player(player)?])
            }

            /// Black's lead as if the game ended here, in points after komi (Go) or discs (Othello).
            fn lead(&self) -> f64 {
                self.inner.lead()
            }

            /// What a player sees: float32 [planes, rows, columns], of the side to move if no player is given. ValueError if there is no such player.
            #[pyo3(signature = (player=None))]
            fn observation_tensor<'py>(
                &self,
                py: Python<'py>,
                #[pyo3(from_py_with = whole::player)] player: Option<i64>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let player = player_or_mover(player, &self.inner)?;
                let mut planes = vec![0.0_f32; self.inner.tensor_len()];
                self.inner.write_observation(player, &mut planes);
                shaped_array(py, planes, self.inner.tensor_shape())
            }

            /// The actions so far.
            fn history(&self) -> Vec<i64> {
                self.inner.history()
            }

            /// The number of actions so far.
            fn move_number(&self) -> usize {
                self.inner.history().len()
            }

            /// An action in words: action_to_string(player, action), as OpenSpiel has it, or action_to_string(action) of the side to move.
            /// ValueError if there is no such action or player.
            #[pyo3(signature = (first, second=None, /))]
            fn action_to_string(
                &self,
                first: &Bound<'_, PyAny>,
                second: Option<&Bound<'_, PyAny>>,
            ) -> PyResult<String> {
                let (player, action) = match second {
                    Some(action) => (Some(whole::player::<i64>(first)?), action),
                    None => (None, first),
                };
                let player = player_or_mover(player, &self.inner)?;
                self.inner.action_text(player, whole::action::<i64>(action)?).map_err(invalid)
            }

            /// The action that a text names, such as "D4" or "pass". ValueError says what would be right.
            fn string_to_action(&self, text: &str) -> PyResult<i64> {
                self.inner.parse_action(text).map_err(invalid)
            }

            /// The same state once more; nothing that happens to one is seen by the other.
            fn clone(&self) -> $State {
                $State { inner: self.inner.clone() }
            }

            /// The whole state as a text with a version and a checksum: what the game began with, its rules and its actions. deserialize_state()
            /// of the game makes the state of it again.
            fn serialize(&self) -> PyResult<String> {
                self.inner.serialize().map_err(failed)
            }

            fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
                Ok((py.get_type::<$Game>().getattr("deserialize_state")?, (self.serialize()?,)))
            }

            fn __copy__(&self) -> $State {
                $State { inner: self.inner.clone() }
            }

            fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> $State {
                $State { inner: self.inner.clone() }
            }

            fn __str__(&self) -> String {
                self.inner.board_text()
            }

            fn __repr__(&self) -> String {
                let player = match self.inner.current_player() {
                    TERMINAL_PLAYER => "over".to_string(),
                    player => format!("player {player} to move"),
                };
                format!("<{} after {} actions, {player}>", stringify!($State), self.inner.history().len())
            }
        }

        #[pymethods]
        impl $Batch {
            fn __len__(&self) -> usize {
                self.inner.games.len()
            }

            /// A copy of one game. IndexError if there is none.
            fn state(&self, index: &Bound<'_, PyAny>) -> PyResult<$State> {
                let index = whole::game_index(index, self.inner.games.len())?;
                Ok($State { inner: self.inner.games[index].clone() })
            }

            /// Plays an action in each game: integers [games], -1 where the game is over. ValueError names the first that is wrong; nothing is
            /// played anywhere then.
            fn apply_actions(
                &mut self,
                py: Python<'_>,
                #[pyo3(from_py_with = whole::actions)] actions: PyArrayLike1<'_, i64, AllowTypeChange>,
            ) -> PyResult<()> {
                let actions = array_values(&actions);
                py.detach(|| self.inner.apply_actions(&actions)).map_err(invalid)
            }

            /// Which actions are legal in each game: bool [games, num_distinct_actions].
            fn legal_actions_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                let width = self.inner.games.first().map_or(0, SpielPosition::action_count);
                let mask = py.detach(|| self.inner.collect(width, false, |game, mask| game.mark_legal(mask)));
                shaped_array(py, mask, [self.inner.games.len(), width])
            }

            /// Who is to move in each game: int8 [games], -4 in finished ones.
            fn current_players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                let players =
                    py.detach(|| self.inner.collect(1, 0_i8, |game, one| one[0] = game.current_player()));
                shaped_array(py, players, [self.inner.games.len()])
            }

            /// Which games are over: bool [games].
            fn is_terminal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                let over =
                    py.detach(|| self.inner.collect(1, false, |game, one| one[0] = game.is_terminal()));
                shaped_array(py, over, [self.inner.games.len()])
            }

            /// What each player has won in each game: float64 [games, 2].
            fn returns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                let returns = py.detach(|| {
                    self.inner.collect(2, 0.0_f64, |game, two| two.copy_from_slice(&game.returns()))
                });
                shaped_array(py, returns, [self.inner.games.len(), 2])
            }

            /// What the side to move sees of each game: float32 [games, planes, rows, columns].
            fn observation_tensor<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                let Some(first) = self.inner.games.first() else {
                    return shaped_array(py, Vec::<f32>::new(), [0]);
                };
                let [planes, rows, columns] = first.tensor_shape();
                let numbers = py.detach(|| {
                    self.inner.collect(first.tensor_len(), 0.0_f32, |game, numbers| {
                        game.write_observation(game.mover(), numbers)
                    })
                });
                shaped_array(py, numbers, [self.inner.games.len(), planes, rows, columns])
            }

            /// Plays legal actions at random, each equally likely, to the end or `moves` in each game. Gives how many were played: int64 [games].
            /// Game i depends on `seed` and i alone. ValueError if a number is out of range.
            #[pyo3(signature = (*, seed=1, moves=None))]
            fn play_randomly<'py>(
                &mut self,
                py: Python<'py>,
                #[pyo3(from_py_with = whole::seed)] seed: u64,
                #[pyo3(from_py_with = whole::moves)] moves: Option<usize>,
            ) -> PyResult<Bound<'py, PyAny>> {
                let most = moves.unwrap_or(usize::MAX);
                let batch = &mut self.inner;
                let played = py.detach(|| batch.play_randomly(Seed::new(seed), most));
                let games = played.len();
                shaped_array(py, played, [games])
            }

            /// Begins games again: those at the given indices, or where a bool array [games] is true, or all. IndexError if there is no such game,
            /// ValueError if the array is of another length; nothing is changed then.
            #[pyo3(signature = (games=None))]
            fn reset(&mut self, games: Option<Bound<'_, PyAny>>) -> PyResult<()> {
                let count = self.inner.games.len();
                let wanted = match games {
                    None => (0..count).collect(),
                    Some(games) => wanted_games(&games, count)?,
                };
                self.inner.restart(wanted.into_iter());
                Ok(())
            }
        }
    };
}

/// Games named by a mask or by their indices.
fn wanted_games(games: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<usize>> {
    if let Ok(mask) = games.extract::<Vec<bool>>()
        && !mask.is_empty()
    {
        if mask.len() != count {
            let given = mask.len();
            return Err(invalid(format!("{given} truth values: there must be {count}, one for each game")));
        }
        return Ok((0..count).filter(|&at| mask[at]).collect());
    }
    games.try_iter()?.map(|index| whole::game_index(&index?, count)).collect()
}

spiel_classes!(GoGame, GoState, GoBatch);
spiel_classes!(OthelloGame, OthelloState, OthelloBatch);

pub(crate) fn add_to_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<GoGame>()?;
    module.add_class::<GoState>()?;
    module.add_class::<GoBatch>()?;
    module.add_class::<OthelloGame>()?;
    module.add_class::<OthelloState>()?;
    module.add_class::<OthelloBatch>()
}
