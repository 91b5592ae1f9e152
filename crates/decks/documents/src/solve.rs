//! Solving by any method within a time: what the command line and the server call.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use ishi_deck::answer::Work;
use ishi_deck::{Answer, Options, Problem, Progress, Status, solve as solve_exactly};
use ishi_rng::Seed;

use super::request::{Gap, Method, Settings};

/// Asked now and then; it can stop the work.
pub type Observer<'a> = &'a mut dyn FnMut(&Progress<'_>) -> ControlFlow<()>;

/// An answer with the time it took.
#[derive(Clone, Debug)]
pub struct Timed {
    /// The answer.
    pub answer: Answer,
    /// Time on the clock.
    pub seconds: f64,
    /// Did the time limit end the work?
    pub out_of_time: bool,
}

impl Timed {
    /// There is no deck, and that took no time.
    #[must_use]
    pub fn infeasible() -> Timed {
        let answer = Answer {
            status: Status::Infeasible,
            deck: None,
            value: None,
            bound: None,
            work: Work::default(),
        };
        Timed { answer, seconds: 0.0, out_of_time: false }
    }
}

/// A clock that ends the work; observers ask it.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
    limit: Option<Duration>,
}

impl Clock {
    /// Runs from now on.
    #[must_use]
    pub fn start(limit: Option<Duration>) -> Clock {
        Clock { start: Instant::now(), limit }
    }

    /// Is the time up?
    #[must_use]
    pub fn is_up(&self) -> bool {
        self.limit.is_some_and(|limit| self.start.elapsed() >= limit)
    }

    /// Seconds since the start.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

/// Solves as the settings say; `seed` counts where they name none.
pub fn solve(problem: &Problem, settings: &Settings, seed: Seed, observer: Observer<'_>) -> Timed {
    let clock = Clock::start(settings.time_limit);
    let mut out_of_time = false;
    let mut watched = |progress: &Progress<'_>| {
        let up = clock.is_up();
        out_of_time |= up;
        if up { ControlFlow::Break(()) } else { observer(progress) }
    };
    let seed = settings.seed.unwrap_or(seed);
    let answer = match settings.method.unwrap_or_default() {
        Method::Exact => {
            let options = Options { seed, gap: gap_units(problem, settings.gap), above: None };
            solve_exactly(problem, &options, &mut watched)
        }
        method => search(problem, method, settings, seed, &mut watched),
    };
    Timed { answer, seconds: clock.seconds(), out_of_time }
}

/// The gap in units. A share is taken of a deck that is found at once: no deck that is better makes it a larger share.
fn gap_units(problem: &Problem, gap: Option<Gap>) -> i64 {
    /// More than any deck is worth.
    const MOST: f64 = (1u64 << 50) as f64;
    let units = problem.pool().units;
    match gap {
        None => 0,
        Some(Gap::Score(score)) => (score * units).floor().min(MOST) as i64,
        Some(Gap::Share(share)) => {
            let value = {
                let options = ishi_deck::search::Options::new(Seed::new(1));
                let found = ishi_deck::search::greedy(problem, &options, &mut |_| ControlFlow::Continue(()));
                found.map_or(0, |found| found.value)
            };
            (share * value.max(0) as f64).floor().min(MOST) as i64
        }
    }
}

fn search(
    problem: &Problem,
    method: Method,
    settings: &Settings,
    seed: Seed,
    observer: Observer<'_>,
) -> Answer {
    use ishi_deck::search;
    let mut options = search::Options::new(seed);
    if settings.time_limit.is_some() {
        // The clock ends it.
        (options.steps, options.starts) = (u64::MAX, u64::MAX);
    }
    let found = match method {
        Method::Ours | Method::Exact => search::tabu(problem, &options, observer),
        Method::VariableDepth => {
            search::variable_depth(problem, &options, &search::VariableDepth::default(), observer)
        }
        Method::SwapChains => search::swap_chains(problem, &options, observer),
        Method::Annealing => search::annealing(problem, &options, observer),
        Method::HillClimbing => search::hill_climbing(problem, &options, observer),
        Method::Greedy => search::greedy(problem, &options, observer),
    };
    let bound = bound(problem, seed, observer);
    let Some(found) = found else {
        let infeasible = bound.status == Status::Infeasible;
        let status = if infeasible { Status::Infeasible } else { Status::Unknown };
        return Answer { status, deck: None, value: None, bound: bound.bound, work: Work::default() };
    };
    let status = if bound.bound == Some(found.value) { Status::Optimal } else { Status::Feasible };
    let work = Work { moves: found.moves, ..Work::default() };
    Answer { status, deck: Some(found.deck), value: Some(found.value), bound: bound.bound, work }
}

/// The solver's bound of a deck that was found in another way: what it knows after a moment.
fn bound(problem: &Problem, seed: Seed, observer: Observer<'_>) -> Answer {
    /// First bounds are rough; most proofs take no longer than this.
    const MOMENT: Duration = Duration::from_millis(500);
    let clock = Clock::start(Some(MOMENT));
    let options = Options { seed, gap: 0, above: None };
    solve_exactly(problem, &options, &mut |progress| {
        if clock.is_up() { ControlFlow::Break(()) } else { observer(progress) }
    })
}
