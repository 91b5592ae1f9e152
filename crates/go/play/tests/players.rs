//! The built-in players: legal, deterministic, limited as asked, and in the right order of strength.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ishi_engine::{Choice, Clock, Control, Engine, EngineAction, SearchLimits, SearchReport};
use ishi_go::{BoardSize, Color, Diagram, Move, Point, Position, Rules};
use ishi_go_play::{catalog, judge};
use ishi_rng::Seed;

const PLAYERS: [&str; 4] =
    ["go-random", "go-capture", "go-flat:playouts=60", "go-flat:playouts=60,allocation=even"];

fn engine(spec: &str, seed: u64) -> Box<dyn Engine> {
    catalog::create_go_player(spec, Seed::new(seed)).unwrap()
}

fn choose(engine: &mut dyn Engine, position: &Position, color: Color) -> Choice {
    engine.choose(position, color, &mut Control::with_limits(SearchLimits::default(), &mut |_| ()))
}

fn start(side: usize, rules: Rules) -> Position {
    Position::new(BoardSize::square(side).unwrap(), rules)
}

/// Plays a game to two passes, a resignation or 400 moves; panics on an illegal move.
fn game(black: &str, white: &str, mut position: Position, seed: u64) -> (Position, Option<Color>) {
    let mut players = [engine(black, seed), engine(white, seed)];
    let mut color = Color::Black;
    while !position.is_over() && position.moves().len() < 400 {
        match choose(players[color.index()].as_mut(), &position, color).action {
            EngineAction::Move(mv) => {
                position.play(color, mv).unwrap();
            }
            EngineAction::Resign => return (position, Some(!color)),
        }
        color = !color;
    }
    let winner = position.final_score(&[]).unwrap().winner();
    (position, winner)
}

