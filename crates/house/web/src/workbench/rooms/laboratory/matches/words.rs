//! Conditions and figures of matches, as text.

use super::request::MatchRequest;
use crate::workbench::visitor::Visitor;

/// Game, board, rules and all else that a match is played with.
pub(super) fn format_conditions(visitor: &Visitor, asked: &MatchRequest) -> String {
    let pairs = format!("{} {}", asked.pairs, visitor.text("laboratory-pairs"));
    let seed = format!("{} {}", visitor.text("laboratory-seed"), asked.seed);
    let opening = match asked.opening.trim() {
        "" | "0" => String::new(),
        moves => format!(", {moves} {}", visitor.text("laboratory-random-moves-first")),
    };
    if asked.is_othello() {
        return format!("{}, {pairs}{opening}, {seed}", visitor.text("laboratory-othello"));
    }
    let komi = match asked.komi.trim() {
        "" => String::new(),
        komi => format!(", {} {komi}", visitor.text("laboratory-komi")),
    };
    format!("{} {0}x{0}, {1}{komi}, {pairs}{opening}, {seed}", asked.size, asked.rules).replacen(
        &format!("{} ", asked.size),
        &format!("{} ", visitor.text("laboratory-go")),
        1,
    )
}

pub(super) fn format_elo(value: f64) -> String {
    if value.is_finite() {
        return format!("{value:+.0}");
    }
    (if value > 0.0 { "+∞" } else { "−∞" }).to_string()
}
