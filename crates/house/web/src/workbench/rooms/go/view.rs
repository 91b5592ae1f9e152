//! What the room of Go looks like.

use std::sync::Arc;

use axum::response::Response;
use ishi_go::picture::{BoardPicture, FIELD, MARGIN, PictureMark, PictureTone};
use ishi_go::{Board, BoardSize, Color, Point, Position, Rules, Scoring};
use ishi_go_play::explain::listener::Listener;
use ishi_go_play::go_mcts::presets;
use ishi_go_play::go_rank::Rank;
use ishi_go_play::judge::FinalStatus;
use ishi_knowledge::show::AnalysisLevel;
use ishi_lab::store::{DocumentList, StoredDocument};
use ishi_sgf::{GameResult, PropertyValue, ReplayedGame, parse_point, split_composed};
use ishi_words::Language;
use maud::{Markup, PreEscaped, html};

use super::game::{self, color_name, color_word};
use super::insight::{LEVELS, LevelView};
use super::review;
use super::table::{GoTable, LEVELLED, OWN_RANKED, RANKED, Seat, is_move, now_ms};
use super::think::{is_analysing, table_topic, thought_event};
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room, render_tabs};
use crate::workbench::phone::render_phone_door;
use crate::workbench::rooms::deep_pictures::DeepPictures;
use crate::workbench::rooms::keys::render_keys;
use crate::workbench::rooms::lessons::render_mistake_steps;
use crate::workbench::rooms::standing::{OwnStanding, render_counting, render_standing};
use crate::workbench::rooms::{blunder, damage};
use crate::workbench::texts::{PageText, args};
use crate::workbench::visitor::Visitor;
use crate::workbench::{PageAnswer, WorkbenchState};

/// Tables that are listed.
pub(super) const LISTED: usize = 24;

/// Lines of the board on the first page.
pub(super) const FIRST_SIDE: usize = 9;

/// Facts of a game that can be edited: field of the form and property of the record.
pub(super) const FACTS: [(&str, &str); 10] = [
    ("black_name", "PB"),
    ("black_rank", "BR"),
    ("white_name", "PW"),
    ("white_rank", "WR"),
    ("event", "EV"),
    ("date", "DT"),
    ("place", "PC"),
    ("komi", "KM"),
    ("rules", "RU"),
    ("result", "RE"),
];

/// A short game with a remark at every move (`ishi explain --sgf`): something to look at on a fresh machine. Played and annotated for this program.
pub(crate) fn sample_sgf(language: Language) -> &'static str {
    language.choose(include_str!("sample.sgf"), include_str!("sample.ja.sgf"))
}

/// What people can sit down against.
fn seat_options(standing: &OwnStanding, visitor: &Visitor) -> Vec<(String, String)> {
    let rank = |rank: Rank| (format!("{RANKED}{rank}"), rank_title(rank, visitor));
    let level = |level: u32| (format!("{LEVELLED}{level}"), level_title(&level.to_string(), visitor));
    let others = [
        ("go-network:visits=200", visitor.text("go-ishi-by-its-network")),
        ("go-knowledge", visitor.text("go-ishi-by-rules-alone")),
        ("go-flat", visitor.text("go-flat-monte-carlo")),
        ("go-capture", visitor.text("go-captures-what-it-can")),
        ("go-random", visitor.text("go-random-moves")),
    ];
    let person = ("person".to_string(), visitor.text("go-a-person").to_string());
    let fitting = rank_words(standing.opponent(), visitor);
    let fitting = visitor.text_with("go-ishi-of-your-strength", args![rank = fitting]);
    let others = others.map(|(spec, name)| (spec.to_string(), name.to_string()));
    let spec = ("spec".to_string(), visitor.text("go-an-engine-by-its-name").to_string());
    let levels = (1..=presets::LEVELS).map(level);
    [person, (OWN_RANKED.to_string(), fitting)]
        .into_iter()
        .chain(Rank::all().map(rank))
        .chain(others)
        .chain(levels)
        .chain(Some(spec))
        .collect()
}

/// `ishi, 8 kyu`.
fn rank_title(rank: Rank, visitor: &Visitor) -> String {
    let rank = rank_words(rank, visitor);
    visitor.text_with("go-ishi-of-rank", args![rank])
}

/// `8 kyu`.
pub(crate) fn rank_words(rank: Rank, visitor: &Visitor) -> String {
    let kyu = rank.kyu_number();
    visitor.text_with("go-kyu", args![kyu])
}

/// Whether blunders are told before they are answered.
pub(crate) fn render_teaching_choice(visitor: &Visitor) -> Markup {
    blunder::render_teaching_choice(visitor.text("go-teaching-game-stops-at-blunders"))
}

/// `ishi by playouts, level 5`.
fn level_title(level: &str, visitor: &Visitor) -> String {
    visitor.text_with("go-ishi-by-playouts-level", args![level])
}

fn render_select(name: &str, label: &str, options: &[(String, String)], chosen: &str) -> Markup {
    html! {
        label for=(name) { (label) }
        select id=(name) name=(name) {
            @for (value, text) in options { option value=(value) selected[value == chosen] { (text) } }
        }
    }
}

/// The name of a rule set; those that have none are told by what they say.
pub(crate) fn rules_words(rules: &Rules, visitor: &Visitor) -> String {
    match rules.preset_name() {
        Some("chinese") => visitor.text("go-chinese-rules").to_string(),
        Some("japanese") => visitor.text("go-japanese-rules").to_string(),
        Some("tromp-taylor") => visitor.text("go-tromp-taylor-rules").to_string(),
        Some("aga") => visitor.text("go-aga-rules").to_string(),
        Some("new-zealand") => visitor.text("go-new-zealand-rules").to_string(),
        _ => rules.to_string(),
    }
}

