//! Matches: the same for any number of threads, resumed after a stop, ended by a test, and with players that fail.

// Tests look for files and programs.
#![allow(clippy::disallowed_methods)]

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use ishi_arena::{
    Contestant, EndReason, GameRecord, GoMatchSettings, MatchBreak, MatchEnd, MatchObserver, MatchOutcome,
    MatchPlan, MatchReport, MatchRun, MatchStanding, MemoryJournal, Openings, PairJournal, PairRecord,
    PairTask, PlayerSpec, RefereeSpec, UnobservedMatch, play_match, play_pair, referee,
};
use ishi_go::{BoardSize, Color, Move, Position, Rules};
use ishi_rng::Seed;
use ishi_sgf::GameResult;
use ishi_stats::{Sprt, SprtDecision};
use ishi_work::StopFlag;

/// The command line of the engine that misbehaves.
fn fake(mode: &str) -> String {
    format!("sh '{}/../../../tests/engines/fake.sh' {mode}", env!("CARGO_MANIFEST_DIR"))
}

fn settings(width: usize, height: usize) -> GoMatchSettings {
    let size = BoardSize::new(width, height).unwrap();
    GoMatchSettings { timeout: Duration::from_secs(10), ..GoMatchSettings::for_board(size) }
}

fn plan(a: &str, b: &str, settings: GoMatchSettings) -> MatchPlan {
    let contestant = |text: &str| Contestant::try_out(None, &text.parse().unwrap(), &settings).unwrap();
    MatchPlan {
        contestants: [contestant(a), contestant(b)],
        referee: RefereeSpec::Playouts,
        openings: Openings::Empty,
        pairs: 1,
        seed: Seed::new(7),
        sprt: None,
        settings,
    }
}

fn play_with(plan: &MatchPlan, journal: &mut MemoryJournal, threads: usize) -> MatchOutcome {
    let stop = StopFlag::default();
    play_match(plan, journal, MatchRun { threads, stop, observer: &mut UnobservedMatch }).unwrap()
}

fn play(plan: &MatchPlan, threads: usize) -> MatchOutcome {
    play_with(plan, &mut MemoryJournal::default(), threads)
}

/// What must be the same of a game in every run: all but the times.
type Essence = (String, EndReason, Vec<(Color, Move)>);

fn essence(pairs: &[PairRecord]) -> Vec<Essence> {
    let games = pairs.iter().flat_map(|pair| &pair.games);
    games.map(|game| (game.result.to_string(), game.reason, game.moves.clone())).collect()
}

fn random_match(pairs: u64) -> MatchPlan {
    let openings = Openings::Random(4);
    MatchPlan { pairs, openings, ..plan("go-capture", "go-flat:playouts=30", settings(5, 5)) }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let plan = random_match(8);
    let one = play(&plan, 1);
    assert_eq!(one.end, MatchEnd::Complete);
    assert_eq!(essence(&one.pairs), essence(&play(&plan, 2).pairs));
    assert_eq!(essence(&one.pairs), essence(&play(&plan, 5).pairs));
    let other = play(&MatchPlan { seed: Seed::new(8), ..plan }, 2);
    assert_ne!(essence(&one.pairs), essence(&other.pairs));
}

#[test]
fn pairs_swap_colours_from_the_same_opening() {
    for pair in play(&random_match(3), 2).pairs {
        let [first, second] = &pair.games;
        assert_eq!((first.black, second.black), (0, 1));
        assert_eq!(first.opening, 4);
        assert_eq!(first.moves[..4], second.moves[..4]);
        assert_eq!(first.color_of(0), Color::Black);
        assert_eq!(second.color_of(0), Color::White);
    }
}

#[test]
fn the_sequential_test_ends_a_match_at_the_same_pair_for_any_threads() {
    let sprt = Some(Sprt::new(0.0, 200.0, 0.05, 0.05).unwrap());
    let plan = MatchPlan { pairs: 500, sprt, ..plan("go-flat:playouts=50", "go-random", settings(5, 5)) };
    let (one, three) = (play(&plan, 1), play(&plan, 3));
    assert_eq!(one.end, MatchEnd::Decided(SprtDecision::AcceptH1));
    assert!(one.pairs.len() < 50, "{}", one.pairs.len());
    assert_eq!(essence(&one.pairs), essence(&three.pairs));
    let report = MatchReport::new(&three.pairs, plan.sprt.as_ref()).unwrap();
    assert_eq!(report.sprt.unwrap().decision, SprtDecision::AcceptH1);
}

