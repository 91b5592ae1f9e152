//! A reviewed game of Go as one HTML file, which works without a server: board, tree, remarks, graph and lessons, in every language.

use ishi_go::picture::BoardPicture;
use ishi_go::{Board, Color};
use ishi_go_play::explain::review;
use ishi_sgf::GameTree;
use ishi_words::Language;
use serde_json::{Value, json};

use super::game::{NodeNumbers, describe_review, describe_tree, page_words};
use super::reviewed::{GoLesson, GoReview, TriedLine};
use super::table::GoTable;
use super::view::result_words;
use crate::workbench::error::PageError;
use crate::workbench::rooms::both_languages::BothLanguages;
use crate::workbench::rooms::shared_page::{SharedPage, tell_in_all_languages, with_shared_words};
use crate::workbench::texts::{LanguageTexts, english, page_language_of};
use crate::workbench::visitor::Visitor;

const SCRIPT: &str = include_str!("../../assets/shared-go.js");

/// A game of a record with its review as one HTML file that works without a server. The language is the one in which it opens.
///
/// # Errors
/// If the game cannot be shown; in English.
pub fn render_shared_review(
    game: &GameTree,
    found: &review::GameReview,
    language: Language,
) -> Result<String, String> {
    let words = |error: PageError| error.localized_message(&Visitor::for_texts(english()));
    let table = GoTable::from_game("shared".to_string(), game.clone(), Vec::new()).map_err(words)?;
    render_shared_page(&table, Some(&GoReview::from_game_review(found)), page_language_of(language))
        .map_err(words)
}

/// The page of a table, with its review if there is one.
pub(super) fn render_shared_page(
    table: &GoTable,
    review: Option<&GoReview>,
    texts: &'static LanguageTexts,
) -> Result<String, PageError> {
    let visitor = Visitor::for_texts(texts);
    let board = BoardPicture::from_board(&Board::new(table.size()?))
        .with_depth()
        .with_name(visitor.text("go-board"))
        .to_svg();
    let result = table.result().map(|result| result_words(result, &visitor));
    let (title, game) = (table.title_for(&visitor), describe_game(table, review)?);
    let page = SharedPage {
        title: &title,
        result: result.as_deref(),
        board: &board,
        graph: review.map(|review| review.render_picture(&visitor)),
        has_tree: true,
        game: &game,
        script: SCRIPT,
    };
    Ok(page.render(texts))
}

/// All that the script needs.
fn describe_game(table: &GoTable, review: Option<&GoReview>) -> Result<Value, PageError> {
    let size = table.size()?;
    let numbers: NodeNumbers = table.tree.preorder().zip(0..).collect();
    let visitor = Visitor::for_texts(english());
    // The signs of losses (?!) are the same in both languages; their names are in the lessons.
    let rows = review.and_then(|review| describe_review(table, review, &numbers, &visitor));
    let known = review.filter(|_| rows.is_some());
    let handicap = table.info().handicap.is_some_and(|stones| stones >= 2);
    Ok(json!({
        "size": [size.width(), size.height()],
        "node": 0,
        "first": if handicap { Color::White.letter() } else { Color::Black.letter() },
        "nodes": describe_tree(&table.tree, size, &numbers),
        "review": rows.map(keep_signs),
        "lessons": known.map_or(Vec::new(), |review| review.lessons.iter().map(|lesson| describe_lesson(review, lesson)).collect()),
        "summary": known.map_or(Vec::new(), |review| review.summary.iter().map(BothLanguages::to_json).collect()),
        "languages": tell_in_all_languages(describe_words),
    }))
}

/// Rows with the sign of a loss alone.
fn keep_signs(mut rows: Value) -> Value {
    for row in rows.as_array_mut().into_iter().flatten() {
        if let Some(sign) = row[3].as_str().and_then(|badge| badge.split(' ').next()).map(str::to_string) {
            row[3] = sign.into();
        }
    }
    rows
}

