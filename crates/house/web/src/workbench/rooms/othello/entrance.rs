//! The entrance: a new game, a record to open, the games that are kept.

use axum::extract::{Form, Path, Query};
use axum::response::{IntoResponse, Redirect};
use ishi_lab::store::StoredDocument;
use ishi_othello_play::catalog::{self, OTHELLO_ENTRIES};
use ishi_othello_play::levels::Level;
use ishi_othello_play::rating::Rating;
use ishi_rng::Seed;
use ishi_sgf::othello_records::{self as records, OthelloRecord, WthorDirectory};
use ishi_stats::RatedOpponent;
use maud::{Markup, html};
use serde::Deserialize;

use super::game::{KIND, LEVELLED, OthelloClock, OthelloGameState, OthelloReview, Player, RATED};
use super::{own, state};
use crate::workbench::budget;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room};
use crate::workbench::random_text::new_key;
use crate::workbench::rooms::kept_list::{render_delete_form, render_kept_documents};
use crate::workbench::rooms::standing::{load_standing, own_strength_words, render_standing};
use crate::workbench::rooms::{blunder, damage};
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

/// Games that are listed.
pub(super) const LISTED: usize = 30;

/// How forms name the level that follows from the person's results.
const OWN_LEVEL: &str = "own";

#[derive(Deserialize)]
pub(super) struct StartQuery {
    from: Option<String>,
}

pub(super) async fn show_entrance(
    desk: DeskState,
    visitor: Visitor,
    Query(StartQuery { from }): Query<StartQuery>,
) -> PageAnswer {
    let (games, evaluations) = desk
        .ask_store(|store| {
            Ok((store.latest_documents(KIND, LISTED)?, store.latest_documents(own::KIND, LISTED)?))
        })
        .await?;
    let standing = load_standing::<Level>(&desk).await?;
    let own_level = level_words(standing.opponent(), &visitor);
    let strongest = Level::ladder().last().map_or(Level::LOWEST, |(level, _)| level);
    let title = visitor.text("othello-othello");
    let body = html! {
        h1 { (title) }
        div.entrance {
            section.panel {
                h2 { (visitor.text("othello-new-game")) }
                (render_standing(&standing, &own_level, &visitor))
                (render_new_game_form(&visitor, from.as_deref().unwrap_or(""), &evaluations.documents, &own_level))
                p.quiet { (visitor.text_with("othello-games-from-the-start-count-for-your-strength", args![strongest])) }
            }
            section.panel {
                h2 { (visitor.text("othello-open-a-record-or-a-position")) }
                (render_open_form(&visitor))
            }
            section.panel {
                h2 { (visitor.text("othello-practice")) }
                p { a href="/othello/practice" { (visitor.text("othello-your-own-mistakes-asked-again-in")) } }
                p { a href="/othello/openings" { (visitor.text("othello-openings-asked-until-you-know-them")) } }
            }
            section.panel {
                h2 { (visitor.text("othello-games-in-entrance")) }
                (damage::render_damage(&visitor, &games.damaged))
                (render_games(&visitor, &games.documents))
            }
            section.panel {
                h2 { (visitor.text("othello-evaluations-out-of-files")) }
                (damage::render_damage(&visitor, &evaluations.damaged))
                (render_evaluation_form(&visitor, &evaluations.documents))
            }
        }
    };
    Ok(Page::new(Room::Othello, title).render_page(&visitor, body))
}

/// `level 5`.
fn level_words(level: Level, visitor: &Visitor) -> String {
    visitor.text_with("othello-level-number", args![level])
}

