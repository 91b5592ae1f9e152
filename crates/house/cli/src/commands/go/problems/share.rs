//! Problems as work of a campaign: a task is one problem, put to a player made for it.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use ishi_go::Point;
use ishi_go_play::catalog;
use ishi_go_play::problems::{Problem, ProblemReply, ask_player};
use ishi_gtp::Inbox;
use ishi_lab::experiment::TaskOutput;
use ishi_lab::store::FinishedTask;
use ishi_rng::Seed;
use ishi_work::StopFlag;
use serde::Serialize;
use serde_json::{Value, json};

use super::{ProblemsArgs, ProblemsReport, TimedReply, choose_problems, report_answers};
use crate::commands::campaign::intervals::ShareEstimate;
use crate::commands::campaign::shared_work::{
    FinishedTasks, SharedWork, SharedWorkArgs, WorkAnswer, WorkInputs, wrong_result,
};
use crate::commands::gtp::{self, MachineHost};
use crate::context::{Context, Failure};
use crate::digest::hex_digest;
use crate::files;

/// The time between two looks at whether to stop.
const LOOK: Duration = Duration::from_millis(50);

impl SharedWorkArgs for ProblemsArgs {
    type Work = SharedProblems;

    fn load_work(self, seed: Seed, inputs: &mut WorkInputs<'_>) -> Result<SharedProblems, Failure> {
        let spec = gtp::go_spec(self.engine.as_deref(), self.level, gtp::USUAL)?;
        let engine = catalog::create_go_player(&spec, seed).map_err(Failure::input)?.spec();
        let (problems, passed_over) = choose_problems(&self, &mut |path| inputs.read(path))?;
        Ok(SharedProblems { args: self, seed, spec, engine, problems, passed_over })
    }
}

/// Problems that workers put to a player.
pub(crate) struct SharedProblems {
    args: ProblemsArgs,
    seed: Seed,
    /// The player as it was named.
    spec: String,
    /// The player with all its parameters.
    engine: String,
    problems: Vec<Problem>,
    passed_over: Vec<String>,
}

impl SharedProblems {
    fn problem(&self, place: u64) -> Option<&Problem> {
        self.problems.get(usize::try_from(place).ok()?)
    }

    /// The position and the question, as text.
    fn describe_question(&self, problem: &Problem) -> Value {
        let points =
            |points: &[Point]| points.iter().map(Point::to_string).collect::<Vec<String>>().join(" ");
        json!({
            "query": problem.query,
            "arguments": problem.args,
            "size": problem.size.to_string(),
            "black": points(&problem.black),
            "white": points(&problem.white),
            "komi": problem.komi.map(|komi| komi.to_string()),
        })
    }

    /// The answer; it is broken off when somebody says stop.
    fn answer_problem(&self, problem: &Problem, stop: &StopFlag) -> Result<ProblemReply, String> {
        let inbox = Inbox::new();
        let (is_over, over) = channel::<()>();
        std::thread::scope(|scope| {
            let (watched, stop) = (inbox.clone(), stop.clone());
            scope.spawn(move || {
                while over.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                    if stop.is_requested() {
                        watched.abort();
                    }
                }
            });
            let host = Box::new(MachineHost::start_clock());
            let reply = ask_player(problem, &self.spec, host, self.seed, &inbox);
            drop(is_over);
            reply.map_err(|error| error.to_string())
        })
    }
}

impl SharedWork for SharedProblems {
    /// What is expected decides nothing of the answers, but makes it another list of problems.
    fn facts(&self) -> Value {
        let problem = |problem: &Problem| {
            let expected = problem.expected.to_string();
            json!([problem.name, problem.group, expected, self.describe_question(problem)])
        };
        let all: Value = self.problems.iter().map(problem).collect();
        json!({
            "engine": self.engine,
            "seed": self.seed.to_string(),
            "count": self.problems.len(),
            "problems": hex_digest(all.to_string().as_bytes()),
        })
    }

    fn task_count(&self) -> u64 {
        self.problems.len() as u64
    }

    fn task_spec(&self, place: u64) -> Value {
        self.problem(place).map_or(Value::Null, |problem| {
            json!({
                "engine": self.engine,
                "seed": self.seed.to_string(),
                "question": self.describe_question(problem),
            })
        })
    }

    fn seed(&self) -> Seed {
        self.seed
    }

    fn do_task(&self, place: u64, _: Option<&Value>, stop: &StopFlag) -> WorkAnswer {
        let problem = self.problem(place).ok_or_else(|| format!("there is no problem {place}"))?;
        Ok(write_reply(&self.answer_problem(problem, stop)?).map(TaskOutput::from))
    }

