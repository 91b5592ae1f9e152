//! What the network sees of a position, from the side to move: [`PLANES`] bits for each point and [`NUMBERS`] numbers.
//!
//! | plane | points |
//! | --- | --- |
//! | 0 | all points of the board |
//! | 1, 2 | own stones, the opponent's |
//! | 3, 4, 5 | stones of chains with one, two, three liberties |
//! | 6 | where ko or superko forbids a move |
//! | 7 to 11 | the last move, the one before, and so on, five of them |
//! | 12 | own chains with one or two liberties that are lost in a ladder: with two if the opponent moves, with one even if we move |
//! | 13 | the opponent's chains with one or two liberties that we can take, at once or by a ladder |
//! | 14 | moves that catch such a chain of two liberties |
//! | 15, 16 | pass-alive stones with their vital regions: own, the opponent's |
//! | 17 to 24 | moves whose probability by [`ishi_patterns::MovePredictor`] is at least [`LIKELY`] |
//!
//! Numbers: 0 komi as the side to move has it (White's is positive) / 20; 1 territory counts, not area; 2 suicide is allowed;
//! 3 superko, not only simple ko (1 to 3 are those of Chinese rules, whatever the game is played by); 4, 5 the last move, the one before was a pass; 6 points / 361; 7 [`komi_wave`].

use std::fmt;

use ishi_go::{Board, BoardSize, BrokenRule, Cell, Color, KoRule, Move, Point, Position, Rules, Scoring};
use ishi_patterns::{FeatureScratch, MoveContext, MovePredictor};
use ishi_reading::Ladder;

use crate::pass_alive::PassAlive;

/// Planes.
pub const PLANES: usize = 25;
/// Numbers beside the planes.
pub const NUMBERS: usize = 8;
/// The largest board's side, and the points from row to row in a plane.
pub const SIDE: usize = 19;
/// Points of a plane.
pub const POINTS: usize = SIDE * SIDE;
/// Bytes of a plane.
pub const PLANE_BYTES: usize = POINTS.div_ceil(8);
/// Last moves that are seen.
pub const RECENT: usize = 5;

const OWN: usize = 1;
const OPPONENT: usize = 2;
const LIBERTIES: usize = 3;
const FORBIDDEN: usize = 6;
const MOVES: usize = 7;
const LOST: usize = 12;
const CAUGHT: usize = 13;
const CATCHES: usize = 14;
const ALIVE: usize = 15;
const STRONG: usize = 17;

/// Probabilities by the strengths of shapes and tactics, each with a plane of the moves that have at least as much.
pub const LIKELY: [f32; PLANES - STRONG] = [0.4, 0.2, 0.1, 0.05, 0.025, 0.01, 0.004, 0.0015];

/// A position as its viewer gives it; a search has no [`Position`].
#[derive(Clone, Copy, Debug)]
pub struct PositionView<'a> {
    /// The stones, and the ban of a simple ko for the readings of ladders.
    pub board: &'a Board,
    /// Whose turn it is.
    pub to_move: Color,
    /// The last moves, the last one first; `None` where the game had not begun.
    pub recent: [Option<Move>; RECENT],
    /// Points that only ko or superko forbids to the side to move.
    pub forbidden: &'a [Point],
    /// Points that White receives, the compensation for handicap stones included.
    pub komi: f32,
    /// The rules.
    pub rules: &'a Rules,
}

impl<'a> PositionView<'a> {
    /// A game's position, its side to move moving; `forbidden` are its [`forbidden_points`].
    pub fn from_position(position: &'a Position, forbidden: &'a [Point]) -> PositionView<'a> {
        let mut recent = [None; RECENT];
        for (recent, &(_, mv)) in recent.iter_mut().zip(position.moves().iter().rev()) {
            *recent = Some(mv);
        }
        let (board, rules, to_move) = (position.board(), position.rules(), position.to_move());
        let compensation =
            rules.compensation.points_for(position.handicap()) + stones_beyond_territory(position);
        let komi = position.komi() as f32 + compensation as f32;
        PositionView { board, to_move, recent, forbidden, komi, rules }
    }

    /// May the side to move play here?
    pub fn is_legal(&self, point: Point) -> bool {
        self.board.cell(point) == Cell::Empty
            && !self.forbidden.contains(&point)
            && (self.rules.suicide || !self.board.is_suicide(self.to_move, point))
    }
}

