//! Many games at once, without Python's lock.

use ishi_rng::{Rng, Seed};

use super::SpielPosition;
use crate::values::MOST_GAMES;

/// Games that go on independently of each other.
pub(crate) struct GameBatch<S> {
    start: S,
    pub(crate) games: Vec<S>,
    threads: usize,
}

/// For a game that is over: nothing is played in it.
pub(crate) const NO_ACTION: i64 = -1;

impl<S: SpielPosition> GameBatch<S> {
    /// So many games that begin here. The threads share them; what comes out does not depend on how many there are.
    ///
    /// # Errors
    /// If there is no memory for so many: that would end Python.
    pub(crate) fn new(start: S, count: usize, threads: usize) -> Result<GameBatch<S>, String> {
        if count > MOST_GAMES {
            return Err(format!("invalid count {count}: it must be a number from 0 to {MOST_GAMES}"));
        }
        let mut games = Vec::new();
        games
            .try_reserve_exact(count)
            .map_err(|_| format!("invalid count {count}: there is no memory for so many games"))?;
        games.resize(count, start.clone());
        Ok(GameBatch { games, start, threads: threads.max(1) })
    }

    /// Begins these games again.
    pub(crate) fn restart(&mut self, wanted: impl Iterator<Item = usize>) {
        for at in wanted {
            self.games[at] = self.start.clone();
        }
    }

    /// `width` numbers of each game, written by `write`; they are `blank` before.
    pub(crate) fn collect<T: Clone + Send>(
        &self,
        width: usize,
        blank: T,
        write: impl Fn(&S, &mut [T]) + Sync,
    ) -> Vec<T> {
        let mut all = vec![blank; width * self.games.len()];
        if all.is_empty() {
            return all;
        }
        let share = self.games.len().div_ceil(self.threads).max(1);
        if self.threads == 1 {
            write_games(&self.games, &mut all, width, &write);
            return all;
        }
        std::thread::scope(|scope| {
            for (games, part) in self.games.chunks(share).zip(all.chunks_mut(share * width)) {
                let write = &write;
                scope.spawn(move || write_games(games, part, width, write));
            }
        });
        all
    }

    /// Changes each game; what `change` gives comes in their order.
    fn change_each<T: Send>(&mut self, change: impl Fn(usize, &mut S) -> T + Sync) -> Vec<T> {
        let share = self.games.len().div_ceil(self.threads).max(1);
        let change_share = |first: usize, games: &mut [S]| -> Vec<T> {
            games.iter_mut().enumerate().map(|(at, game)| change(first + at, game)).collect()
        };
        if self.threads == 1 {
            return change_share(0, &mut self.games);
        }
        std::thread::scope(|scope| {
            let shares = self.games.chunks_mut(share).enumerate();
            let change_share = &change_share;
            let started: Vec<_> =
                shares.map(|(n, games)| scope.spawn(move || change_share(n * share, games))).collect();
            started.into_iter().flat_map(|thread| thread.join().expect("a share ends")).collect()
        })
    }

    /// Plays an action in each game; [`NO_ACTION`] where it is over. Nothing is played anywhere if one of them is wrong.
    ///
    /// # Errors
    /// Names the first game whose action is wrong, and why it is.
    pub(crate) fn apply_actions(&mut self, actions: &[i64]) -> Result<(), String> {
        if actions.len() != self.games.len() {
            let (given, wanted) = (actions.len(), self.games.len());
            return Err(format!("{given} actions: there must be {wanted}, one for each game"));
        }
        for (at, (game, &action)) in self.games.iter().zip(actions).enumerate() {
            if action == NO_ACTION && game.is_terminal() {
                continue;
            }
            game.check_action(action).map_err(|why| format!("game {at}: {why}"))?;
        }
        self.change_each(|at, game| {
            if actions[at] != NO_ACTION {
                game.apply_action(actions[at]).expect("the action is checked");
            }
        });
        Ok(())
    }

    /// Plays legal actions at random, each equally likely, to the end or so many in each game. Gives how many were played.
    pub(crate) fn play_randomly(&mut self, seed: Seed, most: usize) -> Vec<i64> {
        self.change_each(|at, game| play_game_randomly(game, &mut seed.stream("game", at as u64), most))
    }
}

fn write_games<S, T>(games: &[S], all: &mut [T], width: usize, write: &impl Fn(&S, &mut [T])) {
    for (game, part) in games.iter().zip(all.chunks_mut(width)) {
        write(game, part);
    }
}

fn play_game_randomly<S: SpielPosition>(game: &mut S, rng: &mut Rng, most: usize) -> i64 {
    let mut played = 0;
    while (played as usize) < most && !game.is_terminal() {
        let actions = game.legal_actions();
        let Some(&action) = rng.choose(&actions) else { break };
        game.apply_action(action).expect("a legal action");
        played += 1;
    }
    played
}
