//! What matches in a game: a record is loaded, its moves are stepped through, matches are shown on the board.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path, Query};
use axum::routing::{get, post};
use ishi_go::picture::{BoardPicture, PictureMark, PictureTone};
use ishi_go::{BoardSize, Color, Position, Rules};
use ishi_knowledge::{Analysis, GroupFates, NoOracle};
use ishi_lab::store::StoredDocument;
use ishi_patterns::library::{
    DiagramSquare, NoFates, Pattern, PatternBranch, PatternIndex, PatternLibrary, PatternMatch,
    PatternMatcher, PointSign, cut,
};
use ishi_sgf::GoGame;
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use serde_json::json;

use super::collection::PatternCollection;
use super::draft;
use super::names::{CUT_OUT, pattern_title};
use super::view::{colored_move, kind_name, localized_words, pattern_path};
use crate::workbench::answer::redirect_to;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room, partial_response, percent_encode};
use crate::workbench::random_text::new_key;
use crate::workbench::rooms::damage;
use crate::workbench::rooms::own_collections::{SHIPPED, list_own_titles};
use crate::workbench::rooms::steps::{self, GameSteps};
use crate::workbench::table::TableColumn::{Numbers, Words};
use crate::workbench::table::render_scrolling_table;
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

const KIND: &str = "pattern-game";
/// Matches that are listed for a position.
const LISTED: usize = 24;

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/patterns/game", get(show_entrance).post(save_game))
        .route("/patterns/game/{key}", get(show_matches))
        .route("/patterns/game/{key}/cut", post(begin_cut_draft))
}

/// What is looked for, and where.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct MatchesQuery {
    /// The collection.
    c: Option<String>,
    /// One pattern of it.
    pattern: Option<String>,
    /// After so many moves; all of them without a number.
    #[serde(rename = "move")]
    number: Option<usize>,
    /// The match that is shown, from 0.
    at: Option<usize>,
}

impl MatchesQuery {
    fn collection_key(&self) -> &str {
        self.c.as_deref().filter(|key| !key.is_empty()).unwrap_or(SHIPPED)
    }

    fn pattern_name(&self) -> Option<&str> {
        self.pattern.as_deref().filter(|name| !name.is_empty())
    }

    fn page_address(&self, key: &str, number: usize, at: Option<usize>) -> String {
        let pattern =
            self.pattern_name().map_or(String::new(), |name| format!("&pattern={}", percent_encode(name)));
        let at = at.map_or(String::new(), |at| format!("&at={at}"));
        let collection = percent_encode(self.collection_key());
        format!("/patterns/game/{key}?c={collection}{pattern}&move={number}{at}")
    }
}

async fn show_entrance(desk: DeskState, visitor: Visitor, Query(wanted): Query<MatchesQuery>) -> PageAnswer {
    let known = desk.ask_store(|store| store.latest_documents(KIND, 12)).await?;
    let title = visitor.text("patterns-matches-in-a-game-in-game");
    let body = html! {
        h1 { (title) }
        form.panel hx-post="/patterns/game" hx-target="#message" {
            input type="hidden" name="c" value=(wanted.collection_key());
            @if let Some(name) = wanted.pattern_name() {
                input type="hidden" name="pattern" value=(name);
                p { (visitor.text("patterns-looked-for")) b { (pattern_title(&visitor, name)) } }
            }
            p { label for="sgf" { (visitor.text("patterns-a-game-record-sgf")) } " "
                input type="file" accept=".sgf,text/plain" data-into="#sgf" aria-label=(visitor.text("patterns-file-of-the-record")); }
            textarea #sgf name="sgf" rows="8" required placeholder="(;GM[1]SZ[19];B[pd];W[dp]…)" {}
            div.row { button.main { (visitor.text("patterns-load")) } }
        }
        (damage::render_damage(&visitor, &known.damaged))
        @if !known.documents.is_empty() {
            h2 { (visitor.text("patterns-loaded-before")) }
            ul { @for game in known.documents { li { a href=(wanted.page_address(&game.key, 0, None)) { (game.title) } } } }
        }
    };
    Ok(Page::new(Room::Patterns, title).render_page(&visitor, body))
}