fn render_new_game_form(visitor: &Visitor, from: &str, own: &[StoredDocument], own_level: &str) -> Markup {
    html! {
        form.form method="post" action="/othello" {
            (render_side_fields(visitor, ["black", visitor.text("othello-black"), "person"], own, own_level))
            (render_side_fields(visitor, ["white", visitor.text("othello-white"), "othello"], own, own_level))
            (blunder::render_teaching_choice(visitor.text("othello-teaching-game-stops-at-blunders")))
            label for="othello-minutes" { (visitor.text("othello-minutes-each")) }
            input #othello-minutes name="minutes" type="number" min="0" max="600" step="any" placeholder=(visitor.text("othello-no-clock"));
            label for="othello-increment" { (visitor.text("othello-seconds-more-a-move")) }
            input #othello-increment name="increment" type="number" min="0" max="600" step="any" placeholder="0";
            label for="othello-start" { (visitor.text("othello-start-from")) }
            input #othello-start name="from" value=(from) placeholder=(visitor.text("othello-the-usual-start-or-f5d6c3-or"));
            div.wide { button.main { (visitor.text("othello-play")) } }
        }
    }
}

/// Who plays a side: a person, an engine with its level, rating or parameters, or a piece counter out of a file. The side has a name in the form, a
/// label, and who is chosen at first. A person has no parameters, and ishi alone has levels and ratings: `solvers.css` hides them.
fn render_side_fields(visitor: &Visitor, side: [&str; 3], own: &[StoredDocument], own_level: &str) -> Markup {
    let [name, label, chosen] = side;
    let id = |what: &str| format!("othello-{name}-{what}");
    html! {
        label for=(id("player")) { (label) }
        select id=(id("player")) name=(name) {
            option value="person" selected[chosen == "person"] { (visitor.text("othello-a-person")) }
            // The strongest one, whose level one chooses, comes first.
            @for entry in OTHELLO_ENTRIES.iter().rev() {
                option value=(entry.name) selected[chosen == entry.name] {
                    @if entry.name == "othello" { (visitor.text("othello-ishi-at-a-level")) }
                    @else { (entry.name) (visitor.text("workbench-colon")) (visitor.language.choose(entry.about, entry.japanese)) }
                }
            }
            @for document in own.iter().filter(|document| own::player_spec(document).is_some()) {
                option value=(own::judge_name(&document.key)) { (document.title) (visitor.text("workbench-colon")) (visitor.text("othello-piece-counter-out-of-a-file")) }
            }
        }
        label.{ "level-of-" (name) } for=(id("level")) { (label) (visitor.text("workbench-comma")) (visitor.text("othello-level")) }
        select.{ "level-of-" (name) } id=(id("level")) name={ (name) "_level" } aria-describedby=(id("help")) {
            option value=(OWN_LEVEL) selected { (own_strength_words(own_level, visitor)) }
            @for level in Level::all() { option value=(level) { (level) } }
        }
        p.wide.quiet.{ "level-of-" (name) } id=(id("help")) { (visitor.text("othello-level-1-is-weak-20-strong")) }
        (render_rating_field(visitor, name, label))
        details.wide.{ "of-" (name) } {
            summary id=(id("params-name")) { (label) (visitor.text("workbench-comma")) (visitor.text("othello-parameters")) }
            input id=(id("params")) name={ (name) "_params" } placeholder="depth=8,exact=14"
                aria-labelledby=(id("params-name")) aria-describedby=(id("params-help"));
            p.quiet id=(id("params-help")) { (visitor.text("othello-parameters-take-the-levels-place")) }
        }
    }
}

/// The rating of ishi at a side, which takes the place of its level where one is written. It is a field of text: the server alone checks it. A browser
/// that checks a number refuses the form without a word where another player is chosen, since the field is out of sight then.
fn render_rating_field(visitor: &Visitor, name: &str, label: &str) -> Markup {
    let (id, help) = (format!("othello-{name}-rating"), format!("othello-{name}-rating-help"));
    let (low, high, first) = (Rating::LOWEST, Rating::HIGHEST, Rating::OF_LEVEL_1);
    html! {
        label.{ "level-of-" (name) } for=(id) { (label) (visitor.text("workbench-comma")) (visitor.text("othello-rating")) }
        input.{ "level-of-" (name) } id=(id) name={ (name) "_rating" } type="text" inputmode="numeric"
            placeholder=(visitor.text("othello-as-the-level-says")) aria-describedby=(help);
        p.wide.quiet.{ "level-of-" (name) } id=(help) {
            (visitor.text_with("othello-a-rating-takes-the-levels-place", args![low, high, first]))
        }
    }
}

