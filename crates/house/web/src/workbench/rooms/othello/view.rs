//! The pages of the room.

use std::collections::BTreeMap;

use ishi_draw::DEPTH_FILLINGS;
use ishi_lab::store::StoredDocument;
use ishi_othello::picture::{BoardPicture, FIELD, ORIGIN};
use ishi_othello::{Color, Position, Square, iter_squares};
use ishi_othello_play::coach::{LEAST_LOSS_TOLD, MoveHint, MoveJudgement, words};
use ishi_othello_play::judges::{self, BoardJudge};
use ishi_othello_play::openings::OpeningNames;
use ishi_othello_play::search::ScoreMeaning;
use maud::{Markup, PreEscaped, html};

use super::findings::{OthelloReviewGrowth, SolvingState, StudyInsight, is_solvable};
use super::game::{
    JudgedOthelloMove, OthelloGameEnd, OthelloGameState, OthelloLesson, OthelloReview, Overlay, Player, Side,
    UNTIL_PROVED,
};
use super::own;
use crate::workbench::rooms::blunder;
use crate::workbench::rooms::lessons::{
    render_learner_choice, render_mistake_steps, render_verdict, words_of_rest,
};
use crate::workbench::rooms::now_ms;
use crate::workbench::rooms::standing::render_counting;
use crate::workbench::table::TableColumn::{Numbers, Words};
use crate::workbench::table::render_scrolling_table;
use crate::workbench::texts::{LanguageTexts, args};
use crate::workbench::visitor::Visitor;

/// A name for lists of games: the players, or where nobody knows them the first moves, or the discs of a board. It is kept, and so of no language.
pub(super) fn game_title(game: &OthelloGameState) -> String {
    let side = |color: Color| {
        let player = game.player(color);
        match (game.names[color.index()].as_str(), player) {
            ("", Player::Person) => None,
            ("", Player::Engine(spec)) => Some(match (player.level(), player.rating()) {
                (Some(level), _) => format!("ishi Lv{level}"),
                (None, Some(rating)) => format!("ishi R{rating}"),
                (None, None) => spec.clone(),
            }),
            (name, _) => Some(name.to_string()),
        }
    };
    let sides = Color::ALL.map(side);
    if sides.iter().all(Option::is_none) && !game.moves.is_empty() {
        let first: String = game.moves.iter().take(6).map(String::as_str).collect();
        return if game.moves.len() > 6 { first + "…" } else { first };
    }
    let start = game.position_after(0);
    if sides.iter().all(Option::is_none) && start.setup() != Position::start().setup() {
        let [black, white] = Color::ALL.map(|color| start.discs(color).count_ones());
        return format!("X {black} – O {white}");
    }
    sides.map(|side| side.unwrap_or_else(|| "?".to_string())).join(" – ")
}

/// The players.
pub(super) fn players_heading(visitor: &Visitor, game: &OthelloGameState) -> String {
    Color::ALL.map(|color| player_name(visitor, game, color)).join(" – ")
}

/// Who plays a side: `ishi, level 5`, `ishi, rating 1000`, or the engine's own text.
fn player_name(visitor: &Visitor, game: &OthelloGameState, color: Color) -> String {
    let player = game.player(color);
    match (game.names[color.index()].as_str(), player) {
        ("", Player::Person) => visitor.text("othello-person").to_string(),
        ("", Player::Engine(spec)) => match (player.level(), player.rating()) {
            (Some(level), _) => visitor.text_with("othello-ishi-of-level", args![level]),
            (None, Some(rating)) => visitor.text_with("othello-ishi-of-rating", args![rating]),
            (None, None) => spec.clone(),
        },
        (name, _) => name.to_string(),
    }
}

pub(super) fn color_name(visitor: &Visitor, color: Color) -> &'static str {
    words::color_name(color, visitor.language)
}

// --- the board ---

/// What stands on a square besides a disc.
struct SquareValue {
    square: Square,
    text: String,
    worth: f64,
}

/// A disc more than the best loses this much of the best's colour.
const DISCS_OF_COLOUR: f64 = 4.0;

fn square_values(game: &OthelloGameState, position: &Position, hints: &[MoveHint]) -> Vec<SquareValue> {
    match &game.overlay {
        Overlay::Hints => Vec::new(),
        Overlay::Search => hints.iter().map(value_from_hint).collect(),
        Overlay::Moves(name) => {
            own::find_judge(name).map(|judge| move_values(&judge, position)).unwrap_or_default()
        }
        Overlay::Squares(name) => {
            own::find_judge(name).map(|judge| square_share_values(&judge, position)).unwrap_or_default()
        }
    }
}

fn value_from_hint(hint: &MoveHint) -> SquareValue {
    let worth = 1.0 - f64::from(hint.loss) / DISCS_OF_COLOUR;
    SquareValue { square: hint.square, text: format!("{:+}", hint.found.score), worth }
}

/// From the worst to the best of the moves.
fn move_values(judge: &BoardJudge, position: &Position) -> Vec<SquareValue> {
    let moves = judge.rank_moves(position.board(), position.to_move());
    let (Some(best), Some(worst)) = (moves.first(), moves.last()) else { return Vec::new() };
    let (best, range) = (best.1, best.1 - worst.1);
    let worth = |value: f64| if range > 0.0 { 1.0 - 2.0 * (best - value) / range } else { 1.0 };
    let shown = |&(square, value): &(Square, f64)| SquareValue {
        square,
        text: format_value(value),
        worth: worth(value),
    };
    moves.iter().map(shown).collect()
}

fn square_share_values(judge: &BoardJudge, position: &Position) -> Vec<SquareValue> {
    let shares = judge.square_shares(position.board(), position.to_move());
    let most = shares.iter().fold(0.0f64, |most, share| most.max(share.abs()));
    let shown = |square: Square| {
        let share = shares[square.index()];
        SquareValue { square, text: format_value(share), worth: if most > 0.0 { share / most } else { 0.0 } }
    };
    Square::all().map(shown).collect()
}

