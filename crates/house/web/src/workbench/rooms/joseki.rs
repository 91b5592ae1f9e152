//! The room of joseki: the graph of what is played in a corner, walked move by move; collections of the person's own, edited.
//!
//! An address says which collection and which moves lead to the position (`line=bD4.wF3`), so that every position has its own one. A
//! collection is a document: the text of docs/patterns.md with its changes.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::{Form, Path, Query};
use axum::http::header::{HeaderName, HeaderValue};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use ishi_go::picture::{BoardPicture, PictureTone};
use ishi_go::{Board, BoardSize, Color, Point};
use ishi_patterns::TextError;
use ishi_patterns::joseki::book::{Joseki, JosekiBranch, MoveKind, MoveStats, round_to_two_digits};
use ishi_patterns::joseki::corner::{CornerBoard, CornerMove, CornerPoint, LINES};
use ishi_patterns::joseki::text;
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use serde_json::json;

use super::go::ghost_name;
use super::own_collections::{
    CollectionContent, CollectionShelf, SHIPPED, create_collection, delete_collection, export_text,
    import_text, list_own_titles, parse_given_text, rename_collection,
};
use super::patterns::{colored_move, kind_name, localized_words, make_words};
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room, partial_response};
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

/// Moves of a line; the text allows more.
const LONGEST: usize = 100;
/// Moves that the table shows.
const SHOWN: usize = 40;

pub(crate) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/joseki", get(show_position).post(play_point))
        .route("/joseki/collections", post(create_collection::<Joseki>))
        .route("/joseki/c/{key}/text", get(export_text::<Joseki>))
        .route("/joseki/c/{key}/edit", post(edit_collection))
        .route("/joseki/c/{key}/import", post(import_text::<Joseki>))
        .route("/joseki/c/{key}/title", post(rename_collection::<Joseki>))
        .route("/joseki/c/{key}/forget", post(delete_collection::<Joseki>))
}

/// They are unpacked once.
fn share_shipped() -> &'static Arc<Joseki> {
    static BOOK: LazyLock<Arc<Joseki>> = LazyLock::new(|| Arc::new(Joseki::shipped()));
    &BOOK
}

pub(super) fn shipped_joseki() -> &'static Joseki {
    share_shipped()
}

/// A collection of joseki.
type JosekiBook = CollectionShelf<Joseki>;

impl CollectionContent for Joseki {
    const KIND: &'static str = "joseki";

    type Opened = Joseki;

    fn open_shipped() -> Arc<Joseki> {
        Arc::clone(share_shipped())
    }

    fn open_text(_: &WorkbenchState, _: &str, _: u64, text: &str) -> Result<Arc<Joseki>, TextError> {
        text::parse_joseki(text).map(Arc::new)
    }

    fn of_opened(opened: &Joseki) -> &Joseki {
        opened
    }

    fn parse_text(text: &str) -> Result<Joseki, TextError> {
        text::parse_joseki(text)
    }

    fn write_text(&self) -> String {
        text::write_joseki(self)
    }

    /// Where both know a move, this collection's own stays.
    fn add_content(&mut self, more: &Joseki) -> Result<(), PageError> {
        self.add_unknown_moves(more).map_err(PageError::from)
    }

    fn shipped_title(visitor: &Visitor) -> &'static str {
        visitor.text("joseki-shipped-joseki")
    }

    fn not_found() -> PageError {
        PageError::not_found("joseki-there-is-no-such-collection-of")
    }

    fn shipped_unchanged() -> PageError {
        PageError::invalid_input("joseki-the-shipped-joseki-are-not-changed")
    }

    fn too_large(most: usize) -> PageError {
        PageError::invalid_input_with("joseki-the-collection-would-be-larger-than", args![most])
    }

    fn page_address(key: &str) -> String {
        JosekiLine::default().page_address(key)
    }
}

/// Keeps the collection with another graph, and shows that.
async fn replace_joseki(
    book: &mut JosekiBook,
    desk: &WorkbenchState,
    joseki: Joseki,
) -> Result<(), PageError> {
    book.replace_content(desk, &joseki).await?;
    book.opened = Arc::new(joseki);
    Ok(())
}

// --- lines ---

