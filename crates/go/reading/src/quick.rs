//! Can a chain be captured, can it be saved? The quick answer, in a fraction of a millisecond.
//!
//! The chain in question is the *prey*. Depth-first search with a budget that grows from search to search (iterative
//! deepening): an attacking move that leaves the prey in atari is free, one that leaves it n liberties costs n - 1, and what
//! cannot end within the budget has failed. So ladders are read to the end, and nets and races as far as there is time. Where
//! the prey is not in atari its owner passes first: a move that does not threaten to capture is no attack (T. Thomsen,
//! "Lambda-search in game trees, with application to Go", 2000, section 2).
//!
//! [`crate::ChainReader`] tries every defence that its proofs depend on; here the moves are chosen ([`crate::quick_moves`]), and so
//! it reads far deeper in the same time, but "captured" is no proof: a defence from afar may be overlooked. "Saved" may only mean that the
//! moves ran out: then that reader is asked for a net that takes the chain all the same.
//!
//! Results that rest on a repeated position hold for the way that led there only, and are not remembered (the graph history
//! interaction problem: M. Campbell, "The graph-history interaction: on ignoring position history", 1985).

use ishi_go::{Board, BoardSize, Color, Move, Point};

use crate::board::ReadingBoard;
use crate::capture::{ChainReader, answer_after_ban, without_ko_ban};
use crate::lambda::{KoRight, ReadingAnswer, ReadingEffort, ReadingOutcome};
use crate::liberties::FewPoints;
use crate::point_set::PointSet;
use crate::quick_moves::QuickMoves;

/// Deepest line of moves.
const DEPTH: usize = 70;
/// Positions that are remembered: a power of two.
const MEMORY: usize = 1 << 12;
/// The largest budget.
const BUDGET: u8 = 24;
/// With more liberties the prey has escaped.
const LIBERTIES: usize = 5;
/// Moves of a search for the net that refutes a defence.
const NET_NODES: u32 = 300;
/// So many defences of a question are refuted at most.
const REFUTATIONS: usize = 8;
/// So many times the moves a search has once a defence was refuted: the question is harder than it looked.
const MOVES_AFTER_REFUTATION: u32 = 4;
/// A question that has taken so many times the moves of a search is not read once more: what holds by then is believed.
const MOST_SEARCHES: u32 = 16;
/// What an attacking move costs that leaves the prey so many liberties.
const COST: [u8; LIBERTIES + 1] = [0, 0, 1, 2, 3, 4];

/// The least budget for a prey with so many liberties if the attacker moves: that of a prey whose owner passes throughout.
const fn least_budget(liberties: usize) -> u8 {
    let (mut sum, mut left) = (0, 1);
    while left < liberties {
        sum += COST[left];
        left += 1;
    }
    sum
}

/// What is remembered of a position.
#[derive(Clone, Copy, Debug, Default)]
struct QuickEntry {
    mark: u64,
    /// The search that found it.
    search: u32,
    /// The prey falls, or holds against this budget.
    falls: bool,
    budget: u8,
    /// The deciding move of the side to move.
    mv: Option<Point>,
}

/// The prey falls by this move (none where its owner is to move), or holds by this move of its owner (none: by any).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum QuickResult {
    Falls(Option<Point>),
    Holds(Option<Point>),
}