/// A value in few characters.
fn format_value(value: f64) -> String {
    match value.abs() {
        ..0.005 => "0".to_string(),
        ..1.0 => format!("{value:+.2}").replacen("0.", ".", 1),
        ..10.0 => format!("{value:+.1}"),
        _ => format!("{value:+.0}"),
    }
}

/// The board to click on, with its description.
pub(super) fn render_board(
    visitor: &Visitor,
    key: &str,
    game: &OthelloGameState,
    hints: &[MoveHint],
) -> Markup {
    let position = game.position();
    let values = square_values(game, &position, hints);
    let on_squares = matches!(game.overlay, Overlay::Squares(_));
    let picture =
        values.iter().fold(BoardPicture::from_position(&position).with_hints(&position), |picture, value| {
            if on_squares {
                picture.with_heat(value.square, value.worth)
            } else {
                picture.with_value(value.square, &value.text, value.worth)
            }
        });
    let picture = match values.iter().max_by(|a, b| a.worth.total_cmp(&b.worth)) {
        Some(best) if !on_squares => picture.with_ring(best.square),
        _ => picture,
    };
    let label = visitor.text("othello-othello-board");
    let seen = format!("{}/{}", game.at, game.moves.len());
    html! {
        div #othello-board.board data-steps tabindex="0" role="application" aria-label=(label) aria-describedby="othello-told"
            data-columns="8" data-rows="8" data-margin=(ORIGIN) data-field=(FIELD) data-downwards data-letters="abcdefgh"
            data-action={ "/othello/" (key) "/point" } data-target="#othello-none" data-swap="none" data-with="seen"
            data-says="othello-place" data-stones=(describe_squares(visitor, &position, &values)) {
            (PreEscaped(picture.with_title(label).with_depth().to_svg()))
        }
        (render_legend(visitor, game, &position))
        p #othello-place.unseen aria-live="polite" {}
        input type="hidden" name="seen" value=(seen) data-place=(place_name(game));
        div #othello-told.unseen { (render_description(visitor, &position, &values)) }
    }
}

/// The board of a question, which is answered on it: an answer is sent to this path, and what comes back takes the place of `#card`. A board without a path is
/// answered.
pub(super) fn render_question_board(
    visitor: &Visitor,
    position: &Position,
    picture: BoardPicture,
    path: Option<&str>,
) -> Markup {
    let label = visitor.text("othello-othello-board");
    let legal: Vec<String> =
        iter_squares(position.board().legal_moves()).map(|square| square.to_string()).collect();
    let ghost = if position.to_move() == Color::Black { "black" } else { "white" };
    html! {
        div #card-board.board tabindex="0" role="application" aria-label=(label) aria-describedby="card-told"
            data-columns="8" data-rows="8" data-margin=(ORIGIN) data-field=(FIELD) data-downwards data-letters="abcdefgh"
            data-action=[path] data-target=[path.map(|_| "#card")] data-with="asked" data-says="card-says"
            data-stones=(describe_squares(visitor, position, &[])) data-ghost=(ghost) data-ghost-at=(legal.join(" ")) {
            (PreEscaped(picture.with_title(label).with_depth().to_svg()))
            div.layer.hover {}
        }
        p #card-says.unseen aria-live="polite" {}
        div #card-told.unseen { (render_description(visitor, position, &[])) }
    }
}

/// What is shown on the squares, and the moves that lead to the place: the page keeps what is drawn and thought of it under this name.
fn place_name(game: &OthelloGameState) -> String {
    format!("{} {}", game.overlay.name(), game.moves[..game.at.min(game.moves.len())].concat())
}

/// What stands where, for the cursor.
fn describe_squares(visitor: &Visitor, position: &Position, values: &[SquareValue]) -> String {
    let mut told: BTreeMap<String, String> = BTreeMap::new();
    for color in Color::ALL {
        for square in iter_squares(position.discs(color)) {
            told.insert(square.to_string(), color_name(visitor, color).to_lowercase());
        }
    }
    for square in iter_squares(position.board().legal_moves()) {
        told.insert(square.to_string(), visitor.text("othello-may-be-played").to_string());
    }
    for value in values {
        let text = told.entry(value.square.to_string()).or_default();
        *text = format!("{text} {}", value.text).trim().to_string();
    }
    serde_json::to_string(&told).unwrap_or_default()
}

fn render_description(visitor: &Visitor, position: &Position, values: &[SquareValue]) -> Markup {
    let list = |bits: u64| iter_squares(bits).map(|square| square.to_string()).collect::<Vec<_>>().join(" ");
    html! {
        ul {
            @for color in Color::ALL {
                li { (color_name(visitor, color)) (visitor.text("workbench-colon")) (list(position.discs(color))) }
            }
            li { (visitor.text("othello-legal-moves")) (visitor.text("workbench-colon")) (list(position.board().legal_moves())) }
            @if !values.is_empty() {
                li {
                    (visitor.text("othello-values")) (visitor.text("workbench-colon"))
                    @for value in values { (value.square) " " (value.text) " " }
                }
            }
        }
    }
}

/// The board after a variation, its moves numbered. It lies over the board of the page, which has brought what its discs are filled with.
pub(super) fn draw_variation(position: &Position, line: &[Square]) -> String {
    let mut after = position.clone();
    let mut numbered = Vec::new();
    for &square in line {
        after.pass_if_forced();
        if after.play(ishi_othello::Move::Play(square)).is_err() {
            break;
        }
        numbered.push(square);
    }
    let picture = BoardPicture::from_position(&after).without_last_ring();
    let label = |picture: BoardPicture, (number, square): (usize, &Square)| {
        picture.with_label(*square, (number + 1).to_string())
    };
    let picture = numbered.iter().enumerate().fold(picture, label);
    picture.with_depth().to_svg().replace(DEPTH_FILLINGS, "")
}

// --- who is to move, clocks, buttons ---

/// A button that asks the server for something.
fn render_button(key: &str, id: &str, action: &str, text: &str, enabled: bool) -> Markup {
    html! {
        button id={ "othello-" (id) } hx-post={ "/othello/" (key) "/" (action) } hx-swap="none" disabled[!enabled] { (text) }
    }
}

