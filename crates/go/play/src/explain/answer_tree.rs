//! How a proved answer goes on: what the other side can still try, and the reply to each try, as reading proves. So a problem does not end
//! with its first move.
//!
//! A tree is grown from a deed that is proved of a move: stones are caught, saved, connected, cut, killed or made to live. A try is a move after which
//! the deed would be undone by a second one, so that it must be answered. After each answer the deed is read once more. Where
//! reading contradicts itself anywhere, there is no tree.

use ishi_go::{Board, Color, Move, Point};
use ishi_knowledge::Reason;
use ishi_reading::{ChainReader, LifeReader, PointSet, ReadingAnswer, ReadingEffort, ReadingOutcome};
use ishi_work::Stop;

use super::explanation::{ComparedMove, ExplainedMove, Explanation};

/// Questions of reading that a tree takes at most: some tenths of a second.
const QUESTIONS: u32 = 120;
/// Tries that are told of a position, those after the first move first; as many follow each other at most as there are numbers.
const WIDTHS: [usize; 3] = [3, 2, 1];
/// Moves that may be tries are looked at so far, the nearest first.
const LOOKED_AT: [usize; 3] = [16, 10, 6];
/// Other replies to a first try that are told beside the one that was read first.
const OTHER_REPLIES: usize = 2;
/// Steps from the stones within which tries are looked for.
const NEAR: usize = 3;
/// Chains near the stones with so many liberties at most are attacked or saved by a try.
const WEAK: usize = 3;
/// The proof that a tree begins with is read as deeply as what is said of a move.
const DEEP: ReadingEffort = ReadingEffort { nodes: [12_000, 8_000, 4_000] };
/// Moves that are read for a question about a group's life.
const LIFE_MOVES: u32 = 20_000;

/// What a side has done for good: the other cannot undo it though it moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProvedGoal {
    /// The other side's chain of this stone cannot get away, or is off the board.
    Catches(Point),
    /// The own chain of this stone cannot be captured.
    Saves(Point),
    /// The own chains of these stones are connected.
    Connects([Point; 2]),
    /// The other side's chains of these stones cannot be connected.
    Cuts([Point; 2]),
    /// The other side's group of this stone is dead.
    Kills(Point),
    /// The own group of this stone lives.
    Lives(Point),
}

impl ProvedGoal {
    /// What a deed that is proved of a move has done; none if that is nothing of this sort, or hangs on a ko.
    pub fn from_deed(deed: &Reason) -> Option<ProvedGoal> {
        let about = deed.about?;
        Some(match deed.rule.name {
            "capture" | "ladder" | "net" | "take-stone" | "take-stones" => ProvedGoal::Catches(about),
            "save" | "save-by-capture" | "extend-from-atari" => ProvedGoal::Saves(about),
            "kill" => ProvedGoal::Kills(about),
            "live" => ProvedGoal::Lives(about),
            name if name.starts_with("connect") => ProvedGoal::Connects([about, deed.other?]),
            name if name.starts_with("cut") => ProvedGoal::Cuts([about, deed.other?]),
            _ => return None,
        })
    }

    /// The contrary, which the other side has done then.
    #[must_use]
    pub fn reversed(self) -> ProvedGoal {
        match self {
            ProvedGoal::Catches(stone) => ProvedGoal::Saves(stone),
            ProvedGoal::Saves(stone) => ProvedGoal::Catches(stone),
            ProvedGoal::Connects(stones) => ProvedGoal::Cuts(stones),
            ProvedGoal::Cuts(stones) => ProvedGoal::Connects(stones),
            ProvedGoal::Kills(stone) => ProvedGoal::Lives(stone),
            ProvedGoal::Lives(stone) => ProvedGoal::Kills(stone),
        }
    }