/// Area counts handicap stones, and territory does not. The network counts area: it hears of them as of points that White receives. One of them is the
/// stone that Black is ahead by in an even game, too.
fn stones_beyond_territory(position: &Position) -> usize {
    match position.rules().scoring {
        Scoring::Area => 0,
        Scoring::Territory => position.handicap().saturating_sub(1),
    }
}

/// The points that only ko or superko forbids to the side to move.
pub fn forbidden_points(position: &Position) -> Vec<Point> {
    let (board, to_move) = (position.board(), position.to_move());
    // Without a capture no position can come back.
    let captures =
        Color::ALL.into_iter().any(|color| position.prisoners(color) > 0) || position.rules().suicide;
    let superko = position.rules().ko != KoRule::Simple && captures;
    let forbidden = |&point: &Point| {
        let broken = || position.check_move(to_move, Move::Play(point)).err().map(|error| error.rule);
        let asked = superko || board.ko_point() == Some(point);
        asked && matches!(broken(), Some(BrokenRule::Ko | BrokenRule::Superko { .. }))
    };
    board.empty_points().filter(forbidden).collect()
}

/// What the network sees. The index of a point is [`point_index`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Planes {
    /// Columns of the board.
    pub width: u8,
    /// Rows of the board.
    pub height: u8,
    /// A bit for each point of each plane, the lowest bit of a byte first.
    pub bits: [[u8; PLANE_BYTES]; PLANES],
    /// The numbers.
    pub numbers: [f32; NUMBERS],
}

impl Default for Planes {
    /// No board at all.
    fn default() -> Planes {
        Planes { width: 0, height: 0, bits: [[0; PLANE_BYTES]; PLANES], numbers: [0.0; NUMBERS] }
    }
}

/// The number of a point in planes, policies and owners: row by row from A1, [`SIDE`] to a row.
#[inline]
pub fn point_index(point: Point) -> usize {
    point.row() * SIDE + point.column()
}

/// The point of a [`point_index`].
///
/// # Panics
/// If `index` is 475 or more.
#[inline]
pub fn point_from_index(index: usize) -> Point {
    Point::new(index % SIDE, index / SIDE)
}

impl Planes {
    /// Is the bit set?
    ///
    /// # Panics
    /// If there is no such plane or point.
    #[inline]
    pub fn get(&self, plane: usize, index: usize) -> bool {
        self.bits[plane][index / 8] >> (index % 8) & 1 == 1
    }

    fn set_point(&mut self, plane: usize, point: Point) {
        let index = point_index(point);
        self.bits[plane][index / 8] |= 1 << (index % 8);
    }
}

/// Does the network see boards of this size? They have at most [`SIDE`] lines each way.
pub fn size_fits(size: BoardSize) -> bool {
    size.width() <= SIDE && size.height() <= SIDE
}

/// The board has more than 19 lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardTooLarge(BoardSize);

impl fmt::Display for BoardTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a {} board is too large for the network: it must have at most {SIDE} lines each way",
            self.0
        )
    }
}

impl std::error::Error for BoardTooLarge {}

/// Makes [`Planes`]. Keeps the boards of its readings from call to call.
///
/// ```
/// use ishi_go::{BoardSize, Color, Position, Rules};
/// use ishi_judge::planes::{self, PlaneEncoder};
/// let size = BoardSize::square(9).unwrap();
/// let mut game = Position::new(size, Rules::CHINESE);
/// let e5 = size.parse_point("E5").unwrap();
/// game.play(Color::Black, e5.into()).unwrap();
/// let seen = PlaneEncoder::default().encode_position(&game).unwrap();
/// assert!(seen.get(2, planes::point_index(e5)), "a stone of White's opponent");
/// assert!(seen.get(7, planes::point_index(e5)), "the last move");
/// assert_eq!(seen.numbers[0], 7.5 / 20.0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct PlaneEncoder {
    ladder: Ladder,
    pass_alive: PassAlive,
    scratch: FeatureScratch,
    strengths: Vec<(Point, f32)>,
}

