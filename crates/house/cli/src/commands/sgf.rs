//! `ishi sgf`: checks, shows and converts records.

mod othello;
mod report;

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use ishi_go::{Color, KoRule, Point, Rules};
use ishi_sgf::{
    FileLocation, GameInfo, GameTree, GoGame, NodeId, OthelloError, OthelloGame, PlayerInfo,
    RecordReplayError, ReplayedGame, SgfReading, Warning, Warnings,
};
use ishi_words::format_count;
use serde::Serialize;

use crate::context::{Context, Failure};
use crate::files::{self, print_json};
use report::{SgfGameReport, push_line};

const HELP: &str = "\
Examples:
  ishi sgf check *.sgf                   what is in the files, what is wrong, and where
  ishi sgf show sample:lesson --move 15  the board after move 15
  ishi sgf convert old.sgf -o new.sgf    the same record as FF[4] in UTF-8

Records of any version and in any usual encoding are read. - is standard input.";

const CHECK_HELP: &str = "\
Examples:
  ishi sgf check sample:lesson
  ishi sgf check --json *.sgf

Each warning says where (line, column, byte), what kind, what was found and what was done. \
Moves are checked by the rules that the record names, otherwise without suicide and with \
the simple ko.

Exit code 0: every file has a game in it, warnings or not. 3: a file is not SGF. 4: a file \
cannot be read.";

const SHOW_HELP: &str = "\
Examples:
  ishi sgf show sample:lesson            the end of the main line
  ishi sgf show game.sgf --move 0        the set-up
  ishi sgf show games.sgf --game 2       the second game of the file
  ishi sgf show --json game.sgf";

const CONVERT_HELP: &str = "\
Examples:
  ishi sgf convert shift-jis.sgf -o utf8.sgf
  ishi sgf convert old.sgf -o -          to standard output

Every property is kept, known or not. FF and CA of each game become FF[4] and CA[UTF-8]. \
Names of properties lose their small letters. Warnings go to stderr. The file appears whole \
or not at all.";

/// Options of `ishi sgf`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP, arg_required_else_help = true)]
pub(crate) struct SgfArgs {
    #[command(subcommand)]
    command: SgfCommand,
}

#[derive(Subcommand, Debug)]
enum SgfCommand {
    /// Say what is in records and what is wrong with them
    Check(SgfCheckArgs),
    /// Show the board after a move
    Show(SgfShowArgs),
    // No doc comment: rustdoc would take [4] for a link.
    #[command(about = "Write a record as FF[4] in UTF-8")]
    Convert(SgfConvertArgs),
}

