//! What moves do, on diagrams: the rule's name and the stone for each.

use ishi_go::{Board, Color, Diagram, Point, Position, Rules};
use ishi_knowledge::explain::{find_move_reasons, find_prevented_threats, prove_effects, recheck_claim};
use ishi_knowledge::rules;
use ishi_knowledge::words;
use ishi_knowledge::{Analysis, Fate, Link, LinkKind, LinkStrength, NoOracle, Oracle, Reason};
use ishi_reading::ReadingEffort;
use ishi_words::Language;

/// As deep as claims are read before they are made.
const DEEP: ReadingEffort = ReadingEffort { nodes: [12_000, 8_000, 4_000] };

fn effects_of(text: &str, mv: &str) -> (Position, Vec<Reason>) {
    let diagram: Diagram = text.parse().unwrap();
    let position = diagram.to_position(Rules::CHINESE, Color::Black).unwrap();
    let mv = position.size().parse_point(mv).unwrap();
    let analysis = Analysis::analyze(&position, &mut NoOracle);
    let found = prove_effects(&position, &analysis, mv, &mut NoOracle);
    for reason in &found {
        assert_ne!(recheck_claim(reason, &position, mv, DEEP), Some(false), "{}", reason.rule.name);
    }
    (position, found)
}

/// Has the move this effect, about this stone?
fn does(text: &str, mv: &str, rule: &str, about: &str) {
    let (position, found) = effects_of(text, mv);
    let about = position.size().parse_point(about).unwrap();
    let told: Vec<(&str, Option<String>)> =
        found.iter().map(|reason| (reason.rule.name, reason.about.map(|p| p.to_string()))).collect();
    let hit = found.iter().any(|reason| reason.rule.name == rule && reason.about == Some(about));
    assert!(hit, "{mv} should be {rule} of {about}: {told:?}\n{}", position.board());
}

#[test]
fn a_stone_in_atari_is_taken_or_gets_away() {
    let text = "
        . . . . . . .
        . . X . . . .
        . X O . . . .
        . . X . . . .
        . . . . . . .
        . . . . . . .
    ";
    does(text, "D4", "take-stone", "C4");
    let own = "
        . . . . . . .
        . . O . . . .
        . O X . . . .
        . . O . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
    ";
    does(own, "D5", "extend-from-atari", "C5");
}

#[test]
fn a_stone_at_the_edge_does_not_get_away() {
    let text = "
        . . . . . . .
        . . . . . . .
        . . . X . . .
        . . X O . . .
        . . . . . . .
    ";
    does(text, "E2", "capture", "D2");
}

#[test]
fn a_ladder_captures_unless_it_is_broken() {
    let ladder = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . X X . . . . .
        . X O O . . . . .
        . . X X . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    ";
    does(ladder, "E5", "take-stones", "C5");
    let (position, found) = effects_of(ladder, "J9");
    assert!(found.is_empty(), "a move far away does nothing here\n{}", position.board());
}

#[test]
fn cutting_and_connecting_are_seen_from_both_sides() {
    let text = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . O X . . . .
        . . . X . . . . .
        . . . O . O . . .
        . . . . O . . . .
        . . . . . . . . .
        . . . . . . . . .
    ";
    // Black joins D5 and E6, or White cuts them, at E5.
    does(text, "E5", "connect-hane", "D5");
    let cut = text.replace('X', "Y").replace('O', "X").replace('Y', "O");
    does(&cut, "E5", "cut-hane", "D5");
}

/// After Black's E3 White can no longer cut B3 from D3. What E3 does for that, three lines from B3, nobody sees.
#[test]
fn what_holds_stones_together_from_afar_is_not_told() {
    let text = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . X O . . .
        . . . O X X . . .
        . X . X . O O . .
        . . . O . . . . .
        . . . . . . . . .
    ";
    let (_, found) = effects_of(text, "E3");
    assert!(found.iter().all(|reason| reason.rule.name != "connect-one-point-jump"), "{found:?}");
    does(text, "C3", "connect-one-point-jump", "B3");
}

/// What would be taken off the board is not said to be cut off, wherever the stones of the link stand.
#[test]
fn what_would_be_taken_is_not_cut() {
    let text = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . O . . . .
        . . X . X O . . .
        . . . . O . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    ";
    let position = text.parse::<Diagram>().unwrap().to_position(Rules::CHINESE, Color::Black).unwrap();
    let [a, b, mv] = ["C5", "E5", "D5"].map(|vertex| position.size().parse_point(vertex).unwrap());
    let analysis = Analysis::analyze(&position, &mut NoOracle);
    let mut done = prove_effects(&position, &analysis, mv, &mut NoOracle);
    done.retain(|reason| reason.rule.name == "connect-one-point-jump");
    let [connects] = &done[..] else { panic!("one connection: {done:?}") };
    let mut linked = analysis.clone();
    let place = linked.links.iter().position(|link| link.stones == [a, b]).unwrap();
    linked.links[place].cut = Some(mv);
    let turned = Link { stones: [b, a], ..linked.links[place] };
    linked.links.push(turned);
    let effect =
        |about: Point, other: Point| Reason { about: Some(about), other: Some(other), ..connects.clone() };
    for undone in [vec![effect(a, b)], vec![effect(b, a)], vec![effect(a, b), effect(b, a)]] {
        let told = find_prevented_threats(&position, &linked, &undone, &mut NoOracle);
        let names: Vec<_> =
            told.iter().map(|threat| (threat.reason.rule.name, threat.reason.about)).collect();
        assert_eq!(names, [("take-stone", Some(b))], "a capture is told once");
    }
}

