//! `ishi deck generate`: a world of pieces, archetypes and players' decks, as a pool.

use std::path::PathBuf;

use clap::Args;
use ishi_deck::generate::{CostScheme, DeckWorld, LEAST_PIECES, WorldOptions, random_dense_pool};
use ishi_deck::{PairScoreTable, Pool};
use ishi_deck_documents::pool;
use ishi_rng::Seed;
use serde::Serialize;

use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::number_in;

const HELP: &str = "\
Examples:
  ishi deck generate --pieces 2000 --seed 7 --out pool.json
  ishi deck generate --pieces 300 --themes 12 --out pool.json --decks decks.csv
  ishi deck generate --pieces 500 --tiers --out pool.json
  ishi deck generate --pieces 500 --random --out pool.json

Players draw decks from archetypes, and the pool's scores are counted from those decks. The same seed and options \
give the same pool. --random has no archetypes: every pair scores by chance, which nothing can prove quickly.";

/// Options of `ishi deck generate`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct DeckGenerateArgs {
    /// Pieces
    #[arg(long, default_value_t = 2000, value_parser = number_in::<usize>(LEAST_PIECES..=MOST_PIECES))]
    pieces: usize,
    /// Archetypes [default: one for every 40 pieces, 6 to 80]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1000))]
    themes: Option<u16>,
    /// Elements: attributes of which every piece has one [default: 3]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=50))]
    elements: Option<u16>,
    /// Decks of players that scores are counted from [default: ten a piece]
    #[arg(long, value_parser = clap::value_parser!(u32).range(100..=2_000_000))]
    players: Option<u32>,
    /// Costs of 20, 10 and 5 only, which trap searches by single swaps
    #[arg(long)]
    tiers: bool,
    /// Scores by chance, without archetypes
    #[arg(long, conflicts_with_all = ["tiers", "themes", "elements", "players", "decks"])]
    random: bool,
    /// Write the pool here (JSON); - is standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Write the players' decks here: a line a deck, the leader first (CSV)
    #[arg(long, value_name = "FILE")]
    decks: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
}

/// More pieces make tables that no pool needs.
const MOST_PIECES: usize = 20_000;

#[derive(Serialize)]
struct GenerateReport {
    seed: String,
    pieces: usize,
    groups: usize,
    themes: usize,
    decks: usize,
    /// The share of ordered pairs that score.
    scored_pairs: f64,
}

/// Draws and writes.
pub fn run(args: &DeckGenerateArgs, context: &Context) -> Result<(), Failure> {
    let outputs = [Some(&args.out), args.decks.as_ref()];
    if outputs.into_iter().flatten().filter(|path| files::is_standard(path)).count() > 1 {
        return Err(Failure::input("--out and --decks cannot both be standard output"));
    }
    let options = (!args.random).then(|| world_options(args));
    let (seed, pieces) = (context.seed, args.pieces);
    let drawn = context.run_until_stopped(move || draw_pool(options, pieces, seed))?;
    let DrawnPool { world, pool, text } = drawn;
    files::write_file(&args.out, text.as_bytes(), args.force)?;
    if let (Some(path), Some(world)) = (&args.decks, &world) {
        files::write_file(path, decks_csv(world).as_bytes(), args.force)?;
    }
    if outputs.into_iter().flatten().any(|path| files::is_standard(path)) {
        return Ok(());
    }
    let report = build_report(&pool, world.as_ref(), context);
    files::print_result(context, &report, || format_report(&report))
}

/// A pool, the world that it is from if it is from one, and its document.
struct DrawnPool {
    world: Option<DeckWorld>,
    pool: Pool,
    text: String,
}

/// Draws a pool out of a world with these options; without any, scores of all pairs.
fn draw_pool(options: Option<WorldOptions>, pieces: usize, seed: Seed) -> DrawnPool {
    let kind = if options.is_some() { "generated" } else { "random" };
    let name = format!("{kind} {pieces} pieces, seed {seed}");
    let world = options.map(|options| DeckWorld::new(seed, options));
    let pool = match &world {
        Some(world) => world.build_pool(),
        None => random_dense_pool(seed, pieces),
    };
    let text = pool::write_pool(&pool, Some(&name));
    DrawnPool { world, pool, text }
}

fn world_options(args: &DeckGenerateArgs) -> WorldOptions {
    let usual = WorldOptions::for_pieces(args.pieces);
    WorldOptions {
        themes: args.themes.map_or(usual.themes, usize::from),
        elements: args.elements.map_or(usual.elements, usize::from),
        costs: if args.tiers { CostScheme::Tiers } else { usual.costs },
        decks: args.players.map_or(usual.decks, |players| players as usize),
        ..usual
    }
}

/// A line a deck: `leader,card,card,...`.
fn decks_csv(world: &DeckWorld) -> String {
    let mut text = String::new();
    for deck in &world.decks {
        let names: Vec<&str> =
            deck.pieces.iter().map(|piece| world.pieces[piece.index()].name.as_str()).collect();
        text += &names.join(",");
        text.push('\n');
    }
    text
}

fn scored_pair_share(table: &PairScoreTable) -> f64 {
    let side = table.side();
    let cells: usize = (0..side).map(|row| table.nonzero_entries(row).count()).sum();
    cells as f64 / (side * side) as f64
}

fn build_report(pool: &Pool, world: Option<&DeckWorld>, context: &Context) -> GenerateReport {
    GenerateReport {
        seed: context.seed.to_string(),
        pieces: pool.pieces.len(),
        groups: pool.groups.len(),
        themes: world.map_or(0, |world| world.themes.len()),
        decks: world.map_or(0, |world| world.decks.len()),
        scored_pairs: scored_pair_share(&pool.pairs),
    }
}

fn format_report(report: &GenerateReport) -> String {
    let GenerateReport { seed, pieces, groups, themes, decks, scored_pairs } = report;
    format!(
        "{pieces} pieces, {groups} groups, {themes} archetypes, {decks} decks of players, seed {seed}\n\
         {:.1} % of the pairs score\n",
        scored_pairs * 100.0
    )
}
