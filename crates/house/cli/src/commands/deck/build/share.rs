//! Exact deck building as work of a campaign. The first task looks for a good deck. All others go on from it: each searches one part of the
//! decks ([`DeckParts`]) for a better one, or proves that it has none. So a task knows the value of that deck, and of none that others find.

use std::collections::BTreeMap;
use std::sync::Arc;

use clap::Args;
use ishi_deck::parts::DeckParts;
use ishi_deck::search::{SearchOptions, tabu_search};
use ishi_deck::{
    AnswerStatus, Deck, DeckAnswer, DeckRequest, PieceId, Problem, RequestError, Slot, SolveEffort,
    SolverOptions, solve_problem,
};
use ishi_deck_documents::pool::{self, TableFiles, refuse_sibling_file};
use ishi_deck_documents::solve::TimedAnswer;
use ishi_deck_documents::{AnswerDocument, SolveMethod, SolveSettings, words};
use ishi_lab::experiment::TaskOutput;
use ishi_lab::store::FinishedTask;
use ishi_rng::Seed;
use ishi_work::StopFlag;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{DeckBuildArgs, format_answer, no_deck_failure};
use crate::commands::campaign::shared_work::{
    FinishedTasks, SharedWork, SharedWorkArgs, WorkAnswer, WorkInputs, refuse_standard_input, wrong_result,
};
use crate::context::{Context, Failure};
use crate::digest::hex_digest;
use crate::files;

/// Steps of the first task's search: less than a second for some hundred pieces.
const FIRST_STEPS: u64 = 5_000;

/// What the result of a task must be.
const FORM: &str = "be a deck within the rules, or none, and is not";

/// The options of `ishi deck build`, and what only campaigns take.
#[derive(Args, Debug)]
pub(crate) struct SharedDecksArgs {
    #[command(flatten)]
    args: DeckBuildArgs,
    /// Parts at most, each of which is searched by itself
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    parts: u32,
}

impl SharedWorkArgs for SharedDecksArgs {
    type Work = SharedDecks;

    fn check_options(&self) -> Result<(), String> {
        if self.args.out.is_some() {
            return Err("--out must be left out: `ishi campaign report --json` gives the answer".into());
        }
        if self.args.method.method.is_some_and(|method| method != SolveMethod::Exact) {
            return Err("--method must be exact: the tasks of a campaign prove that no deck is better".into());
        }
        Ok(())
    }

    fn load_work(self, seed: Seed, inputs: &mut WorkInputs<'_>) -> Result<SharedDecks, Failure> {
        let SharedDecksArgs { args, parts } = self;
        let bytes = inputs.read_or_make(args.pool.path(), || write_problem(&args, seed))?;
        let text: SharedProblemText = serde_json::from_slice(&bytes).map_err(Failure::input)?;
        let seed: Seed = text.seed.parse().map_err(Failure::input)?;
        let (name, tables) = ("pool.json", TableFiles::default());
        let pool = pool::read_pool(name, text.pool.as_bytes(), &refuse_sibling_file, &tables);
        let pool = pool?.pool;
        let problem = Problem::new(pool, &text.request).map_err(Failure::input)?;
        let parts = DeckParts::new(&problem, text.request, parts as usize);
        Ok(SharedDecks { digest: hex_digest(&bytes), seed, problem, parts })
    }
}

/// Pool and request, as they travel in place of the files that name them.
#[derive(Serialize, Deserialize)]
struct SharedProblemText {
    /// The pool as a document of its own.
    pool: String,
    request: DeckRequest,
    seed: String,
}

fn write_problem(args: &DeckBuildArgs, seed: Seed) -> Result<Vec<u8>, Failure> {
    refuse_standard_input(args.pool.path())?;
    let pool = args.pool.read_pool_silently()?;
    let wish = args.request.read_wish(&pool)?;
    check_settings(&wish.settings)?;
    let seed = wish.settings.seed.unwrap_or(seed).to_string();
    let text = SharedProblemText { pool: pool::write_pool_file(&pool), request: wish.request, seed };
    serde_json::to_vec(&text).map_err(Failure::outside)
}

