//! What is done with a match besides playing it: how long it will take, more pairs, the same with another seed, and matches side by side.

use std::time::Instant;

use axum::Router;
use axum::extract::{Form, Path, Query};
use axum::routing::{get, post};
use ishi_arena::{MatchBreak, MatchEnd, MatchPlan, MatchRun, MemoryJournal, UnobservedMatch};
use ishi_engine::{Go, Othello};
use ishi_stats::{ConfidenceLevel, GameOutcomes};
use maud::{Markup, html};
use serde::Deserialize;
use std::sync::Arc;

use super::play::{begin_match, keep_and_begin, load_course, load_match, load_match_revision, match_key};
use super::request::{BAD_PAIRS, MOST_PAIRS, MatchRequest, OfferedGame, field_error};
use super::words::{format_conditions, format_elo};
use crate::workbench::answer::redirect_to;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room, partial_response};
use crate::workbench::rooms::laboratory::campaigns::time_words;
use crate::workbench::rooms::laboratory::database::{require_database, stop_after_patience};
use crate::workbench::table::TableColumn::{Numbers, Words};
use crate::workbench::table::render_scrolling_table;
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};
use crate::workers::JobStop;

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/lab/m/estimate", post(estimate_match))
        .route("/lab/m/{key}/extend", post(extend_match))
        .route("/lab/m/{key}/again", post(repeat_match))
        .route("/lab/compare", get(compare_matches))
}

// --- how long ---

/// What a pair took.
#[derive(Clone, Copy, Debug)]
struct PairTime {
    seconds: f64,
    /// Was it played to its end?
    is_whole: bool,
}

/// Plays the first pair of a match and forgets it.
fn time_pair<G: OfferedGame>(plan: &MatchPlan<G>, nobody_waits: &JobStop) -> Result<PairTime, PageError> {
    let begun = Instant::now();
    let run =
        MatchRun { threads: 1, stop: stop_after_patience(nobody_waits), observer: &mut UnobservedMatch };
    let played = ishi_arena::play_match(plan, &mut MemoryJournal::default(), run);
    let outcome = played.map_err(|failed| match failed.error {
        MatchBreak::Journal(never) => match never {},
        MatchBreak::Player(error) => PageError::from(error),
    })?;
    Ok(PairTime { seconds: begun.elapsed().as_secs_f64(), is_whole: outcome.end != MatchEnd::Stopped })
}

async fn estimate_match(desk: DeskState, visitor: Visitor, Form(asked): Form<MatchRequest>) -> PageAnswer {
    let (seed, pairs) = (desk.settings.seed, asked.pairs);
    check_pairs(pairs)?;
    let one = MatchRequest { pairs: 1, programs: Arc::clone(&desk.programs), ..asked };
    let time = desk
        .compute_slowly(move |stop| {
            one.check(seed)?;
            if one.is_othello() {
                time_pair(&one.make_plan::<Othello>(seed)?, stop)
            } else {
                time_pair(&one.make_plan::<Go>(seed)?, stop)
            }
        })
        .await??;
    Ok(partial_response(render_estimate(&visitor, time, pairs)))
}

fn check_pairs(pairs: u64) -> Result<(), PageError> {
    match pairs {
        1..=MOST_PAIRS => Ok(()),
        _ => Err(field_error(BAD_PAIRS, &pairs.to_string(), &format!("1-{MOST_PAIRS}"))),
    }
}

fn render_estimate(visitor: &Visitor, time: PairTime, pairs: u64) -> Markup {
    let all = time_words(visitor, time.seconds * pairs as f64);
    let words = if time.is_whole {
        visitor.text_with(
            "laboratory-about-pairs-on-one-thread-s",
            args![all, pairs, seconds = format!("{:.1}", time.seconds)],
        )
    } else {
        visitor.text_with(
            "laboratory-more-than-the-first-pair-does",
            args![all, seconds = format!("{:.0}", time.seconds)],
        )
    };
    html! { p { (words) } }
}

