//! Which values are tried next, and when it is enough.

use ishi_evolve::{CmaEs, CmaParams, EvolveError, OptimizationGoal, Spsa, SpsaParams};
use ishi_rng::Seed;
use ishi_stats::elo::ELO_PER_NAT;
use ishi_stats::{ConfidenceLevel, Interval, SampleSummary};
use ishi_words::coded;

use super::space::TuningSpace;
use crate::error::LabError;

/// SPSA's first perturbation, of the whole range.
const PERTURBATION: f64 = 0.2;
/// How far SPSA's first step goes for the whole score.
const STEP: f64 = 0.5;
/// CMA-ES's first standard deviation, of the whole range.
const SIGMA: f64 = 0.25;
/// What a point of CMA-ES loses with the square of its distance from the box, in score: nothing else brings it back.
const OUTSIDE_LOSS: f64 = 4.0;
/// Before so many steps nobody can say whether they still gain.
const LEAST_STEPS: usize = 12;
/// Nearer to 0 and 1 than this a score says little of Elo.
const LEAST_SHARE: f64 = 0.02;

/// How the next values are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TuningMethod {
    /// Two points a step.
    Spsa,
    /// A generation of points a step.
    CmaEs,
}

/// How a tuner goes about it.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningOptions {
    /// How the next values are found.
    pub method: TuningMethod,
    /// Steps, at most.
    pub steps: u64,
    /// It ends when the interval of the smoothed gain lies below so much Elo; 0 or less: never before the last step.
    pub least_gain: f64,
    /// All that is random in the choice of points follows from it.
    pub seed: Seed,
}

/// A step that was made.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningStep {
    /// The mean score of the points that were tried, 0 to 1.
    pub score: f64,
    /// Where the tuner stood after it, each coordinate 0 to 1.
    pub point: Vec<f64>,
}

/// What the last third of the steps gained over the third before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothedGain {
    /// In Elo against the opponent.
    pub elo: f64,
    /// Its interval at the usual confidence, by the scatter of the steps' scores.
    pub interval: Interval,
}

/// Why tuning has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TuningEnd {
    /// All steps are made.
    Steps,
    /// What a third of the steps gains is less than was asked for, and the noise leaves no room for more.
    NoMoreGain,
}

/// A tuner. Its state follows from its space, its options and the scores that it was told.
///
/// ```
/// use ishi_engine::Othello;
/// use ishi_lab::tune::{Tuner, TuningMethod, TuningOptions, TuningSpace};
/// use ishi_rng::Seed;
/// let space = TuningSpace::parse::<Othello>("othello-wpc:epsilon=0..1@0.8").unwrap();
/// let options = TuningOptions { method: TuningMethod::Spsa, steps: 30, least_gain: 0.0, seed: Seed::new(1) };
/// let mut tuner = Tuner::start(&space, options).unwrap();
/// while tuner.end().is_none() {
///     // Who errs less wins more. A real score comes from games.
///     let scores: Vec<f64> = tuner.ask_points().unwrap().iter().map(|point| 0.9 - 0.5 * point[0]).collect();
///     tuner.tell_scores(&scores).unwrap();
/// }
/// assert!(tuner.tuned_point()[0] < 0.3);
/// ```
pub struct Tuner {
    options: TuningOptions,
    start: Vec<f64>,
    search: Search,
    steps: Vec<TuningStep>,
}

enum Search {
    Spsa(Spsa),
    CmaEs(Box<CmaEs>),
}

impl Tuner {
    /// Begins where the space does.
    ///
    /// # Errors
    /// If the space has no parameter.
    pub fn start(space: &TuningSpace, options: TuningOptions) -> Result<Tuner, LabError> {
        Tuner::start_at(space.start(), space.least_perturbations(), options)
    }

    fn start_at(start: Vec<f64>, least: Vec<f64>, options: TuningOptions) -> Result<Tuner, LabError> {
        let search = match options.method {
            TuningMethod::Spsa => {
                let params = SpsaParams {
                    start: start.clone(),
                    perturbation: PERTURBATION,
                    least,
                    step: STEP,
                    planned: options.steps,
                    seed: options.seed,
                };
                Search::Spsa(Spsa::start(params).map_err(search_failure)?)
            }
            TuningMethod::CmaEs => {
                let seed = options.seed.child_seed("cma-es", 0).value();
                let population = Some(noisy_population(start.len()));
                let params = CmaParams { mean: start.clone(), sigma: SIGMA, population, seed };
                Search::CmaEs(Box::new(CmaEs::start(params).map_err(search_failure)?))
            }
        };
        Ok(Tuner { options, start, search, steps: Vec::new() })
    }