/// Stops the match after some pairs.
struct StopAfter(u64, StopFlag);

impl MatchObserver for StopAfter {
    fn on_pair(&mut self, task: &PairTask, _: &PairRecord, _: bool, _: &MatchStanding) {
        if task.index + 1 >= self.0 {
            self.1.request();
        }
    }
}

/// Stops the match at a move, after it has given the players time to run ahead.
struct StopAtMove {
    moves: usize,
    stop: StopFlag,
}

impl MatchObserver for StopAtMove {
    fn wants_moves(&self) -> bool {
        true
    }

    fn on_move(&mut self, _: u64, _: usize, _: &Position) {
        self.moves += 1;
        if self.moves == 3 {
            std::thread::sleep(Duration::from_millis(300));
            self.stop.request();
        }
    }
}

/// A whole game of random moves takes far less time than the observer.
#[test]
fn games_wait_for_who_watches_their_moves() {
    let stop = StopFlag::default();
    let mut observer = StopAtMove { moves: 0, stop: stop.clone() };
    let run = MatchRun { threads: 1, stop, observer: &mut observer };
    let outcome = play_match(&random_match(1), &mut MemoryJournal::default(), run).unwrap();
    assert_eq!((outcome.end, outcome.pairs.len()), (MatchEnd::Stopped, 0));
    assert!(observer.moves <= 4, "the game went on to move {}", observer.moves);
}

#[test]
fn a_stopped_match_goes_on_with_the_same_games() {
    let plan = random_match(6);
    let mut journal = MemoryJournal::default();
    let stop = StopFlag::default();
    let mut observer = StopAfter(2, stop.clone());
    let run = MatchRun { threads: 2, stop, observer: &mut observer };
    let stopped = play_match(&plan, &mut journal, run).unwrap();
    assert_eq!(stopped.end, MatchEnd::Stopped);
    assert!((2..6).contains(&stopped.pairs.len()));
    let resumed = play_with(&plan, &mut journal, 2);
    assert_eq!(resumed.end, MatchEnd::Complete);
    assert_eq!(resumed.found, stopped.pairs.len() as u64 + stopped.beyond);
    assert_eq!(essence(&resumed.pairs), essence(&play(&plan, 1).pairs));
}

/// A journal that takes two pairs and then no more.
#[derive(Default)]
struct FullJournal(MemoryJournal, u32);

impl PairJournal for FullJournal {
    type Error = String;

    fn find_pair(&mut self, task: &PairTask) -> Result<Option<PairRecord>, String> {
        self.0.find_pair(task).map_err(|never| match never {})
    }

    fn keep_pair(&mut self, task: &PairTask, record: PairRecord) -> Result<PairRecord, String> {
        self.1 += 1;
        if self.1 > 2 {
            Err("disk full".into())
        } else {
            self.0.keep_pair(task, record).map_err(|never| match never {})
        }
    }
}

#[test]
fn a_journal_that_fails_ends_the_match_and_loses_nothing() {
    let plan = random_match(20);
    let mut journal = FullJournal::default();
    let stop = StopFlag::default();
    let error =
        play_match(&plan, &mut journal, MatchRun { threads: 2, stop, observer: &mut UnobservedMatch })
            .unwrap_err();
    assert_eq!(error.to_string(), "disk full");
    assert!(!error.unkept.is_empty(), "the pair that could not be kept is handed back");
    let resumed = play_with(&plan, &mut journal.0, 2);
    assert_eq!((resumed.found, resumed.pairs.len()), (2, 20));
}

/// As where a table for which there was memory when the match was planned cannot be had any more.
#[test]
fn a_player_that_cannot_be_made_ends_the_match_with_words() {
    let mut plan = random_match(3);
    let mut journal = MemoryJournal::default();
    assert_eq!(play_with(&MatchPlan { pairs: 1, ..plan.clone() }, &mut journal, 1).end, MatchEnd::Complete);
    plan.contestants[1].spec = PlayerSpec::Builtin("go-nobody".to_string());
    let stop = StopFlag::default();
    let error =
        play_match(&plan, &mut journal, MatchRun { threads: 2, stop, observer: &mut UnobservedMatch })
            .unwrap_err();
    assert!(matches!(&error.error, MatchBreak::Player(error) if error.player == "go-nobody"), "{error}");
    assert!(error.to_string().contains("cannot play this match: no engine \"go-nobody\""), "{error}");
    assert!(play_pair(&plan.pair_task(0), &|| false).is_err());
}

