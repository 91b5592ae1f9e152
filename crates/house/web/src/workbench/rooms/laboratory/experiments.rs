//! Experiments: how far they are, their runs, their reports. `courses` has what is remembered of them.

pub(super) mod courses;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{FromRequestParts, Path};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use ishi_lab::LabError;
use ishi_lab::estimate::{EstimateBasis, RunEstimate, estimate_run};
use ishi_lab::experiment::Variant;
use ishi_lab::folder::{self, LoadedExperiment};
use ishi_lab::report::LabReport;
use ishi_lab::runner::{self, ExperimentRunEnd, RunEvent, RunOptions, RunState};
use ishi_lab::store::Store;
use ishi_work::StopFlag;
use maud::{Markup, html};

use self::courses::ExperimentCourse;
use super::campaigns::time_words;
use super::database::{
    PATIENCE, query_store, require_database, require_room, stop_after_patience, to_page_error,
};
use super::report;
use super::report_words::ReportWords;
use crate::files;
use crate::workbench::answer::{attachment_response, redirect_to};
use crate::workbench::desk::run_blocking;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room, partial_response, percent_encode};
use crate::workbench::table::TableColumn::Words;
use crate::workbench::table::render_table;
use crate::workbench::texts::{PageText, args};
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/lab/e/{name}/{variant}", get(show_experiment))
        .route("/lab/e/{name}/{variant}/start", post(start_run))
        .route("/lab/e/{name}/{variant}/stop", post(stop_run))
        .route("/lab/e/{name}/{variant}/estimate", post(estimate_time))
        .route("/lab/e/{name}/{variant}/count", get(show_task_count))
        .route("/lab/e/{name}/{variant}/games", get(redirect_to_games))
        .route("/lab/e/{name}/{variant}/progress", get(show_progress))
        .route("/lab/e/{name}/{variant}/report", get(show_report))
        .route("/lab/e/{name}/{variant}/figures.csv", get(download_csv))
        .route("/lab/e/{name}/{variant}/results.json", get(download_json))
}

/// Seconds between two early reports.
const EARLY: f64 = 3.0;

/// An experiment, by the words of an address.
#[derive(Clone, Debug)]
struct ChosenExperiment {
    name: String,
    variant: Variant,
}

impl<S: Send + Sync> FromRequestParts<S> for ChosenExperiment {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<ChosenExperiment, Response> {
        let words = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((name, variant)) = words.map_err(IntoResponse::into_response)?;
        ChosenExperiment::parse(name, &variant).map_err(IntoResponse::into_response)
    }
}

impl ChosenExperiment {
    fn parse(name: String, variant: &str) -> Result<ChosenExperiment, PageError> {
        let known = Variant::ALL.into_iter().find(|each| each.to_string() == variant);
        let variant =
            known.ok_or_else(|| PageError::not_found("laboratory-the-variants-are-full-and-quick"))?;
        // A name is never a path.
        if name.contains(['/', '\\']) || name.starts_with('.') {
            return Err(PageError::not_found("laboratory-there-is-no-such-experiment"));
        }
        Ok(ChosenExperiment { name, variant })
    }

    fn key(&self) -> String {
        format!("experiment/{}/{}", self.name, self.variant)
    }

    fn topic(&self) -> String {
        format!("lab/{}/{}", self.name, self.variant)
    }

    fn page_path(&self, what: &str) -> String {
        let ChosenExperiment { name, variant } = self;
        if what.is_empty() {
            format!("/lab/e/{name}/{variant}")
        } else {
            format!("/lab/e/{name}/{variant}/{what}")
        }
    }

    /// Its folder.
    fn find_folder(&self, desk: &WorkbenchState) -> Result<folder::ExperimentFolder, LabError> {
        folder::find_folder(&desk.settings.experiments, &self.name)
    }

    /// Reads its files and lists its tasks; not for threads that may not wait.
    fn load_blocking(&self, desk: &WorkbenchState) -> Result<Arc<LoadedExperiment>, LabError> {
        let folder = self.find_folder(desk)?;
        let settings = &desk.settings;
        let load = || folder.load_experiment(settings.kinds, self.variant, settings.seed);
        desk.rooms.laboratory.loaded.get_or_load(&self.key(), &folder, load)
    }

