//! `ishi go problems`: problems put to a player, and the right answers counted.

pub(crate) mod share;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use clap::Args;
use ishi_arena::stopwatch::{process_cpu_time, thread_cpu_time};
use ishi_go_play::catalog;
use ishi_go_play::problems::{Problem, ProblemParts, ProblemReply, ask_player, is_proved, sgf, suite, text};
use ishi_gtp::Inbox;
use ishi_othello_play::levels::Level;
use ishi_sheet::{SheetBlock, SheetTable, blocks_to_text};
use serde::Serialize;

use super::games;
use crate::commands::gtp::{self, MachineHost};
use crate::context::{Context, Failure};
use crate::files::{self, ReadFile};
use crate::numbers::number_in;
use crate::progress::ProgressBar;

/// A pass, as an answer.
const PASS: &str = "PASS";

pub(super) const HELP: &str = "\
Examples:
  ishi go problems sample:problems                 all of them to go-network, and the share right
  ishi go problems tsumego.txt.gz --every 3 --offset 1 --verbose     a third of them; what was wrong
  ishi go problems tactics.txt.gz --only attack,defend --diagram     with pictures of the wrong ones
  ishi go problems mine.sgf --engine go-knowledge  problems as records
  ishi go problems tactics.txt.gz --exact          answers with their moves; other moves count if they are proved
  ishi go problems captures.txt --parts 5/5        a fifth of the games, if 1-4/5 was chosen on
  ishi go problems ko.tst --parts 1/2              half of a suite of another program
  ishi go problems tsumego.txt.gz --level 4 --limit 20 --json

Text: one problem on a line, with tabs between name, GTP command (attack, owl_defend, connect, \
reg_genmove, ...), its arguments, lines of the board, side to move, black stones, white stones \
(points as in SGF), komi, expected answer. The expected answer is a whole one, as [C3|D4], [!C3] or \
[1 (B4|D2)]. Answers whose code (1 works, 0 fails, ...) is the expected one are counted, too. \
A line that is no problem is named and passed over. The column constant is what a player without knowledge \
gets: the best answer that is the same for all questions of a group.

Regression suites (.tst, GNU Go's and Fuego's): GTP commands load a position from a record that lies beside, the question \
follows, and the answer stands below it as `#? [C3|D4]`. They are counted by suite. Settings of other programs are passed over.

Records (SGF): the problem is the position before the first move. A move is right if its variation \
has a comment RIGHT or CORRECT. If none has, the first one is right. They are counted by GE and DI.

`ishi review GAME.sgf --problems FILE.sgf` makes such records of a game. Right is what the review found best, and \
what it found as good. Who looks longer than the review did may find another move, and then counts as wrong.

--level is a player with playouts, as of `ishi gtp`: level 1 plays like a beginner.

Every problem is put to a player made for it, so nothing depends on --threads, the number of \
problems answered at a time. CPU time is that of a problem's own thread: give --threads 1 for \
a player that thinks on several. Ctrl-C tells what has been answered (exit code 130). Wrong \
answers are no failure (exit code 0). docs/reading.md has the formats.";

/// Options of `ishi go problems`.
#[derive(Args, Debug)]
pub(crate) struct ProblemsArgs {
    /// Problems: text (packed by gzip or not), records (SGF) or regression suites (.tst)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The player: NAME or NAME:KEY=VALUE,KEY=VALUE, as of `ishi gtp` [default: go-network]
    #[arg(long, value_name = "ENGINE")]
    engine: Option<String>,
    /// The player with playouts at this level, 1 to 10
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,
    /// Only problems of these groups, or with these commands
    #[arg(long, value_delimiter = ',', value_name = "GROUP,...")]
    only: Vec<String>,
    /// Only these parts of all problems, such as 5/5, or 1-4/5; problems of one game or one position stay together
    #[arg(long, value_name = "A-B/N")]
    parts: Option<ProblemParts>,
    /// Of the problems every N-th, the first after --offset among them
    #[arg(long, default_value = "1", value_name = "N", value_parser = number_in::<usize>(1..))]
    every: usize,
    /// Leave out so many problems first
    #[arg(long, default_value_t = 0, value_name = "N")]
    offset: usize,
    /// So many problems at most
    #[arg(long, value_name = "N", value_parser = number_in::<usize>(1..))]
    limit: Option<usize>,
    /// Count whole answers only, and moves that were not expected if reading proves them
    #[arg(long)]
    exact: bool,
    /// A line for each problem that was answered wrongly
    #[arg(long, short)]
    verbose: bool,
    /// Draw the positions of these problems, too
    #[arg(long)]
    diagram: bool,
}

