//! `ishi serve`, and `ishi` alone: the workbench in a browser.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use ishi_experiments::KINDS;
use ishi_lab::store::{DamagedDocument, shown_place};
use ishi_othello::Board;
use ishi_othello::games_index::find_position_games;
use ishi_othello::wthor::{WthorNames, WthorNamesKind};
use ishi_web::{AccessToken, RequestLog, Workbench, WorkbenchSettings};
use serde::Deserialize;

use super::token::{TokenPlace, path_beside};
use crate::addresses::parse_host_name;
use crate::context::{Context, Failure};
use crate::{files, places};

const HELP: &str = "\
Examples:
  ishi                                       the same as ishi serve
  ishi serve                                 http://127.0.0.1:8642, in your browser if there is one
  ishi serve --db games.db --no-open
  ishi serve --db postgres://me@server/games  results of many machines, and a page of their campaigns
  ishi serve --listen 0.0.0.0:8642           other machines can connect, too
  ishi serve --token-file token.txt          with a token of your own
  ishi serve --programs programs.toml        programs that may play in matches of the laboratory, or judge reviews

Rooms: Go, Othello, joseki, patterns, laboratory, strings, decks. What you make there is kept in the database \
(--db), which ishi match and ishi lab use, too. Ctrl-C ends it, and nothing is lost.

Every visitor is asked for a token, on this machine, too, as its other users can connect. It is made at the first \
start and kept beside the database in a file that only you can read (ishi.db.token). The address that is told \
lets one browser in, which is then known for 30 days. `ishi token ADDRESS` prints another address, and `ishi token` the \
token. Scripts send it as Authorization: Bearer TOKEN. Only programs of this machine can connect, unless --listen \
says otherwise. In that case put a server with TLS before it.

Visitors start no programs but those of --programs, a file (TOML) with tables of names and command lines. Those of \
the first play in matches (GTP). Those of the second judge reviews of Go, answers to why, visitors' own mistakes and \
teaching games (KataGo's analysis protocol):
[programs]
gnugo = \"gnugo --mode gtp --level 8\"
[judges]
katago = \"katago analysis -model model.bin.gz -config analysis.cfg\"";

/// Options of `ishi serve`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct ServeArgs {
    /// Where to listen; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8642")]
    listen: String,
    /// The database of games, patterns and results: a file, or postgres://USER@HOST/DATABASE [default: ishi.db of this folder, if
    /// there is one, else that of the data folder]
    #[arg(long, default_value_os_t = places::default_database(), hide_default_value = true, value_name = "DB")]
    db: PathBuf,
    /// The folder of experiments [default: `experiments`, here or above; else those that the program holds]
    #[arg(long, value_name = "DIR")]
    experiments: Option<PathBuf>,
    /// A file with the token that visitors must give [default: one that is made, and kept beside the database]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Ask nobody for a token, so that every user of this machine reads and changes all; for loopback addresses only
    #[arg(long, conflicts_with = "token_file")]
    no_token: bool,
    /// A name besides 127.0.0.1 and localhost under which browsers ask for it; repeat for several
    #[arg(long, value_name = "NAME", value_parser = parse_host_name)]
    host: Vec<String>,
    /// A file (TOML) with programs that visitors may start: a table `programs` of players with a line such as gnugo = "gnugo --mode gtp" for
    /// each, and a table `judges` of programs that judge games and questions of Go
    #[arg(long, value_name = "FILE")]
    programs: Option<PathBuf>,
    /// Tournament games for the pages of Othello: an index that `ishi othello games --index` has written
    #[arg(long, value_name = "FILE")]
    othello_games: Option<PathBuf>,
    /// The names of the players in these games: WTHOR's list of players
    #[arg(long, value_name = "FILE.jou", requires = "othello_games")]
    othello_players: Option<PathBuf>,
    /// Open no browser
    #[arg(long)]
    no_open: bool,
    /// Tell of every request on stderr
    #[arg(long)]
    log: bool,
}

impl Default for ServeArgs {
    fn default() -> ServeArgs {
        ServeArgs {
            listen: "127.0.0.1:8642".to_string(),
            db: places::default_database(),
            experiments: None,
            token_file: None,
            no_token: false,
            host: Vec::new(),
            programs: None,
            othello_games: None,
            othello_players: None,
            no_open: false,
            log: false,
        }
    }
}

impl ServeArgs {
    fn token_place(&self) -> TokenPlace {
        TokenPlace { db: self.db.clone(), token_file: self.token_file.clone() }
    }
}

