//! Which stones are dead at the end of a game, judged by the network that ships or by playouts.
//!
//! Reading corrects that where it reads to the end: what stands though its enemy moves first is alive, in seki or not. All who count a finished game ask
//! here: GTP and pages [`judge_final_status`], matches [`judge_by_playouts`]. Both count by [`FinalStatus::count_score`].
//!
//! The network says whose each point will be, and a chain is dead when its points will be the other side's. It sees boards of 7 to 19
//! lines.
//!
//! By playouts, a chain is dead when its points end up with the other side in most playouts, whoever moves first. The playouts are
//! random but for three habits, without which stones that anyone can see are dead live too often: take what the last
//! move left in atari, save what it put into atari, do not put an own chain into atari. Games between programs that play
//! until nothing is left to play are judged exactly. Stones that live only by good play may be misjudged, which is why the arena can ask a referee.

use ishi_go::{
    Board, Cell, Chain, Color, DeadStonesError, Move, Point, Position, Score, ScoreTally, playout,
};
use ishi_judge::NetworkJudge;
use ishi_judge::network::Network;
use ishi_judge::planes::{self, PositionView, forbidden_points};
use ishi_reading::{LifeReader, PointSet, RaceReader};
use ishi_rng::{Rng, Seed};

/// Playouts spent by default: a chain at the threshold has a standard error of 4 %.
pub const DEFAULT_PLAYOUTS: u32 = 600;

/// A stone that stays its colour in fewer playouts than this is dead.
const DEAD_BELOW: f64 = 0.35;

/// Mean ownership of every point over playouts from here, half of them with each side to move: -1 for White's,
/// 1 for Black's.
pub fn mean_ownership(board: &Board, playouts: u32, seed: Seed) -> Vec<(Point, f64)> {
    let mut sums = vec![0; Point::INDICES];
    let mut scratch = board.clone();
    let mut rng = seed.stream("judge", board.hash());
    let limit = playout::default_move_limit(board);
    for n in 0..playouts {
        scratch.copy_from(board);
        let first = Color::ALL[n as usize % 2];
        play_cautiously(&mut scratch, first, limit, &mut rng);
        playout::add_ownership(&scratch, &mut sums);
    }
    let mean = |point: Point| f64::from(sums[point.index()]) / f64::from(playouts.max(1));
    board.size().points().map(|point| (point, mean(point))).collect()
}

/// Candidates that are refused for self-atari before one is played all the same.
const PATIENCE: u32 = 4;

/// Plays to the end with the habits that the module's header names.
fn play_cautiously(board: &mut Board, to_move: Color, limit: u32, rng: &mut Rng) {
    let mut color = to_move;
    let mut last = None;
    let mut passed = false;
    for _ in 0..limit {
        let urgent = last.and_then(|point| urgent_move(board, color, point));
        let mv = urgent.unwrap_or_else(|| cautious_move(board, color, rng));
        board.play_unchecked(color, mv);
        if mv == Move::Pass && passed {
            return;
        }
        passed = mv == Move::Pass;
        last = mv.point();
        color = !color;
    }
}

/// Takes the chain of the stone just played if it is in atari, or saves an own chain that it put into atari.
fn urgent_move(board: &Board, color: Color, last: Point) -> Option<Move> {
    let fits = |point: &Point| board.is_sensible(color, *point);
    if let Some(liberty) = board.chain(last).and_then(|chain| board.atari_liberty(chain)).filter(fits) {
        return Some(Move::Play(liberty));
    }
    let own = last.neighbours().into_iter().filter(|&n| board.cell(n) == Cell::from(color));
    let escapes = own.filter_map(|n| board.chain(n)).filter_map(|chain| board.atari_liberty(chain));
    escapes.filter(fits).find(|&point| !leaves_in_atari(board, color, point)).map(Move::Play)
}

/// A random sensible move, preferably one that leaves its own chain more than one liberty.
fn cautious_move(board: &Board, color: Color, rng: &mut Rng) -> Move {
    let mut candidates: Vec<Point> =
        board.empty_points().filter(|&point| board.is_sensible(color, point)).collect();
    for _ in 0..PATIENCE {
        if candidates.is_empty() {
            return Move::Pass;
        }
        let point = candidates.swap_remove(rng.next_index(candidates.len()));
        let lonely = point.neighbours().into_iter().all(|n| board.cell(n) != Cell::from(color));
        // Throwing in a single stone is how eyes are taken.
        if lonely || !leaves_in_atari(board, color, point) {
            return Move::Play(point);
        }
    }
    rng.choose(&candidates).map_or(Move::Pass, |&point| Move::Play(point))
}