    /// Its name in data.
    pub fn name(self) -> &'static str {
        match self {
            ProvedGoal::Catches(_) => "catches",
            ProvedGoal::Saves(_) => "saves",
            ProvedGoal::Connects(_) => "connects",
            ProvedGoal::Cuts(_) => "cuts",
            ProvedGoal::Kills(_) => "kills",
            ProvedGoal::Lives(_) => "lives",
        }
    }

    /// The stones that it is about, one for each chain.
    pub fn stones(self) -> Vec<Point> {
        match self {
            ProvedGoal::Connects(stones) | ProvedGoal::Cuts(stones) => stones.to_vec(),
            ProvedGoal::Catches(stone)
            | ProvedGoal::Saves(stone)
            | ProvedGoal::Kills(stone)
            | ProvedGoal::Lives(stone) => vec![stone],
        }
    }

    /// Is it about stones of the side that reaches it? Else they are the other's.
    pub fn is_about_own(self) -> bool {
        matches!(self, ProvedGoal::Saves(_) | ProvedGoal::Connects(_) | ProvedGoal::Lives(_))
    }

    /// Whose stones it is about, if `side` reaches it.
    fn owner(self, side: Color) -> Color {
        if self.is_about_own() { side } else { !side }
    }

    /// How many stones the chain of its first stone has; none if that is off the board.
    fn count_stones(self, board: &Board, side: Color) -> Option<usize> {
        let stone = self.stones().first().copied()?;
        let is_there = board.color(stone) == Some(self.owner(side));
        board.chain(stone).filter(|_| is_there).map(|chain| board.chain_length(chain))
    }

    /// Is it settled for `side` without reading, because the stones are off the board? Whose stones are gone has lost.
    fn is_settled_by_captures(self, board: &Board, side: Color) -> Option<bool> {
        let owner = self.owner(side);
        let is_gone = self.stones().into_iter().any(|stone| board.color(stone) != Some(owner));
        is_gone.then_some(!self.is_about_own())
    }
}

/// A move of a tree, with the moves that may follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeMove {
    /// Who plays it.
    pub color: Color,
    /// Where.
    pub mv: Point,
    /// What may follow: tries of the other side, or the replies to this try. Of replies the first goes on, and the others are proved as well.
    pub replies: Vec<TreeMove>,
}

/// A tree that reading proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerTree {
    /// What is done.
    pub goal: ProvedGoal,
    /// Who has done it.
    pub side: Color,
    /// How many stones the chain of the first stone has that the goal names, or had when it was taken.
    pub stones: usize,
    /// Are stones that the goal names off the board after these moves already?
    pub is_taken: bool,
    /// The moves that do it: an answer alone, or a wrong move and the reply that refutes it.
    pub moves: Vec<(Color, Point)>,
    /// What the other side may try then, what resists longest first.
    pub tries: Vec<TreeMove>,
}

impl AnswerTree {
    /// The tree of an answer of `color` on this board, from the first of its proved deeds that leaves the other side something to try. `likely` is
    /// the reply that a search expects: it comes first if it is a try.
    pub fn of_answer(
        board: &Board,
        (color, answer): (Color, Point),
        deeds: &[&Reason],
        likely: Option<Point>,
        stop: &(dyn Stop + Sync),
    ) -> Option<AnswerTree> {
        let goals = deeds.iter().filter_map(|deed| ProvedGoal::from_deed(deed));
        let grown = goals.map(|goal| {
            let mut grower = TreeGrower::new(goal, color, stop);
            grower.grow_after(board, &[(color, answer)], likely)
        });
        grown.flatten().find(|tree| !tree.tries.is_empty())
    }

