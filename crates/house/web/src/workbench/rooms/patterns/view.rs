//! One pattern: its diagram, its sixteen variants, what it claims, its moves.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path, State};
use axum::response::Response;
use axum::routing::{get, post};
use ishi_go::Point;
use ishi_go::picture::BoardPicture;
use ishi_patterns::joseki::book::MoveKind;
use ishi_patterns::library::{
    BilingualWords, ChainAttribute, ChainClaim, DiagramEdges, DiagramTurn, Pattern, PatternBranch,
    PatternDiagram, PointSign, text,
};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;

use super::collection::{self, PatternCollection};
use super::{redirect_to, sheet};
use crate::workbench::WorkbenchState;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room};
use crate::workbench::visitor::Visitor;

pub(super) fn routes() -> Router<Arc<WorkbenchState>> {
    Router::new()
        .route("/patterns/p/{key}/{name}", get(show_pattern))
        .route("/patterns/p/{key}/{name}/remove", post(remove_pattern))
}

pub(super) fn pattern_path(key: &str, name: &str) -> String {
    format!("/patterns/p/{key}/{name}")
}

pub(in super::super) fn kind_name<'a>(visitor: &Visitor, kind: MoveKind) -> &'a str {
    let (english, japanese) = match kind {
        MoveKind::Normal => ("normal", "普通"),
        MoveKind::Urgent => ("urgent", "急場"),
        MoveKind::Hard => ("hard", "難解"),
        MoveKind::Trick => ("trick", "ハメ手"),
        MoveKind::Bad => ("bad", "悪手"),
        MoveKind::Ignore => ("ignore", "手抜き"),
    };
    visitor.say(english, japanese)
}

/// Which edges it lies against; `None` if it floats.
pub(super) fn edge_name<'a>(visitor: &Visitor, pattern: &Pattern) -> Option<&'a str> {
    match pattern.diagram.edges {
        DiagramEdges::NONE => None,
        DiagramEdges::CORNER => Some(visitor.say("corner", "隅")),
        _ => Some(visitor.say("edge", "辺")),
    }
}

pub(super) fn sign_name<'a>(visitor: &Visitor, sign: PointSign) -> &'a str {
    let (english, japanese) = match sign {
        PointSign::Black => ("black", "黒"),
        PointSign::White => ("white", "白"),
        PointSign::Empty => ("empty", "空点"),
        PointSign::BlackOrEmpty => ("black or empty", "黒か空点"),
        PointSign::WhiteOrEmpty => ("white or empty", "白か空点"),
        PointSign::Stone => ("a stone of either colour", "どちらかの石"),
        PointSign::OnBoard => ("anything on the board", "盤上なら何でも"),
        PointSign::Any => ("anything", "何でも"),
    };
    visitor.say(english, japanese)
}

pub(super) fn claim_words(visitor: &Visitor, claim: ChainClaim) -> String {
    match claim {
        ChainClaim::Liberties(n) => format!("{} {n}", visitor.say("liberties:", "ダメの数：")),
        ChainClaim::AtLeast(n) => {
            format!("{} {n}", visitor.say("liberties, at least", "ダメの数、少なくとも"))
        }
        ChainClaim::AtMost(n) => format!("{} {n}", visitor.say("liberties, at most", "ダメの数、多くとも")),
        ChainClaim::Alive => visitor.say("alive", "活き").to_string(),
        ChainClaim::Dead => visitor.say("dead", "死に").to_string(),
    }
}

/// What is said, in the visitor's language if it is there.
pub(in super::super) fn localized_words<'a>(visitor: &Visitor, words: &'a BilingualWords) -> &'a str {
    let (own, other) = (visitor.say(&words.en, &words.ja), visitor.say(&words.ja, &words.en));
    if own.is_empty() { other } else { own }
}