/// A move that takes a group does not narrow its eye space, nor does it connect around its stones.
#[test]
fn no_idea_is_about_stones_that_the_move_takes() {
    let text = "
        . X O O . O . . .
        X O X X X X . . .
        . O X O O O . . .
        . X O O X O . . .
        . X X X X . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    ";
    let position = text.parse::<Diagram>().unwrap().to_position(Rules::CHINESE, Color::Black).unwrap();
    let mv = position.size().parse_point("A7").unwrap();
    let analysis = Analysis::analyze(&position, &mut NoOracle);
    let suggestions = rules::suggest_moves(&position, &analysis);
    let found = find_move_reasons(&position, &analysis, &suggestions, mv, &mut NoOracle);
    let taken = position.size().parse_point("B7").unwrap();
    assert!(found.effects.iter().any(|effect| effect.about == Some(taken)), "{found:?}");
    let rule_of = |reason: &&Reason| reason.rule.name == "narrow-eye-space" && reason.about == Some(taken);
    let known = suggestions.iter().find(|suggestion| suggestion.mv == mv).unwrap();
    assert!(known.reasons.iter().find(rule_of).is_some(), "a rule thinks so");
    assert_eq!(found.ideas.iter().find(rule_of), None);
    let links: Vec<_> = found.effects.iter().filter(|effect| effect.other.is_some()).collect();
    assert!(!links.is_empty() && links.iter().all(|effect| effect.rule.name == "connect"), "{links:?}");
}

/// Stones that nobody can cut are not said to be connected by a move, whatever the quick reading of level 2 thinks.
#[test]
fn what_is_connected_is_not_connected_again() {
    let text = "
        . . . . . . .
        . . . . . . .
        . . X . . . .
        . . . X . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
    ";
    let position = text.parse::<Diagram>().unwrap().to_position(Rules::CHINESE, Color::Black).unwrap();
    let mut analysis = Analysis::analyze(&position, &mut NoOracle);
    let mv = position.size().parse_point("C4").unwrap();
    let link = analysis.links.iter_mut().find(|link| link.kind == LinkKind::Diagonal).unwrap();
    assert_eq!(link.strength, LinkStrength::Solid);
    (link.strength, link.connect) = (LinkStrength::Cuttable, Some(mv));
    let found = prove_effects(&position, &analysis, mv, &mut NoOracle);
    assert!(found.iter().all(|reason| !reason.rule.name.starts_with("connect")), "{found:?}");
}

#[test]
fn words_have_no_gaps() {
    let text = "
        . . . . . . .
        . . X . . . .
        . X O . . . .
        . . X O . . .
        . . . X . . .
        . . . . . . .
    ";
    for mv in ["D4", "E3", "D5"] {
        for reason in effects_of(text, mv).1 {
            for language in [Language::English, Language::Japanese] {
                let words = words::describe_reason(&reason, language);
                assert!(!words.contains('{') && !words.contains("  "), "{words}");
            }
        }
    }
}

/// What an oracle says against a claim keeps it from being told.
#[test]
fn what_an_oracle_contradicts_is_not_told() {
    /// Nothing can be taken, saved or cut.
    struct Doubter;
    impl Oracle for Doubter {
        fn fate(&mut self, _: &Board, _: Point) -> Option<Fate> {
            None
        }

        fn falls_to_attack(&mut self, _: &Board, _: Point, attacking: bool) -> Option<bool> {
            Some(attacking)
        }

        fn can_cut(&mut self, _: &Board, _: [Point; 2]) -> Option<bool> {
            Some(false)
        }
    }
    let text = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . X . . . . .
        . . X O . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . . . . . .
        . . . . . . . . .
    ";
    let diagram: Diagram = text.parse().unwrap();
    let position = diagram.to_position(Rules::CHINESE, Color::Black).unwrap();
    let analysis = Analysis::analyze(&position, &mut NoOracle);
    let moves: Vec<Point> =
        position.size().points().filter(|&mv| position.is_legal(Color::Black, mv.into())).collect();
    let claims = |oracle: &mut dyn FnMut(Point) -> Vec<Reason>| -> Vec<&str> {
        moves.iter().flat_map(|&mv| oracle(mv)).map(|reason| reason.rule.name).collect()
    };
    let believed = claims(&mut |mv| prove_effects(&position, &analysis, mv, &mut NoOracle));
    let doubted = claims(&mut |mv| prove_effects(&position, &analysis, mv, &mut Doubter));
    let is_doubted =
        |name: &&str| ["capture", "ladder", "net", "save"].contains(name) || name.starts_with("con");
    assert!(believed.iter().any(is_doubted), "{believed:?}");
    assert!(!doubted.iter().any(is_doubted), "{doubted:?}");
}
