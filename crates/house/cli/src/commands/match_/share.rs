//! Matches whose pairs any worker may play: as jobs of a campaign.

use ishi_work::StopFlag;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use clap::Parser;
use ishi_arena::process::EngineCommand;
use ishi_arena::{
    MatchEnd, MatchOutcome, MatchPlan, MatchReport, MatchStanding, PairRecord, PlayerSpec, play_pair,
};
use ishi_engine::{Go, Othello};
use ishi_lab::store::{
    LATER_TASKS, Store, StoreError, StoreTask, find_kept_pairs, open_match_job, pair_result, pair_task,
    start_match,
};
use ishi_lab::worker::{JobAnswer, PreparedJob};
use ishi_stats::SprtDecision;
use serde_json::{Map, Value, json};

use super::game::PlayedGame;
use super::options::{GameName, MatchArgs};
use super::plan::{check_options, make_plan, make_plan_from};
use super::report;
use crate::GlobalArgs;
use crate::commands::campaign::shared_work::{LineReport, WorkInputs, parse_command_words, words_of_job};
use crate::context::{Context, Failure};

/// What stands after `ishi match`.
#[derive(Parser, Debug)]
#[command(name = "match", no_binary_name = true)]
pub(crate) struct MatchLine {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(flatten)]
    args: MatchArgs,
}

impl MatchLine {
    /// Reads the words; the error is a single line.
    pub(crate) fn parse_words(words: &[String]) -> Result<MatchLine, String> {
        let line: MatchLine = parse_command_words(words)?;
        if line.args.a.is_none() {
            return Err("it must name two players".to_string());
        }
        Ok(line)
    }

    /// Is it a line for a campaign's file? What only `ishi match` itself does would be left out without a word.
    pub(crate) fn check_for_file(&self) -> Result<(), String> {
        let MatchArgs { db, no_db, sgf, show, .. } = &self.args;
        if db.is_some() {
            return Err("--db must stand with the campaign, not in its lines".to_string());
        }
        if *no_db {
            return Err("--no-db must be left out: a campaign keeps its games in a database".to_string());
        }
        if sgf.is_some() || *show {
            return Err("--sgf and --show must be left out: no single machine plays all games".to_string());
        }
        let checked = match self.args.game {
            GameName::Go => check_options::<Go>(&self.args),
            GameName::Othello => check_options::<Othello>(&self.args),
        };
        checked.map_err(|failure| failure.to_string())
    }

    /// How many pairs it asks for.
    pub(crate) fn pair_count(&self) -> u64 {
        self.args.pair_count()
    }

    /// Who plays, as results call them.
    pub(crate) fn name_players(&self) -> String {
        let MatchArgs { a, b, name_a, name_b, .. } = &self.args;
        let name = |name: &Option<String>, player: &Option<String>| {
            name.as_ref().or(player.as_ref()).cloned().unwrap_or_default()
        };
        format!("{} against {}", name(name_a, a), name(name_b, b))
    }

    /// The programs that the match starts: players and the referee.
    pub(crate) fn programs(&self) -> Vec<EngineCommand> {
        let player = |text: &String| {
            let spec = match self.args.game {
                GameName::Go => PlayerSpec::parse_for_game::<Go>(text),
                GameName::Othello => PlayerSpec::parse_for_game::<Othello>(text),
            };
            match spec {
                Ok(PlayerSpec::External(command)) => Some(command),
                _ => None,
            }
        };
        let players = [&self.args.a, &self.args.b].into_iter().flatten().filter_map(player);
        let referee = self.args.referee.as_deref().and_then(|command| command.parse().ok());
        players.chain(referee).collect()
    }

    fn context(&self, around: &Context) -> Context {
        Context { seed: self.global.seed, ..around.clone() }
    }
}

/// A match of a campaign: its run, and how many pairs are in the queue.
pub(crate) struct SharedMatch {
    pub(crate) run: String,
    pub(crate) open: u64,
}

/// Opens the match that the words (of `ishi match`) describe as a job.
pub(crate) fn share_match(
    words: &[String],
    campaign: &str,
    context: &Context,
    store: &mut Store,
) -> Result<SharedMatch, Failure> {
    share_match_of_step(words, campaign, 0, context, store)
}

