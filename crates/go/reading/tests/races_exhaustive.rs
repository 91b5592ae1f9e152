//! Races within a small box, held against an exhaustive search of all positions that can come up there. It knows nothing of liberties, eyes or
//! counting: a side wins what it can force in a finite number of moves. Kos are ruled in three ways, one after the other.

use std::collections::{BTreeMap, HashMap};

use ishi_go::{Board, BoardSize, Color, Move, Point};
use ishi_reading::{RaceReader, ReadingOutcome};
use ishi_rng::{Rng, Seed};

use crate::closed_regions::outcome;
use crate::life_exhaustive::Ko;
use crate::races::rivals;

/// A box in the corner within two walls that nobody can take: one along its top from the left edge on, the other along the rest and the right side.
struct RaceBox {
    columns: usize,
    rows: usize,
    /// Points of the top that belong to the first wall.
    split: usize,
    /// Who owns the first wall.
    first: Color,
}

impl RaceBox {
    fn random(rng: &mut Rng) -> RaceBox {
        let (columns, rows) = [(4, 2), (2, 4), (8, 1), (3, 3)][rng.next_index(4)];
        let first = [Color::Black, Color::White][rng.next_index(2)];
        RaceBox { columns, rows, split: 1 + rng.next_index(columns), first }
    }

    /// The points that are played on.
    fn points(&self) -> Vec<Point> {
        (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| Point::new(column, row))).collect()
    }

    /// The walls alone. Both go on to the far side of the board, so that they have liberties enough there.
    fn walls(&self) -> Board {
        let size = BoardSize::square(13).unwrap();
        let mut board = Board::new(size);
        for row in self.rows..13 {
            board.play_unchecked(self.first, Move::Play(Point::new(0, row)));
        }
        for column in 1..self.columns {
            let color = if column < self.split { self.first } else { !self.first };
            board.play_unchecked(color, Move::Play(Point::new(column, self.rows)));
        }
        for row in 0..12 {
            board.play_unchecked(!self.first, Move::Play(Point::new(self.columns, row)));
        }
        board
    }

    /// The box with random stones, none of which is captured.
    fn random_position(&self, rng: &mut Rng) -> Board {
        let mut board = self.walls();
        for point in self.points() {
            let Some(color) = [None, Some(Color::Black), Some(Color::White)][rng.next_index(3)] else {
                continue;
            };
            let mut next = board.clone();
            if next.is_legal(color, point) && next.play_unchecked(color, Move::Play(point)) == 0 {
                board = next;
            }
        }
        board.set_ko(None);
        board
    }

    /// Pairs of chains in the box, Black's first, that stand beside each other.
    fn rivals(&self, board: &Board) -> Vec<(Point, Point)> {
        let points = self.points();
        let is_inside = |stone: Point| {
            board
                .chain(stone)
                .is_some_and(|chain| board.chain_stones(chain).all(|stone| points.contains(&stone)))
        };
        rivals(board).into_iter().filter(|&(stone, rival)| is_inside(stone) && is_inside(rival)).collect()
    }
}

/// Which of the two chains has been taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Stage {
    Both,
    TargetFell,
    RivalFell,
}

/// Where a move leads.
#[derive(Clone, Copy)]
enum Step {
    Position(usize),
    /// The race is over: has the target fallen?
    End(bool),
}

/// More stones than these, once taken, have left room for two eyes (`ishi_reading::RaceReader` says the same).
const NAKADE: usize = 6;

/// The positions that can come up in the race of two chains, and which lead to which.
struct RaceGraph<'a> {
    points: &'a [Point],
    owner: Color,
    target: Point,
    rival: Point,
    ko: Ko,
    numbers: HashMap<(u64, Option<Point>, bool, Stage), usize>,
    stages: Vec<Stage>,
    /// With the attacker to move, or not.
    attacking: Vec<bool>,
    steps: Vec<Vec<Step>>,
    /// Does the target fall, as far as this has been found out?
    falls: Vec<bool>,
    todo: Vec<(usize, Board)>,
}

