//! `ishi othello perft`: counts of move sequences, the usual test of the rules.

use std::fmt::Write;

use clap::Args;
use ishi_othello::Board;
use ishi_othello::perft::{PUBLISHED, perft};
use serde::Serialize;

use super::coach::{print_json, print_text};
use super::records::{self, WthorDirectory};
use crate::context::{Context, Failure};

const HELP: &str = "\
Examples:
  ishi othello perft 9                          from the start, with the published counts
  ishi othello perft 6 --position f5d6c3
  ishi othello perft 10 --json

A pass is a ply. A finished game counts once at any depth. Depth 11 takes a second or less, \
and each further ply about nine times as long.";

/// Counts move sequences.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct OthelloPerftArgs {
    /// Plies to play
    #[arg(value_parser = clap::value_parser!(u32).range(..=60))]
    depth: u32,
    /// A transcript, a position, or a file; the start if not given
    #[arg(long, default_value = "start", value_name = "POSITION", allow_hyphen_values = true)]
    position: String,
}

#[derive(Serialize)]
struct PerftRow {
    depth: u32,
    count: u64,
    /// The published count; from the start only.
    published: Option<u64>,
}

/// Counts depth after depth, so that a deep one can be stopped.
pub fn run(args: &OthelloPerftArgs, context: &Context) -> Result<(), Failure> {
    let records = records::read_given(&args.position, &WthorDirectory::default())?;
    let board = records.first().map_or(Board::START, |record| record.game.board());
    let mut rows = Vec::new();
    for depth in 1..=args.depth {
        let count = context.run_until_stopped(move || perft(board, depth))?;
        let published = PUBLISHED.get(depth as usize).copied().filter(|_| board == Board::START);
        let row = PerftRow { depth, count, published };
        if !context.json {
            print_text(format_row(&row))?;
        }
        rows.push(row);
    }
    if context.json {
        print_json(&rows)?;
    }
    match rows.iter().find(|row| row.published.is_some_and(|published| published != row.count)) {
        Some(row) => Err(Failure::Negative(format!("depth {} is not the published count", row.depth))),
        None => Ok(()),
    }
}

fn format_row(row: &PerftRow) -> String {
    let mut line = format!("{:2} {:>14}", row.depth, row.count);
    if let Some(published) = row.published {
        let same = if published == row.count { "as published" } else { "NOT as published" };
        let _ = write!(line, "  {same}");
    }
    line + "\n"
}