/// The form for a new game.
fn render_new_game_form(standing: &OwnStanding, visitor: &Visitor) -> Markup {
    let say = |id| visitor.text(id);
    let sizes: Vec<_> =
        [9, 13, 19, 5, 7, 11, 15, 17, 21, 25].map(|n| (n.to_string(), format!("{n}×{n}"))).into();
    let rules: Vec<_> =
        Rules::NAMED.map(|(name, rules)| (name.to_string(), rules_words(&rules, visitor))).into();
    let stones = |n: usize| (n.to_string(), if n == 0 { say("go-none").to_string() } else { n.to_string() });
    let handicaps: Vec<_> = [0, 2, 3, 4, 5, 6, 7, 8, 9].map(stones).into();
    html! {
        form.form method="post" action="/go/new" {
            (render_select("black", say("go-black"), &seat_options(standing, visitor), "person"))
            (render_select("white", say("go-white"), &seat_options(standing, visitor), OWN_RANKED))
            (render_teaching_choice(visitor))
            (render_select("size", say("go-board"), &sizes, "9"))
            (render_select("handicap", say("go-handicap"), &handicaps, "0"))
            (render_select("rules", say("go-rules"), &rules, "chinese"))
            label for="komi" { (say("go-komi")) }
            input #komi name="komi" inputmode="decimal" placeholder=(say("go-as-the-rules-say"));
            label for="clock" { (say("go-clock")) }
            input #clock name="clock" placeholder=(say("go-clock-placeholder")) aria-describedby="clock-help";
            p #clock-help .wide.quiet { (say("go-seconds-300-for-the-game-300")) }
            details.wide {
                summary { (say("go-engines-by-their-names")) }
                div.form {
                    label for="black_spec" { (say("go-black")) }
                    input #black_spec name="black_spec" placeholder="go-mcts:playouts=2000";
                    label for="white_spec" { (say("go-white")) }
                    input #white_spec name="white_spec" placeholder="go-mcts:preset=tabu18-hash-win";
                }
            }
            button.main.wide { (say("go-begin")) }
        }
    }
}

/// An empty board on which a click begins a game.
pub(crate) fn render_first_board(visitor: &Visitor) -> Result<Markup, PageError> {
    let board = Board::new(BoardSize::square(FIRST_SIDE).map_err(PageError::from_system_error)?);
    let svg = BoardPicture::from_board(&board).with_depth().with_name(visitor.text("go-board")).to_svg();
    Ok(render_board_frame(
        "first-board",
        board.size(),
        Some(BoardClick {
            path: "/go/start",
            target: "#message",
            fields: "rank taught",
            stone: Some(Color::Black),
        }),
        &board,
        &svg,
        visitor,
    ))
}

/// The form that opens a record.
fn render_open_form(visitor: &Visitor) -> Markup {
    html! {
        form method="post" action="/go" enctype="multipart/form-data" {
            p {
                label for="file" { (visitor.text("go-a-file-sgf")) } " "
                input #file type="file" name="file" accept=".sgf,application/x-go-sgf,text/plain";
            }
            p {
                label for="sgf" { (visitor.text("go-or-its-text")) }
                textarea #sgf name="sgf" rows="3" spellcheck="false" placeholder="(;GM[1]SZ[19];B[pd];W[dp])" {}
            }
            div.row {
                button.main { (visitor.text("go-open")) }
                button name="sgf" value=(sample_sgf(visitor.language)) formnovalidate { (visitor.text("go-the-sample-game")) }
            }
        }
    }
}

/// The last tables, as cards.
pub(crate) fn render_tables(
    known: &[StoredDocument],
    mut pictures: DeepPictures,
    visitor: &Visitor,
) -> Markup {
    html! {
        @if known.is_empty() { p.quiet { (visitor.text("go-no-games-yet-begin-one-open")) } }
        div.cards {
            @for document in known {
                @if let Ok(table) = GoTable::from_document(document) {
                    a.panel.problem href=(format!("/go/{}", document.key)) {
                        @if let Ok(position) = table.position() { div.board.deep { (pictures.draw(BoardPicture::from_board(position.board()))) } }
                        strong { (table.title_for(visitor)) }
                        @if let Some(result) = table.result() { span.quiet { (result_words(result, visitor)) } }
                    }
                }
            }
        }
    }
}

pub(super) fn render_entrance(visitor: &Visitor, known: &DocumentList, standing: &OwnStanding) -> Response {
    let title = visitor.text("go-go");
    let body = html! {
        h1 { (title) }
        div.columns {
            div {
                section.panel {
                    h2 { (visitor.text("go-a-new-game")) }
                    (render_standing(standing, &rank_words(standing.opponent(), visitor), visitor))
                    (render_new_game_form(standing, visitor))
                    p.quiet { (visitor.text("go-even-games-count-for-your-strength")) }
                }
            }
            div {
                section.panel { h2 { (visitor.text("go-open-a-record")) } (render_open_form(visitor)) }
                section.panel {
                    h2 { (visitor.text("go-problems")) }
                    p { a href="/go/practice" { (visitor.text("go-your-own-mistakes-asked-again-in")) } }
                    p { a href="/go/problems" { (visitor.text("go-life-and-death-judged-by-reading")) } }
                }
            }
        }
        h2 { (visitor.text("go-games-on-this-machine")) }
        (damage::render_damage(visitor, &known.damaged))
        (render_tables(&known.documents, DeepPictures::for_page(visitor), visitor))
    };
    Page::new(Room::Go, title).render_page(visitor, body)
}

