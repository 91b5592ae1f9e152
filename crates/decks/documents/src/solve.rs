//! Solving by any method within limits of work and time: what the command line and the server call.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use ishi_deck::answer::SolveEffort;
use ishi_deck::{
    AnswerStatus, DeckAnswer, Problem, SolverObserver, SolverOptions, SolverState,
    solve_problem as solve_exactly,
};
use ishi_rng::Seed;
use ishi_words::{CodedMessage, coded};

use super::request::{AllowedGap, SolveMethod, SolveSettings};
use super::words;

/// An answer with the time it took.
#[derive(Clone, Debug)]
pub struct TimedAnswer {
    /// The answer.
    pub answer: DeckAnswer,
    /// Time on the clock.
    pub seconds: f64,
    /// Did the time limit end the work?
    pub out_of_time: bool,
    /// Why there is no deck, where that can be explained.
    pub reasons: Vec<CodedMessage>,
    /// Why the proof was given up, where memory ended it.
    pub given_up: Option<CodedMessage>,
}

impl TimedAnswer {
    /// There is no deck for these reasons, which took so many seconds to find.
    fn infeasible(reasons: Vec<CodedMessage>, seconds: f64) -> TimedAnswer {
        let answer = DeckAnswer {
            status: AnswerStatus::Infeasible,
            deck: None,
            value: None,
            bound: None,
            work: SolveEffort::default(),
        };
        TimedAnswer { answer, seconds, out_of_time: false, reasons, given_up: None }
    }
}

/// A clock that ends the work; observers ask it.
#[derive(Clone, Copy, Debug)]
pub struct SolveClock {
    start: Instant,
    limit: Option<Duration>,
}

impl SolveClock {
    /// Runs from now on.
    #[must_use]
    pub fn start(limit: Option<Duration>) -> SolveClock {
        SolveClock { start: Instant::now(), limit }
    }

    /// Is the time up?
    #[must_use]
    pub fn is_time_up(&self) -> bool {
        self.limit.is_some_and(|limit| self.start.elapsed() >= limit)
    }

    /// Seconds since the start.
    #[must_use]
    pub fn elapsed_seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

/// Counts the steps of a solver, or of several problems that are solved one after the other; observers ask it.
///
/// Steps do not depend on the clock, so that work that ends by them ends at the same place every time.
#[derive(Clone, Copy, Debug)]
pub struct WorkMeter {
    limit: Option<u64>,
    /// The work of the problems that are done.
    before: u64,
    /// The work of the problem that is being solved.
    current: u64,
}

impl WorkMeter {
    /// Nothing is done yet.
    #[must_use]
    pub fn new(limit: Option<u64>) -> WorkMeter {
        WorkMeter { limit, before: 0, current: 0 }
    }

    /// Takes what a solver tells of its work; has it done all that it may?
    pub fn is_used_up(&mut self, work: &SolveEffort) -> bool {
        let steps = work.nodes.saturating_add(work.moves);
        if steps < self.current {
            // The next problem has begun.
            self.before = self.before.saturating_add(self.current);
        }
        self.current = steps;
        self.limit.is_some_and(|limit| self.before.saturating_add(steps) >= limit)
    }
}

/// Solves as the settings say; `seed` counts where they name none. What can be explained to have no deck is not searched.
pub fn solve_problem(
    problem: &Problem,
    settings: &SolveSettings,
    seed: Seed,
    observer: SolverObserver<'_>,
) -> TimedAnswer {
    let clock = SolveClock::start(settings.time_limit);
    let reasons = words::tell_infeasibility(problem);
    if !reasons.is_empty() {
        return TimedAnswer::infeasible(reasons, clock.elapsed_seconds());
    }
    let (mut out_of_time, mut given_up) = (false, None);
    let mut watched = |progress: &SolverState<'_>| {
        let up = clock.is_time_up();
        out_of_time |= up;
        if let Some(limit) = settings.memory_limit.filter(|&limit| progress.bytes > limit) {
            given_up = Some(tell_memory(limit));
        }
        if up || given_up.is_some() { ControlFlow::Break(()) } else { observer(progress) }
    };
    let seed = settings.seed.unwrap_or(seed);
    let answer = match settings.method.unwrap_or_default() {
        SolveMethod::Exact => {
            let options = SolverOptions { seed, gap: gap_units(problem, settings.gap), above: None };
            let mut meter = WorkMeter::new(settings.work_limit);
            solve_exactly(problem, &options, &mut |progress| {
                let next = watched(progress);
                if meter.is_used_up(&progress.work) { ControlFlow::Break(()) } else { next }
            })
        }
        method => search_deck(problem, method, settings, seed, &mut watched),
    };
    TimedAnswer { answer, seconds: clock.elapsed_seconds(), out_of_time, reasons, given_up }
}

