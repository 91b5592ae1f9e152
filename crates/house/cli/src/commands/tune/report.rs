//! What tuning found, for people and for programs.

use std::fmt::Write as _;

use ishi_lab::tune::{SmoothedGain, TunedParameter, Tuner, TuningEnd, TuningMethod};
use ishi_sheet::SheetTable;
use ishi_stats::{ConfidenceLevel, Interval, ScoreReport};
use serde_json::{Value, json};

use super::options::TuningPlan;
use crate::commands::match_::share::SharedStanding;
use crate::figures::format_elo;

/// How far tuning is, and what came of it.
pub(super) struct TuningOutcome {
    pub(super) tuner: Tuner,
    /// Pairs of games that chose the values.
    pub(super) pairs: u64,
    /// Why it ended; `None` if games are missing.
    pub(super) end: Option<TuningEnd>,
    /// The match of the tuned player against the start, of fresh games; `None` if it is not played, or both are the same player.
    pub(super) confirmed: Option<SharedStanding>,
}

/// A step, on one line: `step 12 of 100: score 0.542, epsilon=0.31`.
pub(super) fn describe_step(plan: &TuningPlan, tuner: &Tuner) -> String {
    let (done, steps) = (tuner.steps().len(), plan.options.steps);
    let score = tuner.steps().last().map_or(0.0, |step| step.score);
    let values: Vec<String> =
        tuned_values(plan, tuner).into_iter().map(|(key, value)| format!("{key}={value}")).collect();
    let gain =
        tuner.smoothed_gain().map_or_else(String::new, |gain| format!(", gain {}", format_gain(&gain)));
    format!("step {done} of {steps}: score {score:.3}{gain}, {}", values.join(" "))
}

fn tuned_values<'a>(plan: &'a TuningPlan, tuner: &Tuner) -> Vec<(&'a str, String)> {
    let point = tuner.tuned_point();
    let value =
        |(parameter, &x): (&'a TunedParameter, &f64)| (parameter.key.as_str(), parameter.scale.value_at(x));
    plan.space.parameters().iter().zip(&point).map(value).collect()
}

fn format_gain(gain: &SmoothedGain) -> String {
    format!("{} Elo ({})", format_elo(gain.elo), format_range(gain.interval))
}

fn format_range(interval: Interval) -> String {
    format!("{} to {}", format_elo(interval.low), format_elo(interval.high))
}

/// What the fresh games say.
fn confirmed_score(outcome: &TuningOutcome) -> Option<ScoreReport> {
    let standing = outcome.confirmed.as_ref()?.standing;
    standing.pair_outcomes().score_report(ConfidenceLevel::default()).ok()
}

/// The report for people.
pub(super) fn format_report(plan: &TuningPlan, outcome: &TuningOutcome) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write_report(&mut out, plan, outcome);
    out
}

fn write_report(out: &mut String, plan: &TuningPlan, outcome: &TuningOutcome) -> std::fmt::Result {
    let TuningOutcome { tuner, pairs, .. } = outcome;
    let method = match plan.options.method {
        TuningMethod::Spsa => "SPSA",
        TuningMethod::CmaEs => "CMA-ES",
    };
    let (fixed, done, steps) = (plan.space.fixed_player(), tuner.steps().len(), plan.options.steps);
    writeln!(
        out,
        "{fixed} tuned by {method} against {}: {done} of {steps} steps, {pairs} pairs\n",
        plan.opponent
    )?;
    out.push_str(&value_table(plan, tuner).to_text());
    writeln!(out, "\nEnded: {}", describe_end(plan, outcome))?;
    writeln!(out, "Player: {}", plan.space.player_at(&tuner.tuned_point()))?;
    write_confirmed(out, plan, outcome)
}

fn value_table(plan: &TuningPlan, tuner: &Tuner) -> SheetTable {
    let mut table = SheetTable::new(["", "#start", "#tuned", "moved lately between"])
        .with_text_widths(&[22, 12, 12])
        .with_text_gaps(&[1, 1, 3]);
    let start = plan.space.start();
    let late = tuner.late_ranges();
    for (at, (key, value)) in tuned_values(plan, tuner).into_iter().enumerate() {
        let scale = &plan.space.parameters()[at].scale;
        let [from, low, high] = [start[at], late[at].low, late[at].high].map(|x| scale.value_at(x));
        table.add_row([key.to_string(), from, value, format!("{low} and {high}")]);
    }
    table
}

