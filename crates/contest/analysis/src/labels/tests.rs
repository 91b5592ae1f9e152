//! Labels without KataGo: a judge made of a few lines of shell, our own analysis service, and files that are cut off.

use std::collections::BTreeSet;
use std::io::{BufReader, Cursor};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ishi_arena::process::EngineCommand;
use ishi_engine::StoppedClock;
use ishi_go::{BoardSize, Color, Move, Point, Rules};
use ishi_go_play::catalog;
use ishi_judge::{PlaneEncoder, planes};
use ishi_patterns::records::{self, RecordedGame};
use ishi_rng::Seed;
use ishi_rng::damage::try_damaged_copies;
use ishi_work::{Stop, StopFlag};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::games::{GameTerms, position_at};
use super::judge::{self, JudgeAnswer, JudgeProcessError, PolicySource, parse_answer};
use super::work::{self, LabelEvent, LabelWork, PlaceJudgement};
use super::{
    GamePlace, JudgeProcess, JudgeQuestion, LabelFile, LabelPlan, LabelSettings, LabelsError, Moment,
    PositionLabel, label, samples,
};
use crate::protocol;

// --- games ---

fn line(id: &str, komi: &str, setup: &str, first: &str, moves: &str) -> String {
    format!("{id}\tmade\t2026\t5\t{komi}\t0\t{setup}\tB+R\t?\t?\t{first}\t{moves}\n")
}

/// Three games on 5x5 of 4, 3 and 2 moves; the last one with two handicap stones.
fn text() -> String {
    let games = [
        line("one", "6.5?", "-", "B", "bbddbddb"),
        line("two", "?", "-", "B", "cc..bb"),
        line("three", "0.5", "aaee", "W", "cccd"),
    ];
    format!("#id\tsource\n{}", games.concat())
}

fn games() -> Vec<RecordedGame> {
    records::parse_records(&text()).unwrap()
}

fn question<'a>(record: &'a RecordedGame, moves: usize) -> JudgeQuestion<'a> {
    let komi = GameTerms::from_record(record, Rules::CHINESE).komi;
    JudgeQuestion {
        record,
        moment: Moment::after_moves(moves),
        komi,
        rules: "chinese",
        visits: 1,
        policy: PolicySource::Network,
    }
}

// --- plan ---

#[test]
fn every_game_is_taken_once_before_any_is_taken_again() {
    let games = games();
    let plan = LabelPlan::new(&games, Seed::new(1), usize::MAX);
    assert_eq!(plan.count_positions(), 9);
    let places: Vec<GamePlace> = plan.clone().collect();
    assert_eq!(places.iter().collect::<BTreeSet<_>>().len(), 9, "{places:?}");
    for round in [&places[..3], &places[3..6]] {
        assert_eq!(round.iter().map(|place| place.game).collect::<BTreeSet<_>>().len(), 3);
    }
    assert!(places.iter().all(|place| place.moment.moves < games[place.game].moves.len()));
    assert!(places.iter().all(|place| !place.moment.passed));
    let few: Vec<GamePlace> = LabelPlan::new(&games, Seed::new(1), 2).collect();
    assert_eq!(few, places[..6]);
    assert_eq!(LabelPlan::new(&games, Seed::new(1), 2).count_positions(), 6);
    let other: Vec<GamePlace> = LabelPlan::new(&games, Seed::new(2), usize::MAX).collect();
    assert_ne!(other, places);
    assert_eq!(LabelPlan::new(&[], Seed::new(1), 3).next(), None);
}

/// A machine that takes a part of the games draws the same positions of them.
#[test]
fn positions_of_a_game_do_not_depend_on_the_others() {
    let games = games();
    let of = |games: &[RecordedGame], line: usize| -> Vec<usize> {
        let places = LabelPlan::new(games, Seed::new(1), usize::MAX);
        places.filter(|place| games[place.game].line == line).map(|place| place.moment.moves).collect()
    };
    for line in 3..=4 {
        assert_eq!(of(&games, line), of(&games[1..], line));
    }
}

