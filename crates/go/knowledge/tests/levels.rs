//! The levels of analysis held against each other and against the board, over games of random moves.

use ishi_go::{Board, BoardSize, Color, Diagram, Move, Point, Position, Rules};
use ishi_knowledge::show::{AnalysisLevel, AnalysisView};
use ishi_knowledge::{
    Analysis, ChainFacts, Chains, Connections, EscapeDirection, EscapeTarget, EyeKind, Group, GroupStrength,
    Keeper, LinkKind, LinkStrength, NoOracle, PotentialEye, PotentialKind, Style, Tactical, check, rules,
};
use ishi_rng::Seed;
use ishi_words::Language;

/// A game of random moves on a board of so many lines; `see` is told of the board after every move.
fn random_game(side: usize, seed: u64, moves: usize, mut see: impl FnMut(&Board, &Chains)) {
    let mut board = Board::new(BoardSize::square(side).unwrap());
    let mut chains = Chains::default();
    let (mut rng, mut color) = (Seed::new(seed).stream("levels", 0), Color::Black);
    for _ in 0..moves {
        let points: Vec<Point> = board.empty_points().filter(|&p| board.is_legal(color, p)).collect();
        let mv = rng.choose(&points).map_or(Move::Pass, |&point| Move::Play(point));
        board.play_observed(color, mv, &mut chains);
        see(&board, &chains);
        color = !color;
    }
}

#[test]
fn chains_follow_the_board_move_by_move() {
    for seed in 0..20 {
        let side = [5, 7, 9, 19][seed as usize % 4];
        random_game(side, seed, 200, |board, chains| {
            assert_eq!(*chains, Chains::from_board(board), "\n{board}")
        });
    }
}

/// The connections of points and of chains are the same kept move by move and found from scratch.
#[test]
fn connections_follow_the_board_move_by_move() {
    let (mut met, mut taken) = (0, 0);
    for seed in 0..24 {
        let size = BoardSize::square([3, 5, 9, 19][seed as usize % 4]).unwrap();
        let (mut board, mut kept) = (Board::new(size), Connections::for_empty_board(size));
        let (mut rng, mut color) = (Seed::new(seed).stream("connections", 0), Color::Black);
        for _ in 0..250 {
            let legal = |p: &Point| board.is_legal(color, *p);
            let points: Vec<Point> = board.empty_points().filter(legal).collect();
            let mv = rng.choose(&points).map_or(Move::Pass, |&point| Move::Play(point));
            taken += usize::from(board.play_observed(color, mv, &mut kept) > 0);
            assert_eq!(kept, Connections::from_board(&board), "\n{board}");
            met += kept.all_connections().len();
            color = !color;
        }
    }
    assert!(met > 10_000 && taken > 100, "{met} connections, {taken} captures");
}

/// A second way to the same lists, by the words of the document: a liberty of one chain, and the other straight on.
#[test]
fn connections_are_what_the_document_says() {
    lively_game(9, 7, 60, |position| {
        let board = position.board();
        let chains = Chains::from_board(board);
        let connections = Connections::from_board(board);
        let names: Vec<Point> = chains.iter().map(|chain| chain.name()).collect();
        for &a in &names {
            for &b in names.iter().filter(|b| b.index() > a.index()) {
                let pair = [chains.chain_at(a).unwrap(), chains.chain_at(b).unwrap()];
                let known = connections.all_connections().into_iter().find(|(found, _)| *found == [a, b]);
                for point in board.empty_points() {
                    let listed = known.and_then(|(_, lists)| {
                        (0..3).find(|&lines| lists[lines].contains(point)).map(|lines| lines + 1)
                    });
                    assert_eq!(listed, straight(board, &pair, point), "{a} {b} {point}\n{board}");
                }
            }
        }
    });
}

