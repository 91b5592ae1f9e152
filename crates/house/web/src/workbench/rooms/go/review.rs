//! The review of a whole game: every position gets a search, the worst moves are explained.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ishi_draw::{AxisScale, CurveField, SvgElement, tenths};
use ishi_go::{Color, Move, Rules};
use ishi_go_play::explain::{ExplainParams, Explainer, review, words};
use ishi_sgf::GoGame;
use ishi_words::Language;
use ishi_work::Stop;
use maud::{Markup, PreEscaped, html};
use serde::{Deserialize, Serialize};

use super::table::{GoTable, KIND, is_move};
use super::think::{publish_change, table_topic};
use crate::workbench::WorkbenchState;
use crate::workbench::error::PageError;
use crate::workbench::visitor::Visitor;

/// Moves that are explained.
const WORST: usize = 5;

/// What is known of a game's moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct GoReview {
    pub(super) rows: Vec<ReviewedMove>,
    pub(super) turning_points: Vec<usize>,
    pub(super) worst: Vec<WorstMove>,
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

/// One of the worst moves, explained in both languages.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct WorstMove {
    pub(super) number: usize,
    pub(super) better: Option<String>,
    pub(super) english: String,
    pub(super) japanese: String,
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
    let found = review::review_game(&mut explainer, &moves, WORST, position, goes_on).ok()??;
    let worst = found.worst.iter().map(|worst| {
        let text = |language| {
            words::move_comment(&worst.explanation, language)
                + "\n"
                + &words::why_not_text(&worst.explanation, language)
        };
        WorstMove {
            number: worst.value.number,
            better: worst.value.better.map(|better| better.to_string()),
            english: text(Language::English),
            japanese: text(Language::Japanese),
        }
    });
    let rows = found.moves.iter().map(|row| ReviewedMove {
        color: row.color.letter(),
        vertex: row.mv.to_string(),
        black_lead: row.black_lead,
        black_win_rate: row.black_win_rate,
        lost_points: row.lost_points,
        lost_win_rate: row.lost_win_rate,
    });
    Some(GoReview { rows: rows.collect(), worst: worst.collect(), turning_points: found.turning_points })
}

/// Puts it into the table as it is now: people may have stepped through the game meanwhile, and must not have changed it.
fn save_review(desk: &WorkbenchState, name: &str, review: &GoReview) {
    for _ in 0..3 {
        let document = desk.ask_store_blocking(|store| store.find_document(KIND, name));
        let Ok(Some(document)) = document else { return };
        let Ok(mut table) = GoTable::from_document(&document) else { return };
        if !review.fits_line(&table) {
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
    /// Is it of the line that is shown?
    pub(super) fn fits_line(&self, table: &GoTable) -> bool {
        let mut line = table.current_line().into_iter().filter(|&node| is_move(&table.tree, node));
        let last = line.next_back().and_then(|node| table.replay_to(node).ok());
        let moves = last.map_or(Vec::new(), |shown| shown.position.moves().to_vec());
        // Set-up in the middle of a game begins the position's history anew: then the end has to do.
        let rows = &self.rows[self.rows.len().saturating_sub(moves.len())..];
        !moves.is_empty()
            && rows.len() == moves.len()
            && moves
                .iter()
                .zip(rows)
                .all(|(&(color, mv), row)| color.letter() == row.color && mv.to_string() == row.vertex)
    }

    /// The probability of winning from move to move; each strip is a link to its move.
    pub(super) fn render_graph(&self, key: &str, now: usize, visitor: &Visitor) -> Markup {
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
                        hx-post=(format!("/go/{key}/move/{number}")) hx-target="#table" {
                        title { (number) ": " (self.rows[number - 1].vertex) " "
                            (format!("{:.0} %", 100.0 * self.rows[number - 1].black_win_rate)) }
                    }
                }
            }
        }
    }

    /// The curve with the area below it, where the game is now, and the worst moves.
    fn draw_curve(&self, field: &CurveField, now: usize) -> SvgElement {
        let place = |(n, row): (usize, &ReviewedMove)| field.place_of((n + 1) as f64, row.black_win_rate);
        let curve: Vec<[f64; 2]> = self.rows.iter().enumerate().map(place).collect();
        let corners = [field.across.from, field.across.to].map(|x| [[x, field.upward.from]]);
        let area = [&corners[0], curve.as_slice(), &corners[1]].concat();
        let mut drawing = SvgElement::group().with(SvgElement::polygon(&area).class("area"));
        drawing.add(field.level_line(0.5).class("grid"));
        drawing.add(SvgElement::polyline(&curve).class("curve"));
        drawing.add(field.upright_line(now as f64).class("now"));
        for [x, y] in self.worst.iter().map(|worst| curve[worst.number - 1].map(tenths)) {
            drawing.add(SvgElement::circle(x, y, 5).class("worst"));
        }
        drawing
    }

    /// Turning points and the worst moves in words.
    pub(super) fn render_summary(&self, key: &str, visitor: &Visitor) -> Markup {
        let jump = |number: usize| {
            html! {
                button hx-post=(format!("/go/{key}/move/{number}")) hx-target="#table" {
                    (visitor.say("Move", "手")) " " (number) " " (self.rows[number - 1].vertex)
                }
            }
        };
        html! {
            @if !self.turning_points.is_empty() {
                h3 { (visitor.say("Turning points", "形勢の転換")) }
                div.row { @for &number in &self.turning_points { (jump(number)) } }
            }
            h3 { (visitor.say("Worst moves", "問題の手")) }
            @if self.worst.is_empty() {
                p { (visitor.say("No move lost much.", "大きな損の手はありません。")) }
            }
            @for worst in &self.worst {
                @let row = &self.rows[worst.number - 1];
                details.worst-move {
                    summary {
                        (worst.number) " " (row.color) " " (row.vertex) " "
                        @if let Some((sign, meaning)) = loss_badge(row.lost_win_rate, visitor) { strong { (sign) } " " (meaning) " " }
                        span.quiet { (format!("−{:.1}", row.lost_points)) (visitor.say(" points", "目")) ", "
                            (format!("−{:.0} %", 100.0 * row.lost_win_rate)) }
                    }
                    (jump(worst.number))
                    p.told { (visitor.say(&worst.english, &worst.japanese).trim()) }
                }
            }
        }
    }
}