/// With a share of 1 every position is after a pass, but where the game has just had one: two would end it.
#[test]
fn positions_after_a_pass_are_a_share_of_the_same_positions() {
    let games = records::parse_records("a\t-\t-\t9\t7\t0\t-\t?\t?\t?\tB\tccdd..ee").unwrap();
    let plan = LabelPlan::new(&games, Seed::new(1), usize::MAX);
    let all: Vec<GamePlace> = plan.clone().with_passes(1.0).collect();
    let plain: Vec<GamePlace> = plan.clone().collect();
    let moves = |places: &[GamePlace]| places.iter().map(|place| place.moment.moves).collect::<Vec<_>>();
    assert_eq!(moves(&all), moves(&plain));
    let passed: BTreeSet<usize> =
        all.iter().filter(|place| place.moment.passed).map(|place| place.moment.moves).collect();
    assert_eq!(passed, BTreeSet::from([0, 1, 2]));
    assert_eq!(plan.clone().with_passes(0.0).collect::<Vec<_>>(), plain);
    let line = "a\t-\t-\t19\t7\t0\t-\t?\t?\t?\tB\taabbccddeeffgghhiijjkkllmmnnooppqqrrss";
    let games = records::parse_records(line).unwrap();
    let half = LabelPlan::new(&games, Seed::new(1), usize::MAX).with_passes(0.5);
    let passed = half.filter(|place| place.moment.passed).count();
    assert!((1..19).contains(&passed), "{passed} of 19");
}

/// The judge is asked about what the network is shown: after the pass the other side is to move.
#[test]
fn a_pass_reaches_the_question_the_label_and_the_sample() {
    let games = games();
    let game = &games[0];
    let moment = Moment { moves: 2, passed: true };
    let asked = JudgeQuestion { moment, ..question(game, 2) };
    let query = judge::build_query(&asked, 0);
    assert_eq!(query["moves"][2], json!(["B", "pass"]));
    let terms = GameTerms { rules: Rules::CHINESE, komi: 7.5 };
    let [before, after] = [Moment::after_moves(2), moment].map(|moment| position_at(game, terms, moment));
    assert_eq!([before.to_move(), after.to_move()], [Color::Black, Color::White]);
    let owners = "m".repeat(25);
    let line = format!("one\t2..\t7.5\tchinese\t0.9\t4.0\t?\t..:1000\t{owners}");
    let label = PositionLabel::from_line(&line, game.size).unwrap();
    assert_eq!(label.moment, moment);
    let sample = samples::sample_from_label(&mut PlaneEncoder::default(), game, &label).unwrap();
    assert_eq!((sample.to_move, sample.lead), (Color::White, Some(-4.0)));
    assert_eq!((sample.played, sample.game_winner), (None, None), "the game went on otherwise");
    assert_eq!(sample.planes, PlaneEncoder::default().encode_position(&after).unwrap());
}

// --- the line of a label ---

#[test]
fn a_line_is_read_as_it_was_written() {
    let size = BoardSize::new(3, 2).unwrap();
    let line = "g\t12\t-7.0\tjapanese\t1.0000\t0.25\t?\t\tabmxyn";
    let label = PositionLabel::from_line(line, size).unwrap();
    assert_eq!((label.spread, label.policy.len(), label.komi), (None, 0, -7.0));
    assert_eq!(label.owners, [11, 12, 1, -12, -11, 0]);
    assert_eq!(label.to_line(size), line);
    assert_eq!(label::read_place(line), Ok(("g", Moment::after_moves(12))));
}

#[test]
fn a_wrong_line_says_which_column() {
    let size = BoardSize::square(2).unwrap();
    let right = ["g", "1", "6.5", "chinese", "0.5", "1.5", "9.0", "aa:500 ..:2", "mmmm"];
    assert!(PositionLabel::from_line(&right.join("\t"), size).is_ok());
    let error = |column: usize, text: &str| {
        let mut columns = right;
        columns[column] = text;
        PositionLabel::from_line(&columns.join("\t"), size).unwrap_err().to_string()
    };
    assert_eq!(error(0, ""), "game: the column is empty");
    assert_eq!(
        error(1, "x"),
        "moves played: \"x\" must be a whole number such as 120, or 120.. if a pass followed"
    );
    assert_eq!(error(2, "nan"), "komi: \"nan\" must be points such as 6.5");
    assert_eq!(error(4, "1.5"), "win rate: 1.5 must be a number from 0 to 1");
    assert_eq!(error(7, "aa"), "policy: \"aa\": write moves and thousandths such as qd:310");
    assert_eq!(error(7, "aa:1001"), "policy: \"aa:1001\": write moves and thousandths such as qd:310");
    assert_eq!(error(7, "ca:5"), "policy: \"ca\" is no point of a 2x2 board, nor .. for a pass");
    assert_eq!(error(7, "aa:5 aa:4"), "policy: aa stands twice");
    assert_eq!(error(8, "mmm"), "owners: 3 letters, a 2x2 board has 4 points");
    assert_eq!(error(8, "mmmz"), "owners: 'z' must be a letter from a to y");
    let short = PositionLabel::from_line("g\t1\t6.5", size).unwrap_err().to_string();
    assert!(
        short.starts_with("columns: 3 columns: there must be 9, separated by tabs: game, moves"),
        "{short}"
    );
}

