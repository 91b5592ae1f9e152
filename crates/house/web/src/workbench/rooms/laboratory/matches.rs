//! Matches of two players, built in or allowed programs: asked for in a form, played by the arena, kept in the store as `ishi match` keeps its own.
//!
//! - `request`: what was asked for. `play`: how it is played. `courses`: how it goes. `words`: its conditions as text.
//! - `again`: more pairs, another seed, matches side by side.

mod again;
pub(super) mod courses;
mod play;
mod request;
mod words;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path};
use axum::routing::{get, post};
use ishi_arena::{MatchStanding, tally_table};
use ishi_go::Rules;
use ishi_lab::report::{IntervalPlot, IntervalRow, LinePlot, PlotSeries, SheetTable};
use ishi_lab::store::StoredRun;
use ishi_stats::{ConfidenceLevel, Interval, IntervalMethod, Proportion, Sprt, SprtDecision};
use maud::{Markup, html};

use self::courses::MatchCourse;
use self::play::{begin_match, keep_and_begin, load_course, load_match, match_key, match_topic};
use self::request::{KIND, MOST_PAIRS, MatchRequest};
use self::words::{format_conditions, format_elo};
use super::AllowedPrograms;
use super::database::{query_store, require_database};
use super::report::render_table;
use crate::workbench::answer::redirect_to;
use crate::workbench::chart::{render_interval_chart, render_line_chart};
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room, partial_response, percent_encode};
use crate::workbench::rooms::damage;
use crate::workbench::rooms::go::rules_words;
use crate::workbench::table::TableColumn::{Numbers, Words};
use crate::workbench::table::render_scrolling_table;
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

/// Points of a curve, at most.
const POINTS: usize = 60;

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/lab/m", post(create_match))
        .route("/lab/m/{key}", get(show_match))
        .route("/lab/m/{key}/state", get(show_state))
        .route("/lab/m/{key}/start", post(start_play))
        .route("/lab/m/{key}/stop", post(stop_play))
        .route("/lab/m/{key}/forget", post(delete_match))
        .merge(again::routes())
}

// --- list and form ---

pub(super) async fn render_matches(
    desk: &Arc<WorkbenchState>,
    visitor: &Visitor,
) -> Result<Markup, PageError> {
    let own = desk.ask_store(|store| store.latest_documents(KIND, 50)).await?;
    let list = query_store(desk, |store| Ok(store.list_runs()?)).await?;
    let runs: Vec<&StoredRun> = list.runs.iter().filter(|run| run.kind == "match").collect();
    Ok(html! {
        section aria-labelledby="matches" {
            h2 #matches { (visitor.text("laboratory-matches")) }
            (damage::render_damage(visitor, &own.damaged))
            (damage::render_damaged_runs(visitor, &list.damaged))
            @if own.documents.is_empty() { p.quiet { (visitor.text("laboratory-no-match-was-made-here-yet")) } }
            form method="get" action="/lab/compare" {
                ul { @for kept in &own.documents {
                    li {
                        input type="checkbox" name="m" value=(kept.key) aria-label={ (visitor.text("laboratory-compare")) " " (kept.title) }; " "
                        a href={ "/lab/m/" (kept.key) } { (kept.title) }
                        @if desk.matches.is_running(&match_key(&kept.key)) { " · " b { (visitor.text("laboratory-running")) } }
                    }
                } }
                @if own.documents.len() > 1 { button { (visitor.text("laboratory-compare-what-is-marked")) } }
            }
            @if !runs.is_empty() {
                details {
                    summary { (visitor.text("laboratory-all-matches-in-the-database")) " (" (runs.len()) ")" }
                    (render_scrolling_table(visitor.text("laboratory-matches-in-the-database"), &[
                        Words(visitor.text("laboratory-run")), Words(visitor.text("laboratory-players")), Numbers(visitor.text("laboratory-pairs-in-again")),
                    ], html! {
                        @for run in runs {
                            tr {
                                th scope="row" { a href={ "/lab/games?run=" (percent_encode(&run.name)) } { (run.name) } }
                                td { (run.spec["a"].as_str().unwrap_or("")) " – " (run.spec["b"].as_str().unwrap_or("")) }
                                td.number { (run.finished) }
                            }
                        }
                    }))
                }
            }
            (render_form(visitor, &desk.programs))
        }
    })
}

