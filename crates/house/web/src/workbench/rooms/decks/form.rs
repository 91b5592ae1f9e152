//! What is wanted of a deck: shown as a form, and read out of it.

use std::collections::BTreeMap;

use ishi_deck::{LeaderRule, PieceId, Pool};
use ishi_deck_documents::request::AllowedGap;
use ishi_deck_documents::{PoolFile, SolveMethod, SolveRequest};
use maud::{Markup, html};
use serde_json::{Map, Value, json};

use crate::workbench::error::PageError;
use crate::workbench::table::TableColumn::Words;
use crate::workbench::table::render_scrolling_table;
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;

/// Larger pools are not listed piece by piece: names are written instead.
const MOST_LISTED: usize = 400;

/// Seconds that a deck is looked for where nothing else is said.
const USUAL_SECONDS: f64 = 10.0;

/// Seconds at most.
const MOST_SECONDS: f64 = 600.0;

// --- reading ---

/// The fields by name; an empty one is as one that is missing.
struct DeckFields<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> DeckFields<'a> {
    fn from_pairs(fields: &'a [(String, String)]) -> DeckFields<'a> {
        let filled = fields.iter().filter(|(_, value)| !value.trim().is_empty());
        DeckFields(filled.map(|(name, value)| (name.as_str(), value.trim())).collect())
    }

    fn get_text(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).copied()
    }

    fn parse_number<T: std::str::FromStr>(&self, name: &str, what: &str) -> Result<Option<T>, PageError> {
        let read = |text: &str| {
            text.parse().map_err(|_| {
                PageError::invalid_input_with(
                    "decks-is-no-number-that-can-be",
                    args![what, text = format!("{text:?}")],
                )
            })
        };
        self.get_text(name).map(read).transpose()
    }

    /// Names, one a line.
    fn get_lines(&self, name: &str) -> Vec<&'a str> {
        self.get_text(name)
            .into_iter()
            .flat_map(str::lines)
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect()
    }
}

/// The request (JSON) that the fields make.
pub(super) fn build_request(pool: &PoolFile, fields: &[(String, String)]) -> Result<String, PageError> {
    let fields = DeckFields::from_pairs(fields);
    let pool = &pool.pool;
    let mut wish = Map::new();
    let least: Option<usize> = fields.parse_number("size_least", "size")?;
    let most: Option<usize> = fields.parse_number("size_most", "size")?;
    if let Some(size) = least.or(most) {
        wish.insert("size".into(), json!([least.unwrap_or(size), most.unwrap_or(size)]));
    }
    wish.insert("limits".into(), build_limits(pool, &fields)?);
    wish.insert("quotas".into(), build_quotas(pool, &fields)?);
    let leader = match fields.get_text("leader") {
        None | Some("none") => json!("none"),
        Some("any") => json!("any"),
        Some(name) => json!([name]),
    };
    wish.insert("leader".into(), leader);
    for (name, word) in [("fixed", "fixed_names"), ("banned", "banned_names")] {
        wish.insert(name.into(), json!(chosen_pieces(pool, &fields, name, word)));
    }
    let seconds: f64 = fields.parse_number("seconds", "seconds")?.unwrap_or(USUAL_SECONDS);
    wish.insert("time_limit".into(), json!(seconds.min(MOST_SECONDS)));
    for name in ["gap", "method"] {
        if let Some(text) = fields.get_text(name) {
            wish.insert(name.into(), json!(text));
        }
    }
    Ok(Value::Object(wish).to_string())
}

fn build_limits(pool: &Pool, fields: &DeckFields<'_>) -> Result<Value, PageError> {
    let mut limits = Map::new();
    for (at, resource) in pool.resources.iter().enumerate() {
        if let Some(limit) = fields.parse_number::<i64>(&format!("limit_{at}"), resource)? {
            limits.insert(resource.clone(), json!(limit));
        }
    }
    Ok(limits.into())
}

fn build_quotas(pool: &Pool, fields: &DeckFields<'_>) -> Result<Value, PageError> {
    let mut quotas = Map::new();
    for (at, attribute) in pool.attributes.iter().enumerate() {
        let least: Option<u64> = fields.parse_number(&format!("least_{at}"), attribute)?;
        let most: Option<u64> = fields.parse_number(&format!("most_{at}"), attribute)?;
        let quota = match (least, most) {
            (None, None) => continue,
            (least, None) => json!({ "at_least": least.unwrap_or(0) }),
            (least, Some(most)) => json!({ "at_least": least.unwrap_or(0), "at_most": most }),
        };
        quotas.insert(attribute.clone(), quota);
    }
    Ok(quotas.into())
}

/// Pieces that are fixed, or banned: chosen in the list, or written.
fn chosen_pieces<'a>(pool: &'a Pool, fields: &DeckFields<'a>, word: &str, written: &str) -> Vec<&'a str> {
    let listed = pool
        .pieces
        .iter()
        .enumerate()
        .filter(|(at, _)| fields.get_text(&format!("piece_{at}")) == Some(word));
    let mut names: Vec<&str> = listed.map(|(_, piece)| piece.name.as_str()).collect();
    names.extend(fields.get_lines(written));
    names
}