/// What a click on a board does.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardClick<'a> {
    /// Where it goes.
    pub(super) path: &'a str,
    /// What the answer fills.
    pub(super) target: &'a str,
    /// The names of fields that go along.
    pub(super) fields: &'a str,
    /// The stone that it puts down, where the page has no game that says so.
    pub(super) stone: Option<Color>,
}

/// A board that can be clicked on: the picture in the frame that `ui/board.ts` knows.
pub(super) fn render_board_frame(
    id: &str,
    size: BoardSize,
    click: Option<BoardClick<'_>>,
    board: &Board,
    svg: &str,
    visitor: &Visitor,
) -> Markup {
    let stones: serde_json::Map<String, serde_json::Value> = size
        .points()
        .filter_map(|point| Some((point.to_string(), color_word(board.color(point)?, visitor).into())))
        .collect();
    html! {
        div.board.deep id=(id) tabindex="0" role="application"
            aria-label=(visitor.text("go-board-arrow-keys-move-enter-plays"))
            aria-describedby=(format!("{id}-text"))
            data-columns=(size.width()) data-rows=(size.height()) data-margin=(MARGIN) data-field=(FIELD)
            data-action=[click.map(|click| click.path)] data-target=[click.map(|click| click.target)]
            data-with=[click.map(|click| click.fields)] data-ghost=[click.and_then(|click| click.stone).map(ghost_name)]
            data-steps[id == "board"] data-confirm=(visitor.text("go-tap-again-to-play-point"))
            data-says=(format!("{id}-says")) data-stones=(serde_json::Value::Object(stones)) {
            (PreEscaped(svg))
            div #level-layer .layer {}
            div.layer sse-swap="overlay" {}
            div.layer.hover {}
        }
        p.unseen id=(format!("{id}-says")) aria-live="polite" {}
        div.unseen id=(format!("{id}-text")) { (render_stones_in_words(board, visitor)) }
    }
}

/// A colour as `ui/ghost.ts` knows it.
pub(crate) fn ghost_name(color: Color) -> &'static str {
    if color == Color::Black { "black" } else { "white" }
}

/// The stones in words, for those who do not see them.
fn render_stones_in_words(board: &Board, visitor: &Visitor) -> Markup {
    let list = |color: Color| {
        let points = board.size().points().filter(|&point| board.color(point) == Some(color));
        points.map(|point| point.to_string()).collect::<Vec<_>>().join(" ")
    };
    html! {
        p { (visitor.text("go-black")) (visitor.text("workbench-colon")) (list(Color::Black)) }
        p { (visitor.text("go-white")) (visitor.text("workbench-colon")) (list(Color::White)) }
    }
}

/// The page of a table.
pub(super) fn render_table_page(
    desk: &Arc<WorkbenchState>,
    table: &GoTable,
    visitor: &Visitor,
) -> PageAnswer {
    let title = table.title_for(visitor);
    let key = &table.key;
    let body = html! {
        h1.unseen { (title) }
        p #said .unseen aria-live="polite" {}
        // Another tab or an engine has changed the table: fetch it, unless it is what stands here already. So does a review that has failed.
        div hx-get=(format!("/go/{key}/table")) hx-trigger=(format!("sse:changed, sse:{}", review::JUDGE_FAILED)) hx-target="#table" data-unless-revision="" {}
        div #table { (self::render_table(desk, table, visitor)?) }
    };
    Ok(Page::new(Room::Go, &title).with_events(&table_topic(key)).render_page(visitor, body))
}

/// All of the page that changes.
pub(super) fn render_table(
    desk: &WorkbenchState,
    table: &GoTable,
    visitor: &Visitor,
) -> Result<Markup, PageError> {
    let shown = table.replay_here()?;
    let position = &shown.position;
    let path = format!("/go/{}/point", table.key);
    let click = BoardClick { path: &path, target: "#table", fields: "tool revision node", stone: None };
    let svg = draw_board(table, &shown).with_depth().with_name(visitor.text("go-board")).to_svg();
    Ok(html! {
        input type="hidden" name="revision" value=(table.revision);
        input type="hidden" name="node" value=(table.number_of_node(table.node));
        (game::render_game(table, is_analysing(desk, &table.key), visitor)?)
        div.columns.go {
            div.stage {
                (render_board_frame("board", position.size(), Some(click), position.board(), &svg, visitor))
                (render_bar(desk, table, &shown, visitor))
            }
            div.sheet {
                // What the record says here, which the page follows.
                p.remark.told hidden[table.comment().is_empty()] { (table.comment()) }
                (render_warning(table, visitor))
                div.variations {}
                (render_tabs(visitor.text("go-beside-the-board"), &render_panes(desk, table, &shown, visitor)))
            }
        }
    })
}

/// A blunder of a teaching game: what is wrong with it, and the choice to take it back.
fn render_warning(table: &GoTable, visitor: &Visitor) -> Markup {
    let Some(warning) = &table.warning else { return html! {} };
    // Who has stepped away to look at the better move means this one all the same.
    let place = table.number_of_node(table.node);
    let render_button = |deed: &str, words: &str| {
        html! {
            button hx-post=(action_path(table, deed)) hx-target="#table" hx-include="[name=revision]"
                hx-vals=(format!("{{\"node\": {place}}}")) { (words) }
        }
    };
    let title = visitor.text_with("go-wait-vertex-is-a-blunder", args![vertex = warning.vertex]);
    blunder::render_warning(visitor, warning, &title, place, ["take-back", "engine"], render_button)
}

