//! Questions of tactics, answered by whatever answers them best: proofs where they can be had, and where they cannot, the share
//! of playouts (see [`crate::go_mcts::search_fate`]).
//!
//! Captures are read quickly, in less time than GNU Go takes; groups and connections are best judged, as what is open there is
//! mostly which points matter; races are proved if they can be read to the end. docs/notes/reading.md has the figures.

use std::collections::VecDeque;

use ishi_go::{Board, Color, Move, Point};
use ishi_knowledge::{Fate as GroupFate, GroupStrength, Oracle};
use ishi_reading::{ChainReader, LifeReader, QuickReader, RaceReader, ReadingAnswer, ReadingOutcome};
use ishi_rng::Seed;

use crate::go_mcts::{FateGoal, FateParams, SearchedFate, search_fate};

/// An answer for the side that moves first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TacticsVerdict {
    /// What becomes of it.
    pub outcome: ReadingOutcome,
    /// The move that does it; a pass where nothing need be done, or nothing helps.
    pub mv: Move,
    /// Share of playouts in which it works, 0 to 1. None: it was read, not judged.
    pub judged: Option<f64>,
}

impl TacticsVerdict {
    fn from_answer(answer: ReadingAnswer) -> TacticsVerdict {
        TacticsVerdict { outcome: answer.outcome, mv: answer.mv.map_or(Move::Pass, Move::Play), judged: None }
    }

    fn from_known_move(mv: Point) -> TacticsVerdict {
        TacticsVerdict { outcome: ReadingOutcome::Works, mv: mv.into(), judged: None }
    }

    fn from_fate(fate: &SearchedFate) -> TacticsVerdict {
        let (outcome, mv) =
            if fate.works() { (ReadingOutcome::Works, fate.mv) } else { (ReadingOutcome::Fails, Move::Pass) };
        TacticsVerdict { outcome, mv, judged: Some(fate.success) }
    }

    /// Does it work, be it by ko?
    pub fn works(&self) -> bool {
        self.outcome != ReadingOutcome::Fails
    }

    /// Was it read, or do most playouts succeed, or hardly any?
    fn is_sure(&self) -> bool {
        self.judged.is_none_or(|share| !(HARDLY_ANY..MOST).contains(&share))
    }
}

/// Shares of successful playouts below which, and from which, what is judged may be told: of what lies between much is contradicted by
/// ten times the playouts.
const HARDLY_ANY: f64 = 0.25;
const MOST: f64 = 0.65;

/// Share of successful playouts from which a race that could not be read counts as won.
const RACE_HOPE: f64 = 0.05;

/// Moves that may be read for a group, for each playout that would judge it: for a single question, and for a status. On GNU Go's
/// problems what takes longer to read is right less often than playouts, but for the statuses, which are of closed corners.
const MOVES_A_PLAYOUT: [u32; 2] = [75, 400];

/// Moves that are read at most for each question of a race: some 1.5 s. What is read to the end is mostly right (on GNU Go's problems 297 of
/// 340 pairs of codes), what is judged mostly wrong.
const MOVES_OF_A_RACE: u32 = 3_000_000;

/// How a group stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GroupStatus {
    /// Its opponent cannot kill it.
    Alive,
    /// Who moves first decides.
    Critical {
        /// The opponent's first move.
        kill: TacticsVerdict,
        /// The owner's.
        save: TacticsVerdict,
    },
    /// Its owner cannot save it.
    Dead {
        /// How it is killed.
        kill: TacticsVerdict,
    },
}

/// A question about a group: the board's hash, its ko and the stone.
type GroupQuestion = (u64, Option<Point>, Point);

/// Moves that may be read for each move of a line that is told.
const MOVES_OF_A_LINE: u32 = 5000;

