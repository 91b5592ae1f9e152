//! One pattern: its diagram, its sixteen variants, what it claims, its moves.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, Path, State};
use axum::response::Response;
use axum::routing::{get, post};
use ishi_go::Point;
use ishi_go::picture::Picture;
use ishi_patterns::joseki::book::Kind;
use ishi_patterns::library::{Attribute, Branch, Claim, Diagram, Edges, Pattern, Sign, Turn, Words, text};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;

use super::collection::{self, Shelf};
use super::{go_to, sheet};
use crate::workbench::Desk;
use crate::workbench::error::PageError;
use crate::workbench::page::{Page, Room};
use crate::workbench::visitor::Visitor;

pub(super) fn routes() -> Router<Arc<Desk>> {
    Router::new()
        .route("/patterns/p/{key}/{name}", get(show))
        .route("/patterns/p/{key}/{name}/remove", post(remove))
}

pub(super) fn pattern_path(key: &str, name: &str) -> String {
    format!("/patterns/p/{key}/{name}")
}

pub(in super::super) fn kind_name<'a>(visitor: &Visitor, kind: Kind) -> &'a str {
    let (english, japanese) = match kind {
        Kind::Normal => ("normal", "普通"),
        Kind::Urgent => ("urgent", "急場"),
        Kind::Hard => ("hard", "難解"),
        Kind::Trick => ("trick", "ハメ手"),
        Kind::Bad => ("bad", "悪手"),
        Kind::Ignore => ("ignore", "手抜き"),
    };
    visitor.say(english, japanese)
}

/// Which edges it lies against; `None` if it floats.
pub(super) fn sides_of<'a>(visitor: &Visitor, pattern: &Pattern) -> Option<&'a str> {
    match pattern.diagram.edges {
        Edges::NONE => None,
        Edges::CORNER => Some(visitor.say("corner", "隅")),
        _ => Some(visitor.say("edge", "辺")),
    }
}

pub(super) fn sign_name<'a>(visitor: &Visitor, sign: Sign) -> &'a str {
    let (english, japanese) = match sign {
        Sign::Black => ("black", "黒"),
        Sign::White => ("white", "白"),
        Sign::Empty => ("empty", "空点"),
        Sign::BlackOrEmpty => ("black or empty", "黒か空点"),
        Sign::WhiteOrEmpty => ("white or empty", "白か空点"),
        Sign::Stone => ("a stone of either colour", "どちらかの石"),
        Sign::OnBoard => ("anything on the board", "盤上なら何でも"),
        Sign::Any => ("anything", "何でも"),
    };
    visitor.say(english, japanese)
}

pub(super) fn claim_words(visitor: &Visitor, claim: Claim) -> String {
    match claim {
        Claim::Liberties(n) => format!("{} {n}", visitor.say("liberties:", "ダメの数：")),
        Claim::AtLeast(n) => format!("{} {n}", visitor.say("liberties, at least", "ダメの数、少なくとも")),
        Claim::AtMost(n) => format!("{} {n}", visitor.say("liberties, at most", "ダメの数、多くとも")),
        Claim::Alive => visitor.say("alive", "活き").to_string(),
        Claim::Dead => visitor.say("dead", "死に").to_string(),
    }
}

/// What is said, in the visitor's language if it is there.
pub(in super::super) fn words_of<'a>(visitor: &Visitor, words: &'a Words) -> &'a str {
    let (own, other) = (visitor.say(&words.en, &words.ja), visitor.say(&words.ja, &words.en));
    if own.is_empty() { other } else { own }
}

/// The diagram in words, for those who do not see the picture.
pub(super) fn description(visitor: &Visitor, diagram: &Diagram) -> Markup {
    html! {
        ul {
            @for (sign, points) in diagram.by_sign() {
                li { (sign_name(visitor, sign)) ": " (points.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")) }
            }
        }
    }
}

async fn show(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path((key, name)): Path<(String, String)>,
) -> Result<Response, PageError> {
    let shelf = collection::load(&desk, &key).await?;
    let own = collection::own(&desk).await?;
    let pattern = find(&shelf, &name)?;
    let mut named = pattern.clone();
    ishi_knowledge::rules::name_moves(&mut named);
    let body = html! {
        h1 { (pattern.name) }
        p.quiet { a href={ "/patterns?c=" (shelf.key) } { (sheet::title(&visitor, &shelf)) } " · " (pattern.source)
            @if pattern.seen > 0 { " · " (visitor.say("seen", "出現")) " " (pattern.seen) } }
        div.columns {
            div { (board(&visitor, pattern)) (tools(&visitor, &shelf, pattern, &own)) }
            div {
                @let said = words_of(&visitor, &pattern.words);
                @if !said.is_empty() { p { (said) } }
                (attributes(&visitor, pattern))
                (moves(&visitor, &named))
            }
        }
        (variants(&visitor, pattern))
        details { summary { (visitor.say("As text", "テキスト")) } pre tabindex="0" { (text::write_pattern(pattern)) } }
    };
    Ok(Page::new(Room::Patterns, &pattern.name).show(&visitor, body))
}

pub(super) fn find<'a>(shelf: &'a Shelf, name: &str) -> Result<&'a Pattern, PageError> {
    shelf.library().find(name).ok_or_else(|| {
        PageError::missing(
            format!("no pattern of this collection is named {name:?}"),
            format!("このパターン集に {name:?} はありません"),
        )
    })
}