fn render_open_form(visitor: &Visitor) -> Markup {
    html! {
        form method="post" action="/othello/open" {
            label for="othello-text" {
                (visitor.text("othello-transcript-f5d6c3-board-sgf-ggf-obf"))
            }
            textarea #othello-text name="text" rows="7" required placeholder="f5d6c3d3c4" {}
            div.row {
                label for="othello-file" { (visitor.text("othello-or-a-file")) }
                input #othello-file type="file" data-into="#othello-text" accept=".sgf,.ggf,.obf,.txt,text/plain";
            }
            div.row {
                label for="othello-number" { (visitor.text("othello-game-of-the-file")) }
                input #othello-number name="number" type="number" min="1" value="1";
                button.main { (visitor.text("othello-open")) }
            }
        }
        p.quiet { (visitor.text("othello-something-to-look-at")) }
        form.row method="post" action="/othello/open" {
            input type="hidden" name="text" value=(SAMPLE);
            button { (visitor.text("othello-a-game-between-two-engines")) }
        }
    }
}

/// Level 6 (Black) against level 7 of the engine `othello`; White wins by 32.
pub(super) const SAMPLE: &str = "f5f6e6d6e7f4e3f3c6d7g5h5g3g4h6h7c5f7d3b6f8c4c3c7h3e8b3b4a4g6d8c8b8g7b5a5a6h4h8g8a3a2e2d2a8d1f2g1c1\
                      g2e1c2a7b7a1f1b1b2h1h2";

/// The review of the sample, as `the_sample_review_is_written_anew` of `study.rs` writes it.
const SAMPLE_REVIEW: &str = include_str!("sample-review.json");

/// The review that comes with the sample: whoever opens it sees at once what a review says. Other games have none.
fn find_sample_review(game: &OthelloGameState) -> Option<OthelloReview> {
    if game.moves.concat() != SAMPLE {
        return None;
    }
    serde_json::from_str(SAMPLE_REVIEW).ok()
}

fn render_games(visitor: &Visitor, games: &[StoredDocument]) -> Markup {
    html! {
        @if games.is_empty() { p.quiet { (visitor.text("othello-none-yet-begin-a-game-or")) } }
        (render_kept_documents(visitor, ("othello", "othello-games"), games, |document| html! {
            " " span.quiet { (document.body["moves"].as_array().map_or(0, Vec::len)) (visitor.text("othello-moves")) }
        }))
    }
}

fn render_evaluation_form(visitor: &Visitor, kept: &[StoredDocument]) -> Markup {
    html! {
        p.quiet { (visitor.text("othello-what-ishi-othello-evaluation-fit-or")) }
        form method="post" action="/othello/evaluations" {
            div.row {
                label for="othello-weights" { (visitor.text("othello-file")) }
                input #othello-weights type="file" data-base64-into="#othello-base64" required;
                input #othello-base64 type="hidden" name="base64";
            }
            div.row {
                label for="othello-title" { (visitor.text("othello-name")) }
                input #othello-title name="title" maxlength="60" required;
                button { (visitor.text("othello-keep")) }
            }
        }
        ul.othello-games {
            @for document in kept {
                li {
                    (document.title) " "
                    (render_delete_form(visitor, &format!("/othello/evaluations/{}", document.key), &document.title))
                }
            }
        }
    }
}

#[derive(Deserialize)]
pub(super) struct EvaluationForm {
    base64: String,
    title: String,
}

pub(super) async fn save_evaluation(desk: DeskState, Form(sent): Form<EvaluationForm>) -> PageAnswer {
    let title: String = sent.title.trim().chars().take(60).collect();
    if title.is_empty() {
        return Err(PageError::invalid_input("othello-the-evaluation-needs-a-name"));
    }
    let body = desk.compute(move |_| own::make_document(&sent.base64)).await??;
    desk.keep_body(own::KIND, &new_key(), title, body, 0).await?;
    Ok(Redirect::to("/othello").into_response())
}

pub(super) async fn delete_evaluation(desk: DeskState, Path(key): Path<String>) -> PageAnswer {
    desk.ask_store(move |store| store.forget_document(own::KIND, &key)).await?;
    Ok(Redirect::to("/othello").into_response())
}