// --- showing ---

pub(super) fn render_form(visitor: &Visitor, key: &str, pool: &PoolFile, wish: &SolveRequest) -> Markup {
    html! {
        form hx-post={ "/decks/" (key) "/build" } hx-swap="none" method="post" action={ "/decks/" (key) "/build" } {
            div.form {
                (render_sizes(visitor, wish))
                (render_resource_limits(visitor, &pool.pool, wish))
                (render_leader_choice(visitor, &pool.pool, wish))
                (render_method_choice(visitor, wish))
            }
            div.row { button.main #decks-build { (visitor.text("decks-build")) } }
            (render_attribute_quotas(visitor, &pool.pool, wish))
            (render_pieces(visitor, &pool.pool, wish))
        }
    }
}

fn render_sizes(visitor: &Visitor, wish: &SolveRequest) -> Markup {
    let size = &wish.request.size;
    html! {
        label for="decks-least" { (visitor.text("decks-pieces-at-least")) }
        input #decks-least name="size_least" type="number" min="1" max="1000" value=(size.start()) required;
        label for="decks-most" { (visitor.text("decks-at-most")) }
        input #decks-most name="size_most" type="number" min="1" max="1000" value=(size.end()) required;
    }
}

fn render_resource_limits(visitor: &Visitor, pool: &Pool, wish: &SolveRequest) -> Markup {
    html! {
        @for (at, resource) in pool.resources.iter().enumerate() {
            label for={ "decks-limit-" (at) } { (visitor.text("decks-limit-of")) (resource_name(visitor, resource)) }
            input id={ "decks-limit-" (at) } name={ "limit_" (at) } type="number" value=[wish.request.limits[at]]
                placeholder=(visitor.text("decks-none"));
        }
    }
}

fn render_leader_choice(visitor: &Visitor, pool: &Pool, wish: &SolveRequest) -> Markup {
    let named = match &wish.request.leader {
        LeaderRule::OneOf(ids) => ids.first().copied(),
        LeaderRule::None | LeaderRule::Any => None,
    };
    html! {
        label for="decks-leader" { (visitor.text("decks-leader")) }
        select #decks-leader name="leader" {
            option value="none" selected[wish.request.leader == LeaderRule::None] { (visitor.text("decks-none")) }
            option value="any" selected[wish.request.leader == LeaderRule::Any] { (visitor.text("decks-any-piece")) }
            @for (at, piece) in pool.pieces.iter().enumerate().take(MOST_LISTED) {
                option value=(piece.name) selected[named == Some(PieceId(at as u32))] { (piece.name) }
            }
        }
    }
}

/// What pieces cost is called. Tables that name nothing of their own have `cost`.
pub(super) fn resource_name<'a>(visitor: &Visitor, resource: &'a str) -> &'a str {
    if resource == "cost" { visitor.text("decks-usual-resource") } else { resource }
}

/// How a deck is looked for.
pub(super) fn method_words(visitor: &Visitor, method: SolveMethod) -> &'static str {
    match method {
        SolveMethod::Exact => visitor.text("decks-exact-the-best-with-a-proof"),
        SolveMethod::Ours => visitor.text("decks-search-without-a-proof"),
        SolveMethod::VariableDepth => visitor.text("decks-variable-depth-search"),
        SolveMethod::SwapChains => visitor.text("decks-chains-of-swaps"),
        SolveMethod::Annealing => visitor.text("decks-annealing"),
        SolveMethod::HillClimbing => visitor.text("decks-hill-climbing"),
        SolveMethod::Greedy => visitor.text("decks-greedy"),
    }
}

fn render_method_choice(visitor: &Visitor, wish: &SolveRequest) -> Markup {
    let method = wish.settings.method.unwrap_or_default();
    let seconds = wish.settings.time_limit.map_or(USUAL_SECONDS, |limit| limit.as_secs_f64());
    let gap = match wish.settings.gap {
        None => String::new(),
        Some(AllowedGap::Score(score)) => score.to_string(),
        Some(AllowedGap::Share(share)) => format!("{}%", share * 100.0),
    };
    html! {
        label for="decks-method" { (visitor.text("decks-method")) }
        select #decks-method name="method" {
            @for each in SolveMethod::ALL { option value=(each.name()) selected[each == method] { (method_words(visitor, each)) } }
        }
        label for="decks-seconds" { (visitor.text("decks-seconds-at-most")) }
        input #decks-seconds name="seconds" type="number" min="0.1" max=(MOST_SECONDS) step="any" value=(seconds);
        label for="decks-gap" { (visitor.text("decks-gap-that-is-small-enough")) }
        input #decks-gap name="gap" value=(gap) placeholder=(visitor.text("decks-none-or-2-5-or-1"));
    }
}

