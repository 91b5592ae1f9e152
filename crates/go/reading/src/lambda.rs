//! Lambda search by proof numbers: can a side reach a local goal if it moves first, and what can the other do?
//!
//! The side that wants the goal is the *seeker*. An attempt of order n threatens, with every move, to reach the goal by an
//! attempt of order n - 1 if the opponent does nothing (T. Thomsen, "Lambda-search in game trees, with application to Go",
//! 2000). The threat's proof says which points it depends on, its *zone*: the opponent tries these, and nothing else can
//! help. So nets, races and roundabout connections come out of the same few rules.
//!
//! Search: df-pn with orders (K. Yoshizoe, A. Kishimoto and M. Mueller, "Lambda depth-first proof number search and its
//! application to Go", 2007). Ko (劫) is a result of its own: what depends on one is searched again with either side free to
//! retake at once.

use ishi_go::{Board, BoardSize, Cell, Color, Point};

use crate::liberties::FewPoints;
use crate::point_set::PointSet;
use crate::proof::NOTHING;
use crate::watched::WatchedBoard;

/// What becomes of a question, for the side that asks; the better the greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReadingOutcome {
    /// It does not work.
    Fails,
    /// By a ko, and the other side takes first: a threat is needed before anything.
    KoSecond,
    /// It works by a ko that this side takes first.
    KoFirst,
    /// It works, whatever threats there are.
    Works,
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadingAnswer {
    /// What becomes of it.
    pub outcome: ReadingOutcome,
    /// The move that does it. None where nothing does it, and where nothing need be done.
    pub mv: Option<Point>,
    /// Moves that were played to find out.
    pub nodes: u32,
}

impl ReadingAnswer {
    /// The answer where a ko came up: what was found with nobody free to retake it, and what with one side free.
    pub(crate) fn from_ko_search(
        plain: (bool, Option<Point>),
        again: (bool, Option<Point>),
        nodes: u32,
    ) -> ReadingAnswer {
        let (outcome, mv) = match (plain.0, again.0) {
            (true, true) => (ReadingOutcome::Works, again.1),
            (true, false) => (ReadingOutcome::KoFirst, plain.1),
            (false, true) => (ReadingOutcome::KoSecond, again.1),
            (false, false) => (ReadingOutcome::Fails, plain.1),
        };
        ReadingAnswer { outcome, mv, nodes }
    }

    /// The answer to a question that is settled without reading.
    pub(crate) fn without_reading(outcome: ReadingOutcome) -> ReadingAnswer {
        ReadingAnswer { outcome, mv: None, nodes: 0 }
    }
}

/// How much is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadingEffort {
    /// Most moves for attempts of order 2, 3 and 4; those of lower orders have as many as the first. With 0 an order is left out, and
    /// all above it.
    pub nodes: [u32; 3],
}

impl Default for ReadingEffort {
    fn default() -> Self {
        ReadingEffort { nodes: [3000, 2000, 1000] }
    }
}

impl ReadingEffort {
    /// The highest order that is tried.
    fn highest_order(&self) -> u8 {
        let left_out = self.nodes.iter().position(|&nodes| nodes == 0).unwrap_or(self.nodes.len());
        ORDERS - (self.nodes.len() - left_out) as u8
    }
}

/// Deepest line of moves.
const DEPTH: usize = 60;
/// Positions that are remembered: a power of two.
const MEMORY: usize = 1 << 13;
/// No proof is possible: more than any sum.
const INFINITE: u32 = 1 << 28;
/// The highest order.
const ORDERS: u8 = 4;
/// What prevents the goal only as far as the moves sufficed is attacked once more, so many times in a question.
const CHECKS: u32 = 6;

/// Who may retake a ko at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KoRight {
    Nobody,
    Seeker,
    Opponent,
}

impl KoRight {
    /// Is it the right of the side that seeks (`seeking`), or of the other?
    pub(crate) fn is_of(self, seeking: bool) -> bool {
        self == if seeking { KoRight::Seeker } else { KoRight::Opponent }
    }
}