/// The moves that lead to a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct JosekiLine(Vec<CornerMove>);

impl JosekiLine {
    /// Reads `bD4.wF3`.
    fn parse_moves(text: &str) -> Result<JosekiLine, PageError> {
        let wrong = |part: &str| {
            PageError::invalid_input_with("joseki-is-no-move-of-a-corner", args![part = format!("{part:?}")])
        };
        let mv = |part: &str| {
            let (color, point) = part.split_at_checked(1).ok_or_else(|| wrong(part))?;
            let color = match color {
                "b" => Color::Black,
                "w" => Color::White,
                _ => return Err(wrong(part)),
            };
            let point = CornerPoint::parse(point).ok_or_else(|| wrong(part))?;
            Ok(CornerMove { color, point })
        };
        let moves: Result<Vec<CornerMove>, PageError> =
            text.split('.').filter(|part| !part.is_empty()).map(mv).collect();
        let moves = moves?;
        if moves.len() > LONGEST {
            return Err(PageError::invalid_input_with(
                "joseki-a-line-must-have-moves-at",
                args![longest = LONGEST],
            ));
        }
        Ok(JosekiLine(moves))
    }

    /// The boards before, between and after the moves.
    fn replay_boards(&self) -> Result<Vec<CornerBoard>, PageError> {
        let mut boards = vec![CornerBoard::default()];
        for &mv in &self.0 {
            let mut next = boards[boards.len() - 1].clone();
            if !next.play(mv) {
                return Err(illegal_move_error(mv));
            }
            boards.push(next);
        }
        Ok(boards)
    }

    fn with_move(&self, mv: CornerMove) -> JosekiLine {
        JosekiLine(self.0.iter().copied().chain([mv]).collect())
    }

    /// The first so many moves.
    fn first_moves(&self, moves: usize) -> JosekiLine {
        JosekiLine(self.0[..moves.min(self.0.len())].to_vec())
    }

    fn page_address(&self, key: &str) -> String {
        format!("/joseki?c={key}&line={self}")
    }
}

impl std::fmt::Display for JosekiLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mv = |mv: &CornerMove| format!("{}{}", mv.color.letter().to_ascii_lowercase(), mv.point);
        f.write_str(&self.0.iter().map(mv).collect::<Vec<_>>().join("."))
    }
}

fn illegal_move_error(mv: CornerMove) -> PageError {
    PageError::invalid_input_with("joseki-illegal-move", args![letter = mv.color.letter(), point = mv.point])
}

// --- what is asked ---

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct JosekiQuery {
    c: Option<String>,
    line: String,
    /// Who plays next, if it is not the other side: `B` or `W`.
    side: String,
}

async fn show_position(desk: DeskState, visitor: Visitor, Query(wanted): Query<JosekiQuery>) -> PageAnswer {
    let book = JosekiBook::load(&desk, wanted.c.as_deref().unwrap_or(SHIPPED)).await?;
    let line = JosekiLine::parse_moves(&wanted.line)?;
    respond_with_position(&desk, &visitor, &book, &line, &wanted.side, false).await
}

/// The page, or its part; `moved` tells the browser the new address.
async fn respond_with_position(
    desk: &WorkbenchState,
    visitor: &Visitor,
    book: &JosekiBook,
    line: &JosekiLine,
    side: &str,
    moved: bool,
) -> PageAnswer {
    let boards = line.replay_boards()?;
    let table = render_table(visitor, book, line, &boards, side);
    if visitor.partial {
        let mut response = partial_response(table);
        if let Ok(address) = HeaderValue::from_str(&line.page_address(&book.key))
            && moved
        {
            response.headers_mut().insert(HeaderName::from_static("hx-push-url"), address);
        }
        return Ok(response);
    }
    let own = list_own_titles::<Joseki>(desk).await?;
    let title = visitor.text("joseki-joseki");
    let body = html! {
        h1 { (title) }
        nav.row aria-label=(visitor.text("joseki-collections")) {
            a.button href=(line.page_address(SHIPPED)) aria-current=[book.is_shipped().then_some("true")] {
                (visitor.text("joseki-shipped-joseki")) }
            @for (key, title) in &own {
                a.button href=(line.page_address(key)) aria-current=[(*key == book.key).then_some("true")] { (title) }
            }
        }
        #joseki data-stays { (table) }
        (render_administration(visitor, book))
    };
    Ok(Page::new(Room::Joseki, title).render_page(visitor, body).into_response())
}

