//! `ishi othello train wpc --method group` and its like: piece counters by evolution.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ishi_othello::{Wpc, seal_counter_text};
use ishi_othello_learn::evolution::{
    EvolutionTraining, FixedOpponent, LearningMethod, LearningOptions, TrainedPlayer, TrainingParams,
};
use serde_json::{Value, json};

use super::super::coach;
use super::checkpoint::{print_how_to_resume, resume_training, training_to_text};
use crate::context::{Context, Failure};
use crate::files;
use crate::progress::StepDisplay;

/// Games of a line of progress.
const STEP: u64 = 1000;

/// Games against the standard and against random moves at the end.
const EXAM: u64 = 20_000;

/// What is to be done.
pub(super) struct EvolutionPlan<'a> {
    pub(super) out: &'a Path,
    pub(super) method: LearningMethod,
    /// The method, as the option has it.
    pub(super) name: String,
    pub(super) settings: LearningOptions,
    /// The opponents of a method that meets players that stay as they are.
    pub(super) opponents: Vec<FixedOpponent>,
    /// These opponents, as the option has them.
    pub(super) opponent_names: &'a [String],
    pub(super) games: u64,
    /// Where the run is kept.
    pub(super) checkpoint: Option<&'a Path>,
    /// Games between two checkpoints.
    pub(super) every: u64,
    /// A folder for a file of each member.
    pub(super) members: Option<&'a Path>,
    pub(super) force: bool,
}

impl EvolutionPlan<'_> {
    /// Learns until the games are played or somebody says stop, and writes the best-rated player.
    pub(super) fn run(&self, context: &Context) -> Result<(), Failure> {
        let is_resumed = self.checkpoint.is_some_and(Path::exists);
        if !is_resumed {
            self.check_files()?;
        }
        let mut training = self.create_training(context)?;
        if is_resumed {
            self.check_resumed(&mut training, context)?;
        }
        let done = self.train_until_done(&mut training, context)?;
        let players = training.players();
        let Some(best) = players.first() else {
            return Err(Failure::outside("learning has come to no player"));
        };
        let text = seal_counter_text(&self.weights_text(&training, &players));
        files::write_file_again(self.out, text.as_bytes(), self.force)?;
        let written = self.write_members(&players)?;
        let [standard, random] = [Wpc::standard(), Wpc::random()]
            .map(|other| training.play_test_games(&best.wpc, &other, EXAM).mean_score());
        let report =
            EvolutionReport { plan: self, training: &training, players: &players, standard, random, written };
        report.print_report(context)?;
        if done {
            return Ok(());
        }
        if self.checkpoint.is_some() && !context.quiet {
            print_how_to_resume(training.games(), self.games, self.force);
        }
        Err(Failure::Interrupted)
    }

    /// A run that is over may have been killed after it had written its files: they are its own. Any other has to find their places free.
    fn check_resumed(&self, training: &mut EvolutionTraining, context: &Context) -> Result<(), Failure> {
        if training.run_generation().map_err(Failure::outside)? {
            return self.check_files();
        }
        context.print_progress("the run of the checkpoint is complete");
        Ok(())
    }

    /// The file of the player and the folder of the members must be free before hours are spent.
    fn check_files(&self) -> Result<(), Failure> {
        files::check_writable(self.out, self.force)?;
        let Some(folder) = self.members.filter(|_| !self.force) else { return Ok(()) };
        let first = folder.join(member_file(1));
        if first.exists() {
            let first = first.display();
            return Err(Failure::input(format!(
                "{first} exists: give another folder, or --force to replace it"
            )));
        }
        Ok(())
    }

    fn create_training(&self, context: &Context) -> Result<EvolutionTraining, Failure> {
        let params = TrainingParams {
            method: self.method,
            options: self.settings.clone(),
            games: self.games,
            seed: context.seed,
            opponents: self.opponents.clone(),
        };
        match self.checkpoint.filter(|path| path.exists()) {
            None => EvolutionTraining::start(params).map_err(Failure::input),
            Some(path) => {
                let text = String::from_utf8_lossy(&files::read_file_or_stdin(path)?).into_owned();
                resume_training(params, &text).map_err(|error| Failure::in_file(path, error))
            }
        }
    }

    /// True if the run is over, false if it was stopped.
    fn train_until_done(&self, training: &mut EvolutionTraining, context: &Context) -> Result<bool, Failure> {
        let mut told = training.games() / STEP;
        let left = self.games.saturating_sub(training.games()).div_ceil(STEP);
        let mut progress = StepDisplay::new(left, "thousand games", context);
        let mut kept = training.games();
        let mut over = false;
        while !over && !context.is_stop_requested() {
            over = !training.run_generation().map_err(Failure::outside)?;
            let note = progress_note(training);
            while told < training.games() / STEP {
                told += 1;
                progress.finish_step(&note);
            }
            if training.games() - kept >= self.every {
                self.save_checkpoint(training)?;
                kept = training.games();
            }
        }
        drop(progress);
        self.save_checkpoint(training)?;
        Ok(over)
    }

    fn save_checkpoint(&self, training: &EvolutionTraining) -> Result<(), Failure> {
        let Some(path) = self.checkpoint else { return Ok(()) };
        let text = training_to_text(training).map_err(Failure::outside)?;
        let error = |error| Failure::outside(format!("cannot write {}: {error}", path.display()));
        files::write_or_replace(path, text.as_bytes(), true).map_err(error)
    }

    /// The best-rated player as weights, all else as comments.
    fn weights_text(&self, training: &EvolutionTraining, players: &[TrainedPlayer]) -> String {
        let against: String = self.opponent_names.iter().map(|name| format!(" --opponent {name}")).collect();
        let settings = self.settings_option();
        let mut text =
            format!("# learned by ishi othello train wpc --method {}{against}{settings}\n", self.name);
        // Writing to a string does not fail.
        let _ = writeln!(text, "# games of learning: {}", training.games());
        for (place, TrainedPlayer { wpc, rating }) in players.iter().enumerate() {
            let rating = rating.map_or(String::new(), |rating| format!(", rating {rating:.1}"));
            let weights = wpc.to_string();
            match place {
                0 => {
                    let _ = write!(text, "# {}{rating}\n{weights}", self.describe_best(players));
                }
                _ => {
                    let weights = weights.trim_end().replace('\n', " ");
                    let _ = writeln!(text, "# No. {}{rating}: {weights}", place + 1);
                }
            }
        }
        text
    }

    /// What the player in the file is.
    fn describe_best(&self, players: &[TrainedPlayer]) -> String {
        match self.method {
            LearningMethod::Individual => "the last winner".to_string(),
            LearningMethod::Group | LearningMethod::Population => {
                format!("the best-rated of {}", players.len())
            }
            LearningMethod::HallOfFame | LearningMethod::FixedOpponents => {
                format!("the best of {}", players.len())
            }
            LearningMethod::CmaEs => "the mean of the last generation".to_string(),
        }
    }

    /// The settings, as the option has them.
    fn settings_option(&self) -> String {
        let differs = self.settings.to_string().replace(" = ", "=").replace(", ", ",").replace('"', "");
        if differs.is_empty() { String::new() } else { format!(" --set {differs}") }
    }

    fn write_members(&self, players: &[TrainedPlayer]) -> Result<Vec<PathBuf>, Failure> {
        let Some(folder) = self.members else { return Ok(Vec::new()) };
        files::make_folder(folder)?;
        let mut written = Vec::new();
        for (number, pupil) in (1..).zip(players) {
            let path = folder.join(member_file(number));
            files::write_file_again(&path, seal_counter_text(&pupil.wpc.to_string()).as_bytes(), self.force)?;
            written.push(path);
        }
        Ok(written)
    }
}