/// What stands beside the board: the game, what is thought of this place, and what is to be learned from the whole.
fn render_panes(
    desk: &WorkbenchState,
    table: &GoTable,
    shown: &ReplayedGame,
    visitor: &Visitor,
) -> [(&'static str, &'static str, Markup); 3] {
    let say = |id| visitor.text(id);
    let game = html! {
        (render_status(desk, table, shown, visitor))
        (render_tree_frame(visitor))
        (render_phone_door(visitor, &format!("/go/{}", table.key)))
        (render_tools(visitor))
        (render_keys(visitor, &[("↑ ↓", say("go-keys-tree")), ("w", say("go-what-to-play-and-why")), ("r", say("go-an-area-only-in-full"))]))
        (render_notes(table, visitor))
    };
    let analysis = html! {
        (render_analysis(desk, table, visitor))
        (render_reasons(table, visitor))
        (render_knowledge(table, visitor))
    };
    [
        ("game", say("go-game"), game),
        ("analysis", say("go-analysis"), analysis),
        ("learn", say("go-learn"), render_review(desk, table, shown, visitor)),
    ]
}

/// Where the page draws the tree of the game (`ui/go_tree.ts`).
fn render_tree_frame(visitor: &Visitor) -> Markup {
    html! {
        div.panel.game-tree hidden {
            div.scroll tabindex="0" role="tree" aria-label=(visitor.text("go-moves-and-variations")) {}
        }
    }
}

/// The board with marks and labels of the node, the last move, the next moves, and what is being counted.
fn draw_board(table: &GoTable, shown: &ReplayedGame) -> BoardPicture {
    let position = &shown.position;
    let size = position.size();
    let mut picture = BoardPicture::from_board(position.board());
    if let Some(status) = table.final_status() {
        return draw_count(picture, &status, position);
    }
    let node = table.tree.node(table.node);
    let marks = [
        ("TR", PictureMark::Triangle),
        ("SQ", PictureMark::Square),
        ("CR", PictureMark::Circle),
        ("MA", PictureMark::Cross),
        ("SL", PictureMark::Dot),
    ];
    for (name, mark) in marks {
        for point in node.values(name).filter_map(|value| parse_point(size, value.raw_text())) {
            picture = picture.with_mark(point, mark, PictureTone::Note);
        }
    }
    for (name, color) in [("TB", Color::Black), ("TW", Color::White)] {
        for point in node.values(name).filter_map(|value| parse_point(size, value.raw_text())) {
            picture = picture.with_shade(point, PictureTone::from_color(color), 0.35, 0.9);
        }
    }
    for (name, is_arrow) in [("AR", true), ("LN", false)] {
        for value in node.values(name) {
            let ends = split_composed(value.raw_text());
            let ends = ends.and_then(|(from, to)| Some([parse_point(size, from)?, parse_point(size, to)?]));
            picture = match ends {
                Some(ends) if is_arrow => picture.with_arrow(ends, PictureTone::Note),
                Some(ends) => picture.with_line(ends, PictureTone::Note, false),
                None => picture,
            };
        }
    }
    for (place, text) in table.labels() {
        if let Some(point) = parse_point(size, &place) {
            picture = picture.with_label(point, text, None);
        }
    }
    let last = shown.last.and_then(|played| played.mv.point());
    let last = last.filter(|_| is_move(&table.tree, table.node));
    last.map_or(picture.clone(), |point| picture.with_mark(point, PictureMark::Dot, PictureTone::Bad))
}

/// Whose the points are, the stones that are taken off, and those in seki where that counts.
fn draw_count(mut picture: BoardPicture, status: &FinalStatus, position: &Position) -> BoardPicture {
    if let Ok(tally) = status.tally_points(position) {
        for point in position.size().points() {
            if let Some(owner) = tally.point_owner(point).filter(|_| is_free(position, &status.dead, point)) {
                picture = picture.with_shade(point, PictureTone::from_color(owner), 0.35, 0.9);
            }
        }
    }
    for point in list_counted_seki(status, position) {
        picture = picture.with_mark(point, PictureMark::Square, PictureTone::Note);
    }
    let cross = |picture: BoardPicture, &point: &Point| {
        picture.with_mark(point, PictureMark::Cross, PictureTone::Bad)
    };
    status.dead.iter().fold(picture, cross)
}

/// The stones in seki, where points beside them do not count.
fn list_counted_seki(status: &FinalStatus, position: &Position) -> Vec<Point> {
    match position.rules().scoring {
        Scoring::Area => Vec::new(),
        Scoring::Territory => status.list_standing_seki(),
    }
}

fn is_free(position: &Position, dead: &[Point], point: Point) -> bool {
    position.board().color(point).is_none() || dead.contains(&point)
}

fn action_path(table: &GoTable, what: &str) -> String {
    format!("/go/{}/do/{what}", table.key)
}

/// A button that does something at the table.
fn render_button(
    table: &GoTable,
    what: &str,
    key: Option<&str>,
    disabled: bool,
    label: &str,
    text: Markup,
) -> Markup {
    html! {
        button hx-post=(action_path(table, what)) hx-target="#table" hx-include="[name=revision],[name=node]" data-key=[key] disabled[disabled]
            aria-label=(label) title=(label) { (text) }
    }
}