/// Lines from a liberty of one of two chains of a colour straight on to the other, up to three.
fn straight(board: &Board, [a, b]: &[&ChainFacts; 2], point: Point) -> Option<usize> {
    let see = |chain: &ChainFacts| {
        let lines = |stone: Point| {
            let (across, up) = (stone.column().abs_diff(point.column()), stone.row().abs_diff(point.row()));
            let (far, near) = (across.max(up), across.min(up));
            let between = |other: &Point| {
                other.steps_to(stone) + other.steps_to(point) == far && *other != stone && *other != point
            };
            let is_free = board.size().points().filter(between).all(|other| board.color(other).is_none());
            (near == 0 && far <= 3 && is_free).then_some(far)
        };
        chain.stones.iter().filter_map(lines).min()
    };
    if a.color != b.color {
        return None;
    }
    let (one, other) = (see(a)?, see(b)?);
    (one.min(other) == 1).then_some(one.max(other))
}

/// Suicide takes the chain that was just made.
#[test]
fn chains_follow_suicide() {
    let text = "
        . X . .
        X X . .
        . . . .
        . . . .
    ";
    let mut board = text.parse::<Diagram>().unwrap().to_board().unwrap();
    let mut chains = Chains::from_board(&board);
    let corner = board.size().parse_point("A4").unwrap();
    board.play_observed(Color::White, Move::Play(corner), &mut chains);
    assert_eq!(board.color(corner), None, "suicide takes the stone off");
    assert_eq!(chains, Chains::from_board(&board));
}

fn analysed(text: &str) -> (Position, Analysis) {
    let diagram: Diagram = text.parse().unwrap();
    let position = diagram.to_position(Rules::CHINESE, Color::Black).unwrap();
    let analysis = Analysis::analyze(&position, &mut NoOracle);
    (position, analysis)
}

#[test]
fn a_group_with_two_eyes_is_alive_and_its_links_hold() {
    let (position, analysis) = analysed(
        "
        . . . . . . .
        . . . . . . .
        O O O O O . .
        X X X X O . .
        . X . X O . .
    ",
    );
    let point = |vertex: &str| position.size().parse_point(vertex).unwrap();
    let group = analysis.group_at(point("A2")).unwrap();
    assert_eq!((group.color, group.strength), (Color::Black, GroupStrength::Alive));
    let eyes: Vec<EyeKind> =
        analysis.spaces.iter().filter(|space| space.color == Color::Black).map(|space| space.kind).collect();
    assert_eq!(eyes, [EyeKind::Single, EyeKind::Single]);
    assert!(analysis.influence.influence_at(Color::Black, point("A1")) > 0.0);
    assert!(position.size().points().all(|p| analysis.influence.balance_at(p).abs() <= 1.0));
}

#[test]
fn a_knights_move_that_can_be_cut_is_no_group() {
    let (position, analysis) = analysed(
        "
        . . . . . . . . .
        . . . . . . . . .
        . . . . O . . . .
        . . . O X . . . .
        . . X . O . . . .
        . . . O . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    ",
    );
    let point = |vertex: &str| position.size().parse_point(vertex).unwrap();
    let link = analysis.links.iter().find(|link| link.stones.contains(&point("C5"))).unwrap();
    assert_ne!(link.strength, LinkStrength::Solid);
    assert_ne!(
        analysis.group_at(point("C5")).unwrap().name(),
        analysis.group_at(point("E6")).unwrap().name()
    );
}

/// The only connection of Black's that lies on these points, as its kind and strength.
fn link(text: &str, stones: [&str; 2]) -> (LinkKind, LinkStrength) {
    let (position, analysis) = analysed(text);
    let stones = stones.map(|vertex| position.size().parse_point(vertex).unwrap());
    let is_it = |link: &&ishi_knowledge::Link| stones.iter().all(|stone| link.stones.contains(stone));
    let found: Vec<_> = analysis.links.iter().filter(is_it).collect();
    assert_eq!(found.len(), 1, "{:?}", analysis.links);
    (found[0].kind, found[0].strength)
}