/// Reads captures quickly. Keeps its board and its memory from question to question; answers do not depend on earlier questions.
///
/// ```
/// use ishi_go::Diagram;
/// use ishi_reading::{ReadingOutcome, QuickReader};
/// let diagram: Diagram = "
///     . . . . . .
///     . O O . . .
///     O X X . . .
///     . O O . . .
///     . . . . . .
/// ".parse().unwrap();
/// let board = diagram.to_board().unwrap();
/// let prey = board.size().parse_point("C3").unwrap();
/// let answer = QuickReader::default().attack(&board, prey);
/// assert_eq!((answer.outcome, answer.mv), (ReadingOutcome::Works, board.size().parse_point("D3").ok()));
/// ```
#[derive(Clone, Debug)]
pub struct QuickReader {
    pub(crate) board: ReadingBoard,
    pub(crate) prey: Point,
    pub(crate) owner: Color,
    /// Finds nets that the moves tried here do not; made when it is needed.
    nets: Option<Box<ChainReader>>,
    /// The owner's first moves that are known to save nothing.
    refuted: PointSet,
    /// Did the last search for a defence run out of moves? Then what it found has held so far, and no more is shown.
    ran_out_of_moves: bool,
    /// Most moves of one search: more of them once a defence was refuted.
    most: u32,
    /// [`MOST_SEARCHES`], but in tests that hold it against reading on.
    most_searches: u32,
    ko: KoRight,
    /// Has the last move made a ko?
    by_ko: bool,
    ko_seen: bool,
    /// Could a right to retake kos at once have changed anything since the question: the attacker's, the owner's?
    ko_matters: [bool; 2],
    /// Moves played since the question, and where the search ends.
    nodes: u32,
    limit: u32,
    is_over: bool,
    /// The budget with which the prey was attacked last, its opponent moving first.
    reached: u8,
    memory: Vec<QuickEntry>,
    /// Searches so far, and before this question.
    searches: u32,
    earlier: u32,
    /// The positions on the way here.
    path: Vec<u64>,
    /// The first position on the way that what was just read rests on, by being repeated.
    rests_on: usize,
    /// At each depth the attacking move, and the defence, that worked last.
    killers: Vec<[Option<Point>; 2]>,
}

impl Default for QuickReader {
    /// Takes a third of a millisecond for an average question of GNU Go's problems.
    fn default() -> Self {
        QuickReader::new(600)
    }
}

impl QuickReader {
    /// A reader whose searches end after so many moves, half as many where an attacker that has failed is given a threat; what is not captured
    /// by then holds, but for defences that a net refutes. A question takes up to four searches. With refuted defences it takes more, and is
    /// not read again after the moves of sixteen.
    pub fn new(most: u32) -> QuickReader {
        let size = BoardSize::square(19).expect("a size");
        QuickReader {
            board: ReadingBoard::new(&Board::new(size)),
            prey: Point::new(0, 0),
            owner: Color::Black,
            nets: None,
            refuted: PointSet::EMPTY,
            ran_out_of_moves: false,
            most,
            most_searches: MOST_SEARCHES,
            ko: KoRight::Nobody,
            by_ko: false,
            ko_seen: false,
            ko_matters: [false; 2],
            nodes: 0,
            limit: 0,
            is_over: false,
            reached: 0,
            memory: vec![QuickEntry::default(); MEMORY],
            searches: 0,
            earlier: 0,
            path: Vec::with_capacity(DEPTH + 2),
            rests_on: usize::MAX,
            killers: vec![[None; 2]; DEPTH + 3],
        }
    }

    /// Can the chain of the stone be captured if its opponent moves first?
    pub fn attack(&mut self, board: &Board, stone: Point) -> ReadingAnswer {
        self.read_question(board, stone, true)
    }

    /// Can the chain of the stone be saved if its owner moves first? Where nobody can capture it, the move is the one that leaves it most liberties.
    pub fn defend(&mut self, board: &Board, stone: Point) -> ReadingAnswer {
        self.read_question(board, stone, false)
    }

    fn read_question(&mut self, board: &Board, stone: Point, attacking: bool) -> ReadingAnswer {
        self.refuted = PointSet::EMPTY;
        match without_ko_ban(board, stone) {
            None if attacking => self.read_answer(board, stone, true),
            None => self.read_defence(board, stone),
            Some(free) if attacking => answer_after_ban(true, |is_free| {
                self.read_answer(if is_free { &free } else { board }, stone, true)
            }),
            Some(free) => self.read_defence(&free, stone),
        }
    }

