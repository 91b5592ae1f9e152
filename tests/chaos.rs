//! Chaos: programs are killed, frozen, stopped and cut off, their disk is full, and the clock is another, at moments that a seed draws. The same command is
//! then given again, and must end with the result of a run that nobody disturbed: nothing lost, nothing wrong, no panic, and exit codes as
//! documented.
//!
//! A round disturbs one scenario one to three times. What happens in it follows from seed and number of the round; how far the program
//! had come by then is the machine's affair, as moments are parts of the time that an undisturbed run took on it.
//!
//! The machine's clock is left alone: setting it takes the superuser, and would disturb whatever else the machine does. A jump is what
//! a program sees of one. For one that is frozen all clocks jump ahead. For another one the time of day jumps by up to a month while it runs
//! (`WrongClock`), and it must do its work all the same. After that its files are from another time, up to ten years ahead or back. What reads the clock
//! besides (time budgets, cookies, pauses after wrong tokens) has tests with clocks of its own.
//!
//! `kept` keeps a line for each round in a file, so that many rounds can be run in several sittings.

#![allow(missing_docs, clippy::disallowed_methods)]

mod blows;
mod commands;
mod kept;
mod servers;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ishi_rng::{Rng, Seed};

use self::blows::{Blow, BlowKind};
use self::kept::{KeptRounds, RoundResult};
use crate::support::wrong_clock::WrongClock;

/// As many as there are scenarios and sorts of blows together: each meets each once.
const ROUNDS: u64 = (SCENARIOS.len() * BlowKind::ALL.len()) as u64;

/// The most blows of a round.
const MOST_BLOWS: u32 = 3;

/// The next blow of a round falls within this part of the time: some of the work is done by then.
const LATER: f64 = 0.5;

/// After so many rounds it is measured again how long the work takes.
const ROUNDS_BETWEEN_MEASURES: usize = 60;

/// Work that is disturbed, and then finished.
trait Work {
    /// Goes on with the work while the blow falls. Is the work done all the same?
    fn disturb(&mut self, folder: &Path, blow: &Blow) -> Result<bool, String>;

    /// Does what is left, and gives what has come of it.
    fn finish(&mut self, folder: &Path) -> Result<Outcome, String>;
}

/// What must be the same, byte for byte, whatever happened before: texts by name.
type Outcome = BTreeMap<String, String>;

struct Scenario {
    name: &'static str,
    /// Sizes of disks that are full before all is done, or soon after, in blocks of 512 bytes.
    disks: RangeInclusive<u32>,
    begin: fn(&Path) -> Box<dyn Work>,
}

impl Scenario {
    /// What comes of it when nobody disturbs it, and the time that this takes.
    fn run_undisturbed(&self) -> (Outcome, Duration) {
        let folder = tempfile::tempdir().unwrap();
        let mut work = (self.begin)(folder.path());
        let begun = Instant::now();
        let outcome = work.finish(folder.path()).unwrap_or_else(|what| panic!("{}: {what}", self.name));
        (outcome, begun.elapsed())
    }
}

const SCENARIOS: [Scenario; 6] = [
    Scenario { name: "match", disks: 0..=800, begin: commands::begin_match },
    Scenario { name: "experiment", disks: 0..=1000, begin: commands::begin_experiment },
    Scenario { name: "learning", disks: 0..=12, begin: commands::begin_learning },
    Scenario { name: "count", disks: 0..=4000, begin: commands::begin_count },
    Scenario { name: "decks", disks: 0..=8, begin: servers::begin_decks },
    Scenario { name: "workbench", disks: 130..=420, begin: servers::begin_workbench },
];

/// A scenario with what comes of it when nobody disturbs it, and the time that this takes.
struct Calm {
    scenario: Scenario,
    outcome: Outcome,
    time: Duration,
}

impl Calm {
    fn measure(scenario: Scenario) -> Calm {
        let (outcome, time) = scenario.run_undisturbed();
        Calm { scenario, outcome, time }
    }

    /// On a machine that has less to do by now, blows would come when the work has ended.
    fn measure_again(&mut self) {
        let (outcome, time) = self.scenario.run_undisturbed();
        let difference = first_difference(&self.outcome, &outcome);
        assert_eq!(difference, None, "{}: what nobody disturbs must end the same", self.scenario.name);
        self.time = time;
    }
}

/// Which rounds are run: `ISHI_CHAOS_ROUNDS` of them, from `ISHI_CHAOS_FIRST` on, with the seed `ISHI_CHAOS_SEED`.
struct Plan {
    seed: Seed,
    first: u64,
    rounds: u64,
}

