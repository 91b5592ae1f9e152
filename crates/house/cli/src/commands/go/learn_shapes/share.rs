//! Mining of patterns as work of a campaign. In each stage of mining a task is a part of the games, and one more task joins what all
//! parts say, so that the next stage can begin. The report ends the last stage and writes the file.

use std::ops::Range;

use ishi_lab::experiment::TaskOutput;
use ishi_lab::store::FinishedTask;
use ishi_lab::worker::JoinedResults;
use ishi_patterns::library::mine::parts::{GAMES_OF_PART, PartedMining, STAGES};
use ishi_rng::Seed;
use ishi_work::StopFlag;
use serde_json::{Value, json};

use super::{LearnShapesArgs, NumberFile, add_mined, check_games, name_source};
use crate::commands::campaign::shared_work::{
    FinishedTasks, SharedWork, SharedWorkArgs, WorkAnswer, WorkInputs,
};
use crate::commands::go::games::parse_games;
use crate::commands::go::shapes::encode_library;
use crate::context::{Context, Failure};
use crate::digest::hex_digest;
use crate::files;

impl SharedWorkArgs for LearnShapesArgs {
    type Work = SharedPatterns;

    fn check_options(&self) -> Result<(), String> {
        if self.out.as_deref().is_some_and(files::is_standard) {
            return Err("--out must name a file: a campaign writes it again and again".to_string());
        }
        Ok(())
    }

    fn load_work(self, seed: Seed, inputs: &mut WorkInputs<'_>) -> Result<SharedPatterns, Failure> {
        let bytes = inputs.read(&self.games)?;
        let digest = hex_digest(&bytes);
        let games = parse_games(&self.games, bytes, self.games_limit.unwrap_or(usize::MAX))?;
        check_games(&self, games.len())?;
        let (count, params) = (games.len(), self.mine_params(1));
        let mining = PartedMining::new(games, params);
        Ok(SharedPatterns { args: self, seed, digest, games: count, mining })
    }
}

/// Patterns that workers mine.
pub(crate) struct SharedPatterns {
    args: LearnShapesArgs,
    /// The seed of the context. Nothing is drawn with it.
    seed: Seed,
    /// The digest of the text of the games.
    digest: String,
    /// How many there are, those that are not looked at among them.
    games: usize,
    mining: PartedMining,
}

/// What a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MiningTask {
    /// A part of the games in a stage.
    Part { stage: usize, part: usize },
    /// Joins all parts of a stage, for the next.
    Join { stage: usize },
}

impl SharedPatterns {
    /// Tasks of a stage: the parts, and the one that joins them. The last stage has no such task.
    fn stage_length(&self) -> u64 {
        self.mining.part_count() as u64 + 1
    }

    fn task_at(&self, place: u64) -> MiningTask {
        let (stage, part) = (place / self.stage_length(), place % self.stage_length());
        let (stage, part) = (stage as usize, part as usize);
        if part == self.mining.part_count() {
            MiningTask::Join { stage }
        } else {
            MiningTask::Part { stage, part }
        }
    }

    /// The place of the task that joins the stage before this one; `None` for the first stage.
    fn place_before_stage(&self, stage: usize) -> Option<u64> {
        (stage as u64 * self.stage_length()).checked_sub(1)
    }
}

impl SharedWork for SharedPatterns {
    fn facts(&self) -> Value {
        let LearnShapesArgs { min_count, min_share, growth, depth, min_follow, most, .. } = &self.args;
        json!({
            "records": self.digest,
            "games": self.games,
            "games_of_part": GAMES_OF_PART,
            "min_count": min_count,
            "min_share": min_share.to_string(),
            "growth": growth.to_string(),
            "depth": depth,
            "min_follow": min_follow,
            "most": most,
        })
    }

    fn task_count(&self) -> u64 {
        STAGES as u64 * self.stage_length() - 1
    }

    fn task_spec(&self, place: u64) -> Value {
        let mut spec = self.facts();
        match self.task_at(place) {
            MiningTask::Part { stage, part } => {
                spec["stage"] = json!(stage);
                spec["part"] = json!(part);
            }
            MiningTask::Join { stage } => spec["joins_stage"] = json!(stage),
        }
        spec
    }

    fn place_before(&self, place: u64) -> Option<u64> {
        match self.task_at(place) {
            MiningTask::Part { stage, .. } => self.place_before_stage(stage),
            MiningTask::Join { .. } => None,
        }
    }