/// The same for a match of a tuning, after which its campaign has so many pairs more at most.
pub(crate) fn share_match_of_step(
    words: &[String],
    campaign: &str,
    later: u64,
    context: &Context,
    store: &mut Store,
) -> Result<SharedMatch, Failure> {
    let line = MatchLine::parse_words(words).map_err(|error| wrong_line(words, &error))?;
    let mut job = json!({ "do": "match", "arguments": words });
    if later > 0 {
        job[LATER_TASKS] = json!(later);
    }
    match line.args.game {
        GameName::Go => share_as::<Go>(&line, job, campaign, context, store),
        GameName::Othello => share_as::<Othello>(&line, job, campaign, context, store),
    }
}

fn wrong_line(words: &[String], error: &str) -> Failure {
    Failure::Input(format!("the match {:?}: {error}", words.join(" ")))
}

fn share_as<G: PlayedGame>(
    line: &MatchLine,
    mut job: Value,
    campaign: &str,
    context: &Context,
    store: &mut Store,
) -> Result<SharedMatch, Failure> {
    let mut inputs = WorkInputs::from_files();
    let mut read = |path: &Path| inputs.read(path);
    let mut plan = make_plan_from::<G>(&line.args, &line.context(context), &mut read)?;
    let run = start_match(&plan, store)?;
    if let Some(pairs) = find_deciding_pairs(&plan, store)? {
        plan.pairs = pairs;
    }
    job["files"] = inputs.keep(store)?;
    job["programs"] = json!(program_facts(&plan));
    let open = open_match_job(&plan, &run, campaign, &job, store)?;
    Ok(SharedMatch { run, open })
}

/// What the tasks of a match hold of its programs.
fn program_facts<G: PlayedGame>(plan: &MatchPlan<G>) -> BTreeMap<String, String> {
    const OF_PROGRAMS: [&str; 5] = ["a_version", "a_files", "b_version", "b_files", "referee"];
    let facts = plan.pair_task(0).facts();
    facts.into_iter().filter(|(key, _)| OF_PROGRAMS.contains(&key.as_str())).collect()
}

/// Which program is another one than the job's, in words. A job of an older ishi says nothing of programs.
pub(crate) fn first_other_program(asked: &Value, ours: &BTreeMap<String, String>) -> Option<String> {
    let asked = asked.as_object()?;
    let ours: Map<String, Value> = ours.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
    let keys: BTreeSet<&String> = asked.keys().chain(ours.keys()).collect();
    let key = keys.into_iter().find(|&key| asked.get(key) != ours.get(key))?;
    let word = |facts: &Map<String, Value>| facts.get(key).map_or_else(|| "nothing".into(), Value::to_string);
    let hint = if key.ends_with("_version") { "" } else { VERSION_HINT };
    Some(format!(
        "a program is another one: {key} is {} here, and must be {}{hint}",
        word(&ours),
        word(asked)
    ))
}

/// What helps where machines have programs of their own.
const VERSION_HINT: &str = ". If it plays the same all the same, --programs-by version in the campaign's line goes by what programs say";

/// Sets the match of a job up, with the files that the database has, and tries its players out.
pub(crate) fn prepare_match_job(
    job: &Value,
    store: &Store,
    context: &Context,
) -> Result<Arc<dyn PreparedJob>, String> {
    let line = MatchLine::parse_words(&words_of_job(job)?)?;
    match line.args.game {
        GameName::Go => prepare_as::<Go>(&line, job, store, context),
        GameName::Othello => prepare_as::<Othello>(&line, job, store, context),
    }
}

fn prepare_as<G: PlayedGame>(
    line: &MatchLine,
    job: &Value,
    store: &Store,
    context: &Context,
) -> Result<Arc<dyn PreparedJob>, String>
where
    MatchPlan<G>: Send + Sync,
{
    let mut inputs = WorkInputs::of_job(store, job);
    let mut read = |path: &Path| inputs.read(path);
    let plan = make_plan_from::<G>(&line.args, &line.context(context), &mut read);
    let plan = plan.map_err(|failure| failure.to_string())?;
    match first_other_program(&job["programs"], &program_facts(&plan)) {
        Some(difference) => Err(difference),
        None => Ok(Arc::new(MatchJob { plan })),
    }
}

