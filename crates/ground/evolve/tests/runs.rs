//! Convergence on standard functions, exact counts, and runs that go on bit for bit.

#![allow(missing_docs)]

use std::f64::consts::TAU;

use ishi_evolve::coevolve::CoevolutionState;
use ishi_evolve::problem::Minimize;
use ishi_evolve::{
    BoundHandling, CmaEs, CmaParams, Coevolution, CoevolutionParams, Contest, DeParams, DeState, DeStrategy,
    DifferentialEvolution, EvaluationInterrupted, EveryNthGeneration, EvolveError, GenerationReport,
    MutationBase, OnNewBest, OptimizationGoal, OptimizationProblem, ParameterControl, ParentValues,
    PointBatch, RunEnd, RunLimits, Spsa, SpsaParams,
};
use ishi_rng::Seed;
use ishi_work::StopFlag;
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

fn generations(most: u64) -> RunLimits<'static> {
    RunLimits { generations: Some(most), ..RunLimits::default() }
}

/// The best value after so many generations.
fn best_of(params: DeParams, function: fn(&[f64]) -> f64, most: u64) -> f64 {
    let mut de = DifferentialEvolution::start(params, Seed::new(1)).unwrap();
    de.run_until_limit(&mut Minimize(function), &generations(most), &mut ()).unwrap();
    de.state().best.as_ref().unwrap().value
}

fn params(dimensions: usize) -> DeParams {
    DeParams { population: 30, initial: (-5.0, 5.0), ..DeParams::new(dimensions) }
}

fn strategy(text: &str) -> DeStrategy {
    text.parse().unwrap()
}

#[test]
fn every_strategy_finds_the_spheres_centre() {
    for strategy in DeStrategy::all_strategies() {
        // The greedy ones need smaller steps to come to rest, exponential crossover needs long runs of coordinates.
        let control = ParameterControl::Fixed { f: 0.6, cr: 0.9 };
        let params = DeParams { strategy, control, population: 40, ..params(4) };
        let best = best_of(params, sphere, 300);
        assert!(best < 1e-6, "{strategy}: {best}");
    }
}

#[test]
fn standard_functions() {
    let rand = DeParams { control: ParameterControl::Fixed { f: 0.7, cr: 0.9 }, ..params(5) };
    assert!(best_of(rand.clone(), rosenbrock, 800) < 1e-6);
    // Rastrigin is separable: a small CR is right.
    let separable = DeParams { control: ParameterControl::Fixed { f: 0.5, cr: 0.2 }, ..rand };
    assert!(best_of(separable, rastrigin, 400) < 1e-6);
}

#[test]
fn jade_and_shade_need_no_tuning() {
    for control in [ParameterControl::Jade { c: 0.1 }, ParameterControl::Shade { memory: 30 }] {
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
    for bounds in [
        BoundHandling::Clip { low, high },
        BoundHandling::Reflect { low, high },
        BoundHandling::Resample { low, high },
    ] {
        // The optimum lies outside, at 7: the best is a corner.
        let outside = |x: &[f64]| {
            assert!(x.iter().all(|v| (low..=high).contains(v)), "{bounds:?} {x:?}");
            x.iter().map(|v| (v - 7.0).powi(2)).sum()
        };
        let mut de = DifferentialEvolution::start(DeParams { bounds, ..params(3) }, Seed::new(2)).unwrap();
        de.run_until_limit(&mut Minimize(outside), &generations(200), &mut ()).unwrap();
        let best = de.state().best.clone().unwrap().value;
        assert!(best < 12.5, "{bounds:?}: {best}, 12 is the least");
    }
}

/// Noise by the number of the evaluation; counts, and stops when it is told to.
struct Noisy {
    goal: OptimizationGoal,
    evaluated: u64,
    stop_at: Option<u64>,
}

impl OptimizationProblem for Noisy {
    fn goal(&self) -> OptimizationGoal {
        self.goal
    }

    fn evaluate_batch(&mut self, batch: &PointBatch<'_>) -> Result<Vec<f64>, EvaluationInterrupted> {
        if self.stop_at.is_some_and(|stop| batch.first + batch.points.len() as u64 > stop) {
            return Err(EvaluationInterrupted);
        }
        self.evaluated += batch.points.len() as u64;
        let sign = if self.goal == OptimizationGoal::Minimize { 1.0 } else { -1.0 };
        let noise = |number: u64| Seed::new(77).stream("noise", number).next_unit() * 0.1;
        let values = (batch.first..).zip(batch.points).map(|(n, x)| sign * (sphere(x) + noise(n)));
        Ok(values.collect())
    }
}

fn noisy(goal: OptimizationGoal) -> Noisy {
    Noisy { goal, evaluated: 0, stop_at: None }
}

#[test]
fn evaluations_are_counted_and_limited_exactly() {
    for (parents, each) in [(ParentValues::KeepValue, 30), (ParentValues::Remeasure, 60)] {
        let mut problem = noisy(OptimizationGoal::Maximize);
        let mut de = DifferentialEvolution::start(DeParams { parents, ..params(3) }, Seed::new(3)).unwrap();
        assert_eq!(de.next_evaluations(), 30);
        let limits = RunLimits { evaluations: Some(30 + 10 * each + each - 1), ..RunLimits::default() };
        let end = de.run_until_limit(&mut problem, &limits, &mut ()).unwrap();
        assert_eq!(end, RunEnd::Evaluations);
        assert_eq!(de.state().generation, Some(10));
        assert_eq!(de.state().evaluations, 30 + 10 * each);
        assert_eq!(problem.evaluated, 30 + 10 * each);
    }
}

#[test]
fn runs_end_at_a_target_or_when_stopped() {
    let mut de = DifferentialEvolution::start(params(3), Seed::new(3)).unwrap();
    let limits = RunLimits { target: Some(0.01), ..RunLimits::default() };
    let end = de.run_until_limit(&mut Minimize(sphere), &limits, &mut ()).unwrap();
    assert_eq!(end, RunEnd::Target);
    assert!(de.state().best.as_ref().unwrap().value <= 0.01);
    let stop = StopFlag::default();
    let mut de = DifferentialEvolution::start(params(3), Seed::new(3)).unwrap();
    let limits = RunLimits { stop: Some(&stop), ..RunLimits::default() };
    let mut observer = |p: &GenerationReport<'_>| {
        if p.generation == 7 {
            stop.request();
        }
    };
    assert_eq!(de.run_until_limit(&mut Minimize(sphere), &limits, &mut observer).unwrap(), RunEnd::Stopped);
    assert_eq!(de.state().generation, Some(7));
}

