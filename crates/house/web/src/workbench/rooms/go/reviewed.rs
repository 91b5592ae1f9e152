//! What a review has found: moves, lessons and sentences as they are kept with a table, and their curves.

use ishi_draw::{AxisScale, CurveField, SvgElement, tenths};
use ishi_go::{Color, Point};
use ishi_go_play::explain::answer_tree::AnswerTree;
use ishi_go_play::explain::lesson::Lesson;
use ishi_go_play::explain::lesson_words::{
    lesson_question, lesson_title, phase_sentence, praise_sentence, tried_line_name,
};
use ishi_go_play::explain::review::{self, MoveValue};
use ishi_go_play::explain::say::teaching_text;
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::workbench::chart::render_game_chart;
use crate::workbench::rooms::both_languages::BothLanguages;
use crate::workbench::texts::args;
use crate::workbench::visitor::Visitor;

/// How long reviews think for a move, as `ishi review --level` has it.
pub(super) const REVIEW_LEVEL: u32 = 5;

/// What is known of a game's moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct GoReview {
    pub(super) rows: Vec<ReviewedMove>,
    pub(super) turning_points: Vec<usize>,
    /// A review that an older version kept has none.
    #[serde(default)]
    pub(super) lessons: Vec<GoLesson>,
    /// Sentences: the parts of the game, and what went well.
    #[serde(default)]
    pub(super) summary: Vec<BothLanguages>,
    /// The name of the program that judged, if it was not ishi itself.
    #[serde(default)]
    pub(super) judge: Option<String>,
}

impl GoReview {
    /// A review that tells of moves and lessons, and nothing besides.
    #[cfg(test)]
    pub(super) fn of_lessons(rows: Vec<ReviewedMove>, lessons: Vec<GoLesson>) -> GoReview {
        GoReview { rows, turning_points: Vec::new(), lessons, summary: Vec::new(), judge: None }
    }
}

/// A move.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ReviewedMove {
    pub(super) color: char,
    pub(super) vertex: String,
    pub(super) black_lead: f64,
    pub(super) black_win_rate: f64,
    pub(super) lost_points: f64,
    pub(super) lost_win_rate: f64,
}

impl ReviewedMove {
    pub(super) fn from_value(row: &MoveValue) -> ReviewedMove {
        ReviewedMove {
            color: row.color.letter(),
            vertex: row.mv.to_string(),
            black_lead: row.black_lead,
            black_win_rate: row.black_win_rate,
            lost_points: row.lost_points,
            lost_win_rate: row.lost_win_rate,
        }
    }
}

/// A line that reading proves, from the position before the mistake on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TriedLine {
    /// What is tried, and what it comes to.
    pub(super) title: BothLanguages,
    /// Colour and vertex of each, as `B D4`.
    pub(super) moves: Vec<String>,
}

impl TriedLine {
    /// The lines of a lesson's trees that try something.
    fn list_of_lesson(lesson: &Lesson) -> Vec<TriedLine> {
        let trees = [&lesson.trees.answer, &lesson.trees.refutation].into_iter().flatten();
        let lines_of_tree = |tree: &AnswerTree| {
            let title = BothLanguages::from_words(|language| tried_line_name(tree, language));
            let line =
                |moves: Vec<(Color, Point)>| TriedLine { title: title.clone(), moves: name_moves(&moves) };
            tree.lines().into_iter().map(line).collect::<Vec<TriedLine>>()
        };
        trees.filter(|tree| !tree.tries.is_empty()).flat_map(lines_of_tree).collect()
    }
}

/// A lesson, with the move of it whose loss is the surest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct GoLesson {
    pub(super) number: usize,
    /// All moves of it that lost something.
    pub(super) numbers: Vec<usize>,
    pub(super) better: Option<String>,
    /// Vertices of all moves that answer it.
    #[serde(default)]
    pub(super) answers: Vec<String>,
    /// How the better move goes on, itself first, and how the move that was played is answered: colour and vertex, as `B D4`.
    #[serde(default)]
    pub(super) better_line: Vec<String>,
    #[serde(default)]
    pub(super) refutation: Vec<String>,
    /// What can be tried against the answer, and after the reply to the mistake, as far as reading proves how that fails.
    #[serde(default)]
    pub(super) tried: Vec<TriedLine>,
    pub(super) title: BothLanguages,
    pub(super) question: BothLanguages,
    pub(super) answer: BothLanguages,
}