/// A match that a worker plays pairs of.
struct MatchJob<G: PlayedGame> {
    plan: MatchPlan<G>,
}

impl<G: PlayedGame> PreparedJob for MatchJob<G>
where
    MatchPlan<G>: Send + Sync,
{
    fn task(&self, place: u64) -> Option<StoreTask> {
        Some(pair_task(&self.plan.pair_task(place)))
    }

    fn is_exact(&self) -> bool {
        self.plan.pair_task(0).is_exact()
    }

    fn do_task(&self, place: u64, _: Option<&Value>, stop: &StopFlag) -> JobAnswer {
        let pair = self.plan.pair_task(place);
        let record = play_pair(&pair, stop).map_err(|error| error.to_string())?;
        Ok(record.map(|record| pair_result(&pair, &record, &self.plan.seed.to_string())))
    }

    fn is_decided(&self, store: &Store) -> Result<bool, StoreError> {
        Ok(find_deciding_pairs(&self.plan, store)?.is_some())
    }
}

/// How many pairs have decided the match; `None` if it is not decided.
fn find_deciding_pairs<G: PlayedGame>(plan: &MatchPlan<G>, store: &Store) -> Result<Option<u64>, StoreError> {
    if plan.sprt.is_none() {
        return Ok(None);
    }
    let (decision, pairs) = count_until_decision(plan, find_kept_pairs(plan, store)?);
    Ok((decision != SprtDecision::Continue).then_some(pairs.len() as u64))
}

/// The decision of the sequential test, and the pairs up to it.
fn count_until_decision<G: PlayedGame>(
    plan: &MatchPlan<G>,
    mut pairs: Vec<PairRecord<G>>,
) -> (SprtDecision, Vec<PairRecord<G>>) {
    let Some(sprt) = plan.sprt else { return (SprtDecision::Continue, pairs) };
    let (mut standing, mut decision) = (MatchStanding::default(), SprtDecision::Continue);
    let decided = pairs.iter().position(|pair| {
        standing.add_pair(pair);
        decision = sprt.sprt_report(&standing.pair_outcomes()).decision;
        decision != SprtDecision::Continue
    });
    if let Some(last) = decided {
        pairs.truncate(last + 1);
    }
    (decision, pairs)
}

/// How the programs of this machine differ from those that the match was handed out with; `None` if they do not, or nobody knows.
fn find_other_program<G: PlayedGame>(
    plan: &MatchPlan<G>,
    words: &[String],
    store: &Store,
) -> Result<Option<String>, Failure> {
    // Those of other campaigns may be damaged.
    let jobs = store.list_whole_jobs()?.jobs;
    let ours = program_facts(plan);
    let of_match = jobs.iter().filter(|job| job.job["arguments"] == json!(words));
    let found: Vec<Option<String>> =
        of_match.map(|job| first_other_program(&job.job["programs"], &ours)).collect();
    Ok(if found.contains(&None) { None } else { found.into_iter().flatten().next() })
}

/// The report of a match of a campaign, of what is finished; before the first pair why none is found, where that is known.
pub(crate) fn report_shared_match(
    words: &[String],
    context: &Context,
    store: &Store,
) -> Result<LineReport, Failure> {
    let line = MatchLine::parse_words(words).map_err(|error| wrong_line(words, &error))?;
    match line.args.game {
        GameName::Go => report_as::<Go>(&line, words, context, store),
        GameName::Othello => report_as::<Othello>(&line, words, context, store),
    }
}