/// Answers questions of tactics. Answers do not depend on earlier questions.
///
/// ```
/// use ishi_go_play::tactics::{GroupStatus, Tactics};
/// use ishi_go::Diagram;
/// use ishi_rng::Seed;
/// let diagram: Diagram = "
///     . . . . . . .
///     X X X X X . .
///     O O O O X . .
///     . . . O X . .
/// ".parse().unwrap();
/// let board = diagram.to_board().unwrap();
/// let stone = board.size().parse_point("A2").unwrap();
/// let status = Tactics::new(Seed::new(1)).status(&board, stone);
/// assert!(matches!(status, GroupStatus::Critical { .. }));
/// ```
pub struct Tactics {
    quick: QuickReader,
    reader: ChainReader,
    races: Option<RaceReader>,
    lives: [Option<LifeReader>; 2],
    lines: Option<LifeReader>,
    fates: FateParams,
    /// So many times the playouts of `fates` are made: more than once where it matters.
    thought: u64,
    seed: Seed,
    /// Captures are judged, too, where reading alone is not sure.
    judges_captures: bool,
    /// What was read, or judged with more thought: moves of one position ask the same of it.
    sure: VecDeque<(GroupQuestion, Option<GroupFate>)>,
}

impl Tactics {
    /// Readers with their usual effort; everything random follows from the seed.
    pub fn new(seed: Seed) -> Tactics {
        Tactics {
            quick: QuickReader::default(),
            reader: ChainReader::default(),
            races: None,
            lives: [None, None],
            lines: None,
            fates: FateParams::default(),
            thought: 1,
            seed,
            judges_captures: false,
            sure: VecDeque::new(),
        }
    }

    /// The same with so many playouts for what is judged.
    pub fn with_playouts(self, playouts: u64) -> Tactics {
        Tactics { fates: FateParams { playouts, ..self.fates }, ..self }
    }

    /// The same with captures judged by playouts, as groups are, where they are not read to work: it takes some hundred times
    /// as long as reading alone.
    pub fn judging_captures(self) -> Tactics {
        Tactics { judges_captures: true, ..self }
    }

    /// Can the chain of the stone be captured if its opponent moves first? It is read quickly. Where that contradicts itself it is answered as
    /// [`Tactics::kill`] is. See [`Tactics::judging_captures`].
    pub fn attack(&mut self, board: &Board, stone: Point) -> TacticsVerdict {
        if !self.judges_captures {
            let read = self.quick.attack(board, stone);
            return match self.contradicts_itself(read, board, stone, true) {
                true => self.kill(board, stone),
                false => TacticsVerdict::from_answer(read),
            };
        }
        match self.reader.attack(board, stone) {
            read if read.outcome != ReadingOutcome::Fails => TacticsVerdict::from_answer(read),
            _ => self.judge_goal(board, FateGoal::Live(stone), board.color(stone).map(|owner| !owner)),
        }
    }

    /// Can the chain of the stone be saved if its owner moves first? It is read quickly. Where that contradicts itself it is answered as
    /// [`Tactics::save`] is. See [`Tactics::judging_captures`], with which only kos are read.
    pub fn defend(&mut self, board: &Board, stone: Point) -> TacticsVerdict {
        if !self.judges_captures {
            let read = self.quick.defend(board, stone);
            return match self.contradicts_itself(read, board, stone, false) {
                true => self.save(board, stone),
                false => TacticsVerdict::from_answer(read),
            };
        }
        let read = self.reader.defend(board, stone);
        self.judge_unless_ko(read, board, FateGoal::Live(stone), board.color(stone))
    }

    /// Does the quick reader say that the other side has its way, without a ko, after the move that was to work? A move that needs a threat
    /// first is no contradiction.
    fn contradicts_itself(
        &mut self,
        read: ReadingAnswer,
        board: &Board,
        stone: Point,
        attacking: bool,
    ) -> bool {
        let claims = read.outcome >= ReadingOutcome::KoFirst;
        let (Some(owner), Some(mv)) = (board.color(stone), read.mv.filter(|_| claims)) else { return false };
        let mut after = board.clone();
        after.play_unchecked(if attacking { !owner } else { owner }, mv.into());
        // The move has taken the chain at once: there is nothing left to answer.
        if after.color(stone) != Some(owner) {
            return false;
        }
        let reply =
            if attacking { self.quick.defend(&after, stone) } else { self.quick.attack(&after, stone) };
        reply.outcome == ReadingOutcome::Works
    }

