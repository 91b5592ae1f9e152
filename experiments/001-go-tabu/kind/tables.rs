//! The report: every table and figure of the paper beside ours, and what is beyond it.

mod games;
mod paper;
mod playouts;
mod rates;
mod times;

pub(super) use games::add_games_sections;
pub(super) use paper::{add_paper_tests_section, add_settings_section};
pub(super) use playouts::{add_refusals_section, add_repeats_section};
pub(super) use times::{add_seconds_section, add_times_section};
