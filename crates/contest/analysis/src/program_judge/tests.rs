//! Judges that replay what KataGo said, end in the middle, hang, or say nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ishi_go::Rules;
use ishi_rng::Seed;
use ishi_rng::damage::try_damaged_copies;

use super::*;

/// What KataGo 1.17.2 with the network b6c96 of its tests answered, with 12 visits, about the three positions of [`game`] by Chinese rules;
/// figures rounded.
const RECORDED: &str = include_str!("recorded.jsonl");

fn position(vertices: &[&str]) -> Position {
    let mut position = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
    for vertex in vertices {
        let mv = position.size().parse_move(vertex).unwrap();
        position.play(position.to_move(), mv).unwrap();
    }
    position
}

fn game() -> Vec<Position> {
    [&[][..], &["E5"], &["E5", "C3"]].map(position).to_vec()
}

fn write_file(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn judge(script: &str, patience: Duration) -> ProgramJudge {
    patient_judge(script, JudgePatience::fixed(patience))
}

fn patient_judge(script: &str, patience: JudgePatience) -> ProgramJudge {
    let command = EngineCommand {
        program: "sh".to_string(),
        args: vec!["-c".to_string(), script.to_string()],
        directory: None,
    };
    ProgramJudge::new(JudgeProgram { command, visits: 12, patience }, StopFlag::default())
}

fn ask(
    judge: &mut ProgramJudge,
    positions: &[Position],
) -> (Result<Vec<SearchReport>, JudgeError>, Vec<usize>) {
    let mut told = Vec::new();
    let mut tell = |done| told.push(done);
    let mut control = JudgeControl { stop: &|| false, tell: &mut tell };
    (judge.judge_positions(positions, &mut control), told)
}

const LONG: Duration = Duration::from_secs(60);

#[test]
fn recorded_answers_are_told_from_the_side_to_move() {
    let folder = tempfile::tempdir().unwrap();
    let answers = write_file(folder.path(), "answers", RECORDED);
    let asked = folder.path().join("asked");
    let script = format!(
        "while read -r line; do echo \"$line\" >> {}; cat {}; done",
        asked.display(),
        answers.display()
    );
    let mut judge = judge(&script, LONG);
    let (reports, told) = ask(&mut judge, &game());
    let reports = reports.unwrap();
    assert_eq!(told, [1, 2, 3]);
    let [empty, white, black] = &reports[..] else { panic!("{reports:?}") };
    assert_eq!([empty, white, black].map(|report| report.playouts), [12; 3]);
    // Black's figures are 0.4494 and -0.4246, and White is to move.
    assert!((white.win_rate - 0.5506).abs() < 1e-9 && (white.score - 0.4246).abs() < 1e-9, "{white:?}");
    assert!((black.score - 0.0696).abs() < 1e-9);
    let e5 = Point::new(4, 4);
    let owner = |report: &SearchReport| report.ownership.iter().find(|(point, _)| *point == e5).unwrap().1;
    assert!((owner(black) - 0.91).abs() < 1e-6 && (owner(white) + 0.89).abs() < 1e-6, "Black's stone");
    assert_eq!(black.moves[0].mv.to_string(), "D4");
    assert_eq!(black.moves[0].variation[0], black.moves[0].mv);
    let asked = std::fs::read_to_string(asked).unwrap();
    assert_eq!(asked.lines().filter(|line| line.contains("analyzeTurns")).count(), 1, "one query: {asked}");
    assert!(asked.contains("\"analyzeTurns\":[0,1,2]"), "{asked}");
}

/// The first program says one thing and ends; the second is asked about the rest alone.
#[test]
fn what_a_program_that_ends_has_not_answered_is_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let lines: Vec<&str> = RECORDED.lines().collect();
    let first = write_file(folder.path(), "first", &format!("{}\n", lines[1]));
    let rest = write_file(folder.path(), "rest", &format!("{}\n{}\n", lines[0], lines[2]));
    let (starts, asked) = (folder.path().join("starts"), folder.path().join("asked"));
    let script = format!(
        "read -r line; echo \"$line\" >> {asked}; if [ -e {starts} ]; then cat {rest}; read -r line; else touch {starts}; cat {first}; fi",
        asked = asked.display(),
        starts = starts.display(),
        rest = rest.display(),
        first = first.display()
    );
    let warned = Arc::new(std::sync::Mutex::new(Vec::new()));
    let heard = Arc::clone(&warned);
    let mut judge =
        judge(&script, LONG).with_warnings(move |text| heard.lock().unwrap().push(text.to_string()));
    let (reports, told) = ask(&mut judge, &game());
    assert_eq!(reports.unwrap().len(), 3);
    assert_eq!(told, [1, 2, 3]);
    let asked = std::fs::read_to_string(asked).unwrap();
    let turns: Vec<&str> = asked.lines().map(|line| line.split("analyzeTurns\":").nth(1).unwrap()).collect();
    assert!(turns[0].starts_with("[0,1,2]") && turns[1].starts_with("[0,2]"), "{turns:?}");
    assert!(warned.lock().unwrap()[0].contains("started again"), "{warned:?}");
}

