//! The room of Go: play, look, understand, edit.
//!
//! A [`table`] is a document of the store; every request reads it, changes it and keeps it, so that nothing is lost and several tabs may be open. `think`
//! lets engines move and analyse, `review` goes through whole games, `insight` says what ishi knows and why, `view` shows it all.

mod insight;
mod problems;
mod review;
mod table;
mod think;
mod view;

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Multipart, Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use ishi_arena::TimeControl;
use ishi_go::{BoardSize, Color, Move, Point, Rules};
use ishi_go_play::judge;
use ishi_knowledge::show::Level;
use ishi_sgf::GameResult;
use serde::Deserialize;

use self::insight::Question;
use self::table::{NewGame, Table, seat as seat_of};
use self::think::{JUDGED, analyse, forget_thoughts, hush, is_analysing, stop_analysis, tell_changed, wake};
use crate::workbench::Desk;
use crate::workbench::desk::new_key;
use crate::workbench::error::PageError;
use crate::workbench::page::part;
use crate::workbench::visitor::Visitor;

pub(crate) use view::{first_board, rank_words, sample_sgf, tables as recent_tables};

pub(crate) fn routes() -> Router<Arc<Desk>> {
    Router::new()
        .route("/go", get(entrance).post(open))
        .route("/go/new", post(new_game))
        .route("/go/start", post(start))
        .route("/go/{key}", get(show))
        .route("/go/{key}/table", get(table_part))
        .route("/go/{key}/point", post(point))
        .route("/go/{key}/do/{what}", post(act))
        .route("/go/{key}/move/{number}", post(go_to))
        .route("/go/{key}/variation/{place}", post(variation))
        .route("/go/{key}/text", post(text))
        .route("/go/{key}/analysis", post(analysis))
        .route("/go/{key}/level", get(level))
        .route("/go/{key}/why", post(why))
        .route("/go/{key}/review", post(start_review))
        .route("/go/{key}/sgf", get(download))
        .merge(problems::routes())
}

async fn entrance(State(desk): State<Arc<Desk>>, visitor: Visitor) -> Result<Response, PageError> {
    let known = desk.store(|store| store.documents(table::KIND, view::LISTED)).await?;
    Ok(view::entrance(&visitor, &known))
}

/// What the form for a new game says.
#[derive(Deserialize)]
struct Wanted {
    size: usize,
    rules: String,
    komi: String,
    handicap: usize,
    black: String,
    white: String,
    #[serde(default)]
    black_spec: String,
    #[serde(default)]
    white_spec: String,
    clock: String,
}

/// Points; SGF of some programs writes hundredths, so that a larger komi would be read as another one.
const MOST_KOMI: f64 = 99.0;

async fn new_game(State(desk): State<Arc<Desk>>, Form(wanted): Form<Wanted>) -> Result<Redirect, PageError> {
    let chosen = |seat: &str, spec: &str| match (seat, spec.trim()) {
        ("spec", "") => Err(PageError::refused(
            "an engine by its name: write the name, such as go-mcts:playouts=2000",
            "エンジン名を入力してください（例：go-mcts:playouts=2000）",
        )),
        ("spec", spec) => seat_of(spec),
        (other, _) => seat_of(other),
    };
    let rules: Rules = wanted.rules.parse().map_err(PageError::input)?;
    let komi = match wanted.komi.trim() {
        // What the rules say; with handicap half a point, so that nobody draws.
        "" if wanted.handicap >= 2 => 0.5,
        "" if rules == Rules::JAPANESE => 6.5,
        "" => 7.5,
        text => text.replace(',', ".").parse().map_err(|_| {
            PageError::refused(
                format!("komi {text:?} is no number: write points, such as 6.5"),
                format!("コミ {text:?} は数ではありません（例：6.5）"),
            )
        })?,
    };
    if !(-MOST_KOMI..=MOST_KOMI).contains(&komi) {
        return Err(PageError::refused(
            format!("komi {komi}: it is -{MOST_KOMI} to {MOST_KOMI} points"),
            format!("コミ {komi}：-{MOST_KOMI} から {MOST_KOMI} までです"),
        ));
    }
    let clock = wanted.clock.trim();
    let game = NewGame {
        size: BoardSize::square(wanted.size).map_err(PageError::input)?,
        rules,
        komi,
        handicap: wanted.handicap,
        seats: [chosen(&wanted.black, &wanted.black_spec)?, chosen(&wanted.white, &wanted.white_spec)?],
        control: if clock.is_empty() {
            TimeControl::default()
        } else {
            clock.parse().map_err(PageError::input)?
        },
    };
    let mut table = Table::new(new_key(), &game)?;
    table.position()?.set_komi(komi).map_err(PageError::input)?;
    table.keep(&desk).await?;
    Ok(Redirect::to(&format!("/go/{}", table.key)))
}