/// The bar below the board: how the game stands, steps, and what can be done. Steps and words are the page's own (`ui/othello_game.ts`).
pub(super) fn render_status(visitor: &Visitor, key: &str, game: &OthelloGameState) -> Markup {
    html! {
        p.state.othello-state role="status" { (render_game_state(visitor, game, &game.position())) }
        (render_controls(visitor, key, game))
    }
}

/// A disc beside words, called so for those who do not see it; without a name it is not told. The signs ● and ○ would look like the other colour where
/// the page is dark.
pub(in crate::workbench::rooms) fn render_disc(color: Color, name: &str) -> Markup {
    let side = if color == Color::Black { "black" } else { "white" };
    let is_told = !name.is_empty();
    html! {
        span class={ "disc " (side) } role=[is_told.then_some("img")] aria-label=[is_told.then_some(name)]
            aria-hidden=[(!is_told).then_some("true")] {}
    }
}

/// Who plays, who is to move, and the count.
pub(super) fn render_sides(visitor: &Visitor, key: &str, game: &OthelloGameState) -> Markup {
    let position = game.position();
    html! {
        table.othello-sides {
            caption.unseen { (visitor.text("othello-players")) }
            thead { tr {
                th scope="col" { (visitor.text("othello-side")) }
                th scope="col" { (visitor.text("othello-player")) }
                th.number scope="col" { (visitor.text("othello-discs-in-view")) }
                @if game.clock.is_some() { th.number scope="col" { (visitor.text("othello-time")) } }
            } }
            tbody {
                @for color in Color::ALL {
                    tr data-color=(if color == Color::Black { "X" } else { "O" })
                        aria-current=[(position.to_move() == color && !position.is_over()).then_some("true")] {
                        th scope="row" { (render_disc(color, "")) " " (color_name(visitor, color)) }
                        td.othello-name { (player_name(visitor, game, color)) }
                        td.number.discs { (position.discs(color).count_ones()) }
                        @if game.clock.is_some() { td.number { (render_clock(key, game, color)) } }
                    }
                }
            }
        }
        @if game.is_taught() { p.quiet { (visitor.text("othello-teaching-game")) } }
        (render_counting(game.is_rated(), visitor))
    }
}

/// A blunder of a teaching game, with the choice to take it back. The deeds are about the last move, wherever one looks.
pub(super) fn render_warning(visitor: &Visitor, key: &str, game: &OthelloGameState) -> Markup {
    let Some(warning) = &game.warning else { return html! {} };
    let render_button = |deed: &str, words: &str| {
        html! { button hx-post={ "/othello/" (key) "/" (deed) } hx-swap="none" data-free { (words) } }
    };
    let title = visitor.text_with("othello-wait-square-is-a-blunder", args![square = warning.vertex]);
    let last = game.moves.len();
    blunder::render_warning(visitor, warning, &title, last, ["take-back", "leave"], render_button)
}

/// What a side has left. The script counts it down, and asks at its end.
fn render_clock(key: &str, game: &OthelloGameState, color: Color) -> Markup {
    let left = game.time_left(color, now_ms()).unwrap_or(0);
    let runs = game.is_at_end()
        && !game.is_over()
        && game.position().to_move() == color
        && game.clock.as_ref().is_some_and(|clock| clock.since.is_some());
    let ask = format!("/othello/{key}/flag");
    html! {
        span data-clock=[runs.then_some(left)] data-ask=(ask) { (left / 60_000) ":" (format!("{:02}", left / 1000 % 60)) }
    }
}

fn render_game_state(visitor: &Visitor, game: &OthelloGameState, position: &Position) -> Markup {
    let winner = |color: Color| match color {
        Color::Black => visitor.text("othello-black-wins"),
        Color::White => visitor.text("othello-white-wins"),
    };
    if game.is_at_end() {
        match game.end {
            Some(OthelloGameEnd::Resigned(side)) => {
                return html! { (winner(!side.color())) (visitor.text("othello-by-resignation")) };
            }
            Some(OthelloGameEnd::Timeout(side)) => {
                return html! { (winner(!side.color())) (visitor.text("othello-on-time")) };
            }
            None => {}
        }
    }
    if position.is_over() {
        let score = position.score();
        return html! {
            (visitor.text("othello-the-game-is-over-label"))
            @match score {
                0 => (visitor.text("othello-a-draw")),
                1.. => { (winner(Color::Black)) " " (format!("{score:+}")) },
                _ => { (winner(Color::White)) " " (format!("{:+}", -score)) },
            }
        };
    }
    let color = color_name(visitor, position.to_move());
    let passed = position.moves().last().is_some_and(|(_, mv)| mv.square().is_none());
    html! {
        @if passed {
            (color_name(visitor, !position.to_move())) (visitor.text("othello-had-to-pass"))
        }
        (color) (visitor.text("othello-to-move"))
        @if game.is_to_be_judged() { (visitor.text("workbench-colon")) (visitor.text("othello-your-move-is-looked-at-first")) }
        @else if game.engine_to_move().is_some() { (visitor.text("workbench-colon")) (visitor.text("othello-the-engine-is-thinking")) }
        @else if game.paused && game.is_at_end() { (visitor.text("workbench-colon")) (visitor.text("othello-engines-wait")) }
        @if !game.is_at_end() {
            (visitor.text("workbench-comma")) (visitor.text("othello-looking-back")) " (" (game.at) "/" (game.moves.len()) ")"
        }
    }
}

