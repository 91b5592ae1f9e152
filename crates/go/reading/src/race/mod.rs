//! Races (semeai, 攻め合い): two chains of which each lives by the death of the other, unless it makes two eyes, joins safe
//! stones, or both stand in seki.
//!
//! Search: df-pn (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002) over a fixed region, in
//! which both sides may pass; two passes in a row leave the stones as they are. A chain that is captured has not lost the
//! race yet: what took it may have no room for two eyes in its place (中手, nakade), and be captured after all.

mod region;
mod seki;

use ishi_go::{Board, BoardSize, Cell, Color, Point};

use crate::board::ReadingBoard;
use crate::eyes;
use crate::lambda::{KoRight, ReadingAnswer};
use crate::point_set::PointSet;
use crate::proof::{
    ChildSummary, FallSearch, NOTHING, ProofChild, ProofMemory, ProofNumbers, SearchPath, repetition_below,
};
use crate::region::{NAKADE, Region, answers_to_atari, only_chain_beside};
use region::race_region;

/// Deepest line of moves.
const DEPTH: usize = 100;
/// Positions that are remembered at least and at most: two to these powers.
const MEMORY: (u32, u32) = (18, 22);

/// Reads races. Keeps its memory from question to question; answers do not depend on earlier questions.
///
/// ```
/// use ishi_go::Diagram;
/// use ishi_reading::{ReadingOutcome, RaceReader};
/// let diagram: Diagram = "
///     . . . . . . .
///     O O O O O O .
///     O X X X X O .
///     . X O O X O .
///     . X O . X O .
/// ".parse().unwrap();
/// let board = diagram.to_board().unwrap();
/// let [black, white] = ["B1", "C1"].map(|vertex| board.size().parse_point(vertex).unwrap());
/// let mut reader = RaceReader::default();
/// // Whoever moves first wins: Black captures at once, White lets Black capture three stones too late for a second eye.
/// assert_eq!(reader.read_survival(&board, black, white).unwrap().outcome, ReadingOutcome::Works);
/// assert_eq!(reader.read_survival(&board, white, black).unwrap().outcome, ReadingOutcome::Works);
/// ```
#[derive(Clone, Debug)]
pub struct RaceReader {
    board: ReadingBoard,
    owner: Color,
    target: Point,
    rival: Point,
    region: Region,
    /// When a chain has been captured on the way to the present position: the length of the path then, and was it too large for
    /// a nakade?
    target_fell: Option<(usize, bool)>,
    rival_fell: Option<(usize, bool)>,
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
    calls: u64,
    salt: u64,
}

impl Default for RaceReader {
    fn default() -> Self {
        RaceReader::new(300_000)
    }
}

impl RaceReader {
    /// A reader that plays at most so many moves for a search; a question needs one, or two where there is a ko. A million moves
    /// take about 0.7 s. It remembers one position for every move or more, 16 bytes each, and four million at most.
    pub fn new(most: u32) -> RaceReader {
        let size = BoardSize::square(19).expect("a size");
        RaceReader {
            board: ReadingBoard::new(&Board::new(size)),
            owner: Color::Black,
            target: Point::new(0, 0),
            rival: Point::new(0, 0),
            region: Region::default(),
            target_fell: None,
            rival_fell: None,
            ko: KoRight::Nobody,
            ko_seen: false,
            nodes: 0,
            most,
            limit: 0,
            memory: ProofMemory::for_moves(most, MEMORY),
            path: SearchPath::default(),
            rests_on: NOTHING,
            calls: 0,
            salt: 0,
        }
    }

    /// Does the chain of `stone` survive its race with that of `rival` if its owner moves first? Seki is survival. `None`: it could
    /// not be read to the end, or they are not two stones of different colours.
    pub fn read_survival(&mut self, board: &Board, stone: Point, rival: Point) -> Option<ReadingAnswer> {
        self.read_question(board, stone, rival, false)
    }

    /// Does the chain of `stone` fall in its race with that of `rival` if the rival moves first? `None` as for [`RaceReader::read_survival`].
    pub fn read_fall(&mut self, board: &Board, stone: Point, rival: Point) -> Option<ReadingAnswer> {
        self.read_question(board, stone, rival, true)
    }

    /// Empty points of the region in which the race of these two was last read.
    pub fn region_room(&self) -> usize {
        self.region.points().intersection(self.board.empty_points()).len()
    }