    /// Is it there without waiting?
    fn is_loaded(&self, desk: &WorkbenchState) -> bool {
        self.find_folder(desk)
            .is_ok_and(|folder| desk.rooms.laboratory.loaded.find_loaded(&self.key(), &folder).is_some())
    }

    async fn load(&self, desk: &Arc<WorkbenchState>) -> Result<Arc<LoadedExperiment>, PageError> {
        let (desk, chosen) = (Arc::clone(desk), self.clone());
        run_blocking(move || chosen.load_blocking(&desk)).await?.map_err(experiment_not_found)
    }
}

/// The error of an experiment that is not there.
fn experiment_not_found(error: LabError) -> PageError {
    match error {
        LabError::Input(_) => PageError::new(StatusCode::NOT_FOUND, PageText::of_error(error)),
        other => to_page_error(other),
    }
}

// --- what its README says ---

/// What a README says, and the language if that is not the page's.
struct ToldText {
    text: String,
    language: Option<&'static str>,
}

impl ToldText {
    /// What is there in the language of the page, or else what stands in English.
    fn choose(visitor: &Visitor, own: Option<String>, english: impl FnOnce() -> String) -> ToldText {
        match own {
            Some(text) => ToldText { text, language: None },
            None => ToldText {
                text: english(),
                language: Some("en").filter(|tag| *tag != visitor.language_tag()),
            },
        }
    }

    fn title(folder: &folder::ExperimentFolder, visitor: &Visitor) -> ToldText {
        ToldText::choose(visitor, folder.read_title_in(visitor.language_tag()), || folder.read_title())
    }

    fn readme(folder: &folder::ExperimentFolder, visitor: &Visitor) -> ToldText {
        let english = || files::read_text_or_empty(folder.path.join("README.md"));
        ToldText::choose(visitor, folder.read_readme_in(visitor.language_tag()), english)
    }
}

fn variant_name(visitor: &Visitor, variant: Variant) -> &'static str {
    match variant {
        Variant::Full => visitor.text("laboratory-full-run"),
        Variant::Quick => visitor.text("laboratory-quick-run"),
    }
}

// --- the list ---

pub(super) async fn render_experiments(
    desk: &Arc<WorkbenchState>,
    visitor: &Visitor,
) -> Result<Markup, PageError> {
    let (shared, reader) = (Arc::clone(desk), visitor.clone());
    let lines = run_blocking(move || {
        let folders = folder::list_folders(&shared.settings.experiments).unwrap_or_default();
        let title = |folder: folder::ExperimentFolder| {
            let title = ToldText::title(&folder, &reader);
            (folder, title)
        };
        folders.into_iter().map(title).collect::<Vec<_>>()
    });
    let lines = lines.await?;
    Ok(html! {
        section {
            h2 #experiments { (visitor.text("laboratory-experiments")) }
            @if lines.is_empty() {
                p.quiet { (visitor.text("laboratory-there-is-no-folder-of-experiments"))
                    code { (desk.settings.experiments.display()) } }
            } @else {
                div.scroll tabindex="0" role="region" aria-labelledby="experiments" {
                    (render_table(&[
                        Words(visitor.text("laboratory-experiment")), Words(visitor.text("laboratory-full-run")), Words(visitor.text("laboratory-quick-run")),
                    ], html! { @for (folder, title) in &lines { (render_experiment_row(desk, visitor, folder, title)) } }))
                }
            }
        }
    })
}

fn render_experiment_row(
    desk: &WorkbenchState,
    visitor: &Visitor,
    folder: &folder::ExperimentFolder,
    title: &ToldText,
) -> Markup {
    let chosen = |variant| ChosenExperiment { name: folder.name.clone(), variant };
    html! {
        tr {
            th scope="row" {
                a href=(chosen(Variant::Full).page_path("")) { (folder.name) }
                br;
                span.quiet lang=[title.language] { (title.text) }
            }
            @for variant in Variant::ALL {
                @let chosen = chosen(variant);
                td {
                    a href=(chosen.page_path("")) {
                        span hx-get=(chosen.page_path("count")) hx-trigger="load" { (visitor.text("laboratory-look")) }
                        span.unseen { " " (folder.name) " " (variant_name(visitor, variant)) }
                    }
                    @if desk.runs.is_running(&chosen.key()) { " · " b { (visitor.text("laboratory-running")) } }
                    @if variant == Variant::Full && folder.results_path(variant).join("results.json").is_file() {
                        " · " (visitor.text("laboratory-kept-report"))
                    }
                }
            }
        }
    }
}

