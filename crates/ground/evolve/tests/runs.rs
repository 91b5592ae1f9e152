//! Convergence on standard functions, exact counts, and runs that go on bit for bit.

#![allow(missing_docs)]

use std::f64::consts::TAU;
use std::sync::atomic::{AtomicBool, Ordering};

use ishi_evolve::coevolve::CoevolutionState;
use ishi_evolve::problem::Minimize;
use ishi_evolve::{
    Base, Batch, Bounds, CmaEs, CmaParams, Coevolution, CoevolutionParams, Contest, Control, De, DeParams,
    DeState, Every, EvolveError, Goal, Interrupted, Limits, NewBest, Parents, Problem, Progress, RunEnd,
    Strategy,
};
use ishi_rng::Seed;
use proptest::prelude::{ProptestConfig, proptest};

fn sphere(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

fn rosenbrock(x: &[f64]) -> f64 {
    x.windows(2).map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2)).sum()
}

fn rastrigin(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v - 10.0 * (TAU * v).cos() + 10.0).sum()
}

fn generations(most: u64) -> Limits<'static> {
    Limits { generations: Some(most), ..Limits::default() }
}

/// The best value after so many generations.
fn best_of(params: DeParams, function: fn(&[f64]) -> f64, most: u64) -> f64 {
    let mut de = De::start(params, Seed::new(1)).unwrap();
    de.run(&mut Minimize(function), &generations(most), &mut ()).unwrap();
    de.state().best.as_ref().unwrap().value
}

fn params(dimensions: usize) -> DeParams {
    DeParams { population: 30, initial: (-5.0, 5.0), ..DeParams::new(dimensions) }
}

fn strategy(text: &str) -> Strategy {
    text.parse().unwrap()
}

#[test]
fn every_strategy_finds_the_spheres_centre() {
    for strategy in Strategy::all() {
        // The greedy ones need smaller steps to come to rest, exponential crossover needs long runs of coordinates.
        let control = Control::Fixed { f: 0.6, cr: 0.9 };
        let params = DeParams { strategy, control, population: 40, ..params(4) };
        let best = best_of(params, sphere, 300);
        assert!(best < 1e-6, "{strategy}: {best}");
    }
}

#[test]
fn standard_functions() {
    let rand = DeParams { control: Control::Fixed { f: 0.7, cr: 0.9 }, ..params(5) };
    assert!(best_of(rand.clone(), rosenbrock, 800) < 1e-6);
    // Rastrigin is separable: a small CR is right.
    let separable = DeParams { control: Control::Fixed { f: 0.5, cr: 0.2 }, ..rand };
    assert!(best_of(separable, rastrigin, 400) < 1e-6);
}

#[test]
fn jade_and_shade_need_no_tuning() {
    for control in [Control::Jade { c: 0.1 }, Control::Shade { memory: 30 }] {
        for (function, most) in [(sphere as fn(&[f64]) -> f64, 150), (rosenbrock, 600), (rastrigin, 300)] {
            let strategy = strategy("DE/current-to-pbest/1/bin");
            let params = DeParams { strategy, control, archive: true, p_best: 0.2, ..params(5) };
            let best = best_of(params, function, most);
            assert!(best < 1e-6, "{control:?}: {best}");
        }
    }
}

#[test]
fn bounds_hold_for_every_point() {
    let (low, high) = (-5.0, 5.0);
    for bounds in [Bounds::Clip { low, high }, Bounds::Reflect { low, high }, Bounds::Resample { low, high }]
    {
        // The optimum lies outside, at 7: the best is a corner.
        let outside = |x: &[f64]| {
            assert!(x.iter().all(|v| (low..=high).contains(v)), "{bounds:?} {x:?}");
            x.iter().map(|v| (v - 7.0).powi(2)).sum()
        };
        let mut de = De::start(DeParams { bounds, ..params(3) }, Seed::new(2)).unwrap();
        de.run(&mut Minimize(outside), &generations(200), &mut ()).unwrap();
        let best = de.state().best.clone().unwrap().value;
        assert!(best < 12.5, "{bounds:?}: {best}, 12 is the least");
    }
}

