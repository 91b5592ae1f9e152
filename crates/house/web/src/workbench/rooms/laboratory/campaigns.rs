//! Campaigns: how far they are, how fast, how long they still take, what they cost, and who works at them. The page follows the
//! database, whoever works; it starts nothing. `curves` has their course over time, `kept` what was read for all pages at once, and `watch` what that is.

mod curves;
mod kept;
pub(super) mod watch;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::get;
use ishi_lab::store::{
    CampaignCourse, CampaignSurvey, Store, StoreError, TaskFailure, WORKER_SILENCE, WorkerNote,
};
use maud::{Markup, html};

use self::kept::Reading;
use self::watch::{CampaignBoard, CurveBoard};
use super::database::query_store;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room, partial_response, percent_encode};
use crate::workbench::rooms::damage;
use crate::workbench::table::TableColumn::{Numbers, Words};
use crate::workbench::table::{render_scrolling_table, render_table};
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

/// What pages listen to.
const TOPIC: &str = "lab/campaigns";
/// The least time between two looks at the database while somebody has the page open.
const BETWEEN_LOOKS: Duration = Duration::from_secs(2);
/// How many times as long as a look takes nobody looks again: a large database is not read all the time.
const REST: u32 = 4;
/// The time between two drawings of the curves.
const BETWEEN_DRAWINGS: Duration = Duration::from_secs(6);
/// A page waits so long for its curves before it comes without them.
const CURVES_PATIENCE: Duration = Duration::from_secs(1);
/// How long pages are waited for after they were closed: a reload takes less.
const PATIENCE: Duration = Duration::from_secs(8);
/// Workers on the page.
const MOST_WORKERS: usize = 200;
/// Failures of a campaign on the page.
const MOST_FAILURES: usize = 50;
/// Open jobs of a campaign on the page.
const MOST_JOBS: usize = 50;

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/lab/campaigns", get(show_campaigns))
        .route("/lab/campaigns/course", get(show_course))
        .route("/lab/campaigns/curves", get(show_curves))
}

/// The state of all campaigns, as the database has it or had it a moment ago.
async fn get_board(desk: &WorkbenchState) -> Result<Arc<CampaignBoard>, PageError> {
    let read = query_store(desk, |store| Ok(read_board(store)?));
    desk.rooms.laboratory.campaigns.board.find_or_read(rest_after, read).await.found
}

/// How long nobody looks after a look that took so long.
fn rest_after(took: Duration) -> Duration {
    BETWEEN_LOOKS.max(took * REST)
}

fn read_board(store: &Store) -> Result<CampaignBoard, StoreError> {
    let CampaignSurvey { courses, failures: all, workers, damaged } = store.survey_campaigns()?;
    let mut failures = Vec::new();
    for course in &courses {
        let ours = all.iter().filter(|told| told.campaign == course.name).take(MOST_FAILURES);
        failures.extend(ours.map(|told| told.failure.clone()));
    }
    let workers = workers.into_iter().filter(|note| note.state != "gone").take(MOST_WORKERS).collect();
    Ok(CampaignBoard { courses, failures, workers, damaged })
}

async fn show_campaigns(desk: DeskState, visitor: Visitor) -> PageAnswer {
    let board = get_board(&desk).await?;
    // What is read for longer comes when it is there.
    let reading = tokio::time::timeout(CURVES_PATIENCE, curves::get_curves(&desk)).await.ok();
    let trigger = if reading.is_some() { "sse:curves" } else { "load, sse:curves" };
    keep_watch(&desk);
    let title = visitor.text("laboratory-campaigns");
    let body = html! {
        h1 { (title) }
        p.quiet { a href="/lab" { (visitor.text("laboratory-laboratory")) } }
        #course data-stays hx-get="/lab/campaigns/course" hx-trigger="sse:course" { (render_board(&visitor, &board)) }
        #curves data-stays hx-get="/lab/campaigns/curves" hx-trigger=(trigger) {
            @if let Some(reading) = &reading { (render_reading(&visitor, reading)) }
            @else { p.quiet { (visitor.text("laboratory-the-curves-are-being-read")) } }
        }
    };
    Ok(Page::new(Room::Laboratory, title).with_events(TOPIC).render_page(&visitor, body))
}