/// A problem's answer.
#[derive(Serialize)]
struct AnsweredProblem {
    name: String,
    group: String,
    query: String,
    args: String,
    expected: String,
    /// None if there is no such command.
    answer: Option<String>,
    /// The question was refused; then the answer is the reason.
    refused: bool,
    right: bool,
    /// The move was not expected, but it is proved to do what was asked; it counts with `--exact`.
    proved: bool,
    right_by_code: bool,
    cpu_seconds: f64,
}

#[derive(Default, Serialize)]
struct ProblemCounts {
    asked: usize,
    right: usize,
    /// How many of the right answers were moves that were not expected, but are proved.
    proved: usize,
    right_by_code: usize,
    /// What the best answer gets that is the same for all questions: right, and right by code.
    constant: usize,
    constant_by_code: usize,
    /// Questions that there is no command for; they count as wrong.
    unknown: usize,
    cpu_seconds: f64,
    longest_cpu_seconds: f64,
}

#[derive(Serialize)]
struct ProblemsReport {
    engine: String,
    seed: String,
    /// Only whole answers count, and moves that are proved.
    exact: bool,
    /// Problems that were to be asked.
    wanted: usize,
    /// What was no problem, and why.
    passed_over: Vec<String>,
    groups: BTreeMap<String, ProblemCounts>,
    total: ProblemCounts,
    problems: Vec<AnsweredProblem>,
}

/// Puts the problems to the player.
pub(super) fn run(args: &ProblemsArgs, context: &Context) -> Result<(), Failure> {
    let spec = gtp::go_spec(args.engine.as_deref(), args.level, gtp::USUAL)?;
    let engine = catalog::create_go_player(&spec, context.seed).map_err(Failure::input)?.spec();
    let (problems, passed_over) = choose_problems(args, &mut files::read_unpacked)?;
    if !context.quiet {
        passed_over.iter().for_each(|fault| tell!("passed over: {fault}"));
    }
    let bar = context.progress_bar(problems.len(), "problems");
    let before = process_cpu_time();
    let answers = answer_problems(&problems, &spec, &bar, context)?;
    let cpu = process_cpu_time().saturating_sub(before);
    bar.finish_and_clear();
    let (report, wrong) = report_answers(args, &engine, (&problems[..], passed_over), &answers, context);
    files::print_result(context, &report, || wrong + &report.to_text(cpu))?;
    let missed = report.total.asked - report.total.right;
    if missed > 0 && !(args.verbose || args.diagram || context.json) {
        context.print_progress(format_args!(
            "{missed} of {} answered otherwise than the file expects: --verbose shows both answers",
            report.total.asked
        ));
    }
    if report.problems.len() < problems.len() { Err(Failure::Interrupted) } else { Ok(()) }
}

/// The report of the answers that there are, and what is to be told of the wrong ones. `found` are the problems, and what was passed over.
fn report_answers(
    args: &ProblemsArgs,
    engine: &str,
    found: (&[Problem], Vec<String>),
    answers: &[Option<TimedReply>],
    context: &Context,
) -> (ProblemsReport, String) {
    let (problems, passed_over) = found;
    let mut report = ProblemsReport {
        engine: engine.to_string(),
        seed: context.seed.to_string(),
        exact: args.exact,
        wanted: problems.len(),
        passed_over,
        groups: BTreeMap::new(),
        total: ProblemCounts::default(),
        problems: Vec::new(),
    };
    let mut wrong = String::new();
    for (problem, (reply, cpu)) in problems.iter().zip(answers).filter_map(|(p, a)| Some((p, a.as_ref()?))) {
        let answered = AnsweredProblem::from_reply(problem, reply, *cpu, args.exact);
        report.groups.entry(problem.group.clone()).or_default().add_answer(&answered);
        report.total.add_answer(&answered);
        if !answered.right && (args.verbose || args.diagram) {
            wrong.push_str(&format_wrong_answer(&answered, args.diagram.then_some(problem)));
        }
        report.problems.push(answered);
    }
    report.set_constants(problems, answers);
    (report, wrong)
}