#[test]
fn a_program_that_never_answers_is_given_up_with_its_last_words() {
    let warned = Arc::new(std::sync::Mutex::new(Vec::new()));
    let heard = Arc::clone(&warned);
    let mut ending = judge("echo no network >&2; exit 3", LONG)
        .with_warnings(move |text| heard.lock().unwrap().push(text.to_string()));
    let (ended, _) = ask(&mut ending, &game());
    let Err(JudgeError::Failed(message)) = ended else { panic!("{ended:?}") };
    assert!(message.contains("3 starts") && message.contains("no network"), "{message}");
    let quotes: Vec<bool> = warned.lock().unwrap().iter().map(|text| text.contains("no network")).collect();
    assert_eq!(quotes, [true, false], "its last words stand in the first warning and in the error");
    let (late, _) = ask(&mut judge("sleep 100", Duration::from_millis(50)), &game());
    let Err(JudgeError::Failed(message)) = late else { panic!("{late:?}") };
    assert!(message.contains("timeout") && message.contains("nothing since its start"), "{message}");
    let mut missing = judge("", LONG);
    missing.program.command = "ishi-has-no-such-program".parse().unwrap();
    let (missing, _) = ask(&mut missing, &game());
    let Err(JudgeError::Failed(message)) = missing else { panic!("{missing:?}") };
    assert!(message.contains("is it installed"), "{message}");
}

/// A program that runs is asked by the next visitor with another effort, and ends only the waits of whoever asks now.
#[test]
fn a_program_that_runs_serves_the_next_who_asks() {
    let folder = tempfile::tempdir().unwrap();
    let answers = write_file(folder.path(), "answers", RECORDED);
    let (starts, asked) = (folder.path().join("starts"), folder.path().join("asked"));
    let script = format!(
        "echo x >> {starts}; while read -r line; do echo \"$line\" >> {asked}; id=${{line#*\\\"id\\\":\\\"}}; sed \"s/^{{\\\"id\\\":\\\"0/{{\\\"id\\\":\\\"${{id%%\\\"*}}/\" {answers}; done",
        starts = starts.display(),
        asked = asked.display(),
        answers = answers.display()
    );
    let mut silent = judge("sleep 100", LONG);
    silent.serve_anew(77, &StopFlag::raised_if(true));
    assert!(ask(&mut silent, &game()).0 == Err(JudgeError::Stopped) && !silent.is_started());
    let mut judge = judge(&script, LONG);
    assert!(!judge.is_started());
    assert_eq!(ask(&mut judge, &game()).0.unwrap().len(), 3);
    let gone = judge.stop.clone();
    judge.serve_anew(77, &StopFlag::default());
    gone.request();
    assert_eq!(ask(&mut judge, &game()).0.unwrap().len(), 3);
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let asked = read(&asked);
    let visits: Vec<bool> = asked.lines().map(|line| line.contains("\"maxVisits\":77")).collect();
    assert_eq!((read(&starts).lines().count(), visits), (1, vec![false, true]), "{asked}");
}

/// A part of a script that answers the line `$line` by the file `$answers`.
const ANSWERS: &str =
    r#"id=${line#*\"id\":\"}; id=${id%%\"*}; sed "s/^{\"id\":\"0/{\"id\":\"$id/" "$answers""#;

/// The first program hangs at its second question. It has answered before, so nobody waits the hour for it.
#[test]
fn a_program_that_hangs_after_it_has_answered_is_soon_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let answers = write_file(folder.path(), "answers", RECORDED);
    let starts = folder.path().join("starts");
    let script = format!(
        "answers={answers}; echo x >> {starts}; while read -r line; do {ANSWERS}; if [ $(wc -l < {starts}) = 1 ]; then exec sleep 10000; fi; done",
        answers = answers.display(),
        starts = starts.display(),
    );
    let patience = JudgePatience { most: Duration::from_secs(3600), least: Duration::from_secs(3) };
    let mut judge = patient_judge(&script, patience);
    assert_eq!(ask(&mut judge, &game()).0.unwrap().len(), 3);
    assert!(judge.pace().is_known());
    assert_eq!(ask(&mut judge, &game()).0.unwrap().len(), 3);
    assert!(!judge.has_hung(), "the second program has answered");
    assert_eq!(std::fs::read_to_string(starts).unwrap().lines().count(), 2);
}