#[derive(Deserialize)]
pub(super) struct NewOthelloGameForm {
    black: String,
    black_level: Option<String>,
    black_rating: Option<String>,
    black_params: Option<String>,
    white: String,
    white_level: Option<String>,
    white_rating: Option<String>,
    white_params: Option<String>,
    minutes: Option<String>,
    increment: Option<String>,
    from: Option<String>,
    /// Anything but nothing: a teaching game.
    #[serde(default)]
    taught: String,
}

pub(super) async fn start_game(desk: DeskState, Form(wish): Form<NewOthelloGameForm>) -> PageAnswer {
    let seed = desk.settings.seed;
    let chosen = [resolve_player(&desk, &wish.black).await?, resolve_player(&desk, &wish.white).await?];
    let [(black, black_name), (white, white_name)] = chosen;
    let own: Level = load_standing::<Level>(&desk).await?.opponent();
    let strength = |level: Option<String>, rating, params| PlayerStrength {
        level: resolve_level(level, own),
        rating,
        params,
    };
    let black = parse_player(&black, strength(wish.black_level, wish.black_rating, wish.black_params), seed)?;
    let white = parse_player(&white, strength(wish.white_level, wish.white_rating, wish.white_params), seed)?;
    let key = new_key();
    let own_seed = seed.stream(&key, 0).next_u64();
    let mut game = match wish.from.as_deref().map(str::trim).filter(|from| !from.is_empty()) {
        Some(from) => OthelloGameState::from_record(&parse_record(from, 1)?, own_seed),
        None => OthelloGameState::new([black.clone(), white.clone()], own_seed),
    };
    game.players = [black, white];
    game.names = [black_name, white_name];
    game.clock = parse_clock(wish.minutes.as_deref(), wish.increment.as_deref())?;
    game.begin(!wish.taught.is_empty());
    save_game(&desk, &key, game).await
}

async fn save_game(desk: &WorkbenchState, key: &str, game: OthelloGameState) -> PageAnswer {
    state::create_game(desk, key, game).await?;
    Ok(Redirect::to(&format!("/othello/{key}")).into_response())
}

/// The player as the catalog knows it, which for a piece counter out of a file are its weights; and its name in the game, which for
/// others is empty: what they are says who they are.
async fn resolve_player(desk: &WorkbenchState, name: &str) -> Result<(String, String), PageError> {
    let Some(key) = own::document_key(name) else {
        return Ok((name.to_string(), String::new()));
    };
    let kept = desk.find_document(own::KIND, key).await?;
    let player = kept.and_then(|document| Some((own::player_spec(&document)?, document.title)));
    player.ok_or_else(|| PageError::invalid_input("othello-the-piece-counter-is-not-there"))
}

/// The level that a form asks for; where it is the person's own, the one that follows from the results.
fn resolve_level(level: Option<String>, own: Level) -> Option<String> {
    level.map(|level| if level == OWN_LEVEL { own.to_string() } else { level })
}

/// How strong a form wants an engine to be. Parameters count before a rating, and a rating before a level.
#[derive(Default)]
struct PlayerStrength {
    level: Option<String>,
    rating: Option<String>,
    params: Option<String>,
}

/// A person, or an engine that the catalog can make.
fn parse_player(name: &str, strength: PlayerStrength, seed: Seed) -> Result<Player, PageError> {
    if name == "person" {
        return Ok(Player::Person);
    }
    let PlayerStrength { level, rating, params } = strength;
    let [level, rating, params] = [level, rating, params]
        .map(|text| text.map(|text| text.trim().to_string()).filter(|text| !text.is_empty()));
    let spec = match (params, rating, level) {
        // Weights out of a file are parameters already.
        (Some(params), _, _) => format!("{name}{}{params}", if name.contains(':') { ',' } else { ':' }),
        (None, Some(rating), _) if name == "othello" => format!("{RATED}{rating}"),
        (None, None, Some(level)) if name == "othello" => format!("{LEVELLED}{level}"),
        _ => name.to_string(),
    };
    budget::check_player(&spec)?;
    catalog::create_othello_player(&spec, seed)?;
    Ok(Player::Engine(spec))
}