#[test]
fn every_move_is_legal_under_every_rule_set() {
    let sets = [Rules::CHINESE, Rules::JAPANESE, Rules::TROMP_TAYLOR, Rules::AGA, Rules::NEW_ZEALAND];
    for (number, rules) in sets.into_iter().enumerate() {
        for (shift, player) in PLAYERS.iter().enumerate() {
            let opponent = PLAYERS[(shift + 1) % PLAYERS.len()];
            let (end, _) = game(player, opponent, start(5 + number % 2, rules), number as u64);
            assert!(!end.moves().is_empty());
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_game() {
    for player in PLAYERS {
        let play = |seed| game(player, player, start(7, Rules::CHINESE), seed).0.moves().to_vec();
        assert_eq!(play(5), play(5), "{player}");
        assert_ne!(play(5), play(6), "{player}");
    }
}

/// A choice does not depend on what the engine was asked before.
#[test]
fn earlier_calls_leave_no_trace() {
    let position = start(9, Rules::CHINESE);
    for player in PLAYERS {
        let mut used = engine(player, 3);
        choose(used.as_mut(), &start(5, Rules::CHINESE), Color::White);
        let fresh = choose(engine(player, 3).as_mut(), &position, Color::Black);
        assert_eq!(choose(used.as_mut(), &position, Color::Black), fresh, "{player}");
    }
}

/// A move taken back leaves no trace either.
#[test]
fn undone_moves_leave_no_trace() {
    let mut position = start(9, Rules::CHINESE);
    for (number, vertex) in ["E5", "C3", "G7", "C7"].into_iter().enumerate() {
        let mv = point(&position, vertex);
        position.play(Color::ALL[number % 2], mv).unwrap();
    }
    let mut undone = position.clone();
    undone.play(Color::Black, point(&position, "A1")).unwrap();
    undone.undo();
    for player in PLAYERS {
        let choices =
            [&position, &undone].map(|position| choose(engine(player, 3).as_mut(), position, Color::Black));
        assert_eq!(choices[0], choices[1], "{player}");
    }
}

/// Wins of `strong` in games with both colours.
fn wins(strong: &str, weak: &str, side: usize, games: u64) -> u64 {
    let won = |number: u64| {
        let position = start(side, Rules::CHINESE);
        let (winner, own) = if number.is_multiple_of(2) {
            (game(strong, weak, position, number).1, Color::Black)
        } else {
            (game(weak, strong, position, number).1, Color::White)
        };
        winner == Some(own)
    };
    (0..games).filter(|&number| won(number)).count() as u64
}

#[test]
fn thinking_helps() {
    let capture = wins("go-capture", "go-random", 7, 40);
    assert!(capture >= 30, "go-capture won {capture} of 40 against go-random");
    let flat = wins("go-flat:playouts=300", "go-capture", 7, 20);
    assert!(flat >= 16, "go-flat won {flat} of 20 against go-capture");
}

fn diagram(text: &str) -> Position {
    text.parse::<Diagram>().unwrap().to_position(Rules::CHINESE, Color::Black).unwrap()
}

fn point(position: &Position, vertex: &str) -> Move {
    position.size().parse_move(vertex).unwrap()
}

#[test]
fn the_capture_player_takes_the_bigger_chain() {
    let position = diagram(
        "
        . . . . . . .
        . O X . . . .
        . X O X . . .
        . X O X . . .
        . X . X . . .
        . . . . X O .
        . . . . O . .
        ",
    );
    for seed in 0..5 {
        let choice = choose(engine("go-capture", seed).as_mut(), &position, Color::Black);
        assert_eq!(choice.action, EngineAction::Move(point(&position, "C3")));
    }
}

#[test]
fn flat_monte_carlo_sees_the_move_that_decides() {
    let position = diagram(
        "
        . . . . . . .
        X X X X X X .
        O O O O O O .
        X X X X X X .
        . . . . . . .
        O O O O O O O
        . . . . . . .
        ",
    );
    let choice = choose(engine("go-flat:playouts=3000", 1).as_mut(), &position, Color::Black);
    assert_eq!(choice.action, EngineAction::Move(point(&position, "G5")), "takes six and joins its own");
}

#[test]
fn hopeless_games_are_given_up_only_where_allowed() {
    let lost = diagram(
        "
        O O O O .
        O . O O O
        O O O O O
        O O . O O
        . O O O .
        ",
    );
    let mut player = engine("go-flat", 1);
    let mut nobody = |_: &SearchReport| ();
    let mut control = Control::with_limits(SearchLimits::default(), &mut nobody);
    control.limits.infinite = false;
    let open = diagram(
        "
        . . . . .
        . O O O .
        . O . O .
        . O O O .
        . . . . .
        ",
    );
    assert_eq!(player.choose(&open, Color::Black, &mut control).action, EngineAction::Resign);
    control.may_resign = false;
    assert_ne!(player.choose(&open, Color::Black, &mut control).action, EngineAction::Resign);
    assert_eq!(player.choose(&lost, Color::Black, &mut control).action, EngineAction::Move(Move::Pass));
}

#[test]
fn only_allowed_moves_are_chosen() {
    let position = start(9, Rules::CHINESE);
    let allowed = ["C3", "G7"].map(|vertex| point(&position, vertex));
    for player in PLAYERS {
        let mut nobody = |_: &SearchReport| ();
        let mut control = Control::with_limits(SearchLimits::default(), &mut nobody);
        control.allowed = Some(&allowed);
        let EngineAction::Move(mv) = engine(player, 1).choose(&position, Color::Black, &mut control).action
        else {
            panic!("{player} resigns an empty board");
        };
        assert!(allowed.contains(&mv), "{player} plays {mv}");
    }
}

/// A clock that advances by a millisecond whenever it is asked.
#[derive(Default)]
struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

#[test]
fn time_playouts_and_stop_flag_end_a_search() {
    let position = start(9, Rules::CHINESE);
    let mut player = engine("go-flat:playouts=100", 1);
    let clock = Ticking::default();
    let mut reports = 0;
    let mut observer = |_: &SearchReport| reports += 1;
    let mut control = Control::with_limits(SearchLimits::default(), &mut observer);
    control.clock = &clock;
    control.report_every = Duration::from_millis(5);
    assert_eq!(player.choose(&position, Color::Black, &mut control).report.playouts, 100);
    control.limits = SearchLimits { playouts: Some(333), ..SearchLimits::default() };
    assert_eq!(player.choose(&position, Color::Black, &mut control).report.playouts, 333);
    control.limits = SearchLimits { time: Some(Duration::from_millis(50)), ..SearchLimits::default() };
    let timed = player.choose(&position, Color::Black, &mut control).report.playouts;
    assert!((1000..5000).contains(&timed), "50 looks at the clock: {timed} playouts");
    control.limits = SearchLimits { infinite: true, ..SearchLimits::default() };
    let asked = AtomicU64::new(0);
    let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 20;
    control.stop = &stop;
    let stopped = player.choose(&position, Color::Black, &mut control).report.playouts;
    assert!(stopped < 5000, "stopped at the 20th question: {stopped} playouts");
    assert!(reports >= 4 + 50 / 5, "{reports} reports");
}

#[test]
fn reports_add_up() {
    let position = start(9, Rules::CHINESE);
    let report = choose(engine("go-flat:playouts=2000", 1).as_mut(), &position, Color::White).report;
    assert_eq!(report.moves.iter().map(|m| m.visits).sum::<u64>(), 2000);
    assert!(report.moves.windows(2).all(|pair| pair[0].visits >= pair[1].visits), "best first");
    assert!(report.moves.iter().all(|m| m.lower_bound <= m.win_rate && (0.0..=1.0).contains(&m.win_rate)));
    assert_eq!(report.ownership.len(), 81);
    assert!(report.ownership.iter().all(|&(_, value)| (-1.0..=1.0).contains(&value)));
    assert!(
        report.score > -15.0 && report.score < 25.0,
        "komi for White on an empty board: {}",
        report.score
    );
}

#[test]
fn the_judge_finds_dead_stones() {
    let position = diagram(
        "
        . O . X . . . X .
        O O O X X O . X X
        . O O X X X X X .
        O O O X X X X X X
        . O O O O O O O O
        O O . X . O O O O
        . O O . O . O . O
        ",
    );
    let dead = judge::find_dead_stones(&position, judge::DEFAULT_PLAYOUTS, Seed::new(1));
    let expected: Vec<Point> = ["D2", "F6"].map(|v| position.size().parse_point(v).unwrap()).to_vec();
    assert_eq!(dead, expected);
}

/// Knowledge without playouts, against chance.
#[test]
fn knowledge_beats_chance_clearly() {
    for (seed, colour) in [(1, Color::Black), (2, Color::White)] {
        let spec = "go-knowledge";
        let names = if colour == Color::Black { [spec, "go-random"] } else { ["go-random", spec] };
        let (end, _) = game(names[0], names[1], start(9, Rules::CHINESE), seed);
        let dead = judge::find_dead_stones(&end, judge::DEFAULT_PLAYOUTS, Seed::new(1));
        let score = end.final_score(&dead).unwrap();
        assert_eq!(score.winner(), Some(colour), "{score}\n{}", end.board());
        let tally = end.tally_points(&dead).unwrap();
        let lead = tally.points(colour) as i32 - tally.points(!colour) as i32;
        assert!(lead >= 20, "{lead} points\n{}", end.board());
    }
}