    /// Can the chains of the stones be connected if their owner moves first?
    pub fn connect(&mut self, board: &Board, a: Point, b: Point) -> TacticsVerdict {
        let read = self.reader.connect(board, a, b);
        self.judge_unless_ko(read, board, FateGoal::Join(a, b), board.color(a))
    }

    /// Can the chains of the stones be cut if their opponent moves first?
    pub fn disconnect(&mut self, board: &Board, a: Point, b: Point) -> TacticsVerdict {
        let read = self.reader.disconnect(board, a, b);
        self.judge_unless_ko(read, board, FateGoal::Join(a, b), board.color(a).map(|owner| !owner))
    }

    /// Can the group of the stone be killed if its opponent moves first? Read if it is closed in, otherwise judged.
    pub fn kill(&mut self, board: &Board, stone: Point) -> TacticsVerdict {
        let read = self.life_reader(false).read_death(board, stone);
        self.read_or_judged(read, board, stone, true)
    }

    /// Can the group of the stone be saved if its owner moves first? Read if it is closed in, otherwise judged.
    pub fn save(&mut self, board: &Board, stone: Point) -> TacticsVerdict {
        if let Some(mv) = saving_capture(board, stone) {
            return TacticsVerdict::from_known_move(mv);
        }
        let read = self.life_reader(false).read_life(board, stone);
        self.read_or_judged(read, board, stone, false)
    }

    /// How the group of the stone stands. A ko that needs a threat before anything counts for the other side.
    pub fn status(&mut self, board: &Board, stone: Point) -> GroupStatus {
        self.status_by(board, stone).0
    }

    /// The same, read if that can be, otherwise judged; and was it read all through?
    fn status_by(&mut self, board: &Board, stone: Point) -> (GroupStatus, bool) {
        let prevails = |verdict: &TacticsVerdict| verdict.outcome >= ReadingOutcome::KoFirst;
        let read = self.life_reader(true).read_death(board, stone);
        let kill = self.read_or_judged(read, board, stone, true);
        if !prevails(&kill) {
            return (GroupStatus::Alive, read.is_some());
        }
        let is_read = read.is_some();
        let (save, is_saved_by_reading) = match saving_capture(board, stone) {
            Some(mv) => (TacticsVerdict::from_known_move(mv), true),
            None => {
                let read = self.life_reader(true).read_life(board, stone);
                (self.read_or_judged(read, board, stone, false), read.is_some())
            }
        };
        let status =
            if prevails(&save) { GroupStatus::Critical { kill, save } } else { GroupStatus::Dead { kill } };
        (status, is_read && is_saved_by_reading)
    }

    /// The status of a group by playouts alone; none if they leave a doubt.
    fn judged_status(&mut self, board: &Board, stone: Point) -> Option<GroupStatus> {
        let owner = board.color(stone);
        let kill = self.judge_goal(board, FateGoal::Live(stone), owner.map(|owner| !owner));
        if !kill.is_sure() {
            return None;
        }
        if !kill.works() {
            return Some(GroupStatus::Alive);
        }
        let save = match saving_capture(board, stone) {
            Some(mv) => TacticsVerdict::from_known_move(mv),
            None => self.judge_goal(board, FateGoal::Live(stone), owner),
        };
        let status =
            if save.works() { GroupStatus::Critical { kill, save } } else { GroupStatus::Dead { kill } };
        save.is_sure().then_some(status)
    }