fn describe_lesson(review: &GoReview, lesson: &GoLesson) -> Value {
    let row = &review.rows[lesson.number - 1];
    json!({
        "number": lesson.number,
        "color": row.color,
        "played": row.vertex,
        "answers": lesson.answering_vertices(),
        "better": lesson.better_line,
        "refutation": lesson.refutation,
        "tried": lesson.tried.iter().map(describe_tried_line).collect::<Vec<Value>>(),
        "title": lesson.title.to_json(),
        "question": lesson.question.to_json(),
        "answer": lesson.answer.to_json(),
    })
}

fn describe_tried_line(line: &TriedLine) -> Value {
    json!({ "title": line.title.to_json(), "moves": line.moves })
}

/// What the page says by itself, with the words of the room.
fn describe_words(texts: &'static LanguageTexts) -> Value {
    let say = |id: &'static str| texts.text(id);
    let words = page_words(&Visitor::for_texts(texts));
    let own = [
        ("board", say("go-board")),
        ("graphName", say("go-blacks-win-rate-and-lead-from")),
        ("chanceLine", say("go-blacks-win-rate")),
        ("leadLine", say("go-blacks-lead-in-points")),
        ("graphHint", say("go-a-click-goes-to-that-move-sentence")),
        ("lessons", say("go-lessons")),
        ("tried", say("go-if-the-other-side-resists")),
        ("tree", say("go-moves-and-variations")),
        ("keysTree", say("go-keys-tree")),
        // No server is there that could search it.
        ("wrong", say("go-point-was-not-searched")),
    ];
    with_shared_words(words, own, texts)
}

#[cfg(test)]
mod tests {
    use super::super::game::node_move;
    use super::super::reviewed::ReviewedMove;
    use super::*;
    use crate::workbench::rooms::shared_page::assert_asks_for_nothing;
    use crate::workbench::texts::{made_up_language, page_languages};

    const EVIL: &str = "</script><script>alert(1)</script><img src=x onerror=alert(1)>&";

    /// A game of so many moves, with scripts in every text.
    fn evil_table(moves: usize) -> GoTable {
        let letter = |at: usize| char::from(b'a' + at as u8);
        let mut sgf = format!("(;GM[1]SZ[19]PB[{EVIL}]PW[{EVIL}]GN[{EVIL}]C[{EVIL}]RE[B+R]");
        for at in 0..moves {
            let color = if at % 2 == 0 { 'B' } else { 'W' };
            sgf += &format!(";{color}[{}{}]C[{EVIL}]LB[aa:{EVIL}]", letter(at % 19), letter(at / 19));
        }
        GoTable::from_record("t".to_string(), (sgf + ")").as_bytes()).unwrap()
    }

    /// A review of its line that says this everywhere, with a lesson at each of these moves.
    fn review_of(table: &GoTable, text: &str, lessons: &[usize]) -> GoReview {
        let size = table.size().unwrap();
        let played =
            table.current_line().into_iter().filter_map(|node| node_move(size, table.tree.node(node)));
        let row = |(color, mv): (Color, ishi_go::Move)| ReviewedMove {
            color: color.letter(),
            vertex: mv.to_string(),
            black_lead: 12.3456789,
            black_win_rate: 0.123456789,
            lost_points: 12.3456789,
            lost_win_rate: 0.423456789,
        };
        GoReview {
            rows: played.map(row).collect(),
            turning_points: vec![1],
            lessons: lessons.iter().map(|&number| GoLesson::with_answer(number, text, text)).collect(),
            summary: vec![BothLanguages::from_words(|_| text.to_string())],
            judge: None,
        }
    }

    #[test]
    fn no_text_of_a_record_becomes_markup() {
        let table = evil_table(3);
        let review = review_of(&table, EVIL, &[1, 2]);
        for texts in page_languages() {
            let page = render_shared_page(&table, Some(&review), texts).unwrap();
            assert_eq!(page.matches("<script").count(), 2, "the data and the script of ours");
            assert!(!page.contains("<img") && !page.contains("<script>alert"), "{page}");
            // Four comments, three letters, a sentence and two answers in two languages each.
            assert_eq!(page.matches("\\u003cimg src=x").count(), 4 + 3 + 2 + 4);
        }
    }