impl Plan {
    fn from_environment() -> Plan {
        Plan {
            seed: Seed::new(number_from_environment("ISHI_CHAOS_SEED", 1)),
            first: number_from_environment("ISHI_CHAOS_FIRST", 0),
            rounds: number_from_environment("ISHI_CHAOS_ROUNDS", ROUNDS),
        }
    }
}

fn number_from_environment(name: &str, usual: u64) -> u64 {
    let Ok(text) = std::env::var(name) else { return usual };
    text.parse().unwrap_or_else(|_| panic!("{name}: {text:?} is no whole number"))
}

#[test]
fn whatever_happens_the_same_command_ends_with_the_same_result() {
    let plan = Plan::from_environment();
    let mut kept = KeptRounds::open(std::env::var_os("ISHI_CHAOS_TABLE").as_deref().map(Path::new));
    let missing = kept.missing_rounds(&plan);
    let mut calm = SCENARIOS.map(Calm::measure);
    let library = tempfile::tempdir().unwrap();
    let clock = build_clock(library.path());
    let mut faults = Vec::new();
    for (number, round) in missing.into_iter().enumerate() {
        if number > 0 && number % ROUNDS_BETWEEN_MEASURES == 0 {
            calm.iter_mut().for_each(Calm::measure_again);
        }
        let result = run_round(&plan, round, &calm, clock.as_ref(), &mut faults);
        kept.add(result);
    }
    let results = kept.of_plan(&plan);
    println!("{}", Table::of(&results).to_text(&plan));
    assert!(faults.is_empty(), "{} rounds went wrong:\n\n{}", faults.len(), faults.join("\n\n"));
    let wrong: Vec<String> =
        results.iter().filter(|result| result.fault.is_some()).map(|result| result.to_line()).collect();
    assert!(
        wrong.is_empty(),
        "rounds of earlier sittings went wrong; without its line a round is run again:\n{}",
        wrong.join("\n")
    );
}

/// What programs that run are shown another time by. Where it cannot be had, that is said once.
fn build_clock(folder: &Path) -> Option<Arc<WrongClock>> {
    let clock = WrongClock::build(folder).map(Arc::new);
    if clock.is_none() {
        // Past the test runner's capture.
        let told = "SKIPPED: a clock that jumps while a program runs: the program is killed, and its files are dated";
        let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{told}\n").as_bytes());
    }
    clock
}

/// Scenarios and first blows take turns, so that few rounds meet them all; the rest is drawn.
fn run_round(
    plan: &Plan,
    round: u64,
    calm: &[Calm],
    clock: Option<&Arc<WrongClock>>,
    faults: &mut Vec<String>,
) -> RoundResult {
    let turn = usize::try_from(round % ROUNDS).unwrap();
    let (calm, first) = (&calm[turn % calm.len()], BlowKind::ALL[turn / calm.len()]);
    let blows = draw_blows(first, calm, clock, &mut plan.seed.stream("round", round));
    let folder = tempfile::tempdir().unwrap();
    let mut done = Vec::new();
    let outcome = run_disturbed(calm, &blows, folder.path(), &mut done);
    if let Err(what) = &outcome {
        let blows: Vec<String> = blows.iter().map(ToString::to_string).collect();
        faults.push(format!(
            "round {round} of seed {seed}, {name} ({blows}): {what}\n\
             what it left is in {folder}; again: ISHI_CHAOS_SEED={seed} ISHI_CHAOS_FIRST={round} ISHI_CHAOS_ROUNDS=1",
            seed = plan.seed,
            name = calm.scenario.name,
            blows = blows.join(", then "),
            folder = folder.keep().display(),
        ));
    }
    RoundResult {
        seed: plan.seed.to_string(),
        round,
        scenario: calm.scenario.name.to_string(),
        blows: done,
        fault: outcome.err(),
    }
}

fn draw_blows(first: BlowKind, calm: &Calm, clock: Option<&Arc<WrongClock>>, rng: &mut Rng) -> Vec<Blow> {
    let number = 1 + rng.next_below(MOST_BLOWS);
    let (mut kind, mut time) = (first, calm.time);
    let mut blows = Vec::new();
    for _ in 0..number {
        blows.push(Blow::draw(kind, time, &calm.scenario.disks, clock, rng));
        kind = BlowKind::ALL[rng.next_index(BlowKind::ALL.len())];
        time = time.mul_f64(LATER);
    }
    blows
}