/// How far it is, for the list.
async fn show_task_count(desk: DeskState, visitor: Visitor, chosen: ChosenExperiment) -> PageAnswer {
    let counted = count_tasks(&desk, &chosen).await;
    Ok(partial_response(html! {
        @match counted {
            Ok((done, tasks)) => { (done) "/" (tasks) " " (visitor.text("laboratory-tasks")) },
            Err(error) => span.bad { (error.localized_message(&visitor)) },
        }
    }))
}

/// Finished and all tasks.
async fn count_tasks(
    desk: &Arc<WorkbenchState>,
    chosen: &ChosenExperiment,
) -> Result<(usize, usize), PageError> {
    let (shared, which) = (Arc::clone(desk), chosen.clone());
    query_store(desk, move |store| {
        let loaded = which.load_blocking(&shared)?;
        let (tasks, done) = runner::count_tasks(&loaded, store)?;
        Ok((done, tasks))
    })
    .await
}

// --- one of them ---

async fn show_experiment(desk: DeskState, visitor: Visitor, chosen: ChosenExperiment) -> PageAnswer {
    let (shared, which, reader) = (Arc::clone(&desk), chosen.clone(), visitor.clone());
    let read = run_blocking(move || {
        let folder = which.find_folder(&shared)?;
        Ok::<_, LabError>((ToldText::title(&folder, &reader), ToldText::readme(&folder, &reader)))
    });
    let (title, readme) = read.await?.map_err(experiment_not_found)?;
    let other = match chosen.variant {
        Variant::Full => (Variant::Quick, visitor.text("laboratory-to-the-quick-run")),
        Variant::Quick => (Variant::Full, visitor.text("laboratory-to-the-full-run")),
    };
    // Listing the tasks of some takes seconds: then the page comes first.
    let ready = chosen.is_loaded(&desk);
    let (progress, figures) = match ready {
        true => {
            (render_progress(&desk, &visitor, &chosen).await?, render_report(&desk, &visitor, &chosen).await?)
        }
        false => {
            let wait = || html! { p.quiet { (visitor.text("laboratory-the-tasks-are-being-listed")) } };
            (wait(), wait())
        }
    };
    let trigger = |event: &str| if ready { format!("sse:{event}") } else { format!("load, sse:{event}") };
    let variant = variant_name(&visitor, chosen.variant);
    let page_title =
        visitor.text_with("laboratory-experiment-and-run", args![title = title.text.clone(), variant]);
    let body = html! {
        h1 { @if title.language.is_some() { span lang=[title.language] { (title.text) } " · " (variant) } @else { (page_title) } }
        p.quiet { a href="/lab" { (visitor.text("laboratory-laboratory")) } " · " (chosen.name) " · "
            (visitor.text("laboratory-seed")) " " (desk.settings.seed) " · "
            a href=(ChosenExperiment { variant: other.0, ..chosen.clone() }.page_path("")) { (other.1) } }
        #progress.panel data-stays hx-get=(chosen.page_path("progress")) hx-trigger=(trigger("progress")) { (progress) }
        details { summary { (visitor.text("laboratory-claim-set-up-deviations-readme")) } div.readme lang=[readme.language] { (report::render_readme(&readme.text)) } }
        div.row {
            a.button href=(chosen.page_path("figures.csv")) download { "CSV" }
            a.button href=(chosen.page_path("results.json")) download { "JSON" }
            a.button href=(chosen.page_path("games")) { (visitor.text("laboratory-games-of-this-run")) }
        }
        #figures hx-get=(chosen.page_path("report")) hx-trigger=(trigger("report")) { (figures) }
    };
    Ok(Page::new(Room::Laboratory, &page_title).with_events(&chosen.topic()).render_page(&visitor, body))
}

/// The games of its run.
async fn redirect_to_games(desk: DeskState, visitor: Visitor, chosen: ChosenExperiment) -> PageAnswer {
    let loaded = chosen.load(&desk).await?;
    Ok(redirect_to(
        &visitor,
        &format!("/lab/games?run={}", percent_encode(&runner::experiment_run_name(&loaded))),
    ))
}

