//! Pages of `ishi review`: one a game, and an index. Nothing has to be loaded; light and dark, narrow and wide.

use std::fmt::{Arguments, Write};

use ishi_draw::{AxisScale, CurveField, SvgElement, escape_xml, page_style, tenths};
use ishi_go_play::explain::review::combined_loss;
use ishi_go_play::explain::review_report::{AnswerTreeReport, LessonReport, ReviewedMoveReport};
use ishi_words::Language;

use super::game_review::{GameReview, ReviewedLesson};
use super::review_text::review_words;

/// Colours of these pages, beside those of all.
const LIGHT: &str = "--black: #2b2b29;\n  --bad: #a3261b; --mark: #1f5fa8; --fill: #d7d3c7;";
const DARK: &str = "--black: #cfccc2; --bad: #f0897d; --mark: #7fb2ea; --fill: #3a3933;";
const RULES: &str = "\
h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
a { color: var(--mark); } .soft { color: var(--soft); } .bad { color: var(--bad); }
pre { white-space: pre-wrap; font: inherit; margin: .5rem 0; }
.boards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: .8rem; align-items: start; }
.boards svg { width: 100%; height: auto; display: block; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; }
svg.graph { width: 100%; height: auto; font-size: 12px; font-family: system-ui, sans-serif; display: block; }
.graph text { fill: var(--soft); } .graph .grid { stroke: var(--line); } .graph .area { fill: var(--fill); }
.graph .curve { fill: none; stroke: var(--black); stroke-width: 1.8; } .graph .turn { stroke: var(--mark); stroke-dasharray: 3 3; }
.graph .worst { fill: var(--bad); }
";

fn html_page(title: &str, lang: &str, body: &str) -> String {
    ishi_draw::render_page(lang, &escape_xml(title), &page_style(LIGHT, DARK, RULES), body)
}

/// A file's name without its folder: pages may be shown to others.
fn file_name(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}

/// The page of a game.
pub(super) fn game_page(review: &GameReview, language: Language) -> String {
    let words = review_words(language);
    let title = format!("{} – {}", review.black, review.white);
    let mut body = format!(
        "<p><a href=\"index.html\">{}</a></p>\n<h1>{}</h1>\n<p class=\"soft\">{} · {} {}{}</p>\n",
        words.index,
        escape_xml(&title),
        escape_xml(file_name(&review.file)),
        review.moves.len(),
        words.moves,
        review.result.as_ref().map_or(String::new(), |result| format!(" · {}", escape_xml(result))),
    );
    body.push_str(&value_graph(review, words.win_rate, GraphCurve::WinRate));
    body.push_str(&value_graph(review, words.lead, GraphCurve::Lead));
    body.push_str(&parts_html(review, words.parts));
    let _ = writeln!(body, "<h2>{}</h2>", words.turning);
    if review.turning_points.is_empty() {
        let _ = writeln!(body, "<p>{}</p>", words.no_turning);
    }
    for (number, picture) in review.turning_points.iter().zip(&review.turning_pictures) {
        let _ = writeln!(body, "<div class=\"boards\" id=\"turn-{number}\">{picture}</div>");
    }
    let _ = writeln!(body, "<h2>{}</h2>", words.lessons);
    if review.lost_nothing() {
        let _ = writeln!(body, "<p>{}</p>", words.no_worst);
    }
    review.lessons.iter().for_each(|lesson| body.push_str(&lesson_html(lesson, language)));
    html_page(&title, words.lang, &body)
}

/// The parts of the game, and what went well.
fn parts_html(review: &GameReview, title: &str) -> String {
    let told: String = review.sentences().map(|text| format!("<p>{}</p>\n", escape_xml(text))).collect();
    if told.is_empty() { told } else { format!("<h2>{title}</h2>\n{told}") }
}