impl RaceGraph<'_> {
    /// Does the target fall in the end if the attacker moves first, and if its owner does?
    fn solve(points: &[Point], board: &Board, [target, rival]: [Point; 2], ko: Ko) -> [bool; 2] {
        let mut graph = RaceGraph {
            points,
            owner: board.color(target).unwrap(),
            target,
            rival,
            ko,
            numbers: HashMap::new(),
            stages: Vec::new(),
            attacking: Vec::new(),
            steps: Vec::new(),
            falls: Vec::new(),
            todo: Vec::new(),
        };
        let starts = [true, false].map(|attacking| graph.number(board, attacking, Stage::Both));
        while let Some((number, board)) = graph.todo.pop() {
            graph.steps[number] = graph.list_steps(number, &board);
        }
        // A target that has been taken stays taken, unless its owner can take the rival for it.
        graph.find_forced(Stage::TargetFell, false);
        graph.find_forced(Stage::RivalFell, true);
        graph.find_forced(Stage::Both, true);
        starts.map(|number| graph.falls[number])
    }

    fn number(&mut self, board: &Board, attacking: bool, stage: Stage) -> usize {
        let cells = self.points.iter().fold(0, |sum, &point| {
            sum * 3 + board.color(point).map_or(0, |color| 1 + u64::from(color == Color::White))
        });
        let fresh = self.numbers.len();
        let number = *self.numbers.entry((cells, board.ko_point(), attacking, stage)).or_insert(fresh);
        if number == fresh {
            self.stages.push(stage);
            self.attacking.push(attacking);
            self.steps.push(Vec::new());
            // What nobody forces: a target that has been taken, or one that stands.
            self.falls.push(stage == Stage::TargetFell);
            self.todo.push((number, board.clone()));
        }
        number
    }

    fn list_steps(&mut self, number: usize, board: &Board) -> Vec<Step> {
        let (attacking, stage) = (self.attacking[number], self.stages[number]);
        let color = if attacking { !self.owner } else { self.owner };
        let legal: Vec<Point> = self.points.iter().copied().filter(|&p| board.is_legal(color, p)).collect();
        let moves = legal.into_iter().map(Move::Play).chain([Move::Pass]);
        moves.map(|mv| self.step(board, mv, attacking, stage)).collect()
    }

    fn step(&mut self, board: &Board, mv: Move, attacking: bool, stage: Stage) -> Step {
        let color = if attacking { !self.owner } else { self.owner };
        let mut next = board.clone();
        next.play_unchecked(color, mv);
        if next.ko_point().is_some() && self.ko == if attacking { Ko::Owner } else { Ko::Attacker } {
            next.set_ko(None);
        }
        let prey = if attacking { self.target } else { self.rival };
        let already = if attacking { Stage::TargetFell } else { Stage::RivalFell };
        let is_taken = stage != already && next.color(prey) != Some(!color);
        let after = match (is_taken, stage) {
            (false, stage) => stage,
            (true, Stage::Both) if board.chain_stones(board.chain(prey).unwrap()).count() > NAKADE => {
                return Step::End(attacking);
            }
            (true, Stage::Both) => already,
            (true, Stage::TargetFell) => return Step::End(false),
            (true, Stage::RivalFell) => return Step::End(true),
        };
        Step::Position(self.number(&next, !attacking, after))
    }

    /// From which positions of the stage can the attacker, or the owner, force what he wants?
    fn find_forced(&mut self, stage: Stage, for_attacker: bool) {
        let of_stage: Vec<usize> =
            (0..self.stages.len()).filter(|&number| self.stages[number] == stage).collect();
        let mut is_new = true;
        while is_new {
            is_new = false;
            for &number in &of_stage {
                if self.falls[number] == for_attacker {
                    continue;
                }
                let wins = |step: &Step| match *step {
                    Step::Position(after) => self.falls[after] == for_attacker,
                    Step::End(falls) => falls == for_attacker,
                };
                let steps = &self.steps[number];
                let moves_first = self.attacking[number] == for_attacker;
                if if moves_first { steps.iter().any(wins) } else { steps.iter().all(wins) } {
                    self.falls[number] = for_attacker;
                    is_new = true;
                }
            }
        }
    }
}

/// What becomes of the first chain if its owner moves first, and of the other side's attempt if that does.
fn solve_race(points: &[Point], board: &Board, chains: [Point; 2]) -> [ReadingOutcome; 2] {
    let [plain, free, bound] =
        [Ko::Nobody, Ko::Attacker, Ko::Owner].map(|ko| RaceGraph::solve(points, board, chains, ko));
    [outcome(!plain[1], !bound[1], !free[1]), outcome(plain[0], free[0], bound[0])]
}

/// Reads random races of boxes, and holds them to exhaustive search.
fn random_races_are_read_rightly(boxes: u64) {
    let mut reader = RaceReader::default();
    let mut counts: BTreeMap<ReadingOutcome, usize> = BTreeMap::new();
    for seed in 0..boxes {
        let mut rng = Seed::new(5).stream("races", seed);
        let race_box = RaceBox::random(&mut rng);
        let (board, points) = (race_box.random_position(&mut rng), race_box.points());
        for (black, white) in race_box.rivals(&board) {
            for chains in [[black, white], [white, black]] {
                let read = [
                    reader.read_survival(&board, chains[0], chains[1]),
                    reader.read_fall(&board, chains[0], chains[1]),
                ];
                let read = read.map(|answer| answer.expect("a small box is read to the end").outcome);
                assert_eq!(read, solve_race(&points, &board, chains), "{chains:?}, seed {seed}\n{board}");
                read.into_iter().for_each(|outcome| *counts.entry(outcome).or_default() += 1);
            }
        }
    }
    assert_eq!(counts.len(), 4, "all outcomes come up: {counts:?}");
}

#[test]
fn random_races_are_read_as_exhaustive_search_has_them() {
    random_races_are_read_rightly(500);
}

#[test]
#[ignore = "takes some minutes"]
fn many_random_races_are_read_as_exhaustive_search_has_them() {
    random_races_are_read_rightly(20_000);
}
