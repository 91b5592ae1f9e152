//! The result of a match, for people and for programs.

use std::fmt::Write as _;
use std::path::Path;

use ishi_arena::{
    GameIncident, GameRecord, MatchEnd, MatchOutcome, MatchPlan, MatchReport, MatchSettings, PairRecord,
    PairTask, ResultTally, count_color_wins,
};
use ishi_go::Color;
use ishi_lab::store::pair_task;
use ishi_stats::{Interval, SampleSummary, SprtDecision, SprtReport};
use serde_json::{Value, json};

use super::game::PlayedGame;
use super::game_file;
use crate::figures;

/// Where things are kept.
pub(super) struct ReportPlaces<'a> {
    pub(super) database: &'a Path,
    /// The run's name in the database.
    pub(super) run: &'a str,
    pub(super) sgf: Option<&'a Path>,
}

/// The differences in Elo that the sequential test is about, as they were given.
pub(super) type SprtBounds = Option<[f64; 2]>;

impl ReportPlaces<'_> {
    fn is_in_memory(&self) -> bool {
        self.database == Path::new(":memory:")
    }

    /// Where the transcript of an incident is.
    fn transcript_place<G: PlayedGame>(&self, task: &PairTask<G>, incident: &GameIncident) -> Option<String> {
        if let Some(folder) = self.sgf {
            let file = game_file(task.index, incident.game, "transcript.txt");
            return Some(folder.join(file).display().to_string());
        }
        let (database, game) = (self.database.display(), incident.game);
        let id = pair_task(task).id();
        (!self.is_in_memory())
            .then(|| format!("{database}, table games, task {id}, number {game}, column transcript"))
    }
}

/// Lines of a transcript that are printed where it is not kept.
const LAST_LINES: usize = 12;

/// The report for people.
pub(super) fn format_report<G: PlayedGame>(
    plan: &MatchPlan<G>,
    outcome: &MatchOutcome<G>,
    report: &MatchReport,
    place: &ReportPlaces<'_>,
    bounds: SprtBounds,
) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write_text(&mut out, plan, outcome, report, place, bounds);
    out
}

fn write_text<G: PlayedGame>(
    out: &mut String,
    plan: &MatchPlan<G>,
    outcome: &MatchOutcome<G>,
    report: &MatchReport,
    place: &ReportPlaces<'_>,
    bounds: SprtBounds,
) -> std::fmt::Result {
    let [a, b] = &plan.contestants;
    let total = report.standing.total_tally();
    writeln!(out, "{} (A) against {} (B): {}", a.name, b.name, format_end(plan, outcome))?;
    let conditions = G::conditions_text(&plan.settings);
    writeln!(out, "{} games {conditions}, seed {}\n", total.games(), plan.seed)?;

    writeln!(out, "                     wins  draws  losses   score")?;
    for (label, tally) in [
        ("A as Black", report.standing.by_color[Color::Black.index()]),
        ("A as White", report.standing.by_color[Color::White.index()]),
        ("A in all", total),
    ] {
        let ResultTally { wins, draws, losses } = tally;
        writeln!(out, "  {label:<16} {wins:>6} {draws:>6} {losses:>7} {:>7.3}", tally.score())?;
    }
    let [black, white] = Color::ALL.map(|color| count_color_wins(&report.standing, color));
    writeln!(out, "  Black won {black}, White {white}\n")?;
    write_statistics(out, report, bounds)?;
    write_times(out, report)?;
    for incident in &report.incidents {
        write_incident(out, plan, incident, place)?;
    }
    if !place.is_in_memory() {
        writeln!(out, "Database: {}, run {}", place.database.display(), place.run)?;
    }
    if let Some(folder) = place.sgf {
        writeln!(out, "Records: {}", folder.display())?;
    }
    Ok(())
}

fn format_end<G: PlayedGame>(plan: &MatchPlan<G>, outcome: &MatchOutcome<G>) -> String {
    let (played, planned) = (outcome.pairs.len(), plan.pairs);
    match outcome.end {
        MatchEnd::Complete => format!("{played} {}", if played == 1 { "pair" } else { "pairs" }),
        MatchEnd::Decided(_) => format!("decided after {played} of at most {planned} pairs"),
        MatchEnd::Stopped => format!("stopped after {played} of {planned} pairs"),
    }
}