/// Plays the misbehaving engine, as the second contestant, against random moves.
fn against_fake(mode: &str, settings: GoMatchSettings) -> (MatchPlan, MatchOutcome) {
    let plan = plan("go-random", &fake(mode), settings);
    let outcome = play(&plan, 1);
    (plan, outcome)
}

#[test]
fn whoever_fails_has_lost_and_the_transcript_says_how() {
    let quick = GoMatchSettings { timeout: Duration::from_millis(1500), ..settings(5, 5) };
    let cases = [
        ("illegal", EndReason::IllegalMove, "a white stone stands there", "< =", settings(5, 5)),
        ("outside", EndReason::Garbage, "this 5x5 board goes from A1 to E5", "Z99", settings(5, 5)),
        ("garbage", EndReason::Garbage, "I have no idea", "I have no idea", settings(5, 5)),
        ("hang", EndReason::Timeout, "timeout after 1.5s", "! no answer within", quick),
        ("crash", EndReason::Crash, "exit status: 3", "stderr: out of memory, alas", settings(5, 5)),
        ("killed", EndReason::Crash, "signal: 9", "genmove", settings(5, 5)),
    ];
    for (mode, reason, detail, line, settings) in cases {
        let (plan, outcome) = against_fake(mode, settings);
        let games = &outcome.pairs[0].games;
        for game in games {
            assert_eq!((game.reason, game.winner()), (reason, Some(0)), "{mode}: {}", game.detail);
            let text = game.transcript.join("\n");
            assert!(text.contains(line), "{mode}: {text}");
        }
        // In the second game the engine is Black: it was started again.
        let [first, second] = games;
        assert_eq!(first.result, GameResult::Forfeit(Color::Black), "{mode}");
        assert!(first.detail.contains(detail) || second.detail.contains(detail), "{mode}: {}", first.detail);
        let report = MatchReport::new(&outcome.pairs, None).unwrap();
        assert_eq!(report.incidents.len(), 2, "{mode}");
        assert_eq!(report.incidents[1].contestant, Some(1));
        assert!(first.to_sgf(&plan.pair_task(0), 0).contains("RE[B+F]"), "{mode}");
    }
}

#[test]
fn an_engine_that_refuses_a_legal_move_has_lost() {
    let (_, outcome) = against_fake("refuse", settings(5, 5));
    let [first, second] = &outcome.pairs[0].games;
    assert_eq!(
        first.reason,
        EndReason::Score,
        "it refuses White's moves, and is White here: {}",
        first.detail
    );
    assert_eq!((second.reason, second.winner()), (EndReason::Disagreement, Some(0)));
    assert!(second.detail.contains("illegal move"), "{}", second.detail);
}

/// Random play passes only after the other's pass, so the pass that it tells of is the last move.
#[test]
fn an_engine_that_fails_after_the_last_move_has_lost_nothing() {
    let (_, outcome) = against_fake("sulk", settings(5, 5));
    for game in &outcome.pairs[0].games {
        assert_eq!(game.reason, EndReason::Score, "{}", game.detail);
        assert!(game.moves.iter().rev().take(2).all(|&(_, mv)| mv == ishi_go::Move::Pass));
    }
}

#[test]
fn noise_is_no_error_and_resignation_is_accepted() {
    let (_, outcome) = against_fake("noise", settings(5, 5));
    assert!(outcome.pairs[0].games.iter().all(|game| game.reason == EndReason::Score));
    let (_, outcome) = against_fake("resign", settings(5, 5));
    for game in &outcome.pairs[0].games {
        assert_eq!((game.reason, game.winner()), (EndReason::Resign, Some(0)));
    }
}

#[test]
fn overstepping_the_clock_loses_on_time() {
    let mut timed = settings(5, 5);
    timed.time = "0+5/10".parse().unwrap();
    timed.time.tolerance = Duration::from_millis(100);
    let (_, outcome) = against_fake("pass", timed.clone());
    assert!(outcome.pairs[0].games.iter().all(|game| game.reason == EndReason::Score), "{outcome:?}");
    timed.time = ishi_arena::TimeControl::per_move(Duration::from_millis(400));
    timed.time.tolerance = Duration::from_millis(100);
    let (_, outcome) = against_fake("slow", timed);
    for game in &outcome.pairs[0].games {
        assert_eq!((game.reason, game.winner()), (EndReason::Time, Some(0)), "{}", game.detail);
        assert_eq!(game.result, GameResult::Time(game.color_of(0)));
    }
}

