//! What every result carries, so that anybody can get it again: the command, the version, the seed, the level, the threads and the machine.
//!
//! JSON has it as `made_by` in each object that stands outermost, SGF as the property `MADEBY` of each root, a page in its head, and a picture as
//! `<metadata>`. With text it is the last line on stderr.

use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::sync::OnceLock;

use clap::Command;
use ishi_lab::machine::Machine;
use ishi_lab::store::shown_place;
use serde::Serialize;

use crate::context::{Context, Failure};

/// How a result was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct MadeBy {
    /// The command line, quoted so that a shell reads it, without passwords.
    command: String,
    /// The version and its build profile, such as `ishi 0.1.0 (release)`.
    version: String,
    /// The seed as `--seed` takes it.
    seed: String,
    /// The command's `--level`, given or usual. `None` if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<String>,
    /// The threads as `--threads` takes them.
    threads: usize,
    /// The processor and the system.
    machine: String,
    /// Why the same command may say something else. `None` where it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    varies: Option<&'static str>,
}

/// Commands that search on all threads with one table, which they fill in an order of their own.
const SHARED_SEARCHES: [[&str; 2]; 2] = [["othello", "hint"], ["othello", "analyze"]];

/// What is said of them.
const VARIES: &str =
    "on several threads another run may search other positions: --threads 1 gives the same result always";

impl MadeBy {
    fn new(commands: Command, arguments: &[OsString], seed: String, threads: usize) -> MadeBy {
        let machine = Machine::current();
        let ParsedCommand { path, level } = parse_command(commands, arguments).unwrap_or_default();
        let is_shared = threads > 1 && SHARED_SEARCHES.iter().any(|words| path == *words);
        MadeBy {
            command: quote_command(arguments),
            version: machine.build,
            seed,
            level,
            threads,
            machine: format!("{}, {}", machine.cpu, machine.system),
            varies: is_shared.then_some(VARIES),
        }
    }
}

impl fmt::Display for MadeBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, seed {}", self.version, self.seed)?;
        if let Some(level) = &self.level {
            write!(f, ", level {level}")?;
        }
        write!(f, ", threads {}", self.threads)?;
        if let Some(why) = self.varies {
            write!(f, " ({why})")?;
        }
        write!(f, ", {}: {}", self.machine, self.command)
    }
}

/// The program's own name, whatever folder it was started from, and its arguments.
fn quote_command(arguments: &[OsString]) -> String {
    let words: Vec<String> =
        arguments.iter().skip(1).map(|word| hide_password(&word.to_string_lossy())).collect();
    // Only a NUL byte cannot be quoted, and no argument holds one.
    shlex::try_join(std::iter::once("ishi").chain(words.iter().map(String::as_str))).unwrap_or_default()
}

/// An argument as others may read it: results are passed on, and the password of a database in its address must not be. It comes from
/// elsewhere, too, so that the command works without it.
fn hide_password(word: &str) -> String {
    match word.split_once('=') {
        Some((option, value)) if option.starts_with("--") => {
            format!("{option}={}", shown_place(Path::new(value)))
        }
        _ => shown_place(Path::new(word)),
    }
}

/// What the parser finds in a command line.
#[derive(Default)]
struct ParsedCommand {
    /// The names of the commands, such as `othello` and `hint`.
    path: Vec<String>,
    /// The value of `--level`, where the command has such an option.
    level: Option<String>,
}

fn parse_command(commands: Command, arguments: &[OsString]) -> Option<ParsedCommand> {
    let matches = commands.try_get_matches_from(arguments.to_vec()).ok()?;
    let (mut inner, mut path) = (&matches, Vec::new());
    while let Some((name, deeper)) = inner.subcommand() {
        path.push(name.to_string());
        inner = deeper;
    }
    let values = inner.try_get_raw("level").ok().flatten();
    let level = values.and_then(|mut values| values.next()).map(|value| value.to_string_lossy().into_owned());
    Some(ParsedCommand { path, level })
}