async fn show_course(desk: DeskState, visitor: Visitor) -> PageAnswer {
    let board = get_board(&desk).await?;
    Ok(partial_response(render_board(&visitor, &board)))
}

async fn show_curves(desk: DeskState, visitor: Visitor) -> PageAnswer {
    Ok(partial_response(render_reading(&visitor, &curves::get_curves(&desk).await)))
}

/// The curves. If they cannot be read, the rest of the page says how far the campaigns are all the same.
fn render_reading(visitor: &Visitor, reading: &Reading<CurveBoard>) -> Markup {
    match &reading.found {
        Ok(board) => curves::render_curves(visitor, board),
        Err(error) => html! { p.bad { (error.localized_message(visitor)) } },
    }
}

// --- who tells the pages ---

/// Sees to it that somebody looks at the database, as long as pages are open.
fn keep_watch(desk: &Arc<WorkbenchState>) {
    desk.live.mark_expected(TOPIC);
    if !desk.rooms.laboratory.campaigns.is_watched.swap(true, Ordering::AcqRel) {
        tokio::spawn(tell_of_changes(WatchShift(Arc::clone(desk))));
    }
}

/// However it ends, the next page finds that nobody watches.
struct WatchShift(Arc<WorkbenchState>);

impl Drop for WatchShift {
    fn drop(&mut self) {
        self.0.rooms.laboratory.campaigns.is_watched.store(false, Ordering::Release);
    }
}

async fn tell_of_changes(shift: WatchShift) {
    let desk = &shift.0;
    let (mut told, mut curves) = (None::<Arc<CampaignBoard>>, CurvesTold::default());
    let mut rest = BETWEEN_LOOKS;
    while desk.live.unseen_for(TOPIC) < PATIENCE {
        tokio::time::sleep(rest).await;
        let begun = Instant::now();
        desk.rooms.laboratory.campaigns.board.forget().await;
        let board = get_board(desk).await;
        rest = rest_after(begun.elapsed());
        // A database that is away for a moment may be there at the next look.
        let Ok(board) = board else { continue };
        if told.as_ref() != Some(&board) {
            desk.live.publish(TOPIC, "course", "changed");
            if told.as_ref().is_none_or(|told| board.has_other_curves(told)) {
                curves.changed = Some(Instant::now());
            }
            told = Some(board);
        }
        // Reading curves takes longer.
        if curves.are_due() {
            let reading = curves::get_curves(desk).await;
            if reading.found.is_ok() && curves.note_reading(reading.begun) {
                desk.live.publish(TOPIC, "curves", "changed");
            }
        }
    }
}

/// What pages have heard of curves. Those that are kept may be older than the last change: then they are told again later.
#[derive(Default)]
struct CurvesTold {
    /// The last change.
    changed: Option<Instant>,
    /// When the curves that pages were told of last began to be read.
    begun: Option<Instant>,
    /// When they were told of them.
    told: Option<Instant>,
}

impl CurvesTold {
    /// Do pages not have the last change, and have they had rest?
    fn are_due(&self) -> bool {
        self.changed > self.begun && self.told.is_none_or(|told| told.elapsed() >= BETWEEN_DRAWINGS)
    }

    /// Are these curves others than pages have? Then they are to be told.
    fn note_reading(&mut self, begun: Instant) -> bool {
        let is_new = self.begun < Some(begun);
        if is_new {
            (self.begun, self.told) = (Some(begun), Some(Instant::now()));
        }
        is_new
    }
}

// --- what the page shows ---

fn render_board(visitor: &Visitor, board: &CampaignBoard) -> Markup {
    let CampaignBoard { courses, failures, workers, damaged } = board;
    html! {
        (damage::render_damaged_campaigns(visitor, damaged))
        @if courses.is_empty() && damaged.is_empty() {
            p.quiet { (visitor.text("laboratory-there-is-no-campaign-in-this"))
                code { "ishi campaign run FILE" } }
        } @else if !courses.is_empty() {
            (render_courses(visitor, courses))
            @for course in courses { (render_jobs(visitor, course)) }
        }
        @if !failures.is_empty() { (render_failures(visitor, failures)) }
        (render_workers(visitor, workers))
    }
}