    fn read_question(
        &mut self,
        board: &Board,
        target: Point,
        rival: Point,
        attacking: bool,
    ) -> Option<ReadingAnswer> {
        self.set_question(board, target, rival)?;
        self.read_answer(attacking)
    }

    /// Sets up a question about two chains. `None`: they are not two stones of different colours.
    fn set_question(&mut self, board: &Board, target: Point, rival: Point) -> Option<()> {
        self.owner = board.color(target)?;
        if board.color(rival)? == self.owner {
            return None;
        }
        self.board.set_position(board);
        (self.target, self.rival) = (target, rival);
        (self.target_fell, self.rival_fell) = (None, None);
        self.region = race_region(&self.board, [target, rival]);
        self.nodes = 0;
        self.ko_seen = self.board.ko().is_some_and(|ban| self.region.points().contains(ban));
        Some(())
    }

    fn side_color(&self, attacking: bool) -> Color {
        if attacking { !self.owner } else { self.owner }
    }

    fn position_key(&self, attacking: bool, passed: bool) -> u64 {
        let ko = self.board.ko().map_or(0, |point| point.index() as u64 + 1);
        let state = [attacking, passed, self.target_fell.is_some(), self.rival_fell.is_some()]
            .iter()
            .fold(ko, |sum, &bit| sum << 1 | u64::from(bit));
        let mixed = self.board.hash() ^ self.salt ^ state.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        mixed ^ mixed >> 32
    }

    /// Plays, or passes, and keeps to the ruling on ko.
    fn play(&mut self, attacking: bool, mv: Option<Point>) {
        let Some(point) = mv else { return self.board.pass() };
        self.nodes += 1;
        let standing = if attacking { self.target_fell } else { self.rival_fell }.is_none();
        let prey = if attacking { self.target } else { self.rival };
        let many = standing && self.board.stone_count(prey) > NAKADE;
        self.board.play(self.side_color(attacking), point);
        if standing && self.board.color(prey) != Some(self.side_color(!attacking)) {
            let fell = Some((self.path.len(), many));
            *if attacking { &mut self.target_fell } else { &mut self.rival_fell } = fell;
        }
        if self.board.ko().is_some() {
            self.ko_seen = true;
            if self.ko.is_of(!attacking) {
                self.board.lift_ko();
            }
        }
    }

    fn undo(&mut self) {
        self.board.undo();
        for fell in [&mut self.target_fell, &mut self.rival_fell] {
            if fell.is_some_and(|(length, _)| length == self.path.len()) {
                *fell = None;
            }
        }
    }

    /// What can be said of a position without searching it, or is remembered of it.
    fn look_up_position(&mut self, attacking: bool, passed: bool) -> ProofNumbers {
        self.rests_on = NOTHING;
        match (self.target_fell, self.rival_fell) {
            (Some((first, _)), Some((second, _))) => {
                return if first < second { ProofNumbers::HOLDS } else { ProofNumbers::FALLS };
            }
            (None, Some((_, true))) => return ProofNumbers::HOLDS,
            (Some((_, true)), None) => return ProofNumbers::FALLS,
            _ => {}
        }
        let key = self.position_key(attacking, passed);
        if let Some(before) = self.path.position_of(key) {
            self.rests_on = before;
            // Round and round takes nothing.
            return ProofNumbers::HOLDS;
        }
        // What is settled is never searched, so it is not among what is remembered.
        if let Some(numbers) = self.memory.get(key) {
            return numbers;
        }
        if self.can_win_at_once(attacking) {
            return won_numbers(attacking);
        }
        let sides = [(attacking, 0), (!attacking, 1)];
        if let Some((winner, _)) =
            sides.into_iter().find(|&(side, behind)| self.wins_by_counting(side, behind))
        {
            return won_numbers(winner);
        }
        match (self.target_fell, self.rival_fell) {
            (Some(_), None) if self.is_alive(self.rival) => return ProofNumbers::FALLS,
            (None, _) if self.is_alive(self.target) => return ProofNumbers::HOLDS,
            _ => {}
        }
        self.first_numbers(attacking)
    }