/// The bar below the board, which is always in sight: how the game stands, steps, and what is done most. Steps and words are the page's own
/// (`ui/go_game.ts`).
fn render_bar(desk: &WorkbenchState, table: &GoTable, shown: &ReplayedGame, visitor: &Visitor) -> Markup {
    let say = |id| visitor.text(id);
    let step = |by: &str, key: &str, label: &str, sign: &str| {
        html! {
            button type="button" data-step=(by) data-key=(key) aria-label=(label) title=(label) { span aria-hidden="true" { (sign) } }
        }
    };
    let open = table.result().is_none() && table.dead.is_none();
    let moves = table.count_moves();
    let plain =
        |what, disabled, text: &str| render_button(table, what, None, disabled, text, html! { (text) });
    html! {
        div.bar {
            p.state {
                @if let Some(result) = table.result() { strong { (result_words(result, visitor)) } }
                @else if is_move_looked_at(table) { (render_look(desk, table, visitor)) }
                @else if table.due { span { (say("go-ishi-is-thinking")) } }
                @else { span.turn {} }
            }
            nav.row.steps aria-label=(say("go-moves")) {
                (step("first", "Home", say("go-to-the-beginning"), "|‹"))
                (step("-1", "ArrowLeft", say("go-back"), "‹"))
                label.move-number {
                    span.unseen { (say("go-move-in-view")) }
                    input #move-number type="number" min="0" inputmode="numeric" autocomplete="off" value=(shown.moves);
                    " / " span.move-count { (moves) }
                }
                (step("1", "ArrowRight", say("go-on"), "›"))
                (step("last", "End", say("go-to-the-end"), "›|"))
            }
            div.row.deeds {
                @if open { (plain("pass", table.due, say("go-pass-in-view"))) }
                (plain("undo", false, say("go-undo")))
                @if open { (render_resign(table, visitor)) }
            }
        }
    }
}

/// Is there a move that is looked at? An engine may have the first one.
fn is_move_looked_at(table: &GoTable) -> bool {
    table.is_looked_at() && is_move(&table.tree, table.node)
}

/// That the last move is looked at, by whom, and for how long by now. What comes then is told while it goes on (`ui/look.ts`).
fn render_look(desk: &WorkbenchState, table: &GoTable, visitor: &Visitor) -> Markup {
    let looks = visitor.text_with("go-judge-looks-at-your-move", args![judge = looking_judge(desk, table)]);
    let seconds = now_ms().saturating_sub(table.since) as f64 / 1000.0;
    html! {
        span.look data-look=(table.revision) data-seconds=(format!("{seconds:.1}")) data-looks=(looks)
            data-waits=(visitor.text("go-the-judge-answers-another-first")) data-answers=(visitor.text("go-ishi-is-thinking")) {
            span { (looks) }
            span aria-hidden="true" data-unit=(visitor.text("go-seconds-by-now")) {}
        }
    }
}

/// Who looks at the last move: ishi, where the program of the table is not allowed any more or has hung lately (as in `think`).
fn looking_judge<'a>(desk: &WorkbenchState, table: &'a GoTable) -> &'a str {
    let is_ready =
        |name: &&str| desk.choose_judge(Some(*name)).is_some_and(|program| !program.has_hung_lately());
    table.judge.as_deref().filter(is_ready).unwrap_or("ishi")
}

/// The name of the program that judges a teaching game, as long as it is allowed: afterwards ishi judges.
fn allowed_judge<'a>(desk: &WorkbenchState, table: &'a GoTable) -> Option<&'a str> {
    table.judge.as_deref().filter(|name| desk.programs.find_judge(name).is_ok())
}

/// Whoever resigns is asked whether that is meant.
fn render_resign(table: &GoTable, visitor: &Visitor) -> Markup {
    html! {
        button hx-post=(action_path(table, "resign")) hx-target="#table" hx-include="[name=revision],[name=node]"
            hx-confirm=(visitor.text("go-resign-question")) { (visitor.text("go-resign")) }
    }
}

/// What a click on the board means.
fn render_tools(visitor: &Visitor) -> Markup {
    let say = |id| visitor.text(id);
    let tools = [
        ("play", say("go-play")),
        ("ask", say("go-why-not-here")),
        ("black", say("go-black-stone")),
        ("white", say("go-white-stone")),
        ("empty", say("go-erase")),
        ("triangle", "△"),
        ("square", "□"),
        ("circle", "○"),
        ("cross", "×"),
        ("letter", "A"),
    ];
    let names = [
        ("triangle", say("go-mark-triangle")),
        ("square", say("go-mark-square")),
        ("circle", say("go-mark-circle")),
        ("cross", say("go-mark-cross")),
        ("letter", say("go-mark-letter")),
    ];
    html! {
        fieldset.tools {
            legend { (say("go-a-click-on-the-board")) }
            div.row {
                @for (value, text) in tools {
                    @let name = names.iter().find(|(tool, _)| *tool == value).map(|(_, name)| *name);
                    label.tool title=[name] {
                        input type="radio" name="tool" value=(value) checked[value == "play"] aria-label=[name];
                        " " (text)
                    }
                }
            }
            label.tool { input type="checkbox" name="numbers"; " " (say("go-numbers-on-the-stones")) }
        }
    }
}

/// Says that blunders are told, and by which program.
fn render_teaching_line(desk: &WorkbenchState, table: &GoTable, visitor: &Visitor) -> Markup {
    let judge = allowed_judge(desk, table);
    html! {
        @if table.taught.is_some() {
            p.quiet {
                (visitor.text("go-teaching-game"))
                @if let Some(judge) = judge { " " (visitor.text_with("go-judged-by", args![judge])) }
            }
        }
    }
}