/// Noise by the number of the evaluation; counts, and stops when it is told to.
struct Noisy {
    goal: Goal,
    evaluated: u64,
    stop_at: Option<u64>,
}

impl Problem for Noisy {
    fn goal(&self) -> Goal {
        self.goal
    }

    fn evaluate(&mut self, batch: &Batch<'_>) -> Result<Vec<f64>, Interrupted> {
        if self.stop_at.is_some_and(|stop| batch.first + batch.points.len() as u64 > stop) {
            return Err(Interrupted);
        }
        self.evaluated += batch.points.len() as u64;
        let sign = if self.goal == Goal::Minimize { 1.0 } else { -1.0 };
        let noise = |number: u64| Seed::new(77).stream("noise", number).unit() * 0.1;
        let values = (batch.first..).zip(batch.points).map(|(n, x)| sign * (sphere(x) + noise(n)));
        Ok(values.collect())
    }
}

fn noisy(goal: Goal) -> Noisy {
    Noisy { goal, evaluated: 0, stop_at: None }
}

#[test]
fn evaluations_are_counted_and_limited_exactly() {
    for (parents, each) in [(Parents::KeepValue, 30), (Parents::Remeasure, 60)] {
        let mut problem = noisy(Goal::Maximize);
        let mut de = De::start(DeParams { parents, ..params(3) }, Seed::new(3)).unwrap();
        assert_eq!(de.next_cost(), 30);
        let limits = Limits { evaluations: Some(30 + 10 * each + each - 1), ..Limits::default() };
        let end = de.run(&mut problem, &limits, &mut ()).unwrap();
        assert_eq!(end, RunEnd::Evaluations);
        assert_eq!(de.state().generation, Some(10));
        assert_eq!(de.state().evaluations, 30 + 10 * each);
        assert_eq!(problem.evaluated, 30 + 10 * each);
    }
}

#[test]
fn runs_end_at_a_target_or_when_stopped() {
    let mut de = De::start(params(3), Seed::new(3)).unwrap();
    let limits = Limits { target: Some(0.01), ..Limits::default() };
    let end = de.run(&mut Minimize(sphere), &limits, &mut ()).unwrap();
    assert_eq!(end, RunEnd::Target);
    assert!(de.state().best.as_ref().unwrap().value <= 0.01);
    let stop = AtomicBool::new(false);
    let mut de = De::start(params(3), Seed::new(3)).unwrap();
    let limits = Limits { stop: Some(&stop), ..Limits::default() };
    let mut observer = |p: &Progress<'_>| stop.store(p.generation == 7, Ordering::Relaxed);
    assert_eq!(de.run(&mut Minimize(sphere), &limits, &mut observer).unwrap(), RunEnd::Stopped);
    assert_eq!(de.state().generation, Some(7));
}

