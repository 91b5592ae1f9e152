//! The game as the page has it: the whole tree, the review's numbers and the words it needs, as JSON in the page. The page steps through it by
//! itself (`ui/go_game.ts`) and asks only to play, to think and to keep. Places are numbers of nodes in the order of the file; they hold for
//! the revision that stands beside them.

use std::collections::HashMap;

use ishi_go::{BoardSize, Color, Move};
use ishi_sgf::{GameTree, Node, NodeId, PropertyValue, move_of_value, point_text};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::reviewed::{GoReview, loss_badge};
use super::table::GoTable;
use crate::workbench::error::PageError;
use crate::workbench::visitor::Visitor;

/// Marks, set-up and areas that the page draws: lists of points as SGF writes them, and composed values.
const DRAWN: [&str; 15] =
    ["AB", "AW", "AE", "PL", "TR", "SQ", "CR", "MA", "SL", "TB", "TW", "LB", "AR", "LN", "DD"];

/// A node of the tree.
#[derive(Serialize)]
pub(super) struct PageNode {
    /// Its parent's number; absent where that is the node before.
    #[serde(skip_serializing_if = "Option::is_none")]
    p: Option<usize>,
    /// The move: colour and SGF's point, which is absent for a pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    m: Option<String>,
    /// The comment.
    #[serde(skip_serializing_if = "Option::is_none")]
    c: Option<String>,
    /// What is drawn.
    #[serde(skip_serializing_if = "Map::is_empty")]
    d: Map<String, Value>,
}

/// The move of a node, as the review names it: colour and vertex. None of a value that is no move, which reviews leave out.
pub(super) fn node_move(size: BoardSize, node: &Node) -> Option<(Color, Move)> {
    [("B", Color::Black), ("W", Color::White)]
        .into_iter()
        .find_map(|(name, color)| Some((color, move_of_value(size, node.value(name)?)?)))
}

/// Is the node a move of the board?
pub(super) fn is_played(tree: &GameTree, size: BoardSize, node: NodeId) -> bool {
    node_move(size, tree.node(node)).is_some()
}

fn describe_node(tree: &GameTree, size: BoardSize, node: NodeId, parent: Option<usize>) -> PageNode {
    let node = tree.node(node);
    let played = node_move(size, node).map(|(color, mv)| {
        let place = mv.point().map_or(String::new(), |point| point_text(size, point));
        format!("{}{place}", color.letter())
    });
    let drawn = DRAWN.into_iter().filter_map(|name| {
        let values: Vec<Value> = node.values(name).map(|value| value.to_text().into()).collect();
        (!values.is_empty()).then(|| (name.to_string(), values.into()))
    });
    let comment = node.value("C").map(PropertyValue::to_text).filter(|text| !text.is_empty());
    PageNode { p: parent, m: played, c: comment, d: drawn.collect() }
}

/// Numbers of nodes in the order of the file.
pub(super) type NodeNumbers = HashMap<NodeId, usize>;

/// The nodes of a tree.
pub(super) fn describe_tree(tree: &GameTree, size: BoardSize, numbers: &NodeNumbers) -> Vec<PageNode> {
    let described = tree.preorder().enumerate().map(|(number, node)| {
        let parent = tree.node(node).parent().map(|parent| numbers[&parent]);
        describe_node(tree, size, node, parent.filter(|parent| parent + 1 != number))
    });
    described.collect()
}

/// A row for each move that is reviewed: node, win rate, lead and badge. `None` if the line is no longer there.
pub(super) fn describe_review(
    table: &GoTable,
    review: &GoReview,
    numbers: &NodeNumbers,
    visitor: &Visitor,
) -> Option<Value> {
    let line = review.find_line(table)?;
    let rows: Vec<Value> = review
        .rows
        .iter()
        .zip(&line)
        .map(|(row, node)| {
            let badge =
                loss_badge(row.lost_win_rate, visitor).map(|(sign, meaning)| format!("{sign} {meaning}"));
            json!([numbers[node], row.black_win_rate, row.black_lead, badge])
        })
        .collect();
    Some(rows.into())
}

/// Who plays with a colour.
pub(super) fn color_name(color: Color, visitor: &Visitor) -> &'static str {
    match color {
        Color::Black => visitor.text("go-black"),
        Color::White => visitor.text("go-white"),
    }
}

/// A colour in words.
pub(super) fn color_word(color: Color, visitor: &Visitor) -> &'static str {
    match color {
        Color::Black => visitor.text("go-black-word"),
        Color::White => visitor.text("go-white-word"),
    }
}

