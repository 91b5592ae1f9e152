//! `ishi ratings`: Elo of all players in one or more databases of matches.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use ishi_go::BoardSize;
use ishi_lab::store::{GameFilter, GameRow, Store};
use ishi_sheet::{pad_text, text_width};
use ishi_stats::{
    ConfidenceLevel, EloEstimate, PairResult, PlayerIndex, RatingAnchor, RatingPrior, Ratings, RatingsParams,
    compute_ratings,
};
use serde_json::{Value, json};

use super::match_::GameName;
use crate::context::{Context, Failure};
use crate::{figures, files};

const HELP: &str = "\
Examples:
  ishi ratings ishi.db                                 all players of a database; their mean is 0
  ishi ratings ishi.db other.db --board 9x9            only games on 9x9; a game in both counts once
  ishi ratings ishi.db --anchor 'GNU Go 3.8' --anchor-elo 1800
  ishi ratings ishi.db --color-advantage --json        and what the first move is worth

Ratings are the most likely ones (Bradley-Terry). The intervals are those of the \
difference to the anchor. A player who won or lost everything has no finite \
rating. Then one virtual draw is added to every pair of players that met, and the \
report says so. --no-virtual-draws makes that an error. Of a match that \
--sprt has ended all finished games count, also those that the test did not need.";

/// Options of `ishi ratings`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct RatingsArgs {
    /// Databases written by `ishi match` or `ishi lab`: files, or postgres://USER@HOST/DATABASE
    #[arg(required = true, value_name = "DB")]
    databases: Vec<PathBuf>,
    /// The player whose rating is held fixed [default: the mean of all]
    #[arg(long, value_name = "NAME")]
    anchor: Option<String>,
    /// The rating of the anchor, or of the mean
    #[arg(long, default_value_t = 0.0, value_name = "ELO")]
    anchor_elo: f64,
    /// Only games on this board, such as 9 or 13x9
    #[arg(long, value_name = "SIZE")]
    board: Option<BoardSize>,
    /// Only this game, go or othello; needed where a database has both
    #[arg(long, value_name = "GAME")]
    game: Option<GameName>,
    /// Only games of this run
    #[arg(long, value_name = "NAME")]
    run: Option<String>,
    /// Estimate what playing Black is worth, too
    #[arg(long)]
    color_advantage: bool,
    /// Level of the intervals
    #[arg(long, default_value = "0.95", value_name = "LEVEL")]
    confidence: ConfidenceLevel,
    /// An error where a rating is infinite
    #[arg(long)]
    no_virtual_draws: bool,
}

/// Wins of Black, draws, wins of White, by the names of Black and White.
#[derive(Debug, Default)]
struct GameResults {
    games: u64,
    by_players: BTreeMap<(String, String), [u64; 3]>,
    /// What played under each name.
    specs: BTreeMap<String, BTreeSet<String>>,
    /// Databases with how many games each brought.
    sources: Vec<(String, u64)>,
}

/// Reads, rates, prints.
pub fn run(args: &RatingsArgs, context: &Context) -> Result<(), Failure> {
    let results = read_results(args)?;
    if results.games == 0 {
        let board = args.board.map_or(String::new(), |size| format!(" on {size}"));
        let run = args.run.as_ref().map_or(String::new(), |run| format!(" of run {run:?}"));
        let names = source_names(&results.sources);
        return Err(Failure::Input(format!("no finished games in {names}{board}{run}")));
    }
    for (name, specs) in results.ambiguous_names().filter(|_| !context.quiet) {
        let specs = specs.iter().map(String::as_str).collect::<Vec<_>>().join("; ");
        tell!(
            "ishi: {name:?} is rated as one player, but stands for {specs}; --name-a and --name-b tell them apart"
        );
    }
    let rated = rate_players(args, &results)?;
    let text =
        if context.json { json_text(args, &results, &rated)? } else { ratings_table(&results, &rated) };
    files::print_bytes(text.as_bytes())
}

/// All games, those that stand in several databases once.
fn read_results(args: &RatingsArgs) -> Result<GameResults, Failure> {
    let filter = GameFilter {
        run: args.run.clone(),
        board: args.board.map(|size| size.to_string()),
        game: args.game.map(|game| game.to_string()),
        ..GameFilter::default()
    };
    let mut seen = BTreeSet::new();
    let mut results = GameResults::default();
    for path in &args.databases {
        let store = Store::open_read_only(path)?;
        let mut new = 0;
        for kept in store.find_kept_games(&filter)? {
            if seen.insert((kept.task, kept.number)) {
                new += u64::from(results.add_game(&kept.game));
            }
        }
        results.sources.push((store.path().display().to_string(), new));
    }
    Ok(results)
}

