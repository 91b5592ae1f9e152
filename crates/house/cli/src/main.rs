//! The binary `ishi`: commands that parse, call a library and print.

// The edge of the program: here are the terminal, the files, the clock and the processes.
#![allow(clippy::disallowed_methods)]
// In a binary `pub` says "for other modules of this crate".
#![allow(unreachable_pub)]

/// Writes a line to stderr. That nobody reads it, or that it cannot be written, is no reason to end the work.
macro_rules! tell {
    ($($text:tt)*) => { $crate::context::write_line_to_stderr(format_args!($($text)*)) };
}

/// A value whose JSON is an object with these members, in the order in which they are written: `json_object! { file, games: games.len() }`.
/// Attributes of serde may stand before a member.
macro_rules! json_object {
    ($($(#[$attribute:meta])* $member:ident $(: $value:expr)?),* $(,)?) => {{
        // Each member has a type of its own, which is called as the member is.
        #[allow(non_camel_case_types)]
        let object = {
            #[derive(serde::Serialize)]
            struct JsonObject<$($member),*> {
                $($(#[$attribute])* $member: $member),*
            }
            JsonObject { $($member $(: $value)?),* }
        };
        object
    }};
}

/// Of the static archive: the allocator of musl takes twice as long where much is allocated.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod addresses;
mod commands;
mod context;
mod digest;
mod failures;
mod figures;
mod files;
mod made_by;
mod numbers;
mod parser_words;
mod places;
mod program_files;
mod progress;
mod samples;
mod typed;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use commands::{completions, gtp, sgf, stats};
use context::{Context, Failure};
use ishi_rng::Seed;
use ishi_work::StopFlag;

const AFTER_HELP: &str = "\
Examples:
  ishi                                    the workbench, in your browser
  ishi review sample:lesson               what there is to learn from a game of Go
  ishi explain sample:lesson --move 15    why a move was played, and what is better
  ishi othello play                       a game of Othello in the terminal
  ishi match                              two players against each other, to look at
  ishi match --help                       every command has examples, and says what its options mean

Samples stand for files, so that you can try a command at once: sample:lesson and sample:problems (Go), \
sample:othello and sample:endgames (Othello), sample:deck and sample:request (deck building).

Exit codes:
  0    the work is done
  1    the work is done and the answer is no (a check failed, a hypothesis was rejected)
  2    the command line is wrong
  3    the input cannot be used; the message says what, where, and what would be right
  4    something outside failed: a file, a process, a database, a full disk
  130  stopped by Ctrl-C; what was finished is kept";

/// Over the options that every command has, below its own.
const COMMON: &str = "Options of every command";

/// A workbench for stone games: play, measure, learn and prove. Without a command it opens in your browser.
#[derive(Parser, Debug)]
#[command(name = "ishi", version, about, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(flatten)]
    global: GlobalArgs,
    /// Without one the workbench opens
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(clap::Args, Debug)]
pub(crate) struct GlobalArgs {
    /// Print JSON instead of text
    #[arg(long, global = true, help_heading = COMMON)]
    json: bool,
    /// Seed of everything random; the same seed gives the same result
    #[arg(long, global = true, default_value = "1", value_name = "NUMBER", help_heading = COMMON)]
    pub(crate) seed: Seed,
    /// Worker threads; 0 means one per core
    #[arg(
        long,
        global = true,
        default_value_t = 0,
        value_name = "N",
        value_parser = clap::value_parser!(u16).range(0..=1024),
        help_heading = COMMON
    )]
    threads: u16,
    /// No progress on stderr
    #[arg(long, short, global = true, help_heading = COMMON)]
    quiet: bool,
}

impl GlobalArgs {
    fn to_context(&self) -> Context {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if self.threads == 0 { cores() } else { usize::from(self.threads) };
        let stop = StopFlag::default();
        let threads_given = self.threads != 0;
        Context { json: self.json, seed: self.seed, threads, threads_given, stop, quiet: self.quiet }
    }
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Open the workbench in a browser: play, look, understand, edit and experiment
    Serve(commands::serve::ServeArgs),
    /// Print the token of a workbench, or an address that lets a browser in once
    Token(commands::token::TokenArgs),
    /// Play a match between two players, and say what its result is worth
    Match(Box<commands::match_::MatchArgs>),
    /// Elo ratings of all players of one or more databases
    Ratings(commands::ratings::RatingsArgs),
    /// Run the benchmarks: signatures and CPU time of every component
    Bench(commands::bench::BenchArgs),
    /// Experiments: list, run, resume, report
    Lab(commands::lab::LabArgs),
    /// Matches, experiments and tunings in a file: done here and by any number of workers
    Campaign(commands::campaign::CampaignArgs),
    /// Find values of a player's parameters that win more games, by matches
    Tune(Box<commands::tune::TuneArgs>),
    /// Do tasks of campaigns, beside any number of other workers
    Worker(commands::worker::WorkerArgs),
    /// Write what starts workers on a cluster: Slurm, Kubernetes, compose or ssh
    Launch(commands::launch::LaunchArgs),
    /// Go: positions, joseki, patterns, problems, and what learns from records
    Go(commands::go::GoArgs),
    /// Why a move of Go was played, what it does, and why not another one
    Explain(commands::explain::ExplainArgs),
    /// Go through whole games of Go: up to three lessons for each player, turning points, and why
    Review(commands::explain::review::ReviewArgs),
    /// Othello: play, hints, reviews, openings, exact endgames, players that learn
    Othello(Box<commands::othello::OthelloArgs>),
    /// The maximum string problem: most chains on a board, with proof; counting on grids
    Strings(commands::strings::StringsArgs),
    /// Deck building: the best pieces together, under limits, with a proof or a gap
    Deck(Box<commands::deck::DeckArgs>),
    /// Check, show and convert records of games (SGF)
    Sgf(sgf::SgfArgs),
    /// Intervals, tests, Elo and sequential tests of match results
    Stats(stats::StatsArgs),
    /// A player for clients of Go and Othello: serves the Go Text Protocol on stdin and stdout
    Gtp(gtp::GtpArgs),
    /// Analyse positions for review programs such as KaTrain: serves KataGo's analysis protocol
    Analysis(commands::analysis::AnalysisArgs),
    /// Check a GTP engine: known answers, and extreme boards
    GtpCheck(commands::gtp_check::GtpCheckArgs),
    /// A player for NBoard and other clients of Othello: serves its protocol on stdin and stdout
    Nboard(commands::nboard::NBoardArgs),
    /// Tools for language models: serves the Model Context Protocol on stdin and stdout
    Mcp(commands::mcp::McpArgs),
    /// Put a workbench under load: many visitors, how long pages take, and how much memory the server takes
    Visit(commands::visit::VisitArgs),
    /// Write completions for your shell to stdout
    Completions(completions::CompletionsArgs),
    /// Write manual pages into a folder
    Man(completions::ManArgs),
}

