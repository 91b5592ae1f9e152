//! Lines in, lines out.

use std::collections::BTreeMap;
use std::io::{BufReader, Cursor};
use std::time::Duration;

use ishi_engine::{Choice, Clock, Control, Engine, EngineAction, MoveReport, SearchReport, StoppedClock};
use ishi_go::{BoardSize, Color, KoRule, Move, Position, Rules};
use ishi_go_play::catalog;
use ishi_rng::Seed;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::query::{self, AnalysisQuery, AnalysisRequest};
use super::{AnalysisSearcher, AnalysisService, AnalysisSettings, Perspective, ProtocolProblem, ServiceInfo};

fn about() -> ServiceInfo {
    ServiceInfo { version: "1.2".into(), name: "go-mcts".into(), spec: "go-mcts:settle=no".into() }
}

/// Of the player that [`make`] makes.
fn by_playouts() -> AnalysisSettings {
    AnalysisSettings { searcher: AnalysisSearcher::Playouts, ..AnalysisSettings::default() }
}

fn make(more: &[(String, String)]) -> Result<Box<dyn Engine>, String> {
    let more: Vec<String> = more.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let spec = format!("go-mcts:settle=no,reuse=no,{}", more.join(","));
    catalog::create_go_player(&spec, Seed::new(1)).map_err(|error| error.to_string())
}

/// The lines of a conversation in which everything is asked at once.
fn talk_with(threads: usize, clock: &(dyn Clock + Sync), lines: &[Value]) -> Vec<Value> {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let mut output = Vec::new();
    let service = AnalysisService::new(about(), by_playouts(), Seed::new(1), &mut output);
    service.read_requests(BufReader::new(Cursor::new(input))).unwrap();
    service.run_workers(threads, clock, &make).unwrap();
    drop(service);
    let text = String::from_utf8(output).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn talk(lines: &[Value]) -> Vec<Value> {
    talk_with(1, &StoppedClock, lines)
}

/// A query on 5x5, with more fields or others.
fn small(more: Value) -> Value {
    let mut query = json!({
        "id": "q", "moves": [["B", "C3"], ["W", "C2"]], "rules": "chinese", "komi": 0.5,
        "boardXSize": 5, "boardYSize": 5, "maxVisits": 60,
    });
    let fields = query.as_object_mut().unwrap();
    for (name, value) in more.as_object().unwrap() {
        match value {
            Value::Null => fields.remove(name),
            value => fields.insert(name.clone(), value.clone()),
        };
    }
    query
}

fn one(more: Value) -> Value {
    let answers = talk(&[small(more)]);
    assert_eq!(answers.len(), 1, "{answers:?}");
    answers[0].clone()
}

fn read(line: &Value) -> Result<(AnalysisQuery, Vec<ProtocolProblem>), ProtocolProblem> {
    match query::parse_request(line.to_string().as_bytes(), &by_playouts())? {
        (AnalysisRequest::Query(query), warnings) => Ok((*query, warnings)),
        (other, _) => panic!("{other:?}"),
    }
}

fn close(a: &Value, b: f64) -> bool {
    (a.as_f64().unwrap() - b).abs() < 1e-5
}

#[test]
fn an_answer_has_moves_and_a_root() {
    let answer = one(json!({}));
    assert_eq!((&answer["id"], &answer["turnNumber"]), (&json!("q"), &json!(2)));
    assert_eq!(answer["isDuringSearch"], json!(false));
    let moves = answer["moveInfos"].as_array().unwrap();
    let visits: u64 = moves.iter().map(|mv| mv["visits"].as_u64().unwrap()).sum();
    assert_eq!(answer["rootInfo"]["visits"], json!(60));
    assert_eq!(visits, 60);
    for (order, mv) in moves.iter().enumerate() {
        assert_eq!(mv["order"], json!(order));
        assert_eq!(mv["pv"][0], mv["move"]);
        let rate = mv["winrate"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&rate) && mv["lcb"].as_f64().unwrap() <= rate);
        assert!(close(&mv["utility"], 2.0 * rate - 1.0));
        assert!(mv["prior"].as_f64().unwrap() > 0.0);
        assert_eq!(mv["scoreLead"], mv["scoreMean"]);
        assert_eq!(mv.get("scoreStdev").is_some(), mv["visits"].as_u64() > Some(1));
        assert!(mv.get("ownership").is_none() && mv.get("pvVisits").is_none());
    }
    assert_eq!(answer["rootInfo"]["currentPlayer"], json!("B"));
    assert!(answer.get("ownership").is_none() && answer.get("policy").is_none());
}

