//! Who judges positions: our own searches, or a program that speaks KataGo's analysis protocol.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use ishi_analysis::program_judge::{JudgePatience, JudgeProgram, ProgramJudge};
use ishi_arena::process::EngineCommand;
use ishi_go_play::analyst::{Analyst, OwnSearches, PositionJudge};
use ishi_go_play::explain::kept::KeptJudge;
use ishi_go_play::explain::{ExplainParams, Explainer};

use super::answers::AnswerFile;
use crate::context::{Context, Failure};
use crate::files;

/// The option of commands that keep what a judge says.
#[derive(Args, Debug)]
pub(super) struct AnswersArgs {
    /// Keep what is judged in this file, and take it from there: what was interrupted goes on, and only new positions are judged
    #[arg(long, value_name = "FILE")]
    pub(super) answers: Option<PathBuf>,
}

/// Options of commands that ask a judge.
#[derive(Args, Debug)]
pub(crate) struct JudgeArgs {
    /// Positions are judged by this program, which speaks KataGo's analysis protocol, and not by ishi's own search; quotes as in a shell
    #[arg(long, value_name = "COMMAND")]
    judge: Option<EngineCommand>,
    /// Visits of each position, with --judge [default: as the level has]
    #[arg(long, value_name = "N", requires = "judge", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    judge_visits: Option<u64>,
    /// Seconds that the judge may be silent, also while it begins
    #[arg(long, default_value_t = 600, value_name = "SECONDS", requires = "judge", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    patience: u64,
}

impl JudgeArgs {
    /// The program, where one is named; it is started with the first question.
    pub(crate) fn program_judge(&self, visits: u64, context: &Context) -> Option<Box<dyn PositionJudge>> {
        let command = self.judge.clone()?;
        let patience = JudgePatience::fixed(Duration::from_secs(self.patience));
        let program = JudgeProgram { command, visits: self.judge_visits.unwrap_or(visits), patience };
        let own = context.clone();
        let warn = move |text: &str| own.print_progress(format_args!("ishi: the judge: {text}"));
        Some(Box::new(ProgramJudge::new(program, context.stop.clone()).with_warnings(warn)))
    }

    /// An explainer of this level, until Ctrl-C. What is judged is kept in the file of answers, where there is one, and found there again.
    pub(crate) fn create_explainer(
        &self,
        level: u32,
        answers: Option<&Path>,
        context: &Context,
    ) -> Result<Explainer, Failure> {
        let explainer = create_own_explainer(level, context);
        let program = self.program_judge(Analyst::visits_of_level(level), context);
        let Some(path) = answers else {
            return Ok(match program {
                Some(judge) => explainer.with_judge(judge),
                None => explainer,
            });
        };
        let file = AnswerFile::open(path, &self.describe_maker(level, context), context)?;
        let own = || OwnSearches { analyst: Analyst::of_level(level), seed: context.seed };
        let judge = program.unwrap_or_else(|| Box::new(own()));
        Ok(explainer.with_judge(Box::new(KeptJudge::new(judge, file))))
    }

    /// Who says what positions are worth, with all that this depends on beside them. A program is taken for the same as long as it is started in the
    /// same way: another build of ishi asks it the same.
    fn describe_maker(&self, level: u32, context: &Context) -> String {
        let visits = Analyst::visits_of_level(level);
        match &self.judge {
            Some(command) => {
                let (version, visits) = (env!("CARGO_PKG_VERSION"), self.judge_visits.unwrap_or(visits));
                format!("ishi {version}, judge {command} with {visits} visits")
            }
            None => format!("{}, {visits} visits, seed {}", files::describe_program(), context.seed),
        }
    }

    /// What makes answers other ones, for the key of what is kept; nothing of our own searches.
    pub(crate) fn describe_for_key(&self) -> String {
        let visits = self.judge_visits.map_or(String::new(), |visits| format!(" with {visits} visits"));
        self.judge.as_ref().map_or(String::new(), |command| format!(", judge {command}{visits}"))
    }

    /// Who judges, in words, where a program does.
    pub(crate) fn program_name(&self) -> Option<String> {
        self.judge.as_ref().map(ToString::to_string)
    }
}

/// An explainer of this level that goes by our own searches, until Ctrl-C.
pub(crate) fn create_own_explainer(level: u32, context: &Context) -> Explainer {
    Explainer::new(ExplainParams::of_level(level), context.seed).with_stop(context.stop.clone())
}

/// Ends a command whose judge has failed, with its last words.
pub(crate) fn check_judge(explainer: &Explainer) -> Result<(), Failure> {
    explainer.judge_failure().map_or(Ok(()), |error| Err(error.into()))
}