/// The diagram in words, for those who do not see the picture.
pub(super) fn render_description(visitor: &Visitor, diagram: &PatternDiagram) -> Markup {
    html! {
        ul {
            @for (sign, points) in diagram.squares_by_sign() {
                li { (sign_name(visitor, sign)) ": " (points.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")) }
            }
        }
    }
}

async fn show_pattern(
    State(desk): State<Arc<WorkbenchState>>,
    visitor: Visitor,
    Path((key, name)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let shelf = collection::load_collection(&desk, &key).await?;
    let own = collection::list_own_titles(&desk).await?;
    let pattern = find_pattern(&shelf, &name)?;
    let mut named = pattern.clone();
    ishi_knowledge::rules::name_moves(&mut named);
    let body = html! {
        h1 { (pattern.name) }
        p.quiet { a href={ "/patterns?c=" (shelf.key) } { (sheet::collection_title(&visitor, &shelf)) } " · " (pattern.source)
            @if pattern.seen > 0 { " · " (visitor.say("seen", "出現")) " " (pattern.seen) } }
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
        details { summary { (visitor.say("As text", "テキスト")) } pre tabindex="0" { (text::write_pattern(pattern)) } }
    };
    Ok(Page::new(Room::Patterns, &pattern.name).render_page(&visitor, body))
}

pub(super) fn find_pattern<'a>(shelf: &'a PatternCollection, name: &str) -> Result<&'a Pattern, PageError> {
    shelf.library().find_pattern(name).ok_or_else(|| {
        PageError::not_found(
            format!("no pattern of this collection is named {name:?}"),
            format!("このパターン集に {name:?} はありません"),
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
        div.pattern-board { (PreEscaped(picture.to_svg())) }
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
                    label for="into" { (visitor.say("Copy into", "写す先")) }
                    select #into name="collection" {
                        @for (key, title) in own { option value=(key) { (title) } }
                        option value="new" { (visitor.say("a new collection", "新しいパターン集")) }
                    }
                    button.main { (visitor.say("Edit a copy", "写して編集")) }
                }
            } @else {
                form method="post" action="/patterns/drafts" {
                    input type="hidden" name="collection" value=(shelf.key);
                    input type="hidden" name="name" value=(pattern.name);
                    button.main { (visitor.say("Edit", "編集")) }
                }
                form method="post" action={ (path) "/remove" } {
                    input type="hidden" name="revision" value=(shelf.revision);
                    button { (visitor.say("Delete (can be undone)", "削除（元に戻せます）")) }
                }
            }
            a.button href={ "/patterns/game?c=" (shelf.key) "&pattern=" (pattern.name) } {
                (visitor.say("Matches in a game", "棋譜の中で探す"))
            }
        }
    }
}

fn render_attributes(visitor: &Visitor, pattern: &Pattern) -> Markup {
    html! {
        @if !pattern.attributes.is_empty() {
            h2 { (visitor.say("Chains", "連の条件")) }
            ul { @for ChainAttribute { at, claim } in &pattern.attributes { li { (at) ": " (claim_words(visitor, *claim)) } } }
        }
    }
}

fn render_moves(visitor: &Visitor, pattern: &Pattern) -> Markup {
    html! {
        h2 { (visitor.say("Moves", "手")) }
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
        b { (branch.color.letter()) " " (branch.at) }
        @if branch.kind != MoveKind::Normal { " " (kind_name(visitor, branch.kind)) }
        @if branch.played > 0 {
            span.quiet { " " (visitor.say("played", "打たれた回数")) " " (branch.played) ", "
                (visitor.say("won", "勝ち")) " " (format!("{:.0} %", 100.0 * f64::from(branch.won) / f64::from(branch.played))) }
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
    html! {
        details open {
            summary { (visitor.say("Eight symmetries, both colours", "8通りの対称と色の交換")) }
            @for exchanged in [false, true] {
                h3 { @if exchanged { (visitor.say("Colours exchanged", "色を交換")) } @else { (visitor.say("As it is", "そのまま")) } }
                ul.patterns-sheet.variants {
                    @for turn in DiagramTurn::ALL {
                        @let name = turn_name(visitor, turn);
                        li { span.tile aria-hidden="true" { (PreEscaped(picture(turn, exchanged).to_svg())) } span.quiet { (name) } }
                    }
                }
            }
        }
    }
}

pub(super) fn turn_name<'a>(visitor: &Visitor, turn: DiagramTurn) -> &'a str {
    let names = [
        ("as it is", "そのまま"),
        ("left and right", "左右反転"),
        ("upside down", "上下反転"),
        ("half a turn", "180度回転"),
        ("on the diagonal", "対角線で反転"),
        ("a quarter turn", "90度回転"),
        ("a quarter turn back", "-90度回転"),
        ("on the other diagonal", "逆の対角線で反転"),
    ];
    let place = DiagramTurn::ALL.iter().position(|&each| each == turn).unwrap_or(0);
    visitor.say(names[place].0, names[place].1)
}

#[derive(Deserialize)]
struct PatternRevisionForm {
    revision: u64,
}

async fn remove_pattern(
    State(desk): State<Arc<WorkbenchState>>,
    visitor: Visitor,
    Path((key, name)): Path<(String, String)>,
    Form(seen): Form<PatternRevisionForm>,
) -> Result<Response, PageError> {
    let shelf = sheet::load_own_collection(&desk, &key, seen.revision).await?;
    let mut library = shelf.library().clone();
    library.remove_pattern(&name).map_err(PageError::from_input_error)?;
    collection::replace_library(&desk, &shelf, &library).await?;
    Ok(redirect_to(&visitor, &format!("/patterns?c={key}")))
}
