//! A reviewed game of Othello as one HTML file, which works without a server: board, graph and lessons, in every language.

use ishi_othello::picture::{BoardPicture, FIELD, ORIGIN};
use ishi_othello_play::coach::{GameReview, MoveJudgement};
use ishi_othello_play::levels::{Level, LevelLimits};
use ishi_othello_play::search::Searcher;
use ishi_sgf::othello_records::OthelloRecord;
use ishi_words::Language;
use maud::html;
use serde_json::{Value, json};

use super::game::{JudgedOthelloMove, OthelloGameState, OthelloLesson, OthelloReview, Player};
use super::kept::{JudgedTurn, find_good_moves};
use super::{graph, study, view};
use crate::workbench::rooms::shared_page::{SharedPage, tell_in_all_languages, with_shared_words};
use crate::workbench::texts::{LanguageTexts, page_language_of};
use crate::workbench::visitor::Visitor;

const SCRIPT: &str = include_str!("../../assets/shared-othello.js");

/// A game with the review of all its moves, to be shared.
#[derive(Clone, Copy, Debug)]
pub struct OthelloReviewToShare<'a> {
    /// The game that was reviewed.
    pub record: &'a OthelloRecord,
    /// Its complete review.
    pub review: &'a GameReview,
    /// The level of the review, with which answers of lessons are looked for.
    pub level: Level,
}

impl OthelloReviewToShare<'_> {
    /// One HTML file that works without a server. The language is the one in which it opens. Every move of the places that lessons ask about is
    /// searched within the limits: answers of a search that was stopped are none, and then the page must not be used.
    pub fn render_page(
        &self,
        searcher: &mut Searcher,
        limits: LevelLimits<'_>,
        language: Language,
    ) -> String {
        let mut game = OthelloGameState::from_record(self.record, 0);
        let judged: Vec<JudgedTurn> = self.review.moves.iter().map(JudgedTurn::from_review).collect();
        let mut find_good = |board| find_good_moves(board, self.level, searcher, limits);
        let review = study::make_review_with_lessons(&game, self.level, &judged, &mut find_good);
        game.review = Some(OthelloReview { complete: self.review.complete, ..review });
        render_shared_game(&game, page_language_of(language))
    }
}

/// The page of a game, with its review if there is one of all its moves.
pub(super) fn render_shared_game(game: &OthelloGameState, texts: &'static LanguageTexts) -> String {
    let title = view::game_title(game);
    let review = game.current_review().filter(|review| review.complete);
    // Nobody moves in a file.
    let mut still = game.clone();
    still.players = [Player::Person, Player::Person];
    still.paused = false;
    let result = game.is_over().then(|| view::words_of_end(&Visitor::for_texts(texts), &still));
    let picture = BoardPicture::from_position(&game.position_after(0)).with_depth();
    let board = picture.with_title(texts.text("othello-othello-board")).to_svg();
    let known = describe_game(&still, review);
    let page = SharedPage {
        title: &title,
        result: result.as_deref(),
        board: &board,
        graph: review
            .map(|review| graph::render_picture(&Visitor::for_texts(texts), &still, review, &html! {})),
        has_tree: false,
        game: &known,
        script: SCRIPT,
    };
    page.render(texts)
}

/// All that the script needs.
fn describe_game(game: &OthelloGameState, review: Option<&OthelloReview>) -> Value {
    let places: Vec<Value> =
        (0..=game.moves.len()).map(|count| view::describe_place(&game.position_after(count))).collect();
    json!({
        "grid": { "margin": ORIGIN, "field": FIELD },
        "places": places,
        "moves": game.moves,
        "most": review.map(graph::largest_lead),
        "review": review.map(|review| review.judged.iter().map(describe_move).collect::<Vec<Value>>()),
        "lessons": review.map_or(Vec::new(), describe_lessons),
        "summary": review.map_or(Vec::new(), |review| review.summaries.iter().map(in_all_languages).collect()),
        "languages": tell_in_all_languages(|texts| describe_words(game, texts)),
    })
}

/// The number of a judged move, Black's lead after it, and the sign of what it lost.
fn describe_move(judged: &JudgedOthelloMove) -> Value {
    let sign =
        Some(view::judgement_badge(MoveJudgement::from_loss(judged.loss))).filter(|sign| !sign.is_empty());
    json!([judged.number, graph::black_lead(judged), sign])
}

/// What is kept in English and Japanese, by the languages of the pages.
fn in_all_languages(kept: &[String; 2]) -> Value {
    tell_in_all_languages(|texts| texts.language.choose(&*kept[0], &*kept[1]))
}

/// The lessons whose moves are judged: all, in a review that this program has made.
fn describe_lessons(review: &OthelloReview) -> Vec<Value> {
    let judged_at = |number: usize| review.judged.iter().find(|judged| judged.number == number);
    review
        .lessons
        .iter()
        .filter_map(|lesson| Some(describe_lesson(lesson, judged_at(lesson.number)?)))
        .collect()
}

fn describe_lesson(lesson: &OthelloLesson, judged: &JudgedOthelloMove) -> Value {
    json!({
        "number": lesson.number,
        "color": view::lesson_letter(lesson.side),
        "played": judged.square,
        "answers": lesson.answers,
        "better": judged.line,
        "refutation": judged.refutation,
        "title": tell_in_all_languages(|texts| view::lesson_title(texts, lesson, judged)),
        "question": tell_in_all_languages(|texts| view::lesson_question(texts, judged)),
        "answer": tell_in_all_languages(|texts| answer_text(texts.language, lesson, judged)),
    })
}

