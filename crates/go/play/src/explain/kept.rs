//! A judge whose answers are kept outside: what it has said of a position it is not asked again, also by another run of the program.
//!
//! Where answers are kept, an [`AnswerStore`] decides. What is passed on is always what would be read again, so that work that goes on
//! ends with the result of work that was never interrupted.

use ishi_engine::SearchReport;
use ishi_go::{BoardSize, Position};

use super::ErrorModel;
use crate::analyst::{JudgeControl, JudgeError, PositionJudge};

/// Positions that a judge who likes many questions is asked about at once: what it has answered is kept before it is asked about the next ones.
const AT_ONCE: usize = 32;

/// Where answers of one judge are kept, by position ([`super::position_key`] names one).
pub trait AnswerStore: Send {
    /// The answer that is kept of a position.
    fn find_answer(&mut self, position: &Position) -> Option<SearchReport>;

    /// Keeps a new answer, and gives it as it would be read again. Keeping that fails is no reason to end the work.
    fn keep_answer(&mut self, position: &Position, report: SearchReport) -> SearchReport;
}

/// A judge with a store of its answers.
pub struct KeptJudge<S> {
    judge: Box<dyn PositionJudge>,
    store: S,
}

impl<S: AnswerStore> KeptJudge<S> {
    /// The judge is asked only about what the store does not have.
    pub fn new(judge: Box<dyn PositionJudge>, store: S) -> KeptJudge<S> {
        KeptJudge { judge, store }
    }

    /// Asks the judge about positions. What was stopped in its middle is not kept.
    fn ask_judge(
        &mut self,
        positions: &[Position],
        control: &mut JudgeControl<'_>,
    ) -> Result<Vec<SearchReport>, JudgeError> {
        let reports = self.judge.judge_positions(positions, control)?;
        let is_cut = control.stop.is_requested();
        let keep = |(position, report): (&Position, SearchReport)| match is_cut || report.playouts == 0 {
            true => report,
            false => self.store.keep_answer(position, report),
        };
        Ok(positions.iter().zip(reports).map(keep).collect())
    }
}

impl<S: AnswerStore> PositionJudge for KeptJudge<S> {
    fn judge_positions(
        &mut self,
        positions: &[Position],
        control: &mut JudgeControl<'_>,
    ) -> Result<Vec<SearchReport>, JudgeError> {
        let mut found: Vec<Option<SearchReport>> =
            positions.iter().map(|position| self.store.find_answer(position)).collect();
        let missing: Vec<usize> = (0..positions.len()).filter(|&index| found[index].is_none()).collect();
        let mut answered = positions.len() - missing.len();
        let at_once = if self.judge.likes_many() { AT_ONCE } else { 1 };
        for part in missing.chunks(at_once) {
            if answered > 0 && control.stop.is_requested() {
                return Err(JudgeError::Stopped);
            }
            let asked: Vec<Position> = part.iter().map(|&index| positions[index].clone()).collect();
            let tell = &mut *control.tell;
            let mut tell_all = |done: usize| tell(answered + done);
            let mut inner = JudgeControl { stop: control.stop, tell: &mut tell_all };
            let reports = self.ask_judge(&asked, &mut inner)?;
            for (&index, report) in part.iter().zip(reports) {
                found[index] = Some(report);
            }
            answered += part.len();
        }
        (control.tell)(answered);
        Ok(found.into_iter().flatten().collect())
    }

    fn error_model(&self, size: BoardSize) -> ErrorModel {
        self.judge.error_model(size)
    }

    fn likes_many(&self) -> bool {
        self.judge.likes_many()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::{Arc, Mutex};

    use super::super::scripted::{ScriptedJudge, position_of_game};
    use super::super::{PositionKey, position_key};
    use super::*;

    /// A store that outlives its judge.
    #[derive(Clone, Default)]
    struct SharedStore(Arc<Mutex<BTreeMap<PositionKey, SearchReport>>>);

    impl AnswerStore for SharedStore {
        fn find_answer(&mut self, position: &Position) -> Option<SearchReport> {
            self.0.lock().unwrap().get(&position_key(position)).cloned()
        }

        fn keep_answer(&mut self, position: &Position, report: SearchReport) -> SearchReport {
            self.0.lock().unwrap().insert(position_key(position), report.clone());
            report
        }
    }

    /// What the judge says of the game's first positions with this store, what is told on the way, and how many it was asked about at a time.
    fn ask(
        store: &SharedStore,
        likes_many: bool,
        count: usize,
    ) -> (Vec<SearchReport>, Vec<usize>, Vec<usize>) {
        let scripted = ScriptedJudge { likes_many, ..Default::default() };
        let mut judge = KeptJudge::new(Box::new(scripted.clone()), store.clone());
        let positions: Vec<Position> = (0..count).map(position_of_game).collect();
        let mut heard = Vec::new();
        let mut tell = |done: usize| heard.push(done);
        let mut control = JudgeControl { stop: &|| false, tell: &mut tell };
        let reports = judge.judge_positions(&positions, &mut control).unwrap();
        (reports, heard, scripted.asked())
    }

    #[test]
    fn only_what_the_store_does_not_have_is_asked() {
        for (likes_many, first, then) in [(false, vec![1; 3], vec![1; 2]), (true, vec![3], vec![2])] {
            let store = SharedStore::default();
            let (three, _, asked) = ask(&store, likes_many, 3);
            assert_eq!(asked, first);
            let (five, heard, asked) = ask(&store, likes_many, 5);
            assert_eq!((asked, &five[..3]), (then, &three[..]), "they come in the order of the positions");
            assert_eq!(heard.last(), Some(&5), "all are counted: {heard:?}");
            let (again, heard, asked) = ask(&store, likes_many, 5);
            assert_eq!((again, heard, asked), (five, vec![5], Vec::new()));
        }
    }

    #[test]
    fn what_was_stopped_is_not_kept() {
        let store = SharedStore::default();
        let mut judge = KeptJudge::new(Box::new(ScriptedJudge::default()), store.clone());
        let positions: Vec<Position> = (0..3).map(position_of_game).collect();
        let mut control = JudgeControl { stop: &|| true, tell: &mut |_| {} };
        assert_eq!(judge.judge_positions(&positions, &mut control), Err(JudgeError::Stopped));
        assert!(store.0.lock().unwrap().is_empty());
        assert_eq!(ask(&store, false, 1).2, [1], "it is asked again");
    }

    #[test]
    fn a_judge_that_fails_fails_behind_its_store_as_well() {
        let store = SharedStore::default();
        ask(&store, true, 2);
        let failing = ScriptedJudge { fails: true, likes_many: true, ..Default::default() };
        let mut judge = KeptJudge::new(Box::new(failing), store);
        let mut control = JudgeControl { stop: &|| false, tell: &mut |_| {} };
        let mut ask_about = |count: usize| {
            let positions: Vec<Position> = (0..count).map(position_of_game).collect();
            judge.judge_positions(&positions, &mut control)
        };
        assert!(matches!(ask_about(3), Err(JudgeError::Failed(_))));
        assert_eq!(ask_about(2).unwrap().len(), 2, "what is kept needs no judge");
    }
}