/// Parts that end before they are searched prove nothing together.
fn check_settings(settings: &SolveSettings) -> Result<(), Failure> {
    let is_exact = settings.method.is_none_or(|method| method == SolveMethod::Exact);
    let has_limits = settings.work_limit.is_some() || settings.time_limit.is_some() || settings.gap.is_some();
    if is_exact && !has_limits {
        return Ok(());
    }
    Err(Failure::input(
        "limits of work and time, gaps and methods without a proof must be left out, in the request, too: the tasks of a \
         campaign prove that no deck is better",
    ))
}

/// Decks that workers search.
pub(crate) struct SharedDecks {
    /// The digest of pool, request and seed.
    digest: String,
    seed: Seed,
    problem: Problem,
    parts: DeckParts,
}

impl SharedDecks {
    /// A good deck, without a proof.
    fn find_first_deck(&self, stop: &StopFlag) -> Value {
        if !words::tell_infeasibility(&self.problem).is_empty() {
            return describe_result(None, SolveEffort::default());
        }
        let options = SearchOptions { steps: FIRST_STEPS, ..SearchOptions::new(self.seed) };
        let found = tabu_search(&self.problem, &options, &mut |_| stop.to_flow());
        let moves = found.as_ref().map_or(0, |found| found.moves);
        let deck = found.map(|found| describe_deck(&self.problem, &found.deck, found.value));
        describe_result(deck, SolveEffort { moves, ..SolveEffort::default() })
    }

    /// The best deck of a part, if it is worth more than `above`.
    fn search_part(&self, part: usize, above: Option<i64>, stop: &StopFlag) -> Result<Value, String> {
        let request = self.parts.request_of_part(part);
        let problem = match Problem::new(Arc::clone(self.problem.pool()), &request) {
            Ok(problem) if words::tell_infeasibility(&problem).is_empty() => problem,
            Ok(_) | Err(RequestError::NoLeader) => return Ok(describe_result(None, SolveEffort::default())),
            Err(error) => return Err(error.to_string()),
        };
        let options = SolverOptions { seed: self.seed, gap: 0, above };
        let answer = solve_problem(&problem, &options, &mut |_| stop.to_flow());
        if !stop.is_requested() && answer.bound > answer.value.max(above) {
            return Err("the search has ended without a proof: please report this as a bug".to_string());
        }
        let better = answer.value.filter(|&value| Some(value) > above).zip(answer.deck);
        let deck = better.map(|(value, deck)| describe_deck(&problem, &deck, value));
        Ok(describe_result(deck, answer.work))
    }

    /// The best deck of all tasks, which are all there.
    fn join_parts(&self, results: &[FinishedTask]) -> Result<DeckAnswer, Failure> {
        let (mut best, mut work): (Option<(Deck, i64)>, _) = (None, SolveEffort::default());
        for finished in results {
            let effort = SolveEffort::deserialize(&finished.result["work"]);
            let effort = effort.map_err(|_| wrong_result(finished, FORM))?;
            work.core = work.core.max(effort.core);
            work.nodes += effort.nodes;
            work.leaders += effort.leaders;
            work.moves += effort.moves;
            let told = &finished.result["deck"];
            if told.is_null() {
                continue;
            }
            let (deck, value) = self.read_deck(told).ok_or_else(|| wrong_result(finished, FORM))?;
            if best.as_ref().is_none_or(|(_, most)| value > *most) {
                best = Some((deck, value));
            }
        }
        let status = if best.is_some() { AnswerStatus::Optimal } else { AnswerStatus::Infeasible };
        let (deck, value) = best.unzip();
        Ok(DeckAnswer { status, deck, value, bound: value, work })
    }