/// A lesson: the question, then the answer for whoever opens it.
fn lesson_html(reviewed: &ReviewedLesson, language: Language) -> String {
    let lesson = &reviewed.lesson;
    let head = match language {
        Language::English => format!("Move {}: {} {}", lesson.number, lesson.color, lesson.vertex),
        Language::Japanese => format!("{}手目：{} {}", lesson.number, lesson.color, lesson.vertex),
    };
    let [first, others] = match reviewed.pictures.split_first() {
        Some((first, others)) => [first.clone(), others.concat()],
        None => Default::default(),
    };
    format!(
        "<h3 id=\"move-{}\">{}</h3>\n<p class=\"bad\">{}: {}</p>\n<div class=\"boards\">{first}</div>\n<p><strong>{}</strong></p>\n\
         <details><summary>{}</summary><pre>{}</pre>\n{}<div class=\"boards\">{others}</div></details>\n",
        lesson.number,
        escape_xml(&lesson.title),
        escape_xml(&head),
        lesson.loss_text(language),
        escape_xml(&lesson.question),
        review_words(language).answer,
        escape_xml(lesson.text.trim()),
        render_trees(lesson),
    )
}

/// What can be tried against the answer, and after the reply to the move of the game, as far as reading proves how that fails.
fn render_trees(lesson: &LessonReport) -> String {
    let render_tree = |tree: &AnswerTreeReport| {
        let lines: Vec<String> =
            tree.lines().iter().map(|line| format!("<li>{}</li>", escape_xml(line))).collect();
        format!("<p>{}</p>\n<ul>{}</ul>\n", escape_xml(&tree.text), lines.concat())
    };
    [&lesson.answer_tree, &lesson.refutation_tree].into_iter().flatten().map(render_tree).collect()
}

/// The page that leads to the games: their pages' names and what was found.
pub(super) fn index_page(games: &[(String, &GameReview)], language: Language) -> String {
    let words = review_words(language);
    let mut rows = String::new();
    for (file, review) in games {
        let loss = |worst: &LessonReport| combined_loss(worst.lost_points, worst.lost_win_rate);
        let lessons = review.lessons.iter().map(|reviewed| &reviewed.lesson);
        let worst = lessons.max_by(|a, b| loss(a).total_cmp(&loss(b)));
        let worst = worst.map_or("-".to_string(), |worst| {
            format!("{} {}: {}", worst.number, worst.vertex, worst.loss_text(language))
        });
        let turns: Vec<String> = review.turning_points.iter().map(usize::to_string).collect();
        let _ = writeln!(
            rows,
            "<tr><td><a href=\"{}\">{} – {}</a><br><span class=\"soft\">{}</span></td><td class=\"n\">{}</td>\
             <td>{}</td><td>{}</td></tr>",
            escape_xml(file),
            escape_xml(&review.black),
            escape_xml(&review.white),
            escape_xml(file_name(&review.file)),
            review.moves.len(),
            if turns.is_empty() { "-".to_string() } else { turns.join(", ") },
            escape_xml(&worst),
        );
    }
    let [game, moves, turning, worst] = words.columns;
    let body = format!(
        "<h1>{}</h1>\n<div class=\"wide\"><table><thead><tr><th>{game}</th><th class=\"n\">{moves}</th><th>{turning}</th>\
         <th>{worst}</th></tr></thead><tbody>\n{rows}</tbody></table></div>",
        words.index
    );
    html_page(words.index, words.lang, &body)
}

#[derive(Clone, Copy, PartialEq)]
enum GraphCurve {
    WinRate,
    Lead,
}

const WIDTH: f64 = 720.0;
const LEFT: f64 = 44.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 24.0;
const HEIGHT: f64 = 150.0;