async fn show_progress(desk: DeskState, visitor: Visitor, chosen: ChosenExperiment) -> PageAnswer {
    Ok(partial_response(render_progress(&desk, &visitor, &chosen).await?))
}

async fn render_progress(
    desk: &Arc<WorkbenchState>,
    visitor: &Visitor,
    chosen: &ChosenExperiment,
) -> Result<Markup, PageError> {
    let running = desk.runs.is_running(&chosen.key());
    let waiting = desk.runs.tasks_before(&chosen.key());
    let told = desk.rooms.laboratory.experiments.get_progress(&chosen.key());
    let stopping = !running && told.as_ref().is_some_and(|told| told.tasks > 0 && told.ended.is_none());
    let (done, tasks) = match told.as_ref().filter(|told| told.tasks > 0) {
        Some(told) => (told.done, told.tasks),
        None => count_tasks(desk, chosen).await?,
    };
    let button = |what: &str, words: &str, main: bool, off: bool| {
        html! { button.main[main] type="button" hx-post=(chosen.page_path(what)) hx-target="#progress" disabled[off] { (words) } }
    };
    let mut words = ReportWords::new(visitor.texts);
    let start = if done > 0 { visitor.text("laboratory-go-on") } else { visitor.text("laboratory-start") };
    Ok(html! {
        h2 { (visitor.text("laboratory-progress")) }
        label { (done) "/" (tasks) " " (visitor.text("laboratory-tasks")) " " progress value=(done) max=(tasks.max(1)) {} }
        p #state data-heard {
            @if let Some(before) = waiting {
                (visitor.text_with("laboratory-waiting-before-it", args![before]))
            } @else if running { (visitor.text("laboratory-running-sentence")) @if let Some(told) = &told { code { (told.last) } } }
            @else {
                @match told.as_ref().and_then(|told| told.ended.as_ref()) {
                    Some(Err(error)) => span.bad { (visitor.text("laboratory-it-broke-off")) (error.in_language(visitor.texts)) },
                    Some(Ok(ExperimentRunEnd::Stopped)) => (visitor.text("laboratory-stopped-what-is-finished-is-kept")),
                    _ if done >= tasks => (visitor.text("laboratory-finished-sentence")),
                    _ => (visitor.text("laboratory-not-running")),
                }
            }
        }
        @if let Some(told) = &told { @for line in &told.lines { p.quiet { (words.tell(line)) } } }
        div.row {
            (button("start", start, true, running || stopping || done >= tasks))
            (button("stop", visitor.text("laboratory-stop"), false, !running))
            @if !running && !stopping && done < tasks {
                button type="button" hx-post=(chosen.page_path("estimate")) hx-target="#estimate" hx-disabled-elt="this" {
                    (visitor.text("laboratory-how-long-will-it-take"))
                }
            }
        }
        div #estimate role="status" {}
    })
}

// --- how long ---

async fn estimate_time(desk: DeskState, visitor: Visitor, chosen: ChosenExperiment) -> PageAnswer {
    let (loaded, database) = (chosen.load(&desk).await?, require_database(&desk)?);
    let answer = desk.compute_slowly(move |nobody_waits| {
        let store = Store::open(&database)?;
        estimate_run(&loaded, &store, &stop_after_patience(nobody_waits))
    });
    let found: Result<RunEstimate, LabError> = answer.await?;
    Ok(partial_response(render_estimate(&visitor, &found.map_err(to_page_error)?)))
}

fn render_estimate(visitor: &Visitor, found: &RunEstimate) -> Markup {
    let (missing, time) = (found.missing, time_words(visitor, found.seconds));
    let words = match found.basis {
        EstimateBasis::Report { factor: Some(factor) } => visitor.text_with(
            "laboratory-about-on-one-thread-tasks-this",
            args![time, missing, factor = format!("{factor:.1}")],
        ),
        EstimateBasis::Report { factor: None } => {
            visitor.text_with("laboratory-about-on-one-thread-tasks-they", args![time, missing])
        }
        EstimateBasis::Tasks { done, is_least: false } => {
            visitor.text_with("laboratory-about-on-one-thread-tasks-judged", args![time, missing, done])
        }
        EstimateBasis::Tasks { done, is_least: true } => visitor.text_with(
            "laboratory-more-than-on-one-thread-tasks",
            args![time, missing, done, patience = PATIENCE.as_secs()],
        ),
        EstimateBasis::Nothing => {
            visitor.text_with("laboratory-more-than-none-of-tasks-ended", args![time, missing])
        }
    };
    html! { p { (words) } }
}

