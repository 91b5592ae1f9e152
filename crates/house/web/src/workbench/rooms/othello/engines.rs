//! Engines of games that go on. Each is kept from move to move: its hash table is not made anew, and with `reuse=yes` what it has found serves
//! the whole game. Without `reuse` an engine empties its table itself, so that a move follows from position, seed and parameters.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ishi_engine::{Engine, Othello};
use ishi_othello::Color;
use ishi_othello_play::catalog;
use ishi_rng::Seed;

/// Engines that are kept at most: those that moved last.
const KEPT: usize = 4;

/// Which engine plays which side of which game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EngineSeat {
    /// The key of the game.
    pub(super) game: String,
    /// The side.
    pub(super) color: Color,
    /// The engine with its parameters.
    pub(super) spec: String,
    /// The seed of the game.
    pub(super) seed: u64,
}

/// An engine of a game, as long as nobody asks it.
type KeptEngine = (EngineSeat, Box<dyn Engine<Othello>>);

/// Engines that have moved and may move again; the one that moved last at the end.
#[derive(Default)]
pub(crate) struct KeptEngines(Mutex<VecDeque<KeptEngine>>);

impl KeptEngines {
    /// The engine of this seat, or a new one; `None` if there is no such engine. Until it is put back nobody else has it.
    pub(super) fn take_engine(&self, seat: &EngineSeat) -> Option<Box<dyn Engine<Othello>>> {
        self.take_or_make(seat, || catalog::create_othello_player(&seat.spec, Seed::new(seat.seed)).ok())
    }

    /// If there is no memory for a new engine, those that wait give theirs up.
    fn take_or_make(
        &self,
        seat: &EngineSeat,
        make: impl Fn() -> Option<Box<dyn Engine<Othello>>>,
    ) -> Option<Box<dyn Engine<Othello>>> {
        let kept = {
            let mut engines = self.lock_engines();
            let place = engines.iter().position(|(known, _)| known == seat);
            place.and_then(|place| engines.remove(place))
        };
        if let Some((_, engine)) = kept {
            return Some(engine);
        }
        make().or_else(|| {
            self.lock_engines().clear();
            make()
        })
    }

    fn lock_engines(&self) -> MutexGuard<'_, VecDeque<KeptEngine>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the engine for the next move, and gives up the one that has waited longest if there are too many.
    pub(super) fn put_back(&self, seat: EngineSeat, engine: Box<dyn Engine<Othello>>) {
        let mut engines = self.lock_engines();
        engines.push_back((seat, engine));
        while engines.len() > KEPT {
            engines.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seat(game: &str, color: Color, spec: &str) -> EngineSeat {
        EngineSeat { game: game.to_string(), color, spec: spec.to_string(), seed: 1 }
    }

    fn count_kept(engines: &KeptEngines) -> usize {
        engines.0.lock().unwrap().len()
    }

    #[test]
    fn an_engine_is_kept_for_its_side_of_its_game() {
        let engines = KeptEngines::default();
        let first = seat("a", Color::Black, "othello:level=1");
        let engine = engines.take_engine(&first).unwrap();
        engines.put_back(first.clone(), engine);
        // Another game, another side and other parameters are other engines.
        for other in [
            seat("b", Color::Black, "othello:level=1"),
            seat("a", Color::White, "othello:level=1"),
            seat("a", Color::Black, "othello:level=2"),
        ] {
            assert_eq!(
                engines.take_engine(&other).unwrap().spec(),
                format!("{},threads=1,hash=16,book=yes", other.spec)
            );
            assert_eq!(count_kept(&engines), 1, "the first one waits");
        }
        assert!(engines.take_engine(&first).is_some());
        assert_eq!(count_kept(&engines), 0, "it was this one that was taken");
        assert!(engines.take_engine(&seat("a", Color::Black, "nobody")).is_none());
    }

    #[test]
    fn engines_that_wait_give_up_their_memory_for_a_new_one() {
        let engines = KeptEngines::default();
        let (first, other) =
            (seat("a", Color::Black, "othello:level=1"), seat("b", Color::Black, "othello:level=1"));
        let engine = engines.take_engine(&first).unwrap();
        engines.put_back(first, engine);
        // As where the first one has all the memory.
        let make = || {
            let made = catalog::create_othello_player("othello:level=1", Seed::new(1)).ok();
            made.filter(|_| count_kept(&engines) == 0)
        };
        assert!(engines.take_or_make(&other, make).is_some());
        assert_eq!(count_kept(&engines), 0);
    }

    #[test]
    fn those_that_moved_last_are_kept() {
        let engines = KeptEngines::default();
        for game in ["a", "b", "c", "d", "e"] {
            let seat = seat(game, Color::White, "othello:level=1");
            let engine = engines.take_engine(&seat).unwrap();
            engines.put_back(seat, engine);
        }
        assert_eq!(count_kept(&engines), KEPT);
        let games: Vec<String> =
            engines.0.lock().unwrap().iter().map(|(seat, _)| seat.game.clone()).collect();
        assert_eq!(games, ["b", "c", "d", "e"]);
    }
}
