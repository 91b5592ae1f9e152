//! The features of marked moves in diagrams.

use ishi_go::{Color, Diagram, Point};
use ishi_patterns::features::{FeatureSink, Group};
use ishi_patterns::{FeatureScratch, MoveContext};

struct Seen(Vec<Group>);

impl FeatureSink for Seen {
    fn add_fixed(&mut self, feature: usize) {
        let group = Group::ALL.iter().find(|group| group.feature_range().contains(&feature));
        self.0.push(*group.unwrap());
    }

    fn add_keyed(&mut self, _: usize, _: u64) -> bool {
        true
    }
}

/// Black moves at `a`; White's last move was at `last`.
fn groups(text: &str, last: Option<&str>) -> Vec<Group> {
    let diagram: Diagram = text.parse().unwrap();
    let board = diagram.to_board().unwrap();
    let last: Option<Point> = last.map(|vertex| board.size().parse_point(vertex).unwrap());
    let context = MoveContext { board: &board, to_move: Color::Black, last, before: None };
    let mut scratch = FeatureScratch::new();
    scratch.prepare_position(&context);
    let mut seen = Seen(Vec::new());
    scratch.emit_features(&context, diagram.marks[&'a'], &mut seen);
    let mut once = seen.0.clone();
    once.sort_by_key(|group| *group as usize);
    once.dedup();
    assert_eq!(once.len(), seen.0.len(), "a group twice: {:?}", seen.0);
    once
}

/// The groups are there, or not.
fn check(text: &str, last: Option<&str>, with: &[Group], without: &[Group]) {
    let found = groups(text, last);
    for group in with {
        assert!(found.contains(group), "{group:?} is missing in {found:?}\n{text}");
    }
    for group in without {
        assert!(!found.contains(group), "{group:?} is in {found:?}\n{text}");
    }
}

#[test]
fn an_open_point_has_only_its_place() {
    use Group::{Contact, Last, Nearest, Place};
    let text = ". . . . .\n. . . . .\n. . a . .\n. . . . .\n. . . . .";
    assert_eq!(groups(text, None), [Contact, Place, Nearest]);
    let text = ". . . . .\n. . . . O\n. a . . .\n. . . . .\n. . . . .";
    assert_eq!(groups(text, Some("E4")), [Contact, Place, Last, Nearest]);
}

#[test]
fn captures_and_what_they_save() {
    use Group::{Atari, Capture, Chase, Counter, Extend};
    let text = ". . . . .\n. X O . .\nX O a . .\n. X O . .\n. . . . .";
    check(text, Some("B3"), &[Capture, Chase], &[Extend]);
    // The captured stone holds a black one in atari, which does not touch the move.
    let text = ". . . . .\n. O X . .\nO X O a .\n. . X . .\n. . . . .";
    check(text, None, &[Capture, Counter], &[Extend, Atari]);
    let text = ". . . . .\n. O O . .\nO X O X .\n. a X . .\n. . . . .";
    check(text, Some("C3"), &[Extend], &[Capture]);
}

#[test]
fn ataris_and_answers() {
    use Group::{Atari, AttackThree, DefendTwo, DoubleAtari, Pressed, SelfAtari};
    let text = ". . . . .\n. . X . .\n. X O a .\n. . . . .\n. . . . .";
    check(text, Some("C3"), &[Atari], &[DoubleAtari, SelfAtari]);
    let text = ". . . . . .\n. X . X . .\nX O a O X .\n. . . . . .\n. . . . . .";
    check(text, None, &[Atari, DoubleAtari], &[]);
    let text = ". . . . .\n. . . . .\n. . O a .\n. X . . .\n. . . . .";
    check(text, None, &[], &[Atari, AttackThree]);
    let text = ". . . . .\n. . X . .\n. . O a .\n. . . . .\n. . . . .";
    check(text, None, &[AttackThree], &[Atari]);
    let text = ". . . . .\n. . O . .\n. O X a .\n. . . . .\n. . . . .";
    check(text, Some("B3"), &[DefendTwo, Pressed], &[Atari]);
    let text = ". . . . .\n. . . . .\nO . . . .\na O . . .\n. O . . .";
    check(text, None, &[SelfAtari], &[Atari]);
}

#[test]
fn eyes_and_kos() {
    use Group::{Eye, Ko};
    let text = ". X . . .\nX a X . .\n. X . . .\n. . . . .\n. . . . .";
    check(text, None, &[Eye], &[Ko]);
    let text = ". . . . .\n. . . . .\n. a . . .\n. . . . .\n. . . . .";
    check(text, None, &[], &[Eye, Ko]);
}

#[test]
fn every_group_tells_what_it_is() {
    let mut end = 0;
    for group in Group::ALL {
        assert!(group.about().len() > 10);
        assert_eq!(group.feature_range().start, end);
        end = group.feature_range().end;
    }
    assert_eq!(end, ishi_patterns::features::FIXED);
}