/// Minutes for the game, seconds for every move.
fn parse_clock(minutes: Option<&str>, increment: Option<&str>) -> Result<Option<OthelloClock>, PageError> {
    let number = |text: Option<&str>| match text.map(str::trim) {
        None | Some("") => Ok(0.0),
        Some(text) => text.parse().ok().filter(|number| (0.0..=600.0).contains(number)).ok_or_else(|| {
            PageError::invalid_input_with(
                "othello-invalid-time-write-a-number-from",
                args![text = format!("{text:?}")],
            )
        }),
    };
    let (minutes, increment): (f64, f64) = (number(minutes)?, number(increment)?);
    if minutes == 0.0 {
        return Ok(None);
    }
    let left = (minutes * 60_000.0).round() as u64;
    Ok(Some(OthelloClock { increment: (increment * 1000.0).round() as u64, left: [left, left], since: None }))
}

#[derive(Deserialize)]
pub(super) struct OthelloRecordForm {
    text: String,
    number: Option<usize>,
}

pub(super) async fn open_record(desk: DeskState, Form(pasted): Form<OthelloRecordForm>) -> PageAnswer {
    let key = new_key();
    // A text of megabytes has thousands of games, and each is replayed.
    let record = desk.compute(move |_| parse_record(&pasted.text, pasted.number.unwrap_or(1))).await??;
    let mut game = OthelloGameState::from_record(&record, desk.settings.seed.stream(&key, 0).next_u64());
    game.study = true;
    game.review = find_sample_review(&game);
    save_game(&desk, &key, game).await
}

/// A record of the text.
fn parse_record(text: &str, number: usize) -> Result<OthelloRecord, PageError> {
    let found = records::read_records("", text.trim().as_bytes(), &WthorDirectory::default())?;
    let count = found.len();
    let wanted = number.checked_sub(1).and_then(|at| found.into_iter().nth(at));
    wanted.ok_or_else(|| {
        PageError::invalid_input_with("othello-there-is-no-game-the-text", args![number, count])
    })
}

pub(super) async fn delete_game(desk: DeskState, Path(key): Path<String>) -> PageAnswer {
    desk.moves.stop_task(&state::play_key(&key));
    desk.thoughts.stop_task(&state::study_key(&key));
    for work in [state::exact_key(&key), state::review_key(&key)] {
        desk.reviews.stop_task(&work);
    }
    desk.ask_store(move |store| store.forget_document(KIND, &key)).await?;
    Ok(Redirect::to("/othello").into_response())
}

#[cfg(test)]
mod tests {
    use ishi_othello::{Position, Square};

    use super::super::game::Side;
    use super::super::view;
    use super::*;

    #[test]
    fn players_are_persons_or_engines_of_the_catalog() {
        let seed = Seed::new(1);
        let parse_player = |name: &str, level: Option<&str>, params: Option<&str>| {
            let [level, params] = [level, params].map(|text| text.map(str::to_string));
            parse_player(name, PlayerStrength { level, params, ..PlayerStrength::default() }, seed)
        };
        assert_eq!(parse_player("person", Some("3"), None).unwrap(), Player::Person);
        let engine = |name, level, params| match parse_player(name, level, params).unwrap() {
            Player::Engine(spec) => spec,
            Player::Person => unreachable!("engines are no persons"),
        };
        assert_eq!(engine("othello", Some("7"), Some(" ")), "othello:level=7");
        assert_eq!(engine("othello", Some("7"), Some("depth=3")), "othello:depth=3");
        assert_eq!(engine("othello-random", Some("7"), None), "othello-random");
        let counter = "othello-wpc:weights=1 2 3 4 5 6 7 8 9 10";
        assert_eq!(engine(counter, Some("7"), None), counter);
        assert_eq!(engine(counter, None, Some("epsilon=0.1")), format!("{counter},epsilon=0.1"));
        assert!(parse_player("othello", Some("21"), None).is_err());
        assert!(parse_player("nobody", None, None).is_err());
        // Sixteen GiB: refused before anything is made.
        assert!(parse_player("othello", None, Some("hash=30")).is_err());
    }

