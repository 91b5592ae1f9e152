//! One pattern: its diagram, its sixteen variants, what it claims, its moves.

use std::fmt::Display;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path};
use axum::routing::{get, post};
use ishi_go::picture::BoardPicture;
use ishi_go::{Color, Point};
use ishi_patterns::joseki::book::MoveKind;
use ishi_patterns::library::{
    BilingualWords, ChainAttribute, ChainClaim, DiagramEdges, DiagramTurn, Pattern, PatternBranch,
    PatternDiagram, PatternLibrary, PointSign, text,
};
use maud::{Markup, html};
use serde::Deserialize;

use super::collection::PatternCollection;
use super::names::{pattern_title, source_words};
use crate::workbench::answer::redirect_to;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room};
use crate::workbench::rooms::deep_pictures::DeepPictures;
use crate::workbench::rooms::own_collections::list_own_titles;
use crate::workbench::texts::{args, text_id};
use crate::workbench::visitor::Visitor;
use crate::workbench::{DeskState, PageAnswer, WorkbenchState};

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/patterns/p/{key}/{name}", get(show_pattern))
        .route("/patterns/p/{key}/{name}/remove", post(remove_pattern))
}

pub(super) fn pattern_path(key: &str, name: &str) -> String {
    format!("/patterns/p/{key}/{name}")
}

/// A move with its colour, as readers write it, such as `B D4`.
pub(in super::super) fn colored_move(visitor: &Visitor, color: Color, point: impl Display) -> String {
    match color {
        Color::Black => visitor.text_with("patterns-black-move", args![point]),
        Color::White => visitor.text_with("patterns-white-move", args![point]),
    }
}

pub(in super::super) fn kind_name<'a>(visitor: &Visitor, kind: MoveKind) -> &'a str {
    match kind {
        MoveKind::Normal => visitor.text("patterns-normal"),
        MoveKind::Urgent => visitor.text("patterns-urgent"),
        MoveKind::Hard => visitor.text("patterns-hard"),
        MoveKind::Trick => visitor.text("patterns-trick"),
        MoveKind::Bad => visitor.text("patterns-bad"),
        MoveKind::Ignore => visitor.text("patterns-ignore"),
    }
}

/// Which edges it lies against; `None` if it floats.
pub(super) fn edge_name<'a>(visitor: &Visitor, pattern: &Pattern) -> Option<&'a str> {
    match pattern.diagram.edges {
        DiagramEdges::NONE => None,
        DiagramEdges::CORNER => Some(visitor.text("patterns-corner")),
        _ => Some(visitor.text("patterns-edge-word")),
    }
}

pub(super) fn sign_name<'a>(visitor: &Visitor, sign: PointSign) -> &'a str {
    match sign {
        PointSign::Black => visitor.text("patterns-black"),
        PointSign::White => visitor.text("patterns-white"),
        PointSign::Empty => visitor.text("patterns-empty"),
        PointSign::BlackOrEmpty => visitor.text("patterns-black-or-empty"),
        PointSign::WhiteOrEmpty => visitor.text("patterns-white-or-empty"),
        PointSign::Stone => visitor.text("patterns-a-stone-of-either-colour"),
        PointSign::OnBoard => visitor.text("patterns-anything-on-the-board"),
        PointSign::Any => visitor.text("patterns-anything"),
    }
}

pub(super) fn claim_words(visitor: &Visitor, claim: ChainClaim) -> String {
    match claim {
        ChainClaim::Liberties(n) => format!("{} {n}", visitor.text("patterns-liberties-label")),
        ChainClaim::AtLeast(n) => {
            format!("{} {n}", visitor.text("patterns-liberties-at-least"))
        }
        ChainClaim::AtMost(n) => format!("{} {n}", visitor.text("patterns-liberties-at-most")),
        ChainClaim::Alive => visitor.text("patterns-alive").to_string(),
        ChainClaim::Dead => visitor.text("patterns-dead").to_string(),
    }
}

/// What is said, in the visitor's language if it is there.
pub(in super::super) fn localized_words<'a>(visitor: &Visitor, words: &'a BilingualWords) -> &'a str {
    let (own, other) =
        (visitor.language.choose(&words.en, &words.ja), visitor.language.choose(&words.ja, &words.en));
    if own.is_empty() { other } else { own }
}