/// What has failed, by name: tasks that are tried again or given up, and jobs that workers could not do.
fn render_failures(visitor: &Visitor, failures: &[TaskFailure]) -> Markup {
    let state = |failure: &TaskFailure| match failure.place {
        None => visitor.text("laboratory-left-to-others"),
        Some(_) if failure.is_given_up() => visitor.text("laboratory-given-up"),
        Some(_) => visitor.text("laboratory-tried-again"),
    };
    html! {
        section {
            h2 #failures { (visitor.text("laboratory-failures")) }
            div.scroll tabindex="0" role="region" aria-labelledby="failures" {
                (render_table(&[
                    Words(visitor.text("laboratory-run")), Numbers(visitor.text("laboratory-task")), Numbers(visitor.text("laboratory-tries")),
                    Words(visitor.text("laboratory-state")), Words(visitor.text("laboratory-cause")),
                ], html! {
                    @for failure in failures {
                        tr {
                            th scope="row" { (failure.run) }
                            td.number { @if let Some(place) = failure.place { (place) } @else { "–" } }
                            td.number { (failure.tries) }
                            td { @if failure.is_given_up() { b.bad { (state(failure)) } } @else { (state(failure)) } }
                            td lang="en" { (failure.cause) }
                        }
                    }
                }))
            }
        }
    }
}

fn render_courses(visitor: &Visitor, courses: &[CampaignCourse]) -> Markup {
    html! {
        (render_scrolling_table(visitor.text("laboratory-campaigns"), &[
            Words(visitor.text("laboratory-campaign")), Words(visitor.text("laboratory-progress")), Numbers(visitor.text("laboratory-finished")),
            Numbers(visitor.text("laboratory-running-in-campaigns")), Numbers(visitor.text("laboratory-waiting")), Numbers(visitor.text("laboratory-a-minute")),
            Numbers(visitor.text("laboratory-time-left")), Numbers(visitor.text("laboratory-cpu-hours")), Numbers(visitor.text("laboratory-alarms")),
        ], html! { @for course in courses { (render_course(visitor, course)) } }))
        @if courses.iter().any(|course| course.alarms > 0) {
            p.bad { (visitor.text("laboratory-an-alarm-is-a-result-that")) }
        }
    }
}

fn render_course(visitor: &Visitor, course: &CampaignCourse) -> Markup {
    let (open, claimed) = (course.open(), course.claimed());
    let none = || "–".to_string();
    let pace = course.tasks_per_second().filter(|_| open > 0).map(|pace| format!("{:.1}", 60.0 * pace));
    let left = course.seconds_left().map(|seconds| time_words(visitor, seconds));
    let left = left.map(|time| match course.later() {
        0 => time,
        _ => visitor.text_with("laboratory-at-most", args![time]),
    });
    let left = match (open, course.stopped()) {
        (0, 0) => visitor.text("laboratory-done").to_string(),
        (0, _) => visitor.text("laboratory-stopped-campaign").to_string(),
        _ => left.unwrap_or_else(none),
    };
    let all = course.finished + open + course.later() + course.stopped();
    html! {
        tr {
            th scope="row" { (course.name) }
            td { progress value=(course.finished) max=(all.max(1)) aria-label=(course.name) {} }
            td.number { (course.finished) }
            td.number { (claimed) }
            td.number { (open.saturating_sub(claimed)) }
            td.number { (pace.unwrap_or_else(none)) }
            td.number { (left) }
            td.number { (format!("{:.2}", course.cpu_seconds / 3600.0)) }
            td.number { @if course.alarms > 0 { b.bad { (course.alarms) } } @else { "0" } }
        }
    }
}

/// A time as people say it.
pub(super) fn time_words(visitor: &Visitor, seconds: f64) -> String {
    let (number, unit) = match seconds {
        s if s < 100.0 => (s.round(), visitor.text("laboratory-s")),
        s if s < 6000.0 => ((s / 60.0).round(), visitor.text("laboratory-min")),
        s if s < 172_800.0 => ((s / 3600.0).round(), visitor.text("laboratory-h")),
        s => ((s / 86_400.0).round(), visitor.text("laboratory-days")),
    };
    format!("{number} {unit}")
}

