//! The result of a match, for people and for programs.

use std::fmt::Write as _;
use std::path::Path;

use ishi_arena::{
    GameRecord, Incident, MatchEnd, MatchOutcome, MatchPlan, MatchReport, PairRecord, PairTask, Settings,
    Tally, wins_of,
};
use ishi_go::Color;
use ishi_lab::store::pair_task;
use ishi_stats::{Decision, Interval, SprtReport, Summary};
use serde_json::{Value, json};

use super::game::PlayedGame;
use super::game_file;
use crate::figures;

/// Where things are kept.
pub(super) struct Place<'a> {
    pub(super) database: &'a Path,
    /// The run's name in the database.
    pub(super) run: &'a str,
    pub(super) sgf: Option<&'a Path>,
}

/// The differences in Elo that the sequential test is about, as they were given.
pub(super) type Bounds = Option<[f64; 2]>;

impl Place<'_> {
    fn in_memory(&self) -> bool {
        self.database == Path::new(":memory:")
    }

    /// Where the transcript of an incident is.
    fn of<G: PlayedGame>(&self, task: &PairTask<G>, incident: &Incident) -> Option<String> {
        if let Some(folder) = self.sgf {
            let file = game_file(task.index, incident.game, "transcript.txt");
            return Some(folder.join(file).display().to_string());
        }
        let (database, game) = (self.database.display(), incident.game);
        let id = pair_task(task).id();
        (!self.in_memory())
            .then(|| format!("{database}, table games, task {id}, number {game}, column transcript"))
    }
}

/// Lines of a transcript that are printed where it is not kept.
const LAST_LINES: usize = 12;

/// The report for people.
pub(super) fn text<G: PlayedGame>(
    plan: &MatchPlan<G>,
    outcome: &MatchOutcome<G>,
    report: &MatchReport,
    place: &Place<'_>,
    bounds: Bounds,
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
    place: &Place<'_>,
    bounds: Bounds,
) -> std::fmt::Result {
    let [a, b] = &plan.contestants;
    let total = report.standing.total();
    writeln!(out, "{} (A) against {} (B): {}", a.name, b.name, ended(plan, outcome))?;
    let conditions = G::conditions_text(&plan.settings);
    writeln!(out, "{} games {conditions}, seed {}\n", total.games(), plan.seed)?;

    writeln!(out, "                     wins  draws  losses   score")?;
    for (label, tally) in [
        ("A as Black", report.standing.by_color[Color::Black.index()]),
        ("A as White", report.standing.by_color[Color::White.index()]),
        ("A in all", total),
    ] {
        let Tally { wins, draws, losses } = tally;
        writeln!(out, "  {label:<16} {wins:>6} {draws:>6} {losses:>7} {:>7.3}", tally.score())?;
    }
    let [black, white] = Color::ALL.map(|color| wins_of(&report.standing, color));
    writeln!(out, "  Black won {black}, White {white}\n")?;
    write_statistics(out, report, bounds)?;
    write_times(out, report)?;
    for incident in &report.incidents {
        write_incident(out, plan, incident, place)?;
    }
    if !place.in_memory() {
        writeln!(out, "Database: {}, run {}", place.database.display(), place.run)?;
    }
    if let Some(folder) = place.sgf {
        writeln!(out, "Records: {}", folder.display())?;
    }
    Ok(())
}

fn ended<G: PlayedGame>(plan: &MatchPlan<G>, outcome: &MatchOutcome<G>) -> String {
    let (played, planned) = (outcome.pairs.len(), plan.pairs);
    match outcome.end {
        MatchEnd::Complete => format!("{played} {}", if played == 1 { "pair" } else { "pairs" }),
        MatchEnd::Decided(_) => format!("decided after {played} of at most {planned} pairs"),
        MatchEnd::Stopped => format!("stopped after {played} of {planned} pairs"),
    }
}