/// The diagram in words, for those who do not see the picture.
pub(super) fn render_description(visitor: &Visitor, diagram: &PatternDiagram) -> Markup {
    html! {
        ul {
            @for (sign, points) in diagram.squares_by_sign() {
                li { (sign_name(visitor, sign)) (visitor.text("workbench-colon")) (points.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")) }
            }
        }
    }
}

async fn show_pattern(
    desk: DeskState,
    visitor: Visitor,
    Path((key, name)): Path<(String, String)>,
) -> PageAnswer {
    let shelf = PatternCollection::load(&desk, &key).await?;
    let own = list_own_titles::<PatternLibrary>(&desk).await?;
    let pattern = find_pattern(&shelf, &name)?;
    let mut named = pattern.clone();
    ishi_knowledge::rules::name_moves(&mut named);
    let title = pattern_title(&visitor, &pattern.name);
    let body = html! {
        h1 { (title) }
        p.quiet { a href={ "/patterns?c=" (shelf.key) } { (shelf.title_for(&visitor)) } " · " (source_words(&visitor, &pattern.source))
            @if pattern.seen > 0 { " · " (visitor.text("patterns-seen-word")) " " (pattern.seen) }
            @if title != pattern.name.as_str() { " · " code { (pattern.name) } } }
        div.columns {
            div { (render_board(&visitor, pattern)) (render_tools(&visitor, &shelf, pattern, &own)) }
            div {
                @let said = localized_words(&visitor, &pattern.words);
                @if !said.is_empty() { p { (said) } }
                (render_attributes(&visitor, pattern))
                (render_moves(&visitor, &named))
            }
        }
        (render_variants(&visitor, pattern))
        details { summary { (visitor.text("patterns-as-text")) } pre tabindex="0" { (text::write_pattern(pattern)) } }
    };
    Ok(Page::new(Room::Patterns, &title).render_page(&visitor, body))
}

pub(super) fn find_pattern<'a>(shelf: &'a PatternCollection, name: &str) -> Result<&'a Pattern, PageError> {
    shelf.content().find_pattern(name).ok_or_else(|| {
        PageError::not_found_with(
            "patterns-no-pattern-of-this-collection-is",
            args![name = format!("{name:?}")],
        )
    })
}

/// What is claimed of chains, on their stones: `2`, `2+`, `2-`, `A` for alive, `D` for dead.
pub(super) fn draw_claims(picture: BoardPicture, attributes: &[ChainAttribute]) -> BoardPicture {
    let short = |claim: ChainClaim| match claim {
        ChainClaim::Liberties(n) => n.to_string(),
        ChainClaim::AtLeast(n) => format!("{n}+"),
        ChainClaim::AtMost(n) => format!("{n}-"),
        ChainClaim::Alive => "A".to_string(),
        ChainClaim::Dead => "D".to_string(),
    };
    attributes.iter().fold(picture, |picture, attribute| {
        let at = Point::new(attribute.at.column(), attribute.at.row());
        picture.with_label(at, short(attribute.claim), None)
    })
}

fn render_board(visitor: &Visitor, pattern: &Pattern) -> Markup {
    let mut picture = draw_claims(pattern.diagram.draw_picture(0, 0), &pattern.attributes);
    for (number, mv) in pattern.moves.iter().enumerate().take(26) {
        let letter = char::from(b'a' + number as u8).to_string();
        picture = picture.with_label(Point::new(mv.at.column(), mv.at.row()), letter, None);
    }
    html! {
        div.pattern-board.board.deep { (DeepPictures::for_page(visitor).draw(picture)) }
        div.unseen { (render_description(visitor, &pattern.diagram)) }
    }
}

fn render_tools(
    visitor: &Visitor,
    shelf: &PatternCollection,
    pattern: &Pattern,
    own: &[(String, String)],
) -> Markup {
    let path = pattern_path(&shelf.key, &pattern.name);
    html! {
        div.row {
            @if shelf.is_shipped() {
                form.row method="post" action="/patterns/drafts" {
                    input type="hidden" name="from" value=(shelf.key);
                    input type="hidden" name="name" value=(pattern.name);
                    label for="into" { (visitor.text("patterns-copy-into")) }
                    select #into name="collection" {
                        @for (key, title) in own { option value=(key) { (title) } }
                        option value="new" { (visitor.text("patterns-a-new-collection-word")) }
                    }
                    button.main { (visitor.text("patterns-edit-a-copy")) }
                }
            } @else {
                form method="post" action="/patterns/drafts" {
                    input type="hidden" name="collection" value=(shelf.key);
                    input type="hidden" name="name" value=(pattern.name);
                    button.main { (visitor.text("patterns-edit")) }
                }
                form method="post" action={ (path) "/remove" } {
                    input type="hidden" name="revision" value=(shelf.revision);
                    button { (visitor.text("patterns-delete-can-be-undone")) }
                }
            }
            a.button href={ "/patterns/game?c=" (shelf.key) "&pattern=" (pattern.name) } {
                (visitor.text("patterns-matches-in-a-game"))
            }
        }
    }
}

