//! `ishi deck load`: a server of decks under load.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use ishi_web::load::{self, LoadError, LoadPlan, LoadResults, LoadTarget};
use ishi_words::{is_unreserved, percent_encode};
use serde::Serialize;
use serde_json::Value;

use super::options::source_name;
use crate::context::{Context, Failure};
use crate::{figures, files};

const HELP: &str = "\
Examples:
  ishi deck load http://127.0.0.1:8080 --requests 500 --connections 8
  ishi deck load http://127.0.0.1:8080 --decks decks.csv --with '{\"limits\": {\"cost\": 200}}'
  ishi deck load http://127.0.0.1:8080 --pool gold --from requests.jsonl --json

Sends requests to ishi deck serve over connections that stay open, one after the other on each, and says \
how many a second were answered and how long they took. Without --from, every request asks for a deck \
with --fixed pieces that are drawn from the pool, or from one of the --decks, so that they fit together. \
A file of requests has one on each line, in JSON, and they are sent in turn. ishi deck generate writes \
pools and decks.";

/// Options of `ishi deck load`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct DeckLoadArgs {
    /// The server, such as http://127.0.0.1:8080
    url: String,
    /// The pool, where the server has several
    #[arg(long, value_name = "NAME")]
    pool: Option<String>,
    /// How many requests in all
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    requests: u32,
    /// How many connections
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    connections: u32,
    /// Requests in JSON, one a line
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Decks, one a line with commas between the pieces: the fixed pieces of a request are drawn from one of them
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    decks: Option<PathBuf>,
    /// Pieces that are fixed in requests that are drawn
    #[arg(long, value_name = "N", default_value_t = 3, conflicts_with = "from")]
    fixed: usize,
    /// What else a request that is drawn says, in JSON
    #[arg(long, value_name = "JSON", default_value = "{}", conflicts_with = "from")]
    with: String,
}

/// The figures.
#[derive(Serialize)]
struct DeckLoadReport {
    requests: usize,
    connections: u32,
    seconds: f64,
    requests_per_second: f64,
    /// Answers by status of HTTP.
    statuses: BTreeMap<u16, usize>,
    /// Decks by how sure they are.
    answers: BTreeMap<String, usize>,
    /// Milliseconds.
    fastest: f64,
    median: f64,
    p90: f64,
    p95: f64,
    p99: f64,
    slowest: f64,
}

/// Sends the requests and prints the figures.
pub fn run(args: &DeckLoadArgs, context: &Context) -> Result<(), Failure> {
    let failure = |error: LoadError| match error {
        LoadError::Address(_) => Failure::input(error),
        error => Failure::outside(error),
    };
    let target = LoadTarget::new(&args.url).map_err(failure)?;
    let pools = get_json(&target, "/v1/pools").map_err(failure)?;
    let pool = chosen_pool(&pools, args)?;
    let bodies = match &args.from {
        Some(path) => read_lines(path)?,
        None => {
            let whole = get_json(&target, &format!("/v1/pools/{}", percent_encode(&pool, is_unreserved)))
                .map_err(failure)?;
            draw_requests(&whole, args, context)?
        }
    };
    let path = format!("/v1/deck?pool={}", percent_encode(&pool, is_unreserved));
    let (requests, connections) = (args.requests as usize, args.connections as usize);
    let load = LoadPlan { path, bodies, requests, connections };
    let figures = load::run_load(&target, &load, &context.stop).map_err(failure)?;
    if figures.replies.is_empty() {
        return Err(Failure::Interrupted);
    }
    let report = DeckLoadReport::from_figures(&figures, args.connections);
    files::print_result(context, &report, || report.to_text())?;
    context.check_stop()?;
    check_replies(&figures)
}

/// What the server says on a path.
fn get_json(target: &LoadTarget, path: &str) -> Result<Value, LoadError> {
    let (status, body) = target.request_once("GET", path, b"")?;
    let text = String::from_utf8_lossy(&body);
    let value = serde_json::from_str(&text).ok().filter(|_| status == 200);
    value.ok_or_else(|| LoadError::Protocol {
        address: path.to_string(),
        line: format!("{status} {}", text.chars().take(200).collect::<String>()),
    })
}

fn chosen_pool(pools: &Value, args: &DeckLoadArgs) -> Result<String, Failure> {
    let list = pools["pools"].as_array().into_iter().flatten();
    let names: Vec<&str> = list.filter_map(|pool| pool["name"].as_str()).collect();
    match (&args.pool, names.as_slice()) {
        (Some(name), names) if names.contains(&name.as_str()) => Ok(name.clone()),
        (None, [only]) => Ok((*only).to_string()),
        (Some(name), names) => {
            Err(Failure::Input(format!("--pool {name}: the server has {}", names.join(", "))))
        }
        (None, names) => Err(Failure::Input(format!("say --pool NAME: the server has {}", names.join(", ")))),
    }
}

fn read_lines(path: &std::path::Path) -> Result<Vec<Vec<u8>>, Failure> {
    let bytes = files::read_file_or_stdin(path)?;
    let lines: Vec<Vec<u8>> = bytes
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty())
        .map(<[u8]>::to_vec)
        .collect();
    if lines.is_empty() {
        return Err(Failure::Input(format!("{}: nothing in it; one a line is needed", source_name(path))));
    }
    Ok(lines)
}