    /// The numbers of a position that nothing is known of. The more liberties, the further a chain is from being captured; squares leave fewer races
    /// open than the numbers do. The other side has the more moves to be answered, the more room there is.
    fn first_numbers(&self, attacking: bool) -> ProofNumbers {
        let board = &self.board;
        let distance =
            |stone: Point, fell: bool| if fell { 1 } else { (board.liberty_count(stone) as u32).pow(2) };
        let room = self.region_room() as u32;
        let [of_owner, of_attacker] = if attacking { [0, room] } else { [room, 0] };
        ProofNumbers {
            proof: of_owner + distance(self.target, self.target_fell.is_some()),
            disproof: of_attacker + distance(self.rival, self.rival_fell.is_some()),
        }
    }

    /// Has the stone's chain joined safe stones, or two eyes?
    fn is_alive(&self, stone: Point) -> bool {
        let (board, region) = (&self.board, &self.region);
        board.color(stone).is_some_and(|color| {
            region.has_joined_wall(board, stone, color)
                || eyes::has_two_eyes(board, stone, color, region.points())
        })
    }

    /// Is the chain that this side stands for in atari, so that the race is lost with it: is it too large for a nakade, or has the other side's
    /// chain fallen already?
    fn is_at_stake(&self, attacking: bool) -> bool {
        let [own, others] = self.chains_of_sides(attacking);
        own.is_some_and(|own| {
            self.board.liberty_count(own) == 1 && (others.is_none() || self.board.stone_count(own) > NAKADE)
        })
    }

    /// The chains of the race, as far as they stand: of this side, and of the other.
    fn chains_of_sides(&self, attacking: bool) -> [Option<Point>; 2] {
        let target = self.target_fell.is_none().then_some(self.target);
        let rival = self.rival_fell.is_none().then_some(self.rival);
        if attacking { [rival, target] } else { [target, rival] }
    }

    /// Does this side win by taking the other's chain at once?
    fn can_win_at_once(&self, attacking: bool) -> bool {
        let [_, prey] = self.chains_of_sides(attacking);
        let last = prey.and_then(|prey| self.board.liberties(prey).first());
        self.is_at_stake(!attacking)
            && last.is_some_and(|last| self.board.is_legal(self.side_color(attacking), last))
    }

    /// Does this side take the other's chain whatever that plays, `behind` moves of the other's first? So it does if the chain is too large for a nakade,
    /// has no liberties but plain ones, points alone that both chains touch, and one eye of one point, and if neither this side's chain nor what else
    /// stands beside the other can be taken by then.
    fn wins_by_counting(&self, attacking: bool, behind: usize) -> bool {
        let board = &self.board;
        let [Some(own), Some(prey)] = self.chains_of_sides(attacking) else { return false };
        let moves = board.liberty_count(prey) + behind;
        if board.stone_count(prey) <= NAKADE || board.liberty_count(own) < moves || board.ko().is_some() {
            return false;
        }
        let Some((shared, has_eye)) = self.liberties_to_count(own, prey) else { return false };
        // Each point that is filled of the shared ones takes a liberty of one's own. The last one may be what captures.
        let least = moves + if has_eye { shared } else { shared.saturating_sub(1) };
        let color = self.side_color(attacking);
        let safe = self.region.wall_and_friends(board, color);
        let stands = |stone: Point| {
            board.color(stone) != Some(color) || safe.contains(stone) || board.liberty_count(stone) >= least
        };
        board.liberty_count(own) >= least && board.stones(prey).flat_map(Point::neighbours).all(stands)
    }

    /// How many liberties the two chains share, and has the second one an eye? None: it has other liberties than plain ones, shared ones that are points
    /// alone, and one such eye.
    fn liberties_to_count(&self, own: Point, prey: Point) -> Option<(usize, bool)> {
        let board = &self.board;
        let color = board.color(prey)?;
        let (mut shared, mut has_eye) = (0, false);
        for point in board.liberties(prey).difference(&self.plain_liberties(color)).iter() {
            let lies_alone = point.neighbours().into_iter().all(|next| board.cell(next) != Cell::Empty);
            if !lies_alone || only_chain_beside(board, point, color).is_none() {
                return None;
            }
            if board.liberties(own).contains(point) {
                shared += 1;
            } else if !has_eye && eyes::is_own_eye(board, point, color) {
                has_eye = true;
            } else {
                return None;
            }
        }
        Some((shared, has_eye))
    }

