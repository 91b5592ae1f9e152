//! The games that the store keeps: listed, replayed, taken away as CSV, JSON or SGF.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query};
use axum::routing::get;
use ishi_arena::{MatchGame, MatchSettings, OthelloMatchSettings};
use ishi_engine::Othello;
use ishi_go::Rules;
use ishi_go::picture::{BoardPicture, PictureMark, PictureTone};
use ishi_lab::report::csv_cell;
use ishi_lab::store::{GameFilter, GameRow, KeptGame, TaskId};
use ishi_othello::picture::BoardPicture as OthelloPicture;
use ishi_othello::{Color, Position};
use ishi_sgf::GoGame;
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use serde_json::{Value, json};

use super::database::query_store;
use crate::workbench::answer::attachment_response;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room, partial_response, percent_encode};
use crate::workbench::rooms::damage;
use crate::workbench::rooms::othello::render_disc;
use crate::workbench::rooms::steps::{GameSteps, render_steps};
use crate::workbench::table::TableColumn::{Numbers, Words};
use crate::workbench::table::render_scrolling_table;
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

/// Games on a page.
const PAGE: usize = 50;
/// The last page that may be asked for; more would be no number of a game.
const LAST_PAGE: usize = 1_000_000;
/// Games in a file.
const MOST: usize = 20_000;

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/lab/games", get(list_games))
        .route("/lab/games/{file}", get(download_games))
        .route("/lab/game/{task}/{number}", get(show_game))
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct GamesQuery {
    run: String,
    game: String,
    board: String,
    player: String,
    page: Option<usize>,
}

impl GamesQuery {
    fn to_filter(&self) -> GameFilter {
        let some = |text: &str| Some(text.trim().to_string()).filter(|text| !text.is_empty());
        GameFilter {
            run: some(&self.run),
            task: None,
            board: some(&self.board),
            game: some(&self.game),
            player: some(&self.player),
        }
    }

    fn to_query(&self) -> String {
        let fields =
            [("run", &self.run), ("game", &self.game), ("board", &self.board), ("player", &self.player)];
        let fields = fields.into_iter().filter(|(_, value)| !value.is_empty());
        fields.map(|(name, value)| format!("{name}={}", percent_encode(value))).collect::<Vec<_>>().join("&")
    }
}

async fn list_games(desk: DeskState, visitor: Visitor, Query(wanted): Query<GamesQuery>) -> PageAnswer {
    let (filter, page) = (wanted.to_filter(), wanted.page.unwrap_or(1).clamp(1, LAST_PAGE));
    let (count, list, runs) = query_store(&desk, move |store| {
        let count = store.count_games(&filter)?;
        let list = store.list_games_page(&filter, (page - 1) * PAGE, PAGE)?;
        let runs: Vec<String> = store.list_runs()?.runs.into_iter().map(|run| run.name).collect();
        Ok((count, list, runs))
    })
    .await?;
    let pages = count.div_ceil(PAGE).max(1);
    let turn = |to: usize, key: &str, words: &str| {
        html! { @if (1..=pages).contains(&to) { a.button href={ "/lab/games?" (wanted.to_query()) "&page=" (to) } data-key=(key) { (words) } } }
    };
    let title = visitor.text("laboratory-games");
    let body = html! {
        h1 { (title) }
        p.quiet { a href="/lab" { (visitor.text("laboratory-laboratory")) } }
        (render_filters(&visitor, &wanted, &runs))
        p { (visitor.text_with("laboratory-games-page", args![count, page, pages])) }
        (damage::render_damaged_rows(&visitor, &list.damaged))
        @if count == 0 { p { (visitor.text("laboratory-no-games-begin-a-match")) " "
            a href="/lab" { (visitor.text("laboratory-laboratory")) } } }
        @else { (render_games(&visitor, &list.games)) }
        nav.row aria-label=(visitor.text("laboratory-pages")) {
            (turn(page.wrapping_sub(1), "ArrowLeft", visitor.text("laboratory-page-before")))
            (turn(page + 1, "ArrowRight", visitor.text("laboratory-next-page")))
        }
        @if count > 0 { div.row {
            @for format in ["csv", "json", "sgf"] {
                a.button href={ "/lab/games/file." (format) "?" (wanted.to_query()) } download { (format.to_uppercase()) }
            }
        } }
    };
    Ok(Page::new(Room::Laboratory, title).render_page(&visitor, body))
}