#[test]
fn connections_have_a_kind_and_a_strength() {
    let board = |rows: &str| format!(". . . . . . . . .\n{rows}{}", ". . . . . . . . .\n".repeat(3));
    let hane = board(
        ". . . . . . . . .\n. . . O . . . . .\n. . O X . . . . .\n. . X . . . . . .\n. . . . . . . . .\n",
    );
    assert_eq!(link(&hane, ["C5", "D6"]), (LinkKind::Hane, LinkStrength::FirstMove));
    let jump =
        ". . . . . . . . .\n. . . . . . . . .\n. . X . X . . . .\n. . . . . . . . .\n. . . . . . . . .\n";
    assert_eq!(link(&board(jump), ["C6", "E6"]), (LinkKind::OnePointJump, LinkStrength::Solid));
    let peeped =
        ". . . . . . . . .\n. . . O . . . . .\n. . X . X . . . .\n. . . . . . . . .\n. . . . . . . . .\n";
    let (kind, strength) = link(&board(peeped), ["C6", "E6"]);
    assert_eq!(kind, LinkKind::OnePointJump);
    assert!(strength < LinkStrength::Solid, "a stone near it leaves at least aji: {strength:?}");
    let half =
        ". . . . . . . . .\n. . . . . . . . .\n. . X O . . . . .\n. . . . X . . . .\n. . . . . . . . .\n";
    assert_eq!(link(&board(half), ["C6", "E5"]).0, LinkKind::HalfKnight);
    let bamboo =
        ". . . . . . . . .\n. . . X . X . O .\n. . . X . X . . .\n. . . . O . . . .\n. . . . . . . . .\n";
    let (_, analysis) = analysed(&board(bamboo));
    let joint = analysis.links.iter().find(|link| link.kind == LinkKind::Multiple).unwrap();
    assert_eq!((joint.strength, joint.shared[0].len()), (LinkStrength::Solid, 2));
    let under = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . O O O . . .
        . . O X O X O . .
        . . O . . . O . .
        ";
    assert_eq!(link(under, ["D2", "F2"]).0, LinkKind::FirstLine);
}

/// A lone stone has room along the edge and ways out, one that is shut in has neither.
#[test]
fn groups_have_potential_and_ways_out_by_what_lies_there() {
    let (position, analysis) = analysed(
        "
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . O O O . . . . . . . . .
        . O X O . . . . . . . . .
        O . X . O . . . . . . . .
        . O X O . . . . . X . . .
        O O X O O . . . . . . . .
        . O . O . . . . . . . . .
        . . . . . . . . . . . . .
        ",
    );
    let at = |vertex: &str| analysis.group_at(position.size().parse_point(vertex).unwrap()).unwrap();
    let lone = at("K4");
    assert_eq!(lone.strength, GroupStrength::Stable, "{lone:?}");
    assert!(lone.escapes.iter().any(|way| way.ahead == EscapeTarget::Open));
    let shut = at("C5");
    assert!(shut.strength < GroupStrength::Unsettled, "{shut:?}");
    assert!(shut.escapes.is_empty(), "{shut:?}");
    assert!(
        !shut.neighbours.is_empty()
            && shut.neighbours.iter().all(|&name| position.board().color(name) == Some(Color::White))
    );
    let low = analysed(&format!(
        "{}. . . . . . X . . . . . .\n{}",
        ". . . . . . . . . . . . .\n".repeat(10),
        ". . . . . . . . . . . . .\n".repeat(2)
    ));
    let ways = &low.1.groups[0].potential;
    assert_eq!(
        ways.iter().filter(|way| way.kind == PotentialKind::Edge).count(),
        2,
        "to either side: {ways:?}"
    );
}

