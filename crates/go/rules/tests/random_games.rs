//! Random games on boards of many shapes, under every ko rule, held against the oracle at every move: legality,
//! captures, chains, liberties, neighbourhoods, hashes, undo, symmetries and observers.

use crate::reference;

use std::collections::{BTreeMap, BTreeSet};

use ishi_go::{
    Board, BoardObserver, BoardSize, BrokenRule, Cell, Chain, Color, KoRule, Move, Neighbourhood, Point,
    Position, Rules, Symmetry,
};
use ishi_rng::{Rng, Seed};
use reference::{Oracle, Refusal, Spot};

/// Width and height of the boards, small ones first: they fill up and repeat.
const SHAPES: [(usize, usize); 18] = [
    (2, 2),
    (2, 3),
    (3, 2),
    (3, 3),
    (2, 5),
    (4, 3),
    (4, 4),
    (5, 5),
    (7, 2),
    (6, 7),
    (9, 9),
    (9, 5),
    (13, 13),
    (3, 25),
    (25, 4),
    (19, 19),
    (19, 11),
    (25, 25),
];

const KO_RULES: [KoRule; 3] = [KoRule::Simple, KoRule::Positional, KoRule::Situational];

/// The same game for the crate and for the oracle.
struct Pair {
    position: Position,
    oracle: Oracle,
}

impl Pair {
    fn new(width: usize, height: usize, ko: KoRule, suicide: bool) -> Pair {
        let size = BoardSize::new(width, height).unwrap();
        let position = Position::new(size, Rules { ko, suicide, ..Rules::CHINESE });
        Pair { position, oracle: Oracle::new(width, height, ko, suicide) }
    }

    /// Both answers to "may `color` play here?"; they must agree.
    fn check(&self, color: Color, point: Point) -> Result<(), Refusal> {
        let verdict =
            self.position.check_move(color, Move::Play(point)).map_err(|illegal| refusal(illegal.rule));
        assert_eq!(verdict, self.oracle.check(color, spot(point)), "{color} {point} on\n{}", self.position);
        let board = self.position.board();
        if board.cell(point) == Cell::Empty {
            assert_eq!(board.is_suicide(color, point), self.oracle.is_suicide(color, spot(point)));
            self.check_playout_rules(color, point, verdict);
        }
        verdict
    }

    /// The playout board forbids suicide and the simple ko, and nothing else.
    fn check_playout_rules(&self, color: Color, point: Point, verdict: Result<(), Refusal>) {
        let board = self.position.board();
        let ko_of_color = point.neighbours().iter().any(|&n| board.cell(n) == Cell::from(!color));
        if board.ko_point() == Some(point) && !ko_of_color {
            return;
        }
        let expected = !board.is_suicide(color, point) && verdict != Err(Refusal::Ko);
        assert_eq!(board.is_legal(color, point), expected, "{color} {point} on\n{board:?}");
    }

    /// Plays a random legal point, or passes if none is found in some tries. Gives the verdicts met on the way.
    fn step(&mut self, rng: &mut Rng, color: Color) -> Vec<Result<(), Refusal>> {
        let points: Vec<Point> = self.position.size().points().collect();
        let mut verdicts = Vec::new();
        for _ in 0..12 {
            let point = points[rng.next_index(points.len())];
            let verdict = self.check(color, point);
            verdicts.push(verdict);
            if verdict.is_ok() {
                let removed = self.oracle.play(color, spot(point));
                assert_eq!(self.position.play(color, Move::Play(point)), Ok(removed.len()));
                return verdicts;
            }
        }
        self.oracle.pass(color);
        assert_eq!(self.position.play(color, Move::Pass), Ok(0));
        verdicts
    }

    /// Everything that can be seen of the board, against the oracle.
    fn compare(&self) {
        let board = self.position.board();
        let seen = Picture::of(board);
        assert_eq!(seen.cells, self.cells());
        assert_eq!(seen.chains, self.chains(), "{board:?}");
        let vacant: Vec<Point> =
            self.position.size().points().filter(|p| board.color(*p).is_none()).collect();
        assert_eq!(seen.empties, vacant);
        for color in Color::ALL {
            let stones = seen.cells.iter().filter(|&&cell| cell == Some(color)).count();
            assert_eq!(board.stone_count(color), stones);
            assert_eq!(self.position.prisoners(color), self.oracle.prisoners[color.index()]);
        }
        assert_eq!(ishi_go::score::tally_area(board).black_lead(), self.oracle.area());
        check_neighbourhoods(board);
        check_ataris(board);
    }