impl PlaneEncoder {
    /// What the network sees of a game's position, its side to move moving.
    ///
    /// # Errors
    /// If the board has more than [`SIDE`] lines.
    pub fn encode_position(&mut self, position: &Position) -> Result<Planes, BoardTooLarge> {
        let forbidden = forbidden_points(position);
        let mut planes = Planes::default();
        self.encode(&PositionView::from_position(position, &forbidden), &mut planes)?;
        Ok(planes)
    }

    /// What the network sees of a position, into `planes`.
    ///
    /// # Errors
    /// If the board has more than [`SIDE`] lines; `planes` is as it was then.
    pub fn encode(&mut self, view: &PositionView, planes: &mut Planes) -> Result<(), BoardTooLarge> {
        let size = view.board.size();
        if !size_fits(size) {
            return Err(BoardTooLarge(size));
        }
        *planes = Planes { width: size.width() as u8, height: size.height() as u8, ..Planes::default() };
        planes.numbers = encode_numbers(view);
        for point in size.points() {
            planes.set_point(0, point);
        }
        view.forbidden.iter().for_each(|&point| planes.set_point(FORBIDDEN, point));
        for (age, mv) in view.recent.into_iter().enumerate() {
            if let Some(Move::Play(point)) = mv {
                planes.set_point(MOVES + age, point);
            }
        }
        self.encode_chains(view, planes);
        self.encode_strengths(view, planes);
        for (plane, color) in [(ALIVE, view.to_move), (ALIVE + 1, !view.to_move)] {
            self.pass_alive
                .find_points(view.board, color)
                .iter()
                .for_each(|&point| planes.set_point(plane, point));
        }
        Ok(())
    }

    /// How likely moves are by their shapes and tactics.
    fn encode_strengths(&mut self, view: &PositionView, planes: &mut Planes) {
        let [last, before, ..] = view.recent.map(|mv| mv.and_then(Move::point));
        let context = MoveContext { board: view.board, to_move: view.to_move, last, before };
        let is_allowed = |point: Point| !view.forbidden.contains(&point);
        MovePredictor::shipped().rate_wanted(&context, is_allowed, &mut self.scratch, &mut self.strengths);
        let all: f32 = self.strengths.iter().map(|&(_, strength)| strength).sum();
        for &(point, strength) in &self.strengths {
            let reached = LIKELY.iter().enumerate().filter(|&(_, &least)| strength >= least * all);
            reached.for_each(|(step, _)| planes.set_point(STRONG + step, point));
        }
    }

    /// Stones, liberties and ladders.
    fn encode_chains(&mut self, view: &PositionView, planes: &mut Planes) {
        let board = view.board;
        for chain in board.chains() {
            let own = board.cell(chain.head()) == Cell::from(view.to_move);
            // A fourth one is enough to know that there are more than three.
            let (liberties, found) = board.first_liberties::<4>(chain);
            let caught = match (own, found) {
                (true, 1) => self.ladder.captures(board, chain),
                (true, 2) => self.ladder.find_attack(board, chain).is_some(),
                (false, 1) => !view.forbidden.contains(&liberties[0]),
                (false, 2) => {
                    let mut caught = false;
                    for &point in &liberties[..2] {
                        if !view.forbidden.contains(&point) && self.ladder.does_catch(board, chain, point) {
                            planes.set_point(CATCHES, point);
                            caught = true;
                        }
                    }
                    caught
                }
                _ => false,
            };
            for stone in board.chain_stones(chain) {
                planes.set_point(if own { OWN } else { OPPONENT }, stone);
                if (1..=3).contains(&found) {
                    planes.set_point(LIBERTIES + found - 1, stone);
                }
                if caught {
                    planes.set_point(if own { LOST } else { CAUGHT }, stone);
                }
            }
        }
    }
}

