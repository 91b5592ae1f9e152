//! `ishi go learn-shapes`: patterns mined in records.

pub(crate) mod share;

use std::fmt::Write;
use std::io;
use std::path::PathBuf;

use clap::Args;
use ishi_patterns::library::mine::parts::{MinedPartError, NumberStore, PartedMining};
use ishi_patterns::library::mine::{MineParams, MinedPatterns};
use ishi_patterns::library::{Pattern, PatternLibrary};
use serde::Serialize;

use super::games::read_games;
use super::shapes::{encode_library, read_library};
use crate::context::{Context, Failure};
use crate::files::{self, TemporaryFile};
use crate::numbers::number_in;

pub(super) const HELP: &str = "\
Examples:
  ishi go learn-shapes games.txt.gz --out my.txt         text, to read and edit
  ishi go learn-shapes games.txt.gz --out my.bin         packed
  ishi go learn-shapes games.txt.gz --with hand.txt --out my.bin    others before the mined ones
  ishi go learn-shapes games.txt.gz --games 2000 --min-count 20 --min-share 0.4 --json

Counts what lies around the moves of games on 19x19 without handicap that somebody won, in \
windows from 3x3 to 8x8 points that grow while they are played often enough. What is kept is \
played where it is seen, and does not lose more than it should. What followed becomes the \
tree. docs/patterns.md explains it. `ishi go shapes --library my.txt` looks at what was found.

`ishi go records` makes games.txt.gz out of SGF. The result does not depend on --threads. \
Ctrl-C ends without a result (exit code 130).";

/// Options of `ishi go learn-shapes`.
#[derive(Args, Debug)]
pub(crate) struct LearnShapesArgs {
    /// Games (of `ishi go records`) to mine; - is standard input
    #[arg(value_name = "GAMES")]
    games: PathBuf,
    /// Mine the first so many games only
    #[arg(long = "games", value_name = "N", value_parser = number_in::<usize>(1..))]
    games_limit: Option<usize>,
    /// Where the patterns go: text if the name ends in .txt, else packed
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// Patterns to put before the mined ones
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// A pattern is kept if its move was played so often
    #[arg(long, default_value_t = MineParams::default().min_count, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    min_count: u32,
    /// A pattern is kept if its move was played in such a share of the times that it was seen near the played one, 0 to 1
    #[arg(long, default_value_t = MineParams::default().min_share, value_name = "SHARE", value_parser = number_in::<f64>(0.0..=1.0))]
    min_share: f64,
    /// A window is kept beside the one inside it if its share is so many times as large
    #[arg(long, default_value_t = MineParams::default().growth, value_name = "FACTOR", value_parser = number_in::<f64>(1.0..=1000.0))]
    growth: f64,
    /// Moves of a tree in a line, the pattern's own among them
    #[arg(long, default_value_t = MineParams::default().depth, value_name = "N", value_parser = number_in::<usize>(1..=32))]
    depth: usize,
    /// A later move of a tree is kept if it was played so often
    #[arg(long, default_value_t = MineParams::default().min_follow, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    min_follow: u32,
    /// The most patterns
    #[arg(long, default_value_t = MineParams::default().most, value_name = "N", value_parser = number_in::<usize>(1..))]
    most: usize,
}

#[derive(Serialize)]
struct LearnShapesReport {
    games: usize,
    patterns: usize,
    moves: usize,
    /// Windows that were played often enough, the smallest first.
    frequent: Vec<usize>,
    unusual: usize,
    losing: usize,
    /// Patterns that were given by --with.
    given: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<usize>,
}

impl LearnShapesArgs {
    fn mine_params(&self, threads: usize) -> MineParams {
        MineParams {
            min_count: self.min_count,
            min_share: self.min_share,
            growth: self.growth,
            depth: self.depth,
            min_follow: self.min_follow,
            most: self.most,
            threads,
        }
    }

    /// The patterns that are put before the mined ones.
    fn read_given(&self) -> Result<PatternLibrary, Failure> {
        let mut library = PatternLibrary::default();
        for path in &self.with {
            add_patterns(&mut library, &read_library(path)?)
                .map_err(|error| Failure::in_file(path, error))?;
        }
        Ok(library)
    }
}

