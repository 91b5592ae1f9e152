//! Labels as work of a campaign. A task is some positions in the order in which they are drawn. The file is written in this order
//! once all are judged, so that it is the same whoever has judged them.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clap::Args;
use ishi_analysis::labels::work::{LabelWork, PlaceJudgement, judge_places};
use ishi_analysis::labels::{
    GamePlace, JudgeProcess, JudgeProcessError, LabelFile, LabelSettings, LabelsError, PositionLabel,
};
use ishi_arena::process::EngineCommand;
use ishi_arena::stopwatch::Stopwatch;
use ishi_lab::experiment::TaskOutput;
use ishi_lab::store::{FinishedTask, TaskCost};
use ishi_patterns::records::RecordedGame;
use ishi_rng::Seed;
use ishi_work::StopFlag;
use serde::Serialize;
use serde_json::{Value, json};

use super::{LabelArgs, LabelReport, check_output_file, order_positions, read_settings, select_games};
use crate::commands::campaign::intervals::{MeanEstimate, ShareEstimate};
use crate::commands::campaign::shared_work::{
    FinishedTasks, SharedWork, SharedWorkArgs, WorkAnswer, WorkInputs,
};
use crate::commands::go::games::decode_text;
use crate::context::{Context, Failure};
use crate::digest::hex_digest;
use crate::files;
use crate::program_files::ProgramsBy;

/// Positions of a task: enough that a judge has always some at once, and few enough that little is lost with a worker.
const POSITIONS_OF_TASK: usize = 16;

/// Refusals of a whole task that are borne: more of them, and it is the wrong judge.
const FEW_REFUSALS: usize = 10;

/// The options of `ishi go label`, and what only campaigns take.
#[derive(Args, Debug)]
pub(crate) struct SharedLabelArgs {
    #[command(flatten)]
    args: LabelArgs,
    /// As after `ishi match`
    #[arg(long, value_name = "HOW", default_value_t = ProgramsBy::Contents)]
    programs_by: ProgramsBy,
}

impl SharedWorkArgs for SharedLabelArgs {
    type Work = SharedLabels;

    fn check_options(&self) -> Result<(), String> {
        if self.args.workers != 1 {
            return Err(
                "--workers must be left out: a worker of a campaign has as many judges as tasks at once"
                    .into(),
            );
        }
        Ok(())
    }

    /// The judge.
    fn program(&self) -> Option<EngineCommand> {
        Some(self.args.judge.clone())
    }

    fn load_work(self, seed: Seed, inputs: &mut WorkInputs<'_>) -> Result<SharedLabels, Failure> {
        let SharedLabelArgs { args, programs_by } = self;
        let bytes = inputs.read(&args.games)?;
        let digest = hex_digest(&bytes);
        let text = decode_text(&args.games, bytes)?;
        let games = select_games(&text, &args).map_err(|problem| Failure::in_file(&args.games, problem))?;
        let places = order_positions(&games, &args, seed).take(args.positions).collect();
        let settings = read_settings(&text, &args, seed);
        let (judge, files, idle) = (String::new(), String::new(), Mutex::default());
        Ok(SharedLabels { args, programs_by, seed, digest, games, places, settings, judge, files, idle })
    }
}

/// Labels that workers make.
pub(crate) struct SharedLabels {
    args: LabelArgs,
    programs_by: ProgramsBy,
    seed: Seed,
    /// The digest of the text of the games.
    digest: String,
    games: Vec<RecordedGame>,
    /// All positions, in their order.
    places: Vec<GamePlace>,
    settings: LabelSettings,
    /// Who judges, as the program says it; empty before it was asked.
    judge: String,
    /// The contents of the judge's files; empty before it was asked, and where they do not count.
    files: String,
    /// Judges that run and have nothing to do.
    idle: Mutex<Vec<JudgeProcess>>,
}

