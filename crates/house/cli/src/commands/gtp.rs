//! `ishi gtp`: a built-in player at the end of a GTP line, for clients and for matches.

use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};
use ishi_engine::catalog::CatalogEntry;
use ishi_engine::session::Host;
use ishi_engine::{Clock, Engine, Othello};
use ishi_go::{BoardSize, Rules};
use ishi_go_play::catalog;
use ishi_go_play::go_mcts::{presets, sets_all_params};
use ishi_go_play::go_rank::Rank;
use ishi_go_play::session::{Session, SessionSettings};
use ishi_gtp::{CommandHandler, Inbox, ServeEnd, serve_commands};
use ishi_judge::network::Network;
use ishi_othello_play::catalog::{OTHELLO_ENTRIES, create_othello_player};
use ishi_othello_play::levels::Level;
use ishi_othello_play::search::SearchParams;
use ishi_othello_play::session::{OthelloSession, OthelloSettings};
use ishi_rng::Seed;
use ishi_words::Language;

use super::{engine_config, othello};
use crate::context::{Context, Failure};
use crate::numbers::parse_komi;
use crate::{files, made_by};

const EXAMPLES: &str = "\
Examples:
  ishi gtp                                 at a terminal: type genmove b
  ishi gtp --rank 8k                       as strong as people of 8 kyu, with their errors: 25k to 6k
  ishi gtp --level 4                       a player with playouts; levels are 1 to 10
  ishi gtp --engine go-flat:playouts=500   a player with parameters
  ishi gtp --threads 4                     thinks on four threads
  ishi gtp --print-config > mine.toml; ishi gtp --config mine.toml
  ishi gtp --size 9 --komi 7 --rules japanese
  ishi gtp --malkovich en                  tells those who look on, on stderr, what each move does
  gogui -program 'ishi gtp'                in a client
  echo 'genmove b' | ishi gtp              in a script
  ishi gtp --game othello --level 8        Othello; 1 is a beginner, 20 the strongest
  gogui -program 'ishi gtp --game othello' attach it as ruler too (docs/protocols.md)

docs/protocols.md documents all commands. The exit code is 0 at `quit` and at the end of input. \
The same --seed plays the same moves, unless a clock limits them or a player searches with several \
threads. In Othello it has one per core unless --threads says so, in Go one. go-network plays the same \
moves again with as many threads.";

/// The examples, and the players that can be named.
fn help_text() -> String {
    let players = |title: &str, entries: &[CatalogEntry]| {
        let mut text = format!("\n\n{title}:");
        for entry in entries {
            text += &format!("\n  {:<15} {}", entry.name, entry.about);
            text.extend((entry.parameters)().iter().map(|row| format!("\n    {}", row.help_line())));
        }
        text
    };
    let (go, othello) = (&catalog::ENTRIES, &OTHELLO_ENTRIES);
    EXAMPLES.to_string() + &players("Players of Go", go) + &players("Players of Othello", othello)
}

/// What is played.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum GtpGame {
    /// Go.
    Go,
    /// Othello.
    Othello,
}

/// What the player `othello` is made of.
#[derive(Args, Debug)]
pub(super) struct StrengthArgs {
    /// How strong: 1 to 20 in Othello [default: 14]; in Go 1 to 10, of the player with playouts
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,
    /// Othello: the hash table has 2 to this power entries of 16 bytes, 10 to 30
    #[arg(long, default_value = "22", value_name = "BITS", value_parser = clap::value_parser!(u32).range(10..=30))]
    hash: u32,
    /// Othello: play without the opening book
    #[arg(long)]
    no_book: bool,
}

/// Options of `ishi gtp`.
#[derive(Args, Debug)]
#[command(after_long_help = help_text())]
pub(crate) struct GtpArgs {
    /// The game
    #[arg(long, value_enum, default_value = "go")]
    game: GtpGame,
    /// The player: NAME or NAME:KEY=VALUE,KEY=VALUE [default: go-network; in Othello as --level, --hash and --no-book say]
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    /// Go: as strong as people of this rank: 25k to 6k (docs/judge.md)
    #[arg(long, value_name = "RANK", conflicts_with_all = ["engine", "level", "config"])]
    rank: Option<Rank>,
    #[command(flatten)]
    strength: StrengthArgs,
    /// Go: board size until the client sets it: 19, or 13x9
    #[arg(long, default_value = "19")]
    size: BoardSize,
    /// Go: komi until the client sets it [default: what the rules have]
    #[arg(long, value_name = "POINTS", value_parser = parse_komi)]
    komi: Option<f64>,
    /// Go: rules until the client sets them: chinese, japanese, tromp-taylor, aga, new-zealand
    #[arg(long, default_value = "chinese")]
    rules: Rules,
    /// Go: read the player's parameters from this TOML file; those in --engine go before them
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Go: print the player's parameters, with --engine and --config, as such a file, and end
    #[arg(long)]
    print_config: bool,
    /// Go: go-network and go-rank play with the network in this file, as `train/` exports it, not with the one that ishi has;
    /// --engine go-network:KEY=VALUE or --rank says how
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// What the command `name` answers: some clients show more for names they know (docs/protocols.md) [default: ishi ENGINE]
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    name: Option<String>,
    /// Go: tell of each move, in a line on stderr that begins with MALKOVICH:, what it does and what is expected; en or ja
    #[arg(long, value_name = "LANGUAGE")]
    malkovich: Option<Language>,
}

