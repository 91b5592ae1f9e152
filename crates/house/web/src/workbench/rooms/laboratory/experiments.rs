//! Experiments: how far they are, their runs, their reports.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use ishi_lab::LabError;
use ishi_lab::experiment::Variant;
use ishi_lab::folder::{self, Loaded};
use ishi_lab::report::{self as lab_report, Report};
use ishi_lab::runner::{self, Event, Progress, RunEnd, RunOptions};
use ishi_lab::store::Store;
use maud::{Markup, html};

use super::super::patterns::{file, go_to};
use super::{ask, database, report, told};
use crate::workbench::Desk;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room, encoded, part};
use crate::workbench::thoughts::Stop;
use crate::workbench::visitor::Visitor;

pub(super) fn routes() -> Router<Arc<Desk>> {
    Router::new()
        .route("/lab/e/{name}/{variant}", get(show))
        .route("/lab/e/{name}/{variant}/start", post(start))
        .route("/lab/e/{name}/{variant}/stop", post(stop))
        .route("/lab/e/{name}/{variant}/count", get(count))
        .route("/lab/e/{name}/{variant}/games", get(games))
        .route("/lab/e/{name}/{variant}/progress", get(progress))
        .route("/lab/e/{name}/{variant}/report", get(figures))
        .route("/lab/e/{name}/{variant}/figures.csv", get(csv))
        .route("/lab/e/{name}/{variant}/results.json", get(json))
}

/// Lines that a run has told last.
const LINES: usize = 8;
/// Seconds between two early reports.
const EARLY: f64 = 3.0;

/// What a run tells of itself.
#[derive(Clone, Debug, Default)]
struct Told {
    tasks: usize,
    done: usize,
    last: String,
    lines: VecDeque<String>,
    /// How it ended: nothing as long as it has not.
    ended: Option<Result<RunEnd, String>>,
    /// What is there of the report.
    report: Option<Arc<Report>>,
}

/// Experiments that were read, by key, with the time at which their files were changed last: some take seconds.
#[derive(Default)]
pub(super) struct Read {
    known: Mutex<HashMap<String, (Stamp, Arc<Loaded>)>>,
    /// The reports that are kept in the folders, of those.
    kept: Mutex<HashMap<String, KeptReport>>,
    /// Held by who reads one, so that they are read one after the other.
    reading: Mutex<()>,
}

/// A report that is kept in a folder, if there is one.
type KeptReport = (Stamp, Option<Arc<Report>>);

/// When the files were changed.
type Stamp = [Option<std::time::SystemTime>; 2];

fn stamp(folder: &folder::Folder) -> Stamp {
    let changed =
        |name: &str| std::fs::metadata(folder.path.join(name)).and_then(|data| data.modified()).ok();
    ["config.toml", "expected.toml"].map(changed)
}

impl Read {
    /// The report that is kept in the folder. What was kept with another configuration may not fit any more: then there is none.
    fn kept(&self, chosen: &Chosen, loaded: &Loaded) -> Option<Arc<Report>> {
        let when = stamp(&loaded.folder);
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, report)) = lock().get(&chosen.key()).filter(|(then, _)| *then == when) {
            return report.clone();
        }
        let report = lab_report::read(loaded).ok().flatten().map(Arc::new);
        lock().insert(chosen.key(), (when, report.clone()));
        report
    }

    fn known(&self, chosen: &Chosen, folder: &folder::Folder) -> Option<Arc<Loaded>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let (when, loaded) = known.get(&chosen.key())?;
        (*when == stamp(folder)).then(|| Arc::clone(loaded))
    }

    fn get(&self, chosen: &Chosen, desk: &Desk, folder: &folder::Folder) -> Result<Arc<Loaded>, LabError> {
        let _reading = match self.known(chosen, folder) {
            Some(loaded) => return Ok(loaded),
            None => self.reading.lock().unwrap_or_else(PoisonError::into_inner),
        };
        // Somebody may have read it meanwhile.
        if let Some(loaded) = self.known(chosen, folder) {
            return Ok(loaded);
        }
        let when = stamp(folder);
        let loaded = Arc::new(folder.load(chosen.variant, desk.settings.seed)?);
        loaded.tasks();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(chosen.key(), (when, Arc::clone(&loaded)));
        Ok(loaded)
    }
}