    /// The tree of a wrong move of `color`: the other side's reply after which the goal of the right answer cannot be reached any more. The reply
    /// that a search expects is taken if it proves that, else the one that is read.
    pub fn of_refutation(
        board: &Board,
        (color, wrong): (Color, Point),
        goal: ProvedGoal,
        expected: Option<Point>,
        stop: &(dyn Stop + Sync),
    ) -> Option<AnswerTree> {
        let mut grower = TreeGrower::new(goal.reversed(), !color, stop);
        let after = board_after(board, color, wrong);
        let grow = |grower: &mut TreeGrower<'_>, reply: Point| {
            let is_legal = after.is_legal(!color, reply);
            is_legal.then(|| grower.grow_after(board, &[(color, wrong), (!color, reply)], None)).flatten()
        };
        if let Some(tree) = expected.and_then(|reply| grow(&mut grower, reply)) {
            return Some(tree);
        }
        let read = grower.ask_for_own_move(&after)?;
        let reply = read.mv.filter(|_| read.outcome == ReadingOutcome::Works)?;
        grow(&mut grower, reply)
    }

    /// Its lines from the first of its moves on, each to where a try has failed. The tree alone if nothing can be tried.
    pub fn lines(&self) -> Vec<Vec<(Color, Point)>> {
        lines_of_tries(&self.moves, &self.tries)
    }
}

/// The trees of a lesson: of its answer, and of the move that was played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LessonTrees {
    /// What the answer does and the move that was played does not; none if reading proves nothing of the sort.
    pub goal: Option<ProvedGoal>,
    /// How the answer goes on; none if reading proves nothing, or nothing is left to try.
    pub answer: Option<AnswerTree>,
    /// How the move that was played is refuted.
    pub refutation: Option<AnswerTree>,
}

impl LessonTrees {
    /// Grows the trees of an answer to what an explanation explains.
    pub(super) fn grow(
        explanation: &Explanation,
        answer: Option<Point>,
        stop: &(dyn Stop + Sync),
    ) -> LessonTrees {
        let (board, color) = (explanation.position.board(), explanation.color);
        let mut compared = explanation.alternatives.iter().chain(&explanation.why_not);
        let answered = answer.and_then(|answer| compared.find(|other| other.mv.reasons.mv == answer));
        let (Some(answer), Some(ComparedMove { mv: known, .. })) = (answer, answered) else {
            return LessonTrees::default();
        };
        let played = explanation.mv.as_ref();
        let is_done_anyway = |deed: &Reason| {
            played.is_some_and(|played| played.reasons.effects.iter().any(|other| other.does_the_same(deed)))
        };
        let deeds: Vec<&Reason> = known.reasons.effects.iter().filter(|deed| !is_done_anyway(deed)).collect();
        let tree = AnswerTree::of_answer(board, (color, answer), &deeds, expected_reply(known), stop);
        let first_goal = deeds.iter().find_map(|deed| ProvedGoal::from_deed(deed));
        let goal = tree.as_ref().map(|tree| tree.goal).or(first_goal);
        let refute = |(goal, played): (ProvedGoal, &ExplainedMove)| {
            let wrong = (color, played.reasons.mv);
            AnswerTree::of_refutation(board, wrong, goal, expected_reply(played), stop)
        };
        LessonTrees { goal, answer: tree, refutation: goal.zip(played).and_then(refute) }
    }
}

/// The reply that a search expects; none if that is a pass.
fn expected_reply(mv: &ExplainedMove) -> Option<Point> {
    mv.variation.get(1)?.point()
}

/// A move of a tree with those that may follow, as a point or as a text.
pub(super) trait TreeNode: Sized {
    /// How a move is written.
    type Written: Clone;

    /// The move itself.
    fn own_move(&self) -> Self::Written;

    /// Replies to a try, of which the first goes on; tries after a reply.
    fn replies(&self) -> &[Self];
}

impl TreeNode for TreeMove {
    type Written = (Color, Point);

    fn own_move(&self) -> (Color, Point) {
        (self.color, self.mv)
    }

    fn replies(&self) -> &[TreeMove] {
        &self.replies
    }
}

/// The lines that begin with these moves, each to where a try has failed; the moves alone if nothing can be tried. Of several replies the first goes on.
pub(super) fn lines_of_tries<N: TreeNode>(before: &[N::Written], tries: &[N]) -> Vec<Vec<N::Written>> {
    if tries.is_empty() {
        return vec![before.to_vec()];
    }
    let answered = tries.iter().filter_map(|attempt| Some((attempt, attempt.replies().first()?)));
    let go_on = |(attempt, reply): (&N, &N)| {
        let both = [attempt.own_move(), reply.own_move()];
        lines_of_tries(&[before, &both].concat(), reply.replies())
    };
    answered.flat_map(go_on).collect()
}

