//! Go and Othello as OpenSpiel shows games: actions are numbers, players 0 and 1, a finished game has the player -4.
//!
//! [`SpielPosition`] is what both have; [`go`] and [`othello`] are the games, [`batch`] many games at once, [`classes`] what Python sees.

pub(crate) mod batch;
pub(crate) mod classes;
pub(crate) mod go;
pub(crate) mod othello;

/// The player of a finished game, as OpenSpiel has it.
pub(crate) const TERMINAL_PLAYER: i8 = -4;

/// A game in progress in OpenSpiel's terms.
pub(crate) trait SpielPosition: Clone + Send + Sync {
    /// Actions are numbers below this.
    fn action_count(&self) -> usize;

    /// Planes, rows and columns of what a network sees.
    fn tensor_shape(&self) -> [usize; 3];

    /// Who is to move, 0 or 1; in a finished game who would be.
    fn mover(&self) -> usize;

    fn is_terminal(&self) -> bool;

    /// Marks the legal actions; all others are false already. Nothing is marked in a finished game.
    fn mark_legal(&self, mask: &mut [bool]);

    /// Says whether the action may be played, and if not, why.
    fn check_action(&self, action: i64) -> Result<(), String>;

    /// Plays an action; nothing is changed if it is not legal.
    fn apply_action(&mut self, action: i64) -> Result<(), String>;

    /// Takes the last action back and gives it.
    fn undo_action(&mut self) -> Option<i64>;

    /// What each player has won, 1 or -1, and 0 for a draw or a game that goes on.
    fn returns(&self) -> [f64; 2];

    /// Black's lead in points or discs, as if the game ended here.
    fn lead(&self) -> f64;

    /// Fills in the planes as a player sees them; they are 0 already.
    fn write_observation(&self, player: usize, planes: &mut [f32]);

    /// The actions so far.
    fn history(&self) -> Vec<i64>;

    /// An action in words, such as `B d4`.
    fn action_text(&self, player: usize, action: i64) -> Result<String, String>;

    /// The action that a text such as `D4` or `pass` names.
    fn parse_action(&self, text: &str) -> Result<i64, String>;

    /// The board for people.
    fn board_text(&self) -> String;

    /// Who is to move, or [`TERMINAL_PLAYER`].
    fn current_player(&self) -> i8 {
        if self.is_terminal() { TERMINAL_PLAYER } else { self.mover() as i8 }
    }

    /// The legal actions in ascending order.
    fn legal_actions(&self) -> Vec<i64> {
        let mut mask = vec![false; self.action_count()];
        self.mark_legal(&mut mask);
        (0..).zip(mask).filter_map(|(action, legal)| legal.then_some(action)).collect()
    }

    /// Numbers of an observation.
    fn tensor_len(&self) -> usize {
        self.tensor_shape().iter().product()
    }
}

/// The message for a number that is no action.
pub(crate) fn unknown_action(action: i64, count: usize) -> String {
    format!("invalid action {action}: it must be a number from 0 to {}", count - 1)
}

/// The message for an action after the end.
pub(crate) fn game_is_over(action: i64) -> String {
    format!("invalid action {action}: the game is over")
}

/// What Black has won, from its lead.
pub(crate) fn returns_of_lead(lead: f64) -> [f64; 2] {
    let black = if lead > 0.0 {
        1.0
    } else if lead < 0.0 {
        -1.0
    } else {
        0.0
    };
    [black, 0.0 - black]
}
