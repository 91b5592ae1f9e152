//! Scoring by diagrams: what each rule set counts, with dead stones, prisoners, seki, handicap and pass stones.

use ishi_go::{Color, Diagram, Move, Point, Position, Rules, Scoring, Symmetry, score};
use ishi_rng::Seed;

/// A diagram, the marked dead and seki stones, and the points that follow.
struct Case {
    name: &'static str,
    diagram: &'static str,
    dead: &'static [&'static str],
    seki: &'static [&'static str],
    /// Black and White, by area.
    area: (usize, usize),
    /// Black and White, by territory and prisoners.
    territory: (usize, usize),
}

const CASES: [Case; 8] = [
    Case {
        name: "empty board",
        diagram: "...\n...\n...",
        dead: &[],
        seki: &[],
        area: (0, 0),
        territory: (0, 0),
    },
    Case {
        name: "two walls",
        diagram: ".XO.\n.XO.\n.XO.\n.XO.",
        dead: &[],
        seki: &[],
        area: (8, 8),
        territory: (4, 4),
    },
    Case {
        name: "a neutral line between the walls",
        diagram: ".X.O.\n.X.O.\n.X.O.",
        dead: &[],
        seki: &[],
        area: (6, 6),
        territory: (3, 3),
    },
    Case {
        name: "a dead stone counts as a prisoner and a point",
        diagram: ".X.O.\n.X.O.\nOX.O.",
        dead: &["A1"],
        seki: &[],
        area: (6, 6),
        territory: (4, 3),
    },
    Case {
        name: "the same stone alive makes its surroundings neutral",
        diagram: ".X.O.\n.X.O.\nOX.O.",
        dead: &[],
        seki: &[],
        area: (3, 7),
        territory: (0, 3),
    },
    Case {
        name: "one stone named, the whole chain dead",
        diagram: "XXX.O\nOOX.O\nO.X.O\nXXX.O",
        dead: &["A2"],
        seki: &[],
        area: (12, 4),
        territory: (7, 0),
    },
    Case {
        // Each side has an eye and both need the shared liberty: who fills it is captured.
        name: "eyes in seki count by area alone",
        diagram: ".XO.O\nXX.OO\nOOOOO\nXXXXX\n.X.X.",
        dead: &[],
        seki: &["B5", "D4"],
        area: (14, 10),
        territory: (3, 0),
    },
    Case {
        name: "where nobody names the seki, its eyes are territory",
        diagram: ".XO.O\nXX.OO\nOOOOO\nXXXXX\n.X.X.",
        dead: &[],
        seki: &[],
        area: (14, 10),
        territory: (4, 1),
    },
];

fn points(position: &Position, names: &[&str]) -> Vec<Point> {
    names.iter().map(|name| position.size().parse_point(name).unwrap()).collect()
}

#[test]
fn diagrams_are_counted() {
    for case in &CASES {
        let diagram: Diagram = case.diagram.parse().unwrap();
        let position = diagram.to_position(Rules::JAPANESE, Color::Black).unwrap();
        let (dead, seki) = (points(&position, case.dead), points(&position, case.seki));
        let pair = |tally: score::ScoreTally| (tally.points(Color::Black), tally.points(Color::White));
        let area = score::tally_area_with_dead(position.board(), &dead).unwrap();
        assert_eq!(pair(area), case.area, "{} by area", case.name);
        let territory = score::tally_territory_with_seki(&position, &dead, &seki).unwrap();
        assert_eq!(pair(territory), case.territory, "{} by territory", case.name);
        for (rules, expected) in [(Rules::CHINESE, case.area), (Rules::JAPANESE, case.territory)] {
            let position = diagram.to_position(rules, Color::Black).unwrap();
            let tally = position.tally_points_with_seki(&dead, &seki).unwrap();
            assert_eq!(pair(tally), expected, "{} by {rules}", case.name);
        }
    }
}

#[test]
fn every_symmetry_scores_the_same() {
    for case in &CASES {
        let board = case.diagram.parse::<Diagram>().unwrap().to_board().unwrap();
        let margin = score::tally_area(&board).black_lead();
        for symmetry in Symmetry::ALL {
            assert_eq!(score::tally_area(&symmetry.map_board(&board)).black_lead(), margin, "{}", case.name);
        }
    }
}

