//! The values of a reviewed game as a curve that leads to its moves.

use ishi_draw::{AxisScale, CurveField, SvgElement, tenths};
use ishi_othello_play::coach::LEAST_LOSS_TOLD;
use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};

use super::game::{JudgedOthelloMove, OthelloGameState, OthelloReview, Side};
use crate::workbench::chart::render_game_chart;
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

/// The curve, which leads to the moves. The list of moves says the same to those who do not see it.
pub(super) fn render_graph(visitor: &Visitor, game: &OthelloGameState, review: &OthelloReview) -> Markup {
    let field = curve_field(game, review);
    let strip = (WIDTH - LEFT - 6.0) / game.moves.len().max(1) as f64;
    let now = field.across.place_of(game.at as f64);
    let strips = html! {
        line.now x1=(now) x2=(now) y1="4" y2=(HEIGHT - BOTTOM) {}
        @for judged in &review.judged {
            rect.strip x=(field.across.place_of(judged.number as f64) - strip / 2.0) y="0" width=(strip) height=(HEIGHT - BOTTOM)
                data-to=(judged.number) {
                title { (judged.number) ". " (judged.square) " " (format!("{:+}", black_lead(judged))) }
            }
        }
    };
    let picture = render_picture(visitor, game, review, &strips);
    html! {
        figure.othello-graph {
            (render_game_chart(&describe_graph(visitor, game, review), Some(game.at), &picture))
            figcaption.quiet { (visitor.text("othello-what-the-graph-shows")) }
        }
    }
}

/// The picture of the curve, with what lies over it. A page that is shared says its name in another language, too.
pub(super) fn render_picture(
    visitor: &Visitor,
    game: &OthelloGameState,
    review: &OthelloReview,
    over: &Markup,
) -> Markup {
    let (field, most) = (curve_field(game, review), largest_lead(review));
    html! {
        svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(graph_label(visitor)) data-label="graphName" {
            (PreEscaped(draw_axes(&field, most, game.moves.len().max(1)).to_string()))
            (PreEscaped(draw_curve(&field, review).to_string()))
            (over)
        }
    }
}

fn graph_label(visitor: &Visitor) -> &str {
    visitor.text("othello-blacks-lead-in-discs-after-every")
}

fn curve_field(game: &OthelloGameState, review: &OthelloReview) -> CurveField {
    let most = f64::from(largest_lead(review));
    CurveField {
        across: AxisScale { low: 0.0, high: game.moves.len().max(1) as f64, from: LEFT, to: WIDTH - 6.0 },
        // The line ends a little before the strips do.
        upward: AxisScale { low: -most, high: most, from: 0.94 * (HEIGHT - BOTTOM) + 5.0, to: 5.0 },
    }
}

/// The values, for `ui/chart.ts`.
fn describe_graph(visitor: &Visitor, game: &OthelloGameState, review: &OthelloReview) -> Value {
    let most = largest_lead(review);
    let points: Vec<Value> =
        review.judged.iter().map(|judged| json!([judged.number, black_lead(judged)])).collect();
    let faults = review.judged.iter().filter(|judged| is_fault(judged));
    let fault = |judged: &JudgedOthelloMove| {
        json!([judged.number, if judged.side == Side::Black { "B" } else { "W" }])
    };
    json!({
        "title": graph_label(visitor),
        "x": "",
        "y": "",
        "series": [{
            "name": visitor.text("othello-blacks-lead-in-discs"),
            "color": 2,
            "format": "signed",
            "range": [-most, most],
            "points": points,
        }],
        "bands": [{ "name": "", "low": 0, "high": 0 }],
        "game": {
            "end": game.moves.len(),
            "names": game.moves,
            "faults": faults.map(fault).collect::<Vec<Value>>(),
            "hint": visitor.text("go-a-click-goes-to-that-move"),
        },
    })
}

fn is_fault(judged: &JudgedOthelloMove) -> bool {
    judged.loss >= LEAST_LOSS_TOLD
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
    for (judged, place) in review.judged.iter().zip(&places).filter(|(judged, _)| is_fault(judged)) {
        let class = if judged.side == Side::Black { "fault black" } else { "fault white" };
        let [x, y] = place.map(tenths);
        curve.add(SvgElement::circle(x, y, 4).class(class));
    }
    curve
}

/// White's first move, which loses ten discs and the game, as a review tells it without words.
#[cfg(test)]
pub(super) fn judged_loss() -> JudgedOthelloMove {
    JudgedOthelloMove {
        number: 2,
        side: Side::White,
        square: "d6".to_string(),
        value: -12,
        loss: 10,
        proved: false,
        turned: true,
        forced: false,
        better: "f6".to_string(),
        better_value: -2,
        line: Vec::new(),
        refutation: Vec::new(),
        why: [String::new(), String::new()],
    }
}

#[cfg(test)]
mod tests {
    use ishi_othello::Position;
    use ishi_sgf::othello_records::OthelloRecord;

    use super::*;

    #[test]
    fn the_chart_has_the_leads_and_faults_of_the_review() {
        let record = OthelloRecord::from_game(Position::from_transcript("f5d6c3").unwrap());
        let game = OthelloGameState::from_record(&record, 0);
        let review = OthelloReview {
            level: 4,
            moves: game.moves.clone(),
            judged: vec![judged_loss()],
            complete: true,
            summaries: Vec::new(),
            lessons: Vec::new(),
        };
        let visitor = Visitor::for_language(ishi_words::Language::English);
        let known = describe_graph(&visitor, &game, &review);
        assert_eq!(known["series"][0]["points"], json!([[2, 12]]), "a loss of White is Black's lead");
        assert_eq!(known["series"][0]["range"], json!([-12, 12]));
        assert_eq!(known["game"]["faults"], json!([[2, "W"]]));
        assert_eq!(known["game"]["names"], json!(["f5", "d6", "c3"]));
        for (loss, is_told) in [(1, false), (2, true)] {
            assert_eq!(is_fault(&JudgedOthelloMove { loss, ..judged_loss() }), is_told, "a loss of {loss}");
        }
        let page = render_graph(&visitor, &game, &review).into_string();
        assert!(
            page.contains("<value-chart data-goes data-at=") && page.contains("class=\"strip\""),
            "{page}"
        );
    }
}