/// Decks of pieces of the pool that are large enough to draw from; copies count once.
fn read_decks(path: &std::path::Path, names: &[&str], fixed: usize) -> Result<Vec<Vec<String>>, Failure> {
    let known: BTreeSet<&str> = names.iter().copied().collect();
    let deck = |line: Vec<u8>| {
        let line = String::from_utf8_lossy(&line).into_owned();
        let pieces = line.split(',').map(|name| name.trim().trim_matches('"').to_string());
        let pieces: BTreeSet<String> = pieces.filter(|name| known.contains(name.as_str())).collect();
        pieces.into_iter().collect::<Vec<_>>()
    };
    let decks: Vec<Vec<String>> = read_lines(path)?
        .into_iter()
        .map(deck)
        .filter(|deck| !deck.is_empty() && deck.len() >= fixed)
        .collect();
    if decks.is_empty() {
        let path = source_name(path);
        return Err(Failure::Input(format!(
            "{path}: no deck has {fixed} pieces of the pool; one a line is needed"
        )));
    }
    Ok(decks)
}

/// Requests with pieces of the pool fixed at random, the same for the same seed.
fn draw_requests(whole: &Value, args: &DeckLoadArgs, context: &Context) -> Result<Vec<Vec<u8>>, Failure> {
    let list = whole["list"].as_array().into_iter().flatten();
    let names: Vec<&str> = list.filter_map(|piece| piece["name"].as_str()).collect();
    if names.len() < args.fixed {
        return Err(Failure::Input(format!("--fixed {}: the pool has {} pieces", args.fixed, names.len())));
    }
    let decks = args.decks.as_deref().map(|path| read_decks(path, &names, args.fixed)).transpose()?;
    let wrong = |error: String| Failure::Input(format!("--with: {error}"));
    let base: Value = serde_json::from_str(&args.with).map_err(|error| wrong(error.to_string()))?;
    let Value::Object(base) = base else {
        return Err(wrong("an object is needed, such as {\"size\": 16}".into()));
    };
    let one = |number: u32| {
        let mut rng = context.seed.stream("load", u64::from(number));
        let deck = decks.as_ref().and_then(|decks| rng.choose(decks));
        let mut left: Vec<&str> =
            deck.map_or_else(|| names.clone(), |deck| deck.iter().map(String::as_str).collect());
        let fixed: Vec<Value> =
            (0..args.fixed).map(|_| left.swap_remove(rng.next_index(left.len())).into()).collect();
        let mut request = base.clone();
        if !fixed.is_empty() {
            request.insert("fixed".to_string(), fixed.into());
        }
        Value::Object(request).to_string().into_bytes()
    };
    Ok((0..args.requests).map(one).collect())
}

impl DeckLoadReport {
    fn from_figures(figures: &LoadResults, connections: u32) -> DeckLoadReport {
        let at = |share| {
            figures.latency_percentile(share).map_or(0.0, |time: Duration| time.as_secs_f64() * 1000.0)
        };
        let (mut statuses, mut answers) = (BTreeMap::new(), BTreeMap::new());
        for reply in &figures.replies {
            *statuses.entry(reply.status).or_insert(0) += 1;
            let answer: Option<Value> = serde_json::from_slice(&reply.body).ok();
            if let Some(word) = answer.as_ref().and_then(|answer| answer["status"].as_str()) {
                *answers.entry(word.to_string()).or_insert(0) += 1;
            }
        }
        DeckLoadReport {
            requests: figures.replies.len(),
            connections,
            seconds: figures.time.as_secs_f64(),
            requests_per_second: figures.requests_per_second(),
            statuses,
            answers,
            fastest: at(0.0),
            median: at(0.5),
            p90: at(0.9),
            p95: at(0.95),
            p99: at(0.99),
            slowest: at(1.0),
        }
    }

    fn to_text(&self) -> String {
        let list = |pairs: Vec<String>| pairs.join(", ");
        let statuses =
            list(self.statuses.iter().map(|(status, count)| format!("{count} x {status}")).collect());
        let answers = list(self.answers.iter().map(|(word, count)| format!("{count} {word}")).collect());
        let answers = if answers.is_empty() { answers } else { format!("; {answers}") };
        format!(
            "{} requests over {} connections in {}: {:.1} a second\n{statuses}{answers}\n\
             median {:.1} ms, 90 % {:.1}, 95 % {:.1}, 99 % {:.1}, fastest {:.1}, slowest {:.1}\n",
            self.requests,
            self.connections,
            figures::format_seconds(self.seconds),
            self.requests_per_second,
            self.median,
            self.p90,
            self.p95,
            self.p99,
            self.fastest,
            self.slowest,
        )
    }
}

/// Some request was not answered with a deck: the first of them is quoted.
fn check_replies(figures: &LoadResults) -> Result<(), Failure> {
    let Some(bad) = figures.replies.iter().find(|reply| reply.status != 200) else { return Ok(()) };
    let text = String::from_utf8_lossy(&bad.body);
    let said: String = text.trim().chars().take(300).collect();
    Err(Failure::Negative(format!("request {} was answered with {}: {said}", bad.number + 1, bad.status)))
}
