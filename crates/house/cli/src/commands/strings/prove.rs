//! `ishi strings prove`: a proof that no board has more strings, as a file.

use std::path::PathBuf;

use clap::Args;
use ishi_grid::certificate::{self, Certificate, CertificateError, MAX_STATES, ProverError};
use ishi_grid::domination::{
    BoardShape, DEEP, DominationOptions, DominationStatus, ProofLimits, build_certificate as certify,
    solve_domination,
};
use ishi_work::continue_unless;

use super::work::{SweepWatch, WorkMeter};
use crate::context::{Context, Failure};
use crate::files;
use crate::numbers::size_in;

const HELP: &str = "\
Examples:
  ishi strings prove 19 --out 19.cert     then: ishi strings check 19.cert
  ishi strings 19 --certificate 19.cert   the same, with the board
  ishi strings prove 13 --depth 5 --out - with smaller tables and more states

The certificate lists states of the frontier, each with a potential: what every completion of it \
loses at least. The checker looks at each of them, and at both decisions on the next point. What is \
lost at once and the potential of the state that follows must reach the state's own. States that \
are not listed get a potential from a formula, with the prices in the file. docs/strings.md says why that \
is a proof.";

/// Writes a certificate of the optimum.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct ProveArgs {
    /// Lines of the board, as 19 or 9x13
    #[arg(value_parser = size_in(1..=1000))]
    size: (usize, usize),
    /// Depth of the bands, at most half the shorter side: the certificate has 3^depth prices
    #[arg(long, default_value_t = DEEP as u8, value_parser = clap::value_parser!(u8).range(0..=DEEP as i64))]
    depth: u8,
    /// Write the certificate here; - is standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
}

/// Solves and writes.
pub fn run(args: &ProveArgs, context: &Context) -> Result<(), Failure> {
    let meter = WorkMeter::start();
    files::check_writable(&args.out, args.force)?;
    let (width, height) = args.size;
    let shape = BoardShape::new(width, height);
    let (threads, depth) = (context.threads, usize::from(args.depth));
    let options = DominationOptions { threads, depth, ..DominationOptions::default() };
    let mut watch = SweepWatch::new(context);
    let solution = solve_domination(&shape, options, &mut |step| watch.observe_layer(step, ""));
    drop(watch);
    match solution.status {
        DominationStatus::Optimal => {}
        DominationStatus::Stopped => return Err(Failure::Interrupted),
        _ => {
            return Err(Failure::Negative(format!(
                "{width}x{height} was not proved: at most a frontier of 127 points"
            )));
        }
    }
    let proof = checked_certificate(&shape, solution.bound, options.depth, context)?;
    let text = proof.to_string();
    files::write_file(&args.out, text.as_bytes(), args.force)?;
    if !files::is_standard(&args.out) {
        let strings = shape.cell_count() - solution.bound;
        let text = format!(
            "{}: a certificate that {width}x{height} has at most {strings} strings, accepted by the checker \
             ({} states, bands of {}, {} bytes)\n{}",
            args.out.display(),
            proof.states.len(),
            proof.depth,
            text.len(),
            meter.read_cost(context).to_line()
        );
        files::print_bytes(text.as_bytes())?;
    }
    Ok(())
}

/// A certificate for a proved number of empty points. Nothing is called one that the checker does not accept.
pub fn checked_certificate(
    shape: &BoardShape,
    empties: usize,
    depth: usize,
    context: &Context,
) -> Result<Certificate, Failure> {
    let mut watch = SweepWatch::new(context);
    let proof = certify(shape, empties, depth, ProofLimits::of_states(MAX_STATES), &mut |step| {
        watch.observe_progress(step.with_note(format!("{} states of the proof", step.note.states).as_str()))
    });
    drop(watch);
    let proof = proof.map_err(|error| match error {
        ProverError::Certificate(CertificateError::Stopped) => Failure::Interrupted,
        ProverError::TooMany { .. } => Failure::Negative(format!(
            "no certificate of {}x{}: {error}; deeper bands need fewer",
            shape.width(),
            shape.height()
        )),
        error => Failure::Negative(format!("no certificate: {error}")),
    })?;
    let verdict =
        certificate::check_certificate(&proof, &mut |_| continue_unless(context.is_stop_requested()));
    match verdict {
        Ok(verdict) if verdict.is_accepted() => Ok(proof),
        Err(CertificateError::Stopped) => Err(Failure::Interrupted),
        Ok(verdict) => Err(Failure::Outside(format!("the checker refused it: {:?}", verdict.fault))),
        Err(error) => Err(Failure::Outside(format!("the checker refused it: {error}"))),
    }
}
