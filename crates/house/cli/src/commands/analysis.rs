//! `ishi analysis`: KataGo's analysis protocol on stdin and stdout, for review programs such as KaTrain.

use std::ffi::OsString;
use std::io::{self, BufReader, IsTerminal};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use ishi_analysis::protocol::{
    AnalysisSearcher, AnalysisService, AnalysisSettings, Perspective, ServiceInfo,
};
use ishi_go_play::catalog;
use ishi_go_play::go_mcts::MctsParams;
use ishi_go_play::go_network::NetworkParams;
use ishi_judge::network::Network;

use super::gtp::{self, MachineHost};
use super::{engine_config, nboard};
use crate::context::{Context, Failure};

const EXAMPLES: &str = "\
Examples:
  ishi analysis                            in KaTrain: the engine's path is that of ishi, or as command: ishi analysis
  ishi analysis --visits 2000              where a query says no maxVisits
  ishi analysis --analysis-threads 1 --engine go-mcts:threads=4    one position at a time, on four threads
  ishi analysis --engine go-mcts           by playouts, not by a network
  echo '{\"id\":\"a\",\"moves\":[[\"B\",\"E5\"]],\"rules\":\"japanese\",\"boardXSize\":9,\"boardYSize\":9}' | ishi analysis
  ishi analysis -model none -config analysis.cfg -override-config maxVisits=800,maxTime=5

Options of KataGo may have one dash, as there. docs/protocols.md says what queries may hold, what \
answers mean, and how to set KaTrain up. The exit code is 0 at the end of input, when all queries \
have been answered. The same --seed gives the same answers, unless time limits them or --engine \
has several threads.";

/// Options of `ishi analysis`.
#[derive(Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct AnalysisArgs {
    /// The player: go-network or go-mcts, with parameters as go-mcts:KEY=VALUE,KEY=VALUE
    #[arg(long, default_value = "go-network", value_name = "ENGINE")]
    engine: String,
    /// Positions that are analysed at once [default: --threads, one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    analysis_threads: Option<u16>,
    /// Visits of a position, where a query says nothing else [default: 500]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    visits: Option<u64>,
    /// Whose view win rates, scores and owners are told from: BLACK, WHITE or SIDETOMOVE
    #[arg(long, default_value = "SIDETOMOVE", value_name = "SIDE", ignore_case = true,
          value_parser = ["BLACK", "WHITE", "SIDETOMOVE"])]
    report_as: String,
    /// Read parameters of go-mcts from this TOML file (`ishi gtp --print-config` writes one); any other file is taken for
    /// KataGo's, and ignored with a word on stderr
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Settings of KataGo for all queries, of which ishi knows maxVisits, maxTime, reportAnalysisWinratesAs, analysisPVLen,
    /// warnUnusedFields and numAnalysisThreads; others are named on stderr
    #[arg(long, value_name = "KEY=VALUE,...")]
    override_config: Vec<String>,
    /// At the end of input stop, instead of finishing what waits
    #[arg(long)]
    quit_without_waiting: bool,
    /// go-network judges with the network in this file, as `train/` exports it, not with the one that ishi has
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// KataGo's network: ishi has its own, so it is ignored with a word on stderr
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// KataGo's network of human moves: ignored like --model
    #[arg(long, value_name = "FILE")]
    human_model: Option<PathBuf>,
}

/// Options that KataGo writes with one dash.
const ONE_DASH: [&str; 6] =
    ["-model", "-human-model", "-config", "-override-config", "-analysis-threads", "-quit-without-waiting"];

/// The command line with two dashes where KataGo has one, if it is one of `ishi analysis`.
pub(crate) fn double_option_dashes(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    if !is_analysis(&arguments) {
        return arguments;
    }
    for argument in arguments.iter_mut().skip(1) {
        let name = argument.to_str().and_then(|text| text.split('=').next());
        if name.is_some_and(|name| ONE_DASH.contains(&name)) {
            let mut doubled = OsString::from("-");
            doubled.push(&*argument);
            *argument = doubled;
        }
    }
    arguments
}

/// Is the first word that is no global option or its value `analysis`?
fn is_analysis(arguments: &[OsString]) -> bool {
    let mut rest = arguments.iter().skip(1);
    while let Some(argument) = rest.next() {
        match argument.to_str() {
            Some("--seed" | "--threads") => drop(rest.next()),
            Some(option) if option.starts_with('-') => {}
            word => return word == Some("analysis"),
        }
    }
    false
}

