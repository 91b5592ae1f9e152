//! Measures how strong levels are with errors of all sizes, and makes the table of ratings from it.
//!
//! ```text
//! cargo run --release -p ishi-othello-play --example rating_ladder -- table GAMES [TOP_LEVEL] > table.rs
//! cargo run --release -p ishi-othello-play --example rating_ladder -- check GAMES
//! cargo run --release -p ishi-othello-play --example rating_ladder -- errs GAMES
//! ```
//!
//! `table` plays matches of players beside each other, fits the strength of each level as a smooth function of its error, and prints
//! `src/rating/table.rs`. What was measured goes to stderr. `check` plays each rating of the table against the next, 60 points above, with
//! other openings, and prints scores with intervals. `errs` finds the rating of players that err like people (`othello:level=10,errs=N`).
//!
//! GAMES is for a match of the lowest levels. Higher ones play fewer ([`games_of_level`]), as their games take longer. Each two games have one
//! opening: eight random moves after which a search sees no more than four discs for either side. All follows from the seeds here.

#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)] // It says what it has found.

use ishi_engine::{Control, Engine, EngineAction, Othello, SearchLimits, SearchReport, StoppedClock};
use ishi_othello::{Move, Position, iter_squares};
use ishi_othello_play::catalog::create_othello_player;
use ishi_othello_play::levels::{Level, LevelLimits, LevelPlayer};
use ishi_othello_play::rating::{RatedStrength, Rating};
use ishi_othello_play::search::{FoundMove, SearchParams, SearchTask, Searcher};
use ishi_rng::Seed;
use ishi_stats::elo::elo_difference;

/// Errors in discs with which each level is tried, from weak to strong. The last is where the next level takes over.
const TRIED: [(u8, &[f64]); 10] = [
    (3, &[40.0, 24.0, 14.0, 9.0]),
    (4, &[9.5, 7.5, 5.8]),
    (5, &[8.0, 5.8, 4.2]),
    (6, &[5.2, 3.7, 2.6]),
    (7, &[5.0, 3.3, 2.2]),
    (8, &[4.0, 2.4, 1.4]),
    (9, &[3.2, 1.9, 0.8]),
    (10, &[2.8, 1.6, 0.0]),
    (11, &[2.2, 1.2, 0.0]),
    (12, &[2.0, 1.1, 0.0]),
];

/// The player that has [`Rating::OF_LEVEL_1`]: level 3 looks as far as level 1.
const BASE: (usize, f64) = (0, 24.0);

/// Errors are compared as ln(error² + 1): where they are large a share counts, and near 0 hardly anything.
fn error_scale(error: f64) -> f64 {
    (error * error + 1.0).ln()
}

/// A level's games take a half to three times longer than those of the level below.
fn games_of_level(games: u64, level: u8) -> u64 {
    let share = [1, 2, 3, 5, 8, 12, 20][usize::from(level.saturating_sub(6).min(6))];
    (games / share).max(20)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| arguments.get(place).map(|text| text.parse::<u64>().expect("a number"));
    let games = || number(1).expect("the number of games");
    match arguments.first().map(String::as_str) {
        Some("table") => print_table(games(), number(2).unwrap_or(12)),
        Some("check") => print_steps(games()),
        Some("errs") => print_errs(games()),
        _ => panic!("see the head of this example for what is needed"),
    }
}

/// A player of a game: its move in this position.
type Mover = Box<dyn FnMut(&Position) -> Move>;

fn erring_player(strength: RatedStrength, seed: Seed) -> Mover {
    let searcher = Searcher::new(SearchParams { hash_bits: 14, threads: 1 });
    let mut player = LevelPlayer::new(strength.level, seed, searcher).with_error(strength.error);
    Box::new(move |game: &Position| {
        player.searcher().clear_table();
        let limits = LevelLimits { time: None, clock: &StoppedClock, stop: &|| false };
        player.choose_move(game.board(), limits).mv
    })
}

fn catalog_player(spec: &str, seed: Seed) -> Mover {
    let mut engine = create_othello_player(spec, seed).expect("a player of the catalog");
    Box::new(move |game: &Position| engine_move(engine.as_mut(), game))
}

fn engine_move(engine: &mut dyn Engine<Othello>, game: &Position) -> Move {
    let mut silent = |_: &SearchReport<Othello>| {};
    let mut control =
        Control { may_resign: false, ..Control::with_limits(SearchLimits::default(), &mut silent) };
    match engine.choose(game, game.to_move(), &mut control).action {
        EngineAction::Move(mv) => mv,
        _ => panic!("it never resigns"),
    }
}