/// Mines and writes.
pub(super) fn run(args: &LearnShapesArgs, context: &Context) -> Result<(), Failure> {
    files::check_all_writable(&args.out, args.force)?;
    let given = args.read_given()?;
    let games = read_games(&args.games, args.games_limit.unwrap_or(usize::MAX))?;
    check_games(args, games.len())?;
    let count = games.len();
    let mining = PartedMining::new(games, args.mine_params(context.threads));
    let mined = mine_here(&mining, count, context).map_err(Failure::outside)?;
    let (library, mut report) = add_mined(given, mined.ok_or(Failure::Interrupted)?, count)?;
    if let Some(out) = &args.out {
        let bytes = encode_library(&library, out);
        report.bytes = Some(bytes.len());
        files::write_file(out, &bytes, args.force)?;
    }
    files::print_result_beside(args.out.as_deref(), context, &report, || report.to_text())
}

/// What so many games have, with temporary files for what does not fit into memory; `None` after Ctrl-C.
fn mine_here(
    mining: &PartedMining,
    games: usize,
    context: &Context,
) -> Result<Option<MinedPatterns>, MinedPartError> {
    mining.mine_here(&name_source(games), NumberFile::default, &|| context.is_stop_requested())
}

/// Numbers in a temporary file, eight bytes each.
#[derive(Default)]
struct NumberFile(TemporaryFile);

impl NumberStore for NumberFile {
    fn append_numbers(&mut self, numbers: &[u64]) -> io::Result<()> {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.0.append(&bytes)
    }

    fn read_numbers(&mut self, place: u64, numbers: &mut [u64]) -> io::Result<()> {
        let mut bytes = vec![0; 8 * numbers.len()];
        self.0.read_at(place.saturating_mul(8), &mut bytes)?;
        for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks::<8>().0) {
            *number = u64::from_le_bytes(*bytes);
        }
        Ok(())
    }
}

fn check_games(args: &LearnShapesArgs, games: usize) -> Result<(), Failure> {
    if games > 0 { Ok(()) } else { Err(Failure::in_file(&args.games, "there are no games")) }
}

/// What patterns that are mined in so many games have as their source.
fn name_source(games: usize) -> String {
    format!("mined in {games} games")
}

/// The mined patterns behind those that are given, and what is to be said of both.
fn add_mined(
    mut library: PatternLibrary,
    mined: MinedPatterns,
    games: usize,
) -> Result<(PatternLibrary, LearnShapesReport), Failure> {
    let MinedPatterns { library: mined, frequent, unusual, losing } = mined;
    let given = library.patterns().len();
    add_patterns(&mut library, &mined).map_err(|error| Failure::input(format!("--with: {error}")))?;
    let report = LearnShapesReport {
        games,
        patterns: mined.patterns().len(),
        moves: mined.patterns().iter().map(Pattern::move_count).sum(),
        frequent,
        unusual,
        losing,
        given,
        bytes: None,
    };
    Ok((library, report))
}

fn add_patterns(library: &mut PatternLibrary, others: &PatternLibrary) -> Result<(), String> {
    let add = |pattern: &Pattern| {
        let named = |error| format!("pattern {}: {error}", pattern.name);
        library.add_pattern(pattern.clone()).map_err(named)
    };
    others.patterns().iter().try_for_each(add)
}

impl LearnShapesReport {
    fn to_text(&self) -> String {
        let mut text =
            format!("{} patterns with {} moves, from {} games.\n", self.patterns, self.moves, self.games);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  windows played often enough, by size: {:?}", self.frequent);
        let _ = writeln!(
            text,
            "  left out: {} unusual or told by a smaller one, {} losing",
            self.unusual, self.losing
        );
        if self.given > 0 {
            let _ = writeln!(text, "  put before them: {}", self.given);
        }
        if let Some(bytes) = self.bytes {
            let _ = writeln!(text, "  written: {bytes} bytes");
        }
        text
    }
}
