//! `ishi strings check`: is a certificate of a lower bound right?

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use ishi_grid::certificate::{self, Certificate, CertificateError, MAX_STATES, Outcome, Progress, Verdict};
use serde::Serialize;

use super::work::{Cost, Meter, Watch};
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi strings prove 19 --out 19.cert
  ishi strings check 19.cert                        accepted: 19x19 has at most 277 strings
  ishi strings prove 13 | ishi strings check -

The checker is one file without any code of the solvers (crates/grid/src/certificate.rs, which
begins with the argument). It trusts nothing in the file: bad prices only cost it time. A refused
certificate is wrong, and the size of a smallest set is then given; if there are more states than
--max-states, nothing is proved. Both end with exit code 1.";

/// Checks a certificate that no board has more strings, independently of the solvers.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct CheckArgs {
    /// The certificate, as `ishi strings prove` writes it; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Give up when there are more states than this at once; a million takes 70 to 140 MB
    #[arg(long, value_name = "N", default_value_t = MAX_STATES as u64)]
    max_states: u64,
}

/// More than the longest certificate takes, 3^10 prices of 11 letters.
const LONGEST: u64 = 4 << 20;

#[derive(Serialize)]
struct Report {
    width: u32,
    height: u32,
    /// The claim: every dominating set has so many points or more.
    empties: u64,
    /// What follows: no board has more strings.
    strings_at_most: u64,
    depth: u32,
    /// `accepted`, `refused` or `too-many-states`.
    outcome: &'static str,
    /// If refused: the size of a smallest dominating set.
    smallest_set: Option<u64>,
    /// The last antidiagonal with states, from 0.
    antidiagonal: usize,
    antidiagonals: u32,
    states: u64,
    widest: usize,
    cost: Cost,
}

/// Reads and checks.
pub fn run(args: &CheckArgs, context: &Context) -> Result<(), Failure> {
    let meter = Meter::start();
    let name = args.file.display();
    let text = read(&args.file)?;
    let certificate =
        certificate::parse(&text).map_err(|error| Failure::Input(format!("{name}: {error}")))?;
    let most = usize::try_from(args.max_states).unwrap_or(usize::MAX);
    let mut watch = Watch::new(context);
    let verdict = certificate::check_within(&certificate, most, &mut |progress| match progress {
        Progress::Potentials { done, total } => watch.see(done, total, "tables of the bands"),
        Progress::Sweep { done, total, states } => watch.see(done, total, &format!("{states} states")),
    });
    drop(watch);
    let verdict = verdict.map_err(|error| match error {
        CertificateError::Stopped => Failure::Interrupted,
        error => Failure::Input(format!("{name}: {error}")),
    })?;
    // The checker runs on one thread.
    let cost = meter.read(&Context { threads: 1, ..context.clone() });
    let (outcome, smallest_set) = match verdict.outcome {
        Outcome::Accepted => ("accepted", None),
        Outcome::Refused { smallest } => ("refused", Some(smallest)),
        Outcome::TooManyStates => ("too-many-states", None),
    };
    let Certificate { width, height, empties, depth, .. } = certificate;
    let cells = u64::from(width) * u64::from(height);
    let report = Report {
        width,
        height,
        empties,
        strings_at_most: cells - empties,
        depth,
        outcome,
        smallest_set,
        antidiagonal: verdict.antidiagonal,
        antidiagonals: width + height - 1,
        states: verdict.states,
        widest: verdict.widest,
        cost,
    };
    let mut text = report.words(&verdict) + &report.cost.line();
    if context.json {
        text = serde_json::to_string_pretty(&report).map_err(Failure::outside)? + "\n";
    }
    files::print(text.as_bytes())?;
    match verdict.outcome {
        Outcome::Accepted => Ok(()),
        Outcome::Refused { smallest } => {
            let claim =
                format!("the certificate claims {empties}, but {smallest} points dominate {width}x{height}");
            Err(Failure::Negative(format!("{name}: {claim}")))
        }
        Outcome::TooManyStates => {
            let where_ = format!("after antidiagonal {} of {}", verdict.antidiagonal, width + height - 2);
            let why = format!("more than {} states {where_}", args.max_states);
            Err(Failure::Negative(format!(
                "{name}: not proved, {why}: deeper bands or better prices keep fewer"
            )))
        }
    }
}

impl Report {
    fn words(&self, verdict: &Verdict) -> String {
        let Report { width, height, empties, strings_at_most, .. } = self;
        let claim = match verdict.outcome {
            Outcome::Accepted => format!(
                "accepted: every dominating set of {width}x{height} has at least {empties} points,\n\
                 so at most {strings_at_most} strings stand on {width}x{height}\n"
            ),
            Outcome::Refused { smallest } => format!(
                "refused: a set of {smallest} points dominates {width}x{height}, the certificate claims that {empties} are \
                 needed\n"
            ),
            Outcome::TooManyStates => {
                format!(
                    "not proved: whether {empties} points are needed to dominate {width}x{height} stays open\n"
                )
            }
        };
        let last = self.antidiagonals - 1;
        let came = match verdict.outcome {
            Outcome::Accepted if verdict.states == 0 => {
                "a point covers five points at most, no search".to_string()
            }
            Outcome::Accepted => {
                format!("the last state ends on antidiagonal {} of {last}", self.antidiagonal)
            }
            Outcome::Refused { .. } => format!("swept to antidiagonal {} of {last}", self.antidiagonal),
            Outcome::TooManyStates => format!("given up on antidiagonal {} of {last}", self.antidiagonal),
        };
        format!("{claim}{came}; {} states, {} at once\n", self.states, self.widest)
    }
}

/// The text of a file that is not longer than certificates are.
fn read(path: &Path) -> Result<String, Failure> {
    let name = path.display();
    let failed = |error| Failure::outside(format!("cannot read {name}: {error}"));
    let mut bytes = Vec::new();
    let source: Box<dyn Read> = match files::is_standard(path) {
        true => Box::new(std::io::stdin().lock()),
        false => Box::new(std::fs::File::open(path).map_err(failed)?),
    };
    source.take(LONGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LONGEST {
        return Err(Failure::Input(format!("{name}: no certificate is longer than {LONGEST} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| {
        Failure::Input(format!(
            "{name}: not a text; a certificate begins with \"ishi-strings-certificate 1\""
        ))
    })
}