/// More eyes than can be counted, and kinds of connections that do not depend on how the board lies.
#[test]
fn boards_full_of_eyes_and_boards_turned_round() {
    let row = |n: usize| {
        (0..19).map(|c| if (c + n).is_multiple_of(2) { "X " } else { ". " }).collect::<String>() + "\n"
    };
    let (_, eyes) = analysed(&(0..19).map(row).collect::<String>());
    assert!(eyes.groups.iter().any(|group| group.eyes.second == u8::MAX));
    let mut kinds: Vec<Vec<LinkKind>> = Vec::new();
    for turn in 0..8 {
        let mut board = Board::new(BoardSize::square(9).unwrap());
        for (color, vertex) in [
            (Color::Black, "C5"),
            (Color::Black, "C6"),
            (Color::Black, "D6"),
            (Color::Black, "E6"),
            (Color::Black, "E5"),
            (Color::Black, "D4"),
            (Color::White, "C4"),
        ] {
            let point = board.size().parse_point(vertex).unwrap();
            let (mut x, mut y) = (point.column(), point.row());
            if turn & 1 != 0 {
                (x, y) = (y, x)
            }
            if turn & 2 != 0 {
                x = 8 - x
            }
            if turn & 4 != 0 {
                y = 8 - y
            }
            board.play_unchecked(color, Move::Play(Point::new(x, y)));
        }
        let mut found: Vec<LinkKind> =
            Tactical::from_board(&board).links.iter().map(|link| link.kind).collect();
        found.sort();
        kinds.push(found);
    }
    assert!(kinds.iter().all(|other| *other == kinds[0]), "{kinds:?}");
}

/// Whoever moves first decides about a stone in atari: its group is critical, and known to be so by capture alone.
#[test]
fn a_group_all_of_whose_chains_are_in_danger_is_critical() {
    let (position, analysis) = analysed(
        "
        . . . . . . .
        . . . . . . .
        . . O . . . .
        . O X . . . .
        . . O . . . .
        . . . . . . .
        . . . . . . .
    ",
    );
    let [stone, out] = ["C4", "D4"].map(|vertex| position.size().parse_point(vertex).unwrap());
    let group = analysis.group_at(stone).unwrap();
    assert_eq!((group.strength, group.by_capture), (GroupStrength::Critical, true));
    let fate = group.fate.unwrap();
    assert_eq!((fate.kill, fate.save), (Some(out), Some(out)));
    let rules_say = |name: &str| {
        let found = rules::suggest_moves(&position, &analysis);
        found.iter().any(|found| found.reasons.iter().any(|reason| reason.rule.name == name))
    };
    assert!(rules_say("extend-from-atari") && !rules_say("live"), "the capture says it all");
}

/// Stones alone on the board have no eye of it all, and on the first line nobody gets out along it.
#[test]
fn a_lone_stone_is_no_living_group() {
    let empty = ". . . . . . . . . . . . .\n";
    let (_, low) = analysed(&format!("{}. . . . . . X . . . . . .\n", empty.repeat(12)));
    let group = &low.groups[0];
    assert_eq!(group.eyes.second, 0, "the whole board is no eye");
    assert!(group.potential.iter().all(|way| way.kind != PotentialKind::Edge), "{group:?}");
    assert_eq!(
        group.escapes.iter().filter(|way| way.ahead == EscapeTarget::Open).count(),
        1,
        "upwards: {group:?}"
    );
}

/// Influence does not pass a wall of connected stones, and only what is beyond territory is thickness.
#[test]
fn walls_stop_influence_and_are_thick() {
    let held = {
        let row = ". . . . O . . . .\n";
        let stone = ". . X . . . . . .\n";
        analysed(&format!("{stone}{stone}{stone}{row}{stone}{stone}{stone}{stone}{stone}")).1
    };
    let (position, open) = analysed(&". . . . . . . . .\n".repeat(9));
    let behind = position.size().parse_point("B6").unwrap();
    let through = held.influence.influence_at(Color::White, behind);
    assert_eq!(through, 0.0, "the gap of the wall is a connection");
    let empty = ". . . . . . . . .\n";
    let (_, alone) = analysed(&format!("{0}{0}{0}. . . . O . . . .\n{0}{0}{0}{0}{0}", empty));
    assert!(alone.influence.influence_at(Color::White, behind) > 0.0, "without a wall it gets there");
    assert!(held.influence.thickness_of(Color::Black) > 5.0, "{}", held.influence.thickness_of(Color::Black));
    assert_eq!(open.influence.thickness_of(Color::Black), 0.0);
}

