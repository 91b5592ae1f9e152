//! The review of a whole game: every position gets a search, and what both players learn from it is told.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ishi_draw::{AxisScale, CurveField, SvgElement, tenths};
use ishi_go::{Color, Move, Point, Rules};
use ishi_go_play::explain::lesson::{Lesson, lesson_question, lesson_title, phase_sentence, praise_sentence};
use ishi_go_play::explain::review::LessonWish;
use ishi_go_play::explain::say::teaching_text;
use ishi_go_play::explain::teach::TaughtLine;
use ishi_go_play::explain::{ExplainParams, Explainer, review};
use ishi_sgf::{GoGame, NodeId};
use ishi_words::Language;
use ishi_work::Stop;
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};

use super::game::node_move;
use super::table::{GoTable, KIND, is_move};
use super::think::{publish_change, table_topic};
use crate::workbench::WorkbenchState;
use crate::workbench::error::PageError;
use crate::workbench::visitor::Visitor;

/// Lessons of both players.
const WISH: LessonWish = LessonWish { player: None, most: 3 };

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
}

/// A text in both languages: a review is kept for whoever comes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct BothLanguages {
    english: String,
    japanese: String,
}

impl BothLanguages {
    fn from_words(words: impl Fn(Language) -> String) -> BothLanguages {
        BothLanguages { english: words(Language::English), japanese: words(Language::Japanese) }
    }

    pub(super) fn say<'a>(&'a self, visitor: &Visitor) -> &'a str {
        visitor.say(&self.english, &self.japanese)
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

/// A lesson, with the move of it that lost most.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct GoLesson {
    pub(super) number: usize,
    /// All moves of it that lost something.
    pub(super) numbers: Vec<usize>,
    pub(super) better: Option<String>,
    /// How the better move goes on, itself first, and how the move that was played is answered: colour and vertex, as `B D4`.
    #[serde(default)]
    better_line: Vec<String>,
    #[serde(default)]
    refutation: Vec<String>,
    title: BothLanguages,
    question: BothLanguages,
    answer: BothLanguages,
}

impl GoLesson {
    /// A lesson that says nothing but its answer.
    #[cfg(test)]
    pub(super) fn with_answer(number: usize, english: &str, japanese: &str) -> GoLesson {
        let text = |english: &str, japanese: &str| BothLanguages {
            english: english.into(),
            japanese: japanese.into(),
        };
        let (title, question, answer) = (text("", ""), text("", ""), text(english, japanese));
        let (better_line, refutation) = (Vec::new(), Vec::new());
        GoLesson {
            number,
            numbers: vec![number],
            better: None,
            better_line,
            refutation,
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
            better_line: better_line(lesson),
            refutation: match &lesson.teaching.line {
                Some(TaughtLine::Refutation { moves, .. }) => name_moves(moves),
                _ => Vec::new(),
            },
            title: BothLanguages::from_words(|language| lesson_title(head, language)),
            question: BothLanguages::from_words(|language| lesson_question(head, language)),
            answer: BothLanguages::from_words(|language| teaching_text(&lesson.teaching, language)),
        }
    }
}

impl GoLesson {
    /// What is asked, and what is said of it.
    pub(super) fn texts(&self) -> [&BothLanguages; 2] {
        [&self.question, &self.answer]
    }
}

fn name_moves(moves: &[(Color, Point)]) -> Vec<String> {
    moves.iter().map(|(color, point)| format!("{} {point}", color.letter())).collect()
}

/// How the better move goes on; the move alone where nothing more is known.
fn better_line(lesson: &Lesson) -> Vec<String> {
    match &lesson.teaching.better {
        Some(better) if !better.moves.is_empty() => name_moves(&better.moves),
        _ => {
            let better = lesson.head.key.better.and_then(Move::point);
            better.map(|point| name_moves(&[(lesson.head.color, point)])).unwrap_or_default()
        }
    }
}

pub(super) fn review_key(table: &str) -> String {
    format!("go/{table}/review")
}

/// The badge of a move that lost so much: sign, and what it means.
pub(super) fn loss_badge(lost: f64, visitor: &Visitor) -> Option<(&'static str, &str)> {
    let class = review::LossClass::from_lost_win_rate(lost)?;
    Some((class.sign(), class.name(visitor.language)))
}

/// Moves of the longest game that is reviewed.
const LONGEST: usize = 1000;