fn render_form(visitor: &Visitor, programs: &AllowedPrograms) -> Markup {
    html! {
        form.panel hx-post="/lab/m" hx-target="#message" aria-labelledby="new-match" {
            h3 #new-match { (visitor.text("laboratory-a-new-match")) }
            div.form {
                label for="game" { (visitor.text("laboratory-game")) }
                select #game name="game" {
                    option value="go" { (visitor.text("laboratory-go")) }
                    option value="othello" { (visitor.text("laboratory-othello")) }
                }
                label for="a" { (visitor.text("laboratory-player-a")) }
                input #a name="a" value="go-capture" required maxlength="300" list="players";
                label for="b" { (visitor.text("laboratory-player-b")) }
                input #b name="b" value="go-random" required maxlength="300" list="players";
                label for="pairs" { (visitor.text("laboratory-pairs-of-games")) }
                input #pairs name="pairs" type="number" min="1" max=(MOST_PAIRS) value="20" required;
                label for="size" { (visitor.text("laboratory-board-go")) }
                input #size name="size" type="number" min="2" max="25" value="9";
                label for="rules" { (visitor.text("laboratory-rules-go")) }
                select #rules name="rules" {
                    @for (name, rules) in Rules::NAMED { option value=(name) { (rules_words(&rules, visitor)) } }
                }
                label for="komi" { (visitor.text("laboratory-komi-go-empty-the-rules-own")) }
                input #komi name="komi" inputmode="decimal" maxlength="6";
                label for="opening" { (visitor.text("laboratory-random-moves-at-the-beginning")) }
                input #opening name="opening" type="number" min="0" max="180" value="4";
                label for="seed" { (visitor.text("laboratory-seed-empty-the-servers")) }
                input #seed name="seed" inputmode="numeric" maxlength="20";
                label for="elo0" { (visitor.text("laboratory-stop-early-sprt-when-it-is")) }
                input #elo0 name="elo0" inputmode="decimal" maxlength="6";
                label for="elo1" { (visitor.text("laboratory-or-by-elo")) }
                input #elo1 name="elo1" inputmode="decimal" maxlength="6";
                div.wide.row {
                    button.main { (visitor.text("laboratory-begin")) }
                    button type="button" hx-post="/lab/m/estimate" hx-include="closest form" hx-target="#match-estimate" hx-disabled-elt="this" {
                        (visitor.text("laboratory-how-long-will-it-take"))
                    }
                }
                div #match-estimate .wide role="status" {}
            }
            (render_players(visitor, programs))
        }
    }
}

/// The names that a form offers, and what each player is.
fn render_players(visitor: &Visitor, programs: &AllowedPrograms) -> Markup {
    let go = ishi_go_play::catalog::ENTRIES;
    let othello = ishi_othello_play::catalog::OTHELLO_ENTRIES;
    html! {
        datalist #players {
            @for name in programs.names() { option value=(name) { (visitor.text("laboratory-a-program")) } }
            @for entry in go.iter().chain(&othello) { option value=(entry.name) { (visitor.language.choose(entry.about, entry.japanese)) } }
        }
        details {
            summary { (visitor.text("laboratory-players-and-their-parameters")) }
            dl { @for entry in go.iter().chain(&othello) {
                dt { code { (entry.name) } " " (visitor.language.choose(entry.about, entry.japanese)) }
                @for row in (entry.parameters)() {
                    dd {
                        code { (row.key) "=" (row.usual) } " "
                        (visitor.language.choose(row.about.as_str(), row.japanese.as_str())) " (" (row.allowed) ")"
                    }
                }
            } }
        }
    }
}

async fn create_match(desk: DeskState, visitor: Visitor, Form(asked): Form<MatchRequest>) -> PageAnswer {
    let key = keep_and_begin(&desk, asked).await?;
    Ok(redirect_to(&visitor, &format!("/lab/m/{key}")))
}

// --- its page ---