/// A program that hangs from the start on is not started again: whoever asks next may try it.
#[test]
fn a_program_that_hangs_from_its_start_is_started_once() {
    let folder = tempfile::tempdir().unwrap();
    let starts = folder.path().join("starts");
    let mut judge =
        judge(&format!("echo x >> {}; exec sleep 10000", starts.display()), Duration::from_secs(3));
    let (ended, told) = ask(&mut judge, &game());
    assert!(matches!(ended, Err(JudgeError::Failed(_))) && told.is_empty(), "{ended:?}");
    assert!(judge.has_hung() && !judge.is_started() && !judge.pace().is_known());
    assert_eq!(std::fs::read_to_string(starts).unwrap(), "x\n");
}

/// A warning comes at once, whatever the question. Taken for an answer it would leave the first answer to harder questions too little time.
#[test]
fn a_warning_shows_nothing_of_how_long_an_answer_takes() {
    let warns = r#"read -r line; echo '{"warning":"odd komi"}'; exec sleep 10000"#;
    let mut judge = judge(warns, Duration::from_secs(1));
    let (ended, _) = ask(&mut judge, &game());
    assert!(matches!(ended, Err(JudgeError::Failed(_))), "{ended:?}");
    assert!(judge.has_hung() && !judge.pace().is_known());
}

/// The program hears that nobody waits, answers the old question all the same, and then the next one.
#[test]
fn what_is_taken_back_is_terminated_and_the_program_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let answers = write_file(folder.path(), "answers", RECORDED);
    let (starts, asked) = (folder.path().join("starts"), folder.path().join("asked"));
    let script = format!(
        "answers={answers}; echo x >> {starts}; read -r line; echo \"$line\" >> {asked}; read -r line; echo \"$line\" >> {asked}; echo \"$line\"; cat $answers; while read -r line; do {ANSWERS}; done",
        answers = answers.display(),
        starts = starts.display(),
        asked = asked.display(),
    );
    let mut judge = judge(&script, LONG);
    let stop = StopFlag::default();
    judge.serve_anew(12, &stop);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !std::fs::read_to_string(&asked).is_ok_and(|lines| lines.ends_with('\n')) {
                std::thread::yield_now();
            }
            stop.request();
        });
        assert_eq!(ask(&mut judge, &game()).0, Err(JudgeError::Stopped));
    });
    assert!(judge.is_started() && !judge.has_hung());
    judge.serve_anew(12, &StopFlag::default());
    let (reports, told) = ask(&mut judge, &game());
    assert_eq!((reports.unwrap().len(), told), (3, vec![1, 2, 3]));
    assert_eq!(std::fs::read_to_string(starts).unwrap().lines().count(), 1);
    let heard = std::fs::read_to_string(asked).unwrap();
    let heard: Value = serde_json::from_str(heard.lines().nth(1).unwrap()).unwrap();
    assert_eq!(heard, json!({ "id": "1", "action": "terminate", "terminateId": "0" }));
}

/// A move onto a stone would end the explanation of it.
#[test]
fn moves_that_cannot_be_played_are_left_out() {
    let mut answer: Value = serde_json::from_str(RECORDED.lines().nth(2).unwrap()).unwrap();
    let position = &game()[2];
    let whole = read_report(position, &answer).unwrap();
    answer["moveInfos"][0]["move"] = json!("E5");
    answer["moveInfos"][1]["pv"] = json!(["E3", "E5", "C4"]);
    answer["moveInfos"][2]["pv"] = json!(["A1", "C5"]);
    answer["moveInfos"][3]["prior"] = json!(1e300);
    let report = read_report(position, &answer).unwrap();
    let names = |report: &SearchReport| -> Vec<String> {
        report.moves.iter().map(|told| told.mv.to_string()).collect()
    };
    assert_eq!(names(&report), names(&whole)[1..]);
    assert_eq!(report.moves[0].variation, [report.moves[0].mv], "White cannot answer on a stone");
    assert!(report.moves[1].variation.is_empty(), "it is the line of another move");
    assert_eq!(report.moves[2].prior, 1.0);
}

