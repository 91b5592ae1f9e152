//! The first page: something to play at once, a game to look at, what was done last.

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use ishi_go::picture::BoardPicture;
use ishi_go::{Position, Rules};
use ishi_go_play::go_rank::Rank;
use ishi_sgf::GoGame;
use maud::{Markup, html};

use super::deep_pictures::DeepPictures;
use super::standing::{load_standing, own_strength_words, render_standing};
use super::{damage, go};
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room};
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

/// Games and runs that are shown.
const SHOWN: usize = 4;

pub(crate) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new().route("/", get(show_home))
}

async fn show_home(desk: DeskState, visitor: Visitor) -> PageAnswer {
    let (games, runs) =
        desk.ask_store(|store| Ok((store.latest_documents("go", SHOWN)?, store.latest_runs(SHOWN)?))).await?;
    let standing = load_standing::<Rank>(&desk).await?;
    let own_rank = go::rank_words(standing.opponent(), &visitor);
    let title = visitor.text("home-a-workbench-for-stone-games");
    let body = html! {
        h1 { (title) }
        div.columns {
            section.panel {
                h2 { (visitor.text("home-play-go-now")) }
                div.row {
                    span { (visitor.text("home-you-have-black-click-a-point")) }
                    label for="quick-rank" { (visitor.text("home-against-ishi-of")) }
                    select #quick-rank name="rank" {
                        option value=(go::OWN_RANK) selected { (own_strength_words(&own_rank, &visitor)) }
                        @for rank in Rank::all() { option value=(rank) { (go::rank_words(rank, &visitor)) } }
                    }
                }
                (go::render_first_board(&visitor)?)
                // Below the board, which is whole on a small phone then.
                (render_standing(&standing, &own_rank, &visitor))
                (go::render_teaching_choice(&visitor))
                p { a href="/go" { (visitor.text("home-more-choices-records-problems")) } " · "
                    a href="/othello" { (visitor.text("home-othello")) } }
            }
            div {
                section.panel { (render_bring_form(&visitor)) }
                section.panel { (render_sample(&visitor)?) }
                section.panel {
                    h2 { (visitor.text("home-what-there-is")) }
                    ul {
                        @for (href, name, about) in room_links(&visitor) { li { a href=(href) { (name) } (visitor.text("workbench-colon")) (about) } }
                    }
                }
                section.panel {
                    h2 { (visitor.text("home-last-experiments")) }
                    @if runs.is_empty() { p.quiet { (visitor.text("home-none-yet")) " "
                        a href="/lab" { (visitor.text("home-run-one")) } } }
                    ul {
                        @for (name, kind) in &runs { li { a href="/lab" lang="en" { (name) } " " span.quiet { (kind) } } }
                    }
                }
            }
        }
        @if !(games.documents.is_empty() && games.damaged.is_empty()) {
            h2 { (visitor.text("home-last-games")) }
            (damage::render_damage(&visitor, &games.damaged))
            (go::recent_tables(&games.documents, DeepPictures::after_board(&visitor), &visitor))
        }
    };
    Ok(Page::new(Room::Home, title).render_page(&visitor, body))
}

fn room_links(visitor: &Visitor) -> [(&'static str, &str, &str); 7] {
    let say = |id| visitor.text(id);
    [
        ("/go", say("home-go"), say("home-play-look-ask-why-review-problems")),
        ("/othello", say("home-othello"), say("home-play-and-analyse-exact-endgames")),
        ("/joseki", say("home-joseki"), say("home-what-is-played-in-the-corner")),
        ("/patterns", say("home-patterns"), say("home-shapes-their-moves-and-counts")),
        ("/lab", say("home-laboratory"), say("home-experiments-and-matches-live")),
        ("/strings", say("home-strings"), say("home-most-chains-on-a-board-proved")),
        ("/decks", say("home-decks"), say("home-the-best-cards-together-with-proof")),
    ]
}

/// A way in for a game of one's own: a file opens as soon as it is chosen.
fn render_bring_form(visitor: &Visitor) -> Markup {
    html! {
        h2 { (visitor.text("home-bring-your-game")) }
        form.bring method="post" action="/go" enctype="multipart/form-data" {
            div.row {
                label.button.main for="bring-file" { (visitor.text("home-choose-a-file-sgf")) }
                input #bring-file.unseen type="file" name="file" accept=".sgf,application/x-go-sgf,text/plain" data-opens="";
                button.without-script { (visitor.text("home-open")) }
            }
        }
        p.quiet { (visitor.text("home-or-drop-it-anywhere-or-paste")) }
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
    // The first board of the page comes before it.
    let sample = DeepPictures::after_board(visitor).draw(BoardPicture::from_board(position.board()));
    Ok(html! {
        h2 { (visitor.text("home-a-game-with-remarks")) }
        form.sample method="post" action="/go" enctype="multipart/form-data" {
            input type="hidden" name="sgf" value=(go::sample_sgf(visitor.language));
            div.board.deep { (sample) }
            button { (visitor.text("home-step-through-it")) }
        }
    })
}