    /// Remembers what is sure of a group.
    fn remember_fate(&mut self, question: GroupQuestion, fate: Option<GroupFate>) {
        if self.sure.len() >= REMEMBERED {
            self.sure.pop_front();
        }
        self.sure.push_back((question, fate));
    }

    fn read_or_judged(
        &self,
        read: Option<ReadingAnswer>,
        board: &Board,
        stone: Point,
        attacking: bool,
    ) -> TacticsVerdict {
        let mover = |owner: Color| if attacking { !owner } else { owner };
        match read {
            Some(read) => TacticsVerdict::from_answer(read),
            None => self.judge_goal(board, FateGoal::Live(stone), board.color(stone).map(mover)),
        }
    }

    /// Asks with more playouts.
    fn with_more_thought<T>(&mut self, ask: impl FnOnce(&mut Tactics) -> T) -> T {
        self.thought = SURE;
        let answer = ask(self);
        self.thought = 1;
        answer
    }

    /// The reader of groups: for a single question, or for the status of a group.
    fn life_reader(&mut self, for_status: bool) -> &mut LifeReader {
        let playouts = u32::try_from(self.fates.playouts).unwrap_or(u32::MAX);
        let most = playouts.saturating_mul(MOVES_A_PLAYOUT[usize::from(for_status)]);
        self.lives[usize::from(for_status)].get_or_insert_with(|| LifeReader::new(most))
    }

    /// The race of two chains if the owner of `own` moves first: does `own` survive, and does `rival` fall? Both moves are a pass where the
    /// opponent can change nothing of it by moving first, and where nothing helps.
    pub fn read_race(&mut self, board: &Board, own: Point, rival: Point) -> [TacticsVerdict; 2] {
        let [survives, falls] =
            [self.survives_race(board, own, rival), self.falls_in_race(board, rival, own)];
        let is_kept = !(survives.works() && self.falls_in_race(board, own, rival).works());
        if is_kept && !(falls.works() && self.survives_race(board, rival, own).works()) {
            return [survives, falls].map(|verdict| TacticsVerdict { mv: Move::Pass, ..verdict });
        }
        [survives, falls]
    }

    /// Does the chain of `stone` survive its race if its owner moves first?
    fn survives_race(&mut self, board: &Board, stone: Point, rival: Point) -> TacticsVerdict {
        let read = self.race_reader().read_survival(board, stone, rival);
        read.map_or_else(|| self.judge_race(board, stone, board.color(stone)), TacticsVerdict::from_answer)
    }

    /// Does the chain of `stone` fall in its race if the owner of `rival` moves first?
    fn falls_in_race(&mut self, board: &Board, stone: Point, rival: Point) -> TacticsVerdict {
        let read = self.race_reader().read_fall(board, stone, rival);
        read.map_or_else(|| self.judge_race(board, stone, board.color(rival)), TacticsVerdict::from_answer)
    }

    fn race_reader(&mut self) -> &mut RaceReader {
        self.races.get_or_insert_with(|| RaceReader::new(MOVES_OF_A_RACE))
    }

    /// A race that could not be read to the end. Playouts play long races badly, and mostly lose what the right order of moves would win: a small
    /// share of successes is enough.
    fn judge_race(&self, board: &Board, stone: Point, to_move: Option<Color>) -> TacticsVerdict {
        let Some(to_move) = to_move else { return self.judge_goal(board, FateGoal::Live(stone), None) };
        let found = self.fate_by_playouts(board, FateGoal::Live(stone), to_move);
        if found.success > RACE_HOPE {
            TacticsVerdict { outcome: ReadingOutcome::Works, mv: found.mv, judged: Some(found.success) }
        } else {
            TacticsVerdict::from_fate(&found)
        }
    }

    /// Kos are read; what works or fails without one is judged.
    fn judge_unless_ko(
        &self,
        read: ReadingAnswer,
        board: &Board,
        goal: FateGoal,
        to_move: Option<Color>,
    ) -> TacticsVerdict {
        match read.outcome {
            ReadingOutcome::KoFirst | ReadingOutcome::KoSecond => TacticsVerdict::from_answer(read),
            ReadingOutcome::Works | ReadingOutcome::Fails => self.judge_goal(board, goal, to_move),
        }
    }

