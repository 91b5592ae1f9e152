//! The pages of the room.

use std::collections::BTreeMap;

use ishi_lab::store::StoredDocument;
use ishi_othello::picture::{BoardPicture, FIELD, ORIGIN};
use ishi_othello::{Color, Position, Square, iter_squares};
use ishi_othello_play::coach::{MoveHint, MoveJudgement, words};
use ishi_othello_play::judges::{self, BoardJudge};
use ishi_othello_play::openings::OpeningNames;
use ishi_words::Language;
use maud::{Markup, PreEscaped, html};

use super::game::{
    JudgedOthelloMove, OthelloGameEnd, OthelloGameState, OthelloLesson, OthelloReview, Overlay, Player, Side,
};
use super::study::{SolvingState, StudyInsight, is_solvable};
use super::{own, play};
use crate::workbench::rooms::lessons::{render_learner_choice, render_verdict};
use crate::workbench::visitor::Visitor;

/// A name for lists of games: the players, or the first moves where nobody knows them.
pub(super) fn game_title(game: &OthelloGameState) -> String {
    let side = |color: Color| match (game.names[color.index()].as_str(), game.player(color)) {
        ("", Player::Person) => None,
        ("", Player::Engine(spec)) => Some(spec.as_str()),
        (name, _) => Some(name),
    };
    let sides = Color::ALL.map(side);
    if sides == [None, None] && !game.moves.is_empty() {
        let first: String = game.moves.iter().take(6).map(String::as_str).collect();
        return if game.moves.len() > 6 { first + "…" } else { first };
    }
    sides.map(|side| side.unwrap_or("?")).join(" – ")
}

/// The players.
pub(super) fn players_heading(visitor: &Visitor, game: &OthelloGameState) -> String {
    Color::ALL.map(|color| player_name(visitor, game, color)).join(" – ")
}

/// Who plays a side.
fn player_name(visitor: &Visitor, game: &OthelloGameState, color: Color) -> String {
    match (game.names[color.index()].as_str(), game.player(color)) {
        ("", Player::Person) => visitor.say("person", "人").to_string(),
        ("", Player::Engine(spec)) => spec.clone(),
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
    let label = visitor.say("Othello board", "オセロの盤面");
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
        told.insert(square.to_string(), visitor.say("may be played", "打てる").to_string());
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
                li { (color_name(visitor, color)) ": " (list(position.discs(color))) }
            }
            li { (visitor.say("Legal moves", "打てる所")) ": " (list(position.board().legal_moves())) }
            @if !values.is_empty() {
                li {
                    (visitor.say("Values", "評価値")) ": "
                    @for value in values { (value.square) " " (value.text) " " }
                }
            }
        }
    }
}

/// The board after a variation, its moves numbered.
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
    numbered.iter().enumerate().fold(picture, label).to_svg()
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

/// Who plays, who is to move, and the count.
pub(super) fn render_sides(visitor: &Visitor, key: &str, game: &OthelloGameState) -> Markup {
    let position = game.position();
    html! {
        table.othello-sides {
            caption.unseen { (visitor.say("Players", "対局者")) }
            thead { tr {
                th scope="col" { (visitor.say("Side", "手番")) }
                th scope="col" { (visitor.say("Player", "対局者")) }
                th.number scope="col" { (visitor.say("Discs", "石数")) }
                @if game.clock.is_some() { th.number scope="col" { (visitor.say("Time", "残り時間")) } }
            } }
            tbody {
                @for color in Color::ALL {
                    tr data-color=(if color == Color::Black { "X" } else { "O" })
                        aria-current=[(position.to_move() == color && !position.is_over()).then_some("true")] {
                        th scope="row" { (if color == Color::Black { "● " } else { "○ " }) (color_name(visitor, color)) }
                        td.othello-name { (player_name(visitor, game, color)) }
                        td.number.discs { (position.discs(color).count_ones()) }
                        @if game.clock.is_some() { td.number { (render_clock(key, game, color)) } }
                    }
                }
            }
        }
    }
}

