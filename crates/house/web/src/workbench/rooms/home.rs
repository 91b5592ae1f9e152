//! The first page: something to play at once, a game to look at, what was done last.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use ishi_draw::DEPTH_FILLINGS;
use ishi_go::picture::BoardPicture;
use ishi_go::{Position, Rules};
use ishi_go_play::go_rank::Rank;
use ishi_sgf::GoGame;
use maud::{Markup, PreEscaped, html};

use super::{damage, go};
use crate::workbench::WorkbenchState;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room};
use crate::workbench::visitor::Visitor;

/// Games and runs that are shown.
const SHOWN: usize = 4;

pub(crate) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new().route("/", get(show_home))
}

/// Whom somebody meets who has chosen nobody.
const FIRST_RANK: &str = "15k";

async fn show_home(State(desk): State<Arc<WorkbenchState>>, visitor: Visitor) -> Result<Response, PageError> {
    let (games, runs) =
        desk.ask_store(|store| Ok((store.latest_documents("go", SHOWN)?, store.latest_runs(SHOWN)?))).await?;
    let title = visitor.say("A workbench for stone games", "石のゲームのワークベンチ");
    let body = html! {
        h1 { (title) }
        div.columns {
            section.panel {
                h2 { (visitor.say("Play Go now", "今すぐ囲碁を打つ")) }
                div.row {
                    span { (visitor.say("You have Black: click a point.", "あなたの黒番です。碁盤をクリックしてください。")) }
                    label for="quick-rank" { (visitor.say("Against ishi of", "相手：ishi")) }
                    select #quick-rank name="rank" {
                        @for rank in Rank::all() {
                            option value=(rank) selected[rank.to_string() == FIRST_RANK] { (go::rank_words(rank, &visitor)) }
                        }
                    }
                }
                (go::render_first_board(&visitor)?)
                p { a href="/go" { (visitor.say("More choices, records, problems", "詳しい設定・棋譜・詰碁")) } " · "
                    a href="/othello" { (visitor.say("Othello", "オセロ")) } }
            }
            div {
                section.panel { (render_bring_form(&visitor)) }
                section.panel { (render_sample(&visitor)?) }
                section.panel {
                    h2 { (visitor.say("What there is", "部屋の案内")) }
                    ul {
                        @for (href, name, about) in room_links(&visitor) { li { a href=(href) { (name) } ": " (about) } }
                    }
                }
                section.panel {
                    h2 { (visitor.say("Last experiments", "最近の実験")) }
                    @if runs.is_empty() { p.quiet { (visitor.say("None yet.", "まだありません。")) " "
                        a href="/lab" { (visitor.say("Run one", "実験室へ")) } } }
                    ul {
                        @for (name, kind) in &runs { li { a href="/lab" { (name) } " " span.quiet { (kind) } } }
                    }
                }
            }
        }
        @if !(games.documents.is_empty() && games.damaged.is_empty()) {
            h2 { (visitor.say("Last games", "最近の対局")) }
            (damage::render_damage(&visitor, &games.damaged))
            (go::recent_tables(&games.documents, &visitor))
        }
    };
    Ok(Page::new(Room::Home, title).render_page(&visitor, body))
}

fn room_links(visitor: &Visitor) -> [(&'static str, &str, &str); 7] {
    let say = |english, japanese| visitor.say(english, japanese);
    [
        (
            "/go",
            say("Go", "囲碁"),
            say("play, look, ask why, review, problems", "対局・検討・「なぜ」・詰碁"),
        ),
        (
            "/othello",
            say("Othello", "オセロ"),
            say("play and analyse, exact endgames", "対局・解析・完全読み"),
        ),
        ("/joseki", say("Joseki", "定石"), say("what is played in the corner", "隅の定石を見る・編集する")),
        ("/patterns", say("Patterns", "パターン"), say("shapes, their moves and counts", "形とその急所")),
        ("/lab", say("Laboratory", "実験室"), say("experiments and matches, live", "実験と対戦")),
        (
            "/strings",
            say("Strings", "連"),
            say("most chains on a board, proved", "盤上の最大連数（証明つき）"),
        ),
        (
            "/decks",
            say("Decks", "デッキ"),
            say("the best cards together, with proof or gap", "最良のデッキ構築"),
        ),
    ]
}

/// A way in for a game of one's own: a file opens as soon as it is chosen.
fn render_bring_form(visitor: &Visitor) -> Markup {
    html! {
        h2 { (visitor.say("Bring your game", "自分の棋譜を見る")) }
        form.bring method="post" action="/go" enctype="multipart/form-data" {
            div.row {
                label.button.main for="bring-file" { (visitor.say("Choose a file (SGF)", "ファイルを選ぶ (SGF)")) }
                input #bring-file.unseen type="file" name="file" accept=".sgf,application/x-go-sgf,text/plain" data-opens="";
                button.without-script { (visitor.say("Open", "開く")) }
            }
        }
        p.quiet { (visitor.say("Or drop it anywhere, or paste its text: lessons about your mistakes are one click away.",
            "ページのどこかにドロップするか、本文を貼り付けても開きます。自分の悪手から学べます。")) }
    }
}

/// The sample game as it ends, and a way into it.
fn render_sample(visitor: &Visitor) -> Result<Markup, PageError> {
    let reading = ishi_sgf::read_collection(go::sample_sgf(visitor.language).as_bytes())
        .map_err(PageError::from_system_error)?;
    let tree = reading.collection.games.first().ok_or_else(PageError::internal_error)?;
    let shown = GoGame::read_main_line(tree)
        .map_err(PageError::from_system_error)?
        .replay_position(Rules::CHINESE, None);
    let position: Position = shown.map_err(PageError::from_system_error)?.position;
    // The first board of the page has brought the fillings, whose names must stand once.
    let sample = BoardPicture::from_board(position.board()).with_depth().to_svg().replace(DEPTH_FILLINGS, "");
    Ok(html! {
        h2 { (visitor.say("A game with remarks", "解説つきの一局")) }
        form.sample method="post" action="/go" enctype="multipart/form-data" {
            input type="hidden" name="sgf" value=(go::sample_sgf(visitor.language));
            div.board.deep { (PreEscaped(sample)) }
            button { (visitor.say("Step through it", "並べてみる")) }
        }
    })
}
