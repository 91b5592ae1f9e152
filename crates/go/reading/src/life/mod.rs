//! Life and death (死活): can a group that is closed in make two eyes, or a seki, or get out; can it be killed?
//!
//! Search: df-pn (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002). The moves are the points
//! nearer to the group than to its enemies, the liberties of its stones, and those of enemies beside it that have few; so the
//! region follows the fight. Both sides may pass, and two passes in a row leave the group alive: a seki is life. A group with
//! several liberties beyond all that has escaped. Moves that have decided positions before are tried first (history heuristic,
//! J. Schaeffer, 1989).

mod exercises;
mod lasting;
mod line;
mod region;
mod tsumego;

use ishi_go::{Board, BoardSize, Color, Point};

use crate::board::ReadingBoard;
use crate::closed::{ClosedQuestion, ClosedRegion, ClosedSolver};
use crate::eyes;
use crate::lambda::{KoRight, ReadingAnswer};
use crate::point_set::PointSet;
use crate::proof::{
    ChildSummary, FallSearch, NOTHING, ProofChild, ProofMemory, ProofNumbers, SearchPath, repetition_below,
};
use crate::region::answers_to_atari;
pub use exercises::LifeExercise;
pub use lasting::LastingKo;
use region::LifeRegion;

/// A chain with so many liberties beyond the region has escaped.
const ESCAPED: usize = 3;
/// Enemies beside the group with at most so many liberties take part in the fight.
const WEAK: usize = 3;
/// Stones beyond reach that the group can be joined to are attacked if they have at most so many liberties.
const WEAK_FRIEND: usize = 2;
/// Enemies with more liberties stay out of a fight for some moves to come.
const FAR_FROM_WEAK: usize = WEAK + 5;
/// Deepest line of moves.
const DEPTH: usize = 100;
/// Moves in closed regions for one elsewhere: they take a third of the time.
const CLOSED_MOVES: u32 = 3;
/// Positions that are remembered at least and at most: two to these powers.
const MEMORY: (u32, u32) = (12, 22);

/// Where a group has its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LifeZone {
    /// Its stones, and the points nearer to it than to its enemies.
    pub core: PointSet,
    /// What its fate depends on: the core, all that is played on to decide about it and two steps more, the liberties of its own stones there, and of
    /// enemies there with up to eight. Others would have to lose five before they take part in the fight.
    pub all: PointSet,
}

/// Reads the life of groups. Keeps its memory from question to question; answers do not depend on earlier questions.
///
/// ```
/// use ishi_go::Diagram;
/// use ishi_reading::{LifeReader, ReadingOutcome};
/// let diagram: Diagram = "
///     . . . . . . .
///     O O O O O . .
///     X X X X O . .
///     . . . X O . .
/// ".parse().unwrap();
/// let board = diagram.to_board().unwrap();
/// let [stone, vital] = ["A2", "B1"].map(|vertex| board.size().parse_point(vertex).unwrap());
/// let mut reader = LifeReader::default();
/// // Three points in a row: whoever plays in the middle has his way.
/// let kill = reader.read_death(&board, stone).unwrap();
/// assert_eq!((kill.outcome, kill.mv), (ReadingOutcome::Works, Some(vital)));
/// let save = reader.read_life(&board, stone).unwrap();
/// assert_eq!((save.outcome, save.mv), (ReadingOutcome::Works, Some(vital)));
/// ```
#[derive(Clone, Debug)]
pub struct LifeReader {
    board: ReadingBoard,
    owner: Color,
    target: Point,
    region: LifeRegion,
    ko: KoRight,
    ko_seen: bool,
    nodes: u32,
    most: u32,
    /// Where the present search ends.
    limit: u32,
    memory: ProofMemory,
    path: SearchPath,
    /// What the last look or search rests on; see [`ProofChild`].
    rests_on: usize,
    /// How often a point has decided a position: for the owner, for the attacker.
    history: Vec<[u32; 2]>,
    /// Do the groups have walls with gaps, as in problems?
    has_gaps: bool,
    /// The first move must be one of these.
    first: Option<PointSet>,
    /// Reads groups that are closed in.
    closed: ClosedSolver,
    calls: u64,
    salt: u64,
}

impl Default for LifeReader {
    fn default() -> Self {
        LifeReader::new(300_000)
    }
}

