//! Every target of fuzzing over its corpus, and over mutants that follow from a seed.
//!
//! `ISHI_FUZZ_MUTANTS` is how many mutants a quick target gets (slow ones get fewer), `ISHI_FUZZ_SECONDS` how long each target is run at most,
//! `ISHI_FUZZ_SEED` the seed, `ISHI_FUZZ_TARGET` the only target that is run. `.ci/fuzz` runs all, several at once.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ishi_fuzz_targets::seeds::make_kept_seeds;
use ishi_fuzz_targets::servers::{answer_form, form_status, page_status};
use ishi_fuzz_targets::{FuzzLimits, FuzzTarget, TARGETS, mutate_input, number_from_environment};
use ishi_rng::Seed;

/// Mutants of a quick target in a plain `cargo test`.
const MUTANTS: u64 = 200;

/// So many inputs that break a target are enough to find out why.
const MOST_BROKEN: usize = 20;

/// All corpora together have so many bytes at most.
const MOST_BYTES: usize = 300_000;

/// Panics in this process, whichever thread has them.
static PANICS: AtomicU64 = AtomicU64::new(0);

/// Tests that count panics take turns.
fn wait_for_turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn fuzz_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../fuzz")
}

/// The inputs of a target by name, in the order of their names.
fn read_corpus(target: &FuzzTarget) -> Vec<(String, Vec<u8>)> {
    let folder = fuzz_folder().join("corpus").join(target.name);
    let entries = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: every target must have a corpus: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect()
}

/// Counts panics of all threads: a server answers others when one of its threads has died.
fn count_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        PANICS.fetch_add(1, Ordering::SeqCst);
        usual(info);
    }));
}

/// Does the target hold for this input, in all threads?
fn holds(target: &FuzzTarget, input: &[u8]) -> bool {
    let before = PANICS.load(Ordering::SeqCst);
    let ended = catch_unwind(AssertUnwindSafe(|| (target.check)(input)));
    ended.is_ok() && PANICS.load(Ordering::SeqCst) == before
}

/// Keeps an input that breaks a target where libFuzzer would, and says where.
fn keep_input(target: &FuzzTarget, name: &str, input: &[u8]) -> String {
    let folder = fuzz_folder().join("artifacts").join(target.name);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, input).unwrap();
    format!("{}: {}", target.name, path.display())
}

/// What came of a target.
#[derive(Default)]
struct TargetRun {
    /// Mutants that were tried.
    mutants: u64,
    /// Where the inputs are that broke it.
    broken: Vec<String>,
}

fn run_target(target: &FuzzTarget, limits: FuzzLimits, seed: Seed) -> TargetRun {
    let corpus = read_corpus(target);
    assert!(!corpus.is_empty(), "{}: the corpus must have an input", target.name);
    let (mut run, begun) = (TargetRun::default(), Instant::now());
    for (name, input) in &corpus {
        if !holds(target, input) {
            run.broken.push(keep_input(target, name, input));
        }
    }
    while run.broken.len() < MOST_BROKEN && limits.allow_another(target, run.mutants, begun.elapsed()) {
        let number = run.mutants;
        let mut rng = seed.stream(target.name, number);
        let input = &rng.choose(&corpus).unwrap().1;
        let other = &rng.choose(&corpus).unwrap().1;
        let mutant = mutate_input(input, other, target.words, &mut rng);
        if !holds(target, &mutant) {
            run.broken.push(keep_input(target, &format!("mutant-{number}"), &mutant));
        }
        run.mutants += 1;
    }
    run
}