/// Serves until `quit` or the end of input.
pub(crate) fn run(args: &GtpArgs, context: &Context) -> Result<(), Failure> {
    match args.game {
        GtpGame::Go => serve_go(args, context),
        GtpGame::Othello => match args.rank {
            Some(rank) => Err(Failure::input(format!("--rank {rank} is of Go; Othello has --level 1 to 20"))),
            None => serve_othello(args, context),
        },
    }
}

fn serve_go(args: &GtpArgs, context: &Context) -> Result<(), Failure> {
    let engine = go_engine(args, context)?;
    if args.print_config {
        return files::print_bytes(engine_config::config_text(&*engine).as_bytes());
    }
    let spec = engine.spec();
    let settings = SessionSettings {
        size: args.size,
        komi: args.komi,
        rules: args.rules,
        seed: context.seed,
        name: args.name.clone(),
        spectators: args.malkovich,
        ..SessionSettings::default()
    };
    let mut session =
        Session::new(engine, Box::new(MachineHost::start_clock()), settings).map_err(Failure::input)?;
    serve_stdin(&mut session, &spec, context)
}

/// The player that the network in a file guides.
fn network_player(file: &Path, spec: &str, seed: Seed) -> Result<Box<dyn Engine>, Failure> {
    let name = spec.split(':').next().unwrap_or(spec);
    if !["go-network", "go-rank"].contains(&name) {
        return Err(Failure::input(format!("--network is for go-network and go-rank, not for {name}")));
    }
    let network = read_network(file)?;
    catalog::create_guided_player(spec, seed, || network).map_err(Failure::input)
}

/// The network in a file.
pub(super) fn read_network(file: &Path) -> Result<Arc<Network>, Failure> {
    let network = Network::from_bytes(&files::read_file_or_stdin(file)?);
    network.map(Arc::new).map_err(|error| Failure::in_file(file, error))
}

/// The player that `--engine`, `--level`, `--threads`, `--network` and `--config` describe.
fn go_engine(args: &GtpArgs, context: &Context) -> Result<Box<dyn Engine>, Failure> {
    let ranked = args.rank.map(|rank| format!("go-rank:rank={rank}"));
    let named = args.engine.as_deref().or(ranked.as_deref());
    let level = args.strength.level;
    let chosen = (named.is_some() || level.is_some()).then(|| go_spec(named, level, USUAL)).transpose()?;
    let (name, own) = match chosen.as_deref() {
        Some(spec) => spec.split_once(':').map_or((Some(spec), ""), |(name, own)| (Some(name), own)),
        None => (None, ""),
    };
    let config = match &args.config {
        Some(_) if own.split(',').any(|pair| sets_all_params(pair.split('=').next().unwrap_or(pair))) => {
            let spec = chosen.as_deref().unwrap_or_default();
            let message = format!("{spec} sets all parameters, those of --config too: give one of them");
            return Err(Failure::input(message));
        }
        // Where nobody is named, the file may name the player.
        Some(file) => Some(engine_config::read_config(file, name, USUAL)?),
        None => None,
    };
    let name = config.as_ref().map(|config| config.name.as_str()).or(name).unwrap_or(USUAL);
    let mut params: Vec<String> = config.iter().map(|config| config.params.clone()).collect();
    // One thread of go-mcts plays the same moves again: more are for those who ask.
    if context.threads_given && THREADED.contains(&name) {
        params.push(format!("threads={}", context.threads));
    }
    // Of a parameter that is given twice the last counts: that of --engine.
    params.push(own.to_string());
    params.retain(|pairs| !pairs.is_empty());
    let spec = if params.is_empty() { name.to_string() } else { format!("{name}:{}", params.join(",")) };
    match &args.network {
        Some(file) => network_player(file, &spec, context.seed),
        None => catalog::create_go_player(&spec, context.seed).map_err(Failure::input),
    }
}

/// The player of Go where none is named.
pub(super) const USUAL: &str = "go-network";
/// Players of Go that can think on several threads.
const THREADED: [&str; 2] = ["go-network", "go-mcts"];

