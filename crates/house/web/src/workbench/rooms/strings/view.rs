//! The pages of the room.

use ishi_grid::{Board, picture as grid_picture};
use ishi_lab::store::StoredDocument;
use ishi_work::Progress;
use maud::{Markup, PreEscaped, html};

use super::board::{BoardKind, MOST_BUILT, MOST_SOLVED, StringsRequest};
use crate::workbench::visitor::Visitor;

/// Larger boards are not drawn on the page: their pictures would be megabytes.
const MOST_DRAWN: usize = 130;

fn kind_words(visitor: &Visitor, way: BoardKind) -> &'static str {
    match way {
        BoardKind::Board => {
            visitor.say("board with edges, solved with a proof", "通常の盤（証明付きで解く）")
        }
        BoardKind::Cylinder => {
            visitor.say("cylinder: left and right edge joined", "円筒（左右の辺をつなぐ）")
        }
        BoardKind::Torus => {
            visitor.say("torus: both pairs of edges joined", "トーラス（上下左右の辺をつなぐ）")
        }
        BoardKind::Rule => visitor.say("built by the rule, from 16 lines on", "規則で作る（16路以上）"),
    }
}

pub(super) fn render_form(visitor: &Visitor) -> Markup {
    html! {
        form.form method="post" action="/strings" {
            label for="strings-width" { (visitor.say("Columns", "列数")) }
            input #strings-width name="width" type="number" min="1" max=(MOST_BUILT) value="19" required;
            label for="strings-height" { (visitor.say("Rows", "行数")) }
            input #strings-height name="height" type="number" min="1" max=(MOST_BUILT) placeholder=(visitor.say("as many", "列数と同じ"));
            label for="strings-way" { (visitor.say("Kind", "種類")) }
            select #strings-way name="way" {
                @for way in BoardKind::ALL { option value=(way.name()) { (kind_words(visitor, way)) } }
            }
            details.wide {
                summary { (visitor.say("Points that are given", "点を指定する")) }
                label for="strings-given" {
                    (visitor.say("Rows of ? (free) . (empty) # (a stone) X (black) O (white)",
                                 "? 自由　. 空点　# 石　X 黒　O 白 を行ごとに"))
                }
                textarea #strings-given name="given" rows="5" placeholder="?????" {}
            }
            div.wide { button.main { (visitor.say("Solve", "解く")) } }
            p.wide.quiet {
                (visitor.say("Solved: up to ", "解けるのは")) (MOST_SOLVED)
                (visitor.say(" lines; built by the rule: up to ", "路まで、規則で作れるのは")) (MOST_BUILT) (visitor.say(".", "路まで。"))
            }
        }
    }
}

pub(super) fn render_boards(visitor: &Visitor, kept: &[StoredDocument]) -> Markup {
    html! {
        @if kept.is_empty() { p.quiet { (visitor.say("None yet: choose a board and solve it.", "まだありません。盤を選んで解いてください。")) } }
        ul.solvers-list {
            @for document in kept {
                li {
                    a href={ "/strings/" (document.key) } { (document.title) }
                    form method="post" action={ "/strings/" (document.key) "/forget" } {
                        button aria-label={ (visitor.say("Delete", "削除")) " " (document.title) } { (visitor.say("Delete", "削除")) }
                    }
                }
            }
        }
    }
}

/// The board, with its rows as text for those who do not see it.
pub(super) fn render_picture(visitor: &Visitor, board: &Board, strings: usize) -> Markup {
    let label = format!("{strings} {} {}x{}", visitor.say("strings on", "連"), board.width(), board.height());
    html! {
        @if board.width().max(board.height()) <= MOST_DRAWN {
            div.strings-board { (PreEscaped(grid_picture::render_svg(board, &label))) }
        } @else {
            p.quiet { (visitor.say("The board is too large to draw here; download it.", "大きすぎるためここには描けません。ダウンロードしてください。")) }
        }
        @if board.width().max(board.height()) <= 60 {
            details {
                summary { (visitor.say("The board as text: X black, O white, . empty", "文字で見る（X 黒、O 白、. 空点）")) }
                pre tabindex="0" { (board) }
            }
        }
    }
}

fn render_button(key: &str, action: &str, text: &str) -> Markup {
    html! { button id={ "strings-" (action) } hx-post={ "/strings/" (key) "/" (action) } hx-swap="none" { (text) } }
}

fn render_progress(visitor: &Visitor, progress: &Progress<String>) -> Markup {
    html! {
        progress max=(progress.total.max(1)) value=(progress.done) aria-label=(visitor.say("Progress", "進み具合")) {}
        p.quiet role="status" { (progress.done) "/" (progress.total) " " (progress.note) }
    }
}