    /// The answer to a question about defence, by a move that no net refutes.
    fn read_defence(&mut self, board: &Board, stone: Point) -> ReadingAnswer {
        let usual = self.most;
        let mut answer = self.read_answer(board, stone, false);
        let mut nodes = answer.nodes;
        for _ in 0..REFUTATIONS {
            let is_doubtful = self.ran_out_of_moves && answer.outcome >= ReadingOutcome::KoFirst;
            let may_go_on = nodes < usual.saturating_mul(self.most_searches);
            let Some(mv) = answer.mv.filter(|_| is_doubtful && may_go_on) else { break };
            let reply = self.net_after(board, stone, mv);
            nodes += reply.nodes;
            if reply.outcome != ReadingOutcome::Works {
                break;
            }
            self.refuted.insert(mv);
            self.most = usual.saturating_mul(MOVES_AFTER_REFUTATION);
            answer = self.read_answer(board, stone, false);
            nodes += answer.nodes;
        }
        self.most = usual;
        ReadingAnswer { nodes, ..answer }
    }

    /// Is the chain of the stone proved to be captured after this move of its owner?
    fn net_after(&mut self, board: &Board, stone: Point, mv: Point) -> ReadingAnswer {
        let mut after = board.clone();
        after.play_unchecked(self.owner, Move::Play(mv));
        let effort = ReadingEffort { nodes: [NET_NODES, 0, 0] };
        let nets = self.nets.get_or_insert_with(|| Box::new(ChainReader::new(effort)));
        nets.attack(&after, stone)
    }

    fn read_answer(&mut self, board: &Board, stone: Point, attacking: bool) -> ReadingAnswer {
        let Some(owner) = board.color(stone) else {
            return ReadingAnswer::without_reading(ReadingOutcome::Fails);
        };
        self.board.set_position(board);
        (self.owner, self.prey) = (owner, stone);
        (self.nodes, self.ko_seen, self.ran_out_of_moves) = (0, false, false);
        self.ko_matters = [false; 2];
        self.earlier = self.searches;
        self.killers.fill([None; 2]);
        let (works, mv) = self.solve_for(KoRight::Nobody, attacking, self.most);
        let plain = if works { ReadingOutcome::Works } else { ReadingOutcome::Fails };
        if !self.ko_may_change(works, attacking) {
            let answer = ReadingAnswer { outcome: plain, mv, nodes: self.nodes };
            return self.with_some_defence(answer, attacking);
        }
        // If it works, does it against threats? If it fails, would a threat do? What a threat does only after long reading is mostly nothing.
        let again = match (works, attacking) {
            (true, true) => self.solve_for(KoRight::Opponent, true, self.most),
            (true, false) => self.solve_for(KoRight::Seeker, false, self.most),
            (false, true) => self.solve_for(KoRight::Seeker, true, self.most / 2),
            (false, false) => self.saved_by_threats(),
        };
        self.with_some_defence(ReadingAnswer::from_ko_search((works, mv), again, self.nodes), attacking)
    }

    /// May the answer be another one if the side that has failed could retake kos at once? Not where no move of that side was forbidden by a
    /// ko, nor a capture by one counted against it.
    fn ko_may_change(&self, works: bool, attacking: bool) -> bool {
        let [for_attacker, for_owner] = self.ko_matters;
        self.ko_seen && if works == attacking { for_owner } else { for_attacker }
    }

    /// Is the prey, which falls otherwise, saved if its owner has threats? Only if it was attacked with a larger budget than took it before: a
    /// search that ends sooner has shown nothing.
    fn saved_by_threats(&mut self) -> (bool, Option<Point>) {
        let needed = self.reached;
        let (holds, mv) = self.solve_for(KoRight::Opponent, false, self.most);
        let is_shown = !self.is_over || self.reached > needed;
        if holds && is_shown { (true, mv) } else { (false, None) }
    }