impl GoLesson {
    /// A lesson that says nothing but its answer.
    #[cfg(test)]
    pub(super) fn with_answer(number: usize, english: &str, japanese: &str) -> GoLesson {
        let text = |english: &str, japanese: &str| {
            BothLanguages::from_words(|language| language.choose(english, japanese).to_string())
        };
        let (title, question, answer) = (text("", ""), text("", ""), text(english, japanese));
        let (better_line, refutation) = (Vec::new(), Vec::new());
        GoLesson {
            number,
            numbers: vec![number],
            better: None,
            answers: Vec::new(),
            better_line,
            refutation,
            tried: Vec::new(),
            title,
            question,
            answer,
        }
    }

    fn from_lesson(lesson: &Lesson) -> GoLesson {
        let head = &lesson.head;
        GoLesson {
            number: head.key.number,
            numbers: head.numbers.clone(),
            better: head.key.better.map(|better| better.to_string()),
            answers: lesson.answers().iter().map(Point::to_string).collect(),
            better_line: name_moves(&lesson.better_line()),
            refutation: name_moves(lesson.refutation()),
            tried: TriedLine::list_of_lesson(lesson),
            title: BothLanguages::from_words(|language| {
                lesson_title(head, lesson.teaching.listener, language)
            }),
            question: BothLanguages::from_words(|language| lesson_question(head, language)),
            answer: BothLanguages::from_words(|language| teaching_text(&lesson.teaching, language)),
        }
    }
}

impl GoLesson {
    /// The vertices that answer it, each once. A review that an older version kept names the better move alone.
    pub(super) fn answering_vertices(&self) -> Vec<&str> {
        let first = self.better_line.first().and_then(|mv| mv.split(' ').nth(1));
        // Where the explanation has its answers, the review's choice counts only if it is among them.
        let of_review = self.better.as_deref().filter(|_| self.answers.is_empty());
        let known = of_review.into_iter().chain(first);
        let mut vertices: Vec<&str> = Vec::new();
        for vertex in known.chain(self.answers.iter().map(String::as_str)) {
            if !vertices.contains(&vertex) {
                vertices.push(vertex);
            }
        }
        vertices
    }

    /// What is asked, and what is said of it.
    pub(super) fn texts(&self) -> [&BothLanguages; 2] {
        [&self.question, &self.answer]
    }
}

/// Colour and vertex of each, as `B D4`.
pub(super) fn name_moves(moves: &[(Color, Point)]) -> Vec<String> {
    moves.iter().map(|(color, point)| format!("{} {point}", color.letter())).collect()
}

impl GoReview {
    /// What a review has found, in both languages.
    pub(super) fn from_game_review(found: &review::GameReview) -> GoReview {
        let parts = found
            .phases
            .iter()
            .map(|part| BothLanguages::from_words(|language| phase_sentence(part, language)));
        let praise = found.praise.iter().map(|&(color, ref praise)| {
            BothLanguages::from_words(|language| praise_sentence(praise, color, language))
        });
        GoReview {
            rows: found.moves.iter().map(ReviewedMove::from_value).collect(),
            turning_points: found.turning_points.clone(),
            lessons: found.lessons.iter().map(GoLesson::from_lesson).collect(),
            summary: parts.chain(praise).collect(),
            judge: None,
        }
    }