    fn cells(&self) -> Vec<Option<Color>> {
        self.oracle.spots().into_iter().map(|spot| self.oracle.at(spot)).collect()
    }

    fn chains(&self) -> BTreeSet<(Vec<Point>, Vec<Point>)> {
        let stones = self.oracle.spots().into_iter().filter(|&spot| self.oracle.at(spot).is_some());
        let chain = |spot| self.oracle.chain(&self.oracle.stones, spot);
        stones.map(chain).map(|(stones, liberties)| (points(&stones), points(&liberties))).collect()
    }
}

fn spot(point: Point) -> Spot {
    (point.column(), point.row())
}

fn points(spots: &[Spot]) -> Vec<Point> {
    let mut points: Vec<Point> = spots.iter().map(|&(column, row)| Point::new(column, row)).collect();
    points.sort();
    points
}

fn refusal(rule: BrokenRule) -> Refusal {
    match rule {
        BrokenRule::Outside { size } => panic!("a point of the board lies outside {size}"),
        BrokenRule::Occupied { .. } => Refusal::Occupied,
        BrokenRule::Suicide => Refusal::Suicide,
        BrokenRule::Ko => Refusal::Ko,
        BrokenRule::Superko { move_number, .. } => Refusal::Superko(move_number),
    }
}

/// What can be seen of a board, in an order that does not depend on how it came about.
#[derive(Clone, Debug, PartialEq)]
struct Picture {
    cells: Vec<Option<Color>>,
    chains: BTreeSet<(Vec<Point>, Vec<Point>)>,
    empties: Vec<Point>,
    hash: u64,
    ko: Option<Point>,
}

impl Picture {
    fn of(board: &Board) -> Picture {
        let sorted = |mut points: Vec<Point>| {
            points.sort();
            points
        };
        let chain =
            |chain| (sorted(board.chain_stones(chain).collect()), sorted(board.chain_liberties(chain)));
        Picture {
            cells: board.size().points().map(|point| board.color(point)).collect(),
            chains: board.chains().map(chain).collect(),
            empties: sorted(board.empty_points().collect()),
            hash: board.hash(),
            ko: board.ko_point(),
        }
    }
}

fn check_neighbourhoods(board: &Board) {
    for point in board.size().points() {
        let around = point.neighbours().into_iter().chain(point.diagonals());
        let code = around.enumerate().map(|(i, n)| (board.cell(n) as u16) << (2 * i)).sum();
        assert_eq!(board.neighbourhood(point), Neighbourhood(code), "at {point} on\n{board}");
        if board.cell(point) == Cell::Empty {
            Color::ALL.iter().for_each(|&color| check_eye(board, color, point));
        }
    }
}

fn check_eye(board: &Board, color: Color, point: Point) {
    let own = |n: &Point| board.cell(*n) == Cell::Border || board.cell(*n) == Cell::from(color);
    let count = |cell: Cell| point.diagonals().iter().filter(|&&n| board.cell(n) == cell).count();
    let edge = usize::from(count(Cell::Border) > 0);
    let eye = point.neighbours().iter().all(own) && count(Cell::from(!color)) + edge < 2;
    assert_eq!(board.is_eyelike(color, point), eye, "{color} {point} on\n{board}");
}

fn check_ataris(board: &Board) {
    for chain in board.chains() {
        let liberties = board.chain_liberties(chain);
        let last = if let [only] = liberties[..] { Some(only) } else { None };
        assert_eq!(board.atari_liberty(chain), last);
        assert_eq!(board.chain_length(chain), board.chain_stones(chain).count());
        assert!(board.chain_stones(chain).all(|stone| board.chain(stone) == Some(chain)));
    }
}

/// Whose turn it is in a test game: mostly in turn, now and then the same colour again.
fn next_color(rng: &mut Rng, last: Color) -> Color {
    if rng.chance(0.1) { last } else { !last }
}