fn describe_end(plan: &TuningPlan, outcome: &TuningOutcome) -> String {
    let gain = outcome.tuner.smoothed_gain();
    match (outcome.end, gain) {
        (None, _) => "not yet, games are missing; the same command goes on".to_string(),
        (Some(TuningEnd::Steps), None) => "all steps are made".to_string(),
        (Some(TuningEnd::Steps), Some(gain)) => {
            format!("all steps are made; the last third gained {}", format_gain(&gain))
        }
        (Some(TuningEnd::NoMoreGain), gain) => {
            let gain = gain.map_or_else(String::new, |gain| format_gain(&gain));
            format!(
                "the last third of the steps gained {gain}, for sure less than {}",
                plan.options.least_gain
            )
        }
    }
}

fn write_confirmed(out: &mut String, plan: &TuningPlan, outcome: &TuningOutcome) -> std::fmt::Result {
    let Some(score) = confirmed_score(outcome) else {
        return match outcome.end {
            None => Ok(()),
            Some(_) if plan.confirm == 0 => writeln!(out, "What was gained is not measured: --confirm 0"),
            Some(_) => writeln!(out, "The values are those of the start: there is nothing to confirm"),
        };
    };
    let (games, elo, range) = (score.games, format_elo(score.elo), format_range(score.elo_interval));
    writeln!(
        out,
        "Tuned against the start, {games} fresh games: score {:.3}, Elo {elo}, 95 % {range}",
        score.score
    )
}

/// The report for programs; infinite Elo is null.
pub(super) fn report_json(plan: &TuningPlan, outcome: &TuningOutcome) -> Value {
    let TuningOutcome { tuner, pairs, end, .. } = outcome;
    let space = &plan.space;
    let gain = tuner
        .smoothed_gain()
        .map(|gain| json!({ "elo": gain.elo, "interval": interval_json(gain.interval) }));
    let confirmed = confirmed_score(outcome).map(|score| {
        json!({
            "games": score.games,
            "score": score.score,
            "elo": score.elo,
            "interval": interval_json(score.elo_interval),
            "pentanomial": outcome.confirmed.map(|confirmed| confirmed.standing.pairs),
        })
    });
    json!({
        "player": space.fixed_player(),
        "against": plan.opponent,
        "method": match plan.options.method { TuningMethod::Spsa => "spsa", TuningMethod::CmaEs => "cma-es" },
        "steps": tuner.steps().len(),
        "steps_planned": plan.options.steps,
        "pairs": pairs,
        "end": match end {
            None => "unfinished",
            Some(TuningEnd::Steps) => "steps",
            Some(TuningEnd::NoMoreGain) => "no-more-gain",
        },
        "parameters": parameters_json(plan, tuner),
        "last_third": gain,
        "start": space.player_at(&space.start()),
        "tuned": space.player_at(&tuner.tuned_point()),
        "confirmed": confirmed,
        "scores": tuner.steps().iter().map(|step| step.score).collect::<Vec<f64>>(),
        "campaign": plan.campaign_name(),
    })
}

fn parameters_json(plan: &TuningPlan, tuner: &Tuner) -> Vec<Value> {
    let (start, point, late) = (plan.space.start(), tuner.tuned_point(), tuner.late_ranges());
    let parameter = |(at, parameter): (usize, &TunedParameter)| {
        let value = |x: f64| parameter.scale.value_at(x);
        let path: Vec<String> = tuner.steps().iter().map(|step| value(step.point[at])).collect();
        json!({
            "key": parameter.key,
            "range": parameter.scale.describe(),
            "start": value(start[at]),
            "tuned": value(point[at]),
            "moved_lately": [value(late[at].low), value(late[at].high)],
            "steps": path,
        })
    };
    plan.space.parameters().iter().enumerate().map(parameter).collect()
}

fn interval_json(interval: Interval) -> Value {
    json!([interval.low, interval.high])
}