#[test]
fn whose_view_is_told_changes_signs_only() {
    let told = |side: &str| {
        let settings = json!({ "reportAnalysisWinratesAs": side });
        one(json!({ "moves": [["B", "C3"]], "overrideSettings": settings, "includeOwnership": true }))
    };
    let (black, white, own) = (told("BLACK"), told("white"), told("SIDETOMOVE"));
    assert_eq!(white, own, "White is to move");
    let best = |answer: &Value, field: &str| answer["moveInfos"][0][field].as_f64().unwrap();
    for field in ["winrate", "lcb"] {
        assert!((best(&black, field) + best(&white, field) - 1.0).abs() < 1e-5, "{field}");
    }
    for field in ["scoreLead", "utility", "utilityLcb"] {
        assert!((best(&black, field) + best(&white, field)).abs() < 1e-5, "{field}");
    }
    assert_eq!(best(&black, "scoreStdev"), best(&white, "scoreStdev"));
    let (a, b) = (black["ownership"].as_array().unwrap(), white["ownership"].as_array().unwrap());
    assert!(a.iter().zip(b).all(|(a, b)| a.as_f64().unwrap() == -b.as_f64().unwrap()));
    assert!(black["rootInfo"]["winrate"].as_f64() > Some(0.5), "Black has the centre");
}

#[test]
fn owners_go_row_by_row_from_the_upper_left() {
    // Seven columns and five rows: Black lives on the left with three eyes, White on the right.
    let stand = |color: &'static str, points: &str| -> Vec<[String; 2]> {
        points.split(' ').map(|point| [color.to_string(), point.to_string()]).collect()
    };
    let black = stand("B", "C1 C2 C3 C4 C5 A2 B2 A4 B4");
    let stones = [black, stand("W", "D1 D2 D3 D4 D5 E2 F2 G2 E4 F4 G4")].concat();
    let answer = one(json!({
        "moves": [], "initialStones": stones, "boardXSize": 7, "boardYSize": 5, "includeOwnership": true,
        "includeOwnershipStdev": true, "includePolicy": true, "overrideSettings": { "reportAnalysisWinratesAs": "BLACK" },
    }));
    let numbers = |field: &str| -> Vec<f64> {
        answer[field].as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
    };
    let owners = numbers("ownership");
    assert_eq!(owners.len(), 35);
    for row in owners.chunks(7) {
        assert!(
            row[..3].iter().all(|&mean| mean > 0.5) && row[3..].iter().all(|&mean| mean < -0.5),
            "{owners:?}"
        );
    }
    for (mean, spread) in owners.iter().zip(numbers("ownershipStdev")) {
        assert!((mean * mean + spread * spread - 1.0).abs() < 1e-3);
    }
    let policy = numbers("policy");
    assert_eq!(policy.len(), 36);
    // The uppermost row: C5 and D5 stand, the others are free.
    let free: Vec<bool> = policy[..7].iter().map(|&share| share >= 0.0).collect();
    assert_eq!(free, [true, true, false, false, true, true, true]);
    assert_eq!(policy[2..4], [-1.0; 2]);
    let sum: f64 = policy.iter().filter(|&&share| share > 0.0).sum();
    assert!((sum - 1.0).abs() < 1e-4, "{sum}");
}

#[test]
fn moves_have_owners_and_visits_if_asked_for() {
    let answer = one(json!({
        "includeMovesOwnership": true, "includeMovesOwnershipStdev": true, "includePVVisits": true,
        "analysisPVLen": 1,
    }));
    for mv in answer["moveInfos"].as_array().unwrap() {
        assert_eq!(mv["ownership"].as_array().unwrap().len(), 25);
        assert_eq!(mv["ownershipStdev"].as_array().unwrap().len(), 25);
        let (line, visits) = (mv["pv"].as_array().unwrap(), mv["pvVisits"].as_array().unwrap());
        assert!(line.len() == visits.len() && line.len() <= 2);
        assert_eq!(visits[0], mv["visits"]);
    }
    assert!(answer.get("ownership").is_none());
}