fn render_controls(visitor: &Visitor, key: &str, game: &OthelloGameState) -> Markup {
    let over = game.is_over();
    let has_engine = game.players.iter().any(|player| *player != Player::Person);
    let has_person = game.players.contains(&Player::Person);
    let step = |id: &str, key_name: &str, by: &str, sign: &str, words: &str, enabled: bool| {
        html! {
            button type="button" id={ "othello-" (id) } data-key=(key_name) data-step=(by) disabled[!enabled]
                aria-label=(words) title=(words) { span aria-hidden="true" { (sign) } }
        }
    };
    html! {
        nav.row.steps aria-label=(visitor.text("othello-moves-of-the-game")) {
            (step("first", "Home", "first", "|‹", visitor.text("othello-to-the-start"), game.at > 0))
            (step("back", "ArrowLeft", "-1", "‹", visitor.text("othello-one-move-back"), game.at > 0))
            label.move-number {
                span.unseen { (visitor.text("othello-move-in-view")) }
                input #move-number type="number" min="0" max=(game.moves.len()) inputmode="numeric" autocomplete="off" value=(game.at);
                " / " span.move-count { (game.moves.len()) }
            }
            (step("forth", "ArrowRight", "1", "›", visitor.text("othello-one-move-on"), !game.is_at_end()))
            (step("last", "End", "last", "›|", visitor.text("othello-to-the-last-move"), !game.is_at_end()))
        }
        div.row.deeds role="group" aria-label=(visitor.text("othello-the-game")) {
            (render_button(key, "undo", "undo", visitor.text("othello-take-back"), game.at > 0))
            @if has_person {
                button #othello-resign hx-post={ "/othello/" (key) "/resign" } hx-swap="none" disabled[over]
                    hx-confirm=(visitor.text("othello-resign-question")) { (visitor.text("othello-resign")) }
            }
            @if has_engine && !over {
                @if game.paused { (render_button(key, "pause", "continue", visitor.text("othello-engines-go-on"), true)) }
                @else { (render_button(key, "pause", "pause", visitor.text("othello-stop-the-engine"), true)) }
            }
            @if game.left.is_some() {
                (render_button(key, "return", "return", visitor.text("othello-the-line-that-was-left"), true))
            }
        }
    }
}

/// The moves up to the board's position, or the board if they do not begin at the start.
fn format_transcript(game: &OthelloGameState) -> String {
    let position = game.position();
    if position.setup() == Position::start().setup() {
        return position.squares_played().map(|square| square.to_string()).collect();
    }
    position.to_line().replace(' ', "%20")
}

// --- the list of moves, and texts ---

/// The moves to click on, and the opening's name.
pub(super) fn render_moves(visitor: &Visitor, key: &str, game: &OthelloGameState) -> Markup {
    let position = game.position();
    let whole = game.position_after(game.moves.len());
    let name = OpeningNames::builtin().title_of_game(&position, visitor.language);
    let review = game.current_review();
    html! {
        (render_boards(visitor, game))
        p { a.button.play-on href={ "/othello?from=" (format_transcript(game)) } { (visitor.text("othello-play-on-from-here")) } }
        p { (visitor.text("othello-opening-label")) b { (name.unwrap_or(visitor.text("othello-none"))) } }
        ol.othello-moves {
            @for (index, (color, square)) in played_moves(&whole).into_iter().enumerate() {
                @let judged = review.and_then(|review| review.judged.iter().find(|judged| judged.number == index + 1));
                @let judgement = judged.map(|judged| MoveJudgement::from_loss(judged.loss)).filter(|judgement| *judgement > MoveJudgement::Good);
                li {
                    button type="button" id={ "othello-move-" (index + 1) } data-to=(index + 1) aria-current=[(game.at == index + 1).then_some("step")] {
                        (render_disc(color, color_name(visitor, color))) " " (square)
                        @if let Some(judgement) = judgement {
                            " " span.bad title=(words::judgement_name(judgement, visitor.language)) { (judgement_badge(judgement)) }
                            span.unseen { " " (words::judgement_name(judgement, visitor.language)) }
                        }
                    }
                }
            }
        }
        @if game.moves.is_empty() { p.quiet { (visitor.text("othello-no-moves-yet")) } }
        details #othello-downloads {
            summary { (visitor.text("othello-copy-and-download")) }
            label for="othello-transcript" { (visitor.text("othello-transcript")) }
            textarea #othello-transcript rows="3" readonly { (whole.to_transcript()) }
            label for="othello-diagram" { (visitor.text("othello-board")) }
            textarea #othello-diagram rows="10" readonly { (position.to_diagram()) }
            div.row {
                button data-copy="#othello-transcript" { (visitor.text("othello-copy-the-transcript")) }
                button data-copy="#othello-diagram" { (visitor.text("othello-copy-the-board")) }
                @for (ending, name) in [("sgf", "SGF"), ("ggf", "GGF"), ("obf", "OBF"), ("txt", visitor.text("othello-transcript-in-view")), ("svg", "SVG"), ("html", visitor.text("othello-share-html"))] {
                    a href={ "/othello/" (key) "/game." (ending) } download { (name) }
                }
            }
        }
    }
}

/// A position as the page has it: 64 letters as [`Position::to_line`] has them, who is to move (nobody: nothing), where that side may play,
/// and whether the other one had to pass.
pub(super) fn describe_place(position: &Position) -> serde_json::Value {
    let board: String = position.to_line().chars().take(64).collect();
    let over = position.is_over();
    let legal: String = match over {
        true => String::new(),
        false => iter_squares(position.board().legal_moves()).map(|square| square.to_string()).collect(),
    };
    let mover = if over { "" } else { side_letter(position.to_move()) };
    let passed = position.moves().last().is_some_and(|(_, mv)| mv.square().is_none());
    serde_json::json!([board, mover, legal, passed && !over])
}

fn side_letter(color: Color) -> &'static str {
    if color == Color::Black { "X" } else { "O" }
}

/// What the page says by itself.
pub(super) fn page_words(visitor: &Visitor, game: &OthelloGameState) -> serde_json::Value {
    let say = |id| visitor.text(id);
    serde_json::json!({
        "X": color_name(visitor, Color::Black),
        "O": color_name(visitor, Color::White),
        "passed": say("othello-color-had-to-pass"),
        "toMove": say("othello-color-to-move"),
        "looking": say("othello-looking-back-at-count"),
        "last": words_of_end(visitor, game),
        "study": say("othello-looking"),
        "off": say("othello-the-analysis-is-off"),
        "may": say("othello-may-be-played"),
        "line": say("othello-a-line-move-at-of-count"),
        "leaveFirst": say("othello-a-line-is-shown-go-back"),
        "back": say("othello-back-to-the-game"),
        "walk": say("othello-walk-through-line"),
        "moveNumber": say("workbench-move-number"),
        "plays": say("othello-color-plays-square-count-flipped"),
    })
}