#[test]
fn players_that_cannot_take_part_are_refused_before_the_match() {
    let check = |text: &str, settings: &GoMatchSettings| {
        Contestant::try_out(None, &text.parse().unwrap(), settings).unwrap_err().to_string()
    };
    let missing = check("gtp:/no/such/engine", &settings(9, 9));
    assert!(missing.contains("/no/such/engine") && missing.contains("is it installed"), "{missing}");
    let large = check(&fake("pass"), &settings(21, 21));
    assert!(large.contains("unacceptable size"), "{large}");
    let silent = check("gtp:true", &settings(9, 9));
    assert!(silent.contains("list_commands"), "{silent}");
    // Whoever stops does not wait for a program that says nothing.
    let stop = StopFlag::raised_if(true);
    let left = Contestant::try_out_until(None, &"gtp:sleep 600".parse().unwrap(), &settings(9, 9), &stop)
        .unwrap_err();
    assert!(left.to_string().contains("before the stop"), "{left}");
    let fine = Contestant::try_out(None, &fake("pass").parse().unwrap(), &settings(9, 9)).unwrap();
    assert_eq!((fine.name.as_str(), fine.version.as_str()), ("Fake pass", "Fake pass"));
}

#[test]
fn boards_handicaps_mercy_and_limits() {
    let games = |plan: MatchPlan| -> [GameRecord; 2] { play(&plan, 1).pairs.remove(0).games };
    let oblong = games(plan("go-random", "go-capture", settings(7, 4)));
    assert!(oblong.iter().all(|game| game.reason == EndReason::Score));

    let handicap = plan("go-random", "go-capture", GoMatchSettings { handicap: 3, ..settings(7, 7) });
    let game = &games(handicap.clone())[0];
    assert_eq!(game.moves[0].0, Color::White, "White begins after handicap stones");
    assert!(
        game.to_sgf(&handicap.pair_task(0), 0).contains("HA[3]AB["),
        "{}",
        game.to_sgf(&handicap.pair_task(0), 0)
    );

    let mercy = games(plan("go-random", "go-capture", GoMatchSettings { mercy: Some(8), ..settings(7, 7) }));
    assert!(mercy.iter().any(|game| game.reason == EndReason::Mercy), "{mercy:?}");

    let limit = games(plan("go-random", "go-random", GoMatchSettings { move_limit: 10, ..settings(7, 7) }));
    assert!(limit.iter().all(|game| (game.reason, game.moves.len()) == (EndReason::MoveLimit, 10)));
}

fn program_referee(command: &str) -> RefereeSpec {
    RefereeSpec::Program { command: command.parse().unwrap(), files: String::new() }
}

#[test]
fn a_referee_settles_dead_stones_and_its_failure_is_told() {
    // White's stone in Black's area is dead by playouts, alive by the word of the referee.
    let text = "C1 A1 C2 B5 C3 E5 C4 E1 C5 pass";
    let settings = settings(5, 5);
    let openings = Openings::from_text(text, &settings).unwrap();
    let base = plan(&fake("pass"), &fake("alive"), settings.clone());
    let plan = |referee: RefereeSpec| MatchPlan { openings: openings.clone(), referee, ..base.clone() };
    let program = |mode: &str| program_referee(&fake(mode));
    let game = |plan: MatchPlan| play(&plan, 1).pairs.remove(0).games[0].clone();

    assert_eq!(game(plan(RefereeSpec::Playouts)).result, GameResult::Points(Color::Black, 17.5));
    let alive = game(plan(program("alive")));
    assert_eq!((alive.result, alive.detail.as_str()), (GameResult::Points(Color::White, 6.5), ""));

    let failed = plan(program("nonsense"));
    let outcome = play(&failed, 1);
    assert_eq!(outcome.pairs[0].games[0].result, GameResult::Points(Color::Black, 17.5));
    let report = MatchReport::new(&outcome.pairs, None).unwrap();
    assert_eq!(report.incidents.len(), 2);
    let detail = &report.incidents[0].detail;
    assert!(detail.contains("the referee failed, ishi decided instead"), "{detail}");
    assert_eq!(report.incidents[0].contestant, None);
    let stop = StopFlag::default();
    assert!(referee::check_referee(&program("nonsense"), &settings, &stop).is_err());
    assert!(referee::check_referee(&program("alive"), &settings, &stop).is_ok());
    // Whoever stops does not wait for a program that says nothing.
    stop.request();
    let left = referee::check_referee(&program_referee("sleep 600"), &settings, &stop).unwrap_err();
    assert!(left.message.contains("before the stop"), "{}", left.message);
}