/// Eight random moves after which neither side is far ahead.
fn draw_opening(seed: Seed) -> Position {
    let mut searcher = Searcher::new(SearchParams { hash_bits: 14, threads: 1 });
    let effort = Level::new(8).expect("a level").effort_in_discs(52);
    for attempt in 0.. {
        let (mut rng, mut game) = (seed.stream("attempt", attempt), Position::start());
        for _ in 0..8 {
            let moves: Vec<_> = iter_squares(game.board().legal_moves()).collect();
            let Some(&square) = rng.choose(&moves) else { break };
            game.play(Move::Play(square)).expect("a legal move");
        }
        let mut nobody = |_: &FoundMove| {};
        let found = searcher.search_board(game.board(), &mut SearchTask::new(effort, &mut nobody));
        if game.moves().len() == 8 && found.score.abs() <= 4 {
            return game;
        }
    }
    unreachable!("some opening is even")
}

/// A match of pairs of games, as the score of the first player.
#[derive(Clone, Copy)]
struct MatchScore {
    /// From 0 to 1.
    mean: f64,
    /// Standard error, from pairs.
    error: f64,
    games: u64,
}

impl MatchScore {
    fn from_pairs(pairs: &[f64]) -> MatchScore {
        let count = pairs.len() as f64;
        let mean = pairs.iter().sum::<f64>() / count;
        let variance = pairs.iter().map(|pair| (pair - mean).powi(2)).sum::<f64>() / (count - 1.0);
        // Never as if it were known without doubt.
        let error = (variance / count).sqrt().max(0.5 / count);
        MatchScore { mean, error, games: 2 * pairs.len() as u64 }
    }

    /// Points of Elo, of a score that is kept off 0 and 1, with their standard error.
    fn elo(&self) -> (f64, f64) {
        let margin = 0.5 / self.games as f64;
        let mean = self.mean.clamp(margin, 1.0 - margin);
        let slope = 400.0 / std::f64::consts::LN_10 / (mean * (1.0 - mean));
        (elo_difference(mean).expect("a score"), slope * self.error)
    }
}

type MakePlayer<'a> = &'a dyn Fn(Seed) -> Mover;

fn play_match(first: MakePlayer<'_>, second: MakePlayer<'_>, games: u64, seed: Seed) -> MatchScore {
    let pairs: Vec<f64> =
        (0..games.div_ceil(2).max(2)).map(|pair| play_pair(first, second, seed, pair)).collect();
    MatchScore::from_pairs(&pairs)
}

/// Two games from one opening, each player with either colour: the mean score of the first player.
fn play_pair(first: MakePlayer<'_>, second: MakePlayer<'_>, seed: Seed, pair: u64) -> f64 {
    let opening = draw_opening(seed.child_seed("opening", pair));
    let own = seed.child_seed("players", pair);
    let score = |as_black: bool| {
        let players = [first(own.child_seed("first", 0)), second(own.child_seed("second", 0))];
        let discs = play_game(opening.clone(), players, as_black);
        f64::from(discs.signum() + 1) / 2.0
    };
    (score(true) + score(false)) / 2.0
}

/// Discs by which the first player wins.
fn play_game(mut game: Position, mut players: [Mover; 2], first_is_black: bool) -> i32 {
    while !game.is_over() {
        if game.pass_if_forced() {
            continue;
        }
        let is_first = (game.to_move() == ishi_othello::Color::Black) == first_is_black;
        let mv = players[usize::from(!is_first)](&game);
        game.play(mv).expect("a legal move");
    }
    if first_is_black { game.score() } else { -game.score() }
}

/// A player of the trials: its place in [`TRIED`], and its error.
#[derive(Clone, Copy)]
struct Tried {
    place: usize,
    error: f64,
}

impl Tried {
    fn strength(self) -> RatedStrength {
        RatedStrength { level: Level::new(TRIED[self.place].0).expect("a level"), error: self.error }
    }
}

struct PlayedMatch {
    players: [Tried; 2],
    score: MatchScore,
}

