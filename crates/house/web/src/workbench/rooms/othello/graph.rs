//! The values of a reviewed game as a curve to click on.

use ishi_draw::{AxisScale, CurveField, SvgElement, tenths};
use maud::{Markup, PreEscaped, html};

use super::game::{JudgedOthelloMove, OthelloGameState, OthelloReview, Side};
use crate::workbench::visitor::Visitor;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 180.0;
const LEFT: f64 = 34.0;
const BOTTOM: f64 = 22.0;

/// Black's discs less White's after a move, with best play from there.
pub(super) fn black_lead(judged: &JudgedOthelloMove) -> i32 {
    if judged.side == Side::Black { judged.value } else { -judged.value }
}

/// The discs up to which the curve of a review reaches: its largest lead, 8 at least.
pub(super) fn largest_lead(review: &OthelloReview) -> i32 {
    review.judged.iter().map(|judged| black_lead(judged).abs()).max().unwrap_or(0).clamp(8, 64)
}

/// The curve, with a strip to click on for every move. The list of moves says the same to those who do not see it.
pub(super) fn render_graph(visitor: &Visitor, game: &OthelloGameState, review: &OthelloReview) -> Markup {
    let moves = game.moves.len().max(1);
    let most = largest_lead(review);
    let field = CurveField {
        across: AxisScale { low: 0.0, high: moves as f64, from: LEFT, to: WIDTH - 6.0 },
        // The line ends a little before the strips do.
        upward: AxisScale {
            low: -f64::from(most),
            high: f64::from(most),
            from: 0.94 * (HEIGHT - BOTTOM) + 5.0,
            to: 5.0,
        },
    };
    let label = visitor.say("Black's lead in discs after every move", "各手後の黒の石差");
    let strip = (WIDTH - LEFT - 6.0) / moves as f64;
    let now = field.across.place_of(game.at as f64);
    html! {
        figure.othello-graph {
            svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(label) {
                (PreEscaped(draw_axes(&field, most, moves).to_string()))
                (PreEscaped(draw_curve(&field, review).to_string()))
                line.now x1=(now) x2=(now) y1="4" y2=(HEIGHT - BOTTOM) {}
                @for judged in &review.judged {
                    rect.strip x=(field.across.place_of(judged.number as f64) - strip / 2.0) y="0" width=(strip) height=(HEIGHT - BOTTOM)
                        data-to=(judged.number) {
                        title { (judged.number) ". " (judged.square) " " (format!("{:+}", black_lead(judged))) }
                    }
                }
            }
            figcaption.quiet { (label) ". " (visitor.say("Click to go there; dots are moves that lost 3 discs or more.", "クリックでその手へ移動。丸は3石以上の損。")) }
        }
    }
}

fn draw_axes(field: &CurveField, most: i32, moves: usize) -> SvgElement {
    let mut axes = SvgElement::group();
    for value in [-most, -most / 2, 0, most / 2, most] {
        let class = if value == 0 { "zero" } else { "grid" };
        axes.add(field.level_line(f64::from(value)).class(class));
        axes.add(field.level_name(f64::from(value), 4.0, format_args!("{value:+}")));
    }
    for number in (10..=moves).step_by(10) {
        axes.add(field.place_name(number as f64, HEIGHT - 6.0, number));
    }
    axes
}

fn draw_curve(field: &CurveField, review: &OthelloReview) -> SvgElement {
    let place =
        |judged: &JudgedOthelloMove| field.place_of(judged.number as f64, f64::from(black_lead(judged)));
    let places: Vec<[f64; 2]> = review.judged.iter().map(place).collect();
    let mut curve = SvgElement::group().with(SvgElement::polyline(&places).class("curve"));
    for (judged, place) in review.judged.iter().zip(&places).filter(|(judged, _)| judged.loss > 2) {
        let class = if judged.side == Side::Black { "fault black" } else { "fault white" };
        let [x, y] = place.map(tenths);
        curve.add(SvgElement::circle(x, y, 4).class(class));
    }
    curve
}