impl Command {
    /// Does it print a result, which somebody may want to get again? The others serve, or write what is no result.
    fn gives_result(&self) -> bool {
        !matches!(
            self,
            Command::Serve(_)
                | Command::Token(_)
                | Command::Worker(_)
                | Command::Launch(_)
                | Command::Gtp(_)
                | Command::Analysis(_)
                | Command::Nboard(_)
                | Command::Mcp(_)
                | Command::Completions(_)
                | Command::Man(_)
        )
    }
}

fn main() -> ExitCode {
    let arguments = commands::analysis::double_option_dashes(std::env::args_os());
    let cli = match parser_words::parse_words::<Cli, _>(&arguments) {
        Ok(cli) => cli,
        Err(answer) => return print_parser_answer(&parser_words::mend_tips(answer, Cli::command)),
    };
    let context = cli.global.to_context();
    made_by::remember_invocation(parser_words::list_commands::<Cli>, arguments, &context);
    ishi_work::memory::watch_memory(files::system_file_text);
    // A worker tells SIGTERM from Ctrl-C, and hears both itself.
    if !matches!(cli.command, Some(Command::Worker(_))) {
        stop_on_ctrl_c(&context);
    }
    let command = cli.command.unwrap_or_else(|| Command::Serve(commands::serve::ServeArgs::default()));
    let end = run_command(&command, &context);
    if let Err(failure) = &end {
        tell!("ishi: {failure}");
    }
    // That the answer is no is a result, too.
    if matches!(end, Ok(()) | Err(Failure::Negative(_))) && command.gives_result() {
        made_by::print_last_line(&context);
    }
    end.map_or_else(|failure| ExitCode::from(failure.exit_code()), |()| ExitCode::SUCCESS)
}

/// Prints a help, the version, or what is wrong with the arguments.
fn print_parser_answer(answer: &clap::Error) -> ExitCode {
    let printed = parser_words::print_answer(answer).and_then(|()| std::io::stdout().flush());
    match printed {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let failure = Failure::outside(format!("cannot write to standard output: {error}"));
            tell!("ishi: {failure}");
            ExitCode::from(failure.exit_code())
        }
        // A reader that has seen enough (`| head -1`) is no failure.
        _ => ExitCode::from(u8::try_from(answer.exit_code()).unwrap_or(2)),
    }
}

fn run_command(command: &Command, context: &Context) -> Result<(), Failure> {
    match command {
        Command::Serve(args) => commands::serve::run(args, context),
        Command::Token(args) => commands::token::run(args, context),
        Command::Match(args) => commands::match_::run(args, context),
        Command::Ratings(args) => commands::ratings::run(args, context),
        Command::Bench(args) => commands::bench::run(args, context),
        Command::Lab(args) => commands::lab::run(args, context),
        Command::Campaign(args) => commands::campaign::run(args, context),
        Command::Tune(args) => commands::tune::run(args, context),
        Command::Worker(args) => commands::worker::run(args, context),
        Command::Launch(args) => commands::launch::run(args, context),
        Command::Go(args) => commands::go::run(args, context),
        Command::Explain(args) => commands::explain::run(args, context),
        Command::Review(args) => commands::explain::review::run(args, context),
        Command::Othello(args) => commands::othello::run(args, context),
        Command::Strings(args) => commands::strings::run(args, context),
        Command::Deck(args) => commands::deck::run(args, context),
        Command::Sgf(args) => sgf::run(args, context),
        Command::Stats(args) => stats::run(args, context),
        Command::Gtp(args) => gtp::run(args, context),
        Command::Analysis(args) => commands::analysis::run(args, context),
        Command::GtpCheck(args) => commands::gtp_check::run(args, context),
        Command::Mcp(args) => commands::mcp::run(args, context),
        Command::Nboard(args) => commands::nboard::run(args, context),
        Command::Visit(args) => commands::visit::run(args, context),
        Command::Completions(args) => completions::write_completions(args, Cli::command()),
        Command::Man(args) => completions::write_manual_pages(args, Cli::command(), context),
    }
}

/// The first Ctrl-C asks for a clean stop, the second ends the program and its engines at once.
fn stop_on_ctrl_c(context: &Context) {
    typed::hear_stop(&context.stop);
    let stop = context.stop.clone();
    let handler = move || {
        if !stop.request() {
            ishi_arena::process::kill_all_engines();
            std::process::exit(130);
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        tell!("ishi: Ctrl-C will end the program without a clean stop: {error}");
    }
}
