//! Whose each point will be, as the judge says, beside what reading and playouts say of groups.
//!
//! A judge that has looked at the whole board is right more often than playouts about one group. What was read stands unless the judge sees
//! the contrary; then nothing is told. What reading left open is told as the judge sees it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use ishi_go::{Board, Color, Point, Position};
use ishi_knowledge::explain::MoveReasons;
use ishi_knowledge::{Analysis, Fate, GroupStrength, Oracle, Reason, RuleFamily};
use ishi_work::Stop;

use super::owners::OwnerMap;
use crate::tactics::Tactics;
use ishi_engine::SearchReport;

/// A chain is its owner's, or lost, from this mean of its points' owners on, of 1: a chance of 93 % and more.
const SURE_OWNER: f64 = 0.86;
/// From here on the judge sees the contrary of what is said.
const CONTRARY_OWNER: f64 = 0.5;
/// Stones are the other side's if they are so much of it, in the mean.
const LOST: f64 = -0.3;
/// Boards whose owners are known at the same time: a position, and those after the moves that are compared.
const KNOWN: usize = 64;

/// A board's owners, with its hash and the ko.
#[derive(Debug)]
struct BoardOwners {
    hash: u64,
    ko: Option<Point>,
    owners: OwnerMap,
}

/// What judges have said of owners, shared by those who ask and those who use it.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownOwners(Arc<Mutex<VecDeque<BoardOwners>>>);

impl KnownOwners {
    /// Forgets all: what is said of a position must not depend on earlier ones.
    pub(super) fn forget_all(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Notes the owners of a report, if it has some.
    pub(super) fn note_report(&self, position: &Position, report: &SearchReport) {
        let Some(owners) = OwnerMap::from_report(report, position.to_move(), position.size()) else { return };
        let board = position.board();
        let (hash, ko) = (board.hash(), board.ko_point());
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The last that is said of a board counts: it may have been another side's turn before.
        known.retain(|one| (one.hash, one.ko) != (hash, ko));
        if known.len() >= KNOWN {
            known.pop_front();
        }
        known.push_back(BoardOwners { hash, ko, owners });
    }

    /// How much the chain of a stone is its owner's: 1 all, -1 lost. None: nobody has judged this board.
    pub(super) fn safety_of_chain(&self, board: &Board, stone: Point) -> Option<f64> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().find(|one| (one.hash, one.ko) == (board.hash(), board.ko_point()))?;
        let chain = board.chain(stone)?;
        let color = board.color(stone)?;
        let sum: f64 = board.chain_stones(chain).map(|point| found.owners.owner_for(point, color)).sum();
        Some(sum / board.chain_length(chain) as f64)
    }
}

/// Answers of [`Tactics`] about groups, beside what the judge says of owners. Who is told to stop knows nothing any more: a full board asks about dozens of
/// groups.
pub(super) struct JudgedTactics {
    tactics: Tactics,
    owners: KnownOwners,
    stop: Arc<dyn Stop + Send + Sync>,
}

impl JudgedTactics {
    pub(super) fn new(tactics: Tactics, owners: KnownOwners) -> JudgedTactics {
        JudgedTactics { tactics, owners, stop: Arc::new(|| false) }
    }

    /// The same until this says so.
    pub(super) fn with_stop(self, stop: Arc<dyn Stop + Send + Sync>) -> JudgedTactics {
        JudgedTactics { stop, ..self }
    }

    /// Who answers, unless the work was told to stop.
    fn tactics_unless_stopped(&mut self) -> Option<&mut Tactics> {
        if self.stop.is_requested() { None } else { Some(&mut self.tactics) }
    }
}

/// Does the judge see the contrary of a fate?
fn is_contradicted(strength: GroupStrength, safety: f64) -> bool {
    match strength {
        GroupStrength::Alive => safety < -CONTRARY_OWNER,
        GroupStrength::Dead => safety > CONTRARY_OWNER,
        // Who moves first decides: whatever the judge expects, the other may happen.
        _ => false,
    }
}