    #[test]
    fn the_data_of_a_page_are_those_of_the_review() {
        let table = evil_table(3);
        let game = describe_game(&table, Some(&review_of(&table, "Read.", &[2]))).unwrap();
        assert_eq!(game["nodes"].as_array().unwrap().len(), 4);
        assert_eq!((&game["review"][1][0], &game["review"][1][3]), (&json!(2), &json!("??")));
        assert_eq!(
            (&game["lessons"][0]["played"], &game["lessons"][0]["answer"]["ja"]),
            (&json!("B19"), &json!("Read."))
        );
        assert_eq!(game["languages"]["ja"]["lessons"], json!("この碁の教訓"));
        let colons = ["en", "ja"].map(|tag| game["languages"][tag]["colon"].clone());
        assert_eq!(colons, [json!(": "), json!("：")], "between a line's name and its moves");
        // A review of another line is not that of this game.
        let other = review_of(&evil_table(2), "Read.", &[2]);
        let rows = GoReview { rows: other.rows.into_iter().rev().collect(), ..review_of(&table, "", &[]) };
        let game = describe_game(&table, Some(&rows)).unwrap();
        assert_eq!((&game["review"], &game["lessons"]), (&Value::Null, &json!([])));
    }

    /// Whoever reads a record leaves out what is no move. The review is that of the others.
    #[test]
    fn a_value_that_is_no_move_hides_no_review() {
        let sgf = "(;GM[1]SZ[19];B[dd];W[..];W[Q16];B[dp])";
        let table = GoTable::from_record("t".to_string(), sgf.as_bytes()).unwrap();
        let review = review_of(&table, "Read.", &[2]);
        assert_eq!(review.rows.len(), 3, "as many moves as are read");
        let game = describe_game(&table, Some(&review)).unwrap();
        assert_eq!(game["review"].as_array().map(Vec::len), Some(3));
        assert_eq!(game["review"][1][0], json!(3), "the node of the second move");
        assert_eq!(game["lessons"][0]["played"], json!("Q16"));
        assert_eq!([&game["nodes"][2]["m"], &game["nodes"][3]["m"]], [&Value::Null, &json!("Wpd")]);
    }

    /// Where a server is, it searches what the review has not judged.
    #[test]
    fn a_page_without_a_server_says_that_it_searches_no_answer() {
        for texts in page_languages() {
            let words = describe_words(texts);
            assert_eq!(words["wrong"], json!(texts.text("go-point-was-not-searched")));
            assert_eq!(words["same"], json!(texts.text("workbench-point-was-played-in-the-game")));
        }
    }

    /// A page opens in any language of the pages, and what libraries have said is English in those that they do not speak.
    #[test]
    fn a_page_opens_in_a_third_language() {
        let texts = made_up_language();
        let table = evil_table(3);
        let page = render_shared_page(&table, Some(&review_of(&table, "Read.", &[2])), texts).unwrap();
        assert!(page.contains("<html lang=\"qa\">"), "{page}");
        let words = describe_words(texts);
        assert_eq!((&words["name"], &words["lessons"]), (&json!("Made up"), &json!("~Lessons")));
        let review = review_of(&table, "Read.", &[2]);
        assert_eq!(review.summary[0].say(&Visitor::for_texts(texts)), "Read.");
    }

    #[test]
    fn a_page_asks_for_nothing_and_its_policy_knows_its_own_parts() {
        assert_asks_for_nothing(&render_shared_page(&evil_table(3), None, english()).unwrap());
    }

    #[test]
    fn a_game_of_250_moves_takes_less_than_300_kilobytes() {
        let table = evil_table(250);
        let review = review_of(&table, &"A sentence of a lesson. ".repeat(60), &[10, 20, 30, 40, 50, 60]);
        let page = render_shared_page(&table, Some(&review), page_language_of(Language::Japanese)).unwrap();
        assert!(page.contains("\"review\":[[1,"), "the review is in it");
        assert!(page.len() < 300_000, "{} bytes", page.len());
        // The curves are there before the script draws them anew.
        let (_, chart) = page.split_once("<value-chart id=\"graph\"").unwrap();
        let (chart, _) = chart.split_once("</value-chart>").unwrap();
        assert!(chart.contains("class=\"curve\"") && chart.contains("class=\"lead\""), "{chart}");
    }
}