    /// Reads [`describe_deck`]; `None` if it is none, or breaks a rule, or is worth something else.
    fn read_deck(&self, told: &Value) -> Option<(Deck, i64)> {
        let mut left: BTreeMap<PieceId, usize> = BTreeMap::new();
        for piece in Vec::<PieceId>::deserialize(&told["pieces"]).ok()? {
            *left.entry(piece).or_default() += 1;
        }
        let mut slots = Vec::new();
        for slot in self.problem.slots() {
            if let Some(count) = left.get_mut(&self.problem.piece_of(slot)).filter(|count| **count > 0) {
                *count -= 1;
                slots.push(slot);
            }
        }
        let leader: Option<Slot> = match Option::<PieceId>::deserialize(&told["leader"]).ok()? {
            Some(leader) => Some(*slots.iter().find(|&&slot| self.problem.piece_of(slot) == leader)?),
            None => None,
        };
        let deck = Deck::new(slots, leader);
        let value = self.problem.deck_value(&deck);
        let is_whole = left.values().all(|&count| count == 0) && self.problem.check_deck(&deck).is_ok();
        (is_whole && told["value"].as_i64() == Some(value)).then_some((deck, value))
    }
}

/// A task's result.
fn describe_result(deck: Option<Value>, work: SolveEffort) -> Value {
    json!({ "deck": deck, "work": work })
}

/// A deck by the numbers of its pieces in the pool: parts have other slots than the whole.
fn describe_deck(problem: &Problem, deck: &Deck, value: i64) -> Value {
    let pieces: Vec<PieceId> = deck.slots.iter().map(|&slot| problem.piece_of(slot)).collect();
    let leader = deck.leader.map(|slot| problem.piece_of(slot));
    json!({ "value": value, "pieces": pieces, "leader": leader })
}

/// The answer as `ishi deck build` gives it.
#[derive(Serialize)]
struct SharedDecksReport {
    #[serde(flatten)]
    answer: AnswerDocument,
    parts: usize,
}

impl SharedWork for SharedDecks {
    fn facts(&self) -> Value {
        json!({ "problem": self.digest, "seed": self.seed.to_string(), "parts": self.parts.count() })
    }

    /// The first deck, and the parts.
    fn task_count(&self) -> u64 {
        self.parts.count() as u64 + 1
    }

    /// A part is the same however many there are, but for the last one.
    fn task_spec(&self, place: u64) -> Value {
        let count = self.parts.count() as u64;
        let part = match place {
            0 => json!("first deck"),
            place if place < count => json!(place),
            _ => json!({ "beyond": count - 1 }),
        };
        json!({ "problem": self.digest, "seed": self.seed.to_string(), "part": part })
    }

    fn place_before(&self, place: u64) -> Option<u64> {
        (place > 0).then_some(0)
    }

    fn seed(&self) -> Seed {
        self.seed
    }

    fn do_task(&self, place: u64, before: Option<&Value>, stop: &StopFlag) -> WorkAnswer {
        let result = match usize::try_from(place).unwrap_or(usize::MAX) {
            0 => self.find_first_deck(stop),
            place if place <= self.parts.count() => {
                let above = before.and_then(|first| first["deck"]["value"].as_i64());
                self.search_part(place - 1, above, stop)?
            }
            place => return Err(format!("there is no part {place}")),
        };
        Ok((!stop.is_requested()).then(|| TaskOutput::from(result)))
    }