/// Who plays, whose turn it is, captures, clocks, result, and what can be done.
fn render_status(desk: &WorkbenchState, table: &GoTable, shown: &ReplayedGame, visitor: &Visitor) -> Markup {
    let say = |id| visitor.text(id);
    let position = &shown.position;
    let info = table.info();
    let result = table.result();
    let players = [&info.black, &info.white];
    let person = say("go-a-person");
    let over = result.is_some() || table.dead.is_some();
    html! {
        section.panel.status aria-label=(say("go-the-game-in-view")) {
            @for color in Color::ALL {
                @let seat = &table.seats[color.index()];
                @let name = players[color.index()].name.clone().filter(|_| seat.is_person());
                @let name = name.unwrap_or_else(|| seat_name(seat, person, visitor));
                div.player.to-move[!over && position.to_move() == color] data-color=(color.letter()) {
                    span.stone.(if color == Color::Black { "black" } else { "white" }) aria-hidden="true" {}
                    strong { span.unseen { (color_word(color, visitor)) (visitor.text("workbench-colon")) } (name) }
                    @if let Some(rank) = &players[color.index()].rank { span.quiet { (rank) } }
                    span.quiet { (say("go-prisoners")) " " span.prisoners { (shown.prisoners[color.index()]) } }
                    (render_clock(table, position, color))
                    @if !over { em hidden[position.to_move() != color] { (say("go-to-move")) } }
                }
            }
            p.quiet { (rules_words(position.rules(), visitor)) (visitor.text("workbench-comma")) (say("go-komi-word")) " " (position.komi())
                @if position.handicap() > 1 { (visitor.text("workbench-comma")) (say("go-handicap-word")) " " (position.handicap()) } }
            (render_teaching_line(desk, table, visitor))
            (render_counting(table.is_rated, visitor))
            @if let Some(result) = result { p.result role="status" { (result_words(result, visitor)) } }
            @else if table.dead.is_some() { (render_dead_choice(table, position, visitor)) }
            @else if is_move_looked_at(table) { p.thinking role="status" { (say("go-your-move-is-looked-at-first")) } }
            @else if table.due { p.thinking role="status" { (say("go-ishi-is-thinking")) } }
            @if !table.oddities.is_empty() {
                details.bad open {
                    summary { (say("go-oddities-of-the-record")) " (" (table.oddities.len()) ")" }
                    ul { @for oddity in &table.oddities { li { (oddity.in_language(visitor.texts)) } } }
                }
            }
            @for wrong in shown.illegal.iter().rev().take(1) { p.bad.here-only { (PageText::of_error(wrong).in_language(visitor.texts)) } }
            (render_actions(table, visitor))
        }
    }
}

fn seat_name(seat: &Seat, person: &str, visitor: &Visitor) -> String {
    match &seat.0 {
        None => person.to_string(),
        Some(spec) => {
            let rank = spec.strip_prefix(RANKED).and_then(|rank| rank.parse().ok());
            let level = || spec.strip_prefix(LEVELLED).map(|level| level_title(level, visitor));
            let ranked = rank.map(|rank| rank_title(rank, visitor));
            ranked.or_else(level).unwrap_or_else(|| spec.clone())
        }
    }
}

fn render_clock(table: &GoTable, position: &Position, color: Color) -> Markup {
    let Some(left) = table.clocks()[color.index()].time_left() else { return html! {} };
    let running = table.clock_runs() && position.to_move() == color;
    let used = if running { now_ms().saturating_sub(table.since) as f64 / 1000.0 } else { 0.0 };
    let seconds = (left.time.as_secs_f64() - used).max(0.0);
    html! {
        span.clock data-seconds=(format!("{seconds:.1}")) data-running[running] {
            (format!("{}:{:02}", seconds as u64 / 60, seconds as u64 % 60))
        }
        @if left.stones > 0 { span.quiet { "(" (left.stones) ")" } }
    }
}

pub(super) fn result_words(result: GameResult, visitor: &Visitor) -> String {
    let name = |color: Color| color_name(color, visitor);
    match result {
        GameResult::Points(color, points) => {
            let name = name(color);
            visitor.text_with("go-wins-by-points", args![name, points])
        }
        GameResult::Resignation(color) => {
            let name = name(color);
            visitor.text_with("go-wins-by-resignation", args![name])
        }
        GameResult::Time(color) => {
            let name = name(color);
            visitor.text_with("go-wins-on-time", args![name])
        }
        GameResult::Draw => visitor.text("go-a-draw").to_string(),
        other => other.to_string(),
    }
}

/// The count that is proposed.
fn render_dead_choice(table: &GoTable, position: &Position, visitor: &Visitor) -> Markup {
    let status = table.final_status().unwrap_or_default();
    let score = status.count_score(position).map(|score| score.to_string()).unwrap_or_default();
    html! {
        p role="status" { (visitor.text("go-count")) (visitor.text("workbench-colon")) strong.score { (score) } }
        p.quiet { (visitor.text("go-crossed-stones-are-taken-off-click")) }
        @if !list_counted_seki(&status, position).is_empty() {
            p.quiet { (visitor.text("go-marked-stones-stand-in-seki")) }
        }
        div.row {
            (render_button(table, "agree", None, false, visitor.text("go-agree-to-the-count"), html! { (visitor.text("go-agree")) }))
            (render_button(table, "play-on", None, false, visitor.text("go-play-on"), html! { (visitor.text("go-play-on-in-view")) }))
        }
    }
}