/// Would a stone here, its captures not counted, leave its chain with fewer than two liberties?
fn leaves_in_atari(board: &Board, color: Color, point: Point) -> bool {
    let mut liberties: Vec<Point> = Vec::new();
    let mut add = |liberty: Point| {
        if liberty != point && !liberties.contains(&liberty) {
            liberties.push(liberty);
        }
        liberties.len() >= 2
    };
    for n in point.neighbours() {
        let enough = match board.cell(n) {
            Cell::Empty => add(n),
            Cell::Border => false,
            cell => {
                let chain: Chain = board.chain(n).expect("a stone has a chain");
                if cell == Cell::from(color) {
                    board.chain_liberties(chain).into_iter().any(&mut add)
                } else {
                    // Taking the enemy's chain gives room.
                    board.atari_liberty(chain) == Some(point)
                }
            }
        };
        if enough {
            return false;
        }
    }
    true
}

/// The smallest side of boards that the network has learned from.
const LEAST_SIDE: usize = 7;

/// Whose each point will be, -1 for White's and 1 for Black's, the mean of what the network that ships says with either side to move.
/// Boards that it does not know are judged by playouts ([`mean_ownership`]).
pub fn final_ownership(position: &Position, playouts: u32, seed: Seed) -> Vec<(Point, f64)> {
    network_ownership(position).unwrap_or_else(|| mean_ownership(position.board(), playouts, seed))
}

fn network_ownership(position: &Position) -> Option<Vec<(Point, f64)>> {
    let size = position.size();
    if size.width().min(size.height()) < LEAST_SIDE {
        return None;
    }
    let network = Network::shipped();
    let mut judge = NetworkJudge::new(&network);
    let forbidden = forbidden_points(position);
    let mut sums = [0.0; planes::POINTS];
    for to_move in Color::ALL {
        let view = PositionView { to_move, ..PositionView::from_position(position, &forbidden) };
        let verdict = judge.judge_view(&view).ok()?;
        sums.iter_mut().zip(verdict.owners).for_each(|(sum, owner)| *sum += f64::from(owner));
    }
    Some(size.points().map(|point| (point, sums[planes::point_index(point)] / 2.0)).collect())
}

/// Moves that are read at most for a question about a pair of chains. A ko takes twice as many, a closed group three times.
const MOVES_READ: u32 = 100_000;

/// What becomes of the stones at the end of a game; all others are alive. Both lists go row by row from A1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FinalStatus {
    /// The stones that are taken off.
    pub dead: Vec<Point>,
    /// The stones that are proved to stand in seki. There may be others, which nobody has proved.
    pub seki: Vec<Point>,
}

impl FinalStatus {
    /// The stones of [`FinalStatus::seki`] that stand in seki as long as these dead ones are taken off, row by row from A1. Where somebody else has
    /// named a stone of a seki dead, all the stones of that seki are left out.
    pub fn list_standing_seki(&self) -> Vec<Point> {
        let set = |stones: &[Point]| -> PointSet { stones.iter().copied().collect() };
        let seki = set(&self.seki);
        let ended = set(&self.dead).intersection(&seki).flood_within(&seki, usize::MAX);
        seki.difference(&ended).iter().collect()
    }

    /// Counts by the position's rules, without komi: dead stones are off, and where territory counts, points beside stones in seki do not.
    ///
    /// # Errors
    /// If a point of either list has no stone.
    pub fn tally_points(&self, position: &Position) -> Result<ScoreTally, DeadStonesError> {
        position.tally_points_with_seki(&self.dead, &self.list_standing_seki())
    }

    /// The same with komi and compensation for handicap stones: the result.
    ///
    /// # Errors
    /// If a point of either list has no stone.
    pub fn count_score(&self, position: &Position) -> Result<Score, DeadStonesError> {
        Ok(position.score_with_komi(&self.tally_points(position)?))
    }
}

/// The dead stones as the network sees them, or by playouts on boards that it does not know, corrected by reading: what is proved to stand though its
/// enemy moves first is alive. And the stones that are proved to stand in seki.
pub fn judge_final_status(position: &Position, playouts: u32, seed: Seed) -> FinalStatus {
    let judged = dead_by_ownership(position.board(), final_ownership(position, playouts, seed));
    correct_by_reading(position.board(), &judged)
}

/// As [`judge_final_status`], by playouts alone on every board. It follows from position and seed bit for bit on every processor, which matches need,
/// and it is exact where players play on until nothing is left.
pub fn judge_by_playouts(position: &Position, playouts: u32, seed: Seed) -> FinalStatus {
    correct_by_reading(position.board(), &find_dead_stones(position, playouts, seed))
}

/// Takes chains out of those that are judged dead, where reading proves that they stand, and finds sekis.
fn correct_by_reading(board: &Board, judged: &[Point]) -> FinalStatus {
    let (mut lives, mut races) = (LifeReader::new(MOVES_READ), RaceReader::new(MOVES_READ));
    let doubtful: PointSet = judged.iter().copied().collect();
    let (mut standing, mut seki) = (PointSet::EMPTY, PointSet::EMPTY);
    for chain in board.chains().filter(|chain| doubtful.contains(chain.head())) {
        if let Some(found) = races.read_seki(board, chain.head(), &doubtful) {
            seki.add_set(&found);
        } else if lives.surely_stands(board, chain.head()) {
            standing.add_set(&board.chain_stones(chain).collect());
        }
    }
    standing.add_set(&seki);
    let dead = judged.iter().copied().filter(|&stone| !standing.contains(stone)).collect();
    FinalStatus { dead, seki: seki.iter().collect() }
}