#[derive(Deserialize)]
struct JosekiClick {
    at: String,
    #[serde(default)]
    c: String,
    #[serde(default)]
    line: String,
    #[serde(default)]
    side: String,
    #[serde(default)]
    revision: u64,
}

/// A click on the board plays a move; in a collection of one's own a move that is not known is added.
async fn play_point(desk: DeskState, visitor: Visitor, Form(click): Form<JosekiClick>) -> PageAnswer {
    let mut book = JosekiBook::load(&desk, if click.c.is_empty() { SHIPPED } else { &click.c }).await?;
    let line = JosekiLine::parse_moves(&click.line)?;
    let point = CornerPoint::parse(&click.at).ok_or_else(|| {
        PageError::invalid_input_with(
            "joseki-is-no-point-of-the-corner",
            args![point = format!("{:?}", click.at)],
        )
    })?;
    let mv = CornerMove { color: next_color(&line, &click.side), point };
    let boards = line.replay_boards()?;
    let next = line.with_move(mv);
    // It has to be legal, known or not.
    next.replay_boards()?;
    let corner = boards[boards.len() - 1].corner();
    if !book.is_shipped() && book.content().find_branch(corner, mv).is_none() {
        if book.revision != click.revision {
            return Err(PageError::changed_elsewhere());
        }
        let mut joseki = book.content().clone();
        joseki.add_line(&next.0)?;
        replace_joseki(&mut book, &desk, joseki).await?;
    }
    respond_with_position(&desk, &visitor, &book, &next, "", true).await
}

/// Who plays next, unless somebody says otherwise.
fn next_color(line: &JosekiLine, side: &str) -> Color {
    match side {
        "B" => Color::Black,
        "W" => Color::White,
        _ => line.0.last().map_or(Color::Black, |last| !last.color),
    }
}

/// Everything that is done to a collection, besides clicks on the board.
async fn edit_collection(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(fields): Form<HashMap<String, String>>,
) -> PageAnswer {
    let field = |name: &str| fields.get(name).map_or("", |value| value.trim());
    let revision = field("revision").parse().unwrap_or(0);
    let mut book = JosekiBook::load_own(&desk, &key, revision).await?;
    let mut line = JosekiLine::parse_moves(field("line"))?;
    match field("do") {
        what @ ("undo" | "redo") => {
            let changed = if what == "undo" { book.history.undo() } else { book.history.redo() };
            if changed {
                book.save(&desk).await?;
                book.opened = Arc::new(parse_given_text(book.history.text().to_string()).await?);
            }
        }
        "remove" => {
            let (boards, mv) = last_move(&line)?;
            let mut joseki = book.content().clone();
            joseki.remove_move(boards[line.0.len() - 1].corner(), mv)?;
            replace_joseki(&mut book, &desk, joseki).await?;
            line = line.first_moves(line.0.len() - 1);
        }
        "add-line" => {
            last_move(&line)?;
            let mut joseki = book.content().clone();
            joseki.add_line(&line.0)?;
            replace_joseki(&mut book, &desk, joseki).await?;
        }
        "change" => {
            let (boards, mv) = last_move(&line)?;
            let corner = boards[line.0.len() - 1].corner();
            let mut joseki = book.content().clone();
            let number = |name: &str| {
                field(name).parse::<u32>().map_err(|_| {
                    PageError::invalid_input_with(
                        "joseki-it-must-be-a-whole-number",
                        args![name, value = format!("{:?}", field(name))],
                    )
                })
            };
            let year = field("year").parse().unwrap_or(0);
            let stats = MoveStats { count: number("count")?, score: number("score")?, year };
            let kind = field("kind").parse().unwrap_or_default();
            joseki.set_move(corner, mv, kind, stats)?;
            let words = make_words(field("en"), field("ja"))?;
            joseki.set_words(corner, mv, words)?;
            replace_joseki(&mut book, &desk, joseki).await?;
        }
        other => {
            return Err(PageError::invalid_input_with(
                "joseki-is-nothing-that-the-editor-does",
                args![other = format!("{other:?}")],
            ));
        }
    }
    respond_with_position(&desk, &visitor, &book, &line, "", true).await
}

