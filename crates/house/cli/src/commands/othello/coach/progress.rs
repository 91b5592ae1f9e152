//! Progress on stderr: a bar on a terminal, else a line now and then, or nothing.

use std::io::{IsTerminal, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::context::Context;

/// Lines for a reader that is no terminal.
const LINES: u64 = 10;

/// How far a piece of work has come.
pub(in super::super) struct StepProgress {
    total: u64,
    done: u64,
    shown: ProgressDisplay,
}

enum ProgressDisplay {
    Nowhere,
    Bar(ProgressBar),
    Lines(&'static str),
}

impl StepProgress {
    /// Of so many steps, each a `what`, such as `moves`.
    pub(in super::super) fn new(total: u64, what: &'static str, context: &Context) -> StepProgress {
        let shown = match (context.quiet, std::io::stderr().is_terminal()) {
            (true, _) => ProgressDisplay::Nowhere,
            (_, true) => ProgressDisplay::Bar(create_bar(total, what)),
            (_, false) => ProgressDisplay::Lines(what),
        };
        StepProgress { total, done: 0, shown }
    }

    /// One step is done; `note` says what came out.
    pub(in super::super) fn finish_step(&mut self, note: &str) {
        self.done += 1;
        let often = (self.total / LINES).max(1);
        match &self.shown {
            ProgressDisplay::Nowhere => {}
            ProgressDisplay::Bar(bar) => {
                bar.set_prefix(note.to_string());
                bar.inc(1);
            }
            ProgressDisplay::Lines(what) if self.done.is_multiple_of(often) => {
                // Nobody reads it any more: that is no reason to end the work.
                let _ = writeln!(anstream::stderr(), "{}/{} {what}  {note}", self.done, self.total);
            }
            ProgressDisplay::Lines(_) => {}
        }
    }

    /// Takes the bar away.
    pub(in super::super) fn clear_bar(self) {
        if let ProgressDisplay::Bar(bar) = self.shown {
            bar.finish_and_clear();
        }
    }
}

fn create_bar(total: u64, what: &'static str) -> ProgressBar {
    let template = format!("{{bar:30}} {{pos}}/{{len}} {what}  {{prefix}}  {{eta}} left");
    let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr()).with_style(style)
}
