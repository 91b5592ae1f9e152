//! A match kept in the database reads back as it was played.

use ishi_arena::{
    Contestant, GoMatchSettings, MatchPlan, MatchRun, Openings, PairJournal, RefereeSpec, UnobservedMatch,
    play_match,
};
use ishi_go::BoardSize;
use ishi_lab::store::{FIRST_RESULTS_VERSION, PAIR_KIND, Store, StoreJournal, describe_match_run, pair_task};
use ishi_rng::Seed;
use ishi_work::StopFlag;
use serde_json::json;

fn plan(settings: GoMatchSettings) -> MatchPlan {
    plan_between(["go-random", "go-capture"], settings)
}

fn plan_between(players: [&str; 2], settings: GoMatchSettings) -> MatchPlan {
    let contestant = |text: &str| Contestant::try_out(Some(text), &text.parse().unwrap(), &settings).unwrap();
    MatchPlan {
        contestants: players.map(contestant),
        referee: RefereeSpec::Playouts,
        openings: Openings::Random(3),
        pairs: 3,
        seed: Seed::new(5),
        sprt: None,
        settings,
    }
}

#[test]
fn pairs_read_back_as_they_were_played() {
    crate::postgres_server::for_each_database(pairs_read_back);
}

fn pairs_read_back(path: &std::path::Path) {
    let size = BoardSize::new(6, 5).unwrap();
    let plain = GoMatchSettings::for_board(size);
    let handicap = GoMatchSettings { handicap: 2, mercy: Some(6), ..plain.clone() };
    for (name, settings) in [("m", plain), ("n", handicap)] {
        let plan = plan(settings);
        let mut store = Store::open(path).unwrap();
        store.start_run(name, "match", &json!({})).unwrap();
        let mut journal = StoreJournal::new(&mut store, name, 5);
        let run = MatchRun { threads: 2, stop: StopFlag::default(), observer: &mut UnobservedMatch };
        let outcome = play_match(&plan, &mut journal, run).unwrap();
        for (index, record) in outcome.pairs.iter().enumerate() {
            let task = plan.pair_task(index as u64);
            assert_eq!(journal.find_pair(&task).unwrap().as_ref(), Some(record));
            assert_eq!(under_another_seed(&mut journal, &task), None, "another seed is another task");
        }
        assert_eq!(store.results_of_run(name).unwrap().len(), 3);
        let (place, first) = &store.results_of_run(name).unwrap()[0];
        assert_eq!((*place, first.kind.as_str(), first.seed.as_str()), (0, PAIR_KIND.name(), "5"));
        assert_eq!(first.id, pair_task(&plan.pair_task(0)).id());
        assert_eq!(first.spec["b_name"], "go-capture");
    }
}

/// What the journal has of the pair under another seed.
fn under_another_seed(
    journal: &mut StoreJournal<'_>,
    task: &ishi_arena::PairTask,
) -> Option<ishi_arena::PairRecord> {
    let other = ishi_arena::PairTask { seed: Seed::new(99), ..task.clone() };
    journal.find_pair(&other).unwrap()
}

/// The first to keep a pair decides; the second gets what stands.
#[test]
fn a_second_writer_gets_the_record_of_the_first() {
    let plan = plan(GoMatchSettings::for_board(BoardSize::square(5).unwrap()));
    let mut store = Store::in_memory().unwrap();
    store.start_run("m", "match", &json!({})).unwrap();
    let mut journal = StoreJournal::new(&mut store, "m", 5);
    let run = MatchRun { threads: 1, stop: StopFlag::default(), observer: &mut UnobservedMatch };
    let first =
        play_match(&MatchPlan { pairs: 1, ..plan.clone() }, &mut journal, run).unwrap().pairs.remove(0);
    let mut second = first.clone();
    second.games[0].detail = "later".into();
    assert_eq!(journal.keep_pair(&plan.pair_task(0), second).unwrap(), first);
}

/// Pairs are done again where one of their players plays other games than before, and only there.
#[test]
fn a_pair_has_the_version_of_its_players() {
    let settings = GoMatchSettings::for_board(BoardSize::new(9, 9).unwrap());
    let version = |players| {
        let plan = plan_between(players, settings.clone());
        pair_task(&plan.pair_task(0)).kind().results_version()
    };
    assert_eq!(version(["go-random", "go-capture"]), FIRST_RESULTS_VERSION);
    assert_eq!(version(["go-rank:rank=22k", "go-capture"]), 4);
    assert_eq!(version(["go-capture", "go-rank:rank=22k"]), 4);

    // The run and the pairs of `ishi match go-random go-capture --pairs 3 --seed 5 --size 9 --opening random:3` have the ids that they had
    // before there was a version of each kind.
    let plan = MatchPlan { referee: RefereeSpec::Reading, ..plan(settings) };
    assert_eq!(describe_match_run(&plan).0, "match-b70be9e3d5cb");
    let first = "6bf611b19c3c4d675bfb04b1f4b8b0cf4b5096625633f8dab38795ecf0e9abfd";
    assert_eq!(pair_task(&plan.pair_task(0)).id().as_str(), first);
}