    /// Lead and chances from move to move; each strip is a link to its move.
    pub(super) fn render_graph(&self, now: usize, visitor: &Visitor) -> Markup {
        let height = GRAPH.1;
        let graph = ReviewGraph { rows: &self.rows, total: self.rows.len() };
        let (chances, step) = (graph.chance_field(), GRAPH.0 / self.rows.len().max(1) as f64);
        let title = |number: usize| {
            let row = &self.rows[number - 1];
            format!("{number}: {} {:.0} %, {:+.1}", row.vertex, 100.0 * row.black_win_rate, row.black_lead)
        };
        let lessons: Vec<usize> = self.lessons.iter().map(|lesson| lesson.number).collect();
        let picture = html! {
            svg.graph viewBox=(graph_box()) role="group" aria-label=(graph_label(visitor)) {
                (PreEscaped(self.draw_graph(&graph, now).to_string()))
                @for number in 1..=self.rows.len() {
                    rect.hit x=(tenths(chances.across.place_of(number as f64) - step / 2.0)) y="0" width=(tenths(step)) height=(height)
                        data-move=(number) {
                        title { (title(number)) }
                    }
                }
            }
            (graph.render_key(visitor))
        };
        render_game_chart(&graph.describe_curves(&lessons, visitor), Some(now), &picture)
    }

    /// The picture of the curves for a page that is shared: it says its name in another language, too.
    pub(super) fn render_picture(&self, visitor: &Visitor) -> Markup {
        let graph = ReviewGraph { rows: &self.rows, total: self.rows.len() };
        html! {
            svg.graph viewBox=(graph_box()) role="img" aria-label=(graph_label(visitor)) data-label="graphName" {
                (PreEscaped(self.draw_graph(&graph, 0).to_string()))
            }
        }
    }

    /// The curves, where the game is now, and the moves of the lessons.
    fn draw_graph(&self, graph: &ReviewGraph<'_>, now: usize) -> SvgElement {
        let chances = graph.chance_field();
        let mut drawing = graph.draw_curves();
        drawing.add(chances.upright_line(now as f64).class("now"));
        for lesson in &self.lessons {
            let rate = self.rows[lesson.number - 1].black_win_rate;
            let [x, y] = chances.place_of(lesson.number as f64, rate).map(tenths);
            drawing.add(SvgElement::circle(x, y, 5).class("worst"));
        }
        drawing
    }
}

/// The vertices of a line, the first few.
pub(super) fn line_words(line: &[String]) -> String {
    let vertices: Vec<&str> = line.iter().filter_map(|mv| mv.split(' ').nth(1)).collect();
    vertices[..vertices.len().min(4)].join(" ") + if vertices.len() > 4 { " …" } else { "" }
}

/// The badge of a move that lost so much: sign, and what it means.
pub(super) fn loss_badge(lost: f64, visitor: &Visitor) -> Option<(&'static str, &str)> {
    let class = review::LossClass::from_lost_win_rate(lost)?;
    Some((class.sign(), class.name(visitor.language)))
}

// --- curves ---

/// Width and height of the graph, in units.
const GRAPH: (f64, f64) = (720.0, 170.0);

pub(super) fn graph_box() -> String {
    let (width, height) = GRAPH;
    format!("0 0 {width} {height}")
}

pub(super) fn graph_label(visitor: &Visitor) -> &str {
    visitor.text("go-blacks-win-rate-and-lead-from")
}

/// Leads up to so many points fill the graph at least.
const LEAST_LEAD: f64 = 10.0;

/// The curves of a game's moves, as far as they are known.
pub(super) struct ReviewGraph<'a> {
    pub(super) rows: &'a [ReviewedMove],
    /// All moves of the game.
    pub(super) total: usize,
}