/// How the game stands after its last move.
pub(super) fn words_of_end(visitor: &Visitor, game: &OthelloGameState) -> String {
    let mut at_end = game.clone();
    at_end.at = game.moves.len();
    render_game_state(visitor, &at_end, &at_end.position()).into_string()
}

/// The game, so that the page steps through it by itself (`ui/othello_game.ts`), and the words that it needs.
fn render_boards(visitor: &Visitor, game: &OthelloGameState) -> Markup {
    let places: Vec<_> =
        (0..=game.moves.len()).map(|count| describe_place(&game.position_after(count))).collect();
    let thinks = game.study || !matches!(game.overlay, Overlay::Hints);
    let known = serde_json::json!({
        "at": game.at,
        "places": places,
        "moves": game.moves,
        "thinks": thinks,
        "overlay": game.overlay.name(),
        "words": page_words(visitor, game),
    });
    // A document that was written by hand may hold anything, and nothing is escaped inside a script.
    let text = known.to_string().replace('<', "\\u003c").replace('&', "\\u0026");
    html! { script #othello-boards type="application/json" { (PreEscaped(text)) } }
}

pub(super) fn judgement_badge(judgement: MoveJudgement) -> &'static str {
    match judgement {
        MoveJudgement::Best | MoveJudgement::Good => "",
        MoveJudgement::Inaccuracy => "?!",
        MoveJudgement::Mistake => "?",
        MoveJudgement::Blunder => "??",
    }
}

/// Moves with who made them, passes left out.
fn played_moves(game: &Position) -> Vec<(Color, Square)> {
    game.moves().iter().filter_map(|&(color, mv)| Some((color, mv.square()?))).collect()
}

// --- analysis ---

/// The analysis' switch and depth. They stand apart from what it finds, so that nothing is put in anew while somebody chooses.
pub(super) fn render_study_switch(visitor: &Visitor, key: &str, game: &OthelloGameState) -> Markup {
    let words =
        if game.study { visitor.text("othello-stop-analysing") } else { visitor.text("othello-analyse") };
    html! {
        div.row {
            button #othello-study aria-pressed=(game.study) data-key="a" hx-post={ "/othello/" (key) "/study" } hx-swap="none"
                hx-vals={ "{\"on\":" (!game.study) "}" } { (words) }
            label for="othello-level" { (visitor.text("othello-up-to-level")) }
            select #othello-level name="level" hx-post={ "/othello/" (key) "/level" } hx-swap="none" {
                @for level in 5..=20u8 { option value=(level) selected[level == game.level && !game.until_proved] { (level) } }
                option value=(UNTIL_PROVED) selected[game.until_proved] { (visitor.text("othello-until-all-is-exact")) }
            }
        }
    }
}

/// What the analysis has found.
pub(super) fn render_study(
    visitor: &Visitor,
    game: &OthelloGameState,
    insight: Option<&StudyInsight>,
) -> Markup {
    // The page keeps it by its place.
    html! {
        div data-place=(place_name(game)) data-done[insight.is_some_and(|insight| insight.done) || game.position().is_over()] {
            @if game.study { (render_insights(visitor, game, insight)) }
            @else { p.quiet { (visitor.text("othello-the-analysis-is-off")) } }
        }
    }
}

fn render_insights(visitor: &Visitor, game: &OthelloGameState, insight: Option<&StudyInsight>) -> Markup {
    let Some(insight) = insight else {
        let words = if game.position().is_over() {
            visitor.text("othello-the-game-is-over-sentence")
        } else if game.engine_to_move().is_some() {
            visitor.text("othello-the-engine-is-to-move-the")
        } else {
            visitor.text("othello-looking")
        };
        return html! { p.quiet { (words) } };
    };
    html! {
        (render_scrolling_table(visitor.text("othello-values-of-the-moves"), &[
            Words(visitor.text("othello-move")), Numbers(visitor.text("othello-discs")), Words(visitor.text("othello-sure")),
            Words(visitor.text("othello-line")), Words(visitor.text("othello-why")),
        ], html! { @for hint in &insight.hints { (render_hint_row(visitor, hint, game.position().to_move())) } }))
        p.quiet {
            @match insight.level {
                Some(level) => { (visitor.text("othello-level-in-view")) (level) }
                None => (visitor.text("othello-further-than-any-level")),
            }
            @if insight.done { (visitor.text("workbench-colon")) (visitor.text("othello-done")) } @else { " …" }
        }
        @if insight.hints.iter().any(|hint| hint.found.meaning != ScoreMeaning::Exact) {
            p.quiet { (visitor.text("othello-what-sure-means")) }
        }
    }
}

fn render_hint_row(visitor: &Visitor, hint: &MoveHint, mover: Color) -> Markup {
    let line: Vec<String> = hint.found.variation.iter().map(|square| square.to_string()).collect();
    let opening = hint.opening.and_then(|opening| opening.name(visitor.language));
    let why = words::describe_hint(hint, mover, visitor.language);
    html! {
        tr data-line=(line.join("")) {
            th scope="row" { button id={ "othello-line-" (hint.square) } data-at=(hint.square) { (hint.square) } }
            td.number { (format!("{:+}", hint.found.score)) }
            td { (words::sureness_text(&hint.found, visitor.language)) }
            td.othello-line { (line[..line.len().min(8)].join(" ")) }
            td { @if let Some(opening) = opening { b { (opening) } " " } (why) }
        }
    }
}

