//! Documents: what is read comes back, and no bytes make a reader panic.

use std::ops::ControlFlow;

use ishi_deck::pool::PieceGroup;
use ishi_deck::{
    AnswerStatus, AttributeQuota, LeaderRule, PairScoreTable, Piece, PieceId, Pool, Problem, SolveEffort,
};
use ishi_rng::Seed;
use ishi_words::CodedError;
use proptest::prelude::*;

use super::pool::{self, PoolFile, TableFiles, refuse_sibling_file};
use super::request::{self, AllowedGap, SolveMethod};
use super::{AnswerDocument, listing, solve, words};

fn read(name: &str, text: &str) -> Result<PoolFile, String> {
    pool::read_pool(name, text.as_bytes(), &refuse_sibling_file, &TableFiles::default())
        .map_err(|error| error.to_string())
}

const POOL: &str = r#"{
  "name": "four",
  "resources": ["mana", "gold"],
  "groups": {"twins": 2},
  "pieces": [
    {"name": "a", "cost": {"mana": 2}, "attributes": ["x"], "group": "twins", "score": 0.25},
    {"name": "b", "cost": {"mana": 1, "gold": 3}, "group": "twins", "copies": 3},
    {"name": "c", "attributes": ["y", "x"], "group": "single", "leader_score": -1},
    {"name": "d"}
  ],
  "pairs": {"default": -0.5, "list": [["a", "b", 1.5], [2, "a", 3], ["b", "b", 0.1]]},
  "leaders": {"default": "pairs", "list": [["c", "d", 7]]}
}"#;

#[test]
fn all_that_a_pool_says() {
    let file = read("pool.json", POOL).unwrap();
    let pool = &file.pool;
    assert_eq!((file.name.as_deref(), pool.units), (Some("four"), 100.0));
    assert_eq!(pool.resources, ["mana", "gold"]);
    assert_eq!(pool.attributes, ["x", "y"]);
    assert_eq!((pool.pieces[0].score, pool.pieces[2].leader_score), (25, -100));
    assert_eq!(pool.pieces[1].costs, [1, 3]);
    assert_eq!(pool.pieces[2].attributes, [0, 1]);
    let limit = |piece: usize| pool.groups[pool.pieces[piece].group.unwrap()].limit;
    assert_eq!((limit(0), limit(1), limit(2)), (2, 2, 1), "a group that is not listed has one");
    let pairs = |a, b| pool.pairs.get(a, b);
    assert_eq!((pairs(0, 1), pairs(1, 0), pairs(0, 2), pairs(1, 1), pairs(2, 3)), (150, 150, 300, 10, -50));
    let leaders = pool.leaders.as_ref().unwrap();
    assert_eq!((leaders.get(2, 3), leaders.get(3, 2), leaders.get(0, 1)), (700, -50, 150));
    let copies: Vec<_> = [1, 3, 1, 1].iter().enumerate().map(|(at, &n)| (PieceId(at as u32), n)).collect();
    assert_eq!(file.copies, Some(copies));
    assert!(file.notes.is_empty());
}

