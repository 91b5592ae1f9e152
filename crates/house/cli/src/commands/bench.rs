//! `ishi bench`: what every component does, as a signature, and what it costs, as CPU time.
//!
//! A signature is a count of work and a hash of its results, the same on every machine. They are kept in
//! SIGNATURES.toml, so that a functional change is a visible difference and a refactoring is none.

mod components;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use ishi_arena::stopwatch::Stopwatch;
use ishi_lab::machine::BUILD_PROFILE;
use ishi_sheet::{SheetBlock, SheetTable, blocks_to_text};
use serde::{Deserialize, Serialize};

use crate::context::{Context, Failure};
use crate::files;
use components::{BenchComponent, COMPONENTS, WorkSignature};

const HELP: &str = "\
Examples:
  ishi bench                        run everything, print signatures and CPU time
  ishi bench go-playout-9x9         one component
  ishi bench --check                compare the signatures with SIGNATURES.toml (exit code 1 if one differs)
  ishi bench --write                keep the new signatures after a functional change

SIGNATURES.toml stands in ishi's sources. Elsewhere --write makes one of your own. Times are CPU time of one thread, the \
least of --repeat runs. On a shared machine compare ratios taken in one run, not \
times.";

/// Options of `ishi bench`.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct BenchArgs {
    /// Components to run; all if none is named
    #[arg(value_name = "COMPONENT")]
    names: Vec<String>,
    /// Fail if a signature differs from the kept one
    #[arg(long)]
    check: bool,
    /// Keep the signatures
    #[arg(long, conflicts_with = "check")]
    write: bool,
    /// The file of kept signatures
    #[arg(long, default_value = "SIGNATURES.toml", value_name = "FILE")]
    file: PathBuf,
    /// Runs of each component
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// List the components and what they do
    #[arg(long)]
    list: bool,
}

/// One component's line.
#[derive(Debug, Serialize)]
struct BenchLine {
    component: &'static str,
    about: &'static str,
    unit: &'static str,
    count: u64,
    hash: String,
    cpu_seconds: f64,
    per_cpu_second: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    peer: Option<PeerLine>,
}

/// What a reference reached in the same run.
#[derive(Debug, Serialize)]
struct PeerLine {
    name: &'static str,
    per_cpu_second: f64,
    ratio: f64,
}

/// A signature as SIGNATURES.toml has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptSignature {
    count: u64,
    hash: String,
}

type Signatures = BTreeMap<String, KeptSignature>;

/// Runs the components.
pub fn run(args: &BenchArgs, context: &Context) -> Result<(), Failure> {
    if args.list {
        let line = |component: &BenchComponent| format!("{:24} {}\n", component.name, component.about);
        let lines: String = COMPONENTS.iter().map(line).collect();
        return files::print_bytes(lines.as_bytes());
    }
    let chosen = choose_components(&args.names)?;
    // Before the long run: what is wrong with the file is told at once.
    let kept = read_kept(args)?;
    let mut lines = Vec::new();
    for component in chosen {
        lines.push(measure_component(component, args.repeat, context)?);
    }
    // Who stopped it in the last run wants no table.
    context.check_stop()?;
    files::print_result(context, &lines, || format_lines(&lines))?;
    if args.check {
        return check_signatures(&lines, &kept, &args.file);
    }
    if args.write {
        return write_signatures(&lines, kept, &args.file);
    }
    Ok(())
}

fn choose_components(names: &[String]) -> Result<Vec<&'static BenchComponent>, Failure> {
    if names.is_empty() {
        return Ok(COMPONENTS.iter().collect());
    }
    let find = |name: &String| {
        let known = || COMPONENTS.iter().map(|component| component.name).collect::<Vec<_>>().join(", ");
        let found = COMPONENTS.iter().find(|component| component.name == name);
        found.ok_or_else(|| Failure::Input(format!("no component {name:?}: there are {}", known())))
    };
    names.iter().map(find).collect()
}