/// Neighbours of a level, those two apart, and each against the end of the level below.
fn list_matches(levels: usize) -> Vec<[Tried; 2]> {
    let mut matches = Vec::new();
    for (place, &(_, errors)) in TRIED.iter().enumerate().take(levels) {
        let at = |error: f64| Tried { place, error };
        for apart in [1, 2] {
            matches.extend(errors.windows(apart + 1).map(|run| [at(run[apart]), at(run[0])]));
        }
        if let Some(below) = place.checked_sub(1) {
            let end = *TRIED[below].1.last().expect("errors");
            matches.extend(errors.iter().map(|&error| [at(error), Tried { place: below, error: end }]));
        }
    }
    matches
}

/// Coefficients of a level: strength is a parabola over [`error_scale`].
const COEFFICIENTS: usize = 3;

fn powers(error: f64) -> [f64; COEFFICIENTS] {
    let scale = error_scale(error);
    [1.0, scale, scale * scale]
}

/// The strengths of all levels by weighted least squares, so that [`BASE`] has its rating.
struct FittedStrengths(Vec<f64>);

impl FittedStrengths {
    fn from_matches(played: &[PlayedMatch], levels: usize) -> FittedStrengths {
        let size = levels * COEFFICIENTS;
        let mut system = vec![vec![0.0; size + 1]; size];
        let mut add = |row: &[(usize, f64)], value: f64, weight: f64| {
            for &(i, x) in row {
                row.iter().for_each(|&(j, y)| system[i][j] += weight * x * y);
                system[i][size] += weight * x * value;
            }
        };
        let terms = |tried: Tried, sign: f64| {
            let first = tried.place * COEFFICIENTS;
            powers(tried.error).into_iter().enumerate().map(move |(i, power)| (first + i, sign * power))
        };
        for PlayedMatch { players: [a, b], score } in played {
            let (elo, error) = score.elo();
            let row: Vec<(usize, f64)> = terms(*a, 1.0).chain(terms(*b, -1.0)).collect();
            add(&row, elo, error.powi(-2));
        }
        let base: Vec<(usize, f64)> = terms(Tried { place: BASE.0, error: BASE.1 }, 1.0).collect();
        add(&base, f64::from(Rating::OF_LEVEL_1.points()), 1.0);
        FittedStrengths(solve_system(system))
    }

    fn rating(&self, tried: Tried) -> f64 {
        let own = &self.0[tried.place * COEFFICIENTS..][..COEFFICIENTS];
        own.iter().zip(powers(tried.error)).map(|(coefficient, power)| coefficient * power).sum()
    }

    /// The error with which this level has that rating, by halving; no larger than half more than was tried.
    fn error_at(&self, place: usize, rating: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.5 * TRIED[place].1[0]);
        for _ in 0..50 {
            let middle = (low + high) / 2.0;
            let is_stronger = self.rating(Tried { place, error: middle }) > rating;
            *(if is_stronger { &mut low } else { &mut high }) = middle;
        }
        low
    }
}

/// Gauss's elimination; each row has its right side at the end.
fn solve_system(mut system: Vec<Vec<f64>>) -> Vec<f64> {
    let size = system.len();
    for column in 0..size {
        let pivot =
            (column..size).max_by(|&a, &b| system[a][column].abs().total_cmp(&system[b][column].abs()));
        system.swap(column, pivot.expect("rows"));
        let own = system[column].clone();
        for (row, other) in system.iter_mut().enumerate().filter(|(row, _)| *row != column) {
            let factor = other[column] / own[column];
            assert!(factor.is_finite(), "row {row}: matches do not join all levels");
            other.iter_mut().zip(&own).for_each(|(value, known)| *value -= factor * known);
        }
    }
    system.iter().enumerate().map(|(i, row)| row[size] / row[i]).collect()
}

fn print_table(games: u64, top_level: u64) {
    let levels = TRIED.iter().take_while(|(level, _)| u64::from(*level) <= top_level).count();
    let mut played = Vec::new();
    for players in list_matches(levels) {
        let score = play_tried(players, games);
        let [a, b] = players;
        let (elo, error) = score.elo();
        eprintln!(
            "level {} error {:5.2} against level {} error {:5.2}: {:.3} of {}, {elo:+.0} ± {:.0}",
            TRIED[a.place].0,
            a.error,
            TRIED[b.place].0,
            b.error,
            score.mean,
            score.games,
            1.96 * error
        );
        played.push(PlayedMatch { players, score });
    }
    let fitted = FittedStrengths::from_matches(&played, levels);
    for PlayedMatch { players: [a, b], score } in &played {
        let (elo, error) = score.elo();
        let off = (elo - (fitted.rating(*a) - fitted.rating(*b))) / error;
        if off.abs() > 2.5 {
            eprintln!(
                "the fit is off by {off:+.1} standard errors: {} against {}",
                TRIED[a.place].0, TRIED[b.place].0
            );
        }
    }
    print_rungs(&fitted, levels);
}

