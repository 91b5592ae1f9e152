//! Pass-alive stones: those that cannot be captured even if their owner passes for ever.
//!
//! D. B. Benson, "Life in the game of Go", Information Sciences 10 (1976). A *region* of a colour is a largest connected set of
//! points without its stones. A region is *vital* to a chain if all its empty points are liberties of that chain. A set of
//! chains lives if each has two vital regions that only chains of the set surround; the largest such set is found by taking
//! away chains and regions that cannot belong to it until nothing changes.

use ishi_go::{Board, Cell, Color, Point};

/// Finds pass-alive stones. Keeps its lists from call to call, so that it allocates only at first.
///
/// ```
/// use ishi_go::{Color, Diagram};
/// let diagram: Diagram = "
///     . X . X O
///     X X X X O
///     O O O O O
///     . . . . .
/// ".parse().unwrap();
/// let mut pass_alive = ishi_judge::PassAlive::default();
/// let board = diagram.to_board().unwrap();
/// // Six stones and two eyes.
/// assert_eq!(pass_alive.find_points(&board, Color::Black).len(), 8);
/// assert_eq!(pass_alive.find_points(&board, Color::White).len(), 0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct PassAlive {
    /// The number of each point's region, plus one.
    region_of: Vec<u16>,
    /// By head of a chain: does it still belong to the set, and how many regions are vital to it?
    alive: Vec<bool>,
    vital: Vec<u8>,
    regions: Vec<BensonRegion>,
    /// Points of all regions, one region after the other.
    region_points: Vec<Point>,
    /// Heads of the chains around each region, one region after the other.
    around: Vec<Point>,
    points: Vec<Point>,
}

/// A region, as ranges of the lists.
#[derive(Clone, Copy, Debug)]
struct BensonRegion {
    points: (usize, usize),
    around: (usize, usize),
    /// Chains to which it is vital: four at most, for they are neighbours of one point.
    served: [Option<Point>; 4],
    /// Does it still belong to the set?
    kept: bool,
}

impl PassAlive {
    /// The pass-alive stones of a colour and the points of their vital regions, enemy stones in them included. In no
    /// particular order.
    pub fn find_points(&mut self, board: &Board, color: Color) -> &[Point] {
        self.points.clear();
        self.find_regions(board, color);
        // Without two regions nothing lives.
        if self.regions.len() >= 2 {
            self.eliminate_candidates(board, color);
            self.collect_points(board, color);
        }
        &self.points
    }

    fn find_regions(&mut self, board: &Board, color: Color) {
        self.region_of.clear();
        self.region_of.resize(Point::INDICES, 0);
        self.regions.clear();
        self.region_points.clear();
        self.around.clear();
        for start in board.size().points() {
            if self.region_of[start.index()] == 0 && board.cell(start) != Cell::from(color) {
                self.flood_region(board, color, start);
            }
        }
    }

    /// Adds the region of a point.
    fn flood_region(&mut self, board: &Board, color: Color, start: Point) {
        let (first, around) = (self.region_points.len(), self.around.len());
        let number = self.regions.len() as u16 + 1;
        self.region_points.push(start);
        self.region_of[start.index()] = number;
        let mut next = first;
        let mut served: Option<[Option<Point>; 4]> = None;
        while let Some(&point) = self.region_points.get(next) {
            next += 1;
            let beside = point.neighbours().map(|n| board.chain(n).filter(|_| board.color(n) == Some(color)));
            let heads = beside.map(|chain| chain.map(|chain| chain.head()));
            for (n, head) in point.neighbours().into_iter().zip(heads) {
                match head {
                    Some(head) if !self.around[around..].contains(&head) => self.around.push(head),
                    None if board.cell(n) != Cell::Border && self.region_of[n.index()] == 0 => {
                        self.region_of[n.index()] = number;
                        self.region_points.push(n);
                    }
                    _ => {}
                }
            }
            // A region is vital to the chains that every one of its empty points is a liberty of.
            if board.cell(point) == Cell::Empty {
                served =
                    Some(served.map_or_else(|| dedup_heads(heads), |chains| intersect_heads(chains, heads)));
            }
        }
        self.regions.push(BensonRegion {
            points: (first, self.region_points.len()),
            around: (around, self.around.len()),
            served: served.unwrap_or_default(),
            kept: true,
        });
    }