fn board_after(board: &Board, color: Color, mv: Point) -> Board {
    let mut after = board.clone();
    after.play_unchecked(color, Move::Play(mv));
    after
}

/// A try that has to be answered, with the reply.
struct AnsweredTry {
    mv: Point,
    reply: Point,
    /// The board after both.
    after: Board,
    /// Moves that were read to find the reply: what takes longer resists longer.
    nodes: u32,
}

/// Reading contradicts itself, or somebody stops the work: nothing is proved.
struct Unproved;

/// Grows a tree by reading.
struct TreeGrower<'a> {
    goal: ProvedGoal,
    side: Color,
    chains: ChainReader,
    deep: ChainReader,
    lives: LifeReader,
    /// Questions that may still be asked.
    questions: u32,
    stop: &'a (dyn Stop + Sync),
}

impl<'a> TreeGrower<'a> {
    fn new(goal: ProvedGoal, side: Color, stop: &'a (dyn Stop + Sync)) -> TreeGrower<'a> {
        TreeGrower {
            goal,
            side,
            chains: ChainReader::default(),
            deep: ChainReader::new(DEEP),
            lives: LifeReader::new(LIFE_MOVES),
            questions: QUESTIONS,
            stop,
        }
    }

    /// The tree after these moves, if the goal is proved there.
    fn grow_after(
        &mut self,
        board: &Board,
        moves: &[(Color, Point)],
        likely: Option<Point>,
    ) -> Option<AnswerTree> {
        let mut here = board.clone();
        let mut stones = self.goal.count_stones(&here, self.side);
        for &(color, mv) in moves {
            here = board_after(&here, color, mv);
            // Of stones that are taken it is told how many they were.
            stones = self.goal.count_stones(&here, self.side).or(stones);
        }
        let settled = self.goal.is_settled_by_captures(&here, self.side);
        let tries = match settled {
            Some(true) => Vec::new(),
            Some(false) => return None,
            None if !self.is_proved_deeply(&here) => return None,
            None => self.grow_tries(&here, 0, likely).ok()?,
        };
        Some(AnswerTree {
            goal: self.goal,
            side: self.side,
            stones: stones.unwrap_or(1),
            is_taken: settled.is_some(),
            moves: moves.to_vec(),
            tries,
        })
    }

    /// What becomes of the goal if the other side moves first: that works if it is undone. None: no more is read.
    fn ask_for_other_side(&mut self, board: &Board) -> Option<ReadingAnswer> {
        self.ask(board, self.goal)
    }

    /// What becomes of the goal if its own side moves first.
    fn ask_for_own_move(&mut self, board: &Board) -> Option<ReadingAnswer> {
        self.ask(board, self.goal.reversed())
    }

    /// Is a goal undone by whoever does not want it and moves first?
    fn ask(&mut self, board: &Board, goal: ProvedGoal) -> Option<ReadingAnswer> {
        self.questions = self.questions.checked_sub(1)?;
        undo_goal(&mut self.chains, &mut self.lives, board, goal)
    }

    fn is_proved_deeply(&mut self, board: &Board) -> bool {
        let answer = undo_goal(&mut self.deep, &mut self.lives, board, self.goal);
        answer.is_some_and(|answer| answer.outcome == ReadingOutcome::Fails)
    }

    /// Is the goal still reached on this board, with the other side to move? None: no more is read.
    fn is_kept(&mut self, board: &Board) -> Option<bool> {
        match self.goal.is_settled_by_captures(board, self.side) {
            Some(settled) => Some(settled),
            None => Some(self.ask_for_other_side(board)?.outcome == ReadingOutcome::Fails),
        }
    }

    /// What the other side may try on a board where the goal is reached and it is to move. So many pairs of try and reply came before.
    fn grow_tries(
        &mut self,
        board: &Board,
        pairs: usize,
        likely: Option<Point>,
    ) -> Result<Vec<TreeMove>, Unproved> {
        let (Some(&width), Some(&most)) = (WIDTHS.get(pairs), LOOKED_AT.get(pairs)) else {
            return Ok(Vec::new());
        };
        let mut found: Vec<AnsweredTry> = Vec::new();
        for mv in self.candidates(board, !self.side, most, likely) {
            found.extend(self.answer_try(board, mv)?);
        }
        found.sort_by_key(|answered| (Some(answered.mv) != likely, std::cmp::Reverse(answered.nodes)));
        found.truncate(width);
        found.into_iter().map(|answered| self.grow_pair(board, &answered, pairs)).collect()
    }

    /// A try with its replies, and what follows the first of them.
    fn grow_pair(
        &mut self,
        board: &Board,
        answered: &AnsweredTry,
        pairs: usize,
    ) -> Result<TreeMove, Unproved> {
        let &AnsweredTry { mv, reply, .. } = answered;
        let is_over = self.goal.is_settled_by_captures(&answered.after, self.side).is_some();
        let tries = if is_over { Vec::new() } else { self.grow_tries(&answered.after, pairs + 1, None)? };
        let mut replies = vec![TreeMove { color: self.side, mv: reply, replies: tries }];
        if pairs == 0 {
            let others = self.other_replies(&board_after(board, !self.side, mv), reply);
            replies.extend(others.into_iter().map(|mv| TreeMove {
                color: self.side,
                mv,
                replies: Vec::new(),
            }));
        }
        Ok(TreeMove { color: !self.side, mv, replies })
    }

    /// The reply to a move of the other side; none if it threatens nothing, or no more is read.
    fn answer_try(&mut self, board: &Board, mv: Point) -> Result<Option<AnsweredTry>, Unproved> {
        if self.stop.is_requested() {
            return Err(Unproved);
        }
        let after = board_after(board, !self.side, mv);
        match self.goal.is_settled_by_captures(&after, self.side) {
            Some(true) => return Ok(None),
            Some(false) => return Err(Unproved),
            None => {}
        }
        let Some(threat) = self.ask_for_other_side(&after) else { return Ok(None) };
        if threat.outcome == ReadingOutcome::Fails {
            return Ok(None);
        }
        let Some(answer) = self.ask_for_own_move(&after) else { return Ok(None) };
        if answer.outcome != ReadingOutcome::Works {
            return Err(Unproved);
        }
        let Some(reply) = answer.mv.filter(|&reply| after.is_legal(self.side, reply)) else {
            return Ok(None);
        };
        let done = board_after(&after, self.side, reply);
        match self.is_kept(&done) {
            Some(true) => Ok(Some(AnsweredTry { mv, reply, after: done, nodes: answer.nodes })),
            Some(false) => Err(Unproved),
            None => Ok(None),
        }
    }

    /// Other replies to a try that are proved as well, of those that are near.
    fn other_replies(&mut self, board: &Board, known: Point) -> Vec<Point> {
        let mut found = Vec::new();
        for mv in self.candidates(board, self.side, LOOKED_AT[0], None) {
            if found.len() == OTHER_REPLIES {
                break;
            }
            if mv != known && self.is_kept(&board_after(board, self.side, mv)) == Some(true) {
                found.push(mv);
            }
        }
        found
    }

    /// Legal moves that may matter: the likely one, then the nearest to the stones of the goal, and the liberties of weak chains near them.
    fn candidates(&self, board: &Board, color: Color, most: usize, likely: Option<Point>) -> Vec<Point> {
        let stones = stones_of_chains(board, &self.goal.stones());
        let distance = |point: Point| stones.iter().map(|stone| stone.steps_to(point)).min().unwrap_or(0);
        let weak = liberties_of_weak_chains(board, &stones);
        let is_near = |&point: &Point| weak.contains(point) || distance(point) <= NEAR;
        let is_legal = |&point: &Point| board.is_legal(color, point);
        let mut near: Vec<Point> = board.size().points().filter(is_near).filter(is_legal).collect();
        near.sort_by_key(|&point| (Some(point) != likely, distance(point), point));
        near.truncate(most);
        near
    }
}

/// Can whoever does not want a goal undo it by moving first? None where groups cannot be read.
fn undo_goal(
    chains: &mut ChainReader,
    lives: &mut LifeReader,
    board: &Board,
    goal: ProvedGoal,
) -> Option<ReadingAnswer> {
    match goal {
        ProvedGoal::Catches(stone) => Some(chains.defend(board, stone)),
        ProvedGoal::Saves(stone) => Some(chains.attack(board, stone)),
        ProvedGoal::Connects([a, b]) => Some(chains.disconnect(board, a, b)),
        ProvedGoal::Cuts([a, b]) => Some(chains.connect(board, a, b)),
        ProvedGoal::Kills(stone) => lives.read_life(board, stone),
        ProvedGoal::Lives(stone) => lives.read_death(board, stone),
    }
}

/// All stones of the chains that these stand in.
fn stones_of_chains(board: &Board, named: &[Point]) -> PointSet {
    let chains = named.iter().filter_map(|&stone| board.chain(stone));
    chains.flat_map(|chain| board.chain_stones(chain)).collect()
}

/// The liberties of chains with few of them that stand within two steps of these stones.
fn liberties_of_weak_chains(board: &Board, stones: &PointSet) -> PointSet {
    let around = stones.with_neighbours().with_neighbours();
    let chains =
        board.size().points().filter(|&point| around.contains(point)).filter_map(|point| board.chain(point));
    let liberties = chains.map(|chain| board.chain_liberties(chain)).filter(|found| found.len() <= WEAK);
    liberties.flatten().collect()
}

#[cfg(test)]
mod tests {
    use ishi_words::Language;

