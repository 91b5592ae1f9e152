//! `ishi match`: plays two players against each other and says what the result is worth.

mod demo;
mod game;
mod game_files;
mod live;
mod options;
mod plan;
mod report;
pub(crate) mod share;

use ishi_arena::{MatchBreak, MatchEnd, MatchError, MatchOutcome, MatchReport, MatchRun};
use ishi_engine::{Go, Othello};
use ishi_lab::store::{Store, StoreError, StoreJournal, start_match};

use crate::context::{Context, Failure};
use crate::{files, places};
use game::PlayedGame;
use live::MatchDisplay;
pub use options::{GameName, MatchArgs};

/// Plays a match, or goes on with it, and reports.
pub fn run(args: &MatchArgs, context: &Context) -> Result<(), Failure> {
    match args.game {
        GameName::Go => play_and_report::<Go>(&demo::fill_players(args), context),
        GameName::Othello => play_and_report::<Othello>(&demo::fill_players(args), context),
    }
}

fn play_and_report<G: PlayedGame>(args: &MatchArgs, context: &Context) -> Result<(), Failure> {
    let plan = plan::make_plan::<G>(args, context)?;
    let sgf = args.sgf.as_deref();
    if let Some(folder) = sgf.filter(|folder| folder.is_file()) {
        return Err(Failure::Input(format!("--sgf: {} must be a folder, and is a file", folder.display())));
    }
    let mut store = open_store(args, context)?;
    let name = start_match(&plan, &mut store)?;
    if let Some(folder) = sgf {
        files::make_folder(folder)?;
    }
    let mut live = MatchDisplay::new(&plan, context, args.show, sgf);
    live.announce_match(store.path());
    let run = MatchRun { threads: context.threads, stop: context.stop.clone(), observer: &mut live };
    let mut journal = StoreJournal::new(&mut store, &name, context.seed);
    let outcome = ishi_arena::play_match(&plan, &mut journal, run).map_err(report_broken_match)?;
    let outcome = count_pairs_beyond(outcome, &name, &store)?;
    live.close_display()?;
    if !outcome.pairs.is_empty() {
        let figures = MatchReport::new(&outcome.pairs, plan.sprt.as_ref()).map_err(Failure::input)?;
        let place = report::ReportPlaces { database: store.path(), run: &name, sgf };
        let bounds = args.sprt.as_deref().and_then(|bounds| bounds.try_into().ok());
        let text = if context.json {
            let report = report::report_json(&plan, &outcome, &figures, &place, bounds);
            crate::made_by::put_into(&report.map_err(Failure::outside)?)?
        } else {
            report::format_report(&plan, &outcome, &figures, &place, bounds)
        };
        files::print_bytes(text.as_bytes())?;
    }
    report_alarms(&name, &store)?;
    report_stop(&outcome, args, &store)
}

/// Where a sequential test has ended the match, the database may have more pairs than were looked at: those of a match without the test.
fn count_pairs_beyond<G: PlayedGame>(
    outcome: MatchOutcome<G>,
    run: &str,
    store: &Store,
) -> Result<MatchOutcome<G>, Failure> {
    if !matches!(outcome.end, MatchEnd::Decided(_)) {
        return Ok(outcome);
    }
    let kept = store.count_finished_of_run(run)?;
    let beyond = kept.saturating_sub(outcome.pairs.len() as u64).max(outcome.beyond);
    Ok(MatchOutcome { beyond, ..outcome })
}

/// Pairs that came out differently when they were played again end the command with exit code 1.
fn report_alarms(run: &str, store: &Store) -> Result<(), Failure> {
    let alarms = store.count_alarms_of_run(run)?;
    if alarms == 0 {
        return Ok(());
    }
    let place = store.path().display();
    Err(Failure::Negative(format!(
        "{alarms} pairs came out differently when they were played again: {place}, table alarms, has both results"
    )))
}

/// A match that was stopped says how to go on.
fn report_stop<G: PlayedGame>(
    outcome: &MatchOutcome<G>,
    args: &MatchArgs,
    store: &Store,
) -> Result<(), Failure> {
    if outcome.end != MatchEnd::Stopped {
        return Ok(());
    }
    let kept = outcome.pairs.len() as u64 + outcome.beyond;
    if args.database_path().is_some() {
        let path = store.path().display();
        tell!("ishi: stopped; {kept} finished pairs are kept in {path}; the same command goes on from there");
    }
    Err(Failure::Interrupted)
}

fn open_store(args: &MatchArgs, context: &Context) -> Result<Store, Failure> {
    let store = match args.database_path() {
        Some(path) => {
            places::prepare_and_tell_database(&path, context)?;
            Store::open(&path)
        }
        None => Store::in_memory(),
    };
    store.map_err(Failure::from)
}

/// The database has failed, or there is no memory for a player: finished games that could not be kept are printed, so that they are not lost.
fn report_broken_match<G: PlayedGame>(broken: MatchError<StoreError, G>) -> Failure {
    for (task, record) in &broken.unkept {
        for (number, game) in record.games.iter().enumerate() {
            let pair = task.index + 1;
            tell!("ishi: pair {pair}, game {} could not be kept; here it is:", number + 1);
            tell!("{}", game.to_sgf(task, number));
        }
    }
    match broken.error {
        MatchBreak::Journal(error) => error.into(),
        MatchBreak::Player(error) => Failure::input(error),
    }
}