#[test]
fn scores_that_are_rounded_are_told() {
    let file = read("p.json", r#"{"pieces": [{"name": "a", "score": 0.333333333333}]}"#).unwrap();
    assert_eq!(file.pool.pieces[0].score, 33_333_333);
    assert_eq!(file.notes, ["scores are rounded to 8 decimals, the most that their size leaves room for"]);
    let error = read("p.json", r#"{"pieces": [{"name": "a", "score": 1e9}]}"#).unwrap_err();
    let most = ishi_deck::table::MAX_SCORE;
    assert_eq!(
        error,
        format!("p.json:1:1: a score of 1000000000 is too large: scores must be at most {most}")
    );
}

#[test]
fn copies_are_written_with_their_pool() {
    for text in [POOL.to_string(), POOL.replace("\"copies\": 3", "\"copies\": 0")] {
        let file = read("pool.json", &text).unwrap();
        let written = pool::write_pool_file(&file);
        let again = read("pool.json", &written).unwrap();
        assert!(file.copies.is_some());
        assert_eq!((&again.name, &again.copies), (&file.name, &file.copies));
        assert_eq!(again.pool.pieces, file.pool.pieces);
        assert_eq!(cells(&again.pool.pairs), cells(&file.pool.pairs));
        let damaged = written.replace("\"copies\": 1", "\"copies\": 2");
        assert!(read("pool.json", &damaged).is_err());
    }
}

/// `ishi deck learn` calls the second card of leaders' scores `card`. A column of this name beside `b` is one of its own.
#[test]
fn a_column_of_cards_stands_for_the_second_one_alone() {
    let text = br#"{"pieces": [{"name": "a"}, {"name": "b"}, {"name": "c"}], "leaders": "leaders.csv"}"#;
    for table in
        ["leader,card,score\na,b,2\n", "card,leader,b,score\nc,a,b,2\n", "card,a,other,score\nc,a,b,2\n"]
    {
        let beside = |_: &str| Ok(table.as_bytes().to_vec());
        let file = pool::read_pool("pool.json", text, &beside, &TableFiles::default()).unwrap();
        let leaders = file.pool.leaders.as_ref().unwrap();
        let score = |row, column| file.pool.score_of_units(i64::from(leaders.get(row, column)));
        assert_eq!((score(0, 1), score(0, 2)), (2.0, 0.0), "{table}");
    }
}

#[test]
fn all_that_a_request_says() {
    let pool = read("pool.json", POOL).unwrap();
    let text = r#"
        size = [2, 3]
        limits = { gold = 5 }
        quotas = { x = 1, y = { at_most = 1 } }
        leader = ["c", "a"]
        owned = { a = 1, b = 2, c = 1 }
        fixed = ["b", "b"]
        banned = ["d"]
        work_limit = 5000
        time_limit = 1.5
        gap = "1%"
        seed = 7
        method = "variable-depth"
    "#;
    let wish = request::read_request("r.toml", text.as_bytes(), &pool, &refuse_sibling_file).unwrap();
    let id = |at| PieceId(at);
    let request = &wish.request;
    assert_eq!(request.size, 2..=3);
    assert_eq!(request.limits, [None, Some(5)]);
    let quota = |attribute, at_least, at_most| AttributeQuota { attribute, at_least, at_most };
    assert_eq!(request.quotas, [quota(0, 1, None), quota(1, 0, Some(1))]);
    assert_eq!(request.leader, LeaderRule::OneOf(vec![id(2), id(0)]));
    assert_eq!(request.owned, Some(vec![(id(0), 1), (id(1), 2), (id(2), 1)]));
    assert_eq!((request.fixed.clone(), request.banned.clone()), (vec![id(1), id(1)], vec![id(3)]));
    assert_eq!(wish.settings.time_limit.unwrap().as_millis(), 1500);
    assert_eq!(wish.settings.work_limit, Some(5000));
    assert_eq!(wish.settings.gap, Some(AllowedGap::Share(0.01)));
    assert_eq!(
        (wish.settings.seed.unwrap().to_string(), wish.settings.method),
        ("7".into(), Some(SolveMethod::VariableDepth))
    );
    let none = request::read_request("r.json", b"{}", &pool, &refuse_sibling_file).unwrap();
    assert_eq!((none.request.size, none.request.owned), (16..=16, pool.copies.clone()));
    let file = request::read_request("r.json", br#"{"owned": "/etc/passwd"}"#, &pool, &refuse_sibling_file)
        .unwrap_err();
    assert!(file.to_string().contains("no file can be named here"), "{file}");
}

#[test]
fn reasons_in_words() {
    let pool = read("pool.json", POOL).unwrap();
    let text = r#"{"size": 2, "limits": {"mana": 2}, "fixed": ["a", "b"]}"#;
    let wish = request::read_request("r.json", text.as_bytes(), &pool, &refuse_sibling_file).unwrap();
    let problem = Problem::new(pool.pool.clone(), &wish.request).unwrap();
    assert_eq!(words::explain_infeasibility(&problem), ["two fixed pieces already cost 3 of 2 mana"]);
    let told = words::tell_infeasibility(&problem);
    let fields = [("fixed", "2"), ("cost", "3"), ("limit", "2"), ("resource", "mana")];
    let fields = fields.map(|(name, shown)| (name, ishi_words::FactValue::from(shown)));
    assert_eq!((told[0].facts().code(), told[0].facts().fields()), ("deck-reason-fixed-cost", &fields[..]));
}

/// Four pieces of which no three keep both quotas: that takes looking at several rules, and no search.
#[test]
fn what_is_impossible_is_not_searched() {
    let text = r#"{"pieces": [{"name": "a", "attributes": ["x"]}, {"name": "b", "attributes": ["x"]},
                   {"name": "c", "attributes": ["y"]}, {"name": "d", "attributes": ["y"]}]}"#;
    let pool = read("pool.json", text).unwrap();
    let wish = r#"{"size": 3, "quotas": {"x": 2, "y": 2}}"#;
    let wish = request::read_request("r.json", wish.as_bytes(), &pool, &refuse_sibling_file).unwrap();
    let problem = Problem::new(pool.pool.clone(), &wish.request).unwrap();
    for method in SolveMethod::ALL {
        let settings = request::SolveSettings { method: Some(method), ..Default::default() };
        let mut asked = 0;
        let timed = solve::solve_problem(&problem, &settings, Seed::new(1), &mut |_| {
            asked += 1;
            ControlFlow::Continue(())
        });
        assert_eq!((timed.answer.status, asked), (AnswerStatus::Infeasible, 0), "{}", method.name());
        assert!(!timed.reasons.is_empty());
        assert_eq!(timed.reasons, words::tell_infeasibility(&problem));
    }
}

/// A proof that may take no memory is given up with words. A search without proof has its deck all the same.
#[test]
fn a_proof_without_memory_is_given_up() {
    let pool = read("pool.json", POOL).unwrap();
    let wish = request::read_request("r.json", b"{\"size\": 2}", &pool, &refuse_sibling_file).unwrap();
    let problem = Problem::new(pool.pool.clone(), &wish.request).unwrap();
    let document = |method: SolveMethod, memory_limit: Option<usize>| {
        let settings = request::SolveSettings {
            method: Some(method),
            memory_limit,
            ..request::SolveSettings::default()
        };
        let timed =
            solve::solve_problem(&problem, &settings, Seed::new(1), &mut |_| ControlFlow::Continue(()));
        AnswerDocument::from_timed_answer(&problem, &timed, method)
    };
    let whole = document(SolveMethod::Exact, Some(1 << 20));
    assert_eq!((whole.status, &whole.given_up), (AnswerStatus::Optimal, &None));
    assert_eq!(document(SolveMethod::Exact, None).deck, whole.deck);
    let less = document(SolveMethod::Exact, Some(10));
    assert_eq!((less.status, &less.deck), (AnswerStatus::Unknown, &None));
    assert!(
        less.given_up.unwrap().starts_with("the proof was given up, as it needs more than 0 MB of memory")
    );
    let searched = document(SolveMethod::Ours, Some(10));
    assert!(searched.deck.is_some() && searched.given_up.is_some() && searched.bound >= whole.bound);
}

#[test]
fn steps_are_counted_over_several_problems() {
    let mut meter = solve::WorkMeter::new(Some(10));
    let work = |nodes, moves| SolveEffort { nodes, moves, ..SolveEffort::default() };
    assert!(!meter.is_used_up(&work(1, 5)));
    assert!(!meter.is_used_up(&work(0, 1)), "six of the first problem and one of the second");
    assert!(!meter.is_used_up(&work(1, 2)));
    assert!(meter.is_used_up(&work(2, 2)));
    assert!(!solve::WorkMeter::new(None).is_used_up(&work(u64::MAX, 1)));
}

#[test]
fn decks_in_every_form() {
    let pool = read("pool.json", POOL).unwrap().pool;
    let list = |name: &str, text: &str| {
        listing::read_listing(name, text.as_bytes(), &pool).map_err(|error| error.to_string())
    };
    let ids: Vec<PieceId> = [1, 1, 0].map(PieceId).to_vec();
    assert_eq!(list("d.csv", "name,copies\nb,2\na,1\n").unwrap().pieces, ids);
    assert_eq!(list("d", "[\"b\", \"b\", \"a\"]").unwrap().pieces, ids);
    let toml = list("d.toml", "deck = [\"b\", \"b\", \"a\"]\nleader = \"a\"\n").unwrap();
    assert_eq!((toml.pieces, toml.leader), (ids, Some(PieceId(0))));
    assert_eq!(
        list("d.json", "{\"deck\": [\"b\"], \"leader\": \"a\", \"value\": 1}").unwrap_err(),
        "d.json:1:27: leader: \"a\" is not in the deck"
    );
    assert_eq!(
        list("d.csv", "b\ne\n").unwrap_err(),
        "d.csv:2: name: no piece is called \"e\"; did you mean \"a\" or \"b\" or \"c\"?"
    );
}

fn pools() -> impl Strategy<Value = Pool> {
    let piece =
        ("[a-z,\"; ]{1,6}", 0i64..9, 0usize..3, proptest::option::of(0usize..2), -500i64..500, -5i64..5);
    let pieces = proptest::collection::vec(piece, 1..7);
    let cells = proptest::collection::vec(proptest::option::weighted(0.4, -1000i32..1000), 72);
    let units = proptest::sample::select(vec![1.0, 10.0, 1000.0, 4096.0, 7.5]);
    (pieces, cells, units, any::<bool>()).prop_map(|(pieces, cells, units, leaders)| {
        let side = pieces.len();
        let list = |from: usize| {
            let at = move |a: usize, b: usize| (a as u32, b as u32);
            (0..side)
                .flat_map(move |a| (0..side).map(move |b| (at(a, b), from + a * 6 + b)))
                .collect::<Vec<_>>()
        };
        let entries = |from: usize, symmetric: bool| -> Vec<(u32, u32, i32)> {
            let kept = list(from).into_iter().filter(|((a, b), _)| !symmetric || a <= b);
            kept.filter_map(|((a, b), at)| Some((a, b, cells[at]?))).collect()
        };
        Pool {
            pieces: pieces
                .iter()
                .enumerate()
                .map(|(at, (name, cost, attribute, group, score, leader_score))| Piece {
                    name: format!("{name}{at}"),
                    costs: vec![*cost, cost / 2],
                    attributes: (0..*attribute).collect(),
                    group: *group,
                    score: *score,
                    leader_score: *leader_score,
                })
                .collect(),
            resources: vec!["cost".into(), "g\"old".into()],
            attributes: vec!["one".into(), "t,wo".into()],
            groups: ["g", "h"].map(|name| PieceGroup { name: name.into(), limit: 2 }).to_vec(),
            pairs: PairScoreTable::from_symmetric_entries(side, &entries(0, true)),
            leaders: leaders.then(|| PairScoreTable::from_entries(side, entries(36, false))),
            units,
        }
    })
}

/// Cells of a table, however it is stored.
fn cells(table: &PairScoreTable) -> Vec<i32> {
    let side = table.side();
    (0..side * side).map(|at| table.get(at / side, at % side)).collect()
}

/// The fields of a JSON object in the opposite order, with other spaces.
fn reverse_fields(text: &str) -> String {
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).unwrap();
    let fields: Vec<String> = object.iter().rev().map(|(key, value)| format!("{key:?} :\t{value}")).collect();
    format!("{{{}}}", fields.join(" ,\n"))
}