    use super::super::lesson_words::tried_line_name;
    use super::super::scripted::{position_of_moves, scripted_explainer};
    use super::*;
    use crate::test_boards::{board_of_rows, point_of};

    /// `B D5` and so on.
    fn words(line: &[(Color, Point)]) -> Vec<String> {
        line.iter().map(|(color, point)| format!("{} {point}", color.letter())).collect()
    }

    fn grow(board: &Board, goal: ProvedGoal, side: Color, moves: &[(Color, &str)]) -> Option<AnswerTree> {
        let moves: Vec<(Color, Point)> =
            moves.iter().map(|&(color, vertex)| (color, point_of(board, vertex))).collect();
        TreeGrower::new(goal, side, &|| false).grow_after(board, &moves, None)
    }

    /// A net: wherever the caught stone runs, it is caught again, and each reply is read.
    const NET: &str = "
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . X . . .
        . . O . . . . . .
        . . O X . . . . .
        . . . O O . . . .
        . . . . . . . . .
        . . . . . . . . .
    ";

    /// Holds a tree against reading: every try undoes the goal if it is not answered, and no reply that is told leaves it undone.
    fn check_tree(board: &Board, tree: &AnswerTree) {
        let mut grower = TreeGrower::new(tree.goal, tree.side, &|| false);
        grower.questions = u32::MAX;
        let here = tree.moves.iter().fold(board.clone(), |here, &(color, mv)| board_after(&here, color, mv));
        check_tries(&mut grower, &here, &tree.tries);
    }