/// Runs since the server was started, by key.
#[derive(Default)]
pub(super) struct Runs(Mutex<HashMap<String, Told>>);

impl Runs {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Told>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, key: &str) -> Option<Told> {
        self.lock().get(key).cloned()
    }

    fn change(&self, key: &str, change: impl FnOnce(&mut Told)) {
        change(self.lock().entry(key.to_string()).or_default());
    }
}

/// An experiment, by the words of an address.
#[derive(Clone, Debug)]
struct Chosen {
    name: String,
    variant: Variant,
}

impl Chosen {
    fn read(name: String, variant: &str) -> Result<Chosen, PageError> {
        let known = Variant::ALL.into_iter().find(|each| each.to_string() == variant);
        let variant = known
            .ok_or_else(|| PageError::missing("the variants are full and quick", "full と quick のみです"))?;
        // A name is never a path.
        if name.contains(['/', '\\']) || name.starts_with('.') {
            return Err(PageError::missing("there is no such experiment", "その実験はありません"));
        }
        Ok(Chosen { name, variant })
    }

    fn key(&self) -> String {
        format!("experiment/{}/{}", self.name, self.variant)
    }

    fn topic(&self) -> String {
        format!("lab/{}/{}", self.name, self.variant)
    }

    fn path(&self, what: &str) -> String {
        let Chosen { name, variant } = self;
        if what.is_empty() {
            format!("/lab/e/{name}/{variant}")
        } else {
            format!("/lab/e/{name}/{variant}/{what}")
        }
    }

    /// Its folder.
    fn folder(&self, desk: &Desk) -> Result<folder::Folder, LabError> {
        folder::find(&desk.settings.experiments, &self.name)
    }

    /// Reads its files and lists its tasks; not for threads that may not wait.
    fn load_now(&self, desk: &Desk) -> Result<Arc<Loaded>, LabError> {
        let folder = self.folder(desk)?;
        desk.rooms.laboratory.loaded.get(self, desk, &folder)
    }

    /// Is it there without waiting?
    fn is_loaded(&self, desk: &Desk) -> bool {
        self.folder(desk).is_ok_and(|folder| desk.rooms.laboratory.loaded.known(self, &folder).is_some())
    }

    async fn load(&self, desk: &Arc<Desk>) -> Result<Arc<Loaded>, PageError> {
        let (desk, chosen) = (Arc::clone(desk), self.clone());
        let loaded = tokio::task::spawn_blocking(move || chosen.load_now(&desk)).await;
        loaded.map_err(|_| PageError::internal())?.map_err(missing)
    }
}

/// Of an experiment that is not there.
fn missing(error: LabError) -> PageError {
    match error {
        LabError::Input(text) => PageError::new(StatusCode::NOT_FOUND, &text, &text),
        other => told(other),
    }
}

// --- the list ---

pub(super) async fn list(desk: &Arc<Desk>, visitor: &Visitor) -> Result<Markup, PageError> {
    let shared = Arc::clone(desk);
    let lines = tokio::task::spawn_blocking(move || {
        let folders = folder::all(&shared.settings.experiments).unwrap_or_default();
        let title = |folder: folder::Folder| {
            let title = folder.title();
            (folder, title)
        };
        folders.into_iter().map(title).collect::<Vec<_>>()
    });
    let lines = lines.await.map_err(|_| PageError::internal())?;
    Ok(html! {
        section {
            h2 #experiments { (visitor.say("Experiments", "実験")) }
            @if lines.is_empty() {
                p.quiet { (visitor.say("There is no folder of experiments here: ", "実験のフォルダがありません："))
                    code { (desk.settings.experiments.display()) } }
            } @else {
                div.scroll tabindex="0" role="region" aria-labelledby="experiments" {
                    table {
                        thead { tr {
                            th scope="col" { (visitor.say("Experiment", "実験")) }
                            th scope="col" { (visitor.say("Full run", "本実行")) }
                            th scope="col" { (visitor.say("Quick run", "短い実行")) }
                        } }
                        tbody { @for (folder, title) in &lines { (row(desk, visitor, folder, title)) } }
                    }
                }
            }
        }
    })
}

