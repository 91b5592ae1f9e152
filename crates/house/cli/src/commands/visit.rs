//! `ishi visit`: a workbench with many visitors, measured.

mod own;
mod people;

use ishi_web::load::{LoadTarget, run_beside_searches};

use crate::context::{Context, Failure};
use crate::files;
pub use people::VisitArgs;
use people::{check_visits, format_visits, measure_visits, to_failure};

/// Simulates, and prints the figures.
pub fn run(args: &VisitArgs, context: &Context) -> Result<(), Failure> {
    if !(0.0..=3600.0).contains(&args.pause) {
        return Err(Failure::Input(format!("--pause {}: seconds must be 0 to 3600", args.pause)));
    }
    let Some(url) = &args.url else { return own::measure_own_server(args, context) };
    let target = LoadTarget::new(url).map_err(to_failure)?.with_token(args.token.read()?);
    let plan = args.visit_plan(args.requests, args.pause, context);
    let searches = args.searches.unwrap_or(0) as usize;
    let report = run_beside_searches(&target, searches, || measure_visits(&target, &plan, context));
    let report = report.map_err(to_failure)?;
    files::print_result(context, &report, || format_visits(&report))?;
    context.check_stop()?;
    check_visits(&report, args.most)
}