    /// Takes away chains with fewer than two vital regions, and regions beside chains that were taken away.
    fn eliminate_candidates(&mut self, board: &Board, color: Color) {
        self.alive.clear();
        self.alive.resize(Point::INDICES, false);
        for chain in board.chains().filter(|chain| board.color(chain.head()) == Some(color)) {
            self.alive[chain.head().index()] = true;
        }
        loop {
            self.vital.clear();
            self.vital.resize(Point::INDICES, 0);
            for region in self.regions.iter_mut().filter(|region| region.kept) {
                let around = &self.around[region.around.0..region.around.1];
                region.kept = around.iter().all(|head| self.alive[head.index()]);
                if region.kept {
                    region.served.iter().flatten().for_each(|head| self.vital[head.index()] += 1);
                }
            }
            let mut changed = false;
            for (alive, &vital) in self.alive.iter_mut().zip(&self.vital) {
                changed |= *alive && vital < 2;
                *alive &= vital >= 2;
            }
            if !changed {
                return;
            }
        }
    }

    fn collect_points(&mut self, board: &Board, color: Color) {
        for point in board.size().points().filter(|&point| board.color(point) == Some(color)) {
            if board.chain(point).is_some_and(|chain| self.alive[chain.head().index()]) {
                self.points.push(point);
            }
        }
        for region in &self.regions {
            let vital = region.served.iter().flatten().any(|head| self.alive[head.index()]);
            if region.kept && vital {
                self.points.extend(&self.region_points[region.points.0..region.points.1]);
            }
        }
    }
}

/// Each once.
fn dedup_heads(mut heads: [Option<Point>; 4]) -> [Option<Point>; 4] {
    for i in 1..4 {
        if heads[..i].contains(&heads[i]) {
            heads[i] = None;
        }
    }
    heads
}

/// Those of the first that are among the second, too.
fn intersect_heads(first: [Option<Point>; 4], second: [Option<Point>; 4]) -> [Option<Point>; 4] {
    first.map(|head| head.filter(|_| second.contains(&head)))
}

#[cfg(test)]
mod tests {
    use ishi_go::{BoardSize, Diagram, Move};
    use ishi_rng::Seed;

    use super::*;

    fn points(text: &str, color: Color) -> String {
        let board = text.parse::<Diagram>().unwrap().to_board().unwrap();
        let mut points: Vec<_> = PassAlive::default().find_points(&board, color).to_vec();
        points.sort();
        points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
    }

    /// Three chains share an eye. The lower one has no other, so that neither counts, and two eyes are left to the others.
    #[test]
    fn chains_live_by_eyes_that_they_share() {
        let text = "
            . X X O .
            X . X O .
            X X . X O
            O O X X O
            . O O O .
        ";
        assert_eq!(points(text, Color::Black), "A3 B3 A4 B4 C4 A5 B5 C5");
    }

    #[test]
    fn a_false_eye_does_not_count() {
        let text = "
            . O X X .
            O X . X X
            X X X O O
            O O O O .
        ";
        assert_eq!(points(text, Color::Black), "");
    }

    #[test]
    fn enemy_stones_in_an_eye_belong_to_it() {
        // The white stone leaves one empty point, which is a liberty of the chain.
        let text = "
            . X O . X O
            X X X X X O
            O O O O O O
            . . . . . .
        ";
        assert_eq!(points(text, Color::Black), "A3 B3 C3 D3 E3 A4 B4 C4 D4 E4");
    }

    /// However the opponent plays on alone, what is pass-alive stays.
    #[test]
    fn the_opponent_alone_captures_nothing() {
        let mut pass_alive = PassAlive::default();
        let mut found = 0;
        for game in 0..300 {
            let mut rng = Seed::new(5).stream("benson", game);
            let mut board = Board::new(BoardSize::new(4 + game as usize % 3, 5).unwrap());
            for turn in 0..60 {
                let color = Color::ALL[turn % 2];
                let moves: Vec<_> =
                    board.empty_points().filter(|&point| board.is_sensible(color, point)).collect();
                let mv = rng.choose(&moves).map_or(Move::Pass, |&point| Move::Play(point));
                board.play_unchecked(color, mv);
            }
            for owner in Color::ALL {
                let mut stones = pass_alive.find_points(&board, owner).to_vec();
                stones.retain(|&point| board.color(point) == Some(owner));
                found += stones.len();
                let mut attacked = board.clone();
                for _ in 0..200 {
                    attacked.set_ko(None);
                    let moves: Vec<_> =
                        attacked.empty_points().filter(|&point| attacked.is_legal(!owner, point)).collect();
                    let Some(&point) = rng.choose(&moves) else { break };
                    attacked.play_unchecked(!owner, Move::Play(point));
                    let stand = |&stone: &Point| attacked.color(stone) == Some(owner);
                    assert!(stones.iter().all(stand), "game {game}, {owner}");
                }
            }
        }
        assert!(found > 1000, "{found} stones live");
    }
}