/// What the seeker wants. The board is that of the search.
pub(crate) trait LambdaGoal {
    /// Up to this order the goal answers for itself.
    const BASE: u8;

    /// Has the seeker's last move reached the goal for good? None: not reached, yet.
    fn is_reached(&self, search: &LambdaSearch, last: Point) -> Option<bool>;

    /// Moves in a row that the seeker needs at least; any number above `most` if more than so many.
    fn move_distance(&self, search: &LambdaSearch, most: usize) -> usize;

    /// The seeker's first move of an attempt of the order [`LambdaGoal::BASE`]; adds what the proof depends on to the zone.
    fn base_move(&self, search: &mut LambdaSearch, zone: &mut PointSet) -> Option<Point>;

    /// What the goal looks at anyway, to be noted once.
    fn noted_window(&self) -> Option<&PointSet> {
        None
    }

    /// Adds what any proof depends on in the position as it stands.
    fn add_zone(&self, search: &LambdaSearch, zone: &mut PointSet);

    /// Points by which an attempt of the order may begin: the likely ones, and others.
    fn candidate_moves(&self, search: &LambdaSearch, order: u8) -> [PointSet; 2];
}

/// Proof and disproof number of "the goal is reached".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct LambdaNumbers {
    proof: u32,
    disproof: u32,
}

impl LambdaNumbers {
    const PROVED: LambdaNumbers = LambdaNumbers { proof: 0, disproof: INFINITE };
    const DISPROVED: LambdaNumbers = LambdaNumbers { proof: INFINITE, disproof: 0 };
    const ANY: LambdaNumbers = LambdaNumbers { proof: INFINITE, disproof: INFINITE };

    fn reaches(self, threshold: LambdaNumbers) -> bool {
        self.proof >= threshold.proof || self.disproof >= threshold.disproof
    }