// --- which problems ---

/// The problems that are asked, and what was passed over as it is none. What is read is unpacked.
fn choose_problems(
    args: &ProblemsArgs,
    read: &mut ReadFile<'_>,
) -> Result<(Vec<Problem>, Vec<String>), Failure> {
    let (mut all, mut passed_over) = (Vec::new(), Vec::new());
    for path in &args.files {
        let bytes = read(path)?;
        let (problems, faults) = read_problems(path, bytes, read)?;
        all.extend(problems);
        passed_over.extend(faults);
    }
    if let (true, Some(fault)) = (all.is_empty(), passed_over.first()) {
        return Err(Failure::input(fault));
    }
    if all.is_empty() {
        let names: Vec<String> = args.files.iter().map(|path| path.display().to_string()).collect();
        return Err(Failure::input(format!(
            "{}: there is no problem in it: it must be text with a problem on each line, records (SGF) or a suite (.tst)",
            names.join(", ")
        )));
    }
    let groups: Vec<&str> = all.iter().flat_map(|p| [p.group.as_str(), p.query.as_str()]).collect();
    if let Some(name) = args.only.iter().find(|name| !groups.contains(&name.as_str())) {
        let mut groups = groups.clone();
        groups.sort_unstable();
        groups.dedup();
        return Err(Failure::input(format!("--only {name}: there are {}", groups.join(", "))));
    }
    let wanted =
        |p: &Problem| args.only.is_empty() || args.only.contains(&p.group) || args.only.contains(&p.query);
    let is_in_parts = |p: &Problem| args.parts.is_none_or(|parts| parts.has(p));
    let chosen = all.into_iter().filter(wanted).filter(is_in_parts).skip(args.offset).step_by(args.every);
    let chosen: Vec<Problem> = chosen.take(args.limit.unwrap_or(usize::MAX)).collect();
    if chosen.is_empty() {
        return Err(Failure::input(
            "no problem is left to ask: --offset is beyond the last, or --parts has none",
        ));
    }
    Ok((chosen, passed_over))
}

/// The problems of a file, and what in it is none. Suites name records, which are read, too.
fn read_problems(
    path: &Path,
    bytes: Vec<u8>,
    read: &mut ReadFile<'_>,
) -> Result<(Vec<Problem>, Vec<String>), Failure> {
    let named = |problem: String| format!("{}: {problem}", path.display());
    let wrong = |problem: String| Failure::input(named(problem));
    let (mut problems, mut faults) = (Vec::new(), Vec::new());
    let mut sort = |problem: Result<Problem, String>| match problem {
        Ok(problem) => problems.push(problem),
        Err(fault) => faults.push(named(fault)),
    };
    if !games::is_sgf(&bytes) {
        let plain = String::from_utf8(bytes)
            .map_err(|_| wrong("this is neither text nor a record (SGF)".to_string()))?;
        if suite::is_suite(&plain) {
            read_suite(path, &plain, read).into_iter().for_each(sort);
        } else {
            text::parse_problem_lines(&plain).for_each(|line| sort(line.map_err(|error| error.to_string())));
        }
        return Ok((problems, faults));
    }
    let reading = ishi_sgf::read_collection(&bytes).map_err(|error| wrong(error.to_string()))?;
    let stem = file_stem(path);
    for (index, tree) in reading.collection.games.iter().enumerate() {
        let number = index + 1;
        let problem = sgf::read_problem(tree, &format!("{stem}-{number}"));
        sort(problem.map_err(|error| format!("problem {number}: {error}")));
    }
    if let (true, Some(fault)) = (problems.is_empty(), faults.first_mut()) {
        *fault += "; `ishi review GAME.sgf --problems FILE.sgf` makes problems of a game";
    }
    Ok((problems, faults))
}

/// The questions of a suite. The records that it names lie where it does.
fn read_suite(path: &Path, text: &str, read: &mut ReadFile<'_>) -> Vec<Result<Problem, String>> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut record = |name: &str| read(&folder.join(name)).map_err(|failure| failure.to_string());
    suite::read_suite(&file_stem(path), text, &mut record)
}