/// What may be shown on the squares.
pub(super) fn render_overlay_choice(
    visitor: &Visitor,
    key: &str,
    game: &OthelloGameState,
    evaluations: &[StoredDocument],
) -> Markup {
    let chosen = game.overlay.name();
    let option =
        |name: String, words: &str| html! { option value=(name) selected[name == chosen] { (words) } };
    html! {
        div.row {
            label for="othello-overlay" { (visitor.text("othello-on-the-squares")) }
            select #othello-overlay name="overlay" hx-post={ "/othello/" (key) "/overlay" } hx-swap="none" {
                (option("hints".into(), visitor.text("othello-where-one-may-play")))
                (option("search".into(), visitor.text("othello-values-of-the-moves-by-search")))
                optgroup label=(visitor.text("othello-moves-one-ply-ahead")) {
                    @for entry in judges::ENTRIES { (render_evaluation_option(visitor, "moves", entry.name, entry.about(visitor.language), &chosen)) }
                    @for own in evaluations { (render_evaluation_option(visitor, "moves", &own::judge_name(&own.key), &own.title, &chosen)) }
                }
                optgroup label=(visitor.text("othello-heat-map-what-each-square-adds")) {
                    @for entry in judges::ENTRIES { (render_evaluation_option(visitor, "squares", entry.name, entry.about(visitor.language), &chosen)) }
                    @for own in evaluations { (render_evaluation_option(visitor, "squares", &own::judge_name(&own.key), &own.title, &chosen)) }
                }
            }
        }
    }
}

/// An evaluation to choose. What is shown of it is said again, for a closed list shows no headings.
fn render_evaluation_option(visitor: &Visitor, kind: &str, name: &str, about: &str, chosen: &str) -> Markup {
    let value = format!("{kind}:{name}");
    let what = match kind {
        "moves" => visitor.text("othello-moves-label"),
        _ => visitor.text("othello-heat"),
    };
    html! { option value=(value) selected[value == chosen] { (what) (about) } }
}

/// What the colours say.
fn render_legend(visitor: &Visitor, game: &OthelloGameState, position: &Position) -> Markup {
    let color = color_name(visitor, position.to_move());
    let words = match &game.overlay {
        Overlay::Hints => return html! {},
        Overlay::Search => visitor.text("othello-discs-with-best-play-blue-is"),
        Overlay::Moves(_) => visitor.text("othello-the-evaluation-after-the-move-blue"),
        Overlay::Squares(_) => visitor.text("othello-what-each-square-adds-for-the"),
    };
    let sum = match &game.overlay {
        Overlay::Squares(name) => own::find_judge(name)
            .map(|judge| judge.square_shares(position.board(), position.to_move()).iter().sum::<f64>()),
        _ => None,
    };
    html! {
        p.quiet.legend {
            (words)
            @if let Some(sum) = sum { " " (color) (visitor.text("workbench-colon")) (visitor.text("othello-sum")) (format_value(sum)) }
        }
    }
}

/// The exact score on demand.
pub(super) fn render_exact_score(
    visitor: &Visitor,
    key: &str,
    game: &OthelloGameState,
    solving: Option<&SolvingState>,
) -> Markup {
    let position = game.position();
    let empties = position.board().empty_count();
    if let Some(solving) = solving {
        return html! {
            p {
                span data-heard { (visitor.text("othello-solving")) (solving.empties) (visitor.text("othello-empty-squares")) } " … "
                (format!("{:.0} s", solving.seconds))
                @if let Some(best) = &solving.best {
                    (visitor.text("workbench-comma")) (visitor.text("othello-so-far")) (best.mv) " " (format!("{:+}", best.score))
                    " (" (words::sureness_text(best, visitor.language)) ")"
                }
            }
            progress aria-label=(visitor.text("othello-solving-in-view")) max="100" value=[solving.best.as_ref().and_then(|best| depth_percent(best.depth, solving.empties))] {}
            (render_button(key, "stop-exact", "stop-exact", visitor.text("othello-stop"), true))
        };
    }
    html! {
        @if let Some(solved) = game.current_solution() {
            p data-heard { b { (color_name(visitor, position.to_move())) " " (format!("{:+}", solved.score)) }
                " " (visitor.text("othello-with-best-play-by-both-proved")) }
            p.othello-line data-line=(solved.line.join("")) tabindex="0" { (solved.line.join(" ")) }
            p.quiet { (solved.nodes) (visitor.text("othello-positions")) (format!("{:.1} s", solved.milliseconds as f64 / 1000.0)) }
        } @else if position.is_over() {
            p.quiet { (visitor.text("othello-the-game-is-over-sentence")) }
        } @else if is_solvable(position.board()) {
            (render_button(key, "solve", "solve", visitor.text("othello-solve-the-endgame"), true))
            p.quiet { (empties) (visitor.text("othello-empty-squares")) }
        } @else {
            p.quiet { (visitor.text("othello-from-30-empty-squares-on-the")) }
        }
    }
}

/// How far the middle game is searched. Nobody knows how long a search to the end goes on until it is a proof.
fn depth_percent(depth: u32, empties: u32) -> Option<u32> {
    (depth < empties).then(|| 100 * depth / empties)
}

// --- the review ---

/// The levels of reviews that the page offers.
const REVIEW_LEVELS: [u8; 5] = [8, 10, 12, 14, 16];

/// The level that stands beside the button: that of the review that is shown, if it can be chosen, else the middle one.
fn chosen_review_level(shown: Option<&OthelloReview>) -> u8 {
    shown.map(|review| review.level).filter(|level| REVIEW_LEVELS.contains(level)).unwrap_or(12)
}