proptest! {
    /// No line makes a reader panic, and what is read survives writing.
    #[test]
    fn any_line_is_read_or_refused(line in "([a-z0-9.:?# -]{0,8}\t){0,9}[a-z.é]{0,9}", answer in "\\PC{0,60}") {
        let size = BoardSize::square(3).unwrap();
        if let Ok(label) = PositionLabel::from_line(&line, size) {
            let text = label.to_line(size);
            prop_assert_eq!(PositionLabel::from_line(&text, size).unwrap().to_line(size), text);
        }
        let _ = label::read_place(&line);
        let _ = parse_answer(&answer);
    }
}

/// The labels that others made for this format are read and written as they are.
#[test]
fn labels_of_others_survive() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data/go/judged/train-b10.tsv.gz");
    let Ok(bytes) = std::fs::read(&path) else {
        // Past the runner's capture, as CONTRIBUTING.md has it.
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), "SKIPPED: needs ../shared/data/go/judged");
        return;
    };
    let mut text = String::new();
    let mut plain = flate2::read::MultiGzDecoder::new(bytes.as_slice());
    std::io::Read::read_to_string(&mut plain, &mut text).unwrap();
    let size = BoardSize::square(19).unwrap();
    let mut count = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        assert_eq!(PositionLabel::from_line(line, size).unwrap().to_line(size), line);
        count += 1;
    }
    assert!(count > 1000);
}

// --- what is asked and answered ---

#[test]
fn a_question_is_one_that_our_own_service_takes() {
    let games = games();
    let asked = judge::build_query(&question(&games[2], 1), 7);
    assert_eq!(asked["initialStones"], json!([["B", "A5"], ["B", "E1"]]));
    assert_eq!((&asked["moves"], &asked["initialPlayer"]), (&json!([["W", "C3"]]), &json!("W")));
    assert_eq!((&asked["komi"], &asked["id"]), (&json!(0.5), &json!("7")));
    for record in &games {
        for moves in 0..=record.moves.len() {
            let asked = judge::build_query(&question(record, moves), 0).to_string();
            let (request, warnings) =
                protocol::query::parse_request(asked.as_bytes(), &protocol::AnalysisSettings::default())
                    .unwrap();
            assert_eq!(warnings, []);
            let protocol::query::AnalysisRequest::Query(query) = request else { panic!("no query") };
            let ours = position_at(
                record,
                GameTerms::from_record(record, Rules::CHINESE),
                Moment::after_moves(moves),
            );
            let theirs = query.position_at_turn(moves);
            assert_eq!(theirs.situation_hash(), ours.situation_hash());
            assert_eq!((theirs.komi(), theirs.handicap()), (ours.komi(), ours.handicap()));
        }
    }
}

/// 3x2, White to move: figures are Black's, lists begin at the top left.
fn answer() -> (Vec<RecordedGame>, Value) {
    let game = "g\tmade\t2026\t3x2\t7\t0\t-\t?\t?\t?\tB\tab\n";
    let answer = json!({
        "id": "3", "isDuringSearch": false, "turnNumber": 1, "moveInfos": [],
        "rootInfo": {
            "winrate": 0.5, "scoreLead": 0.0, "scoreStdev": 3.0,
            "rawWinrate": 0.25, "rawLead": -2.25, "rawScoreSelfplayStdev": 5.0,
        },
        "ownership": [1, -1, 0.51, 0.04, 0.05, -0.99],
        "policy": [0.1, 0.0, 0.5004, -1, 0.0004, 0.3, 0.1],
    });
    (records::parse_records(game).unwrap(), answer)
}

#[test]
fn an_answer_is_read_point_by_point() {
    let (games, answer) = answer();
    let size = games[0].size;
    let label = judge::label_from_answer(&question(&games[0], 1), &answer).unwrap();
    assert_eq!((label.win_rate, label.lead, label.spread), (0.25, -2.25, Some(5.0)));
    let at = |column, row| Move::Play(Point::new(column, row));
    assert_eq!(label.policy, [(at(2, 1), 500), (at(2, 0), 300), (at(0, 1), 100), (Move::Pass, 100)]);
    assert_eq!(label.owners, [0, 1, -12, 12, -12, 6], "from A1");
    assert_eq!(
        label.to_line(size),
        "g\t1\t7.0\tchinese\t0.2500\t-2.25\t5.0\tca:500 cb:300 aa:100 ..:100\tyasmna"
    );
    // Searched, the figures are the search's.
    let searched = JudgeQuestion { visits: 9, ..question(&games[0], 1) };
    let label = judge::label_from_answer(&searched, &answer).unwrap();
    assert_eq!((label.win_rate, label.lead, label.spread), (0.5, 0.0, Some(3.0)));
}