fn render_filters(visitor: &Visitor, wanted: &GamesQuery, runs: &[String]) -> Markup {
    html! {
        form.row method="get" action="/lab/games" role="search" {
            span.field {
                label for="run" { (visitor.text("laboratory-run")) }
                select #run name="run" {
                    option value="" { (visitor.text("laboratory-all")) }
                    @for run in runs { option value=(run) selected[*run == wanted.run] { (run) } }
                }
            }
            span.field {
                label for="game" { (visitor.text("laboratory-game")) }
                select #game name="game" {
                    option value="" { (visitor.text("laboratory-all")) }
                    option value="go" selected[wanted.game == "go"] { (visitor.text("laboratory-go")) }
                    option value="othello" selected[wanted.game == "othello"] { (visitor.text("laboratory-othello")) }
                }
            }
            span.field {
                label for="board" { (visitor.text("laboratory-board")) }
                input #board name="board" value=(wanted.board) size="6" maxlength="6" placeholder="9x9";
            }
            span.field {
                label for="player" { (visitor.text("laboratory-player")) }
                input #player name="player" value=(wanted.player) maxlength="200";
            }
            button { (visitor.text("laboratory-show")) }
        }
    }
}

fn render_games(visitor: &Visitor, games: &[KeptGame]) -> Markup {
    html! {
        (render_scrolling_table(visitor.text("laboratory-games"), &[
            Words(visitor.text("laboratory-black")), Words(visitor.text("laboratory-white")), Words(visitor.text("laboratory-result")), Words(visitor.text("laboratory-reason")),
            Words(visitor.text("laboratory-board")), Numbers(visitor.text("laboratory-moves")), Words(visitor.text("laboratory-replay")),
        ], html! {
            @for kept in games {
                tr {
                    td { (kept.game.black) }
                    td { (kept.game.white) }
                    td { (kept.game.result) }
                    td { (kept.game.reason) }
                    td { (board_words(&kept.game)) }
                    td.number { (kept.game.moves.split_whitespace().count()) }
                    td { a href=(game_address(kept)) { (visitor.text("laboratory-replay-word"))
                        span.unseen { " " (kept.game.black) " – " (kept.game.white) " " (kept.task.as_str().get(..8).unwrap_or("")) "/" (kept.number) } } }
                }
            }
        }))
    }
}

fn board_words(game: &GameRow) -> String {
    if game.rules == "othello" { "othello".to_string() } else { format!("{} {}", game.board, game.rules) }
}

fn game_address(kept: &KeptGame) -> String {
    format!("/lab/game/{}/{}", kept.task, kept.number)
}

/// `file.csv`, `file.json` or `file.sgf`.
async fn download_games(
    desk: DeskState,
    Path(name): Path<String>,
    Query(wanted): Query<GamesQuery>,
) -> PageAnswer {
    let write: fn(&[KeptGame]) -> String = match name.as_str() {
        "file.csv" => games_csv,
        "file.json" => games_json,
        "file.sgf" => games_sgf,
        _ => {
            return Err(PageError::not_found("laboratory-games-come-as-file-csv-file"));
        }
    };
    let filter = wanted.to_filter();
    let text = query_store(&desk, move |store| {
        let count = store.count_games(&filter)?;
        if count > MOST {
            return Ok(Err(count));
        }
        Ok(Ok(write(&store.find_games_page(&filter, 0, MOST)?)))
    })
    .await?;
    let text = text.map_err(|count| {
        PageError::invalid_input_with("laboratory-games-are-too-many", args![count, most = MOST])
    })?;
    let kind = match name.as_str() {
        "file.csv" => "text/csv; charset=utf-8",
        "file.json" => "application/json",
        _ => "application/x-go-sgf; charset=utf-8",
    };
    Ok(attachment_response(&name.replace("file", "games"), kind, text))
}