fn render_actions(table: &GoTable, visitor: &Visitor) -> Markup {
    let say = |id| visitor.text(id);
    let ended = table.result().is_some();
    let counting = table.dead.is_some();
    let waits = table.due;
    let plain =
        |what, disabled, text: &str| render_button(table, what, None, disabled, text, html! { (text) });
    // The page shows it where it is the engine's turn.
    let engine_may = table.seats.iter().any(|seat| !seat.is_person()) && !table.due && !ended && !counting;
    html! {
        div.row {
            @if !ended && !counting { (plain("count", waits, say("go-count-in-view"))) }
            @if engine_may { span.engine-turn { (plain("engine", false, say("go-let-the-engine-move"))) } }
            a.button href=(format!("/go/{}/sgf", table.key)) download { (say("go-save-as-sgf")) }
            a.button href=(format!("/go/{}/html", table.key)) download title=(say("go-one-file-that-shows-game-review")) { (say("go-share-html")) }
            a.button href="/go" { (say("go-new-game")) }
        }
    }
}

/// Live analysis: a switch, and the place where thoughts arrive.
fn render_analysis(desk: &WorkbenchState, table: &GoTable, visitor: &Visitor) -> Markup {
    let on = is_analysing(desk, &table.key);
    let event = thought_event(visitor.texts);
    html! {
        section.panel aria-label=(visitor.text("go-analysis")) {
            h2 { (visitor.text("go-analysis")) }
            input type="hidden" name="spot" value="";
            input type="hidden" name="area" value="";
            div.row {
                button hx-post=(format!("/go/{}/analysis", table.key)) hx-target="#table" data-key="a"
                    hx-include="[name=revision],[name=node],[name=spot],[name=area]"
                    hx-vals=(if on { "{}" } else { "{\"on\": \"1\"}" }) aria-pressed=(on) {
                    @if on { (visitor.text("go-stop")) } @else { (visitor.text("go-analyse-this-position")) }
                }
                (render_area_choice(visitor))
            }
            p.quiet.area-words hidden {}
            div.thought sse-swap=(event) {
                @if on { p.quiet { (visitor.text("go-thinking")) } }
            }
        }
    }
}

/// The choice of an area where moves are looked for. The page's own script has it (`ui/go_area.ts`).
fn render_area_choice(visitor: &Visitor) -> Markup {
    let say = |id| visitor.text(id);
    html! {
        button type="button" data-area="choose" data-key="r" aria-pressed="false" title=(say("go-an-area-only-in-full"))
            data-ask=(say("go-drag-over-the-board-or-choose")) data-ask-second=(say("go-from-point-choose-the-opposite-corner"))
            data-chosen=(say("go-only-moves-in-area-are-searched")) data-whole=(say("go-the-whole-board-is-searched")) { (say("go-an-area-only")) }
        button type="button" data-area="whole" hidden { (say("go-whole-board")) }
    }
}

/// What ishi sees: a choice of levels.
fn render_knowledge(table: &GoTable, visitor: &Visitor) -> Markup {
    html! {
        section.panel aria-label=(visitor.text("go-what-ishi-sees")) {
            h2 { (visitor.text("go-what-ishi-sees")) }
            label.unseen for="level" { (visitor.text("go-level-of-knowledge")) }
            select #level name="level" hx-get=(format!("/go/{}/level", table.key)) hx-target="#seen"
                hx-include="[name=revision],[name=node]" {
                option value="" { (visitor.text("go-choose")) }
                @for (level, name) in LEVELS { option value=(level.name()) { (visitor.text(name)) } }
            }
            div #seen {}
        }
    }
}