#[test]
fn visits_make_a_policy() {
    let (games, mut answer) = answer();
    answer["moveInfos"] = json!([
        { "move": "C1", "visits": 6, "edgeVisits": 1 },
        { "move": "pass", "visits": 2 },
        { "move": "A2", "edgeVisits": 5, "visits": 5 },
    ]);
    let asked = JudgeQuestion { policy: PolicySource::Visits, visits: 8, ..question(&games[0], 1) };
    let label = judge::label_from_answer(&asked, &answer).unwrap();
    let found: Vec<(String, u16)> = label.policy.iter().map(|(mv, n)| (mv.to_string(), *n)).collect();
    assert_eq!(found, [("A2".to_string(), 625), ("pass".to_string(), 250), ("C1".to_string(), 125)]);
    // Labels of these could be written, but not be read again.
    for wrong in [
        json!([{ "move": "C1", "visits": 6 }, { "move": "A2", "visits": -9 }]),
        json!([{ "move": "C1", "visits": 6 }, { "move": "c1", "visits": 2 }]),
    ] {
        answer["moveInfos"] = wrong;
        let error = judge::label_from_answer(&asked, &answer).unwrap_err().to_string();
        assert!(error.contains("each once, with their visits from 0 on"), "{error}");
    }
}

#[test]
fn an_answer_that_cannot_be_says_what_would_be_right() {
    let (games, right) = answer();
    let error = |field: &str, value: Value| {
        let mut answer = right.clone();
        match field.split_once('.') {
            Some((outer, inner)) => answer[outer][inner] = value,
            None => answer[field] = value,
        }
        judge::label_from_answer(&question(&games[0], 1), &answer).unwrap_err().to_string()
    };
    let before = "its answer on g after 1 moves: ";
    let begins = |error: String, words: &str| {
        assert!(error.starts_with(&format!("{before}{words}; it said {{")), "{error}");
    };
    begins(error("rootInfo.rawWinrate", json!(1.5)), "rootInfo.rawWinrate must be a number from 0 to 1");
    begins(error("rootInfo", json!({})), "rootInfo.rawWinrate must be a number from 0 to 1");
    begins(error("rootInfo.rawLead", json!("x")), "rootInfo.rawLead must be a number from -10000 to 10000");
}

#[test]
fn lists_of_an_answer_must_fit_the_board() {
    let (games, right) = answer();
    for (field, count) in [("ownership", 6), ("policy", 7)] {
        for value in [Value::Null, json!([1, 2, 3]), json!(vec![2.0; count]), json!(vec!["x"; count])] {
            let mut answer = right.clone();
            answer[field] = value;
            let error = judge::label_from_answer(&question(&games[0], 1), &answer).unwrap_err().to_string();
            assert!(error.contains(&format!("{field} must be {count} numbers from -1 to 1")), "{error}");
        }
    }
    let mut bare = right.clone();
    let root = bare["rootInfo"].as_object_mut().unwrap();
    root.retain(|name, _| !name.contains("Stdev"));
    assert_eq!(judge::label_from_answer(&question(&games[0], 1), &bare).unwrap().spread, None);
}