    fn report(&self, results: &mut FinishedTasks<'_>, context: &Context) -> Result<String, Failure> {
        let results = results.collect::<Result<Vec<FinishedTask>, Failure>>()?;
        let answer = self.join_parts(&results)?;
        let is_none = answer.status == AnswerStatus::Infeasible;
        let timed = TimedAnswer {
            answer,
            seconds: results.iter().map(|finished| finished.cost.cpu_seconds).sum(),
            out_of_time: false,
            reasons: if is_none { words::tell_infeasibility(&self.problem) } else { Vec::new() },
            given_up: None,
        };
        let answer = AnswerDocument::from_timed_answer(&self.problem, &timed, SolveMethod::Exact);
        let report = SharedDecksReport { answer, parts: self.parts.count() };
        files::result_text(context, &report, || {
            let SharedDecksReport { answer, parts } = &report;
            if is_none {
                return format!("{}\n", no_deck_failure(answer.status, &answer.reasons));
            }
            let text = format_answer(&self.problem, answer, timed.answer.deck.as_ref());
            text + &format!("searched in {parts} parts; the time is that of all of them together\n")
        })
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::commands::campaign::shared_work::{WorkLine, finished_task, load_from_words};

    fn words_of(line: &str) -> Vec<String> {
        shlex::split(line).unwrap()
    }

    fn load(line: &str) -> SharedDecks {
        load_from_words::<SharedDecksArgs>(&words_of(line)).unwrap()
    }

    /// The results of all tasks. The parts know the first deck or not.
    fn do_all(work: &SharedDecks, is_first_known: bool) -> Vec<FinishedTask> {
        let never = StopFlag::default();
        let do_task = |place: u64, before: Option<&Value>| {
            finished_task(work.do_task(place, before, &never).unwrap().unwrap().result)
        };
        let first = do_task(0, None);
        let known = is_first_known.then(|| first.result.clone());
        let parts = (1..work.task_count()).map(|place| do_task(place, known.as_ref()));
        std::iter::once(first).chain(parts).collect()
    }

    #[test]
    fn the_parts_together_find_and_prove_the_best_deck() {
        for wish in [
            "--size 8 --limit cost=60",
            "--size 6-8 --limit cost=45 --leader any",
            "--request sample:request",
        ] {
            let whole = load(&format!("sample:deck {wish}"));
            let options = SolverOptions { seed: Seed::new(1), gap: 0, above: None };
            let best = solve_problem(&whole.problem, &options, &mut |_| ControlFlow::Continue(()));
            assert_eq!(best.status, AnswerStatus::Optimal, "{wish}");
            for parts in [1, 3, 10_000] {
                let work = load(&format!("sample:deck {wish} --parts {parts}"));
                assert!(work.task_count() <= parts + 1);
                for is_first_known in [true, false] {
                    let joined = work.join_parts(&do_all(&work, is_first_known)).unwrap();
                    assert_eq!((joined.status, joined.value), (best.status, best.value), "{wish}, {parts}");
                }
            }
        }
    }

    #[test]
    fn parts_without_a_deck_have_none_together() {
        let work = load("sample:deck --size 8 --limit cost=0 --parts 3");
        let joined = work.join_parts(&do_all(&work, true)).unwrap();
        assert_eq!((joined.status, joined.deck), (AnswerStatus::Infeasible, None));
    }

    /// Tasks of a shorter list of parts are those of a longer one, so that more parts can be asked for later.
    #[test]
    fn a_task_is_a_part_with_its_pool_and_request() {
        let line = "sample:deck --size 8 --limit cost=60";
        let (few, many) = (load(&format!("{line} --parts 3")), load(&format!("{line} --parts 5")));
        let other = load("sample:deck --size 8 --limit cost=61 --parts 3");
        assert_eq!((few.task_count(), many.task_count()), (4, 6));
        assert_eq!(few.task_spec(2), many.task_spec(2));
        assert_ne!(few.task_spec(3), many.task_spec(3), "the last part has what is left");
        assert_ne!(few.task_spec(1), other.task_spec(1));
        assert_ne!(few.task_spec(0), few.task_spec(1));
        assert_eq!((few.place_before(0), few.place_before(3)), (None, Some(0)));
    }

    #[test]
    fn a_result_that_is_no_deck_is_refused() {
        let work = load("sample:deck --size 8 --limit cost=60 --parts 1");
        let mut results = do_all(&work, true);
        results[0].result["deck"]["value"] = json!(1);
        let error = work.join_parts(&results).unwrap_err().to_string();
        assert!(error.contains("must be a deck within the rules"), "{error}");
        results[0].result = json!([]);
        assert!(work.join_parts(&results).is_err());
    }

    #[test]
    fn what_proves_nothing_is_refused() {
        for (line, why) in
            [("sample:deck --method greedy", "--method"), ("sample:deck --out deck.json", "--out")]
        {
            let error = WorkLine::<SharedDecksArgs>::parse_words(&words_of(line)).unwrap_err();
            assert!(error.contains(why), "{line}: {error}");
        }
        for text in ["sample:deck --gap 1%", "sample:deck --work-limit 9", "- --size 8"] {
            assert!(load_from_words::<SharedDecksArgs>(&words_of(text)).is_err(), "{text}");
        }
    }
}