/// A file's name without what says its kind: `owl` of `owl.tst.gz`.
fn file_stem(path: &Path) -> String {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_string()
}

// --- asking ---

type TimedReply = (ProblemReply, Duration);

/// Answers in the order of the problems; at Ctrl-C none for those that were not asked or interrupted.
fn answer_problems(
    problems: &[Problem],
    spec: &str,
    bar: &ProgressBar,
    context: &Context,
) -> Result<Vec<Option<TimedReply>>, Failure> {
    let (next, right) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let workers = context.threads.clamp(1, problems.len());
    let inboxes: Vec<Mutex<Inbox>> = (0..workers).map(|_| Mutex::default()).collect();
    let inbox = |worker: &Mutex<Inbox>| worker.lock().map(|inbox| inbox.clone()).unwrap_or_default();
    let work = |own: &Mutex<Inbox>| -> Result<Vec<(usize, TimedReply)>, Failure> {
        let mut found = Vec::new();
        loop {
            let number = next.fetch_add(1, Relaxed);
            let Some(problem) = problems.get(number) else { return Ok(found) };
            let fresh = Inbox::new();
            if let Ok(mut own) = own.lock() {
                *own = fresh.clone();
            }
            // After the inbox is known to the watcher: from here on it is aborted, or this sees the wish.
            if context.is_stop_requested() {
                return Ok(found);
            }
            let clock = || if workers == 1 { process_cpu_time() } else { thread_cpu_time() };
            let start = clock();
            let reply = ask_player(problem, spec, Box::new(MachineHost::start_clock()), context.seed, &fresh)
                .map_err(Failure::input)?;
            if reply == ProblemReply::Stopped {
                return Ok(found);
            }
            right.fetch_add(usize::from(reply.is_right(&problem.expected)), Relaxed);
            bar.inc(1);
            bar.set_message(format!("{} right", right.load(Relaxed)));
            found.push((number, (reply, clock().saturating_sub(start))));
        }
    };
    let mut answers: Vec<Option<TimedReply>> = problems.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        let running: Vec<_> = inboxes.iter().map(|own| scope.spawn(|| work(own))).collect();
        while !running.iter().all(|worker| worker.is_finished()) {
            if context.is_stop_requested() {
                inboxes.iter().for_each(|own| inbox(own).abort());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        for worker in running {
            let found = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            for (number, answer) in found {
                answers[number] = Some(answer);
            }
        }
        Ok(answers)
    })
}

// --- telling ---

impl AnsweredProblem {
    fn from_reply(problem: &Problem, reply: &ProblemReply, cpu: Duration, exact: bool) -> AnsweredProblem {
        let right = reply.is_right(&problem.expected);
        let proved = match reply {
            ProblemReply::Answer(answer) => exact && !right && is_proved(problem, answer),
            _ => false,
        };
        AnsweredProblem {
            name: problem.name.clone(),
            group: problem.group.clone(),
            query: problem.query.clone(),
            args: problem.args.clone(),
            expected: problem.expected.to_string(),
            answer: match reply {
                ProblemReply::Answer(text) | ProblemReply::Refused(text) => Some(text.clone()),
                ProblemReply::Unknown | ProblemReply::Stopped => None,
            },
            refused: matches!(reply, ProblemReply::Refused(_)),
            right: right || proved,
            proved,
            right_by_code: reply.is_right_by_code(&problem.expected),
            cpu_seconds: cpu.as_secs_f64(),
        }
    }
}

/// A problem that was answered wrongly, on a line, and its position.
fn format_wrong_answer(answered: &AnsweredProblem, drawn: Option<&Problem>) -> String {
    let AnsweredProblem { name, query, args, expected, answer, refused, .. } = answered;
    // The area of restricted_genmove is long, and follows from the stones.
    let shown: String = args.chars().take(24).collect();
    let dots = if shown.len() < args.len() { "..." } else { "" };
    let got = match answer {
        Some(reason) if *refused => format!("refused: {reason}"),
        Some(answer) => format!("got {answer}"),
        None => "there is no such command".to_string(),
    };
    let mut text = format!("{name}: {query} {shown}{dots}: expected {expected}, {got}\n");
    if let Some(position) = drawn.and_then(|problem| problem.position().ok()) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", position.board());
    }
    text
}