/// Runs a component, and in turn with it its peer, and keeps the least times; every run must give the same signature.
fn measure_component(
    component: &'static BenchComponent,
    repeat: u32,
    context: &Context,
) -> Result<BenchLine, Failure> {
    let mut seen: Option<WorkSignature> = None;
    let (mut least, mut least_of_peer) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..repeat {
        context.check_stop()?;
        let watch = Stopwatch::start();
        let signature = (component.run)();
        least = least.min(watch.cpu_seconds());
        if *seen.get_or_insert(signature) != signature {
            return Err(Failure::Negative(format!("{} differs from run to run", component.name)));
        }
        if let Some(peer) = &component.peer {
            context.check_stop()?;
            let watch = Stopwatch::start();
            (peer.run)();
            least_of_peer = least_of_peer.min(watch.cpu_seconds());
        }
    }
    let signature = seen.expect("at least one run");
    let rate = component.amount as f64 / least.max(1e-9);
    let peer = component.peer.as_ref().map(|peer| {
        let per_cpu_second = peer.amount as f64 / least_of_peer.max(1e-9);
        PeerLine { name: peer.name, per_cpu_second, ratio: rate / per_cpu_second }
    });
    Ok(BenchLine {
        component: component.name,
        about: component.about,
        unit: component.unit,
        count: signature.count,
        hash: format!("{:016x}", signature.hash),
        cpu_seconds: least,
        per_cpu_second: rate,
        peer,
    })
}

fn format_lines(lines: &[BenchLine]) -> String {
    let profile = format!("built with the profile {BUILD_PROFILE}");
    blocks_to_text(&[SheetBlock::Table(line_table(lines)), SheetBlock::Text(profile)])
}

/// A row for each component, and one below it for its peer.
fn line_table(lines: &[BenchLine]) -> SheetTable {
    let columns = ["component", "#count", "hash", "#CPU ms", "#per CPU second", ""];
    let mut table =
        SheetTable::new(columns).with_text_widths(&[24, 12, 16, 9, 14]).with_text_gaps(&[1, 2, 1, 1, 1]);
    for line in lines {
        table.add_row([
            line.component.to_string(),
            line.count.to_string(),
            line.hash.clone(),
            format!("{:.1}", line.cpu_seconds * 1e3),
            format!("{:.0}", line.per_cpu_second),
            line.unit.to_string(),
        ]);
        if let Some(PeerLine { name, per_cpu_second, ratio }) = &line.peer {
            let about = format!("by {name} in the same run; ishi x{ratio:.1}");
            let empty = String::new;
            table.add_row([empty(), empty(), empty(), empty(), format!("{per_cpu_second:.0}"), about]);
        }
    }
    table
}

/// The signatures that are to be compared or added to; none where neither is asked for, or the file is still to be made.
fn read_kept(args: &BenchArgs) -> Result<Signatures, Failure> {
    if args.write {
        files::check_writable(&args.file, true)?;
    }
    let is_read = args.check || (args.write && args.file.exists());
    if is_read { read_signatures(&args.file) } else { Ok(Signatures::new()) }
}

fn read_signatures(file: &Path) -> Result<Signatures, Failure> {
    let place = file.display();
    let text = files::read_text(file)
        .map_err(|e| Failure::Outside(format!("cannot read {place}: {e}; `ishi bench --write` makes it")))?;
    toml::from_str(&text)
        .map_err(|e| Failure::Input(format!("{place}: it must be a file of `ishi bench --write`: {e}")))
}

fn check_signatures(lines: &[BenchLine], kept: &Signatures, file: &Path) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    for line in lines {
        let now = KeptSignature { count: line.count, hash: line.hash.clone() };
        match kept.get(line.component) {
            Some(before) if *before == now => {}
            Some(before) => wrong.push(format!(
                "{} was {} {}, is {} {}",
                line.component, before.count, before.hash, now.count, now.hash
            )),
            None => wrong.push(format!("{} has no kept signature", line.component)),
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let remedy = "if the change is meant, keep it with `ishi bench --write` and say why";
    Err(Failure::Negative(format!(
        "signatures differ from {}:\n  {}\n{remedy}",
        file.display(),
        wrong.join("\n  ")
    )))
}

/// Writes the signatures beside the kept ones of components that did not run; never leaves half a file.
fn write_signatures(lines: &[BenchLine], mut signatures: Signatures, file: &Path) -> Result<(), Failure> {
    for line in lines {
        signatures
            .insert(line.component.to_string(), KeptSignature { count: line.count, hash: line.hash.clone() });
    }
    let head = "# What each component does, from `ishi bench --write`. A difference here is a functional change.\n\n";
    let body = toml::to_string(&signatures).expect("plain data");
    files::write_file(file, format!("{head}{body}").as_bytes(), true)
}
