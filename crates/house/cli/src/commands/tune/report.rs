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
    writeln!(out, "Tuned player: {}", plan.space.player_at(&tuner.tuned_point()))?;
    write_confirmed(out, plan, outcome)?;
    write_recommendation(out, plan, outcome)
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
        (Some(TuningEnd::NoMoreGain), Some(gain)) if gain.interval.high < 0.0 => {
            format!("the players of the last third got worse: {}", format_gain(&gain))
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

/// Which player to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Recommendation {
    /// The tuned one: fresh games show that it gains.
    Tuned,
    /// The start, because of this.
    Start(&'static str),
}

impl Recommendation {
    /// The start stays unless fresh games show a gain: the values were chosen by the scores on the way, which look better than they are. `None` while
    /// games are missing.
    fn of_outcome(plan: &TuningPlan, outcome: &TuningOutcome) -> Option<Recommendation> {
        outcome.end?;
        let why = match confirmed_score(outcome) {
            Some(score) => return Some(Recommendation::of_interval(score.elo_interval)),
            None if plan.confirm == 0 => "no fresh games show a gain (--confirm 0)",
            None => "tuning came back to it",
        };
        Some(Recommendation::Start(why))
    }

    /// By what the tuned player gains over the start in fresh games, in Elo.
    fn of_interval(gain: Interval) -> Recommendation {
        if gain.low > 0.0 {
            Recommendation::Tuned
        } else if gain.high < 0.0 {
            Recommendation::Start("the tuned player is weaker in fresh games")
        } else {
            Recommendation::Start("fresh games show no gain")
        }
    }

    /// The player that is recommended, as `ishi match` reads it.
    fn player(self, plan: &TuningPlan, tuner: &Tuner) -> String {
        match self {
            Recommendation::Tuned => plan.space.player_at(&tuner.tuned_point()),
            Recommendation::Start(_) => plan.space.player_at(&plan.space.start()),
        }
    }
}

fn write_recommendation(out: &mut String, plan: &TuningPlan, outcome: &TuningOutcome) -> std::fmt::Result {
    let Some(recommended) = Recommendation::of_outcome(plan, outcome) else { return Ok(()) };
    let player = recommended.player(plan, &outcome.tuner);
    match recommended {
        Recommendation::Tuned => writeln!(out, "Recommended: the tuned player, {player}"),
        Recommendation::Start(why) => writeln!(out, "Recommended: the start, {player}, as {why}"),
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
        "recommended": Recommendation::of_outcome(plan, outcome).map(|found| found.player(plan, tuner)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::tune::TuneLine;

    /// A plan of which every step scores so much, until the tuner ends.
    fn outcome_of_scores(line: &str, score: impl Fn(usize) -> f64) -> (TuningPlan, TuningOutcome) {
        let words: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        let plan = TuneLine::parse_words(&words).unwrap().make_plan().unwrap();
        let mut tuner = Tuner::start(&plan.space, plan.options.clone()).unwrap();
        while tuner.end().is_none() {
            let (step, points) = (tuner.steps().len(), tuner.ask_points().unwrap());
            // Those that are lower are better, so that the tuner moves.
            let scores: Vec<f64> = points.iter().map(|point| score(step) - 0.1 * point[0]).collect();
            tuner.tell_scores(&scores).unwrap();
        }
        let end = tuner.end();
        (plan, TuningOutcome { tuner, pairs: 0, end, confirmed: None })
    }

    const LINE: &str = "othello-wpc:epsilon=0..1@0.8 --game othello --steps 40 --confirm 0";

    /// What was tried last was weaker than what was tried before: nobody shall take its values.
    #[test]
    fn tuning_that_got_worse_says_so_and_recommends_the_start() {
        let (plan, outcome) = outcome_of_scores(LINE, |step| if step < 8 { 0.7 } else { 0.3 });
        assert_eq!(outcome.end, Some(TuningEnd::NoMoreGain));
        let told = format_report(&plan, &outcome);
        assert!(told.contains("Ended: the players of the last third got worse: -"), "{told}");
        let recommended = "Recommended: the start, othello-wpc:epsilon=0.8, as no fresh games show a gain";
        assert!(told.contains(recommended), "{told}");
        assert_eq!(report_json(&plan, &outcome)["recommended"], "othello-wpc:epsilon=0.8");
    }

    #[test]
    fn the_tuned_player_is_recommended_only_if_fresh_games_show_a_gain() {
        let of = |low, high| Recommendation::of_interval(Interval { low, high });
        assert_eq!(of(3.0, 40.0), Recommendation::Tuned);
        assert_eq!(of(-8.0, 32.0), Recommendation::Start("fresh games show no gain"));
        assert_eq!(of(-67.0, -6.0), Recommendation::Start("the tuned player is weaker in fresh games"));
        assert_eq!(of(0.0, 0.0), Recommendation::Start("fresh games show no gain"));
        let (plan, outcome) = outcome_of_scores(LINE, |_| 0.6);
        assert_ne!(Recommendation::Tuned.player(&plan, &outcome.tuner), "othello-wpc:epsilon=0.8");
    }

    #[test]
    fn nothing_is_recommended_while_games_are_missing() {
        let (plan, outcome) = outcome_of_scores(LINE, |_| 0.6);
        let outcome = TuningOutcome { end: None, ..outcome };
        assert!(!format_report(&plan, &outcome).contains("Recommended"));
        assert!(report_json(&plan, &outcome)["recommended"].is_null());
    }
}