async fn show_report(desk: DeskState, visitor: Visitor, chosen: ChosenExperiment) -> PageAnswer {
    Ok(partial_response(render_report(&desk, &visitor, &chosen).await?))
}

/// Where a report comes from.
enum ReportOrigin {
    /// What this server's store has.
    Store,
    /// The files in the experiment's folder.
    Kept,
}

/// The report of what the store has; of what is kept in the folder where that says more.
async fn find_report(
    desk: &Arc<WorkbenchState>,
    chosen: &ChosenExperiment,
) -> Result<Option<(Arc<LabReport>, ReportOrigin)>, PageError> {
    if let Some(report) =
        desk.rooms.laboratory.experiments.get_progress(&chosen.key()).and_then(|told| told.report)
    {
        return Ok(Some((report, ReportOrigin::Store)));
    }
    let (shared, chosen) = (Arc::clone(desk), chosen.clone());
    query_store(desk, move |store| {
        let loaded = chosen.load_blocking(&shared)?;
        let (tasks, done) = runner::count_tasks(&loaded, store)?;
        let complete = done == tasks;
        if complete || done > 0 && loaded.experiment.reports_early() {
            let report = Arc::new(LabReport::new(&loaded, runner::read_progress(&loaded, store)?)?);
            if complete {
                let runs = &shared.rooms.laboratory.experiments;
                runs.change_progress(&chosen.key(), |told| told.report = Some(Arc::clone(&report)));
            }
            return Ok(Some((report, ReportOrigin::Store)));
        }
        let kept = shared.rooms.laboratory.loaded.kept_report(&chosen.key(), &loaded);
        Ok(kept.map(|report| (report, ReportOrigin::Kept)))
    })
    .await
}

async fn render_report(
    desk: &Arc<WorkbenchState>,
    visitor: &Visitor,
    chosen: &ChosenExperiment,
) -> Result<Markup, PageError> {
    let Some((report, origin)) = find_report(desk, chosen).await? else {
        return Ok(html! { p.quiet { (visitor.text("laboratory-no-report-yet-it-is-made")) } });
    };
    let (reader, shown) = (visitor.clone(), Arc::clone(&report));
    // A report may say thousands of things, each of which is looked for in the language of the page.
    let figures = desk.draw(move || report::render_report(&reader, &shown)).await?;
    Ok(html! {
        @if matches!(origin, ReportOrigin::Kept) {
            p.note { (visitor.text("laboratory-these-are-the-kept-results-that")) }
        }
        @if report.missing > 0 {
            p.note { (visitor.text("laboratory-an-early-report-tasks-that-are")) (report.missing) }
        }
        (figures)
    })
}

async fn require_report(
    desk: &Arc<WorkbenchState>,
    chosen: &ChosenExperiment,
) -> Result<Arc<LabReport>, PageError> {
    let found = find_report(desk, chosen).await?;
    found
        .map(|(report, _)| report)
        .ok_or_else(|| PageError::not_found("laboratory-there-is-no-report-yet-run"))
}

async fn download_csv(desk: DeskState, chosen: ChosenExperiment) -> PageAnswer {
    let report = require_report(&desk, &chosen).await?;
    let other = report.other_findings_table().map_or(String::new(), |table| format!("\n{}", table.to_csv()));
    let name = format!("{}-{}.csv", chosen.name, chosen.variant);
    Ok(attachment_response(&name, "text/csv; charset=utf-8", report.comparison_table().to_csv() + &other))
}

async fn download_json(desk: DeskState, chosen: ChosenExperiment) -> PageAnswer {
    let report = require_report(&desk, &chosen).await?;
    let name = format!("{}-{}.json", chosen.name, chosen.variant);
    Ok(attachment_response(&name, "application/json", format!("{:#}\n", report.to_json())))
}

// --- runs ---