/// The matches and experiments that are not finished.
fn render_jobs(visitor: &Visitor, course: &CampaignCourse) -> Markup {
    let open: Vec<_> = course.jobs.iter().filter(|job| job.open > 0).collect();
    html! {
        @if !open.is_empty() {
            details id={ "jobs-" (percent_encode(&course.name)) } {
                summary { (course.name) (visitor.text("workbench-colon")) (open.len()) " " (visitor.text("laboratory-runs-that-are-not-finished")) }
                ul { @for job in open.iter().take(MOST_JOBS) {
                    li {
                        a href={ "/lab/games?run=" (percent_encode(&job.run)) } { (job.run) } (visitor.text("workbench-colon"))
                        (job.claimed) " " (visitor.text("laboratory-running")) (visitor.text("workbench-comma"))
                        (job.open.saturating_sub(job.claimed)) " " (visitor.text("laboratory-waiting-word"))
                        @if let Some(words) = job_words(&job.job) { " · " code { (words) } }
                    }
                } }
            }
        }
    }
}

/// What stands after `ishi match`, of a match.
fn job_words(job: &serde_json::Value) -> Option<String> {
    let words: Vec<&str> =
        job["arguments"].as_array()?.iter().filter_map(serde_json::Value::as_str).collect();
    Some(words.join(" "))
}

fn render_workers(visitor: &Visitor, workers: &[WorkerNote]) -> Markup {
    html! {
        section {
            h2 #workers { (visitor.text("laboratory-workers")) }
            @if workers.is_empty() {
                p.quiet { (visitor.text("laboratory-nobody-works-a-worker-is-started"))
                    code { "ishi worker DB" } }
            } @else {
                div.scroll tabindex="0" role="region" aria-labelledby="workers" {
                    (render_table(&[
                        Words(visitor.text("laboratory-worker")), Words("ishi"), Numbers(visitor.text("laboratory-at-once")), Words(visitor.text("laboratory-state")),
                        Numbers(visitor.text("laboratory-finished")), Numbers(visitor.text("laboratory-failed")), Numbers(visitor.text("laboratory-heard-of")),
                    ], html! { @for note in workers { (render_worker(visitor, note)) } }))
                }
            }
        }
    }
}