fn last_move(line: &JosekiLine) -> Result<(Vec<CornerBoard>, CornerMove), PageError> {
    let last = line.0.last().copied();
    let mv = last.ok_or_else(|| PageError::invalid_input("joseki-there-is-no-move-yet-play"))?;
    Ok((line.replay_boards()?, mv))
}

// --- what is seen ---

fn render_table(
    visitor: &Visitor,
    book: &JosekiBook,
    line: &JosekiLine,
    boards: &[CornerBoard],
    side: &str,
) -> Markup {
    let board = &boards[boards.len() - 1];
    html! {
        input type="hidden" name="c" value=(book.key);
        input type="hidden" name="line" value=(line);
        input type="hidden" name="revision" value=(book.revision);
        div.columns {
            div {
                (render_board(visitor, book, line, board))
                (render_path(visitor, book, line))
                (render_side_choice(visitor, line, side))
                p.quiet { (book.title_for(visitor)) (visitor.text("workbench-colon")) (book.content().move_count()) " " (visitor.text("joseki-moves")) (visitor.text("workbench-comma"))
                    (book.content().nodes().len()) " " (visitor.text("joseki-positions")) }
            }
            div {
                (render_moves(visitor, book, line, board))
                @if !book.is_shipped() { (render_editing(visitor, book, line, boards)) }
            }
        }
    }
}

fn render_board(visitor: &Visitor, book: &JosekiBook, line: &JosekiLine, board: &CornerBoard) -> Markup {
    let size = BoardSize::square(LINES).expect("10 lines are a board");
    let stones = size.points().filter_map(|point| board.board().color(point).map(|color| (color, point)));
    let mut picture = BoardPicture::from_board(&Board::new(size)).with_open_sides([false, false, true, true]);
    for (color, point) in stones.clone() {
        let number = line.0.iter().rposition(|mv| mv.point.on_board() == point && mv.color == color);
        picture = picture.with_stone(color, point, number.map_or(String::new(), |n| (n + 1).to_string()));
    }
    let mut labelled = Vec::new();
    for (number, (mv, _)) in book.content().branches(board.corner()).take(26).enumerate() {
        // A point that both sides play at has the letter of the more usual move.
        if labelled.contains(&mv.point) {
            continue;
        }
        labelled.push(mv.point);
        let tone = if mv.color == Color::Black { PictureTone::Black } else { PictureTone::Fair };
        picture = picture.with_label(mv.point.on_board(), letter_label(number), Some(tone));
    }
    let told: Vec<String> =
        stones.map(|(color, point)| format!("{} {point}", color_name(visitor, color))).collect();
    let stones: serde_json::Map<_, _> = size
        .points()
        .filter_map(|point: Point| {
            Some((point.to_string(), json!(color_name(visitor, board.board().color(point)?))))
        })
        .collect();
    html! {
        div.board.deep #joseki-board tabindex="0" role="application" data-columns=(LINES) data-rows=(LINES) data-margin=(picture.margin()) data-field="24"
            data-action="/joseki" data-target="#joseki" data-with="c line revision side" data-says="corner-says"
            data-ghost=(ghost_name(next_color(line, ""))) data-ghost-by="side"
            data-stones=(serde_json::Value::Object(stones))
            aria-label=(visitor.text("joseki-the-corner-arrow-keys-move-enter")) {
            (PreEscaped(picture.with_depth().with_name(visitor.text("go-board")).to_svg()))
        }
        p.unseen #corner-says aria-live="polite" {}
        p.unseen { @if told.is_empty() { (visitor.text("joseki-the-corner-is-empty")) } @else { (told.join(", ")) } }
    }
}

fn color_name<'a>(visitor: &Visitor, color: Color) -> &'a str {
    match color {
        Color::Black => visitor.text("joseki-black"),
        Color::White => visitor.text("joseki-white"),
    }
}

fn letter_label(number: usize) -> String {
    char::from(b'a' + (number % 26) as u8).to_string()
}