#[test]
fn no_input_and_no_mutant_breaks_a_target() {
    let _turn = wait_for_turn();
    count_panics();
    let limits = FuzzLimits::from_environment(MUTANTS);
    let seed = Seed::new(number_from_environment("ISHI_FUZZ_SEED", 1));
    let only = std::env::var("ISHI_FUZZ_TARGET").ok();
    let wanted = TARGETS.iter().filter(|target| only.as_deref().is_none_or(|only| only == target.name));
    let mut broken = Vec::new();
    for target in wanted {
        let begun = Instant::now();
        let run = run_target(target, limits, seed);
        let milliseconds = begun.elapsed().as_millis();
        println!("{:<20} {:>8} mutants {milliseconds:>8} ms", target.name, run.mutants);
        broken.extend(run.broken);
    }
    assert!(broken.is_empty(), "{} inputs must hold and do not:\n{}", broken.len(), broken.join("\n"));
}

/// Both limits end a run, whichever comes first, and nothing else does.
#[test]
fn a_run_ends_by_number_or_by_time() {
    let _turn = wait_for_turn();
    let target = TARGETS.iter().find(|target| target.name == "vertex").unwrap();
    let run = |mutants, time| run_target(target, FuzzLimits { mutants, time }, Seed::new(1)).mutants;
    assert_eq!(run(30, None), 30);
    assert_eq!(run(30, Some(Duration::from_secs(3600))), 30);
    assert_eq!(run(u64::MAX, Some(Duration::ZERO)), 0);
    let slow = FuzzTarget { cost: 20, ..*target };
    let limits = FuzzLimits { mutants: 30, time: Some(Duration::from_secs(60)) };
    assert!(limits.allow_another(&slow, 1, Duration::from_secs(59)));
    assert!(!limits.allow_another(&slow, 2, Duration::ZERO), "a slow one gets fewer");
    assert!(!limits.allow_another(&slow, 0, Duration::from_secs(60)));
}

/// The harness itself finds what it is there for, also in another thread.
#[test]
fn a_target_that_panics_is_found() {
    let _turn = wait_for_turn();
    count_panics();
    let refuses_letters = |bytes: &[u8]| assert!(!bytes.contains(&b'x'), "this panic is wanted");
    let here = FuzzTarget { name: "here", check: refuses_letters, words: &[], cost: 1 };
    assert!(holds(&here, b"abc"));
    assert!(!holds(&here, b"axc"));
    let elsewhere = |_: &[u8]| drop(std::thread::spawn(|| panic!("this panic is wanted")).join());
    let there = FuzzTarget { name: "there", check: elsewhere, words: &[], cost: 1 };
    assert!(!holds(&there, b""));
}

#[test]
fn targets_files_and_corpora_belong_together() {
    let manifest = std::fs::read_to_string(fuzz_folder().join("Cargo.toml")).unwrap();
    for target in TARGETS {
        let path = format!("fuzz_targets/{}.rs", target.name);
        let source = std::fs::read_to_string(fuzz_folder().join(&path)).unwrap_or_default();
        assert!(source.contains("ishi_fuzz_targets::"), "{path} must call its target");
        assert!(manifest.contains(&format!("path = \"{path}\"")), "fuzz/Cargo.toml must have {path}");
    }
    let files = std::fs::read_dir(fuzz_folder().join("fuzz_targets")).unwrap().count();
    assert_eq!(files, TARGETS.len(), "every file of fuzz/fuzz_targets must be in TARGETS");
    let folders = std::fs::read_dir(fuzz_folder().join("corpus")).unwrap().count();
    assert_eq!(folders, TARGETS.len(), "every folder of fuzz/corpus must be that of a target");
    let bytes: usize = TARGETS.iter().flat_map(read_corpus).map(|(_, input)| input.len()).sum();
    assert!(bytes <= MOST_BYTES, "the corpora have {bytes} bytes, {MOST_BYTES} at most");
}

/// Forms that reach no room would be mutated in vain.
#[test]
fn forms_of_the_corpus_reach_their_rooms() {
    let target = TARGETS.iter().find(|target| target.name == "http_form").unwrap();
    for (name, form) in read_corpus(target) {
        let status = form_status(&form).unwrap();
        assert!(matches!(status, 200 | 303 | 409 | 422), "{name} must reach a room, and gets {status}");
    }
}