/// The move that the game plays is explained, or the best one where it ends, in the language that is asked for.
#[test]
fn moves_are_explained_if_asked_for() {
    let game = json!([["B", "C3"], ["W", "C2"], ["B", "B2"]]);
    let told = |turn: u64, asked: Value| {
        one(json!({ "moves": game, "analyzeTurns": [turn], "maxVisits": 10, "includeExplanation": asked }))
    };
    let verdict = |answer: &Value| answer["explanation"]["teaching"]["lines"][0]["text"].to_string();
    let played = told(2, json!("en"));
    assert_eq!(played["explanation"]["explained"]["vertex"], json!("B2"));
    assert!(verdict(&played).contains("Black B2"), "{played}");
    assert!(verdict(&told(2, json!("ja"))).contains("黒B2"));
    let last = told(3, json!(true));
    assert_eq!(last["explanation"]["explained"]["vertex"], last["moveInfos"][0]["move"]);
    assert!(told(2, json!(false)).get("explanation").is_none());
    let problem = read(&small(json!({ "includeExplanation": "fr" }))).unwrap_err();
    assert_eq!(problem.field.as_deref(), Some("includeExplanation"));
}

/// The example of the documentation: three answers, in any order, the same whatever the threads.
#[test]
fn every_turn_is_answered_once() {
    let query = json!({
        "id": "foo", "initialStones": [["B", "Q4"], ["B", "C4"]], "moves": [["W", "P5"], ["B", "P6"]],
        "rules": "tromp-taylor", "komi": 7.5, "boardXSize": 19, "boardYSize": 19, "analyzeTurns": [0, 1, 2],
        "maxVisits": 20,
    });
    let by_turn = |threads| -> BTreeMap<u64, Value> {
        let answers = talk_with(threads, &StoppedClock, std::slice::from_ref(&query));
        assert_eq!(answers.len(), 3);
        answers.into_iter().map(|answer| (answer["turnNumber"].as_u64().unwrap(), answer)).collect()
    };
    let (one, three) = (by_turn(1), by_turn(3));
    assert_eq!(one.keys().copied().collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(one, three);
    let players: Vec<&Value> = one.values().map(|answer| &answer["rootInfo"]["currentPlayer"]).collect();
    assert_eq!(players, ["W", "B", "W"]);
}

#[test]
fn higher_priorities_go_first() {
    let order = |lines: &[Value]| -> Vec<(String, u64)> {
        let id = |answer: &Value| answer["id"].as_str().unwrap().to_string();
        talk(lines).iter().map(|answer| (id(answer), answer["turnNumber"].as_u64().unwrap())).collect()
    };
    let name = |id: &str, turn| (id.to_string(), turn);
    let lines = [
        small(json!({ "id": "a" })),
        small(json!({ "id": "b", "priority": 5 })),
        small(json!({ "id": "c" })),
    ];
    assert_eq!(order(&lines), [name("b", 2), name("a", 2), name("c", 2)]);
    let turns = small(json!({ "analyzeTurns": [0, 1, 2], "priorities": [-1, 1, 1] }));
    assert_eq!(order(&[turns]), [name("q", 1), name("q", 2), name("q", 0)]);
}

#[test]
fn moves_are_restricted() {
    let moves = |answer: &Value| -> Vec<String> {
        answer["moveInfos"].as_array().unwrap().iter().map(|mv| mv["move"].as_str().unwrap().into()).collect()
    };
    let allow = json!([{ "player": "B", "moves": ["A5", "E1"], "untilDepth": 1 }]);
    let mut only = moves(&one(json!({ "allowMoves": allow })));
    only.sort();
    assert_eq!(only, ["A5", "E1"]);
    // Both players' moves, as KaTrain restricts them to a part of the board.
    let avoid = |player| json!({ "player": player, "moves": ["B3", "D3", "D2"], "untilDepth": 1 });
    let answer = one(json!({ "avoidMoves": [avoid("B"), avoid("W")], "includePolicy": true }));
    assert!(moves(&answer).iter().all(|mv| !["B3", "D3", "D2"].contains(&mv.as_str())), "{answer}");
    // B3 is the 12th point; what was thought of it is told all the same.
    assert!(answer["policy"][11].as_f64() > Some(0.0), "{answer}");
    let all: Vec<String> =
        (1..=5).flat_map(|row| "ABCDE".chars().map(move |c| format!("{c}{row}"))).collect();
    let answer = one(json!({ "avoidMoves": [{ "player": "B", "moves": all, "untilDepth": 1 }] }));
    assert_eq!(moves(&answer), ["pass"]);
    let deep = json!([{ "player": "B", "moves": ["A5"], "untilDepth": 4 }]);
    let (_, warnings) = read(&small(json!({ "allowMoves": deep }))).unwrap();
    assert!(warnings[0].message.contains("first move only"), "{warnings:?}");
}

#[test]
fn actions_are_echoed() {
    let answers = talk(&[
        json!({ "id": "v", "action": "query_version" }),
        json!({ "id": "m", "action": "query_models" }),
        json!({ "id": "c", "action": "clear_cache", "more": [1] }),
    ]);
    assert_eq!(
        answers[0],
        json!({ "id": "v", "action": "query_version", "version": "1.2", "git_hash": "<omitted>" })
    );
    assert_eq!(answers[1]["models"][0]["internalName"], json!("go-mcts:settle=no"));
    assert_eq!(answers[1]["models"][0]["usesHumanSLProfile"], json!(false));
    assert_eq!(answers[2], json!({ "id": "c", "action": "clear_cache", "more": [1] }));
}

#[test]
fn what_waits_is_terminated_without_results() {
    let answers = talk(&[
        small(json!({ "id": "a", "analyzeTurns": [0, 1, 2] })),
        small(json!({ "id": "b" })),
        json!({ "id": "t", "action": "terminate", "terminateId": "a", "turnNumbers": [1, 2] }),
        json!({ "id": "u", "action": "terminate", "terminateId": "nobody" }),
    ]);
    let nothing =
        |turn: u64| json!({ "id": "a", "isDuringSearch": false, "noResults": true, "turnNumber": turn });
    assert_eq!(answers[..2], [nothing(1), nothing(2)]);
    let ack = json!({ "id": "t", "action": "terminate", "terminateId": "a", "turnNumbers": [1, 2] });
    assert_eq!(answers[2], ack);
    let ids: Vec<&Value> = answers[4..].iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, ["a", "b"], "turn 0 of a, and b, are analysed");
    let answers = talk(&[small(json!({})), json!({ "id": "t", "action": "terminate_all" })]);
    assert_eq!((&answers[0]["noResults"], answers.len()), (&json!(true), 2));
}

