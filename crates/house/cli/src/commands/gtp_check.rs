//! `ishi gtp-check`: is a program a sound GTP engine, on extreme boards too?

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use clap::Args;
use ishi_arena::PlayerSpec;
use ishi_arena::check::{
    BoardTrial, CheckFinding, CheckOutcome, CheckPlan, check_engine, protocol_check_names,
};
use ishi_arena::process::EngineCommand;
use ishi_engine::Go;
use ishi_go::Color;
use ishi_grid::torture::{self, TortureBoard};

use super::strings::torture as records;
use crate::context::{Context, Failure};
use crate::numbers::{TEN_DAYS, seconds_in};
use crate::{figures, files};

const HELP: &str = "\
Examples:
  ishi gtp-check 'gnugo --mode gtp'
  ishi gtp-check go-capture                          a player of ishi, by way of ishi gtp
  ishi gtp-check 'pachi -t =1000' --only boards --timeout 120
  ishi gtp-check gtp:my-engine --board kos --board most-chains --check undo --verbose
  ishi gtp-check gtp:my-engine --json > report.json

ENGINE is written as in ishi match: the name of a built-in player of Go, or the command line of a GTP \
engine (a text with a space or a slash, or one that begins with gtp:).

The protocol is checked by known answers. Then the engine must load, show, play on and score the \
boards of `ishi strings torture`. It is started afresh after a crash, a timeout or a failure. Where \
the protocol leaves a choice, such as boards of 25 lines, a refusal is no fault (skipped). \
The checks have names (`--check x` lists them); docs/strings.md tells how known programs fared.

Exit code 0: no fault. 1: something failed, crashed or timed out. 4: the engine cannot be started.";

/// Options of `ishi gtp-check`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub(crate) struct GtpCheckArgs {
    /// The engine: a built-in player, or a command line
    engine: String,
    /// Seconds in which every command must be answered
    #[arg(long, default_value = "60", value_name = "SECONDS", value_parser = seconds_in(0.01..=TEN_DAYS, "write seconds such as 60 or 0.5"))]
    timeout: Duration,
    /// Check only one part
    #[arg(long, value_name = "PART")]
    only: Option<CheckPart>,
    /// Only checks of the protocol whose names contain this; may be given several times
    #[arg(long = "check", value_name = "NAME", conflicts_with = "only")]
    checks: Vec<String>,
    /// Only boards whose names contain this; may be given several times
    #[arg(long = "board", value_name = "NAME")]
    boards: Vec<String>,
    /// Show the whole conversation of every check
    #[arg(long, short)]
    verbose: bool,
}

impl GtpCheckArgs {
    /// Naming boards or checks leaves the others out.
    fn tries_protocol(&self) -> bool {
        self.only != Some(CheckPart::Boards) && (self.boards.is_empty() || !self.checks.is_empty())
    }

    fn tries_boards(&self) -> bool {
        self.only != Some(CheckPart::Protocol) && (self.checks.is_empty() || !self.boards.is_empty())
    }
}

/// A part of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum CheckPart {
    /// Known answers.
    Protocol,
    /// Extreme boards.
    Boards,
}

/// Runs the checks.
pub(crate) fn run(args: &GtpCheckArgs, context: &Context) -> Result<(), Failure> {
    let names = protocol_check_names();
    if let Some(part) = args.checks.iter().find(|part| !names.iter().any(|name| name.contains(part.as_str())))
    {
        return Err(Failure::Input(format!("no check {part:?}: there are {}", names.join(", "))));
    }
    let folder = files::create_temporary_folder()?;
    let plan = CheckPlan {
        command: engine_command(&args.engine)?,
        timeout: args.timeout,
        protocol: args.tries_protocol(),
        checks: args.checks.clone(),
        trials: if args.tries_boards() { board_trials(args, folder.path())? } else { Vec::new() },
        stop: context.stop.clone(),
    };
    if !context.json {
        let title = format!("{:<34} {:<10} {}\n", "check", "result", "remark; sent -> answered");
        files::print_bytes(title.as_bytes())?;
    }
    let mut broken = None;
    let findings = check_engine(&plan, &mut |finding| {
        if !context.json {
            // That nobody reads the lines any more is told at the end: no engine is left in the middle of a check.
            broken =
                broken.take().or(files::print_bytes(finding_line(finding, args.verbose).as_bytes()).err());
        }
    })
    .map_err(Failure::outside)?;
    if let Some(failure) = broken {
        return Err(failure);
    }
    let count = |outcome: CheckOutcome| findings.iter().filter(|finding| finding.outcome == outcome).count();
    let [passed, skipped, failed, crashed, timed_out] = [
        CheckOutcome::Passed,
        CheckOutcome::Skipped,
        CheckOutcome::Failed,
        CheckOutcome::Crashed,
        CheckOutcome::TimedOut,
    ]
    .map(count);
    let report = json_object! {
        engine: &args.engine,
        timeout_seconds: args.timeout.as_secs_f64(),
        passed,
        skipped,
        failed,
        crashed,
        timed_out,
        checks: &findings,
    };
    let sum = format!(
        "{passed} passed, {skipped} skipped, {failed} failed, {crashed} crashed, {timed_out} timed out"
    );
    files::print_result(context, &report, || format!("{sum}\n"))?;
    context.check_stop()?;
    if failed + crashed + timed_out > 0 {
        return Err(Failure::Negative(format!("{}: {sum}", args.engine)));
    }
    Ok(())
}