#[test]
fn lines_are_told_apart() {
    let read = |line: &str| parse_answer(line);
    assert!(matches!(read(r#"{"id":"4","x":1}"#), Ok(JudgeAnswer::Judged(4, _))));
    assert_eq!(
        read(r#"{"error":"Illegal move 3: A1","field":"moves","id":"4"}"#),
        Ok(JudgeAnswer::Refused(4, "Illegal move 3: A1 (field moves)".into()))
    );
    assert_eq!(read(r#"{"warning":"odd","id":"4"}"#), Ok(JudgeAnswer::Warning("odd".into())));
    assert!(matches!(read(r#"{"id":"4","noResults":true}"#), Ok(JudgeAnswer::Refused(4, _))));
    for line in ["= ", "[]", "{}", r#"{"error":"could not parse"}"#, r#"{"id":4}"#] {
        assert!(matches!(read(line), Err(JudgeProcessError::Nonsense { .. })), "{line}");
    }
}

/// Our own service says what it sees from Black's side, whoever is to move, and from the top: Black has the lower rows, White the
/// upper ones.
#[test]
fn our_own_service_is_a_judge() {
    let game = "w\tmade\t2026\t5\t0.5\t0\tadbdcdddedbede\tB+R\t?\t?\tW\tab..bb..cb..db..eb..\n";
    let games = records::parse_records(game).unwrap();
    for moves in [9, 10] {
        let asked = JudgeQuestion { visits: 300, policy: PolicySource::Visits, ..question(&games[0], moves) };
        let mut output = Vec::new();
        let about = protocol::ServiceInfo { version: "1".into(), name: "x".into(), spec: "x".into() };
        let service = protocol::AnalysisService::new(
            about,
            protocol::AnalysisSettings::default(),
            Seed::new(1),
            &mut output,
        );
        service
            .read_requests(BufReader::new(Cursor::new(format!("{}\n", judge::build_query(&asked, 0)))))
            .unwrap();
        let make = |more: &[(String, String)]| {
            let more: Vec<String> = more.iter().map(|(key, value)| format!("{key}={value}")).collect();
            catalog::create_go_player(&format!("go-mcts:settle=no,reuse=no,{}", more.join(",")), Seed::new(1))
                .map_err(|error| error.to_string())
        };
        service.run_workers(1, &StoppedClock, &make).unwrap();
        drop(service);
        let answer: Value = serde_json::from_slice(&output).unwrap();
        let label = judge::label_from_answer(&asked, &answer).unwrap();
        let rows: Vec<i32> =
            label.owners.chunks(5).map(|row| row.iter().map(|&owner| i32::from(owner)).sum()).collect();
        assert!(rows[0] > 30 && rows[1] > 30 && rows[3] < -30 && rows[4] < -30, "{rows:?} {label:?}");
        let policy: u32 = label.policy.iter().map(|&(_, share)| u32::from(share)).sum();
        assert!((950..=1050).contains(&policy), "{label:?}");
        let black_leads = label.lead > 0.0;
        assert_eq!(black_leads, label.win_rate > 0.5, "{label:?}");
    }
}

// --- a judge of shell ---

/// Speaks as much of the protocol as is asked. Its first argument says how it goes wrong, its second at which query.
const FAKE: &str = r##"
mode=$1 at=$2 n=0
zeros='0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0'
judge() {
    echo "{\"id\":\"$id\",\"isDuringSearch\":false,\"turnNumber\":0,\"moveInfos\":[],\"rootInfo\":{\"rawWinrate\":0.75,\"rawLead\":2.5},\"ownership\":[1,$zeros],\"policy\":[$zeros,0,1]}"
}
while read -r line; do
    id=${line##*\"id\":\"} id=${id%%\"*}
    case $line in
        quit) exit 0 ;;
        *query_version*) echo '{"id":"query_version","action":"query_version","version":"Fake 1"}'; continue ;;
        *query_models*) echo '{"id":"query_models","action":"query_models","models":[{"name":"x","internalName":"net-7"}]}'; continue ;;
    esac
    n=$((n + 1))
    if [ "$n" -ge "$at" ]; then
        case $mode in
            dies) echo "no more memory" >&2; exit 3 ;;
            babbles) echo "what a nice position"; continue ;;
            lies) id=99999 ;;
            hangs) exec sleep 1000 ;;
            refuses) echo "{\"error\":\"cannot judge this\",\"field\":\"moves\",\"id\":\"$id\"}"; continue ;;
            once) at=1000; echo "{\"error\":\"cannot judge this\",\"field\":\"moves\",\"id\":\"$id\"}"; continue ;;
            warns) echo "{\"warning\":\"odd komi\",\"field\":\"komi\",\"id\":\"$id\"}" ;;
        esac
    fi
    judge
done
"##;

struct Bench {
    folder: tempfile::TempDir,
    games: Vec<RecordedGame>,
}

/// What came of a run: done or stopped, or the error; and what was told.
type Outcome = (Result<bool, String>, Vec<LabelEvent>);

impl Bench {
    fn new() -> Bench {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("fake.sh"), FAKE).unwrap();
        Bench { folder, games: games() }
    }

    fn command(&self, how: &str) -> EngineCommand {
        let script = self.folder.path().join("fake.sh");
        format!("sh {} {how}", script.display()).parse().unwrap()
    }

    fn settings(&self) -> LabelSettings {
        let (skip, take, visits, policy) = (0, None, 1, PolicySource::Network);
        let (rules, seed, passes) = ("chinese".to_string(), Seed::new(1), 0.0);
        LabelSettings { games: 7, skip, take, visits, policy, rules, seed, passes }
    }

    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("labels.tsv")
    }

    fn open(&self) -> Result<LabelFile, LabelsError> {
        LabelFile::open(&self.path(), &self.settings(), "Fake 1, net-7", "sh fake.sh")
    }

    fn work<'a>(&'a self, command: &'a EngineCommand, workers: usize) -> LabelWork<'a> {
        LabelWork {
            games: &self.games,
            rules: (Rules::CHINESE, "chinese"),
            visits: 1,
            policy: PolicySource::Network,
            command,
            patience: Duration::from_millis(1500),
            workers,
            in_flight: 2,
        }
    }

    /// Labels so many positions with a judge that goes wrong like this.
    fn run(&self, how: &str, limit: usize, workers: usize, stopped: &dyn Stop) -> Outcome {
        let command = self.command(how);
        let stop = StopFlag::default();
        let work = self.work(&command, workers);
        let patience = work.patience;
        let mut judge = JudgeProcess::start(&command, patience, &stop).unwrap();
        assert_eq!(judge.query_name().unwrap(), "Fake 1, net-7");
        let mut file = self.open().unwrap();
        let plan = LabelPlan::new(&self.games, Seed::new(1), usize::MAX);
        let mut told = Vec::new();
        let done =
            work::run_judges(&work, judge, plan, limit, &mut file, stopped, &mut |event| told.push(event));
        (done.map_err(|error| error.to_string()), told)
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.path()).unwrap()
    }

    /// The lines that are no head, sorted.
    fn lines(&self) -> Vec<String> {
        let text = self.text();
        assert!(text.ends_with('\n'));
        let lines = text.lines().filter(|line| !line.starts_with('#') || line.starts_with("# refused"));
        let mut lines: Vec<String> =
            lines.map(|line| label::split_checksum_column(line).unwrap().0.to_string()).collect();
        lines.sort();
        lines
    }
}