/// Serves until the end of input or Ctrl-C.
pub(crate) fn run(args: &AnalysisArgs, context: &Context) -> Result<(), Failure> {
    let searcher = parse_searcher(&args.engine)?;
    let spec = format!("{}:{}", searcher.name(), player_params(args, searcher)?);
    let (settings, threads) = analysis_settings(args, searcher, context)?;
    let network = args.network.as_ref().map(|file| gtp::read_network(file)).transpose()?;
    if network.is_some() && searcher != AnalysisSearcher::Network {
        return Err(Failure::input(format!("--network is for go-network, not for {}", args.engine)));
    }
    let seed = context.seed;
    let guide = || network.clone().unwrap_or_else(Network::shipped);
    let engine = catalog::create_guided_player(&spec, seed, guide).map_err(Failure::input)?;
    print_greeting(args, &engine.spec(), threads, context);
    let about = ServiceInfo {
        version: env!("CARGO_PKG_VERSION").to_string(),
        name: engine.name().to_string(),
        spec: engine.spec(),
    };
    drop(engine);
    let make = |more: &[(String, String)]| {
        let more: Vec<String> = more.iter().map(|(key, value)| format!("{key}={value}")).collect();
        catalog::create_guided_player(&format!("{spec},{}", more.join(",")), seed, guide)
            .map_err(|error| error.to_string())
    };
    let service = Arc::new(AnalysisService::new(about, settings, seed, io::stdout()));
    read_queries(&service, args.quit_without_waiting);
    abort_on_stop(&service, context);
    let clock = MachineHost::start_clock();
    let served = service.run_workers(threads, &clock, &make);
    context.check_stop()?;
    served.map_err(|error| Failure::outside(format!("the answers could not be written: {error}")))
}

/// Reads stdin on a thread of its own.
fn read_queries(service: &Arc<AnalysisService<io::Stdout>>, quit: bool) {
    let service = Arc::clone(service);
    std::thread::spawn(move || {
        if let Err(error) = service.read_requests(BufReader::new(io::stdin())) {
            tell!("ishi analysis: stdin cannot be read: {error}");
        }
        if quit {
            service.abort();
        }
    });
}

/// Ends the service soon after Ctrl-C, and when nobody reads its answers any more.
fn abort_on_stop(service: &Arc<AnalysisService<io::Stdout>>, context: &Context) {
    let (stopped, context) = (Arc::clone(service), context.clone());
    std::thread::spawn(move || {
        while !context.is_stop_requested() {
            std::thread::sleep(Duration::from_millis(50));
        }
        stopped.abort();
    });
    let unread = Arc::clone(service);
    std::thread::spawn(move || {
        nboard::wait_until_nobody_reads();
        unread.abort();
    });
}

/// Each position is searched afresh, with the komi that it has and to its last visit; restricted moves are searched like all others,
/// within the same limits.
const USUAL: &str = "settle=no,reuse=no,komi=off,problem-playouts=0";

/// The player that was asked for.
fn parse_searcher(engine: &str) -> Result<AnalysisSearcher, Failure> {
    AnalysisSearcher::from_spec(engine).ok_or_else(|| {
        let why = "analysis needs a player that searches a tree: write go-network or go-mcts, with :KEY=VALUE,... or without";
        Failure::input(format!("--engine {engine}: {why}"))
    })
}

/// The player's parameters as `KEY=VALUE,...`.
fn player_params(args: &AnalysisArgs, searcher: AnalysisSearcher) -> Result<String, Failure> {
    let own = args.engine.split_once(':').map_or("", |(_, own)| own);
    match searcher {
        AnalysisSearcher::Playouts => mcts_params(args, own),
        AnalysisSearcher::Network if args.config.as_ref().is_some_and(|file| is_toml(file)) => {
            Err(Failure::input("--config is for go-mcts: give --engine go-mcts with it"))
        }
        AnalysisSearcher::Network => {
            let params = format!("reuse=no,problem-playouts=0,{own}");
            params.parse::<NetworkParams>().map_err(Failure::input)?;
            Ok(params)
        }
    }
}