#[test]
fn the_map_tells_whose_a_point_is() {
    let position =
        CASES[3].diagram.parse::<Diagram>().unwrap().to_position(Rules::CHINESE, Color::Black).unwrap();
    let tally = position.tally_points(&points(&position, &["A1"])).unwrap();
    let owner = |name: &str| tally.point_owner(position.size().parse_point(name).unwrap());
    assert_eq!(["A1", "A3", "B2"].map(owner), [Some(Color::Black); 3]);
    assert_eq!(["E1", "D3"].map(owner), [Some(Color::White); 2]);
    assert_eq!(["C1", "C2", "C3"].map(owner), [None; 3]);
    let territory = score::tally_territory(&position, &points(&position, &["A1"])).unwrap();
    assert_eq!(territory.point_owner(position.size().parse_point("B2").unwrap()), None);
}

#[test]
fn komi_and_compensation_are_taken_off() {
    let size = "9".parse().unwrap();
    for (rules, result) in [
        (Rules::CHINESE, "B+76.5"),
        (Rules::AGA, "B+77.5"),
        (Rules::TROMP_TAYLOR, "B+80.5"),
        (Rules::NEW_ZEALAND, "B+80.5"),
        (Rules::JAPANESE, "B+76.5"),
    ] {
        let mut position = Position::new(size, rules);
        assert_eq!(position.komi(), rules.default_komi);
        position.set_komi(0.5).unwrap();
        position.place_handicap(&ishi_go::handicap::fixed_placement(size, 4).unwrap()).unwrap();
        assert_eq!((position.handicap(), position.to_move(), position.komi()), (4, Color::White, 0.5));
        assert_eq!(position.final_score(&[]).unwrap().to_string(), result, "{rules}");
    }
    let mut position = Position::new(size, Rules::NEW_ZEALAND);
    position.set_komi(0.0).unwrap();
    assert_eq!(position.final_score(&[]).unwrap().to_string(), "0");
    for komi in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(position.set_komi(komi).unwrap_err().to_string().contains("komi must be a finite number"));
    }
    assert_eq!(position.komi(), 0.0);
}

#[test]
fn wrong_points_are_named() {
    let position =
        CASES[1].diagram.parse::<Diagram>().unwrap().to_position(Rules::CHINESE, Color::Black).unwrap();
    let error = |point| position.final_score(&[point]).unwrap_err().to_string();
    assert_eq!(error(Point::new(0, 0)), "no stone at A1: name a stone of each dead chain");
    assert_eq!(error(Point::new(7, 7)), "H8 lies outside this 4x4 board");
    let mut position = position;
    let error = position.place_handicap(&[Point::new(0, 0)]).unwrap_err().to_string();
    assert_eq!(error, "board not empty: handicap stones are placed before the first move");
}

/// AGA rules: with pass stones and White's pass as the last move, territory gives what area gives (for an even game).
#[test]
fn pass_stones_make_territory_and_area_the_same() {
    let territory = Rules { scoring: Scoring::Territory, ..Rules::AGA };
    let mut decided = 0;
    for game in 0..60 {
        let mut rng = Seed::new(12).stream("pass stones", game);
        let mut position = Position::new("6x5".parse().unwrap(), territory);
        while !position.is_over() && position.moves().len() < 400 {
            let color = position.to_move();
            let eye = |point: &Point| position.board().is_eyelike(color, *point);
            let moves: Vec<Point> = position.legal_moves(color).into_iter().filter(|p| !eye(p)).collect();
            let mv = if rng.chance(0.05) {
                Move::Pass
            } else {
                rng.choose(&moves).map_or(Move::Pass, |&p| p.into())
            };
            position.play(color, mv).unwrap();
        }
        if position.is_over() {
            assert_eq!(position.last_move().unwrap().0, Color::White);
            let area = score::tally_area(position.board()).black_lead();
            assert_eq!(position.tally_points(&[]).unwrap().black_lead(), area, "{position:?}");
            decided += 1;
        }
    }
    assert!(decided > 40, "{decided}");
}

#[test]
fn passes_end_the_game() {
    let over = |rules: Rules, passes: &[Color]| {
        let mut position = Position::new("5".parse().unwrap(), rules);
        passes.iter().for_each(|&color| assert_eq!(position.play(color, Move::Pass), Ok(0)));
        assert_eq!(position.trailing_passes(), passes.len());
        position.is_over()
    };
    let (b, w) = (Color::Black, Color::White);
    for rules in [Rules::CHINESE, Rules::JAPANESE, Rules::TROMP_TAYLOR, Rules::NEW_ZEALAND] {
        assert!(!over(rules, &[]) && !over(rules, &[b]) && over(rules, &[b, w]) && over(rules, &[w, b]));
    }
    assert!(over(Rules::AGA, &[b, w]) && !over(Rules::AGA, &[w, b]) && over(Rules::AGA, &[w, b, w]));
}