proptest! {
    #[test]
    fn what_is_written_is_read(pool in pools()) {
        let text = pool::write_pool(&pool, Some("any \"name\""));
        let file = read("pool.json", &text).map_err(TestCaseError::fail)?;
        prop_assert_eq!(cells(&file.pool.pairs), cells(&pool.pairs));
        prop_assert_eq!(file.pool.leaders.as_ref().map(cells), pool.leaders.as_ref().map(cells));
        let plain = |pool: &Pool| {
            let side = pool.pieces.len();
            Pool { pairs: PairScoreTable::empty(side), leaders: None, ..pool.clone() }
        };
        prop_assert_eq!(plain(&file.pool), plain(&pool));
        prop_assert_eq!(file.name.as_deref(), Some("any \"name\""));
        prop_assert!(file.notes.is_empty() && file.copies.is_none());
        for other in [text.replace('\n', "\r\n"), reverse_fields(&text)] {
            let again = read("pool.json", &other).map_err(TestCaseError::fail)?;
            prop_assert_eq!(&again.pool, &file.pool);
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..60),
        cut in 0usize..600,
        at in 0usize..600,
        form in 0usize..3,
    ) {
        // Bytes in the middle of a document that was right, and bytes alone.
        let name = ["x.json", "x.toml", "x.csv"][form];
        let text = [POOL, "size = 3\nfixed = [\"a\"]\n[limits]\ngold = 3\n", "name,cost,attributes\na,1,x;y\nb,2,\n"][form];
        let at = at.min(text.len());
        let rest = &text.as_bytes()[(at + cut / 10).min(text.len())..];
        let changed = [&text.as_bytes()[..at], &bytes[..], rest].concat();
        let pool = read("pool.json", POOL).unwrap();
        for bytes in [&changed, &bytes] {
            let _ = pool::read_pool(name, bytes, &refuse_sibling_file, &TableFiles::default()).map_err(|error| error.to_string());
            let _ = request::read_request(name, bytes, &pool, &refuse_sibling_file).map_err(|error| error.to_string());
            let _ = listing::read_listing(name, bytes, &pool.pool).map_err(|error| error.to_string());
            let _ = request::read_owned_file(name, bytes, &pool.pool).map_err(|error| error.to_string());
            let beside = |_: &str| Ok(bytes.clone());
            let _ = pool::read_pool("p.toml", b"pieces = \"x.csv\"\npairs = \"y.csv\"", &beside, &TableFiles::default());
            let _ = pool::read_pool("p.json", br#"{"pieces": [{"name": "a"}, {"name": "b"}], "pairs": "y.csv"}"#, &beside, &TableFiles::default());
        }
    }

    /// A name that there is not, anywhere in a list: the message says the place.
    #[test]
    fn the_place_of_a_wrong_name(before in 0usize..5, lines in 0usize..4) {
        let rows: String = (0..before).map(|_| "[\"a\", \"b\", 1.5], ").collect();
        let text = format!("{{\"pieces\": [{{\"name\": \"a\"}}, {{\"name\": \"b\"}}],{}\"pairs\": [{rows}[\"a\", \"zzz\", 2]]}}", "\n".repeat(lines));
        let error = pool::read_pool("p.json", text.as_bytes(), &refuse_sibling_file, &TableFiles::default()).unwrap_err();
        let last = text.rsplit('\n').next().unwrap();
        prop_assert_eq!(error.line, Some(lines + 1));
        prop_assert_eq!(error.column, last.find("\"zzz\"").map(|at| at + 1));
        let field = format!("pairs[{before}][1]");
        prop_assert_eq!(error.field.as_deref(), Some(field.as_str()));
    }
}

/// A document that came from elsewhere reads what came with it, and nothing else of the machine.
#[test]
fn documents_name_files_beside_them_only() {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let beside = request::sibling_file_reader(&here.join("pool.toml"));
    for name in ["Cargo.toml", "./Cargo.toml", "src/lib.rs"] {
        assert!(beside(name).is_ok(), "{name}");
    }
    let itself = here.join("Cargo.toml");
    for name in [itself.to_str().unwrap(), "../documents/Cargo.toml", "src/../Cargo.toml", "/etc/passwd"] {
        assert!(beside(name).unwrap_err().contains("must be a file beside this document"), "{name}");
        let text = format!("pieces = {name:?}");
        let read = pool::read_pool("pool.toml", text.as_bytes(), &beside, &TableFiles::default());
        assert!(read.unwrap_err().to_string().contains("must be a file beside this document"), "{name}");
    }
}

/// Whoever gives another file hears what it was taken for. A name that says so is not explained.
#[test]
fn what_is_no_document_was_read_as_toml() {
    for (name, text) in
        [("sample:lesson", "(;GM[1])"), ("cards.txt", "a;b"), ("LICENSE", "Permission is granted")]
    {
        let error = read(name, text).unwrap_err();
        assert!(error.contains("it was read as TOML: JSON must begin with {"), "{error}");
    }
    for (name, text) in [("p.toml", "a;b"), ("cards.txt", "piece = 1"), ("cards.txt", "{")] {
        let error = read(name, text).unwrap_err();
        assert!(!error.contains("it was read as TOML"), "{error}");
    }
}

/// What is wrong is quoted, but not by the megabyte.
#[test]
fn errors_about_long_words_are_short() {
    let word = "x".repeat(1 << 20);
    for (name, text) in [
        ("p.csv", format!("{word}\n1\n")),
        ("p.json", format!("{{\"pieces\": [{{\"name\": \"a\"}}], \"pairs\": [[\"a\", \"{word}\", 1]]}}")),
    ] {
        let error = read(name, &text).unwrap_err();
        assert!(
            error.starts_with(name) && error.ends_with("...") && error.len() < 3000,
            "{} bytes",
            error.len()
        );
    }
}
