//! Documents that people and other programs write: decks, logs, experiments, labels, samples, boards that are given, what solvers answer.

use std::io::Cursor;
use std::path::Path;

use ishi_analysis::labels::{PositionLabel, judge, label};
use ishi_arena::PlayerSpec;
use ishi_deck::models::{Formulation, LinearModel};
use ishi_deck::qkp::QuadraticKnapsack;
use ishi_deck::scores::lists::read_deck_lists;
use ishi_deck::scores::log::{CardVocabulary, DeckLog, LogFormat};
use ishi_deck::{DeckRequest, Problem};
use ishi_deck_documents::pool::{self, TableFiles, refuse_sibling_file};
use ishi_deck_documents::{listing, request};
use ishi_engine::Go;
use ishi_experiments::KINDS;
use ishi_go::BoardSize;
use ishi_grid::models::{StringsFormulation, StringsModel};
use ishi_grid::strings::read_given;
use ishi_judge::samples::{self, WholeSamples};
use ishi_judge::{SampleReader, SampleWriter, TrainingSample};
use ishi_lab::expected::ExpectedFigures;
use ishi_lab::experiment::{ExperimentSetup, Variant};
use ishi_lab::source::TomlSource;
use ishi_lab::store::{AddressSurroundings, describe_server};
use ishi_lab::tune::TuningSpace;
use ishi_mip::{IntegerProgramme, MipSolver, read_solver_answer};
use ishi_rng::Seed;

const POOL: &[u8] =
    br#"{"pieces": [{"name": "a", "cost": 1, "attributes": ["x"]}, {"name": "b"}], "pairs": [["a", "b", 1.5]]}"#;

/// Pools, requests, decks and collections: a pool that is read is written and read again the same.
pub fn check_deck_documents(bytes: &[u8]) {
    let none = TableFiles::default();
    let small = pool::read_pool("pool.json", POOL, &refuse_sibling_file, &none).expect("a pool");
    for name in ["x.json", "x.toml", "x.csv", "x"] {
        if let Ok(file) = pool::read_pool(name, bytes, &refuse_sibling_file, &none) {
            let text = pool::write_pool(&file.pool, None);
            let again = pool::read_pool("y.json", text.as_bytes(), &refuse_sibling_file, &none)
                .expect("what was written can be read");
            assert_eq!(again.pool.pieces, file.pool.pieces);
        }
        let _ = request::read_request(name, bytes, &small, &refuse_sibling_file);
        let _ = request::read_owned_file(name, bytes, &small.pool);
        let _ = listing::read_listing(name, bytes, &small.pool);
    }
    let beside = |_: &str| Ok(bytes.to_vec());
    let _ = pool::read_pool("p.toml", b"pieces = \"x.csv\"", &beside, &none);
    let pairs = br#"{"pieces": [{"name": "a"}, {"name": "b"}], "pairs": "x.csv"}"#;
    let _ = pool::read_pool("p.json", pairs, &beside, &none);
}