/// The answers with the value of the best, why they are better, and what is learned: a line each.
pub(super) fn answer_text(language: Language, lesson: &OthelloLesson, judged: &JudgedOthelloMove) -> String {
    let best = format!("{} ({:+})", lesson.answers.join(", "), judged.better_value);
    let pick = |texts: &[String; 2]| language.choose(texts[0].clone(), texts[1].clone());
    let lines = [best, pick(&judged.why), pick(&lesson.text)];
    lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<String>>().join("\n")
}

/// What the page says by itself, with the words of the room.
fn describe_words(game: &OthelloGameState, texts: &'static LanguageTexts) -> Value {
    let say = |id: &'static str| texts.text(id);
    let words = view::page_words(&Visitor::for_texts(texts), game);
    let own = [
        ("board", say("othello-othello-board")),
        ("graphName", say("othello-blacks-lead-in-discs-after-every")),
        ("leadLine", say("othello-blacks-lead-in-discs-with-best")),
        ("graphHint", say("othello-a-click-goes-to-that-move")),
        ("after", say("othello-with-best-play-after-this-move")),
        ("lessons", say("othello-lessons")),
    ];
    with_shared_words(words, own, texts)
}

#[cfg(test)]
mod tests {
    use super::super::game::Side;
    use super::super::graph::judged_loss;
    use super::*;
    use crate::workbench::rooms::shared_page::assert_asks_for_nothing;
    use crate::workbench::texts::{english, made_up_language, page_languages};
    use ishi_othello::Position;

    const EVIL: &str = "</script><script>alert(1)</script><img src=x onerror=alert(1)>&";

    /// A game of three moves, its second one judged, with scripts in every text.
    fn evil_game() -> OthelloGameState {
        let record = OthelloRecord {
            black: EVIL.to_string(),
            white: EVIL.to_string(),
            ..OthelloRecord::from_game(Position::from_transcript("f5d6c3").unwrap())
        };
        let mut game = OthelloGameState::from_record(&record, 0);
        let evil = || [EVIL.to_string(), EVIL.to_string()];
        let line = vec!["f6".to_string(), "e6".to_string()];
        let refutation = vec!["c3".to_string()];
        let judged = JudgedOthelloMove { line, refutation, why: evil(), ..judged_loss() };
        let lesson = OthelloLesson {
            side: Side::White,
            number: 2,
            numbers: vec![2],
            answers: vec!["f6".to_string(), "f4".to_string()],
            text: evil(),
        };
        game.review = Some(OthelloReview {
            level: 4,
            moves: game.moves.clone(),
            judged: vec![judged],
            complete: true,
            summaries: vec![evil()],
            lessons: vec![lesson],
        });
        game
    }

    #[test]
    fn no_text_of_a_game_becomes_markup_and_the_page_asks_for_nothing() {
        for texts in page_languages() {
            let page = render_shared_game(&evil_game(), texts);
            assert_eq!(page.matches("<script").count(), 2, "the data and the script of ours");
            assert!(!page.contains("<img") && !page.contains("<script>alert"), "{page}");
            // A reason, a lesson and a sentence in two languages each.
            assert_eq!(page.matches("\\u003cimg src=x").count(), 6);
            assert_asks_for_nothing(&page);
        }
    }

    #[test]
    fn the_data_of_a_page_are_those_of_the_review() {
        let game = evil_game();
        let known = describe_game(&game, game.current_review());
        assert_eq!(known["places"].as_array().unwrap().len(), 4);
        assert_eq!(known["places"][1][1], json!("O"), "White is to move after Black's first move");
        assert_eq!(known["review"], json!([[2, 12, "??"]]));
        let lesson = &known["lessons"][0];
        assert_eq!((&lesson["color"], &lesson["answers"]), (&json!("W"), &json!(["f6", "f4"])));
        assert_eq!((&lesson["better"], &lesson["refutation"]), (&json!(["f6", "e6"]), &json!(["c3"])));
        assert_eq!(lesson["title"]["ja"], json!("2手目：白 d6"));
        assert!(lesson["answer"]["en"].as_str().unwrap().starts_with("f6, f4 (-2)\n"), "{lesson}");
        assert_eq!(known["languages"]["ja"]["lessons"], json!("この対局の教訓"));
        // A review of other moves is not that of this game.
        let mut other = game;
        other.moves.pop();
        assert_eq!(describe_game(&other, other.current_review())["review"], Value::Null);
    }

    #[test]
    fn a_page_opens_in_a_third_language() {
        let (texts, game) = (made_up_language(), evil_game());
        let page = render_shared_game(&game, texts);
        assert!(page.contains("<html lang=\"qa\">") && page.contains("~Othello board"), "{page}");
        let review = game.current_review().unwrap();
        let (lesson, judged) = (&review.lessons[0], &review.judged[0]);
        assert_eq!(view::lesson_title(texts, lesson, judged), "~Move 2: White d6");
        assert_eq!(describe_words(&game, texts)["lessons"], json!("~Lessons"));
    }

    #[test]
    fn a_game_without_a_review_has_its_board_and_result() {
        let game = Position::from_transcript("e6f4e3f6g5d6e7f5c5").unwrap();
        let state = OthelloGameState::from_record(&OthelloRecord::from_game(game), 0);
        let page = render_shared_game(&state, english());
        assert!(page.contains("The game is over: Black wins +64"), "{page}");
        assert!(page.contains("\"review\":null") && page.contains("id=\"graph\""), "{page}");
    }
}
