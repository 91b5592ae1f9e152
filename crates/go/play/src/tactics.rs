//! Questions of tactics, answered by whatever answers them best: proofs where they can be had, and where they cannot, the share
//! of playouts (see [`crate::go_mcts::fate`]).
//!
//! Captures are read quickly, in less time than GNU Go takes; groups and connections are best judged, as what is open there is
//! mostly which points matter; races are proved if they can be read to the end. docs/reading.md has the figures.

use std::collections::VecDeque;

use ishi_go::{Board, Color, Move, Point};
use ishi_knowledge::{Fate as GroupFate, Oracle, Strength};
use ishi_reading::{Answer, LifeReader, Outcome, QuickReader, RaceReader, Reader};
use ishi_rng::Seed;

use crate::go_mcts::{Fate, FateParams, Goal, fate};

/// An answer for the side that moves first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// What becomes of it.
    pub outcome: Outcome,
    /// The move that does it; a pass where nothing need be done, or nothing helps.
    pub mv: Move,
    /// Share of playouts in which it works, 0 to 1. None: it was read, not judged.
    pub judged: Option<f64>,
}

impl Verdict {
    fn read(answer: Answer) -> Verdict {
        Verdict { outcome: answer.outcome, mv: answer.mv.map_or(Move::Pass, Move::Play), judged: None }
    }

    fn known(mv: Point) -> Verdict {
        Verdict { outcome: Outcome::Works, mv: mv.into(), judged: None }
    }

    fn judged(fate: &Fate) -> Verdict {
        let (outcome, mv) =
            if fate.works() { (Outcome::Works, fate.mv) } else { (Outcome::Fails, Move::Pass) };
        Verdict { outcome, mv, judged: Some(fate.success) }
    }

    /// Does it work, be it by ko?
    pub fn works(&self) -> bool {
        self.outcome != Outcome::Fails
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
        kill: Verdict,
        /// The owner's.
        save: Verdict,
    },
    /// Its owner cannot save it.
    Dead {
        /// How it is killed.
        kill: Verdict,
    },
}

/// A question about a group: the board's hash, its ko and the stone.
type Asked = (u64, Option<Point>, Point);

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
/// let board = diagram.board().unwrap();
/// let stone = board.size().parse_point("A2").unwrap();
/// let status = Tactics::new(Seed::new(1)).status(&board, stone);
/// assert!(matches!(status, GroupStatus::Critical { .. }));
/// ```
pub struct Tactics {
    quick: QuickReader,
    reader: Reader,
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
    sure: VecDeque<(Asked, Option<GroupFate>)>,
}

