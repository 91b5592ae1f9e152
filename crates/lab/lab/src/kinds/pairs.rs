//! Pairs of games as tasks, for the kinds that play matches.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ishi_arena::{MatchPlan, MatchRun, Memory, PairRecord, PlayerSpec, Unobserved};
use ishi_go::Color;

use crate::error::LabError;
use crate::experiment::{Output, Task};
use crate::store;

/// A task for each plan of one pair, under its name.
pub(super) fn tasks(plans: &[(String, MatchPlan)]) -> Vec<Task> {
    let task = |(name, plan): &(String, MatchPlan)| Task {
        name: name.clone(),
        work: store::pair_task(&plan.task(0)),
        alone: false,
        after: None,
    };
    plans.iter().map(task).collect()
}

/// Plays the pair that the task names; none if it was broken off.
pub(super) fn play(
    plans: &[(String, MatchPlan)],
    task: &Task,
    stop: &Arc<AtomicBool>,
) -> Result<Option<(Output, PairRecord)>, LabError> {
    let failed = |error: String| LabError::Task { task: task.name.clone(), error };
    let wanted = plans.iter().find(|(name, _)| *name == task.name);
    let (_, plan) = wanted.ok_or_else(|| failed("no such pair in this experiment".into()))?;
    let mut unobserved = Unobserved;
    let run = MatchRun { threads: 1, stop: Arc::clone(stop), observer: &mut unobserved };
    let outcome =
        ishi_arena::play_match(plan, &mut Memory::default(), run).map_err(|e| failed(e.to_string()))?;
    // Without a record it was broken off.
    let Some(record) = outcome.pairs.into_iter().next() else { return Ok(None) };
    let kept = store::pair_result(&plan.task(0), &record, "");
    let mut cost = kept.cost;
    cost.cpu_seconds += thinking_of_programs(plan, &record);
    Ok(Some((Output { result: kept.result, games: kept.games, cost: Some(cost) }, record)))
}

/// The time that programs took for their moves: their processor time is not known, and is about that.
fn thinking_of_programs(plan: &MatchPlan, record: &PairRecord) -> f64 {
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