fn write_statistics(out: &mut String, report: &MatchReport, bounds: Bounds) -> std::fmt::Result {
    let level = report.confidence.level() * 100.0;
    let span = |interval: Interval| format!("{:.3} to {:.3}", interval.low, interval.high);
    if let Some(win) = &report.wins {
        let left_out = if report.standing.total().draws > 0 { ", draws left out" } else { "" };
        writeln!(out, "Win rate of A        {:.3}{left_out}", win.wins.rate())?;
        writeln!(out, "  {level} % Wilson        {}", span(win.wilson))?;
        writeln!(out, "  {level} % exact         {}", span(win.exact))?;
        writeln!(out, "Binomial test against 1/2, exact")?;
        writeln!(out, "  two-sided          p {}", figures::probability(win.two_sided))?;
        writeln!(out, "  A is stronger      p {}", figures::probability(win.greater))?;
    }
    let score = &report.score;
    writeln!(
        out,
        "Score per game       {:.3}, {level} % {} (from pairs)",
        score.score,
        span(score.interval)
    )?;
    let [elo, low, high] = [score.elo, score.elo_interval.low, score.elo_interval.high].map(figures::elo);
    writeln!(out, "Elo of A over B      {elo}, {level} % {low} to {high}")?;
    if let (Some(sprt), Some([elo0, elo1])) = (&report.sprt, bounds) {
        let SprtReport { llr, lower, upper, decision } = sprt;
        let decision = match decision {
            Decision::Continue => format!("undecided between {elo0} and {elo1} Elo"),
            Decision::AcceptH0 => format!("H0 accepted, the difference is {elo0} Elo or less"),
            Decision::AcceptH1 => format!("H1 accepted, the difference is {elo1} Elo or more"),
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
        let [per_move, per_game] = [time.per_move, time.per_game].map(figures::seconds);
        writeln!(out, "  {side}            {per_move:>12}   {per_game:>12}")?;
    }
    writeln!(out, "  both                        {:>12}", figures::seconds(report.seconds_per_game))
}

fn write_incident<G: PlayedGame>(
    out: &mut String,
    plan: &MatchPlan<G>,
    incident: &Incident,
    place: &Place<'_>,
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
    if let Some(where_) = place.of(&plan.task(incident.pair as u64), incident) {
        return writeln!(out, "  transcript: {where_}");
    }
    let from = incident.transcript.len().saturating_sub(LAST_LINES);
    writeln!(out, "  the last lines of the transcript:")?;
    incident.transcript[from..].iter().try_for_each(|line| writeln!(out, "    {line}"))
}

/// The report for programs; infinite Elo is null.
pub(super) fn json<G: PlayedGame>(
    plan: &MatchPlan<G>,
    outcome: &MatchOutcome<G>,
    report: &MatchReport,
    place: &Place<'_>,
    bounds: Bounds,
) -> Result<String, serde_json::Error> {
    let [a, b] = [0, 1].map(|index| contestant(plan, report, index));
    let total = report.standing.total();
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
        "a": tally(&total),
        "a_as_black": tally(&report.standing.by_color[Color::Black.index()]),
        "a_as_white": tally(&report.standing.by_color[Color::White.index()]),
        "black_wins": wins_of(&report.standing, Color::Black),
        "white_wins": wins_of(&report.standing, Color::White),
        "pentanomial": report.standing.pairs,
        "confidence": report.confidence.level(),
        "win_rate": report.wins.map(|win| json!({
            "rate": win.wins.rate(),
            "wilson": interval(win.wilson),
            "exact": interval(win.exact),
            "p_two_sided": win.two_sided,
            "p_a_stronger": win.greater,
        })),
        "score": { "mean": report.score.score, "interval": interval(report.score.interval) },
        "elo": { "difference": report.score.elo, "interval": interval(report.score.elo_interval) },
        "sprt": report.sprt.map(|sprt| json!({
            "elo0": bounds.map(|[elo0, _]| elo0), "elo1": bounds.map(|[_, elo1]| elo1),
            "llr": sprt.llr, "lower": sprt.lower, "upper": sprt.upper, "decision": decision_word(sprt.decision),
        })),
        "reasons": report.reasons.iter().map(|(r, n)| (r.to_string(), json!(n))).collect::<serde_json::Map<_, _>>(),
        "moves_per_game": report.length.as_ref().map(Summary::mean),
        "fewest_moves": report.length.as_ref().map(Summary::min),
        "most_moves": report.length.as_ref().map(Summary::max),
        "seconds_per_game": report.seconds_per_game,
        "wall_seconds": report.wall_seconds,
        "cpu_seconds": report.cpu_seconds,
        "errors": report.incidents.iter().map(|i| incident(plan, i, place)).collect::<Vec<_>>(),
        "results": outcome.pairs.iter().map(results).collect::<Vec<_>>(),
        "database": (!place.in_memory()).then(|| place.database.display().to_string()),
        "run": place.run,
        "records": place.sgf.map(|folder| folder.display().to_string()),
    });
    Ok(serde_json::to_string_pretty(&value)? + "\n")
}

fn contestant<G: PlayedGame>(plan: &MatchPlan<G>, report: &MatchReport, index: usize) -> Value {
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

fn tally(tally: &Tally) -> Value {
    json!({ "wins": tally.wins, "draws": tally.draws, "losses": tally.losses, "score": tally.score() })
}

fn interval(interval: Interval) -> Value {
    json!([interval.low, interval.high])
}

fn end_word(end: MatchEnd) -> &'static str {
    match end {
        MatchEnd::Complete => "complete",
        MatchEnd::Decided(_) => "decided",
        MatchEnd::Stopped => "stopped",
    }
}

fn decision_word(decision: Decision) -> &'static str {
    match decision {
        Decision::Continue => "continue",
        Decision::AcceptH0 => "accept-h0",
        Decision::AcceptH1 => "accept-h1",
    }
}

/// Both games of a pair, A black in the first.
fn results<G: PlayedGame>(pair: &PairRecord<G>) -> Value {
    let game = |game: &GameRecord<G>| json!({ "result": game.result.to_string(), "reason": game.reason.to_string(), "moves": game.moves.len() });
    json!(pair.games.iter().map(game).collect::<Vec<_>>())
}

fn incident<G: PlayedGame>(plan: &MatchPlan<G>, incident: &Incident, place: &Place<'_>) -> Value {
    json!({
        "pair": incident.pair + 1,
        "game": incident.game + 1,
        "player": incident.contestant.map(|index| &plan.contestants[index].name),
        "reason": incident.reason.to_string(),
        "detail": incident.detail,
        "transcript": place.of(&plan.task(incident.pair as u64), incident),
        "transcript_end": incident.transcript.iter().rev().take(LAST_LINES).rev().collect::<Vec<_>>(),
    })
}