fn run_disturbed(
    calm: &Calm,
    blows: &[Blow],
    folder: &Path,
    done: &mut Vec<BlowResult>,
) -> Result<(), String> {
    let mut work = (calm.scenario.begin)(folder);
    for blow in blows {
        let is_done = work.disturb(folder, blow);
        done.push((blow.kind, *is_done.as_ref().unwrap_or(&false)));
        is_done?;
    }
    first_difference(&calm.outcome, &work.finish(folder)?).map_or(Ok(()), Err)
}

/// Where an outcome is not that of an undisturbed run, in words.
fn first_difference(calm: &Outcome, found: &Outcome) -> Option<String> {
    let names: Vec<&String> = calm.keys().chain(found.keys()).collect();
    let name = names.into_iter().find(|&name| calm.get(name) != found.get(name))?;
    let (Some(calm), Some(found)) = (calm.get(name), found.get(name)) else {
        return Some(format!("{name} is there only with or only without disturbance"));
    };
    let line = calm.lines().zip(found.lines()).find(|(calm, found)| calm != found);
    let (calm, found) = line.unwrap_or(("(one text is longer)", ""));
    Some(format!("{name} is another:\n  undisturbed {calm}\n  disturbed   {found}"))
}

/// A blow, and whether the work was done all the same.
type BlowResult = (BlowKind, bool);

/// Blows of one sort to one scenario.
#[derive(Clone, Copy, Default)]
struct Cell {
    blows: u32,
    /// After these the work was not done.
    broken_off: u32,
}

#[derive(Default)]
struct Row {
    rounds: u32,
    wrong: u32,
    cells: BTreeMap<BlowKind, Cell>,
}

impl Row {
    fn count_blow(&mut self, kind: BlowKind, is_done: bool) {
        let cell = self.cells.entry(kind).or_default();
        cell.blows += 1;
        cell.broken_off += u32::from(!is_done);
    }
}

/// What was done to what, by scenario.
#[derive(Default)]
struct Table(BTreeMap<String, Row>);

impl Table {
    fn of(results: &[&RoundResult]) -> Table {
        let mut table = Table::default();
        for result in results {
            let row = table.0.entry(result.scenario.clone()).or_default();
            row.rounds += 1;
            row.wrong += u32::from(result.fault.is_some());
            result.blows.iter().for_each(|&(kind, is_done)| row.count_blow(kind, is_done));
        }
        table
    }

    fn to_text(&self, plan: &Plan) -> String {
        let run: u32 = self.0.values().map(|row| row.rounds).sum();
        let blows: u32 = self.0.values().flat_map(|row| row.cells.values()).map(|cell| cell.blows).sum();
        let mut text = format!(
            "chaos: seed {}, {run} of {} rounds from {}, {blows} blows\n",
            plan.seed, plan.rounds, plan.first
        );
        text += "blows, and those after which there was work left to do\n";
        text += &" ".repeat(12);
        for word in BlowKind::ALL.map(BlowKind::name).into_iter().chain(["rounds", "wrong"]) {
            write!(text, "{word:>16}").unwrap();
        }
        for (name, row) in &self.0 {
            write!(text, "\n{name:<12}").unwrap();
            for kind in BlowKind::ALL {
                let cell = row.cells.get(&kind).copied().unwrap_or_default();
                let both = format!("{} / {}", cell.blows, cell.broken_off);
                write!(text, "{both:>16}").unwrap();
            }
            write!(text, "{:>16}{:>16}", row.rounds, row.wrong).unwrap();
        }
        text
    }
}

/// The comparison itself finds what it is there for.
#[test]
fn a_difference_is_found() {
    let outcome = |texts: &[(&str, &str)]| -> Outcome {
        texts.iter().map(|&(name, text)| (name.to_string(), text.to_string())).collect()
    };
    let calm = outcome(&[("a", "1\n2\n"), ("b", "3\n")]);
    assert_eq!(first_difference(&calm, &calm), None);
    for (found, words) in [
        (outcome(&[("a", "1\n2\n"), ("b", "4\n")]), "b is another:\n  undisturbed 3\n  disturbed   4"),
        (outcome(&[("a", "1\n2\n3\n"), ("b", "3\n")]), "a is another:\n  undisturbed (one text is longer)"),
        (outcome(&[("a", "1\n2\n")]), "b is there only"),
        (outcome(&[("a", "1\n2\n"), ("b", "3\n"), ("c", "")]), "c is there only"),
    ] {
        let told = first_difference(&calm, &found).unwrap();
        assert!(told.starts_with(words), "{told}");
    }
}