/// What is claimed of chains, on their stones: `2`, `2+`, `2-`, `A` for alive, `D` for dead.
pub(super) fn with_claims(picture: Picture, attributes: &[Attribute]) -> Picture {
    let short = |claim: Claim| match claim {
        Claim::Liberties(n) => n.to_string(),
        Claim::AtLeast(n) => format!("{n}+"),
        Claim::AtMost(n) => format!("{n}-"),
        Claim::Alive => "A".to_string(),
        Claim::Dead => "D".to_string(),
    };
    attributes.iter().fold(picture, |picture, attribute| {
        let at = Point::new(attribute.at.column(), attribute.at.row());
        picture.label(at, short(attribute.claim), None)
    })
}

fn board(visitor: &Visitor, pattern: &Pattern) -> Markup {
    let mut picture = with_claims(pattern.diagram.picture(0, 0), &pattern.attributes);
    for (number, mv) in pattern.moves.iter().enumerate().take(26) {
        let letter = char::from(b'a' + number as u8).to_string();
        picture = picture.label(Point::new(mv.at.column(), mv.at.row()), letter, None);
    }
    html! {
        div.pattern-board { (PreEscaped(picture.svg())) }
        div.unseen { (description(visitor, &pattern.diagram)) }
    }
}

fn tools(visitor: &Visitor, shelf: &Shelf, pattern: &Pattern, own: &[(String, String)]) -> Markup {
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

fn attributes(visitor: &Visitor, pattern: &Pattern) -> Markup {
    html! {
        @if !pattern.attributes.is_empty() {
            h2 { (visitor.say("Chains", "連の条件")) }
            ul { @for Attribute { at, claim } in &pattern.attributes { li { (at) ": " (claim_words(visitor, *claim)) } } }
        }
    }
}

fn moves(visitor: &Visitor, pattern: &Pattern) -> Markup {
    html! {
        h2 { (visitor.say("Moves", "手")) }
        (tree(visitor, &pattern.moves))
    }
}

fn tree(visitor: &Visitor, branches: &[Branch]) -> Markup {
    html! {
        ul.tree {
            @for branch in branches {
                li { (branch_words(visitor, branch)) @if !branch.replies.is_empty() { (tree(visitor, &branch.replies)) } }
            }
        }
    }
}

/// `B C4 urgent 120/300: words`.
pub(super) fn branch_words(visitor: &Visitor, branch: &Branch) -> Markup {
    let said = words_of(visitor, &branch.words);
    html! {
        b { (branch.color.letter()) " " (branch.at) }
        @if branch.kind != Kind::Normal { " " (kind_name(visitor, branch.kind)) }
        @if branch.played > 0 {
            span.quiet { " " (visitor.say("played", "着手")) " " (branch.played) ", "
                (visitor.say("won", "勝ち")) " " (format!("{:.0} %", 100.0 * f64::from(branch.won) / f64::from(branch.played))) }
        }
        @if !said.is_empty() { " " (said) }
    }
}

/// The eight symmetries, and the same with the colours exchanged.
pub(super) fn variants(visitor: &Visitor, pattern: &Pattern) -> Markup {
    let Diagram { width, height, .. } = pattern.diagram;
    let first = pattern.moves.first();
    let picture = |turn: Turn, exchanged: bool| {
        let diagram = pattern.diagram.turned(turn);
        let diagram = if exchanged { diagram.exchanged() } else { diagram };
        let picture = diagram.picture(0, 0).bare();
        match first {
            None => picture,
            Some(mv) => {
                let at = turn.square(mv.at, width, height);
                let color = if exchanged { !mv.color } else { mv.color };
                picture.stone(color, Point::new(at.column(), at.row()), "1")
            }
        }
    };
    html! {
        details open {
            summary { (visitor.say("Eight symmetries, both colours", "8通りの対称と色の交換")) }
            @for exchanged in [false, true] {
                h3 { @if exchanged { (visitor.say("Colours exchanged", "色を交換")) } @else { (visitor.say("As it is", "そのまま")) } }
                ul.patterns-sheet.variants {
                    @for turn in Turn::ALL {
                        @let name = turn_name(visitor, turn);
                        li { span.tile aria-hidden="true" { (PreEscaped(picture(turn, exchanged).svg())) } span.quiet { (name) } }
                    }
                }
            }
        }
    }
}

pub(super) fn turn_name<'a>(visitor: &Visitor, turn: Turn) -> &'a str {
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
    let place = Turn::ALL.iter().position(|&each| each == turn).unwrap_or(0);
    visitor.say(names[place].0, names[place].1)
}

#[derive(Deserialize)]
struct Seen {
    revision: u64,
}

async fn remove(
    State(desk): State<Arc<Desk>>,
    visitor: Visitor,
    Path((key, name)): Path<(String, String)>,
    Form(seen): Form<Seen>,
) -> Result<Response, PageError> {
    let shelf = sheet::own(&desk, &key, seen.revision).await?;
    let mut library = shelf.library().clone();
    library.remove(&name).map_err(PageError::input)?;
    collection::change(&desk, &shelf, &library).await?;
    Ok(go_to(&visitor, &format!("/patterns?c={key}")))
}