/// Addresses that lead to no page would be mutated in vain.
#[test]
fn addresses_of_the_corpus_lead_to_pages() {
    let target = TARGETS.iter().find(|target| target.name == "http_page").unwrap();
    for (name, address) in read_corpus(target) {
        assert_eq!(page_status(&address), 200, "{name} must lead to a page");
    }
}

/// Values that no field expects: beyond all numbers, below them, none, controls and markup, as they stand in a form.
const MONSTERS: [&str; 7] = [
    "99999999999999999999999999",
    "-9223372036854775808",
    "1e308",
    "NaN",
    "",
    "%00%0D%0ASet-Cookie%3A+a%3Db",
    "%3Cscript%3Ealert(7)%3C%2Fscript%3E%22%3E%3Cimg+onerror%3Dalert(7)%3E",
];

/// Digits of a number that no field expects, and no line ends.
const LONGEST_VALUE: usize = 50_000;

/// The forms that differ from this one by one field.
fn forms_with_one_monster(form: &str) -> Vec<(String, String)> {
    let Some((path, fields)) = form.split_once('\n') else { return Vec::new() };
    let fields: Vec<&str> = fields.trim_end().split('&').collect();
    let endless = "9".repeat(LONGEST_VALUE);
    let mut forms = Vec::new();
    for (at, field) in fields.iter().enumerate() {
        let Some((name, _)) = field.split_once('=') else { continue };
        for monster in MONSTERS.into_iter().chain([endless.as_str()]) {
            let own = format!("{name}={monster}");
            let mut changed = fields.clone();
            changed[at] = &own;
            let what = format!("{path}: {}", own.chars().take(80).collect::<String>());
            forms.push((what, format!("{path}\n{}", changed.join("&"))));
        }
    }
    forms
}

/// Every field of every form of the corpus gets every such value: the server refuses it or can use it, and repeats no markup.
#[test]
fn no_field_of_a_form_takes_a_monster() {
    let _turn = wait_for_turn();
    count_panics();
    let target = TARGETS.iter().find(|target| target.name == "http_form").unwrap();
    let mut tried = 0;
    for (name, form) in read_corpus(target) {
        for (what, changed) in forms_with_one_monster(&String::from_utf8(form.clone()).unwrap()) {
            let before = PANICS.load(Ordering::SeqCst);
            let Some((status, answer)) = answer_form(changed.as_bytes()) else { continue };
            assert!((200..500).contains(&status) || status == 503, "{name}, {what}: {answer}");
            assert_eq!(PANICS.load(Ordering::SeqCst), before, "{name}, {what}");
            let head = answer.split("\r\n\r\n").next().unwrap_or_default().to_lowercase();
            assert!(!head.contains("set-cookie: a=b"), "{name}, {what}: {head}");
            for markup in ["<script>alert", "<img onerror"] {
                assert!(!answer.contains(markup), "{name}, {what}: {answer}");
            }
            tried += 1;
        }
    }
    assert!(tried > 300, "only {tried} forms were tried");
}

/// What ishi makes now is what the corpora were made of: inputs of an older format would reach nothing.
#[test]
fn every_kept_seed_is_taken_by_its_target() {
    for seed in make_kept_seeds() {
        let target = TARGETS.iter().find(|target| target.name == seed.target).unwrap();
        (target.check)(seed.to_corpus());
    }
}

/// Writes the corpora of kept files again, after a format has changed. The largest are left out: mutants of their beginnings do as well.
#[test]
#[ignore = "writes files of the repository"]
fn write_corpora_of_kept_files() {
    const LARGEST: usize = 24_000;
    const BEGINNING: usize = 2000;
    for seed in make_kept_seeds() {
        let bytes = seed.to_corpus();
        let kept = if bytes.len() > LARGEST { &bytes[..BEGINNING] } else { bytes };
        let folder = fuzz_folder().join("corpus").join(seed.target);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(&seed.name), kept).unwrap();
    }
}