/// `01.txt` is the best-rated.
fn member_file(number: usize) -> String {
    format!("{number:02}.txt")
}

/// What is told on the way.
fn progress_note(training: &EvolutionTraining) -> String {
    let standard =
        training.standard_score().map_or(String::new(), |score| format!(", {score:.3} against the standard"));
    format!("k {}{standard}", training.populations())
}

/// What is printed at the end.
struct EvolutionReport<'a> {
    plan: &'a EvolutionPlan<'a>,
    training: &'a EvolutionTraining,
    players: &'a [TrainedPlayer],
    standard: f64,
    random: f64,
    written: Vec<PathBuf>,
}

impl EvolutionReport<'_> {
    fn print_report(&self, context: &Context) -> Result<(), Failure> {
        if context.json {
            return coach::print_json(&self.to_json(context));
        }
        let EvolutionReport { plan, training, players, standard, random, written } = self;
        let mut text = format!(
            "{}: {} after {} games by {} learning, seed {}\n",
            plan.out.display(),
            plan.describe_best(players),
            training.games(),
            plan.name,
            context.seed
        );
        // Writing to a string does not fail.
        let _ = writeln!(text, "  against the standard  {standard:.3}");
        let _ = writeln!(text, "  against random moves  {random:.3}   ({} double games each)", EXAM / 2);
        if let (Some(first), Some(last)) = (written.first(), written.last()) {
            let _ = writeln!(text, "  all members: {} to {}", first.display(), last.display());
        }
        coach::print_text(&text)
    }

    fn to_json(&self, context: &Context) -> Value {
        let EvolutionReport { plan, training, players, standard, random, written } = self;
        let member = |pupil: &TrainedPlayer| json!({ "weights": pupil.wpc.to_string().trim_end(), "rating": pupil.rating });
        let mut report = json!({
            "file": plan.out,
            "method": plan.name,
            "settings": plan.settings.to_string(),
            "seed": context.seed.to_string(),
            "games": training.games(),
            "games_of_run": plan.games,
            "populations": training.populations(),
            "double_games": EXAM / 2,
            "standard": standard,
            "random": random,
            "members": players.iter().map(member).collect::<Vec<_>>(),
            "member_files": written,
        });
        if !plan.opponent_names.is_empty() {
            report["opponents"] = json!(plan.opponent_names);
        }
        report
    }
}