    #[test]
    fn a_rating_takes_the_place_of_the_level() {
        let parse = |name: &str, rating: &str, params: &str| {
            let [level, rating, params] = ["7", rating, params].map(|text| Some(text.to_string()));
            parse_player(name, PlayerStrength { level, rating, params }, Seed::new(1))
        };
        let engine = |spec: &str| Player::Engine(spec.to_string());
        assert_eq!(parse("othello", " 1234 ", "").unwrap(), engine("othello:rating=1234"));
        assert_eq!(parse("othello", " ", "").unwrap(), engine("othello:level=7"));
        assert_eq!(parse("othello", "1234", "depth=3").unwrap(), engine("othello:depth=3"));
        assert_eq!(parse("othello-random", "1234", "").unwrap(), engine("othello-random"));
        assert_eq!(parse("person", "1234", "").unwrap(), Player::Person);
        for wrong in ["539", "2881", "x", "1000.5"] {
            assert!(parse("othello", wrong, "").is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_own_level_is_the_one_that_follows_from_the_results() {
        let own = Level::new(6).unwrap();
        let resolve = |level: &str| resolve_level(Some(level.to_string()), own);
        assert_eq!([resolve("own"), resolve("7")], ["6", "7"].map(|level| Some(level.to_string())));
        assert_eq!(resolve_level(None, own), None);
    }

    #[test]
    fn clocks_are_minutes_and_seconds() {
        assert_eq!(parse_clock(None, Some("3")).unwrap(), None);
        let made = parse_clock(Some("0.5"), Some("2")).unwrap().unwrap();
        assert_eq!((made.left, made.increment), ([30_000, 30_000], 2000));
        assert!(parse_clock(Some("-1"), None).is_err() && parse_clock(Some("x"), None).is_err());
    }

    /// As other programs write them: a copied board opens, whatever it begins with.
    #[test]
    fn boards_of_other_programs_can_be_opened() {
        let line = Position::from_transcript("f5d6c3").unwrap().to_line();
        let digits = line[..64].replace('X', "0").replace('O', "1");
        for text in
            [format!("setboard {line}"), format!("{digits} 1"), "https://example.org/#f5d6c3".to_string()]
        {
            let record = parse_record(&format!(" {text}\n"), 1).unwrap();
            assert!(record.game.to_line() == line, "{text}");
        }
        assert!(parse_record("https://example.org/game/17", 1).is_err());
    }

    #[test]
    fn the_sample_can_be_opened() {
        let record = parse_record(SAMPLE, 1).unwrap();
        assert_eq!(view::game_title(&OthelloGameState::from_record(&record, 1)), "f5f6e6d6e7f4…");
        assert!(parse_record(SAMPLE, 2).is_err());
        assert_eq!((record.game.is_over(), record.game.score()), (true, -32));
    }

    /// It has lessons for both sides, in both languages, whose answers can be played.
    #[test]
    fn the_sample_has_its_review() {
        let open = |text: &str| OthelloGameState::from_record(&parse_record(text, 1).unwrap(), 1);
        let game = open(SAMPLE);
        let review = find_sample_review(&game).expect("it is as this version reads it");
        assert!(review.complete && review.moves == game.moves, "it is of this game");
        assert_eq!(review.judged.len(), game.moves.len());
        for (number, judged) in (1..).zip(&review.judged) {
            assert_eq!((judged.number, &judged.square), (number, &game.moves[number - 1]));
        }
        for side in [Side::Black, Side::White] {
            assert!(review.lessons.iter().any(|lesson| lesson.side == side), "no lesson for {side:?}");
        }
        for lesson in &review.lessons {
            let position = game.position_after(lesson.number - 1);
            let legal = |answer: &String| {
                answer.parse::<Square>().is_ok_and(|square| position.board().is_legal(square))
            };
            assert!(!lesson.answers.is_empty() && lesson.answers.iter().all(legal), "{lesson:?}");
            assert!(lesson.text.iter().all(|text| !text.is_empty()), "{lesson:?}");
        }
        assert!(find_sample_review(&open(&SAMPLE[..20])).is_none(), "another game");
    }
}