#[derive(Args, Debug)]
#[command(after_long_help = CHECK_HELP)]
struct SgfCheckArgs {
    /// Records to check
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

#[derive(Args, Debug)]
#[command(after_long_help = SHOW_HELP)]
struct SgfShowArgs {
    /// The record
    file: PathBuf,
    /// Moves of the main line to play; all if not given
    #[arg(long = "move", value_name = "N")]
    moves: Option<usize>,
    /// Which game of the file, from 1
    #[arg(long, default_value_t = 1, value_name = "N")]
    game: usize,
}

#[derive(Args, Debug)]
#[command(after_long_help = CONVERT_HELP)]
struct SgfConvertArgs {
    /// The record
    file: PathBuf,
    /// Where to write it
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
}

/// Runs a command on records.
pub(crate) fn run(args: &SgfArgs, context: &Context) -> Result<(), Failure> {
    match &args.command {
        SgfCommand::Check(args) => check_files(args, context),
        SgfCommand::Show(args) => show_position(args, context),
        SgfCommand::Convert(args) => convert_file(args, context),
    }
}

fn read_sgf(path: &Path) -> Result<SgfReading, Failure> {
    let bytes = files::read_file_or_stdin(path)?;
    ishi_sgf::read_collection(&bytes).map_err(|error| Failure::in_file(path, error))
}

// --- check ---

/// How many illegal moves of a game are listed as text; JSON has all.
const ILLEGAL_SHOWN: usize = 10;

#[derive(Serialize)]
struct SgfFileReport {
    file: String,
    /// Why the file could not be read; then there is nothing else.
    error: Option<String>,
    games: Vec<SgfGameReport>,
    warnings: Vec<Warning>,
    /// Warnings that were counted only.
    warnings_omitted: usize,
}

fn check_files(args: &SgfCheckArgs, context: &Context) -> Result<(), Failure> {
    let mut reports = Vec::new();
    let mut worst: Option<Failure> = None;
    for path in &args.files {
        context.check_stop()?;
        let (report, failure) = check_file(path);
        // The failure of a single file is told once, when the command ends.
        if !context.json && (report.error.is_none() || args.files.len() > 1) {
            files::print_bytes(format_file_report(&report).as_bytes())?;
        }
        if failure.as_ref().map_or(0, Failure::exit_code) > worst.as_ref().map_or(0, Failure::exit_code) {
            worst = failure;
        }
        reports.push(report);
    }
    if context.json {
        print_json(&reports)?;
    }
    let bad = reports.iter().filter(|report| report.error.is_some()).count();
    let of = format!("{bad} of {} files could not be read", reports.len());
    match worst {
        None => Ok(()),
        Some(Failure::Interrupted) => Err(Failure::Interrupted),
        Some(failure) if reports.len() == 1 => Err(failure),
        Some(Failure::Input(first)) => Err(Failure::Input(format!("{of}; {first}"))),
        Some(other) => Err(Failure::Outside(format!("{of}; {other}"))),
    }
}

fn check_file(path: &Path) -> (SgfFileReport, Option<Failure>) {
    let file = path.display().to_string();
    let reading = match read_sgf(path) {
        Ok(reading) => reading,
        Err(failure) => {
            let error = Some(failure.to_string());
            let report = SgfFileReport { file, error, games: vec![], warnings: vec![], warnings_omitted: 0 };
            return (report, Some(failure));
        }
    };
    let mut all = reading.warnings;
    let games = reading.collection.games.iter().zip(reading.encodings);
    let games = games.map(|(game, encoding)| check_game(game, encoding, &mut all)).collect();
    all.sort();
    let warnings = all.iter().cloned().collect();
    (SgfFileReport { file, error: None, games, warnings, warnings_omitted: all.omitted_count() }, None)
}

fn check_game(tree: &GameTree, encoding: &'static str, all: &mut Warnings) -> SgfGameReport {
    if let Some(report) = othello::check_game(tree, encoding, all) {
        return report;
    }
    let nodes = tree.node_count();
    match GoGame::read_main_line(tree) {
        Ok(game) => {
            let replayed = game.replay_position(record_rules(&game), None);
            let illegal = match &replayed {
                Ok(replayed) => replayed.illegal.iter().map(ToString::to_string).collect(),
                Err(error) => vec![error.to_string()],
            };
            let moves = Some(game.moves().count());
            let (size, info) = (game.size.to_string(), game.info);
            all.append(game.warnings);
            SgfGameReport { game: "Go", size, nodes, moves, error: None, encoding, info, illegal }
        }
        Err(error) => {
            let info = GameInfo::read_main_line(tree, all);
            let (size, error) = (info.size.to_string(), Some(error.to_string()));
            let game = if info.game == 1 { "Go" } else { "other" };
            SgfGameReport { game, size, nodes, moves: None, error, encoding, info, illegal: vec![] }
        }
    }
}

/// The rules that the record names, or what all rules but a few have in common.
fn record_rules(game: &GoGame) -> Rules {
    game.info.known_rules().unwrap_or(Rules { ko: KoRule::Simple, suicide: false, ..Rules::CHINESE })
}

fn format_file_report(report: &SgfFileReport) -> String {
    let mut text = String::new();
    if let Some(error) = &report.error {
        return format!("{error}\n");
    }
    let count = report.games.len();
    let warnings = report.warnings.len() + report.warnings_omitted;
    push_line(
        &mut text,
        format_args!(
            "{}: {}, {}",
            report.file,
            format_count(count, "game"),
            format_count(warnings, "warning")
        ),
    );
    for (n, game) in report.games.iter().enumerate() {
        push_line(&mut text, format_args!("  game {}: {}", n + 1, format_game_report(game)));
        for illegal in game.illegal.iter().take(ILLEGAL_SHOWN) {
            push_line(&mut text, format_args!("  game {}: {illegal}", n + 1));
        }
        if game.illegal.len() > ILLEGAL_SHOWN {
            let more = game.illegal.len() - ILLEGAL_SHOWN;
            push_line(
                &mut text,
                format_args!("  game {}: and {}", n + 1, format_count(more, "more illegal move")),
            );
        }
    }
    for warning in &report.warnings {
        let Warning { place, kind, found, done } = warning;
        let FileLocation { line, column, offset } = place;
        push_line(
            &mut text,
            format_args!("  line {line}, column {column} (byte {offset}): {kind}: found {found}: {done}"),
        );
    }
    if report.warnings_omitted > 0 {
        push_line(&mut text, format_args!("  and {} more warnings", report.warnings_omitted));
    }
    text
}

fn format_game_report(game: &SgfGameReport) -> String {
    let info = &game.info;
    let size = if game.game == "Othello" { format!("Othello {}", game.size) } else { game.size.clone() };
    let mut parts = vec![size, format_count(game.nodes, "node")];
    parts.extend(game.moves.map(|moves| format_count(moves, "move")));
    parts.extend(game.error.clone());
    let name = |name: &Option<String>| name.clone().unwrap_or("?".to_string());
    let (black, white) = (&info.black.name, &info.white.name);
    if black.is_some() || white.is_some() {
        parts.push(format!("{} (black) against {} (white)", name(black), name(white)));
    }
    parts.extend(info.handicap.filter(|&stones| stones > 0).map(|stones| format!("handicap {stones}")));
    parts.extend(info.komi.map(|komi| format!("komi {komi}")));
    parts.extend(info.result.as_ref().map(|result| format!("result {result}")));
    if game.encoding != "UTF-8" {
        parts.push(game.encoding.to_string());
    }
    parts.join(", ")
}

// --- show ---

#[derive(Serialize)]
struct SgfShowReport {
    size: String,
    info: GameInfo,
    moves: usize,
    of: usize,
    last: Option<String>,
    to_move: String,
    black: Vec<String>,
    white: Vec<String>,
    /// Stones taken by Black and by White.
    prisoners: [usize; 2],
    comment: Option<String>,
    illegal: Vec<String>,
}

fn show_position(args: &SgfShowArgs, context: &Context) -> Result<(), Failure> {
    let reading = read_sgf(&args.file)?;
    let file = args.file.display();
    let games = reading.collection.games.len();
    let tree = args.game.checked_sub(1).and_then(|n| reading.collection.games.get(n)).ok_or_else(|| {
        Failure::input(format!(
            "no game {} in {file}: it has {}, counted from 1",
            args.game,
            format_count(games, "game")
        ))
    })?;
    let failed = |error: &dyn Display| Failure::input(format!("{file}: {error}"));
    match OthelloGame::read_main_line(tree) {
        Ok(game) => {
            print_warnings(&args.file, [&reading.warnings, &game.warnings], context);
            return othello::show_position(game, args.moves, context);
        }
        Err(OthelloError::OtherGame { .. }) => {}
        Err(error) => return Err(failed(&error)),
    }
    let game = GoGame::read_main_line(tree).map_err(|error| failed(&error))?;
    print_warnings(&args.file, [&reading.warnings, &game.warnings], context);
    let of = game.moves().count();
    if let Some(moves) = args.moves.filter(|&moves| moves > of) {
        let error = format!("no move {moves}: the main line has {}", format_count(of, "move"));
        return Err(failed(&error));
    }
    let replayed = game.replay_position(record_rules(&game), args.moves).map_err(|error| failed(&error))?;
    let shown = show_report(tree, &game, &replayed, of);
    files::print_result(context, &shown, || format_show_report(&shown, &replayed))
}

/// How many warnings are told where a record is shown. `ishi sgf check` has all.
const WARNINGS_TOLD: usize = 10;

/// Says on stderr what of the record is not as it should be, and so is not on the board.
fn print_warnings(file: &Path, warnings: [&Warnings; 2], context: &Context) {
    let lines = format_record_faults(file.display(), &[], warnings, WARNINGS_TOLD);
    lines.iter().for_each(|line| context.print_progress(line));
}

/// The lines for stderr that say what of a record is not as it should be: moves that break the rules, then what was repaired. They are
/// `most` lines, and one that says how many more there are.
pub(super) fn format_record_faults(
    name: impl Display,
    illegal: &[RecordReplayError],
    warnings: [&Warnings; 2],
    most: usize,
) -> Vec<String> {
    let broken = illegal.iter().map(|error| format!("{error}: it is played all the same"));
    let read = warnings.into_iter().flat_map(Warnings::iter).map(ToString::to_string);
    let told = broken.chain(read).take(most).map(|fault| format!("ishi: warning: {name}: {fault}"));
    let mut lines: Vec<String> = told.collect();
    // What a reading only counted is among them.
    let count = illegal.len() + warnings.into_iter().map(Warnings::len).sum::<usize>();
    if count > lines.len() {
        lines.push(format!("ishi: warning: {name}: and {} more (ishi sgf check)", count - lines.len()));
    }
    lines
}

fn show_report(tree: &GameTree, game: &GoGame, replayed: &ReplayedGame, of: usize) -> SgfShowReport {
    let board = replayed.position.board();
    let stones = |color: Color| -> Vec<String> {
        let here = |point: &Point| board.color(*point) == Some(color);
        game.size.points().filter(here).map(|point| point.to_string()).collect()
    };
    SgfShowReport {
        size: game.size.to_string(),
        info: game.info.clone(),
        moves: replayed.moves,
        of,
        last: replayed.last.map(|last| format!("{} {}", last.color, last.mv)),
        to_move: replayed.position.to_move().to_string(),
        black: stones(Color::Black),
        white: stones(Color::White),
        prisoners: replayed.prisoners,
        comment: move_comment(tree, game, replayed.moves),
        illegal: replayed.illegal.iter().map(ToString::to_string).collect(),
    }
}

/// The comment of the node of this move; of the root before the first.
fn move_comment(tree: &GameTree, game: &GoGame, moves: usize) -> Option<String> {
    let mut played = 0;
    let step = game.steps.iter().find(|step| {
        played += step.moves.len();
        played >= moves
    });
    let node = step.filter(|_| moves > 0).map_or(NodeId::ROOT, |step| step.node);
    tree.node(node).value("C").map(|value| value.to_text()).filter(|text| !text.trim().is_empty())
}

fn format_show_report(shown: &SgfShowReport, replayed: &ReplayedGame) -> String {
    let info = &shown.info;
    let mut text = String::new();
    for (label, value) in [
        ("Black", format_player(&info.black)),
        ("White", format_player(&info.white)),
        ("Event", info.event.clone()),
        ("Date", info.date.clone()),
        ("Rules", info.rules.clone()),
        ("Komi", info.komi.map(|komi| komi.to_string())),
        ("Handicap", info.handicap.filter(|&stones| stones > 0).map(|stones| stones.to_string())),
        ("Time", format_time(info)),
        ("Result", info.result.map(|result| result.to_string())),
    ] {
        if let Some(value) = value {
            push_line(&mut text, format_args!("{label:<9} {value}"));
        }
    }
    let last = shown.last.as_ref().map_or(String::new(), |last| format!(": {last}"));
    let next = if shown.to_move == "black" { "Black" } else { "White" };
    push_line(&mut text, format_args!("Move {} of {}{last}. {next} to move.", shown.moves, shown.of));
    let [black, white] = shown.prisoners;
    push_line(&mut text, format_args!("Prisoners: black {black}, white {white}.\n"));
    text.push_str(&replayed.position.board().to_string());
    shown.illegal.iter().for_each(|illegal| push_line(&mut text, format_args!("{illegal}")));
    shown.comment.iter().for_each(|comment| push_line(&mut text, format_args!("\n{}", comment.trim_end())));
    text
}

fn format_player(player: &PlayerInfo) -> Option<String> {
    match (&player.name, &player.rank) {
        (Some(name), Some(rank)) => Some(format!("{name} ({rank})")),
        (name, rank) => name.clone().or(rank.clone()),
    }
}

fn format_time(info: &GameInfo) -> Option<String> {
    let main = info.time.map(|seconds| format!("{seconds} seconds"));
    match (main, &info.overtime) {
        (Some(main), Some(overtime)) => Some(format!("{main}, overtime {overtime}")),
        (main, overtime) => main.or(overtime.clone()),
    }
}

// --- convert ---

fn convert_file(args: &SgfConvertArgs, context: &Context) -> Result<(), Failure> {
    let reading = read_sgf(&args.file)?;
    files::write_file(&args.output, reading.collection.to_sgf().as_bytes(), args.force)?;
    if !context.quiet {
        for warning in &reading.warnings {
            tell!("{}: {warning}", args.file.display());
        }
        if reading.warnings.omitted_count() > 0 {
            tell!("and {} more warnings", reading.warnings.omitted_count());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(text: &[u8]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.sgf");
        std::fs::write(&path, text).unwrap();
        let (mut report, _) = check_file(&path);
        report.file = "game.sgf".into();
        format_file_report(&report)
    }

    #[test]
    fn a_report_says_what_and_where() {
        assert_eq!(
            report(b"(;SZ[9]KM[375]PB[a]RE[B+R];B[ee];W[ee]"),
            "game.sgf: 1 game, 2 warnings\n  \
             game 1: 9x9, 3 nodes, 2 moves, a (black) against ? (white), komi 7.5, result B+R\n  \
             game 1: move 2, white E5 at line 1, column 35 (byte 34): illegal move white E5: a black stone \
             stands there\n  \
             line 1, column 8 (byte 7): komi-in-hundredths: found KM[375]: read as 7.5 points\n  \
             line 1, column 39 (byte 38): missing-close-paren: found end of file: 1 game tree closed\n"
        );
        assert!(report(b"(;GM[3])").contains("this is no game of Go: GM[3], Go is GM[1]"));
    }

    #[test]
    fn a_board_is_shown_with_its_comment() {
        let reading = ishi_sgf::read_collection(b"(;SZ[3]PB[x]BR[1d];B[bb]C[middle];W[aa])").unwrap();
        let tree = &reading.collection.games[0];
        let game = GoGame::read_main_line(tree).unwrap();
        let replayed = game.replay_position(record_rules(&game), Some(1)).unwrap();
        let text = format_show_report(&show_report(tree, &game, &replayed, 2), &replayed);
        assert!(text.starts_with("Black     x (1d)\nMove 1 of 2: black B2. White to move.\n"), "{text}");
        assert!(text.contains(" 2 . X . 2\n") && text.ends_with("\nmiddle\n"), "{text}");
    }

    #[test]
    fn faults_that_were_only_counted_are_among_those_that_are_not_told() {
        let mut warnings = Warnings::new();
        for number in 1..=Warnings::LIMIT + 5 {
            let (place, kind) = (FileLocation::NONE, ishi_sgf::WarningKind::ALL[0]);
            warnings.push(Warning { place, kind, found: number.to_string(), done: "left out".to_string() });
        }
        let lines = format_record_faults("a.sgf", &[], [&warnings, &Warnings::new()], 3);
        assert_eq!(lines.len(), 4);
        assert!(lines[2].starts_with("ishi: warning: a.sgf: ") && lines[2].contains("found 3"), "{lines:?}");
        assert_eq!(lines[3], "ishi: warning: a.sgf: and 1002 more (ishi sgf check)");
        assert!(format_record_faults("a.sgf", &[], [&Warnings::new(); 2], 3).is_empty());
    }
}