fn render_attribute_quotas(visitor: &Visitor, pool: &Pool, wish: &SolveRequest) -> Markup {
    let quota = |at: usize| wish.request.quotas.iter().find(|quota| quota.attribute == at);
    html! {
        @if !pool.attributes.is_empty() {
            details open[!wish.request.quotas.is_empty()] {
                summary { (visitor.text("decks-how-many-of-which-kind")) }
                (render_scrolling_table(visitor.text("decks-kinds"), &[
                    Words(visitor.text("decks-kind")), Words(visitor.text("decks-at-least")), Words(visitor.text("decks-at-most-in-form")),
                ], html! {
                    @for (at, attribute) in pool.attributes.iter().enumerate() {
                        @let quota = quota(at);
                        @let least = quota.map(|quota| quota.at_least).filter(|least| *least > 0);
                        tr {
                            th scope="row" { (attribute) }
                            td { input name={ "least_" (at) } type="number" min="0" value=[least]
                                aria-label={ (attribute) (visitor.text("workbench-colon")) (visitor.text("decks-at-least-word")) }; }
                            td { input name={ "most_" (at) } type="number" min="0" value=[quota.and_then(|quota| quota.at_most)]
                                aria-label={ (attribute) (visitor.text("workbench-colon")) (visitor.text("decks-at-most-word")) }; }
                        }
                    }
                }))
            }
        }
    }
}

fn render_pieces(visitor: &Visitor, pool: &Pool, wish: &SolveRequest) -> Markup {
    if pool.pieces.len() > MOST_LISTED {
        return render_piece_name_fields(visitor, pool, wish);
    }
    html! {
        h3 { (visitor.text("decks-pieces")) }
        div.scroll.decks-pieces tabindex="0" role="region" aria-label=(visitor.text("decks-pieces")) {
            table {
                thead { tr {
                    th scope="col" { (visitor.text("decks-piece")) }
                    th scope="col" { (visitor.text("decks-use")) }
                    @for resource in &pool.resources { th.number scope="col" { (resource_name(visitor, resource)) } }
                    th scope="col" { (visitor.text("decks-kinds")) }
                    @if !pool.groups.is_empty() { th scope="col" { (visitor.text("decks-group")) } }
                } }
                tbody {
                    @for (at, piece) in pool.pieces.iter().enumerate() {
                        @let id = PieceId(at as u32);
                        @let (fixed, banned) = (wish.request.fixed.contains(&id), wish.request.banned.contains(&id));
                        tr {
                            th scope="row" { (piece.name) }
                            td {
                                select name={ "piece_" (at) } aria-label=(piece.name) {
                                    option value="" { (visitor.text("decks-free")) }
                                    option value="fixed" selected[fixed] { (visitor.text("decks-fixed")) }
                                    option value="banned" selected[banned] { (visitor.text("decks-banned")) }
                                }
                            }
                            @for cost in &piece.costs { td.number { (cost) } }
                            td { @for &attribute in &piece.attributes { (pool.attributes[attribute]) " " } }
                            @if !pool.groups.is_empty() {
                                td { @if let Some(group) = piece.group { (pool.groups[group].name) " ≤ " (pool.groups[group].limit) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn render_piece_name_fields(visitor: &Visitor, pool: &Pool, wish: &SolveRequest) -> Markup {
    let names =
        |ids: &[PieceId]| ids.iter().map(|&id| pool.piece(id).name.as_str()).collect::<Vec<_>>().join("\n");
    html! {
        p.quiet { (pool.pieces.len()) (visitor.text("decks-pieces-too-many-to-list-write")) }
        label for="decks-fixed" { (visitor.text("decks-fixed-in-form")) }
        textarea #decks-fixed name="fixed_names" rows="4" { (names(&wish.request.fixed)) }
        label for="decks-banned" { (visitor.text("decks-banned-in-form")) }
        textarea #decks-banned name="banned_names" rows="4" { (names(&wish.request.banned)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::rooms::decks::table::{DeckTable, parse_wish_text};

    fn fields(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_string(), (*value).to_string())).collect()
    }

    #[test]
    fn a_form_makes_the_request_that_it_shows() {
        let table = DeckTable::from_text(ishi_deck_documents::samples::POOL.to_string(), None, None).unwrap();
        let pool = table.parse_pool().unwrap();
        let sent = fields(&[
            ("size_least", "8"),
            ("size_most", "10"),
            ("limit_0", "90"),
            ("least_0", "2"),
            ("most_1", ""),
            ("leader", "any"),
            ("piece_3", "fixed"),
            ("piece_4", "banned"),
            ("piece_5", ""),
            ("seconds", "2"),
            ("gap", "1%"),
            ("method", "greedy"),
        ]);
        let wish = parse_wish_text(&build_request(&pool, &sent).unwrap(), &pool).unwrap();
        assert_eq!(wish.request.size, 8..=10);
        assert_eq!((wish.request.limits[0], wish.request.quotas.len()), (Some(90), 1));
        assert_eq!((wish.request.fixed, wish.request.banned), (vec![PieceId(3)], vec![PieceId(4)]));
        assert_eq!(wish.request.leader, LeaderRule::Any);
        assert_eq!(
            (wish.settings.method, wish.settings.gap),
            (Some(SolveMethod::Greedy), Some(AllowedGap::Share(0.01)))
        );
        assert!(build_request(&pool, &fields(&[("size_least", "x")])).is_err());
    }
}
