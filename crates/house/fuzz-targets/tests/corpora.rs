//! Every target of fuzzing over its corpus, and over mutants that follow from a seed.
//!
//! `ISHI_FUZZ_MUTANTS` is how many mutants a quick target gets (slow ones get fewer), `ISHI_FUZZ_SECONDS` how long each target is run at most,
//! `ISHI_FUZZ_SEED` the seed, `ISHI_FUZZ_TARGET` the only target that is run. `.ci/fuzz` runs all, several at once.

#![allow(missing_docs, clippy::disallowed_methods)]

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ishi_fuzz_targets::protocols::{list_go_commands, list_othello_commands};
use ishi_fuzz_targets::seeds::make_kept_seeds;
use ishi_fuzz_targets::servers::{answer_deck_request, answer_form, answer_page, form_path, form_status};
use ishi_fuzz_targets::{FuzzLimits, FuzzTarget, TARGETS, mutate_input, number_from_environment};
use ishi_mcp::tools::TOOLS;
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
    let target = find_target("vertex");
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

/// The target of this name.
fn find_target(name: &str) -> &'static FuzzTarget {
    TARGETS.iter().find(|target| target.name == name).unwrap()
}

/// Forms about what only damage, long work or a token makes: nothing of their names is there, and the server says so.
const FORMS_ABOUT_NOTHING: [&str; 9] = [
    "damaged",
    "damaged-campaigns",
    "damaged-run",
    "enter-code",
    "go-card-answer",
    "go-card-grade",
    "match-again",
    "othello-card-answer",
    "othello-card-grade",
];

/// Forms that reach no room would be mutated in vain. Each of the list above must be an input, and must need to be there.
#[test]
fn forms_of_the_corpus_reach_their_rooms() {
    let mut about_nothing = Vec::new();
    for (name, form) in read_corpus(find_target("http_form")) {
        match form_status(&form).unwrap() {
            404 => about_nothing.push(name),
            status => {
                let is_right = matches!(status, 200 | 204 | 303 | 409 | 422);
                assert!(is_right, "{name} must reach a room, and gets {status}");
            }
        }
    }
    assert_eq!(about_nothing, FORMS_ABOUT_NOTHING);
}

/// Addresses of what is not there, for the same reasons, and what they get.
const ADDRESSES_OF_NOTHING: [(&str, u16); 6] = [
    ("damaged-text", 404),
    ("decks-pairs", 404),
    ("enter", 303),
    ("lab-compare", 404),
    ("lab-game", 404),
    ("othello-games", 404),
];

/// Addresses that lead to no page would be mutated in vain.
#[test]
fn addresses_of_the_corpus_lead_to_pages() {
    let corpus = read_corpus(find_target("http_page"));
    let answers = corpus.iter().map(|(name, address)| (name.as_str(), answer_page(address).0));
    let others: Vec<(&str, u16)> = answers.filter(|&(_, status)| status != 200).collect();
    assert_eq!(others, ADDRESSES_OF_NOTHING, "others must lead to pages, and these must not");
}

/// The sources of the workbench below this folder, without their tests.
fn read_sources(folder: &Path) -> Vec<String> {
    let mut sources = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources.extend(read_sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            sources.push(text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().to_string());
        }
    }
    sources
}

fn read_workbench() -> Vec<String> {
    read_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src/workbench"))
}

/// The places that take forms, as the routes name them: `/go/{key}/point`.
fn find_form_places(source: &str) -> Vec<String> {
    let constant = |name: &str| {
        let (_, rest) = source.split_once(&format!("const {name}: &str = \""))?;
        rest.split('"').next()
    };
    let place = |route: &str| {
        let (place, rest) = route.split_once(',')?;
        let methods = rest.split('}').next()?;
        let place = place.trim();
        let named =
            place.strip_prefix('"').and_then(|place| place.strip_suffix('"')).or_else(|| constant(place));
        methods
            .contains("post(")
            .then(|| named.unwrap_or_else(|| panic!("{place} must be known")).to_string())
    };
    source.split(".route(").skip(1).filter_map(place).collect()
}