async fn show_match(desk: DeskState, visitor: Visitor, Path(key): Path<String>) -> PageAnswer {
    let asked = load_match(&desk, &key).await?;
    let (course, run) = load_course(&desk, &key, &asked).await?;
    let title = asked.title();
    let body = html! {
        h1 { (title) }
        p.quiet { a href="/lab" { (visitor.text("laboratory-laboratory")) } " · " (format_conditions(&visitor, &asked)) }
        #state data-stays hx-get={ "/lab/m/" (key) "/state" } hx-trigger="sse:state" { (render_state(&desk, &visitor, &key, &asked, &course)?) }
        div.replayed sse-swap="board" {}
        (again::render_more(&visitor, &key, &asked))
        section aria-labelledby="games" {
            h2 #games { (visitor.text("laboratory-games")) }
            div.row {
                a.button href={ "/lab/games?run=" (run) } { (visitor.text("laboratory-list-and-replay")) }
                @for format in ["csv", "json", "sgf"] {
                    a.button href={ "/lab/games/file." (format) "?run=" (run) } download { (format.to_uppercase()) }
                }
            }
        }
        details {
            summary { (visitor.text("laboratory-remove-this-match-from-the-list")) }
            p { (visitor.text("laboratory-its-games-stay-in-the-database")) }
            form method="post" action={ "/lab/m/" (key) "/forget" } { button { (visitor.text("laboratory-remove")) } }
        }
    };
    Ok(Page::new(Room::Laboratory, &title).with_events(&match_topic(&key)).render_page(&visitor, body))
}

async fn show_state(desk: DeskState, visitor: Visitor, Path(key): Path<String>) -> PageAnswer {
    let asked = load_match(&desk, &key).await?;
    let (course, _) = load_course(&desk, &key, &asked).await?;
    Ok(partial_response(render_state(&desk, &visitor, &key, &asked, &course)?))
}

fn render_state(
    desk: &WorkbenchState,
    visitor: &Visitor,
    key: &str,
    asked: &MatchRequest,
    course: &MatchCourse,
) -> Result<Markup, PageError> {
    let running = desk.matches.is_running(&match_key(key));
    let waiting = desk.matches.tasks_before(&match_key(key));
    let played = course.standings.len() as u64;
    let sprt = asked.parse_sprt()?;
    let standing = course.standings.last().copied().unwrap_or_default();
    let decision = sprt.filter(|_| played > 0).map(|sprt| sprt.sprt_report(&standing.pair_outcomes()));
    let decided = decision.is_some_and(|report| report.decision != SprtDecision::Continue);
    let over = played >= asked.pairs || decided;
    let button = |what: &str, words: &str, main: bool, off: bool| {
        html! { button.main[main] type="button" hx-post={ "/lab/m/" (key) "/" (what) } hx-target="#state" disabled[off] { (words) } }
    };
    let start = if played > 0 { visitor.text("laboratory-go-on") } else { visitor.text("laboratory-start") };
    Ok(html! {
        section.panel aria-labelledby="so-far" {
            h2 #so-far { (visitor.text("laboratory-so-far")) }
            label { (played) "/" (asked.pairs) " " (visitor.text("laboratory-pairs")) " " progress value=(played) max=(asked.pairs) {} }
            p data-heard {
                @match &course.ended {
                    Some(Err(error)) if !running => span.bad { (visitor.text("laboratory-it-broke-off")) (error.in_language(visitor.texts)) },
                    _ if waiting.is_some() => (visitor.text_with("laboratory-waiting-before-it", args![before = waiting.unwrap_or(0)])),
                    _ if running => (visitor.text("laboratory-running-in-matches")),
                    _ if decided => (visitor.text("laboratory-decided-by-the-sequential-test")),
                    _ if over => (visitor.text("laboratory-finished-in-matches")),
                    _ => (visitor.text("laboratory-not-running-finished-pairs-are-kept")),
                }
            }
            div.row {
                (button("start", start, true, running || over))
                (button("stop", visitor.text("laboratory-stop"), false, !running))
            }
        }
        @if played > 0 { (render_figures(visitor, asked, course, &standing, sprt)) }
    })
}