fn never() -> bool {
    false
}

#[test]
fn several_judges_label_all_positions_once() {
    let bench = Bench::new();
    let (done, told) = bench.run("well 0", usize::MAX, 3, &never);
    assert_eq!((done, told.len()), (Ok(true), 9));
    let lines = bench.lines();
    let expected: BTreeSet<(String, Moment)> = LabelPlan::new(&bench.games, Seed::new(1), usize::MAX)
        .map(|place| (bench.games[place.game].id.clone(), place.moment))
        .collect();
    let found: BTreeSet<(String, Moment)> = lines
        .iter()
        .map(|line| label::read_place(line).unwrap())
        .map(|(id, n)| (id.to_string(), n))
        .collect();
    assert_eq!((found, lines.len()), (expected, 9));
    let owners = format!("y{}", "m".repeat(24));
    assert!(
        lines.contains(&format!("two\t1\t7.5\tchinese\t0.7500\t2.50\t?\t..:1000\t{owners}")),
        "{lines:?}"
    );
    let head: String = bench.text().lines().take_while(|line| line.starts_with('#')).collect();
    for words in ["# judge: Fake 1, net-7", "# started as: sh fake.sh", "seed 1", "give the same command"] {
        assert!(head.contains(words), "{head}");
    }
}

/// A task of a campaign: some positions, one judge, which is asked again afterwards.
#[test]
fn one_judge_answers_about_some_positions_in_their_order() {
    let bench = Bench::new();
    assert_eq!(bench.run("well 0", usize::MAX, 1, &never).0, Ok(true));
    let places: Vec<GamePlace> = LabelPlan::new(&bench.games, Seed::new(1), usize::MAX).collect();
    let (command, stop) = (bench.command("once 4"), StopFlag::default());
    let work = bench.work(&command, 1);
    let mut judge = JudgeProcess::start(&command, work.patience, &stop).unwrap();
    let first = work::judge_places(&work, &mut judge, &places[..5], &stop).unwrap();
    let rest = work::judge_places(&work, &mut judge, &places[5..], &stop).unwrap();
    let lines = bench.lines();
    for (number, (place, judged)) in places.iter().zip(first.iter().chain(&rest)).enumerate() {
        let id = &bench.games[place.game].id;
        match judged {
            PlaceJudgement::Label(line) => {
                assert_eq!(label::read_place(line).unwrap(), (id.as_str(), place.moment));
                assert!(lines.contains(line), "{line}");
            }
            PlaceJudgement::Refused(why) => {
                assert_eq!((number, why.as_str()), (3, "cannot judge this (field moves)"));
            }
        }
    }
    assert_eq!(first.len() + rest.len(), 9);
    let stopped = StopFlag::raised_if(true);
    assert_eq!(work::judge_places(&work, &mut judge, &places, &stopped), Err(JudgeProcessError::Stopped));
}

#[test]
fn the_same_command_goes_on() {
    let (whole, parts) = (Bench::new(), Bench::new());
    assert_eq!(whole.run("well 0", 8, 1, &never).0, Ok(true));
    assert_eq!(parts.run("well 0", 3, 1, &never).0, Ok(true));
    assert_eq!(parts.lines().len(), 3);
    // A kill in the middle of a line.
    let text = parts.text();
    std::fs::write(parts.path(), &text[..text.len() - 5]).unwrap();
    let (done, told) = parts.run("well 0", 8, 2, &never);
    assert_eq!((done, told.len()), (Ok(true), 6));
    assert_eq!(parts.lines(), whole.lines());
    let (done, told) = parts.run("well 0", 8, 2, &never);
    assert_eq!((done, told), (Ok(true), Vec::new()), "nothing is left to do");
    // A kill while the head is written.
    let head = whole.text();
    std::fs::write(whole.path(), &head[..30]).unwrap();
    assert_eq!(whole.run("well 0", 8, 1, &never).0, Ok(true));
    assert_eq!(whole.lines(), parts.lines());
}