impl LifeReader {
    /// A reader that plays at most so many moves for a search; a question needs one, or two where there is a ko. A million moves
    /// take about 0.4 s. It remembers one position for every move or more, 16 bytes each, and four million at most.
    pub fn new(most: u32) -> LifeReader {
        let size = BoardSize::square(19).expect("a size");
        LifeReader {
            board: ReadingBoard::new(&Board::new(size)),
            owner: Color::Black,
            target: Point::new(0, 0),
            region: LifeRegion::default(),
            ko: KoRight::Nobody,
            ko_seen: false,
            nodes: 0,
            most,
            limit: 0,
            memory: ProofMemory::for_moves(most, MEMORY),
            path: SearchPath::default(),
            rests_on: NOTHING,
            history: vec![[0; 2]; Point::INDICES],
            has_gaps: false,
            first: None,
            closed: ClosedSolver::default(),
            calls: 0,
            salt: 0,
        }
    }

    /// From now on at most so many moves are played for a search; more than [`LifeReader::new`] was told are remembered badly.
    pub fn set_move_limit(&mut self, most: u32) {
        self.most = most;
    }

    /// Moves that were played for the last question.
    pub fn moves_read(&self) -> u32 {
        self.nodes
    }

    /// Where the group of `stone` has its life, and what that depends on. `None`: it is not closed in, or there is no stone.
    pub fn life_zone(&mut self, board: &Board, stone: Point) -> Option<LifeZone> {
        self.board.set_position(board);
        let LifeRegion { core, reach, .. } = LifeRegion::around_group(&self.board, stone, self.has_gaps)?;
        let around = reach.points().with_neighbours().with_neighbours();
        let mut all = around;
        let owner = board.color(stone)?;
        for stone in
            around.intersection(&self.board.stones_of(owner).union(self.board.stones_of(!owner))).iter()
        {
            if self.board.color(stone) == Some(owner) || self.board.liberty_count(stone) <= FAR_FROM_WEAK {
                all.add_set(self.board.liberties(stone));
            }
        }
        Some(LifeZone { core, all })
    }

    /// Does the group of `stone` die if its enemy moves first? `None`: it is not closed in, it could not be read to the end, or
    /// there is no stone.
    pub fn read_death(&mut self, board: &Board, stone: Point) -> Option<ReadingAnswer> {
        self.read_question(board, stone, true)
    }

    /// Does the group of `stone` live if its owner moves first? Seki is life. `None` as for [`LifeReader::read_death`].
    pub fn read_life(&mut self, board: &Board, stone: Point) -> Option<ReadingAnswer> {
        self.read_question(board, stone, false)
    }

    fn read_question(&mut self, board: &Board, target: Point, attacking: bool) -> Option<ReadingAnswer> {
        self.board.set_position(board);
        if let Some(answer) = self.read_closed(target, attacking) {
            return Some(answer);
        }
        self.set_question(board, target)?;
        self.read_answer(attacking)
    }

    /// The answer where the group is closed in with few points. None: it is not, or that was not enough moves.
    fn read_closed(&mut self, target: Point, attacking: bool) -> Option<ReadingAnswer> {
        let (region, stones) = ClosedRegion::around_target(&self.board, target)?;
        let (first, most) = (self.first.as_ref(), self.most.saturating_mul(CLOSED_MOVES));
        let question = ClosedQuestion { region: &region, stones, attacking, most, first };
        let answer = self.closed.read(question);
        self.nodes = self.closed.moves_read();
        answer
    }

    /// Sets up a question about a group. `None`: it is not closed in, or there is no stone.
    fn set_question(&mut self, board: &Board, target: Point) -> Option<()> {
        (self.nodes, self.ko_seen) = (0, false);
        self.owner = board.color(target)?;
        self.board.set_position(board);
        self.target = target;
        self.region = LifeRegion::around_group(&self.board, target, self.has_gaps)?;
        self.ko_seen = self.board.ko().is_some_and(|ban| self.region.reach.points().contains(ban));
        Some(())
    }

    fn side_color(&self, attacking: bool) -> Color {
        if attacking { !self.owner } else { self.owner }
    }

    fn position_key(&self, attacking: bool, passed: bool) -> u64 {
        let ko = self.board.ko().map_or(0, |point| point.index() as u64 + 1);
        let state = ko << 2 | u64::from(attacking) << 1 | u64::from(passed);
        let mixed = self.board.hash() ^ self.salt ^ state.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        mixed ^ mixed >> 32
    }

    /// Plays, or passes, and keeps to the ruling on ko.
    fn play(&mut self, attacking: bool, mv: Option<Point>) {
        let Some(point) = mv else { return self.board.pass() };
        self.nodes += 1;
        self.board.play(self.side_color(attacking), point);
        if self.board.ko().is_some() {
            self.ko_seen = true;
            if self.ko.is_of(!attacking) {
                self.board.lift_ko();
            }
        }
    }