fn moves_for(width: usize, height: usize) -> usize {
    (3 * width * height).clamp(40, 700)
}

/// How often every case was met, so that no test passes by seeing nothing.
#[derive(Default, Debug)]
struct Met {
    suicides: usize,
    kos: usize,
    superkos: usize,
}

impl Met {
    fn note(&mut self, verdict: Result<(), Refusal>) {
        match verdict {
            Err(Refusal::Suicide) => self.suicides += 1,
            Err(Refusal::Ko) => self.kos += 1,
            Err(Refusal::Superko(_)) => self.superkos += 1,
            Ok(()) | Err(Refusal::Occupied) => {}
        }
    }
}

#[test]
fn every_rule_agrees_with_the_oracle() {
    let mut met = Met::default();
    for (n, (width, height)) in SHAPES.into_iter().enumerate() {
        for (k, ko) in KO_RULES.into_iter().enumerate() {
            let games = (200 / (width * height)).clamp(1, 20);
            for game in 0..games {
                let mut rng = Seed::new(2026).stream("rules", (n * 100 + k * 1000 + game) as u64);
                let mut pair = Pair::new(width, height, ko, game % 2 == 1 || width == 25);
                play_and_compare(&mut pair, &mut rng, &mut met);
            }
        }
    }
    assert!(met.suicides > 100 && met.kos > 100 && met.superkos > 100, "{met:?}");
}

/// A whole random game; looks at every point of small boards after each move, of large ones now and then.
fn play_and_compare(pair: &mut Pair, rng: &mut Rng, met: &mut Met) {
    let size = pair.position.size();
    let every = (size.area() / 8).max(1);
    let mut color = Color::Black;
    for number in 0..moves_for(size.width(), size.height()) {
        pair.step(rng, color).into_iter().for_each(|verdict| met.note(verdict));
        if number % every == 0 {
            pair.compare();
            for color in Color::ALL {
                size.points().for_each(|point| met.note(pair.check(color, point)));
            }
        }
        color = next_color(rng, color);
    }
    pair.compare();
}

#[test]
fn boards_have_equal_hashes_exactly_if_their_stones_are_equal() {
    for (width, height) in [(2, 2), (3, 3), (9, 9)] {
        let (mut hashes, mut boards) = (BTreeMap::new(), BTreeMap::new());
        for game in 0..30 {
            let mut rng = Seed::new(5).stream("hashes", game);
            let mut pair = Pair::new(width, height, KoRule::Simple, true);
            let mut color = Color::Black;
            for _ in 0..moves_for(width, height) {
                let (cells, hash) = (pair.cells(), pair.position.hash());
                assert_eq!(*hashes.entry(cells.clone()).or_insert(hash), hash);
                assert_eq!(*boards.entry(hash).or_insert(cells.clone()), cells);
                pair.step(&mut rng, color);
                color = next_color(&mut rng, color);
            }
        }
        assert!(hashes.len() > 50);
    }
}

/// What can be seen of a position.
fn sight(position: &Position) -> (Picture, [usize; 2], Color, Vec<(Color, Move)>, u64) {
    let prisoners = Color::ALL.map(|color| position.prisoners(color));
    let moves = position.moves().to_vec();
    (Picture::of(position.board()), prisoners, position.to_move(), moves, position.situation_hash())
}

/// The order of the empty points and the chains' names: what a playout or a search may depend on besides.
fn order(position: &Position) -> (Vec<Point>, Vec<Point>) {
    let board = position.board();
    (board.empty_points().collect(), board.chains().map(|chain| chain.head()).collect())
}

#[test]
fn undo_restores_every_position_of_a_game() {
    for (n, (width, height)) in SHAPES.into_iter().enumerate() {
        let mut rng = Seed::new(7).stream("undo", n as u64);
        let mut pair = Pair::new(width, height, KO_RULES[n % 3], n % 2 == 0);
        let mut sights = vec![(sight(&pair.position), order(&pair.position))];
        let mut color = Color::Black;
        for _ in 0..moves_for(width, height).min(400) {
            pair.step(&mut rng, color);
            sights.push((sight(&pair.position), order(&pair.position)));
            color = next_color(&mut rng, color);
        }
        let mut position = pair.position;
        while let Some(expected) = sights.pop() {
            assert_eq!((sight(&position), order(&position)), expected);
            assert_eq!(position.undo(), expected.0.3.last().copied());
        }
    }
}