/// Black has ten points and White five. Black's do not count by territory, where the referee says that his chain stands in seki.
#[test]
fn a_referee_is_asked_for_sekis() {
    let result = |mode: &str, rules: Rules| {
        let settings = GoMatchSettings { rules, komi: 0.5, ..settings(5, 5) };
        let openings = Openings::from_text("C1 D1 C2 D2 C3 D3 C4 D4 C5 D5", &settings).unwrap();
        let base = plan(&fake("pass"), &fake("pass"), settings);
        let plan = MatchPlan { openings, referee: program_referee(&fake(mode)), ..base };
        let game = play(&plan, 1).pairs.remove(0).games[0].clone();
        assert_eq!(game.detail, "");
        game.result
    };
    assert_eq!(result("seki", Rules::JAPANESE), GameResult::Points(Color::White, 5.5));
    assert_eq!(result("alive", Rules::JAPANESE), GameResult::Points(Color::Black, 4.5), "it knows no sekis");
    assert_eq!(result("seki", Rules::CHINESE), GameResult::Points(Color::Black, 4.5));
}

/// The command line of GNU Go, if it is installed.
fn gnu_go() -> Option<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([Path::new("/usr/games").to_path_buf()]);
    let program = folders.map(|folder| folder.join("gnugo")).find(|file| file.is_file())?;
    let options = "--mode gtp --level 1 --chinese-rules --positional-superko";
    Some(format!("gtp:{} {options}", program.display()))
}

/// Monte-Carlo tree search plays whole games against GNU Go, and wins some; the same seed plays them again.
#[test]
fn tree_search_against_gnu_go() {
    let Some(gnu_go) = gnu_go() else {
        let _ = writeln!(std::io::stderr(), "SKIPPED: needs gnugo (the package gnugo)");
        return;
    };
    let referee = program_referee(gnu_go.trim_start_matches("gtp:"));
    let base = plan("go-mcts:playouts=150", &gnu_go, settings(9, 9));
    let plan = MatchPlan { pairs: 2, referee, openings: Openings::Random(2), ..base };
    let outcome = play(&plan, 2);
    let report = MatchReport::new(&outcome.pairs, None).unwrap();
    assert_eq!(report.incidents, []);
    assert!(report.score.score > 0.0, "{report:?}");
    assert_eq!(essence(&outcome.pairs), essence(&play(&plan, 1).pairs));
}

#[test]
fn tree_search_beats_flat_search() {
    let plan = MatchPlan {
        pairs: 4,
        openings: Openings::Random(2),
        ..plan("go-mcts:playouts=60", "go-flat:playouts=60", settings(7, 7))
    };
    let report = MatchReport::new(&play(&plan, 2).pairs, None).unwrap();
    assert_eq!(report.incidents, []);
    assert!(report.score.score >= 0.75, "{report:?}");
}

#[test]
fn a_match_against_gnu_go() {
    let Some(gnu_go) = gnu_go() else {
        let _ = writeln!(std::io::stderr(), "SKIPPED: needs gnugo (the package gnugo)");
        return;
    };
    let referee = program_referee(gnu_go.trim_start_matches("gtp:"));
    let base = plan("go-capture", &gnu_go, settings(9, 9));
    let plan = MatchPlan { pairs: 2, referee, openings: Openings::Random(2), ..base };
    assert!(plan.contestants[1].name.starts_with("GNU Go 3"), "{:?}", plan.contestants[1]);
    let outcome = play(&plan, 2);
    let report = MatchReport::new(&outcome.pairs, None).unwrap();
    assert_eq!(report.incidents, []);
    assert!(report.score.score < 0.5, "one ply of capturing does not beat GNU Go: {report:?}");
    assert_eq!(
        essence(&outcome.pairs),
        essence(&play(&plan, 1).pairs),
        "set_random_seed makes it repeatable"
    );
}
