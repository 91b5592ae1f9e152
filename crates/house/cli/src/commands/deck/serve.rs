//! `ishi deck serve`: decks over HTTP.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use ishi_web::{RequestLog, ServedPool, Server, ServerSettings};

use super::options::{PoolFiles, source_name};
use crate::addresses::{parse_host_name, parse_origin};
use crate::context::{Context, Failure};
use crate::numbers::{number_in, parse_time_limit};

const HELP: &str = "\
Examples:
  ishi deck serve pool.json                       a page to try it on http://127.0.0.1:8080
  ishi deck serve gold=gold.json silver=silver.toml --listen 127.0.0.1:9000
  ishi deck serve --threads 2 pool.json --queue 100 --time-limit 2

  curl http://127.0.0.1:8080/v1/deck -H 'Content-Type: application/json' \\
       -d '{\"size\": 16, \"limits\": {\"cost\": 200}, \"fixed\": [\"Ember\"]}'

  POST /v1/deck           a request as in docs/decks.md; an answer with value, bound and gap
  GET  /v1/pools          the pools; /v1/pools/NAME has the pieces of one
  GET  /v1/schema         JSON Schema of requests, answers and errors; also /v1/openapi.json
  GET  /healthz           how much there is to do

A pool is called by its file's name without the ending, or as NAME=FILE says. Where there are several, \
/v1/deck?pool=NAME names one. Errors are {\"error\": {\"kind\", \"message\", \"field\"}}: 400 for what cannot be \
read, 403, 404, 405, 413, 415, 422 for unknown pieces and for requests that no deck satisfies, and 503 \
with Retry-After when the queue is full. --threads (before or after serve) is the number of requests that \
are solved at a time. The work of a request ends after --work-limit steps, so that it has the same answer \
on a busy machine. --time-limit ends what takes very long. Everybody who can reach the address may ask. It \
is this machine's own unless --listen says otherwise. The server answers to its address, localhost and the \
names of --host, and to pages of other sites only with --allow-origin (otherwise 403). Ctrl-C lets requests \
that run end. ishi deck load puts a server under load.";

/// Options of `ishi deck serve`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct DeckServeArgs {
    /// Pools: .json, .toml or .csv, each with a name of its own as NAME=FILE if you like
    #[arg(required = true, value_name = "POOL")]
    pools: Vec<String>,
    /// Scores of pairs, leaders and groups in files of their own, where there is one pool
    #[command(flatten)]
    tables: PoolFiles,
    /// Where to listen; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: String,
    /// Requests that wait for a thread; more are refused
    #[arg(long, value_name = "N", default_value_t = 64)]
    queue: usize,
    /// Connections that stay open after a request; of others 128 may be open, and the oldest makes room for the next
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    connections: u32,
    /// The most bytes of a request
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20, value_parser = number_in::<usize>(1..))]
    body: usize,
    /// The most steps (nodes and moves) that a request may take; it may ask for less
    #[arg(long, value_name = "STEPS", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    work_limit: u64,
    /// The most seconds that a request may take, where its steps take long; it may ask for less
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_time_limit)]
    time_limit: Duration,
    /// Seconds that requests that run may still take after Ctrl-C
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = parse_time_limit)]
    patience: Duration,
    /// A name besides its address and localhost under which it is asked; repeat for several
    #[arg(long, value_name = "NAME", value_parser = parse_host_name)]
    host: Vec<String>,
    /// Pages of this origin may ask, such as `https://example.org`, or * for all
    #[arg(long, value_name = "ORIGIN", value_parser = parse_origin)]
    allow_origin: Option<String>,
}

/// Serves until Ctrl-C.
pub fn run(args: &DeckServeArgs, context: &Context) -> Result<(), Failure> {
    if args.pools.len() > 1 && args.tables.any_given() {
        let message = "--pairs, --leaders and --groups belong to one pool; there are several";
        return Err(Failure::Input(message.to_string()));
    }
    let pools: Result<Vec<ServedPool>, Failure> =
        args.pools.iter().map(|given| load_pool(given, args, context)).collect();
    let settings = ServerSettings {
        listen: args.listen.clone(),
        workers: context.threads,
        queue: args.queue,
        connections: args.connections as usize,
        body: args.body,
        work: args.work_limit,
        time: args.time_limit,
        patience: args.patience,
        hosts: args.host.clone(),
        origin: args.allow_origin.clone(),
        ..ServerSettings::new(context.seed)
    };
    let server = Server::bind(pools?, settings)?;
    // Who asked for any free port has to hear which it is.
    let (address, threads) = (server.address(), context.threads);
    let line = format!("listening on http://{address}, {threads} at a time; Ctrl-C ends it");
    let _ = writeln!(anstream::stderr(), "ishi deck serve: {line}");
    let quiet = context.quiet;
    let log: RequestLog = Box::new(|line| {
        // Nobody reads it any more: that is no reason to stop serving.
        let _ = writeln!(anstream::stderr(), "{line}");
    });
    server.run(&context.stop, (!quiet).then_some(log)).map_err(Failure::outside)?;
    print_line(context, "ended");
    Ok(())
}

fn print_line(context: &Context, text: &str) {
    if !context.quiet {
        let _ = writeln!(anstream::stderr(), "ishi deck serve: {text}");
    }
}

/// A pool with its name.
fn load_pool(given: &str, args: &DeckServeArgs, context: &Context) -> Result<ServedPool, Failure> {
    let (name, path) = match given.split_once('=') {
        // A file may have = in its own name.
        _ if Path::new(given).exists() => (None, given),
        Some((name, path)) if !name.is_empty() => (Some(name.to_string()), path),
        _ => (None, given),
    };
    let path = Path::new(path);
    let file = Arc::new(args.tables.read_pool(path, context)?);
    let stem =
        || path.file_stem().map_or_else(|| source_name(path), |stem| stem.to_string_lossy().into_owned());
    let name = name.unwrap_or_else(stem);
    print_line(context, &format!("{name}: {} pieces", file.pool.pieces.len()));
    Ok(ServedPool { name, file })
}