#[test]
fn a_judge_that_fails_loses_nothing() {
    for (how, words) in [
        (
            "dies 4",
            "the judge: the engine ended by itself (exit status: 3); its last words on stderr:\n  no more memory",
        ),
        (
            "babbles 4",
            "its answers must be lines of JSON, as `katago analysis` gives them; it said what a nice",
        ),
        ("lies 4", "an answer must have the id of a query that waits for one; it said id 99999"),
        ("hangs 4", "timeout after 1.5s"),
    ] {
        let bench = Bench::new();
        let (done, told) = bench.run(how, usize::MAX, 1, &never);
        let error = done.unwrap_err();
        assert!(error.contains(words), "{how}: {error}");
        assert_eq!((bench.lines().len(), told.len()), (3, 3), "{how}");
        assert_eq!(bench.run("well 0", usize::MAX, 1, &never).0, Ok(true));
        assert_eq!(bench.lines().len(), 9);
    }
}

#[test]
fn a_judge_that_is_none_is_found_at_once() {
    let stop = StopFlag::default();
    let name = |command: &str| {
        let judge = JudgeProcess::start(&command.parse().unwrap(), Duration::from_millis(500), &stop);
        judge.and_then(|mut judge| judge.query_name()).unwrap_err().to_string()
    };
    let absent = name("no-such-judge analysis");
    assert!(absent.contains("cannot start") && absent.contains("is it installed, and in PATH?"), "{absent}");
    assert!(name("echo hello").contains("its answer must be a line of JSON"));
    assert!(name("echo '{\"id\":\"x\"}'").contains("the action query_version must be answered"));
    assert!(name("true").contains("ended by itself"));
    assert!(name("sleep 100").contains("timeout"));
}

#[test]
fn refused_positions_are_noted_and_not_asked_again() {
    for at in [1, 4] {
        let bench = Bench::new();
        let (done, told) = bench.run(&format!("once {at}"), usize::MAX, 1, &never);
        assert_eq!((done, told.len()), (Ok(true), 9), "{at}");
        let lines = bench.lines();
        let refused: Vec<&String> = lines.iter().filter(|line| line.starts_with('#')).collect();
        assert_eq!((refused.len(), lines.len()), (1, 9));
        assert!(refused[0].ends_with("cannot judge this (field moves)"), "{refused:?}");
        assert_eq!(bench.open().unwrap().refused_count(), 1);
        let (done, told) = bench.run("well 0", usize::MAX, 1, &never);
        assert_eq!((done, told), (Ok(true), Vec::new()));
    }
}

#[test]
fn a_judge_that_refuses_everything_is_the_wrong_one() {
    let bench = Bench::new();
    let error = bench.run("refuses 1", usize::MAX, 1, &never).0.unwrap_err();
    assert!(error.contains("it refuses position ") && error.contains("cannot judge this"), "{error}");
    assert_eq!(bench.lines(), Vec::<String>::new(), "a better one is asked again");
}

#[test]
fn warnings_are_told_once() {
    let bench = Bench::new();
    let (done, told) = bench.run("warns 1", usize::MAX, 2, &never);
    assert_eq!(done, Ok(true));
    let warnings: Vec<&LabelEvent> = told.iter().filter(|event| **event != LabelEvent::Done).collect();
    assert_eq!(warnings, [&LabelEvent::Warning("odd komi (field komi)".into())]);
}

#[test]
fn a_stop_ends_the_wait() {
    let bench = Bench::new();
    let looks = AtomicUsize::new(0);
    let stopped = || looks.fetch_add(1, Ordering::Relaxed) > 5;
    assert_eq!(bench.run("hangs 1", usize::MAX, 2, &stopped).0, Ok(false));
}

// --- the file ---

#[test]
fn a_file_of_other_settings_is_refused() {
    let bench = Bench::new();
    drop(bench.open().unwrap());
    let before = bench.text();
    let error = |settings: LabelSettings, judge: &str| {
        LabelFile::open(&bench.path(), &settings, judge, "x").unwrap_err().to_string()
    };
    let other = LabelSettings { visits: 2, seed: Seed::new(3), ..bench.settings() };
    let found = error(other, "Fake 1, net-7");
    let words = "begun with visits 1 (now visits 2), seed 1 (now seed 3); give another name";
    assert!(found.contains(words), "{found}");
    let found = error(bench.settings(), "Fake 2");
    assert!(found.contains("begun with judge Fake 1, net-7 (now Fake 2); give another name"), "{found}");
    assert_eq!(bench.text(), before);
    std::fs::write(bench.path(), "a file of somebody else").unwrap();
    assert!(bench.open().unwrap_err().is_input());
    std::fs::write(bench.path(), "a file\nof somebody else\n").unwrap();
    let found = bench.open().unwrap_err().to_string();
    assert!(found.contains("it exists and holds no labels of `ishi go label`"), "{found}");
    assert_eq!(bench.text(), "a file\nof somebody else\n");
    std::fs::write(bench.path(), format!("{before}g\tmany\n")).unwrap();
    let found = bench.open().unwrap_err().to_string();
    assert!(found.contains("line 7, moves played: \"many\" must be a whole number"), "{found}");
}