impl ProblemCounts {
    fn add_answer(&mut self, answered: &AnsweredProblem) {
        self.asked += 1;
        self.right += usize::from(answered.right);
        self.proved += usize::from(answered.proved);
        self.right_by_code += usize::from(answered.right_by_code);
        self.unknown += usize::from(answered.answer.is_none());
        self.cpu_seconds += answered.cpu_seconds;
        self.longest_cpu_seconds = self.longest_cpu_seconds.max(answered.cpu_seconds);
    }
}

/// The best answer that is the same for all of these problems: right for so many, and right by code for so many. A pass is one, too: it is right
/// where only a mistake is to be avoided.
fn constant_answers<'a>(problems: impl Iterator<Item = &'a Problem> + Clone) -> (usize, usize) {
    let codes =
        problems.clone().flat_map(|problem| problem.expected.result_codes().iter().map(char::to_string));
    let pass = std::iter::once(PASS.to_string());
    let answers: BTreeSet<String> = problems
        .clone()
        .flat_map(|problem| problem.expected.plain_answers())
        .chain(codes)
        .chain(pass)
        .collect();
    let most = |fits: &dyn Fn(&Problem, &str) -> bool| {
        let count = |answer: &String| problems.clone().filter(|problem| fits(problem, answer)).count();
        answers.iter().map(count).max().unwrap_or(0)
    };
    (
        most(&|problem, answer| problem.expected.fits_answer(answer)),
        most(&|problem, answer| problem.expected.fits_by_code(answer)),
    )
}

impl ProblemsReport {
    /// Sets what constant answers get in each group; in all, each group has its own.
    fn set_constants(&mut self, problems: &[Problem], answers: &[Option<TimedReply>]) {
        let asked =
            problems.iter().zip(answers).filter(|(_, answer)| answer.is_some()).map(|(problem, _)| problem);
        for (name, counts) in &mut self.groups {
            let of_group = asked.clone().filter(|problem| problem.group == *name);
            (counts.constant, counts.constant_by_code) = constant_answers(of_group);
            self.total.constant += counts.constant;
            self.total.constant_by_code += counts.constant_by_code;
        }
    }

    /// The counts of all groups, and how they were found.
    fn to_text(&self, cpu: Duration) -> String {
        let mut blocks = vec![SheetBlock::Table(self.count_table())];
        if self.total.asked < self.wanted {
            let stopped = format!("stopped: {} of {} problems asked", self.total.asked, self.wanted);
            blocks.push(SheetBlock::Text(stopped));
        }
        if !self.passed_over.is_empty() {
            let faults = self.passed_over.len();
            blocks.push(SheetBlock::Text(format!("{faults} passed over: no problems")));
        }
        let how = format!("{}, seed {}, {:.1} s of CPU", self.engine, self.seed, cpu.as_secs_f64());
        blocks.push(SheetBlock::Text(how));
        blocks_to_text(&blocks)
    }

    fn count_table(&self) -> SheetTable {
        let by_code = if self.exact { "#another proved" } else { "#by code (constant)" };
        let columns = ["group", "#asked", "right", "#constant", by_code, "#unknown", "CPU s each (longest)"];
        let mut table = SheetTable::new(columns)
            .with_text_widths(&[20, 5, 15, 8, 18, 7, 10])
            .with_text_gaps(&[1, 2, 2, 2, 2, 2]);
        let groups = self.groups.iter().map(|(name, counts)| (name.as_str(), counts));
        for (name, counts) in groups.chain([("total", &self.total)]) {
            let of = counts.asked.max(1) as f64;
            let more = match self.exact {
                true => counts.proved.to_string(),
                false => format!("{} ({})", counts.right_by_code, counts.constant_by_code),
            };
            table.add_row([
                name.to_string(),
                counts.asked.to_string(),
                format!("{:>5} ({:>5.1} %)", counts.right, 100.0 * counts.right as f64 / of),
                counts.constant.to_string(),
                more,
                counts.unknown.to_string(),
                format!("{:>10.3} ({:.3})", counts.cpu_seconds / of, counts.longest_cpu_seconds),
            ]);
        }
        table
    }
}