/// A value after every move, with the turning points and links to the worst moves.
fn value_graph(review: &GameReview, title: &str, curve: GraphCurve) -> String {
    if review.moves.is_empty() {
        return String::new();
    }
    let value = |row: &ReviewedMoveReport| match curve {
        GraphCurve::WinRate => 100.0 * row.black_win_rate,
        GraphCurve::Lead => row.black_lead,
    };
    let most = review.moves.iter().map(|row| row.black_lead.abs()).fold(10.0, f64::max).min(100.0);
    let round = (most / 10.0).ceil() * 10.0;
    let (low, high, middle) = match curve {
        GraphCurve::WinRate => (0.0, 100.0, 50.0),
        GraphCurve::Lead => (-round, round, 0.0),
    };
    let (count, bottom) = (review.moves.len(), TOP + HEIGHT);
    let field = CurveField {
        across: AxisScale { low: 1.0, high: count.max(2) as f64, from: LEFT, to: WIDTH - RIGHT },
        upward: AxisScale { low, high, from: bottom, to: TOP },
    };
    let place = |row: &ReviewedMoveReport| field.place_of(row.number as f64, value(row));
    let curve_places: Vec<[f64; 2]> = review.moves.iter().map(place).collect();
    let svg = SvgElement::document(WIDTH, bottom + 22.0).class("graph").attr("role", "img");
    let mut svg = svg.attr("aria-label", title).with(SvgElement::text(LEFT, 14, title));
    svg.add(field.area_to_level(&curve_places, middle));
    draw_axes(&mut svg, &field, [low, middle, high], count);
    for number in &review.turning_points {
        let line = field.upright_line(*number as f64).class("turn");
        svg.add(link_to(format_args!("#turn-{number}"), line));
    }
    svg.add(SvgElement::polyline(&curve_places).class("curve"));
    for ReviewedLesson { lesson: worst, .. } in &review.lessons {
        let [x, y] = curve_places[worst.number - 1].map(tenths);
        let dot = SvgElement::circle(x, y, 5).class("worst");
        let dot = dot.with_title(format_args!("{} {}", worst.number, worst.vertex));
        svg.add(link_to(format_args!("#move-{}", worst.number), dot));
    }
    svg.to_file()
}

/// Lines at these levels with their values, and numbers of moves below.
fn draw_axes(svg: &mut SvgElement, field: &CurveField, levels: [f64; 3], count: usize) {
    for level in levels {
        svg.add(field.level_line(level).class("grid"));
        svg.add(field.level_name(level, 6.0, format_args!("{level:.0}")));
    }
    let step = if count > 120 { 50 } else { 20 };
    for number in (step..=count).step_by(step) {
        svg.add(field.place_name(number as f64, TOP + HEIGHT + 16.0, number));
    }
}

fn link_to(place: Arguments<'_>, drawing: SvgElement) -> SvgElement {
    SvgElement::new("a").attr("href", place).with(drawing)
}

#[cfg(test)]
mod tests {
    use ishi_go_play::explain::review_report::TreeMoveReport;

    use super::*;

    fn review() -> GameReview {
        let row = |number: usize| ReviewedMoveReport {
            number,
            color: "black".into(),
            vertex: "D4".into(),
            black_lead: number as f64 - 2.0,
            black_win_rate: 0.2 * number as f64,
            lost_points: 1.0,
            lost_win_rate: 0.1,
            lost_margin: None,
            better: None,
        };
        GameReview {
            file: "/folder/of mine/a<b>.sgf".into(),
            game: 1,
            black: "<script>alert(1)</script>".into(),
            white: "\"Bo\" & co".into(),
            black_rank: None,
            white_rank: None,
            result: Some("B+<i>".into()),
            moves: (1..=4).map(row).collect(),
            turning_points: vec![3],
            turning_pictures: vec!["<svg></svg>".into()],
            lessons: vec![ReviewedLesson {
                lesson: LessonReport {
                    vertex: "D4".into(),
                    title: "A <b> title".into(),
                    text: "1 < 2".into(),
                    ..lesson(2, 3.0, 0.4).lesson
                },
                pictures: vec!["<svg id=\"board\"></svg>".into(), "<svg id=\"answer\"></svg>".into()],
                ..lesson(2, 3.0, 0.4)
            }],
            praise: vec!["<i>kept</i>".into()],
            phases: vec![],
        }
    }