/// Wins, rates and Elo of a standing.
fn render_figures(
    visitor: &Visitor,
    asked: &MatchRequest,
    course: &MatchCourse,
    standing: &MatchStanding,
    sprt: Option<Sprt>,
) -> Markup {
    let tallies = tally_table(standing, &format!("{} (A)", asked.a.trim()), visitor.language);
    let figures = strength_table(visitor, asked, standing, sprt);
    html! {
        div.columns {
            (render_table(visitor.text("laboratory-results"), &tallies, None))
            (render_table(visitor.text("laboratory-figures"), &figures, None))
        }
        (render_curves(visitor, asked, course, sprt))
    }
}

/// What the games say of the players' strength: names, values, and their intervals or bounds.
fn strength_table(
    visitor: &Visitor,
    asked: &MatchRequest,
    standing: &MatchStanding,
    sprt: Option<Sprt>,
) -> SheetTable {
    let confidence = ConfidenceLevel::default();
    let span = |interval: Interval| format!("{:.3} – {:.3}", interval.low, interval.high);
    let mut table = SheetTable::new(["", "", ""]);
    let mut add = |name: &str, value: String, rest: String| table.add_row([name.to_string(), value, rest]);
    let total = standing.total_tally();
    if let Ok(wins) = Proportion::new(total.wins, total.wins + total.losses) {
        let name = visitor.text("laboratory-win-rate-of-a-wilson-95");
        let interval = wins.rate_interval(IntervalMethod::Wilson, confidence);
        add(name, format!("{:.3}", wins.rate()), span(interval));
    }
    if let Ok(score) = standing.pair_outcomes().score_report(confidence) {
        let name = visitor.text("laboratory-score-per-game-pairs-95");
        add(name, format!("{:.3}", score.score), span(score.interval));
        let [low, high] = [score.elo_interval.low, score.elo_interval.high].map(format_elo);
        let name = visitor.text("laboratory-elo-of-a-over-b");
        add(name, format_elo(score.elo), format!("{low} – {high}"));
    }
    if let Some(sprt) = sprt {
        let report = sprt.sprt_report(&standing.pair_outcomes());
        let name = format!("SPRT {} / {} Elo", asked.elo0, asked.elo1);
        let decision = decision_words(visitor, report.decision);
        let bounds = format!("{:.2} … {:.2} {decision}", report.lower, report.upper);
        add(&name, format!("LLR {:.2}", report.llr), bounds);
    }
    table
}

fn decision_words<'a>(visitor: &Visitor, decision: SprtDecision) -> &'a str {
    match decision {
        SprtDecision::Continue => visitor.text("laboratory-undecided"),
        SprtDecision::AcceptH0 => visitor.text("laboratory-h0-no-more-than-the-first"),
        SprtDecision::AcceptH1 => visitor.text("laboratory-h1-the-second-or-more"),
    }
}

/// The score with its interval over the pairs, Elo, and the sequential test.
fn render_curves(
    visitor: &Visitor,
    asked: &MatchRequest,
    course: &MatchCourse,
    sprt: Option<Sprt>,
) -> Markup {
    let count = course.standings.len();
    let step = count.div_ceil(POINTS).max(1);
    let places: Vec<usize> = (1..=count).filter(|&pairs| pairs % step == 0 || pairs == count).collect();
    let score = score_plot(visitor, asked, course, &places);
    let elo = elo_plot(visitor, course);
    let test = sprt.map(|sprt| test_plot(visitor, course, sprt, &places));
    html! {
        figure { (render_line_chart(&score)) }
        @if let Some(elo) = elo { figure { (render_interval_chart(&elo)) } }
        @if let Some(test) = test { figure { (render_line_chart(&test)) } }
    }
}