    fn report(&self, results: &mut FinishedTasks<'_>, context: &Context) -> Result<String, Failure> {
        let results = results.collect::<Result<Vec<FinishedTask>, Failure>>()?;
        let answers: Result<Vec<Option<TimedReply>>, Failure> = results
            .iter()
            .map(|finished| {
                let cpu = Duration::try_from_secs_f64(finished.cost.cpu_seconds).unwrap_or_default();
                Ok(Some((read_reply(finished)?, cpu)))
            })
            .collect();
        let cpu = results.iter().map(|finished| finished.cost.cpu_seconds).sum();
        let cpu = Duration::try_from_secs_f64(cpu).unwrap_or_default();
        let context = Context { seed: self.seed, ..context.clone() };
        let found = (&self.problems[..], self.passed_over.clone());
        let (report, wrong) = report_answers(&self.args, &self.engine, found, &answers?, &context);
        let right = ShareEstimate::new(report.total.right, report.total.asked);
        let report = SharedProblemsReport { report, right };
        files::result_text(&context, &report, || {
            let SharedProblemsReport { report, right } = &report;
            wrong + &report.to_text(cpu) + &format!("right: {right}\n")
        })
    }
}

/// The report of the command, and how sure its share is.
#[derive(Serialize)]
struct SharedProblemsReport {
    #[serde(flatten)]
    report: ProblemsReport,
    right: ShareEstimate,
}

/// A task's result; `None` if the answer was broken off.
fn write_reply(reply: &ProblemReply) -> Option<Value> {
    match reply {
        ProblemReply::Answer(text) => Some(json!({ "answer": text })),
        ProblemReply::Refused(reason) => Some(json!({ "refused": reason })),
        ProblemReply::Unknown => Some(json!({ "unknown": true })),
        ProblemReply::Stopped => None,
    }
}

/// Reads [`write_reply`].
fn read_reply(finished: &FinishedTask) -> Result<ProblemReply, Failure> {
    let text = |key: &str| finished.result[key].as_str().map(str::to_string);
    let unknown = (finished.result["unknown"] == true).then_some(ProblemReply::Unknown);
    let reply =
        text("answer").map(ProblemReply::Answer).or_else(|| text("refused").map(ProblemReply::Refused));
    reply.or(unknown).ok_or_else(|| wrong_result(finished, "be an answer, and is not"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::campaign::shared_work::{finished_task, load_from_words};

    const PROBLEM: &str = "corner\tattack\tA1\t9\twhite\tai\tbi\t7\t[1 A2]\t0\n";

    fn load(line: &str) -> SharedProblems {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.txt");
        std::fs::write(&path, PROBLEM.repeat(2).replacen("A1\t", "B1\t", 1)).unwrap();
        let mut words = shlex::split(line).unwrap();
        words.push(path.display().to_string());
        load_from_words::<ProblemsArgs>(&words).unwrap()
    }

    #[test]
    fn a_task_is_a_problem_with_its_player_and_nothing_else() {
        let (a, b, c) = (
            load("--engine go-random"),
            load("--engine go-random --seed 2"),
            load("--offset 1 --engine go-random"),
        );
        assert_eq!((a.task_count(), c.task_count()), (2, 1));
        assert_ne!(a.task_spec(0), a.task_spec(1));
        assert_ne!(a.task_spec(0), b.task_spec(0), "the seed counts");
        assert_eq!(a.task_spec(1), c.task_spec(0), "where it stands in the list does not");
        assert!(a.task_spec(0)["engine"].as_str().unwrap().starts_with("go-random"));
    }

    #[test]
    fn answers_are_kept_and_a_stop_breaks_off() {
        let work = load("--engine go-random");
        let output = work.do_task(1, None, &StopFlag::default()).unwrap().unwrap();
        assert_eq!(output.result, json!({ "answer": "1 A2" }));
        assert_eq!(
            read_reply(&finished_task(output.result)).unwrap(),
            ProblemReply::Answer("1 A2".to_string())
        );
        for reply in [ProblemReply::Refused("no".into()), ProblemReply::Unknown] {
            assert_eq!(read_reply(&finished_task(write_reply(&reply).unwrap())).unwrap(), reply);
        }
        assert!(read_reply(&finished_task(json!([]))).is_err());
        assert_eq!(write_reply(&ProblemReply::Stopped), None);
        assert!(work.do_task(7, None, &StopFlag::default()).is_err());
    }
}