/// A clock that is a tenth of a second later at every look.
#[derive(Default)]
struct Ticking(std::sync::atomic::AtomicU64);

impl Clock for Ticking {
    fn now(&self) -> Duration {
        Duration::from_millis(100 * self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
    }
}

#[test]
fn partial_answers_come_before_the_final_one() {
    let lines = [small(json!({ "maxVisits": 300, "reportDuringSearchEvery": 0.2, "includePolicy": true }))];
    let answers = talk_with(1, &Ticking::default(), &lines);
    let (last, partial) = answers.split_last().unwrap();
    assert!(partial.len() > 2, "{}", partial.len());
    assert!(partial.iter().all(|answer| answer["isDuringSearch"] == json!(true)));
    let visits: Vec<u64> =
        answers.iter().map(|answer| answer["rootInfo"]["visits"].as_u64().unwrap()).collect();
    assert!(visits.is_sorted(), "{visits:?}");
    assert_eq!((&last["isDuringSearch"], &last["rootInfo"]["visits"]), (&json!(false), &json!(300)));
    let first = [small(json!({ "maxVisits": 300, "firstReportDuringSearchAfter": 0.2 }))];
    assert_eq!(talk_with(1, &Ticking::default(), &first).len(), 2);
}

#[test]
fn time_ends_a_search() {
    let query = small(json!({ "maxVisits": 1_000_000, "overrideSettings": { "maxTime": 0.5 } }));
    let answers = talk_with(1, &Ticking::default(), &[query]);
    let visits = answers[0]["rootInfo"]["visits"].as_u64().unwrap();
    assert!((1..10_000).contains(&visits), "{visits}");
}

#[test]
fn the_player_can_be_changed_for_a_query() {
    let usual = one(json!({}));
    let settings = json!({ "overrideSettings": { "exploration": 2.0, "learned": false } });
    assert_ne!(one(settings)["moveInfos"], usual["moveInfos"]);
    assert_eq!(one(json!({})), usual, "for that query only");
    let problem = read(&small(json!({ "overrideSettings": { "exploration": "much" } }))).unwrap_err();
    assert!(problem.message.contains("write a number from 0 to 100"), "{problem:?}");
    let settings =
        json!({ "overrideSettings": { "wideRootNoise": 0.04, "threads": 64, "analysisPVLen": 3 } });
    let (query, warnings) = read(&small(settings)).unwrap();
    assert_eq!(warnings[0].message, "settings without effect in ishi: threads, wideRootNoise");
    assert_eq!(query.settings.variation, 3);
}

#[test]
fn each_player_has_its_own_parameters() {
    let mut network = AnalysisSettings::default();
    assert_eq!(
        network.set_from_list("exploration=2,learned=no,visits=3").unwrap(),
        [("learned", "no"), ("visits", "3")]
    );
    assert_eq!(network.engine, [("exploration".to_string(), "2".to_string())]);
    assert!(network.set_from_list("batch=0").unwrap_err().contains("write a number from 1"));
    assert_eq!(by_playouts().set_from_list("first-play=0.1,learned=no").unwrap(), [("first-play", "0.1")]);
    assert_eq!(AnalysisSearcher::from_spec("go-network:batch=4"), Some(AnalysisSearcher::Network));
    assert_eq!(AnalysisSearcher::from_spec("go-random"), None);
}

#[test]
fn errors_name_the_field_and_the_query() {
    let wrong = |more: Value, field: &str, message: &str| {
        let problem = read(&small(more)).unwrap_err();
        assert_eq!(
            (problem.field.as_deref(), problem.id.as_deref()),
            (Some(field), Some("q")),
            "{problem:?}"
        );
        assert!(problem.message.contains(message), "{problem:?}");
    };
    wrong(json!({ "boardXSize": null }), "boardXSize", "missing");
    wrong(json!({ "boardYSize": 26 }), "boardYSize", "from 2 to 25");
    wrong(json!({ "boardYSize": "9" }), "boardYSize", "whole number");
    wrong(json!({ "rules": null }), "rules", "missing");
    wrong(json!({ "rules": "tibetan" }), "rules", "the rule sets are chinese");
    wrong(json!({ "rules": { "ko": "SUPER" } }), "rules", "SIMPLE, POSITIONAL or SITUATIONAL");
    wrong(json!({ "rules": 3 }), "rules", "are no rules");
    wrong(json!({ "komi": 6.25 }), "komi", "half");
    wrong(json!({ "komi": 401 }), "komi", "from -400 to 400");
    wrong(json!({ "whiteHandicapBonus": "2" }), "whiteHandicapBonus", "0, N or N-1");
    wrong(json!({ "moves": null }), "moves", "missing");
    wrong(json!({ "moves": [["B", "I5"]] }), "moves", "column I is not used");
    wrong(json!({ "moves": [["B", "C3", 1]] }), "moves", "write a player and a vertex");
    wrong(json!({ "moves": [["X", "C3"]] }), "moves", "write a player and a vertex");
    wrong(json!({ "moves": [["B", "(5,0)"]] }), "moves", "to (4,4)");
    wrong(json!({ "moves": [["B", "C3"], ["W", "C3"]] }), "moves", "Illegal move 1: C3");
    wrong(json!({ "initialStones": [["B", "pass"]] }), "initialStones", "cannot stand");
    wrong(json!({ "initialPlayer": "red" }), "initialPlayer", "\"B\" or \"W\"");
    wrong(json!({ "analyzeTurns": [3] }), "analyzeTurns", "there is no turn 3: the last is 2");
    wrong(json!({ "analyzeTurns": [-1] }), "analyzeTurns", "list of turn numbers");
    wrong(json!({ "analyzeTurns": [1], "priorities": [1, 2] }), "priorities", "as many as");
    wrong(json!({ "analyzeTurns": [1], "priorities": [1], "priority": 1 }), "priority", "not both");
    wrong(json!({ "maxVisits": 0 }), "maxVisits", "from 1");
    wrong(json!({ "rootPolicyTemperature": 0 }), "rootPolicyTemperature", "from 0.01 to 100");
    wrong(json!({ "includeOwnership": 1 }), "includeOwnership", "true or false");
    wrong(json!({ "reportDuringSearchEvery": 0 }), "reportDuringSearchEvery", "from 0.001");
    wrong(json!({ "overrideSettings": [] }), "overrideSettings", "an object");
    wrong(json!({ "overrideSettings": { "maxTime": "soon" } }), "overrideSettings", "a number of seconds");
    wrong(
        json!({ "overrideSettings": { "reportAnalysisWinratesAs": "RED" } }),
        "overrideSettings",
        "BLACK, WHITE",
    );
    wrong(
        json!({ "avoidMoves": [{ "player": "B", "moves": ["C3"] }] }),
        "avoidMoves",
        "untilDepth: the field is missing",
    );
    wrong(json!({ "avoidMoves": [], "allowMoves": [] }), "allowMoves", "not both");
    let allow = json!({ "player": "B", "moves": ["C3"], "untilDepth": 1 });
    wrong(json!({ "allowMoves": [allow, allow] }), "allowMoves", "one object for each player");
    let many = vec![json!(["B", "pass"]); query::MOST_MOVES + 1];
    wrong(json!({ "moves": many }), "moves", "too many");
    let action = |fields: Value| {
        query::parse_request(fields.to_string().as_bytes(), &AnalysisSettings::default()).unwrap_err()
    };
    assert_eq!(action(json!({ "id": "a", "action": "dance" })).field.as_deref(), Some("action"));
    assert_eq!(action(json!({ "id": "a", "action": "terminate" })).field.as_deref(), Some("terminateId"));
    assert_eq!(action(json!({ "action": "terminate" })).id, None);
    let line = action(json!({ "id": "a", "action": "dance" })).to_json_line("error");
    assert_eq!((&line["id"], &line["field"]), (&json!("a"), &json!("action")));
    assert!(line["error"].as_str().unwrap().contains("query_version"));
}

#[test]
fn unknown_fields_are_warned_of_and_the_query_goes_on() {
    let answers = talk(&[small(json!({ "maxVists": 5, "rootFpuReductionMax": 0.5 }))]);
    assert_eq!(answers.len(), 3);
    assert_eq!((&answers[0]["field"], &answers[0]["id"]), (&json!("rootFpuReductionMax"), &json!("q")));
    assert_eq!(answers[1]["field"], json!("maxVists"));
    assert!(answers[1]["warning"].is_string() && answers[2]["rootInfo"].is_object());
    let quiet = json!({ "maxVists": 5, "overrideSettings": { "warnUnusedFields": false } });
    assert_eq!(talk(&[small(quiet)]).len(), 1);
}

#[test]
fn rules_come_by_name_and_by_field() {
    let rules = |value: Value| {
        let (query, warnings) = read(&small(json!({ "rules": value, "komi": null }))).unwrap();
        (*query.position_at_turn(0).rules(), query.position_at_turn(0).komi(), warnings.len())
    };
    assert_eq!(rules(json!("new zealand")), (Rules::NEW_ZEALAND, 7.0, 0));
    assert_eq!(rules(json!("korean")), (Rules::JAPANESE, 6.5, 0));
    let (stones, komi, warnings) = rules(json!("stone_scoring"));
    assert_eq!((stones.ko, stones.suicide, komi, warnings), (KoRule::Simple, false, 7.5, 1));
    let object = json!({
        "ko": "SITUATIONAL", "scoring": "AREA", "tax": "NONE", "suicide": true, "hasButton": false,
        "whiteHandicapBonus": "0", "friendlyPassOk": true,
    });
    assert_eq!(rules(object), (Rules::NEW_ZEALAND, 7.0, 0));
    let (territory, _, warnings) = rules(json!({ "score": "TERRITORY", "tax": "ALL", "hasButton": true }));
    assert_eq!((territory.scoring, warnings), (Rules::JAPANESE.scoring, 1));
}

#[test]
fn handicaps_and_who_begins() {
    let position = |more: Value| read(&small(more)).unwrap().0.position_at_turn(0);
    let stones = json!([["B", "B2"], ["B", "D4"], ["B", "b2"]]);
    let game = position(json!({ "moves": [], "initialStones": stones }));
    assert_eq!((game.handicap(), game.to_move(), game.white_bonus()), (2, Color::White, 2.5));
    let bonus =
        json!({ "moves": [], "initialStones": stones, "whiteHandicapBonus": "N-1", "initialPlayer": "b" });
    let game = position(bonus);
    assert_eq!((game.to_move(), game.white_bonus()), (Color::Black, 1.5));
    let game = position(json!({ "moves": [["B", "B2"], ["B", "D4"], ["W", "C3"]] }));
    assert_eq!((game.handicap(), game.to_move()), (2, Color::Black));
    assert_eq!(position(json!({ "moves": [] })).to_move(), Color::Black);
    let numbers = read(&small(json!({ "moves": [["B", "(0,0)"], ["W", "(4,1)"]] }))).unwrap().0;
    let vertices: Vec<String> = numbers.moves.iter().map(|(_, mv)| mv.to_string()).collect();
    assert_eq!(vertices, ["A5", "E4"]);
}

/// A record made under other rules is analysed all the same; new moves keep to the rules.
#[test]
fn records_may_break_superko() {
    let moves = json!([["B", "A1"], ["W", "B1"], ["B", "pass"], ["W", "A2"], ["B", "A1"]]);
    let query =
        read(&small(json!({ "moves": moves, "boardXSize": 2, "boardYSize": 2 }))).map(|(query, _)| query);
    // A1 is suicide: the stone leaves the board at once.
    let position = query.unwrap().position_at_turn(5);
    assert_eq!(position.rules().ko, Rules::CHINESE.ko);
    assert!(!position.is_legal(Color::Black, position.size().parse_move("A1").unwrap()));
    assert!(position.is_legal(Color::Black, Move::Pass));
}

#[test]
fn a_game_that_is_over_is_analysed_like_any_other() {
    let passed = json!([["B", "C3"], ["W", "pass"], ["B", "pass"], ["W", "pass"]]);
    let answer = one(json!({ "moves": passed }));
    assert_eq!(answer["rootInfo"]["visits"], json!(60));
}

#[test]
fn hashes_know_symmetry_and_the_side_to_move() {
    let hashes = |moves: Value| {
        let answer = one(json!({ "moves": moves, "maxVisits": 1 }));
        let text = |field: &str| answer["rootInfo"][field].as_str().unwrap().to_string();
        (text("thisHash"), text("symHash"))
    };
    let (a, b) = (hashes(json!([["B", "A2"]])), hashes(json!([["B", "D5"]])));
    assert_ne!(a.0, b.0);
    assert_eq!(a.1, b.1);
    let passed = hashes(json!([["B", "A2"], ["W", "pass"]]));
    assert!(passed.0 != a.0 && passed.1 != a.1);
}

#[test]
fn too_long_a_line_is_refused_and_the_next_is_read() {
    let mut input = vec![b'x'; super::service::LONGEST_LINE + 10];
    input.extend(b"\n\r\n{\"id\":\"v\",\"action\":\"query_version\"}");
    let mut output = Vec::new();
    let service = AnalysisService::new(about(), AnalysisSettings::default(), Seed::new(1), &mut output);
    service.read_requests(BufReader::new(Cursor::new(input))).unwrap();
    service.run_workers(1, &StoppedClock, &make).unwrap();
    drop(service);
    let text = String::from_utf8(output).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() == 2 && lines[0].contains("longer than") && lines[1].contains("1.2"), "{text}");
}

