//! Conditions and figures of matches, as text.

use ishi_go::Rules;

use super::request::MatchRequest;
use crate::workbench::rooms::go::rules_words;
use crate::workbench::visitor::Visitor;

/// Game, board, rules and all else that a match is played with.
pub(super) fn format_conditions(visitor: &Visitor, asked: &MatchRequest) -> String {
    let mut parts = match asked.is_othello() {
        true => vec![visitor.text("laboratory-othello").to_string()],
        false => describe_go(visitor, asked),
    };
    parts.push(format!("{} {}", asked.pairs, visitor.text("laboratory-pairs")));
    match asked.opening.trim() {
        "" | "0" => {}
        moves => parts.push(format!("{moves} {}", visitor.text("laboratory-random-moves-first"))),
    }
    parts.push(format!("{} {}", visitor.text("laboratory-seed"), asked.seed));
    parts.join(visitor.text("workbench-comma"))
}

/// The board of a match of Go, its rules, and its komi where it is given.
fn describe_go(visitor: &Visitor, asked: &MatchRequest) -> Vec<String> {
    let (go, side) = (visitor.text("laboratory-go"), &asked.size);
    let rules = match asked.rules.trim() {
        "" => rules_words(&Rules::CHINESE, visitor),
        name => name.parse::<Rules>().map_or_else(|_| name.to_string(), |rules| rules_words(&rules, visitor)),
    };
    let mut parts = vec![format!("{go} {side}x{side}"), rules];
    match asked.komi.trim() {
        "" => {}
        komi => parts.push(format!("{} {komi}", visitor.text("laboratory-komi"))),
    }
    parts
}

pub(super) fn format_elo(value: f64) -> String {
    if value.is_finite() {
        return format!("{value:+.0}");
    }
    (if value > 0.0 { "+∞" } else { "−∞" }).to_string()
}

#[cfg(test)]
mod tests {
    use ishi_words::Language;

    use super::*;

    #[test]
    fn conditions_are_told_in_the_words_of_the_page() {
        let asked = serde_json::json!({ "game": "go", "a": "go-random", "b": "go-random", "pairs": 3, "size": "5", "rules": "japanese" });
        let asked: MatchRequest = serde_json::from_value(asked).unwrap();
        let told = [Language::English, Language::Japanese]
            .map(|language| format_conditions(&Visitor::for_language(language), &asked));
        assert!(told[0].starts_with("Go 5x5, Japanese rules, 3 "), "{}", told[0]);
        assert!(told[1].starts_with("囲碁 5x5、日本ルール、3 "), "{}", told[1]);
    }
}