    /// The answer to a question about defence with a move, if it has none yet: the one that leaves most liberties.
    fn with_some_defence(&mut self, answer: ReadingAnswer, attacking: bool) -> ReadingAnswer {
        if attacking || answer.mv.is_some() || answer.outcome == ReadingOutcome::Fails {
            return answer;
        }
        // A ko needs a move, whatever it costs.
        let least =
            if answer.outcome == ReadingOutcome::Works { self.board.liberty_count(self.prey) } else { 0 };
        ReadingAnswer { mv: self.widest_extension(least), ..answer }
    }

    /// The owner's move on a liberty of the prey, or that takes stones beside it, after which it has most liberties, and so many at least.
    fn widest_extension(&mut self, least: usize) -> Option<Point> {
        let mut points = *self.board.liberties(self.prey);
        for n in self.board.stones(self.prey).flat_map(Point::neighbours) {
            if self.board.color(n) == Some(!self.owner) && self.board.liberty_count(n) == 1 {
                points.add_set(self.board.liberties(n));
            }
        }
        let points = points.difference(&self.refuted);
        let mut best: Option<(usize, Point)> = None;
        for point in points.iter() {
            if !self.board.is_legal(self.owner, point) {
                continue;
            }
            self.board.play(self.owner, point);
            let liberties = self.board.liberty_count(self.prey);
            self.board.undo();
            if liberties >= best.map_or(least, |(most, _)| most + 1) {
                best = Some((liberties, point));
            }
        }
        best.map(|(_, point)| point)
    }

    /// Does the side to move get its way, and by which move?
    fn solve_for(&mut self, ko: KoRight, attacking: bool, most: u32) -> (bool, Option<Point>) {
        self.searches += 1;
        self.ko = ko;
        self.path.clear();
        let Some((budget, first)) = self.first_capture(most) else { return (!attacking, None) };
        if attacking { (true, first) } else { self.first_defence(budget, most) }
    }

    fn start_search(&mut self, most: u32) {
        self.limit = self.nodes + most;
        self.is_over = false;
    }

    /// The least budget with which the attacker, moving first, captures, and its move.
    fn first_capture(&mut self, most: u32) -> Option<(u8, Option<Point>)> {
        self.start_search(most);
        for budget in 0..=BUDGET {
            self.reached = budget;
            if let QuickResult::Falls(mv) = self.search_attack_node(budget, None) {
                return Some((budget, mv));
            }
            if self.is_over {
                break;
            }
        }
        None
    }

    /// Is the prey saved if its owner moves first? By the move that holds out against the largest budget.
    fn first_defence(&mut self, least: u8, most: u32) -> (bool, Option<Point>) {
        self.start_search(most);
        let mut saving = None;
        for budget in least..=BUDGET {
            match self.search_defence_node(budget) {
                QuickResult::Falls(_) => return (false, None),
                QuickResult::Holds(mv) => saving = mv.or(saving),
            }
            if self.is_over {
                break;
            }
        }
        self.ran_out_of_moves = self.is_over;
        (true, saving)
    }

    /// Plays, and keeps to the ruling on ko.
    pub(crate) fn play(&mut self, attacking: bool, point: Point) {
        self.nodes += 1;
        self.board.play(if attacking { !self.owner } else { self.owner }, point);
        self.by_ko = self.board.ko().is_some();
        if self.by_ko {
            self.ko_seen = true;
            if self.ko.is_of(!attacking) {
                self.board.lift_ko();
            }
        }
    }

    /// May the attacker play there, or the owner? Notes where only a ko forbids it.
    pub(crate) fn is_legal(&mut self, attacking: bool, point: Point) -> bool {
        let color = if attacking { !self.owner } else { self.owner };
        let is_legal = self.board.is_legal(color, point);
        if !is_legal && self.board.ko() == Some(point) {
            self.ko_matters[usize::from(!attacking)] = true;
        }
        is_legal
    }