/// The player as text; `usual` where neither a player nor a level is named.
pub(super) fn go_spec(engine: Option<&str>, level: Option<Level>, usual: &str) -> Result<String, Failure> {
    match (engine, level) {
        (Some(engine), Some(level)) => {
            let both = format!("--level {level} and --engine {engine}: give one of them");
            Err(Failure::input(format!("{both}, or a level in the engine: go-mcts:level={level}")))
        }
        (Some(engine), None) => Ok(engine.to_string()),
        (None, Some(level)) if u32::from(level.number()) > presets::LEVELS => {
            Err(Failure::input(format!("--level {level}: in Go it must be 1 to {}", presets::LEVELS)))
        }
        (None, Some(level)) => Ok(format!("go-mcts:level={level}")),
        (None, None) => Ok(usual.to_string()),
    }
}

fn serve_othello(args: &GtpArgs, context: &Context) -> Result<(), Failure> {
    let engine = match &args.engine {
        Some(spec) => {
            let spec = crate::commands::othello::player_file::catalog_spec(spec)?;
            create_othello_player(&spec, context.seed).map_err(Failure::input)?
        }
        None => args.strength.create_engine(context)?,
    };
    let spec = engine.spec();
    let settings = OthelloSettings {
        seed: context.seed,
        name: args.name.clone(),
        level: args.strength.othello_level(),
        search: args.strength.search_params(context),
        words: othello::reason_in_english,
        ..OthelloSettings::default()
    };
    serve_stdin(
        &mut OthelloSession::new(engine, Box::new(MachineHost::start_clock()), settings),
        &spec,
        context,
    )
}

impl StrengthArgs {
    fn create_engine(&self, context: &Context) -> Result<Box<dyn Engine<Othello>>, Failure> {
        let StrengthArgs { hash, no_book, .. } = self;
        let level = self.othello_level();
        let book = if *no_book { "no" } else { "yes" };
        let spec = format!("othello:level={level},threads={},hash={hash},book={book}", context.threads);
        create_othello_player(&spec, context.seed).map_err(Failure::input)
    }

    /// The level in Othello.
    fn othello_level(&self) -> Level {
        self.level.unwrap_or_else(|| OthelloSettings::default().level)
    }

    pub(super) fn search_params(&self, context: &Context) -> SearchParams {
        SearchParams { hash_bits: self.hash, threads: context.threads }
    }
}

/// Answers what comes in on stdin.
fn serve_stdin(session: &mut dyn CommandHandler, spec: &str, context: &Context) -> Result<(), Failure> {
    print_greeting(spec, context);
    let mut inbox = Inbox::new();
    feed_stdin(inbox.clone(), |_| ());
    abort_on_stop(inbox.clone(), context);
    match serve_commands(session, &mut inbox, &mut io::stdout().lock()) {
        Ok(ServeEnd::EndOfInput) if context.is_stop_requested() => Err(Failure::Interrupted),
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::outside(format!("the line to the controller failed: {error}"))),
    }
}

/// Says on stderr who plays, with which seed; and at a terminal, what to type.
fn print_greeting(spec: &str, context: &Context) {
    if context.quiet {
        return;
    }
    tell!("ishi gtp: {spec}, seed {}", context.seed);
    if io::stdin().is_terminal() {
        tell!("type list_commands for the commands, quit to end");
    }
}

/// Reads stdin on a thread of its own, so that input is seen while a command is answered, and does something at its end.
pub(super) fn feed_stdin(inbox: Inbox, at_end: fn(&Inbox)) {
    std::thread::spawn(move || {
        read_stdin(&inbox);
        at_end(&inbox);
    });
}

fn read_stdin(inbox: &Inbox) {
    let mut stdin = io::stdin().lock();
    let mut buffer = vec![0; 1 << 16];
    loop {
        inbox.wait_for_room();
        match stdin.read(&mut buffer) {
            Ok(0) => return inbox.close(),
            Ok(count) => inbox.push_bytes(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return inbox.fail_with(error),
        }
    }
}

/// Ends the session soon after Ctrl-C.
pub(super) fn abort_on_stop(inbox: Inbox, context: &Context) {
    let context = context.clone();
    std::thread::spawn(move || {
        while !context.is_stop_requested() {
            std::thread::sleep(Duration::from_millis(50));
        }
        inbox.abort();
    });
}

/// The machine's clocks and files.
pub(super) struct MachineHost(Instant);

impl MachineHost {
    pub(super) fn start_clock() -> MachineHost {
        MachineHost(Instant::now())
    }
}

impl Clock for MachineHost {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

impl Host for MachineHost {
    fn read_file(&self, path: &str) -> io::Result<Vec<u8>> {
        files::read_file(Path::new(path))
    }

    /// A session writes records only.
    fn write_file(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let record = made_by::put_into_sgf(&String::from_utf8_lossy(bytes));
        files::write_or_replace(Path::new(path), record.as_bytes(), true)
    }

    fn cpu_time(&self) -> Option<Duration> {
        Some(ishi_arena::stopwatch::process_cpu_time())
    }

    fn tell_spectators(&self, line: &str) {
        tell!("MALKOVICH: {line}");
    }
}