fn mcts_params(args: &AnalysisArgs, own: &str) -> Result<String, Failure> {
    let file = args.config.as_ref().filter(|file| is_toml(file));
    let read = file.map(|file| engine_config::read_config(file, Some("go-mcts"), "go-mcts")).transpose()?;
    let read = read.map(|config| config.params).unwrap_or_default();
    let params = format!("{read},{own}");
    // A preset or level sets all parameters: ours come after it, and before what the user wrote.
    let all: Vec<&str> = params.split(',').filter(|part| !part.is_empty()).collect();
    let is_preset =
        |part: &&&str| ishi_go_play::go_mcts::sets_all_params(part.split('=').next().unwrap_or(part));
    let preset = all.iter().find(is_preset).copied().into_iter();
    let others = all.iter().filter(|part| !is_preset(part)).copied();
    let params: Vec<&str> = preset.chain([USUAL]).chain(others).collect();
    let params = params.join(",");
    params.parse::<MctsParams>().map_err(Failure::input)?;
    Ok(params)
}

fn is_toml(file: &std::path::Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// What holds for all queries, and how many positions are analysed at once.
fn analysis_settings(
    args: &AnalysisArgs,
    searcher: AnalysisSearcher,
    context: &Context,
) -> Result<(AnalysisSettings, usize), Failure> {
    let mut settings = AnalysisSettings {
        searcher,
        perspective: match args.report_as.to_ascii_uppercase().as_str() {
            "BLACK" => Perspective::Black,
            "WHITE" => Perspective::White,
            _ => Perspective::SideToMove,
        },
        ..AnalysisSettings::default()
    };
    let mut threads = context.threads;
    for text in &args.override_config {
        let unknown = settings
            .set_from_list(text)
            .map_err(|why| Failure::input(format!("--override-config: {why}")))?;
        for (key, value) in unknown {
            match (key, value.parse::<u16>()) {
                ("numAnalysisThreads", Ok(number @ 1..=1024)) => threads = number.into(),
                ("numAnalysisThreads", _) => {
                    let message = format!(
                        "--override-config: numAnalysisThreads={value}: write a number from 1 to 1024"
                    );
                    return Err(Failure::input(message));
                }
                _ => warn_ignored(context, &format!("--override-config {key}"), "there is no such setting"),
            }
        }
    }
    if let Some(visits) = args.visits {
        settings.max_visits = visits;
    }
    Ok((settings, args.analysis_threads.map_or(threads, usize::from)))
}

fn warn_ignored(context: &Context, what: &str, why: &str) {
    if !context.quiet {
        tell!("ishi analysis: {what} is ignored: {why}");
    }
}

/// Says on stderr who analyses, and which options of KataGo have no effect.
fn print_greeting(args: &AnalysisArgs, spec: &str, threads: usize, context: &Context) {
    let network = "ishi has its own network";
    if args.model.is_some() {
        warn_ignored(context, "--model", network);
    }
    if args.human_model.is_some() {
        warn_ignored(context, "--human-model", network);
    }
    if let Some(file) = args.config.as_ref().filter(|file| !is_toml(file)) {
        let what = format!("--config {}", file.display());
        warn_ignored(context, &what, "it is taken for KataGo's; ishi's have names that end in .toml");
    }
    if context.quiet {
        return;
    }
    tell!("ishi analysis: {spec}, {threads} positions at once, seed {}", context.seed);
    if io::stdin().is_terminal() {
        tell!("type queries as JSON, one a line (docs/protocols.md); Ctrl-D ends");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_dashes(line: &str) -> String {
        let words = double_option_dashes(line.split(' ').map(OsString::from));
        words.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn options_of_katago_may_have_one_dash() {
        let line = "ishi analysis -model m -config c -analysis-threads 2 -override-config=homeDataDir=d -q";
        let doubled =
            "ishi analysis --model m --config c --analysis-threads 2 --override-config=homeDataDir=d -q";
        assert_eq!(two_dashes(line), doubled);
        assert_eq!(two_dashes("ishi --seed 3 analysis -model m"), "ishi --seed 3 analysis --model m");
    }

    #[test]
    fn other_commands_stay_as_they_are() {
        for line in ["ishi gtp -config x", "ishi sgf show analysis -model", "ishi", "ishi --seed analysis"] {
            assert_eq!(two_dashes(line), line);
        }
    }
}