/// The score after each of these numbers of pairs.
fn score_plot(visitor: &Visitor, asked: &MatchRequest, course: &MatchCourse, places: &[usize]) -> LinePlot {
    let point = |&pairs: &usize| {
        let outcomes = course.standings[pairs - 1].pair_outcomes();
        let report = outcomes.score_report(ConfidenceLevel::default()).ok()?;
        Some((pairs as f64, report.score, Some([report.interval.low, report.interval.high])))
    };
    let (name, points) = (asked.a.trim().to_string(), places.iter().filter_map(point).collect());
    let axes = [visitor.text("laboratory-pairs"), visitor.text("laboratory-score")];
    let title = visitor.text("laboratory-score-of-a-per-game-with");
    LinePlot::new(title, axes, vec![PlotSeries { name, points }])
}

/// Elo after all pairs; none before the first.
fn elo_plot(visitor: &Visitor, course: &MatchCourse) -> Option<IntervalPlot> {
    let outcomes = course.standings.last()?.pair_outcomes();
    let report = outcomes.score_report(ConfidenceLevel::default()).ok()?;
    let finite = |value: f64| value.clamp(-1000.0, 1000.0);
    let interval = [finite(report.elo_interval.low), finite(report.elo_interval.high)];
    let row = IntervalRow::new("A – B", finite(report.elo), Some(interval), vec![0.0]);
    Some(IntervalPlot::new(visitor.text("laboratory-elo-of-a-over-b-with"), "Elo", vec![row]))
}

/// The log likelihood ratio after each of these numbers of pairs, between the bounds at which the test ends.
fn test_plot(visitor: &Visitor, course: &MatchCourse, sprt: Sprt, places: &[usize]) -> LinePlot {
    let llr = |&pairs: &usize| {
        (pairs as f64, sprt.log_likelihood_ratio(&course.standings[pairs - 1].pair_outcomes()), None)
    };
    let line = |name: &str, value: f64| PlotSeries {
        name: name.to_string(),
        points: [0.0, course.standings.len() as f64].map(|x| (x, value, None)).to_vec(),
    };
    let series = vec![
        PlotSeries { name: "LLR".to_string(), points: places.iter().map(llr).collect() },
        line("H0", sprt.lower_bound()),
        line("H1", sprt.upper_bound()),
    ];
    let title = visitor.text("laboratory-sequential-test-log-likelihood-ratio");
    LinePlot::new(title, [visitor.text("laboratory-pairs"), "LLR"], series)
}

// --- runs ---

async fn start_play(desk: DeskState, visitor: Visitor, Path(key): Path<String>) -> PageAnswer {
    let asked = load_match(&desk, &key).await?;
    let file = require_database(&desk)?;
    begin_match(&desk, &key, asked, file)?;
    respond_state(desk, visitor, key).await
}

async fn stop_play(desk: DeskState, visitor: Visitor, Path(key): Path<String>) -> PageAnswer {
    desk.matches.stop_task(&match_key(&key));
    respond_state(desk, visitor, key).await
}

async fn respond_state(desk: DeskState, visitor: Visitor, key: String) -> PageAnswer {
    if visitor.partial {
        show_state(desk, visitor, Path(key)).await
    } else {
        Ok(redirect_to(&visitor, &format!("/lab/m/{key}")))
    }
}

async fn delete_match(desk: DeskState, visitor: Visitor, Path(key): Path<String>) -> PageAnswer {
    desk.matches.stop_task(&match_key(&key));
    desk.rooms.laboratory.matches.forget_course(&key);
    desk.ask_store(move |store| store.forget_document(KIND, &key)).await?;
    Ok(redirect_to(&visitor, "/lab"))
}

#[cfg(test)]
mod tests {
    use axum::extract::State;

    use super::*;
    use crate::workbench::desk::test_desk;

    /// Matches may be made and deleted for ever.
    #[tokio::test]
    async fn how_a_deleted_match_went_is_forgotten() {
        let desk = Arc::new(test_desk());
        let visitor = Visitor::for_language(ishi_words::Language::English);
        let count = || desk.rooms.laboratory.matches.lock_courses().len();
        for key in ["a", "b"] {
            let matches = &desk.rooms.laboratory.matches;
            matches.change_course(key, |course| course.standings.push(MatchStanding::default()));
        }
        assert_eq!(count(), 2);
        delete_match(State(Arc::clone(&desk)), visitor, Path("a".to_string())).await.unwrap();
        assert_eq!(count(), 1);
    }
}
