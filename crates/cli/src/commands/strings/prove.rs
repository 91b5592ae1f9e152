//! `ishi strings prove`: a certificate that no board has more strings.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use ishi_grid::certificate::{self, Outcome};
use ishi_grid::domination::{DEEP, Options, Shape, Status, certificate as certify, solve};

use super::size;
use super::work::{Meter, Watch};
use crate::context::{Context, Failure};
use crate::files;

const HELP: &str = "\
Examples:
  ishi strings prove 19 --out 19.cert     then: ishi strings check 19.cert
  ishi strings prove 13 --depth 5 --out - with smaller tables; the checker then looks at more states

The certificate is a dual solution of the shortest-path problem that the frontier's states make:
a price for every state of the seam between two bands along the edge. From it the checker walks
back through every transition of both bands, and so has a lower bound for every state. docs/strings.md
says why that is a proof whatever the prices are.";

/// Writes a certificate of the optimum.
#[derive(Args, Debug)]
#[command(after_long_help = HELP)]
pub struct ProveArgs {
    /// Lines of the board, as 19 or 9x13
    #[arg(value_parser = |text: &str| size::size(text, 1, 1000))]
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
    let meter = Meter::start();
    let (width, height) = args.size;
    let shape = Shape::new(width, height);
    let options = Options { threads: context.threads, depth: usize::from(args.depth) };
    let mut watch = Watch::new(context);
    let solution = solve(&shape, options, &mut |progress| {
        let note = format!("{} states", progress.states);
        watch.see(progress.done, progress.cells, &note)
    });
    drop(watch);
    match solution.status {
        Status::Optimal => {}
        Status::Stopped => return Err(Failure::Interrupted),
        _ => {
            return Err(Failure::Negative(format!(
                "{width}x{height} was not proved: at most a frontier of 127 points"
            )));
        }
    }
    let proof = certify(&shape, solution.bound, options.depth);
    // Nothing is called a certificate that the checker does not accept.
    let verdict = certificate::check(&proof, &mut |_| match context.stopped() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    });
    match verdict {
        Ok(verdict) if verdict.outcome == Outcome::Accepted => {}
        _ if context.stopped() => return Err(Failure::Interrupted),
        _ => {
            return Err(Failure::Negative(format!(
                "the checker needs too many states for this certificate; it is not written. Bands of {} were used: \
                 try another --depth",
                proof.depth
            )));
        }
    }
    files::write(&args.out, proof.to_string().as_bytes(), args.force)?;
    if !files::is_standard(&args.out) {
        let strings = shape.cells() - solution.bound;
        let text = format!(
            "{}: a certificate that {width}x{height} has at most {strings} strings, accepted by the checker \
             (bands of {})\n{}",
            args.out.display(),
            proof.depth,
            meter.read(context).line()
        );
        files::print(text.as_bytes())?;
    }
    Ok(())
}