/// What this run of the program was given.
struct Invocation {
    /// All commands of the program.
    commands: fn() -> Command,
    arguments: Vec<OsString>,
    seed: String,
    threads: usize,
}

static INVOCATION: OnceLock<Invocation> = OnceLock::new();
static MADE_BY: OnceLock<MadeBy> = OnceLock::new();

/// Keeps what results of this run are to carry. What the commands are is asked when a result is told.
pub(crate) fn remember_invocation(commands: fn() -> Command, arguments: Vec<OsString>, context: &Context) {
    let (seed, threads) = (context.seed.to_string(), context.threads);
    // It is called once.
    let _ = INVOCATION.set(Invocation { commands, arguments, seed, threads });
}

/// How results of this run are made. `None` in tests of modules, where there is no command.
fn of_this_run() -> Option<&'static MadeBy> {
    let Invocation { commands, arguments, seed, threads } = INVOCATION.get()?;
    Some(MADE_BY.get_or_init(|| MadeBy::new(commands(), arguments, seed.clone(), *threads)))
}

/// A result as indented JSON that says how it was made, without the end of the line.
///
/// # Errors
/// If the value has no JSON.
pub(crate) fn to_json(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value).map_err(Failure::outside)?;
    put_into(&text)
}

/// Indented JSON, with how it was made in each object that stands outermost.
///
/// # Errors
/// Never in fact: what is put in has JSON.
pub(crate) fn put_into(text: &str) -> Result<String, Failure> {
    match of_this_run() {
        Some(made_by) => {
            let made_by = serde_json::to_string(made_by).map_err(Failure::outside)?;
            Ok(insert_first(text, &made_by))
        }
        None => Ok(text.to_string()),
    }
}

/// The depth of indentation tells an object of a list that stands outermost from those further in.
fn insert_first(text: &str, made_by: &str) -> String {
    if let Some(rest) = text.strip_prefix("{\n") {
        return format!("{{\n  \"made_by\": {made_by},\n{rest}");
    }
    if text.starts_with("[\n  {\n") {
        return text.replace("\n  {\n", &format!("\n  {{\n    \"made_by\": {made_by},\n"));
    }
    text.to_string()
}

/// Records that say in their roots how they were made.
pub(crate) fn put_into_sgf(text: &str) -> String {
    match of_this_run() {
        Some(made_by) => mark_records(text, &made_by.to_string()),
        None => text.to_string(),
    }
}

/// What is no record comes back as it is.
fn mark_records(text: &str, made_by: &str) -> String {
    let Ok(reading) = ishi_sgf::read_collection(text.as_bytes()) else { return text.to_string() };
    let mut collection = reading.collection;
    collection.set_made_by(made_by);
    collection.to_sgf()
}

/// A page that says in its head how it was made.
pub(crate) fn put_into_page(page: &str) -> String {
    match of_this_run() {
        Some(made_by) => ishi_draw::put_maker_into_page(page, &made_by.to_string()),
        None => page.to_string(),
    }
}

/// A picture (SVG) that says how it was made, which is not drawn.
pub(crate) fn put_into_picture(picture: &str) -> String {
    match of_this_run() {
        Some(made_by) => ishi_draw::put_maker_into_picture(picture, &made_by.to_string()),
        None => picture.to_string(),
    }
}