fn render_worker(visitor: &Visitor, note: &WorkerNote) -> Markup {
    let is_silent = note.silent > WORKER_SILENCE;
    let state = match note.state.as_str() {
        _ if is_silent => visitor.text("laboratory-silent-killed-or-frozen"),
        "works" => visitor.text("laboratory-works"),
        "drains" => visitor.text("laboratory-ends-soon"),
        other => other,
    };
    html! {
        tr {
            th scope="row" { (note.id) }
            td { (note.version) }
            td.number { (note.threads) }
            td { @if is_silent { span.bad { (state) } } @else { (state) } }
            td.number { (note.done) }
            td.number { @if note.failed > 0 { b.bad { (note.failed) } } @else { "0" } }
            td.number { (time_words(visitor, note.silent.max(0) as f64 / 1000.0)) " " (visitor.text("laboratory-ago")) }
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_lab::store::{LATER_TASKS, OpenJob};
    use ishi_words::Language;

    use super::*;

    #[test]
    fn times_have_a_unit_that_people_count_in() {
        let told = |language, seconds| time_words(&Visitor::for_language(language), seconds);
        let english = [12.4, 100.0, 7200.0, 200_000.0].map(|seconds| told(Language::English, seconds));
        assert_eq!(english, ["12 s", "2 min", "2 h", "2 days"]);
        let japanese = [12.4, 100.0, 7200.0, 200_000.0].map(|seconds| told(Language::Japanese, seconds));
        assert_eq!(japanese, ["12 秒", "2 分", "2 時間", "2 日"]);
    }

    /// A campaign with 61 tasks that were finished in the last minute, and a job with so many open ones.
    fn course_with_job(job: serde_json::Value, open: u64) -> CampaignCourse {
        let (run, campaign) = ("match-1".to_string(), "ladder".to_string());
        CampaignCourse {
            name: campaign.clone(),
            jobs: vec![OpenJob { run, campaign, job, open, ..OpenJob::default() }],
            finished: 61,
            cpu_seconds: 0.0,
            recent: 61,
            recent_seconds: 60,
            alarms: 0,
        }
    }

    /// A tuning hands out a step at a time. The time left is that of all of them.
    #[test]
    fn the_time_left_of_a_tuning_has_its_later_steps() {
        let english = Visitor::for_language(Language::English);
        let render = |job| render_course(&english, &course_with_job(job, 30)).into_string();
        let step = render(serde_json::json!({ LATER_TASKS: 570 }));
        assert!(step.contains("at most 10 min") && step.contains("max=\"661\""), "{step}");
        let plain = render(serde_json::json!({}));
        assert!(plain.contains(">30 s<") && plain.contains("max=\"91\""), "{plain}");
    }

    /// Of a campaign that was stopped nothing is open, and it is not done.
    #[test]
    fn a_campaign_that_is_stopped_is_not_done() {
        let render = |job| {
            let course = course_with_job(job, 0);
            [Language::English, Language::Japanese]
                .map(|language| render_course(&Visitor::for_language(language), &course).into_string())
        };
        let [english, japanese] = render(serde_json::json!({ "stopped_tasks": 39 }));
        assert!(english.contains(">stopped<") && english.contains("max=\"100\""), "{english}");
        assert!(japanese.contains(">停止中<") && !english.contains("done"), "{japanese}");
        let [english, _] = render(serde_json::json!({}));
        assert!(english.contains(">done<") && english.contains("max=\"61\""), "{english}");
    }

    /// What only grows older is told beside the curves.
    #[test]
    fn curves_change_with_tasks_and_workers_and_not_with_silence() {
        let board = |finished, recent_seconds, silent: &[i64]| CampaignBoard {
            courses: vec![CampaignCourse {
                name: "ladder".into(),
                jobs: Vec::new(),
                finished,
                cpu_seconds: 0.0,
                recent: 0,
                recent_seconds,
                alarms: 0,
            }],
            failures: Vec::new(),
            workers: silent.iter().map(|&silent| WorkerNote { silent, ..WorkerNote::default() }).collect(),
            damaged: Vec::new(),
        };
        let earlier = board(1, 60, &[500]);
        assert_ne!(board(1, 62, &[900]), earlier, "the board tells it");
        assert!(!board(1, 62, &[900]).has_other_curves(&earlier));
        assert!(board(2, 60, &[500]).has_other_curves(&earlier));
        assert!(board(1, 60, &[500, 0]).has_other_curves(&earlier));
        let goes_on = |recent_seconds| {
            let mut board = board(1, recent_seconds, &[]);
            let (run, campaign, job) = ("r".into(), "ladder".into(), serde_json::Value::Null);
            board.courses[0].jobs.push(OpenJob { run, campaign, job, open: 3, claimed: 0, failed: 0 });
            board
        };
        assert!(goes_on(62).has_other_curves(&goes_on(60)));
    }

    /// The last change of a campaign comes while older curves are kept. Pages get it all the same.
    #[test]
    fn curves_are_told_until_they_have_the_last_change() {
        let begin = Instant::now().checked_sub(Duration::from_secs(60)).unwrap();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let mut curves = CurvesTold::default();
        assert!(!curves.are_due(), "nothing has changed");
        curves.changed = Some(at(10));
        assert!(curves.are_due());
        assert!(curves.note_reading(at(5)), "pages had none");
        assert!(!curves.are_due(), "they were told a moment ago");
        curves.told = Some(at(20));
        assert!(curves.are_due(), "the curves are older than the change");
        assert!(!curves.note_reading(at(5)), "the same once more is no news");
        assert!(curves.note_reading(at(10)));
        curves.told = Some(at(30));
        assert!(!curves.are_due(), "pages have all");
    }

    #[test]
    fn curves_that_cannot_be_read_say_so_in_their_place() {
        let (english, broken) = (Visitor::for_language(Language::English), Reading::of_failure());
        let told = render_reading(&english, &broken).into_string();
        let words = PageError::internal_error().localized_message(&english);
        assert_eq!(told, format!("<p class=\"bad\">{words}</p>"));
    }

    #[test]
    fn a_large_database_has_rest_between_looks() {
        let seconds = [0.001, 0.5, 10.0].map(|took| rest_after(Duration::from_secs_f64(took)).as_secs());
        assert_eq!(seconds, [2, 2, 40]);
    }
}
