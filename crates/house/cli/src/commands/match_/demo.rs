//! What `ishi match` plays when no players are named: a match to look at.

use std::path::{Path, PathBuf};

use ishi_arena::process::EngineCommand;

use super::options::{GameName, MatchArgs};

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
pub fn fill_players(args: &MatchArgs) -> MatchArgs {
    let args = args.clone();
    match args.game {
        _ if args.a.is_some() => args,
        GameName::Go => with_go_opponent(args, find_program("gnugo").as_deref()),
        GameName::Othello => with_othello_opponent(args, find_program("gtp-rhino").as_deref()),
    }
}

/// GRhino, or a lower level of ishi itself, is the opponent.
fn with_othello_opponent(args: MatchArgs, rhino: Option<&Path>) -> MatchArgs {
    let mut args = as_demo(args);
    args.a = Some("othello".to_string());
    args.name_a = args.name_a.or_else(|| Some("ishi".to_string()));
    match rhino {
        Some(path) => args.b = Some(format!("gtp:{}", quote_path(path))),
        None => {
            tell!("GRhino is not installed (no gtp-rhino in PATH): ishi plays a lower level");
            args.b = Some("othello:level=5".to_string());
            args.name_b = args.name_b.or_else(|| Some("ishi, level 5".to_string()));
        }
    }
    args
}

/// A short match that is drawn, and kept only where a database is named.
fn as_demo(mut args: MatchArgs) -> MatchArgs {
    args.pairs = args.pairs.or(args.games.map(|games| games / 2)).or(Some(PAIRS));
    args.games = None;
    args.no_db = args.db.is_none();
    args.show = true;
    args
}

fn with_go_opponent(args: MatchArgs, gnu_go: Option<&Path>) -> MatchArgs {
    let mut args = as_demo(args);
    args.a = Some(ISHI.to_string());
    args.name_a = args.name_a.or_else(|| Some("ishi".to_string()));
    match gnu_go {
        Some(path) => {
            let command = format!("{} {GNU_GO_OPTIONS}", quote_path(path));
            args.referee = args.referee.or_else(|| Some(command.clone()));
            args.b = Some(format!("gtp:{command}"));
        }
        None => {
            tell!("GNU Go is not installed (no gnugo in PATH): ishi plays a weaker self");
            args.b = Some(WEAKER.to_string());
            args.name_b = args.name_b.or_else(|| Some("ishi, fewer playouts".to_string()));
        }
    }
    args
}

/// The program of this name in PATH, or where Debian puts games.
fn find_program(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    folders.map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// The path as a word of a command line.
fn quote_path(path: &Path) -> String {
    EngineCommand { program: path.to_string_lossy().into_owned(), args: Vec::new(), directory: None }
        .to_string()
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use ishi_arena::PlayerSpec;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: MatchArgs,
    }

    fn parsed(line: &[&str]) -> MatchArgs {
        Line::parse_from([&["match"], line].concat()).args
    }

    fn players(args: &MatchArgs) -> [PlayerSpec; 2] {
        [&args.a, &args.b].map(|text| text.as_deref().unwrap().parse().unwrap())
    }

    #[test]
    fn gnu_go_is_opponent_and_referee_where_it_is_installed() {
        let args = with_go_opponent(parsed(&[]), Some(Path::new("/opt/my games/gnugo")));
        let [ishi, gnu_go] = players(&args);
        assert!(matches!(ishi, PlayerSpec::Builtin(_)));
        let PlayerSpec::External(command) = gnu_go else { panic!("{gnu_go:?} is no program") };
        assert_eq!(command.program, "/opt/my games/gnugo");
        assert_eq!(args.referee.unwrap().parse::<EngineCommand>().unwrap(), command);
        assert!(args.show && args.no_db);
    }

    #[test]
    fn without_it_ishi_plays_itself() {
        let args = with_go_opponent(parsed(&["--db", "kept.db", "--games", "4"]), None);
        assert!(players(&args).iter().all(|player| matches!(player, PlayerSpec::Builtin(_))));
        assert_eq!((args.referee, args.pairs, args.no_db), (None, Some(2), false));
    }

    #[test]
    fn players_that_are_named_are_left_alone() {
        let args = fill_players(&parsed(&["go-random", "go-capture"]));
        assert_eq!((args.a.as_deref(), args.pairs, args.show), (Some("go-random"), None, false));
    }
}