    /// The points worth a move of this side. Where it would lose the race with its chain in atari it saves that.
    fn candidate_moves(&self, attacking: bool) -> PointSet {
        let board = &self.board;
        let [own, others] = self.chains_of_sides(attacking);
        let Some(own) = own.filter(|_| self.is_at_stake(attacking)) else {
            return self.region.points().intersection(board.empty_points());
        };
        let mut forced = answers_to_atari(board, own, self.side_color(attacking));
        if let Some(others) = others.filter(|&others| board.liberty_count(others) == 1) {
            forced.add_set(board.liberties(others));
        }
        forced
    }

    /// The position after each move that may be worth it, up to one that decides.
    fn expand_children(&mut self, attacking: bool, passed: bool) -> Vec<ProofChild> {
        let color = self.side_color(attacking);
        let mut children = Vec::with_capacity(24);
        let moves = self.candidate_moves(attacking).difference(&self.plain_liberties(color));
        let plain = self.plain_liberties(!color);
        // One plain liberty of a chain is as good as another.
        let mut tried = PointSet::EMPTY;
        // Liberties first: they decide most often.
        let chains = [(self.target, self.target_fell), (self.rival, self.rival_fell)];
        let standing = chains.into_iter().filter(|(_, fell)| fell.is_none());
        let liberties =
            standing.fold(PointSet::EMPTY, |set, (stone, _)| set.union(self.board.liberties(stone)));
        for point in liberties.intersection(&moves).iter().chain(moves.difference(&liberties).iter()) {
            if !self.board.is_legal(color, point) || eyes::is_own_eye(&self.board, point, color) {
                continue;
            }
            if plain.contains(point)
                && let Some(chain) = only_chain_beside(&self.board, point, !color)
            {
                if tried.contains(chain) {
                    continue;
                }
                tried.insert(chain);
            }
            self.play(attacking, Some(point));
            let numbers = self.look_up_position(!attacking, false);
            self.undo();
            children.push(ProofChild { mv: Some(point), numbers, rests_on: self.rests_on });
            if numbers.is_won(attacking) {
                return children;
            }
        }
        let passes = self.board.is_idle(None);
        // The other side may pass, too, and it does if that wins.
        let end = won_numbers(self.target_fell.is_some());
        self.play(attacking, None);
        self.rests_on = NOTHING;
        let is_over = passes && (passed || end.is_won(!attacking));
        let numbers = if is_over { end } else { self.look_up_position(!attacking, passes) };
        self.undo();
        children.push(ProofChild { mv: None, numbers, rests_on: self.rests_on });
        children
    }

    /// The liberties of the chains of this colour that the enemy may fill in any order; see [`Region::plain_liberties`]. Enemies of the wall are safe, and
    /// so is what hangs together with them.
    fn plain_liberties(&self, color: Color) -> PointSet {
        let (board, region) = (&self.board, &self.region);
        let safe = region.wall_and_friends(board, !color);
        let enemies = board.stones_of(!color).intersection(region.points()).difference(&safe);
        region.plain_liberties(board, color, &safe, &enemies.union(region.wall(color)))
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
            self.undo();
        };
        self.path.pop();
        self.rests_on = repetition_below(&children, best, numbers, attacking);
        if self.rests_on >= depth {
            self.rests_on = NOTHING;
            self.memory.put(key, numbers);
        }
        (numbers, children[best].mv)
    }
}

/// The race is won for this side.
fn won_numbers(attacking: bool) -> ProofNumbers {
    if attacking { ProofNumbers::FALLS } else { ProofNumbers::HOLDS }
}