// --- more of the same ---

#[derive(Deserialize)]
struct MorePairsForm {
    pairs: u64,
}

/// Plays on to so many pairs in all. The pairs that are there stay: a longer match begins with the same ones.
async fn extend_match(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(MorePairsForm { pairs }): Form<MorePairsForm>,
) -> PageAnswer {
    let file = require_database(&desk)?;
    let (asked, revision) = load_match_revision(&desk, &key).await?;
    if desk.matches.is_running(&match_key(&key)) {
        return Err(PageError::invalid_input("laboratory-this-match-is-being-played-stop"));
    }
    if !(asked.pairs + 1..=MOST_PAIRS).contains(&pairs) {
        let right = format!("{}-{MOST_PAIRS}", asked.pairs + 1);
        return Err(field_error(BAD_PAIRS, &pairs.to_string(), &right));
    }
    let longer = MatchRequest { pairs, ..asked };
    // Who has changed or removed it meanwhile is not written over.
    desk.keep_document(&key, &longer, revision).await?;
    begin_match(&desk, &key, longer, file)?;
    Ok(redirect_to(&visitor, &format!("/lab/m/{key}")))
}

#[derive(Deserialize)]
struct OtherSeedForm {
    #[serde(default)]
    seed: String,
}

/// The same match with another seed, as a match of its own: the next one where none is given.
async fn repeat_match(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(OtherSeedForm { seed }): Form<OtherSeedForm>,
) -> PageAnswer {
    let asked = load_match(&desk, &key).await?;
    let seed = match seed.trim() {
        "" => next_seed(&asked.seed),
        given => given.to_string(),
    };
    let key = keep_and_begin(&desk, MatchRequest { seed, ..asked }).await?;
    Ok(redirect_to(&visitor, &format!("/lab/m/{key}")))
}

fn next_seed(seed: &str) -> String {
    seed.trim().parse::<u64>().unwrap_or_default().wrapping_add(1).to_string()
}

/// What a match's page offers besides.
pub(super) fn render_more(visitor: &Visitor, key: &str, asked: &MatchRequest) -> Markup {
    html! {
        form.row hx-post={ "/lab/m/" (key) "/extend" } hx-target="#message" {
            label for="more-pairs" { (visitor.text("laboratory-pairs-in-all")) }
            input #more-pairs name="pairs" type="number" min=(asked.pairs + 1) max=(MOST_PAIRS) value=((2 * asked.pairs).min(MOST_PAIRS)) required;
            button { (visitor.text("laboratory-play-more-pairs")) }
        }
        form.row hx-post={ "/lab/m/" (key) "/again" } hx-target="#message" {
            label for="other-seed" { (visitor.text("laboratory-another-seed")) }
            input #other-seed name="seed" inputmode="numeric" maxlength="20" placeholder=(next_seed(&asked.seed));
            button { (visitor.text("laboratory-play-it-again")) }
        }
    }
}

// --- side by side ---

/// Matches that are compared at most.
const COMPARED: usize = 20;

/// A match beside others.
struct ComparedMatch {
    key: String,
    asked: MatchRequest,
    /// Pairs that are finished.
    played: usize,
    outcomes: GameOutcomes,
}

async fn compare_matches(
    desk: DeskState,
    visitor: Visitor,
    Query(fields): Query<Vec<(String, String)>>,
) -> PageAnswer {
    let mut rows = Vec::new();
    for key in chosen_keys(fields)? {
        let asked = load_match(&desk, &key).await?;
        let (course, _) = load_course(&desk, &key, &asked).await?;
        let standing = course.standings.last().copied().unwrap_or_default();
        let (played, outcomes) = (course.standings.len(), standing.pair_outcomes());
        rows.push(ComparedMatch { key, asked, played, outcomes });
    }
    let title = visitor.text("laboratory-matches-compared");
    let body = html! {
        h1 { (title) }
        p { a href="/lab" { (visitor.text("laboratory-laboratory")) } }
        (render_comparison(&visitor, title, &rows))
    };
    Ok(Page::new(Room::Laboratory, title).render_page(&visitor, body))
}

