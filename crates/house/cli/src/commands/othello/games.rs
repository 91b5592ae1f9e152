//! `ishi othello games`: the games of the WTHOR database that reached a position.

use std::fmt::Write;
use std::io::{Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use ishi_othello::Position;
use ishi_othello::games_index::{
    GameResults, IndexedGame, PositionGames, build_games_index, find_position_games,
};
use ishi_othello::wthor::{WthorDatabase, WthorGame};
use ishi_othello_play::openings::OpeningNames;
use serde::Serialize;

use super::coach::{Language, input, moves_text, print_json, print_text};
use super::records::{self, WthorDirectory};
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi othello games WTH_*.wtb --index wthor.index     make an index once
  ishi othello games --index wthor.index --position f5d6c3d3c4
  ishi othello games --index wthor.index --position f5 --players WTHOR.JOU --show 20
  ishi othello games WTH_2022.wtb --position f5d6      one file, without an index

Positions that only symmetry tells apart count as one. Results are for the side to move. The \
index stands beside the files, and holds all that is asked for. It is read in parts, so a \
question takes some milliseconds.";

/// Searches WTHOR files by position: results, and what was played next.
#[derive(Args, Debug)]
#[command(
    after_long_help = HELP,
    group = ArgGroup::new("searched").args(["files", "index"]).required(true).multiple(true)
)]
pub struct OthelloGamesArgs {
    /// WTHOR files (.wtb), packed by gzip or not
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The index: written from the files if any are given, else read
    #[arg(long, value_name = "INDEX")]
    index: Option<PathBuf>,
    /// Replace the index if it exists
    #[arg(long, requires = "index")]
    force: bool,
    /// Moves, a board, a link, or start
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    position: Option<String>,
    /// Games to list, the latest first
    #[arg(long, value_name = "N", default_value_t = 5)]
    show: usize,
    /// Names of the players
    #[arg(long, value_name = "FILE.jou")]
    players: Option<PathBuf>,
    /// Language of the output
    #[arg(long, default_value = "en", value_name = "en|ja")]
    lang: Language,
}

/// Makes an index, or answers a question.
pub fn run(args: &OthelloGamesArgs, context: &Context) -> Result<(), Failure> {
    let position = args.position.as_deref().map(input::parse_position).transpose()?;
    if let ([], Some(index)) = (&args.files[..], &args.index) {
        return print_answer(index, position.unwrap_or_else(Position::start), args, context);
    }
    files::check_all_writable(&args.index, args.force)?;
    let games = read_all_games(&args.files)?;
    let bytes = build_games_index(&games);
    if let Some(path) = &args.index {
        files::write_file(path, &bytes, args.force)?;
        if position.is_none() {
            let written = json_object! { games: games.len(), bytes: bytes.len() };
            return files::print_result(context, &written, || {
                let (path, games, bytes) = (path.display(), written.games, written.bytes);
                args.lang.choose(
                    format!("{path}: {games} games, {bytes} bytes\n"),
                    format!("{path}：{games}局、{bytes}バイト\n"),
                )
            });
        }
    }
    let answer = find_games(&mut Cursor::new(&bytes), position.unwrap_or_else(Position::start), args)?;
    print_found(&answer, args, context)
}

fn print_answer(
    path: &Path,
    position: Position,
    args: &OthelloGamesArgs,
    context: &Context,
) -> Result<(), Failure> {
    let mut file = files::open_seekable(path)?;
    let answer = find_games(&mut file, position, args).map_err(|error| Failure::in_file(path, error))?;
    print_found(&answer, args, context)
}

fn read_all_games(paths: &[PathBuf]) -> Result<Vec<WthorGame>, Failure> {
    let mut games = Vec::new();
    for path in paths {
        let database = WthorDatabase::from_bytes(&files::read_unpacked(path)?)
            .map_err(|error| Failure::in_file(path, error))?;
        games.extend(database.games);
    }
    Ok(games)
}

/// A position with what is known of it.
struct GamesAnswer {
    position: Position,
    found: PositionGames,
}

fn find_games(
    index: &mut (impl Read + Seek),
    mut position: Position,
    args: &OthelloGamesArgs,
) -> Result<GamesAnswer, Failure> {
    // Games have no passes of their own.
    position.pass_if_forced();
    let found = find_position_games(index, position.board(), args.show)
        .map_err(|error| Failure::input(error.to_string()))?;
    Ok(GamesAnswer { position, found })
}

#[derive(Serialize)]
struct GameJson {
    year: u16,
    black: String,
    white: String,
    /// Black's discs minus White's.
    result: i32,
    moves: String,
}

fn print_found(answer: &GamesAnswer, args: &OthelloGamesArgs, context: &Context) -> Result<(), Failure> {
    let directory = records::read_directory(args.players.as_deref(), None)?;
    let games: Vec<GameJson> = answer.found.games.iter().map(|game| game_json(game, &directory)).collect();
    if context.json {
        return print_json(&build_report(answer, games));
    }
    print_text(format_answer(answer, &games, args.lang))
}