/// What may be told of a group: its fate as it was read or judged by playouts, held against its safety as the judge sees it (-1 to 1).
fn fate_beside_judge(fate: Option<Fate>, is_read: bool, safety: f64) -> Option<Fate> {
    let Some(fate) = fate else {
        return sure_fate_by_owners(safety);
    };
    if is_contradicted(fate.strength, safety) {
        return None;
    }
    // Playouts leave open what the judge does not: a critical group that it sees safe, or lost, whoever moves next.
    if !is_read && fate.strength == GroupStrength::Critical {
        return sure_fate_by_owners(safety).or(Some(fate));
    }
    Some(fate)
}

fn sure_fate_by_owners(safety: f64) -> Option<Fate> {
    let strength = if safety >= SURE_OWNER {
        GroupStrength::Alive
    } else if safety <= -SURE_OWNER {
        GroupStrength::Dead
    } else {
        return None;
    };
    Some(Fate { strength, kill: None, save: None })
}

impl Oracle for JudgedTactics {
    fn fate(&mut self, board: &Board, stone: Point) -> Option<Fate> {
        let (fate, is_read) = self.tactics_unless_stopped()?.fate_and_source(board, stone);
        match self.owners.safety_of_chain(board, stone) {
            Some(safety) => fate_beside_judge(Some(fate), is_read, safety),
            None => Some(fate),
        }
    }

    fn sure_fate(&mut self, board: &Board, stone: Point) -> Option<Fate> {
        let fate = self.tactics_unless_stopped()?.sure_fate(board, stone);
        match self.owners.safety_of_chain(board, stone) {
            Some(safety) => fate_beside_judge(fate, true, safety),
            None => fate,
        }
    }

    fn is_settled(&mut self, board: &Board, stone: Point, alive: bool, told: bool) -> bool {
        let strength = if alive { GroupStrength::Alive } else { GroupStrength::Dead };
        let safety = self.owners.safety_of_chain(board, stone);
        if safety.is_some_and(|safety| is_contradicted(strength, safety)) {
            return false;
        }
        let tactics = self.tactics_unless_stopped();
        tactics.is_some_and(|tactics| tactics.is_settled(board, stone, alive, told))
    }

    fn fight_sequence(&mut self, board: &Board, stone: Point, attacking: bool) -> Vec<(Color, Point)> {
        let tactics = self.tactics_unless_stopped();
        tactics.map_or_else(Vec::new, |tactics| tactics.fight_sequence(board, stone, attacking))
    }

    fn can_connect(&mut self, board: &Board, stones: [Point; 2]) -> Option<bool> {
        self.tactics_unless_stopped()?.can_connect(board, stones)
    }

    fn can_cut(&mut self, board: &Board, stones: [Point; 2]) -> Option<bool> {
        self.tactics_unless_stopped()?.can_cut(board, stones)
    }

    fn falls_to_attack(&mut self, board: &Board, stone: Point, attacking: bool) -> Option<bool> {
        self.tactics_unless_stopped()?.falls_to_attack(board, stone, attacking)
    }
}

/// Leaves out what is said of lives and deaths where whose the points are says clearly otherwise: reading that left something open was
/// wrong, or the stones will be given up. [`JudgedTactics`] is asked of one chain; here it is the whole group that must not be the other
/// side's, also for stones that are only saved from capture.
pub(super) fn drop_contradicted_fates(reasons: &mut MoveReasons, analysis: &Analysis, owners: &OwnerMap) {
    let color = reasons.color;
    let is_contradicted = |reason: &Reason| {
        let says_fate = matches!(reason.rule.name, "live" | "kill") || reason.rule.family == RuleFamily::Save;
        let group = reason.about.and_then(|stone| analysis.group_at(stone));
        // The mover gets the stones: own ones live, or the opponent's die.
        says_fate && group.is_some_and(|group| owners.mean_for(&group.stones, color) < LOST)
    };
    reasons.effects.retain(|reason| !is_contradicted(reason));
}

#[cfg(test)]
mod tests {
    use GroupStrength::{Alive, Critical, Dead};
    use ishi_go::{BoardSize, Move, Rules};
    use ishi_rng::Seed;

    use super::*;
    use crate::test_boards::{board_of_rows, point_of};

