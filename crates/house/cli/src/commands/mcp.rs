//! `ishi mcp`: ishi's commands as tools for language models.

use std::io::{self, IsTerminal};
use std::time::Duration;

use clap::Args;
use ishi_mcp::{McpError, McpSettings, serve};

use crate::context::{Context, Failure};
use crate::numbers::number_in;

const EXAMPLES: &str = "\
Examples:
  ishi mcp                          in a client's settings: command \"ishi\", arguments [\"mcp\"]
  ishi mcp --time-limit 60          commands that take longer are ended

A client of the Model Context Protocol starts this command and speaks to it on stdin and stdout. The \
tools show positions, explain moves, review games and read problems of Go. They value, review and \
solve Othello. They solve the maximum string problem and build decks. docs/protocols.md lists them.";

/// Options of `ishi mcp`.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct McpArgs {
    /// A tool that takes longer is ended
    #[arg(long, default_value = "300", value_name = "SECONDS", value_parser = number_in(1.0..=86_400.0))]
    time_limit: f64,
    /// Tools that work at once; others wait
    #[arg(long, default_value = "2", value_name = "N", value_parser = number_in::<usize>(1..=64))]
    at_once: usize,
}

/// Serves until the client closes stdin.
pub(crate) fn run(args: &McpArgs, context: &Context) -> Result<(), Failure> {
    if io::stdin().is_terminal() && !context.quiet {
        tell!("ishi mcp: a client of the Model Context Protocol must speak here; Ctrl-C ends");
    }
    let program = std::env::current_exe().map_err(Failure::outside)?;
    let settings = McpSettings {
        program,
        threads: if context.threads_given { context.threads } else { 1 },
        seed: context.seed.to_string(),
        at_once: args.at_once,
        time_limit: Duration::from_secs_f64(args.time_limit),
    };
    serve(&settings, &context.stop).map_err(|error| match error {
        McpError::Stopped => Failure::Interrupted,
        McpError::Handshake(_) => Failure::input(error),
        McpError::Start(_) | McpError::Broken(_) => Failure::outside(error),
    })
}