const COLUMNS: [&str; 16] = [
    "task",
    "number",
    "black",
    "white",
    "black_spec",
    "white_spec",
    "board",
    "rules",
    "komi",
    "handicap",
    "result",
    "winner",
    "reason",
    "moves",
    "black_seconds",
    "white_seconds",
];

/// A game with all that a file tells of it.
fn describe_game(KeptGame { task, number, game }: &KeptGame) -> Value {
    json!({
        "task": task.as_str(), "number": number, "black": game.black, "white": game.white,
        "black_spec": game.black_spec, "white_spec": game.white_spec, "board": game.board, "rules": game.rules,
        "komi": game.komi, "handicap": game.handicap, "result": game.result, "winner": game.winner,
        "reason": game.reason, "detail": game.detail, "moves": game.moves,
        "black_seconds": game.black_seconds, "white_seconds": game.white_seconds,
    })
}

/// Tables have room for how many moves there are.
fn games_csv(games: &[KeptGame]) -> String {
    let line = |kept: &KeptGame| {
        let told = describe_game(kept);
        let cell = |column: &str| match told.get(column) {
            Some(Value::String(moves)) if column == "moves" => moves.split_whitespace().count().to_string(),
            Some(Value::String(text)) => csv_cell(text),
            // As short as it can be: 7, where JSON has 7.0.
            Some(Value::Number(number)) => number.as_f64().unwrap_or_default().to_string(),
            // JSON has no infinite numbers; a database that others wrote may hold some.
            Some(Value::Null) => String::new(),
            other => unreachable!("a game has no {column}: {other:?}"),
        };
        COLUMNS.map(cell).join(",") + "\n"
    };
    COLUMNS.join(",") + "\n" + &games.iter().map(line).collect::<String>()
}

fn games_json(games: &[KeptGame]) -> String {
    format!("{:#}\n", games.iter().map(describe_game).collect::<Value>())
}

fn games_sgf(games: &[KeptGame]) -> String {
    games.iter().map(|kept| kept.game.sgf.trim_end().to_string() + "\n").collect()
}

// --- one game ---

#[derive(Deserialize)]
struct GameStepQuery {
    #[serde(rename = "move")]
    number: Option<usize>,
}

async fn show_game(
    desk: DeskState,
    visitor: Visitor,
    Path((task, number)): Path<(String, u32)>,
    Query(step): Query<GameStepQuery>,
) -> PageAnswer {
    let id = TaskId::from_text(&task);
    let games = query_store(&desk, move |store| {
        Ok(store.find_kept_games(&GameFilter { task: Some(id), ..GameFilter::default() })?)
    });
    let kept = games.await?.into_iter().find(|kept| kept.number == number);
    let kept = kept.ok_or_else(|| PageError::not_found("laboratory-there-is-no-such-game"))?;
    let total = kept.game.moves.split_whitespace().count();
    let at = step.number.unwrap_or(total).min(total);
    let table = render_stepper(&visitor, &kept, at, total)?;
    if visitor.partial {
        return Ok(partial_response(table));
    }
    let game = &kept.game;
    let title = format!("{} – {}: {}", game.black, game.white, game.result);
    let body = html! {
        h1 { (title) }
        p.quiet { a href="/lab/games" { (visitor.text("laboratory-games")) } " · " (board_words(game)) " · "
            (game.reason) @if !game.detail.is_empty() { (visitor.text("workbench-colon")) (game.detail) } }
        #game data-stays { (table) }
        @if game.rules != "othello" {
            form.row method="post" action="/go" enctype="multipart/form-data" {
                input type="hidden" name="sgf" value=(game.sgf);
                button.main { (visitor.text("laboratory-open-in-the-go-room")) }
            }
        }
        details {
            summary { "SGF" }
            div.row { button type="button" data-copy="#record" { (visitor.text("laboratory-copy")) } }
            pre #record tabindex="0" { (game.sgf) }
        }
        @if !game.transcript.is_empty() {
            details { summary { (visitor.text("laboratory-what-was-said-to-the-program")) }
                pre tabindex="0" { (game.transcript) } }
        }
    };
    Ok(Page::new(Room::Laboratory, &title).render_page(&visitor, body))
}

