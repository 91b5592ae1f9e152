//! Pages of `ishi review`: one a game, and an index. Nothing has to be loaded; light and dark, narrow and wide.

use std::fmt::Write;

use ishi_go::picture::escape_markup;
use ishi_go_play::explain::review::combined_loss;
use ishi_words::Language;

use super::review::{GameReview, MoveValue, WorstMove};

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1c1c1a; --paper: #fdfcf9; --soft: #6b6a64; --line: #d9d6cc; --black: #2b2b29;
  --bad: #a3261b; --mark: #1f5fa8; --fill: #d7d3c7; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6df; --paper: #191917; --soft: #a09d93; --line: #3b3a35;
  --black: #cfccc2; --bad: #f0897d; --mark: #7fb2ea; --fill: #3a3933; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
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

/// Words of the pages.
pub(super) struct PageWords {
    lang: &'static str,
    index: &'static str,
    win_rate: &'static str,
    lead: &'static str,
    pub(super) turning: &'static str,
    no_turning: &'static str,
    worst: &'static str,
    pub(super) no_worst: &'static str,
    moves: &'static str,
    columns: [&'static str; 4],
}

pub(super) fn page_words(language: Language) -> PageWords {
    match language {
        Language::English => PageWords {
            lang: "en",
            index: "All games",
            win_rate: "Black's win rate",
            lead: "Black's lead in points",
            turning: "Turning points",
            no_turning: "The lead never changed for long.",
            worst: "The worst moves",
            no_worst: "No move lost much.",
            moves: "moves",
            columns: ["game", "moves", "turning points", "worst move"],
        },
        Language::Japanese => PageWords {
            lang: "ja",
            index: "棋譜一覧",
            win_rate: "黒の勝率",
            lead: "黒のリード（目）",
            turning: "局面の転換",
            no_turning: "大きな逆転なし。",
            worst: "損の大きい手",
            no_worst: "大きな損はありません。",
            moves: "手",
            columns: ["対局", "手数", "局面の転換", "最も損な手"],
        },
    }
}

fn html_page(title: &str, lang: &str, body: &str) -> String {
    let title = escape_markup(title);
    format!(
        "<!doctype html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )
}

/// A file's name without its folder: pages may be shown to others.
fn file_name(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}

/// The page of a game.
pub(super) fn game_page(review: &GameReview, language: Language) -> String {
    let words = page_words(language);
    let title = format!("{} – {}", review.black, review.white);
    let mut body = format!(
        "<p><a href=\"index.html\">{}</a></p>\n<h1>{}</h1>\n<p class=\"soft\">{} · {} {}{}</p>\n",
        words.index,
        escape_markup(&title),
        escape_markup(file_name(&review.file)),
        review.moves.len(),
        words.moves,
        review.result.as_ref().map_or(String::new(), |result| format!(" · {}", escape_markup(result))),
    );
    body.push_str(&value_graph(review, words.win_rate, GraphCurve::WinRate));
    body.push_str(&value_graph(review, words.lead, GraphCurve::Lead));
    let _ = writeln!(body, "<h2>{}</h2>", words.turning);
    if review.turning_points.is_empty() {
        let _ = writeln!(body, "<p>{}</p>", words.no_turning);
    }
    for (number, picture) in review.turning_points.iter().zip(&review.turning_pictures) {
        let _ = writeln!(body, "<div class=\"boards\" id=\"turn-{number}\">{picture}</div>");
    }
    let _ = writeln!(body, "<h2>{}</h2>", words.worst);
    if review.lost_nothing() {
        let _ = writeln!(body, "<p>{}</p>", words.no_worst);
    }
    review.worst.iter().for_each(|worst| body.push_str(&worst_move_html(worst, language)));
    html_page(&title, words.lang, &body)
}

fn worst_move_html(worst: &WorstMove, language: Language) -> String {
    let head = match language {
        Language::English => format!("Move {}: {} {}", worst.number, worst.color, worst.vertex),
        Language::Japanese => format!("{}手目：{} {}", worst.number, worst.color, worst.vertex),
    };
    let lost = worst.format_loss(language);
    format!(
        "<h3 id=\"move-{}\">{}</h3>\n<p class=\"bad\">{lost}</p>\n<div class=\"boards\">{}</div>\n<pre>{}</pre>\n",
        worst.number,
        escape_markup(&head),
        worst.pictures.concat(),
        escape_markup(worst.text.trim()),
    )
}

/// The page that leads to the games: their pages' names and what was found.
pub(super) fn index_page(games: &[(String, &GameReview)], language: Language) -> String {
    let words = page_words(language);
    let mut rows = String::new();
    for (file, review) in games {
        let loss = |worst: &WorstMove| combined_loss(worst.lost_points, worst.lost_win_rate);
        let worst = review.worst.iter().max_by(|a, b| loss(a).total_cmp(&loss(b)));
        let worst = worst.map_or("-".to_string(), |worst| {
            format!("{} {}: {}", worst.number, worst.vertex, worst.format_loss(language))
        });
        let turns: Vec<String> = review.turning_points.iter().map(usize::to_string).collect();
        let _ = writeln!(
            rows,
            "<tr><td><a href=\"{}\">{} – {}</a><br><span class=\"soft\">{}</span></td><td class=\"n\">{}</td>\
             <td>{}</td><td>{}</td></tr>",
            escape_markup(file),
            escape_markup(&review.black),
            escape_markup(&review.white),
            escape_markup(file_name(&review.file)),
            review.moves.len(),
            if turns.is_empty() { "-".to_string() } else { turns.join(", ") },
            escape_markup(&worst),
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
    let value = |row: &MoveValue| match curve {
        GraphCurve::WinRate => 100.0 * row.black_win_rate,
        GraphCurve::Lead => row.black_lead,
    };
    let most = review.moves.iter().map(|row| row.black_lead.abs()).fold(10.0, f64::max).min(100.0);
    let round = (most / 10.0).ceil() * 10.0;
    let (low, high, middle) = match curve {
        GraphCurve::WinRate => (0.0, 100.0, 50.0),
        GraphCurve::Lead => (-round, round, 0.0),
    };
    let bottom = TOP + HEIGHT;
    let x =
        |number: f64| LEFT + (WIDTH - LEFT - RIGHT) * (number - 1.0) / (review.moves.len().max(2) - 1) as f64;
    let y = |value: f64| bottom - HEIGHT * (value.clamp(low, high) - low) / (high - low);
    let points: Vec<String> =
        review.moves.iter().map(|row| format!("{:.1},{:.1}", x(row.number as f64), y(value(row)))).collect();
    let mut out = format!(
        "<svg class=\"graph\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\" aria-label=\"{title}\"><text x=\"{LEFT}\" y=\"14\">{title}</text>",
        bottom + 22.0
    );
    let (first, last, base) = (x(1.0), x(review.moves.len() as f64), y(middle));
    let area = points.join(" ");
    let _ = write!(out, "<polygon class=\"area\" points=\"{first:.1},{base} {area} {last:.1},{base}\"/>");
    for tick in [low, middle, high] {
        let _ = write!(
            out,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\"/><text x=\"{2}\" y=\"{3:.1}\" \
             text-anchor=\"end\">{tick:.0}</text>",
            WIDTH - RIGHT,
            y(tick),
            LEFT - 6.0,
            y(tick) + 4.0
        );
    }
    let step = if review.moves.len() > 120 { 50 } else { 20 };
    for number in (step..=review.moves.len()).step_by(step) {
        let _ = write!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{number}</text>",
            x(number as f64),
            bottom + 16.0
        );
    }
    for &number in &review.turning_points {
        let at = x(number as f64);
        let _ = write!(
            out,
            "<a href=\"#turn-{number}\"><line class=\"turn\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{TOP}\" y2=\"{bottom}\"/></a>"
        );
    }
    let _ = write!(out, "<polyline class=\"curve\" points=\"{}\"/>", points.join(" "));
    for worst in &review.worst {
        let row = &review.moves[worst.number - 1];
        let _ = write!(
            out,
            "<a href=\"#move-{0}\"><circle class=\"worst\" cx=\"{1:.1}\" cy=\"{2:.1}\" r=\"5\"><title>{0} {3}</title></circle></a>",
            worst.number,
            x(worst.number as f64),
            y(value(row)),
            escape_markup(&worst.vertex)
        );
    }
    out + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn review() -> GameReview {
        let row = |number: usize| MoveValue {
            number,
            color: "black".into(),
            vertex: "D4".into(),
            black_lead: number as f64 - 2.0,
            black_win_rate: 0.2 * number as f64,
            lost_points: 1.0,
            lost_win_rate: 0.1,
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
            worst: vec![WorstMove {
                number: 2,
                color: "black".into(),
                vertex: "D4".into(),
                lost_points: 3.0,
                lost_win_rate: 0.4,
                better: None,
                text: "1 < 2".into(),
                pictures: vec!["<svg id=\"board\"></svg>".into()],
            }],
        }
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
        let of = |number: usize, lost_points: f64, lost_win_rate: f64| WorstMove {
            number,
            lost_points,
            lost_win_rate,
            color: "black".into(),
            vertex: format!("E{number}"),
            better: None,
            text: String::new(),
            pictures: vec![],
        };
        review.worst = vec![of(1, 1.0, 0.2), of(2, 30.0, 0.1), of(3, 2.0, 0.15)];
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
        assert!(!page.contains("src=") && !page.contains("http-equiv"), "nothing is loaded");
    }

    #[test]
    fn a_game_without_moves_has_a_page() {
        let empty = GameReview {
            moves: vec![],
            worst: vec![],
            turning_points: vec![],
            turning_pictures: vec![],
            ..review()
        };
        assert!(game_page(&empty, Language::Japanese).contains("大きな損はありません"));
    }
}