fn write_statistics(out: &mut String, report: &MatchReport, bounds: SprtBounds) -> std::fmt::Result {
    let level = report.confidence.level() * 100.0;
    let span = |interval: Interval| format!("{:.3} to {:.3}", interval.low, interval.high);
    if let Some(win) = &report.wins {
        let left_out = if report.standing.total_tally().draws > 0 { ", draws left out" } else { "" };
        writeln!(out, "Win rate of A        {:.3}{left_out}", win.wins.rate())?;
        writeln!(out, "  {level} % Wilson        {}", span(win.wilson))?;
        writeln!(out, "  {level} % exact         {}", span(win.exact))?;
        writeln!(out, "Binomial test against 1/2, exact")?;
        writeln!(out, "  two-sided          p {}", figures::format_probability(win.two_sided))?;
        writeln!(out, "  A is stronger      p {}", figures::format_probability(win.greater))?;
    }
    let score = &report.score;
    writeln!(
        out,
        "Score per game       {:.3}, {level} % {} (from pairs)",
        score.score,
        span(score.interval)
    )?;
    let [elo, low, high] =
        [score.elo, score.elo_interval.low, score.elo_interval.high].map(figures::format_elo);
    writeln!(out, "Elo of A over B      {elo}, {level} % {low} to {high}")?;
    if let (Some(sprt), Some([elo0, elo1])) = (&report.sprt, bounds) {
        let SprtReport { llr, lower, upper, decision } = sprt;
        let decision = match decision {
            SprtDecision::Continue => format!("undecided between {elo0} and {elo1} Elo"),
            SprtDecision::AcceptH0 => format!("H0 accepted, the difference is {elo0} Elo or less"),
            SprtDecision::AcceptH1 => format!("H1 accepted, the difference is {elo1} Elo or more"),
        };
        writeln!(out, "SPRT                 LLR {llr:.2}, bounds {lower:.2} and {upper:.2}: {decision}")?;
    }
    Ok(())
}

fn write_times(out: &mut String, report: &MatchReport) -> std::fmt::Result {
    let reasons: Vec<String> =
        report.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    writeln!(out, "Games ended by       {}", reasons.join(", "))?;
    if let Some(length) = &report.length {
        let (mean, least, most) = (length.mean(), length.min(), length.max());
        writeln!(out, "Moves in a game      {mean:.1}, from {least} to {most}")?;
    }
    writeln!(out, "Mean time            a move         a game")?;
    for (side, time) in ["A", "B"].iter().zip(&report.time) {
        let [per_move, per_game] = [time.per_move, time.per_game].map(figures::format_seconds);
        writeln!(out, "  {side}            {per_move:>12}   {per_game:>12}")?;
    }
    writeln!(out, "  both                        {:>12}", figures::format_seconds(report.seconds_per_game))
}

fn write_incident<G: PlayedGame>(
    out: &mut String,
    plan: &MatchPlan<G>,
    incident: &GameIncident,
    place: &ReportPlaces<'_>,
) -> std::fmt::Result {
    let (pair, game) = (incident.pair + 1, incident.game + 1);
    let who = match incident.contestant {
        Some(contestant) => format!("{} lost by {}", plan.contestants[contestant].name, incident.reason),
        None => "referee".to_string(),
    };
    writeln!(out, "Error in pair {pair}, game {game}: {who}: {}", incident.detail)?;
    if incident.transcript.is_empty() {
        return Ok(());
    }
    if let Some(where_) = place.transcript_place(&plan.pair_task(incident.pair as u64), incident) {
        return writeln!(out, "  transcript: {where_}");
    }
    let from = incident.transcript.len().saturating_sub(LAST_LINES);
    writeln!(out, "  the last lines of the transcript:")?;
    incident.transcript[from..].iter().try_for_each(|line| writeln!(out, "    {line}"))
}