    fn fate_by_playouts(&self, board: &Board, goal: FateGoal, to_move: Color) -> SearchedFate {
        let playouts = self.thought.saturating_mul(self.fates.playouts);
        search_fate(board, goal, to_move, &FateParams { playouts, ..self.fates }, self.seed)
    }

    fn judge_goal(&self, board: &Board, goal: FateGoal, to_move: Option<Color>) -> TacticsVerdict {
        match to_move {
            Some(color) => TacticsVerdict::from_fate(&self.fate_by_playouts(board, goal, color)),
            None => TacticsVerdict { outcome: ReadingOutcome::Fails, mv: Move::Pass, judged: None },
        }
    }
}

/// How many times as many playouts judge what is about to be said.
const SURE: u64 = 2;
/// Fates that are remembered at most.
const REMEMBERED: usize = 100;

/// To take more stones than a nakade has makes two eyes.
const NAKADE: usize = 6;

/// The last liberty of so many stones beside the chain of a stone.
fn saving_capture(board: &Board, stone: Point) -> Option<Point> {
    let owner = board.color(stone)?;
    let beside = board.chain_stones(board.chain(stone)?).flat_map(Point::neighbours);
    let enemies = beside.filter(|&point| board.color(point) == Some(!owner));
    let large =
        enemies.filter_map(|enemy| board.chain(enemy)).filter(|&chain| board.chain_length(chain) > NAKADE);
    large.filter_map(|chain| board.atari_liberty(chain)).find(|&last| board.is_legal(owner, last))
}

fn fate_of_status(status: &GroupStatus) -> GroupFate {
    let (strength, kill, save) = match status {
        GroupStatus::Alive => (GroupStrength::Alive, None, None),
        GroupStatus::Critical { kill, save } => (GroupStrength::Critical, kill.mv.point(), save.mv.point()),
        GroupStatus::Dead { kill } => (GroupStrength::Dead, kill.mv.point(), None),
    };
    GroupFate { strength, kill, save }
}

impl Tactics {
    /// The fate of the group of a stone; and was it read all through, rather than judged by playouts?
    pub(crate) fn fate_and_source(&mut self, board: &Board, stone: Point) -> (GroupFate, bool) {
        let (status, is_read) = self.status_by(board, stone);
        let fate = fate_of_status(&status);
        if is_read {
            self.remember_fate((board.hash(), board.ko_point(), stone), Some(fate));
        }
        (fate, is_read)
    }
}

impl Oracle for Tactics {
    fn fate(&mut self, board: &Board, stone: Point) -> Option<GroupFate> {
        Some(self.fate_and_source(board, stone).0)
    }

    /// What was read is sure; the rest is judged by more playouts, as reading has been tried.
    fn sure_fate(&mut self, board: &Board, stone: Point) -> Option<GroupFate> {
        let question = (board.hash(), board.ko_point(), stone);
        if let Some(&(_, fate)) = self.sure.iter().find(|(known, _)| *known == question) {
            return fate;
        }
        let fate = self.with_more_thought(|tactics| tactics.judged_status(board, stone));
        let fate = fate.as_ref().map(fate_of_status);
        self.remember_fate(question, fate);
        fate
    }

    /// Read with little effort, otherwise judged: it is asked of many moves.
    fn is_settled(&mut self, board: &Board, stone: Point, alive: bool, told: bool) -> bool {
        if !told {
            return !if alive { self.kill(board, stone) } else { self.save(board, stone) }.works();
        }
        let verdict = self.with_more_thought(|tactics| match alive {
            true => tactics.kill(board, stone),
            false => tactics.save(board, stone),
        });
        !verdict.works() && verdict.is_sure()
    }