fn report_as<G: PlayedGame>(
    line: &MatchLine,
    words: &[String],
    context: &Context,
    store: &Store,
) -> Result<LineReport, Failure> {
    let plan = make_plan::<G>(&line.args, &line.context(context))?;
    let kept = find_kept_pairs(&plan, store)?;
    let found = kept.len();
    let (decision, pairs) = count_until_decision(&plan, kept);
    if pairs.is_empty() {
        let why = explain_no_pair(&plan, words, store)?.map_or_else(String::new, |why| format!(": {why}"));
        return Ok(LineReport::State(format!("no finished pair yet: {}{why}", words.join(" "))));
    }
    let end = match decision {
        SprtDecision::Continue if pairs.len() as u64 == plan.pairs => MatchEnd::Complete,
        SprtDecision::Continue => MatchEnd::Stopped,
        decision => MatchEnd::Decided(decision),
    };
    let counted = pairs.len();
    let outcome = MatchOutcome { end, pairs, beyond: (found - counted) as u64, found: counted as u64 };
    let figures = MatchReport::new(&outcome.pairs, plan.sprt.as_ref()).map_err(Failure::input)?;
    let (run, _) = ishi_lab::store::describe_match_run(&plan);
    let place = report::ReportPlaces { database: store.path(), run: &run, sgf: None };
    let bounds = line.args.sprt.as_deref().and_then(|bounds| bounds.try_into().ok());
    if context.json {
        report::report_json(&plan, &outcome, &figures, &place, bounds)
            .map(LineReport::Report)
            .map_err(Failure::outside)
    } else {
        let mut text = report::format_report(&plan, &outcome, &figures, &place, bounds);
        // Behind the pair that decides nothing is counted, and there may be many.
        let behind = if decision == SprtDecision::Continue {
            count_pairs_behind(&plan, found as u64, store)?
        } else {
            0
        };
        if behind > 0 {
            let (pairs, are) = if behind == 1 { ("pair", "is") } else { ("pairs", "are") };
            text +=
                &format!("{behind} {pairs} behind one that is missing {are} finished, and not counted yet\n");
        }
        Ok(LineReport::Report(text))
    }
}

/// Why no pair of a match is counted that has begun; `None` if it has not.
fn explain_no_pair<G: PlayedGame>(
    plan: &MatchPlan<G>,
    words: &[String],
    store: &Store,
) -> Result<Option<String>, Failure> {
    if let Some(difference) = find_other_program(plan, words, store)? {
        return Ok(Some(difference));
    }
    let behind = count_pairs_behind(plan, 0, store)?;
    Ok((behind > 0).then(|| format!("the first is missing, and {behind} behind it are finished")))
}

/// Finished pairs of the match behind the first that is missing, which is at this place. A pair that is given up keeps them from being
/// counted.
fn count_pairs_behind<G: PlayedGame>(
    plan: &MatchPlan<G>,
    missing: u64,
    store: &Store,
) -> Result<u64, Failure> {
    let mut count = 0;
    for place in missing..plan.pairs {
        let id = pair_task(&plan.pair_task(place)).id();
        count += u64::from(store.is_finished(&id)?);
    }
    Ok(count)
}

/// How a match stands, seen from the first player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SharedStanding {
    pub(crate) standing: MatchStanding,
    /// Pairs that are finished, from the first on without a gap.
    pub(crate) finished: u64,
    /// Pairs that are to be played.
    pub(crate) planned: u64,
}

impl SharedStanding {
    pub(crate) fn is_complete(&self) -> bool {
        self.finished >= self.planned
    }

    /// Mean points per game, 0 to 1.
    pub(crate) fn score(&self) -> f64 {
        self.standing.total_tally().score()
    }
}

/// How the match that the words (of `ishi match`) describe stands in the database.
pub(crate) fn read_shared_match(
    words: &[String],
    context: &Context,
    store: &Store,
) -> Result<SharedStanding, Failure> {
    let line = MatchLine::parse_words(words).map_err(|error| wrong_line(words, &error))?;
    match line.args.game {
        GameName::Go => read_as::<Go>(&line, context, store),
        GameName::Othello => read_as::<Othello>(&line, context, store),
    }
}