    #[test]
    fn a_fate_that_the_judge_contradicts_is_not_told() {
        let fate = |strength| Some(Fate { strength, kill: None, save: None });
        let strength = |fate: Option<Fate>| fate.map(|fate| fate.strength);
        assert_eq!(fate_beside_judge(fate(Alive), true, -0.7), None, "read, and yet not told");
        assert_eq!(fate_beside_judge(fate(Dead), false, 0.7), None);
        assert_eq!(strength(fate_beside_judge(fate(Alive), true, -0.2)), Some(Alive), "not sure enough");
        assert_eq!(strength(fate_beside_judge(fate(Critical), true, 0.95)), Some(Critical), "read");
        assert_eq!(strength(fate_beside_judge(fate(Critical), false, 0.95)), Some(Alive), "by playouts");
        assert_eq!(strength(fate_beside_judge(fate(Critical), false, -0.95)), Some(Dead));
        assert_eq!(strength(fate_beside_judge(fate(Critical), false, 0.4)), Some(Critical));
        assert_eq!(strength(fate_beside_judge(None, true, -0.95)), Some(Dead), "left open by reading");
        assert_eq!(fate_beside_judge(None, true, 0.4), None);
    }

    /// Owners are kept for the board they were told of, from Black's side, whoever was to move.
    #[test]
    fn safety_is_that_of_a_chain_on_the_board_that_was_judged() {
        let mut position = Position::new(BoardSize::square(9).unwrap(), Rules::CHINESE);
        let stone = Point::new(4, 4);
        position.play(Color::Black, Move::Play(stone)).unwrap();
        let owners = KnownOwners::default();
        assert_eq!(owners.safety_of_chain(position.board(), stone), None);
        let ownership = vec![(stone, 0.75)];
        owners.note_report(&position, &SearchReport { ownership, ..SearchReport::default() });
        assert_eq!(
            owners.safety_of_chain(position.board(), stone),
            Some(-0.75),
            "White's turn, White's point"
        );
        let before = position.clone();
        position.play(Color::White, Move::Play(Point::new(2, 2))).unwrap();
        assert_eq!(owners.safety_of_chain(position.board(), stone), None, "another board");
        assert_eq!(owners.safety_of_chain(before.board(), Point::new(0, 0)), None, "no stone");
    }

    /// Nothing is read or played out any more.
    #[test]
    fn who_is_stopped_says_nothing_of_groups() {
        let board = board_of_rows(
            "
            . . . . . . .
            X X X X X . .
            O O O O X . .
            . . . O X . .
        ",
        );
        let stone = point_of(&board, "A2");
        let ask = |stop: Arc<dyn Stop + Send + Sync>| {
            let tactics = Tactics::new(Seed::new(1)).with_playouts(50);
            let mut judged = JudgedTactics::new(tactics, KnownOwners::default()).with_stop(stop);
            let answers =
                [judged.fate(&board, stone).is_some(), judged.falls_to_attack(&board, stone, true).is_some()];
            let settled = [true, false].map(|alive| judged.is_settled(&board, stone, alive, false));
            (answers, settled, judged.fight_sequence(&board, stone, true).len())
        };
        assert_eq!(ask(Arc::new(|| false)).0, [true; 2]);
        assert_eq!(ask(Arc::new(|| true)), ([false; 2], [false; 2], 0));
    }

    /// What reading says of life and death is not told where the owners of the points say otherwise.
    #[test]
    fn fates_that_owners_contradict_are_not_told() {
        use super::super::owners::tests::{BLACK_CORNER, CORNER, HandMade};
        use ishi_knowledge::rules;
        let made = HandMade::from_diagram(CORNER, Color::Black);
        let reason = |name: &str| Reason {
            rule: rules::find_rule(name).unwrap(),
            value: 1.0,
            about: Some(made.point("C5")),
            other: None,
            count: 3,
            sequence: Vec::new(),
            variations: Vec::new(),
            is_urgent: false,
            pattern: None,
        };
        let left = |name: &str, owner: f32| {
            let mut reasons = MoveReasons {
                mv: made.point("C7"),
                color: Color::Black,
                effects: vec![reason(name)],
                ideas: Vec::new(),
                rank: None,
                value: 0.0,
            };
            drop_contradicted_fates(&mut reasons, &made.analysis, &made.map(&[(BLACK_CORNER, owner)]));
            reasons.effects.len()
        };
        assert_eq!([left("live", 0.8), left("live", -0.8), left("save", -0.8)], [1, 0, 0]);
        assert_eq!([left("live", -0.1), left("atari", -0.8)], [1, 1], "in doubt, and no claim of a fate");
    }
}