impl GameResults {
    /// Counts a game; not those without result, and not those of a player against itself.
    fn add_game(&mut self, game: &GameRow) -> bool {
        let column = match (game.winner.as_str(), game.result.as_str()) {
            ("B", _) => 0,
            ("W", _) => 2,
            (_, "0") => 1,
            _ => return false,
        };
        if game.black == game.white {
            return false;
        }
        for (name, spec) in [(&game.black, &game.black_spec), (&game.white, &game.white_spec)] {
            self.specs.entry(name.clone()).or_default().insert(spec.clone());
        }
        let key = (game.black.clone(), game.white.clone());
        self.by_players.entry(key).or_default()[column] += 1;
        self.games += 1;
        true
    }

    /// Names under which different players stand, with what they are.
    fn ambiguous_names(&self) -> impl Iterator<Item = (&String, &BTreeSet<String>)> {
        self.specs.iter().filter(|(_, specs)| specs.len() > 1)
    }

    fn player_names(&self) -> Vec<String> {
        let names: BTreeSet<&String> =
            self.by_players.keys().flat_map(|(black, white)| [black, white]).collect();
        names.into_iter().cloned().collect()
    }
}

fn source_names(sources: &[(String, u64)]) -> String {
    sources.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
}

fn rate_players(args: &RatingsArgs, results: &GameResults) -> Result<Ratings, Failure> {
    let names = results.player_names();
    let player = |name: &str| names.iter().position(|known| known == name).map(PlayerIndex);
    let anchor = match &args.anchor {
        None => RatingAnchor::Mean,
        Some(name) => RatingAnchor::Player(player(name).ok_or_else(|| {
            Failure::Input(format!("no games of {name:?}: the players are {}", names.join(", ")))
        })?),
    };
    let pair = |(players, counts): (&(String, String), &[u64; 3])| {
        let (first, second) = (player(&players.0)?, player(&players.1)?);
        let [wins, draws, losses] = *counts;
        Some(PairResult { first, second, wins, draws, losses })
    };
    let pairs: Vec<PairResult> = results.by_players.iter().filter_map(pair).collect();
    let params = RatingsParams {
        anchor,
        anchor_elo: args.anchor_elo,
        prior: if args.no_virtual_draws { RatingPrior::Off } else { RatingPrior::IfNeeded(1.0) },
        first_move_advantage: args.color_advantage,
        confidence: args.confidence,
    };
    compute_ratings(&names, &pairs, &params).map_err(Failure::input)
}

fn ratings_table(results: &GameResults, rated: &Ratings) -> String {
    let ranking = rated.ranking();
    let width = ranking.iter().map(|line| text_width(&line.name)).max().unwrap_or(0).max(6);
    let mut out = format!("rank  {:<width$}     elo      interval         games   score\n", "player");
    for (index, line) in ranking.iter().enumerate() {
        let EloEstimate { elo, interval, .. } = line.rating;
        let span = format!("{} to {}", figures::format_elo(interval.low), figures::format_elo(interval.high));
        let elo = figures::format_elo(elo);
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "{:>4}  {}  {elo:>6}  {span:>16}  {:>8}  {:>6.3}",
            index + 1,
            pad_text(&line.name, width, false),
            line.games,
            line.score
        );
    }
    if let Some(EloEstimate { elo, interval, .. }) = rated.advantage {
        let [elo, low, high] = [elo, interval.low, interval.high].map(figures::format_elo);
        let _ = writeln!(out, "Black is worth {elo} Elo ({low} to {high})");
    }
    if rated.virtual_draws > 0.0 {
        let draws = rated.virtual_draws;
        let _ = writeln!(
            out,
            "A player won or lost everything: {draws} virtual draw was added to each pair that met."
        );
    }
    let _ = writeln!(out, "{} games of {}", results.games, source_names(&results.sources));
    out
}

fn json_text(args: &RatingsArgs, results: &GameResults, rated: &Ratings) -> Result<String, Failure> {
    let estimate = |e: &EloEstimate| json!({ "elo": e.elo, "std_error": e.std_error, "interval": [e.interval.low, e.interval.high] });
    let players: Vec<Value> = rated
        .ranking()
        .iter()
        .map(|line| {
            let mut value = estimate(&line.rating);
            value["name"] = json!(line.name);
            value["games"] = json!(line.games);
            value["score"] = json!(line.score);
            value
        })
        .collect();
    let value = json!({
        "players": players,
        "color_advantage": rated.advantage.as_ref().map(estimate),
        "virtual_draws": rated.virtual_draws,
        "confidence": args.confidence.level(),
        "games": results.games,
        "ambiguous_names": results.ambiguous_names().collect::<BTreeMap<_, _>>(),
        "databases": results.sources.iter().map(|(path, games)| json!({ "path": path, "games": games })).collect::<Vec<_>>(),
    });
    Ok(crate::made_by::to_json(&value)? + "\n")
}