#[test]
fn observers_hear_what_they_asked_for() {
    let mut every = Vec::new();
    let mut de = DifferentialEvolution::start(params(3), Seed::new(3)).unwrap();
    let mut observer =
        EveryNthGeneration(5, |p: &GenerationReport<'_>| every.push((p.generation, p.evaluations)));
    de.run_until_limit(&mut Minimize(sphere), &generations(12), &mut observer).unwrap();
    assert_eq!(every, [(0, 30), (5, 180), (10, 330)]);
    let mut values = Vec::new();
    let mut de = DifferentialEvolution::start(params(3), Seed::new(3)).unwrap();
    let mut observer = OnNewBest(|p: &GenerationReport<'_>| values.push(p.best.value));
    de.run_until_limit(&mut Minimize(sphere), &generations(50), &mut observer).unwrap();
    assert!(values.len() > 5 && values.windows(2).all(|w| w[1] < w[0]), "{values:?}");
}

/// Kinds of runs that keep different things in their states.
fn kinds() -> Vec<DeParams> {
    let mut kinds: Vec<DeParams> =
        DeStrategy::all_strategies().into_iter().map(|strategy| DeParams { strategy, ..params(3) }).collect();
    let jade = DeStrategy { base: MutationBase::CurrentToPBest, ..DeStrategy::RAND_1_BIN };
    for control in [ParameterControl::Jade { c: 0.1 }, ParameterControl::Shade { memory: 5 }] {
        kinds.push(DeParams { strategy: jade, control, archive: true, p_best: 0.2, ..params(3) });
    }
    kinds.push(DeParams { parents: ParentValues::Remeasure, ties_replace: false, ..params(3) });
    kinds.push(DeParams { bounds: BoundHandling::Resample { low: -1.0, high: 1.0 }, ..params(3) });
    kinds
}

/// Through JSON, as a laboratory keeps it.
fn kept<T: serde::Serialize + serde::de::DeserializeOwned>(state: &T) -> T {
    serde_json::from_str(&serde_json::to_string(state).unwrap()).unwrap()
}

#[test]
fn a_resumed_run_is_the_uninterrupted_one_bit_for_bit() {
    for params in kinds() {
        let mut whole = DifferentialEvolution::start(params.clone(), Seed::new(4)).unwrap();
        let end = whole.run_until_limit(&mut noisy(OptimizationGoal::Minimize), &generations(30), &mut ());
        assert_eq!(end.unwrap(), RunEnd::Generations);
        let mut parts = DifferentialEvolution::start(params.clone(), Seed::new(4)).unwrap();
        for stop_at in [0, 100, 333, 700, 5000] {
            let mut problem = Noisy { stop_at: Some(stop_at), ..noisy(OptimizationGoal::Minimize) };
            parts.run_until_limit(&mut problem, &generations(30), &mut ()).unwrap();
            let state: DeState = kept(parts.state());
            assert_eq!(serde_json::to_string(&state).unwrap(), serde_json::to_string(parts.state()).unwrap());
            parts = DifferentialEvolution::resume(params.clone(), state).unwrap();
        }
        assert_eq!(parts, whole, "{params:?}");
    }
}

#[test]
fn to_maximise_is_to_minimise_the_opposite() {
    let run = |goal| {
        let mut de = DifferentialEvolution::start(params(3), Seed::new(5)).unwrap();
        de.run_until_limit(&mut noisy(goal), &generations(20), &mut ()).unwrap();
        de.state().population.iter().map(|member| member.point.clone()).collect::<Vec<_>>()
    };
    assert_eq!(run(OptimizationGoal::Minimize), run(OptimizationGoal::Maximize));
}

#[test]
fn wrong_states_and_parameters_are_named() {
    let message =
        |params: DeParams| DifferentialEvolution::start(params, Seed::new(1)).unwrap_err().to_string();
    let few = DeParams { population: 3, ..params(2) };
    assert_eq!(
        message(few),
        "invalid population 3: DE/rand/1/bin needs 4 members at least, 100000 are the most"
    );
    let wide = DeParams { population: 10, ..params(10_000_001) };
    assert_eq!(
        message(wide),
        "invalid dimensions 10000001: a point must have 1 to 10000000 coordinates, with 10 members"
    );
    let most = format!("invalid population {}: ", usize::MAX);
    assert!(message(DeParams::new(usize::MAX)).starts_with(&most));
    let control = ParameterControl::Fixed { f: 0.0, cr: 0.5 };
    assert_eq!(message(DeParams { control, ..params(2) }), "invalid F 0: F must be above 0 and at most 2");
    let state = DifferentialEvolution::start(params(2), Seed::new(1)).unwrap().state().clone();
    let error = DifferentialEvolution::resume(params(3), state.clone()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the state does not fit the parameters: a point with 2 coordinates instead of 3"
    );
    let shade = DeParams { control: ParameterControl::Shade { memory: 3 }, ..params(2) };
    assert!(matches!(DifferentialEvolution::resume(shade, state), Err(EvolveError::State(_))));
    let mut de = DifferentialEvolution::start(params(2), Seed::new(1)).unwrap();
    let before = serde_json::to_string(de.state()).unwrap();
    let trials = de.ask_trials(OptimizationGoal::Minimize);
    let error = de.tell_values(trials, &[1.0, 2.0], OptimizationGoal::Minimize).unwrap_err();
    assert_eq!(error.to_string(), "2 values for 30 points: there must be one for each");
    assert_eq!(serde_json::to_string(de.state()).unwrap(), before, "nothing is changed");
}

fn cma(dimensions: usize) -> CmaEs {
    CmaEs::start(CmaParams { mean: vec![2.0; dimensions], sigma: 1.0, population: None, seed: 9 }).unwrap()
}

#[test]
fn cma_es_converges_and_counts() {
    let mut run = cma(5);
    run.run_until_limit(&mut Minimize(rosenbrock), &generations(400), &mut ()).unwrap();
    assert!(run.state().best.as_ref().unwrap().value < 1e-6);
    assert_eq!(run.evaluations(), 401 * 8, "8 points a generation, the mean is not measured");
    let mut problem = noisy(OptimizationGoal::Maximize);
    let mut run = cma(4);
    let limits = RunLimits { evaluations: Some(100), ..RunLimits::default() };
    assert_eq!(run.run_until_limit(&mut problem, &limits, &mut ()).unwrap(), RunEnd::Evaluations);
    assert_eq!((run.evaluations(), problem.evaluated), (96, 96));
}

#[test]
fn cma_es_goes_on_bit_for_bit() {
    for goal in [OptimizationGoal::Minimize, OptimizationGoal::Maximize] {
        let mut whole = cma(4);
        whole.run_until_limit(&mut noisy(goal), &generations(40), &mut ()).unwrap();
        let mut parts = cma(4);
        for stop_at in [0, 50, 133, 10_000] {
            let mut problem = Noisy { stop_at: Some(stop_at), ..noisy(goal) };
            parts.run_until_limit(&mut problem, &generations(40), &mut ()).unwrap();
            parts = CmaEs::resume(kept(parts.state())).unwrap();
        }
        assert_eq!(parts.state(), whole.state());
        let bits = |cma: &CmaEs| cma.distribution_mean().iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&parts), bits(&whole));
        assert_eq!(parts.step_size().to_bits(), whole.step_size().to_bits());
        let best = whole.state().best.as_ref().unwrap().value;
        assert!(best.abs() < 0.2, "noise of up to 0.1 around the centre: {best}");
    }
}