/// The coach's review of the game, which may still grow.
pub(super) fn render_review(
    visitor: &Visitor,
    key: &str,
    game: &OthelloGameState,
    growth: Option<OthelloReviewGrowth>,
) -> Markup {
    let shown = game.current_review();
    html! {
        @if let Some(OthelloReviewGrowth { left, seconds_left }) = growth {
            @let total = game.moves.len().max(1);
            p {
                span data-heard { (visitor.text("othello-judging-moves-left")) } (left) " "
                span.quiet.time-left { (words_of_rest(left == 0, seconds_left, visitor)) }
            }
            progress max=(total) value=(total - left.min(total)) aria-label=(visitor.text("othello-review")) {}
            (render_button(key, "stop-review", "stop-review", visitor.text("othello-stop"), true))
        } @else {
            @if shown.is_none() { p { (visitor.text("othello-ishi-goes-through-the-whole-game")) } }
            form.row hx-post={ "/othello/" (key) "/review" } hx-swap="none" {
                label for="othello-review-level" { (visitor.text("othello-level-of-review")) }
                select #othello-review-level name="level" {
                    @for level in REVIEW_LEVELS { option value=(level) selected[level == chosen_review_level(shown)] { (level) } }
                }
                button #othello-review.main[shown.is_none()] disabled[game.moves.is_empty()] { (visitor.text("othello-review-the-game")) }
            }
        }
        @if let Some(review) = shown {
            (super::graph::render_graph(visitor, game, review))
            @for (at, summary) in review.summaries.iter().enumerate() { p data-heard[at == 0 && growth.is_none()] { (visitor.language.choose(&summary[0], &summary[1])) } }
            (render_lessons(visitor, game, review))
            (render_faults(visitor, review))
            @if growth.is_none() && review.complete {
                p {
                    a.button href={ "/othello/" (key) "/game.html" } download title=(visitor.text("othello-one-file-that-shows-game-review")) {
                        (visitor.text("othello-share-html"))
                    }
                }
            }
        }
    }
}

/// The letter of a side, as lessons of both games name it.
pub(super) fn lesson_letter(side: Side) -> &'static str {
    if side == Side::Black { "B" } else { "W" }
}

/// The lessons, each with a question that is answered on the board (`ui/lesson.ts`).
fn render_lessons(visitor: &Visitor, game: &OthelloGameState, review: &OthelloReview) -> Markup {
    let person = match &game.players {
        [Player::Person, Player::Engine(_)] => "B",
        [Player::Engine(_), Player::Person] => "W",
        _ => "",
    };
    html! {
        @if !review.lessons.is_empty() {
            h3 { (visitor.text("othello-lessons")) }
            (render_learner_choice(visitor, person))
        }
        @if review.complete && !review.lessons.is_empty() {
            p { a href="/othello/practice" { (visitor.text("othello-let-these-mistakes-be-asked-again")) } }
        }
        @for lesson in &review.lessons {
            @if let Some(judged) = review.judged.iter().find(|judged| judged.number == lesson.number) {
                (render_lesson(visitor, lesson, judged))
            }
        }
    }
}

/// The move that a lesson asks about.
pub(super) fn lesson_title(
    texts: &LanguageTexts,
    lesson: &OthelloLesson,
    judged: &JudgedOthelloMove,
) -> String {
    let (number, square) = (lesson.number, &judged.square);
    let name = words::color_name(lesson.side.color(), texts.language);
    texts.text_with("othello-lesson-title", args![number, name, square])
}

/// What a lesson asks.
pub(super) fn lesson_question(texts: &LanguageTexts, judged: &JudgedOthelloMove) -> String {
    let (square, loss) = (&judged.square, judged.loss);
    texts.text_with("othello-lost-discs-what-is-better", args![square, loss])
}

fn render_lesson(visitor: &Visitor, lesson: &OthelloLesson, judged: &JudgedOthelloMove) -> Markup {
    let say = |id| visitor.text(id);
    let title = lesson_title(visitor.texts, lesson, judged);
    let question = lesson_question(visitor.texts, judged);
    html! {
        div.lesson data-number=(lesson.number) data-color=(lesson_letter(lesson.side)) data-played=(judged.square)
            data-answers=(lesson.answers.join(" ")) {
            h4 { (title) }
            p.question { (question) }
            div.row {
                button.main type="button" data-lesson="try" { (say("othello-try-it-here")) }
                @for &number in &lesson.numbers {
                    button type="button" data-to=(number - 1) {
                        (visitor.text_with("othello-move-number", args![number]))
                    }
                }
            }
            (render_verdict(visitor))
            details.answer id={ "answer-" (lesson.number) } {
                summary { (say("othello-answer")) }
                p { strong { (lesson.answers.join(", ")) } " " (format!("({:+})", judged.better_value)) }
                @if !judged.why[0].is_empty() { p { (visitor.language.choose(&judged.why[0], &judged.why[1])) } }
                p { (visitor.language.choose(&lesson.text[0], &lesson.text[1])) }
                div.row {
                    (render_line_button(visitor, ("better", say("othello-the-better-line")), &judged.line))
                    (render_line_button(visitor, ("refuted", say("othello-what-followed")), &judged.refutation))
                }
            }
        }
    }
}

/// A line of a lesson to walk through, with its first moves; nothing if it has none.
fn render_line_button(visitor: &Visitor, (kind, words): (&str, &str), line: &[String]) -> Markup {
    html! {
        @if !line.is_empty() {
            button type="button" data-lesson=(kind) data-moves=(line.join(",")) { (words) (visitor.text("workbench-colon")) (line[..line.len().min(4)].join(" ")) }
        }
    }
}

/// What a move is called: `blunder, the losing move (estimated)`.
fn render_judgement(visitor: &Visitor, judged: &JudgedOthelloMove) -> Markup {
    html! {
        (words::judgement_name(MoveJudgement::from_loss(judged.loss), visitor.language))
        @if judged.turned { (visitor.text("workbench-comma")) b { (visitor.text("othello-the-losing-move")) } }
        @if !judged.proved { (visitor.text("othello-estimated-behind")) }
    }
}