fn read_as<G: PlayedGame>(
    line: &MatchLine,
    context: &Context,
    store: &Store,
) -> Result<SharedStanding, Failure> {
    let plan = make_plan::<G>(&line.args, &line.context(context))?;
    let pairs = find_kept_pairs(&plan, store)?;
    let mut standing = MatchStanding::default();
    pairs.iter().for_each(|pair| standing.add_pair(pair));
    Ok(SharedStanding { standing, finished: pairs.len() as u64, planned: plan.pairs })
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use ishi_lab::store::{NewResult, TaskCost};
    use ishi_rng::Seed;

    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_string).collect()
    }

    #[test]
    fn a_line_of_a_match_is_read_as_the_command_would() {
        let line = MatchLine::parse_words(&words("go-random go-capture --pairs 7 --seed 5")).unwrap();
        assert_eq!((line.args.pairs, line.global.seed.to_string()), (Some(7), "5".to_string()));
        let error = MatchLine::parse_words(&words("go-random go-capture --pears 7")).unwrap_err();
        assert!(error.contains("--pears"), "{error}");
        assert!(line.programs().is_empty());
        let words_of_programs = ["gtp:one -x", "two --gtp", "--referee", "three 'a b'"].map(str::to_string);
        let programs = MatchLine::parse_words(&words_of_programs).unwrap().programs();
        let programs: Vec<String> = programs.iter().map(ToString::to_string).collect();
        assert_eq!(programs, ["one -x", "two --gtp", "three 'a b'"]);
        let error = MatchLine::parse_words(&words("--pairs 7")).unwrap_err();
        assert!(error.contains("two players"), "{error}");
    }

    #[test]
    fn a_program_that_is_another_one_is_named() {
        let facts = |files: &str| {
            let facts = [("b_version", "GNU Go 3.8"), ("b_files", files), ("referee", "playouts")];
            facts.map(|(key, value)| (key.to_string(), value.to_string())).into_iter().collect()
        };
        let ours: BTreeMap<String, String> = facts("gnugo 12ab");
        assert_eq!(first_other_program(&json!(ours), &ours), None);
        assert_eq!(first_other_program(&Value::Null, &ours), None, "a job of an older ishi");
        let other: BTreeMap<String, String> = facts("gnugo 34cd");
        let words = first_other_program(&json!(other), &ours).unwrap();
        let named = "b_files is \"gnugo 12ab\" here, and must be \"gnugo 34cd\". If it plays";
        assert!(words.contains(named), "{words}");
        let mut fewer = other.clone();
        fewer.remove("b_files");
        let words = first_other_program(&json!(fewer), &other).unwrap();
        assert!(words.contains("and must be nothing"), "{words}");
    }

    /// Pairs count from the first on without a gap. One that is given up would hide the others without a word.
    #[test]
    fn pairs_behind_one_that_is_missing_are_told() {
        let line = words("go-random go-capture --size 5 --pairs 3");
        let (seed, stop) = (Seed::new(1), StopFlag::default());
        let context = Context { json: false, seed, threads: 1, threads_given: true, stop, quiet: true };
        let mut store = Store::in_memory().unwrap();
        share_match(&line, "c", &context, &mut store).unwrap();
        let read = MatchLine::parse_words(&line).unwrap();
        let plan = make_plan::<Go>(&read.args, &read.context(&context)).unwrap();
        assert_eq!(count_pairs_behind(&plan, 0, &store).unwrap(), 0);
        let (result, cost) = (json!(1), TaskCost::default());
        let new = NewResult { result, seed: "1".into(), cost, games: Vec::new() };
        store.keep_result(&pair_task(&plan.pair_task(2)), &new).unwrap();
        assert_eq!(count_pairs_behind(&plan, 0, &store).unwrap(), 1);
        assert_eq!(count_pairs_behind(&plan, 3, &store).unwrap(), 0);
        let told = report_shared_match(&line, &context, &store).unwrap();
        let LineReport::State(told) = told else { panic!("a report: {told:?}") };
        assert!(told.contains("the first is missing, and 1 behind it are finished"), "{told}");
    }

    /// What fills the queue, the report reads, too: a packed file of openings, for example.
    #[test]
    fn packed_openings_are_read_wherever_a_plan_is_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings.txt.gz");
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(b"E5 C3\n").unwrap();
        std::fs::write(&path, packer.finish().unwrap()).unwrap();
        let line = format!("go-random go-random --size 9 --pairs 1 --opening {}", path.display());
        let (seed, stop) = (Seed::new(1), StopFlag::default());
        let context = Context { json: false, seed, threads: 1, threads_given: true, stop, quiet: true };
        let mut store = Store::in_memory().unwrap();
        assert_eq!(share_match(&words(&line), "c", &context, &mut store).unwrap().open, 1);
        let standing = read_shared_match(&words(&line), &context, &store).unwrap();
        assert_eq!((standing.finished, standing.planned), (0, 1));
        let told = report_shared_match(&words(&line), &context, &store).unwrap();
        assert_eq!(told, LineReport::State(format!("no finished pair yet: {line}")));
    }
}