/// The stones that are dead by playouts, row by row from A1. Nothing is read.
pub fn find_dead_stones(position: &Position, playouts: u32, seed: Seed) -> Vec<Point> {
    dead_by_ownership(position.board(), mean_ownership(position.board(), playouts, seed))
}

fn dead_by_ownership(board: &Board, ownership: Vec<(Point, f64)>) -> Vec<Point> {
    let mut owner = vec![0.0; Point::INDICES];
    for (point, mean) in ownership {
        owner[point.index()] = mean;
    }
    let mut dead = Vec::new();
    for chain in board.chains() {
        let Some(color) = board.color(chain.head()) else { continue };
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        let total: f64 = board.chain_stones(chain).map(|stone| sign * owner[stone.index()]).sum();
        // Ownership runs from -1 to 1, the share of playouts from 0 to 1.
        let alive = (total / board.chain_length(chain) as f64 + 1.0) / 2.0;
        if alive < DEAD_BELOW {
            dead.extend(board.chain_stones(chain));
        }
    }
    dead.sort_unstable();
    dead
}

#[cfg(test)]
mod tests {
    use ishi_go::{Diagram, Rules};

    use super::*;
    use crate::test_boards::{board_of_rows, point_of};

    /// Four times White's five stones stand in seki with Black's beside them. White has two eyes, and Black all the rest.
    fn four_sekis() -> Position {
        let diagram: Diagram = include_str!("../../rules/tests/data/four-sekis.txt").parse().unwrap();
        diagram.to_position(Rules::JAPANESE, Color::Black).unwrap()
    }

    /// Playouts break sekis: now and then they take some of these stones for dead.
    #[test]
    fn sekis_that_playouts_break_stand() {
        let position = four_sekis();
        let misjudged: Vec<FinalStatus> = (0..6)
            .map(Seed::new)
            .filter(|&seed| !find_dead_stones(&position, 100, seed).is_empty())
            .map(|seed| judge_by_playouts(&position, 100, seed))
            .collect();
        assert!(!misjudged.is_empty(), "playouts break none of them");
        for status in misjudged {
            assert_eq!(status.dead, []);
            assert!([14, 28, 42, 56].contains(&status.seki.len()), "{status:?}");
        }
    }

    /// Black has an eye at A2, White at E1, and they share C1.
    const WITH_EYES: &str = "
        . . . . . . . . . .
        O O O O O O O O O .
        X X X X X X X X O .
        . X X O O O X X O .
        X X . O . O X X O .
    ";

    #[test]
    fn eyes_in_seki_count_by_area_alone() {
        let diagram: Diagram = WITH_EYES.parse().unwrap();
        let count = |rules: Rules, dead: &[&str]| {
            let position = diagram.to_position(rules, Color::Black).unwrap();
            let points = |vertices: &[&str]| -> Vec<Point> {
                vertices.iter().map(|vertex| position.size().parse_point(vertex).unwrap()).collect()
            };
            let is_in_seki = |point: &Point| {
                point.column() < 8 && point.row() < 3 && position.board().color(*point).is_some()
            };
            let seki = position.size().points().filter(is_in_seki).collect();
            let status = FinalStatus { dead: points(dead), seki };
            status.tally_points(&position).unwrap().black_lead()
        };
        // White's fourteen points outside are all.
        assert_eq!(count(Rules::JAPANESE, &[]), -14);
        assert_eq!(count(Rules::CHINESE, &[]), -15);
        // Who takes White's stones off has ended the seki: eight points and five prisoners.
        assert_eq!(count(Rules::JAPANESE, &["D2", "E2", "F2", "D1", "F1"]), -1);
    }

    /// White's stones at the left stand in seki with Black's around them. In the corner at the right Black lives with two eyes, and C5 is dead.
    #[test]
    fn what_reading_proves_to_stand_is_not_dead() {
        let board = board_of_rows(
            "
            . . . . . . . . . . . . . . .
            . O . O . . . . . . . . . . .
            . O X O . . . . . . . . . . .
            . . O . . . . . . . . . . . .
            O O O O O O O O O O O O O O O
            X X X X X X X X O . O X X X X
            X . O O O O . X O . O X . X .
        ",
        );
        let points = |vertices: &[&str]| -> Vec<Point> {
            vertices.iter().map(|vertex| point_of(&board, vertex)).collect()
        };
        let white = ["C1", "D1", "E1", "F1"];
        let right = ["M1", "O1", "M2", "N2", "O2", "P2"];
        let judged = points(&[&white[..], &["M1", "O1"], &right[2..], &["C5"]].concat());
        let status = correct_by_reading(&board, &judged);
        assert_eq!(status.dead, points(&["C5"]));
        assert_eq!(status.seki.len(), 14);
        assert!(points(&white).iter().all(|stone| status.seki.contains(stone)));
        assert!(points(&right).iter().all(|stone| !status.seki.contains(stone)), "two eyes are no seki");
    }
}