async fn start_run(desk: DeskState, visitor: Visitor, chosen: ChosenExperiment) -> PageAnswer {
    let loaded = chosen.load(&desk).await?;
    let database = require_database(&desk)?;
    if !desk.runs.is_running(&chosen.key()) {
        require_room(&desk)?;
        desk.rooms
            .laboratory
            .experiments
            .change_progress(&chosen.key(), |told| *told = ExperimentCourse::default());
        let (shared, which) = (Arc::clone(&desk), chosen.clone());
        desk.runs.start_task(&chosen.key(), move |stop| {
            perform_run(&shared, &which, &loaded, database, stop);
        });
        desk.live.publish(&chosen.topic(), "progress", "waits");
    }
    respond_progress(&desk, &visitor, &chosen).await
}

async fn stop_run(desk: DeskState, visitor: Visitor, chosen: ChosenExperiment) -> PageAnswer {
    desk.runs.stop_task(&chosen.key());
    desk.live.publish(&chosen.topic(), "progress", "stopping");
    respond_progress(&desk, &visitor, &chosen).await
}

async fn respond_progress(
    desk: &Arc<WorkbenchState>,
    visitor: &Visitor,
    chosen: &ChosenExperiment,
) -> PageAnswer {
    if visitor.partial {
        return Ok(partial_response(render_progress(desk, visitor, chosen).await?));
    }
    Ok(redirect_to(visitor, &chosen.page_path("")))
}

/// Does what is missing, and tells of it.
fn perform_run(
    desk: &WorkbenchState,
    chosen: &ChosenExperiment,
    loaded: &LoadedExperiment,
    database: PathBuf,
    stop: &StopFlag,
) {
    // A fault in a run must not leave it neither running nor ended.
    let run = || run_experiment(desk, chosen, loaded, database, stop).map_err(PageText::of_error);
    let ended = catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|_| Err(PageText::from("laboratory-the-run-failed")));
    let runs = &desk.rooms.laboratory.experiments;
    runs.change_progress(&chosen.key(), |told| told.ended = Some(ended));
    // Who asks now hears that it has ended.
    desk.live.publish(&chosen.topic(), "progress", "ended");
    desk.live.publish(&chosen.topic(), "report", "ended");
}

fn run_experiment(
    desk: &WorkbenchState,
    chosen: &ChosenExperiment,
    loaded: &LoadedExperiment,
    database: PathBuf,
    stop: &StopFlag,
) -> Result<ExperimentRunEnd, LabError> {
    let mut store = Store::open(&database)?;
    let progress = runner::read_progress(loaded, &store)?;
    let mut watcher = RunWatcher { desk, chosen, loaded, progress, reported: Instant::now() };
    let options = RunOptions {
        threads: 1,
        stop: desk.runs.take_turns(&chosen.key(), stop),
        observer: &mut |event: &RunEvent<'_>| watcher.handle_event(event),
    };
    let end = runner::run_experiment(loaded, &mut store, options)?;
    if end == ExperimentRunEnd::Complete {
        let report = Arc::new(LabReport::new(loaded, runner::read_progress(loaded, &store)?)?);
        desk.rooms.laboratory.experiments.change_progress(&chosen.key(), |told| told.report = Some(report));
    }
    Ok(end)
}

/// Tells pages of a run.
struct RunWatcher<'a> {
    desk: &'a WorkbenchState,
    chosen: &'a ChosenExperiment,
    loaded: &'a LoadedExperiment,
    progress: RunState,
    reported: Instant,
}