impl ReviewGraph<'_> {
    fn field(&self, low: f64, high: f64) -> CurveField {
        let (width, height) = GRAPH;
        CurveField {
            across: AxisScale { low: 0.0, high: self.total.max(1) as f64, from: 0.0, to: width },
            upward: AxisScale { low, high, from: height, to: 0.0 },
        }
    }

    fn chance_field(&self) -> CurveField {
        self.field(0.0, 1.0)
    }

    /// Points of lead at the graph's upper edge: whole tens. An even game is in the middle, as an even chance is.
    fn most_lead(&self) -> f64 {
        let most = self.rows.iter().map(|row| row.black_lead.abs()).fold(LEAST_LEAD, f64::max);
        (most / 10.0).ceil() * 10.0
    }

    pub(super) fn draw_curves(&self) -> SvgElement {
        let (chances, most) = (self.chance_field(), self.most_lead());
        let leads = self.field(-most, most);
        let curve = |field: &CurveField, value: &dyn Fn(&ReviewedMove) -> f64| -> Vec<[f64; 2]> {
            let place = |(n, row): (usize, &ReviewedMove)| field.place_of((n + 1) as f64, value(row));
            self.rows.iter().enumerate().map(place).collect()
        };
        let chance_curve = curve(&chances, &|row| row.black_win_rate);
        let end = chance_curve.last().map_or(chances.across.from, |[x, _]| *x);
        let corners = [chances.across.from, end].map(|x| [[x, chances.upward.from]]);
        let area = [&corners[0], chance_curve.as_slice(), &corners[1]].concat();
        let mut drawing = SvgElement::group().with(SvgElement::polygon(&area).class("area"));
        drawing.add(chances.level_line(0.5).class("grid"));
        drawing.add(SvgElement::polyline(&curve(&leads, &|row| row.black_lead)).class("lead"));
        drawing.add(SvgElement::polyline(&chance_curve).class("curve"));
        drawing
    }

    /// The curves for `ui/chart.ts`, with lessons at these moves.
    pub(super) fn describe_curves(&self, lessons: &[usize], visitor: &Visitor) -> Value {
        let most = self.most_lead();
        let points = |value: &dyn Fn(&ReviewedMove) -> f64| -> Vec<Value> {
            self.rows.iter().enumerate().map(|(n, row)| json!([n + 1, value(row)])).collect()
        };
        let chances = points(&|row| (1000.0 * row.black_win_rate).round() / 1000.0);
        let leads = points(&|row| (10.0 * row.black_lead).round() / 10.0);
        json!({
            "title": graph_label(visitor),
            "x": "",
            "y": "",
            "series": [
                { "name": visitor.text("go-blacks-win-rate"), "color": 1, "format": "percent", "range": [0, 1],
                    "isArea": true, "points": chances },
                { "name": visitor.text("go-blacks-lead-in-points"), "color": 2, "format": "signed",
                    "range": [-most, most], "isRight": true, "isDashed": true, "points": leads },
            ],
            "bands": [{ "name": "", "low": 0.5, "high": 0.5 }],
            "game": {
                "end": self.total,
                "names": self.rows.iter().map(|row| row.vertex.as_str()).collect::<Vec<&str>>(),
                "faults": lessons.iter().map(|number| json!([number, ""])).collect::<Vec<Value>>(),
                "hint": visitor.text("go-a-click-goes-to-that-move"),
            },
        })
    }

    /// What the curves are.
    pub(super) fn render_key(&self, visitor: &Visitor) -> Markup {
        let most = self.most_lead();
        let lead = visitor.text_with("go-blacks-lead-up-to-points", args![most = format!("{most:.0}")]);
        html! {
            p.quiet.graph-key {
                span.curve {} " " (visitor.text("go-blacks-win-rate")) " " span.lead {} " " (lead)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kept review may name another move than its explanation, which found that one much worse.
    #[test]
    fn the_choice_of_the_review_answers_only_where_the_explanation_has_no_answers() {
        let mut lesson = GoLesson::with_answer(1, "", "");
        lesson.better = Some("Q16".into());
        assert_eq!(lesson.answering_vertices(), ["Q16"]);
        lesson.better_line = vec!["B C4".into(), "W D4".into()];
        lesson.answers = vec!["C4".into(), "C3".into()];
        assert_eq!(lesson.answering_vertices(), ["C4", "C3"]);
        lesson.answers.push("Q16".into());
        assert_eq!(lesson.answering_vertices(), ["C4", "C3", "Q16"]);
    }
}
