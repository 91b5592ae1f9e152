//! `ishi strings check`: is a certificate of a lower bound right?

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use ishi_grid::certificate::{self, Certificate, CertificateError, CertificateVerdict, CheckProgress};
use ishi_work::Progress;
use serde::Serialize;

use super::work::{SweepWatch, WorkCost, WorkMeter};
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi strings prove 19 --out 19.cert
  ishi strings check 19.cert                        accepted: 19x19 has at most 277 strings
  ishi strings prove 13 | ishi strings check -

The checker is one file without any code of the solvers (crates/strings/certificate/src/lib.rs, which \
begins with the argument). It looks at every listed state and at both decisions on the next point, \
and searches nothing. A certificate that lacks a state, or claims too much of one, is refused \
(exit code 1), and the first state at fault is named. A refused certificate proves nothing, neither that the claim is right \
nor that it is wrong.";

/// Checks a certificate that no board has more strings, independently of the solvers.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct CertificateCheckArgs {
    /// The certificate, as `ishi strings prove` writes it; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Bytes of the longest file that is read.
const LONGEST: u64 = 64 << 20;

#[derive(Serialize)]
struct CertificateReport {
    width: u32,
    height: u32,
    /// The claim: every dominating set has so many points or more.
    empties: u64,
    /// What follows: no board has more strings.
    strings_at_most: u64,
    depth: u32,
    /// `accepted` or `refused`.
    outcome: &'static str,
    /// If refused: the first state at fault.
    fault: Option<String>,
    /// States listed; the most of them after one point; points after which the last are listed.
    states: usize,
    widest: usize,
    reach: u32,
    /// The length of the file.
    bytes: usize,
    cost: WorkCost,
}

/// Reads and checks.
pub fn run(args: &CertificateCheckArgs, context: &Context) -> Result<(), Failure> {
    let meter = WorkMeter::start();
    let name = args.file.display();
    let text = read_certificate(&args.file)?;
    let certificate =
        certificate::parse_certificate(&text).map_err(|error| Failure::Input(format!("{name}: {error}")))?;
    let mut watch = SweepWatch::new(context);
    let verdict = certificate::check_certificate(&certificate, &mut |progress| match progress {
        CheckProgress::Bands { done, total } => {
            watch.observe_progress(Progress::new(done, total, "points").with_note("tables of the bands"))
        }
        CheckProgress::States { done, total } => {
            watch.observe_progress(Progress::new(done, total, "states").with_note("states"))
        }
    });
    drop(watch);
    let verdict = verdict.map_err(|error| match error {
        CertificateError::Stopped => Failure::Interrupted,
        error => Failure::Input(format!("{name}: {error}")),
    })?;
    // The checker runs on one thread.
    let cost = meter.read_cost(&Context { threads: 1, ..context.clone() });
    let report = CertificateReport::from_verdict(&certificate, &verdict, text.len(), cost);
    files::print_result(context, &report, || report.to_text() + &report.cost.to_line())?;
    match verdict.fault {
        None => Ok(()),
        Some(fault) => Err(Failure::Negative(format!("{name}: refused: {fault}"))),
    }
}

impl CertificateReport {
    fn from_verdict(
        certificate: &Certificate,
        verdict: &CertificateVerdict,
        bytes: usize,
        cost: WorkCost,
    ) -> CertificateReport {
        let Certificate { width, height, empties, depth, .. } = *certificate;
        CertificateReport {
            width,
            height,
            empties,
            strings_at_most: u64::from(width) * u64::from(height) - empties,
            depth,
            outcome: if verdict.is_accepted() { "accepted" } else { "refused" },
            fault: verdict.fault.map(|fault| fault.to_string()),
            states: verdict.states,
            widest: verdict.widest,
            reach: verdict.reach,
            bytes,
            cost,
        }
    }

    fn to_text(&self) -> String {
        let CertificateReport {
            width, height, empties, strings_at_most, states, widest, reach, bytes, ..
        } = self;
        let claim = match &self.fault {
            None => format!(
                "accepted: every dominating set of {width}x{height} has at least {empties} points,\n\
                 so at most {strings_at_most} strings stand on {width}x{height}\n"
            ),
            Some(_) => {
                format!(
                    "refused: that {empties} points are needed to dominate {width}x{height} is not proved\n"
                )
            }
        };
        format!(
            "{claim}{states} states listed, {widest} after one point, the last after {reach} of {} points; {bytes} bytes\n",
            width * height
        )
    }
}

/// The text of a file that is not longer than certificates are.
fn read_certificate(path: &Path) -> Result<String, Failure> {
    let name = path.display();
    let failed =
        |error: std::io::Error| files::reading_failure(&error, format!("cannot read {name}: {error}"));
    let mut bytes = Vec::new();
    files::open_file_or_stdin(path)?.take(LONGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LONGEST {
        return Err(Failure::Input(format!("{name}: no certificate is longer than {LONGEST} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| {
        Failure::Input(format!(
            "{name}: not a text: a certificate must begin with \"ishi-strings-certificate 3\""
        ))
    })
}