    /// What can be said of a position without searching it, or is remembered of it.
    fn look_up_position(&mut self, attacking: bool, passed: bool) -> ProofNumbers {
        self.rests_on = NOTHING;
        let board = &self.board;
        if board.color(self.target) != Some(self.owner) || attacking && self.can_be_taken() {
            return ProofNumbers::FALLS;
        }
        let key = self.position_key(attacking, passed);
        if let Some(before) = self.path.position_of(key) {
            self.rests_on = before;
            // Round and round takes nothing: a double ko is life, whatever threats there are.
            return ProofNumbers::HOLDS;
        }
        if let Some(numbers) = self.memory.get(key) {
            return numbers;
        }
        // Only the owner's move brings life.
        if attacking && self.is_alive() {
            return ProofNumbers::HOLDS;
        }
        // The more liberties, the further it is from being captured.
        ProofNumbers { proof: board.liberty_count(self.target) as u32, disproof: 1 }
    }

    /// Can the target be taken at once?
    fn can_be_taken(&self) -> bool {
        let board = &self.board;
        let last = board.liberties(self.target).first();
        board.liberty_count(self.target) == 1 && last.is_some_and(|last| board.is_legal(!self.owner, last))
    }

    /// Has the target escaped, or two eyes?
    fn is_alive(&self) -> bool {
        let reach = &self.region.reach;
        reach.ways_out(&self.board, self.target).len() >= ESCAPED
            || eyes::has_two_eyes(&self.board, self.target, self.owner, reach.points())
    }

    /// The points worth a move of this side, the likely ones first.
    fn candidate_moves(&self, attacking: bool) -> Vec<Point> {
        let board = &self.board;
        let set = if !attacking && board.liberty_count(self.target) == 1 {
            answers_to_atari(board, self.target, self.owner)
        } else {
            self.points_of_fight(attacking)
        };
        let set = match &self.first {
            Some(first) if self.path.len() == 1 => set.intersection(first),
            _ => set,
        };
        let color = self.side_color(attacking);
        let is_move = |&point: &Point| board.is_legal(color, point) && !eyes::is_own_eye(board, point, color);
        let mut moves: Vec<Point> = set.iter().filter(is_move).collect();
        moves.sort_by_key(|point| std::cmp::Reverse(self.history[point.index()][usize::from(attacking)]));
        moves
    }

    /// The points near the group, the liberties of the owner's stones there, and of weak enemies beside these. The owner stays within reach, so
    /// that the attacker can always answer, or takes enemies beside his stones there.
    fn points_of_fight(&self, attacking: bool) -> PointSet {
        let board = &self.board;
        let (near, reach) = (&self.region.near, self.region.reach.points());
        let beside = board.stones_of(self.owner).intersection(&reach.with_neighbours()).with_neighbours();
        let (mut points, mut captures) = (near.union(&beside), PointSet::EMPTY);
        let mut enemies = beside.intersection(board.stones_of(!self.owner));
        while let Some(enemy) = enemies.first() {
            enemies = enemies.difference(&board.stones(enemy).collect());
            match board.liberty_count(enemy) {
                1 => captures.add_set(board.liberties(enemy)),
                2..=WEAK => points.add_set(board.liberties(enemy)),
                _ => {}
            }
        }
        if attacking {
            points.add_set(&self.liberties_of_weak_friends(&beside));
            points.union(&captures).intersection(board.empty_points())
        } else {
            points.intersection(reach).union(&captures).intersection(board.empty_points())
        }
    }

    /// The liberties of the owner's stones with few that his stones near the group can be joined to by a move: what has taken an enemy beyond
    /// reach may be taken in turn.
    fn liberties_of_weak_friends(&self, beside: &PointSet) -> PointSet {
        let board = &self.board;
        let links = beside.intersection(board.empty_points()).with_neighbours();
        let mut liberties = PointSet::EMPTY;
        for friend in links.intersection(board.stones_of(self.owner)).iter() {
            if board.liberty_count(friend) <= WEAK_FRIEND {
                liberties.add_set(board.liberties(friend));
            }
        }
        liberties
    }

    /// The position after each move that may be worth it, up to one that decides.
    fn expand_children(&mut self, attacking: bool, passed: bool) -> Vec<ProofChild> {
        let moves = self.candidate_moves(attacking);
        let mut children = Vec::with_capacity(moves.len() + 1);
        for mv in moves.into_iter().map(Some) {
            let child = self.child_after(attacking, passed, mv);
            children.push(child);
            if child.numbers.is_won(attacking) {
                return children;
            }
        }
        children.push(self.child_after(attacking, passed, None));
        children
    }