/// The keys of the matches that are chosen in a list (`m=KEY`, again for each).
fn chosen_keys(fields: Vec<(String, String)>) -> Result<Vec<String>, PageError> {
    let keys: Vec<String> = fields.into_iter().filter(|(name, _)| name == "m").map(|(_, key)| key).collect();
    if (1..=COMPARED).contains(&keys.len()) {
        return Ok(keys);
    }
    Err(PageError::invalid_input_with(
        "laboratory-matches-it-must-be-1-to",
        args![count = keys.len(), compared = COMPARED],
    ))
}

fn render_comparison(visitor: &Visitor, title: &str, rows: &[ComparedMatch]) -> Markup {
    html! {
        (render_scrolling_table(title, &[
            Words(visitor.text("laboratory-a")), Words(visitor.text("laboratory-b")), Words(visitor.text("laboratory-conditions")),
            Numbers(visitor.text("laboratory-pairs-in-again")), Numbers(visitor.text("laboratory-score-of-a-95")), Numbers(visitor.text("laboratory-elo-of-a-95")),
        ], html! { @for row in rows { (render_compared_match(visitor, row)) } }))
    }
}

fn render_compared_match(visitor: &Visitor, row: &ComparedMatch) -> Markup {
    let ComparedMatch { key, asked, played, outcomes } = row;
    let score = outcomes.score_report(ConfidenceLevel::default()).ok().filter(|_| *played > 0);
    html! {
        tr {
            th scope="row" { a href={ "/lab/m/" (key) } { (asked.a.trim()) } }
            td { (asked.b.trim()) }
            td { (format_conditions(visitor, asked)) }
            td.number { (played) "/" (asked.pairs) }
            @if let Some(score) = score {
                td.number { (format!("{:.3}", score.score)) " (" (format!("{:.3} – {:.3}", score.interval.low, score.interval.high)) ")" }
                td.number { (format_elo(score.elo)) " (" (format_elo(score.elo_interval.low)) " – " (format_elo(score.elo_interval.high)) ")" }
            } @else { td.number { "–" } td.number { "–" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_words::Language;

    use super::*;

    #[test]
    fn an_estimate_is_told_in_a_unit_that_people_count_in() {
        let told = |language, is_whole| {
            let time = PairTime { seconds: 30.0, is_whole };
            render_estimate(&Visitor::for_language(language), time, 10).into_string()
        };
        let [whole, part] = [true, false].map(|is_whole| told(Language::English, is_whole));
        assert!(whole.contains("About 5 min: 10 pairs"), "{whole}");
        assert!(part.contains("More than 5 min"), "{part}");
        let whole = told(Language::Japanese, true);
        assert!(whole.contains("約 5 分（1 組 30.0 秒、10 組"), "{whole}");
    }

    #[test]
    fn one_to_twenty_matches_are_compared() {
        let fields = |count: usize| {
            let chosen = (0..count).map(|number| ("m".to_string(), number.to_string()));
            chosen.chain([("other".to_string(), "x".to_string())]).collect::<Vec<_>>()
        };
        assert!(chosen_keys(fields(0)).is_err() && chosen_keys(fields(COMPARED + 1)).is_err());
        assert_eq!(chosen_keys(fields(2)).map_err(|_| ()), Ok(vec!["0".to_string(), "1".to_string()]));
        assert_eq!(chosen_keys(fields(COMPARED)).map_or(0, |keys| keys.len()), COMPARED);
    }

    #[test]
    fn another_seed_is_the_next_one() {
        assert_eq!([next_seed("7"), next_seed(&u64::MAX.to_string())], ["8", "0"]);
    }
}