/// Lines may be missing, as after a kill, but none is another.
#[test]
fn damaged_lines_are_refused() {
    let bench = Bench::new();
    assert_eq!(bench.run("once 4", usize::MAX, 1, &never).0, Ok(true));
    let (whole, lines) = (bench.text(), bench.lines());
    try_damaged_copies(whole.as_bytes(), Seed::new(1), 300, |what, damaged| {
        std::fs::write(bench.path(), damaged).unwrap();
        if bench.open().is_ok() {
            assert!(bench.lines().iter().all(|line| lines.contains(line)), "{what}");
        }
    });
    std::fs::write(bench.path(), whole.replacen("labels-2", "labels-1", 1)).unwrap();
    let found = bench.open().unwrap_err().to_string();
    assert!(found.contains("begun by an older ishi, without checksums"), "{found}");
}

#[test]
fn two_programs_do_not_write_the_same_file() {
    let bench = Bench::new();
    let first = bench.open().unwrap();
    let error = bench.open().unwrap_err();
    assert!(error.is_input() && error.to_string().contains("another program writes labels to it"), "{error}");
    drop(first);
    bench.open().unwrap();
}

// --- samples ---

/// The same label seen by either side.
#[test]
fn samples_are_told_from_the_side_to_move() {
    let games = games();
    let game = &games[0];
    let owners: Vec<i8> = (0..25).map(|n| if n == 1 { 12 } else { -3 }).collect();
    for (moves, to_move, sign) in [(2, Color::Black, 1), (3, Color::White, -1)] {
        let label = PositionLabel {
            game: "one".into(),
            moment: Moment::after_moves(moves),
            komi: 3.5,
            rules: "japanese".into(),
            win_rate: 0.75,
            lead: 2.5,
            spread: Some(4.0),
            policy: vec![(Move::Pass, 600), (Move::Play(Point::new(4, 0)), 400)],
            owners: owners.clone(),
        };
        let sample = samples::sample_from_label(&mut PlaneEncoder::default(), game, &label).unwrap();
        let black = to_move == Color::Black;
        assert_eq!((sample.to_move, sample.game, sample.spread), (to_move, 2, Some(4.0)));
        assert_eq!(sample.judge_winner, Some(if black { 0.75 } else { 0.25 }));
        assert_eq!(sample.game_winner, Some(if black { 1.0 } else { 0.0 }), "Black won");
        assert_eq!(sample.lead, Some(2.5 * sign as f32));
        assert_eq!(sample.played, Some(game.moves[moves]));
        assert_eq!(sample.policy, Some(label.policy.clone()));
        let found = sample.owners.unwrap();
        assert_eq!(found[planes::point_index(Point::new(1, 0))], 12 * sign);
        assert_eq!(found[planes::point_index(Point::new(0, 1))], -3 * sign);
        assert_eq!(found[planes::point_index(Point::new(5, 0))], 0, "outside");
        let terms = GameTerms { rules: Rules::JAPANESE, komi: 3.5 };
        let planes = PlaneEncoder::default()
            .encode_position(&position_at(game, terms, Moment::after_moves(moves)))
            .unwrap();
        assert_eq!(sample.planes, planes);
        let error = |label: PositionLabel| {
            samples::sample_from_label(&mut PlaneEncoder::default(), game, &label).unwrap_err().to_string()
        };
        let long = error(PositionLabel { moment: Moment::after_moves(5), ..label.clone() });
        assert_eq!(long, "moves played: 5, but the game has 4 moves");
        assert!(
            error(PositionLabel { rules: "mine".into(), ..label }).contains("rules: unknown rules \"mine\"")
        );
    }
}

#[test]
fn a_board_that_is_too_large_is_refused() {
    let game = "g\tmade\t2026\t21\t7\t0\t-\t?\t?\t?\tB\tab\n";
    let games = records::parse_records(game).unwrap();
    let terms = GameTerms::from_record(&games[0], Rules::CHINESE);
    assert!(
        samples::sample_from_game(&mut PlaneEncoder::default(), &games[0], terms, Moment::after_moves(0))
            .is_err()
    );
}