/// A link that stays on the page. (The revision that forms send is that of the table, which changes with it.)
fn jump_link(address: &str, key: Option<&str>, words: Markup) -> Markup {
    html! { a href=(address) hx-get=(address) hx-target="#joseki" hx-push-url="true" data-key=[key] { (words) } }
}

fn render_path(visitor: &Visitor, book: &JosekiBook, line: &JosekiLine) -> Markup {
    let to = |moves: usize| line.first_moves(moves).page_address(&book.key);
    html! {
        nav.row aria-label=(visitor.text("joseki-moves-so-far")) {
            (jump_link(&to(0), Some("Home"), html! { (visitor.text("joseki-empty-corner")) }))
            @for (number, mv) in line.0.iter().enumerate() {
                (jump_link(&to(number + 1), None, html! { (number + 1) " " (colored_move(visitor, mv.color, mv.point)) }))
            }
            @if !line.0.is_empty() {
                (jump_link(&to(line.0.len() - 1), Some("ArrowLeft"), html! { "◀ " (visitor.text("joseki-one-back")) }))
            }
        }
    }
}

fn render_side_choice(visitor: &Visitor, line: &JosekiLine, side: &str) -> Markup {
    let usual = next_color(line, "");
    html! {
        fieldset.row {
            legend { (visitor.text("joseki-the-next-move-is")) }
            label { input type="radio" name="side" value="" checked[side.is_empty()]; " "
                (visitor.text("joseki-in-turn")) " (" (color_name(visitor, usual)) ")" }
            label { input type="radio" name="side" value="B" checked[side == "B"]; " " (color_name(visitor, Color::Black)) }
            label { input type="radio" name="side" value="W" checked[side == "W"]; " " (color_name(visitor, Color::White)) }
        }
    }
}

fn render_moves(visitor: &Visitor, book: &JosekiBook, line: &JosekiLine, board: &CornerBoard) -> Markup {
    let joseki = book.content();
    let corner = board.corner();
    let node = joseki.node_index(corner);
    let known = node.map_or(0, |node| joseki.nodes()[node].branches.len());
    let parents = node.map_or(0, |node| joseki.parent_branches(node).len());
    html! {
        h2 data-heard { (visitor.text("joseki-what-follows")) (visitor.text("workbench-colon")) (known)
            @if let Some(mv) = line.0.last() { span.unseen { " (" (color_name(visitor, mv.color)) " " (mv.point) ")" } } }
        @if node.is_none() { p { (visitor.text("joseki-this-collection-does-not-know-the")) } }
        @else if known == 0 { p { (visitor.text("joseki-the-book-ends-here")) } }
        @if known == 0 && !book.is_shipped() { p.quiet { (visitor.text("joseki-click-to-add-a-move")) } }
        p.quiet {
            @if corner.is_symmetric() { (visitor.text("joseki-symmetric-of-two-moves-that-are")) }
            @if parents > 1 { (visitor.text("joseki-ways-that-lead-here-transpositions")) (parents) }
        }
        @if known > 0 {
            div.scroll tabindex="0" role="region" aria-label=(visitor.text("joseki-moves-of-the-position")) {
                table {
                    thead { tr {
                        th scope="col" { span.unseen { (visitor.text("joseki-on-the-board")) } }
                        th scope="col" { (visitor.text("joseki-move")) }
                        th.number scope="col" { (if book.is_shipped() { visitor.text("joseki-played-about") } else { visitor.text("joseki-played") }) }
                        th.number scope="col" { (visitor.text("joseki-wins")) }
                        th.number scope="col" { (visitor.text("joseki-last")) }
                        th.kind scope="col" { (visitor.text("joseki-kind")) }
                        th.number scope="col" { (visitor.text("joseki-then")) }
                    } }
                    tbody {
                        @for (number, (mv, branch)) in joseki.branches(corner).take(SHOWN).enumerate() {
                            (render_move_row(visitor, book, line, board, number, mv, branch))
                        }
                    }
                }
            }
        }
        @if known > 0 && book.is_shipped() { p.quiet { (visitor.text("joseki-the-shipped-numbers-are-rounded")) } }
        @if known > SHOWN { p.quiet { (visitor.text("joseki-moves-not-shown")) (known - SHOWN) } }
        @if !book.is_shipped() { (render_suggestions(visitor, book, line, board)) }
    }
}