fn build_report(answer: &GamesAnswer, latest: Vec<GameJson>) -> impl Serialize {
    let GamesAnswer { position, found } = answer;
    let share = |results: GameResults| f64::from(results.games()) / f64::from(found.results.games().max(1));
    let moves = found.moves.iter().map(|each| {
        json_object! {
            #[serde(rename = "move")]
            mv: each.square.to_string(),
            share: share(each.results),
            #[serde(flatten)]
            results: results_json(each.results),
        }
    });
    json_object! {
        position: position.to_line(),
        to_move: position.to_move().to_string(),
        #[serde(flatten)]
        results: results_json(found.results),
        moves: moves.collect::<Vec<_>>(),
        latest,
    }
}

/// The results for the side to move.
fn results_json(results: GameResults) -> impl Serialize {
    let GameResults { won, drawn, lost, .. } = results;
    let (success, mean_discs) = (results.success(), results.mean_discs());
    json_object! {
        games: results.games(),
        won,
        drawn,
        lost,
        success,
        mean_discs,
    }
}

fn game_json(game: &IndexedGame, directory: &WthorDirectory) -> GameJson {
    let name = |number: u16| match directory.players.get(number) {
        Some(name) => name.to_string(),
        None => number.to_string(),
    };
    GameJson {
        year: game.year,
        black: name(game.black),
        white: name(game.white),
        result: game.score,
        moves: moves_text(&game.moves),
    }
}

fn format_answer(answer: &GamesAnswer, games: &[GameJson], language: Language) -> String {
    let GamesAnswer { position, found } = answer;
    let total = found.results.games();
    let mut text = format!("{}\n", format_heading(position, found.results, language));
    if total == 0 {
        return text;
    }
    let head = language.choose("move  games  share  success  discs", "手     局数   割合   得点率   石差");
    let _ = writeln!(text, "{head}");
    for each in &found.moves {
        let results = each.results;
        let share = 100.0 * f64::from(results.games()) / f64::from(total);
        let success = 100.0 * results.success().unwrap_or_default();
        let discs = round_to_tenths(results.mean_discs().unwrap_or_default());
        let (square, games) = (each.square, results.games());
        let _ = writeln!(text, "{square}  {games:8}  {share:4.0}%  {success:6.1}%  {discs:+5.1}");
    }
    for GameJson { year, black, white, result, moves } in games {
        let _ = writeln!(text, "{year}  {black} - {white}  {result:+}  {moves}");
    }
    text
}

/// A little less than nothing is nothing, and not `-0.0`.
fn round_to_tenths(discs: f64) -> f64 {
    (10.0 * discs).round() / 10.0 + 0.0
}

/// The opening, the number of games, and how the side to move fared.
fn format_heading(position: &Position, results: GameResults, language: Language) -> String {
    let name = OpeningNames::builtin().title_of_game(position, language);
    let colon = language.choose(": ", "：");
    let name = name.map(|name| format!("{name}{colon}")).unwrap_or_default();
    let side = super::coach::words::color_name(position.to_move(), language);
    let (games, GameResults { won, drawn, lost, .. }) = (results.games(), results);
    let Some(success) = results.success() else {
        return language.choose(format!("{name}no games"), format!("{name}対局なし"));
    };
    let percent = 100.0 * success;
    language.choose(
        format!("{name}{games} games, {side} to move won {won}, drew {drawn}, lost {lost} ({percent:.1}%)"),
        format!("{name}{games}局、{side}番{won}勝{lost}敗{drawn}分（{percent:.1}%）"),
    )
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser, Debug)]
    struct Line {
        #[command(flatten)]
        args: OthelloGamesArgs,
    }

    /// What to search is named by both ways to give it.
    #[test]
    fn files_or_an_index_are_asked_for() {
        let parse = |words: &[&str]| {
            crate::parser_words::parse_words(["games"].iter().chain(words).copied())
                .map(|line: Line| line.args)
        };
        let error = parse(&["--position", "f5"]).unwrap_err().to_string();
        assert!(error.contains("<FILE") && error.contains("--index <INDEX>"), "{error}");
        for words in
            [&["WTH_2022.wtb"][..], &["--index", "i"], &["a.wtb", "b.wtb", "--index", "i", "--force"]]
        {
            assert!(parse(words).is_ok(), "{words:?}");
        }
    }

    #[test]
    fn a_mean_near_nothing_has_no_minus() {
        let shown = [-0.04, -0.06, 0.04, 1.25].map(|discs| format!("{:+.1}", round_to_tenths(discs)));
        assert_eq!(shown, ["+0.0", "-0.1", "+0.0", "+1.3"]);
    }
}