    /// A stage is joined from what was joined of the stage before, and from all its parts.
    fn joined_places(&self, place: u64) -> Range<u64> {
        match self.task_at(place) {
            MiningTask::Part { .. } => 0..0,
            MiningTask::Join { stage } => self.place_before_stage(stage).unwrap_or(0)..place,
        }
    }

    fn seed(&self) -> Seed {
        self.seed
    }

    fn do_task(&self, place: u64, before: Option<&Value>, stop: &StopFlag) -> WorkAnswer {
        let MiningTask::Part { stage, part } = self.task_at(place) else {
            return Err(format!("task {place} must have the results that it joins"));
        };
        let before = before.map_or(Ok(Vec::new()), read_numbers)?;
        let numbers = self.mining.mine_part(stage, part, &before, &|| stop.is_requested());
        let numbers = numbers.map_err(|error| error.to_string())?;
        Ok(numbers.map(|numbers| TaskOutput::from(json!(numbers))))
    }

    /// Parts are read one after the other, and what they say together may lie in a temporary file.
    fn join_results(&self, place: u64, joined: &mut JoinedResults<'_>, stop: &StopFlag) -> WorkAnswer {
        let MiningTask::Join { stage } = self.task_at(place) else {
            return Err(format!("task {place} joins no others"));
        };
        let before = if stage == 0 { None } else { joined.next().transpose()? };
        let before = before.as_ref().map_or(Ok(Vec::new()), read_numbers)?;
        let mut numbers = NumberFile::default();
        let join = self.mining.begin_join(stage, &before, &mut numbers);
        let mut join = join.map_err(|error| error.to_string())?;
        for part in joined {
            if stop.is_requested() {
                return Ok(None);
            }
            join.add_part(&read_numbers(&part?)?).map_err(|error| error.to_string())?;
        }
        let known = join.finish().map_err(|error| error.to_string())?;
        Ok(Some(TaskOutput::from(json!(known))))
    }

    /// The last stage, and what was joined before it. All that the stages before have counted may not fit into memory.
    fn reported_places(&self) -> Range<u64> {
        self.place_before_stage(STAGES - 1).unwrap_or(0)..self.task_count()
    }

    fn report(&self, results: &mut FinishedTasks<'_>, context: &Context) -> Result<String, Failure> {
        let mut numbers = results.map(|finished| {
            let FinishedTask { id, result, .. } = finished?;
            read_numbers(&result).map_err(|error| Failure::input(format!("task {id}: {error}")))
        });
        let known = numbers.next().ok_or_else(|| Failure::input("no task is finished"))??;
        let mut join = self.mining.begin_last_join(&known).map_err(Failure::input)?;
        for part in numbers {
            join.add_part(&part?).map_err(Failure::input)?;
        }
        let mined = join.name_patterns(&name_source(self.games)).map_err(Failure::input)?;
        let (library, mut report) = add_mined(self.args.read_given()?, mined, self.games)?;
        if let Some(out) = &self.args.out {
            let bytes = encode_library(&library, out);
            report.bytes = Some(bytes.len());
            files::write_file_again(out, &bytes, self.args.force)?;
        }
        files::result_text(context, &report, || report.to_text())
    }
}