fn render_stepper(visitor: &Visitor, kept: &KeptGame, at: usize, total: usize) -> Result<Markup, PageError> {
    let board = if kept.game.rules == "othello" {
        render_othello_board(visitor, &kept.game, at)?
    } else {
        render_go_board(visitor, &kept.game, at)?
    };
    let last = at.checked_sub(1).and_then(|last| kept.game.moves.split_whitespace().nth(last));
    let steps = GameSteps { target: "#game", at, total, last };
    Ok(html! {
        div.replayed { (board) }
        (render_steps(visitor, &steps, |to| format!("{}?move={to}", game_address(kept))))
    })
}

fn render_go_board(visitor: &Visitor, game: &GameRow, at: usize) -> Result<Markup, PageError> {
    let reading = ishi_sgf::read_collection(game.sgf.as_bytes()).map_err(PageError::from_system_error)?;
    let tree = reading.collection.games.first().ok_or_else(PageError::internal_error)?;
    let record = GoGame::read_main_line(tree).map_err(PageError::from_system_error)?;
    let rules = game.rules.parse().unwrap_or(Rules::CHINESE);
    let replayed = record.replay_position(rules, Some(at)).map_err(PageError::from_system_error)?;
    let mut picture = BoardPicture::from_board(replayed.position.board());
    if let Some(point) = replayed.last.and_then(|played| played.mv.point()) {
        picture = picture.with_mark(point, PictureMark::Circle, PictureTone::Bad);
    }
    let last = replayed.last.map_or(String::new(), |played| format!("{} {}", played.color, played.mv));
    let label = format!("{} {at}: {last}", visitor.text("laboratory-board-after-move"));
    Ok(html! {
        div.board.deep role="img" aria-label=(label) { (PreEscaped(picture.with_depth().with_name(visitor.text("go-board")).to_svg())) }
        pre.unseen { (replayed.position.board()) }
    })
}

/// The picture of a game of Othello, and the same as text for who does not see it.
pub(super) fn render_othello_picture(position: &Position, label: &str) -> Markup {
    let picture = OthelloPicture::from_position(position).with_title(label);
    html! {
        div.board role="img" aria-label=(label) { (PreEscaped(picture.with_depth().to_svg())) }
        pre.unseen { (position.to_rows(|_| '.')) }
    }
}

fn render_othello_board(visitor: &Visitor, game: &GameRow, at: usize) -> Result<Markup, PageError> {
    let settings = OthelloMatchSettings::default();
    let mut position = settings.start_position().map_err(PageError::from_system_error)?;
    for word in game.moves.split_whitespace().take(at) {
        let mv = Othello::parse_move(&settings, word).map_err(PageError::from_system_error)?;
        let color = Othello::to_move(&position);
        Othello::play_move(&mut position, color, mv).map_err(PageError::from_system_error)?;
    }
    let last = game.moves.split_whitespace().take(at).last().unwrap_or("–");
    let [black, white] = Color::ALL.map(|color| position.discs(color).count_ones());
    let label = format!("{} {at}: {last}", visitor.text("laboratory-board-after-move"));
    Ok(html! {
        (render_othello_picture(&position, &label))
        p {
            (render_disc(Color::Black, visitor.text("laboratory-black"))) " " (black) " : " (white) " "
            (render_disc(Color::White, visitor.text("laboratory-white"))) " · " (last)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_column_of_the_table_is_told() {
        let game = GameRow {
            black: "a, b".into(),
            komi: 7.0,
            moves: "C3 D4 pass".into(),
            black_seconds: 1.5,
            white_seconds: f64::INFINITY,
            ..GameRow::default()
        };
        let kept = KeptGame { task: TaskId::from_text("t"), number: 2, game };
        let table = games_csv(&[kept]);
        assert_eq!(table.lines().nth(1), Some("t,2,\"a, b\",,,,,,7,0,,,,3,1.5,"));
    }
}