    fn check_tries(grower: &mut TreeGrower<'_>, here: &Board, tries: &[TreeMove]) {
        for attempt in tries {
            assert!(attempt.color != grower.side && here.is_legal(attempt.color, attempt.mv), "{attempt:?}");
            let after = board_after(here, attempt.color, attempt.mv);
            let threat = grower.ask_for_other_side(&after).unwrap();
            assert_ne!(threat.outcome, ReadingOutcome::Fails, "it threatens: {attempt:?}");
            assert!(!attempt.replies.is_empty(), "it is answered: {attempt:?}");
            for reply in &attempt.replies {
                assert!(reply.color == grower.side && after.is_legal(reply.color, reply.mv), "{reply:?}");
                let done = board_after(&after, reply.color, reply.mv);
                assert_eq!(grower.is_kept(&done), Some(true), "{reply:?}");
                check_tries(grower, &done, &reply.replies);
            }
        }
    }

    #[test]
    fn a_caught_stone_is_caught_wherever_it_runs() {
        let board = board_of_rows(NET);
        let goal = ProvedGoal::Catches(point_of(&board, "D4"));
        let tree = grow(&board, goal, Color::White, &[(Color::White, "E5")]).unwrap();
        assert_eq!((tree.goal, tree.side, tree.stones), (goal, Color::White, 1));
        assert!(!tree.tries.is_empty() && tree.tries.len() <= WIDTHS[0], "{tree:?}");
        check_tree(&board, &tree);
        let tried: Vec<Point> = tree.tries.iter().map(|attempt| attempt.mv).collect();
        assert!(
            tried.contains(&point_of(&board, "E4")) || tried.contains(&point_of(&board, "D5")),
            "{tried:?}"
        );
        for line in tree.lines() {
            assert!(line.len() >= 3 && line.len() % 2 == 1, "it ends with a reply: {line:?}");
            assert_eq!(words(&line)[0], "W E5");
        }
    }

