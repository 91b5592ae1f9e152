//! One game between two players, watched by our own rules.

// The referee's clock is read here.
#![allow(clippy::disallowed_methods)]

use std::time::{Duration, Instant};

use ishi_engine::EngineAction;
use ishi_engine::clock::{GameClock, OutOfTime};
use ishi_go::Color;
use ishi_rng::Seed;
use ishi_sgf::GameResult;
use ishi_work::Stop;

use crate::games::{GameJudge, MatchGame, MatchSettings};
use crate::player::{MatchPlayer, NewGame, PlayerFault, PlayerFaultKind, PlayerTurn};
use crate::record::{EndReason, GameRecord, TimeUsed};

/// Everything a game needs besides its players.
pub(crate) struct GameTask<'a, G: MatchGame> {
    pub(crate) settings: &'a G::Settings,
    pub(crate) opening: &'a [G::Move],
    pub(crate) seed: Seed,
    /// Which contestant is Black.
    pub(crate) black: usize,
    pub(crate) stop: &'a (dyn Stop + Sync),
    pub(crate) on_move: &'a mut dyn FnMut(&G::Position),
}

/// How a game ended, before the count.
enum GameEnd {
    /// To be counted.
    Count(EndReason),
    Won(GameResult, EndReason, String, Vec<String>),
    Abandoned,
}

/// A game in progress.
struct GameInProgress<'a, 'p, G: MatchGame> {
    game: GameTask<'a, G>,
    players: [&'p mut (dyn MatchPlayer<G> + 'p); 2],
    position: G::Position,
    clocks: [GameClock; 2],
    time: [TimeUsed; 2],
}

/// Plays a game; `None` if it was abandoned. `players` are by colour.
pub(crate) fn play_game<'p, G: MatchGame>(
    game: GameTask<'_, G>,
    players: [&'p mut (dyn MatchPlayer<G> + 'p); 2],
    judge: &mut dyn GameJudge<G>,
) -> Option<GameRecord<G>> {
    // The match has checked that such a position exists.
    let position = game.settings.start_position().ok()?;
    let clock = GameClock::new(*game.settings.time_control());
    let mut play =
        GameInProgress { game, players, position, clocks: [clock; 2], time: [TimeUsed::default(); 2] };
    let end = play.run_to_end();
    let GameInProgress { game, position, time, .. } = play;
    let (result, reason, detail, transcript) = match end {
        GameEnd::Abandoned => return None,
        GameEnd::Won(result, reason, detail, transcript) => (result, reason, detail, transcript),
        GameEnd::Count(reason) => {
            let verdict = judge.decide_result(game.settings, &position, game.seed.child_seed("judge", 0));
            (verdict.result, reason, verdict.note, verdict.transcript)
        }
    };
    Some(GameRecord {
        black: game.black,
        result,
        reason,
        detail,
        opening: game.opening.len(),
        moves: G::played_moves(&position),
        time,
        transcript,
    })
}

impl<G: MatchGame> GameInProgress<'_, '_, G> {
    fn run_to_end(&mut self) -> GameEnd {
        if let Err(end) = self.begin_game() {
            return end;
        }
        loop {
            (self.game.on_move)(&self.position);
            if self.game.stop.is_requested() {
                return GameEnd::Abandoned;
            }
            if G::is_over(&self.position) {
                return GameEnd::Count(EndReason::Score);
            }
            if G::played_moves(&self.position).len() >= self.game.settings.move_limit() {
                return GameEnd::Count(EndReason::MoveLimit);
            }
            if let Err(end) = self.take_turn() {
                return end;
            }
        }
    }

    /// Sets both players up and plays the opening.
    fn begin_game(&mut self) -> Result<(), GameEnd> {
        for color in Color::ALL {
            let seed = self.game.seed.child_seed("player", color.index() as u64);
            let new = NewGame { settings: self.game.settings, position: &self.position, color, seed };
            let begun = self.players[color.index()].begin_game(&new);
            begun.map_err(|fault| lost_by_fault(color, fault, None))?;
        }
        for &mv in self.game.opening {
            let color = G::to_move(&self.position);
            // The pairing has checked that the opening is legal.
            G::play_move(&mut self.position, color, mv).map_err(|_| GameEnd::Abandoned)?;
            for told in Color::ALL {
                self.tell_player(told, color, mv)?;
            }
        }
        Ok(())
    }