/// The report for programs; infinite Elo is null.
pub(super) fn report_json<G: PlayedGame>(
    plan: &MatchPlan<G>,
    outcome: &MatchOutcome<G>,
    report: &MatchReport,
    place: &ReportPlaces<'_>,
    bounds: SprtBounds,
) -> Result<String, serde_json::Error> {
    let [a, b] = [0, 1].map(|index| contestant_json(plan, report, index));
    let total = report.standing.total_tally();
    let value = json!({
        "game": G::NAME,
        "players": [a, b],
        "settings": plan.settings.facts(),
        "referee": plan.referee.to_string(),
        "seed": plan.seed.value(),
        "end": end_word(outcome.end),
        "pairs_planned": plan.pairs,
        "pairs": outcome.pairs.len(),
        "pairs_found": outcome.found,
        "pairs_beyond": outcome.beyond,
        "games": total.games(),
        "a": tally_json(&total),
        "a_as_black": tally_json(&report.standing.by_color[Color::Black.index()]),
        "a_as_white": tally_json(&report.standing.by_color[Color::White.index()]),
        "black_wins": count_color_wins(&report.standing, Color::Black),
        "white_wins": count_color_wins(&report.standing, Color::White),
        "pentanomial": report.standing.pairs,
        "confidence": report.confidence.level(),
        "win_rate": report.wins.map(|win| json!({
            "rate": win.wins.rate(),
            "wilson": interval_json(win.wilson),
            "exact": interval_json(win.exact),
            "p_two_sided": win.two_sided,
            "p_a_stronger": win.greater,
        })),
        "score": { "mean": report.score.score, "interval": interval_json(report.score.interval) },
        "elo": { "difference": report.score.elo, "interval": interval_json(report.score.elo_interval) },
        "sprt": report.sprt.map(|sprt| json!({
            "elo0": bounds.map(|[elo0, _]| elo0), "elo1": bounds.map(|[_, elo1]| elo1),
            "llr": sprt.llr, "lower": sprt.lower, "upper": sprt.upper, "decision": decision_word(sprt.decision),
        })),
        "reasons": report.reasons.iter().map(|(r, n)| (r.to_string(), json!(n))).collect::<serde_json::Map<_, _>>(),
        "moves_per_game": report.length.as_ref().map(SampleSummary::mean),
        "fewest_moves": report.length.as_ref().map(SampleSummary::min),
        "most_moves": report.length.as_ref().map(SampleSummary::max),
        "seconds_per_game": report.seconds_per_game,
        "wall_seconds": report.wall_seconds,
        "cpu_seconds": report.cpu_seconds,
        "errors": report.incidents.iter().map(|i| incident_json(plan, i, place)).collect::<Vec<_>>(),
        "results": outcome.pairs.iter().map(pair_results_json).collect::<Vec<_>>(),
        "database": (!place.is_in_memory()).then(|| place.database.display().to_string()),
        "run": place.run,
        "records": place.sgf.map(|folder| folder.display().to_string()),
    });
    Ok(serde_json::to_string_pretty(&value)? + "\n")
}

fn contestant_json<G: PlayedGame>(plan: &MatchPlan<G>, report: &MatchReport, index: usize) -> Value {
    let (contestant, time) = (&plan.contestants[index], &report.time[index]);
    json!({
        "name": contestant.name,
        "spec": contestant.spec.to_string(),
        "version": contestant.version,
        "moves": time.moves,
        "seconds_per_move": time.per_move,
        "seconds_per_game": time.per_game,
    })
}

fn tally_json(tally: &ResultTally) -> Value {
    json!({ "wins": tally.wins, "draws": tally.draws, "losses": tally.losses, "score": tally.score() })
}

fn interval_json(interval: Interval) -> Value {
    json!([interval.low, interval.high])
}

fn end_word(end: MatchEnd) -> &'static str {
    match end {
        MatchEnd::Complete => "complete",
        MatchEnd::Decided(_) => "decided",
        MatchEnd::Stopped => "stopped",
    }
}

fn decision_word(decision: SprtDecision) -> &'static str {
    match decision {
        SprtDecision::Continue => "continue",
        SprtDecision::AcceptH0 => "accept-h0",
        SprtDecision::AcceptH1 => "accept-h1",
    }
}

/// Both games of a pair, A black in the first.
fn pair_results_json<G: PlayedGame>(pair: &PairRecord<G>) -> Value {
    let game = |game: &GameRecord<G>| json!({ "result": game.result.to_string(), "reason": game.reason.to_string(), "moves": game.moves.len() });
    json!(pair.games.iter().map(game).collect::<Vec<_>>())
}

fn incident_json<G: PlayedGame>(
    plan: &MatchPlan<G>,
    incident: &GameIncident,
    place: &ReportPlaces<'_>,
) -> Value {
    json!({
        "pair": incident.pair + 1,
        "game": incident.game + 1,
        "player": incident.contestant.map(|index| &plan.contestants[index].name),
        "reason": incident.reason.to_string(),
        "detail": incident.detail,
        "transcript": place.transcript_place(&plan.pair_task(incident.pair as u64), incident),
        "transcript_end": incident.transcript.iter().rev().take(LAST_LINES).rev().collect::<Vec<_>>(),
    })
}