    fn lesson(number: usize, lost_points: f64, lost_win_rate: f64) -> ReviewedLesson {
        let lesson = LessonReport {
            number,
            numbers: vec![number],
            color: "black".into(),
            vertex: format!("E{number}"),
            lost_points,
            lost_win_rate,
            lost_in_all: lost_points,
            better: None,
            place: None,
            matter: None,
            title: String::new(),
            question: "Where <i>?".into(),
            text: String::new(),
            answer_tree: None,
            refutation_tree: None,
        };
        ReviewedLesson { lesson, explanation: serde_json::Value::Null, pictures: vec![] }
    }

    /// Every line to where a try has failed; of two replies the first goes on.
    #[test]
    fn lines_that_were_tried_stand_with_the_answer() {
        let told = |mv: &str, replies: Vec<TreeMoveReport>| TreeMoveReport { mv: mv.to_string(), replies };
        let reply = told("B E3", vec![told("W F3", vec![told("B F4", vec![])])]);
        let tries =
            vec![told("W E4", vec![reply, told("B D3", vec![])]), told("W D3", vec![told("B E4", vec![])])];
        let tree = AnswerTreeReport {
            goal: "catches".into(),
            color: "black".into(),
            stones: vec!["D4".into()],
            moves: vec!["B E5".into()],
            tries,
            text: "White tries to get away.".into(),
        };
        let mut reviewed = lesson(2, 3.0, 0.4);
        reviewed.lesson.answer_tree = Some(tree);
        let page = render_trees(&reviewed.lesson);
        let lines = "<ul><li>B E5 W E4 B E3 W F3 B F4</li><li>B E5 W D3 B E4</li></ul>";
        assert_eq!(page, format!("<p>White tries to get away.</p>\n{lines}\n"));
        assert_eq!(render_trees(&lesson(2, 3.0, 0.4).lesson), "");
    }

    #[test]
    fn texts_of_records_are_escaped_everywhere() {
        let review = review();
        for page in [
            game_page(&review, Language::English),
            index_page(&[("g.html".into(), &review)], Language::Japanese),
        ] {
            assert!(!page.contains("<script>") && !page.contains("<b>") && !page.contains("<i>"), "{page}");
            assert!(!page.contains("folder") && page.contains("a&lt;b&gt;.sgf"), "{page}");
            assert!(page.contains("&lt;script&gt;") && page.contains("&quot;Bo&quot; &amp; co"), "{page}");
        }
    }

    #[test]
    fn the_index_names_the_move_that_lost_most_in_points_and_chances() {
        let mut review = review();
        review.lessons = vec![lesson(1, 1.0, 0.2), lesson(2, 30.0, 0.1), lesson(3, 2.0, 0.15)];
        let page = index_page(&[("g.html".into(), &review)], Language::English);
        assert!(page.contains("2 E2: lost 30.0 points and 10 % of the chance to win"), "{page}");
        assert!(!page.contains("1 E1"), "{page}");
    }

    #[test]
    fn a_page_has_graphs_that_lead_to_the_moves() {
        let page = game_page(&review(), Language::English);
        assert_eq!(page.matches("<svg class=\"graph\"").count(), 2);
        assert!(page.contains("href=\"#move-2\"") && page.contains("id=\"move-2\""), "{page}");
        assert!(page.contains("href=\"#turn-3\"") && page.contains("id=\"turn-3\""), "{page}");
        assert!(page.contains("1 &lt; 2") && page.contains("<svg id=\"board\">"), "{page}");
        let answer = page.split("<details>").nth(1).unwrap();
        assert!(answer.contains("<svg id=\"answer\">") && !answer.contains("<svg id=\"board\">"), "{page}");
        assert!(!page.contains("src=") && !page.contains("http-equiv"), "nothing is loaded");
    }

    #[test]
    fn a_game_without_moves_has_a_page() {
        let empty = GameReview {
            moves: vec![],
            lessons: vec![],
            turning_points: vec![],
            turning_pictures: vec![],
            ..review()
        };
        assert!(game_page(&empty, Language::Japanese).contains("大きな損はありません"));
    }
}
