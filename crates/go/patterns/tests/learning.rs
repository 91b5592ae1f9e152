//! Minorisation-maximisation on made-up contests, and learning from made-up games.

use ishi_go::{Board, BoardSize, Color, Move, Point};
use ishi_patterns::gradient::GradientParams;
use ishi_patterns::harvest::HarvestParams;
use ishi_patterns::learn::{LearnedPatterns, PatternLearnParams, PatternLearnStage, learn_patterns};
use ishi_patterns::mm::{StrengthFit, TeamContests};
use ishi_patterns::records::RecordedGame;
use ishi_patterns::{FeatureScratch, MoveContext, MovePredictor, evaluate, records, table};
use ishi_rng::checksum::append_checksum;
use ishi_rng::damage::try_damaged_copies;
use ishi_rng::{Rng, Seed};

/// Three groups of features: contests between random teams, won as often as their strengths say.
fn contests(gammas: &[f64], number: usize, rng: &mut Rng) -> TeamContests {
    let groups = [0..4, 4..7, 7..10];
    let mut contests = TeamContests::new(groups.to_vec());
    for _ in 0..number {
        let mut teams: Vec<Vec<u32>> = (0..2 + rng.next_index(4)).map(|_| team(&groups, rng)).collect();
        let strength = |team: &Vec<u32>| team.iter().map(|&id| gammas[id as usize]).product::<f64>();
        let mut left = rng.next_unit() * teams.iter().map(strength).sum::<f64>();
        let winner = teams.iter().position(|team| {
            left -= strength(team);
            left < 0.0
        });
        teams.swap(0, winner.unwrap_or(0));
        for team in &teams {
            contests.add_team(team);
        }
        contests.end_contest();
    }
    contests
}

/// At most one feature of each group.
fn team(groups: &[std::ops::Range<usize>], rng: &mut Rng) -> Vec<u32> {
    let one = |group: &std::ops::Range<usize>, rng: &mut Rng| {
        (!rng.chance(0.2)).then(|| (group.start + rng.next_index(group.len())) as u32)
    };
    groups.iter().filter_map(|group| one(group, rng)).collect()
}

const TRUE: [f64; 10] = [0.2, 1.0, 3.0, 8.0, 0.5, 1.5, 2.5, 0.1, 1.0, 6.0];

#[test]
fn every_step_increases_the_posterior() {
    let contests = contests(&TRUE, 500, &mut Seed::new(5).stream("mm", 0));
    for prior in [0.0, 1.0] {
        let mut fit = StrengthFit::new(&contests, prior);
        let mut before = fit.log_posterior();
        let first = before;
        for step in 0..60 {
            fit.update_group(step % fit.group_count(), 1);
            let now = fit.log_posterior();
            assert!(now >= before - 1e-3, "step {step}: {now} after {before}");
            before = now;
        }
        assert!(before > first + 50.0);
    }
}

#[test]
fn known_strengths_are_found_again() {
    let contests = contests(&TRUE, 40_000, &mut Seed::new(6).stream("mm", 0));
    let mut fit = StrengthFit::new(&contests, 1.0);
    for _ in 0..60 {
        for group in 0..fit.group_count() {
            fit.update_group(group, 2);
        }
    }
    for (id, (found, truth)) in fit.gammas().iter().zip(TRUE).enumerate() {
        let ratio = found / truth;
        assert!((0.9..1.1).contains(&ratio), "feature {id}: {found} for {truth}");
    }
}

#[test]
fn a_fit_does_not_depend_on_threads() {
    let contests = contests(&TRUE, 1000, &mut Seed::new(7).stream("mm", 0));
    let gammas = |threads| {
        let mut fit = StrengthFit::new(&contests, 1.0);
        for step in 0..12 {
            fit.update_group(step % 3, threads);
        }
        fit.gammas().to_vec()
    };
    assert_eq!(gammas(1), gammas(3));
}

