//! The values of a reviewed game as a curve to click on.

use std::fmt::Write;

use maud::{Markup, PreEscaped, html};

use super::game::{JudgedOthelloMove, OthelloGameState, OthelloReview, Side};
use crate::workbench::visitor::Visitor;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 180.0;
const LEFT: f64 = 34.0;
const BOTTOM: f64 = 22.0;

/// Black's discs less White's after a move, with best play from there.
fn black_lead(judged: &JudgedOthelloMove) -> i32 {
    if judged.side == Side::Black { judged.value } else { -judged.value }
}

/// The curve, with a strip to click on for every move. The list of moves says the same to those who do not see it.
pub(super) fn render_graph(
    visitor: &Visitor,
    key: &str,
    game: &OthelloGameState,
    review: &OthelloReview,
) -> Markup {
    let moves = game.moves.len().max(1);
    let most = review.judged.iter().map(|judged| black_lead(judged).abs()).max().unwrap_or(0).clamp(8, 64);
    let x = |number: usize| LEFT + (WIDTH - LEFT - 6.0) * number as f64 / moves as f64;
    let y = |value: i32| (HEIGHT - BOTTOM) / 2.0 * (1.0 - f64::from(value) / f64::from(most)) * 0.94 + 5.0;
    let label = visitor.say("Black's lead in discs after every move", "各手後の黒の石差");
    let strip = (WIDTH - LEFT - 6.0) / moves as f64;
    html! {
        figure.othello-graph {
            svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(label) {
                (PreEscaped(draw_axes(most, moves, &x, &y)))
                (PreEscaped(draw_curve(review, &x, &y)))
                line.now x1=(x(game.at)) x2=(x(game.at)) y1="4" y2=(HEIGHT - BOTTOM) {}
                @for judged in &review.judged {
                    rect.strip x=(x(judged.number) - strip / 2.0) y="0" width=(strip) height=(HEIGHT - BOTTOM)
                        hx-post={ "/othello/" (key) "/go" } hx-swap="none" hx-vals={ "{\"to\":" (judged.number) "}" } {
                        title { (judged.number) ". " (judged.square) " " (format!("{:+}", black_lead(judged))) }
                    }
                }
            }
            figcaption.quiet { (label) ". " (visitor.say("Click to go there; dots are moves that lost 3 discs or more.", "クリックでその手へ移動。丸は3石以上の損。")) }
        }
    }
}

fn draw_axes(most: i32, moves: usize, x: &dyn Fn(usize) -> f64, y: &dyn Fn(i32) -> f64) -> String {
    let mut svg = String::new();
    for value in [-most, -most / 2, 0, most / 2, most] {
        let at = y(value);
        let class = if value == 0 { "zero" } else { "grid" };
        let _ = write!(
            svg,
            "<line class=\"{class}\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{at}\" y2=\"{at}\"/>",
            WIDTH - 6.0
        );
        let _ =
            write!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{value:+}</text>", LEFT - 4.0, at + 4.0);
    }
    for number in (10..=moves).step_by(10) {
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{number}</text>",
            x(number),
            HEIGHT - 6.0
        );
    }
    svg
}

fn draw_curve(review: &OthelloReview, x: &dyn Fn(usize) -> f64, y: &dyn Fn(i32) -> f64) -> String {
    let points: Vec<String> = review
        .judged
        .iter()
        .map(|judged| format!("{:.1},{:.1}", x(judged.number), y(black_lead(judged))))
        .collect();
    let mut svg = format!("<polyline class=\"curve\" points=\"{}\"/>", points.join(" "));
    for judged in review.judged.iter().filter(|judged| judged.loss > 2) {
        let (x, y) = (x(judged.number), y(black_lead(judged)));
        let class = if judged.side == Side::Black { "black" } else { "white" };
        let _ = write!(svg, "<circle class=\"fault {class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>");
    }
    svg
}