#[derive(Deserialize)]
struct First {
    at: String,
    rank: String,
}

/// A game against ishi that begins with this move.
async fn start(State(desk): State<Arc<Desk>>, Form(first): Form<First>) -> Result<Response, PageError> {
    let game = NewGame {
        size: BoardSize::square(view::FIRST_SIDE).map_err(PageError::outside)?,
        rules: Rules::CHINESE,
        komi: 7.5,
        handicap: 0,
        seats: [seat_of("person")?, seat_of(&format!("{}{}", table::RANKED, first.rank))?],
        control: TimeControl::default(),
    };
    let mut table = Table::new(new_key(), &game)?;
    let point = game.size.parse_point(&first.at).map_err(PageError::input)?;
    table.play(Move::Play(point))?;
    table.keep(&desk).await?;
    // htmx goes there with the whole page.
    Ok([("hx-redirect", format!("/go/{}", table.key))].into_response())
}

/// Opens a record: a file, or what was pasted.
async fn open(State(desk): State<Arc<Desk>>, mut form: Multipart) -> Result<Redirect, PageError> {
    let mut bytes = Vec::new();
    while let Some(field) = form.next_field().await.map_err(|error| PageError::input(error.body_text()))? {
        let is_record = matches!(field.name(), Some("file" | "sgf"));
        let read = field.bytes().await.map_err(|error| PageError::input(error.body_text()))?;
        if is_record && !read.iter().all(u8::is_ascii_whitespace) {
            bytes = read.to_vec();
        }
    }
    if bytes.is_empty() {
        return Err(PageError::refused(
            "there is no record: choose a file, or paste SGF, which begins with (;",
            "棋譜がありません。ファイルを選ぶか、「(;」で始まる SGF を貼り付けてください",
        ));
    }
    let mut table = Table::read(new_key(), &bytes)?;
    table.keep(&desk).await?;
    Ok(Redirect::to(&format!("/go/{}", table.key)))
}

async fn show(
    State(desk): State<Arc<Desk>>,
    Path(key): Path<String>,
    visitor: Visitor,
) -> Result<Response, PageError> {
    let table = Table::load(&desk, &key).await?;
    wake(&desk, &table);
    view::page(&desk, &table, &visitor)
}

async fn table_part(
    State(desk): State<Arc<Desk>>,
    Path(key): Path<String>,
    visitor: Visitor,
) -> Result<Response, PageError> {
    let mut table = Table::load(&desk, &key).await?;
    // A clock that ran out while nobody moved.
    let color = table.position()?.to_move();
    let runs = table.result().is_none() && table.dead.is_none() && !table.control.is_none();
    if runs && table.flag_fell(color) {
        table.end(GameResult::Time(!color));
        table.keep(&desk).await?;
        hush(&desk, &key);
        tell_changed(&desk, &key, table.revision);
    }
    // A page that was away has come back.
    wake(&desk, &table);
    // Another tab, or an engine, has changed the place.
    analyse_again(&desk, &table)?;
    Ok(part(view::table(&desk, &table, &visitor)?))
}

/// Keeps what was done, lets engines and other tabs know, and shows it.
async fn done(desk: &Arc<Desk>, mut table: Table, visitor: &Visitor) -> Result<Response, PageError> {
    // What cannot be shown is not kept: nobody could step away from it.
    table.here()?;
    table.keep(desk).await?;
    hush(desk, &table.key);
    wake(desk, &table);
    analyse_again(desk, &table)?;
    tell_changed(desk, &table.key, table.revision);
    Ok(part(view::table(desk, &table, visitor)?))
}

/// The analysis follows the place.
fn analyse_again(desk: &Arc<Desk>, table: &Table) -> Result<(), PageError> {
    if is_analysing(desk, &table.key) {
        analyse(desk, &table.key, table.position()?);
    } else {
        forget_thoughts(desk, &table.key);
    }
    Ok(())
}

/// The table, if it is still the one that the page shows.
async fn seen(desk: &Desk, key: &str, revision: Option<u64>) -> Result<Table, PageError> {
    let table = Table::load(desk, key).await?;
    match revision {
        Some(revision) if revision != table.revision => Err(PageError::changed_elsewhere()),
        _ => Ok(table),
    }
}

#[derive(Deserialize)]
struct Clicked {
    at: String,
    #[serde(default)]
    tool: String,
    revision: Option<u64>,
}