impl FallSearch for RaceReader {
    fn search_fall(&mut self, attacking: bool, ko: KoRight) -> Option<(bool, Option<Point>)> {
        self.calls += 1;
        self.salt = self.calls.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.path.clear();
        self.ko = ko;
        if ko.is_of(attacking) {
            self.board.lift_ko();
        }
        (self.target_fell, self.rival_fell) = (None, None);
        self.limit = self.nodes + self.most;
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
    use ishi_go::{Diagram, Move};
    use ishi_rng::{Rng, Seed};

    use super::*;

    /// A position late in a game of random moves, with long chains.
    fn random_board(rng: &mut Rng) -> Board {
        let mut board = Board::new(BoardSize::square(7).unwrap());
        let mut color = Color::Black;
        for _ in 0..70 {
            let points: Vec<Point> = board.empty_points().filter(|&p| board.is_sensible(color, p)).collect();
            let mv = rng.choose(&points).map_or(Move::Pass, |&point| Move::Play(point));
            board.play_unchecked(color, mv);
            color = !color;
        }
        board.set_ko(None);
        board
    }

    /// Does the side take the prey by filling its liberties, its eye last, while the other side plays at random in the region?
    fn takes_by_filling(reader: &mut RaceReader, attacking: bool, behind: usize, rng: &mut Rng) -> bool {
        let [Some(own), Some(prey)] = reader.chains_of_sides(attacking) else { return false };
        let (color, moves) = (reader.side_color(attacking), reader.board.liberty_count(prey));
        let mut played = 0;
        for turn in 0..2 * moves - 1 + behind {
            let is_answer = turn % 2 != behind;
            let board = &reader.board;
            let mover = if is_answer { !color } else { color };
            let points = if is_answer { *reader.region.points() } else { *board.liberties(prey) };
            let mut legal: Vec<Point> = points.iter().filter(|&point| board.is_legal(mover, point)).collect();
            if !is_answer {
                // What only the prey touches comes last, and what both chains share before it.
                let rank = |point: &Point| {
                    (eyes::is_own_eye(board, *point, !color), board.liberties(own).contains(*point))
                };
                legal.sort_by_key(rank);
                legal.truncate(1);
            }
            match rng.choose(&legal) {
                Some(&point) => reader.board.play(mover, point),
                None => reader.board.pass(),
            }
            played += 1;
            if reader.board.color(own) != Some(color) || reader.board.color(prey) != Some(!color) {
                break;
            }
        }
        let is_taken = reader.board.color(own) == Some(color) && reader.board.color(prey) != Some(!color);
        (0..played).for_each(|_| reader.board.undo());
        is_taken
    }

    #[test]
    fn what_is_counted_is_taken_whatever_the_other_plays() {
        let mut reader = RaceReader::new(1);
        let mut rng = Seed::new(1).stream("counting", 0);
        let mut counted = 0;
        for _ in 0..3000 {
            let board = random_board(&mut rng);
            for stone in board.size().points().filter(|&p| board.color(p) == Some(Color::Black)) {
                for rival in stone.neighbours() {
                    if reader.set_question(&board, stone, rival).is_none() {
                        continue;
                    }
                    for (attacking, behind) in [(true, 0), (true, 1), (false, 0), (false, 1)] {
                        if reader.wins_by_counting(attacking, behind) {
                            counted += 1;
                            let takes = takes_by_filling(&mut reader, attacking, behind, &mut rng);
                            assert!(takes, "{stone} {rival} {attacking} {behind}\n{board}");
                        }
                    }
                }
            }
        }
        assert!(counted > 100, "{counted}");
    }

    /// Both chains have seven stones. White's is in atari, and so is a stone beside it, on A2.
    #[test]
    fn who_would_lose_the_race_with_its_chain_saves_that() {
        let diagram: Diagram = "
            . . . . . . . . . .
            . . . . . . . . . .
            . O O . O . O O O .
            O X X X X X X X O .
            X O O O O O O O X .
            . X X X X X X . X .
        "
        .parse()
        .unwrap();
        let board = diagram.to_board().unwrap();
        let point = |vertex: &str| board.size().parse_point(vertex).unwrap();
        let mut reader = RaceReader::default();
        reader.set_question(&board, point("B3"), point("B2")).unwrap();
        assert_eq!(reader.candidate_moves(true), [point("A1"), point("H1")].into_iter().collect());
        assert!(reader.can_win_at_once(false), "Black takes on H1");
        assert!(reader.candidate_moves(false).len() > 1, "Black need not save anything at once");
    }

    /// Black may answer White's pass by another one, and then his chain stands.
    #[test]
    fn an_attacker_who_passes_has_lost_the_race() {
        let diagram: Diagram = "
            . . . . . . . .
            . . . . . . . .
            O O O O X X X X
            O . X X O O . X
            O . X X O O . X
        "
        .parse()
        .unwrap();
        let board = diagram.to_board().unwrap();
        let [black, white] = ["C1", "E1"].map(|vertex| board.size().parse_point(vertex).unwrap());
        let mut reader = RaceReader::default();
        reader.set_question(&board, black, white).unwrap();
        let pass_of = |reader: &mut RaceReader, attacking: bool| {
            let children = reader.expand_children(attacking, false);
            children.into_iter().find(|child| child.mv.is_none()).unwrap().numbers
        };
        assert_eq!(pass_of(&mut reader, true), ProofNumbers::HOLDS);
        assert!(!pass_of(&mut reader, false).is_known());
    }
}