/// Who asks for whole generations and tells their values is led as by a problem that is asked point by point.
#[test]
fn cma_es_asked_for_generations_goes_the_same_way() {
    for goal in [OptimizationGoal::Minimize, OptimizationGoal::Maximize] {
        let sign = if goal == OptimizationGoal::Maximize { -1.0 } else { 1.0 };
        let (mut asked, mut run) = (cma(3), cma(3));
        for _ in 0..30 {
            let generation = asked.ask_points().unwrap();
            assert_eq!(generation, asked.ask_points().unwrap(), "asking changes nothing");
            let values: Vec<f64> = generation.points.iter().map(|point| sign * rosenbrock(point)).collect();
            asked.tell_values(&values, goal).unwrap();
            assert_eq!(generation.mean, asked.distribution_mean());
            run.run_generation(&mut Signed { goal, sign }).unwrap();
        }
        assert_eq!(asked.state(), run.state());
    }
    let mut run = cma(3);
    let error = run.tell_values(&[1.0], OptimizationGoal::Minimize).unwrap_err();
    assert_eq!(error.to_string(), "1 values for 7 points: there must be one for each");
}

/// Rosenbrock's function, or what is to be made great of it.
struct Signed {
    goal: OptimizationGoal,
    sign: f64,
}

impl OptimizationProblem for Signed {
    fn goal(&self) -> OptimizationGoal {
        self.goal
    }

