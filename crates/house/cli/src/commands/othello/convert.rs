//! `ishi othello convert`: records from one format to another.

use std::path::PathBuf;

use clap::Args;
use ishi_words::format_count;

use super::records::{self, RecordFormat};
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi othello convert game.ggf --to sgf -o game.sgf
  ishi othello convert WTH_2022.wtb.gz --players wthor.jou --to ggf -o 2022.ggf
  ishi othello convert games.txt --to wthor -o games.wtb
  ishi othello convert game.sgf --to transcript -o -     to standard output

The format of FILE is recognised by its ending (.wtb .obf .ggf .sgf), otherwise by what is \
in it. Files packed by gzip are unpacked. Every game is replayed: an illegal move is an error \
that says where it stands. Formats of positions (obf, text) get the position at the end of \
each game. WTHOR is written with its lists of names beside it (.jou, .trn), if there are \
names. All its games must be of one year.";

/// Converts records.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct OthelloConvertArgs {
    /// Records in any of the formats; - is standard input
    file: PathBuf,
    /// The format to write
    #[arg(long, value_enum)]
    to: RecordFormat,
    /// Where to write it; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Names of the players of a WTHOR file
    #[arg(long, value_name = "FILE.jou")]
    players: Option<PathBuf>,
    /// Names of the tournaments of a WTHOR file
    #[arg(long, value_name = "FILE.trn")]
    tournaments: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
}

/// Reads, replays and writes.
pub fn run(args: &OthelloConvertArgs, context: &Context) -> Result<(), Failure> {
    let directory = records::read_directory(args.players.as_deref(), args.tournaments.as_deref())?;
    let records = records::load_records(&args.file, &directory)?;
    let files = records::encode_records(args.to, &records, &args.output)
        .map_err(|error| Failure::in_file(&args.file, error))?;
    for (path, bytes) in &files {
        files::write_file(path, bytes, args.force)?;
    }
    if !context.quiet && args.output.as_os_str() != "-" {
        tell!("{} written", format_count(records.len(), "record"));
    }
    Ok(())
}