/// The numbers of a task's result.
fn read_numbers(result: &Value) -> Result<Vec<u64>, String> {
    let numbers = result.as_array().and_then(|values| values.iter().map(Value::as_u64).collect());
    numbers.ok_or_else(|| "the result of a part of mining must be a list of whole numbers".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::campaign::shared_work::{WorkLine, finished_task, load_from_words};

    /// Games in which the second move is answered in one of two ways.
    fn write_games(path: &std::path::Path, count: usize) {
        let line = |number: usize| {
            let moves = if number.is_multiple_of(3) { "pddpqfcn" } else { "pddpfqcn" };
            format!("{number}\tmade-up\t2020\t19\t6.5\t0\t-\tB+R\t9d\t9d\tB\t{moves}\n")
        };
        std::fs::write(path, (0..count).map(line).collect::<String>()).unwrap();
    }

    fn load(line: &str) -> SharedPatterns {
        load_from_words::<LearnShapesArgs>(&shlex::split(line).unwrap()).unwrap()
    }

    #[test]
    fn a_stage_begins_when_the_one_before_is_joined() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("games.txt");
        write_games(&games, 2 * GAMES_OF_PART + 1);
        let work = load(&format!("{} --min-count 5", games.display()));
        assert_eq!(
            work.task_count(),
            4 * STAGES as u64 - 1,
            "three parts, and what joins them but for the last stage"
        );
        assert_eq!(work.task_at(2), MiningTask::Part { stage: 0, part: 2 });
        assert_eq!(work.task_at(3), MiningTask::Join { stage: 0 });
        assert_eq!((work.place_before(0), work.joined_places(0)), (None, 0..0));
        assert_eq!((work.place_before(3), work.joined_places(3)), (None, 0..3));
        assert_eq!((work.place_before(4), work.joined_places(4)), (Some(3), 0..0));
        assert_eq!((work.place_before(7), work.joined_places(7)), (None, 3..7), "what is known already, too");
        assert_eq!(work.place_before(work.task_count() - 1), Some(4 * (STAGES as u64 - 1) - 1));
        let specs: Vec<Value> = (0..work.task_count()).map(|place| work.task_spec(place)).collect();
        assert!((1..specs.len()).all(|at| !specs[..at].contains(&specs[at])), "each task is another one");
    }

    /// The results of all tasks, each done when those before it are.
    fn do_all_tasks(work: &SharedPatterns) -> Vec<Value> {
        let never = StopFlag::default();
        let mut results: Vec<Value> = Vec::new();
        for task in 0..work.task_count() {
            let joined = work.joined_places(task);
            let output = if joined.is_empty() {
                let before = work.place_before(task).map(|before| &results[before as usize]);
                work.do_task(task, before, &never)
            } else {
                let joined = &results[joined.start as usize..joined.end as usize];
                work.join_results(task, &mut joined.iter().cloned().map(Ok::<Value, String>), &never)
            };
            results.push(output.unwrap().unwrap().result);
        }
        results
    }

    /// The same file as the command, and nothing else in its place is lost.
    #[test]
    fn the_file_is_that_of_the_command() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        write_games(&place("games.txt"), GAMES_OF_PART + 10);
        let line = |out: &str| {
            let (games, out) = (place("games.txt"), place(out));
            format!("{} --min-count 5 --min-share 0.2 --out {}", games.display(), out.display())
        };
        let work = load(&line("shared.txt"));
        let results = do_all_tasks(&work);
        // A little memory, and a file for the rest.
        let mining = load(&line("shared.txt")).mining.with_longest_table(5);
        let merged = do_all_tasks(&SharedPatterns { mining, ..load(&line("shared.txt")) });
        assert!(results == merged, "what is joined depends on how much of it is in memory");
        let reported = work.reported_places();
        assert_eq!(
            reported,
            work.task_count() - 3..work.task_count(),
            "two parts, and what was joined before"
        );
        let reported = &results[reported.start as usize..];
        let results =
            || reported.iter().cloned().map(|result| Ok::<FinishedTask, Failure>(finished_task(result)));
        let context = Context {
            json: false,
            seed: Seed::new(1),
            threads: 1,
            threads_given: true,
            stop: StopFlag::default(),
            quiet: true,
        };
        let told = work.report(&mut results(), &context).unwrap();
        assert!(told.contains("from 74 games"), "{told}");
        let direct =
            WorkLine::<LearnShapesArgs>::parse_words(&shlex::split(&line("direct.txt")).unwrap()).unwrap();
        super::super::run(&direct.args, &context).unwrap();
        let read = |name: &str| std::fs::read_to_string(place(name)).unwrap();
        assert_eq!(read("shared.txt"), read("direct.txt"));
        // The command joins with a file, too.
        let little = load(&line("direct.txt")).mining.with_longest_table(5);
        let found = super::super::mine_here(&little, GAMES_OF_PART + 10, &context).unwrap().unwrap();
        assert_eq!(ishi_patterns::library::text::write_library(&found.library), read("direct.txt"));
        assert!(read("shared.txt").contains("pattern "), "something was found");
        work.report(&mut results(), &context).unwrap();
        std::fs::write(place("shared.txt"), "mine").unwrap();
        let error = work.report(&mut results(), &context).unwrap_err().to_string();
        assert!(error.contains("--force"), "{error}");
        assert_eq!(read("shared.txt"), "mine");
        assert!(read_numbers(&json!(["a"])).is_err() && read_numbers(&json!(7)).is_err());
    }

    #[test]
    fn a_campaign_writes_no_patterns_to_standard_output() {
        let words = ["g.txt", "--out", "-"].map(str::to_string);
        assert!(
            WorkLine::<LearnShapesArgs>::parse_words(&words).unwrap_err().contains("--out must name a file")
        );
    }
}