fn row(desk: &Desk, visitor: &Visitor, folder: &folder::Folder, title: &str) -> Markup {
    let chosen = |variant| Chosen { name: folder.name.clone(), variant };
    html! {
        tr {
            th scope="row" { a href=(chosen(Variant::Full).path("")) { (folder.name) } br; span.quiet { (title) } }
            @for variant in Variant::ALL {
                @let chosen = chosen(variant);
                td {
                    a href=(chosen.path("")) {
                        span hx-get=(chosen.path("count")) hx-trigger="load" { (visitor.say("look", "見る")) }
                        span.unseen { " " (folder.name) " " (variant) }
                    }
                    @if desk.runs.is_thinking(&chosen.key()) { " · " b { (visitor.say("running", "実行中")) } }
                    @if variant == Variant::Full && folder.results(variant).join("results.json").is_file() {
                        " · " (visitor.say("kept report", "保存済みの報告"))
                    }
                }
            }
        }
    }
}

/// How far it is, for the list.
async fn count(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path((name, variant)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let chosen = Chosen::read(name, &variant)?;
    let counted = counted(&desk, &chosen).await;
    Ok(part(html! {
        @match counted {
            Ok((done, tasks)) => { (done) "/" (tasks) " " (visitor.say("tasks", "タスク")) },
            Err(error) => span.bad { (error.words(&visitor)) },
        }
    }))
}

/// Finished and all tasks.
async fn counted(desk: &Arc<Desk>, chosen: &Chosen) -> Result<(usize, usize), PageError> {
    let (shared, which) = (Arc::clone(desk), chosen.clone());
    ask(desk, move |store| {
        let loaded = which.load_now(&shared)?;
        let (tasks, done) = runner::count(&loaded, store)?;
        Ok((done, tasks))
    })
    .await
}

// --- one of them ---

async fn show(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path((name, variant)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let chosen = Chosen::read(name, &variant)?;
    let (shared, which) = (Arc::clone(&desk), chosen.clone());
    let read = tokio::task::spawn_blocking(move || {
        let folder = which.folder(&shared)?;
        let readme = std::fs::read_to_string(folder.path.join("README.md")).unwrap_or_default();
        Ok::<_, LabError>((folder.title(), readme))
    });
    let (title, readme) = read.await.map_err(|_| PageError::internal())?.map_err(missing)?;
    let other = match chosen.variant {
        Variant::Full => (Variant::Quick, visitor.say("To the quick run", "短い実行へ")),
        Variant::Quick => (Variant::Full, visitor.say("To the full run", "本実行へ")),
    };
    // Listing the tasks of some takes seconds: then the page comes first.
    let ready = chosen.is_loaded(&desk);
    let (progress, figures) = match ready {
        true => {
            (progress_part(&desk, &visitor, &chosen).await?, figures_part(&desk, &visitor, &chosen).await?)
        }
        false => {
            let wait = || html! { p.quiet { (visitor.say("The tasks are being listed…", "タスクを調べています…")) } };
            (wait(), wait())
        }
    };
    let trigger = |event: &str| if ready { format!("sse:{event}") } else { format!("load, sse:{event}") };
    let title = format!("{title} ({})", chosen.variant);
    let body = html! {
        h1 { (title) }
        p.quiet { a href="/lab" { (visitor.say("Laboratory", "実験室")) } " · " (chosen.name) " · "
            (visitor.say("seed", "乱数の種")) " " (desk.settings.seed) " · "
            a href=(Chosen { variant: other.0, ..chosen.clone() }.path("")) { (other.1) } }
        #progress.panel hx-get=(chosen.path("progress")) hx-trigger=(trigger("progress")) { (progress) }
        details { summary { (visitor.say("Claim, set-up, deviations (README)", "主張・設定・相違（README）")) } (report::readme(&readme)) }
        div.row {
            a.button href=(chosen.path("figures.csv")) download { "CSV" }
            a.button href=(chosen.path("results.json")) download { "JSON" }
            a.button href=(chosen.path("games")) { (visitor.say("Games of this run", "この実行の対局")) }
        }
        #figures hx-get=(chosen.path("report")) hx-trigger=(trigger("report")) { (figures) }
    };
    Ok(Page::new(Room::Laboratory, &title).hearing(&chosen.topic()).show(&visitor, body))
}

/// The games of its run.
async fn games(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path((name, variant)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let loaded = Chosen::read(name, &variant)?.load(&desk).await?;
    Ok(go_to(&visitor, &format!("/lab/games?run={}", encoded(&runner::name_of(&loaded)))))
}

async fn progress(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path((name, variant)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let chosen = Chosen::read(name, &variant)?;
    Ok(part(progress_part(&desk, &visitor, &chosen).await?))
}

async fn progress_part(desk: &Arc<Desk>, visitor: &Visitor, chosen: &Chosen) -> Result<Markup, PageError> {
    let running = desk.runs.is_thinking(&chosen.key());
    let told = desk.rooms.laboratory.experiments.get(&chosen.key());
    let stopping = !running && told.as_ref().is_some_and(|told| told.tasks > 0 && told.ended.is_none());
    let (done, tasks) = match told.as_ref().filter(|told| told.tasks > 0) {
        Some(told) => (told.done, told.tasks),
        None => counted(desk, chosen).await?,
    };
    let button = |what: &str, words: &str, main: bool, off: bool| {
        html! { button.main[main] type="button" hx-post=(chosen.path(what)) hx-target="#progress" disabled[off] { (words) } }
    };
    let start = if done > 0 { visitor.say("Go on", "再開") } else { visitor.say("Start", "開始") };
    Ok(html! {
        h2 { (visitor.say("Progress", "進み具合")) }
        label { (done) "/" (tasks) " " (visitor.say("tasks", "タスク")) " " progress value=(done) max=(tasks.max(1)) {} }
        p #state aria-live="polite" {
            @if running && told.as_ref().is_none_or(|told| told.tasks == 0) {
                (visitor.say("It waits for its turn.", "順番を待っています。"))
            } @else if running { (visitor.say("Running. ", "実行中。")) @if let Some(told) = &told { code { (told.last) } } }
            @else {
                @match told.as_ref().and_then(|told| told.ended.as_ref()) {
                    Some(Err(error)) => span.bad { (visitor.say("It broke off: ", "中断しました：")) (error) },
                    Some(Ok(RunEnd::Stopped)) => (visitor.say("Stopped; what is finished is kept.", "停止しました。終わった分は保存されています。")),
                    _ if done >= tasks => (visitor.say("Finished.", "完了。")),
                    _ => (visitor.say("Not running.", "実行していません。")),
                }
            }
        }
        @if let Some(told) = &told { @for line in &told.lines { p.quiet { (line) } } }
        div.row {
            (button("start", start, true, running || stopping || done >= tasks))
            (button("stop", visitor.say("Stop", "停止"), false, !running))
        }
    })
}

async fn figures(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path((name, variant)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let chosen = Chosen::read(name, &variant)?;
    Ok(part(figures_part(&desk, &visitor, &chosen).await?))
}

/// Where a report comes from.
enum Origin {
    /// What this server's store has.
    Store,
    /// The files in the experiment's folder.
    Kept,
}

/// The report of what the store has; of what is kept in the folder where that says more.
async fn report_of(desk: &Arc<Desk>, chosen: &Chosen) -> Result<Option<(Arc<Report>, Origin)>, PageError> {
    if let Some(report) = desk.rooms.laboratory.experiments.get(&chosen.key()).and_then(|told| told.report) {
        return Ok(Some((report, Origin::Store)));
    }
    let (shared, chosen) = (Arc::clone(desk), chosen.clone());
    ask(desk, move |store| {
        let loaded = chosen.load_now(&shared)?;
        let (tasks, done) = runner::count(&loaded, store)?;
        let complete = done == tasks;
        if complete || done > 0 && loaded.experiment.reports_early() {
            let report = Arc::new(Report::new(&loaded, runner::progress(&loaded, store)?)?);
            if complete {
                let runs = &shared.rooms.laboratory.experiments;
                runs.change(&chosen.key(), |told| told.report = Some(Arc::clone(&report)));
            }
            return Ok(Some((report, Origin::Store)));
        }
        let kept = shared.rooms.laboratory.loaded.kept(&chosen, &loaded);
        Ok(kept.map(|report| (report, Origin::Kept)))
    })
    .await
}

async fn figures_part(desk: &Arc<Desk>, visitor: &Visitor, chosen: &Chosen) -> Result<Markup, PageError> {
    let found = report_of(desk, chosen).await?;
    Ok(html! {
        @match found {
            None => p.quiet { (visitor.say("No report yet: it is made when the tasks are finished.", "報告はまだありません。タスクが終わると作られます。")) },
            Some((report, origin)) => {
                @if matches!(origin, Origin::Kept) {
                    p.note { (visitor.say("These are the kept results that came with the program; a run of yours takes their place when it is finished.",
                                          "付属の保存済みの結果です。自分の実行が終わると置き換わります。")) }
                }
                @if report.missing > 0 {
                    p.note { (visitor.say("An early report: tasks that are not finished: ", "途中経過の報告。残りのタスク：")) (report.missing) }
                }
                (report::show(visitor, &report))
            }
        }
    })
}

async fn some_report(desk: &Arc<Desk>, chosen: &Chosen) -> Result<Arc<Report>, PageError> {
    let found = report_of(desk, chosen).await?;
    found.map(|(report, _)| report).ok_or_else(|| {
        PageError::missing(
            "there is no report yet: run the experiment first",
            "報告はまだありません。先に実行してください",
        )
    })
}

async fn csv(
    State(desk): State<Arc<Desk>>,
    Path((name, variant)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let chosen = Chosen::read(name, &variant)?;
    let report = some_report(&desk, &chosen).await?;
    let other = report.other_table().map_or(String::new(), |table| format!("\n{}", table.csv()));
    let name = format!("{}-{}.csv", chosen.name, chosen.variant);
    Ok(file(&name, "text/csv; charset=utf-8", report.comparison_table().csv() + &other))
}

async fn json(
    State(desk): State<Arc<Desk>>,
    Path((name, variant)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let chosen = Chosen::read(name, &variant)?;
    let report = some_report(&desk, &chosen).await?;
    let name = format!("{}-{}.json", chosen.name, chosen.variant);
    Ok(file(&name, "application/json", format!("{:#}\n", report.json())))
}

// --- runs ---

async fn start(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path((name, variant)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let chosen = Chosen::read(name, &variant)?;
    let loaded = chosen.load(&desk).await?;
    let database = database(&desk)?;
    if !desk.runs.is_thinking(&chosen.key()) {
        desk.rooms.laboratory.experiments.change(&chosen.key(), |told| *told = Told::default());
        let (shared, which) = (Arc::clone(&desk), chosen.clone());
        desk.runs.start(&chosen.key(), move |stop| perform(&shared, &which, &loaded, database, stop));
        desk.live.tell(&chosen.topic(), "progress", "waits");
    }
    answer(&desk, &visitor, &chosen).await
}

async fn stop(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path((name, variant)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let chosen = Chosen::read(name, &variant)?;
    desk.runs.stop(&chosen.key());
    desk.live.tell(&chosen.topic(), "progress", "stopping");
    answer(&desk, &visitor, &chosen).await
}

async fn answer(desk: &Arc<Desk>, visitor: &Visitor, chosen: &Chosen) -> Result<Response, PageError> {
    if visitor.partial {
        return Ok(part(progress_part(desk, visitor, chosen).await?));
    }
    Ok(go_to(visitor, &chosen.path("")))
}

/// Does what is missing, and tells of it.
fn perform(desk: &Desk, chosen: &Chosen, loaded: &Loaded, database: PathBuf, stop: &Stop) {
    // A fault in a run must not leave it neither running nor ended.
    let run = || run(desk, chosen, loaded, database, stop).map_err(|error| error.to_string());
    let ended =
        catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err("the run failed: a fault of ishi".into()));
    let runs = &desk.rooms.laboratory.experiments;
    runs.change(&chosen.key(), |told| told.ended = Some(ended));
    // Who asks now hears that it has ended.
    desk.live.tell(&chosen.topic(), "progress", "ended");
    desk.live.tell(&chosen.topic(), "report", "ended");
}

fn run(
    desk: &Desk,
    chosen: &Chosen,
    loaded: &Loaded,
    database: PathBuf,
    stop: &Stop,
) -> Result<RunEnd, LabError> {
    let mut store = Store::open(&database)?;
    let progress = runner::progress(loaded, &store)?;
    let mut watcher = Watcher { desk, chosen, loaded, progress, reported: Instant::now() };
    let options =
        RunOptions { threads: 1, stop: stop.flag(), observer: &mut |event: &Event<'_>| watcher.on(event) };
    let end = runner::run(loaded, &mut store, options)?;
    if end == RunEnd::Complete {
        let report = Arc::new(Report::new(loaded, runner::progress(loaded, &store)?)?);
        desk.rooms.laboratory.experiments.change(&chosen.key(), |told| told.report = Some(report));
    }
    Ok(end)
}

/// Tells pages of a run.
struct Watcher<'a> {
    desk: &'a Desk,
    chosen: &'a Chosen,
    loaded: &'a Loaded,
    progress: Progress,
    reported: Instant,
}

impl Watcher<'_> {
    fn on(&mut self, event: &Event<'_>) {
        let runs = &self.desk.rooms.laboratory.experiments;
        let key = self.chosen.key();
        match *event {
            Event::Planned { tasks, done } => {
                runs.change(&key, |told| (told.tasks, told.done) = (tasks, done))
            }
            Event::Skipped(reason) => runs.change(&key, |told| say(told, format!("SKIPPED: {reason}"))),
            Event::Finished { task, result, cost, ref live } => {
                self.progress.add(task, result, cost);
                runs.change(&key, |told| {
                    told.done += 1;
                    told.last = task.to_string();
                    if let Some(line) = live {
                        say(told, line.clone());
                    }
                });
                self.report_early();
            }
        }
        let done = self.progress.done.to_string();
        self.desk.live.tell(&self.chosen.topic(), "progress", done);
    }

    fn report_early(&mut self) {
        if !self.loaded.experiment.reports_early() || self.reported.elapsed().as_secs_f64() < EARLY {
            return;
        }
        self.reported = Instant::now();
        // What goes wrong will be heard of at the end.
        if let Ok(report) = Report::new(self.loaded, self.progress.clone()) {
            let key = self.chosen.key();
            self.desk.rooms.laboratory.experiments.change(&key, |told| told.report = Some(Arc::new(report)));
            self.desk.live.tell(&self.chosen.topic(), "report", self.progress.done.to_string());
        }
    }
}

fn say(told: &mut Told, line: String) {
    if told.lines.len() == LINES {
        told.lines.pop_front();
    }
    told.lines.push_back(line);
}
