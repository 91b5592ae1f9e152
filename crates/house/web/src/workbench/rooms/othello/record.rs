//! A game as the record that is saved: SGF with what its review says.

use ishi_othello::{Color, Move, Square};
use ishi_othello_play::coach::{MoveJudgement, words};
use ishi_sgf::othello_records::{OthelloFormat, write_records};
use ishi_sgf::{Collection, GameTree, NodeId, read_collection};

use super::game::{JudgedOthelloMove, OthelloGameState, OthelloLesson, OthelloReview};
use super::view::judgement_badge;
use crate::workbench::error::PageError;
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;

/// How the record writes that a side must pass.
const PASS: &str = "pa";

/// The game with the words of its review in the comments, and with the better lines of its lessons as variations.
pub(super) fn to_reviewed_record(
    game: &OthelloGameState,
    visitor: &Visitor,
) -> Result<Collection, PageError> {
    let bytes = write_records(OthelloFormat::Sgf, &[game.to_record()])?;
    let mut record = read_collection(&bytes).map_err(PageError::from_system_error)?.collection;
    let review = game.current_review().filter(|review| review.complete);
    if let (Some(review), Some(tree)) = (review, record.games.first_mut()) {
        add_review(tree, game, review, visitor);
    }
    Ok(record)
}

fn add_review(tree: &mut GameTree, game: &OthelloGameState, review: &OthelloReview, visitor: &Visitor) {
    let summaries: Vec<&str> = review.summaries.iter().map(|texts| pick_language(texts, visitor)).collect();
    write_comment(tree, NodeId::ROOT, &summaries.join("\n"));
    let nodes = played_nodes(tree);
    for judged in &review.judged {
        let about = review.lessons.iter().filter(|lesson| lesson.number == judged.number);
        let lessons: Vec<&OthelloLesson> = about.collect();
        let Some(&node) = judged.number.checked_sub(1).and_then(|index| nodes.get(index)) else { continue };
        if let Some(text) = describe_move(judged, &lessons, visitor) {
            write_comment(tree, node, &text);
        }
        if !lessons.is_empty() {
            add_better_line(tree, node, game, judged, visitor.text("othello-the-better-line"));
        }
    }
}

/// The nodes of the game's moves. Passes have nodes of their own, and no numbers.
fn played_nodes(tree: &GameTree) -> Vec<NodeId> {
    let is_played = |node: &NodeId| {
        let node = tree.node(*node);
        node.value("B").or_else(|| node.value("W")).is_some_and(|square| square.raw_text() != PASS)
    };
    tree.main_line().filter(is_played).collect()
}

/// What a move lost and why, and what is learned from it. Nothing if it lost too little, and no lesson is about it.
fn describe_move(
    judged: &JudgedOthelloMove,
    lessons: &[&OthelloLesson],
    visitor: &Visitor,
) -> Option<String> {
    let judgement = MoveJudgement::from_loss(judged.loss);
    let badge = judgement_badge(judgement);
    if badge.is_empty() && lessons.is_empty() {
        return None;
    }
    let (square, loss, better) = (&judged.square, judged.loss, &judged.better);
    let value = format!("{:+}", judged.better_value);
    let lost = visitor.text_with("othello-move-lost-better-is", args![square, loss, better, value]);
    let name = words::judgement_name(judgement, visitor.language);
    let first = if badge.is_empty() { lost } else { format!("{badge} {name}: {lost}") };
    let learned = lessons.iter().map(|lesson| pick_language(&lesson.text, visitor));
    let lines = [first.as_str(), pick_language(&judged.why, visitor)].into_iter().chain(learned);
    Some(lines.filter(|line| !line.is_empty()).collect::<Vec<&str>>().join("\n"))
}

/// The text in the visitor's language, of one that is kept in English and in Japanese.
fn pick_language<'a>(texts: &'a [String; 2], visitor: &Visitor) -> &'a str {
    visitor.language.choose(texts[0].as_str(), texts[1].as_str())
}

/// The line that was better than a move, in its place, as far as it is legal. Its first move is called by the title.
fn add_better_line(
    tree: &mut GameTree,
    played: NodeId,
    game: &OthelloGameState,
    judged: &JudgedOthelloMove,
    title: &str,
) {
    let Some(mut place) = tree.node(played).parent() else { return };
    let mut position = game.position_after(judged.number - 1);
    for (index, text) in judged.line.iter().enumerate() {
        if position.pass_if_forced() {
            place = add_move(tree, place, !position.to_move(), PASS);
        }
        let (Ok(square), color) = (text.parse::<Square>(), position.to_move()) else { return };
        if position.play(Move::Play(square)).is_err() {
            return;
        }
        place = add_move(tree, place, color, text);
        if index == 0 {
            write_comment(tree, place, title);
        }
    }
}

fn add_move(tree: &mut GameTree, after: NodeId, color: Color, text: &str) -> NodeId {
    let node = tree.add_child(after);
    let name = if color == Color::Black { "B" } else { "W" };
    tree.node_mut(node).set_text(name, text);
    node
}

fn write_comment(tree: &mut GameTree, node: NodeId, text: &str) {
    if !text.is_empty() {
        tree.node_mut(node).set_text("C", text);
    }
}