    /// D5 lets the stone out: that is no proof, and there is no tree.
    #[test]
    fn where_nothing_is_proved_nothing_grows() {
        let board = board_of_rows(NET);
        let goal = ProvedGoal::Catches(point_of(&board, "D4"));
        assert_eq!(grow(&board, goal, Color::White, &[(Color::White, "D5")]), None);
        assert_eq!(grow(&board, goal, Color::White, &[(Color::White, "J9")]), None, "far away");
        let stopped = TreeGrower::new(goal, Color::White, &|| true).grow_after(
            &board,
            &[(Color::White, point_of(&board, "E5"))],
            None,
        );
        assert_eq!(stopped, None);
    }

    /// After White's move far away Black saves the stone, which a friend is near.
    #[test]
    fn a_wrong_move_is_refuted_by_what_undoes_the_answer() {
        let board = board_of_rows(
            "
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . X . . . . .
            . . . . . . . . .
            . . O X O . . . .
            . . . O . . . . .
            . . . . . . . . .
            . . . . . . . . .
            ",
        );
        let goal = ProvedGoal::Catches(point_of(&board, "D4"));
        let wrong = (Color::White, point_of(&board, "J9"));
        let refute = |expected: Option<&str>| {
            let expected = expected.map(|vertex| point_of(&board, vertex));
            AnswerTree::of_refutation(&board, wrong, goal, expected, &|| false)
        };
        let tree = refute(Some("D5")).unwrap();
        assert_eq!((tree.goal, tree.side), (goal.reversed(), Color::Black));
        assert_eq!(words(&tree.moves), ["W J9", "B D5"], "the search's reply, if it proves it");
        check_tree(&board, &tree);
        // A reply that proves nothing is replaced by what reading finds. Where reading contradicts itself, there is none.
        let replaced = refute(Some("A1"));
        assert_eq!(replaced, refute(None));
        if let Some(read) = replaced {
            assert_ne!(read.moves[1].1, point_of(&board, "A1"));
            check_tree(&board, &read);
        }
    }

    /// Stones that the reply takes at once are counted as they were just before.
    #[test]
    fn a_refutation_says_how_many_stones_it_takes() {
        let board = board_of_rows(
            "
            . . . . . . .
            . . . . . . .
            O O O O O O .
            X X X X X . .
            ",
        );
        let goal = ProvedGoal::Saves(point_of(&board, "A1"));
        let refute = |wrong: &str, reply: &str| {
            let wrong = (Color::Black, point_of(&board, wrong));
            AnswerTree::of_refutation(&board, wrong, goal, Some(point_of(&board, reply)), &|| false).unwrap()
        };
        let taken = refute("G4", "F1");
        assert_eq!((taken.goal, taken.stones, taken.is_taken), (goal.reversed(), 5, true));
        assert_eq!(
            (words(&taken.moves), taken.tries.len()),
            (["B G4", "W F1"].map(String::from).to_vec(), 0)
        );
        let name = |language| tried_line_name(&taken, language);
        assert_eq!(name(Language::English), "The 5 stones at A1 are caught.");
        assert_eq!(name(Language::Japanese), "A1の5子は取られました。");
        assert_eq!(refute("F1", "G1").stones, 6, "with the one that was added");
    }

