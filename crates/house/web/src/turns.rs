//! Who asks, and whose turn it is: work is shared out among visitors, so that one who asks for much keeps nobody else from a turn.

use std::collections::{BTreeMap, VecDeque};

use ishi_rng::checksum::fnv_checksum;

/// Where others have filled all places, so much work of somebody else is taken all the same.
const OWN: usize = 2;

/// Beyond the usual room, so much work may wait in all, of however many askers.
const CROWD: usize = 36;

/// Who asks for work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Asker(u64);

tokio::task_local! {
    /// Who asks for what the task does.
    static ASKER: Asker;
}

impl Asker {
    /// Whoever is known by this text, such as a cookie or an address.
    pub(crate) fn from_text(text: &str) -> Asker {
        Asker(fnv_checksum(text.as_bytes()))
    }

    /// Answers a request of this asker.
    pub(crate) async fn serve<F: Future>(self, answer: F) -> F::Output {
        ASKER.scope(self, answer).await
    }

    /// Does work of this asker on an ordinary thread.
    pub(crate) fn act<T>(self, work: impl FnOnce() -> T) -> T {
        ASKER.sync_scope(self, work)
    }

    /// Whose request is answered here, or whose work is done. Elsewhere it is nobody in particular.
    pub(crate) fn current() -> Asker {
        ASKER.try_with(|asker| *asker).unwrap_or_default()
    }

    /// Is there room for one more, where so many wait already, so many of them this asker's, and usually `room` may? Nobody in particular has no more
    /// than that.
    pub(crate) fn finds_room(self, waiting: usize, own: usize, room: usize) -> bool {
        waiting < room || self != Asker::default() && own < OWN && waiting < room + CROWD
    }
}

/// Turns by number, which askers have one after the other: an asker's turns come behind each other, and those of another one begin where the others
/// are by now.
#[derive(Default)]
pub(crate) struct FairTurns {
    /// The last one that has come.
    now: u64,
    /// The last one that each asker was given, unless it is over.
    given: BTreeMap<Asker, u64>,
}

impl FairTurns {
    /// The next turn of this asker. Of those with the same number who was first is first.
    pub(crate) fn give_turn(&mut self, asker: Asker) -> u64 {
        let turn = self.given.get(&asker).map_or(self.now, |last| self.now.max(last + 1));
        self.given.insert(asker, turn);
        turn
    }

    /// The work of this turn was taken back before the turn had come. If it is the asker's last one, the next work has it.
    pub(crate) fn take_back(&mut self, asker: Asker, turn: u64) {
        if self.given.get(&asker) != Some(&turn) {
            return;
        }
        match turn.checked_sub(1).filter(|last| *last >= self.now) {
            Some(last) => self.given.insert(asker, last),
            None => self.given.remove(&asker),
        };
    }

    /// Takes work out of a queue that nobody wants any more, and its turns back, the last one first.
    pub(crate) fn take_unwanted<T>(
        &mut self,
        queue: &mut VecDeque<T>,
        is_unwanted: impl Fn(&T) -> bool,
        turn_of: impl Fn(&T) -> (Asker, u64),
    ) -> VecDeque<T> {
        let (unwanted, wanted): (VecDeque<T>, VecDeque<T>) =
            std::mem::take(queue).into_iter().partition(is_unwanted);
        *queue = wanted;
        for (asker, turn) in unwanted.iter().rev().map(turn_of) {
            self.take_back(asker, turn);
        }
        unwanted
    }

    /// This turn has come. What is over says nothing any more.
    pub(crate) fn reach_turn(&mut self, turn: u64) {
        let now = self.now.max(turn);
        self.now = now;
        self.given.retain(|_, last| *last >= now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn askers_have_turns_one_after_the_other() {
        let (greedy, other) = (Asker::from_text("greedy"), Asker::from_text("other"));
        let mut turns = FairTurns::default();
        assert_eq!([greedy; 3].map(|asker| turns.give_turn(asker)), [0, 1, 2]);
        turns.reach_turn(1);
        assert_eq!([other, other, greedy].map(|asker| turns.give_turn(asker)), [1, 2, 3]);
        turns.reach_turn(9);
        assert!(turns.given.is_empty(), "all of these are over");
        assert_eq!([greedy, other].map(|asker| turns.give_turn(asker)), [9, 9]);
    }

    #[test]
    fn turns_that_are_taken_back_cost_nothing() {
        let [greedy, other] = ["greedy", "other"].map(Asker::from_text);
        let mut turns = FairTurns::default();
        assert_eq!([greedy; 3].map(|asker| turns.give_turn(asker)), [0, 1, 2]);
        turns.take_back(greedy, 2);
        turns.take_back(other, 5);
        assert_eq!(turns.give_turn(greedy), 2);
        // One that others of the same asker have come after keeps its place.
        turns.take_back(greedy, 1);
        assert_eq!(turns.give_turn(greedy), 3);
        turns.reach_turn(3);
        turns.take_back(greedy, 3);
        assert_eq!([greedy, other].map(|asker| turns.give_turn(asker)), [3, 3]);
    }

    #[test]
    fn work_that_nobody_wants_leaves_the_queue_and_gives_back_its_turns() {
        let greedy = Asker::from_text("greedy");
        let mut turns = FairTurns::default();
        let mut queue: VecDeque<u64> = (0..5).map(|_| turns.give_turn(greedy)).collect();
        let unwanted =
            turns.take_unwanted(&mut queue, |turn| [1, 3, 4].contains(turn), |turn| (greedy, *turn));
        assert_eq!((unwanted, queue), (VecDeque::from([1, 3, 4]), VecDeque::from([0, 2])));
        assert_eq!(turns.give_turn(greedy), 3, "turn 2 still waits, those behind it are free");
    }

    #[test]
    fn somebody_else_finds_room_where_one_has_filled_it() {
        let (greedy, other) = (Asker::from_text("greedy"), Asker::from_text("other"));
        assert!(greedy.finds_room(9, 9, 10) && !greedy.finds_room(10, 10, 10));
        assert!(other.finds_room(10, 0, 10) && other.finds_room(11, 1, 10) && !other.finds_room(12, 2, 10));
        assert!(!other.finds_room(10 + CROWD, 0, 10), "it ends somewhere");
        assert!(!Asker::default().finds_room(10, 0, 10));
    }

    #[tokio::test]
    async fn requests_and_work_know_who_asks() {
        let asker = Asker::from_text("somebody");
        assert_eq!(asker.serve(async { Asker::current() }).await, asker);
        assert_eq!(asker.act(Asker::current), asker);
        assert_eq!(Asker::current(), Asker::default());
    }
}