#[test]
fn answers_that_cannot_be_say_what_would_be_right() {
    let answer: Value = serde_json::from_str(RECORDED.lines().nth(2).unwrap()).unwrap();
    let position = &game()[2];
    assert!(read_report(position, &answer).is_ok());
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut answer = answer.clone();
        change(&mut answer);
        read_report(position, &answer).unwrap_err()
    };
    let wrong = changed(&|answer| answer["rootInfo"]["winrate"] = json!(1.5));
    assert!(wrong.starts_with("winrate must be a number from"), "{wrong}");
    let wrong = changed(&|answer| answer["ownership"] = json!([0.5]));
    assert_eq!(wrong, "ownership must be 81 numbers from -1 to 1");
    let wrong = changed(&|answer| answer["moveInfos"][0]["move"] = json!("T19"));
    assert!(wrong.contains("a vertex of the board or pass, not \"T19\""), "{wrong}");
    let mut plain = answer.clone();
    plain.as_object_mut().unwrap().remove("ownership");
    assert!(read_report(position, &plain).unwrap().ownership.is_empty(), "not all programs tell owners");
    let refused = r#"{"id":"0","error":"board too large","field":"boardXSize"}"#;
    let (refused, _) =
        ask(&mut judge(&format!("read -r line; echo '{refused}'; read -r line"), LONG), &game());
    let Err(JudgeError::Failed(message)) = refused else { panic!("{refused:?}") };
    assert!(message.contains("board too large"), "{message}");
}

/// Komi holds what White receives for the handicap; a side that moves twice is told by the stones.
#[test]
fn rules_komi_and_handicap_are_told() {
    let size = BoardSize::square(9).unwrap();
    let mut position = Position::new(size, Rules::CHINESE);
    position.set_komi(0.5).unwrap();
    let stones = ["C3", "G7"].map(|vertex| size.parse_point(vertex).unwrap());
    position.place_handicap(&stones).unwrap();
    let white = position.to_move();
    let query =
        |positions: &[Position]| group_by_game(positions, 0..positions.len())[0].to_json(positions, 5);
    let told = query(std::slice::from_ref(&position));
    assert_eq!(white, Color::White);
    assert_eq!((&told["komi"], &told["initialPlayer"]), (&json!(2.5), &json!("W")));
    assert_eq!(told["rules"]["whiteHandicapBonus"], "0");
    assert_eq!((&told["rules"]["ko"], &told["maxVisits"]), (&json!("POSITIONAL"), &json!(5)));
    assert_eq!(told["initialStones"].as_array().unwrap().len(), 2);
    position.play(white, size.parse_move("E5").unwrap()).unwrap();
    assert_eq!(query(std::slice::from_ref(&position))["moves"], json!([["W", "E5"]]));
    position.set_to_move(white);
    let odd = query(std::slice::from_ref(&position));
    assert_eq!((&odd["moves"], &odd["initialPlayer"]), (&json!([]), &json!("W")));
    assert_eq!(odd["initialStones"].as_array().unwrap().len(), 3);
    position.set_rules(Rules::JAPANESE);
    assert_eq!(query(std::slice::from_ref(&position))["rules"]["scoring"], "TERRITORY");
}

#[test]
fn only_positions_of_one_game_share_a_query() {
    let other = position(&["E5", "G3"]);
    let positions = [game(), vec![other.clone(), other]].concat();
    let turns: Vec<usize> =
        group_by_game(&positions, 0..positions.len()).iter().map(|query| query.turns.len()).collect();
    assert_eq!(turns, [3, 1, 1], "a position that is asked twice has two answers");
}

/// Whatever a program says is read or refused, and what is read can be.
#[test]
fn damaged_answers_are_read_or_refused() {
    let position = &game()[2];
    let line = RECORDED.lines().nth(2).unwrap();
    let mut read = 0;
    try_damaged_copies(line.as_bytes(), Seed::new(1), 600, |what, damaged| {
        let Ok(answer) = serde_json::from_slice::<Value>(damaged) else { return };
        let Ok(report) = read_report(position, &answer) else { return };
        read += 1;
        let is_share = |share: f64| (0.0..=1.0).contains(&share);
        assert!(is_share(report.win_rate) && report.score.abs() <= 1e4, "{what}");
        assert!(report.moves.iter().all(|mv| is_share(mv.win_rate) && is_share(mv.lower_bound)), "{what}");
        assert!(report.ownership.iter().all(|(_, owner)| owner.abs() <= 1.01), "{what}");
    });
    assert!(read > 20, "most flipped bits leave JSON that can be read: {read}");
}