    fn fight_sequence(&mut self, board: &Board, stone: Point, attacking: bool) -> Vec<(Color, Point)> {
        self.lines
            .get_or_insert_with(|| LifeReader::new(MOVES_OF_A_LINE))
            .read_sequence(board, stone, attacking)
    }

    fn can_connect(&mut self, board: &Board, [a, b]: [Point; 2]) -> Option<bool> {
        // Asked whether they might: only a sure no is one.
        let verdict = self.with_more_thought(|tactics| tactics.connect(board, a, b));
        Some(verdict.works() || !verdict.is_sure())
    }

    fn can_cut(&mut self, board: &Board, [a, b]: [Point; 2]) -> Option<bool> {
        Some(self.with_more_thought(|tactics| tactics.disconnect(board, a, b)).works())
    }

    fn falls_to_attack(&mut self, board: &Board, stone: Point, attacking: bool) -> Option<bool> {
        let quick = &mut self.quick;
        Some(match attacking {
            true => quick.attack(board, stone).outcome != ReadingOutcome::Fails,
            false => quick.defend(board, stone).outcome == ReadingOutcome::Fails,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_boards::{board_of_rows, point_of};

    /// Two large chains in atari to each other: whoever moves first takes the other, and lives in what is left.
    #[test]
    fn who_takes_many_stones_is_saved() {
        let board = board_of_rows(
            "
            . X X X X X X
            X X X X X X X
            X X X X X X X
            X X X X X X X
            O O O O O O O
            O O O O O O O
            O O O O O O .
        ",
        );
        let mut tactics = Tactics::new(Seed::new(1)).with_playouts(200);
        let [white, black, left, right] = ["A1", "B7", "A7", "G1"].map(|vertex| point_of(&board, vertex));
        for (stone, takes) in [(white, left), (black, right)] {
            let status = tactics.status(&board, stone);
            let GroupStatus::Critical { save, .. } = status else { panic!("{stone}: {status:?}") };
            assert_eq!(save.mv, Move::Play(takes));
            assert_eq!(tactics.save(&board, stone).mv, Move::Play(takes));
        }
    }

    /// From a game: two stones in the corner that are lost. Whoever says that a move saves them takes them after it.
    #[test]
    fn what_contradicts_itself_is_not_believed() {
        let board = board_of_rows(
            "
            . . . . . . . . . .
            . . X O . . . . . .
            . O X O . . O . . .
            . . O X . . . . . .
            . O O X . . . . . .
            . O X X . . . . . .
            . X . X . . . . . .
            . . X . . . . . . .
            . . . . . . . . . .
            . . . . . . . . . .
        ",
        );
        let stone = point_of(&board, "C8");
        let mut tactics = Tactics::new(Seed::new(1));
        for saves in ["A9", "B10", "K1"] {
            let mv = Some(point_of(&board, saves));
            let read = ReadingAnswer { outcome: ReadingOutcome::Works, mv, nodes: 1 };
            assert!(tactics.contradicts_itself(read, &board, stone, false), "{saves}");
        }
        let read = ReadingAnswer { outcome: ReadingOutcome::Fails, mv: None, nodes: 1 };
        assert!(!tactics.contradicts_itself(read, &board, stone, false), "it claims nothing");
        assert_eq!(tactics.defend(&board, stone).outcome, ReadingOutcome::Fails);
    }

    #[test]
    fn what_playouts_leave_open_is_not_sure() {
        let verdict = |share: f64| TacticsVerdict {
            outcome: ReadingOutcome::Works,
            mv: Move::Pass,
            judged: Some(share),
        };
        assert!(verdict(0.1).is_sure() && verdict(0.9).is_sure());
        assert!(!verdict(0.46).is_sure() && !verdict(0.3).is_sure());
        assert!(TacticsVerdict { judged: None, ..verdict(0.5) }.is_sure(), "what is read is sure");
    }
}