/// A proof needs more than so many bytes.
fn tell_memory(limit: usize) -> CodedMessage {
    coded![
        "deck-memory",
        "the proof was given up, as it needs more than {megabytes} MB of memory, the most here: fewer pieces to choose from need less, and a search without proof gives a deck",
        megabytes = limit >> 20
    ]
}

/// The gap in units. A share is taken of a deck that is found at once: no deck that is better makes it a larger share.
fn gap_units(problem: &Problem, gap: Option<AllowedGap>) -> i64 {
    /// More than any deck is worth.
    const MOST: f64 = (1u64 << 50) as f64;
    let units = problem.pool().units;
    match gap {
        None => 0,
        Some(AllowedGap::Score(score)) => (score * units).floor().min(MOST) as i64,
        Some(AllowedGap::Share(share)) => {
            let value = {
                let options = ishi_deck::search::SearchOptions::new(Seed::new(1));
                let found = ishi_deck::search::greedy_construction(problem, &options, &mut |_| {
                    ControlFlow::Continue(())
                });
                found.map_or(0, |found| found.value)
            };
            (share * value.max(0) as f64).floor().min(MOST) as i64
        }
    }
}

fn search_deck(
    problem: &Problem,
    method: SolveMethod,
    settings: &SolveSettings,
    seed: Seed,
    observer: SolverObserver<'_>,
) -> DeckAnswer {
    use ishi_deck::search;
    let mut options = search::SearchOptions::new(seed);
    if settings.time_limit.is_some() || settings.work_limit.is_some() {
        // A limit ends it.
        (options.steps, options.starts) = (settings.work_limit.unwrap_or(u64::MAX), u64::MAX);
    }
    let found = match method {
        SolveMethod::Ours | SolveMethod::Exact => search::tabu_search(problem, &options, observer),
        SolveMethod::VariableDepth => search::variable_depth_search(
            problem,
            &options,
            &search::VariableDepthOptions::default(),
            observer,
        ),
        SolveMethod::SwapChains => search::climb_by_swap_chains(problem, &options, observer),
        SolveMethod::Annealing => search::simulated_annealing(problem, &options, observer),
        SolveMethod::HillClimbing => search::hill_climbing(problem, &options, observer),
        SolveMethod::Greedy => search::greedy_construction(problem, &options, observer),
    };
    let bound = compute_bound(problem, seed, settings.work_limit.is_some(), observer);
    let Some(found) = found else {
        let infeasible = bound.status == AnswerStatus::Infeasible;
        let status = if infeasible { AnswerStatus::Infeasible } else { AnswerStatus::Unknown };
        return DeckAnswer {
            status,
            deck: None,
            value: None,
            bound: bound.bound,
            work: SolveEffort::default(),
        };
    };
    let status =
        if bound.bound == Some(found.value) { AnswerStatus::Optimal } else { AnswerStatus::Feasible };
    let work = SolveEffort { moves: found.moves, ..SolveEffort::default() };
    DeckAnswer { status, deck: Some(found.deck), value: Some(found.value), bound: bound.bound, work }
}

/// The solver's bound of a deck that was found in another way: what it knows after a moment, by the clock or by its steps.
fn compute_bound(problem: &Problem, seed: Seed, by_steps: bool, observer: SolverObserver<'_>) -> DeckAnswer {
    /// First bounds are rough; most proofs take no longer than this.
    const MOMENT: Duration = Duration::from_millis(500);
    /// About as much for a few hundred pieces (measured: 47,000 steps a second of one core).
    const MOMENT_STEPS: u64 = 20_000;
    let clock = SolveClock::start((!by_steps).then_some(MOMENT));
    let mut meter = WorkMeter::new(by_steps.then_some(MOMENT_STEPS));
    let options = SolverOptions { seed, gap: 0, above: None };
    solve_exactly(problem, &options, &mut |progress| {
        let over = meter.is_used_up(&progress.work) || clock.is_time_up();
        if over { ControlFlow::Break(()) } else { observer(progress) }
    })
}