/// Logs and lists of decks in all forms, and knapsacks with pairs as text.
pub fn check_deck_logs(bytes: &[u8]) {
    let formats = LogFormat::ALL.iter().copied().map(Some);
    for format in formats.chain([None]) {
        let mut log = DeckLog::new(Cursor::new(bytes), format);
        let mut vocabulary = CardVocabulary::default();
        while let Ok(Some(entry)) = log.next_deck(&mut vocabulary) {
            let known = vocabulary.names().len();
            assert!(entry.cards.iter().all(|&card| (card as usize) < known));
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(lists) = read_deck_lists(text)
    {
        let known = lists.vocabulary.names().len();
        let cards = lists.decks.iter().flat_map(|deck| deck.leader.iter().chain(&deck.cards));
        assert!(cards.into_iter().all(|&card| (card as usize) < known));
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(knapsack) = QuadraticKnapsack::parse_text(text)
    {
        let _ = knapsack.to_problem();
    }
}

/// Figures that an experiment is held against, and players with ranges of parameters: tuning begins with one that can play.
pub fn check_lab_texts(bytes: &[u8]) {
    if let Ok(space) = TuningSpace::parse::<Go>(&String::from_utf8_lossy(bytes)) {
        let first = space.player_at(&space.start());
        assert!(PlayerSpec::parse_for_game::<Go>(&first).is_ok(), "{first}");
    }
    let source = TomlSource::new("expected.toml", String::from_utf8_lossy(bytes));
    if let Err(error) = ExpectedFigures::parse_source(&source) {
        assert!(error.to_string().contains("expected.toml"), "{error}");
    }
}

/// The configuration of an experiment of any kind: it is set up, or refused with its place. No task of it is listed or done.
pub fn check_experiment_config(bytes: &[u8]) {
    // No file beside it is there.
    let source = TomlSource::new("no-such-folder/config.toml", String::from_utf8_lossy(bytes));
    let setup = ExperimentSetup { variant: Variant::Quick, seed: Seed::new(1) };
    for kind in KINDS {
        if let Err(error) = (kind.load)(&source, &setup) {
            assert!(error.to_string().contains("config.toml"), "{}: {error}", kind.name);
        }
    }
}

/// The address of a database on the first line, and what the files hold that it may name: an address is shown so that it means the same
/// server when it is given again.
pub fn check_database_address(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (address, file) = text.split_once('\n').unwrap_or((text.as_ref(), ""));
    let variable = |name: &str| ["HOME", "USER"].contains(&name).then(|| "me".to_string());
    let read = |_: &Path| Some(file.to_string());
    let around = AddressSurroundings { variable: &variable, read: &read, is_open: &|_| false };
    match describe_server(address, &around) {
        Ok(shown) => {
            let again = describe_server(&shown, &around).expect("what is shown can be given again");
            assert_eq!(again, shown);
        }
        Err(error) => assert!(error.to_string().contains("write postgres://"), "{error}"),
    }
}

/// A line of a file of labels, which is written the same again, and the answer of a judge.
pub fn check_labels(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let size = BoardSize::square(9).expect("9 lines");
    for line in text.lines() {
        let content = label::split_checksum_column(line).map_or(line, |(content, _)| content);
        if let Ok(label) = PositionLabel::from_line(content, size) {
            let line = label.to_line(size);
            let again = PositionLabel::from_line(&line, size).expect("what was written can be read");
            assert_eq!(again.to_line(size), line);
        }
        let _ = label::read_place(line);
        let _ = judge::parse_answer(line);
    }
}

/// Training samples, which are written and read again the same: the input as it is, and what stands behind its header with checksums.
pub fn check_samples(bytes: &[u8]) {
    let _ = WholeSamples::measure_file(bytes);
    check_sample_file(bytes);
    let mut sealed = SampleWriter::new(Vec::new()).expect("memory takes bytes");
    for record in bytes.get(samples::HEADER..).unwrap_or_default().as_chunks::<{ samples::RECORD }>().0 {
        sealed.write_record(record).expect("memory takes bytes");
    }
    check_sample_file(&sealed.finish().expect("memory takes bytes"));
}

fn check_sample_file(bytes: &[u8]) {
    let Ok(reader) = SampleReader::new(bytes) else { return };
    for sample in reader.map_while(Result::ok) {
        let again = TrainingSample::from_record(&sample.to_record()).expect("what was written can be read");
        assert_eq!(again.to_record(), sample.to_record());
    }
}

/// Points that are given of a board, of as many rows and columns as there are and of others.
pub fn check_given_board(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let rows = text.lines().filter(|line| !line.trim().is_empty()).count();
    let columns = text.lines().next().map_or(0, |line| line.chars().filter(|c| !c.is_whitespace()).count());
    for (width, height) in [(columns.clamp(1, 60), rows.clamp(1, 60)), (3, 3)] {
        let _ = read_given(&text, width, height);
    }
}

/// What a solver of integer programmes printed and, behind a line `---`, wrote: an answer names variables of the model only.
pub fn check_solver_answers(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (printed, written) = text.split_once("\n---\n").unwrap_or((text.as_ref(), ""));
    let printed: Vec<String> = printed.lines().map(str::to_string).collect();
    let board = StringsModel::new(2, 2, StringsFormulation::Section2).expect("a board");
    let none = TableFiles::default();
    let pool = pool::read_pool("pool.json", POOL, &refuse_sibling_file, &none).expect("a pool").pool;
    let request = DeckRequest::with_size(1..=2, pool.resources.len());
    let problem = Problem::new(pool, &request).expect("a request that fits");
    let deck = LinearModel::new(&problem, Formulation::ALL[0]).expect("a model");
    let programmes: [&dyn IntegerProgramme; 2] = [&board, &deck];
    for programme in programmes {
        for solver in MipSolver::ALL {
            for written in [None, Some(written)] {
                if let Some(answer) = read_solver_answer(programme, solver, &printed, written) {
                    assert!(answer.cpu_seconds >= 0.0 && answer.bound.is_none_or(f64::is_finite));
                }
            }
        }
    }
}