/// Says on stderr how the result was made that was printed as text.
pub(crate) fn print_last_line(context: &Context) {
    if let Some(made_by) = of_this_run()
        && !context.json
    {
        context.print_progress(format_args!("made by {made_by}"));
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use ishi_sgf::PropertyValue;

    use super::*;
    use crate::Cli;

    fn arguments(text: &str) -> Vec<OsString> {
        shlex::split(text).unwrap().into_iter().map(OsString::from).collect()
    }

    #[test]
    fn a_command_is_told_so_that_a_shell_reads_it() {
        let given = arguments("/opt/bin/ishi explain 'my game.sgf' --move 3");
        assert_eq!(quote_command(&given), "ishi explain 'my game.sgf' --move 3");
    }

    #[test]
    fn no_password_of_a_database_is_told() {
        for (given, told) in [
            ("--db postgres://me:secret@far/games", "--db postgres://me@far/games"),
            ("--db=postgresql://me:secret@far/games?password=secret", "--db=postgresql://me@far/games"),
            ("--db a=b.db --label=x=y", "--db a=b.db --label=x=y"),
        ] {
            let line = quote_command(&arguments(&format!("ishi match go-random go-flat {given}")));
            let words = shlex::split(&line).unwrap();
            assert_eq!(words[4..].join(" "), told);
        }
    }

    #[test]
    fn the_level_is_told_though_nobody_gave_it() {
        let level = |text: &str| parse_command(Cli::command(), &arguments(text)).unwrap().level;
        assert_eq!(level("ishi explain game.sgf --level 3").as_deref(), Some("3"));
        assert!(level("ishi explain game.sgf").is_some(), "the usual one");
        assert_eq!(level("ishi strings count 5"), None);
    }

    #[test]
    fn results_say_how_they_were_made() {
        let object = insert_first("{\n  \"a\": {\n    \"b\": 1\n  }\n}", "{\"seed\":\"1\"}");
        assert_eq!(object, "{\n  \"made_by\": {\"seed\":\"1\"},\n  \"a\": {\n    \"b\": 1\n  }\n}");
        let list = serde_json::json!([{ "a": [{ "b": 1 }] }, { "a": [] }]);
        let text = insert_first(&serde_json::to_string_pretty(&list).unwrap(), "{\"seed\":\"1\"}");
        let found: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(found[0]["made_by"]["seed"], "1");
        assert_eq!(found[1]["made_by"]["seed"], "1");
        assert_eq!(found[0]["a"], serde_json::json!([{ "b": 1 }]), "only what stands outermost has it");
        for text in ["[]", "{}", "3"] {
            assert_eq!(insert_first(text, "{}"), text);
        }
    }

    #[test]
    fn records_say_in_their_roots_how_they_were_made() {
        let marked =
            mark_records("(;GM[1]SZ[9];B[ee])\n(;GM[1]MADEBY[before])", "ishi 0.1.0: ishi sgf 'a]b.sgf'");
        let games = ishi_sgf::read_collection(marked.as_bytes()).unwrap().collection.games;
        assert_eq!(games.len(), 2);
        for game in &games {
            let made_by: Vec<String> = game.root().values("MADEBY").map(PropertyValue::to_text).collect();
            assert_eq!(made_by, ["ishi 0.1.0: ishi sgf 'a]b.sgf'"]);
        }
        assert_eq!(games[0].node_count(), 2);
        assert_eq!(mark_records("no record", "ishi"), "no record");
    }

    #[test]
    fn a_search_with_a_shared_table_says_that_it_varies() {
        let varies = |text: &str, threads| {
            MadeBy::new(Cli::command(), &arguments(text), "1".to_string(), threads).varies.is_some()
        };
        assert!(varies("ishi othello hint f5d6", 2));
        assert!(!varies("ishi othello hint f5d6", 1), "one thread decides alone");
        assert!(!varies("ishi othello perft 3", 2) && !varies("ishi strings count 5", 2));
    }

    #[test]
    fn a_line_says_all_of_it() {
        let made_by =
            MadeBy::new(Cli::command(), &arguments("ishi explain game.sgf --level 3"), "7".to_string(), 2);
        let line = made_by.to_string();
        for part in ["ishi 0.", "seed 7", "level 3", "threads 2", "ishi explain game.sgf"] {
            assert!(line.contains(part), "{part}: {line}");
        }
    }
}