/// Whatever stands on the board, suggestions are legal, each move comes once, and the best comes first.
#[test]
fn suggestions_are_legal_and_in_order() {
    for seed in 0..6 {
        let side = [9, 13, 19][seed as usize % 3];
        let mut boards = Vec::new();
        random_game(side, 100 + seed, side * side / 2, |board, _| boards.push(board.clone()));
        for board in boards.iter().skip(10).step_by(40) {
            let size = board.size();
            let stones = size.points().filter_map(|point| Some((board.color(point)?, point)));
            let position = Position::from_setup(size, Rules::CHINESE, stones, Color::White).unwrap();
            let suggestions = rules::suggest_moves(&position, &Analysis::analyze(&position, &mut NoOracle));
            assert!(suggestions.is_sorted_by(|a, b| a.value >= b.value));
            let mut moves: Vec<usize> = suggestions.iter().map(|found| found.mv.index()).collect();
            assert!(suggestions.iter().all(|found| position.is_legal(Color::White, found.mv.into())));
            moves.sort_unstable();
            moves.dedup();
            assert_eq!(moves.len(), suggestions.len());
        }
    }
}

/// 200 rules at least, in every family.
#[test]
fn there_are_rules_of_every_family() {
    assert!(rules::all_rules().count() >= 200, "{}", rules::all_rules().count());
    for family in ishi_knowledge::RuleFamily::ALL {
        let found = rules::all_rules().any(|rule| rule.family == family);
        assert!(found || family.name() == "race", "no rule is about {}", family.name());
    }
}

/// Moves that suggest themselves, as in games: fights rather than stones strewn about.
fn lively_game(side: usize, seed: u64, moves: usize, mut see: impl FnMut(&mut Position)) {
    let mut position = Position::new(BoardSize::square(side).unwrap(), Rules::CHINESE);
    let mut rng = Seed::new(seed).stream("lively", 0);
    for _ in 0..moves {
        let color = position.to_move();
        let near = |point: &Point| {
            position
                .moves()
                .iter()
                .rev()
                .take(4)
                .any(|(_, mv)| mv.point().is_some_and(|p| p.lines_to(*point) <= 2))
        };
        let sensible = |point: &Point| position.board().is_sensible(color, *point);
        let legal: Vec<Point> = position.legal_moves(color).into_iter().filter(sensible).collect();
        let close: Vec<Point> = legal.iter().copied().filter(near).collect();
        let among = if close.is_empty() || rng.next_below(4) == 0 { &legal } else { &close };
        let Some(&point) = rng.choose(among) else { break };
        position.play(color, Move::Play(point)).unwrap();
        see(&mut position);
    }
}

/// What is kept is what is found from scratch, after every move, and after moves are taken back.
#[test]
fn level_two_is_kept_exactly() {
    for (side, seed, moves) in [(9, 1, 70), (9, 2, 70), (13, 3, 90), (7, 4, 60)] {
        is_kept_exactly(Style::ishi(), side, seed, moves);
    }
    for (side, seed, moves) in [(9, 2, 70), (13, 3, 90)] {
        is_kept_exactly(Style::many_faces(), side, seed, moves);
    }
}

fn is_kept_exactly(style: Style, side: usize, seed: u64, moves: usize) {
    let mut keeper = Keeper::with_style(style);
    lively_game(side, seed, moves, |position| {
        let kept = keeper.tactical_for(position.board());
        let differences =
            check::compare_tactical(position.board(), &kept, &Tactical::in_style(style, position.board()));
        assert!(differences.is_empty(), "{differences:?}\n{position}");
        if position.moves().len().is_multiple_of(10) {
            let (color, mv) = position.undo().unwrap();
            assert_eq!(
                keeper.tactical_for(position.board()),
                Tactical::in_style(style, position.board()),
                "taken back"
            );
            position.play(color, mv).unwrap();
        }
    });
    let work = keeper.reading_counts();
    assert!(side < 13 || work.read * 2 < work.asked, "most is kept: {work:?}");
}