fn render_move_row(
    visitor: &Visitor,
    book: &JosekiBook,
    line: &JosekiLine,
    board: &CornerBoard,
    number: usize,
    mv: CornerMove,
    branch: &JosekiBranch,
) -> Markup {
    let JosekiBranch { kind, stats, to, .. } = branch;
    let address = line.with_move(mv).page_address(&book.key);
    let words = book.content().move_words(board.corner(), mv).map(|words| localized_words(visitor, words));
    let then = book.content().nodes()[*to].branches.len();
    let key = (number < 9).then(|| (number + 1).to_string());
    html! {
        tr {
            td { @if number < 26 { (letter_label(number)) } }
            td.vertex { (jump_link(&address, key.as_deref(), html! { (colored_move(visitor, mv.color, mv.point)) }))
                @if let Some(words) = words { " " (words) } }
            td.number { (if book.is_shipped() { round_to_two_digits(stats.count) } else { stats.count }) }
            td.number { @if stats.count > 0 { (format!("{:.0} %", 100.0 * stats.win_rate())) } @else { "–" } }
            td.number { @if stats.year > 0 { (stats.year) } @else { "–" } }
            td.kind { (kind_name(visitor, *kind)) }
            td.number { (then) }
        }
    }
}

/// What the shipped joseki know and this collection does not.
fn render_suggestions(
    visitor: &Visitor,
    book: &JosekiBook,
    line: &JosekiLine,
    board: &CornerBoard,
) -> Markup {
    let corner = board.corner();
    let new = |(mv, _): &(CornerMove, &JosekiBranch)| book.content().find_branch(corner, *mv).is_none();
    let others: Vec<_> = shipped_joseki().branches(corner).filter(new).take(8).collect();
    html! {
        @if !others.is_empty() {
            h3 { (visitor.text("joseki-also-in-the-shipped-joseki-a")) }
            div.row {
                @for (mv, branch) in others {
                    button type="button" hx-post={ "/joseki/c/" (book.key) "/edit" } hx-target="#joseki" hx-include="#joseki [name=revision]"
                        hx-vals=(json!({ "do": "add-line", "line": line.with_move(mv).to_string() })) {
                        @let count = round_to_two_digits(branch.stats.count);
                        "+ " (colored_move(visitor, mv.color, mv.point)) " (" (visitor.text_with("joseki-about-so-many-times", args![count])) ")"
                    }
                }
            }
        }
    }
}

fn render_editing(visitor: &Visitor, book: &JosekiBook, line: &JosekiLine, boards: &[CornerBoard]) -> Markup {
    let path = format!("/joseki/c/{}/edit", book.key);
    let mv = line.0.last().copied();
    let before = boards.len().checked_sub(2).map(|number| boards[number].corner());
    let branch =
        mv.zip(before).and_then(|(mv, before)| Some((mv, before, *book.content().find_branch(before, mv)?)));
    let button = |what: &str, words: &str, disabled: bool, key: Option<&str>| {
        html! {
            button type="button" hx-post=(path) hx-target="#joseki" hx-include="#joseki [name=revision],#joseki [name=line]"
                hx-vals=(json!({ "do": what })) disabled[disabled] data-key=[key] { (words) }
        }
    };
    html! {
        section.panel aria-labelledby="editing" {
            h2 #editing { (visitor.text("joseki-edit")) }
            p.quiet { (visitor.text("joseki-a-click-on-the-board-adds")) }
            div.row {
                (button("undo", visitor.text("joseki-undo-u"), !book.history.can_undo(), Some("u")))
                (button("redo", visitor.text("joseki-redo-r"), !book.history.can_redo(), Some("r")))
            }
            @if let Some((mv, before, branch)) = branch {
                @let words = book.content().move_words(before, mv).cloned().unwrap_or_default();
                form.form hx-post=(path) hx-target="#joseki" hx-include="#joseki [name=revision],#joseki [name=line]" {
                    input type="hidden" name="do" value="change";
                    h3.wide { (colored_move(visitor, mv.color, mv.point)) }
                    label for="kind" { (visitor.text("joseki-kind")) }
                    select #kind name="kind" {
                        @for kind in MoveKind::ALL { option value=(kind.name()) selected[kind == branch.kind] { (kind_name(visitor, kind)) } }
                    }
                    label for="count" { (visitor.text("joseki-played")) }
                    input #count name="count" type="number" min="0" value=(branch.stats.count);
                    label for="score" { (visitor.text("joseki-score-twice-the-wins")) }
                    input #score name="score" type="number" min="0" value=(branch.stats.score);
                    label for="year" { (visitor.text("joseki-last-year")) }
                    input #year name="year" type="number" min="0" max="9999" value=(branch.stats.year);
                    label for="en" { "English" }
                    input #en name="en" lang="en" maxlength="400" value=(words.en);
                    label for="ja" { "日本語" }
                    input #ja name="ja" lang="ja" maxlength="400" value=(words.ja);
                    div.row.wide {
                        button.main { (visitor.text("joseki-change-the-move")) }
                        (button("remove", visitor.text("joseki-delete-the-move-and-what-only"), false, None))
                    }
                }
            } @else if mv.is_some() {
                (button("add-line", visitor.text("joseki-add-this-line-to-the-collection"), false, None))
            }
        }
    }
}