    fn is_known(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// What is known of a position: the numbers, the best move of the side to move, and the zone of a proof.
#[derive(Clone, Copy, Debug, Default)]
struct NodeValue {
    numbers: LambdaNumbers,
    mv: Option<Point>,
    zone: PointSet,
    /// The first position of the path that was repeated below, if a disproof rests on that; its index, or [`NOTHING`].
    rests_on: usize,
}

impl NodeValue {
    fn proved_by(mv: Option<Point>, zone: PointSet) -> NodeValue {
        NodeValue { numbers: LambdaNumbers::PROVED, mv, zone, rests_on: NOTHING }
    }

    fn disproved_by(mv: Option<Point>) -> NodeValue {
        NodeValue::without_zone(LambdaNumbers::DISPROVED, mv)
    }

    fn undecided_with(proof: u32, disproof: u32) -> NodeValue {
        NodeValue::without_zone(LambdaNumbers { proof, disproof }, None)
    }

    fn without_zone(numbers: LambdaNumbers, mv: Option<Point>) -> NodeValue {
        NodeValue { numbers, mv, zone: PointSet::EMPTY, rests_on: NOTHING }
    }

    fn resting_on(self, position: usize) -> NodeValue {
        NodeValue { rests_on: position, ..self }
    }

    fn is_disproved(&self) -> bool {
        self.numbers.disproof == 0
    }

    fn is_proved(&self) -> bool {
        self.numbers.proof == 0
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct LambdaEntry {
    mark: u64,
    value: NodeValue,
}

/// A position of the search: its place in the memory, and its mark there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LambdaKey {
    place: usize,
    mark: u64,
}

/// A step of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LambdaStep {
    /// The seeker stays and looks for an attempt of a lower order.
    Lower,
    Play(Point),
    /// The less likely moves, not yet looked at.
    Others,
}

/// A step of the search and what is known after it.
#[derive(Clone, Copy, Debug)]
struct LambdaChild {
    step: LambdaStep,
    value: NodeValue,
}

impl LambdaChild {
    /// The move by which the seeker goes on, if it is known.
    fn best_move(&self) -> Option<Point> {
        match self.step {
            LambdaStep::Play(point) => Some(point),
            LambdaStep::Lower => self.value.mv,
            LambdaStep::Others => None,
        }
    }
}

/// A search. Keeps its board and its memory from question to question; answers do not depend on earlier questions.
#[derive(Clone, Debug)]
pub(crate) struct LambdaSearch {
    pub(crate) board: WatchedBoard,
    pub(crate) seeker: Color,
    pub(crate) ko: KoRight,
    /// Moves played since the question.
    pub(crate) nodes: u32,
    /// Has the last move made a ko?
    pub(crate) by_ko: bool,
    effort: ReadingEffort,
    /// How many preventions that were not read to the end are checked, with twice the moves that found them.
    checks: u32,
    memory: Vec<LambdaEntry>,
    path: Vec<LambdaKey>,
    calls: u64,
    salt: u64,
    /// Where the search of this stage ends.
    limit: u32,
    ko_seen: bool,
    /// The order that is tried.
    stage: u8,
}

impl LambdaSearch {
    pub(crate) fn new(effort: ReadingEffort) -> LambdaSearch {
        let size = BoardSize::square(19).expect("a size");
        LambdaSearch {
            board: WatchedBoard::new(&Board::new(size)),
            seeker: Color::Black,
            ko: KoRight::Nobody,
            nodes: 0,
            by_ko: false,
            effort,
            checks: CHECKS,
            memory: vec![LambdaEntry::default(); MEMORY],
            path: Vec::new(),
            calls: 0,
            salt: 0,
            limit: 0,
            ko_seen: false,
            stage: 1,
        }
    }

    /// The same, believing what prevents the goal as far as the moves suffice.
    pub(crate) fn without_checks(self) -> LambdaSearch {
        LambdaSearch { checks: 0, ..self }
    }

    /// Does the seeker reach the goal if it moves first (`seeking`)? Does its opponent prevent it, moving first (not `seeking`)?
    pub(crate) fn ask_question<G: LambdaGoal>(
        &mut self,
        board: &Board,
        seeker: Color,
        goal: &G,
        seeking: bool,
    ) -> ReadingAnswer {
        self.set_question(board, seeker, goal);
        let found = self.solve_for(goal, KoRight::Nobody, seeking);
        self.complete_answer(goal, found, seeking)
    }

    /// Both questions at once: does the opponent prevent it, and does the seeker reach it?
    pub(crate) fn ask_both<G: LambdaGoal>(
        &mut self,
        board: &Board,
        seeker: Color,
        goal: &G,
    ) -> [ReadingAnswer; 2] {
        self.set_question(board, seeker, goal);
        self.begin_search(KoRight::Nobody);
        let attempt = self.first_attempt(goal);
        let (nodes, ko_seen, forbidden) = (self.nodes, self.ko_seen, self.board.forbidden());
        let found = self.find_prevention(goal, attempt);
        let prevention = self.complete_answer(goal, found, false);
        self.nodes = nodes;
        self.ko_seen = ko_seen;
        self.board.set_forbidden(forbidden);
        let found = (attempt.is_some(), attempt.and_then(|(_, threat)| threat.mv));
        [prevention, self.complete_answer(goal, found, true)]
    }

    fn set_question<G: LambdaGoal>(&mut self, board: &Board, seeker: Color, goal: &G) {
        self.board.set_position(board);
        if let Some(window) = goal.noted_window() {
            self.board.note_window(window);
        }
        self.seeker = seeker;
        self.nodes = 0;
        self.ko_seen = false;
        self.board.set_forbidden([false; 2]);
    }

    /// The answer, from what was found with nobody free to retake; where a ko came up it is searched again.
    fn complete_answer<G: LambdaGoal>(
        &mut self,
        goal: &G,
        (works, mv): (bool, Option<Point>),
        seeking: bool,
    ) -> ReadingAnswer {
        let plain = if works { ReadingOutcome::Works } else { ReadingOutcome::Fails };
        // If it works, does it against threats? If it fails, would a threat do? Not where no ko has forbidden anything to who has failed.
        let (ko, failed) =
            if works == seeking { (KoRight::Opponent, !self.seeker) } else { (KoRight::Seeker, self.seeker) };
        if !self.ko_seen || !self.board.forbidden()[failed.index()] {
            return ReadingAnswer { outcome: plain, mv, nodes: self.nodes };
        }
        ReadingAnswer::from_ko_search((works, mv), self.solve_for(goal, ko, seeking), self.nodes)
    }

    /// Does the side to move get its way, and by which move? What is not proved in time fails for the seeker.
    fn solve_for<G: LambdaGoal>(&mut self, goal: &G, ko: KoRight, seeking: bool) -> (bool, Option<Point>) {
        self.begin_search(ko);
        let attempt = self.first_attempt(goal);
        if seeking {
            return (attempt.is_some(), attempt.and_then(|(_, threat)| threat.mv));
        }
        self.find_prevention(goal, attempt)
    }

    fn begin_search(&mut self, ko: KoRight) {
        self.calls += 1;
        self.path.clear();
        self.ko = ko;
        self.salt = self.calls.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    /// The attempt of the lowest order, if one is found.
    fn first_attempt<G: LambdaGoal>(&mut self, goal: &G) -> Option<(u8, NodeValue)> {
        (G::BASE..=self.effort.highest_order())
            .find_map(|order| Some((order, self.find_attempt(goal, order)?)))
    }

    /// Does the opponent, moving first, prevent it, and by which move?
    ///
    /// Where the moves do not suffice, nothing is shown of the move found but that. So it is answered with all moves of the stage, twice what
    /// the search had. Where that refutes it, another one is looked for.
    fn find_prevention<G: LambdaGoal>(
        &mut self,
        goal: &G,
        attempt: Option<(u8, NodeValue)>,
    ) -> (bool, Option<Point>) {
        let Some((first, threat)) = attempt else { return (true, None) };
        let mut value = self.search_prevention(goal, first, &threat);
        for _ in 0..self.checks {
            let Some(point) = value.mv.filter(|_| !value.numbers.is_known()) else { break };
            let Some(order) = self.order_after(goal, point) else { break };
            value = self.search_prevention(goal, order.max(first), &threat);
        }
        if value.is_proved() { (false, None) } else { (true, value.mv) }
    }

    /// What the orders from this one on make of the position, in which the opponent moves against a proved threat.
    fn search_prevention<G: LambdaGoal>(&mut self, goal: &G, first: u8, threat: &NodeValue) -> NodeValue {
        let mut value = NodeValue::undecided_with(1, 1);
        for order in first..=self.effort.highest_order() {
            self.start_stage(order);
            if self.checks > 0 {
                self.limit -= self.moves_of_stage(order) / 2;
            }
            value = self.search_replies(goal, order, threat.zone, LambdaNumbers::ANY);
            if value.is_proved() {
                break;
            }
        }
        value
    }

    /// The lowest order of an attempt that is found after this move of the opponent.
    fn order_after<G: LambdaGoal>(&mut self, goal: &G, point: Point) -> Option<u8> {
        self.play(false, point);
        let attempt = self.first_attempt(goal);
        self.board.undo();
        attempt.map(|(order, _)| order)
    }

    /// An attempt of the order, if one is found.
    fn find_attempt<G: LambdaGoal>(&mut self, goal: &G, order: u8) -> Option<NodeValue> {
        self.start_stage(order);
        let mut value = self.probe_seeker_node(goal, order);
        if !value.numbers.is_known() {
            value = self.search_seeker_node(goal, order, LambdaNumbers::ANY);
        }
        value.is_proved().then_some(value)
    }

    fn start_stage(&mut self, order: u8) {
        self.stage = order;
        self.limit = self.nodes + self.moves_of_stage(order);
    }

    fn moves_of_stage(&self, order: u8) -> u32 {
        self.effort.nodes[(order as usize).saturating_sub(2)]
    }

    /// Plays, and keeps to the ruling on ko.
    pub(crate) fn play(&mut self, seeking: bool, point: Point) {
        self.nodes += 1;
        self.board.play(if seeking { self.seeker } else { !self.seeker }, point);
        self.by_ko = self.board.is_ko();
        if self.by_ko {
            self.ko_seen = true;
            if self.ko.is_of(!seeking) {
                self.board.lift_ko();
            }
        }
    }

    /// A node where the seeker moves.
    fn search_seeker_node<G: LambdaGoal>(
        &mut self,
        goal: &G,
        order: u8,
        threshold: LambdaNumbers,
    ) -> NodeValue {
        let key = self.position_key(true, order);
        let [likely, others] = goal.candidate_moves(self, order);
        let mut failed = NOTHING;
        let mut children = self.seeker_children(goal, order, &likely, &mut failed);
        if !others.is_empty() && !children.iter().any(|child| child.value.is_proved()) {
            // All unlikely moves are one child, until nothing else promises more.
            children.push(LambdaChild { step: LambdaStep::Others, value: NodeValue::undecided_with(1, 1) });
        }
        self.path.push(key);
        let mut value = loop {
            let (best, second, sum) = select_least(&children, |numbers| (numbers.proof, numbers.disproof));
            let Some(best) = best else { break NodeValue::disproved_by(None) };
            let child = children[best];
            // One move has to work, but all must be seen to fail.
            let numbers = LambdaNumbers { proof: child.value.numbers.proof, disproof: sum };
            let mv = child.best_move();
            if numbers.proof == 0 {
                break NodeValue::proved_by(mv, child.value.zone);
            }
            if numbers.reaches(threshold) || self.is_over() {
                break NodeValue::without_zone(numbers, mv);
            }
            // The child is left when the second one needs less, or when this node is as hard as its parent allows.
            let next = LambdaNumbers {
                proof: threshold.proof.min(second.saturating_add(1)),
                disproof: child_threshold(threshold.disproof, sum, child.value.numbers.disproof),
            };
            children[best].value = match child.step {
                LambdaStep::Lower => self.search_seeker_node(goal, order - 1, next),
                LambdaStep::Play(point) => {
                    self.play(true, point);
                    let value = self.search_opponent_node(goal, order, point, next);
                    self.board.undo();
                    value
                }
                LambdaStep::Others => {
                    children.swap_remove(best);
                    self.add_attempts(goal, order, &others, &mut children, &mut failed);
                    continue;
                }
            };
        };
        self.path.pop();
        if value.is_proved() {
            if let Some(point) = value.mv {
                value.zone.insert(point);
                self.add_rescue_points(point, &mut value.zone);
            }
            goal.add_zone(self, &mut value.zone);
        } else if value.is_disproved() {
            // What failed by repetition failed only as long as the repeated position is on the path.
            let rests_on = children.iter().map(|child| child.value.rests_on).fold(failed, usize::min);
            value = value.resting_on(rests_on);
        }
        self.remember_value(key, value)
    }

    /// What the seeker may try first, but for what can be seen to fail: an attempt of a lower order, and the likely moves. `failed` is
    /// lowered to what those that fail rest on.
    fn seeker_children<G: LambdaGoal>(
        &mut self,
        goal: &G,
        order: u8,
        likely: &PointSet,
        failed: &mut usize,
    ) -> Vec<LambdaChild> {
        let mut children = Vec::with_capacity(24);
        if order > G::BASE + 1 {
            let value = self.probe_seeker_node(goal, order - 1);
            if value.is_disproved() {
                *failed = value.rests_on.min(*failed);
            } else {
                children.push(LambdaChild { step: LambdaStep::Lower, value });
            }
            if value.is_proved() {
                return children;
            }
        }
        self.add_attempts(goal, order, likely, &mut children, failed);
        children
    }

    /// Adds moves of the seeker, but for those that can be seen to fail; ends with one that can be seen to work. `failed` as above.
    fn add_attempts<G: LambdaGoal>(
        &mut self,
        goal: &G,
        order: u8,
        points: &PointSet,
        children: &mut Vec<LambdaChild>,
        failed: &mut usize,
    ) {
        for point in points.iter() {
            if !self.board.is_legal(self.seeker, point) {
                continue;
            }
            self.play(true, point);
            let value = self.probe_opponent_node(goal, order, point);
            self.board.undo();
            if value.is_disproved() {
                *failed = value.rests_on.min(*failed);
            } else {
                children.push(LambdaChild { step: LambdaStep::Play(point), value });
            }
            if value.is_proved() {
                return;
            }
        }
    }

    /// A node where the opponent moves. First comes the seeker's threat; where that is not proved, the last move was no
    /// attempt of this order.
    fn search_opponent_node<G: LambdaGoal>(
        &mut self,
        goal: &G,
        order: u8,
        last: Point,
        threshold: LambdaNumbers,
    ) -> NodeValue {
        let key = self.position_key(false, order);
        self.path.push(key);
        self.board.pass();
        let mut value = self.probe_seeker_node(goal, order - 1);
        if !value.numbers.is_known() {
            let next = LambdaNumbers { proof: threshold.proof.saturating_sub(1).max(1), ..threshold };
            value = self.search_seeker_node(goal, order - 1, next);
        }
        self.board.undo();
        value.mv = None;
        if !value.numbers.is_known() {
            // The replies are still to come: the node is harder than its threat.
            value.numbers.proof += 1;
        }
        if value.is_proved() {
            self.add_weak_liberties(last, &mut value.zone);
            value = self.search_replies(goal, order, value.zone, threshold);
        }
        self.path.pop();
        self.remember_value(key, value)
    }

    /// A node where the opponent moves against a proved threat: only points of its zone can help.
    fn search_replies<G: LambdaGoal>(
        &mut self,
        goal: &G,
        order: u8,
        mut zone: PointSet,
        threshold: LambdaNumbers,
    ) -> NodeValue {
        let points = self.board.empty_of(&zone);
        let near = goal.candidate_moves(self, order)[0].intersection(&points);
        let others = points.difference(&near);
        let mut children = Vec::with_capacity(24);
        if let Some(refuted) = self.add_replies(goal, order, &near, &mut children) {
            return refuted;
        }
        children.push(LambdaChild { step: LambdaStep::Others, value: NodeValue::undecided_with(1, 1) });
        loop {
            let (best, second, sum) = select_least(&children, |numbers| (numbers.disproof, numbers.proof));
            let Some(best) = best.filter(|_| sum > 0) else {
                // The proof holds as long as nothing changes in any of the refutations.
                children.iter().for_each(|child| zone.add_set(&child.value.zone));
                goal.add_zone(self, &mut zone);
                return NodeValue::proved_by(None, zone);
            };
            let LambdaChild { step, value } = children[best];
            let mv = if let LambdaStep::Play(point) = step { Some(point) } else { None };
            let numbers = LambdaNumbers { proof: sum, disproof: value.numbers.disproof };
            if numbers.disproof == 0 {
                return NodeValue::disproved_by(mv).resting_on(value.rests_on);
            }
            if numbers.reaches(threshold) || self.is_over() {
                return NodeValue::without_zone(numbers, mv);
            }
            let Some(point) = mv else {
                children.swap_remove(best);
                if let Some(refuted) = self.add_replies(goal, order, &others, &mut children) {
                    return refuted;
                }
                continue;
            };
            let next = LambdaNumbers {
                proof: child_threshold(threshold.proof, sum, value.numbers.proof),
                disproof: threshold.disproof.min(second.saturating_add(1)),
            };
            self.play(false, point);
            children[best].value = self.search_seeker_node(goal, order, next);
            self.board.undo();
        }
    }

    /// Adds replies of the opponent; with one that can be seen to prevent the goal, what that makes of the position.
    fn add_replies<G: LambdaGoal>(
        &mut self,
        goal: &G,
        order: u8,
        points: &PointSet,
        children: &mut Vec<LambdaChild>,
    ) -> Option<NodeValue> {
        for point in points.iter() {
            if !self.board.is_legal(!self.seeker, point) {
                continue;
            }
            self.play(false, point);
            let value = self.probe_seeker_node(goal, order);
            self.board.undo();
            if value.is_disproved() {
                return Some(NodeValue::disproved_by(Some(point)).resting_on(value.rests_on));
            }
            children.push(LambdaChild { step: LambdaStep::Play(point), value });
        }
        None
    }

    fn is_over(&self) -> bool {
        self.nodes >= self.limit || self.path.len() > DEPTH
    }

    /// What can be said without search where the seeker moves.
    fn probe_seeker_node<G: LambdaGoal>(&mut self, goal: &G, order: u8) -> NodeValue {
        let distance = goal.move_distance(self, order as usize + 1);
        // The opponent may play elsewhere as often as the order says. The seeker has one move more than that in a row.
        if distance > order as usize + 1 {
            return NodeValue::disproved_by(None);
        }
        if distance <= G::BASE as usize + 1 {
            let mut zone = PointSet::EMPTY;
            let mv = goal.base_move(self, &mut zone);
            if mv.is_some() {
                return NodeValue::proved_by(mv, zone);
            }
        }
        if order == G::BASE {
            return NodeValue::disproved_by(None);
        }
        self.look_up(true, order, distance)
    }

    /// What can be said without search where the opponent moves.
    fn probe_opponent_node<G: LambdaGoal>(&mut self, goal: &G, order: u8, last: Point) -> NodeValue {
        if let Some(for_good) = goal.is_reached(self, last) {
            if !for_good {
                return NodeValue::disproved_by(None);
            }
            let mut zone = PointSet::EMPTY;
            goal.add_zone(self, &mut zone);
            self.add_weak_liberties(last, &mut zone);
            return NodeValue::proved_by(None, zone);
        }
        let distance = goal.move_distance(self, order as usize);
        if distance > order as usize {
            return NodeValue::disproved_by(None);
        }
        let value = self.look_up(false, order, distance);
        if order == G::BASE + 1 && !value.numbers.is_known() {
            self.board.pass();
            let threat = goal.base_move(self, &mut PointSet::default());
            self.board.undo();
            if threat.is_none() {
                return NodeValue::disproved_by(None);
            }
        }
        value
    }

    /// What is remembered of a position, or a first guess.
    fn look_up(&self, seeking: bool, order: u8, distance: usize) -> NodeValue {
        let key = self.position_key(seeking, order);
        if let Some(before) = self.path.iter().position(|&other| other == key) {
            // Round and round: that reaches nothing.
            return NodeValue::disproved_by(None).resting_on(before);
        }
        let entry = &self.memory[key.place];
        if entry.mark == key.mark {
            return entry.value;
        }
        NodeValue::undecided_with(distance as u32 * u32::from(order.saturating_sub(1).max(1)), 1)
    }

    /// Where a position is kept, and the mark by which it is known again. The place follows from what was played since the question
    /// alone: what stands elsewhere must not decide which positions drive each other out.
    fn position_key(&self, seeking: bool, order: u8) -> LambdaKey {
        let ko = self.board.new_ko().map_or(0, |point| point.index() as u64 + 1);
        let node = ko << 8 | u64::from(order) << 1 | u64::from(seeking);
        let mixed = self.board.played_hash() ^ node.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let mixed = mixed ^ mixed >> 32;
        let first_ko = u64::from(self.board.has_first_ko()) << 63;
        LambdaKey { place: mixed as usize & (MEMORY - 1), mark: mixed ^ self.salt ^ first_ko }
    }

    /// Remembers what is known of a position that has left the path, unless it rests on one that is still there: on another way it may
    /// be otherwise.
    fn remember_value(&mut self, key: LambdaKey, mut value: NodeValue) -> NodeValue {
        if value.rests_on >= self.path.len() {
            value.rests_on = NOTHING;
            self.memory[key.place] = LambdaEntry { mark: key.mark, value };
        }
        value
    }

    /// The chains of the colour beside a chain.
    pub(crate) fn chains_beside(&self, stone: Point, color: Color) -> FewPoints<24> {
        let mut heads = FewPoints::new();
        for stone in self.board.stones(stone) {
            for n in stone.neighbours() {
                if self.board.cell(n) == Cell::from(color) {
                    heads.add_point(self.board.head(n));
                }
            }
        }
        heads
    }

    /// Up to how many liberties a chain of the seeker is weak.
    pub(crate) fn few_liberties(&self) -> usize {
        self.stage as usize + 1
    }

    /// Adds the liberties of a chain of the seeker if it has so few that one stone more against it could matter.
    pub(crate) fn add_weak_liberties(&self, stone: Point, zone: &mut PointSet) {
        let few = self.few_liberties();
        if self.board.liberties_to(few + 1, stone) <= few {
            zone.add_set(self.board.liberties(stone));
        }
    }

    /// Adds what could save the chains that the seeker's move takes: the liberties of their weak neighbours.
    pub(crate) fn add_rescue_points(&self, point: Point, zone: &mut PointSet) {
        for n in point.neighbours() {
            if self.board.color(n) == Some(!self.seeker) && self.board.liberties_to(2, n) == 1 {
                for &neighbour in self.chains_beside(n, self.seeker).points() {
                    self.add_weak_liberties(neighbour, zone);
                }
            }
        }
    }
}

/// The child with the least of the first number, the second least, and the sum of the second numbers.
fn select_least(
    children: &[LambdaChild],
    of: impl Fn(LambdaNumbers) -> (u32, u32),
) -> (Option<usize>, u32, u32) {
    let (mut best, mut least, mut second, mut sum) = (None, INFINITE, INFINITE, 0_u32);
    for (i, child) in children.iter().enumerate() {
        let (number, other) = of(child.value.numbers);
        sum = (sum + other).min(INFINITE);
        if best.is_none() || number < least {
            second = least;
            least = number;
            best = Some(i);
        } else if number < second {
            second = number;
        }
    }
    (best, second, sum)
}

/// The threshold for one child of a node whose numbers are added up.
fn child_threshold(threshold: u32, sum: u32, own: u32) -> u32 {
    (threshold - sum).saturating_add(own).min(INFINITE)
}

#[cfg(test)]
mod tests {
    use ishi_rng::Seed;

    use super::*;
    use crate::capture::CaptureGoal;
    use crate::quick::tests::random_position;

    /// Where a ko came up but has forbidden nothing to who has failed, the search with threats finds the same.
    #[test]
    fn kos_that_forbid_nothing_are_not_asked_about_again() {
        let mut rng = Seed::new(6).stream("lambda kos", 0);
        let mut search = LambdaSearch::new(ReadingEffort { nodes: [300, 200, 100] });
        let mut spared = 0;
        for _ in 0..30 {
            let board = random_position(&mut rng, 45);
            for chain in board.chains() {
                let goal = CaptureGoal { prey: chain.head() };
                let seeker = !board.color(goal.prey).unwrap();
                for seeking in [true, false] {
                    let answer = search.ask_question(&board, seeker, &goal, seeking);
                    let works = match answer.outcome {
                        ReadingOutcome::Works => true,
                        ReadingOutcome::Fails => false,
                        ReadingOutcome::KoFirst | ReadingOutcome::KoSecond => continue,
                    };
                    let failed = if works == seeking { !seeker } else { seeker };
                    if !search.ko_seen || search.board.forbidden()[failed.index()] {
                        continue;
                    }
                    let ko = if works == seeking { KoRight::Opponent } else { KoRight::Seeker };
                    assert_eq!(search.solve_for(&goal, ko, seeking).0, works, "{} in\n{board}", goal.prey);
                    spared += 1;
                }
            }
        }
        assert!(spared >= 5, "{spared}");
    }
}