#[test]
fn observers_hear_what_they_asked_for() {
    let mut every = Vec::new();
    let mut de = De::start(params(3), Seed::new(3)).unwrap();
    let mut observer = Every(5, |p: &Progress<'_>| every.push((p.generation, p.evaluations)));
    de.run(&mut Minimize(sphere), &generations(12), &mut observer).unwrap();
    assert_eq!(every, [(0, 30), (5, 180), (10, 330)]);
    let mut values = Vec::new();
    let mut de = De::start(params(3), Seed::new(3)).unwrap();
    let mut observer = NewBest(|p: &Progress<'_>| values.push(p.best.value));
    de.run(&mut Minimize(sphere), &generations(50), &mut observer).unwrap();
    assert!(values.len() > 5 && values.windows(2).all(|w| w[1] < w[0]), "{values:?}");
}

/// Kinds of runs that keep different things in their states.
fn kinds() -> Vec<DeParams> {
    let mut kinds: Vec<DeParams> =
        Strategy::all().into_iter().map(|strategy| DeParams { strategy, ..params(3) }).collect();
    let jade = Strategy { base: Base::CurrentToPBest, ..Strategy::RAND_1_BIN };
    for control in [Control::Jade { c: 0.1 }, Control::Shade { memory: 5 }] {
        kinds.push(DeParams { strategy: jade, control, archive: true, p_best: 0.2, ..params(3) });
    }
    kinds.push(DeParams { parents: Parents::Remeasure, ties_replace: false, ..params(3) });
    kinds.push(DeParams { bounds: Bounds::Resample { low: -1.0, high: 1.0 }, ..params(3) });
    kinds
}

/// Through JSON, as a laboratory keeps it.
fn kept<T: serde::Serialize + serde::de::DeserializeOwned>(state: &T) -> T {
    serde_json::from_str(&serde_json::to_string(state).unwrap()).unwrap()
}

#[test]
fn a_resumed_run_is_the_uninterrupted_one_bit_for_bit() {
    for params in kinds() {
        let mut whole = De::start(params.clone(), Seed::new(4)).unwrap();
        let end = whole.run(&mut noisy(Goal::Minimize), &generations(30), &mut ());
        assert_eq!(end.unwrap(), RunEnd::Generations);
        let mut parts = De::start(params.clone(), Seed::new(4)).unwrap();
        for stop_at in [0, 100, 333, 700, 5000] {
            let mut problem = Noisy { stop_at: Some(stop_at), ..noisy(Goal::Minimize) };
            parts.run(&mut problem, &generations(30), &mut ()).unwrap();
            let state: DeState = kept(parts.state());
            assert_eq!(serde_json::to_string(&state).unwrap(), serde_json::to_string(parts.state()).unwrap());
            parts = De::resume(params.clone(), state).unwrap();
        }
        assert_eq!(parts, whole, "{params:?}");
    }
}

#[test]
fn to_maximise_is_to_minimise_the_opposite() {
    let run = |goal| {
        let mut de = De::start(params(3), Seed::new(5)).unwrap();
        de.run(&mut noisy(goal), &generations(20), &mut ()).unwrap();
        de.state().population.iter().map(|member| member.point.clone()).collect::<Vec<_>>()
    };
    assert_eq!(run(Goal::Minimize), run(Goal::Maximize));
}

#[test]
fn wrong_states_and_parameters_are_named() {
    let message = |params: DeParams| De::start(params, Seed::new(1)).unwrap_err().to_string();
    let few = DeParams { population: 3, ..params(2) };
    assert_eq!(
        message(few),
        "invalid population 3: DE/rand/1/bin needs 4 members at least, 100000 are the most"
    );
    let control = Control::Fixed { f: 0.0, cr: 0.5 };
    assert_eq!(message(DeParams { control, ..params(2) }), "invalid F 0: F is above 0 and at most 2");
    let state = De::start(params(2), Seed::new(1)).unwrap().state().clone();
    let error = De::resume(params(3), state.clone()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the state does not fit the parameters: a point with 2 coordinates instead of 3"
    );
    let shade = DeParams { control: Control::Shade { memory: 3 }, ..params(2) };
    assert!(matches!(De::resume(shade, state), Err(EvolveError::State(_))));
    let mut de = De::start(params(2), Seed::new(1)).unwrap();
    let before = serde_json::to_string(de.state()).unwrap();
    let trials = de.ask(Goal::Minimize);
    let error = de.tell(trials, &[1.0, 2.0], Goal::Minimize).unwrap_err();
    assert_eq!(error.to_string(), "2 values for 30 points: one for each is right");
    assert_eq!(serde_json::to_string(de.state()).unwrap(), before, "nothing is changed");
}

fn cma(dimensions: usize) -> CmaEs {
    CmaEs::start(CmaParams { mean: vec![2.0; dimensions], sigma: 1.0, population: None, seed: 9 }).unwrap()
}

#[test]
fn cma_es_converges_and_counts() {
    let mut run = cma(5);
    run.run(&mut Minimize(rosenbrock), &generations(400), &mut ()).unwrap();
    assert!(run.state().best.as_ref().unwrap().value < 1e-6);
    assert_eq!(run.evaluations(), 401 * 8, "8 points a generation, the mean is not measured");
    let mut problem = noisy(Goal::Maximize);
    let mut run = cma(4);
    let limits = Limits { evaluations: Some(100), ..Limits::default() };
    assert_eq!(run.run(&mut problem, &limits, &mut ()).unwrap(), RunEnd::Evaluations);
    assert_eq!((run.evaluations(), problem.evaluated), (96, 96));
}

#[test]
fn cma_es_goes_on_bit_for_bit() {
    for goal in [Goal::Minimize, Goal::Maximize] {
        let mut whole = cma(4);
        whole.run(&mut noisy(goal), &generations(40), &mut ()).unwrap();
        let mut parts = cma(4);
        for stop_at in [0, 50, 133, 10_000] {
            let mut problem = Noisy { stop_at: Some(stop_at), ..noisy(goal) };
            parts.run(&mut problem, &generations(40), &mut ()).unwrap();
            parts = CmaEs::resume(kept(parts.state())).unwrap();
        }
        assert_eq!(parts.state(), whole.state());
        let bits = |cma: &CmaEs| cma.mean().iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&parts), bits(&whole));
        assert_eq!(parts.sigma().to_bits(), whole.sigma().to_bits());
        let best = whole.state().best.as_ref().unwrap().value;
        assert!(best.abs() < 0.2, "noise of up to 0.1 around the centre: {best}");
    }
}