fn play_tried(players: [Tried; 2], games: u64) -> MatchScore {
    let make = |tried: Tried| move |seed: Seed| erring_player(tried.strength(), seed);
    let [a, b] = players;
    let games = games_of_level(games, TRIED[a.place].0);
    let seed =
        Seed::new(35).child_seed("table", u64::from(TRIED[a.place].0) * 1000 + (a.error * 10.0) as u64);
    play_match(&make(a), &make(b), games, seed.child_seed("second", (b.error * 10.0) as u64))
}

/// The module `table`.
fn print_rungs(fitted: &FittedStrengths, levels: usize) {
    let end = |place: usize| fitted.rating(Tried { place, error: TRIED[place].1[TRIED[place].1.len() - 1] });
    let step = f64::from(Rating::STEP);
    let lowest = fitted.rating(Tried { place: 0, error: TRIED[0].1[0] });
    let mut rating = (lowest / step).ceil() * step;
    let mut lines = Vec::new();
    for (place, (level, _)) in TRIED.iter().enumerate().take(levels) {
        eprintln!("level {level}: {:.0} at the end", end(place));
        let mut line = |rating: f64| {
            lines.push(format!("    rung({rating}, {level}, {:.2}),", fitted.error_at(place, rating)));
        };
        // A level that has not a whole step of its own is left out.
        if rating + step <= end(place) {
            line(rating);
            while rating + step <= end(place) {
                rating += step;
                line(rating);
            }
        }
    }
    println!(
        "//! The table of ratings, as the example `rating_ladder` writes it. A rating that stands twice is where the next level takes over.\n\n\
         use super::{{LadderRung, rung}};\n\n/// The weakest first.\npub(super) const RUNGS: [LadderRung; {}] = [\n{}\n];",
        lines.len(),
        lines.join("\n")
    );
}

fn print_steps(games: u64) {
    println!(
        "| rating | level | error | score against 60 points below | points of Elo |\n| --- | --- | --- | --- | --- |"
    );
    let ratings: Vec<Rating> = Rating::steps().collect();
    for pair in ratings.windows(2) {
        let make = |rating: Rating| move |seed: Seed| erring_player(rating.strength(), seed);
        let RatedStrength { level, error } = pair[1].strength();
        let games = games_of_level(games, level.number());
        let seed = Seed::new(36).child_seed("check", u64::from(pair[1].points()));
        let score = play_match(&make(pair[1]), &make(pair[0]), games, seed);
        let (elo, doubt) = score.elo();
        let (low, high) = (elo - 1.96 * doubt, elo + 1.96 * doubt);
        println!(
            "| {} | {level} | {error:.2} | {:.3} in {} games | {elo:.0} ({low:.0} to {high:.0}) |",
            pair[1], score.mean, score.games
        );
    }
}

/// Ratings that a player like a person meets while its own is looked for.
const MEETINGS: usize = 4;

fn print_errs(games: u64) {
    println!("| discs lost a move | rating |\n| --- | --- |");
    for errs in [60, 40, 30, 24, 18, 14, 10] {
        let person = format!("othello:level=10,errs={errs},book=no");
        // Halves first, with a few games, then what is left of the way with all of them.
        let (mut low, mut high) = (Rating::LOWEST.points(), Rating::HIGHEST.points());
        let mut known = (f64::NAN, f64::NAN);
        for meeting in 0..MEETINGS {
            let rating = Rating::new((low + high) / 2).expect("between ratings");
            let games = if meeting + 1 == MEETINGS { games } else { games / 4 };
            let make = |seed: Seed| erring_player(rating.strength(), seed);
            let seed = Seed::new(37).child_seed("errs", errs).child_seed("meeting", meeting as u64);
            let (elo, doubt) = play_match(&|seed| catalog_player(&person, seed), &make, games, seed).elo();
            known = (f64::from(rating.points()) + elo, 1.96 * doubt);
            let within = |points: f64| {
                (points.max(0.0) as u16).clamp(Rating::LOWEST.points(), Rating::HIGHEST.points())
            };
            (low, high) = (within(known.0 - 1.0), within(known.0 + 1.0));
        }
        println!("| {:.1} | {:.0} ± {:.0} |", errs as f64 / 10.0, known.0, known.1);
    }
}