impl RunWatcher<'_> {
    fn handle_event(&mut self, event: &RunEvent<'_>) {
        let runs = &self.desk.rooms.laboratory.experiments;
        let key = self.chosen.key();
        match *event {
            RunEvent::Planned { tasks, done } => {
                runs.change_progress(&key, |told| (told.tasks, told.done) = (tasks, done))
            }
            RunEvent::Skipped(reason) => {
                runs.change_progress(&key, |told| told.push_line(format!("SKIPPED: {reason}")))
            }
            RunEvent::Finished { task, result, cost, ref live } => {
                self.progress.add_finished(task, result, cost);
                runs.change_progress(&key, |told| {
                    told.done += 1;
                    told.last = task.to_string();
                    if let Some(line) = live {
                        told.push_line(line.clone());
                    }
                });
                self.report_early();
            }
        }
        let done = self.progress.done.to_string();
        self.desk.live.publish(&self.chosen.topic(), "progress", done);
    }

    fn report_early(&mut self) {
        if !self.loaded.experiment.reports_early() || self.reported.elapsed().as_secs_f64() < EARLY {
            return;
        }
        self.reported = Instant::now();
        // What goes wrong will be heard of at the end.
        if let Ok(report) = LabReport::new(self.loaded, self.progress.clone()) {
            let key = self.chosen.key();
            self.desk
                .rooms
                .laboratory
                .experiments
                .change_progress(&key, |told| told.report = Some(Arc::new(report)));
            self.desk.live.publish(&self.chosen.topic(), "report", self.progress.done.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_words::Language;

    use super::*;

    #[test]
    fn an_estimate_says_what_it_comes_from() {
        let told = |language, basis| {
            let found = RunEstimate { missing: 31, seconds: 7200.0, basis };
            render_estimate(&Visitor::for_language(language), &found).into_string()
        };
        let (report, tasks) =
            (EstimateBasis::Report { factor: Some(1.26) }, EstimateBasis::Tasks { done: 5, is_least: true });
        assert!(told(Language::English, report.clone()).contains("About 2 h on one thread: 31 tasks"));
        assert!(told(Language::English, report.clone()).contains("times 1.3"));
        assert!(told(Language::Japanese, report).contains("約 2 時間（残り 31 タスク"));
        assert!(told(Language::English, tasks.clone()).contains("More than 2 h"));
        assert!(told(Language::Japanese, tasks).contains("2 時間以上"));
        assert!(told(Language::English, EstimateBasis::Nothing).contains("none of 31 tasks"));
    }

    /// Commands of a README, and the long numbers of each row of its tables, in order. They are the same in every language.
    fn figures_of(readme: &str) -> Vec<String> {
        let commands = readme.lines().filter(|line| line.starts_with("    ishi "));
        let commands = commands.map(|line| line.split('#').next().unwrap_or("").trim().to_string());
        let numbers = |row: &str| {
            let words = row.split(|sign: char| !sign.is_ascii_digit() && !",.".contains(sign));
            let trimmed = words.map(|word| word.trim_matches([',', '.']));
            let mut long: Vec<&str> = trimmed.filter(|word| word.len() > 2).collect();
            long.sort_unstable();
            long.join(" ")
        };
        commands.chain(readme.lines().filter(|line| line.starts_with('|')).map(numbers)).collect()
    }

    #[test]
    fn experiments_that_come_with_ishi_tell_of_themselves_in_each_language() {
        let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let shipped = folder::list_folders(&folder::find_experiments(here).unwrap()).unwrap();
        assert!(shipped.len() > 5);
        let is_japanese = |text: &str| text.contains(|sign| ('\u{3040}'..'\u{a000}').contains(&sign));
        let [english, japanese] = [Language::English, Language::Japanese].map(Visitor::for_language);
        for each in shipped {
            let [title, readme] = [ToldText::title(&each, &japanese), ToldText::readme(&each, &japanese)];
            assert_eq!((title.language, readme.language), (None, None), "{} has no README.ja.md", each.name);
            assert!(is_japanese(&title.text), "{}: {}", each.name, title.text);
            let original = ToldText::readme(&each, &english).text;
            let headings = |text: &str| text.lines().filter(|line| line.starts_with("## ")).count();
            assert_eq!(headings(&readme.text), headings(&original), "{}: headings", each.name);
            assert_eq!(figures_of(&readme.text), figures_of(&original), "{}: commands and tables", each.name);
        }
    }

    #[test]
    fn an_experiment_without_a_readme_in_the_language_is_told_in_english() {
        let own = folder::ExperimentFolder {
            number: 50,
            name: "050-mine".to_string(),
            path: PathBuf::from("no/such/050-mine"),
        };
        let told = |language| ToldText::title(&own, &Visitor::for_language(language));
        assert_eq!(
            (told(Language::Japanese).text.as_str(), told(Language::Japanese).language),
            ("050-mine", Some("en"))
        );
        assert_eq!(
            (told(Language::English).text.as_str(), told(Language::English).language),
            ("050-mine", None)
        );
    }
}
