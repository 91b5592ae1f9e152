//! One game between two players, watched by our own rules.

// The referee's clock is read here.
#![allow(clippy::disallowed_methods)]

use std::time::{Duration, Instant};

use ishi_engine::Action;
use ishi_go::Color;
use ishi_rng::Seed;
use ishi_sgf::GameResult;

use crate::clock::{GameClock, OutOfTime};
use crate::games::{Judge, MatchGame, Settings};
use crate::player::{Fault, FaultKind, NewGame, Player, Turn};
use crate::record::{GameRecord, Reason, TimeUsed};

/// Everything a game needs besides its players.
pub(crate) struct Game<'a, G: MatchGame> {
    pub(crate) settings: &'a G::Settings,
    pub(crate) opening: &'a [G::Move],
    pub(crate) seed: Seed,
    /// Which contestant is Black.
    pub(crate) black: usize,
    pub(crate) stop: &'a (dyn Fn() -> bool + Sync),
    pub(crate) on_move: &'a mut dyn FnMut(&G::Position),
}

/// How a game ended, before the count.
enum End {
    /// To be counted.
    Count(Reason),
    Won(GameResult, Reason, String, Vec<String>),
    Abandoned,
}

/// A game in progress.
struct Play<'a, 'p, G: MatchGame> {
    game: Game<'a, G>,
    players: [&'p mut (dyn Player<G> + 'p); 2],
    position: G::Position,
    clocks: [GameClock; 2],
    time: [TimeUsed; 2],
}

/// Plays a game; `None` if it was abandoned. `players` are by colour.
pub(crate) fn play<'p, G: MatchGame>(
    game: Game<'_, G>,
    players: [&'p mut (dyn Player<G> + 'p); 2],
    judge: &mut dyn Judge<G>,
) -> Option<GameRecord<G>> {
    // The match has checked that such a position exists.
    let position = game.settings.start().ok()?;
    let clock = GameClock::new(*game.settings.time());
    let mut play = Play { game, players, position, clocks: [clock; 2], time: [TimeUsed::default(); 2] };
    let end = play.run();
    let Play { game, position, time, .. } = play;
    let (result, reason, detail, transcript) = match end {
        End::Abandoned => return None,
        End::Won(result, reason, detail, transcript) => (result, reason, detail, transcript),
        End::Count(reason) => {
            let verdict = judge.score(game.settings, &position, game.seed.child("judge", 0));
            (verdict.result, reason, verdict.note, verdict.transcript)
        }
    };
    Some(GameRecord {
        black: game.black,
        result,
        reason,
        detail,
        opening: game.opening.len(),
        moves: G::moves(&position),
        time,
        transcript,
    })
}

impl<G: MatchGame> Play<'_, '_, G> {
    fn run(&mut self) -> End {
        if let Err(end) = self.begin() {
            return end;
        }
        loop {
            (self.game.on_move)(&self.position);
            if (self.game.stop)() {
                return End::Abandoned;
            }
            if G::is_over(&self.position) {
                return End::Count(Reason::Score);
            }
            if G::moves(&self.position).len() >= self.game.settings.move_limit() {
                return End::Count(Reason::MoveLimit);
            }
            if let Err(end) = self.turn() {
                return end;
            }
        }
    }

    /// Sets both players up and plays the opening.
    fn begin(&mut self) -> Result<(), End> {
        for color in Color::ALL {
            let seed = self.game.seed.child("player", color.index() as u64);
            let new = NewGame { settings: self.game.settings, position: &self.position, color, seed };
            let begun = self.players[color.index()].begin(&new);
            begun.map_err(|fault| lost_by_fault(color, fault, None))?;
        }
        for &mv in self.game.opening {
            let color = G::to_move(&self.position);
            // The pairing has checked that the opening is legal.
            G::play(&mut self.position, color, mv).map_err(|_| End::Abandoned)?;
            for told in Color::ALL {
                self.tell(told, color, mv)?;
            }
        }
        Ok(())
    }

    fn tell(&mut self, told: Color, color: Color, mv: G::Move) -> Result<(), End> {
        let accepted = self.players[told.index()].play(color, mv);
        accepted.map_err(|fault| lost_by_fault(told, fault, None))
    }

    /// One move.
    fn turn(&mut self) -> Result<(), End> {
        let color = G::to_move(&self.position);
        if let Some(mv) = G::forced(&self.position) {
            return self.pass_over(color, mv);
        }
        let mv = match self.ask(color)? {
            Action::Resign => {
                let result = GameResult::Resignation(!color);
                return Err(End::Won(result, Reason::Resign, String::new(), Vec::new()));
            }
            Action::Move(mv) => mv,
        };
        if let Err(error) = G::play(&mut self.position, color, mv) {
            let transcript = self.players[color.index()].transcript();
            return Err(End::Won(GameResult::Forfeit(!color), Reason::IllegalMove, error, transcript));
        }
        if let Some(winner) = G::mercy(self.game.settings, &self.position) {
            return Err(End::Won(GameResult::Win(winner), Reason::Mercy, String::new(), Vec::new()));
        }
        // Nobody needs to be told of the pass that ends the game: a program that fails there has lost nothing.
        if G::is_over(&self.position) { Ok(()) } else { self.tell(!color, color, mv) }
    }

    /// Plays the only move there is; both players are told of it.
    fn pass_over(&mut self, color: Color, mv: G::Move) -> Result<(), End> {
        // A forced move is legal.
        G::play(&mut self.position, color, mv).map_err(|_| End::Abandoned)?;
        Color::ALL.into_iter().try_for_each(|told| self.tell(told, color, mv))
    }

    /// Asks for a move and stops the time.
    fn ask(&mut self, color: Color) -> Result<Action<G>, End> {
        let clock = &mut self.clocks[color.index()];
        let turn = Turn { clock, stop: self.game.stop };
        let start = Instant::now();
        let answer = self.players[color.index()].choose(&self.position, color, &turn);
        let spent = start.elapsed();
        if (self.game.stop)() {
            return Err(End::Abandoned);
        }
        let used = &mut self.time[color.index()];
        *used = TimeUsed { moves: used.moves + 1, seconds: used.seconds + spent.as_secs_f64() };
        let in_time = clock.spend(spent);
        match (answer, in_time) {
            (Err(fault), in_time) => Err(lost_by_fault(color, fault, in_time.err())),
            (Ok(_), Err(late)) => {
                let transcript = self.players[color.index()].transcript();
                Err(End::Won(GameResult::Time(!color), Reason::Time, late.to_string(), transcript))
            }
            (Ok(action), Ok(())) => Ok(action),
        }
    }
}

/// A failed player has lost. No answer within the time on the clock is a loss on time.
fn lost_by_fault(color: Color, fault: Fault, late: Option<OutOfTime>) -> End {
    let reason = match fault.kind {
        FaultKind::Timeout if late.is_some() => Reason::Time,
        FaultKind::Timeout => Reason::Timeout,
        FaultKind::Crash => Reason::Crash,
        FaultKind::Garbage => Reason::Garbage,
        FaultKind::Refused => Reason::Disagreement,
    };
    let result = if reason == Reason::Time { GameResult::Time(!color) } else { GameResult::Forfeit(!color) };
    End::Won(result, reason, format!("{color}: {}", fault.message), fault.transcript)
}

/// The time that both players have used.
pub(crate) fn thinking_time<G: MatchGame>(record: &GameRecord<G>) -> Duration {
    let seconds: f64 = record.time.iter().map(|used| used.seconds).sum();
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}