impl SharedLabels {
    fn lock_idle(&self) -> MutexGuard<'_, Vec<JudgeProcess>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start_judge(&self, stop: &StopFlag) -> Result<JudgeProcess, JudgeProcessError> {
        JudgeProcess::start(&self.args.judge, Duration::from_secs(self.args.patience), stop)
    }

    fn places_of_task(&self, place: u64) -> &[GamePlace] {
        let task =
            usize::try_from(place).ok().and_then(|place| self.places.chunks(POSITIONS_OF_TASK).nth(place));
        task.unwrap_or_default()
    }

    /// Each task at once has a judge, which stays for the next one.
    fn judge_task(
        &self,
        places: &[GamePlace],
        stop: &StopFlag,
    ) -> Result<Vec<PlaceJudgement>, JudgeProcessError> {
        let work = LabelWork {
            games: &self.games,
            rules: self.args.rules,
            visits: self.args.visits,
            policy: self.args.policy,
            command: &self.args.judge,
            patience: Duration::from_secs(self.args.patience),
            workers: 1,
            in_flight: self.args.in_flight,
        };
        let idle = self.lock_idle().pop();
        let mut judge = match idle {
            Some(judge) => judge,
            None => self.start_judge(stop)?,
        };
        let judged = judge_places(&work, &mut judge, places, stop)?;
        self.lock_idle().push(judge);
        Ok(judged)
    }

    /// The mean of what the labels say of Black's chance to win. Labels of one game are one value.
    fn mean_win_rate(&self, results: &[FinishedTask]) -> Result<Option<MeanEstimate>, Failure> {
        let mut by_game: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (places, finished) in self.places.chunks(POSITIONS_OF_TASK).zip(results) {
            for (place, judged) in places.iter().zip(read_judgements(finished)?) {
                let PlaceJudgement::Label(line) = judged else { continue };
                let label = PositionLabel::from_line(&line, self.games[place.game].size);
                let label = label.map_err(|error| {
                    Failure::input(format!("the result of task {}: {error}", finished.id))
                })?;
                by_game.entry(place.game).or_default().push(label.win_rate);
            }
        }
        let means: Vec<f64> =
            by_game.values().map(|rates| rates.iter().sum::<f64>() / rates.len() as f64).collect();
        Ok(MeanEstimate::from_values(&means))
    }

    /// Adds what the file does not have yet.
    fn add_to_file(&self, file: &mut LabelFile, results: &[FinishedTask]) -> Result<(), LabelsError> {
        for (places, finished) in self.places.chunks(POSITIONS_OF_TASK).zip(results) {
            for (place, judged) in places.iter().zip(read_judgements(finished)?) {
                let game = &self.games[place.game].id;
                match judged {
                    _ if file.has_position(game, place.moment) => {}
                    PlaceJudgement::Label(line) => file.add_label(game, place.moment, &line)?,
                    PlaceJudgement::Refused(why) => file.add_refusal(game, place.moment, &why)?,
                }
            }
        }
        Ok(())
    }
}

impl SharedWork for SharedLabels {
    /// A judge tells its version and its models, and nothing of its configuration: that is in the command's words, and in the files that
    /// these name.
    fn facts(&self) -> Value {
        let LabelSettings { skip, take, visits, policy, rules, seed, passes, .. } = &self.settings;
        let mut facts = json!({
            "command": self.args.judge.to_string(),
            "games": self.digest,
            "skip": skip,
            "take": take,
            "per_game": self.args.per_game,
            "positions": self.places.len(),
            "visits": visits,
            "policy": policy.name(),
            "rules": rules,
            "seed": seed.to_string(),
            "passes": passes.to_string(),
        });
        if self.programs_by == ProgramsBy::Contents {
            facts["programs_by"] = json!(self.programs_by.to_string());
        }
        facts
    }

    fn run_spec(&self) -> Value {
        let mut spec = self.facts();
        spec["judge"] = json!(self.judge);
        if !self.files.is_empty() {
            spec["judge_files"] = json!(self.files);
        }
        spec
    }

    fn adopt_run_spec(&mut self, spec: &Value) {
        self.judge = spec["judge"].as_str().unwrap_or_default().to_string();
        self.files = spec["judge_files"].as_str().unwrap_or_default().to_string();
    }

