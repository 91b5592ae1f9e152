//! What `ishi match` plays when no players are named: a match to look at.

use std::path::PathBuf;

use super::options::MatchArgs;
use crate::context::Failure;

/// ishi's player: a move takes about a tenth of a second on 9x9.
const ISHI: &str = "go-flat:playouts=10000";

/// Who plays ishi where GNU Go is not installed.
const WEAKER: &str = "go-flat:playouts=2000";

/// Pairs: about a minute on two cores.
const PAIRS: u64 = 3;

/// Area scoring and no repeated positions, as the match's own rules have it.
const GNU_GO_OPTIONS: &str = "--mode gtp --chinese-rules --positional-superko";

/// The arguments with players, if there are none: GNU Go, or ishi itself, is the opponent. Nothing is kept then unless
/// a database is named.
pub fn filled(args: &MatchArgs) -> Result<MatchArgs, Failure> {
    let mut args = args.clone();
    if args.a.is_some() {
        return Ok(args);
    }
    args.pairs = args.pairs.or(args.games.map(|games| games / 2)).or(Some(PAIRS));
    args.games = None;
    args.no_db = args.db.is_none();
    args.show = true;
    args.a = Some(ISHI.to_string());
    args.name_a = args.name_a.or_else(|| Some("ishi".to_string()));
    match gnu_go() {
        Some(path) => {
            let command = format!("{} {GNU_GO_OPTIONS}", quoted(&path)?);
            args.referee = args.referee.or_else(|| Some(command.clone()));
            args.b = Some(format!("gtp:{command}"));
        }
        None => {
            anstream::eprintln!("GNU Go is not installed (no gnugo in PATH): ishi plays a weaker self");
            args.b = Some(WEAKER.to_string());
            args.name_b = args.name_b.or_else(|| Some("ishi, fewer playouts".to_string()));
        }
    }
    Ok(args)
}

/// The program `gnugo` in PATH, or where Debian puts games.
fn gnu_go() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders.map(|folder| folder.join("gnugo")).find(|file| file.is_file())
}

/// The path as a word of a command line.
fn quoted(path: &std::path::Path) -> Result<String, Failure> {
    let command = ishi_arena::process::EngineCommand {
        program: path.to_string_lossy().into_owned(),
        args: Vec::new(),
        directory: None,
    };
    Ok(command.to_string())
}