    /// Three points in a row: after the middle one is taken there is nothing that needs an answer, or each try is answered.
    #[test]
    fn a_group_that_is_killed_stays_dead() {
        let board = board_of_rows(
            "
            . . . . . . .
            O O O O O . .
            X X X X O . .
            . . . X O . .
            ",
        );
        let goal = ProvedGoal::Kills(point_of(&board, "A2"));
        let tree = grow(&board, goal, Color::White, &[(Color::White, "B1")]).unwrap();
        check_tree(&board, &tree);
        assert_eq!(grow(&board, goal, Color::White, &[(Color::White, "G4")]), None, "it lives by B1");
    }

    /// The answer of a lesson nets a stone, and the move that was played does nothing about it.
    #[test]
    fn a_lesson_has_the_trees_of_its_answer_and_of_its_mistake() {
        let position = position_of_moves(&["D4", "C4", "D7", "C5", "H7", "D3", "G8", "E3", "J5"]);
        let point = |vertex: &str| position.size().parse_point(vertex).unwrap();
        let (net, far) = (point("E5"), point("A8"));
        let explanation = scripted_explainer().explain_move(&position, Some(far.into()), &[net]);
        let trees = LessonTrees::grow(&explanation, Some(net), &|| false);
        assert_eq!(trees.goal, Some(ProvedGoal::Catches(point("D4"))));
        let answer = trees.answer.unwrap();
        assert_eq!((answer.side, answer.moves.as_slice()), (Color::White, &[(Color::White, net)][..]));
        check_tree(position.board(), &answer);
        let refuted = trees.refutation.unwrap();
        assert_eq!((refuted.side, refuted.goal), (Color::Black, ProvedGoal::Saves(point("D4"))));
        assert_eq!(refuted.moves[0], (Color::White, far));
        check_tree(position.board(), &refuted);
        let nothing = LessonTrees::default();
        assert_eq!(LessonTrees::grow(&explanation, Some(point("J9")), &|| false), nothing, "not explained");
        assert_eq!(LessonTrees::grow(&explanation, None, &|| false), nothing, "a pass is better");
    }

    #[test]
    fn two_stones_stay_connected() {
        let board = board_of_rows(
            "
            . . . . . . .
            . . . . . . .
            . . O . . . .
            . X . X . . .
            . . . . . . .
            . . . . . . .
            . . . . . . .
            ",
        );
        let goal = ProvedGoal::Connects(["B4", "D4"].map(|vertex| point_of(&board, vertex)));
        let tree = grow(&board, goal, Color::Black, &[(Color::Black, "C4")]).unwrap();
        assert_eq!(
            tree.lines(),
            std::slice::from_ref(&tree.moves),
            "they are one chain: nothing can be tried"
        );
    }

    #[test]
    fn whose_stones_are_gone_has_lost() {
        let board = board_of_rows(". . . . .\n. . . . .\n. . X . .\n. . . . .\n. . . . .\n");
        let [stone, gone] = ["C3", "A1"].map(|vertex| point_of(&board, vertex));
        let settled = |goal: ProvedGoal, side| goal.is_settled_by_captures(&board, side);
        assert_eq!(settled(ProvedGoal::Catches(gone), Color::White), Some(true));
        assert_eq!(settled(ProvedGoal::Saves(gone), Color::Black), Some(false));
        assert_eq!(settled(ProvedGoal::Catches(stone), Color::White), None);
        assert_eq!(settled(ProvedGoal::Connects([stone, gone]), Color::Black), Some(false));
        assert_eq!(settled(ProvedGoal::Cuts([stone, gone]), Color::White), Some(true));
    }
}