    fn begin(&mut self, stop: &StopFlag) -> Result<(), Failure> {
        let files = self.programs_by.find_files(&self.args.judge);
        let started = self.start_judge(stop).and_then(|mut judge| Ok((judge.query_name()?, judge)));
        let (name, judge) = started.map_err(LabelsError::from)?;
        self.judge = name;
        self.files = files.describe_contents()?;
        self.lock_idle().push(judge);
        Ok(())
    }

    fn task_count(&self) -> u64 {
        self.places.len().div_ceil(POSITIONS_OF_TASK) as u64
    }

    /// A task is the same however many positions there are in all.
    fn task_spec(&self, place: u64) -> Value {
        let from = place * POSITIONS_OF_TASK as u64;
        let mut spec = self.run_spec();
        spec["from"] = json!(from);
        spec["positions"] = json!(self.places_of_task(place).len());
        spec
    }

    /// Nobody knows of programs.
    fn is_exact(&self) -> bool {
        false
    }

    fn seed(&self) -> Seed {
        self.seed
    }

    fn do_task(&self, place: u64, _: Option<&Value>, stop: &StopFlag) -> WorkAnswer {
        let watch = Stopwatch::start();
        let judged = match self.judge_task(self.places_of_task(place), stop) {
            Ok(judged) => judged,
            Err(JudgeProcessError::Stopped) => return Ok(None),
            Err(error) => return Err(LabelsError::from(error).to_string()),
        };
        if judged.len() > FEW_REFUSALS
            && let Some(why) = find_refusal_of_all(&judged)
        {
            return Err(format!(
                "the judge refuses all {} positions of a task, the first: {why}",
                judged.len()
            ));
        }
        // The judge's processor time is not known.
        let seconds = watch.wall_seconds();
        let cost = Some(TaskCost { cpu_seconds: seconds, wall_seconds: seconds });
        Ok(Some(TaskOutput { cost, ..TaskOutput::from(write_judgements(&judged)) }))
    }

    fn report(&self, results: &mut FinishedTasks<'_>, context: &Context) -> Result<String, Failure> {
        let results = results.collect::<Result<Vec<FinishedTask>, Failure>>()?;
        check_output_file(&self.args.out)?;
        let command = self.args.judge.to_string();
        let mut file = LabelFile::open(&self.args.out, &self.settings, &self.judge, &command)?;
        let before = file.len();
        self.add_to_file(&mut file, &results)?;
        let (positions, refused) = (file.len(), file.refused_count());
        let added = positions - before;
        let report =
            LabelReport { judge: self.judge.clone(), games: self.games.len(), positions, added, refused };
        let refused_share = ShareEstimate::new(refused, positions);
        let report =
            SharedLabelsReport { report, refused_share, black_win_rate: self.mean_win_rate(&results)? };
        files::result_text(context, &report, || report.to_text(self.seed))
    }
}

/// The report of the command, and how sure its figures are.
#[derive(Serialize)]
struct SharedLabelsReport {
    #[serde(flatten)]
    report: LabelReport,
    refused_share: ShareEstimate,
    /// Of the games' means, as positions of one game are alike. `None` if none was judged.
    black_win_rate: Option<MeanEstimate>,
}

impl SharedLabelsReport {
    fn to_text(&self, seed: Seed) -> String {
        let mut text = self.report.to_text(seed) + &format!("refused: {}\n", self.refused_share);
        if let Some(mean) = &self.black_win_rate {
            text += &format!("mean win rate of Black, by games: {mean}\n");
        }
        text
    }
}

/// The first refusal, where there is nothing else.
fn find_refusal_of_all(judged: &[PlaceJudgement]) -> Option<&str> {
    let is_refusal = |judged: &PlaceJudgement| matches!(judged, PlaceJudgement::Refused(_));
    match judged.first() {
        Some(PlaceJudgement::Refused(why)) if judged.iter().all(is_refusal) => Some(why),
        _ => None,
    }
}

