//! `ishi gtp`: a built-in player at the end of a GTP line, for Go clients and for matches.

use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use clap::Args;
use ishi_engines::session::{Host, Session, SessionSettings};
use ishi_engines::{Clock, catalog};
use ishi_go::{BoardSize, Rules};
use ishi_gtp::{Ended, Inbox, serve};

use crate::context::{Context, Failure};
use crate::files;

const EXAMPLES: &str = "\
Examples:
  ishi gtp                                 at a terminal: type genmove b
  ishi gtp --engine go-flat:playouts=500   a player with parameters
  ishi gtp --size 9 --komi 7 --rules japanese
  gogui -program 'ishi gtp'                in a client
  echo 'genmove b' | ishi gtp              in a script

docs/gtp.md documents the commands. The exit code is 0 at `quit` and at the end
of input. The same --seed plays the same moves, unless a clock limits them.";

/// The examples, and the players that can be named.
fn help() -> String {
    let mut text = format!("{EXAMPLES}\n\nPlayers:\n");
    for entry in catalog::ENTRIES {
        text += &format!("  {:<12} {}\n", entry.name, entry.about);
        for line in entry.params {
            text += &format!("    {line}\n");
        }
    }
    text
}

/// Options of `ishi gtp`.
#[derive(Args, Debug)]
#[command(after_long_help = help())]
pub(crate) struct GtpArgs {
    /// The player: NAME or NAME:KEY=VALUE,KEY=VALUE
    #[arg(long, default_value = "go-flat", value_name = "ENGINE")]
    engine: String,
    /// Board size until the client sets it: 19, or 13x9
    #[arg(long, default_value = "19")]
    size: BoardSize,
    /// Komi until the client sets it [default: what the rules have]
    #[arg(long, allow_negative_numbers = true, value_name = "POINTS")]
    komi: Option<f64>,
    /// Rules until the client sets them: chinese, japanese, tromp-taylor, aga, new-zealand
    #[arg(long, default_value = "chinese")]
    rules: Rules,
    /// What the command `name` answers: some clients show more for names they know (docs/gtp.md) [default: ishi ENGINE]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

/// Serves until `quit` or the end of input.
pub(crate) fn run(args: &GtpArgs, context: &Context) -> Result<(), Failure> {
    let engine = catalog::create(&args.engine, context.seed).map_err(Failure::input)?;
    let spec = engine.spec();
    let settings = SessionSettings {
        size: args.size,
        komi: args.komi,
        rules: args.rules,
        seed: context.seed,
        name: args.name.clone(),
        ..SessionSettings::default()
    };
    let mut session = Session::new(engine, Box::new(Machine::start()), settings).map_err(Failure::input)?;
    greet(&spec, context);
    let mut inbox = Inbox::new();
    feed(inbox.clone());
    watch(inbox.clone(), context);
    match serve(&mut session, &mut inbox, &mut io::stdout().lock()) {
        Ok(Ended::EndOfInput) if context.stopped() => Err(Failure::Interrupted),
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::outside(format!("the line to the controller failed: {error}"))),
    }
}

/// Says on stderr who plays, with which seed; and at a terminal, what to type.
fn greet(spec: &str, context: &Context) {
    if context.quiet {
        return;
    }
    anstream::eprintln!("ishi gtp: {spec}, seed {}", context.seed);
    if io::stdin().is_terminal() {
        anstream::eprintln!("type list_commands for the commands, quit to end");
    }
}

/// Reads stdin on a thread of its own, so that input is seen while a command is answered.
fn feed(inbox: Inbox) {
    std::thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match stdin.read(&mut buffer) {
                Ok(0) => return inbox.close(),
                Ok(count) => inbox.push(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return inbox.fail(error),
            }
        }
    });
}

/// Ends the session soon after Ctrl-C.
fn watch(inbox: Inbox, context: &Context) {
    let context = context.clone();
    std::thread::spawn(move || {
        while !context.stopped() {
            std::thread::sleep(Duration::from_millis(50));
        }
        inbox.abort();
    });
}

/// The machine's clocks and files.
struct Machine(Instant);

impl Machine {
    fn start() -> Machine {
        Machine(Instant::now())
    }
}

impl Clock for Machine {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

impl Host for Machine {
    fn read_file(&self, path: &str) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn write_file(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        files::put(Path::new(path), bytes, true)
    }

    fn cpu_time(&self) -> Option<Duration> {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Duration::try_from(time).ok()
    }
}