/// The place that takes a form of this path: of those that fit, the one with the fewest words left open.
fn find_form_place<'a>(places: &'a BTreeSet<String>, path: &str) -> Option<&'a String> {
    let parts: Vec<&str> = path.split('/').collect();
    let fits = |place: &&String| {
        let words: Vec<&str> = place.split('/').collect();
        let is_same = |(word, part): (&&str, &&str)| word.starts_with('{') || word == part;
        words.len() == parts.len() && words.iter().zip(&parts).all(is_same)
    };
    places.iter().filter(fits).min_by_key(|place| place.matches('{').count())
}

/// Places whose forms are no input of the corpus.
const PLACES_WITHOUT_FORM: [(&str, &str); 4] = [
    ("/go", "a file is uploaded, which is the target http_upload"),
    ("/lab/e/{name}/{variant}/estimate", "no experiments are there"),
    ("/lab/e/{name}/{variant}/start", "its work would outlive the input"),
    ("/lab/m/{key}/start", "its work would outlive the input"),
];

/// A new place that takes a form needs one in fuzz/corpus/http_form: then monsters and mutants come to it, too.
#[test]
fn every_place_that_takes_a_form_has_one_in_the_corpus() {
    // All sources as one: a route may be named by a constant of another module.
    let places: BTreeSet<String> = find_form_places(&read_workbench().concat()).into_iter().collect();
    let forms = read_corpus(find_target("http_form"));
    let mut known: BTreeSet<&str> = PLACES_WITHOUT_FORM.iter().map(|&(place, _)| place).collect();
    for (name, form) in &forms {
        let path = form_path(form);
        let place = find_form_place(&places, &path);
        let place = place.unwrap_or_else(|| panic!("{name}: nothing takes forms at {path}"));
        let is_left_out = PLACES_WITHOUT_FORM.iter().any(|(left_out, _)| left_out == place);
        assert!(!is_left_out, "{name} is a form of {place}, which must not stand among those without one");
        known.insert(place);
    }
    assert_eq!(places.iter().map(String::as_str).collect::<BTreeSet<&str>>(), known);
    assert!(places.len() > 60, "{places:?}");
}

/// The structs that such requests are read into: `Form<GoClickForm>`.
fn find_read_structs(source: &str, extractor: &str) -> Vec<String> {
    let name = |rest: &str| {
        let (name, _) = rest.split_once('>')?;
        name.chars().all(char::is_alphanumeric).then(|| name.to_string())
    };
    source.split(&format!("{extractor}<")).skip(1).filter_map(name).collect()
}

/// The fields of a struct, as they are called in a form.
fn read_form_fields(sources: &[String], name: &str) -> BTreeSet<String> {
    let head = format!("struct {name} {{\n");
    let body = sources.iter().find_map(|source| source.split_once(&head)?.1.split("\n}").next());
    let (mut fields, mut renamed, mut is_skipped) = (BTreeSet::new(), None, false);
    for line in body.unwrap_or_else(|| panic!("{name} must be a struct of the workbench")).lines() {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("#[serde(rename = \"") {
            renamed = rest.split('"').next();
        } else if line == "#[serde(skip)]" {
            is_skipped = true;
        } else if let Some((field, _)) = line.split_once(": ").filter(|_| !line.starts_with(['/', '#'])) {
            let field = renamed.take().or(field.rsplit(' ').next()).unwrap_or_default();
            fields.extend((!std::mem::take(&mut is_skipped)).then(|| field.to_string()));
        }
    }
    fields
}

/// The names of the fields of an input.
fn list_names(input: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(input);
    let fields = text.lines().nth(1).unwrap_or_default();
    fields.split('&').map(|field| field.split('=').next().unwrap_or_default().to_string()).collect()
}