    fn position_key(&self, attacking: bool) -> u64 {
        let ko = self.board.ko().map_or(0, |point| point.index() as u64 + 1);
        let node = ko << 1 | u64::from(attacking);
        let mixed = self.board.hash() ^ node.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        mixed ^ mixed >> 32
    }

    /// Moves played since the question.
    pub(crate) fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The attacker moves; `threat` is what it would have played had the owner passed.
    fn search_attack_node(&mut self, budget: u8, threat: Option<Point>) -> QuickResult {
        let liberties = self.board.liberty_count(self.prey);
        if liberties == 1
            && let Some(last) = self.capturing_move()
        {
            return QuickResult::Falls(Some(last));
        }
        if liberties > LIBERTIES || least_budget(liberties) > budget {
            return QuickResult::Holds(None);
        }
        if self.nodes >= self.limit {
            self.is_over = true;
            return QuickResult::Holds(None);
        }
        let key = self.position_key(true);
        self.recall_or_read(key, budget, |reader, hint| reader.try_attacks(liberties, budget, [hint, threat]))
    }

    /// The owner moves.
    fn search_defence_node(&mut self, budget: u8) -> QuickResult {
        let liberties = self.board.liberty_count(self.prey);
        if liberties > LIBERTIES || least_budget(liberties) > budget {
            return QuickResult::Holds(None);
        }
        let key = self.position_key(false);
        self.recall_or_read(key, budget, |reader, hint| reader.try_defences(liberties, budget, hint))
    }

    /// What is remembered of the position, or is found by reading; the reading gets the move that was best before.
    fn recall_or_read(
        &mut self,
        key: u64,
        budget: u8,
        read: impl FnOnce(&mut Self, Option<Point>) -> QuickResult,
    ) -> QuickResult {
        let place = key as usize & (MEMORY - 1);
        let entry = self.memory[place];
        let is_known = entry.mark == key && entry.search == self.searches;
        let is_hint = entry.mark == key && entry.search > self.earlier;
        if is_known && entry.falls {
            return QuickResult::Falls(entry.mv);
        }
        if is_known && entry.budget >= budget {
            return QuickResult::Holds(entry.mv);
        }
        if let Some(first) = self.path.iter().position(|&on_path| on_path == key) {
            // Round and round: that captures nothing.
            self.rests_on = self.rests_on.min(first);
            return QuickResult::Holds(None);
        }
        if self.path.len() >= DEPTH {
            self.rests_on = 0;
            return QuickResult::Holds(None);
        }
        let (here, outer) = (self.path.len(), std::mem::replace(&mut self.rests_on, usize::MAX));
        self.path.push(key);
        let found = read(self, entry.mv.filter(|_| is_hint));
        self.path.pop();
        // A capture never rests on a repetition.
        let is_own = self.rests_on >= here;
        let (falls, mv) = match found {
            QuickResult::Falls(mv) => (true, mv),
            QuickResult::Holds(mv) => (false, mv),
        };
        if falls || is_own && !self.is_over {
            self.memory[place] = QuickEntry { mark: key, search: self.searches, falls, budget, mv };
        }
        self.rests_on = if falls || is_own { outer } else { outer.min(self.rests_on) };
        found
    }

    fn try_attacks(
        &mut self,
        liberties: usize,
        budget: u8,
        [hint, threat]: [Option<Point>; 2],
    ) -> QuickResult {
        let depth = self.path.len();
        let mut moves = QuickMoves::new();
        let hints = [hint, threat, self.killers[depth][0]];
        self.add_hints(&hints, &mut moves);
        if let Some(point) = self.first_capturing(moves.take_moves(), budget) {
            return QuickResult::Falls(Some(point));
        }
        // Moves that take no liberty cost as much as the prey's liberties make them.
        let indirect = COST[liberties] + least_budget(liberties) <= budget;
        self.add_attacks(indirect, &mut moves);
        match self.first_capturing(moves.take_moves(), budget) {
            Some(point) => QuickResult::Falls(Some(point)),
            None => QuickResult::Holds(hint),
        }
    }