/// What was found, or how far the search is.
pub(super) fn render_found(
    visitor: &Visitor,
    key: &str,
    asked: &StringsRequest,
    progress: Option<&Progress<String>>,
) -> Markup {
    let (Some(found), Some(board)) = (&asked.found, asked.found_board()) else {
        return html! {
            p { (visitor.say("Solving …", "解いています…")) }
            @match progress {
                Some(progress) => (render_progress(visitor, progress)),
                None => progress aria-label=(visitor.say("Progress", "進み具合")) {},
            }
            (render_button(key, "stop", visitor.say("Stop", "中止")))
        };
    };
    let optimal = found.strings == found.bound;
    html! {
        p.strings-answer { b { (found.strings) } " " (visitor.say("strings", "連")) ": "
            @if optimal { (visitor.say("the most possible, proved", "最大であることを証明済み")) }
            @else { (visitor.say("no board has more than ", "上界は")) (found.bound) }
        }
        (render_picture(visitor, &board, found.strings))
        dl.facts {
            dt { (visitor.say("Empty points", "空点")) } dd { (found.empty_points) }
            @if asked.way == BoardKind::Rule {
                dt { (visitor.say("Proof", "証明")) }
                dd { "⌊(" (asked.width) " + 2)(" (asked.height) " + 2) / 5⌋ − 4 = " (found.empty_points) " "
                    (visitor.say("(Gonçalves, Pinlou, Rao, Thomassé 2011)", "（Gonçalves, Pinlou, Rao, Thomassé 2011）")) }
            } @else {
                dt { (visitor.say("States, widest layer", "状態数、最大の層")) } dd { (found.states) ", " (found.widest) }
            }
            dt { (visitor.say("Counted again by the checker", "独立した検査")) }
            dd {
                @if found.verified { (visitor.say("yes: every string has a liberty", "済み（すべての連に呼吸点あり）")) }
                @else { (visitor.say("no: the checker does not know wraps", "なし（辺をつないだ盤は対象外）")) }
            }
            dt { (visitor.say("Time", "時間")) } dd { (format!("{:.2} s", found.seconds)) }
        }
        div.row {
            @for (name, words) in [("board.svg", "SVG"), ("board.json", "JSON"), ("board.txt", visitor.say("Text", "テキスト"))] {
                a.button href={ "/strings/" (key) "/" (name) } download { (words) }
            }
        }
    }
}

/// It was stopped; it can begin again.
pub(super) fn render_stopped(visitor: &Visitor, key: &str, asked: &StringsRequest) -> Markup {
    if asked.found.is_some() {
        return render_found(visitor, key, asked, None);
    }
    html! {
        p { (visitor.say("Stopped.", "中止しました。")) }
        (render_button(key, "solve", visitor.say("Solve", "解く")))
    }
}

pub(super) fn render_failure(visitor: &Visitor, key: &str, words: &str) -> Markup {
    html! {
        p.bad role="alert" { (words) }
        p { a href="/strings" { (visitor.say("Another board", "別の盤へ")) } }
        (render_button(key, "solve", visitor.say("Try again", "もう一度")))
    }
}

/// Facts of the certificate.
pub(super) fn render_proof(
    visitor: &Visitor,
    key: &str,
    asked: &StringsRequest,
    progress: Option<&Progress<String>>,
) -> Markup {
    if let Some(progress) = progress {
        return html! {
            p { (visitor.say("Writing and checking …", "作成・検査中…")) }
            (render_progress(visitor, progress))
            (render_button(key, "stop-proof", visitor.say("Stop", "中止")))
        };
    }
    html! {
        @if let Some(proof) = &asked.proof {
            p.good { (visitor.say("Accepted by the independent checker: no board has more than ", "独立した検査器が受理: ")) (proof.strings) (visitor.say(" strings.", "連を超える盤はない。")) }
            dl.facts {
                dt { (visitor.say("Depth of the bands", "帯の深さ")) } dd { (proof.depth) }
                dt { (visitor.say("Prices", "価格の数")) } dd { (proof.prices) }
                dt { (visitor.say("Size", "大きさ")) } dd { (proof.bytes) " bytes" }
                dt { (visitor.say("Last states listed after", "最後の状態の位置")) } dd { (proof.reach) (visitor.say(" points", "点目")) }
                dt { (visitor.say("States listed, widest layer", "列挙した状態数、最大の層")) } dd { (proof.states) ", " (proof.widest) }
                dt { (visitor.say("Time", "時間")) } dd { (format!("{:.2} s", proof.seconds)) }
            }
            a.button href={ "/strings/" (key) "/board.cert" } download { (visitor.say("Download the certificate", "証明書をダウンロード")) }
        } @else if asked.can_be_proved() {
            p { (visitor.say("A certificate lets a small program that shares nothing with the solver check that no board has more strings.",
                             "証明書があれば、ソルバーと独立した小さなプログラムで最大性を検査できます。")) }
            (render_button(key, "prove", visitor.say("Write and check a certificate", "証明書を作って検査する")))
        } @else {
            p.quiet { (visitor.say("For boards with edges and free points, once they are solved.", "辺をつながず石の指定もない盤を解いた後に作れます。")) }
        }
    }
}

/// No certificate was accepted.
pub(super) fn render_unproved(visitor: &Visitor, key: &str) -> Markup {
    html! {
        p { (visitor.say("No certificate was accepted, or the work was stopped.", "受理される証明書は得られませんでした（または中止）。")) }
        (render_button(key, "prove", visitor.say("Try again", "もう一度")))
    }
}