impl Tactics {
    /// Readers with their usual effort; everything random follows from the seed.
    pub fn new(seed: Seed) -> Tactics {
        Tactics {
            quick: QuickReader::default(),
            reader: Reader::default(),
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

    /// Can the chain of the stone be captured if its opponent moves first? It is read; see [`Tactics::judging_captures`].
    pub fn attack(&mut self, board: &Board, stone: Point) -> Verdict {
        if !self.judges_captures {
            return Verdict::read(self.quick.attack(board, stone));
        }
        match self.reader.attack(board, stone) {
            read if read.outcome != Outcome::Fails => Verdict::read(read),
            _ => self.judge(board, Goal::Live(stone), board.color(stone).map(|owner| !owner)),
        }
    }

    /// Can the chain of the stone be saved if its owner moves first? It is read; see [`Tactics::judging_captures`], with which
    /// only kos are.
    pub fn defend(&mut self, board: &Board, stone: Point) -> Verdict {
        if !self.judges_captures {
            return Verdict::read(self.quick.defend(board, stone));
        }
        let read = self.reader.defend(board, stone);
        self.unless_ko(read, board, Goal::Live(stone), board.color(stone))
    }

    /// Can the chains of the stones be connected if their owner moves first?
    pub fn connect(&mut self, board: &Board, a: Point, b: Point) -> Verdict {
        let read = self.reader.connect(board, a, b);
        self.unless_ko(read, board, Goal::Join(a, b), board.color(a))
    }

    /// Can the chains of the stones be cut if their opponent moves first?
    pub fn disconnect(&mut self, board: &Board, a: Point, b: Point) -> Verdict {
        let read = self.reader.disconnect(board, a, b);
        self.unless_ko(read, board, Goal::Join(a, b), board.color(a).map(|owner| !owner))
    }

    /// Can the group of the stone be killed if its opponent moves first? Read if it is closed in, otherwise judged.
    pub fn kill(&mut self, board: &Board, stone: Point) -> Verdict {
        let read = self.lives(false).die(board, stone);
        self.read_or_judged(read, board, stone, true)
    }

    /// Can the group of the stone be saved if its owner moves first? Read if it is closed in, otherwise judged.
    pub fn save(&mut self, board: &Board, stone: Point) -> Verdict {
        if let Some(mv) = saving_capture(board, stone) {
            return Verdict::known(mv);
        }
        let read = self.lives(false).live(board, stone);
        self.read_or_judged(read, board, stone, false)
    }

    /// How the group of the stone stands. A ko that needs a threat before anything counts for the other side.
    pub fn status(&mut self, board: &Board, stone: Point) -> GroupStatus {
        self.status_by(board, stone).0
    }

    /// The same, read if that can be, otherwise judged; and was it read all through?
    fn status_by(&mut self, board: &Board, stone: Point) -> (GroupStatus, bool) {
        let prevails = |verdict: &Verdict| verdict.outcome >= Outcome::KoFirst;
        let read = self.lives(true).die(board, stone);
        let kill = self.read_or_judged(read, board, stone, true);
        if !prevails(&kill) {
            return (GroupStatus::Alive, read.is_some());
        }
        let is_read = read.is_some();
        let (save, is_saved_by_reading) = match saving_capture(board, stone) {
            Some(mv) => (Verdict::known(mv), true),
            None => {
                let read = self.lives(true).live(board, stone);
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
        let kill = self.judge(board, Goal::Live(stone), owner.map(|owner| !owner));
        if !kill.is_sure() {
            return None;
        }
        if !kill.works() {
            return Some(GroupStatus::Alive);
        }
        let save = match saving_capture(board, stone) {
            Some(mv) => Verdict::known(mv),
            None => self.judge(board, Goal::Live(stone), owner),
        };
        let status =
            if save.works() { GroupStatus::Critical { kill, save } } else { GroupStatus::Dead { kill } };
        save.is_sure().then_some(status)
    }

    /// Remembers what is sure of a group.
    fn note(&mut self, question: Asked, fate: Option<GroupFate>) {
        if self.sure.len() >= REMEMBERED {
            self.sure.pop_front();
        }
        self.sure.push_back((question, fate));
    }

    fn read_or_judged(&self, read: Option<Answer>, board: &Board, stone: Point, attacking: bool) -> Verdict {
        let mover = |owner: Color| if attacking { !owner } else { owner };
        match read {
            Some(read) => Verdict::read(read),
            None => self.judge(board, Goal::Live(stone), board.color(stone).map(mover)),
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
    fn lives(&mut self, for_status: bool) -> &mut LifeReader {
        let playouts = u32::try_from(self.fates.playouts).unwrap_or(u32::MAX);
        let most = playouts.saturating_mul(MOVES_A_PLAYOUT[usize::from(for_status)]);
        self.lives[usize::from(for_status)].get_or_insert_with(|| LifeReader::new(most))
    }

    /// The race of two chains if the owner of `own` moves first: does `own` survive, and does `rival` fall? Both moves are a pass where the
    /// opponent can change nothing of it by moving first, and where nothing helps.
    pub fn race(&mut self, board: &Board, own: Point, rival: Point) -> [Verdict; 2] {
        let [survives, falls] = [self.survives(board, own, rival), self.falls_in_race(board, rival, own)];
        let is_kept = !(survives.works() && self.falls_in_race(board, own, rival).works());
        if is_kept && !(falls.works() && self.survives(board, rival, own).works()) {
            return [survives, falls].map(|verdict| Verdict { mv: Move::Pass, ..verdict });
        }
        [survives, falls]
    }

    /// Does the chain of `stone` survive its race if its owner moves first?
    fn survives(&mut self, board: &Board, stone: Point, rival: Point) -> Verdict {
        let read = self.races().survive(board, stone, rival);
        read.map_or_else(|| self.hopeful(board, stone, board.color(stone)), Verdict::read)
    }

    /// Does the chain of `stone` fall in its race if the owner of `rival` moves first?
    fn falls_in_race(&mut self, board: &Board, stone: Point, rival: Point) -> Verdict {
        let read = self.races().fall(board, stone, rival);
        read.map_or_else(|| self.hopeful(board, stone, board.color(rival)), Verdict::read)
    }

    fn races(&mut self) -> &mut RaceReader {
        self.races.get_or_insert_with(|| RaceReader::new(MOVES_OF_A_RACE))
    }

    /// A race that could not be read to the end. Playouts play long races badly, and mostly lose what the right order of moves would win: a small
    /// share of successes is enough.
    fn hopeful(&self, board: &Board, stone: Point, to_move: Option<Color>) -> Verdict {
        let Some(to_move) = to_move else { return self.judge(board, Goal::Live(stone), None) };
        let found = self.by_playouts(board, Goal::Live(stone), to_move);
        if found.success > RACE_HOPE {
            Verdict { outcome: Outcome::Works, mv: found.mv, judged: Some(found.success) }
        } else {
            Verdict::judged(&found)
        }
    }

    /// Kos are read; what works or fails without one is judged.
    fn unless_ko(&self, read: Answer, board: &Board, goal: Goal, to_move: Option<Color>) -> Verdict {
        match read.outcome {
            Outcome::KoFirst | Outcome::KoSecond => Verdict::read(read),
            Outcome::Works | Outcome::Fails => self.judge(board, goal, to_move),
        }
    }

    fn by_playouts(&self, board: &Board, goal: Goal, to_move: Color) -> Fate {
        let playouts = self.thought.saturating_mul(self.fates.playouts);
        fate(board, goal, to_move, &FateParams { playouts, ..self.fates }, self.seed)
    }

    fn judge(&self, board: &Board, goal: Goal, to_move: Option<Color>) -> Verdict {
        match to_move {
            Some(color) => Verdict::judged(&self.by_playouts(board, goal, color)),
            None => Verdict { outcome: Outcome::Fails, mv: Move::Pass, judged: None },
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
    large.filter_map(|chain| board.atari(chain)).find(|&last| board.is_legal(owner, last))
}

fn group_fate(status: &GroupStatus) -> GroupFate {
    let (strength, kill, save) = match status {
        GroupStatus::Alive => (Strength::Alive, None, None),
        GroupStatus::Critical { kill, save } => (Strength::Critical, kill.mv.point(), save.mv.point()),
        GroupStatus::Dead { kill } => (Strength::Dead, kill.mv.point(), None),
    };
    GroupFate { strength, kill, save }
}

impl Oracle for Tactics {
    fn fate(&mut self, board: &Board, stone: Point) -> Option<GroupFate> {
        let (status, is_read) = self.status_by(board, stone);
        let fate = group_fate(&status);
        if is_read {
            self.note((board.hash(), board.ko(), stone), Some(fate));
        }
        Some(fate)
    }

    /// What was read is sure; the rest is judged by more playouts, as reading has been tried.
    fn sure_fate(&mut self, board: &Board, stone: Point) -> Option<GroupFate> {
        let question = (board.hash(), board.ko(), stone);
        if let Some(&(_, fate)) = self.sure.iter().find(|(known, _)| *known == question) {
            return fate;
        }
        let fate = self.with_more_thought(|tactics| tactics.judged_status(board, stone));
        let fate = fate.as_ref().map(group_fate);
        self.note(question, fate);
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

    fn line(&mut self, board: &Board, stone: Point, attacking: bool) -> Vec<(Color, Point)> {
        self.lines.get_or_insert_with(|| LifeReader::new(MOVES_OF_A_LINE)).sequence(board, stone, attacking)
    }

    fn connects(&mut self, board: &Board, [a, b]: [Point; 2]) -> Option<bool> {
        let verdict = self.with_more_thought(|tactics| tactics.connect(board, a, b));
        Some(verdict.works() || !verdict.is_sure())
    }

    fn cuts(&mut self, board: &Board, [a, b]: [Point; 2]) -> Option<bool> {
        Some(self.with_more_thought(|tactics| tactics.disconnect(board, a, b)).works())
    }

    fn falls(&mut self, board: &Board, stone: Point, attacking: bool) -> Option<bool> {
        let quick = &mut self.quick;
        Some(match attacking {
            true => quick.attack(board, stone).outcome != Outcome::Fails,
            false => quick.defend(board, stone).outcome == Outcome::Fails,
        })
    }
}

#[cfg(test)]
mod tests {
    use ishi_go::Diagram;

    use super::*;

    /// Two large chains in atari to each other: whoever moves first takes the other, and lives in what is left.
    #[test]
    fn who_takes_many_stones_is_saved() {
        let diagram: Diagram = "
            . X X X X X X
            X X X X X X X
            X X X X X X X
            X X X X X X X
            O O O O O O O
            O O O O O O O
            O O O O O O .
        "
        .parse()
        .unwrap();
        let board = diagram.board().unwrap();
        let mut tactics = Tactics::new(Seed::new(1)).with_playouts(200);
        let [white, black, left, right] =
            ["A1", "B7", "A7", "G1"].map(|vertex| board.size().parse_point(vertex).unwrap());
        for (stone, takes) in [(white, left), (black, right)] {
            let status = tactics.status(&board, stone);
            let GroupStatus::Critical { save, .. } = status else { panic!("{stone}: {status:?}") };
            assert_eq!(save.mv, Move::Play(takes));
            assert_eq!(tactics.save(&board, stone).mv, Move::Play(takes));
        }
    }

    #[test]
    fn what_playouts_leave_open_is_not_sure() {
        let verdict = |share: f64| Verdict { outcome: Outcome::Works, mv: Move::Pass, judged: Some(share) };
        assert!(verdict(0.1).is_sure() && verdict(0.9).is_sure());
        assert!(!verdict(0.46).is_sure() && !verdict(0.3).is_sure());
        assert!(Verdict { judged: None, ..verdict(0.5) }.is_sure(), "what is read is sure");
    }
}
