//! The result of a match, for people and for programs.

use std::fmt::Write as _;
use std::path::Path;

use ishi_arena::{
    GameIncident, GameRecord, MatchEnd, MatchOutcome, MatchPlan, MatchReport, MatchSettings, PairRecord,
    PairTask, ResultTally, count_color_wins, tally_table,
};
use ishi_go::Color;
use ishi_lab::store::pair_task;
use ishi_sheet::{SheetBlock, SheetFact, SheetTable};
use ishi_stats::{Interval, SampleSummary, ScoreReport, SprtDecision, SprtReport};
use ishi_words::{Language, format_count};
use serde_json::{Value, json};

use super::game::PlayedGame;
use super::game_files::game_file;
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

/// Who played under which conditions, the figures, errors, and where it is all kept.
fn write_text<G: PlayedGame>(
    out: &mut String,
    plan: &MatchPlan<G>,
    outcome: &MatchOutcome<G>,
    report: &MatchReport,
    place: &ReportPlaces<'_>,
    bounds: SprtBounds,
) -> std::fmt::Result {
    let [a, b] = &plan.contestants;
    let games = report.standing.total_tally().games();
    writeln!(out, "{} (A) against {} (B): {}", a.name, b.name, format_end(plan, outcome))?;
    writeln!(out, "{games} games {}, seed {}\n", G::conditions_text(&plan.settings), plan.seed)?;
    out.extend(figure_blocks(report, bounds).iter().map(SheetBlock::to_text));
    for incident in &report.incidents {
        write_incident(out, plan, incident, place)?;
    }
    if !place.is_in_memory() {
        writeln!(out, "Database: {}, run {}", place.database.display(), place.run)?;
        if let (MatchEnd::Decided(_), beyond @ 1..) = (outcome.end, outcome.beyond) {
            let pairs = format_count(beyond, "pair");
            writeln!(
                out,
                "  It has {pairs} more, which the test did not need. They do not count here, but `ishi ratings` counts them."
            )?;
        }
    }
    if let Some(folder) = place.sgf {
        writeln!(out, "Records: {}", folder.display())?;
    }
    Ok(())
}

/// All figures of a match.
fn figure_blocks(report: &MatchReport, bounds: SprtBounds) -> [SheetBlock; 5] {
    let tallies = tally_table(&report.standing, "", Language::English);
    let [black, white] = Color::ALL.map(|color| count_color_wins(&report.standing, color));
    [
        SheetBlock::Table(tallies.with_text_widths(&[18, 6, 6, 7, 7]).with_indented_rows()),
        SheetBlock::Text(format!("  Black won {black}, White {white}\n")),
        SheetBlock::Facts(strength_facts(report, bounds)),
        SheetBlock::Facts(game_facts(report)),
        SheetBlock::Table(time_table(report)),
    ]
}

fn format_end<G: PlayedGame>(plan: &MatchPlan<G>, outcome: &MatchOutcome<G>) -> String {
    let (played, planned) = (outcome.pairs.len(), plan.pairs);
    match outcome.end {
        MatchEnd::Complete => format_count(played, "pair"),
        MatchEnd::Decided(_) => format!("decided after {played} of at most {planned} pairs"),
        // Others may be at it: that it has stopped is more than is known.
        MatchEnd::Stopped => format!("{played} of {planned} pairs so far"),
    }
}

/// What the games say of the players' strength.
fn strength_facts(report: &MatchReport, bounds: SprtBounds) -> Vec<SheetFact> {
    let level = report.confidence.level() * 100.0;
    let mut facts = win_facts(report, level);
    let ScoreReport { score, interval, elo, elo_interval, .. } = report.score;
    let score = format!("{score:.3}, {level} % {} (from pairs)", span_text(interval));
    facts.push(SheetFact::new("Score per game", score));
    let [elo, low, high] = [elo, elo_interval.low, elo_interval.high].map(figures::format_elo);
    facts.push(SheetFact::new("Elo of A over B", format!("{elo}, {level} % {low} to {high}")));
    if let (Some(sprt), Some(bounds)) = (&report.sprt, bounds) {
        facts.push(SheetFact::new("SPRT", sprt_text(sprt, bounds)));
    }
    facts
}

/// Wins out of decided games, if there are any.
fn win_facts(report: &MatchReport, level: f64) -> Vec<SheetFact> {
    let Some(win) = &report.wins else { return Vec::new() };
    let left_out = if report.standing.total_tally().draws > 0 { ", draws left out" } else { "" };
    let probability = |p: f64| format!("p {}", figures::format_probability(p));
    vec![
        SheetFact::new("Win rate of A", format!("{:.3}{left_out}", win.wins.rate())),
        SheetFact::part(format!("{level} % Wilson"), span_text(win.wilson)),
        SheetFact::part(format!("{level} % exact"), span_text(win.exact)),
        SheetFact::new("Binomial test against 1/2, exact", ""),
        SheetFact::part("two-sided", probability(win.two_sided)),
        SheetFact::part("A is stronger", probability(win.greater)),
    ]
}

fn span_text(interval: Interval) -> String {
    format!("{:.3} to {:.3}", interval.low, interval.high)
}

fn sprt_text(sprt: &SprtReport, [elo0, elo1]: [f64; 2]) -> String {
    let SprtReport { llr, lower, upper, decision } = sprt;
    let decision = match decision {
        SprtDecision::Continue => format!("undecided between {elo0} and {elo1} Elo"),
        SprtDecision::AcceptH0 => format!("H0 accepted, the difference is {elo0} Elo or less"),
        SprtDecision::AcceptH1 => format!("H1 accepted, the difference is {elo1} Elo or more"),
    };
    format!("LLR {llr:.2}, bounds {lower:.2} and {upper:.2}: {decision}")
}

/// How games ended, and how long they were.
fn game_facts(report: &MatchReport) -> Vec<SheetFact> {
    let reasons: Vec<String> =
        report.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    let mut facts = vec![SheetFact::new("Games ended by", reasons.join(", "))];
    facts.extend(report.length.as_ref().map(|length| {
        let (mean, least, most) = (length.mean(), length.min(), length.max());
        SheetFact::new("Moves in a game", format!("{mean:.1}, from {least} to {most}"))
    }));
    facts
}

/// What each player took for a move and for a game, and both together.
fn time_table(report: &MatchReport) -> SheetTable {
    let mut table = SheetTable::new(["Mean time", "#a move", "#a game"])
        .with_text_widths(&[14, 12, 14])
        .with_indented_rows();
    for (side, time) in ["A", "B"].iter().zip(&report.time) {
        let [per_move, per_game] = [time.per_move, time.per_game].map(figures::format_seconds);
        table.add_row([side.to_string(), per_move, per_game]);
    }
    table.add_row(["both".to_string(), String::new(), figures::format_seconds(report.seconds_per_game)]);
    table
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
        "files": contestant.files,
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