    fn tell_player(&mut self, told: Color, color: Color, mv: G::Move) -> Result<(), GameEnd> {
        let accepted = self.players[told.index()].notify_move(color, mv);
        accepted.map_err(|fault| lost_by_fault(told, fault, None))
    }

    /// One move.
    fn take_turn(&mut self) -> Result<(), GameEnd> {
        let color = G::to_move(&self.position);
        if let Some(mv) = G::forced_move(&self.position) {
            return self.play_forced_move(color, mv);
        }
        let mv = match self.ask_move(color)? {
            EngineAction::Resign => {
                let result = GameResult::Resignation(!color);
                return Err(GameEnd::Won(result, EndReason::Resign, String::new(), Vec::new()));
            }
            EngineAction::Move(mv) => mv,
        };
        if let Err(error) = G::play_move(&mut self.position, color, mv) {
            let transcript = self.players[color.index()].transcript();
            return Err(GameEnd::Won(GameResult::Forfeit(!color), EndReason::IllegalMove, error, transcript));
        }
        if let Some(winner) = G::mercy_winner(self.game.settings, &self.position) {
            return Err(GameEnd::Won(GameResult::Win(winner), EndReason::Mercy, String::new(), Vec::new()));
        }
        // Nobody needs to be told of the pass that ends the game: a program that fails there has lost nothing.
        if G::is_over(&self.position) { Ok(()) } else { self.tell_player(!color, color, mv) }
    }

    /// Plays the only move there is; both players are told of it.
    fn play_forced_move(&mut self, color: Color, mv: G::Move) -> Result<(), GameEnd> {
        // A forced move is legal.
        G::play_move(&mut self.position, color, mv).map_err(|_| GameEnd::Abandoned)?;
        Color::ALL.into_iter().try_for_each(|told| self.tell_player(told, color, mv))
    }

    /// Asks for a move and stops the time.
    fn ask_move(&mut self, color: Color) -> Result<EngineAction<G>, GameEnd> {
        let clock = &mut self.clocks[color.index()];
        let turn = PlayerTurn { clock, stop: self.game.stop };
        let start = Instant::now();
        let answer = self.players[color.index()].choose_move(&self.position, color, &turn);
        let spent = start.elapsed();
        if self.game.stop.is_requested() {
            return Err(GameEnd::Abandoned);
        }
        let used = &mut self.time[color.index()];
        *used = TimeUsed { moves: used.moves + 1, seconds: used.seconds + spent.as_secs_f64() };
        let in_time = clock.spend(spent);
        match (answer, in_time) {
            (Err(fault), in_time) => Err(lost_by_fault(color, fault, in_time.err())),
            (Ok(_), Err(late)) => {
                let transcript = self.players[color.index()].transcript();
                Err(GameEnd::Won(GameResult::Time(!color), EndReason::Time, late.to_string(), transcript))
            }
            (Ok(action), Ok(())) => Ok(action),
        }
    }
}

/// A failed player has lost. No answer within the time on the clock is a loss on time.
fn lost_by_fault(color: Color, fault: PlayerFault, late: Option<OutOfTime>) -> GameEnd {
    let reason = match fault.kind {
        PlayerFaultKind::Timeout if late.is_some() => EndReason::Time,
        PlayerFaultKind::Timeout => EndReason::Timeout,
        PlayerFaultKind::Crash => EndReason::Crash,
        PlayerFaultKind::Garbage => EndReason::Garbage,
        PlayerFaultKind::Refused => EndReason::Disagreement,
    };
    let result =
        if reason == EndReason::Time { GameResult::Time(!color) } else { GameResult::Forfeit(!color) };
    GameEnd::Won(result, reason, format!("{color}: {}", fault.message), fault.transcript)
}

/// The time that both players have used.
pub(crate) fn thinking_time<G: MatchGame>(record: &GameRecord<G>) -> Duration {
    let seconds: f64 = record.time.iter().map(|used| used.seconds).sum();
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