fn render_administration(visitor: &Visitor, book: &JosekiBook) -> Markup {
    let path = |what: &str| format!("/joseki/c/{}/{what}", book.key);
    html! {
        section.panel aria-labelledby="collection" {
            h2 #collection { (book.title_for(visitor)) }
            div.row { a.button href=(path("text")) download { (visitor.text("joseki-export-as-text")) } }
            @if !book.is_shipped() {
                form hx-post=(path("import")) hx-target="#message" hx-include="#joseki [name=revision]" {
                    p { label for="import" { (visitor.text("joseki-import-joseki-text")) } " "
                        input type="file" data-into="#import" accept=".txt,text/plain" aria-label=(visitor.text("joseki-file-to-import")); }
                    textarea #import name="text" rows="5" required {}
                    div.row { button { (visitor.text("joseki-import")) } }
                }
                form.row hx-post=(path("title")) hx-target="#message" hx-include="#joseki [name=revision]" {
                    label for="rename" { (visitor.text("joseki-title")) }
                    input #rename name="title" value=(book.title) maxlength="80" required;
                    button { (visitor.text("joseki-rename")) }
                }
                details {
                    summary { (visitor.text("joseki-delete-this-collection")) }
                    p { (visitor.text("joseki-this-cannot-be-undone-export-it")) }
                    form hx-post=(path("forget")) hx-target="#message" hx-include="#joseki [name=revision]" {
                        button { (visitor.text("joseki-delete-for-good")) }
                    }
                }
            }
        }
        section.panel aria-labelledby="new-collection" {
            h2 #new-collection { (visitor.text("joseki-a-new-collection")) }
            form hx-post="/joseki/collections" hx-target="#message" {
                div.row {
                    label for="title" { (visitor.text("joseki-title")) }
                    input #title name="title" maxlength="80" required value=(visitor.text("joseki-my-joseki"));
                }
                details {
                    summary { (visitor.text("joseki-from-a-text")) }
                    label for="text" { (visitor.text("joseki-joseki-as-docs-patterns-md-has")) }
                    input type="file" data-into="#text" accept=".txt,text/plain" aria-label=(visitor.text("joseki-file-of-joseki"));
                    textarea #text name="text" rows="5" {}
                }
                button { (visitor.text("joseki-make-it")) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_written() {
        for text in ["", "bD4", "bD4.wF3.bC6"] {
            assert_eq!(JosekiLine::parse_moves(text).unwrap().to_string(), text);
        }
        for wrong in ["D4", "xD4", "bL4", "bD11", "b", "bD4.石"] {
            assert!(JosekiLine::parse_moves(wrong).is_err(), "{wrong}");
        }
        assert!(JosekiLine::parse_moves("bD4.wD4").unwrap().replay_boards().is_err());
        assert!(JosekiLine::parse_moves(&vec!["bA1"; LONGEST + 1].join(".")).is_err());
    }
}