/// The connection of two stones by its points on straight lines.
fn straight_link(text: &str, stones: [&str; 2]) -> (LinkKind, [usize; 3]) {
    let position = text.parse::<Diagram>().unwrap().to_position(Rules::CHINESE, Color::Black).unwrap();
    let style: Style = "shared=straight-lines".parse().unwrap();
    let tactical = Tactical::in_style(style, position.board());
    let stones = stones.map(|vertex| position.size().parse_point(vertex).unwrap());
    let links: Vec<_> =
        tactical.links.iter().filter(|link| stones.iter().all(|stone| link.stones.contains(stone))).collect();
    assert_eq!(links.len(), 1, "{:?}", tactical.links);
    (links[0].kind, links[0].shared.map(|points| points.len()))
}

/// The nine types of the document, and its two special patterns, by the numbers of their points.
#[test]
fn connections_by_straight_lines_have_the_types_of_the_document() {
    let board = |rows: [&str; 4]| {
        let empty = ". . . . . . . . .\n";
        format!("{}{}\n{}", empty.repeat(2), rows.join("\n"), empty.repeat(3))
    };
    let none = ". . . . . . . . .";
    let row = |row| board([none, none, row, none]);
    use LinkKind as K;
    assert_eq!(straight_link(&row(". X . X . . . . ."), ["B5", "D5"]), (K::OnePointJump, [1, 0, 0]));
    assert_eq!(straight_link(&row(". X . . X . . . ."), ["B5", "E5"]), (K::TwoPointJump, [0, 2, 0]));
    assert_eq!(straight_link(&row(". X . . . X . . ."), ["B5", "F5"]), (K::ThreePointJump, [0, 0, 2]));
    let two = |above, below, stones| straight_link(&board([none, above, below, none]), stones);
    let knight = |between| two(". . . X . . . . .", between, ["B5", "D6"]);
    assert_eq!(knight(". X . . . . . . ."), (K::Knight, [0, 2, 0]));
    assert_eq!(knight(". X O . . . . . ."), (K::HalfKnight, [0, 1, 0]));
    let large = |between| two(". . . . X . . . .", between, ["B5", "E6"]);
    assert_eq!(large(". X . . . . . . ."), (K::LargeKnight, [0, 0, 2]));
    assert_eq!(large(". X . O . . . . ."), (K::HalfLargeKnight, [0, 0, 1]));
    let kosumi = |between| two(". . X . . . . . .", between, ["B5", "C6"]);
    assert_eq!(kosumi(". X O . . . . . ."), (K::Hane, [1, 0, 0]));
    assert_eq!(kosumi(". X . . . . . . ."), (K::Multiple, [2, 0, 0]));
    let hazama = board([". . . X . . . . .", none, ". X . . . . . . .", none]);
    assert_eq!(straight_link(&hazama, ["B5", "D7"]).0, K::Elephant);
    let below = format!(
        "{}. . . O . . . . .\n. . X O X . . . .\n. . . . . . . . .\n",
        ". . . . . . . . .\n".repeat(6)
    );
    assert_eq!(straight_link(&below, ["C2", "E2"]).0, K::FirstLine);
}

/// Both knight's ways are shut, so nothing is left of it: ishi's own way tells the shape only.
#[test]
fn what_stands_in_a_large_knights_move_counts() {
    let text = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . O . X . . . .
        . X . O . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    ";
    let board = text.parse::<Diagram>().unwrap().to_board().unwrap();
    let black = |style: &str| {
        let tactical = Tactical::in_style(style.parse().unwrap(), &board);
        let of_black = |link: &&ishi_knowledge::Link| board.color(link.stones[0]) == Some(Color::Black);
        tactical.links.iter().filter(of_black).map(|link| link.kind).collect::<Vec<_>>()
    };
    assert_eq!(black("ishi"), [LinkKind::LargeKnight]);
    assert_eq!(black("shared=straight-lines"), []);
}

