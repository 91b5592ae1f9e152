//! `ishi othello league`: ranks evaluations by games that look one move ahead.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ishi_othello::oneply::{LeagueRules, MatchTally};
use ishi_othello_play::league::{
    League, LeagueChunk, LeagueEntrant, LeagueMember, LeagueStanding, Standings, score_interval,
};
use ishi_sheet::{pad_text, text_width};
use ishi_stats::Interval;
use serde_json::{Value, json};

use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::parse_probability;
use crate::progress::StepDisplay;

const HELP: &str = "\
Examples:
  ishi othello league standard random                     how much better than chance is the usual measure?
  ishi othello league standard mine.txt --games 50000     your weights, 100,000 games, half with either colour
  ishi othello league standard random *.player            a round robin with published networks
  ishi othello league a.txt b.txt --epsilon 0 --json      without random moves; figures as JSON

A player is `standard` (Yoshioka's piece counter), `random`, or a file: 10 weights (a1 b1 c1 d1 b2 c2 d2 c3 d3 d4) or 64 \
(row by row), a published n-tuple network (.player), or a network of ishi. Every player looks one move ahead, takes \
one of the best moves at random, and with probability epsilon any legal move. A score against the standard alone \
says little: add random and others. The same seed gives the same games for any --threads. Ctrl-C prints what is \
finished (exit code 130).";

/// Options of `ishi othello league`.
#[derive(clap::Args, Debug)]
#[command(after_long_help = HELP)]
pub struct LeagueArgs {
    /// Players: `standard`, `random`, or files
    #[arg(required = true, num_args = 2.., value_name = "PLAYER")]
    players: Vec<String>,
    /// Double games (one with either colour) of each two players
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: u64,
    /// The probability of a random move, in every turn
    #[arg(long, default_value_t = 0.1, value_name = "P", value_parser = parse_probability)]
    epsilon: f64,
}

/// Plays, ranks, prints.
pub fn run(args: &LeagueArgs, context: &Context) -> Result<(), Failure> {
    let entrants = read_entrants(&args.players)?;
    let rules = LeagueRules { epsilon: args.epsilon };
    let league = League::new(entrants, args.games, rules, context.seed).map_err(Failure::input)?;
    let played = play_league(&league, context);
    let standings = league.standings(played.iter().map(|(chunk, tally)| (chunk, *tally)));
    let stopped = context.is_stop_requested() && played.len() < league.list_chunks().len();
    if context.json {
        files::print_json(&league_json(args, context, &league, &standings, stopped))?;
    } else {
        files::print_bytes(standings_table(args, context, &league, &standings).as_bytes())?;
    }
    if stopped { Err(Failure::Interrupted) } else { Ok(()) }
}

/// The players, with short names where these are enough to tell them apart.
fn read_entrants(players: &[String]) -> Result<Vec<LeagueEntrant>, Failure> {
    let stem = |player: &String| -> String {
        let stem = Path::new(player).file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    };
    let mut entrants = Vec::new();
    for player in players {
        let alone = players.iter().filter(|other| stem(other) == stem(player)).count() == 1;
        let name = if alone { stem(player) } else { player.clone() };
        entrants.push(LeagueEntrant { name, member: read_member(player)? });
    }
    Ok(entrants)
}

fn read_member(player: &str) -> Result<LeagueMember, Failure> {
    if let Some(member) = LeagueMember::from_name(player) {
        return Ok(member);
    }
    // As `ishi match` names such a file.
    let player = player.strip_prefix("wpc:").unwrap_or(player);
    let path = PathBuf::from(player);
    if !path.exists() {
        return Err(Failure::Input(format!(
            "no player {player:?}: a player must be `standard`, `random`, or a file of weights or of a network"
        )));
    }
    LeagueMember::from_bytes(&files::read_file_or_stdin(&path)?)
        .map_err(|error| Failure::Input(format!("{player}: {error}")))
}

/// Plays chunk after chunk on all threads until all are done or the user stops; in their order.
fn play_league(league: &League, context: &Context) -> Vec<(LeagueChunk, MatchTally)> {
    let chunks = league.list_chunks();
    let next = AtomicUsize::new(0);
    let progress = Mutex::new(StepDisplay::new(chunks.len() as u64, "pieces", context));
    let played = Mutex::new(vec![None; chunks.len()]);
    let work = || {
        while !context.is_stop_requested() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(chunk) = chunks.get(number) else { break };
            let tally = league.play_chunk(chunk);
            if let Ok(mut played) = played.lock() {
                played[number] = Some(tally);
            }
            if let Ok(mut progress) = progress.lock() {
                progress.finish_step("");
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..context.threads.clamp(1, chunks.len()) {
            scope.spawn(work);
        }
    });
    drop(progress);
    let played = played.into_inner().unwrap_or_default();
    chunks.into_iter().zip(played).filter_map(|(chunk, tally)| Some((chunk, tally?))).collect()
}

fn interval_text(interval: Interval) -> String {
    format!("{:.4} to {:.4}", interval.low, interval.high)
}

fn standings_table(args: &LeagueArgs, context: &Context, league: &League, standings: &Standings) -> String {
    let ranking = standings.ranking();
    let name = |standing: &LeagueStanding| league.entrants()[standing.entrant].name.as_str();
    let width = ranking.iter().map(|standing| text_width(name(standing))).max().unwrap_or(0).max(6);
    let mut text = format!(
        "{} double games of each two, epsilon {}, seed {}\n\n",
        args.games, args.epsilon, context.seed
    );
    let columns: Vec<String> = (1..=ranking.len()).map(|place| format!("{place:>6}")).collect();
    let head = format!(
        "    {:width$}   mean  {:16}  {:>7} {:>6} {}",
        "player",
        "95% interval",
        "Elo",
        "+-",
        columns.concat()
    );
    let _ = writeln!(text, "{}", head.trim_end());
    for (place, standing) in ranking.iter().enumerate() {
        let LeagueStanding { entrant, mean, interval, elo } = standing;
        let elo = elo.map_or(format!("{:>7} {:>6}", "-", ""), |elo| {
            format!("{:>+7.1} {:>6.1}", elo.elo, elo.interval.width() / 2.0)
        });
        let _ = write!(
            text,
            "{:>3} {} {mean:.4}  {}  {elo} ",
            place + 1,
            pad_text(name(standing), width, false),
            interval_text(*interval)
        );
        for other in &ranking {
            let tally = standings.tally_against(*entrant, other.entrant);
            let score =
                if tally.game_count() == 0 { "-".into() } else { format!("{:.3}", tally.mean_score()) };
            let _ = write!(text, "{score:>6}");
        }
        text.push('\n');
    }
    text + &pairings_text(league, standings, &ranking)
}

/// A line for each two players.
fn pairings_text(league: &League, standings: &Standings, ranking: &[LeagueStanding]) -> String {
    let mut text = format!("\n{:>8} {:>6} {:>8}  score  95% interval\n", "won", "drawn", "lost");
    for (place, standing) in ranking.iter().enumerate() {
        for other in &ranking[place + 1..] {
            let tally = standings.tally_against(standing.entrant, other.entrant);
            if tally.game_count() == 0 {
                continue;
            }
            let MatchTally { wins, draws, losses } = tally;
            let names = [standing, other].map(|standing| league.entrants()[standing.entrant].name.as_str());
            let _ = writeln!(
                text,
                "{wins:>8} {draws:>6} {losses:>8} {:.4}  {}  {}",
                tally.mean_score(),
                interval_text(score_interval(tally)),
                names.join(" - ")
            );
        }
    }
    text
}

fn league_json(
    args: &LeagueArgs,
    context: &Context,
    league: &League,
    standings: &Standings,
    stopped: bool,
) -> Value {
    let entrant = |place: usize| &league.entrants()[place];
    let ranking = standings.ranking();
    let player = |standing: &LeagueStanding| {
        json!({
            "name": entrant(standing.entrant).name,
            "kind": entrant(standing.entrant).member.describe_kind(),
            "mean_score": standing.mean,
            "interval": standing.interval,
            "elo": standing.elo.map(|elo| elo.elo),
            "elo_interval": standing.elo.map(|elo| elo.interval),
        })
    };
    let mut pairings: Vec<Value> = Vec::new();
    for (place, standing) in ranking.iter().enumerate() {
        for other in &ranking[place + 1..] {
            let tally = standings.tally_against(standing.entrant, other.entrant);
            pairings.push(json!({
                "player": entrant(standing.entrant).name,
                "opponent": entrant(other.entrant).name,
                "wins": tally.wins,
                "draws": tally.draws,
                "losses": tally.losses,
                "score": tally.mean_score(),
                "interval": score_interval(tally),
            }));
        }
    }
    json!({
        "double_games": args.games,
        "epsilon": args.epsilon,
        "seed": context.seed.to_string(),
        "complete": !stopped,
        "players": ranking.iter().map(player).collect::<Vec<_>>(),
        "pairings": pairings,
    })
}