fn render_attributes(visitor: &Visitor, pattern: &Pattern) -> Markup {
    html! {
        @if !pattern.attributes.is_empty() {
            h2 { (visitor.text("patterns-chains")) }
            ul { @for ChainAttribute { at, claim } in &pattern.attributes { li { (at) (visitor.text("workbench-colon")) (claim_words(visitor, *claim)) } } }
        }
    }
}

fn render_moves(visitor: &Visitor, pattern: &Pattern) -> Markup {
    html! {
        h2 { (visitor.text("patterns-moves")) }
        (render_tree(visitor, &pattern.moves))
    }
}

fn render_tree(visitor: &Visitor, branches: &[PatternBranch]) -> Markup {
    html! {
        ul.tree {
            @for branch in branches {
                li { (render_branch(visitor, branch)) @if !branch.replies.is_empty() { (render_tree(visitor, &branch.replies)) } }
            }
        }
    }
}

/// `B C4 urgent 120/300: words`.
pub(super) fn render_branch(visitor: &Visitor, branch: &PatternBranch) -> Markup {
    let said = localized_words(visitor, &branch.words);
    html! {
        b { (colored_move(visitor, branch.color, branch.at)) }
        @if branch.kind != MoveKind::Normal { " " (kind_name(visitor, branch.kind)) }
        @if branch.played > 0 {
            span.quiet { " " (visitor.text("patterns-played-word")) " " (branch.played) (visitor.text("workbench-comma"))
                (visitor.text("patterns-won-word")) " " (format!("{:.0} %", 100.0 * f64::from(branch.won) / f64::from(branch.played))) }
        }
        @if !said.is_empty() { " " (said) }
    }
}

/// The eight symmetries, and the same with the colours exchanged.
pub(super) fn render_variants(visitor: &Visitor, pattern: &Pattern) -> Markup {
    let PatternDiagram { width, height, .. } = pattern.diagram;
    let first = pattern.moves.first();
    let picture = |turn: DiagramTurn, exchanged: bool| {
        let diagram = pattern.diagram.turned_by(turn);
        let diagram = if exchanged { diagram.with_colors_exchanged() } else { diagram };
        let picture = diagram.draw_picture(0, 0).without_coordinates();
        match first {
            None => picture,
            Some(mv) => {
                let at = turn.map_square(mv.at, width, height);
                let color = if exchanged { !mv.color } else { mv.color };
                picture.with_stone(color, Point::new(at.column(), at.row()), "1")
            }
        }
    };
    // The pattern itself stands above them.
    let mut pictures = DeepPictures::after_board(visitor);
    html! {
        details open {
            summary { (visitor.text("patterns-eight-symmetries-both-colours")) }
            @for exchanged in [false, true] {
                h3 { @if exchanged { (visitor.text("patterns-colours-exchanged")) } @else { (visitor.text("patterns-as-it-is")) } }
                ul.patterns-sheet.variants {
                    @for turn in DiagramTurn::ALL {
                        @let name = turn_name(visitor, turn);
                        li { span.tile aria-hidden="true" { span.board.deep { (pictures.draw(picture(turn, exchanged))) } } span.quiet { (name) } }
                    }
                }
            }
        }
    }
}

pub(super) fn turn_name<'a>(visitor: &Visitor, turn: DiagramTurn) -> &'a str {
    let names = [
        text_id("patterns-as-it-is-word"),
        text_id("patterns-left-and-right"),
        text_id("patterns-upside-down"),
        text_id("patterns-half-a-turn"),
        text_id("patterns-on-the-diagonal"),
        text_id("patterns-a-quarter-turn"),
        text_id("patterns-a-quarter-turn-back"),
        text_id("patterns-on-the-other-diagonal"),
    ];
    let place = DiagramTurn::ALL.iter().position(|&each| each == turn).unwrap_or(0);
    visitor.text(names[place])
}

#[derive(Deserialize)]
struct PatternRevisionForm {
    revision: u64,
}

async fn remove_pattern(
    desk: DeskState,
    visitor: Visitor,
    Path((key, name)): Path<(String, String)>,
    Form(seen): Form<PatternRevisionForm>,
) -> PageAnswer {
    let mut shelf = PatternCollection::load_own(&desk, &key, seen.revision).await?;
    let mut library = shelf.content().clone();
    library.remove_pattern(&name)?;
    shelf.replace_content(&desk, &library).await?;
    Ok(redirect_to(&visitor, &format!("/patterns?c={key}")))
}