/// A review goes on for so long when nobody looks.
const UNSEEN: Duration = Duration::from_secs(300);

/// Begins the review of the line that is shown. Its progress comes as events, its result is kept with the table.
pub(super) fn start_review(desk: &Arc<WorkbenchState>, table: &GoTable) -> Result<(), PageError> {
    let line = table.current_line();
    let moves = line.iter().filter(|&&node| is_move(&table.tree, node)).count();
    if moves == 0 {
        return Err(PageError::invalid_input("there is no move to review yet", "検討する手がまだありません"));
    }
    if moves > LONGEST {
        return Err(PageError::invalid_input(
            format!("the game has {moves} moves: {LONGEST} is the most that are reviewed"),
            format!("{moves} 手あります（検討は {LONGEST} 手まで）"),
        ));
    }
    let last = line.last().copied().unwrap_or(table.node);
    let game = GoGame::read_line_to(&table.tree, last).map_err(PageError::from_input_error)?;
    let (own, name, seed, rules) = (Arc::clone(desk), table.key.clone(), desk.settings.seed, table.rules());
    desk.thoughts.start_task(&review_key(&table.key), move |stop| {
        let explainer = Explainer::new(ExplainParams::of_level(5), seed);
        let begun = Instant::now();
        let given_up = || {
            stop.is_requested()
                || begun.elapsed() > UNSEEN && own.live.unseen_for(&table_topic(&name)) > UNSEEN
        };
        if let Some(found) = compute_review(&own, &name, explainer, &game, rules, &given_up) {
            save_review(&own, &name, &found);
        }
        own.live.forget_event(&table_topic(&name), "review");
    });
    Ok(())
}

fn compute_review(
    desk: &WorkbenchState,
    name: &str,
    mut explainer: Explainer,
    game: &GoGame,
    rules: Rules,
    given_up: &dyn Stop,
) -> Option<GoReview> {
    let moves: Vec<(Color, Move)> = game.moves().map(|played| (played.color, played.mv)).collect();
    let position = |played: usize| game.replay_position(rules, Some(played)).ok().map(|shown| shown.position);
    let goes_on = |number: usize| {
        let most = moves.len();
        let bar = html! { progress max=(most) value=(number) {} " " (number) "/" (most) };
        desk.live.publish(&table_topic(name), "review", bar.into_string());
        !given_up.is_requested()
    };
    let position = |played: usize| position(played).ok_or(());
    let found = review::review_game(&mut explainer, &moves, WISH, position, goes_on).ok()??;
    let parts =
        found.phases.iter().map(|part| BothLanguages::from_words(|language| phase_sentence(part, language)));
    let praise = found.praise.iter().map(|&(color, ref praise)| {
        BothLanguages::from_words(|language| praise_sentence(praise, color, language))
    });
    let summary = parts.chain(praise).collect();
    let rows = found.moves.iter().map(|row| ReviewedMove {
        color: row.color.letter(),
        vertex: row.mv.to_string(),
        black_lead: row.black_lead,
        black_win_rate: row.black_win_rate,
        lost_points: row.lost_points,
        lost_win_rate: row.lost_win_rate,
    });
    Some(GoReview {
        rows: rows.collect(),
        lessons: found.lessons.iter().map(GoLesson::from_lesson).collect(),
        summary,
        turning_points: found.turning_points,
    })
}

/// Puts it into the table as it is now: people may have stepped through the game meanwhile, and must not have changed it.
fn save_review(desk: &WorkbenchState, name: &str, review: &GoReview) {
    for _ in 0..3 {
        let document = desk.ask_store_blocking(|store| store.find_document(KIND, name));
        let Ok(Some(document)) = document else { return };
        let Ok(mut table) = GoTable::from_document(&document) else { return };
        if review.find_line(&table).is_none() {
            return;
        }
        table.review = Some(review.clone());
        if desk.ask_store_blocking(|store| table.save_blocking(store)).unwrap_or(false) {
            publish_change(desk, name, table.revision);
            return;
        }
    }
}

/// Width and height of the graph, in units.
const GRAPH: (f64, f64) = (720.0, 170.0);