    /// The first of these attacking moves that captures.
    fn first_capturing(&mut self, moves: FewPoints<32>, budget: u8) -> Option<Point> {
        for &point in moves.points() {
            if self.is_over {
                return None;
            }
            if !self.is_legal(true, point) {
                continue;
            }
            self.play(true, point);
            let left = self.board.liberty_count(self.prey);
            let falls = left <= LIBERTIES
                && COST[left] <= budget
                && matches!(self.search_defence_node(budget - COST[left]), QuickResult::Falls(_));
            self.board.undo();
            if falls {
                let depth = self.path.len();
                self.killers[depth][0] = Some(point);
                return Some(point);
            }
        }
        None
    }

    fn try_defences(&mut self, liberties: usize, budget: u8, hint: Option<Point>) -> QuickResult {
        let mut moves = QuickMoves::new();
        let mut threat = None;
        if liberties == 1 && self.capturing_move().is_some() {
            self.add_hints(&[hint], &mut moves);
            self.add_escapes(&mut moves);
        } else {
            // A threat that costs as much as what was played before is none.
            self.board.pass();
            let found = self.search_attack_node(budget.saturating_sub(1), None);
            self.board.undo();
            let QuickResult::Falls(mv) = found else { return QuickResult::Holds(None) };
            threat = mv;
            let killer = self.killers[self.path.len()][1];
            self.add_hints(&[hint, killer], &mut moves);
            self.add_defences(threat, self.path.len() == 1, &mut moves);
        }
        let is_first = self.path.len() == 1;
        for &point in moves.take_moves().points() {
            if is_first && self.refuted.contains(point) || !self.is_legal(false, point) {
                continue;
            }
            self.play(false, point);
            let found = self.search_attack_node(budget, threat);
            self.board.undo();
            if let QuickResult::Holds(_) = found {
                let depth = self.path.len();
                self.killers[depth][1] = Some(point);
                return QuickResult::Holds(Some(point));
            }
        }
        QuickResult::Falls(None)
    }

    /// The last liberty of the prey, if taking it is final.
    fn capturing_move(&mut self) -> Option<Point> {
        let last = self.board.liberties(self.prey).first()?;
        if !self.is_legal(true, last) {
            return None;
        }
        if self.board.stone_count(self.prey) > 1 {
            return Some(last);
        }
        self.play(true, last);
        let is_final = self.is_final(last);
        self.board.undo();
        is_final.then_some(last)
    }