/// Who is nearer to the centre wins, more or less.
fn duel(contests: &[Contest<'_>]) -> Result<Vec<f64>, Interrupted> {
    let score = |c: &Contest<'_>| {
        let noise = Seed::new(6).stream("duel", c.number).unit() - 0.5;
        let by = sphere(c.opponent).sqrt() - sphere(c.player).sqrt() + 0.2 * noise;
        1.0 / (1.0 + (-3.0 * by).exp())
    };
    Ok(contests.iter().map(score).collect())
}

#[test]
fn co_evolution_gets_better_and_goes_on_bit_for_bit() {
    for (hall, opponents) in [(0, 0), (5, 2)] {
        let params = CoevolutionParams { de: params(3), hall, opponents, every: 3 };
        let mut whole = Coevolution::start(params.clone(), Seed::new(8)).unwrap();
        let mut parts = whole.clone();
        let mut expected = 0;
        for generation in 0..60 {
            expected += whole.next_contests();
            whole.step(&mut duel).unwrap();
            let mut stopped = |_: &[Contest<'_>]| Err(Interrupted);
            if generation > 0 {
                assert_eq!(parts.step(&mut stopped), Err(EvolveError::Interrupted));
            }
            parts.step(&mut duel).unwrap();
            let state: CoevolutionState = kept(&parts.state());
            parts = Coevolution::resume(params.clone(), state).unwrap();
        }
        assert_eq!(parts.state(), whole.state());
        let state = whole.state();
        assert_eq!(state.contests, expected);
        assert_eq!(state.hall.len(), hall);
        let mean = state.de.population.iter().map(|m| sphere(&m.point).sqrt()).sum::<f64>() / 30.0;
        assert!(mean < 0.5, "from about 5 to {mean}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A state out of a damaged file is refused or works; it never makes anything panic.
    #[test]
    fn damaged_states_never_panic(at in 0usize..4000, byte in 32u8..127, seed: u64) {
        let mut de = De::start(params(2), Seed::new(seed)).unwrap();
        de.step(&mut Minimize(sphere)).unwrap();
        let mut text = serde_json::to_vec(de.state()).unwrap();
        let at = at % text.len();
        text[at] = byte;
        if let Ok(state) = serde_json::from_slice::<DeState>(&text)
            && let Ok(mut de) = De::resume(params(2), state)
        {
            let _ = de.step(&mut Minimize(sphere));
        }
    }
}