impl GoReview {
    /// The nodes of its moves: the first line of the tree on which they were played. `None` if there is none any more.
    pub(super) fn find_line(&self, table: &GoTable) -> Option<Vec<NodeId>> {
        let (tree, size) = (&table.tree, table.size().ok()?);
        if self.rows.is_empty() {
            return None;
        }
        // Nodes to look at, with the moves before them; those of the first variation last, so that they come first.
        let mut open = vec![(NodeId::ROOT, 0)];
        while let Some((node, before)) = open.pop() {
            let after = match node_move(size, tree.node(node)) {
                None => before,
                Some(played) if self.has_move(before, played) => before + 1,
                Some(_) => continue,
            };
            if after == self.rows.len() {
                return Some(tree.path_to(node).into_iter().filter(|&node| is_move(tree, node)).collect());
            }
            let children: Vec<NodeId> = tree.children(node).collect();
            open.extend(children.into_iter().rev().map(|child| (child, after)));
        }
        None
    }

    fn has_move(&self, before: usize, (color, mv): (Color, Move)) -> bool {
        self.rows.get(before).is_some_and(|row| row.color == color.letter() && row.vertex == mv.to_string())
    }

    /// What it says of the moves of its line, for a record: each loss, and the lessons at their moves.
    pub(super) fn write_remarks(&self, table: &GoTable, visitor: &Visitor) -> Vec<(NodeId, String)> {
        let line = self.find_line(table).unwrap_or_default();
        let remark = |(index, (&node, row)): (usize, (&NodeId, &ReviewedMove))| {
            let lesson = self.lessons.iter().find(|lesson| lesson.number == index + 1);
            let badge = loss_badge(row.lost_win_rate, visitor);
            let mut text = self.describe_row(row, visitor);
            if let Some((sign, meaning)) = badge {
                text = format!("{sign} {meaning}: {text}");
            }
            if let Some(lesson) = lesson {
                text = format!("{text}\n{}", lesson.answer.say(visitor).trim());
            }
            (badge.is_some() || lesson.is_some()).then_some((node, text))
        };
        line.iter().zip(&self.rows).enumerate().filter_map(remark).collect()
    }

    /// What a move lost, and how the game stands after it.
    fn describe_row(&self, row: &ReviewedMove, visitor: &Visitor) -> String {
        let (points, share) = (row.lost_points, 100.0 * row.lost_win_rate);
        let (black, lead) = (100.0 * row.black_win_rate, row.black_lead);
        match visitor.language {
            Language::English => {
                format!("−{points:.1} points, −{share:.0} %; Black wins {black:.0} %, lead {lead:+.1}")
            }
            Language::Japanese => {
                format!("−{points:.1} 目、−{share:.0} %（黒の勝率 {black:.0} %、リード {lead:+.1} 目）")
            }
        }
    }

    /// The probability of winning from move to move; each strip is a link to its move.
    pub(super) fn render_graph(&self, now: usize, visitor: &Visitor) -> Markup {
        let (width, height) = GRAPH;
        let count = self.rows.len().max(1) as f64;
        let step = width / count;
        let field = CurveField {
            across: AxisScale { low: 0.0, high: count, from: 0.0, to: width },
            upward: AxisScale { low: 0.0, high: 1.0, from: height, to: 0.0 },
        };
        html! {
            svg.graph viewBox=(format!("0 0 {width} {height}")) role="group"
                aria-label=(visitor.say("Black's win rate from move to move", "黒の勝率の推移")) {
                (PreEscaped(self.draw_curve(&field, now).to_string()))
                @for number in 1..=self.rows.len() {
                    rect.hit x=(tenths(field.across.place_of(number as f64) - step / 2.0)) y="0" width=(tenths(step)) height=(height)
                        data-move=(number) {
                        title { (number) ": " (self.rows[number - 1].vertex) " "
                            (format!("{:.0} %", 100.0 * self.rows[number - 1].black_win_rate)) }
                    }
                }
            }
        }
    }

    /// The curve with the area below it, where the game is now, and the moves of the lessons.
    fn draw_curve(&self, field: &CurveField, now: usize) -> SvgElement {
        let place = |(n, row): (usize, &ReviewedMove)| field.place_of((n + 1) as f64, row.black_win_rate);
        let curve: Vec<[f64; 2]> = self.rows.iter().enumerate().map(place).collect();
        let corners = [field.across.from, field.across.to].map(|x| [[x, field.upward.from]]);
        let area = [&corners[0], curve.as_slice(), &corners[1]].concat();
        let mut drawing = SvgElement::group().with(SvgElement::polygon(&area).class("area"));
        drawing.add(field.level_line(0.5).class("grid"));
        drawing.add(SvgElement::polyline(&curve).class("curve"));
        drawing.add(field.upright_line(now as f64).class("now"));
        for [x, y] in self.lessons.iter().map(|lesson| curve[lesson.number - 1].map(tenths)) {
            drawing.add(SvgElement::circle(x, y, 5).class("worst"));
        }
        drawing
    }

