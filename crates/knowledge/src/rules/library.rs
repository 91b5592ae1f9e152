//! Patterns of the database ([`ishi_patterns::library`]): what was mined, and what was written by hand.

use ishi_go::{Color, Point};
use ishi_patterns::joseki::book::Kind;
use ishi_patterns::library::{Branch, Index, Match, Pattern};

use super::{Condition, Found, Rule, View, rule};
use crate::reasons::{Family, KnownPattern, Reason};

/// The rules of this file.
#[rustfmt::skip]
pub(super) static RULES: &[Rule] = &[
    rule("mined-pattern", Family::Pattern, 0.0, "follows pattern {pattern}: seen {seen} times, played {played}, and the side that played it won {won} %", "パターン{pattern}の手です（{seen}回現れて{played}回打たれ、打った側の勝率{won}%）", Condition::Find(mined)),
    rule("hand-pattern", Family::Pattern, 1.0, "follows pattern {pattern}: {words}", "パターン{pattern}の手です：{words}", Condition::Find(by_hand)),
];

/// Points for a move that is always played where its pattern is seen.
const ALWAYS: f64 = 7.0;

/// Of all mined patterns that suggest a move the one that is most often played.
fn mined(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    let mut best: Vec<(Point, f64, Reason)> = Vec::new();
    each(view, |found, pattern, at, branch| {
        if pattern.seen == 0 {
            return;
        }
        let share = f64::from(branch.played) / f64::from(pattern.seen);
        match best.iter_mut().find(|(point, ..)| *point == at) {
            Some((_, known, _)) if *known >= share => {}
            Some(place) => *place = (at, share, reason(view, rule, found, pattern, branch, ALWAYS * share)),
            None => best.push((at, share, reason(view, rule, found, pattern, branch, ALWAYS * share))),
        }
    });
    for (at, _, reason) in best {
        out.suggest(view, at, reason);
    }
}

/// Patterns that nobody counted: they have words.
fn by_hand(view: &View<'_>, rule: &'static Rule, out: &mut Found) {
    each(view, |found, pattern, at, branch| {
        if pattern.seen == 0 {
            out.suggest(view, at, reason(view, rule, found, pattern, branch, 0.0));
        }
    });
}

/// Goes through the moves that patterns suggest to the side to move; those that are known to be bad are left out.
fn each(view: &View<'_>, mut tell: impl FnMut(&Match, &Pattern, Point, &Branch)) {
    for found in &view.patterns {
        let pattern = Index::shipped().pattern(found);
        for suggested in found.moves(pattern, &pattern.moves, view.board.size()) {
            if suggested.color == view.color && suggested.branch.kind != Kind::Bad {
                tell(found, pattern, suggested.at, suggested.branch);
            }
        }
    }
}

fn reason(
    view: &View<'_>,
    rule: &'static Rule,
    found: &Match,
    pattern: &Pattern,
    branch: &Branch,
    value: f64,
) -> Reason {
    let words = if branch.words == Default::default() { &pattern.words } else { &branch.words };
    let known = KnownPattern {
        name: pattern.name.clone(),
        seen: pattern.seen,
        played: branch.played,
        won: branch.won,
        words: words.clone(),
    };
    let sequence = main_line(view, found, pattern, branch);
    Reason { pattern: Some(known), ..Reason::of(rule).plus(value).by(sequence) }
}

/// The most played line of the tree, from a move on.
fn main_line(view: &View<'_>, found: &Match, pattern: &Pattern, branch: &Branch) -> Vec<(Color, Point)> {
    let size = view.board.size();
    let mut line = Vec::new();
    let mut next = Some(branch);
    while let Some(branch) = next {
        let Some(at) = found.point(pattern, branch.at, size) else { break };
        line.push((found.color(branch.color), at));
        // Of answers that were played as often the first counts.
        next = branch.replies.iter().rev().max_by_key(|reply| reply.played);
    }
    line
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Position, Rules};

    use crate::words::{Language, reason};
    use crate::{Analysis, Family, NoOracle, rules};

    /// White has approached a star point: the answers that strong players give are suggested, with their counts.
    #[test]
    fn patterns_suggest_moves_and_tell_their_counts() {
        let mut position = Position::new(BoardSize::square(19).unwrap(), Rules::CHINESE);
        for vertex in ["Q16", "D4", "Q4", "R6"] {
            let mv = position.size().parse_move(vertex).unwrap();
            position.play(position.to_move(), mv).unwrap();
        }
        let analysis = Analysis::of(&position, &mut NoOracle);
        let suggestions = rules::suggest(&position, &analysis);
        let told: Vec<_> = suggestions
            .iter()
            .flat_map(|suggestion| suggestion.reasons.iter().map(move |reason| (suggestion.mv, reason)))
            .filter(|(_, reason)| {
                reason.rule.family == Family::Pattern && reason.rule.name == "mined-pattern"
            })
            .collect();
        let (mv, answer) = told.iter().find(|(mv, _)| mv.to_string() == "O3").expect("the usual answer");
        let known = answer.pattern.as_ref().unwrap();
        assert!(known.seen >= known.played && known.played >= known.won && known.won > 0, "{known:?}");
        assert_eq!(answer.sequence[0], (position.to_move(), *mv));
        let text = reason(answer, Language::English);
        let counts = format!("seen {} times, played {}", known.seen, known.played);
        assert!(text.contains(&known.name) && text.contains(&counts), "{text}");
        assert!(reason(answer, Language::Japanese).contains(&known.played.to_string()));
        // One reason a move: the pattern that is played most often where it is seen.
        let mut moves: Vec<_> = told.iter().map(|(mv, _)| *mv).collect();
        moves.sort();
        moves.dedup();
        assert_eq!(moves.len(), told.len());
    }

    /// An own stone in atari with room in front: a pattern that claims its liberties, written by hand.
    #[test]
    fn patterns_by_hand_speak_in_their_own_words() {
        let diagram = "
            . . . . . . .
            . . . O . . .
            . . O X . . .
            . . . O . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
        ";
        let diagram: ishi_go::Diagram = diagram.parse().unwrap();
        let position = diagram.position(Rules::CHINESE, ishi_go::Color::Black).unwrap();
        let suggestions = rules::suggest(&position, &Analysis::of(&position, &mut NoOracle));
        let run = suggestions.iter().find(|suggestion| suggestion.mv.to_string() == "E5").unwrap();
        let known = run.reasons.iter().find(|reason| reason.rule.name == "hand-pattern").unwrap();
        let text = reason(known, Language::English);
        assert!(text.contains("run-from-atari: extends where there is room"), "{text}");
        assert!(reason(known, Language::Japanese).contains("ノビる"));
    }
}