/// What a side has left. The script counts it down, and asks at its end.
fn render_clock(key: &str, game: &OthelloGameState, color: Color) -> Markup {
    let left = game.time_left(color, play::now_ms()).unwrap_or(0);
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
        Color::Black => visitor.say("Black wins", "黒の勝ち"),
        Color::White => visitor.say("White wins", "白の勝ち"),
    };
    if game.is_at_end() {
        match game.end {
            Some(OthelloGameEnd::Resigned(side)) => {
                return html! { (winner(!side.color())) (visitor.say(" by resignation", "（投了）")) };
            }
            Some(OthelloGameEnd::Timeout(side)) => {
                return html! { (winner(!side.color())) (visitor.say(" on time", "（時間切れ）")) };
            }
            None => {}
        }
    }
    if position.is_over() {
        let score = position.score();
        return html! {
            (visitor.say("The game is over: ", "終局: "))
            @match score {
                0 => (visitor.say("a draw", "引き分け")),
                1.. => { (winner(Color::Black)) " " (format!("{score:+}")) },
                _ => { (winner(Color::White)) " " (format!("{:+}", -score)) },
            }
        };
    }
    let color = color_name(visitor, position.to_move());
    let passed = position.moves().last().is_some_and(|(_, mv)| mv.square().is_none());
    html! {
        @if passed {
            (color_name(visitor, !position.to_move())) (visitor.say(" had to pass. ", "はパス。"))
        }
        (color) (visitor.say(" to move", "番"))
        @if game.engine_to_move().is_some() { ": " (visitor.say("the engine is thinking …", "エンジンが考えています…")) }
        @else if game.paused && game.is_at_end() { ": " (visitor.say("engines wait", "エンジンは待機中")) }
        @if !game.is_at_end() {
            ", " (visitor.say("looking back", "振り返り中")) " (" (game.at) "/" (game.moves.len()) ")"
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
        nav.row.steps aria-label=(visitor.say("Moves of the game", "棋譜の移動")) {
            (step("first", "Home", "first", "|‹", visitor.say("To the start", "最初へ"), game.at > 0))
            (step("back", "ArrowLeft", "-1", "‹", visitor.say("One move back", "一手戻る"), game.at > 0))
            label.move-number {
                span.unseen { (visitor.say("Move", "手数")) }
                input #move-number type="number" min="0" max=(game.moves.len()) inputmode="numeric" autocomplete="off" value=(game.at);
                " / " span.move-count { (game.moves.len()) }
            }
            (step("forth", "ArrowRight", "1", "›", visitor.say("One move on", "一手進む"), !game.is_at_end()))
            (step("last", "End", "last", "›|", visitor.say("To the last move", "最後へ"), !game.is_at_end()))
        }
        div.row.deeds role="group" aria-label=(visitor.say("The game", "対局")) {
            (render_button(key, "undo", "undo", visitor.say("Take back", "待った"), game.at > 0))
            @if has_person {
                button #othello-resign hx-post={ "/othello/" (key) "/resign" } hx-swap="none" disabled[over]
                    hx-confirm=(visitor.say("Resign this game?", "投了しますか？")) { (visitor.say("Resign", "投了")) }
            }
            @if has_engine && !over {
                @if game.paused { (render_button(key, "pause", "continue", visitor.say("Engines go on", "エンジンを再開"), true)) }
                @else { (render_button(key, "pause", "pause", visitor.say("Stop the engine", "エンジンを止める"), true)) }
            }
            @if game.left.is_some() {
                (render_button(key, "return", "return", visitor.say("The line that was left", "元の手順へ"), true))
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
        p { a.button.play-on href={ "/othello?from=" (format_transcript(game)) } { (visitor.say("Play on from here", "ここから対局")) } }
        p { (visitor.say("Opening: ", "定石名: ")) b { (name.unwrap_or(visitor.say("none", "なし"))) } }
        ol.othello-moves {
            @for (index, (color, square)) in played_moves(&whole).into_iter().enumerate() {
                @let judged = review.and_then(|review| review.judged.iter().find(|judged| judged.number == index + 1));
                @let judgement = judged.map(|judged| MoveJudgement::from_loss(judged.loss)).filter(|judgement| *judgement > MoveJudgement::Good);
                li {
                    button type="button" id={ "othello-move-" (index + 1) } data-to=(index + 1) aria-current=[(game.at == index + 1).then_some("step")] {
                        (if color == Color::Black { "●" } else { "○" }) " " (square)
                        @if let Some(judgement) = judgement {
                            " " span.bad title=(words::judgement_name(judgement, visitor.language)) { (judgement_badge(judgement)) }
                            span.unseen { " " (words::judgement_name(judgement, visitor.language)) }
                        }
                    }
                }
            }
        }
        @if game.moves.is_empty() { p.quiet { (visitor.say("No moves yet.", "まだ手がありません。")) } }
        details {
            summary { (visitor.say("Copy and download", "コピーとダウンロード")) }
            label for="othello-transcript" { (visitor.say("Transcript", "棋譜")) }
            textarea #othello-transcript rows="3" readonly { (whole.to_transcript()) }
            label for="othello-diagram" { (visitor.say("Board", "盤面")) }
            textarea #othello-diagram rows="10" readonly { (position.to_diagram()) }
            div.row {
                button data-copy="#othello-transcript" { (visitor.say("Copy the transcript", "棋譜をコピー")) }
                button data-copy="#othello-diagram" { (visitor.say("Copy the board", "盤面をコピー")) }
                @for (ending, name) in [("sgf", "SGF"), ("ggf", "GGF"), ("obf", "OBF"), ("txt", visitor.say("Transcript", "棋譜テキスト")), ("svg", "SVG"), ("html", visitor.say("Share (HTML)", "共有（HTML）"))] {
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
    let say = |english, japanese| visitor.say(english, japanese);
    serde_json::json!({
        "X": color_name(visitor, Color::Black),
        "O": color_name(visitor, Color::White),
        "passed": say("{color} had to pass. ", "{color}はパス。"),
        "toMove": say("{color} to move", "{color}番"),
        "looking": say(", looking back ({at}/{count})", "、振り返り中 ({at}/{count})"),
        "last": words_of_end(visitor, game),
        "study": say("Looking …", "解析中…"),
        "off": say("The analysis is off.", "解析は止まっています。"),
        "may": say("may be played", "打てる"),
        "line": say("A line, move {at} of {count}", "変化図 {at}/{count} 手"),
        "leaveFirst": say("A line is shown: go back to the game to play.", "変化図を表示中です。打つには対局へ戻ってください。"),
        "back": say("Back to the game", "対局へ戻る"),
        "plays": say("{color} plays {square}, {count} flipped", "{color} {square}、{count}個返し"),
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
    let words = if game.study {
        visitor.say("Stop analysing", "解析を止める")
    } else {
        visitor.say("Analyse", "解析する")
    };
    html! {
        div.row {
            button #othello-study aria-pressed=(game.study) data-key="a" hx-post={ "/othello/" (key) "/study" } hx-swap="none"
                hx-vals={ "{\"on\":" (!game.study) "}" } { (words) }
            label for="othello-level" { (visitor.say("up to level", "レベル上限")) }
            select #othello-level name="level" hx-post={ "/othello/" (key) "/level" } hx-swap="none" {
                @for level in 5..=20u8 { option value=(level) selected[level == game.level] { (level) } }
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
            @else { p.quiet { (visitor.say("The analysis is off.", "解析は止まっています。")) } }
        }
    }
}

fn render_insights(visitor: &Visitor, game: &OthelloGameState, insight: Option<&StudyInsight>) -> Markup {
    let Some(insight) = insight else {
        let words = if game.position().is_over() {
            visitor.say("The game is over.", "終局しています。")
        } else if game.engine_to_move().is_some() {
            visitor.say(
                "The engine is to move; the analysis goes on after it.",
                "エンジンの手番です。着手後に解析します。",
            )
        } else {
            visitor.say("Looking …", "解析中…")
        };
        return html! { p.quiet { (words) } };
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label=(visitor.say("Values of the moves", "各手の評価")) {
            table {
                thead { tr {
                    th scope="col" { (visitor.say("Move", "手")) }
                    th.number scope="col" { (visitor.say("Discs", "石差")) }
                    th scope="col" { (visitor.say("Sure", "確度")) }
                    th scope="col" { (visitor.say("Line", "読み筋")) }
                    th scope="col" { (visitor.say("Why", "理由")) }
                } }
                tbody { @for hint in &insight.hints { (render_hint_row(visitor, hint, game.position().to_move())) } }
            }
        }
        p.quiet {
            (visitor.say("Level ", "レベル")) (insight.level)
            @if insight.done { ": " (visitor.say("done", "完了")) } @else { " …" }
        }
    }
}

fn render_hint_row(visitor: &Visitor, hint: &MoveHint, mover: Color) -> Markup {
    let line: Vec<String> = hint.found.variation.iter().map(|square| square.to_string()).collect();
    let opening = hint.opening.map(|opening| opening.name(visitor.language));
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
            label for="othello-overlay" { (visitor.say("On the squares", "マスに表示")) }
            select #othello-overlay name="overlay" hx-post={ "/othello/" (key) "/overlay" } hx-swap="none" {
                (option("hints".into(), visitor.say("where one may play", "打てる所")))
                (option("search".into(), visitor.say("values of the moves by search", "各手の探索値")))
                optgroup label=(visitor.say("Moves, one ply ahead", "各手（一手読み）")) {
                    @for entry in judges::ENTRIES { (render_evaluation_option(visitor, "moves", entry.name, entry.about(visitor.language), &chosen)) }
                    @for own in evaluations { (render_evaluation_option(visitor, "moves", &own::judge_name(&own.key), &own.title, &chosen)) }
                }
                optgroup label=(visitor.say("Heat map: what each square adds", "ヒートマップ（各マスの寄与）")) {
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
        "moves" => visitor.say("moves: ", "各手: "),
        _ => visitor.say("heat: ", "寄与: "),
    };
    html! { option value=(value) selected[value == chosen] { (what) (about) } }
}

/// What the colours say.
fn render_legend(visitor: &Visitor, game: &OthelloGameState, position: &Position) -> Markup {
    let color = color_name(visitor, position.to_move());
    let words = match &game.overlay {
        Overlay::Hints => return html! {},
        Overlay::Search => visitor
            .say("Discs with best play; blue is best, red loses.", "最善進行での石差。青が最善、赤は損。"),
        Overlay::Moves(_) => visitor.say(
            "The evaluation after the move; blue is best, red worst.",
            "着手後の評価値。青が最善、赤が最悪。",
        ),
        Overlay::Squares(_) => visitor.say(
            "What each square adds for the side to move; blue is good, red bad.",
            "手番側にとっての各マスの寄与。青が良く、赤が悪い。",
        ),
    };
    let sum = match &game.overlay {
        Overlay::Squares(name) => own::find_judge(name)
            .map(|judge| judge.square_shares(position.board(), position.to_move()).iter().sum::<f64>()),
        _ => None,
    };
    html! {
        p.quiet.legend {
            (words)
            @if let Some(sum) = sum { " " (color) ": " (visitor.say("sum ", "合計 ")) (format_value(sum)) }
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
            p role="status" {
                (visitor.say("Solving ", "完全読み中 ")) (solving.empties) (visitor.say(" empty squares", "マス空き")) " … "
                (format!("{:.0} s", solving.seconds))
                @if let Some(best) = &solving.best {
                    ", " (visitor.say("so far ", "現在 ")) (best.mv) " " (format!("{:+}", best.score))
                    " (" (words::sureness_text(best, visitor.language)) ")"
                }
            }
            progress aria-label=(visitor.say("Solving", "完全読み中")) max="100" value=[solving.best.as_ref().map(|best| depth_percent(best.depth, solving.empties))] {}
            (render_button(key, "stop-exact", "stop-exact", visitor.say("Stop", "中止"), true))
        };
    }
    html! {
        @if let Some(solved) = game.current_solution() {
            p { b { (color_name(visitor, position.to_move())) " " (format!("{:+}", solved.score)) }
                " " (visitor.say("with best play by both, proved", "（双方最善、完全読み）")) }
            p.othello-line data-line=(solved.line.join("")) tabindex="0" { (solved.line.join(" ")) }
            p.quiet { (solved.nodes) (visitor.say(" positions, ", "局面、")) (format!("{:.1} s", solved.milliseconds as f64 / 1000.0)) }
        } @else if is_solvable(position.board()) && !position.is_over() {
            (render_button(key, "solve", "solve", visitor.say("Solve the endgame", "終盤を完全に読む"), true))
            p.quiet { (empties) (visitor.say(" empty squares", "マス空き")) }
        } @else {
            p.quiet { (visitor.say("From 30 empty squares on the endgame can be solved.", "空きマスが30以下になると完全読みができます。")) }
        }
    }
}

fn depth_percent(depth: u32, empties: u32) -> u32 {
    100 * depth.min(empties) / empties.max(1)
}

// --- the review ---

/// The coach's review of the game; `left` moves are still to be judged.
pub(super) fn render_review(
    visitor: &Visitor,
    key: &str,
    game: &OthelloGameState,
    left: Option<usize>,
) -> Markup {
    let shown = game.current_review();
    html! {
        @if let Some(left) = left {
            @let total = game.moves.len().max(1);
            p role="status" { (visitor.say("Judging, moves left: ", "検討中、残りの手数: ")) (left) }
            progress max=(total) value=(total - left.min(total)) aria-label=(visitor.say("Review", "検討")) {}
            (render_button(key, "stop-review", "stop-review", visitor.say("Stop", "中止"), true))
        } @else {
            form.row hx-post={ "/othello/" (key) "/review" } hx-swap="none" {
                label for="othello-review-level" { (visitor.say("Level", "レベル")) }
                select #othello-review-level name="level" {
                    @for level in [8u8, 10, 12, 14, 16] { option value=(level) selected[level == 12] { (level) } }
                }
                button #othello-review disabled[game.moves.is_empty()] { (visitor.say("Review the game", "対局を検討する")) }
            }
        }
        @if let Some(review) = shown {
            (super::graph::render_graph(visitor, game, review))
            @for summary in &review.summaries { p { (visitor.say(&summary[0], &summary[1])) } }
            (render_lessons(visitor, game, review))
            (render_faults(visitor, review))
            @if left.is_none() && review.complete {
                p {
                    a.button href={ "/othello/" (key) "/game.html" } download title=(visitor.say("One file that shows game, review and lessons anywhere, without ishi", "対局・検討・教訓を ishi なしで表示できるファイル")) {
                        (visitor.say("Share (HTML)", "共有（HTML）"))
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
            h3 { (visitor.say("Lessons", "この対局の教訓")) }
            (render_learner_choice(visitor, person))
        }
        @for lesson in &review.lessons {
            @if let Some(judged) = review.judged.iter().find(|judged| judged.number == lesson.number) {
                (render_lesson(visitor, lesson, judged))
            }
        }
    }
}

/// The move that a lesson asks about.
pub(super) fn lesson_title(language: Language, lesson: &OthelloLesson, judged: &JudgedOthelloMove) -> String {
    let (number, square) = (lesson.number, &judged.square);
    let name = words::color_name(lesson.side.color(), language);
    language.choose(format!("Move {number}: {name} {square}"), format!("{number}手目：{name} {square}"))
}

/// What a lesson asks.
pub(super) fn lesson_question(language: Language, judged: &JudgedOthelloMove) -> String {
    let (square, loss) = (&judged.square, judged.loss);
    language.choose(
        format!("{square} lost {loss} discs. What is better?"),
        format!("{square} は石損{loss}個。より良い手は？"),
    )
}

fn render_lesson(visitor: &Visitor, lesson: &OthelloLesson, judged: &JudgedOthelloMove) -> Markup {
    let say = |english, japanese| visitor.say(english, japanese);
    let title = lesson_title(visitor.language, lesson, judged);
    let question = lesson_question(visitor.language, judged);
    html! {
        div.lesson data-number=(lesson.number) data-color=(lesson_letter(lesson.side)) data-played=(judged.square)
            data-answers=(lesson.answers.join(" ")) {
            h4 { (title) }
            p.question { (question) }
            div.row {
                button.main type="button" data-lesson="try" { (say("Try it here", "ここで打ってみる")) }
                @for &number in &lesson.numbers {
                    button type="button" data-to=(number - 1) {
                        (visitor.language.choose(format!("Move {number}"), format!("{number}手目")))
                    }
                }
            }
            (render_verdict(visitor))
            details.answer {
                summary { (say("Answer", "答え")) }
                p { strong { (lesson.answers.join(", ")) } " " (format!("({:+})", judged.better_value)) }
                @if !judged.why[0].is_empty() { p { (visitor.say(&judged.why[0], &judged.why[1])) } }
                p { (visitor.say(&lesson.text[0], &lesson.text[1])) }
                @if !judged.line.is_empty() {
                    button type="button" data-lesson="better" data-moves=(judged.line.join(",")) {
                        (say("The better line", "正解の進行")) ": " (judged.line[..judged.line.len().min(4)].join(" "))
                    }
                }
            }
        }
    }
}

fn render_faults(visitor: &Visitor, review: &OthelloReview) -> Markup {
    let mut worst: Vec<_> = review.judged.iter().filter(|judged| judged.loss > 2 || judged.turned).collect();
    worst.sort_by_key(|judged| (!judged.turned, -judged.loss));
    html! {
        @if worst.is_empty() {
            @if review.complete { p { (visitor.say("No move lost 3 discs or the game.", "3石以上の損や敗着はありません。")) } }
        } @else {
            div.scroll tabindex="0" role="region" aria-label=(visitor.say("Moves that lost most", "損の大きい手")) {
                table {
                    thead { tr {
                        th scope="col" { (visitor.say("Move", "手")) }
                        th.number scope="col" { (visitor.say("Lost", "石損")) }
                        th scope="col" { (visitor.say("Better", "最善手")) }
                        th scope="col" { (visitor.say("Why", "理由")) }
                    } }
                    tbody {
                        @for judged in worst.iter().take(12) {
                            @let word = words::judgement_name(MoveJudgement::from_loss(judged.loss), visitor.language);
                            tr data-line=(judged.line.join("")) data-after=(judged.number - 1) {
                                th scope="row" {
                                    button type="button" id={ "othello-fault-" (judged.number) } data-to=(judged.number - 1) {
                                        (judged.number) ". " (color_name(visitor, judged.side.color())) " " (judged.square)
                                    }
                                }
                                td.number { (judged.loss) }
                                td { (judged.better) " " (format!("{:+}", judged.better_value)) }
                                td {
                                    (word)
                                    @if judged.turned { ", " b { (visitor.say("the losing move", "敗着")) } }
                                    @if !judged.proved { " (" (visitor.say("estimated", "推定")) ")" }
                                    @if !judged.why[0].is_empty() { ": " (visitor.say(&judged.why[0], &judged.why[1])) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
