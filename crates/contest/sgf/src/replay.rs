//! A line of a record, played out on a [`Position`].

use ishi_go::{Color, Move, Point, Position, Rules, SetupError};

use crate::game::{GoGame, PlayedMove, RecordReplayError, RecordSetup, ReplayAction, told_by};

/// What a record shows after some of its moves.
#[derive(Clone, Debug)]
pub struct ReplayedGame {
    /// The position. Its history goes back to the last set-up, or to the last illegal move.
    pub position: Position,
    /// Moves of the record that were played.
    pub moves: usize,
    /// The last of them.
    pub last: Option<PlayedMove>,
    /// Stones taken so far by Black and by White.
    pub prisoners: [usize; 2],
    /// Moves that the rules forbid. They were played all the same, as SGF wants it.
    pub illegal: Vec<RecordReplayError>,
}

impl GoGame {
    /// The position after so many moves (all moves without a number), with set-up that comes before the next move.
    /// Komi and handicap are the record's; the side to move is the one that moves next in it.
    ///
    /// An illegal move is put on the board whatever stood there, and reported: a record shows what was played.
    ///
    /// # Errors
    /// If a set-up leaves a chain without a liberty: then there is no such position.
    ///
    /// ```
    /// use ishi_go::Rules;
    /// use ishi_sgf::GoGame;
    /// let reading = ishi_sgf::read_collection(b"(;SZ[9];B[aa];W[ab];B[dd];W[ba];B[ba])").unwrap();
    /// let game = GoGame::read_main_line(&reading.collection.games[0]).unwrap();
    /// let shown = game.replay_position(Rules::CHINESE, None).unwrap();
    /// assert_eq!(shown.moves, 5);
    /// assert_eq!(shown.prisoners, [0, 1]);
    /// assert_eq!(
    ///     shown.illegal[0].to_string(),
    ///     "move 5, black B9 at line 1, column 34 (byte 33): illegal move black B9: a white stone stands there"
    /// );
    /// ```
    pub fn replay_position(
        &self,
        rules: Rules,
        moves: Option<usize>,
    ) -> Result<ReplayedGame, RecordReplayError> {
        let mut replay = self.start_position(rules);
        for action in self.replay_actions() {
            match action {
                ReplayAction::Setup(setup) => replay.apply_setup(setup)?,
                ReplayAction::Play(next) if moves == Some(replay.moves) => {
                    replay.position.set_to_move(next.color);
                    break;
                }
                ReplayAction::Play(played) => replay.play_recorded(played)?,
            }
        }
        Ok(replay)
    }

    /// The empty board. White moves first if there is a handicap, unless the record shows otherwise.
    fn start_position(&self, rules: Rules) -> ReplayedGame {
        let mut position = Position::new(self.size, rules);
        if let Some(komi) = self.info.komi {
            // Komi that was read is finite.
            let _ = position.set_komi(komi);
        }
        if let Some(stones) = self.info.handicap.filter(|&stones| stones >= 2) {
            position.set_handicap(stones as usize);
            position.set_to_move(Color::White);
        }
        ReplayedGame { position, moves: 0, last: None, prisoners: [0; 2], illegal: Vec::new() }
    }
}

impl ReplayedGame {
    fn apply_setup(&mut self, setup: &RecordSetup) -> Result<(), RecordReplayError> {
        let gone = [&setup.black, &setup.white, &setup.empty];
        let gone = |point: Point| gone.iter().any(|list| list.contains(&point));
        let black = setup.black.iter().filter(|point| !setup.white.contains(point));
        let added = black.map(|&p| (Color::Black, p)).chain(setup.white.iter().map(|&p| (Color::White, p)));
        let stones = self.board_stones().into_iter().filter(|&(_, p)| !gone(p)).chain(added).collect();
        let moves = self.moves;
        self.rebuild_position(stones)
            .map_err(|error| RecordReplayError::on_setup(moves, setup.place, told_by(error)))?;
        setup.to_play.into_iter().for_each(|color| self.position.set_to_move(color));
        Ok(())
    }

    fn play_recorded(&mut self, played: PlayedMove) -> Result<(), RecordReplayError> {
        let PlayedMove { color, mv, place } = played;
        let number = self.moves + 1;
        let captured = match (self.position.play(color, mv), mv) {
            (Err(error), Move::Play(point)) => {
                let failed = |told| RecordReplayError::on_move(number, color, mv, place, told);
                self.illegal.push(failed(told_by(error)));
                self.force_move(color, point).map_err(|error| failed(told_by(error)))?
            }
            (result, _) => result.unwrap_or(0),
        };
        let suicide = mv.point().is_some_and(|point| self.position.board().color(point).is_none());
        let taker = if suicide { !color } else { color };
        self.prisoners[taker.index()] += captured;
        self.moves += 1;
        self.last = Some(played);
        Ok(())
    }

    /// Plays a move that the rules forbid: takes away what stands there, forgets the history and allows suicide.
    fn force_move(&mut self, color: Color, point: Point) -> Result<usize, SetupError> {
        let rules = *self.position.rules();
        self.rebuild_position(self.board_stones().into_iter().filter(|&(_, p)| p != point).collect())?;
        self.position.set_rules(Rules { suicide: true, ..rules });
        let captured = self.position.play(color, Move::Play(point)).unwrap_or(0);
        self.position.set_rules(rules);
        Ok(captured)
    }

    fn board_stones(&self) -> Vec<(Color, Point)> {
        let board = self.position.board();
        board.size().points().filter_map(|point| board.color(point).map(|color| (color, point))).collect()
    }

    /// A position of these stones that is otherwise like the one before.
    fn rebuild_position(&mut self, stones: Vec<(Color, Point)>) -> Result<(), SetupError> {
        let old = &self.position;
        let mut new = Position::from_setup(old.size(), *old.rules(), stones, old.to_move())?;
        new.set_handicap(old.handicap());
        // Komi of a position is finite.
        let _ = new.set_komi(old.komi());
        self.position = new;
        Ok(())
    }
}
