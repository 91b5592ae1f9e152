//! Progress on stderr: a bar or a spinner on a terminal, else a line now and then, or nothing.

use std::io::{IsTerminal, Write};
use std::time::Duration;

pub use indicatif::ProgressBar;
use indicatif::{ProgressDrawTarget, ProgressStyle};
use ishi_arena::stopwatch::WallClock;
use ishi_words::Language;
use ishi_work::{Clock, Pace, Progress};

use crate::context::Context;

/// Time between two lines where there is no terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// Time between two pictures of a spinner.
const BETWEEN_PICTURES: Duration = Duration::from_millis(100);

/// Where progress goes.
enum ProgressTarget {
    /// The user wants none.
    Nowhere,
    /// A terminal.
    Bar(ProgressBar),
    /// A file or a pipe.
    Lines,
}

/// What the user sees of work that goes on. It vanishes when it is dropped.
pub struct ProgressDisplay {
    target: ProgressTarget,
    clock: WallClock,
    pace: Pace,
}

impl ProgressDisplay {
    /// A bar of so many parts, drawn by a template of indicatif. Nothing is shown yet.
    pub fn bar(context: &Context, template: &str, total: u64) -> ProgressDisplay {
        ProgressDisplay::open(context, Some(total), bar_style(template))
    }

    /// For work whose end nobody knows: the time that has passed, and a message.
    pub fn spinner(context: &Context) -> ProgressDisplay {
        let style = ProgressStyle::with_template("{spinner} {elapsed}  {msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
        let mut display = ProgressDisplay::open(context, None, style);
        if display.as_bar().is_some() {
            display.pace = Pace::start(BETWEEN_PICTURES, display.clock.now());
        }
        display
    }

    fn open(context: &Context, total: Option<u64>, style: ProgressStyle) -> ProgressDisplay {
        let target = match (context.quiet, std::io::stderr().is_terminal()) {
            (true, _) => ProgressTarget::Nowhere,
            (_, true) => {
                let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
                ProgressTarget::Bar(bar.with_style(style))
            }
            (_, false) => ProgressTarget::Lines,
        };
        let clock = WallClock::start();
        ProgressDisplay { target, clock, pace: Pace::start(BETWEEN_LINES, clock.now()) }
    }

    /// The bar, if there is a terminal.
    pub fn as_bar(&self) -> Option<&ProgressBar> {
        match &self.target {
            ProgressTarget::Bar(bar) => Some(bar),
            ProgressTarget::Nowhere | ProgressTarget::Lines => None,
        }
    }

    /// Does it go into a file or a pipe?
    pub fn is_lines(&self) -> bool {
        matches!(self.target, ProgressTarget::Lines)
    }

    /// A line that stays.
    pub fn print_line(&self, text: &str) {
        self.line_printer()(text);
    }

    /// What prints lines that stay, for whoever hears of something while the display is lent.
    pub fn line_printer(&self) -> Box<dyn Fn(&str) + Send> {
        match &self.target {
            ProgressTarget::Nowhere => Box::new(|_| {}),
            ProgressTarget::Bar(bar) => {
                let bar = bar.clone();
                Box::new(move |text| bar.println(text))
            }
            // Nobody reads it any more: that is no reason to end the work.
            ProgressTarget::Lines => Box::new(|text| drop(writeln!(anstream::stderr(), "{text}"))),
        }
    }

    /// Says what goes on: beside the spinner, or as a line if it is time for one.
    pub fn show_message(&mut self, message: impl FnOnce() -> String) {
        if matches!(self.target, ProgressTarget::Nowhere) || !self.pace.is_due(self.clock.now()) {
            return;
        }
        match self.as_bar() {
            Some(bar) => {
                bar.set_message(message());
                bar.tick();
            }
            None => self.print_line(&message()),
        }
    }

    /// Moves the bar to this place, or writes a line if it is time for one.
    pub fn show_progress(&mut self, progress: Progress<&str>, line: impl FnOnce(Progress<&str>) -> String) {
        if let Some(bar) = self.as_bar() {
            bar.set_length(progress.total as u64);
            bar.set_position(progress.done as u64);
            bar.set_message(progress.note.to_string());
        } else if self.is_lines() && self.pace.is_due(self.clock.now()) {
            self.print_line(&line(progress));
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        if let Some(bar) = self.as_bar() {
            bar.finish_and_clear();
        }
    }
}

/// The time left, for a template of indicatif.
fn time_left(language: Language) -> &'static str {
    language.choose("{eta} left", "残り {eta}")
}

fn bar_style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Context {
    /// A bar of so many steps, where stderr is a terminal. Elsewhere nothing is shown: for work of which a reader of lines need not hear.
    pub fn progress_bar(&self, steps: usize, what: &str) -> ProgressBar {
        self.progress_bar_in(Language::English, steps, what)
    }

    /// The same, where `what` is a word of this language.
    pub fn progress_bar_in(&self, language: Language, steps: usize, what: &str) -> ProgressBar {
        let shown = !self.quiet && std::io::stderr().is_terminal();
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let template =
            format!("{{bar:30}} {{pos}}/{{len}} {what}  {{elapsed}}  {}  {{msg}}", time_left(language));
        ProgressBar::with_draw_target(Some(steps as u64), target).with_style(bar_style(&template))
    }
}

impl Drop for ProgressDisplay {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Lines of a [`StepDisplay`] for a reader that is no terminal.
const LINES: usize = 10;

/// Work in steps, each of which says what came out.
pub struct StepDisplay {
    progress: Progress,
    display: ProgressDisplay,
}

impl StepDisplay {
    /// Shows how many of so many steps are done, each a `what`, such as `moves`.
    pub fn new(total: u64, what: &'static str, context: &Context) -> StepDisplay {
        StepDisplay::in_language(total, what, Language::English, context)
    }

    /// The same, where `what` is a word of this language.
    pub fn in_language(total: u64, what: &'static str, language: Language, context: &Context) -> StepDisplay {
        let template = format!("{{bar:30}} {{pos}}/{{len}} {what}  {{prefix}}  {}", time_left(language));
        let progress = Progress::new(0, usize::try_from(total).unwrap_or(usize::MAX), what);
        StepDisplay { progress, display: ProgressDisplay::bar(context, &template, total) }
    }

    /// One step is done; `note` says what came out.
    pub fn finish_step(&mut self, note: &str) {
        self.progress.done += 1;
        if let Some(bar) = self.display.as_bar() {
            bar.set_prefix(note.to_string());
            bar.inc(1);
        } else if self.progress.is_one_of(LINES) {
            self.display.print_line(&format!("{}  {note}", self.progress));
        }
    }
}