/// What the page says by itself.
pub(super) fn page_words(visitor: &Visitor) -> Value {
    let say = |id| visitor.text(id);
    json!({
        "black": color_word(Color::Black, visitor),
        "white": color_word(Color::White, visitor),
        "toMove": [say("go-black-to-move"), say("go-white-to-move")],
        "pass": say("go-pass"),
        "setup": say("go-set-up"),
        "variations": say("go-variations"),
        "next": say("go-next"),
        "line": say("go-a-line-move-at-of-count"),
        "leaveFirst": say("go-a-line-is-shown-go-back"),
        "back": say("go-back-to-the-game"),
        "walk": say("go-walk-through-line"),
        "moveNumber": say("workbench-move-number"),
        "remark": say("go-with-a-remark"),
        "pondering": say("go-thinking"),
        "played": say("go-color-plays-point"),
        "captures": say("go-captures-count"),
        "after": say("go-after-this-move-black-wins-share"),
    })
}

/// The game in the page.
pub(super) fn render_game(table: &GoTable, analysing: bool, visitor: &Visitor) -> Result<Markup, PageError> {
    let size = table.size()?;
    let info = table.info();
    let numbers: NodeNumbers = table.tree.preorder().zip(0..).collect();
    let person = |color: Color| table.seats[color.index()].is_person();
    let known = json!({
        "size": [size.width(), size.height()],
        "node": numbers.get(&table.node).copied().unwrap_or(0),
        "first": if info.handicap.is_some_and(|stones| stones >= 2) { "W" } else { "B" },
        "persons": Color::ALL.map(person),
        "due": table.due,
        "over": table.result().is_some(),
        "counting": table.dead.is_some(),
        "analysing": analysing,
        // What is thought of a place depends on these, too.
        "terms": [info.komi, table.rules().to_string(), info.handicap],
        "nodes": describe_tree(&table.tree, size, &numbers),
        "review": table.review.as_ref().and_then(|review| describe_review(table, review, &numbers, visitor)),
        "words": page_words(visitor),
    });
    Ok(html! { script #go-game type="application/json" { (script_text(&known)) } })
}

/// JSON for a script of the page. Inside a script nothing is escaped: no sign that could end it may stand there.
pub(super) fn script_text(known: &Value) -> PreEscaped<String> {
    PreEscaped(known.to_string().replace('<', "\\u003c").replace('&', "\\u0026"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::workbench::visitor::Visitor;
    use ishi_words::Language;

    #[test]
    fn the_tree_comes_whole_and_nothing_ends_its_script() {
        let sgf = "(;GM[1]SZ[9]AB[aa:bb]C[</script>&];B[ee](;W[cc]LB[dd:A])(;W[];B[tt]))";
        let table = GoTable::from_record("t".into(), sgf.as_bytes()).unwrap();
        let text =
            render_game(&table, false, &Visitor::for_language(Language::Japanese)).unwrap().into_string();
        let (_, json) = text.split_once('>').unwrap();
        let json = json.strip_suffix("</script>").unwrap();
        assert!(!json.contains('<'), "{json}");
        let known: Value = serde_json::from_str(json).unwrap();
        let moves: Vec<Option<&str>> =
            known["nodes"].as_array().unwrap().iter().map(|node| node["m"].as_str()).collect();
        assert_eq!(moves, [None, Some("Bee"), Some("Wcc"), Some("W"), Some("B")]);
        assert_eq!((&known["nodes"][3]["p"], &known["nodes"][2]["p"]), (&json!(1), &Value::Null));
        assert_eq!(known["nodes"][0]["c"], json!("</script>&"));
        assert_eq!(
            (&known["nodes"][0]["d"]["AB"], &known["nodes"][2]["d"]["LB"]),
            (&json!(["aa:bb"]), &json!(["dd:A"]))
        );
        assert_eq!(known["words"]["black"], json!("黒"));
    }

    /// What was thought of a place is forgotten by a page that has other terms.
    #[test]
    fn the_page_knows_komi_rules_and_handicap() {
        let terms_of = |sgf: &str| {
            let table = GoTable::from_record("t".into(), sgf.as_bytes()).unwrap();
            let page = render_game(&table, false, &Visitor::for_language(Language::English)).unwrap();
            let text = page.into_string();
            let json = text.split_once('>').unwrap().1.strip_suffix("</script>").unwrap();
            let known: Value = serde_json::from_str(json).unwrap();
            known["terms"].to_string()
        };
        let records = [
            "(;SZ[9])",
            "(;SZ[9]KM[6.5])",
            "(;SZ[9]KM[0.5])",
            "(;SZ[9]KM[6.5]RU[Japanese])",
            "(;SZ[9]KM[6.5]HA[2])",
        ];
        let terms: BTreeSet<String> = records.map(terms_of).into();
        assert_eq!(terms.len(), records.len(), "{terms:?}");
    }
}