    /// The points to be tried in the next step, each coordinate 0 to 1.
    ///
    /// # Errors
    /// If CMA-ES gives up.
    pub fn ask_points(&self) -> Result<Vec<Vec<f64>>, LabError> {
        match &self.search {
            Search::Spsa(spsa) => Ok(spsa.ask_points().to_vec()),
            Search::CmaEs(cma) => {
                let points = cma.ask_points().map_err(search_failure)?.points;
                Ok(points.into_iter().map(|point| clamp_point(&point)).collect())
            }
        }
    }

    /// Takes the scores of the points, 0 to 1, in their order, and makes the step.
    ///
    /// # Errors
    /// If there is not one score for each point, or CMA-ES gives up.
    pub fn tell_scores(&mut self, scores: &[f64]) -> Result<(), LabError> {
        let point = match &mut self.search {
            Search::Spsa(spsa) => {
                let values: [f64; 2] = scores
                    .try_into()
                    .map_err(|_| search_failure(EvolveError::Values { asked: 2, given: scores.len() }))?;
                spsa.tell_values(values).map_err(search_failure)?;
                spsa.point().to_vec()
            }
            Search::CmaEs(cma) => {
                let points = cma.ask_points().map_err(search_failure)?.points;
                if scores.len() != points.len() {
                    let (asked, given) = (points.len(), scores.len());
                    return Err(search_failure(EvolveError::Values { asked, given }));
                }
                let lost = points.iter().map(|point| OUTSIDE_LOSS * squared_distance_from_box(point));
                let values: Vec<f64> = scores.iter().zip(lost).map(|(score, lost)| score - lost).collect();
                cma.tell_values(&values, OptimizationGoal::Maximize).map_err(search_failure)?;
                // Where the next generation is drawn from: what this one has taught.
                clamp_point(&cma.ask_points().map_err(search_failure)?.mean)
            }
        };
        let score = scores.iter().sum::<f64>() / scores.len() as f64;
        self.steps.push(TuningStep { score, point });
        Ok(())
    }

    /// The steps that were made.
    pub fn steps(&self) -> &[TuningStep] {
        &self.steps
    }

    /// Is it over, and why?
    pub fn end(&self) -> Option<TuningEnd> {
        if self.steps.len() as u64 >= self.options.steps {
            return Some(TuningEnd::Steps);
        }
        let gain = self.smoothed_gain()?;
        let is_enough = self.options.least_gain > 0.0 && gain.interval.high < self.options.least_gain;
        is_enough.then_some(TuningEnd::NoMoreGain)
    }

    /// What the last third of the steps gained over the third before it; `None` before there are twelve steps.
    pub fn smoothed_gain(&self) -> Option<SmoothedGain> {
        let third = self.steps.len() / 3;
        if self.steps.len() < LEAST_STEPS {
            return None;
        }
        let scores: Vec<f64> = self.steps.iter().map(|step| step.score).collect();
        let (rest, late) = scores.split_at(scores.len() - third);
        let middle = &rest[rest.len() - third..];
        let (late, middle) =
            (SampleSummary::from_sample(late).ok()?, SampleSummary::from_sample(middle).ok()?);
        let error = late.std_error()?.hypot(middle.std_error()?);
        let share = ((late.mean() + middle.mean()) / 2.0).clamp(LEAST_SHARE, 1.0 - LEAST_SHARE);
        let elo_per_score = ELO_PER_NAT / (share * (1.0 - share));
        let elo = elo_per_score * (late.mean() - middle.mean());
        let half = elo_per_score * error * ConfidenceLevel::default().z_score();
        Some(SmoothedGain { elo, interval: Interval { low: elo - half, high: elo + half } })
    }

    /// What the tuner recommends: the mean of where it stood in the last third of its steps, so that the noise of single steps
    /// averages out. Before the first step, where it begins.
    pub fn tuned_point(&self) -> Vec<f64> {
        (0..self.start.len())
            .map(|at| self.late_summary(at).map_or(self.start[at], |late| late.mean()))
            .collect()
    }

    /// For each coordinate between what the tuner moved in the last third of its steps: the mean plus and minus the usual
    /// number of standard deviations. It says how far the noise still carries it, and is no interval of the best value.
    pub fn late_ranges(&self) -> Vec<Interval> {
        let range = |at: usize| {
            let late = self.late_summary(at);
            let mean = late.as_ref().map_or(self.start[at], SampleSummary::mean);
            let deviation = late.and_then(|late| late.std_dev()).unwrap_or(0.0);
            let half = deviation * ConfidenceLevel::default().z_score();
            Interval { low: (mean - half).clamp(0.0, 1.0), high: (mean + half).clamp(0.0, 1.0) }
        };
        (0..self.start.len()).map(range).collect()
    }

    /// A coordinate in the last third of the steps.
    fn late_summary(&self, at: usize) -> Option<SampleSummary> {
        let late = &self.steps[self.steps.len() - self.steps.len().div_ceil(3)..];
        let values: Vec<f64> = late.iter().map(|step| step.point[at]).collect();
        SampleSummary::from_sample(&values).ok()
    }
}