/// What a level draws lies over the board; without one nothing does.
fn render_level_layer(svg: &str) -> Markup {
    html! { div #level-layer .layer hx-swap-oob="true" { (PreEscaped(svg)) } }
}

pub(super) fn render_no_level() -> Markup {
    render_level_layer("")
}

pub(super) fn render_level(seen: &LevelView, level: AnalysisLevel, visitor: &Visitor) -> Markup {
    let name = LEVELS.iter().find(|(each, _)| *each == level).map_or("", |&(_, name)| visitor.text(name));
    html! {
        (render_level_layer(&seen.picture.clone().with_title("").overlay_svg()))
        h3 { (name) }
        p.quiet { (visitor.text("go-judged-by-shapes-and-reading-without")) }
        ul.key {
            @for (color, text) in seen.picture.key_lines() {
                li {
                    @if let Some(color) = color {
                        svg.swatch viewBox="0 0 10 10" aria-hidden="true" { circle cx="5" cy="5" r="4.5" fill=(color) stroke="#777" stroke-width="0.5" {} }
                    }
                    (text)
                }
            }
        }
        details open[seen.picture.key_lines().next().is_none()] {
            summary { (visitor.text("go-in-words-and-numbers")) }
            pre.scroll tabindex="0" lang="en" { (seen.text) }
        }
    }
}

/// For whom moves may be explained.
fn listeners(visitor: &Visitor) -> [(Listener, &str); 3] {
    let [beginner, kyu, dan] = Listener::ALL;
    [
        (beginner, visitor.text("go-for-a-beginner")),
        (kyu, visitor.text("go-for-a-kyu-player")),
        (dan, visitor.text("go-for-a-dan-player")),
    ]
}

/// For whom moves and lessons are told.
fn render_listener_choice(visitor: &Visitor) -> Markup {
    html! {
        form.row.listeners method="post" action="/settings" aria-label=(visitor.text("go-for-whom")) {
            @for (listener, name) in listeners(visitor) {
                button name="listener" value=(listener.name())
                    aria-pressed=(if listener == visitor.listener { "true" } else { "false" }) { (name) }
            }
        }
    }
}

/// Who judges the positions of a review: ishi itself, or a program that whoever started the server allows. Nothing where none is allowed.
fn render_judge_choice(desk: &WorkbenchState, visitor: &Visitor) -> Markup {
    let names: Vec<&str> = desk.programs.judge_names().collect();
    let chosen = visitor.judge.as_deref().filter(|name| names.contains(name)).unwrap_or_default();
    html! {
        @if !names.is_empty() {
            form.row.listeners method="post" action="/settings" aria-label=(visitor.text("go-who-judges")) {
                span { (visitor.text("go-who-judges")) }
                @for (value, name) in [("", "ishi")].into_iter().chain(names.iter().map(|&name| (name, name))) {
                    button name="judge" value=(value) aria-pressed=(if value == chosen { "true" } else { "false" }) { (name) }
                }
            }
        }
    }
}

/// Reasons: of the move played, of the best one, and why not another.
fn render_reasons(table: &GoTable, visitor: &Visitor) -> Markup {
    let say = |id| visitor.text(id);
    let path = format!("/go/{}/why", table.key);
    html! {
        section.panel aria-label=(say("go-why")) {
            h2 { (say("go-why")) }
            div.row {
                button hx-post=(path) hx-vals="{\"what\": \"best\"}" hx-target="#why" hx-include="[name=revision],[name=node]" data-key="w" { (say("go-what-to-play-and-why-in-view")) }
                button.why-played hx-post=(path) hx-vals="{\"what\": \"played\"}" hx-target="#why" hx-include="[name=revision],[name=node]" { (say("go-why-the-last-move")) }
            }
            form.row hx-post=(path) hx-target="#why" hx-include="[name=revision],[name=node]" {
                label for="why-not" { (say("go-why-not")) }
                input #why-not name="at" size="5" placeholder="D4" autocomplete="off" required;
                button { (say("go-ask")) }
            }
            (render_listener_choice(visitor))
            div #why aria-live="polite" data-waiting=(say("go-ishi-reads-and-searches-seconds-s"))
                data-now=(say("go-now-line")) data-here=(say("go-the-position-as-it-is")) data-after=(say("go-after-line"))
                data-found=(say("go-line-wins-share-lead-lead"))
                data-reading=(say("go-reading-shapes-groups-and-answers")) data-queued=(say("go-the-judge-answers-another-question")) {}
        }
    }
}

/// Comment, facts, and changes of the tree.
fn render_notes(table: &GoTable, visitor: &Visitor) -> Markup {
    let say = |id| visitor.text(id);
    let path = format!("/go/{}/text", table.key);
    let labels = [
        say("go-black"),
        say("go-blacks-rank"),
        say("go-white"),
        say("go-whites-rank"),
        say("go-event"),
        say("go-date"),
        say("go-place"),
        say("go-komi"),
        say("go-rules"),
        say("go-result"),
    ];
    let fact =
        |name: &str| table.tree.root().value(name).map(PropertyValue::to_simple_text).unwrap_or_default();
    html! {
        section.panel aria-label=(say("go-notes")) {
            h2 { (say("go-notes")) }
            form hx-post=(path) hx-target="#table" hx-include="[name=revision],[name=node]" {
                label.unseen for="comment" { (say("go-comment-on-this-position")) }
                textarea #comment name="comment" rows="4" { (table.comment()) }
                button { (say("go-keep-the-comment")) }
            }
            details {
                summary { (say("go-facts-and-variations")) }
                form.form hx-post=(path) hx-target="#table" hx-include="[name=revision],[name=node]" {
                    @for ((field, name), label) in FACTS.iter().zip(labels) {
                        label for=(field) { (label) }
                        input id=(field) name=(field) value=(fact(name));
                    }
                    button.wide { (say("go-keep-the-facts")) }
                }
                div.row {
                    (render_button(table, "promote", None, false, say("go-make-this-the-main-line"), html! { (say("go-make-this-the-main-line")) }))
                    (render_button(table, "cut", None, false, say("go-delete-from-here"), html! { (say("go-delete-from-here")) }))
                    (render_button(table, "black-plays", None, false, say("go-black-to-play-here"), html! { (say("go-black-to-play-here")) }))
                    (render_button(table, "white-plays", None, false, say("go-white-to-play-here"), html! { (say("go-white-to-play-here")) }))
                }
            }
        }
    }
}

/// The review of the game.
fn render_review(desk: &WorkbenchState, table: &GoTable, shown: &ReplayedGame, visitor: &Visitor) -> Markup {
    let running = desk.reviews.is_running(&review::review_key(&table.key));
    let path = format!("/go/{}/review", table.key);
    let known = table.review.as_ref().filter(|review| review.find_line(table).is_some());
    html! {
        section.panel aria-label=(visitor.text("go-review")) {
            h2 { (visitor.text("go-review-of-the-game")) }
            @if let Some(review) = known {
                (review.render_graph(shown.moves, visitor))
                p.after-move {}
                (render_mistake_steps(visitor))
                (review.render_summary(table, visitor))
                p { a href="/go/practice" { (visitor.text("go-let-these-mistakes-be-asked-again")) } }
            } @else if !running {
                p { (visitor.text("go-ishi-goes-through-the-whole-game")) }
            }
            (render_listener_choice(visitor))
            (render_judge_choice(desk, visitor))
            @if known.is_some() { p.quiet { (visitor.text("go-review-again-for-another-listener")) } }
            button.main[known.is_none()] hx-post=(path) hx-target="#table" hx-include="[name=revision],[name=node]" hx-vals=(if running { "{}" } else { "{\"on\": \"1\"}" }) aria-pressed=(running) {
                @if running { (visitor.text("go-stop-the-review")) }
                @else if known.is_some() { (visitor.text("go-review-again")) }
                @else { (visitor.text("go-review-the-whole-game")) }
            }
            div.review-progress sse-swap=(review::growth_event(visitor.texts)) { (review::last_growth(desk, table, running, visitor)) }
        }
    }
}