/// A task's result: for each position the line of its label, or why it has none.
fn write_judgements(judged: &[PlaceJudgement]) -> Value {
    let one = |judged: &PlaceJudgement| match judged {
        PlaceJudgement::Label(line) => json!(line),
        PlaceJudgement::Refused(why) => json!({ "refused": why }),
    };
    judged.iter().map(one).collect()
}

/// Reads [`write_judgements`].
fn read_judgements(finished: &FinishedTask) -> Result<Vec<PlaceJudgement>, LabelsError> {
    let one = |value: &Value| {
        let line = value.as_str().map(|line| PlaceJudgement::Label(line.to_string()));
        line.or_else(|| Some(PlaceJudgement::Refused(value["refused"].as_str()?.to_string())))
    };
    let judged = finished.result.as_array().and_then(|values| values.iter().map(one).collect());
    let wrong = || format!("the result of task {} must be a list of labels, and is not", finished.id);
    judged.ok_or_else(|| LabelsError::Input(wrong()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::campaign::shared_work::{WorkLine, finished_task, load_from_words};

    fn words(line: &str) -> Vec<String> {
        shlex::split(line).unwrap()
    }

    #[test]
    fn a_line_is_read_as_the_command_would() {
        let words_of_line = words("g.txt --judge 'k analysis' --out l.tsv --positions 7 --seed 5");
        let WorkLine { global, args } = WorkLine::<SharedLabelArgs>::parse_words(&words_of_line).unwrap();
        assert_eq!((args.args.positions, global.seed), (7, Seed::new(5)));
        assert_eq!(args.program().unwrap().to_string(), "k analysis");
        for (text, why) in [
            ("g.txt --judge k --out l.tsv --workers 3", "--workers"),
            ("g.txt --out l.tsv", "required"),
            ("g.txt --judge k --out l.tsv --posations 3", "--posations"),
        ] {
            let error = WorkLine::<SharedLabelArgs>::parse_words(&words(text)).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    /// What two configurations of a judge say are not the same labels.
    #[test]
    fn another_command_is_another_judge() {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("g.txt");
        std::fs::write(&games, "a\t-\t-\t9\t7\t0\t-\t?\t?\t?\tB\tccddee\n").unwrap();
        let load = |judge: &str| {
            let line = format!("{} --judge '{judge}' --out l.tsv", games.display());
            load_from_words::<SharedLabelArgs>(&words(&line)).unwrap()
        };
        let (one, other) = (load("k -config a.cfg"), load("k -config b.cfg"));
        assert_eq!(one.task_spec(0), load("k  -config a.cfg").task_spec(0));
        assert_ne!(one.facts(), other.facts(), "another run");
        assert_ne!(one.task_spec(0), other.task_spec(0));
        let mut rebuilt = load("k -config a.cfg");
        rebuilt.files = "k 12ab".to_string();
        assert_ne!(one.task_spec(0), rebuilt.task_spec(0), "the judge's files are part of a task");
        let mut adopted = load("k -config a.cfg");
        adopted.adopt_run_spec(&rebuilt.run_spec());
        assert_eq!(adopted.task_spec(0), rebuilt.task_spec(0));
        let by_version = load("k -config a.cfg' --programs-by 'version");
        assert_ne!(one.facts(), by_version.facts(), "another run");
    }

    #[test]
    fn judgements_are_kept_as_they_are() {
        let (label, refused) = (PlaceJudgement::Label("g\t1".into()), PlaceJudgement::Refused("no".into()));
        for judged in [vec![label.clone(), refused.clone()], vec![refused.clone()], vec![]] {
            let finished = finished_task(write_judgements(&judged));
            assert_eq!(read_judgements(&finished).unwrap(), judged);
        }
        assert!(read_judgements(&finished_task(json!([7]))).is_err());
        assert_eq!(find_refusal_of_all(&[refused.clone(), refused.clone()]), Some("no"));
        assert_eq!(find_refusal_of_all(&[refused, label]), None);
        assert_eq!(find_refusal_of_all(&[]), None);
    }
}