    /// Is the capture of the prey, a single stone, by the last move final? Not if the capturing stones are taken in turn
    /// (snapback), nor by ko, if the owner has threats.
    fn is_final(&mut self, last: Point) -> bool {
        if self.by_ko {
            self.ko_matters[1] = true;
            return self.ko != KoRight::Opponent;
        }
        self.board.liberty_count(last) > 1 || !self.is_legal(false, self.prey)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use ishi_go::Diagram;

    use super::*;
    use crate::capture::ChainStatus;

    /// The stone that has just taken a ko stands until the opponent has made a threat.
    #[test]
    fn who_has_taken_a_ko_is_taken_after_a_threat() {
        let diagram: Diagram = "
            . . . . . . .
            . . X O . . .
            . X O . O . .
            . . X O . . .
            . . . . . . .
        "
        .parse()
        .unwrap();
        let mut board = diagram.to_board().unwrap();
        let taken = board.size().parse_point("D3").unwrap();
        board.play_unchecked(Color::Black, Move::Play(taken));
        let retaken = board.size().parse_point("C3").unwrap();
        assert_eq!(board.ko_point(), Some(retaken));
        let mut quick = QuickReader::default();
        let attack = quick.attack(&board, taken);
        assert_eq!((attack.outcome, attack.mv), (ReadingOutcome::KoSecond, Some(retaken)));
        let defence = quick.defend(&board, taken);
        assert_eq!((defence.outcome, defence.mv), (ReadingOutcome::Works, Some(retaken)), "it fills the ko");
        let mut reader = ChainReader::default();
        assert_eq!(reader.attack(&board, taken).outcome, ReadingOutcome::KoSecond);
        assert!(matches!(reader.chain_status(&board, taken), ChainStatus::InDanger { .. }));
        board.set_ko(None);
        assert_eq!(reader.attack(&board, taken).outcome, ReadingOutcome::KoFirst);
    }

    /// A random game of so many moves, on 9x9.
    pub(crate) fn random_position(rng: &mut ishi_rng::Rng, moves: usize) -> Board {
        let mut board = Board::new(BoardSize::square(9).unwrap());
        let mut color = Color::Black;
        for _ in 0..moves {
            let legal: Vec<Point> = board.empty_points().filter(|&p| board.is_legal(color, p)).collect();
            board.play_unchecked(color, Move::Play(legal[rng.next_below(legal.len() as u32) as usize]));
            color = !color;
        }
        board
    }

    /// A question whose defences are refuted one after the other ends with the moves of so many searches and of one answer more. Up to there
    /// it is read as without this bound. Three searches stand for the usual sixteen, which random positions hardly reach.
    #[test]
    fn a_question_ends_after_the_moves_of_so_many_searches() {
        const MOST: u32 = 30;
        const SEARCHES: u32 = 3;
        // The net for the move found, and an answer with four times the moves: up to four searches each.
        const ONE_MORE: u32 = 4 * (NET_NODES + MOVES_AFTER_REFUTATION * MOST);
        let bound = SEARCHES * MOST;
        let mut bounded = QuickReader { most_searches: SEARCHES, ..QuickReader::new(MOST) };
        let mut endless = QuickReader { most_searches: u32::MAX, ..QuickReader::new(MOST) };
        let mut rng = ishi_rng::Seed::new(16).stream("bound", 0);
        let mut cut_off = 0;
        for _ in 0..60 {
            let board = random_position(&mut rng, 40);
            for chain in board.chains() {
                let answer = bounded.defend(&board, chain.head());
                let without = endless.defend(&board, chain.head());
                assert!(
                    answer.nodes <= bound + ONE_MORE,
                    "{} moves: {} in\n{board}",
                    answer.nodes,
                    chain.head()
                );
                if answer.nodes < bound {
                    assert_eq!(answer, without, "{} in\n{board}", chain.head());
                } else {
                    cut_off += usize::from(without.nodes > answer.nodes);
                }
            }
        }
        assert!(cut_off >= 1, "the bound has to end some questions");
    }

    /// Where a ko came up but may change nothing, the search with threats finds the same.
    #[test]
    fn kos_that_forbid_nothing_are_not_asked_about_again() {
        let mut rng = ishi_rng::Seed::new(5).stream("kos", 0);
        let mut reader = QuickReader::new(1500);
        let mut spared = 0;
        for _ in 0..30 {
            let board = random_position(&mut rng, 45);
            for chain in board.chains() {
                for attacking in [true, false] {
                    let answer = reader.read_question(&board, chain.head(), attacking);
                    let works = match answer.outcome {
                        ReadingOutcome::Works => true,
                        ReadingOutcome::Fails => false,
                        ReadingOutcome::KoFirst | ReadingOutcome::KoSecond => continue,
                    };
                    if !reader.ko_seen || reader.ko_may_change(works, attacking) || reader.is_over {
                        continue;
                    }
                    let ko = if works == attacking { KoRight::Opponent } else { KoRight::Seeker };
                    let again = reader.solve_for(ko, attacking, 1500).0;
                    assert!(reader.is_over || again == works, "{} {attacking} in\n{board}", chain.head());
                    spared += 1;
                }
            }
        }
        assert!(spared >= 5, "{spared}");
    }
}