/// Serves until Ctrl-C.
pub fn run(args: &ServeArgs, context: &Context) -> Result<(), Failure> {
    let ProgramsText { programs, judges } =
        args.programs.as_deref().map(read_programs).transpose()?.unwrap_or_default();
    if let Some(index) = &args.othello_games {
        check_games_index(index)?;
    }
    let mut settings = WorkbenchSettings {
        listen: args.listen.clone(),
        db: Some(args.db.clone()),
        token: None,
        hosts: args.host.clone(),
        experiments: find_experiments_folder(args)?,
        kinds: KINDS,
        thinkers: context.threads,
        seed: context.seed,
        programs,
        judges,
        othello_games: args.othello_games.clone(),
        othello_players: args.othello_players.as_deref().map(read_players).transpose()?.unwrap_or_default(),
    };
    places::prepare_database(&places::file_of_database(&args.db))?;
    if let Some(warning) = describe_open_database(&args.db) {
        tell!("ishi serve: WARNING: {warning}");
    }
    // The token stands beside the database, whose folder is there by now.
    settings.token = find_token(args, settings.is_local())?;
    let workbench = Workbench::bind(settings)?;
    tell_damage(&workbench, args);
    tell_addresses(&workbench, args);
    // Kept until the end: the browser may take its time to read it.
    let _opening_page = (!args.no_open && has_browser()).then(|| open_browser(&workbench, args)).flatten();
    let log: RequestLog = Box::new(|line| tell!("ishi serve: {line}"));
    workbench.run(&context.stop, args.log.then_some(log)).map_err(Failure::outside)
}

/// A page that asks for games would say what is wrong with the index. Who starts the server should hear it.
fn check_games_index(path: &Path) -> Result<(), Failure> {
    find_position_games(&mut files::open_seekable(path)?, Board::START, 1)
        .map_err(|error| Failure::Input(format!("--othello-games {}: {error}", path.display())))?;
    Ok(())
}

/// WTHOR's list of players.
fn read_players(path: &Path) -> Result<WthorNames, Failure> {
    let bytes = files::read_unpacked(path)?;
    WthorNames::from_bytes(WthorNamesKind::Players, &bytes).map_err(|error| Failure::in_file(path, error))
}

/// What to say of a database that is not for its owner only, such as one that an early version made. Whoever shares it leaves it so.
fn describe_open_database(db: &Path) -> Option<String> {
    let path = places::file_of_database(db);
    if !path.is_file() {
        return None;
    }
    let why = files::find_openness(&path).ok().flatten()?;
    Some(format!(
        "{}: {why}, so what you keep there is not yours alone: chmod 600 keeps it for you",
        path.display()
    ))
}

/// The file of programs.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgramsText {
    /// Those that play.
    #[serde(default)]
    programs: BTreeMap<String, String>,
    /// Those that judge.
    #[serde(default)]
    judges: BTreeMap<String, String>,
}

/// Names and command lines of the programs that visitors may let play or judge.
fn read_programs(path: &Path) -> Result<ProgramsText, Failure> {
    let source = files::read_toml(path)?;
    let allowed: ProgramsText = source.parse().map_err(Failure::input)?;
    for (name, line) in allowed.programs.iter().chain(&allowed.judges) {
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        let wrong = |what: &str| Failure::Input(format!("{}: program {name:?}: {what}", path.display()));
        if name.is_empty() || !name.chars().all(is_plain) {
            return Err(wrong("its name must be of letters, digits, -, _ and ."));
        }
        if shlex::split(line).is_none_or(|words| words.is_empty()) {
            return Err(wrong("its command line must name a program, and a quotation mark must be closed"));
        }
    }
    Ok(allowed)
}

/// What visitors must give; none if nobody is to be asked.
fn find_token(args: &ServeArgs, is_local: bool) -> Result<Option<AccessToken>, Failure> {
    if !args.no_token {
        return args.token_place().read_or_make().map(Some);
    }
    if is_local {
        return Ok(None);
    }
    let message = format!(
        "--no-token with --listen {}: others than this machine could connect: without a token the address must be a \
         loopback one, such as 127.0.0.1:8642",
        args.listen
    );
    Err(Failure::Input(message))
}

/// Says what cannot be opened, as it is damaged, and what to do.
fn tell_damage(workbench: &Workbench, args: &ServeArgs) {
    let damage = workbench.latest_damage().unwrap_or_else(|error| {
        tell!("ishi serve: WARNING: {error}");
        Vec::new()
    });
    for DamagedDocument { kind, title, cause, .. } in damage {
        tell!(
            "ishi serve: WARNING: {} is damaged, so that {kind} {title:?} cannot be opened ({cause}): use a copy from before, or save and remove it on the page /damaged",
            shown_place(&args.db)
        );
    }
}