fn render_faults(visitor: &Visitor, review: &OthelloReview) -> Markup {
    let mut worst: Vec<_> =
        review.judged.iter().filter(|judged| judged.loss >= LEAST_LOSS_TOLD || judged.turned).collect();
    worst.sort_by_key(|judged| (!judged.turned, -judged.loss));
    html! {
        @if worst.is_empty() {
            @if review.complete { p { (visitor.text("othello-no-move-lost-2-discs-or")) } }
        } @else {
            (render_mistake_steps(visitor))
            (render_scrolling_table(visitor.text("othello-moves-that-lost-most"), &[
                Words(visitor.text("othello-move")), Numbers(visitor.text("othello-lost")), Words(visitor.text("othello-better")), Words(visitor.text("othello-why")),
            ], html! {
                @for judged in worst.iter().take(12) {
                    tr data-line=(judged.line.join("")) data-after=(judged.number - 1) data-color=(lesson_letter(judged.side)) {
                        th scope="row" {
                            button type="button" id={ "othello-fault-" (judged.number) } data-to=(judged.number - 1) {
                                (judged.number) ". " (color_name(visitor, judged.side.color())) " " (judged.square)
                            }
                        }
                        td.number { (judged.loss) }
                        td { (judged.better) " " (format!("{:+}", judged.better_value)) }
                        td {
                            (render_judgement(visitor, judged))
                            @if !judged.why[0].is_empty() { (visitor.text("workbench-colon")) (visitor.language.choose(&judged.why[0], &judged.why[1])) }
                        }
                    }
                }
            }))
        }
    }
}

#[cfg(test)]
mod tests {
    use ishi_sgf::othello_records::OthelloRecord;
    use ishi_words::Language;

    use super::*;

    #[test]
    fn a_variation_has_the_discs_of_the_board_that_it_lies_over() {
        let line: Vec<Square> = ["f5", "d6"].map(|name| name.parse().unwrap()).to_vec();
        let drawn = draw_variation(&Position::start(), &line);
        let count = |part: &str| drawn.matches(part).count();
        assert_eq!(
            (count("url(#stone-black)"), count("url(#stone-white)"), count("url(#stone-shadow)")),
            (3, 3, 6)
        );
        assert!(!drawn.contains("<defs>"), "the board below has brought the fillings: {drawn}");
    }

    #[test]
    fn a_losing_move_is_called_so_with_the_signs_of_the_language() {
        let judged = JudgedOthelloMove {
            number: 4,
            side: Side::White,
            square: "c7".to_string(),
            value: -8,
            loss: 20,
            proved: false,
            turned: true,
            forced: false,
            better: "e3".to_string(),
            better_value: 4,
            line: Vec::new(),
            refutation: Vec::new(),
            why: Default::default(),
        };
        let words = |language| render_judgement(&Visitor::for_language(language), &judged).into_string();
        assert_eq!(words(Language::English), "blunder, <b>the losing move</b> (estimated)");
        assert_eq!(words(Language::Japanese), "悪手、<b>敗着</b>（推定）");
    }

    #[test]
    fn the_level_of_a_review_stays_chosen() {
        let of_level = |level| OthelloReview {
            level,
            moves: Vec::new(),
            judged: Vec::new(),
            complete: true,
            summaries: Vec::new(),
            lessons: Vec::new(),
        };
        let chosen = [8, 16, 3].map(|level| chosen_review_level(Some(&of_level(level))));
        assert_eq!((chosen, chosen_review_level(None)), ([8, 16, 12], 12));
    }

    /// Before the end of a game its end can be solved, or will be. After it there is nothing to solve.
    #[test]
    fn a_game_that_is_over_is_not_offered_for_solving() {
        let told = |moves: &str, language| {
            let record = OthelloRecord::from_game(Position::from_transcript(moves).unwrap());
            let game = OthelloGameState::from_record(&record, 1);
            render_exact_score(&Visitor::for_language(language), "key", &game, None).into_string()
        };
        let (early, over) = ("f5d6c3", "e6f4e3f6g5d6e7f5c5");
        let sentences = [
            (Language::English, "From 30 empty squares on", "The game is over."),
            (Language::Japanese, "空きマスが30以下", "終局しています。"),
        ];
        for (language, later, ended) in sentences {
            assert!(told(early, language).contains(later), "{}", told(early, language));
            assert_eq!(told(over, language), format!("<p class=\"quiet\">{ended}</p>"));
        }
    }

    #[test]
    fn a_game_against_a_level_or_a_rating_is_listed_by_it() {
        let ishi = Player::Engine("othello:level=5".to_string());
        let rated = Player::Engine("othello:rating=1000".to_string());
        let other = Player::Engine("othello-greedy".to_string());
        assert_eq!(game_title(&OthelloGameState::new([Player::Person, ishi], 1)), "? – ishi Lv5");
        assert_eq!(game_title(&OthelloGameState::new([rated, Player::Person], 1)), "ishi R1000 – ?");
        assert_eq!(game_title(&OthelloGameState::new([other, Player::Person], 1)), "othello-greedy – ?");
    }

    #[test]
    fn a_board_is_listed_by_its_discs() {
        let position = Position::from_transcript("f5d6c3").unwrap();
        let board = Position::from_board(position.board(), position.to_move());
        let game = OthelloGameState::from_record(&OthelloRecord::from_game(board), 1);
        assert_eq!(game_title(&game), "X 5 – O 2");
        let usual = OthelloGameState::new([Player::Person, Player::Person], 1);
        assert_eq!(game_title(&usual), "? – ?");
    }

    /// A search to the end with cuts is no proof, so that nothing is said to be nearly done.
    #[test]
    fn a_search_to_the_end_is_not_nearly_done() {
        assert_eq!([depth_percent(0, 20), depth_percent(10, 20)], [Some(0), Some(50)]);
        assert_eq!([depth_percent(20, 20), depth_percent(0, 0)], [None, None]);
    }

    /// A filled circle is white where the page is dark.
    #[test]
    fn discs_beside_words_have_their_color_in_every_theme() {
        let told = render_disc(Color::Black, "Black").into_string();
        assert!(told.contains("disc black") && told.contains("aria-label=\"Black\""), "{told}");
        let beside = render_disc(Color::White, "").into_string();
        assert!(beside.contains("disc white") && beside.contains("aria-hidden=\"true\""), "{beside}");
        assert!(!beside.contains("aria-label"), "{beside}");
    }
}