    /// The position after a move, or a pass.
    fn child_after(&mut self, attacking: bool, passed: bool, mv: Option<Point>) -> ProofChild {
        let passes = self.board.is_idle(mv);
        self.play(attacking, mv);
        self.rests_on = NOTHING;
        // Where the attacker passes the owner passes, too, and lives.
        let is_over = passes && (passed || attacking);
        let numbers = if is_over { ProofNumbers::HOLDS } else { self.look_up_position(!attacking, passes) };
        self.board.undo();
        ProofChild { mv, numbers, rests_on: self.rests_on }
    }

    fn search_node(
        &mut self,
        attacking: bool,
        passed: bool,
        threshold: ProofNumbers,
    ) -> (ProofNumbers, Option<Point>) {
        let key = self.position_key(attacking, passed);
        let depth = self.path.len();
        self.path.push(key);
        let mut children = self.expand_children(attacking, passed);
        let (numbers, best) = loop {
            let summary = ChildSummary::from_children(&children, attacking);
            let (numbers, child) = (summary.numbers, children[summary.best]);
            let is_over = self.nodes >= self.limit || self.path.len() > DEPTH;
            if numbers.is_known() || numbers.reaches(threshold) || is_over {
                break (numbers, summary.best);
            }
            let below = summary.child_threshold(threshold, child.numbers, attacking);
            let passes = self.board.is_idle(child.mv);
            self.play(attacking, child.mv);
            let numbers = self.search_node(!attacking, passes, below).0;
            children[summary.best] = ProofChild { mv: child.mv, numbers, rests_on: self.rests_on };
            self.board.undo();
        };
        let mv = children[best].mv;
        if let (true, Some(point)) = (numbers.is_won(attacking), mv) {
            self.history[point.index()][usize::from(attacking)] += 1;
        }
        self.path.pop();
        self.rests_on = repetition_below(&children, best, numbers, attacking);
        if self.rests_on >= depth {
            self.rests_on = NOTHING;
            self.memory.put(key, numbers);
        }
        (numbers, mv)
    }
}

impl FallSearch for LifeReader {
    fn search_fall(&mut self, attacking: bool, ko: KoRight) -> Option<(bool, Option<Point>)> {
        self.calls += 1;
        self.salt = self.calls.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.path.clear();
        self.history.fill([0; 2]);
        self.ko = ko;
        if ko.is_of(attacking) {
            self.board.lift_ko();
        }
        self.limit = self.nodes.saturating_add(self.most);
        let (numbers, mv) = self.search_node(attacking, false, ProofNumbers::ANY);
        numbers.is_known().then_some((numbers.proof == 0, mv))
    }

    fn has_seen_ko(&self) -> bool {
        self.ko_seen
    }

    fn nodes_played(&self) -> u32 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::Diagram;

    use super::*;

    /// The owner answers by a pass, and lives. A pass of the owner settles nothing.
    #[test]
    fn an_attacker_who_passes_lets_the_group_live() {
        let diagram: Diagram = "
            . . . . . . .
            O O O O O . .
            X X X X O . .
            . . . X O . .
        "
        .parse()
        .unwrap();
        let board = diagram.to_board().unwrap();
        let stone = board.size().parse_point("A2").unwrap();
        let mut reader = LifeReader::default();
        reader.set_question(&board, stone).unwrap();
        assert_eq!(reader.child_after(true, false, None).numbers, ProofNumbers::HOLDS);
        assert!(!reader.child_after(false, false, None).numbers.is_known());
    }

    /// The owner takes the stone that cuts, two steps beyond reach. What has taken it may be taken in turn.
    #[test]
    fn enemies_are_taken_beyond_reach_and_so_is_who_took_them() {
        let diagram: Diagram = "
            . . X X O . . .
            . X X O . . . .
            . O O O O . O .
            . X X . . . . .
            . O . X . . O .
            X O . . X . . .
            . O O . . . . .
            . . . X . X . .
        "
        .parse()
        .unwrap();
        let board = diagram.to_board().unwrap();
        let point = |vertex| board.size().parse_point(vertex).unwrap();
        let mut reader = LifeReader::default();
        reader.set_question(&board, point("C8")).unwrap();
        assert!(!reader.region.reach.points().contains(point("A4")));
        reader.play(false, Some(point("A6")));
        assert!(!reader.points_of_fight(false).contains(point("A4")));
        reader.play(true, Some(point("A5")));
        assert!(reader.points_of_fight(false).contains(point("A4")));
        reader.play(false, Some(point("A4")));
        assert!(reader.points_of_fight(true).contains(point("A2")));
        assert!(!reader.points_of_fight(false).contains(point("A2")));
    }
}