/// Says where the workbench is, and how one gets in.
fn tell_addresses(workbench: &Workbench, args: &ServeArgs) {
    // Who asked for any free port has to hear which it is.
    tell!(
        "ishi serve: the workbench is at http://{}, what you make is kept in {}; Ctrl-C ends it",
        workbench.address(),
        shown_place(&args.db)
    );
    let Some(entry) = workbench.make_entry_address() else {
        tell!(
            "ishi serve: WARNING: nobody is asked for a token (--no-token): every user of this machine can read and change all that is kept here"
        );
        return;
    };
    tell!("ishi serve: open {entry} in your browser: it lets one visitor in, once, within an hour");
    let option = match &args.token_file {
        Some(path) => format!("--token-file {}", path.display()),
        None => format!("--db {}", shown_place(&args.db)),
    };
    tell!(
        "ishi serve: another such address: ishi token {option} {}; the token itself, for scripts: {}",
        workbench.local_url(),
        args.token_place().path().display()
    );
}

/// Opens the workbench in the browser of whoever sits here. What is returned is kept as long as it runs.
fn open_browser(workbench: &Workbench, args: &ServeArgs) -> Option<OpeningPage> {
    let Some(entry) = workbench.make_entry_address() else {
        // Whoever sees the address can open it.
        let _ = open::that_detached(workbench.local_url());
        return None;
    };
    let page = OpeningPage::write(&args.db, &entry).ok()?;
    let _ = open::that_detached(&page.0);
    Some(page)
}

/// A page that leads a browser to the address that lets it in. Other users see with which arguments a browser is started, but cannot read
/// this file. It is removed at the end.
struct OpeningPage(PathBuf);

impl OpeningPage {
    fn write(db: &Path, entry: &str) -> std::io::Result<OpeningPage> {
        let path = std::path::absolute(path_beside(db, ".open.html"))?;
        let html = format!(
            "<!DOCTYPE html><meta charset=\"utf-8\"><title>ishi</title>\
             <meta http-equiv=\"refresh\" content=\"0;url={entry}\"><a href=\"{entry}\">ishi</a>\n"
        );
        files::write_private_file(&path, html.as_bytes(), true)?;
        Ok(OpeningPage(path))
    }
}

impl Drop for OpeningPage {
    fn drop(&mut self) {
        files::remove_if_possible(&self.0);
    }
}

/// Somebody sits at this machine, with windows.
fn has_browser() -> bool {
    let windows = cfg!(any(target_os = "macos", target_os = "windows"));
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    std::io::stderr().is_terminal() && (windows || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"))
}

/// Experiments are wanted, but the other rooms need none.
fn find_experiments_folder(args: &ServeArgs) -> Result<PathBuf, Failure> {
    match &args.experiments {
        Some(path) if !path.is_dir() => {
            Err(Failure::Input(format!("--experiments: {} is no folder", path.display())))
        }
        Some(path) => Ok(path.clone()),
        // Where they cannot be put anywhere the room of the laboratory says so.
        None => Ok(places::default_experiments().unwrap_or_else(|_| "experiments".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_that_opens_the_browser_is_for_its_owner_and_goes_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let entry = "http://127.0.0.1:1/enter?code=a-b";
        let page = OpeningPage::write(&folder.path().join("ishi.db"), entry).unwrap();
        let path = page.0.clone();
        assert_eq!(path.file_name().unwrap(), "ishi.db.open.html");
        assert_eq!(files::find_openness(&path).unwrap(), None);
        assert!(files::read_text(&path).unwrap().contains(&format!("content=\"0;url={entry}\"")));
        drop(page);
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_database_that_others_may_read_is_told() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let db = folder.path().join("ishi.db");
        assert_eq!(describe_open_database(&db), None, "it will be made for its owner only");
        files::write_private_file(&db, b"", false).unwrap();
        assert_eq!(describe_open_database(&db), None);
        std::fs::set_permissions(&db, std::fs::Permissions::from_mode(0o644)).unwrap();
        let warning = describe_open_database(&db).unwrap();
        assert!(warning.contains("mode 644") && warning.contains("chmod 600"), "{warning}");
    }

    #[test]
    fn only_loopback_addresses_may_go_without_a_token() {
        let args = ServeArgs { no_token: true, ..ServeArgs::default() };
        assert_eq!(find_token(&args, true).unwrap(), None);
        let why = find_token(&args, false).unwrap_err();
        assert!(why.exit_code() == 3 && why.to_string().contains("must be a loopback one"), "{why}");
    }
}