/// Moves of a game at most: every page looks for patterns after each of them.
const MOST_MOVES: usize = 5000;

#[derive(Deserialize)]
struct PatternGameForm {
    sgf: String,
    c: Option<String>,
    pattern: Option<String>,
}

fn parse_game(sgf: &str) -> Result<GoGame, PageError> {
    let reading = ishi_sgf::read_collection(sgf.as_bytes())?;
    let tree = reading
        .collection
        .games
        .first()
        .ok_or_else(|| PageError::invalid_input("patterns-there-is-no-game-in-this"))?;
    let game = GoGame::read_main_line(tree)?;
    let moves = game.moves().count();
    if moves > MOST_MOVES {
        return Err(PageError::invalid_input_with(
            "patterns-the-game-has-moves-is-the",
            args![moves, most_moves = MOST_MOVES],
        ));
    }
    Ok(game)
}

fn game_title(game: &GoGame, visitor: &Visitor) -> String {
    let name = |color: Color| {
        let player = if color == Color::Black { &game.info.black } else { &game.info.white };
        player.name.clone().filter(|name| !name.is_empty())
    };
    let names = [Color::Black, Color::White].map(|color| name(color).unwrap_or_else(|| color.to_string()));
    let [black, white] = names;
    format!("{black} – {white}, {} {}", game.moves().count(), visitor.text("patterns-moves-word"))
}

async fn save_game(desk: DeskState, visitor: Visitor, Form(given): Form<PatternGameForm>) -> PageAnswer {
    let sgf = given.sgf;
    let (game, sgf) = desk.compute(move |_| parse_game(&sgf).map(|game| (game, sgf))).await??;
    let key = new_key();
    desk.keep_body(KIND, &key, game_title(&game, &visitor), json!({ "sgf": sgf }), 0).await?;
    let wanted = MatchesQuery { c: given.c, pattern: given.pattern, ..MatchesQuery::default() };
    Ok(redirect_to(&visitor, &wanted.page_address(&key, game.moves().count().min(20), None)))
}

/// A match with its place in the list.
struct FoundMatch {
    matched: PatternMatch,
    pattern: Pattern,
    /// Its first moves as they lie on the board, for the side to move first.
    moves: Vec<(Color, ishi_go::Point, PatternBranch)>,
}

/// What is seen of a position.
struct MatchesView {
    position: Position,
    number: usize,
    total: usize,
    last: Option<ishi_go::Point>,
    /// All matches, of which some are listed.
    count: usize,
    found: Vec<FoundMatch>,
    /// Numbers of the moves after which the one pattern matches.
    elsewhere: Vec<usize>,
}

async fn show_matches(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Query(wanted): Query<MatchesQuery>,
) -> PageAnswer {
    let document = load_game(&desk, &key).await?;
    let shelf = PatternCollection::load(&desk, wanted.collection_key()).await?;
    let own = list_own_titles::<PatternLibrary>(&desk).await?;
    let index = index_for(&shelf, wanted.pattern_name())?;
    let (sgf, number) = (document.body["sgf"].as_str().unwrap_or_default().to_string(), wanted.number);
    let one = wanted.pattern_name().is_some();
    let seen = desk.compute(move |_| find_matches(&sgf, number, &index, one)).await??;
    let table = render_table(&visitor, &key, &wanted, &shelf, &own, &seen);
    if visitor.partial {
        return Ok(partial_response(table));
    }
    let body = html! {
        h1 { (document.title) }
        #matches data-stays { (table) }
        p { a href={ "/patterns/game?c=" (wanted.collection_key()) } { (visitor.text("patterns-another-game")) } }
    };
    Ok(Page::new(Room::Patterns, &document.title).render_page(&visitor, body))
}

fn index_for(shelf: &PatternCollection, one: Option<&str>) -> Result<Arc<PatternIndex>, PageError> {
    let Some(name) = one else { return Ok(Arc::clone(&shelf.opened)) };
    let mut library = PatternLibrary::default();
    library.add_pattern(super::view::find_pattern(shelf, name)?.clone())?;
    Ok(Arc::new(PatternIndex::new(library)))
}