    fn evaluate_batch(&mut self, batch: &PointBatch<'_>) -> Result<Vec<f64>, EvaluationInterrupted> {
        Ok(batch.points.iter().map(|point| self.sign * rosenbrock(point)).collect())
    }
}

fn spsa(start: Vec<f64>, least: Vec<f64>) -> Spsa {
    let params = SpsaParams { start, perturbation: 0.2, least, step: 0.5, planned: 150, seed: Seed::new(4) };
    Spsa::start(params).unwrap()
}

#[test]
fn spsa_climbs_through_noise_and_stays_in_its_box() {
    let best = [0.0, 0.7, 1.0];
    let mut run = spsa(vec![0.8, 0.1, 0.5], vec![0.0, 0.0, 0.25]);
    let distance = |x: &[f64]| x.iter().zip(&best).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    let before = distance(run.point());
    for step in 0..150 {
        let points = run.ask_points();
        assert!(points.iter().flatten().all(|x| (0.0..=1.0).contains(x)), "{points:?}");
        assert!((points[0][2] - points[1][2]).abs() >= 0.5 - 1e-12, "half a step to each side at least");
        let mut noise = Seed::new(8).stream("noise", step);
        let values = points.map(|point| 0.1 * (noise.next_unit() - 0.5) - distance(&point));
        run.tell_values(values).unwrap();
    }
    assert!(distance(run.point()) < 0.1 * before, "{:?}", run.point());
    assert_eq!(run.steps(), 150);
}

#[test]
fn spsa_names_what_is_wrong_and_then_changes_nothing() {
    let mut run = spsa(vec![0.5], vec![0.0]);
    let before = run.clone();
    assert!(run.tell_values([f64::NAN, 0.0]).is_err());
    assert_eq!(run, before);
    let params = SpsaParams {
        start: vec![1.5],
        perturbation: 0.2,
        least: vec![0.0],
        step: 0.5,
        planned: 10,
        seed: Seed::new(1),
    };
    let error = Spsa::start(params.clone()).unwrap_err().to_string();
    assert_eq!(error, "invalid start [1.5]: coordinates must lie from 0 to 1");
    let error = Spsa::start(SpsaParams { start: vec![0.5, 0.5], ..params }).unwrap_err().to_string();
    assert!(error.starts_with("invalid least [0.0]"), "{error}");
}

/// Who is nearer to the centre wins, more or less.
fn duel(contests: &[Contest<'_>]) -> Result<Vec<f64>, EvaluationInterrupted> {
    let score = |c: &Contest<'_>| {
        let noise = Seed::new(6).stream("duel", c.number).next_unit() - 0.5;
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
            whole.run_generation(&mut duel).unwrap();
            let mut stopped = |_: &[Contest<'_>]| Err(EvaluationInterrupted);
            if generation > 0 {
                assert_eq!(parts.run_generation(&mut stopped), Err(EvolveError::Interrupted));
            }
            parts.run_generation(&mut duel).unwrap();
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
        let mut de = DifferentialEvolution::start(params(2), Seed::new(seed)).unwrap();
        de.run_generation(&mut Minimize(sphere)).unwrap();
        let mut text = serde_json::to_vec(de.state()).unwrap();
        let at = at % text.len();
        text[at] = byte;
        if let Ok(state) = serde_json::from_slice::<DeState>(&text)
            && let Ok(mut de) = DifferentialEvolution::resume(params(2), state)
        {
            let _ = de.run_generation(&mut Minimize(sphere));
        }
    }
}