/// What the numbers say of the rules: territory, suicide, superko. It is what they say of Chinese rules, whatever rules a game has, as all labels that
/// the network learned from are of such games. Of other numbers it makes leads of 30 points after four moves of an even opening. Area and territory
/// differ by a point or so, but for handicap stones, which the komi tells. What a rule forbids is seen at the points. A network that learns from games
/// by other rules needs their numbers here.
const KNOWN_RULES: [f32; 3] = [0.0, 0.0, 1.0];

fn encode_numbers(view: &PositionView) -> [f32; NUMBERS] {
    let [territory, suicide, superko] = KNOWN_RULES;
    let flag = |condition: bool| f32::from(u8::from(condition));
    let komi = if view.to_move == Color::White { view.komi } else { -view.komi };
    let area = view.board.size().area();
    [
        komi / 20.0,
        territory,
        suicide,
        superko,
        flag(view.recent[0] == Some(Move::Pass)),
        flag(view.recent[1] == Some(Move::Pass)),
        area as f32 / POINTS as f32,
        komi_wave(komi, area),
    ]
}

/// Where komi stands between the values at which a game of area scoring on a full board can be drawn: these lie two points apart, as
/// odd or even as the board's points. A triangle wave: 0 at such a value and half-way between two of them, 0.5 half a point above such a
/// value, -0.5 half a point below it. `komi` is that of the side whose view it is. (D. J. Wu, "Accelerating self-play learning in Go", 2019,
/// names such a wave as an input.)
pub fn komi_wave(komi: f32, area: usize) -> f32 {
    let above = (komi - (area % 2) as f32).rem_euclid(2.0);
    if above < 0.5 {
        above
    } else if above < 1.5 {
        1.0 - above
    } else {
        above - 2.0
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::Diagram;
    use ishi_rng::Seed;

    use super::*;

    /// The points of a plane.
    fn names(planes: &Planes, plane: usize) -> String {
        let set = (0..POINTS).filter(|&index| planes.get(plane, index));
        set.map(|index| point_from_index(index).to_string()).collect::<Vec<_>>().join(" ")
    }

    fn seen(text: &str, to_move: Color) -> Planes {
        let position = text.parse::<Diagram>().unwrap().to_position(Rules::CHINESE, to_move).unwrap();
        PlaneEncoder::default().encode_position(&position).unwrap()
    }

    #[test]
    fn stones_and_liberties_are_seen_from_the_side_to_move() {
        let text = "
            . . . . .
            . . O . .
            . X O . .
            O X . . .
            . O . . .
        ";
        let (black, white) = (seen(text, Color::Black), seen(text, Color::White));
        assert_eq!(names(&black, OWN), "B2 B3");
        assert_eq!(names(&white, OWN), "B1 A2 C3 C4");
        assert_eq!(
            (names(&white, OPPONENT), names(&black, OPPONENT)),
            (names(&black, OWN), names(&white, OWN))
        );
        assert_eq!(names(&black, LIBERTIES), "");
        assert_eq!(names(&black, LIBERTIES + 1), "B1 A2");
        assert_eq!(names(&black, LIBERTIES + 2), "B2 B3");
        assert_eq!(names(&black, 0).split(' ').count(), 25);
        assert_eq!(&black.bits[0][..5], &[0b0001_1111, 0, 0b1111_1000, 0, 0b1100_0000]);
    }

    /// Planes of the lost, the caught and the catching moves for a ladder towards the upper right, with a stone at C4 and one at F6.
    fn ladder(above: char, breaker: char, to_move: Color) -> [String; 3] {
        let text = format!(
            "
            . . . . . . .
            . . . . . {breaker} .
            . . . . . . .
            . . {above} . . . .
            . X O . . . .
            . . X X . . .
            . . . . . . .
            "
        );
        let planes = seen(&text, to_move);
        [LOST, CAUGHT, CATCHES].map(|plane| names(&planes, plane))
    }

    #[test]
    fn ladders_work_or_do_not() {
        let (black, white) = (Color::Black, Color::White);
        assert_eq!(ladder('.', '.', black), ["", "C3", "C4"]);
        assert_eq!(ladder('.', '.', white), ["C3", "", ""]);
        assert_eq!(ladder('X', '.', white), ["C3", "", ""]);
        assert_eq!(ladder('X', '.', black), ["", "C3", ""]);
        // With a stone in the way it runs, but in atari it can be taken at once.
        assert_eq!(ladder('.', 'O', black), ["", "", ""]);
        assert_eq!(ladder('.', 'O', white), ["", "", ""]);
        assert_eq!(ladder('X', 'O', white), ["", "", ""]);
        assert_eq!(ladder('X', 'O', black), ["", "C3", ""]);
    }

    #[test]
    fn ko_is_a_point_that_is_forbidden() {
        let text = "
            . . . . .
            . X O . .
            X . X O .
            . X O . .
            . . . . .
        ";
        let mut position =
            text.parse::<Diagram>().unwrap().to_position(Rules::CHINESE, Color::White).unwrap();
        let size = position.size();
        position.play(Color::White, size.parse_move("B3").unwrap()).unwrap();
        let planes = PlaneEncoder::default().encode_position(&position).unwrap();
        assert_eq!(names(&planes, FORBIDDEN), "C3");
        assert_eq!(names(&planes, MOVES), "B3");
        assert_eq!(names(&planes, CAUGHT), "", "the stone that took is in atari, but may not be taken");
        position.play(Color::Black, Move::Pass).unwrap();
        let planes = PlaneEncoder::default().encode_position(&position).unwrap();
        assert_eq!(names(&planes, FORBIDDEN), "");
        assert_eq!((names(&planes, MOVES), names(&planes, MOVES + 1)), (String::new(), "B3".into()));
        assert_eq!(planes.numbers[4..6], [1.0, 0.0]);
    }

    /// Against asking the rules at every point, in games full of captures on small boards.
    #[test]
    fn forbidden_points_are_those_of_the_rules() {
        let mut found = 0;
        for number in 0..60 {
            let mut rng = Seed::new(6).stream("game", number);
            let rules =
                [Rules::CHINESE, Rules::JAPANESE, Rules::TROMP_TAYLOR, Rules::AGA][number as usize % 4];
            let mut game = Position::new(BoardSize::new(3, 3 + number as usize % 3).unwrap(), rules);
            for _ in 0..60 {
                let (color, board) = (game.to_move(), game.board());
                let mut expected: Vec<_> = board
                    .empty_points()
                    .filter(|&point| {
                        let broken = game.check_move(color, Move::Play(point)).err().map(|error| error.rule);
                        matches!(broken, Some(BrokenRule::Ko | BrokenRule::Superko { .. }))
                    })
                    .collect();
                let mut points = forbidden_points(&game);
                points.sort();
                expected.sort();
                assert_eq!(points, expected);
                found += points.len();
                let view = PositionView::from_position(&game, &points);
                let legal: Vec<_> = game.size().points().filter(|&point| view.is_legal(point)).collect();
                assert_eq!(legal, game.legal_moves(color));
                let mv = rng.choose(&legal).map_or(Move::Pass, |&point| Move::Play(point));
                game.play(color, mv).unwrap();
            }
        }
        assert!(found > 50, "{found} points are forbidden");
    }

    #[test]
    fn numbers_say_komi() {
        let mut position = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
        let stones = ["C3", "G7"].map(|text| position.size().parse_point(text).unwrap());
        position.place_handicap(&stones).unwrap();
        position.set_komi(0.5).unwrap();
        let mut encoder = PlaneEncoder::default();
        let planes = encoder.encode_position(&position).unwrap();
        assert_eq!(planes.numbers, [2.5 / 20.0, 0.0, 0.0, 1.0, 0.0, 0.0, 81.0 / 361.0, -0.5]);
        position.set_rules(Rules::JAPANESE);
        position.set_to_move(Color::Black);
        let planes = encoder.encode_position(&position).unwrap();
        // One of the two stones is counted by area, and not by territory.
        assert_eq!(planes.numbers, [-1.5 / 20.0, 0.0, 0.0, 1.0, 0.0, 0.0, 81.0 / 361.0, -0.5]);
    }

    #[test]
    fn rules_that_the_network_never_saw_are_told_as_those_that_it_knows() {
        // OpenSpiel counts area, with a simple ko.
        let simple = Rules { ko: KoRule::Simple, ..Rules::CHINESE };
        let mixed = Rules { suicide: true, ko: KoRule::Positional, ..Rules::JAPANESE };
        for rules in Rules::NAMED.map(|(_, rules)| rules).into_iter().chain([simple, mixed]) {
            let mut position = Position::new(BoardSize::square(9).unwrap(), rules);
            position.set_komi(6.5).unwrap();
            let numbers = PlaneEncoder::default().encode_position(&position).unwrap().numbers;
            assert_eq!(numbers, [-6.5 / 20.0, 0.0, 0.0, 1.0, 0.0, 0.0, 81.0 / 361.0, 0.5], "{rules}");
        }
    }

    #[test]
    fn the_wave_is_zero_where_a_draw_is_possible() {
        for (komi, wave) in
            [(7.0, 0.0), (7.5, 0.5), (8.0, 0.0), (8.5, -0.5), (6.75, -0.25), (-7.0, 0.0), (-7.5, -0.5)]
        {
            assert_eq!(komi_wave(komi, 361), wave, "{komi}");
            assert_eq!(komi_wave(komi + 1.0, 64), wave, "{komi}");
        }
    }

    #[test]
    fn pass_alive_points_are_seen() {
        let text = "
            . X . X O
            X X X X O
            O O O O O
            . . . . .
        ";
        let planes = seen(text, Color::White);
        assert_eq!(names(&planes, ALIVE), "");
        assert_eq!(names(&planes, ALIVE + 1), "A3 B3 C3 D3 A4 B4 C4 D4");
    }

    /// By asking the predictor at every point, in games with captures.
    #[test]
    fn likely_moves_are_those_of_the_strengths() {
        let (mut encoder, mut rng) = (PlaneEncoder::default(), Seed::new(9).stream("game", 0));
        let mut game = Position::new(BoardSize::new(9, 7).unwrap(), Rules::CHINESE);
        let mut likely = 0;
        for _ in 0..90 {
            let planes = encoder.encode_position(&game).unwrap();
            let legal = game.legal_moves(game.to_move());
            let last = |back: usize| game.moves().iter().rev().nth(back).and_then(|(_, mv)| mv.point());
            let context =
                MoveContext { board: game.board(), to_move: game.to_move(), last: last(0), before: last(1) };
            let mut rated = Vec::new();
            MovePredictor::shipped().rate_moves(&context, &mut FeatureScratch::new(), &mut rated);
            rated.retain(|(point, _)| legal.contains(point));
            let all: f32 = rated.iter().map(|rated| rated.1).sum();
            for (step, least) in LIKELY.into_iter().enumerate() {
                for point in game.size().points() {
                    let share =
                        rated.iter().find(|rated| rated.0 == point).map_or(0.0, |rated| rated.1 / all);
                    let near = (share - least).abs() < 1e-5;
                    assert!(
                        near || planes.get(STRONG + step, point_index(point)) == (share >= least),
                        "{point}: {share}"
                    );
                    likely += usize::from(step == 0 && share >= least);
                }
            }
            let mv = rng.choose(&legal).map_or(Move::Pass, |&point| Move::Play(point));
            game.play(game.to_move(), mv).unwrap();
        }
        assert!((5..90).contains(&likely), "{likely} moves are likelier than 40 %");
    }

    #[test]
    fn boards_that_are_too_large_are_refused() {
        let position = Position::new(BoardSize::new(19, 20).unwrap(), Rules::CHINESE);
        let error = PlaneEncoder::default().encode_position(&position).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a 19x20 board is too large for the network: it must have at most 19 lines each way"
        );
    }
}