fn analysed_by(style: &str, text: &str) -> (Position, Analysis) {
    let position = text.parse::<Diagram>().unwrap().to_position(Rules::CHINESE, Color::Black).unwrap();
    let analysis = Analysis::analyze_in_style(style.parse().unwrap(), &position, &mut NoOracle);
    (position, analysis)
}

/// A corner of White's that is open to the right, where Black stands: it grows there, or must be held there.
#[test]
fn borders_are_extended_and_protected() {
    let text = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        X X X X X . . . .
        O O O O . X . . .
        . . . O . X . . .
        . . . . . X . . .
        . . . . . X . . .
    ";
    let (position, seen) = analysed_by("ishi", text);
    let (_, five) = analysed_by("potential=five-types", text);
    let point = |vertex: &str| position.size().parse_point(vertex).unwrap();
    let borders = |analysis: &Analysis| {
        let group = analysis.group_at(point("D3")).unwrap();
        let border = |way: &&PotentialEye| way.kind == PotentialKind::Border;
        group.potential.iter().filter(border).map(|way| (way.mv, way.points)).collect::<Vec<_>>()
    };
    assert_eq!(borders(&seen), [], "no line is open");
    let found = borders(&five);
    let near_black = |mv: &Point| [point("E4"), point("E3"), point("D2")].contains(mv);
    assert!(!found.is_empty() && found.iter().all(|(mv, points)| near_black(mv) && *points > 0), "{found:?}");
    let group = five.group_at(point("D3")).unwrap();
    for way in &group.potential {
        assert_eq!(way.total, way.gain + group.eyes.second, "{way:?}");
    }
}

/// Ways out are told by what lies ahead, and of all of them the best in each direction counts.
#[test]
fn escapes_are_listed_by_what_lies_ahead() {
    let text = "
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . . . . . . . . . .
        . . . . X X X . . . . O .
        . . . . . . . . . . . O .
        . . . . . . . . . . . O .
        . X . . . . . . . . . . .
        . X . . . . . . . . . . .
        . X . . . . . . . . . . .
        . . . . . . . . . . . . .
    ";
    let (position, best) = analysed_by("ishi", text);
    let (_, lists) = analysed_by("escapes=lists", text);
    let stone = position.size().parse_point("E7").unwrap();
    let [best, lists] = [&best, &lists].map(|analysis| analysis.group_at(stone).unwrap());
    let mut directions: Vec<EscapeDirection> = lists.escapes.iter().map(|way| way.direction).collect();
    directions.dedup();
    assert!(lists.escapes.len() > best.escapes.len(), "{:?}", lists.escapes);
    let total = |group: &Group| group.ways_out().iter().sum::<f32>();
    assert_eq!((total(lists), lists.prospects()), (total(best), best.prospects()));
    let [_, to_enemies] = lists.escapes_by_side();
    assert!(to_enemies.iter().all(|way| way.direction == EscapeDirection::Right) && !to_enemies.is_empty());
}

/// A keeper may be asked of positions in any order.
#[test]
fn the_order_of_positions_does_not_matter() {
    let mut boards = Vec::new();
    lively_game(9, 11, 60, |position| boards.push(position.board().clone()));
    lively_game(7, 12, 40, |position| boards.push(position.board().clone()));
    let mut keeper = Keeper::new();
    let mut rng = Seed::new(5).stream("order", 0);
    for _ in 0..60 {
        let board = rng.choose(&boards).unwrap();
        assert_eq!(keeper.tactical_for(board), Tactical::from_board(board), "\n{board}");
    }
}