/// A game of a player who mostly answers the last move with a stone two lines to its right, else plays anywhere.
fn game(number: u64) -> RecordedGame {
    let mut rng = Seed::new(8).stream("game", number);
    let size = BoardSize::square(9).unwrap();
    let (mut board, mut color, mut moves) = (Board::new(size), Color::Black, Vec::new());
    let mut last: Option<Point> = None;
    for _ in 0..50 {
        let beside = last.filter(|p| p.column() < 7).map(|p| Point::new(p.column() + 2, p.row()));
        let choices: Vec<Point> = size.points().filter(|&p| board.is_legal(color, p)).collect();
        let point = match beside.filter(|&p| board.is_legal(color, p)) {
            Some(point) => point,
            None => *rng.choose(&choices).unwrap(),
        };
        board.play_unchecked(color, Move::Play(point));
        moves.push(Move::Play(point));
        (color, last) = (!color, Some(point));
    }
    RecordedGame {
        id: number.to_string(),
        line: 1,
        size,
        komi: None,
        setup: Vec::new(),
        first: Color::Black,
        moves,
        winner: None,
        year: None,
    }
}

fn learned(threads: usize, passes: usize) -> LearnedPatterns {
    let games: Vec<RecordedGame> = (0..40).map(game).collect();
    let params = PatternLearnParams {
        harvest: HarvestParams { min_count: 2, every: 10, min_seen: 5 },
        fit_games: 20,
        iterations: 4,
        passes,
        gradient: GradientParams { lanes: 8, ..GradientParams::default() },
        ..PatternLearnParams::default()
    };
    let mut stages = Vec::new();
    let learned =
        learn_patterns(&games, &params, threads, &mut |stage| stages.push(stage), &|| false).unwrap();
    let fits: Vec<f64> = stages
        .iter()
        .filter_map(|stage| match stage {
            PatternLearnStage::Fitting { playouts: false, log_likelihood, .. } => Some(*log_likelihood),
            _ => None,
        })
        .collect();
    assert!(fits.is_sorted() && fits.len() == 4, "{fits:?}");
    learned
}

#[test]
fn habits_of_players_are_learned() {
    let fresh: Vec<RecordedGame> = (100..110).map(game).collect();
    let learned = learned(1, 1);
    assert!(learned.complete);
    let accuracy = evaluate::evaluate_model(&learned.model, &fresh, 1, &|| false);
    assert_eq!(accuracy.positions, 500);
    // Three moves of four follow the habit; a blind guess among some 60 moves is right once in sixty.
    assert!(accuracy.top_shares()[0] > 0.25, "{accuracy:?}");
    assert!(accuracy.log_likelihood() > -3.0, "{accuracy:?}");
}

#[test]
fn what_is_learned_does_not_depend_on_threads() {
    let (one, three) = (learned(1, 2), learned(3, 2));
    assert_eq!(
        table::pack_models(&one.model, &one.playouts),
        table::pack_models(&three.model, &three.playouts)
    );
}

#[test]
fn who_stops_learning_keeps_what_is_known() {
    let games: Vec<RecordedGame> = (0..10).map(game).collect();
    let params = PatternLearnParams { fit_games: 5, ..PatternLearnParams::default() };
    assert!(learn_patterns(&games, &params, 1, &mut |_| (), &|| true).is_none(), "nothing is known yet");
    let stop = std::cell::Cell::new(false);
    let mut progress = |stage| {
        if matches!(stage, PatternLearnStage::Fitting { playouts: false, iteration: 2, .. }) {
            stop.set(true);
        }
    };
    let learned = learn_patterns(&games, &params, 1, &mut progress, &|| stop.get()).unwrap();
    assert!(!learned.complete);
    assert!(learned.model.weights.iter().any(|&weight| weight != 0.0));
}

#[test]
fn a_packed_model_is_the_same_but_for_rounding() {
    let learned = learned(1, 1);
    let bytes = table::pack_models(&learned.model, &learned.playouts);
    let (model, playouts) = table::unpack_models(&bytes).unwrap();
    assert_eq!(model.keys.groups(), learned.model.keys.groups());
    for (found, truth) in model.weights.iter().zip(&learned.model.weights) {
        assert!((found - truth).abs() <= 0.0251, "{found} for {truth}");
    }
    for (found, truth) in playouts.weights.iter().zip(&learned.playouts.weights) {
        assert!((found - truth).abs() <= 0.00051, "{found} for {truth}");
    }
}