/// Twice as many points as CMA-ES usually has: where values are noisy, fewer let the steps become small too early.
fn noisy_population(dimensions: usize) -> usize {
    2 * (4 + (3.0 * (dimensions as f64).ln()) as usize)
}

/// The nearest point of the box.
fn clamp_point(point: &[f64]) -> Vec<f64> {
    point.iter().map(|x| x.clamp(0.0, 1.0)).collect()
}

fn squared_distance_from_box(point: &[f64]) -> f64 {
    point.iter().map(|x| (x - x.clamp(0.0, 1.0)).powi(2)).sum()
}

fn search_failure(error: EvolveError) -> LabError {
    LabError::Input(coded!["lab-tune-stopped", "the tuner cannot go on: {cause}", cause = error])
}

#[cfg(test)]
mod tests {
    use ishi_rng::Rng;
    use ishi_stats::elo::expected_score;

    use super::*;

    /// Players whose strength is known: 800 Elo are lost with the square of the distance from the best values.
    const BEST: [f64; 2] = [0.3, 0.7];
    const DETUNED: [f64; 2] = [0.9, 0.15];

    fn strength(point: &[f64]) -> f64 {
        -800.0 * point.iter().zip(&BEST).map(|(x, best)| (x - best).powi(2)).sum::<f64>()
    }

    /// The score of so many games against the detuned player.
    fn play(point: &[f64], games: u32, rng: &mut Rng) -> f64 {
        let share = expected_score(strength(point) - strength(&DETUNED));
        f64::from((0..games).filter(|_| rng.chance(share)).count() as u32) / f64::from(games)
    }

    fn tuner(method: TuningMethod, steps: u64, least_gain: f64, seed: u64) -> Tuner {
        let options = TuningOptions { method, steps, least_gain, seed: Seed::new(seed) };
        Tuner::start_at(DETUNED.to_vec(), vec![0.0; 2], options).unwrap()
    }

    fn make_step(tuner: &mut Tuner, seed: u64) {
        let step = tuner.steps().len() as u64;
        let points = tuner.ask_points().unwrap();
        let score = |(at, point): (usize, &Vec<f64>)| {
            play(point, 32, &mut Seed::new(seed).child_seed("step", step).stream("point", at as u64))
        };
        let scores: Vec<f64> = points.iter().enumerate().map(score).collect();
        tuner.tell_scores(&scores).unwrap();
    }

    /// 530 Elo can be won, and the noise of the games leaves little of the way.
    #[test]
    fn a_detuned_player_becomes_nearly_the_best() {
        for (method, steps) in [(TuningMethod::Spsa, 100), (TuningMethod::CmaEs, 25)] {
            for seed in 1..4 {
                let mut tuner = tuner(method, steps, 0.0, seed);
                while tuner.end().is_none() {
                    make_step(&mut tuner, seed);
                }
                assert_eq!(tuner.end(), Some(TuningEnd::Steps));
                let lost = -strength(&tuner.tuned_point());
                assert!(strength(&DETUNED) < -500.0 && lost < 90.0, "{method:?} {seed}: {lost} Elo are lost");
                assert!(tuner.steps().iter().flat_map(|step| &step.point).all(|x| (0.0..=1.0).contains(x)));
                for (x, range) in tuner.tuned_point().iter().zip(tuner.late_ranges()) {
                    assert!(range.contains(*x));
                }
            }
        }
    }

    /// The interval of the gain must be narrow before it ends, and it ends where nothing is left to gain.
    #[test]
    fn it_ends_when_noise_leaves_no_room_for_gain() {
        let mut tuner = tuner(TuningMethod::Spsa, 400, 20.0, 5);
        let mut gained_while = Vec::new();
        while tuner.end().is_none() {
            make_step(&mut tuner, 5);
            gained_while.push(strength(&tuner.steps().last().unwrap().point));
        }
        assert_eq!(tuner.end(), Some(TuningEnd::NoMoreGain));
        let gain = tuner.smoothed_gain().unwrap();
        assert!(gain.interval.high < 20.0 && gain.interval.low < gain.elo);
        assert!((LEAST_STEPS..400).contains(&tuner.steps().len()));
        assert!(gained_while.last().unwrap() - strength(&DETUNED) > 400.0);
    }

    #[test]
    fn a_tuner_is_led_again_by_its_scores() {
        for method in [TuningMethod::Spsa, TuningMethod::CmaEs] {
            let (mut first, mut again) = (tuner(method, 9, 0.0, 2), tuner(method, 9, 0.0, 2));
            for _ in 0..9 {
                make_step(&mut first, 3);
                assert_ne!(first.steps(), again.steps());
                make_step(&mut again, 3);
                assert_eq!(first.steps(), again.steps());
            }
            assert!(first.tell_scores(&[0.5]).is_err(), "one score for each point");
            assert_eq!(first.steps().len(), 9);
        }
    }
}
