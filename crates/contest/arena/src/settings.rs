//! The conditions of a game of Go: board, rules, time, and when it ends.

use std::collections::BTreeMap;
use std::time::Duration;

use ishi_engine::clock::TimeControl;
use ishi_go::{BoardSize, Position, Rules, handicap};

/// The conditions that all games of a match of Go share.
///
/// ```
/// use ishi_arena::GoMatchSettings;
/// use ishi_go::BoardSize;
/// let settings = GoMatchSettings { handicap: 2, ..GoMatchSettings::for_board(BoardSize::square(9).unwrap()) };
/// let start = settings.start_position().unwrap();
/// assert_eq!(start.board().empty_count(), 79);
/// assert_eq!(settings.facts()["board"], "9x9");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GoMatchSettings {
    /// Width and height.
    pub size: BoardSize,
    /// Legality and counting.
    pub rules: Rules,
    /// Points for White.
    pub komi: f64,
    /// Black's handicap stones, 0 or 2 and more; on fixed points where the board has them.
    pub handicap: usize,
    /// Playouts for a move of a built-in player; `None`: as its parameters say. GTP has no word for it.
    pub playouts: Option<u64>,
    /// The clock.
    pub time: TimeControl,
    /// How long a program may take for any answer where the clock does not say.
    pub timeout: Duration,
    /// May built-in players resign? A program's resignation counts always.
    pub resign: bool,
    /// A player with so many stones more than the opponent on the board has won.
    pub mercy: Option<usize>,
    /// Moves, the opening included, after which the game is counted as it stands.
    pub move_limit: usize,
}

/// Patience with programs, by default: five minutes for a move.
pub const TIMEOUT: Duration = Duration::from_secs(300);

impl Default for GoMatchSettings {
    /// 9x9, Chinese rules.
    fn default() -> Self {
        GoMatchSettings::for_board(BoardSize::square(9).expect("9 lines are allowed"))
    }
}

impl GoMatchSettings {
    /// Chinese rules with komi 7.5 on this board, no clock, no mercy, three moves for every point.
    pub fn for_board(size: BoardSize) -> GoMatchSettings {
        GoMatchSettings {
            size,
            rules: Rules::CHINESE,
            komi: Rules::CHINESE.default_komi,
            handicap: 0,
            playouts: None,
            time: TimeControl::default(),
            timeout: TIMEOUT,
            resign: true,
            mercy: None,
            move_limit: 3 * size.area(),
        }
    }

    /// The position before the opening.
    ///
    /// # Errors
    /// If komi is no number, or the board cannot take the handicap; the text says what it can take.
    pub fn start_position(&self) -> Result<Position, String> {
        let mut position = Position::new(self.size, self.rules);
        position.set_komi(self.komi).map_err(|error| error.to_string())?;
        if self.handicap > 0 {
            let fixed = handicap::fixed_placement(self.size, self.handicap);
            let points = fixed.or_else(|_| handicap::free_placement(self.size, self.handicap));
            let points = points.map_err(|error| error.to_string())?;
            position.place_handicap(&points).map_err(|error| error.to_string())?;
        }
        Ok(position)
    }

    /// Everything here that a result depends on, as text: part of a pair's id.
    pub fn facts(&self) -> BTreeMap<String, String> {
        let or_none = |number: Option<String>| number.unwrap_or_else(|| "none".to_string());
        let facts = [
            ("board", self.size.to_string()),
            ("rules", self.rules.to_string()),
            ("komi", self.komi.to_string()),
            ("handicap", self.handicap.to_string()),
            ("playouts", or_none(self.playouts.map(|n| n.to_string()))),
            ("time", self.time.to_string()),
            ("tolerance", self.time.tolerance.as_secs_f64().to_string()),
            ("timeout", self.timeout.as_secs_f64().to_string()),
            ("resign", self.resign.to_string()),
            ("mercy", or_none(self.mercy.map(|n| n.to_string()))),
            ("move_limit", self.move_limit.to_string()),
        ];
        facts.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
    }
}