/// A point was clicked; the tool says what that means.
async fn point(
    State(desk): State<Arc<Desk>>,
    Path(key): Path<String>,
    visitor: Visitor,
    Form(clicked): Form<Clicked>,
) -> Result<Response, PageError> {
    let mut table = seen(&desk, &key, clicked.revision).await?;
    let size = table.size()?;
    let point = size.parse_point(&clicked.at).map_err(PageError::input)?;
    if let Some(mut dead) = table.dead.take() {
        toggle_dead(&mut dead, &table.position()?, point);
        table.dead = Some(dead);
        return done(&desk, table, &visitor).await;
    }
    match clicked.tool.as_str() {
        "black" => table.set_up(point, Some(Color::Black))?,
        "white" => table.set_up(point, Some(Color::White))?,
        "empty" => table.set_up(point, None)?,
        "triangle" => table.mark("TR", point)?,
        "square" => table.mark("SQ", point)?,
        "circle" => table.mark("CR", point)?,
        "cross" => table.mark("MA", point)?,
        "letter" => table.label(point)?,
        "ask" => return answer(&desk, &table, Question::WhyNot(point), &visitor, true).await,
        _ => person_plays(&mut table, Move::Play(point))?,
    }
    done(&desk, table, &visitor).await
}

fn person_plays(table: &mut Table, mv: Move) -> Result<(), PageError> {
    let color = table.position()?.to_move();
    if table.due && !table.seats[color.index()].is_person() {
        return Err(PageError::refused(
            "it is the engine's turn: wait for its move",
            "エンジンの手番です。お待ちください",
        ));
    }
    if table.control.is_none() || table.result().is_some() || !table.flag_fell(color) {
        return table.play(mv);
    }
    table.end(GameResult::Time(!color));
    Ok(())
}

/// The whole chain, dead or alive.
fn toggle_dead(dead: &mut Vec<Point>, position: &ishi_go::Position, point: Point) {
    let board = position.board();
    let Some(chain) = board.chain(point) else { return };
    let was = dead.contains(&point);
    let stones: Vec<Point> = board.chain_stones(chain).collect();
    dead.retain(|stone| !stones.contains(stone));
    if !was {
        dead.extend(stones);
    }
}

#[derive(Deserialize)]
struct Seen {
    revision: Option<u64>,
}

async fn act(
    State(desk): State<Arc<Desk>>,
    Path((key, what)): Path<(String, String)>,
    visitor: Visitor,
    Form(page): Form<Seen>,
) -> Result<Response, PageError> {
    let mut table = seen(&desk, &key, page.revision).await?;
    match what.as_str() {
        "pass" => person_plays(&mut table, Move::Pass)?,
        "resign" => table.resign()?,
        "undo" => table.undo()?,
        "first" => table.step(i64::MIN),
        "back10" => table.step(-10),
        "back" => table.step(-1),
        "next" => table.step(1),
        "next10" => table.step(10),
        "last" => table.step(i64::MAX),
        "cut" => table.cut(),
        "promote" => table.promote(),
        "black-plays" => table.set_to_play(Color::Black),
        "white-plays" => table.set_to_play(Color::White),
        "play-on" => (table.dead, table.due) = (None, false),
        "engine" => table.due = true,
        "count" => {
            let (position, seed) = (table.position()?, desk.settings.seed);
            let dead = desk.compute(move |_| judge::dead_stones(&position, JUDGED, seed)).await?;
            table.dead = Some(dead);
            table.due = false;
        }
        "agree" => {
            let dead = table.dead.clone().unwrap_or_default();
            let score = table.position()?.score(&dead).map_err(PageError::input)?;
            table.end(match score.winner() {
                Some(winner) => GameResult::Points(winner, score.0.abs()),
                None => GameResult::Draw,
            });
        }
        _ => {
            return Err(PageError::missing(
                format!("nothing is called {what}"),
                format!("{what} はありません"),
            ));
        }
    }
    // Who only looks at another move does not start engines.
    if !matches!(what.as_str(), "pass" | "engine") {
        table.due = false;
    }
    if table.dead.is_none() && what == "pass" && table.position()?.is_over() && table.result().is_none() {
        let (position, seed) = (table.position()?, desk.settings.seed);
        table.dead = Some(desk.compute(move |_| judge::dead_stones(&position, JUDGED, seed)).await?);
    }
    done(&desk, table, &visitor).await
}

async fn go_to(
    State(desk): State<Arc<Desk>>,
    Path((key, number)): Path<(String, usize)>,
    visitor: Visitor,
) -> Result<Response, PageError> {
    let mut table = Table::load(&desk, &key).await?;
    table.go_to_move(number);
    table.due = false;
    done(&desk, table, &visitor).await
}

/// Goes to the child of this number.
async fn variation(
    State(desk): State<Arc<Desk>>,
    Path((key, place)): Path<(String, String)>,
    visitor: Visitor,
    Form(page): Form<Seen>,
) -> Result<Response, PageError> {
    let mut table = seen(&desk, &key, page.revision).await?;
    let number: usize = place.parse().unwrap_or(usize::MAX);
    let node = table.tree.preorder().nth(number);
    table.node =
        node.ok_or_else(|| PageError::missing("there is no such variation", "その変化はありません"))?;
    (table.due, table.dead) = (false, None);
    done(&desk, table, &visitor).await
}