/// Stones put anywhere, several at once, are noticed where they matter: what a reading looked at is all that it depends on.
#[test]
fn stones_put_anywhere_are_noticed() {
    let mut boards = Vec::new();
    lively_game(13, 31, 110, |position| boards.push(position.board().clone()));
    let mut rng = Seed::new(6).stream("anywhere", 0);
    for board in boards.iter().skip(20).step_by(6) {
        let mut keeper = Keeper::new();
        keeper.tactical_for(board);
        for more in 1..=6 {
            let mut changed = board.clone();
            for _ in 0..more {
                let color = if rng.next_below(2) == 0 { Color::Black } else { Color::White };
                let free: Vec<Point> =
                    changed.empty_points().filter(|&p| changed.is_legal(color, p)).collect();
                changed
                    .play_unchecked(color, rng.choose(&free).map_or(Move::Pass, |&point| Move::Play(point)));
            }
            assert_eq!(keeper.tactical_for(&changed), Tactical::from_board(&changed), "\n{board}\n{changed}");
        }
    }
}

#[test]
fn a_look_ahead_leaves_no_trace() {
    for style in [Style::ishi(), Style::many_faces()] {
        leaves_no_trace(style);
    }
}

fn leaves_no_trace(style: Style) {
    let mut keeper = Keeper::with_style(style).with_checking();
    let mut looked = 0;
    lively_game(9, 21, 40, |position| {
        if !position.moves().len().is_multiple_of(8) {
            return;
        }
        let before = (position.hash(), position.moves().len());
        let best = |position: &Position, analysis: &Analysis| {
            let suggested = rules::suggest_moves(position, analysis);
            suggested.first().map(|suggestion| Move::Play(suggestion.mv))
        };
        let found = check::check_look_ahead(position, &mut keeper, &mut NoOracle, 3, best);
        assert!(found.is_empty(), "{found:?}");
        assert_eq!((position.hash(), position.moves().len()), before);
        looked += 1;
    });
    assert_eq!((keeper.take_differences(), looked), (vec![], 5));
}

/// The check would not be worth much if it found nothing.
#[test]
fn differences_are_found_and_told() {
    let (position, analysis) = analysed(
        "
        . . . . .
        . X O . .
        . O . . .
        . . . . .
        . . . . .
        ",
    );
    let mut other = analysis.clone();
    other.status.clear();
    other.black_lead += 1.0;
    let found = check::compare_analyses(&position, &analysis, &other);
    let parts: Vec<&str> = found.iter().map(|difference| difference.part).collect();
    assert_eq!(parts, ["status", "lead"]);
    assert!(found[0].to_string().starts_with("status of "), "{}", found[0]);
}

#[test]
fn every_level_is_told_and_drawn() {
    let (position, analysis) = analysed(
        "
        . . . . . . .
        . . X . O . .
        . X . . . O .
        . . X X O . .
        X X X O O O O
        O O O X . O .
        . O . X O O .
        ",
    );
    let suggestions = rules::suggest_moves(&position, &analysis);
    let shown = AnalysisView {
        position: &position,
        analysis: &analysis,
        suggestions: &suggestions,
        outlooks: &[],
        language: Language::English,
    };
    for level in AnalysisLevel::ALL {
        let text = shown.level_text(level);
        assert!(text.starts_with(&level.name().to_uppercase()) && text.lines().count() > 3, "{text}");
        let svg = shown.level_picture(level).to_svg();
        assert!(svg.contains(&format!("<title>{}</title>", level.name())), "{svg}");
        assert_eq!(svg.matches("r=\"11.3\"").count(), 23, "every stone is drawn");
        assert_eq!(level.name().parse::<AnalysisLevel>(), Ok(level));
    }
    assert!("Chains".parse::<AnalysisLevel>().unwrap_err().contains("chains, status, links"));
    let status = shown.level_text(AnalysisLevel::Status);
    assert!(status.contains("captured") || status.contains("in danger"), "{status}");
}