#[test]
fn a_game_taken_back_and_played_again_is_the_same_game() {
    let mut rng = Seed::new(8).stream("redo", 0);
    let mut pair = Pair::new(7, 7, KoRule::Situational, false);
    for number in 0..300 {
        let color = if number % 2 == 0 { Color::Black } else { Color::White };
        pair.step(&mut rng, color);
        let after = sight(&pair.position);
        let back = rng.next_index(1 + pair.position.moves().len());
        let undone: Vec<_> = (0..back).map_while(|_| pair.position.undo()).collect();
        for (color, mv) in undone.into_iter().rev() {
            assert!(pair.position.play(color, mv).is_ok());
        }
        assert_eq!(sight(&pair.position), after);
        pair.compare();
    }
}

#[test]
fn the_symmetries_commute_with_play() {
    for (n, (width, height)) in SHAPES.into_iter().enumerate() {
        let mut rng = Seed::new(9).stream("symmetry", n as u64);
        let mut pair = Pair::new(width, height, KoRule::Simple, true);
        let size = pair.position.size();
        let mut images = Symmetry::ALL.map(|symmetry| Board::new(symmetry.map_size(size)));
        let mut color = Color::Black;
        for number in 0..moves_for(width, height).min(300) {
            pair.step(&mut rng, color);
            let (color_played, mv) = pair.position.last_move().unwrap();
            for (symmetry, image) in Symmetry::ALL.into_iter().zip(&mut images) {
                image.play_unchecked(color_played, symmetry.map_move(size, mv));
                if number % 5 == 0 || size.area() < 20 {
                    assert_eq!(Picture::of(image), Picture::of(&symmetry.map_board(pair.position.board())));
                }
            }
            color = next_color(&mut rng, color);
        }
    }
}

/// Keeps its own record of stones and chains from what it is told alone.
struct Mirror {
    cells: Vec<Option<Color>>,
    chains: BTreeMap<Point, BTreeSet<Point>>,
}

impl BoardObserver for Mirror {
    fn on_place(&mut self, board: &Board, color: Color, point: Point) {
        assert_eq!(board.color(point), Some(color));
        assert_eq!(self.cells[point.index()].replace(color), None);
        let head = board.chain(point).unwrap().head();
        self.chains.entry(head).or_default().insert(point);
    }

    fn on_capture(&mut self, board: &Board, color: Color, point: Point) {
        assert_eq!(board.color(point), None);
        assert_eq!(self.cells[point.index()].take(), Some(color));
        self.chains.values_mut().for_each(|stones| {
            stones.remove(&point);
        });
        self.chains.retain(|_, stones| !stones.is_empty());
    }

    fn on_merge(&mut self, _: &Board, kept: Chain, gone: Chain) {
        let stones = self.chains.remove(&gone.head()).unwrap_or_else(|| BTreeSet::from([gone.head()]));
        self.chains.entry(kept.head()).or_insert_with(|| BTreeSet::from([kept.head()])).extend(stones);
    }
}

#[test]
fn an_observer_hears_everything() {
    for (n, (width, height)) in SHAPES.into_iter().enumerate() {
        let mut rng = Seed::new(10).stream("observer", n as u64);
        let mut pair = Pair::new(width, height, KoRule::Positional, n % 2 == 0);
        let size = pair.position.size();
        let mut mirror = Mirror { cells: vec![None; Point::INDICES], chains: BTreeMap::new() };
        let mut board = Board::new(size);
        let mut color = Color::Black;
        for _ in 0..moves_for(width, height).min(400) {
            pair.step(&mut rng, color);
            let (color_played, mv) = pair.position.last_move().unwrap();
            board.play_observed(color_played, mv, &mut mirror);
            assert!(size.points().all(|point| mirror.cells[point.index()] == board.color(point)));
            let chains = board.chains().map(|chain| (chain.head(), board.chain_stones(chain).collect()));
            assert_eq!(mirror.chains, chains.collect());
            color = next_color(&mut rng, color);
        }
        assert_eq!(Picture::of(&board), Picture::of(pair.position.board()));
    }
}