/// Comment and facts of the game, from their form.
async fn text(
    State(desk): State<Arc<Desk>>,
    Path(key): Path<String>,
    visitor: Visitor,
    Form(fields): Form<HashMap<String, String>>,
) -> Result<Response, PageError> {
    let revision = fields.get("revision").and_then(|text| text.parse().ok());
    let mut table = seen(&desk, &key, revision).await?;
    if let Some(comment) = fields.get("comment") {
        table.set_comment(comment);
    }
    for (field, name) in view::FACTS {
        if let Some(text) = fields.get(field) {
            table.set_info(name, text);
        }
    }
    // Komi must still be one that positions understand.
    table.check_facts()?;
    done(&desk, table, &visitor).await
}

#[derive(Deserialize)]
struct Switch {
    on: Option<String>,
}

async fn analysis(
    State(desk): State<Arc<Desk>>,
    Path(key): Path<String>,
    visitor: Visitor,
    Form(switch): Form<Switch>,
) -> Result<Response, PageError> {
    let table = Table::load(&desk, &key).await?;
    if switch.on.is_some() {
        analyse(&desk, &key, table.position()?);
    } else {
        stop_analysis(&desk, &key);
    }
    Ok(part(view::table(&desk, &table, &visitor)?))
}

#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    level: String,
}

/// A level of what ishi knows, drawn and told.
async fn level(
    State(desk): State<Arc<Desk>>,
    Path(key): Path<String>,
    visitor: Visitor,
    Query(asked): Query<Asked>,
) -> Result<Response, PageError> {
    let table = Table::load(&desk, &key).await?;
    if asked.level.is_empty() {
        return Ok(part(view::no_level()));
    }
    let level: Level = asked.level.parse().map_err(PageError::input)?;
    let (position, language, seed) = (table.position()?, visitor.language, desk.settings.seed);
    let seen = desk.compute(move |_| insight::look(&position, level, language, seed)).await?;
    Ok(part(view::level(&seen, level, &visitor)))
}

#[derive(Deserialize)]
struct Why {
    #[serde(default)]
    at: String,
    #[serde(default)]
    what: String,
}

/// The reasons of the move that was played, of the best one, or why not another one.
async fn why(
    State(desk): State<Arc<Desk>>,
    Path(key): Path<String>,
    visitor: Visitor,
    Form(why): Form<Why>,
) -> Result<Response, PageError> {
    let mut table = Table::load(&desk, &key).await?;
    let question = if !why.at.trim().is_empty() {
        Question::WhyNot(table.size()?.parse_point(&why.at).map_err(PageError::input)?)
    } else if why.what == "played" {
        let shown = table.here()?;
        let Some(last) = shown.last.filter(|_| table::is_move(&table.tree, table.node)) else {
            return Err(PageError::refused("no move was played here", "ここでは手が打たれていません"));
        };
        table.step(-1);
        Question::Played(last.mv)
    } else {
        Question::Best
    };
    answer(&desk, &table, question, &visitor, false).await
}

async fn answer(
    desk: &Desk,
    table: &Table,
    question: Question,
    visitor: &Visitor,
    to_panel: bool,
) -> Result<Response, PageError> {
    let (position, seed, asker) = (table.position()?, desk.settings.seed, visitor.clone());
    if let Question::WhyNot(point) = question {
        position.check(position.to_move(), Move::Play(point)).map_err(PageError::input)?;
    }
    let told = desk.compute(move |_| insight::tell(&position, &question, seed, &asker)).await?;
    let response = part(told.show());
    // A click on the board fills the table; this answer belongs into its own panel.
    let headers = to_panel.then_some([("hx-retarget", "#why"), ("hx-reswap", "innerHTML")]);
    Ok(match headers {
        Some(headers) => (headers, response).into_response(),
        None => response,
    })
}

async fn start_review(
    State(desk): State<Arc<Desk>>,
    Path(key): Path<String>,
    visitor: Visitor,
    Form(switch): Form<Switch>,
) -> Result<Response, PageError> {
    let table = Table::load(&desk, &key).await?;
    if switch.on.is_some() {
        review::start(&desk, &table)?;
    } else {
        desk.thoughts.stop(&review::key(&key));
        desk.live.forget(&think::topic(&key), "review");
    }
    Ok(part(view::table(&desk, &table, &visitor)?))
}

async fn download(State(desk): State<Arc<Desk>>, Path(key): Path<String>) -> Result<Response, PageError> {
    let table = Table::load(&desk, &key).await?;
    let headers = [
        (CONTENT_TYPE, "application/x-go-sgf; charset=utf-8".to_string()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"ishi-{}.sgf\"", table.key)),
    ];
    Ok((headers, table.sgf()).into_response())
}