#[cfg(test)]
mod tests {
    use ishi_othello::{Position, iter_squares};
    use ishi_sgf::PropertyValue;
    use ishi_sgf::othello_records::OthelloRecord;
    use ishi_words::Language;

    use super::super::game::{LATE_GAME, Side};
    use super::super::graph::judged_loss;
    use super::*;

    fn opened_game(transcript: &str) -> OthelloGameState {
        let played = Position::from_transcript(transcript).unwrap();
        OthelloGameState::from_record(&OthelloRecord::from_game(played), 0)
    }

    fn said(text: &str) -> [String; 2] {
        [format!("{text}."), format!("{text}。")]
    }

    /// A game of three moves, with a lesson about its second one.
    fn reviewed_game() -> OthelloGameState {
        let mut game = opened_game("f5d6c3");
        let line = vec!["f6".to_string(), "e6".to_string()];
        let lesson = OthelloLesson {
            side: Side::White,
            number: 2,
            numbers: vec![2],
            answers: vec!["f6".to_string()],
            text: said("lesson"),
        };
        game.review = Some(OthelloReview {
            level: 4,
            moves: game.moves.clone(),
            judged: vec![JudgedOthelloMove { line, why: said("why"), ..judged_loss() }],
            complete: true,
            summaries: vec![said("summary")],
            lessons: vec![lesson],
        });
        game
    }

    fn written_tree(game: &OthelloGameState, language: Language) -> GameTree {
        to_reviewed_record(game, &Visitor::for_language(language)).unwrap().games.remove(0)
    }

    fn comment(tree: &GameTree, node: NodeId) -> String {
        tree.node(node).value("C").map(PropertyValue::to_text).unwrap_or_default()
    }

    #[test]
    fn a_record_has_the_words_of_its_review_and_its_better_lines() {
        let game = reviewed_game();
        let tree = written_tree(&game, Language::English);
        let line: Vec<NodeId> = tree.main_line().collect();
        assert_eq!(line.len(), 4, "the game stays the main line");
        assert_eq!(comment(&tree, line[0]), "summary.");
        assert_eq!(comment(&tree, line[2]), "?? blunder: d6 lost 10 discs. Better: f6 (-2).\nwhy.\nlesson.");
        let places: Vec<NodeId> = tree.children(line[1]).collect();
        assert_eq!(places.len(), 2, "the better line is a variation");
        assert_eq!(tree.node(places[1]).value("W").map(PropertyValue::to_text).as_deref(), Some("f6"));
        assert_eq!(comment(&tree, places[1]), "The better line");
        let next = tree.node(places[1]).first_child().unwrap();
        assert_eq!(tree.node(next).value("B").map(PropertyValue::to_text).as_deref(), Some("e6"));
        let japanese = written_tree(&game, Language::Japanese);
        let told = comment(&japanese, line[2]);
        assert!(told.starts_with("?? 悪手") && told.ends_with("why。\nlesson。"), "{told}");
        assert_eq!(
            game.describe_work("k").as_deref(),
            Some("game k, black person, white person, reviewed at level 4")
        );
    }

    #[test]
    fn a_review_of_other_moves_or_of_some_is_not_written() {
        let mut other = reviewed_game();
        other.moves.pop();
        let mut part = reviewed_game();
        part.review.as_mut().unwrap().complete = false;
        for game in [other, part] {
            let sgf = to_reviewed_record(&game, &Visitor::for_language(Language::English)).unwrap().to_sgf();
            assert!(!sgf.contains("C[") && game.describe_work("k").is_none(), "{sgf}");
        }
    }

    /// The game has four forced passes.
    #[test]
    fn moves_have_the_numbers_that_they_have_in_the_game() {
        let game = opened_game(&format!("{LATE_GAME}a7b7a1f1b1b2h1h2"));
        let tree = written_tree(&game, Language::English);
        let square = |node: NodeId| {
            let node = tree.node(node);
            node.value("B").or_else(|| node.value("W")).map(PropertyValue::to_text).unwrap_or_default()
        };
        let written: Vec<String> = played_nodes(&tree).into_iter().map(square).collect();
        assert_eq!(written, game.moves);
        assert_eq!(tree.main_line().count(), 1 + 60 + 4);
    }

    /// Black must pass before the 41st move, so that White's line begins behind a pass.
    #[test]
    fn a_better_line_behind_a_pass_has_the_colours_of_the_game() {
        let mut game = opened_game(LATE_GAME);
        let place = game.position_after(40);
        let mut squares = iter_squares(place.board().legal_moves()).map(|square| square.to_string());
        let better = squares.find(|square| *square != game.moves[40]).unwrap();
        let mut review = reviewed_game().review.unwrap();
        let judged = JudgedOthelloMove { number: 41, line: vec![better.clone()], ..judged_loss() };
        (review.moves, review.judged, review.lessons[0].number) = (game.moves.clone(), vec![judged], 41);
        game.review = Some(review);
        let tree = written_tree(&game, Language::English);
        let parent = tree.node(played_nodes(&tree)[40]).parent().unwrap();
        let added = tree.children(parent).nth(1).unwrap();
        let name = if place.to_move() == Color::Black { "B" } else { "W" };
        assert_eq!(tree.node(added).value(name).map(PropertyValue::to_text), Some(better));
    }
}