fn find_matches(
    sgf: &str,
    number: Option<usize>,
    index: &PatternIndex,
    one: bool,
) -> Result<MatchesView, PageError> {
    let game = parse_game(sgf)?;
    let rules = game.info.rules_or_chinese();
    let total = game.moves().count();
    let number = number.unwrap_or(total).min(total);
    let replayed = game.replay_position(rules, Some(number))?;
    let position = replayed.position;
    let last = replayed.last.and_then(|played| played.mv.point());
    let analysis = Analysis::analyze(&position, &mut NoOracle);
    let matches = index.find_matches(position.board(), &GroupFates(&analysis));
    let count = matches.len();
    let mut found: Vec<FoundMatch> =
        matches.into_iter().map(|matched| make_found_match(index, matched, &position)).collect();
    let to_move = position.to_move();
    let usual = |found: &FoundMatch| {
        let own = found.moves.first().is_some_and(|(color, ..)| *color == to_move);
        let first = &found.pattern.moves[0];
        (!own, -f64::from(first.played) / f64::from(found.pattern.seen.max(1)))
    };
    found.sort_by(|a, b| {
        let (a, b) = (usual(a), usual(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    // A pattern whose "anything" lies differently may match in several ways.
    let mut known = std::collections::HashSet::new();
    found.retain(|found| known.insert((found.matched.pattern, found.matched.at, found.matched.exchanged)));
    found.truncate(LISTED);
    let elsewhere = if one { matching_move_numbers(&game, rules, index) } else { Vec::new() };
    Ok(MatchesView { position, number, total, last, count, found, elsewhere })
}

fn make_found_match(index: &PatternIndex, matched: PatternMatch, position: &Position) -> FoundMatch {
    let pattern = index.pattern_of(&matched).clone();
    let moves = matched.suggested_moves(&pattern, &pattern.moves, position.board().size());
    let mut moves: Vec<_> = moves.map(|mv| (mv.color, mv.at, mv.branch.clone())).collect();
    moves.sort_by_key(|(color, _, branch)| (*color != position.to_move(), std::cmp::Reverse(branch.played)));
    FoundMatch { matched, pattern, moves }
}

/// The numbers of moves after which something matches; what depends on fates is left to the look at the position.
fn matching_move_numbers(game: &GoGame, rules: Rules, index: &PatternIndex) -> Vec<usize> {
    let total = game.moves().count();
    let mut matcher: Option<PatternMatcher> = None;
    let mut numbers = Vec::new();
    for number in 0..=total {
        let Ok(replayed) = game.replay_position(rules, Some(number)) else { return numbers };
        let board = replayed.position.board();
        let matcher = matcher.get_or_insert_with(|| PatternMatcher::new(index, board));
        matcher.update_matches(board);
        if !matcher.current_matches(board, &NoFates).is_empty() {
            numbers.push(number);
        }
    }
    numbers
}

// --- what is seen ---

fn render_table(
    visitor: &Visitor,
    key: &str,
    wanted: &MatchesQuery,
    shelf: &PatternCollection,
    own: &[(String, String)],
    seen: &MatchesView,
) -> Markup {
    html! {
        div.columns {
            div { (render_board(visitor, wanted, seen)) (render_steps(visitor, key, wanted, seen)) (render_cut_form(visitor, key, shelf, seen)) }
            div {
                (render_choice(visitor, key, wanted, shelf, own, seen))
                (render_matches(visitor, key, wanted, shelf, seen))
            }
        }
    }
}

fn render_board(visitor: &Visitor, wanted: &MatchesQuery, seen: &MatchesView) -> Markup {
    let size = seen.position.board().size();
    let mut picture = BoardPicture::from_board(seen.position.board());
    if let Some(last) = seen.last {
        picture = picture.with_mark(last, PictureMark::Circle, PictureTone::Note);
    }
    let chosen = wanted.at.and_then(|at| seen.found.get(at));
    match chosen {
        Some(found) => picture = highlight_match(picture, found, size),
        None if wanted.pattern_name().is_some() => {
            for found in &seen.found {
                picture = highlight_match(picture, found, size);
            }
        }
        None => {
            for (number, found) in seen.found.iter().enumerate().rev() {
                picture = picture.with_label(found.matched.at, (number + 1).to_string(), None);
            }
        }
    }
    let text = format!(
        "{} {}/{}: {}",
        visitor.text("patterns-board-after-move"),
        seen.number,
        seen.total,
        visitor.text("patterns-matches-are-listed-beside-it")
    );
    html! {
        div.board.deep #game-board tabindex="0" role="application" aria-label=(text) data-columns=(size.width()) data-rows=(size.height())
            data-margin=(picture.margin()) data-field="24" data-fills="#cut-at" data-says="board-says" {
            (PreEscaped(picture.with_depth().with_name(visitor.text("go-board")).to_svg()))
        }
        p.unseen #board-says aria-live="polite" {}
        pre.unseen { (seen.position.board()) }
    }
}

/// A pattern of what stands around a point: the editor begins with it.
fn render_cut_form(visitor: &Visitor, key: &str, shelf: &PatternCollection, seen: &MatchesView) -> Markup {
    html! {
        form.row hx-post={ "/patterns/game/" (key) "/cut" } hx-target="#message" {
            input type="hidden" name="move" value=(seen.number);
            input type="hidden" name="c" value=(if shelf.is_shipped() { "new" } else { &shelf.key });
            label for="cut-at" { (visitor.text("patterns-a-pattern-of-what-is-around")) }
            input #cut-at name="at" size="4" maxlength="3" required placeholder="D4";
            button { (visitor.text("patterns-cut-out-and-edit")) }
        }
    }
}

#[derive(Deserialize)]
struct CutForm {
    at: String,
    c: String,
    #[serde(rename = "move")]
    number: usize,
}

async fn begin_cut_draft(
    desk: DeskState,
    visitor: Visitor,
    Path(key): Path<String>,
    Form(given): Form<CutForm>,
) -> PageAnswer {
    let document = load_game(&desk, &key).await?;
    let sgf = document.body["sgf"].as_str().unwrap_or_default().to_string();
    let (at, number) = (given.at, given.number);
    let pattern = desk.compute(move |_| cut_pattern_around(&sgf, number, &at)).await??;
    let path = draft::begin_draft_with(&desk, &visitor, &given.c, pattern).await?;
    Ok(redirect_to(&visitor, &path))
}

fn cut_pattern_around(sgf: &str, number: usize, at: &str) -> Result<Pattern, PageError> {
    let game = parse_game(sgf)?;
    let position = game.replay_position(game.info.rules_or_chinese(), Some(number))?.position;
    let point = position.board().size().parse_point(at.trim())?;
    let analysis = Analysis::analyze(&position, &mut NoOracle);
    let name = format!("move-{}", number + 1);
    let cut =
        cut::cut_pattern(position.board(), position.to_move(), point, &name, CUT_OUT, &GroupFates(&analysis));
    cut.map(|cut| cut.pattern)
        .ok_or_else(|| PageError::invalid_input_with("patterns-a-stone-stands-at-a-pattern", args![point]))
}

async fn load_game(desk: &WorkbenchState, key: &str) -> Result<StoredDocument, PageError> {
    let document = desk.find_document(KIND, key).await?;
    document.ok_or_else(|| PageError::not_found("patterns-there-is-no-such-game-here"))
}

/// The points that the pattern asks about, and its moves.
fn highlight_match(mut picture: BoardPicture, found: &FoundMatch, size: BoardSize) -> BoardPicture {
    let pattern = &found.pattern;
    for square in (0..64).map(DiagramSquare::from_index) {
        let sign = pattern.diagram.sign_at(square);
        let inside = pattern.diagram.frame_points() & square.bit() != 0 && sign != PointSign::Any;
        if let Some(point) = found.matched.board_point(pattern, square, size).filter(|_| inside) {
            picture = picture.with_shade(point, PictureTone::Fair, 1.0, 0.35);
        }
    }
    for (number, (color, at, _)) in found.moves.iter().enumerate().take(26) {
        let letter = char::from(b'a' + number as u8).to_string();
        picture = picture.with_label(
            *at,
            letter,
            Some(if *color == Color::Black { PictureTone::Black } else { PictureTone::Fair }),
        );
    }
    picture
}

fn render_steps(visitor: &Visitor, key: &str, wanted: &MatchesQuery, seen: &MatchesView) -> Markup {
    let steps = GameSteps { target: "#matches", at: seen.number, total: seen.total, last: None };
    steps::render_steps(visitor, &steps, |to| wanted.page_address(key, to, None))
}

fn render_choice(
    visitor: &Visitor,
    key: &str,
    wanted: &MatchesQuery,
    shelf: &PatternCollection,
    own: &[(String, String)],
    seen: &MatchesView,
) -> Markup {
    html! {
        form.row method="get" action={ "/patterns/game/" (key) } {
            input type="hidden" name="move" value=(seen.number);
            label for="c" { (visitor.text("patterns-patterns")) }
            select #c name="c" {
                option value=(SHIPPED) selected[shelf.is_shipped()] { (visitor.text("patterns-shipped-patterns")) }
                @for (key, title) in own { option value=(key) selected[*key == shelf.key] { (title) } }
            }
            label for="one" { (visitor.text("patterns-only-this-one")) }
            input #one name="pattern" value=[wanted.pattern_name()] maxlength="60" size="16";
            button { (visitor.text("patterns-show")) }
        }
        @if wanted.pattern_name().is_some() {
            p { (visitor.text("patterns-it-matches-after-moves"))
                @if seen.elsewhere.is_empty() { (visitor.text("patterns-none-of-this-game")) }
                @for number in seen.elsewhere.iter().take(60) {
                    a href=(wanted.page_address(key, *number, None)) aria-current=[(*number == seen.number).then_some("true")] { (number) } " "
                }
            }
        }
    }
}

fn render_matches(
    visitor: &Visitor,
    key: &str,
    wanted: &MatchesQuery,
    shelf: &PatternCollection,
    seen: &MatchesView,
) -> Markup {
    html! {
        h2 { (visitor.text("patterns-matches")) (visitor.text("workbench-colon")) (seen.count) }
        p.quiet { (visitor.text("patterns-to-move"))
            (if seen.position.to_move() == Color::Black { visitor.text("patterns-black") } else { visitor.text("patterns-white") }) " · "
            (shelf.title_for(visitor)) }
        (render_scrolling_table(visitor.text("patterns-matches"), &[
            Words("#"), Words(visitor.text("patterns-pattern")), Words(visitor.text("patterns-move")),
            Numbers(visitor.text("patterns-played-in-game")), Numbers(visitor.text("patterns-won-in-game")), Words(visitor.text("patterns-words")),
        ], html! {
            @for (number, found) in seen.found.iter().enumerate() { (render_match_row(visitor, key, wanted, shelf, seen, number, found)) }
        }))
    }
}

fn render_match_row(
    visitor: &Visitor,
    key: &str,
    wanted: &MatchesQuery,
    shelf: &PatternCollection,
    seen: &MatchesView,
    number: usize,
    found: &FoundMatch,
) -> Markup {
    let address = wanted.page_address(key, seen.number, Some(number));
    let pattern = &found.pattern;
    let share = |part: u32, of: u32| {
        if of == 0 { "–".to_string() } else { format!("{:.0} %", 100.0 * f64::from(part) / f64::from(of)) }
    };
    let first = found.moves.first();
    let words =
        first.map(|(.., branch)| localized_words(visitor, &branch.words)).filter(|words| !words.is_empty());
    html! {
        tr aria-current=[(wanted.at == Some(number)).then_some("true")] {
            td.number { a href=(address) hx-get=(address) hx-target="#matches" hx-push-url="true" { (number + 1) } }
            td { a href=(pattern_path(&shelf.key, &pattern.name)) { (pattern_title(visitor, &pattern.name)) } }
            td { @if let Some((color, at, branch)) = first {
                (colored_move(visitor, *color, at)) " " span.quiet { (kind_name(visitor, branch.kind)) }
            } }
            td.number { @if let Some((.., branch)) = first { (share(branch.played, pattern.seen)) } }
            td.number { @if let Some((.., branch)) = first { (share(branch.won, branch.played)) } }
            td { (words.unwrap_or_else(|| localized_words(visitor, &pattern.words))) }
        }
    }
}