    /// The parts of the game, turning points and lessons in words.
    pub(super) fn render_summary(&self, table: &GoTable, visitor: &Visitor) -> Markup {
        let jump = |number: usize| {
            html! {
                button type="button" data-move=(number) {
                    (visitor.say("Move", "手")) " " (number) " " (self.rows[number - 1].vertex)
                }
            }
        };
        html! {
            @for sentence in &self.summary { p { (sentence.say(visitor)) } }
            @if !self.turning_points.is_empty() {
                h3 { (visitor.say("Turning points", "形勢の転換")) }
                div.row { @for &number in &self.turning_points { (jump(number)) } }
            }
            h3 { (visitor.say("Lessons", "この碁の教訓")) }
            @if self.lessons.is_empty() {
                p { (visitor.say("No move lost much.", "大きな損の手はありません。")) }
            } @else { (render_learner_choice(table, visitor)) }
            @for lesson in &self.lessons { (self.render_lesson(lesson, visitor)) }
        }
    }

    /// A lesson. The page leads to its place, hears answers on the board and plays its lines (`assets/lesson.js`).
    fn render_lesson(&self, lesson: &GoLesson, visitor: &Visitor) -> Markup {
        let say = |english, japanese| visitor.say(english, japanese);
        let row = &self.rows[lesson.number - 1];
        let lines = [("better", say("The better line", "正解の進行"), &lesson.better_line)];
        let refuted = ("refuted", say("What followed", "実戦への応手"), &lesson.refutation);
        html! {
            div.lesson data-number=(lesson.number) data-color=(row.color) data-played=(row.vertex)
                data-better=[lesson.better.as_deref()] {
                h4 {
                    (lesson.title.say(visitor))
                    @if let Some((sign, meaning)) = loss_badge(row.lost_win_rate, visitor) { " " strong.bad { (sign) } " " (meaning) }
                }
                p.question { (lesson.question.say(visitor)) }
                div.row {
                    button.main type="button" data-lesson="try" { (say("Try it here", "ここで打ってみる")) }
                    @for &number in &lesson.numbers {
                        button type="button" data-move=(number) { (say("Move", "手")) " " (number) " " (self.rows[number - 1].vertex) }
                    }
                }
                p.verdict role="status" data-right=(say("Yes, {point}.", "正解、{point}。")) data-wrong=(say("Not {point}: try again.", "{point} ではありません。もう一度。"))
                    data-same=(say("{point} was played in the game, and it lost: try another.", "{point} は実戦の手で、損をしました。ほかの手を。"))
                    data-ask=(say("Play your answer on the board.", "盤上に答えを打ってください。")) {}
                details.answer {
                    summary { (say("Answer", "答え")) }
                    p.told { (lesson.answer.say(visitor).trim()) }
                    div.row {
                        @for (kind, words, line) in lines.into_iter().chain([refuted]) {
                            @if !line.is_empty() {
                                button type="button" data-lesson=(kind) data-line=(line.join(",")) { (words) ": " (line_words(line)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The vertices of a line, the first few.
fn line_words(line: &[String]) -> String {
    let vertices: Vec<&str> = line.iter().filter_map(|mv| mv.split(' ').nth(1)).collect();
    vertices[..vertices.len().min(4)].join(" ") + if vertices.len() > 4 { " …" } else { "" }
}

/// Whose lessons are wanted: those of the person who played, or of both.
fn render_learner_choice(table: &GoTable, visitor: &Visitor) -> Markup {
    let person = match &table.seats {
        [black, white] if black.is_person() && !white.is_person() => "B",
        [black, white] if !black.is_person() && white.is_person() => "W",
        _ => "",
    };
    let choices = [
        ("B", visitor.say("I was Black", "黒だった")),
        ("W", visitor.say("I was White", "白だった")),
        ("", visitor.say("Both", "両方")),
    ];
    html! {
        div.row.learner role="radiogroup" aria-label=(visitor.say("Whose lessons", "誰の教訓か")) {
            @for (value, words) in choices {
                label.tool { input type="radio" name="learner" value=(value) checked[value == person]; " " (words) }
            }
        }
    }
}