/// A form without its newest field would be attacked everywhere but there.
#[test]
fn every_field_stands_in_an_input_of_the_corpus() {
    let sources = read_workbench();
    let mut missing = Vec::new();
    for (extractor, target) in [("Form", "http_form"), ("Query", "http_page")] {
        let inputs: Vec<BTreeSet<String>> =
            read_corpus(find_target(target)).iter().map(|(_, input)| list_names(input)).collect();
        let structs: BTreeSet<String> =
            sources.iter().flat_map(|source| find_read_structs(source, extractor)).collect();
        assert!(structs.len() > 8, "{structs:?}");
        // Events are no page: their stream does not end.
        for name in structs.iter().filter(|name| *name != "TopicsQuery") {
            let fields = read_form_fields(&sources, name);
            assert!(!fields.is_empty(), "{name} must have fields");
            if !inputs.iter().any(|input| fields.is_subset(input)) {
                missing.push(format!("{target} needs an input with all fields of {name}: {fields:?}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Mutants do not hit upon the name of a command: without an input nobody would try its arguments.
#[test]
fn every_command_of_gtp_stands_in_an_input_of_the_corpus() {
    for (target, commands) in
        [("gtp_line", list_go_commands()), ("othello_gtp_line", list_othello_commands())]
    {
        let corpus = read_corpus(find_target(target));
        let texts: Vec<String> =
            corpus.iter().map(|(_, input)| String::from_utf8_lossy(input).into_owned()).collect();
        let known: BTreeSet<&str> =
            texts.iter().flat_map(|text| text.lines()).flat_map(str::split_whitespace).collect();
        let missing: Vec<&String> =
            commands.iter().filter(|command| !known.contains(command.as_str())).collect();
        assert!(missing.is_empty() && commands.len() > 40, "{target} needs inputs with {missing:?}");
    }
}

/// Nor upon the name of a field of the analysis protocol.
#[test]
fn every_field_of_an_analysis_stands_in_an_input_of_the_corpus() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contest/analysis/src/protocol/query.rs");
    let source = std::fs::read_to_string(path).unwrap();
    let (_, list) = source.split_once("const KNOWN: &[&str] = &[").unwrap();
    let list = list.split("];").next().unwrap();
    let corpus = read_corpus(find_target("analysis_line"));
    let texts: String = corpus.iter().map(|(_, input)| String::from_utf8_lossy(input).into_owned()).collect();
    let fields: Vec<&str> = list.split(',').map(str::trim).filter(|field| !field.is_empty()).collect();
    let missing: Vec<&&str> = fields.iter().filter(|field| !texts.contains(*field)).collect();
    assert!(missing.is_empty() && fields.len() > 20, "analysis_line needs inputs with {missing:?}");
}

/// Requests for decks that are wrong on purpose, or that no deck keeps.
const WRONG_DECK_REQUESTS: [&str; 3] = ["least-limit", "quota-beyond-64-bits", "wrong"];

/// Nor upon a field of a request for a deck. All fields are named by the answer to a request with another one.
#[test]
fn every_field_of_a_deck_request_stands_in_an_input_of_the_corpus() {
    let corpus = read_corpus(find_target("http_deck_request"));
    let (mut texts, mut wrong) = (String::new(), Vec::new());
    for (name, request) in &corpus {
        let (status, answer) = answer_deck_request(request);
        assert!(matches!(status, 200 | 422), "{name}: {answer}");
        wrong.extend((status == 422).then_some(name.as_str()));
        texts += &String::from_utf8_lossy(request);
    }
    assert_eq!(wrong, WRONG_DECK_REQUESTS);
    let (_, answer) = answer_deck_request(b"{\"nothing\": 1}");
    let (_, fields) = answer.split_once("expected one of").unwrap_or_else(|| panic!("{answer}"));
    let fields: Vec<&str> = fields.split('`').skip(1).step_by(2).collect();
    let missing: Vec<&&str> =
        fields.iter().filter(|field| !texts.contains(&format!("\"{field}\""))).collect();
    assert!(missing.is_empty() && fields.len() > 10, "http_deck_request needs inputs with {missing:?}");
}

/// Nor upon an argument of a tool. Of the inputs for a tool one at least is taken.
#[test]
fn every_argument_of_a_tool_stands_in_an_input_of_the_corpus() {
    let corpus = read_corpus(find_target("tool_arguments"));
    for tool in TOOLS {
        let (mut known, mut taken) = (BTreeSet::new(), 0);
        for (_, input) in &corpus {
            let text = String::from_utf8_lossy(input);
            let (name, sent) = text.split_once('\n').unwrap_or_default();
            if name.trim() != tool.name {
                continue;
            }
            let sent: serde_json::Map<String, serde_json::Value> = serde_json::from_str(sent).unwrap();
            known.extend(sent.keys().cloned());
            taken += usize::from(tool.command_for(sent).is_ok());
        }
        let schema = tool.input_schema();
        let arguments: BTreeSet<String> = schema["properties"].as_object().unwrap().keys().cloned().collect();
        let missing: Vec<&String> = arguments.difference(&known).collect();
        assert!(missing.is_empty() && taken > 0, "{} needs inputs with {missing:?}", tool.name);
    }
}

/// What these tests read of sources.
#[test]
fn places_and_fields_are_read_as_they_are() {
    let source = "const HERE: &str = \"/here\";\nfn routes() {\n    Router::new()\n        .route(\"/a/{key}\", get(x))\n        \
                  .route(\"/a/{key}/b\", get(x).post(y)).route(HERE, post(z))\n        .route(\n            \"/c\",\n            \
                  post(z),\n        )\n}\n#[derive(Deserialize)]\nstruct OneForm {\n    /// Not: this.\n    a: u8,\n    \
                  #[serde(rename = \"move\")]\n    pub(super) number: usize,\n    #[serde(skip)]\n    c: u8,\n}\n\
                  fn take(Form(one): Form<OneForm>, Form(all): Form<HashMap<String, String>>) {}\n";
    let places: BTreeSet<String> = find_form_places(source).into_iter().collect();
    assert_eq!(places.iter().collect::<Vec<_>>(), ["/a/{key}/b", "/c", "/here"]);
    assert_eq!(find_form_place(&places, "/a/x/b").unwrap(), "/a/{key}/b");
    assert_eq!(find_form_place(&places, "/a/x"), None);
    assert_eq!(find_read_structs(source, "Form"), ["OneForm"]);
    let fields = read_form_fields(&[source.to_string()], "OneForm");
    assert_eq!(fields.iter().collect::<Vec<_>>(), ["a", "move"]);
    assert_eq!(list_names(b"/a\nx=1&y=\n").iter().collect::<Vec<_>>(), ["x", "y"]);
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

/// What is answered to one of these inputs is no fault of the server, and repeats no markup.
fn assert_bears_monster(what: &str, status: u16, answer: &str) {
    assert!((200..500).contains(&status) || status == 503, "{what}: {answer}");
    let head = answer.split("\r\n\r\n").next().unwrap_or_default().to_lowercase();
    assert!(!head.contains("set-cookie: a=b"), "{what}: {head}");
    for markup in ["<script>alert", "<img onerror"] {
        assert!(!answer.contains(markup), "{what}: {answer}");
    }
}

/// Puts every such value into every part of the inputs of this target; `answer` gives what is answered, if it is asked. Gives how many were tried.
fn try_monsters(target: &str, answer: impl Fn(&[u8]) -> Option<(u16, String)>) -> usize {
    let _turn = wait_for_turn();
    count_panics();
    let mut tried = 0;
    for (name, input) in read_corpus(find_target(target)) {
        for (what, changed) in forms_with_one_monster(&String::from_utf8(input).unwrap()) {
            let (what, before) = (format!("{name}, {what}"), PANICS.load(Ordering::SeqCst));
            let Some((status, answer)) = answer(changed.as_bytes()) else { continue };
            assert_bears_monster(&what, status, &answer);
            assert_eq!(PANICS.load(Ordering::SeqCst), before, "{what}");
            tried += 1;
        }
    }
    tried
}

/// Every field of every form of the corpus gets every such value: the server refuses it or can use it, and repeats no markup.
#[test]
fn no_field_of_a_form_takes_a_monster() {
    let tried = try_monsters("http_form", answer_form);
    assert!(tried > 1000, "only {tried} forms were tried");
}

/// The same of addresses.
#[test]
fn no_part_of_an_address_takes_a_monster() {
    let tried = try_monsters("http_page", |address| Some(answer_page(address)));
    assert!(tried > 200, "only {tried} addresses were tried");
}

/// What ishi makes now is what the corpora were made of: inputs of an older format would reach nothing.
#[test]
fn every_kept_seed_is_taken_by_its_target() {
    for seed in make_kept_seeds() {
        (find_target(seed.target).check)(seed.to_corpus());
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
