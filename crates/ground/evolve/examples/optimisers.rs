//! Differential evolution and CMA-ES on Rosenbrock's valley: how near each comes to the least value, 0, with how many evaluations.
//!
//! `cargo run --release -p ishi-evolve --example optimisers -- DIMENSIONS SEED`

#![allow(clippy::disallowed_methods, clippy::print_stdout)] // It is told what to do, and says what was found.

use ishi_evolve::problem::Minimize;
use ishi_evolve::{CmaEs, CmaParams, DeParams, DifferentialEvolution, EvolveError, RunLimits};
use ishi_rng::Seed;

/// A long bent valley. Its least value, 0, stands where all coordinates are 1.
fn find_height(point: &[f64]) -> f64 {
    let step = |pair: &[f64]| 100.0 * (pair[1] - pair[0].powi(2)).powi(2) + (1.0 - pair[0]).powi(2);
    point.windows(2).map(step).sum()
}

fn main() -> Result<(), EvolveError> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("a whole number"));
    let (dimensions, seed) = (numbers.next().unwrap_or(5), numbers.next().unwrap_or(1));
    let dimensions = usize::try_from(dimensions).unwrap_or(usize::MAX);
    let limits = RunLimits { evaluations: Some(20_000), target: Some(1e-9), ..RunLimits::default() };

    let mut evolution = DifferentialEvolution::start(DeParams::new(dimensions), Seed::new(seed))?;
    evolution.run_until_limit(&mut Minimize(find_height), &limits, &mut ())?;
    let found = evolution.state();
    let least = found.best.as_ref().map_or(f64::INFINITY, |best| best.value);
    println!("DE/rand/1/bin {least:12.3e} after {} evaluations", found.evaluations);

    let params = CmaParams { mean: vec![0.0; dimensions], sigma: 0.5, population: None, seed };
    let mut cma = CmaEs::start(params)?;
    cma.run_until_limit(&mut Minimize(find_height), &limits, &mut ())?;
    let least = cma.state().best.as_ref().map_or(f64::INFINITY, |best| best.value);
    println!("CMA-ES        {least:12.3e} after {} evaluations", cma.evaluations());
    Ok(())
}