/// The program to be started: for a player of ishi, ishi itself.
fn engine_command(text: &str) -> Result<EngineCommand, Failure> {
    match PlayerSpec::parse_for_game::<Go>(text).map_err(Failure::input)? {
        PlayerSpec::External(command) => Ok(command),
        PlayerSpec::Builtin(spec) => {
            let program = std::env::current_exe()
                .map_err(|error| Failure::outside(format!("cannot find this program: {error}")))?;
            let program = program.display().to_string();
            let args = ["gtp", "--quiet", "--engine", &spec].map(str::to_string).to_vec();
            Ok(EngineCommand { program, args, directory: None })
        }
    }
}

/// The boards, and their records in `folder`.
fn board_trials(args: &GtpCheckArgs, folder: &Path) -> Result<Vec<BoardTrial>, Failure> {
    let all = torture::all_torture_boards();
    let wanted = |torture: &&TortureBoard| {
        args.boards.is_empty() || args.boards.iter().any(|part| torture.name.contains(part.as_str()))
    };
    let trials: Vec<BoardTrial> =
        all.iter().filter(wanted).map(|torture| board_trial(torture, folder)).collect::<Result<_, _>>()?;
    if trials.is_empty() {
        let names: Vec<&str> = all.iter().map(|torture| torture.name.as_str()).collect();
        let boards = args.boards.join(", ");
        return Err(Failure::Input(format!("no board {boards:?}: there are {}", names.join(", "))));
    }
    Ok(trials)
}

fn board_trial(torture: &TortureBoard, folder: &Path) -> Result<BoardTrial, Failure> {
    let path = folder.join(format!("{}.sgf", torture.name));
    files::write_file(&path, records::record_sgf(torture)?.as_bytes(), false)?;
    let stones = |color| records::setup_stones(torture, color).into_iter().map(move |point| (color, point));
    Ok(BoardTrial {
        name: torture.name.clone(),
        size: records::board_size(torture)?,
        stones: Color::ALL.into_iter().flat_map(stones).collect(),
        to_play: records::cell_color(torture.to_play).unwrap_or(Color::Black),
        moves: records::played_moves(torture).collect(),
        record: Some(path),
    })
}

/// A line of the table; for a fault, and if all is to be shown, with what was said.
fn finding_line(finding: &CheckFinding, verbose: bool) -> String {
    let CheckFinding { check, outcome, note, exchanges, seconds, .. } = finding;
    let mut line = format!("{check:<34} {outcome:<10} ");
    if *seconds >= 1.0 {
        let _ = write!(line, "[{}] ", figures::format_seconds(*seconds));
    }
    line.push_str(&one_line(note));
    if let (true, Some(last)) = (note.is_empty(), exchanges.last()) {
        line.push_str(&format_exchange(&last.sent, last.answer.as_deref()));
    }
    line.push('\n');
    let shown = match (verbose, outcome.is_fault()) {
        (true, _) => exchanges.len(),
        (false, true) => 3,
        (false, false) => 0,
    };
    for exchange in &exchanges[exchanges.len().saturating_sub(shown)..] {
        let _ = writeln!(line, "    {}", format_exchange(&exchange.sent, exchange.answer.as_deref()));
    }
    line
}

fn format_exchange(sent: &str, answer: Option<&str>) -> String {
    format!("{} -> {}", one_line(sent), answer.map_or("(no answer)".to_string(), one_line))
}

/// How many characters of a text the table shows; JSON has more.
const SHOWN: usize = 200;

fn one_line(text: &str) -> String {
    let words = ishi_words::collapse_whitespace(text);
    match words.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &words[..end]),
        None => words,
    }
}