#[test]
fn damaged_files_are_refused() {
    let learned = learned(1, 0);
    let good = table::pack_models(&learned.model, &learned.playouts);
    assert!(MovePredictor::from_bytes(&good).is_ok());
    for cut in [0, 5, 16, 20, 100, good.len() / 2, good.len() - 9, good.len() - 1] {
        assert!(MovePredictor::from_bytes(&good[..cut]).is_err(), "cut to {cut}");
    }
    try_damaged_copies(&good, Seed::new(9), 400, |what, damaged| {
        assert!(MovePredictor::from_bytes(damaged).is_err(), "{what}");
    });
    let error = MovePredictor::from_bytes(&good[..good.len() - 1]).err().unwrap().to_string();
    let place = format!("byte {}: it is damaged or cut off: the checksum must be ", good.len() - 9);
    assert!(error.contains(&place), "{error}");
    let mut rng = Seed::new(9).stream("damage", 0);
    // Even with a checksum that fits, nothing panics.
    let body = good.len() - 8;
    for _ in 0..300 {
        let mut bad = good[..body].to_vec();
        for _ in 0..1 + rng.next_index(4) {
            bad[16 + rng.next_index(body - 16)] = rng.next_u64() as u8;
        }
        append_checksum(&mut bad);
        if let Ok(predictor) = MovePredictor::from_bytes(&bad) {
            let board = Board::new(BoardSize::square(9).unwrap());
            let context = MoveContext { board: &board, to_move: Color::Black, last: None, before: None };
            let mut rated = Vec::new();
            predictor.rate_moves(&context, &mut FeatureScratch::new(), &mut rated);
            assert!(rated.iter().all(|(_, gamma)| gamma.is_finite()));
        }
    }
    let error = MovePredictor::from_bytes(b"(;GM[1])").unwrap_err().to_string();
    assert!(error.contains("learn-patterns"), "{error}");
}

#[test]
fn records_say_where_they_are_wrong() {
    let head = "#id\tsource\tyear\tsize\tkomi\thandicap\tsetup_black\tresult\tblack_rank\twhite_rank\tfirst\tmoves\n";
    let line = |size: &str, setup: &str, first: &str, moves: &str| {
        format!("{head}a\tb\t2000\t{size}\t6.5\t0\t{setup}\tB+R\t?\t?\t{first}\t{moves}\n")
    };
    let game = &records::parse_records(&line("9", "cc", "W", "ddee..dc")).unwrap()[0];
    assert_eq!(game.setup, [Point::new(2, 6)]);
    assert_eq!(game.moves[0], Move::Play(Point::new(3, 5)));
    assert_eq!((game.first, game.moves[2]), (Color::White, Move::Pass));
    for (text, part) in [
        (line("9", "-", "B", "ddd"), "line 2, moves: 3 letters"),
        (line("9", "-", "B", "ddjj"), "line 2, moves: \"jj\", number 2"),
        (line("9", "-", "B", "dddd"), "line 2, moves: white D6, number 2, is not legal"),
        (line("9", "..", "B", "dd"), "line 2, setup_black"),
        (line("99", "-", "B", "dd"), "line 2, size"),
        (line("9", "-", "X", "dd"), "line 2, first"),
        (format!("{head}a\tb\n"), "line 2, columns: 2 columns: there must be 12"),
        (
            "(;GM[1]SZ[9];B[ee])\n".to_string(),
            "line 1, columns: this looks like SGF, which `ishi go records` makes",
        ),
    ] {
        let error = records::parse_records(&text).unwrap_err().to_string();
        assert!(error.starts_with(part), "{error}");
    }
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_reader_of_records_panic(
        fields in proptest::collection::vec("[a-k.#\\-0-9BWx ]{0,12}", 0..14),
        moves in "[a-j.]{0,20}",
    ) {
        let _ = records::parse_records(&fields.join("\t"));
        let _ = records::parse_records(&format!("i\ts\ty\t9\t?\t0\t-\t?\t?\t?\tB\t{moves}"));
    }
}
