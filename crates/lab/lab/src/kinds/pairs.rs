//! Pairs of games as tasks, for the kinds that play matches.

use ishi_arena::{MatchPlan, MatchRun, MemoryJournal, PairRecord, PlayerSpec, UnobservedMatch};
use ishi_go::Color;
use ishi_work::StopFlag;

use crate::error::LabError;
use crate::experiment::{ExperimentTask, TaskOutput};
use crate::store;

/// A task for each plan of one pair, under its name.
pub(super) fn pair_tasks(plans: &[(String, MatchPlan)]) -> Vec<ExperimentTask> {
    let task = |(name, plan): &(String, MatchPlan)| ExperimentTask {
        name: name.clone(),
        work: store::pair_task(&plan.pair_task(0)),
        alone: false,
        after: None,
    };
    plans.iter().map(task).collect()
}

/// Plays the pair that the task names; none if it was broken off.
pub(super) fn play_pair(
    plans: &[(String, MatchPlan)],
    task: &ExperimentTask,
    stop: &StopFlag,
) -> Result<Option<(TaskOutput, PairRecord)>, LabError> {
    let failed = |error: String| LabError::Task { task: task.name.clone(), error };
    let wanted = plans.iter().find(|(name, _)| *name == task.name);
    let (_, plan) = wanted.ok_or_else(|| failed("no such pair in this experiment".into()))?;
    let mut unobserved = UnobservedMatch;
    let run = MatchRun { threads: 1, stop: stop.clone(), observer: &mut unobserved };
    let outcome = ishi_arena::play_match(plan, &mut MemoryJournal::default(), run)
        .map_err(|e| failed(e.to_string()))?;
    // Without a record it was broken off.
    let Some(record) = outcome.pairs.into_iter().next() else { return Ok(None) };
    let kept = store::pair_result(&plan.pair_task(0), &record, "");
    let mut cost = kept.cost;
    cost.cpu_seconds += program_thinking_seconds(plan, &record);
    Ok(Some((TaskOutput { result: kept.result, games: kept.games, cost: Some(cost) }, record)))
}

/// The time that programs took for their moves: their processor time is not known, and is about that.
fn program_thinking_seconds(plan: &MatchPlan, record: &PairRecord) -> f64 {
    let mut seconds = 0.0;
    for game in &record.games {
        for color in Color::ALL {
            let contestant = &plan.contestants[game.contestant(color)];
            if matches!(contestant.spec, PlayerSpec::External(_)) {
                seconds += game.time[color.index()].seconds;
            }
        }
    }
    seconds
}