/// A player that fails.
struct Failing;

impl Engine for Failing {
    fn name(&self) -> &str {
        "failing"
    }

    fn spec(&self) -> String {
        "failing".into()
    }

    fn set_seed(&mut self, _: Seed) {}

    fn choose(&mut self, _: &Position, _: Color, _: &mut Control<'_>) -> Choice {
        panic!("expected in this test")
    }
}

#[test]
fn a_search_that_fails_is_told_and_the_service_goes_on() {
    let mut output = Vec::new();
    let service = AnalysisService::new(about(), AnalysisSettings::default(), Seed::new(1), &mut output);
    service.handle_line(small(json!({ "analyzeTurns": [0, 1] })).to_string().as_bytes());
    service.close();
    service.run_workers(1, &StoppedClock, &|_| Ok(Box::new(Failing))).unwrap();
    drop(service);
    let text = String::from_utf8(output).unwrap();
    let told = |line: &str| line.contains("\"error\"") && line.contains("\"id\":\"q\"");
    assert_eq!(text.lines().filter(|line| told(line)).count(), 2, "{text}");
}

/// Takes its time with every line.
struct Slow(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl std::io::Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        std::thread::sleep(Duration::from_millis(10));
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The service does not end before everything is told, whichever thread tells it.
#[test]
fn what_is_aborted_is_told_before_the_end() {
    let told = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let service =
        AnalysisService::new(about(), AnalysisSettings::default(), Seed::new(1), Slow(told.clone()));
    for number in 0..10 {
        let query = small(json!({ "id": number.to_string(), "maxVisits": 1_u64 << 40 }));
        service.handle_line(query.to_string().as_bytes());
    }
    service.close();
    std::thread::scope(|scope| {
        scope.spawn(|| service.abort());
        service.run_workers(2, &StoppedClock, &make).unwrap();
        let text = String::from_utf8(told.lock().unwrap().clone()).unwrap();
        assert_eq!(text.lines().count(), 10, "{text}");
    });
}

/// A player that is stopped before it has looked at a move: it ends the service that asks it.
struct Hasty(std::sync::Arc<AnalysisService<Slow>>);

impl Engine for Hasty {
    fn name(&self) -> &str {
        "hasty"
    }

    fn spec(&self) -> String {
        "hasty".into()
    }

    fn set_seed(&mut self, _: Seed) {}

    fn choose(&mut self, _: &Position, _: Color, control: &mut Control<'_>) -> Choice {
        let size = BoardSize::square(5).unwrap();
        let never = |text| -> MoveReport { MoveReport::unsearched_move(size.parse_move(text).unwrap()) };
        let moves = vec![never("A1"), never("B1")];
        let report = SearchReport { moves, playouts: 1, ..SearchReport::default() };
        (control.observer)(&report);
        self.0.abort();
        Choice { action: EngineAction::Move(Move::Pass), report }
    }
}

#[test]
fn moves_that_nobody_has_looked_at_are_not_told() {
    let told = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let service =
        AnalysisService::new(about(), AnalysisSettings::default(), Seed::new(1), Slow(told.clone()));
    let service = std::sync::Arc::new(service);
    service.handle_line(small(json!({ "reportDuringSearchEvery": 0.1 })).to_string().as_bytes());
    let asked = service.clone();
    service.run_workers(1, &Ticking::default(), &move |_| Ok(Box::new(Hasty(asked.clone())))).unwrap();
    let text = String::from_utf8(told.lock().unwrap().clone()).unwrap();
    let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let nothing = json!({ "id": "q", "isDuringSearch": false, "noResults": true, "turnNumber": 2 });
    assert_eq!(answers, [nothing]);
}

/// Nobody reads.
struct Deaf;

impl std::io::Write for Deaf {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn nothing_is_searched_for_nobody() {
    let service = AnalysisService::new(about(), AnalysisSettings::default(), Seed::new(1), Deaf);
    let lines = format!("{}\n{}\n", small(json!({})), small(json!({ "maxVisits": 1_u64 << 40 })));
    service.handle_line(b"[]");
    service.read_requests(BufReader::new(Cursor::new(lines))).unwrap();
    let error = service.run_workers(1, &StoppedClock, &make).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
}

#[test]
fn the_command_line_sets_what_queries_do_not() {
    let mut settings = AnalysisSettings::default();
    let text = "maxVisits=80, reportAnalysisWinratesAs=BLACK,homeDataDir=/x,analysisPVLen=4,exploration=1";
    assert_eq!(settings.set_from_list(text), Ok(vec![("homeDataDir", "/x")]));
    assert_eq!((settings.max_visits, settings.perspective, settings.variation), (80, Perspective::Black, 4));
    assert_eq!(settings.engine, [("exploration".to_string(), "1".to_string())]);
    assert!(settings.set_from_list("maxVisits").unwrap_err().contains("KEY=VALUE"));
    assert!(settings.set_from_list("maxVisits=few").unwrap_err().contains("whole number from 1"));
}

/// Values as they come in queries, and ones that should not.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..30).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        prop::sample::select(vec![
            "B",
            "W",
            "C3",
            "pass",
            "(0,1)",
            "T19",
            "chinese",
            "N-1",
            "terminate",
            "",
            "é"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(field(), inner, 0..4).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

fn field() -> impl Strategy<Value = String> {
    let names = [
        "action",
        "terminateId",
        "turnNumbers",
        "moves",
        "initialStones",
        "initialPlayer",
        "rules",
        "komi",
        "whiteHandicapBonus",
        "boardXSize",
        "analyzeTurns",
        "maxVisits",
        "avoidMoves",
        "allowMoves",
        "player",
        "untilDepth",
        "overrideSettings",
        "reportDuringSearchEvery",
        "priority",
        "priorities",
        "includePolicy",
        "includeExplanation",
        "ko",
        "scoring",
        "tax",
        "maxTime",
        "reportAnalysisWinratesAs",
        "exploration",
        "other",
    ];
    prop::sample::select(names.map(str::to_string).to_vec())
}

/// Reads a line, and goes through all positions of a query.
fn harmless(line: &[u8]) -> Result<(), TestCaseError> {
    match query::parse_request(line, &AnalysisSettings::default()) {
        Ok((AnalysisRequest::Query(query), _)) => {
            for &(turn, _) in &query.turns {
                let position = query.position_at_turn(turn);
                prop_assert_eq!(position.moves().len(), turn);
                query.allowed_moves(&position);
            }
        }
        Ok((AnalysisRequest::Action(..), _)) => {}
        Err(problem) => prop_assert!(!problem.message.is_empty()),
    }
    Ok(())
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        harmless(&bytes)?;
    }

    #[test]
    fn no_values_make_it_panic(more in prop::collection::btree_map(field(), value(), 0..5)) {
        harmless(small(Value::Object(more.into_iter().collect())).to_string().as_bytes())?;
    }

    #[test]
    fn no_cut_line_makes_it_panic(end in 0_usize..160, byte in any::<u8>()) {
        let mut line = small(json!({ "analyzeTurns": [0, 2], "avoidMoves": [] })).to_string().into_bytes();
        line.truncate(end);
        line.push(byte);
        harmless(&line)?;
    }
}
